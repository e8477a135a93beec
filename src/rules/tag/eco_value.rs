//! TAG15: ECO codes that do not exist.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG15"),
    name: "eco-value",
    severity: Severity::Warning,
    summary: "The ECO code does not exist",
    what: "ECO is not a letter from A to E followed by two digits. Empty values, `?` and `-` are \
           not checked. A subcode after the code (`A00/07`, or `D85r` as Scid writes it) is an \
           info, reported once per input.",
    why: "Opening statistics miss the game.",
    fix: "Classify the game again.",
    source: "PGN standard 9.4.4; Encyclopaedia of Chess Openings",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Tags("[ECO \"⟦Z99⟧\"]"), Sample::Tags("[ECO \"⟦C20r⟧\"]")],
    silent: &[Sample::Tags("[ECO \"C20\"]"), Sample::Tags("[ECO \"?\"]")],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&[KnownTag::Eco], wakes),
    ..Rule::DEFAULTS
};

fn wakes(tags: &TagValues<'_>) -> bool {
    !matches!(tags.of(KnownTag::Eco), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'] | b"?" | b"-" | b"")
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::Eco) else { return };
    let value = pair.value.of(facts.text);
    let is_digit = u8::is_ascii_digit;
    match value {
        b"" | b"?" | b"-" => {}
        [b'A'..=b'E', tens, ones] if is_digit(tens) && is_digit(ones) => {}
        [b'A'..=b'E', tens, ones, rest @ ..] if is_digit(tens) && is_digit(ones) && is_subcode(rest) => {
            findings
                .add(&RULE, pair.value)
                .severity(Severity::Info)
                .once_per_input()
                .found(shown(value))
                .expected(shown(&value[..3]))
                .message(format!("the ECO code `{}` has a subcode", shown(value)))
                .repair(Certainty::Likely, Patch::replace(facts.text, pair.value, &value[..3]));
        }
        [b'a'..=b'e', tens, ones] if is_digit(tens) && is_digit(ones) => {
            let code = value.to_ascii_uppercase();
            findings
                .add(&RULE, pair.value)
                .once_if_usual("lowercase")
                .found(shown(value))
                .expected(shown(&code))
                .message(format!("the letter of the ECO code `{}` is lowercase", shown(value)))
                .repair(Certainty::Likely, Patch::replace(facts.text, pair.value, code));
        }
        _ => {
            let found = shown(value);
            let message = format!("the ECO code `{found}` does not exist");
            findings.add(&RULE, pair.value).once_if_usual("").message(message).found(found);
        }
    }
}

/// `/07` as in the standard, or a lowercase letter and up to two digits, as Scid writes it.
fn is_subcode(rest: &[u8]) -> bool {
    match rest {
        [b'/', digits @ ..] => (1..=2).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
        [letter, digits @ ..] => letter.is_ascii_lowercase() && digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit),
        [] => true,
    }
}
