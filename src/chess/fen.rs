//! FEN and EPD positions as written. Every field keeps its spelling and its place, and nothing is
//! repaired while reading.
//!
//! Nothing here allocates, because files of positions have millions of lines.

use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Color, File, Rank, Square, attacks};

use super::Pieces;
use crate::text::Span;

/// What comes after the last field of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    #[default]
    Nothing,
    /// Text that begins like an EPD operation, or contains a semicolon.
    Operations,
    /// `moves`, and moves, as in the UCI command `position`.
    Moves,
    /// Anything else.
    Other,
}

/// The fields of a position, each with its place in the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct FenText {
    fields: [Span; 6],
    count: usize,
    /// The fields that are missing or empty before the last one, one bit each, the placement
    /// lowest. They count as present.
    absent: u8,
    /// Whether the absent fields are written as empty: two separators enclose each of them.
    pub writes_empty_fields: bool,
    /// What comes after the fields, without whitespace around it.
    pub tail: Span,
    /// What kind of text [`FenText::tail`] is.
    pub tail_kind: Tail,
    /// The first text before or between fields that is not exactly one space.
    pub irregular: Option<Span>,
    /// Whitespace at the end of the text.
    pub trailing_blanks: Option<Span>,
    /// Check counters of three-check: `3+3` before the counters, or `+0+0` after them. They do not
    /// count as a field.
    pub checks: Option<Span>,
}

/// Whether a word is a check counter: `3+3`, `+0+0`.
const fn counts_checks(word: &[u8]) -> bool {
    matches!(word, [b'0'..=b'9', b'+', b'0'..=b'9'] | [b'+', b'0'..=b'9', b'+', b'0'..=b'9'])
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C | 0)
}

impl FenText {
    /// Splits the bytes `place` of `text` into the fields of a position.
    ///
    /// With `in_tag`, the text is the value of a FEN tag. There, a fifth field that is not a number
    /// is a bad counter; in a line it begins the EPD operations.
    pub fn split(text: &[u8], place: Span, in_tag: bool) -> FenText {
        let mut fen = FenText::default();
        let mut end = place.end.min(text.len());
        let mut at = place.start.min(end);
        let line_end = end;
        while end > at && is_blank(text[end - 1]) {
            end -= 1;
        }
        // A carriage return belongs to the line end. NUL bytes are checked by the rules about
        // bytes.
        let mut blanks_end = line_end;
        while blanks_end > end && matches!(text[blanks_end - 1], b'\r' | b'\n' | 0) {
            blanks_end -= 1;
        }
        if blanks_end > end && text[end] != 0 {
            fen.trailing_blanks = Some(Span::new(end, blanks_end));
        }
        let before = at;
        while at < end && is_blank(text[at]) {
            at += 1;
        }
        if text.get(at).is_some_and(|byte| matches!(byte, b'p' | b'f' | b'"' | b'\'')) {
            (at, end) = skip_wrapping(text, at, end);
        }
        if !begins_with_ranks(&text[at..end]) {
            let label = label_length(&text[at..end]);
            if label > 0 {
                (at, end) = skip_wrapping(text, at + label, end);
            }
        }
        if at > before {
            fen.irregular = Some(Span::new(before, at));
        }
        let content = text.get(at..end).unwrap_or_default();
        let separator = separator_of(content);
        let separates = |byte: u8| is_blank(byte) || separator == Some(byte);
        let is_tail = |rest: &[u8], count| separator != Some(b';') && count >= 3 && begins_tail(rest, count, in_tag);

        if let Some(word) = memchr::memchr2(b' ', b'\t', content).filter(|_| separator.is_none()) {
            // Finds the end of the placement quickly: it is most of the line. A NUL byte inside it
            // is a wrong character, but at its end it is padding.
            let length = content[..word].iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            fen.fields[0] = Span::new(at, at + length);
            fen.count = usize::from(length > 0);
            at += length;
            let gap = at;
            while at < end && is_blank(text[at]) {
                at += 1;
            }
            if !(at == gap + 1 && text[gap] == b' ') {
                fen.irregular = fen.irregular.or(Some(Span::new(gap, at)));
            }
        }
        while at < end && fen.count < 6 {
            if is_tail(&text[at..end], fen.count) {
                break;
            }
            let start = at;
            let semicolon_ends = fen.count >= 3 && separator.is_none();
            while at < end && !separates(text[at]) && !(semicolon_ends && text[at] == b';') {
                at += 1;
            }
            if fen.count == 4 && fen.checks.is_none() && counts_checks(&text[start..at]) {
                fen.checks = Some(Span::new(start, at));
            } else {
                fen.fields[fen.count] = Span::new(start, at);
                fen.count += 1;
            }
            let gap = at;
            while at < end && separates(text[at]) {
                at += 1;
            }
            // The whitespace before operations is not checked.
            let more = at < end && fen.count < 6 && !is_tail(&text[at..end], fen.count);
            if more && fen.irregular.is_none() && !(at == gap + 1 && text[gap] == b' ') {
                fen.irregular = Some(Span::new(gap, at));
            }
        }
        if fen.count == 6 && at < end && fen.checks.is_none() && counts_checks(&text[at..end]) {
            fen.checks = Some(Span::new(at, end));
            at = end;
        }
        if at < end {
            fen.tail = Span::new(at, end);
            fen.tail_kind = fen.kind_of_tail(&text[at..end], separator);
        }
        if matches!(fen.count, 3..=5) && fen.checks.is_none() {
            fen.find_absent_fields(text);
        }
        fen
    }

    /// What the text after the fields is, which is not empty.
    fn kind_of_tail(&self, tail: &[u8], separator: Option<u8>) -> Tail {
        let has_semicolon = memchr::memchr(b';', tail).is_some();
        // Some programs write semicolons between the counters of a FEN and their own values.
        let has_values = || self.count == 6 && tail[0] == b';' && !tail.iter().any(u8::is_ascii_alphabetic);
        if tail.starts_with(b"moves ") && !has_semicolon {
            Tail::Moves
        } else if separator.is_none() && (tail[0].is_ascii_alphabetic() || has_semicolon && !has_values()) {
            Tail::Operations
        } else {
            Tail::Other
        }
    }

    /// Finds the fields that are missing before the last word, or are empty: there the words fit
    /// all fields.
    #[cold]
    fn find_absent_fields(&mut self, text: &[u8]) {
        let words = self.fields;
        let words = &words[..self.count];
        let gap = |pair: &[Span]| pair[1].start - pair[0].end;
        let empty: usize = words.windows(2).map(|pair| gap(pair).saturating_sub(1)).sum();
        let needed = if self.count == 3 { 4 } else { 6 };
        let mut index = 0;
        let by_gaps = words.windows(2).map(|pair| {
            index += gap(pair);
            index
        });
        let by_gaps: u8 = by_gaps.map(|index| 1u8.checked_shl(index as u32).unwrap_or(0)).fold(1, |all, bit| all | bit);
        let all = (1 << needed) - 1;
        if empty > 0 && self.count + empty == needed && self.fits(text, words, all & !by_gaps) {
            self.place_words(words, all & !by_gaps, needed);
            self.writes_empty_fields = true;
            // The gaps are explained. Only a lone number may be a clock after two spaces instead.
            if !self.may_lack_clock() {
                self.irregular = self.irregular.filter(|place| place.start < words[0].start || place.end - place.start == 1);
            }
        } else if self.count != 4 && !self.fits(text, words, 0) {
            let one_absent = [2, 3, 1].into_iter().map(|index| 1 << index).find(|absent| self.fits(text, words, *absent));
            if let Some(absent) = one_absent {
                self.place_words(words, absent, needed);
            }
        }
    }

    /// Whether the words are these fields, in their order, if those of the bits `absent` are left
    /// out.
    fn fits(&self, text: &[u8], words: &[Span], absent: u8) -> bool {
        let indices = (0..6).filter(|index| absent >> index & 1 == 0);
        words.iter().zip(indices).all(|(word, index)| can_be_field(index, word.of(text)))
    }

    fn place_words(&mut self, words: &[Span], absent: u8, count: usize) {
        let mut words = words.iter();
        for index in (0..count).filter(|index| absent >> index & 1 == 0) {
            self.fields[index] = words.next().copied().unwrap_or_default();
        }
        (self.count, self.absent) = (count, absent);
    }

    /// How many of the six fields are present.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Whether a field before the last one is missing or empty.
    pub const fn lacks_fields(&self) -> bool {
        self.absent != 0
    }

    /// Whether the only absent field is the halfmove clock: two spaces come before a lone number.
    /// It may also be the clock, after one space too many.
    pub const fn may_lack_clock(&self) -> bool {
        self.absent == 1 << 4
    }

    /// Whether a field is missing or empty before the last one. `index` counts from 0.
    pub const fn is_absent(&self, index: usize) -> bool {
        self.absent >> index & 1 == 1
    }

    /// Where an absent field would begin: between two separators, or after the field before it.
    pub fn place_of_absent(&self, index: usize) -> usize {
        let before = (0..index).rev().find(|before| !self.is_absent(*before)).unwrap_or(0);
        self.fields[before].end + if self.writes_empty_fields { index - before } else { 0 }
    }

    fn field(&self, index: usize) -> Option<Span> {
        (index < self.count && !self.is_absent(index)).then(|| self.fields[index])
    }

    /// The piece placement.
    pub fn placement(&self) -> Option<Span> {
        self.field(0)
    }

    /// The side to move.
    pub fn turn(&self) -> Option<Span> {
        self.field(1)
    }

    /// The castling availability.
    pub fn castling(&self) -> Option<Span> {
        self.field(2)
    }

    /// The en passant target square.
    pub fn en_passant(&self) -> Option<Span> {
        self.field(3)
    }

    /// The halfmove clock.
    pub fn halfmove_clock(&self) -> Option<Span> {
        self.field(4)
    }

    /// The fullmove number.
    pub fn fullmove_number(&self) -> Option<Span> {
        self.field(5)
    }

    /// From the first field to the last one.
    pub fn position(&self) -> Span {
        match (self.count, self.fields) {
            (0, _) => Span::default(),
            (count, fields) => Span::new(fields[0].start, fields[count - 1].end),
        }
    }
}

/// The byte that separates the fields instead of spaces, if there are none.
fn separator_of(content: &[u8]) -> Option<u8> {
    if memchr::memchr(b' ', content).is_some() {
        return None;
    }
    let first = memchr::memchr2(b'_', b';', content)?;
    let is_semicolon = content[first] == b';';
    let separates = !is_semicolon
        || memchr::memchr_iter(b';', content).nth(2).is_some()
            && memchr::memchr(b'\t', content).is_none()
            && is_placement(&content[..first]);
    separates.then_some(content[first])
}

/// Whether a word can be the field with this index.
fn can_be_field(index: usize, word: &[u8]) -> bool {
    match index {
        0 => is_placement(word),
        1 => read_turn(word).is_some(),
        2 => CastlingText::read(word).spelling != CastlingSpelling::Unreadable,
        3 => read_en_passant(word).is_some(),
        _ => read_counter(word).is_some(),
    }
}

/// Whether, after `count` fields, operations begin rather than a counter.
fn begins_tail(rest: &[u8], count: usize, in_tag: bool) -> bool {
    let Some(&first) = rest.first() else { return false };
    if first == b';' {
        return true;
    }
    if !first.is_ascii_alphabetic() {
        return false;
    }
    let lone = !rest.iter().any(|&byte| is_blank(byte) || byte == b';');
    if count == 3 {
        // Operations right after the castling availability: the en passant field is missing.
        let word = rest.iter().take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()).count();
        let square = matches!(rest, [b'a'..=b'h', b'0'..=b'9', ..]);
        return word > 1 && !square && rest.get(word) == Some(&b' ') && memchr::memchr(b';', rest).is_some();
    }
    match (in_tag, count) {
        // In a FEN tag, a semicolon distinguishes operations from a bad counter.
        (true, _) => memchr::memchr(b';', rest).is_some(),
        // `… x 1` is a bad counter, because no opcode has a single letter.
        (false, 4) => rest.len() < 2 || !is_blank(rest[1]) || memchr::memchr(b';', rest).is_some(),
        // `… 0 x`: a single word after the clock is a bad fullmove number.
        (false, _) => !lone,
    }
}

/// Skips what surrounds a position that was copied from a log: `position fen`, `fen`, quotes.
#[cold]
fn skip_wrapping(text: &[u8], mut at: usize, mut end: usize) -> (usize, usize) {
    for prefix in [&b"position "[..], b"fen "] {
        if text[at..end].starts_with(prefix) {
            at += prefix.len();
            while at < end && is_blank(text[at]) {
                at += 1;
            }
        }
    }
    if at < end && matches!(text[at], b'"' | b'\'') {
        let quote = text[at];
        at += 1;
        // In a list, a comma or a semicolon follows.
        let closing = end - usize::from(end > at && matches!(text[end - 1], b',' | b';'));
        if closing > at && text[closing - 1] == quote {
            end = closing - 1;
        }
    }
    (at, end)
}

/// Maximum number of words before the piece placement.
const MAX_LABEL_WORDS: usize = 3;

/// Whether the first word contains a rank separator, which rules out a label.
fn begins_with_ranks(text: &[u8]) -> bool {
    let first = text.iter().find(|byte| separates_ranks(**byte) || is_blank(**byte));
    first.is_some_and(|byte| separates_ranks(*byte))
}

const fn separates_ranks(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\' | b'_')
}

/// The length of a label before the piece placement, with the spaces after it; 0 without one.
#[cold]
fn label_length(text: &[u8]) -> usize {
    let mut at = 0;
    for _ in 0..=MAX_LABEL_WORDS {
        let word = text[at..].iter().position(|byte| is_blank(*byte)).unwrap_or(text.len() - at);
        let word = &text[at..at + word];
        if word.iter().any(|byte| separates_ranks(*byte)) {
            return if is_placement(word) { at } else { 0 };
        }
        at += word.len() + text[at + word.len()..].iter().take_while(|byte| is_blank(**byte)).count();
    }
    0
}

/// What is unusual in a piece placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacementNotes(u8);

impl PlacementNotes {
    /// Not eight ranks of eight squares.
    pub const SHAPE: PlacementNotes = PlacementNotes(1);
    /// A character that is not a piece, digit or rank separator.
    pub const CHARACTER: PlacementNotes = PlacementNotes(2);
    /// Two digits in a row.
    pub const ADJACENT_DIGITS: PlacementNotes = PlacementNotes(4);
    /// Ranks separated by `\` or `,`.
    pub const SEPARATOR: PlacementNotes = PlacementNotes(8);
    /// Marks of chess variants: `~` after a promoted piece, pieces in hand in brackets or after an
    /// eighth `/`.
    pub const VARIANT_MARKS: PlacementNotes = PlacementNotes(16);

    /// Whether all of `other` was noted.
    pub const fn contains(self, other: PlacementNotes) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing was noted.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn add(&mut self, other: PlacementNotes) {
        self.0 |= other.0;
    }
}

/// For each byte, the index of the role it stands for, plus 8 for White, or [`NO_PIECE`].
const PIECE_OF_BYTE: [u8; 256] = {
    let mut pieces = [NO_PIECE; 256];
    let letters = b"pnbrqk";
    let mut role = 0;
    while role < 6 {
        pieces[letters[role] as usize] = role as u8;
        pieces[letters[role].to_ascii_uppercase() as usize] = role as u8 + 8;
        role += 1;
    }
    pieces
};
const NO_PIECE: u8 = 0xFF;

/// Reads a piece placement. There is a board only if every square is known; it may be illegal.
pub fn read_placement(placement: &[u8]) -> (Option<Board>, PlacementNotes) {
    match read_regular_placement(placement) {
        Some(board) => (Some(board), PlacementNotes::default()),
        None => read_any_placement(placement),
    }
}

/// The board of a placement with nothing unusual.
fn read_regular_placement(placement: &[u8]) -> Option<Board> {
    let (pieces, length) = Pieces::read(placement)?;
    if length == placement.len() { pieces.board() } else { None }
}

/// Whether a piece with this letter can be in hand.
const fn is_in_hand(letter: u8) -> bool {
    matches!(letter.to_ascii_lowercase(), b'p' | b'n' | b'b' | b'r' | b'q')
}

#[cold]
fn read_any_placement(placement: &[u8]) -> (Option<Board>, PlacementNotes) {
    let mut notes = PlacementNotes::default();
    let mut roles = [0u64; 6];
    let mut colors = [0u64; 2];
    let (mut rank, mut file) = (7i32, 0i32);
    let mut after_digit = false;
    for (index, &byte) in placement.iter().enumerate() {
        let piece = PIECE_OF_BYTE[usize::from(byte)];
        if piece != NO_PIECE {
            if file < 8 && rank >= 0 {
                let bit = 1u64 << (rank * 8 + file);
                roles[usize::from(piece & 7)] |= bit;
                colors[usize::from(piece >> 3)] |= bit;
            }
            file += 1;
            after_digit = false;
            continue;
        }
        match byte {
            b'/' if rank == 0 && file == 8 && placement[index + 1..].iter().all(|byte| is_in_hand(*byte)) => {
                notes.add(PlacementNotes::VARIANT_MARKS);
                break;
            }
            b'/' | b'\\' | b',' => {
                if byte != b'/' {
                    notes.add(PlacementNotes::SEPARATOR);
                }
                if file != 8 {
                    notes.add(PlacementNotes::SHAPE);
                }
                rank -= 1;
                file = 0;
                after_digit = false;
            }
            b'0'..=b'9' => {
                if after_digit {
                    notes.add(PlacementNotes::ADJACENT_DIGITS);
                }
                if byte == b'0' || byte == b'9' {
                    notes.add(PlacementNotes::SHAPE);
                }
                file += i32::from(byte - b'0');
                after_digit = true;
            }
            b'~' if index > 0 && PIECE_OF_BYTE[usize::from(placement[index - 1])] != NO_PIECE => {
                notes.add(PlacementNotes::VARIANT_MARKS)
            }
            b'[' if rank == 0 && file == 8 && placement.ends_with(b"]") => {
                notes.add(PlacementNotes::VARIANT_MARKS);
                break;
            }
            _ => {
                notes.add(PlacementNotes::CHARACTER);
                file += 1;
                after_digit = false;
            }
        }
    }
    if rank != 0 || file != 8 {
        notes.add(PlacementNotes::SHAPE);
    }
    if notes.contains(PlacementNotes::SHAPE) || notes.contains(PlacementNotes::CHARACTER) {
        return (None, notes);
    }
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: Bitboard(roles[0]),
            knight: Bitboard(roles[1]),
            bishop: Bitboard(roles[2]),
            rook: Bitboard(roles[3]),
            queen: Bitboard(roles[4]),
            king: Bitboard(roles[5]),
        },
        ByColor { black: Bitboard(colors[0]), white: Bitboard(colors[1]) },
    );
    (board.ok(), notes)
}

/// A rank of a piece placement as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenRank {
    /// 8 for the first one, then downwards. 0 and below if there are more than eight.
    pub number: i32,
    /// How many squares it describes.
    pub squares: u32,
    /// Its place in the text.
    pub place: Span,
}

/// The ranks of a piece placement as written.
pub fn written_ranks(text: &[u8], placement: Span) -> impl Iterator<Item = WrittenRank> + '_ {
    let mut start = placement.start;
    placement.of(text).split(|byte| matches!(byte, b'/' | b'\\' | b',')).zip((i32::MIN + 1..=8).rev()).map(
        move |(rank, number)| {
            let place = Span::new(start, start + rank.len());
            start = place.end + 1;
            let squares = rank
                .iter()
                .map(|&byte| if byte.is_ascii_digit() { u32::from(byte - b'0') } else { u32::from(byte != b'~') })
                .sum();
            WrittenRank { number, squares, place }
        },
    )
}

/// The byte of a readable piece placement that describes `square`, or the whole rank if there is
/// none.
pub fn place_of_square(text: &[u8], placement: Span, square: Square) -> Span {
    let rank = written_ranks(text, placement).find(|rank| rank.number == i32::from(square.rank()) + 1);
    let Some(rank) = rank else { return placement };
    let mut file = 0;
    for (offset, &byte) in rank.place.of(text).iter().enumerate() {
        file += if byte.is_ascii_digit() { u32::from(byte - b'0') } else { u32::from(byte != b'~') };
        if file > u32::from(square.file()) {
            return Span::new(rank.place.start + offset, rank.place.start + offset + 1);
        }
    }
    rank.place
}

/// A castling letter as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastlingLetter {
    /// `K`, `Q` or the file of a rook. Uppercase is White.
    pub letter: u8,
    /// Its place in the field, in bytes from 0.
    pub offset: u8,
}

impl CastlingLetter {
    /// Whose right it is.
    pub const fn color(self) -> Color {
        if self.letter.is_ascii_uppercase() { Color::White } else { Color::Black }
    }

    /// The file of the rook, if the letter is a file.
    pub const fn rook_file(self) -> Option<File> {
        match self.letter.to_ascii_uppercase() {
            letter @ b'A'..=b'H' => Some(File::new((letter - b'A') as u32)),
            _ => None,
        }
    }

    /// The square of the rook that the letter means in the starting position. For a file letter,
    /// the square on that file.
    pub fn standard_rook(self) -> Square {
        let file = match self.letter.to_ascii_uppercase() {
            b'K' => File::H,
            // Of the letters that are left, only `Q` is not a file.
            _ => self.rook_file().unwrap_or(File::A),
        };
        Square::from_coords(file, self.color().fold_wb(Rank::First, Rank::Eighth))
    }
}

/// What is unusual in a castling availability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingSpelling {
    /// `-`, or one to four different letters in the usual order.
    #[default]
    Regular,
    /// The letters are in another order.
    Unordered,
    /// A letter is repeated.
    Repeated,
    /// Neither `-` nor one to four castling letters.
    Unreadable,
}

/// Castling availability as written.
#[derive(Clone, Copy, Debug, Default)]
pub struct CastlingText {
    letters: [u8; 4],
    offsets: [u8; 4],
    count: u8,
    /// How it is spelled.
    pub spelling: CastlingSpelling,
}

impl CastlingText {
    /// Reads the field.
    pub fn read(field: &[u8]) -> CastlingText {
        let mut castling = CastlingText::default();
        if field == b"-" {
            return castling;
        }
        let mut least = 0;
        for (offset, &letter) in field.iter().enumerate() {
            let order = match letter {
                b'K' => 1,
                b'Q' => 2,
                b'A'..=b'H' => 3,
                b'k' => 4,
                b'q' => 5,
                b'a'..=b'h' => 6,
                _ => return CastlingText { spelling: CastlingSpelling::Unreadable, ..CastlingText::default() },
            };
            if castling.letters[..usize::from(castling.count)].contains(&letter) {
                castling.spelling = CastlingSpelling::Repeated;
                continue;
            }
            if castling.count == 4 {
                return CastlingText { spelling: CastlingSpelling::Unreadable, ..CastlingText::default() };
            }
            if order < least && castling.spelling == CastlingSpelling::Regular {
                castling.spelling = CastlingSpelling::Unordered;
            }
            least = order;
            castling.letters[usize::from(castling.count)] = letter;
            castling.offsets[usize::from(castling.count)] = offset.min(255) as u8;
            castling.count += 1;
        }
        if castling.count == 0 {
            castling.spelling = CastlingSpelling::Unreadable;
        }
        castling
    }

    /// The letters, without repetitions.
    pub fn letters(&self) -> impl Iterator<Item = CastlingLetter> + use<> {
        self.letters
            .into_iter()
            .zip(self.offsets)
            .take(usize::from(self.count))
            .map(|(letter, offset)| CastlingLetter { letter, offset })
    }

    /// Whether no right is claimed.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// What a castling letter means on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightReading {
    /// King and rook are where the starting position of standard chess has them. The rook.
    Standard(Square),
    /// They are where a starting position of Chess960 or double Chess960 can have them. The rook.
    Chess960(Square),
    /// The king is not where any starting position has it: on its back rank, from the b-file
    /// to the g-file.
    KingNotHome,
    /// There is no rook of this side where the letter says.
    RookMissing,
}

impl RightReading {
    /// The rook that may castle.
    pub const fn rook(self) -> Option<Square> {
        match self {
            RightReading::Standard(rook) | RightReading::Chess960(rook) => Some(rook),
            RightReading::KingNotHome | RightReading::RookMissing => None,
        }
    }
}

/// What `letter` means if the king of its side is on `king`. `K` and `Q` are the outermost rook on
/// that side (X-FEN), other letters are the rook's file (Shredder-FEN).
pub fn read_right(board: &Board, king: Square, letter: CastlingLetter) -> RightReading {
    let color = letter.color();
    let back_rank = color.fold_wb(Rank::First, Rank::Eighth);
    if king.rank() != back_rank || matches!(king.file(), File::A | File::H) {
        return RightReading::KingNotHome;
    }
    let rooks = board.rooks() & board.by_color(color) & Bitboard::from_rank(back_rank);
    let rook = match letter.letter.to_ascii_uppercase() {
        b'K' => rooks.last().filter(|rook| rook.file() > king.file()),
        b'Q' => rooks.first().filter(|rook| rook.file() < king.file()),
        _ => letter.rook_file().map(|file| Square::from_coords(file, back_rank)).filter(|&rook| rooks.contains(rook)),
    };
    match rook {
        None => RightReading::RookMissing,
        Some(rook) if king.file() == File::E && matches!(rook.file(), File::A | File::H) => RightReading::Standard(rook),
        Some(rook) => RightReading::Chess960(rook),
    }
}

/// Reads a counter of decimal digits. Numbers beyond 64 bits become the largest 64-bit number.
pub fn read_counter(field: &[u8]) -> Option<u64> {
    if field.is_empty() || !field.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(field.iter().fold(0u64, |value, &digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

/// Reads a side to move, also in the unambiguous spellings `W`, `white` and `black`.
pub fn read_turn(field: &[u8]) -> Option<Color> {
    match field {
        b"w" | b"W" => Some(Color::White),
        b"b" | b"B" => Some(Color::Black),
        _ if field.eq_ignore_ascii_case(b"white") => Some(Color::White),
        _ if field.eq_ignore_ascii_case(b"black") => Some(Color::Black),
        _ => None,
    }
}

/// Reads an en passant target square, also in uppercase: `Some(None)` for `-`, `None` if the field
/// is neither `-` nor a square of rank 3 or 6.
pub fn read_en_passant(field: &[u8]) -> Option<Option<Square>> {
    match field {
        b"-" => Some(None),
        &[file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ (b'3' | b'6')] => {
            let file = file.to_ascii_lowercase() - b'a';
            Some(Some(Square::from_coords(File::new(u32::from(file)), Rank::new(u32::from(rank - b'1')))))
        }
        _ => None,
    }
}

/// The pieces that give check to the king of `color` on `king`, other than kings.
pub fn checkers(board: &Board, king: Square, color: Color) -> Bitboard {
    board.attacks_to(king, !color, board.occupied()) & !board.kings()
}

/// Whether two checkers are on one line through the king.
pub fn aligned_through(king: Square, one: Square, other: Square) -> bool {
    attacks::aligned(one, king, other)
}

/// The castling mode: Chess960 or standard.
pub const fn mode_of(chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// Whether a field looks like a piece placement: at least four of its ranks are readable.
pub fn is_placement(field: &[u8]) -> bool {
    let is_rank = |rank: &[u8]| {
        !rank.is_empty() && rank.len() <= 16 && rank.iter().all(|byte| byte.is_ascii_digit() || b"pnbrqkPNBRQK~".contains(byte))
    };
    let field = field.strip_prefix(b"\"").unwrap_or(field);
    field.split(|byte| *byte == b'/').filter(|rank| is_rank(rank)).count() >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> FenText {
        FenText::split(text.as_bytes(), Span::new(0, text.len()), false)
    }

    #[test]
    fn a_nul_byte_in_a_placement_does_not_end_it() {
        let fen = split("8/8/8/8\0/8/8/8/8\0 w - - 0 1");
        assert_eq!((fen.count(), fen.placement()), (6, Some(Span::new(0, 16))));
        assert_eq!(fen.irregular, Some(Span::new(16, 18)));
    }

    #[test]
    fn a_label_may_precede_the_placement() {
        let of = |text: &str| {
            let fen = split(text);
            (fen.irregular, fen.count())
        };
        assert_eq!(of("WB 8/8/8/8/8/8/8/8 w - - 0 1"), (Some(Span::new(0, 3)), 6));
        assert_eq!(of("1 mate in  8/8/8/8/8/8/8/8 w - -"), (Some(Span::new(0, 11)), 4));
        assert_eq!(of("FEN \"8/8/8/8/8/8/8/8 w - - 0 1\""), (Some(Span::new(0, 5)), 6));
        assert_eq!(of("a long label with words 8/8/8/8/8/8/8/8 w - -").0, None);
        assert_eq!(of("and/or 8/8/8/8/8/8/8/8 w - -").0, None);
    }

    #[test]
    fn absent_fields_are_found() {
        let fields = |text: &str| {
            let fen = split(text);
            let fields = [fen.turn(), fen.castling(), fen.en_passant(), fen.halfmove_clock(), fen.fullmove_number()];
            let shown = |field: Option<Span>| field.map_or("", |field| &text[field.start..field.end]);
            (fields.map(shown).join("|"), fen.count(), fen.writes_empty_fields)
        };
        for (text, expected, count, empty) in [
            ("b KQkq 0 1", "b|KQkq||0|1", 6, false),
            ("w - 0 6", "w||-|0|6", 6, false),
            ("KQkq - 0 1", "|KQkq|-|0|1", 6, false),
            ("w e3 0 6", "w||e3|0|6", 6, false),
            ("w KQkq d6  2", "w|KQkq|d6||2", 6, true),
            ("w  - 0 1", "w||-|0|1", 6, true),
            ("w   0 1", "w|||0|1", 6, true),
            ("w KQkq  0 1", "w|KQkq||0|1", 6, true),
            ("w_KQkq_-__2", "w|KQkq|-||2", 6, true),
            ("w  - bm e4;", "w||-||", 4, true),
            // Spaces that explain nothing.
            ("w KQkq -  0 1", "w|KQkq|-|0|1", 6, false),
            ("w  KQkq - 0", "w|KQkq|-|0|", 5, false),
            ("w KQkq -  - 1", "w|KQkq|-|-|1", 6, false),
            ("w - - 5", "w|-|-|5|", 5, false),
            ("w KQkq 0", "w|KQkq|0||", 4, false),
            ("w -", "w|-|||", 3, false),
        ] {
            let separator = if text.contains(' ') { ' ' } else { '_' };
            let text = format!("8/8/8/8/8/8/8/8{separator}{text}");
            assert_eq!(fields(&text), (expected.to_owned(), count, empty), "{text}");
        }
    }

    #[test]
    fn semicolons_may_separate_fields() {
        let fen = split("8/8/8/8/8/8/8/8;w;-;-;0;1");
        assert_eq!((fen.count(), fen.tail_kind, fen.irregular), (6, Tail::Nothing, Some(Span::new(15, 16))));
        assert_eq!(split("8/8/8/8/8/8/8/8;w").count(), 1);
    }

    #[test]
    fn fields_have_their_places() {
        let text = "8/8/8/8/8/8/8/8 w KQ e3 12 34 bm e4;";
        let fen = split(text);
        assert_eq!(fen.count(), 6);
        assert_eq!(fen.en_passant().map(|span| span.of(text.as_bytes())), Some(&b"e3"[..]));
        assert_eq!(fen.fullmove_number(), Some(Span::new(27, 29)));
        assert_eq!(fen.tail.of(text.as_bytes()), b"bm e4;");
        assert_eq!(fen.tail_kind, Tail::Operations);
        assert_eq!(fen.irregular, None);
    }

    #[test]
    fn operations_follow_four_fields() {
        for text in ["8/8/8/8/8/8/8/8 w - - bm e4;", "8/8/8/8/8/8/8/8 w - - ; bm e4", "8/8/8/8/8/8/8/8 w - -; bm e4"] {
            let fen = split(text);
            assert_eq!((fen.count(), fen.tail_kind, fen.irregular), (4, Tail::Operations, None), "{text}");
        }
    }

    #[test]
    fn every_cut_is_read() {
        let text = "position fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" ; x";
        for end in 0..=text.len() {
            for start in 0..=end {
                split(&text[start..end]);
            }
        }
    }

    #[test]
    fn both_readers_of_placements_agree() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "8/8/8/8/8/8/8/8",
            "KQRBNPkq/rbnpKQRB/NPkqrbnp/KQRBNPkq/rbnpKQRB/NPkqrbnp/1P1P1P1P/p2p2p1",
        ] {
            let regular = read_regular_placement(placement.as_bytes());
            assert!(regular.is_some());
            assert_eq!((regular, PlacementNotes::default()), read_any_placement(placement.as_bytes()));
        }
        for placement in [
            "",
            "8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/",
            "8/8/8/8/8/8/8/8[]",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/9",
            "8/8/8/44/8/8/8/8",
            "8888/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/x7",
        ] {
            assert_eq!(read_regular_placement(placement.as_bytes()), None, "{placement}");
        }
    }

    #[test]
    fn marks_of_variants_are_not_errors() {
        for placement in
            ["8/8/8/8/8/8/8/8[]", "8/8/8/8/8/8/8/8[Qqp]", "8/8/8/8/8/8/8/8/", "8/8/8/8/8/8/8/8/Qqp", "Q~7/8/8/8/8/8/8/8"]
        {
            let (board, notes) = read_placement(placement.as_bytes());
            assert_eq!((board.is_some(), notes), (true, PlacementNotes::VARIANT_MARKS), "{placement}");
        }
        for placement in ["8/8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8/K", "8/8/8/8/8/8/8/7[]", "8/8/8/8/8/8/8/8[", "~8/8/8/8/8/8/8/8"] {
            assert_eq!(read_placement(placement.as_bytes()).0, None, "{placement}");
        }
        for (text, count, checks) in [
            ("8/8/8/8/8/8/8/8 w - - 3+2 0 1", 6, Some("3+2")),
            ("8/8/8/8/8/8/8/8 w - - 0 1 +0+2", 6, Some("+0+2")),
            ("8/8/8/8/8/8/8/8 w - - 3+2", 4, Some("3+2")),
            ("8/8/8/8/8/8/8/8 w - - +3 1", 6, None),
            ("8/8/8/8/8/8/8/8 w - - 0 1 3+2 x", 6, None),
        ] {
            let fen = split(text);
            let found = fen.checks.map(|place| &text[place.start..place.end]);
            assert_eq!((fen.count(), found, fen.tail_kind == Tail::Nothing), (count, checks, !text.ends_with('x')), "{text}");
        }
    }

    #[test]
    fn squares_are_found_in_the_text() {
        let text = b"4k3/8/8/2p5/8/8/8/R3K2R w - - 0 1";
        let placement = Span::new(0, 23);
        assert_eq!(place_of_square(text, placement, Square::C5).of(text), b"p");
        assert_eq!(place_of_square(text, placement, Square::H1), Span::new(22, 23));
        assert_eq!(place_of_square(text, placement, Square::E8), Span::new(1, 2));
    }

    #[test]
    fn numbers_never_overflow() {
        assert_eq!(read_counter(b"99999999999999999999999"), Some(u64::MAX));
        assert_eq!(read_counter(b"+3"), None);
        assert_eq!(read_counter(b""), None);
    }
}
