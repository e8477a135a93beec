//! The plies of a line. Those before the failing one are often not needed.

use std::{cell::OnceCell, fmt, ops::Index};

use shakmaty::Color;

use crate::chess::WrittenSan;
use crate::text::Span;

/// A ply as written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenPly {
    /// Its place in the text.
    pub place: Span,
    /// What was read of it. `None` if it is not a move in any spelling.
    pub written: Option<WrittenSan>,
    /// The move number indication right before it: the number, and the side that its periods mean,
    /// if there are any.
    pub number: Option<(u32, Option<Color>)>,
}

impl WrittenPly {
    /// The same ply, `by` bytes later.
    pub const fn shifted(self, by: usize) -> WrittenPly {
        WrittenPly { place: self.place.shifted(by), ..self }
    }
}

/// The plies of a line as written. The first ones may be read only when they are asked for.
#[derive(Debug)]
pub struct WrittenPlies<'a> {
    earlier: EarlierPlies<'a>,
    later: &'a [WrittenPly],
}

/// The first plies of a line from the starting position: moves in canonical spelling, and numbers
/// that agree with the board.
pub struct EarlierPlies<'a> {
    count: usize,
    text: &'a [u8],
    read: &'a dyn Fn() -> Vec<WrittenPly>,
    known: OnceCell<Vec<WrittenPly>>,
}

impl fmt::Debug for EarlierPlies<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EarlierPlies").field("count", &self.count).field("known", &self.known).finish_non_exhaustive()
    }
}

impl<'a> EarlierPlies<'a> {
    /// So many plies in a text with nothing else in it but whitespace. `read` reads them.
    pub fn new(count: usize, text: &'a [u8], read: &'a dyn Fn() -> Vec<WrittenPly>) -> EarlierPlies<'a> {
        EarlierPlies { count, text, read, known: OnceCell::new() }
    }

    /// No plies.
    pub fn none() -> EarlierPlies<'static> {
        EarlierPlies::new(0, &[], &Vec::new)
    }

    #[inline]
    fn plies(&self) -> &[WrittenPly] {
        match self.known.get() {
            Some(plies) => plies,
            None => self.read_once(),
        }
    }

    #[cold]
    fn read_once(&self) -> &[WrittenPly] {
        let plies = self.known.get_or_init(self.read);
        debug_assert_eq!(plies.len(), self.count);
        plies
    }
}

impl<'a> WrittenPlies<'a> {
    /// The plies of a line that were all read.
    pub fn of(plies: &'a [WrittenPly]) -> WrittenPlies<'a> {
        WrittenPlies { earlier: EarlierPlies::none(), later: plies }
    }

    /// The plies of a line: the earlier ones, and those after them.
    pub const fn after(earlier: EarlierPlies<'a>, later: &'a [WrittenPly]) -> WrittenPlies<'a> {
        WrittenPlies { earlier, later }
    }

    /// Their number.
    pub const fn count(&self) -> usize {
        self.earlier.count + self.later.len()
    }

    /// The ply at `at`, from 0.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&WrittenPly> {
        match at.checked_sub(self.earlier.count) {
            Some(at) => self.later.get(at),
            None => self.earlier.plies().get(at),
        }
    }

    /// The last ply.
    pub fn last(&self) -> Option<&WrittenPly> {
        self.get(self.count().checked_sub(1)?)
    }

    /// The plies from `at` on, in two parts.
    #[inline]
    pub fn parts_since(&self, at: usize) -> [&[WrittenPly]; 2] {
        let earlier = if at < self.earlier.count { self.earlier.plies().get(at..) } else { None };
        let later = self.later.get(at.saturating_sub(self.earlier.count)..);
        [earlier.unwrap_or_default(), later.unwrap_or_default()]
    }

    /// The plies from `at` on.
    #[inline]
    pub fn since(&self, at: usize) -> impl Iterator<Item = &WrittenPly> {
        let [earlier, later] = self.parts_since(at);
        earlier.iter().chain(later)
    }

    /// The number of earlier plies, whether they were read or not.
    pub const fn earlier_count(&self) -> usize {
        self.earlier.count
    }

    /// The text of the earlier plies.
    pub const fn earlier_text(&self) -> &[u8] {
        self.earlier.text
    }
}

impl Index<usize> for WrittenPlies<'_> {
    type Output = WrittenPly;

    #[inline]
    fn index(&self, at: usize) -> &WrittenPly {
        /// What takes the place of a ply that is not there.
        const NONE: &WrittenPly = &WrittenPly { place: Span::new(0, 0), written: None, number: None };
        self.get(at).unwrap_or(NONE)
    }
}
