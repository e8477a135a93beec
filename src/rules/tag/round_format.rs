//! TAG09: rounds that are not numbers.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG09"),
    name: "round-format",
    severity: Severity::Info,
    summary: "The round is not a number",
    what: "Round is a number, several numbers joined by periods (`3.1.2` for round, board and \
           game), `?` if it is unknown, or `-` if there are no rounds. Any other value is \
           reported, once per input. Empty values are not checked; see TAG05.",
    why: "Other forms sort in the wrong order, and games of the same round are not found together.",
    fix: "Write only the number.",
    source: "PGN standard 8.1.1.4",
    fires: &[Sample::Tags("[Round \"⟦Round 3⟧\"]")],
    silent: &[Sample::Tags("[Round \"3.1.2\"]"), Sample::Tags("[Round \"-\"]")],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&[KnownTag::Round], wakes),
    ..Rule::DEFAULTS
};

/// Whether a round is unknown or numbers with periods between them, and is too short for a date.
fn is_plain_round(value: &[u8]) -> bool {
    if let b"?" | b"-" = value {
        return true;
    }
    let mut follows_digit = false;
    for byte in value {
        match byte {
            b'0'..=b'9' => follows_digit = true,
            b'.' if follows_digit => follows_digit = false,
            _ => return false,
        }
    }
    follows_digit && value.len() < 10
}

fn wakes(tags: &TagValues<'_>) -> bool {
    !is_plain_round(tags.of(KnownTag::Round))
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::Round) else { return };
    let value = pair.value.of(facts.text);
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if matches!(value, b"" | b"?" | b"-") || value.split(|byte| *byte == b'.').all(is_number) {
        return;
    }
    let found = shown(value);
    findings.add(&RULE, pair.value).once_per_input().message(format!("the round `{found}` is not a number")).found(found);
}
