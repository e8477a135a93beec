//! What the outputs look like: JSON Schema, the types of tables, and views for SQL.

use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{
    Map, Value, json,
    value::{RawValue, to_raw_value},
};

use super::{ExplanationRecord, FindingRecord};
use crate::{
    format::{
        TOOL, Table,
        columns::{
            BASELINE, CERTIFICATES, COMPARE, COMPARE_GAMES, COMPARE_INPUTS, Column, ColumnType, DIFF, FAILURES, FINDING, FOLDED,
            GAME_KEYS, HISTORY, INPUTS, NAMES, OPEN, OVERLAP, PLAYERS, PROFILE, REPAIRS, SPLIT, SUMMARY, game_columns,
        },
        files::{
            CERTIFICATES_FILE, FAILURES_FILE, FOLDED_FILE, GAME_KEYS_FILE, INPUTS_FILE, NAMES_FILE, OVERLAP_FILE, PLAYERS_FILE,
            PROFILE_FILE, SUMMARY_FILE,
        },
        run::Run,
    },
    review::{
        compare::COMPARE_CSV,
        compare_games::COMPARE_GAMES_CSV,
        compare_inputs::COMPARE_INPUTS_CSV,
        compare_text::ComparisonRecord,
        differences::{DIFF_CSV, DifferenceList},
        nights::{HISTORY_CSV, OPEN_CSV},
    },
};

/// A table that the program writes.
#[derive(Clone, Debug)]
pub struct TableShape {
    /// The file in a report, or the usual name of another file.
    pub file: &'static str,
    /// What its rows are.
    pub what: &'static str,
    /// Whether it is part of a report.
    pub is_in_report: bool,
    /// Its columns.
    pub columns: Vec<Column>,
}

impl TableShape {
    /// All tables: those of findings first, then the others of a report, then other files.
    pub fn all() -> Vec<TableShape> {
        let of_report = |file, what, columns: &[Column]| TableShape { file, what, is_in_report: true, columns: columns.to_vec() };
        let other = |file, what, columns| TableShape { file, what, is_in_report: false, columns };
        let findings = Table::ALL.iter().map(|table| of_report(table.file_name(), table.what(), &table.shape()));
        let others = [
            of_report(SUMMARY_FILE, "the rules, with the number of findings of each severity", &SUMMARY),
            of_report(INPUTS_FILE, "the inputs", &INPUTS),
            of_report(PROFILE_FILE, "the games by year, rating, length and so on, with their results", &PROFILE),
            of_report(FAILURES_FILE, "what the auditor could not do", &FAILURES),
            of_report(PLAYERS_FILE, "with `--duplicates`: the names of players, each in all its spellings", &PLAYERS),
            of_report(NAMES_FILE, "with `--duplicates`: spellings of names for which another one is proposed", &NAMES),
            of_report(GAME_KEYS_FILE, "with `--duplicates`, `--games` and in `nightly`: all games, for `compare`", &GAME_KEYS),
            of_report(
                FOLDED_FILE,
                "next to `game_keys.csv`: findings that are counted on the line of another one, for `compare`",
                &FOLDED,
            ),
            of_report(
                CERTIFICATES_FILE,
                "`check --certify`: whether position lines occur in a game of standard chess",
                &CERTIFICATES,
            ),
            of_report(OVERLAP_FILE, "with `--duplicates`: pairs of inputs that share games", &OVERLAP),
            other("repairs.csv", "`check --repairs`: places to change", REPAIRS.to_vec()),
            other(GAMES_FILE, "`check --games`: all games", game_columns()),
            other("bad.pgn.csv", "`check --bad`: the findings of the records that were put aside", SPLIT.to_vec()),
            other("baseline.csv", "`baseline`: findings that are accepted", BASELINE.to_vec()),
            other(
                COMPARE_CSV,
                "`compare`: findings that are new, gone, changed, known, moved or forgotten",
                [&COMPARE[..], &FINDING].concat(),
            ),
            other(COMPARE_INPUTS_CSV, "`compare`: inputs that are new or gone, or lost records", COMPARE_INPUTS.to_vec()),
            other(COMPARE_GAMES_CSV, "`compare`: games that were added, removed or changed", COMPARE_GAMES.to_vec()),
            other(OPEN_CSV, "in each report of `nightly`: since which night findings are open", OPEN.to_vec()),
            other(HISTORY_CSV, "`nightly`: all nights, with the findings of each rule and the totals", HISTORY.to_vec()),
            other(DIFF_CSV, "`diff`: games that differ", DIFF.to_vec()),
        ];
        findings.chain(others).collect()
    }

    /// The name without its suffix.
    fn name(&self) -> &'static str {
        self.file.split('.').next().unwrap_or_default()
    }
}

/// The types of the tables of a report, as a data package (Frictionless Data, `datapackage.json`).
#[derive(Serialize)]
pub(super) struct DataPackage {
    name: &'static str,
    profile: &'static str,
    resources: Vec<Resource>,
}

/// A table of a data package.
#[derive(Serialize)]
struct Resource {
    name: &'static str,
    path: &'static str,
    description: &'static str,
    format: &'static str,
    mediatype: &'static str,
    encoding: &'static str,
    /// That of its rows, in one line.
    schema: Box<RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TableSchema {
    fields: Vec<Field>,
    missing_values: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    primary_key: Option<&'static str>,
}

/// A column of a table.
#[derive(Serialize)]
struct Field {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    description: &'static str,
    constraints: Constraints,
}

#[derive(Serialize)]
struct Constraints {
    required: bool,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    words: Option<&'static [&'static str]>,
}

impl DataPackage {
    /// That of a report with these files.
    pub fn of(files: &[&str]) -> serde_json::Result<DataPackage> {
        let tables = TableShape::all().into_iter().filter(|table| table.is_in_report && files.contains(&table.file));
        // Most tables of findings have the same columns.
        let mut known: Vec<(Vec<Column>, Box<RawValue>)> = Vec::new();
        let resources = tables.map(|table| {
            let (name, path, description) = (table.name(), table.file, table.what);
            let schema = match known.iter().find(|(columns, _)| *columns == table.columns) {
                Some((_, schema)) => schema.clone(),
                None => {
                    let schema = to_raw_value(&TableSchema {
                        fields: table.columns.iter().map(Field::of).collect(),
                        missing_values: [""],
                        primary_key: table.columns.first().map(|column| column.name).filter(|name| *name == "id"),
                    })?;
                    known.push((table.columns, schema.clone()));
                    schema
                }
            };
            Ok(Resource { name, path, description, format: "csv", mediatype: "text/csv", encoding: "utf-8", schema })
        });
        let resources = resources.collect::<serde_json::Result<_>>()?;
        Ok(DataPackage { name: TOOL, profile: "tabular-data-package", resources })
    }
}

impl Field {
    const fn of(column: &Column) -> Field {
        let kind = match column.kind {
            ColumnType::Text | ColumnType::List | ColumnType::Word(_) => "string",
            ColumnType::Integer => "integer",
            ColumnType::Decimal => "number",
            ColumnType::Boolean => "boolean",
            ColumnType::Date => "date",
        };
        let words = if let ColumnType::Word(words) = column.kind { Some(words) } else { None };
        let constraints = Constraints { required: !column.optional, words };
        Field { name: column.name, kind, description: column.what, constraints }
    }
}

/// A JSON Schema (draft 2020-12). Its `$defs` have an entry for each output in JSON: `run`
/// (`run.json`), `finding` (a line of `check --format jsonl`), `position` (`fen --json`) and
/// `differences` (`diff --format json`), and one for the rows of each table.
pub fn json_schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut defs = Map::new();
    let named = [
        ("run", generator.root_schema_for::<Run<'_>>()),
        ("finding", generator.root_schema_for::<FindingRecord<'_>>()),
        ("position", generator.root_schema_for::<ExplanationRecord>()),
        ("comparison", generator.root_schema_for::<ComparisonRecord<'_>>()),
        ("differences", generator.root_schema_for::<DifferenceList<'_>>()),
    ];
    for (name, schema) in named {
        let mut schema = schema.to_value();
        if let Some(schema) = schema.as_object_mut() {
            ["$schema", "$defs", "title"].iter().for_each(|key| _ = schema.remove(*key));
        }
        defs.insert(name.to_owned(), schema);
    }
    for table in TableShape::all() {
        defs.insert(table.file.to_owned(), row_schema(&table));
    }
    defs.extend(generator.take_definitions(true));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("{TOOL} {}", env!("CARGO_PKG_VERSION")),
        "description": "Refer to an entry of `$defs`. Entries that end in `.csv` describe a row of a table as an object.",
        "$defs": defs,
    })
}

/// A row as an object.
fn row_schema(table: &TableShape) -> Value {
    let property = |column: &Column| {
        let mut kind = match column.kind {
            ColumnType::Text | ColumnType::List => json!({ "type": "string" }),
            ColumnType::Word(words) => json!({ "enum": words }),
            ColumnType::Integer => json!({ "type": "integer", "minimum": 0 }),
            ColumnType::Decimal => json!({ "type": "number", "minimum": 0 }),
            ColumnType::Boolean => json!({ "type": "boolean" }),
            ColumnType::Date => json!({ "type": "string", "format": "date" }),
        };
        kind["description"] = json!(column.what);
        (column.name.to_owned(), kind)
    };
    let properties: Map<String, Value> = table.columns.iter().map(property).collect();
    let required: Vec<&str> = table.columns.iter().filter(|column| !column.optional).map(|column| column.name).collect();
    json!({
        "type": "object",
        "description": table.what,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The usual name of a list of games.
const GAMES_FILE: &str = "games.csv";

/// A path as DuckDB reads it, which takes every path for a glob.
fn without_wildcards(path: &str) -> String {
    let mut escaped = String::new();
    for letter in path.chars() {
        match letter {
            '*' | '?' | '[' => escaped.extend(['[', letter, ']']),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Statements for DuckDB that make a view of each table of the report in this directory, with
/// types, and the view `findings` of all findings. `games` is a list of games, if there is one.
pub fn duckdb_views(report: &str, games: Option<&str>, is_there: impl Fn(&str) -> bool) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let mut sql = String::new();
    let mut findings = Vec::new();
    let in_report = |file: &str| match report {
        "" => file.to_owned(),
        report => format!("{}/{file}", report.trim_end_matches('/')),
    };
    for table in &TableShape::all() {
        let path = match games.filter(|_| table.file == GAMES_FILE) {
            Some(games) => games.to_owned(),
            None if table.is_in_report && is_there(table.file) => in_report(table.file),
            None => continue,
        };
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|column| {
                let kind = match column.kind {
                    ColumnType::Text | ColumnType::List | ColumnType::Word(_) => "VARCHAR",
                    ColumnType::Integer => "BIGINT",
                    ColumnType::Decimal => "DOUBLE",
                    ColumnType::Boolean => "BOOLEAN",
                    ColumnType::Date => "DATE",
                };
                format!("{}: '{kind}'", quoted(column.name))
            })
            .collect();
        sql.push_str(&format!(
            "CREATE OR REPLACE VIEW {} AS SELECT * FROM read_csv({}, header = true, delim = ',', quote = '\"', escape = '\"', \
             columns = {{{}}});\n",
            table.name(),
            quoted(&without_wildcards(&path)),
            columns.join(", ")
        ));
        if table.columns.first().is_some_and(|column| column.name == "id") {
            findings.push(format!("SELECT * FROM {}", table.name()));
        }
    }
    sql.push_str(&format!("CREATE OR REPLACE VIEW findings AS {};\n", findings.join(" UNION ALL BY NAME ")));
    sql
}
