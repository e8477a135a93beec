//! SYN15: departures from the layout of PGN export format.

use crate::{
    pgn::Token,
    rules::{Check, Findings, Rule, Sample, Severity, Span, facts::Layout, shown},
};

/// Printing characters in a line of movetext.
const LINE: usize = 79;

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("SYN15"),
    name: "export-layout",
    severity: Severity::Info,
    summary: "The game is not laid out as PGN export format has it",
    what: "In PGN export format each tag pair stands in a line of its own as `[Name \"value\"]`, tokens are separated by one blank or one line break, \
           no blank stands inside the brackets of a variation or at the end of a line, lines of movetext have at most 79 characters, comments stand in braces, \
           annotations are NAGs (`$1`, not `!`), and one blank line stands between games. One finding for each game, at its first departure. \
           Blank lines elsewhere are SYN12, move numbers NUM04 and NUM05, the order of tags TAG02.",
    why: "Files that differ in nothing else cannot be compared byte by byte.",
    fix: "Write the game anew in PGN export format.",
    source: "PGN standard 3.2, 8.1, 8.2",
    layout: true,
    fires: &[
        Sample::Moves("1. e4⟦  ⟧e5 *"),
        Sample::Moves("1. ⟦e4!⟧ e5 *"),
        Sample::Moves("1. e4 e5 (⟦ ⟧1... c5) *"),
        Sample::Pgn(
            "[Event \"Sample\"]⟦ ⟧[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n⟦[Round  \"?\"]⟧\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Moves("1. e4 e5 ⟦; a comment⟧\n*"),
        Sample::Moves("1. e4 e5 {A comment that is nearly as long as a line of movetext may be, and th⟦en more}⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 $1 e5 {A comment  with blanks} (1... c5 2. Nf3 (2. c3) 2... d6)\n2. Nf3 *")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    if !facts.is_game {
        return;
    }
    let Some((place, message)) = in_tags(facts).or_else(|| in_movetext(facts)).or_else(|| behind(facts)) else { return };
    findings.add(&RULE, place).found(shown(place.of(facts.text))).message(message);
}

type Departure = (Span, &'static str);

/// How many line breaks there are, if there is nothing else.
fn line_breaks(gap: &[u8]) -> Option<usize> {
    gap.iter().all(|byte| matches!(byte, b'\n' | b'\r')).then(|| {
        let feeds = gap.iter().filter(|byte| **byte == b'\n').count();
        if feeds > 0 { feeds } else { gap.len() }
    })
}

/// Whether there is a blank line.
fn holds_blank_line(gap: &[u8]) -> bool {
    let rest: Vec<u8> = gap.iter().copied().filter(|byte| matches!(byte, b'\n' | b'\r')).collect();
    line_breaks(&rest).is_some_and(|breaks| breaks > 1)
}

fn in_tags(facts: &Layout<'_>) -> Option<Departure> {
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
            return Some((gap, "each tag pair stands in a line of its own, without blanks around it"));
        }
    }
    None
}

fn in_movetext(facts: &Layout<'_>) -> Option<Departure> {
    let text = facts.text;
    let mut before: Option<(Token, Span)> = None;
    // Where the line begins that was last looked at, and how far lines have been.
    let mut line = facts.movetext;
    for (token, place) in facts.tokens() {
        if let Some((last, last_place)) = before {
            let gap = Span::new(last_place.end, place.start);
            let fits = match gap.of(text) {
                b"" => last == Token::Open || token == Token::Close,
                b" " | b"\n" | b"\r\n" | b"\r" => last != Token::Open && token != Token::Close,
                other => holds_blank_line(other),
            };
            if !fits {
                let what = if last == Token::Open || token == Token::Close {
                    "no blank stands inside the brackets of a variation"
                } else {
                    "tokens are separated by one blank or one line break"
                };
                return Some((gap, what));
            }
        }
        if let Some(long) = long_line(text, &mut line, place) {
            return Some((long, "the line of movetext is longer than 79 characters"));
        }
        match token {
            Token::Word if matches!(text[place.end - 1], b'!' | b'?') => {
                return Some((place, "the annotation is written as a suffix, not as a NAG such as `$1`"));
            }
            Token::Glyph => return Some((place, "the annotation is not written as a NAG such as `$1`")),
            Token::Comment if text[place.start] == b';' => return Some((place, "the comment does not stand in braces")),
            Token::UnclosedComment => return None,
            _ => {}
        }
        before = Some((token, place));
    }
    None
}

/// What is too much of the lines that `token` ends or fills; `line` is where the first of them begins.
fn long_line(text: &[u8], line: &mut usize, token: Span) -> Option<Span> {
    if text[token.start] == b'%' {
        return None;
    }
    loop {
        let part = text.get(*line..token.end)?;
        let end = memchr::memchr2(b'\n', b'\r', part);
        let whole = &part[..end.unwrap_or(part.len())];
        if whole.len() > LINE {
            // Characters, not bytes; and a word that is longer than a line cannot be broken.
            let starts = |byte: &u8| (*byte & 0xC0) != 0x80;
            let over = whole.iter().enumerate().filter(|(_, byte)| starts(byte)).nth(LINE);
            if let Some((over, _)) = over.filter(|_| whole.contains(&b' ')) {
                return Some(Span::new(*line + over, *line + whole.len()));
            }
        }
        *line += end? + 1;
    }
}

fn behind(facts: &Layout<'_>) -> Option<Departure> {
    let gap = Span::new(facts.game.end, facts.next);
    let more = facts.next < facts.text.len() && line_breaks(gap.of(facts.text)).is_some_and(|breaks| breaks > 2);
    more.then_some((gap, "more than one blank line stands between this game and the next"))
}
