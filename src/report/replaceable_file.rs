//! Files that this program writes besides reports. Only they may be replaced without being asked.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::svg::SVG_START;
use crate::{
    format::{
        BASELINE_COLUMNS, COLUMNS, COMPARE_COLUMNS, COMPARE_GAMES_COLUMNS, COMPARE_INPUTS_COLUMNS, DIFF_COLUMNS, REPAIR_COLUMNS,
        SPLIT_COLUMNS, columns::game_column_names,
    },
    review::{
        compare::TOTALS_HEADER,
        differences::{CHANGES_HEADER, GENERATOR},
    },
};

/// Number of bytes at the start of a file that are read to recognise it.
const HEAD: u64 = 1 << 12;

/// The start of a line of each man page.
const MAN_PAGE_START: &str = ".TH chess-audit";

/// A kind of file that a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnFile {
    /// A baseline.
    Baseline,
    /// A board, drawn as SVG.
    Board,
    /// The findings that differ between two reports, as a table.
    Comparison,
    /// The inputs that differ between two reports, as a table.
    InputComparison,
    /// A table of differences between games.
    GameComparison,
    /// The comparison of two reports, as Markdown.
    ComparisonText,
    /// The games that differ between two corpora, as a table.
    Differences,
    /// The games that differ between two corpora, as a page.
    DifferencesPage,
    /// The games that differ between two corpora, as Markdown.
    DifferencesText,
    /// A list of games.
    Games,
    /// A man page.
    ManPage,
    /// A list of repairs.
    Repairs,
    /// Good or bad records. Nothing shows that this program wrote them.
    Records,
    /// The table of bad records.
    BadRecords,
}

/// A file exists, and its content does not show that this program wrote it.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` exists and is not {}; choose another {}, or use --force to overwrite it",
    path.display(),
    kind.describe(),
    kind.chosen()
)]
pub struct ForeignFile {
    /// The file.
    pub path: PathBuf,
    /// What it was to be replaced with.
    pub kind: OwnFile,
}

impl OwnFile {
    /// Fails if writing to `path` would replace a file that is not of this kind, unless it is
    /// empty. Directories, pipes and devices are not replaced, so they do not matter here.
    pub fn check(self, path: &Path) -> Result<(), ForeignFile> {
        if !path.is_file() || head(path).is_ok_and(|head| head.is_empty() || self.is_start(&head)) {
            return Ok(());
        }
        Err(self.foreign(path))
    }

    /// The error about a file that is not of this kind.
    pub(crate) fn foreign(self, path: &Path) -> ForeignFile {
        ForeignFile { path: path.to_owned(), kind: self }
    }

    const fn describe(self) -> &'static str {
        match self {
            OwnFile::Baseline => "a baseline",
            OwnFile::Board => "a board drawn by chess-audit",
            OwnFile::Comparison | OwnFile::InputComparison | OwnFile::GameComparison | OwnFile::ComparisonText => {
                "a comparison written by chess-audit"
            }
            OwnFile::Differences | OwnFile::DifferencesPage | OwnFile::DifferencesText => "written by chess-audit diff",
            OwnFile::Games => "a list of games",
            OwnFile::ManPage => "a man page of chess-audit",
            OwnFile::Repairs => "a list of repairs",
            OwnFile::Records => "empty",
            OwnFile::BadRecords => "a table of bad records",
        }
    }

    /// What a user chooses: these files, or the directory that they are written to.
    const fn chosen(self) -> &'static str {
        match self {
            OwnFile::Baseline | OwnFile::Board | OwnFile::Games | OwnFile::Repairs | OwnFile::Records | OwnFile::BadRecords => {
                "file"
            }
            OwnFile::Comparison | OwnFile::InputComparison | OwnFile::GameComparison | OwnFile::ComparisonText => "directory",
            OwnFile::Differences | OwnFile::DifferencesPage | OwnFile::DifferencesText | OwnFile::ManPage => "directory",
        }
    }

    /// Whether a file of this kind can start with `head`.
    fn is_start(self, head: &[u8]) -> bool {
        match self {
            OwnFile::Baseline => has_columns(head, BASELINE_COLUMNS),
            OwnFile::Comparison => has_columns(head, COMPARE_COLUMNS.into_iter().chain(COLUMNS)),
            OwnFile::InputComparison => has_columns(head, COMPARE_INPUTS_COLUMNS),
            OwnFile::GameComparison => has_columns(head, COMPARE_GAMES_COLUMNS),
            OwnFile::Differences => has_columns(head, DIFF_COLUMNS),
            OwnFile::DifferencesPage => has_line(head, GENERATOR),
            OwnFile::DifferencesText => has_line(head, CHANGES_HEADER),
            OwnFile::Games => has_columns(head, game_column_names()),
            OwnFile::Repairs => has_columns(head, REPAIR_COLUMNS),
            OwnFile::BadRecords => has_columns(head, SPLIT_COLUMNS),
            OwnFile::Records => false,
            OwnFile::Board => head.starts_with(SVG_START.as_bytes()),
            OwnFile::ComparisonText => has_line(head, TOTALS_HEADER),
            OwnFile::ManPage => has_line(head, MAN_PAGE_START),
        }
    }
}

/// The first bytes of a file.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a table starts with these columns. Programs that edit tables may add quotes, a carriage
/// return or a byte order mark.
fn has_columns(head: &[u8], columns: impl IntoIterator<Item = &'static str>) -> bool {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(head);
    let mut header = csv::StringRecord::new();
    reader.read_record(&mut header).is_ok_and(|is_row| is_row) && header.iter().eq(columns)
}

/// Whether one of the first lines starts with `start`.
fn has_line(head: &[u8], start: &str) -> bool {
    head.split(|byte| *byte == b'\n').any(|line| line.starts_with(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn tables_are_recognised_by_their_columns() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let path = home.path().join("known.csv");
        let header = BASELINE_COLUMNS.join(",");
        let quoted = format!("\"{}\"\r\n", BASELINE_COLUMNS.join("\",\""));
        for ours in ["", &header, &format!("{header}\n00,MOV01"), &format!("\u{FEFF}{header}\r\n"), &quoted] {
            fs::write(&path, ours)?;
            assert!(OwnFile::Baseline.check(&path).is_ok(), "{ours:?}");
            assert_eq!(OwnFile::Repairs.check(&path).is_ok(), ours.is_empty(), "{ours:?}");
        }
        for foreign in ["\n", "fingerprint\n", &format!("{header},mine\n"), &format!("# {header}\n"), "\u{0}\u{1}"] {
            fs::write(&path, foreign)?;
            assert!(OwnFile::Baseline.check(&path).is_err(), "{foreign:?}");
        }
        Ok(())
    }

    #[test]
    fn only_files_are_refused() {
        for path in ["/", "/dev/null", "none/none"] {
            assert!(OwnFile::Board.check(Path::new(path)).is_ok(), "{path}");
        }
    }
}
