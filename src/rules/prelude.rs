//! What rules are written with: `use crate::rules::prelude::*`. It has what checks get, findings
//! and what they are made of, and words for messages.

pub(crate) use super::{
    Certainty, Check, Condition, Finding, Findings, Need, Patch, Rule, Sample, Severity, Sign, Span, Wakes, Yield, facts::*,
    in_record, shown,
};
pub(crate) use crate::{
    pgn::KnownTag,
    text::wording::{join_and, join_or, quantity, thousands},
};
