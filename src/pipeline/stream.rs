//! A stream, and its windows that are checked in parallel.

use std::{
    io::{self, Read},
    ops::Range,
};

use memchr::memchr2;

use super::{chunk::guess, line_numbers::line_start, panics::guarded};
use crate::{
    corpus::{Bytes, RangeWatch, StreamBuffer},
    record::Window,
    table::Layout,
};

/// Maximum number of bytes read beyond a chunk, for the end of its last record. It is at most the
/// size of a chunk.
const LOOKAHEAD: usize = 1 << 16;

/// Number of times a window may double until a record seems to begin at its end.
const MAX_DOUBLINGS: usize = 2;

/// Number of bytes kept before a chunk, as context for its first record: a blank line, or a header.
pub(super) const CONTEXT: usize = 4096;

/// Number of bytes in which the first record after a cut is looked for at once.
const SEARCHED_AT_ONCE: usize = 1 << 16;

/// Number of bytes after a cut in which its first record is looked for.
const MAX_SEARCHED: usize = 1 << 20;

/// Number of bytes after a place that decide whether a record seems to begin there.
const AHEAD: usize = 4096;

/// A range of the text that a stream reads from its start on. Its records are those from its own
/// first one up to the first one of the next range.
///
/// The first record of a range is guessed from the text after its cut, never from the text before
/// it. So whoever reads a range and whoever reads the one before it make the same guess.
#[derive(Debug)]
pub(super) struct Piece {
    /// Where the range ends.
    pub end: PieceEnd,
    /// Number of bytes after a cut in which no record is guessed. They are the context of the first
    /// one.
    pub context: usize,
    /// Where the first record of the next range seems to begin, or else where the range ends.
    target: Option<u64>,
}

/// Guesses the first record in `range` of the text after a cut. `line` is the first start of a
/// line, once it was seen. Columns are counted from there.
fn first_in(text: &[u8], range: Range<usize>, line: &mut Option<usize>, layout: Layout) -> Result<Option<usize>, String> {
    let to = range.end.min(text.len());
    if line.is_none() {
        *line = memchr2(b'\n', b'\r', text.get(..to).unwrap_or_default()).map(|line_break| line_break + 1);
    }
    let range = line.map(|line| line.max(range.start)..to).filter(|range| !range.is_empty());
    range.map_or(Ok(None), |range| guarded("the text from here on", || guess(text, range, layout)))
}

/// Guesses the first record after `cut` from the text after the cut, as [`Stream`] does.
pub(super) fn first_after(text: &[u8], cut: usize, context: usize, layout: Layout) -> Result<Option<usize>, String> {
    let text = text.get(cut..).unwrap_or_default();
    let (mut searched, mut line) = (context, None);
    while searched < context.saturating_add(MAX_SEARCHED).min(text.len()) {
        let to = searched + SEARCHED_AT_ONCE;
        let known = text.get(..to + AHEAD).unwrap_or(text);
        if let Some(start) = first_in(known, searched..to, &mut line, layout)? {
            return Ok(Some(cut + start));
        }
        searched = to;
    }
    Ok(None)
}

/// Where a range of a text ends.
#[derive(Debug)]
pub(super) enum PieceEnd {
    /// At this byte.
    At(u64),
    /// At a byte that is known when it was read. The text of the range begins at `base`.
    Seen { watch: RangeWatch, base: u64 },
    /// With the text.
    Never,
}

impl Piece {
    pub const fn new(end: PieceEnd, context: usize) -> Piece {
        Piece { end, context, target: None }
    }

    /// Where the range ends, if that is known.
    pub fn end(&self) -> Option<u64> {
        match &self.end {
            PieceEnd::At(end) => Some(*end),
            PieceEnd::Seen { watch, base } => watch.length().map(|length| base.saturating_add(length)),
            PieceEnd::Never => None,
        }
    }
}

/// A stream that is being read, and its part that is not in a window yet.
pub(super) struct Stream {
    reader: Box<dyn Read + Send>,
    buffer: StreamBuffer,
    /// Start of the buffer in the input.
    base: u64,
    /// Start of the next record in the buffer; the text before it is context.
    start: usize,
    /// Start, in the input, of the line of that record.
    line_start: u64,
    ended: bool,
    /// Minimum size of the next window, if the one before was too short.
    min_window: usize,
    /// Whether a record that is too large goes on at `start`.
    skips: bool,
    /// The error that ends the stream early, and the number of bytes before it.
    pub failure: Option<(io::Error, u64)>,
    /// The first byte at which the auditor failed to guess the start of a record, with the reason.
    /// Nothing is lost: the text is cut there, and the guess is verified like any other.
    pub fault: Option<(u64, String)>,
    /// How its records are laid out.
    pub layout: Layout,
    /// Whether it comes from an archive.
    pub unpacked: bool,
    /// The range whose records are read, if it is not the whole text.
    piece: Option<Piece>,
}

/// A part of a stream, and the records in it to check.
#[derive(Clone)]
pub(super) struct StreamWindow {
    bytes: Bytes,
    /// Start of the window in `bytes`.
    from: usize,
    pub base: u64,
    line_start: u64,
    /// The range in which the records to check begin.
    pub range: Range<usize>,
    /// Whether a record that is too large goes on at the start of the range.
    pub skips: bool,
    /// Whether a record seems to begin at the end of the range, so that later windows can be
    /// checked meanwhile.
    pub ends_at_record: bool,
    complete: bool,
    is_cut: bool,
}

impl StreamWindow {
    pub fn text(&self) -> &[u8] {
        self.bytes.get(self.from..).unwrap_or_default()
    }

    pub fn window(&self) -> Window<'_> {
        let StreamWindow { base, line_start, complete, is_cut, .. } = *self;
        Window { text: self.text(), base, line_start, complete, is_cut }
    }
}

impl Stream {
    /// A stream whose first bytes, `head`, were read already. It may have ended after them, or
    /// failed with `failure`.
    pub fn new(
        reader: Box<dyn Read + Send>,
        head: Vec<u8>,
        ended: bool,
        failure: Option<io::Error>,
        layout: Layout,
        unpacked: bool,
    ) -> Stream {
        let failure = failure.map(|error| (error, head.len() as u64));
        let buffer = StreamBuffer::from(head);
        Stream {
            reader,
            buffer,
            base: 0,
            start: 0,
            line_start: 0,
            ended,
            min_window: 0,
            skips: false,
            failure,
            fault: None,
            layout,
            unpacked,
            piece: None,
        }
    }

    /// A stream of which only a range is read. Its text begins at byte `base` of the input.
    pub fn of_piece(reader: Box<dyn Read + Send>, base: u64, piece: Piece, layout: Layout, unpacked: bool) -> Stream {
        let whole = Stream::new(reader, Vec::new(), false, None, layout, unpacked);
        Stream { base, line_start: base, piece: Some(piece), ..whole }
    }

    pub fn has_more(&mut self) -> bool {
        if self.piece.is_some() && !self.skips && self.target().is_some_and(|target| self.position() >= target) {
            return false;
        }
        !self.ended || self.start < self.buffer.text().len()
    }

    /// The start of the next record in the input.
    pub const fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    /// The start, in the input, of the line of the next record.
    pub const fn line_start(&self) -> u64 {
        self.line_start
    }

    /// The end of the text that was read, in the input.
    pub fn read_end(&self) -> u64 {
        self.base + self.buffer.text().len() as u64
    }

    /// Where the first record of the next range seems to begin, or else where this range ends;
    /// `None` if the text after the range was not read yet.
    pub fn target(&mut self) -> Option<u64> {
        let piece = self.piece.as_ref()?;
        if piece.target.is_some() {
            return piece.target;
        }
        let (end, context) = (piece.end()?, piece.context);
        if end > self.read_end() {
            return None;
        }
        let target = self.guess_after(end, context).map_or(end, |(start, _)| start);
        self.piece.as_mut()?.target = Some(target);
        Some(target)
    }

    /// Guesses the first record after a cut from the text after the cut. Returns its start and that
    /// of its line, or `None` if there is none within the limits.
    fn guess_after(&mut self, cut: u64, context: usize) -> Option<(u64, u64)> {
        let cut_at = usize::try_from(cut.checked_sub(self.base)?).ok()?;
        let mut from = None;
        let mut searched = context;
        let last = context.saturating_add(MAX_SEARCHED);
        loop {
            let to = searched.saturating_add(SEARCHED_AT_ONCE);
            self.fill((cut_at + to + AHEAD).saturating_sub(self.start));
            let text = self.buffer.text().get(cut_at..)?;
            match first_in(text, searched..to, &mut from, self.layout) {
                Ok(Some(start)) => return Some((cut + start as u64, cut + line_start(text, start) as u64)),
                Ok(None) if to >= last || to >= text.len() => return None,
                Ok(None) => searched = to,
                Err(message) => {
                    self.fault.get_or_insert((cut, message));
                    return None;
                }
            }
        }
    }

    /// Goes to the first record of the range that begins here. Returns its start, or `None` if
    /// there is none within the limits.
    pub fn go_to_first(&mut self) -> Option<u64> {
        let context = self.piece.as_ref()?.context;
        let (start, line_start) = self.guess_after(self.position(), context)?;
        self.line_start = line_start;
        self.keep_from(usize::try_from(start - self.base).unwrap_or(usize::MAX));
        Some(start)
    }

    /// Goes to the record at `start`, whose line begins at `line_start`. Returns whether the text
    /// reaches that far.
    pub fn go_to(&mut self, start: u64, line_start: u64) -> bool {
        while self.position() < start {
            let missing = usize::try_from(start - self.position()).unwrap_or(usize::MAX).min(SEARCHED_AT_ONCE);
            self.fill(missing);
            let read = (self.buffer.text().len() - self.start).min(missing);
            if read == 0 {
                return false;
            }
            self.keep_from(self.start + read);
        }
        self.line_start = line_start;
        true
    }

    /// Reads the rest of the range without checking it, until it is known where it ends.
    pub fn pass(&mut self) {
        while self.target().is_none() && !self.ended {
            self.keep_from(self.buffer.text().len());
            self.fill(SEARCHED_AT_ONCE);
        }
    }

    /// Reads until there are `wanted` bytes after the start, or the stream ends.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.text().len() - self.start);
        if self.ended || missing == 0 {
            return;
        }
        match self.buffer.read(&mut self.reader, missing) {
            Ok(read) => self.ended = read < missing,
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: io::Error) {
        self.ended = true;
        self.failure = Some((error, self.base + self.buffer.text().len() as u64));
    }

    /// The next window, of at least `chunk_bytes` if the stream is that long. It grows until a
    /// record seems to begin at its end, within limits.
    pub fn window(&mut self, chunk_bytes: usize) -> StreamWindow {
        let lookahead = chunk_bytes.min(LOOKAHEAD);
        let mut wanted = chunk_bytes.saturating_add(lookahead).max(std::mem::take(&mut self.min_window));
        let most = wanted.saturating_mul(1 << MAX_DOUBLINGS);
        let (end, ends_at_record) = loop {
            self.fill(wanted);
            let length = self.buffer.text().len();
            let from = self.start.saturating_add(chunk_bytes).min(length);
            let to = if self.ended { length } else { length.saturating_sub(lookahead / 2).max(from) };
            match guarded("the text from here on", || guess(self.buffer.text(), from..to, self.layout)) {
                Ok(Some(end)) => break (end, true),
                Ok(None) if self.ended => break (length, true),
                Ok(None) if wanted >= most => break (to, false),
                Ok(None) => wanted = wanted.saturating_mul(2),
                Err(message) => {
                    self.fault.get_or_insert((self.base + from as u64, message));
                    break (to, false);
                }
            }
        };
        // The records of the next range are not read here, unless a record that is too large goes
        // on.
        let target = if self.skips { None } else { self.target() };
        let (end, ends_at_record) = match target.map(|target| usize::try_from(target - self.base).unwrap_or(usize::MAX)) {
            Some(target) if target <= end => (target.max(self.start), true),
            _ => (end, ends_at_record),
        };
        let (bytes, from) = self.buffer.snapshot();
        let window = StreamWindow {
            bytes,
            from,
            base: self.base,
            line_start: self.line_start,
            range: self.start..end,
            skips: std::mem::take(&mut self.skips),
            ends_at_record,
            complete: self.ended,
            is_cut: self.ended && self.failure.is_some(),
        };
        if let Some(line_break) = window.text()[self.start..end].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line_start = self.base + (self.start + line_break + 1) as u64;
        }
        self.keep_from(end);
        window
    }

    /// Drops the text before `start`, except for the context.
    fn keep_from(&mut self, start: usize) {
        let dropped = start.saturating_sub(CONTEXT);
        self.buffer.drop_front(dropped);
        self.base += dropped as u64;
        self.start = start - dropped;
    }

    /// Goes back to the start of `window` for a longer one, of at most `max_window` bytes. `later`
    /// are the windows after it.
    pub fn read_longer(&mut self, window: &StreamWindow, max_window: usize, later: impl Iterator<Item = StreamWindow>) {
        self.min_window = window.text().len().saturating_mul(2).min(max_window);
        self.go_back(window, (window.range.start, window.line_start), window.skips, later);
    }

    /// Goes back into `window`, to a byte and the start of its line in the input. With `skips`, a
    /// record that is too large goes on there. `later` are the windows after `window`.
    pub fn go_back(
        &mut self,
        window: &StreamWindow,
        (start, line_start): (usize, u64),
        skips: bool,
        later: impl Iterator<Item = StreamWindow>,
    ) {
        self.skips = skips;
        let mut buffer = StreamBuffer::default();
        let kept = start.saturating_sub(CONTEXT);
        let base = window.base + kept as u64;
        let mut add = |from: u64, more: &[u8]| {
            let known = (base + buffer.text().len() as u64).saturating_sub(from);
            buffer.append(more.get(usize::try_from(known).unwrap_or(usize::MAX)..).unwrap_or_default())
        };
        let mut added = add(window.base, window.text());
        for window in later {
            added = added.and_then(|()| add(window.base, window.text()));
        }
        added = added.and_then(|()| add(self.base, self.buffer.text()));
        (self.buffer, self.base, self.start, self.line_start) = (buffer, base, start - kept, line_start);
        if let Err(error) = added {
            // The rest of the text begins at that record.
            (self.buffer, self.base, self.start) = (StreamBuffer::default(), self.position(), 0);
            self.fail(error);
        }
    }
}
