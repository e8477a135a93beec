//! TAG16: ECO codes that do not match the moves.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG16"),
    name: "eco-mismatch",
    severity: Severity::Info,
    summary: "The ECO code does not match the moves",
    what: "The ECO tag differs from the code that the classification given with `--eco FILE` \
           assigns to the moves. The last position of the main line that the classification knows \
           decides. Without such a file the rule does not run. Games that start from another \
           position, or cannot be replayed to their end, are not checked.",
    why: "Classifications differ in places. But a code for a very different opening may mean that \
           the header belongs to another game.",
    fix: "Compare the header with the moves. If they belong together, classify the game again.",
    source: "PGN standard 9.4.4; Encyclopaedia of Chess Openings",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Tags("[ECO \"⟦D37⟧\"]")],
    silent: &[Sample::Tags("[ECO \"C20\"]"), Sample::Tags("[ECO \"?\"]")],
    needs: &[Need::Openings],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

/// Only the letter and the two digits are compared; subcodes are ignored.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(opening) = facts.opening else { return };
    let Some(pair) = facts.tags.pair(KnownTag::Eco) else { return };
    let value = pair.value.of(facts.text);
    let [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..] = value else { return };
    if value.starts_with(opening.code.as_bytes()) {
        return;
    }
    let found = shown(value);
    let name = shown(opening.name.as_bytes());
    let finding = findings
        .add(&RULE, pair.value)
        .message(format!("the moves belong to {} ({name}), but the ECO code is `{found}`", opening.code))
        .expected(opening.code.clone());
    finding.found(found).repair(Certainty::Likely, Patch::replace(facts.text, pair.value, opening.code.as_str()));
}
