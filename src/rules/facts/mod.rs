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
