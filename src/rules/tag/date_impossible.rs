//! TAG07: dates and times that do not exist.

use super::date::{self, DateOrTime, Fields};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG07"),
    name: "date-impossible",
    severity: Severity::Error,
    summary: "A date or time does not exist",
    what: "A date or time has the right form, but its month, day, hour, minute or second does not \
           exist. The length of the month in that year counts, so `2021.02.29` is an error. \
           Old-style dates such as `1900.02.29`, and `1712.02.30` in Sweden, are warnings. So are \
           `24:00:00` and leap seconds such as `23:59:60`. If the date exists with day and month \
           swapped, that date is suggested. Zeros stand for an unknown month or day.",
    why: "It is a typing error. Programs that sort by date skip the game or put it in the wrong \
           place.",
    fix: "Look up the date. Write `??` for an unknown month or day.",
    source: "PGN standard 8.1.1.3, 9.2.1, 9.5",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Tags("[Date \"⟦2021.31.10⟧\"]"),
        Sample::Tags("[Date \"⟦1972.03.00⟧\"]"),
        Sample::Game { tags: "[Date \"⟦2021.02.29⟧\"]", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[Date \"2020.01.05\"]\n[UTCTime \"⟦25:61:00⟧\"]", moves: "1. e4 e5 *" },
    ],
    silent: &[
        Sample::Game { tags: "[Date \"2020.02.29\"]", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[Date \"????.02.??\"]", moves: "1. e4 e5 *" },
    ],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for (kind, pair, value) in date::stated(facts) {
        let Some(fields) = date::fields(kind, value) else { continue };
        let fault = match kind {
            DateOrTime::Date => fault_of_date(fields),
            DateOrTime::Time => fault_of_time(fields),
        };
        let Some((severity, reason)) = fault else { continue };
        let found = shown(value);
        let verdict = if severity == Severity::Error { "is impossible" } else { "is doubtful" };
        let mut message = format!("{} `{found}` {verdict}: {reason}", shown(pair.name.of(facts.text)));
        let is_date_error = kind == DateOrTime::Date && severity == Severity::Error;
        let swapped = if is_date_error { swapped(fields) } else { None };
        if let Some(swapped) = &swapped {
            message.push_str(&format!("; `{swapped}` is possible: day and month may be swapped"));
        }
        let expected = swapped.or_else(|| if is_date_error { with_unknown_fields(fields) } else { None });
        let finding = findings.add(&RULE, pair.value).severity(severity).found(found).message(message);
        // A program writes the same false date where it knows none.
        finding.once_if_usual(format!("{} {}", shown(pair.name.of(facts.text)), shown(value)));
        if let Some(expected) = expected {
            finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, expected.as_str()));
            finding.expected(expected);
        }
    }
}

/// The date with day and month swapped, if it exists.
fn swapped([year, month, day]: Fields) -> Option<String> {
    let (month, day) = (month?, day?);
    let fields = [year, Some(day), Some(month)];
    let year = year.map_or_else(|| "????".to_owned(), |year| format!("{year:04}"));
    let date = format!("{year}.{day:02}.{month:02}");
    (fault_of_date(fields).is_none() && date != date::ZERO).then_some(date)
}

/// The date with question marks in place of zeros, which stand for unknown fields. Not if it is the
/// first date of Excel, whose year means nothing either.
fn with_unknown_fields([year, month, day]: Fields) -> Option<String> {
    let is_zero = |field: Option<u32>| field == Some(0);
    if !(is_zero(month) || is_zero(day)) || [year, month, day] == [Some(1900), Some(1), Some(0)] {
        return None;
    }
    let year = year.filter(|year| *year > 0);
    let month = month.filter(|month| *month > 0);
    let day = day.filter(|day| *day > 0 && month.is_some());
    if fault_of_date([year, month, day]).is_some() {
        return None;
    }
    let field = |value: Option<u32>, width: usize| value.map_or("?".repeat(width), |value| format!("{value:0width$}"));
    Some(format!("{}.{}.{}", field(year, 4), field(month, 2), field(day, 2)))
}

/// Years up to 1582 are Julian: each century year has a 29 February. From 1583 to 1923 that day may
/// be old style. If the year is unknown, 29 February is allowed; if the month is, day 31.
fn fault_of_date([year, month, day]: Fields) -> Option<(Severity, String)> {
    if let Some(month) = month
        && !(1..=12).contains(&month)
    {
        return Some((Severity::Error, format!("there is no month {month:02}")));
    }
    let day = day?;
    if day == 0 {
        return Some((Severity::Error, "there is no day 00".to_owned()));
    }
    let Some(month) = month else {
        return (!(1..=31).contains(&day)).then(|| (Severity::Error, format!("no month has a day {day:02}")));
    };
    let last = date::days(year, month);
    if (1..=last).contains(&day) {
        return None;
    }
    let julian = (month, day) == (2, 29) && year.is_some_and(|year| year.is_multiple_of(100));
    match year {
        Some(..=1582) if julian => None,
        Some(year @ 1583..1924) if julian => {
            Some((Severity::Warning, format!("{year} was a leap year only in the Julian calendar; the date may be old style")))
        }
        Some(1712) if (month, day) == (2, 30) => Some((Severity::Warning, "only Sweden had a 30 February, in 1712".to_owned())),
        Some(year) => Some((Severity::Error, format!("month {month:02} of {year:04} has {last} days"))),
        None => Some((Severity::Error, format!("month {month:02} has at most {last} days"))),
    }
}

fn fault_of_time([hour, minute, second]: Fields) -> Option<(Severity, String)> {
    match (hour, minute, second) {
        (Some(24), Some(0), Some(0)) => Some((Severity::Warning, "midnight is 00:00:00 of the next day".to_owned())),
        (Some(hour @ 24..), ..) => Some((Severity::Error, format!("there is no hour {hour:02}"))),
        (_, Some(minute @ 60..), _) => Some((Severity::Error, format!("there is no minute {minute:02}"))),
        (.., Some(60)) => Some((Severity::Warning, "second 60 exists only as a leap second".to_owned())),
        (.., Some(second @ 61..)) => Some((Severity::Error, format!("there is no second {second:02}"))),
        _ => None,
    }
}
