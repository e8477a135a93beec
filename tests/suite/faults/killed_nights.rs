//! Nights that are killed or interrupted at any moment, and full disks: the last report is still
//! there, and what is new is mailed at least once.
#![cfg(target_os = "linux")]

use std::{
    fs,
    io::Read,
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
};

use crate::common::program::{GAMES, Outcome, PROGRAM, Running, names, parts, run, run_in_shell, stderr};

const NIGHT: [&str; 7] = ["nightly", "games", "--store", "store", "--as-of", "2026-11-02", "--keep=2"];

/// What the night says in which a larger file was added.
const NEWS: &str = "500 new (250 errors), 0 gone\n";

/// A directory in which three nights were audited, and an input was added then that takes a while.
/// Two reports are too many.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("games"))?;
    fs::write(home.path().join("games/a.pgn"), GAMES)?;
    for code in [1, 0, 0] {
        let output = run(home.path(), &NIGHT[..6])?;
        assert_eq!(output.status.code(), Some(code), "{output:?}");
    }
    fs::write(home.path().join("games/b.pgn"), GAMES.repeat(250))?;
    Ok(home)
}

/// The same directory once more.
fn copy(home: &Path) -> Outcome<tempfile::TempDir> {
    let copy = tempfile::tempdir()?;
    let copied = Command::new("cp").arg("-a").arg(home.join(".")).arg(copy.path()).output()?;
    assert!(copied.status.success(), "{copied:?}");
    Ok(copy)
}

/// Size of a file of the report that is being written.
fn size(home: &Path, file: &str) -> Option<u64> {
    let paths = fs::read_dir(home.join("store")).ok()?.flatten().map(|entry| entry.path());
    let workspace = paths.filter(|path| path.to_string_lossy().contains(".chess-audit-part-")).find(|path| path.is_dir())?;
    Some(workspace.join("report").join(file).metadata().ok()?.len())
}

fn has_report(home: &Path, name: &str) -> bool {
    home.join("store/reports").join(name).exists()
}

/// A moment of a night.
type Moment = (&'static str, fn(&Path, u64) -> bool);

/// The moments of a night, in order. The number is the inode of the history before.
const MOMENTS: [Moment; 9] = [
    ("started", |_, _| true),
    ("first temporary file", |home, _| parts(&home.join("store")) > 0),
    ("first table", |home, _| size(home, "positions.csv").is_some()),
    ("many rows", |home, _| size(home, "moves.csv") > Some(50_000)),
    ("summary", |home, _| size(home, "summary.csv").is_some()),
    ("audited", |home, _| home.join("store/tonight").exists()),
    ("history", |home, inode| home.join("store/history.csv").metadata().is_ok_and(|history| history.ino() != inode)),
    ("in place", |home, _| has_report(home, "00004-2026-11-02")),
    ("one removed", |home, _| !has_report(home, "00001-2026-11-02")),
];

/// The last report.
fn last(home: &Path) -> Outcome<String> {
    let last = names(&home.join("store/reports"))?.pop().ok_or("no report")?;
    Ok(last.to_string_lossy().into_owned())
}

/// Checks that the last report is whole, and returns its name.
fn assert_whole(home: &Path, moment: &str) -> Outcome<String> {
    let last = last(home)?;
    let path = format!("store/reports/{last}");
    let output = run(home, &["compare", &path, &path])?;
    assert_eq!(output.status.code(), Some(0), "{moment}: {}", stderr(&output));
    Ok(last)
}

/// The numbers of the nights in the history, one for each line of totals.
fn nights(home: &Path) -> Outcome<Vec<u64>> {
    let mut rows = csv::Reader::from_path(home.join("store/history.csv"))?;
    let mut nights = Vec::new();
    for row in rows.records() {
        let row = row?;
        if row[2].is_empty() {
            nights.push(row[0].parse()?);
        }
    }
    Ok(nights)
}

#[test]
fn a_kill_at_any_moment_loses_no_news() -> Outcome {
    end_at_all_moments("KILL")
}

#[test]
fn a_signal_at_any_moment_loses_no_news() -> Outcome {
    end_at_all_moments("TERM")
}

fn end_at_all_moments(signal: &str) -> Outcome {
    let before = home()?;
    for (moment, is_now) in MOMENTS {
        let home = copy(before.path())?;
        let inode = home.path().join("store/history.csv").metadata()?.ino();
        let mut running = Running::start(home.path(), "--default-signal=INT,TERM,HUP", &NIGHT)?;
        while !is_now(home.path(), inode) && !running.has_ended()? {
            thread::yield_now();
        }
        if !running.has_ended()? {
            // The program may end right now.
            let _ = running.send(signal);
        }
        let status = running.0.wait()?;
        let mut mail = String::new();
        running.0.stdout.take().ok_or("no standard output")?.read_to_string(&mut mail)?;
        assert!(mail.is_empty() || mail.starts_with(NEWS), "{moment}: {mail}");
        let last = assert_whole(home.path(), moment)?;
        let is_kept = last.starts_with("00004");
        assert!(is_kept || last.starts_with("00003"), "{moment}: {last}");
        assert!(!is_kept || mail.starts_with(NEWS), "{moment}: the news are lost");
        if signal == "TERM" {
            assert!(is_kept || matches!(status.code(), Some(143) | None), "{moment}: {status}");
        }
        // The next night says what was not kept, and removes what is left.
        let output = run(home.path(), &NIGHT)?;
        let mail = String::from_utf8(output.stdout)?;
        assert_eq!((output.status.code(), mail.starts_with(NEWS)), (Some(i32::from(!is_kept)), !is_kept), "{moment}: {mail}");
        assert_eq!(names(&home.path().join("store"))?, ["history.csv", "lock", "reports"], "{moment}");
        assert_eq!(names(&home.path().join("store/reports"))?.len(), 2, "{moment}");
        let count = if is_kept { 5 } else { 4 };
        assert_eq!(nights(home.path())?, (1..=count).collect::<Vec<_>>(), "{moment}");
        assert_whole(home.path(), moment)?;
    }
    Ok(())
}

/// Checks that a night failed, that the last report and the history are as they were, and that the
/// next night says what is new.
fn assert_nothing_changed(home: &Path, output: &Output, history: &[u8]) -> Outcome {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(assert_whole(home, "failed")?, "00003-2026-11-02");
    assert_eq!(fs::read(home.join("store/history.csv"))?, history);
    let output = run(home, &NIGHT)?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8(output.stdout)?.starts_with(NEWS));
    assert_eq!(names(&home.join("store"))?, ["history.csv", "lock", "reports"]);
    Ok(())
}

#[test]
fn a_full_disk_leaves_the_last_report() -> Outcome {
    // Less than a report, and less than the history.
    for (blocks, rows, message) in [(0, 0, "no report was written"), (2000, 40_000, "cannot write `store/history.csv`")] {
        let home = home()?;
        let path = home.path().join("store/history.csv");
        let (header, rest) =
            fs::read_to_string(&path)?.split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).ok_or("no header")?;
        let earlier = "0,2020-01-31,MOV01,error,12345,12345,12345,,,,,,\n".repeat(rows);
        let history = format!("{header}\n{earlier}{rest}");
        fs::write(&path, &history)?;
        let arguments = [&NIGHT[..], &["--no-html"]].concat();
        let output = run_in_shell(home.path(), &format!("trap '' XFSZ; ulimit -f {blocks}"), &arguments)?;
        assert!(stderr(&output).contains(message), "{output:?}");
        assert_nothing_changed(home.path(), &output, history.as_bytes())?;
    }
    Ok(())
}

#[test]
fn mail_that_cannot_be_written_is_written_in_the_next_night() -> Outcome {
    let home = home()?;
    let history = fs::read(home.path().join("store/history.csv"))?;
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        println!("not run: there is no /dev/full");
        return Ok(());
    };
    let output = Command::new(PROGRAM).current_dir(home.path()).args(NIGHT).stdin(Stdio::null()).stdout(full).output()?;
    assert!(stderr(&output).contains("cannot write to standard output: No space left on device"), "{output:?}");
    assert_nothing_changed(home.path(), &output, &history)
}

#[test]
fn many_nights_at_once_are_one_or_come_after_each_other() -> Outcome {
    let home = home()?;
    let running: Vec<Running> =
        (0..4).map(|_| Running::start(home.path(), "--default-signal=TERM", &NIGHT)).collect::<Result<_, _>>()?;
    let mut news = 0;
    for running in running {
        let (code, stderr) = running.end()?;
        let is_refused = stderr == "error: another audit of `store` is still running; wait until it has ended\n";
        assert!(code == Some(2) && is_refused || matches!(code, Some(0 | 1)) && stderr.is_empty(), "{code:?}: {stderr}");
        news += usize::from(code == Some(1));
    }
    assert_eq!(news, 1);
    let nights = nights(home.path())?;
    assert_eq!(nights, (1..=nights.len() as u64).collect::<Vec<_>>());
    assert_whole(home.path(), "at once")?;
    Ok(())
}
