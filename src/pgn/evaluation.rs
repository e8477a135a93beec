//! Evaluations in comments: the command `%eval`, and what engines write about their moves.
//!
//! Programs differ in their point of view. `%eval` and TCEC's `wv` are White's. cutechess,
//! fastchess and fishtest write the view of the side that has just moved.

use memchr::{memchr, memchr_iter};
use shakmaty::Color;

use super::command::read_time;
use crate::text::{
    Names, Span, next_bracket_after_names,
    swar::{has_form, lowest, number, places_of_others, word},
};

/// An evaluation, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Hundredths of a pawn.
    Centipawns(i64),
    /// Mate in this number of moves; negative if Black mates.
    Mate(i64),
}

impl Evaluation {
    /// The side that it favours; `None` for an equal position and for `#0`.
    pub fn favours(self) -> Option<Color> {
        let (Evaluation::Centipawns(value) | Evaluation::Mate(value)) = self;
        (value != 0).then(|| Color::from_white(value > 0))
    }

    /// Hundredths of a pawn, at most `limit` for either side. A mate counts as `limit`.
    pub fn within(self, limit: i64) -> i64 {
        match self {
            Evaluation::Centipawns(value) => value.clamp(-limit, limit),
            Evaluation::Mate(moves) => moves.signum() * limit,
        }
    }

    /// The same evaluation from the point of view of the other side.
    pub fn reversed(self) -> Evaluation {
        match self {
            Evaluation::Centipawns(value) => Evaluation::Centipawns(-value),
            Evaluation::Mate(moves) => Evaluation::Mate(-moves),
        }
    }
}

/// Why a text is not an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalFault {
    /// A number without decimals: probably centipawns instead of pawns.
    Whole(i64),
    /// An empty text.
    Empty,
    /// Any other text.
    Words,
}

/// Reads an evaluation, `±n.nn` in pawns or `#±n`, optionally followed by a comma and the search
/// depth.
#[inline]
pub fn read_evaluation(operand: &[u8]) -> Result<Evaluation, EvalFault> {
    if operand.is_empty() {
        return Err(EvalFault::Empty);
    }
    let (mate, rest) = match operand {
        [b'#', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (negative, rest) = match rest {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let mut value = 0i64;
    let mut at = 0;
    let mut decimals = None;
    loop {
        match rest.get(at) {
            Some(digit @ b'0'..=b'9') if at < 12 => {
                // Digits after hundredths of a pawn are ignored.
                if decimals.is_none_or(|count| count < 2) {
                    value = value * 10 + i64::from(digit - b'0');
                }
                decimals = decimals.map(|count| count + 1);
            }
            Some(b'.') if !mate && decimals.is_none() && at > 0 => decimals = Some(0),
            Some(b',') if at > 0 && is_depth(&rest[at + 1..]) => break,
            None if at > 0 => break,
            _ => return Err(EvalFault::Words),
        }
        at += 1;
    }
    let sign = if negative { -1 } else { 1 };
    match decimals {
        _ if mate => Ok(Evaluation::Mate(sign * value)),
        None => Err(EvalFault::Whole(sign * value)),
        Some(0) => Err(EvalFault::Words),
        Some(1) => Ok(Evaluation::Centipawns(sign * value * 10)),
        Some(_) => Ok(Evaluation::Centipawns(sign * value)),
    }
}

fn is_depth(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    !text.is_empty() && text.len() <= 4 && text.iter().all(u8::is_ascii_digit)
}

/// What an engine wrote about its move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineRemark {
    /// The evaluation, from White's point of view.
    pub evaluation: Option<Evaluation>,
    /// The time used for the move.
    pub elapsed: Option<Elapsed>,
    /// The remaining time in milliseconds.
    pub clock: Option<u64>,
}

/// The time used for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed {
    /// In milliseconds.
    pub time: u64,
    /// The value of the last digit in milliseconds: rounding can have changed the time by that
    /// much.
    pub unit: u64,
}

/// Reads the remark of an engine about a move of `mover`: `+0.15/12 0.5s` (cutechess, fastchess,
/// fishtest) or `d=17, mt=3076, wv=0.62` (TCEC). `None` for other comments. The comment is `inside`
/// its braces.
pub fn read_engine_remark(text: &[u8], inside: Span, mover: Color) -> Option<EngineRemark> {
    let comment = inside.of(text).trim_ascii_start();
    let start = inside.end - comment.len();
    let comment = comment.trim_ascii_end();
    match comment.first()? {
        b'+' | b'-' => read_match_remark(comment, mover),
        // Only an equal evaluation has no sign.
        b'0' if comment.starts_with(b"0.00/") => read_match_remark(comment, mover),
        b'd' | b'e' | b'm' | b'w' => read_tcec_remark(text, Span::new(start, inside.end)),
        _ => None,
    }
}

/// Reads `+0.15` or `-M4`.
fn match_evaluation(value: &[u8]) -> Option<Evaluation> {
    let (sign, rest) = value.split_first().filter(|(sign, _)| matches!(sign, b'+' | b'-'))?;
    match rest {
        [b'M', digits @ ..] => {
            let moves = decimal(digits, 0)?;
            Some(Evaluation::Mate(if *sign == b'-' { -moves } else { moves }))
        }
        _ => read_evaluation(value).ok(),
    }
}

/// Reads `+0.15/12 0.5s` or `-M4/20 0.003s, Black mates`. The comment begins with a sign or with
/// `0.00/`.
fn read_match_remark(comment: &[u8], mover: Color) -> Option<EngineRemark> {
    let (movers, rest) = match usual_pawns(comment, b'/') {
        Some((value, end)) => (Evaluation::Centipawns(value), &comment[end + 1..]),
        None => {
            let slash = comment.iter().take(12).position(|byte| *byte == b'/')?;
            (match_evaluation(&comment[..slash])?, &comment[slash + 1..])
        }
    };
    // The depth has up to nine digits.
    let depth = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&depth) || rest.get(depth) != Some(&b' ') {
        return None;
    }
    let time = &rest[depth + 1..];
    let end = time.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'.'))?;
    if time[end] != b's' || !matches!(time.get(end + 1), None | Some(b',' | b' ')) {
        return None;
    }
    let elapsed = seconds(&time[..end])?;
    let evaluation = if mover.is_white() { movers } else { movers.reversed() };
    Some(EngineRemark { evaluation: Some(evaluation), elapsed: Some(elapsed), clock: None })
}

/// The names of the fields of TCEC that are read: the evaluation, the time used, and the remaining
/// time.
pub(crate) const TCEC_FIELDS: Names = Names::new([*b"wv", *b"mt", *b"tl"]);

/// Reads the fields of TCEC. The first one is the depth or the time.
fn read_tcec_remark(text: &[u8], inside: Span) -> Option<EngineRemark> {
    let Span { start, end } = inside;
    // Fields are looked for up to the brace, or up to the end of the text.
    let text = if text.get(end) == Some(&b'}') { text } else { &text[..end] };
    let (mut values, mut at) = ([0; 4], start);
    while let Some((bracket, _)) = next_bracket_after_names(text, at, &TCEC_FIELDS, &mut values)
        && bracket < end
    {
        at = bracket + 1;
    }
    let fields = TcecFields::of(values, text, start, end);
    let (evaluation, elapsed, clock) = (fields.evaluation(text, end), fields.elapsed(text, end), fields.clock(text, end));
    let remark = EngineRemark { evaluation, elapsed, clock };
    (remark != EngineRemark::default()).then_some(remark)
}

/// The fields of TCEC in a comment. The last one with each name counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TcecFields {
    /// Where the value of each begins, by the lowest bits of its name. 0 if there is none.
    values: [usize; 4],
}

impl TcecFields {
    const EVALUATION: usize = b'w' as usize & 3;
    const ELAPSED: usize = b'm' as usize & 3;
    const CLOCK: usize = b't' as usize & 3;

    /// Fields as nearly all are written, after others.
    const USUAL: [u64; 4] = {
        let mut usual = [0; 4];
        usual[TcecFields::EVALUATION] = u64::from_le_bytes(*b", wv=\0\0\0");
        usual[TcecFields::ELAPSED] = u64::from_le_bytes(*b", mt=\0\0\0");
        usual[TcecFields::CLOCK] = u64::from_le_bytes(*b", tl=\0\0\0");
        usual
    };

    /// The fields of a comment that ends at `end`, with its first word at `start`. `values` are the
    /// last values after
    /// [`TCEC_FIELDS`] in it.
    #[inline(always)]
    pub fn of(values: [usize; 4], text: &[u8], start: usize, end: usize) -> TcecFields {
        let is_usual = |field: usize| {
            let value = values[field];
            value == 0 || word(text, value.wrapping_sub(5)).is_some_and(|word| lowest(word, 5) == TcecFields::USUAL[field])
        };
        if is_usual(TcecFields::EVALUATION) && is_usual(TcecFields::ELAPSED) && is_usual(TcecFields::CLOCK) {
            return TcecFields { values };
        }
        TcecFields::of_unusual(values, text, start, end)
    }

    #[inline(never)]
    fn of_unusual(mut values: [usize; 4], text: &[u8], start: usize, end: usize) -> TcecFields {
        let are_fields = values.iter().all(|value| *value == 0 || is_field(text, start, value - 3));
        if !are_fields {
            // There may be others before them.
            values = [0; 4];
            for equals in memchr_iter(b'=', &text[start..end]).filter(|equals| *equals >= 2) {
                let at = start + equals - 2;
                if is_field(text, start, at) {
                    values[usize::from(text[at] & 3)] = at + 3;
                }
            }
        }
        TcecFields { values }
    }

    /// The evaluation. The comment ends at `end`, but `text` may go on.
    #[inline(always)]
    pub fn evaluation(&self, text: &[u8], end: usize) -> Option<Evaluation> {
        let start = self.start(TcecFields::EVALUATION)?;
        usual_pawns(text.get(start..)?, b',')
            .map(|(value, _)| Evaluation::Centipawns(value))
            .or_else(|| tcec_evaluation(tcec_value(text, start, end)))
    }

    /// The time used for the move.
    #[inline(always)]
    pub fn elapsed(&self, text: &[u8], end: usize) -> Option<Elapsed> {
        let (time, unit) = tcec_time(text, self.start(TcecFields::ELAPSED)?, end)?;
        Some(Elapsed { time, unit })
    }

    /// The remaining time in milliseconds.
    #[inline]
    pub fn clock(&self, text: &[u8], end: usize) -> Option<u64> {
        tcec_time(text, self.start(TcecFields::CLOCK)?, end).map(|(time, _)| time)
    }

    #[inline(always)]
    fn start(&self, field: usize) -> Option<usize> {
        Some(self.values[field]).filter(|start| *start > 0)
    }
}

/// Whether one of the fields begins at `at`, in a comment with its first word at `start`.
fn is_field(text: &[u8], start: usize, at: usize) -> bool {
    let is_named = matches!(&text[at..at + 3], b"wv=" | b"mt=" | b"tl=");
    is_named && matches!(text[start..at].trim_ascii_end().last(), None | Some(b','))
}

/// The value of a field of TCEC at `start`, in a comment that ends at `end`.
fn tcec_value(text: &[u8], start: usize, end: usize) -> &[u8] {
    let text = text.get(start..end).unwrap_or_default();
    memchr(b',', text).map_or_else(|| text.trim_ascii_end(), |comma| &text[..comma])
}

/// Pawns with decimals, `M5` or `-M5`.
#[inline(never)]
fn tcec_evaluation(value: &[u8]) -> Option<Evaluation> {
    match value {
        [b'-', b'M', digits @ ..] => decimal(digits, 0).map(|moves| Evaluation::Mate(-moves)),
        [b'M', digits @ ..] => decimal(digits, 0).map(Evaluation::Mate),
        value => read_evaluation(value).ok(),
    }
}

/// Hundredths of a pawn, for a value with two decimals before the byte `after`, as nearly all are
/// written. Returns the place of that byte, too.
#[inline(always)]
fn usual_pawns(text: &[u8], after: u8) -> Option<(i64, usize)> {
    let sign = *text.first()?;
    let signs = usize::from(matches!(sign, b'-' | b'+'));
    let word = word(text, signs)?;
    let others = places_of_others(word);
    let point = others.trailing_zeros() >> 3;
    let end = (others & others.wrapping_sub(1)).trailing_zeros() >> 3;
    let byte = |place: u32| (word >> (8 * place)) as u8;
    if !(1..=4).contains(&point) || end != point + 3 || byte(point) != b'.' || byte(end) != after {
        return None;
    }
    // The digits without the point between them.
    let whole = lowest(word, point);
    let value = number(whole | (word >> 8 & !lowest(u64::MAX, point)), point + 2).cast_signed();
    Some((if sign == b'-' { -value } else { value }, signs + end as usize))
}

/// Milliseconds, or `h:mm:ss` in older games, with the value of the last digit. See [`tcec_value`].
#[inline(always)]
fn tcec_time(text: &[u8], start: usize, end: usize) -> Option<(u64, u64)> {
    if let Some(word) = word(text, start) {
        let digits = places_of_others(word).trailing_zeros() >> 3;
        if (1..8).contains(&digits) && (word >> (8 * digits)) as u8 == b',' {
            return Some((number(word, digits), 1));
        }
    }
    tcec_other_time(text, start, end)
}

/// [`tcec_time`] for all but up to seven digits and a comma.
#[inline(never)]
fn tcec_other_time(text: &[u8], start: usize, end: usize) -> Option<(u64, u64)> {
    if let Some(word) = word(text, start)
        && has_form(word, TIME_DIGITS, TIME_LIMITS, u64::from_le_bytes(*b"00:00:00"))
        && text.get(start + 8) == Some(&b',')
    {
        // Each byte with ten times its digit and the digit after it, which is 0 if it is none.
        let digits = word & TIME_DIGITS;
        let pairs = 10 * digits + (digits >> 8);
        let pair = |place: u32| pairs >> (8 * place) & 0xFF;
        return Some((1000 * (3600 * pair(0) + 60 * pair(3) + pair(6)), 1000));
    }
    let value = tcec_value(text, start, end);
    match decimal(value, 0) {
        Some(time) => Some((time.unsigned_abs(), 1)),
        None => read_time(value).ok().map(|time| (time, 1000)),
    }
}

/// The digits of `hh:mm:ss`, and the limits of their values, for [`has_form`].
const TIME_DIGITS: u64 = u64::from_le_bytes([0x0F, 0x0F, 0, 0x0F, 0x0F, 0, 0x0F, 0x0F]);
const TIME_LIMITS: u64 = u64::from_le_bytes([6, 6, 0, 10, 6, 0, 10, 6]);

/// A number of seconds with optional decimals.
fn seconds(text: &[u8]) -> Option<Elapsed> {
    let point = text.iter().position(|byte| *byte == b'.');
    let decimals = point.map_or(0, |point| text.len() - point - 1);
    let (scale, unit) = match decimals {
        0 => (1000, 1000),
        1 => (100, 100),
        2 => (10, 10),
        3 => (1, 1),
        _ => return None,
    };
    let digits = decimal(&text[..point.unwrap_or(text.len())], 0)?;
    let time = match point {
        Some(_) if decimals == 0 => return None,
        Some(point) => decimal(&text[point + 1..], digits)?,
        None => digits,
    };
    Some(Elapsed { time: time.unsigned_abs() * scale, unit })
}

/// Digits, appended to `number`.
fn decimal(digits: &[u8], number: i64) -> Option<i64> {
    if !(1..=9).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(number, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations() {
        use Evaluation::{Centipawns, Mate};
        for (text, expected) in [
            ("0.17", Ok(Centipawns(17))),
            ("-1.5", Ok(Centipawns(-150))),
            ("+0.05,23", Ok(Centipawns(5))),
            ("12.345", Ok(Centipawns(1234))),
            ("#5", Ok(Mate(5))),
            ("#-1", Ok(Mate(-1))),
            ("#+2,30", Ok(Mate(2))),
            ("-77,23", Err(EvalFault::Whole(-77))),
            ("8", Err(EvalFault::Whole(8))),
            ("", Err(EvalFault::Empty)),
            ("M1", Err(EvalFault::Words)),
            ("#", Err(EvalFault::Words)),
            ("-#3", Err(EvalFault::Words)),
            ("0.", Err(EvalFault::Words)),
            (".5", Err(EvalFault::Words)),
            ("0.5/12", Err(EvalFault::Words)),
            ("1.0,x", Err(EvalFault::Words)),
            ("#1.5", Err(EvalFault::Words)),
            ("9999999999999999", Err(EvalFault::Words)),
        ] {
            assert_eq!(read_evaluation(text.as_bytes()), expected, "{text}");
        }
    }

    /// Reads a comment without braces, and checks that it is read in the same way between them.
    fn read_alone(comment: &[u8], mover: Color) -> Option<EngineRemark> {
        let remark = read_engine_remark(comment, Span::new(0, comment.len()), mover);
        let text = [b"e4 {", comment, b"} e5 { d=1, mt=99, wv=9.99, tl=999, }"].concat();
        assert_eq!(read_engine_remark(&text, Span::new(4, 4 + comment.len()), mover), remark);
        let text = [comment, b", mt=99, wv=9.99, tl=999, "].concat();
        assert_eq!(read_engine_remark(&text, Span::new(0, comment.len()), mover), remark, "without a brace");
        remark
    }

    #[test]
    fn remarks_of_engines() {
        use Evaluation::{Centipawns, Mate};
        let remark = |evaluation, elapsed: Option<(u64, u64)>, clock| {
            Some(EngineRemark { evaluation, elapsed: elapsed.map(|(time, unit)| Elapsed { time, unit }), clock })
        };
        for (comment, white, black) in [
            ("+0.15/12 0.5s", Some(Centipawns(15)), remark(Some(Centipawns(-15)), Some((500, 100)), None)),
            ("-0.71/23 6.157s", Some(Centipawns(-71)), remark(Some(Centipawns(71)), Some((6157, 1)), None)),
            ("+12.34/5 0.01s", Some(Centipawns(1234)), remark(Some(Centipawns(-1234)), Some((10, 10)), None)),
            ("-1234.56/1 3s", Some(Centipawns(-123_456)), remark(Some(Centipawns(123_456)), Some((3000, 1000)), None)),
            ("+12345.6/1 3s", Some(Centipawns(1_234_560)), remark(Some(Centipawns(-1_234_560)), Some((3000, 1000)), None)),
            ("0.00/31 48s", Some(Centipawns(0)), remark(Some(Centipawns(0)), Some((48_000, 1000)), None)),
            ("+M1/2 0.010s, White mates", Some(Mate(1)), remark(Some(Mate(-1)), Some((10, 1)), None)),
            (" -M12/98 2.1s ", Some(Mate(-12)), remark(Some(Mate(12)), Some((2100, 100)), None)),
            (
                "d=17, sd=17, mt=3076, tl=57924, pv=e3 e6, wv=0.62, R50=50,",
                Some(Centipawns(62)),
                remark(Some(Centipawns(62)), Some((3076, 1)), Some(57_924)),
            ),
            (
                "mt=1, wv=0.10, xwv=0.20, d=1 wv=0.30, pv=wmlwv mt=5, tl=7,\n mt=12,wv=0.40,l=3,m",
                Some(Centipawns(40)),
                remark(Some(Centipawns(40)), Some((12, 1)), Some(7)),
            ),
            (
                "d=18, mt=00:01:20, tl=01:59:59, wv=-12.34, s=1 2 3",
                Some(Centipawns(-1234)),
                remark(Some(Centipawns(-1234)), Some((80_000, 1000)), Some(7_199_000)),
            ),
            (
                "d=18, wv=4321.05, mt=1234567, tl=12345678, h=1234",
                Some(Centipawns(432_105)),
                remark(Some(Centipawns(432_105)), Some((1_234_567, 1)), Some(12_345_678)),
            ),
            (
                "d=18, wv=54321.5, mt=123456789, tl=1234567890, h=1",
                Some(Centipawns(5_432_150)),
                remark(Some(Centipawns(5_432_150)), Some((123_456_789, 1)), None),
            ),
            (
                "d=18, wv=+1.250, mt=00:60:00, tl=0:00:07, h=1",
                Some(Centipawns(125)),
                remark(Some(Centipawns(125)), None, Some(7000)),
            ),
            ("d=18, wv=.25, mt=12 , tl=00:00:07 , h=100000", None, None),
            ("d=1, wv=1.25, wv=x, mt=00:00:59, mt=00:00:60,", None, None),
            ("d=1, mt=00:00:05, wv=-M18,", Some(Mate(-18)), remark(Some(Mate(-18)), Some((5000, 1000)), None)),
        ] {
            let read = |mover| read_alone(comment.as_bytes(), mover);
            assert_eq!(read(Color::Black), black, "{comment}");
            assert_eq!(read(Color::White).and_then(|remark| remark.evaluation), white, "{comment}");
        }
        for comment in [
            "book",
            "0.44/22 249",
            "0.43",
            "-0.45",
            "+0.15/12",
            "+0.15 0.5s",
            "1.20/12 0.5s",
            "0.05/12 0.5s",
            "+0.15/ 0.5s",
            "+0.15/1234567890 0.5s",
            "+0.15/12 0.5sec",
            "draw",
            "",
        ] {
            assert_eq!(read_alone(comment.as_bytes(), Color::White), None, "{comment}");
        }
    }

    /// Reads the last field with a name as the rules say it, byte by byte.
    fn last_field<'a>(comment: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
        let begins = |at: &usize| matches!(comment[..*at].trim_ascii_end().last(), None | Some(b','));
        let at = (0..comment.len()).filter(|at| comment[*at..].starts_with(name)).rfind(begins)?;
        comment[at + name.len()..].split(|byte| *byte == b',').next()
    }

    #[test]
    fn remarks_of_tcec_are_read_as_field_by_field() {
        let pieces: [&[u8]; 40] = [
            b"wv=",
            b"mt=",
            b"tl=",
            b", wv=",
            b", mt=",
            b", tl=",
            b", wv=1.25",
            b", wv=-0.07,",
            b", wv=M5,",
            b", wv=-M12",
            b", mt=12",
            b", mt=123456,",
            b",\r\nmt=00:01:20,",
            b", tl=99999999,",
            b", tl=01:59:59",
            b",tl=1:02:03 ",
            b", ",
            b", ",
            b",",
            b" ",
            b"\r\n",
            b"pv=Nf3 Nf6 Bb5+ ",
            b"0",
            b"1.5",
            b"1.25",
            b"-0.07",
            b"12",
            b"123456",
            b"00:01:20",
            b"00:00:61",
            b"M5",
            b"x",
            b"w",
            b"m",
            b"t",
            b"=",
            b".",
            b"99999999",
            b"1234567890",
            b", h=57.6, ph=0.0, ",
        ];
        let (mut state, mut read) = (7_u64, [0; 3]);
        for _ in 0..20_000 {
            let mut below = |limit: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % limit
            };
            let mut comment = b"d=9, ".to_vec();
            for _ in 0..below(24) {
                comment.extend_from_slice(pieces[below(pieces.len())]);
            }
            let inside = comment.trim_ascii();
            let time = |value: &[u8]| match decimal(value, 0) {
                Some(time) => Some((time.unsigned_abs(), 1)),
                None => read_time(value).ok().map(|time| (time, 1000)),
            };
            let evaluation = last_field(inside, b"wv=").and_then(|value| match value {
                [b'-', b'M', digits @ ..] => decimal(digits, 0).map(|moves| Evaluation::Mate(-moves)),
                [b'M', digits @ ..] => decimal(digits, 0).map(Evaluation::Mate),
                value => read_evaluation(value).ok(),
            });
            let elapsed = last_field(inside, b"mt=").and_then(time).map(|(time, unit)| Elapsed { time, unit });
            let clock = last_field(inside, b"tl=").and_then(time).map(|(time, _)| time);
            let expected = EngineRemark { evaluation, elapsed, clock };
            let is_any = evaluation.is_some() || elapsed.is_some() || clock.is_some();
            let shown = String::from_utf8_lossy(&comment);
            assert_eq!(read_alone(&comment, Color::White), is_any.then_some(expected), "{shown}");
            for (count, is_read) in read.iter_mut().zip([evaluation.is_some(), elapsed.is_some(), clock.is_some()]) {
                *count += u32::from(is_read);
            }
        }
        assert!(read.iter().all(|count| *count > 1000), "{read:?}");
    }
}
