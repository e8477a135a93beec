//! A position inside other text, such as JSON lines and program text, and the variations that an
//! engine gives for it.

use shakmaty::Chess;

use super::{
    examine_line_to,
    line_bytes::{check_line_bytes, next_line},
    line_of_moves::{Line, can_explain_illegal_move, note_not_played},
    record_checks::RecordChecks,
    record_outcome::RecordOutcome,
    row::{declared_beside, with_cell},
    window::Window,
};
use crate::{
    pgn::{BOM, begins_line, line_end},
    rules::{Findings, facts::RecordBytes, report_bad_json, report_enclosed, report_no_position},
    table::{CellContent, Enclosed, engine_lines, fields_beside, json_fault, next_enclosed},
    text::Span,
};

/// Maximum length of the variations of a position, in bytes.
const MAX_VARIATIONS: usize = 1 << 20;

/// Audits the first position at or after `start`, on the same line, and its variations. The record
/// ends with them, or with the line if there is no position.
///
/// If the lines `are_json`, those that are not, or have no position, are reported.
pub(super) fn read_enclosed(
    window: Window<'_>,
    start: usize,
    are_json: bool,
    checks: &RecordChecks,
    findings: &mut Findings,
) -> RecordOutcome {
    let text = window.text;
    let mut outcome = RecordOutcome::default();
    if are_json && begins_line(text, start) {
        outcome.touched_end = check_json(text, start, findings);
    }
    match next_enclosed(text, start) {
        // Nothing shows that the other fields of the position are missing.
        Ok(enclosed) if !are_json && enclosed.is_placement_only(text) => {
            (outcome.evidence.is_chess, outcome.evidence.is_mostly_chess) = (true, true);
            outcome.end = enclosed.end;
            outcome.next = after_enclosed(text, enclosed.end);
        }
        Ok(Enclosed { content, end }) => {
            let since = findings.len();
            let beside = Beside::of(text, start, content.place(), end);
            let lines = beside.variations(text);
            let (variant, moves) = fields_beside(text, beside.before, beside.after);
            let declared = declared_beside(variant.map(|name| name.of(text)), checks);
            report_enclosed(findings, content.place(), !lines.is_empty() || moves.is_some());
            let examined = with_cell(text, &content, b'"', findings, |text, place, findings| {
                examine_line_to(text, place, declared, checks.positions, None, findings)
            });
            outcome.counts.positions = 1;
            (outcome.evidence.is_chess, outcome.evidence.is_mostly_chess) = (true, true);
            outcome.evidence.position = examined.as_ref().map(|examined| examined.evidence.clone());
            outcome.end = lines.iter().chain(&moves).map(|line| line.place().end).fold(end, usize::max);
            let at_fault = findings.since(since).iter().position(can_explain_illegal_move).map(|index| since + index);
            let start = examined.as_ref().and_then(|examined| examined.start.as_ref());
            Variations { text, lines: &lines, moves: moves.as_ref(), start, at_fault }.play(checks, &mut outcome, findings);
            outcome.touched_end |= beside.after.end == text.len();
            outcome.next = after_enclosed(text, outcome.end);
        }
        Err(line_end) => (outcome.end, outcome.next) = (line_end, next_line(text, line_end)),
    }
    outcome.touched_end |= outcome.next >= text.len();
    let bytes = RecordBytes { text, start, end: outcome.end, at_input_start: start == 0 && window.base == 0 };
    check_line_bytes(&bytes, &checks.games.rules, findings);
    outcome
}

/// Where the record after a position that ends at `end` begins: other positions may follow on the
/// same line.
fn after_enclosed(text: &[u8], end: usize) -> usize {
    if matches!(text.get(end), Some(b'\n' | b'\r')) { next_line(text, end) } else { end }
}

/// Maximum length of a line of JSON that is checked, in bytes.
const MAX_JSON: usize = 1 << 20;

/// Checks a line that should be JSON with a position. Returns whether the end of the text affects
/// the result.
fn check_json(text: &[u8], start: usize, findings: &mut Findings) -> bool {
    let start = start + if text[start..].starts_with(BOM) { BOM.len() } else { 0 };
    let near = &text[..text.len().min(start + MAX_JSON)];
    let end = line_end(near, start);
    let line = Span::new(start, end);
    let content = line.of(text).trim_ascii();
    let is_other = content.is_empty() || matches!(content[0], b'#' | b'%' | b';');
    if is_other || end - start == MAX_JSON {
        return end == text.len();
    }
    match json_fault(line.of(text)) {
        Some(fault) => report_bad_json(findings, line, fault),
        None if content.len() > 1 && next_enclosed(near, start).is_err() => {
            report_no_position(findings, Span::new(start, end), b"");
        }
        None => {}
    }
    end == text.len()
}

/// The text beside a position on its line.
#[derive(Clone, Copy)]
struct Beside {
    /// What precedes it in its record.
    before: Span,
    /// What follows it, up to the next position.
    after: Span,
}

impl Beside {
    /// The text beside the position at `place`, whose record begins at `start`. `end` is the end of
    /// the position, without a closing quote.
    fn of(text: &[u8], start: usize, place: Span, end: usize) -> Beside {
        // Without the quotes of the position.
        let before = Span::new(start, place.start.saturating_sub(1).max(start));
        let after = end + usize::from(matches!(text.get(end), Some(b'"' | b'\'' | b'`')));
        let limit = line_end(text, end).min(end + MAX_VARIATIONS);
        let next = next_enclosed(&text[..limit], end).map_or(limit, |next| next.content.place().start - 1);
        Beside { before, after: Span::new(after.min(next), next) }
    }

    /// The variations of the position: those before it, or else those after it.
    fn variations(self, text: &[u8]) -> Vec<CellContent> {
        let before: Vec<CellContent> = engine_lines(text, self.before).collect();
        if before.is_empty() { engine_lines(text, self.after).collect() } else { before }
    }
}

/// The lines of a record, from its position.
struct Variations<'a> {
    text: &'a [u8],
    lines: &'a [CellContent],
    /// Moves beside the position, which may have led there, or begin elsewhere.
    moves: Option<&'a CellContent>,
    /// The position, if moves can be played from it.
    start: Option<&'a Chess>,
    /// The finding that says that the position is wrong.
    at_fault: Option<usize>,
}

impl Variations<'_> {
    /// Plays all lines. If the position is at fault, no line that cannot be played is reported, and
    /// the lines after it are not checked.
    fn play(&self, checks: &RecordChecks, record: &mut RecordOutcome, findings: &mut Findings) {
        let &Variations { text, lines, moves, start, at_fault } = self;
        let mut memory = Vec::new();
        let mut is_refused = start.is_none();
        let all = lines.iter().map(|line| (line, true)).chain(moves.map(|moves| (moves, false)));
        for (content, was_requested) in all {
            let (plies, not_examined) = with_cell(text, content, b'"', findings, |text, place, findings| {
                let line = Line { text, place, rules: &checks.games.rules, was_requested, at_fault };
                let is_played = |start| was_requested || line.begins_at(start);
                if is_refused || !start.is_some_and(is_played) {
                    (0, line.plies())
                } else {
                    line.play(start, &mut memory, findings)
                }
            });
            is_refused |= at_fault.is_some() && not_examined > 0;
            record.counts.plies += plies;
            record.counts.plies_not_examined += not_examined;
        }
        if start.is_none() {
            note_not_played(record.counts.plies_not_examined, at_fault, findings);
        }
    }
}
