//! Finds the inputs named on the command line.

use std::{
    collections::HashSet,
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    path::{MAIN_SEPARATOR, Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use globset::GlobBuilder;
use ignore::WalkBuilder;

use super::{
    Globs, Input, InputOrder, Skipped, Source,
    scan::{has_known_extension, is_hidden},
};
use crate::text::{Bounded, Format, wording::thousands};

/// The name of standard input on the command line.
const STDIN: &str = "-";

/// Maximum size of a list of paths.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// Maximum number of lines in a list of paths. All paths are in memory.
const MAX_LIST_LINES: u64 = 1_000_000;

/// The inputs to find.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Files, directories, globs that the shell did not expand, or `-` for standard input.
    pub words: Vec<PathBuf>,
    /// Files with one path per line (a file or a directory, not a glob), or `-` for standard input.
    pub lists: Vec<String>,
    /// The format of all inputs; `None` to detect it from the content.
    pub format: Option<Format>,
    /// The name of standard input in reports; `-` by default.
    pub stdin_name: Option<String>,
    /// Files and directories that are skipped, unless they are named themselves.
    pub exclude: Globs,
    /// Whether links to directories are followed.
    pub follow: bool,
    /// Whether paths that do not exist are kept as inputs, so that the run reports them as failures
    /// and reads the others.
    pub keep_missing: bool,
}

/// The inputs that were found.
#[derive(Clone, Debug, Default)]
pub struct FoundInputs {
    /// The inputs, sorted by name, with standard input first.
    pub inputs: Vec<Input>,
    /// The order in which they were named.
    pub order: InputOrder,
    /// What was skipped in directories, and by globs.
    pub skipped: Skipped,
}

/// A line in a list of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListLine {
    list: String,
    line: u64,
}

impl fmt::Display for ListLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the list `{}`", self.line, self.list)
    }
}

/// The inputs cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum InputsError {
    /// There are no paths and no lists.
    #[error("no input; give files, directories or globs, or `-` for standard input")]
    Nothing,
    /// Neither a file, nor a directory, nor a glob.
    #[error("no such file or directory: `{0}`")]
    NoSuchFile(String),
    /// The path cannot be accessed.
    #[error("cannot access `{path}`: {source}")]
    Unreachable {
        /// The path.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// The directory does not contain a file with one of the known extensions.
    #[error("the directory `{0}` contains no .pgn, .epd, .fen or .txt files; give the path of a file to read other files")]
    NothingInDirectory(String),
    /// All files in the directory, or all files that match the glob, are excluded.
    #[error("`{0}`: all matching files are excluded by `--exclude` or the setting `exclude`")]
    AllExcluded(String),
    /// No file matches.
    #[error("no file matches `{0}`")]
    NothingMatches(String),
    /// The glob is malformed, and there is no file with this name.
    #[error("no such file, and not a valid glob: `{glob}`: {reason}")]
    BadGlob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The list cannot be read.
    #[error("cannot read the list `{list}`: {source}")]
    List {
        /// The list.
        list: String,
        /// The reason.
        source: io::Error,
    },
    /// The list is too long to be kept in memory.
    #[error(
        "the list `{list}` has more than {} lines; split it, or give directories or globs instead",
        thousands(MAX_LIST_LINES)
    )]
    LongList {
        /// The list.
        list: String,
    },
    /// The list is malformed.
    #[error("{at} {what}; expected one path per line, in UTF-8")]
    NotAList {
        /// The line.
        at: ListLine,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A path in a list cannot be found.
    #[error("{at}: {source}")]
    Listed {
        /// The line.
        at: ListLine,
        /// What is wrong with it.
        source: Box<InputsError>,
    },
    /// The lists are empty.
    #[error("the list `{0}` contains no paths")]
    EmptyList(String),
    /// Standard input was given more than once.
    #[error("standard input cannot be both an input and the list of paths")]
    StdinTwice,
}

impl InputsError {
    /// Whether there is nothing at a path, or it cannot be accessed.
    fn is_about_missing(&self) -> bool {
        match self {
            InputsError::NoSuchFile(_) | InputsError::Unreachable { .. } | InputsError::NothingMatches(_) => true,
            InputsError::Listed { source, .. } => source.is_about_missing(),
            _ => false,
        }
    }
}

/// An input that was found.
struct Candidate {
    input: Input,
    /// Whether a directory lists it as a regular file.
    is_regular: bool,
}

/// What was found so far.
#[derive(Default)]
struct Search {
    found: Vec<Candidate>,
    skipped: Skipped,
    /// Number of walks, and of files that the user has named.
    origins: usize,
    /// Number of paths that were kept although they do not exist.
    missing: usize,
    /// The reason for the first of them.
    first_missing: Option<InputsError>,
}

impl Search {
    /// The inputs that were found, each once, in the order of their names.
    fn inputs(self, follow: bool) -> Vec<Input> {
        let mut found = self.found;
        // A walk that does not follow links finds each file once.
        if self.origins == 1 && !follow && found.iter().all(|candidate| candidate.is_regular) {
            found.sort_unstable_by(|one, other| one.input.name.cmp(&other.input.name));
            return found.into_iter().map(|candidate| candidate.input).collect();
        }
        let mut paths = RealPaths::default();
        let mut found: Vec<(Input, PathBuf)> = found.into_iter().map(|candidate| paths.identified(candidate)).collect();
        found.sort_by(|(one, one_path), (other, other_path)| (&one.name, one_path).cmp(&(&other.name, other_path)));
        let named = found.iter().filter(|(input, _)| !input.scanned);
        let named: HashSet<PathBuf> = named.map(|(_, path)| path.clone()).collect();
        let mut seen = HashSet::with_capacity(found.len());
        let distinct = found.into_iter().filter_map(|(input, path)| {
            let scanned = !named.contains(&path);
            seen.insert(path).then_some(Input { scanned, ..input })
        });
        distinct.collect()
    }
}

/// Finds paths without links.
#[derive(Default)]
struct RealPaths {
    /// The directory of the last file, and its path without links.
    directory: Option<(PathBuf, PathBuf)>,
}

impl RealPaths {
    /// The input with its path without links.
    fn identified(&mut self, candidate: Candidate) -> (Input, PathBuf) {
        let Candidate { input, is_regular } = candidate;
        let path = match &input.source {
            Source::File(path) if is_regular => self.in_directory(path).unwrap_or_else(|| resolved(path)),
            Source::File(path) | Source::Special(path) => resolved(path),
            _ => PathBuf::new(),
        };
        (input, path)
    }

    /// The same as [`resolved`] for a regular file that a directory lists. The directory is
    /// resolved once for all its files.
    fn in_directory(&mut self, path: &Path) -> Option<PathBuf> {
        let (directory, name) = path.parent().zip(path.file_name())?;
        if self.directory.as_ref().is_none_or(|(last, _)| last != directory) {
            let named = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            let found = fs::canonicalize(named).ok()?;
            self.directory = Some((directory.to_owned(), found));
        }
        self.directory.as_ref().map(|(_, found)| found.join(name))
    }
}

/// The path without links, which is the same for all names of a file.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

impl Wanted {
    /// Finds the inputs. If a file has several names, only the first one is kept. Names are as
    /// given, with `/` as the separator.
    ///
    /// Directories are searched recursively for `.pgn`, `.epd`, `.fen` and `.txt` files, also
    /// compressed as `.zst`, `.gz`, `.bz2` or `.xz`, and for `.zip` archives. Hidden files are
    /// skipped. Links to files are followed, links to directories only if [`Wanted::follow`] is
    /// set. Directories that cannot be searched and broken links are kept as inputs, so that the
    /// run reports them as failures.
    pub fn find(&self) -> Result<FoundInputs, InputsError> {
        let lists_on_stdin = self.lists.iter().filter(|list| *list == STDIN).count();
        if lists_on_stdin > 1 || (lists_on_stdin > 0 && self.words.iter().any(|word| word.as_os_str() == STDIN)) {
            return Err(InputsError::StdinTwice);
        }
        let mut search = Search::default();
        let mut stdin = None;
        for word in &self.words {
            if word.as_os_str() == STDIN {
                stdin = Some(self.stdin());
                continue;
            }
            let found =
                exists(word).and_then(|exists| if exists { self.path(word, &mut search) } else { self.glob(word, &mut search) });
            self.or_missing(found, word, &mut search)?;
        }
        for list in &self.lists {
            self.list(list, &mut search)?;
        }
        if stdin.is_none()
            && search.missing == search.found.len()
            && let Some(error) = search.first_missing
        {
            return Err(error);
        }
        let skipped = search.skipped;
        let mut inputs = search.inputs(self.follow);
        inputs.splice(..0, stdin);
        match (inputs.is_empty(), self.lists.first()) {
            (false, _) => Ok(FoundInputs { inputs, order: self.order(), skipped }),
            (true, Some(list)) => Err(InputsError::EmptyList(list.clone())),
            (true, None) => Err(InputsError::Nothing),
        }
    }

    /// The order of the words.
    fn order(&self) -> InputOrder {
        InputOrder::of(self.words.iter().map(|word| with_slashes(&name_of(word))).collect())
    }

    fn stdin(&self) -> Input {
        let name = self.stdin_name.clone().unwrap_or_else(|| STDIN.to_owned());
        Input { name, source: Source::Stdin, format: self.format, scanned: false }
    }

    /// Keeps a path that does not exist as an input, if that is wanted.
    fn or_missing(&self, found: Result<(), InputsError>, path: &Path, search: &mut Search) -> Result<(), InputsError> {
        let Err(error) = found else { return Ok(()) };
        if !self.keep_missing || !error.is_about_missing() {
            return Err(error);
        }
        self.file(path, false, search);
        search.missing += 1;
        search.first_missing.get_or_insert(error);
        Ok(())
    }

    /// Adds a file that the user has named.
    fn file(&self, path: &Path, is_special: bool, search: &mut Search) {
        search.origins += 1;
        let mut input = self.input(path.to_owned(), name_of(path), false);
        if is_special {
            input.source = Source::Special(path.to_owned());
        }
        search.found.push(Candidate { input, is_regular: false });
    }

    /// Adds a file that was found by a search.
    fn walked_file(&self, file: WalkedFile, search: &mut Search) {
        search.found.push(Candidate { input: self.input(file.path, file.name, true), is_regular: file.is_regular });
    }

    fn input(&self, path: PathBuf, name: String, scanned: bool) -> Input {
        Input { name, source: Source::File(path), format: self.format, scanned }
    }

    /// Adds a file, or the files of a directory.
    fn path(&self, path: &Path, search: &mut Search) -> Result<(), InputsError> {
        let metadata = path.metadata().ok().filter(|metadata| !metadata.is_file());
        if metadata.as_ref().is_none_or(|metadata| !metadata.is_dir()) {
            self.file(path, metadata.is_some(), search);
            return Ok(());
        }
        let (before, excluded) = (search.found.len(), search.skipped.excluded);
        self.directory(path, search);
        match (search.found.len() > before, search.skipped.excluded > excluded) {
            (true, _) => Ok(()),
            (false, true) => Err(InputsError::AllExcluded(name_of(path))),
            (false, false) => Err(InputsError::NothingInDirectory(name_of(path))),
        }
    }

    fn directory(&self, directory: &Path, search: &mut Search) {
        search.origins += 1;
        let walked = walk(directory, None, &self.exclude, self.follow);
        let mut other_extension = 0;
        for file in walked.files {
            if has_known_extension(&file.name) {
                self.walked_file(file, search);
            } else {
                other_extension += 1;
            }
        }
        walked.unsearched.into_iter().for_each(|directory| self.walked_file(directory, search));
        search.skipped.add(Skipped { other_extension, linked: walked.links.len() as u64, ..walked.skipped });
    }

    /// Adds the files that a glob matches, and the files of directories that it matches.
    fn glob(&self, word: &Path, search: &mut Search) -> Result<(), InputsError> {
        let Some(word) = word.to_str().filter(|word| word.contains(['*', '?', '[', '{'])) else {
            return Err(InputsError::NoSuchFile(name_of(word)));
        };
        let slashed = with_slashes(word);
        let pattern = slashed.strip_prefix("./").unwrap_or(&slashed);
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| InputsError::BadGlob { glob: word.to_owned(), reason: error.kind().to_string() })?
            .compile_matcher();
        // Start at the last directory without wildcards, and search as deep as the glob goes.
        let parts: Vec<&str> = pattern.split('/').collect();
        let plain = parts.iter().take_while(|part| !part.contains(['*', '?', '[', '{'])).count();
        let start = match parts[..plain].join("/") {
            empty if empty.is_empty() && plain > 0 => "/".to_owned(),
            empty if empty.is_empty() => ".".to_owned(),
            start => start,
        };
        let braces_may_hide_slashes = pattern.contains("**") || pattern.contains('{');
        let depth = if braces_may_hide_slashes { None } else { Some(parts.len() - plain) };
        search.origins += 1;
        let before = search.found.len();
        let matches = |path: &Path| glob.is_match(with_slashes(&path.to_string_lossy()));
        let mut excluded = 0;
        let walked = walk(Path::new(&start), depth, &Globs::default(), self.follow);
        // Whether something in a directory, or the directory itself, may match.
        let may_match = |directory: &Path| {
            let name = with_slashes(&directory.to_string_lossy());
            let beginning = parts[..parts.len().min(name.split('/').count())].join("/");
            let glob = || GlobBuilder::new(&beginning).literal_separator(true).build();
            braces_may_hide_slashes
                || directory == Path::new(&start)
                || glob().is_ok_and(|glob| glob.compile_matcher().is_match(name))
        };
        search.skipped.linked += walked.links.iter().filter(|link| may_match(link)).count() as u64;
        for directory in walked.unsearched {
            if may_match(&directory.path) && !self.exclude.is_match_or_inside(&directory.name) {
                self.walked_file(directory, search);
            }
        }
        for file in walked.files.into_iter().filter(|file| matches(&file.path)) {
            if self.exclude.is_match_or_inside(&file.name) {
                excluded += 1;
            } else {
                self.walked_file(file, search);
            }
        }
        search.skipped.excluded += excluded;
        for directory in directories(Path::new(&start), depth, self.follow).iter().filter(|path| matches(path)) {
            self.directory(directory, search);
        }
        match (search.found.len() > before, excluded > 0) {
            (true, _) => Ok(()),
            (false, true) => Err(InputsError::AllExcluded(word.to_owned())),
            (false, false) => Err(InputsError::NothingMatches(word.to_owned())),
        }
    }

    fn list(&self, list: &str, search: &mut Search) -> Result<(), InputsError> {
        let refused = |source| InputsError::List { list: list.to_owned(), source };
        let lines =
            // A list is read once, and may come from any pipe. Its length is bounded.
            if list == STDIN { lines_of(list, io::stdin().lock())? } else { lines_of(list, File::open(list).map_err(refused)?)? };
        for (line, path) in lines {
            let listed = |source| InputsError::Listed { at: ListLine { list: list.to_owned(), line }, source: Box::new(source) };
            let path = Path::new(&path);
            let found = exists(path).and_then(|exists| match exists {
                true => self.path(path, search),
                false => Err(InputsError::NoSuchFile(name_of(path))),
            });
            self.or_missing(found.map_err(listed), path, search)?;
        }
        Ok(())
    }
}

/// The paths in a list with their line numbers. Blank lines and lines that start with `#` are
/// ignored.
fn lines_of(list: &str, reader: impl Read) -> Result<Vec<(u64, String)>, InputsError> {
    let mut reader = BufReader::new(Bounded::new(reader, "a list of paths", MAX_LIST_BYTES));
    let mut paths = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = reader.read_until(b'\n', &mut bytes).map_err(|source| InputsError::List { list: list.to_owned(), source })?;
        if read == 0 {
            break;
        }
        if line > MAX_LIST_LINES {
            return Err(InputsError::LongList { list: list.to_owned() });
        }
        let wrong = |what| InputsError::NotAList { at: ListLine { list: list.to_owned(), line }, what };
        if bytes.contains(&0) {
            return Err(wrong("contains a NUL byte"));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| wrong("is not UTF-8"))?;
        let text = if line == 1 { text.strip_prefix('\u{FEFF}').unwrap_or(text) } else { text };
        let path = text.trim_end_matches(['\n', '\r']);
        if !path.trim().is_empty() && !path.starts_with('#') {
            paths.push((line, path.to_owned()));
        }
    }
    Ok(paths)
}

fn exists(path: &Path) -> Result<bool, InputsError> {
    match path.try_exists() {
        Ok(exists) => Ok(exists),
        // A path below a file, or with an invalid name, does not exist.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(false),
        Err(source) => Err(InputsError::Unreachable { path: name_of(path), source }),
    }
}

fn builder(start: &Path, depth: Option<usize>, follow: bool) -> WalkBuilder {
    let mut builder = WalkBuilder::new(start);
    // Ignore files such as `.gitignore` do not apply to a corpus.
    builder.standard_filters(false).max_depth(depth).follow_links(follow);
    builder
}

/// A file that a walk has found, or a directory that it could not search.
struct WalkedFile {
    path: PathBuf,
    /// Its name in reports.
    name: String,
    /// Whether it is a regular file, and not a link to one.
    is_regular: bool,
}

impl WalkedFile {
    fn new(path: PathBuf, is_regular: bool) -> WalkedFile {
        let path = without_dot(path);
        WalkedFile { name: name_of(&path), path, is_regular }
    }
}

/// What a walk has found.
struct Walked {
    files: Vec<WalkedFile>,
    /// Directories that cannot be searched, or not completely.
    unsearched: Vec<WalkedFile>,
    /// Links to directories that were not followed.
    links: Vec<PathBuf>,
    /// What was hidden, excluded, or neither a file nor a directory.
    skipped: Skipped,
}

/// The files below `start` that are neither hidden nor excluded.
fn walk(start: &Path, depth: Option<usize>, exclude: &Globs, follow: bool) -> Walked {
    let mut builder = builder(start, depth, follow);
    let (hidden, excluded) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (hidden_so_far, excluded_so_far, exclude) = (Arc::clone(&hidden), Arc::clone(&excluded), exclude.clone());
    // Counts what is left out.
    let is_wanted = Arc::new(move |path: &Path, depth: usize| {
        let has_hidden_name = || path.file_name().is_some_and(|name| is_hidden(&name.to_string_lossy()));
        let count = if depth > 0 && has_hidden_name() {
            &hidden_so_far
        } else if !exclude.is_empty() && exclude.is_match_or_inside(&name_of(&without_dot(path.to_owned()))) {
            &excluded_so_far
        } else {
            return true;
        };
        count.fetch_add(1, Ordering::Relaxed);
        false
    });
    let filter = Arc::clone(&is_wanted);
    builder.filter_entry(move |entry| filter(entry.path(), entry.depth()));
    let (mut files, mut unsearched, mut links, mut special) = (Vec::new(), Vec::new(), Vec::new(), 0);
    // The directories that contain the entry.
    let mut ancestors: Vec<PathBuf> = Vec::new();
    for entry in builder.build() {
        match entry {
            Ok(entry) => {
                ancestors.truncate(entry.depth());
                // The metadata of the path follows links, the type of the entry does not. A broken
                // link is kept, because it is a missing file that the run has to report.
                let own = entry.file_type().filter(|kind| !kind.is_symlink());
                let kind = own.or_else(|| entry.path().metadata().ok().map(|metadata| metadata.file_type()));
                match kind {
                    // The directory that the user has named is searched, link or not.
                    Some(kind) if kind.is_dir() && entry.path_is_symlink() && !follow && entry.depth() > 0 => {
                        links.push(without_dot(entry.into_path()));
                    }
                    Some(kind) if kind.is_dir() => ancestors.push(entry.into_path()),
                    Some(kind) if !kind.is_file() => special += 1,
                    _ => {
                        let is_regular = own.is_some_and(|kind| kind.is_file()) && !entry.path_is_symlink();
                        files.push(WalkedFile::new(entry.into_path(), is_regular));
                    }
                }
            }
            Err(error) => {
                let depth = error.depth().unwrap_or_default();
                // Without a path, it happened while a directory was listed.
                let listed = || ancestors.get(depth.saturating_sub(1)).or(ancestors.last()).cloned();
                let path = match path_of(&error) {
                    Some(path) if !is_wanted(&path, depth) => continue,
                    path => path.or_else(listed).unwrap_or_else(|| start.to_owned()),
                };
                let file = WalkedFile::new(path, false);
                match (file.path.symlink_metadata(), file.path.metadata()) {
                    // A link to one of its ancestors, which is searched anyway.
                    _ if is_loop(&error) => links.push(file.path),
                    // A glob may start at a directory that does not exist.
                    (Err(error), _) if error.kind() == io::ErrorKind::NotFound => {}
                    (Ok(own), target) if own.is_symlink() && !may_be_directory(&target) => files.push(file),
                    _ => unsearched.push(file),
                }
            }
        }
    }
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let skipped = Skipped { hidden: count(&hidden), excluded: count(&excluded), special, ..Skipped::default() };
    Walked { files, unsearched, links, skipped }
}

/// The directories below `start`.
fn directories(start: &Path, depth: Option<usize>, follow: bool) -> Vec<PathBuf> {
    builder(start, depth, follow)
        .hidden(true)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_dir()))
        .map(|entry| without_dot(entry.into_path()))
        .collect()
}

/// Whether the target of a link is a directory, or cannot be known. A broken link is no directory.
fn may_be_directory(target: &io::Result<fs::Metadata>) -> bool {
    match target {
        Ok(metadata) => metadata.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

/// Whether a link leads back to one of its ancestors.
fn is_loop(error: &ignore::Error) -> bool {
    match error {
        ignore::Error::Loop { .. } => true,
        ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } => is_loop(err),
        _ => false,
    }
}

/// The path of an error during the walk.
fn path_of(error: &ignore::Error) -> Option<PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path.clone()),
        ignore::Error::Loop { child, .. } => Some(child.clone()),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// Removes the leading `./` that a walk from `.` adds.
fn without_dot(path: PathBuf) -> PathBuf {
    if !path.as_os_str().as_encoded_bytes().starts_with(b".") {
        return path;
    }
    match path.strip_prefix(".") {
        Ok(rest) if !rest.as_os_str().is_empty() => rest.to_owned(),
        _ => path,
    }
}

fn with_slashes(text: &str) -> String {
    if MAIN_SEPARATOR == '/' { text.to_owned() } else { text.replace(MAIN_SEPARATOR, "/") }
}

/// The name of an input. Bytes that are not UTF-8 are written as `\xE1`, and a backslash before an
/// `x` as `\x5C`, so that different paths have different names.
fn name_of(path: &Path) -> String {
    if let Some(name) = path.to_str().filter(|name| !name.contains('\\')) {
        return name.to_owned();
    }
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        if MAIN_SEPARATOR == '/' {
            name.push_str(&chunk.valid().replace("\\x", "\\x5Cx"));
        } else {
            name.push_str(chunk.valid());
        }
        for byte in chunk.invalid() {
            name.push_str(&format!("\\x{byte:02X}"));
        }
    }
    with_slashes(&name)
}

/// The path of a file whose name in reports is `name`.
pub fn path_of_name(name: &str) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let mut bytes = Vec::with_capacity(name.len());
        let mut rest = name.as_bytes();
        while let [byte, after @ ..] = rest {
            let escaped = after.strip_prefix(b"x").and_then(|digits| digits.split_at_checked(2)).filter(|_| *byte == b'\\');
            let escaped =
                escaped.and_then(|(digits, rest)| Some((u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?, rest)));
            let (byte, after) = escaped.unwrap_or((*byte, after));
            bytes.push(byte);
            rest = after;
        }
        std::ffi::OsString::from_vec(bytes).into()
    }
    #[cfg(not(unix))]
    name.into()
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    type Outcome = Result<(), Box<dyn Error>>;

    #[cfg(unix)]
    #[test]
    fn different_paths_have_different_names() {
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &[u8]| name_of(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(name(b"J\xE1nos.pgn"), "J\\xE1nos.pgn");
        assert_eq!(name(b"J\\xE1nos.pgn"), "J\\x5CxE1nos.pgn");
        assert_eq!(name(b"J\\x5CxE1nos.pgn"), "J\\x5Cx5CxE1nos.pgn");
        assert_eq!(name("János\\a.pgn".as_bytes()), "János\\a.pgn");
        for path in [b"J\xE1nos.pgn".as_slice(), b"J\\xE1nos.pgn", b"J\\x5CxE1nos.pgn", b"\\\xE1\\", b"a/b.pgn"] {
            assert_eq!(path_of_name(&name(path)).as_os_str().as_bytes(), path);
        }
    }

    fn corpus(files: &[&str]) -> io::Result<tempfile::TempDir> {
        let directory = tempfile::tempdir()?;
        for file in files {
            let path = directory.path().join(file);
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(path, "*\n")?;
        }
        Ok(directory)
    }

    /// The inputs that `words` match. Words and names are relative to `directory`.
    fn found(directory: &Path, words: &[&str]) -> Result<Vec<String>, InputsError> {
        let root = directory.to_string_lossy();
        let words = words.iter().map(|word| format!("{root}/{word}").into()).collect();
        let inputs = Wanted { words, ..Wanted::default() }.find()?.inputs;
        Ok(inputs.into_iter().map(|input| input.name.replace(&format!("{root}/"), "")).collect())
    }

    #[test]
    fn directories_are_searched_and_sorted() -> Outcome {
        let corpus =
            corpus(&["b.PGN", "a/z.epd", "a/y.fen", "a.txt", "x.csv", ".hidden/h.pgn", ".h.pgn", "ignored.pgn", "Z.pgn"])?;
        fs::write(corpus.path().join(".gitignore"), "ignored.pgn\n")?;
        fs::write(corpus.path().join(".ignore"), "ignored.pgn\n")?;
        assert_eq!(found(corpus.path(), &[""])?, ["Z.pgn", "a.txt", "a/y.fen", "a/z.epd", "b.PGN", "ignored.pgn"]);
        Ok(())
    }

    #[test]
    fn a_list_has_a_maximum_of_lines() -> Outcome {
        let lines = |count: u64| lines_of("list", io::repeat(b'\n').take(count));
        assert!(lines(MAX_LIST_LINES)?.is_empty());
        let error = lines(u64::MAX).expect_err("an endless list");
        assert!(error.to_string().starts_with("the list `list` has more than 1,000,000 lines; "), "{error}");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_counted_and_not_read() -> Outcome {
        let corpus = corpus(&["a.pgn"])?;
        let _socket = std::os::unix::net::UnixListener::bind(corpus.path().join("b.pgn"))?;
        std::os::unix::fs::symlink("b.pgn", corpus.path().join("c.pgn"))?;
        let found = Wanted { words: vec![corpus.path().to_owned()], ..Wanted::default() }.find()?;
        assert_eq!((found.inputs.len(), found.skipped), (1, Skipped { special: 2, ..Skipped::default() }));
        Ok(())
    }

    #[test]
    fn what_a_search_skips_is_counted() -> Outcome {
        let corpus =
            corpus(&["a.pgn", "x.csv", ".h.pgn", ".git/b.pgn", ".git/c.pgn", "docs/d.txt", "docs/e.pgn", "raw/old.pgn"])?;
        let wanted = |words: &[&str]| Wanted {
            words: words.iter().map(|word| corpus.path().join(word)).collect(),
            exclude: Globs::new(&["docs", "raw/*.pgn"], corpus.path()).unwrap_or_default(),
            ..Wanted::default()
        };
        let names = |found: &FoundInputs| -> Vec<(String, bool)> {
            let name = |input: &Input| input.name.rsplit('/').next().unwrap_or_default().to_owned();
            found.inputs.iter().map(|input| (name(input), input.scanned)).collect()
        };
        let found = wanted(&[""]).find()?;
        assert_eq!(names(&found), [("a.pgn".to_owned(), true)]);
        assert_eq!(found.skipped, Skipped { other_extension: 1, hidden: 2, excluded: 2, ..Skipped::default() });
        let found = wanted(&["", "docs/e.pgn", "a.pgn"]).find()?;
        assert_eq!(names(&found), [("a.pgn".to_owned(), false), ("e.pgn".to_owned(), false)], "named files are audited");
        let found = wanted(&["*.pgn", "*/*.pgn", "docs/d.txt"]).find();
        assert!(matches!(found, Err(InputsError::AllExcluded(_))), "{found:?}");
        assert!(matches!(wanted(&["docs"]).find(), Err(InputsError::AllExcluded(_))));
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf_8_are_found() -> Outcome {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        let corpus = corpus(&["a.pgn"])?;
        fs::write(corpus.path().join(OsStr::from_bytes(b"b\xE9.pgn")), "*\n")?;
        assert_eq!(found(corpus.path(), &[""])?, ["a.pgn", "b\\xE9.pgn"]);
        assert_eq!(found(corpus.path(), &["b*"])?, ["b\\xE9.pgn"]);
        Ok(())
    }

    #[test]
    fn no_file_is_audited_twice() -> Outcome {
        let corpus = corpus(&["a.pgn", "d/b.pgn"])?;
        assert_eq!(found(corpus.path(), &["d/b.pgn", "a.pgn", "", "a.pgn", "d/../a.pgn"])?, ["a.pgn", "d/b.pgn"]);
        assert_eq!(found(corpus.path(), &["", "d"])?, ["a.pgn", "d/b.pgn"]);
        Ok(())
    }

    #[test]
    fn globs_stand_for_what_they_match() -> Outcome {
        let corpus = corpus(&["a.pgn", "b.csv", "d/c.pgn", "d/e/f.pgn", "d/e/g.csv", "[x].pgn"])?;
        assert_eq!(found(corpus.path(), &["*.pgn"])?, ["[x].pgn", "a.pgn"]);
        assert_eq!(found(corpus.path(), &["**/*.pgn"])?, ["[x].pgn", "a.pgn", "d/c.pgn", "d/e/f.pgn"]);
        assert_eq!(found(corpus.path(), &["?.csv"])?, ["b.csv"]);
        assert_eq!(found(corpus.path(), &["{a,d/c}.pgn"])?, ["a.pgn", "d/c.pgn"]);
        assert_eq!(found(corpus.path(), &["{d,q}/*.pgn"])?, ["d/c.pgn"], "a star stops at a slash");
        assert_eq!(found(corpus.path(), &["d/*"])?, ["d/c.pgn", "d/e/f.pgn"], "matching directories are searched");
        assert_eq!(found(corpus.path(), &["[x].pgn"])?, ["[x].pgn"], "a file with this name takes precedence");
        assert!(matches!(found(corpus.path(), &["*.epd"]), Err(InputsError::NothingMatches(_))));
        assert!(matches!(found(corpus.path(), &["a[.pgn"]), Err(InputsError::BadGlob { .. })));
        Ok(())
    }

    #[test]
    fn what_is_not_there_is_an_error() -> Outcome {
        let corpus = corpus(&["d/x.csv", "a.pgn"])?;
        assert!(matches!(found(corpus.path(), &["none.pgn"]), Err(InputsError::NoSuchFile(_))));
        assert!(matches!(found(corpus.path(), &["a.pgn/none.pgn"]), Err(InputsError::NoSuchFile(_))));
        assert!(matches!(found(corpus.path(), &["d"]), Err(InputsError::NothingInDirectory(_))));
        assert!(matches!(Wanted::default().find(), Err(InputsError::Nothing)));
        Ok(())
    }

    #[test]
    fn standard_input_comes_first() -> Outcome {
        let corpus = corpus(&["a.pgn"])?;
        let words = vec![corpus.path().join("a.pgn"), "-".into(), "-".into()];
        let FoundInputs { inputs, .. } =
            Wanted { words: words.clone(), stdin_name: Some("zzz.pgn".into()), ..Wanted::default() }.find()?;
        assert_eq!(inputs.len(), 2);
        assert_eq!(inputs[0].name, "zzz.pgn");
        assert!(matches!(inputs[0].source, Source::Stdin));
        let twice = Wanted { words, lists: vec!["-".into()], ..Wanted::default() }.find();
        assert!(matches!(twice, Err(InputsError::StdinTwice)));
        Ok(())
    }

    #[test]
    fn lists_hold_one_path_in_each_line() -> Outcome {
        let corpus = corpus(&["a.pgn", "b c.pgn"])?;
        let root = corpus.path().to_string_lossy();
        let list = corpus.path().join("list");
        fs::write(&list, format!("\u{FEFF}# title\r\n\r\n{root}/b c.pgn\r\n\n{root}/a.pgn"))?;
        let wanted = Wanted { lists: vec![list.to_string_lossy().into_owned()], ..Wanted::default() };
        let names: Vec<String> = wanted.find()?.inputs.into_iter().map(|input| input.name).collect();
        assert_eq!(names, [format!("{root}/a.pgn"), format!("{root}/b c.pgn")]);

        fs::write(&list, format!("{root}/a.pgn\n{root}/none.pgn\n"))?;
        let message = wanted.find().map(|_| ()).map_err(|error| error.to_string());
        let expected = format!("line 2 of the list `{}`: no such file or directory: `{root}/none.pgn`", list.display());
        assert_eq!(message, Err(expected));

        fs::write(&list, "# nothing\n")?;
        assert!(matches!(wanted.find(), Err(InputsError::EmptyList(_))));
        Ok(())
    }

    #[test]
    fn a_malformed_list_is_an_error_with_its_line() {
        let line = |bytes: &[u8]| match lines_of("l", bytes) {
            Err(InputsError::NotAList { at, .. }) => Some(at.line),
            _ => None,
        };
        assert_eq!(line(b"a\nb\0c\n"), Some(2));
        assert_eq!(line(b"a\n\n\xFF\n"), Some(3));
        assert_eq!(line(b"a\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_followed() -> Outcome {
        let corpus = corpus(&["store/1", "d/a.pgn"])?;
        std::os::unix::fs::symlink(corpus.path().join("store/1"), corpus.path().join("d/b.pgn"))?;
        std::os::unix::fs::symlink(corpus.path().join("d"), corpus.path().join("d/loop"))?;
        std::os::unix::fs::symlink(corpus.path().join("gone"), corpus.path().join("d/gone.pgn"))?;
        assert_eq!(found(corpus.path(), &["d"])?, ["d/a.pgn", "d/b.pgn", "d/gone.pgn"]);
        // Of several names of a file, the first one is kept, also of a broken link.
        assert_eq!(found(corpus.path(), &["d", "d/."])?, ["d/./a.pgn", "d/./b.pgn", "d/./gone.pgn"]);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn files_of_a_search_and_links_to_them_are_one_input() -> Outcome {
        let corpus = corpus(&["d/a.pgn", "e/c.pgn"])?;
        std::os::unix::fs::symlink("a.pgn", corpus.path().join("d/b.pgn"))?;
        std::os::unix::fs::symlink("../d/a.pgn", corpus.path().join("e/d.pgn"))?;
        assert_eq!(found(corpus.path(), &["d", "e/*.pgn"])?, ["d/a.pgn", "e/c.pgn"]);
        assert_eq!(found(corpus.path(), &["d"])?, ["d/a.pgn"]);
        let followed = Wanted { words: vec![corpus.path().to_owned()], follow: true, ..Wanted::default() }.find()?;
        assert_eq!(followed.inputs.len(), 2, "{followed:?}");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_that_are_hidden_excluded_or_broken_are_not_directories() -> Outcome {
        use std::os::unix::fs::symlink;
        let corpus = corpus(&["d/a.pgn"])?;
        for (target, link) in [("nowhere", "d/.#a.pgn"), ("..", "d/.loop"), ("nowhere", "d/broken.bak"), ("..", "d/excluded")] {
            symlink(target, corpus.path().join(link))?;
        }
        for follow in [false, true] {
            let words = vec![corpus.path().join("d")];
            let exclude = Globs::new(&["excluded".to_owned()], corpus.path())?;
            let found = Wanted { words, exclude, follow, ..Wanted::default() }.find()?;
            assert_eq!(found.inputs.len(), 1, "{found:?}");
            assert_eq!(found.skipped, Skipped { other_extension: 1, hidden: 2, excluded: 1, ..Skipped::default() }, "{follow}");
        }
        // Links that a glob could have followed count, and others do not.
        symlink("d", corpus.path().join("e"))?;
        let linked = |glob: &str| -> Result<u64, InputsError> {
            Ok(Wanted { words: vec![corpus.path().join(glob)], ..Wanted::default() }.find()?.skipped.linked)
        };
        assert_eq!((linked("*/*.pgn")?, linked("d*/*.pgn")?, linked("**/a.pgn")?), (1, 0, 2));
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf_8_stay_apart() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        assert_eq!(name_of(Path::new(OsStr::from_bytes(b"a\xE9.pgn"))), "a\\xE9.pgn");
    }
}
