//! Tables: positions in a column, moves in another, and every finding at its place in the file.

use std::{fs, io::Write};

use crate::common::extent::{part, stride};
use crate::common::{AuditResult, Numbers, audit, corpora, everything, fixture};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    rules::{
        Finding, Severity,
        conditions::{STANDARD_CHESS, STANDARD_NOT_SHOWN},
    },
    table::Columns,
    text::Format,
};
use proptest::prelude::*;
use shakmaty::{Board, CastlingMode, Chess, EnPassantMode, Position, Setup, Square, fen::Fen, uci::UciMove};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2";

fn columns(fen: &str, moves: &str) -> Columns {
    let column = |name: &str| (!name.is_empty()).then(|| name.parse().expect("a column"));
    Columns { fen: column(fen), moves: column(moves) }
}

fn read_with(text: &[u8], columns: Columns) -> AuditResult {
    let input = Input { name: "input".to_owned(), source: Source::Bytes(text.into()), format: None, scanned: false };
    audit(vec![input], Settings { columns, ..everything() })
}

fn read(text: &str) -> AuditResult {
    read_with(text.as_bytes(), Columns::default())
}

/// Rule, severity, and what stands at the place of every finding but infos.
fn found(audit_result: &AuditResult, text: &str) -> Vec<String> {
    let shown = |finding: &Finding| {
        let place = String::from_utf8_lossy(finding.place.of(text.as_bytes())).into_owned();
        format!("{} {} `{place}`", finding.rule.code, finding.severity)
    };
    let findings = audit_result.findings.iter().map(|(_, finding)| finding);
    findings.filter(|finding| finding.severity > Severity::Info).map(shown).collect()
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let audit_result = read(text);
    assert!(audit_result.failures.is_empty(), "{:?}", audit_result.failures);
    assert_eq!(found(&audit_result, text), expected, "{text}\n{:#?}", audit_result.lines());
}

#[test]
fn tables_of_markdown_are_read() {
    for (quote, rule) in [("", "|---|---|"), ("`", "| :-- | ---: |"), ("`", "|-----|:---:|")] {
        let row = |fen: &str, best: &str| format!("| {quote}{fen}{quote} | {quote}{best}{quote} |\n");
        let text = format!("| FEN | Moves |\n{rule}\n{}{}", row("8/8/4k3/8/8/3K4/3P4/8 w - - 0 60", "Ke4"), row(START, "e4"));
        says(&text, &[]);
        assert_eq!((read(&text).summary.counts.positions, read(&text).summary.counts.plies), (2, 2), "{text}");
        says(&(text + &row("8/8/4k3/8/8/3K4/3P4/8 x - - 0 60", "Ke4")), &["FEN05 error `x`"]);
    }
}

/// A table with one row.
fn one(fen: &str, moves: &str) -> String {
    format!("id,fen,moves\n7,{fen},{moves}\n")
}

#[test]
fn moves_are_played_from_the_position() {
    for moves in [
        "e2e4 e7e5 g1f3",
        "e2e4  e7e5 ",
        "\"e2e4,e7e5\"",
        "e4 e5 Nf3",
        "1. e4 e5 2. Nf3 *",
        "\"['e2e4', 'e7e5']\"",
        "\"[\"\"e2e4\"\", \"\"e7e5\"\"]\"",
        "\"e2e4\ne7e5\"",
        "",
        " ",
        "\"\"",
        "-",
        "null",
        "34",
    ] {
        says(&one(START, moves), &[]);
    }
    let audit_result = read(&one(START, "e2e4 e7e5 g1f3"));
    assert_eq!((audit_result.summary.counts.positions, audit_result.summary.counts.plies), (1, 3));
    says(&one("r3k2r/8/1n6/8/8/1N6/8/R3K2R w KQkq - 0 20", "e1g1 e8c8"), &[]);
    says(&one("r3k2r/8/1n6/8/8/1N6/8/R3K2R w KQkq - 0 20", "e1h1 e8a8"), &[]);
    says(&one("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", "f1g1 f8g8"), &[]);
    says(&one("4k3/P7/8/8/8/8/8/4K3 w - - 0 60", "a7a8n"), &[]);
}

#[test]
fn a_move_that_cannot_be_played_is_located() {
    let text = one(START, "e2e4 e7e5 e4e5 g8f6 d2d3");
    let audit_result = read(&text);
    assert_eq!(found(&audit_result, &text), ["MOV01 error `e4e5`"]);
    let (_, finding) = &audit_result.findings[0];
    assert_eq!((finding.line, finding.game, finding.ply), (2, 1, Some(3)));
    assert_eq!(finding.column as usize, text.lines().nth(1).and_then(|line| line.find("e4e5")).expect("it is there") + 1);
    assert_eq!(finding.found, "e4e5");
    assert_eq!(finding.move_text, "e4e5");
    assert_eq!(finding.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_eq!(finding.game_label, "7");
    assert!(finding.message.contains("the pawn on e5 blocks the pawn on e4"), "{}", finding.message);
    assert!(finding.message.ends_with("; 2 plies not checked"), "{}", finding.message);
    assert_eq!((audit_result.summary.counts.plies, audit_result.summary.counts.plies_not_examined), (2, 3));
}

#[test]
fn every_kind_of_refusal_has_its_rule() {
    says(&one("r3k2r/8/8/8/8/8/4r3/R3K2R w KQkq - 0 20", "e1g1"), &["MOV02 error `e1g1`"]);
    says(&one("4k3/8/8/8/8/5N2/8/KN6 w - - 0 40", "Nd2"), &["MOV03 error `Nd2`"]);
    says(&one("4k3/P7/8/8/8/8/8/4K3 w - - 0 60", "a7a8"), &["MOV04 error `a7a8`"]);
    says(&one(START, "e2e4q"), &["MOV05 error `e2e4q`"]);
    says(&one("4k3/8/8/8/8/8/1P2B3/4K3 w - - 0 40", "b2b5"), &["MOV01 error `b2b5`"]);
    says(&one("7k/6Q1/6K1/8/8/8/8/8 b - - 0 70", "h8g8"), &["MOV06 error `h8g8`"]);
    says(&one(START, "e2e4 0000 d2d4"), &["MOV07 warning `0000`"]);
    says(&one("4k3/8/8/8/8/8/4r3/K3R3 w - - 0 40", "e1e2 0000 e2e1"), &["MOV07 error `0000`"]);
    says(&one(START, "e2e4 e7e9"), &["SYN10 error `e7e9`"]);
    says(&one(START, "resigned"), &["SYN10 warning `resigned`"]);
    let asked = read_with(one(START, "resigned").as_bytes(), columns("", "moves"));
    assert_eq!(asked.findings[0].1.severity, Severity::Error);
}

#[test]
fn what_is_no_line_from_the_position_is_not_accused() {
    // Tables of openings give the moves that lead to the position.
    says(&one(SICILIAN, "e2e4 c7c5"), &[]);
    says(&one(SICILIAN, "1. e4 c5"), &[]);
    says(&one(SICILIAN, "d4 c5"), &["MOV01 error `c5`"]);
    // A game that begins with move 1 has its own position.
    says(&one(SICILIAN, "1. d4 c5"), &[]);
    // Others list the moves that can be played.
    says(&one(START, "e2e4 d2d4 g1f3"), &[]);
    let asked = read_with(one(START, "e2e4 d2d4 g1f3").as_bytes(), columns("", "moves"));
    assert_eq!(asked.codes(), ["MOV01"]);
    says(&one(START, "e2e4 d2d4"), &["MOV01 error `d2d4`"]);
}

#[test]
fn one_cause_one_finding() {
    let audit_result = read(&one("4k3/8/8/8/8/8/4P3/4K3 w K - 0 40", "e1g1 e8e7"));
    assert_eq!(audit_result.codes(), ["CAS02"]);
    let message = &audit_result.findings[0].1.message;
    assert!(message.contains("e1g1 at ply 1 cannot be played") && message.ends_with("; 1 ply not checked"), "{message}");
    let audit_result = read(&one("4k3/8/9/8/8/8/8/4K3 w - - 0 40", "e1e2 e8e7"));
    assert_eq!(audit_result.codes(), ["FEN02"]);
    assert!(
        audit_result.findings[0].1.message.ends_with("; the 2 moves of this row were not checked"),
        "{:?}",
        audit_result.findings
    );
    assert_eq!((audit_result.summary.counts.plies, audit_result.summary.counts.plies_not_examined), (0, 2));
    // A false clock is not why a move cannot be played.
    let audit_result = read(&one("4k3/8/8/8/8/8/4P3/4K3 w - - x 40", "e2e5"));
    assert_eq!(audit_result.codes(), ["FEN08", "MOV01"]);
}

#[test]
fn rows_without_a_position_do_not_pass() {
    let text = format!("id,x,fen,moves\n1,,{START},e2e4\n2,\n3,,,e2e4\n4,,# none,\n,,,\n\n5,,{START},e2e4\n");
    let audit_result = read(&text);
    assert_eq!(found(&audit_result, &text), ["FEN01 error ``", "FEN01 warning ``", "FEN01 error `# none`"]);
    let places: Vec<(u64, u64, &str)> =
        audit_result.findings.iter().map(|(_, finding)| (finding.line, finding.column, finding.game_label.as_str())).collect();
    assert_eq!(places, [(3, 3, "2"), (4, 4, "3"), (5, 4, "4")]);
    assert_eq!(audit_result.findings[0].1.message, "the row ends before column 3, the position column");
    assert_eq!(audit_result.summary.counts.positions, 5, "a row of empty cells is no record");
    assert_eq!(audit_result.summary.counts.plies_not_examined, 1);
}

#[test]
fn places_are_exact_inside_quotes() {
    let text = format!(
        "\u{FEFF}id,note,fen,moves\r\n1,\"two\r\nlines, \"\"quoted\"\"\",\"{START}\",\"e2e4 \r\ne7e4\"\r\n2,x,\"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"\"a;b\"\"; pv Rf4 e5;\",e2e4\r\n"
    );
    let audit_result = read(&text);
    assert_eq!(found(&audit_result, &text), ["MOV01 error `e7e4`", "EPD08 error `Rf4`"]);
    let (_, finding) = &audit_result.findings[1];
    assert_eq!((finding.line, finding.column, finding.game), (4, 1, 1));
    assert_eq!(audit_result.findings[2].1.line, 5);
}

#[test]
fn a_quote_that_is_never_closed_harms_its_own_row_only() {
    let text = format!("id,fen,moves,note\n1,{START},e2e5,\"open\n2,\"{START},e2e4,\n3,{START},e2e5,\"fine\"\n");
    let audit_result = read(&text);
    assert_eq!(found(&audit_result, &text), ["MOV01 error `e2e5`", "EPD04 error `\"`", "EPD04 error `\"`", "MOV01 error `e2e5`"]);
    assert_eq!(audit_result.summary.counts.positions, 3);
}

#[test]
fn the_fixture_has_two_faults() {
    let text = fs::read_to_string(fixture("puzzles.csv")).expect("the fixture can be read");
    for columns in [Columns::default(), columns("FEN", "Moves"), columns("2", "3")] {
        let audit_result = read_with(text.as_bytes(), columns);
        assert_eq!(found(&audit_result, &text), ["MOV01 error `g8g7`", "FEN02 error `9`"], "{:#?}", audit_result.lines());
        let lines: Vec<(u64, u64, &str)> = audit_result
            .findings
            .iter()
            .filter(|(_, finding)| finding.severity > Severity::Info)
            .map(|(_, finding)| (finding.line, finding.game, finding.game_label.as_str()))
            .collect();
        assert_eq!(lines, [(8, 7, "a0007"), (10, 9, "a0009")]);
        assert_eq!((audit_result.summary.counts.positions, audit_result.summary.counts.plies), (12, 29));
    }
}

/// Random play from random positions, in UCI, one of the moves replaced by any squares: what
/// `shakmaty` refuses is refused, at the same ply, and nothing else.
#[test]
fn the_same_moves_are_refused_as_by_the_library() {
    let mut numbers = Numbers::new(960);
    let mut text = String::from("fen,moves\n");
    let mut expected = Vec::new();
    for row in 1..=1500 {
        let mode = if row % 2 == 0 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut setup = Setup::initial();
        if mode == CastlingMode::Chess960 {
            setup.board = Board::chess960(numbers.below(960) as u32);
            setup.castling_rights = setup.board.rooks();
        }
        let mut position: Chess = setup.position(mode).expect("a start is legal");
        let mut play = |position: &mut Chess, plies: usize| {
            let mut played = Vec::new();
            for _ in 0..plies {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Castling is rare in random play.
                let castling = moves.iter().find(|chosen| chosen.is_castle()).copied();
                let chosen = castling.unwrap_or(moves[numbers.below(moves.len())]);
                played.push(chosen.to_uci(mode).to_string());
                position.play_unchecked(chosen);
            }
            played
        };
        play(&mut position, row % 90);
        let start = position.clone();
        let mut line = play(&mut position, 8);
        if line.is_empty() {
            continue;
        }
        if row % 3 > 0 {
            let at = numbers.below(line.len());
            let square = |number| Square::new(number as u32);
            let promotion = ["", "", "", "q", "n", "k"][numbers.below(6)];
            line[at] = format!("{}{}{promotion}", square(numbers.below(64)), square(numbers.below(64)));
        }
        let mut replayed = start.clone();
        let refused = line.iter().position(|word| {
            let written = word.parse::<UciMove>().ok();
            match written.and_then(|written| written.to_move(&replayed).ok()) {
                Some(played) => {
                    replayed.play_unchecked(played);
                    false
                }
                None => true,
            }
        });
        text.push_str(&format!("{},{}\n", Fen::from_position(&start, EnPassantMode::Legal), line.join(" ")));
        expected.push(refused.map(|ply| (ply as u32 + 1, line[ply].clone())));
    }
    let audit_result = read_with(text.as_bytes(), columns("fen", "moves"));
    assert_eq!(audit_result.summary.counts.positions, expected.len() as u64);
    let mut found = vec![None; expected.len()];
    for (_, finding) in audit_result.findings.iter().filter(|(_, finding)| finding.severity > Severity::Info) {
        // Some of these games are Chess960, which nothing declares.
        if finding.conditions.has(STANDARD_CHESS) || finding.conditions.has(STANDARD_NOT_SHOWN) {
            continue;
        }
        let ply = finding.ply.unwrap_or_else(|| panic!("the position is blamed: {}", crate::common::line(finding)));
        let first = found[finding.game as usize - 1].replace((ply, finding.found.clone()));
        assert_eq!(first, None, "{}", crate::common::line(finding));
    }
    let differ: Vec<_> =
        text.lines().skip(1).zip(expected.iter().zip(&found)).filter(|(_, (expected, found))| expected != found).collect();
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(expected.iter().flatten().count() > 800 && expected.iter().filter(|refused| refused.is_none()).count() > 400);
}

#[test]
fn tables_of_others_are_read() {
    let Some(corpora) = corpora() else { return };
    let read = |name: &str, columns| read_with(&fs::read(corpora.join(name)).expect("the table can be read"), columns);
    let audit_result = read("epd/lichess_puzzles_kagi.csv", columns("FEN", "Moves"));
    let rows = fs::read_to_string(corpora.join("epd/lichess_puzzles_kagi.csv")).expect("it is text").lines().count() as u64 - 1;
    assert_eq!(audit_result.summary.counts.positions, rows);
    assert!(audit_result.summary.counts.plies > 3 * rows && audit_result.summary.counts.plies_not_examined == 0);
    assert_eq!(audit_result.summary.findings.error, 0, "{:#?}", audit_result.lines());
    let audit_result = read("positions/small_suites_labelled.tsv", Columns::default());
    assert!(
        audit_result.summary.counts.positions > 100 && audit_result.summary.findings.error > 50,
        "{:?}",
        audit_result.summary
    );
    let audit_result = read("positions/tromp_sample_labelled.tsv", columns("1", ""));
    assert!(
        audit_result.summary.counts.positions > 3000 && audit_result.summary.findings.error > 2000,
        "{:?}",
        audit_result.summary
    );
}

// --- where it is cut does not matter ------------------------------------------------------------

/// Pieces of tables, each of them trouble for whoever cuts or reads ahead.
const PIECES: &[&str] = &[
    "1,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,e2e4 e7e5,note",
    "2,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,e2e5 e7e5,",
    "3,\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\"e2e4\ne7e4\",\"a \"\"quote\"\"\"",
    "4,4k3/8/8/8/8/8/8/4K3 w K - 0 40,e1g1,\"a row in a cell\n5,8/8/8/8/8/8/8/8 w - - 0 1,e2e4,x\n\"",
    "6,4k3/8/8/8/8/8/8/4K3 w - - 0 40,\"never closed",
    "7,\"4k3/8/8/8/8/8/8/4K3 w - - 0 40,never closed",
    "\"8,never closed",
    "9",
    "10,",
    ",,,",
    "",
    "\"\"",
    "\"",
    "\"\"\"",
    "id,fen,moves,note",
    "11,not a position,e2e4",
    "12,\"4k3/8/8/8/8/8/4P3/4K3 w - - bm e5; id \"\"a\"\"\"\"b\"\";\",e2e4,\"x\" y",
    "\u{FEFF}13,4k3/8/8/8/8/8/8/4K3 w - - 0 40,J\u{FC}rgen,\r",
    "14,4k3/8/8/8/8/8/8/4K3 w - - 0 40,e1e2 e8e7 xyzzy e2e1,\x01",
];

const LINE_ENDS: &[&str] = &["\n", "\r\n", "\r", "\n\n", "", "\r\r\n", "\"\n", ",\n"];

fn hostile() -> String {
    let rows = PIECES.iter().chain(PIECES).enumerate();
    let rows: String = rows.flat_map(|(index, piece)| [*piece, LINE_ENDS[index % LINE_ENDS.len()]]).collect();
    format!("\u{FEFF}id,fen,moves,\"no\nte\"\r\n{rows}")
}

/// Everything that is reported about a table, in memory or as a stream.
fn audit_result(text: &str, chunk_bytes: usize, threads: usize, stream: bool) -> Vec<String> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    let source = if stream {
        file.write_all(text.as_bytes()).expect("it can be written");
        Source::File(file.path().to_owned())
    } else {
        Source::Bytes(text.as_bytes().into())
    };
    let input = Input { name: "input".to_owned(), source, format: None, scanned: false };
    let audit_result = audit(vec![input], Settings { chunk_bytes, threads, map: false, ..everything() });
    let mut lines = audit_result.lines();
    lines.extend([
        format!("{:?}", audit_result.inputs),
        format!("{:?}", audit_result.failures),
        format!("{:?}", audit_result.summary),
    ]);
    lines
}

#[test]
fn tables_may_be_cut_at_every_byte() {
    let text = hostile();
    let uncut = audit_result(&text, usize::MAX, 1, false);
    assert!(uncut.len() > 40, "{} lines are reported", uncut.len());
    for code in ["MOV01", "CAS02", "EPD04", "EPD08", "FEN01", "SYN10", "ENC05", "ENC06"] {
        assert!(uncut.iter().any(|line| line.contains(&format!("\"rule\":\"{code}\""))), "{code} does not fire");
    }
    for chunk_bytes in (1..=text.len() + 1).step_by(stride()) {
        assert_eq!(audit_result(&text, chunk_bytes, 1, false), uncut, "chunks of {chunk_bytes} bytes");
        assert_eq!(audit_result(&text, chunk_bytes, 2, true), uncut, "stream, chunks of {chunk_bytes} bytes");
    }
}

#[test]
fn long_cells_may_be_cut() {
    let long = |lines: usize| format!("1,{START},e2e4,\"{}\"\n2,{START},e2e5,x\n", "a line, and more\n".repeat(lines));
    let text = format!("id,fen,moves,note\n{}{}{}", long(3000), long(62_000), long(10));
    let uncut = audit_result(&text, usize::MAX, 1, false);
    assert!(uncut.iter().any(|line| line.contains("EPD04")), "the second cell is too long to be closed");
    for chunk_bytes in [5000, 60_000, 1 << 20] {
        assert_eq!(audit_result(&text, chunk_bytes, 2, false), uncut, "chunks of {chunk_bytes} bytes");
        assert_eq!(audit_result(&text, chunk_bytes, 2, true), uncut, "stream, chunks of {chunk_bytes} bytes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: part(200) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mixed_rows(
        pieces in prop::collection::vec((prop::sample::select(PIECES), prop::sample::select(LINE_ENDS)), 1..20),
        chunk_bytes in 1..300usize,
        threads in prop::sample::select(&[1usize, 2, 8]),
    ) {
        let rows: String = pieces.into_iter().flat_map(|(piece, end)| [piece, end]).collect();
        let text = format!("id,fen,moves,note\n{rows}");
        let uncut = audit_result(&text, usize::MAX, 1, false);
        prop_assert_eq!(&audit_result(&text, chunk_bytes, threads, false), &uncut, "chunks of {} bytes", chunk_bytes);
        prop_assert_eq!(&audit_result(&text, chunk_bytes, threads, true), &uncut, "stream, chunks of {} bytes", chunk_bytes);
    }
}

#[test]
fn repairs_in_quoted_cells_keep_their_quotes() {
    for (cell, expected) in [
        ("\"4k3/8/8/8/8/8/4P3/4K3 W - - bm e4; id \"\"x\"\";\"", "\"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"\"x\"\";\""),
        ("\"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id x;\"", "\"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"\"x\"\";\""),
        ("\"4k3/8/8/8/8/8/4P3/4K3 w - - bm \"\"e4\"\"; id \"\"x\"\";\"", "\"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"\"x\"\";\""),
        ("4k3/8/8/8/8/8/4P3/4K3 W - - 0 40", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"),
        // Outside quotes, a quote may be read in another way.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id x;", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id x;"),
        ("\"4k3/8/8/8/8/8/4P3/4K3 \"W - - 0 40", "\"4k3/8/8/8/8/8/4P3/4K3 \"W - - 0 40"),
    ] {
        let text = format!("id,fen\n7,{cell}\n");
        let mut bytes = text.clone().into_bytes();
        let audit_result = read(&text);
        assert!(!audit_result.findings.is_empty(), "{text}");
        for patch in audit_result.findings.iter().flat_map(|(_, finding)| finding.patches()).rev() {
            assert_eq!(patch.place.of(text.as_bytes()), patch.old, "{text}");
            bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
        }
        assert_eq!(String::from_utf8_lossy(&bytes), format!("id,fen\n7,{expected}\n"));
    }
}

/// A table of games, and one row of it.
fn games(game: &str) -> String {
    format!("id\tgame\n1\t{game}\n2\t1. d4 d5 2. c4\n3\t1. e4 e5 2. Nf3\n")
}

#[test]
fn a_cell_may_hold_a_game() {
    says(&games("1. e4 {[%eval 0.1]} e5 2. Nf3 (2. f4 exf4) 2... Nc6 3. Bb5 $1"), &[]);
    says(&games("1. e4 e5 2. Ke3 Nc6"), &["MOV01 error `Ke3`"]);
    says(&games("1. e4 e5 3. Nf3"), &["NUM01 warning `3.`"]);
    says(&games("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1"), &["RES05 error `0-1`"]);
    let found = read(&games("1. e4 e5 2. Ke2"));
    let counts = found.summary.counts;
    assert_eq!((counts.games, counts.positions, counts.plies), (3, 0, 9));
    assert_eq!(found.inputs[0].format, Some(Format::Pgn));
    // Without a marker and without tags, it is a cell, not a bad game.
    assert!(found.findings.is_empty(), "{:#?}", found.lines());
}

#[test]
fn a_game_of_a_row_begins_in_its_position() {
    let row = |fen: &str, game: &str| format!("fen,pgn\n{fen},{game}\n{START},1. e4\n{START},1. d4\n");
    let ending = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 40";
    says(&row(ending, "40. Kd4 Kd6 41. e4"), &[]);
    says(&row(ending, "40. Ke5"), &["MOV01 error `Ke5`"]);
    // Some tables have the last position of the game.
    says(&row("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "1. e4 e5"), &[]);
    for nothing in ["", "NA", "n/a", "null", "None", "-", "NaN"] {
        says(&row(nothing, "1. e4 e5 2. Nf3"), &[]);
        let without_game = format!("fen,pgn\n{START},1. e4\n{START},1. d4\n{nothing},{nothing}x\n");
        let found = read(&without_game);
        assert_eq!(found.failures.len(), 0, "{nothing}: {:#?}", found.lines());
    }
    says(&format!("id,fen\n1,{START}\n2,NA\n"), &["FEN01 warning `NA`"]);
}

#[test]
fn a_column_of_variants_counts_like_the_tag() {
    let horde = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
    let row = |variant: &str, fen: &str, game: &str| format!("Variant,FEN,PGN\n{variant},{fen},{game}\nStandard,NA,1. e4 e5\n");
    says(&row("Horde", horde, "1. e5 d6"), &[]);
    says(&row("Horde", horde, "1. Ke2 d6"), &["MOV01 error `Ke2`"]);
    let as_standard = read(&row("Standard", horde, "1. e5 d6"));
    assert!(as_standard.codes().contains(&"POS01".to_owned()), "{:?}", as_standard.codes());
    says(&row("Antichess", "NA", "1. e3 b5 2. Bxb5"), &[]);
}

#[test]
fn repairs_in_a_game_of_a_cell_are_those_of_the_file() {
    for (text, place, old) in [
        (games("1. e4 e5 2. Nf3 Nc6 3. Bb5+"), "Bb5+", "Bb5+"),
        ("id,game\n1,\"1. e4 {a \"\"b\"\"} e5 2. Nf3 Nc6 3. Bb5+\"\n2,1. e4\n3,1. d4\n".to_owned(), "Bb5+", "Bb5+"),
    ] {
        let found = read(&text);
        let [(_, finding)] = &found.findings[..] else { panic!("{:#?}", found.lines()) };
        assert_eq!(finding.place.of(text.as_bytes()), place.as_bytes());
        let [patch] = finding.patches() else { panic!("{finding:?}") };
        assert_eq!((patch.place.of(text.as_bytes()), &patch.new[..]), (old.as_bytes(), &b"Bb5"[..]));
    }
}

#[test]
fn tables_without_chess_are_refused() {
    let found = read("name,rating\nA,2000\nB,2100\nC,1900\n");
    let [failure] = &found.failures[..] else { panic!("{:#?}", found.lines()) };
    assert!(failure.message.contains("a table without positions or moves"), "{}", failure.message);
    assert!(found.findings.is_empty());
}

#[test]
fn positions_without_rights_are_found_by_what_they_contain() {
    let rows = |side: &str| format!("Board,Moves\n8/8/4k3/8/8/3K4/3P4/8{side},d3e4 e6d6\n7k/5Q2/6K1/8/8/8/8/8{side},f7e7\n");
    let places = ["FEN01 error `8/8/4k3/8/8/3K4/3P4/8", "FEN01 error `7k/5Q2/6K1/8/8/8/8/8"];
    for side in [" w", ""] {
        let text = rows(side);
        says(&text, &places.map(|place| format!("{place}{side}`")).each_ref().map(String::as_str));
        // A column with another name is no other column.
        assert_eq!(read(&text).lines(), read(&text.replace("Board", "\"FEN\"")).lines());
    }
    // The board after a game is a picture of it.
    let picture = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    says(&format!("pgn,board\n1. e4 e5,{picture}\n1. e4 e5,{picture}\n"), &[]);
    says(&format!("moves,board\ne2e4 e7e5,{picture}\ne2e4 e7e5,{picture}\n"), &[]);
}

#[test]
fn a_position_may_be_the_one_after_the_moves() {
    let after = [
        ("e4", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("e5", "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        ("Nf3", "g1f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
        ("Nc6", "b8c6", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"),
    ];
    let rows = |row: fn(&(&str, &str, &str)) -> String| after.iter().map(row).collect::<String>();
    says(&format!("ply,moves,fen\n{}", rows(|(san, _, fen)| format!("1,{san},{fen}\n"))), &[]);
    says(&format!("fen,pv\n{}", rows(|(_, uci, fen)| format!("{fen},{uci}\n"))), &[]);
    // Two columns: the moves are played from the positions that they lead from.
    let pairs = |first: &str, wrong: &str| {
        let row = |pair: &[(&str, &str, &str)]| format!("{},{},{}\n", pair[1].2, pair[0].2, pair[1].1);
        let rows = after.windows(2).map(row).collect::<String>();
        format!("{first},fen_before,moves\n{}", rows.replace("g1f3", wrong))
    };
    for first in ["fen_after", "fen"] {
        says(&pairs(first, "g1f3"), &[]);
        says(&pairs(first, "g1f4"), &["MOV01 error `g1f4`"]);
        let named = read_with(pairs(first, "g1f4").as_bytes(), columns(first, ""));
        assert_eq!(named.codes(), [""; 0], "the moves lead to the positions of this column");
    }
    // What leads nowhere is played from the position of its row.
    let apart = format!("fen,moves\n{START},e2e4\n{SICILIAN},e2e4\n{START},d2d4\n");
    says(&apart, &["MOV01 error `e2e4`"]);
}

#[test]
fn moves_from_unknown_positions_are_not_played() {
    for text in [
        "moves,game\n\"d3e4 e6d6\",x1\n\"d1d8\",x2\n",
        "game_id,ply,moves\n1,20,c3d5 e6d5\n2,31,d1d8 e8d8\n3,12,f3g5 h7h6\n",
        "moves\n['c3d5', 'e6d5']\n['e2e4']\n",
        "id,moves\n1,Nd5 exd5\n2,e4\n",
    ] {
        let found = read(text);
        let [failure] = &found.failures[..] else { panic!("{text}: {:#?}", found.lines()) };
        assert!(failure.message.contains("the positions they begin in were not found"), "{}", failure.message);
        assert!(found.findings.is_empty(), "{text}: {:#?}", found.lines());
        // Whoever names the column says that these are games.
        assert!(read_with(text.as_bytes(), columns("", "moves")).codes().contains(&"MOV01".to_owned()), "{text}");
    }
    says("id,moves\n1,e2e4 e7e5\n2,d2d4\n3,e2e5\n", &["MOV01 error `e2e5`"]);
}

#[test]
fn a_score_sheet_is_one_game() {
    for text in ["1. e4, e5\n2. Nf3, Nc6\n3. Bb5, a6\n", "1.\te4\te5\n2.\tNf3\tNc6\n3.\tBb5\ta6\n"] {
        let found = read(text);
        let counts = found.summary.counts;
        assert_eq!((counts.games, counts.plies), (1, 6), "{text}: {:#?}", found.lines());
    }
}

#[test]
fn a_column_of_epd_records_is_read_like_their_lines() {
    let row = |operations: &str| format!("epd,score\n\"8/8/4k3/8/8/4K3/4P3/8 w - - {operations}\",0.35\n");
    says(&row("bm Kd4; id \"\"a\"\";"), &[]);
    says(&row("bm Ke5; id \"\"a\"\";"), &["EPD08 error `Ke5`"]);
}

#[test]
fn lines_of_games_and_positions_are_no_tables() {
    for (line, expected) in [
        ("1. e4\te5\t2. Ke3 *\n", "MOV01 error `Ke3`"),
        ("1. e4 {a, b} e5 2. Ke3 *\n", "MOV01 error `Ke3`"),
        ("1. e4 {a | b} e5 2. Ke3 *\n", "MOV01 error `Ke3`"),
        ("4k3/8/8/8/8/8/8/4K2R w K -\tbm Ke5;\n", "EPD08 error `Ke5`"),
    ] {
        let text = line.repeat(3);
        let found = found(&read(&text), &text);
        assert_eq!(found.iter().filter(|finding| *finding == expected).count(), 3, "{line}: {found:?}");
        assert!(!found.iter().any(|finding| finding.starts_with("SYN05")), "{line}: {found:?}");
    }
}

#[test]
fn columns_of_moves_are_found_by_what_can_be_played() {
    let ending = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    // Puzzles without a header, and with another name for the moves.
    says(&format!("1,{ending},e1g1 e8e7,5\n2,{ending},e1e5 e8e7,5\n3,{ending},h1h8 e8e7,5\n"), &["MOV01 error `e1e5`"]);
    says(&format!("fen,solution\n{ending},e1g1\n{ending},e1f2\n{ending},e1e5\n"), &["MOV01 error `e1e5`"]);
    // Numbers of moves are no moves.
    says("White,moves,game\nA,2,e4 e5 Ke3\nC,1,d4 d5\nE,1,c4 c5\n", &["MOV01 error `Ke3`"]);
    assert_eq!(read("id,moves\n1,10\n2,20\n3,30\n").failures.len(), 1);
    // A single column.
    says("moves\ne4 e5 Nf3\nd4 d5 Kd3\n", &["MOV01 error `Kd3`"]);
    says("pgn\n\"1. e4 e5 2. Nf3\"\n\"1. d4 d5 2. Kd3\"\n", &["MOV01 error `Kd3`"]);
}

#[test]
fn an_odd_line_does_not_end_a_table() {
    for (odd, further) in [("Total: 2\n", &["SYN19 warning ``"][..]), ("   \n", &[]), ("# end\n", &[]), ("\0\0\0", &[])] {
        let text = format!("id,pgn\n1,1. e4 e5 2. Ke3\n2,1. d4 d5\n3,1. c4\n{odd}");
        let found = found(&read(&text), &text);
        assert_eq!(
            found.iter().map(String::as_str).filter(|finding| !finding.starts_with("ENC")).collect::<Vec<_>>(),
            [&["MOV01 error `Ke3`"][..], further].concat(),
            "{odd:?}"
        );
    }
}

#[test]
fn columns_that_name_no_variant_count_for_nothing() {
    says("id,variant,pgn\n1,Closed,1. e4 e5 2. Ke3\n2,Open,1. d4 d5\n", &["MOV01 error `Ke3`"]);
    says("id,pgn,rules\n1,1. e4 d5 2. exd5 Qxd5 3. P@e4,crazyhouse\n2,1. e4 e5,chess\n", &[]);
    let codes = read("id,pgn,rules\n1,1. e4 d5,bughouse\n2,1. e4 e5,chess\n").codes();
    assert_eq!(codes, ["VAR01"]);
}

#[test]
fn long_games_do_not_hide_a_table() {
    let comment = "long ".repeat(600);
    let row = |number: usize, moves: &str| format!("{number},\"[Event \"\"x\"\"]\n\n1. e4 {{{comment}}} e5\n{moves} *\"\n");
    let text: String = (1..20).map(|number| row(number, if number == 15 { "2. Ke3" } else { "2. Nf3" })).collect();
    for header in ["", "id,pgn\n"] {
        let text = format!("{header}{text}");
        assert_eq!(found(&read(&text), &text).iter().filter(|found| *found == "MOV01 error `Ke3`").count(), 1);
        assert_eq!(read(&text).summary.counts.games, 19);
    }
    let longer = format!("id,pgn\n{}", row(1, "2. Ke3").replace("long ", "longer and longer and longer "));
    assert!(found(&read(&longer), &longer).contains(&"MOV01 error `Ke3`".to_owned()));
}

#[test]
fn a_game_of_a_cell_that_is_too_large_is_a_failure() {
    let tags = "[x\n".repeat(110_000);
    let found = read(&format!("id,pgn\n1,1. e4\n2,1. d4\n3,\"[Event \"\"x\"\"]\n{tags}\n1. e4 Ke5 *\"\n"));
    let [failure] = &found.failures[..] else { panic!("{:?}", found.lines()) };
    assert!(failure.message.contains("more than 100,000 tag pairs"), "{}", failure.message);
}

/// The columns of the data sets of Lichess.
fn lichess(movetext: &str) -> String {
    let row = |number: usize, movetext: &str| {
        format!("Rated Blitz,https://lichess.org/{number},é𝄞,B,1-0,2020.01.01,C20,300+0,\"{movetext}\"\n")
    };
    let good = "1. e4 { [%eval 0.17] [%clk 0:05:00] } 1... e5 { [%eval 0.2] [%clk 0:05:00] } 2. Nf3 1-0";
    format!(
        "Event,Site,White,Black,Result,UTCDate,ECO,TimeControl,movetext\n{}{}{}",
        row(1, good),
        row(2, movetext),
        row(3, good)
    )
}

#[test]
fn a_finding_in_movetext_is_at_its_place_in_the_table() {
    for (movetext, token, line, before) in [
        ("1. e4 { [%eval 0.17] } 1... e5 2. Ke3 1-0", "Ke3", 3, "1. e4 { [%eval 0.17] } 1... e5 2. "),
        ("1. e4 { \"\"é\"\" } 1... e5 2. Ke3 { \"\" } 1-0", "Ke3", 3, "1. e4 { \"\"é\"\" } 1... e5 2. "),
        ("1. e4 e5\r\n2. Ke3 { \"\"\"\" } 1-0", "Ke3", 4, ""),
    ] {
        let text = lichess(movetext);
        for columns in [Columns::default(), columns("", "movetext"), columns("", "9")] {
            let audit_result = read_with(text.as_bytes(), columns);
            assert_eq!(audit_result.summary.counts.games, 3, "{:#?}", audit_result.lines());
            let found: Vec<_> = audit_result.findings.iter().filter(|(_, finding)| finding.severity > Severity::Info).collect();
            let [(_, finding)] = &found[..] else { panic!("{:#?}", audit_result.lines()) };
            assert_eq!((finding.rule.code.to_string().as_str(), finding.place.of(text.as_bytes())), ("MOV01", token.as_bytes()));
            assert_eq!((finding.place.start, finding.line), (text.find(token).expect("it is there"), line), "{movetext}");
            let line_start = text[..finding.place.start].rfind('\n').map_or(0, |at| at + 1);
            let row = &text[line_start..finding.place.start];
            assert!(row.ends_with(if before.is_empty() { "2. " } else { before }), "{row}");
            assert_eq!(finding.column as usize, row.len() + 1);
            let extent = finding.extent.expect("the line begins in the row");
            assert_eq!(extent.column as usize, row.encode_utf16().count() + 1);
            assert_eq!((extent.lines, extent.end_column), (0, extent.column + 3));
        }
    }
}

#[test]
fn variations_of_an_engine_are_played() {
    let ending = "8/8/4k3/8/8/4K3/4P3/8 w - -";
    let evaluation = |fen: &str, lines: [&str; 2]| {
        let [first, second] = lines;
        format!(
            "{{\"fen\":\"{fen}\",\"evals\":[{{\"pvs\":[{{\"cp\":3,\"line\":\"{first}\"}},{{\"mate\":9,\"line\":\"{second}\"}}],\"knodes\":9,\"depth\":3}}]}}\n"
        )
    };
    let good = evaluation(ending, ["e3d4 e6d6 e2e4", "e3e4"]);
    let castling = evaluation("r3k2r/8/1n6/8/8/1N6/8/R3K2R w KQkq -", ["e1h1 e8a8", "e1g1"]);
    let text = [good.as_str(), &evaluation(ending, ["e3d4 e6e4", "e3e5"]), &castling, &good].concat();
    says(&text, &["MOV01 error `e6e4`", "MOV01 error `e3e5`"]);
    let audit_result = read(&text);
    assert_eq!((audit_result.summary.counts.positions, audit_result.summary.counts.plies), (4, 4 + 1 + 3 + 4));
    assert_eq!(audit_result.summary.counts.plies_not_examined, 2);
    let (_, finding) = &audit_result.findings[0];
    let row = text.lines().nth(1).expect("two lines");
    assert_eq!((finding.line, finding.game, finding.ply), (2, 2, Some(2)));
    assert_eq!(finding.column as usize, row.find("e6e4").expect("it is there") + 1);
    assert_eq!(finding.fen, "8/8/4k3/8/3K4/8/4P3/8 b - - 1 1");
    // The position may come last, and other positions may be on the line.
    let last = format!("{{\"evals\":[{{\"pvs\":[{{\"line\":\"e3e5\"}}]}}],\"fen\":\"{ending}\"}}");
    says(&format!("[{last},{last}]\n").repeat(2), &["MOV01 error `e3e5`"; 4]);
    let first = format!("{{\"fen\":\"{ending}\",\"pvs\":[{{\"moves\":\"e3e5\"}}]}}");
    says(&format!("[{first},{first}]\n").repeat(2), &["MOV01 error `e3e5`"; 4]);
    // Other strings are not moves.
    says(&format!("{{\"fen\":\"{ending}\",\"line\":\"e3e5\"}}\n").repeat(3), &[]);
}

#[test]
fn a_variant_in_an_object_counts_like_a_column() {
    let horde = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
    let atomic = "8/8/3kK3/8/8/8/8/8 w - - 0 40";
    for variant in ["\"variant\":\"horde\"", "\"Rules\": \"Horde\""] {
        says(&format!("{{{variant},\"fen\":\"{horde}\"}}\n{{\"fen\":\"{horde}\",\"n\":1,{variant}}}\n"), &[]);
    }
    // Each object has its own.
    let text = format!("[{{\"fen\":\"{atomic}\",\"variant\":\"atomic\"}},{{\"fen\":\"{atomic}\"}}]\n");
    says(&text, &["POS02 error `K`"]);
    says(&format!("{{\"variant\":\"main line\",\"fen\":\"{atomic}\"}}\n"), &["POS02 error `K`"]);
}

#[test]
fn moves_in_the_object_of_a_position_are_played() {
    let object = |moves: &str| format!("{{\"FEN\":\"{START}\",\"Moves\":\"{moves}\"}}\n");
    let text = object("e2e4 e7e5 g1f3") + &object("e2e4 e7e5 e4e5");
    says(&text, &["MOV01 error `e4e5`"]);
    assert_eq!((read(&text).summary.counts.plies, read(&text).summary.counts.plies_not_examined), (5, 1));
    // A choice, moves that begin elsewhere, and those that lead there.
    for moves in ["e2e4 d2d4", "e7e5 g1f3", "resigned", "-", ""] {
        says(&object(moves), &[]);
    }
    says(&format!("{{\"moves\":\"e2e4 c7c5\",\"fen\":\"{SICILIAN}\"}}\n"), &[]);
    // They may belong to the other position.
    says(&format!("{{\"start\":\"{SICILIAN}\",\"fen\":\"{START}\",\"moves\":\"d2d4 c5d4\"}}\n"), &[]);
}

#[test]
fn a_position_that_is_at_fault_explains_its_variations() {
    let row = |fen: &str| format!("{{\"fen\":\"{fen}\",\"pvs\":[{{\"line\":\"e1g1 e8e7\"}},{{\"line\":\"e1g1\"}}]}}\n");
    let audit_result = read(&row("4k3/8/8/8/8/8/4P3/4K3 w K -").repeat(3));
    let messages = audit_result.findings.iter().filter(|(_, finding)| finding.severity > Severity::Info);
    let messages: Vec<_> = messages.map(|(_, finding)| (finding.rule.code.to_string(), finding.message.as_str())).collect();
    assert_eq!(messages.len(), 3, "{messages:#?}");
    for (code, message) in messages {
        assert!(code == "CAS02" && message.matches("e1g1 at ply 1 cannot be played").count() == 1, "{code} {message}");
    }
    assert_eq!(audit_result.summary.counts.plies_not_examined, 9);
    let audit_result = read(&row("4k3/8/9/8/8/8/8/4K3 w - -").repeat(3));
    let message =
        &audit_result.findings.iter().find(|(_, finding)| finding.severity > Severity::Info).expect("a finding").1.message;
    assert!(message.ends_with("; the 3 moves of this row were not checked"), "{message}");
}

#[test]
fn variations_may_be_cut_at_every_byte() {
    let row = |fen: &str, line: &str| format!("{{\"fen\":\"{fen}\",\"evals\":[{{\"pvs\":[{{\"cp\":3,\"line\":\"{line}\"}}]}}]}}");
    let ending = "8/8/4k3/8/8/4K3/4P3/8 w - -";
    let text =
        format!("{}\n[{},{}]\r\n{}", row(ending, "e3e5"), row(ending, "e3d4"), row(ending, "e3d3 é"), row(ending, "e3d2 e6e8"));
    let uncut = audit_result(&text, usize::MAX, 1, false);
    assert_eq!(uncut.iter().filter(|line| line.contains("\"rule\":\"MOV01\"")).count(), 2, "{uncut:#?}");
    for chunk_bytes in (1..=text.len() + 1).step_by(stride()) {
        assert_eq!(audit_result(&text, chunk_bytes, 1, false), uncut, "chunks of {chunk_bytes} bytes");
        assert_eq!(audit_result(&text, chunk_bytes, 2, true), uncut, "stream, chunks of {chunk_bytes} bytes");
    }
}

#[test]
fn rows_of_another_width_are_reported() {
    let row = |number: u32, rest: &str| format!("{number},{START},e2e4{rest}\n");
    let text = ["id,fen,moves,note\n", &row(1, ",x"), &row(2, ""), &row(3, ",a, b"), &row(4, ",,,"), &row(5, ",y")].concat();
    says(&text, &["SYN19 warning ``", "SYN19 warning ` b`"]);
    let audit_result = read(&text);
    let lines: Vec<u64> = audit_result.findings.iter().map(|(_, finding)| finding.line).collect();
    assert_eq!((lines, audit_result.summary.counts.positions, audit_result.summary.counts.plies), (vec![3, 4], 5, 5));
    // A row without a position has one finding, and a single column no width.
    says(&format!("id,fen,moves\n1,{START},e2e4\n2\n"), &["FEN01 error ``"]);
    says(&format!("id,fen,moves\n1,{START},\"e2e4\n"), &["EPD04 error `\"`"]);
    says(&format!("fen\n{START}\n{START}\tx\n"), &[]);
    // Many of them are one finding.
    let many = format!("id,fen,moves,note\n{}", (0..30).map(|number| row(number, "")).collect::<String>());
    says(&many, &["SYN19 warning ``"]);
}

#[test]
fn positions_in_sql_are_those_of_its_rows() {
    let wrong = "8/8/4k3/8/8/4K3/4P3/9 w - - 0 40";
    let insert = format!("INSERT INTO puzzles (id, fen, moves) VALUES\n('a', '{START}', 'e2e4'),\n('b', '{wrong}', 'e3e4');\n");
    let rows = format!("a\t{START}\te2e4\nb\t{wrong}\te3e4\n\\.\n");
    let copy = format!("COPY public.puzzles (id, fen, moves) FROM stdin;\n{rows}");
    let dump = format!("--\n-- PostgreSQL database dump\n--\n\n{copy}\n\n--\n-- PostgreSQL database dump complete\n--\n\n");
    for text in [insert, copy, dump] {
        says(&text, &["FEN02 error `9`"]);
        assert_eq!(read(&text).summary.counts.positions, 2, "{text}");
    }
}

#[test]
fn lines_of_json_that_are_not_are_reported() {
    let line = format!("{{\"id\": 1, \"fen\": \"{START}\", \"moves\": \"e2e4\"}}\n");
    let cut = &line[..20];
    let rest = ["{\"type\": \"end\"}\n", "[]\n", "\n# note\n", &line.replace("}\n", "},\n")].concat();
    let deep = "[".repeat(100_000);
    let text =
        [&line, &line, cut, "\n", &line, &deep, "\n", &line, &line.replace("}\n", "}}\n"), &rest, line.trim_end()].concat();
    says(
        &text,
        &[
            "SYN19 warning ``",
            "SYN19 warning ``",
            "SYN19 warning ``",
            "FEN01 warning `{\"type\": \"end\"}`",
            "FEN01 warning `[]`",
        ],
    );
    let audit_result = read(&text);
    let lines: Vec<u64> = audit_result.findings.iter().map(|(_, finding)| finding.line).filter(|line| *line > 1).collect();
    assert_eq!((lines, audit_result.summary.counts.positions), (vec![3, 5, 7, 8, 9], 7));
    // The position counts, wherever the line is cut.
    let cut = &line[..line.len() - 6];
    says(&[&line, &line, cut, "\n", &line].concat(), &["SYN19 warning ``"]);
    // Program text has any lines, and a list may be on many.
    says(&format!("x = {{\n  'a': '{START}',\n  'b': '{START}',\n}}\n"), &[]);
    says(&format!("[\n{0},\n{0},\n{0}\n]\n", line.trim_end()), &["SYN19 warning ``", "SYN19 warning ``"]);
}
