//! One report, whichever path, chunk size, number of threads or shard: and its time and memory.

mod depth;
pub mod determinism;
pub mod differential;
mod every_byte;
pub mod fast_path_games;
pub mod fast_path_positions;
mod fast_path_rows;
mod fuzz_corpora;
mod hostile;
mod linear;
mod memory;
mod rereading;
mod shards;
