//! Comments: those that hold a clock or an evaluation, and plain text.

use memchr::memchr;

use super::words::{has_form, word};

/// Passes over the comment that opens at `at`; `opening` are its first eight bytes.
#[inline(always)]
pub(super) fn pass(text: &[u8], at: usize, opening: u64) -> Option<usize> {
    if opening == u64::from_le_bytes(*b"{ [%clk ")
        && let Some(end) = clock(text, at + 8)
    {
        return Some(end);
    }
    other(text, at)
}

/// `h:mm:ss] }`, the last two with a blank between them or not.
#[inline(always)]
fn clock(text: &[u8], at: usize) -> Option<usize> {
    const DIGITS: u64 = u64::from_le_bytes([0xFF, 0, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0]);
    const OTHERS: u64 = u64::from_le_bytes([0, b':', 0, 0, b':', 0, 0, b']']);
    let time = word(text, at)?;
    (has_form(time, DIGITS, OTHERS) && text.get(at + 8..at + 10)? == b" }").then_some(at + 10)
}

/// A comment in which no line begins with what may be a tag pair.
#[inline(never)]
fn other(text: &[u8], at: usize) -> Option<usize> {
    let close = memchr(b'}', &text[at..])?;
    let inside = &text[at + 1..at + close];
    let mut brackets = memchr::memchr_iter(b'[', inside);
    let fine = brackets.all(|bracket| inside[bracket + 1..].starts_with(b"%"));
    fine.then_some(at + close + 1)
}
