//! JUnit XML: a suite for each input, and a failed test for each finding.

use std::io::{self, Write};

use crate::{
    format::TOOL,
    pipeline::Failure,
    rules::Finding,
    spill::Queue,
    text::wording::{printable, printable_name},
};

/// Number of tests of a suite in memory. The others are in a temporary file.
const IN_MEMORY: usize = 1024;

/// Suites that are being written.
#[derive(Debug)]
pub(super) struct TestSuites<W> {
    to: W,
    /// The input of the suite.
    input: String,
    /// The tests of the suite. Their number comes first.
    tests: Queue<String>,
    failures: u64,
    errors: u64,
}

impl<W: Write> TestSuites<W> {
    pub fn begin(mut to: W) -> io::Result<TestSuites<W>> {
        writeln!(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{TOOL}\">")?;
        Ok(TestSuites { to, input: String::new(), tests: no_tests(), failures: 0, errors: 0 })
    }

    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let Finding { rule, severity, line, column, message, .. } = finding;
        let label = if finding.game_label.is_empty() { String::new() } else { format!(" ({})", finding.game_label) };
        // GitLab shows the text and not its attribute, and Jenkins shows both.
        let text = format!("{}:{line}:{column}: {severity} {} {message}{label}", printable_name(input), rule.code);
        let name = format!("{} {} {line}:{column}", rule.code, rule.name);
        let outcome = format!("<failure type=\"{severity}\" message=\"{}\">{}</failure>", escaped(message), escaped(&text));
        self.failures += 1;
        self.test(input, &name, &outcome)
    }

    pub fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        let place = failure.byte.map_or(String::new(), |byte| format!(" byte {byte}"));
        let message = escaped(&failure.message);
        let outcome = format!("<error type=\"{}\" message=\"{message}\">{message}</error>", failure.stage);
        self.errors += 1;
        self.test(&failure.input, &format!("audit failure{place}"), &outcome)
    }

    /// Ends the suite of an input. If nothing was found in it, the suite has a test that succeeded.
    pub fn input(&mut self, input: &str) -> io::Result<()> {
        self.turn_to(input)?;
        if self.tests.is_empty() {
            self.test(input, "no findings", "")?;
        }
        self.end_suite()
    }

    fn test(&mut self, input: &str, name: &str, outcome: &str) -> io::Result<()> {
        self.turn_to(input)?;
        let input = escaped(&printable_name(input));
        let name = escaped(name);
        self.tests.push(format!("<testcase classname=\"{input}\" name=\"{name}\">{outcome}</testcase>"))
    }

    fn turn_to(&mut self, input: &str) -> io::Result<()> {
        if self.input != input {
            self.end_suite()?;
            input.clone_into(&mut self.input);
        }
        Ok(())
    }

    fn end_suite(&mut self) -> io::Result<()> {
        let tests = std::mem::replace(&mut self.tests, no_tests());
        if tests.is_empty() {
            return Ok(());
        }
        let (failures, errors) = (std::mem::take(&mut self.failures), std::mem::take(&mut self.errors));
        let number = (failures + errors).max(1);
        let name = escaped(&printable_name(&self.input));
        writeln!(
            self.to,
            "<testsuite name=\"{name}\" file=\"{name}\" tests=\"{number}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\">"
        )?;
        tests.drain(|test| writeln!(self.to, "{test}"))?;
        writeln!(self.to, "</testsuite>")
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.end_suite()?;
        writeln!(self.to, "</testsuites>")?;
        self.to.flush()
    }
}

const fn no_tests() -> Queue<String> {
    Queue::with_limit(IN_MEMORY)
}

/// Escapes text for XML, which cannot contain all characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => out.extend(character.escape_default()),
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\">\u{1b}\u{FFFF}"), "a&lt;b &amp; &quot;c&quot;&gt;\\u{1b}\\u{ffff}");
    }
}
