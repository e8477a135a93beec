//! Applies a list of repairs: copies inputs, or replaces them, and changes only the bytes of the
//! repairs.

mod apply;
mod diff;
mod error;
mod in_place;
mod list;
mod locate;
mod outputs;

use std::{
    collections::HashMap,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::{
    corpus::{Packer, Source},
    rules::Selection,
};
use crate::{
    format::{CheckedFiles, NewDirectories, OutputFile, PATH, ReadAs, RunFiles},
    report::repairs::PathKind,
    review::Baseline,
};

pub use apply::{Control, FixProgress};
pub use diff::DiffStyle;
pub use error::FixError;
pub use list::Filter;
use list::Listed;
#[cfg(feature = "internals")]
pub use list::read_from as read_repairs;
pub(super) use list::{Replaces, settled};
use locate::{Located, Target};
pub(super) use outputs::below;
use outputs::{OUTPUT, check, in_directory, is_empty_file};

/// The repairs to apply.
#[derive(Clone, Debug)]
pub struct Fix {
    /// Files and directories; empty for all inputs in the list. A file can have another name than
    /// in the list, because it is recognised by its content.
    pub paths: Vec<PathBuf>,
    /// The list of repairs, a regular file or the pipe of a process substitution.
    pub repairs: PathBuf,
    /// Whether likely repairs are applied too.
    pub likely: bool,
    /// The rules whose repairs are applied; `None` for all.
    pub rules: Option<Selection>,
    /// A CSV file with the fingerprints of the findings whose repairs are applied, likely ones too;
    /// `None` for all.
    pub only: Option<PathBuf>,
}

/// What was done, or what would be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Applied repairs.
    pub applied: u64,
    /// Inputs that were repaired.
    pub inputs: u64,
    /// Repairs skipped because they are only likely.
    pub likely: u64,
    /// Repairs skipped because another one changes the same bytes.
    pub overlapping: u64,
    /// Inputs that were given and are not in the list.
    pub unlisted: u64,
    /// Inputs that have their repairs already.
    pub repaired_before: u64,
    /// Files that belong to another user or group now, because their owner could not be kept.
    pub other_owner: Vec<PathBuf>,
    /// Whether the run was stopped, so that some inputs were not repaired.
    pub is_interrupted: bool,
}

/// The inputs with their repairs. All have the content that they had when the list was written.
#[derive(Debug)]
pub struct FixPlan {
    /// The lists that were read.
    lists: RunFiles,
    list: Vec<Listed>,
    targets: Vec<Target>,
    unlisted: u64,
}

impl Fix {
    /// Reads the list and the inputs. Nothing is written.
    pub fn plan(&self, control: Control<'_>) -> Result<FixPlan, FixError> {
        let only = self.only.as_deref().map(Baseline::read).transpose()?;
        let filter = Filter { likely: self.likely, rules: self.rules.as_ref(), only: only.as_ref() };
        let list = list::read(&self.repairs, filter)?;
        let Located { targets, unlisted } = locate::locate(&list, &self.paths, control)?;
        let mut lists = RunFiles::default();
        lists.reads(&self.repairs, ReadAs::Repairs);
        self.only.iter().for_each(|only| lists.reads(only, ReadAs::Findings));
        Ok(FixPlan { lists, list, targets, unlisted })
    }
}

impl FixPlan {
    /// What will be done.
    pub fn outcome(&self) -> Fixed {
        let mut fixed = self.begun();
        self.repaired().for_each(|(_, listed)| fixed.count(listed));
        fixed
    }

    /// Whether there are members of archives, which become files in a directory.
    pub fn has_members(&self) -> bool {
        self.targets.iter().any(|target| matches!(target.input.source, Source::Member(_)))
    }

    /// What is skipped.
    fn begun(&self) -> Fixed {
        let before = self.targets.iter().filter(|target| target.repaired.is_some()).count();
        let mut fixed = Fixed { unlisted: self.unlisted, repaired_before: before as u64, ..Fixed::default() };
        for listed in self.targets.iter().filter_map(|target| self.listed(target)) {
            fixed.likely += listed.likely;
            fixed.overlapping += listed.overlapping;
        }
        fixed
    }

    fn listed(&self, target: &Target) -> Option<&Listed> {
        target.listed.and_then(|index| self.list.get(index))
    }

    /// The inputs that have repairs to apply.
    fn repaired(&self) -> impl Iterator<Item = (&Target, &Listed)> {
        let listed = |target| self.listed(target).map(|listed| (target, listed));
        let has_repairs = |(target, listed): &(&Target, &Listed)| target.repaired.is_none() && !listed.replacements.is_empty();
        self.targets.iter().filter_map(listed).filter(has_repairs)
    }

    /// Refuses an input that has its repairs already: only what is replaced can be repaired twice.
    fn check_unrepaired(&self) -> Result<(), FixError> {
        let repaired = self.targets.iter().find_map(|target| target.repaired.clone().zip(Some(&target.path)));
        repaired.map_or(Ok(()), |((length, digest), path)| Err(FixError::OtherInput { path: path.clone(), length, digest }))
    }

    /// The files of this run, without what is written.
    fn files(&self) -> RunFiles {
        let mut files = self.lists.clone();
        files.reads_inputs(self.targets.iter().map(|target| &target.input));
        files
    }

    /// The only input, if there is only one.
    fn single(&self, output: &Path) -> Result<&Target, FixError> {
        let mut repaired = self.repaired().map(|(target, _)| target);
        match (repaired.next(), repaired.next(), self.targets.as_slice()) {
            (Some(target), None, _) | (None, _, [target]) => Ok(target),
            _ => Err(FixError::NotADirectory { path: output.to_owned() }),
        }
    }

    /// Writes a copy of the only input to the file `output`, if there are repairs to apply. It is
    /// compressed as its name says. A link stays, and the file that it refers to is replaced. To
    /// pipes and devices, an input without repairs is copied too. An existing file is overwritten
    /// only if it is empty or `force` is set, and an input or the list never.
    pub fn write_file(&self, output: &Path, force: bool, control: Control<'_>) -> Result<Fixed, FixError> {
        self.check_unrepaired()?;
        let mut files = self.files();
        files.writes(output, OUTPUT);
        let files = files.checked()?;
        check(output, force)?;
        if self.repaired().next().is_none() && PathKind::of(output) == PathKind::Other {
            return Ok(self.outcome());
        }
        let target = self.single(output)?;
        self.copy(target, output, (force, &files), control)?;
        Ok(self.outcome())
    }

    /// Writes a copy of the only input to `to`, for example to standard output. An input without
    /// repairs is copied too. `name` is the name of `to` in errors.
    pub fn write_to(&self, to: impl Write, name: &Path, control: Control<'_>) -> Result<Fixed, FixError> {
        self.check_unrepaired()?;
        if self.repaired().next().is_none() && self.targets.len() != 1 {
            return Ok(self.outcome());
        }
        let target = self.single(name)?;
        let mut to = BufWriter::with_capacity(1 << 18, to);
        self.apply(target, (&mut to, name), control)?;
        to.flush().map_err(|source| FixError::unwritable(name, source))?;
        Ok(self.outcome())
    }

    /// Writes copies of the inputs with repairs to `directory`. Each has the path of its input
    /// there, also a member of an archive, and is compressed as its name says. If nothing is
    /// written, no directory is left.
    pub fn write_directory(&self, directory: &Path, force: bool, control: Control<'_>) -> Result<Fixed, FixError> {
        if directory.symlink_metadata().is_ok() && !directory.is_dir() {
            return Err(FixError::NotADirectory { path: directory.to_owned() });
        }
        self.check_unrepaired()?;
        let outputs = in_directory(self.repaired().map(|(target, _)| target), directory)?;
        let mut files = self.files();
        outputs.iter().for_each(|(_, output)| files.writes(output, OUTPUT));
        let files = files.checked()?;
        outputs.iter().try_for_each(|(_, output)| check(output, force))?;
        let outputs: HashMap<&Path, PathBuf> =
            outputs.into_iter().map(|(target, output)| (target.path.as_path(), output)).collect();
        let mut directories = NewDirectories::default();
        self.each(|target, _, _| {
            let Some(output) = outputs.get(target.path.as_path()) else { return Ok(()) };
            if let Some(parent) = output.parent() {
                directories.create(parent).map_err(|source| FixError::unwritable(parent, source))?;
            }
            self.copy(target, output, (force, &files), control)
        })
    }

    /// Replaces the files with their repaired text, one after the other, each in one step. With
    /// `backup`, the original is kept under its name and this ending. Files that have their repairs
    /// already are left as they are, so that a run that was killed can be run again.
    pub fn replace(&self, backup: Option<&str>, control: Control<'_>) -> Result<Fixed, FixError> {
        let mut files = self.lists.clone();
        for (target, listed) in self.repaired() {
            let text = target.input.text().map_err(|source| FixError::unreadable(&target.path, source))?;
            if text.is_packed {
                return Err(FixError::Packed { path: target.path.clone() });
            }
            files.writes(&target.path, PATH);
            in_place::check(&target.path, listed, backup, control)?;
        }
        files.checked()?;
        self.each(|target, listed, fixed| {
            let is_owner_kept = in_place::replace(&target.input, &target.path, listed, backup, control)?;
            if !is_owner_kept {
                fixed.other_owner.push(target.path.clone());
            }
            Ok(())
        })
    }

    /// Writes a unified diff of all inputs to `to`. `name` is the name of `to` in errors.
    pub fn write_diff(&self, to: impl Write, name: &Path, style: DiffStyle, control: Control<'_>) -> Result<Fixed, FixError> {
        let mut to = BufWriter::with_capacity(1 << 18, to);
        self.check_unrepaired()?;
        for (target, listed) in self.repaired() {
            diff::write(&target.input, &target.path, listed, (&mut to, style, name), control)?;
        }
        to.flush().map_err(|source| FixError::unwritable(name, source))?;
        Ok(self.outcome())
    }

    /// Calls `write` for each input with repairs, until the run is stopped.
    fn each(&self, mut write: impl FnMut(&Target, &Listed, &mut Fixed) -> Result<(), FixError>) -> Result<Fixed, FixError> {
        let mut fixed = self.begun();
        for (target, listed) in self.repaired() {
            match write(target, listed, &mut fixed) {
                Ok(()) => fixed.count(listed),
                Err(FixError::Interrupted) => {
                    fixed.is_interrupted = true;
                    break;
                }
                Err(error) if fixed.inputs == 0 => return Err(error),
                Err(error) => return Err(FixError::Partly { source: Box::new(error), done: fixed.inputs }),
            }
        }
        Ok(fixed)
    }

    /// Writes a copy of an input to a temporary file and moves it to `output` when it is complete.
    fn copy(
        &self,
        target: &Target,
        output: &Path,
        (force, files): (bool, &CheckedFiles),
        control: Control<'_>,
    ) -> Result<(), FixError> {
        let unwritable = |source| FixError::unwritable(output, source);
        let replace = force || is_empty_file(output);
        let file = OutputFile::create(output).map_err(unwritable)?.apart_from(files);
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        let packer = Packer::new(&name, file).map_err(unwritable)?;
        let mut to = BufWriter::with_capacity(1 << 18, packer);
        self.apply(target, (&mut to, output), control)?;
        let packer = to.into_inner().map_err(|error| unwritable(error.into_error()))?;
        let file = packer.finish().map_err(unwritable)?;
        let finished = if replace { file.finish() } else { file.finish_new() };
        finished.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FixError::Exists { path: output.to_owned() },
            _ => unwritable(error),
        })
    }

    fn apply(&self, target: &Target, to: (&mut dyn Write, &Path), control: Control<'_>) -> Result<(), FixError> {
        match self.listed(target) {
            Some(listed) => apply::copy(&target.input, &target.path, listed, to, control),
            None => apply::copy_unchanged(&target.input, &target.path, to, control),
        }
    }
}

impl Fixed {
    fn count(&mut self, listed: &Listed) {
        self.applied += listed.replacements.len() as u64;
        self.inputs += 1;
    }
}
