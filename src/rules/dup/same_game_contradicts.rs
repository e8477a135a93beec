//! DUP03: copies of a game that contradict each other.

use crate::identity::Relation;
use crate::rules::dup::report;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP03"),
    name: "same-game-contradicts",
    severity: Severity::Warning,
    summary: "Two copies of a game contradict each other",
    what: "Two games have the same moves and compatible players, as for DUP01, but other tags \
           contradict each other: the result, the colours, the year, the round or a rating. \
           One finding names all of them.",
    why: "At least one of the copies is wrong.",
    fix: "Find out which copy is right, and remove the other one.",
    source: "Scid, finding twin games",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        marked!(game!("London", "1851.06.21", "4", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        game!("London", "1851.06.21", "2", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", other!())
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::SameGameContradicts {
        return;
    }
    let message = format!("the same {} as {}{}{}", facts.plies(), facts.other_game(), facts.contradictions_note(), facts.doubt());
    report(&RULE, facts, findings).message(message);
}
