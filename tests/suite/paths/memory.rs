//! Private memory is bounded, whatever is read: 64 MiB, and 16 MiB for each thread. The kernel
//! holds the program to it, which counts what is reserved for data and stacks, touched or not;
//! files that are mapped do not count. Games and positions without findings need much less. All
//! other inputs are four times as large as the bound in `.ci/long`, and smaller at each change.
#![cfg(target_os = "linux")]

use std::{
    error::Error,
    fs,
    io::Write,
    path::Path,
    process::{Command, Output},
};

use bzip2::{Compression, write::BzEncoder};

use crate::common::{
    extent::{part, tries_all},
    games::{Game, fen, game, games, unlike_name},
    packs::{bzip2, xz_with_dictionary, zstandard_with_window},
};

/// Many times what is in flight at once, so that what is kept of every game or position would not
/// fit.
const INPUT: usize = 24_000_000;

/// How much is read with the bound of one thread. In `.ci/long`, a program that keeps what it reads
/// fails, even if it keeps only a third.
fn long_input() -> usize {
    if tries_all() { 4 * (bound(1) << 10) } else { INPUT }
}

/// What may be private, in KiB.
const fn bound(threads: usize) -> usize {
    (64 + 16 * threads) << 10
}

/// Writes a file of this number of bytes that `write` makes of games.
fn fill(path: &Path, bytes: usize, write: impl Fn(&Game) -> String) -> Result<(), Box<dyn Error>> {
    let mut part = String::new();
    for number in 0.. {
        if part.len() >= bytes / 12 {
            break;
        }
        part.push_str(&write(&game(number)));
    }
    Ok(fs::write(path, part.repeat(bytes.div_ceil(part.len())))?)
}

/// Audits `input` with so much private memory, in KiB.
fn audit_within(kibibytes: usize, threads: usize, input: &Path, option: Option<&str>) -> Result<Output, Box<dyn Error>> {
    let report = tempfile::tempdir()?;
    let output = Command::new("sh")
        .args(["-c", "ulimit -d \"$0\" && exec \"$@\"", &kibibytes.to_string(), env!("CARGO_BIN_EXE_chess-audit")])
        .args(["check", "--no-config", "--quiet", "--fail-on", "never", "--threads", &threads.to_string(), "-o"])
        .arg(report.path().join("report"))
        .arg(input)
        .args(option)
        .output()?;
    Ok(output)
}

fn holds_the_bound(write: impl Fn(&Game) -> String) -> Result<(), Box<dyn Error>> {
    for (threads, bytes) in [(1, long_input()), (8, INPUT)].into_iter().take(part(2)) {
        holds(bound(threads), threads, bytes, &write)?;
    }
    Ok(())
}

/// Audits a file of this number of bytes with so much private memory, in KiB.
fn holds(kibibytes: usize, threads: usize, bytes: usize, write: impl Fn(&Game) -> String) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input.pgn");
    fill(&input, bytes, write)?;
    let output = audit_within(kibibytes, threads, &input, None)?;
    assert!(output.status.success(), "{threads} threads: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    Ok(())
}

#[test]
fn a_quarter_of_what_is_read_is_enough_for_clean_games() -> Result<(), Box<dyn Error>> {
    holds(INPUT / 4 / 1024, 1, INPUT, Game::plain)?;
    holds(bound(8), 8, INPUT, Game::plain)
}

#[test]
fn a_quarter_of_what_is_read_is_enough_for_clean_positions() -> Result<(), Box<dyn Error>> {
    // Positions of Chess960 would have findings.
    let positions = |game: &Game| game.positions().step_by(5).map(|position| fen(&position) + "\n").collect();
    let write = |game: &Game| if game.fen.is_some() { String::new() } else { positions(game) };
    holds(INPUT / 2 / 1024, 1, 2 * INPUT, write)?;
    holds(bound(8), 8, INPUT, write)
}

#[test]
fn games_that_break_ten_rules_each() -> Result<(), Box<dyn Error>> {
    holds_the_bound(Game::broken)
}

#[test]
fn games_without_blank_lines() -> Result<(), Box<dyn Error>> {
    holds_the_bound(|game| game.broken().replace("\n\n", "\n"))
}

#[test]
fn a_finding_every_few_bytes() -> Result<(), Box<dyn Error>> {
    // What is found is many times as long, and hundreds of thousands of findings take time.
    for threads in [1, 8].into_iter().take(part(2)) {
        holds(bound(threads), threads, INPUT / 10, |_| "8/8/8/8/8/8/8/8 w\n".repeat(1000))?;
        holds(bound(threads), threads, INPUT / 10, |game| format!("[A{} b]\n1. e5 *\n", game.number))?;
    }
    Ok(())
}

#[test]
fn one_record_of_one_kind_of_token() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input.pgn");
    for unit in ["x", "\u{2028}", "[A \"b\"]\n", "Nf3 Nf6 Ng1 Ng8 ", "{[%emt 0:00:01]} "] {
        fs::write(&input, format!("[Event \"x\"]\n{}", unit.repeat(long_input() / unit.len())))?;
        let output = audit_within(bound(1), 1, &input, None)?;
        // Some of them are too large to be checked.
        assert!(matches!(output.status.code(), Some(0 | 2)), "{unit}: {}", output.status);
        assert!(!String::from_utf8_lossy(&output.stderr).contains("memory"), "{unit}");
    }
    Ok(())
}

/// The largest windows that are read, and blocks that are held until their checksum is known.
#[test]
fn packed_games() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let text = folder.path().join("input.pgn");
    fill(&text, if tries_all() { long_input() } else { INPUT / 2 }, Game::plain)?;
    let text = fs::read(text)?;
    // A block of bzip2 can be fifty times as long as others.
    let mut long_block = BzEncoder::new(Vec::new(), Compression::best());
    long_block.write_all(&[&text[..1000], &vec![b'\n'; 50 << 20], &text].concat())?;
    let packed = [
        ("window", zstandard_with_window(&text, 26)?),
        ("dictionary", xz_with_dictionary(&text, 28)),
        ("blocks", bzip2(&text)),
        ("long block", long_block.finish()?),
    ];
    for (name, packed) in packed {
        let input = folder.path().join("input");
        fs::write(&input, packed)?;
        for no_mmap in [None, Some("--no-mmap")] {
            let output = audit_within(bound(1), 1, &input, no_mmap)?;
            assert!(output.status.success(), "{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        }
    }
    Ok(())
}

/// What is kept of each game to find copies is on disk, also if all games are alike in some way, or
/// there are twelve copies of each.
#[test]
fn copies_are_looked_for() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input.pgn");
    let games: Vec<Game> = games(400).into_iter().filter(|game| game.fen.is_none()).collect();
    let fill_with = |header: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for (number, game) in games.iter().cycle().enumerate() {
            if text.len() >= long_input() {
                break;
            }
            text.push_str(&header(number));
            text.push_str(&format!("[Result \"*\"]\n\n{} *\n\n", game.sans.join(" ")));
        }
        fs::write(&input, text)
    };
    let players = |white: &str, black: &str| format!("[White \"{white}\"]\n[Black \"{black}\"]\n");
    let pairing = |number: usize| players("Tal, Mihail", "Keres, Paul") + &format!("[Round \"{number}\"]\n");
    let headers: [&dyn Fn(usize) -> String; 3] =
        [&|number| players(&unlike_name(2 * number), &unlike_name(2 * number + 1)), &pairing, &|number| {
            players(&unlike_name(number % 4000), "Keres, Paul")
        }];
    for header in headers {
        fill_with(header)?;
        let output = audit_within(bound(1), 1, &input, Some("--duplicates"))?;
        assert!(output.status.success(), "{}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// The limit is one: with little memory the same audit fails.
#[test]
fn the_kernel_holds_the_program_to_the_bound() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input.pgn");
    fs::write(&input, game(0).plain())?;
    assert!(audit_within(bound(1), 1, &input, None)?.status.success());
    assert!(!audit_within(1 << 10, 1, &input, None)?.status.success());
    Ok(())
}

/// Shards keep what they find in temporary files and in their parts, and whoever merges reads the
/// parts line by line.
#[test]
fn shards_that_find_much_and_their_parts() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fill(&folder.path().join("input.pgn"), long_input(), Game::broken)?;
    let run = |threads: usize, arguments: &str| {
        let command = format!("ulimit -d {} && exec {} {arguments}", bound(threads), env!("CARGO_BIN_EXE_chess-audit"));
        Command::new("sh").args(["-c", &command]).current_dir(&folder).output()
    };
    let done = |output: Output| {
        assert!(output.status.success(), "{}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    };
    done(run(1, "shards plan --no-config input.pgn --target-size 16M -o plan")?);
    for threads in [1, 2] {
        let options = "--no-config --quiet --fail-on never";
        done(run(threads, &format!("check {options} --plan plan --shard {threads} -o parts --threads {threads}"))?);
    }
    done(run(2, "shards merge --no-config --quiet --fail-on never plan parts -o report --threads 2")?);
    Ok(())
}
