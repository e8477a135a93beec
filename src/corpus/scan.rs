//! Which files of a directory or an archive are inputs.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Globs, packing::without_packing};

/// Extensions of files that are read from directories and archives.
const EXTENSIONS: [&str; 4] = ["pgn", "epd", "fen", "txt"];

/// Number of files that were skipped on purpose. A directory that was not searched counts as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Files with other extensions.
    pub other_extension: u64,
    /// Hidden files and directories, and those that macOS adds to archives.
    pub hidden: u64,
    /// Files and directories that match a glob of `--exclude`.
    pub excluded: u64,
    /// Pipes, sockets and devices found by a search.
    pub special: u64,
    /// Links to directories found by a search.
    #[serde(default)]
    pub linked: u64,
    /// Files that this program wrote, and nobody edited.
    #[serde(default)]
    pub own: u64,
}

impl Skipped {
    /// Adds the counts of another search.
    pub fn add(&mut self, other: Skipped) {
        self.other_extension += other.other_extension;
        self.hidden += other.hidden;
        self.excluded += other.excluded;
        self.special += other.special;
        self.linked += other.linked;
        self.own += other.own;
    }

    /// Number of all files and directories that were skipped.
    pub const fn total(self) -> u64 {
        self.other_extension + self.hidden + self.excluded + self.special + self.linked
    }
}

/// Whether a file with this name is read: a game or position file, compressed or not, or a zip
/// archive.
pub(super) fn has_known_extension(name: &str) -> bool {
    let has_extension = |name: &str, known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(extension(name)));
    has_extension(name, &["zip"]) || has_extension(without_packing(name), &EXTENSIONS)
}

/// Whether a file with this name should contain games or positions. Texts may contain anything.
pub fn has_chess_name(name: &str) -> bool {
    let extension = extension(without_packing(name));
    !extension.eq_ignore_ascii_case("txt") && EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// The extension of a name; empty if there is none.
fn extension(name: &str) -> &str {
    Path::new(name).extension().and_then(|text| text.to_str()).unwrap_or_default()
}

/// Whether one part of a path is hidden. `.` and `..` are not.
pub(super) fn is_hidden(part: &str) -> bool {
    part == "__MACOSX" || (part.starts_with('.') && part != "." && part != "..")
}

/// Whether the member `name` of an archive is an input. Counts it if it is not. `shown` is its name
/// in the report.
pub(super) fn is_wanted_member(name: &str, shown: &str, exclude: &Globs, skipped: &mut Skipped) -> bool {
    let count = if name.split('/').any(is_hidden) {
        &mut skipped.hidden
    } else if exclude.is_match_or_inside(shown) {
        &mut skipped.excluded
    } else if !has_known_extension(name) {
        &mut skipped.other_extension
    } else {
        return true;
    };
    *count += 1;
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_extensions() {
        assert!(["a.pgn", "A.EPD", "a.fen.gz", "a.txt.ZST", "a.zip", "b/c.pgn.bz2"].into_iter().all(has_known_extension));
        assert!(!["a.csv", "a", "a.gz", "pgn", "a.pgn.bak", "a.pgn/b"].into_iter().any(has_known_extension));
    }

    #[test]
    fn texts_and_archives_may_contain_anything() {
        assert!(["a.pgn", "A.EPD", "a.fen.gz", "a.zip/b.pgn"].into_iter().all(has_chess_name));
        assert!(!["a.txt", "a.txt.gz", "a.zip", "a.pgn.zip/readme.txt", "pgn"].into_iter().any(has_chess_name));
    }

    #[test]
    fn this_directory_and_its_parent_are_not_hidden() {
        let mut skipped = Skipped::default();
        let exclude = Globs::default();
        assert!(is_wanted_member("./a.pgn", "z.zip/a.pgn", &exclude, &mut skipped));
        assert!(is_wanted_member("../a.pgn", "z.zip/../a.pgn", &exclude, &mut skipped));
        assert!(!is_wanted_member(".git/a.pgn", "z.zip/.git/a.pgn", &exclude, &mut skipped));
        assert!(!is_wanted_member("cover.jpg", "z.zip/cover.jpg", &exclude, &mut skipped));
        assert_eq!(skipped, Skipped { hidden: 1, other_extension: 1, ..Skipped::default() });
    }
}
