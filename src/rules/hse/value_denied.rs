//! HSE03: values of tags that the house denies.

use super::{Demand, TagDemand};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("HSE03"),
    name: "value-denied",
    severity: Severity::Error,
    summary: "A tag has a value that the house denies",
    what: "The table `[deny]` of the settings lists values that a tag should not have, and this is \
           one of them.",
    why: "The settings can say why: the reason is part of the message.",
    fix: "Remove the game or correct the value, or take the value from the list in the settings.",
    source: "the settings of the run",
    needs: &[Need::HouseRules],
    fires: &[Sample::Tags("[WhiteTitle \"⟦BOT⟧\"]")],
    silent: &[Sample::Tags("[WhiteTitle \"GM\"]")],
    check: Check::House(check),
    ..Rule::DEFAULTS
};

fn check(facts: &HouseFacts<'_>, findings: &mut Findings) {
    for (TagDemand { tag, demand, note }, pair, value) in facts.demands() {
        let Demand::NoneOf(values) = demand else { continue };
        if values.iter().any(|denied| denied.as_bytes() == value) {
            let found = shown(value);
            let finding = findings.add(&RULE, pair.value).message(format!("{tag} is `{found}`, which the house denies"));
            finding.found(found);
            note.apply(finding);
        }
    }
}
