//! The plies of a line as written.

use shakmaty::Color;

use crate::chess::WrittenSan;
use crate::text::Span;

/// A ply as written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenPly {
    /// Its place in the text.
    pub place: Span,
    /// What was read of it. `None` if it is not a move in any spelling.
    pub written: Option<WrittenSan>,
    /// The move number indication right before it: the number, and the side that its periods mean,
    /// if there are any.
    pub number: Option<(u32, Option<Color>)>,
}

impl WrittenPly {
    /// The same ply, `by` bytes later.
    pub const fn shifted(self, by: usize) -> WrittenPly {
        WrittenPly { place: self.place.shifted(by), ..self }
    }
}
