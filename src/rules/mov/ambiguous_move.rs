//! Moves that more than one man can make.

use super::{canonical_of, refused};
use crate::{
    chess::{Refusal, WrittenMove},
    rules::{Check, Findings, Rule, Sample, Severity, facts::Unplayable},
};

/// `MOV03`
pub static RULE: Rule = Rule {
    code: code!("MOV03"),
    name: "ambiguous-move",
    severity: Severity::Error,
    summary: "More than one man can make the move that is written",
    what: "Two or more men of the kind can legally go to the target square, and the origin is not given so far that one is \
           left. A man that may not leave the line to its king does not count.",
    why: "Readers reject the game, or take one of the men without a word.",
    fix: "Give the file of the man that moved, or its rank where the file does not tell, and compare with another source.",
    source: "PGN standard 8.2.3.4",
    fires: &[Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. ⟦Nd2⟧ *")],
    silent: &[Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. Nbd2 *"), Sample::Moves("1. d4 Nf6 2. Nc3 e6 3. e4 Bb4 4. Ne2 *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    let (false, &Refusal::Ambiguous { role, from, to }) = (facts.in_variation, facts.refusal) else { return };
    let spellings: Vec<String> = from
        .into_iter()
        .filter_map(|from| {
            let (file, rank) = (Some(from.file()), Some(from.rank()));
            canonical_of(facts, WrittenMove::Normal { role, file, rank, to, promotion: None })
        })
        .collect();
    refused(&RULE, facts, findings, |token, reason| format!("{token} means more than one move: {reason}"))
        .expected(spellings.join(" or "));
}
