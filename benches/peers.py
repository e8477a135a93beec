#!/usr/bin/env python3
"""Compares the speed of chess-audit with that of similar programs, and writes tables of benches/README.md.

    benches/peers.py                            everything; takes about 15 minutes on an idle machine
    benches/peers.py --parts games,positions    some of: games, positions, kinds, scaling, packed, memory, counts
    benches/peers.py --print --size 20          prints the tables instead, for smaller inputs
    benches/peers.py twic.pgn lichess.pgn       uses these games

Without files, games and positions are taken from the directory that CHESS_AUDIT_CORPORA names.
If it is not set, they are generated. Needs Python 3.10, cargo and hyperfine. Other programs that
are not installed are left out, and the text below the tables names them.

A machine that is busy for a while would favour some commands if they ran one after the other.
Therefore all commands run in turn, in several rounds. A ratio is the median over all rounds, of the
fastest run of each command in a round. Growth with size and with threads is computed from the
fastest runs of all rounds.
"""

import argparse
import bz2
import datetime
import gzip
import json
import lzma
import math
import os
import pathlib
import platform
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["games", "positions", "kinds", "scaling", "packed", "memory", "counts"]
GAMES = ["pgn/twic1599_1000k.pgn", "pgn/gnuchess_book_1.02.pgn", "pgn/lichess_db_1000k.pgn"]
# Kinds of records: what they are, the file, and options. Where files are missing, these rows are left out.
KINDS = [
    ("games without comments", "pgn/gnuchess_book_1.02.pgn", []),
    ("the same, `--profile strict`", "pgn/gnuchess_book_1.02.pgn", ["--profile", "strict"]),
    ("the same, `--exhaustive`", "pgn/gnuchess_book_1.02.pgn", ["--exhaustive"]),
    ("the same, `--duplicates`", "copies", ["--duplicates"]),
    ("the same, one game in ten with a wrong move", "damaged", []),
    ("the same, each game in a file of its own", "files", []),
    ("Lichess games with clocks and evaluations", "pgn/lichess_db_1000k.pgn", []),
    ("engine games with long comments", "pgn/tcec_misc_tests.pgn", []),
    ("the same, `--profile strict`", "pgn/tcec_misc_tests.pgn", ["--profile", "strict"]),
    ("engine games from positions, with comments", "pgn/cutechess_koivisto_study.pgn", []),
    ("studies with variations and comments", "pgn/lichess_study_demo.pgn", []),
    ("Chess960", "pgn/pychess_chess960rwch.pgn", []),
    ("EPD lines with operations", "operations", []),
    ("the same, each with an id of its own", "ids", []),
    ("rows of a table, FEN and UCI moves", "epd/lichess_puzzles_kagi.csv", []),
]
# What inputs are made of that are not in the corpora as they are.
SOURCES = {"copies": KINDS[0][1], "damaged": KINDS[0][1], "files": KINDS[0][1], "operations": "epd/arasan_arasan2024.epd", "ids": "epd/arasan_arasan2024.epd"}
# Of games in files of their own, so many are written.
FILES = 20_000
POSITIONS = [f"epd/sfbook_{name}.epd" for name in ["UHO_4060_v1", "popularpos_lichess", "endgames", "DFRC_4852_v1"]]
MB = 1_000_000

PYTHON_CHESS = """
import chess.pgn, sys
with open(sys.argv[1], encoding="utf-8", errors="replace") as games:
    while chess.pgn.read_game(games):
        pass
"""
PYTHON_CHESS_POSITIONS = """
import chess, sys
with open(sys.argv[1]) as lines:
    for line in lines:
        chess.Board.from_epd(" ".join(line.split()[:4]))[0].status()
"""
SCID = """
set place [lindex $argv 0]
foreach file [glob -nocomplain $place.*] { file delete $file }
sc_base create SCID4 $place
sc_base import [sc_base current] [lindex $argv 1]
sc_base close [sc_base current]
"""


def say(text):
    print(text, file=sys.stderr, flush=True)


def output(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, text=True, capture_output=True, **options).stdout


# --- programs ----------------------------------------------------------------------------------------------------------------


def build():
    """Builds what is measured. Returns the paths of chess-audit, the baseline and the stages."""
    say("building")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    # The baseline is a lean package of its own, with the same versions of what it uses.
    shutil.copy(ROOT / "Cargo.lock", ROOT / "benches/baseline/Cargo.lock")
    subprocess.run(["cargo", "build", "--release", "--quiet", "--manifest-path", ROOT / "benches/baseline/Cargo.toml",
                    "--target-dir", target / "baseline"], check=True)
    told = output("cargo", "bench", "--no-run", "--quiet", "--bench", "stages", "--message-format", "json", cwd=ROOT)
    artifacts = map(json.loads, told.splitlines())
    places = {artifact["target"]["name"]: artifact["executable"] for artifact in artifacts if artifact.get("executable")}
    # As a user builds it, and last: the benches are built with a chess-audit of their own in the same place.
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    return places["chess-audit"], target / "baseline/release/baseline", places["stages"]


class Tool:
    """A program and the words that tell it to read the file that follows; slow ones read the beginning of it only, so many MB."""

    def __init__(self, name, command, part=None):
        self.name, self.words, self.part = name, command, part

    def command(self, file):
        return [*self.words, file]


class Peers:
    """What is measured, and what is installed of the programs to be compared with."""

    def __init__(self, audit, baseline, stages, work):
        self.audit, self.baseline, self.stages, self.work = audit, baseline, stages, work
        self.versions, self.missing = [], []

    def ours(self, threads):
        return Tool(f"**chess-audit, {threads} thread{'s' * (threads > 1)}**",
                    [self.audit, "check", "--no-config", "--quiet", "--fail-on", "never", "--threads", threads, "-o", self.work / "report"])

    def bare(self, name, kind, threads):
        return Tool(name, [self.baseline, kind, threads])

    def script(self, name, text):
        place = self.work / name
        place.write_text(text)
        return place

    def found(self, name, program, how):
        place = shutil.which(program)
        if not place:
            self.missing.append(name)
            say(f"{name} is not installed and left out ({how})")
        return place

    def for_games(self):
        tools = []
        if program := self.found("pgn-extract", "pgn-extract", "apt-get install pgn-extract"):
            told = subprocess.run([program, "--version"], text=True, capture_output=True)
            self.versions.append((told.stdout + told.stderr).split("\n")[0].replace(" v", " ").replace("-", ".").replace("pgn.", "pgn-"))
            tools.append(Tool("pgn-extract, `-r -s`", [program, "-r", "-s"]))
        if program := self.found("Scid", "tkscid", "apt-get install scid"):
            self.versions.append(version_of_package("scid", "Scid"))
            tools.append(Tool("Scid, import", [program, self.script("import.tcl", SCID), self.work / "scid"]))
        if program := self.found("scoutfish", "scoutfish", "https://github.com/mcostalba/scoutfish"):
            self.versions.append("scoutfish")
            tools.append(Tool("scoutfish, index", [program, "make"]))
        if self.python_chess():
            tools.append(Tool("python-chess, `read_game`", [sys.executable, self.script("games.py", PYTHON_CHESS)], 1))
        return tools

    def for_positions(self):
        if not self.python_chess():
            return []
        return [Tool("python-chess, `status`", [sys.executable, self.script("positions.py", PYTHON_CHESS_POSITIONS)], 1)]

    def python_chess(self):
        try:
            import chess
        except ImportError:
            if "python-chess" not in self.missing:
                self.missing.append("python-chess")
                say(f"python-chess is not installed and left out ({sys.executable} -m pip install chess)")
            return False
        version = f"python-chess {chess.__version__}"
        if version not in self.versions:
            self.versions.append(version)
        return True


def version_of_package(package, name):
    told = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], text=True, capture_output=True)
    found = re.search(r"\d+(\.\d+)+", told.stdout) if told.returncode == 0 else None
    return f"{name} {found[0]}" if found else name


def locked(crate):
    """The version of a crate that is built in."""
    return re.search(rf'name = "{crate}"\nversion = "([^"]*)"', (ROOT / "Cargo.lock").read_text())[1]


def machine():
    model = next((line.split(":")[1].strip() for line in lines_of("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    memory = next((int(line.split()[1]) >> 20 for line in lines_of("/proc/meminfo") if line.startswith("MemTotal")), 0)
    rust = output("rustc", "--version").split()[1]
    return f"{model}, {os.cpu_count()} processors, {memory} GiB, {platform.system()} {platform.release().split('-')[0]}, Rust {rust}"


def others_run():
    """Whether processors work although nothing is asked of them here."""
    def ticks():
        return [int(number) for number in lines_of("/proc/stat")[0].split()[1:8]] if lines_of("/proc/stat") else [0, 0, 0, 1]
    before = ticks()
    time.sleep(3)
    spent = [after - earlier for earlier, after in zip(before, ticks())]
    return sum(spent) > 0 and spent[3] / sum(spent) < 0.9


def lines_of(path):
    try:
        return pathlib.Path(path).read_text().splitlines()
    except OSError:
        return []


# --- inputs ------------------------------------------------------------------------------------------------------------------


class Text:
    """A file to be read, made of whole records of another one until it is large enough."""

    def __init__(self, name, path, records):
        self.name, self.path, self.records = name, path, records
        self.size = path.stat().st_size

    def sized(self, megabytes):
        """The same with so many MB."""
        path = self.path.with_name(f"{megabytes}-{self.path.name}")
        if not path.exists():
            repeat(self.records, path, megabytes * MB)
        return Text(self.name, path, self.records)


def repeat(records, path, size):
    with open(path, "wb") as out:
        while (missing := size - out.tell()) > 0:
            part = records if missing >= len(records) else records[: ends_record(records, missing)]
            if not part:
                break
            out.write(part)


def ends_record(text, before):
    """Where the last record ends that does so before a place: a game before the next one's tags, a position at its line's end."""
    if not text.startswith(b"["):
        return text.rfind(b"\n", 0, before) + 1
    ends = [text.rfind(blank + b"[Event ", 0, before) + len(blank) for blank in (b"\n\n", b"\r\n\r\n")]
    return max((end for end in ends if end > 4), default=0)


def texts(files, work, size, make):
    """Inputs of so many MB from these files, or made of nothing."""
    if not files:
        made = work / "made"
        made.write_bytes(make())
        files = [made]
    inputs = []
    for file in files:
        text = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
        records = text[: ends_record(text, len(text))] or text
        path = work / f"{file.stem}{file.suffix}"
        repeat(records, path, size * MB)
        inputs.append(Text(re.sub(r"(_\d+k|_v\d+|_\d+\.\d+|sfbook_)", "", file.stem), path, records))
    return inputs


# --- measuring ---------------------------------------------------------------------------------------------------------------


def hyperfine(commands, work, runs, warmup):
    """The time of the fastest run of each command, in seconds."""
    place = work / "hyperfine.json"
    quoted = [shlex.join(map(str, command)) for command in commands]
    done = subprocess.run(["hyperfine", "-N", "--style", "none", "--warmup", str(warmup), "--runs", str(runs), "--export-json", place,
                           *quoted], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [result["min"] for result in json.loads(place.read_text())["results"]]


def rounds(text, fast, slow, work, count, runs=3):
    """Speeds in bytes a second of each tool in each round."""
    speeds = {tool.name: [] for tool in fast + slow}
    for number in range(count):
        say(f"{text.name}, {text.size / MB:.0f} MB: round {number + 1} of {count}")
        for tools, times, warmup in [(fast, runs, runs // 3), (slow, 1, 0)]:
            if not tools:
                continue
            parts = [text.sized(tool.part) if tool.part and tool.part * MB < text.size else text for tool in tools]
            fastest = hyperfine([tool.command(part.path) for tool, part in zip(tools, parts)], work, times, warmup)
            for tool, part, took in zip(tools, parts, fastest):
                speeds[tool.name].append(part.size / took)
    return speeds


def ratio(speeds, name, other):
    return statistics.median(a / b for a, b in zip(speeds[name], speeds[other]))


def figure(value):
    """Three significant digits at most."""
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}" if value >= 0.0995 else f"{value:.2g}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def compared(inputs, units, unit, tools, slow, work, count):
    """A table of tools, the first of which is the baseline, on these inputs."""
    measured = [rounds(text, tools, slow, work, count) for text in inputs]
    base = tools[0].name
    head = [""] + [f"{text.name}, {text.size / MB:.0f} MB, {number / 1e6:.2f} M {unit}" for text, number in zip(inputs, units)]
    rows = []
    for tool in tools + slow:
        cells = []
        for text, number, speeds in zip(inputs, units, measured):
            speed = statistics.median(speeds[tool.name])
            cells.append(f"**{figure(ratio(speeds, tool.name, base))}** · {figure(speed / MB)} MB/s · {figure(speed * number / text.size / 1e6)} M/s")
        rows.append([tool.name, *cells])
    return table(head, rows), measured


def games(peers, inputs, options):
    bare = [peers.bare("**pgn-reader and shakmaty, bare replay**", "games", 1), peers.bare("the same in chunks, 2 threads", "games", 2)]
    ours = [peers.ours(1), peers.ours(2)]
    slow = peers.for_games()
    plies = [int(output(*bare[0].command(text.path))) for text in inputs]
    written, measured = compared(inputs, plies, "plies", bare + ours, slow, peers.work, options.rounds)
    notes = [f"Two threads are {spread(measured, *ours)} times as fast as one. In the bare replay they are {spread(measured, *bare)} times as fast."]
    notes += [f"On one thread chess-audit is {spread(measured, tool, ours[0])} times as fast as `pgn-extract -r -s`."
              for tool in slow if tool.name.startswith("pgn-extract")]
    path = peers.work / "broken-few.pgn"
    make(peers.stages, "broken", options.size * MB // 5, path)
    broken = rounds(Text("broken games", path, b""), bare[:1] + ours, [], peers.work, options.rounds)
    notes.append(f"Games that break ten rules each, with a row in the report for every finding, are audited at "
                 f"**{figure(ratio(broken, ours[0].name, bare[0].name))}** times the speed of the baseline on one thread, "
                 f"and **{figure(ratio(broken, ours[1].name, bare[0].name))}** times on two.")
    return written + "\n\n" + " ".join(notes)


def spread(measured, slower, faster):
    """The speed of a tool relative to another one, as a range over all inputs."""
    ratios = sorted(ratio(speeds, faster.name, slower.name) for speeds in measured)
    low, high = figure(ratios[0]), figure(ratios[-1])
    return low if low == high else f"{low} to {high}"


def positions(peers, inputs, options):
    bare = [peers.bare("**shakmaty, `Fen` and `into_position`**", "positions", 1), peers.bare("the same in chunks, 2 threads", "positions", 2)]
    ours = [peers.ours(1), peers.ours(2)]
    count = [int(output(*bare[0].command(text.path))) for text in inputs]
    return compared(inputs, count, "positions", bare + ours, peers.for_positions(), peers.work, options.rounds)[0]


def damaged(text):
    """The same games, with a wrong rank in a piece's move of every tenth one."""
    numbers = random.Random(18)
    changed = []
    for place, game in enumerate(re.split(rb"(?=^\[Event )", text, flags=re.M)):
        moves = list(re.finditer(rb"\b[NBRQK][a-h]?[1-8]?x?[a-h]([1-8])", game)) if place % 10 == 0 else []
        if moves:
            at = numbers.choice(moves).start(1)
            rank = (game[at] - ord("1") + numbers.randint(1, 7)) % 8 + ord("1")
            game = game[:at] + bytes([rank]) + game[at + 1 :]
        changed.append(game)
    return b"".join(changed)


def with_ids(lines, number):
    """The same lines, with ids that have this number; without a number, lines without ids."""
    return re.sub(rb'id "([^"]*)"; ', b"" if number is None else rb'id "\g<1>.%d"; ' % number, lines)


def input_of_kind(kind, file, corpora, work, size):
    """What is read, its size in bytes, and whether it was repeated. A folder has games in files of their own."""
    source = corpora / SOURCES.get(kind, file)
    text = source.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if kind == "files":
        folder = work / "files"
        folder.mkdir()
        games = re.split(rb"(?=^\[Event )", text[: size * MB], flags=re.M)[1:FILES + 1]
        for number, game in enumerate(games):
            (folder / f"{number}.pgn").write_bytes(game)
        return folder, sum(map(len, games)), False
    if kind == "damaged":
        text = damaged(text[: ends_record(text, size * MB)])
    elif kind == "operations":
        text = with_ids(text, None)
    elif kind == "ids":
        path = work / "ids.epd"
        path.write_bytes(b"".join(with_ids(text, number) for number in range(size * MB // len(text))))
        return path, path.stat().st_size, True
    # The header of a table comes once.
    head = text[: text.index(b"\n") + 1] if source.suffix == ".csv" else b""
    path = work / f"kind-{kind}{source.suffix}"
    end = ends_record(text, len(text))
    most = len(text) if kind == "damaged" else min(size * MB, 1000 * len(text))
    if kind == "copies":
        # Games that are repeated would all be copies.
        most = end
    repeat(text[len(head) : end] or text, path, most)
    path.write_bytes(head + path.read_bytes())
    return path, path.stat().st_size, path.stat().st_size > len(text)


def kinds(peers, corpora, options):
    """What other records take than plain games: beside the bare replay where that can read them, and for each unit."""
    rows, places = [], {}
    for name, file, more in KINDS:
        kind = file if "/" not in file else pathlib.Path(file).stem
        if not (corpora / SOURCES.get(kind, file)).is_file():
            continue
        if kind not in places:
            places[kind] = input_of_kind(kind, file, corpora, peers.work, options.size)
        path, size, repeated = places[kind]
        ours = [peers.ours(threads).command(path) + more for threads in (1, 2)]
        suffix = pathlib.Path(SOURCES.get(kind, file)).suffix
        replays = suffix != ".csv" and kind != "files"
        bare = [[peers.baseline, "positions" if suffix == ".epd" else "games", 1, path]] if replays else []
        took = []
        for number in range(options.rounds):
            say(f"{name}: round {number + 1} of {options.rounds}")
            took.append(hyperfine([*ours, *bare], peers.work, 2, 1))
        totals = json.loads((peers.work / "report/run.json").read_text())["totals"]
        units, unit = next((totals[unit], unit) for unit in ("plies", "positions") if totals[unit] and (unit == "plies") == (suffix != ".csv" and suffix != ".epd"))
        if kind == "files":
            units, unit = totals["inputs"], "files"
        one, two = (statistics.median(seconds[at] for seconds in took) for at in (0, 1))
        against = figure(statistics.median(seconds[2] / seconds[0] for seconds in took)) if replays else ""
        both = figure(statistics.median(seconds[2] / seconds[1] for seconds in took)) if replays else ""
        rows.append([name, f"{size / MB:.0f} MB" + (", repeated" if repeated else ""), against, both,
                     f"{figure(units / one / 1e6)} M {unit}/s", figure(one / two)])
    return table(["", "input", "1 thread, bare replay = 1", "2 threads", "1 thread", "2 threads relative to one"], rows)


def scaling(peers, inputs, options):
    """How time shrinks with a second thread, and grows with size."""
    text, work = inputs[0], peers.work
    ours = [peers.ours(1), peers.ours(2)]
    bare = [peers.bare("bare 1", "games", 1), peers.bare("bare 2", "games", 2)]
    one_game = text.path.with_name("one-game.pgn")
    one_game.write_bytes(text.records[: ends_record(text.records, text.records.find(b"[Event ", 1) + 7)])
    startup = hyperfine([ours[0].command(one_game)], work, 60, 5)[0]

    large = text.sized(options.size * 5)
    speeds = rounds(large, bare + ours, [], work, options.rounds, runs=1)
    large.path.unlink()
    # Whatever else runs takes the second thread's processor first: the fastest runs of all rounds are the fairest.
    faster = [[name, figure(max(speeds[two.name]) / max(speeds[one.name]))]
              for name, (one, two) in [("chess-audit", ours), ("bare replay in chunks", bare)]]

    sizes = [text.sized(size) for size in (options.size // 10, options.size * 3 // 10, options.size, options.size * 3, options.size * 10)]
    took = {(tool.name, part.size): [] for tool in ours for part in sizes}
    for number in range(options.rounds):
        say(f"sizes: round {number + 1} of {options.rounds}")
        for part in sizes:
            runs = max(2, min(10, 300 * MB // part.size))
            for tool, seconds in zip(ours, hyperfine([tool.command(part.path) for tool in ours], work, runs, 1)):
                took[tool.name, part.size].append(seconds)
    grown = []
    for tool in ours:
        times = [min(took[tool.name, part.size]) for part in sizes]
        # What starting up takes would make small inputs look slow, and the growth less than it is.
        slope = exponent([part.size for part in sizes], [seconds - startup for seconds in times])
        grown.append([tool.name, *(f"{1000 * seconds:.0f} ms" for seconds in times), f"{slope:.3f}"])
    for part in sizes:
        part.path.unlink()
    return "\n\n".join([
        table([f"{large.name}, {large.size / MB:.0f} MB", "speed of two threads relative to one"], faster),
        table(["", *(f"{part.size / MB:.0f} MB" for part in sizes), "exponent"], grown),
        f"Starting the program and auditing one game takes {1000 * startup:.1f} ms. The exponents do not include this time.",
    ])


def exponent(sizes, times):
    """The slope of time over size, both as logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(seconds) for seconds in times]
    return statistics.linear_regression(x, y).slope


def packed(peers, inputs, options):
    """Packed inputs beside the same text as it is: the one that repeats itself least, as packing is quick to notice that."""
    text, work = max(inputs, key=lambda text: len(text.records)), peers.work
    plain = text.path.read_bytes()
    part = len(plain) // 16 + 1
    frame = lambda some: subprocess.run(["zstd", "-q", "-c"], input=some, check=True, capture_output=True).stdout
    ways = [("zstd, one frame", frame), ("zstd, 16 frames", lambda all: b"".join(frame(all[at : at + part]) for at in range(0, len(all), part))),
            ("gzip", lambda all: gzip.compress(all, 6)), ("bzip2", bz2.compress),
            ("xz", lambda all: lzma.compress(all, preset=1))]
    files = [("not compressed", text.path)]
    for name, pack in ways:
        say(f"packing: {name}")
        files.append((name, work / f"{text.path.name}.{len(files)}"))
        files[-1][1].write_bytes(pack(plain))
    commands = [tool.command(path) for _, path in files for tool in (peers.ours(1), peers.ours(2))]
    took = [math.inf] * (len(commands) + 1)
    for number in range(options.rounds):
        say(f"packed: round {number + 1} of {options.rounds}")
        took = list(map(min, took, hyperfine([*commands, ["zstd", "-q", "-d", "-c", files[1][1]]], work, 2, 1)))
    seconds = list(zip(took[0::2], took[1::2]))
    rows = [[name, f"{path.stat().st_size / MB:.0f} MB", f"{1000 * one:.0f} ms", f"{1000 * two:.0f} ms", figure(one / two)]
            for (name, path), (one, two) in zip(files, seconds)]
    one_after_the_other = took[-1] + seconds[0][0]
    return "\n\n".join([
        table([f"{text.name}, {text.size / MB:.0f} MB", "size", "1 thread", "2 threads", "ratio"], rows),
        f"On two threads, one frame takes {figure(seconds[1][1] / one_after_the_other)} of the time of `zstd -dc` followed by an audit of the text on one "
        "thread.",
    ])


# --- memory ------------------------------------------------------------------------------------------------------------------


def private_memory(command):
    """The most private memory seen while a command runs, in MiB."""
    most = 0
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as process:
        status = pathlib.Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            if found := re.search(r"RssAnon:\s*(\d+) kB", status.read_text()):
                most = max(most, int(found[1]))
            time.sleep(0.002)
        if process.returncode:
            sys.exit(f"{command} failed")
    return most / 1024


def memory(peers, inputs, lines, options):
    broken = peers.work / "broken.pgn"
    make(peers.stages, "broken", options.size * MB, broken)
    texts = [(f"clean games, {options.size} MB", inputs[0].path), (f"the same, {options.size * 10} MB", inputs[0].sized(options.size * 10).path),
             (f"positions, {options.size} MB", lines[0].path), (f"games that break ten rules each, {options.size} MB", broken)]
    rows = []
    for name, path in texts:
        say(f"memory: {name}")
        rows.append([name, *(f"{private_memory(peers.ours(threads).command(path)):.0f} MiB" for threads in (1, 2, 8))])
    return table(["peak of private memory", "1 thread", "2 threads", "8 threads"], rows)


# --- instruction counts ------------------------------------------------------------------------------------------------------


def make(stages, kind, size, path):
    with open(path, "wb") as out:
        subprocess.run([stages, "make", kind, str(size)], check=True, stdout=out)


def instructions(command, work):
    """Instructions that a command takes, and what it prints: the number of its units."""
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={work}/callgrind.out", *map(str, command)],
                          check=True, text=True, capture_output=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]), int(done.stdout)


def counts(baseline, stages, work):
    """What the stages take for a unit: the instructions of doing the work three times less those of doing it once."""
    counted = [("the baseline: bare replay", "ply", "games", lambda file: [baseline, "games", 1, file]),
               ("the baseline: positions set up", "position", "positions", lambda file: [baseline, "positions", 1, file])]
    for line in output(stages).splitlines():
        name, unit, kind = line.split("\t")
        counted.append((name, unit, kind, lambda file, name=name: [stages, name, file]))
    rows, made = [], {}
    for name, unit, kind, command in counted:
        say(f"counting: {name}")
        if kind not in made:
            made[kind] = work / f"counted-{kind}"
            make(stages, kind, 400_000, made[kind])
        once, units = instructions([*command(made[kind]), 1], work)
        thrice, _ = instructions([*command(made[kind]), 3], work)
        rows.append([name, f"{(thrice - once) / 2 / units:,.0f}", unit])
    return table(["stage", "instructions", "per"], rows)


# --- the whole ---------------------------------------------------------------------------------------------------------------


def publish(part, text, print_only):
    """Prints what was measured, or writes it to its section of benches/README.md."""
    if print_only:
        print(f"{text}\n", flush=True)
        return
    readme = ROOT / "benches/README.md"
    opening, closing = f"<!-- peers: {part} -->\n", f"<!-- /peers: {part} -->"
    before, rest = readme.read_text().split(opening)
    _, after = rest.split(closing)
    readme.write_text(f"{before}{opening}\n{text}\n\n{closing}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE", help="PGN files to be repeated to the size")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure, separated by commas: %(default)s")
    parser.add_argument("--size", type=int, default=100, help="MB that an input is repeated to (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="how often all commands are run in turn (%(default)s)")
    parser.add_argument("--print", action="store_true", help="print the tables and leave benches/README.md alone")
    options = parser.parse_args()
    parts = options.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}")
    # Where Debian has its chess programs.
    os.environ["PATH"] += os.pathsep + "/usr/games"
    if set(parts) - {"counts"} and not shutil.which("hyperfine"):
        sys.exit("hyperfine is not installed (apt-get install hyperfine, or cargo install hyperfine)")
    if "counts" in parts and not shutil.which("valgrind"):
        sys.exit("valgrind is not installed (apt-get install valgrind); without it: --parts " + ",".join(PARTS[:-1]))
    audit, baseline, stages = build()
    if busy := others_run():
        say("other programs are running, which makes two threads look slower than they are")
    with tempfile.TemporaryDirectory(prefix="chess-audit-peers-") as folder:
        work = pathlib.Path(folder)
        peers = Peers(audit, baseline, stages, work)
        corpora = os.environ.get("CHESS_AUDIT_CORPORA")
        here = lambda names: [file for name in names if corpora and (file := pathlib.Path(corpora) / name).is_file()]
        inputs = lines = None
        if set(parts) & {"games", "scaling", "packed", "memory"}:
            inputs = texts(options.files or here(GAMES), work, options.size, lambda: output(stages, "make", "games", 8 * MB).encode())
        if set(parts) & {"positions", "memory"}:
            lines = texts(here(POSITIONS), work, options.size, lambda: output(stages, "make", "positions", 8 * MB).encode())
        if "games" in parts:
            publish("games", games(peers, inputs, options), options.print)
        if "positions" in parts:
            publish("positions", positions(peers, lines, options), options.print)
        if "kinds" in parts:
            if corpora:
                publish("kinds", kinds(peers, pathlib.Path(corpora), options), options.print)
            else:
                say("CHESS_AUDIT_CORPORA is not set: kinds of records are left out")
        if "scaling" in parts:
            publish("scaling", scaling(peers, inputs, options), options.print)
        if "packed" in parts:
            if shutil.which("zstd"):
                publish("packed", packed(peers, inputs, options), options.print)
            else:
                say("zstd is not installed: packed inputs are left out (apt-get install zstd)")
        if "memory" in parts:
            publish("memory", memory(peers, inputs, lines, options), options.print)
        if "counts" in parts:
            publish("counts", counts(baseline, stages, work), options.print)
        if "games" in parts or "positions" in parts:
            versions = [f"pgn-reader {locked('pgn-reader')}", f"shakmaty {locked('shakmaty')}", *peers.versions]
            left_out = f" Not installed and left out: {', '.join(peers.missing)}." if peers.missing else ""
            warning = " Other programs were running, which makes two threads look slower than they are." if busy else ""
            publish("machine", f"Measured on {datetime.date.today()}: {machine()}; {', '.join(versions)}.{left_out}{warning}", options.print)


if __name__ == "__main__":
    main()
