//! What the settings expect of a run and its inputs.

family! {
    unexpected_count,
    missing_input,
    too_many_findings,
    other_digest,
}

mod bounds;
mod ceiling;

pub use bounds::{Bounds, Quantity};
pub use ceiling::Ceiling;
