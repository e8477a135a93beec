//! `proof-kernel`.

use shakmaty::Color;

use crate::{
    chess::retro::Structure,
    rules::{
        Check, Code, Family, Findings, Rule, Sample, Severity,
        facts::{PositionFacts, color_name},
    },
};

/// POS20: no sequence of captures and promotions leads to the pawns on the board.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Pos, 20),
    name: "proof-kernel",
    severity: Severity::Error,
    summary: "No sequence of captures and promotions leads to these pawns and pieces",
    what: "Of a game only the order of the pawns on each file and the captures are kept. A pawn that takes a pawn stands in its place in the order of the next file, one that takes a piece goes anywhere into it; pieces take pawns; a pawn without an enemy ahead on its file may be promoted, a bishop on a square of its colour. As many men are captured by each side as the other has lost, and no more pawns as such than are not left and not promoted. Every game is such a sequence, so where all have been tried and none ends in the position, it cannot arise. Tried only where six captures at most remain and nearly all of them are needed.",
    why: "The position cannot arise: a man too many was promoted, or too few have been captured.",
    fix: "Correct the placement.",
    source: "Österlund, Texel, proof kernels",
    reachability: true,
    yields: &[],
    fires: &[Sample::Positions("⟦r1bqkbnr/pppppppp/8/8/8/4B3/PPPPPPP1/RNBQKBNR⟧ b KQkq - 3 40")],
    silent: &[Sample::Positions("r1bqkbnr/pppppppp/8/8/8/2N5/PPPPPPP1/RNBQKBNR b KQkq - 3 40")],
    check: Check::Structure(check),
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(counts) = structure.no_kernel() else { return };
    let side = |color: Color| {
        let (captures, promoted) = (counts.captures.get(color), counts.promoted.get(color));
        let captures = if *captures == 1 { "one capture".to_owned() } else { format!("{captures} captures") };
        let promoted = if *promoted == 1 { "one promoted man".to_owned() } else { format!("{promoted} promoted men") };
        format!("{} has made {captures} and has {promoted} at least", color_name(color))
    };
    findings.add(&RULE, facts.placement_place()).message(format!(
        "no order of captures and promotions leads to these pawns: {}, {}",
        side(Color::White),
        side(Color::Black)
    ));
}
