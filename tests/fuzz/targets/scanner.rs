//! The structure of PGN text: every byte belongs to a token, a tag pair or the space between them,
//! and all that is found is inside the text.

use chess_audit::internals::{
    pgn::{BOM, CommentEnd, Lexer, TagRead, Token, comment_end, guess_start, read_bare_tag, read_tag},
    text::Span,
};

/// Reads any bytes as PGN.
pub fn run(text: &[u8]) {
    tokens(text);
    guesses(text);
}

fn within(text: &[u8], span: Span, part: Span) {
    assert!(part.start <= part.end && span.start <= part.start && part.end <= span.end, "{part:?} of {span:?}");
    assert!(span.end <= text.len());
}

/// Reads all tokens, and returns the number of those that are not comments.
pub fn tokens(text: &[u8]) -> usize {
    let mut lexer = Lexer::new(text, 0);
    let (mut number, mut end) = (0, 0);
    loop {
        let token = lexer.next();
        assert!(end <= lexer.start && lexer.start <= lexer.at && lexer.at <= text.len(), "{token:?} after {end}");
        assert!(is_between(&text[end..lexer.start]), "{token:?} after {end}: {:?}", &text[end..lexer.start]);
        match token {
            Token::End => {
                assert_eq!(lexer.at, text.len());
                return number;
            }
            Token::TagPair => {
                let tag = read_tag(text, lexer.at);
                tag_pair(text, lexer.at, &tag);
                lexer = Lexer::new(text, tag.end);
            }
            Token::UnclosedComment => {
                let header = lexer.at;
                assert!(header == text.len() || text[header] == b'[', "reading goes on at a header");
            }
            _ => assert!(lexer.at > lexer.start, "{token:?} is empty"),
        }
        if let Some(brace) = lexer.inner_brace.take() {
            assert!(lexer.start < brace && brace < lexer.at && text[brace] == b'{');
        }
        if text.get(lexer.start) == Some(&b'{') {
            let closes = matches!(comment_end(text, lexer.start).0, CommentEnd::Closed(end) if end == lexer.at);
            assert_eq!(closes, token == Token::Comment, "both ways to find the end of a comment agree");
        }
        number += usize::from(!matches!(token, Token::Comment));
        end = lexer.at;
    }
}

fn tag_pair(text: &[u8], start: usize, tag: &TagRead) {
    assert!(tag.end > start && tag.end <= text.len());
    // A fault of a value that goes on in the next line may be reported up to there.
    let whole = Span::new(start, text.len());
    if let Some(pair) = tag.pair {
        assert_eq!(pair.place.start, start);
        within(text, whole, pair.place);
        within(text, pair.place, pair.name);
        within(text, pair.place, pair.value);
        assert!(pair.name.end <= pair.value.start);
    }
    if let Some(name) = tag.name {
        within(text, whole, name);
    }
    if let Some((_, place)) = tag.fault {
        within(text, whole, place);
    }
    assert!(tag.fault.is_some() || tag.pair.is_some_and(|pair| pair.place.end == tag.end));
    if let Some(bare) = read_bare_tag(text, start + 1) {
        within(text, whole, bare.place);
        within(text, bare.place, bare.name);
        within(text, bare.place, bare.value);
    }
}

/// Whether this can be between two tokens: whitespace, control characters, periods and byte order
/// marks.
fn is_between(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return true,
            [b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | 0 | 0x1A | 0x7F | b'.', rest @ ..] | [0xC2, 0x85 | 0xA0, rest @ ..] => {
                rest
            }
            [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, rest @ ..]
            | [0xE2, 0x81, 0x9F, rest @ ..]
            | [0xE3, 0x80, 0x80, rest @ ..] => rest,
            _ => match rest.strip_prefix(BOM) {
                Some(rest) => rest,
                None => return false,
            },
        }
    }
}

/// Headers are guessed from the text around them, so those of the parts are those of the whole.
/// Where a part has none, a game without tags is guessed.
fn guesses(text: &[u8]) {
    let is_header = |start: &usize| text[*start..].starts_with(BOM) || text[*start] == b'[';
    let mut headers = Vec::new();
    let mut from = 0;
    while let Some(start) = guess_start(text, from, text.len()).filter(is_header) {
        assert!((from..text.len()).contains(&start));
        headers.push(start);
        from = start + 1;
    }
    let step = text.len() / 7 + 1;
    for from in (0..text.len()).step_by(step) {
        let to = (from + step).min(text.len());
        let header = headers.iter().copied().find(|start| (from..to).contains(start));
        let guess = guess_start(text, from, to);
        if header.is_some() || guess.as_ref().is_some_and(is_header) {
            assert_eq!(guess, header, "in {from}..{to}");
        } else if let Some(start) = guess {
            assert!((from..to).contains(&start) && text[start..].starts_with(b"1."), "in {from}..{to}");
        }
    }
}
