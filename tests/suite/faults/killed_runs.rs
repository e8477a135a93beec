//! Programs that are killed or interrupted at any moment, and directories that change under them: a
//! report is whole or absent.
#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{self, Write},
    os::unix::{
        fs::{MetadataExt, symlink},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    thread,
};

use crate::common::not_run::not_run;
use crate::common::{
    packs,
    program::{GAMES, Outcome, Running, audited_home, games_beyond_memory, names, parts, run, stderr},
};

const CHECK: [&str; 6] = ["check", "b.pgn", "-o", "report", "--repairs", "repairs.csv"];

/// A directory with a report, and an input that takes a while.
fn home() -> Outcome<tempfile::TempDir> {
    let home = audited_home()?;
    fs::write(home.path().join("b.pgn"), GAMES.repeat(800))?;
    Ok(home)
}

/// The unfinished report in `home`.
fn workspace(home: &Path) -> Option<PathBuf> {
    let paths = fs::read_dir(home).ok()?.flatten().map(|entry| entry.path());
    paths.filter(|path| path.to_string_lossy().contains(".chess-audit-part-")).find(|path| path.is_dir())
}

fn size(home: &Path, file: &str) -> Option<u64> {
    Some(workspace(home)?.join("report").join(file).metadata().ok()?.len())
}

/// A moment of an audit.
type Moment = (&'static str, fn(&Path, u64) -> bool);

/// The moments of an audit, in order. The number is the inode of the earlier report.
const MOMENTS: [Moment; 12] = [
    ("started", |_, _| true),
    ("first temporary file", |home, _| parts(home) > 0),
    ("both temporary files", |home, _| parts(home) > 1),
    ("locked", |home, _| workspace(home).is_some_and(|path| path.join("lock").exists())),
    ("first table", |home, _| size(home, "positions.csv").is_some()),
    ("all tables", |home, _| size(home, "failures.csv").is_some()),
    ("first rows", |home, _| size(home, "moves.csv") > Some(0)),
    ("many rows", |home, _| size(home, "moves.csv") > Some(100_000)),
    ("summary", |home, _| size(home, "summary.csv").is_some()),
    ("before the swap", |home, _| size(home, "run.json").is_some()),
    ("after the swap", |home, inode| home.join("report").metadata().is_ok_and(|report| report.ino() != inode)),
    ("repairs", |home, _| home.join("repairs.csv").exists()),
];

/// Starts an audit and sends a signal at a moment. Returns how it ended, and whether the signal was
/// sent before.
fn end_at(home: &Path, (_, is_now): Moment, signal: &str) -> Outcome<(ExitStatus, bool)> {
    let inode = home.join("report").metadata()?.ino();
    let mut running = Running::start(home, "--default-signal=INT,TERM,HUP", &CHECK)?;
    let mut sender = running.sender(signal)?;
    while !is_now(home, inode) && !running.has_ended()? {
        thread::yield_now();
    }
    let is_sent = sender.wait()?.success();
    Ok((running.0.wait()?, is_sent))
}

/// Ends an audit at each moment. If it had already ended by itself, that moment is tried again.
fn at_every_moment(end: impl Fn(Moment) -> Outcome<bool>) -> Outcome {
    for moment in MOMENTS {
        let mut tries = 1;
        while !end(moment)? && tries < 20 {
            tries += 1;
        }
        // After the swap, the program has only a few microseconds left.
        assert!(tries < 20 || matches!(moment.0, "after the swap" | "repairs"), "{}: the program always ended before", moment.0);
    }
    Ok(())
}

/// Checks that there is a whole report, of the games or of the larger input.
fn assert_whole(home: &Path, moment: &str) -> Outcome {
    let output = run(home, &["compare", "report", "report"])?;
    assert_eq!(output.status.code(), Some(0), "{moment}: {}", stderr(&output));
    let inputs = fs::read_to_string(home.join("report/inputs.csv"))?;
    assert!(inputs.contains("\na.pgn,") ^ inputs.contains("\nb.pgn,"), "{moment}: {inputs}");
    Ok(())
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_report() -> Outcome {
    let home = home()?;
    at_every_moment(|moment| {
        let (status, _) = end_at(home.path(), moment, "KILL")?;
        assert_whole(home.path(), moment.0)?;
        let list = home.path().join("repairs.csv");
        if list.exists() {
            assert!(fs::read_to_string(&list)?.ends_with('\n'), "{}", moment.0);
            fs::remove_file(list)?;
        }
        // The next run removes what is left.
        let output = run(home.path(), &["check", "a.pgn", "-q", "-o", "report"])?;
        assert_eq!(output.status.code(), Some(1), "{}: {output:?}", moment.0);
        assert_eq!(names(home.path())?, ["a.pgn", "b.pgn", "report"], "{}", moment.0);
        assert_whole(home.path(), moment.0)?;
        Ok(status.signal() == Some(9))
    })
}

/// Whether the program writes to a file without a name, which contains what does not fit in memory.
fn spills(running: &Running) -> bool {
    let files = fs::read_dir(format!("/proc/{}/fd", running.0.id())).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file.to_string_lossy().ends_with(" (deleted)"))
}

#[test]
fn a_kill_or_a_signal_while_copies_are_looked_for_leaves_a_whole_report() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("b.pgn"), games_beyond_memory())?;
    for signal in ["KILL", "TERM"] {
        let check = ["check", "b.pgn", "--duplicates", "-q", "-o", "report"];
        let mut running = Running::start(home.path(), "--default-signal=INT,TERM,HUP", &check)?;
        while !spills(&running) {
            assert!(!running.has_ended()?, "all games fit in memory");
            thread::yield_now();
        }
        running.send(signal)?;
        let status = { running }.0.wait()?;
        assert_eq!(status.code(), (signal == "TERM").then_some(143), "{status}");
        let inputs = fs::read_to_string(home.path().join("report/inputs.csv"))?;
        assert!(inputs.contains("\na.pgn,") && !inputs.contains("\nb.pgn,"), "{signal}: {inputs}");
        assert_whole(home.path(), signal)?;
        // The next run removes what a kill left.
        run(home.path(), &["check", "a.pgn", "-q", "-o", "report"])?;
        assert_eq!(names(home.path())?, ["a.pgn", "b.pgn", "report"], "{signal}");
    }
    Ok(())
}

#[test]
fn a_signal_at_any_moment_leaves_nothing_behind() -> Outcome {
    let home = home()?;
    at_every_moment(|moment| {
        let (status, is_sent) = end_at(home.path(), moment, "TERM")?;
        // Before the program handles signals, the system ends it.
        assert!(matches!(status.code(), Some(1 | 143) | None), "{}: {status}", moment.0);
        assert_whole(home.path(), moment.0)?;
        let _ = fs::remove_file(home.path().join("repairs.csv"));
        assert_eq!(names(home.path())?, ["a.pgn", "b.pgn", "report"], "{}", moment.0);
        run(home.path(), &["check", "a.pgn", "-q", "-o", "report"])?;
        // From the summary on, a signal comes too late: the report is finished.
        Ok(is_sent)
    })
}

#[test]
fn a_signal_ends_decompressing_and_printing() -> Outcome {
    let home = home()?;
    let text = GAMES.repeat(800);
    for packed in [
        packs::gzip(text.as_bytes()),
        packs::zstandard(text.as_bytes()),
        packs::bzip2(text.as_bytes()),
        packs::xz(text.as_bytes()),
    ] {
        let mut running = Running::ready(home.path(), &["check", "-", "-o", "report", "--repairs", "repairs.csv"])?;
        let mut stdin = running.0.stdin.take().ok_or("no standard input")?;
        stdin.write_all(&packed[..packed.len() / 2])?;
        running.until(|_| parts(home.path()) == 2)?;
        running.send("TERM")?;
        assert_eq!(running.end()?.0, Some(143));
        assert_eq!(names(home.path())?, ["a.pgn", "b.pgn", "report"]);
    }
    // Nobody reads what is printed, so the program waits for the pipe.
    let mut running = Running::ready(home.path(), &["check", "b.pgn", "--format", "jsonl", "-o", "report"])?;
    let mut first = [0];
    io::Read::read_exact(running.0.stdout.as_mut().ok_or("no standard output")?, &mut first)?;
    running.send("TERM")?;
    assert_eq!(running.end()?.0, Some(143));
    assert_eq!(names(home.path())?, ["a.pgn", "b.pgn", "report"]);
    assert_whole(home.path(), "printing")
}

/// Starts an audit that waits for its input, changes something, and lets it end.
fn audit_during(home: &Path, output: &str, change: impl FnOnce() -> Outcome) -> Outcome<(Option<i32>, String)> {
    let parent = home.join(output).parent().map(Path::to_owned).ok_or("no parent")?;
    let mut running = Running::ready(home, &["check", "-", "-o", output])?;
    // Until it has all its files, it begins again if its directory vanishes.
    running.until(|_| size(&parent, "failures.csv").is_some())?;
    change()?;
    let mut stdin = running.0.stdin.take().ok_or("no standard input")?;
    // The program may have ended.
    let _ = stdin.write_all(GAMES.as_bytes());
    drop(stdin);
    running.end()
}

/// Removes a directory in which files are being created. To remove it file by file may fail.
fn remove_at_once(directory: &Path) -> Outcome {
    let elsewhere = tempfile::tempdir_in(directory.parent().and_then(Path::parent).ok_or("no parent")?)?;
    fs::rename(directory, elsewhere.path().join("removed"))?;
    Ok(elsewhere.close()?)
}

#[test]
fn a_report_that_vanishes_is_a_failure_and_a_foreign_one_stays() -> Outcome {
    let home = audited_home()?;
    let path = |name: &str| home.path().join(name);
    // The temporary directory vanishes.
    let (code, stderr) =
        audit_during(home.path(), "report", || remove_at_once(&workspace(home.path()).ok_or("no temporary directory")?))?;
    assert_eq!((code, stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(stderr.contains("report"), "{stderr}");
    assert_whole(home.path(), "the temporary directory vanished")?;
    // The parent vanishes.
    fs::create_dir(path("out"))?;
    let (code, stderr) = audit_during(home.path(), "out/report", || remove_at_once(&path("out")))?;
    assert_eq!((code, stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(stderr.contains("report"), "{stderr}");
    // The earlier report vanishes, which is no loss.
    let (code, stderr) = audit_during(home.path(), "report", || Ok(fs::remove_dir_all(path("report"))?))?;
    assert_eq!(code, Some(1), "{stderr}");
    assert!(path("report/run.json").is_file());
    // Other files are there instead.
    let (code, stderr) = audit_during(home.path(), "report", || {
        fs::remove_dir_all(path("report"))?;
        fs::create_dir(path("report"))?;
        Ok(fs::write(path("report/mine"), "precious")?)
    })?;
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(names(&path("report"))?, ["mine"]);
    let output = run(home.path(), &["check", "a.pgn", "-o", "report"])?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(names(&path("report"))?, ["mine"]);
    assert_eq!(names(home.path())?, ["a.pgn", "report"]);
    Ok(())
}

#[test]
fn a_link_to_a_report_stays() -> Outcome {
    let home = home()?;
    let path = |name: &str| home.path().join(name);
    fs::create_dir(path("there"))?;
    fs::rename(path("report"), path("there/real"))?;
    symlink("there/real", path("report"))?;
    let output = run(home.path(), &["check", "b.pgn", "-q", "-o", "report"])?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(path("report").is_symlink());
    assert!(fs::read_to_string(path("there/real/inputs.csv"))?.contains("\nb.pgn,"));
    assert_eq!(names(&path("there"))?, ["real"]);
    Ok(())
}

#[test]
fn a_directory_that_cannot_be_written_is_a_failure() -> Outcome {
    let home = audited_home()?;
    let attribute = |sign: &str, path: &Path| {
        Command::new("chattr").arg(sign).arg(path).output().is_ok_and(|changed| changed.status.success())
    };
    let report = home.path().join("report");
    for (path, refused) in [
        (home.path(), "error: cannot write a report to `report`: Operation not permitted (os error 1)"),
        (&report, "/report` (the previous content is unchanged): Operation not permitted (os error 1)"),
    ] {
        if !attribute("+i", path) {
            not_run("directories cannot be made immutable here");
            return Ok(());
        }
        let output = run(home.path(), &["check", "a.pgn", "-q", "-o", "report"]);
        // Otherwise the directory could not be removed.
        assert!(attribute("-i", path));
        let output = output?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(refused), "{}", stderr(&output));
        assert_eq!(stderr(&output).matches("(os error 1)").count(), 1, "{}", stderr(&output));
        assert_eq!(names(home.path())?, ["a.pgn", "report"]);
        assert_whole(home.path(), "immutable")?;
    }
    Ok(())
}

#[test]
fn runs_to_one_directory_leave_one_whole_report() -> Outcome {
    let home = home()?;
    for _ in 0..3 {
        let both: Vec<Running> = ["a.pgn", "b.pgn", "a.pgn", "b.pgn"]
            .iter()
            .map(|input| Running::start(home.path(), "--default-signal=TERM", &["check", input, "-q", "-o", "report"]))
            .collect::<io::Result<_>>()?;
        for running in both {
            let (code, stderr) = running.end()?;
            // Two runs that swap at the same time: one of them may fail, with a message.
            assert!(code == Some(1) && stderr.is_empty() || code == Some(2) && stderr.lines().count() == 1, "{code:?}: {stderr}");
        }
        assert_eq!(names(home.path())?, ["a.pgn", "b.pgn", "report"]);
        assert_whole(home.path(), "at once")?;
    }
    Ok(())
}
