//! TAG10: players who play themselves.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG10"),
    name: "self-play",
    severity: Severity::Warning,
    summary: "White and Black are the same player",
    what: "A warning where both have the same FIDE id. The same name alone, whatever its case, blanks and periods, is an info, once per input where it has no comma: engines are matched with themselves, and there are namesakes. \
           Names that say nothing (`?`, `-`, `NN`) are spared.",
    why: "A header was pasted from another game, or one of the names was lost.",
    fix: "Look the players up.",
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
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    if let (Some(white), Some(black)) = (facts.pair(KnownTag::WhiteFideId), facts.pair(KnownTag::BlackFideId)) {
        let id = black.value.of(facts.text);
        let says_something = id.iter().any(|byte| matches!(byte, b'1'..=b'9'));
        if says_something && id == white.value.of(facts.text) {
            let found = shown(id);
            findings.add(&RULE, black.value).message(format!("White and Black have the same FIDE id, {found}")).found(found);
            return;
        }
    }
    let (Some(white), Some(black)) = (facts.value(KnownTag::White), facts.pair(KnownTag::Black)) else { return };
    let name = black.value.of(facts.text);
    if white.len().abs_diff(name.len()) > 8 || !letters(white).eq(letters(name)) || letters(name).next().is_none() {
        return;
    }
    if letters(name).eq(*b"nn") || letters(name).eq(*b"anonymous") {
        return;
    }
    let found = shown(name);
    let finding = findings.add(&RULE, black.value).severity(Severity::Info);
    // A name without a comma is a program's or a handle, and such play themselves all day.
    if !name.contains(&b',') {
        finding.once_per_input();
    }
    finding.message(format!("White and Black are both called `{found}`")).found(found);
}

/// What tells names apart: letters and digits, whatever their case.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> + '_ {
    name.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).map(u8::to_ascii_lowercase)
}
