//! DUP02: games under wrong names.

use crate::identity::Relation;
use crate::rules::dup::report;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP02"),
    name: "wrong-header",
    severity: Severity::Warning,
    summary: "The same moves are there under other names",
    what: "Two games have the same first position and the same moves, but the players are not \
           compatible. Nobody plays 60 plies twice, or 40 with a winner, so one of the \
           headers is wrong or a name is misspelled. From 24 plies on, it is an info \
           otherwise. Games of engines are an info. Two names of one player are compatible \
           (see DUP13). Of more than two games whose names have nothing in common, the first \
           one is reported.",
    why: "The moves of one game are found under the names of other players.",
    fix: "Look at both headers, and remove the game with the wrong one.",
    source: "Scid, finding twin games without names",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        marked!(game!("Paris", "1858.09.04", "3", "Morphy, Paul", "Harrwitz, Daniel", "1-0", immortal!()))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", short!()),
        game!("Paris", "1858.09.04", "3", "Morphy, Paul", "Harrwitz, Daniel", "1/2-1/2", short!())
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::WrongHeader {
        return;
    }
    let (plies, doubt) = (facts.plies(), facts.doubt());
    let message = match facts.unlike {
        None => format!(
            "the same {plies} as {}, which is {}: one of the headers is wrong, or a name is misspelled{doubt}",
            facts.other_game(),
            facts.other_players(),
        ),
        Some(others) => format!(
            "the same {plies} as {} games under other names: {}; all headers but one are wrong, or names are misspelled{doubt}",
            thousands(others.number),
            others.names(),
        ),
    };
    report(&RULE, facts, findings).message(message);
}
