//! FEN08: a counter is not an unsigned decimal number.

use crate::chess::fen::read_counter;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN08"),
    name: "counter-syntax",
    severity: Severity::Error,
    summary: "A counter is not an unsigned decimal number",
    what: "The halfmove clock and the fullmove number contain only digits. Leading zeros are an \
        info, reported once per input.",
    why: "Programs reject the position or reset the counters.",
    fix: "Write the number in digits only.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦x⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦1.0⟧ 40"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦- -⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦040⟧"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 10 70")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

/// Whether a counter is marked as unknown.
fn is_unknown(counter: &[u8]) -> bool {
    matches!(counter, b"-" | b"?")
}

/// Reports counters that are marked as unknown, together. A lone one may be superfluous.
fn report_unknown(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let unknown = |place: Option<Span>| place.filter(|place| is_unknown(place.of(facts.text)));
    let (clock, number) = (unknown(facts.fen.halfmove_clock()), unknown(facts.fen.fullmove_number()));
    let Some((place, subject, meant)) = (match (clock, number) {
        (Some(clock), Some(number)) => Some((Span::new(clock.start, number.end), "the counters are", "0 1")),
        (Some(clock), None) if facts.fen.count() == 6 => Some((clock, "the halfmove clock is", "0")),
        (None, Some(number)) => Some((number, "the fullmove number is", "1")),
        _ => None,
    }) else {
        return;
    };
    let found = shown(place.of(facts.text));
    let finding = findings.add(&RULE, place).once_if_usual(subject);
    finding.message(format!("{subject} `{found}` instead of {}", if meant == "0 1" { "numbers" } else { "a number" }));
    // The usual counters where the real ones are unknown.
    if facts.halfmove_clock.is_none_or(|clock| clock <= 1) {
        finding.repair(Certainty::Likely, Patch::replace(facts.text, place, meant)).expected(meant);
    }
    finding.found(found);
}

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    report_unknown(facts, findings);
    let counters = [(facts.fen.halfmove_clock(), "halfmove clock"), (facts.fen.fullmove_number(), "fullmove number")];
    for (place, name) in counters.into_iter().filter_map(|(place, name)| Some((place?, name))) {
        let found = place.of(facts.text);
        if is_unknown(found) && facts.fen.count() == 6 {
            continue;
        }
        if read_counter(found).is_none() {
            let text = shown(found);
            let finding =
                findings.add(&RULE, place).once_if_usual(name).message(format!("`{text}` is not an unsigned decimal number"));
            if let Some(meant) = meant(&text) {
                finding.expected(meant).repair(Certainty::Likely, Patch::replace(facts.text, place, meant));
            }
            finding.found(text);
        } else if found.len() > 1 && found[0] == b'0' {
            let text = shown(found);
            let plain = text.trim_start_matches('0');
            let plain = if plain.is_empty() { "0" } else { plain };
            let finding = findings
                .add(&RULE, place)
                .severity(Severity::Info)
                .once_per_input()
                .expected(plain)
                .repair(Certainty::Certain, Patch::replace(facts.text, place, plain))
                .message(format!("`{text}` has leading zeros"));
            finding.found(text);
        }
    }
}

/// The number that `7.0` or `+7` means: a counter that a spreadsheet has changed, or that was
/// printed with its sign.
fn meant(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let digits =
        digits.split_once('.').map_or(digits, |(whole, rest)| if rest.bytes().all(|byte| byte == b'0') { whole } else { "" });
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}
