//! HSE02: values of tags that the house does not allow.

use super::{Demand, TagDemand};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("HSE02"),
    name: "value-not-allowed",
    severity: Severity::Error,
    summary: "A tag has a value that the house does not allow",
    what: "The table `[allow]` of the settings lists all values that a tag may have, and this is \
           another one. A game without the tag is not reported.",
    why: "The settings can say why: the reason is part of the message.",
    fix: "Correct the value, or add it to the list in the settings.",
    source: "the settings of the run",
    needs: &[Need::HouseRules],
    fires: &[Sample::Tags("[Source \"⟦scan⟧\"]")],
    silent: &[Sample::Tags("[Source \"book\"]")],
    check: Check::House(check),
    ..Rule::DEFAULTS
};

/// Maximum number of values in a message.
const MAX_VALUES: usize = 5;

fn check(facts: &HouseFacts<'_>, findings: &mut Findings) {
    for (TagDemand { tag, demand, note }, pair, value) in facts.demands() {
        let Demand::OneOf(values) = demand else { continue };
        if values.iter().any(|allowed| allowed.as_bytes() == value) {
            continue;
        }
        let found = shown(value);
        let first: Vec<String> = values.iter().take(MAX_VALUES).map(|value| format!("`{value}`")).collect();
        let allowed = if values.len() > MAX_VALUES { format!("one of {} values", values.len()) } else { join_or(&first) };
        let finding = findings.add(&RULE, pair.value).message(format!("{tag} is `{found}`, but only {allowed} is allowed"));
        finding.alternatives(values.iter().take(MAX_VALUES).cloned().collect());
        finding.found(found);
        note.apply(finding);
    }
}
