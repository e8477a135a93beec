//! Lists: a line for each game, with numbers, labels, titles and comments, and positions in URLs.

use crate::common::{AuditResult, audit, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    rules::Finding,
};

/// The result for a text whose format is not declared. It is the same wherever the text is cut.
fn read(text: &str) -> AuditResult {
    let read = |chunk_bytes| {
        let source = Source::Bytes(text.as_bytes().into());
        let settings = Settings { threads: 2, chunk_bytes, ..everything() };
        audit(vec![Input { name: "a.txt".to_owned(), source, format: None, scanned: false }], settings)
    };
    let whole = read(1 << 18);
    for chunk_bytes in [1, 30] {
        assert_eq!(read(chunk_bytes).lines(), whole.lines(), "{text}");
    }
    whole
}

#[test]
fn each_line_is_a_game() {
    for lines in [
        // Only the first one has a number.
        ["1. d4", "d4 d5", "d4 c5", "d4 e5"],
        ["1. e4 e5 2. Nf3", "d4 d5 c4", "c4 e5", "c4 Nf6"],
        ["1) 1. e4 e5 2. Nf3 Nc6", "2) 1. d4 d5 2. c4", "3) 1. c4 e5", "4) 1. b3"],
        ["1. 1. e4 e5 2. Nf3 Nc6", "2. 1. d4 d5 2. c4", "3. 1. c4 e5", "4. 1. b3"],
        ["[1] 1.e4 e5 2.Nf3 Nc6", "[2] 1.d4 d5 2.c4", "[3] 1.c4 e5", "[4] 1.b3"],
        ["Game 1: 1. e4 e5 2. Nf3 Nc6", "Game 2: 1. d4 d5 2. c4", "Game 3: 1. c4 e5", "Game 4: 1. b3"],
        ["Ruy Lopez: e4 e5 Nf3 Nc6 Bb5", "Slav: d4 d5 c4 c6", "English: c4 e5", "Reti: Nf3 d5"],
        ["C60 1. e4 e5 2. Nf3 Nc6 3. Bb5", "D10 1. d4 d5 2. c4 c6", "A20 1. c4 e5", "A01 1. b3"],
        ["- 1. e4 e5 2. Nf3", "- 1. d4 d5", "- 1. c4", "- 1. b3"],
    ] {
        for separator in ["\n", "\r\n", "\n\n\n", "\n# the next one\n", "\n// the next one\n\n"] {
            let end = if separator.starts_with('\r') { "\r\n" } else { "\n" };
            let found = read(&(lines.join(separator) + end));
            let others: Vec<String> =
                found.codes().into_iter().filter(|code| !matches!(code.as_str(), "TAG01" | "RES01" | "NUM05")).collect();
            assert!(others.is_empty() && found.summary.counts.games == 4, "{lines:?} {separator:?}: {:?}", found.lines());
        }
    }
    // Comments before the first line and after markers.
    let found = read("# Open games\n1. e4 e5 *\n# Others\n1. d4 d5 *\nLast: 1. c4 *\n");
    let is_expected = |code: &String| matches!(code.as_str(), "TAG01" | "SYN12");
    assert!(found.codes().iter().all(is_expected) && found.summary.counts.games == 3, "{:?}", found.lines());
    // Results, and a number in the first line only.
    for separator in ["\n", "\n// next\n", "\n\n"] {
        let found = read(&["1. e4 e5 2. Nf3 1-0", "d4 d5 c4 e6 0-1", "Nf3 d5 g3 1/2-1/2\n"].join(separator));
        assert!(found.codes().iter().all(is_expected) && found.summary.counts.games == 3, "{:?}", found.lines());
    }
    // What cannot be played from the start is text behind the marker.
    let found = read("1. e4 e5 2. Nf3 1-0\nNc6 Bb5 1-0\n");
    assert_eq!((found.summary.counts.games, found.codes().contains(&"RES02".to_owned())), (1, true), "{:?}", found.lines());
}

#[test]
fn tags_may_be_indented_by_tabs() {
    for (tags, moves) in [("\t", "\t"), ("\t", ""), ("\t\t", "\t")] {
        let game = format!("{tags}[Event \"Cup\"]\n{tags}[White \"A\"]\n{tags}[Result \"*\"]\n\n{moves}1. e4 e5 *\n\n");
        let found = read(&game.repeat(3));
        assert_eq!((found.summary.counts.games, found.summary.counts.positions), (3, 0), "{:?}", found.lines());
        assert!(found.codes().contains(&"SYN12".to_owned()), "{:?}", found.lines());
    }
}

#[test]
fn lines_that_go_on_are_one_game() {
    for text in ["1. e4\ne5\n2. Nf3\nNc6 *\n", "1. e4 e5\n2. Nf3\n# mate it is not\n*\n", "1. f3 e5 2. g4 Qh4\n# 0-1\n"] {
        assert_eq!(read(text).summary.counts.games, 1, "{text}");
    }
}

#[test]
fn a_text_that_quotes_moves_is_prose() {
    for text in [
        "Club notes\n\nRound 3 had 1.e4 e5 2.Nf3.\n",
        "Openings used:\n\n1.e4 e5 2.Nf3 was popular.\nRound 4 saw 1.d4 d5 instead.\n",
        "In round 2 Black answered 1. c4 with e5.\n",
    ] {
        let found = read(text);
        assert!(found.findings.is_empty() && found.failures[0].message.contains("prose"), "{text}: {:?}", found.lines());
    }
    for text in [
        "Game of the day\n\n1. e4 e5 2. Nf3\n",
        "Best of all games: 1. e4 e5 *\n",
        "1. f3 e5 2. g4 Qh4# Black wins by mate 0-1\n",
        "Two games\n1. e4 e5 nice *\n1. d4 *\n",
    ] {
        assert!(read(text).summary.counts.games > 0, "{text}");
    }
}

#[test]
fn a_title_before_most_games_is_one_finding() {
    let titled = |titles: usize| -> String {
        (0..25).map(|game| format!("{}1. b4 {{{game}}} *\n\n", if game < titles { "A00    Polish\n" } else { "" })).collect()
    };
    for (titles, findings) in [(25, 1), (12, 12)] {
        let found = read(&titled(titles));
        let titles: Vec<_> = found.findings.iter().filter(|(_, finding)| finding.rule.name == "stray-text").collect();
        assert_eq!((titles.len(), found.summary.counts.games), (findings, 25), "{:?}", found.lines());
        assert_eq!(titles[0].1.severity, chess_audit::internals::rules::Severity::Warning);
    }
}

/// A finding in short: its severity, its rule and its message.
fn said(found: &AuditResult) -> Vec<String> {
    let message = |finding: &Finding| finding.message.split("; ").next().unwrap_or_default().to_owned();
    let said = |finding: &Finding| format!("{} {} {}", finding.severity, finding.rule.code, message(finding));
    found.findings.iter().map(|(_, finding)| said(finding)).collect()
}

#[test]
fn positions_may_have_titles_and_solutions() {
    const TITLE: &str = "info FEN01 text between the positions is not checked";
    let puzzle = |title: &str, solution: &str| format!("{title}\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 31\n{solution}\n");
    let other = "\nPuzzle 2\n7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\n1. Qg7#\n\n8/8/4k3/8/8/3K4/3P4/8 w - - 0 60\n1. Ke4\n";
    for (title, solution) in [
        ("Puzzle 1", "1. Rd8#"),
        ("Adams vs Torre, New Orleans 1920", "31.Rd8# 1-0"),
        ("White mates", "1. Rd8# (1. h3 h6)"),
        ("Back rank", "1. any move"),
        ("Number 1", "1. Rd8+ mates"),
    ] {
        let found = read(&(puzzle(title, solution) + other));
        assert_eq!(said(&found)[..1], [TITLE], "{:?}", found.lines());
        assert_eq!(found.codes(), ["FEN01"], "{:?}", found.lines());
    }
    let found = read(&(puzzle("Puzzle 1", "1. Rd8# ") + other));
    assert_eq!((found.summary.counts.plies, found.findings.len()), (3, 1), "{:?}", found.lines());
    // A move that is not legal is reported where it is.
    let text = puzzle("Puzzle 1", "1. Rd7 Rh8") + other;
    let found = read(&text);
    let (_, illegal) = found.findings.iter().find(|(_, finding)| finding.rule.name == "illegal-move").expect("a finding");
    assert_eq!((illegal.place.of(text.as_bytes()), illegal.ply), (&b"Rh8"[..], Some(2)));
    // What does not follow on the position, or is a game, is no solution of it.
    for moves in ["\n1. Rh8", "1. e4 e5 2. Nf3"] {
        let found = read(&(puzzle("Puzzle 1", moves) + other));
        assert_eq!(found.codes(), ["FEN01"], "{:?}", found.lines());
    }
}

#[test]
fn lines_around_positions_are_text() {
    let positions = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n8/8/4k3/8/8/3K4/3P4/8 w - - 0 60\n";
    for (before, after) in [("```", "```"), ("FENS = \"\"\"", "\"\"\""), ("fens = '''", "'''"), ("------", "======")] {
        let found = read(&format!("{before}\n{positions}{after}\n"));
        assert_eq!(said(&found), ["info FEN01 text between the positions is not checked"], "{before}");
    }
    // A single line is no layout, and what may be left of a position is an error.
    let found = read(&format!("{positions}```\n"));
    assert_eq!(said(&found), ["warning FEN01 this line does not contain a position"]);
    let found = read(&format!("{positions}w KQkq - 0 1\nrnbqkbnr\n"));
    assert!(found.findings.len() == 2 && said(&found).iter().all(|said| said.starts_with("error FEN01")), "{:?}", found.lines());
}

#[test]
fn moves_of_engine_commands_are_played() {
    let found = read("position startpos\nposition startpos moves d2d4 d7d5 c2c4\n");
    assert_eq!(said(&found), ["warning FEN01 this line is an engine command, and not a position"; 2]);
    assert_eq!((found.summary.counts.games, found.summary.counts.plies), (0, 3));
    let found = read("position startpos moves e2e4 e7e5 e4e5\nposition fen 8/8/4k3/8/8/3K4/3P4/8 w - - 0 60 moves d3e8\n");
    assert_eq!(found.codes(), ["FEN01", "MOV01", "FEN09", "MOV01"], "{:?}", found.lines());
}

#[test]
fn program_text_may_break_positions_into_literals() {
    let whole = "  \"8/8/4k3/8/8/3K4/3P4/8 w - - 0 60\",\n  \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 31\",\n";
    for broken in [
        "  \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/\"\n    + \"1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\",\n",
        "  \"r3k2r/p1ppqpb1/bn2pnp1/3PN3\"\n  \"/1p2P3/2N2Q1p/PPPBBPPP/\"\n  \"R3K2R w KQkq - 0 1\",\n",
        "  \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R \" + \"w KQkq - 0 1\",\n",
    ] {
        let found = read(&format!("all = [\n{broken}{whole}]\n"));
        assert_eq!((found.codes(), found.summary.counts.positions), (vec!["SYN18".to_owned()], 3), "{broken}");
        // A fault in a later literal has its place in the text.
        let text = format!("all = [\n{}{whole}]\n", broken.replace("w KQkq", "w KQkx"));
        let found = read(&text);
        let places: Vec<_> = found.findings.iter().filter(|(_, finding)| finding.rule.name == "castling-syntax").collect();
        assert_eq!(places[0].1.place.of(text.as_bytes()), b"KQkx", "{broken}: {:?}", found.lines());
    }
    // The other fields may be elsewhere.
    for placement in [
        "  board: \"8/8/4k3/8/8/3K4/3P4/8\",\n",
        "  \"8/8/4k3/8/8/3K4/\" + rest,\n",
        "  https://example.org/board.png?fen=8/8/4k3/8/8/3K4/3P4/8&flip=1\n",
    ] {
        let found = read(&format!("{placement}{whole}"));
        assert_eq!((found.codes(), found.summary.counts.positions), (vec!["SYN18".to_owned()], 2), "{placement}");
    }
}

#[test]
fn positions_are_found_in_urls() {
    let positions =
        ["8/8/4k3/8/8/4K3/4P3/8_w_-_-_0_1", "5rk1/3q1p1p/5Q2/8/8/8/8/K7_w_-_-_0_1", "4k3/8/8/8/8/8/4R3/4K3_w_-_-_0_40"];
    for prefix in
        ["https://lichess.org/analysis/", "https://lichess.org/editor/", "* see <https://lichess.org/analysis/standard/"]
    {
        for separator in ["_", "%20"] {
            let text: String =
                positions.iter().map(|position| format!("{prefix}{}\n", position.replace('_', separator))).collect();
            let found = read(&text);
            // In the last position, the side that is not to move is in check.
            assert_eq!(found.codes(), ["POS03", "SYN18"], "{text}");
            assert_eq!(found.summary.counts.positions, 3);
        }
    }
}
