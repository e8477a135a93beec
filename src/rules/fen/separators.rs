//! FEN09: fields or ranks are not separated as the standard requires.

use super::field_count::CLOCKS_GIVEN;
use super::{is_engine_command, trailing_data};
use crate::chess::fen::{PlacementNotes, Tail};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN09"),
    name: "separators",
    severity: Severity::Warning,
    summary: "Fields or ranks are not separated as the standard requires",
    what: "Fields are separated by exactly one space, and ranks by `/`. Tabs, underscores, \
        repeated spaces, semicolons, quotes, `\\` or `,` between ranks, and text before the position are \
        warnings. If 20 or more records have the same fault, it is reported once per input. \
        Whitespace after the position is an info, reported once per input.",
    why: "Strict parsers reject the position.",
    fix: "Write one space between fields and `/` between ranks, and remove everything around the \
        position.",
    source: "PGN standard 16.1.3",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦  ⟧w - - 0 1"),
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3⟦\\⟧8\\8\\8\\8\\8\\4P3\\4K3 w - - 0 30\"]", moves: "30. e4 *" },
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - -⟦  ⟧0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦_⟧w_-_-_0_1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦;⟧w;-;-;0;1"),
        Sample::Positions("⟦\"⟧4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\","),
        Sample::Positions("⟦position fen ⟧4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        Sample::Positions("⟦position fen ⟧4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4"),
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
        let finding = findings.add(&RULE, place).grouped(fault).found(shown(text));
        match text.len() {
            count if fault == SPACES => finding.message(format!("{count} spaces instead of one between two fields")),
            _ => finding.message(fault),
        };
        finding.expected(if before_first { "" } else { " " });
        if is_engine_command(text) && before_first && facts.fen.tail_kind == Tail::Moves {
            finding.message(format!("{fault}, and moves follow"));
            trailing_data::repair_moves(facts, finding);
            return;
        }
        if facts.fen.may_lack_clock() && text.len() > 1 && !before_first {
            finding.only_if(CLOCKS_GIVEN);
        }
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
            .repair(certainty_without(facts, place), Patch::remove(facts.text, place))
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
    let has_other_separators = gaps.iter().any(|gap| gap.of(text).iter().any(|byte| matches!(byte, b'_' | b';')));
    if before_first {
        let prefix = place.of(text);
        let has_more = is_engine_command(prefix) && facts.fen.tail_kind != Tail::Nothing;
        let certainty = if is_label(prefix) || has_more { Certainty::Likely } else { Certainty::Certain };
        patches.push((certainty, Patch::remove(text, place)));
        if let Some(quote) = prefix.iter().find(|byte| matches!(byte, b'"' | b'\'')) {
            let end = place.end + text[place.end..facts.place.end].trim_ascii_end().len();
            let rest = &text[place.end..end];
            let without_comma = rest.strip_suffix(b",").or_else(|| rest.strip_suffix(b";")).unwrap_or(rest);
            let last = place.end + without_comma.len().saturating_sub(1);
            let count = rest.iter().filter(|byte| *byte == quote).count();
            if count != 1 || text[last] != *quote || last < facts.fen.position().end {
                return Vec::new();
            }
            patches.push((Certainty::Certain, Patch::remove(text, Span::new(last, end))));
        }
    }
    // With spaces, the text after the fields would be read in another way.
    if has_other_separators && facts.fen.tail_kind != Tail::Nothing {
        return Vec::new();
    }
    // If a field is missing, a gap may be the only trace of it.
    if !matches!(facts.fen.count(), 4 | 6) || facts.fen.lacks_fields() {
        patches.retain(|_| before_first);
        return patches;
    }
    let wrong = gaps.into_iter().filter(|gap| gap.of(text) != b" ");
    patches.extend(wrong.map(|gap| (certainty_without(facts, gap), Patch::replace(text, gap, *b" "))));
    patches
}

/// How certain it is that the whitespace at `place` is not the only trace of an empty field.
fn certainty_without(facts: &PositionFacts<'_>, place: Span) -> Certainty {
    let has_counters = facts.halfmove_clock.is_some() && facts.fullmove_number.is_some();
    let is_read = facts.turn.is_some() && facts.castling_is_readable() && facts.en_passant.is_some();
    let fen = &facts.fen;
    // Operations follow the fourth field of a record.
    let is_complete = if fen.count() == 6 { has_counters } else { fen.count() == 4 && fen.tail_kind == Tail::Operations };
    let is_after = place.start >= fen.position().end;
    let may_be_field = if is_after {
        let empty = if fen.count() == 4 { 2 } else { 1 };
        fen.tail_kind == Tail::Nothing && fen.count() < 6 && place.end - place.start >= empty
    } else {
        place.end - place.start > 1 && !(is_read && is_complete)
    };
    if may_be_field { Certainty::Likely } else { Certainty::Certain }
}

/// What is between the fields. Check counters are like a field.
fn gaps(facts: &PositionFacts<'_>) -> Vec<Span> {
    let fen = &facts.fen;
    let fields = [fen.placement(), fen.turn(), fen.castling(), fen.en_passant(), fen.halfmove_clock(), fen.fullmove_number()];
    let mut words: Vec<Span> = fields.into_iter().chain([fen.checks]).flatten().collect();
    words.sort_by_key(|word| word.start);
    words.windows(2).map(|pair| Span::new(pair[0].end, pair[1].start)).collect()
}

/// Whether the text contains words other than an engine command. Then it may be needed elsewhere.
fn is_label(text: &[u8]) -> bool {
    !is_engine_command(text) && text.iter().any(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'_' | 0))
}

/// The fault of a longer gap between two fields.
const SPACES: &str = "more than one space between two fields";

/// What is wrong with the text between two fields, or before the first one.
fn fault_of(text: &[u8], before_first: bool) -> &'static str {
    let has = |byte: u8| text.contains(&byte);
    match before_first {
        true if is_engine_command(text) => "an engine command comes before the position",
        true if is_label(text) => "text comes before the position",
        true if has(b'"') || has(b'\'') => "the position is enclosed in quotes",
        true => "whitespace before the position",
        false if has(b';') => "semicolons instead of spaces between the fields",
        false if has(b'_') => "underscores instead of spaces between the fields, as in a URL",
        false if has(b'\t') => "a tab instead of one space between two fields",
        false => SPACES,
    }
}
