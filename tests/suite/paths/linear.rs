//! The time for a record grows in proportion to its length, whatever is in it. Otherwise a small
//! archive could keep the program busy for hours.
//!
//! Shapes are a few characters and strings that mean something, repeated to megabytes. Where the
//! kernel counts instructions, they are compared; otherwise the user time, which other work on the
//! machine hardly changes.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::common::extent::{part, tries_all};
use crate::common::not_run::not_run;
use crate::common::{
    Numbers,
    games::{games, unlike_name},
};

/// What shapes are made of.
const PARTS: [&[u8]; 52] = [
    b"[",
    b"]",
    b"\"",
    b"{",
    b"}",
    b"(",
    b")",
    b";",
    b"%",
    b"$",
    b"*",
    b"1.",
    b"1-0",
    b"e4",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b" ",
    b"\t",
    b"\\",
    b"<",
    b">",
    b"\xEF\xBB\xBF",
    b"[Event \"",
    b"\"]",
    b"[Event \"x\"]\n",
    b"x",
    b"/*",
    b"&",
    b"[%clk ",
    b"0",
    b"-",
    b"/",
    b"...",
    b"!",
    b"\xC2",
    b"\xC2\xA0",
    b"\0",
    b"+",
    b"=",
    b"K",
    b"O-O",
    b"#",
    b",",
    b"[FEN \"",
    b"'",
    b"\xFF",
    b"\x1A",
    b"1/2-1/2",
    b"8/",
    b"id \"",
];

/// What comes before a shape, and the name of the file.
const PLACES: [(&str, &str); 6] = [
    ("", "x.pgn"),
    ("[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 ", "x.pgn"),
    ("[Event \"x\"]\n\n1. e4 {", "x.pgn"),
    ("[Event \"x\"]\n\n1. e5 (", "x.pgn"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ", "x.epd"),
    ("fen,moves\n", "x.csv"),
];

/// A place and the text that is repeated there.
type Shape = (usize, Vec<u8>);

/// Shapes that took quadratic time before.
fn known() -> Vec<Shape> {
    let shapes: [(usize, &[u8]); 19] = [
        (0, b"["),
        (0, b"\n\n[x\n"),
        (0, b"[Event \"x\n"),
        (0, b"\xEF\xBB\xBF["),
        (0, b"+"),
        (0, b"#"),
        (1, b"0\x1A"),
        (1, b"]"),
        (1, b"{{}"),
        (1, b"(x)"),
        (1, b"\r\n[Event \""),
        (3, b"!0"),
        (3, b"(e5)"),
        (3, b"e4 * "),
        (3, b"[Event \"x\"]\n;"),
        (3, b"[Event \" w /*"),
        (0, b"1. e4 * e4 \n\n"),
        (5, b"'\r"),
        (5, b"\"\"\"\n"),
    ];
    shapes.map(|(place, shape)| (place, shape.to_vec())).to_vec()
}

/// So many pairs and triples of parts, always the same ones.
fn made(count: usize) -> Vec<Shape> {
    let mut numbers = Numbers::new(5);
    let mut shape = || {
        let parts = 2 + numbers.below(2);
        let repeated = (0..parts).flat_map(|_| PARTS[numbers.below(PARTS.len())]).copied().collect();
        (numbers.below(PLACES.len()), repeated)
    };
    (0..count).map(|_| shape()).collect()
}

/// How work is measured.
#[derive(Clone, Copy, Debug)]
enum Measure {
    Instructions,
    UserTime,
}

impl Measure {
    /// What this machine offers.
    fn here() -> Option<Measure> {
        [Measure::Instructions, Measure::UserTime].into_iter().find(|measure| measure.of(Path::new("true"), &[]).is_some())
    }

    /// The work of a program: instructions, or seconds.
    fn of(self, program: &Path, arguments: &[&Path]) -> Option<f64> {
        let (measuring, options): (&str, &[&str]) = match self {
            Measure::Instructions => ("perf", &["stat", "-x", ",", "-e", "instructions:u", "--"]),
            // The output of the program must not come between.
            Measure::UserTime => ("bash", &["-c", "TIMEFORMAT=%U; time \"$0\" \"$@\" > /dev/null 2>&1"]),
        };
        let output =
            Command::new(measuring).args(options).arg(program).args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output();
        let said = String::from_utf8(output.ok()?.stderr).ok()?;
        said.lines().last()?.split(',').next()?.trim().parse().ok()
    }

    /// So much work can be compared: less is mostly that of starting the program.
    fn is_enough(self, work: f64) -> bool {
        work >= match self {
            Measure::Instructions => 1e9,
            Measure::UserTime => 0.3,
        }
    }
}

/// The program: the one under test, or another build of it.
fn program() -> PathBuf {
    std::env::var_os("CHESS_AUDIT_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_chess-audit").into(), PathBuf::from)
}

/// The work for `bytes` bytes of a shape. `profile` is that of the audit.
fn work(measure: Measure, (place, repeated): &Shape, profile: &str, bytes: usize, home: &Path) -> Result<f64, Box<dyn Error>> {
    let (before, name) = PLACES[*place];
    let text = [before.as_bytes(), &repeated.repeat(bytes / repeated.len())].concat();
    work_for(measure, (name, &text), &["--profile", profile], home)
}

/// The work for a text in a file with this name.
fn work_for(measure: Measure, (name, text): (&str, &[u8]), options: &[&str], home: &Path) -> Result<f64, Box<dyn Error>> {
    let (input, report) = (home.join(name), home.join("report"));
    fs::write(&input, text)?;
    let always = ["check", "--no-config", "--threads", "1", "-o"].map(Path::new);
    let options: Vec<&Path> = options.iter().map(Path::new).collect();
    let arguments = [&always[..], &[report.as_path(), input.as_path()], &options].concat();
    Ok(measure.of(&program(), &arguments).ok_or("the work is not known")?)
}

/// How many times more work twice as much is. Starts at `bytes`, and goes on up to `most` until
/// there is enough to compare. Where a limit of the program is passed, such as that of the findings
/// in a page, the work grows once by a step, and other work on the machine can add to it: what
/// seems to grow too much is measured again, then doubled up to twice more, and the least growth
/// counts.
fn growth(
    measure: Measure,
    work: impl Fn(usize, &Path) -> Result<f64, Box<dyn Error>>,
    (bytes, most): (usize, usize),
) -> Result<f64, Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let mut bytes = bytes;
    let mut half = work(bytes, home.path())?;
    let mut growths: Vec<f64> = Vec::new();
    while growths.len() < 3 && (bytes < most || !growths.is_empty()) {
        bytes *= 2;
        let mut whole = work(bytes, home.path())?;
        if measure.is_enough(whole) {
            for _ in 0..3 {
                if whole > MAX_GROWTH * half {
                    whole = whole.min(work(bytes, home.path())?);
                }
            }
            growths.push(whole / half);
            if whole <= MAX_GROWTH * half {
                break;
            }
        }
        half = whole;
    }
    Ok(growths.into_iter().reduce(f64::min).unwrap_or(0.0))
}

/// Twice as much text may be so many times more work. Work that grows with the square is four times
/// as much.
const MAX_GROWTH: f64 = 2.8;

/// Checks that the work for all shapes grows in proportion to their length.
fn check(shapes: &[Shape], sizes: (usize, usize)) -> Result<(), Box<dyn Error>> {
    let Some(measure) = Measure::here() else {
        not_run("neither perf nor bash can measure the work here");
        return Ok(());
    };
    let mut grown = Vec::new();
    for (shape, profile) in shapes.iter().zip(["standard", "strict"].into_iter().cycle()) {
        let growth = growth(measure, |bytes, home| work(measure, shape, profile, bytes, home), sizes)?;
        grown.push((growth, format!("{growth:.2}: `{}` in place {}, {profile}", shape.1.escape_ascii(), shape.0)));
    }
    grown.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("{measure:?}, largest growth {}", grown[0].1);
    let wrong: Vec<&str> = grown.iter().filter(|(growth, _)| *growth > MAX_GROWTH).map(|(_, said)| said.as_str()).collect();
    assert!(wrong.is_empty(), "{} of {} shapes:\n{}", wrong.len(), shapes.len(), wrong.join("\n"));
    Ok(())
}

#[test]
fn time_grows_with_the_length_of_a_record() -> Result<(), Box<dyn Error>> {
    let longest = if tries_all() { 1 << 23 } else { 1 << 21 };
    check(&[known(), made(part(41))].concat(), (1 << 16, longest))
}

#[test]
#[ignore = "takes minutes; `CHESS_AUDIT_PROGRAM` can name a faster build"]
fn time_grows_with_the_length_of_a_record_of_eight_megabytes() -> Result<(), Box<dyn Error>> {
    check(&[known(), made(41)].concat(), (1 << 22, 1 << 23))
}

/// A game of which only the header is different, and which has so many plies.
fn game(white: &str, black: &str, number: usize, moves: &str) -> String {
    let day = number % 28 + 1;
    format!(
        "[Date \"1974.05.{day:02}\"]\n[Round \"{number}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \
         \"1-0\"]\n\n{moves} 1-0\n\n"
    )
}

/// The time to find copies grows with the number of games, however alike they are.
#[test]
fn time_grows_with_the_number_of_games_that_are_alike() -> Result<(), Box<dyn Error>> {
    let Some(measure) = Measure::here() else {
        not_run("neither perf nor bash can measure the work here");
        return Ok(());
    };
    let long: Vec<String> =
        games(200).iter().filter(|game| game.fen.is_none() && game.sans.len() >= 60).map(|game| game.sans.join(" ")).collect();
    let (long, first) = (&long, &long[0]);
    let shapes: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("unlike players", &|at| game(&unlike_name(2 * at), &unlike_name(2 * at + 1), at, first)),
        ("one player", &|at| game("Tal, M", &unlike_name(at), at, first)),
        ("engines", &|at| game("Fritz 5", "Hiarcs 6", at, first)),
        ("copies of one game", &|_| game("Tal, M", "Keres, P", 1, first)),
        ("one pairing", &|at| game("Tal, M", "Keres, P", at, &long[at % long.len()])),
    ];
    for (name, game) in shapes {
        let work = |games: usize, home: &Path| {
            let text: String = (0..games).map(game).collect();
            let options = ["--duplicates", "--profile", "strict", "--select", "DUP"];
            work_for(measure, ("x.pgn", text.as_bytes()), &options, home)
        };
        let growth = growth(measure, work, (1 << 10, 1 << 14))?;
        assert!(growth <= MAX_GROWTH, "{name}: {growth:.2}");
    }
    Ok(())
}
