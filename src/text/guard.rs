//! Faults of the auditor itself: a panic becomes a message, and everything else goes on.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Does `work`. If it panics, returns a message that says that the auditor failed on `what`.
///
/// What `work` has changed by then is kept, so callers put it in order.
pub fn guarded<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(what, panic.as_ref()))
}

#[cold]
fn message(what: &str, panic: &(dyn Any + Send)) -> String {
    let reason = panic
        .downcast_ref::<&str>()
        .map(|reason| (*reason).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown reason".to_owned());
    format!("the auditor failed on {what}: {reason}; please report it with the record")
}
