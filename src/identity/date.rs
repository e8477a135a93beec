//! Dates of games, as far as they are known.

use super::GameCard;
use crate::pgn::KnownTag;

/// A date. A month is known only with its year, and a day only with its month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameDate {
    /// The year, if it is known.
    pub year: Option<u16>,
    /// The month, from 1.
    pub month: Option<u8>,
    /// The day, from 1.
    pub day: Option<u8>,
}

impl GameDate {
    /// The date in the value of a tag: `2001.05.03`, `2001.5.3`, `2001-05-03`, `2001.??.??` or
    /// `2001`. Of `03.05.2001`, only the year is read, because the order of day and month differs
    /// between countries.
    pub fn new(text: &str) -> GameDate {
        if let Some(date) = GameDate::usual(text.as_bytes()) {
            return date;
        }
        let mut fields = text.trim().split(['.', '-', '/']).map(str::trim);
        let (first, second, third) = (fields.next(), fields.next(), fields.next());
        let Some(year) = first.and_then(year) else {
            return GameDate { year: third.and_then(year), ..GameDate::default() };
        };
        let part = |text: Option<&str>, max| text.and_then(|text| text.parse().ok()).filter(|part| (1..=max).contains(part));
        let month = part(second, 12);
        GameDate { year: Some(year), month, day: month.and_then(|_| part(third, 31)) }
    }

    /// A date as `2001.05.03`, or with `??` for what is not known. `None` if it is another text, or
    /// no date.
    fn usual(text: &[u8]) -> Option<GameDate> {
        let &[a, b, c, d, b'.', e, f, b'.', g, h] = text else { return None };
        let number = |digits: &[u8]| {
            digits
                .iter()
                .try_fold(0_u16, |number, digit| Some(10 * number + u16::from(digit.checked_sub(b'0').filter(|d| *d < 10)?)))
        };
        let year = number(&[a, b, c, d]).filter(|year| (1000..3000).contains(year))?;
        let part = |digits: [u8; 2], max| match digits {
            [b'?', b'?'] => Some(None),
            digits => number(&digits).filter(|part| (1..=max).contains(part)).map(|part| Some(part as u8)),
        };
        let month = part([e, f], 12)?;
        let day = part([g, h], 31)?;
        Some(GameDate { year: Some(year), month, day: month.and(day) })
    }

    /// The date of a game: that of the tag Date, else UTCDate, else the year of EventDate.
    pub fn of(card: &GameCard<'_>) -> GameDate {
        let date_in = |tag| GameDate::new(card.tag(tag));
        let known = || [KnownTag::Date, KnownTag::UtcDate].into_iter().map(date_in).find(|date| date.is_known());
        known().unwrap_or_else(|| GameDate { year: date_in(KnownTag::EventDate).year, ..GameDate::default() })
    }

    /// Whether at least the year is known.
    pub fn is_known(self) -> bool {
        self.year.is_some()
    }

    /// Number of known parts.
    pub fn parts(self) -> u8 {
        u8::from(self.year.is_some()) + u8::from(self.month.is_some()) + u8::from(self.day.is_some())
    }

    /// Whether all known parts are equal.
    pub fn is_compatible(self, other: GameDate) -> bool {
        are_compatible(self.year, other.year) && are_compatible(self.month, other.month) && are_compatible(self.day, other.day)
    }

    /// Whether the dates are one year apart, and nothing else in them contradicts: the year is a
    /// slip, or the game was played at the turn of the year.
    pub fn is_one_year_apart(self, other: GameDate) -> bool {
        let (Some(year), Some(other_year)) = (self.year, other.year) else { return false };
        let (first, second) = if year < other_year { (self, other) } else { (other, self) };
        year.abs_diff(other_year) == 1
            && ((are_compatible(self.month, other.month) && are_compatible(self.day, other.day))
                || (first.month, second.month) == (Some(12), Some(1)))
    }
}

/// Whether two parts are equal or one of them is not known.
fn are_compatible<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// A year in four digits.
fn year(text: &str) -> Option<u16> {
    text.parse().ok().filter(|year| text.len() == 4 && (1000..3000).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_all_spellings() {
        for (text, year, month, day) in [
            ("2001.05.03", 2001, 5, 3),
            ("2001.5.3", 2001, 5, 3),
            ("2001-05-03", 2001, 5, 3),
            ("2001/05/03", 2001, 5, 3),
            ("2001.05.??", 2001, 5, 0),
            ("2001.??.03", 2001, 0, 0),
            ("2001.??.??", 2001, 0, 0),
            ("2001", 2001, 0, 0),
            ("2001.13.40", 2001, 0, 0),
            ("03.05.2001", 2001, 0, 0),
            ("????.??.??", 0, 0, 0),
            ("????.05.03", 0, 0, 0),
            ("?.??.??", 0, 0, 0),
            ("01.05.03", 0, 0, 0),
            ("+201.05.03", 0, 0, 0),
            ("0000.00.00", 0, 0, 0),
            ("", 0, 0, 0),
        ] {
            let known = |part: u16| (part > 0).then_some(part);
            let expected = GameDate { year: known(year), month: known(month).map(|m| m as u8), day: known(day).map(|d| d as u8) };
            assert_eq!(GameDate::new(text), expected, "{text}");
        }
    }

    #[test]
    fn other_tags_are_read_if_there_is_no_date() {
        let of = |tags: &[(KnownTag, &'static str)]| GameDate::of(&GameCard { tags: tags.to_vec(), ..GameCard::default() });
        let event = (KnownTag::EventDate, "2001.05.01");
        assert_eq!(of(&[event]), GameDate::new("2001"));
        assert_eq!(of(&[event, (KnownTag::UtcDate, "2001.05.03")]), GameDate::new("2001.05.03"));
        assert_eq!(of(&[(KnownTag::Date, "2001.05.??"), event]), GameDate::new("2001.05"));
        assert_eq!(of(&[(KnownTag::Date, "????.??.??"), event]), GameDate::new("2001"));
        assert_eq!(of(&[]).parts(), 0);
    }

    #[test]
    fn known_parts_are_compared() {
        for (one, other, are_compatible, is_one_year_apart) in [
            ("2001.05.03", "2001.05.03", true, false),
            ("2001.05.03", "2001.05.??", true, false),
            ("2001.05.03", "2001", true, false),
            ("2001.05.03", "????.??.??", true, false),
            ("2001.05.03", "2001.05.04", false, false),
            ("2001.05.03", "2001.06.??", false, false),
            ("2001", "2002", false, true),
            ("2001", "2003", false, false),
            ("2001.05.03", "2002.05.03", false, true),
            ("2001.05.03", "2002.09.03", false, false),
            ("2001.12.28", "2002.01.03", false, true),
            ("2001.01.03", "2002.12.28", false, false),
            ("2001.05.03", "2002", false, true),
        ] {
            let (first, second) = (GameDate::new(one), GameDate::new(other));
            assert_eq!(first.is_compatible(second), are_compatible, "{one} / {other}");
            assert_eq!(second.is_compatible(first), are_compatible, "{other} / {one}");
            assert_eq!(first.is_one_year_apart(second), is_one_year_apart, "{one} / {other}");
            assert_eq!(second.is_one_year_apart(first), is_one_year_apart, "{other} / {one}");
        }
    }
}
