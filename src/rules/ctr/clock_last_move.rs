//! `clock-last-move`.

use shakmaty::Move;

use crate::{
    chess::retro::LastMoves,
    rules::{Check, Condition, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

/// CTR03: the halfmove clock contradicts every move that can have been the last one.
pub static RULE: Rule = Rule {
    code: code!("CTR03"),
    name: "clock-last-move",
    severity: Severity::Warning,
    summary: "The halfmove clock contradicts every move that can have been the last one",
    what: "Captures and pawn moves set the clock to 0, all others, castling among them, count. A clock above 0 is reported where every possible last move is a capture or a pawn move, a clock of 0 where none is. Judged where the counters of the input are no fillers; the initial array is spared.",
    why: "The clock was copied from another position, or is not kept right.",
    fix: "Correct the clock; look whether a man was left out or the side to move is wrong.",
    source: "PGN standard 1994, sections 16.1.3.5 and 16.1.3.6",
    reachability: true,
    yields: &[
        Yield::InRecord(code!("POS11")),
        Yield::InRecord(code!("CTR01")),
        Yield::InRecord(code!("CTR02")),
        Yield::InRecord(code!("CTR04")),
    ],
    fires: &[
        Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - ⟦3⟧ 60"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/8/4K1N1 b - - ⟦0⟧ 60"),
    ],
    silent: &[
        Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - 0 60"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/8/4K1N1 b - - 3 60"),
        Sample::Positions("rnbqkbn1/pppppppp/8/8/8/8/8/4K1N1 b - - 0 60"),
    ],
    check: Check::LastMove(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, last: &LastMoves, findings: &mut Findings) {
    let (Some(clock), Some(place)) = (facts.halfmove_clock, facts.fen.halfmove_clock()) else { return };
    if facts.has_default_counters() {
        return;
    }
    let contradicts = if clock == 0 { !last.zeroing() && !last.is_starting_position() } else { !last.quiet() };
    if !contradicts || !last.exist() {
        return;
    }
    let wanted = |played: &&Move| played.is_zeroing() == (clock > 0);
    let mut possible: Vec<String> = last.at_first_sight().iter().filter(wanted).map(Move::to_string).collect();
    // Captures are told apart by what was captured, which is not written.
    possible.dedup();
    let which = match possible.as_slice() {
        [only] => format!("the only possible last move, {only}, "),
        [first, ..] => format!("every possible last move, such as {first}, "),
        [] => return,
    };
    let finding = findings.add(&RULE, place).only_if(Condition::CountersTrusted).found(shown(place.of(facts.text)));
    if clock == 0 {
        finding.expected("at least 1").message(format!("{which}is neither a capture nor a pawn move, so the clock counts it"));
    } else {
        finding.expected("0").message(format!("{which}is a capture or a pawn move, which sets the clock to 0"));
    }
}
