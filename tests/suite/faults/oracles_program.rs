//! Oracles that the program asks: each of their faults is a failure with its place, and no process
//! is left.
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
    process::{Command, Output, Stdio},
};

use shakmaty::{Position, san::SanPlus};

use crate::common::{
    engines::{Fake, Script, USUAL, fen, members, positions, stockfish, until},
    program::{Outcome, PROGRAM, Running, names, stderr},
};

/// The line with a finding that no oracle is needed for.
const ILLEGAL: &str = "4k3/8/8/8/8/8/8/4K3 w - - bm Qd5;\n";

/// Lines with positions that the scripted engine knows, each with a move that it likes less, and
/// their first bytes. The last line has an illegal move.
struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    fn new() -> Lines {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for position in positions() {
            let Some(second) = position.legal_moves().get(1).copied() else { continue };
            starts.push(text.len());
            let san = SanPlus::from_move(position.clone(), second);
            text.push_str(&format!("{} bm {san};\n", fen(&position)));
        }
        text.push_str(ILLEGAL);
        Lines { text, starts }
    }

    /// A directory with the lines in `a.epd`.
    fn home(&self) -> Outcome<tempfile::TempDir> {
        let home = tempfile::tempdir()?;
        fs::write(home.path().join("a.epd"), &self.text)?;
        Ok(home)
    }

    /// The number of questions about a line, which are two: about all moves, and about its own.
    fn questions(&self) -> usize {
        2 * self.starts.len()
    }
}

/// The arguments of an audit of `a.epd` by this engine.
fn arguments<'a>(engine: &'a str, report: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = ["check", "a.epd", "--profile", "strict", "--no-html", "--chunk-size", "200"];
    [&usual[..], &["--engine", engine, "-o", report], more].concat()
}

/// Runs the program with a directory for caches of its own.
fn run(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new(PROGRAM);
    command.current_dir(home).args(arguments).stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", home.join("caches")).output()
}

/// Settings in a file of their own; the option that names it comes first.
struct Set(tempfile::NamedTempFile);

impl Set {
    fn new(settings: &str) -> io::Result<Set> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(settings.as_bytes())?;
        Ok(Set(file))
    }

    fn option(&self) -> String {
        format!("--config={}", self.0.path().display())
    }
}

/// The files of a report.
fn files(report: &Path) -> Outcome<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for name in names(report)? {
        files.insert(name.to_string_lossy().into_owned(), fs::read_to_string(report.join(name))?);
    }
    Ok(files)
}

/// The rows of a table without its header.
fn rows(report: &Path, table: &str) -> Outcome<Vec<Vec<String>>> {
    let mut reader = csv::Reader::from_path(report.join(table))?;
    Ok(reader.deserialize().collect::<Result<_, _>>()?)
}

/// The first byte of each finding of an oracle.
fn found(report: &Path) -> Outcome<Vec<usize>> {
    rows(report, "oracles.csv")?.iter().map(|row| Ok(row[7].parse()?)).collect()
}

/// Number of findings about the last line.
fn found_without_oracles(lines: &Lines, report: &Path) -> Outcome<usize> {
    let last = lines.text.len() - ILLEGAL.len();
    let is_last = |row: &Vec<String>| row[7].parse::<usize>().is_ok_and(|byte| byte >= last);
    Ok(rows(report, "epd.csv")?.iter().filter(|row| is_last(row)).count())
}

/// The lines with a finding of an oracle, by their first bytes.
fn lines_found(lines: &Lines, report: &Path) -> Outcome<Vec<usize>> {
    let line_of = |byte: usize| lines.starts[lines.starts.partition_point(|start| *start <= byte) - 1];
    Ok(found(report)?.into_iter().map(line_of).collect())
}

#[test]
fn an_engine_that_fails_once_is_a_failure_with_the_place_of_the_record() -> Outcome {
    let lines = Lines::new();
    let (failing, byte) = (fen(&positions()[6]), lines.starts[6]);
    for (fault, message) in [
        ("exit 3", "the engine ended after `go` (exit status: 3)"),
        ("kill -9 $$", "the engine ended after `go` (signal: 9 (SIGKILL))"),
        ("exec >&-; hang", "the engine closed its output after `go`, but did not end"),
        ("exec tr '\\0' x < /dev/zero", "the engine wrote a line of more than 65,536 bytes after `go`"),
        ("exec yes \"info string $(printf %3000s x)\"", "bytes after `go`, but no answer"),
        ("echo info score cp 1; echo bestmove e9e4", "the engine answered `e9e4`, which is not legal, in `"),
        ("echo info score cp 1; echo bestmove 0000", "the engine did not name a move in `"),
    ] {
        let home = lines.home()?;
        let go = format!("[ \"$position\" = 'position fen {failing}' ] && {{ {fault}; continue; }}; answer");
        let fake = Fake::new(Script { go: &go, ..USUAL })?;
        let output = run(home.path(), &arguments(&fake.command(), "report", &["--threads", "2"]))?;
        assert_eq!(output.status.code(), Some(2), "{fault}: {output:?}");
        let report = home.path().join("report");
        let [failure] = &rows(&report, "failures.csv")?[..] else { return Err(format!("{fault}: one failure").into()) };
        assert_eq!(failure[..3], ["a.epd", "oracle", &byte.to_string()], "{fault}");
        let start = "claims in the record that begins here were not checked: the engine ";
        assert!(failure[3].starts_with(start) && failure[3].contains(message), "{fault}: {failure:?}");
        assert!(stderr(&output).contains(&format!("error: a.epd (from byte {byte}): {start}")), "{output:?}");
        // Everything else is found.
        let others: Vec<usize> = lines.starts.iter().copied().filter(|start| *start != byte).collect();
        assert_eq!(lines_found(&lines, &report)?, others, "{fault}");
        assert_eq!(found_without_oracles(&lines, &report)?, 1, "{fault}");
        fake.nothing_is_left()?;
    }
    Ok(())
}

#[test]
fn an_engine_that_always_fails_is_given_up_and_the_report_is_complete_without_it() -> Outcome {
    let lines = Lines::new();
    let set = Set::new("engine-timeout = 1")?;
    let timeout = set.option();
    let timeout = [timeout.as_str()];
    for (script, more, message) in [
        (Script { go: "exit 1", ..USUAL }, &[][..], "ended after `go` (exit status: 1)"),
        (Script { uci: "exit 1", ..USUAL }, &[], "ended after `uci` (exit status: 1)"),
        (Script { uci: "exec <&-; hang", ..USUAL }, &timeout, "did not answer `uci` within 1 second; allow more time"),
        (Script { go: "hang", ..USUAL }, &timeout, "did not answer `go` within 1 second; allow more time, or fewer nodes"),
    ] {
        let home = lines.home()?;
        let fake = Fake::new(script)?;
        let more = [&["--threads", "1"][..], more].concat();
        let output = run(home.path(), &arguments(&fake.command(), "report", &more))?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let report = home.path().join("report");
        // Each record is asked about until the engine is given up, and not after that.
        let failures = rows(&report, "failures.csv")?;
        let places: Vec<&str> = failures.iter().map(|row| row[2].as_str()).collect();
        assert_eq!(places, lines.starts[..3].iter().map(usize::to_string).collect::<Vec<_>>(), "{failures:?}");
        assert!(failures.iter().all(|row| row[1] == "oracle" && row[3].contains(message)), "{failures:?}");
        let is_last = |row: &Vec<String>| row[3].ends_with("; after 3 failures, the engine is not used any more");
        assert_eq!(failures.iter().map(is_last).collect::<Vec<_>>(), [false, false, true], "{failures:?}");
        assert_eq!(fake.started().len(), 3);
        let unanswered = lines.starts.len();
        let asked = format!("about {unanswered} positions ({unanswered} without an answer)");
        assert!(String::from_utf8_lossy(&output.stdout).contains(&asked), "{output:?}");
        assert_eq!(found(&report)?, [0_usize; 0]);
        assert_eq!(found_without_oracles(&lines, &report)?, 1);
        fake.nothing_is_left()?;
        // With several threads, those that were waiting fail too.
        let fake = Fake::new(script)?;
        let more = [&["--threads", "4"][..], &more[2..]].concat();
        let output = run(home.path(), &arguments(&fake.command(), "report", &more))?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!((3..=6).contains(&rows(&report, "failures.csv")?.len()), "{output:?}");
        fake.nothing_is_left()?;
    }
    Ok(())
}

#[test]
fn the_report_does_not_depend_on_processes_and_threads_and_the_cache_needs_no_engine() -> Outcome {
    let lines = Lines::new();
    let home = lines.home()?;
    let fake = Fake::new(USUAL)?;
    let slow = Fake::new(Script { go: "sleep 0; sleep 0; answer", ..USUAL })?;
    let asked = |fake: &Fake, report: &str, more: &[&str]| -> Outcome<BTreeMap<String, String>> {
        let output = run(home.path(), &arguments(&fake.command(), report, more))?;
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""), "{more:?}");
        let report = home.path().join(report);
        assert_eq!(lines_found(&lines, &report)?, lines.starts, "{more:?}");
        fake.nothing_is_left()?;
        files(&report)
    };
    let cache = |name: &str| format!("engine-cache = {:?}\n", home.path().join(name));
    let one = Set::new(&cache("one"))?;
    let first = asked(&fake, "first", &["--threads", "1", &one.option()])?;
    let number = fake.started().len();
    assert_eq!(number, 1);
    for (threads, processes) in [("1", "4"), ("4", "1"), ("4", "4")] {
        let set = Set::new(&format!("engine-processes = {processes}\n{}", cache(&format!("cache-{threads}-{processes}"))))?;
        let more = ["--threads", threads, &set.option()];
        assert_eq!(asked(&fake, "other", &more)?, first, "{more:?}");
    }
    let started = fake.started();
    assert_eq!(asked(&fake, "other", &["--threads", "4", &one.option()])?, first);
    assert_eq!(fake.started(), started, "the engine was started again");
    // Another engine is asked everything, however slow it is.
    let other = asked(&slow, "slow", &["--threads", "2", &one.option()])?;
    assert_eq!(other["oracles.csv"], first["oracles.csv"]);
    let asked: Outcome<Vec<usize>> = (slow.started().into_iter())
        .map(|pid| Ok(slow.log(pid)?.iter().filter(|line| line.starts_with("go ")).count()))
        .collect();
    assert_eq!(asked?.iter().sum::<usize>(), lines.questions());
    Ok(())
}

#[test]
fn stockfish_gives_the_same_report_in_one_and_in_four_processes() -> Outcome {
    let Some(settings) = stockfish() else { return Ok(()) };
    let engine = settings.program.to_string_lossy().into_owned();
    let home = Lines::new().home()?;
    let mut reports = Vec::new();
    for (threads, cache) in [("1", "one"), ("4", "four"), ("4", "one")] {
        let cache = home.path().join(cache);
        let set = format!("engine-processes = {threads}\nengine-nodes = 3000\nengine-cache = {cache:?}\n");
        fs::write(home.path().join("a.toml"), set)?;
        let more = ["--threads", threads, "--config", "a.toml"];
        let output = run(home.path(), &arguments(&engine, "report", &more))?;
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""), "{output:?}");
        reports.push(files(&home.path().join("report"))?);
    }
    assert!(!found(&home.path().join("report"))?.is_empty());
    assert!(reports.windows(2).all(|pair| pair[0] == pair[1]));
    Ok(())
}

#[test]
fn a_signal_ends_the_audit_and_the_engines_that_it_waits_for() -> Outcome {
    let lines = Lines::new();
    // A wrapper that starts the engine and waits for it, an engine that hangs, and one that floods.
    let floods = Script { go: "echo $$ >> \"$home/hanging\"; exec yes", ..USUAL };
    for script in [Script { go: "hang", ..USUAL }, Script { uci: "hang", ..USUAL }, floods] {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let home = lines.home()?;
            let fake = Fake::new(script)?;
            let engine = fake.command();
            let set = Set::new(&format!("engine-cache = {:?}\n", home.path().join("cache")))?;
            let option = set.option();
            let more = ["--threads", "2", &option];
            let running = Running::ready(home.path(), &arguments(&engine, "report", &more))?;
            running.until(|_| fake.pids("hanging").len() == 2)?;
            running.send(signal)?;
            let (ended, stderr) = running.end()?;
            assert_eq!((ended, stderr.as_str()), (Some(code), "error: interrupted; no report was written\n"), "{signal}");
            assert_eq!(names(home.path())?, ["a.epd", "cache"], "{signal}");
            for pid in fake.started() {
                until(|| members(pid).is_empty())?;
            }
        }
    }
    Ok(())
}

#[test]
fn oracles_that_cannot_be_used_are_errors_before_anything_is_read() -> Outcome {
    let lines = Lines::new();
    let home = lines.home()?;
    let fake = Fake::new(USUAL)?;
    let engine = fake.command();
    for name in ["empty", "file.d", "cut"] {
        fs::create_dir(home.path().join(name))?;
    }
    fs::write(home.path().join("file"), "")?;
    fs::write(home.path().join("file.d/KQvK.txt"), "")?;
    fs::write(home.path().join("cut/KQvK.rtbw"), [0x71, 0xe8, 0x23, 0x5d, 0])?;
    let sets = [
        Set::new("engine-option = [\"Threads=4\"]")?,
        Set::new(&format!("engine-cache = {:?}\n", home.path().join("file")))?,
        Set::new("engine-option = [\"Contempt=1\"]")?,
    ];
    let [threads, cache, contempt] = sets.each_ref().map(Set::option);
    let no_cache = format!("--engine: the engine cache `{}` cannot be used: ", home.path().join("file").display());
    for (more, message) in [
        (&["--engine", "no-such-engine"][..], "--engine: `no-such-engine` was not found; install it, or give its path"),
        (&["--engine", "./missing"], "--engine: `./missing` was not found; install it, or give its path"),
        (&["--engine", " "], "--engine: expected the name or the path of a program"),
        (
            &["--engine", &engine, &threads],
            "--engine: the engine option `Threads` cannot be set: chess-audit sets it, so that answers can be repeated",
        ),
        (&["--engine", &engine, &cache], &no_cache),
        (&["--syzygy", "missing"], "--syzygy: cannot read the tables in `missing`: "),
        (&["--syzygy", "empty"], "--syzygy: there are no Syzygy tables (.rtbw, .rtbz) in `empty`; give the directory"),
        (&["--syzygy", "file.d"], "--syzygy: there are no Syzygy tables (.rtbw, .rtbz) in `file.d`; give the directory"),
        (&["--syzygy", "cut"], "--syzygy: cannot read the tables in `cut`: "),
    ] {
        let output = run(home.path(), &[&["check", "a.epd", "-o", "report"], more].concat())?;
        assert_eq!(output.status.code(), Some(2), "{more:?}: {output:?}");
        assert!(stderr(&output).starts_with(&format!("error: {message}")), "{more:?}: {output:?}");
        assert!(!home.path().join("report").exists(), "{more:?}");
    }
    assert_eq!(fake.started(), [0_u32; 0]);
    // Only the engine itself knows its options.
    let output = run(home.path(), &arguments(&engine, "report", &[&contempt, "--threads", "1"]))?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("Fake 1 has no option `Contempt`; remove it from the settings"), "{output:?}");
    assert_eq!(rows(&home.path().join("report"), "failures.csv")?.len(), 1);
    fake.nothing_is_left()
}

#[test]
fn without_the_options_there_is_no_trace_of_oracles() -> Outcome {
    let lines = Lines::new();
    let home = lines.home()?;
    let mut command = Command::new(PROGRAM);
    command.current_dir(home.path()).args(["check", "a.epd", "--profile", "strict", "-o", "report"]).stdin(Stdio::null());
    let output = command.env("PATH", "").env("HOME", home.path()).env("XDG_CACHE_HOME", home.path().join("caches")).output()?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(names(home.path())?, ["a.epd", "report"]);
    // With an engine, but without a question, it is not started.
    let fake = Fake::new(USUAL)?;
    fs::write(home.path().join("a.epd"), ILLEGAL)?;
    let output = run(home.path(), &arguments(&fake.command(), "report", &[]))?;
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""), "{output:?}");
    assert_eq!(fake.started(), [0_u32; 0]);
    Ok(())
}

#[test]
fn rules_that_the_profile_hides_are_named() -> Outcome {
    let home = Lines::new().home()?;
    let fake = Fake::new(USUAL)?;
    let printed = |more: &[&str]| -> Outcome<String> {
        let usual = ["check", "a.epd", "-o", "report", "--engine"];
        let output = run(home.path(), &[&usual[..], &[&fake.command()], more].concat())?;
        Ok(String::from_utf8(output.stdout)?)
    };
    let hidden = "TRU11, TRU13 and TRU14 (need --profile strict)";
    let standard = printed(&[])?;
    assert!(standard.contains(hidden), "{standard}");
    assert_eq!(fake.started(), [0_u32; 0]);
    for more in [&["--profile", "strict"][..], &["--select", "TRU"], &["--select", "MOV"]] {
        assert!(!printed(more)?.contains("--profile strict"), "{more:?}");
    }
    Ok(())
}

#[test]
fn explanations_show_what_an_engine_thinks() -> Outcome {
    let position = &positions()[3];
    let best = SanPlus::from_move(position.clone(), position.legal_moves()[0]).to_string();
    let turn = position.turn().fold_wb("White", "Black");
    let home = tempfile::tempdir()?;
    let fake = Fake::new(USUAL)?;
    let (engine, position) = (fake.command(), fen(position));
    let output = run(home.path(), &["fen", &position, "--engine", &engine, "--engine-nodes", "5000"])?;
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{output:?}");
    let text = String::from_utf8(output.stdout)?;
    let expected = format!(
        "Engine           +0.21 for {turn}, who is to move; best move {best}; line {best}; Fake 1 at 5,000 nodes, depth 5"
    );
    assert!(
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(&expected.split_whitespace().collect::<Vec<_>>().join(" ")),
        "{text}"
    );
    let output = run(home.path(), &["fen", &position, "--json", "--engine", &engine, "--engine-nodes", "5000"])?;
    let object: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let expected = serde_json::json!({
        "name": "Fake 1", "nodes": 5000, "depth": 5, "centipawns": 21, "mate": null, "best_move": best, "line": [best], "error": null,
    });
    assert_eq!((&object["engine"], object.get("tables")), (&expected, None));
    assert_eq!(fake.started().len(), 1, "the second time, the cache answers");
    // Neither positions that nobody can play nor the pictures need it.
    for more in [
        &["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"][..],
        &["R5k1/5ppp/8/8/8/8/8/7K b - - 0 1"],
        &["--at", "a1", "8/8/8/8/8/8/8/K1k5 w - - 0 1"],
    ] {
        let output = run(home.path(), &[&["fen", "--engine", &engine], more].concat())?;
        assert!(!String::from_utf8(output.stdout)?.contains("Engine"), "{more:?}");
    }
    assert_eq!(fake.started().len(), 1);
    fake.nothing_is_left()?;

    let fake = Fake::new(Script { go: "exit 1", ..USUAL })?;
    for more in [&[][..], &["--json"]] {
        let output = run(home.path(), &[&["fen", &position, "--engine", &fake.command()], more].concat())?;
        let error = "the engine ended after `go` (exit status: 1); run it by hand to see why";
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), format!("error: {error}\n")), "{output:?}");
        assert!(String::from_utf8(output.stdout)?.contains(if more.is_empty() { "no answer: the engine ended" } else { error }));
    }
    fake.nothing_is_left()
}

#[test]
fn a_table_that_is_not_one_is_a_failure() -> Outcome {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("tables"))?;
    // Its size is possible.
    fs::write(home.path().join("tables/KQvK.rtbw"), [7; 80])?;
    let won = "8/8/8/3k4/8/8/8/KQ6 w - - bm Kb2;\n";
    fs::write(home.path().join("a.epd"), format!("{ILLEGAL}{won}"))?;
    let output = run(home.path(), &["check", "a.epd", "--syzygy", "tables", "-o", "report"])?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let [failure] = &rows(&home.path().join("report"), "failures.csv")?[..] else { return Err("one failure".into()) };
    assert_eq!(failure[..3], ["a.epd", "oracle", &ILLEGAL.len().to_string()]);
    assert!(failure[3].ends_with("the wdl table KQvK cannot be used: it is not a Syzygy table"), "{failure:?}");
    assert_eq!(rows(&home.path().join("report"), "epd.csv")?.len(), 1);
    Ok(())
}
