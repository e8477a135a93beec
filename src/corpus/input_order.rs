//! The order in which inputs were named.

use globset::GlobBuilder;
use serde::{Deserialize, Serialize};

/// The paths and globs of the command line, in their order. Empty if that is the order of the names
/// of inputs, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputOrder(Vec<String>);

impl InputOrder {
    /// The order of these words, with `/` as the separator.
    pub fn of(words: Vec<String>) -> InputOrder {
        // What is in `a/` comes after `a.pgn` by name.
        let is_by_name = words.is_sorted_by(|one, next| {
            let [one, next] = [one, next].map(|word| plain(word));
            one < next && !next.starts_with(one) && !has_wildcards(one) && !has_wildcards(next)
        });
        InputOrder(if is_by_name { Vec::new() } else { words })
    }

    /// The words.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// The place of the first word that names the input, or what contains it: a directory, an
    /// archive, or a glob. Inputs that no word names come last.
    pub fn rank(&self, name: &str) -> usize {
        self.0.iter().position(|word| names(word, name)).unwrap_or(self.0.len())
    }
}

/// A word as it is in the names of inputs.
fn plain(word: &str) -> &str {
    word.strip_prefix("./").unwrap_or(word).trim_end_matches('/')
}

fn has_wildcards(word: &str) -> bool {
    word.contains(['*', '?', '[', '{'])
}

/// Whether a word of the command line names the input.
fn names(word: &str, name: &str) -> bool {
    let contains = |container: &str| {
        name.strip_prefix(container).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || container.ends_with('/'))
    };
    let plain = plain(word);
    if contains(word) || contains(plain) || plain == "." || plain.is_empty() {
        return true;
    }
    if !has_wildcards(plain) {
        return false;
    }
    let Ok(glob) = GlobBuilder::new(plain).literal_separator(true).build() else { return false };
    let matcher = glob.compile_matcher();
    // A glob can match a directory or an archive.
    let parents = name.match_indices('/').map(|(at, _)| &name[..at]);
    parents.chain([name]).any(|part| matcher.is_match(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_has_the_place_of_the_word_that_names_it() {
        let order = InputOrder::of(["new/", "b*.pgn", "./old", "a.zip", "x.pgn"].map(str::to_owned).to_vec());
        for (name, rank) in [
            ("new/1.pgn", 0),
            ("newer/1.pgn", 5),
            ("big.pgn", 1),
            ("old/deep/1.pgn", 2),
            ("a.zip/games.pgn", 3),
            ("x.pgn", 4),
            ("x.pgn.gz", 5),
        ] {
            assert_eq!(order.rank(name), rank, "{name}");
        }
        assert_eq!(InputOrder::of(["z", "."].map(str::to_owned).to_vec()).rank("a.pgn"), 1);
        for words in [["[z].pgn", "a.pgn"], ["a", "a.pgn"], ["./z", "a.pgn"]] {
            assert!(!InputOrder::of(words.map(str::to_owned).to_vec()).words().is_empty(), "{words:?}");
        }
        // The order of names needs no words.
        assert_eq!(InputOrder::of(["a.pgn", "b.pgn"].map(str::to_owned).to_vec()), InputOrder::default());
    }
}
