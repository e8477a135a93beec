//! Commands embedded in comments such as `[%clk 0:01:23]`: clock times, evaluations, arrows
//! (supplement to the PGN standard, 2001).

use memchr::memchr;

use crate::text::Span;

/// The kind of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// The remaining time of the side that has just moved.
    Clk,
    /// The elapsed time of that side since the start of the game.
    Egt,
    /// The elapsed time of that side for the move.
    Emt,
    /// The reading of a mechanical clock.
    Mct,
    /// An evaluation of the position.
    Eval,
    /// Coloured squares.
    Csl,
    /// Coloured arrows.
    Cal,
    /// Another command that known programs write.
    Known,
    /// Any other command.
    Unknown,
}

impl CommandKind {
    /// The kind of the command with this name. Names are case-sensitive.
    pub fn named(name: &[u8]) -> CommandKind {
        match name {
            b"clk" => CommandKind::Clk,
            b"egt" => CommandKind::Egt,
            b"emt" => CommandKind::Emt,
            b"mct" => CommandKind::Mct,
            b"eval" => CommandKind::Eval,
            b"csl" => CommandKind::Csl,
            b"cal" => CommandKind::Cal,
            // Used by ChessBase, chess.com, Palview and engine tournaments.
            b"fen" | b"evp" | b"tqu" | b"mdl" | b"anno" | b"timestamp" | b"depth" | b"wdl" | b"pv" | b"tb" | b"eco" | b"draw"
            | b"c_effect" | b"c_arrow" | b"c_highlight" | b"pgndiagram" | b"evaldepth" => CommandKind::Known,
            _ => CommandKind::Unknown,
        }
    }
}

/// A command embedded in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// From `[` to one past `]`. If `]` is missing, up to the end of the operands.
    pub place: Span,
    /// The letters and digits after `[%`.
    pub name: Span,
    /// The text after the name, without surrounding whitespace.
    pub operands: Span,
    /// Its kind.
    pub kind: CommandKind,
    /// Whether it ends with `]`.
    pub closed: bool,
}

/// The first command in the bytes `within` of `text`, the inside of a comment.
#[inline]
pub fn next_command(text: &[u8], within: Span) -> Option<Command> {
    let inside = &text[..within.end];
    let mut at = within.start;
    // Fast path: a command usually follows the brace, a space or another command directly.
    if inside.get(at) == Some(&b' ') {
        at += 1;
    }
    if !inside.get(at..)?.starts_with(b"[%") {
        loop {
            at += memchr(b'%', inside.get(at..)?)?;
            if at > within.start && inside[at - 1] == b'[' {
                at -= 1;
                break;
            }
            at += 1;
        }
    }
    Some(read_command(inside, at))
}

/// Reads the command that begins at `open`. `text` ends where its comment ends.
#[inline]
fn read_command(text: &[u8], open: usize) -> Command {
    let start = open + 2;
    let mut name_end = start;
    while text.get(name_end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        name_end += 1;
    }
    let mut end = name_end;
    let closed = loop {
        match text.get(end) {
            Some(b']') => break true,
            Some(b'"') => end = closing_quote(text, end),
            // Another command begins before this one is closed.
            Some(b'[') if text.get(end + 1) == Some(&b'%') => break false,
            Some(_) => {}
            None => break false,
        }
        end += 1;
    };
    let operands = trimmed(text, name_end, end);
    let place_end = if closed {
        end + 1
    } else if operands.start == operands.end {
        name_end
    } else {
        operands.end
    };
    let name = Span::new(start, name_end);
    Command { place: Span::new(open, place_end), name, operands, kind: CommandKind::named(name.of(text)), closed }
}

/// The closing quote of the string that begins at `open`, or `open` if the string is not closed
/// before the comment ends.
#[cold]
fn closing_quote(text: &[u8], open: usize) -> usize {
    memchr(b'"', &text[open + 1..]).map_or(open, |close| open + 1 + close)
}

#[inline]
fn trimmed(text: &[u8], from: usize, to: usize) -> Span {
    let (mut from, mut to) = (from, to);
    while from < to && text[from].is_ascii_whitespace() {
        from += 1;
    }
    while from < to && text[to - 1].is_ascii_whitespace() {
        to -= 1;
    }
    Span::new(from, to)
}

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeFault {
    /// Hours, and sixty minutes or more.
    Minutes,
    /// Minutes, and sixty seconds or more.
    Seconds,
    /// A minus sign.
    Negative,
    /// Minutes and seconds, or hours and minutes: it is not clear which.
    TwoFields,
    /// Only seconds.
    OneField,
    /// Minutes or seconds have one digit, or a comma is used instead of the decimal point.
    Careless,
    /// An empty text.
    Empty,
    /// Any other text.
    Words,
}

/// Reads a time, `h:mm:ss` with optional decimals of a second, in milliseconds.
#[inline]
pub fn read_time(operand: &[u8]) -> Result<u64, TimeFault> {
    plain_time(operand).ok_or_else(|| time_fault(operand))
}

#[inline]
fn plain_time(operand: &[u8]) -> Option<u64> {
    let digit = |at: usize| operand.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10).map(u64::from);
    let mut hours = digit(0)?;
    let mut at = 1;
    while let Some(next) = digit(at) {
        hours = hours * 10 + next;
        at += 1;
        if at > 6 {
            return None;
        }
    }
    if operand.get(at) != Some(&b':') || operand.get(at + 3) != Some(&b':') {
        return None;
    }
    let minutes = digit(at + 1)? * 10 + digit(at + 2)?;
    let seconds = digit(at + 4)? * 10 + digit(at + 5)?;
    at += 6;
    let mut thousandths = 0;
    if at < operand.len() {
        let decimals = operand.len() - at - 1;
        if operand[at] != b'.' || decimals == 0 || decimals > 9 {
            return None;
        }
        let mut worth = 100;
        for place in at + 1..operand.len() {
            thousandths += digit(place)? * worth;
            worth /= 10;
        }
    }
    (minutes < 60 && seconds < 60).then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths)
}

#[cold]
fn time_fault(operand: &[u8]) -> TimeFault {
    if operand.is_empty() {
        return TimeFault::Empty;
    }
    if let [b'-', b'0'..=b'9', ..] = operand {
        return TimeFault::Negative;
    }
    let allowed = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b',');
    let (whole, decimals) = match operand.iter().position(|byte| matches!(byte, b'.' | b',')) {
        Some(at) => (&operand[..at], Some(&operand[at + 1..])),
        None => (operand, None),
    };
    let digits = |field: &[u8]| !field.is_empty() && field.len() <= 9 && field.iter().all(u8::is_ascii_digit);
    if !operand.iter().all(allowed) || !decimals.is_none_or(digits) || !whole.split(|byte| *byte == b':').all(digits) {
        return TimeFault::Words;
    }
    let over = |field: &[u8]| field.len() > 2 || matches!(field, [b'6'..=b'9', _]);
    let mut fields = whole.split(|byte| *byte == b':');
    match (fields.next(), fields.next(), fields.next(), fields.next()) {
        (Some(_), None, ..) => TimeFault::OneField,
        (Some(_), Some(second), None, _) if over(second) => TimeFault::Seconds,
        (Some(_), Some(_), None, _) => TimeFault::TwoFields,
        (Some(_), Some(minutes), Some(_), None) if over(minutes) => TimeFault::Minutes,
        (Some(_), Some(_), Some(seconds), None) if over(seconds) => TimeFault::Seconds,
        (Some(_), Some(_), Some(_), None) => TimeFault::Careless,
        _ => TimeFault::Words,
    }
}

/// Whether the operands of `csl` or `cal` are separated by commas, each a colour and `squares`
/// squares.
#[inline]
pub fn marks_are_well_formed(operands: &[u8], squares: usize) -> bool {
    operands.split(|byte| *byte == b',').all(|mark| {
        let Some((colour, mut rest)) = mark.trim_ascii().split_first() else { return false };
        let mut count = 0;
        while let [b'a'..=b'h', b'1'..=b'8', after @ ..] = rest {
            rest = after;
            count += 1;
        }
        matches!(colour, b'R' | b'G' | b'B' | b'Y' | b'C' | b'O') && count == squares && rest.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands of a comment, each as place, name, operands and whether it is closed.
    fn commands(comment: &str) -> Vec<(&str, &str, &str, bool)> {
        let text = comment.as_bytes();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(command) = next_command(text, Span::new(at, text.len())) {
            assert!(command.place.end > at, "{comment}: no progress");
            at = command.place.end;
            let of = |span: Span| &comment[span.start..span.end];
            found.push((of(command.place), of(command.name), of(command.operands), command.closed));
        }
        found
    }

    #[test]
    fn commands_of_a_comment() {
        assert_eq!(commands(" [%clk 0:01:23] "), [("[%clk 0:01:23]", "clk", "0:01:23", true)]);
        assert_eq!(
            commands("a [%eval -0.5] [%clk\n1:30:57]b"),
            [("[%eval -0.5]", "eval", "-0.5", true), ("[%clk\n1:30:57]", "clk", "1:30:57", true)]
        );
        assert_eq!(commands("5% of [them] %x"), []);
        assert_eq!(commands(""), []);
        assert_eq!(commands("%"), []);
        assert_eq!(commands("[%"), [("[%", "", "", false)]);
        assert_eq!(commands("[%]"), [("[%]", "", "", true)]);
        assert_eq!(
            commands("[%clk 0:01:00 [%emt 1]"),
            [("[%clk 0:01:00", "clk", "0:01:00", false), ("[%emt 1]", "emt", "1", true)]
        );
        assert_eq!(commands("[%x \"a]b\",c] d"), [("[%x \"a]b\",c]", "x", "\"a]b\",c", true)]);
        assert_eq!(commands("[%x \"a] d"), [("[%x \"a]", "x", "\"a", true)]);
        assert_eq!(commands("[%cal "), [("[%cal", "cal", "", false)]);
    }

    #[test]
    fn times() {
        for (text, expected) in [
            ("0:01:23", Ok(83_000)),
            ("1:00:00.1", Ok(3_600_100)),
            ("00:00:05.05", Ok(5_050)),
            ("0:00:00.9999", Ok(999)),
            ("100:59:59", Ok(363_599_000)),
            ("0:60:00", Err(TimeFault::Minutes)),
            ("0:00:60", Err(TimeFault::Seconds)),
            ("0:99:99", Err(TimeFault::Minutes)),
            ("1:99", Err(TimeFault::Seconds)),
            ("-0:01:00", Err(TimeFault::Negative)),
            ("1:30", Err(TimeFault::TwoFields)),
            ("12.3", Err(TimeFault::OneField)),
            ("0:1:5", Err(TimeFault::Careless)),
            ("0:01:05,5", Err(TimeFault::Careless)),
            ("", Err(TimeFault::Empty)),
            ("1h30", Err(TimeFault::Words)),
            ("1:2:3:4", Err(TimeFault::Words)),
            ("0:01:05.", Err(TimeFault::Words)),
            ("1::05", Err(TimeFault::Words)),
            ("99999999999:00:00", Err(TimeFault::Words)),
        ] {
            assert_eq!(read_time(text.as_bytes()), expected, "{text}");
        }
    }
}
