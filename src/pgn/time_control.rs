//! Time controls as in the TimeControl tag (PGN standard 9.6.1).

/// A field of a time control. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// A number of moves in a given time, `40/7200`. Servers add an increment, `40/5400+30`.
    Moves {
        /// Number of moves.
        moves: u32,
        /// The time that is added when the period begins.
        base: u64,
        /// The time that is added for each move.
        increment: u64,
    },
    /// The rest of the game: `300`, `300+2`.
    Rest {
        /// The time that is added when the period begins.
        base: u64,
        /// The time that is added for each move.
        increment: u64,
    },
    /// A sandclock, `*180`: each side gains the time that the other side uses.
    Sandclock,
    /// Unknown or no time control: `?` or `-`.
    Unknown,
    /// A period without moves or without time.
    Nothing,
    /// Any other text.
    Words,
}

/// The fields of a time control.
pub fn periods(value: &[u8]) -> impl Iterator<Item = Period> + '_ {
    value.split(|byte| *byte == b':').map(period)
}

fn period(field: &[u8]) -> Period {
    if matches!(field, b"?" | b"-") {
        return Period::Unknown;
    }
    let (moves, time) = match field.iter().position(|byte| *byte == b'/') {
        Some(at) => (Some(&field[..at]), &field[at + 1..]),
        None => (None, field),
    };
    let sandclock = moves.is_none().then(|| time.strip_prefix(b"*")).flatten();
    let time = sandclock.unwrap_or(time);
    let (base, increment) = match time.iter().position(|byte| *byte == b'+') {
        Some(at) => (&time[..at], Some(&time[at + 1..])),
        None => (time, None),
    };
    let moves = moves.map(milliseconds);
    let increment = increment.map_or(Some(0), milliseconds);
    let (Some(base), Some(increment)) = (milliseconds(base), increment) else { return Period::Words };
    match moves {
        Some(None) => Period::Words,
        Some(Some(0)) => Period::Nothing,
        _ if base == 0 && increment == 0 => Period::Nothing,
        Some(Some(moves)) => Period::Moves { moves: u32::try_from(moves / 1000).unwrap_or(u32::MAX).max(1), base, increment },
        None if sandclock.is_some() => Period::Sandclock,
        None => Period::Rest { base, increment },
    }
}

/// A number of seconds in milliseconds. Engine games use fractions of a second. Less than a
/// millisecond counts as one, so that it is not taken as zero.
fn milliseconds(text: &[u8]) -> Option<u64> {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let points = text.iter().filter(|byte| **byte == b'.').count();
    if digits == 0 || points > 1 || digits + points != text.len() {
        return None;
    }
    let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
    let add = |sum: u64, digit: &u8| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    let whole = text[..point].iter().fold(0, add).saturating_mul(1000);
    let fraction = text.get(point + 1..).unwrap_or_default();
    let thousandths = fraction.iter().chain(b"000").take(3).fold(0, add);
    let min = u64::from(text.iter().any(|byte| matches!(byte, b'1'..=b'9')));
    Some(whole.saturating_add(thousandths).max(min))
}

/// The time control with the time of each period in seconds, if `value` has it in minutes: `90+30`
/// becomes `5400+30`. `None` if a time is not a whole number.
pub fn minutes_to_seconds(value: &[u8]) -> Option<String> {
    let field_in_seconds = |field: &str| {
        let start = field.find('/').map_or(0, |at| at + 1);
        let end = field.find('+').unwrap_or(field.len());
        let seconds = field.get(start..end)?.parse::<u32>().ok()?.checked_mul(60)?;
        Some(format!("{}{seconds}{}", &field[..start], &field[end..]))
    };
    let fields: Option<Vec<String>> = std::str::from_utf8(value).ok()?.split(':').map(field_in_seconds).collect();
    Some(fields?.join(":"))
}

/// Maximum number of periods of a time control.
const MAX_STAGES: usize = 8;

/// A period of a time control in which the available time is known. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Number of moves; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// The time that is added when the period begins.
    pub base: u64,
    /// The time that is added for each move.
    pub increment: u64,
}

/// A time control in which the available time is known at every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    stages: [Stage; MAX_STAGES],
    count: usize,
    /// Number of moves that each side made before those of the game.
    before: u32,
}

impl TimeControl {
    /// Reads the value of a TimeControl tag; `None` if the available time is not known at every
    /// move.
    pub fn read(value: &[u8]) -> Option<TimeControl> {
        let mut control = TimeControl { stages: [Stage::default(); MAX_STAGES], count: 0, before: 0 };
        for period in periods(value) {
            let stage = match period {
                Period::Moves { moves, base, increment } => Stage { moves: Some(moves), base, increment },
                Period::Rest { base, increment } => Stage { moves: None, base, increment },
                Period::Sandclock | Period::Unknown | Period::Nothing | Period::Words => return None,
            };
            *control.stages.get_mut(control.count)? = stage;
            control.count += 1;
        }
        Some(control)
    }

    /// The same for a game that begins after `before` moves of each side.
    pub fn after(self, before: u32) -> TimeControl {
        TimeControl { before, ..self }
    }

    /// The periods, at least one. The last one is repeated if it has a number of moves.
    pub fn stages(&self) -> &[Stage] {
        &self.stages[..self.count]
    }

    /// The first period.
    pub fn first(&self) -> Stage {
        self.stages[0]
    }

    /// The maximum increment, and the maximum time that a new period can have added to a clock,
    /// after a side has made `moves` moves.
    ///
    /// Some clocks add the time of a period at its first move, some at the last move before it, and
    /// some only when the time of the previous period is used up. So the time can be added at any
    /// move from there on.
    pub fn gains(&self, moves: u32) -> (u64, u64) {
        let moves = moves.saturating_add(self.before);
        let mut begins = 0u32;
        let (mut increment, mut bonus) = (0, 0);
        for (index, stage) in self.stages().iter().enumerate() {
            if moves.saturating_add(1) < begins {
                return (increment, bonus);
            }
            increment = increment.max(stage.increment);
            if index > 0 {
                bonus = bonus.max(stage.base);
            }
            let Some(lasts) = stage.moves else { return (increment, bonus) };
            begins = begins.saturating_add(lasts);
        }
        let last = self.stages().last().map_or(0, |stage| stage.base);
        (increment, if moves.saturating_add(1) < begins { bonus } else { bonus.max(last) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let rest = |base, increment| Period::Rest { base, increment };
        for (text, expected) in [
            ("300", rest(300_000, 0)),
            ("300+2", rest(300_000, 2000)),
            ("0+1", rest(0, 1000)),
            ("60+0.6", rest(60_000, 600)),
            ("0.0001", rest(1, 0)),
            ("40/7200", Period::Moves { moves: 40, base: 7_200_000, increment: 0 }),
            ("40/5400+30", Period::Moves { moves: 40, base: 5_400_000, increment: 30_000 }),
            ("*180", Period::Sandclock),
            ("-", Period::Unknown),
            ("?", Period::Unknown),
            ("40/0", Period::Nothing),
            ("0/40", Period::Nothing),
            ("0+0", Period::Nothing),
            ("", Period::Words),
            ("90 min", Period::Words),
            ("60+5d", Period::Words),
            ("1.2.3", Period::Words),
        ] {
            assert_eq!(periods(text.as_bytes()).collect::<Vec<_>>(), [expected], "{text}");
        }
        assert_eq!(periods(&[b'9'; 300]).count(), 1);
    }

    #[test]
    fn time_controls() {
        let read = |text: &str| TimeControl::read(text.as_bytes());
        assert_eq!(read("40/5400+30:1800+30").map(|control| control.stages().len()), Some(2));
        assert_eq!(read("300+2").map(|control| control.first()), Some(Stage { moves: None, base: 300_000, increment: 2000 }));
        for text in ["-", "?", "*60", "40/0", "15 min", "1:2:3:4:5:6:7:8:9"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn minutes_become_seconds_in_every_period() {
        for (minutes, seconds) in [
            ("90+30", Some("5400+30")),
            ("60", Some("3600")),
            ("40/90+30:30+30", Some("40/5400+30:1800+30")),
            ("1.5+2", None),
            ("-", None),
            ("99999999999", None),
            ("4294967295", None),
            ("+40/", None),
        ] {
            assert_eq!(minutes_to_seconds(minutes.as_bytes()).as_deref(), seconds, "{minutes}");
        }
    }

    #[test]
    fn a_period_can_add_its_time_from_the_last_move_before_it() {
        let gains = |text: &str, moves| TimeControl::read(text.as_bytes()).map(|control| control.gains(moves));
        assert_eq!(gains("300+2", 200), Some((2000, 0)));
        assert_eq!(gains("40/7200:3600+30", 38), Some((0, 0)));
        assert_eq!(gains("40/7200:3600+30", 39), Some((30_000, 3_600_000)));
        assert_eq!(gains("40/7200:3600+30", 60), Some((30_000, 3_600_000)));
        assert_eq!(gains("40/300", 38), Some((0, 0)));
        assert_eq!(gains("40/300", 39), Some((0, 300_000)));
        assert_eq!(gains("1/86400", 1), Some((0, 86_400_000)));
    }
}
