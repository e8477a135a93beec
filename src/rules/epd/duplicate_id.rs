//! EPD17: ids that are used for different positions.

use std::{any::Any, hint::black_box, io};

use memmap2::MmapMut;
use serde_json::Value;
use xxhash_rust::{xxh3::xxh3_64, xxh64::xxh64};

use crate::{
    rules::{
        Check, Code, Finding, Findings, Rule, Sample, Severity,
        aggregate::{Aggregate, InputFinding, NotedRecord, NotedText, Offset, Put, Shift, Take, restored, same_rule, saved},
        shown,
    },
    spill::{Log, Sorter, WrittenLog},
    text::{Encoding, Span, readable, wording::quantity},
};

/// Limits of what is kept in memory.
const LIMITS: Limits = Limits { entries: 3 << 15, text: 1 << 22, slot_bits: 26 };

/// Size of the smallest pages of memory.
const PAGE: usize = 4096;

/// Maximum number of bytes that are kept of an id or a position.
const MAX_TEXT: usize = 512;

pub static RULE: Rule = Rule {
    code: code!("EPD17"),
    name: "duplicate-id",
    severity: Severity::Warning,
    summary: "The same id is used for different positions",
    what: "Within an input, two records with the same `id` have different positions. Pieces, side \
           to move, castling rights and legal en passant captures are compared. Each id is \
           reported once, at the first record whose position differs from that of the first \
           record with this id.",
    why: "Results are looked up by id, so they are assigned to the wrong position.",
    fix: "Give one of the positions an id of its own.",
    source: "PGN standard 16.2.5.15",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"⟦a.1⟧\";")],
    silent: &[Sample::Positions(
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"a.2\";",
    )],
    check: Check::PositionsOfInput(|| Box::new(Ids::within(LIMITS))),
    ..Rule::DEFAULTS
};

/// Limits of what is kept in memory.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Maximum number of ids that are sorted in memory.
    entries: usize,
    /// Maximum number of bytes in memory of the heads and places of a part, and of all heads and entries, each.
    text: usize,
    /// How many bits of its hash decide whether an id may be that of an earlier record.
    slot_bits: u32,
}

/// The ids of a part of an input, or those of all parts so far.
///
/// Nearly all ids of an input are used once, and only a line number is needed of the first record
/// with an id. So most records are reduced to that and to hashes when their part is added, and only ids that may be
/// used again are sorted. Two ids count as the same if both of their hashes are equal.
#[derive(Debug)]
struct Ids {
    limits: Limits,
    /// The heads of the records of this part, or of all parts so far.
    heads: Heads,
    /// The [`Place`] of each record of this part.
    places: Log,
    /// The hashes of the ids of this part; if parts are added, of all of them as long as there are few.
    hashes: Vec<u64>,
    /// An [`Entry`] for each of them that may have the id of an earlier one.
    entries: Log,
    /// The ids so far, once there are many.
    seen: Option<Seen>,
    /// Why a temporary file could not be written while a record was noted.
    failure: Option<io::Error>,
}

impl Ids {
    const fn within(limits: Limits) -> Ids {
        Ids {
            limits,
            heads: Heads::with_limit(limits.text),
            places: Log::with_limit(limits.text),
            hashes: Vec::new(),
            entries: Log::with_limit(limits.text),
            seen: None,
            failure: None,
        }
    }

    /// Notes ids by their hashes. Returns the indices of those that may have been used before.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn note_ids(&mut self, hashes: &[u64]) -> io::Result<Vec<usize>> {
        // A few ids can all be sorted.
        if self.seen.is_none() && self.hashes.len() + hashes.len() > self.limits.entries / 8 {
            let mut seen = Seen::with_bits(self.limits.slot_bits)?;
            seen.note(&std::mem::take(&mut self.hashes));
            self.seen = Some(seen);
        }
        if let Some(seen) = &mut self.seen {
            return Ok(seen.note(hashes));
        }
        self.hashes.extend_from_slice(hashes);
        Ok((0..hashes.len()).collect())
    }

    /// Adds what is known of a record that may have the id of an earlier one. Returns its place for its head.
    fn add_entry(&mut self, entry: &Entry<'_>) -> io::Result<u64> {
        let place = ENTRY | self.entries.end();
        entry.write(&mut self.entries)?;
        Ok(place)
    }
}

/// What is needed of each record to find ids that are used again.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// A hash of the id.
    hash: u64,
    /// Another hash of the id.
    check: u64,
    /// A hash of the position.
    position_hash: u64,
    /// The line of the record. If it may have the id of an earlier one, [`ENTRY`], and where its entry is.
    place: u64,
}

/// The flag of a place that is that of an [`Entry`].
const ENTRY: u64 = 1 << 63;

/// The bytes of a head.
type HeadBytes = [u8; 32];

impl Head {
    fn to_bytes(self) -> HeadBytes {
        let Head { hash, check, position_hash, place } = self;
        let mut bytes = HeadBytes::default();
        bytes.copy_from_slice([hash, check, position_hash, place].map(u64::to_le_bytes).as_flattened());
        bytes
    }

    fn of(bytes: &HeadBytes) -> Head {
        let [hash, check, position_hash, place] = numbers_of(bytes);
        Head { hash, check, position_hash, place }
    }
}

/// The heads of many records.
#[derive(Debug)]
struct Heads {
    /// Blocks of heads, each after a number that is added to their lines.
    log: Log,
    /// The last ones. Nothing is added to their lines.
    block: Vec<HeadBytes>,
}

impl Heads {
    /// Number of heads that are added to the log at once.
    const BLOCK: usize = 512;

    const fn with_limit(max_in_memory: usize) -> Heads {
        Heads { log: Log::with_limit(max_in_memory), block: Vec::new() }
    }

    #[inline]
    fn push(&mut self, head: Head) -> io::Result<()> {
        self.block.push(head.to_bytes());
        if self.block.len() < Heads::BLOCK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        let pushed = self.log.push(&0_u64.to_le_bytes(), [self.block.as_flattened()]);
        self.block.clear();
        pushed
    }

    /// Adds a block of heads. `lines` is added to their lines.
    fn add(&mut self, block: &[HeadBytes], lines: u64) -> io::Result<()> {
        self.log.push(&lines.to_le_bytes(), [block.as_flattened()])
    }

    /// Shows all of them in blocks, each with the number that is added to its lines.
    fn for_each_block(mut self, mut take: impl FnMut(u64, &[HeadBytes]) -> io::Result<()>) -> io::Result<()> {
        self.flush()?;
        self.log.written()?.for_each(|_, block| {
            let (lines, heads) = block.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
            take(u64::from_le_bytes(*lines), heads.as_chunks().0)
        })
    }

    /// Shows all of them.
    fn for_each(self, mut take: impl FnMut(Head) -> io::Result<()>) -> io::Result<()> {
        self.for_each_block(|lines, block| {
            block.iter().try_for_each(|head| {
                let head = Head::of(head);
                take(if head.place < ENTRY { Head { place: head.place + lines, ..head } } else { head })
            })
        })
    }
}

/// Where a record is: its texts stay in the text of the part.
#[derive(Clone, Copy, Debug)]
struct Place {
    details: Details,
    /// Where the position is in the input.
    position: [u64; 2],
}

/// The bytes of a place.
type PlaceBytes = [u8; 48];

impl Place {
    #[inline]
    fn write(&self, log: &mut Log) -> io::Result<()> {
        let Place { details: Details { start, end, column, ordinal }, position: [from, to] } = *self;
        let mut bytes: PlaceBytes = [0; 48];
        bytes.copy_from_slice([start, end, column, ordinal, from, to].map(u64::to_le_bytes).as_flattened());
        log.push(&bytes, [])
    }

    /// Reads the place with this index in a log of them.
    fn read(log: &mut WrittenLog, index: usize) -> io::Result<Place> {
        let bytes = log.read(index as u64 * Log::distance::<PlaceBytes>())?;
        let bytes = PlaceBytes::try_from(&bytes[..]).map_err(|_| io::ErrorKind::InvalidData)?;
        let [start, end, column, ordinal, from, to] = numbers_of(&bytes);
        Ok(Place { details: Details { start, end, column, ordinal }, position: [from, to] })
    }

    /// The id and the position.
    fn texts<'a>(&self, text: NotedText<'a>) -> [&'a [u8]; 2] {
        let [from, to] = self.position;
        [text.bytes(self.details.start, self.details.end), text.bytes(from, to)].map(|text| &text[..text.len().min(MAX_TEXT)])
    }
}

/// Which ids were used, by their hashes. Two bits for each slot: used, and used again. Ids share slots.
#[derive(Debug)]
struct Seen {
    /// Four slots in each byte.
    slots: MmapMut,
    /// For each group of eight bytes of `slots`, whether one of their slots was used again. Unlike the slots, these
    /// bits fit in the cache of a processor.
    groups_again: Vec<u64>,
    slot_bits: u32,
    /// Whether any slot was used again.
    any_again: bool,
}

impl Seen {
    /// # Errors
    /// If there is not enough memory.
    fn with_bits(slot_bits: u32) -> io::Result<Seen> {
        let bytes = 1_usize << slot_bits.saturating_sub(2);
        let mut slots = MmapMut::map_anon(bytes)?;
        // Ids are anywhere in the slots. Large pages are provided, and found, sooner than many small ones.
        #[cfg(target_os = "linux")]
        let _ = slots.advise(memmap2::Advice::HugePage);
        // A page that is read before it is written has to be provided twice.
        slots.iter_mut().step_by(PAGE).for_each(|byte| *byte = black_box(0));
        Ok(Seen { slots, groups_again: vec![0; bytes.div_ceil(8 * 64)], slot_bits, any_again: false })
    }

    /// The byte of `slots` with the slot of an id, and the number of its first bit.
    const fn slot(&self, hash: u64) -> (usize, u32) {
        let slot = hash >> (64 - self.slot_bits);
        ((slot / 4) as usize, (slot % 4) as u32 * 2)
    }

    /// Notes ids by their hashes. Returns the indices of those that may have been used before.
    fn note(&mut self, hashes: &[u64]) -> Vec<usize> {
        /// Number of ids that are noted at once. Their slots fit in the nearest cache.
        const AT_ONCE: usize = 64;
        let mut again = Vec::new();
        for (first, hashes) in (0..).step_by(AT_ONCE).zip(hashes.chunks(AT_ONCE)) {
            // The slots are read before any is changed, so that the processor waits for all of them at the same time.
            black_box(hashes.iter().fold(0, |all, hash| all ^ self.slots[self.slot(*hash).0]));
            again.extend((first..).zip(hashes).filter(|(_, hash)| self.note_one(**hash)).map(|(index, _)| index));
        }
        again
    }

    /// Notes an id. Returns whether it may have been used before.
    fn note_one(&mut self, hash: u64) -> bool {
        let (byte, bit) = self.slot(hash);
        let slots = &mut self.slots[byte];
        let again = *slots >> bit & 1 == 1;
        *slots |= if again { 2 } else { 1 } << bit;
        if again {
            self.groups_again[byte / 8 / 64] |= 1 << (byte / 8 % 64);
            self.any_again = true;
        }
        again
    }

    /// Whether an id may be used more than once.
    fn is_again(&self, hash: u64) -> bool {
        let (byte, bit) = self.slot(hash);
        self.groups_again[byte / 8 / 64] >> (byte / 8 % 64) & 1 == 1 && self.slots[byte] >> bit & 2 == 2
    }
}

/// An id, and what is known of its record.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    line: u64,
    id: &'a [u8],
    details: Details,
    /// The position as written, as one of the details.
    position: &'a [u8],
}

/// Where an id is.
#[derive(Clone, Copy, Debug, Default)]
struct Details {
    /// First byte of the id in the input.
    start: u64,
    /// One past its last byte.
    end: u64,
    column: u64,
    /// Ordinal of the record.
    ordinal: u64,
}

impl<'a> Entry<'a> {
    /// Adds the entry to a log.
    fn write(&self, log: &mut Log) -> io::Result<()> {
        let Entry { line, id, position, details: Details { start, end, column, ordinal } } = *self;
        let numbers = [line, start, end, column, ordinal, id.len() as u64].map(u64::to_le_bytes);
        let mut bytes = [0; 48];
        bytes.copy_from_slice(numbers.as_flattened());
        log.push(&bytes, [id, position])
    }

    /// Reads an entry of a log.
    fn read(bytes: &'a [u8]) -> io::Result<Entry<'a>> {
        Entry::try_read(bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn try_read(bytes: &'a [u8]) -> Option<Entry<'a>> {
        let (numbers, text) = bytes.split_first_chunk::<48>()?;
        let [line, start, end, column, ordinal, id_length] = numbers_of(numbers);
        let (id, position) = text.split_at_checked(usize::try_from(id_length).ok()?)?;
        Some(Entry { line, id, details: Details { start, end, column, ordinal }, position })
    }
}

/// The numbers in these bytes, eight for each.
#[inline]
fn numbers_of<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}

/// An id as it is saved: its numbers, the id and the position. Most texts are UTF-8.
type Saved<Text> = ([u64; 8], Text, Text);

impl Aggregate for Ids {
    fn rule(&self) -> Code {
        RULE.code
    }

    fn note(&mut self, record: &mut NotedRecord<'_>) {
        let Some(named) = record.named else { return };
        let (line, column) = (record.locate)(named.id.start);
        let [hash, check] = hashes(named.id.of(record.text));
        let in_input = |at: usize| record.base + at as u64;
        let (start, end) = (in_input(named.id.start), in_input(named.id.end));
        let head = Head { hash, check, position_hash: named.hash, place: line };
        let place = Place {
            details: Details { start, end, column, ordinal: record.ordinal },
            position: [in_input(named.position.start), in_input(named.position.end)],
        };
        match self.heads.push(head).and_then(|()| place.write(&mut self.places)) {
            Ok(()) => self.hashes.push(hash),
            Err(error) => drop(self.failure.get_or_insert(error)),
        }
    }

    fn merge(&mut self, next: Box<dyn Aggregate>, text: NotedText<'_>, offset: Offset) -> io::Result<()> {
        debug_assert_eq!(self.places.end(), 0);
        let Ids { heads, places, hashes, failure, .. } = same_rule(next)?;
        if let Some(error) = failure {
            return Err(error);
        }
        let mut again = self.note_ids(&hashes)?.into_iter().peekable();
        let mut places = places.written()?;
        let mut first = 0;
        heads.for_each_block(|lines, block| {
            let lines = lines + offset.lines;
            let mut changed = Vec::new();
            let end = first + block.len();
            while let Some(index) = again.next_if(|index| *index < end) {
                if changed.is_empty() {
                    changed.extend_from_slice(block);
                }
                let place = Place::read(&mut places, index)?;
                let [id, position] = place.texts(text);
                let details = Details { ordinal: place.details.ordinal + offset.records, ..place.details };
                let head = Head::of(&block[index - first]);
                let place = self.add_entry(&Entry { line: head.place + lines, id, details, position })?;
                changed[index - first] = Head { place, ..head }.to_bytes();
            }
            first = end;
            self.heads.add(if changed.is_empty() { block } else { &changed }, lines)
        })
    }

    fn may_report_alone(&self) -> bool {
        let mut hashes = self.hashes.clone();
        hashes.sort_unstable();
        self.failure.is_some() || hashes.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn save(self: Box<Self>, text: NotedText<'_>, put: &mut Put<'_>) -> io::Result<()> {
        let Ids { heads, places, failure, .. } = *self;
        if let Some(error) = failure {
            return Err(error);
        }
        let mut places = places.written()?;
        let mut index = 0;
        heads.for_each(|Head { hash, check, position_hash, place: line }| {
            let place = Place::read(&mut places, index)?;
            index += 1;
            let Details { start, end, column, ordinal } = place.details;
            let [id, position] = place.texts(text);
            let numbers = [hash, check, start, position_hash, end, line, column, ordinal];
            put(match (std::str::from_utf8(id), std::str::from_utf8(position)) {
                (Ok(id), Ok(position)) => saved(&(numbers, id, position)),
                _ => saved(&(numbers, id, position)),
            }?)
        })
    }

    fn restore(&mut self, saved: Value, shift: Shift) -> io::Result<()> {
        let is_text = saved.get(1).is_some_and(Value::is_string);
        let (numbers, id, position): Saved<Vec<u8>> = if is_text {
            let (numbers, id, position): Saved<String> = restored(saved)?;
            (numbers, id.into_bytes(), position.into_bytes())
        } else {
            restored(saved)?
        };
        let [hash, check, start, position_hash, end, line, column, ordinal] = numbers;
        if id.len() > MAX_TEXT || position.len() > MAX_TEXT {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an id or its position is too long"));
        }
        let line = shift.line(line);
        let head = Head { hash, check, position_hash, place: line };
        if self.note_ids(&[hash])?.is_empty() && line < ENTRY {
            return self.heads.push(head);
        }
        let details = Details { start: shift.byte(start), end: shift.byte(end), column, ordinal: shift.record(ordinal) };
        let place = self.add_entry(&Entry { line, id: &id, details, position: &position })?;
        self.heads.push(Head { place, ..head })
    }

    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()> {
        let Ids { limits, entries, heads, seen, .. } = *self;
        if seen.as_ref().is_some_and(|seen| !seen.any_again) {
            return Ok(());
        }
        let mut candidates: Sorter<4> = Sorter::with_limit(limits.entries);
        heads.for_each(|Head { hash, check, position_hash, place }| {
            let is_candidate = seen.as_ref().is_none_or(|seen| seen.is_again(hash));
            if is_candidate { candidates.push([hash, check, place, position_hash]) } else { Ok(()) }
        })?;
        drop(seen);
        let mut conflicts: Sorter<4> = Sorter::with_limit(limits.entries);
        let mut group: Option<Group> = None;
        for candidate in candidates.sorted()? {
            let [hash, check, place, position] = candidate?;
            match &mut group {
                Some(known) if known.id == [hash, check] => known.add(place, position),
                _ => {
                    let over = group.replace(Group { id: [hash, check], first: place, position, other: None, records: 1 });
                    if let Some(conflict) = over.and_then(Group::conflict) {
                        conflicts.push(conflict)?;
                    }
                }
            }
        }
        if let Some(conflict) = group.and_then(Group::conflict) {
            conflicts.push(conflict)?;
        }
        let mut entries = entries.written()?;
        for conflict in conflicts.sorted()? {
            let [place, first, records, hash] = conflict?;
            let other = entries.read(place & !ENTRY)?;
            let Entry { line, id, position, details } = Entry::read(&other)?;
            let first_line = if first < ENTRY { first } else { Entry::read(&entries.read(first & !ENTRY)?)?.line };
            let byte = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
            let Details { start, end, column, ordinal } = details;
            let finding = finding(Span::new(byte(start), byte(end)), id, position, first_line, records);
            let finding =
                Finding { line, column, game: ordinal, game_label: readable(id, Encoding::of(id)).into_owned(), ..finding };
            take(InputFinding { finding, subject: hash })?;
        }
        Ok(())
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Two hashes of an id. They are computed in different ways, so that ids that share one of them do not share the other.
fn hashes(id: &[u8]) -> [u64; 2] {
    [xxh3_64(id), xxh64(id, 0)]
}

/// The records with one id.
struct Group {
    /// The hashes of the id.
    id: [u64; 2],
    /// The place of the first record, as in [`Head`].
    first: u64,
    /// A hash of its position.
    position: u64,
    /// The first record with another position.
    other: Option<u64>,
    records: u64,
}

impl Group {
    fn add(&mut self, place: u64, position: u64) {
        self.records += 1;
        if position != self.position {
            self.other.get_or_insert(place);
        }
    }

    /// The places of the record with another position and of the first one, the number of records, and a hash of the id.
    fn conflict(self) -> Option<[u64; 4]> {
        Some([self.other?, self.first, self.records, self.id[0]])
    }
}

/// The finding about the `id` at `place`, which belongs to `position` here and to another position in line `first_line`. In all,
/// `records` records have it.
fn finding(place: Span, id: &[u8], position: &[u8], first_line: u64, records: u64) -> Finding {
    let found = shown(id);
    let count = quantity(records, "record", "records");
    let message =
        format!("the id `{found}` is already used for another position in line {first_line}; {count} of this input have it");
    let mut findings = Findings::new();
    findings.add(&RULE, place).found(found).fen(shown(position)).message(message).clone()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::rules::facts::NamedPosition;

    /// What is reported of `ids`, each with the number of its position, if parts of `part` records are merged.
    fn reported(limit: usize, ids: &[(&str, u64)], part: usize) -> Vec<(usize, u64, String, String)> {
        let text: String = ids.iter().map(|(id, position)| format!("{id} {position}\n")).collect();
        let limits = Limits { entries: limit, text: limit * 10, slot_bits: 4 + limit.ilog2() };
        let mut all = Ids::within(limits);
        let base = 100;
        let (mut at, mut lines) = (0, 0);
        for records in ids.chunks(part) {
            let mut next = Ids::within(limits);
            for (number, (id, position)) in (1..).zip(records) {
                let id = Span::new(at, at + id.len());
                let place = Span::new(id.end + 1, id.end + 1 + position.to_string().len());
                next.note(&mut NotedRecord {
                    text: text.as_bytes(),
                    place: Span::new(at, place.end),
                    base,
                    ordinal: number,
                    is_game: false,
                    named: Some(NamedPosition { id, position: place, hash: *position }),
                    locate: &mut |_| (number, 1),
                    label: &String::new,
                });
                at = place.end + 1;
            }
            let noted_in = NotedText { text: text.as_bytes(), base };
            all.merge(Box::new(next), noted_in, Offset { lines, records: lines }).unwrap();
            lines += records.len() as u64;
        }
        let mut reported = Vec::new();
        let take = &mut |InputFinding { finding, .. }: InputFinding| {
            reported.push((finding.place.start, finding.line, finding.found, finding.message));
            Ok(())
        };
        Box::new(all).report(take).unwrap();
        reported
    }

    #[test]
    fn an_id_for_two_positions_is_reported_once_at_the_second() {
        let ids = [("a", 1), ("b", 2), ("a", 1), ("b", 3), ("a", 4), ("b", 5), ("c", 6)];
        let reported = reported(100, &ids, 100);
        let places: Vec<_> = reported.iter().map(|(start, line, found, _)| (*start, *line, found.as_str())).collect();
        assert_eq!(places, [(112, 4, "b"), (116, 5, "a")]);
        assert!(reported[0].3.contains("in line 2; 3 records"), "{}", reported[0].3);
    }

    #[test]
    fn long_ids_are_cut_after_they_were_compared() {
        let same = "x".repeat(MAX_TEXT - 1) + "\u{e9}";
        let [one, other] = ["1", "2"].map(|end| format!("{same}{end}"));
        let reported = reported(100, &[(&one, 1), (&other, 2), (&one, 3)], 1);
        let places: Vec<_> = reported.iter().map(|(start, line, ..)| (*start, *line)).collect();
        assert_eq!(places, [(100 + one.len() + 3 + other.len() + 3, 3)]);
    }

    #[test]
    fn entries_are_read_as_they_were_written() -> io::Result<()> {
        for (line, id) in [(7, &b"a.1"[..]), (7, b""), (u64::MAX, b"a.1")] {
            let details = Details { start: 1, end: 2, column: 3, ordinal: 4 };
            let mut log = Log::with_limit(100);
            Entry { line, id, details, position: b"8/8" }.write(&mut log)?;
            log.written()?.for_each(|_, bytes| {
                let read = Entry::read(bytes)?;
                assert_eq!((read.line, read.id, read.details.ordinal, read.position), (line, id, 4, &b"8/8"[..]));
                Ok(())
            })?;
        }
        Ok(())
    }

    #[test]
    fn ids_with_one_equal_hash_are_different() -> io::Result<()> {
        for (other, expected) in [([7, 1], 1), ([7, 2], 0), ([8, 1], 0)] {
            let mut ids = Ids::within(LIMITS);
            for ([hash, check], line) in [([7, 1], 1), (other, 2)] {
                let numbers: [u64; 8] = [hash, check, 10 * line, line, 10 * line + 1, line, 1, line];
                ids.restore(saved(&(numbers, "a", "8/8"))?, Shift::default())?;
            }
            let mut reported = Vec::new();
            let take = &mut |InputFinding { finding, .. }: InputFinding| {
                reported.push(finding.line);
                Ok(())
            };
            Box::new(ids).report(take)?;
            assert_eq!(reported, vec![2; expected], "{other:?}");
        }
        Ok(())
    }

    #[test]
    fn files_and_parts_change_nothing() {
        let names: Vec<String> = (0..1500).map(|number| format!("id{}", number * 7919 % 991)).collect();
        let ids: Vec<(&str, u64)> = names.iter().zip(0..).map(|(id, number)| (id.as_str(), number / 600)).collect();
        let mut positions: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for (id, position) in &ids {
            positions.entry(id).or_default().insert(*position);
        }
        let expected = reported(100_000, &ids, 2000);
        assert_eq!(expected.len(), positions.values().filter(|positions| positions.len() > 1).count());
        assert!(expected.len() > 300);
        for (limit, part) in [(1, 2000), (7, 1), (64, 13), (65, 500), (500, 3)] {
            assert_eq!(reported(limit, &ids, part), expected, "{limit} in memory, parts of {part}");
        }
    }
}
