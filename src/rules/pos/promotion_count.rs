//! POS08: a side has more promoted pieces than missing pawns.

use shakmaty::{Bitboard, Color};

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS08"),
    name: "promotion-count",
    severity: Severity::Error,
    summary: "A side has more promoted pieces than missing pawns",
    what: "Every queen after the first, every rook or knight after the second, and every bishop \
        after the first on squares of its colour is a promoted pawn. Together with the remaining \
        pawns these are at most eight. A side with more than eight pawns is reported by POS06 \
        only, and one with more than sixteen pieces by POS07 only.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 2.2, 3.7.5",
    reachability: true,
    // VAR03 reports bishops on squares of one colour in a Chess960 starting position.
    yields: &in_record([code!("VAR03")]),
    fires: &[
        Sample::Positions("⟦4k3/8/8/8/8/8/PPPPPPPP/Q2QK3⟧ w - - 0 1"),
        Sample::Positions("⟦4k3/8/8/8/8/1B6/PPPPPPPP/4KB2⟧ w - - 0 1"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/1PPPPPPP/Q2QK3 w - - 0 1"),
        Sample::Positions("4k3/8/8/8/8/B7/PP1PPPPP/4KB2 w - - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    for color in Color::ALL {
        let ours = board.by_color(color);
        // The pieces of each kind with the number of them at the start of a game.
        let kinds = [
            (board.queens(), 1),
            (board.rooks(), 2),
            (board.knights(), 2),
            (board.bishops() & Bitboard::LIGHT_SQUARES, 1),
            (board.bishops() & Bitboard::DARK_SQUARES, 1),
        ];
        let pawns = (board.pawns() & ours).count();
        let promoted: usize = kinds.iter().map(|(pieces, originals)| (*pieces & ours).count().saturating_sub(*originals)).sum();
        if pawns + promoted > 8 && pawns <= 8 && ours.count() <= 16 {
            let more = |(pieces, originals): &(Bitboard, usize)| (*pieces & ours).count() > *originals;
            let surplus: Bitboard = kinds.iter().filter(|kind| more(kind)).flat_map(|(pieces, _)| *pieces & ours).collect();
            findings
                .add(&RULE, facts.placement_place())
                .found(format!("{pawns} pawns, {promoted} promoted"))
                .expected("8 together at most")
                .message(format!(
                    "{} has {} and at least {}, but a side starts with 8 pawns",
                    color_name(color),
                    quantity(pawns, "pawn", "pawns"),
                    quantity(promoted, "promoted piece", "promoted pieces")
                ))
                .squares(surplus);
        }
    }
}
