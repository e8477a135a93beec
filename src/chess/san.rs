//! SAN as written.

/// A move as written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenSan;
