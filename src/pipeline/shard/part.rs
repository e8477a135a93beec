//! The part of a shard: what it has read, as lines of JSON.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::{
    corpus::Skipped,
    pipeline::{
        emit::{Collector, Emitter, OpenInput},
        piece::PieceRead,
        prepared::{Around, Collected, Prepared, SavedInput},
    },
    record::{Counts, Evidence},
    rules::{Code, Finding},
};

/// Maximum length of a line of a part. A record has at most 64 MiB, and a line much less than that.
const MAX_LINE: u64 = 256 << 20;

/// How a shard ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// What was read of a piece; `None` for whole inputs, or if the input cannot be read at all.
    pub(in crate::pipeline) piece: Option<PieceRead>,
    /// An input that could not be read at all or that changed, and why. Another attempt may succeed.
    pub unread: Option<String>,
}

/// A line of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// An input begins.
    Input(SavedInput),
    /// What was read of it. The next lines belong to that.
    Read(Box<Read>),
    /// A finding that is reported once per input, and its count.
    Repeated(Box<(Finding, Around, u64)>),
    /// A finding.
    Finding(Box<(Finding, Around)>),
    /// Something that a rule about whole inputs has collected.
    Collected(Collected),
    /// A failure of the auditor.
    Failure { stage: String, byte: Option<u64>, message: String },
    /// The input changed while it was read.
    Changed { byte: Option<u64>, message: String },
    /// The input has no chess.
    NotChess(String),
    /// The input is not text of a kind that can be read.
    Foreign(String),
    /// The input, or the piece of it, ends.
    Close,
    /// Files that were skipped on purpose.
    Skipped(Skipped),
}

/// What was read of an input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Read {
    pub start: u64,
    pub counts: Counts,
    pub lines: u64,
    pub evidence: Evidence,
    pub collecting: Vec<Code>,
}

impl Read {
    /// Whether the sums of many parts can be counted.
    fn is_possible(&self) -> bool {
        const MOST: u64 = 1 << 48;
        let Counts { bytes, games, positions, plies, plies_not_examined, oracles } = self.counts;
        let counts = [bytes, games, positions, plies, plies_not_examined, self.lines, self.start];
        let asked = [oracles.table_positions, oracles.missing_tables, oracles.engine_questions, oracles.unanswered];
        counts.iter().chain(&asked).all(|count| *count < MOST)
    }
}

/// Writes a line.
pub(super) fn write_line(to: &mut dyn Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    to.write_all(b"\n")
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

/// The stage of a failure.
fn stage(name: &str) -> io::Result<&'static str> {
    let known = ["open", "read", "recognise", "rule", "oracle", "report"].into_iter().find(|known| *known == name);
    known.ok_or_else(|| invalid(format!("`{name}` is not a stage of an audit")))
}

/// Reads a part and reports what it contains.
pub(super) struct Reporting<'e, 'a> {
    pub emitter: &'e mut Emitter<'a>,
    /// The input that is being reported.
    pub open: Option<Box<OpenInput>>,
    /// Read, but not reported yet.
    prepared: Option<Prepared>,
}

impl<'e, 'a> Reporting<'e, 'a> {
    /// `open` is the input if earlier pieces of it were reported already.
    pub const fn new(emitter: &'e mut Emitter<'a>, open: Option<Box<OpenInput>>) -> Reporting<'e, 'a> {
        Reporting { emitter, open, prepared: None }
    }

    /// Reports everything in a part of whole inputs.
    pub fn inputs(&mut self, part: &mut dyn BufRead) -> io::Result<()> {
        self.lines(part, 0, true)
    }

    /// Reports a part of a piece whose places move by `bytes`. The input stays open.
    pub fn piece(&mut self, part: &mut dyn BufRead, bytes: i64) -> io::Result<()> {
        self.lines(part, bytes, false)
    }

    /// Closes the input that is open.
    pub fn close(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some(open) => self.emitter.close(open),
            None => Ok(()),
        }
    }

    fn lines(&mut self, part: &mut dyn BufRead, bytes: i64, closes: bool) -> io::Result<()> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let read =
                io::Read::take(&mut *part, MAX_LINE).read_until(b'\n', &mut line).map_err(|error| invalid(error.to_string()))?;
            if read == 0 {
                break;
            }
            let parsed = if line.pop() == Some(b'\n') {
                serde_json::from_slice(&line).map_err(|error| error.to_string())
            } else {
                Err("the line is truncated or too long".to_owned())
            };
            let parsed = parsed.map_err(|error| invalid(format!("line {number}: {error}")))?;
            self.line(parsed, bytes, closes)?;
        }
        if self.prepared.is_some() || (closes && self.open.is_some()) {
            return Err(invalid("the end is missing"));
        }
        Ok(())
    }

    fn line(&mut self, line: Line, bytes: i64, closes: bool) -> io::Result<()> {
        let misplaced = || invalid("a line is in the wrong place");
        match (line, &mut self.prepared) {
            (Line::Repeated(repeated), Some(prepared)) => prepared.repeated.push(*repeated),
            (Line::Finding(finding), Some(prepared)) => prepared.findings.push(*finding),
            (Line::Collected(collected), Some(prepared)) => prepared.collected.push(collected),
            (Line::Input(saved), None) => match &self.open {
                None => {
                    self.open = Some(OpenInput::of_saved(&saved));
                    Ok(())
                }
                // The next piece of the input.
                Some(open) if !closes && open.name == saved.name => Ok(()),
                Some(_) => Err(misplaced()),
            },
            (Line::Skipped(skipped), None) => {
                self.emitter.skipped(skipped);
                Ok(())
            }
            (Line::Read(read), None) if !read.is_possible() => Err(invalid("the counts are impossible")),
            (Line::Read(read), None) => {
                let Read { start, counts, lines, evidence, collecting } = *read;
                self.prepared = Some(Prepared { start, counts, lines, evidence, collecting, ..Prepared::default() });
                Ok(())
            }
            (Line::Repeated(_) | Line::Finding(_) | Line::Collected(_), None)
            | (Line::Input(_) | Line::Skipped(_) | Line::Read(_), Some(_)) => Err(misplaced()),
            (line, _) => {
                let open = self.open.as_mut().ok_or_else(misplaced)?;
                if let Some(prepared) = self.prepared.take() {
                    self.emitter.prepared(open, prepared, bytes)?;
                }
                self.after(line, bytes, closes)
            }
        }
    }

    /// Reports what comes after the findings.
    fn after(&mut self, line: Line, bytes: i64, closes: bool) -> io::Result<()> {
        let Some(open) = self.open.as_mut() else { return Ok(()) };
        let moved = |byte: Option<u64>| byte.map(|byte| byte.saturating_add_signed(bytes));
        match line {
            Line::Failure { stage: name, byte, message } => self.emitter.failure(open, stage(&name)?, moved(byte), message),
            Line::Changed { byte, message } => self.emitter.changed(open, moved(byte), message),
            Line::NotChess(message) => self.emitter.not_chess(open, &message),
            Line::Foreign(kind) => self.emitter.foreign(open, &kind),
            Line::Close if closes => self.close(),
            _ => Ok(()),
        }
    }
}
