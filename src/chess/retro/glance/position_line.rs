//! Position lines in regular spelling: four or six fields, one space between them, no operations.
//!
//! After the placement, no field is longer than in nearly all positions, and few branches depend on
//! the text.

use shakmaty::{Color, File, Rank, Square};

use super::Position;
use crate::chess::Pieces;

/// Number of bytes that are read after the placement. All fields fit: ` b KQkq e3 99 999`.
const WINDOW: usize = 32;

/// The spellings of castling rights, each at its [`index_of_rights`].
const RIGHTS: [(u64, u8); 32] = {
    // Unused entries have a value that cannot occur.
    let mut table = [(u64::MAX, 0); 32];
    let mut rights = 0;
    while rights < 16 {
        let word = spelling(rights);
        let index = index_of_rights(word, FACTOR);
        assert!(table[index].0 == u64::MAX);
        table[index] = (word, rights);
        rights += 1;
    }
    table
};

/// A factor that gives each spelling an index of its own.
const FACTOR: u64 = {
    let mut factor = 0x9E37_79B9_7F4A_7C15u64;
    loop {
        let (mut taken, mut distinct, mut rights) = (0u32, true, 0);
        while rights < 16 {
            let index = 1 << index_of_rights(spelling(rights), factor);
            distinct = distinct && taken & index == 0;
            taken |= index;
            rights += 1;
        }
        if distinct {
            break factor;
        }
        factor = factor.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(2);
    }
};

const fn index_of_rights(word: u64, factor: u64) -> usize {
    (word.wrapping_mul(factor) >> 59) as usize
}

/// Castling rights as written with the space after them, first byte lowest.
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

/// Reads the fields at the start of `text`, the placement with `read`, and returns their length in
/// bytes. What comes after them is not checked.
#[inline(always)]
pub(crate) fn read(text: &[u8], read: impl Fn(&[u8]) -> Option<(Pieces, usize)>) -> Option<(Position, usize)> {
    let (pieces, length) = read(text)?;
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
    Some((Position { pieces, turn, rights, rook_files, en_passant, counters }, length + at))
}

/// The castling rights at the start of `word`, first byte lowest, and their length in bytes before
/// a space.
#[inline(always)]
fn rights(word: u64) -> Option<(u8, usize)> {
    let differs = word ^ u64::from_ne_bytes([b' '; 8]);
    let spaces = differs.wrapping_sub(0x0101_0101_0101_0101) & !differs & 0x8080_8080_8080_8080;
    // Everything up to the first space. Without a space, the result is not a known spelling.
    let letters = word & (spaces ^ spaces.wrapping_sub(1));
    let (known, rights) = RIGHTS[index_of_rights(letters, FACTOR)];
    (known == letters && spaces != 0).then_some((rights, spaces.trailing_zeros() as usize / 8))
}

/// The castling rights at the start of `word`, written as rook files (Shredder-FEN): White's first,
/// each once. Also their length in bytes before a space.
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

/// A number of one to three digits without a leading zero, and its length. Other numbers are not
/// accepted here.
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

/// The text after the line break, if there are only spaces before it. A lone carriage return is not
/// accepted.
#[inline(always)]
pub(crate) fn after_line(text: &[u8]) -> Option<&[u8]> {
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
    fn castling_rights_are_read() {
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
    fn rook_files_are_read() {
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
    fn numbers_have_at_most_three_digits() {
        assert_eq!(number(*b"7 1"), Some((7, 1)));
        assert_eq!(number(*b"0\n9"), Some((0, 1)));
        assert_eq!(number(*b"42 "), Some((42, 2)));
        assert_eq!(number(*b"150"), Some((150, 3)));
        for bytes in [b"012", b"00 ", b"-1 ", b"x12", b"   ", b"/:;"] {
            assert_eq!(number(*bytes), None, "{bytes:?}");
        }
    }
}
