//! `chess-audit init`.

use std::io::Write;

use crate::format::OutputFile;
use anyhow::{Context, bail};

use super::{args::InitArguments, outcome::Outcome, text::print_line};
use crate::cli::settings::file::FILE_NAME;

/// A settings file in which every setting is commented out.
pub const TEMPLATE: &str = r#"# Settings of chess-audit.
#
# chess-audit looks for this file in the working directory and its parents. Options on the command
# line override it. `chess-audit settings` shows the values in effect and where they come from.

# The set of rules:
#   standard  errors and warnings
#   strict    errors, warnings and infos
#   export    as strict, and the layout of PGN export format
#   problem   for composed positions: as standard, without reachability rules
# profile = "standard"

# Run only these rules (codes, names or families).
# select = ["MOV", "RES", "wrong-number"]

# Do not run these rules.
# ignore = ["TAG01"]

# Skip these files and directories when directories, archives and globs are searched. Globs are
# relative to this file. A glob without a slash matches names in any directory.
# exclude = ["docs", "*.txt"]

# Exit with code 1 if there are findings of this severity or higher:
# "error", "warning", "info" or "never".
# fail-on = "error"

# Write at most this many rows per rule and input. Totals stay exact.
# max-rows = 1000

# Known findings, written by `chess-audit baseline write`. The path is relative to this file.
# baseline = "chess-audit-baseline.csv"

# Other options of `check` are settings too, by their names. `chess-audit check --help` explains them.
# Paths are relative to this file.
# duplicates = true
# game-keys = true
# eco = "eco.tsv"
# spelling = "spelling.ssp"

# FIDE's rating list, text or XML, for names and ids.
# players = "players_list_foa.txt"
# syzygy = ["syzygy"]
# engine = "stockfish"
# engine-nodes = 1000000
# engine-cache = "engine-cache"
# engine-option = ["Hash=256"]
# engine-processes = 2
# engine-timeout = 600
# variant = "chess960"
# fen-column = "FEN"
# moves-column = "Moves"
# exhaustive = true
# deep = true
# certify = 10
# as-of = "2026-12-31"
# follow = true
# name = "Our archive"
# format = ["jsonl"]
# html-size = "20M"
# no-html = true
# no-mmap = true
# threads = 4

# Accepted ratings (TAG12) and dates (TAG08). These are the defaults, except that dates have no
# upper limit by default. Use `check --as-of DATE` to report dates in the future.
# elo = { from = 1, to = 4000 }
# dates = { from = "1475.01.01", to = "2026.12.31" }

# Severities that differ from the defaults. A rule takes precedence over its family.
# [severity]
# missing-roster = "info"
# NUM01 = "error"

# What is expected. If it is not met, that is an error (EXP). Bounds of a run, or of each input that
# matches a glob (games, positions, plies, bytes; `inputs` only of a run). A glob has to match an
# input. Maximum numbers of findings, by rule. `counts` is a list of files and their numbers of games,
# `digests` one of their SHA-256 digests, both as published by Lichess. Use `--ignore EXP` to check
# only a part of the inputs.
# [expect]
# games = { min = 4000 }
# "2024/*.pgn" = { games = 812 }
# MOV01 = "2 per million"
# counts = "counts.txt"
# digests = "sha256sums.txt"
# Inputs may have fewer games and positions than in the night before (only `nightly`).
# shrink = true

# House rules (HSE): tags that every game needs, all values that a tag may have, values that it may not
# have, and a list of ids and links of games. Each may be a table with a severity and a reason.
# `require` and `deny-games` come before all tables.
# require = ["Annotator", { tag = "ECO", severity = "info", reason = "for the index" }]
# deny-games = "known-bad.txt"
# [allow]
# Result = ["1-0", "0-1", "1/2-1/2"]
# [deny]
# WhiteTitle = { values = ["BOT"], reason = "engines have a base of their own" }

# Rules that do not run on some inputs. Paths are globs relative to this file. A glob without a
# slash matches file names in any directory.
# [[except]]
# paths = ["bulletins/19*.pgn"]
# rules = ["TAG01", "RES01"]
# reason = "typed before the PGN standard existed"
"#;

/// Writes the settings file. An existing file is not overwritten.
pub fn run(arguments: &InitArguments) -> anyhow::Result<Outcome> {
    let path = arguments.directory.join(FILE_NAME);
    let cannot_create = || format!("cannot create `{}`", path.display());
    if path.symlink_metadata().is_ok() {
        bail!("`{}` exists; edit it, or remove it first", path.display());
    }
    let mut file = OutputFile::create(&path).with_context(cannot_create)?;
    file.write_all(TEMPLATE.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))?;
    file.finish_new().with_context(cannot_create)?;
    print_line(&format!("Created {}; all settings in it are commented out", path.display()))?;
    Ok(Outcome::Success)
}
