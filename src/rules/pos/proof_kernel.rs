//! POS20: no captures and promotions can lead to this position.

use shakmaty::{Bitboard, Color};

use super::named;
use crate::chess::retro::{Argument, BarredPromotion, PromotedKind, Structure};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS20"),
    name: "proof-kernel",
    severity: Severity::Error,
    summary: "No captures and promotions can lead to this position",
    what: "Each file starts with one pawn of each side, and these pawns cannot pass each other: \
        one of them first has to capture or be captured. Captures and promotions are limited by \
        the pieces that are missing and present. A pawn was not promoted where pieces that have \
        not moved were in its way, or where it checked a king that can still castle. All ways to \
        combine captures were tried in every order, and none leads to the pawns on the board. If \
        pieces were promoted, the ranks of captures and the colours of missing bishops count too. \
        Positions that take too long to search are not reported: `run.json` counts them, and \
        `--deep` searches longer.",
    why: "The position cannot occur in a game. A piece too many was promoted, or too few pieces \
        were captured.",
    fix: "Correct the piece placement.",
    source: "Österlund, Texel, proof kernels",
    yields: &in_record([code!("POS15")]),
    reachability: true,
    fires: &[
        Sample::Positions("⟦r1bqkbnr/pppppppp/8/8/8/4B3/PPPPPPP1/RNBQKBNR⟧ b KQkq - 3 40"),
        // From d7, a pawn would have checked the king on e8.
        Sample::Positions("⟦r1bqkb1r/1pp2ppp/2np1n2/p7/2P5/1PN5/P2QPPPP/R2BKBNR⟧ w KQkq - 0 40"),
        // White's e-pawn was captured on c6, where it cannot have gone.
        Sample::Positions("⟦rnbqkbnr/ppp1p1pp/2p5/8/3PN3/8/PPP2PPP/R1BQKBNR⟧ b KQkq - 0 4"),
        // The pawn on c6 captured there, on a light square. White's bishop was on dark squares.
        Sample::Positions("⟦rnbqkbnr/ppp1ppp1/2p5/8/3P3Q/8/PPP1PPP1/RN1QKBNR⟧ w KQq - 0 20"),
    ],
    silent: &[
        Sample::Positions("r1bqkbnr/pppppp1p/6p1/8/8/2N5/PPPPPPP1/RNBQKBNR b KQkq - 3 40"),
        // White's e-pawn was captured on e6.
        Sample::Positions("rnbqkbnr/ppp1pppp/4p3/8/3PN3/8/PPP2PPP/R1BQKBNR b KQkq - 1 4"),
        // The pawn captured on c5, a dark square.
        Sample::Positions("rnbqkbnr/ppp1ppp1/8/2p5/3P3Q/8/PPP1PPP1/RN1QKBNR w KQq - 0 20"),
    ],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

/// Of a game, a proof kernel keeps only the captures and the pawns that change files. Every change
/// of file is a capture. Each side makes as many captures as the other has lost pieces. A pawn
/// captured as a pawn is neither on the board nor promoted. A bishop is promoted on a square of its
/// colour. Every game has such a kernel, so a position without one cannot occur.
fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(counts) = structure.unexplained_captures() else { return };
    if let Some(barred) = structure.barred_promotion() {
        findings
            .add(&RULE, facts.placement_place())
            .message(barred_message(&barred))
            .squares(barred.pieces | barred.unmoved | barred.checks | barred.shut_in);
        return;
    }
    let side = |color: Color| {
        let (captures, promoted) = (counts.captures.get(color), counts.promoted.get(color));
        let captures = quantity(*captures, "capture", "captures");
        let promoted = match promoted {
            0 => String::new(),
            &promoted => {
                let promotions = quantity(promoted, "promotion", "promotions");
                let candidates = structure.promotion_candidates(color);
                format!(" and at least {promotions}{}", named(facts, candidates, promoted))
            }
        };
        format!("{captures}{promoted}")
    };
    let barred = |color: Color| {
        let squares = *counts.barred.get(color);
        let is_about_ranks_or_colors = matches!(counts.argument, Argument::Ranks | Argument::Colors(..));
        if is_about_ranks_or_colors || squares.is_empty() || *counts.promoted.get(color) == 0 {
            return None;
        }
        let squares = join_or(&squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>());
        let pawn = color.fold_wb("white", "black");
        Some(format!("; on {squares}, a {pawn} pawn checks the unmoved king"))
    };
    let reasons: String = [Color::White, Color::Black].into_iter().filter_map(barred).collect();
    let excluded = match counts.argument {
        Argument::Numbers => "no captures and promotions lead to these pawns".to_owned(),
        Argument::Order => "no order of captures and promotions leads to these pawns".to_owned(),
        Argument::Ranks => "every way to these pawns needs one on a rank where it cannot have been".to_owned(),
        Argument::Colors(color, kind) => {
            let (own, other) = if kind == PromotedKind::LightBishop { ("light", "dark") } else { ("dark", "light") };
            let side = color_name(color);
            format!("every way to these pawns captures {side}'s missing {own}-squared bishop on a {other} square")
        }
    };
    findings.add(&RULE, facts.placement_place()).message(format!(
        "{excluded}: White made {}, Black {}{reasons}",
        side(Color::White),
        side(Color::Black)
    ));
}

/// `one of the white queens on d1 and h5 was promoted, but ...`
fn barred_message(barred: &BarredPromotion) -> String {
    let names = |squares: Bitboard| squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>();
    let (color, role) = (barred.color.fold_wb("white", "black"), role_name(barred.kind.role()));
    let piece = match barred.pieces.single_square() {
        Some(square) => format!("the {color} {role} on {square}"),
        None => format!("one of the {color} {role}s on {}", join_and(&names(barred.pieces))),
    };
    let squares = match barred.kind {
        PromotedKind::LightBishop => "light promotion square",
        PromotedKind::DarkBishop => "dark promotion square",
        _ => "promotion square",
    };
    let reason = match barred.king {
        Some(king) => format!("; on {}, the pawn checks the unmoved king on {king}", join_or(&names(barred.checks))),
        None if barred.unmoved.is_empty() => String::new(),
        None => format!(": those on {}", join_and(&names(barred.unmoved))),
    };
    format!("{piece} was promoted, but unmoved pieces bar every {squares}{reason}")
}
