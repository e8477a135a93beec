//! TRU07: predicted variations that begin with a mistake.

use super::{JudgedLine, given_up, moves};
use crate::chess::Arrow;
use crate::epd::Opcode;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU07"),
    name: "pv-gives-up-result",
    severity: Severity::Warning,
    summary: "`pv` begins with a move that gives up the result",
    what: "By the tablebases, the position is won or drawn for the side to move, but it is not any more \
           after the first move of `pv`. This holds both with the fifty-move rule and without it.",
    why: "The position or the variation is wrong, or an engine did not see the result.",
    fix: "Compare the position and the variation with the source.",
    source: "PGN standard 16.2.5.19; Syzygy tablebases",
    yields: &in_record([code!("TRU04")]),
    needs: &[Need::Tables],
    fires: &[Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - pv ⟦Qf7⟧;")],
    silent: &[Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - pv Qf6+ Kg8 Qf7+;")],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let Some((word, played)) = moves(line, Opcode::Pv).find(|(word, _)| word.ply == 1) else { return };
    let Some(judged) = JudgedLine::of(line) else { return };
    if judged.gives_up_result(played) == Some(true) {
        let found = shown(word.place.of(line.operations.text));
        let message = format!("`pv` begins with `{found}`, but by the tablebases this gives up {}", given_up(&judged.verdict));
        findings.add(&RULE, word.place).message(message).found(found).written(Arrow::of(played));
    }
}
