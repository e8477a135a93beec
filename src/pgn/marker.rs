//! Game termination markers, standard and non-standard.

use shakmaty::Outcome;

use crate::text::Span;

/// The meaning of a game termination marker, or of a text in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerKind {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Standard(Outcome),
    /// A non-standard spelling of a result: `1/2`, `½-½`, `1:0`, `1-O`.
    Misspelled(Outcome),
    /// Both sides lost: `0-0`.
    DoubleForfeit,
    /// One side got half a point and the other one none: `1/2-0`.
    Penalty,
}

impl MarkerKind {
    /// The result; `None` if both sides together have less than a point.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            MarkerKind::Standard(outcome) | MarkerKind::Misspelled(outcome) => Some(outcome),
            MarkerKind::DoubleForfeit | MarkerKind::Penalty => None,
        }
    }
}

/// A game termination marker as written.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Its place.
    pub place: Span,
    /// Its meaning.
    pub kind: MarkerKind,
}
