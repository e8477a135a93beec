//! MOV13: checkmates without a mate mark.

use super::{checked_king, misspelled};
use crate::chess::{CheckMark, WrittenMove};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV13"),
    name: "mate-mark-missing",
    severity: Severity::Info,
    summary: "The move is checkmate, but `#` is missing",
    what: "The move is checkmate and has no mark, or only `+`. `++` is accepted, because it has \
           been used for mate. Moves written as two squares and without a mark are not checked. \
           Reported once per input, with a count.",
    why: "Export format requires the mark. A text search for checkmates misses this one.",
    fix: "Put a `#` after the move.",
    source: "PGN standard 8.2.3.5",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Moves("1. f3 e5 2. g4 ⟦Qh4⟧ 0-1"), Sample::Moves("1. f3 e5 2. g4 ⟦Qh4+⟧ 0-1")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1"), Sample::Moves("1. e4 d5 2. Bb5+ *")],
    check: Check::Ply(check),
    wakes: Wakes::Signs(&[Sign::UnmarkedCheck]),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let unmarked = match facts.written.mark {
        CheckMark::None => !matches!(facts.written.what, WrittenMove::Coordinates { .. }),
        CheckMark::Check => true,
        CheckMark::Double | CheckMark::Mate => false,
    };
    if facts.resolved.is_none() || !unmarked || !facts.mates() {
        return;
    }
    misspelled(&RULE, facts, findings)
        .message("the move is checkmate, but `#` is missing")
        .squares(facts.checkers() | checked_king(facts))
        .once_per_input();
}
