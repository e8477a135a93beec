//! Typing and reading errors: how close a token is to the spelling of a move.

use shakmaty::{Bitboard, File, Move, Role, Square};

/// Maximum length of a token without marks that can be close to a move, in bytes: one more than
/// `Nb1d2`.
const MAX_LENGTH: u32 = 6;

/// Up to eight characters, the first one lowest. The bytes beyond them are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters {
    bytes: u64,
    length: u32,
}

impl Letters {
    const fn of<const LENGTH: usize>(letters: [u8; LENGTH]) -> Letters {
        let (mut bytes, mut index) = (0, 0);
        while index < LENGTH {
            bytes |= (letters[index] as u64) << (8 * index);
            index += 1;
        }
        Letters { bytes, length: LENGTH as u32 }
    }

    /// Without the last one, which is 0.
    const fn without_last(self) -> Letters {
        Letters { length: self.length - 1, ..self }
    }

    /// Without the first `count` of them.
    const fn skip(self, count: u32) -> Letters {
        Letters { bytes: self.bytes >> (8 * count), length: self.length - count }
    }
}

/// The letters and digits of a token, without marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skeleton {
    letters: Letters,
    /// The ASCII characters in it, one bit each.
    present: u128,
}

/// How a token differs from a spelling, most likely error first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slip {
    /// Only in marks.
    Marks,
    /// A character is missing, such as the disambiguation or the promotion.
    Missing,
    /// A character is replaced by one that looks similar or is next to it.
    Confused,
    /// Another character, an extra character, or two characters swapped.
    Edited,
}

impl Skeleton {
    /// Removes the marks of a token. `None` if too much is left to be close to a move.
    pub fn of(token: &[u8]) -> Option<Skeleton> {
        let is_end = |suffix: &&[u8]| {
            token.len().checked_sub(suffix.len()).is_some_and(|start| token[start..].eq_ignore_ascii_case(suffix))
        };
        let suffix = match token {
            [.., b'.' | b'p' | b'P'] => [&b"e.p."[..], b"e.p", b"ep."].into_iter().find(is_end),
            _ => None,
        };
        let token = suffix.map_or(token, |suffix| &token[..token.len() - suffix.len()]);
        let castles = token.iter().all(|byte| matches!(byte, b'O' | b'0' | b'o' | b'-' | b'+' | b'#' | b'!' | b'?'));
        let mut letters = Letters::of([]);
        let mut present = 0;
        for &byte in token {
            let kept = match byte {
                b'x' | b'X' | b'+' | b'#' | b'!' | b'?' | b'=' | b'-' | b':' | b'.' | b',' | b'(' | b')' | b'/' => continue,
                // The other bytes of a character that is not ASCII.
                0x80..=0xBF => continue,
                b'0' | b'o' if castles => b'O',
                byte => byte,
            };
            if letters.length == MAX_LENGTH {
                return None;
            }
            letters.bytes |= u64::from(kept) << (8 * letters.length);
            letters.length += 1;
            present |= if kept.is_ascii() { 1 << kept } else { 0 };
        }
        (letters.length > 0).then_some(Skeleton { letters, present })
    }

    /// A quick test, which [`Skeleton::slip`] makes first: after one edit, all characters of the
    /// spelling but one are still there.
    #[inline]
    pub fn may_be_near(&self, played: Move) -> bool {
        let Move::Normal { role, to, promotion: None, .. } = played else { return true };
        let has = |byte: u8| (self.present >> byte) as u32 & 1;
        let square = has(file(to)) + has(rank(to));
        if role == Role::Pawn { square > 0 && self.letters.length <= 5 } else { square + has(role.upper_char() as u8) > 1 }
    }

    /// Whether castling may be close to the token.
    #[inline]
    pub fn may_castle(&self) -> bool {
        self.present & (1 << b'O' | 1 << b'K') != 0
    }

    /// The squares to which moves that pass this test go, for each kind of piece.
    pub fn near_targets(&self) -> [u64; 7] {
        let files = (self.present >> b'a') as u64 & 0xFF;
        let ranks = Bitboard((self.present >> b'1') as u64 & 0xFF);
        let by_file = files * Bitboard::from_file(File::A).0;
        let by_rank = ranks.into_iter().fold(0, |all, rank| all | 0xFF << (8 * u32::from(rank)));
        let (both, either) = (by_file & by_rank, by_file | by_rank);
        let piece = |role: Role| if self.present >> (role.upper_char() as u8) & 1 == 1 { either } else { both };
        let pawn = if self.letters.length <= 5 { either } else { 0 };
        let [knight, bishop, rook] = [Role::Knight, Role::Bishop, Role::Rook].map(piece);
        [0, pawn, knight, bishop, rook, piece(Role::Queen), piece(Role::King)]
    }

    /// How the token differs from a spelling of `played`. `None` if that is more than one edit.
    pub fn slip(&self, played: Move) -> Option<Slip> {
        if !self.may_be_near(played) {
            return None;
        }
        let own = self.letters;
        let mut best: Option<Slip> = None;
        let mut compare = |spelling: Letters| {
            if let Some(slip) = slip(own, spelling) {
                best = Some(best.map_or(slip, |best| best.min(slip)));
            }
        };
        match played {
            Move::Castle { king, rook } => {
                let (king_side, file) = if rook.file() > king.file() { (true, b'g') } else { (false, b'c') };
                let wings = [Letters::of(*b"OO"), Letters::of(*b"OOO")];
                compare(if king_side { wings[0] } else { wings[1] });
                // Kingside castling for queenside castling or the other way round, and castling as
                // a king move.
                if wings.contains(&own) || own == Letters::of([b'K', file, rank(king)]) {
                    return Some(best.unwrap_or(Slip::Edited));
                }
            }
            Move::Normal { role: Role::Pawn, from, to, capture, promotion } => {
                let promoted = promotion.map_or(0, |role| role.upper_char() as u8);
                let shortened = |letters: Letters| if promotion.is_some() { letters } else { letters.without_last() };
                if capture.is_none() {
                    compare(shortened(Letters::of([file(to), rank(to), promoted])));
                } else {
                    compare(shortened(Letters::of([file(from), file(to), rank(to), promoted])));
                }
                if own.length >= 4 {
                    compare(shortened(Letters::of([file(from), rank(from), file(to), rank(to), promoted])));
                }
            }
            Move::EnPassant { from, to } => compare(Letters::of([file(from), file(to), rank(to)])),
            Move::Normal { role, from, to, .. } => {
                let letter = role.upper_char() as u8;
                let whole = Letters::of([letter, file(from), rank(from), file(to), rank(to)]);
                compare(Letters::of([letter, file(to), rank(to)]));
                if own.length >= 3 {
                    compare(Letters::of([letter, file(from), file(to), rank(to)]));
                    compare(Letters::of([letter, rank(from), file(to), rank(to)]));
                }
                if own.length >= 4 {
                    compare(whole);
                    compare(whole.skip(1));
                }
            }
            Move::Put { .. } => {}
        }
        best
    }
}

fn file(square: impl Into<Square>) -> u8 {
    let file: File = square.into().file();
    file.char() as u8
}

fn rank(square: impl Into<Square>) -> u8 {
    square.into().rank().char() as u8
}

/// The edit that turns one spelling into the other. `None` if one is not enough.
fn slip(written: Letters, meant: Letters) -> Option<Slip> {
    if written.length.abs_diff(meant.length) > 1 {
        return None;
    }
    let same = ((written.bytes ^ meant.bytes).trailing_zeros() / 8).min(written.length).min(meant.length);
    let (rest, rest_meant) = (written.skip(same), meant.skip(same));
    if rest.length != rest_meant.length {
        return match rest.length < rest_meant.length {
            true => (rest == rest_meant.skip(1)).then_some(Slip::Missing),
            false => (rest.skip(1) == rest_meant).then_some(Slip::Edited),
        };
    }
    if rest.length == 0 {
        return Some(Slip::Marks);
    }
    let [one, other] = [rest, rest_meant].map(|letters| letters.bytes as u8);
    if rest.skip(1) == rest_meant.skip(1) {
        return Some(if looks_like(one, other) { Slip::Confused } else { Slip::Edited });
    }
    let [next, next_meant] = [rest, rest_meant].map(|letters| (letters.bytes >> 8) as u8);
    let is_swapped = rest.length > 1 && (next, next_meant) == (other, one) && rest.skip(2) == rest_meant.skip(2);
    is_swapped.then_some(Slip::Edited)
}

/// Pairs of characters that are easily confused: in handwriting, by scanners, or as letters of
/// another language.
const CONFUSED_PAIRS: &[[u8; 2]] = &[
    *b"ce", *b"ft", *b"1l", *b"17", *b"1I", *b"b6", *b"g9", *b"O0", *b"B8", *b"38", *b"56", *b"5S", *b"ad", *b"hb", *b"BL",
    *b"BA", *b"BF", *b"NS", *b"NC", *b"NP", *b"NH", *b"QD", *b"RT",
];

/// For each ASCII character, those that it is confused with, one bit each.
const CONFUSED: &[u128; 128] = &{
    let mut confused = [0; 128];
    let mut pair = 0;
    while pair < CONFUSED_PAIRS.len() {
        let [one, other] = CONFUSED_PAIRS[pair];
        confused[one as usize] |= 1 << other;
        confused[other as usize] |= 1 << one;
        pair += 1;
    }
    confused
};

/// Whether two characters are easily confused: neighbouring files or ranks, and [`CONFUSED_PAIRS`].
fn looks_like(one: u8, other: u8) -> bool {
    let neighbours =
        one.is_ascii_lowercase() == other.is_ascii_lowercase() && one.abs_diff(other) == 1 && !one.is_ascii_uppercase();
    neighbours || one.is_ascii() && other.is_ascii() && CONFUSED[usize::from(one & 127)] >> (other & 127) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(written: &str, meant: &str) -> Option<Slip> {
        slip(Skeleton::of(written.as_bytes())?.letters, Skeleton::of(meant.as_bytes())?.letters)
    }

    #[test]
    fn at_most_one_edit_is_accepted() {
        for (written, meant, expected) in [
            ("Nf3", "Nf3+", Some(Slip::Marks)),
            ("Nxf3", "Nf3", Some(Slip::Marks)),
            ("Nd2", "Nbd2", Some(Slip::Missing)),
            ("b8", "b8=Q", Some(Slip::Missing)),
            ("exd5", "cxd5", Some(Slip::Confused)),
            ("Sf3", "Nf3", Some(Slip::Confused)),
            ("Ng7", "Ng1", Some(Slip::Confused)),
            ("Rf3", "Nf3", Some(Slip::Edited)),
            ("N3f", "Nf3", Some(Slip::Edited)),
            ("Nff3", "Nf3", Some(Slip::Edited)),
            ("Nex5", "Nxe5", Some(Slip::Marks)),
            ("\u{421}f3", "Nf3", Some(Slip::Edited)),
            ("Nf3", "Bd3", None),
            ("Nf3", "Nd4", None),
            ("e4", "Nbd2", None),
        ] {
            assert_eq!(between(written, meant), expected, "{written} for {meant}");
        }
        assert_eq!(Skeleton::of(b"annotation"), None);
        assert_eq!(Skeleton::of(b"!?"), None);
    }
}
