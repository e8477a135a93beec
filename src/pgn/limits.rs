//! Plausible values of tags.

use jiff::civil::Date;

/// The ratings and dates that are plausible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Minimum rating.
    pub min_elo: u32,
    /// Maximum rating.
    pub max_elo: u32,
    /// First day on which a game can have been played.
    pub first_day: Date,
    /// Last day on which a game can have been played; `None` for no limit.
    pub last_day: Option<Date>,
    /// The current day, if it was given: later dates are in the future. Unlike
    /// [`Limits::last_day`], the next day is also allowed, because of time zones.
    pub as_of: Option<Date>,
}

impl Limits {
    /// Limits beyond doubt: ratings of FIDE's scale and well above it, and the year in which the
    /// modern moves of the queen are first recorded.
    pub const DEFAULT: Limits =
        Limits { min_elo: 1, max_elo: 4000, first_day: Date::constant(1475, 1, 1), last_day: None, as_of: None };

    /// Whether a value that is plausible in [`Limits::DEFAULT`] is not plausible here.
    pub fn are_narrower(&self) -> bool {
        self.min_elo > Limits::DEFAULT.min_elo
            || self.max_elo < Limits::DEFAULT.max_elo
            || self.first_day > Limits::DEFAULT.first_day
            || self.end().is_some()
    }

    /// The last day that is allowed.
    pub fn end(&self) -> Option<Date> {
        // In the time zone of the game it may be a day later.
        let tomorrow = self.as_of.map(|day| day.tomorrow().unwrap_or(Date::MAX));
        match (self.last_day, tomorrow) {
            (Some(last), Some(tomorrow)) => Some(last.min(tomorrow)),
            (last, tomorrow) => last.or(tomorrow),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
