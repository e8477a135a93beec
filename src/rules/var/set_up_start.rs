//! VAR07: games from a starting position that is set up.

use crate::chess::Variant;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("VAR07"),
    name: "set-up-start",
    severity: Severity::Info,
    summary: "The game starts from a position that was set up",
    what: "The game has a FEN tag, and its Variant or Event tag says why: shuffled pieces, odds, or \
           a starting position to which a server gave a number, such as `wild/5`. Such a position \
           need not be reachable, so rules about reachability do not apply. The moves are checked. \
           Reported once per input and name.",
    why: "Statistics and opening books assume the standard starting position.",
    fix: "If the game was set up like this, leave it unchanged. Otherwise correct the tags.",
    source: "Variants of the Internet Chess Club, FICS and XBoard",
    // VAR06 names the pieces that are missing.
    yields: &in_record([code!("VAR06")]),
    fires: &[
        Sample::Game {
            tags: "[Event \"ICS rated ⟦wild/5⟧ match\"]\n[SetUp \"1\"]\n\
                   [FEN \"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1\"]",
            moves: "1. Nc6 *",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n\
                   [FEN \"rqkbbqqn/pppppppp/8/8/8/8/PPPPPPPP/RQKBBQQN w - - 0 1\"]\n\
                   [Variant \"⟦nocastle⟧\"]",
            moves: "1. d4 d5 *",
        },
    ],
    silent: &[Sample::Game {
        tags: "[Event \"Wild Coast Open\"]\n[SetUp \"1\"]\n\
               [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
        moves: "1. e4 *",
    }],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some((place, Variant::Shuffle)) = facts.variant() else { return };
    let found = shown(place.of(facts.text));
    findings
        .add(&RULE, place)
        .message(format!("the game starts from a position of `{found}`: its moves are checked, but not how it arose"))
        .once_per_input_and(found.to_ascii_lowercase())
        .found(found);
}
