//! DUP04: games that are the beginning of another.

use crate::identity::Relation;
use crate::rules::dup::report;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP04"),
    name: "beginning",
    severity: Severity::Warning,
    summary: "A game is the beginning of another one",
    what: "All moves of a game, at least 20 plies, are the beginning of another game between \
           compatible players on a compatible date. From 8 plies on, it is an info.",
    why: "The game was cut off: a live transmission ended early, or the file was damaged.",
    fix: "Keep the longer game, unless its last moves were not played.",
    source: "Scid, finding twin games with fewer moves",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        marked!(game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "*", immortal_cut!()))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        game!("London", "1852.??.??", "2", "Anderssen, Adolf", "Kieseritzky, Lionel", "*", immortal_cut!())
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::Beginning {
        return;
    }
    let (own, other) = (facts.game.plies.len(), facts.other.plies.len());
    let more = quantity(own.abs_diff(other), "ply", "plies");
    let note = facts.contradictions_note() + &facts.doubt();
    let is_cut_by_error = if own < other { facts.game } else { facts.other }.traits.goes_on;
    let message = if is_cut_by_error {
        let (plies, whose) = (quantity(own.min(other), "ply", "plies"), if own < other { "this game" } else { "that one" });
        format!("{} has the same first {plies}; the next move of {whose} cannot be replayed{note}", facts.other_game())
    } else if own < other {
        format!("{} goes on for {more} after the last move of this game{note}", facts.other_game())
    } else {
        format!("{} is the beginning of this game, without its last {more}{note}", facts.other_game())
    };
    report(&RULE, facts, findings).message(message);
}
