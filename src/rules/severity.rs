//! Severities, and the profiles that show them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Style or hint.
    Info,
    /// Probable fault: against the standard, or two statements contradict each other.
    Warning,
    /// Proven fault: never fires on what legal moves reach or the standard allows.
    Error,
}

impl Severity {
    /// All severities, the highest first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

    /// The word in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A named selection of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Errors and warnings.
    #[default]
    Standard,
    /// Infos as well.
    Strict,
    /// Strict, plus the layout of PGN export format.
    Export,
    /// Composed positions and games at odds: rules about what a game can reach are off.
    Problem,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 4] = [Profile::Standard, Profile::Strict, Profile::Export, Profile::Problem];

    /// The word on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Profile::Standard => "standard",
            Profile::Strict => "strict",
            Profile::Export => "export",
            Profile::Problem => "problem",
        }
    }

    pub(super) const fn min_severity(self) -> Severity {
        match self {
            Profile::Standard | Profile::Problem => Severity::Warning,
            Profile::Strict | Profile::Export => Severity::Info,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
