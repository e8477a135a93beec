//! RES08: wins without the material to mate.

use super::{Finished, Stated, Termination, final_fen, outcome_by, side};
use crate::rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ending};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES08"),
    name: "dead-decisive",
    severity: Severity::Warning,
    summary: "Neither side has the material to mate in the final position, and the result is a win",
    what: "After the last move the board holds two kings alone, or with one knight, or with bishops that all stand on squares of one colour, and a win is stated. \
           Spared where the Termination tag speaks of forfeit, an illegal move, adjudication or the like, though not of time: the position was drawn before the flag fell. \
           A Result tag or marker of which one says draw is RES04.",
    why: "The game was drawn as soon as this position stood on the board; a forfeit may explain the result, which is why it is no error.",
    fix: "Look the game up; if the moves are right it was drawn.",
    source: "Laws of Chess 5.2.2",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
         [FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 ⟦1-0⟧\n",
    )],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
             [FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 1/2-1/2\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
             [FEN \"8/8/8/8/3k1n2/8/4p3/4K1N1 w - - 0 1\"]\n\n1. Nxe2+ 1-0\n",
        ),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let stated = Stated::of(facts);
    let Some(right) = outcome_by(facts, Finished::Dead) else { return };
    let Some((place, claim)) = stated.against(right) else { return };
    if Termination::of(facts.tags) == Termination::Decided {
        return;
    }
    let winner = claim.winner().map_or("nobody", side);
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found(claim.as_str()).expected(right.as_str()).fen(final_fen(facts));
    finding.message(format!(
        "neither side has the material to mate in the final position, a draw, but the result is `{claim}`, a win for {winner}"
    ));
    finding.move_text = facts.last_move.to_owned();
    finding.repair = Some(Repair::Likely);
}
