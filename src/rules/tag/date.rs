//! Dates and times of day in tags.

use crate::{
    pgn::{KnownTag, TagPair},
    rules::facts::TagSection,
};

/// The date 0 of Delphi, Excel and other programs, which they write if no date is known.
pub(crate) const ZERO: &str = "1899.12.30";

/// When a game was played, according to its Date tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Age {
    /// The year is not known, or the date is [`ZERO`].
    #[default]
    Unknown,
    /// Up to 1950.
    Old,
    /// After 1950.
    Recent,
}

impl Age {
    /// The age that a date in the standard form shows.
    #[inline]
    pub fn of(date: &[u8]) -> Age {
        match date.first_chunk::<4>() {
            Some(year) if year.iter().all(u8::is_ascii_digit) && date != ZERO.as_bytes() => {
                if year > b"1950" {
                    Age::Recent
                } else {
                    Age::Old
                }
            }
            _ => Age::Unknown,
        }
    }
}

/// Tags with a date.
const DATES: [KnownTag; 3] = [KnownTag::Date, KnownTag::EventDate, KnownTag::UtcDate];
/// Tags with a time of day.
const TIMES: [KnownTag; 2] = [KnownTag::Time, KnownTag::UtcTime];

/// The kind of value that a tag contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrTime {
    /// `YYYY.MM.DD`.
    Date,
    /// `HH:MM:SS`.
    Time,
}

impl DateOrTime {
    /// The form that the standard requires.
    pub const fn form(self) -> &'static str {
        match self {
            DateOrTime::Date => "YYYY.MM.DD",
            DateOrTime::Time => "HH:MM:SS",
        }
    }
}

/// The fields of a date or time from left to right; `None` for question marks.
pub type Fields = [Option<u32>; 3];

/// The tag pairs with a date or a time, except empty values, `?` and `-`.
pub fn stated<'a>(facts: &'a TagSection<'_>) -> impl Iterator<Item = (DateOrTime, TagPair, &'a [u8])> + 'a {
    let dates = DATES.into_iter().map(|tag| (DateOrTime::Date, tag));
    let times = TIMES.into_iter().map(|tag| (DateOrTime::Time, tag));
    dates.chain(times).filter_map(|(kind, tag)| {
        let pair = facts.pair(tag)?;
        let value = pair.value.of(facts.text);
        (!matches!(value, b"" | b"?" | b"-")).then_some((kind, pair, value))
    })
}

/// The fields of `value` if it has the standard form. Question marks must fill a whole field.
pub fn fields(kind: DateOrTime, value: &[u8]) -> Option<Fields> {
    let (parts, separator) = match (kind, value.len()) {
        (DateOrTime::Date, 10) => ([0..4, 5..7, 8..10], b'.'),
        (DateOrTime::Time, 8) => ([0..2, 3..5, 6..8], b':'),
        _ => return None,
    };
    if value[parts[0].end] != separator || value[parts[1].end] != separator {
        return None;
    }
    let mut fields = [None; 3];
    for (field, part) in fields.iter_mut().zip(parts) {
        let part = &value[part];
        if part.iter().any(|byte| *byte != b'?') {
            *field = Some(number(part)?);
        }
    }
    Some(fields)
}

/// The value of one to four ASCII digits.
pub fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    digits.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))
}

/// Whether `year` is a leap year of the Gregorian calendar.
pub const fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// The number of days in the month; the maximum if the year is unknown.
pub fn days(year: Option<u32>, month: u32) -> u32 {
    match month {
        2 if year.is_none_or(is_leap) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
