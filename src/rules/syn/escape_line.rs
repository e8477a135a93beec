//! SYN13: escape lines.

use memchr::memchr_iter;

use crate::pgn::Token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN13"),
    name: "escape-line",
    severity: Severity::Info,
    summary: "The file contains an escape line",
    what: "A line outside comments begins with `%`. It is private data of the program that wrote \
           it. Reported once per input. A `%` elsewhere in a line is SYN10.",
    why: "The line means nothing to other programs, and some read it as movetext.",
    fix: "Remove the line before you share the file.",
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
    // In the movetext, the line may be part of a comment.
    let place = if first < facts.movetext && facts.pairs.iter().all(|pair| !(pair.place.start..pair.place.end).contains(&first)) {
        let line = memchr::memchr2(b'\n', b'\r', &text[first..]).map_or(text.len(), |end| first + end);
        Some(Span::new(first, line))
    } else {
        let mut tokens = facts.tokens().filter(|(token, place)| *token == Token::Comment && text[place.start] == b'%');
        tokens.next().map(|(_, place)| place)
    };
    let Some(place) = place else { return };
    let found = shown(place.of(text));
    findings.add(&RULE, place).once_per_input().message("the line begins with `%`: private data of a program").found(found);
}
