//! EXP03: more findings than the settings expect.

use super::Ceiling;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EXP03"),
    name: "too-many-findings",
    severity: Severity::Error,
    summary: "A rule has more findings than expected",
    what: "A rule, or all rules of a family, have more findings in this run than the table \
           `[expect]` of the settings allows. The limit is a number, or a number per million games \
           and positions. Known findings count, too. \
           A rate is not checked if something could not be read.",
    why: "A fault that is usual in a few games can hide that the same fault now occurs in many.",
    fix: "Look at the new findings of the rule. If they are right, raise the limit.",
    source: "the settings of the run",
    needs: &[Need::Expectations],
    fires: &[Sample::Game { tags: "⟦⟧[Event \"Sample\"]", moves: "1. e4 e5 2. Ke3 *" }],
    silent: &[Sample::Moves("1. e4 e5 2. Ke2 *")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports the number of findings of `rules` in a run with so many records.
pub fn report(findings: &mut Findings, rules: &str, (number, records): (u64, u64), ceiling: Ceiling) {
    let found = quantity(number, "finding", "findings");
    let records = quantity(records, "record", "records");
    findings
        .add(&RULE, Span::new(0, 0))
        .message(format!("{rules} has {found} in {records} instead of at most {ceiling}"))
        .found(found)
        .expected(format!("at most {ceiling} of {rules}"));
}
