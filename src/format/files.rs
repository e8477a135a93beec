//! The files of a report, by name. Only these are ever replaced or removed.

use std::{
    ffi::{OsStr, OsString},
    fs,
    io::{self, Read},
    path::Path,
};

use serde::Deserialize;

use super::{TOOL, Table, run::MAX_RUN_BYTES};
use crate::text::open_regular;

/// The file that identifies a report.
pub(crate) const RUN_FILE: &str = "run.json";
pub(crate) const INPUTS_FILE: &str = "inputs.csv";
pub(crate) const FAILURES_FILE: &str = "failures.csv";
pub(crate) const SUMMARY_FILE: &str = "summary.csv";
pub(crate) const OVERLAP_FILE: &str = "overlap.csv";
pub(crate) const PLAYERS_FILE: &str = "players.csv";
pub(crate) const NAMES_FILE: &str = "names.csv";
pub(crate) const GAME_KEYS_FILE: &str = "game_keys.csv";
/// Findings that are counted on the lines of others.
pub(crate) const FOLDED_FILE: &str = "folded.csv";
pub(crate) const PROFILE_FILE: &str = "profile.csv";
pub(crate) const CERTIFICATES_FILE: &str = "certificates.csv";
/// Games that lead to certified positions.
pub(crate) const PROOF_GAMES_FILE: &str = "proof_games.pgn";
pub(crate) const PAGE_FILE: &str = "report.html";
/// The types of the tables.
pub(crate) const TYPES_FILE: &str = "datapackage.json";

/// The open findings of a night.
pub(crate) const OPEN_FILE: &str = "open.csv";
pub(crate) const COMPARE_FILE: &str = "compare.csv";
pub(crate) const COMPARE_INPUTS_FILE: &str = "compare_inputs.csv";
pub(crate) const COMPARE_GAMES_FILE: &str = "compare_games.csv";

/// What a night adds to its report.
pub(crate) const OF_A_NIGHT: [&str; 4] = [OPEN_FILE, COMPARE_FILE, COMPARE_INPUTS_FILE, COMPARE_GAMES_FILE];

/// Whether a file of this name can be part of a report.
pub fn is_report_file(name: &OsStr) -> bool {
    let others = [
        INPUTS_FILE,
        FAILURES_FILE,
        SUMMARY_FILE,
        OVERLAP_FILE,
        PLAYERS_FILE,
        NAMES_FILE,
        GAME_KEYS_FILE,
        FOLDED_FILE,
        PROFILE_FILE,
        CERTIFICATES_FILE,
    ];
    let mut tables = Table::ALL.iter().map(|table| table.file_name()).chain(others);
    [RUN_FILE, PAGE_FILE, TYPES_FILE, PROOF_GAMES_FILE].iter().any(|file| name == *file) || tables.any(|table| name == table)
}

/// Whether the `run.json` of a directory names this program.
pub(crate) fn is_report(directory: &Path) -> bool {
    #[derive(Deserialize)]
    struct Run {
        tool: String,
    }
    let read = || {
        let mut text = String::new();
        let path = directory.join(RUN_FILE);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        open_regular(&path)?.take(MAX_RUN_BYTES).read_to_string(&mut text)?;
        serde_json::from_str::<Run>(&text).map_err(io::Error::from)
    };
    read().is_ok_and(|run| run.tool == TOOL)
}

/// Removes the files of a report, complete or not, with what a night adds to it, and its directory.
pub(crate) fn remove_report(directory: &Path) -> io::Result<()> {
    if other_files(directory)?.iter().any(|other| !OF_A_NIGHT.iter().any(|name| other == *name)) {
        return Err(io::ErrorKind::DirectoryNotEmpty.into());
    }
    for entry in fs::read_dir(directory)? {
        fs::remove_file(entry?.path())?;
    }
    fs::remove_dir(directory)
}

/// What a directory contains besides files of a report, sorted.
pub(super) fn other_files(directory: &Path) -> io::Result<Vec<OsString>> {
    let mut others = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() || !is_report_file(&entry.file_name()) {
            others.push(entry.file_name());
        }
    }
    others.sort();
    Ok(others)
}
