//! A whole audit of lines with positions, with both ways to read each.

use chess_audit::internals::{record::explain_line, text::Format};

use crate::{
    common::{audit_as_it_is, everything, invariants},
    fast_path_positions,
};

/// Audits any bytes as lines of positions.
pub fn run(text: &[u8]) {
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')).take(6) {
        for finding in explain_line(line, None).iter().flat_map(|explanation| &explanation.findings) {
            assert!(finding.place.start <= finding.place.end && finding.place.end <= line.len(), "{finding}");
        }
    }
    // A line is text for both ways to read it, and as short as positions are.
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).take(6).filter_map(|line| str::from_utf8(line).ok());
    for line in lines.filter(|line| line.len() <= 300) {
        fast_path_positions::compare(line);
    }
    let result = audit_as_it_is(text, Format::Epd, everything());
    if !result.inputs[0].is_not_chess {
        invariants::check(text, &result);
    }
}
