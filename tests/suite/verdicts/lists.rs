//! Lists: a line for each game, with numbers, labels, titles and comments, and positions in URLs.

use crate::common::{AuditResult, audit, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
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
