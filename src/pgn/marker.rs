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
}

impl MarkerKind {
    /// The result; `None` for a double forfeit.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            MarkerKind::Standard(outcome) | MarkerKind::Misspelled(outcome) => Some(outcome),
            MarkerKind::DoubleForfeit => None,
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
