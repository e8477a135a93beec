//! CLK10: a forced mate that a reply undoes.

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

use crate::chess::has_legal_move;
use crate::pgn::Evaluation;
use crate::rules::main_line::{analysis, analysis_at, is_irreversible, locate, mover, positions, shown_value, written};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK10"),
    name: "mate-undone",
    severity: Severity::Warning,
    summary: "An announced mate is gone after the opponent's reply",
    what: "After a move, `%eval` announces a mate for the side that has just moved. After the \
           reply, the evaluation is 0.00 or favours the other side, or the reply is checkmate or \
           stalemate. A reply that repeats a position is not checked, and neither is a mate that \
           the fifty-move rule could prevent. Evaluations of engines that play are not checked. It \
           is reported once per game.",
    why: "At least one of the two evaluations is wrong or belongs to another position.",
    fix: "Evaluate the game again, or remove its evaluations.",
    source: "Known issues of the Lichess database: evaluations of December 2016",
    yields: &in_record([code!("CLK11"), code!("CLK12"), code!("CLK13")]),
    fires: &[
        Sample::Moves("1. e4 {⟦[%eval #5]⟧} e5 {[%eval -0.20]} *"),
        Sample::Moves("1. e4 {[%eval 0.20]} e5 {⟦[%eval #-12]⟧} 2. Nf3 {[%eval 0.00]} *"),
        Sample::Moves("1. e4 {⟦[%eval #7]⟧} e5 {[%eval #-3]} 2. Nf3 {[%eval #7]} Nc6 {[%eval 0.00]} *"),
        Sample::Moves("1. f3 {[%eval -0.70]} e5 {[%eval -0.80]} 2. g4 {⟦[%eval #9]⟧} Qh4# 0-1"),
    ],
    silent: &[
        Sample::Moves("1. e4 {[%eval #5]} e5 {[%eval 3.10]} 2. Nf3 {[%eval #4]} *"),
        // The side to move can miss its mate.
        Sample::Moves("1. e4 {[%eval #-5]} e5 {[%eval 0.20]} 2. Nf3 {[%eval 0.30]} *"),
        Sample::Moves("1. e4 {[%eval #5]} e5 2. Nf3 {[%eval 0.00]} *"),
        Sample::Moves("1. Nf3 {[%eval 0.20]} Nf6 {[%eval 0.20]} 2. Ng1 {[%eval #4]} Ng8 {[%eval 0.00]} *"),
        // The fifty-move rule can come before the mate.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 90 100\"]",
            moves: "100. Ke2 {[%eval #8]} Kf7 {[%eval 0.00]} *",
        },
        // Two engines write in turn.
        Sample::Game {
            tags: "[WhiteType \"program\"]\n[BlackType \"program\"]",
            moves: "1. e4 {[%eval #5]} e5 {[%eval 0.00]} *",
        },
        Sample::Moves("1. e4 {[%eval #5,20]} e5 {[%eval 0.00,21]} *"),
        Sample::Moves("1. e4 {+M9/12 0.5s} e5 {0.00/14 0.4s} *"),
        Sample::Moves("1. e4 {d=20, mt=100, wv=M9,} e5 {d=19, mt=200, wv=-0.20,} *"),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    // Nearly all mates hold, which the next evaluation shows without the board.
    let is_candidate = |reading: &&EvaluationReading| {
        let is_announced =
            matches!(reading.value, Evaluation::Mate(_)) && reading.value.favours() == Some(mover(facts, reading.ply));
        is_announced
            && match analysis_at(facts, reading.ply + 1).map(|reading| reading.value) {
                Some(Evaluation::Mate(0)) | None => reading.ply + 1 == facts.plies,
                Some(after) => after.favours() != reading.value.favours(),
            }
    };
    let mut candidates = analysis(facts).filter(is_candidate).peekable();
    if candidates.peek().is_none() {
        return;
    }
    let mut first = None;
    let mut others = 0_u32;
    // The positions since the last capture or pawn move. Only these can occur again.
    let mut keys = Vec::new();
    for (position, ply) in positions(facts).zip(0..) {
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
        if is_irreversible(facts, ply) {
            keys.clear();
        }
        if let Some(reading) = candidates.next_if(|reading| reading.ply + 1 == ply) {
            let after = analysis_at(facts, ply).map(|reading| reading.value);
            let is_gone = after.is_some_and(|after| after != Evaluation::Mate(0)) || !has_legal_move(&position);
            if is_gone && !may_be_drawn_first(&position, reading.value) && !keys.contains(&key) {
                others += u32::from(first.is_some());
                first.get_or_insert((reading, after));
            }
        }
        keys.push(key);
    }
    let Some((first, after)) = first else { return };
    let winner = color_name(mover(facts, first.ply));
    let then = match after {
        Some(value) => format!("the evaluation is `{}`", shown_value(value)),
        None => "the game is over".to_owned(),
    };
    let mut message = format!(
        "`{}` announces a mate for {winner}, but after {} {then}",
        shown_value(first.value),
        written(facts, first.ply + 1)
    );
    if others > 0 {
        let same = quantity(others, "other evaluation of this game fails", "other evaluations of this game fail");
        message.push_str(&format!("; {same} in the same way"));
    }
    let finding = findings.add(&RULE, first.place).found(shown_value(first.value)).message(message);
    locate(finding, facts, first.ply);
}

/// Whether the fifty-move rule can come before the mate.
fn may_be_drawn_first(position: &Chess, mate: Evaluation) -> bool {
    let moves = match mate {
        Evaluation::Mate(moves) => moves.unsigned_abs(),
        Evaluation::Centipawns(_) => 0,
    };
    u64::from(position.halfmoves()).saturating_add(moves.saturating_mul(2)) >= 100
}
