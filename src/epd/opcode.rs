//! Opcodes and their operands.

/// An opcode of the standard, or one in wide use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    /// `acd`: analysis count, depth.
    Acd,
    /// `acn`: analysis count, nodes.
    Acn,
    /// `acs`: analysis count, seconds.
    Acs,
    /// `am`: avoid moves.
    Am,
    /// `bm`: best moves.
    Bm,
    /// `c0` to `c9`: comments.
    Comment(u8),
    /// `cce`: an evaluation; not in the standard.
    Cce,
    /// `ce`: evaluation in hundredths of a pawn.
    Ce,
    /// `dm`: full moves to mate.
    Dm,
    /// `draw_accept`.
    DrawAccept,
    /// `draw_claim`.
    DrawClaim,
    /// `draw_offer`.
    DrawOffer,
    /// `draw_reject`.
    DrawReject,
    /// `eco`: code of the opening.
    Eco,
    /// `fmvn`: fullmove number.
    Fmvn,
    /// `hmvc`: halfmove clock.
    Hmvc,
    /// `id`: name of the position.
    Id,
    /// `nic`: code of the opening.
    Nic,
    /// `noop`: nothing.
    Noop,
    /// `D1`, `D2`, ...: leaf nodes at that depth; not in the standard.
    Perft(u32),
    /// `pm`: predicted move.
    Pm,
    /// `pv`: predicted variation.
    Pv,
    /// `rc`: repetition count.
    Rc,
    /// `resign`.
    Resign,
    /// `sm`: supplied move.
    Sm,
    /// `tcgs`: telecommunication, game selector.
    Tcgs,
    /// `tcri`: telecommunication, receiver.
    Tcri,
    /// `tcsi`: telecommunication, sender.
    Tcsi,
    /// `v0` to `v9`: names of variations.
    Variation(u8),
    /// Any other word.
    Other,
}

/// The operands that an opcode takes (PGN standard 16.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// None.
    None,
    /// An integer between the two numbers, inclusive.
    Integer(i64, i64),
    /// Exactly one move.
    Move,
    /// Any number of moves.
    Moves,
    /// Exactly one string.
    Text,
    /// At most one string.
    TextOrNone,
    /// Two strings.
    TwoTexts,
    /// Anything.
    Any,
}

/// The words of all opcodes that have a fixed one.
const WORDS: &[(&str, Opcode)] = &[
    ("acd", Opcode::Acd),
    ("acn", Opcode::Acn),
    ("acs", Opcode::Acs),
    ("am", Opcode::Am),
    ("bm", Opcode::Bm),
    ("c0", Opcode::Comment(0)),
    ("c1", Opcode::Comment(1)),
    ("c2", Opcode::Comment(2)),
    ("c3", Opcode::Comment(3)),
    ("c4", Opcode::Comment(4)),
    ("c5", Opcode::Comment(5)),
    ("c6", Opcode::Comment(6)),
    ("c7", Opcode::Comment(7)),
    ("c8", Opcode::Comment(8)),
    ("c9", Opcode::Comment(9)),
    ("cce", Opcode::Cce),
    ("ce", Opcode::Ce),
    ("dm", Opcode::Dm),
    ("draw_accept", Opcode::DrawAccept),
    ("draw_claim", Opcode::DrawClaim),
    ("draw_offer", Opcode::DrawOffer),
    ("draw_reject", Opcode::DrawReject),
    ("eco", Opcode::Eco),
    ("fmvn", Opcode::Fmvn),
    ("hmvc", Opcode::Hmvc),
    ("id", Opcode::Id),
    ("nic", Opcode::Nic),
    ("noop", Opcode::Noop),
    ("pm", Opcode::Pm),
    ("pv", Opcode::Pv),
    ("rc", Opcode::Rc),
    ("resign", Opcode::Resign),
    ("sm", Opcode::Sm),
    ("tcgs", Opcode::Tcgs),
    ("tcri", Opcode::Tcri),
    ("tcsi", Opcode::Tcsi),
    ("v0", Opcode::Variation(0)),
    ("v1", Opcode::Variation(1)),
    ("v2", Opcode::Variation(2)),
    ("v3", Opcode::Variation(3)),
    ("v4", Opcode::Variation(4)),
    ("v5", Opcode::Variation(5)),
    ("v6", Opcode::Variation(6)),
    ("v7", Opcode::Variation(7)),
    ("v8", Opcode::Variation(8)),
    ("v9", Opcode::Variation(9)),
];

impl Opcode {
    /// What a word means as an opcode.
    pub fn read(word: &[u8]) -> Opcode {
        match *word {
            [b'a', b'm'] => Opcode::Am,
            [b'b', b'm'] => Opcode::Bm,
            [b'c', b'e'] => Opcode::Ce,
            [b'd', b'm'] => Opcode::Dm,
            [b'i', b'd'] => Opcode::Id,
            [b'p', b'm'] => Opcode::Pm,
            [b'p', b'v'] => Opcode::Pv,
            [b'r', b'c'] => Opcode::Rc,
            [b's', b'm'] => Opcode::Sm,
            [b'c', digit @ b'0'..=b'9'] => Opcode::Comment(digit - b'0'),
            [b'v', digit @ b'0'..=b'9'] => Opcode::Variation(digit - b'0'),
            [b'D', b'1'..=b'9', ..] => match number(&word[1..]).and_then(|depth| u32::try_from(depth).ok()) {
                Some(depth) => Opcode::Perft(depth),
                None => Opcode::Other,
            },
            _ => match word {
                b"acd" => Opcode::Acd,
                b"acn" => Opcode::Acn,
                b"acs" => Opcode::Acs,
                b"cce" => Opcode::Cce,
                b"draw_accept" => Opcode::DrawAccept,
                b"draw_claim" => Opcode::DrawClaim,
                b"draw_offer" => Opcode::DrawOffer,
                b"draw_reject" => Opcode::DrawReject,
                b"eco" => Opcode::Eco,
                b"fmvn" => Opcode::Fmvn,
                b"hmvc" => Opcode::Hmvc,
                b"nic" => Opcode::Nic,
                b"noop" => Opcode::Noop,
                b"resign" => Opcode::Resign,
                b"tcgs" => Opcode::Tcgs,
                b"tcri" => Opcode::Tcri,
                b"tcsi" => Opcode::Tcsi,
                _ => Opcode::Other,
            },
        }
    }

    /// The operands that it takes.
    pub const fn operands(self) -> Operands {
        match self {
            // The standard has neither zero nor negative numbers, but both are in use.
            Opcode::Dm => Operands::Integer(i64::MIN, i64::MAX),
            Opcode::Acd | Opcode::Acn | Opcode::Acs | Opcode::Hmvc => Operands::Integer(0, i64::MAX),
            Opcode::Fmvn | Opcode::Rc | Opcode::Tcgs => Operands::Integer(1, i64::MAX),
            Opcode::Ce => Operands::Integer(-32767, 32766),
            Opcode::Perft(_) => Operands::Integer(0, i64::MAX),
            Opcode::Am | Opcode::Bm | Opcode::Pv => Operands::Moves,
            Opcode::Pm | Opcode::Sm => Operands::Move,
            Opcode::Comment(_) | Opcode::Variation(_) | Opcode::Eco | Opcode::Nic => Operands::TextOrNone,
            Opcode::Id => Operands::Text,
            Opcode::Tcri | Opcode::Tcsi => Operands::TwoTexts,
            Opcode::DrawAccept | Opcode::DrawClaim | Opcode::DrawOffer | Opcode::DrawReject | Opcode::Resign => Operands::None,
            Opcode::Cce | Opcode::Noop | Opcode::Other => Operands::Any,
        }
    }

    /// Whether its operands are moves or numbers. Another opcode among them starts the next
    /// operation.
    pub(super) const fn takes_moves_or_numbers(self) -> bool {
        matches!(self.operands(), Operands::Integer(..) | Operands::Move | Operands::Moves) && !matches!(self, Opcode::Perft(_))
    }
}

/// A decimal number without a sign.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, digit| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

/// Reads an integer operand: digits after an optional sign.
pub fn integer(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let value = i64::try_from(number(digits)?).ok()?;
    Some(if negative { -value } else { value })
}

/// The opcodes that `word` may be a misspelling of: the one that differs only in case, or else
/// those that differ by one edit.
pub fn near_opcodes(word: &[u8]) -> impl Iterator<Item = (&'static str, Opcode)> + '_ {
    let same = WORDS.iter().any(|(known, _)| known.as_bytes().eq_ignore_ascii_case(word));
    WORDS.iter().copied().filter(move |(known, _)| {
        let known = known.as_bytes();
        if same { known.eq_ignore_ascii_case(word) } else { differ_by_one(known, word) }
    })
}

/// Whether one edit turns `one` into `other`, a different word: a letter added, removed or
/// replaced, or two neighbouring letters swapped.
fn differ_by_one(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let common = short.iter().zip(long).take_while(|(one, other)| one == other).count();
    match long.len() - short.len() {
        0 => {
            let (short, long) = (&short[common..], &long[common..]);
            short.len() == 1
                || short.len() > 1 && short[1..] == long[1..]
                || matches!((short, long), ([a, b, s @ ..], [c, d, l @ ..]) if a == d && b == c && s == l)
        }
        1 => short[common..] == long[common + 1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_words_are_read() {
        for (word, opcode) in WORDS {
            assert_eq!(Opcode::read(word.as_bytes()), *opcode, "{word}");
        }
        assert_eq!(Opcode::read(b"D12"), Opcode::Perft(12));
        for word in ["D", "D0", "D1x", "d1", "BM", "b", "", "bmm", "c10", "D99999999999999999999"] {
            assert_eq!(Opcode::read(word.as_bytes()), Opcode::Other, "{word}");
        }
    }

    #[test]
    fn integers() {
        for (word, value) in [("12", Some(12)), ("-15", Some(-15)), ("+3", Some(3)), ("", None), ("-", None), ("3.5", None)] {
            assert_eq!(integer(word.as_bytes()), value, "{word}");
        }
        assert_eq!(integer(b"99999999999999999999"), None);
    }

    #[test]
    fn misspelled_opcodes() {
        let near = |word: &str| near_opcodes(word.as_bytes()).map(|(known, _)| known).collect::<Vec<_>>();
        assert_eq!(near("bn"), ["bm"]);
        assert_eq!(near("mb"), ["bm"]);
        assert_eq!(near("BM"), ["bm"]);
        assert_eq!(near("hvmc"), ["hmvc"]);
        assert_eq!(near("hmc"), ["hmvc"]);
        assert_eq!(near("resigns"), ["resign"]);
        assert!(near("moves").is_empty());
        assert!(near("Be2").is_empty());
    }
}
