//! `ep-not-capturable`.

use crate::rules::{Check, Condition, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown};

/// EPS06: the en passant square is given although nobody can capture there.
pub static RULE: Rule = Rule {
    code: code!("EPS06"),
    name: "ep-not-capturable",
    severity: Severity::Info,
    summary: "The en passant square is given although nobody can capture there",
    what: "The standard of 1994 gives the square after every double step; X-FEN and others only where a capture is possible. Both are right. Reported once per input; where the input follows now one convention, now the other, ep-convention-mixed says so instead.",
    why: "Equal positions differ as text, which matters to whoever compares them.",
    fix: "Choose one convention; compare positions by the captures that are legal.",
    source: "PGN standard 1994, section 16.1.3.4; Laws of Chess, article 3.7.4; X-FEN",
    yields: &[Yield::InRecord(code!("EPS04")), Yield::InRecord(code!("EPS05"))],
    fires: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq ⟦e3⟧ 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(en_passant), Some(place)) = (facts.sound_en_passant(), facts.fen.en_passant()) else { return };
    if facts.can_be_captured(en_passant) {
        return;
    }
    let (reason, x_fen) = if facts.can_be_attacked(en_passant) {
        ("every capture on it is illegal", format!("`{}`", en_passant.target))
    } else {
        ("no pawn attacks it", "`-`".to_owned())
    };
    findings
        .add(&RULE, place)
        .only_if(Condition::EnPassantOneWay)
        .once_per_input()
        .found(shown(place.of(facts.text)))
        .expected("-")
        .message(format!(
            "{target} is given as en passant square, but {reason}: the standard of 1994 writes `{target}`, X-FEN {x_fen}, who counts \
             legal captures `-`",
            target = en_passant.target
        ));
}
