//! Errors with plans and parts.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::pipeline::PartFault;

/// A plan cannot be made, read or written.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("cannot read the plan `{}`: {source}", path.display())]
    Read {
        /// The plan.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the plan `{}`: {source}", path.display())]
    Write {
        /// The plan.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file to be written exists and is not a plan.
    #[error("`{}` exists and is not a plan; choose another file with --output", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a plan, or was changed.
    #[error("`{}` is not a plan, or it was changed: line {line}: {reason}; make it again with `chess-audit shards plan`", path.display())]
    Damaged {
        /// The plan.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Another version of the program has made the plan.
    #[error(
        "`{}` was made by chess-audit {made_by}, but this is {}; use one version on all machines",
        path.display(),
        env!("CARGO_PKG_VERSION")
    )]
    Version {
        /// The plan.
        path: PathBuf,
        /// The version that made it.
        made_by: String,
    },
    /// There is no such shard.
    #[error("there is no shard {number}: the plan `{}` has shards 1 to {shards}", path.display())]
    NoShard {
        /// The plan.
        path: PathBuf,
        /// The number that was asked for.
        number: usize,
        /// The number of shards.
        shards: usize,
    },
    /// The search for inputs skipped other files than now.
    #[error("the plan `{}` was made with other values of `exclude`; use the same settings for `shards plan`, `check` and `shards merge`", path.display())]
    Exclude {
        /// The plan.
        path: PathBuf,
    },
    /// An input is not a file.
    #[error("`{0}` cannot be part of a plan, because other machines cannot read it; write it to a file first")]
    NotAFile(String),
    /// A path cannot be written into a plan on this system.
    #[cfg(not(unix))]
    #[error("`{0}` cannot be written into a plan: its name is not Unicode")]
    Name(String),
}

/// The part of a shard cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// The shard was not audited, or not to its end.
    #[error(
        "shard {shard} is missing in `{}`; run `chess-audit check --plan {} --shard {shard} -o {}`",
        directory.display(), argument(plan), argument(directory)
    )]
    Missing {
        /// The number of the shard.
        shard: usize,
        /// The directory of the parts.
        directory: PathBuf,
        /// The plan.
        plan: PathBuf,
    },
    /// The part is damaged.
    #[error("`{}` (shard {shard}) is damaged: {reason}; audit the shard again", path.display())]
    Damaged {
        /// The number of the shard.
        shard: usize,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The part is not what the plan asks for, or its lines are not what its manifest says.
    #[error("`{}` (shard {shard}) does not match its plan or its manifest: {fault}; audit the shard again", path.display())]
    Mismatch {
        /// The number of the shard.
        shard: usize,
        /// The file.
        path: PathBuf,
        /// What does not match.
        fault: PartFault,
    },
    /// The plan has no such shard, or is malformed.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The part belongs to another plan, version, rule set or other settings.
    #[error("`{}` (shard {shard}) belongs to another audit: {difference}", path.display())]
    Foreign {
        /// The number of the shard.
        shard: usize,
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The part cannot be read.
    #[error("cannot read `{}` (shard {shard}): {source}", path.display())]
    Read {
        /// The number of the shard.
        shard: usize,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The part cannot be written.
    #[error("cannot write the part of shard {shard} to `{}`: {source}", path.display())]
    Write {
        /// The number of the shard.
        shard: usize,
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A path as an argument of a command in a shell.
fn argument(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+=:,@%".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_a_shell() {
        for (path, expected) in [("a/b-1.plan", "a/b-1.plan"), ("my parts", "'my parts'"), ("it's", r"'it'\''s'"), ("", "''")] {
            assert_eq!(argument(Path::new(path)), expected);
        }
    }
}
