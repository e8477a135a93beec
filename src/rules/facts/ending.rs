//! The end of a game.

use shakmaty::{Chess, Outcome};

use crate::{pgn::TagSection, rules::Span};

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

/// The end of a game.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The game's tags.
    pub tags: &'a TagSection<'a>,
    /// The first termination marker of the main line.
    pub marker: Option<Marker>,
    /// Where the movetext ends: the last token of it, or the last tag pair where there is none.
    pub last: Span,
    /// Plies of the main line, whether they could be replayed or not.
    pub plies: u32,
    /// The position after the last ply; `None` where the main line could not be replayed to its end.
    pub position: Option<&'a Chess>,
    /// The last ply of the main line as written.
    pub last_move: &'a str,
    /// Whether the input ends with this game.
    pub at_input_end: bool,
}
