//! DUP09: lines whose positions differ only in an en passant square that makes no difference.

use crate::identity::Equality;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP09"),
    name: "en-passant-twin",
    severity: Severity::Warning,
    summary: "Two positions differ only in a useless en passant square",
    what: "Two position lines have the same position, but only one of them names an en passant \
           square. No pawn can legally capture there.",
    why: "The lines look different to programs that compare texts, so the same position is used \
          twice.",
    fix: "Remove one of the lines. Name an en passant square only if a capture is legal.",
    source: "FIDE Laws 9.2.3; fishtest#2286",

    needs: &[Need::Duplicates],
    fires: &[Sample::Positions("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n⟦4k3/8/8/8/4P3/8/8/4K3 b - - 0 1⟧\n")],
    silent: &[
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\n4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1\n"),
        Sample::Positions("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n4k3/8/8/8/3P4/8/8/4K3 b - - 0 1\n"),
    ],
    check: Check::PositionPair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionPairFacts<'_>, findings: &mut Findings) {
    if facts.equality != Equality::EnPassantTwins {
        return;
    }
    let square = match [facts.position, facts.other].map(|card| card.en_passant_square()) {
        [Some(square), _] | [None, Some(square)] => square,
        [None, None] => return,
    };
    let message = format!("{} differs only in the en passant square {square}, where no capture is legal", facts.other_line());
    findings.add(&RULE, facts.place()).found(square).message(message);
}
