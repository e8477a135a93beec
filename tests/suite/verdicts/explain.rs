//! One position explained says the same as an audit of an input that holds nothing but that
//! position.

use crate::common::{audit_text, fixture};
use chess_audit::internals::{
    record::explain_line,
    rules::{Code, Finding, RULES, Sample, Severity, Span},
    text::Format,
};

/// What `fen` and `check` must agree on.
fn compared<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<(Code, Severity, Span, u64, &'a str, &'a str, &'a str)> {
    let mut all: Vec<_> = findings
        .map(|f| (f.rule.code, f.severity, f.place, f.column, f.message.as_str(), f.found.as_str(), f.expected.as_str()))
        .collect();
    all.sort();
    all
}

/// Whether the line contains a position at all. A piece placement alone is a position here and none
/// in a file.
fn hold_against_audit(line: &[u8]) -> bool {
    let explanation = explain_line(line, None);
    let Some(explanation) = explanation.filter(|explanation| explanation.facts.fen.count() > 1) else { return false };
    let audited = audit_text(line, Format::Epd);
    let audited = audited.findings.iter().map(|(_, finding)| finding);
    assert_eq!(compared(explanation.findings.iter()), compared(audited), "{}", String::from_utf8_lossy(line));
    true
}

#[test]
fn samples_are_explained_as_they_are_audited() {
    let mut positions = 0;
    for sample in RULES.iter().flat_map(|rule| rule.fires.iter().chain(rule.silent)) {
        if let Sample::Positions(_) = sample {
            let (bytes, _) = sample.input();
            positions += bytes.split(|byte| *byte == b'\n').filter(|line| hold_against_audit(line)).count();
        }
    }
    assert!(positions > 100, "{positions}");
}

#[test]
fn positions_of_a_file_are_explained_as_they_are_audited() -> std::io::Result<()> {
    let file = std::fs::read(fixture("showcase.epd"))?;
    assert!(file.split(|byte| *byte == b'\n').filter(|line| hold_against_audit(line)).count() > 10);
    Ok(())
}

/// What is wrong can be seen on the board, wherever a rule speaks of certain pieces or squares.
#[test]
fn findings_are_marked_on_the_board() {
    for (line, at_fault, checks) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", ""),
        ("8/2K5/8/8/2K5/4NB2/8/k7 w - - 0 1", "c4 c7", ""),
        ("8/8/8/8/8/8/5kK1/8 w - - 0 1", "f2 g2", ""),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2 e8", "e2 e8"),
        ("4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1", "e1 e2 e7 e8", "e1 e2 e7 e8"),
        ("4k2P/8/8/8/8/8/8/p3K3 w - - 0 1", "a1 h8", ""),
        ("8/8/1k3r2/8/8/6n1/8/5Kq1 w - - 0 1", "f1 f6 g1 g3", "f1 f6 g1 g3"),
        ("8/8/4k3/8/3N1N2/8/8/4K3 b - - 0 1", "d4 e6 f4", "d4 e6 f4"),
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "e2", ""),
        ("rn2k3/8/8/8/8/8/8/4K2R w Kk - 0 1", "e8 h8", ""),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "a1 e1", ""),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", "e3", ""),
        ("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", "e3 e4", ""),
        ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "e2 e3 e4", ""),
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30", "d5 d6 d7 h3", "f2 h3"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 1 30", "e3", ""),
        ("4k3/8/8/8/4p3/5K2/8/8 w - - 3 60", "e4", "e4 f3"),
        // Hints and checks are no faults, moves among the operations no squares.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "", ""),
        ("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "", "e2 e8"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm e4;", "", ""),
    ] {
        let explanation = explain_line(line.as_bytes(), None).expect("a position");
        let diagram = explanation.diagram().expect("a board");
        let words = |squares: shakmaty::Bitboard| {
            let mut words: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            words.sort();
            words.join(" ")
        };
        assert_eq!((words(diagram.marks.squares).as_str(), words(diagram.checks).as_str()), (at_fault, checks), "{line}");
    }
}
