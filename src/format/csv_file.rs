//! Writers of tables, for the files of a report and for streams.

use std::{
    fmt::{Display, Write as _},
    fs::File,
    io::{self, Write},
    path::Path,
};

use super::{
    ReportError,
    columns::Column,
    csv_cell::spreadsheet_safe,
    digest::Digesting,
    hash_cell::{finding_id, key_cell},
    run::TableRecord,
};
use crate::{
    identity::{Player, PlayerSpelling, SameBecause},
    rules::{Code, Finding, Keep, Partner},
    text::wording::{printable, printable_name, quantity},
};

/// A table of a report, with its header.
#[derive(Debug)]
pub(crate) struct TableFile {
    name: &'static str,
    rows: Rows<Digesting<File>>,
    written: u64,
}

/// A file of a report that was written completely.
#[derive(Debug)]
pub(crate) struct WrittenFile {
    pub name: &'static str,
    pub file: File,
}

impl TableFile {
    pub fn create(at: &Path, name: &'static str, columns: &[Column]) -> Result<TableFile, ReportError> {
        let failed = |source| ReportError::Write { file: name.into(), source };
        let file = File::create_new(at.join(name)).map_err(failed)?;
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let rows = Rows::begin(Digesting::new(file), &names);
        Ok(TableFile { name, rows, written: 0 })
    }

    /// Writes a row.
    pub fn row(&mut self, fill: impl FnOnce(&mut Row)) -> Result<(), ReportError> {
        self.written += 1;
        let written = self.rows.row(fill);
        written.map_err(|source| ReportError::Write { file: self.name.into(), source })
    }

    /// Ends the file, which is not on the disk yet. Returns it with what `run.json` says about it.
    pub fn end(self) -> Result<(WrittenFile, TableRecord), ReportError> {
        let TableFile { name, rows, written } = self;
        let file = rows.end().map_err(|source| ReportError::Write { file: name.into(), source })?;
        let record = TableRecord { rows: written, xxh3: file.digest() };
        Ok((WrittenFile { name, file: file.into_inner() }, record))
    }
}

/// The items of a list as one cell.
fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join("; ")
}

/// Why a name is that of the player with another name, for people.
fn evidence(because: SameBecause) -> String {
    match because {
        SameBecause::EqualGames(opponents) => format!("equal games against {}", quantity(opponents, "opponent", "opponents")),
        SameBecause::List => "list of spellings".to_owned(),
        SameBecause::SameGame => "equal games of one event and day".to_owned(),
        SameBecause::ThirdName => "both are a third name".to_owned(),
        SameBecause::Id(id) => format!("the rating list has it for FIDE id {id}"),
    }
}

/// Why another spelling is proposed, for people.
pub(crate) fn proposal_evidence(because: Option<SameBecause>) -> String {
    because.map_or_else(|| "the same words".to_owned(), evidence)
}

/// Number of bytes of each table that are written at once.
const BUFFER: usize = 1 << 14;

/// Size of the buffer for a header. Most tables have no rows.
const BUFFER_OF_HEADER: usize = 1 << 10;

/// A CSV writer. Nothing is written before the first row, or the end.
#[derive(Debug)]
pub(crate) struct Rows<W: Write> {
    /// What is written to, until the first row.
    start: Option<W>,
    header: csv::ByteRecord,
    rows: Option<Box<csv::Writer<W>>>,
    row: Row,
}

impl<W: Write> Rows<W> {
    /// A table with these columns.
    pub fn begin(to: W, columns: &[&str]) -> Rows<W> {
        Rows { start: Some(to), header: columns.to_vec().into(), rows: None, row: Row::default() }
    }

    /// Writes a row.
    pub fn row(&mut self, fill: impl FnOnce(&mut Row)) -> io::Result<()> {
        self.row.cells.clear();
        fill(&mut self.row);
        self.open(BUFFER)?;
        Ok(self.rows.as_mut().map_or(Ok(()), |rows| rows.write_byte_record(&self.row.cells))?)
    }

    /// Flushes the rows and returns the inner writer.
    pub fn end(mut self) -> io::Result<W> {
        self.open(BUFFER_OF_HEADER)?;
        let rows = self.rows.ok_or(io::ErrorKind::WriteZero)?;
        rows.into_inner().map_err(csv::IntoInnerError::into_error)
    }

    /// Begins with the header, if nothing is written yet.
    fn open(&mut self, capacity: usize) -> io::Result<()> {
        if let Some(to) = self.start.take() {
            let mut rows = csv::WriterBuilder::new().buffer_capacity(capacity).from_writer(to);
            rows.write_byte_record(&self.header)?;
            self.rows = Some(Box::new(rows));
        }
        Ok(())
    }
}

/// A row that is being written, cell by cell.
#[derive(Debug, Default)]
pub(crate) struct Row {
    cells: csv::ByteRecord,
    buffer: String,
}

impl Row {
    /// Writes text that may come from an input. Characters that are not printable are escaped.
    pub fn text(&mut self, text: &str) {
        self.printable(&printable(text));
    }

    /// Writes the name of an input. It can be restored from the cell, to find the file.
    pub fn name(&mut self, name: &str) {
        self.printable(&printable_name(name));
    }

    /// Writes text. Only spreadsheets need a quote before formulas.
    fn printable(&mut self, text: &str) {
        self.cells.push_field(spreadsheet_safe(text).as_bytes());
    }

    /// Writes a hash.
    pub fn key(&mut self, hash: u64) {
        self.word(&key_cell(hash));
    }

    /// Writes a hash, or an empty cell.
    pub fn key_some(&mut self, hash: Option<u64>) {
        match hash {
            Some(hash) => self.key(hash),
            None => self.word(""),
        }
    }

    /// Writes the code of a rule.
    pub fn code(&mut self, code: Code) {
        self.cells.push_field(&code.text());
    }

    /// Writes a word of the program, which is never escaped, or an empty cell.
    pub fn word(&mut self, word: &str) {
        self.cells.push_field(word.as_bytes());
    }

    /// Writes a number.
    pub fn number(&mut self, value: impl itoa::Integer) {
        let mut buffer = itoa::Buffer::new();
        self.cells.push_field(buffer.format(value).as_bytes());
    }

    /// Writes a number, or an empty cell.
    pub fn number_some(&mut self, value: Option<impl itoa::Integer>) {
        match value {
            Some(value) => self.number(value),
            None => self.word(""),
        }
    }

    /// Writes a code.
    pub fn show(&mut self, value: impl Display) {
        self.buffer.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.buffer, "{value}");
        self.cells.push_field(self.buffer.as_bytes());
    }

    /// Writes a code, or an empty cell.
    pub fn show_some(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.show(value),
            None => self.word(""),
        }
    }

    /// Writes the cells of a finding, see [`super::COLUMNS`].
    pub fn finding(&mut self, input: &str, finding: &Finding) {
        self.word(&finding_id(input, finding));
        self.code(finding.rule.code);
        self.word(finding.rule.name);
        self.word(finding.severity.as_str());
        self.name(input);
        self.number(finding.line);
        self.number(finding.column);
        self.number(finding.place.start);
        self.number(finding.place.end);
        self.number_some((finding.game > 0).then_some(finding.game));
        self.number_some(finding.ply);
        self.text(&finding.variation_path());
        self.text(&finding.move_text);
        self.text(&finding.found);
        self.text(&finding.expected);
        self.text(&list(&finding.alternatives, String::clone));
        self.show_some(finding.cause);
        self.text(finding.certainty().map(|repair| repair.as_str()).unwrap_or_default());
        self.number_some(finding.repair_ply);
        self.text(&finding.fen);
        self.text(&finding.game_label);
        self.text(&finding.message);
        self.show(finding.known);
        self.key(finding.fingerprint);
    }

    /// Writes the cells of a player, see [`super::columns::PLAYERS`]. Lists are text even if they
    /// have only one number.
    pub fn player(&mut self, player: &Player) {
        let Player { name, spellings, games, years, ratings, fide_ids, inputs, same_as, may_be, .. } = player;
        self.text(name);
        self.text(&list(spellings, |PlayerSpelling { text, games, .. }| format!("{text} ({games})")));
        self.number(*games);
        self.number_some(years.map(|(first, _)| first));
        self.number_some(years.map(|(_, last)| last));
        self.number_some(ratings.map(|(lowest, _)| lowest));
        self.number_some(ratings.map(|(_, highest)| highest));
        self.text(&list(fide_ids, |id| format!("FIDE {id}")));
        self.number(*inputs);
        self.text(&list(same_as, |other| other.name.clone()));
        self.text(&list(same_as, |other| evidence(other.because)));
        self.text(&list(may_be, String::clone));
    }

    /// Writes the cells of a spelling of a name for which another one is proposed, see
    /// [`super::columns::NAMES`].
    pub fn name_proposal(&mut self, spelling: &PlayerSpelling, main: &str, because: Option<SameBecause>) {
        let PlayerSpelling { text, games, years, ratings } = spelling;
        self.text(text);
        self.text(main);
        self.text("");
        self.number(*games);
        self.number_some(years.map(|(first, _)| first));
        self.number_some(years.map(|(_, last)| last));
        self.number_some(ratings.map(|(lowest, _)| lowest));
        self.number_some(ratings.map(|(_, highest)| highest));
        self.text(&proposal_evidence(because));
    }

    /// Writes the cells of the other record of a finding, see [`super::PARTNER_COLUMNS`].
    pub fn partner(&mut self, partner: Option<&Partner>) {
        let Some(Partner { cluster, input, game, line, keep, reason, .. }) = partner else {
            return super::PARTNER_COLUMNS.iter().for_each(|_| self.word(""));
        };
        self.text(cluster);
        self.name(input);
        self.number(*game);
        self.number(*line);
        self.text(keep.map_or("", Keep::as_str));
        self.text(reason);
    }
}
