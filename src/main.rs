//! The program: the command line of the library.

use std::{panic, process::ExitCode};

fn main() -> ExitCode {
    // The message of a panic has been printed. It is a failure like any other, with the exit code
    // of failures.
    panic::catch_unwind(|| chess_audit::cli::run(std::env::args_os())).unwrap_or(ExitCode::from(2))
}
