//! `chess-audit fen`.

use std::io::{self, BufRead, Cursor, Read, Write};

use crate::{
    chess::{retro::Effort, role_name},
    format::{write_json, write_json_pretty},
    record::{Certificate, Consulted, Explanation, explain_line_with},
    report::{
        ExplanationRecord, OwnFile,
        board::{BoardView, Look},
        svg,
    },
    text::guarded,
};
use anyhow::{Context, bail};
use shakmaty::{Color, Square};

use super::{
    args::FenArguments,
    explanation, files,
    oracles::GivenOracles,
    outcome::Outcome,
    printer::is_stdout,
    stderr::print_error,
    text::{escaped, printable, write_file},
};

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Explains a position, or each position of standard input.
pub fn run(arguments: &FenArguments) -> anyhow::Result<Outcome> {
    let given = arguments.words.join(" ");
    let from_stdin = given.trim() == "-";
    let output = Output::of(arguments, from_stdin)?;
    files::check_fen(arguments, from_stdin)?;
    if let Some(path) = arguments.svg.as_ref().filter(|_| output != Output::Svg && !arguments.force) {
        OwnFile::Board.check(path)?;
    }
    let mut stdout = anstream::stdout();
    let look = Look { ascii: arguments.ascii, colors: stdout.current_choice() != anstream::ColorChoice::Never };
    let GivenOracles { oracles, .. } =
        GivenOracles::new(&arguments.syzygy, arguments.engine.as_deref(), &arguments.engine_settings, 1)?;
    let mut lines: Box<dyn BufRead> = if from_stdin { Box::new(io::stdin().lock()) } else { Box::new(Cursor::new(given)) };

    let effort = Effort::of(arguments.deep);
    let mut outcome = Outcome::Success;
    let (mut number, mut explained) = (0u64, 0u64);
    let mut line = Vec::new();
    while read_line(lines.as_mut(), &mut line).context("cannot read standard input")? {
        number += 1;
        if line.len() as u64 == MAX_LINE {
            bail!("line {number} is too long for a position (more than {MAX_LINE} bytes)");
        }
        let explain = || explain_line_with(without_terminator(&line), arguments.variant, effort);
        let explanation = match guarded("this position", explain) {
            Ok(Some(explanation)) => explanation,
            Ok(None) => continue,
            Err(failure) => {
                print_error(&format!("line {number}: {failure}"));
                outcome = Outcome::Failed;
                explained += 1;
                continue;
            }
        };
        if explained > 0 && arguments.svg.is_some() {
            bail!("`--svg` can draw only one position, but line {number} contains another one");
        }
        let view = explanation.diagram().map(|diagram| BoardView { diagram, flipped: arguments.flip });
        // Nothing else shows what they say.
        let shows_oracles = matches!(output, Output::Text | Output::Json { .. });
        let consulted = if shows_oracles { Consulted::about(&explanation, &oracles) } else { Consulted::default() };
        let certificate = arguments.certify.filter(|_| shows_oracles).and_then(|nodes| certify(&line, nodes));
        match output {
            Output::Text => {
                if explained > 0 {
                    explanation::print_separator(&mut stdout)?;
                }
                explanation::print(&mut stdout, &explanation, &consulted, certificate.as_ref(), view.as_ref(), look)?;
            }
            Output::Squares => {
                for square in &arguments.at {
                    writeln!(stdout, "{square}: {}", describe_square(&explanation, *square))?;
                }
            }
            Output::Json { is_compact } => {
                print_json(&mut stdout, &ExplanationRecord::new(&explanation, &consulted, certificate.as_ref()), is_compact)?
            }
            Output::Svg => stdout.write_all(draw_svg(&explanation, view.as_ref())?.as_bytes())?,
        }
        if let Some(path) = arguments.svg.as_ref().filter(|_| output != Output::Svg) {
            let svg = draw_svg(&explanation, view.as_ref())?;
            write_file(path, svg.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        let has_findings = arguments.fail_on.0.is_some_and(|severity| explanation.at_least(severity) > 0);
        if has_findings && outcome == Outcome::Success {
            outcome = Outcome::Findings;
        }
        for failure in consulted.failures() {
            print_error(&failure);
            outcome = Outcome::Failed;
        }
        if let Some(error) = certificate.as_ref().and_then(Certificate::internal_error) {
            print_error(&error);
            outcome = Outcome::Failed;
        }
        explained += 1;
    }
    stdout.flush()?;
    if explained == 0 {
        bail!(if from_stdin { "standard input does not contain a position" } else { "no position given" });
    }
    Ok(outcome)
}

/// The certificate of the position in a line, as `check` makes it with as many nodes.
fn certify(line: &[u8], nodes: u64) -> Option<Certificate> {
    let mut left = nodes;
    Certificate::of_line(without_terminator(line), &mut |spent| {
        left = left.saturating_sub(spent);
        left > 0
    })
}

/// What goes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// The explanation as text.
    Text,
    /// The pieces on some squares.
    Squares,
    /// The explanation as JSON.
    Json { is_compact: bool },
    /// The board as SVG.
    Svg,
}

impl Output {
    fn of(arguments: &FenArguments, from_stdin: bool) -> anyhow::Result<Output> {
        let svg_to_stdout = arguments.svg.as_deref().is_some_and(is_stdout);
        match (arguments.json, arguments.at.is_empty()) {
            (true, _) | (_, false) if svg_to_stdout => {
                bail!("`--svg -` cannot be used with `--json` or `--at`: give a file for the SVG")
            }
            (true, _) => Ok(Output::Json { is_compact: from_stdin }),
            (false, false) => Ok(Output::Squares),
            (false, true) if svg_to_stdout => Ok(Output::Svg),
            (false, true) => Ok(Output::Text),
        }
    }
}

/// Reads a line with its terminator, up to the maximum length. Returns whether there was one.
fn read_line(lines: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    lines.take(MAX_LINE).read_until(b'\n', line).map(|length| length > 0)
}

fn without_terminator(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn draw_svg(explanation: &Explanation<'_>, view: Option<&BoardView>) -> anyhow::Result<String> {
    let view = view.context("cannot draw the board: the piece placement is invalid")?;
    let facts = &explanation.facts;
    Ok(svg(view, &printable(&escaped(facts.fen.position().of(facts.text)))))
}

/// Prints one line of JSON, or pretty-printed JSON.
fn print_json(to: &mut dyn Write, record: &ExplanationRecord, is_compact: bool) -> io::Result<()> {
    if is_compact {
        write_json(&mut *to, record)?;
    } else {
        write_json_pretty(&mut *to, record)?;
    }
    writeln!(to)
}

/// The content of a square: `a white pawn`, `empty`.
fn describe_square(explanation: &Explanation<'_>, square: Square) -> String {
    let Some(board) = &explanation.facts.board else { return "unknown, because the piece placement is invalid".to_owned() };
    match board.piece_at(square) {
        None => "empty".to_owned(),
        Some(piece) => {
            format!("a {} {}", if piece.color == Color::White { "white" } else { "black" }, role_name(piece.role))
        }
    }
}
