//! HSE01: tags that the house requires.

use super::{Demand, house_rules::is_known};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("HSE01"),
    name: "required-tag",
    severity: Severity::Error,
    summary: "A tag that the house requires is missing",
    what: "The list `require` of the settings names tags that every game needs. A tag without a \
           known value counts as missing. One finding per game lists all of them.",
    why: "The settings can say why: the reason is part of the message.",
    fix: "Add the tag with its value, or take it from the list in the settings.",
    source: "the settings of the run",
    needs: &[Need::HouseRules],
    fires: &[Sample::Pgn(
        "⟦[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\
         [Annotator \"?\"]⟧\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Tags("[Annotator \"Müller, Karla\"]")],
    check: Check::House(check),
    ..Rule::DEFAULTS
};

fn check(facts: &HouseFacts<'_>, findings: &mut Findings) {
    let is_missing = |tag: &str| !facts.pairs(tag).any(|pair| is_known(facts.tags.text, pair));
    let required = facts.rules.tags.iter().filter(|rule| rule.demand == Demand::Required);
    let missing: Vec<_> = required.filter(|rule| is_missing(&rule.tag)).collect();
    let names: Vec<&str> = missing.iter().map(|rule| &*rule.tag).collect();
    let message = match names[..] {
        [] => return,
        [one] => format!("the required tag {one} is missing or has no known value"),
        _ => format!("required tags are missing or have no known value: {}", join_and(&names)),
    };
    let finding = findings.add(&RULE, facts.tags.place).message(message).expected(names.join(", "));
    let worst = missing.iter().map(|rule| rule.note.severity.unwrap_or(RULE.severity)).max();
    for (number, rule) in missing.iter().enumerate() {
        let is_said = missing[..number].iter().any(|other| other.note.reason == rule.note.reason);
        if !is_said {
            rule.note.apply(finding);
        }
    }
    finding.severity = worst.unwrap_or(finding.severity);
}
