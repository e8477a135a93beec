//! Inputs that change while they are read are failures, and nothing is reported about what was not
//! read.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime},
};

use crate::common::{
    AuditResult, everything,
    games::game,
    packs::{bzip2, zip_stored},
};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Progress, Settings},
    record::Counts,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Changes a file after the first chunk was reported.
struct Changing<'a> {
    path: &'a Path,
    change: Change,
    is_done: AtomicBool,
}

impl Progress for Changing<'_> {
    fn advanced(&self, _: Counts) {
        if !self.is_done.swap(true, Ordering::Relaxed) {
            (self.change)(self.path).expect("the file can be changed");
        }
    }

    fn found(&self, _: u64) {}
}

fn audit_while(paths: &[&PathBuf], settings: Settings, change: Change) -> io::Result<AuditResult> {
    let input =
        |path: &&PathBuf| Input { name: name(path), source: Source::File(path.to_path_buf()), format: None, scanned: false };
    let mut result = AuditResult::default();
    let progress = Changing { path: paths[0], change, is_done: AtomicBool::new(false) };
    let inputs = paths.iter().map(input).collect();
    let summary = Audit::new(settings).run(inputs, &mut result, &progress, &AtomicBool::new(false))?;
    Ok(AuditResult { summary, ..result })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn resize(path: &Path, length: u64) -> io::Result<()> {
    File::options().write(true).open(path)?.set_len(length)
}

/// More text than there are chunks in flight.
fn games() -> String {
    (0..300).map(|number| game(number).broken()).collect()
}

/// Changes the file.
type Change = fn(&Path) -> io::Result<()>;

const CHANGES: [(&str, Change); 4] = [
    ("truncated while it was read", |path| resize(path, 0)),
    ("truncated while it was read", |path| resize(path, path.metadata()?.len() / 2 + 1)),
    ("changed while it was read", |path| File::options().append(true).open(path)?.write_all(b"\n1. e5 *\n")),
    // The times of two changes can be equal, because the clock of files ticks slowly.
    ("changed while it was read", |path| {
        File::options().write(true).open(path)?.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1))
    }),
];

#[test]
fn a_file_that_changes_is_checked_up_to_the_change() -> Outcome {
    let directory = tempfile::tempdir()?;
    let (path, other) = (directory.path().join("a.pgn"), directory.path().join("b.pgn"));
    let text = games();
    fs::write(&other, &text)?;
    for packed in [text.as_bytes().to_vec(), bzip2(text.as_bytes())] {
        for (expected, change) in CHANGES {
            for (map, threads) in [(true, 1), (true, 3), (false, 1), (false, 3)] {
                fs::write(&path, &packed)?;
                let settings = Settings { map, threads, chunk_bytes: 5000, ..everything() };
                let result = audit_while(&[&path, &other], settings, change)?;
                let context = format!("{expected}, mapped: {map}, {threads} threads");
                let [failure] = &result.failures[..] else { panic!("{context}: {:?}", result.failures) };
                assert!(failure.message.starts_with(expected), "{context}: {}", failure.message);
                assert_eq!((failure.input.as_str(), failure.stage), ("a.pgn", "read"), "{context}");
                let byte = failure.byte.ok_or("no byte")? as usize;
                assert!((1..text.len()).contains(&byte), "{context}: {byte}");
                let [first, second] = &result.inputs[..] else { panic!("{context}: {:?}", result.inputs) };
                assert!(!first.complete && second.complete, "{context}");
                assert_eq!((first.counts.bytes, second.counts.games), (byte as u64, 300), "{context}");
                let late = result.findings.iter().find(|(input, finding)| input == "a.pgn" && finding.place.start >= byte);
                assert!(late.is_none(), "{context}: {late:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_file_that_changes_after_its_last_byte_was_read_is_a_failure() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("a.pgn");
    for map in [true, false] {
        fs::write(&path, game(0).plain())?;
        let result = audit_while(&[&path], Settings { map, ..everything() }, CHANGES[2].1)?;
        let [failure] = &result.failures[..] else { panic!("{:?}", result.failures) };
        assert_eq!((failure.byte, failure.message.starts_with(CHANGES[2].0)), (None, true));
        assert_eq!(result.inputs[0].counts.games, 1);
    }
    Ok(())
}

#[test]
fn a_truncated_archive_is_a_failure_of_each_member_that_was_not_read() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("a.zip");
    let text = games();
    fs::write(&path, zip_stored(&[("one.pgn", text.as_bytes()), ("two.pgn", text.as_bytes())]))?;
    let settings = Settings { chunk_bytes: 5000, ..everything() };
    let result = audit_while(&[&path], settings, |path| resize(path, 4096))?;
    let failures: Vec<_> = result.failures.iter().map(|failure| (failure.input.as_str(), &failure.message[..9])).collect();
    assert_eq!(failures, [("a.zip/one.pgn", "truncated"), ("a.zip/two.pgn", "truncated")]);
    Ok(())
}
