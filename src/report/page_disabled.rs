//! Stand-in for the page in builds without the feature `html`. There is never a page.

use std::{fs::File, io, path::Path};

use super::{RunSettings, trend::Trend};
use crate::{
    identity::{DifferenceCounts, GameDifference},
    pipeline::{Failure, InputSummary, RunSummary},
    record::Excerpt,
    rules::Finding,
};

/// The content of the page. This build does not write one.
#[derive(Debug)]
pub(super) enum Page {}

impl Page {
    /// `None`, even if a page is wanted.
    pub fn new(_: &RunSettings) -> Option<Page> {
        None
    }

    /// Keeps a finding.
    pub fn example(&mut self, _: &str, _: &Finding, _: Option<&Excerpt>) {
        match *self {}
    }

    /// Adds a finding.
    pub fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        match *self {}
    }

    /// Records the summary of the current input.
    pub fn input(&mut self, _: &InputSummary) {
        match *self {}
    }

    /// Sets how the findings have changed in the last nights.
    pub fn set_trend(&mut self, _: Trend) {
        match *self {}
    }

    /// Records an audit failure.
    pub fn failure(&mut self, _: &Failure) {
        match *self {}
    }

    /// Writes the page to the directory of the report. Returns its file.
    pub fn write(self, _: &Path, _: &RunSettings, _: &RunSummary) -> io::Result<File> {
        match self {}
    }
}

/// How two corpora differ, as a page. This build does not write one.
#[derive(Debug)]
pub enum DiffPage {}

impl DiffPage {
    /// `None`, because this build writes no pages.
    pub const fn new(_: [&str; 2]) -> Option<DiffPage> {
        None
    }

    /// Adds the changes of a game.
    pub fn difference(&mut self, _: &GameDifference<'_>) {
        match *self {}
    }

    /// The page as HTML.
    pub fn html(self, _: &DifferenceCounts) -> String {
        match self {}
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::{
        pipeline::RunSummary,
        report::{Report, RunSettings},
    };

    #[test]
    fn report_has_no_page() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let destination = directory.path().join("report");
        let settings = RunSettings { html_rows: Some(3), ..RunSettings::default() };
        Report::create(&destination, settings)?.finish(&RunSummary::default())?;
        assert!(!destination.join("report.html").exists());
        let run: serde_json::Value = serde_json::from_slice(&fs::read(destination.join("run.json"))?)?;
        assert_eq!(run["settings"]["html_rows"], serde_json::Value::Null);
        Ok(())
    }
}
