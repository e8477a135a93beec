//! Typing and reading errors: how close a token is to the spelling of a move.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, File, Move, Rank, Role, Square};

/// Maximum length of a token without marks that can be close to a move, in bytes: one more than
/// `Nb1d2`.
const MAX_LENGTH: usize = 6;

/// The letters and digits of a token, without marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skeleton {
    letters: ArrayVec<u8, MAX_LENGTH>,
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
        let lower = token.to_ascii_lowercase();
        let token = [&b"e.p."[..], b"e.p", b"ep."]
            .into_iter()
            .find(|suffix| lower.ends_with(suffix))
            .map_or(token, |suffix| &token[..token.len() - suffix.len()]);
        let castles = token.iter().all(|byte| matches!(byte, b'O' | b'0' | b'o' | b'-' | b'+' | b'#' | b'!' | b'?'));
        let mut skeleton = ArrayVec::new();
        for &byte in token {
            let kept = match byte {
                b'x' | b'X' | b'+' | b'#' | b'!' | b'?' | b'=' | b'-' | b':' | b'.' | b',' | b'(' | b')' | b'/' => continue,
                // The other bytes of a character that is not ASCII.
                0x80..=0xBF => continue,
                b'0' | b'o' if castles => b'O',
                byte => byte,
            };
            skeleton.try_push(kept).ok()?;
        }
        let present = skeleton.iter().filter(|byte| byte.is_ascii()).fold(0, |present, byte| present | 1 << byte);
        (!skeleton.is_empty()).then_some(Skeleton { letters: skeleton, present })
    }

    /// A quick test, which [`Skeleton::slip`] makes first: after one edit, all characters of the spelling but one
    /// are still there.
    #[inline]
    pub fn may_be_near(&self, played: Move) -> bool {
        let Move::Normal { role, to, promotion: None, .. } = played else { return true };
        let has = |byte: u8| (self.present >> byte) as u32 & 1;
        let square = has(file(to)) + has(rank(to));
        if role == Role::Pawn { square > 0 && self.letters.len() <= 5 } else { square + has(role.upper_char() as u8) > 1 }
    }

    /// The squares to which moves that pass this test go, for each kind of piece.
    pub fn near_targets(&self) -> [u64; 7] {
        let mut named = [0; 2];
        for index in 0..8 {
            named[0] |= ((self.present >> (b'a' + index)) as u64 & 1) * (Bitboard::from_file(File::new(index.into())).0);
            named[1] |= ((self.present >> (b'1' + index)) as u64 & 1) * (Bitboard::from_rank(Rank::new(index.into())).0);
        }
        let (both, either) = (named[0] & named[1], named[0] | named[1]);
        let mut targets = [0; 7];
        for role in Role::ALL {
            let has_letter = self.present >> (role.upper_char() as u8) & 1 == 1;
            targets[role as usize] = match role {
                Role::Pawn if self.letters.len() <= 5 => either,
                Role::Pawn => 0,
                _ if has_letter => either,
                _ => both,
            };
        }
        targets
    }

    /// How the token differs from a spelling of `played`. `None` if that is more than one edit.
    pub fn slip(&self, played: Move) -> Option<Slip> {
        let own = self.letters.as_slice();
        if !self.may_be_near(played) {
            return None;
        }
        let mut best: Option<Slip> = None;
        let mut compare = |spelling: &[u8]| {
            if let Some(slip) = slip(own, spelling) {
                best = Some(best.map_or(slip, |best| best.min(slip)));
            }
        };
        match played {
            Move::Castle { king, rook } => {
                let (king_side, file) = if rook.file() > king.file() { (true, b'g') } else { (false, b'c') };
                compare(if king_side { b"OO" } else { b"OOO" });
                // Kingside castling for queenside castling or the other way round, and castling as
                // a king move.
                if matches!(own, b"OO" | b"OOO") || own == [b'K', file, rank(king)] {
                    return Some(best.unwrap_or(Slip::Edited));
                }
            }
            Move::Normal { role: Role::Pawn, from, to, capture, promotion } => {
                let whole = [file(from), rank(from), file(to), rank(to), promotion.map_or(0, |role| role.upper_char() as u8)];
                let end = 4 + usize::from(promotion.is_some());
                if capture.is_none() {
                    compare(&whole[2..end]);
                } else {
                    compare(&[whole[0], whole[2], whole[3], whole[4]][..end - 1]);
                }
                if own.len() >= 4 {
                    compare(&whole[..end]);
                }
            }
            Move::EnPassant { from, to } => compare(&[file(from), file(to), rank(to)]),
            Move::Normal { role, from, to, .. } => {
                let letter = role.upper_char() as u8;
                let whole = [letter, file(from), rank(from), file(to), rank(to)];
                compare(&[letter, whole[3], whole[4]]);
                if own.len() >= 3 {
                    compare(&[letter, whole[1], whole[3], whole[4]]);
                    compare(&[letter, whole[2], whole[3], whole[4]]);
                }
                if own.len() >= 4 {
                    compare(&whole);
                    compare(&whole[1..]);
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
fn slip(written: &[u8], meant: &[u8]) -> Option<Slip> {
    if written.len().abs_diff(meant.len()) > 1 {
        return None;
    }
    // Faster than a library call for so few bytes.
    let equal = |one: &[u8], other: &[u8]| one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other);
    let same = written.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (rest, rest_meant) = (&written[same..], &meant[same..]);
    match (rest, rest_meant) {
        ([], []) => Some(Slip::Marks),
        ([one, rest @ ..], [other, rest_meant @ ..]) if written.len() == meant.len() => {
            if equal(rest, rest_meant) {
                return Some(if looks_like(*one, *other) { Slip::Confused } else { Slip::Edited });
            }
            let swapped = rest.first() == Some(other) && rest_meant.first() == Some(one) && equal(&rest[1..], &rest_meant[1..]);
            swapped.then_some(Slip::Edited)
        }
        (rest, [_, rest_meant @ ..]) if equal(rest, rest_meant) => Some(Slip::Missing),
        ([_, rest @ ..], rest_meant) if equal(rest, rest_meant) => Some(Slip::Edited),
        _ => None,
    }
}

/// Whether two characters are easily confused: in handwriting, by scanners, or as letters of
/// another language.
fn looks_like(one: u8, other: u8) -> bool {
    const PAIRS: &[(u8, u8)] = &[
        (b'c', b'e'),
        (b'f', b't'),
        (b'1', b'l'),
        (b'1', b'7'),
        (b'1', b'I'),
        (b'b', b'6'),
        (b'g', b'9'),
        (b'O', b'0'),
        (b'B', b'8'),
        (b'3', b'8'),
        (b'5', b'6'),
        (b'5', b'S'),
        (b'a', b'd'),
        (b'h', b'b'),
        (b'B', b'L'),
        (b'B', b'A'),
        (b'B', b'F'),
        (b'N', b'S'),
        (b'N', b'C'),
        (b'N', b'P'),
        (b'N', b'H'),
        (b'Q', b'D'),
        (b'R', b'T'),
    ];
    let neighbours =
        one.is_ascii_lowercase() == other.is_ascii_lowercase() && one.abs_diff(other) == 1 && !one.is_ascii_uppercase();
    neighbours || PAIRS.iter().any(|pair| *pair == (one, other) || *pair == (other, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(written: &str, meant: &str) -> Option<Slip> {
        slip(&Skeleton::of(written.as_bytes())?.letters, &Skeleton::of(meant.as_bytes())?.letters)
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
