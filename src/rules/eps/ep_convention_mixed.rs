//! EPS07: the input mixes two conventions for the en passant square.

use shakmaty::Bitboard;

use crate::rules::prelude::*;
use crate::rules::{Note, Notes, sums_of};

pub static RULE: Rule = Rule {
    code: code!("EPS07"),
    name: "ep-convention-mixed",
    severity: Severity::Info,
    summary: "The input mixes two conventions for the en passant square",
    what: "Some positions give an en passant square that no pawn attacks, as the PGN standard \
        requires after every double step. Others leave such a square out, as X-FEN does. Reported \
        once per input, at the first square that no pawn attacks.",
    why: "Equal positions differ as text within one input, which matters when they are counted or \
        compared.",
    fix: "Use one convention for all positions.",
    source: "PGN standard 16.1.3.4; X-FEN",
    fires: &[Sample::Positions(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq ⟦e3⟧ 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    )],
    silent: &[Sample::Positions(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3",
    )],
    check: Check::Position(check),
    note: Some(&Note { sums: 4, of_position: Some(of_position), holds, complete }),
    ..Rule::DEFAULTS
};

/// Where the sums of the rule begin.
const AT: usize = sums_of(RULE.code);

/// The input gives some en passant squares that no pawn attacks, and leaves others out.
const EN_PASSANT_MIXED: Condition = Condition::new(RULE.code, 0);

/// The input does not do both.
pub const EN_PASSANT_CONSISTENT: Condition = Condition::new(RULE.code, 1);

/// Counts how positions use the field: a sum for each [`EnPassantUse`].
fn of_position(facts: &PositionFacts<'_>, count: &mut dyn FnMut(usize)) {
    facts.en_passant_use().into_iter().for_each(|seen| count(seen as usize));
}

/// How often the field is used in this way.
fn used(notes: &Notes, way: EnPassantUse) -> u64 {
    notes.sums::<4>(AT)[way as usize]
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let is_mixed = used(notes, EnPassantUse::Unattacked) > 0 && used(notes, EnPassantUse::LeftOut) > 0;
    (condition == EN_PASSANT_MIXED) == is_mixed
}

fn complete(notes: &Notes, condition: Condition, finding: &mut Finding) -> bool {
    if condition == EN_PASSANT_MIXED {
        finding.message = format!(
            "en passant squares: {} that no pawn attacks, {} left out, {} with illegal captures only, {} with a legal capture",
            thousands(used(notes, EnPassantUse::Unattacked)),
            thousands(used(notes, EnPassantUse::LeftOut)),
            thousands(used(notes, EnPassantUse::Illegal)),
            thousands(used(notes, EnPassantUse::Legal))
        );
    }
    false
}

/// Three conventions are in use: the square is given after every double step (PGN standard), if a
/// pawn attacks it (X-FEN), or if a capture is legal. A square that no pawn attacks follows the
/// first. `-` usually shows nothing, because the last move is unknown;
/// [`PositionFacts::en_passant_use`] finds the positions where it does.
fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if facts.en_passant_use() != Some(EnPassantUse::Unattacked) {
        return;
    }
    let Some(place) = facts.fen.en_passant() else { return };
    findings
        .add(&RULE, place)
        .only_if(EN_PASSANT_MIXED)
        .once_per_input()
        .found(shown(place.of(facts.text)))
        .message("no pawn attacks this en passant square, and other positions of the input leave such squares out")
        .squares(facts.en_passant.flatten().map_or(Bitboard::EMPTY, Bitboard::from));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Sums;

    #[test]
    fn an_input_is_mixed_if_it_gives_and_leaves_out() {
        let holds = |ways: &[EnPassantUse]| {
            let mut notes = Notes::default();
            ways.iter().for_each(|way| notes.count(AT + *way as usize, 1));
            (notes.hold(EN_PASSANT_MIXED), notes.hold(EN_PASSANT_CONSISTENT))
        };
        for way in [EnPassantUse::Unattacked, EnPassantUse::LeftOut, EnPassantUse::Illegal] {
            assert_eq!(holds(&[way]), (false, true), "{way:?}");
        }
        assert_eq!(holds(&[EnPassantUse::Illegal, EnPassantUse::Unattacked, EnPassantUse::LeftOut]), (true, false));
    }
}
