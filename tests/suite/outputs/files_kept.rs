//! Files that are written: nothing is lost, and nothing but an earlier file of the same kind is
//! replaced.
#![cfg(unix)]

use std::{
    error::Error,
    ffi::OsString,
    fs,
    io::{self, Read},
    os::unix::fs::{FileTypeExt, symlink},
    path::Path,
    process::{Command, Output, Stdio},
    thread,
};

use crate::common::not_run::not_run;
use crate::common::packs::gzip;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chess-audit");

/// A game with a warning that has a certain repair, and one with an error.
const GAMES: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n\n1. e4 d62. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7 *\n\n\
                     [Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n";

/// The games after the certain repair.
fn repaired() -> String {
    GAMES.replace("d62.", "d6 2.")
}

/// A directory with a game, its report and its list of repairs.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAMES)?;
    let output = run(home.path(), &["check", "-q", "a.pgn", "-o", "report", "--repairs", "repairs.csv"])?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(fs::read_to_string(home.path().join("repairs.csv"))?.contains(",certain,"), "there is a repair");
    Ok(home)
}

fn run(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    Command::new(PROGRAM).current_dir(home).args(arguments).stdin(Stdio::null()).output()
}

/// Runs the program with standard output to a pipe that nobody reads.
fn run_unread(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    let (reader, writer) = io::pipe()?;
    drop(reader);
    Command::new(PROGRAM).current_dir(home).args(arguments).stdin(Stdio::null()).stdout(writer).output()
}

/// Runs the program with files that cannot grow, as on a full disk.
fn run_on_full_disk(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    Command::new("sh").current_dir(home).args(["-c", script, PROGRAM]).args(arguments).stdin(Stdio::null()).output()
}

fn names(directory: &Path) -> io::Result<Vec<OsString>> {
    let mut names = fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Creates a copy of a memory device, as `/dev/null` is. Returns false if that is not permitted.
fn make_device(path: &Path, minor: &str) -> io::Result<bool> {
    let made = Command::new("mknod").arg(path).args(["c", "1", minor]).output()?;
    let is_usable = made.status.success() && fs::OpenOptions::new().write(true).open(path).is_ok();
    if !is_usable {
        not_run("device nodes cannot be created here");
    }
    Ok(is_usable)
}

fn make_pipe(path: &Path) -> Outcome {
    let made = Command::new("mkfifo").arg(path).output()?;
    assert!(made.status.success(), "{made:?}");
    Ok(())
}

#[test]
fn a_device_is_written_to_and_not_replaced() -> Outcome {
    let home = home()?;
    let device = home.path().join("null");
    if !make_device(&device, "3")? {
        return Ok(());
    }
    let before = names(home.path())?;
    for (arguments, code) in [
        (["check", "-q", "a.pgn", "-o", "report", "--repairs", "null"].as_slice(), 1),
        (&["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "null"], 0),
        (&["fix", "a.pgn", "--repairs", "repairs.csv", "--force", "-o", "null"], 0),
        (&["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--svg", "null", "--fail-on", "never"], 0),
        (&["baseline", "write", "report", "-o", "null"], 0),
    ] {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert!(fs::symlink_metadata(&device)?.file_type().is_char_device(), "{arguments:?}");
        assert_eq!(names(home.path())?, before, "{arguments:?}");
    }
    Ok(())
}

#[test]
fn a_pipe_is_written_to_and_not_replaced() -> Outcome {
    let home = home()?;
    let pipe = home.path().join("pipe");
    make_pipe(&pipe)?;
    let reader = {
        let pipe = pipe.clone();
        thread::spawn(move || fs::read_to_string(pipe))
    };
    let output = run(home.path(), &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "pipe"])?;
    // A program that replaces the pipe would let the reader wait forever.
    assert!(fs::symlink_metadata(&pipe)?.file_type().is_fifo());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(reader.join().map_err(|_| "the reader panicked")??, repaired());
    Ok(())
}

#[test]
fn repairs_to_a_pipe_are_refused() -> Outcome {
    let home = home()?;
    make_pipe(&home.path().join("pipe"))?;
    let output = run(home.path(), &["check", "a.pgn", "--repairs", "pipe"])?;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "error: `pipe` is a pipe; choose a file with --repairs, or `-` for standard output\n");
    Ok(())
}

#[test]
fn repairs_inside_the_report_are_refused() -> Outcome {
    let home = home()?;
    symlink("report", home.path().join("link"))?;
    for (directory, file) in
        [("report", "report/r.csv"), ("new", "new/r.csv"), ("link", "report/../report/r.csv"), ("./report", "link/r.csv")]
    {
        let output = run(home.path(), &["check", "a.pgn", "-o", directory, "--repairs", file])?;
        assert_eq!(output.status.code(), Some(2), "{file}");
        assert!(stderr(&output).contains("choose a file in another directory with --repairs"), "{}", stderr(&output));
    }
    assert_eq!(names(home.path())?, ["a.pgn", "link", "repairs.csv", "report"]);
    Ok(())
}

#[test]
fn a_link_stays_and_its_target_is_replaced() -> Outcome {
    let home = home()?;
    fs::create_dir(home.path().join("there"))?;
    for (link, target) in [("full", "there/full"), ("missing", "there/missing")] {
        symlink(target, home.path().join(link))?;
    }
    fs::write(home.path().join("there/full"), "")?;
    for name in ["full", "missing"] {
        let link = home.path().join(name);
        for arguments in [
            ["check", "-q", "a.pgn", "-o", "report", "--repairs", name].as_slice(),
            &["fix", "-q", "a.pgn", "--repairs", "repairs.csv", "--force", "-o", name],
        ] {
            let output = run(home.path(), arguments)?;
            assert!(output.stderr.is_empty(), "{output:?}");
            assert!(link.is_symlink(), "{arguments:?}");
        }
        let target = home.path().join("there").join(name);
        assert_eq!(fs::read_to_string(target)?, repaired());
    }
    assert_eq!(names(&home.path().join("there"))?, ["full", "missing"]);
    Ok(())
}

#[test]
fn fix_writes_to_standard_output() -> Outcome {
    let home = home()?;
    for name in ["-", "/dev/stdout"] {
        let output = run(home.path(), &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", name])?;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), repaired());
        assert!(stderr(&output).starts_with("standard output: 1 repair applied\n"), "{}", stderr(&output));
        // A file that the shell opened is written to, not replaced.
        let file = fs::File::options().append(true).create(true).open(home.path().join("out"))?;
        let arguments = ["fix", "-q", "a.pgn", "--repairs", "repairs.csv", "-o", name];
        assert!(Command::new(PROGRAM).current_dir(home.path()).args(arguments).stdout(file).status()?.success());
    }
    assert_eq!(fs::read_to_string(home.path().join("out"))?, repaired().repeat(2));
    Ok(())
}

#[test]
fn repairs_go_to_standard_output() -> Outcome {
    let home = home()?;
    let repairs = fs::read(home.path().join("repairs.csv"))?;
    for name in ["-", "/dev/stdout"] {
        let output = run(home.path(), &["check", "a.pgn", "--repairs", name])?;
        assert_eq!((output.status.code(), output.stdout), (Some(1), repairs.clone()), "{name}");
    }
    let output = run(home.path(), &["check", "a.pgn", "--repairs", "-", "--format", "csv"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot be used with printed findings"), "{}", stderr(&output));
    Ok(())
}

#[test]
fn a_damaged_archive_has_no_repairs_and_other_inputs_have() -> Outcome {
    let home = home()?;
    let repairs = fs::read_to_string(home.path().join("repairs.csv"))?;
    let mut packed = gzip(GAMES.repeat(200).as_bytes());
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    fs::write(home.path().join("b.pgn.gz"), packed)?;
    let output = run(home.path(), &["check", "-q", "b.pgn.gz", "a.pgn", "-o", "report", "--repairs", "repairs.csv"])?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(fs::read_to_string(home.path().join("report/failures.csv"))?.contains("b.pgn.gz"), "{output:?}");
    assert!(fs::read_to_string(home.path().join("report/inputs.csv"))?.contains("b.pgn.gz"), "{output:?}");
    assert_eq!(fs::read_to_string(home.path().join("repairs.csv"))?, repairs);
    Ok(())
}

#[test]
fn a_closed_pipe_ends_the_printing_and_not_the_report() -> Outcome {
    let home = home()?;
    for format in ["csv", "jsonl", "text", "sarif", "github", "gitlab", "junit"] {
        fs::remove_dir_all(home.path().join("report"))?;
        fs::remove_file(home.path().join("repairs.csv"))?;
        let arguments = ["check", "a.pgn", "--format", format, "-o", "report", "--repairs", "repairs.csv"];
        let output = run_unread(home.path(), &arguments)?;
        assert_eq!(output.status.code(), Some(1), "{format}: {output:?}");
        assert!(!stderr(&output).contains("error:"), "{format}: {output:?}");
        assert!(home.path().join("report/run.json").is_file(), "{format}");
        assert!(home.path().join("repairs.csv").is_file(), "{format}");
        // A list of repairs is completed too.
        fs::remove_file(home.path().join("repairs.csv"))?;
        let output = run_unread(home.path(), &["check", "a.pgn", "--format", format, "--repairs", "repairs.csv"])?;
        assert_eq!(output.status.code(), Some(1), "{format}: {output:?}");
        assert!(home.path().join("repairs.csv").is_file(), "{format}");
        // The printing is all that is wanted.
        let output = run_unread(home.path(), &["check", "a.pgn", "--format", format])?;
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{format}");
    }
    Ok(())
}

#[test]
fn the_step_summary_has_what_github_does_not_show() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("b.pgn"), GAMES.repeat(14))?;
    fs::write(home.path().join("summary.md"), "before\n")?;
    let check = |file: &str, format: &str| {
        let arguments = ["check", "-q", file, "--select", "MOV01", "--format", format];
        Command::new(PROGRAM).current_dir(home.path()).args(arguments).env("GITHUB_STEP_SUMMARY", "summary.md").output()
    };
    for (file, format) in [("a.pgn", "github"), ("b.pgn", "text")] {
        assert_eq!(check(file, format)?.status.code(), Some(1));
        assert_eq!(fs::read_to_string(home.path().join("summary.md"))?, "before\n", "{format}");
    }
    let output = check("b.pgn", "github")?;
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 14);
    let summary = fs::read_to_string(home.path().join("summary.md"))?;
    assert!(summary.starts_with("before\n### chess-audit: 4 more annotations\n"), "{summary}");
    assert_eq!(summary.lines().filter(|line| line.starts_with("* **error** b.pgn:")).count(), 4, "{summary}");
    fs::remove_file(home.path().join("summary.md"))?;
    fs::create_dir(home.path().join("summary.md"))?;
    let output = check("b.pgn", "github")?;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: GITHUB_STEP_SUMMARY summary.md: "), "{}", stderr(&output));
    Ok(())
}

#[test]
fn a_closed_pipe_does_not_hide_what_a_command_did() -> Outcome {
    let home = home()?;
    let output = run_unread(home.path(), &["init"])?;
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let output = run_unread(home.path(), &["baseline", "write", "report", "-o", "known.csv"])?;
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    fs::write(home.path().join("empty.pgn"), "")?;
    run(home.path(), &["check", "empty.pgn", "-o", "before"])?;
    let output = run_unread(home.path(), &["compare", "before", "report", "-o", "changes"])?;
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()));
    Ok(())
}

#[test]
fn a_full_device_at_standard_output_is_a_failure() -> Outcome {
    let home = home()?;
    let device = home.path().join("full");
    if !make_device(&device, "7")? {
        return Ok(());
    }
    fs::rename(home.path().join("report"), home.path().join("old"))?;
    for arguments in [
        ["--help"].as_slice(),
        &["--version"],
        &["check", "--help"],
        &["completions", "bash"],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["init"],
        &["settings"],
        &["rules"],
        &["rules", "MOV03"],
        &["rules", "--json"],
        &["fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--json"],
        &["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--svg", "-"],
        &["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--at", "e4"],
        &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "fixed.pgn"],
        &["compare", "old", "old"],
        &["compare", "old", "old", "-o", "changes"],
        &["baseline", "write", "old", "-o", "known.csv"],
        &["baseline", "prune", "old", "-o", "known.csv"],
        &["check", "a.pgn", "-o", "report"],
        &["check", "a.pgn", "--repairs", "-", "-o", "report"],
        &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "-"],
        &["check", "a.pgn", "--format", "jsonl"],
        &["check", "a.pgn", "--format", "jsonl", "-o", "report"],
    ] {
        let _ = fs::remove_dir_all(home.path().join("report"));
        let full = fs::OpenOptions::new().write(true).open(&device)?;
        let output = Command::new(PROGRAM).current_dir(home.path()).args(arguments).stdout(full).output()?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(stderr(&output).contains("standard output"), "{arguments:?}: {output:?}");
        // The report is complete: only the printing failed.
        assert_eq!(home.path().join("report/run.json").is_file(), arguments.contains(&"-o") && arguments[0] == "check");
    }
    Ok(())
}

#[test]
fn a_full_disk_leaves_no_partial_file_and_the_message_names_the_file() -> Outcome {
    let home = home()?;
    run(home.path(), &["check", "a.pgn", "-o", "report2"])?;
    for directory in ["changes", "pages"] {
        fs::create_dir(home.path().join(directory))?;
    }
    for existing in ["board.svg", "known.csv", "changes/compare.csv"] {
        fs::write(home.path().join(existing), "")?;
    }
    // Findings that can become one are not written before the end of the input.
    let (waiting, illegal) = GAMES.split_once("\n\n[").ok_or("two games")?;
    fs::write(home.path().join("b.pgn"), format!("[{illegal}").repeat(3000))?;
    fs::write(home.path().join("c.pgn"), format!("{waiting}\n\n").repeat(3000))?;
    let before = names(home.path())?;
    let report = fs::read_to_string(home.path().join("report/moves.csv"))?;
    for (arguments, name) in [
        (["init"].as_slice(), "./chess-audit.toml"),
        (&["man", "pages"], "`pages/chess-audit-"),
        (&["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--svg", "new.svg"], "new.svg"),
        (&["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--svg", "board.svg"], "board.svg"),
        (&["compare", "report", "report2", "-o", "changes"], "`compare_games.csv`"),
        (&["baseline", "write", "report2", "-o", "new.csv"], "new.csv"),
        (&["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "fixed.pgn"], "fixed.pgn"),
        // One small file, which is written at the end, and one that is written during the audit.
        (&["check", "a.pgn", "-o", "report"], ".csv` of the report"),
        (&["check", "b.pgn", "-o", "report"], ".csv` of the report"),
        (&["check", "c.pgn", "--format", "github", "--repairs", "repairs.csv"], "`repairs.csv`"),
        (&["check", "c.pgn", "--format", "github", "--games", "games.csv"], "`games.csv`"),
        (&["check", "c.pgn", "--format", "github", "--good", "good.pgn", "--bad", "bad.pgn"], "`good.pgn`"),
        (&["shards", "plan", "a.pgn", "-o", "games.plan"], "games.plan"),
        (&["diff", "a.pgn", "a.pgn", "-o", "changes"], "`changes/diff.csv`"),
    ] {
        let output = run_on_full_disk(home.path(), arguments)?;
        assert!(!stderr(&output).contains(".chess-audit-part-"), "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(stderr(&output).contains(name), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{arguments:?}: {}", stderr(&output));
        assert_eq!(names(home.path())?, before, "{arguments:?}");
    }
    assert_eq!(names(&home.path().join("changes"))?, ["compare.csv"]);
    assert_eq!(names(&home.path().join("pages"))?, [""; 0]);
    assert_eq!(fs::read_to_string(home.path().join("report/moves.csv"))?, report);
    Ok(())
}

#[test]
fn a_reader_that_leaves_a_named_pipe_is_a_failure() -> Outcome {
    let home = home()?;
    make_pipe(&home.path().join("pipe"))?;
    // More than a pipe takes, so that the copy cannot be written whole.
    fs::write(home.path().join("b.pgn"), GAMES.repeat(3000))?;
    run(home.path(), &["check", "-q", "b.pgn", "-o", "report", "--repairs", "b.csv"])?;
    let pipe = home.path().join("pipe");
    let reader = thread::spawn(move || fs::File::open(pipe).and_then(|mut pipe| pipe.read_exact(&mut [0; 1])));
    let output = run(home.path(), &["fix", "b.pgn", "--repairs", "b.csv", "-o", "pipe"])?;
    reader.join().map_err(|_| "the reader panicked")??;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("cannot write `pipe`"), "{}", stderr(&output));
    Ok(())
}

#[test]
fn a_full_device_in_the_directory_of_the_man_pages_is_a_failure() -> Outcome {
    let home = home()?;
    let device = home.path().join("full");
    if !make_device(&device, "7")? {
        return Ok(());
    }
    fs::create_dir(home.path().join("pages"))?;
    symlink("../full", home.path().join("pages/chess-audit-fix.1"))?;
    let output = run(home.path(), &["man", "pages"])?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).starts_with("error: cannot write `pages/chess-audit-fix.1`: "), "{}", stderr(&output));
    Ok(())
}
