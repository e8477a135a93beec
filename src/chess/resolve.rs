//! Resolving a written move.

/// Why a written move cannot be played.
#[derive(Clone, Debug)]
pub struct Refusal;
