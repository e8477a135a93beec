//! A game inside other text, such as the strings of programs and Markdown fences.

use super::{
    game::{GameMemory, GameText, audit_game},
    record_checks::RecordChecks,
    record_outcome::RecordOutcome,
    row::with_cell,
    window::Window,
};
use crate::{
    rules::{Findings, Rule, enc::line_format, report_enclosed_games, syn::blank_line::is_about_indentation},
    table::{CellContent, Delimiter},
    text::Span,
};

/// Audits the game that begins at `start`. Without one there, the record is the text before the
/// next game. The text up to that game belongs to the record, but nothing is said of it.
pub(super) fn read_enclosed_game(
    window: Window<'_>,
    start: usize,
    delimiter: Delimiter,
    memory: &mut GameMemory,
    checks: &RecordChecks,
    findings: &mut Findings,
) -> RecordOutcome {
    let text = window.text;
    let up_to_next = |from: usize, record: RecordOutcome| {
        let (next, touched_end) = delimiter.next_game(text, from, text.len());
        RecordOutcome { next: next.unwrap_or(text.len()), touched_end: touched_end || record.touched_end, ..record }
    };
    if !delimiter.is_inside(text, start) {
        let record = up_to_next(start, RecordOutcome::default());
        return RecordOutcome { end: record.next, ..record };
    }
    let game = delimiter.game_at(text, start);
    let mut record = RecordOutcome { touched_end: game.touched_end, ..RecordOutcome::default() };
    let since = findings.len();
    let (next, end) = with_cell(text, &game.content, b'"', findings, |text, place, findings| {
        let text = &text[..place.end];
        let outcome = audit_game(GameText { text, start: place.start, complete: true }, &checks.games, memory, findings);
        let is_about_file = |rule: &Rule| rule.layout || rule.code == line_format::RULE.code;
        findings.retain_since(since, |finding| !is_about_file(finding.rule) && !is_about_indentation(finding));
        findings.since(since).iter_mut().for_each(|finding| finding.repair = None);
        record.note_game(text, place.start, &outcome, memory, checks);
        // What follows belongs to the record, unless it is another game.
        let has_next = !text[outcome.next..].trim_ascii().is_empty();
        (has_next.then_some(outcome.next), outcome.end)
    });
    let in_text = |at: usize| match &game.content {
        CellContent::Plain(_) => at,
        CellContent::Unquoted(content) => content.place(Span::new(at, at)).start,
    };
    record.end = in_text(end);
    report_enclosed_games(findings, Span::new(start, record.end));
    (record.evidence.is_chess, record.evidence.is_mostly_chess) = (true, true);
    match next {
        Some(next) => RecordOutcome { next: in_text(next), ..record },
        None if game.goes_on => RecordOutcome { next: game.end, ..record },
        None => up_to_next(game.end, record),
    }
}
