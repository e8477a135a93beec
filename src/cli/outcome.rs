//! How a command ended, as an exit code.

use chess_audit::{pipeline::RunSummary, rules::Severity};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing that counts was found.
    Clean,
    /// Something was found.
    Found,
    /// The audit itself failed.
    AuditFailed,
    /// Somebody stopped it.
    Interrupted,
}

impl Outcome {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Found => 1,
            Outcome::AuditFailed => 2,
            Outcome::Interrupted => 130,
        }
    }

    /// How a run ended for somebody who wants to hear of findings from `fail_on` upwards, or (`None`) of none.
    pub fn of(summary: &RunSummary, fail_on: Option<Severity>) -> Outcome {
        if summary.interrupted {
            Outcome::Interrupted
        } else if summary.failures > 0 {
            Outcome::AuditFailed
        } else if fail_on.is_some_and(|severity| summary.findings.without(summary.known).at_least(severity) > 0) {
            Outcome::Found
        } else {
            Outcome::Clean
        }
    }
}

#[cfg(test)]
mod tests {
    use chess_audit::pipeline::SeverityCounts;

    use super::*;

    fn summary(error: u64, warning: u64, info: u64) -> RunSummary {
        RunSummary { findings: SeverityCounts { error, warning, info }, ..RunSummary::default() }
    }

    #[test]
    fn findings_count_from_the_chosen_severity_upwards() {
        assert_eq!(Outcome::of(&summary(0, 1, 1), Some(Severity::Error)).code(), 0);
        assert_eq!(Outcome::of(&summary(1, 0, 0), Some(Severity::Error)).code(), 1);
        assert_eq!(Outcome::of(&summary(0, 1, 0), Some(Severity::Warning)).code(), 1);
        assert_eq!(Outcome::of(&summary(0, 0, 1), Some(Severity::Warning)).code(), 0);
        assert_eq!(Outcome::of(&summary(0, 0, 1), Some(Severity::Info)).code(), 1);
        assert_eq!(Outcome::of(&summary(9, 9, 9), None).code(), 0);
    }

    #[test]
    fn an_audit_that_cannot_be_trusted_says_so_whatever_it_found() {
        let failed = RunSummary { failures: 1, ..summary(1, 0, 0) };
        assert_eq!(Outcome::of(&failed, Some(Severity::Error)).code(), 2);
        assert_eq!(Outcome::of(&failed, None).code(), 2);
        assert_eq!(Outcome::of(&RunSummary { interrupted: true, ..failed }, None).code(), 130);
    }
}
