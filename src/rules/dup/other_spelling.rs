//! DUP13: names that are spelled in another way in most games of the player.

use crate::identity::SameBecause;
use crate::rules::patches::replace_value;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP13"),
    name: "other-spelling",
    severity: Severity::Info,
    summary: "Another spelling of the player's name is more frequent",
    what: "The player has another name in more games. The surnames are equal or sound alike, and \
           a given name is the same. Equal games are there under both names, against two or \
           more opponents, or one of the same event and day. Or the list of `--spelling` has \
           both. Names that met, or that played in one round of one event, are two players. \
           Names without a full first name are checked by the list only. Accents, case and \
           punctuation do not matter.",
    why: "The games of one player are found under two names.",
    fix: "Write one name. Check first that both are the same player.",
    source: "Scid, spelling.ssp",
    repairs: Some(Certainty::Likely),

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        game!("Moscow", "1981.??.??", "1", "Yusupov, Artur", "Karpov, Anatoly", "1-0", immortal!()),
        game!("Moscow", "1981.??.??", "2", "Hort, Vlastimil", "Yusupov, Artur", "1-0", long_other!()),
        game!("Linares", "1988.??.??", "3", "Yusupov, Artur", "Tal, Mihail", "1/2-1/2", short!()),
        marked!(game!("Moscow", "1981.??.??", "1", "Jussupow, Artur", "Karpov, Anatoly", "1-0", immortal!())),
        game!("Moscow", "1981.??.??", "2", "Hort, Vlastimil", "Jussupow, Artur", "1-0", long_other!())
    ))],
    // They met.
    silent: &[Sample::Pgn(games!(
        game!("Moscow", "1981.??.??", "1", "Yusupov, Artur", "Karpov, Anatoly", "1-0", immortal!()),
        game!("Moscow", "1981.??.??", "2", "Hort, Vlastimil", "Yusupov, Artur", "1-0", long_other!()),
        game!("Linares", "1988.??.??", "3", "Yusupov, Artur", "Jussupow, Artur", "1/2-1/2", short!()),
        game!("Moscow", "1981.??.??", "1", "Jussupow, Artur", "Karpov, Anatoly", "1-0", immortal!()),
        game!("Moscow", "1981.??.??", "2", "Hort, Vlastimil", "Jussupow, Artur", "1-0", long_other!())
    ))],
    check: Check::Spelling(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SpellingFacts<'_>, findings: &mut Findings) {
    let SpellingFacts { game, tag, main } = *facts;
    let (own, text) = (game.tag(tag), &*main.text);
    let evidence = match main.because {
        SameBecause::EqualGames(opponents) => {
            let opponents = quantity(opponents, "opponent", "opponents");
            format!("equal games against {opponents} are there under both names")
        }
        SameBecause::SameGame => "a game of one event and day is there under both names".to_owned(),
        SameBecause::List => "the list of spellings has both names".to_owned(),
        SameBecause::ThirdName => "both are names of the player with a third name".to_owned(),
        SameBecause::Id(id) => format!("the rating list has it for the FIDE id {id}"),
    };
    let message = match main.games {
        0 => format!("{} is `{own}`, but the main name of the player is `{text}`: {evidence}", tag.name()),
        games => {
            let games = quantity(games, "other game", "other games");
            format!("{} is `{own}`; in {games} the player is `{text}`: {evidence}", tag.name())
        }
    };
    let finding = findings.add(&RULE, game.place.span());
    finding.message(message).found(own).expected(text);
    if let Some(patch) = replace_value(game, tag, text) {
        finding.repair(Certainty::Likely, patch);
    }
}
