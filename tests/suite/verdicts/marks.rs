//! What findings mark on the board: only what rules have set, never what a text says.

use crate::common::{audit, audit_text, everything, fixture, input, layout_too};
use chess_audit::internals::{
    record::Diagram,
    rules::{Family, Finding, RULES, Sample},
    text::Format,
};
use shakmaty::{Bitboard, Square};

/// Rules some of whose findings mark nothing on the board, and why.
const WITHOUT_MARKS: [(&str, &str); 16] = [
    ("MOV07", "a null move moves nothing; only pieces that give check are marked"),
    ("POS01", "a king that is missing is on no square"),
    ("POS07", "too many pieces in all: none of them is the wrong one"),
    ("POS14", "pawns of both sides have passed each other, whichever they are"),
    ("POS16", "the number of promoted pieces, whichever they are"),
    ("POS18", "the side to move follows from all pieces together"),
    ("POS20", "the pawns of both sides together"),
    ("CAS03", "the spelling of valid rights"),
    ("CAS06", "rights that are missing in a starting position"),
    ("CTR04", "two counters contradict each other"),
    ("CTR05", "the clock and the number contradict each other, although all pieces are at home"),
    ("CTR06", "the number contradicts how many pieces are missing"),
    ("CTR07", "the value of the clock alone"),
    ("CTR08", "the value of the clock alone"),
    ("CTR09", "the value of the number alone"),
    ("CTR10", "the value of the number alone"),
];

/// The findings of all samples that fire.
fn findings_of_samples() -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        let settings = || if rule.layout { layout_too() } else { everything() };
        for sample in rule.fires {
            let format = if matches!(sample, Sample::Positions(_)) { Format::Epd } else { Format::Pgn };
            let audit_result = audit(vec![input(&sample.input().0, format)], settings());
            findings.extend(audit_result.findings.into_iter().map(|(_, finding)| finding));
        }
    }
    findings
}

fn described(finding: &Finding) -> String {
    format!("{}: {} ({})", finding.rule.code, finding.message, finding.fen)
}

#[test]
fn findings_about_moves_and_positions_have_marks() {
    let on_the_board = [Family::Mov, Family::Pos, Family::Cas, Family::Eps, Family::Ctr];
    let mut without_marks = Vec::new();
    for finding in findings_of_samples() {
        let code = finding.rule.code.to_string();
        let is_on_the_board = on_the_board.contains(&finding.rule.code.family()) && !finding.fen.is_empty();
        let is_excused = WITHOUT_MARKS.iter().any(|(other, _)| *other == code);
        if is_on_the_board && !is_excused && finding.marks == Default::default() {
            without_marks.push(described(&finding));
        }
    }
    assert!(without_marks.is_empty(), "{without_marks:#?}");
}

#[test]
fn arrows_start_on_pieces() {
    let mut findings = findings_of_samples();
    for (name, format) in [("showcase.pgn", Format::Pgn), ("showcase.epd", Format::Epd)] {
        let text = std::fs::read(fixture(name)).expect("the fixture exists");
        findings.extend(audit_text(&text, format).findings.into_iter().map(|(_, finding)| finding));
    }
    let mut arrows = 0;
    for finding in &findings {
        let marks = &finding.marks;
        let all = || marks.written.iter().chain(&marks.repaired);
        let Some(diagram) = Diagram::of(finding) else {
            assert_eq!(all().count(), 0, "arrows without a board: {}", described(finding));
            continue;
        };
        for arrow in all() {
            arrows += 1;
            assert!(diagram.board.occupied().contains(arrow.from), "{arrow} starts on an empty square: {}", described(finding));
            assert_ne!(arrow.from, arrow.to, "{}", described(finding));
        }
    }
    assert!(arrows > 80, "{arrows}");
}

#[test]
fn drawing_does_not_depend_on_texts() {
    let mut drawn = 0;
    for finding in findings_of_samples() {
        let mut other = finding.clone();
        other.message = "not Nf3 but a1 or h8".to_owned();
        other.found = "e2e4".to_owned();
        other.expected = "Nf3 or O-O".to_owned();
        other.move_text = "Qxh7#".to_owned();
        let diagram = Diagram::of(&finding);
        assert_eq!(diagram, Diagram::of(&other), "{}", described(&finding));
        drawn += usize::from(diagram.is_some());
    }
    assert!(drawn > 150, "{drawn}");
}

#[test]
fn a_repair_marks_the_piece_and_not_the_empty_square() {
    let moves = "1. c3 d5 2. Nf3 Nf6 3. cxd5 Nxd5 4. g3 Nc6 5. Bg2 e5 6. O-O Be7 7. d3 O-O 8. Nbd2 Be6 *";
    let (text, _) = Sample::Moves(moves).input();
    let audit_result = audit_text(&text, Format::Pgn);
    let (_, finding) =
        audit_result.findings.iter().find(|(_, finding)| finding.message.contains("`c4` instead of `c3`")).expect("a repair");
    assert!(finding.marks.squares.contains(Square::C3), "the pawn that is on the wrong square");
    let empty = !Diagram::of(finding).expect("a board").board.occupied();
    assert_eq!(finding.marks.squares & empty & Bitboard::from_rank(shakmaty::Rank::Fourth), Bitboard::EMPTY);
}
