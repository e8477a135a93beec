//! `chess-audit fen`.

use std::{
    fs,
    io::{self, BufRead, Cursor, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};
use chess_audit::{
    chess::role_name,
    record::{Explanation, explain_line},
    report::{
        ExplanationRecord,
        board::{Diagram, Look},
        svg,
    },
    rules::Declared,
};
use shakmaty::{Color, Square};

use super::{
    args::FenArguments,
    explanation,
    outcome::Outcome,
    text::{escaped, printable},
};

/// No position takes more bytes than this, with all its operations.
const MAX_LINE: u64 = 1 << 20;

/// Explains the positions that the arguments name.
pub fn run(arguments: &FenArguments) -> anyhow::Result<Outcome> {
    let given = arguments.words.join(" ");
    let from_stdin = given.trim() == "-";
    let form = Form::of(arguments, from_stdin)?;
    let mut stdout = anstream::stdout();
    let look = Look { ascii: arguments.ascii, colors: stdout.current_choice() != anstream::ColorChoice::Never };
    let mut lines: Box<dyn BufRead> = if from_stdin { Box::new(io::stdin().lock()) } else { Box::new(Cursor::new(given)) };

    let declared = Declared { chess960: arguments.chess960, ..Declared::default() };
    let mut outcome = Outcome::Clean;
    let (mut number, mut explained) = (0u64, 0u64);
    let mut line = Vec::new();
    while read_line(lines.as_mut(), &mut line).context("cannot read standard input")? {
        number += 1;
        if line.len() as u64 == MAX_LINE {
            bail!("line {number} is longer than {MAX_LINE} bytes: no position is");
        }
        let Some(explanation) = explain_line(without_terminator(&line), declared) else { continue };
        if explained > 0 && arguments.svg.is_some() {
            bail!("`--svg` draws one position, and line {number} holds another");
        }
        let diagram = diagram(&explanation, arguments.flip);
        match form {
            Form::Text => {
                if explained > 0 {
                    explanation::separate(&mut stdout)?;
                }
                explanation::print(&mut stdout, &explanation, diagram.as_ref(), look)?;
            }
            Form::Squares => {
                for square in &arguments.at {
                    writeln!(stdout, "{square}: {}", stands_on(&explanation, *square))?;
                }
            }
            Form::Json { in_one_line } => print_json(&mut stdout, &explanation, in_one_line)?,
            Form::Drawing => stdout.write_all(drawn(&explanation, diagram.as_ref())?.as_bytes())?,
        }
        if let Some(path) = arguments.svg.as_ref().filter(|_| form != Form::Drawing) {
            let drawn = drawn(&explanation, diagram.as_ref())?;
            fs::write(path, drawn).with_context(|| format!("cannot write `{}`", path.display()))?;
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

/// What goes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// All that people want to know.
    Text,
    /// What stands on some squares.
    Squares,
    /// All that machines want to know.
    Json { in_one_line: bool },
    /// The board as SVG.
    Drawing,
}

impl Form {
    fn of(arguments: &FenArguments, from_stdin: bool) -> anyhow::Result<Form> {
        let drawing = arguments.svg.as_deref() == Some(Path::new("-"));
        match (arguments.json, arguments.at.is_empty()) {
            (true, _) | (_, false) if drawing => bail!("`--svg -` takes standard output for itself: name a file"),
            (true, _) => Ok(Form::Json { in_one_line: from_stdin }),
            (false, false) => Ok(Form::Squares),
            (false, true) if drawing => Ok(Form::Drawing),
            (false, true) => Ok(Form::Text),
        }
    }
}

/// Reads a line with its terminator, or as much of it as a position can take; whether there was any.
fn read_line(lines: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    lines.take(MAX_LINE).read_until(b'\n', line).map(|length| length > 0)
}

fn without_terminator(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn diagram(explanation: &Explanation<'_>, flipped: bool) -> Option<Diagram> {
    let board = explanation.facts.board.clone()?;
    Some(Diagram { board, at_fault: explanation.squares_at_fault(), checks: explanation.checks(), flipped })
}

fn drawn(explanation: &Explanation<'_>, diagram: Option<&Diagram>) -> anyhow::Result<String> {
    let diagram = diagram.context("no board can be drawn, because the piece placement cannot be read")?;
    let facts = &explanation.facts;
    Ok(svg(diagram, &printable(&escaped(facts.fen.position().of(facts.text)))))
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
