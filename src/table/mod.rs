//! Rows and cells of CSV-like tables, each with its place.

mod cells;
mod columns;
mod enclosed;
mod enclosed_games;
mod layout;

use csv_core::ReadFieldResult;
use memchr::{memchr, memchr2};

use crate::{
    pgn::{BOM, KnownTag, line_end},
    text::Span,
};

pub use cells::{is_empty_value, separates_moves};
pub use columns::{Column, ColumnName, Columns, FoundTable, NoColumn, find_table, names_variant, table_with_columns};
pub use enclosed::{Enclosed, JsonFault, engine_lines, fields_beside, json_fault, next_enclosed};
pub use enclosed_games::{Delimiter, delimiter_of_games};
pub use layout::Layout;

/// Maximum length of a row that is read, so that an unclosed quote does not affect the rest of the
/// input.
pub(crate) const MAX_ROW: usize = 1 << 20;

/// The delimiter of the cells of a Markdown table.
const MARKDOWN: u8 = b'|';

/// The layout of a table: its delimiter and columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The delimiter of cells.
    pub delimiter: u8,
    /// The byte offset of the header, if there is one. Text before it is not part of the table.
    pub header: Option<usize>,
    /// Number of cells of the header, without empty ones at its end. `None` without a header, or
    /// with a single column.
    pub width: Option<usize>,
    /// The column of positions, if there is one. There is one, or one of games or moves.
    pub fen: Option<Column>,
    /// Number of columns after it with one field of the position each: 0, 3 or 5.
    pub more_fields: usize,
    /// The column of games: movetext, or tag pairs and movetext.
    pub game: Option<Column>,
    /// The column of moves that are played from the position, or else from the starting position.
    pub moves: Option<Column>,
    /// Whether the user gave the column of moves.
    pub moves_asked: bool,
    /// What is known of the last cell of rows that do not have as many cells as the header.
    pub last: LastCell,
    /// The columns named like tags.
    pub tags: TagColumns,
    /// The column of variants, named like the tag, if there is one.
    pub variant: Option<Column>,
    /// Whether most of its cells name a variant, so that it has no other meaning.
    pub has_variants: bool,
    /// The column that identifies a row for people, if there is one.
    pub label: Option<Column>,
}

/// The last cell of a row that does not have as many cells as the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastCell {
    /// It is in one of the columns.
    #[default]
    Unknown,
    /// It may be that of the game or the moves, which are in the last column.
    Moves,
    /// It is that of the game or the moves. Many rows have cells that were split.
    MovesOfSplitRows,
}

/// The tags that a column may be named like. The columns of positions and variants are found in
/// other ways.
const TAGS: [KnownTag; 16] = [
    KnownTag::Event,
    KnownTag::Site,
    KnownTag::Date,
    KnownTag::Round,
    KnownTag::White,
    KnownTag::Black,
    KnownTag::Result,
    KnownTag::WhiteElo,
    KnownTag::BlackElo,
    KnownTag::WhiteTitle,
    KnownTag::BlackTitle,
    KnownTag::Eco,
    KnownTag::UtcDate,
    KnownTag::TimeControl,
    KnownTag::Termination,
    KnownTag::PlyCount,
];

/// For each tag of `TAGS`, the number of the column named like it, from 1; 0 if there is none.
/// Columns after the first 255 are not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagColumns([u8; TAGS.len()]);

impl TagColumns {
    /// The columns that `find` finds.
    fn of(find: impl Fn(KnownTag) -> Option<Column>) -> TagColumns {
        TagColumns(TAGS.map(|tag| find(tag).and_then(|column| u8::try_from(column.0 + 1).ok()).unwrap_or(0)))
    }

    /// The tags and their columns.
    pub fn iter(self) -> impl Iterator<Item = (KnownTag, Column)> {
        TAGS.into_iter().zip(self.0).filter_map(|(tag, number)| Some((tag, Column(usize::from(number).checked_sub(1)?))))
    }
}

impl Table {
    /// The column of `wanted` in the current row of `rows`: the last cell, if that is where its
    /// game or moves are.
    pub fn column_in(&self, wanted: Column, rows: &RowReader, text: &[u8]) -> Column {
        let is_moves = Some(wanted) == self.game.or(self.moves);
        let cells = rows.cells().len();
        if self.last == LastCell::Unknown || !is_moves || cells == wanted.0 + 1 || cells == 0 {
            return wanted;
        }
        let last = Column(cells - 1);
        let is_moves = rows.content(text, last).is_some_and(|cell| cells::is_moves(cell.bytes(text)));
        if is_moves { last } else { wanted }
    }
}

/// The end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowEnd {
    /// The end of the row, without the line break, in bytes from 0.
    pub end: usize,
    /// The start of the next row.
    pub next: usize,
    /// The place of an unclosed quote. Its cell and the rest of the line are not among the cells.
    pub open_quote: Option<usize>,
    /// Whether the end of the text affected the result.
    pub touched_end: bool,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellContent {
    /// Bytes of the text, unchanged.
    Plain(Span),
    /// Bytes with doubled quotes in the text, or partly in quotes.
    Unquoted(Unquoted),
}

impl CellContent {
    /// The bytes of the content. `text` is that of the cell.
    pub fn bytes<'a>(&'a self, text: &'a [u8]) -> &'a [u8] {
        match self {
            CellContent::Plain(place) => place.of(text),
            CellContent::Unquoted(content) => &content.bytes,
        }
    }

    /// The place of the content in the text.
    pub fn place(&self) -> Span {
        match self {
            CellContent::Plain(place) => *place,
            CellContent::Unquoted(content) => content.place(content.whole()),
        }
    }
}

/// The content of a cell without quotes, and the place of each byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unquoted {
    /// The content.
    pub bytes: Vec<u8>,
    /// The place of each byte, and the place after the last one.
    places: Vec<usize>,
}

impl Unquoted {
    /// Removes the quotes of `cell`, which starts with a quote.
    fn of(text: &[u8], cell: Span) -> Unquoted {
        let mut unquoted = Unquoted::default();
        let mut at = cell.start + 1;
        let mut in_quotes = true;
        while at < cell.end {
            if in_quotes && text[at] == b'"' {
                in_quotes = at + 1 < cell.end && text[at + 1] == b'"';
                at += 1;
                if !in_quotes {
                    continue;
                }
            }
            if unquoted.bytes.len() == MAX_ROW {
                break;
            }
            unquoted.push(text[at], at);
            at += 1;
        }
        unquoted.places.push(unquoted.places.last().map_or(cell.start + 1, |last| last + 1));
        unquoted
    }

    /// Adds a byte that stands at `place`.
    fn push(&mut self, byte: u8, place: usize) {
        self.bytes.push(byte);
        self.places.push(place);
    }

    /// The bytes of a string in `place` without its backslashes.
    fn without_backslashes(text: &[u8], place: Span) -> Unquoted {
        let mut unquoted = Unquoted::default();
        let mut is_escaped = false;
        for (at, &byte) in (place.start..).zip(place.of(text)) {
            is_escaped = byte == b'\\' && !is_escaped;
            if !is_escaped {
                unquoted.push(byte, at);
            }
        }
        unquoted.places.push(place.end);
        unquoted
    }

    /// The fields of a position in several cells, with a space between them. What is empty is
    /// written as `-`.
    fn joined(text: &[u8], cells: impl Iterator<Item = CellContent>) -> Unquoted {
        let mut joined = Unquoted::default();
        for cell in cells {
            let place = cell.place();
            if !joined.bytes.is_empty() {
                joined.push(b' ', place.start);
            }
            if cell.bytes(text).is_empty() {
                joined.push(b'-', place.start);
            } else {
                joined.extend(text, &cell);
            }
        }
        joined.places.push(joined.places.last().map_or(0, |last| last + 1));
        joined
    }

    /// Several contents, one after the other.
    fn concat(text: &[u8], contents: &[CellContent]) -> Unquoted {
        let mut all = Unquoted::default();
        contents.iter().for_each(|content| all.extend(text, content));
        all.places.push(all.places.last().map_or(0, |last| last + 1));
        all
    }

    fn extend(&mut self, text: &[u8], content: &CellContent) {
        let bytes = content.bytes(text);
        self.bytes.extend_from_slice(bytes);
        match content {
            CellContent::Plain(place) => self.places.extend(place.start..place.end),
            CellContent::Unquoted(inner) => self.places.extend(&inner.places[..bytes.len()]),
        }
    }

    /// The span of the whole content.
    pub fn whole(&self) -> Span {
        Span::new(0, self.bytes.len())
    }

    /// The place of all bytes that stand for `span` in a cell in one pair of quotes, both bytes of
    /// a doubled quote included.
    pub fn place_with_quotes(&self, span: Span) -> Option<Span> {
        let place = |at: usize| Some(self.places.get(at)? - usize::from(self.bytes.get(at) == Some(&b'"')));
        Some(Span::new(place(span.start)?, place(span.end)?))
    }

    /// Whether one pair of quotes encloses the whole cell of `text`.
    pub fn is_in_one_pair_of_quotes(&self, text: &[u8]) -> bool {
        let doubled = memchr::memchr_iter(b'"', &self.bytes).count();
        let whole = self.place_with_quotes(self.whole());
        whole.is_some_and(|place| place.end - place.start == self.bytes.len() + doubled && text.get(place.end) == Some(&b'"'))
    }

    /// The place of `span`, a part of the content, in the text.
    pub fn place(&self, span: Span) -> Span {
        let place = |at: usize| self.places.get(at).or(self.places.last()).copied().unwrap_or_default();
        let end = if span.end > span.start { place(span.end - 1) + 1 } else { place(span.start) };
        Span::new(place(span.start), end)
    }
}

/// Reads rows one by one.
#[derive(Debug)]
pub struct RowReader {
    csv: Box<csv_core::Reader>,
    delimiter: u8,
    /// Output buffer for the library. Only the places of the cells are used.
    scratch: Box<[u8]>,
    cells: Vec<Span>,
}

impl RowReader {
    /// Creates a reader for cells separated by `delimiter`.
    pub fn new(delimiter: u8) -> RowReader {
        RowReader {
            csv: Box::new(csv_core::ReaderBuilder::new().delimiter(delimiter).build()),
            delimiter,
            scratch: vec![0; 4096].into_boxed_slice(),
            cells: Vec::new(),
        }
    }

    /// The cells of the current row, quotes included. A blank line has no cells.
    pub fn cells(&self) -> &[Span] {
        &self.cells
    }

    /// The content of a cell of the current row, without quotes or whitespace around it; `None` if
    /// the row has no such column. In Markdown, backquotes enclose code.
    pub fn content(&self, text: &[u8], column: Column) -> Option<CellContent> {
        let cell = *self.cells.get(column.0)?;
        if text.get(cell.start) != Some(&b'"') || cell.end <= cell.start {
            let plain = trim(text, cell);
            let is_code = self.delimiter == MARKDOWN && matches!(plain.of(text), [b'`', .., b'`']);
            return Some(CellContent::Plain(if is_code { Span::new(plain.start + 1, plain.end - 1) } else { plain }));
        }
        let inner = Span::new(cell.start + 1, cell.end.max(cell.start + 2) - 1);
        let plain = cell.end >= cell.start + 2 && text[cell.end - 1] == b'"' && memchr(b'"', inner.of(text)).is_none();
        Some(if plain { CellContent::Plain(inner) } else { CellContent::Unquoted(Unquoted::of(text, cell)) })
    }

    /// Whether the current row is the one between the header of a Markdown table and its other
    /// rows: its cells are hyphens, perhaps with a colon that says how the column is aligned.
    pub fn is_rule_of_markdown(&self, text: &[u8]) -> bool {
        let is_rule = |cell: &Span| cell.of(text).iter().all(|byte| matches!(byte, b'-' | b':' | b' '));
        let has_line = |cell: &Span| memchr::memmem::find(cell.of(text), b"--").is_some();
        self.delimiter == MARKDOWN && self.cells.iter().all(is_rule) && self.cells.iter().any(has_line)
    }

    /// The position of the current row, whose fields may be in several cells.
    pub fn position(&self, text: &[u8], table: &Table) -> Option<CellContent> {
        let first = table.fen?;
        if table.more_fields == 0 {
            return self.content(text, first);
        }
        self.content(text, first)?;
        let cells = (first.0..=first.0 + table.more_fields).map_while(|column| self.content(text, Column(column)));
        Some(CellContent::Unquoted(Unquoted::joined(text, cells)))
    }

    /// Reads the row that starts at `start`.
    ///
    /// Line breaks in quotes are part of the cell. The closing quote of a cell with line breaks
    /// must be within 1 MiB, and a delimiter, a line break or the end of the text must follow it.
    /// Otherwise the quote is unclosed, and the row ends with the line of the opening quote.
    pub fn read(&mut self, text: &[u8], start: usize) -> RowEnd {
        self.cells.clear();
        self.csv.reset();
        let limit = start.saturating_add(MAX_ROW).min(text.len());
        let mut at = start;
        if text[start..limit].starts_with(BOM) {
            at += BOM.len();
        }
        // The library would skip blank lines silently.
        if matches!(text.get(at), None | Some(b'\n' | b'\r')) {
            return row_end(text, at, false);
        }
        loop {
            let cell = at;
            if text.get(at) == Some(&b'"')
                && let Closing::Never { looked_to } = self.closing(text, at, limit)
            {
                let end = row_end(text, line_end(text, at), looked_to == text.len());
                return RowEnd { open_quote: Some(at), ..end };
            }
            let record_end = loop {
                let (result, read, _) = self.csv.read_field(&text[at..limit], &mut self.scratch);
                at += read;
                match result {
                    ReadFieldResult::Field { record_end } if at < limit || read > 0 => break Some(record_end),
                    ReadFieldResult::OutputFull => {}
                    _ => break None,
                }
            };
            match record_end {
                Some(false) => self.cells.push(Span::new(cell, at - 1)),
                Some(true) => {
                    self.cells.push(Span::new(cell, at - 1));
                    return row_end(text, at - 1, false);
                }
                None => {
                    // The text ends, or the row is too long.
                    let end = if limit == text.len() { limit } else { line_end(text, limit) };
                    self.cells.push(Span::new(cell, end));
                    return row_end(text, end, limit == text.len());
                }
            }
        }
    }

    /// Whether the quote at `open` is closed. In a cell without line breaks, any text can follow
    /// the closing quote.
    fn closing(&self, text: &[u8], open: usize, limit: usize) -> Closing {
        let mut at = open + 1;
        while let Some(found) = text.get(at..limit).and_then(|rest| memchr(b'"', rest)) {
            let quote = at + found;
            match text.get(quote + 1) {
                Some(b'"') => at = quote + 2,
                None | Some(b'\n' | b'\r') => return Closing::Quote,
                Some(&byte) if byte == self.delimiter => return Closing::Quote,
                Some(_) if memchr2(b'\n', b'\r', &text[open..quote]).is_none() => return Closing::Quote,
                Some(_) => return Closing::Never { looked_to: quote + 1 },
            }
        }
        Closing::Never { looked_to: limit }
    }
}

/// Whether a quoted cell is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    /// There is a closing quote.
    Quote,
    /// There is no closing quote up to the byte `looked_to`.
    Never { looked_to: usize },
}

/// The end of a row whose line break is at `end`.
fn row_end(text: &[u8], end: usize, touched_end: bool) -> RowEnd {
    let next = match text.get(end) {
        None => end,
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => end + 2,
        Some(_) => end + 1,
    };
    RowEnd { end, next, open_quote: None, touched_end: touched_end || next >= text.len() }
}

/// A cell without the spaces and tabs around it.
fn trim(text: &[u8], cell: Span) -> Span {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let content = cell.of(text);
    let before = content.iter().take_while(|byte| is_blank(byte)).count();
    let after = content[before..].iter().rev().take_while(|byte| is_blank(byte)).count();
    Span::new(cell.start + before, cell.end - after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contents of the cells of each row, and whether the row has an unclosed quote.
    fn rows(text: &str) -> Vec<(Vec<String>, bool)> {
        let mut reader = RowReader::new(b',');
        let mut rows = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let row = reader.read(text.as_bytes(), at);
            assert!(row.next > at && row.end <= row.next);
            let cells = (0..reader.cells().len()).map(|index| match reader.content(text.as_bytes(), Column(index)) {
                Some(CellContent::Plain(place)) => text[place.start..place.end].to_owned(),
                Some(CellContent::Unquoted(content)) => String::from_utf8(content.bytes).expect("still text"),
                None => panic!("the cell is there"),
            });
            rows.push((cells.collect(), row.open_quote.is_some()));
            assert_eq!(reader.content(text.as_bytes(), Column(reader.cells().len())), None);
            at = row.next;
        }
        rows
    }

    fn cells(text: &str) -> Vec<String> {
        let mut rows = rows(text);
        assert_eq!(rows.len(), 1, "{rows:?}");
        let (cells, open) = rows.remove(0);
        assert!(!open);
        cells
    }

    #[test]
    fn cells_have_their_contents() {
        assert_eq!(cells("a,b c,\n"), ["a", "b c", ""]);
        assert_eq!(cells(" a , b"), ["a", "b"]);
        assert_eq!(cells("\"a,b\",\"\",\"c\"\r\n"), ["a,b", "", "c"]);
        assert_eq!(cells("\"a\nb\r\n\",c\r"), ["a\nb\r\n", "c"]);
        assert_eq!(cells("\"a \"\"b\"\"\",\"\"\"\"\n"), ["a \"b\"", "\""]);
        assert_eq!(cells("a\"b\"c,d\n"), ["a\"b\"c", "d"]);
        assert_eq!(cells("\"a, b\" c,d\n"), ["a, b c", "d"]);
        assert_eq!(cells("\u{FEFF}\"a\",b\n"), ["a", "b"]);
        assert_eq!(cells("a,"), ["a", ""]);
        assert_eq!(cells(",\n"), ["", ""]);
    }

    #[test]
    fn blank_lines_are_rows_without_cells() {
        let lengths: Vec<usize> = rows("a\n\n\r\nb\r\rc").iter().map(|(cells, _)| cells.len()).collect();
        assert_eq!(lengths, [1, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn an_unclosed_quote_ends_with_its_line() {
        for text in ["a,\"b,c\nd,e\n", "a,\"b,c\nd,\"e\"\n", "a,\"b,c\nd,\"\",e\n", "a,\"b,c\r\nd,\"e, f\",g\r\n"] {
            let rows = rows(text);
            assert_eq!(rows[0], (vec!["a".to_owned()], true), "{text:?}");
            assert_eq!((rows[1].0[0].as_str(), rows[1].1), ("d", false), "{text:?}");
            assert_eq!(rows.len(), 2, "{text:?}");
        }
        let far = format!("a,\"{}\"\nd\n", "b\n".repeat(MAX_ROW));
        let mut reader = RowReader::new(b',');
        assert_eq!(reader.read(far.as_bytes(), 0), RowEnd { end: 4, next: 5, open_quote: Some(2), touched_end: false });
        let near = format!("a,\"{}\"\nd\n", "b\n".repeat(MAX_ROW / 4));
        assert_eq!(reader.read(near.as_bytes(), 0).next, near.len() - 2);
    }

    #[test]
    fn long_rows_are_cut() {
        let text = format!("a,b,{}\nc\n", "x,".repeat(MAX_ROW));
        let mut reader = RowReader::new(b',');
        let row = reader.read(text.as_bytes(), 0);
        assert_eq!((row.next, row.touched_end), (text.len() - 2, false));
        assert_eq!(reader.content(text.as_bytes(), Column(1)), Some(CellContent::Plain(Span::new(2, 3))));
    }

    #[test]
    fn results_at_the_end_of_the_text_are_marked() {
        let mut reader = RowReader::new(b',');
        for (text, touched) in
            [("a,b", true), ("a,b\n", true), ("a,b\nc", false), ("a,\"b\nc", true), ("a,\"b\nc\"d", false), ("\nx", false)]
        {
            assert_eq!(reader.read(text.as_bytes(), 0).touched_end, touched, "{text:?}");
        }
    }

    #[test]
    fn every_byte_of_a_cell_has_its_place() {
        let text = b"x,\"a\"\"b\"\"\nc\",y\n";
        let mut reader = RowReader::new(b',');
        reader.read(text, 0);
        let Some(CellContent::Unquoted(content)) = reader.content(text, Column(1)) else { panic!("quotes are doubled") };
        assert_eq!(content.bytes, b"a\"b\"\nc");
        for at in 0..content.bytes.len() {
            let place = content.place(Span::new(at, at + 1));
            assert_eq!(place.of(text), &content.bytes[at..=at]);
        }
        assert_eq!(content.place(content.whole()), Span::new(3, 11));
        assert_eq!(content.place(Span::new(6, 6)), Span::new(11, 11));
        reader.read(b"\"\"\"\"", 0);
        let Some(CellContent::Unquoted(content)) = reader.content(b"\"\"\"\"", Column(0)) else { panic!("quotes are doubled") };
        assert_eq!(content.place(content.whole()), Span::new(2, 3));
    }
}
