//! A broken record between two good ones changes nothing of what is reported on the good ones.

use crate::common::{AuditResult, audit_text, line};
use chess_audit::internals::{
    rules::{Finding, RULES, Scope},
    text::{Format, Span},
};

/// Games before and after the sample, with and without findings. Their moves distinguish them.
const GOOD: &[&str] = &[
    "[Event \"Clean\"]\n[Site \"?\"]\n[Date \"2001.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
     1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n",
    "[Event \"A false mark, a wrong number\"]\n[Site \"?\"]\n[Date \"2002.13.01\"]\n[Round \"2\"]\n[White \"C\"]\n[Black \"D\"]\n\
     [Result \"0-1\"]\n\n1. d4 d5 2. c4+ e6 {a comment} 4. Nc3 Nf6 (3... Be7 4. e4#) 0-1\n\n",
    "[Event \"An illegal move\"]\n[Site \"?\"]\n[Date \"2003.03.03\"]\n[Round \"3\"]\n[White \"E\"]\n[Black \"F\"]\n[Result \"*\"]\n\n\
     1. c4 {first} c5 2. Ke3 Nc6 3. Nc3 *\n\n",
    "[Event \"Infos\"]\n[Site \"?\"]\n[Date \"2004.04.04\"]\n[Round \"4\"]\n[White \"G\"]\n[Black \"H\"]\n[Result \"1/2-1/2\"]\n\n\
     1. Ng1f3 Nf6 2. nc3 d5 1/2-1/2\n\n",
];

/// The findings that stand in `game`, with their places counted from its beginning.
fn findings_in(audit_result: &AuditResult, text: &[u8], start: usize, end: usize, ordinal: u64) -> Vec<String> {
    // LF, CR LF, or CR on its own.
    let ends_line = |at: &usize| text[*at] == b'\n' || (text[*at] == b'\r' && text.get(at + 1) != Some(&b'\n'));
    let lines_before = (0..start).filter(ends_line).count() as u64;
    let relative = |finding: &Finding| {
        let mut finding = finding.clone();
        finding.move_places(|place| Span::new(place.start - start, place.end - start));
        finding.line -= lines_before;
        finding.game -= ordinal - 1;
        line(&finding)
    };
    let inside = |finding: &&Finding| (start..end).contains(&finding.place.start);
    audit_result.findings.iter().map(|(_, finding)| finding).filter(inside).map(relative).collect()
}

/// The wrong findings in the good games if `between` is between them; empty if there are none.
fn harm(before: &str, between: &[u8], after: &str, audit_result: &AuditResult) -> Option<String> {
    let text = [before.as_bytes(), between, after.as_bytes()].concat();
    let games = audit_result.summary.counts.games;
    for (game, start, ordinal) in [(before, 0, 1), (after, text.len() - after.len(), games)] {
        let alone = audit_text(game.as_bytes(), Format::Pgn);
        assert!(alone.findings.iter().all(|(_, finding)| matches!(finding.scope, Scope::Place | Scope::Habit { .. })), "{game}");
        let expected = findings_in(&alone, game.as_bytes(), 0, game.len(), 1);
        let found = findings_in(audit_result, &text, start, start + game.len(), ordinal);
        if found != expected {
            return Some(format!("game {ordinal}\n{found:#?}\ninstead of\n{expected:#?}"));
        }
    }
    None
}

#[test]
fn a_broken_record_harms_no_neighbour() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for rule in RULES.iter().filter(|rule| !rule.check.is_about_inputs()) {
        for (number, sample) in (1..).zip(rule.fires).filter(|(_, sample)| sample.is_pgn()) {
            let sample = sample.input().0;
            let own = audit_text(&sample, Format::Pgn).summary.counts.games;
            for (index, before) in GOOD.iter().enumerate() {
                let after = GOOD[(index + 1) % GOOD.len()];
                // The blank line before the next game is part of it: a header is known by it.
                let between = [&sample, &b"\n\n"[..]].concat();
                let audit_result = audit_text(&[before.as_bytes(), &between, after.as_bytes()].concat(), Format::Pgn);
                tried += 1;
                let mut complain =
                    |what: String| wrong.push(format!("{}, sample {number}, after game {index}: {what}", rule.code));
                if audit_result.summary.counts.games != 2 + own {
                    complain(format!("{} games instead of {}", audit_result.summary.counts.games, 2 + own));
                } else if let Some(harm) = harm(before, &between, after, &audit_result) {
                    complain(harm);
                }
            }
        }
    }
    assert!(tried > 200, "{tried} were tried");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What else stands between games, and how many games it is.
const BETWEEN: &[(&str, u64)] = &[
    ("From: someone@example.org\nSubject: games\n\nDear friends, here are 2 games.\n\n", 0),
    ("% an escape [Event \"no\"]\n\n", 0),
    ("{ a comment between games }\n\n", 0),
    ("{ a comment that quotes\n\n[Event \"quoted\"]\n\n1. e4 *\n} \n\n", 0),
    ("{ a comment without end\n\n", 0),
    ("((((\n\n", 0),
    (")))) }}}} ]]]]\n\n", 0),
    ("2. Nf3 Nc6 0-1\n\n", 0),
    ("1-0\n\n", 0),
    ("1. e4 e5\n\n", 1),
    ("1. e4 e5 { without end\n\n", 1),
    ("1. e4 (1. d4 (1. c4\n\n", 1),
    ("[Event \"Tags alone\"]\n\n", 1),
    ("[Event \"No quote]\n[Site\n\n", 1),
    ("[Event \"One\"]\n\n1. e4 { without end\n\n[Event \"Two\"]\n\n1. e4 { without end\n\n", 2),
    ("\0\u{1}\u{1A}\n\n", 0),
];

#[test]
fn nothing_between_two_games_harms_them() {
    let mut wrong = Vec::new();
    for (between, own) in BETWEEN {
        for (index, before) in GOOD.iter().enumerate() {
            let after = GOOD[(index + 1) % GOOD.len()];
            let audit_result = audit_text([before, *between, after].concat().as_bytes(), Format::Pgn);
            if audit_result.summary.counts.games != 2 + own {
                wrong.push(format!("{between}: {} games instead of {}", audit_result.summary.counts.games, 2 + own));
            } else if let Some(harm) = harm(before, between.as_bytes(), after, &audit_result) {
                wrong.push(format!("{between}, after game {index}: {harm}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn the_good_games_have_findings_of_their_own_and_are_told_apart() {
    let codes: Vec<Vec<String>> = GOOD.iter().map(|game| audit_text(game.as_bytes(), Format::Pgn).codes()).collect();
    assert!(codes[0].is_empty(), "{codes:?}");
    assert!(codes[1..].iter().all(|codes| !codes.is_empty()), "{codes:?}");
}

/// Lists of openings have a line of moves for each, without tags, numbers and markers.
#[test]
fn lines_of_moves_that_begin_anew_are_games() {
    const LINES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O\ne4 e5 Nf3 d6? d4 exd4 Qxd4 Nf6 Nc3 Be7\n\n\
                         # Nordic gambit\n// with a pawn more\ne4 e5 d4 exd4 c3 dxc3 Bc4 cxb2 Bxb2\n\
                         d4 d5 c4 e6 Nc3 Nf6 Bg5 Be8\ne4 c5 Nf3 d6 d4 cxd4\n";
    let found = audit_text(LINES.as_bytes(), Format::Pgn);
    assert_eq!((found.inputs[0].counts.games, found.inputs[0].counts.plies), (5, 9 + 10 + 9 + 7 + 6));
    let of_interest = |finding: &&Finding| !["TAG01", "RES01", "SYN12"].contains(&finding.rule.code.to_string().as_str());
    let found: Vec<_> = found.findings.iter().map(|(_, finding)| finding).filter(of_interest).collect();
    assert_eq!(
        found.iter().map(|finding| (finding.line, finding.game, finding.move_text.as_str())).collect::<Vec<_>>(),
        [(7, 4, "Be8")]
    );
    // A game with line breaks stays one, wherever it goes wrong.
    for text in ["e4 e5\nd4 d5\nNc3 Nf6\n", "e4 e5\nKe3 Nc6\nd4 d5\n", "1. e4 e5\n2. d4 d5\n", "e4 e5 1-0\n"] {
        assert_eq!(audit_text(text.as_bytes(), Format::Pgn).inputs[0].counts.games, 1, "{text}");
    }
}

#[test]
fn a_header_that_breaks_off_in_a_value_is_not_an_unescaped_quote() {
    let header = |event: &str, result: &str| {
        format!(
            "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n"
        )
    };
    for cut in ["[TimeControl \"66.687+0.6", "[TimeControl \"", "[WhiteElo \"26"] {
        let text = format!("{}{cut}{}\n1. e4 e5 0-1\n", header("A", "1-0"), header("B", "0-1"));
        let result = audit_text(text.as_bytes(), Format::Pgn);
        assert_eq!(result.codes(), ["SYN02", "TAG03"], "{cut}");
        let finding = &result.findings[0].1;
        assert_eq!((finding.found.as_str(), finding.line), (cut, 8));
        assert!(finding.message.contains("breaks off in this value") && finding.repair.is_none(), "{}", finding.message);
    }
    // The line does not end with the words that look like a header.
    let whole = format!("{}[Annotator \"see [Event \"B\"] there\"]\n\n1. e4 e5 1-0\n", header("A", "1-0"));
    assert_eq!(audit_text(whole.as_bytes(), Format::Pgn).codes(), ["SYN03", "SYN02"]);
}
