//! Nights that are killed or interrupted at any moment, and full disks: the last report is still
//! there, and what is new is mailed at least once.
#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use crate::common::not_run::not_run;
use crate::common::program::{GAMES, Outcome, PROGRAM, Running, names, parts, run, run_in_shell, stderr};

const NIGHT: [&str; 7] = ["nightly", "games", "--store", "store", "--as-of", "2026-11-02", "--keep=2"];

/// What the night says in which a larger file was added.
const NEWS: &str = "251 new (250 errors), 0 gone\n";

/// What is before mail that was not printed in its night.
const LATE: &str = "Mail of 2026-11-02, which could not be printed then:\n\n";

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
const MOMENTS: [Moment; 11] = [
    ("started", |_, _| true),
    ("first temporary file", |home, _| parts(&home.join("store")) > 0),
    ("first table", |home, _| size(home, "positions.csv").is_some()),
    ("many rows", |home, _| size(home, "moves.csv") > Some(50_000)),
    ("summary", |home, _| size(home, "summary.csv").is_some()),
    ("audited", |home, _| home.join("store/tonight").exists()),
    ("mail", |home, _| home.join("store/tonight/unsent.txt").exists()),
    ("in place", |home, _| has_report(home, "00004-2026-11-02")),
    ("history", |home, inode| home.join("store/history.csv").metadata().is_ok_and(|history| history.ino() != inode)),
    ("one removed", |home, _| !has_report(home, "00001-2026-11-02")),
    ("mailed", |home, _| has_report(home, "00004-2026-11-02") && !is_unsent(home)),
];

fn is_unsent(home: &Path) -> bool {
    home.join("store/reports/00004-2026-11-02/unsent.txt").exists()
}

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
        // A night that failed has no number.
        if row[2].is_empty() && !row[0].is_empty() {
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
    for (place, moment) in MOMENTS.into_iter().enumerate() {
        let mut tries = 1;
        // A night that had already ended by itself is tried again.
        while !end_at(before.path(), signal, moment)? && tries < 10 {
            tries += 1;
        }
        // Once the report is in place, the program has little left to do.
        let is_brief = place >= 7;
        assert!(tries < 10 || is_brief, "{}: the night always ended before", moment.0);
    }
    Ok(())
}

/// Sends a signal to a night at a moment. Returns whether it had not ended by itself.
fn end_at(before: &Path, signal: &str, (moment, is_now): Moment) -> Outcome<bool> {
    let home = copy(before)?;
    let inode = home.path().join("store/history.csv").metadata()?.ino();
    let mut running = Running::start(home.path(), "--default-signal=INT,TERM,HUP", &NIGHT)?;
    let mut sender = running.sender(signal)?;
    while !is_now(home.path(), inode) && !running.has_ended()? {
        thread::yield_now();
    }
    let is_sent = sender.wait()?.success();
    let status = running.0.wait()?;
    let mut mail = String::new();
    running.0.stdout.take().ok_or("no standard output")?.read_to_string(&mut mail)?;
    assert!(mail.is_empty() || mail.starts_with(NEWS), "{moment}: {mail}");
    let last = assert_whole(home.path(), moment)?;
    let is_kept = last.starts_with("00004");
    assert!(is_kept || last.starts_with("00003"), "{moment}: {last}");
    let is_unsent = is_unsent(home.path());
    assert!(!is_kept || is_unsent || mail.starts_with(NEWS), "{moment}: the news are lost");
    if signal == "TERM" {
        assert!(is_kept || matches!(status.code(), Some(143) | None), "{moment}: {status}");
    }
    // The next night says what was not kept or printed, and removes what is left.
    let output = run(home.path(), &NIGHT)?;
    let mail = String::from_utf8(output.stdout)?;
    let expected = match (is_kept, is_unsent) {
        (false, _) => NEWS.to_owned(),
        (true, true) => format!("{LATE}{NEWS}"),
        (true, false) => String::new(),
    };
    let has_mail = !expected.is_empty();
    assert_eq!((output.status.code(), mail.is_empty()), (Some(i32::from(has_mail)), !has_mail), "{moment}: {mail}");
    assert!(mail.starts_with(&expected), "{moment}: {mail}");
    assert_eq!(names(&home.path().join("store"))?, ["history.csv", "lock", "reports"], "{moment}");
    assert_eq!(names(&home.path().join("store/reports"))?.len(), 2, "{moment}");
    let count = if is_kept { 5 } else { 4 };
    assert_eq!(nights(home.path())?, (1..=count).collect::<Vec<_>>(), "{moment}");
    assert_whole(home.path(), moment)?;
    // A kill always ends the night, a signal only until the report is complete.
    Ok(is_sent && (signal != "KILL" || status.code().is_none()))
}

#[test]
fn a_full_disk_leaves_the_last_report() -> Outcome {
    // Less than a report, and less than the history.
    for (blocks, rows, message) in [(0, 0, "no report was written"), (2000, 40_000, "cannot write `store/history.csv`")] {
        let is_kept = rows > 0;
        let home = home()?;
        let path = home.path().join("store/history.csv");
        let (header, rest) =
            fs::read_to_string(&path)?.split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).ok_or("no header")?;
        let earlier = "0,2020-01-31,MOV01,error,12345,12345,12345,,,,,,,ok\n".repeat(rows);
        let history = format!("{header}\n{earlier}{rest}");
        fs::write(&path, &history)?;
        fs::write(home.path().join("chess-audit.toml"), "no-html = true\n")?;
        let output = run_in_shell(home.path(), &format!("trap '' XFSZ; ulimit -f {blocks}"), &NIGHT)?;
        assert!(stderr(&output).contains(message), "{output:?}");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(fs::read_to_string(&path)?, history);
        assert_eq!(String::from_utf8(output.stdout)?.starts_with(NEWS), is_kept);
        assert_eq!(assert_whole(home.path(), "failed")?.starts_with("00004"), is_kept);
        // The next night says what was not said, and adds the rows.
        let output = run(home.path(), &NIGHT)?;
        assert_eq!(output.status.code(), Some(i32::from(!is_kept)), "{output:?}");
        assert_eq!(String::from_utf8(output.stdout)?.starts_with(NEWS), !is_kept);
        assert_eq!(names(&home.path().join("store"))?, ["history.csv", "lock", "reports"]);
        assert_eq!(nights(home.path())?, if is_kept { vec![1, 2, 3, 4, 5] } else { vec![1, 2, 3, 4] });
    }
    Ok(())
}

/// Nobody reads the mail, or there is no space for it, or the program is started without output.
#[test]
fn mail_that_cannot_be_printed_is_printed_first_in_the_next_night() -> Outcome {
    let mut reasons = vec![("exec >&-", "it is closed"), ("nobody reads here", "Broken pipe (os error 32)")];
    if Path::new("/dev/full").exists() {
        reasons.push(("exec >/dev/full", "No space left on device (os error 28)"));
    } else {
        not_run("there is no /dev/full");
    }
    for (redirection, reason) in reasons {
        let home = home()?;
        let night = |day: &str, redirection: &str| {
            let arguments = ["nightly", "games", "--store", "store", "--as-of", day, "--keep=2"];
            if !redirection.ends_with("here") {
                return run_in_shell(home.path(), redirection, &arguments);
            }
            // A pipe whose reader has ended.
            let (reader, writer) = io::pipe()?;
            drop(reader);
            let mut command = Command::new(PROGRAM);
            command.current_dir(home.path()).args(arguments).stdin(Stdio::null()).stdout(writer).output()
        };
        let message = format!("error: cannot write to standard output: {reason}; the next night prints the mail\n");
        let output = night("2026-11-02", redirection)?;
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), message.clone()), "{redirection}");
        assert_eq!(assert_whole(home.path(), redirection)?, "00004-2026-11-02");
        // Again, with more to say, and in a night without anything new.
        fs::write(home.path().join("games/c.pgn"), GAMES)?;
        for day in ["2026-11-03", "2026-11-04"] {
            let output = night(day, redirection)?;
            assert_eq!((output.status.code(), stderr(&output)), (Some(2), message.clone()), "{redirection}");
        }
        assert_eq!(names(&home.path().join("store/reports"))?.len(), 3, "one with mail stays");
        // Also if the audit fails.
        fs::rename(home.path().join("games"), home.path().join("elsewhere"))?;
        let output = night("2026-11-05", "true")?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let mail = String::from_utf8(output.stdout)?;
        assert!(mail.starts_with(&format!("{LATE}{NEWS}")), "{redirection}: {mail}");
        let second = "\nMail of 2026-11-03, which could not be printed then:\n\n0 new, 0 gone, 1 in copied inputs; 1 input is a copy of another one\n";
        assert!(mail.contains(second) && mail.matches("Mail of").count() == 2, "{redirection}: {mail}");
        fs::rename(home.path().join("elsewhere"), home.path().join("games"))?;
        let output = night("2026-11-06", "true")?;
        assert_eq!((output.status.code(), output.stdout.len(), stderr(&output)), (Some(0), 0, String::new()), "{redirection}");
        assert_eq!(nights(home.path())?, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(names(&home.path().join("store/reports"))?, ["00006-2026-11-04", "00007-2026-11-06"]);
    }
    Ok(())
}

/// Whoever wants no mail still has the exit code.
#[test]
fn mail_to_the_null_device_is_printed() -> Outcome {
    let home = home()?;
    for (redirection, code) in [("exec >/dev/null", 1), ("exec >/dev/null", 0)] {
        let output = run_in_shell(home.path(), redirection, &NIGHT)?;
        assert_eq!((output.status.code(), stderr(&output)), (Some(code), String::new()));
    }
    // Nothing to say can be said without output.
    let output = run_in_shell(home.path(), "exec >&-", &NIGHT)?;
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    Ok(())
}

/// Mail of two nights, the late one first, each with its date.
#[test]
fn late_mail_comes_first() -> Outcome {
    let home = home()?;
    assert_eq!(run_in_shell(home.path(), "exec >&-", &NIGHT)?.status.code(), Some(2));
    fs::write(home.path().join("games/c.pgn"), GAMES)?;
    let output = run(home.path(), &["nightly", "games", "--store", "store", "--as-of", "2026-11-03"])?;
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()));
    let mail = String::from_utf8(output.stdout)?;
    assert!(mail.starts_with(&format!("{LATE}{NEWS}")), "{mail}");
    assert!(
        mail.contains("\n\nMail of 2026-11-03:\n\n0 new, 0 gone, 1 in copied inputs; 1 input is a copy of another one\n"),
        "{mail}"
    );
    Ok(())
}

/// Warnings and errors that cannot be printed end no night.
#[test]
fn a_night_goes_on_if_standard_error_is_full() -> Outcome {
    if !Path::new("/dev/full").exists() {
        not_run("there is no /dev/full");
        return Ok(());
    }
    let home = home()?;
    fs::write(home.path().join("store/history.csv"), "mine\n")?;
    let arguments = ["nightly", "games", "--store", "store", "--as-of", "2026-11-01"];
    let output = run_in_shell(home.path(), "exec 2>/dev/full", &arguments)?;
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout)?.starts_with(NEWS));
    assert_eq!(assert_whole(home.path(), "full")?, "00004-2026-11-01");
    Ok(())
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
