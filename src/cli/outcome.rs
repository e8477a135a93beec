//! The outcome of a command, as an exit code.

use crate::{pipeline::RunSummary, rules::Severity};

use super::interrupt;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No findings that affect the exit code.
    Success,
    /// Findings that affect the exit code.
    Findings,
    /// The command failed: invalid arguments, unreadable input or unwritable output.
    Failed,
    /// A signal ended the command.
    Interrupted,
}

impl Outcome {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Success => 0,
            Outcome::Findings => 1,
            Outcome::Failed => 2,
            Outcome::Interrupted => interrupt::exit_code(),
        }
    }

    /// The outcome of a run that was not interrupted. Findings below `fail_on` do not matter; with
    /// `None` none do.
    pub fn of(summary: &RunSummary, fail_on: Option<Severity>) -> Outcome {
        if summary.failures > 0 {
            Outcome::Failed
        } else if fail_on.is_some_and(|severity| summary.findings.without(summary.known).at_least(severity) > 0) {
            Outcome::Findings
        } else {
            Outcome::Success
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::SeverityCounts;

    use super::*;

    fn summary(error: u64, warning: u64, info: u64) -> RunSummary {
        RunSummary { findings: SeverityCounts { error, warning, info }, ..RunSummary::default() }
    }

    #[test]
    fn findings_matter_from_the_given_severity() {
        assert_eq!(Outcome::of(&summary(0, 1, 1), Some(Severity::Error)).code(), 0);
        assert_eq!(Outcome::of(&summary(1, 0, 0), Some(Severity::Error)).code(), 1);
        assert_eq!(Outcome::of(&summary(0, 1, 0), Some(Severity::Warning)).code(), 1);
        assert_eq!(Outcome::of(&summary(0, 0, 1), Some(Severity::Warning)).code(), 0);
        assert_eq!(Outcome::of(&summary(0, 0, 1), Some(Severity::Info)).code(), 1);
        assert_eq!(Outcome::of(&summary(9, 9, 9), None).code(), 0);
    }

    #[test]
    fn failures_take_precedence_over_findings() {
        let failed = RunSummary { failures: 1, ..summary(1, 0, 0) };
        assert_eq!(Outcome::of(&failed, Some(Severity::Error)).code(), 2);
        assert_eq!(Outcome::of(&failed, None).code(), 2);
    }
}
