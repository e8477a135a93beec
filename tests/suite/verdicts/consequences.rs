//! Games that other readers do not read in full are counted.

use std::fs;

use crate::common::{audit, audit_text, everything, fixture, input};
use chess_audit::internals::{pipeline::Settings, record::Consequences, text::Format};

/// The number of plies that python-chess reads of texts, and these texts.
const RECORDING: &str = "oracles/python_chess_plies.tsv";

/// The consequences of a text, and the number of plies of its game.
fn consequences(text: &str) -> (Consequences, u64) {
    let counts = audit_text(text.as_bytes(), Format::Pgn).summary.counts;
    assert_eq!(counts.games, 1, "{text}");
    // The plies of variations do not count.
    let variation = if text.contains('(') { 2 } else { 0 };
    (counts.consequences, counts.plies - variation)
}

#[test]
fn python_chess_has_read_what_is_not_counted_and_nothing_else() -> std::io::Result<()> {
    let recording = fs::read_to_string(fixture(RECORDING))?;
    let rows = recording.lines().filter(|line| !line.starts_with('#')).skip(1);
    let (mut without_moves, mut cut) = (0, 0);
    for row in rows {
        let (read, text) = row.split_once('\t').expect("two columns");
        let read: u64 = read.parse().expect("a number");
        let (found, plies) = consequences(&text.replace("\\r", "\r").replace("\\n", "\n"));
        let expected = (u64::from(read == 0), u64::from(0 < read && read < plies));
        assert_eq!((found.without_moves_in_python_chess, found.cut_at_blank_line), expected, "{row}");
        (without_moves, cut) = (without_moves + expected.0, cut + expected.1);
    }
    assert!(without_moves >= 8 && cut >= 4, "{without_moves} {cut}");
    Ok(())
}

#[test]
fn pgn_reader_is_asked() {
    let incomplete = |movetext: &str| consequences(&format!("[Event \"A\"]\n\n{movetext}\n")).0.incomplete_in_pgn_reader;
    assert_eq!(incomplete("1. e4 e5 2. Nf3 *"), 0);
    // A comment without its opening brace ends nothing, but the tokens in it are lost.
    assert_eq!(incomplete("1. e4 } e5 2. Nf3 *"), 0);
    assert_eq!(incomplete("1. e4 ) e5 2. Nf3 {never closed *"), 1);
}

#[test]
fn all_games_are_counted_whatever_is_folded_and_wherever_the_input_is_cut() {
    let game =
        "[Event \"A\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    let games = format!("{game}\n\n1. e4 e5 *\n\n").repeat(30) + &format!("{game}\n1. e4\n\n1... e5 *\n\n").repeat(2);
    let expected = Consequences { without_moves_in_python_chess: 30, cut_at_blank_line: 2, incomplete_in_pgn_reader: 0 };
    for chunk_bytes in [1, 1000, 1 << 18] {
        let settings = Settings { chunk_bytes, threads: 2, ..everything() };
        let result = audit(vec![input(games.as_bytes(), Format::Pgn)], settings);
        assert_eq!(result.summary.counts.consequences, expected, "{chunk_bytes}");
    }
    assert_eq!(
        expected.describe(),
        [
            "30 games are read without moves by the Python library python-chess",
            "2 games end early for readers that stop at a blank line"
        ]
    );
}
