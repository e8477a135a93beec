//! FEN10: extra text after the last field of the position.

use super::{field_count::after_moves, is_engine_command};
use crate::chess::fen::{Tail, read_counter};
use crate::chess::fen_of;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN10"),
    name: "trailing-data",
    severity: Severity::Warning,
    summary: "Extra text after the last field of the position",
    what: "A FEN ends after its sixth field. EPD operations are allowed in a line of a file, but \
        not in a FEN tag.",
    why: "Some programs reject the position. Others silently ignore the text.",
    fix: "Remove the text, or use the EPD format.",
    source: "PGN standard 9.7.2, 16.1",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ⟦7⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ⟦moves e2e4⟧"),
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - ⟦hmvc 1; fmvn 70;⟧\"]", moves: "*" },
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let trailing = match (facts.fen.tail_kind, facts.origin) {
        (Tail::Nothing, _) | (Tail::Operations, Origin::Line | Origin::Replayed { .. }) => return,
        (Tail::Operations, Origin::FenTag) => "EPD operations follow",
        // FEN09 reports a whole UCI command.
        (Tail::Moves, _) if facts.fen.irregular.is_some_and(|before| is_engine_command(before.of(facts.text))) => return,
        (Tail::Moves, _) => "moves, as in a UCI command, follow",
        (Tail::Other, _) => "extra text follows",
    };
    let place = facts.fen.tail;
    let counter = |name: &str| counter_of(place.of(facts.text), name);
    let finding =
        findings.add(&RULE, place).once_if_usual(trailing).message(format!("{trailing} the last field of the position"));
    if facts.fen.tail_kind == Tail::Moves {
        repair_moves(facts, finding);
    }
    // The counters were written as operations.
    if let Some((clock, number)) = counter("hmvc").zip(counter("fmvn")).filter(|_| facts.fen.count() == 4) {
        let counters = format!("{clock} {number}");
        let operations = place.of(facts.text).split(|byte| *byte == b';').filter(|operation| !operation.trim_ascii().is_empty());
        if operations.count() == 2 {
            finding.repair(Certainty::Likely, Patch::replace(facts.text, place, counters.as_str()));
        }
        finding.expected(counters);
    }
    finding.found(shown(place.of(facts.text)));
}

/// Replaces a UCI command, or a position and moves, by the position after the moves.
pub(super) fn repair_moves(facts: &PositionFacts<'_>, finding: &mut Finding) {
    let reached =
        facts.start.as_ref().and_then(|start| after_moves(start, facts.fen.tail.of(facts.text).strip_prefix(b"moves ")?));
    if let Some(reached) = reached.map(|position| fen_of(&position)) {
        let place = Span::new(facts.place.start, facts.fen.tail.end);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, place, reached.as_str())).expected(reached);
    }
}

/// The number that an operation of that name gives.
fn counter_of(tail: &[u8], name: &str) -> Option<u64> {
    let operations = tail.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    let operand = operations.filter_map(|operation| operation.strip_prefix(name.as_bytes())).next()?;
    read_counter(operand.trim_ascii())
}
