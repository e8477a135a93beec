//! TAG06: dates and times that are not in the standard format.

use super::date::{self, DateOrTime};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG06"),
    name: "date-format",
    severity: Severity::Warning,
    summary: "A date or time is not in the standard format",
    what: "A date (Date, EventDate, UTCDate) is not written as YYYY.MM.DD, or a time (Time, \
           UTCTime) not as HH:MM:SS. Unknown fields are question marks, as in `2000.10.??`. Empty \
           values, `?` and `-` are not checked. Dates such as `?.??.??` and twelve-hour times such \
           as `4:35:12 p.m.` are infos, reported once per input. If 20 or more records have the \
           same fault, it is reported once per input.",
    why: "Programs that sort or filter by date skip what they cannot read, or take `05/06` for the \
           wrong month.",
    fix: "Write the date as YYYY.MM.DD, with `??` for an unknown month or day. Write the time as \
           HH:MM:SS.",
    source: "PGN standard 8.1.1.3, 9.2.1, 9.5",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Game { tags: "[Date \"⟦10/31/2000⟧\"]", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[Date \"2020.01.05\"]\n[Time \"⟦9:30:00⟧\"]", moves: "1. e4 e5 *" },
    ],
    silent: &[Sample::Game { tags: "[Date \"2000.10.??\"]\n[Time \"09:30:00\"]", moves: "1. e4 e5 *" }],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// A value in the right form that does not exist is left to TAG07.
fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for (kind, pair, value) in date::stated(facts) {
        if date::fields(kind, value).is_some() {
            continue;
        }
        let found = shown(value);
        let name = shown(pair.name.of(facts.text));
        let repaired = match kind {
            DateOrTime::Date => repaired_date(value),
            DateOrTime::Time => repaired_time(value),
        };
        let mut message = format!("{name} `{found}` is not in the form {}", kind.form());
        if let Some(repaired) = &repaired {
            message.push_str(&format!("; `{repaired}` is probably meant"));
        }
        let shape: String = found.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
        let finding = findings.add(&RULE, pair.value).grouped(format!("{name} {shape}")).found(found).message(message);
        if let Some(dialect) = dialect(kind, value) {
            finding.severity(Severity::Info).once_per_input_and(dialect);
        }
        if let Some(repaired) = repaired {
            finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, repaired.as_str()));
            finding.expected(repaired);
        }
    }
}

/// Dialects that some programs use throughout a file: an unknown date with the wrong number of
/// question marks, and twelve-hour time.
fn dialect(kind: DateOrTime, value: &[u8]) -> Option<&'static str> {
    match kind {
        DateOrTime::Date => value.iter().all(|byte| matches!(byte, b'?' | b'.')).then_some("unknown date"),
        DateOrTime::Time => {
            let value = value.trim_ascii().to_ascii_lowercase();
            let is_twelve_hour = [" am", " pm", " a.m.", " p.m."].iter().any(|end| value.ends_with(end.as_bytes()));
            (is_twelve_hour && repaired_time(&value).is_some()).then_some("twelve-hour time")
        }
    }
}

/// The date that is meant, if only one reading is possible and the date exists.
fn repaired_date(value: &[u8]) -> Option<String> {
    read_date(value.trim_ascii()).filter(|date| date != date::ZERO)
}

/// The names of the months in English, German, French and Spanish.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janvier", "enero"],
    &["february", "februar", "février", "fevrier", "febrero"],
    &["march", "märz", "maerz", "mars", "marzo"],
    &["april", "avril", "abril"],
    &["may", "mai", "mayo"],
    &["june", "juni", "juin", "junio"],
    &["july", "juli", "juillet", "julio"],
    &["august", "août", "aout", "agosto"],
    &["september", "septembre", "septiembre"],
    &["october", "oktober", "octobre", "octubre"],
    &["november", "novembre", "noviembre"],
    &["december", "dezember", "décembre", "decembre", "diciembre"],
];

/// The days of the week in English.
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A date with the name of its month in place of the number, as in `March 07, 2015` and
/// `07-Mar-2015`: year, month and day, with question marks for a day that is not given.
fn month_in_words(value: &[u8]) -> Option<[String; 3]> {
    /// Minimum length of an abbreviation, in bytes.
    const SHORTEST: usize = 3;
    let value = std::str::from_utf8(value).ok().filter(|value| value.len() <= 40)?.to_lowercase();
    let [mut year, mut month, mut day] = [None, None, None];
    for word in value.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let digits = word.trim_end_matches(|letter: char| letter.is_alphabetic());
        let field = match (digits, &word[digits.len()..]) {
            ("", "of" | "de") => continue,
            ("", name) => {
                let is_short = |known: &&str| name.len() >= SHORTEST && known.starts_with(name);
                if WEEKDAYS.iter().any(is_short) {
                    continue;
                }
                let mut months = (1..).zip(MONTHS).filter(|(_, names)| names.iter().any(is_short));
                let (number, _) = months.next().filter(|_| months.next().is_none())?;
                month.replace(format!("{number:02}"))
            }
            (digits, "") if digits.len() == 4 => year.replace(digits.to_owned()),
            (digits, "" | "st" | "nd" | "rd" | "th") if digits.len() <= 2 => day.replace(digits.to_owned()),
            _ => return None,
        };
        if field.is_some() {
            return None;
        }
    }
    Some([year?, month?, day.unwrap_or_else(|| "??".to_owned())])
}

fn read_date(value: &[u8]) -> Option<String> {
    if value.iter().any(u8::is_ascii_alphabetic) {
        let [year, month, day] = month_in_words(value)?;
        return read_date(format!("{year}.{month}.{day}").as_bytes());
    }
    let parts: Vec<&[u8]> = value.split(|byte| matches!(byte, b'.' | b'/' | b'-')).take(4).collect();
    let day_of = |year: &[u8], month: &[u8], day: &[u8]| {
        let unknown = |part: &[u8]| part.iter().all(|byte| *byte == b'?');
        let (year, month, day) = (
            (!unknown(year)).then(|| date::number(year).filter(|_| year.len() == 4)),
            (!unknown(month)).then(|| date::number(month).filter(|month| (1..=12).contains(month))),
            (!unknown(day)).then(|| date::number(day)),
        );
        // `Some(None)`: neither a number in range nor question marks.
        if year == Some(None) || month == Some(None) || day == Some(None) {
            return None;
        }
        let (year, month, day) = (year.flatten(), month.flatten(), day.flatten());
        if let Some(day) = day
            && !(1..=month.map_or(31, |month| date::days(year, month))).contains(&day)
        {
            return None;
        }
        let field = |value: Option<u32>, width: usize| value.map_or("?".repeat(width), |value| format!("{value:0width$}"));
        Some(format!("{}.{}.{}", field(year, 4), field(month, 2), field(day, 2)))
    };
    match parts[..] {
        [year] if year.len() == 4 => day_of(year, b"??", b"??"),
        [year, month] if year.len() == 4 => day_of(year, month, b"??"),
        [year, month, day] if year.len() == 4 || year == b"?" => day_of(year, month, day),
        [first, second, year] if year.len() == 4 => match (day_of(year, first, second), day_of(year, second, first)) {
            (Some(one), Some(other)) if one != other => None,
            (one, other) => one.or(other),
        },
        _ => None,
    }
}

/// The time that is meant: one with missing digits, or a twelve-hour time.
fn repaired_time(value: &[u8]) -> Option<String> {
    let value: Vec<u8> = value.iter().filter(|byte| !matches!(byte, b' ' | b'.')).take(16).map(u8::to_ascii_lowercase).collect();
    let (digits, afternoon) = match (value.strip_suffix(b"am"), value.strip_suffix(b"pm")) {
        (Some(digits), _) => (digits, Some(false)),
        (_, Some(digits)) => (digits, Some(true)),
        _ => (&value[..], None),
    };
    let parts = digits.split(|byte| *byte == b':').map(date::number).collect::<Option<Vec<u32>>>()?;
    let [hour, minute, second] = parts[..] else { return None };
    let hour = match afternoon {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
    };
    (hour < 24 && minute < 60 && second < 60).then(|| format!("{hour:02}:{minute:02}:{second:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_zero_of_programs_is_never_meant() {
        for (value, expected) in [("30.12.1898", Some("1898.12.30")), ("30.12.1899", None), ("1899-12-30", None)] {
            assert_eq!(repaired_date(value.as_bytes()).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn a_month_in_words_leaves_one_reading() {
        for (value, expected) in [
            ("March 07, 2015", Some("2015.03.07")),
            ("Saturday, 7th of March 2015", Some("2015.03.07")),
            ("07-Mar-2015", Some("2015.03.07")),
            ("2015.Sept.7", Some("2015.09.07")),
            ("7. März 2015", Some("2015.03.07")),
            ("1er janvier 1900", None),
            ("24 juin 1851", Some("1851.06.24")),
            ("May 1927", Some("1927.05.??")),
            ("Jui 1851", None),
            ("Ma 1851", None),
            ("March 7, 15", None),
            ("March 7", None),
            ("February 30, 2015", None),
            ("7 8 March 2015", None),
            ("March or April 2015", None),
            ("Summer 1851", None),
        ] {
            assert_eq!(repaired_date(value.as_bytes()).as_deref(), expected, "{value}");
        }
    }
}
