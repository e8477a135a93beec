//! EPD17: ids that are used for different positions.

use std::{any::Any, io};

use serde_json::Value;
use xxhash_rust::{xxh3::xxh3_64, xxh64::xxh64};

use crate::rules::Code;
use crate::rules::aggregate::{
    Aggregate, InputFinding, NotedRecord, NotedText, Offset, Put, Shift, Take, restored, same_rule, saved,
};
use crate::rules::prelude::*;
use crate::spill::{Log, Sorter};
use crate::text::{Encoding, Span, readable};

/// Limits of what is kept in memory.
const LIMITS: Limits = Limits { entries: 3 << 15, text: 1 << 22, slot_bits: [18, 26] };

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
    /// Maximum number of bytes in memory of heads and of entries, each.
    text: usize,
    /// How many bits of its hash decide whether an id may be that of another record: for few ids,
    /// and for many.
    slot_bits: [u32; 2],
}

/// The ids of a part of an input, or those of all parts so far.
///
/// Nearly all ids of an input are used once, and only hashes and a line number are needed of the
/// first record with an id. So only ids that may be reused are sorted. Two ids count as the same if
/// both of their hashes are equal.
#[derive(Debug)]
struct Ids {
    limits: Limits,
    /// The records of this part, and where their positions are.
    part: Vec<(Record, [u64; 2])>,
    /// Both hashes of the id, the line, and the hash of the position of each record of the parts so
    /// far.
    heads: Log,
    /// Each record of the parts so far that may have the id of an earlier one, with its id and its
    /// position.
    entries: Log,
    slots: Slots,
}

/// What is known of a record: two hashes of its id, where that begins, a hash of its position,
/// where the id ends, the line and the column of the id, and the ordinal of the record.
type Record = [u64; 8];

/// A record as it is saved, with its id and its position. Most texts are UTF-8.
type Saved<Text> = (Record, Text, Text);

impl Ids {
    const fn within(limits: Limits) -> Ids {
        Ids {
            limits,
            part: Vec::new(),
            heads: Log::with_limit(limits.text),
            entries: Log::with_limit(limits.text),
            slots: Slots::with_bits(limits.slot_bits),
        }
    }

    /// Adds the next record of the whole input.
    fn add(&mut self, record: Record, [id, position]: [&[u8]; 2]) -> io::Result<()> {
        let [hash, check, _, position_hash, _, line, ..] = record;
        self.heads.push([[hash, check, line, position_hash].map(u64::to_le_bytes).as_flattened()])?;
        if self.slots.note(hash) {
            self.entries.push([record.map(u64::to_le_bytes).as_flattened(), id, position])?;
        }
        Ok(())
    }
}

/// The id and the position of a record.
fn texts<'a>((record, position): &(Record, [u64; 2]), text: NotedText<'a>) -> [&'a [u8]; 2] {
    let &[_, _, start, _, end, ..] = record;
    [[start, end], *position].map(|[start, end]| {
        let text = text.bytes(start, end);
        &text[..text.len().min(MAX_TEXT)]
    })
}

/// The numbers at the start of `bytes`, and what follows them.
fn split_numbers<const N: usize>(bytes: &[u8]) -> io::Result<([u64; N], &[u8])> {
    let (numbers, rest) = bytes.split_at_checked(N * size_of::<u64>()).ok_or(io::ErrorKind::InvalidData)?;
    let mut split = [0; N];
    split.iter_mut().zip(numbers.as_chunks().0).for_each(|(number, bytes)| *number = u64::from_le_bytes(*bytes));
    Ok((split, rest))
}

/// Which ids were used, and which of them may have been used again, by their hashes: a bit each for
/// every slot. Ids share slots.
#[derive(Debug)]
struct Slots {
    bits: [u32; 2],
    used: Vec<u64>,
    again: Vec<u64>,
    ids: usize,
}

impl Slots {
    const fn with_bits(bits: [u32; 2]) -> Slots {
        Slots { bits, used: Vec::new(), again: Vec::new(), ids: 0 }
    }

    /// Notes an id. Returns whether it may have been used before.
    #[inline]
    fn note(&mut self, hash: u64) -> bool {
        // At most one of 64 slots is used when their number grows.
        if self.ids == self.used.len() {
            self.grow();
        }
        self.ids += 1;
        let (word, bit) = self.slot(hash);
        let is_again = self.used[word] & bit != 0;
        self.used[word] |= bit;
        if is_again {
            self.again[word] |= bit;
        }
        is_again
    }

    #[cold]
    fn grow(&mut self) {
        let [few, many] = self.bits.map(|bits| (1_usize << bits) / 64);
        for slots in [&mut self.used, &mut self.again] {
            if slots.is_empty() {
                *slots = vec![0; few];
            } else if slots.len() < many {
                // The lowest bits of a hash decide, so each slot becomes several that are far
                // apart.
                *slots = slots.repeat(many / few);
            }
        }
    }

    /// Where the bit of an id is.
    const fn slot(&self, hash: u64) -> (usize, u64) {
        let slot = hash as usize & (self.used.len() * 64 - 1);
        (slot / 64, 1 << (slot % 64))
    }

    /// Whether an id that was noted may have been used more than once.
    fn is_reused(&self, hash: u64) -> bool {
        let (word, bit) = self.slot(hash);
        self.again[word] & bit != 0
    }
}

impl Aggregate for Ids {
    fn rule(&self) -> Code {
        RULE.code
    }

    fn part(&self) -> Box<dyn Aggregate> {
        Box::new(Ids::within(self.limits))
    }

    fn note(&mut self, record: &mut NotedRecord<'_>) {
        let Some(named) = record.named else { return };
        let (line, column) = (record.locate)(named.id.start);
        let [hash, check] = hashes(named.id.of(record.text));
        let [[start, end], position] =
            [named.id, named.position].map(|span| [span.start, span.end].map(|at| record.base + at as u64));
        self.part.push(([hash, check, start, named.hash, end, line, column, record.ordinal], position));
    }

    fn merge(&mut self, next: Box<dyn Aggregate>, text: NotedText<'_>, offset: Offset) -> io::Result<()> {
        debug_assert!(self.part.is_empty());
        let Ids { part, .. } = same_rule(next)?;
        part.iter().try_for_each(|noted| {
            let [hash, check, start, position_hash, end, line, column, ordinal] = noted.0;
            let (line, ordinal) = (line + offset.lines, ordinal + offset.records);
            self.add([hash, check, start, position_hash, end, line, column, ordinal], texts(noted, text))
        })
    }

    fn may_report_alone(&self) -> bool {
        let mut hashes: Vec<u64> = self.part.iter().map(|([hash, ..], _)| *hash).collect();
        hashes.sort_unstable();
        hashes.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn save(self: Box<Self>, text: NotedText<'_>, put: &mut Put<'_>) -> io::Result<()> {
        self.part.iter().try_for_each(|noted| {
            let [id, position] = texts(noted, text);
            put(match (str::from_utf8(id), str::from_utf8(position)) {
                (Ok(id), Ok(position)) => saved(&(noted.0, id, position)),
                _ => saved(&(noted.0, id, position)),
            }?)
        })
    }

    fn restore(&mut self, saved: Value, shift: Shift) -> io::Result<()> {
        let is_text = saved.get(1).is_some_and(Value::is_string);
        let (record, id, position): Saved<Vec<u8>> = if is_text {
            let (record, id, position): Saved<String> = restored(saved)?;
            (record, id.into_bytes(), position.into_bytes())
        } else {
            restored(saved)?
        };
        if id.len() > MAX_TEXT || position.len() > MAX_TEXT {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an id or its position is too long"));
        }
        let [hash, check, start, position_hash, end, line, column, ordinal] = record;
        let [start, end] = [start, end].map(|byte| shift.byte(byte));
        let (line, ordinal) = (shift.line(line), shift.record(ordinal));
        self.add([hash, check, start, position_hash, end, line, column, ordinal], [&id, &position])
    }

    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()> {
        let Ids { limits, heads, entries, slots, .. } = *self;
        let mut reused: Sorter<4> = Sorter::with_limit(limits.entries);
        heads.written().for_each(|_, head| {
            let (head, _) = split_numbers(head)?;
            if slots.is_reused(head[0]) { reused.push(head) } else { Ok(()) }
        })?;
        drop(slots);
        // Of each id that is in conflict: the lines of the first record with another position and
        // of the first record, the number of records, and a hash.
        let mut conflicts: Sorter<4> = Sorter::with_limit(limits.entries);
        let mut heads = reused.sorted()?.peekable();
        while let Some(head) = heads.next() {
            let [hash, check, first_line, first_position] = head?;
            let (mut records, mut line) = (1, None);
            while let Some(Ok([_, _, next_line, position])) =
                heads.next_if(|next| next.as_ref().is_ok_and(|next| next[..2] == [hash, check]))
            {
                records += 1;
                if position != first_position {
                    line.get_or_insert(next_line);
                }
            }
            line.map_or(Ok(()), |line| conflicts.push([line, first_line, records, hash]))?;
        }
        // Conflicts and entries are both in the order of lines.
        let mut conflicts = conflicts.sorted()?;
        let mut conflict = conflicts.next().transpose()?;
        entries.written().for_each(|_, entry| {
            let ([_, _, start, _, end, line, column, game], texts) = split_numbers(entry)?;
            let Some([_, first_line, records, subject]) = conflict.filter(|conflict| conflict[0] == line) else { return Ok(()) };
            conflict = conflicts.next().transpose()?;
            let [start, end] = [start, end].map(|byte| usize::try_from(byte).unwrap_or(usize::MAX));
            let id_length = end.saturating_sub(start).min(MAX_TEXT);
            let (id, position) = texts.split_at_checked(id_length).ok_or(io::ErrorKind::InvalidData)?;
            let finding = finding(Span::new(start, end), id, position, first_line, records);
            let game_label = readable(id, Encoding::of(id)).into_owned();
            take(InputFinding { finding: Finding { line, column, game, game_label, ..finding }, subject })
        })?;
        match conflict {
            Some(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "the ids of a part are not in the order of their lines")),
            None => Ok(()),
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Two hashes of an id. They are computed in different ways, so that ids that share one of them do
/// not share the other.
fn hashes(id: &[u8]) -> [u64; 2] {
    [xxh3_64(id), xxh64(id, 0)]
}

/// The finding about the `id` at `place`, which belongs to `position` here and to another position
/// in line `first_line`. In all, `records` records have it.
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

    /// What is reported of `ids`, each with the number of its position, if parts of `part` records
    /// are merged.
    fn reported(limit: usize, ids: &[(&str, u64)], part: usize) -> Vec<(usize, u64, String, String)> {
        let text: String = ids.iter().map(|(id, position)| format!("{id} {position}\n")).collect();
        let limits = Limits { entries: limit, text: limit * 10, slot_bits: [6, 6 + limit.ilog2()] };
        let mut all = Ids::within(limits);
        let base = 100;
        let (mut at, mut lines) = (0, 0);
        for records in ids.chunks(part) {
            let mut part = all.part();
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
            let noted_in = NotedText { text: text.as_bytes(), base };
            all.merge(part, noted_in, Offset { lines, records: lines }).unwrap();
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
