//! SYN13: what is escaped or reserved.

use memchr::memchr_iter;

use crate::{
    pgn::Token,
    rules::{Check, Findings, Rule, Sample, Severity, Span, facts::Layout, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("SYN13"),
    name: "reserved-token",
    severity: Severity::Info,
    summary: "An escape line, or a token that is reserved",
    what: "A line that begins with `%` in the first column, outside comments: it is private data of the program that wrote it. Once per input. \
           A `%` elsewhere, and `<` and `>`, which the standard reserves, are tokens that PGN does not know (SYN10), or a null move in another spelling.",
    why: "The line means nothing to anybody else, and some readers take it for movetext.",
    fix: "Take the line out before the file is passed on.",
    source: "PGN standard 6, 7",
    fires: &[Sample::Moves("1. e4\n⟦%private⟧\n1... e5 *")],
    silent: &[Sample::Moves("1. e4 {\n%private\n} 1... e5 *")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    let text = facts.text;
    let game = facts.game.of(text);
    let begins_line = |at: usize| at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    let mut escapes = memchr_iter(b'%', game).map(|at| facts.game.start + at).filter(|at| begins_line(*at));
    let Some(first) = escapes.next() else { return };
    // One before the movetext is one; in the movetext it may stand inside a comment.
    let place = if first < facts.movetext && facts.pairs.iter().all(|pair| !(pair.place.start..pair.place.end).contains(&first)) {
        let line = memchr::memchr2(b'\n', b'\r', &text[first..]).map_or(text.len(), |end| first + end);
        Some(Span::new(first, line))
    } else {
        let mut tokens = facts.tokens().filter(|(token, place)| *token == Token::Comment && text[place.start] == b'%');
        tokens.next().map(|(_, place)| place)
    };
    let Some(place) = place else { return };
    let found = shown(place.of(text));
    findings.add(&RULE, place).once_per_input().message("an escape line: private data of the program that wrote it").found(found);
}
