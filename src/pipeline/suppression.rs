//! Known findings, and rules that are excepted for some inputs.

use std::collections::BTreeSet;

use crate::{corpus::Globs, rules::CodeSet};

/// The fingerprints of known findings. They are reported and counted, but do not fail a run.
pub type Known = BTreeSet<u64>;

/// Rules that are excepted for some inputs.
#[derive(Clone, Debug)]
pub struct Exception {
    /// The inputs.
    pub inputs: Globs,
    /// The rules.
    pub rules: CodeSet,
}

/// The rules that are excepted for the input `name`.
pub(super) fn left_out(exceptions: &[Exception], name: &str) -> CodeSet {
    let mut rules = CodeSet::EMPTY;
    for exception in exceptions.iter().filter(|exception| exception.inputs.is_match(name)) {
        rules.extend(exception.rules);
    }
    rules
}
