//! HSE04: games that the house denies.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("HSE04"),
    name: "game-denied",
    severity: Severity::Error,
    summary: "The house denies this game",
    what: "The file `deny-games` of the settings lists ids and links of games that should not be \
           there, and a tag of this game has one of them as its value. The tag is Site, GameId, \
           Link, or another one whose name ends with Id, URL or Link. An id also fits a link that \
           ends with it.",
    why: "The settings can say why: the reason is part of the message.",
    fix: "Remove the game, or take it from the list.",
    source: "the settings of the run",
    needs: &[Need::HouseRules],
    fires: &[Sample::Tags("[Site \"⟦https://lichess.org/abcd1234⟧\"]")],
    silent: &[Sample::Tags("[Site \"https://lichess.org/efgh5678\"]")],
    check: Check::House(check),
    ..Rule::DEFAULTS
};

fn check(facts: &HouseFacts<'_>, findings: &mut Findings) {
    let Some(denied) = &facts.rules.denied else { return };
    let text = facts.tags.text;
    let of_game = |pair: &&crate::pgn::TagPair| denied.has(pair.name.of(text), pair.value.of(text));
    let Some(pair) = facts.tags.pairs.iter().find(of_game) else { return };
    let found = shown(pair.value.of(text));
    let finding = findings.add(&RULE, pair.value).message(format!("`{found}` is on the list of games that the house denies"));
    finding.found(found);
    denied.note.apply(finding);
}
