//! Findings cover exactly what is wrong, and nothing else is reported.

use crate::common::audit_text;
use chess_audit::{rules::Severity, text::Format};

/// Movetexts in which `<` and `>` enclose what the rules report, in this order.
const CASES: &[(&str, &[&str])] = &[
    ("1. e4 e5 <{>1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 *", &["SYN05"]),
    ("1. e4 e5 {a remark<)> 2. Nf3 Nc6 3. Bb5 a6 *", &["SYN05"]),
    ("1. e4 e5 {a remark<]> 2. Nf3 Nc6 3. Bb5 a6 *", &["SYN05"]),
    ("1. e4 e5 <{>a remark 2. Nf3 Nc6 3. Bb5 a6 *", &["SYN05"]),
    ("1. e4 e5 2. Nf3<}> Nc6 3. Bb5 a6 *", &["SYN06"]),
    ("1. e4 e5 2. Nf3 <)> Nc6 3. Bb5 a6 *", &["SYN08"]),
    ("1. e4 e5 2. Nf3 <]> Nc6 3. Bb5 a6 *", &["SYN10"]),
    ("1. e4 e5 (1... c5 2. Nf3 <]> Nc6 3. Bb5) 2. Nf3 Nc6 *", &["SYN10"]),
    ("1. e4 e5 (1... c5 2. Nf3<]> 2. Nf3 Nc6 3. Bb5 a6 *", &["SYN06"]),
    ("1. e4 e5 <[>1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 *", &["SYN08"]),
    ("1. e4 e5 2. <Ke3> Nc6 3. Nf3 *", &["MOV01"]),
    // An annotation after a move that cannot be played says nothing new.
    ("1. e4 e5 2. <Ke3> $6 !? Nc6 3. Nf3 *", &["MOV01"]),
    ("1. e4 e5 2. <Nf3 !?> Nc6 3. Bb5 a6 *", &["SYN11"]),
];

#[test]
fn findings_cover_what_is_wrong() {
    for (marked, rules) in CASES {
        let tags = "[Event \"Places\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n";
        let (mut text, mut places) = (tags.to_owned(), Vec::new());
        for piece in marked.split_inclusive(['<', '>']) {
            text.push_str(piece.trim_end_matches(['<', '>']));
            match piece.chars().last() {
                Some('<') => places.push((text.len(), text.len())),
                Some('>') => places.last_mut().expect("a place begins").1 = text.len(),
                _ => text.push('\n'),
            }
        }
        let result = audit_text(text.as_bytes(), Format::Pgn);
        let defects =
            result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.rule.severity != Severity::Info);
        let found: Vec<_> =
            defects.map(|finding| (finding.rule.code.to_string(), finding.place.start, finding.place.end)).collect();
        let expected: Vec<_> = rules.iter().zip(&places).map(|(rule, (start, end))| (rule.to_string(), *start, *end)).collect();
        assert_eq!(found, expected, "{marked}");
    }
}

/// A clock that is wrong once is mostly wrong in the whole game.
#[test]
fn each_kind_of_wrong_clock_is_reported_once_in_a_game() {
    for (movetext, expected) in [
        (
            "1. e4 {[%clk 0:01:00]} e5 2. Nf3 {[%clk 0:03:00]} Nc6 3. Bb5 {[%clk 0:06:00]} a6 4. Ba4 {[%clk 0:09:00]} b5 *",
            "CLK02",
        ),
        (
            "1. e4 {[%clk 0:01:00]} e5 2. Nf3 {[%clk 0:00:50][%emt 0:00:45]} Nc6 3. Bb5 {[%clk 0:00:40][%emt 0:00:55]} a6 *",
            "CLK04",
        ),
    ] {
        let text = format!(
            "[Event \"Clocks\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\
             [TimeControl \"60+1\"]\n\n{movetext}\n"
        );
        let result = audit_text(text.as_bytes(), Format::Pgn);
        let findings = result.findings.iter().map(|(_, finding)| (finding.rule.code.to_string(), finding.ply));
        let of_clocks: Vec<_> = findings.filter(|(rule, _)| rule == "CLK02" || rule == "CLK04").collect();
        assert_eq!(of_clocks, [(expected.to_owned(), Some(3))], "{movetext}");
    }
}
