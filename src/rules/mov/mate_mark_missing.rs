//! Mates without a mark.

use super::misspelt;
use crate::{
    chess::{CheckMark, WrittenMove},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV13`
pub static RULE: Rule = Rule {
    code: code!("MOV13"),
    name: "mate-mark-missing",
    severity: Severity::Info,
    summary: "A move mates and is not marked as mate",
    what: "The move mates, and no # stands behind it: nothing, or a +. A ++ is spared, since it has been written for mate, \
           and so are moves written as two squares. Counted once per input.",
    why: "Export format has the mark; whoever looks for mates in the text misses this one.",
    fix: "Put a # behind the move.",
    source: "PGN standard 8.2.3.5",
    fires: &[Sample::Moves("1. f3 e5 2. g4 ⟦Qh4⟧ 0-1"), Sample::Moves("1. f3 e5 2. g4 ⟦Qh4+⟧ 0-1")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1"), Sample::Moves("1. e4 d5 2. Bb5+ *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let unmarked = match facts.written.mark {
        CheckMark::None => !matches!(facts.written.what, WrittenMove::Coordinates { .. }),
        CheckMark::Check => true,
        CheckMark::Double | CheckMark::Mate => false,
    };
    if facts.resolved.is_none() || !unmarked || !facts.mates() {
        return;
    }
    misspelt(&RULE, facts, findings, Repair::Certain).message("the move mates, and no # says so").once_per_input();
}
