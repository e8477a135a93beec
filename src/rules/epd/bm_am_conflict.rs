//! EPD10: moves that are both best and to be avoided.

use rustc_hash::FxHashSet;
use shakmaty::Move;

use super::arrow;
use crate::epd::{MoveWord, Opcode, Resolved};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD10"),
    name: "bm-am-conflict",
    severity: Severity::Error,
    summary: "The same move is in both `bm` and `am`",
    what: "A move of `bm` is also in `am`, however the two are spelled.",
    why: "The record contradicts itself, so no answer to it can be right.",
    fix: "Compare with the source, and remove the move from `bm` or `am`.",
    source: "PGN standard 16.2.5.3, 16.2.5.4",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - am e3 e4; bm ⟦e4⟧;")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - am e3; bm e4;")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    if !facts.operations.list.iter().any(|operation| operation.kind == Opcode::Am) {
        return;
    }
    let of = |kind| facts.moves.iter().filter(move |word: &&MoveWord| facts.operation_of(word).kind == kind);
    let played = |word: &MoveWord| if let Resolved::Move(played) = word.resolved { Some(played) } else { None };
    let avoided: FxHashSet<Move> = of(Opcode::Am).filter_map(played).collect();
    for word in of(Opcode::Bm) {
        if played(word).is_some_and(|best| avoided.contains(&best)) {
            let found = shown(word.place.of(facts.text));
            findings
                .add(&RULE, word.place)
                .message(format!("`{found}` is in both `bm` and `am`"))
                .found(found)
                .written(arrow(word));
        }
    }
}
