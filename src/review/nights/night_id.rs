//! The number and the date of a night.

use std::{fmt, str::FromStr};

use jiff::civil::Date;

/// The number and the date of a night: the name of its report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NightId {
    /// The number, from 1.
    pub number: u64,
    /// The date.
    pub date: Date,
}

impl fmt::Display for NightId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}-{}", self.number, self.date)
    }
}

impl FromStr for NightId {
    type Err = ();

    fn from_str(name: &str) -> Result<NightId, ()> {
        let (number, date) = name.split_once('-').ok_or(())?;
        let night = NightId { number: number.parse().map_err(|_| ())?, date: date.parse().map_err(|_| ())? };
        // Another spelling is another directory.
        if night.to_string() == name { Ok(night) } else { Err(()) }
    }
}
