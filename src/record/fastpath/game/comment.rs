//! Comments and the commands in them: clocks, evaluations, and what is drawn on the board.
//!
//! Other commands, commands after words, positions other than the starting position, words about
//! the result after the last move, and anything that may be a header in an unclosed comment are
//! left to the thorough path.

use memchr::{memchr, memchr2};

use super::{
    clocks::{Clocks, Control, PlainTime, ply_of},
    evaluations::{Evaluation, Evaluations},
    header::Header,
};
use crate::{
    chess::Board,
    pgn::{EngineRemark, TCEC_FIELDS, TcecFields, marks_are_well_formed, next_named_position},
    rules::clk::{forfeit_with_time_left, game_time_mismatch::most_used},
    text::{
        Span, next_bracket, next_bracket_after_names,
        swar::{self, lowest, places_of_others, word},
    },
};

/// What a comment contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// Only commands.
    Commands,
    /// Commands, including an evaluation with a mate in more than one move.
    Mate,
    /// Commands, including an evaluation with a mate in one, by Black or White.
    MateNext { by_black: bool },
    /// Words.
    Words,
    /// Commands without a mate, and words after them.
    CommandsAndWords,
}

/// The clocks and evaluations of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Annotations {
    clocks: Clocks,
    evaluations: Evaluations,
    /// Whether engines wrote some of them.
    by_players: bool,
    /// The sum of the times that engines used by their own account, in milliseconds.
    used: u64,
}

impl Annotations {
    pub(super) fn new(control: Control, black_begins: bool) -> Annotations {
        Annotations {
            clocks: Clocks::new(control, black_begins),
            evaluations: Evaluations::default(),
            by_players: false,
            used: 0,
        }
    }

    /// Whether the first clock after move `number` of `side` is plausible. Only with `EXACT`, rules
    /// report no infos about it either.
    #[inline(always)]
    pub(super) fn accept_next_clock<const EXACT: bool>(&mut self, side: usize, number: usize, time: PlainTime) -> bool {
        if EXACT { self.clocks.accept_exactly(side, number, time) } else { self.clocks.accept_next::<true>(side, number, time) }
    }

    /// Whether there are clocks.
    pub(super) fn has_clocks(&self) -> bool {
        self.clocks.last_of(0).is_some()
    }

    /// Whether what an engine wrote after move `number` of `side` agrees with the earlier
    /// evaluations.
    pub(super) fn fits_remark(&mut self, remark: &EngineRemark, side: usize, number: usize) -> bool {
        self.by_players = true;
        let used = remark.elapsed.map_or(0, |elapsed| elapsed.time.saturating_sub(elapsed.unit));
        self.used = self.used.saturating_add(used);
        match remark.evaluation {
            None => true,
            Some(value) => Evaluation::of(value).is_some_and(|value| self.evaluations.accept(side, ply_of(side, number), value)),
        }
    }

    /// Whether rules report no infos about clocks and losses on time. All comments were words, or
    /// clocks that were accepted with `EXACT`.
    pub(super) fn have_no_infos(&self, text: &[u8], header: &Header, black_to_move: bool) -> bool {
        // Clocks are compared with the times that engines used, and with those in the tags.
        if self.has_clocks() && (self.by_players || header.has_clock_tags()) {
            return false;
        }
        match header.winner() {
            // Whoever lost on time was to move, with little time left.
            Some(winner) if header.is_time_forfeit(text) => {
                let left = self.clocks.last_of(1 - winner);
                (winner == 0) == black_to_move && left.is_none_or(|left| 1000 * left <= forfeit_with_time_left::MAX_LEFT)
            }
            _ => true,
        }
    }

    /// Whether the annotations agree with the end of the game after `plies` plies.
    #[inline(always)]
    pub(super) fn fit_end(&self, text: &[u8], header: &Header, board: &Board, plies: u32) -> bool {
        self.evaluations.fit_end(text, header, board, plies, self.by_players)
            && self.clocks.fit_end(plies, || header.game_time(text))
            && (self.used == 0 || header.game_time(text).is_none_or(|lasted| self.used <= most_used(lasted.max)))
    }
}

/// Skips the comment at `at`, which comes after move `number` of `side`. `opening` are its first
/// eight bytes. Returns its end.
#[inline(always)]
pub(super) fn skip(
    text: &[u8],
    at: usize,
    opening: u64,
    annotations: &mut Annotations,
    side: usize,
    number: usize,
) -> Option<(usize, Comment)> {
    if opening == u64::from_le_bytes(*b"{ [%eval") {
        return evaluated(text, at, annotations, side, number);
    }
    let spaces = usize::from((opening >> 8) as u8 == b' ');
    let first = (opening >> (8 + 8 * spaces)) as u8;
    if first > b' ' && !matches!(first, b'[' | b'}') {
        return words(text, at + 1 + spaces);
    }
    other(text, at, annotations, side, number)
}

/// Reads the comment at `at` if it is only a clock, in the usual spelling, before whitespace.
/// `opening` are its first eight bytes. Returns its end, and the time.
#[inline(always)]
pub(super) fn plain_clock(text: &[u8], at: usize, opening: u64) -> Option<(usize, PlainTime)> {
    if opening == u64::from_le_bytes(*b"{ [%clk ") {
        let [_, time, end] = text.get(at..)?.first_chunk::<24>()?.as_chunks::<8>().0.first_chunk()?;
        let (time, end) = (PlainTime::read(u64::from_le_bytes(*time))?, u64::from_le_bytes(*end));
        return (end as u16 == u16::from_le_bytes(*b" }") && (end >> 16) as u8 <= b' ').then_some((at + 18, time));
    }
    if lowest(opening, 7) == lowest(u64::from_le_bytes(*b"{[%clk \0"), 7) {
        let [time, end] = text.get(at + 7..)?.first_chunk::<16>()?.as_chunks::<8>().0.first_chunk()?;
        let time = PlainTime::read(u64::from_le_bytes(*time))?;
        return (end[0] == b'}' && end[1] <= b' ').then_some((at + 16, time));
    }
    None
}

/// A comment that begins with an evaluation, usually followed by a clock.
#[inline(never)]
fn evaluated(text: &[u8], at: usize, annotations: &mut Annotations, side: usize, number: usize) -> Option<(usize, Comment)> {
    if text.get(at + 8) == Some(&b' ')
        && let Some((end, value)) = pawns(text, at + 9)
        && let Some(next) = word(text, end)
    {
        let ply = ply_of(side, number);
        if lowest(next, 7) == lowest(u64::from_le_bytes(*b" [%clk \0"), 7)
            && let Some(time) = word(text, end + 7).and_then(PlainTime::read)
            && text.get(end + 15..end + 17)? == b" }"
        {
            let fits = annotations.evaluations.accept(side, ply, value) && annotations.clocks.accept_plain(side, number, time);
            return fits.then_some((end + 17, Comment::Commands));
        }
        if lowest(next, 2) == u64::from(u16::from_le_bytes(*b" }")) {
            return annotations.evaluations.accept(side, ply, value).then_some((end + 2, Comment::Commands));
        }
    }
    other(text, at, annotations, side, number)
}

/// A comment of any other form.
#[inline(never)]
pub(super) fn other(
    text: &[u8],
    open: usize,
    annotations: &mut Annotations,
    side: usize,
    number: usize,
) -> Option<(usize, Comment)> {
    let mut at = open + 1;
    let (mut what, mut is_first) = (Comment::Commands, true);
    loop {
        while *text.get(at)? <= b' ' {
            at += 1;
        }
        if text[at] == b'}' {
            return Some((at + 1, what));
        }
        let Some(command) = word(text, at).filter(|command| lowest(*command, 2) == u64::from(u16::from_le_bytes(*b"[%"))) else {
            // Whether there is a mate is not checked if words follow.
            return words(text, at)
                .filter(|_| what == Comment::Commands)
                .map(|(end, words)| (end, if is_first { words } else { Comment::CommandsAndWords }));
        };
        is_first = false;
        // A header cannot be in the middle of a line.
        if text[at - 1] == b'\n' || text[at - 1] == b'\r' {
            return None;
        }
        at = if lowest(command, 6) == lowest(u64::from_le_bytes(*b"[%clk \0\0"), 6) {
            let (fits, end) = match word(text, at + 6).and_then(PlainTime::read) {
                Some(time) => (annotations.clocks.accept_plain(side, number, time), at + 14),
                None => {
                    let (seconds, end) = time(text, at + 6)?;
                    (annotations.clocks.accept(side, number, seconds), end)
                }
            };
            if !fits {
                return None;
            }
            end
        } else if lowest(command, 6) == lowest(u64::from_le_bytes(*b"[%emt \0\0"), 6) {
            time(text, at + 6)?.1
        } else if lowest(command, 7) == lowest(u64::from_le_bytes(*b"[%eval \0"), 7) {
            let (end, value, mate) = evaluation(text, at + 7)?;
            if (mate.is_some() && what != Comment::Commands) || !annotations.evaluations.accept(side, ply_of(side, number), value)
            {
                return None;
            }
            what = mate.unwrap_or(what);
            end
        } else {
            drawing(text, at)?
        };
    }
}

/// Reads coloured squares and arrows, `[%csl Ge5]` and `[%cal Gd3d4,Ra1h8]`. Returns the end.
fn drawing(text: &[u8], at: usize) -> Option<usize> {
    let squares = match text.get(at..at + 6)? {
        b"[%csl " => 1,
        b"[%cal " => 2,
        _ => return None,
    };
    let operands = text.get(at + 6..)?;
    let operands = &operands[..memchr(b']', operands)?];
    marks_are_well_formed(operands, squares).then_some(at + 6 + operands.len() + 1)
}

/// Reads `h:mm:ss]` with any number of hours and decimals. Returns the whole seconds and the end.
fn time(text: &[u8], at: usize) -> Option<(u64, usize)> {
    if let Some(time) = word(text, at) {
        if let Some(time) = PlainTime::read(time) {
            return Some((time.seconds(), at + 8));
        }
        // Tenths of a second, as on chess.com.
        const POINT: u64 = ((b'.' ^ b']') as u64) << 56;
        if let Some(time) = PlainTime::read(time ^ POINT)
            && let Some([b'0'..=b'9', b']']) = text.get(at + 8..at + 10)
        {
            return Some((time.seconds(), at + 10));
        }
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

/// Reads an evaluation as nearly all are written: `0.17]`, `-12.3]`. Returns the end and the value.
#[inline(always)]
fn pawns(text: &[u8], at: usize) -> Option<(usize, Evaluation)> {
    let first = word(text, at)?;
    let negative = first as u8 == b'-';
    let (at, number) = if negative { (at + 1, word(text, at + 1)?) } else { (at, first) };
    let others = places_of_others(number);
    let point = others.trailing_zeros() >> 3;
    let end = (others & others.wrapping_sub(1)).trailing_zeros() >> 3;
    let byte = |place: u32| (number >> ((8 * place) & 63)) as u8;
    if !(1..=3).contains(&point) || byte(point) != b'.' || !(2..=3).contains(&(end - point)) || end > 7 || byte(end) != b']' {
        return None;
    }
    // Without the point, these are tenths or hundredths.
    let digits = lowest(number, point) | number >> (8 * point + 8) << (8 * point);
    let value = swar::number(digits, end - 1) as i32 * if end - point == 3 { 1 } else { 10 };
    Some((at + end as usize + 1, Evaluation::centipawns(if negative { -value } else { value })))
}

/// Reads `-0.17]` or `#-3]`. Returns the end, the value, and the mate if there is one.
#[inline(never)]
fn evaluation(text: &[u8], at: usize) -> Option<(usize, Evaluation, Option<Comment>)> {
    let mut at = at;
    let mate = *text.get(at)? == b'#';
    at += usize::from(mate);
    let sign = text.get(at)?;
    at += usize::from(matches!(sign, b'-' | b'+'));
    let black = *sign == b'-';
    let digits = |from: usize| text[from..].iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let decimal = |digits: &[u8]| digits.iter().fold(0, |value, digit| 10 * value + i32::from(digit - b'0'));
    let whole = digits(at);
    let value = decimal(text.get(at..at + whole)?);
    at += whole;
    if mate {
        let what = if value == 1 { Comment::MateNext { by_black: black } } else { Comment::Mate };
        return ((1..=5).contains(&whole) && value > 0 && text.get(at) == Some(&b']')).then_some((
            at + 1,
            Evaluation::mate(black, value),
            Some(what),
        ));
    }
    if !(1..=5).contains(&whole) || text.get(at) != Some(&b'.') {
        return None;
    }
    let decimals = digits(at + 1);
    // Digits after hundredths of a pawn are ignored.
    let hundredths = match text.get(at + 1..at + 1 + decimals)? {
        [tenths] => 10 * decimal(&[*tenths]),
        [tenths, hundredths, ..] => decimal(&[*tenths, *hundredths]),
        [] => return None,
    };
    let value = 100 * value + hundredths;
    at += 1 + decimals;
    ((1..=5).contains(&decimals) && text.get(at) == Some(&b']')).then_some((
        at + 1,
        Evaluation::centipawns(if black { -value } else { value }),
        None,
    ))
}

/// The end of the comment at `open`, which follows a termination marker: no rule reads what it
/// says.
#[cold]
pub(super) fn end_after_marker(text: &[u8], open: usize) -> Option<usize> {
    match text.get(open)? {
        b';' => Some(open + memchr2(b'\n', b'\r', &text[open..]).unwrap_or(text.len() - open)),
        _ => words(text, open + 1).map(|(end, _)| end),
    }
}

/// Minimum length of text that names a position: the shortest name, a piece and seven slashes.
const MIN_NAMED_POSITION: usize = 11;

/// Number of slashes in a placement.
const SLASHES_OF_POSITION: usize = 7;

/// A comment with words from `at`. There must not be commands after them.
pub(super) fn words(text: &[u8], at: usize) -> Option<(usize, Comment)> {
    words_to(text, at, |at| next_bracket(text, at))
}

/// A comment with words from `at`, and the fields of TCEC in it. Returns its end.
#[inline(always)]
pub(super) fn words_with_fields(text: &[u8], at: usize) -> Option<(usize, TcecFields)> {
    let mut values = [0; 4];
    let (end, _) = words_to(text, at, |from| next_bracket_after_names(text, from, &TCEC_FIELDS, &mut values))?;
    Some((end, TcecFields::of(values, text, at, end - 1)))
}

/// [`words`] with a search for the next bracket.
#[inline(always)]
fn words_to(text: &[u8], at: usize, mut next_bracket: impl FnMut(usize) -> Option<(usize, usize)>) -> Option<(usize, Comment)> {
    let (mut close, mut slashes) = next_bracket(at)?;
    while text[close] != b'}' {
        // A `{` shows that a `}` may be missing. A `[` can begin a command, or a header at the
        // start of a line.
        if text[close] == b'{' || text.get(close + 1) == Some(&b'%') || matches!(text[close - 1], b'\n' | b'\r') {
            return None;
        }
        let (next, more) = next_bracket(close + 1)?;
        (close, slashes) = (next, slashes + more);
    }
    let position =
        slashes >= SLASHES_OF_POSITION && close - at >= MIN_NAMED_POSITION && names_other_position(text, Span::new(at, close));
    (!position).then_some((close + 1, Comment::Words))
}

/// The starting position, about which no rule reports more than an info in any comment, and nothing
/// in a game that begins with it.
const STARTING_POSITION: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Whether a comment names a position other than the starting position.
#[cold]
fn names_other_position(text: &[u8], inside: Span) -> bool {
    let mut rest = inside;
    while let Some(place) = next_named_position(text, rest) {
        if place.of(text) != STARTING_POSITION {
            return true;
        }
        rest.start = place.end;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plain_time_is_read() {
        for seconds in 0..36_000_u64 {
            let text = format!("{}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60);
            assert_eq!(word(text.as_bytes(), 0).and_then(PlainTime::read).map(PlainTime::seconds), Some(seconds), "{text}");
        }
        for text in ["0:60:00]", "0:00:60]", "0:00:00.", "0:00:0:]", ":0:00:00", "0:0a:00]", "0;00:00]", "a:00:00]"] {
            assert_eq!(word(text.as_bytes(), 0).and_then(PlainTime::read), None, "{text}");
        }
    }
}
