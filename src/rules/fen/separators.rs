//! FEN09: fields or ranks are not separated as the standard requires.

use crate::{
    chess::fen::PlacementNotes,
    rules::{Certainty, Check, Findings, Patch, Rule, Sample, Severity, Span, facts::PositionFacts, shown},
};

pub static RULE: Rule = Rule {
    code: code!("FEN09"),
    name: "separators",
    severity: Severity::Warning,
    summary: "Fields or ranks are not separated as the standard requires",
    what: "Fields are separated by exactly one space, and ranks by `/`. Tabs, underscores, \
        repeated spaces, quotes, `\\` or `,` between ranks, and text before the position are \
        warnings. If 20 or more records have the same fault, it is reported once per input. \
        Whitespace after the position is an info, reported once per input.",
    why: "Strict parsers reject the position.",
    fix: "Write one space between fields and `/` between ranks, and remove everything around the \
        position.",
    source: "PGN standard 16.1.3",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦  ⟧w - - 0 1"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3⟦\\⟧8\\8\\8\\8\\8\\4P3\\4K3 w - - 0 30\"]\n\n30. e4 *\n",
        ),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - -⟦  ⟧0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦_⟧w_-_-_0_1"),
        Sample::Positions("⟦position fen ⟧4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        Sample::Positions("⟦WB ⟧4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1⟦ ⟧"),
        Sample::Positions("4k3⟦\\⟧8\\8\\8\\8\\8\\4P3\\4K3 w - - 0 1"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - -  bm e4;")],
    check: Check::AnyVariantField(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if let Some(place) = facts.fen.irregular {
        let text = place.of(facts.text);
        let before_first = place.start == facts.place.start;
        let fault = fault_of(text, before_first);
        let finding = findings.add(&RULE, place).grouped(fault).found(shown(text)).message(fault);
        finding.expected(if before_first { "" } else { " " });
        if text.iter().all(u8::is_ascii_whitespace) {
            finding.repair(Certainty::Certain, patch(facts, place, before_first));
        }
    }
    if let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::SEPARATOR))
        && let Some(offset) = placement.of(facts.text).iter().position(|byte| matches!(byte, b'\\' | b','))
    {
        let place = Span::new(placement.start + offset, placement.start + offset + 1);
        findings
            .add(&RULE, place)
            .grouped(shown(place.of(facts.text)))
            .found(shown(place.of(facts.text)))
            .expected("/")
            .message(format!("ranks are separated by `{}` instead of `/`", shown(place.of(facts.text))));
    }
    if let Some(place) = facts.fen.trailing_blanks {
        findings
            .add(&RULE, place)
            .severity(Severity::Info)
            .once_per_input()
            .found(shown(place.of(facts.text)))
            .message("whitespace after the position");
    }
}

/// Replaces the whitespace at `place`, and between all fields after it, by single spaces.
fn patch(facts: &PositionFacts<'_>, place: Span, before_first: bool) -> Patch {
    let place = Span::new(place.start, facts.fen.position().end.max(place.end));
    let old = place.of(facts.text);
    let fields: Vec<&[u8]> = old.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
    let space: &[u8] = if before_first { b"" } else { b" " };
    Patch::replace(facts.text, place, [space, &fields.join(&b' ')].concat())
}

fn is_engine_command(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with(b"position ") || text.starts_with(b"fen ")
}

/// Whether the text contains words other than an engine command. Then it may be needed elsewhere.
fn is_label(text: &[u8]) -> bool {
    !is_engine_command(text) && text.iter().any(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'_' | 0))
}

/// What is wrong with the text between two fields, or before the first one.
fn fault_of(text: &[u8], before_first: bool) -> &'static str {
    let has = |byte: u8| text.contains(&byte);
    match before_first {
        true if is_engine_command(text) => "an engine command comes before the position",
        true if is_label(text) => "text comes before the position",
        true if has(b'"') || has(b'\'') => "the position is enclosed in quotes",
        true => "whitespace before the position",
        false if has(b'_') => "underscores instead of spaces between the fields, as in a URL",
        false if has(b'\t') => "a tab instead of one space between two fields",
        false => "more than one space between two fields",
    }
}
