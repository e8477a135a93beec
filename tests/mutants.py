#!/usr/bin/env python3
"""Tests the tests: changes the rules, the fast path and the replay in many places, and counts the changes that a test notices.

    tests/mutants.py                        300 mutants, drawn with seed 15; takes an hour or two
    tests/mutants.py --sample 50 --seed 3   others, and fewer
    tests/mutants.py --only 17,42           only these of the sample; also prints how to run a test with one
    tests/mutants.py --resume               goes on with a run that was stopped

Needs Python 3.10, git and cargo-mutants (cargo install cargo-mutants), which lists the mutants of the
files that .cargo/mutants.toml names. To build 300 programs would take a day. Therefore one program
contains all mutants of the sample, and the variable MUTANT chooses one. Mutants that do not compile
are replaced by the next ones of the draw. Functions that are `const` or return `impl Trait` are left
out, because they cannot choose.

Each group of tests (the unit tests of a module in src, and each module of a folder of tests/suite) runs once without a mutant, and
each test of a slow group by itself. That shows how long it takes and which mutants it reaches. Then
each mutant runs with the groups that reach it, until a test fails. A group that takes much longer
than before has caught the mutant, too. Tests that need real games and positions do not run.
"""

import argparse
import collections
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Endless loops may also collect data. In KiB.
MEMORY = 4 << 20
# The tests of groups that take longer run one by one.
MAX_SECONDS = 5
SWITCH = """
/// Whether the mutant with this number is on. Without a mutant, notes in a file which ones are reached.
#[doc(hidden)]
pub fn mutant(number: usize) -> bool {
    use std::{env, ffi::OsString, fs::OpenOptions, io::Write, sync::OnceLock, sync::atomic::{AtomicBool, Ordering}};
    static CHOSEN: OnceLock<Option<usize>> = OnceLock::new();
    static LOG: OnceLock<Option<OsString>> = OnceLock::new();
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    let chosen = CHOSEN.get_or_init(|| env::var("MUTANT").ok().and_then(|number| number.parse().ok()));
    if chosen.is_none()
        && let Some(log) = LOG.get_or_init(|| env::var_os("MUTANT_LOG"))
        && !REACHED[number].swap(true, Ordering::Relaxed)
        && let Ok(mut file) = OpenOptions::new().create(true).append(true).open(log)
    {
        let _ = file.write_all(format!("{number}\\n").as_bytes());
    }
    *chosen == Some(number)
}
"""
# What braces do not count in: comments, strings, characters. A lifetime is no character.
OPAQUE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\bb?r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])'""", re.DOTALL
)


class Text:
    """A source file; places are lines and columns from 1, as cargo-mutants gives them."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.starts = [0] + [found.end() for found in re.finditer("\n", self.text)]

    def offset(self, place):
        return self.starts[place["line"] - 1] + place["column"] - 1

    def span(self, span):
        return self.offset(span["start"]), self.offset(span["end"])


def body(text, start, end):
    """Where the body of the function in this part of the text begins: its last pair of braces that is in no other."""
    masked = OPAQUE.sub(lambda found: " " * len(found.group()), text[start:end])
    depth, begin = 0, None
    for place, character in enumerate(masked):
        if character == "{":
            begin = place if depth == 0 else begin
            depth += 1
        elif character == "}":
            depth -= 1
    assert depth == 0 and masked.endswith("}"), text[start:end]
    return start + begin


def copy_tree(tree):
    """Copies what git knows or does not ignore. Files that did not change keep their age, so that little is built again."""
    command = ["git", "ls-files", "-coz", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def listed(tree):
    """All mutants that can be chosen at run time, and how many cannot."""
    command = ["cargo", "mutants", "--list", "--json", "--dir", str(tree)]
    mutants = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    texts, chosen = {}, []
    for mutant in mutants:
        text = texts.setdefault(mutant["file"], Text(ROOT / mutant["file"]))
        function = mutant.get("function")
        if not function or "impl " in function["return_type"]:
            continue
        start, end = text.span(function["span"])
        signature = OPAQUE.sub("", text.text[start : body(text.text, start, end)])
        if not re.search(r"\bconst\s+(?:unsafe\s+)?fn\b", signature):
            chosen.append(mutant)
    chosen.sort(key=lambda mutant: (mutant["file"], *texts[mutant["file"]].span(mutant["span"]), mutant["replacement"]))
    return chosen, len(mutants) - len(chosen)


def draw(mutants, seed):
    """The mutants in the order of a draw. It stays the same for functions that do not change, wherever they move in their file."""
    occurrences, ranks = collections.Counter(), {}
    for place, mutant in enumerate(mutants):
        # The place in the file is in the name, too.
        kind = re.sub(r":\d+:\d+:", ":", mutant["name"])
        occurrences[kind] += 1
        ranks[place] = hashlib.sha256(f"{seed} {occurrences[kind]} {kind}".encode()).digest()
    return [mutants[place] for place in sorted(ranks, key=ranks.get)]


def write_mutants(tree, mutants):
    """Writes the mutants, by number, into the files of the tree. Returns the lines of each: (file, first, last, number)."""
    files = collections.defaultdict(dict)
    for number, mutant in mutants.items():
        files[mutant["file"]][number] = mutant
    places = []
    for name, of_file in files.items():
        source = Text(ROOT / name)
        text = source.text
        functions = {source.span(mutant["function"]["span"]) for mutant in of_file.values()}
        outermost = [f for f in functions if not any(g != f and g[0] <= f[0] and f[1] <= g[1] for g in functions)]
        written, copied = "", 0
        for start, end in sorted(outermost):
            begin = body(text, start, end)
            written += text[copied:begin] + "{\n"
            for number, mutant in of_file.items():
                first, last = source.span(mutant["span"])
                if start <= first and last <= end:
                    written += f"if crate::mutant({number}) "
                    line = written.count("\n") + 1
                    written += f"{text[begin:first]} {mutant['replacement']} {text[last:end]} else "
                    places.append((name, line, written.count("\n") + 1, number))
                    written += "\n"
            written += text[begin:end] + "\n}"
            copied = end
        (tree / name).write_text(written + text[copied:], encoding="utf-8")
    switch = SWITCH.replace("COUNT", str(max(mutants) + 1))
    (tree / "src/lib.rs").write_text((ROOT / "src/lib.rs").read_text(encoding="utf-8") + switch, encoding="utf-8")
    return places


def restore(tree, mutants):
    """Takes the mutants out of the files of these."""
    for name in {mutant["file"] for mutant in mutants}:
        shutil.copy2(ROOT / name, tree / name)


def cargo(tree, target, *arguments):
    """The messages of cargo about the library."""
    command = ["cargo", *arguments, "--message-format=json"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0"}
    done = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def unviable(messages, places):
    """The numbers of the mutants that do not compile."""
    numbers = set()
    for message in messages:
        if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
            continue
        spans = message["message"]["spans"]
        hit = {
            (span["is_primary"], number)
            for span in spans
            for name, first, last, number in places
            if span["file_name"] == name and first <= span["line_start"] and span["line_end"] <= last
        }
        primary = {number for is_primary, number in hit if is_primary}
        numbers |= primary or {number for _, number in hit}
        if spans and not hit:
            sys.exit(message["message"]["rendered"])
    return numbers


def build(tree, target, drawn, size):
    """Builds the tests with the first mutants of the draw that compile. Returns these, the unviable ones, and the programs."""
    mutants, refused = dict(enumerate(drawn[:size])), []
    while True:
        places = write_mutants(tree, mutants)
        # Errors show before anything is generated; the other programs wait for that.
        messages = cargo(tree, target, "test", "--no-run", "--lib")
        bad = unviable(messages, places)
        if not bad:
            messages = cargo(tree, target, "test", "--no-run", "--lib", "--test", "suite")
            bad = unviable(messages, places)
        if not bad:
            break
        refused += [mutants.pop(number) for number in sorted(bad)]
        restore(tree, refused)
        known = size + len(refused) - len(bad)
        mutants.update((number, drawn[number]) for number in range(known, min(known + len(bad), len(drawn))))
        print(f"{len(refused)} do not compile", flush=True)
    # Some tests read the source.
    restore(tree, [*mutants.values(), {"file": "src/lib.rs"}])
    programs = {m["target"]["name"]: m["executable"] for m in messages if m.get("executable") and m["profile"]["test"]}
    return mutants, refused, [programs["chess_audit"], programs["suite"]]


class Group:
    """Tests that run together."""

    def __init__(self, name, program, filters):
        self.name, self.program, self.filters = name, program, filters
        self.seconds, self.reached, self.runs, self.caught = None, None, 0, 0

    def run(self, tree, limit, **variables):
        """What fails first: the name of a test, a reason, or nothing. The limit is in seconds of a processor."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            environment = {
                **{key: value for key, value in os.environ.items() if key != "CHESS_AUDIT_CORPORA"},
                **variables,
                "TMPDIR": scratch,
                "CARGO_MANIFEST_DIR": str(tree),
                "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1",
            }
            command = ["sh", "-c", f'ulimit -Sd {MEMORY}; ulimit -St {limit:.0f}; exec "$@"', "sh", self.program, *self.filters]
            process = subprocess.Popen(
                command,
                cwd=tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            late = threading.Event()

            def stop():
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

            # Something may also wait forever.
            timer = threading.Timer(20 * limit, lambda: (late.set(), stop()))
            timer.start()
            failed = None
            for line in process.stdout:
                # Tests of the same group that fail later do not matter.
                if found := re.match(r"test (\S+) .*\bFAILED$", line.rstrip()):
                    failed = found.group(1)
                    break
            timer.cancel()
            if failed:
                stop()
            process.wait()
            stop()
            if late.is_set() or -process.returncode in (signal.SIGXCPU, signal.SIGKILL) and not failed:
                return f"{self.name}: timeout"
            return failed or (f"{self.name}: exit code {process.returncode}" if process.returncode else None)

    def measure(self, tree):
        """Runs without a mutant, to see how long the tests take and which mutants they reach."""
        left_out = []
        with tempfile.NamedTemporaryFile(mode="r") as log:
            while True:
                start = time.monotonic()
                failed = self.run(tree, 3600, MUTANT_LOG=log.name)
                self.seconds = time.monotonic() - start
                if failed not in self.filters:
                    break
                # It would catch everything.
                self.filters.remove(failed)
                left_out.append(failed)
                if self.filters == ["--exact"]:
                    self.reached = set()
                    return left_out
            if failed:
                sys.exit(f"{failed}, without a mutant")
            self.reached = {int(line) for line in log.read().split()}
        return left_out

    def cost(self):
        """Seconds until a mutant is caught, as far as is known."""
        return self.seconds * (self.runs + 2) / (self.caught + 1)


def groups(tree, programs):
    found = []
    for program, kind in zip(programs, ["unit tests of ", ""]):
        output = subprocess.run([program, "--list"], cwd=tree, check=True, capture_output=True, text=True).stdout
        names = re.findall(r"^(\S+): test$", output, re.MULTILINE)
        depth = 1 if kind else 2
        for module in sorted({"::".join(name.split("::")[:depth]) for name in names}):
            inside = [name for name in names if name.startswith(f"{module}::")]
            found.append(Group(kind + module, program, ["--exact", *inside]))
    return found


def measured(tree, tests, pool):
    for group, left_out in zip(tests, pool.map(lambda group: group.measure(tree), tests)):
        print(f"{group.name}: {group.seconds:.1f} s, reaches {len(group.reached)}", flush=True)
        for test in left_out:
            print(f"    {test} fails without a mutant and is left out")
    return [group for group in tests if group.reached]


def judge(tree, number, tests):
    """Which test catches the mutant, or nothing."""
    left = [group for group in tests if number in group.reached]
    while left:
        group = min(left, key=Group.cost)
        left.remove(group)
        caught = group.run(tree, 30 + 5 * group.seconds, MUTANT=str(number))
        group.runs += 1
        if caught:
            group.caught += 1
            return caught
    return None


def known(place, mutants):
    """The outcomes of an earlier run, by the number of the mutant."""
    if not place.exists():
        return {}
    with open(place, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if any(mutants.get(int(row["number"]), {}).get("name") != row["mutant"] for row in rows):
        sys.exit(f"{place} is about other mutants; run without --resume")
    return {int(row["number"]): row["caught_by"] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=300, help="number of mutants (default 300)")
    parser.add_argument("--seed", type=int, default=15, help="seed of the draw (default 15)")
    parser.add_argument("--jobs", type=int, default=1, help="number of test programs at a time (default 1)")
    parser.add_argument("--only", help="numbers of mutants, separated by commas")
    parser.add_argument("--resume", action="store_true", help="keep the outcomes of a run with the same sources that was stopped")
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "target/mutants", help="default target/mutants")
    options = parser.parse_args()
    directory = options.directory.resolve()
    tree, target = directory / "tree", directory / "target"
    tree.mkdir(parents=True, exist_ok=True)
    copy_tree(tree)
    everything, left_out = listed(tree)
    drawn = draw(everything, options.seed)
    print(f"{len(everything)} mutants; {left_out} left out", flush=True)
    mutants, refused, programs = build(tree, target, drawn, options.sample)
    print(f"built with {len(mutants)} mutants; {len(refused)} do not compile", flush=True)
    if options.only:
        chosen = [int(number) for number in options.only.split(",")]
        if unknown := [number for number in chosen if number not in mutants]:
            sys.exit(f"not in the sample, or does not compile: {', '.join(map(str, unknown))}")
        mutants = {number: mutants[number] for number in chosen}
        for number, mutant in mutants.items():
            print(f"{mutant['name']}\n    cd {tree}; MUTANT={number} {programs[1]}")

    tests = groups(tree, programs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = measured(tree, tests, pool)
        slow = [group for group in tests if group.seconds > MAX_SECONDS and len(group.filters) > 2]
        singles = [Group(test, group.program, ["--exact", test]) for group in slow for test in group.filters[1:]]
        tests = [group for group in tests if group not in slow] + measured(tree, singles, pool)
        outcomes = known(directory / "results.csv", mutants) if options.resume else {}
        with open(directory / "results.csv", "a" if outcomes else "w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            if not outcomes:
                table.writerow(["number", "mutant", "caught_by"])
            left = sorted(set(mutants) - set(outcomes))
            running = {pool.submit(judge, tree, number, tests): number for number in left}
            for done in concurrent.futures.as_completed(running):
                number, caught = running[done], done.result()
                outcomes[number] = caught
                table.writerow([number, mutants[number]["name"], caught or ""])
                file.flush()
                if not caught:
                    print(f"not caught: {number} {mutants[number]['name']}", flush=True)
    caught = [by for by in outcomes.values() if by]
    late = sum(by.endswith(": timeout") for by in caught)
    share = 100 * len(caught) / len(outcomes)
    print(f"{len(caught)} of {len(outcomes)} caught ({share:.1f} %), {late} of them by a timeout; see {directory}/results.csv")


if __name__ == "__main__":
    main()
