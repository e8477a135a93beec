//! FEN and EPD positions as they are written: every field keeps its spelling and its place, and what can be read of it is
//! read without repairing anything.
//!
//! Nothing here allocates: files of positions have millions of lines.

use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Color, File, Rank, Square, attacks};

use super::Men;
use crate::text::Span;

/// What stands behind the last field of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    #[default]
    Nothing,
    /// Text that begins like an EPD operation: a letter or a semicolon, or a semicolon stands further on.
    Operations,
    /// Anything else.
    Other,
}

/// The fields of a position, each with its place.
#[derive(Clone, Copy, Debug, Default)]
pub struct FenText {
    fields: [Span; 6],
    count: usize,
    /// What stands behind the fields, without blanks around it.
    pub tail: Span,
    /// What that is.
    pub tail_kind: Tail,
    /// The first text between or before fields that is not exactly one space.
    pub irregular: Option<Span>,
    /// Blanks at the end of the text.
    pub trailing_blanks: Option<Span>,
    /// Counts of checks, as three-check has them: `3+3` before the counters, `+0+0` behind them. They are no field.
    pub checks: Option<Span>,
}

/// Whether a word counts checks: `3+3`, `+0+0`.
const fn counts_checks(word: &[u8]) -> bool {
    matches!(word, [b'0'..=b'9', b'+', b'0'..=b'9'] | [b'+', b'0'..=b'9', b'+', b'0'..=b'9'])
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C | 0)
}

impl FenText {
    /// Splits the bytes `place` of `text` into the fields of a position.
    ///
    /// Where `in_tag` holds, the text is the value of a FEN tag: a fifth field that is no number is a bad counter there,
    /// whereas in a line it begins the operations of EPD.
    pub fn split(text: &[u8], place: Span, in_tag: bool) -> FenText {
        let mut fen = FenText::default();
        let mut end = place.end.min(text.len());
        let mut at = place.start.min(end);
        let line_end = end;
        while end > at && is_blank(text[end - 1]) {
            end -= 1;
        }
        // A carriage return belongs to the line's end, and NUL bytes are for the rules about bytes.
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
        if at > before {
            fen.irregular = Some(Span::new(before, at));
        }
        let content = text.get(at..end).unwrap_or_default();
        let underscores = memchr::memchr(b' ', content).is_none() && memchr::memchr(b'_', content).is_some();
        let separates = |byte: u8| is_blank(byte) || (underscores && byte == b'_');

        if let Some(length) = memchr::memchr3(b' ', b'\t', 0, content).filter(|_| !underscores) {
            // The placement is most of the line.
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
            if fen.count >= 3 && begins_tail(&text[at..end], fen.count, in_tag) {
                break;
            }
            let start = at;
            let semicolon_ends = fen.count >= 3;
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
            // How far the operations stand from the position is nobody's business.
            let more = at < end && fen.count < 6 && !(fen.count >= 3 && begins_tail(&text[at..end], fen.count, in_tag));
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
            fen.tail_kind = if text[at].is_ascii_alphabetic() || memchr::memchr(b';', &text[at..end]).is_some() {
                Tail::Operations
            } else {
                Tail::Other
            };
        }
        fen
    }

    /// How many of the six fields there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    fn field(&self, index: usize) -> Option<Span> {
        (index < self.count).then(|| self.fields[index])
    }

    /// Piece placement.
    pub fn placement(&self) -> Option<Span> {
        self.field(0)
    }

    /// Side to move.
    pub fn turn(&self) -> Option<Span> {
        self.field(1)
    }

    /// Castling availability.
    pub fn castling(&self) -> Option<Span> {
        self.field(2)
    }

    /// En passant target square.
    pub fn en_passant(&self) -> Option<Span> {
        self.field(3)
    }

    /// Halfmove clock.
    pub fn halfmove_clock(&self) -> Option<Span> {
        self.field(4)
    }

    /// Fullmove number.
    pub fn fullmove_number(&self) -> Option<Span> {
        self.field(5)
    }

    /// All fields, without what follows them.
    pub fn position(&self) -> Span {
        match (self.count, self.fields) {
            (0, _) => Span::default(),
            (count, fields) => Span::new(fields[0].start, fields[count - 1].end),
        }
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
        // Operations right behind the castling availability: the en passant field was left out.
        let word = rest.iter().take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()).count();
        let square = matches!(rest, [b'a'..=b'h', b'0'..=b'9', ..]);
        return word > 1 && !square && rest.get(word) == Some(&b' ') && memchr::memchr(b';', rest).is_some();
    }
    match (in_tag, count) {
        // Operations in a FEN tag are known by their semicolon, a bad counter by its lack.
        (true, _) => memchr::memchr(b';', rest).is_some(),
        // `… x 1`: no opcode has a single letter.
        (false, 4) => rest.len() < 2 || !is_blank(rest[1]) || memchr::memchr(b';', rest).is_some(),
        // `… 0 x`: a word alone after the clock is a bad fullmove number.
        (false, _) => !lone,
    }
}

/// Skips what a position is wrapped in when it is copied from a log: `position fen`, `fen`, quotes.
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
        if end > at && text[end - 1] == quote {
            end -= 1;
        }
    }
    (at, end)
}

/// What is out of the ordinary in a piece placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacementNotes(u8);

impl PlacementNotes {
    /// Not eight ranks of eight squares.
    pub const SHAPE: PlacementNotes = PlacementNotes(1);
    /// A character that is no man, digit or rank separator.
    pub const CHARACTER: PlacementNotes = PlacementNotes(2);
    /// Two digits in a row.
    pub const ADJACENT_DIGITS: PlacementNotes = PlacementNotes(4);
    /// Ranks separated by `\` or `,`.
    pub const SEPARATOR: PlacementNotes = PlacementNotes(8);
    /// Marks of chess variants: `~` behind a promoted man, men in hand in brackets or behind a ninth `/`.
    pub const VARIANT_MARKS: PlacementNotes = PlacementNotes(16);

    /// Whether all of `other` has been noted.
    pub const fn contains(self, other: PlacementNotes) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing has been noted.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn add(&mut self, other: PlacementNotes) {
        self.0 |= other.0;
    }
}

/// For each byte the index of the role it stands for, plus 8 for White; [`NO_MAN`] for all others.
const MEN: [u8; 256] = {
    let mut men = [NO_MAN; 256];
    let letters = b"pnbrqk";
    let mut role = 0;
    while role < 6 {
        men[letters[role] as usize] = role as u8;
        men[letters[role].to_ascii_uppercase() as usize] = role as u8 + 8;
        role += 1;
    }
    men
};
const NO_MAN: u8 = 0xFF;

/// Reads a piece placement. The board is given only where every square is known; it may be illegal.
pub fn read_placement(placement: &[u8]) -> (Option<Board>, PlacementNotes) {
    match read_regular_placement(placement) {
        Some(board) => (Some(board), PlacementNotes::default()),
        None => read_any_placement(placement),
    }
}

/// The board of a placement with nothing out of the ordinary in it.
fn read_regular_placement(placement: &[u8]) -> Option<Board> {
    let (men, length) = Men::read(placement)?;
    if length == placement.len() { men.board() } else { None }
}

/// Whether a man of that letter can be held in hand.
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
        let man = MEN[usize::from(byte)];
        if man != NO_MAN {
            if file < 8 && rank >= 0 {
                let bit = 1u64 << (rank * 8 + file);
                roles[usize::from(man & 7)] |= bit;
                colors[usize::from(man >> 3)] |= bit;
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
            b'~' if index > 0 && MEN[usize::from(placement[index - 1])] != NO_MAN => notes.add(PlacementNotes::VARIANT_MARKS),
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
    /// 8 for the first one, then downwards; 0 and below where there are more than eight.
    pub number: i32,
    /// How many squares it describes.
    pub squares: u32,
    /// Where it stands, offsets in the whole text.
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

/// The byte of a readable piece placement that describes `square`.
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
    /// `K`, `Q` or the file of a rook; upper case for White.
    pub letter: u8,
    /// Where it stands in the field, from 0.
    pub offset: u8,
}

impl CastlingLetter {
    /// Whose right it is.
    pub const fn color(self) -> Color {
        if self.letter.is_ascii_uppercase() { Color::White } else { Color::Black }
    }

    /// The file of the rook, where the letter names it.
    pub const fn rook_file(self) -> Option<File> {
        match self.letter.to_ascii_uppercase() {
            letter @ b'A'..=b'H' => Some(File::new((letter - b'A') as u32)),
            _ => None,
        }
    }

    /// Where the rook stands that the letter means in the standard array; of a file letter, the square on that file.
    pub fn standard_rook(self) -> Square {
        let file = match self.letter.to_ascii_uppercase() {
            b'K' => File::H,
            // `Q` alone of the letters that are left names no file.
            _ => self.rook_file().unwrap_or(File::A),
        };
        Square::from_coords(file, self.color().fold_wb(Rank::First, Rank::Eighth))
    }
}

/// What is out of the ordinary in a castling availability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingSpelling {
    /// `-`, or one to four different letters in the usual order.
    #[default]
    Regular,
    /// Another order.
    Unordered,
    /// A letter stands twice.
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
    /// How it is spelt.
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

    /// The letters, each once.
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
    /// King and rook stand on their squares of the standard array; the rook.
    Standard(Square),
    /// They stand as in some array of Chess960 or double Chess960; the rook.
    Chess960(Square),
    /// The king is not where any array has it: on its back rank, between the a- and the h-file.
    KingNotHome,
    /// There is no rook of that colour where the letter says.
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

/// What `letter` means with the king of its colour on `king`: `K` and `Q` are the outermost rook on that side (X-FEN), other
/// letters the rook's file (Shredder-FEN).
pub fn read_right(board: &Board, king: Square, letter: CastlingLetter) -> RightReading {
    let color = letter.color();
    let back = color.fold_wb(Rank::First, Rank::Eighth);
    if king.rank() != back || matches!(king.file(), File::A | File::H) {
        return RightReading::KingNotHome;
    }
    let rooks = board.rooks() & board.by_color(color) & Bitboard::from_rank(back);
    let rook = match letter.letter.to_ascii_uppercase() {
        b'K' => rooks.last().filter(|rook| rook.file() > king.file()),
        b'Q' => rooks.first().filter(|rook| rook.file() < king.file()),
        _ => letter.rook_file().map(|file| Square::from_coords(file, back)).filter(|&rook| rooks.contains(rook)),
    };
    match rook {
        None => RightReading::RookMissing,
        Some(rook) if king.file() == File::E && matches!(rook.file(), File::A | File::H) => RightReading::Standard(rook),
        Some(rook) => RightReading::Chess960(rook),
    }
}

/// Reads a counter: unsigned decimal digits. A number beyond 64 bits is read as the largest of them.
pub fn read_counter(field: &[u8]) -> Option<u64> {
    if field.is_empty() || !field.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(field.iter().fold(0u64, |value, &digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

/// Reads a side to move, also in the spellings that leave no doubt: `W`, `white`, `black`.
pub fn read_turn(field: &[u8]) -> Option<Color> {
    match field {
        b"w" | b"W" => Some(Color::White),
        b"b" | b"B" => Some(Color::Black),
        _ if field.eq_ignore_ascii_case(b"white") => Some(Color::White),
        _ if field.eq_ignore_ascii_case(b"black") => Some(Color::Black),
        _ => None,
    }
}

/// Reads an en passant target square: `Some(None)` for `-`, `None` where the field is neither that nor a square of rank 3 or 6.
pub fn read_en_passant(field: &[u8]) -> Option<Option<Square>> {
    match field {
        b"-" => Some(None),
        &[file @ b'a'..=b'h', rank @ (b'3' | b'6')] => {
            Some(Some(Square::from_coords(File::new(u32::from(file - b'a')), Rank::new(u32::from(rank - b'1')))))
        }
        _ => None,
    }
}

/// The men that give check to the king of `color` on `king`, kings left out.
pub fn checkers(board: &Board, king: Square, color: Color) -> Bitboard {
    board.attacks_to(king, !color, board.occupied()) & !board.kings()
}

/// Whether two checkers stand on one line through the king.
pub fn aligned_through(king: Square, one: Square, other: Square) -> bool {
    attacks::aligned(one, king, other)
}

/// The mode of castling that a set of readings needs.
pub const fn mode_of(chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// Whether a field looks like a piece placement: at least five ranks. Others may be spoiled.
pub fn is_placement(field: &[u8]) -> bool {
    let is_rank = |rank: &[u8]| {
        !rank.is_empty() && rank.len() <= 16 && rank.iter().all(|byte| byte.is_ascii_digit() || b"pnbrqkPNBRQK~".contains(byte))
    };
    let field = field.strip_prefix(b"\"").unwrap_or(field);
    field.split(|byte| *byte == b'/').filter(|rank| is_rank(rank)).count() >= 5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> FenText {
        FenText::split(text.as_bytes(), Span::new(0, text.len()), false)
    }

    #[test]
    fn fields_keep_their_places() {
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
    fn marks_of_variants_are_told_apart_from_faults() {
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
