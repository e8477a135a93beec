//! Suffixes for en passant.

use super::misspelt;
use crate::{
    chess::Quirks,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Yield, facts::Ply},
};

/// `MOV20`
pub static RULE: Rule = Rule {
    code: code!("MOV20"),
    name: "ep-suffix",
    severity: Severity::Warning,
    summary: "A suffix for en passant stands behind a move",
    what: "The suffix e.p. or ep stands behind a move. Where the move is en passant it is an info, counted once per input; \
           where it is not, a warning at each place.",
    why: "SAN has no such suffix, and readers drop it or reject the move. Behind another move it says that a different \
           move was meant.",
    fix: "Remove the suffix; where the move is not en passant, compare with another source.",
    source: "PGN standard 8.2.3.3; FIDE Laws 3.7.3.1",
    yields: &[Yield::AtPly(code!("MOV01"))],
    fires: &[Sample::Moves("1. e4 Nf6 2. e5 d5 3. ⟦exd6e.p.⟧ *"), Sample::Moves("1. e4 d5 2. ⟦exd5e.p.⟧ *")],
    silent: &[Sample::Moves("1. e4 Nf6 2. e5 d5 3. exd6 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if !facts.written.quirks.has(Quirks::EN_PASSANT_SUFFIX) {
        return;
    }
    if played.is_en_passant() {
        misspelt(&RULE, facts, findings, Repair::Certain)
            .severity(Severity::Info)
            .message("SAN has no suffix for en passant")
            .once_per_input();
    } else {
        misspelt(&RULE, facts, findings, Repair::Likely).message("the move is not en passant");
    }
}
