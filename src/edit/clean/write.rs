//! Writes texts with their changes, and tables that say what was done with each byte.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::{
    changes::{Destination, Edit, Moved},
    text::Text,
};
use crate::{
    corpus::without_packing,
    edit::{
        SplitError,
        split::{InputText, Target, annotation, of_bytes},
    },
    format::{CheckedFiles, spreadsheet_safe},
    pgn::BOM,
    pipeline::BadRecord,
    report::repairs::escaped,
    rules::{Code, rule},
    spill::WrittenLog,
    table::Layout,
    text::wording::{printable, printable_name},
};

/// The columns of `changes.csv`.
const CHANGES: [&str; 8] = ["input", "byte", "before", "after", "rule", "why", "file", "file_byte"];

/// The columns of `records.csv`.
const RECORDS: [&str; 6] = ["input", "byte", "end_byte", "file", "file_byte", "file_end_byte"];

/// The columns of `copies.csv` and `aside.csv`.
const REASONS: [&str; 11] =
    ["file", "file_byte", "input", "game", "byte", "line", "column", "rule", "name", "severity", "message"];

/// The columns of `inputs.csv`.
const INPUTS: [&str; 7] = ["input", "file", "records", "kept", "copies", "aside", "changes"];

/// What is said of text that has no findings.
const NO_RECORD: &str = "belongs to no record, or was not checked";

/// Logs of several audits, which are read as one.
#[derive(Debug, Default)]
pub(super) struct Logs(Vec<WrittenLog>);

/// Number of bits of a place in one log.
const PLACE_BITS: u32 = 44;

impl Logs {
    /// What is added to places in the next log.
    pub fn base(&self) -> u64 {
        (self.0.len() as u64) << PLACE_BITS
    }

    pub fn add(&mut self, log: WrittenLog) {
        self.0.push(log);
    }

    fn get(&self, at: u64) -> io::Result<Cow<'_, [u8]>> {
        let log = self.0.get((at >> PLACE_BITS) as usize).ok_or(io::ErrorKind::InvalidData)?;
        log.get(at & ((1 << PLACE_BITS) - 1))
    }

    fn record(&self, at: u64) -> io::Result<BadRecord> {
        of_bytes(&self.get(at)?).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// The rule and the message of a reason.
    fn reason(&self, at: u64) -> io::Result<(String, String)> {
        let bytes = self.get(at)?;
        let (code, message) = bytes.split_at_checked(Code::LENGTH).ok_or(io::ErrorKind::InvalidData)?;
        Ok((String::from_utf8_lossy(code).into_owned(), String::from_utf8_lossy(message).into_owned()))
    }
}

/// The tables of a clean corpus, while they are written.
pub(super) struct Tables {
    changes: Rows,
    records: Rows,
    copies: Rows,
    aside: Rows,
    inputs: Rows,
}

struct Rows {
    path: PathBuf,
    rows: csv::Writer<BufWriter<File>>,
}

impl Rows {
    fn create(directory: &Path, name: &str, columns: &[&str]) -> Result<Rows, SplitError> {
        let path = directory.join(name);
        let file = File::create_new(&path).map_err(|source| SplitError::unwritable(&path, source))?;
        let mut rows = Rows { path, rows: csv::Writer::from_writer(BufWriter::new(file)) };
        rows.add(columns)?;
        Ok(rows)
    }

    fn add(&mut self, row: &[impl AsRef<[u8]>]) -> Result<(), SplitError> {
        self.rows.write_record(row).map_err(|error| SplitError::unwritable(&self.path, error.into()))
    }

    fn finish(self) -> Result<(), SplitError> {
        let Rows { path, rows } = self;
        let unwritable = |source| SplitError::unwritable(&path, source);
        let file = rows.into_inner().map_err(|error| unwritable(io::Error::other(error.to_string())))?;
        file.into_inner().map_err(|error| unwritable(error.into_error()))?.sync_all().map_err(unwritable)
    }
}

impl Tables {
    /// The names of the tables begin with `prefix`.
    pub fn create(directory: &Path, prefix: &str) -> Result<Tables, SplitError> {
        let create = |name: &str, columns: &[&str]| Rows::create(directory, &format!("{prefix}{name}"), columns);
        Ok(Tables {
            changes: create("changes.csv", &CHANGES)?,
            records: create("records.csv", &RECORDS)?,
            copies: create("copies.csv", &REASONS)?,
            aside: create("aside.csv", &REASONS)?,
            inputs: create("inputs.csv", &INPUTS)?,
        })
    }

    /// Waits until all tables are on the disk.
    pub fn finish(self) -> Result<(), SplitError> {
        [self.changes, self.records, self.copies, self.aside, self.inputs].into_iter().try_for_each(Rows::finish)
    }
}

/// A name as it is in tables.
fn shown(name: &str) -> String {
    spreadsheet_safe(&printable_name(name)).into_owned()
}

/// Where the texts of a corpus are written.
pub(super) struct Corpus<'a> {
    pub directory: &'a Path,
    /// The name of the only file for what stays; `None` for one file for each text.
    pub into: Option<&'a str>,
    pub tables: Tables,
    pub logs: &'a Logs,
    /// Whether reasons are written into games, too.
    pub annotate: bool,
    pub map: bool,
    pub stop: &'a AtomicBool,
    /// The files of what stays, of copies, and of what goes aside, and their names in tables.
    pub files: [Option<(Target, String)>; 3],
}

/// The directories of a clean corpus, in the order of its files.
const DIRECTORIES: [&str; 3] = [GAMES, "copies", "aside"];
const GAMES: &str = "games";

/// The names of the files for what stays, copies, and what goes aside, if each is only one.
fn names_of_one(file: &str) -> [String; 3] {
    let stem = without_packing(file);
    let packing = &file[stem.len()..];
    let (name, extension) = stem.rsplit_once('.').map_or((stem, ""), |(name, _)| (name, &stem[name.len()..]));
    [file.to_owned(), format!("{name}.copies{extension}{packing}"), format!("{name}.aside{extension}{packing}")]
}

/// The file of the games of a text, in a clean corpus.
pub(super) fn games_file(directory: &Path, text: &Text) -> PathBuf {
    directory.join(GAMES).join(&text.path)
}

impl Corpus<'_> {
    /// Writes what stays of a text, its copies, and what goes aside.
    pub fn write(&mut self, text: &mut Text) -> Result<(), SplitError> {
        let length = text.length;
        let stretches = text.changes.stretches(length);
        let moved_games: Vec<(Destination, u64)> = text.changes.moved.iter().map(|moved| (moved.to, moved.games)).collect();
        let moved = |to| moved_games.iter().filter(|(other, _)| *other == to).map(|(_, games)| games).sum::<u64>();
        let (copies, aside) = (moved(Destination::Copies), moved(Destination::Aside));
        let kept = text.records.saturating_sub(copies + aside);
        let reread = text.open(self.map)?;
        let watch = reread.watch.clone();
        let name = text.name.clone();
        let mut writing = Writing {
            input: shown(&name),
            text: InputText::new(&name, reread, length, self.stop),
            edits: &text.changes.edits,
            next: 0,
            header: &text.header,
            path: &text.path,
            has_begun: [false; 3],
            is_games: text.layout == Some(Layout::Games),
            corpus: self,
        };
        // Of a text of which nothing is left, blanks and headers go with its records.
        let rest = text.changes.moved.first().map_or(Destination::Aside, |moved| moved.to);
        let rest = if kept > 0 || length == 0 { None } else { Some(rest) };
        let mut at = 0;
        let mut ends = Vec::new();
        for (number, stretch) in stretches.iter().enumerate() {
            let is_last = number + 1 == stretches.len();
            match stretch.moved.map(|place| (place, &text.changes.moved[place])) {
                Some((place, moved)) => {
                    let next = stretches.get(number + 1).filter(|next| next.moved.is_none());
                    at = writing.moved(moved, (at, next.map_or(moved.end, |next| next.end)), is_last)?;
                    ends.push((place, at));
                }
                None => {
                    writing.stretch(rest, (at, stretch.end), is_last)?;
                    at = stretch.end;
                }
            }
        }
        let file = match kept {
            0 if length > 0 => String::new(),
            _ => self.files[0].as_ref().map(|(_, name)| name.clone()).unwrap_or_default(),
        };
        if self.into.is_none() {
            self.finish_files()?;
        }
        for (place, end) in ends {
            text.changes.moved[place].end = end;
        }
        if watch.is_some_and(|watch| watch.change().is_some()) {
            return Err(SplitError::Changed { input: name });
        }
        let numbers = [text.records, kept, copies, aside, text.changes.edits.len() as u64].map(|number| number.to_string());
        let row: Vec<String> = [shown(&name), file].into_iter().chain(numbers).collect();
        self.tables.inputs.add(&row)
    }

    /// Completes the files that are open.
    fn finish_files(&mut self) -> Result<(), SplitError> {
        for (target, _) in self.files.iter_mut().filter_map(Option::take) {
            if let Some(complete) = target.complete()? {
                complete.flush_to_disk()?;
                complete.finish()?;
            }
        }
        Ok(())
    }

    /// Waits until all files and tables are on the disk.
    pub fn finish(mut self) -> Result<(), SplitError> {
        self.finish_files()?;
        self.tables.finish()
    }
}

/// A text that is being written.
struct Writing<'w, 'c> {
    /// Its name, as it is in tables.
    input: String,
    text: InputText<'w>,
    edits: &'w [Edit],
    /// The place of the next edit.
    next: usize,
    header: &'w [u8],
    path: &'w Path,
    /// Whether something of this text is in each file.
    has_begun: [bool; 3],
    is_games: bool,
    corpus: &'w mut Corpus<'c>,
}

impl Writing<'_, '_> {
    /// Writes a stretch to a file, and says so. What has no destination stays.
    fn stretch(&mut self, to: Option<Destination>, (start, end): (u64, u64), is_last: bool) -> Result<(), SplitError> {
        if start == end && self.edits.len() == self.next {
            return Ok(());
        }
        let file = self.file(to, start)?;
        let begin = self.target(file).bytes;
        self.copy(file, end, is_last)?;
        self.row(file, (start, end), begin)
    }

    /// Writes a record that is moved out, and returns where it ends: after the whitespace that
    /// belongs to it, at most at `next`.
    fn moved(&mut self, moved: &Moved, (start, next): (u64, u64), is_last: bool) -> Result<u64, SplitError> {
        let file = self.file(Some(moved.to), start)?;
        let begin = self.target(file).bytes;
        let records = moved.records.iter().map(|at| self.corpus.logs.record(*at));
        let records = records.collect::<io::Result<Vec<_>>>().map_err(SplitError::Temporary)?;
        self.reasons(moved, file, begin, &records)?;
        let findings: Vec<_> = records.into_iter().flat_map(|record| record.findings).collect();
        if self.corpus.annotate && moved.movetext > start && !findings.is_empty() {
            self.copy(file, moved.movetext, false)?;
            self.blank(file, moved.end)?;
            let (line_break, has_movetext) = (self.text.line_break(), self.text.at < moved.end);
            let is_at_line_start = self.target(file).is_at_line_start();
            let comment = annotation(&findings, line_break, is_at_line_start, has_movetext);
            self.change(file, (self.text.at, b"", &comment), ("", "its findings as a comment"))?;
        }
        self.copy(file, moved.end, is_last)?;
        if moved.has_blank {
            self.blank(file, next)?;
        }
        let end = self.text.at.max(moved.end);
        self.row(file, (start, end), begin)?;
        Ok(end)
    }

    /// The number of the file for this destination. What comes before the records of a table is
    /// written to each file.
    fn file(&mut self, to: Option<Destination>, start: u64) -> Result<usize, SplitError> {
        let number = match to {
            None => 0,
            Some(Destination::Copies) => 1,
            Some(Destination::Aside) => 2,
        };
        if self.corpus.files[number].is_none() {
            let name = match self.corpus.into {
                Some(file) => names_of_one(file)[number].clone(),
                None => {
                    let path = self.path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
                    format!("{}/{path}", DIRECTORIES[number])
                }
            };
            let path = self.corpus.directory.join(&name);
            let unwritable = |source| SplitError::unwritable(&path, source);
            let parent = path.parent().unwrap_or(Path::new(""));
            std::fs::create_dir_all(parent).map_err(unwritable)?;
            let mut target = Target::create(&path, "--output", true, &CheckedFiles::default())?;
            if start > 0 && !self.header.is_empty() {
                target.write(self.header)?;
                if !target.is_at_line_start() {
                    target.write(b"\n")?;
                }
            }
            self.corpus.files[number] = Some((target, shown(&name)));
        } else if !std::mem::replace(&mut self.has_begun[number], true) {
            self.separate(number, start)?;
        }
        self.has_begun[number] = true;
        Ok(number)
    }

    /// Separates this text from the one before it in the file. A byte order mark and a header are
    /// there already.
    fn separate(&mut self, file: usize, start: u64) -> Result<(), SplitError> {
        let is_games = self.is_games;
        let target = self.target(file);
        if !target.is_at_line_start() {
            target.write(b"\n")?;
        }
        if is_games && target.line_ends < 2 {
            target.write(b"\n")?;
        }
        if start > 0 {
            return Ok(());
        }
        let has_mark = self.header.is_empty() && self.text.length >= BOM.len() as u64 && self.text.starts_with_mark()?;
        let prefix = if has_mark { BOM.to_vec() } else { self.header.to_vec() };
        if prefix.is_empty() {
            return Ok(());
        }
        self.text.pass(prefix.len() as u64, |_, _| Ok(()))?;
        let why = if has_mark { "a byte order mark belongs only at the start of a file" } else { "the file has this header" };
        self.change(file, (0, &prefix, b""), ("", why))
    }

    fn target(&mut self, file: usize) -> &mut Target {
        &mut self.corpus.files[file].get_or_insert_with(|| (Target::nowhere(), String::new())).0
    }

    /// Copies the text up to `end`, with its edits.
    fn copy(&mut self, file: usize, end: u64, is_last: bool) -> Result<(), SplitError> {
        let edits = self.edits;
        let is_here = |edit: &&Edit| edit.start < end || edit.start == end && edit.is_before || is_last;
        while let Some(edit) = edits.get(self.next).filter(is_here) {
            self.next += 1;
            self.pass(file, edit.start)?;
            let mut old = Vec::new();
            self.text.pass(edit.end(), |_, part| {
                old.extend_from_slice(part);
                Ok(())
            })?;
            if *old != *edit.old {
                return Err(SplitError::Changed { input: self.input.clone() });
            }
            let reasons = edit.reasons.iter().map(|at| self.corpus.logs.reason(*at));
            let reasons = reasons.collect::<io::Result<Vec<_>>>().map_err(SplitError::Temporary)?;
            let [rules, why] = [0, 1].map(|part| {
                let words: Vec<&str> = reasons.iter().map(|(rule, why)| if part == 0 { &**rule } else { &**why }).collect();
                words.join(if part == 0 { " " } else { "; " })
            });
            self.change(file, (edit.start, &edit.old, &edit.new), (&rules, &why))?;
        }
        self.pass(file, end)
    }

    fn pass(&mut self, file: usize, end: u64) -> Result<(), SplitError> {
        let (target, _) = self.corpus.files[file].get_or_insert_with(|| (Target::nowhere(), String::new()));
        self.text.pass(end, |_, part| target.write(part))
    }

    /// Writes what replaces the bytes at a place of the input, and says so.
    fn change(
        &mut self,
        file: usize,
        (byte, old, new): (u64, &[u8], &[u8]),
        (rule, why): (&str, &str),
    ) -> Result<(), SplitError> {
        let (target, name) = self.corpus.files[file].get_or_insert_with(|| (Target::nowhere(), String::new()));
        let (byte, at) = (byte.to_string(), target.bytes.to_string());
        target.write(new)?;
        let why = printable(why);
        let row = [&*self.input, &byte, &escaped(old), &escaped(new), rule, &spreadsheet_safe(&why), name, &at];
        self.corpus.tables.changes.add(&row)
    }

    /// Copies whitespace up to `end`, or the next edit.
    fn blank(&mut self, file: usize, end: u64) -> Result<(), SplitError> {
        let end = self.edits.get(self.next).map_or(end, |edit| end.min(edit.start));
        loop {
            match self.text.blank(end)? {
                0 => return Ok(()),
                blank => self.pass(file, self.text.at + blank)?,
            }
        }
    }

    /// Says where a stretch of the input is now.
    fn row(&mut self, file: usize, (start, end): (u64, u64), begin: u64) -> Result<(), SplitError> {
        let (target, name) = self.corpus.files[file].get_or_insert_with(|| (Target::nowhere(), String::new()));
        let [start, end, begin, last] = [start, end, begin, target.bytes].map(|number| number.to_string());
        self.corpus.tables.records.add(&[&*self.input, &start, &end, name, &begin, &last])
    }

    /// Says why a record is moved out.
    fn reasons(&mut self, moved: &Moved, file: usize, begin: u64, records: &[BadRecord]) -> Result<(), SplitError> {
        let name = self.corpus.files[file].as_ref().map_or("", |(_, name)| name);
        let [at, byte] = [begin, moved.start].map(|number| number.to_string());
        let game = records.iter().map(|record| record.game).find(|game| *game > 0).map(|game| game.to_string());
        let game = game.unwrap_or_default();
        let table = match moved.to {
            Destination::Copies => &mut self.corpus.tables.copies,
            Destination::Aside => &mut self.corpus.tables.aside,
        };
        let mut row = |rest: [&str; 6]| {
            let first = [name, &at, &self.input, &game, &byte];
            let row: Vec<&str> = first.into_iter().chain(rest).collect();
            table.add(&row)
        };
        let findings = records.iter().flat_map(|record| &record.findings);
        let why = moved.why.or_else(|| findings.clone().next().is_none().then_some(NO_RECORD));
        why.map_or(Ok(()), |why| row(["", "", "", "", "", why]))?;
        for finding in findings {
            let name = rule(finding.rule).map_or("", |rule| rule.name);
            let (code, line, column) = (finding.rule.to_string(), finding.line.to_string(), finding.column.to_string());
            let message = printable(&finding.message);
            row([&line, &column, &code, name, finding.severity.as_str(), &spreadsheet_safe(&message)])?;
        }
        Ok(())
    }
}
