//! NAM04: a FIDE id of another player.

use crate::identity::Oddity;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NAM04"),
    name: "name-and-id",
    severity: Severity::Warning,
    summary: "FIDE's rating list has another name for the id",
    what: "The name has no part that is, sounds or looks like a part of the name that the list of \
           `--players` has for the id. That is an info, because names change and have several \
           spellings in Latin letters. It is a warning if the player of the list was younger than 4 \
           years in a game, or if other games have another id for the name, as the list has. Names \
           in other letters are not compared. Each name is reported once for an id.",
    why: "The game is credited to another player by programs that trust ids.",
    fix: "Look up the player, and correct the id or the name.",
    source: "FIDE rating list",

    needs: &[Need::Duplicates, Need::RatingList],
    fires: &[
        // The list has Quill, Ada for this id, and another one for Tal.
        Sample::Pgn(games!(
            with_id!("1999.05.01", "Tal, M", "2345678", "1. e4 e5"),
            marked!(with_id!("1999.05.02", "Tal, M", "1234567", "1. d4 d5"))
        )),
        // She was born in 1980.
        Sample::Pgn(games!(marked!(with_id!("1972.05.02", "Tal, Mihail", "1234567", "1. d4 d5")))),
        Sample::Pgn(games!(marked!(with_id!("1999.05.02", "Tal, Mihail", "1234567", "1. d4 d5")))),
    ],
    silent: &[
        // Another spelling, and names that the list does not have.
        Sample::Pgn(games!(with_id!("1999.05.02", "Quil, Eda", "1234567", "1. d4 d5"))),
        Sample::Pgn(games!(with_id!("1999.05.02", "Tal, Mihail", "7654321", "1. d4 d5"))),
    ],
    check: Check::Oddity(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OddityFacts<'_>, findings: &mut Findings) {
    let (Oddity::NameAndId { tag, id, games, is_too_young, has_own_id }, Some(listed)) = (facts.oddity, facts.listed) else {
        return;
    };
    let game = facts.game;
    let player = if tag == KnownTag::WhiteFideId { KnownTag::White } else { KnownTag::Black };
    let born = listed.born.map_or_else(String::new, |born| format!(" (born in {born})"));
    let times = if games > 1 { format!(" in {}", quantity(games, "game", "games")) } else { String::new() };
    let reason = match (has_own_id, is_too_young) {
        (true, _) => "; other games have another id for this name, as the list has",
        (false, true) => "; that player was a small child or not born",
        (false, false) => "",
    };
    let message = format!(
        "{} is `{}` with the FIDE id {id}{times}, but the list has `{}`{born} for it{reason}",
        player.name(),
        game.tag(player),
        listed.name,
    );
    let finding = findings.add(&RULE, game.place.span());
    finding.message(message).found(game.tag(player)).expected(&listed.name);
    if !has_own_id && !is_too_young {
        finding.severity = Severity::Info;
    }
}
