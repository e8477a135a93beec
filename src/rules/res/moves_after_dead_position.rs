//! RES11: games that continue when neither side can checkmate.

use shakmaty::{Chess, Position};

use super::{Finished, plies_follow, squares_of_end};
use crate::chess::pass_turn;
use crate::chess::winnability::is_dead;
use crate::rules::main_line::place_of_ply;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES11"),
    name: "moves-after-dead-position",
    severity: Severity::Info,
    summary: "The game continued when neither side could checkmate",
    what: "Moves follow a position from which no sequence of legal moves leads to checkmate: \
           pieces are missing, or pawns block the position. Only proven cases are reported.",
    why: "The game was drawn as soon as that position arose. The moves after it were added later, \
           or were made by programs that do not know the rule.",
    fix: "Remove the moves that were not played.",
    source: "FIDE Laws 5.2.2",
    fires: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]",
            moves: "1. Kxe2 ⟦Ke4⟧ 2. Kd2 Kd4 1/2-1/2",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/2k5/7p/1p1p1p2/1P1P1P1P/4B3/2K5/8 b - - 0 1\"]",
            moves: "1... h5 2. ⟦Kd3⟧ Kd6 3. Kc3 1/2-1/2",
        },
    ],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]", moves: "1. Kxe2 1/2-1/2" },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/2k5/7p/1p1p1p2/1P1P1P1P/4B3/2K5/8 b - - 0 1\"]",
            moves: "1... Kd6 2. Kd3 Kc6 3. Kc3 1/2-1/2",
        },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    // A dead position stays dead. So if the last position is not dead, none before it is.
    if !facts.position.is_some_and(is_dead) {
        return;
    }
    let Some((since, first)) = first_dead_position(facts) else { return };
    let why = if first.is_insufficient_material() { "has had mating material" } else { "can checkmate" };
    let follow = plies_follow(facts.line.len() - since);
    let message = format!("neither side {why} since ply {since}, but {follow}");
    let next = since as u32 + 1;
    let finding = findings.add(&RULE, place_of_ply(facts, next));
    finding.ply(next).message(message).squares(squares_of_end(facts, Finished::Dead));
}

/// The first position before the last one that is known to be dead, and the plies before it. The
/// game ends in a dead position.
fn first_dead_position(facts: &Ending<'_>) -> Option<(usize, Chess)> {
    let mut positions = vec![facts.start.clone()];
    for played in facts.line {
        let mut next = positions.last()?.clone();
        match played {
            Some(played) => next.play_unchecked(*played),
            None => next = pass_turn(&next)?,
        }
        positions.push(next);
    }
    positions.pop();
    let first = positions.partition_point(|position| !is_dead(position));
    (first < positions.len()).then(|| (first, positions.swap_remove(first)))
}
