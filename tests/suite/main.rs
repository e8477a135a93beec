//! The tests of the crate as its users see it, in one program, so that it is built and linked once.

mod common;
mod faults;
mod inputs;
mod outputs;
mod paths;
mod program;
mod verdicts;

// The fuzz targets use them too.
use self::{
    paths::{differential, fast_path_games, fast_path_positions},
    verdicts::legality,
};
