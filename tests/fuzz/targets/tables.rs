//! Cells with any text: what is read back is what was written, in CSV and in every stream.

use std::{borrow::Cow, sync::LazyLock};

use chess_audit::internals::{
    pipeline::{RunSummary, Sink},
    report::{COLUMNS, Stream, StreamFormat, spreadsheet_safe},
    rules::Finding,
    text::{
        Format,
        wording::{printable, printable_name, restored_name},
    },
};

use super::reports::{is_formula, unquoted};
use crate::common::audit_text;

/// A finding with a repair.
static FINDING: LazyLock<Finding> = LazyLock::new(|| {
    let text = b"[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 0-1\n";
    let result = audit_text(text, Format::Pgn);
    let (_, finding) = result.findings.into_iter().next().expect("the move is illegal");
    finding
});

/// Writes the lines of any text as the name of an input and as texts of a finding.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split('\n').map(str::to_owned);
    let mut next = || parts.next().unwrap_or_default();
    let name = next();
    let mut finding = FINDING.clone();
    for cell in [&mut finding.found, &mut finding.expected] {
        *cell = next();
    }
    (finding.move_text, finding.game_label, finding.message) = (next(), next(), next());
    let restored = restored_name(&printable_name(&name));
    assert_eq!(restored, name);
    for format in StreamFormat::ALL {
        let mut written = Vec::new();
        let mut stream = Stream::begin(&mut written, format).expect("memory can be written");
        stream.finding(&name, &finding).expect("memory can be written");
        stream.finish(&RunSummary::default()).expect("memory can be written");
        let written = String::from_utf8(written).expect("a stream is text in UTF-8");
        match format {
            StreamFormat::Csv => cells(&name, &finding, &written),
            StreamFormat::Jsonl => {
                let line: serde_json::Value = serde_json::from_str(&written).expect("a line is an object");
                assert_eq!((&line["message"], &line["input"]), (&finding.message.as_str().into(), &name.as_str().into()));
            }
            StreamFormat::Sarif | StreamFormat::Gitlab => {
                assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok(), "{written}");
            }
            StreamFormat::Text | StreamFormat::Github => assert_eq!(written.split_terminator('\n').count(), 1, "{written}"),
            StreamFormat::Junit => assert_eq!(written.matches("<failure ").count(), 1, "{written}"),
        }
    }
}

/// A table with one row, in which no cell is a formula.
fn cells(name: &str, finding: &Finding, table: &str) {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    assert!(reader.headers().expect("a header").iter().eq(COLUMNS));
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("every row has all columns");
    let [row] = &rows[..] else { panic!("{} rows", rows.len()) };
    let cell = |column: &str| {
        let at = COLUMNS.iter().position(|name| *name == column).expect("a column");
        assert!(!is_formula(&row[at]), "{:?}", &row[at]);
        unquoted(&row[at])
    };
    let texts: [(&str, Cow<'_, str>); 4] = [
        ("input", printable_name(name)),
        ("found", printable(&finding.found)),
        ("expected", printable(&finding.expected)),
        ("message", printable(&finding.message)),
    ];
    for (column, text) in texts {
        assert_eq!(cell(column), text, "{column}: {}", spreadsheet_safe(&text));
    }
}
