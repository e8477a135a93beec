//! TAG10: games of a player against themselves.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG10"),
    name: "self-play",
    severity: Severity::Warning,
    summary: "White and Black are the same player",
    what: "White and Black have the same FIDE id. If only the names are the same, this is an info; \
           case, spaces and punctuation do not count. Names without a comma are reported once per \
           input, because engines often play themselves. Placeholders (`?`, `-`, `NN`) are not \
           checked.",
    why: "A header was pasted from another game, or one of the names was lost.",
    fix: "Look up the players.",
    source: "PGN standard 8.1.1.5, 8.1.1.6",
    fires: &[
        Sample::Tags("[White \"Adams, Michael\"]\n[Black \"⟦adams, michael⟧\"]"),
        Sample::Tags("[White \"Adams, M\"]\n[Black \"Short, N\"]\n[WhiteFideId \"400041\"]\n[BlackFideId \"⟦400041⟧\"]"),
    ],
    silent: &[
        Sample::Tags("[White \"NN\"]\n[Black \"NN\"]\n[WhiteFideId \"0\"]\n[BlackFideId \"0\"]"),
        Sample::Tags("[White \"Polgar, Zs\"]\n[Black \"Polgar, J\"]"),
    ],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&[KnownTag::WhiteFideId], wakes),
    ..Rule::DEFAULTS
};

fn wakes(tags: &TagValues<'_>) -> bool {
    tags.has(KnownTag::BlackFideId) && tags.of(KnownTag::WhiteFideId) == tags.of(KnownTag::BlackFideId)
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    if let (Some(white), Some(black)) = (facts.pair(KnownTag::WhiteFideId), facts.pair(KnownTag::BlackFideId)) {
        let id = black.value.of(facts.text);
        let is_real = id.iter().any(|byte| matches!(byte, b'1'..=b'9'));
        if is_real && id == white.value.of(facts.text) {
            let found = shown(id);
            findings.add(&RULE, black.value).message(format!("White and Black have the same FIDE id: {found}")).found(found);
            return;
        }
    }
    let (Some(white), Some(black)) = (facts.value(KnownTag::White), facts.pair(KnownTag::Black)) else { return };
    let name = black.value.of(facts.text);
    if !have_same_letters(white, name) || letters(name).next().is_none() {
        return;
    }
    if letters(name).eq(*b"nn") || letters(name).eq(*b"anonymous") {
        return;
    }
    let found = shown(name);
    let finding = findings.add(&RULE, black.value).severity(Severity::Info);
    // A name without a comma belongs to a program or a user account; programs play themselves.
    if !name.contains(&b',') {
        finding.once_per_input();
    }
    finding.message(format!("White and Black have the same name: `{found}`")).found(found);
}

/// Whether two names have the same letters and digits. Names of very different lengths are not
/// compared.
pub(crate) fn have_same_letters(white: &[u8], black: &[u8]) -> bool {
    white.len().abs_diff(black.len()) <= 8 && letters(white).eq(letters(black))
}

/// What distinguishes names: letters and digits in lowercase.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> + '_ {
    name.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).map(u8::to_ascii_lowercase)
}
