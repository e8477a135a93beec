//! Aggregates: what a rule about a whole input collects from its records.
//!
//! An aggregate belongs to one part of an input and notes its records in order. Aggregates of
//! consecutive parts are merged, and that of the whole input reports. What was noted can be saved
//! on one machine and restored on another one. The pipeline does not know what rules collect.

use std::{any::Any, fmt, io};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Code, Finding, facts::NamedPosition};
use crate::text::Span;

/// A record as an aggregate sees it.
pub struct NotedRecord<'a> {
    /// The text in memory; spans are offsets in it.
    pub text: &'a [u8],
    /// The record, without what follows up to the next one.
    pub place: Span,
    /// Where the text begins in the input, in bytes.
    pub base: u64,
    /// Ordinal of the record in this part of the input, from 1.
    pub ordinal: u64,
    /// Whether the record is a game.
    pub is_game: bool,
    /// The position that the record names.
    pub named: Option<NamedPosition>,
    /// The line (in this part of the input) and the column of a place in the record, both from 1.
    /// Call it in the order of places.
    pub locate: &'a mut dyn FnMut(usize) -> (u64, u64),
    /// The label of the record.
    pub label: &'a dyn Fn() -> String,
}

impl fmt::Debug for NotedRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotedRecord").field("place", &self.place).field("ordinal", &self.ordinal).finish_non_exhaustive()
    }
}

impl NotedRecord<'_> {
    /// The bytes of the record.
    pub fn bytes(&self) -> &[u8] {
        self.place.of(self.text)
    }
}

/// The text in which a part was noted.
#[derive(Clone, Copy)]
pub struct NotedText<'a> {
    /// The text in memory.
    pub text: &'a [u8],
    /// Where it begins in the input, in bytes.
    pub base: u64,
}

impl fmt::Debug for NotedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotedText").field("base", &self.base).finish_non_exhaustive()
    }
}

impl<'a> NotedText<'a> {
    /// The bytes from `start` to `end` of the input. Empty if they are not in the text.
    pub fn bytes(&self, start: u64, end: u64) -> &'a [u8] {
        let place = |at: u64| usize::try_from(at.checked_sub(self.base)?).ok();
        let range = place(start).zip(place(end)).and_then(|(start, end)| self.text.get(start..end));
        debug_assert!(range.is_some(), "{start} to {end} are not in the text of the part");
        range.unwrap_or_default()
    }
}

/// What precedes a part of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offset {
    /// Line breaks before the part.
    pub lines: u64,
    /// Records before the part.
    pub records: u64,
}

impl Offset {
    /// What precedes the part after a part with this offset.
    pub const fn plus(self, other: Offset) -> Offset {
        Offset { lines: self.lines.saturating_add(other.lines), records: self.records.saturating_add(other.records) }
    }
}

/// Where a part that was saved belongs: what precedes it, and by how many bytes its places move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// What precedes the part.
    pub offset: Offset,
    /// The number of bytes that places move, possibly backwards.
    pub bytes: i64,
}

impl Shift {
    /// The place of a byte.
    pub const fn byte(self, byte: u64) -> u64 {
        byte.saturating_add_signed(self.bytes)
    }

    /// The place of a span.
    pub fn span(self, span: Span) -> Span {
        let place = |at: usize| usize::try_from(self.byte(at as u64)).unwrap_or(usize::MAX);
        Span::new(place(span.start), place(span.end))
    }

    /// The number of a line.
    pub const fn line(self, line: u64) -> u64 {
        line.saturating_add(self.offset.lines)
    }

    /// The ordinal of a record.
    pub const fn record(self, ordinal: u64) -> u64 {
        ordinal.saturating_add(self.offset.records)
    }
}

/// A finding about a whole input. Its place, line, column and ordinal are those in the input.
#[derive(Clone, Debug)]
pub struct InputFinding {
    /// The finding, complete apart from its fingerprint.
    pub finding: Finding,
    /// A hash of what the finding is about, from which its fingerprint is made.
    pub subject: u64,
}

/// Takes the findings of an aggregate.
pub type Take<'a> = dyn FnMut(InputFinding) -> io::Result<()> + 'a;

/// Takes what an aggregate saves.
pub type Put<'a> = dyn FnMut(Value) -> io::Result<()> + 'a;

/// What a rule about a whole input collects.
pub trait Aggregate: fmt::Debug + Send + Sync {
    /// The rule that it belongs to.
    fn rule(&self) -> Code;

    /// An empty aggregate for another part of the same input.
    fn part(&self) -> Box<dyn Aggregate>;

    /// Notes the next record of this part.
    fn note(&mut self, record: &mut NotedRecord<'_>);

    /// Adds what the next part has collected, which was noted in `text`; `offset` is what precedes
    /// that part. `next` is an aggregate of the same rule. The aggregate that others are added to
    /// has noted nothing itself.
    fn merge(&mut self, next: Box<dyn Aggregate>, text: NotedText<'_>, offset: Offset) -> io::Result<()>;

    /// Whether there may be something to report if this part, to which no other was added, is the
    /// whole input.
    fn may_report_alone(&self) -> bool;

    /// Saves what a part that was not merged has noted in `text`, in the order of places. The same
    /// records are saved in the same way, whatever the parts.
    fn save(self: Box<Self>, text: NotedText<'_>, put: &mut Put<'_>) -> io::Result<()>;

    /// Adds a value that was saved. The aggregate then contains all parts up to and including this
    /// value, as if they had been merged.
    fn restore(&mut self, saved: Value, shift: Shift) -> io::Result<()>;

    /// Reports what the whole input shows, in the order of places.
    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()>;

    /// The aggregate as a value of its own type, for [`Aggregate::merge`].
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// Makes an empty aggregate.
pub type NewAggregate = fn() -> Box<dyn Aggregate>;

/// A value as it is saved.
pub(super) fn saved(value: &impl Serialize) -> io::Result<Value> {
    serde_json::to_value(value).map_err(io::Error::from)
}

/// A value that was saved.
pub(super) fn restored<T: DeserializeOwned>(saved: Value) -> io::Result<T> {
    serde_json::from_value(saved).map_err(io::Error::from)
}

/// The aggregate `next` as one of type `A`.
pub(super) fn same_rule<A: 'static>(next: Box<dyn Aggregate>) -> io::Result<A> {
    next.into_any().downcast().map(|next| *next).map_err(|_| io::Error::other("aggregates of different rules cannot be merged"))
}
