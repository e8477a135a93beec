//! RES06: results that contradict a stalemate.

use super::{Finished, Stated, Termination, against_variant_end, final_fen, outcome_by, side};
use crate::rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ending};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES06"),
    name: "stalemate-result",
    severity: Severity::Error,
    summary: "The final position is stalemate, and the result is a win",
    what: "After the last move the side to move is not in check and has no legal move, and a win is stated. \
           Spared where the Termination tag speaks of time, forfeit, an illegal move, adjudication or the like; `*` is RES07, and a Result tag or marker \
           of which one says draw is RES04.",
    why: "Stalemate ends the game with a draw: either the result or a move is wrong.",
    fix: "Look the game up; if the moves are right it was drawn.",
    source: "Laws of Chess 5.2.1",
    fires: &[Sample::Moves(
        "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3\n8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 ⟦1-0⟧",
    )],
    silent: &[
        Sample::Moves(
            "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3\n8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1/2-1/2",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
             [Termination \"rules infraction\"]\n\n\
             1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3\n8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1-0\n",
        ),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if let Some(end) = facts.variant.filter(|end| end.outcome.winner().is_none()) {
        against_variant_end(&RULE, facts, end, findings);
        return;
    }
    let stated = Stated::of(facts);
    let Some(right) = outcome_by(facts, Finished::Stalemate) else { return };
    let Some((place, claim)) = stated.against(right) else { return };
    if Termination::of(facts.tags) != Termination::Unsaid {
        return;
    }
    let winner = claim.winner().map_or("nobody", side);
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found(claim.as_str()).expected(right.as_str()).fen(final_fen(facts));
    finding.message(format!("the final position is stalemate, a draw, but the result is `{claim}`, a win for {winner}"));
    finding.move_text = facts.last_move.to_owned();
    finding.repair = Some(Repair::Likely);
}
