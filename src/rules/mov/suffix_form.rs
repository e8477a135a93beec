//! Suffixes that SAN does not know.

use super::misspelt;
use crate::{
    chess::Quirks,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Yield, facts::Ply},
};

/// `MOV24`
pub static RULE: Rule = Rule {
    code: code!("MOV24"),
    name: "suffix-form",
    severity: Severity::Info,
    summary: "A suffix stands behind a move that SAN does not know",
    what: "Behind the move stand more than two marks of annotation, marks in a wrong order, or ++, ch, dis ch, dbl ch, mate \
           or a dagger. The marks ! ? !! !? ?! ??, + and # are spared.",
    why: "Readers drop the suffix, or reject the move.",
    fix: "Write + for check, # for mate, and a NAG or a comment for anything beyond the six annotations.",
    source: "PGN standard 8.2.3.5 and 8.2.3.8",
    yields: &[Yield::AtPly(code!("MOV12")), Yield::AtPly(code!("MOV14"))],
    fires: &[Sample::Moves("1. ⟦e4!!!⟧ *"), Sample::Moves("1. e4 d5 2. ⟦Bb5++⟧ *"), Sample::Moves("1. e4 d5 2. ⟦Bb5ch⟧ *")],
    silent: &[Sample::Moves("1. e4!? e5?! *"), Sample::Moves("1. e4 d5 2. Bb5+?? *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let quirks = facts.written.quirks;
    if facts.resolved.is_none() || !quirks.has(Quirks::SUFFIX_FORM) || quirks.has(Quirks::SPLIT) {
        return;
    }
    misspelt(&RULE, facts, findings, Repair::Certain).message("SAN has no such suffix");
}
