//! Where repaired copies are written.

use std::{
    collections::HashMap,
    path::{Component, Path, PathBuf},
};

use super::{FixError, locate::Target};
use crate::report::repairs::PathKind;

/// The option that names a copy.
pub(super) const OUTPUT: &str = "--output";

/// Fails if a copy at `output` would replace something that it must not.
pub(super) fn check(output: &Path, force: bool) -> Result<(), FixError> {
    // Nothing that is written to a pipe or a terminal is overwritten.
    if output.symlink_metadata().is_err() || PathKind::of(output) != PathKind::Other || is_empty_file(output) {
        return Ok(());
    }
    if force && !output.is_dir() { Ok(()) } else { Err(FixError::Exists { path: output.to_owned() }) }
}

/// The paths of the copies of `targets` in `directory`. Each has the path of its input there.
pub(super) fn in_directory<'a>(
    targets: impl Iterator<Item = &'a Target>,
    directory: &Path,
) -> Result<Vec<(&'a Target, PathBuf)>, FixError> {
    let mut taken: HashMap<PathBuf, &Target> = HashMap::new();
    let mut outputs = Vec::new();
    for target in targets {
        let output = directory.join(below(&target.path));
        if let Some(other) = taken.insert(output.clone(), target) {
            return Err(FixError::SameOutput { one: other.path.clone(), other: target.path.clone(), path: output });
        }
        outputs.push((target, output));
    }
    Ok(outputs)
}

/// The path without a root and without `..`, so that it stays in its directory.
pub(crate) fn below(path: &Path) -> PathBuf {
    let mut below = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => below.push(name),
            Component::ParentDir => drop(below.pop()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    below
}

/// Whether this is a file without content, for example one that `mktemp` has made.
pub(super) fn is_empty_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stay_in_their_directory() {
        for (path, expected) in [
            ("games/a.pgn", "games/a.pgn"),
            ("/srv/games/a.pgn", "srv/games/a.pgn"),
            ("./a.pgn", "a.pgn"),
            ("../games/a.pgn", "games/a.pgn"),
            ("x.zip/../../../etc/a.pgn", "etc/a.pgn"),
        ] {
            assert_eq!(below(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
