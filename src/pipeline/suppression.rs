//! Known findings, and rules that are excepted for some inputs.

use std::{collections::BTreeSet, fmt, sync::Arc};

use crate::rules::CodeSet;

/// The fingerprints of known findings. They are reported and counted, but do not fail a run.
pub type Known = BTreeSet<u64>;

/// Rules that are excepted for some inputs.
#[derive(Clone)]
pub struct Exception {
    /// Whether an input of this name is excepted.
    pub inputs: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// The rules.
    pub rules: CodeSet,
}

impl fmt::Debug for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exception").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The rules that are excepted for the input `name`.
pub(super) fn left_out(exceptions: &[Exception], name: &str) -> CodeSet {
    let mut rules = CodeSet::EMPTY;
    for exception in exceptions.iter().filter(|exception| (exception.inputs)(name)) {
        rules.extend(exception.rules);
    }
    rules
}
