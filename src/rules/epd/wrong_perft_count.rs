//! EPD18: perft counts that are wrong.

use std::collections::BTreeMap;

use shakmaty::Chess;

use crate::epd::{Opcode, count_leaves};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD18"),
    name: "wrong-perft-count",
    severity: Severity::Error,
    summary: "A perft count is wrong",
    what: "`D3 8902`, or a line `perft 3 8902` after the line of a position, gives the number of \
           move sequences of three plies. The counts of depth 1 to 3 are checked, unless \
           they would take too long.",
    why: "Move generators are tested against a number that no correct one can reach.",
    fix: "Write the right number. If the counts of all depths are wrong, check the position.",
    source: "FIDE Laws; counts by the move generator of shakmaty",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/8/4K2R w K - D1 15; D2 66; D3 ⟦1198⟧;"),
        Sample::Positions("epd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 2 ⟦67⟧\n"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/8/4K2R w K - D1 15; D2 66; D3 1197; D4 1;"),
        Sample::Positions("id a\nepd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 2 66\n\nid b\nperft 1 2\n"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Maximum depth in plies of the counts that are checked.
pub const MAX_DEPTH: u32 = 3;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let Some(start) = facts.start else { return };
    // The same depth can be written thousands of times in a line, and counting takes long.
    let mut counted = BTreeMap::new();
    for operation in &facts.operations.list {
        let Opcode::Perft(depth) = operation.kind else { continue };
        if depth > MAX_DEPTH {
            continue;
        }
        if let Some(claimed) = facts.integer(operation).and_then(|count| u64::try_from(count).ok()) {
            let leaves = *counted.entry(depth).or_insert_with(|| count(start, depth));
            compare(leaves, depth, claimed, operation.operands, facts.text, findings);
        }
    }
}

/// Counts the leaf nodes of `start` at `depth`, and compares the number with the one claimed at
/// `place`.
pub fn check_count(start: &Chess, depth: u32, claimed: u64, place: Span, text: &[u8], findings: &mut Findings) {
    compare(count(start, depth), depth, claimed, place, text, findings);
}

/// The number of leaf nodes, or `None` if there are too many to count.
fn count(start: &Chess, depth: u32) -> Option<u64> {
    count_leaves(start, depth, max_leaves(depth))
}

fn compare(leaves: Option<u64>, depth: u32, claimed: u64, place: Span, text: &[u8], findings: &mut Findings) {
    let Some(leaves) = leaves.filter(|leaves| *leaves != claimed) else { return };
    let finding = findings.add(&RULE, place).found(shown(place.of(text))).expected(leaves.to_string());
    finding.repair(Certainty::Likely, Patch::replace(text, place, leaves.to_string())).message(format!(
        "the perft count at depth {depth} is {}, not {}",
        thousands(leaves),
        thousands(claimed)
    ));
}

/// Maximum number of leaf nodes that are counted. Users who ask for greater depths accept longer
/// runs.
const fn max_leaves(depth: u32) -> u64 {
    let deeper = depth.saturating_sub(3);
    5_000_000u64.saturating_mul(40u64.saturating_pow(deeper))
}
