//! VAR01: variants of an unknown name.

use crate::{
    chess::{Variant, variant_played_elsewhere},
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("VAR01"),
    name: "unknown-variant",
    severity: Severity::Warning,
    summary: "The Variant tag names no variant that is known here",
    what: "The value of the Variant tag is none of the names that Lichess, chess.com, XBoard, ChessBase, Scid, kokopu and pychess write for standard chess, Chess960, \
           crazyhouse, atomic, antichess, horde, three-check, king of the hill, racing kings and games from a position. \
           Such a game is read, but its moves are not judged. Names of other games (bughouse, losers, boards without kings) are an info, once per input and name.",
    why: "Nothing can be said about the moves of a game whose rules are not known, and other readers take it for standard chess or refuse it.",
    fix: "Correct the name; delete the tag where the game is standard chess.",
    source: "Lichess and XBoard usage; the PGN standard has no Variant tag",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"⟦Foochess⟧\"]\n\n\
         1. e4 e5 *\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"normal\"]\n\n\
         1. e4 e5 *\n",
    )],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::Variant) else { return };
    let value = pair.value.of(facts.text);
    if Variant::named(value) != Variant::Unknown {
        return;
    }
    let found = shown(value);
    let finding = findings.add(&RULE, pair.value);
    if variant_played_elsewhere(value) {
        finding
            .severity(Severity::Info)
            .message(format!("the rules of the variant `{found}` are not known here: the moves of the game are not judged"))
            .once_per_input_and(found.to_ascii_lowercase());
    } else {
        finding.message(format!("`{found}` names no variant that is known here: the moves of the game are not judged"));
    }
    finding.found(found);
}
