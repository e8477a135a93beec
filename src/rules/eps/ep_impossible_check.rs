//! EPS04: the double step cannot have given this check.

use shakmaty::Bitboard;

use super::impossible;
use crate::chess::fen::checkers;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPS04"),
    name: "ep-impossible-check",
    severity: Severity::Error,
    summary: "The double step cannot have given this check",
    what: "The en passant square means that the last move was a double step. It gives check with \
        the pawn itself, or by opening the one line that the pawn left, but not both. No other \
        check is possible.",
    why: "The field is left over from an earlier position, and engines rely on it.",
    fix: "Write `-`.",
    source: "PGN standard 16.1.3.4; FIDE Laws 3.9",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("POS02"), code!("POS04"), code!("POS09"), code!("POS10")]),
    fires: &[Sample::Positions("k7/8/8/3pP3/8/7n/5K2/8 w - ⟦d6⟧ 0 30")],
    silent: &[Sample::Positions("k7/8/8/3pP3/4K3/8/8/8 w - d6 0 30"), Sample::Positions("k7/8/8/3pP3/8/7n/5K2/8 w - - 0 30")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let found = facts.own_checkers();
    if found.is_empty() {
        return;
    }
    let (Some(board), Some(en_passant), Some(place)) = (&facts.board, facts.sound_en_passant(), facts.fen.en_passant()) else {
        return;
    };
    let Some(king) = *facts.kings.get(en_passant.turn) else { return };
    let reason = if found.count() > 1 {
        "a double step gives at most one check"
    } else if found == Bitboard::from(en_passant.pawn) {
        return;
    } else {
        let mut before = board.clone();
        let Some(pawn) = before.remove_piece_at(en_passant.pawn) else { return };
        before.set_piece_at(en_passant.origin, pawn);
        if (checkers(&before, king, en_passant.turn) & found).is_empty() {
            return;
        }
        "the check was there before the pawn moved"
    };
    let verb = if found.count() == 1 { "gives" } else { "give" };
    impossible(&RULE, facts, place, findings)
        .message(format!(
            "{} {verb} check, but the last move was {}-{}: {reason}",
            facts.names_of(found),
            en_passant.origin,
            en_passant.pawn
        ))
        .squares(found)
        .squares(en_passant.origin)
        .squares(en_passant.target)
        .squares(en_passant.pawn);
}
