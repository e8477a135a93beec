//! The start of a movetext.

use shakmaty::Chess;

use crate::{
    rules::{CodeSet, Declared},
    text::Span,
};

/// The start of a movetext according to its tag section. Every reading begins here.
#[derive(Clone, Debug, Default)]
pub(super) struct MovetextStart {
    /// The position before the first ply: that of the FEN tag, or the starting position.
    pub start: Chess,
    /// Whether the position comes from a FEN tag.
    pub has_fen: bool,
    /// What the tags say about positions.
    pub declared: Declared,
    /// Whether the rules of the variant are not known. Tokens of the movetext are then not judged.
    pub is_unknown_variant: bool,
    /// Whether the Variant tag says that the game begins in the position of the FEN tag.
    pub needs_fen: bool,
    /// The value of the Result tag.
    pub result: Option<Span>,
    /// The value of the TimeControl tag.
    pub time_control: Option<Span>,
    /// Whether the tags say that an engine plays.
    pub engines_play: bool,
    /// The text of the last comment before the movetext.
    pub comment: Option<Span>,
    /// The last token before the movetext.
    pub last_token: Span,
    /// The rules that the first position breaks.
    pub broken: CodeSet,
    /// Whether no game can reach that position. Later positions are then not reported for it.
    pub unreachable: bool,
}
