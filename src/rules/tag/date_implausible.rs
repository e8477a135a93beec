//! TAG08: dates that contradict each other or are out of range.

use jiff::civil::Date;
use memchr::memmem;

use super::date::{self, Age, DateOrTime, Fields};
use crate::pgn::{Limits, TagPair};
use crate::rules::prelude::*;
use crate::rules::{Note, Notes, Sums, sums_of};

pub static RULE: Rule = Rule {
    code: code!("TAG08"),
    name: "date-implausible",
    severity: Severity::Warning,
    summary: "A date contradicts another one or is out of range",
    what: "Date is before EventDate, after EndDate, or more than one day away from UTCDate. Date, \
           EventDate and UTCDate are also reported if they are before 1475 or after the day given \
           with `--as-of`, or if the day is known but the month is not. The settings can change \
           the range (`dates`). The date `1899.12.30` is 0 in Delphi and Excel. It is reported if most \
           dates of the input are later than 1950, or if another date, a rating or a FIDE id shows \
           that the game is. UTCDate in a Lichess study is not compared. Unknown fields are not compared.",
    why: "One of the dates is probably the day of an import, or a typing error. Sorting and \
           statistics by date are wrong.",
    fix: "Look up the date and correct it. Write `????.??.??` for an unknown date.",
    source: "PGN standard 8.1.1.3, 9.2.1, 9.5",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("TAG06"), code!("TAG07")]),
    fires: &[
        Sample::Tags("[Date \"⟦2018.05.01⟧\"]\n[EventDate \"2021.05.01\"]"),
        Sample::Tags("[Date \"2020.01.05\"]\n[UTCDate \"⟦2020.01.07⟧\"]"),
        Sample::Tags("[Date \"⟦1208.01.05⟧\"]"),
        Sample::Tags("[Date \"⟦2008.??.05⟧\"]"),
        Sample::Tags("[Date \"⟦1899.12.30⟧\"]\n[WhiteElo \"1500\"]"),
        Sample::Tags("[Date \"⟦1899.12.30⟧\"]\n[EventDate \"2010.05.01\"]"),
    ],
    silent: &[
        Sample::Tags("[Date \"2021.??.??\"]\n[EventDate \"2021.05.01\"]\n[UTCDate \"2022.01.01\"]"),
        Sample::Tags("[Date \"2015.01.05\"]\n[UTCDate \"2020.01.07\"]\n[StudyName \"Endgames\"]"),
        Sample::Tags("[Date \"2015.01.05\"]\n[UTCDate \"2020.01.07\"]\n[Site \"https://lichess.org/study/abcdefgh/ijklmnop\"]"),
        Sample::Tags("[Date \"1899.12.30\"]\n[EventDate \"1899.12.28\"]\n[WhiteElo \"?\"]"),
        Sample::Tags("[Date \"2020.12.31\"]\n[UTCDate \"2021.01.01\"]\n[EndDate \"2021.01.01\"]"),
    ],
    check: Check::Tags(check),
    note: Some(&Note { sums: 3, holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Where the sums of the rule begin.
const AT: usize = sums_of(RULE.code);

/// Most games of the input with a known date were played after 1950.
const DATES_RECENT: Condition = Condition::new(RULE.code, 0);

/// No more games of the input were played up to 1950 than later, by their dates.
const DATES_NOT_OLD: Condition = Condition::new(RULE.code, 1);

/// Notes when a game was played, by its Date tag.
#[inline(always)]
pub fn note_age(notes: &mut impl Sums, age: Age) {
    notes.count(AT + age as usize, 1);
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let ages: &[u64; 3] = notes.sums(AT);
    let [recent, old] = [Age::Recent, Age::Old].map(|age| ages[age as usize]);
    recent > old || condition == DATES_NOT_OLD && recent == old
}

/// One day after `--as-of` is still allowed, because of time zones. Without that option and without
/// a last day in the settings, no date is too late. The queen got her present moves about 1475.
fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let dated = |tag: KnownTag| {
        let pair = facts.pair(tag)?;
        Some((pair, date::fields(DateOrTime::Date, pair.value.of(facts.text))?))
    };
    let date = dated(KnownTag::Date);
    let event = dated(KnownTag::EventDate);
    let utc = dated(KnownTag::UtcDate);
    let end = dated(KnownTag::EndDate);
    let quoted = |pair: TagPair| format!("{} `{}`", shown(pair.name.of(facts.text)), shown(pair.value.of(facts.text)));
    if let Some(pair) = [date, event, utc].into_iter().flatten().find_map(|(pair, _)| is_zero(facts, pair).then_some(pair))
        && report_zero(facts, pair, findings)
    {
        return;
    }
    let mut report = |pair: TagPair, what: String| {
        let message = format!("{} {what}", quoted(pair));
        findings.add(&RULE, pair.value).found(shown(pair.value.of(facts.text))).message(message);
    };
    for (pair, fields) in [date, event, utc].into_iter().flatten() {
        match fields {
            _ if fields[0] != Some(0) && is_before(fields, fields_of(facts.limits.first_day)) => {
                report(pair, format!("is before {}", first_day(&facts.limits)));
            }
            _ if facts.limits.end().is_some_and(|end| is_before(fields_of(end), fields)) => {
                report(pair, format!("is after {}", last_day(&facts.limits)));
            }
            [_, None, Some(_)] => report(pair, "has a known day in an unknown month".to_owned()),
            _ => {}
        }
    }
    let Some((pair, date)) = date else { return };
    if let Some((other, event)) = event
        && is_before(date, event)
    {
        report(pair, format!("is before {}", quoted(other)));
    }
    if let Some((other, end)) = end
        && is_before(end, date)
    {
        report(other, format!("is before {}", quoted(pair)));
    }
    // In a Lichess study, UTCDate is the day on which the chapter was created.
    let study_tags = [KnownTag::StudyName, KnownTag::ChapterName, KnownTag::ChapterUrl];
    let is_study = study_tags.into_iter().any(|tag| facts.pair(tag).is_some())
        || facts.pair(KnownTag::Site).is_some_and(|site| memmem::find(site.value.of(facts.text), b"lichess.org/study").is_some());
    if let Some((other, utc)) = utc.filter(|_| !is_study)
        && let (Some(day), Some(utc)) = (day_number(date), day_number(utc))
        && day.abs_diff(utc) > 1
    {
        let apart = quantity(day.abs_diff(utc), "day", "days");
        report(other, format!("is {apart} away from {}: time zones explain at most 1 day", quoted(pair)));
    }
}

/// Whether the tag contains the date 0 of programs.
fn is_zero(facts: &TagSection<'_>, pair: TagPair) -> bool {
    pair.value.of(facts.text) == date::ZERO.as_bytes()
}

/// Reports the date 0 of programs, unless the settings exclude it. Whether no date was known is
/// shown by the other dates of the game, or else by those of the input. Returns whether nothing can
/// be compared with the date.
#[cold]
fn report_zero(facts: &TagSection<'_>, pair: TagPair, findings: &mut Findings) -> bool {
    if facts.limits.first_day > jiff::civil::date(1899, 12, 30) {
        return false;
    }
    let others = [KnownTag::Date, KnownTag::EventDate, KnownTag::UtcDate, KnownTag::EndDate];
    let ages = || others.into_iter().filter_map(|tag| facts.value(tag)).map(Age::of);
    let is_recent = ages().any(|age| age == Age::Recent);
    if !is_recent && ages().any(|age| age == Age::Old) {
        return false;
    }
    let is_number = |value: &[u8]| value.iter().all(u8::is_ascii_digit) && value.iter().any(|digit| *digit != b'0');
    let since_ratings = [KnownTag::WhiteElo, KnownTag::BlackElo, KnownTag::WhiteFideId, KnownTag::BlackFideId];
    let is_rated = since_ratings.into_iter().any(|tag| facts.value(tag).is_some_and(is_number));
    let name = shown(pair.name.of(facts.text));
    let finding = findings.add(&RULE, pair.value).found(date::ZERO).expected("????.??.??").grouped(format!("{name} zero"));
    finding.message(format!("{name} `{}` is the date 0 of Delphi and Excel: the date is probably not known", date::ZERO));
    finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, "????.??.??"));
    if !is_recent {
        finding.only_if(if is_rated { DATES_NOT_OLD } else { DATES_RECENT });
    }
    is_recent
}

/// The fields of a day.
fn fields_of(day: Date) -> Fields {
    let field = |value: i8| u32::try_from(value).ok();
    [u32::try_from(day.year()).ok(), field(day.month()), field(day.day())]
}

/// The first day on which a game can have been played, with the reason.
fn first_day(limits: &Limits) -> String {
    if limits.first_day == Limits::DEFAULT.first_day {
        return format!("{}, when chess had different rules", limits.first_day.year());
    }
    format!("{}, the first day that the settings allow", limits.first_day.strftime("%Y.%m.%d"))
}

/// The last day on which a game can have been played, with the reason.
fn last_day(limits: &Limits) -> String {
    match (limits.last_day, limits.as_of) {
        (Some(last), _) if limits.end() == Some(last) => {
            format!("{}, the last day that the settings allow", last.strftime("%Y.%m.%d"))
        }
        (_, as_of) => format!("{}, the day given with --as-of", as_of.map(|day| day.to_string()).unwrap_or_default()),
    }
}

/// Whether one date is before another, judged by the leading fields that both have.
fn is_before(one: Fields, other: Fields) -> bool {
    for (one, other) in one.into_iter().zip(other) {
        match (one, other) {
            (Some(one), Some(other)) if one != other => return one < other,
            (Some(_), Some(_)) => {}
            _ => return false,
        }
    }
    false
}

/// The number of a day, counted from the beginning of the calendar; `None` if a field is unknown.
fn day_number([year, month, day]: Fields) -> Option<u32> {
    let (year, month, day) = (year?, month?, day?);
    let before = year.checked_sub(1)?;
    let months: u32 = (1..month.min(13)).map(|month| date::days(Some(year), month)).sum();
    Some(before * 365 + before / 4 - before / 100 + before / 400 + months + day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::tag_pairs;

    #[test]
    fn dates_more_than_a_day_after_as_of_are_in_the_future() {
        let count = |value: &str, as_of: Option<Date>| {
            let text = format!("[Date \"{value}\"]\n");
            let pairs = tag_pairs(&text);
            let facts = TagSection::new(text.as_bytes(), &pairs, &[], pairs[0].place).within(Limits { as_of, ..Limits::DEFAULT });
            let mut findings = Findings::new();
            check(&facts, &mut findings);
            findings.len()
        };
        let day = jiff::civil::date(2023, 12, 31);
        for (value, future) in [
            ("2023.12.31", 0),
            ("2024.01.01", 0),
            ("2024.01.02", 1),
            ("2024.02.??", 1),
            ("2024.01.??", 0),
            ("2024.??.??", 0),
            ("2025.??.??", 1),
            ("????.??.??", 0),
            ("????.12.31", 0),
        ] {
            assert_eq!(count(value, Some(day)), future, "{value}");
            assert_eq!(count(value, None), 0, "{value}");
        }
    }

    #[test]
    fn the_settings_change_the_range() {
        let day = jiff::civil::date;
        let messages = |value: &str, limits: Limits| {
            let text = format!("[Date \"{value}\"]\n");
            let pairs = tag_pairs(&text);
            let mut findings = Findings::new();
            check(&TagSection::new(text.as_bytes(), &pairs, &[], pairs[0].place).within(limits), &mut findings);
            findings.all().iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
        };
        let nineties = Limits { first_day: day(1990, 5, 1), last_day: Some(day(1999, 12, 31)), ..Limits::DEFAULT };
        for value in ["1990.05.01", "1990.??.??", "1990.05.??", "1999.12.31", "1999.??.??", "????.??.??"] {
            assert!(messages(value, nineties).is_empty(), "{value}");
        }
        for value in ["1990.04.30", "1990.04.??", "1989.??.??"] {
            assert_eq!(
                messages(value, nineties),
                [format!("Date `{value}` is before 1990.05.01, the first day that the settings allow")],
                "{value}"
            );
        }
        for value in ["2000.01.01", "2000.??.??"] {
            assert_eq!(
                messages(value, nineties),
                [format!("Date `{value}` is after 1999.12.31, the last day that the settings allow")],
                "{value}"
            );
        }
        // The earlier of two last days counts.
        let with_as_of = Limits { as_of: Some(day(1995, 1, 1)), ..nineties };
        assert_eq!(messages("1995.01.03", with_as_of), ["Date `1995.01.03` is after 1995-01-01, the day given with --as-of"]);
        // Shatranj.
        assert!(messages("0900.01.01", Limits { first_day: day(800, 1, 1), ..Limits::DEFAULT }).is_empty());
    }

    #[test]
    fn day_numbers_are_consecutive() {
        let number = |year, month, day| day_number([Some(year), Some(month), Some(day)]);
        assert_eq!(number(2020, 3, 1), number(2020, 2, 29).map(|day| day + 1));
        assert_eq!(number(2021, 3, 1), number(2021, 2, 28).map(|day| day + 1));
        assert_eq!(number(2021, 1, 1), number(2020, 12, 31).map(|day| day + 1));
        assert_eq!(number(2001, 1, 1), number(2000, 12, 31).map(|day| day + 1));
        assert_eq!(number(1901, 1, 1), number(1900, 1, 1).map(|day| day + 365));
        assert_eq!(day_number([Some(2000), None, Some(1)]), None);
    }

    #[test]
    fn unknown_fields_are_not_compared() {
        let date = |year, month, day| [year, month, day];
        assert!(is_before(date(Some(2018), None, None), date(Some(2019), Some(1), Some(1))));
        assert!(!is_before(date(Some(2019), None, None), date(Some(2019), Some(1), Some(1))));
        assert!(!is_before(date(Some(2019), Some(1), Some(1)), date(Some(2019), Some(1), Some(1))));
        assert!(is_before(date(Some(2019), Some(1), Some(1)), date(Some(2019), Some(1), Some(2))));
        assert!(!is_before(date(None, Some(1), Some(1)), date(Some(2019), Some(1), Some(2))));
    }

    #[test]
    fn the_dates_of_an_input_decide() {
        let holds = |ages: &[Age]| {
            let mut notes = Notes::default();
            ages.iter().for_each(|age| note_age(&mut notes, *age));
            (notes.hold(DATES_RECENT), notes.hold(DATES_NOT_OLD))
        };
        assert_eq!(holds(&[]), (false, true));
        assert_eq!(holds(&[Age::Unknown, Age::Old, Age::Recent]), (false, true));
        assert_eq!(holds(&[Age::Old, Age::Recent, Age::Recent]), (true, true));
        assert_eq!(holds(&[Age::Old, Age::Unknown]), (false, false));
    }
}
