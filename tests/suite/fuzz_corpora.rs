//! Replays the corpora of the fuzz targets, which need neither cargo-fuzz nor a nightly toolchain
//! then.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

use crate::common::{fixture, root};

#[path = "../fuzz/targets/archives.rs"]
mod archives;
#[path = "../fuzz/targets/audit.rs"]
mod audit;
#[path = "../fuzz/targets/baselines.rs"]
mod baselines;
#[path = "../fuzz/targets/moves.rs"]
mod moves;
#[path = "../fuzz/targets/page.rs"]
mod page;
#[path = "../fuzz/targets/positions.rs"]
mod positions;
#[path = "../fuzz/targets/repairs.rs"]
mod repairs;
#[path = "../fuzz/targets/scanner.rs"]
mod scanner;
#[path = "../fuzz/targets/settings.rs"]
mod settings;
#[path = "../fuzz/targets/tables.rs"]
mod tables;

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Replays the corpus of a target, and these further files.
fn replay(name: &str, run: fn(&[u8]), more: &[PathBuf]) {
    let corpus = files(&root().join("tests/fuzz/corpus").join(name));
    assert!(!corpus.is_empty(), "the corpus of {name} is empty");
    for path in corpus.iter().chain(more) {
        let bytes = fs::read(path).expect("the file can be read");
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(&bytes))) {
            eprintln!("the target {name} fails on {}", path.display());
            std::panic::resume_unwind(panic);
        }
    }
}

fn games() -> Vec<PathBuf> {
    vec![fixture("showcase.pgn"), fixture("showcase.epd"), fixture("puzzles.csv")]
}

#[test]
fn every_target_is_replayed() {
    let listed = fs::read_to_string(root().join("tests/fuzz/Cargo.toml")).expect("the manifest can be read");
    let own = fs::read_to_string(root().join("tests/suite/fuzz_corpora.rs")).expect("this file can be read");
    for path in files(&root().join("tests/fuzz/targets")) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(listed.contains(&format!("name = \"{name}\"")), "{name} is not a program of tests/fuzz/Cargo.toml");
        assert!(own.contains(&format!("replay(\"{name}\", {name}::run")), "{name} is not replayed");
    }
}

#[test]
fn scanner_corpus() {
    replay("scanner", scanner::run, &games());
}

#[test]
fn positions_corpus() {
    replay("positions", positions::run, &games());
}

#[test]
fn moves_corpus() {
    replay("moves", moves::run, &games());
}

#[test]
fn audit_corpus() {
    replay("audit", audit::run, &games());
}

#[test]
fn archives_corpus() {
    replay("archives", archives::run, &[]);
}

#[test]
fn settings_corpus() {
    replay("settings", settings::run, &[]);
}

#[test]
fn baselines_corpus() {
    replay("baselines", baselines::run, &[]);
}

#[test]
fn repairs_corpus() {
    replay("repairs", repairs::run, &[]);
}

#[test]
fn page_corpus() {
    replay("page", page::run, &games());
}

#[test]
fn tables_corpus() {
    replay("tables", tables::run, &games());
}
