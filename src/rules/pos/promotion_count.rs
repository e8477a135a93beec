//! `promotion-count`.

use shakmaty::{Bitboard, Color};

use crate::{
    chess::color_name,
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts},
};

/// POS08: a side has more promoted men than missing pawns.
pub static RULE: Rule = Rule {
    code: code!("POS08"),
    name: "promotion-count",
    severity: Severity::Error,
    summary: "A side has more promoted men than missing pawns",
    what: "Every queen beyond the first, rook or knight beyond the second, and bishop beyond the first on its square colour is a promoted pawn: these and the pawns are eight at most. A side with more than eight pawns or sixteen men is not reported again.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, articles 2.2 and 3.7.5",
    reachability: true,
    // Bishops of one colour in an array of Chess960 are the business of the rule about arrays.
    yields: &[Yield::InRecord(code!("VAR03"))],
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
        let beyond = |men: Bitboard, originals: usize| (men & ours).count().saturating_sub(originals);
        let pawns = (board.pawns() & ours).count();
        let promoted = beyond(board.queens(), 1)
            + beyond(board.rooks(), 2)
            + beyond(board.knights(), 2)
            + beyond(board.bishops() & Bitboard::LIGHT_SQUARES, 1)
            + beyond(board.bishops() & Bitboard::DARK_SQUARES, 1);
        if pawns + promoted > 8 && pawns <= 8 && ours.count() <= 16 {
            findings
                .add(&RULE, facts.placement_place())
                .found(format!("{pawns} pawns, {promoted} promoted"))
                .expected("8 together at most")
                .message(format!(
                    "{} has {pawns} pawns and at least {promoted} promoted men, of eight pawns together",
                    color_name(color)
                ));
        }
    }
}
