//! MOV15: captures without a capture mark.

use super::{captured_square, misspelled};
use crate::chess::{WrittenMove, role_name};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV15"),
    name: "capture-mark-missing",
    severity: Severity::Info,
    summary: "The move captures a piece, but `x` is missing",
    what: "The move is a capture, possibly en passant, and is written without `x`. Moves written \
           as two squares are not checked. Reported once per input, with a count.",
    why: "Export format requires the `x`. Some readers reject such moves as illegal.",
    fix: "Put an `x` before the target square.",
    source: "PGN standard 8.2.3.3",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Moves("1. e4 d5 2. ⟦ed5⟧ *"), Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. ⟦Bc6⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. exd5 *"), Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *")],
    check: Check::Ply(check),
    wakes: Wakes::Signs(&[Sign::UnmarkedCapture]),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    let Some(captured) = played.capture() else { return };
    if facts.written.capture || matches!(facts.written.what, WrittenMove::Coordinates { .. }) {
        return;
    }
    misspelled(&RULE, facts, findings)
        .message(format!("the move captures a {}, but `x` is missing", role_name(captured)))
        .squares(captured_square(played))
        .once_per_input();
}
