//! A report as lines, to compare whole reports in tests.

use std::io;

use super::{Failure, InputSummary, Sink};
use crate::{identity::CardBytes, record::Excerpt, rules::Finding};

/// Everything that a report is made of, as lines. The games, which are listed elsewhere, come
/// second.
#[derive(Default)]
pub(super) struct ReportLines(pub Vec<String>, pub Vec<String>);

impl Sink for ReportLines {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.0.push(format!("{input} {} {}", finding.known, serde_json::to_string(finding)?));
        Ok(())
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        self.1.push(format!("game {input} {:?}", game.game()?));
        Ok(())
    }

    fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        self.0.push(format!("example {input} {finding} {around:?}"));
        Ok(())
    }

    fn repair(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.0.push(format!("repair {input} {}", serde_json::to_string(finding)?));
        Ok(())
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.0.push(format!("{summary:?}"));
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.0.push(format!("{failure:?}"));
        Ok(())
    }
}
