//! RES09: wins by a side that cannot checkmate.

use shakmaty::{KnownOutcome, Position};

use super::{Stated, Termination, final_fen};
use crate::chess::has_legal_move;
use crate::chess::winnability::{cannot_checkmate, is_dead};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES09"),
    name: "winner-cannot-mate",
    severity: Severity::Warning,
    summary: "The recorded winner cannot checkmate by any sequence of moves",
    what: "The winner has only a king in the final position. If the Termination tag mentions \
           time, it is enough that the winner provably can never checkmate. The proof can be its \
           pieces (such as a knight against a queen), pawns that block the position, or forced \
           moves. Games whose Termination tag mentions \
           another forfeit, an adjudication or the like are not reported. See RES08 if neither \
           side can checkmate.",
    why: "Under the FIDE Laws the game was drawn when the flag fell. Servers have other rules and \
           forfeits happen, so this is not an error.",
    fix: "Compare with another source. Check whether the colours or the result are swapped.",
    source: "FIDE Laws 6.9",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("RES08"), code!("RES16"), code!("TRU01")]),
    fires: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k2p1/8/4p3/4K3 w - - 0 1\"]", moves: "1. Kxe2 ⟦1-0⟧" },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3kq3/8/N7/4K3 w - - 0 1\"]\n\
                   [Termination \"Time forfeit\"]",
            moves: "1. Kf2 ⟦1-0⟧",
        },
        // Black can only capture the last pawn.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"6nk/7p/6P1/8/7K/8/8/8 w - - 0 1\"]\n\
                   [Termination \"Time forfeit\"]",
            moves: "1. g7+ ⟦1-0⟧",
        },
        // White's king is shut in, and Black's bishops never attack its square.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"3k4/2b5/1b4B1/8/8/6p1/6Pp/7K w - - 0 1\"]\n\
                   [Termination \"Time forfeit\"]",
            moves: "1. Be4 Ke7 ⟦0-1⟧",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k2p1/8/4p3/4K3 w - - 0 1\"]\n\
                   [Termination \"rules infraction\"]",
            moves: "1. Kxe2 1-0",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k2p1/8/N7/4K3 w - - 0 1\"]\n\
                   [Termination \"Time forfeit\"]",
            moves: "1. Kf2 1-0",
        },
        // The same with a bishop on the other colour.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"3k4/2b5/2b3B1/8/8/6p1/6Pp/7K w - - 0 1\"]\n\
                   [Termination \"Time forfeit\"]",
            moves: "1. Be4 Ke7 0-1",
        },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

/// Positions without legal moves are left to the rules about checkmate and stalemate.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(position) = facts.position.filter(|_| facts.plies > 0) else { return };
    let stated = Stated::of(facts);
    let Some((place, claim, winner)) =
        stated.each().find_map(|(place, kind)| kind.outcome()?.known().and_then(|claim| Some((place, claim, claim.winner()?))))
    else {
        return;
    };
    // RES04 reports a tag and a marker that contradict each other.
    if stated.each().any(|(_, kind)| kind.outcome().and_then(|outcome| outcome.known()) != Some(claim)) {
        return;
    }
    let termination = Termination::of(facts.tags);
    let has_only_king = position.board().by_color(winner).count() == 1;
    let reason = match termination {
        Termination::Decision => return,
        Termination::Time => "could not checkmate when the flag fell",
        Termination::Unexplained if has_only_king => "has only a king left",
        Termination::Unexplained => return,
    };
    if !cannot_checkmate(position, winner) || is_dead(position) || !has_legal_move(position) {
        return;
    }
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found(claim.as_str()).expected("1/2-1/2").fen(final_fen(facts));
    finding.squares(position.board().by_color(winner));
    finding.message(format!("the result is `{claim}`, but {} {reason}", color_name(winner)));
    finding.move_text = facts.last_move.to_owned();
    stated.replace_by(KnownOutcome::Draw, facts.text, finding);
}
