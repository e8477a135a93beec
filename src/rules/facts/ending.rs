//! The end of a game.

use shakmaty::{Chess, Move};

use super::{ClockSummary, GameAnnotations};

pub use crate::pgn::{Marker, MarkerKind};
use crate::{
    chess::{Notation, VariantEnd},
    pgn::{Opening, TagSection, TimeControl},
    rules::Span,
};

/// The end of a game.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    /// The text that spans refer to.
    pub text: &'a [u8],
    /// The game's tags.
    pub tags: &'a TagSection<'a>,
    /// The first termination marker of the main line.
    pub marker: Option<Marker>,
    /// The last token of the movetext, or the last tag pair if there is no movetext.
    pub last: Span,
    /// Number of plies of the main line, legal or not.
    pub plies: u32,
    /// The position after the last ply; `None` if the main line could not be replayed to its end.
    pub position: Option<&'a Chess>,
    /// How a game of a variant ended on the board, if it did.
    pub variant: Option<VariantEnd>,
    /// The opening of the game, if an opening book was given and contains it.
    pub opening: Option<&'a Opening>,
    /// The notation of the moves, if that is not English.
    pub notation: Option<Notation>,
    /// The last ply of the main line as written.
    pub last_move: &'a str,
    /// The position before the first move.
    pub start: &'a Chess,
    /// The moves of the main line as far as they could be played; `None` for a null move.
    pub line: &'a [Option<Move>],
    /// The text of the last comment after the last ply of the main line.
    pub comment: Option<Span>,
    /// The clocks in the comments of the main line.
    pub clocks: ClockSummary,
    /// The time control, if it says how much time there is at every move.
    pub control: Option<&'a TimeControl>,
    /// The evaluations, times and judgements of the main line.
    pub annotations: GameAnnotations<'a>,
}
