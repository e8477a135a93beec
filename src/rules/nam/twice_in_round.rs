//! NAM03: players with two opponents in one round.

use crate::identity::Oddity;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NAM03"),
    name: "twice-in-round",
    severity: Severity::Info,
    summary: "A player has two opponents in one round",
    what: "Two games with other moves have one event, site, year and round, and a player in common, \
           but the opponents differ. Event, site, round and the day have to be known. Nothing is \
           reported if more than a tenth of the rounds of the event have such games: then a round \
           has several games. Players with different FIDE ids, engines, and games on servers are \
           not compared.",
    why: "A round is wrong, or two players with the same name are taken for one.",
    fix: "Look up the pairings of the round.",
    source: "PGN standard, section 8.1.1.4",

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(TWICE)],
    silent: &[
        // Each round has two games.
        Sample::Pgn(games!(
            rated!("Riga Open", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
            rated!("Riga Open", "1999.05.01", "1", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6"),
            rated!("Riga Open", "1999.05.02", "2", "Keres, Jo", "2380", "Hort, Eve", "2300", "1. e4 c5 2. d4 d6")
        )),
    ],
    check: Check::Oddity(check),
    ..Rule::DEFAULTS
};

/// Ten rounds, in the last of which a player is there twice.
const TWICE: &str = concat!(
    round!("1", "1. a3"),
    round!("2", "1. a4"),
    round!("3", "1. b3"),
    round!("4", "1. b4"),
    round!("5", "1. c3"),
    round!("6", "1. c4"),
    round!("7", "1. d3"),
    round!("8", "1. d4"),
    round!("9", "1. e3"),
    rated!("Riga Open", "1999.05.10", "10", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5"),
    "\n\n",
    "⟦",
    rated!("Riga Open", "1999.05.10", "10", "Hort, Eve", "2300", "Tal, Ann", "2410", "1. f3 e5"),
    "⟧\n\n"
);

fn check(facts: &OddityFacts<'_>, findings: &mut Findings) {
    let (Oddity::TwiceInRound { tag, .. }, Some((other, input))) = (facts.oddity, facts.other) else { return };
    let game = facts.game;
    let players = [KnownTag::White, KnownTag::Black].map(|tag| other.tag(tag)).join(" - ");
    let (name, round) = (game.tag(tag), game.tag(KnownTag::Round));
    let message = format!("{name} has another opponent in round {round}: {players} in {}", named_game(other.place, input));
    findings.add(&RULE, game.place.span()).message(message).found(round);
}
