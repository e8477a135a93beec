//! Values of the Termination tag that need not be judged again.

use crate::rules::tag::is_known_termination;

/// Maximum number of bytes of a value of the Termination tag that is remembered.
pub(super) const MAX_TERMINATION: usize = 32;

/// A value of the Termination tag about which no rule has anything to report. It is often the same
/// as in the game before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownTermination {
    pub(super) bytes: [u8; MAX_TERMINATION],
    pub(super) length: usize,
}

impl KnownTermination {
    /// Whether nothing is reported about this value.
    pub(super) fn has(&mut self, value: &[u8]) -> bool {
        if self.bytes.get(..self.length) == Some(value) {
            return true;
        }
        let is_known = is_known_termination(value);
        if is_known && let Some(bytes) = self.bytes.get_mut(..value.len()) {
            bytes.copy_from_slice(value);
            self.length = value.len();
        }
        is_known
    }
}
