//! Lines of a text, and the bytes in them.

use crate::{
    pgn::BOM,
    rules::{ActiveRules, Findings, apply_yields, facts::RecordBytes},
};

/// The start of the line after the one that ends at `end`.
pub(super) fn next_line(text: &[u8], end: usize) -> usize {
    match text.get(end) {
        None => end,
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => end + 2,
        Some(_) => end + 1,
    }
}

/// Whether `text` contains more than whitespace, a byte order mark and comment lines. Comment lines
/// start with one of `marks`.
pub(super) fn has_text(text: &[u8], marks: &[u8]) -> bool {
    lines(text).any(|line| line.first().is_some_and(|first| !marks.contains(first)))
}

/// The lines of `text` without a byte order mark and without whitespace around them.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.map(|line| line.strip_prefix(BOM).unwrap_or(line).trim_ascii())
}

/// Checks the bytes of a line or row if they are not all printable ASCII.
pub(super) fn check_line_bytes(bytes: &RecordBytes<'_>, rules: &ActiveRules, findings: &mut Findings) {
    if !bytes.record().iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
        rules.bytes(bytes, findings);
        apply_yields(findings, 0);
    }
}
