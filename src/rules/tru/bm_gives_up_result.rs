//! TRU04: best moves that give up a win or a draw.

use super::{JudgedLine, given_up, moves};
use crate::chess::Arrow;
use crate::epd::Opcode;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU04"),
    name: "bm-gives-up-result",
    severity: Severity::Error,
    summary: "A move in `bm` gives up a win or draw",
    what: "By the tablebases, the position is won or drawn for the side to move, but it is not any more \
           after a move that `bm` calls best. This holds both with the fifty-move rule and without it. \
           Without a halfmove clock (a field or `hmvc`), it counts as 0.",
    why: "The position or the move is wrong, so a correct solver seems to fail.",
    fix: "Compare the position and the move with the source.",
    source: "PGN standard 16.2.5.4; Syzygy tablebases",
    needs: &[Need::Tables],
    fires: &[Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - bm ⟦Qf7⟧;")],
    silent: &[
        Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - bm Qf8#;"),
        // Slower, but a win.
        Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - bm Qe1;"),
    ],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let Some(judged) = JudgedLine::of(line) else { return };
    for (word, played) in moves(line, Opcode::Bm) {
        if judged.gives_up_result(played) == Some(true) {
            let found = shown(word.place.of(line.operations.text));
            let message = format!("`{found}` is called best, but by the tablebases it gives up {}", given_up(&judged.verdict));
            findings.add(&RULE, word.place).message(message).found(found).written(Arrow::of(played));
        }
    }
}
