//! A code quality report of GitLab: a list of issues as JSON.

use std::io::{self, Write};

use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    format::write_json,
    pipeline::Failure,
    rules::{Finding, Severity},
};

/// Maximum number of fingerprints in memory.
const MAX_FINGERPRINTS: usize = 1 << 16;

/// A report that is being written.
#[derive(Debug)]
pub(super) struct CodeQuality<W> {
    to: W,
    is_first: bool,
    /// The fingerprints of the issues so far. GitLab shows only one issue of each.
    fingerprints: FxHashSet<u64>,
}

impl<W: Write> CodeQuality<W> {
    pub fn begin(mut to: W) -> io::Result<CodeQuality<W>> {
        to.write_all(b"[")?;
        Ok(CodeQuality { to, is_first: true, fingerprints: FxHashSet::default() })
    }

    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let rule = finding.rule;
        // Equal games have equal findings.
        let usual = xxh3_64(&[input.as_bytes(), &finding.fingerprint.to_le_bytes()].concat());
        let is_new = self.fingerprints.len() < MAX_FINGERPRINTS && self.fingerprints.insert(usual);
        let place = if is_new { String::new() } else { format!("-{}", finding.place.start) };
        let begin = finding.line.max(1);
        let lines = finding.extent.map_or(0, |extent| extent.lines);
        let label = if finding.game_label.is_empty() { String::new() } else { format!(" ({})", finding.game_label) };
        self.issue(&json!({
            "description": format!("{} {}: {}{label}", rule.code, rule.name, finding.message),
            "check_name": rule.code.to_string(),
            "fingerprint": format!("{usual:016x}{place}"),
            "severity": match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            },
            "location": { "path": path(input), "lines": { "begin": begin, "end": begin + lines } },
        }))
    }

    pub fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        let place = failure.byte.unwrap_or_default().to_le_bytes();
        let identity = [failure.input.as_bytes(), failure.stage.as_bytes(), &place].concat();
        self.issue(&json!({
            "description": format!("audit failure: {}", failure.message),
            "check_name": "audit-failure",
            "fingerprint": format!("{:016x}", xxh3_64(&identity)),
            "severity": "blocker",
            "location": { "path": path(&failure.input), "lines": { "begin": 1 } },
        }))
    }

    fn issue(&mut self, issue: &Value) -> io::Result<()> {
        self.to.write_all(if std::mem::take(&mut self.is_first) { b"\n" } else { b",\n" })?;
        write_json(&mut self.to, issue)
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.to.write_all(b"\n]\n")?;
        self.to.flush()
    }
}

/// The path of an input. GitLab expects it below the root of the repository, without `./`.
fn path(input: &str) -> &str {
    input.strip_prefix("./").unwrap_or(input)
}
