//! Collections that grow beyond memory: they keep what fits in memory, and the rest in temporary
//! files.

mod log;
mod mapped;
mod queue;
mod sorter;
mod temporary;

pub use log::{Log, WrittenLog};
pub use queue::Queue;
pub use sorter::{Sorted, Sorter};
pub use temporary::{TemporaryWriter, is_temporary_failure, temporary_failed, temporary_file, use_temporary_directory};
