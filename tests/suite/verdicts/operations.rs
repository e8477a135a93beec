//! EPD operations as whole inputs hold them: house styles and slips, ids, leaf counts, dialects,
//! and the suites of the corpora.

use std::{collections::BTreeMap, fs};

use crate::common::{AuditResult, audit, audit_text, corpora, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    rules::Severity,
    text::Format,
};

/// Rule and severity of everything that is found, infos about the order of operations left out.
fn found(text: &str) -> Vec<String> {
    let audit_result = audit_text(text.as_bytes(), Format::Epd);
    let shown = audit_result.findings.iter().map(|(_, finding)| format!("{} {}", finding.rule.code, finding.severity));
    shown.filter(|shown| shown != "EPD06 info").collect()
}

fn one(text: &str, code: &str) -> chess_audit::internals::rules::Finding {
    let audit_result = audit_text(text.as_bytes(), Format::Epd);
    let all: Vec<_> = audit_result.findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == code).collect();
    assert_eq!(all.len(), 1, "{code} in {text}: {:#?}", audit_result.lines());
    all[0].1.clone()
}

#[test]
fn letters_of_other_languages_are_not_san() {
    let san = "4k3/8/8/3p4/4P3/8/8/3BK3 w - - bm Ba4+;\n";
    for (odd, form) in [("La4+", "non-standard spelling"), ("B-a4+", "non-standard spelling"), ("Bd1-a4+", "in coordinates")] {
        let slip = one(&format!("{san}{san}{}", san.replace("Ba4+", odd)), "EPD09");
        assert_eq!((slip.found.as_str(), slip.expected.as_str(), slip.line), (odd, "Ba4+", 3));
        assert!(slip.message.contains(form), "{}", slip.message);
    }
}

#[test]
fn a_mate_by_the_other_side_is_searched_for() {
    let found = |line: &str| audit_text(line.as_bytes(), Format::Epd).codes();
    // The side to move is mated, and Black mates.
    assert_eq!(found("7k/5K2/8/8/8/8/8/6R1 b - - bm #-1;\n"), ["EPD07"]);
    assert_eq!(found("k3r3/8/8/8/8/8/5PPP/6K1 b - - bm #-1;\n"), ["EPD07"]);
    for line in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm #-1;\n",
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm #-1;\n",
        "8/8/4k3/8/8/3K4/3P4/8 b - - bm #-2;\n",
    ] {
        let mut codes = found(line);
        codes.sort();
        assert_eq!(codes, ["EPD07", "EPD13"], "{line}");
    }
    assert!(!found("8/8/4k3/8/8/3K4/3P4/8 b - - bm #-9223372036854775808;\n").contains(&"EPD13".to_owned()));
}

#[test]
fn what_most_moves_have_is_a_habit() {
    let san = "4k3/8/8/3p4/4P3/8/8/4K3 w - - bm exd5;\n";
    for (odd, form) in [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm e4d5;\n", "squares"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm ed5;\n", "capture-mark"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm exd5!;\n", "judgement"),
    ] {
        let slip = one(&format!("{san}{san}{odd}"), "EPD09");
        assert_eq!((slip.severity, slip.expected.as_str(), slip.line), (Severity::Warning, "exd5", 3), "{form}");
        let habit = one(&format!("{odd}{san}{odd}{odd}"), "EPD09");
        assert_eq!((habit.severity, habit.line), (Severity::Info, 1), "{form}");
        assert!(habit.message.contains("3 times in this input"), "{form}: {}", habit.message);
    }
}

#[test]
fn a_variation_by_squares_is_spelt_out() {
    let line = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - pv e1g1 e8c8 h1h8;";
    let line = line.replace("h1h8", "f1f8");
    let finding = one(&line, "EPD09");
    assert_eq!(finding.expected, "O-O O-O-O Rf8");
    assert_eq!(finding.found, "e1g1 e8c8 f1f8");
}

#[test]
fn spaces_inside_castling_are_left_out() {
    for (written, meant) in [("O - O", "O-O"), ("O- O", "O-O"), ("O -O", "O-O"), ("O - O - O", "O-O-O"), ("0 -0- 0", "O-O-O")] {
        let finding = one(&format!("r3k2r/8/8/8/8/5N2/8/R3K2R b KQkq - bm {written};"), "EPD09");
        assert_eq!((finding.found.as_str(), finding.expected.as_str()), (written, meant));
    }
    // Two letters are no castling, and two moves are two moves.
    assert_eq!(found("r3k2r/8/8/8/8/5N2/8/R3K2R b KQkq - bm O O;"), ["EPD08 warning"; 2]);
    assert_eq!(found("r3k2r/8/8/8/8/5N2/8/R3K2R b KQkq - bm O-O O-O-O;"), [""; 0]);
}

#[test]
fn false_marks_are_never_a_habit() {
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4+;\n";
    assert_eq!(found(&line.repeat(3)), ["EPD09 warning"; 3]);
    for (line, says) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4+;", "`e4+` does not give check: SAN is e4"),
        ("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8#;", "`Re8#` is not checkmate: SAN is Re8+"),
        ("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Rxe7;", "`Rxe7` is not a capture: SAN is Re7"),
    ] {
        assert_eq!(one(line, "EPD09").message, says);
    }
}

#[test]
fn counters_before_operations() {
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4;\n";
    let plain = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    assert_eq!(found(&bare.repeat(3)), ["EPD01 info"]);
    assert_eq!(found(&[fen, bare, fen].concat()), ["EPD01 info"]);
    assert_eq!(found(&[plain, bare, bare].concat()), ["EPD01 warning"]);
    assert_eq!(found(&[plain, fen].concat()), [""; 0]);
}

#[test]
fn line_ends_comments_and_blank_lines_are_no_operations() {
    let text =
        "\u{FEFF}4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\n# a comment\r\n; another\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;\r\n";
    assert!(found(text).iter().all(|shown| shown.starts_with("ENC")), "{:?}", found(text));
    let nul = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";\0\r\n\0\n";
    assert!(found(nul).iter().all(|shown| shown.starts_with("ENC")), "{:?}", found(nul));
    let blanks = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;   \n";
    assert_eq!(found(blanks), ["FEN09 info"]);
}

#[test]
fn scores_in_comments() {
    for (comment, illegal) in [
        ("e4=10, e3=5", 0),
        ("e4=10, Nf3=5", 1),
        ("e3=1,Ne5=2,Nf6=3", 2),
        ("e4=10, better than Nf3=5", 0),
        ("depth=12", 0),
        ("", 0),
    ] {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"{comment}\";");
        assert_eq!(found(&line), vec!["EPD08 error"; illegal], "{comment}");
    }
}

#[test]
fn the_other_side_is_named() {
    assert!(one("4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd7;", "EPD08").message.contains("only Black could play it"));
}

#[test]
fn ids() {
    let line = |id: &str, rest: &str| format!("{rest} id \"{id}\";\n");
    let (one_place, other) = ("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/3P4/4K3 w - -");
    assert_eq!(found(&[line("a", one_place), line("a", one_place), line("b", other)].concat()), [""; 0]);
    // The same position, though it is not written in the same way.
    let with_square = "4k3/8/8/8/4P3/8/8/4K3 b - e3 id \"a\";\n4k3/8/8/8/4P3/8/8/4K3 b - - id \"a\";\n";
    assert!(!found(with_square).contains(&"EPD17 warning".to_owned()), "{:?}", found(with_square));
    let text = [line("a", one_place), line("b", one_place), line("a", other), line("a", one_place)].concat();
    let finding = duplicate(&text);
    assert_eq!((finding.0, finding.1, finding.2.as_str()), (3, 3, "a"));
    assert!(finding.3.contains("in line 1; 3 records"), "{}", finding.3);
}

fn duplicate(text: &str) -> (u64, u64, String, String) {
    let finding = one(text, "EPD17");
    assert!(finding.fen.starts_with("4k3/8/8/8/8/8/3P4/4K3 w - -"), "{}", finding.fen);
    assert_eq!(finding.game_label, finding.found);
    (finding.line, finding.game, finding.found, finding.message)
}

#[test]
fn leaf_counts_are_checked_up_to_depth_3() {
    let text = b"epd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 2 67\nperft 3 1197\nperft 4 7058\n\
                 4k3/8/8/8/8/8/8/4K2R w K - D1 14 ;D4 7058;\n";
    let audit_result = audit_text(text, Format::Epd);
    let counts = audit_result.findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "EPD18");
    let counts: Vec<_> = counts.map(|(_, finding)| (finding.line, finding.game)).collect();
    assert_eq!(counts, [(3, 1), (6, 2)]);
    let expected: Vec<_> =
        audit_result.findings.iter().map(|(_, finding)| finding.expected.as_str()).filter(|text| !text.is_empty()).collect();
    assert_eq!(expected, ["66", "15"]);
}

#[test]
fn counts_of_different_positions_have_fingerprints_of_their_own() {
    let text = "epd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 1\nepd 4k3/8/8/8/8/8/8/R3K3 w Q -\nperft 1 1\n";
    let audit_result = audit_text(text.as_bytes(), Format::Epd);
    let fingerprints: Vec<_> = audit_result.findings.iter().map(|(_, finding)| finding.fingerprint).collect();
    assert!(fingerprints.len() == 2 && fingerprints[0] != fingerprints[1], "{:#?}", audit_result.lines());
}

fn audited(file: &std::path::Path) -> AuditResult {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let source = Source::File(file.to_owned());
    audit(vec![Input { name, source, format: None, scanned: false }], Settings { threads: 0, ..everything() })
}

/// A table to be read, and what is known of these files: whatever else is called an error there is
/// one too many.
#[test]
fn suites_of_the_corpora() {
    let Some(folder) = corpora() else { return };
    let known = [("sarona_Midgames239.epd", "EPD08", 193), ("sarona_kaufman.epd", "EPD08", 3)];
    let mut files: Vec<_> = fs::read_dir(folder.join("epd")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut errors = Vec::new();
    for file in files {
        let audit_result = audited(&file);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (input, finding) in
            audit_result.findings.iter().filter(|(_, finding)| finding.rule.code.to_string().starts_with("EPD"))
        {
            *counts.entry(format!("{} {}", finding.rule.code, finding.severity)).or_default() += 1;
            if finding.severity == Severity::Error {
                errors.push((input.clone(), finding.rule.code.to_string(), finding.line));
            }
        }
        eprintln!("{}: {counts:?}", file.display());
    }
    let known: Vec<_> = known.map(|(file, code, line)| (file.to_owned(), code.to_owned(), line)).into_iter().collect();
    assert_eq!(errors, known);
}

/// The text after the repairs of all findings.
fn repaired(text: &str) -> String {
    let audit_result = audit_text(text.as_bytes(), Format::Epd);
    let mut patches: Vec<_> = audit_result.findings.iter().flat_map(|(_, finding)| finding.patches().to_vec()).collect();
    patches.sort_by_key(|patch| patch.place.start);
    let mut bytes = text.as_bytes().to_vec();
    for patch in patches.iter().rev() {
        bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
    }
    String::from_utf8(bytes).expect("repairs keep the text readable")
}

#[test]
fn a_broken_string_is_one_finding() {
    let clean = "8/8/8/4k3/8/8/4P3/4K3 w - - bm e4; id \"Z.07\";\n";
    let first = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e3 draws 2 Kd7 e2 3";
    let rest = "a8/Q e1/Q 4 Qd5+ Kb4, white wins\"; id \"Z.06\";";
    for line_end in ["\n", "\r\n"] {
        let broken = format!("{first}{line_end}{rest}{line_end}{clean}");
        assert_eq!(found(&broken), ["EPD04 error"], "{line_end:?}");
        assert_eq!(repaired(&broken), format!("{first} {rest}{line_end}{clean}"), "{line_end:?}");
        let twice = format!("{first}{line_end}but not{line_end}{rest}{line_end}{clean}");
        assert_eq!(found(&twice), ["EPD04 error"], "{line_end:?}");
        assert_eq!(repaired(&twice), format!("{first} but not {rest}{line_end}{clean}"), "{line_end:?}");
    }
    // A position, a comment, a blank line and the end of the text end the string.
    for next in [clean, "# \"\n", "\n", ""] {
        let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"Z;\n{next}");
        assert_eq!(found(&text), ["EPD04 error"], "{next}");
        assert_eq!(repaired(&text), text.replacen("\"Z;", "\"Z\";", 1), "{next}");
    }
}

#[test]
fn counters_become_operations_in_order() {
    for (written, expected) in [
        ("- 0 30 bm e4; id \"x\";", "- bm e4; fmvn 30; hmvc 0; id \"x\";"),
        ("- 4 30 acd 1;", "- acd 1; fmvn 30; hmvc 4;"),
        ("- 0 30 dm 9; hash 7;", "- dm 9; fmvn 30; hash 7; hmvc 0;"),
        ("- 90 30 bm e4;", "- 90 30 bm e4;"),
    ] {
        let line = |rest: &str| format!("4k3/8/8/8/8/8/4P3/4K3 w - {rest}\n");
        let audit_result = audit_text(line(written).as_bytes(), Format::Epd);
        let (_, finding) = audit_result.findings.iter().find(|(_, finding)| finding.rule.name == "fen-as-epd").expect(written);
        let mut bytes = line(written).into_bytes();
        for patch in finding.patches().iter().rev() {
            bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
        }
        assert_eq!(String::from_utf8_lossy(&bytes), line(expected));
    }
}
