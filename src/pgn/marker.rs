//! Game termination markers, and what is written in their place.

use shakmaty::Outcome;

use crate::text::Span;

/// What a game termination marker, or a text in its place, says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerKind {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Standard(Outcome),
    /// Another spelling of a result: `1/2`, `½-½`, `1:0`, `1-O`.
    Misspelt(Outcome),
    /// Both sides lost: `0-0`.
    DoubleForfeit,
}

impl MarkerKind {
    /// The result that is meant; `None` for a double forfeit.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            MarkerKind::Standard(outcome) | MarkerKind::Misspelt(outcome) => Some(outcome),
            MarkerKind::DoubleForfeit => None,
        }
    }
}

/// A game termination marker as written.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Where it stands.
    pub place: Span,
    /// What it says.
    pub kind: MarkerKind,
}
