//! MOV20: the suffix `e.p.` after a move.

use super::misspelled;
use crate::chess::Quirks;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV20"),
    name: "ep-suffix",
    severity: Severity::Warning,
    summary: "The move has the suffix `e.p.`",
    what: "The move has the suffix `e.p.` or `ep`. If the move is an en passant capture, this is \
           an info, reported once per input. Otherwise it is a warning at each place.",
    why: "SAN has no such suffix, and readers drop it or reject the move. On any other move it \
          suggests that a different move was meant.",
    fix: "Remove the suffix. If the move is not an en passant capture, compare with another \
          source.",
    source: "PGN standard 8.2.3.3; FIDE Laws 3.7.3.1",
    repairs: Some(Certainty::Certain),
    yields: &[Yield::AtPly(code!("MOV01"))],
    fires: &[Sample::Moves("1. e4 Nf6 2. e5 d5 3. ⟦exd6e.p.⟧ *"), Sample::Moves("1. e4 d5 2. ⟦exd5e.p.⟧ *")],
    silent: &[Sample::Moves("1. e4 Nf6 2. e5 d5 3. exd6 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if !facts.written.quirks.has(Quirks::EN_PASSANT_SUFFIX) {
        return;
    }
    if played.is_en_passant() {
        misspelled(&RULE, facts, findings).severity(Severity::Info).message("SAN has no suffix for en passant").once_per_input();
    } else {
        misspelled(&RULE, facts, findings).message("the suffix says en passant, but the move is not an en passant capture");
    }
}
