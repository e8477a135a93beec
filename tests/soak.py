#!/usr/bin/env python3
"""Streams many games and positions through chess-audit, and checks memory, counts and reports.

    tests/soak.py                     200 MB, as continuous integration does
    tests/soak.py --bytes 20G         more; nothing is stored but the reports
    tests/soak.py --threads 1,4       the numbers of threads whose reports must be the same

Good, damaged and numbered records are written to a pipe, over and over: games, positions, a table,
and packed games. Each kind is read once for each number of threads. For each of them,

* the counts are those of one part of the text, times the number of parts;
* memory at the end is what it was halfway, and within 64 MiB and 16 MiB for each thread;
* the reports are the same byte for byte.

Needs Python 3.10, Linux, and a release build of chess-audit.
"""

import argparse
import bz2
import collections
import csv
import gzip
import hashlib
import json
import lzma
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIB = 1 << 20
# Text is written in parts of about this size.
PART = 4_000_000
# The program itself, which is mapped and not private.
PROGRAM = 24 * MIB
# What memory may grow in the second half: allocators return it late.
GROWTH = 8 * MIB
# Stands for a number of eight digits, another one in each part.
NUMBER = b"#NUMBER#"

MOVES = """1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7
11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6
20. Nbd2 Nxd6 21. Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7 27. Qe3 Qg5 1-0"""

GAME = f"""[Event "Soak {NUMBER.decode()}"]
[Site "?"]
[Date "2024.01.02"]
[Round "1"]
[White "A {NUMBER.decode()}"]
[Black "B"]
[Result "1-0"]

{MOVES}

"""

# What is changed in a game to damage it. Each of them leaves the next game as it is.
DAMAGES = [
    ("5. O-O", "5. O-O-O"),
    ("17. dxe5", "17. dxe6"),
    ('[Black "B"]', "[Black B]"),
    ("12. cxb5", "12. cxb5 { never closed"),
    ("12. cxb5", "12. cxb5 (12. d5 (12. Nc3"),
    (" 1-0\n", "\n"),
    ("8. c3", "8. c3 \x00\x07 ) } ]"),
    ("26. Qxe1", "25. Qxe1"),
    ('[Result "1-0"]', '[Result "0-1"]'),
    ("A #NUMBER#", "J\udcfcrgen \ufffd #NUMBER#"),
]

POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    f'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "{NUMBER.decode()}";',
    "8/2r5/8/5k2/8/8/5K2/8 b - - 53 68",
    "4k3/8/8/8/8/8/8/4K2R w KQ - 0 40",
    "8/8/8/44/8/8/8/kK6 W - e3 0 0 x",
    "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5; D1 6;",
]


def texts(name):
    """The games or positions of a folder of the fixtures, in UTF-8 with LF, so that any of them can follow another."""
    for path in sorted((ROOT / "fixtures/conformance/collections").glob(name)):
        data = path.read_bytes()
        if b"\r" not in data:
            yield data.rstrip() + b"\n\n"


def games():
    game = GAME.encode()
    damaged = [GAME.replace(*damage).encode("utf-8", "surrogateescape") for damage in DAMAGES]
    # A file whose last game has no marker is followed by another one all the same.
    others = [text for text in texts("*.pgn") if text.rstrip().endswith((b"1-0", b"0-1", b"1/2-1/2", b"*"))]
    return b"".join([game * 40] + [game * 15 + one for one in damaged] + others)


def positions():
    lines = "".join(line + "\n" for line in POSITIONS[:2] * 40 + POSITIONS).encode()
    return lines + b"".join(text.strip() + b"\n" for text in texts("endgames.epd"))


def table():
    row = f"{NUMBER.decode()},r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4,f3g5 d7d5 e4d5,x\n"
    wrong = f"{NUMBER.decode()},4k3/8/8/8/8/8/4P3/4K3 w - - 0 40,e2e5,y\n"
    return (row * 19 + wrong).encode()


class Kind:
    """A kind of input: one part of its text, what comes before all parts, and how it is packed."""

    def __init__(self, name, share, unit, head=b"", pack=None, suffix="pgn"):
        self.name, self.share, self.head, self.suffix = name, share, head, suffix
        self.part = unit * max(1, PART // len(unit))
        self.packed = pack(self.part) if pack else None
        self.places = [match.start() for match in re.finditer(NUMBER, self.part)]

    def numbered(self, number):
        """The part with its number in every hundredth place."""
        if self.packed is not None:
            return self.packed
        part = bytearray(self.part)
        for place in self.places[:: max(1, len(self.places) // 100)]:
            part[place : place + len(NUMBER)] = b"%08d" % number
            number = (number + 7919) % 100_000_000
        return part


def kinds():
    return [
        Kind("games", 40, games()),
        Kind("positions", 30, positions(), suffix="epd"),
        Kind("table", 5, table(), head=b"Id,FEN,Moves,Note\n", suffix="csv"),
        Kind("gzip", 15, games(), pack=lambda part: gzip.compress(part, 6, mtime=0)),
        Kind("bzip2", 5, games(), pack=bz2.compress),
        Kind("xz", 5, games(), pack=lambda part: lzma.compress(part, preset=1)),
    ]


class Run:
    """An audit of a number of parts from a pipe."""

    def __init__(self, program, kind, parts, threads, folder):
        report = pathlib.Path(folder) / f"{kind.name}-{parts}-{threads}"
        command = [program, "check", "-", "--no-config", "--quiet", "--no-html", "--fail-on", "never",
                   "--max-rows", "1000", "--threads", str(threads), "-o", report]
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
        self.halfway = 0
        try:
            process.stdin.write(kind.head)
            for number in range(parts):
                if number == parts // 2:
                    self.halfway = peak(process.pid)
                process.stdin.write(kind.numbered(number))
            process.stdin.close()
        except BrokenPipeError:
            pass
        # What the kernel says after the end includes this script, of which the process is a copy at first.
        self.peak = self.halfway
        while process.poll() is None:
            self.peak = max(self.peak, peak(process.pid))
            time.sleep(0.005)
        if process.returncode != 0:
            sys.exit(f"{kind.name}: chess-audit ended with {process.returncode}")
        self.seconds = time.monotonic() - start
        self.totals = json.loads((report / "run.json").read_text())["totals"]
        with open(report / "summary.csv", newline="") as rows:
            self.rules = collections.Counter()
            for row in csv.DictReader(rows):
                self.rules[row["rule"]] += int(row["findings"] or 0)
        self.digest = digest(report)


def peak(process):
    """The peak of the memory of a process so far, in bytes; 0 if it has ended."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    # A process that has just ended has no memory.
    highest = re.search(r"VmHWM:\s*(\d+) kB", status)
    return int(highest[1]) * 1024 if highest else 0


def digest(report):
    """The names and contents of the files of a report."""
    digest = hashlib.sha256()
    for path in sorted(report.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


COUNTS = ["bytes", "games", "positions", "plies", "plies_not_examined", "failures"]
# Rules that report every place in an input, however many there are.
RULES = ["MOV01"]


def soak(program, kind, size, threads, folder):
    parts = max(2, size // len(kind.part))
    one = Run(program, kind, 1, 1, folder)
    runs = [Run(program, kind, parts, number, folder) for number in threads]
    head = len(kind.head)
    for run, number in zip(runs, threads):
        for count in COUNTS:
            single = one.totals[count] - head * (count == "bytes")
            expected = single * parts + head * (count == "bytes")
            if run.totals[count] != expected:
                sys.exit(f"{kind.name}, {number} threads: {run.totals[count]} {count} instead of {expected}")
        for rule in RULES:
            if run.rules[rule] != one.rules[rule] * parts:
                sys.exit(f"{kind.name}, {number} threads: {run.rules[rule]} times {rule} instead of {one.rules[rule] * parts}")
        bound = (64 + 16 * number) * MIB + PROGRAM
        if run.peak > bound:
            sys.exit(f"{kind.name}, {number} threads: {run.peak // MIB} MiB of memory, more than {bound // MIB} MiB")
        # Of little text, half of it does not fill what is in flight.
        if parts >= 16 and run.peak > run.halfway + GROWTH:
            sys.exit(f"{kind.name}, {number} threads: memory grew from {run.halfway // MIB} to {run.peak // MIB} MiB")
        speed = run.totals["bytes"] / run.seconds / 1e6
        print(f"{kind.name:10} {number} threads: {run.totals['bytes'] / 1e6:9,.0f} MB, {run.totals['games']:11,} games, "
              f"{run.totals['positions']:12,} positions, {sum(run.rules.values()):12,} findings, "
              f"{run.halfway / MIB:4.0f} MiB halfway, {run.peak / MIB:4.0f} MiB at the end, {speed:5.0f} MB/s", flush=True)
    if len({run.digest for run in runs}) != 1:
        sys.exit(f"{kind.name}: the reports of {threads} threads differ")


def size(text):
    """A number of bytes, such as 200M or 20G."""
    match = re.fullmatch(r"(\d+)([kMG]?)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"`{text}` is not a size such as 200M or 20G")
    return int(match[1]) * {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}[match[2]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=size, default="200M", help="the text of all kinds together, read once per number of threads")
    parser.add_argument("--threads", default="1,2", help="numbers of threads")
    parser.add_argument("--program", default=ROOT / "target/release/chess-audit", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.program.is_file():
        sys.exit(f"`{arguments.program}` does not exist; run `cargo build --release` first, or use --program")
    threads = [int(number) for number in arguments.threads.split(",")]
    all_kinds = kinds()
    shares = sum(kind.share for kind in all_kinds)
    with tempfile.TemporaryDirectory() as folder:
        for kind in all_kinds:
            soak(arguments.program, kind, arguments.bytes * kind.share // shares, threads, folder)
    print("soak: passed")


if __name__ == "__main__":
    main()
