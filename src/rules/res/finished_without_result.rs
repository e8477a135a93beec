//! RES07: finished games without a result.

use shakmaty::{Chess, Outcome};

use super::{Finished, Stated, final_fen, outcome_on_board, placeholder_marker::unless_placeholder, squares_of_end};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES07"),
    name: "finished-without-result",
    severity: Severity::Warning,
    summary: "The game is over, but the result is `*`",
    what: "The last move gives checkmate or stalemate (in variants: ends the game on the board), \
           but no result is recorded. The Result tag and the termination marker are both `*`, or \
           one is `*` and the other is missing. With a FEN tag and `*` in both places, the game is \
           probably a puzzle, and the finding is an info. If all of at least 20 games end with `*`, one \
           info counts the games.",
    why: "Tables and statistics count the game as unfinished.",
    fix: "Write the result that the board shows.",
    source: "FIDE Laws 5.1.1, 5.2.1; PGN standard 8.1.1.7",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("RES05")]),
    fires: &[
        Sample::Moves("1. f3 e5 2. g4 Qh4# ⟦*⟧"),
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 40\"]", moves: "40. Ra8# ⟦*⟧" },
    ],
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
    let on_board = outcome_on_board(facts);
    let (right, message) = match on_board {
        None if facts.variant.is_some() => {
            let Some(end) = facts.variant else { return };
            (end.outcome, format!("{} after {}, but the result is `*`", end.how, facts.last_move))
        }
        Some((right, Finished::Mate)) => {
            let winner = right.winner().map_or("nobody", color_name);
            (right, format!("{winner} checkmates with {}, but the result is `*`", facts.last_move))
        }
        Some((right, Finished::Stalemate)) => (right, "the final position is stalemate, but the result is `*`".to_owned()),
        _ => return,
    };
    let since = findings.len();
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found("*").expected(right.as_str()).message(message).fen(final_fen(facts));
    if let Some((_, how)) = on_board {
        finding.squares(squares_of_end(facts, how));
    }
    finding.move_text = facts.last_move.to_owned();
    // The game may have been stopped, or it is a puzzle.
    stated.replace_by(right, facts.text, finding);
    let is_puzzle = *facts.start != Chess::default() && stated.tag.is_some() && stated.marker.is_some();
    if is_puzzle {
        finding.severity(Severity::Info);
    }
    unless_placeholder(&RULE, stated, findings, since);
}
