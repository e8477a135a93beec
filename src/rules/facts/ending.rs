//! The end of a game.

use shakmaty::{Chess, Move};

use super::ClockSummary;

pub use crate::pgn::{Marker, MarkerKind};
use crate::{
    chess::VariantEnd,
    pgn::{Opening, TagSection},
    rules::Span,
};

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
    /// How a game of a variant has ended on the board, where it has.
    pub variant: Option<VariantEnd>,
    /// The opening that the moves are, where a classification was given and knows it.
    pub opening: Option<&'a Opening>,
    /// The last ply of the main line as written.
    pub last_move: &'a str,
    /// The position in which the game begins.
    pub start: &'a Chess,
    /// The moves of the main line as far as they were played; `None` for a null move.
    pub line: &'a [Option<Move>],
    /// The inside of the last comment behind the last ply of the main line.
    pub comment: Option<Span>,
    /// The clocks in the comments of the main line.
    pub clocks: ClockSummary,
    /// Whether the input ends with this game.
    pub at_input_end: bool,
}
