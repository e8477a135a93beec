//! Comments, and the commands in them: the place where clocks and evaluations are judged.
//!
//! What is not proven here is left to the thorough path: other commands than the common ones, positions written down, words
//! behind the last move that may tell a result, anything that could be a header swallowed by a comment.

use memchr::{memchr, memchr_iter};

use super::{
    clocks::Clocks,
    swar::{has_form, lowest, word},
};

/// What a comment was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// Commands, and nothing else.
    Commands,
    /// Commands, among them an evaluation that announces a mate in more than one move.
    Mate,
    /// Commands, among them an evaluation that announces a mate with the next move.
    MateNext,
    /// Words.
    Words,
}

/// Passes over the comment that opens at `at`; `opening` are its first eight bytes. It stands behind a move of `SIDE`, the one with
/// this number. Returns where it ends.
#[inline(always)]
pub(super) fn pass(
    text: &[u8],
    at: usize,
    opening: u64,
    clocks: &mut Clocks,
    side: usize,
    number: usize,
) -> Option<(usize, Comment)> {
    if opening == u64::from_le_bytes(*b"{ [%clk ")
        && let Some(time) = word(text, at + 8)
        && let Some(seconds) = plain_time(time)
        && text.get(at + 16..at + 18)? == b" }"
    {
        return clocks.fit(side, number, seconds).then_some((at + 18, Comment::Commands));
    }
    other(text, at, clocks, side, number)
}

/// The seconds of a time that is written as `h:mm:ss]`.
#[inline(always)]
fn plain_time(time: u64) -> Option<u64> {
    const DIGITS: u64 = u64::from_le_bytes([0x0F, 0, 0x0F, 0x0F, 0, 0x0F, 0x0F, 0]);
    const BEYOND: u64 = u64::from_le_bytes([6, 0, 10, 6, 0, 10, 6, 0]);
    const OTHERS: u64 = u64::from_le_bytes(*b"0:00:00]");
    if !has_form(time, DIGITS, BEYOND, OTHERS) {
        return None;
    }
    let digit = |place: u32| time >> (8 * place) & 15;
    Some(digit(0) * 3600 + digit(2) * 600 + digit(3) * 60 + digit(5) * 10 + digit(6))
}

/// A comment of any other form.
#[inline(never)]
fn other(text: &[u8], open: usize, clocks: &mut Clocks, side: usize, number: usize) -> Option<(usize, Comment)> {
    let mut at = open + 1;
    let mut what = Comment::Commands;
    loop {
        while *text.get(at)? <= b' ' {
            at += 1;
        }
        if text[at] == b'}' {
            return Some((at + 1, what));
        }
        let Some(command) = word(text, at).filter(|command| lowest(*command, 2) == u64::from(u16::from_le_bytes(*b"[%"))) else {
            return words(text, at);
        };
        // No header stands in the middle of a line.
        if text[at - 1] == b'\n' || text[at - 1] == b'\r' {
            return None;
        }
        at = if lowest(command, 6) == lowest(u64::from_le_bytes(*b"[%clk \0\0"), 6) {
            let (seconds, end) = time(text, at + 6)?;
            if !clocks.fit(side, number, seconds) {
                return None;
            }
            end
        } else if lowest(command, 6) == lowest(u64::from_le_bytes(*b"[%emt \0\0"), 6) {
            time(text, at + 6)?.1
        } else if lowest(command, 7) == lowest(u64::from_le_bytes(*b"[%eval \0"), 7) {
            let (end, mate) = evaluation(text, at + 7)?;
            if mate.is_some() && what != Comment::Commands {
                return None;
            }
            what = mate.unwrap_or(what);
            end
        } else {
            return None;
        };
    }
}

/// Reads `h:mm:ss]`, with any number of hours and decimals. Returns the whole seconds, and where it ends.
fn time(text: &[u8], at: usize) -> Option<(u64, usize)> {
    if let Some(seconds) = word(text, at).and_then(plain_time) {
        return Some((seconds, at + 8));
    }
    let hours = text[at..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let value = text[at..at + hours].iter().fold(0, |value, digit| 10 * value + u64::from(digit - b'0'));
    let rest = at + hours;
    let &[b':', tens @ b'0'..=b'5', ones @ b'0'..=b'9', b':', more_tens @ b'0'..=b'5', more_ones @ b'0'..=b'9'] =
        text.get(rest..rest + 6)?
    else {
        return None;
    };
    let digit = |byte: u8| u64::from(byte - b'0');
    let mut end = rest + 6;
    if text.get(end) == Some(&b'.') {
        let decimals = text[end + 1..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&decimals) {
            return None;
        }
        end += 1 + decimals;
    }
    let minutes = value * 60 + digit(tens) * 10 + digit(ones);
    let seconds = minutes * 60 + digit(more_tens) * 10 + digit(more_ones);
    (hours > 0 && text.get(end) == Some(&b']')).then_some((seconds, end + 1))
}

/// Reads `-0.17]` or `#-3]`. Returns where it ends, and what mate it announces.
fn evaluation(text: &[u8], at: usize) -> Option<(usize, Option<Comment>)> {
    let mut at = at;
    let mate = *text.get(at)? == b'#';
    at += usize::from(mate);
    at += usize::from(matches!(text.get(at)?, b'-' | b'+'));
    let digits = |from: usize| text[from..].iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(at);
    let number = text.get(at..at + whole)?;
    at += whole;
    if mate {
        let value = number.iter().fold(0, |value, digit| 10 * value + u32::from(digit - b'0'));
        let what = if value == 1 { Comment::MateNext } else { Comment::Mate };
        return ((1..=5).contains(&whole) && value > 0 && text.get(at) == Some(&b']')).then_some((at + 1, Some(what)));
    }
    if !(1..=5).contains(&whole) || text.get(at) != Some(&b'.') {
        return None;
    }
    let decimals = digits(at + 1);
    at += 1 + decimals;
    ((1..=5).contains(&decimals) && text.get(at) == Some(&b']')).then_some((at + 1, None))
}

/// A comment with words in it, from `at` on; behind the words there may be no command.
fn words(text: &[u8], at: usize) -> Option<(usize, Comment)> {
    let close = at + memchr(b'}', &text[at..])?;
    let inside = &text[at..close];
    // A FEN has eight ranks.
    let position = memchr_iter(b'/', inside).nth(6).is_some();
    // `[` may begin a command, or a header at the beginning of a line.
    let bracket = memchr_iter(b'[', inside)
        .any(|bracket| inside.get(bracket + 1) == Some(&b'%') || matches!(text[at + bracket - 1], b'\n' | b'\r'));
    (!position && !bracket).then_some((close + 1, Comment::Words))
}
