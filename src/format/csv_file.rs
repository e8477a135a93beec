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
    hash_cell::{finding_id, key},
    run::TableRecord,
};
use crate::{
    identity::{Player, PlayerSpelling, SameBecause},
    rules::{Finding, Keep, Partner},
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
        let rows = Rows::begin(Digesting::new(file), &names).map_err(failed)?;
        Ok(TableFile { name, rows, written: 0 })
    }

    /// Writes a row.
    pub fn row(&mut self, fill: impl FnOnce(&mut Row<'_, Digesting<File>>) -> csv::Result<()>) -> Result<(), ReportError> {
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

/// Number of bytes of each table that are written at once. Most tables stay empty.
const BUFFER: usize = 1 << 14;

/// A CSV writer that has written its header.
#[derive(Debug)]
pub(crate) struct Rows<W: Write> {
    writer: csv::Writer<W>,
    buffer: String,
}

impl<W: Write> Rows<W> {
    /// Writes the header.
    pub fn begin(to: W, columns: &[&str]) -> io::Result<Rows<W>> {
        let mut writer = csv::WriterBuilder::new().buffer_capacity(BUFFER).from_writer(to);
        writer.write_record(columns)?;
        Ok(Rows { writer, buffer: String::new() })
    }

    /// Writes a row.
    pub fn row(&mut self, fill: impl FnOnce(&mut Row<'_, W>) -> csv::Result<()>) -> io::Result<()> {
        fill(&mut Row { writer: &mut self.writer, buffer: &mut self.buffer })?;
        self.writer.write_record(None::<&[u8]>).map_err(io::Error::from)
    }

    /// Flushes the rows and returns the inner writer.
    pub fn end(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// A row that is being written, cell by cell.
pub(crate) struct Row<'a, W: Write> {
    writer: &'a mut csv::Writer<W>,
    buffer: &'a mut String,
}

impl<W: Write> Row<'_, W> {
    /// Writes text that may come from an input. Characters that are not printable are escaped.
    pub fn text(&mut self, text: &str) -> csv::Result<()> {
        self.printable(&printable(text))
    }

    /// Writes the name of an input. It can be restored from the cell, to find the file.
    pub fn name(&mut self, name: &str) -> csv::Result<()> {
        self.printable(&printable_name(name))
    }

    /// Writes text. Only spreadsheets need a quote before formulas.
    fn printable(&mut self, text: &str) -> csv::Result<()> {
        self.writer.write_field(spreadsheet_safe(text).as_bytes())
    }

    /// Writes a number.
    pub fn number(&mut self, value: impl itoa::Integer) -> csv::Result<()> {
        let mut buffer = itoa::Buffer::new();
        self.writer.write_field(buffer.format(value).as_bytes())
    }

    /// Writes a number or a code.
    pub fn show(&mut self, value: impl Display) -> csv::Result<()> {
        self.buffer.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.buffer, "{value}");
        self.writer.write_field(self.buffer.as_bytes())
    }

    /// Writes a number or a code, or an empty cell.
    pub fn show_some(&mut self, value: Option<impl Display>) -> csv::Result<()> {
        match value {
            Some(value) => self.show(value),
            None => self.printable(""),
        }
    }

    /// Writes the cells of a finding, see [`super::COLUMNS`].
    pub fn finding(&mut self, input: &str, finding: &Finding) -> csv::Result<()> {
        self.text(&finding_id(input, finding))?;
        self.show(finding.rule.code)?;
        self.text(finding.rule.name)?;
        self.text(finding.severity.as_str())?;
        self.name(input)?;
        self.number(finding.line)?;
        self.number(finding.column)?;
        self.number(finding.place.start)?;
        self.number(finding.place.end)?;
        self.show_some((finding.game > 0).then_some(finding.game))?;
        self.show_some(finding.ply)?;
        self.text(&finding.variation_path())?;
        self.text(&finding.move_text)?;
        self.text(&finding.found)?;
        self.text(&finding.expected)?;
        self.text(&list(&finding.alternatives, String::clone))?;
        self.show_some(finding.cause)?;
        self.text(finding.certainty().map(|repair| repair.as_str()).unwrap_or_default())?;
        self.show_some(finding.repair_ply)?;
        self.text(&finding.fen)?;
        self.text(&finding.game_label)?;
        self.text(&finding.message)?;
        self.show(finding.known)?;
        self.text(&key(finding.fingerprint))
    }

    /// Writes the cells of a player, see [`super::columns::PLAYERS`]. Lists are text even if they
    /// have only one number.
    pub fn player(&mut self, player: &Player) -> csv::Result<()> {
        let Player { name, spellings, games, years, ratings, fide_ids, inputs, same_as, may_be, .. } = player;
        self.text(name)?;
        self.text(&list(spellings, |PlayerSpelling { text, games, .. }| format!("{text} ({games})")))?;
        self.number(*games)?;
        self.show_some(years.map(|(first, _)| first))?;
        self.show_some(years.map(|(_, last)| last))?;
        self.show_some(ratings.map(|(lowest, _)| lowest))?;
        self.show_some(ratings.map(|(_, highest)| highest))?;
        self.text(&list(fide_ids, |id| format!("FIDE {id}")))?;
        self.number(*inputs)?;
        self.text(&list(same_as, |other| other.name.clone()))?;
        self.text(&list(same_as, |other| evidence(other.because)))?;
        self.text(&list(may_be, String::clone))
    }

    /// Writes the cells of a spelling of a name for which another one is proposed, see
    /// [`super::columns::NAMES`].
    pub fn name_proposal(&mut self, spelling: &PlayerSpelling, main: &str, because: Option<SameBecause>) -> csv::Result<()> {
        let PlayerSpelling { text, games, years, ratings } = spelling;
        self.text(text)?;
        self.text(main)?;
        self.text("")?;
        self.number(*games)?;
        self.show_some(years.map(|(first, _)| first))?;
        self.show_some(years.map(|(_, last)| last))?;
        self.show_some(ratings.map(|(lowest, _)| lowest))?;
        self.show_some(ratings.map(|(_, highest)| highest))?;
        self.text(&proposal_evidence(because))
    }

    /// Writes the cells of the other record of a finding, see [`super::PARTNER_COLUMNS`].
    pub fn partner(&mut self, partner: Option<&Partner>) -> csv::Result<()> {
        let Some(Partner { cluster, input, game, line, keep, reason, .. }) = partner else {
            return super::PARTNER_COLUMNS.iter().try_for_each(|_| self.text(""));
        };
        self.text(cluster)?;
        self.name(input)?;
        self.number(*game)?;
        self.number(*line)?;
        self.text(keep.map_or("", Keep::as_str))?;
        self.text(reason)
    }
}
