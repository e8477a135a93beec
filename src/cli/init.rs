//! `chess-audit init`.

use std::{fs::OpenOptions, io::Write};

use anyhow::Context;

use super::{args::InitArguments, outcome::Outcome, settings::FILE_NAME};

/// A settings file that changes nothing, and says what can be changed.
pub const STARTING_FILE: &str = r#"# Settings of chess-audit. It looks for this file in the working directory and in those above it.
# `chess-audit settings` prints what is in force, and where each value comes from.
# What is said on the command line counts before what is said here.

# Which findings are shown. standard: errors and warnings; strict: infos as well; export: strict, and the
# layout of PGN export format; problem: for composed positions, without the rules about what a game can reach.
# profile = "standard"

# Only these rules (codes, names or families), whatever their severity.
# select = ["MOV", "RES", "wrong-number"]

# All but these rules.
# ignore = ["TAG01"]

# From which severity on findings make the exit code 1: "error", "warning", "info" or "never".
# fail-on = "error"

# At most so many rows for each rule and input; counts stay exact.
# max-rows = 1000

# Findings that are known already: written by `chess-audit baseline write`. Relative to this file.
# baseline = "chess-audit-baseline.csv"

# Ratings and dates outside of these ranges are told (TAG12, TAG08). A range that is left out, or one end of it, is
# as it stands here; dates have no end by themselves. `check --as-of DATE` tells dates in the future.
# elo = { from = 1, to = 4000 }
# dates = { from = "1475.01.01", to = "2026.12.31" }

# Severities other than the rules' own.
# [severity]
# missing-roster = "info"
# NUM01 = "error"

# Rules that do not hold for some inputs, and why. Paths are globs relative to this file; one without a slash
# means files of that name wherever they are.
# [[except]]
# paths = ["bulletins/19*.pgn"]
# rules = ["TAG01", "RES01"]
# reason = "typed before there was a standard"
"#;

/// Writes the starting file, unless there is one.
pub fn run(arguments: &InitArguments) -> anyhow::Result<Outcome> {
    let path = arguments.directory.join(FILE_NAME);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .with_context(|| format!("cannot create `{}`", path.display()))?;
    file.write_all(STARTING_FILE.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))?;
    anstream::println!("Written: {}; every setting in it is commented out", path.display());
    Ok(Outcome::Clean)
}
