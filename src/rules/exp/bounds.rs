//! Bounds of what is counted.

use std::fmt;

use crate::text::wording::{quantity, thousands};

/// What is counted in a run or an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Inputs of a run.
    Inputs,
    /// Games.
    Games,
    /// Position lines.
    Positions,
    /// Plies that were replayed.
    Plies,
    /// Bytes of (decompressed) text.
    Bytes,
}

impl Quantity {
    /// Everything that is counted.
    pub const ALL: [Quantity; 5] = [Quantity::Inputs, Quantity::Games, Quantity::Positions, Quantity::Plies, Quantity::Bytes];

    /// The name in the settings.
    pub const fn as_str(self) -> &'static str {
        self.nouns().1
    }

    const fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Quantity::Inputs => ("input", "inputs"),
            Quantity::Games => ("game", "games"),
            Quantity::Positions => ("position", "positions"),
            Quantity::Plies => ("ply", "plies"),
            Quantity::Bytes => ("byte", "bytes"),
        }
    }

    /// `1 game`, `4,000 games`.
    pub fn describe(self, number: u64) -> String {
        let (one, many) = self.nouns();
        quantity(number, one, many)
    }
}

/// The numbers that are expected. Both ends are included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The lowest one.
    pub min: Option<u64>,
    /// The highest one.
    pub max: Option<u64>,
}

impl Bounds {
    /// Exactly this number.
    pub const fn exactly(number: u64) -> Bounds {
        Bounds { min: Some(number), max: Some(number) }
    }

    /// Whether a number is outside. If not everything was counted, there may be more.
    pub fn excludes(self, number: u64, is_all: bool) -> bool {
        self.max.is_some_and(|max| number > max) || is_all && self.min.is_some_and(|min| number < min)
    }
}

impl fmt::Display for Bounds {
    /// `exactly 812`, `at least 4,000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => write!(f, "exactly {}", thousands(min)),
            (Some(min), Some(max)) => write!(f, "{} to {}", thousands(min), thousands(max)),
            (Some(min), None) => write!(f, "at least {}", thousands(min)),
            (None, Some(max)) => write!(f, "at most {}", thousands(max)),
            (None, None) => f.write_str("any number"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_included() {
        let bounds = Bounds { min: Some(10), max: Some(20) };
        let excluded: Vec<u64> = (8..23).filter(|number| bounds.excludes(*number, true)).collect();
        assert_eq!(excluded, [8, 9, 21, 22]);
        assert!((0..1000).all(|number| !Bounds::default().excludes(number, true)));
    }

    #[test]
    fn what_was_not_read_may_be_what_is_missing() {
        assert!(Bounds::exactly(812).excludes(811, true));
        assert!(!Bounds::exactly(812).excludes(811, false));
        assert!(Bounds::exactly(812).excludes(813, false));
    }
}
