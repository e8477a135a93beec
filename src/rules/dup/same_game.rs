//! DUP01: games that are there twice.

use crate::identity::Relation;
use crate::rules::dup::report;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP01"),
    name: "same-game",
    severity: Severity::Warning,
    summary: "The same game is there twice",
    what: "Two games have the same first position and the same moves, at least 10 plies. The \
           players and the dates are compatible, and the rounds do not contradict. Players \
           are compatible if they have a surname in common, and an initial too unless a first \
           name is missing. Accents, case, titles and punctuation do not matter. Two names of \
           one player are compatible, too (see DUP13). Dates are compatible if all known parts \
           are equal. Engines repeat games, so theirs are an info. Games without round and date \
           are an info, too. An id or a UTCTime that agrees makes both a warning. The games may \
           be in different inputs.",
    why: "Statistics count the game twice, and corrections reach one of the copies only.",
    fix: "Remove the copy that need not be kept.",
    source: "Scid, finding twin games; pgn-extract, option -d",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        marked!(game!("London casual", "1851.??.??", "?", "Anderssen, Adolf", "Kieseritzky, L", "1-0", immortal!()))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", short!()),
        game!("London", "1851.06.22", "2", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", short!())
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::SameGame {
        return;
    }
    let message = match facts.doubt().as_str() {
        "" => format!("the same game as {}: all {} are equal", facts.other_game(), facts.plies()),
        doubt => format!("the same {} as {}{doubt}", facts.plies(), facts.other_game()),
    };
    report(&RULE, facts, findings).message(message);
}
