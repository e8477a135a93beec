//! Proves of a game that no rule has anything against it, without gathering facts, explaining or allocating.

mod comment;
mod header;
mod words;

use self::words::{lowest, token_length, word};
use crate::{
    chess::Board,
    pgn::opens_tag_pair,
    rules::{Checks, Findings, facts::RecordBytes},
};

/// A game that no rule has anything against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CleanGame {
    /// Where the next game begins, or the text ends.
    pub next: usize,
    /// Its plies.
    pub plies: u32,
    /// Whether it holds UTF-8 beyond ASCII.
    pub multibyte: bool,
}

/// What is kept from game to game.
#[derive(Debug, Default)]
pub struct CleanGames {
    board: Board,
    tags: header::Places,
}

/// Move numbers from here on are left to others.
const NUMBERS: usize = 1000;

/// Every move number as it stands before a move of White, the first byte the lowest, and how many bytes that are.
static NUMBER: [(u64, u32); NUMBERS] = {
    let mut table = [(0, 1); NUMBERS];
    let mut number = 1;
    while number < NUMBERS {
        let mut digits = number as u64;
        let mut word = b'.' as u64;
        let mut length = 1;
        while digits > 0 {
            word = word << 8 | (b'0' as u64 + digits % 10);
            digits /= 10;
            length += 1;
        }
        table[number] = (word, length);
        number += 1;
    }
    table
};

impl CleanGames {
    /// Reads the game that begins at `start`, if no rule has anything against it. `None` proves nothing.
    ///
    /// `checks` are those of the rules about bytes, which are asked where there is anything but printable ASCII.
    pub fn read(&mut self, text: &[u8], start: usize, checks: &Checks) -> Option<CleanGame> {
        let (header, at) = header::read(text, start, &mut self.tags)?;
        self.board.reset();
        let (plies, at, marker) = movetext(text, at, &mut self.board)?;
        if marker != header.result || !header.fits_end(text, &self.board, plies) {
            return None;
        }
        let next = next_game(text, at)?;
        let multibyte = !is_plain(&text[start..next]) && is_fine_beyond_ascii(text, start, next, checks)?;
        Some(CleanGame { next, plies, multibyte })
    }
}

/// Whether there is nothing beside printable ASCII, tabs and line breaks.
fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte.wrapping_sub(b'\t') > b'\r' - b'\t');
    text.chunks(256).all(|part| part.iter().fold(0, |any, &byte| any | odd(byte)) == 0)
}

/// Whether the record holds UTF-8 beyond ASCII; `None` where a rule has something against its bytes.
#[cold]
fn is_fine_beyond_ascii(text: &[u8], start: usize, end: usize, checks: &Checks) -> Option<bool> {
    let bytes = RecordBytes { text, start, end, at_input_start: start == 0 };
    let mut findings = Findings::new();
    checks.bytes(&bytes, &mut findings);
    let (multibyte, not_utf8) = bytes.encoding();
    (findings.is_empty() && !not_utf8).then_some(multibyte)
}

/// Where the game begins that follows the blanks from `at` on, or the text ends.
#[inline]
fn next_game(text: &[u8], at: usize) -> Option<usize> {
    let next = skip_blanks(text, at);
    (next == text.len() || opens_tag_pair(text, next)).then_some(next)
}

#[inline]
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&byte| byte <= b' ') {
        at += 1;
    }
    at
}

/// Goes to the next token: behind one byte, if that is a blank, nearly always.
#[inline(always)]
fn token(text: &[u8], mut at: usize) -> Option<(usize, u64)> {
    loop {
        let token = word(text, at)?;
        if token as u8 > b' ' {
            return Some((at, token));
        }
        at += 1;
    }
}

/// Reads the movetext from `at` on. Returns the number of plies, where it ends, and its marker.
#[inline(always)]
fn movetext(text: &[u8], mut at: usize, board: &mut Board) -> Option<(u32, usize, u64)> {
    let mut number = 1;
    loop {
        let (mut here, mut token_word) = token(text, at)?;
        let (expected, length) = *NUMBER.get(number)?;
        if lowest(token_word, length) != expected {
            let (end, marker) = marker(text, here, token_word)?;
            return Some((2 * number as u32 - 2, end, marker));
        }
        at = here + length as usize;
        at += usize::from(*text.get(at)? <= b' ');
        (here, token_word) = token(text, at)?;
        at = ply::<0>(board, here, token_word)?;
        (here, token_word) = after_ply(text, at, number, true)?;
        if token_word as u8 <= b'9' {
            let (end, marker) = marker(text, here, token_word)?;
            return Some((2 * number as u32 - 1, end, marker));
        }
        at = ply::<1>(board, here, token_word)?;
        (at, token_word) = after_ply(text, at, number, false)?;
        let _ = token_word;
        number += 1;
    }
}

/// Goes to the next move of Black, number of White, or marker.
#[inline(always)]
fn after_ply(text: &[u8], at: usize, number: usize, white: bool) -> Option<(usize, u64)> {
    let (mut at, mut token_word) = token(text, at)?;
    // Nearly always a move follows that of White, and a number that of Black.
    if white && token_word as u8 > b'9' && token_word as u8 != b'{' {
        return Some((at, token_word));
    }
    loop {
        match token_word as u8 {
            b'{' => at = comment::pass(text, at, token_word)?,
            b'$' => at = nag(text, at, token_word)?,
            b'0'..=b'9' if white => {
                let (expected, length) = *NUMBER.get(number)?;
                let shift = 8 * length & 63;
                let expected = expected | u64::from(u16::from_le_bytes(*b"..")) << shift;
                if lowest(token_word, length + 2) != expected {
                    return Some((at, token_word));
                }
                at += length as usize + 2;
                at += usize::from(*text.get(at)? <= b' ');
                let (at, token_word) = token(text, at)?;
                return (token_word as u8 > b'9').then_some((at, token_word));
            }
            _ => return Some((at, token_word)),
        }
        (at, token_word) = token(text, at)?;
    }
}

/// Plays the move at `at`. Returns where it ends.
#[inline(always)]
fn ply<const SIDE: usize>(board: &mut Board, at: usize, token_word: u64) -> Option<usize> {
    let length = token_length(token_word);
    if length == 8 {
        return None;
    }
    board.play::<SIDE>(lowest(token_word, length), length).then_some(at + length as usize)
}

/// Passes over a numeric annotation glyph up to 255.
#[cold]
fn nag(text: &[u8], at: usize, token_word: u64) -> Option<usize> {
    let length = token_length(token_word);
    let digits = text.get(at + 1..at + length as usize)?;
    let value =
        digits.iter().try_fold(0_u32, |value, byte| byte.is_ascii_digit().then(|| 10 * value + u32::from(byte - b'0')))?;
    ((2..=4).contains(&length) && value <= 255).then_some(at + length as usize)
}

/// Reads the termination marker at `at`. Returns where it ends, and the marker as its bytes.
#[inline(always)]
fn marker(text: &[u8], at: usize, token_word: u64) -> Option<(usize, u64)> {
    let length = token_length(token_word);
    let marker = lowest(token_word, length);
    let known = [marker_word(b"1-0"), marker_word(b"0-1"), marker_word(b"1/2-1/2"), marker_word(b"*")];
    let _ = text;
    (length < 8 && known.contains(&marker)).then_some((at + length as usize, marker))
}

/// A marker as its bytes, the first the lowest.
const fn marker_word(marker: &[u8]) -> u64 {
    let mut word = 0;
    let mut index = marker.len();
    while index > 0 {
        index -= 1;
        word = word << 8 | marker[index] as u64;
    }
    word
}
