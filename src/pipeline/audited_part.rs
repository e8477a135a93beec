//! A part of an input that was audited elsewhere, ready to be reported: nothing needs its text any
//! more.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CertifiedPosition;
use crate::{
    record::{Counts, Evidence, Excerpt, PackedPortrait},
    rules::{Code, Finding, aggregate::Offset},
    spill::Queue,
    text::Format,
};

/// The text around a finding, if it may become an example.
pub(super) type Around = Option<Box<Excerpt>>;

/// Maximum number of findings of a part, and of values collected from it, in memory.
const MAX_IN_MEMORY: usize = 4096;

/// A part of an input. Lines and records are counted from its start.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The first byte of the part.
    pub start: u64,
    /// What was read.
    pub counts: Counts,
    /// Its games by their properties, if they are counted.
    pub portrait: PackedPortrait,
    /// Number of line breaks.
    pub lines: u64,
    /// What the records show about their input.
    pub evidence: Evidence,
    /// Findings that are reported once per input, and groups of findings that may be.
    pub repeated: Queue<(Finding, Around, u64)>,
    /// Findings in the order of their places.
    pub findings: Queue<(Finding, Around)>,
    /// The cards of games, if they are kept, each in base64.
    pub cards: Queue<String>,
    /// What is proven about its positions, if that is asked for.
    pub certified: Queue<CertifiedPosition>,
    /// The rules that collect something from the whole input.
    pub collecting: Vec<Code>,
    /// What they have collected.
    pub collected: Queue<Collected>,
}

impl Default for Prepared {
    fn default() -> Prepared {
        Prepared {
            start: 0,
            counts: Counts::default(),
            portrait: PackedPortrait::default(),
            lines: 0,
            evidence: Evidence::default(),
            repeated: Queue::with_limit(MAX_IN_MEMORY),
            findings: Queue::with_limit(MAX_IN_MEMORY),
            cards: Queue::with_limit(MAX_IN_MEMORY),
            certified: Queue::with_limit(MAX_IN_MEMORY),
            collecting: Vec::new(),
            collected: Queue::with_limit(MAX_IN_MEMORY),
        }
    }
}

/// An input of which parts were audited elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedInput {
    /// Its name in reports.
    pub name: String,
    /// The format in which it was read, if it can be read.
    pub format: Option<Format>,
    /// Whether it was found by a search.
    pub scanned: bool,
    /// Whether it is reported as not chess if it contains none.
    pub may_lack_chess: bool,
    /// Whether its text was converted from UTF-16.
    pub is_converted: bool,
}

/// Something that a rule about whole inputs has collected.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Collected {
    /// The rule.
    pub rule: Code,
    /// What precedes the records from which it was collected, within the part.
    pub offset: Offset,
    /// What was collected.
    pub value: Value,
}
