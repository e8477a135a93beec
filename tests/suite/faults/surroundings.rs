//! Faults around the program: files without end, hostile names, limits of the system, and inputs
//! that change.
#![cfg(target_os = "linux")]

use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    path::Path,
    process::{Command, Output, Stdio},
    thread,
};

use crate::common::not_run::not_run;
use crate::common::{
    packs,
    program::{GAMES, Outcome, PROGRAM, Running, audited_home, games_beyond_memory, names, parts, run, run_in_shell, stderr},
};

/// Creates a file of 10 GB that needs no space on the disk.
fn make_huge(path: &Path) -> io::Result<()> {
    fs::File::create(path)?.set_len(10 << 30)
}

/// Runs the program with memory for its limits, but not for everything.
fn run_with_little_memory(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    run_in_shell(home, "ulimit -d 900000", arguments)
}

#[test]
fn files_that_are_kept_in_memory_have_a_maximum() -> Outcome {
    let home = audited_home()?;
    let huge = home.path().join("huge");
    make_huge(&huge)?;
    for (arguments, expected) in [
        (["check", "a.pgn", "--baseline", "huge"].as_slice(), "--baseline: cannot read `huge`: a row has more than 16 MiB"),
        (&["check", "a.pgn", "--eco", "huge"], "--eco huge: the file has more than 64 MiB"),
        (&["check", "--files-from", "huge"], "cannot read the list `huge`: a list of paths has more than 256 MiB"),
        (&["check", "a.pgn", "--config", "huge"], "cannot read the settings file `huge`: the file has more than 1 MiB"),
        (&["baseline", "write", "huge", "-o", "known.csv"], "cannot read `huge`: a row has more than 16 MiB"),
        (
            &["fix", "a.pgn", "--repairs", "huge", "-o", "b.pgn"],
            "`huge` is not a list of repairs: line 1: a row has more than 16 MiB; correct the line, or write the list again with \
             `chess-audit check --repairs`",
        ),
    ] {
        let output = run_with_little_memory(home.path(), arguments)?;
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), format!("error: {expected}\n")), "{arguments:?}");
    }
    Ok(())
}

#[test]
fn tables_of_a_report_have_a_maximum() -> Outcome {
    let home = audited_home()?;
    fs::rename(home.path().join("report"), home.path().join("old"))?;
    run(home.path(), &["check", "-q", "a.pgn", "-o", "report"])?;
    let compare = ["compare", "old", "report"];
    assert_eq!(run(home.path(), &compare)?.status.code(), Some(0));
    for (file, expected) in [
        ("moves.csv", "cannot read `report/moves.csv`: a row has more than 16 MiB"),
        ("inputs.csv", "cannot read `report/inputs.csv`: a row has more than 16 MiB"),
        ("run.json", "`report` is not a chess-audit report: run.json: the file has more than 16 MiB"),
    ] {
        let path = home.path().join("report").join(file);
        let text = fs::read(&path)?;
        // More of the last row, or blanks after the object.
        fs::write(&path, [text.as_slice(), &vec![b' '; 17 << 20]].concat())?;
        fs::File::options().write(true).open(&path)?.set_len(10 << 30)?;
        let output = run_with_little_memory(home.path(), &compare)?;
        assert_eq!(output.status.code(), Some(2), "{file}: {output:?}");
        assert!(stderr(&output).contains(expected), "{file}: {}", stderr(&output));
        fs::write(&path, text)?;
    }
    Ok(())
}

/// A game whose tags and moves contain control characters and a change of the writing direction.
const HOSTILE: &str = "[Event \"E\x1b[31m\u{202e}v\u{9b}1m\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                       [White \"W\u{202e}\x07\"]\n[Black \"?\"]\n[Result \"*\"]\n\n\
                       1. e4 d62. Nf3 Nf6 2. Ke3\x1b[2J *\n\n";

/// Whether a terminal obeys the character instead of showing it. Lines end with LF.
fn is_obeyed(character: char) -> bool {
    let is_invisible =
        matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}');
    (character.is_control() && character != '\n') || is_invisible
}

#[test]
fn nothing_that_is_printed_or_reported_is_obeyed_by_a_terminal() -> Outcome {
    let home = tempfile::tempdir()?;
    let long = "e".repeat(251) + ".pgn";
    let names: [&[u8]; 7] = [
        b"-q.pgn",
        b"a\nb\x1b[2J.pgn",
        "c\u{202e}\u{9b}.pgn".as_bytes(),
        b"d\xe1.pgn",
        long.as_bytes(),
        b"=f.pgn",
        b"g\\u{1b}.pgn",
    ];
    for name in names {
        if fs::write(home.path().join(OsStr::from_bytes(name)), HOSTILE).is_err() {
            not_run("this file system does not take all names");
            return Ok(());
        }
    }
    let shown = |what: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let obeyed = text.split('\n').find(|line| line.contains(is_obeyed));
        assert_eq!(obeyed.map(str::escape_debug).map(|line| line.to_string()), None, "{what}");
    };
    let words: Vec<&OsStr> = names.iter().map(|name| OsStr::from_bytes(name)).collect();
    for options in [
        ["--format", "csv"].as_slice(),
        &["--format", "jsonl"],
        &["--format", "sarif"],
        &["--format", "github"],
        &["-o", "report\x1b[1m", "--repairs", "repairs\x1b[1m"],
    ] {
        let arguments = [OsStr::new("check"), OsStr::new("--profile=strict")].into_iter();
        let arguments = arguments.chain(options.iter().map(OsStr::new)).chain([OsStr::new("--")]).chain(words.iter().copied());
        let output = Command::new(PROGRAM).current_dir(home.path()).args(arguments).stdin(Stdio::null()).output()?;
        assert_eq!(output.status.code(), Some(1), "{options:?}: {output:?}");
        shown(options[1], &output.stdout);
        shown(options[1], &output.stderr);
    }
    shown("repairs", &fs::read(home.path().join("repairs\x1b[1m"))?);
    for file in fs::read_dir(home.path().join("report\x1b[1m"))? {
        let path = file?.path();
        shown(&path.display().to_string(), &fs::read(&path)?);
    }
    for (arguments, code) in [
        (["baseline", "write", "report\x1b[1m", "-o", "known\x1b[1m"].as_slice(), 0),
        (&["baseline", "prune", "report\x1b[1m", "-o", "known\x1b[1m"], 0),
        (&["compare", "report\x1b[1m", "report\x1b[1m", "-o", "changes\x1b[1m"], 0),
        (&["fix", "-q.pgn\x1b[1m", "--repairs", "repairs\x1b[1m", "-o", "fixed\x1b[1m"], 2),
        (&["check", "missing\x1b[1m"], 2),
        (&["init", "no\x1b[1m"], 2),
        (&["rules", "no\x1b[1m"], 2),
        (&["fen", "8/8/8\x1b[1m/8 w - - 0 1"], 1),
        (&["fen", "8/8/8\u{9b}1m/8 w - - 0 1", "--json"], 1),
    ] {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        shown(arguments[0], &output.stdout);
        shown(arguments[0], &output.stderr);
    }
    // Each file can still be found.
    let inputs = fs::read_to_string(home.path().join("report\x1b[1m/inputs.csv"))?;
    for name in ["'-q.pgn", r"a\u{a}b\u{1b}[2J.pgn", r"c\u{202e}\u{9b}.pgn", r"d\xE1.pgn", &long, "'=f.pgn", r"g\u{5c}u{1b}.pgn"]
    {
        assert!(inputs.contains(&format!("\n{name},pgn,")), "{name} in {inputs}");
    }
    Ok(())
}

/// Positions with moves in coordinates: whether they are reported is known only at the end of the
/// input, and so are equal ids.
fn many_positions() -> String {
    let line = |number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm e2e4; id \"{number} {}\";\n", "x".repeat(60));
    (0..12_000).map(line).collect()
}

#[test]
fn a_full_temporary_directory_is_named() -> Outcome {
    let home = audited_home()?;
    fs::write(home.path().join("b.epd"), many_positions())?;
    fs::create_dir(home.path().join("spill"))?;
    let before = names(home.path())?;
    let spill = home.path().join("spill");
    let check = ["check", "b.epd", "--profile", "strict", "-o", "report", "--no-html"];
    let is_refused = |output: Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let expected =
            format!("error: the audit failed; no report was written: a temporary file in `{}` failed: ", spill.display());
        assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
        assert!(stderr(&output).contains("choose another directory with TMPDIR"), "{}", stderr(&output));
        names(home.path()).map(|after| assert_eq!(after, before))
    };
    is_refused(run_in_shell(home.path(), "trap '' XFSZ; ulimit -f 0; export TMPDIR=\"$PWD/spill\"", &check)?)?;
    let mounted = Mounted::new(&spill, "size=64k")?;
    if mounted.is_some() {
        is_refused(run_in_shell(home.path(), "export TMPDIR=\"$PWD/spill\"", &check)?)?;
    }
    drop(mounted);
    let output = run_in_shell(home.path(), "export TMPDIR=\"$PWD/spill\"", &check)?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    Ok(())
}

#[test]
fn a_full_temporary_directory_ends_the_search_for_copies() -> Outcome {
    let home = audited_home()?;
    fs::write(home.path().join("b.pgn"), games_beyond_memory())?;
    let spill = home.path().join("spill");
    fs::create_dir(&spill)?;
    let (before, report) = (names(home.path())?, fs::read(home.path().join("report/run.json"))?);
    let check = ["check", "b.pgn", "--duplicates", "-o", "report", "--no-html"];
    let is_refused = |output: Output| -> Outcome {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let expected =
            format!("error: the audit failed; no report was written: a temporary file in `{}` failed: ", spill.display());
        assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
        let advice = "; make room there, or choose another directory with TMPDIR\n";
        assert!(stderr(&output).ends_with(advice), "{}", stderr(&output));
        assert_eq!(names(home.path())?, before);
        assert!(fs::read(home.path().join("report/run.json"))? == report, "the last report is whole");
        Ok(())
    };
    // A report could not be written either.
    let printing = ["check", "b.pgn", "--duplicates", "--format", "jsonl"];
    is_refused(run_in_shell(home.path(), "trap '' XFSZ; ulimit -f 0; export TMPDIR=\"$PWD/spill\"", &printing)?)?;
    if let Some(_mounted) = Mounted::new(&spill, "size=1m")? {
        is_refused(run_in_shell(home.path(), "export TMPDIR=\"$PWD/spill\"", &check)?)?;
    }
    Ok(())
}

#[test]
fn what_was_read_before_the_temporary_directory_fails_is_reported() -> Outcome {
    let home = audited_home()?;
    let game = |moves: &str| format!("[Event \"?\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    let good = game("1. e4 e5").repeat(2000);
    // Records of this length do not fit in memory.
    let long = "a word\n".repeat(3 << 20);
    fs::write(
        home.path().join("closed.pgn"),
        game("1. e4 e6 2. Ke3") + &good + &game(&format!("1. e4 {{{long}}} 1... e5")) + &good,
    )?;
    fs::write(home.path().join("open.pgn"), game("1. e4 e6 2. Ke3") + &good + &format!("1. e4 {{{long}"))?;
    // The archive is not damaged.
    fs::write(home.path().join("packed.pgn.gz"), packs::gzip(&fs::read(home.path().join("closed.pgn"))?))?;
    fs::write(home.path().join("other.pgn"), game("1. e4 e6 2. Ke3"))?;
    let names = ["closed.pgn", "open.pgn", "packed.pgn.gz"];
    let options = ["other.pgn", "--no-mmap", "--threads", "2", "-o", "report", "--no-html"];
    let check = [&["check"], &names[..], &options].concat();
    let output = run_in_shell(home.path(), "export TMPDIR=\"$PWD/none\"", &check)?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let rows = |name: &str| fs::read_to_string(home.path().join("report").join(name));
    let (moves, failures, inputs) = (rows("moves.csv")?, rows("failures.csv")?, rows("inputs.csv")?);
    for name in names.into_iter().chain(["other.pgn"]) {
        assert!(moves.contains(&format!("MOV01,illegal-move,error,{name},4,")), "{name} in {moves}");
    }
    assert!(!failures.contains("damaged"), "{failures}");
    for name in names {
        assert!(failures.contains(&format!("{name},read,8388608,\"cannot read the rest: a temporary file in ")), "{failures}");
        assert!(inputs.contains(&format!("\n{name},pgn,8388608,,,2001,")), "{inputs}");
    }
    assert_eq!(failures.lines().count(), 4, "{failures}");
    Ok(())
}

/// A small file system in a directory, until it is dropped.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    /// `None` if that is not permitted here.
    fn new(at: &'a Path, options: &str) -> io::Result<Option<Mounted<'a>>> {
        let made = Command::new("mount").args(["-t", "tmpfs", "-o", options, "none"]).arg(at).output();
        if made.is_ok_and(|made| made.status.success()) {
            return Ok(Some(Mounted(at)));
        }
        not_run("file systems cannot be mounted here");
        Ok(None)
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn what_is_not_a_regular_file_ends_with_a_message() -> Outcome {
    let home = audited_home()?;
    let path = |name: &str| home.path().join(name);
    symlink("loop", path("loop"))?;
    let _socket = UnixListener::bind(path("socket"))?;
    let mut inputs = vec![
        ("loop", "cannot access `loop`"),
        ("socket", "socket: cannot open"),
        ("/proc/self/status", "without positions or moves"),
        ("/proc/self/mem", "/proc/self/mem (from byte 0): cannot read"),
    ];
    for (name, minor) in [("zero", "5"), ("random", "9")] {
        let made = Command::new("mknod").arg(path(name)).args(["c", "1", minor]).output()?;
        if made.status.success() && fs::File::open(path(name)).is_ok() {
            inputs.push((name, "not a text file"));
        }
    }
    for (input, message) in inputs {
        let output = run_in_shell(home.path(), "ulimit -t 20", &["check", input, "-q", "-o", "new"])?;
        assert_eq!(output.status.code(), Some(2), "{input}: {output:?}");
        assert!(stderr(&output).contains(message), "{input}: {}", stderr(&output));
    }
    assert!(Command::new("mkfifo").arg(path("pipe")).status()?.success());
    let pipe = path("pipe");
    let writer = thread::spawn(move || fs::write(pipe, GAMES));
    let output = run(home.path(), &["check", "pipe", "-q", "-o", "new"])?;
    writer.join().map_err(|_| "the writer panicked")??;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    Ok(())
}

fn make_pipe(path: &Path) -> Outcome {
    Ok(rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0)?)
}

/// Nobody writes to the pipe, so a program that opens it would wait for ever.
#[test]
fn pipes_devices_and_directories_are_refused_where_a_file_is_read() -> Outcome {
    let home = audited_home()?;
    make_pipe(&home.path().join("pipe"))?;
    fs::create_dir(home.path().join("folder"))?;
    run(home.path(), &["check", "-q", "a.pgn", "-o", "report", "--repairs", "repairs.csv"])?;
    run(home.path(), &["shards", "plan", "a.pgn", "-o", "plan"])?;
    let cases: [(&[&str], &str); 9] = [
        (&["check", "a.pgn", "--baseline", "?"], "--baseline: cannot read `?`: "),
        (&["check", "a.pgn", "--eco", "?"], "--eco ?: "),
        (&["check", "a.pgn", "--config", "?"], "cannot read the settings file `?`: "),
        (&["check", "--plan", "?", "--shard", "1", "-o", "parts"], "cannot read the plan `?`: "),
        (&["shards", "merge", "?", "parts", "-o", "merged"], "cannot read the plan `?`: "),
        (&["fix", "?", "--repairs", "repairs.csv", "-o", "b.pgn"], "cannot read `?`: "),
        (&["fix", "a.pgn", "--repairs", "?", "-o", "b.pgn"], "cannot read `?`: "),
        (&["baseline", "write", "?", "-o", "known.csv"], "cannot read `?`: "),
        (&["baseline", "prune", "report", "-o", "?"], "cannot read `?`: "),
    ];
    let before = names(home.path())?;
    for (file, reason) in [
        ("pipe", "it is a pipe; write its content to a file first"),
        ("/dev/zero", "it is a device; give a regular file"),
        ("folder", "it is a directory; give a file"),
    ] {
        for (arguments, expected) in cases {
            // A baseline may be a report, which is a directory, and inputs may be in one.
            let is_directory_read =
                arguments[0] == "baseline" || arguments.contains(&"--baseline") || arguments[..2] == ["fix", "?"];
            if file == "folder" && is_directory_read {
                continue;
            }
            let arguments: Vec<&str> = arguments.iter().map(|word| if *word == "?" { file } else { word }).collect();
            let (code, stderr) = Running::start(home.path(), "--default-signal=INT", &arguments)?.end()?;
            let expected = format!("error: {}{reason}\n", expected.replace('?', file));
            assert_eq!((code, stderr), (Some(2), expected), "{arguments:?}");
        }
    }
    // Settings that are found are not ignored because they cannot be read.
    make_pipe(&home.path().join("chess-audit.toml"))?;
    let (code, said) = Running::start(home.path(), "--default-signal=INT", &["check", "a.pgn"])?.end()?;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot read the settings file `chess-audit.toml`: it is a pipe"), "{said}");
    fs::remove_file(home.path().join("chess-audit.toml"))?;
    for (file, expected) in [("run.json", "cannot read run.json: it is a pipe"), ("moves.csv", "moves.csv`: it is a pipe")] {
        let path = home.path().join("report").join(file);
        let text = fs::read(&path)?;
        fs::remove_file(&path)?;
        make_pipe(&path)?;
        let (code, stderr) = Running::start(home.path(), "--default-signal=INT", &["compare", "report", "report"])?.end()?;
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        fs::remove_file(&path)?;
        fs::write(&path, text)?;
    }
    let output = run(home.path(), &["shards", "plan", "a.pgn", "pipe", "-o", "plan"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`pipe` cannot be part of a plan"), "{}", stderr(&output));
    assert_eq!(names(home.path())?, before);
    Ok(())
}

/// A baseline and a list of repairs are read once, and a list of paths, too.
#[test]
fn what_is_read_once_may_come_from_another_program() -> Outcome {
    let home = audited_home()?;
    run(home.path(), &["baseline", "write", "report", "-o", "known.csv"])?;
    run(home.path(), &["check", "-q", "a.pgn", "-o", "report", "--repairs", "repairs.csv"])?;
    fs::write(home.path().join("list"), "a.pgn\n")?;
    fs::write(home.path().join("settings.toml"), "profile = \"standard\"\n")?;
    let piped = |file: &str, arguments: &[&str]| {
        let script = format!("cat {file} | exec \"$0\" \"$@\"");
        Command::new("sh").current_dir(home.path()).args(["-c", &script, PROGRAM]).args(arguments).output()
    };
    for from in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        for (file, arguments, code) in [
            ("known.csv", ["check", "a.pgn", "-q", "-o", "new", "--baseline", from].as_slice(), 0),
            ("list", &["check", "-q", "-o", "new", "--files-from", from], 1),
            ("settings.toml", &["check", "a.pgn", "-q", "-o", "new", "--config", from], 1),
            ("repairs.csv", &["fix", "a.pgn", "-q", "-o", "b.pgn", "--force", "--repairs", from], 0),
        ] {
            let output = piped(file, arguments)?;
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        }
    }
    assert!(fs::read_to_string(home.path().join("b.pgn"))?.contains("1. e4 d6 2. Nf3"));
    let output = run(home.path(), &["check", "a.pgn", "-q", "-o", "new", "--config", "/dev/null"])?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    // A named pipe may be a list of paths, as it may be an input.
    let pipe = home.path().join("pipe");
    make_pipe(&pipe)?;
    let writer = thread::spawn(move || fs::write(pipe, "a.pgn\n"));
    let output = run(home.path(), &["check", "-q", "-o", "new", "--files-from", "pipe"])?;
    writer.join().map_err(|_| "the writer panicked")??;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    Ok(())
}

/// Small files are opened ahead of their turn, and others when it comes. Neither waits for a
/// writer.
#[test]
fn files_that_become_pipes_are_failures() -> Outcome {
    let home = tempfile::tempdir()?;
    let found = home.path().join("found");
    fs::create_dir(&found)?;
    for number in 10..50 {
        fs::write(found.join(format!("{number}.pgn")), GAMES)?;
    }
    fs::write(home.path().join("named.pgn"), GAMES)?;
    let arguments = ["check", "-", "named.pgn", "found", "-o", "report", "--repairs", "repairs.csv", "--threads", "2"];
    let mut running = Running::ready(home.path(), &arguments)?;
    running.until(|_| parts(home.path()) == 2)?;
    let replaced = [home.path().join("named.pgn"), found.join("30.pgn"), found.join("49.pgn")];
    for file in &replaced {
        fs::remove_file(file)?;
        make_pipe(file)?;
    }
    drop(running.0.stdin.take());
    let (code, stderr) = running.end()?;
    assert_eq!(code, Some(2), "{stderr}");
    let reason = "cannot open: no longer a regular file, but a pipe; check it again after the file is back";
    let expected: String =
        ["found/30.pgn", "found/49.pgn", "named.pgn"].map(|name| format!("error: {name}: {reason}\n")).concat();
    assert!(stderr.starts_with(&expected), "{stderr}");
    let inputs = fs::read_to_string(home.path().join("report/inputs.csv"))?;
    let count = |status: &str| inputs.lines().filter(|line| !line.starts_with('-') && line.contains(status)).count();
    assert_eq!((count(",failed,"), count(",findings,")), (3, 38), "{inputs}");
    Ok(())
}

#[test]
fn closed_standard_streams_change_no_exit_code() -> Outcome {
    let home = audited_home()?;
    for streams in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        for (arguments, code) in [
            (["check", "a.pgn", "-o", "report"].as_slice(), 1),
            (&["check", "a.pgn", "--format", "jsonl"], 1),
            (&["check", "a.pgn", "--repairs", "-", "-o", "report"], 1),
            (&["check", "missing", "-o", "report"], 2),
            (&["rules", "MOV03"], 0),
            (&["--help"], 0),
            (&["--unknown"], 2),
        ] {
            let output = run_in_shell(home.path(), &format!("exec {streams}"), arguments)?;
            assert_eq!(output.status.code(), Some(code), "{streams} {arguments:?}: {output:?}");
            assert_eq!(run(home.path(), &["compare", "report", "report"])?.status.code(), Some(0), "{streams} {arguments:?}");
        }
    }
    Ok(())
}

#[test]
fn limits_of_the_system_end_with_a_message_or_change_nothing() -> Outcome {
    let home = audited_home()?;
    fs::create_dir(home.path().join("many"))?;
    for number in 0..100 {
        fs::write(home.path().join(format!("many/{number}.pgn")), GAMES)?;
    }
    let before = names(home.path())?;
    let report = fs::read(home.path().join("report/run.json"))?;
    for (limit, code) in [("-n 5", 2), ("-n 16", 2), ("-n 32", 1), ("-d 60000", 1), ("-t 60", 1)] {
        let arguments = ["check", "many", "-q", "-o", "report", "--threads", "2"];
        let output = run_in_shell(home.path(), &format!("ulimit {limit}"), &arguments)?;
        assert_eq!(output.status.code(), Some(code), "{limit}: {output:?}");
        assert_eq!(stderr(&output).lines().count(), code as usize / 2, "{limit}: {}", stderr(&output));
        assert_eq!(names(home.path())?, before, "{limit}");
        assert_eq!(fs::read(home.path().join("report/run.json"))? == report, code == 2, "{limit}");
        run(home.path(), &["check", "a.pgn", "-q", "-o", "report"])?;
    }
    Ok(())
}

#[test]
fn a_limit_of_threads_ends_with_a_message() -> Outcome {
    let home = audited_home()?;
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o777))?;
    // The limit does not apply to root.
    let mut as_nobody = Command::new("setpriv");
    as_nobody.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
    let tried = as_nobody.args([PROGRAM, "--version"]).output();
    if !tried.is_ok_and(|tried| tried.status.success()) {
        not_run("the program cannot be run as another user here");
        return Ok(());
    }
    let output = Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "prlimit", "--nproc=3", PROGRAM])
        .args(["check", "a.pgn", "-q", "-o", "new", "--threads", "8"])
        .current_dir(home.path())
        .stdin(Stdio::null())
        .output()?;
    // Other processes of that user count, too.
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("threads") || stderr(&output).contains("signals"), "{}", stderr(&output));
    assert_eq!(names(home.path())?, ["a.pgn", "report"]);
    Ok(())
}

#[test]
fn inputs_that_change_after_they_were_found_are_failures() -> Outcome {
    for change in ["delete", "directory", "loop", "empty", "pipe"] {
        let home = audited_home()?;
        let input = home.path().join("b.pgn");
        fs::write(&input, GAMES)?;
        let arguments = ["check", "-", "a.pgn", "b.pgn", "-o", "report", "--repairs", "repairs.csv"];
        let mut running = Running::ready(home.path(), &arguments)?;
        running.until(|_| parts(home.path()) == 2)?;
        fs::remove_file(&input)?;
        match change {
            "directory" => fs::create_dir(&input)?,
            "loop" => symlink("b.pgn", &input)?,
            "pipe" => make_pipe(&input)?,
            "empty" => fs::write(&input, "")?,
            _ => {}
        }
        let mut stdin = running.0.stdin.take().ok_or("no standard input")?;
        stdin.write_all(GAMES.as_bytes())?;
        drop(stdin);
        let (code, stderr) = running.end()?;
        let (status, expected) = if change == "empty" { (",findings,", 1) } else { (",failed,", 2) };
        assert_eq!(code, Some(expected), "{change}: {stderr}");
        assert!(change == "empty" || stderr.starts_with("error: b.pgn: "), "{change}: {stderr}");
        let inputs = fs::read_to_string(home.path().join("report/inputs.csv"))?;
        assert!(inputs.lines().any(|line| line.starts_with("b.pgn,") && line.contains(status)), "{change}: {inputs}");
        assert!(inputs.lines().any(|line| line.starts_with("a.pgn,") && line.contains(",findings,")), "{change}: {inputs}");
    }
    Ok(())
}

/// What a user may keep next to a report, or audit together with one.
const KEPT: [&str; 8] =
    ["games.pgn", "README.md", "known.csv", "list.txt", "chess-audit.toml", ".git/HEAD", "inputs/a.pgn", "oracles.csv/a.pgn"];

#[test]
fn a_report_replaces_only_its_own_files() -> Outcome {
    let home = audited_home()?;
    let report = home.path().join("report");
    let before = names(&report)?;
    for kept in KEPT {
        let path = report.join(kept);
        let entry = report.join(kept.split('/').next().unwrap_or_default());
        let saved = entry.with_extension("saved");
        if entry.exists() {
            fs::rename(&entry, &saved)?;
        }
        fs::create_dir_all(path.parent().ok_or("no parent")?)?;
        fs::write(&path, GAMES)?;
        for arguments in [["check", &format!("report/{kept}"), "-o", "report"].as_slice(), &["check", "a.pgn", "-o", "report/"]] {
            let output = run(home.path(), &[arguments, &["-q", "--no-config"]].concat())?;
            let stderr = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
            let name = entry.file_name().ok_or("no name")?.to_string_lossy();
            assert!(stderr.contains(&format!(" contains a report and other files: `{name}`")), "{arguments:?}: {stderr}");
            assert_eq!(fs::read_to_string(&path)?, GAMES, "{arguments:?}");
        }
        if entry.is_dir() {
            fs::remove_dir_all(&entry)?
        } else {
            fs::remove_file(&entry)?
        }
        if saved.exists() {
            fs::rename(saved, entry)?;
        }
        assert_eq!((names(&report)?, parts(home.path())), (before.clone(), 0), "{kept}");
    }
    // A link is not a file of the report, whatever it is called.
    fs::remove_file(report.join("epd.csv"))?;
    symlink("../a.pgn", report.join("epd.csv"))?;
    let output = run(home.path(), &["check", "a.pgn", "-o", "report"])?;
    assert!(output.status.code() == Some(2) && stderr(&output).contains("`epd.csv`"), "{output:?}");
    fs::remove_file(report.join("epd.csv"))?;
    // An earlier release may have written fewer files.
    assert_eq!(run(home.path(), &["check", "a.pgn", "-o", "report"])?.status.code(), Some(1));
    assert_eq!(names(&report)?, before);
    Ok(())
}

#[test]
fn a_report_does_not_replace_what_its_run_reads() -> Outcome {
    let home = audited_home()?;
    let report = home.path().join("report");
    // A table of games that is called like a file of the report.
    fs::write(report.join("moves.csv"), "FEN,Moves\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,e2e4\n")?;
    symlink("report", home.path().join("link"))?;
    symlink("report/moves.csv", home.path().join("table.csv"))?;
    for arguments in [
        ["check", "report/moves.csv", "--fen-column", "FEN", "-o", "report"].as_slice(),
        &["check", "report", "link/moves.csv", "--fen-column", "FEN", "-o", "report/../report"],
        &["check", "table.csv", "--fen-column", "FEN", "-o", "report"],
        &["check", "a.pgn", "--baseline", "report/moves.csv", "-o", "link"],
        &["check", "a.pgn", "--eco", "report/moves.csv", "-o", "report"],
    ] {
        let before = fs::read(report.join("moves.csv"))?;
        let output = run(home.path(), &[arguments, &["-q"]].concat())?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert_eq!(fs::read(report.join("moves.csv"))?, before, "{arguments:?}");
    }
    let output = run(home.path(), &["check", "report/moves.csv", "--fen-column", "FEN", "-o", "report"])?;
    assert!(
        stderr(&output).contains("this run reads `report/moves.csv`, which the report in `report` would replace"),
        "{output:?}"
    );
    Ok(())
}

#[test]
fn a_directory_that_cannot_be_listed_is_a_failure() -> Outcome {
    let home = tempfile::tempdir()?;
    fs::create_dir_all(home.path().join("corpus/inside"))?;
    for name in ["corpus/a.pgn", "corpus/b.pgn", "corpus/inside/c.pgn"] {
        fs::write(home.path().join(name), GAMES)?;
    }
    let mut failures = 0;
    // The system returns an error at the beginning, or after a part of the names.
    for call in 1..=4 {
        for (input, name) in [("corpus", "corpus"), ("corpus/*.pgn", "corpus"), ("corpus/**/*.pgn", "corpus")] {
            let traced = Command::new("strace")
                .args(["-f", "-o", "/dev/null", "-e", &format!("inject=getdents64:error=EIO:when={call}")])
                .args([PROGRAM, "check", input, "--no-config", "--threads", "1", "-q", "-o", "report"])
                .current_dir(home.path())
                .stdin(Stdio::null())
                .output();
            let Ok(output) = traced else {
                not_run("strace is not installed");
                return Ok(());
            };
            if stderr(&output).contains("ptrace") {
                not_run("strace cannot trace here");
                return Ok(());
            }
            let rows = fs::read_to_string(home.path().join("report/failures.csv")).unwrap_or_default();
            let inputs = fs::read_to_string(home.path().join("report/inputs.csv")).unwrap_or_default();
            // All names may be known before that call.
            let names = if input == "corpus/*.pgn" { 2 } else { 3 };
            if inputs.matches(",findings,").count() == names && output.status.code() == Some(1) {
                continue;
            }
            failures += 1;
            assert_eq!(output.status.code(), Some(2), "{input}, {call}: {output:?}\n{inputs}");
            assert!(rows.contains(&format!("\n{name}")), "{input}, {call}: {rows}");
            assert!(rows.contains("cannot search this directory completely"), "{input}, {call}: {rows}");
            fs::remove_dir_all(home.path().join("report"))?;
        }
    }
    assert!(failures >= 5, "{failures}");
    Ok(())
}

#[test]
fn links_to_directories_are_followed_or_counted() -> Outcome {
    let home = tempfile::tempdir()?;
    for (name, text) in [("corpus/real/a.pgn", GAMES.to_owned()), ("elsewhere/b.pgn", GAMES.replacen('?', "b", 1))] {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().ok_or("no parent")?)?;
        fs::write(path, text)?;
    }
    for (target, link) in [("../elsewhere", "corpus/link"), ("real", "corpus/again"), ("..", "corpus/real/loop")] {
        symlink(target, home.path().join(link))?;
    }
    // A broken link with an extension that is not read.
    symlink("nowhere", home.path().join("corpus/broken.bak"))?;
    let check = |arguments: &[&str]| -> Outcome<(Option<i32>, String, String)> {
        let output = run(home.path(), &[&["check", "corpus", "--no-config", "-o", "report"], arguments].concat())?;
        let inputs = fs::read_to_string(home.path().join("report/inputs.csv"))?;
        let names = inputs.lines().skip(1).filter_map(|row| row.split(',').next()).collect::<Vec<_>>().join(" ");
        Ok((output.status.code(), String::from_utf8(output.stdout)?, names))
    };
    let (code, printed, names) = check(&[])?;
    assert_eq!((code, names.as_str()), (Some(1), "corpus/real/a.pgn"), "{printed}");
    assert!(printed.contains("Skipped      1 file with another extension and 3 links to directories\n"), "{printed}");
    let run: serde_json::Value = serde_json::from_slice(&fs::read(home.path().join("report/run.json"))?)?;
    assert_eq!(run["totals"]["skipped"]["linked"], 3);
    let (code, printed, names) = check(&["--follow"])?;
    assert_eq!((code, names.as_str()), (Some(1), "corpus/again/a.pgn corpus/link/b.pgn"), "{printed}");
    // The loop is found once below each name of the directory.
    assert!(printed.contains("1 file with another extension and 2 links to directories\n"), "{printed}");
    Ok(())
}
