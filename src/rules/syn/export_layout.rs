//! SYN15: differences from the layout of PGN export format.

use crate::pgn::{MAX_LINE, Token};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN15"),
    name: "export-layout",
    severity: Severity::Info,
    summary: "The layout differs from PGN export format",
    what: "In PGN export format, each tag pair is on its own line as `[Name \"value\"]`. One space \
           or line break separates tokens, and lines of movetext have at most 79 characters. \
           Comments are in braces, annotations are NAGs (`$1`, not `!`), and there is one blank \
           line between games. Only the first difference in each game is reported.",
    why: "Files with the same games cannot be compared byte by byte.",
    fix: "Rewrite the game in PGN export format.",
    source: "PGN standard 3.2, 8.1, 8.2",
    layout: true,
    fires: &[
        Sample::Moves("1. e4⟦  ⟧e5 *"),
        Sample::Moves("1. ⟦e4!⟧ e5 *"),
        Sample::Moves("1. e4 e5 (⟦ ⟧1... c5) *"),
        Sample::Moves("1. e4 e5 (1... c5⟦ ⟧) *"),
        Sample::Pgn(
            "[Event \"Sample\"]⟦ ⟧[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Game { tags: "⟦[Round  \"?\"]⟧", moves: "1. e4 e5 *" },
        Sample::Moves("1. e4 e5 ⟦; a comment⟧\n*"),
        Sample::Moves("1. e4 e5 {A comment that is nearly as long as a line of movetext may be, and th⟦en more}⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 $1 e5 {A comment  with blanks} (1... c5 2. Nf3 (2. c3) 2... d6)\n2. Nf3 *")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

/// Whitespace inside the parentheses of a variation and at the end of a line is a difference too.
/// Blank lines elsewhere are SYN12, move numbers NUM04 and NUM05, and the order of tags is TAG02.
fn check(facts: &Layout<'_>, findings: &mut Findings) {
    if !facts.is_game {
        return;
    }
    let Some((place, message)) = in_tags(facts).or_else(|| in_movetext(facts)).or_else(|| after_game(facts)) else { return };
    findings.add(&RULE, place).once_if_usual(message).found(shown(place.of(facts.text))).message(message);
}

/// Where the layout differs, and how.
type Difference = (Span, &'static str);

/// The number of line breaks in `gap`; `None` if it contains anything else.
fn line_breaks(gap: &[u8]) -> Option<usize> {
    gap.iter().all(|byte| matches!(byte, b'\n' | b'\r')).then(|| {
        let feeds = gap.iter().filter(|byte| **byte == b'\n').count();
        if feeds > 0 { feeds } else { gap.len() }
    })
}

/// Whether `gap` contains a blank line.
fn has_blank_line(gap: &[u8]) -> bool {
    let rest: Vec<u8> = gap.iter().copied().filter(|byte| matches!(byte, b'\n' | b'\r')).collect();
    line_breaks(&rest).is_some_and(|breaks| breaks > 1)
}

fn in_tags(facts: &Layout<'_>) -> Option<Difference> {
    let text = facts.text;
    for (index, pair) in facts.pairs.iter().enumerate() {
        let canonical = pair.name.start == pair.place.start + 1
            && pair.value.start == pair.name.end + 2
            && text.get(pair.name.end..pair.value.start) == Some(b" \"")
            && pair.place.end == pair.value.end + 2;
        if !canonical {
            return Some((pair.place, "the tag pair is not written as `[Name \"value\"]`"));
        }
        let Some(next) = facts.pairs.get(index + 1) else { break };
        let gap = Span::new(pair.place.end, next.place.start);
        let white = gap.of(text).iter().all(u8::is_ascii_whitespace);
        if white && line_breaks(gap.of(text)).is_none_or(|breaks| breaks == 0) {
            return Some((gap, "the tag pairs are not separated by a line break alone"));
        }
    }
    None
}

fn in_movetext(facts: &Layout<'_>) -> Option<Difference> {
    let text = facts.text;
    let mut before: Option<(Token, Span)> = None;
    // Start of the first line that has not been measured yet.
    let mut line = facts.movetext;
    for (token, place) in facts.tokens() {
        if let Some((last, last_place)) = before {
            let gap = Span::new(last_place.end, place.start);
            let fits = match gap.of(text) {
                b"" => last == Token::Open || token == Token::Close,
                b" " | b"\n" | b"\r\n" | b"\r" => last != Token::Open && token != Token::Close,
                other => has_blank_line(other),
            };
            if !fits {
                let what = if last == Token::Open || token == Token::Close {
                    "there is whitespace after `(` or before `)`"
                } else {
                    "the tokens are not separated by one space or one line break"
                };
                return Some((gap, what));
            }
        }
        if let Some(long) = long_line(text, &mut line, place) {
            return Some((long, "the line of movetext has more than 79 characters"));
        }
        match token {
            Token::Word if matches!(text[place.end - 1], b'!' | b'?') => {
                return Some((place, "the annotation is a suffix of the move, not a NAG such as `$1`"));
            }
            Token::Glyph => return Some((place, "the annotation is not a NAG such as `$1`")),
            Token::Comment if text[place.start] == b';' => return Some((place, "the comment is not in braces")),
            Token::UnclosedComment => return None,
            _ => {}
        }
        before = Some((token, place));
    }
    None
}

/// The part beyond the maximum of the first long line that `token` ends or fills. `line` is the
/// start of the first line to measure, and is moved to the last one.
fn long_line(text: &[u8], line: &mut usize, token: Span) -> Option<Span> {
    if text[token.start] == b'%' {
        return None;
    }
    loop {
        let part = text.get(*line..token.end)?;
        let end = memchr::memchr2(b'\n', b'\r', part);
        let whole = &part[..end.unwrap_or(part.len())];
        if whole.len() > MAX_LINE {
            // Count characters, not bytes. A word that is longer than a line cannot be broken.
            let starts = |byte: &u8| (*byte & 0xC0) != 0x80;
            let over = whole.iter().enumerate().filter(|(_, byte)| starts(byte)).nth(MAX_LINE);
            if let Some((over, _)) = over.filter(|_| whole.contains(&b' ')) {
                return Some(Span::new(*line + over, *line + whole.len()));
            }
        }
        *line += end? + 1;
    }
}

fn after_game(facts: &Layout<'_>) -> Option<Difference> {
    let gap = Span::new(facts.game.end, facts.next);
    let more = facts.next < facts.text.len() && line_breaks(gap.of(facts.text)).is_some_and(|breaks| breaks > 2);
    more.then_some((gap, "there is more than one blank line between this game and the next one"))
}
