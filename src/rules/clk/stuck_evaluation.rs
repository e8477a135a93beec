//! CLK11: evaluations that do not change.

use shakmaty::Position;

use crate::pgn::Evaluation;
use crate::rules::main_line::{is_irreversible, locate, played, shown_value, written};
use crate::rules::prelude::*;

/// Minimum number of plies with the same evaluation.
const MIN_PLIES: usize = 10;
/// From this many hundredths of a pawn on, tablebases give every win the same value.
const TABLEBASE_WIN: u64 = 5000;
/// Up to this many hundredths of a pawn, an engine with contempt may mean a draw.
const MAX_DRAW: u64 = 25;
/// With fewer pieces and pawns on the board, a position may be a dead draw.
const MIN_PIECES: usize = 24;

pub static RULE: Rule = Rule {
    code: code!("CLK11"),
    name: "stuck-evaluation",
    severity: Severity::Warning,
    summary: "The evaluation stays the same while the game goes on",
    what: "`%eval` has the same value for ten or more plies, among them a capture or a pawn move. \
           0.00 and values of 50 pawns or more are not checked. Nor are values up to 0.25 with fewer \
           than 24 pieces and pawns on the board, because engines value a draw like that. A mate is \
           reported only if all evaluations of the game are that mate. Evaluations of engines that play are infos, once \
           per input.",
    why: "The program repeated an old evaluation instead of making a new one.",
    fix: "Evaluate the game again, or remove its evaluations.",
    source: "Known issues of the Lichess database: December 2016, July and August 2020",
    fires: &[
        Sample::Moves(
            "1. e4 {⟦[%eval 0.35]⟧} e5 {[%eval 0.35]} 2. Nf3 {[%eval 0.35]} Nc6 {[%eval 0.35]} 3. Bb5 {[%eval 0.35]}\n\
             a6 {[%eval 0.35]} 4. Ba4 {[%eval 0.35]} Nf6 {[%eval 0.35]} 5. O-O {[%eval 0.35]} Be7 {[%eval 0.35]} *",
        ),
        Sample::Moves(
            "1. e4 {⟦[%eval #5]⟧} e5 {[%eval #5]} 2. Nf3 {[%eval #5]} Nc6 {[%eval #5]} 3. Bb5 {[%eval #5]}\n\
             a6 {[%eval #5]} 4. Ba4 {[%eval #5]} Nf6 {[%eval #5]} 5. O-O {[%eval #5]} Be7 {[%eval #5]} *",
        ),
        // Each engine writes its own view.
        Sample::Moves(
            "1. e4 {⟦+0.35/9 0.5s⟧} e5 {-0.35/9 0.5s} 2. Nf3 {+0.35/9 0.5s} Nc6 {-0.35/9 0.5s} 3. Bb5 {+0.35/9 0.5s}\n\
             a6 {-0.35/9 0.5s} 4. Ba4 {+0.35/9 0.5s} Nf6 {-0.35/9 0.5s} 5. O-O {+0.35/9 0.5s} Be7 {-0.35/9 0.5s} *",
        ),
    ],
    silent: &[
        Sample::Moves(
            "1. e4 {[%eval 0.35]} e5 {[%eval 0.35]} 2. Nf3 {[%eval 0.35]} Nc6 {[%eval 0.35]} 3. Bb5 {[%eval 0.35]}\n\
             a6 {[%eval 0.35]} 4. Ba4 {[%eval 0.35]} Nf6 {[%eval 0.35]} 5. O-O {[%eval 0.35]} Be7 {[%eval 0.36]} *",
        ),
        Sample::Moves(
            "1. e4 {[%eval 0.0]} e5 {[%eval 0.00]} 2. Nf3 {[%eval 0.00]} Nc6 {[%eval 0.00]} 3. Bb5 {[%eval 0.00]}\n\
             a6 {[%eval 0.00]} 4. Ba4 {[%eval 0.00]} Nf6 {[%eval 0.00]} 5. O-O {[%eval 0.00]} Be7 {[%eval 0.00]} *",
        ),
        // A closed position in which nothing happens.
        Sample::Moves(
            "1. Nf3 {[%eval 0.35]} Nf6 {[%eval 0.35]} 2. Nc3 {[%eval 0.35]} Nc6 {[%eval 0.35]} 3. Ng1 {[%eval 0.35]}\n\
             Ng8 {[%eval 0.35]} 4. Na4 {[%eval 0.35]} Na5 {[%eval 0.35]} 5. Nh3 {[%eval 0.35]} Nh6 {[%eval 0.35]} *",
        ),
        // A drawn ending, valued by an engine that avoids draws.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/4b3/6p1/3k4/5pP1/5K2/5B2/8 b - - 0 39\"]",
            moves: "39... Bd6 {[%eval -0.08]} 40. Bd4 {[%eval -0.08]} Ke6 {[%eval -0.08]}\n\
                    41. Bc3 {[%eval -0.08]} Be7 {[%eval -0.08]} 42. Kxf4 {[%eval -0.08]} Bd6+ \
                    {[%eval -0.08]} 43. Kf3 {[%eval -0.08]}\n\
                    Be7 {[%eval -0.08]} 44. Bd4 {[%eval -0.08]} Bd6 {[%eval -0.08]} 45. Be3 \
                    {[%eval -0.08]} 1/2-1/2",
        },
        // The same number, but each engine sees itself ahead.
        Sample::Moves(
            "1. e4 {+0.35/9 0.5s} e5 {+0.35/9 0.5s} 2. Nf3 {+0.35/9 0.5s} Nc6 {+0.35/9 0.5s} 3. Bb5 {+0.35/9 0.5s}\n\
             a6 {+0.35/9 0.5s} 4. Ba4 {+0.35/9 0.5s} Nf6 {+0.35/9 0.5s} 5. O-O {+0.35/9 0.5s} Be7 {+0.35/9 0.5s} *",
        ),
    ],
    check: Check::Ending(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

/// Number of pieces and pawns on the board before ply `ply`.
fn pieces_before(facts: &Ending<'_>, ply: u32) -> usize {
    let captures = (1..ply).filter(|ply| played(facts, *ply).is_some_and(|played| played.is_capture())).count();
    facts.start.board().occupied().count().saturating_sub(captures)
}

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let all = facts.annotations.evaluations;
    let continues = |a: &EvaluationReading, b: &EvaluationReading| a.value == b.value && a.by == b.by && a.ply + 1 == b.ply;
    let is_stuck = |run: &&[EvaluationReading]| {
        let can_change = match run[0].value {
            Evaluation::Centipawns(0) => false,
            Evaluation::Centipawns(value) if value.unsigned_abs() <= MAX_DRAW => pieces_before(facts, run[0].ply) >= MIN_PIECES,
            Evaluation::Centipawns(value) => value.unsigned_abs() < TABLEBASE_WIN,
            Evaluation::Mate(_) => run.len() == all.len(),
        };
        run.len() >= MIN_PLIES && can_change && run[1..].iter().any(|reading| is_irreversible(facts, reading.ply))
    };
    let Some(run) = all.chunk_by(continues).find(is_stuck) else { return };
    let (first, value) = (run[0], shown_value(run[0].value));
    let plies = quantity(run.len(), "ply", "plies");
    let message = format!("the evaluation is `{value}` for {plies} from {} on", written(facts, first.ply));
    let finding = findings.add(&RULE, first.place).found(value).message(message);
    if first.by == Evaluator::Player {
        finding.severity(Severity::Info).once_per_input();
    }
    locate(finding, facts, first.ply);
}
