//! The outputs are as `chess-audit schema` and `datapackage.json` say.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use boon::{Compiler, Schemas};
use chess_audit::internals::report::{ColumnType, TableShape, json_schema};
use serde_json::{Value, json};

use crate::common::{
    fixture,
    program::{Outcome, run},
};

/// Whether `value` is as the schema of this output says.
fn validated(output: &str, value: &Value) -> Result<(), String> {
    let mut schema = json_schema();
    schema["$ref"] = json!(format!("#/$defs/{output}"));
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("schema.json", schema).map_err(|error| error.to_string())?;
    let index = compiler.compile("schema.json", &mut schemas).map_err(|error| error.to_string())?;
    schemas.validate(value, index).map_err(|error| format!("{output}: {error:#}"))
}

/// Two corpora, and reports about them: `full`, and `empty` about a game without findings.
fn reports() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    let game = "[Event \"A\"]\n[Site \"?\"]\n[Date \"2021.03.06\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n\n1. e4 *\n";
    fs::write(home.path().join("clean.pgn"), game)?;
    for (from, to) in [("showcase.pgn", "a.pgn"), ("showcase.epd", "a.epd"), ("showcase.pgn", "b.pgn")] {
        fs::copy(fixture(from), home.path().join(to))?;
    }
    let full = ["check", "a.pgn", "a.epd", "b.pgn", "--duplicates", "--certify=100", "--profile", "strict", "-q", "-o", "full"];
    let others = ["--games", "games.csv", "--repairs", "repairs.csv"];
    run(home.path(), &[&full[..], &others].concat())?;
    let output = run(home.path(), &["check", "clean.pgn", "--duplicates", "--certify=100", "-q", "-o", "empty"])?;
    assert!(output.status.success(), "{output:?}");
    run(home.path(), &["check", "a.pgn", "-q", "-o", "third", "--good", "good.pgn", "--bad", "bad.pgn"])?;
    run(home.path(), &["baseline", "write", "full", "--reason", "old", "-o", "baseline.csv"])?;
    run(home.path(), &["compare", "empty", "full", "-o", "changes"])?;
    run(home.path(), &["nightly", "a.pgn", "--store", "store", "--as-of", "2026-11-28"])?;
    Ok(home)
}

#[test]
fn json_is_valid_against_its_schema() -> Outcome {
    let home = reports()?;
    let text = |file: &str| fs::read_to_string(home.path().join(file));
    let mut run_json = serde_json::from_str(&text("full/run.json")?)?;
    validated("run", &run_json)?;
    validated("run", &serde_json::from_str(&text("empty/run.json")?)?)?;
    let printed =
        |arguments: &[&str]| Ok::<_, Box<dyn std::error::Error>>(String::from_utf8(run(home.path(), arguments)?.stdout)?);
    let lines = printed(&["check", "a.pgn", "a.epd", "b.pgn", "--duplicates", "--format", "jsonl"])?;
    assert!(lines.lines().count() > 50, "{lines}");
    for line in lines.lines() {
        validated("finding", &serde_json::from_str(line)?)?;
    }
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/8/8/8/8/8 w KQ e3 x"] {
        validated("position", &serde_json::from_str(&printed(&["fen", "--certify", "--json", fen])?)?)?;
    }
    let compared = printed(&["compare", "empty", "full", "--format", "json"])?;
    validated("comparison", &serde_json::from_str(&compared)?)?;
    validated("differences", &serde_json::from_str(&printed(&["diff", "a.pgn", "clean.pgn", "--format", "json"])?)?)?;
    // A schema that accepts anything would be no schema.
    run_json["schema_version"] = json!("one");
    assert!(validated("run", &run_json).is_err());
    assert!(validated("finding", &json!({ "rule": "MOV01" })).is_err());
    Ok(())
}

/// The cells of a table by row, each checked against its type.
fn rows(path: &Path, table: &TableShape) -> Outcome<Vec<BTreeMap<String, String>>> {
    let mut reader = csv::Reader::from_path(path)?;
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    assert_eq!(reader.headers()?, names, "{}", path.display());
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row?;
        for (cell, column) in row.iter().zip(&table.columns) {
            let fits = match column.kind {
                _ if cell.is_empty() => column.optional,
                ColumnType::Text | ColumnType::List => true,
                ColumnType::Word(words) => words.contains(&cell),
                ColumnType::Integer => cell.parse::<u64>().is_ok(),
                ColumnType::Decimal => cell.parse::<f64>().is_ok(),
                ColumnType::Boolean => matches!(cell, "true" | "false"),
                ColumnType::Date => cell.len() == 10,
            };
            assert!(fits, "{}: {} is `{cell}`", path.display(), column.name);
        }
        rows.push(names.iter().map(|name| (*name).to_owned()).zip(row.iter().map(str::to_owned)).collect());
    }
    Ok(rows)
}

#[test]
fn all_tables_have_the_columns_and_types_that_are_documented() -> Outcome {
    let home = reports()?;
    let mut filled = BTreeSet::new();
    for table in TableShape::all() {
        let folders: &[&str] = match table.file {
            file if file.starts_with("compare") => &["changes"],
            "history.csv" => &["store"],
            "open.csv" => &["store/reports/00001-2026-11-28"],
            _ if table.is_in_report => &["full", "empty"],
            "diff.csv" => continue,
            _ => &["."],
        };
        for folder in folders {
            if !rows(&home.path().join(folder).join(table.file), &table)?.is_empty() {
                filled.insert(table.file);
            }
        }
    }
    for file in [
        "moves.csv",
        "tags.csv",
        "duplicates.csv",
        "players.csv",
        "overlap.csv",
        "certificates.csv",
        "games.csv",
        "repairs.csv",
        "baseline.csv",
        "compare.csv",
        "history.csv",
    ] {
        assert!(filled.contains(file), "{file} is empty: {filled:?}");
    }
    let table = |file: &str| TableShape::all().into_iter().find(|table| table.file == file).ok_or("no table");
    let changes = run(home.path(), &["diff", "a.pgn", "clean.pgn", "--format", "csv"])?.stdout;
    fs::write(home.path().join("diff.csv"), changes)?;
    assert!(!rows(&home.path().join("diff.csv"), &table("diff.csv")?)?.is_empty());
    Ok(())
}

#[test]
fn the_data_package_describes_the_tables_of_the_report() -> Outcome {
    let home = reports()?;
    for report in ["full", "empty"] {
        let report = home.path().join(report);
        let package: Value = serde_json::from_str(&fs::read_to_string(report.join("datapackage.json"))?)?;
        let resources = package["resources"].as_array().ok_or("no resources")?;
        let mut described = BTreeSet::new();
        for resource in resources {
            let path = resource["path"].as_str().ok_or("no path")?;
            described.insert(path.to_owned());
            let fields = resource["schema"]["fields"].as_array().ok_or("no fields")?;
            let names: Vec<&str> = fields.iter().filter_map(|field| field["name"].as_str()).collect();
            assert_eq!(csv::Reader::from_path(report.join(path))?.headers()?, names, "{path}");
        }
        let tables = fs::read_dir(&report)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        assert_eq!(tables.filter(|name| name.ends_with(".csv")).collect::<BTreeSet<_>>(), described);
    }
    Ok(())
}

#[test]
fn views_have_all_tables_of_a_report() -> Outcome {
    let home = reports()?;
    let output = run(home.path(), &["schema", "--sql", "full"])?;
    let views = String::from_utf8(output.stdout)?;
    for table in TableShape::all().iter().filter(|table| table.is_in_report) {
        assert!(views.contains(&format!("read_csv('full/{}'", table.file)), "{}: {views}", table.file);
    }
    assert!(
        views
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("CREATE OR REPLACE VIEW findings AS SELECT * FROM positions UNION"))
    );
    let games = String::from_utf8(run(home.path(), &["schema", "--sql", "full", "--games", "my games.csv"])?.stdout)?;
    let view = games.lines().find(|line| line.contains("VIEW games ")).expect("a view of games");
    assert!(view.contains("read_csv('my games.csv'") && view.contains("'Round': 'VARCHAR'"), "{view}");
    // DuckDB takes each path for a glob.
    fs::rename(home.path().join("full"), home.path().join("f*l?[l]"))?;
    let views = String::from_utf8(run(home.path(), &["schema", "--sql", "f*l?[l]"])?.stdout)?;
    assert!(views.contains("read_csv('f[*]l[?][[]l]/moves.csv'"), "{views}");
    let output = run(home.path(), &["schema", "--sql", "."])?;
    assert_eq!(output.status.code(), Some(2));
    Ok(())
}

/// No two findings of one rule begin at the same byte of an input, except those about copies.
#[test]
fn findings_have_identities_of_their_own() -> Outcome {
    let home = tempfile::tempdir()?;
    let report = home.path().join("report");
    let arguments = ["check", "--profile", "strict", "--duplicates", "--fail-on", "never", "-q", "-o"];
    let inputs = fixture("conformance");
    let paths = [report.to_str(), inputs.to_str()].map(|path| path.ok_or("a path"));
    let output = run(home.path(), &[&arguments[..], &[paths[0]?, paths[1]?]].concat())?;
    assert!(report.join("run.json").is_file(), "{output:?}");
    let (mut ids, mut places) = (BTreeSet::new(), BTreeSet::new());
    for table in TableShape::all().iter().filter(|table| table.is_in_report && table.columns[0].name == "id") {
        for row in rows(&report.join(table.file), table)? {
            assert!(ids.insert(row["id"].clone()), "{row:?}");
            assert!(row["id"].starts_with('i') && row["fingerprint"].starts_with('k'), "{row:?}");
            let place = (row["input"].clone(), row["byte"].clone(), row["rule"].clone());
            assert!(places.insert(place) || table.file == "duplicates.csv", "{row:?}");
        }
    }
    assert!(ids.len() > 800, "{}", ids.len());
    Ok(())
}
