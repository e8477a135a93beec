//! VAR01: variant names that are not known.

use crate::chess::{Variant, variant_played_elsewhere};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("VAR01"),
    name: "unknown-variant",
    severity: Severity::Warning,
    summary: "The Variant tag names an unknown variant",
    what: "The value is not a name that Lichess, chess.com, XBoard, ChessBase, Scid, kokopu or \
           pychess use for a supported variant. Supported are standard chess, Chess960, \
           crazyhouse, atomic, antichess, horde, three-check, king of the hill, racing kings and \
           games from a position. Moves of other variants are read but not checked. Names of other \
           known games (bughouse, losers, boards without kings, and shuffled pieces without a FEN \
           tag) are an info, once per input and name. So are numbered variants of servers \
           (`wild/24`), which the Event tag of a game with a FEN tag may name. Tags such as WhiteA, \
           and numbers such as `1A.`, show bughouse without a Variant tag. Sente and Gote show \
           shogi, Red shows xiangqi, and moves such as `32-28` show draughts. Game and GameType may \
           name a game. No rule about chess applies to games with other pieces.",
    why: "The moves of a game with unknown rules cannot be checked. Other readers take it for \
          standard chess or reject it.",
    fix: "Correct the name. If the game is standard chess, delete the tag.",
    source: "Lichess and XBoard usage; the PGN standard has no Variant tag",
    fires: &[
        Sample::Game { tags: "[Variant \"⟦Foochess⟧\"]", moves: "1. e4 e5 *" },
        Sample::Game {
            tags: "[Variant \"⟦seirawan⟧\"]",
            moves: "1. Nf3/E Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O/Hf1 O-O 5. Exd5 xyzzy *",
        },
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[BPGN \"1\"]\n\
             [⟦WhiteA⟧ \"a\"][WhiteAElo \"1\"]\n[BlackA \"b\"]\n[WhiteB \"c\"]\n[BlackB \"d\"]\n[Result \"1-0\"]\n\n\
             {C:a match} 1A. e4 {180.0} 1B. d4 {180.0} 1a. d6 {179.9} 1b. d5 2A. P@e5 {d resigned} 1-0\n",
        ),
        Sample::Moves("{a match} ⟦1B.⟧ e4 {180.0} 1A. d4 {180.0} 1b. d6 {179.9} *"),
        Sample::Pgn(
            "[Event \"?\"]\n[Date \"2025-11-17\"]\n[⟦Sente⟧ \"a\"]\n[Gote \"b\"]\n[Result \"0-1\"]\n\n7g7f 8c8d\nB*7g 3c3d\n0-1\n",
        ),
        Sample::Pgn(
            "[Game \"⟦Chinese Chess⟧\"]\n[Event \"?\"]\n[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\
             [FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n\n1. C2=5 n8+7 1-0\n",
        ),
        Sample::Pgn(
            "[Event \"?\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"2-0\"]\n[GameType \"⟦20⟧\"]\n\n1. 32-28 19-23 2. 28x19 2-0\n",
        ),
        Sample::Pgn("[Event \"?\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-1\"]\n\n1. ⟦11-15⟧ 23-19 2. 8-11 1-1\n"),
    ],
    silent: &[
        // A player who is called Red, and a game with a number.
        Sample::Game { tags: "[White \"Red\"]\n[Game \"20\"]", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[Variant \"normal\"]", moves: "1. e4 e5 *" },
        // One such tag is not enough.
        Sample::Tags("[WhiteA \"a\"]\n[WhiteACF \"b\"]\n[BlackACF \"c\"]\n[BlackBElo \"d\"]"),
    ],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some((place, Variant::Unknown)) = facts.variant() else { return };
    let value = place.of(facts.text);
    let found = shown(value);
    let finding = findings.add(&RULE, place);
    if let Some(game) = facts.other_game().filter(|game| game.place == place)
        && let Some(name) = game.game
    {
        finding
            .severity(Severity::Info)
            .message(format!("`{found}` shows {name}, which is not supported: the moves of the game are not checked"))
            .once_per_input_and(name)
            .found(found);
        return;
    }
    if Variant::named(value) == Variant::Shuffle || variant_played_elsewhere(value) {
        finding
            .severity(Severity::Info)
            .message(format!("the variant `{found}` is not supported: the moves of the game are not checked"))
            .once_per_input_and(found.to_ascii_lowercase());
    } else {
        finding.message(format!("`{found}` is not the name of a known variant: the moves of the game are not checked"));
    }
    finding.found(found);
}
