//! A line in regular spelling: four fields or six, one space between them, no operations.

use shakmaty::{Color, File, Rank, Square};

use super::Position;
use crate::chess::Men;

/// For each byte the castling right that it claims, in the order in which they are written.
const RIGHTS: [u8; 256] = {
    let mut rights = [0; 256];
    rights[b'K' as usize] = 1;
    rights[b'Q' as usize] = 2;
    rights[b'k' as usize] = 4;
    rights[b'q' as usize] = 8;
    rights
};

/// Reads the line with which `text` begins, and says how long it is with its terminator.
#[inline]
pub(super) fn read(text: &[u8]) -> Option<(Position, usize)> {
    let (men, length) = Men::read(text)?;
    let [b' ', turn, b' ', rest @ ..] = text.get(length..)? else { return None };
    let turn = match turn {
        b'w' => Color::White,
        b'b' => Color::Black,
        _ => return None,
    };
    let (rights, rest) = rights(rest)?;
    let (en_passant, rest) = match rest {
        [b'-', rest @ ..] => (None, rest),
        [file @ b'a'..=b'h', rank @ (b'3' | b'6'), rest @ ..] => {
            let (file, rank) = (File::new(u32::from(file - b'a')), Rank::new(u32::from(rank - b'1')));
            (Some(Square::from_coords(file, rank)), rest)
        }
        _ => return None,
    };
    let (counters, rest) = match rest {
        [b' ', b'0'..=b'9', ..] => {
            let (clock, rest) = number(&rest[1..])?;
            let [b' ', rest @ ..] = rest else { return None };
            let (moves, rest) = number(rest)?;
            (Some((clock, moves)), rest)
        }
        _ => (None, rest),
    };
    let rest = end_of_line(rest)?;
    Some((Position { men, turn, rights, en_passant, counters }, text.len() - rest.len()))
}

/// Reads castling rights and the space behind them.
#[inline]
fn rights(text: &[u8]) -> Option<(u8, &[u8])> {
    if let [b'-', b' ', rest @ ..] = text {
        return Some((0, rest));
    }
    let mut rights = 0;
    let mut rest = text;
    while let [byte, more @ ..] = rest {
        rest = more;
        let right = RIGHTS[usize::from(*byte)];
        if right <= rights {
            return (*byte == b' ' && rights > 0).then_some((rights, rest));
        }
        rights |= right;
    }
    None
}

/// Reads a number of at most five digits, without a zero before them.
#[inline]
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let [first @ b'0'..=b'9', rest @ ..] = text else { return None };
    let mut rest = rest;
    let mut value = u32::from(first - b'0');
    let mut digits = 1;
    while let [digit @ b'0'..=b'9', more @ ..] = rest {
        if value == 0 || digits == 5 {
            return None;
        }
        value = value * 10 + u32::from(digit - b'0');
        digits += 1;
        rest = more;
    }
    Some((value, rest))
}

/// What follows the terminator of the line, if nothing but blanks stands before it. A carriage return by itself is left to others.
#[inline]
fn end_of_line(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    while let [b' ', more @ ..] = rest {
        rest = more;
    }
    match rest {
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] | rest @ [] => Some(rest),
        _ => None,
    }
}
