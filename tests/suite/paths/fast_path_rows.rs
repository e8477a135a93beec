//! Clean rows of tables are accepted without being examined: whenever that happens, examining
//! them finds nothing.

use crate::common::{
    AuditResult, Numbers, audit, everything,
    games::{Game, fen, game},
};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    record::accept_rows,
    rules::Severity,
    table::{Columns, table_with_columns},
};
use shakmaty::uci::UciMove;

const HEADER: &str = "id,fen,moves,note\n";

fn read(text: &str, settings: Settings) -> AuditResult {
    let input = Input { name: "input".to_owned(), source: Source::Bytes(text.as_bytes().into()), format: None, scanned: false };
    audit(vec![input], settings)
}

/// Compares both ways to read a table with `rows`. Returns how many of them the fast path accepts.
fn compare(rows: &str) -> usize {
    let text = format!("{HEADER}{rows}");
    let fast = read(&text, Settings { threads: 1, ..Settings::default() });
    let thorough = read(&text, everything());
    let serious = |audit_result: &AuditResult| {
        let findings = audit_result.findings.iter().filter(|(_, finding)| finding.severity > Severity::Info);
        findings.map(|(_, finding)| crate::common::line(finding)).collect::<Vec<_>>()
    };
    assert_eq!(serious(&fast), serious(&thorough), "{text}");
    assert_eq!(fast.summary.counts, thorough.summary.counts, "{text}");
    let table = table_with_columns(text.as_bytes(), &Columns::default(), true).expect("a table");
    let mut accepted = 0;
    let mut start = HEADER.len();
    while start < text.len() {
        accept_rows(text.as_bytes(), start, &table, |_| {
            accepted += 1;
            false
        });
        start += text[start..].find('\n').map_or(text.len(), |end| end + 1);
    }
    accepted
}

/// Rows with positions of a game and the moves after them, some of them in coordinates and the
/// others in SAN.
fn rows(game: &Game, numbers: &mut Numbers) -> Vec<String> {
    let positions: Vec<_> = game.positions().collect();
    let row = |numbers: &mut Numbers| {
        let ply = numbers.below(positions.len());
        let length = (1 + numbers.below(9)).min(game.moves.len() - ply);
        let in_coordinates = numbers.below(3) > 0;
        let moves: Vec<String> = (ply..ply + length)
            .map(|at| {
                let mode = shakmaty::CastlingMode::Standard;
                if in_coordinates { UciMove::from_move(game.moves[at], mode).to_string() } else { game.sans[at].clone() }
            })
            .collect();
        format!("{}.{ply},{},{},x", game.number, fen(&positions[ply]), moves.join(" "))
    };
    if positions.is_empty() { Vec::new() } else { (0..12).map(|_| row(numbers)).collect() }
}

/// A row in which a few bytes were changed.
fn tampered(row: &str, numbers: &mut Numbers) -> String {
    let mut bytes = row.as_bytes().to_vec();
    for _ in 0..=numbers.below(2) {
        let at = numbers.below(bytes.len());
        match numbers.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, b" ,\"\t\r;qn18"[numbers.below(10)]),
            _ => bytes[at] = b"abcdefgh12345678KQRBNkqrbnpx-/w, +#="[numbers.below(36)],
        }
    }
    String::from_utf8(bytes).expect("ASCII")
}

#[test]
fn rows_of_games() {
    let mut numbers = Numbers::new(77);
    let (mut accepted, mut all) = (0, 0);
    for number in 0..240 {
        let game = game(number);
        let mut rows = rows(&game, &mut numbers);
        let text = |rows: &[String]| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
        let clean = compare(&text(&rows));
        // The games of Chess960 need a closer look.
        if game.fen.is_none() {
            (accepted, all) = (accepted + clean, all + rows.len());
        }
        rows.iter_mut().for_each(|row| *row = tampered(row, &mut numbers));
        compare(&text(&rows));
    }
    assert!(all > 2000, "{all} rows");
    assert!(accepted * 100 > all * 97, "only {accepted} of {all} rows were passed over");
}
