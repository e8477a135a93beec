//! How near a written token is to the spelling of a move: slips of the pen and of the eye.

use arrayvec::ArrayVec;
use shakmaty::{File, Move, Role, Square};

/// No spelling of a move is longer once the marks are taken off: `Nb1d2`.
const LONGEST: usize = 6;

/// The letters and digits of a token, marks taken off: what slips of the pen are looked for in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Core {
    letters: ArrayVec<u8, LONGEST>,
    /// Which of the ASCII characters there are, a bit for each.
    present: u128,
}

/// How a token differs from a spelling, the likeliest slip first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slip {
    /// In marks alone.
    Marks,
    /// The origin or the promotion is left out.
    LeftOut,
    /// A letter or digit is taken for one that looks like it or lies beside it.
    Confused,
    /// Another letter or digit, one too many, one too few, or two swapped.
    Edited,
}

impl Core {
    /// Takes the marks off a token; `None` where so much is left that it is near no move.
    pub fn of(token: &[u8]) -> Option<Core> {
        let lower = token.to_ascii_lowercase();
        let token = [&b"e.p."[..], b"e.p", b"ep."]
            .into_iter()
            .find(|suffix| lower.ends_with(suffix))
            .map_or(token, |suffix| &token[..token.len() - suffix.len()]);
        let castles = token.iter().all(|byte| matches!(byte, b'O' | b'0' | b'o' | b'-' | b'+' | b'#' | b'!' | b'?'));
        let mut core = ArrayVec::new();
        for &byte in token {
            let kept = match byte {
                b'x' | b'X' | b'+' | b'#' | b'!' | b'?' | b'=' | b'-' | b':' | b'.' | b',' | b'(' | b')' | b'/' => continue,
                // The further bytes of a character that is not ASCII.
                0x80..=0xBF => continue,
                b'0' | b'o' if castles => b'O',
                byte => byte,
            };
            core.try_push(kept).ok()?;
        }
        let present = core.iter().filter(|byte| byte.is_ascii()).fold(0, |present, byte| present | 1 << byte);
        (!core.is_empty()).then_some(Core { letters: core, present })
    }

    /// A cheap look: one edit leaves all characters of a spelling but one.
    fn may_be_near(&self, played: Move) -> bool {
        let Move::Normal { role, to, promotion: None, .. } = played else { return true };
        let has = |byte: u8| (self.present >> byte) as u32 & 1;
        let square = has(file(to)) + has(rank(to));
        if role == Role::Pawn { square > 0 && self.letters.len() <= 5 } else { square + has(role.upper_char() as u8) > 1 }
    }

    /// How the token differs from a spelling of `played`, where that is a slip at most.
    pub fn slip(&self, played: Move) -> Option<Slip> {
        let own = self.letters.as_slice();
        if !self.may_be_near(played) {
            return None;
        }
        let mut best: Option<Slip> = None;
        let mut hold = |spelling: &[u8]| {
            if let Some(slip) = slip(own, spelling) {
                best = Some(best.map_or(slip, |best| best.min(slip)));
            }
        };
        match played {
            Move::Castle { king, rook } => {
                let (king_side, file) = if rook.file() > king.file() { (true, b'g') } else { (false, b'c') };
                hold(if king_side { b"OO" } else { b"OOO" });
                // Short for long and long for short, and castling as the king's move.
                if matches!(own, b"OO" | b"OOO") || own == [b'K', file, rank(king)] {
                    return Some(best.unwrap_or(Slip::Edited));
                }
            }
            Move::Normal { role: Role::Pawn, from, to, capture, promotion } => {
                let whole = [file(from), rank(from), file(to), rank(to), promotion.map_or(0, |role| role.upper_char() as u8)];
                let end = 4 + usize::from(promotion.is_some());
                if capture.is_none() {
                    hold(&whole[2..end]);
                } else {
                    hold(&[whole[0], whole[2], whole[3], whole[4]][..end - 1]);
                }
                if own.len() >= 4 {
                    hold(&whole[..end]);
                }
            }
            Move::EnPassant { from, to } => hold(&[file(from), file(to), rank(to)]),
            Move::Normal { role, from, to, .. } => {
                let letter = role.upper_char() as u8;
                let whole = [letter, file(from), rank(from), file(to), rank(to)];
                hold(&[letter, whole[3], whole[4]]);
                if own.len() >= 3 {
                    hold(&[letter, whole[1], whole[3], whole[4]]);
                    hold(&[letter, whole[2], whole[3], whole[4]]);
                }
                if own.len() >= 4 {
                    hold(&whole);
                    hold(&whole[1..]);
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

/// The one edit that leads from one spelling to another; `None` where it takes more.
fn slip(written: &[u8], meant: &[u8]) -> Option<Slip> {
    if written.len().abs_diff(meant.len()) > 1 {
        return None;
    }
    // No call for so few bytes.
    let alike = |one: &[u8], other: &[u8]| one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other);
    let same = written.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (rest, rest_meant) = (&written[same..], &meant[same..]);
    match (rest, rest_meant) {
        ([], []) => Some(Slip::Marks),
        ([one, rest @ ..], [other, rest_meant @ ..]) if written.len() == meant.len() => {
            if alike(rest, rest_meant) {
                return Some(if looks_like(*one, *other) { Slip::Confused } else { Slip::Edited });
            }
            let swapped = rest.first() == Some(other) && rest_meant.first() == Some(one) && alike(&rest[1..], &rest_meant[1..]);
            swapped.then_some(Slip::Edited)
        }
        (rest, [_, rest_meant @ ..]) if alike(rest, rest_meant) => Some(Slip::LeftOut),
        ([_, rest @ ..], rest_meant) if alike(rest, rest_meant) => Some(Slip::Edited),
        _ => None,
    }
}

/// Whether two characters are taken for one another: in handwriting, by scanners, or as another language's letter.
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
        slip(&Core::of(written.as_bytes())?.letters, &Core::of(meant.as_bytes())?.letters)
    }

    #[test]
    fn one_edit_is_a_slip_and_two_are_none() {
        for (written, meant, expected) in [
            ("Nf3", "Nf3+", Some(Slip::Marks)),
            ("Nxf3", "Nf3", Some(Slip::Marks)),
            ("Nd2", "Nbd2", Some(Slip::LeftOut)),
            ("b8", "b8=Q", Some(Slip::LeftOut)),
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
        assert_eq!(Core::of(b"annotation"), None);
        assert_eq!(Core::of(b"!?"), None);
    }
}
