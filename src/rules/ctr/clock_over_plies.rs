//! CTR04: the halfmove clock is greater than the number of plies.

use crate::rules::placeholders::COUNTERS_REAL;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR04"),
    name: "clock-over-plies",
    severity: Severity::Warning,
    summary: "The halfmove clock is greater than the number of plies",
    what: "Before fullmove number n, 2(n-1) plies have been played, and one more if Black is to \
        move. The clock cannot count more plies than that. Checked only if the counters of this \
        input are real values; `1 1` is ignored.",
    why: "The fullmove number was reset, or the two counters are swapped.",
    fix: "Correct the counters. The halfmove clock comes first.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    yields: &in_record([code!("CTR01")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦90⟧ 40"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 30; hmvc ⟦90⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 b - - 1 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 78 40"),
    ],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock), Some(number), Some(turn), Some(place)) =
        (facts.halfmove_clock, facts.fullmove_number, facts.turn, facts.clock_place())
    else {
        return;
    };
    let Some(moves) = number.checked_sub(1) else { return };
    let plies = moves.saturating_mul(2).saturating_add(turn.fold_wb(0, 1));
    if clock > plies && !facts.has_default_counters() {
        findings
            .add(&RULE, place)
            .only_if(COUNTERS_REAL)
            .found(shown(place.of(facts.text)))
            .expected(format!("at most {plies}"))
            .message(format!(
                "the halfmove clock is {clock}, but only {} can have been played before move \
                 {number}",
                quantity(plies, "ply", "plies")
            ));
    }
}
