//! Copies the records of an input to the files of the good and of the bad ones.

use std::sync::atomic::AtomicBool;

use super::{SplitError, comment::annotation, input_text::InputText, target::Target};
use crate::{corpus::Reread, pgn::BOM, pipeline::BadRecord, rules::rule};

/// The files that are written.
#[derive(Debug)]
pub(super) struct Targets {
    pub good: Target,
    pub bad: Target,
    /// Whether findings are written into games.
    pub annotate: bool,
    /// Number of line breaks added after the last line of an input.
    pub line_breaks: u64,
}

/// An input that is being copied.
pub(super) struct Copying<'a> {
    /// Its number among the inputs that are copied.
    number: usize,
    text: InputText<'a>,
}

impl<'a> Copying<'a> {
    /// Begins to copy an input of which the audit has read so many bytes. What comes before its
    /// records is copied to files without content: a byte order mark, or the `header` of a table.
    pub fn begin(
        (name, number): (&'a str, usize),
        reread: Reread,
        (header, length): (u64, u64),
        targets: &mut Targets,
        stop: &'a AtomicBool,
    ) -> Result<Copying<'a>, SplitError> {
        let mut text = InputText::new(name, reread, length, stop);
        let has_mark = header == 0 && length >= BOM.len() as u64 && text.starts_with_mark()?;
        let prefix = if has_mark { BOM.len() as u64 } else { header };
        let mut bytes = Vec::new();
        text.pass(prefix, |_, part| {
            bytes.extend_from_slice(part);
            Ok(())
        })?;
        let is_ended = bytes.is_empty() || has_mark || matches!(bytes.last(), Some(b'\n' | b'\r'));
        for target in [&mut targets.good, &mut targets.bad].into_iter().filter(|target| target.bytes == 0) {
            target.write(&bytes)?;
            if !is_ended {
                target.write(b"\n")?;
            }
            // A line begins after a byte order mark.
            target.last = target.last.filter(|_| !has_mark);
        }
        Ok(Copying { number, text })
    }

    /// Copies what comes before a bad record to the good ones, and then the record to the bad ones.
    pub fn bad_record(&mut self, record: &BadRecord, targets: &mut Targets) -> Result<(), SplitError> {
        self.copy_to(record.start, &mut targets.good)?;
        // Of copies of other games, it is not known where the movetext begins.
        let has_place = record.findings.iter().any(|finding| rule(finding.rule).is_some_and(|rule| !rule.is_about_copies()));
        if targets.annotate && record.game > 0 && has_place {
            self.copy_to(record.movetext.clamp(record.start, record.end), &mut targets.bad)?;
            self.copy_blank(record.end, &mut targets.bad)?;
            let has_movetext = self.text.at < record.end;
            let is_at_line_start = targets.bad.is_at_line_start();
            targets.bad.write(&annotation(&record.findings, self.text.line_break(), is_at_line_start, has_movetext))?;
        }
        self.copy_to(record.end, &mut targets.bad)
    }

    /// Copies the whitespace after a bad record, which belongs to it.
    pub fn blank_after(&mut self, targets: &mut Targets) -> Result<(), SplitError> {
        self.copy_blank(self.text.length, &mut targets.bad)
    }

    /// Copies the rest to the good records, and ends the last line of both files. Returns the
    /// number of line breaks added.
    pub fn end(mut self, targets: &mut Targets) -> Result<(), SplitError> {
        self.copy_to(self.text.length, &mut targets.good)?;
        let line_break = self.text.line_break();
        for target in [&mut targets.good, &mut targets.bad].into_iter().filter(|target| !target.is_at_line_start()) {
            target.write(line_break)?;
            targets.line_breaks += 1;
        }
        Ok(())
    }

    fn copy_to(&mut self, end: u64, target: &mut Target) -> Result<(), SplitError> {
        let number = self.number;
        self.text.pass(end.min(self.text.length), |at, part| target.copy((number, at), part))
    }

    /// Copies whitespace.
    fn copy_blank(&mut self, end: u64, target: &mut Target) -> Result<(), SplitError> {
        loop {
            let blank = self.text.blank(end)?;
            if blank == 0 {
                break;
            }
            self.copy_to(self.text.at + blank, target)?;
        }
        Ok(())
    }
}
