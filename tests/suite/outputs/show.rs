//! `show` finds the same record by each of its lines, and shows what `check` finds in it.

use std::{error::Error, fs, path::Path};

use assert_cmd::Command;
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Failure, InputSummary, OneRecordError, Settings, Sink},
    rules::Finding,
};

use crate::common::packs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chess-audit");
const SHOWCASE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/showcase.pgn");

/// Number of games that are several times as long as what is read at once.
const GAMES: usize = 3000;

#[derive(Default)]
struct Noted(Vec<Finding>);

impl Sink for Noted {
    fn finding(&mut self, _: &str, finding: &Finding) -> std::io::Result<()> {
        self.0.push(finding.clone());
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> std::io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &Failure) -> std::io::Result<()> {
        Ok(())
    }
}

fn input(text: &[u8]) -> Input {
    Input { name: "games.pgn".to_owned(), source: Source::Bytes(text.into()), format: None, scanned: false }
}

/// A game of nine lines. The move that cannot be played is on the last but one, in column 20.
fn game(number: usize, line_end: &str) -> String {
    let event = "x".repeat(number % 50);
    [
        format!("[Event \"{event}\"]"),
        "[Site \"?\"]".to_owned(),
        "[Date \"????.??.??\"]".to_owned(),
        format!("[Round \"{number}\"]"),
        "[White \"A\"]".to_owned(),
        "[Black \"B\"]".to_owned(),
        "[Result \"*\"]".to_owned(),
        String::new(),
        "1. e4 e5 2. Nf3 d6 Ke4".to_owned() + line_end + "*",
        String::new(),
        String::new(),
    ]
    .join(line_end)
}

#[test]
fn a_game_is_found_by_each_of_its_lines() -> Result<(), Box<dyn Error>> {
    for line_end in ["\n", "\r\n", "\r"] {
        let games: Vec<String> = (1..=GAMES).map(|number| game(number, line_end)).collect();
        let text = games.concat();
        for number in [1, 2, GAMES / 2, GAMES - 1, GAMES] {
            let first = (number - 1) as u64 * 11 + 1;
            let byte: usize = games[..number - 1].iter().map(String::len).sum();
            for packed in [text.clone().into_bytes(), packs::gzip(text.as_bytes())] {
                for line in [first, first + 8, first + 9] {
                    let mut noted = Noted::default();
                    let record = Audit::new(Settings::default()).run_on_record(&input(&packed), line, &mut noted)?;
                    assert_eq!((record.line, record.byte), (first, byte as u64), "{number} {line}");
                    assert_eq!(record.text, games[number - 1].trim_end().as_bytes(), "{number} {line}");
                    let places: Vec<(u64, u64)> = noted.0.iter().map(|finding| (finding.line, finding.column)).collect();
                    assert_eq!(places, [(first + 8, 20)], "{:?}", noted.0);
                    assert_eq!(noted.0[0].place.start, byte + games[number - 1].find("Ke4").ok_or("no move")?);
                }
            }
        }
        let lines = GAMES as u64 * 11;
        for (line, is_missing) in [(10 + 1, false), (lines, false), (lines + 1, true)] {
            let found = Audit::new(Settings::default()).run_on_record(&input(text.as_bytes()), line, &mut Noted::default());
            match found {
                Err(OneRecordError::NoRecord(no)) => assert!(no == line && !is_missing),
                Err(OneRecordError::NoLine { wanted, lines: all }) => assert!(is_missing && (wanted, all) == (line, lines)),
                other => return Err(format!("{line}: {other:?}").into()),
            }
        }
    }
    Ok(())
}

#[test]
fn what_is_reported_is_shown() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("all"))?;
    let showcase = fs::read(SHOWCASE)?;
    fs::write(home.path().join("all/a.pgn"), &showcase)?;
    fs::write(home.path().join("all/a.pgn.zst"), packs::zstandard(&showcase))?;
    fs::write(home.path().join("all/a.zip"), packs::zip_deflated(&[("b/a.pgn", &showcase)]))?;
    let run = |arguments: &[&str]| -> Result<String, Box<dyn Error>> {
        Ok(String::from_utf8(Command::new(PROGRAM).current_dir(Path::new(home.path())).args(arguments).output()?.stdout)?)
    };
    let printed = run(&["check", "all", "--format", "jsonl", "--quiet"])?;
    let mut shown = 0;
    for line in printed.lines() {
        let finding: serde_json::Value = serde_json::from_str(line)?;
        if finding["game"] == 0 {
            continue;
        }
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let place = format!("{}:{}:{}", text("input"), finding["line"], finding["column"]);
        let output = run(&["show", &place])?;
        let expected = format!("\n{} {} {}\n  {place}\n", text("severity"), text("rule"), text("name"));
        assert!(output.contains(&expected), "{expected}\n{output}");
        shown += 1;
    }
    assert!(shown > 60, "{shown}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn only_files_are_shown() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("games"))?;
    for (place, expected) in [
        ("/dev/zero:1", "cannot read `/dev/zero`: it is a device; give a regular file"),
        ("/dev/zero#1", "cannot read `/dev/zero`: it is a device; give a regular file"),
        ("games:1", "cannot read `games`: it is a directory; give a file"),
        ("none.pgn:1", "no such file: `none.pgn`"),
    ] {
        let output = Command::new(PROGRAM).current_dir(home.path()).args(["show", place]).output()?;
        assert_eq!(output.status.code(), Some(2), "{place}");
        assert_eq!(String::from_utf8(output.stderr)?, format!("error: {expected}\n"));
    }
    Ok(())
}
