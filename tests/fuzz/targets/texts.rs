//! A whole audit of any bytes as PGN: each token belongs to a game or to a finding.

use chess_audit::internals::{
    pipeline::Settings,
    rules::{Profile, Selection},
    text::Format,
};

use super::scanner::tokens;
use crate::common::{audit_as_it_is, everything, invariants};

/// Audits any bytes as PGN.
pub fn run(text: &[u8]) {
    let settings = Settings { selection: Selection::of(Profile::Export), ..everything() };
    let result = audit_as_it_is(text, Format::Pgn, settings);
    // Text that turns out to contain no chess at all is one finding or failure.
    if !result.inputs[0].is_not_chess {
        invariants::check(text, &result);
    }
    let (counts, tokens) = (result.summary.counts, tokens(text));
    assert!(counts.games > 0 || tokens == 0 || !result.findings.is_empty(), "{tokens} tokens were skipped silently");
}
