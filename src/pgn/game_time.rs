//! The time from the start to the end of a game, as the tags give it.

use jiff::civil::DateTime;

use super::known_tag::KnownTag;

/// Milliseconds in an hour, by which local time can be set back during a game.
const HOUR: u64 = 3_600_000;

/// The time from the start to the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// The maximum in milliseconds: seconds may be rounded, and local time may have been set back.
    /// 0 if the game ends before it begins.
    pub max: u64,
    /// The tag that gives the end.
    pub end: KnownTag,
}

impl GameTime {
    /// Reads the tags GameStartTime and GameEndTime (cutechess, fastchess, TCEC), or UTCDate and
    /// UTCTime with EndDate and EndTime (chess.com). `None` if the time is not known. `value` is
    /// the value of a tag.
    pub fn read<'a>(value: impl Fn(KnownTag) -> Option<&'a [u8]>) -> Option<GameTime> {
        if let (Some(start), Some(end)) = (value(KnownTag::GameStartTime), value(KnownTag::GameEndTime)) {
            return between(moment(start)?, moment(end)?, KnownTag::GameEndTime);
        }
        let start_time = value(KnownTag::UtcTime)?;
        let end_time = value(KnownTag::EndTime)?;
        // EndTime is in UTC only if StartTime is. Where the start is not known, the end is written
        // twice.
        if value(KnownTag::StartTime) != Some(start_time) || start_time == end_time {
            return None;
        }
        let start = utc(value(KnownTag::UtcDate)?, start_time)?;
        let end = utc(value(KnownTag::EndDate)?, end_time)?;
        between(start, end, KnownTag::EndTime)
    }
}

/// A moment: local time, whether it has milliseconds, and the time zone as written.
type Moment<'a> = (DateTime, bool, &'a [u8]);

fn between(start: Moment<'_>, end: Moment<'_>, tag: KnownTag) -> Option<GameTime> {
    if start.2 != end.2 {
        return None;
    }
    let milliseconds = end.0.duration_since(start.0).as_millis();
    let rounding = if start.1 && end.1 { 0 } else { 1000 };
    let max = u64::try_from(milliseconds).map_or(0, |time| time + rounding);
    // Clocks are set back at night, at two or three o'clock as a rule.
    let is_local = !matches!(start.2, b"UTC" | b"GMT" | b"Z" | [b'+' | b'-', ..]);
    let at_night = start.0.hour() < 4 || end.0.hour() < 4 || max > 12 * HOUR;
    Some(GameTime { max: if is_local && at_night { max + HOUR } else { max }, end: tag })
}

/// Reads `2019-03-16T02:00:29.239 CET` or `2025-03-06T17:56:00 +0300`.
fn moment(value: &[u8]) -> Option<Moment<'_>> {
    let (date, rest) = value.split_at_checked(10)?;
    let (time, rest) = rest.strip_prefix(b"T")?.split_at_checked(8)?;
    let (millisecond, zone) = match rest {
        [b'.', a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', zone @ ..] => {
            let digit = |byte: &u8| i32::from(byte - b'0');
            (Some(100 * digit(a) + 10 * digit(b) + digit(c)), zone)
        }
        zone => (None, zone),
    };
    let date = civil(date, b'-', time, millisecond.unwrap_or_default())?;
    Some((date, millisecond.is_some(), zone.trim_ascii()))
}

/// Reads the values of UTCDate and UTCTime.
fn utc<'a>(date: &[u8], time: &[u8]) -> Option<Moment<'a>> {
    Some((civil(date, b'.', time, 0)?, false, b"UTC"))
}

fn civil(date: &[u8], separator: u8, time: &[u8], millisecond: i32) -> Option<DateTime> {
    let [y, e, a, r, first, m, o, second, d, t] = *date else { return None };
    let [h, i, b':', n, s, b':', u, v] = *time else { return None };
    let digits = [y, e, a, r, m, o, d, t, h, i, n, s, u, v];
    if (first, second) != (separator, separator) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let two = |tens: u8, ones: u8| (10 * (tens - b'0') + (ones - b'0')) as i8;
    let year = i16::from(two(y, e)) * 100 + i16::from(two(a, r));
    DateTime::new(year, two(m, o), two(d, t), two(h, i), two(n, s), two(u, v), millisecond * 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tags: &[(KnownTag, &'static str)]) -> Option<u64> {
        let value = |tag| tags.iter().find(|(name, _)| *name == tag).map(|(_, value)| value.as_bytes());
        GameTime::read(value).map(|time| time.max)
    }

    #[test]
    fn start_and_end_in_engine_matches() {
        use KnownTag::{GameEndTime, GameStartTime};
        for (start, end, expected) in [
            ("2019-03-16T12:00:29.239 CET", "2019-03-16T12:05:23.661 CET", Some(294_422)),
            ("2025-03-06T17:56:00 +0300", "2025-03-06T18:01:40 +0300", Some(341_000)),
            ("2025-03-06T23:59:00 +0300", "2025-03-07T00:01:00 +0300", Some(121_000)),
            // Local time can be set back at night.
            ("2019-03-16T02:00:00.000 CET", "2019-03-16T02:01:00.000 CET", Some(3_660_000)),
            ("2019-03-16T12:05:00.000 CET", "2019-03-16T12:00:00.000 CET", Some(0)),
            ("2019-03-16T12:00:00.000 CET", "2019-03-16T12:05:00.000 CEST", None),
            ("2019-03-16 12:00:00", "2019-03-16 12:05:00", None),
            ("2019-02-30T12:00:00 CET", "2019-03-16T12:05:00 CET", None),
            ("", "", None),
        ] {
            assert_eq!(read(&[(GameStartTime, start), (GameEndTime, end)]), expected, "{start} {end}");
        }
        assert_eq!(read(&[(GameStartTime, "2019-03-16T12:00:29.239 CET")]), None);
    }

    #[test]
    fn start_and_end_on_servers() {
        use KnownTag::{EndDate, EndTime, StartTime, UtcDate, UtcTime};
        let game = |start, utc, end| {
            read(&[(UtcDate, "2023.03.01"), (UtcTime, utc), (StartTime, start), (EndDate, "2023.03.02"), (EndTime, end)])
        };
        assert_eq!(game("23:59:00", "23:59:00", "00:04:00"), Some(301_000));
        assert_eq!(game("22:59:00", "23:59:00", "00:04:00"), None);
        assert_eq!(game("23:59:00", "23:59:00", "23:59:00"), None);
        assert_eq!(game("23:59:00", "23:59:00", "00:04:00 GMT"), None);
        assert_eq!(read(&[(UtcDate, "2023.03.01"), (UtcTime, "23:59:00")]), None);
    }
}
