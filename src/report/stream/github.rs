//! Workflow commands, which GitHub shows as annotations.

use std::{
    fs::File,
    io::{self, Write},
};

use crate::{
    pipeline::Failure,
    review::compare::escaped,
    rules::{Finding, Severity},
    text::wording::{printable, printable_name, quantity, thousands},
};

/// Maximum number of annotations of each severity that GitHub shows per step.
const MAX_SHOWN: u64 = 10;

/// Maximum length of the list in a step summary. GitHub refuses summaries of more than 1 MiB.
const MAX_LISTED: usize = 1_000_000;

/// Annotations that are being written.
#[derive(Debug)]
pub(super) struct Annotations<W> {
    to: W,
    /// Number of annotations of each severity.
    written: [u64; 3],
    summary: Option<StepSummary>,
}

/// What GitHub does not show as annotations, as Markdown.
#[derive(Debug)]
struct StepSummary {
    to: File,
    list: String,
    listed: u64,
    omitted: u64,
}

impl<W: Write> Annotations<W> {
    pub const fn begin(to: W) -> Annotations<W> {
        Annotations { to, written: [0; 3], summary: None }
    }

    /// Lists what GitHub does not show in this file.
    pub fn set_step_summary(&mut self, to: File) {
        self.summary = Some(StepSummary { to, list: String::new(), listed: 0, omitted: 0 });
    }

    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let input = printable_name(input);
        let (rule, message) = (finding.rule, printable(&finding.message));
        write!(self.to, "::{} file={}", command(finding.severity), property(&input))?;
        if finding.line > 0 {
            write!(self.to, ",line={},col={}", finding.line, finding.column)?;
        }
        write!(self.to, ",title={} {}::{}", rule.code, property(rule.name), data(&message))?;
        if !finding.game_label.is_empty() {
            write!(self.to, " ({})", data(&printable(&finding.game_label)))?;
        }
        writeln!(self.to)?;
        self.count(finding.severity, || {
            let place = format!("{input}:{}:{}", finding.line, finding.column);
            (place, format!("{} {}: {message}", rule.code, rule.name))
        });
        Ok(())
    }

    pub fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        let (input, message) = (printable_name(&failure.input), printable(&failure.message));
        writeln!(self.to, "::error file={},title=audit failure::{}", property(&input), data(&message))?;
        self.count(Severity::Error, || (input.into_owned(), format!("audit failure: {message}")));
        Ok(())
    }

    /// Counts an annotation, and lists it if GitHub does not show it. `line` is its place and what
    /// it says.
    fn count(&mut self, severity: Severity, line: impl FnOnce() -> (String, String)) {
        let written = &mut self.written[severity as usize];
        *written += 1;
        let Some(summary) = self.summary.as_mut().filter(|_| *written > MAX_SHOWN) else { return };
        let (place, text) = line();
        let line = format!("* **{}** {} {}\n", command(severity), escaped(&place), escaped(&text));
        if summary.omitted == 0 && summary.list.len() + line.len() <= MAX_LISTED {
            summary.list.push_str(&line);
            summary.listed += 1;
        } else {
            summary.omitted += 1;
        }
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.to.flush()?;
        let Some(StepSummary { mut to, list, listed, omitted }) = self.summary.filter(|summary| summary.listed > 0) else {
            return Ok(());
        };
        let all = quantity(listed + omitted, "more annotation", "more annotations");
        let mut text = format!(
            "### chess-audit: {all}\n\nGitHub shows at most {MAX_SHOWN} annotations of each severity per step. \
             The log of the step contains all of them.\n\n{list}"
        );
        if omitted > 0 {
            text.push_str(&format!("\n{} more are not listed here.\n", thousands(omitted)));
        }
        to.write_all(text.as_bytes())?;
        to.flush()
    }
}

/// The severity in GitHub.
const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    }
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
    fn workflow_commands_are_escaped() {
        assert_eq!(data("100%\r\n"), "100%25%0D%0A");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
