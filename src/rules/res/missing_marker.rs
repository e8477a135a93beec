//! RES01: games without a termination marker.

use crate::pgn::{Lexer, MAX_LINE, Token, standard_marker};
use crate::rules::patches::line_break;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES01"),
    name: "missing-marker",
    severity: Severity::Warning,
    summary: "The movetext has no game termination marker",
    what: "The game has moves, but none of `1-0`, `0-1`, `1/2-1/2` and `*` follows them. A game \
           without any moves is an info, reported once per input, because broadcasts export \
           pairings this way. If PlyCount is greater than the number of plies, the missing moves \
           are mentioned, and no marker is suggested.",
    why: "Parsers that wait for the marker read the next game as part of this one.",
    fix: "Write the value of the Result tag after the last move.",
    source: "PGN standard 8.2.6",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("SYN14"), code!("SYN04"), code!("SYN05"), code!("SYN07")]),
    fires: &[
        // The last game of the text.
        Sample::Game { tags: "[Round \"1\"]\n[Result \"1-0\"]", moves: "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#⟦⟧" },
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[PlyCount \"9\"]\n\n1. e4 e5 2. Nf3⟦⟧",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[PlyCount \"9\"]⟦⟧\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5⟦⟧\n\n\
         [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"2\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. d4 d5 *\n",
        ),
    ],
    silent: &[Sample::Moves("1. e4 e5 *")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if facts.marker.is_some() {
        return;
    }
    let finding = findings.add(&RULE, Span::new(facts.last.end, facts.last.end));
    let count = facts.tags.value(KnownTag::PlyCount).and_then(|value| std::str::from_utf8(value).ok()?.parse::<u32>().ok());
    if let Some(missing) = count.and_then(|count| count.checked_sub(facts.plies)).filter(|missing| *missing > 0) {
        let plies = quantity(missing, "ply is", "plies are");
        finding.message(format!("there is no termination marker, and according to PlyCount {plies} missing"));
        return;
    }
    if facts.plies == 0 {
        let (message, kind) = if has_words(facts) {
            ("the movetext ends without a termination marker", "unread")
        } else {
            ("the game has no moves and no termination marker", "")
        };
        finding.severity(Severity::Info).message(message).once_per_input_and(kind);
    } else {
        finding.message("the movetext ends without a termination marker").once_if_usual("");
    }
    if let Some(value) = facts.tags.value(KnownTag::Result)
        && let Some(outcome) = standard_marker(value)
    {
        finding.expected(outcome.as_str());
        // A game without moves that has a result is another finding.
        if facts.plies > 0 || !outcome.is_known() {
            finding.repair(Certainty::Likely, marker_at_end(facts, outcome.as_str()));
        }
    }
}

/// Whether there are words in the movetext, although no ply was read: the moves of another game.
fn has_words(facts: &Ending<'_>) -> bool {
    let mut lexer = Lexer::new(facts.text, facts.tags.place.end);
    loop {
        match lexer.next() {
            _ if lexer.start >= facts.last.end => return false,
            Token::Word if lexer.token().iter().any(u8::is_ascii_alphanumeric) => return true,
            Token::End => return false,
            _ => {}
        }
    }
}

/// Adds the marker after the last token and the comments that follow it: on the same line if it
/// fits, and after a blank line if there is no movetext.
fn marker_at_end(facts: &Ending<'_>, marker: &str) -> Patch {
    let text = facts.text;
    let mut lexer = Lexer::new(text, facts.last.end);
    let (mut end, mut has_comment, mut is_line_comment) = (facts.last.end, false, false);
    let next = loop {
        match lexer.next() {
            Token::Comment => {
                let comment = text[lexer.start..lexer.at].trim_ascii_end();
                end = lexer.start + comment.len();
                has_comment = true;
                is_line_comment = comment.starts_with(b";") || comment.starts_with(b"%");
            }
            Token::End => break text.len(),
            _ => break lexer.start.max(end),
        }
    };
    let line_break = line_break(text, facts.last.end);
    if facts.plies == 0 && facts.last.end == facts.tags.place.end && !has_comment {
        let breaks = text.get(end..next).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
        let after = if next < text.len() && breaks < 2 { line_break } else { "" };
        return Patch::insert(end, [line_break, line_break, marker, after].concat());
    }
    let line = text[..end].iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r')).take(MAX_LINE + 1).count();
    let is_full = line <= MAX_LINE && line + 1 + marker.len() > MAX_LINE;
    Patch::insert(end, [if is_line_comment || is_full { line_break } else { " " }, marker].concat())
}
