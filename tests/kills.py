#!/usr/bin/env python3
"""Kills every command that writes, at random moments, and checks that nothing is lost.

    tests/kills.py                        50 kills of each command
    tests/kills.py --kills 200 fix diff   more kills of the commands whose names contain these words

Each command replaces results of an earlier run. It is killed (SIGKILL) at random moments of its run,
each time in a new copy of the same directory. After each kill,

* all inputs, settings and lists are there, byte for byte;
* each result is whole: the earlier one or the new one. A report is one result;
* there is nothing else but temporary files;
* the command can be run again. Its results are then the new ones, and no temporary file is left but
  those of shards, which another machine may be writing.

At least three of five kills must come while the command runs. Needs Python 3.10, Linux, and a build of
chess-audit: that of CHESS_AUDIT, or target/release/chess-audit, or target/debug/chess-audit.
"""

import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEMPORARY = (".chess-audit-part-", ".shard-")
TAGS = "".join(f'[{tag} "?"]\n' for tag in ["Event", "Site", "Round", "White", "Black"])
# A game with a certain repair, and one with an error.
GAMES = f"""{TAGS}[Date "????.??.??"]
[Result "*"]

1. e4 d62. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7 *

{TAGS}[Date "????.??.??"]
[Result "*"]

1. e4 e5 2. Ke3 *

"""
LIST = "check games -q -o listed --repairs r.csv"
NIGHT = "nightly games --store store --keep 2 --as-of 2026-11-0"
# Adds an input, so that new results differ from earlier ones. It is added last if it is not named.
MORE = "more games"
# The command itself, for earlier results.
SAME = "the same command"
# Name; what is run before; the command; its results. `x` is one result, a file or a directory; so is
# each entry of a directory for `x/*`, and each file below it for `x/**`.
COMMANDS = [
    ("check", [SAME], "check games -q -o report --repairs r.csv --games g.csv", ["report", "r.csv", "g.csv"]),
    ("check --duplicates", [SAME], "check games -q -o report --duplicates", ["report"]),
    ("check --history", [SAME], "check games -q -o report --as-of 2026-11-01 --history h.csv", ["report", "h.csv"]),
    ("check --good", [SAME], "check games -q -o report --good good.pgn --bad bad.pgn --force",
     ["report", "good.pgn", "bad.pgn", "bad.pgn.csv"]),
    ("shards plan", [SAME], "shards plan games --target-size 20K -o games.plan", ["games.plan"]),
    ("check --plan", [MORE, "shards plan games -o games.plan"], "check -q --plan games.plan --shard 1 -o parts", ["parts/*"]),
    ("shards merge", ["check games -q -o report --repairs r.csv", MORE, "shards plan games -o games.plan",
               "check -q --plan games.plan --shard 1 -o parts"],
     "shards merge games.plan parts -q -o report --repairs r.csv", ["report", "r.csv"]),
    ("compare", ["check games -q -o one", "compare one one -o changes", MORE, "check games -q -o two"],
     "compare one two -o changes", ["changes/*"]),
    ("diff", ["diff games/a.pgn games -o changes"], "diff games/a.pgn games -o changes", ["changes/*"]),
    ("baseline write", ["check games -q -o one", "baseline write one -o known.csv", MORE, "check games -q -o two"],
     "baseline write two -o known.csv", ["known.csv"]),
    ("baseline update", ["check games -q -o one", "baseline write one -o known.csv", "move", "check games -q -o two"],
     "baseline update one two -o known.csv", ["known.csv"]),
    ("baseline prune", ["check games/a.pgn -q -o one", MORE, "check games -q -o two", "baseline write two -o known.csv"],
     "baseline prune one -o known.csv", ["known.csv"]),
    ("nightly", [NIGHT + "1"] * 3, NIGHT + "2", ["store/history.csv", "store/reports/*", "store/tonight"]),
    ("clean", [SAME], "clean games -q -o clean", ["clean"]),
    ("fix -o FILE", [MORE, LIST], "fix games/b.pgn --repairs r.csv -o fixed.pgn -q", ["fixed.pgn"]),
    ("fix -o DIR", [MORE, LIST], "fix games --repairs r.csv -o fixed --force -q", ["fixed/**"]),
    ("fix --in-place", [MORE, LIST], "fix games --repairs r.csv --in-place -q", ["games/*"]),
    ("fix --in-place --backup", [MORE, LIST], "fix games --repairs r.csv --in-place --backup .bak -q", ["games/*"]),
    ("fen --svg", ["fen 8/8/8/8/8/8/8/8 --svg board.svg"], "fen k7/8/8/3pP3/8/7n/5K2/8 --svg board.svg", ["board.svg"]),
    ("man", [SAME], "man pages", ["pages/*"]),
    ("init", [], "init", ["chess-audit.toml"]),
    ("demo", [SAME], "demo -o demo", ["demo/showcase.pgn", "demo/showcase.epd", "demo/report"]),
]
# Their results depend on how often they are run.
NOT_REPEATED = ["check --history", "nightly"]
# A night that ends late has its report here until all else is done.
TONIGHT = "store/tonight"


def program():
    """The program that is killed."""
    builds = [ROOT / "target" / profile / "chess-audit" for profile in ["release", "debug"]]
    given = [pathlib.Path(os.environ["CHESS_AUDIT"])] if "CHESS_AUDIT" in os.environ else []
    return next(path.resolve() for path in given + builds if path.exists())


def start(home, command):
    return subprocess.Popen([PROGRAM, *command.split()], cwd=home, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def run(home, command):
    """Runs a command to its end. Findings do not matter."""
    running = start(home, command)
    message = running.communicate()[1].decode()
    assert running.returncode in (0, 1), f"{command}: {running.returncode}: {message}"


def prepare(home, steps, command):
    """The directory before a command is killed."""
    (home / "games").mkdir()
    (home / "games/a.pgn").write_text(GAMES * 20)
    for step in steps if MORE in steps else [*steps, MORE]:
        if step == MORE:
            (home / "games/b.pgn").write_text(GAMES * 400)
        elif step == "move":
            (home / "games/a.pgn").write_text((GAMES * 20).replace("[Round", '[EventDate "?"]\n[Round'))
        else:
            run(home, command if step == SAME else step)


def result_of(path, patterns):
    """The result that a file belongs to; None if it is none."""
    for pattern in patterns:
        directory = pattern.rstrip("*")
        if pattern.endswith("/**") and path.startswith(directory):
            return path
        if pattern.endswith("/*") and path.startswith(directory):
            return directory + path[len(directory):].split("/")[0]
        if path == pattern or path.startswith(pattern + "/"):
            return pattern
    return None


def state(home, patterns):
    """The results with their files, the other files, and the temporary ones."""
    results, others, temporary = {}, {}, []
    for file in sorted(home.rglob("*")):
        path = str(file.relative_to(home))
        if not file.is_file():
            continue
        if any(part.startswith(TEMPORARY) for part in path.split("/")):
            # Those of shards stay, because other machines may use them.
            temporary += [path] if "/.shard-" not in path else []
            continue
        result = result_of(path, patterns)
        if result is None:
            others[path] = file.read_bytes()
        else:
            results.setdefault(result, {})[path[len(result):]] = file.read_bytes()
    return results, others, temporary


def check(name, killed, before, after):
    """Checks a directory after a kill."""
    results, others, _ = killed
    lost = [path for path, content in before[1].items() if others.get(path) != content]
    assert not lost, f"{name}: lost or changed: {lost}"
    new = [path for path in others if path not in before[1]]
    assert not new, f"{name}: left behind: {new}"
    for result in {*before[0], *after[0], *results}:
        whole = [before[0].get(result), after[0].get(result)]
        if result == TONIGHT:
            whole += [None, *after[0].values()]
        assert results.get(result) in whole, f"{name}: `{result}` is neither the earlier result nor the new one"
    reports = [result for result in results if result.startswith("store/reports/")]
    assert name != "nightly" or reports, "nightly: there is no report"


def kill(original, name, command, patterns, before, after, duration):
    """Kills a command once. Returns whether it was running."""
    with tempfile.TemporaryDirectory() as place:
        home = pathlib.Path(place) / "home"
        shutil.copytree(original, home)
        running = start(home, command)
        time.sleep(random.uniform(0, duration))
        was_running = running.poll() is None
        running.kill()
        running.communicate()
        killed = state(home, patterns)
        check(name, killed, before, after)
        if killed[0] != after[0] or killed[2]:
            run(home, command)
            again = state(home, patterns)
            assert not again[2], f"{name}: temporary files are left: {again[2]}"
            assert name in NOT_REPEATED or again[0] == after[0], f"{name}: other results after a kill"
        return was_running


def kill_often(name, steps, command, patterns, kills):
    """Kills a command at many moments. Returns how many kills there were, and how many while it ran."""
    with tempfile.TemporaryDirectory() as place:
        original = pathlib.Path(place) / "original"
        original.mkdir()
        prepare(original, steps, command)
        before = state(original, patterns)
        durations = []
        for number in range(3):
            home = pathlib.Path(place) / str(number)
            shutil.copytree(original, home)
            began = time.monotonic()
            run(home, command)
            durations.append(time.monotonic() - began)
            after = state(home, patterns)
        done = running = 0
        while done < kills or running < kills * 3 / 5:
            running += kill(original, name, command, patterns, before, after, statistics.median(durations))
            done += 1
            assert done < 10 * kills, f"{name}: too few kills while it runs"
        return done, running, statistics.median(durations)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    for name, steps, command, patterns in COMMANDS:
        if not arguments.names or any(word in name for word in arguments.names):
            done, running, duration = kill_often(name, steps, command, patterns, arguments.kills)
            print(f"{name:24} {done:4} kills, {running:4} while it ran ({duration * 1000:.0f} ms)", flush=True)


PROGRAM = program()
if __name__ == "__main__":
    sys.exit(main())
