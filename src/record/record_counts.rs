//! What was read: bytes, records and plies.

use crc32fast::Hasher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Certificate;
use crate::{oracle::OracleCounts, text::wording::quantity};

/// What was read of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Bytes of (decompressed) text.
    pub bytes: u64,
    /// The CRC-32 of that text, as in gzip and zip: it can be joined wherever a text is cut.
    #[serde(default, skip_serializing_if = "is_default")]
    pub crc32: u32,
    /// Games.
    pub games: u64,
    /// Position lines.
    pub positions: u64,
    /// Plies replayed, in the main line and in variations.
    pub plies: u64,
    /// Plies read but not replayed: after a fault, or in an unsupported variant.
    pub plies_not_examined: u64,
    /// Those in unsupported variants.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unsupported: UnsupportedCounts,
    /// Positions for which the search for captures and promotions that lead to them was given up.
    #[serde(default, skip_serializing_if = "is_default")]
    pub positions_left_open: u64,
    /// Positions that oracles were asked about.
    #[serde(default, skip_serializing_if = "is_default")]
    pub oracles: OracleCounts,
    /// Positions that were certified.
    #[serde(default, skip_serializing_if = "is_default")]
    pub certificates: CertificateCounts,
    /// Games that other readers do not read in full.
    #[serde(default, skip_serializing_if = "is_default")]
    pub consequences: Consequences,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Games of variants that are not supported, and rows of tables with moves of other variants: their
/// moves are not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnsupportedCounts {
    /// Games.
    pub games: u64,
    /// Plies read but not replayed.
    pub plies: u64,
}

impl UnsupportedCounts {
    /// Adds those of another part.
    pub const fn add(&mut self, other: UnsupportedCounts) {
        self.games += other.games;
        self.plies += other.plies;
    }
}

/// Number of positions, by whether they occur in a game of standard chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CertificateCounts {
    /// Positions for which a game was found.
    pub legal: u64,
    /// Positions of which a rule proves that they do not occur.
    pub illegal: u64,
    /// Other positions.
    pub open: u64,
}

impl CertificateCounts {
    /// Whether nothing was certified.
    pub fn is_empty(&self) -> bool {
        *self == CertificateCounts::default()
    }

    /// Counts a certificate.
    pub const fn count(&mut self, certificate: &Certificate) {
        match certificate {
            Certificate::Legal(_) | Certificate::Contradiction { .. } => self.legal += 1,
            Certificate::Illegal { .. } => self.illegal += 1,
            Certificate::Open | Certificate::Failed { .. } => self.open += 1,
        }
    }

    /// Adds those of another part.
    pub const fn add(&mut self, other: CertificateCounts) {
        self.legal += other.legal;
        self.illegal += other.illegal;
        self.open += other.open;
    }
}

/// Number of games that other readers do not read in full, as far as that is proven for each game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Consequences {
    /// Games with moves that python-chess reads without moves.
    pub without_moves_in_python_chess: u64,
    /// Games with moves after a blank line.
    pub cut_at_blank_line: u64,
    /// Games of which pgn-reader reads fewer moves, or that it rejects.
    pub incomplete_in_pgn_reader: u64,
}

impl Consequences {
    /// Adds those of another part.
    pub fn add(&mut self, other: Consequences) {
        self.without_moves_in_python_chess += other.without_moves_in_python_chess;
        self.cut_at_blank_line += other.cut_at_blank_line;
        self.incomplete_in_pgn_reader += other.incomplete_in_pgn_reader;
    }

    /// A sentence for each consequence that occurs, without a full stop.
    pub fn describe(self) -> Vec<String> {
        let games = |count: u64, one: &str, many: &str| {
            let verb = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{} {verb}", quantity(count, "game", "games")))
        };
        let python_chess = "read without moves by the Python library python-chess";
        let blank_line = "early for readers that stop at a blank line";
        let pgn_reader = "not read in full by the Rust library pgn-reader";
        let all = [
            games(self.without_moves_in_python_chess, &format!("is {python_chess}"), &format!("are {python_chess}")),
            games(self.cut_at_blank_line, &format!("ends {blank_line}"), &format!("end {blank_line}")),
            games(self.incomplete_in_pgn_reader, &format!("is {pgn_reader}"), &format!("are {pgn_reader}")),
        ];
        all.into_iter().flatten().collect()
    }
}

impl Counts {
    /// Games and position lines.
    pub const fn records(self) -> u64 {
        self.games + self.positions
    }

    /// The bytes of a text, and nothing else.
    pub fn of_text(text: &[u8]) -> Counts {
        Counts { bytes: text.len() as u64, crc32: crc32fast::hash(text), ..Counts::default() }
    }

    /// Adds the counts of the next part of the input.
    pub fn add(&mut self, other: Counts) {
        if other.bytes > 0 {
            let mut joined = Hasher::new_with_initial_len(self.crc32, self.bytes);
            joined.combine(&Hasher::new_with_initial_len(other.crc32, other.bytes));
            self.crc32 = joined.finalize();
        }
        self.bytes += other.bytes;
        self.games += other.games;
        self.positions += other.positions;
        self.plies += other.plies;
        self.plies_not_examined += other.plies_not_examined;
        self.unsupported.add(other.unsupported);
        self.positions_left_open += other.positions_left_open;
        self.oracles.add(other.oracles);
        self.certificates.add(other.certificates);
        self.consequences.add(other.consequences);
    }
}
