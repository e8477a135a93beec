//! Reports about any bytes: what is read back is what was found, in CSV and in every stream.

use std::{collections::BTreeMap, fs, path::Path};

use chess_audit::internals::{
    pipeline::{RunSummary, Sink},
    report::{
        COLUMNS, Column, CompareTables, Comparison, FAILURES, FindingChange, INPUTS, ReadError, Report, ReportReader,
        RunSettings, SUMMARY, Stream, StreamFormat, Table, spreadsheet_safe,
    },
    rules::{Finding, Profile, RULES, Selection},
    text::{
        Format,
        wording::{is_printable, printable, printable_name},
    },
};

use crate::common::{AuditResult, audit_as_it_is, everything};

/// Audits the text, and writes the findings under a name that the text begins with.
pub fn run(text: &[u8]) {
    let name: String = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
    for format in [Format::Pgn, Format::Epd] {
        let settings = chess_audit::internals::pipeline::Settings { selection: Selection::of(Profile::Export), ..everything() };
        let result = audit_as_it_is(text, format, settings);
        report(&name, &result);
        streams(&name, &result);
    }
}

fn report(name: &str, result: &AuditResult) {
    let home = tempfile::tempdir().expect("a temporary directory can be made");
    let place = home.path().join("report");
    let settings = RunSettings { html_rows: None, ..RunSettings::default() };
    let mut report = Report::create(&place, settings).expect("the directory is writable");
    for (_, finding) in &result.findings {
        report.finding(name, finding).expect("it can be written");
    }
    for input in &result.inputs {
        let input = chess_audit::internals::pipeline::InputSummary { name: name.to_owned(), ..input.clone() };
        report.input(&input).expect("it can be written");
    }
    for failure in &result.failures {
        report.failure(failure).expect("it can be written");
    }
    report.complete(&result.summary).expect("it can be written").finish().expect("it can be written");

    let mut expected: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    for (_, finding) in &result.findings {
        let table = Table::of(finding.rule.code.family());
        expected.entry(table.file_name()).or_default().push(cells(name, finding));
    }
    for table in Table::ALL {
        let found = rows(&place.join(table.file_name()), &table.shape());
        let own = |row: Vec<String>| row.iter().take(COLUMNS.len()).skip(1).map(|cell| unquoted(cell)).collect();
        let found: Vec<Vec<String>> = found.into_iter().map(own).collect();
        assert_eq!(found, expected.remove(table.file_name()).unwrap_or_default(), "{}", table.file_name());
    }
    assert!(rows(&place.join("summary.csv"), &SUMMARY).len() >= RULES.len());
    assert_eq!(rows(&place.join("failures.csv"), &FAILURES).len(), result.failures.len());
    let inputs = rows(&place.join("inputs.csv"), &INPUTS);
    assert_eq!(inputs.iter().map(|row| unquoted(&row[0])).collect::<Vec<_>>(), [printable_name(name)]);

    let reader = ReportReader::open(&place).expect("it is a report");
    let mut findings = 0;
    let read = reader.for_each_finding::<ReadError>(|_| {
        findings += 1;
        Ok(())
    });
    assert!(read.is_ok(), "{read:?}");
    assert_eq!(findings, result.findings.len());
    let comparison = Comparison::of(&place, &place, CompareTables::default()).expect("a report can be compared with itself");
    let changed = FindingChange::ALL.iter().filter(|change| comparison.of_change(**change).total() > 0);
    assert_eq!(changed.count(), 0);
}

/// The rows of a table, each of them with all columns.
fn rows(path: &Path, columns: &[Column]) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).expect("the table is text in UTF-8");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = reader.deserialize().collect::<Result<_, _>>().expect("every row has all columns");
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    assert_eq!(rows.remove(0), names, "{}", path.display());
    for cell in rows.iter().flatten() {
        assert!(!is_formula(cell) && cell.chars().all(is_printable), "{cell:?} in {}", path.display());
    }
    rows
}

/// Whether a spreadsheet may run the cell. Signs alone, numbers and results are none.
pub fn is_formula(cell: &str) -> bool {
    let content = cell.trim_start();
    content.starts_with(['=', '@'])
        || (content.starts_with(['+', '-'])
            && content.chars().any(|letter| letter.is_alphabetic() || letter == '(' || letter == '|'))
}

/// A cell without the quote before formulas.
pub fn unquoted(cell: &str) -> String {
    match cell.strip_prefix('\'') {
        Some(rest) if spreadsheet_safe(rest) == cell => rest.to_owned(),
        _ => cell.to_owned(),
    }
}

/// The cells of a finding, without its id.
fn cells(name: &str, finding: &Finding) -> Vec<String> {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    vec![
        finding.rule.code.to_string(),
        finding.rule.name.to_owned(),
        finding.severity.as_str().to_owned(),
        printable_name(name).into_owned(),
        finding.line.to_string(),
        finding.column.to_string(),
        finding.place.start.to_string(),
        finding.place.end.to_string(),
        number(Some(finding.game).filter(|game| *game > 0)),
        number(finding.ply.map(u64::from)),
        finding.variation_path(),
        printable(&finding.move_text).into_owned(),
        printable(&finding.found).into_owned(),
        printable(&finding.expected).into_owned(),
        printable(&finding.alternatives.join("; ")).into_owned(),
        finding.cause.map(|code| code.to_string()).unwrap_or_default(),
        finding.certainty().map(|certainty| certainty.as_str().to_owned()).unwrap_or_default(),
        number(finding.repair_ply.map(u64::from)),
        printable(&finding.fen).into_owned(),
        printable(&finding.game_label).into_owned(),
        printable(&finding.message).into_owned(),
        finding.known.to_string(),
        format!("k{:016x}", finding.fingerprint),
    ]
}

fn streams(name: &str, result: &AuditResult) {
    for format in StreamFormat::ALL {
        let mut text = Vec::new();
        let mut stream = Stream::begin(&mut text, format).expect("memory can be written");
        for (_, finding) in &result.findings {
            stream.finding(name, finding).expect("memory can be written");
        }
        stream.finish(&RunSummary::default()).expect("memory can be written");
        let text = String::from_utf8(text).expect("a stream is text in UTF-8");
        let number = result.findings.len();
        match format {
            StreamFormat::Csv => {
                let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
                let rows: Vec<Vec<String>> = reader.deserialize().collect::<Result<_, _>>().expect("every row has all columns");
                assert_eq!(rows.len(), number + 1);
            }
            StreamFormat::Jsonl => {
                let lines: Vec<serde_json::Value> =
                    text.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect();
                assert_eq!(lines.len(), number);
                for (line, (_, finding)) in lines.iter().zip(&result.findings) {
                    assert_eq!((&line["message"], &line["input"]), (&finding.message.as_str().into(), &name.into()));
                }
            }
            StreamFormat::Sarif => {
                let log: serde_json::Value = serde_json::from_str(&text).expect("SARIF is JSON");
                assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(number));
            }
            StreamFormat::Text => {
                assert_eq!(text.split_terminator('\n').count(), number);
            }
            StreamFormat::Gitlab => {
                let issues: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a report is a list");
                assert_eq!(issues.len(), number);
            }
            StreamFormat::Junit => {
                assert_eq!(text.matches("<failure ").count(), number);
            }
            StreamFormat::Github => {
                assert_eq!(text.split_terminator('\n').count(), number);
                assert!(text.split_terminator('\n').all(|line| line.starts_with("::") && !line.contains('\r')), "{text}");
            }
        }
    }
}
