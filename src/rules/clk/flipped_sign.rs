//! CLK13: evaluations with the wrong sign.

use shakmaty::{Chess, Color, Position};

use super::swings::Swings;
use crate::pgn::Evaluation;
use crate::rules::main_line::{
    DECISIVE, analysis, ended_off_board, locate, material, mover, positions, shown_value, winner, written,
};
use crate::rules::prelude::*;

/// Number of plies before a mate in which no evaluation may favour the winner.
const PLIES_BEFORE_MATE: u32 = 4;
/// Number of evaluations that must agree with each other if no mate shows the sign.
const BARE_KING_EVALUATIONS: usize = 3;
const MATERIAL_EVALUATIONS: usize = 10;
/// The lead in points, and the evaluation for the other side in hundredths of a pawn.
const LEAD: u32 = 5;
const CONTRARY: i64 = 500;

pub static RULE: Rule = Rule {
    code: code!("CLK13"),
    name: "flipped-sign",
    severity: Severity::Warning,
    summary: "The sign of the evaluations is wrong",
    what: "`%eval` announces a mate in one for a side that is checkmated by the next move. Or it \
           favours a side that has only its king. Or it favours a side that has less material and \
           loses, except on time, by a lost connection or by an illegal move. It is an info if \
           evaluations improve with mistakes and favour the side with less material. For engines \
           that play, it is an info, reported once per input: an engine that checkmates wrote that \
           it was losing.",
    why: "Programs read every evaluation as its opposite.",
    fix: "Change the sign of the evaluations of this game. `%eval` and `wv` (TCEC) are White's \
          point of view. cutechess and fastchess write that of the side that has moved.",
    source: "Convention of Lichess: positive evaluations favour White",
    fires: &[
        Sample::Moves("1. f3 {[%eval 0.80]} e5 {[%eval 0.70]} 2. g4 {⟦[%eval #1]⟧} Qh4# 0-1"),
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\"]",
            moves: "1. Qd5 {[%eval -9.50]} Ke7 {[%eval -9.60]} 2. Ke2 {⟦[%eval -9.70]⟧} *",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"4k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1\"]",
            moves: "1. Rb1 {[%eval -5.20]} Kd7 {[%eval -5.30]} 2. Kd2 {[%eval -5.40]} Kd6 \
                    {[%eval -5.50]}\n\
                    3. Kd3 {[%eval -5.60]} Kd5 {[%eval -5.70]} 4. c4+ {[%eval -5.80]} Kd6 \
                    {[%eval -5.90]}\n5. Kd4 {[%eval -6.10]} b6 {⟦[%eval -6.20]⟧} 1-0",
        },
        Sample::Moves(
            "1. e4 {[%eval -0.30]} e5 {[%eval -0.30]} 2. Qh5 {[%eval 0.20]} Nf6 {[%eval 0.30]}\n\
             3. Qxf7+ {⟦[%eval 8.00]⟧} Kxf7 {[%eval 8.00]} 4. d4 {[%eval 8.10]} Nd5 {[%eval 4.90]}\n\
             5. exd5 {[%eval 4.90]} Ke8 {[%eval 4.80]} 6. Bh6 {[%eval 8.10]} gxh6 {[%eval 8.10]} *",
        ),
        Sample::Moves("1. f3 {-0.80/9 0.5s} e5 {-3.70/9 0.5s} 2. g4 {-0.90/9 0.5s} Qh4# {⟦-M1/9 0.5s, Black mates⟧} 0-1"),
        Sample::Moves("1. f3 {d=9, wv=-0.80,} e5 {d=9, wv=3.70,} 2. g4 {d=9, wv=-0.90,} Qh4# {⟦d=9, wv=M1,⟧} 0-1"),
    ],
    silent: &[
        Sample::Moves("1. f3 {[%eval -0.80]} e5 {[%eval -0.70]} 2. g4 {[%eval #-1]} Qh4# 0-1"),
        // The loser was winning until the last move.
        Sample::Moves("1. f3 {[%eval 9.00]} e5 {[%eval 9.00]} 2. g4 {[%eval #-1]} Qh4# 0-1"),
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\"]",
            moves: "1. Qd5 {[%eval 9.50]} Ke7 {[%eval 9.60]} 2. Ke2 {[%eval 9.70]} *",
        },
        Sample::Moves("1. f3 {-0.80/9 0.5s} e5 {+3.70/9 0.5s} 2. g4 {-0.90/9 0.5s} Qh4# {+M1/9 0.5s, Black mates} 0-1"),
        Sample::Moves("1. f3 {d=9, wv=-0.80,} e5 {d=9, wv=-3.70,} 2. g4 {d=9, wv=-0.90,} Qh4# {d=9, wv=-M1,} 0-1"),
    ],
    check: Check::Ending(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

/// Each sign is shown by one of: a mate in one for the side that is mated with the next move, and
/// no advantage of three pawns for the other side in the last four plies; three evaluations of
/// three pawns for a bare king; ten evaluations of five pawns for a side that has five points less
/// and loses.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if !by_end(facts, findings) {
        by_swings(facts, findings);
    }
}

/// Reports a last evaluation that the end of the game contradicts. Returns whether it does.
fn by_end(facts: &Ending<'_>, findings: &mut Findings) -> bool {
    let (Some(position), Some(last)) = (facts.position, facts.annotations.evaluations.last()) else { return false };
    let Some(favoured) = last.value.favours() else { return false };
    let mated = position.is_checkmate().then(|| position.turn());
    let reason = match last.by {
        Evaluator::Analysis if mated == Some(favoured) => before_mate(facts, last, favoured),
        Evaluator::Analysis => for_bare_king(facts, favoured).or_else(|| against_material(facts, favoured)),
        Evaluator::Player if mated == Some(favoured) => by_winner(facts, last, favoured),
        Evaluator::Player => None,
    };
    let Some(reason) = reason else { return false };
    let value = shown_value(last.value);
    let message = format!("the evaluation `{value}` favours {}, but {reason}", color_name(favoured));
    let finding = findings.add(&RULE, last.place).found(value).message(message);
    if last.by == Evaluator::Player {
        finding.severity(Severity::Info).once_per_input();
    }
    locate(finding, facts, last.ply);
    true
}

/// Reports evaluations that improve with mistakes and contradict the material.
fn by_swings(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(swings) = Swings::of(facts).filter(|swings| !swings.fit_material) else { return };
    let Some(first) = swings.gains.first() else { return };
    let value = shown_value(first.value);
    let gains = quantity(swings.gains.len(), "move", "moves");
    let message = format!(
        "the evaluations favour the side with less material, and improve by two pawns or more with each of {gains}, first with {}",
        written(facts, first.ply)
    );
    let finding = findings.add(&RULE, first.place).severity(Severity::Info).found(value).message(message);
    locate(finding, facts, first.ply);
}

/// How much an evaluation favours `color`, in hundredths of a pawn.
fn advantage(reading: &EvaluationReading, color: Color) -> i64 {
    color.fold_wb(1, -1) * reading.value.within(i64::MAX)
}

/// The last evaluation is a mate in one for the side that is mated with the next move.
fn before_mate(facts: &Ending<'_>, last: &EvaluationReading, mated: Color) -> Option<String> {
    let plies = facts.plies;
    let near = analysis(facts).filter(|reading| reading.ply + PLIES_BEFORE_MATE >= plies);
    let is_consistent = !near.into_iter().any(|reading| advantage(reading, !mated) >= DECISIVE);
    (last.ply + 1 == plies && matches!(last.value, Evaluation::Mate(1 | -1)) && is_consistent)
        .then(|| format!("{} checkmates with the next move", color_name(!mated)))
}

/// The last evaluations favour a side that has only its king.
fn for_bare_king(facts: &Ending<'_>, favoured: Color) -> Option<String> {
    let is_bare = |position: &Chess| position.board().by_color(favoured).count() == 1;
    if !facts.position.is_some_and(is_bare) {
        return None;
    }
    let earliest = agreeing(facts, favoured, DECISIVE, BARE_KING_EVALUATIONS)?;
    positions(facts)
        .nth(earliest as usize)
        .is_some_and(|position| is_bare(&position))
        .then(|| format!("{} has only its king", color_name(favoured)))
}

/// The last evaluations favour the side that is behind in material and loses.
fn against_material(facts: &Ending<'_>, favoured: Color) -> Option<String> {
    if winner(facts) != Some(!favoured) || ended_off_board(facts) {
        return None;
    }
    let earliest = agreeing(facts, favoured, CONTRARY, MATERIAL_EVALUATIONS)?;
    let is_behind = |position: Chess| material(&position, !favoured) >= material(&position, favoured).saturating_add(LEAD);
    positions(facts)
        .skip(earliest as usize)
        .all(is_behind)
        .then(|| format!("{0} is ahead in material and wins", color_name(!favoured)))
}

/// The first ply of the last `count` evaluations, if all of them favour `color` by at least `min`.
fn agreeing(facts: &Ending<'_>, color: Color, min: i64, count: usize) -> Option<u32> {
    let mut last = analysis(facts).rev().take(count);
    let agree = last.clone().count() == count && last.all(|reading| advantage(reading, color) >= min);
    agree.then(|| analysis(facts).rev().nth(count - 1).map(|reading| reading.ply))?
}

/// The engine that mates has written twice that it is losing.
fn by_winner(facts: &Ending<'_>, last: &EvaluationReading, mated: Color) -> Option<String> {
    let all = facts.annotations.evaluations;
    let earlier = all.iter().rev().find(|reading| reading.ply + 2 == last.ply)?;
    (last.ply == facts.plies && [last, earlier].into_iter().all(|reading| advantage(reading, mated) >= DECISIVE))
        .then(|| format!("{} wrote it and checkmates", color_name(mover(facts, last.ply))))
}
