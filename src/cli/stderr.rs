//! Errors and warnings on standard error, one line each.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use super::text::printable;

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Prints one line on standard error.
pub fn print_error(message: &str) {
    let message = message.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
    print_on_stderr(&format!("{ERROR}error:{ERROR:#} {}", printable(&message)));
}

/// Prints a warning on one line of standard error.
pub fn print_warning(message: &str) {
    print_on_stderr(&format!("warning: {}", printable(message)));
}

/// Prints a line on standard error. A full disk under it must not end what is going on.
fn print_on_stderr(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}
