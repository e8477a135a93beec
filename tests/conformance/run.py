#!/usr/bin/env python3
"""Runs readers on the conformance suite, and compares what they say with fixtures/conformance/list.csv.

    tests/conformance/run.py                         every reader that is installed
    tests/conformance/run.py python-chess Scid       these readers
    tests/conformance/run.py --command 'reader -q'   a reader of your own
    tests/conformance/run.py --list                  also what each reader says about each file, as CSV
    tests/conformance/run.py --markdown              writes the table of benches/README.md

A reader is a command that is run with the name of a file. It accepts the file if it prints
nothing, and otherwise refuses it. A message that begins with a number and `:` names that line. If
the exit code is not 0, the reader has crashed. After ten seconds, it is ended.

Needs Python 3.10. What a reader needs, see fixtures/conformance/README.md.
"""

import argparse
import collections
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = ROOT / "fixtures/conformance"
READERS = pathlib.Path(__file__).resolve().parent / "readers"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
SECONDS = 10


class Reader:
    """A command, the files that it is made for, and how its messages are read."""

    def __init__(self, name, command, kinds=("pgn", "epd", "fen"), out_of_scope=(), messages=None, codes=(0,), version=""):
        self.name, self.command, self.version = name, command, version
        self.kinds, self.out_of_scope, self.codes = kinds, out_of_scope, codes
        self.messages = messages or (lambda output, errors: output.splitlines())

    def reads(self, entry):
        return entry.file.rsplit(".", 1)[1] in self.kinds and entry.family not in self.out_of_scope

    def answer(self, path):
        """What it says about a file, and the lines that it names."""
        with tempfile.TemporaryDirectory(prefix="conformance-") as work:
            command = [str(part).replace("{work}", work) for part in self.command]
            command = [str(path) if part == "{file}" else part for part in command]
            try:
                done = subprocess.run(command, capture_output=True, timeout=SECONDS, cwd=work)
            except subprocess.TimeoutExpired:
                return "timeout", []
        if done.returncode not in self.codes:
            return "crash", []
        output, errors = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        messages = [line for line in self.messages(output, errors) if line.strip()]
        lines = [int(found[1]) for line in messages if (found := re.match(r"(\d+):", line))]
        return ("reject" if messages else "accept"), lines


class Entry:
    """A file of the suite."""

    def __init__(self, row):
        self.file, self.verdict, self.line = row["file"], row["verdict"], row["line"]
        self.family = row["code"][:3] or "files"

    def is_named(self, lines):
        """Whether the fault is located. Some readers name the line of the next token, and some count from 0."""
        return bool(self.line) and any(abs(int(self.line) - line) <= 1 for line in lines)


# --- readers ------------------------------------------------------------------------------------


def of_audit(output, errors):
    """Errors and warnings of chess-audit, and inputs that it cannot audit."""
    found = [f"{row['line']}: {row['message']}" for row in csv.DictReader(io.StringIO(output)) if row["severity"] != "info"]
    return found + [line for line in errors.splitlines() if line.startswith("error:")]


def of_extract(output, errors):
    """Messages of pgn-extract, with the line that some of them name."""
    found = ((re.search(r"(?i)line(?: number:| #)? ?(\d+)", line), line) for line in errors.splitlines())
    return [f"{match[1]}: {line}" if match else line for match, line in found]


def package(name):
    output = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], text=True, capture_output=True)
    found = re.search(r"\d+\.\d+(\.\d+)*", output.stdout)
    return found[0] if output.returncode == 0 and found else ""


def module(name):
    """The version of a module of Node, or nothing if it is not installed."""
    paths = [pathlib.Path(path) / name / "package.json" for path in os.environ.get("NODE_PATH", "").split(os.pathsep) if path]
    found = [path for path in paths if path.is_file()]
    return json.loads(found[0].read_text())["version"] if found and shutil.which("node") else ""


def locked(name):
    return re.search(rf'name = "{name}"\nversion = "(.*)"', (ROOT / "Cargo.lock").read_text())[1]


def build(*arguments):
    subprocess.run(["cargo", "build", "--quiet", *arguments], cwd=ROOT, check=True)


def chess_audit():
    build()
    command = [TARGET / "debug/chess-audit", "check", "--no-config", "--format", "csv", "--fail-on", "never", "{file}"]
    return Reader("chess-audit", command, messages=of_audit, codes=(0, 2), version=locked("chess-audit"))


def pgn_reader():
    shutil.copy(ROOT / "Cargo.lock", ROOT / "benches/baseline/Cargo.lock")
    build("--manifest-path", "benches/baseline/Cargo.toml", "--target-dir", str(TARGET / "baseline"), "--bin", "refused")
    version = f"{locked('pgn-reader')}, shakmaty {locked('shakmaty')}"
    # shakmaty documents that it does not read operations.
    return Reader("pgn-reader", [TARGET / "baseline/debug/refused", "{file}"], out_of_scope=("EPD",), version=version)


def python_chess():
    got = subprocess.run([sys.executable, "-c", "import chess; print(chess.__version__)"], capture_output=True, text=True)
    command = [sys.executable, READERS / "python-chess.py", "{file}"]
    return Reader("python-chess", command, version=got.stdout.strip()) if got.returncode == 0 else None


def pgn_extract():
    version = package("pgn-extract")
    command = ["pgn-extract", "-r", "-s", "{file}"]
    return Reader("pgn-extract", command, ("pgn",), messages=of_extract, version=version) if version else None


def scid():
    version = package("scid")
    return Reader("Scid", ["tkscid", READERS / "scid.tcl", "{file}", "{work}"], ("pgn",), version=version) if version else None


def node(name):
    version = module(name)
    return Reader(name, ["node", READERS / f"{name}.cjs", "{file}"], out_of_scope=("EPD",), version=version) if version else None


INSTALLED = {
    "chess-audit": chess_audit,
    "pgn-reader": pgn_reader,
    "python-chess": python_chess,
    "pgn-extract": pgn_extract,
    "Scid": scid,
    "chess.js": lambda: node("chess.js"),
    "chessops": lambda: node("chessops"),
}


def readers(names, command):
    if command:
        return [Reader(shlex.split(command)[0], [*shlex.split(command), "{file}"])]
    by_case = {name.lower(): name for name in INSTALLED}
    if unknown := [name for name in names if name.lower() not in by_case]:
        sys.exit(f"{', '.join(unknown)}: not a reader; readers are {', '.join(INSTALLED)}")
    found = []
    for name in [by_case[name.lower()] for name in names] or INSTALLED:
        if reader := INSTALLED[name]():
            found.append(reader)
        else:
            print(f"{name} is not installed", file=sys.stderr)
    return found


# --- tables -------------------------------------------------------------------------------------


class Score:
    """What a reader said about files of a family, or about all files."""

    def __init__(self):
        self.counts = collections.Counter()

    def add(self, entry, answer, named):
        self.counts[entry.verdict] += 1
        if answer in ("crash", "timeout"):
            self.counts[answer] += 1
        elif answer == "reject":
            self.counts[f"{entry.verdict} refused"] += 1
            self.counts["located"] += entry.verdict == "reject" and named


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def matrix(entries, scores):
    """A table: faults noticed and look-alikes accused, by family and reader."""
    count = collections.Counter((entry.family, entry.verdict) for entry in entries)
    families = sorted({entry.family for entry in entries if entry.verdict != "either"})

    def row(label, of):
        return [label, *(of(total["all"]) for _, total in scores)]

    def cell(score):
        read = score.counts
        if not read["reject"] + read["accept"]:
            return ""
        return f"{read['reject refused']} · {read['accept refused']}"

    rows = []
    for family in families:
        faults = count[family, "reject"]
        label = f"{family}: {faults} fault{'s' * (faults != 1)}, {count[family, 'accept']} look-alikes"
        rows.append([label, *(cell(total[family]) for _, total in scores)])
    rows.append(row("**all faults noticed**", lambda score: f"**{score.counts['reject refused']}** of {score.counts['reject']}"))
    rows.append(row("with the right line", lambda score: score.counts["located"]))
    rows.append(row("**look-alikes accused**", lambda score: f"**{score.counts['accept refused']}** of {score.counts['accept']}"))
    rows.append(row("refused where it is open", lambda score: f"{score.counts['either refused']} of {score.counts['either']}"))
    rows.append(row("crashes, timeouts", lambda score: f"{score.counts['crash']}, {score.counts['timeout']}"))
    return table(["", *(f"{reader.name} {reader.version}".strip() for reader, _ in scores)], rows)


def publish(text):
    path = ROOT / "benches/README.md"
    opening, closing = "<!-- peers: conformance -->\n", "<!-- /peers: conformance -->"
    before, rest = path.read_text().split(opening)
    _, after = rest.split(closing)
    path.write_text(f"{before}{opening}\n{text}\n\n{closing}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(INSTALLED))
    parser.add_argument("--command", help="run this command with the name of each file instead")
    parser.add_argument("--list", action="store_true", help="print what each reader says about each file, as CSV")
    parser.add_argument("--markdown", action="store_true", help="write the table to benches/README.md")
    options = parser.parse_args()
    # Where Debian installs chess programs.
    os.environ["PATH"] += os.pathsep + "/usr/games"
    with open(SUITE / "list.csv", newline="", encoding="utf-8") as file:
        entries = [Entry(row) for row in csv.DictReader(file)]
    scores, rows = [], csv.writer(sys.stdout)
    if options.list:
        rows.writerow(["reader", "file", "verdict", "answer", "line", "lines_named"])
    for reader in readers(options.readers, options.command):
        total = collections.defaultdict(Score)
        read = [entry for entry in entries if reader.reads(entry)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for entry, (answer, lines) in zip(read, pool.map(lambda entry: reader.answer(SUITE / entry.file), read)):
                for part in (entry.family, "all"):
                    total[part].add(entry, answer, entry.is_named(lines))
                if options.list:
                    named = " ".join(map(str, lines))
                    rows.writerow([reader.name, entry.file, entry.verdict, answer, entry.line, named])
        scores.append((reader, total))
    if options.markdown:
        publish(matrix(entries, scores))
    elif not options.list:
        print(matrix(entries, scores))


if __name__ == "__main__":
    main()
