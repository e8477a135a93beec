//! `chess-audit schema`.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::{
    format::is_report_file,
    report::{duckdb_views, json_schema},
};
use anyhow::bail;
use serde_json::json;

use super::{args::SchemaArguments, outcome::Outcome, text::join_and};

/// Prints a JSON Schema, or statements for a database.
pub fn run(arguments: &SchemaArguments) -> anyhow::Result<Outcome> {
    let mut to = anstream::stdout().lock();
    if let Some(report) = &arguments.sql {
        if !report.join("run.json").is_file() {
            bail!("`{}` is not a report: it has no run.json; give the directory that `check` has written", report.display());
        }
        let games = arguments.games.as_deref().map(Path::to_string_lossy);
        let is_there = |file: &str| is_report_file(file.as_ref()) && report.join(file).is_file();
        let views = duckdb_views(&report.to_string_lossy(), games.as_deref(), is_there);
        write!(to, "{views}")?;
        return Ok(Outcome::Success);
    }
    let mut schema = json_schema();
    if let Some(name) = &arguments.name {
        let names: Vec<String> = schema["$defs"].as_object().into_iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
        if schema["$defs"].get(name).is_none() {
            bail!("there is no output `{name}`; known are {}", join_and(&names));
        }
        schema["$ref"] = json!(format!("#/$defs/{name}"));
    }
    serde_json::to_writer_pretty(&mut to, &schema).map_err(io::Error::from)?;
    writeln!(to)?;
    Ok(Outcome::Success)
}
