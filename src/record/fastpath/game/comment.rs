//! Comments and the commands in them, such as clocks and evaluations.
//!
//! Other commands, written positions, words about the result after the last move, and anything that
//! may be a header in an unclosed comment are left to the thorough path.

use memchr::{memchr, memchr_iter};

use super::{
    clocks::Clocks,
    swar::{has_form, lowest, word},
};

/// What a comment contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// Only commands.
    Commands,
    /// Commands, including an evaluation with a mate in more than one move.
    Mate,
    /// Commands, including an evaluation with a mate in one.
    MateNext,
    /// Words.
    Words,
}

/// Skips the comment at `at`, which comes after move `number` of `side`. `opening` are its first
/// eight bytes. Returns its end.
#[inline(always)]
pub(super) fn skip(
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
        return clocks.accept(side, number, seconds).then_some((at + 18, Comment::Commands));
    }
    other(text, at, clocks, side, number)
}

/// The seconds of a time that is written as `h:mm:ss]`.
#[inline(always)]
fn plain_time(time: u64) -> Option<u64> {
    const DIGITS: u64 = u64::from_le_bytes([0x0F, 0, 0x0F, 0x0F, 0, 0x0F, 0x0F, 0]);
    const LIMITS: u64 = u64::from_le_bytes([6, 0, 10, 6, 0, 10, 6, 0]);
    const OTHERS: u64 = u64::from_le_bytes(*b"0:00:00]");
    if !has_form(time, DIGITS, LIMITS, OTHERS) {
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
        // A header cannot be in the middle of a line.
        if text[at - 1] == b'\n' || text[at - 1] == b'\r' {
            return None;
        }
        at = if lowest(command, 6) == lowest(u64::from_le_bytes(*b"[%clk \0\0"), 6) {
            let (seconds, end) = time(text, at + 6)?;
            if !clocks.accept(side, number, seconds) {
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

/// Reads `h:mm:ss]` with any number of hours and decimals. Returns the whole seconds and the end.
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

/// Reads `-0.17]` or `#-3]`. Returns the end and the mate, if there is one.
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

/// A comment with words from `at`. There must not be commands after them.
fn words(text: &[u8], at: usize) -> Option<(usize, Comment)> {
    let close = at + memchr(b'}', &text[at..])?;
    let inside = &text[at..close];
    // A FEN has eight ranks.
    let position = memchr_iter(b'/', inside).nth(6).is_some();
    // `[` can begin a command, or a header at the start of a line.
    let bracket = memchr_iter(b'[', inside)
        .any(|bracket| inside.get(bracket + 1) == Some(&b'%') || matches!(text[at + bracket - 1], b'\n' | b'\r'));
    (!position && !bracket).then_some((close + 1, Comment::Words))
}
