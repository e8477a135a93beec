//! The files that a run reads, and those that it writes. No file is both, and no two outputs are
//! one file, so that nothing of the user's is lost.
//!
//! Two files are the same if they have the same number on the same device, or would have the same
//! name in the same directory. This is checked before anything starts ([`RunFiles::checked`]), and
//! again when a file or a report moves to its place ([`CheckedFiles`]).
//!
//! What is written again although it is read is noted as written only. These are all:
//!
//! * the files that `fix --in-place` repairs,
//! * the baseline that `baseline` rewrites,
//! * a history that gets rows,
//! * the store of `nightly` and the cache of an engine ([`RunFiles::keeps`]),
//! * a report that is replaced, also if it is the baseline ([`RunFiles::replaces_report`]).

use std::{
    collections::HashMap,
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    files::is_report_file,
    paths::{FileId, resolved},
};
use crate::corpus::{Input, Source};

/// What a run reads a file as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// An input.
    Input,
    /// A list of inputs.
    InputList,
    /// The settings file.
    Settings,
    /// A file of known findings.
    Baseline,
    /// A report, or one of its files.
    Report,
    /// A classification of openings.
    Openings,
    /// A list of spellings.
    Spellings,
    /// FIDE's rating list.
    RatingList,
    /// Decisions about copies.
    Decisions,
    /// Decisions about names.
    Names,
    /// A list that a settings file names.
    List,
    /// A plan of shards.
    Plan,
    /// A part of a shard.
    Part,
    /// A list of repairs.
    Repairs,
    /// A list of findings.
    Findings,
    /// An endgame table.
    EndgameTable,
    /// An engine.
    Engine,
}

impl fmt::Display for ReadAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReadAs::Input => "an input",
            ReadAs::InputList => "a list of inputs",
            ReadAs::Settings => "the settings file",
            ReadAs::Baseline => "the baseline",
            ReadAs::Report => "part of a report",
            ReadAs::Openings => "the classification of openings",
            ReadAs::Spellings => "the list of spellings",
            ReadAs::RatingList => "the rating list",
            ReadAs::Decisions => "the decisions",
            ReadAs::Names => "the names",
            ReadAs::List => "a list in the settings",
            ReadAs::Plan => "the plan",
            ReadAs::Part => "a part",
            ReadAs::Repairs => "the list of repairs",
            ReadAs::Findings => "the list of findings",
            ReadAs::EndgameTable => "an endgame table",
            ReadAs::Engine => "the engine",
        })
    }
}

/// What names a file that is written: an option, or `PATH` for what the command line lists.
pub type Named = &'static str;

/// Standard input, where the system gives it a name. It may be a file.
const STDIN: &str = "/dev/stdin";

/// What names the inputs on the command line.
pub const PATH: Named = "PATH";

/// Why a run does not start: it would lose a file.
#[derive(Debug, thiserror::Error)]
pub enum FileConflict {
    /// A file is read and written.
    #[error("`{}` is {read_as} of this run; nothing was written{}", path.display(), advice(named))]
    Read {
        /// The file.
        path: PathBuf,
        /// What it is read as.
        read_as: ReadAs,
        /// What names it as an output.
        named: Named,
    },
    /// Two outputs are one file.
    #[error("`{}` and `{}` are the same file; {}", one.display(), other.display(), different(named))]
    SameFile {
        /// An output.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// What names them.
        named: [Named; 2],
    },
    /// A file would be written to a directory that has another purpose.
    #[error(
        "`{}` is inside `{}`, which contains nothing but {content}; choose a file in another directory with {named}",
        path.display(),
        directory.display()
    )]
    Inside {
        /// The file.
        path: PathBuf,
        /// The directory.
        directory: PathBuf,
        /// What the directory contains.
        content: &'static str,
        /// What names the file.
        named: Named,
    },
    /// The report would be where the parts are that are read.
    #[error("`{}` contains the parts; choose another directory for the report with --output", path.display())]
    InParts {
        /// The directory.
        path: PathBuf,
    },
    /// A file is read, and the report would replace it.
    #[error(
        "this run reads `{}`, which the report in `{}` would replace; choose another directory with --output",
        path.display(),
        directory.display()
    )]
    InReport {
        /// The file.
        path: PathBuf,
        /// The directory of the report.
        directory: PathBuf,
    },
}

fn advice(named: &str) -> String {
    if named == PATH { String::new() } else { format!("; choose another file with {named}") }
}

fn different([one, other]: &[Named; 2]) -> String {
    match (*one, *other) {
        (PATH, PATH) => "give only one of them".to_owned(),
        _ if one == other => format!("choose different files with {one}"),
        _ => format!("choose different files with {one} and {other}"),
    }
}

/// A file that is written.
#[derive(Clone, Debug)]
struct Written {
    path: PathBuf,
    /// Its path without links.
    resolved: PathBuf,
    named: Named,
}

/// A directory of which only this program writes the files.
#[derive(Clone, Debug)]
struct Kept {
    path: PathBuf,
    resolved: PathBuf,
    content: &'static str,
    is_report: bool,
}

/// The files that a run reads, and those that it writes.
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    read: HashMap<FileId, ReadAs>,
    written: Vec<Written>,
    kept: Vec<Kept>,
    /// The directory of the parts that are read.
    parts: Option<PathBuf>,
}

impl RunFiles {
    /// Notes that a file is read, or the files of a directory. `-` is standard input.
    pub fn reads(&mut self, path: &Path, read_as: ReadAs) {
        if path.is_dir() {
            if read_as == ReadAs::Part {
                self.parts = Some(resolved(path));
            }
            // A baseline may be a report.
            let read_as = if read_as == ReadAs::Baseline { ReadAs::Report } else { read_as };
            let is_read = |file: &fs::DirEntry| read_as != ReadAs::Report || is_report_file(&file.file_name());
            // What cannot be listed cannot be read.
            let files = fs::read_dir(path).into_iter().flatten().flatten().filter(is_read);
            self.read.extend(files.filter_map(|file| Some((FileId::of(&file.path())?, read_as))));
            return;
        }
        let path = if path == Path::new("-") { Path::new(STDIN) } else { path };
        self.read.extend(FileId::of(path).map(|id| (id, read_as)));
    }

    /// Notes that inputs are read.
    pub fn reads_inputs<'i>(&mut self, inputs: impl IntoIterator<Item = &'i Input>) {
        for input in inputs {
            let file = match &input.source {
                Source::File(path) | Source::Special(path) => FileId::of(path),
                Source::Stdin => FileId::of(Path::new(STDIN)),
                Source::Member(_) | Source::Bytes(_) => None,
            };
            self.read.extend(file.map(|id| (id, ReadAs::Input)));
        }
    }

    /// Notes that a file is written. `named` is the option that names it.
    pub fn writes(&mut self, path: &Path, named: Named) {
        self.written.push(Written { path: path.to_owned(), resolved: resolved(path), named });
    }

    /// Notes a directory that contains nothing but `content`. Nothing else is written there.
    pub fn keeps(&mut self, directory: &Path, content: &'static str) {
        let (path, resolved) = (directory.to_owned(), resolved(directory));
        self.kept.push(Kept { path, resolved, content, is_report: false });
    }

    /// Notes that the report in a directory is written, or replaced.
    pub fn replaces_report(&mut self, directory: &Path) {
        let (path, resolved) = (directory.to_owned(), resolved(directory));
        self.kept.push(Kept { path, resolved, content: "the report", is_report: true });
    }

    /// Refuses files that are read and written, outputs that are one file, and files in directories
    /// that contain nothing else.
    pub fn checked(self) -> Result<CheckedFiles, FileConflict> {
        let mut resolved: HashMap<&Path, &Written> = HashMap::new();
        let mut ids: HashMap<FileId, &Written> = HashMap::new();
        for written in &self.written {
            let Written { path, named, .. } = written;
            if let Some(kept) = self.kept.iter().find(|kept| written.resolved.starts_with(&kept.resolved)) {
                let (path, directory) = (path.clone(), kept.path.clone());
                return Err(FileConflict::Inside { path, directory, content: kept.content, named });
            }
            let id = FileId::of(path);
            if let Some(read_as) = id.as_ref().and_then(|id| self.read.get(id)).copied() {
                return Err(FileConflict::Read { path: path.clone(), read_as, named });
            }
            if is_stream(path) {
                continue;
            }
            let same_name = resolved.insert(&written.resolved, written);
            if let Some(other) = id.and_then(|id| ids.insert(id, written)).or(same_name) {
                let (one, named) = (other.path.clone(), [other.named, *named]);
                return Err(FileConflict::SameFile { one, other: path.clone(), named });
            }
        }
        for Kept { path, resolved, .. } in self.kept.iter().filter(|kept| kept.is_report) {
            if self.parts.as_ref() == Some(resolved) {
                return Err(FileConflict::InParts { path: path.clone() });
            }
            if let Some(file) = read_in_report(&self.read, resolved) {
                let read = file.file_name().map_or_else(|| path.clone(), |name| path.join(name));
                return Err(FileConflict::InReport { path: read, directory: path.clone() });
            }
        }
        Ok(CheckedFiles(Arc::new(self.read)))
    }
}

/// The files that a run reads, after a check that it writes none of them. It is made again when a
/// file moves to its place, because files can be renamed during a run.
#[derive(Clone, Debug, Default)]
pub struct CheckedFiles(Arc<HashMap<FileId, ReadAs>>);

impl CheckedFiles {
    /// Fails if `destination` is a file that is read now.
    pub(super) fn check(&self, destination: &Path) -> io::Result<()> {
        match FileId::of(destination).and_then(|id| self.0.get(&id)) {
            Some(read_as) => Err(io::Error::other(format!("it is {read_as} of this run now"))),
            None => Ok(()),
        }
    }

    /// Fails if a report contains a file that is read now.
    pub(super) fn check_report(&self, directory: &Path) -> io::Result<()> {
        match read_in_report(&self.0, directory) {
            Some(file) => Err(io::Error::other(format!("this run reads `{}`", file.display()))),
            None => Ok(()),
        }
    }
}

/// A file in the directory of a report that is read, and not as part of a whole report.
fn read_in_report(read: &HashMap<FileId, ReadAs>, directory: &Path) -> Option<PathBuf> {
    if read.is_empty() {
        return None;
    }
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    // Nothing else is replaced: a link is no file of a report.
    let is_replaced =
        |file: &fs::DirEntry| is_report_file(&file.file_name()) && file.file_type().is_ok_and(|kind| kind.is_file());
    let mut files = files.filter(is_replaced).map(|file| file.path());
    files.find(|file| FileId::of(file).is_some_and(|id| read.get(&id).is_some_and(|read_as| *read_as != ReadAs::Report)))
}

/// Whether a path refers to a pipe or a device, which two outputs may share.
fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}
