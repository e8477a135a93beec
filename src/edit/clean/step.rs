//! The steps from raw to clean.

use serde::Serialize;

/// A step from raw to clean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Make repairs
    Repair,
    /// Write main spellings of names
    Names,
    /// Complete tags of kept games from their copies
    Complete,
    /// Move copies out
    Copies,
    /// Move bad records aside
    Aside,
}
