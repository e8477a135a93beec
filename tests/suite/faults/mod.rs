//! What happens when something else fails: disks, kills, signals, engines and other runs.

mod engine;
mod killed_nights;
mod killed_runs;
mod oracles_program;
mod races;
mod reasons;
mod signals;
mod surroundings;
