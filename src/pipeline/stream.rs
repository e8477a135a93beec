//! A stream, and its windows that are checked in parallel.

use std::{
    io::{self, Read},
    ops::Range,
};

use super::{chunk::guess, guard::guarded};
use crate::{
    corpus::{Bytes, StreamBuffer},
    record::Window,
    table::Table,
    text::Format,
};

/// Maximum number of bytes read beyond a chunk, for the end of its last record. It is at most the
/// size of a chunk.
const LOOKAHEAD: usize = 1 << 16;

/// Number of times a window may double until a record seems to begin at its end.
const MAX_DOUBLINGS: usize = 2;

/// Number of bytes kept before a chunk, as context for its first record: a blank line, or a header.
const CONTEXT: usize = 4096;

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
    pub format: Format,
    pub table: Option<Table>,
    /// Whether it comes from an archive.
    pub unpacked: bool,
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
    /// Whether a record seems to begin at the end of the range, so that later windows can be checked
    /// meanwhile.
    pub ends_at_record: bool,
    complete: bool,
}

impl StreamWindow {
    pub fn text(&self) -> &[u8] {
        self.bytes.get(self.from..).unwrap_or_default()
    }

    pub fn window(&self) -> Window<'_> {
        Window { text: self.text(), base: self.base, line_start: self.line_start, complete: self.complete }
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
        (format, table): (Format, Option<Table>),
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
            format,
            table,
            unpacked,
        }
    }

    pub fn has_more(&self) -> bool {
        !self.ended || self.start < self.buffer.text().len()
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
            match guarded("the text from here on", || guess(self.buffer.text(), from..to, self.format)) {
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

    /// Goes back to the start of `window` for a longer one, of at most `max_window` bytes. `later` are
    /// the windows after it.
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
            self.fail(error);
        }
    }
}
