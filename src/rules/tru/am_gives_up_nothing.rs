//! TRU05: moves to avoid that are as good as any.

use super::{JudgedLine, given_up, moves};
use crate::chess::Arrow;
use crate::epd::Opcode;
use crate::oracle::Prospect;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU05"),
    name: "am-gives-up-nothing",
    severity: Severity::Warning,
    summary: "A move in `am` is as good as any",
    what: "`am` calls a move bad, but by the tablebases it keeps the win or the draw, both with the \
           fifty-move rule and without it. Lines with `dm` are not checked, because there the move may \
           only be too slow. Neither are positions in which every move loses.",
    why: "The position or the move is wrong. Or the move is avoided for another reason.",
    fix: "Compare the position and the move with the source.",
    source: "PGN standard 16.2.5.3; Syzygy tablebases",
    needs: &[Need::Tables],
    fires: &[Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - am ⟦Qe1⟧;")],
    silent: &[
        Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - am Qf7;"),
        Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - am Qe1; dm 1;"),
    ],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let Some(judged) = JudgedLine::of(line) else { return };
    if judged.verdict.unlimited == Prospect::Loss || line.operations.first(Opcode::Dm).is_some() {
        return;
    }
    for (word, played) in moves(line, Opcode::Am) {
        if judged.gives_up_result(played) == Some(false) {
            let found = shown(word.place.of(line.operations.text));
            let kept = given_up(&judged.verdict);
            let message = format!("`{found}` is to be avoided, but by the tablebases it keeps {kept}");
            findings.add(&RULE, word.place).message(message).found(found).written(Arrow::of(played));
        }
    }
}
