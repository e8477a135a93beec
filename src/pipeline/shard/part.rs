//! Reports the parts of shards.

use std::io;

use super::{
    Shard,
    check::{Part, PartCheck, PartFault, read_line},
    part_lines::Line,
};
use crate::pipeline::{
    audited_part::Prepared,
    emit::{Collector, Emitter, OpenInput},
};

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

/// The stage of a failure.
fn stage(name: &str) -> io::Result<&'static str> {
    let known = ["open", "read", "recognise", "rule", "oracle", "report"].into_iter().find(|known| *known == name);
    known.ok_or_else(|| invalid(format!("`{name}` is not a stage of an audit")))
}

/// Reads a part, compares it with the plan, and reports what it contains.
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
    pub fn inputs(&mut self, shard: &Shard, part: &mut Part<'_>) -> io::Result<()> {
        self.lines(shard, part, 0, true)
    }

    /// Reports a part of a piece whose places move by `bytes`. The input stays open.
    pub fn piece(&mut self, shard: &Shard, part: &mut Part<'_>, bytes: i64) -> io::Result<()> {
        self.lines(shard, part, bytes, false)
    }

    /// Closes the input that is open.
    pub fn close(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some(open) => self.emitter.close(open),
            None => Ok(()),
        }
    }

    fn lines(&mut self, shard: &Shard, part: &mut Part<'_>, bytes: i64, closes: bool) -> io::Result<()> {
        let mut check = PartCheck::of(shard);
        let mut text = Vec::new();
        for number in 1.. {
            if !read_line(&mut part.lines, &mut text, number)? {
                break;
            }
            let line: Line =
                serde_json::from_slice(&text).map_err(|error| PartFault::Line { line: number, reason: error.to_string() })?;
            check.line(&line.fact(), &text)?;
            self.line(line, bytes, closes)?;
        }
        if self.prepared.is_some() || (closes && self.open.is_some()) {
            return Err(invalid("the end is missing"));
        }
        Ok(check.finish(&part.end)?)
    }

    fn line(&mut self, line: Line, bytes: i64, closes: bool) -> io::Result<()> {
        let misplaced = || invalid("a line is in the wrong place");
        match (line, &mut self.prepared) {
            (Line::Repeated(repeated), Some(prepared)) => prepared.repeated.push(*repeated),
            (Line::Finding(finding), Some(prepared)) => prepared.findings.push(*finding),
            (Line::Folded(folded), Some(prepared)) => prepared.folded.push(folded),
            (Line::Card(card), Some(prepared)) => prepared.cards.push(card),
            (Line::Certified(position), Some(prepared)) => prepared.certified.push(*position),
            (Line::Collected(collected), Some(prepared)) => prepared.collected.push(collected),
            (Line::Input(input), None) => match &self.open {
                None => {
                    self.open = Some(OpenInput::described(input.about).into());
                    Ok(())
                }
                // The next piece of the input.
                Some(open) if !closes && open.about.name == input.about.name => Ok(()),
                Some(_) => Err(misplaced()),
            },
            (Line::Skipped(skipped), None) => {
                self.emitter.skipped(skipped);
                Ok(())
            }
            (Line::Read(read), None) => {
                self.prepared = Some(Prepared { read: *read, ..Prepared::default() });
                Ok(())
            }
            (
                Line::Repeated(_) | Line::Finding(_) | Line::Folded(_) | Line::Card(_) | Line::Certified(_) | Line::Collected(_),
                None,
            )
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
