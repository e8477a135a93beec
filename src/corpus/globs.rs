//! Globs of input names.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs of input names. A `*` stops at a slash, `**` does not. A glob without a slash matches a
/// name in any directory.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    set: GlobSet,
    directory: PathBuf,
}

impl Globs {
    /// Globs that are relative to `directory`, which must be absolute.
    pub fn new<S: AsRef<str>>(patterns: &[S], directory: &Path) -> Result<Globs, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(glob(pattern.as_ref())?);
        }
        Ok(Globs { set: set.build()?, directory: directory.to_owned() })
    }

    /// Whether there are no globs.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Whether a glob matches the input `name`. Names are relative to the working directory.
    pub fn is_match(&self, name: &str) -> bool {
        if self.set.is_empty() {
            return false;
        }
        let absolute = std::path::absolute(name).unwrap_or_default();
        let relative = absolute.strip_prefix(&self.directory);
        self.set.is_match(name) || relative.is_ok_and(|relative| self.set.is_match(relative))
    }

    /// Whether a glob matches the input `name`, or a directory or an archive that contains it.
    pub fn is_match_or_inside(&self, name: &str) -> bool {
        let parents = name.char_indices().filter(|(at, letter)| *letter == '/' && *at > 0).map(|(at, _)| &name[..at]);
        !self.set.is_empty() && parents.chain([name]).any(|part| self.is_match(part))
    }
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
    GlobBuilder::new(&anywhere).literal_separator(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_without_a_slash_matches_names_in_any_directory() -> Result<(), globset::Error> {
        let globs = Globs::new(&["old*.pgn", "books/*.epd", "raw/**"], Path::new("/nowhere"))?;
        let matching = ["old1.pgn", "a/b/old.pgn", "books/x.epd", "raw/a/b.pgn"];
        assert!(matching.into_iter().all(|name| globs.is_match(name)));
        assert!(!["new.pgn", "a/books/x.epd", "books/a/x.epd"].into_iter().any(|name| globs.is_match(name)));
        Ok(())
    }

    #[test]
    fn a_directory_stands_for_what_it_contains() -> Result<(), globset::Error> {
        let globs = Globs::new(&["docs/", "./raw/old", "*.zip"], Path::new("/nowhere"))?;
        let inside = ["docs/a.txt", "x/docs/y/a.txt", "raw/old/a.pgn", "a/b.zip/c.pgn"];
        assert!(inside.into_iter().all(|name| globs.is_match_or_inside(name)));
        assert!(!inside.into_iter().any(|name| globs.is_match(name)));
        assert!(!["docs.txt", "x/raw/old/a.pgn"].into_iter().any(|name| globs.is_match_or_inside(name)));
        Ok(())
    }

    #[test]
    fn globs_are_relative_to_their_directory() -> std::io::Result<()> {
        let here = std::path::absolute(".")?;
        let parent = here.parent().unwrap_or(&here);
        let name = here.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let globs = Globs::new(&[format!("./{name}/a.pgn")], parent).map_err(std::io::Error::other)?;
        assert!(globs.is_match("a.pgn"));
        assert!(!globs.is_match("b/a.pgn"));
        Ok(())
    }
}
