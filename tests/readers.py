#!/usr/bin/env python3
"""Loads the tables of reports with DuckDB, Polars and pandas, as src/report/README.md says.

Usage: tests/readers.py PROGRAM REPORT...
Fails if a table has other types than datapackage.json says, if a row is lost, or if tables cannot be joined.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys

import duckdb
import pandas
import polars

DUCKDB = {"string": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE"}
POLARS = {"string": polars.String, "integer": polars.Int64, "number": polars.Float64, "boolean": polars.Boolean, "date": polars.Date}
PANDAS = {"string": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean", "date": "string"}


def queries():
    """The queries in src/report/README.md."""
    text = (pathlib.Path(__file__).parent.parent / "src/report/README.md").read_text()
    found = re.findall(r"^    (SELECT .* FROM findings .*;)$", text, re.MULTILINE)
    assert len(found) == 3, found
    return found


def check(report, program):
    database = duckdb.connect()
    database.execute(subprocess.run([program, "schema", "--sql", report], check=True, capture_output=True, text=True).stdout)
    tables = json.loads((report / "datapackage.json").read_text())["resources"]
    findings = 0
    for table in tables:
        path, fields = report / table["path"], table["schema"]["fields"]
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        kinds = {field["name"]: field["type"] for field in fields}
        # DuckDB, by the views of `schema --sql`.
        seen = database.execute(f"SELECT column_name, column_type FROM (DESCRIBE {table['name']})").fetchall()
        assert dict(seen) == {name: DUCKDB[kind] for name, kind in kinds.items()}, (path, seen)
        # Polars and pandas, by datapackage.json.
        frame = polars.read_csv(path, schema={name: POLARS[kind] for name, kind in kinds.items()})
        data = pandas.read_csv(path, dtype={name: PANDAS[kind] for name, kind in kinds.items()}, keep_default_na=False, na_values=[""])
        count = database.execute(f"SELECT count(*) FROM {table['name']}").fetchone()[0]
        assert count == frame.height == len(data) == len(rows), (path, count, frame.height, len(data), len(rows))
        for name, kind in kinds.items():
            # What is written is what is read.
            own = [row[name] for row in rows]
            same = {"string": str, "integer": lambda cell: str(int(cell)), "boolean": lambda cell: str(cell).lower()}.get(kind)
            if same:
                for values in (frame[name].to_list(), [None if pandas.isna(value) else value for value in data[name]]):
                    assert ["" if value is None else same(value) for value in values] == own, (path, name)
        if "primaryKey" in table["schema"]:
            findings += len(rows)
            ids = frame["id"]
            assert ids.n_unique() == frame.height and ids.null_count() == 0, path
    # All findings, joined with their inputs and with themselves.
    joined = "SELECT count(*) FROM findings JOIN inputs USING (input)"
    assert database.execute(joined).fetchone()[0] == findings
    assert database.execute("SELECT count(*) FROM findings JOIN findings AS other USING (id)").fetchone()[0] == findings
    for query in queries():
        rows = database.execute(query).fetchall()
        assert rows or not findings or "repair" in query, query
    print(f"{report}: {len(tables)} tables, {findings} findings")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        check(pathlib.Path(name), sys.argv[1])
