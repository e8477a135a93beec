//! What makes a record bad.

use crate::rules::{Check, CodeSet, RULES, Rule, Selection, Severity};

/// What makes a record bad: findings that are shown and not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitOn {
    /// The findings of this severity or higher; `None` if no severity does.
    pub severity: Option<Severity>,
    /// The findings of these rules.
    pub rules: CodeSet,
}

impl SplitOn {
    /// Errors.
    pub const ERRORS: SplitOn = SplitOn { severity: Some(Severity::Error), rules: CodeSet::EMPTY };

    /// Whether a finding of `rule` that is shown with this severity makes its record bad.
    pub fn moves(&self, rule: &Rule, severity: Severity) -> bool {
        self.severity.is_some_and(|least| severity >= least) || self.rules.contains(rule.code)
    }

    /// Whether findings about whole inputs can make a record bad.
    pub(super) fn concerns_inputs(&self, selection: &Selection) -> bool {
        self.concerns(selection, Check::is_about_inputs)
    }

    /// Whether findings about copies of games or positions can make a record bad.
    pub(super) fn concerns_copies(&self, selection: &Selection) -> bool {
        self.concerns(selection, |check| matches!(check, Check::Pair(_) | Check::PositionPair(_)))
    }

    fn concerns(&self, selection: &Selection, is_meant: impl Fn(&Check) -> bool) -> bool {
        let rules = RULES.iter().copied().filter(|rule| is_meant(&rule.check));
        let shown = |rule: &&Rule| selection.severity_shown(rule.code, rule.severity);
        rules.filter_map(|rule| Some((rule, shown(&rule)?))).any(|(rule, severity)| self.moves(rule, severity))
    }

    /// Whether findings that the fast path only counts can make a record bad. They are no errors,
    /// unless the user says so.
    pub(super) fn concerns_counted(&self, selection: &Selection) -> bool {
        *self != SplitOn::ERRORS || selection.has_severities()
    }
}
