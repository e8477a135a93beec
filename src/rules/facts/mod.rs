//! The facts that rules check, gathered by the lexer, the replay and the readers of positions.

mod asked;
mod boards;
mod bytes;
mod ending;
mod game_pair;
mod house;
mod kept;
mod layout;
mod number;
mod oddity;
mod operation;
mod ply;
mod position;
mod position_pair;
mod remark;
mod rights;
mod spelling;
mod syntax;
mod tag_values;
mod unplayable;
mod variant_move;

use crate::text::Span;
pub use crate::{
    chess::{color_name, role_name},
    pgn::TagSection,
};
pub use asked::{AskedGame, AskedLine};
pub use boards::{boards_of_games, boards_of_positions};
pub use bytes::RecordBytes;
pub use ending::{Ending, MarkerKind};
pub use game_pair::{Difference, PairFacts, UnlikeGames, named_game};
pub use house::HouseFacts;
pub use kept::{BetterTag, KeptFacts};
pub use layout::Layout;
pub use number::{NumberAspect, NumberIndication, NumberStyle};
pub use oddity::OddityFacts;
pub use operation::OperationFacts;
pub use ply::PlyFacts;
pub use position::{ClaimedRight, Declared, EnPassant, EnPassantUse, LoneCounter, Origin, PositionFacts, castling_field};
pub use position_pair::{PositionPairFacts, shown_operation};
pub use remark::{
    ClockFacts, ClockQuestion, ClockReading, ClockSummary, CommandFacts, EvaluationReading, Evaluator, GameAnnotations,
    JudgingGlyph, MoveTime, Remark, RemarkFacts, TimeReading,
};
pub use spelling::SpellingFacts;
pub use syntax::{BraceFault, RavFault, SyntaxFault, SyntaxFaultKind};
pub use tag_values::TagValues;
pub use unplayable::{GoesOn, Unplayable};
pub use variant_move::VariantMove;

/// How thoroughly positions are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionChecks {
    /// Whether the order of operations is checked. It is only an info, and few lines have the right
    /// order.
    pub opcode_order: bool,
    /// Whether infos about the position are reported if nothing worse is found.
    pub infos: bool,
    /// Whether the fast path may prove a position reachable, so that the slowest rules are skipped.
    /// It does not change results.
    pub fast_path: bool,
}

impl Default for PositionChecks {
    fn default() -> PositionChecks {
        PositionChecks { opcode_order: true, infos: true, fast_path: true }
    }
}

/// The position that an `id` operation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedPosition {
    /// The id, without its quotes.
    pub id: Span,
    /// The position as written.
    pub position: Span,
    /// A hash that equal positions share: pieces, side to move, castling rights, legal en passant
    /// captures.
    pub hash: u64,
}
