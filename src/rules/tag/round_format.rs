//! TAG09: rounds that are no numbers.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG09"),
    name: "round-format",
    severity: Severity::Info,
    summary: "The round is no number",
    what: "Round holds an integer, several joined by periods (round, board and game within a match: `3.1.2`), `?` where it is unknown, or `-` where there are no rounds. Once per input.",
    why: "Rounds of another form sort wrongly and keep the games of one round apart.",
    fix: "Write the number alone.",
    source: "PGN standard 8.1.1.4",
    fires: &[Sample::Tags("[Round \"⟦Round 3⟧\"]")],
    silent: &[Sample::Tags("[Round \"3.1.2\"]"), Sample::Tags("[Round \"-\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::Round) else { return };
    let value = pair.value.of(facts.text);
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if matches!(value, b"" | b"?" | b"-") || value.split(|byte| *byte == b'.').all(is_number) {
        return;
    }
    let found = shown(value);
    findings.add(&RULE, pair.value).once_per_input().message(format!("the round `{found}` is no number")).found(found);
}
