//! A line with a position: the fast readers of lines against each other, and legality against
//! shakmaty.

use crate::common::lines::examine_line;
use chess_audit::internals::{
    record::{AcceptedLine, accept_lines, accept_lines_portable, examine_position},
    rules::{Declared, Findings, Origin, Severity, Span},
};

use crate::legality;

/// Reads any bytes as lines of positions.
pub fn run(text: &[u8]) {
    // Both readers of lines, from every line on: with more text after it, the fastest one reads it.
    for start in [0].into_iter().chain((0..text.len()).filter(|at| text[*at] == b'\n').map(|at| at + 1)) {
        let (mut fast, mut portable) = (Vec::new(), Vec::new());
        let all = |lines: &mut Vec<AcceptedLine>, line| {
            lines.push(line);
            true
        };
        accept_lines(text, start, |line| all(&mut fast, line));
        accept_lines_portable(text, start, |line| all(&mut portable, line));
        assert_eq!(fast, portable, "from {start}");
    }
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')).take(6) {
        // A line is text for both, and as short as positions are.
        let Ok(line) = std::str::from_utf8(line) else { continue };
        if line.len() > 300 {
            continue;
        }
        // The thorough path reads more than one space; what shakmaty says is then about another
        // text.
        if line.split(' ').all(|field| !field.is_empty()) && is_plain(line) {
            let tally = legality::held_against_shakmaty(line);
            assert!(tally.missed.is_empty() || is_reported(line), "{:?}", tally.missed);
        }
    }
}

/// Whether something is wrong with the position, as a line and as the FEN tag of a game of
/// Chess960. What can be read in spite of a fault, such as text before the position, is a warning.
fn is_reported(line: &str) -> bool {
    let place = Span::new(0, line.len());
    let (mut of_line, mut of_tag) = (Findings::new(), Findings::new());
    examine_line(line.as_bytes(), place, &mut of_line);
    let declared = Declared { chess960: true, ..Declared::default() };
    examine_position(line.as_bytes(), place, Origin::FenTag, declared, &mut of_tag);
    [of_line, of_tag].iter_mut().all(|findings| findings.all().iter().any(|finding| finding.severity > Severity::Info))
}

/// Whether a line is a position and nothing else: not a comment, a word of perft files or a
/// position with operations.
fn is_plain(line: &str) -> bool {
    let fifth = line.split(' ').nth(4).unwrap_or_default();
    line.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && !line.starts_with(['#', '%'])
        // An operation, even an empty one.
        && !line.contains(';')
        && !fifth.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && !["id", "perft", "epd"].contains(&line.split(' ').next().unwrap_or_default())
}
