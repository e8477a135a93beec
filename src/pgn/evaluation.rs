//! Evaluations in comments: the command `%eval`, and what engines write about their moves.
//!
//! Programs differ in their point of view. `%eval` and TCEC's `wv` are White's. cutechess, fastchess
//! and fishtest write the view of the side that has just moved.

use memchr::memrchr3_iter;
use shakmaty::Color;

use super::command::read_time;

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
///
/// # Errors
/// If it is written in another way.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The value of the last digit in milliseconds: rounding can have changed the time by that much.
    pub unit: u64,
}

/// Reads the remark of an engine about a move of `mover`: `+0.15/12 0.5s` (cutechess, fastchess,
/// fishtest) or `d=17, mt=3076, wv=0.62` (TCEC). `None` for other comments.
pub fn read_engine_remark(comment: &[u8], mover: Color) -> Option<EngineRemark> {
    let comment = comment.trim_ascii();
    match comment.first()? {
        b'+' | b'-' | b'0' => read_match_remark(comment, mover),
        b'd' | b'e' | b'm' | b'w' => read_tcec_remark(comment),
        _ => None,
    }
}

/// Reads `+0.15/12 0.5s` or `-M4/20 0.003s, Black mates`. Only an equal evaluation has no sign.
fn read_match_remark(comment: &[u8], mover: Color) -> Option<EngineRemark> {
    let slash = comment.iter().take(12).position(|byte| *byte == b'/')?;
    let (value, rest) = (&comment[..slash], &comment[slash + 1..]);
    let movers = match value {
        [b'+' | b'-', b'M', digits @ ..] => {
            let moves = decimal(digits, 0)?;
            Evaluation::Mate(if value[0] == b'-' { -moves } else { moves })
        }
        [b'+' | b'-', ..] | b"0.00" => read_evaluation(value).ok()?,
        _ => return None,
    };
    let mut fields = rest.splitn(2, |byte| *byte == b' ');
    decimal(fields.next()?, 0)?;
    let time = fields.next()?;
    let end = time.iter().position(|byte| *byte == b's')?;
    if !matches!(time.get(end + 1), None | Some(b',' | b' ')) {
        return None;
    }
    let elapsed = seconds(&time[..end])?;
    let evaluation = if mover.is_white() { movers } else { movers.reversed() };
    Some(EngineRemark { evaluation: Some(evaluation), elapsed: Some(elapsed), clock: None })
}

/// The fields of TCEC that are read: the evaluation, the time used, and the remaining time.
const TCEC_FIELDS: [[u8; 3]; 3] = [*b"wv=", *b"mt=", *b"tl="];

/// Reads the fields of TCEC, of which the last one with each name counts. The first one is the depth or the time.
fn read_tcec_remark(comment: &[u8]) -> Option<EngineRemark> {
    let mut fields = [None; TCEC_FIELDS.len()];
    // These letters are rare: the moves that an engine expects have none of them.
    for letter in memrchr3_iter(b'w', b'm', b'l', comment) {
        let (field, at) = match comment[letter] {
            b'w' => (0, letter),
            b'm' => (1, letter),
            _ => (2, letter.saturating_sub(1)),
        };
        if fields[field].is_none()
            && let Some((name, value)) = comment[at..].split_first_chunk()
            && *name == TCEC_FIELDS[field]
            && matches!(comment[..at].trim_ascii_end().last(), None | Some(b','))
        {
            let end = value.iter().position(|byte| *byte == b',').unwrap_or(value.len());
            fields[field] = Some(&value[..end]);
            if fields.iter().all(Option::is_some) {
                break;
            }
        }
    }
    let [evaluation, elapsed, clock] = fields;
    let remark = EngineRemark {
        evaluation: evaluation.and_then(tcec_evaluation),
        elapsed: elapsed.and_then(tcec_time).map(|(time, unit)| Elapsed { time, unit }),
        clock: clock.and_then(tcec_time).map(|(time, _)| time),
    };
    (remark != EngineRemark { evaluation: None, elapsed: None, clock: None }).then_some(remark)
}

/// Pawns with decimals, `M5` or `-M5`.
fn tcec_evaluation(value: &[u8]) -> Option<Evaluation> {
    match value {
        [b'-', b'M', digits @ ..] => decimal(digits, 0).map(|moves| Evaluation::Mate(-moves)),
        [b'M', digits @ ..] => decimal(digits, 0).map(Evaluation::Mate),
        value => read_evaluation(value).ok(),
    }
}

/// Milliseconds, or `h:mm:ss` in older games, with the value of the last digit.
fn tcec_time(value: &[u8]) -> Option<(u64, u64)> {
    match decimal(value, 0) {
        Some(time) => Some((time.unsigned_abs(), 1)),
        None => read_time(value).ok().map(|time| (time, 1000)),
    }
}

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

    #[test]
    fn remarks_of_engines() {
        use Evaluation::{Centipawns, Mate};
        let remark = |evaluation, elapsed: Option<(u64, u64)>, clock| {
            Some(EngineRemark { evaluation, elapsed: elapsed.map(|(time, unit)| Elapsed { time, unit }), clock })
        };
        for (comment, white, black) in [
            ("+0.15/12 0.5s", Some(Centipawns(15)), remark(Some(Centipawns(-15)), Some((500, 100)), None)),
            ("-0.71/23 6.157s", Some(Centipawns(-71)), remark(Some(Centipawns(71)), Some((6157, 1)), None)),
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
            ("d=1, mt=00:00:05, wv=-M18,", Some(Mate(-18)), remark(Some(Mate(-18)), Some((5000, 1000)), None)),
        ] {
            let read = |mover| read_engine_remark(comment.as_bytes(), mover);
            assert_eq!(read(Color::Black), black, "{comment}");
            assert_eq!(read(Color::White).and_then(|remark| remark.evaluation), white, "{comment}");
        }
        for comment in
            ["book", "0.44/22 249", "0.43", "-0.45", "+0.15/12", "+0.15 0.5s", "1.20/12 0.5s", "+0.15/12 0.5sec", "draw", ""]
        {
            assert_eq!(read_engine_remark(comment.as_bytes(), Color::White), None, "{comment}");
        }
    }
}
