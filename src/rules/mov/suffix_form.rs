//! MOV24: suffixes that are not part of SAN.

use super::misspelled;
use crate::chess::Quirks;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV24"),
    name: "suffix-form",
    severity: Severity::Info,
    summary: "The suffix of the move is not part of SAN",
    what: "The move has more than two annotation marks, marks in a wrong order, or `++`, `ch`, \
           `dis ch`, `dbl ch`, `mate` or a dagger. The marks `!`, `?`, `!!`, `!?`, `?!`, `??`, `+` \
           and `#` are accepted.",
    why: "Readers drop the suffix or reject the move.",
    fix: "Write `+` for check and `#` for mate. Use a NAG or a comment for anything beyond the six \
          annotation marks.",
    source: "PGN standard 8.2.3.5 and 8.2.3.8",
    repairs: Some(Certainty::Certain),
    yields: &[Yield::AtPly(code!("MOV12")), Yield::AtPly(code!("MOV14"))],
    fires: &[Sample::Moves("1. ⟦e4!!!⟧ *"), Sample::Moves("1. e4 d5 2. ⟦Bb5++⟧ *"), Sample::Moves("1. e4 d5 2. ⟦Bb5ch⟧ *")],
    silent: &[Sample::Moves("1. e4!? e5?! *"), Sample::Moves("1. e4 d5 2. Bb5+?? *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let quirks = facts.written.quirks;
    if facts.resolved.is_none() || !quirks.has(Quirks::SUFFIX_FORM) || quirks.has(Quirks::SPLIT) {
        return;
    }
    misspelled(&RULE, facts, findings).once_if_usual("").message("the suffix is not part of SAN");
}
