//! SAN as written. It is read tolerantly, and everything that differs from the canonical spelling
//! is kept.
//!
//! PGN standard, sections 8.2.3 and 8.2.4. Other tools drop the `x`, the `+`, the castling letters
//! or the form of a promotion. An auditor reports them, so nothing is normalised here.

use shakmaty::{CastlingSide, File, Rank, Role, Square};

/// A move, as far as its text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenMove {
    /// A piece moves to a square: `Nbd7`, `exd5`, `b8=Q`.
    Normal {
        /// The piece that moves.
        role: Role,
        /// The file it comes from, if that is written.
        file: Option<File>,
        /// The rank it comes from, if that is written.
        rank: Option<Rank>,
        /// The target square.
        to: Square,
        /// The promotion piece, if that is written. Any piece letter is accepted.
        promotion: Option<Role>,
    },
    /// A move from square to square, whatever the piece: `g1f3`, `e2-e4`.
    Coordinates {
        /// Where it comes from.
        from: Square,
        /// The target square.
        to: Square,
        /// The promotion piece, if that is written.
        promotion: Option<Role>,
    },
    /// Castling.
    Castle(CastlingSide),
    /// A move that passes the turn: `--`, `Z0`, `0000`, `@@@@`, `<>`.
    Null,
    /// A piece is dropped, as in crazyhouse: `N@f3`.
    Drop {
        /// The piece that is dropped.
        role: Role,
        /// Where it is dropped.
        to: Square,
    },
}

/// The mark that says whether the move gives check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckMark {
    /// No mark.
    None,
    /// `+`, `ch`.
    Check,
    /// `++`, which people write for check, double check and mate.
    Double,
    /// `#`, `mate`.
    Mate,
}

/// How a move differs from the canonical spelling, other than by marks that need a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks(u16);

impl Quirks {
    /// No difference that can be seen without a board.
    pub const NONE: Quirks = Quirks(0);
    /// Castling with zeros, lowercase letters or without hyphens.
    pub const CASTLING_LETTERS: Quirks = Quirks(1);
    /// `e.p.` or `ep` after the move.
    pub const EN_PASSANT_SUFFIX: Quirks = Quirks(1 << 1);
    /// A promotion without `=`, in parentheses, with a slash or a lowercase letter.
    pub const PROMOTION_FORM: Quirks = Quirks(1 << 2);
    /// Long algebraic or coordinate notation, a letter for the pawn, `:` for `x`.
    pub const LONG_FORM: Quirks = Quirks(1 << 3);
    /// A lowercase piece letter.
    pub const LOWERCASE_PIECE: Quirks = Quirks(1 << 4);
    /// A check mark or annotation that is not one of `+ # ! ? !! !? ?! ??`.
    pub const SUFFIX_FORM: Quirks = Quirks(1 << 5);
    /// Assembled from parts that are separated by whitespace.
    pub const SPLIT: Quirks = Quirks(1 << 6);

    /// Whether `quirk` is one of them.
    pub const fn has(self, quirk: Quirks) -> bool {
        self.0 & quirk.0 != 0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, quirk: Quirks) -> Quirks {
        Quirks(self.0 | quirk.0)
    }
}

/// A move as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenSan {
    /// What it says.
    pub what: WrittenMove,
    /// Whether it is written as a capture.
    pub capture: bool,
    /// The check mark.
    pub mark: CheckMark,
    /// How it differs from the canonical spelling.
    pub quirks: Quirks,
}

const fn file_of(byte: u8) -> Option<File> {
    if byte.wrapping_sub(b'a') < 8 { Some(File::new((byte - b'a') as u32)) } else { None }
}

const fn rank_of(byte: u8) -> Option<Rank> {
    if byte.wrapping_sub(b'1') < 8 { Some(Rank::new((byte - b'1') as u32)) } else { None }
}

const fn square_of(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 { Some(Square::new((rank * 8 + file) as u32)) } else { None }
}

const fn piece_of(byte: u8) -> Option<Role> {
    match byte {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

/// The pieces by their letters.
const PIECES: &[Option<Role>; 256] = &{
    let mut pieces = [None; 256];
    let mut letter = 0;
    while letter < 256 {
        pieces[letter] = piece_of(letter as u8);
        letter += 1;
    }
    pieces
};

impl WrittenSan {
    /// Reads a token in canonical spelling, annotation suffix included. `None` for every other
    /// spelling: see [`WrittenSan::lenient`].
    #[inline]
    pub fn canonical(token: &[u8]) -> Option<WrittenSan> {
        let mut end = token.len();
        let mut mark = CheckMark::None;
        if end < 2 {
            return None;
        }
        if matches!(token[end - 1], b'!' | b'?') {
            end -= 1;
            if matches!(token[end - 1], b'!' | b'?') {
                end -= 1;
            }
            if end < 2 {
                return None;
            }
        }
        match token[end - 1] {
            b'+' => {
                mark = CheckMark::Check;
                end -= 1;
            }
            b'#' => {
                mark = CheckMark::Mate;
                end -= 1;
            }
            _ => {}
        }
        let core = &token[..end];
        let (what, capture) =
            if let Some(role) = piece_of(*core.first()?) { piece_move(role, core)? } else { pawn_or_castling(core)? };
        Some(WrittenSan { what, capture, mark, quirks: Quirks::NONE })
    }

    /// [`WrittenSan::canonical`] for moves without promotion, castling, annotation suffix and
    /// double disambiguation. The `length` bytes of the token, from 1 to 7, are in `word`, the
    /// first one lowest. `None` proves nothing.
    #[inline(always)]
    pub fn canonical_word(word: u64, length: u32) -> Option<WrittenSan> {
        // The last byte is the highest one.
        let mut token = word << (64_u32.wrapping_sub(8 * length) & 63);
        let mark = match (token >> 56) as u8 {
            b'+' => CheckMark::Check,
            b'#' => CheckMark::Mate,
            _ => CheckMark::None,
        };
        let marked = u32::from(mark != CheckMark::None);
        token <<= 8 * marked;
        let to = square_of((token >> 48) as u8, (token >> 56) as u8)?;
        let capture = (token >> 40) as u8 == b'x';
        // No branches on the kind of piece, which cannot be predicted.
        let piece = PIECES[usize::from(word as u8)];
        let letters = u32::from(piece.is_some());
        let hints = length.checked_sub(marked + 2 + u32::from(capture) + letters)?;
        let hint = (word >> (8 * letters)) as u8;
        let (file, rank) = if hints == 0 { (None, None) } else { (file_of(hint), rank_of(hint)) };
        let is_hinted = file.is_some() || rank.is_some();
        let is_form = match piece {
            Some(_) => hints == 0 || is_hinted,
            None => hints == u32::from(capture) && capture == file.is_some() && rank.is_none(),
        };
        if hints > 1 || !is_form {
            return None;
        }
        let what = WrittenMove::Normal { role: piece.unwrap_or(Role::Pawn), file, rank, to, promotion: None };
        Some(WrittenSan { what, capture, mark, quirks: Quirks::NONE })
    }

    /// Reads a token in any spelling that is in use. `None` if it is not a move.
    #[cold]
    pub fn lenient(token: &[u8]) -> Option<WrittenSan> {
        lenient(token)
    }

    /// Reads a token, canonical or not.
    pub fn read(token: &[u8]) -> Option<WrittenSan> {
        WrittenSan::canonical(token).or_else(|| WrittenSan::lenient(token))
    }
}

/// `Nf3 Nxf3 Nbd7 N5f3 Nbxd7 Nb1d2 Nb1xd2`. `core` begins with the piece letter.
#[inline]
fn piece_move(role: Role, core: &[u8]) -> Option<(WrittenMove, bool)> {
    let end = core.len();
    if !(3..=6).contains(&end) {
        return None;
    }
    let to = square_of(core[end - 2], core[end - 1])?;
    let mut disambiguation = &core[1..end - 2];
    let capture = disambiguation.last() == Some(&b'x');
    if capture {
        disambiguation = &disambiguation[..disambiguation.len() - 1];
    }
    let (file, rank) = read_disambiguation(disambiguation)?;
    Some((WrittenMove::Normal { role, file, rank, to, promotion: None }, capture))
}

/// The file and rank in a disambiguation.
#[inline]
fn read_disambiguation(disambiguation: &[u8]) -> Option<(Option<File>, Option<Rank>)> {
    match *disambiguation {
        [] => Some((None, None)),
        [byte] => match file_of(byte) {
            Some(file) => Some((Some(file), None)),
            None => Some((None, Some(rank_of(byte)?))),
        },
        [file, rank] => Some((Some(file_of(file)?), Some(rank_of(rank)?))),
        _ => None,
    }
}

/// `e4 exd5 b8=Q bxa8=Q O-O O-O-O`.
#[inline]
fn pawn_or_castling(core: &[u8]) -> Option<(WrittenMove, bool)> {
    let pawn = |file, to, promotion| WrittenMove::Normal { role: Role::Pawn, file, rank: None, to, promotion };
    match *core {
        [file, rank] => Some((pawn(None, square_of(file, rank)?, None), false)),
        [from, b'x', file, rank] => Some((pawn(Some(file_of(from)?), square_of(file, rank)?, None), true)),
        [file, rank, b'=', letter] => Some((pawn(None, square_of(file, rank)?, Some(piece_of(letter)?)), false)),
        [from, b'x', file, rank, b'=', letter] => {
            Some((pawn(Some(file_of(from)?), square_of(file, rank)?, Some(piece_of(letter)?)), true))
        }
        [b'O', b'-', b'O'] => Some((WrittenMove::Castle(CastlingSide::KingSide), false)),
        [b'O', b'-', b'O', b'-', b'O'] => Some((WrittenMove::Castle(CastlingSide::QueenSide), false)),
        _ => None,
    }
}

/// Removes what can follow a move: check marks, annotations, `e.p.`, words. Returns the rest.
fn strip_suffixes<'a>(token: &'a [u8], mark: &mut CheckMark, quirks: &mut Quirks) -> &'a [u8] {
    let mut rest = token;
    let mut glyphs: Vec<u8> = Vec::new();
    let mut marks: Vec<u8> = Vec::new();
    let mut words = false;
    loop {
        let ends_with = |word: &[u8]| {
            let before = rest.len().checked_sub(word.len()).filter(|before| *before > 1);
            before.is_some_and(|before| rest[before..].eq_ignore_ascii_case(word))
        };
        let word = [
            (&b"e.p."[..], 'e'),
            (b"e.p", 'e'),
            (b"ep.", 'e'),
            (b"ep", 'e'),
            (b"mate", 'm'),
            (b"dblch", 'd'),
            (b"disch", 'c'),
            (b"ch.", 'c'),
            (b"ch", 'c'),
            ("†".as_bytes(), 'c'),
            ("‡".as_bytes(), 'd'),
        ]
        .into_iter()
        .find(|(word, _)| ends_with(word));
        if let Some((word, meaning)) = word {
            rest = &rest[..rest.len() - word.len()];
            match meaning {
                'e' => *quirks = quirks.with(Quirks::EN_PASSANT_SUFFIX),
                meaning => {
                    words = true;
                    marks.push(if meaning == 'm' { b'#' } else { b'+' });
                    if meaning == 'd' {
                        marks.push(b'+');
                    }
                }
            }
            continue;
        }
        match rest.last() {
            Some(glyph @ (b'!' | b'?')) => glyphs.push(*glyph),
            Some(check @ (b'+' | b'#')) => marks.push(*check),
            _ => break,
        }
        rest = &rest[..rest.len() - 1];
    }
    *mark = match marks.as_slice() {
        [] => CheckMark::None,
        marks if marks.contains(&b'#') => CheckMark::Mate,
        [_] => CheckMark::Check,
        _ => CheckMark::Double,
    };
    let tail = &token[rest.len()..];
    // `e4+!` is right, `e4!+` is not.
    let in_order = tail.iter().skip_while(|byte| matches!(byte, b'+' | b'#')).all(|byte| matches!(byte, b'!' | b'?'));
    let plain = !words && marks.len() <= 1 && glyphs.len() <= 2 && in_order;
    if !(plain || quirks.has(Quirks::EN_PASSANT_SUFFIX) && !words && marks.len() <= 1 && glyphs.len() <= 2) {
        *quirks = quirks.with(Quirks::SUFFIX_FORM);
    }
    rest
}

fn lenient(token: &[u8]) -> Option<WrittenSan> {
    if matches!(token, b"--" | b"Z0" | b"0000" | b"@@@@" | b"<>") {
        return Some(WrittenSan { what: WrittenMove::Null, capture: false, mark: CheckMark::None, quirks: Quirks::NONE });
    }
    let mut mark = CheckMark::None;
    let mut quirks = Quirks::NONE;
    let core = strip_suffixes(token, &mut mark, &mut quirks);
    let (what, capture, more) = core_move(core)?;
    Some(WrittenSan { what, capture, mark, quirks: quirks.with(more) })
}

fn core_move(core: &[u8]) -> Option<(WrittenMove, bool, Quirks)> {
    if let Some(side) = castling_of(core) {
        let canonical = core.contains(&b'O') && core.contains(&b'-');
        let quirks = if canonical { Quirks::NONE } else { Quirks::CASTLING_LETTERS };
        return Some((WrittenMove::Castle(side), false, quirks));
    }
    if let Some(at) = core.iter().position(|&byte| byte == b'@') {
        let role = match core[..at] {
            [] | [b'P'] => Role::Pawn,
            [letter] => piece_of(letter)?,
            _ => return None,
        };
        let [file, rank] = core[at + 1..] else { return None };
        return Some((WrittenMove::Drop { role, to: square_of(file, rank)? }, false, Quirks::NONE));
    }
    // `Qd5:`, `ed5:`: the colon comes after the square.
    let before_colon = core.strip_suffix(b":").filter(|core| core.len() > 2);
    let (core, promotion, mut quirks) = strip_promotion(before_colon.unwrap_or(core));
    if before_colon.is_some() {
        quirks = quirks.with(Quirks::LONG_FORM);
    }
    let (first, rest) = core.split_first()?;
    let (role, body) = if let Some(role) = piece_of(*first) {
        (Some(role), rest)
    } else if *first == b'P' {
        quirks = quirks.with(Quirks::LONG_FORM);
        (Some(Role::Pawn), rest)
    } else if matches!(first, b'n' | b'r' | b'q' | b'k') {
        quirks = quirks.with(Quirks::LOWERCASE_PIECE);
        (piece_of(first.to_ascii_uppercase()), rest)
    } else {
        (None, core)
    };
    // The rest: origin, one of `x`, `:` and `-`, target.
    let (origin, to) = body.split_at_checked(body.len().checked_sub(2)?)?;
    let to = square_of(to[0], to[1])?;
    let (origin, link) = match origin.split_last() {
        Some((&link @ (b'x' | b'X' | b':' | b'-'), origin)) => (origin, Some(link)),
        _ => (origin, None),
    };
    let capture = before_colon.is_some() || matches!(link, Some(b'x' | b'X' | b':'));
    if matches!(link, Some(b':' | b'-' | b'X')) {
        quirks = quirks.with(Quirks::LONG_FORM);
    }
    let (file, rank) = read_disambiguation(origin)?;
    if link == Some(b'-') && (file.is_none() || rank.is_none()) && role.is_none() {
        return None;
    }
    let what = match (role, file, rank) {
        (None, Some(file), Some(rank)) => {
            quirks = quirks.with(Quirks::LONG_FORM);
            // `e4xd5` can be any piece: who omits piece letters also omits them in captures.
            WrittenMove::Coordinates { from: Square::from_coords(file, rank), to, promotion }
        }
        (None, None, Some(_)) => return None,
        (role, file, rank) => WrittenMove::Normal { role: role.unwrap_or(Role::Pawn), file, rank, to, promotion },
    };
    Some((what, capture, quirks))
}

/// Castling in any letters: `O-O`, `0-0`, `o-o-o`, `OO`, `000`.
fn castling_of(core: &[u8]) -> Option<CastlingSide> {
    let mut letters = 0;
    let first = *core.first()?;
    if !matches!(first, b'O' | b'0' | b'o') {
        return None;
    }
    for (index, &byte) in core.iter().enumerate() {
        match byte {
            b'-' if index > 0 && core[index - 1] != b'-' => {}
            letter if letter == first => letters += 1,
            _ => return None,
        }
    }
    if core.ends_with(b"-") {
        return None;
    }
    match letters {
        2 => Some(CastlingSide::KingSide),
        3 => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// Removes a promotion in any form: `=Q`, `Q`, `(Q)`, `=(Q)`, `/Q`, `=q`.
fn strip_promotion(core: &[u8]) -> (&[u8], Option<Role>, Quirks) {
    let role = |letter: u8| match letter.to_ascii_uppercase() {
        b'P' => Some(Role::Pawn),
        letter => piece_of(letter),
    };
    let cut = |tail: usize, letter: u8, canonical: bool| {
        let quirks = if canonical && letter.is_ascii_uppercase() { Quirks::NONE } else { Quirks::PROMOTION_FORM };
        Some((&core[..core.len() - tail], role(letter)?, quirks))
    };
    let found = match *core {
        [.., b'=', b'(', letter, b')'] => cut(4, letter, false),
        [.., b'(', letter, b')'] => cut(3, letter, false),
        [.., b'=', letter] => cut(2, letter, true),
        [.., b'/', letter] => cut(2, letter, false),
        // A letter after a square. `b` is also a file, so only uppercase letters and letters that
        // are not files count.
        [.., rank, letter]
            if rank_of(rank).is_some() && (letter.is_ascii_uppercase() || matches!(letter, b'q' | b'r' | b'n')) =>
        {
            cut(1, letter, false)
        }
        // After two squares, `b` can only be the bishop.
        [file, rank, .., to_file, to_rank, b'b']
            if core.len() <= 6 && square_of(file, rank).is_some() && square_of(to_file, to_rank).is_some() =>
        {
            cut(1, b'b', false)
        }
        _ => None,
    };
    match found {
        Some((core, role, quirks)) => (core, Some(role), quirks),
        None => (core, None, Quirks::NONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(role: Role, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Role>) -> WrittenMove {
        WrittenMove::Normal { role, file, rank, to, promotion }
    }

    #[test]
    fn canonical_spellings_have_no_quirks() {
        for (token, what, capture, mark) in [
            ("e4", normal(Role::Pawn, None, None, Square::E4, None), false, CheckMark::None),
            ("exd5!?", normal(Role::Pawn, Some(File::E), None, Square::D5, None), true, CheckMark::None),
            ("bxa8=Q#", normal(Role::Pawn, Some(File::B), None, Square::A8, Some(Role::Queen)), true, CheckMark::Mate),
            ("Nb1xd2+", normal(Role::Knight, Some(File::B), Some(Rank::First), Square::D2, None), true, CheckMark::Check),
            ("R1e1", normal(Role::Rook, None, Some(Rank::First), Square::E1, None), false, CheckMark::None),
            ("O-O-O+??", WrittenMove::Castle(CastlingSide::QueenSide), false, CheckMark::Check),
        ] {
            let read = WrittenSan::canonical(token.as_bytes());
            assert_eq!(read, Some(WrittenSan { what, capture, mark, quirks: Quirks::NONE }), "{token}");
            assert_eq!(WrittenSan::lenient(token.as_bytes()), read, "{token}: both readers agree");
        }
    }

    #[test]
    fn words_are_read_like_tokens() {
        let mut read = 0;
        let letters = b"NKaeh18x=O-+#!Q\xC3";
        let count = letters.len();
        for number in 0..count.pow(5) {
            let mut start: Vec<u8> = (0..5).map(|at| letters[number / count.pow(at) % count]).collect();
            // Some are shorter.
            while start.last() == Some(&b'N') {
                start.pop();
            }
            for end in ["", "d5", "xd5+"] {
                let token = [start.as_slice(), end.as_bytes()].concat();
                if !(1..8).contains(&token.len()) {
                    continue;
                }
                // What follows the token must not matter.
                let mut bytes = [b" x+a4#"[number % 6]; 8];
                bytes[..token.len()].copy_from_slice(&token);
                let of_word = WrittenSan::canonical_word(u64::from_le_bytes(bytes), token.len() as u32);
                let of_token = WrittenSan::canonical(&token);
                let is_simple = of_token.is_some_and(|written| match written.what {
                    WrittenMove::Normal { file, rank, promotion, .. } => {
                        (file.is_none() || rank.is_none()) && promotion.is_none()
                    }
                    _ => false,
                });
                let expected = of_token.filter(|_| is_simple && !token.ends_with(b"!"));
                assert_eq!(of_word, expected, "{}", token.escape_ascii());
                read += u32::from(of_word.is_some());
            }
        }
        assert!(read > 500, "{read}");
    }

    #[test]
    fn other_spellings_have_quirks() {
        for (token, what, capture, mark, quirks) in [
            ("0-0", WrittenMove::Castle(CastlingSide::KingSide), false, CheckMark::None, Quirks::CASTLING_LETTERS),
            ("ooo", WrittenMove::Castle(CastlingSide::QueenSide), false, CheckMark::None, Quirks::CASTLING_LETTERS),
            (
                "b8Q",
                normal(Role::Pawn, None, None, Square::B8, Some(Role::Queen)),
                false,
                CheckMark::None,
                Quirks::PROMOTION_FORM,
            ),
            (
                "b8(N)",
                normal(Role::Pawn, None, None, Square::B8, Some(Role::Knight)),
                false,
                CheckMark::None,
                Quirks::PROMOTION_FORM,
            ),
            ("e8=K", normal(Role::Pawn, None, None, Square::E8, Some(Role::King)), false, CheckMark::None, Quirks::NONE),
            (
                "exd6e.p.",
                normal(Role::Pawn, Some(File::E), None, Square::D6, None),
                true,
                CheckMark::None,
                Quirks::EN_PASSANT_SUFFIX,
            ),
            ("Qh5++", normal(Role::Queen, None, None, Square::H5, None), false, CheckMark::Double, Quirks::SUFFIX_FORM),
            ("Bb5ch", normal(Role::Bishop, None, None, Square::B5, None), false, CheckMark::Check, Quirks::SUFFIX_FORM),
            ("e4!!!", normal(Role::Pawn, None, None, Square::E4, None), false, CheckMark::None, Quirks::SUFFIX_FORM),
            ("nf3", normal(Role::Knight, None, None, Square::F3, None), false, CheckMark::None, Quirks::LOWERCASE_PIECE),
            ("N:f3", normal(Role::Knight, None, None, Square::F3, None), true, CheckMark::None, Quirks::LONG_FORM),
            ("Pe4", normal(Role::Pawn, None, None, Square::E4, None), false, CheckMark::None, Quirks::LONG_FORM),
            (
                "e2-e4",
                WrittenMove::Coordinates { from: Square::E2, to: Square::E4, promotion: None },
                false,
                CheckMark::None,
                Quirks::LONG_FORM,
            ),
            (
                "d5xg2",
                WrittenMove::Coordinates { from: Square::D5, to: Square::G2, promotion: None },
                true,
                CheckMark::None,
                Quirks::LONG_FORM,
            ),
            (
                "b7b8q",
                WrittenMove::Coordinates { from: Square::B7, to: Square::B8, promotion: Some(Role::Queen) },
                false,
                CheckMark::None,
                Quirks::LONG_FORM.with(Quirks::PROMOTION_FORM),
            ),
            (
                "b7xa8b",
                WrittenMove::Coordinates { from: Square::B7, to: Square::A8, promotion: Some(Role::Bishop) },
                true,
                CheckMark::None,
                Quirks::LONG_FORM.with(Quirks::PROMOTION_FORM),
            ),
            ("--", WrittenMove::Null, false, CheckMark::None, Quirks::NONE),
            ("N@f3", WrittenMove::Drop { role: Role::Knight, to: Square::F3 }, false, CheckMark::None, Quirks::NONE),
        ] {
            assert_eq!(
                WrittenSan::canonical(token.as_bytes()).filter(|_| quirks != Quirks::NONE),
                None,
                "{token} is not canonical"
            );
            assert_eq!(WrittenSan::lenient(token.as_bytes()), Some(WrittenSan { what, capture, mark, quirks }), "{token}");
        }
    }

    #[test]
    fn words_are_not_moves() {
        for token in [
            "xyzzy", "aa10.", "Ne9", "e", "N", "ch", "mate", "1-0", "O-", "0-0-0-0", "Sf3", "", "+", "e4x", "Nff", "-e4", "e4b",
            "Nf3b",
        ] {
            assert_eq!(WrittenSan::read(token.as_bytes()), None, "{token}");
        }
    }
}
