//! Aggregates: what a rule about a whole input collects from its records.
//!
//! An aggregate belongs to one part of an input and notes its records in order. Aggregates of
//! consecutive parts are merged, and that of the whole input reports. The pipeline does not know
//! which rules aggregates belong to.

use std::{any::Any, fmt, io};

use super::{Finding, facts::NamedPosition};
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

/// What precedes a part of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// Line breaks before the part.
    pub lines: u64,
    /// Records before the part.
    pub records: u64,
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

/// What a rule about a whole input collects.
pub trait Aggregate: fmt::Debug + Send {
    /// Notes the next record of this part.
    fn note(&mut self, record: &mut NotedRecord<'_>);

    /// Adds what the next part has collected; `offset` is what precedes that part. `next` is an
    /// aggregate of the same rule.
    ///
    /// # Errors
    /// If a temporary file cannot be read or written.
    fn merge(&mut self, next: Box<dyn Aggregate>, offset: Offset) -> io::Result<()>;

    /// Reports what the whole input shows, in the order of places.
    ///
    /// # Errors
    /// If a temporary file cannot be read or written, or `take` fails.
    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()>;

    /// The aggregate as a value of its own type, for [`Aggregate::merge`].
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// Makes an empty aggregate.
pub type NewAggregate = fn() -> Box<dyn Aggregate>;

/// The aggregate `next` as one of type `A`.
///
/// # Errors
/// If it belongs to another rule.
pub(super) fn same_rule<A: 'static>(next: Box<dyn Aggregate>) -> io::Result<A> {
    next.into_any().downcast().map(|next| *next).map_err(|_| io::Error::other("aggregates of different rules cannot be merged"))
}
