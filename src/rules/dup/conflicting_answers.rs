//! DUP10: equal positions with answers that cannot both be right.

use crate::epd::Opcode;
use crate::identity::{Conflict, Equality};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP10"),
    name: "conflicting-answers",
    severity: Severity::Warning,
    summary: "The same position has two answers that conflict",
    what: "Two position lines have the same position, but their answers conflict. They have \
           no best move (`bm`) in common, or a best move of one is to be avoided (`am`) in \
           the other. Or their evaluations (`ce`) are for different sides. Evaluations must \
           be beyond 100 centipawns, or beyond 50 at the same depth (`acd`). Moves are \
           compared, not their spelling.",
    why: "An engine cannot solve both lines, so results of the test suite mean little.",
    fix: "Find out which answer is right, and remove the other line.",
    source: "PGN standard 16.2.5",

    needs: &[Need::Duplicates],
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n⟦4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2; id \"b.1\";⟧\n"),
        Sample::Positions(
            "4k3/8/8/8/8/8/4P3/4K3 w - - am e4; id \"a.1\";\n⟦4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 e4; id \"b.1\";⟧\n",
        ),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - acd 9; ce 120;\n⟦4k3/8/8/8/8/8/4P3/4K3 w - - acd 8; ce -130;⟧\n"),
    ],
    // The same position is an info in any case.
    silent: &[Sample::Positions(
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n4k3/8/8/8/8/8/4P3/4K3 b - - bm Kd7; id \"b.1\";\n",
    )],
    check: Check::PositionPair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionPairFacts<'_>, findings: &mut Findings) {
    let Equality::Conflict(conflict) = facts.equality else { return };
    let [own, other] = match conflict {
        Conflict::BestMoves => [Opcode::Bm; 2],
        Conflict::BestIsAvoided => [Opcode::Bm, Opcode::Am],
        Conflict::AvoidedIsBest => [Opcode::Am, Opcode::Bm],
        Conflict::Evaluations => [Opcode::Ce; 2],
    };
    let (own, other) = (shown_operation(facts.position, own), shown_operation(facts.other, other));
    let message = format!("{own} conflicts with {other} in {}: the position is the same", facts.other_line());
    findings.add(&RULE, facts.place()).message(message);
}
