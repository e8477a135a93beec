//! CTR09: the fullmove number is 0.

use crate::rules::placeholders::{FULLMOVE_NUMBER_REAL, FULLMOVE_PLACEHOLDER};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR09"),
    name: "fullmove-zero",
    severity: Severity::Warning,
    summary: "The fullmove number is 0",
    what: "The fullmove number starts at 1 and increases after each move of Black. If the numbers \
        of this input are placeholders, this is an info, reported once. They are placeholders if \
        all positions, at least twenty, have the same number, or if all counters are defaults such \
        as `0 1`.",
    why: "Some programs silently change 0 to 1, so the position differs after reading and writing \
        it.",
    fix: "Write the fullmove number, or 1 if it is unknown.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦0⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 3 60\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦0⟧"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(0), Some(place)) = (facts.fullmove_number, facts.number_place()) else { return };
    let found = shown(place.of(facts.text));
    findings
        .add(&RULE, place)
        .only_if(FULLMOVE_NUMBER_REAL)
        .found(found.as_str())
        .expected("at least 1")
        .repair(Certainty::Likely, Patch::replace(facts.text, place, *b"1"))
        .message("the fullmove number is 0, but the first move has number 1");
    findings
        .add(&RULE, place)
        .severity(Severity::Info)
        .only_if(FULLMOVE_PLACEHOLDER)
        .once_per_input()
        .found(found)
        .expected("at least 1")
        .repair(Certainty::Likely, Patch::replace(facts.text, place, *b"1"))
        .message("the fullmove number is 0, but the first move has number 1; the numbers of this input are placeholders");
}
