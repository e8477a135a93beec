//! NAM01: a rating that is not that of the player.

use crate::identity::Oddity;
use crate::rules::patches::replace_value;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NAM01"),
    name: "rating-outlier",
    severity: Severity::Warning,
    summary: "The player has another rating in the other games of the event",
    what: "A player has another rating in most games of one event, 60 days apart at most, and this \
           one differs by 150 or more. The games before and after it have the usual one, or it is \
           the usual rating of the opponent: then the ratings of the two players were probably \
           exchanged. Players with different FIDE ids, engines, and games on servers, whose \
           ratings change, are not compared. Each player is reported once.",
    why: "A rating list, a norm or a filter by strength is wrong by one game.",
    fix: "Write the rating that the player has in the other games.",
    source: "FIDE Rating Regulations, B.02: lists are published monthly",
    repairs: Some(Certainty::Likely),

    needs: &[Need::Duplicates],
    fires: &[
        Sample::Pgn(games!(
            rated!("Riga Open", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
            marked!(rated!("Riga Open", "1999.05.02", "2", "Hort, Eve", "2300", "Tal, Ann", "2140", "1. d4 d5 2. c4 e6")),
            rated!("Riga Open", "1999.05.03", "3", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6")
        )),
        // The ratings were exchanged.
        Sample::Pgn(games!(
            rated!("Riga Open", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
            rated!("Riga Open", "1999.05.01", "1", "Hort, Eve", "2100", "Geller, Liv", "2290", "1. d4 d5 2. c4 e6"),
            rated!("Riga Open", "1999.05.02", "2", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6"),
            rated!("Riga Open", "1999.05.02", "2", "Keres, Jo", "2380", "Hort, Eve", "2100", "1. e4 c5 2. d4 d6"),
            marked!(rated!("Riga Open", "1999.05.03", "3", "Tal, Ann", "2100", "Hort, Eve", "2410", "1. g4 d5 2. g5 c5"))
        )),
    ],
    silent: &[
        // Another list.
        Sample::Pgn(games!(
            rated!("Riga Open", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
            rated!("Riga Open", "1999.05.02", "2", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6"),
            rated!("Riga Open", "1999.05.03", "3", "Hort, Eve", "2300", "Tal, Ann", "2140", "1. d4 d5 2. c4 e6")
        )),
        // Another event.
        Sample::Pgn(games!(
            rated!("Riga Open", "1999.05.01", "1", "Tal, Ann", "2410", "Keres, Jo", "2380", "1. e4 e5 2. f4 d6"),
            rated!("Riga Blitz", "1999.05.02", "2", "Hort, Eve", "2300", "Tal, Ann", "2140", "1. d4 d5 2. c4 e6"),
            rated!("Riga Open", "1999.05.03", "3", "Tal, Ann", "2410", "Geller, Liv", "2290", "1. c4 c5 2. g3 g6")
        )),
    ],
    check: Check::Oddity(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OddityFacts<'_>, findings: &mut Findings) {
    let Oddity::Rating { tag, usual, games, is_exchanged } = facts.oddity else { return };
    let game = facts.game;
    let own = game.tag(tag).trim();
    let [player, other_tag] =
        if tag == KnownTag::WhiteElo { [KnownTag::White, KnownTag::BlackElo] } else { [KnownTag::Black, KnownTag::WhiteElo] };
    let usually = format!("{} has {usual} in {} of this event", game.tag(player), quantity(games, "game", "games"));
    let exchanged = if is_exchanged { ": the ratings of the two players are exchanged" } else { "" };
    let message = format!("{} is {own}, but {usually}{exchanged}", tag.name());
    let values = if is_exchanged {
        vec![(tag, game.tag(other_tag).trim().to_owned()), (other_tag, own.to_owned())]
    } else {
        vec![(tag, usual.to_string())]
    };
    let pair = |tag: KnownTag, value: &str| format!("[{} \"{value}\"]", tag.name());
    let found: Vec<String> = values.iter().map(|(tag, _)| pair(*tag, game.tag(*tag))).collect();
    let expected: Vec<String> = values.iter().map(|(tag, value)| pair(*tag, value)).collect();
    let finding = findings.add(&RULE, game.place.span());
    finding.message(message).found(found.join(" ")).expected(expected.join(" "));
    for patch in values.iter().filter_map(|(tag, value)| replace_value(game, *tag, value)) {
        finding.repair(Certainty::Likely, patch);
    }
}
