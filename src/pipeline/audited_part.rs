//! A part of an input that was audited elsewhere, ready to be reported: nothing needs its text any
//! more.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CertifiedPosition, once_per_input::Folded};
use crate::{
    record::{CertificateCounts, Consequences, Counts, Evidence, Excerpt, PackedPortrait},
    rules::{Code, Finding, aggregate::Offset},
    spill::Queue,
};

/// The text around a finding, if it may become an example.
pub(super) type Around = Option<Box<Excerpt>>;

/// Maximum number of findings of a part, and of values collected from it, in memory.
const MAX_IN_MEMORY: usize = 4096;

/// What was read of a part of an input.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ReadPart {
    /// The first byte of the part.
    pub start: u64,
    /// What was read.
    pub counts: Counts,
    /// Its games by their properties, if they are counted.
    #[serde(default, skip_serializing_if = "PackedPortrait::is_empty")]
    pub portrait: PackedPortrait,
    /// Number of line breaks.
    pub lines: u64,
    /// What the records show about their input.
    pub evidence: Evidence,
    /// The rules that collect something from the whole input.
    pub collecting: Vec<Code>,
}

impl ReadPart {
    /// Whether the sums of many parts can be counted.
    pub fn is_possible(&self) -> bool {
        const MOST: u64 = 1 << 48;
        let Counts {
            bytes,
            crc32: _,
            games,
            positions,
            plies,
            plies_not_examined,
            unsupported,
            positions_left_open,
            oracles,
            certificates,
            consequences,
        } = self.counts;
        let counts = [bytes, games, positions, plies, plies_not_examined, positions_left_open, self.lines, self.start];
        let asked = [oracles.table_positions, oracles.missing_tables, oracles.engine_questions, oracles.unanswered];
        let Consequences { without_moves_in_python_chess, cut_at_blank_line, incomplete_in_pgn_reader } = consequences;
        let lost = [without_moves_in_python_chess, cut_at_blank_line, incomplete_in_pgn_reader];
        let CertificateCounts { legal, illegal, open } = certificates;
        counts
            .iter()
            .chain(&asked)
            .chain(&lost)
            .chain(&[legal, illegal, open, unsupported.games, unsupported.plies])
            .all(|count| *count < MOST)
    }
}

/// A part of an input. Lines and records are counted from its start.
#[derive(Debug)]
pub(super) struct Prepared {
    pub read: ReadPart,
    /// Findings that are reported once per input, and groups of findings that may be.
    pub repeated: Queue<(Finding, Around, u64)>,
    /// Findings in the order of their places.
    pub findings: Queue<(Finding, Around)>,
    /// Findings that are counted on the lines of others, if they are listed.
    pub folded: Queue<Folded>,
    /// The cards of games, if they are kept, each in base64.
    pub cards: Queue<String>,
    /// What is proven about its positions, if that is asked for.
    pub certified: Queue<CertifiedPosition>,
    /// What rules about the whole input have collected.
    pub collected: Queue<Collected>,
}

impl Default for Prepared {
    fn default() -> Prepared {
        Prepared {
            read: ReadPart::default(),
            repeated: Queue::with_limit(MAX_IN_MEMORY),
            findings: Queue::with_limit(MAX_IN_MEMORY),
            folded: Queue::with_limit(MAX_IN_MEMORY),
            cards: Queue::with_limit(MAX_IN_MEMORY),
            certified: Queue::with_limit(MAX_IN_MEMORY),
            collected: Queue::with_limit(MAX_IN_MEMORY),
        }
    }
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
