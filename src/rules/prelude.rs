//! What rules are written with: `use crate::rules::prelude::*`.

pub(crate) use super::{
    Certainty, Check, Condition, Finding, Findings, Need, Patch, Rule, Sample, Severity, Sign, Span, Wakes, Yield, shown,
};
