//! Finds the inputs of a list of repairs.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    FixError,
    apply::{Control, identity_of, is_repaired},
    list::Listed,
};
use crate::{
    corpus::{Finder, Input, Source, Wanted, path_of_name},
    text::open_regular,
};

/// An input, and its repairs.
#[derive(Debug)]
pub(super) struct Target {
    /// The input.
    pub input: Input,
    /// Its path, or its name if it is a member of an archive.
    pub path: PathBuf,
    /// Its place in the list; `None` if it has no repairs.
    pub listed: Option<usize>,
    /// Its length and digest, if it has its repairs already.
    pub repaired: Option<(u64, String)>,
}

/// The inputs that were found.
#[derive(Debug, Default)]
pub(super) struct Located {
    /// The inputs in the list, and an input that was named alone. All are unchanged since the
    /// audit, or have their repairs.
    pub targets: Vec<Target>,
    /// Number of inputs that were given and are not in the list.
    pub unlisted: u64,
}

/// Finds the inputs of `list`: all, or those that `paths` name.
pub(super) fn locate(list: &[Listed], paths: &[PathBuf], control: Control<'_>) -> Result<Located, FixError> {
    let mut search =
        Search { list, finder: Finder::default(), by_content: None, control, seen: HashSet::new(), located: Located::default() };
    if paths.is_empty() {
        search.add_all(&(0..list.len()).collect::<Vec<_>>())?;
    } else {
        search.given(paths)?;
    }
    Ok(search.located)
}

struct Search<'a> {
    list: &'a [Listed],
    finder: Finder,
    /// The places in the list by length and digest.
    by_content: Option<HashMap<(u64, &'a str), usize>>,
    control: Control<'a>,
    /// The paths of the inputs that were added.
    seen: HashSet<PathBuf>,
    located: Located,
}

impl<'a> Search<'a> {
    /// The input that the list names; `None` if it is not there.
    fn named(&mut self, listed: &Listed) -> Result<Option<Input>, FixError> {
        let found = self.finder.find(&listed.name, file_named);
        found.map_err(|source| FixError::unreadable(&path_of_name(&listed.name), source))
    }

    /// Adds the inputs at these places in the list.
    fn add_all(&mut self, places: &[usize]) -> Result<(), FixError> {
        let repaired = places.iter().filter_map(|index| self.list.get(*index)).filter(|listed| !listed.replacements.is_empty());
        self.announce(repaired.map(|listed| listed.length).sum());
        for index in places {
            let Some(listed) = self.list.get(*index) else { continue };
            // What has no repairs is read only if it may have to be copied.
            let is_read = !listed.replacements.is_empty() || self.list.len() == 1;
            let found = if is_read { self.named(listed)? } else { None };
            self.add_listed(*index, found)?;
        }
        Ok(())
    }

    /// Adds the input at a place in the list, if it is as it was.
    fn add_listed(&mut self, index: usize, found: Option<Input>) -> Result<(), FixError> {
        let Some(listed) = self.list.get(index) else { return Ok(()) };
        let path = path_of_name(&listed.name);
        match found {
            Some(input) => self.add(input, Some(index)),
            None if listed.replacements.is_empty() => {
                let input = Input { name: listed.name.clone(), source: Source::File(path.clone()), format: None, scanned: false };
                self.located.targets.push(Target { input, path, listed: Some(index), repaired: None });
                Ok(())
            }
            None => {
                // The system says why, unless it is about a member of an archive.
                let missing = io::Error::new(io::ErrorKind::NotFound, "it is not in the archive any more");
                let reason = open_regular(&path).err().filter(|error| error.kind() != io::ErrorKind::NotADirectory);
                Err(FixError::unreadable(&path, reason.unwrap_or(missing)))
            }
        }
    }

    /// Announces texts of this length. Each is read twice.
    fn announce(&self, length: u64) {
        self.control.progress.expected(length.saturating_mul(2));
    }

    /// Adds an input that is as the list says at `index`, with or without its repairs, or at any
    /// other place.
    fn add(&mut self, input: Input, index: Option<usize>) -> Result<(), FixError> {
        let path = path_of(&input);
        if self.seen.contains(&path) {
            return Ok(());
        }
        let (length, digest) = identity_of(&input, &path, self.control)?;
        let is_same = |listed: &&Listed| (listed.length, listed.digest.as_str()) == (length, digest.as_str());
        let is_as_listed = index.and_then(|index| self.list.get(index)).filter(is_same).is_some();
        let found = if is_as_listed { index } else { self.by_content().get(&(length, digest.as_str())).copied() };
        match found {
            Some(_) => {
                self.seen.insert(path.clone());
                self.located.targets.push(Target { input, path, listed: found, repaired: None });
            }
            None => match index.map(|index| (index, self.list.get(index))) {
                Some((index, Some(listed))) if is_repaired(&input, &path, listed, self.control)? => {
                    self.seen.insert(path.clone());
                    let repaired = Some((length, digest));
                    self.located.targets.push(Target { input, path, listed: Some(index), repaired });
                }
                Some(_) => return Err(FixError::OtherInput { path, length, digest }),
                None => self.located.unlisted += 1,
            },
        }
        Ok(())
    }

    fn by_content(&mut self) -> &HashMap<(u64, &'a str), usize> {
        let list = self.list;
        self.by_content.get_or_insert_with(|| {
            let key = |(index, listed): (usize, &'a Listed)| ((listed.length, listed.digest.as_str()), index);
            // Of several places, the first one counts.
            list.iter().enumerate().rev().map(key).collect()
        })
    }

    /// Adds the inputs of the list that `paths` name, and those that have other names now.
    fn given(&mut self, paths: &[PathBuf]) -> Result<(), FixError> {
        let found = Wanted { words: paths.to_vec(), ..Wanted::default() }.find()?.inputs;
        found.iter().try_for_each(can_be_read_again)?;
        if let [path] = paths
            && let [input] = &found[..]
            && !path.is_dir()
            && self.list.iter().all(|listed| !is_inside(&listed.name, &input.name))
        {
            return self.alone(input);
        }
        let mut files: BTreeMap<PathBuf, Input> = BTreeMap::new();
        for input in found {
            files.insert(resolved(&path_of(&input)), input);
        }
        let directories: Vec<PathBuf> = paths.iter().filter(|path| path.is_dir()).map(|path| resolved(path)).collect();
        let (mut places, mut missing) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for (index, listed) in self.list.iter().enumerate() {
            let Some(file) = outer_file(&listed.name) else {
                let path = path_of_name(&listed.name);
                missing.extend(paths.iter().any(|given| path.starts_with(given)).then_some(index));
                continue;
            };
            let file = resolved(&file);
            if files.contains_key(&file) || directories.iter().any(|directory| file.starts_with(directory)) {
                seen.insert(file);
                places.push(index);
            }
        }
        self.add_all(&places)?;
        let lengths: HashSet<u64> = self.list.iter().map(|listed| listed.length).collect();
        for input in files.into_iter().filter(|(file, _)| !seen.contains(file)).map(|(_, input)| input) {
            self.by_length(input, &lengths)?;
        }
        // What has another name now was found by its content.
        let used: HashSet<usize> = self.located.targets.iter().filter_map(|target| target.listed).collect();
        missing.into_iter().filter(|index| !used.contains(index)).try_for_each(|index| self.add_listed(index, None))
    }

    /// Adds the only input that was given. It is an error if it is not in the list.
    fn alone(&mut self, input: &Input) -> Result<(), FixError> {
        let path = path_of(input);
        let index = self.list.iter().position(|listed| listed.name == input.name);
        if let Some(members) = members(input, &path)? {
            let lengths = self.list.iter().map(|listed| listed.length).collect();
            members.into_iter().try_for_each(|member| self.by_length(member, &lengths))?;
            if self.located.targets.is_empty() && !self.list.is_empty() {
                return self.add(input.clone(), Some(usize::MAX));
            }
            return Ok(());
        }
        if !self.list.is_empty() {
            self.announce(input.size_on_disk().unwrap_or_default());
            return self.add(input.clone(), Some(index.unwrap_or(usize::MAX)));
        }
        self.located.targets.push(Target { input: input.clone(), path, listed: None, repaired: None });
        Ok(())
    }

    /// Adds an input whose name is not in the list, or its members, if the list has the same
    /// content.
    fn by_length(&mut self, input: Input, lengths: &HashSet<u64>) -> Result<(), FixError> {
        let path = path_of(&input);
        let opened = members(&input, &path).and_then(|members| match members {
            Some(members) => Ok((members, None)),
            None => Ok((Vec::new(), Some(input.text().map_err(|source| FixError::unreadable(&path, source))?))),
        });
        let text = match opened {
            Ok((_, Some(text))) => text,
            Ok((members, None)) => return members.into_iter().try_for_each(|member| self.by_length(member, lengths)),
            // A search finds broken links too.
            Err(_) if input.scanned => {
                self.located.unlisted += 1;
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let is_stored = !text.is_packed && !text.is_converted;
        if is_stored && input.size().is_some_and(|size| !lengths.contains(&size)) {
            self.located.unlisted += 1;
            return Ok(());
        }
        self.add(input, None)
    }
}

/// Fails for standard input and for pipes, before they are opened.
fn can_be_read_again(input: &Input) -> Result<(), FixError> {
    let path = path_of(input);
    match input.source {
        Source::Special(_) => open_regular(&path).map(drop).map_err(|source| FixError::unreadable(&path, source)),
        Source::Stdin => {
            let reason = io::Error::other("standard input is read only once; write it to a file first");
            Err(FixError::unreadable(&path, reason))
        }
        _ => Ok(()),
    }
}

/// The members of an archive; `None` if it is not one.
fn members(input: &Input, path: &Path) -> Result<Option<Vec<Input>>, FixError> {
    input.members().map_err(|source| FixError::unreadable(path, source))
}

/// The path of a file, or the name of another input.
fn path_of(input: &Input) -> PathBuf {
    match &input.source {
        Source::File(path) | Source::Special(path) => path.clone(),
        _ => path_of_name(&input.name),
    }
}

/// The path of the file that has this name in the list.
fn file_named(name: &str) -> Option<PathBuf> {
    let path = path_of_name(name);
    path.is_file().then_some(path)
}

/// The file with this name, or the archive that contains the input.
fn outer_file(name: &str) -> Option<PathBuf> {
    let mut archives = name.match_indices('/').map(|(end, _)| &name[..end]);
    file_named(name).or_else(|| archives.find_map(file_named))
}

/// Whether an input is a member of the archive `archive`.
fn is_inside(name: &str, archive: &str) -> bool {
    name.strip_prefix(archive).is_some_and(|rest| rest.starts_with('/'))
}

/// The path without links.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
