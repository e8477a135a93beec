//! Finds the columns of positions, games, moves and labels.

use std::{fmt, str::FromStr};

use super::{
    LastCell, RowEnd, RowReader, Table, TagColumns,
    cells::{
        Content, begins_in_start, content_of, is_all_moves, is_empty_value, is_field, is_line_from, is_moves, is_position,
        is_short_position, is_whole_position, lead,
    },
};
use crate::{
    chess::{Variant, fen::is_placement, variant_played_elsewhere},
    pgn::{BOM, KnownTag, is_movetext},
};

/// Delimiters of cells, the most common first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The default name of the column of positions.
const FEN: &str = "fen";

/// Another name of a column of positions.
const EPD: &str = "epd";

/// Names of columns or fields of moves. Other names (`uci`, `line`, `solution`) have many meanings.
pub(super) const MOVES: [&str; 4] = ["moves", "uci_moves", "moves_uci", "pv"];

/// Names of the column or field of variants: that of the tag, and that of chess.com.
pub(super) const VARIANT: [&str; 2] = ["variant", "rules"];

/// Names of columns of games, for tables that begin with rows without one.
const GAMES: [&str; 3] = ["pgn", "movetext", "game"];

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
    /// The column of positions; `None` for the column named `fen`, if there is one.
    pub fen: Option<ColumnName>,
    /// The column of moves or games; `None` for a column named `moves` or similar, if there is one.
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

/// The first rows of a text, read with one delimiter.
struct FirstRows {
    delimiter: u8,
    /// The start of the first row.
    start: usize,
    /// The contents of the cells. A row that may be cut off is not among them, unless it is the
    /// first.
    rows: Vec<Vec<Vec<u8>>>,
}

impl FirstRows {
    /// Reads up to `max` rows. `whole` says that there is no more text.
    fn read(head: &[u8], delimiter: u8, max: usize, whole: bool) -> FirstRows {
        let mut reader = RowReader::new(delimiter);
        let (mut start, mut rows, mut at) = (0, Vec::new(), 0);
        while rows.len() < max {
            let (row_start, row) = next_row(head, &mut reader, at);
            // The rest of the row, or the closing quote of its last cell, may follow.
            let is_cut = !whole && row.touched_end;
            if reader.cells().is_empty() || (is_cut && !rows.is_empty()) {
                break;
            }
            if rows.is_empty() {
                start = row_start;
            }
            rows.push(contents(head, &reader));
            at = if is_cut { head.len() } else { row.next };
        }
        FirstRows { delimiter, start, rows }
    }

    /// The cells of the first row.
    fn cells(&self) -> &[Vec<u8>] {
        self.rows.first().map(Vec::as_slice).unwrap_or_default()
    }

    fn called(&self, name: &str) -> Option<Column> {
        self.cells().iter().position(|cell| cell.eq_ignore_ascii_case(name.as_bytes())).map(Column)
    }

    fn called_one_of(&self, names: &[&str]) -> Option<Column> {
        names.iter().find_map(|name| self.called(name))
    }

    /// The first column that contains a position in the first row.
    fn placement(&self) -> Option<Column> {
        self.cells().iter().position(|cell| is_position(cell)).map(Column)
    }

    fn names(&self) -> Vec<String> {
        self.cells().iter().map(|cell| String::from_utf8_lossy(cell).chars().take(60).collect()).collect()
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
            ColumnName::Number(column) if column.0 < self.cells().len() => Ok(*column),
            ColumnName::Number(column) => Err(NoColumn::Number { column: *column, columns: self.names() }),
            ColumnName::Name(name) => self.called(name).ok_or_else(|| self.no_column(name)),
        }
    }

    /// The table with these columns. Columns of moves that the user did not give are looked for.
    /// A column of moves that contains move numbers, comments or tags is one of games.
    fn table(&self, fen: Option<Column>, moves: Option<Column>, moves_asked: bool, has_header: bool) -> Table {
        let header = has_header.then_some(self.start);
        let named = |names: &[&str]| self.called_one_of(names).filter(|column| has_header && Some(*column) != fen);
        let game = match moves {
            None => self.games(fen).or_else(|| named(&GAMES).filter(|column| self.is_empty(*column))),
            given => given.filter(|column| self.most_are(column.0, |cell| is_game(cell, fen.is_some()))),
        };
        let moves = match (moves, game) {
            (None, None) => named(&MOVES).filter(|column| self.may_be_moves(*column)).or_else(|| self.lines_of_moves(fen)),
            (moves, None) => moves,
            (_, Some(_)) => None,
        };
        let moves = moves.filter(|column| moves_asked || !fen.is_some_and(|fen| self.lead_to(fen, *column)));
        let used = [fen, game, moves];
        let width = header.map(|_| self.width()).filter(|width| *width > 1);
        let is_last = game.or(moves).is_some_and(|column| fen.is_none() && Some(column.0 + 1) == width);
        let first = Some(Column(0)).filter(|first| self.cells().len() > 1 && !used.contains(&Some(*first)));
        Table {
            delimiter: self.delimiter,
            header,
            width,
            fen,
            more_fields: fen.map_or(0, |column| self.more_fields(column)),
            game,
            moves,
            moves_asked,
            last: match is_last {
                false => LastCell::Unknown,
                true if self.are_even() => LastCell::Moves,
                true => LastCell::MovesOfSplitRows,
            },
            tags: TagColumns::of(|tag| {
                let column = self.cells().iter().position(|cell| is_named_like(cell, tag)).map(Column);
                column.filter(|column| has_header && !used.contains(&Some(*column)))
            }),
            variant: named(&VARIANT),
            has_variants: named(&VARIANT).is_some_and(|column| self.most_are(column.0, names_variant)),
            label: named(&LABELS).or(first),
        }
    }

    /// What was found with these columns, which are about chess.
    fn found(&self, table: Table) -> FoundTable {
        if self.begins_elsewhere(&table) { FoundTable::MovesAlone } else { FoundTable::Chess(table) }
    }

    /// Number of cells of the first row, without empty ones at its end.
    fn width(&self) -> usize {
        self.cells().iter().rposition(|cell| !cell.trim_ascii().is_empty()).map_or(0, |last| last + 1)
    }

    /// Number of columns after that of piece placements which contain the other fields of the
    /// positions.
    fn more_fields(&self, placements: Column) -> usize {
        let contains = |number: usize| self.most_are(placements.0 + number, |cell| is_field(number, cell));
        let is_split = self.most_are(placements.0, is_placement) && (1..=3).all(contains);
        match is_split {
            false => 0,
            true if (4..=5).all(contains) => 5,
            true => 3,
        }
    }

    /// The column of the piece placements of positions whose other fields are in the columns after
    /// it.
    fn placements(&self) -> Option<Column> {
        (0..self.cells().len()).map(Column).find(|column| self.more_fields(*column) > 0)
    }

    /// The column of positions of which the table has only the placement, or the side to move, too.
    /// A placement next to a game or a line from the starting position may be any of its positions.
    fn short_positions(&self) -> Option<Column> {
        let is_about_games = || self.games(None).or_else(|| self.lines_of_moves(None)).is_some();
        self.first_like(is_short_position).filter(|_| !is_about_games())
    }

    /// Whether the moves of most rows begin in a position that the table does not have.
    fn begins_elsewhere(&self, table: &Table) -> bool {
        let Some(column) = table.moves.filter(|_| table.fen.is_none() && !table.has_variants) else { return false };
        let first: Vec<bool> = self.values(column).filter_map(|cell| begins_in_start(cell)).collect();
        !first.is_empty() && 2 * first.iter().filter(|begins| **begins).count() <= first.len()
    }

    /// Whether the last cell of nearly all rows contains a game or moves, and the header names it
    /// so: the rows are of different lengths because their names contain the delimiter.
    fn are_split(&self) -> bool {
        let is_named = |name: &Vec<u8>| MOVES.iter().chain(&GAMES).any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
        let rows = self.rows.iter().skip(1);
        let split = rows.clone().filter(|row| row.last().is_some_and(|last| is_moves(last))).count();
        let is_header = self.width() > 1 && self.cells().get(self.width() - 1).is_some_and(is_named) && self.has_header();
        is_header && rows.len() + 1 >= MIN_ROWS && 4 * split >= 3 * rows.len()
    }

    /// Whether each row begins with a number, and a position follows in the next cell.
    fn are_numbered(&self) -> bool {
        let is_number = |cell: &Vec<u8>| !cell.is_empty() && cell.iter().all(u8::is_ascii_digit);
        let is_numbered = |row: &Vec<Vec<u8>>| row.len() > 2 && is_number(&row[0]) && is_whole_position(&row[1]);
        !self.rows.is_empty() && self.rows.iter().all(is_numbered)
    }

    /// Whether most cells of the column are like this, apart from those without a value. The first
    /// row may be a header.
    fn most_are(&self, column: usize, is_like: impl Fn(&[u8]) -> bool) -> bool {
        let (mut like, mut others) = (0, 0);
        for (index, cell) in self.rows.iter().enumerate().filter_map(|(index, row)| Some((index, row.get(column)?))) {
            if is_like(cell) {
                like += 1;
            } else if index > 0 && !is_empty_value(cell) {
                others += 1;
            }
        }
        like > others
    }

    /// The first column whose cells are like this.
    fn first_like(&self, is_like: impl Fn(&[u8]) -> bool) -> Option<Column> {
        (0..self.cells().len()).find(|column| self.most_are(*column, &is_like)).map(Column)
    }

    /// The column of games with move numbers, comments or tags.
    fn games(&self, fen: Option<Column>) -> Option<Column> {
        self.first_like(|cell| is_game(cell, fen.is_some())).filter(|column| Some(*column) != fen)
    }

    /// The column of lines from the position of the row, or else of games that are only moves.
    fn lines_of_moves(&self, fen: Option<Column>) -> Option<Column> {
        let Some(fen) = fen else { return self.first_like(|cell| content_of(cell) == Content::Moves) };
        let is_line = |row: &Vec<Vec<u8>>, column: usize| {
            row.get(fen.0).zip(row.get(column)).is_some_and(|(position, line)| is_line_from(position, line))
        };
        // Wrong moves are what is looked for.
        let can_be_played =
            |column: usize| 3 * self.rows.iter().filter(|row| is_line(row, column)).count() >= self.rows.len() - 1;
        let mut columns = (0..self.cells().len()).filter(|column| *column != fen.0);
        columns.find(|column| self.most_are(*column, is_all_moves) && can_be_played(*column)).map(Column)
    }

    /// The column from whose positions the moves of most rows lead to those in `fen`.
    fn start_of_moves(&self, fen: Column) -> Option<Column> {
        let moves = self.called_one_of(&MOVES)?;
        let leads = |from: usize| {
            let cells = self.rows.iter().skip(1).map(|row| [row.get(from), row.get(moves.0), row.get(fen.0)]);
            most_lead(cells)
        };
        (0..self.cells().len()).find(|from| leads(*from)).map(Column)
    }

    /// Whether the moves of most rows lead to their positions, from those of the rows before or
    /// from those in another column: they are the moves that were played before.
    fn lead_to(&self, fen: Column, moves: Column) -> bool {
        let pairs = self.rows.iter().zip(self.rows.iter().skip(1));
        most_lead(pairs.map(|(before, row)| [before.get(fen.0), row.get(moves.0), row.get(fen.0)]))
            || self.start_of_moves(fen).is_some()
    }

    /// The cells of a column below the first row that have a value.
    fn values(&self, column: Column) -> impl Iterator<Item = &Vec<u8>> {
        self.rows.iter().skip(1).filter_map(move |row| row.get(column.0)).filter(|cell| !is_empty_value(cell))
    }

    fn is_empty(&self, column: Column) -> bool {
        self.values(column).next().is_none()
    }

    /// Whether a column named like moves does not contain numbers of moves.
    fn may_be_moves(&self, column: Column) -> bool {
        self.is_empty(column) || !self.values(column).all(|cell| cell.iter().all(u8::is_ascii_digit))
    }

    /// Whether the rows have the shape of a table: several cells, and nearly all rows the same
    /// number.
    fn are_even(&self) -> bool {
        let even = self.rows.iter().filter(|row| row.len() == self.cells().len()).count();
        self.cells().len() > 1 && even > 1 && 4 * even >= 3 * self.rows.len()
    }

    /// Whether the rows are lines of games or of positions that contain the delimiter: moves or a
    /// comment go on in the next cell, or operations follow a position.
    fn are_lines_of_text(&self, table: &Table) -> bool {
        let is_broken = |cell: &Vec<u8>| memchr::memchr_iter(b'{', cell).count() != memchr::memchr_iter(b'}', cell).count();
        let moves = table.game.or(table.moves).filter(|_| table.fen.is_none());
        let goes_on = |column: usize| moves.is_some_and(|moves| moves.0 != column) && self.most_are(column, is_all_moves);
        let has_operations = |column: usize| {
            table.fen.is_some_and(|fen| fen.0 != column) && self.most_are(column, |cell| cell.trim_ascii_end().ends_with(b";"))
        };
        self.rows.iter().flatten().any(is_broken)
            || (0..self.cells().len()).any(|column| goes_on(column) || has_operations(column))
    }

    /// Whether the first row is a header: a row of names.
    fn has_header(&self) -> bool {
        self.cells().iter().all(|cell| cell.len() <= MAX_NAME && is_name(cell) && content_of(cell) == Content::Other)
    }
}

/// Whether the moves of most rows lead from one position to the other. Each row has its position,
/// moves, and the other position.
fn most_lead<'a>(rows: impl Iterator<Item = [Option<&'a Vec<u8>>; 3]>) -> bool {
    let leads: Vec<bool> = rows.filter_map(|[from, moves, to]| lead(from?, moves?, to?)).collect();
    2 * leads.iter().filter(|leads| **leads).count() > leads.len()
}

/// Whether a cell is the name of a variant that is known.
pub fn names_variant(cell: &[u8]) -> bool {
    !is_empty_value(cell) && (Variant::named(cell) != Variant::Unknown || variant_played_elsewhere(cell))
}

/// Whether the name of a column is that of a tag, in any case and with `_` or spaces in it.
fn is_named_like(name: &[u8], tag: KnownTag) -> bool {
    let letters = name.iter().filter(|byte| !matches!(byte, b'_' | b' ' | b'-'));
    letters.map(u8::to_ascii_lowercase).eq(tag.name().bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// Maximum length of the name of a column.
const MAX_NAME: usize = 60;

/// Whether a cell of the first row can be the name of a column. An empty cell is not a name. A cell
/// with slashes is a position, even if it is malformed.
fn is_name(cell: &[u8]) -> bool {
    !cell.is_empty() && memchr::memchr_iter(b'/', cell).count() < 2
}

/// Whether a cell contains move numbers, comments or tags. A part of a game needs a position to
/// begin in: a list of moves may have a row for each move.
fn is_game(cell: &[u8], has_position: bool) -> bool {
    match content_of(cell) {
        Content::Game => true,
        Content::Part => has_position,
        Content::Moves | Content::Other => false,
    }
}

/// Reads the first row at or after `at` that is not a blank line. Returns its start and its end.
fn next_row(text: &[u8], rows: &mut RowReader, at: usize) -> (usize, RowEnd) {
    let mut start = at;
    loop {
        let row = rows.read(text, start);
        if !rows.cells().is_empty() || row.next >= text.len() {
            return (start, row);
        }
        start = row.next;
    }
}

/// The contents of the cells of the current row.
fn contents(text: &[u8], rows: &RowReader) -> Vec<Vec<u8>> {
    let contents = (0..rows.cells().len()).filter_map(|index| rows.content(text, Column(index)));
    contents.map(|content| content.bytes(text).trim_ascii().to_vec()).collect()
}

/// The first line that is not blank.
fn first_line(head: &[u8]) -> &[u8] {
    let text = head.strip_prefix(BOM).unwrap_or(head);
    text.split(|byte| matches!(byte, b'\n' | b'\r')).find(|line| !line.is_empty()).unwrap_or_default()
}

/// Whether the first row cannot contain names of columns, nor be a row of a table without a header:
/// it begins with a tag pair, or with a position or a move number that is not the only thing in a
/// cell. That is cheaper than a reader for each delimiter.
fn begins_with_record(row: &[u8]) -> bool {
    // A tag pair may be indented by tabs.
    let is_tag_pair = || matches!(row.trim_ascii(), [b'[', .., b'"', b']']);
    if matches!(row, [b'[', ..]) || is_tag_pair() {
        return true;
    }
    let is_delimited = |row: &[u8]| memchr::memchr3(b',', b'\t', b'|', row);
    let word = row.split(|byte| byte.is_ascii_whitespace() || DELIMITERS.contains(byte)).next().unwrap_or_default();
    if matches!(row, [b'"', ..]) {
        false
    } else if is_placement(word) {
        let end = is_delimited(row).or_else(|| end_before_value(row));
        let is_side =
            |rest: &[u8]| matches!(rest, [delimiter, b'w' | b'b', next, ..] if *delimiter != b'\t' && delimiter == next);
        !end.is_some_and(|end| is_whole_position(&row[..end]) || is_side(&row[end..]))
    } else {
        is_movetext(row) && is_delimited(row).is_none()
    }
}

/// The first semicolon, if something follows that cannot be an operation.
fn end_before_value(row: &[u8]) -> Option<usize> {
    let end = memchr::memchr(b';', row)?;
    let value = row[end + 1..].trim_ascii_start().first()?;
    (!value.is_ascii_alphabetic() && *value != b';').then_some(end)
}

/// A table that was recognised, or that is not about chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundTable {
    /// A table with positions, games or moves.
    Chess(Table),
    /// A table with moves, most of which begin in a position that it does not have.
    MovesAlone,
    /// The rows have the same number of cells, but there are no positions, games or moves.
    Other,
}

/// Number of rows that show what the columns contain.
const SAMPLE: usize = 12;

/// Number of rows without a header that show a table.
const MIN_ROWS: usize = 3;

/// Recognises a table in `head`, the first bytes of an input: by a column named `fen`, or by rows
/// with the same number of cells, some of which contain positions, games or moves. `whole` says
/// that there are no more bytes.
pub fn find_table(head: &[u8], whole: bool) -> Option<FoundTable> {
    let first_line = first_line(head);
    if begins_with_record(first_line) {
        return None;
    }
    // A cell in quotes may have several lines.
    let is_possible = |delimiter: &&u8| **delimiter == b'\t' || first_line.contains(*delimiter) || first_line.contains(&b'"');
    let all: Vec<FirstRows> =
        DELIMITERS.iter().filter(is_possible).map(|delimiter| FirstRows::read(head, *delimiter, SAMPLE, whole)).collect();
    let widest = |rows: &&FirstRows| (rows.cells().len(), rows.delimiter == b'\t');
    let named = all.iter().filter(|rows| {
        // Tag pairs and positions can contain the word too.
        rows.called_one_of(&[FEN, EPD]).is_some() && rows.placement().is_none() && !rows.cells()[0].starts_with(b"[")
    });
    if let Some(rows) = named.max_by_key(widest) {
        let fen = rows.called_one_of(&[FEN, EPD]);
        return Some(FoundTable::Chess(rows.table(fen.map(|fen| rows.start_of_moves(fen).unwrap_or(fen)), None, false, true)));
    }
    // The only column has no delimiter.
    let only = all.iter().find(|rows| rows.delimiter == b'\t' && rows.cells().len() == 1);
    if let Some(rows) = only.filter(|rows| rows.called_one_of(&MOVES).or(rows.called_one_of(&GAMES)).is_some()) {
        let table = rows.table(None, None, false, true);
        return (table.game.is_some() || table.moves.is_some()).then(|| rows.found(table));
    }
    // The first game may be longer than the head.
    let is_only_header = |rows: &&FirstRows| !whole && rows.rows.len() == 1 && rows.cells().len() > 1;
    let before_long_rows = || all.iter().filter(is_only_header).find(|rows| rows.called_one_of(&GAMES).is_some());
    let even = all.iter().filter(|rows| rows.are_even()).max_by_key(widest).or_else(before_long_rows);
    let uneven = || all.iter().find(|rows| rows.are_split() || rows.are_numbered());
    let rows = even.or_else(uneven)?;
    let has_header = rows.has_header();
    let fen = rows.first_like(is_whole_position).or_else(|| rows.placements()).or_else(|| rows.short_positions());
    let fen = fen.map(|fen| rows.start_of_moves(fen).unwrap_or(fen));
    let table = rows.table(fen, None, false, has_header);
    // A label before a position, or text after it, may be separated by a delimiter by chance.
    let is_chance = || (rows.rows.len() < MIN_ROWS && table.more_fields == 0) || rows.are_lines_of_text(&table);
    if !has_header && !rows.are_numbered() && is_chance() {
        return None;
    }
    if fen.is_some() || table.game.is_some() || table.moves.is_some() {
        return Some(rows.found(table));
    }
    (has_header && rows.rows.len() >= MIN_ROWS).then_some(FoundTable::Other)
}

/// Reads the first bytes of an input as a table with the columns given by the user. Without a
/// column of positions, games and moves begin in the starting position.
pub fn table_with_columns(head: &[u8], columns: &Columns, whole: bool) -> Result<Table, NoColumn> {
    let given = columns.fen.as_ref().or(columns.moves.as_ref());
    let fit = |rows: &FirstRows| match given {
        Some(ColumnName::Name(name)) => rows.called(name).is_some(),
        Some(ColumnName::Number(column)) => {
            let is_like = |cell: &Vec<u8>| is_position(cell) || (columns.fen.is_none() && is_all_moves(cell));
            rows.rows.iter().take(2).any(|row| row.get(column.0).is_some_and(is_like))
        }
        None => rows.called(FEN).is_some(),
    };
    // Of equally good delimiters, take the one that gives most cells, or a tab if there is only one
    // cell.
    let rows = DELIMITERS.map(|delimiter| FirstRows::read(head, delimiter, SAMPLE, whole));
    let [first, others @ ..] = &rows;
    let rank = |rows: &FirstRows| (fit(rows), rows.cells().len(), rows.cells().len() == 1 && rows.delimiter == b'\t');
    let rows = others.iter().fold(first, |best, rows| if rank(rows) > rank(best) { rows } else { best });
    let moves = columns.moves.as_ref().map(|moves| rows.column(moves)).transpose()?;
    let named = || rows.called(FEN).ok_or_else(|| rows.no_column(FEN));
    let fen = match &columns.fen {
        Some(fen) => Some(rows.column(fen)?),
        None if moves.is_some() => rows.called(FEN),
        None => Some(named()?),
    };
    if let (Some(column), true) = (fen, fen == moves) {
        return Err(NoColumn::Same { column });
    }
    let has_name = [&columns.fen, &columns.moves].into_iter().flatten().any(|name| matches!(name, ColumnName::Name(_)));
    let has_header = match fen {
        _ if has_name => true,
        Some(column) => columns.fen.is_none() || rows.cells().get(column.0).is_some_and(|cell| is_name(cell)),
        None => rows.has_header(),
    };
    Ok(rows.table(fen, moves, moves.is_some(), has_header))
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
        table_with_columns(text.as_bytes(), &columns_named(fen, moves), true).expect_err("there is no such column").to_string()
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
        let table = |text: &str| match find_table(text.as_bytes(), true) {
            Some(FoundTable::Chess(table)) => Some(table),
            _ => None,
        };
        let puzzles = table(&format!("PuzzleId,FEN,Moves,Rating\n1,{START},e2e4,1500\n"));
        let expected = Table {
            delimiter: b',',
            header: Some(0),
            width: Some(4),
            fen: Some(Column(1)),
            moves: Some(Column(2)),
            label: Some(Column(0)),
            ..Table::default()
        };
        assert_eq!(puzzles, Some(expected));
        let first = Table { width: Some(2), fen: Some(Column(0)), moves: None, label: None, ..expected };
        assert_eq!(table(&format!("fen\tlabel\n{START}\tillegal\n")), Some(Table { delimiter: b'\t', ..first }));
        assert_eq!(table(&format!("fen\n{START}\n")), Some(Table { delimiter: b'\t', width: None, ..first }));
        let quoted = table(&format!("\u{FEFF}\r\n\"moves\"; x;\"Fen\";ID\r\n;;{START};7\r\n"));
        let other = Table {
            delimiter: b';',
            header: Some(5),
            fen: Some(Column(2)),
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
            assert_eq!(find_table(text.as_bytes(), true), None, "{text:?}");
        }
    }

    #[test]
    fn columns_that_the_user_names() {
        let table = |text: &str, fen, moves| {
            let table = table_with_columns(text.as_bytes(), &columns_named(fen, moves), true).expect("the columns are there");
            (
                table.delimiter,
                table.header,
                table.fen.map(|fen| fen.0),
                table.moves.map(|moves| moves.0),
                table.label.map(|label| label.0),
            )
        };
        let text = format!("nr;position;line\n1;{START};e2e4, e7e5\n");
        assert_eq!(table(&text, Some("POSITION"), Some("line")), (b';', Some(0), Some(1), Some(2), Some(0)));
        assert_eq!(table(&text, Some("2"), None), (b';', Some(0), Some(1), None, Some(0)));
        let bare = format!("1\t{START}\te2e4\n2\t{START}\t\n");
        assert_eq!(table(&bare, Some("2"), Some("3")), (b'\t', None, Some(1), Some(2), Some(0)));
        assert_eq!(table(&format!("{START}\n"), Some("1"), None), (b'\t', None, Some(0), None, None));
        // A malformed position is not a name, and neither is an empty cell.
        assert_eq!(table(&format!("8/8/8 w,e2e4\n{START},e2e4\n"), Some("1"), Some("2")), (b',', None, Some(0), Some(1), None));
        assert_eq!(table(&format!(",e2e4\n{START},e2e4\n"), Some("1"), Some("2")), (b',', None, Some(0), Some(1), None));
        let named = format!("id,fen,solution\n1,{START},e2e4\n");
        assert_eq!(table(&named, None, Some("solution")), (b',', Some(0), Some(1), Some(2), Some(0)));
        assert_eq!(table(&named, None, Some("3")), (b',', Some(0), Some(1), Some(2), Some(0)));
    }

    #[test]
    fn a_column_of_movetext_needs_no_positions() {
        let table = |text: &str, moves| {
            let table = table_with_columns(text.as_bytes(), &columns_named(None, Some(moves)), true).expect("a table");
            (table.header, table.fen.map(|fen| fen.0), table.game.map(|game| game.0), table.moves.map(|moves| moves.0))
        };
        let games = "Site;text\n1;1. e4 {[%eval 0.2]} 1... e5 2. Nf3 *\n2;1. d4 d5 *\n";
        assert_eq!(table(games, "TEXT"), (Some(0), None, Some(1), None));
        assert_eq!(table(games, "2"), (Some(0), None, Some(1), None));
        assert_eq!(table("1,e2e4 e7e5\n2,d2d4\n", "2"), (None, None, None, Some(1)));
        assert_eq!(table("id,line\n1,e2e4 e7e5\n2,d2d4\n", "line"), (Some(0), None, None, Some(1)));
        assert_eq!(table(&format!("fen,text\n{START},1. e4 *\n"), "text"), (Some(0), Some(0), Some(1), None));
        assert_eq!(table(&format!("fen,text\n{START},e2e4\n"), "text"), (Some(0), Some(0), None, Some(1)));
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
        assert_eq!(
            error("[Event \"x\"]\n", None, Some("Moves")),
            "there is no column `Moves`; the only column is `[Event \"x\"]`"
        );
        assert_eq!(error("\n\n", Some("fen"), None), "there is no column `fen`; the table is empty");
        let many = (0..30).map(|number| format!("c{number}")).collect::<Vec<_>>().join(",");
        assert!(error(&many, Some("fen"), None).ends_with("`c19` and 10 more"));
    }
}
