//! What an input shows about its starting position decides how severe the findings are that assume
//! the standard one.

use crate::common::{AuditResult, audit, corpora, everything, input};
use chess_audit::Variant;
use chess_audit::internals::{pipeline::Settings, rules::Severity, text::Format};

/// The white bishop on e3 came from c1 or f1, past unmoved pawns: impossible from the standard
/// starting position only.
const CAGED_BISHOP: &str = "4k1nr/pppppppp/8/8/8/4B3/1P1PP1P1/4K3 w k - 0 40";

/// Positions with rights that fit the standard starting position, but show nothing else.
fn middlegames(count: usize) -> String {
    let line = |index: usize| format!("r3k2r/pp3ppp/8/3p4/3P4/8/PP3PPP/R3K2R w KQkq - 4 {}\n", 20 + index);
    (0..count).map(line).collect()
}

fn audit_lines(text: &str, variant: Option<Variant>) -> AuditResult {
    audit(vec![input(text.as_bytes(), Format::Epd)], Settings { variant, ..everything() })
}

/// Code, severity and message of the findings of severity warning or error.
fn found(text: &str, variant: Option<Variant>) -> Vec<(String, Severity, String)> {
    let findings = audit_lines(text, variant).findings.into_iter().map(|(_, finding)| finding);
    let faults = findings.filter(|finding| finding.severity > Severity::Info);
    faults.map(|finding| (finding.rule.code.to_string(), finding.severity, finding.message)).collect()
}

#[test]
fn many_rights_that_fit_show_the_standard_starting_position() {
    let severities = |text: String| -> Vec<(String, Severity)> {
        found(&text, None).into_iter().map(|(code, severity, _)| (code, severity)).collect()
    };
    let caged = |severity| vec![("POS15".to_owned(), severity)];
    assert_eq!(severities(format!("{}{CAGED_BISHOP}\n", middlegames(19))), caged(Severity::Warning));
    assert_eq!(severities(format!("{}{CAGED_BISHOP}\n", middlegames(20))), caged(Severity::Error));
    // Two rights of Chess960 among 20 are too many.
    let other = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 30\n".repeat(2);
    let mixed = severities(format!("{}{other}{CAGED_BISHOP}\n", middlegames(20)));
    assert!(mixed.contains(&("POS15".to_owned(), Severity::Warning)), "{mixed:?}");
}

#[test]
fn complete_back_ranks_show_chess960() {
    let text = "rbnqknbr/pp2pppp/8/2pp4/2PP4/8/PP2PPPP/RBNQKNBR w KQkq - 0 3\n";
    // In standard chess, the bishop on h8 cannot have left f8.
    let bishop = "rn2kq1b/pp2pppp/2ppb3/8/8/1P1P4/P1PBPPPP/RN2KQ1B w Qq - 3 5\n";
    assert!(found(&format!("{text}{text}{bishop}"), None).is_empty());
    let alone = found(bishop, None);
    assert_eq!(alone.len(), 1, "{alone:?}");
    assert_eq!((alone[0].0.as_str(), alone[0].1), ("POS15", Severity::Warning));
}

#[test]
fn a_warning_says_what_it_assumes() {
    let [(_, severity, message)] = found(CAGED_BISHOP, None).try_into().expect("one finding");
    assert_eq!(severity, Severity::Warning);
    assert!(message.ends_with(", unless this is Chess960 (`--variant chess960`)"), "{message}");
    let [(_, severity, message)] = found(CAGED_BISHOP, Some(Variant::Standard)).try_into().expect("one finding");
    assert_eq!(severity, Severity::Error);
    assert!(message.starts_with("unmoved pieces") && !message.contains("Chess960"), "{message}");
    assert!(found(CAGED_BISHOP, Some(Variant::Chess960)).is_empty());
}

#[test]
fn stale_rights_of_standard_chess_are_an_error_of_each_record() {
    let stale = ["r3k1r1/4p3/8/8/8/8/4P3/4K2R w Kk - 4 30\n", "r2k3r/4p3/8/8/5n2/8/4P3/R3K2R w KQkq - 4 30\n"];
    for count in [1, 19, 20, 30] {
        for (line, code) in stale.iter().zip(["CAS02", "CAS01"]) {
            // The same position twice would be another finding.
            let lines: String = (0..count).map(|index| line.replace(" 30", &format!(" {}", 30 + index))).collect();
            let text = format!("{}{lines}", middlegames(50));
            let errors = found(&text, Some(Variant::Standard));
            let wrong = errors
                .iter()
                .find(|(found, severity, message)| found != code || *severity != Severity::Error || message.contains("Chess960"));
            assert_eq!((wrong, errors.len()), (None, count), "{line}");
            let undeclared = found(&text, None);
            assert_eq!(undeclared.len(), if count < 20 { count } else { 1 }, "{line}");
            assert!(
                undeclared.iter().all(|(_, severity, message)| {
                    *severity == Severity::Warning && message.contains("or the game is Chess960")
                })
            );
        }
    }
}

/// One of the white queens was promoted, which the king on d8 excludes if it has not moved.
const BARRED_BY_KING: &str = "r2k3r/pp1p1ppp/2n5/2p1p3/6Q1/2N2N2/PP1PPPPP/R1BQKB1R w KQk - 4 30";

/// Rights that are reported as wrong prove nothing about the pieces.
#[test]
fn reported_rights_prove_nothing() {
    let codes =
        |findings: Vec<(String, Severity, String)>| -> Vec<String> { findings.into_iter().map(|found| found.0).collect() };
    let chess960 = "1r2k1r1/4p3/8/8/5n2/5N2/4P3/1R2K1R1 w KQkq - 4 30\n".repeat(2);
    let unmoved = BARRED_BY_KING.replace("KQk", "HAh");
    for (text, variant, expected) in [
        (format!("{}{BARRED_BY_KING}\n", middlegames(25)), None, &["CAS01"][..]),
        (BARRED_BY_KING.to_owned(), None, &["CAS01"]),
        (BARRED_BY_KING.to_owned(), Some(Variant::Standard), &["CAS01"]),
        // The right is sound in Chess960.
        (BARRED_BY_KING.to_owned(), Some(Variant::Chess960), &["POS20"]),
        (format!("{chess960}{BARRED_BY_KING}\n"), None, &["POS20"]),
        (unmoved, None, &["POS20"]),
    ] {
        assert_eq!(codes(found(&text, variant)), expected, "{variant:?}: {text}");
    }
    let game = |number: u32, fen: &str| {
        format!(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{number}\"]\n[White \"?\"]\n[Black \"?\"]\n\
             [Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Variant \"Chess960\"]\n\n*\n\n"
        )
    };
    let same_files = "2rk2r1/4p3/8/8/5n2/5N2/4P3/2RK2R1 w KQkq - 4 30";
    let games = format!("{}{}", game(1, same_files), game(2, BARRED_BY_KING));
    let findings = audit(vec![input(games.as_bytes(), Format::Pgn)], everything()).findings.into_iter();
    let codes: Vec<String> = findings.map(|(_, finding)| finding.rule.code.to_string()).filter(|code| code != "TAG09").collect();
    assert_eq!(codes, ["CAS05"], "{games}");
}

#[test]
fn one_pawn_has_passed_and_two_have() {
    let message = |line: &str| {
        let found = found(line, None);
        found.into_iter().find(|(code, ..)| code == "POS14").expect("POS14 fires").2
    };
    let one = message("rnbqkbnr/pppppppp/8/8/8/2N5/1PPPPPPP/RNBQKBNR w - - 0 40");
    assert!(one.starts_with("1 of White's pawns, including promoted ones, has passed"), "{one}");
}

/// Legal positions of undeclared Chess960, each alone.
#[test]
fn corpus_of_undeclared_chess960() {
    let Some(folder) = corpora() else { return };
    let text = std::fs::read_to_string(folder.join("positions/legal_warned_chess960.tsv")).expect("the file is text");
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').next().unwrap_or_default());
    let mut warned = 0;
    for line in lines {
        for (code, severity, message) in found(line, None) {
            warned += 1;
            let is_about_rights = code.starts_with("CAS");
            let says_so = message.contains("unless this is Chess960 (`--variant");
            assert!(severity == Severity::Warning && (says_so || is_about_rights), "{code} {severity} on {line}: {message}");
        }
        let declared = found(line, Some(Variant::Chess960));
        assert!(declared.is_empty(), "{line}: {declared:?}");
    }
    eprintln!("{warned} warnings");
}
