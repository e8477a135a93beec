//! SYN12: misplaced and missing blank lines.

use memchr::memchr_iter;

use crate::{
    pgn::Token,
    rules::{Check, Findings, Rule, Sample, Severity, Span, Yield, facts::Layout},
};

pub static RULE: Rule = Rule {
    code: code!("SYN12"),
    name: "blank-line",
    severity: Severity::Warning,
    summary: "A blank line is misplaced or missing",
    what: "A blank line between two tokens of the movetext is a warning, reported once per game. A \
           blank line between tag pairs is an info, as is a missing blank line after the tag \
           section or after a game. Each kind of info is reported once per input. Blank lines \
           inside comments are allowed.",
    why: "Many readers take a blank line as the end of the game and silently lose the moves after \
           it.",
    fix: "Remove the blank line. Put one blank line after the tag section and one after each game.",
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

/// The first blank line between `from` and `to`, neither of which is in a blank line.
fn blank_line(text: &[u8], from: usize, to: usize) -> Option<Span> {
    let part = text.get(from..to)?;
    memchr_iter(b'\n', part).find_map(|line_break| {
        let rest = &part[line_break + 1..];
        // A fast exit: the next line rarely begins with whitespace.
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
            .message("the blank line between the tag section and the movetext is missing")
            .once_per_input_and("sections");
    }
    if blank_line(text, first, facts.game.end).is_some() {
        inside_movetext(facts, findings);
    }
    // Without a marker, the game extends to the next record.
    let gap = facts.game.end..facts.next;
    let has_marker = !gap.is_empty();
    if facts.next < text.len() && has_marker && gap.len() < 3 && blank_line(text, facts.game.end, facts.next).is_none() {
        findings
            .add(&RULE, Span::new(facts.game.end, facts.game.end))
            .severity(Severity::Info)
            .message("the blank line between this game and the next one is missing")
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
                .message("there is a blank line between two tag pairs")
                .once_per_input_and("tags");
            return;
        }
    }
}

/// Reports a blank line of the movetext unless it is inside a comment.
#[cold]
fn inside_movetext(facts: &Layout<'_>, findings: &mut Findings) {
    let mut before: Option<Span> = None;
    for (token, place) in facts.tokens() {
        if let Some(before) = before
            && let Some(blank) = blank_line(facts.text, before.end, place.start)
        {
            findings.add(&RULE, blank).message("there is a blank line in the movetext: many readers end the game there");
            return;
        }
        if token == Token::UnclosedComment {
            return;
        }
        before = Some(place);
    }
}
