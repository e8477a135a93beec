//! CTR01: the halfmove clock is not 0 after a double step.

use crate::rules::placeholders::{COUNTERS_PLACEHOLDER, COUNTERS_REAL};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR01"),
    name: "ep-clock",
    severity: Severity::Error,
    summary: "The halfmove clock is not 0 after a double step",
    what: "The en passant square means that the last move was a double step of a pawn, which sets \
        the clock to 0. The placeholders `1 0` and `1 1` are an info, once per input, if the \
        counters of the input are not real. A wrong en passant square is reported by EPS01 to \
        EPS04 instead.",
    why: "One of the two fields is wrong.",
    fix: "Set the clock to 0, or write `-` as the en passant square.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("EPS01"), code!("EPS02"), code!("EPS03"), code!("EPS04")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 ⟦1⟧ 30"),
        Sample::Positions("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 ⟦3⟧ 7"),
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 ⟦1⟧ 1"),
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 fmvn 30; hmvc ⟦4⟧;"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 30")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(en_passant), Some(clock), Some(place)) = (facts.en_passant(), facts.halfmove_clock, facts.clock_place()) else {
        return;
    };
    if clock == 0 {
        return;
    }
    let conditions: &[(Severity, Option<Condition>)] = if facts.has_default_counters() {
        &[(Severity::Error, Some(COUNTERS_REAL)), (Severity::Info, Some(COUNTERS_PLACEHOLDER))]
    } else {
        &[(Severity::Error, None)]
    };
    let target = en_passant.target;
    let message = format!("the en passant square {target} means that a pawn has just moved, but the halfmove clock is {clock}");
    for &(severity, condition) in conditions {
        let finding = findings.add(&RULE, place).severity(severity).only_if(condition);
        finding.found(shown(place.of(facts.text))).expected("0").message(message.as_str()).squares(target);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, place, *b"0"));
        if severity == Severity::Info {
            finding.once_per_input();
        }
    }
}
