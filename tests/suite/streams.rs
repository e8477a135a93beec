//! Findings for pipes and CI systems: every form holds the same findings, and is what its readers expect.

use std::{error::Error, fs};

use crate::common::{AuditResult, audit_text, fixture};
use boon::{Compiler, Schemas};
use chess_audit::{
    pipeline::{Failure, RunSummary, Sink},
    report::{COLUMNS, Stream, StreamFormat},
    rules::{RULES, Severity},
    text::Format,
};
use serde_json::Value;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn showcase() -> Outcome<AuditResult> {
    Ok(audit_text(&fs::read(fixture("showcase.pgn"))?, Format::Pgn))
}

fn streamed(audit_result: &AuditResult, format: StreamFormat) -> Outcome<String> {
    let mut text = Vec::new();
    let mut stream = Stream::begin(&mut text, format)?;
    for (_, finding) in &audit_result.findings {
        stream.finding("a folder/100%,\n:.pgn", finding)?;
    }
    stream.failure(&Failure { input: "b.pgn".to_owned(), byte: Some(3), stage: "read", message: "gone\nfor ever".to_owned() })?;
    stream.finish(&RunSummary { failures: 1, ..RunSummary::default() })?;
    Ok(String::from_utf8(text)?)
}

#[test]
fn sarif_validates_against_its_published_schema() -> Outcome {
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(fixture("sarif/sarif-schema-2.1.0.json"))?)?;
    // The published pattern for languages is not a valid regular expression: it closes a bracket that was never opened.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"].as_object_mut().and_then(|language| language.remove("pattern"));
    }
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("sarif.json", schema)?;
    let schema = compiler.compile("sarif.json", &mut schemas)?;
    let audit_result = showcase()?;
    let log: Value = serde_json::from_str(&streamed(&audit_result, StreamFormat::Sarif)?)?;
    let fault = schemas.validate(&log, schema).err().map(|fault| fault.to_string());
    assert_eq!(fault, None);
    // The validator does find faults.
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(schemas.validate(&wrong, schema).is_err());

    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().map(Vec::len), Some(1));
    let results = run["results"].as_array().ok_or("no results")?;
    assert_eq!(results.len(), audit_result.findings.len());
    for (result, (_, finding)) in results.iter().zip(&audit_result.findings) {
        let index = result["ruleIndex"].as_u64().ok_or("no index")? as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], finding.rule.code.to_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20folder/100%25,%0A:.pgn");
        assert_eq!(place["region"]["byteOffset"], finding.place.start);
        assert_eq!(result["message"]["text"], finding.message);
    }
    assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(RULES.len()));
    Ok(())
}

#[test]
fn a_line_of_json_holds_what_a_row_of_csv_holds() -> Outcome {
    let audit_result = showcase()?;
    let (lines, table) = (streamed(&audit_result, StreamFormat::Jsonl)?, streamed(&audit_result, StreamFormat::Csv)?);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(reader.headers()?, &COLUMNS[..]);
    let rows = reader.records().collect::<Result<Vec<_>, _>>()?;
    assert_eq!((rows.len(), lines.lines().count()), (audit_result.findings.len(), audit_result.findings.len()));
    for (line, row) in lines.lines().zip(rows) {
        let object: Value = serde_json::from_str(line)?;
        for (name, cell) in COLUMNS.into_iter().zip(&row) {
            let value = match &object[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // The name has a line feed, which only JSON can hold safely.
            let value = value.replace('\n', "\\u{a}");
            assert_eq!(cell.strip_prefix('\'').unwrap_or(cell), value.strip_prefix('\'').unwrap_or(&value), "{name} in {line}");
        }
        assert!(object.as_object().is_some_and(|object| object.keys().all(|key| COLUMNS.contains(&key.as_str()))), "{line}");
    }
    Ok(())
}

#[test]
fn a_finding_is_one_workflow_command_whatever_it_holds() -> Outcome {
    let audit_result = showcase()?;
    let text = streamed(&audit_result, StreamFormat::Github)?;
    assert_eq!(text.lines().count(), audit_result.findings.len() + 1);
    for (line, (_, finding)) in text.lines().zip(&audit_result.findings) {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place =
            format!("::{command} file=a folder/100%25%2C\\u{{a}}%3A.pgn,line={},col={},title=", finding.line, finding.column);
        assert!(line.starts_with(&place), "{line}");
    }
    assert_eq!(text.lines().last(), Some("::error file=b.pgn,title=audit failure::gone\\nfor ever"));
    Ok(())
}

#[test]
fn what_is_known_is_not_printed() -> Outcome {
    let mut audit_result = showcase()?;
    let all = audit_result.findings.len();
    audit_result.findings[0].1.known = true;
    assert_eq!(streamed(&audit_result, StreamFormat::Jsonl)?.lines().count(), all - 1);
    Ok(())
}
