//! TAG21: how a game ended, in words.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG21"),
    name: "termination-value",
    severity: Severity::Info,
    summary: "The Termination tag holds none of the words that programs know",
    what: "The standard's words (abandoned, adjudication, death, emergency, normal, rules infraction, time forfeit, unterminated), in any case, those of engine tournaments \
           (illegal move, stalled connection, …), and sentences of servers (`… won by resignation`) are known. Once per input.",
    why: "Programs cannot tell a game lost on time from one that was played out.",
    fix: "Take one of the standard's words; put the rest into a comment.",
    source: "PGN standard 9.8.1",
    fires: &[Sample::Tags("[Termination \"⟦see comment⟧\"]")],
    silent: &[Sample::Tags("[Termination \"Time forfeit\"]"), Sample::Tags("[Termination \"x won by resignation\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

const WORDS: [&str; 13] = [
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

/// What the sentences of servers and tournament programs speak of.
const SUBJECTS: [&str; 18] = [
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
    if matches!(value, b"" | b"?" | b"-") || WORDS.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(value)) {
        return;
    }
    let lower = value.to_ascii_lowercase();
    if SUBJECTS.iter().any(|subject| memchr::memmem::find(&lower, subject.as_bytes()).is_some()) {
        return;
    }
    let found = shown(value);
    findings
        .add(&RULE, pair.value)
        .once_per_input()
        .message(format!("programs do not know the termination `{found}`"))
        .found(found);
}
