//! EPD17: ids that are used for different positions.

use std::{any::Any, io};

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    rules::{
        Check, Code, Finding, Findings, Rule, Sample, Severity,
        aggregate::{Aggregate, InputFinding, NotedRecord, Offset, Put, Shift, Take, restored, same_rule, saved},
        shown,
    },
    spill::{Bytes, Sorter},
    text::{Encoding, Span, readable, wording::quantity},
};

/// Maximum number of ids that are sorted in memory.
const MAX_ENTRIES_IN_MEMORY: usize = 1 << 16;

/// Maximum number of bytes of ids and positions in memory.
const MAX_TEXT_IN_MEMORY: usize = 1 << 22;

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
    check: Check::PositionsOfInput(|| Box::new(Ids::with_limits(MAX_ENTRIES_IN_MEMORY, MAX_TEXT_IN_MEMORY))),
    ..Rule::DEFAULTS
};

/// The ids of a part of an input.
///
/// Each is kept as a hash, next to a hash of its position and its place. Ids with equal hashes are compared as text before they
/// are reported.
#[derive(Debug)]
struct Ids {
    entries: Sorter<9>,
    /// Ids and positions, one after the other.
    texts: Bytes,
    /// Why a temporary file could not be written while a record was noted.
    failure: Option<io::Error>,
}

impl Ids {
    const fn with_limits(entries: usize, text: usize) -> Ids {
        Ids { entries: Sorter::with_limit(entries), texts: Bytes::with_limit(text), failure: None }
    }

    fn push(&mut self, id: Id, texts: [&[u8]; 2]) -> io::Result<()> {
        let lengths = ((id.id_length as u64) << 32) | id.position_length as u64;
        let Id { hash, start, position, end, line, column, ordinal, .. } = id;
        self.entries.push([hash, start, position, end, line, column, ordinal, self.texts.end(), lengths])?;
        texts.into_iter().try_for_each(|text| self.texts.push(text))
    }
}

/// An id and where it is.
#[derive(Clone, Copy, Debug)]
struct Id {
    /// A hash of the id.
    hash: u64,
    /// A hash of the position.
    position: u64,
    /// First byte of the id in the input.
    start: u64,
    /// One past its last byte.
    end: u64,
    line: u64,
    column: u64,
    /// Ordinal of the record.
    ordinal: u64,
    /// Where the text of the id and the position is, and how long both are.
    text_at: u64,
    id_length: usize,
    position_length: usize,
}

impl From<[u64; 9]> for Id {
    fn from([hash, start, position, end, line, column, ordinal, text_at, lengths]: [u64; 9]) -> Id {
        let (id_length, position_length) = ((lengths >> 32) as usize, (lengths & 0xFFFF_FFFF) as usize);
        Id { hash, position, start, end, line, column, ordinal, text_at, id_length, position_length }
    }
}

/// An id as it is saved: its numbers, the id and the position. Most texts are UTF-8.
type Saved<Text> = ([u64; 7], Text, Text);

impl Aggregate for Ids {
    fn rule(&self) -> Code {
        RULE.code
    }

    fn note(&mut self, record: &mut NotedRecord<'_>) {
        let Some(named) = record.named else { return };
        let (id, position) = (named.id.of(record.text), named.position.of(record.text));
        let kept = |bytes: &[u8]| bytes.len().min(MAX_TEXT);
        let (line, column) = (record.locate)(named.id.start);
        let found = Id {
            hash: xxh3_64(id),
            position: named.hash,
            start: record.base + named.id.start as u64,
            end: record.base + named.id.end as u64,
            line,
            column,
            ordinal: record.ordinal,
            text_at: 0,
            id_length: kept(id),
            position_length: kept(position),
        };
        if let Err(error) = self.push(found, [&id[..kept(id)], &position[..kept(position)]]) {
            self.failure.get_or_insert(error);
        }
    }

    fn merge(&mut self, next: Box<dyn Aggregate>, offset: Offset) -> io::Result<()> {
        let mut next: Ids = same_rule(next)?;
        if let Some(error) = next.failure.take() {
            return Err(error);
        }
        for entry in next.entries.sorted()? {
            let id = Id::from(entry?);
            let text = next.texts.read(id.text_at, id.id_length + id.position_length)?;
            self.push(Id { line: id.line + offset.lines, ordinal: id.ordinal + offset.records, ..id }, [&text, &[]])?;
        }
        Ok(())
    }

    fn save(self: Box<Self>, put: &mut Put<'_>) -> io::Result<()> {
        let Ids { entries, mut texts, failure } = *self;
        if let Some(error) = failure {
            return Err(error);
        }
        let mut in_order: Sorter<9> = Sorter::with_limit(entries.limit());
        for entry in entries.sorted()? {
            let [hash, start, rest @ ..] = entry?;
            let [position, end, line, column, ordinal, text_at, lengths] = rest;
            in_order.push([start, hash, position, end, line, column, ordinal, text_at, lengths])?;
        }
        for entry in in_order.sorted()? {
            let [start, hash, position, end, line, column, ordinal, text_at, lengths] = entry?;
            let id = Id::from([hash, start, position, end, line, column, ordinal, text_at, lengths]);
            let text = texts.read(text_at, id.id_length + id.position_length)?;
            let (name, named) = text.split_at(id.id_length.min(text.len()));
            let numbers = [hash, start, position, end, line, column, ordinal];
            put(match (std::str::from_utf8(name), std::str::from_utf8(named)) {
                (Ok(name), Ok(named)) => saved(&(numbers, name, named)),
                _ => saved(&(numbers, name, named)),
            }?)?;
        }
        Ok(())
    }

    fn restore(&mut self, saved: Value, shift: Shift) -> io::Result<()> {
        let is_text = saved.get(1).is_some_and(Value::is_string);
        let (numbers, name, named): Saved<Vec<u8>> = if is_text {
            let (numbers, name, named): Saved<String> = restored(saved)?;
            (numbers, name.into_bytes(), named.into_bytes())
        } else {
            restored(saved)?
        };
        let [hash, start, position, end, line, column, ordinal] = numbers;
        if name.len() > MAX_TEXT || named.len() > MAX_TEXT {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an id or its position is too long"));
        }
        let id = Id {
            hash,
            position,
            start: shift.byte(start),
            end: shift.byte(end),
            line: shift.line(line),
            column,
            ordinal: shift.record(ordinal),
            text_at: 0,
            id_length: name.len(),
            position_length: named.len(),
        };
        self.push(id, [&name, &named])
    }

    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()> {
        let Ids { entries, mut texts, failure } = *self;
        if let Some(error) = failure {
            return Err(error);
        }
        let mut conflicts: Sorter<11> = Sorter::with_limit(entries.limit());
        let mut group: Option<Group> = None;
        for entry in entries.sorted()? {
            let entry = entry?;
            match &mut group {
                Some(known) if known.first[0] == entry[0] => known.add(entry),
                _ => {
                    let over = group.replace(Group { first: entry, other: None, records: 1 });
                    if let Some(conflict) = over.and_then(Group::conflict) {
                        conflicts.push(conflict)?;
                    }
                }
            }
        }
        if let Some(conflict) = group.and_then(Group::conflict) {
            conflicts.push(conflict)?;
        }
        for conflict in conflicts.sorted()? {
            let [start, hash, end, line, column, ordinal, text_at, lengths, first_line, first_at, records] = conflict?;
            let (id_length, position_length) = ((lengths >> 32) as usize, (lengths & 0xFFFF_FFFF) as usize);
            let text = texts.read(text_at, id_length + position_length)?;
            // The hashes are equal: almost certainly the ids are.
            if texts.read(first_at, id_length)? != text[..id_length] {
                continue;
            }
            let byte = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
            let (id, position) = text.split_at(id_length);
            let place = Span::new(byte(start), byte(end));
            let finding = finding(place, id, position, first_line, records);
            let finding = Finding { line, column, game: ordinal, game_label: readable(id, Encoding::of(id)), ..finding };
            take(InputFinding { finding, subject: hash })?;
        }
        Ok(())
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// The records with one id.
struct Group {
    first: [u64; 9],
    /// The first record with another position.
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

    fn conflict(self) -> Option<[u64; 11]> {
        let [hash, start, _, end, line, column, ordinal, text_at, lengths] = self.other?;
        let [.., first_line, _, _, first_at, _] = self.first;
        Some([start, hash, end, line, column, ordinal, text_at, lengths, first_line, first_at, self.records])
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
    use super::*;
    use crate::rules::facts::NamedPosition;

    /// What is reported of `ids`, each with the number of its position, if parts of `part` records are merged.
    fn reported(limit: usize, ids: &[(&str, u64)], part: usize) -> Vec<(usize, u64, String, String)> {
        let text: String = ids.iter().map(|(id, position)| format!("{id} {position}\n")).collect();
        let mut all = Ids::with_limits(limit, limit * 10);
        let (mut at, mut lines) = (0, 0);
        for records in ids.chunks(part) {
            let mut next = Ids::with_limits(limit, limit * 10);
            for (number, (id, position)) in (1..).zip(records) {
                let id = Span::new(at, at + id.len());
                let place = Span::new(id.end + 1, id.end + 1 + position.to_string().len());
                next.note(&mut NotedRecord {
                    text: text.as_bytes(),
                    place: Span::new(at, place.end),
                    base: 0,
                    ordinal: number,
                    is_game: false,
                    named: Some(NamedPosition { id, position: place, hash: *position }),
                    locate: &mut |_| (number, 1),
                    label: &String::new,
                });
                at = place.end + 1;
            }
            all.merge(Box::new(next), Offset { lines, records: lines }).unwrap();
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
        assert_eq!(places, [(12, 4, "b"), (16, 5, "a")]);
        assert!(reported[0].3.contains("in line 2; 3 records"), "{}", reported[0].3);
    }

    #[test]
    fn files_and_parts_change_nothing() {
        let names: Vec<String> = (0..500).map(|number| format!("id{}", number * 7919 % 331)).collect();
        let ids: Vec<(&str, u64)> = names.iter().zip(0..).map(|(id, number)| (id.as_str(), number / 3)).collect();
        let expected = reported(100_000, &ids, 1000);
        assert_eq!(expected.len(), 169);
        for (limit, part) in [(1, 1000), (7, 1), (64, 13), (65, 500), (500, 3)] {
            assert_eq!(reported(limit, &ids, part), expected, "{limit} in memory, parts of {part}");
        }
    }
}
