//! The fields of positions held against a whole input: counters that are placeholders, Chess960,
//! conventions of the en passant square.

use std::{error::Error, fs};

use crate::common::{audit, audit_text, everything, input, lines::examine_line};
use assert_cmd::Command;
use chess_audit::Variant;
use chess_audit::internals::{
    pipeline::Settings,
    rules::{
        Certainty, Declared, Family, Findings, Origin, Severity, Span,
        facts::{EnPassantUse, PositionFacts},
    },
    text::Format,
};

const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The findings in a file of positions: rule, severity and line of each.
fn found(text: &str) -> Vec<String> {
    shown(&audit_text(text.as_bytes(), Format::Epd))
}

fn shown(audit_result: &crate::common::AuditResult) -> Vec<String> {
    audit_result
        .findings
        .iter()
        .map(|(_, finding)| format!("{} {} {}", finding.rule.code, finding.severity, finding.line))
        .collect()
}

/// What the rules say of one position, whatever the rest of its input may be.
fn facts(fen: &str) -> PositionFacts<'_> {
    PositionFacts::read(fen.as_bytes(), Span::new(0, fen.len()), Origin::FenTag, Declared::default())
}

/// The game of a FEN, in a Chess960 of that name.
fn game(variant: &str, fen: &str) -> String {
    format!(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"{fen}\"]\n[Variant \"{variant}\"]\n\n*\n\n"
    )
}

#[test]
fn the_input_shows_whether_a_clock_is_empty() {
    let position = "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQ1RK1 w - -";
    let gap = format!("{position}  9\n");
    let lines = |counters: &str| format!("{position} {counters}\n").repeat(2);
    // Whatever the number is, it is no clock.
    assert_eq!(found(&gap.repeat(3)), ["FEN01 warning 1"]);
    assert_eq!(found(&format!("{}{gap}", lines("0 9"))), ["FEN01 warning 3"]);
    // The other lines have only a clock, or two spaces too.
    for (counters, others) in [("9", "FEN01"), (" 0 9", "FEN09")] {
        let [one, two, three] = [(others, 1), (others, 2), ("FEN01", 3)].map(|(code, line)| format!("{code} warning {line}"));
        assert_eq!(found(&format!("{}{gap}", lines(counters))), [one, two, three, "FEN09 warning 3".to_owned()]);
    }
    // A clock of 1 would contradict the en passant square.
    let double_step = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    let text = format!("{}{double_step}  1\n", lines("9"));
    assert!(found(&text).contains(&"FEN01 warning 3".to_owned()), "{:?}", found(&text));
}

#[test]
fn whitespace_that_may_be_an_empty_field_has_no_certain_repair() {
    let certainties = |line: &str| {
        let audit_result = audit_text(line.as_bytes(), Format::Epd);
        audit_result.findings.iter().filter_map(|(_, finding)| finding.certainty()).collect::<Vec<_>>()
    };
    let board = "4k3/8/8/8/8/8/4P3/4K3";
    for rest in ["w - -  9", "w - - 0 ", "w - -  ", "w  - -", "w  KQkq - 0", "w 0 1", "w - 0 1", "w  - 0 1"] {
        let line = format!("{board} {rest}\n");
        assert!(!certainties(&line).contains(&Certainty::Certain), "{line}");
    }
    for rest in ["w - -  0 1", "w - - 0 1 ", "w - - ", "w\t- -"] {
        let line = format!("{board} {rest}\n");
        assert_eq!(certainties(&line), [Certainty::Certain], "{line}");
    }
}

#[test]
fn each_way_to_copy_a_position_has_one_finding() {
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let reached = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let plain = format!("{board} b KQkq - 0 1");
    for (line, code, repaired) in [
        (format!("{board} b KQkq 0 1"), "FEN01", Some(plain.as_str())),
        (format!("{board} b KQkq  0 1"), "FEN01", Some(&plain)),
        (format!("{board} b KQkq - - 1"), "FEN08", Some(&plain)),
        (format!("{board} b KQkq - - -"), "FEN08", Some(&plain)),
        (format!("{board} b kqKQ - 0 1"), "FEN06", Some(&plain)),
        (format!("{board} KQkq - 0 1"), "FEN01", None),
        (plain.replace(' ', "_"), "FEN09", Some(&plain)),
        (plain.replace(' ', ";"), "FEN09", Some(&plain)),
        (format!("\"{plain}\","), "FEN09", Some(&plain)),
        (format!("position fen {plain}"), "FEN09", Some(&plain)),
        (format!("position fen {plain} moves e7e5"), "FEN09", Some(reached)),
        (format!("{plain} moves e7e5"), "FEN10", Some(reached)),
        ("startpos".to_owned(), "FEN01", Some(start)),
        ("position startpos moves e2e4 e7e5".to_owned(), "FEN01", Some(reached)),
        ("4Q3/8/8/8/1k1N4/1P6/8/R3K1B1 w KQkq - 0 1".to_owned(), "CAS01", Some("4Q3/8/8/8/1k1N4/1P6/8/R3K1B1 w Q - 0 1")),
    ] {
        let audit_result = audit_text(line.as_bytes(), Format::Epd);
        assert_eq!(audit_result.codes(), [code], "{line}");
        let mut text = line.clone().into_bytes();
        let mut patches = audit_result.findings[0].1.patches().to_vec();
        patches.sort_by_key(|patch| std::cmp::Reverse(patch.place.start));
        for patch in &patches {
            text.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
        }
        assert_eq!((!patches.is_empty()).then_some(String::from_utf8_lossy(&text).as_ref()), repaired, "{line}");
    }
}

#[test]
fn lines_of_another_format_are_reported_once() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\n";
    let own = format!("{position}w KQkq -\n");
    assert_eq!(found(&own.repeat(20)), ["FEN01 error 2"]);
    assert_eq!(found(&own.repeat(19)).len(), 19);
    assert_eq!(found(&format!("{}{}", own.repeat(20), position.repeat(61))).len(), 20, "less than a fifth");
}

#[test]
fn a_column_of_fillers_silences_the_rules_that_believe_it() {
    let pawn_gives_check = "4k3/8/8/8/4p3/5K2/8/8 w - - 3";
    let line = |number: usize| format!("{pawn_gives_check} {number}\n");
    let same = |lines: usize| (0..lines).map(|number| line(60 + number)).collect::<String>();
    assert_eq!(found(&same(19)).len(), 19);
    // A clock that is always 3 is no clock.
    assert_eq!(found(&same(20)), Vec::<String>::new());
    // The numbers are placeholders, the clocks are not.
    let clocks: String = (0..20).map(|clock| format!("4k3/8/8/8/4p3/5K2/8/8 w - - {clock} 90\n")).collect();
    assert_eq!(found(&clocks).len(), 19);
    let numbers: String = (0..20).map(|clock| format!("4k3/P7/8/8/8/8/8/4K3 b - - {clock} 2\n")).collect();
    assert_eq!(found(&numbers), Vec::<String>::new());
    // A clock that is always 0 says nothing against the numbers.
    let numbers: String = (2..22).map(|number| format!("4k3/3P4/8/8/8/8/8/4K3 b - - 0 {number}\n")).collect();
    assert_eq!(found(&numbers).len(), 13);
}

#[test]
fn defaults_say_nothing_however_they_are_mixed() {
    let defaults = ["0 1", "1 0", "0 0", "1 1"];
    let text: String = (0..40).map(|line| format!("4k3/3P4/8/8/8/8/8/4K3 b - - {}\n", defaults[line % 4])).collect();
    let audit_result = audit_text(text.as_bytes(), Format::Epd);
    assert_eq!(shown(&audit_result), ["CTR09 info 2"]);
    assert!(audit_result.findings[0].1.message.contains("20 times"), "{}", audit_result.findings[0].1.message);
    // One record that knows its counters makes a number of 0 a fault of its own.
    let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - - 3 60\n{}", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0\n".repeat(3));
    assert_eq!(found(&text), ["CTR09 warning 2", "CTR09 warning 3", "CTR09 warning 4"]);
}

#[test]
fn records_without_counters_are_not_judged_by_them() {
    for tail in ["", " 0", " x 1", " 0 1 +0+0"] {
        let fen = format!("4k3/3P4/8/8/8/8/8/4K3 b - -{tail}");
        let mut findings = Findings::new();
        examine_line(fen.as_bytes(), Span::new(0, fen.len()), &mut findings);
        let counters: Vec<_> = findings.all().iter().filter(|finding| finding.rule.code.family() == Family::Ctr).collect();
        assert!(counters.is_empty(), "{fen}: {counters:?}");
    }
}

/// Below the number that is expected the rule fires, at that number it does not.
#[test]
fn too_few_moves_has_a_limit() {
    for (fields, clock, least) in [
        ("4k3/3P4/8/8/8/8/8/4K3 b - -", 0, 15),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -", 0, 8),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -", 5, 10),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ -", 5, 10),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ -", 6, 10),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -", 7, 5),
        ("rnbqkbnr/pppppp2/8/6pp/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 0, 3),
        ("rnbqkbnr/pppppp2/8/8/6pp/8/PPPPPPPP/RNBQKBNR b KQkq -", 0, 5),
    ] {
        for number in 2..least + 3 {
            let fen = format!("{fields} {clock} {number}");
            let mut findings = Findings::new();
            examine_line(fen.as_bytes(), Span::new(0, fen.len()), &mut findings);
            let all = std::mem::take(findings.all());
            let fired: Vec<_> = all.iter().filter(|finding| finding.rule.name == "too-few-moves").collect();
            // More plies on the clock than were played are another rule's business.
            if all.iter().any(|finding| finding.rule.name == "clock-over-plies") {
                continue;
            }
            assert_eq!(fired.len(), usize::from(number < least), "{fen}: {all:?}");
            for finding in fired {
                // Without the clock's share the bound may be lower; it is never too high.
                let bound: usize = finding.expected.trim_start_matches("at least ").parse().expect("a number");
                assert!((number + 1..=least).contains(&bound), "{fen}: {bound}");
            }
        }
    }
}

/// Exceptions are reported one by one up to 19; from 20 on, one finding is reported for all. The
/// size of chunks does not matter.
#[test]
fn rights_that_fit_only_chess960_are_exceptions() {
    let standard = "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R w KQkq - 0 20\n";
    let stale = "r2k3r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R w KQk - 0 20\n";
    let counted = |few: usize, all: usize, chunk_bytes: usize| -> Vec<String> {
        let lines: Vec<&str> =
            (0..all).map(|line| if line % (all / few) == 0 && line / (all / few) < few { stale } else { standard }).collect();
        let settings = Settings { chunk_bytes, ..Settings::default() };
        let audited = audit(vec![input(lines.concat().as_bytes(), Format::Epd)], settings);
        audited.findings.iter().map(|(_, finding)| format!("{} {}", finding.line, finding.message)).collect()
    };
    let message = "Black has the castling right `k` with its king on d8, not on e8: it is stale, or the game is Chess960";
    for chunk_bytes in [100, 1000, 1 << 18] {
        assert_eq!(counted(1, 50, chunk_bytes), [format!("1 {message}")]);
        let few: Vec<String> = (0..19).map(|number| format!("{} {message}", number * 10 + 1)).collect();
        assert_eq!(counted(19, 190, chunk_bytes), few);
        assert_eq!(counted(20, 200, chunk_bytes), [format!("1 {message}; 20 positions of this input fit only Chess960")]);
        // More than half: the input is Chess960.
        assert_eq!(counted(60, 60, chunk_bytes), Vec::<String>::new());
    }
}

#[test]
fn an_input_is_chess960_as_a_whole() {
    let bare = format!("{ARRAY} w - - 0 1\n");
    assert_eq!(found(&bare), ["CAS06 info 1"]);
    let ours = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\n";
    assert_eq!(found(&format!("{bare}{ours}")), ["CAS06 info 1", "CAS01 warning 2"], "one warning for both sides");
    assert_eq!(found(&format!("{bare}{ours}{ours}")), Vec::<String>::new());
    let clock = format!("{ARRAY} w KQkq - 3 9\n");
    assert_eq!(found(&clock), ["CTR05 warning 1"]);
    assert_eq!(found(&format!("{clock}{ours}")), ["CTR05 warning 1", "CAS01 warning 2"]);
    assert_eq!(found(&format!("{clock}{ours}{ours}")), Vec::<String>::new());
    // A Variant tag says so, and so does who asks for the audit.
    let standard = game("Standard", &format!("{ARRAY} w KQkq - 3 9"));
    let seen =
        |text: &str| shown(&audit_text(text.as_bytes(), Format::Pgn)).iter().filter(|found| found.starts_with("CTR05")).count();
    assert_eq!(seen(&standard), 1);
    let tagged = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Chess960\"]\n\n*\n\n";
    assert_eq!(seen(&format!("{standard}{tagged}")), 1);
    assert_eq!(seen(&format!("{standard}{tagged}{tagged}")), 0);
    let settings = Settings { variant: Some(Variant::Chess960), ..everything() };
    assert_eq!(shown(&audit(vec![input(clock.as_bytes(), Format::Epd)], settings)), Vec::<String>::new());
}

#[test]
fn unlike_arrays_are_a_fault_among_equal_ones_only() {
    let alike = game("Chess960", "1rk3r1/8/8/4p3/8/8/4P3/1RK3R1 w GBgb - 0 30");
    let unlike = game("Chess960", "1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30");
    let double = game("DFRC", "1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30");
    let seen = |text: String| shown(&audit_text(text.as_bytes(), Format::Pgn));
    assert_eq!(seen(format!("{alike}{alike}{unlike}")), ["CAS05 warning 35"]);
    assert_eq!(seen(format!("{alike}{unlike}{unlike}")), Vec::<String>::new());
    assert_eq!(seen(format!("{alike}{double}")), Vec::<String>::new());
    assert_eq!(facts("1rk3r1/8/8/8/8/8/8/1RK3R1 w GB - 0 30").shared_start(), None);
    assert_eq!(facts("1rk3r1/8/8/8/8/8/8/1RK3R1 w Gb - 0 30").shared_start(), Some(true));
    assert_eq!(facts("1rk2r2/8/8/8/8/8/8/1RK3R1 w Gf - 0 30").shared_start(), Some(false));
    assert_eq!(facts("1rk2r2/8/8/8/8/8/8/1RK3R1 w Gh - 0 30").shared_start(), None);
}

#[test]
fn what_leaves_an_en_passant_square_out_is_proven() {
    for (fen, used) in [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", Some(EnPassantUse::LeftOut)),
        ("rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2", Some(EnPassantUse::LeftOut)),
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", Some(EnPassantUse::LeftOut)),
        // Single steps, other moves, a clock that counts: the last move is not known.
        ("rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", None),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 2 2", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        // Where a pawn attacks the square, other conventions may leave it out as well.
        ("rnbqkbnr/ppp1pppp/8/8/P2pP3/8/1PPP1PPP/RNBQKBNR b KQkq - 0 2", None),
        ("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", Some(EnPassantUse::Unattacked)),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 30", Some(EnPassantUse::Legal)),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 30", Some(EnPassantUse::Illegal)),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 30", None),
    ] {
        assert_eq!(facts(fen).en_passant_use(), used, "{fen}");
    }
    let given = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n";
    let left_out = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n";
    let audit_result = audit_text(format!("{left_out}{given}{given}{left_out}{left_out}").as_bytes(), Format::Epd);
    assert_eq!(shown(&audit_result), ["EPS07 info 2"]);
    let message = &audit_result.findings[0].1.message;
    assert!(message.contains("2 that no pawn attacks, 3 left out, 0 with"), "{message}");
    assert_eq!(found(given), ["EPS06 info 1"]);
    assert_eq!(found(left_out), Vec::<String>::new());
}

#[test]
fn odds_are_one_army_against_a_part_of_one() {
    for (placement, odds) in [
        (ARRAY, false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR", true),
        ("rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR", false),
        ("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR", false),
        ("4k3/8/8/8/8/8/4P3/4K3", false),
    ] {
        assert_eq!(facts(&format!("{placement} w - - 0 1")).is_odds_start(), odds, "{placement}");
    }
}

/// A game at odds begins with moves that nobody has made.
#[test]
fn odds_are_no_fault() {
    for fen in
        ["r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "2bqkb2/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"]
    {
        assert_eq!(shown(&audit_text(game("Standard", fen).as_bytes(), Format::Pgn)), ["VAR06 info 9"], "{fen}");
        assert_eq!(found(&format!("{fen}\n4k3/8/8/8/8/8/4P3/4K3 w - - 3 60")), Vec::<String>::new(), "{fen}");
        assert!(!found(&fen.replace("0 1", "0 9")).is_empty(), "{fen}");
    }
}

/// On the command line: placeholders are silent, a mixed file reports, and Chess960 can be asked
/// for.
#[test]
fn the_program_says_so_too() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let placeholders = "4k3/3P4/8/8/8/8/8/4K3 b - - 0 1\n".repeat(30);
    fs::write(home.path().join("placeholders.epd"), &placeholders)?;
    fs::write(home.path().join("mixed.epd"), format!("{placeholders}{}", "4k3/3P4/8/8/8/8/8/4K3 b - - 0 2\n".repeat(2)))?;
    fs::write(home.path().join("clock.epd"), format!("{ARRAY} w KQkq - 3 9\n"))?;
    let counters = |arguments: &[&str]| -> Result<Vec<String>, Box<dyn Error>> {
        let output = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
            .current_dir(home.path())
            .args(["check", "-q", "--fail-on", "warning", "-o", "report"])
            .args(arguments)
            .output()?;
        let table = fs::read_to_string(home.path().join("report/counters.csv"))?;
        let codes: Vec<String> = table.lines().skip(1).map(|row| row.split(',').nth(1).unwrap_or_default().to_owned()).collect();
        assert_eq!(output.status.code(), Some(i32::from(!codes.is_empty())));
        Ok(codes)
    };
    assert_eq!(counters(&["placeholders.epd"])?, Vec::<String>::new());
    assert_eq!(counters(&["mixed.epd"])?, ["CTR06", "CTR06"]);
    assert_eq!(counters(&["clock.epd"])?, ["CTR05"]);
    assert_eq!(counters(&["clock.epd", "--variant", "chess960"])?, Vec::<String>::new());
    let run: serde_json::Value = serde_json::from_str(&fs::read_to_string(home.path().join("report/run.json"))?)?;
    assert_eq!(run["settings"]["variant"], "Chess960");
    Ok(())
}

#[test]
fn spellings_are_told_with_their_repair() {
    for (fen, code, severity, expected) in [
        ("4k3/8/8/8/8/8/4P3/4K3 White - - 0 40", "FEN05", Severity::Warning, "w"),
        ("r3k2r/8/4p3/8/8/8/8/R3K2R w qkQK - 0 40", "FEN06", Severity::Info, "KQkq"),
        ("r3k2r/8/4p3/8/8/8/8/R3K2R w KKq - 0 40", "FEN06", Severity::Warning, "Kq"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e4 0 40", "FEN07", Severity::Error, "e3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0.0 40", "FEN08", Severity::Error, "0"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 +40", "FEN08", Severity::Error, "40"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - -1 40", "FEN08", Severity::Error, ""),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 040", "FEN08", Severity::Info, "40"),
        ("4k3/8/8/8/8/8/4P3/3♔4 w - - 0 40", "FEN03", Severity::Error, "K"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0", "FEN01", Severity::Warning, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"", "FEN09", Severity::Warning, ""),
        ("rn2k3/8/8/8/8/8/8/4K2R w KQkq - 0 40", "CAS02", Severity::Error, "Kq"),
    ] {
        let audit_result = audit_text(fen.as_bytes(), Format::Epd);
        let finding =
            audit_result.findings.iter().map(|(_, finding)| finding).find(|finding| finding.rule.code.to_string() == code);
        let Some(finding) = finding else { panic!("{fen}: {:?}", audit_result.codes()) };
        assert_eq!((finding.severity, finding.expected.as_str()), (severity, expected), "{fen}");
    }
}

#[test]
fn repairs_in_fen_tags_are_exact() {
    let repairs = |fen: &str| {
        let text = game("Standard", fen);
        let audit_result = audit_text(text.as_bytes(), Format::Pgn);
        let patches = audit_result.findings.iter().filter(|(_, finding)| finding.rule.code.family() != Family::Tag);
        let patches: Vec<_> = patches.flat_map(|(_, finding)| finding.patches().to_vec()).collect();
        assert!(patches.iter().all(|patch| patch.place.of(text.as_bytes()) == patch.old), "{fen}");
        patches.iter().map(|patch| String::from_utf8_lossy(&patch.new).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(repairs("4k3/8/8/8/8/8/4P3/4K3 W - - 0 40"), ["w"]);
    assert_eq!(repairs("4k3/8/8/8/8/8/4P3/4K3  w - - 0 40"), [" "]);
    // The moves show which side is to move.
    assert_eq!(repairs("4k3/8/8/8/8/8/4R3/4K3 w - - 0 40"), [""; 0]);
    // An escaped quote is two bytes.
    assert_eq!(repairs("\\\"4k3/8/8/8/8/8/4P3/4K3 W - - 0 40\\\""), [""; 0]);
}

#[test]
fn a_repair_that_reveals_another_fault_is_not_offered() {
    let repairs = |line: &str| {
        let audit_result = audit_text(line.as_bytes(), Format::Epd);
        audit_result.findings.iter().flat_map(|(_, finding)| finding.patches().to_vec()).count()
    };
    assert_eq!(repairs("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"), 1, "the other side is to move");
    assert_eq!(repairs("4k3/8/8/8/8/8/4R3/4K3 w - - bm Ke7;"), 0, "then the move is illegal");
    assert_eq!(repairs("4k3/8/8/8/3pP3/8/8/4K3 b - e4 7 30"), 0, "then the clock is wrong");
}
