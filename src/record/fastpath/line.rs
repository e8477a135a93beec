//! A line in regular spelling: four fields or six, one space between them, no operations. Behind the placement nothing is longer than it
//! is in nearly all positions, and few branches depend on what the fields hold.

use shakmaty::{Color, File, Rank, Square};

use super::Position;
use crate::chess::Pieces;

/// So many bytes are looked at behind the placement: more than all fields take, ` b KQkq e3 99 999`.
const WINDOW: usize = 32;

/// The spellings of castling rights, in the place that [`place_of_rights`] gives them.
const RIGHTS: [(u64, u8); 32] = {
    // What no spelling takes is taken by nothing that a word can be.
    let mut table = [(u64::MAX, 0); 32];
    let mut rights = 0;
    while rights < 16 {
        let word = spelling(rights);
        let place = place_of_rights(word, FACTOR);
        assert!(table[place].0 == u64::MAX);
        table[place] = (word, rights);
        rights += 1;
    }
    table
};

/// Gives each spelling a place of its own.
const FACTOR: u64 = {
    let mut factor = 0x9E37_79B9_7F4A_7C15u64;
    loop {
        let (mut taken, mut alone, mut rights) = (0u32, true, 0);
        while rights < 16 {
            let place = 1 << place_of_rights(spelling(rights), factor);
            alone = alone && taken & place == 0;
            taken |= place;
            rights += 1;
        }
        if alone {
            break factor;
        }
        factor = factor.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(2);
    }
};

const fn place_of_rights(word: u64, factor: u64) -> usize {
    (word.wrapping_mul(factor) >> 59) as usize
}

/// Castling rights as they are written and the space behind them, the first byte the lowest.
const fn spelling(rights: u8) -> u64 {
    if rights == 0 {
        return u16::from_le_bytes(*b"- ") as u64;
    }
    let letters = *b"KQkq";
    let (mut word, mut length, mut right) = (0, 0, 0);
    while right < 4 {
        if rights >> right & 1 == 1 {
            word |= (letters[right] as u64) << (8 * length);
            length += 1;
        }
        right += 1;
    }
    word | (b' ' as u64) << (8 * length)
}

/// Reads the fields with which `text` begins, the placement by `read`, and says how long they are. What stands behind them is not looked at.
#[inline(always)]
pub(super) fn read(text: &[u8], read: impl Fn(&[u8]) -> Option<(Pieces, usize)>) -> Option<(Position, usize)> {
    let (men, length) = read(text)?;
    let rest = text.get(length..)?;
    let padded;
    let window: &[u8; WINDOW] = if let Some(window) = rest.first_chunk() {
        window
    } else {
        let mut bytes = [0; WINDOW];
        bytes[..rest.len()].copy_from_slice(rest);
        padded = bytes;
        &padded
    };
    let byte = |at: usize| window[at % WINDOW];
    let white = byte(1) == b'w';
    if byte(0) != b' ' || byte(2) != b' ' || !(white | (byte(1) == b'b')) {
        return None;
    }
    let word = u64::from_le_bytes(*window[3..].first_chunk()?);
    let (rights, rook_files, width) = match rights(word) {
        Some((rights, width)) => (rights, [0; 2], width),
        None => rook_files(word).map(|(files, width)| (0, files, width))?,
    };
    let at = 3 + width + 1;
    let (en_passant, at) = match (byte(at), byte(at + 1)) {
        (b'-', _) => (None, at + 1),
        (file @ b'a'..=b'h', rank @ (b'3' | b'6')) => {
            let (file, rank) = (File::new(u32::from(file - b'a')), Rank::new(u32::from(rank - b'1')));
            (Some(Square::from_coords(file, rank)), at + 2)
        }
        _ => return None,
    };
    let (counters, at) = if byte(at) == b' ' && byte(at + 1).is_ascii_digit() {
        let (clock, width) = number([byte(at + 1), byte(at + 2), byte(at + 3)])?;
        let at = at + 1 + width;
        let (moves, width) = number([byte(at + 1), byte(at + 2), byte(at + 3)])?;
        if byte(at) != b' ' {
            return None;
        }
        (Some((clock, moves)), at + 1 + width)
    } else {
        (None, at)
    };
    let turn = if white { Color::White } else { Color::Black };
    Some((Position { men, turn, rights, rook_files, en_passant, counters }, length + at))
}

/// The castling rights with which `word` begins, its first byte the lowest, and how many bytes they take before a space.
#[inline(always)]
fn rights(word: u64) -> Option<(u8, usize)> {
    let differs = word ^ u64::from_ne_bytes([b' '; 8]);
    let spaces = differs.wrapping_sub(0x0101_0101_0101_0101) & !differs & 0x8080_8080_8080_8080;
    // All up to the first space; without one nothing that is known.
    let letters = word & (spaces ^ spaces.wrapping_sub(1));
    let (known, rights) = RIGHTS[place_of_rights(letters, FACTOR)];
    (known == letters && spaces != 0).then_some((rights, spaces.trailing_zeros() as usize / 8))
}

/// The castling rights with which `word` begins, written as files of rooks (Shredder-FEN): those of White, then those of Black, each once.
/// How many bytes they take before a space.
#[cold]
fn rook_files(word: u64) -> Option<([u8; 2], usize)> {
    let letters = word.to_le_bytes();
    let width = letters.iter().position(|&letter| letter == b' ').filter(|width| (1..=4).contains(width))?;
    let mut files = [0; 2];
    for &letter in &letters[..width] {
        let (color, first) = if letter.is_ascii_uppercase() { (0, b'A') } else { (1, b'a') };
        let file = 1u8.checked_shl(u32::from(letter.wrapping_sub(first)))?;
        if files[color] & file != 0 || (color == 0 && files[1] != 0) {
            return None;
        }
        files[color] |= file;
    }
    Some((files, width))
}

/// A number of at most three digits, without a zero before them, and how many digits it has. Others are left to a closer look.
#[inline(always)]
fn number(bytes: [u8; 3]) -> Option<(u32, usize)> {
    let [first, second, third] = bytes.map(|byte| u32::from(byte).wrapping_sub(u32::from(b'0')));
    let two = second < 10;
    let three = two & (third < 10);
    let tens = |value: u32, digit: u32| value.wrapping_mul(10).wrapping_add(digit);
    let value = if two { tens(first, second) } else { first };
    let value = if three { tens(value, third) } else { value };
    (first < 10 && !(two & (first == 0))).then_some((value, 1 + usize::from(two) + usize::from(three)))
}

/// What follows the terminator of the line, if nothing but blanks stands before it. A carriage return by itself is left to others.
#[inline(always)]
pub(super) fn behind(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    while let [b' ', more @ ..] = rest {
        rest = more;
    }
    match rest {
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] | rest @ [] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_rights_are_read_as_they_are_written() {
        let word = |text: &str| {
            let mut bytes = [b'?'; 8];
            bytes[..text.len().min(8)].copy_from_slice(&text.as_bytes()[..text.len().min(8)]);
            u64::from_le_bytes(bytes)
        };
        for known in 0..16 {
            let letters = "KQkq".chars().enumerate().filter(|(right, _)| known >> right & 1 == 1).map(|(_, letter)| letter);
            let text = if known == 0 { "-".to_owned() } else { letters.collect() };
            assert_eq!(rights(word(&format!("{text} -"))), Some((known, text.len())), "{text}");
            for other in [format!("{text}- -"), format!("{text}K -"), text.clone(), format!("x{text} "), format!("{text}\0 ")] {
                assert_eq!(rights(word(&other)), None, "{other}");
            }
        }
        for text in [" ", "  ", "QK ", "KK ", "kK ", "qkQK ", "KQkqK "] {
            assert_eq!(rights(word(text)), None, "{text}");
        }
    }

    #[test]
    fn files_of_rooks_are_read_as_they_are_written() {
        let read = |text: &[u8; 8]| rook_files(u64::from_le_bytes(*text));
        assert_eq!(read(b"HAha - 0"), Some(([0x81, 0x81], 4)));
        assert_eq!(read(b"BGc - 0 "), Some(([0x42, 0x04], 3)));
        assert_eq!(read(b"h - 0 1 "), Some(([0, 0x80], 1)));
        for other in
            [b"HHha - 0", b"Hhh - 0 ", b"hA - 0 1", b"HIha - 0", b"HBAha - ", b" HA - 0 ", b"-- - 0 1", b"Kha - 0 ", b"HAhaHAha"]
        {
            assert_eq!(read(other), None, "{other:?}");
        }
    }

    #[test]
    fn numbers_have_three_digits_at_most() {
        assert_eq!(number(*b"7 1"), Some((7, 1)));
        assert_eq!(number(*b"0\n9"), Some((0, 1)));
        assert_eq!(number(*b"42 "), Some((42, 2)));
        assert_eq!(number(*b"150"), Some((150, 3)));
        for bytes in [b"012", b"00 ", b"-1 ", b"x12", b"   ", b"/:;"] {
            assert_eq!(number(*bytes), None, "{bytes:?}");
        }
    }
}
