//! SYN12: blank lines where none belong, and missing ones.

use memchr::memchr_iter;

use crate::{
    pgn::Token,
    rules::{Check, Findings, Rule, Sample, Severity, Span, Yield, facts::Layout},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("SYN12"),
    name: "blank-line",
    severity: Severity::Warning,
    summary: "A blank line stands inside a game, or none between its parts",
    what: "A line of nothing but blanks between two tokens of the movetext: a warning, at the first one of each game. \
           A blank line between two tag pairs, none between tag section and movetext, and none between two games are infos, once per input and kind. \
           Blank lines inside comments are spared.",
    why: "Many readers take a blank line for the end of the game: the moves behind it are lost without a word.",
    fix: "Take the blank line out; put one between tag section and movetext, and behind each game.",
    source: "PGN standard 8.1, 8.2.1, 18",
    yields: &[Yield::InRecord(code!("SYN04")), Yield::InRecord(code!("SYN05")), Yield::InRecord(code!("SYN07"))],
    fires: &[
        Sample::Moves("1. e4 e5\n⟦⟧\n2. Nf3 *"),
        Sample::Pgn(
            "[Event \"Sample\"]\n⟦⟧\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n⟦⟧1. e4 e5 *\n",
        ),
    ],
    silent: &[Sample::Moves("1. e4 {best\n\nby test} 1... e5\n*\n\n\n")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

/// The first line of nothing but blanks between `from` and `to`, where neither is in such a line.
fn blank_line(text: &[u8], from: usize, to: usize) -> Option<Span> {
    let part = text.get(from..to)?;
    memchr_iter(b'\n', part).find_map(|line_break| {
        let rest = &part[line_break + 1..];
        // Nearly always the next line begins with something else.
        if !matches!(rest.first(), Some(b'\n' | b'\r' | b' ' | b'\t')) {
            return None;
        }
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let start = from + line_break + 1;
        matches!(rest.get(blanks), Some(b'\n' | b'\r')).then(|| Span::new(start, start + blanks))
    })
}

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    if !facts.is_game {
        return;
    }
    let text = facts.text;
    between_tags(facts, findings);
    let skipped = text[facts.movetext..facts.game.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let first = facts.movetext + skipped;
    if let Some(last) = facts.pairs.last()
        && first < facts.game.end
        && first < last.place.end + 3
        && blank_line(text, last.place.end, first).is_none()
    {
        findings
            .add(&RULE, Span::new(first, first))
            .severity(Severity::Info)
            .message("no blank line stands between tag section and movetext")
            .once_per_input_and("sections");
    }
    if blank_line(text, first, facts.game.end).is_some() {
        inside(facts, findings);
    }
    let behind = facts.game.end..facts.next;
    let has_marker = !behind.is_empty();
    if facts.next < text.len() && has_marker && behind.len() < 3 && blank_line(text, facts.game.end, facts.next).is_none() {
        findings
            .add(&RULE, Span::new(facts.game.end, facts.game.end))
            .severity(Severity::Info)
            .message("no blank line stands between this game and the next")
            .once_per_input_and("games");
    }
}

fn between_tags(facts: &Layout<'_>, findings: &mut Findings) {
    for pair in facts.pairs.windows(2) {
        let (from, to) = (pair[0].place.end, pair[1].place.start);
        if to > from + 1
            && let Some(blank) = blank_line(facts.text, from, to)
        {
            findings
                .add(&RULE, blank)
                .severity(Severity::Info)
                .message("a blank line stands between two tag pairs")
                .once_per_input_and("tags");
            return;
        }
    }
}

/// There is a blank line: between tokens, or inside a comment.
#[cold]
fn inside(facts: &Layout<'_>, findings: &mut Findings) {
    let mut before: Option<Span> = None;
    for (token, place) in facts.tokens() {
        if let Some(before) = before
            && let Some(blank) = blank_line(facts.text, before.end, place.start)
        {
            findings.add(&RULE, blank).message("a blank line stands inside the movetext: many readers end the game there");
            return;
        }
        if token == Token::UnclosedComment {
            return;
        }
        before = Some(place);
    }
}
