//! Divides inputs into good and bad records: copies each record to one of two files, byte for byte.
//!
//! The audit shows which records are bad. After it, the inputs are read again. What lies between
//! two bad records is copied as a whole, without a look at its records. Most of it was written
//! early, where it probably belongs.

mod comment;
mod copy;
mod error;
mod input_text;
mod table;
mod target;

use std::{
    collections::HashMap,
    io,
    iter::Peekable,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use crate::{
    corpus::{Finder, Input, Source, Stamp},
    pgn::BOM,
    pipeline::{BadFinding, BadRecord, DividedInput, InputSummary},
    rules::{Code, Severity},
    spill::{Log, Sorted, Sorter, WrittenLog},
    table::Layout,
};
use crate::{format::run_files::CheckedFiles, report::repairs::PathKind};

pub(super) use comment::annotation;
use copy::{Copying, Targets};
pub use error::SplitError;
pub(super) use input_text::{InputText, unreadable};
use table::SplitTable;
use target::Complete;
pub(super) use target::Target;

/// Maximum number of bytes of bad records and their findings in memory.
const MAX_IN_MEMORY: usize = 4 << 20;

/// Maximum number of places of copies in memory.
const MAX_PLACES: usize = 1 << 16;

/// Where good and bad records are written.
#[derive(Clone, Copy, Debug)]
pub struct SplitFiles<'a> {
    /// The file of the good records; `None` if they are not written.
    pub good: Option<&'a Path>,
    /// The file of the bad ones.
    pub bad: &'a Path,
    /// The option that names this file.
    pub option: &'static str,
    /// Whether a table of the findings of bad records is written next to it.
    pub has_table: bool,
    /// Whether files of others are overwritten.
    pub force: bool,
    /// Whether the findings of each bad game are written into it as a comment.
    pub annotate: bool,
    /// Whether files are mapped into memory.
    pub map: bool,
}

impl SplitFiles<'_> {
    /// All files that are written, and the option that names each.
    pub fn all(&self) -> Vec<(PathBuf, &'static str)> {
        let good = self.good.map(|good| (good.to_owned(), "--good"));
        let table = self.table().map(|table| (table, self.option));
        good.into_iter().chain([(self.bad.to_owned(), self.option)]).chain(table).collect()
    }

    /// The table of the bad records; `None` if they are not written to a file.
    pub fn table(&self) -> Option<PathBuf> {
        (self.has_table && PathKind::of(self.bad) == PathKind::Other).then(|| table::path_for(self.bad))
    }
}

/// Good and bad records that are being told apart. Nothing is left of it if it is dropped.
#[derive(Debug)]
pub struct Split {
    targets: Targets,
    table: Option<SplitTable>,
    map: bool,
    /// The sources of the inputs by name.
    sources: HashMap<String, Source>,
    inputs: Vec<InputToCopy>,
    /// The bad records of all inputs.
    bad: Log,
    /// Records that are bad because of others.
    surplus: Log,
    /// The number of the input of each of these, its first byte, and where it is in `surplus`.
    surplus_places: Sorter<3>,
    /// Number of bad records of the input that is being audited.
    pending: u64,
    /// Number of inputs that could not be read as text.
    not_copied: u64,
    /// What is written early next: the number of the input, and the byte. `None` if nothing more is
    /// written early.
    early: Option<(usize, u64)>,
    /// Whether what was received for that ends with a line break.
    ends_line: bool,
    /// The first input with records, and what they are.
    kind: Option<(String, Layout, Vec<u8>)>,
}

#[derive(Debug)]
struct InputToCopy {
    /// Its number in the run.
    number: u64,
    name: String,
    length: u64,
    header: u64,
    records: u64,
    stamp: Option<Stamp>,
    is_converted: bool,
    /// Number of bad records, and of stretches that are no records.
    bad: u64,
}

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SplitCounts {
    /// Number of good records.
    pub good_records: u64,
    /// Number of bad records.
    pub bad_records: u64,
    /// Size of the good records in bytes, before compression.
    pub good_bytes: u64,
    /// Size of the bad records and of text that belongs to no record.
    pub bad_bytes: u64,
    /// Number of stretches of text that belong to no record or were not checked.
    pub other_text: u64,
    /// Number of line breaks added after the last line of an input.
    pub line_breaks: u64,
    /// Number of inputs that were converted from UTF-16 to UTF-8.
    pub converted: u64,
    /// Number of inputs that are not copied, because they are not text that can be read.
    pub not_copied: u64,
}

/// Files with all good and bad records, which are not at their places yet.
#[derive(Debug)]
pub struct SplitOutput {
    good: Option<Complete>,
    bad: Option<Complete>,
    table: Option<Complete>,
    counts: SplitCounts,
}

impl Split {
    /// Begins to write the files, which replace none of those that are `read`. The text of `inputs`
    /// is read again after the audit, so none can be a pipe.
    pub fn create(files: SplitFiles<'_>, inputs: &[Input], read: &CheckedFiles) -> Result<Split, SplitError> {
        let good = files.good.map_or(Ok(Target::nowhere()), |good| Target::create(good, "--good", files.force, read))?;
        let bad = Target::create(files.bad, files.option, files.force, read)?;
        let table = files.table().map(|path| SplitTable::create(path, files.force, read)).transpose()?;
        Ok(Split {
            targets: Targets { good, bad, annotate: files.annotate, line_breaks: 0 },
            table,
            map: files.map,
            sources: inputs.iter().map(|input| (input.name.clone(), input.source.clone())).collect(),
            inputs: Vec::new(),
            bad: Log::with_limit(MAX_IN_MEMORY),
            surplus: Log::with_limit(MAX_IN_MEMORY),
            surplus_places: Sorter::with_limit(MAX_PLACES),
            pending: 0,
            not_copied: 0,
            early: Some((0, 0)),
            ends_line: false,
            kind: None,
        })
    }

    /// Writes text early, where it probably belongs. If it does not, that is corrected at the end.
    pub fn probably(&mut self, is_bad: bool, at: u64, text: &[u8]) -> Result<(), SplitError> {
        let place = (self.inputs.len(), at);
        // A byte order mark is not copied as other text is.
        if self.early != Some(place) || (at == 0 && text.starts_with(BOM)) {
            self.early = None;
            return Ok(());
        }
        let Targets { good, bad, annotate, .. } = &mut self.targets;
        let target = if is_bad { bad } else { good };
        let is_early = !(is_bad && *annotate) && target.can_go_back();
        let goes_on = !is_early || target.write_early(place, text)?;
        self.early = goes_on.then_some((place.0, at + text.len() as u64));
        self.ends_line = matches!(text.last(), Some(b'\n' | b'\r'));
        Ok(())
    }

    /// Notes a bad record of the input that is being audited.
    pub fn bad_record(&mut self, record: &BadRecord) -> io::Result<()> {
        self.pending += 1;
        self.bad.push([&to_bytes(record)]).map(drop)
    }

    /// Notes a record of the input with this number that is bad because of other records.
    pub fn surplus_copy(&mut self, input: u64, record: &BadRecord) -> io::Result<()> {
        let place = self.surplus.push([&to_bytes(record)])?;
        self.surplus_places.push([input, record.start, place])
    }

    /// Notes that an input ends.
    pub fn divided(&mut self, input: &str, divided: DividedInput) -> Result<(), SplitError> {
        if let Some(layout) = divided.layout {
            self.check_kind(input, layout, &divided.header)?;
        }
        let DividedInput { number, header, length, records, is_converted, stamp, .. } = divided;
        let (header, bad) = (header.len() as u64, std::mem::take(&mut self.pending));
        // A line break may have to be added.
        let goes_on = self.early.is_some_and(|(input, at)| at == 0 || (input == self.inputs.len() && self.ends_line));
        self.early = goes_on.then_some((self.inputs.len() + 1, 0));
        self.inputs.push(InputToCopy { number, name: input.to_owned(), length, header, records, stamp, is_converted, bad });
        Ok(())
    }

    /// Notes the summary of an input, after [`Split::divided`] if it is text.
    pub fn input(&mut self, summary: &InputSummary) {
        self.not_copied += u64::from(summary.format.is_none());
    }

    fn check_kind(&mut self, input: &str, layout: Layout, header: &[u8]) -> Result<(), SplitError> {
        if self.targets.annotate && layout != Layout::Games {
            return Err(SplitError::NoComments { input: input.to_owned(), kind: describe(layout) });
        }
        if matches!(layout, Layout::EnclosedGames(_)) {
            return Err(SplitError::Enclosed { input: input.to_owned() });
        }
        let Some(first) = &self.kind else {
            self.kind = Some((input.to_owned(), layout, header.to_owned()));
            return Ok(());
        };
        check_same_kind((&first.0, first.1, &first.2), (input, layout, header))
    }

    /// Reads the inputs again and writes all records.
    pub fn write(self, stop: &AtomicBool) -> Result<SplitOutput, SplitError> {
        let Split { mut targets, mut table, map, sources, inputs, bad, surplus, surplus_places, not_copied, .. } = self;
        let mut counts = SplitCounts { not_copied, ..SplitCounts::default() };
        let mut finder = Finder::default();
        let (bad, surplus) = (bad.written(), surplus.written());
        let mut cursor = bad.cursor();
        let places = surplus_places.sorted().map_err(SplitError::Temporary)?.peekable();
        let mut copies = SurplusCopies { places, records: &surplus };
        for (number, input) in inputs.iter().enumerate() {
            let found = finder.find_in(&input.name, |name| sources.get(name).cloned());
            let found = found.map_err(|source| unreadable(&input.name, source))?;
            let found = found.ok_or_else(|| unreadable(&input.name, io::ErrorKind::NotFound.into()))?;
            let reread = found.reread(map).map_err(|source| unreadable(&input.name, source))?;
            let watch = reread.watch.clone();
            let changed = || SplitError::Changed { input: input.name.clone() };
            if input.stamp.is_some() && input.stamp != watch.as_ref().map(|watch| watch.stamp()) {
                return Err(changed());
            }
            let mut copying = Copying::begin((&input.name, number), reread, (input.header, input.length), &mut targets, stop)?;
            let mut bad_records = 0;
            let mut left = input.bad;
            let mut listed = None;
            loop {
                if listed.is_none() && left > 0 {
                    left -= 1;
                    let bytes = cursor.read().map_err(SplitError::Temporary)?;
                    listed = Some(of_bytes(&bytes).ok_or_else(|| SplitError::Temporary(io::ErrorKind::InvalidData.into()))?);
                }
                let end = listed.as_ref().map_or(u64::MAX, |listed| listed.end);
                let copy = copies.next_before(input.number, end).map_err(SplitError::Temporary)?;
                let is_copy = copy.is_some();
                let record = match (copy, &mut listed) {
                    (Some(copy), Some(listed)) if copy.start >= listed.start => {
                        listed.findings.extend(copy.findings);
                        continue;
                    }
                    (Some(copy), _) => copy,
                    (None, listed) => match listed.take() {
                        Some(listed) => listed,
                        None => break,
                    },
                };
                if let Some(table) = &mut table {
                    table.record(&input.name, &record, targets.bad.bytes)?;
                }
                bad_records += u64::from(record.game > 0);
                counts.other_text += u64::from(record.game == 0);
                copying.bad_record(&record, &mut targets)?;
                if is_copy {
                    copying.blank_after(&mut targets)?;
                }
            }
            copying.end(&mut targets)?;
            if watch.is_some_and(|watch| watch.change().is_some()) {
                return Err(changed());
            }
            counts.bad_records += bad_records;
            counts.good_records += input.records.saturating_sub(bad_records);
            counts.converted += u64::from(input.is_converted);
        }
        (counts.good_bytes, counts.bad_bytes) = (targets.good.bytes, targets.bad.bytes);
        counts.line_breaks = targets.line_breaks;
        let Targets { good, bad, .. } = targets;
        let table = table.map(SplitTable::complete).transpose()?;
        Ok(SplitOutput { good: good.complete()?, bad: bad.complete()?, table, counts })
    }
}

impl SplitOutput {
    /// What was copied.
    pub const fn counts(&self) -> SplitCounts {
        self.counts
    }

    /// Waits until the files are on the disk.
    pub fn flush_to_disk(&self) -> Result<(), SplitError> {
        [&self.good, &self.bad, &self.table].into_iter().flatten().try_for_each(Complete::flush_to_disk)
    }

    /// Moves the files to their places, after [`SplitOutput::flush_to_disk`]: the bad records
    /// before the good ones.
    pub fn finish(self) -> Result<(), SplitError> {
        let SplitOutput { good, bad, table, .. } = self;
        [table, bad, good].into_iter().flatten().try_for_each(Complete::finish)
    }
}

/// Reads the records that are bad because of others.
struct SurplusCopies<'l> {
    places: Peekable<Sorted<3>>,
    records: &'l WrittenLog,
}

impl SurplusCopies<'_> {
    /// The next one in this input, if it begins before `end`. It has all findings about it.
    fn next_before(&mut self, input: u64, end: u64) -> io::Result<Option<BadRecord>> {
        let mut found: Option<BadRecord> = None;
        while let Some(next) = self.places.next_if(|next| match (next, &found) {
            (Err(_), _) => true,
            (Ok([number, start, _]), None) => *number == input && *start < end,
            (Ok([number, start, _]), Some(found)) => *number == input && *start == found.start,
        }) {
            let [.., place] = next?;
            let record = of_bytes(&self.records.get(place)?).ok_or(io::ErrorKind::InvalidData)?;
            match &mut found {
                Some(found) => found.findings.extend(record.findings),
                None => found = Some(record),
            }
        }
        Ok(found)
    }
}

const fn describe(layout: Layout) -> &'static str {
    match layout {
        Layout::Games => "games",
        Layout::Positions => "a position per line",
        Layout::Enclosed { .. } => "positions in quotes",
        Layout::EnclosedGames(_) => "games inside other text",
        Layout::Table(_) => "a table",
    }
}

/// Refuses two inputs whose records cannot be in one file: their names, layouts and headers.
pub(super) fn check_same_kind(
    (first, kind, first_header): (&str, Layout, &[u8]),
    (input, layout, header): (&str, Layout, &[u8]),
) -> Result<(), SplitError> {
    if std::mem::discriminant(&kind) != std::mem::discriminant(&layout) {
        return Err(SplitError::Kinds {
            one: first.to_owned(),
            one_kind: describe(kind),
            other: input.to_owned(),
            other_kind: describe(layout),
        });
    }
    let is_same = match (kind, layout) {
        // Where the header begins does not matter.
        (Layout::Table(one), Layout::Table(other)) => {
            let mut other = other;
            other.header = one.header;
            one == other && line_of(first_header) == line_of(header)
        }
        _ => true,
    };
    if is_same { Ok(()) } else { Err(SplitError::Headers { one: first.to_owned(), other: input.to_owned() }) }
}

/// A header without what may differ between tables of one kind: its line break and a byte order
/// mark.
fn line_of(header: &[u8]) -> &[u8] {
    header.strip_prefix(BOM).unwrap_or(header).trim_ascii_end()
}

/// A bad record as it is kept until its input is read again.
pub(super) fn to_bytes(record: &BadRecord) -> Vec<u8> {
    let BadRecord { start, end, game, movetext, findings } = record;
    let mut bytes = Vec::new();
    for number in [start, end, game, movetext] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for BadFinding { line, column, rule, severity, message } in findings {
        bytes.extend_from_slice(&line.to_le_bytes());
        bytes.extend_from_slice(&column.to_le_bytes());
        bytes.extend_from_slice(&rule.text());
        bytes.push(*severity as u8);
        bytes.extend_from_slice(&(message.len() as u64).to_le_bytes());
        bytes.extend_from_slice(message.as_bytes());
    }
    bytes
}

/// Reverses [`to_bytes`].
pub(super) fn of_bytes(mut bytes: &[u8]) -> Option<BadRecord> {
    fn number(bytes: &mut &[u8]) -> Option<u64> {
        bytes.split_off(..8)?.try_into().ok().map(u64::from_le_bytes)
    }
    let [start, end, game, movetext] = [number(&mut bytes)?, number(&mut bytes)?, number(&mut bytes)?, number(&mut bytes)?];
    let mut findings = Vec::new();
    while !bytes.is_empty() {
        let (line, column) = (number(&mut bytes)?, number(&mut bytes)?);
        let code: Code = std::str::from_utf8(bytes.split_off(..5)?).ok()?.parse().ok()?;
        let severity = *bytes.split_off_first()?;
        let severity = Severity::ALL.into_iter().find(|known| *known as u8 == severity)?;
        let length = usize::try_from(number(&mut bytes)?).ok()?;
        let message = std::str::from_utf8(bytes.split_off(..length)?).ok()?.to_owned();
        findings.push(BadFinding { line, column, rule: code, severity, message });
    }
    Some(BadRecord { start, end, game, movetext, findings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_records_are_kept_as_they_are() {
        let findings = ["", "Ke3 is not legal"].map(|message| BadFinding {
            line: 3,
            column: 4,
            rule: code!("MOV01"),
            severity: Severity::Error,
            message: message.to_owned(),
        });
        let bad = BadRecord { start: 1, end: u64::MAX, game: 2, movetext: 9, findings: findings.to_vec() };
        for record in [bad.clone(), BadRecord { findings: Vec::new(), ..bad }] {
            assert_eq!(of_bytes(&to_bytes(&record)), Some(record));
        }
        assert_eq!(of_bytes(b"short"), None);
    }
}
