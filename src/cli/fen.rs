//! `chess-audit fen`.

use std::{
    fs,
    io::{self, BufRead, Cursor, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};
use chess_audit::{
    pipeline::{Explanation, explain_line},
    report::{
        ExplanationRecord,
        board::{Diagram, Look},
        svg,
    },
    rules::{Declared, facts::role_name},
};
use shakmaty::{Color, Square};

use super::{args::FenArguments, explanation, outcome::Outcome, text::printable};

/// No position takes more bytes than this, with all its operations.
const LONGEST_LINE: u64 = 1 << 20;

/// Explains the positions that the arguments name.
pub fn run(arguments: &FenArguments) -> anyhow::Result<Outcome> {
    let given = arguments.words.join(" ");
    let draw_only = arguments.svg.as_deref() == Some(Path::new("-"));
    if draw_only && (arguments.json || !arguments.at.is_empty()) {
        bail!("`--svg -` takes standard output for itself: name a file");
    }
    let mut stdout = anstream::stdout();
    let colors = stdout.current_choice() != anstream::ColorChoice::Never;
    let from_stdin = given.trim() == "-";
    let mut lines: Box<dyn BufRead> = if from_stdin { Box::new(io::stdin().lock()) } else { Box::new(Cursor::new(given)) };

    let declared = Declared { chess960: arguments.chess960, ..Declared::default() };
    let mut outcome = Outcome::Clean;
    let (mut number, mut explained) = (0u64, 0u64);
    let mut line = Vec::new();
    loop {
        line.clear();
        lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).context("cannot read standard input")?;
        if line.is_empty() {
            break;
        }
        number += 1;
        if line.len() as u64 == LONGEST_LINE {
            bail!("line {number} is longer than {LONGEST_LINE} bytes: no position is");
        }
        let Some(explanation) = explain_line(line.trim_ascii_end(), declared) else { continue };
        if explained > 0 && arguments.svg.is_some() {
            bail!("`--svg` draws one position, and line {number} holds another");
        }
        let diagram = diagram(&explanation, arguments.flip);
        if arguments.json {
            print_json(&mut stdout, &explanation, from_stdin)?;
        } else if !arguments.at.is_empty() {
            for square in &arguments.at {
                writeln!(stdout, "{square}: {}", stands_on(&explanation, *square))?;
            }
        } else if !draw_only {
            let look = Look { ascii: arguments.ascii, colors };
            if explained > 0 {
                explanation::separate(&mut stdout)?;
            }
            explanation::print(&mut stdout, &explanation, diagram.as_ref(), look)?;
        }
        if let Some(path) = &arguments.svg {
            let diagram = diagram.context("no board can be drawn, because the piece placement cannot be read")?;
            let title = printable(&String::from_utf8_lossy(explanation.facts.fen.position().of(explanation.facts.text)));
            let drawn = svg(&diagram, &title);
            if draw_only {
                stdout.write_all(drawn.as_bytes())?;
            } else {
                fs::write(path, drawn).with_context(|| format!("cannot write `{}`", path.display()))?;
            }
        }
        if arguments.fail_on.0.is_some_and(|severity| explanation.at_least(severity) > 0) {
            outcome = Outcome::Found;
        }
        explained += 1;
    }
    stdout.flush()?;
    if explained == 0 {
        bail!("nothing to explain: {}", if from_stdin { "standard input holds no position" } else { "no position was given" });
    }
    Ok(outcome)
}

fn diagram(explanation: &Explanation<'_>, flipped: bool) -> Option<Diagram> {
    let board = explanation.facts.board.clone()?;
    Some(Diagram { board, at_fault: explanation.squares_at_fault(), checks: explanation.checks(), flipped })
}

/// Lines of standard input become lines; a position of its own is set out for people to read.
fn print_json(to: &mut dyn Write, explanation: &Explanation<'_>, in_one_line: bool) -> io::Result<()> {
    let record = ExplanationRecord::from(explanation);
    if in_one_line {
        serde_json::to_writer(&mut *to, &record)?;
    } else {
        serde_json::to_writer_pretty(&mut *to, &record)?;
    }
    writeln!(to)
}

/// What stands on a square: `a white pawn`, `empty`.
fn stands_on(explanation: &Explanation<'_>, square: Square) -> String {
    let Some(board) = &explanation.facts.board else { return "unknown, because the piece placement cannot be read".to_owned() };
    match board.piece_at(square) {
        None => "empty".to_owned(),
        Some(man) => format!("a {} {}", if man.color == Color::White { "white" } else { "black" }, role_name(man.role)),
    }
}
