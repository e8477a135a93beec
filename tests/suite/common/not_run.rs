//! What is not run here, in a list that `tests/not_run` prints after the suite.

use std::{fs, io::Write, path::PathBuf};

/// Notes that a test, or a part of it, is not run here, and why.
pub fn not_run(reason: &str) {
    println!("not run: {reason}");
    let thread = std::thread::current();
    let opened = fs::OpenOptions::new().create(true).append(true).open(list());
    let noted = opened.and_then(|mut list| writeln!(list, "{reason}\t{}", thread.name().unwrap_or("a test")));
    noted.expect("the list can be written");
}

/// The list of this run of cargo, which runs the suite and then `tests/not_run`.
pub fn list() -> PathBuf {
    #[cfg(unix)]
    let cargo = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let cargo = 0;
    let folder = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    folder.join(format!("not_run.{cargo}"))
}
