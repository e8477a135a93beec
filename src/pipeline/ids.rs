//! The ids of an input's positions: which of them stand on different positions is known only when the input has been read.
//!
//! A hash of every id is kept with a hash of its position and its place. When there are many they are sorted in runs and
//! written to a temporary file, and the runs are merged in the end, so that memory does not grow with the input.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
};

use xxhash_rust::xxh3::xxh3_64;

use crate::{
    record::{Identified, decoded, fingerprint_of},
    rules::{Finding, Findings, Span, report_duplicate_id},
    text::Encoding,
};

/// So many entries are sorted in memory before they are written to a file.
const MAX_IN_MEMORY: usize = 1 << 16;

/// So many bytes of ids and positions are kept in memory.
const MAX_TEXT_IN_MEMORY: usize = 1 << 22;

/// So many bytes of an id or a position are kept.
const MAX_TEXT: usize = 512;

/// An id as it was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    id: u64,
    position: u64,
    start: u64,
    end: u64,
    /// Line of the id, from 1.
    pub line: u64,
    column: u64,
    /// Ordinal of the record.
    pub game: u64,
    id_length: usize,
    position_length: usize,
}

/// The ids of a chunk, in order.
#[derive(Debug, Default)]
pub(super) struct ChunkIds {
    entries: Vec<Entry>,
    /// Ids and positions, one behind the other.
    texts: Vec<u8>,
}

impl ChunkIds {
    /// Notes the id of a record; `base` is where `text` begins in the input, `line` the line of the record and where that begins.
    pub fn note(&mut self, text: &[u8], base: u64, found: Identified, line: u64, line_start: u64, game: u64) {
        let (id, position) = (found.id.of(text), found.position.of(text));
        let kept = |bytes: &[u8]| bytes.len().min(MAX_TEXT);
        let start = base + found.id.start as u64;
        self.entries.push(Entry {
            id: xxh3_64(id),
            position: found.hash,
            start,
            end: base + found.id.end as u64,
            line,
            column: start - line_start + 1,
            game,
            id_length: kept(id),
            position_length: kept(position),
        });
        self.texts.extend_from_slice(&id[..kept(id)]);
        self.texts.extend_from_slice(&position[..kept(position)]);
    }
}

/// The ids of an input.
#[derive(Debug)]
pub(super) struct Ids {
    entries: Sorter<9>,
    texts: Texts,
}

impl Default for Ids {
    fn default() -> Ids {
        Ids::holding(MAX_IN_MEMORY, MAX_TEXT_IN_MEMORY)
    }
}

impl Ids {
    fn holding(entries: usize, text: usize) -> Ids {
        Ids { entries: Sorter::holding(entries), texts: Texts { most: text, ..Texts::default() } }
    }

    /// Takes the ids of the next chunk, before which there are so many lines and records.
    ///
    /// # Errors
    /// When a temporary file cannot be written.
    pub fn add(&mut self, chunk: &ChunkIds, lines: u64, records: u64) -> io::Result<()> {
        let mut at = self.texts.length;
        for entry in &chunk.entries {
            let lengths = ((entry.id_length as u64) << 32) | entry.position_length as u64;
            self.entries.push([
                entry.id,
                entry.start,
                entry.position,
                entry.end,
                entry.line + lines,
                entry.column,
                entry.game + records,
                at,
                lengths,
            ])?;
            at += (entry.id_length + entry.position_length) as u64;
        }
        self.texts.add(&chunk.texts)
    }

    /// Hands out a finding for each id that stands on different positions, in the order of their places.
    ///
    /// # Errors
    /// When a temporary file cannot be read or written, or `each` fails.
    pub fn report(mut self, mut each: impl FnMut(Finding) -> io::Result<()>) -> io::Result<()> {
        let mut twice: Sorter<11> = Sorter::holding(self.entries.most);
        let mut group: Option<Group> = None;
        for entry in self.entries.sorted()? {
            let entry = entry?;
            match &mut group {
                Some(known) if known.first[0] == entry[0] => known.add(entry),
                _ => {
                    if let Some(found) = group.replace(Group { first: entry, other: None, records: 1 }).and_then(Group::found) {
                        twice.push(found)?;
                    }
                }
            }
        }
        if let Some(found) = group.and_then(Group::found) {
            twice.push(found)?;
        }
        for found in twice.sorted()? {
            let [start, hash, end, line, column, game, text_at, lengths, first_line, first_at, records] = found?;
            let (id_length, position_length) = ((lengths >> 32) as usize, (lengths & 0xFFFF_FFFF) as usize);
            let text = self.texts.read(text_at, id_length + position_length)?;
            // The hashes are equal: almost certainly the ids are.
            if self.texts.read(first_at, id_length)? != text[..id_length] {
                continue;
            }
            let byte = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
            let mut findings = Findings::new();
            let place = Span::new(byte(start), byte(end));
            report_duplicate_id(&mut findings, place, &text[..id_length], &text[id_length..], first_line, records);
            for finding in findings.all().drain(..) {
                let fingerprint = fingerprint_of(&finding, hash);
                let game_label = decoded(&text[..id_length], Encoding::of(&text[..id_length]));
                each(Finding { line, column, game, fingerprint, game_label, ..finding })?;
            }
        }
        Ok(())
    }
}

/// The records that have one id.
struct Group {
    first: [u64; 9],
    /// The first one with another position.
    other: Option<[u64; 9]>,
    records: u64,
}

impl Group {
    fn add(&mut self, entry: [u64; 9]) {
        self.records += 1;
        if self.other.is_none() && entry[2] != self.first[2] {
            self.other = Some(entry);
        }
    }

    fn found(self) -> Option<[u64; 11]> {
        let [hash, start, _, end, line, column, game, text_at, lengths] = self.other?;
        let [.., first_line, _, _, first_at, _] = self.first;
        Some([start, hash, end, line, column, game, text_at, lengths, first_line, first_at, self.records])
    }
}

/// Bytes that are written once and read at random: in memory, and in a temporary file once they are many.
#[derive(Debug, Default)]
struct Texts {
    most: usize,
    memory: Vec<u8>,
    file: Option<File>,
    length: u64,
}

impl Texts {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.memory.extend_from_slice(bytes);
        self.length += bytes.len() as u64;
        if self.memory.len() > self.most {
            let file = match &mut self.file {
                Some(file) => file,
                None => self.file.insert(tempfile::tempfile()?),
            };
            file.write_all(&self.memory)?;
            self.memory.clear();
        }
        Ok(())
    }

    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let written = self.length - self.memory.len() as u64;
        if let Some(start) = at.checked_sub(written) {
            let start = usize::try_from(start).map_err(io::Error::other)?;
            return Ok(self.memory.get(start..start + length).unwrap_or_default().to_vec());
        }
        // What is in the file was written there as a whole, so that it does not go on in memory.
        let mut bytes = vec![0; length];
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut bytes)?;
        }
        Ok(bytes)
    }
}

/// Sorts entries of `N` numbers, in memory or, when there are many, in a temporary file.
#[derive(Debug)]
struct Sorter<const N: usize> {
    most: usize,
    memory: Vec<[u64; N]>,
    /// Sorted runs, one behind the other.
    file: Option<BufWriter<File>>,
    /// How many entries each of them has.
    runs: Vec<u64>,
}

impl<const N: usize> Sorter<N> {
    const fn holding(most: usize) -> Sorter<N> {
        Sorter { most, memory: Vec::new(), file: None, runs: Vec::new() }
    }

    fn push(&mut self, entry: [u64; N]) -> io::Result<()> {
        self.memory.push(entry);
        if self.memory.len() >= self.most { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.memory.sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        for number in self.memory.iter().flatten() {
            file.write_all(&number.to_le_bytes())?;
        }
        self.runs.push(self.memory.len() as u64);
        self.memory.clear();
        Ok(())
    }

    /// All entries in order. What was pushed is gone from here.
    fn sorted(&mut self) -> io::Result<Sorted<N>> {
        let mut memory = std::mem::take(&mut self.memory);
        memory.sort_unstable();
        let mut sorted = Sorted { file: None, runs: Vec::new(), next: BinaryHeap::new() };
        if let Some(file) = self.file.take() {
            sorted.file = Some(file.into_inner().map_err(io::IntoInnerError::into_error)?);
            let mut at = 0;
            for entries in self.runs.drain(..) {
                sorted.runs.push(Run { at, left: entries, ready: Vec::new() });
                at += entries * Sorted::<N>::ENTRY as u64;
            }
        }
        memory.reverse();
        sorted.runs.push(Run { at: 0, left: 0, ready: memory });
        for run in 0..sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// Part of a file, or of memory, that is sorted.
struct Run<const N: usize> {
    at: u64,
    /// Entries that are still in the file.
    left: u64,
    /// Entries that are in memory, the next one last.
    ready: Vec<[u64; N]>,
}

/// Runs that are being merged.
struct Sorted<const N: usize> {
    file: Option<File>,
    runs: Vec<Run<N>>,
    /// The next entry of each run.
    next: BinaryHeap<Reverse<([u64; N], usize)>>,
}

impl<const N: usize> Sorted<N> {
    const ENTRY: usize = N * size_of::<u64>();
    /// So many entries are read at once.
    const AT_ONCE: u64 = 64;

    /// Puts the next entry of a run where it can be chosen.
    fn refill(&mut self, run: usize) -> io::Result<()> {
        let own = &mut self.runs[run];
        if own.ready.is_empty()
            && own.left > 0
            && let Some(file) = &mut self.file
        {
            let entries = own.left.min(Self::AT_ONCE);
            let mut bytes = vec![0; entries as usize * Self::ENTRY];
            file.seek(SeekFrom::Start(own.at))?;
            file.read_exact(&mut bytes)?;
            own.at += bytes.len() as u64;
            own.left -= entries;
            own.ready.extend(bytes.chunks_exact(Self::ENTRY).map(|entry| {
                let mut numbers = [0; N];
                for (number, bytes) in numbers.iter_mut().zip(entry.as_chunks().0) {
                    *number = u64::from_le_bytes(*bytes);
                }
                numbers
            }));
            own.ready.reverse();
        }
        if let Some(entry) = self.runs[run].ready.pop() {
            self.next.push(Reverse((entry, run)));
        }
        Ok(())
    }
}

impl<const N: usize> Iterator for Sorted<N> {
    type Item = io::Result<[u64; N]>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((entry, run)) = self.next.pop()?;
        Some(self.refill(run).map(|()| entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(most: usize, ids: &[(&str, u64)], chunk: usize) -> Vec<(usize, u64, String, String)> {
        let text: String = ids.iter().map(|(id, position)| format!("{id} {position}\n")).collect();
        let mut all = Ids::holding(most, most * 10);
        let (mut at, mut lines) = (0, 0);
        for records in ids.chunks(chunk) {
            let mut part = ChunkIds::default();
            for (number, (id, position)) in (1..).zip(records) {
                let length = position.to_string().len();
                let id = Span::new(at, at + id.len());
                let position_place = Span::new(id.end + 1, id.end + 1 + length);
                let found = Identified { id, position: position_place, hash: *position };
                part.note(text.as_bytes(), 0, found, number, at as u64, number);
                at = position_place.end + 1;
            }
            all.add(&part, lines, lines).unwrap();
            lines += records.len() as u64;
        }
        let mut told = Vec::new();
        all.report(|finding| {
            told.push((finding.place.start, finding.line, finding.found, finding.message));
            Ok(())
        })
        .unwrap();
        told
    }

    #[test]
    fn an_id_on_two_positions_is_told_once_at_the_second() {
        let ids = [("a", 1), ("b", 2), ("a", 1), ("b", 3), ("a", 4), ("b", 5), ("c", 6)];
        let told = told(100, &ids, 100);
        let places: Vec<_> = told.iter().map(|(start, line, found, _)| (*start, *line, found.as_str())).collect();
        assert_eq!(places, [(12, 4, "b"), (16, 5, "a")]);
        assert!(told[0].3.contains("in line 2; 3 records"), "{}", told[0].3);
    }

    #[test]
    fn files_make_no_difference() {
        let names: Vec<String> = (0..500).map(|number| format!("id{}", number * 7919 % 331)).collect();
        let ids: Vec<(&str, u64)> = names.iter().zip(0..).map(|(id, number)| (id.as_str(), number / 3)).collect();
        let expected = told(100_000, &ids, 1000);
        assert_eq!(expected.len(), 169);
        for (most, chunk) in [(1, 1000), (7, 1), (64, 13), (65, 500), (500, 3)] {
            assert_eq!(told(most, &ids, chunk), expected, "{most} in memory, chunks of {chunk}");
        }
    }
}
