//! What the values of tags can be.

use jiff::civil::Date;

/// The ratings and the days that are taken as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The least rating.
    pub least_elo: u32,
    /// The greatest rating.
    pub greatest_elo: u32,
    /// The first day on which a game can have been played.
    pub first_day: Date,
    /// The last day on which one can; `None`: there is none.
    pub last_day: Option<Date>,
    /// The day after which dates lie in the future, where somebody has said so. Unlike with [`Limits::last_day`] the day after
    /// it is let pass, for time zones.
    pub as_of: Option<Date>,
}

impl Limits {
    /// What nobody disputes: FIDE's scale with room above it, and the year in which the queen's present moves are first written of.
    pub const DEFAULT: Limits =
        Limits { least_elo: 1, greatest_elo: 4000, first_day: Date::constant(1475, 1, 1), last_day: None, as_of: None };

    /// Whether some value that [`Limits::DEFAULT`] takes as possible is not.
    pub fn are_narrower(&self) -> bool {
        self.least_elo > Limits::DEFAULT.least_elo
            || self.greatest_elo < Limits::DEFAULT.greatest_elo
            || self.first_day > Limits::DEFAULT.first_day
            || self.end().is_some()
    }

    /// The last day that is let pass.
    pub fn end(&self) -> Option<Date> {
        // Where the game was played it may be a day later.
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
