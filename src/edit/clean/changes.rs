//! What is changed in a text, and what is moved out of it.
//!
//! All places are in the original text, through all rounds: what a later round changes is traced
//! back through what earlier ones have changed.

use std::{iter, ops::Range};

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The first byte that is replaced.
    pub start: u64,
    /// The bytes that are replaced.
    pub old: Box<[u8]>,
    /// Their replacement.
    pub new: Box<[u8]>,
    /// Whether bytes that are inserted belong to the record before this place.
    pub is_before: bool,
    /// The numbers of its reasons.
    pub reasons: Vec<u64>,
}

impl Edit {
    /// One past the last byte that is replaced.
    pub const fn end(&self) -> u64 {
        self.start + self.old.len() as u64
    }
}

/// Where a record goes that is moved out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Copies,
    Aside,
}

/// A record that is moved out, or text that belongs to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    pub start: u64,
    pub end: u64,
    /// Where its movetext begins; 0 if that is not known.
    pub movetext: u64,
    pub to: Destination,
    /// Where its records are in the log, with the reasons.
    pub records: Vec<u64>,
    /// Why it is moved, if its findings do not say so.
    pub why: Option<&'static str>,
    /// Whether whitespace after it belongs to it and was not counted.
    pub has_blank: bool,
    /// Number of records; 0 for other text.
    pub games: u64,
}

impl Moved {
    fn in_parts(self, ranges: Vec<(u64, u64)>) -> Vec<Moved> {
        let parts = ranges.into_iter().enumerate().map(|(number, (start, end))| {
            let part = Moved { start, end, ..self.clone() };
            let why = Some("a part of the record before it");
            if number == 0 { part } else { Moved { records: Vec::new(), why, games: 0, movetext: 0, ..part } }
        });
        parts.collect()
    }
}

/// The changes of a text.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// In their order in the text. None overlaps another one, or the start or end of what is moved.
    pub edits: Vec<Edit>,
    /// In order, without overlaps.
    pub moved: Vec<Moved>,
}

/// A stretch of the original text that stays, or that is moved as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: u64,
    pub end: u64,
    /// Its place among what is moved; `None` if it stays.
    pub moved: Option<usize>,
    /// The places of its edits.
    pub edits: Range<usize>,
}

impl Changes {
    /// The original text, which has `length` bytes, divided.
    pub fn stretches(&self, length: u64) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut at = 0;
        let mut push = |start, end, moved| stretches.push(Stretch { start, end, moved, edits: 0..0 });
        for (place, moved) in self.moved.iter().enumerate() {
            if at < moved.start {
                push(at, moved.start, None);
            }
            push(moved.start, moved.end, Some(place));
            at = moved.end;
        }
        if at < length || self.moved.is_empty() {
            push(at, length, None);
        }
        let mut edit = 0;
        let last = stretches.len() - 1;
        for (number, stretch) in stretches.iter_mut().enumerate() {
            let is_in = |edit: &Edit| edit.start < stretch.end || edit.start == stretch.end && edit.is_before || number == last;
            let count = self.edits[edit..].iter().take_while(|edit| is_in(edit)).count();
            stretch.edits = edit..edit + count;
            edit += count;
        }
        stretches
    }

    /// Whether an edit can be made: what it changes is in one stretch. Its place is in the text
    /// that stays, as it is now.
    pub fn can_edit(&self, length: u64) -> impl Fn(&Edit) -> bool + use<> {
        let places = Places::of(self, length);
        move |edit| places.has_one_stretch(edit)
    }

    /// Adds edits of the text that stays, which can be made. They have places in it as it is now,
    /// in order and without overlaps.
    pub fn edit(&mut self, edits: Vec<Edit>, length: u64) {
        let places = Places::of(self, length);
        let earlier = std::mem::take(&mut self.edits);
        let placed: Vec<Placed<'_>> = earlier.iter().zip(&places.edits).map(|(edit, now)| Placed { edit, now }).collect();
        let touches = |placed: &Placed<'_>, edit: &Edit| placed.now.stretch == places.stretch_of(edit) && placed.touches(edit);
        let (mut at, mut next) = (0, 0);
        while next < edits.len() {
            let before = placed[at..]
                .iter()
                .take_while(|placed| placed.now.end <= edits[next].start && !touches(placed, &edits[next]))
                .count();
            self.edits.extend(earlier[at..at + before].iter().cloned());
            at += before;
            let (first, from) = (at, next);
            next += 1;
            loop {
                if placed.get(at).is_some_and(|placed| touches(placed, &edits[next - 1])) {
                    at += 1;
                } else if at > first && edits.get(next).is_some_and(|edit| touches(&placed[at - 1], edit)) {
                    next += 1;
                } else {
                    break;
                }
            }
            self.edits.push(places.joined(&placed[first..at], &edits[from..next]));
        }
        self.edits.extend(earlier[at..].iter().cloned());
        // Those that were moved out have no place of their own in what stays.
        self.edits.sort_by_key(|edit| (edit.start, !edit.is_before, !edit.old.is_empty()));
    }

    /// Moves records out. Their places are in the text that stays, as it is now, in order and
    /// without overlaps. One with others inside that were moved before is moved in parts. Records
    /// stay that edits have made from nothing. Returns how many do.
    pub fn move_out(&mut self, records: Vec<Moved>, length: u64) -> u64 {
        let places = Places::of(self, length);
        let mut halves: Vec<(usize, usize)> = Vec::new();
        let mut moved = Vec::new();
        let mut left = 0;
        for record in records.into_iter().flat_map(|record| places.parts(record)) {
            let (start, end) = (places.bound(record.start, false), places.bound(record.end, true));
            let cuts = [start.cut, end.cut].into_iter().flatten();
            let is_cut_elsewhere = |(edit, at): (usize, usize)| halves.iter().any(|half| half.0 == edit && half.1 != at);
            let is_there = start.stretch == end.stretch && start.original < end.original;
            if !is_there || cuts.clone().any(is_cut_elsewhere) {
                left += 1;
                continue;
            }
            halves.extend(cuts);
            for bound in [&start, &end] {
                bound.follows.iter().for_each(|follows| self.divide_insertions(bound.original, *follows));
            }
            let movetext = if record.movetext > record.start { places.bound(record.movetext, false).original } else { 0 };
            moved.push(Moved { start: start.original, end: end.original, movetext, ..record });
        }
        halves.sort_unstable();
        halves.dedup();
        for (edit, at) in halves.into_iter().rev() {
            let second = self.edits[edit].halved(at);
            let place = second.start;
            self.edits.insert(edit + 1, second);
            self.divide_insertions(place, edit + 1);
        }
        self.moved.extend(moved);
        self.moved.sort_by_key(|moved| moved.start);
        left
    }

    /// Insertions at this place belong to what is after it from this edit on, the others to what is
    /// before it.
    fn divide_insertions(&mut self, place: u64, follows: usize) {
        let is_there = |edit: &&mut Edit| edit.old.is_empty() && edit.start == place;
        let (before, after) = self.edits.split_at_mut(follows);
        before.iter_mut().rev().take_while(is_there).for_each(|edit| edit.is_before = true);
        after.iter_mut().take_while(is_there).for_each(|edit| edit.is_before = false);
    }

    /// Moves records out as they were before all edits. Their places are in the original text.
    pub fn move_out_unedited(&mut self, records: Vec<Moved>) {
        let records: Vec<Moved> = records.into_iter().flat_map(|record| self.unmoved(record)).collect();
        for record in &records {
            let (start, end) = (record.start, record.end);
            let is_in = |edit: &Edit| {
                let is_insertion_at = |place| edit.old.is_empty() && edit.start == place;
                edit.start < end && edit.end() > start
                    || is_insertion_at(start) && !edit.is_before
                    || is_insertion_at(end) && edit.is_before
            };
            self.edits.retain(|edit| !is_in(edit));
        }
        self.moved.extend(records);
        self.moved.sort_by_key(|moved| moved.start);
    }

    /// A record of the original text as the parts of it that are not moved.
    fn unmoved(&self, record: Moved) -> Vec<Moved> {
        let first = self.moved.partition_point(|moved| moved.end <= record.start);
        let inside = self.moved[first..].iter().take_while(|moved| moved.start < record.end);
        let starts = iter::once(record.start).chain(inside.clone().map(|moved| moved.end));
        let ends = inside.map(|moved| moved.start).chain(iter::once(record.end));
        let ranges = starts.zip(ends).filter(|(start, end)| start < end).collect();
        record.in_parts(ranges)
    }

    /// Where stretches of the text that stays, as it is now, are in the original text.
    pub fn originals(&self, stretches: impl Iterator<Item = (u64, u64)>, length: u64) -> Vec<(u64, u64)> {
        let places = Places::of(self, length);
        stretches.map(|(start, end)| (places.bound(start, false).original, places.bound(end, true).original)).collect()
    }
}

impl Edit {
    /// Keeps the first `at` bytes of the replacement. The others become an insertion after it.
    fn halved(&mut self, at: usize) -> Edit {
        let (first, second) = (self.new[..at].into(), self.new[at..].into());
        self.new = first;
        Edit { start: self.end(), old: Box::default(), new: second, is_before: false, reasons: self.reasons.clone() }
    }
}

/// Where an edit is in the text that stays, as it is now.
#[derive(Clone, Copy, Debug, Default)]
struct Now {
    start: u64,
    end: u64,
    /// The number of its stretch among those that stay; `None` if it was moved out.
    stretch: Option<usize>,
}

/// An earlier edit, and where it is now.
struct Placed<'e> {
    edit: &'e Edit,
    now: &'e Now,
}

impl Placed<'_> {
    /// Whether a later edit of the same stretch changes some of it, or inserts bytes next to those
    /// that it has inserted.
    fn touches(&self, later: &Edit) -> bool {
        let Now { start, end, .. } = *self.now;
        let (from, to) = (later.start, later.end());
        let is_ordered = match (self.edit.is_before, later.is_before) {
            (true, false) => end == from,
            (false, true) => to == start,
            _ => false,
        };
        let are_insertions = self.edit.old.is_empty() && from == to;
        from < end && start < to || are_insertions && !is_ordered && from <= end && start <= to
    }
}

/// A place in the original text.
struct Bound {
    original: u64,
    /// The number of its stretch among those that stay.
    stretch: usize,
    /// The edit whose replacement is cut there, and after how many bytes.
    cut: Option<(usize, usize)>,
    /// The first edit that follows it, if bytes are inserted there.
    follows: Option<usize>,
}

/// Where the text that stays is in the original one.
struct Places {
    /// Stretches that stay: where they begin and end now, and their original start.
    stretches: Vec<(u64, u64, u64)>,
    /// What is as it was, in order: where it begins now, its original start, its length.
    same: Vec<(u64, u64, u64)>,
    edits: Vec<Now>,
    /// The original ranges of edits.
    originals: Vec<(u64, u64)>,
}

impl Places {
    fn of(changes: &Changes, length: u64) -> Places {
        let (mut stretches, mut same) = (Vec::new(), Vec::new());
        let mut edits = vec![Now::default(); changes.edits.len()];
        let mut now = 0;
        for stretch in changes.stretches(length) {
            if stretch.moved.is_some() {
                edits[stretch.edits].fill(Now { start: now, end: now, stretch: None });
                continue;
            }
            let begin = now;
            let mut at = stretch.start;
            for place in stretch.edits {
                let edit = &changes.edits[place];
                same.push((now, at, edit.start - at));
                now += edit.start - at;
                edits[place] = Now { start: now, end: now + edit.new.len() as u64, stretch: Some(stretches.len()) };
                now += edit.new.len() as u64;
                at = edit.end();
            }
            same.push((now, at, stretch.end - at));
            now += stretch.end - at;
            stretches.push((begin, now, stretch.start));
        }
        let originals = changes.edits.iter().map(|edit| (edit.start, edit.end())).collect();
        Places { stretches, same, edits, originals }
    }

    /// Whether what a later edit changes is in one stretch.
    fn has_one_stretch(&self, edit: &Edit) -> bool {
        let stretch = self.stretch_of(edit).and_then(|number| self.stretches.get(number));
        stretch.is_some_and(|(_, end, _)| edit.end() <= *end)
    }

    /// The number of the stretch that a later edit begins in.
    fn stretch_of(&self, edit: &Edit) -> Option<usize> {
        if edit.is_before {
            return Some(self.stretches.partition_point(|(_, end, _)| *end < edit.start));
        }
        self.last_from(edit.start)
    }

    /// The number of the last stretch that does not begin after this place.
    fn last_from(&self, now: u64) -> Option<usize> {
        self.stretches.partition_point(|(start, ..)| *start <= now).checked_sub(1)
    }

    /// The original place of a byte that is as it was, or of the end of those before it.
    fn original(&self, now: u64, is_end: bool) -> u64 {
        let place = if is_end {
            self.same.partition_point(|(start, _, length)| start + length < now)
        } else {
            self.same.partition_point(|(start, ..)| *start <= now).saturating_sub(1)
        };
        let (start, original, _) = self.same[place];
        original + (now - start)
    }

    /// An edit that does the same as `earlier` and then `later` ones. They touch each other.
    fn joined(&self, earlier: &[Placed<'_>], later: &[Edit]) -> Edit {
        let (first, last) = (&later[0], &later[later.len() - 1]);
        let start = earlier.first().map_or(first.start, |placed| placed.now.start.min(first.start));
        let end = earlier.last().map_or(last.end(), |placed| placed.now.end.max(last.end()));
        let mut text = vec![0; (end - start) as usize];
        let mut fill = |at: u64, bytes: &[u8]| text[(at - start) as usize..][..bytes.len()].copy_from_slice(bytes);
        later.iter().for_each(|edit| fill(edit.start, &edit.old));
        earlier.iter().for_each(|placed| fill(placed.now.start, &placed.edit.new));
        let replaced = |with: &mut dyn Iterator<Item = (u64, u64, &[u8])>| {
            let (mut result, mut at) = (Vec::new(), start);
            for (from, to, bytes) in with.chain(iter::once((end, end, &[][..]))) {
                result.extend_from_slice(&text[(at - start) as usize..(from - start) as usize]);
                result.extend_from_slice(bytes);
                at = to;
            }
            result.into_boxed_slice()
        };
        let old = replaced(&mut earlier.iter().map(|placed| (placed.now.start, placed.now.end, &*placed.edit.old)));
        let new = replaced(&mut later.iter().map(|edit| (edit.start, edit.end(), &*edit.new)));
        let original = match earlier.first().filter(|placed| placed.now.start == start) {
            Some(placed) => placed.edit.start,
            None => self.original(start, first.is_before),
        };
        let all = earlier.iter().map(|placed| placed.edit).chain(later);
        // What follows may have been moved out.
        let stretch = self.stretch_of(first).map(|number| self.stretches[number]);
        let can_be_before = |(_, last, first)| first < original && (last == end || all.clone().any(|edit| edit.is_before));
        let is_before = old.is_empty() && stretch.is_some_and(can_be_before);
        let mut reasons: Vec<u64> = Vec::new();
        for reason in all.flat_map(|edit| &edit.reasons) {
            if !reasons.contains(reason) {
                reasons.push(*reason);
            }
        }
        Edit { start: original, old, new, is_before, reasons }
    }

    /// A record as a part of each stretch that it has a part of.
    fn parts(&self, record: Moved) -> Vec<Moved> {
        let first = self.stretches.partition_point(|(_, end, _)| *end <= record.start);
        let around = self.stretches[first..].iter().take_while(|(start, ..)| *start < record.end);
        let ranges: Vec<(u64, u64)> = around
            .map(|(start, end, _)| (record.start.max(*start), record.end.min(*end)))
            .filter(|(start, end)| start < end)
            .collect();
        if ranges.len() < 2 { vec![record] } else { record.in_parts(ranges) }
    }

    /// Where a record begins or ends.
    fn bound(&self, now: u64, is_end: bool) -> Bound {
        let place = if is_end {
            self.stretches.partition_point(|(_, end, _)| *end < now)
        } else {
            self.stretches.partition_point(|(start, ..)| *start <= now).saturating_sub(1)
        };
        let Some((begin, ..)) = self.stretches.get(place).copied() else {
            return Bound { original: self.original(now, is_end), stretch: place, cut: None, follows: None };
        };
        let first = self.edits.partition_point(|edit| edit.end < now);
        let mut around = self.edits.iter().enumerate().skip(first).take_while(|(_, edit)| edit.start <= now);
        if let Some((edit, Now { start: from, end: to, .. })) = around.find(|(_, edit)| edit.stretch == Some(place)) {
            let (start, end) = self.originals[edit];
            let is_insertion = start == end;
            if *from == now {
                return Bound { original: start, stretch: place, cut: None, follows: is_insertion.then_some(edit) };
            }
            let cut = (now < *to).then(|| (edit, (now - from) as usize));
            let follows = (cut.is_none() && is_insertion).then_some(edit + 1);
            return Bound { original: end, stretch: place, cut, follows };
        }
        let original = self.original(now, is_end && now > begin);
        Bound { original, stretch: place, cut: None, follows: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of numbers that look random.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end.max(1)
        }
    }

    /// What stays, and what was moved out, with all edits and without them.
    fn texts(original: &[u8], changes: &Changes) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
        let (mut stays, mut moved, mut rebuilt) = (Vec::new(), Vec::new(), Vec::new());
        for stretch in changes.stretches(original.len() as u64) {
            let to = if stretch.moved.is_some() { &mut moved } else { &mut stays };
            let mut at = stretch.start as usize;
            for edit in &changes.edits[stretch.edits] {
                let same = &original[at..edit.start as usize];
                assert_eq!(&original[edit.start as usize..edit.end() as usize], &*edit.old);
                to.extend([same, &edit.new].concat());
                rebuilt.extend([same, &edit.old].concat());
                at = edit.end() as usize;
            }
            to.extend(&original[at..stretch.end as usize]);
            rebuilt.extend(&original[at..stretch.end as usize]);
        }
        (stays, moved, rebuilt)
    }

    fn moved(start: u64, end: u64) -> Moved {
        let (to, records) = (Destination::Aside, Vec::new());
        Moved { start, end, movetext: 0, to, records, why: None, has_blank: false, games: 1 }
    }

    #[test]
    fn changes_of_several_rounds_are_traced_back() {
        let (mut edited, mut moved_out, mut unedited) = (0, 0, 0);
        for seed in 0..4000 {
            let mut dice = Dice(seed);
            let original: Vec<u8> = (0..dice.below(40)).map(|at| b'a' + at as u8 % 26).collect();
            let mut changes = Changes::default();
            let mut stays = original.clone();
            for _ in 0..4 {
                let (mut at, mut expected, mut edits, mut records) = (0, Vec::new(), Vec::new(), Vec::new());
                let moves = dice.below(2) == 0;
                while at < stays.len() {
                    let same = dice.below(8).min(stays.len() - at);
                    expected.extend(&stays[at..at + same]);
                    at += same;
                    let length = dice.below(4).min(stays.len() - at);
                    let (start, end) = (at as u64, (at + length) as u64);
                    if moves && length > 0 {
                        records.push(moved(start, end));
                    } else if !moves {
                        let new: Vec<u8> = (0..dice.below(4)).map(|_| b'A' + dice.below(26) as u8).collect();
                        let old = stays[at..at + length].into();
                        expected.extend(&new);
                        let is_next = edits.last().is_some_and(|edit: &Edit| edit.start == start);
                        let is_before = length == 0 && at > 0 && !is_next && dice.below(2) == 0;
                        edits.push(Edit { start, old, new: new.into(), is_before, reasons: Vec::new() });
                        // Two edits do not touch each other, unless they have an order.
                        let is_next = is_before && dice.below(2) == 0;
                        let apart = usize::from(!is_next).min(stays.len() - at - length);
                        expected.extend(&stays[at + length..at + length + apart]);
                        at += apart;
                    }
                    at += length;
                }
                let length = original.len() as u64;
                if moves {
                    let (wanted, before) = (records.len(), changes.moved.len());
                    let left = changes.move_out(records, length);
                    assert!(changes.moved.len() - before + left as usize >= wanted);
                    moved_out += changes.moved.len() - before;
                    if left > 0 {
                        expected = texts(&original, &changes).0;
                    }
                } else {
                    edited += edits.len();
                    let all = edits.len();
                    let can_edit = changes.can_edit(length);
                    edits.retain(&can_edit);
                    let left = all - edits.len();
                    changes.edit(edits, length);
                    if left > 0 {
                        expected = texts(&original, &changes).0;
                    }
                }
                if dice.below(4) == 0 && !original.is_empty() {
                    let start = dice.below(original.len());
                    let end = start + 1 + dice.below((original.len() - start).min(6));
                    changes.move_out_unedited(vec![moved(start as u64, end as u64)]);
                    let is_moved = |place| changes.moved.iter().any(|moved| moved.start <= place && place < moved.end);
                    assert!((start..end).all(|place| is_moved(place as u64)), "{seed}: {changes:?}");
                    unedited += 1;
                    expected = texts(&original, &changes).0;
                }
                let (now, _, rebuilt) = texts(&original, &changes);
                assert_eq!(rebuilt, original, "{seed}: {changes:?}");
                // Bytes that were inserted between two records go with one of them.
                let shown = |text: &[u8]| -> String {
                    text.iter().filter(|byte| !moves || byte.is_ascii_lowercase()).map(|byte| char::from(*byte)).collect()
                };
                assert_eq!(shown(&now), shown(&expected), "{seed}: {changes:?}");
                stays = now;
            }
        }
        assert!(edited > 1000 && moved_out > 1000 && unedited > 1000, "{edited} {moved_out} {unedited}");
    }
}
