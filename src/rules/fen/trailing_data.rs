//! `trailing-data`.

use crate::{
    chess::fen::Tail,
    rules::{
        Check, Code, Family, Findings, Rule, Sample, Severity,
        facts::{Origin, PositionFacts},
        shown,
    },
};

/// FEN10: something stands behind the last field of the position.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Fen, 10),
    name: "trailing-data",
    severity: Severity::Warning,
    summary: "Something stands behind the last field of the position",
    what: "A FEN ends with its sixth field. In a FEN tag even EPD operations are out of place; in a line of a file they are not.",
    why: "Some readers refuse the position, others drop the text without a word.",
    fix: "Take it out, or use the EPD format.",
    source: "PGN standard 1994, sections 9.7.2 and 16.1",
    reachability: false,
    yields: &[],
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ⟦7⟧")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
    check: Check::Position(check),
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let trailing = match (facts.fen.tail_kind, facts.origin) {
        (Tail::Nothing, _) | (Tail::Operations, Origin::Line | Origin::Replayed { .. }) => return,
        (Tail::Operations, Origin::FenTag) => "operations of EPD stand",
        (Tail::Other, _) => "text stands",
    };
    let place = facts.fen.tail;
    findings
        .add(&RULE, place)
        .found(shown(place.of(facts.text)))
        .message(format!("{trailing} behind the last field of the position"));
}
