//! `proof-kernel`.

use shakmaty::Color;

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS20: no sequence of captures and promotions leads to the pawns on the board.
pub static RULE: Rule = Rule {
    code: code!("POS20"),
    name: "proof-kernel",
    severity: Severity::Error,
    summary: "No sequence of captures and promotions leads to these pawns and pieces",
    what: "Of a game only the pawns that cross from file to file and the captures are kept. On each file one pawn of each side begins, and they cannot pass one another: one of them has to leave by capturing, or to be taken, before the other is promoted. Every crossing is a capture; as many men are captured by each side as the other has lost, and no more pawns as such than are not left and not promoted; a bishop is promoted on a square of its colour. Every game gives such counts, so where none fit, the position cannot arise. Nothing is found where trying them takes too long.",
    why: "The position cannot arise: a man too many was promoted, or too few have been captured.",
    fix: "Correct the placement.",
    source: "Österlund, Texel, proof kernels",
    reachability: true,
    fires: &[Sample::Positions("⟦r1bqkbnr/pppppppp/8/8/8/4B3/PPPPPPP1/RNBQKBNR⟧ b KQkq - 3 40")],
    silent: &[Sample::Positions("r1bqkbnr/pppppp1p/6p1/8/8/2N5/PPPPPPP1/RNBQKBNR b KQkq - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(counts) = structure.unexplained_captures() else { return };
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
