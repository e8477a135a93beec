//! Findings printed to a stream, for pipes and CI systems.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    COLUMNS, TOOL,
    csv_file::Rows,
    key::{finding_id, key},
    write_json,
};
use crate::{
    pipeline::{Failure, InputSummary, RunSummary, Sink},
    rules::{Finding, Partner, RULES, Rule, Severity},
    text::wording::{printable, printable_name},
};

/// The format of printed findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFormat {
    /// One table with the columns of the report.
    Csv,
    /// One JSON object per line. Its keys are the columns of the report.
    Jsonl,
    /// SARIF 2.1.0, the interchange format of static analysis tools.
    Sarif,
    /// Workflow commands, which GitHub shows as annotations.
    Github,
}

impl StreamFormat {
    /// All formats.
    pub const ALL: [StreamFormat; 4] = [StreamFormat::Csv, StreamFormat::Jsonl, StreamFormat::Sarif, StreamFormat::Github];

    /// The value on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            StreamFormat::Csv => "csv",
            StreamFormat::Jsonl => "jsonl",
            StreamFormat::Sarif => "sarif",
            StreamFormat::Github => "github",
        }
    }
}

/// Writes new findings to a stream. Findings in the baseline are skipped.
#[derive(Debug)]
pub struct Stream<W: Write> {
    writer: Writer<W>,
}

#[derive(Debug)]
enum Writer<W: Write> {
    Csv(Box<Rows<W>>),
    Jsonl(W),
    Sarif { to: W, results: u64, notifications: Vec<Value> },
    Github(W),
}

/// Maximum number of audit failures in SARIF. The report contains all of them.
const MAX_NOTIFICATIONS: usize = 1000;

impl<W: Write> Stream<W> {
    /// Writes the start of the stream.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(mut to: W, format: StreamFormat) -> io::Result<Stream<W>> {
        let writer = match format {
            StreamFormat::Csv => Writer::Csv(Box::new(Rows::begin(to, &COLUMNS)?)),
            StreamFormat::Jsonl => Writer::Jsonl(to),
            StreamFormat::Sarif => {
                write!(
                    to,
                    "{{\n\"$schema\": \"{SARIF_SCHEMA}\",\n\"version\": \"2.1.0\",\n\"runs\": [{{\n\"tool\": {},\n\"results\": [",
                    tool()
                )?;
                Writer::Sarif { to, results: 0, notifications: Vec::new() }
            }
            StreamFormat::Github => Writer::Github(to),
        };
        Ok(Stream { writer })
    }

    /// Writes the end of the stream.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self, summary: &RunSummary) -> io::Result<()> {
        match self.writer {
            Writer::Csv(rows) => rows.end()?.flush(),
            Writer::Jsonl(mut to) | Writer::Github(mut to) => to.flush(),
            Writer::Sarif { mut to, notifications, .. } => {
                let invocation = json!({
                    "executionSuccessful": summary.failures == 0 && !summary.interrupted,
                    "toolExecutionNotifications": notifications,
                });
                write!(to, "\n],\n\"invocations\": [")?;
                write_json(&mut to, &invocation)?;
                writeln!(to, "]\n}}]\n}}")?;
                to.flush()
            }
        }
    }
}

impl<W: Write> Sink for Stream<W> {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        if finding.known {
            return Ok(());
        }
        match &mut self.writer {
            Writer::Csv(rows) => rows.row(|row| row.finding(input, finding)),
            Writer::Jsonl(to) => {
                write_json(&mut *to, &FindingRecord::new(input, finding))?;
                to.write_all(b"\n")
            }
            Writer::Sarif { to, results, .. } => {
                let comma = if *results == 0 { "" } else { "," };
                *results += 1;
                writeln!(to, "{comma}")?;
                write_json(to, &result(input, finding))
            }
            Writer::Github(to) => annotation(to, input, finding),
        }
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        match &mut self.writer {
            Writer::Sarif { notifications, .. } => {
                if notifications.len() < MAX_NOTIFICATIONS {
                    notifications.push(json!({
                        "level": "error",
                        "message": { "text": failure.message },
                        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&failure.input) } } }],
                    }));
                }
                Ok(())
            }
            Writer::Github(to) => {
                let (file, message) = (property(&printable_name(&failure.input)), data(&printable(&failure.message)));
                writeln!(to, "::error file={file},title=audit failure::{message}")
            }
            Writer::Csv(_) | Writer::Jsonl(_) => Ok(()),
        }
    }
}

/// A finding as JSON. The keys are the columns of the report; empty values are omitted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindingRecord<'a> {
    id: String,
    rule: String,
    name: &'a str,
    severity: &'static str,
    input: &'a str,
    line: u64,
    column: u64,
    byte: usize,
    end_byte: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    variation: String,
    #[serde(rename = "move", skip_serializing_if = "str::is_empty")]
    move_text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    found: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    expected: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    alternatives: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair_ply: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    fen: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    game_label: &'a str,
    message: &'a str,
    known: bool,
    fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    partner: Option<&'a Partner>,
}

impl<'a> FindingRecord<'a> {
    fn new(input: &'a str, finding: &'a Finding) -> FindingRecord<'a> {
        FindingRecord {
            id: finding_id(input, finding),
            rule: finding.rule.code.to_string(),
            name: finding.rule.name,
            severity: finding.severity.as_str(),
            input,
            line: finding.line,
            column: finding.column,
            byte: finding.place.start,
            end_byte: finding.place.end,
            game: (finding.game > 0).then_some(finding.game),
            ply: finding.ply,
            variation: finding.variation_path(),
            move_text: &finding.move_text,
            found: &finding.found,
            expected: &finding.expected,
            alternatives: &finding.alternatives,
            cause: finding.cause.map(|code| code.to_string()),
            repair: finding.certainty().map(|repair| repair.as_str()),
            repair_ply: finding.repair_ply,
            fen: &finding.fen,
            game_label: &finding.game_label,
            message: &finding.message,
            known: finding.known,
            fingerprint: key(finding.fingerprint),
            partner: finding.partner.as_deref(),
        }
    }
}

const SARIF_SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The severity in SARIF.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// The tool and all rules. `ruleIndex` refers to the order of the rules.
fn tool() -> Value {
    let rules: Vec<Value> = RULES.iter().map(|rule| reporting_descriptor(rule)).collect();
    json!({ "driver": { "name": TOOL, "version": env!("CARGO_PKG_VERSION"), "rules": rules } })
}

fn reporting_descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.code.to_string(),
        "name": rule.name,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.what },
        "help": { "text": format!("{} {}", rule.why, rule.fix) },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

/// A finding in SARIF. Columns are omitted, because SARIF counts them in characters; there are byte
/// offsets instead.
fn result(input: &str, finding: &Finding) -> Value {
    let mut region =
        json!({ "byteOffset": finding.place.start, "byteLength": finding.place.end.saturating_sub(finding.place.start) });
    if finding.line > 0 {
        region["startLine"] = json!(finding.line);
    }
    let record = FindingRecord::new(input, finding);
    let mut result = json!({
        "ruleId": record.rule,
        "level": level(finding.severity),
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(input) }, "region": region } }],
        "partialFingerprints": { "chessAudit/v1": format!("{:016x}", finding.fingerprint) },
    });
    if let Some(index) = RULES.iter().position(|rule| rule.code == finding.rule.code) {
        result["ruleIndex"] = json!(index);
    }
    let mut properties = serde_json::to_value(&record).unwrap_or_default();
    if let Some(properties) = properties.as_object_mut() {
        for standard in ["rule", "name", "severity", "input", "line", "byte", "end_byte", "message", "fingerprint"] {
            properties.remove(standard);
        }
    }
    result["properties"] = properties;
    result
}

/// A name as a relative reference (RFC 3986), percent-encoded.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    // With a colon, the first segment would be a scheme.
    if name.split('/').next().is_some_and(|first| first.contains(':')) {
        uri.push_str("./");
    }
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'+' | b',' | b'=' | b'@' | b':' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A finding as a workflow command.
fn annotation(to: &mut dyn Write, input: &str, finding: &Finding) -> io::Result<()> {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    write!(to, "::{command} file={}", property(&printable_name(input)))?;
    if finding.line > 0 {
        write!(to, ",line={},col={}", finding.line, finding.column)?;
    }
    let rule = finding.rule;
    write!(to, ",title={} {}::{}", rule.code, property(rule.name), data(&printable(&finding.message)))?;
    if !finding.game_label.is_empty() {
        write!(to, " ({})", data(&printable(&finding.game_label)))?;
    }
    writeln!(to)
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_percent_encoded() {
        assert_eq!(uri("a/b c.pgn"), "a/b%20c.pgn");
        assert_eq!(uri("ü%.pgn"), "%C3%BC%25.pgn");
        assert_eq!(uri("c:x/y:z"), "./c:x/y:z");
    }

    #[test]
    fn workflow_commands_are_escaped() {
        assert_eq!(data("100%\r\n"), "100%25%0D%0A");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
