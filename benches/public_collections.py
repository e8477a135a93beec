#!/usr/bin/env python3
"""Audits public collections, and writes the table about them in benches/README.md.

    benches/public_collections.py DIRECTORY            builds chess-audit, audits pgn/ and epd/ in DIRECTORY
    benches/public_collections.py DIRECTORY --print    prints the table instead
    benches/public_collections.py DIRECTORY --program chess-audit

The example of a family is the first finding of its first rule that found anything, errors before
warnings. Look at each of them in its file before you publish the table: it is said of somebody's
work. Needs Python 3.10, and cargo without --program.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"pgn": "games", "epd": "positions"}


def audit(program, directory, kind, report):
    """The report of the files of one kind: totals, rows of the summary, and findings, in their order."""
    subprocess.run(
        [program, "check", "--no-config", "--no-html", "--quiet", "--fail-on", "never", "-o", report, kind],
        cwd=directory,
        check=True,
    )
    totals = json.loads((report / "run.json").read_text())["totals"]
    with open(report / "inputs.csv") as file:
        totals["clean"] = sum(row["status"] == "clean" for row in csv.DictReader(file))
    with open(report / "summary.csv") as file:
        rows = [row for row in csv.DictReader(file) if int(row["findings"] or 0)]
    findings = []
    for path in report.glob("*.csv"):
        with open(path) as file:
            findings += [row for row in csv.DictReader(file) if "message" in row and "severity" in row]
    findings.sort(key=lambda row: (row["severity"] != "error", row["rule"], row["input"], int(row["line"] or 0)))
    return totals, rows, findings


def publish(path, text):
    opening, closing = "<!-- collections -->\n", "<!-- /collections -->"
    before, rest = path.read_text().split(opening)
    _, after = rest.split(closing)
    path.write_text(f"{before}{opening}\n{text}\n\n{closing}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="contains pgn/ and epd/")
    parser.add_argument("--print", action="store_true", help="print the table and leave the file alone")
    parser.add_argument("--program", type=os.path.abspath, help="use this program")
    options = parser.parse_args()
    program = options.program or pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/chess-audit"
    if not options.program:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    families = [(family["family"], family["family_title"]) for family in json.loads(
        subprocess.run([program, "rules", "--json"], check=True, capture_output=True, text=True).stdout)]
    with tempfile.TemporaryDirectory(prefix="chess-audit-collections-") as folder:
        audits = {kind: audit(program, options.directory, kind, pathlib.Path(folder) / kind) for kind in KINDS}

    full = ["| rules | per million games | per million positions | an example | its place |", "|---|---|---|---|---|"]
    for letters, title in dict.fromkeys(families):
        rates, found = [], []
        for kind, unit in KINDS.items():
            totals, rows, findings = audits[kind]
            count = sum(int(row["findings"]) for row in rows if row["rule"].startswith(letters))
            rates.append(f"{count / totals[unit] * 1_000_000:,.0f}" if count else "")
            found += [row for row in findings if row["rule"].startswith(letters)]
        if found:
            first = min(found, key=lambda row: row["severity"] != "error")
            message, rates = first["message"].split(";")[0], " | ".join(rates)
            place = f"`{pathlib.Path(first['input']).name}:{first['line']}`"
            full.append(f"| {letters}: {title} | {rates} | {message} ({first['rule']}) | {place} |")
    totals = [audits[kind][0] for kind in KINDS]
    sums = {key: sum(total["findings"][key] for total in totals) for key in ("error", "warning")}
    text = textwrap.fill(
        f"{totals[0]['games']:,} games and {totals[1]['positions']:,} positions of {sum(total['inputs'] for total in totals)} "
        f"public files have {sums['error']} errors and {sums['warning']:,} warnings. "
        f"{sum(total['clean'] for total in totals)} files have none.",
        100,
    )
    section = f"{text}\n\n" + "\n".join(full)
    print(section) if options.print else publish(ROOT / "benches/README.md", section)


if __name__ == "__main__":
    main()
