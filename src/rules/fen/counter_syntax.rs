//! FEN08: a counter is not an unsigned decimal number.

use crate::{
    chess::fen::read_counter,
    rules::{Certainty, Check, Findings, Patch, Rule, Sample, Severity, facts::PositionFacts, shown},
};

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
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦040⟧"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 10 70")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let counters = [(facts.fen.halfmove_clock(), "halfmove clock"), (facts.fen.fullmove_number(), "fullmove number")];
    for (place, name) in counters.into_iter().filter_map(|(place, name)| Some((place?, name))) {
        let found = place.of(facts.text);
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
