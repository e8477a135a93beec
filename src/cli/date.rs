//! The date of an audit.

use std::env;

use anyhow::Context;
use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// The variable with the date of reproducible builds.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The current date, by UTC.
pub fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// The date in a history: `as_of`, that of reproducible builds, or today.
pub fn date_of_history(as_of: Option<Date>) -> anyhow::Result<Date> {
    if let Some(date) = as_of {
        return Ok(date);
    }
    let Some(seconds) = env::var_os(EPOCH).filter(|seconds| !seconds.is_empty()) else { return Ok(today()) };
    let timestamp = seconds.to_str().and_then(|text| Timestamp::from_second(text.parse().ok()?).ok());
    let timestamp = timestamp.with_context(|| format!("{EPOCH} is not a number of seconds: `{}`", seconds.display()))?;
    Ok(timestamp.to_zoned(TimeZone::UTC).date())
}
