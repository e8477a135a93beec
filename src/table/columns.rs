//! Finds the columns of positions, moves and labels.

use std::{fmt, str::FromStr};

use super::{CellContent, RowReader, Table};
use crate::{chess::fen::is_placement, pgn::BOM};

/// Delimiters of cells, the most common first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The default name of the column of positions.
const FEN: &str = "fen";

/// Names of columns of moves. Other names (`uci`, `line`, `solution`) have many meanings.
const MOVES: [&str; 4] = ["moves", "uci_moves", "moves_uci", "pv"];

/// Names of columns that identify a row for people.
const LABELS: [&str; 3] = ["id", "puzzleid", "puzzle_id"];

/// Maximum number of columns listed in an error.
const MAX_LISTED: usize = 20;

/// The index of a column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column(pub usize);

/// A column as given by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnName {
    /// The number of the column.
    Number(Column),
    /// The name of the column, case-insensitive.
    Name(String),
}

/// The text is not the name or number of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of a column, or its number starting from 1")]
pub struct NotAColumn;

impl FromStr for ColumnName {
    type Err = NotAColumn;

    fn from_str(text: &str) -> Result<ColumnName, NotAColumn> {
        let text = text.trim();
        match text.parse::<usize>() {
            Ok(number) => number.checked_sub(1).map(|before| ColumnName::Number(Column(before))).ok_or(NotAColumn),
            Err(_) if text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) => Err(NotAColumn),
            Err(_) => Ok(ColumnName::Name(text.to_owned())),
        }
    }
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnName::Number(column) => write!(f, "{}", column.0 + 1),
            ColumnName::Name(name) => f.write_str(name),
        }
    }
}

/// The columns given by the user. If there is one, all inputs are read as tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The column of positions; `None` for the column named `fen`.
    pub fen: Option<ColumnName>,
    /// The column of moves; `None` for a column named `moves` or similar, if there is one.
    pub moves: Option<ColumnName>,
}

/// The table has no such column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoColumn {
    /// There is no column with this name.
    #[error("there is no column `{name}`; {}{}", listed(.columns), suggested(.nearest))]
    Name {
        /// The name.
        name: String,
        /// The columns of the table.
        columns: Vec<String>,
        /// The most similar name, if there is one.
        nearest: Option<String>,
    },
    /// The first row contains a position, not names of columns.
    #[error("there is no column `{name}`: the table has no header; positions are in column {}", .positions.0 + 1)]
    NoNames {
        /// The name.
        name: String,
        /// The column of positions.
        positions: Column,
    },
    /// There are fewer columns.
    #[error("there is no column {}; {}", .column.0 + 1, listed(.columns))]
    Number {
        /// The column.
        column: Column,
        /// The columns of the table: the cells of the first row.
        columns: Vec<String>,
    },
    /// The same column was given for positions and moves.
    #[error("column {} cannot contain both the positions and the moves", .column.0 + 1)]
    Same {
        /// The column.
        column: Column,
    },
}

fn listed(columns: &[String]) -> String {
    let shown: Vec<String> = columns.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match (columns.len(), columns.len().saturating_sub(MAX_LISTED)) {
        (0, _) => "the table is empty".to_owned(),
        (1, _) => format!("the only column is {}", shown[0]),
        (_, 0) => format!("the columns are {}", shown.join(", ")),
        (_, more) => format!("the columns are {} and {more} more", shown.join(", ")),
    }
}

fn suggested(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// The first row of a text, read with one delimiter.
struct FirstRow {
    delimiter: u8,
    start: usize,
    cells: Vec<Vec<u8>>,
    /// The cells of the second row.
    second: Vec<Vec<u8>>,
}

impl FirstRow {
    fn read(head: &[u8], delimiter: u8) -> FirstRow {
        let mut rows = RowReader::new(delimiter);
        let (start, next) = next_row(head, &mut rows, 0);
        let cells = contents(head, &rows);
        next_row(head, &mut rows, next);
        FirstRow { delimiter, start, cells, second: contents(head, &rows) }
    }

    fn is_called(&self, index: usize, name: &str) -> bool {
        self.cells.get(index).is_some_and(|cell| cell.eq_ignore_ascii_case(name.as_bytes()))
    }

    fn called(&self, name: &str) -> Option<Column> {
        (0..self.cells.len()).find(|index| self.is_called(*index, name)).map(Column)
    }

    fn called_one_of(&self, names: &[&str]) -> Option<Column> {
        names.iter().find_map(|name| self.called(name))
    }

    /// The first column that contains a position.
    fn placement(&self) -> Option<Column> {
        self.cells.iter().position(|cell| is_position(cell)).map(Column)
    }

    fn names(&self) -> Vec<String> {
        self.cells.iter().map(|cell| String::from_utf8_lossy(cell).chars().take(60).collect()).collect()
    }

    fn no_column(&self, name: &str) -> NoColumn {
        if let Some(positions) = self.placement() {
            return NoColumn::NoNames { name: name.to_owned(), positions };
        }
        let wanted = name.to_lowercase();
        // Transposed or missing letters, or the beginning of a longer name.
        let likeness = |name: &String| {
            let name = name.to_lowercase();
            let (changed, begun) = (strsim::normalized_damerau_levenshtein(&name, &wanted), strsim::jaro_winkler(&name, &wanted));
            (changed >= 0.6 || begun >= 0.8).then_some(changed + begun)
        };
        let near = self.names().into_iter().filter_map(|name| Some((likeness(&name)?, name)));
        NoColumn::Name {
            name: name.to_owned(),
            columns: self.names(),
            nearest: near.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name),
        }
    }

    fn column(&self, columns_named: &ColumnName) -> Result<Column, NoColumn> {
        match columns_named {
            ColumnName::Number(column) if column.0 < self.cells.len() => Ok(*column),
            ColumnName::Number(column) => Err(NoColumn::Number { column: *column, columns: self.names() }),
            ColumnName::Name(name) => self.called(name).ok_or_else(|| self.no_column(name)),
        }
    }

    fn table(&self, fen: Column, moves: Option<Column>, moves_asked: bool, named: bool) -> Table {
        // An empty cell is not a name. A cell with slashes is a position, even if it is malformed.
        let is_name = |cell: &Vec<u8>| !cell.is_empty() && cell.iter().filter(|byte| **byte == b'/').count() < 2;
        let header = (named || self.cells.get(fen.0).is_some_and(is_name)).then_some(self.start);
        let moves = moves.or_else(|| self.called_one_of(&MOVES).filter(|column| header.is_some() && *column != fen));
        let first = Some(Column(0)).filter(|first| self.cells.len() > 1 && *first != fen && Some(*first) != moves);
        Table {
            delimiter: self.delimiter,
            header,
            fen,
            moves,
            moves_asked,
            label: self.called_one_of(&LABELS).filter(|_| header.is_some()).or(first),
        }
    }
}

/// Reads the first row at or after `at` that is not a blank line. Returns its start and the start
/// of the next row.
fn next_row(text: &[u8], rows: &mut RowReader, at: usize) -> (usize, usize) {
    let mut start = at;
    loop {
        let next = rows.read(text, start).next;
        if !rows.cells().is_empty() || next >= text.len() {
            return (start, next);
        }
        start = next;
    }
}

/// The contents of the cells of the current row.
fn contents(text: &[u8], rows: &RowReader) -> Vec<Vec<u8>> {
    let content = |index| match rows.content(text, Column(index)) {
        Some(CellContent::Plain(place)) => place.of(text).trim_ascii().to_vec(),
        Some(CellContent::Unquoted(content)) => content.bytes.trim_ascii().to_vec(),
        None => Vec::new(),
    };
    (0..rows.cells().len()).map(content).collect()
}

fn is_position(cell: &[u8]) -> bool {
    is_placement(cell.split(u8::is_ascii_whitespace).next().unwrap_or_default())
}

/// Whether the first row begins with a tag pair or a position, so that it cannot contain names of
/// columns. That is cheaper than a reader for each delimiter.
fn begins_with_record(head: &[u8]) -> bool {
    let text = head.strip_prefix(BOM).unwrap_or(head);
    let blank = text.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    let row = &text[blank..];
    let ends_word = |byte: &u8| byte.is_ascii_whitespace() || DELIMITERS.contains(byte);
    let word = row.split(ends_word).next().unwrap_or_default();
    row.starts_with(b"[") || is_placement(word)
}

/// Recognises a table by a column named `fen` in the first row of `head`, the first bytes of an
/// input.
pub fn table_by_names(head: &[u8]) -> Option<Table> {
    if begins_with_record(head) {
        return None;
    }
    let rows = DELIMITERS.map(|delimiter| FirstRow::read(head, delimiter));
    let named = rows.iter().filter(|row| {
        // Tag pairs and positions can contain the word too.
        row.called(FEN).is_some() && row.placement().is_none() && !row.cells[0].starts_with(b"[")
    });
    let row = named.max_by_key(|row| (row.cells.len(), row.delimiter == b'\t'))?;
    Some(row.table(row.called(FEN)?, None, false, true))
}

/// Reads the first bytes of an input as a table with the columns given by the user.
///
/// # Errors
/// If there is no such column.
pub fn table_with_columns(head: &[u8], columns: &Columns) -> Result<Table, NoColumn> {
    let fen = columns.fen.clone().unwrap_or_else(|| ColumnName::Name(FEN.to_owned()));
    let fit = |row: &FirstRow| match &fen {
        ColumnName::Name(name) => row.called(name).is_some(),
        ColumnName::Number(column) => {
            [&row.cells, &row.second].iter().any(|row| row.get(column.0).is_some_and(|cell| is_position(cell)))
        }
    };
    // Of equally good delimiters, take the one that gives most cells, or a tab if there is only one
    // cell.
    let rows = DELIMITERS.map(|delimiter| FirstRow::read(head, delimiter));
    let [first, others @ ..] = &rows;
    let rank = |row: &FirstRow| (fit(row), row.cells.len(), row.cells.len() == 1 && row.delimiter == b'\t');
    let row = others.iter().fold(first, |best, row| if rank(row) > rank(best) { row } else { best });
    let column = row.column(&fen)?;
    let moves = columns.moves.as_ref().map(|moves| row.column(moves)).transpose()?;
    if moves == Some(column) {
        return Err(NoColumn::Same { column });
    }
    let named =
        [columns.fen.as_ref(), columns.moves.as_ref()].into_iter().flatten().any(|name| matches!(name, ColumnName::Name(_)));
    Ok(row.table(column, moves, moves.is_some(), named || columns.fen.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn columns_named(fen: Option<&str>, moves: Option<&str>) -> Columns {
        let name = |name: &str| name.parse().expect("a column");
        Columns { fen: fen.map(name), moves: moves.map(name) }
    }

    fn error(text: &str, fen: Option<&str>, moves: Option<&str>) -> String {
        table_with_columns(text.as_bytes(), &columns_named(fen, moves)).expect_err("there is no such column").to_string()
    }

    #[test]
    fn columns_have_names_or_numbers() {
        assert_eq!("2".parse(), Ok(ColumnName::Number(Column(1))));
        assert_eq!(" Moves ".parse(), Ok(ColumnName::Name("Moves".to_owned())));
        for nothing in ["0", "", " ", "99999999999999999999999"] {
            assert_eq!(nothing.parse::<ColumnName>(), Err(NotAColumn), "{nothing:?}");
        }
    }

    #[test]
    fn tables_are_recognised_by_column_names() {
        let table = |text: &str| table_by_names(text.as_bytes());
        let puzzles = table(&format!("PuzzleId,FEN,Moves,Rating\n1,{START},e2e4,1500\n"));
        let expected = Table {
            delimiter: b',',
            header: Some(0),
            fen: Column(1),
            moves: Some(Column(2)),
            moves_asked: false,
            label: Some(Column(0)),
        };
        assert_eq!(puzzles, Some(expected));
        let first = Table { fen: Column(0), moves: None, label: None, ..expected };
        assert_eq!(table(&format!("fen\tlabel\n{START}\tillegal\n")), Some(Table { delimiter: b'\t', ..first }));
        assert_eq!(table(&format!("fen\n{START}\n")), Some(Table { delimiter: b'\t', ..first }));
        let quoted = table(&format!("\u{FEFF}\r\n\"moves\"; x;\"Fen\";ID\r\n;;{START};7\r\n"));
        let other = Table {
            delimiter: b';',
            header: Some(5),
            fen: Column(2),
            moves: Some(Column(0)),
            label: Some(Column(3)),
            ..expected
        };
        assert_eq!(quoted, Some(other));
        assert_eq!(table(&format!("a|fen|b\n1|{START}|2\n")).map(|table| table.delimiter), Some(b'|'));
    }

    #[test]
    fn text_with_the_word_is_not_a_table() {
        for text in [
            "[Event \"a, fen, b\"]\n\n1. e4 *\n".to_owned(),
            format!("{START}\nfen\n"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"a;fen;b\";\n".to_owned(),
            "the fen, and more\n".to_owned(),
            String::new(),
        ] {
            assert_eq!(table_by_names(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn columns_that_the_user_names() {
        let table = |text: &str, fen, moves| {
            let table = table_with_columns(text.as_bytes(), &columns_named(fen, moves)).expect("the columns are there");
            (table.delimiter, table.header, table.fen.0, table.moves.map(|moves| moves.0), table.label.map(|label| label.0))
        };
        let text = format!("nr;position;line\n1;{START};e2e4, e7e5\n");
        assert_eq!(table(&text, Some("POSITION"), Some("line")), (b';', Some(0), 1, Some(2), Some(0)));
        assert_eq!(table(&text, Some("2"), None), (b';', Some(0), 1, None, Some(0)));
        let bare = format!("1\t{START}\te2e4\n2\t{START}\t\n");
        assert_eq!(table(&bare, Some("2"), Some("3")), (b'\t', None, 1, Some(2), Some(0)));
        assert_eq!(table(&format!("{START}\n"), Some("1"), None), (b'\t', None, 0, None, None));
        // A malformed position is not a name, and neither is an empty cell.
        assert_eq!(table(&format!("8/8/8 w,e2e4\n{START},e2e4\n"), Some("1"), Some("2")), (b',', None, 0, Some(1), None));
        assert_eq!(table(&format!(",e2e4\n{START},e2e4\n"), Some("1"), Some("2")), (b',', None, 0, Some(1), None));
        let named = format!("id,fen,solution\n1,{START},e2e4\n");
        assert_eq!(table(&named, None, Some("solution")), (b',', Some(0), 1, Some(2), Some(0)));
        assert_eq!(table(&named, None, Some("3")), (b',', Some(0), 1, Some(2), Some(0)));
    }

    #[test]
    fn missing_columns() {
        let text = format!("PuzzleId,FEN,Moves\n1,{START},e2e4\n");
        let list = "the columns are `PuzzleId`, `FEN`, `Moves`";
        assert_eq!(error(&text, Some("FNE"), None), format!("there is no column `FNE`; {list}; did you mean `FEN`?"));
        assert_eq!(error(&text, None, Some("move")), format!("there is no column `move`; {list}; did you mean `Moves`?"));
        assert_eq!(error(&text, Some("xyz"), None), format!("there is no column `xyz`; {list}"));
        assert_eq!(error(&text, Some("4"), None), format!("there is no column 4; {list}"));
        assert_eq!(error(&text, Some("FEN"), Some("2")), "column 2 cannot contain both the positions and the moves");
        assert_eq!(
            error(&format!("1,{START},e2e4\n"), Some("FEN"), None),
            "there is no column `FEN`: the table has no header; positions are in column 2"
        );
        assert_eq!(error("[Event \"x\"]\n", None, Some("Moves")), "there is no column `fen`; the only column is `[Event \"x\"]`");
        assert_eq!(error("\n\n", Some("fen"), None), "there is no column `fen`; the table is empty");
        let many = (0..30).map(|number| format!("c{number}")).collect::<Vec<_>>().join(",");
        assert!(error(&many, Some("fen"), None).ends_with("`c19` and 10 more"));
    }
}
