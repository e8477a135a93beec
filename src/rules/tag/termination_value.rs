//! TAG21: unknown values of the Termination tag.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG21"),
    name: "termination-value",
    severity: Severity::Info,
    summary: "The value of the Termination tag is not known",
    what: "Termination is not one of the values of the standard: abandoned, adjudication, death, \
           emergency, normal, rules infraction, time forfeit, unterminated. Case does not matter. \
           Values of engine tournaments (`stalled connection`) and sentences of servers (`... won \
           by resignation`) are also known. Reported once per input.",
    why: "Programs cannot distinguish a game lost on time from one that was played to the end.",
    fix: "Use one of the values of the standard. Put the rest in a comment.",
    source: "PGN standard 9.8.1",
    fires: &[Sample::Tags("[Termination \"⟦see comment⟧\"]")],
    silent: &[Sample::Tags("[Termination \"Time forfeit\"]"), Sample::Tags("[Termination \"x won by resignation\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// Values of the standard and of engine tournaments.
const VALUES: [&str; 13] = [
    "abandoned",
    "adjudication",
    "death",
    "emergency",
    "normal",
    "rules infraction",
    "time forfeit",
    "unterminated",
    "illegal move",
    "stalled connection",
    "time forfeited",
    "forfeit",
    "unknown",
];

/// Words that occur in the sentences of servers and tournament programs.
const KEYWORDS: [&str; 18] = [
    "resign",
    "checkmate",
    "mate",
    "time",
    "stalemate",
    "repetition",
    "agreement",
    "insufficient",
    "adjudication",
    "abandon",
    "disconnect",
    "50",
    "3-fold",
    "fold rep",
    "forfeit",
    "material",
    "connection",
    "illegal",
];

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::Termination) else { return };
    let value = pair.value.of(facts.text);
    if is_known_termination(value) {
        return;
    }
    let found = shown(value);
    findings.add(&RULE, pair.value).once_per_input().message(format!("Termination `{found}` is not a known value")).found(found);
}

/// Whether a value says nothing, or is a known one.
pub(crate) fn is_known_termination(value: &[u8]) -> bool {
    if matches!(value, b"" | b"?" | b"-") || VALUES.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(value)) {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    KEYWORDS.iter().any(|keyword| memchr::memmem::find(&lower, keyword.as_bytes()).is_some())
}
