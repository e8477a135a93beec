//! FEN09: fields or ranks are not separated as the standard requires.

use crate::{
    chess::fen::{PlacementNotes, Tail},
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
    // NUL bytes are reported by ENC06.
    let is_regular_without_nuls = |place: &Span| {
        let text = place.of(facts.text);
        text.contains(&0) && text.iter().filter(|byte| **byte != 0).eq(b" ".iter().filter(|_| place.start != facts.place.start))
    };
    if let Some(place) = facts.fen.irregular.filter(|place| !is_regular_without_nuls(place)) {
        let text = place.of(facts.text);
        let before_first = place.start == facts.place.start;
        let fault = fault_of(text, before_first);
        let finding = findings.add(&RULE, place).grouped(fault).found(shown(text)).message(fault);
        finding.expected(if before_first { "" } else { " " });
        for (certainty, patch) in patches(facts, place, before_first) {
            finding.repair(certainty, patch);
        }
    }
    if let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::SEPARATOR))
        && let mut wrong = separators(facts.text, placement)
        && let Some(place) = wrong.next()
    {
        let finding = findings.add(&RULE, place);
        // A board has seven of them.
        for separator in std::iter::once(place).chain(wrong).filter(|_| facts.board.is_some()) {
            finding.repair(Certainty::Certain, Patch::replace(facts.text, separator, *b"/"));
        }
        finding
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
            .repair(Certainty::Certain, Patch::remove(facts.text, place))
            .message("whitespace after the position");
    }
}

/// The separators of ranks other than `/`.
fn separators(text: &[u8], placement: Span) -> impl Iterator<Item = Span> + '_ {
    let is_wrong = |(_, byte): &(usize, &u8)| matches!(byte, b'\\' | b',');
    let wrong = placement.of(text).iter().enumerate().filter(is_wrong);
    wrong.map(move |(offset, _)| Span::new(placement.start + offset, placement.start + offset + 1))
}

/// Removes the text at `place` before the first field, and writes one space between all fields.
fn patches(facts: &PositionFacts<'_>, place: Span, before_first: bool) -> Vec<(Certainty, Patch)> {
    let text = facts.text;
    let mut patches = Vec::new();
    // NUL bytes are reported by ENC06.
    let gaps = gaps(facts);
    if place.of(text).contains(&0) || gaps.iter().any(|gap| gap.of(text).contains(&0)) {
        return patches;
    }
    let has_underscores = gaps.iter().any(|gap| gap.of(text).contains(&b'_'));
    if before_first {
        let prefix = place.of(text);
        let has_more = is_engine_command(prefix) && facts.fen.tail_kind != Tail::Nothing;
        let certainty = if is_label(prefix) || has_more { Certainty::Likely } else { Certainty::Certain };
        patches.push((certainty, Patch::remove(text, place)));
        if let Some(quote) = prefix.iter().find(|byte| matches!(byte, b'"' | b'\'')) {
            let last = place.end + text[place.end..facts.place.end].trim_ascii_end().len() - 1;
            let rest = Span::new(place.end, last + 1);
            let count = rest.of(text).iter().filter(|byte| *byte == quote).count();
            if count != 1 || text[last] != *quote || last < facts.fen.position().end {
                return Vec::new();
            }
            patches.push((Certainty::Certain, Patch::remove(text, Span::new(last, last + 1))));
        }
    }
    // Without its underscores, the text after the fields would be read in another way.
    if has_underscores && facts.fen.tail_kind != Tail::Nothing {
        return Vec::new();
    }
    // If a field is missing, a gap may be the only trace of it.
    if !matches!(facts.fen.count(), 4 | 6) {
        patches.retain(|_| before_first);
        return patches;
    }
    let wrong = gaps.into_iter().filter(|gap| gap.of(text) != b" ");
    patches.extend(wrong.map(|gap| (Certainty::Certain, Patch::replace(text, gap, *b" "))));
    patches
}

/// What is between the fields. Check counters are like a field.
fn gaps(facts: &PositionFacts<'_>) -> Vec<Span> {
    let fen = &facts.fen;
    let fields = [fen.placement(), fen.turn(), fen.castling(), fen.en_passant(), fen.halfmove_clock(), fen.fullmove_number()];
    let mut words: Vec<Span> = fields.into_iter().chain([fen.checks]).flatten().collect();
    words.sort_by_key(|word| word.start);
    words.windows(2).map(|pair| Span::new(pair[0].end, pair[1].start)).collect()
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
