//! RES05: results that contradict a checkmate.

use super::placeholder_marker;
use shakmaty::KnownOutcome;

use super::{
    Finished, Stated, Termination, final_fen, outcome_if, placeholder_marker::unless_placeholder, report_against_variant_end,
    squares_of_end,
};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES05"),
    name: "mate-result-mismatch",
    severity: Severity::Error,
    summary: "The final position is checkmate, but the result contradicts it",
    what: "The last move gives checkmate (in variants: wins on the board), but a draw or a loss \
           is recorded. This is a warning if the Termination tag mentions time, a forfeit, an \
           adjudication or the like. If the tag or the marker gives the right result, see RES04. \
           If both are `*`, see RES07. A double forfeit such as `0-0` is a warning: an arbiter may \
           have decided so. A marker that all games share, at least 20 of them, proves nothing \
           if it is a draw or `0-0`, or if three mates contradict it. Then one info counts the \
           games.",
    why: "Checkmate ends the game. Either the result, the names of the players or a move is wrong.",
    fix: "Compare with another source. If the moves are right, write the result that the board \
           shows.",
    source: "FIDE Laws 1.4.1, 5.1.1",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves("1. f3 e5 2. g4 Qh4# ⟦1-0⟧"), Sample::Moves("1. f3 e5 2. g4 Qh4# ⟦1/2-1/2⟧")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1")],
    check: Check::Ending(check),
    note: Some(&placeholder_marker::NOTE),
    ..Rule::DEFAULTS
};

/// Checks games in which moves were played and all of them are legal.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let since = findings.len();
    if let Some(end) = facts.variant.filter(|end| end.outcome.winner().is_some()) {
        report_against_variant_end(&RULE, facts, end, findings);
    } else if let Some(right) = outcome_if(facts, Finished::Mate) {
        report(facts, right, findings);
    }
    unless_placeholder(&RULE, Stated::of(facts), findings, since);
}

fn report(facts: &Ending<'_>, right: KnownOutcome, findings: &mut Findings) {
    let stated = Stated::of(facts);
    let forfeit = stated.double_forfeit();
    let claim = stated.contradicting(right).map(|(place, claim)| (place, claim.as_str().to_owned()));
    let forfeited = || forfeit.map(|place| (place, shown(place.of(facts.text))));
    let (Some((place, claim)), Some(winner)) = (claim.or_else(forfeited), right.winner()) else { return };
    let finding = findings.add(&RULE, place);
    if Termination::of(facts.tags) != Termination::Unexplained || forfeit.is_some() {
        finding.severity(Severity::Warning);
    }
    finding.ply(facts.plies).expected(right.as_str()).fen(final_fen(facts));
    finding.squares(squares_of_end(facts, Finished::Mate));
    finding.message(format!("{} checkmates with {}, but the result is `{claim}`", color_name(winner), facts.last_move));
    finding.found(claim);
    finding.move_text = facts.last_move.to_owned();
    stated.replace_by(right, facts.text, finding);
}
