//! EPD17: ids that are used for different positions.

use std::{
    any::Any,
    hint::black_box,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

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
    /// How many bits of its hash decide whether an id may be that of another record.
    slot_bits: u32,
}

/// The ids of a part of an input, or those of all parts so far.
///
/// Nearly all ids of an input are used once, and only a line number is needed of the first record
/// with an id. So most records are reduced to that and to hashes when their part is finished or merged, and only ids
/// that may be reused are sorted. Two ids count as the same if both of their hashes are equal.
#[derive(Debug)]
struct Ids {
    limits: Limits,
    /// The heads of the records of this part, unless they are stored, and of restored records.
    heads: Heads,
    /// The [`Place`] of each record of this part.
    places: Log,
    /// The hashes of the ids of this part.
    hashes: Vec<u64>,
    /// The index of this part in the store, if it is stored.
    stored: Option<usize>,
    /// An [`Entry`] for each record of the parts so far that may have the id of another one, in the order of their lines.
    entries: Log,
    /// The number of lines before each stored part, if that was merged.
    lines_before: Vec<Option<u64>>,
    /// What is stored of all parts.
    store: Arc<Mutex<Store>>,
    /// Why a temporary file could not be written while a record was noted.
    failure: Option<io::Error>,
}

impl Ids {
    fn within(limits: Limits) -> Ids {
        Ids::sharing(limits, Arc::new(Mutex::new(Store::new(limits))))
    }

    const fn sharing(limits: Limits, store: Arc<Mutex<Store>>) -> Ids {
        Ids {
            limits,
            heads: Heads::with_limit(limits.text),
            places: Log::with_limit(limits.text),
            hashes: Vec::new(),
            stored: None,
            entries: Log::with_limit(limits.text),
            lines_before: Vec::new(),
            store,
            failure: None,
        }
    }
}

/// What is known of the parts of an input. They are stored in any order.
#[derive(Debug)]
struct Store {
    limits: Limits,
    /// The heads of their records.
    heads: Log,
    /// Number of parts.
    parts: usize,
    /// The hashes of their ids, as long as there are few.
    few: Vec<u64>,
    /// All of them, once there are many.
    seen: Option<Seen>,
    /// Why a part could not be stored.
    failure: Option<io::Error>,
}

impl Store {
    const fn new(limits: Limits) -> Store {
        Store { limits, heads: Log::with_limit(limits.text), parts: 0, few: Vec::new(), seen: None, failure: None }
    }

    fn lock(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
        store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a part: the hashes of its ids, and its heads. Returns its index.
    ///
    /// # Errors
    /// If there is not enough memory, or a temporary file cannot be written.
    fn add(&mut self, hashes: &[u64], heads: Heads) -> io::Result<usize> {
        self.note(hashes)?;
        let part = self.parts;
        self.parts += 1;
        self.heads.push([&part.to_le_bytes()])?;
        self.heads.append(heads.into_log()?)?;
        Ok(part)
    }

    /// Notes ids by their hashes.
    fn note(&mut self, hashes: &[u64]) -> io::Result<()> {
        // A few ids can all be sorted.
        if self.seen.is_none() && self.few.len() + hashes.len() > self.limits.entries / 8 {
            let mut seen = Seen::with_bits(self.limits.slot_bits)?;
            seen.note(&std::mem::take(&mut self.few));
            self.seen = Some(seen);
        }
        match &mut self.seen {
            Some(seen) => seen.note(hashes),
            None => self.few.extend_from_slice(hashes),
        }
        Ok(())
    }

    /// The indices of those ids that more than one record may have.
    fn may_be_reused(&self, hashes: &[u64]) -> Vec<usize> {
        self.seen.as_ref().map_or_else(|| (0..hashes.len()).collect(), |seen| seen.reused_among(hashes))
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
    /// The line of the record.
    line: u64,
}

/// The bytes of a head.
type HeadBytes = [u8; 32];

impl Head {
    fn to_bytes(self) -> HeadBytes {
        let Head { hash, check, position_hash, line } = self;
        let mut bytes = HeadBytes::default();
        bytes.copy_from_slice([hash, check, position_hash, line].map(u64::to_le_bytes).as_flattened());
        bytes
    }

    fn of(bytes: &HeadBytes) -> Head {
        let [hash, check, position_hash, line] = numbers_of(bytes);
        Head { hash, check, position_hash, line }
    }
}

/// The heads of many records.
#[derive(Debug)]
struct Heads {
    /// Blocks of heads.
    log: Log,
    /// The last ones.
    block: Vec<HeadBytes>,
    max_in_memory: usize,
}

impl Heads {
    /// Number of heads that are added to the log at once.
    const BLOCK: usize = 512;

    const fn with_limit(max_in_memory: usize) -> Heads {
        Heads { log: Log::with_limit(max_in_memory), block: Vec::new(), max_in_memory }
    }

    #[inline]
    fn push(&mut self, head: Head) -> io::Result<()> {
        self.block.push(head.to_bytes());
        if self.block.len() < Heads::BLOCK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        let pushed = self.log.push([self.block.as_flattened()]);
        self.block.clear();
        pushed.map(drop)
    }

    /// Takes all of them, and leaves none.
    fn take(&mut self) -> Heads {
        let none = Heads::with_limit(self.max_in_memory);
        std::mem::replace(self, none)
    }

    /// Blocks of heads.
    fn into_log(mut self) -> io::Result<Log> {
        self.flush()?;
        Ok(self.log)
    }

    /// Shows all of them.
    fn for_each(self, mut take: impl FnMut(Head) -> io::Result<()>) -> io::Result<()> {
        self.into_log()?.written().for_each(|_, block| block.as_chunks().0.iter().map(Head::of).try_for_each(&mut take))
    }
}

/// Where a record is: its texts stay in the text of the part.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The line in the part.
    line: u64,
    details: Details,
    /// Where the position is in the input.
    position: [u64; 2],
}

/// The bytes of a place.
type PlaceBytes = [u8; 56];

impl Place {
    #[inline]
    fn write(&self, log: &mut Log) -> io::Result<()> {
        let Place { line, details: Details { start, end, column, ordinal }, position: [from, to] } = *self;
        let mut bytes: PlaceBytes = [0; 56];
        bytes.copy_from_slice([line, start, end, column, ordinal, from, to].map(u64::to_le_bytes).as_flattened());
        log.push([&bytes]).map(drop)
    }

    /// Reads the place with this index in a log of them.
    fn read(log: &WrittenLog, index: usize) -> io::Result<Place> {
        let mut buffer = Vec::new();
        let bytes = log.read(index as u64 * Log::distance::<PlaceBytes>(), &mut buffer)?;
        let bytes = PlaceBytes::try_from(bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        let [line, start, end, column, ordinal, from, to] = numbers_of(&bytes);
        Ok(Place { line, details: Details { start, end, column, ordinal }, position: [from, to] })
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
    /// Number of ids that are looked at at once. Their slots fit in the nearest cache.
    const AT_ONCE: usize = 64;

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

    /// Notes ids by their hashes.
    fn note(&mut self, hashes: &[u64]) {
        for hashes in hashes.chunks(Seen::AT_ONCE) {
            // The slots are read before any is changed, so that the processor waits for all of them at the same time.
            black_box(hashes.iter().fold(0, |all, hash| all ^ self.slots[self.slot(*hash).0]));
            hashes.iter().for_each(|hash| self.note_one(*hash));
        }
    }

    fn note_one(&mut self, hash: u64) {
        let (byte, bit) = self.slot(hash);
        let slots = &mut self.slots[byte];
        let again = *slots >> bit & 1 == 1;
        *slots |= if again { 2 } else { 1 } << bit;
        if again {
            self.groups_again[byte / 8 / 64] |= 1 << (byte / 8 % 64);
            self.any_again = true;
        }
    }

    /// The indices of those ids that may be used more than once.
    fn reused_among(&self, hashes: &[u64]) -> Vec<usize> {
        let mut again = Vec::new();
        for (first, hashes) in (0..).step_by(Seen::AT_ONCE).zip(hashes.chunks(Seen::AT_ONCE)) {
            // As in `note`, all are waited for at the same time.
            black_box(hashes.iter().fold(0, |all, hash| all ^ self.groups_again[self.slot(*hash).0 / 8 / 64]));
            again.extend((first..).zip(hashes).filter(|(_, hash)| self.is_reused(**hash)).map(|(index, _)| index));
        }
        again
    }

    /// Whether an id may be used more than once.
    #[inline]
    fn is_reused(&self, hash: u64) -> bool {
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
        log.push([&bytes, id, position]).map(drop)
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

    fn part(&self) -> Box<dyn Aggregate> {
        Box::new(Ids::sharing(self.limits, Arc::clone(&self.store)))
    }

    fn note(&mut self, record: &mut NotedRecord<'_>) {
        let Some(named) = record.named else { return };
        let (line, column) = (record.locate)(named.id.start);
        let [hash, check] = hashes(named.id.of(record.text));
        let in_input = |at: usize| record.base + at as u64;
        let (start, end) = (in_input(named.id.start), in_input(named.id.end));
        let head = Head { hash, check, position_hash: named.hash, line };
        let place = Place {
            line,
            details: Details { start, end, column, ordinal: record.ordinal },
            position: [in_input(named.position.start), in_input(named.position.end)],
        };
        match self.heads.push(head).and_then(|()| place.write(&mut self.places)) {
            Ok(()) => self.hashes.push(hash),
            Err(error) => drop(self.failure.get_or_insert(error)),
        }
    }

    fn finish(&mut self) {
        let mut store = Store::lock(&self.store);
        // Whether there are many ids is decided when parts are merged.
        if store.seen.is_none() {
            return;
        }
        match store.add(&self.hashes, self.heads.take()) {
            Ok(part) => self.stored = Some(part),
            // Even if this part is never merged, what is stored may be damaged.
            Err(error) => drop(store.failure.get_or_insert(error)),
        }
    }

    fn merge(&mut self, next: Box<dyn Aggregate>, text: NotedText<'_>, offset: Offset) -> io::Result<()> {
        debug_assert_eq!(self.places.end(), 0);
        let Ids { heads, places, hashes, stored, failure, .. } = same_rule(next)?;
        if let Some(error) = failure {
            return Err(error);
        }
        let mut store = Store::lock(&self.store);
        if let Some(error) = store.failure.take() {
            return Err(error);
        }
        let part = match stored {
            Some(part) => part,
            None => store.add(&hashes, heads)?,
        };
        // The ids of all parts up to this one are stored, so each but the first of several records with the same id is found.
        let again = store.may_be_reused(&hashes);
        drop(store);
        self.lines_before.resize(self.lines_before.len().max(part + 1), None);
        self.lines_before[part] = Some(offset.lines);
        let places = places.written();
        for index in again {
            let place = Place::read(&places, index)?;
            let [id, position] = place.texts(text);
            let details = Details { ordinal: place.details.ordinal + offset.records, ..place.details };
            Entry { line: place.line + offset.lines, id, details, position }.write(&mut self.entries)?;
        }
        Ok(())
    }

    fn may_report_alone(&self) -> bool {
        let mut hashes = self.hashes.clone();
        hashes.sort_unstable();
        self.failure.is_some() || hashes.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn save(self: Box<Self>, text: NotedText<'_>, put: &mut Put<'_>) -> io::Result<()> {
        let Ids { heads, places, stored, failure, .. } = *self;
        debug_assert!(stored.is_none(), "only parts of merged inputs are stored");
        if let Some(error) = failure {
            return Err(error);
        }
        let places = places.written();
        let mut index = 0;
        heads.for_each(|Head { hash, check, position_hash, line }| {
            let place = Place::read(&places, index)?;
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
        let mut store = Store::lock(&self.store);
        store.note(&[hash])?;
        if !store.may_be_reused(&[hash]).is_empty() {
            let details = Details { start: shift.byte(start), end: shift.byte(end), column, ordinal: shift.record(ordinal) };
            Entry { line, id: &id, details, position: &position }.write(&mut self.entries)?;
        }
        self.heads.push(Head { hash, check, position_hash, line })
    }

    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()> {
        let Ids { limits, entries, heads, lines_before, store, .. } = *self;
        let Store { heads: stored, seen, failure, .. } = std::mem::replace(&mut *Store::lock(&store), Store::new(limits));
        if let Some(error) = failure {
            return Err(error);
        }
        if seen.as_ref().is_some_and(|seen| !seen.any_again) {
            return Ok(());
        }
        let mut candidates: Sorter<4> = Sorter::with_limit(limits.entries);
        let mut add = |block: &[u8], lines: u64| {
            let heads = block.as_chunks().0;
            let hashes: Vec<u64> = heads.iter().map(|head| Head::of(head).hash).collect();
            let again = seen.as_ref().map_or_else(|| (0..hashes.len()).collect(), |seen| seen.reused_among(&hashes));
            again.into_iter().try_for_each(|index| {
                let Head { hash, check, position_hash, line } = Head::of(&heads[index]);
                candidates.push([hash, check, line + lines, position_hash])
            })
        };
        heads.into_log()?.written().for_each(|_, block| add(block, 0))?;
        let mut lines = None;
        stored.written().for_each(|_, bytes| {
            if let Ok(part) = bytes.try_into() {
                // Parts that were never merged are skipped: the guess was wrong, or the input changed.
                lines = lines_before.get(usize::from_le_bytes(part)).copied().flatten();
            }
            lines.map_or(Ok(()), |lines| add(bytes, lines))
        })?;
        drop(seen);
        let mut conflicts: Sorter<4> = Sorter::with_limit(limits.entries);
        let mut group: Option<Group> = None;
        for candidate in candidates.sorted()? {
            let [hash, check, line, position] = candidate?;
            match &mut group {
                Some(known) if known.id == [hash, check] => known.add(line, position),
                _ => {
                    let over = group.replace(Group { id: [hash, check], first: line, position, other: None, records: 1 });
                    if let Some(conflict) = over.and_then(Group::conflict) {
                        conflicts.push(conflict)?;
                    }
                }
            }
        }
        if let Some(conflict) = group.and_then(Group::conflict) {
            conflicts.push(conflict)?;
        }
        // Conflicts and entries are both sorted by line.
        let mut conflicts = conflicts.sorted()?;
        let mut next = conflicts.next().transpose()?;
        entries.written().for_each(|_, entry| {
            let Some([line, first_line, records, hash]) = next else { return Ok(()) };
            let entry = Entry::read(entry)?;
            if entry.line != line {
                return Ok(());
            }
            next = conflicts.next().transpose()?;
            let Entry { id, position, details: Details { start, end, column, ordinal }, .. } = entry;
            let byte = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
            let finding = finding(Span::new(byte(start), byte(end)), id, position, first_line, records);
            let game_label = readable(id, Encoding::of(id)).into_owned();
            take(InputFinding { finding: Finding { line, column, game: ordinal, game_label, ..finding }, subject: hash })
        })?;
        match next {
            Some(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "the ids of a part are not in the order of their lines")),
            None => Ok(()),
        }
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
    /// The line of the first record.
    first: u64,
    /// A hash of its position.
    position: u64,
    /// The line of the first record with another position.
    other: Option<u64>,
    records: u64,
}

impl Group {
    fn add(&mut self, line: u64, position: u64) {
        self.records += 1;
        if position != self.position {
            self.other.get_or_insert(line);
        }
    }

    /// The lines of the record with another position and of the first one, the number of records, and a hash of the id.
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

    /// What is reported of `ids`, each with the number of its position, if parts of `part` records are merged. Four parts
    /// at a time are finished before the first of them is merged: the last one first, and one of them not at all. One of
    /// them is read twice.
    fn reported(limit: usize, ids: &[(&str, u64)], part: usize) -> Vec<(usize, u64, String, String)> {
        let text: String = ids.iter().map(|(id, position)| format!("{id} {position}\n")).collect();
        let limits = Limits { entries: limit, text: limit * 10, slot_bits: 4 + limit.ilog2() };
        let mut all = Ids::within(limits);
        let base = 100;
        let noted = |mut part: Box<dyn Aggregate>, records: &[(&str, u64)], mut at: usize| {
            for (number, (id, position)) in (1..).zip(records) {
                let id = Span::new(at, at + id.len());
                let place = Span::new(id.end + 1, id.end + 1 + position.to_string().len());
                part.note(&mut NotedRecord {
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
            (part, at)
        };
        let (mut at, mut lines) = (0, 0);
        for parts in ids.chunks(4 * part) {
            let mut together = Vec::new();
            for records in parts.chunks(part) {
                if together.len() == 1 {
                    noted(all.part(), records, at).0.finish();
                }
                let (part, end) = noted(all.part(), records, at);
                together.push((part, records.len()));
                at = end;
            }
            for (_, (part, _)) in together.iter_mut().enumerate().rev().filter(|(index, _)| *index != 2) {
                part.finish();
            }
            for (part, records) in together {
                let noted_in = NotedText { text: text.as_bytes(), base };
                all.merge(part, noted_in, Offset { lines, records: lines }).unwrap();
                lines += records as u64;
            }
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
            log.written().for_each(|_, bytes| {
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
