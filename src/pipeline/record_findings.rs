//! The findings of a record, on their way into a chunk.

use std::{ops::ControlFlow, sync::Arc, vec::Drain};

use rustc_hash::FxHashMap;

use super::{
    checks::InputChecks,
    line_numbers::Lines,
    once_per_input::{Folded, Key, OncePerInput, folded, key},
    overlapping_repairs::settle,
    reasons_of_records::{Mark, Marks, Reasons},
    trial::{ReadRecord, withdraw_harmful},
};
use crate::{
    pgn::BOM,
    record::{ReaderMemory, Window, digest, fingerprint, game_label, kind_fingerprint, line_label},
    rules::{Code, Finding, Findings, MIN_GROUPED, Scope, Severity, aggregate::Offset},
    table::Layout,
    text::{Encoding, Extents, Span, readable, wording::quantity},
};

/// The ordinal that means the last record before a chunk.
pub(super) const RECORD_BEFORE: u64 = u64::MAX;

/// The finding of a chunk after what precedes the chunk.
pub(super) fn moved(mut finding: Finding, Offset { lines, records }: Offset) -> Finding {
    finding.line += lines;
    finding.game = match finding.game {
        0 => 0,
        RECORD_BEFORE => records,
        game => game + records,
    };
    finding
}

/// Where findings are noted: what a chunk reports once per input, and what shows its bad records.
pub(super) struct NotedIn<'a> {
    pub repeated: &'a mut OncePerInput<Span>,
    pub folded: &'a mut Vec<Folded>,
    pub marks: &'a mut Marks,
    /// Number of records of the chunk so far, this one included.
    pub records: u64,
}

/// The findings of the record that is being read. The memory is reused from record to record.
#[derive(Debug, Default)]
pub(super) struct RecordFindings {
    found: Findings,
    /// Those that are selected, and whether they are infos by themselves.
    selected: Vec<(Finding, bool)>,
    /// Those of them that may be reported at their own places, with the span of the record.
    noted: Vec<(Finding, Span)>,
    /// Number of findings of a rule at each ply about the same words: the ordinal tells them apart.
    /// Other words have their own count, and so have infos, so that the profile does not matter.
    alike: FxHashMap<(Code, bool, Option<u32>, String, u64), usize>,
    /// The habits that the record shows: records are counted, not findings.
    habits: Vec<Key>,
    /// The memory of a reader that tries repairs.
    trials: ReaderMemory,
}

/// What findings say of their record.
struct Described {
    /// Its place in the input.
    bytes: Span,
    ordinal: u64,
    label: String,
    /// The digest of the record, and that with the text after it.
    own: u64,
    whole: u64,
}

impl RecordFindings {
    /// What was found, for the reader.
    pub const fn found(&mut self) -> &mut Findings {
        &mut self.found
    }

    /// Removes all that was found from this place of the window on.
    pub fn retain_before(&mut self, end: usize) {
        self.found.all().retain(|finding| finding.place.start < end);
    }

    /// The number of errors, and whether there are warnings.
    pub fn worst(&mut self) -> (u16, bool) {
        let found = self.found.all();
        let errors = found.iter().filter(|finding| finding.severity == Severity::Error).count();
        let has_warnings = found.iter().any(|finding| finding.severity == Severity::Warning);
        (u16::try_from(errors).unwrap_or(u16::MAX), has_warnings)
    }

    /// The findings that may be reported at their own places, each with the span of its record.
    pub fn take_noted(&mut self) -> Drain<'_, (Finding, Span)> {
        self.noted.drain(..)
    }

    /// Sorts what was found, drops what is not selected, and fills in label, place and fingerprint.
    /// What may be reported at its own place is then noted. Breaks if more text is needed.
    #[cold]
    pub fn note(&mut self, record: &ReadRecord<'_>, checks: &InputChecks, lines: &mut Lines, to: NotedIn<'_>) -> ControlFlow<()> {
        self.select(checks);
        // Also the other findings of a record that may be bad are marked.
        let may_move =
            |reasons: &&Arc<Reasons>| self.selected.iter().any(|(finding, _)| reasons.on.moves(finding.rule, finding.severity));
        let reasons = checks.reasons.as_ref().filter(may_move);
        // What the chunk already reports once needs no place.
        let is_counted = |finding: &Finding| {
            let is_once = matches!(finding.scope, Scope::Input { .. });
            is_once && to.repeated.count(finding) > 0 && !is_listed(finding, checks)
        };
        if reasons.is_none() && self.selected.iter().all(|(finding, _)| is_counted(finding)) {
            self.selected.drain(..).for_each(|(finding, _)| to.repeated.count_more(&finding, 1));
            return ControlFlow::Continue(());
        }
        withdraw_harmful(&mut self.selected, record, checks, &mut self.trials)?;
        let described = Described::of(record, checks.records.layout, to.records);
        let &ReadRecord { window, start, ref extent, outcome } = record;
        let base = usize::try_from(window.base).unwrap_or(usize::MAX);
        let mut extents = Extents::default();
        self.habits.clear();
        let mut selected = std::mem::take(&mut self.selected);
        for (mut finding, is_info) in selected.drain(..) {
            let field = digest([window.text.get(finding.place.start..finding.place.end).unwrap_or_default()]);
            let alike =
                self.alike.entry((finding.rule.code, is_info, finding.ply, finding.variation.clone(), field)).or_insert(0);
            let earlier = std::mem::replace(alike, *alike + 1);
            lines.advance(window.text, finding.place.start);
            finding.line = lines.line + 1;
            finding.column = window.base + finding.place.start as u64 - lines.line_start + 1;
            finding.extent = line_start_in_record(window, start, lines, finding.place)
                .map(|line_start| extents.next(window.text, line_start, finding.place));
            finding.game = described.ordinal;
            finding.game_label.clone_from(&described.label);
            let digest = if finding.place.start < outcome.end { described.own } else { described.whole };
            finding.fingerprint = fingerprint(&finding, digest, field, (is_info, earlier));
            if let Some(reasons) = reasons {
                // The record itself is not bad because of the text after it.
                let is_after = finding.place.start >= extent.end && extent.end < outcome.next;
                let part = if is_after { extent.end..outcome.next } else { extent.clone() };
                let mark = Mark {
                    game: if is_after { 0 } else { described.ordinal },
                    movetext: if is_after || outcome.movetext == 0 { 0 } else { window.base + outcome.movetext as u64 },
                    line: finding.line,
                    column: finding.column,
                    fingerprint: finding.fingerprint,
                    ..Mark::new(reasons.of(&finding), window.base + part.start as u64, window.base + part.end as u64)
                };
                to.marks.push(mark, finding.message.as_bytes());
            }
            finding.move_places(|place| place.shifted(base));
            self.note_in_scope(finding, described.bytes, checks, (to.repeated, to.folded));
        }
        self.selected = selected;
        ControlFlow::Continue(())
    }

    /// Moves what is selected to `selected`, sorted by place.
    fn select(&mut self, checks: &InputChecks) {
        let RecordFindings { found, selected, alike, .. } = self;
        alike.clear();
        let beyond = found.take_beyond();
        let list = found.all();
        if let Some(last) = list.last_mut().filter(|_| beyond > 0) {
            let more = quantity(beyond, "more finding", "more findings");
            let verb = if beyond == 1 { "is" } else { "are" };
            last.message.push_str(&format!("; {more} in this record {verb} not listed"));
        }
        list.sort_by(|a, b| {
            (a.place, a.rule.code, &a.variation, &a.message).cmp(&(b.place, b.rule.code, &b.variation, &b.message))
        });
        let admitted = |mut finding: Finding| {
            let is_info = finding.severity == Severity::Info;
            checks.selection.admits(&mut finding).then_some((finding, is_info))
        };
        selected.extend(list.drain(..).filter_map(admitted));
        settle(selected);
    }

    /// Notes or counts a finding of the record at `bytes` of the input, as its scope says.
    fn note_in_scope(
        &mut self,
        finding: Finding,
        bytes: Span,
        checks: &InputChecks,
        (repeated, counted): (&mut OncePerInput<Span>, &mut Vec<Folded>),
    ) {
        let RecordFindings { noted, habits, .. } = self;
        match &finding.scope {
            Scope::Place => noted.push((finding, bytes)),
            Scope::Input { .. } => {
                if is_listed(&finding, checks) {
                    noted.push((finding.clone(), bytes));
                }
                repeated.add(finding, || bytes, 1);
            }
            Scope::Group { kind, .. } => {
                let fingerprint = kind_fingerprint(&finding, kind);
                let count = repeated.add(Finding { fingerprint, ..finding.clone() }, || bytes, 1);
                // Of a large group, only the repairs are needed.
                if count < MIN_GROUPED || is_listed(&finding, checks) {
                    noted.push((finding, bytes));
                } else if checks.lists_folded {
                    counted.extend(folded(&finding));
                }
            }
            Scope::Habit { kind } => {
                let habit = key(&finding);
                if !habits.contains(&habit) {
                    habits.push(habit);
                    if repeated.count(&finding) > 0 {
                        repeated.count_more(&finding, 1);
                    } else {
                        let fingerprint = kind_fingerprint(&finding, kind);
                        repeated.add(Finding { fingerprint, ..finding.clone() }, || bytes, 1);
                    }
                }
                noted.push((finding, bytes));
            }
        }
    }
}

/// Whether the repair of a finding is listed, so that its place is needed.
fn is_listed(finding: &Finding, checks: &InputChecks) -> bool {
    checks.records.games.repairs && finding.repair.is_some()
}

impl Described {
    /// `records` is the number of records so far, this one included.
    fn of(record: &ReadRecord<'_>, layout: Layout, records: u64) -> Described {
        let &ReadRecord { window, start, outcome, .. } = record;
        let ordinal = match (outcome.counts.records(), outcome.continues) {
            (0, None) => 0,
            (0, Some(_)) if records == 0 => RECORD_BEFORE,
            _ => records,
        };
        let base = usize::try_from(window.base).unwrap_or(usize::MAX);
        let bytes = Span::new(start, outcome.next).shifted(base);
        let text = &window.text[start..outcome.next];
        let encoding = Encoding::of(text);
        let label = match (layout, &outcome.label) {
            (Layout::Games, _) => game_label(text, encoding),
            (Layout::EnclosedGames(delimiter), _) => game_label(&delimiter.meant(text), encoding),
            (_, Some(content)) => readable(content.bytes(window.text), encoding).into_owned(),
            (_, None) => line_label(outcome.continues.map_or(text, |line| line.of(window.text)), encoding),
        };
        // Stray text after a game is hashed only for findings in that text.
        let (own, whole) = match outcome.continues {
            None => {
                let own = digest([&window.text[start..outcome.end]]);
                let rest = window.text.get(outcome.end..outcome.next);
                let is_blank = rest.is_some_and(|rest| rest.trim_ascii().is_empty());
                (own, if is_blank { own } else { digest([text]) })
            }
            Some(line) => {
                let both = digest([line.of(window.text), text]);
                (both, both)
            }
        };
        Described { bytes, ordinal, label, own, whole }
    }
}

/// Where the line of `place` begins for editors, which do not show a byte order mark. `None` if it
/// begins before the record at `start`, because the text before that may not be in the window.
fn line_start_in_record(window: Window<'_>, start: usize, lines: &Lines, place: Span) -> Option<usize> {
    let line_start = lines.line_start.checked_sub(window.base).and_then(|at| usize::try_from(at).ok());
    let line_start = line_start.filter(|line_start| *line_start >= start)?;
    let has_mark = window.base == 0 && line_start == 0 && window.text.starts_with(BOM);
    Some(if has_mark { BOM.len().min(place.start) } else { line_start })
}
