//! TRU02: wins by the side that is lost in the final position.

use shakmaty::{KnownOutcome, Position};

use super::{described, final_position, is_adjudicated_by_tables, locate_at_end, may_be_decided_off_board, recorded};
use crate::oracle::Prospect;
use crate::rules::prelude::*;
use crate::rules::stated_result::Stated;

pub static RULE: Rule = Rule {
    code: code!("TRU02"),
    name: "winner-was-lost",
    severity: Severity::Warning,
    summary: "The recorded winner was lost in the final position",
    what: "A side won, but by the tablebases it loses the final position, or only the fifty-move rule \
           saves it. Games whose tags or last comment mention time, a \
           resignation, a lost connection or an illegal move are not reported.",
    why: "The result is probably reversed, or the last moves are missing. A player can also lose on \
          time or resign in a won position.",
    fix: "Compare the result and the last moves with the source.",
    source: "Syzygy tablebases",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("TRU01"), code!("RES09"), code!("RES16")]),
    needs: &[Need::Tables],
    fires: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/P5p1/8/8/8/8/8/K7 w - - 0 1\"]", moves: "1. a8=Q+ Kh7 ⟦0-1⟧" },
        // Whatever the clock is, Black does not win.
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"Q6k/6p1/8/8/8/8/8/K7 b - - 95 90\"]", moves: "90... Kh7 ⟦0-1⟧" },
    ],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/P5p1/8/8/8/8/8/K7 w - - 0 1\"]", moves: "1. a8=Q+ Kh7 1-0" },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P5p1/8/8/8/8/8/K7 w - - 0 1\"]\n\
                   [Termination \"Time forfeit\"]",
            moves: "1. a8=Q+ Kh7 0-1",
        },
    ],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    let (Some((place, claim)), Some(last)) = (recorded(ending), final_position(game)) else { return };
    let Some(claimed) = claim.winner() else { return };
    // Adjudications have a rule of their own.
    if may_be_decided_off_board(ending) || is_adjudicated_by_tables(ending, claim) {
        return;
    }
    let (Some(verdict), turn) = (last.verdict(game.inquiry), last.position.turn()) else { return };
    if verdict.winner(turn) != Some(!claimed) {
        return;
    }
    let right = KnownOutcome::Decisive { winner: !claimed };
    let finding = findings.add(&RULE, place).found(claim.as_str());
    finding.message(format!("the result is `{claim}`, but by the tablebases {}", described(&verdict, turn)));
    if verdict.limited != Some(Prospect::Draw) {
        finding.expected(right.as_str());
        Stated::of(ending).replace_by(right, ending.text, finding);
    }
    locate_at_end(finding, ending, &last);
}
