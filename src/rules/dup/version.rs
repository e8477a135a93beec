//! DUP05: other versions of a game.

use crate::identity::Relation;
use crate::rules::dup::report;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP05"),
    name: "version",
    severity: Severity::Warning,
    summary: "Two games are versions of the same game",
    what: "Two games between compatible players on compatible dates have nearly the same \
           moves. Either the same last position is reached in another order of moves, after \
           at least 20 plies. Or a few plies differ in games of at least 24 plies: two, or \
           one of twelve. Plies after the end of the shorter game do not count. More than two \
           different plies are an info. If the rounds contradict, only long games are \
           compared, and they are an info.",
    why: "Score sheets are misread, and moves are swapped when they are typed.",
    fix: "Find out which version is right, and keep that one.",
    source: "Score sheets of one game in several tournament books",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        marked!(game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal_other_order!()))
    ))],
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        game!("London", "1851.06.21", "2", "Anderssen, Adolf", "Kieseritzky, Lionel", "1/2-1/2", other!())
    ))],
    check: Check::Pair(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PairFacts<'_>, findings: &mut Findings) {
    if facts.judgement.relation != Relation::Version {
        return;
    }
    let difference = match (facts.judgement.distance, facts.judgement.has_same_end) {
        (Some(1), true) => "one ply differs, and the last position is the same".to_owned(),
        (Some(plies @ 2), true) => format!("{plies} plies differ, and the last position is the same"),
        (_, true) => "the same last position is reached in another order of moves".to_owned(),
        (Some(1), false) => "one ply differs".to_owned(),
        (Some(plies), false) => format!("{plies} plies differ"),
        (None, false) => "some plies differ".to_owned(),
    };
    let (note, doubt) = (facts.contradictions_note(), facts.doubt());
    let first = facts.first_difference();
    let moves = first
        .as_ref()
        .map_or_else(String::new, |first| format!("; ply {} is `{}` here and `{}` there", first.ply, first.own, first.other));
    let message = format!("another version of {}: {difference}{moves}{note}{doubt}", facts.other_game());
    let finding = report(&RULE, facts, findings);
    finding.message(message);
    if let Some(Difference { ply, before, own, .. }) = first {
        finding.ply(ply).fen(before);
        finding.move_text = own;
    }
}
