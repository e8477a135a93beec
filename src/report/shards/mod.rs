//! Audits on many machines: plans, and the parts that shards leave.

mod error;
mod parts;
mod plan;

pub use error::{PartError, PlanError};
pub use parts::{Committed, PartSettings, Parts};
pub use plan::Plan;
