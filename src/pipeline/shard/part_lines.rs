//! The lines of a part, in JSON: what a shard has read.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::PieceRange;
use crate::{
    corpus::Skipped,
    pipeline::{
        CertifiedPosition,
        audited_part::{Around, Collected, ReadPart},
        emit::InputDescription,
        input_piece::PieceRead,
        once_per_input::Folded,
    },
    rules::Finding,
};

/// Maximum length of a line of a part, with its line break. Each line is kept in memory.
///
/// The longest line is that of a finding with the most patches, 10,000: a test measures 584,123
/// bytes. Texts of findings, excerpts, names and values of rules are far shorter, whatever the
/// record contains. So this leaves room for 28 times as much, and is also the maximum of a row of a
/// report.
pub(super) const MAX_LINE: u64 = 16 << 20;

/// How a shard ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// What was read of a piece; `None` for whole inputs, or if the input cannot be read at all.
    pub(in crate::pipeline) piece: Option<PieceRead>,
    /// An input that could not be read at all or that changed, and why. Another attempt may
    /// succeed.
    pub unread: Option<String>,
    /// What the lines of the part contain.
    pub(in crate::pipeline) totals: Totals,
}

/// A line of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// An input begins.
    Input(Box<InputLine>),
    /// What was read of it. The next lines belong to that.
    Read(Box<ReadPart>),
    /// A finding that is reported once per input, and its count.
    Repeated(Box<(Finding, Around, u64)>),
    /// A finding.
    Finding(Box<(Finding, Around)>),
    /// A finding that is counted on the line of another one.
    Folded(Folded),
    /// The card of a game, in base64.
    Card(String),
    /// What is proven about a position.
    Certified(Box<CertifiedPosition>),
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

/// An input, and what of it was read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct InputLine {
    #[serde(flatten)]
    pub about: InputDescription,
    /// The size of its file, or of the archive that contains it; `None` if that was not read.
    pub size: Option<u64>,
    /// The piece, if it is not the whole input.
    pub range: Option<PieceRange>,
}

/// Writes the lines of a part.
pub(super) struct LineWriter<'a> {
    to: &'a mut dyn Write,
    buffer: Vec<u8>,
    counter: Counter,
}

impl<'a> LineWriter<'a> {
    pub fn new(to: &'a mut dyn Write) -> LineWriter<'a> {
        LineWriter { to, buffer: Vec::new(), counter: Counter::default() }
    }

    /// Writes a line.
    pub fn write(&mut self, line: &Line) -> io::Result<()> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, line)?;
        self.buffer.push(b'\n');
        if self.buffer.len() as u64 > MAX_LINE {
            let message = "a line of the part would be too long; please report this as a bug";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        self.counter.add(&line.fact(), &self.buffer);
        self.to.write_all(&self.buffer)
    }

    /// What was written.
    pub fn totals(self) -> Totals {
        self.counter.totals()
    }
}

/// What the lines of a part contain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::pipeline) struct Totals {
    pub(super) lines: u64,
    /// Inputs, members of archives included.
    pub(super) inputs: u64,
    /// Bytes of text.
    pub(super) bytes: u64,
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) findings: u64,
    /// Findings that are reported once per input.
    pub(super) repeated: u64,
    /// Cards of games.
    #[serde(default)]
    pub(super) cards: u64,
    /// Certificates of positions.
    #[serde(default)]
    pub(super) certified: u64,
    /// Values that rules about whole inputs have collected.
    pub(super) collected: u64,
    pub(super) failures: u64,
    /// The XXH3 digest (64 bits) of all lines, in hexadecimal.
    pub(super) xxh3: String,
}

/// Counts the lines of a part, and computes their digest.
#[derive(Default)]
pub(super) struct Counter {
    totals: Totals,
    hasher: Box<Xxh3>,
}

impl Counter {
    /// Adds a line. `text` ends with its line break.
    pub fn add(&mut self, fact: &Fact<'_>, text: &[u8]) {
        let totals = &mut self.totals;
        totals.lines += 1;
        match fact {
            Fact::Input(_) => totals.inputs += 1,
            Fact::Read(read) => {
                totals.bytes = totals.bytes.saturating_add(read.counts.bytes);
                totals.games = totals.games.saturating_add(read.counts.games);
                totals.positions = totals.positions.saturating_add(read.counts.positions);
            }
            Fact::Finding => totals.findings += 1,
            Fact::Repeated => totals.repeated += 1,
            Fact::Card => totals.cards += 1,
            Fact::Certified => totals.certified += 1,
            Fact::Collected => totals.collected += 1,
            Fact::Failure => totals.failures += 1,
            Fact::Folded | Fact::NotChess | Fact::Close | Fact::Skipped => {}
        }
        self.hasher.update(text);
    }

    /// The number of lines so far.
    pub const fn lines(&self) -> u64 {
        self.totals.lines
    }

    /// What was counted.
    pub fn totals(self) -> Totals {
        Totals { xxh3: format!("{:016x}", self.hasher.digest()), ..self.totals }
    }
}

/// What a line says, as far as it is compared with the plan.
#[derive(Debug)]
pub(super) enum Fact<'l> {
    Input(&'l InputLine),
    Read(&'l ReadPart),
    Repeated,
    Finding,
    Folded,
    Card,
    Certified,
    Collected,
    /// A failure, or a change of the input.
    Failure,
    /// The input is not chess or not text.
    NotChess,
    Close,
    Skipped,
}

impl Line {
    pub fn fact(&self) -> Fact<'_> {
        match self {
            Line::Input(input) => Fact::Input(input),
            Line::Read(read) => Fact::Read(read),
            Line::Repeated(_) => Fact::Repeated,
            Line::Finding(_) => Fact::Finding,
            Line::Folded(_) => Fact::Folded,
            Line::Card(_) => Fact::Card,
            Line::Certified(_) => Fact::Certified,
            Line::Collected(_) => Fact::Collected,
            Line::Failure { .. } | Line::Changed { .. } => Fact::Failure,
            Line::NotChess(_) | Line::Foreign(_) => Fact::NotChess,
            Line::Close => Fact::Close,
            Line::Skipped(_) => Fact::Skipped,
        }
    }
}
