//! EXP01: more or fewer records than the settings expect.

use super::{Bounds, Quantity};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EXP01"),
    name: "unexpected-count",
    severity: Severity::Error,
    summary: "A run or an input has more or less than expected",
    what: "The number of games, positions, plies or bytes of an input, or of the whole run, is \
           outside the bounds in the table `[expect]` of the settings. \
           A minimum is not checked if something could not be read.",
    why: "Lost games have no findings, so a report on half of a collection looks better than one \
          on all of it.",
    fix: "Look for what is missing or was added. If it is right, change the bounds.",
    source: "the settings of the run",
    needs: &[Need::Expectations],
    fires: &[Sample::Game { tags: "⟦⟧[Event \"Sample\"]", moves: "1. e4 e5 *" }],
    silent: &[Sample::Moves("1. d4 d5 2. c4 *")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports the number in `subject`, which is `the run` or `the input`. `set_at` is the place of the
/// expectation, if that is not the place of the finding.
pub fn report(findings: &mut Findings, subject: &str, (quantity, number, bounds): (Quantity, u64, Bounds), set_at: Option<&str>) {
    let found = quantity.describe(number);
    let set_at = set_at.map(|place| format!(" ({place})")).unwrap_or_default();
    findings
        .add(&RULE, Span::new(0, 0))
        .message(format!("{subject} has {found} instead of {bounds}{set_at}"))
        .found(found)
        .expected(format!("{bounds} {}", quantity.as_str()));
}
