//! RES06: results that contradict a stalemate.

use super::{
    Finished, Stated, Termination, final_fen, outcome_if, placeholder_marker::unless_placeholder, report_against_variant_end,
    squares_of_end,
};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES06"),
    name: "stalemate-result-mismatch",
    severity: Severity::Error,
    summary: "The final position is stalemate, but a win is recorded",
    what: "After the last move the side to move is stalemated (in variants: the game is drawn on \
           the board), but a win is recorded. Games whose Termination tag mentions time, a \
           forfeit, an illegal move, an adjudication or the like are not reported; in variants \
           they are a warning. If the tag or the marker says draw, see RES04. If both are `*`, \
           see RES07.",
    why: "Stalemate is a draw. Either the result or a move is wrong.",
    fix: "Compare with another source. If the moves are right, write `1/2-1/2`.",
    source: "FIDE Laws 5.2.1",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves(
        "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3\n8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 ⟦1-0⟧",
    )],
    silent: &[
        Sample::Moves(
            "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3\n8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1/2-1/2",
        ),
        Sample::Game {
            tags: "[Termination \"rules infraction\"]",
            moves: "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 \
                    Qd3\n8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1-0",
        },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if let Some(end) = facts.variant.filter(|end| end.outcome.winner().is_none()) {
        report_against_variant_end(&RULE, facts, end, findings);
        return;
    }
    let stated = Stated::of(facts);
    let Some(right) = outcome_if(facts, Finished::Stalemate) else { return };
    let Some((place, claim)) = stated.contradicting(right) else { return };
    if Termination::of(facts.tags) != Termination::Unexplained {
        return;
    }
    let since = findings.len();
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found(claim.as_str()).expected(right.as_str()).fen(final_fen(facts));
    finding.squares(squares_of_end(facts, Finished::Stalemate));
    finding.message(format!("the final position is stalemate, but the result is `{claim}`"));
    finding.move_text = facts.last_move.to_owned();
    stated.replace_by(right, facts.text, finding);
    unless_placeholder(&RULE, stated, findings, since);
}
