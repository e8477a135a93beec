//! Tag pairs and the tag section (PGN standard 8.1).

use std::iter;

use shakmaty::{Bitboard, Color, File, fen::Fen};

use super::{
    boundary::{BOM, tag_name, whitespace},
    known_tag::KnownTag,
    lexer::{Lexer, Token},
    limits::Limits,
    line_end::{line_end, nearby_line_end},
};
use crate::{
    chess::{Variant, names_other_game, variant_of_event},
    text::Span,
};

/// A tag pair: `[Name "value"]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPair {
    /// From `[` to one past `]`.
    pub place: Span,
    /// The name.
    pub name: Span,
    /// The text between the quotes, with escapes as written.
    pub value: Span,
}

/// A tag of a game as it is written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenTag<'a> {
    /// The tag, if it is known.
    pub tag: Option<KnownTag>,
    /// Its name.
    pub name: &'a [u8],
    /// The place of its value in the record of the game.
    pub value: Span,
}

impl TagPair {
    /// The tag of this pair in `text`, whose record begins at byte `start`.
    pub fn written(self, text: &[u8], start: usize) -> WrittenTag<'_> {
        let name = self.name.of(text);
        let value = Span::new(self.value.start - start, self.value.end - start);
        WrittenTag { tag: KnownTag::named(name), name, value }
    }
}

/// Maximum number of tag pairs that are read for a label.
const MAX_READ_PAIRS: usize = 200;

/// Reads the tag pairs at byte `at` of a record, without regard to what is between them: for labels
/// and links. Other text on their lines is skipped, and so are empty lines. There are at most
/// [`MAX_READ_PAIRS`] of them.
pub fn tag_pairs(record: &[u8], at: usize) -> impl Iterator<Item = TagPair> {
    let (mut at, mut read_pairs) = (at, 0);
    iter::from_fn(move || {
        while read_pairs < MAX_READ_PAIRS {
            read_pairs += 1;
            let rest = record.get(at..)?.trim_ascii_start();
            let open = record.len() - rest.strip_prefix(BOM).unwrap_or(rest).len();
            let read = record.get(open).filter(|byte| **byte == b'[').map(|_| read_tag(record, open))?;
            let end = read.end.max(open + 1);
            let line = line_end(record, end);
            let after = record[..line].get(end..).unwrap_or_default().trim_ascii_start();
            at = line - if after.first() == Some(&b'[') { after.len() } else { 0 };
            if read.pair.is_some() {
                return read.pair;
            }
        }
        None
    })
}

/// The tag pairs of a game, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub struct TagSection<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// The tag pairs that could be read.
    pub pairs: &'a [TagPair],
    /// The names of tag pairs whose value could not be read.
    pub names: &'a [Span],
    /// The place of the tag section. If there is none, the place before the first token of the
    /// game.
    pub place: Span,
    /// The plausible ratings and dates.
    pub limits: Limits,
    /// For each known tag, the ordinal of its first pair in `pairs`, from 1, or 0 if there is none.
    first: [u32; KnownTag::ALL.len()],
}

impl<'a> TagSection<'a> {
    /// Makes the tag section at `place` from its pairs and names.
    pub fn new(text: &'a [u8], pairs: &'a [TagPair], names: &'a [Span], place: Span) -> TagSection<'a> {
        let mut first = [0; KnownTag::ALL.len()];
        for (pair, ordinal) in pairs.iter().zip(1..) {
            if let Some(tag) = KnownTag::named(pair.name.of(text)) {
                let first = &mut first[tag as usize];
                if *first == 0 {
                    *first = ordinal;
                }
            }
        }
        TagSection { text, pairs, names, place, limits: Limits::DEFAULT, first }
    }

    /// The same tag section with other limits.
    pub fn within(self, limits: Limits) -> TagSection<'a> {
        TagSection { limits, ..self }
    }

    /// The first pair of the tag.
    #[inline]
    pub fn pair(&self, tag: KnownTag) -> Option<TagPair> {
        (self.first[tag as usize] as usize).checked_sub(1).and_then(|index| self.pairs.get(index).copied())
    }

    /// The first pair whose name is `name` in any case.
    pub fn pair_in_any_case(&self, name: &str) -> Option<TagPair> {
        self.pairs.iter().copied().find(|pair| pair.name.of(self.text).eq_ignore_ascii_case(name.as_bytes()))
    }

    /// The value of the first pair of the tag, with escapes as written.
    #[inline]
    pub fn value(&self, tag: KnownTag) -> Option<&'a [u8]> {
        self.pair(tag).map(|pair| pair.value.of(self.text))
    }

    /// The variant of the game, and the text that names it: the value of the Variant tag, or words
    /// of the Event tag of a game that begins in the position of a FEN tag. A position from which
    /// chess cannot be played is that of a variant that is not known, and so are shuffled pieces
    /// without a FEN tag. Other games need no Variant tag.
    pub fn variant(&self) -> Option<(Span, Variant)> {
        let fen = self.value(KnownTag::Fen);
        let declared = self.pair(KnownTag::Variant).map(|pair| (pair.value, Variant::named(pair.value.of(self.text))));
        let of_chess = match declared {
            None | Some((_, Variant::Standard)) => {
                let of_event = fen.and_then(|_| self.variant_of_event());
                of_event.or_else(|| self.other_game().map(|game| (game.place, Variant::Unknown))).or(declared)
            }
            declared => declared,
        };
        match of_chess {
            Some((place, Variant::Shuffle)) if !fen.is_some_and(is_set_up_for_chess) => Some((place, Variant::Unknown)),
            variant => variant,
        }
    }

    /// The game other than chess that the tags or the first moves show.
    pub fn other_game(&self) -> Option<OtherGame> {
        let has = |name: &[u8]| self.pairs.iter().any(|pair| pair.name.of(self.text) == name);
        let shown = self.pairs.iter().find_map(|pair| {
            let (name, value) = (pair.name.of(self.text), pair.value.of(self.text));
            let of_name = |game| Some(OtherGame { place: pair.name, game: Some(game) });
            match name {
                b"Sente" | b"Gote" => of_name("shogi"),
                b"Red" if has(b"Blue") || has(b"Yellow") => of_name("chess of four players"),
                b"Red" if !has(b"White") => of_name("xiangqi"),
                b"Game" | b"GameType" | b"Variant" if names_other_game(value) => {
                    Some(OtherGame { place: pair.value, game: None })
                }
                b"GameType" if is_type_of_draughts(value) => Some(OtherGame { place: pair.value, game: Some("draughts") }),
                _ => None,
            }
        });
        shown.or_else(|| self.draughts()).or_else(|| Some(OtherGame { place: self.bughouse()?, game: Some(BUGHOUSE) }))
    }

    /// The first move, if it and the next one are moves of draughts (`1. 32-28 19-23`).
    fn draughts(&self) -> Option<OtherGame> {
        let mut lexer = Lexer::new(self.text, self.place.end);
        let number = loop {
            match lexer.next() {
                Token::Comment => {}
                Token::Number { value: Some(1), dots: 1 } => break lexer.at,
                _ => return None,
            }
        };
        let line = &self.text[number..(number + 40).min(self.text.len())];
        let start = number + line.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let mut words = self.text[start..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let first = words.next().filter(|word| is_move_of_draughts(word))?;
        words.next().filter(|word| is_move_of_draughts(word))?;
        Some(OtherGame { place: Span::new(start, start + first.len()), game: Some("draughts") })
    }

    /// The place that shows bughouse, a game on the boards A and B: the first of two tags that name
    /// a player of one of them, or the first move number if it and the next one name a board
    /// (`1A.`).
    fn bughouse(&self) -> Option<Span> {
        let is_player = |name: &Span| matches!(name.of(self.text), b"WhiteA" | b"WhiteB" | b"BlackA" | b"BlackB");
        let mut names = self.pairs.iter().map(|pair| pair.name).filter(is_player);
        if let Some(first) = names.next() {
            return names.next().map(|_| first);
        }
        let mut lexer = Lexer::new(self.text, self.place.end);
        let mut first = None;
        loop {
            match lexer.next() {
                Token::Comment => {}
                Token::Word if first.is_some() => {}
                Token::Number { dots: 0, .. } => {
                    let board = self.text.get(lexer.at..lexer.at + 2);
                    if !matches!(board, Some([b'A' | b'B' | b'a' | b'b', b'.'])) {
                        return None;
                    }
                    if first.is_some() {
                        return first;
                    }
                    first = Some(Span::new(lexer.start, lexer.at + 2));
                    lexer.at += 2;
                }
                _ => return None,
            }
        }
    }

    /// The variant that the Event tag gives, and the words that name it.
    fn variant_of_event(&self) -> Option<(Span, Variant)> {
        let event = self.pair(KnownTag::Event)?.value;
        let (words, variant) = variant_of_event(event.of(self.text))?;
        Some((Span::new(event.start + words.start, event.start + words.end), variant))
    }
}

/// Bughouse, whose moves are those of chess.
const BUGHOUSE: &str = "bughouse";

/// A game other than chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherGame {
    /// What shows it: the name or value of a tag, or a move.
    pub place: Span,
    /// The game; `None` if the text there names it.
    pub game: Option<&'static str>,
}

impl OtherGame {
    /// Whether it is played with other pieces than those of chess.
    pub fn has_other_pieces(&self) -> bool {
        self.game != Some(BUGHOUSE)
    }
}

/// Whether the position of a FEN tag can be one from which chess is played: each side has one king,
/// and no pawn is on a back rank. On servers, a king on the d-file castles in another way, which is
/// not known here.
fn is_set_up_for_chess(fen: &[u8]) -> bool {
    let Ok(fen) = Fen::from_ascii(fen) else { return true };
    let setup = fen.as_setup();
    let kings = Color::ALL.map(|color| (setup.board.kings() & setup.board.by_color(color)).single_square());
    let has_pawns_at_ends = (setup.board.pawns() & Bitboard::BACKRANKS).any();
    !has_pawns_at_ends
        && kings.iter().all(|king| king.is_some_and(|king| king.file() != File::D || setup.castling_rights.is_empty()))
}

/// Whether the value of a GameType tag is the number of a kind of draughts, as in `20` and
/// `20,W,10,10,N2,0` (the PDN standard).
fn is_type_of_draughts(value: &[u8]) -> bool {
    let number = value.split(|byte| *byte == b',').next().unwrap_or_default();
    matches!(number, [b'2'..=b'4', b'0'..=b'9'])
}

/// Whether a word is a move of draughts: numbers of squares with `-` or `x` between them. A move
/// without capture goes to a neighbouring square.
fn is_move_of_draughts(word: &[u8]) -> bool {
    let mut squares = word.split(|byte| matches!(byte, b'-' | b'x')).map(|square| {
        let number = std::str::from_utf8(square).ok()?.parse::<u8>().ok()?;
        (1..=50).contains(&number).then_some(number)
    });
    let (Some(Some(from)), Some(Some(to))) = (squares.next(), squares.next()) else { return false };
    squares.all(|square| square.is_some()) && (word.contains(&b'x') || (3..=6).contains(&from.abs_diff(to)))
}

/// Whether the tag says that the game is not chess. Then a name like that of another tag is not a
/// slip.
pub(crate) fn is_tag_of_other_game(name: &[u8]) -> bool {
    is_bughouse_tag(name) || matches!(name, b"Sente" | b"Gote" | b"Red" | b"Game" | b"GameType")
}

/// Whether the tag is about a player of bughouse, as in `[WhiteA "Ann"]` and `[BlackBElo "1500"]`.
/// Not about a federation, as in `[WhiteACF "1500"]`.
pub(crate) fn is_bughouse_tag(name: &[u8]) -> bool {
    let rest = name.strip_prefix(b"White").or_else(|| name.strip_prefix(b"Black"));
    matches!(rest, Some([b'A' | b'B'] | [b'A' | b'B', b'A'..=b'Z', b'a'..=b'z', ..]))
}

/// What is wrong with a tag pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagFault {
    /// The tag pair is malformed. The text is the reason.
    Pair(&'static str),
    /// The value is malformed. The text is the reason.
    String(&'static str),
    /// The text ends inside the tag pair.
    Truncated,
}

/// A tag pair as far as it could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagRead {
    /// The pair, if name and value could be read.
    pub pair: Option<TagPair>,
    /// The name, if it could be read.
    pub name: Option<Span>,
    /// What is wrong, and where.
    pub fault: Option<(TagFault, Span)>,
    /// End of the part that was read.
    pub end: usize,
}

/// Reads the tag pair that begins with the `[` at `open`.
pub fn read_tag(text: &[u8], open: usize) -> TagRead {
    match read_plain_tag(text, open) {
        Some(pair) => TagRead { pair: Some(pair), name: Some(pair.name), fault: None, end: pair.place.end },
        None => read_irregular_tag(text, open),
    }
}

/// Reads the tag pair that begins with the `[` at `open` if it is written as in export format,
/// `[Name "value"]`, and its value contains no escapes, tabs or control characters.
#[inline]
pub(crate) fn read_plain_tag(text: &[u8], open: usize) -> Option<TagPair> {
    let start = open + 1;
    let name_end = skip_while(text, start, IN_NAME);
    if name_end == start || !text[name_end..].starts_with(b" \"") {
        return None;
    }
    let value = name_end + 2;
    let quote = skip_while(text, value, IN_STRING);
    (quote - value <= 255 && text[quote..].starts_with(b"\"]")).then(|| TagPair {
        place: Span::new(open, quote + 2),
        name: Span::new(start, name_end),
        value: Span::new(value, quote),
    })
}

/// The byte is allowed in a tag name.
const IN_NAME: u8 = 1;
/// The byte is allowed in a value, and is not an escape, a tab or a control character.
const IN_STRING: u8 = 2;

/// For each byte, the parts of a tag pair in which it is allowed.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        if letter.is_ascii_alphanumeric() || letter == b'_' {
            kinds[byte] |= IN_NAME;
        }
        if letter >= b' ' && !matches!(letter, b'"' | b'\\') {
            kinds[byte] |= IN_STRING;
        }
        byte += 1;
    }
    kinds
};

/// The first byte from `at` that is not of `kind`, or the end of the text.
#[inline]
fn skip_while(text: &[u8], at: usize, kind: u8) -> usize {
    let mut at = at;
    while let Some(&byte) = text.get(at)
        && KINDS[byte as usize] & kind != 0
    {
        at += 1;
    }
    at
}

/// The reason why the quote at the end of a tag pair does not close the value.
const SINGLE_BACKSLASH: &str = "the backslash before the closing quote is not doubled";

#[cold]
fn read_irregular_tag(text: &[u8], open: usize) -> TagRead {
    let line = nearby_line_end(text, open);
    let rest = Span::new(open, trim_end(text, open, line));
    let whole = |name, fault| TagRead { pair: None, name, fault: Some((fault, rest)), end: line };
    let cut = line == text.len();
    let Some(name_end) = tag_name(text, open) else {
        if let Some(tag) = read_double_bracket(text, open) {
            return tag;
        }
        let truncated = cut && rest.of(text).len() <= 1;
        return whole(None, if truncated { TagFault::Truncated } else { TagFault::Pair("the tag name is missing") });
    };
    let name_start = open + 1 + whitespace(&text[open + 1..name_end]);
    let name = Span::new(name_start, name_end);
    let quote = name_end + whitespace(&text[name_end..]);
    if text.get(quote) != Some(&b'"') {
        if let Some(tag) = read_unquoted(text, rest, name, quote) {
            return tag;
        }
        let fault = match text.get(quote) {
            None => TagFault::Truncated,
            Some(b']') => TagFault::Pair("the value is missing"),
            Some(b':' | b'=' | b',') => TagFault::Pair("only whitespace is allowed between name and value"),
            Some(_) => TagFault::Pair("the value is not in quotes"),
        };
        return whole(Some(name), fault);
    }
    // The value ends on the line on which it begins.
    let line = nearby_line_end(text, quote);
    let cut = line == text.len();
    let rest = Span::new(open, trim_end(text, open, line));
    let whole = |fault| TagRead { pair: None, name: Some(name), fault: Some((fault, rest)), end: line };
    let value_start = quote + 1;
    if let Some(next) = next_header(text, value_start, line) {
        let fault = Some((TagFault::Pair(HEADER_BREAKS_OFF), Span::new(open, next)));
        return TagRead { pair: None, name: Some(name), fault, end: next };
    }
    let (close, bad_escape) = find_closing_quote(text, value_start, line);
    let Some(close) = close else {
        if cut {
            return whole(TagFault::Truncated);
        }
        if let Some(tag) = read_broken_string(text, open, name, value_start, line) {
            return tag;
        }
        // `[White "A]`: the value ends before the bracket.
        let end = trim_end(text, value_start, line);
        let written = &text[value_start..end];
        let (value_end, why) = match written.strip_suffix(b"\"]") {
            // `[White "A\"]`: the backslash belongs to the value.
            Some(value) if value.ends_with(b"\\") && !value.contains(&b'"') => (end - 2, SINGLE_BACKSLASH),
            _ if written.ends_with(b"]") => (end - 1, "the closing quote is missing"),
            _ => (end, "the closing quote is missing"),
        };
        let pair = TagPair { place: rest, name, value: Span::new(value_start, value_end) };
        return TagRead { pair: Some(pair), name: Some(name), fault: Some((TagFault::Pair(why), rest)), end: line };
    };
    let value = Span::new(value_start, close);
    let ahead = close + 1 + whitespace(&text[close + 1..]);
    let bracket = if text.get(ahead) == Some(&b']') { ahead } else { close + 1 + spaces(&text[close + 1..line]) };
    let closed = text.get(bracket) == Some(&b']');
    let end = if closed { bracket + 1 } else { close + 1 };
    let pair = Some(TagPair { place: Span::new(open, end), name, value });
    let fault = if !closed {
        if cut && bracket >= line {
            Some((TagFault::Truncated, rest))
        } else {
            Some((
                TagFault::Pair("the closing bracket is missing"),
                Span::new(open, if bracket >= line || text[bracket] == b'[' { end } else { rest.end }),
            ))
        }
    } else if let Some((at, why)) = bad_escape {
        Some((TagFault::String(why), Span::new(at, at + 1)))
    } else if close - value_start > 255
        && String::from_utf8_lossy(value.of(text)).chars().filter(|character| *character != '\0').count() > 255
    {
        Some((TagFault::String("the value is longer than 255 characters"), value))
    } else {
        None
    };
    let end = if closed || bracket >= line || text[bracket] == b'[' { end } else { line };
    TagRead { pair, name: Some(name), fault, end }
}

/// The reason why a value has no end: two texts were joined, the first one cut off.
const HEADER_BREAKS_OFF: &str = "the header of a game breaks off in this value, and the next header begins";

/// Where the header of the next game begins on the line of a value: an Event tag that ends it.
fn next_header(text: &[u8], value_start: usize, line: usize) -> Option<usize> {
    let at = value_start + memchr::memmem::find(&text[value_start..line], b"[Event \"")?;
    let event = read_plain_tag(text, at)?;
    text[event.place.end..line.max(event.place.end)].trim_ascii().is_empty().then_some(at)
}

/// The quote that ends the value from `value_start` to the end of the line, and what is wrong with
/// a character before it.
fn find_closing_quote(text: &[u8], value_start: usize, line: usize) -> (Option<usize>, Option<(usize, &'static str)>) {
    let mut bad_escape = None;
    let mut at = value_start;
    let close = loop {
        match text[at..line].first() {
            None => break None,
            Some(b'"') => {
                let after = at + 1 + spaces(&text[at + 1..line]);
                let ends = after >= line || text[after] == b']' || ends_with_tags(text, after, line);
                let inner = text[at + 1..line].contains(&b'"') && text[at + 1..line].contains(&b']');
                if ends || !inner {
                    break Some(at);
                }
                // The value continues after this quote.
                bad_escape.get_or_insert((at, "a quote inside the value is not escaped"));
                at += 1;
            }
            Some(b'\\') if ends_character(&text[value_start..at]) => at += 1,
            Some(b'\\') => {
                if matches!(text[at + 1..line].first(), Some(b'"' | b'\\')) {
                    at += 2;
                } else {
                    bad_escape.get_or_insert((at, "a backslash is not followed by a quote or another backslash"));
                    at += 1;
                }
            }
            Some(b'\t') => {
                bad_escape.get_or_insert((at, "the value contains a tab"));
                at += 1;
            }
            Some(_) => at += 1,
        }
    };
    (close, bad_escape)
}

/// Whether there are only tag pairs from `at` to the end of the line, as after the first value in
/// `[White "A" [Black "B"]`.
pub(crate) fn ends_with_tags(text: &[u8], at: usize, line: usize) -> bool {
    let mut at = at;
    for _ in 0..MAX_ON_LINE {
        let is_open = text.get(at) == Some(&b'[');
        let Some(pair) = read_plain_tag(&text[..line], at).filter(|_| is_open) else { return false };
        at = pair.place.end + spaces(&text[pair.place.end..line]);
        if at >= line {
            return true;
        }
    }
    false
}

/// Maximum number of tag pairs on a line that are looked at from one place.
const MAX_ON_LINE: usize = 32;

/// Whether the byte after `before` is the second one of a character, as the backslash is of 十 in
/// Shift_JIS. Characters of GBK and Big5 have such bytes, too.
fn ends_character(before: &[u8]) -> bool {
    let high = before.iter().rev().take_while(|byte| **byte > 0x80).count();
    high % 2 == 1 && std::str::from_utf8(&before[before.len() - high..]).is_err()
}

/// A tag pair with two opening brackets: `[[Event "A"]`.
fn read_double_bracket(text: &[u8], open: usize) -> Option<TagRead> {
    let pair = read_plain_tag(text, open + 1)?;
    let end = pair.place.end + usize::from(text.get(pair.place.end) == Some(&b']'));
    let place = Span::new(open, end);
    Some(TagRead {
        pair: Some(TagPair { place, ..pair }),
        name: Some(pair.name),
        fault: Some((TagFault::Pair("there are two opening brackets"), place)),
        end,
    })
}

/// A tag pair whose value ends on the next line: `[Site "Somewhere` / `on Earth"]`.
fn read_broken_string(text: &[u8], open: usize, name: Span, value_start: usize, line: usize) -> Option<TagRead> {
    let next = if text[line..].starts_with(b"\r\n") { line + 2 } else { line + 1 };
    let next_end = nearby_line_end(text, next.min(text.len()));
    let rest = text.get(next..next_end)?.trim_ascii_end();
    let value = rest.strip_suffix(b"\"]").filter(|value| !value.starts_with(b"[") && !value.contains(&b'"'))?;
    let value = Span::new(value_start, next + value.len());
    let place = Span::new(open, next + rest.len());
    Some(TagRead {
        pair: Some(TagPair { place, name, value }),
        name: Some(name),
        fault: Some((TagFault::String("the value contains a line break"), Span::new(line, next))),
        end: place.end,
    })
}

/// Opening and closing quotes that are used instead of straight double quotes.
const OTHER_QUOTES: [(&[u8], &[u8]); 10] = [
    (b"'", b"'"),
    (b"`", b"'"),
    (b"''", b"''"),
    (b"&quot;", b"&quot;"),
    ("\u{201C}".as_bytes(), "\u{201D}".as_bytes()),
    ("\u{201E}".as_bytes(), "\u{201C}".as_bytes()),
    ("\u{2018}".as_bytes(), "\u{2019}".as_bytes()),
    ("\u{AB}".as_bytes(), "\u{BB}".as_bytes()),
    ("\u{201D}".as_bytes(), "\u{201D}".as_bytes()),
    // Curly quotes of Windows-1252.
    (b"\x93", b"\x94"),
];

/// The reason why a value in other quotes is malformed.
const WRONG_QUOTES: &str = "the value is not in straight double quotes";

/// The reason why a space is not one.
const NO_BREAK_SPACE: &str = "there is a no-break space between name and value";

/// The reason why two words are not a tag name.
const NAME_WITH_SPACE: &str = "the tag name contains whitespace";

/// A tag pair whose value at `at` does not begin with a double quote, but is clear: `[Event 'A']`,
/// `[Site ?"]`, `[White Elo "2000"]`.
fn read_unquoted(text: &[u8], place: Span, name: Span, at: usize) -> Option<TagRead> {
    let line = nearby_line_end(text, place.start);
    let inside = text.get(at..line)?.trim_ascii_end().strip_suffix(b"]")?.trim_ascii_end();
    if inside.is_empty() || matches!(inside.first(), Some(b':' | b'=' | b',')) || inside.contains(&b'[') || inside.contains(&b']')
    {
        return None;
    }
    let tag = |name, value: Span, why| {
        let pair = Some(TagPair { place, name, value });
        Some(TagRead { pair, name: Some(name), fault: Some((TagFault::Pair(why), place)), end: line })
    };
    let spaceless = inside.strip_prefix("\u{A0}".as_bytes()).or_else(|| inside.strip_prefix(b"\xA0"));
    if let Some(value) =
        spaceless.and_then(|quoted| quoted.strip_prefix(b"\"")?.strip_suffix(b"\"")).filter(|value| !value.contains(&b'"'))
    {
        let end = at + inside.len() - 1;
        return tag(name, Span::new(end - value.len(), end), NO_BREAK_SPACE);
    }
    for (open, close) in OTHER_QUOTES {
        let value = inside.strip_prefix(open).and_then(|value| value.strip_suffix(close).or_else(|| value.strip_suffix(b"\"")));
        if let Some(value) = value.filter(|value| !value.contains(&b'"')) {
            return tag(name, Span::new(at + open.len(), at + open.len() + value.len()), WRONG_QUOTES);
        }
    }
    if let Some(value) = inside.strip_suffix(b"\"") {
        return match value.iter().position(|&byte| byte == b'"') {
            None => tag(name, Span::new(at, at + value.len()), "the opening quote is missing"),
            Some(quote) => {
                let word = value[..quote].trim_ascii_end();
                let is_word = !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                let value = Span::new(at + quote + 1, at + value.len());
                let fault = Some((TagFault::Pair(NAME_WITH_SPACE), place));
                (is_word && !value.of(text).contains(&b'"')).then_some(TagRead { pair: None, name: Some(name), fault, end: line })
            }
        };
    }
    None
}

/// The tag pair of a line without brackets: `Event "A"`.
pub fn read_bare_tag(text: &[u8], at: usize) -> Option<TagPair> {
    let line = &text[at..line_end(text, at)];
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let quote = name + spaces(&line[name..]);
    let value = line.trim_ascii_end().strip_suffix(b"\"")?.get(quote..)?.strip_prefix(b"\"")?;
    (line.first()?.is_ascii_uppercase() && quote > name && !value.contains(&b'"')).then(|| TagPair {
        place: Span::new(at, at + line.trim_ascii_end().len()),
        name: Span::new(at, at + name),
        value: Span::new(at + quote + 1, at + quote + 1 + value.len()),
    })
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn trim_end(text: &[u8], start: usize, end: usize) -> usize {
    start + text[start..end].trim_ascii_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_pairs_are_read_as_written() {
        let text = b"\xEF\xBB\xBF[White \"A\"] [Black \"B \\\"x\\\"\"]<br>\n[Foo \"x\"]\n[\n\n[Round \"1\"] 1. e4\n*\n[No \"\"]";
        let seen: Vec<(&[u8], &[u8])> = tag_pairs(text, 0).map(|pair| (pair.name.of(text), pair.value.of(text))).collect();
        let expected: [(&[u8], &[u8]); 4] = [(b"White", b"A"), (b"Black", b"B \\\"x\\\""), (b"Foo", b"x"), (b"Round", b"1")];
        assert_eq!(seen, expected);
    }

    fn read(text: &str) -> (Option<(&str, &str)>, Option<TagFault>, &str) {
        let read = read_tag(text.as_bytes(), 0);
        let part = |span: Span| &text[span.start..span.end];
        (read.pair.map(|pair| (part(pair.name), part(pair.value))), read.fault.map(|(fault, _)| fault), &text[read.end..])
    }

    #[test]
    fn well_formed() {
        assert_eq!(read("[Event \"a\"]\n"), (Some(("Event", "a")), None, "\n"));
        assert_eq!(read("[ Event  \"a\" ] x"), (Some(("Event", "a")), None, " x"));
        assert_eq!(read("[Event \"a \\\"b\\\" \\\\\"]\n"), (Some(("Event", "a \\\"b\\\" \\\\")), None, "\n"));
        assert_eq!(read("[A \"1\"][B \"2\"]\n"), (Some(("A", "1")), None, "[B \"2\"]\n"));
        assert_eq!(read("[Site\"?\"]\n"), (Some(("Site", "?")), None, "\n"));
        assert_eq!(read("[\nSite\r\n\"?\"\n]\n"), (Some(("Site", "?")), None, "\n"));
    }

    #[test]
    fn faults() {
        assert_eq!(read("[Event Foo]\n"), (None, Some(TagFault::Pair("the value is not in quotes")), "\n"));
        assert_eq!(read("[White \"A\"\n"), (Some(("White", "A")), Some(TagFault::Pair("the closing bracket is missing")), "\n"));
        let unclosed = Some(TagFault::Pair("the closing bracket is missing"));
        assert_eq!(read("[White \"A\" [Black \"B\"]\n"), (Some(("White", "A")), unclosed, " [Black \"B\"]\n"));
        assert_eq!(read("[White \"A\"[Black \"B\"] [Round \"1\"]\n").0, Some(("White", "A")));
        assert_eq!(read("[White \"A\"xB \"C\"]\n").0, Some(("White", "A\"xB \"C")));
        assert_eq!(read("[White \"A\" [B \"C\" D\"]\n").0, Some(("White", "A\" [B \"C\" D")));
        assert_eq!(read("[White \"A]\n"), (Some(("White", "A")), Some(TagFault::Pair("the closing quote is missing")), "\n"));
        assert_eq!(
            read("[Event \"5th \"Mikis\" Open\"]\n"),
            (Some(("Event", "5th \"Mikis\" Open")), Some(TagFault::String("a quote inside the value is not escaped")), "\n")
        );
        assert_eq!(read("[TimeControl \"10\"/move\"]\n").1, Some(TagFault::String("a quote inside the value is not escaped")));
        assert_eq!(
            read("[Event \"a\\b\"]\n").1,
            Some(TagFault::String("a backslash is not followed by a quote or another backslash"))
        );
        assert_eq!(
            read("[Site \"Graz [Event \"b\"]\n"),
            (
                None,
                Some(TagFault::Pair("the header of a game breaks off in this value, and the next header begins")),
                "[Event \"b\"]\n"
            )
        );
        let quoted = TagFault::String("a quote inside the value is not escaped");
        assert_eq!(read("[Site \"see [Event \"b\"] there\"]\n").1, Some(quoted));
        assert_eq!(read("[Event: \"a\"]\n").1, Some(TagFault::Pair("only whitespace is allowed between name and value")));
        assert_eq!(read("[Event]\n").1, Some(TagFault::Pair("the value is missing")));
        assert_eq!(read(&format!("[Site \"{}\"]\n", "é".repeat(255))).1, None);
        assert_eq!(
            read(&format!("[Site \"{}\"]\n", "é".repeat(256))).1,
            Some(TagFault::String("the value is longer than 255 characters"))
        );
        assert_eq!(read("[Event \"a"), (None, Some(TagFault::Truncated), ""));
        assert_eq!(
            read("[Site \"Somewhere\r\non Earth\"]\n"),
            (Some(("Site", "Somewhere\r\non Earth")), Some(TagFault::String("the value contains a line break")), "\n")
        );
        assert_eq!(read("[Site \"a\n[Date \"b\"]\n").1, Some(TagFault::Pair("the closing quote is missing")));
    }
}
