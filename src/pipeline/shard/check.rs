//! Compares a part with the plan: whether its lines are about the inputs of its shard, all of them
//! and nothing else, and whether they are what its end says.

use std::{
    fmt,
    io::{self, BufRead, Read as _},
};

use serde::{Deserialize, de::IgnoredAny};

use super::{
    Piece, Shard,
    part_lines::{Counter, Fact, InputLine, MAX_LINE, PartEnd, Totals},
};
use crate::{
    pipeline::{audited_part::ReadPart, input_piece::PieceRead},
    text::wording::{quantity, thousands},
};

/// The part of a shard, to be merged.
pub struct Part<'p> {
    /// What the shard has read.
    pub lines: Box<dyn BufRead + 'p>,
    /// How it ended.
    pub end: PartEnd,
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("end", &self.end).finish_non_exhaustive()
    }
}

impl Part<'_> {
    /// Compares the part with the plan of its shard: whether it contains all that the shard was to
    /// read, nothing else, and what its end says. Reads all lines.
    pub fn check(mut self, shard: &Shard) -> Result<(), PartFault> {
        let mut check = PartCheck::of(shard);
        let mut text = Vec::new();
        for number in 1.. {
            if !read_line(&mut self.lines, &mut text, number)? {
                break;
            }
            let line: Outline =
                serde_json::from_slice(&text).map_err(|error| PartFault::Line { line: number, reason: error.to_string() })?;
            check.line(&line.fact(), &text)?;
        }
        check.finish(&self.end)
    }
}

/// Why a part is not what the plan asks for, or not what its end says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartFault {
    /// A line cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A line is too long to be kept in memory.
    #[error("line {line} has more than {} MiB, the maximum of a line of a part", MAX_LINE >> 20)]
    LongLine {
        /// The line, from 1.
        line: u64,
    },
    /// An input of the shard is missing.
    #[error("`{0}` is missing, although the plan gives it to this shard")]
    Missing(String),
    /// An input is there twice.
    #[error("`{0}` is there twice")]
    Twice(String),
    /// An input belongs to another shard, or to none.
    #[error("it contains `{0}`, which the plan does not give to this shard")]
    NotPlanned(String),
    /// Another piece of the input belongs to the shard.
    #[error("it contains another piece of `{0}` than the plan gives to this shard")]
    OtherPiece(String),
    /// The input had another size than in the plan.
    #[error("it says that `{input}` had {}, but the plan says {}", quantity(*.found, "byte", "bytes"), quantity(*.planned, "byte", "bytes"))]
    Size {
        /// The input.
        input: String,
        /// The size in the part.
        found: u64,
        /// The size in the plan.
        planned: u64,
    },
    /// Nothing was read of an input, and no failure says why.
    #[error("it does not say what was read of `{0}`, nor why it was not read")]
    NotRead(String),
    /// The end of a piece is impossible.
    #[error("its manifest says that its piece of `{input}` {reason}")]
    End {
        /// The input.
        input: String,
        /// What is impossible.
        reason: &'static str,
    },
    /// A number in the end of the part differs from that of its lines.
    #[error("the number of {what} in its lines is {}, but its manifest says {}", thousands(*found), thousands(*expected))]
    Total {
        /// What was counted.
        what: &'static str,
        /// The number in the lines.
        found: u64,
        /// The number in the end.
        expected: u64,
    },
    /// The lines have another digest than the end says.
    #[error("its lines have another digest than its manifest says")]
    Digest,
    /// The lines cannot be read.
    #[error("cannot read its lines: {0}")]
    Unreadable(String),
}

impl From<PartFault> for io::Error {
    fn from(fault: PartFault) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, fault)
    }
}

/// The numbers in the end of a part, by what they count.
fn numbers(totals: &Totals) -> [(&'static str, u64); 9] {
    [
        ("inputs", totals.inputs),
        ("bytes", totals.bytes),
        ("games", totals.games),
        ("positions", totals.positions),
        ("findings", totals.findings),
        ("repeated findings", totals.repeated),
        ("collected values", totals.collected),
        ("failures", totals.failures),
        ("lines", totals.lines),
    ]
}

/// Compares what was counted with what the end of the part says.
fn compare(found: &Totals, end: &Totals) -> Result<(), PartFault> {
    for ((what, found), (_, expected)) in numbers(found).into_iter().zip(numbers(end)) {
        if found != expected {
            return Err(PartFault::Total { what, found, expected });
        }
    }
    if found.xxh3 == end.xxh3 { Ok(()) } else { Err(PartFault::Digest) }
}

/// A line, without what is not compared with the plan. To read only that takes a fraction of the
/// time.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outline {
    Input(Box<InputLine>),
    Read(Box<ReadPart>),
    Repeated(IgnoredAny),
    Finding(IgnoredAny),
    Folded(IgnoredAny),
    Card(IgnoredAny),
    Certified(IgnoredAny),
    Collected(IgnoredAny),
    Failure(IgnoredAny),
    Changed(IgnoredAny),
    NotChess(IgnoredAny),
    Foreign(IgnoredAny),
    Close,
    Skipped(IgnoredAny),
}

impl Outline {
    fn fact(&self) -> Fact<'_> {
        match self {
            Outline::Input(input) => Fact::Input(input),
            Outline::Read(read) => Fact::Read(read),
            Outline::Repeated(_) => Fact::Repeated,
            Outline::Finding(_) => Fact::Finding,
            Outline::Folded(_) => Fact::Folded,
            Outline::Card(_) => Fact::Card,
            Outline::Certified(_) => Fact::Certified,
            Outline::Collected(_) => Fact::Collected,
            Outline::Failure(_) | Outline::Changed(_) => Fact::Failure,
            Outline::NotChess(_) | Outline::Foreign(_) => Fact::NotChess,
            Outline::Close => Fact::Close,
            Outline::Skipped(_) => Fact::Skipped,
        }
    }
}

/// The inputs of a shard in the order of the plan, while those of a part come.
#[derive(Debug)]
pub(super) struct Planned<'s> {
    shard: &'s Shard,
    /// The planned input to which the last one belongs.
    at: Option<usize>,
}

impl<'s> Planned<'s> {
    pub const fn of(shard: &'s Shard) -> Planned<'s> {
        Planned { shard, at: None }
    }

    fn name(&self, index: usize) -> Option<&'s str> {
        match self.shard {
            Shard::Inputs(inputs) => inputs.get(index).map(|planned| planned.input.name.as_str()),
            Shard::Piece(piece) => (index == 0).then_some(piece.input.name.as_str()),
        }
    }

    /// The index of the planned input that `name` is, or of the archive that contains it. Inputs
    /// come in the order of the plan.
    pub fn next(&mut self, name: &str) -> Result<usize, PartFault> {
        let is_whole = matches!(self.shard, Shard::Inputs(_));
        let is_it = |planned: &str| {
            planned == name || (is_whole && name.strip_prefix(planned).is_some_and(|member| member.starts_with('/')))
        };
        let next = self.at.map_or(0, |at| at + 1);
        if self.name(next).is_some_and(is_it) {
            self.at = Some(next);
            return Ok(next);
        }
        let is_member = |at: &usize| self.name(*at).is_some_and(|planned| planned != name && is_it(planned));
        if let Some(at) = self.at.filter(is_member) {
            return Ok(at);
        }
        let mut others = (0..).map_while(|index| self.name(index).map(|planned| (index, planned)));
        Err(match others.find(|(_, planned)| is_it(planned)) {
            None => PartFault::NotPlanned(name.to_owned()),
            Some((index, _)) if index < next => PartFault::Twice(name.to_owned()),
            Some(_) => PartFault::Missing(self.name(next).unwrap_or(name).to_owned()),
        })
    }

    /// The first planned input that did not come.
    fn missing(&self) -> Option<&'s str> {
        self.name(self.at.map_or(0, |at| at + 1))
    }
}

/// An input of which lines come.
#[derive(Debug)]
struct Current {
    name: String,
    /// Whether its size is unknown although the plan has one, so that a failure must say why.
    must_fail: bool,
    has_failed: bool,
    is_chess: bool,
    /// Where the text of a piece begins, and its length.
    read: Option<(u64, u64)>,
}

/// A part while its lines are compared with the plan.
pub(super) struct PartCheck<'s> {
    planned: Planned<'s>,
    counter: Counter,
    current: Option<Current>,
    /// The last input that was closed.
    last: Option<Current>,
}

impl<'s> PartCheck<'s> {
    /// A part of this shard.
    pub fn of(shard: &'s Shard) -> PartCheck<'s> {
        PartCheck { planned: Planned::of(shard), counter: Counter::default(), current: None, last: None }
    }

    /// Compares a line with the plan. `text` ends with its line break.
    pub fn line(&mut self, fact: &Fact<'_>, text: &[u8]) -> Result<(), PartFault> {
        self.counter.add(fact, text);
        let line = self.counter.lines();
        let misplaced = || PartFault::Line { line, reason: "it is in the wrong place".to_owned() };
        match (fact, &mut self.current) {
            (Fact::Input(input), None) => self.current = Some(self.input(input)?),
            (Fact::Read(read), Some(_)) if !read.is_possible() => {
                return Err(PartFault::Line { line, reason: "the counts are impossible".to_owned() });
            }
            (Fact::Read(read), Some(current)) if current.read.is_none() => current.read = Some((read.start, read.counts.bytes)),
            (Fact::Repeated | Fact::Finding | Fact::Folded | Fact::Card | Fact::Certified | Fact::Collected, Some(current))
                if current.read.is_some() => {}
            (Fact::Failure, Some(current)) => current.has_failed = true,
            (Fact::NotChess, Some(current)) => current.is_chess = false,
            (Fact::Close, Some(_)) => {
                let Some(current) = self.current.take() else { return Err(misplaced()) };
                if current.must_fail && !current.has_failed {
                    return Err(PartFault::NotRead(current.name));
                }
                self.last = Some(current);
            }
            (Fact::Skipped, None) => {}
            _ => return Err(misplaced()),
        }
        Ok(())
    }

    fn input(&mut self, line: &InputLine) -> Result<Current, PartFault> {
        let InputLine { about, size, range } = line;
        let name = about.name.clone();
        let index = self.planned.next(&name)?;
        let planned = match self.planned.shard {
            Shard::Inputs(_) if range.is_some() => return Err(PartFault::OtherPiece(name)),
            Shard::Piece(piece) if *range != Some(piece.range) => return Err(PartFault::OtherPiece(name)),
            Shard::Inputs(inputs) => inputs.get(index).and_then(|input| input.size),
            Shard::Piece(piece) => Some(piece.size),
        };
        match (planned, *size) {
            (Some(planned), Some(found)) if found != planned => Err(PartFault::Size { input: name, found, planned }),
            _ => {
                let must_fail = planned.is_some() && size.is_none();
                Ok(Current { name, must_fail, has_failed: false, is_chess: true, read: None })
            }
        }
    }

    /// Compares the whole part with the plan, and with its end.
    pub fn finish(self, end: &PartEnd) -> Result<(), PartFault> {
        if let Some(name) = self.planned.missing() {
            return Err(PartFault::Missing(name.to_owned()));
        }
        if self.current.is_some() {
            let line = self.counter.lines() + 1;
            return Err(PartFault::Line { line, reason: "the end is missing".to_owned() });
        }
        if let (Shard::Piece(piece), Some(last)) = (self.planned.shard, &self.last) {
            check_end(piece, end.piece.as_ref(), last)?;
        }
        compare(&self.counter.totals(), &end.totals)
    }
}

/// Checks that the end of a piece is possible, and fits its lines.
fn check_end(piece: &Piece, read: Option<&PieceRead>, lines: &Current) -> Result<(), PartFault> {
    let wrong = |reason| Err(PartFault::End { input: piece.input.name.clone(), reason });
    let Some(read) = read else {
        let is_explained = lines.has_failed || !lines.is_chess;
        return if is_explained { Ok(()) } else { wrong("was not read, although no failure says why") };
    };
    if lines.must_fail {
        return wrong("was read, although its lines say that it was not");
    }
    // Nothing is certain after a failure.
    if lines.has_failed || read.failure.is_some() {
        return Ok(());
    }
    let (begin, bytes) = lines.read.unwrap_or((piece.base(), 0));
    let length = read.next.saturating_sub(read.start.unwrap_or(read.next));
    if length != bytes {
        return wrong("has another length than its lines");
    }
    if lines.read.is_some() && read.start.map(|start| piece.base().saturating_add(start)) != Some(begin) {
        return wrong("begins elsewhere than its lines");
    }
    // How long the text of a compressed piece is, and whether it is really cut there, only its
    // neighbours show.
    if piece.packing.is_none() {
        if read.target.is_some() != piece.range.to.is_some() {
            return wrong("ends elsewhere than in the plan");
        }
        if read.length != piece.range.to.unwrap_or(piece.size).saturating_sub(piece.range.from) {
            return wrong("has another length than in the plan");
        }
    }
    Ok(())
}

/// Reads the next line into `line`, with its line break. Returns whether there is one.
pub(super) fn read_line(part: &mut dyn BufRead, line: &mut Vec<u8>, number: u64) -> Result<bool, PartFault> {
    line.clear();
    part.take(MAX_LINE + 1).read_until(b'\n', line).map_err(|error| PartFault::Unreadable(error.to_string()))?;
    match line.last() {
        None => Ok(false),
        Some(b'\n') if line.len() as u64 <= MAX_LINE => Ok(true),
        _ if line.len() as u64 > MAX_LINE => Err(PartFault::LongLine { line: number }),
        _ => Err(PartFault::Line { line: number, reason: "it is truncated".to_owned() }),
    }
}
