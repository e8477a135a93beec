//! The stages of an audit as a program that `benches/peers.py` has valgrind count the instructions
//! of: what each takes for a ply, a position or a finding shows a change that a clock on a busy
//! machine would not. It also makes inputs for `benches/peers.py`.
//!
//!     stages                                           their names, and the input each reads
//!     stages NAME FILE TIMES                           reads FILE so many times; prints its units
//!     stages make games|clocked|positions|broken BYTES writes an input
//!     stages why FILE                                  where the fast path gives up on games

#[path = "common/mod.rs"]
mod audit;
#[path = "../tests/suite/common/mod.rs"]
mod common;

use std::{
    env, fs,
    hint::black_box,
    io::{self, BufWriter, Write},
    path::Path,
    sync::Arc,
};

use audit::{made, ours_with};
use chess_audit::internals::{
    pgn::{Lexer, Token, guess_start},
    pipeline::{RunSummary, Settings, Sink},
    record::{AcceptedGame, FastGames},
    report::{CompleteReport, Report, RunSettings},
    rules::{ActiveRules, Finding, Findings, Selection, Span},
    text::Format,
};
use common::lines::{accept_line, examine_line};
use memchr::memchr_iter;

/// A stage: its name, what it is counted by, the input made for it, and the work on that.
struct Stage {
    name: &'static str,
    unit: &'static str,
    input: &'static str,
    /// Prepares the work, which is then done so many times; the units that it was done for.
    run: fn(text: &[u8], times: usize) -> u64,
}

const STAGES: [Stage; 8] = [
    Stage { name: "tokens", unit: "ply", input: "games", run: |text, times| again(times, || words(text)) },
    Stage { name: "fast path: clean games", unit: "ply", input: "games", run: |text, times| again(times, || proven(text)) },
    Stage { name: "audit of clean games", unit: "ply", input: "games", run: |text, times| plies(text, times, false) },
    Stage { name: "the same with clocks", unit: "ply", input: "clocked", run: |text, times| plies(text, times, false) },
    Stage { name: "the same on the thorough path", unit: "ply", input: "games", run: |text, times| plies(text, times, true) },
    Stage {
        name: "fast path: clean positions",
        unit: "position",
        input: "positions",
        run: |text, times| again(times, || passed_over(text)),
    },
    Stage {
        name: "positions on the thorough path",
        unit: "position",
        input: "positions",
        run: |text, times| again(times, || examined(text)),
    },
    Stage { name: "rows of the report written", unit: "finding", input: "broken", run: written },
];

/// Does `work` so many times; what came of the last time.
fn again(times: usize, mut work: impl FnMut() -> u64) -> u64 {
    (0..times).map(|_| black_box(work())).last().unwrap_or_default()
}

/// Moves among the tokens of games in export format.
fn words(text: &[u8]) -> u64 {
    let mut lexer = Lexer::new(text, 0);
    let mut words = 0;
    loop {
        match lexer.next() {
            Token::Word => words += 1,
            Token::TagPair => lexer.at += text[lexer.at..].iter().take_while(|&&byte| byte != b'\n').count(),
            Token::End => return words,
            _ => {}
        }
    }
}

/// Plies of the games that are proven clean; of the others only the tags are accepted.
fn proven(text: &[u8]) -> u64 {
    let checks = ActiveRules::of(&Selection::default());
    let mut clean = FastGames::default();
    let (mut plies, mut at) = (0, 0);
    while at < text.len() {
        at = match accepted(&mut clean, text, at, &checks) {
            Some(game) => {
                plies += u64::from(game.plies);
                game.next
            }
            None => guess_start(text, at + 1, text.len()).unwrap_or(text.len()),
        };
    }
    plies
}

fn accepted(games: &mut FastGames, text: &[u8], at: usize, checks: &ActiveRules) -> Option<AcceptedGame> {
    let accept = |games: &mut FastGames, text: &[u8], at| games.accept(text, at, checks);
    accept(games, text, at).or_else(|| games.accept_last(text, at, accept))
}

/// Prints where the fast path gives up on each game that it does not accept.
fn why(text: &[u8]) {
    let checks = ActiveRules::of(&Selection::default());
    let mut games = FastGames::default();
    let mut at = 0;
    while at < text.len() {
        let next = guess_start(text, at + 1, text.len()).unwrap_or(text.len());
        let is_accepted = |text: &[u8]| accepted(&mut FastGames::default(), text, 0, &checks).is_some();
        if accepted(&mut games, text, at, &checks).is_none() {
            println!("byte {at}: {}", reason(&text[at..next], is_accepted));
        }
        at = next;
    }
}

/// Up to where the fast path accepts a game: its tags, and then one word after the other, in a game
/// without a result.
fn reason(game: &[u8], mut is_accepted: impl FnMut(&[u8]) -> bool) -> String {
    let game = String::from_utf8_lossy(game);
    let (tags, movetext) = game.split_once("\n\n").unwrap_or((&game, ""));
    let is_result = |line: &&str| line.starts_with("[Result ");
    let tags: Vec<&str> = tags.lines().map(|line| if is_result(&line) { "[Result \"*\"]" } else { line }).collect();
    let mut begins = |movetext: &str| is_accepted(format!("{}\n\n{movetext} *\n", tags.join("\n")).as_bytes());
    if !begins("") {
        return "in its tags".to_owned();
    }
    let ends = movetext.match_indices(char::is_whitespace).map(|(end, _)| end);
    let is_whole = |end: &usize| movetext[..*end].matches('{').count() == movetext[..*end].matches('}').count();
    let last = ends.filter(is_whole).filter(|end| begins(&movetext[..*end])).last();
    match last.map(|end| movetext[end..].trim()) {
        Some("1-0" | "0-1" | "1/2-1/2" | "*") | None if begins(movetext.trim_end_matches(|byte: char| byte != ' ')) => {
            "at its end, or in its result".to_owned()
        }
        rest => format!("before `{}`", rest.unwrap_or(movetext).chars().take(60).collect::<String>().replace('\n', " ")),
    }
}

/// Plies of a whole audit in one thread.
fn plies(text: &[u8], times: usize, thorough: bool) -> u64 {
    let text: Arc<[u8]> = Arc::from(text);
    let settings = Settings { threads: 1, thorough, ..Settings::default() };
    again(times, || ours_with(Arc::clone(&text), Format::Pgn, settings.clone()).plies)
}

/// The lines of a text, without terminators.
fn lines(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut start = 0;
    memchr_iter(b'\n', text).map(move |end| Span::new(std::mem::replace(&mut start, end + 1), end))
}

/// Positions that are proven clean.
fn passed_over(text: &[u8]) -> u64 {
    lines(text).filter(|line| black_box(accept_line(text, line.start)).is_some()).count() as u64
}

/// Positions that are shown to all rules.
fn examined(text: &[u8]) -> u64 {
    let mut findings = Findings::new();
    lines(text).filter(|line| black_box(examine_line(text, *line, &mut findings)).is_some()).count() as u64
}

/// Findings in games, written as rows so many times.
fn written(text: &[u8], times: usize) -> u64 {
    let text = String::from_utf8_lossy(text);
    let findings: Vec<Finding> =
        common::audit_text(text.as_bytes(), Format::Pgn).findings.into_iter().map(|(_, finding)| finding).collect();
    let folder = tempfile::tempdir().expect("there is room for a report");
    again(times, || write(&findings, &folder.path().join("report")))
}

fn write(findings: &[Finding], place: &Path) -> u64 {
    let mut report = Report::create(place, RunSettings::default()).expect("a report can be begun");
    for finding in findings {
        report.finding("games.pgn", finding).expect("a row can be written");
    }
    report.complete(&RunSummary::default()).and_then(CompleteReport::finish).expect("the report can be finished");
    findings.len() as u64
}

/// Writes an input of a kind that a [`Stage`] reads.
fn make(kind: &str, bytes: usize) -> io::Result<()> {
    let part = made_of(kind, bytes.min(made::MOST));
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..bytes.div_ceil(part.len().max(1)) {
        out.write_all(part.as_bytes())?;
    }
    out.flush()
}

fn made_of(kind: &str, bytes: usize) -> String {
    match kind {
        "games" => made::games(bytes),
        "clocked" => made::clocked_games(bytes),
        "positions" => made::positions(bytes),
        "broken" => made::broken_games(bytes),
        _ => panic!("`{kind}` cannot be made"),
    }
}

fn main() {
    // `cargo bench` and `cargo test` give options of their own.
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["make", kind, bytes] => make(kind, bytes.parse().expect("this is a number")).expect("the input can be written"),
        ["why", file] => why(&fs::read(file).expect("the input can be read")),
        [name, file, times] => {
            let stage = STAGES.iter().find(|stage| stage.name == name).expect("there is such a stage");
            let text = fs::read(file).expect("the input can be read");
            println!("{}", (stage.run)(&text, times.parse().expect("this is a number")));
        }
        _ => {
            for Stage { name, unit, input, run } in STAGES {
                let text = made_of(input, 80_000);
                let units = run(text.as_bytes(), 1);
                assert!(units > 100 && units == run(text.as_bytes(), 2), "{name}: {units}");
                println!("{name}\t{unit}\t{input}");
            }
        }
    }
}
