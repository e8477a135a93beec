//! EPS06: an en passant square is given without a possible capture.

use super::ep_convention_mixed::EN_PASSANT_CONSISTENT;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPS06"),
    name: "ep-not-capturable",
    severity: Severity::Info,
    summary: "An en passant square is given without a possible capture",
    what: "The PGN standard gives the en passant square after every double step. X-FEN and others \
        give it only if a capture is possible, and both are valid. Reported once per input, unless \
        the input mixes the conventions (see EPS07).",
    why: "Equal positions differ as text, which matters when positions are compared.",
    fix: "Use one convention, or compare positions by their legal captures.",
    source: "PGN standard 16.1.3.4; FIDE Laws 3.7.4; X-FEN",
    yields: &in_record([code!("EPS04"), code!("EPS05")]),
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
    let target = en_passant.target;
    let message = if facts.can_be_attacked(en_passant) {
        format!("every capture on the en passant square {target} is illegal: X-FEN writes it, programs that want a legal one `-`")
    } else {
        format!("no pawn attacks the en passant square {target}: the PGN standard writes it, X-FEN `-`")
    };
    findings
        .add(&RULE, place)
        .only_if(EN_PASSANT_CONSISTENT)
        .once_per_input()
        .found(shown(place.of(facts.text)))
        .expected("-")
        .message(message)
        .squares(target);
}
