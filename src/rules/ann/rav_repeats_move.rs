//! ANN03: variations that do not vary.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{Remark, RemarkFacts},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ANN03"),
    name: "rav-echo",
    severity: Severity::Info,
    summary: "A variation begins with the move that it replaces",
    what: "The first move of a variation is the same as the move before its parenthesis, however the two are spelt.",
    why: "The variation branches off later than it says; programs that keep a tree of moves merge it, others show the move twice.",
    fix: "Let the variation begin at the move where it differs.",
    source: "PGN standard 8.2.5",
    fires: &[Sample::Moves("1. e4 e5 (1... ⟦e5⟧ 2. Nc3) 2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 e5 (1... c5 2. Nf3) (1... c5 2. Nc3) 2. Nf3 *")],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    if let Remark::Echo = facts.remark {
        let found = shown(facts.place.of(facts.text));
        findings
            .add(&RULE, facts.place)
            .message(format!("the variation begins with {found}, the move that it replaces"))
            .found(found);
    }
}
