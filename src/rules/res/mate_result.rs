//! RES05: results that contradict a checkmate.

use super::{Finished, Stated, Termination, against_variant_end, final_fen, outcome_by, side};
use crate::rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ending};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES05"),
    name: "mate-result",
    severity: Severity::Error,
    summary: "The final position is checkmate, and the result is not a win for the side that mates",
    what: "The last move mates, and a score is stated that is not a win for the side that played it. Judged only where moves were played and all of them could be replayed. \
           `*` is RES07, a Result tag or marker of which one agrees with the mate is RES04, and `0-0` is spared. \
           A warning where the Termination tag speaks of time, forfeit, adjudication or the like.",
    why: "Checkmate ends the game: either the result, the names of the players, or a move is wrong.",
    fix: "Look the game up; the result that the board shows is in `expected`.",
    source: "Laws of Chess 1.4.1, 5.1.1",
    fires: &[Sample::Moves("1. f3 e5 2. g4 Qh4# ⟦1-0⟧"), Sample::Moves("1. f3 e5 2. g4 Qh4# ⟦1/2-1/2⟧")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if let Some(end) = facts.variant.filter(|end| end.outcome.winner().is_some()) {
        against_variant_end(&RULE, facts, end, findings);
        return;
    }
    let stated = Stated::of(facts);
    let Some(right) = outcome_by(facts, Finished::Mate) else { return };
    let (Some((place, claim)), Some(winner)) = (stated.against(right), right.winner()) else { return };
    let finding = findings.add(&RULE, place);
    if Termination::of(facts.tags) != Termination::Unsaid {
        finding.severity(Severity::Warning);
    }
    finding.ply(facts.plies).found(claim.as_str()).expected(right.as_str()).fen(final_fen(facts));
    finding.message(format!("{} has mated with {}, but the result is `{claim}`", side(winner), facts.last_move));
    finding.move_text = facts.last_move.to_owned();
    finding.repair = Some(Repair::Likely);
}
