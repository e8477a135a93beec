//! What rules are shown: facts that the scanner, the replay and the readers of positions gather.

mod bytes;
mod ending;
mod layout;
mod number;
mod operation;
mod ply;
mod position;
mod remark;
mod syntax;
mod unplayable;
mod variant;

pub use crate::pgn::TagSection;
use crate::text::Span;
pub use bytes::RecordBytes;
pub use ending::{Ending, Marker, MarkerKind};
pub use layout::Layout;
pub use number::{NumberAspect, NumberIndication, NumberStyle};
pub use operation::OperationFacts;
pub use ply::Ply;
pub use position::{ClaimedRight, Declared, EnPassant, EnPassantUse, Origin, PositionFacts, color_name, role_name};
pub use remark::{ClockFacts, ClockQuestion, ClockSummary, CommandFacts, Reading, Remark, RemarkFacts};
pub use syntax::{BraceFault, RavFault, SyntaxFault, SyntaxFaultKind};
pub use unplayable::Unplayable;
pub use variant::VariantMove;

/// How closely a line is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionChecks {
    /// Leaf nodes are counted down to this depth in plies; 0: not at all.
    pub perft_depth: u32,
    /// Whether the order of operations is judged: it is an info, and hardly a line has the right one.
    pub opcode_order: bool,
    /// Whether infos about the position itself are wanted where nothing worse is found.
    pub infos: bool,
    /// Whether a position that is quickly proven to be reachable is taken to be so, rather than looked at by the rules that take longest. They
    /// would find nothing; without the proof they show that they do.
    pub fast_path: bool,
}

impl Default for PositionChecks {
    fn default() -> PositionChecks {
        PositionChecks { perft_depth: 3, opcode_order: true, infos: true, fast_path: true }
    }
}

/// The position that an `id` operation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedPosition {
    /// The id, without its quotes.
    pub id: Span,
    /// The position as written.
    pub position: Span,
    /// A hash that equal positions share: pieces, side to move, castling rights, legal en passant captures.
    pub hash: u64,
}
