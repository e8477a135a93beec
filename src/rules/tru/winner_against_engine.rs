//! TRU13: wins by the side that an engine sees lost.

use shakmaty::Position;

use super::{hundredths, may_be_decided_off_board, opinion, played_to_its_end, recorded};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU13"),
    name: "winner-against-engine",
    severity: Severity::Info,
    summary: "By an engine, the loser was winning",
    what: "A side won, but an engine prefers the other side by at least five pawns in the final position. \
           Games whose tags or last comment mention time, a resignation, a lost connection or an illegal \
           move are not reported. This is an opinion.",
    why: "The result may be reversed, or the last moves may be missing. Or a player resigned in a won \
          position.",
    fix: "Compare the result and the last moves with the source.",
    source: "Known issues of the Lichess database: results of 12 March 2021",
    yields: &in_record([
        code!("TRU01"),
        code!("TRU02"),
        code!("TRU15"),
        code!("RES08"),
        code!("RES09"),
        code!("RES16"),
        code!("CLK14"),
    ]),
    needs: &[Need::Engine],
    fires: &[Sample::Game {
        tags: "[SetUp \"1\"]\n[FEN \"r5k1/7p/8/8/8/8/8/R3K2Q w - - 0 1\"]", moves: "1. Qxa8+ Kg7 ⟦0-1⟧"
    }],
    silent: &[Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"r5k1/7p/8/8/8/8/8/R3K2Q w - - 0 1\"]", moves: "1. Qxa8+ Kg7 1-0" }],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

/// From this many hundredths of a pawn on, a side is winning.
const WINNING: i64 = 500;

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    let Some((place, claim)) = recorded(ending).filter(|_| game.inquiry.has_engine()) else { return };
    let (Some(winner), Some(position)) = (claim.winner(), played_to_its_end(ending)) else { return };
    if may_be_decided_off_board(ending) {
        return;
    }
    let Some((score, _)) = opinion(game.inquiry, position, Vec::new()) else { return };
    let turn = position.turn();
    let for_winner = if turn == winner { hundredths(score) } else { -hundredths(score) };
    if for_winner > -WINNING {
        return;
    }
    let nodes = quantity(game.inquiry.nodes(), "node", "nodes");
    let message = format!(
        "the result is `{claim}`, but an engine sees {} winning: `{}` for {}, who is to move, at {nodes}",
        color_name(!winner),
        score,
        color_name(turn)
    );
    findings.add(&RULE, place).found(claim.as_str()).message(message);
}
