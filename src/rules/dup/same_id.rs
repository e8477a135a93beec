//! DUP06: ids of several games.

use crate::identity::{GameIds, Relation};
use crate::rules::dup::report;
use crate::rules::prelude::*;

/// An id of a game.
macro_rules! id {
    ($digit:literal) => {
        concat!("[GameId \"g", $digit, "000001\"]\n")
    };
}

pub static RULE: Rule = Rule {
    code: code!("DUP06"),
    name: "same-id",
    severity: Severity::Warning,
    summary: "Two different games have the same id",
    what: "Two games have the same GameId, Link, or a link to a game in Site, but different \
           moves that are not versions of each other. Ids of many games are not checked, \
           because they name an event.",
    why: "One of the games cannot be found by its id.",
    fix: "Look the id up, and correct it in the other game.",
    source: "PGN standard 9; Lichess, Site; chess.com, Link",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!(), id!("7")),
        marked!(game!("Paris", "1858.09.04", "3", "Morphy, Paul", "Harrwitz, Daniel", "1/2-1/2", other!(), id!("7")))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!(), id!("7")),
        game!("Paris", "1858.09.04", "3", "Morphy, Paul", "Harrwitz, Daniel", "1/2-1/2", other!(), id!("8"))
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::SameId {
        return;
    }
    let Some(id) = GameIds::of(facts.game).same(&GameIds::of(facts.other)) else { return };
    let message = format!("{} has the same id, but other moves", facts.other_game());
    report(&RULE, facts, findings).found(id.id).message(message);
}
