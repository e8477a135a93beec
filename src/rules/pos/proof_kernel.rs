//! POS20: no captures and promotions can lead to this position.

use shakmaty::Color;

use super::named;
use crate::{
    chess::retro::Structure,
    rules::{
        Check, Findings, Rule, Sample, Severity, Yield,
        facts::{PositionFacts, color_name},
    },
    text::wording::quantity,
};

pub static RULE: Rule = Rule {
    code: code!("POS20"),
    name: "proof-kernel",
    severity: Severity::Error,
    summary: "No captures and promotions can lead to this position",
    what: "Each file starts with one pawn of each side, and these pawns cannot pass each other: \
        one of them first has to capture or be captured. Captures and promotions are limited by \
        the pieces that are missing and present. All ways to combine them were tried, and none \
        leads to the pawns on the board. Positions that take too long to search are not reported.",
    why: "The position cannot occur in a game. A piece too many was promoted, or too few pieces \
        were captured.",
    fix: "Correct the piece placement.",
    source: "Österlund, Texel, proof kernels",
    yields: &[Yield::InRecord(code!("POS15"))],
    reachability: true,
    fires: &[Sample::Positions("⟦r1bqkbnr/pppppppp/8/8/8/4B3/PPPPPPP1/RNBQKBNR⟧ b KQkq - 3 40")],
    silent: &[Sample::Positions("r1bqkbnr/pppppp1p/6p1/8/8/2N5/PPPPPPP1/RNBQKBNR b KQkq - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

/// Of a game, a proof kernel keeps only the captures and the pawns that change files. Every change
/// of file is a capture. Each side makes as many captures as the other has lost pieces. A pawn
/// captured as a pawn is neither on the board nor promoted. A bishop is promoted on a square of its
/// colour. Every game has such a kernel, so a position without one cannot occur.
fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(counts) = structure.unexplained_captures() else { return };
    let side = |color: Color| {
        let (captures, promoted) = (counts.captures.get(color), counts.promoted.get(color));
        let captures = quantity(*captures, "capture", "captures");
        let promoted = match promoted {
            0 => String::new(),
            &promoted => {
                let pieces = quantity(promoted, "promoted piece", "promoted pieces");
                let candidates = structure.promotion_candidates(color);
                format!(" and has at least {pieces}{}", named(facts, candidates, promoted))
            }
        };
        format!("{} has made {captures}{promoted}", color_name(color))
    };
    findings.add(&RULE, facts.placement_place()).message(format!(
        "no sequence of captures and promotions leads to these pawns: {}, and {}",
        side(Color::White),
        side(Color::Black)
    ));
}
