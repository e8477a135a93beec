//! `fullmove-zero`.

use crate::rules::{Check, Condition, Findings, Rule, Sample, Severity, facts::PositionFacts, shown};

/// CTR09: the fullmove number is 0.
pub static RULE: Rule = Rule {
    code: code!("CTR09"),
    name: "fullmove-zero",
    severity: Severity::Warning,
    summary: "The fullmove number is 0",
    what: "The number begins at 1 and grows after each move of Black. Where the numbers of the input are fillers (constant in twenty positions or more, or never more than 1) it is reported once, as an info.",
    why: "Readers set it to 1 without a word, so that positions change when they are read and written.",
    fix: "Write the number, or 1 where it is unknown.",
    source: "PGN standard 1994, sections 16.1.3.5 and 16.1.3.6",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦0⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 3 60\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦0⟧"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(0), Some(place)) = (facts.fullmove_number, facts.fen.fullmove_number()) else { return };
    let found = shown(place.of(facts.text));
    findings
        .add(&RULE, place)
        .only_if(Condition::NumberTrusted)
        .found(found.as_str())
        .expected("at least 1")
        .message("the first move has the number 1");
    findings
        .add(&RULE, place)
        .severity(Severity::Info)
        .only_if(Condition::NumberFiller)
        .once_per_input()
        .found(found)
        .expected("at least 1")
        .message("the first move has the number 1; the numbers of the input are fillers");
}
