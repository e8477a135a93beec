//! Replays the corpora of the fuzz targets, which need neither cargo-fuzz nor a nightly toolchain
//! then.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

use crate::common::{fixture, root};

#[path = "../../fuzz/targets/mod.rs"]
mod targets;

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

#[test]
fn every_target_is_a_program() {
    let listed = fs::read_to_string(root().join("tests/fuzz/Cargo.toml")).expect("the manifest can be read");
    for (name, _) in targets::TARGETS {
        assert!(listed.contains(&format!("name = \"{name}\"")), "{name} is not a program of tests/fuzz/Cargo.toml");
    }
    let modules = files(&root().join("tests/fuzz/targets")).len() - 1;
    assert_eq!((modules, listed.matches("[[bin]]").count()), (targets::TARGETS.len(), targets::TARGETS.len()));
}

#[test]
fn corpora_break_no_promise() {
    let games = ["showcase.pgn", "showcase.epd", "puzzles.csv"].map(fixture);
    for (name, run) in targets::TARGETS {
        let reads_chess = !matches!(name, "archives" | "baselines" | "fixes" | "repairs" | "settings");
        replay(name, run, if reads_chess { &games } else { &[] });
    }
}
