//! What the settings expect of a run and its inputs.

mod bounds;
mod ceiling;
pub(crate) mod missing_input;
pub(crate) mod other_digest;
pub(crate) mod too_many_findings;
pub(crate) mod unexpected_count;

family! {
    unexpected_count, missing_input, too_many_findings, other_digest,
}

pub use bounds::{Bounds, Quantity};
pub use ceiling::Ceiling;
