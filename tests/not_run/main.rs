//! Prints in one line what the suite did not run here, and why.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

#[path = "../suite/common/not_run.rs"]
#[allow(dead_code, reason = "nothing is noted here")]
mod not_run;

fn main() {
    let text = fs::read_to_string(not_run::list()).unwrap_or_default();
    let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (reason, test) in text.lines().filter_map(|line| line.split_once('\t')) {
        reasons.entry(reason).or_default().insert(test);
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, tests)| format!("{reason} ({})", tests.len())).collect();
    match reasons.len() {
        0 => println!("\nThe suite ran everything but ignored tests.\n"),
        _ => println!("\nNot run, or only in part (number of tests): {}\n", reasons.join("; ")),
    }
    // It belongs to this run of cargo.
    let _ = fs::remove_file(not_run::list());
}
