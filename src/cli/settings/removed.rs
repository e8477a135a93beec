//! Options and commands of earlier versions, and what replaces them.

use clap::error::{ContextKind, ContextValue};

/// What was removed, and what to do instead.
pub const REMOVED: &[(&str, &str)] = &[
    ("merge", "use `clean` for one clean corpus of several collections, or `shards merge` for an audit on many machines"),
    ("plan", "use `shards plan`"),
    ("spark-job", "use `shards spark-job`"),
    ("--chess960", "use `--variant chess960`"),
    ("--tables", "DuckDB writes Parquet from the tables, see `chess-audit schema --sql`"),
    ("--html-rows", "the page shows 50 findings of each rule without JavaScript, and all with it"),
    ("--perft-depth", "perft counts are checked up to depth 3"),
    ("--summary-json", "read run.json and summary.csv in the report"),
];

/// Whether there was a command with this name.
pub fn is_command(word: &str) -> bool {
    REMOVED.iter().any(|(name, _)| *name == word)
}

/// What replaces the option or command that is unknown, if it was removed.
pub fn advice(error: &clap::Error) -> Option<String> {
    let unknown = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand].into_iter().find_map(|kind| error.get(kind))?;
    let ContextValue::String(unknown) = unknown else { return None };
    let (name, instead) = REMOVED.iter().find(|(name, _)| name == unknown)?;
    Some(format!("`{name}` was removed: {instead}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::Arguments;

    #[test]
    fn what_replaces_it_is_said_for_each() {
        let changelog = include_str!("../../../.github/CHANGELOG.md");
        for (name, instead) in REMOVED {
            let words =
                if name.starts_with('-') { vec!["chess-audit", "check", "a.pgn", name] } else { vec!["chess-audit", name] };
            let said = Arguments::try_parse_from(words).err().as_ref().and_then(advice);
            assert_eq!(said, Some(format!("`{name}` was removed: {instead}")));
            assert!(changelog.contains(&format!("`{name}`")), "{name} is not in the changelog");
        }
    }
}
