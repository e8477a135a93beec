//! One record of an input, found by a line and checked by itself.

use std::io::{self, BufRead};

use memchr::memchr2;

use super::{
    Audit, Sink,
    checks::RunChecks,
    chunk::{Chunk, audit_chunk, guess},
    emit::{Collector, Emitter, OpenInput, findings_about_two},
    line_numbers::line_start,
    open::{Unread, layout_of},
};
use crate::{
    corpus::{HEAD, Input, nuls_before_text, recognise},
    identity::GameCard,
    record::Window,
    rules::Finding,
    table::Layout,
    text::wording::quantity,
};

/// Number of bytes before a line in which the start of its record is guessed. Reading goes on from
/// there, so a wrong guess is made good by the next record.
const CONTEXT: usize = 1 << 16;

/// Maximum number of bytes that are read at once.
const READ_AT_ONCE: usize = 1 << 18;

/// A record, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneRecord {
    /// Its text, without whitespace at the end.
    pub text: Vec<u8>,
    /// Its first byte in the input.
    pub byte: u64,
    /// The line of that byte, from 1.
    pub line: u64,
    /// Whether it is a position on a line of its own.
    pub is_position: bool,
}

/// A record cannot be shown. The name of the input precedes the message.
#[derive(Debug, thiserror::Error)]
pub enum OneRecordError {
    /// The input cannot be opened or read, or a finding could not be given away.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It contains neither games nor positions.
    #[error("{0}")]
    NotChess(String),
    /// It ends before the line.
    #[error("there is no line {wanted}: the input has {}", quantity(*lines, "line", "lines"))]
    NoLine {
        /// The line.
        wanted: u64,
        /// The number of lines.
        lines: u64,
    },
    /// No record contains the line.
    #[error("no game or position is on line {0}")]
    NoRecord(u64),
    /// The record cannot be checked.
    #[error("{0}")]
    NotChecked(String),
}

impl Audit {
    /// What rules about copies find about two games, each with the name of its input.
    pub fn findings_about_two(&self, games: [(&str, &GameCard<'_>); 2]) -> io::Result<Vec<Finding>> {
        findings_about_two(games, &self.settings)
    }

    /// Checks the record that contains a line of an input, counted from 1, and reports its findings
    /// and its game to `sink`. The input is read up to the end of the record. What depends on a
    /// whole input is decided as if the record were one.
    pub fn run_on_record(&self, input: &Input, line: u64, sink: &mut dyn Sink) -> Result<OneRecord, OneRecordError> {
        let mut text = Approach { reader: input.reread(self.settings.map)?.text, ..Approach::default() };
        let layout = self.layout(input, &mut text)?;
        let at = text.go_to_line(line, layout)?;
        let checks = RunChecks::of(&self.settings).of_input(layout);
        let mut chunk = text.next_record(0, |window, start| audit_chunk(window, start..start + 1, false, &checks))?;
        // On the line of the first game inside other text, that text comes before it.
        let is_before = |chunk: &Chunk, kept: &[u8]| {
            let is_enclosed = matches!(layout, Layout::EnclosedGames(_)) && chunk.tally.counts.records() == 0;
            let rest = || kept.get(at..chunk.tally.next).unwrap_or_default();
            chunk.tally.next <= at || (is_enclosed && chunk.tally.next < kept.len() && !rest().contains(&b'\n'))
        };
        while is_before(&chunk, &text.kept) {
            (text.line, text.line_start) = (text.line + chunk.lines, chunk.line_start);
            chunk = text.next_record(chunk.tally.next, |window, start| audit_chunk(window, start..start + 1, false, &checks))?;
        }
        if let Some(failure) = chunk.failures.first() {
            return Err(OneRecordError::NotChecked(failure.message.clone()));
        }
        let whole = text.kept.get(chunk.start..chunk.tally.next).unwrap_or_default().trim_ascii_end();
        // Only blank lines are after the record.
        if chunk.tally.counts.records() == 0 || at >= chunk.start + whole.len() {
            return Err(OneRecordError::NoRecord(line));
        }
        let record = OneRecord {
            text: whole.to_vec(),
            byte: text.base + chunk.start as u64,
            line: text.line + 1,
            is_position: layout == Layout::Positions,
        };
        let mut emitter = Emitter::new(sink, &(), &self.settings);
        let mut opened = OpenInput::named(&input.name, Some(layout.format()));
        opened.read.lines = text.line;
        emitter.chunk(&mut opened, chunk, &text.kept, text.base)?;
        emitter.close(opened.into())?;
        Ok(record)
    }

    /// How the records of the text are laid out.
    fn layout(&self, input: &Input, text: &mut Approach) -> Result<Layout, OneRecordError> {
        while text.kept.len() < HEAD && text.read()? {}
        let nuls = nuls_before_text(&text.kept);
        let rest = text.kept.get(nuls..).unwrap_or_default();
        let head = rest.get(..HEAD).unwrap_or(rest);
        let recognised = recognise(head, &input.name, rest.len() < HEAD, &self.settings.columns).after_nuls(nuls);
        layout_of(input, recognised).map_err(|why| {
            OneRecordError::NotChess(match why {
                Unread::Failed(_, message) => message,
                Unread::Foreign(kind) | Unread::NotChess(kind) => format!("not games or positions, but {kind}"),
            })
        })
    }
}

/// A text that is read up to a line. Only the part before the line is kept in which its record
/// seems to begin.
struct Approach {
    reader: Box<dyn BufRead + Send>,
    kept: Vec<u8>,
    /// Start of the part that is kept, in the input.
    base: u64,
    /// Number of lines before it, and then before the record that is read next.
    line: u64,
    /// Start, in the input, of the line with that record.
    line_start: u64,
    ended: bool,
}

impl Default for Approach {
    fn default() -> Approach {
        Approach { reader: Box::new(io::empty()), kept: Vec::new(), base: 0, line: 0, line_start: 0, ended: false }
    }
}

impl Approach {
    /// Reads on. Returns whether there was more.
    fn read(&mut self) -> io::Result<bool> {
        let more = self.reader.fill_buf()?;
        // A mapped file is a single part.
        let length = more.len().min(READ_AT_ONCE);
        self.kept.extend_from_slice(more.get(..length).unwrap_or(more));
        self.reader.consume(length);
        self.ended = length == 0;
        Ok(!self.ended)
    }

    /// Reads up to a line, from 1, and returns its start in the part that is kept.
    fn go_to_line(&mut self, wanted: u64, layout: Layout) -> Result<usize, OneRecordError> {
        let (mut at, mut line) = (0, 1);
        loop {
            let is_there = line == wanted && at < self.kept.len();
            match next_line(&self.kept, at, self.ended) {
                _ if is_there => return Ok(at),
                Some(next) => (at, line) = (next, line + 1),
                None if self.ended => {
                    let lines = if at < self.kept.len() { line } else { line - 1 };
                    return Err(OneRecordError::NoLine { wanted, lines });
                }
                None => {
                    at -= self.forget(at, line, layout);
                    self.read()?;
                }
            }
        }
    }

    /// Forgets the text before a record that seems to begin well before `at`, the start of a line.
    /// Returns its length.
    fn forget(&mut self, at: usize, line: u64, layout: Layout) -> usize {
        let before = at.saturating_sub(CONTEXT);
        if before == 0 {
            return 0;
        }
        let Some(start) = guess(&self.kept, before..at, layout) else { return 0 };
        let (mut from, mut between) = (start, 0);
        while let Some(next) = next_line(&self.kept, from, true).filter(|next| *next <= at) {
            (from, between) = (next, between + 1);
        }
        self.line = line - 1 - between;
        self.line_start = self.base + line_start(&self.kept, start) as u64;
        self.kept.drain(..start);
        self.base += start as u64;
        start
    }

    /// Reads the record at `start` of the part that is kept, and more text as long as it needs
    /// that.
    fn next_record(&mut self, start: usize, read: impl Fn(Window<'_>, usize) -> Chunk) -> io::Result<Chunk> {
        loop {
            let Approach { ref kept, base, line_start, ended, .. } = *self;
            let chunk = read(Window { text: kept, base, line_start, complete: ended, is_cut: false }, start);
            if !chunk.needs_more {
                return Ok(chunk);
            }
            // Twice as much, so that a long record is not read again and again.
            let wanted = self.kept.len().saturating_mul(2);
            while self.kept.len() < wanted && self.read()? {}
        }
    }
}

/// The start of the line after the one of `at`. `None` if more text is needed, or the text has no
/// line break after `at`.
fn next_line(text: &[u8], at: usize, is_complete: bool) -> Option<usize> {
    let rest = text.get(at..)?;
    let end = memchr2(b'\n', b'\r', rest)?;
    match (rest.get(end), rest.get(end + 1)) {
        (Some(b'\r'), Some(b'\n')) => Some(at + end + 2),
        (Some(b'\r'), None) if !is_complete => None,
        _ => Some(at + end + 1),
    }
}
