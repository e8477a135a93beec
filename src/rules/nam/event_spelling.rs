//! NAM02: events in two spellings.

use crate::identity::Oddity;
use crate::rules::patches::replace_value;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NAM02"),
    name: "event-spelling",
    severity: Severity::Info,
    summary: "Another spelling of the event is more frequent",
    what: "The name of the event has another spelling in at least three times as many games of the \
           same year. The two differ only in case, spaces, parentheses, hyphens, periods and \
           commas. Numbers count: `Group 1-2` is not `Group 12`. Each spelling is reported once, \
           at its first game.",
    why: "The games of one event are found under two names.",
    fix: "Write one name in all games of the event.",
    source: "PGN standard, section 8.1.1.1: the name of an event should be the same for all its games",
    repairs: Some(Certainty::Likely),

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        rated!("Riga (Open)", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
        rated!("Riga (Open)", "1999.05.01", "1", "Hort, Eve", "2300", "Geller, Liv", "2290", "1. d4 d5 2. c4 e6"),
        rated!("Riga (Open)", "1999.05.02", "2", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6"),
        marked!(rated!("RIGA OPEN", "1999.05.02", "2", "Keres, Jo", "2380", "Hort, Eve", "2300", "1. e4 c5 2. d4 d6"))
    ))],
    silent: &[
        // Two years, and two groups.
        Sample::Pgn(games!(
            rated!("Riga (Open)", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
            rated!("Riga (Open)", "1999.05.01", "1", "Hort, Eve", "2300", "Geller, Liv", "2290", "1. d4 d5 2. c4 e6"),
            rated!("Riga (Open)", "1999.05.02", "2", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6"),
            rated!("RIGA OPEN", "2000.05.02", "2", "Keres, Jo", "2380", "Hort, Eve", "2300", "1. e4 c5 2. d4 d6"),
            rated!("Riga (Open B)", "1999.05.02", "2", "Flohr, Kim", "2380", "Euwe, May", "2300", "1. e4 e6 2. d4 d5")
        )),
    ],
    check: Check::Oddity(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OddityFacts<'_>, findings: &mut Findings) {
    let (Oddity::EventSpelling { main_games, games, .. }, Some((other, _))) = (facts.oddity, facts.other) else { return };
    let (own, main) = (facts.game.tag(KnownTag::Event), other.tag(KnownTag::Event).trim());
    let [games, main_games] = [games, main_games].map(|games| quantity(games, "game", "games"));
    let message = format!("the event is `{own}` in {games}, and `{main}` in {main_games} of the same year");
    let finding = findings.add(&RULE, facts.game.place.span());
    finding.message(message).found(own).expected(main);
    if let Some(patch) = replace_value(facts.game, KnownTag::Event, main) {
        finding.repair(Certainty::Likely, patch);
    }
}
