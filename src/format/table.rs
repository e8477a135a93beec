//! The files of findings, one per subject.

use super::columns::{Column, FINDING, PARTNER};
use crate::rules::Family;

/// A file of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// FEN syntax, position legality, variants.
    Positions,
    /// Castling availability.
    Castling,
    /// En passant target squares.
    EnPassant,
    /// Counters and move numbers.
    Counters,
    /// Moves, NAGs and variations.
    Moves,
    /// Results.
    Results,
    /// Tag pairs.
    Tags,
    /// Encoding and structure.
    Syntax,
    /// EPD operations.
    Epd,
    /// Clock and evaluation comments.
    Clocks,
    /// What tablebases and engines contradict.
    Oracles,
    /// Copies of games and positions.
    Duplicates,
    /// What the settings expect.
    Expectations,
}

impl Table {
    /// All files.
    pub const ALL: [Table; 13] = [
        Table::Positions,
        Table::Castling,
        Table::EnPassant,
        Table::Counters,
        Table::Moves,
        Table::Results,
        Table::Tags,
        Table::Syntax,
        Table::Epd,
        Table::Clocks,
        Table::Oracles,
        Table::Duplicates,
        Table::Expectations,
    ];

    /// The file name.
    pub const fn file_name(self) -> &'static str {
        match self {
            Table::Positions => "positions.csv",
            Table::Castling => "castling.csv",
            Table::EnPassant => "en_passant.csv",
            Table::Counters => "counters.csv",
            Table::Moves => "moves.csv",
            Table::Results => "results.csv",
            Table::Tags => "tags.csv",
            Table::Syntax => "syntax.csv",
            Table::Epd => "epd.csv",
            Table::Clocks => "clocks.csv",
            Table::Oracles => "oracles.csv",
            Table::Duplicates => "duplicates.csv",
            Table::Expectations => "expectations.csv",
        }
    }

    /// What its findings are about.
    pub const fn what(self) -> &'static str {
        match self {
            Table::Positions => "FEN fields, legality of positions, variants",
            Table::Castling => "castling availability",
            Table::EnPassant => "en passant target squares",
            Table::Counters => "clocks, counters and move numbers",
            Table::Moves => "moves, glyphs and variations",
            Table::Results => "results and terminations",
            Table::Tags => "tags",
            Table::Syntax => "encoding and structure",
            Table::Epd => "EPD operations",
            Table::Clocks => "clock and evaluation comments",
            Table::Oracles => "what tablebases and engines contradict",
            Table::Duplicates => "with `--duplicates`: copies of games and positions",
            Table::Expectations => "with `[expect]` in the settings: expectations that are not met",
        }
    }

    /// Its columns.
    pub fn shape(self) -> Vec<Column> {
        let own: &[Column] = if self == Table::Duplicates { &PARTNER } else { &[] };
        FINDING.iter().chain(own).copied().collect()
    }

    /// The file for findings of `family`.
    pub const fn of(family: Family) -> Table {
        match family {
            Family::Fen | Family::Pos | Family::Var => Table::Positions,
            Family::Cas => Table::Castling,
            Family::Eps => Table::EnPassant,
            Family::Ctr | Family::Num => Table::Counters,
            Family::Mov | Family::Ann => Table::Moves,
            Family::Res => Table::Results,
            Family::Tag => Table::Tags,
            Family::Enc | Family::Syn => Table::Syntax,
            Family::Epd => Table::Epd,
            Family::Clk => Table::Clocks,
            Family::Tru => Table::Oracles,
            Family::Dup => Table::Duplicates,
            Family::Exp => Table::Expectations,
            Family::Hse | Family::Nam => Table::Tags,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_indexed_by_discriminant() {
        for (index, table) in Table::ALL.into_iter().enumerate() {
            assert_eq!(table as usize, index);
        }
    }

    #[test]
    fn every_table_has_a_family() {
        for table in Table::ALL {
            assert!(Family::ALL.into_iter().any(|family| Table::of(family) == table), "{table:?}");
        }
    }
}
