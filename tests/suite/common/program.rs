//! The program, run in a directory of its own.

use std::{
    error::Error,
    ffi::OsString,
    fs, io,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

pub const PROGRAM: &str = match option_env!("CARGO_BIN_EXE_chess-audit") {
    Some(path) => path,
    // The fuzz targets share these helpers, but are built without the program.
    None => "chess-audit",
};

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

/// The number of temporary files and directories of reports and lists of repairs in `home`.
pub fn parts(home: &Path) -> usize {
    names(home).map_or(0, |names| names.iter().filter(|name| name.to_string_lossy().starts_with(".chess-audit-part-")).count())
}

/// So many games with different players that what is kept of them for `--duplicates` does not fit
/// in memory.
pub fn games_beyond_memory() -> String {
    let game = |number| {
        format!(
            "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"{number}\"]\n[White \"Ann{number}\"]\n\
             [Black \"Bob{number}\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *\n\n"
        )
    };
    (0..200_000).map(game).collect()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How long a program may take before it counts as hanging, on a busy machine.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// A program, which is killed if the test fails.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Starts the program with silent standard input. `disposition` is an option of `env`.
    pub fn start(home: &Path, disposition: &str, arguments: &[&str]) -> io::Result<Running> {
        let mut command = Command::new("env");
        command.current_dir(home).arg(disposition).arg(PROGRAM).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map(Running)
    }

    /// Starts the program as a terminal does, and waits until it handles signals.
    pub fn ready(home: &Path, arguments: &[&str]) -> Outcome<Running> {
        let running = Running::start(home, "--default-signal=INT,TERM,HUP", arguments)?;
        for number in [1, 2, 15] {
            running.until(|running| running.handles(number))?;
        }
        Ok(running)
    }

    fn handles(&self, signal: u32) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Waits until `condition` is true.
    pub fn until(&self, condition: impl Fn(&Running) -> bool) -> Outcome {
        let start = Instant::now();
        while !condition(self) {
            if start.elapsed() > MAX_WAIT {
                return Err("the program does not do what is expected".into());
            }
            thread::yield_now();
        }
        Ok(())
    }

    /// A shell that sends a signal to the program at once, when its input ends. A `kill` that only
    /// starts then may come milliseconds late.
    pub fn sender(&self, signal: &str) -> io::Result<Child> {
        let mut command = Command::new("sh");
        command.args(["-c", "read -r _; kill -s \"$0\" \"$1\"", signal, &self.0.id().to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    }

    pub fn send(&self, signal: &str) -> Outcome {
        let sent = Command::new("kill").args(["-s", signal, &self.0.id().to_string()]).output()?;
        assert!(sent.status.success(), "{sent:?}");
        Ok(())
    }

    /// Whether the program has ended.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        self.0.try_wait().map(|status| status.is_some())
    }

    /// The exit code and standard error, when the program has ended.
    pub fn end(mut self) -> Outcome<(Option<i32>, String)> {
        let start = Instant::now();
        while self.0.try_wait()?.is_none() {
            if start.elapsed() > MAX_WAIT {
                return Err("the program does not end".into());
            }
            thread::yield_now();
        }
        let status = self.0.wait()?;
        let stderr = self.0.stderr.take().map(io::read_to_string).transpose()?;
        Ok((status.code(), stderr.unwrap_or_default()))
    }
}
