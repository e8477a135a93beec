//! A text that is cleaned: where it comes from, what was read of it, and its changes.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::changes::Changes;
use crate::{
    corpus::{Input, Reread, Source, Stamp, path_of_name},
    edit::{
        SplitError,
        fix::below,
        split::{InputText, unreadable},
    },
    pipeline::DividedInput,
    table::Layout,
};

/// An input, or a member of an archive.
#[derive(Debug)]
pub(super) struct Text {
    /// Its name in reports.
    pub name: String,
    /// Its path in a clean corpus.
    pub path: PathBuf,
    input: Input,
    stamp: Option<Stamp>,
    /// Number of bytes of text.
    pub length: u64,
    /// Number of records that were read.
    pub records: u64,
    /// The header of a table.
    pub header: Vec<u8>,
    /// How its records are laid out; `None` if there are none.
    pub layout: Option<Layout>,
    /// Whether records can be moved out. Those in quotes or inside other text cannot.
    pub is_divisible: bool,
    pub changes: Changes,
    /// The text with its changes, if there are any.
    pub current: Option<PathBuf>,
    /// Records that were edited, with the number of errors that each had before.
    pub edited: Vec<Edited>,
}

/// A record that was edited, in the original text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edited {
    pub start: u64,
    pub end: u64,
    /// Number of errors before the first edit.
    pub errors: u64,
}

impl Text {
    /// The text of `input`, as it was read.
    pub fn new(input: Input, divided: DividedInput) -> Text {
        let DividedInput { layout, header, length, records, stamp, .. } = divided;
        let is_divisible = !matches!(layout, Some(Layout::Enclosed { .. } | Layout::EnclosedGames(_)));
        let mut path = below(&path_of_name(&input.name));
        if matches!(input.source, Source::Bytes(_)) || path.as_os_str().is_empty() {
            path = PathBuf::from("standard-input.pgn");
        }
        Text {
            name: input.name.clone(),
            path,
            input,
            stamp,
            length,
            records,
            header,
            layout,
            is_divisible,
            changes: Changes::default(),
            current: None,
            edited: Vec::new(),
        }
    }

    /// Opens the original text, which must not have changed.
    pub fn open(&self, map: bool) -> Result<Reread, SplitError> {
        let reread = self.input.reread(map).map_err(|source| unreadable(&self.name, source))?;
        let stamp = reread.watch.as_ref().map(|watch| watch.stamp());
        if self.stamp.is_some() && self.stamp != stamp {
            return Err(SplitError::Changed { input: self.name.clone() });
        }
        Ok(reread)
    }

    /// The text as it is now, to be audited.
    pub fn now(&self) -> Input {
        match &self.current {
            Some(path) => Input { source: Source::File(path.clone()), scanned: true, ..self.input.clone() },
            None => Input { scanned: true, ..self.input.clone() },
        }
    }

    /// Writes what stays, with its edits, to `path`.
    pub fn write_current(&mut self, path: PathBuf, map: bool, stop: &AtomicBool) -> Result<(), SplitError> {
        let reread = self.open(map)?;
        let unwritable = |path: &Path, source| SplitError::unwritable(path, source);
        let file = File::create(&path).map_err(|source| unwritable(&path, source))?;
        let mut to = BufWriter::with_capacity(1 << 18, file);
        let mut text = InputText::new(&self.name, reread, self.length, stop);
        for stretch in self.changes.stretches(self.length) {
            if stretch.moved.is_some() {
                text.pass(stretch.end, |_, _| Ok(()))?;
                continue;
            }
            for edit in &self.changes.edits[stretch.edits] {
                text.pass(edit.start, |_, part| to.write_all(part).map_err(|source| unwritable(&path, source)))?;
                text.pass(edit.end(), |_, _| Ok(()))?;
                to.write_all(&edit.new).map_err(|source| unwritable(&path, source))?;
            }
            text.pass(stretch.end, |_, part| to.write_all(part).map_err(|source| unwritable(&path, source)))?;
        }
        to.flush().map_err(|source| unwritable(&path, source))?;
        self.current = Some(path);
        Ok(())
    }
}
