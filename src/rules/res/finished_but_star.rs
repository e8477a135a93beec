//! RES07: finished games without a score.

use shakmaty::Outcome;

use super::{Finished, Stated, final_fen, outcome_on_board, side};
use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity, Yield,
    facts::{Ending, MarkerKind},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES07"),
    name: "finished-but-star",
    severity: Severity::Warning,
    summary: "The final position is checkmate or stalemate, and the result is `*`",
    what: "The last move mates or stalemates, and neither the Result tag nor the termination marker says anything but `*`.",
    why: "The game is over, but counts as unfinished in every table.",
    fix: "Write the result that the board shows; it is in `expected`.",
    source: "Laws of Chess 5.1.1, 5.2.1; PGN standard 8.1.1.7",
    yields: &[Yield::InRecord(code!("RES05"))],
    fires: &[Sample::Moves("1. f3 e5 2. g4 Qh4# ⟦*⟧")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 *")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let stated = Stated::of(facts);
    if stated.each().any(|(_, kind)| kind != MarkerKind::Standard(Outcome::Unknown)) {
        return;
    }
    let Some((place, _)) = stated.each().next() else { return };
    let (right, message) = match outcome_on_board(facts) {
        None if facts.variant.is_some() => {
            let Some(end) = facts.variant else { return };
            (end.outcome, format!("{} after {}, but the result is `*`", end.how, facts.last_move))
        }
        Some((right, Finished::Mate)) => {
            let winner = right.winner().map_or("nobody", side);
            (right, format!("{winner} has mated with {}, but the result is `*`", facts.last_move))
        }
        Some((right, Finished::Stalemate)) => {
            (right, "the final position is stalemate, a draw, but the result is `*`".to_owned())
        }
        _ => return,
    };
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found("*").expected(right.as_str()).message(message).fen(final_fen(facts));
    finding.move_text = facts.last_move.to_owned();
    finding.repair = Some(Repair::Certain);
}
