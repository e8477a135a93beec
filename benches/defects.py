#!/usr/bin/env python3
"""Compares what programs report about defective games and positions, and writes two tables of benches/README.md.

    benches/defects.py              builds chess-audit, runs everything, updates benches/README.md
    benches/defects.py --print      prints the tables instead
    benches/defects.py --list       also prints the outcome of every defect and program

Games: every defect below is a game of its own, between two good games in a file. A program locates the
defect if it names the game or one of its lines. Positions: labelled lists in the folder that
CHESS_AUDIT_CORPORA names. Needs Python 3.10 and cargo; programs that are not installed are left out.
"""

import argparse
import csv
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAGS = {"Event": "Defective", "Site": "?", "Date": "2020.01.01", "Round": "2", "White": "C", "Black": "D"}
FIRST = ("First", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 a6")
LAST = ("Last", "1. d4 d5 2. c4 dxc4 3. e3 b5", "d4 d5 c4 dxc4 e3 b5")
SCID = """
set place [lindex $argv 0]
foreach file [glob -nocomplain $place.*] { file delete $file }
sc_base create SCID4 $place
puts [lindex [sc_base import [sc_base current] [lindex $argv 1]] 1]
puts "=== games"
set count [sc_base numGames [sc_base current]]
for {set number 1} {$number <= $count} {incr number} { sc_game load $number; puts [sc_game pgn] }
sc_base close [sc_base current]
exit
"""


def game(moves, result="1-0", marker=None, **tags):
    """A game with these moves, and with other tags than usual; a tag that is None is left out."""
    pairs = {**TAGS, "Result": result, **tags}
    header = "".join(f'[{name} "{value}"]\n' for name, value in pairs.items() if value is not None)
    return f"{header}\n{moves} {marker if marker is not None else result}".rstrip() + "\n\n"


def position(fen, moves="1. Kd2", marker="*", **tags):
    return game(moves, marker, SetUp="1", FEN=fen, **tags)


OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"
PAWN_ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
DEFECTS = {
    # Structure
    "comment that is never closed": game("1. e4 e5 2. Nf3 { a good move 2... Nc6"),
    "variation that is never closed": game("1. e4 e5 2. Nf3 (2. Nc3 Nc6 2... Nc6"),
    "`)` without `(`": game("1. e4 e5 2. Nf3 ) 2... Nc6"),
    "`}` without `{`": game("1. e4 e5 2. Nf3 } 2... Nc6"),
    "tag value without closing quote": game(OPENING).replace('"?"', '"?'),
    "tag pair without closing bracket": game(OPENING).replace('"?"]', '"?"'),
    "unknown token among the moves": game("1. e4 e5 2. Nf3 Zz9 Nc6"),
    "termination marker missing": game(OPENING, marker=""),
    "text between tag pairs": game(OPENING).replace("[Date", "played in the club\n[Date"),
    "blank line among the moves": game("1. e4 e5\n\n2. Nf3 Nc6"),
    "two termination markers": game(OPENING, marker="1-0 0-1"),
    "control character among the moves": game("1. e4 e5 2. Nf3 \x01 Nc6"),
    # Tags
    "required tag missing": game(OPENING, Round=None),
    "tag given twice": game(OPENING).replace('[Black "D"]', '[White "D"]\n[Black "D"]'),
    "impossible date": game(OPENING, Date="2021.02.30"),
    "Result tag that is not a result": game(OPENING, result="2-0", marker="1-0"),
    "Result tag and marker differ": game(OPENING, result="0-1", marker="1-0"),
    "Elo that is not a number": game(OPENING, WhiteElo="abc"),
    "impossible Elo": game(OPENING, WhiteElo="9999"),
    "impossible ECO code": game(OPENING, ECO="Z99"),
    "wrong PlyCount": game(OPENING, PlyCount="6"),
    "FEN without SetUp": game("1. Kd2", "*", FEN=PAWN_ENDING),
    "SetUp without FEN": game(OPENING, SetUp="1"),
    # Moves
    "illegal move": game("1. e4 e5 2. Ke3 Nc6"),
    "ambiguous move": game("1. d4 d5 2. Nf3 Nf6 3. Nd2 Nbd7"),
    "promotion piece missing": position("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1. a8 Kg7"),
    "castling through check": position("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "1. O-O Kd7"),
    "castling after the king moved": game("1. e4 e5 2. Nf3 Nc6 3. Be2 Nf6 4. Kf1 d6 5. Ke1 Be7 6. O-O O-O"),
    "move of a pinned piece": game("1. e4 e6 2. d4 Bb4+ 3. Nc3 Nf6 4. Nd5 exd5"),
    "move after checkmate": game("1. f3 e5 2. g4 Qh4# 3. a3 a6", "0-1"),
    "null move": game("1. e4 e5 2. -- Nc6"),
    "castling with zeros": game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 Nf6"),
    "superfluous disambiguation": game("1. e4 e5 2. Ngf3 Nc6"),
    "`+` missing": game("1. e4 e5 2. Qh5 Nc6 3. Qxf7 Kxf7"),
    "`+` without check": game("1. e4 e5 2. Nf3+ Nc6"),
    "`#` missing": game("1. f3 e5 2. g4 Qh4+", "0-1"),
    "`#` without checkmate": game("1. e4 e5 2. Qh5 Nc6 3. Qxf7# Kxf7"),
    "`x` missing": game("1. e4 d5 2. ed5 Qxd5"),
    "`x` without capture": game("1. e4 e5 2. Nxf3 Nc6"),
    "lowercase piece letter": game("1. e4 e5 2. nf3 Nc6"),
    "long algebraic notation": game("1. e2e4 e5 2. Nf3 Nc6"),
    "wrong move number": game("1. e4 e5 3. Nf3 Nc6"),
    "move number of the wrong side": game("1. e4 e5 2... Nf3 Nc6"),
    # Results and positions
    "checkmate recorded as a draw": game("1. f3 e5 2. g4 Qh4#", "1/2-1/2"),
    "stalemate recorded as a win": position("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "1. Qf7", "1-0"),
    "position with two white kings": position("4k3/8/8/8/8/4P3/4K3/4K3 w - - 0 1", "1. Kd3"),
    "castling right without its rook": position("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1"),
    "en passant square without its pawn": position("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1"),
    "side not to move is in check": position("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"),
    "board with seven ranks": position("4k3/8/8/8/8/4P3/4K3 w - - 0 1", "1. Kd3"),
    # Annotations
    "NAG above 255": game("1. e4 $300 e5 2. Nf3 Nc6"),
}


def good(entry, number):
    name, moves, _ = entry
    return game(moves, Event=name, Round=str(number))


def file_with(defect):
    """A file with a defect between two good games, and the lines of the defective game."""
    before, after = good(FIRST, 1), good(LAST, 3)
    first = before.count("\n") + 1
    return before + defect + after, range(first, first + defect.rstrip().count("\n") + 2)


# --- programs ----------------------------------------------------------------------------------------


class Outcome:
    """What a program said about a file: lines and games it named, whether it said anything, the games it read."""

    def __init__(self, text, lines=(), games=(), read=()):
        self.text, self.lines, self.games, self.read = text.strip(), set(lines), set(games), list(read)

    def kind(self, lines):
        if not self.text:
            return "silent"
        return "located" if 2 in self.games or self.lines & set(lines) else "elsewhere"

    def keeps_neighbours(self):
        wanted = [(name, moves) for name, _, moves in (FIRST, LAST)]
        return all(self.read.count(entry) == 1 for entry in wanted)


def games_in(text):
    """Event and moves of each game of a plain PGN file."""
    found = []
    for part in re.split(r"(?m)^(?=\[Event )", text):
        if event := re.match(r'\[Event "(.*)"\]', part):
            moves = re.sub(r"(?m)^\[.*\]$|\{[^}]*\}", " ", part)
            found.append((event[1], " ".join(word for word in re.sub(r"\d+\.+", " ", moves).split() if word not in ("1-0", "*"))))
    return found


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=60)
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def pgn_extract(path, work):
    read, _ = run("pgn-extract", "-s", path)
    _, output = run("pgn-extract", "-r", "-s", path)
    # Its line numbers may be those of the next token. Some messages name the game by its tags.
    named = [int(line) for line in re.findall(r"(?i)line(?: number:| #)? ?(\d+)", output)]
    return Outcome(output, [*named, *(line - 1 for line in named)], [2] * ("Defective" in output), games_in(read))


def scid(path, work):
    output, _ = run("tkscid", work / "import.tcl", work / "base", path)
    messages, _, read = output.partition("=== games")
    return Outcome(messages, map(int, re.findall(r"line (\d+)", messages)), map(int, re.findall(r"\(game (\d+)", messages)), games_in(read))


def python_chess(path, work):
    import chess.pgn, logging

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    output, named, read, number = [], [], [], 0
    with open(path, encoding="utf-8", errors="replace") as games:
        while found := chess.pgn.read_game(games):
            number += 1
            if found.errors:
                output += map(str, found.errors)
                named.append(number)
            # The good games start from the starting position; others need not be replayed here.
            moves = [] if "FEN" in found.headers else [node.san() for node in found.mainline()]
            read.append((found.headers.get("Event"), " ".join(moves)))
    return Outcome("\n".join(output), (), named, read)


def chess_audit(profile):
    def audit(path, work):
        output, _ = run(program(), "check", "--no-config", "--profile", profile, "--fail-on", "never", "--format", "csv", path)
        rows = list(csv.DictReader(io.StringIO(output)))
        lines = [int(row["line"]) for row in rows]
        outcome = Outcome(" ".join(row["rule"] for row in rows), lines, [int(row["game"]) for row in rows if row["game"] == "2"])
        outcome.keeps_neighbours = lambda: set(lines) <= set(outcome.defective)
        return outcome
    return audit


def program():
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/chess-audit"


def package(name):
    output = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], text=True, capture_output=True)
    found = re.search(r"\d+[-.]\d+(\.\d+)*", output.stdout)
    return found[0] if output.returncode == 0 and found else ""


def programs():
    found = [(f"chess-audit, profile `{profile}`", chess_audit(profile)) for profile in ("standard", "strict")]
    if shutil.which("pgn-extract"):
        found.append((f"pgn-extract {package('pgn-extract').replace('-1', '')}, `-r -s`", pgn_extract))
    if shutil.which("tkscid"):
        found.append((f"Scid {package('scid')}, `sc_base import`", scid))
    try:
        import chess
        found.append((f"python-chess {chess.__version__}, `read_game`", python_chess))
    except ImportError:
        print(f"python-chess is not installed ({sys.executable} -m pip install chess)", file=sys.stderr)
    return found


# --- tables ------------------------------------------------------------------------------------------


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def games(work, show):
    (work / "import.tcl").write_text(SCID)
    path = work / "games.pgn"
    rows = []
    for name, read in programs():
        path.write_text(good(FIRST, 1) + game(OPENING) + good(LAST, 3))
        control = read(path, work)
        control.defective = []
        if control.text or not control.keeps_neighbours():
            sys.exit(f"{name} does not accept three good games: {control.text} {control.read}")
        count = {"located": 0, "elsewhere": 0, "silent": 0, "harmed": 0}
        for defect, text in DEFECTS.items():
            whole, lines = file_with(text)
            path.write_text(whole)
            outcome = read(path, work)
            outcome.defective = lines
            kind, kept = outcome.kind(lines), outcome.keeps_neighbours()
            count[kind] += 1
            count["harmed"] += not kept
            if show:
                print(f"{name}\t{defect}\t{kind}\t{'' if kept else 'harms a neighbour'}\t{outcome.text[:90]!r}")
        rows.append([name, count["located"], count["elsewhere"], count["silent"], count["harmed"]])
    head = [f"{len(DEFECTS)} defects", "located", "reported elsewhere", "not reported", "a good game lost or changed"]
    return table(head, rows)


def fens(path):
    """Lines of a list, each as a FEN and its label, if it has one."""
    for line in path.read_text().splitlines():
        fields = line.split("\t")
        if line and not line.startswith(("#", "fen")):
            yield fields[0], fields[1] if len(fields) > 1 else ""


def accused(audit, lines, work):
    """How many of these positions are reported with an error."""
    path = work / "positions.epd"
    path.write_text("".join(f"{line}\n" for line in lines))
    output, _ = run(audit, "check", "--no-config", "--select", "FEN,POS,CAS,EPS,CTR", "--fail-on", "never", "--format", "csv", path)
    return len({row["line"] for row in csv.DictReader(io.StringIO(output)) if row["severity"] == "error"})


def rejected(lines):
    """How many of these positions python-chess does not call valid."""
    import chess

    count = 0
    for line in lines:
        try:
            count += not chess.Board(line).is_valid()
        except ValueError:
            count += 1
    return count


def positions(work, corpora):
    random = list(fens(corpora / "positions/tromp_sample_labelled.tsv"))
    lists = {
        "random positions, proven illegal": [fen for fen, label in random if label == "illegal"],
        "random positions, proven legal": [fen for fen, label in random if label == "legal"],
        "positions reached by legal play": [fen for fen, _ in fens(corpora / "positions/legal_play_std.fen")],
        "positions of published proof games": [fen for fen, _ in fens(corpora / "positions/legal_published_proofgames.fen")],
    }
    import chess

    rows = [[name, len(lines), accused(program(), lines, work), rejected(lines)] for name, lines in lists.items()]
    return table(["list", "positions", "chess-audit, errors", f"python-chess {chess.__version__}, `is_valid`"], rows)


def publish(part, text):
    path = ROOT / "benches/README.md"
    opening, closing = f"<!-- peers: {part} -->\n", f"<!-- /peers: {part} -->"
    before, rest = path.read_text().split(opening)
    _, after = rest.split(closing)
    path.write_text(f"{before}{opening}\n{text}\n\n{closing}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", action="store_true", help="print the tables and leave benches/README.md alone")
    parser.add_argument("--list", action="store_true", help="print the outcome of every defect as well")
    options = parser.parse_args()
    # Where Debian installs chess programs.
    os.environ["PATH"] += os.pathsep + "/usr/games"
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory(prefix="chess-audit-defects-") as folder:
        work = pathlib.Path(folder)
        tables = {"defects": games(work, options.list)}
        corpora = os.environ.get("CHESS_AUDIT_CORPORA")
        if corpora and importlib.util.find_spec("chess"):
            tables["legality"] = positions(work, pathlib.Path(corpora))
        for part, text in tables.items():
            print(f"{text}\n") if options.print else publish(part, text)


if __name__ == "__main__":
    main()
