//! `perft-count`.

use shakmaty::Chess;

use crate::{
    epd::{Opcode, count_leaves},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, facts::OperationFacts, shown},
};

/// EPD18: a count of leaf nodes is wrong.
pub static RULE: Rule = Rule {
    code: code!("EPD18"),
    name: "perft-count",
    severity: Severity::Error,
    summary: "A count of leaf nodes is wrong",
    what: "`D3 8902`, or a line `perft 3 8902` behind the line of a position, says how many ways there are to play three plies from the position. The counts of depth 1 to 3 are checked, deeper ones with `--perft-depth`. Where there are too many to be counted in a moment, nothing is said.",
    why: "A program is tested against a number that no right program can reach.",
    fix: "Write the right number; where the counts of all depths are wrong, look at the position.",
    source: "shakmaty's move generator; the laws of chess",
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

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let Some(start) = facts.start else { return };
    for operation in &facts.operations.list {
        let Opcode::Perft(depth) = operation.kind else { continue };
        if depth > facts.position_checks.perft_depth {
            continue;
        }
        if let Some(claimed) = facts.integer(operation).and_then(|count| u64::try_from(count).ok()) {
            judge(start, depth, claimed, operation.operands, facts.text, findings);
        }
    }
}

/// Counts the leaves of `start` at `depth` and compares them with those that are claimed at `place`.
pub fn judge(start: &Chess, depth: u32, claimed: u64, place: Span, text: &[u8], findings: &mut Findings) {
    let Some(leaves) = count_leaves(start, depth, most_leaves(depth)).filter(|leaves| *leaves != claimed) else { return };
    let finding = findings
        .add(&RULE, place)
        .found(shown(place.of(text)))
        .expected(leaves.to_string())
        .message(format!("there are {leaves} leaf nodes at depth {depth}"));
    finding.repair = Some(Repair::Certain);
}

/// So many leaves are counted. Who asks for more than the usual depth is ready to wait.
const fn most_leaves(depth: u32) -> u64 {
    let deeper = depth.saturating_sub(3);
    5_000_000u64.saturating_mul(40u64.saturating_pow(deeper))
}
