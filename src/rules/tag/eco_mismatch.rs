//! TAG16: codes of openings that were not played.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ending, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG16"),
    name: "eco-mismatch",
    severity: Severity::Info,
    summary: "The ECO code is not that of the moves",
    what: "Letter and digits of the ECO tag differ from those that the classification named with `--eco FILE` gives the moves: the last position of the main line that it knows, \
           by whatever moves the game came there. Without such a file the rule is not run. Games that do not begin in the initial array, and games that cannot be replayed to their end, are spared.",
    why: "Classifications differ in places; a code from another chapter hints at a header that belongs to another game.",
    fix: "Compare the header with the moves; where they belong together, classify the game again.",
    source: "PGN standard 9.4.4; Encyclopaedia of Chess Openings",
    fires: &[Sample::Tags("[ECO \"⟦D37⟧\"]")],
    silent: &[Sample::Tags("[ECO \"C20\"]"), Sample::Tags("[ECO \"?\"]")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

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
        .message(format!("the moves are those of {} ({name}), but the ECO code is `{found}`", opening.code))
        .expected(opening.code.clone());
    finding.found(found).repair = Some(Repair::Likely);
}
