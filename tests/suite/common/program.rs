//! The program, run in a directory of its own.

use std::{
    error::Error,
    ffi::OsString,
    fs, io,
    path::Path,
    process::{Command, Output, Stdio},
};

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_chess-audit");

/// A game with a warning that has a certain repair, and one with an error.
pub const GAMES: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                         [Result \"*\"]\n\n1. e4 d62. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7 *\n\n\
                         [Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                         [Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n";

/// A directory with the games in `a.pgn` and their report in `report`.
pub fn audited_home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAMES)?;
    let output = run(home.path(), &["check", "-q", "a.pgn", "-o", "report"])?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    Ok(home)
}

pub fn run(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    Command::new(PROGRAM).current_dir(home).args(arguments).stdin(Stdio::null()).output()
}

/// Runs the program after the commands `before` of a shell.
pub fn run_in_shell(home: &Path, before: &str, arguments: &[&str]) -> io::Result<Output> {
    let script = format!("{before}; exec \"$0\" \"$@\"");
    Command::new("sh").current_dir(home).args(["-c", &script, PROGRAM]).args(arguments).stdin(Stdio::null()).output()
}

/// The names in a directory, sorted.
pub fn names(directory: &Path) -> io::Result<Vec<OsString>> {
    let mut names = fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
