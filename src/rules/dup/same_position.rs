//! DUP08: positions that are there more than once.

use crate::identity::Equality;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP08"),
    name: "same-position",
    severity: Severity::Info,
    summary: "The same position is there twice",
    what: "Two position lines have the same position: the same pieces, side to move, castling \
           rights and legal en passant captures. Counters and operations may differ. Positions \
           that cannot be set up are compared by their four fields. Each line but the first is \
           reported.",
    why: "Programs that are tested or trained with the positions see this one more often.",
    fix: "Remove one of the lines, unless the repetition is intended.",
    source: "FIDE Laws 9.2.3; PGN standard 16.1",

    needs: &[Need::Duplicates],
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n⟦4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.2\";⟧\n"),
        Sample::Positions(
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 60\n4k3/8/8/8/8/8/3P4/4K3 w - - 0 60\n⟦4k3/8/8/8/8/8/4P3/4K3 w - - 4 62⟧\n",
        ),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\n"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\n4k3/8/8/8/8/8/4P3/4K2R w - - 0 1\n"),
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\n4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1\n"),
    ],
    check: Check::PositionPair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionPairFacts<'_>, findings: &mut Findings) {
    if facts.equality == Equality::Same {
        findings.add(&RULE, facts.place()).message(format!("{} has the same position", facts.other_line()));
    }
}
