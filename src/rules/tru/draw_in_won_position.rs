//! TRU03: draws in positions that are won.

use shakmaty::Position;

use super::{final_position, is_adjudicated_by_tables, locate_at_end, may_be_decided_off_board, recorded};
use crate::rules::main_line;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU03"),
    name: "draw-in-won-position",
    severity: Severity::Info,
    summary: "The game is drawn, but one side was winning",
    what: "The result is a draw, but by the tablebases one side wins the final position, both with the \
           fifty-move rule and without it. The halfmove clock of a FEN tag counts unless it is a \
           placeholder. Games that may be drawn by repetition, and games whose tags \
           or last comment mention time, a lost connection or an illegal move, are not reported.",
    why: "Players may agree to a draw in any position. But the result may also be wrong, or moves may be \
          missing.",
    fix: "Compare the result and the last moves with the source.",
    source: "Syzygy tablebases",
    yields: &in_record([code!("TRU01")]),
    needs: &[Need::Tables],
    fires: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", moves: "1. a8=Q+ ⟦1/2-1/2⟧" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 3 90\"]", moves: "90. Kb2 Kg7 ⟦1/2-1/2⟧" },
    ],
    silent: &[
        // By the clock, the fifty-move rule saves Black.
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 95 90\"]", moves: "90. Kb2 Kg7 1/2-1/2" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", moves: "1. a8=Q+ 1-0" },
        // The third time the position occurs.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]",
            moves: "1. a8=Q+ Kh7 2. Qb7+ Kh8 3. Qa8+ Kh7 4. Qb7+ Kh8 5. Qa8+ 1/2-1/2",
        },
    ],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    let (Some((place, claim)), Some(last)) = (recorded(ending), final_position(game)) else { return };
    if claim.winner().is_some() || may_be_decided_off_board(ending) || is_adjudicated_by_tables(ending, claim) {
        return;
    }
    let Some(winner) = last.verdict(game.inquiry).and_then(|verdict| verdict.certain_winner(last.position.turn())) else {
        return;
    };
    if main_line::positions(ending).filter(|position| *position == last.position).count() >= 3 {
        return;
    }
    let finding = findings.add(&RULE, place).found(claim.as_str()).only_if(last.clock.condition());
    finding.message(format!("the result is a draw, but by the tablebases {} wins", color_name(winner)));
    locate_at_end(finding, ending, &last);
}
