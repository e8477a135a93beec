//! What each command reads and writes, option by option. [`RunFiles`] refuses what would be lost.

use std::path::{Path, PathBuf};

use crate::{
    edit::SplitFiles,
    format::{FileConflict, ReadAs, RunFiles},
    review::HISTORY_CSV,
};

use super::{
    args::{AuditArguments, EngineArguments, FenArguments, OracleArguments},
    oracles,
    printer::is_stdout,
};
use crate::cli::settings::resolved::ResolvedSettings;

/// Notes the files of an audit that its options and settings name.
pub fn note_audit(files: &mut RunFiles, arguments: &AuditArguments, resolved: &ResolvedSettings) {
    let AuditArguments { eco, spelling, players, oracles, repairs, games, .. } = arguments;
    note_settings(files, resolved);
    resolved.baseline().into_iter().for_each(|path| files.reads(path, ReadAs::Baseline));
    eco.iter().for_each(|path| files.reads(path, ReadAs::Openings));
    spelling.iter().for_each(|path| files.reads(path, ReadAs::Spellings));
    players.iter().for_each(|path| files.reads(path, ReadAs::RatingList));
    let OracleArguments { syzygy, engine, engine_settings, .. } = oracles;
    note_oracles(files, syzygy, engine.as_deref(), engine_settings);
    repairs.iter().filter(|path| !is_stdout(path)).for_each(|path| files.writes(path, "--repairs"));
    games.iter().for_each(|path| files.writes(path, "--games"));
}

/// Notes the settings file and the lists that it names.
pub fn note_settings(files: &mut RunFiles, resolved: &ResolvedSettings) {
    resolved.file().into_iter().for_each(|path| files.reads(path, ReadAs::Settings));
    resolved.lists().for_each(|path| files.reads(path, ReadAs::List));
}

/// Notes lists of inputs. `-` is standard input.
pub fn note_lists(files: &mut RunFiles, lists: &[String]) {
    lists.iter().for_each(|list| files.reads(Path::new(list), ReadAs::InputList));
}

fn note_oracles(files: &mut RunFiles, syzygy: &[PathBuf], engine: Option<&str>, settings: &EngineArguments) {
    syzygy.iter().for_each(|directory| files.reads(directory, ReadAs::EndgameTable));
    if let Some(engine) = engine {
        oracles::program(engine).iter().for_each(|program| files.reads(program, ReadAs::Engine));
        oracles::cache(settings).iter().for_each(|cache| files.keeps(cache, "answers of engines"));
    }
}

/// Notes the files of good and bad records.
pub fn note_split(files: &mut RunFiles, split: &SplitFiles<'_>) {
    split.all().iter().for_each(|(path, option)| files.writes(path, option));
}

/// Notes what a night writes to its store, besides its report.
pub fn note_store(files: &mut RunFiles, store: &Path) {
    files.keeps(&store.join("reports"), "the reports of nights");
    [HISTORY_CSV, "lock"].iter().for_each(|name| files.writes(&store.join(name), "--store"));
}

/// Checks the files of `baseline`, which rewrites `file`.
pub fn check_baseline(reports: &[&PathBuf], file: &Path) -> Result<(), FileConflict> {
    let mut files = RunFiles::default();
    reports.iter().for_each(|report| files.reads(report, ReadAs::Report));
    files.writes(file, "--output");
    files.checked().map(drop)
}

/// Checks the files of `fen`.
pub fn check_fen(arguments: &FenArguments, from_stdin: bool) -> Result<(), FileConflict> {
    let FenArguments { svg, syzygy, engine, engine_settings, .. } = arguments;
    let mut files = RunFiles::default();
    note_oracles(&mut files, syzygy, engine.as_deref(), engine_settings);
    if from_stdin {
        files.reads(Path::new("-"), ReadAs::Input);
    }
    svg.iter().filter(|path| !is_stdout(path)).for_each(|path| files.writes(path, "--svg"));
    files.checked().map(drop)
}
