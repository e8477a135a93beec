//! DUP11: games that are in the same place of an event.

use crate::identity::Relation;
use crate::rules::dup::report;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP11"),
    name: "two-games-one-slot",
    severity: Severity::Info,
    summary: "The players have two games in one round",
    what: "Two games have the same players, event, round and date, but unrelated moves.",
    why: "The players of one of the games, or its round, may be wrong. Tie-breaks often have \
           the number of the last round.",
    fix: "Look at both headers.",
    source: "PGN standard 8.1.1",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        marked!(game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", other!()))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        game!("London", "1851.06.21", "2", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", other!())
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::TwoGamesOneSlot {
        return;
    }
    let message = format!("{} has the same players, event, round and date, but other moves", facts.other_game());
    report(&RULE, facts, findings).message(message);
}
