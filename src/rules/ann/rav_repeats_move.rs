//! ANN03: variations that begin with the move that they replace.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("ANN03"),
    name: "rav-repeats-move",
    severity: Severity::Info,
    summary: "A variation begins with the move that it replaces",
    what: "The first move of a variation (RAV) is the same as the move before its parenthesis, \
           even if it is spelled differently. If 20 or more records have this fault, it is \
           reported once per input.",
    why: "The variation branches off later than it claims. Some programs merge it into the line, \
           others show the move twice.",
    fix: "Start the variation at the first move that is different.",
    source: "PGN standard 8.2.5",
    fires: &[Sample::Moves("1. e4 e5 (1... ⟦e5⟧ 2. Nc3) 2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 e5 (1... c5 2. Nf3) (1... c5 2. Nc3) 2. Nf3 *")],
    check: Check::Remark(check),
    wakes: Wakes::Signs(&[Sign::Echo]),
    ..Rule::DEFAULTS
};

fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    if let Remark::RepeatsMove = facts.remark {
        let found = shown(facts.place.of(facts.text));
        findings
            .add(&RULE, facts.place)
            .grouped("")
            .message(format!("the variation begins with {found}, the move that it replaces"))
            .found(found);
    }
}
