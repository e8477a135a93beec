//! The command line of the auditor.

mod cli;

use std::{panic, process::ExitCode};

fn main() -> ExitCode {
    // The message of a panic has been printed. It is a failure like any other, with the exit code
    // of failures.
    panic::catch_unwind(|| cli::run(std::env::args_os())).unwrap_or(ExitCode::from(2))
}
