//! Hostile input: time grows with size, whatever the shape, and nothing fails. The kernel bounds
//! the processor time: what grows with the square of the size takes many times as long.
#![cfg(unix)]

use std::{error::Error, fs, process::Command};

use crate::common::extent::part;

/// Far more than any shape needs, even without optimisation; one with quadratic time took minutes.
const SECONDS: &str = "60";

/// A game that goes on with `unit` until the text has so many bytes.
fn repeated(unit: &str, bytes: usize) -> String {
    format!("[Event \"x\"]\n\n1. e4 {}\n", unit.repeat(bytes / unit.len()))
}

fn audits(name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    audits_file(name, "games.pgn", text)
}

fn audits_file(name: &str, file: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(file), text)?;
    let output = Command::new("sh")
        .args(["-c", "ulimit -t \"$0\" && exec \"$@\"", SECONDS, env!("CARGO_BIN_EXE_chess-audit")])
        .args(["check", file, "--no-config", "--quiet", "--no-html", "--profile", "strict", "--threads", "1"])
        .args(["--fail-on", "never", "-o", "report"])
        .current_dir(folder.path())
        .output()?;
    assert!(output.status.success(), "{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    Ok(())
}

#[test]
fn one_line_of_many_tokens() -> Result<(), Box<dyn Error>> {
    for unit in [
        "Qz9 ",
        "<br>",
        "<a ",
        "[a] ",
        "/* ",
        "+- ",
        "draw ",
        "Jf3 ",
        "(e5) ",
        "1. ",
        "\u{2028}",
        "[Event \"y\"] 1. e4 ",
        "\u{2654}e4 ",
    ] {
        audits(unit, &repeated(unit, 500_000))?;
    }
    Ok(())
}

/// Movetext is read in a shorter way there.
#[test]
fn many_tokens_after_an_illegal_move() -> Result<(), Box<dyn Error>> {
    for unit in ["1. ", "aaaa{}", "e4 ", "e4 {c} ", "1.e4(d4) "] {
        audits(unit, &repeated(unit, 500_000).replacen("1. e4 ", "1. e4 e5 2. Ke4 ", 1))?;
    }
    Ok(())
}

/// Each game may look at its own part of the line only.
#[test]
fn many_games_on_one_line() -> Result<(), Box<dyn Error>> {
    audits("games", &repeated("[Event \"y\"] 1. e4 ", part(6_000_000)))
}

#[test]
fn a_game_that_goes_on_right_after_an_opening_brace() -> Result<(), Box<dyn Error>> {
    for text in ["e4e5{2.f3{}", "[Event \"x\"]\n\ne4e5{2.f3{}"] {
        audits(text, text)?;
    }
    Ok(())
}

/// A search for a mate takes milliseconds, and so does counting leaf nodes; reading an operation
/// takes far less.
#[test]
fn one_line_of_equal_operations() -> Result<(), Box<dyn Error>> {
    let position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    for unit in ["dm 3; ", "bm #3; ", "D3 97862; ", "D3 1; ", "bm e5g6; ", "pv e5g6 e7d6 g6h8; "] {
        audits_file(unit, "lines.epd", &format!("{position} {}\n", unit.repeat(12_000)))?;
    }
    let variation = format!("{position} pv {};\n", "e1d1 e8d8 d1e1 d8e8 ".repeat(5_000));
    audits_file("a variation", "lines.epd", &variation)
}
