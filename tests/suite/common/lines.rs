//! Position lines, one by one.

use chess_audit::internals::{
    record::{AcceptedLine, Examined, accept_lines, examine_line_to},
    rules::{Declared, Findings, PositionChecks, Span},
};

/// Runs all rules on a line of a FEN or EPD file, see [`examine_line_to`].
pub fn examine_line(text: &[u8], line: Span, findings: &mut Findings) -> Option<Examined> {
    examine_line_to(text, line, Declared::default(), PositionChecks::default(), None, findings)
}

/// The line at `start`, if [`accept_lines`] accepts it.
pub fn accept_line(text: &[u8], start: usize) -> Option<AcceptedLine> {
    let mut first = None;
    accept_lines(text, start, |line| {
        first = Some(line);
        false
    });
    first
}
