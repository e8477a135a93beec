//! Findings that are known already, and rules that do not hold for some inputs.

use std::{collections::BTreeSet, fmt, sync::Arc};

use crate::rules::CodeSet;

/// The fingerprints of findings that are known already: they are reported and counted, but fail no run.
pub type Known = BTreeSet<u64>;

/// Rules that are left out for some inputs.
#[derive(Clone)]
pub struct Exception {
    /// Whether an input of this name is among them.
    pub inputs: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// The rules.
    pub rules: CodeSet,
}

impl fmt::Debug for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exception").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The rules that `exceptions` leave out for the input called `name`.
pub(super) fn left_out(exceptions: &[Exception], name: &str) -> CodeSet {
    let mut rules = CodeSet::EMPTY;
    for exception in exceptions.iter().filter(|exception| (exception.inputs)(name)) {
        rules.extend(exception.rules);
    }
    rules
}
