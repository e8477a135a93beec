//! SARIF 2.1.0, the interchange format of static analysis tools.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::finding_record::FindingRecord;
use crate::{
    format::{TOOL, write_json},
    pipeline::{Failure, RunSummary},
    rules::{Certainty, Finding, Patch, RULES, Rule, Severity, shown},
    text::{Extent, Span, code_units},
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The published documentation of this version.
const DOCUMENTATION: &str = concat!("https://docs.rs/chess-audit/", env!("CARGO_PKG_VERSION"), "/chess_audit/");

/// Maximum number of audit failures. The report contains all of them.
const MAX_NOTIFICATIONS: usize = 1000;

/// Maximum number of replacements of a fix. Viewers show all of them before they make one.
const MAX_REPLACEMENTS: usize = 100;

/// A log that is being written.
#[derive(Debug)]
pub(super) struct Log<W> {
    to: W,
    results: u64,
    notifications: Vec<Value>,
}

impl<W: Write> Log<W> {
    pub fn begin(mut to: W) -> io::Result<Log<W>> {
        write!(
            to,
            "{{\n\"$schema\": \"{SCHEMA}\",\n\"version\": \"2.1.0\",\n\"runs\": [{{\n\"tool\": {},\n\
             \"columnKind\": \"utf16CodeUnits\",\n\"newlineSequences\": [\"\\r\\n\", \"\\n\", \"\\r\"],\n\"results\": [",
            tool()
        )?;
        Ok(Log { to, results: 0, notifications: Vec::new() })
    }

    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let comma = if self.results == 0 { "" } else { "," };
        self.results += 1;
        writeln!(self.to, "{comma}")?;
        write_json(&mut self.to, &result(input, finding))
    }

    pub fn failure(&mut self, failure: &Failure) {
        if self.notifications.len() < MAX_NOTIFICATIONS {
            self.notifications.push(json!({
                "level": "error",
                "message": { "text": failure.message },
                "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&failure.input) } } }],
            }));
        }
    }

    pub fn finish(mut self, summary: &RunSummary) -> io::Result<()> {
        let invocation = json!({
            "executionSuccessful": summary.failures == 0 && !summary.interrupted,
            "toolExecutionNotifications": self.notifications,
        });
        write!(self.to, "\n],\n\"invocations\": [")?;
        write_json(&mut self.to, &invocation)?;
        writeln!(self.to, "]\n}}]\n}}")?;
        self.to.flush()
    }
}

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
    let driver = json!({ "name": TOOL, "version": env!("CARGO_PKG_VERSION"), "informationUri": DOCUMENTATION, "rules": rules });
    json!({ "driver": driver })
}

fn reporting_descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.code.to_string(),
        "name": rule.name,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.what },
        "help": { "text": format!("{} {}", rule.why, rule.fix) },
        // The page lists all rules. Browsers scroll to the code.
        "helpUri": format!("{DOCUMENTATION}rules/index.html#:~:text={}", rule.code),
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn result(input: &str, finding: &Finding) -> Value {
    let record = FindingRecord::new(input, finding);
    let mut region = match finding.extent {
        Some(extent) => Region::of(finding, extent).json(),
        None if finding.line > 0 => json!({ "startLine": finding.line }),
        None => json!({}),
    };
    region["byteOffset"] = json!(finding.place.start);
    region["byteLength"] = json!(finding.place.end.saturating_sub(finding.place.start));
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
    if let Some(fix) = fix(input, finding) {
        result["fixes"] = json!([fix]);
    }
    let mut properties = serde_json::to_value(&record).unwrap_or_default();
    if let Some(properties) = properties.as_object_mut() {
        for standard in ["id", "rule", "name", "severity", "input", "line", "byte", "end_byte", "message", "known", "fingerprint"]
        {
            properties.remove(standard);
        }
    }
    result["properties"] = properties;
    result
}

/// The repair, if all its replacements can be located by lines and columns, as editors need it.
fn fix(input: &str, finding: &Finding) -> Option<Value> {
    let repair = finding.repair.as_ref().filter(|repair| repair.patches.len() <= MAX_REPLACEMENTS)?;
    let extent = finding.extent?;
    let replacement = |patch: &Patch| {
        let region = Region::of_patch(finding, extent, patch)?.json();
        Some(json!({ "deletedRegion": region, "insertedContent": { "text": str::from_utf8(&patch.new).ok()? } }))
    };
    let replacements = repair.patches.iter().map(replacement).collect::<Option<Vec<_>>>()?;
    let what = match &repair.patches[..] {
        [Patch { old, new, .. }] if old.is_empty() => format!("Insert `{}`", shown(new)),
        [Patch { old, new, .. }] if new.is_empty() => format!("Remove `{}`", shown(old)),
        [Patch { old, new, .. }] => format!("Replace `{}` by `{}`", shown(old), shown(new)),
        several => format!("Replace {} parts of the text", several.len()),
    };
    let note = if repair.certainty == Certainty::Certain { "" } else { " (likely)" };
    Some(json!({
        "description": { "text": format!("{what}{note}") },
        "artifactChanges": [{ "artifactLocation": { "uri": uri(input) }, "replacements": replacements }],
    }))
}

/// A place by line and column, both from 1. Columns count UTF-16 code units.
type Point = (u64, u64);

/// A part of a text by lines and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    start: Point,
    end: Point,
}

impl Region {
    fn of(finding: &Finding, extent: Extent) -> Region {
        Region { start: (finding.line, extent.column), end: (finding.line + extent.lines, extent.end_column) }
    }

    /// The place of a patch at, inside or next to a finding. `None` if other text is between them.
    fn of_patch(finding: &Finding, extent: Extent, patch: &Patch) -> Option<Region> {
        let Region { start, end } = Region::of(finding, extent);
        let Span { start: from, end: to } = finding.place;
        let Patch { place, old, .. } = patch;
        if *place == finding.place {
            return Some(Region { start, end });
        }
        let is_ascii_before = extent.column == finding.column;
        let is_ascii = start.0 == end.0 && end.1 - start.1 == (to - from) as u64;
        let first = if place.start == from {
            start
        } else if place.start == to {
            end
        } else if place.start > from && place.start < to && is_ascii {
            (start.0, start.1 + (place.start - from) as u64)
        } else if place.start < from && is_ascii_before && ((from - place.start) as u64) < start.1 {
            (start.0, start.1 - (from - place.start) as u64)
        } else {
            let end = match place.end {
                at if at == to => end,
                at if at == from => start,
                _ => return None,
            };
            let start = end.1.checked_sub(code_units(old)).filter(|column| *column > 0 && !has_line_break(old))?;
            return Some(Region { start: (end.0, start), end });
        };
        let last = if has_line_break(old) { return None } else { (first.0, first.1 + code_units(old)) };
        Some(Region { start: first, end: last })
    }

    fn json(self) -> Value {
        let Region { start, end } = self;
        json!({ "startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1 })
    }
}

fn has_line_break(text: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', text).is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_percent_encoded() {
        assert_eq!(uri("a/b c.pgn"), "a/b%20c.pgn");
        assert_eq!(uri("ü%.pgn"), "%C3%BC%25.pgn");
        assert_eq!(uri("c:x/y:z"), "./c:x/y:z");
    }
}
