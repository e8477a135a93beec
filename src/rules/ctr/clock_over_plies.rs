//! `clock-over-plies`.

use crate::rules::{Check, Condition, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown};

/// CTR04: the halfmove clock is greater than the number of plies played.
pub static RULE: Rule = Rule {
    code: code!("CTR04"),
    name: "clock-over-plies",
    severity: Severity::Warning,
    summary: "The halfmove clock is greater than the number of plies played",
    what: "Until fullmove number n with White to move 2(n-1) plies were played, one more with Black to move; no more than these can have gone by since the last capture or pawn move. Judged where the counters of the input are no fillers; `1 1` says nothing.",
    why: "The fullmove number was reset, or the counters stand in the wrong order.",
    fix: "Correct the number; look whether the two are exchanged.",
    source: "PGN standard 1994, sections 16.1.3.5 and 16.1.3.6",
    yields: &[Yield::InRecord(code!("CTR01"))],
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦90⟧ 40")],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 b - - 1 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 78 40"),
    ],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock), Some(number), Some(turn), Some(place)) =
        (facts.halfmove_clock, facts.fullmove_number, facts.turn, facts.fen.halfmove_clock())
    else {
        return;
    };
    let Some(moves) = number.checked_sub(1) else { return };
    let plies = moves.saturating_mul(2).saturating_add(turn.fold_wb(0, 1));
    if clock > plies && !facts.has_default_counters() {
        findings
            .add(&RULE, place)
            .only_if(Condition::CountersTrusted)
            .found(shown(place.of(facts.text)))
            .expected(format!("at most {plies}"))
            .message(format!("the clock counts {clock} plies, but only {plies} can have been played before move {number}"));
    }
}
