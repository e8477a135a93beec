//! MOV08: illegal moves in variations.

use shakmaty::Position;

use super::refused;
use crate::rules::patches::as_comment;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV08"),
    name: "illegal-in-variation",
    severity: Severity::Warning,
    summary: "A move in a variation cannot be played",
    what: "A move in a variation is illegal, is ambiguous, lacks its promotion piece, or follows \
           checkmate or stalemate. After a null move it is an info, because such lines show ideas \
           rather than moves. If all moves can be played after the move that the variation should \
           replace, it goes on after that move. Moves inside comments are not checked.",
    why: "The variation cannot be replayed from here. Readers drop the rest of it, and some drop \
          the game.",
    fix: "Correct the variation, or turn it into a comment.",
    source: "PGN standard 8.2.5",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 (1. ⟦Ke2⟧) 1... e5 *"),
        Sample::Moves("1. e4 e5 (1... c5 2. Nf3 d6 3. d3 Nf6 4. ⟦Nd2⟧) 2. Nf3 *"),
        Sample::Moves("1. e4 e5 (⟦Nf3⟧) 2. Nc3 *"),
    ],
    silent: &[Sample::Moves("1. e4 (1. d4 (1. c4 c5)) 1... e5 *"), Sample::Moves("1. e4 (1. -- d5 2. e4) 1... e5 *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if !facts.in_variation {
        return;
    }
    if let Some(GoesOn { open, after }) = facts.goes_on {
        let (token, after) = (shown(facts.place.of(facts.text)), shown(after.of(facts.text)));
        let finding = findings.add(&RULE, facts.place).once_if_usual("goes on");
        finding.message(format!("the variation goes on after {after} instead of replacing it: {token} is legal there"));
        finding.found(token);
        for patch in as_comment(facts.text, open).unwrap_or_default() {
            finding.repair(Certainty::Likely, patch);
        }
        return;
    }
    let side = color_name(facts.before.turn());
    refused(&RULE, facts, findings, |token, reason| format!("{side}'s {token} cannot be played in this variation: {reason}"));
}
