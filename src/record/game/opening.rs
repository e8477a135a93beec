//! How a movetext can begin.

use shakmaty::Chess;

use crate::{
    rules::{CodeSet, Declared},
    text::Span,
};

/// How a movetext can begin, as its tag section says. Every reading starts from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    /// The position before the first ply: that of the FEN tag, or the starting position.
    pub start: Chess,
    /// Whether the position comes from a FEN tag.
    pub has_fen: bool,
    /// What the tags say about positions.
    pub declared: Declared,
    /// The value of the TimeControl tag.
    pub time_control: Option<Span>,
    /// The inside of the last comment before the movetext.
    pub comment: Option<Span>,
    /// The last token before the movetext.
    pub last_token: Span,
    /// The rules that are broken by the position before the first ply.
    pub broken: CodeSet,
    /// Whether no game can reach that position. Later positions are not accused of it again.
    pub unreachable: bool,
}
