//! Ceilings of the number of findings.

use std::{fmt, str::FromStr};

use crate::text::wording::thousands;

/// The records that a relative ceiling is about.
const MILLION: u64 = 1_000_000;

/// Maximum number of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// The number.
    pub most: u64,
    /// Whether it is that for a million games and positions.
    pub is_per_million: bool,
}

impl Ceiling {
    /// Whether so many findings in so many records are too many. If not all records were read, a
    /// rate is unknown.
    pub fn excludes(self, findings: u64, records: u64, is_all: bool) -> bool {
        if !self.is_per_million {
            return findings > self.most;
        }
        let scaled = |number: u64, by: u64| u128::from(number) * u128::from(by);
        is_all && scaled(findings, MILLION) > scaled(self.most, records)
    }
}

impl fmt::Display for Ceiling {
    /// `2`, `2 per million`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.is_per_million { " per million" } else { "" };
        write!(f, "{}{unit}", thousands(self.most))
    }
}

/// The text is not a ceiling.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a number of findings, such as 10 or \"2 per million\"")]
pub struct NotACeiling(String);

impl FromStr for Ceiling {
    type Err = NotACeiling;

    fn from_str(text: &str) -> Result<Ceiling, NotACeiling> {
        let (number, is_per_million) = match text.trim().strip_suffix("per million") {
            Some(number) => (number, true),
            None => (text, false),
        };
        let most = number.trim().parse().map_err(|_| NotACeiling(text.to_owned()))?;
        Ok(Ceiling { most, is_per_million })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_a_million_records() -> Result<(), NotACeiling> {
        let ceiling: Ceiling = "2 per million".parse()?;
        for (findings, records, is_excluded) in
            [(0, 0, false), (1, 499_999, true), (1, 500_000, false), (2, 1_000_000, false), (3, 1_000_000, true)]
        {
            assert_eq!(ceiling.excludes(findings, records, true), is_excluded, "{findings} in {records}");
            assert!(!ceiling.excludes(findings, records, false), "not all were read");
        }
        Ok(())
    }

    #[test]
    fn a_number_is_that_of_a_run() -> Result<(), NotACeiling> {
        let ceiling: Ceiling = "2".parse()?;
        assert!(!ceiling.excludes(2, 2, true) && ceiling.excludes(3, u64::MAX, false));
        for text in ["", "per million", "two", "-1", "2 per thousand", "2.5 per million"] {
            assert!(text.parse::<Ceiling>().is_err(), "{text}");
        }
        Ok(())
    }
}
