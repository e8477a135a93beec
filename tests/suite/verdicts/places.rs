//! Findings cover exactly what is wrong, and nothing else is reported.

use std::collections::BTreeSet;

use crate::{
    common::{audit, audit_text, everything, input, layout_too},
    fast_path_games,
};
use chess_audit::internals::{
    pipeline::Settings,
    rules::{Certainty, Profile, Selection, Severity},
    text::Format,
};
use shakmaty::Square;

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
    ("1. e4 e5 {a <{>b} c}*", &["SYN06"]),
    ("1. e4 e5 <a remark }> 2. Nf3 Nc6 *", &["SYN06"]),
    // A variation that begins one ply late or early.
    ("1. e4 e5 2. Nf3 (<2...> d6 3. d4) 2... Nc6 *", &["NUM02"]),
    ("1. e4 e5 (<2.> d4 exd4) 2. Nf3 Nc6 *", &["NUM01"]),
    // What comes after a repair is not a consequence.
    ("1. e4 e5 2. Nf3 <)> Nc6 3. Bb5 <$300> a6 *", &["SYN08", "ANN01"]),
    // Readers that end the game at the first blank line do not come to the second one.
    ("<>\n1. e4 e5\n\n2. Nf3 Nc6 *", &["SYN12"]),
];

/// A game with more tags than these.
fn game(tags: &str, movetext: &str) -> String {
    format!(
        "[Event \"Places\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\
         {tags}\n{movetext}\n"
    )
}

/// The rules that report something other than infos, with their messages.
fn defects(text: &str) -> Vec<(String, String)> {
    let result = audit_text(text.as_bytes(), Format::Pgn);
    let defects = result.findings.iter().filter(|(_, finding)| finding.severity != Severity::Info);
    defects.map(|(_, finding)| (finding.rule.code.to_string(), finding.message.clone())).collect()
}

#[test]
fn lists_say_how_much_is_left_out() {
    for (repeated, end) in [(11, "Tag9, Tag10 and Tag11; "), (12, "Tag10, Tag11 and 1 more; "), (13, "Tag11 and 2 more; ")] {
        let tags: String = (1..=repeated).map(|tag| format!("[Tag{tag} \"a\"]\n[Tag{tag} \"b\"]\n")).collect();
        let found = defects(&game(&tags, "1. e4 e5 *"));
        assert_eq!((found.len(), found[0].0.as_str()), (1, "TAG03"), "{found:?}");
        assert!(found[0].1.contains(end), "{found:?}");
    }
    let found = defects(&game("", &format!("1. e4 {}e5 *", "$300 ".repeat(10_005))));
    assert_eq!(found.len(), 10_000);
    // Infos are among them.
    assert_eq!(found[9_999].1, "`$300` is above 255; 7 more findings in this record are not listed");
}

/// What is not a move, as written, and the move that it probably means.
#[test]
fn misspelled_moves_are_understood() {
    for (movetext, found, expected) in [
        ("1. e4 e5 2. Sf3 Nc6 3. Bb5 a6 *", "Sf3", "Nf3"),
        ("1. e4 e5 2. \u{41A}f3 Nc6 3. Bb5 a6 *", "\u{41A}f3", "Nf3"),
        ("1. e4 e5 2. Sf3, Nc6 3. Bb5 a6 *", "Sf3,", "Nf3"),
        ("1. e4 e5 2. &nbsp;Sf3 Nc6 3. Bb5 a6 *", "&nbsp;Sf3", "Nf3"),
        ("1. e4 e5 2. Nf3Nc6 3. Bb5 a6 *", "Nf3Nc6", "Nf3 Nc6"),
        ("1. e4 e5 2. Nf3 Nc6 3. 8b5 a6 *", "8b5", "Bb5"),
        ("1. e4 e5 2. Nf3 Nc6 3. 8zz9 a6 *", "8zz9", ""),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. castles Nf6 *", "castles", "O-O"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 axb8b *", "axb8b", ""),
    ] {
        let result = audit_text(game("", movetext).as_bytes(), Format::Pgn);
        let errors = result.findings.iter().filter(|(_, finding)| finding.severity == Severity::Error);
        let errors: Vec<_> =
            errors.map(|(_, finding)| (finding.rule.code.to_string(), finding.found.clone(), finding.expected.clone())).collect();
        assert_eq!(errors, [("SYN10".to_owned(), found.to_owned(), expected.to_owned())], "{movetext}");
    }
}

/// Tokens in a row are one finding, about all of them.
#[test]
fn tokens_in_a_row_are_described_together() {
    let moves = "a6 then fails: it is White's turn, and only Black could play it";
    for (movetext, message) in [
        ("1. e4 e5 2. Nf3 Nc6 3. 8zz9 a6 *", "`8zz9` is not PGN; "),
        ("1. e4 e5 2. Nf3 Nc6 3. 8 zz a6 *", "`8 zz` is not PGN; "),
        ("1. e4 e5 2. Nf3 Nc6 3. 8 88 a6 *", "`8 88` is neither a move nor the next move number; "),
        ("1. e4 e5 2. Nf3 Nc6 3. 8 88 zz a6 *", "`8 88 zz` is not PGN; "),
    ] {
        let found = defects(&game("", movetext));
        assert_eq!(found, [("SYN10".to_owned(), format!("{message}{moves}"))], "{movetext}");
    }
}

/// Games and everything that is reported in them: rule, text, and what is expected instead.
const REPORTED: &[(&str, &str, &[[&str; 3]])] = &[
    ("", "1. f3 e5 2. g4 Qh4 mate 0-1", &[["MOV24", "Qh4 mate", "Qh4#"]]),
    ("", "1. f3 e5 2. g4 Qh4# 0-1", &[]),
    // In other languages, these may be kings. But all letters of the game are English.
    ("", "1. e4 e5 2. Re2 Re7 3. d3 d6 4. Re3 Re6 *", &[["MOV01", "Re2", ""]]),
    ("", "1. e4 [cf.] e5 *", &[["SYN10", "[cf.]", "{cf.}"]]),
    ("", "1. e4 [0.5] e5 *", &[["SYN10", "[0.5]", "(0.5)"]]),
    ("", "1. e4 d5 2. ed5: Qd5: 3. Nc3 *", &[["MOV21", "ed5:", "exd5"]]),
    ("", "1. e4 e5 (1... e5 2. Nf3) *", &[["ANN03", "e5", ""]]),
    ("", "1. e4 e5 (zz 1... e5 2. Nf3) *", &[["SYN10", "zz", ""]]),
    // After the end of a game.
    ("", "1. e4 e5 * (Nf3 Nc6)", &[["RES02", "(", ""]]),
    ("", "1. e4 e5 * (is better)", &[["SYN01", "(is better)", ""]]),
    // Kings signal the result, but not in a variation, and not before the first moves.
    ("", "1. e4 e5 2. Nf3 Nc6 3. Kd5 1-0", &[["MOV25", "Kd5", ""]]),
    ("", "1. e4 e5 2. Nf3 Nc6 (2... d6 3. Ke4 1-0) *", &[["MOV08", "Ke4", "Ke2"], ["SYN09", "1-0", ""]]),
    ("", "1. Ke4 Kd5 1-0", &[["MOV01", "Ke4", ""]]),
    // The last evaluation follows the last move, or the one before checkmate.
    ("", "1. f3 {[%eval -1.0]} e5 {[%eval 1.0]} 2. g4 {[%eval 12.0]} Qh4# 0-1", &[["CLK14", "12.00", ""]]),
    ("", "1. f3 {[%eval -1.0]} e5 {[%eval 12.0]} 2. g4 Qh4# 0-1", &[]),
    ("", "1. e4 {[%eval 1.0]} e5 {[%eval 1.0]} 2. Nf3 {[%eval 12.0]} Nc6 0-1", &[]),
    // The evaluation of a variation is not that of the game.
    ("", "1. e4 {[%eval 0.5]} e5 {[%eval 0.5]} 2. Nf3 {[%eval 0.5]} Nc6 {[%eval 0.5]} (2... d6 {[%eval 12.0]}) 0-1", &[]),
    ("", "1. e4 {[%eval 0.5]} e5 {[%eval 0.5]} (1... c5 2. Nf3 {[%eval 12.0]}) 2. Nf3 0-1", &[]),
    // Nothing that follows an illegal move shows how it is to be joined.
    ("", "1. e4 e5 2. N f3 Nc6 *", &[["SYN11", "N f3", "Nf3"]]),
    ("", "1. e4 e5 2. Ke3 N f6 3. Bb5 a6 *", &[["MOV01", "Ke3", ""], ["SYN10", "N", ""]]),
    ("", "1. e4 e5 2. Ke3 N f3 Nc6 3. Bb5 a6 *", &[["MOV01", "Ke3", ""], ["SYN10", "N", ""]]),
    // A variation whose opening parenthesis is missing.
    ("", "1. e4 e5 1... c5 2. Nf3) 2. Nf3 Nc6 *", &[["SYN08", "1...", "(1..."]]),
    ("", "1. e4 e5 2. Nf3 2. d4 exd4) 2... Nc6 *", &[["SYN08", "2.", "(2."]]),
    ("", "1. e4 e5 2. Nf3 2. --) 2... Nc6 *", &[["SYN08", "2.", "(2."]]),
    ("", "1. e4 e5 (1... c5 2. Nf3 d6 2... Nc6 3. d4) 3. d4) 2. Nf3 *", &[["SYN08", "2...", "(2..."]]),
    ("", "10. e4 e5 11. Nf3 Nc6 11... d6 12. d4) 12. Bb5 a6 *", &[["NUM03", "10.", ""], ["SYN08", "11...", "(11..."]]),
    // The number is not that of the last ply.
    ("", "1. e4 e5 3... c5 2. Nf3) 2. Nf3 Nc6 *", &[["MOV01", "c5", ""], ["SYN08", ")", ""]]),
    // Numbers.
    ("", "1. e4 e5 2. Nf3 Nc6 1. d4 d5 2. c4 e6 3. Nc3 *", &[["NUM01", "1.", ""]]),
    ("", "1. e4 e5 2. Nf3 Nc6 1... d4 d5 2. c4 e6 3. Nc3 *", &[["MOV01", "e6", "Be6"]]),
    ("", "10. e4 e5 11. Nf3 Nc6 *", &[["NUM03", "10.", ""]]),
    ("", "10. e4 e5 2. Nf3 Nc6 *", &[["NUM01", "10.", "1."]]),
    // A misread move, as no other language has one meaning for it: a German knight or a Czech
    // bishop.
    ("", "1. e4 e5 2. Na3 Nf6 5 Sb5 Nc6 *", &[["SYN10", "5 Sb5", ""]]),
    ("", "1. e4 e5 5 Sf3 Nc6 *", &[["NUM01", "5", "2."], ["SYN10", "Sf3", "Nf3"]]),
    // Clocks of a day, and what increments add between two moves.
    (
        "[TimeControl \"72000\"]\n",
        "1. e4 {[%clk 19:59:00]} e5 {[%clk 19:58:00]} 2. Nf3 {[%clk 20:30:00]} Nc6 *",
        &[["CLK02", "20:30:00", ""]],
    ),
    (
        "[TimeControl \"600+60\"]\n",
        "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:09:59]} 2. Nf3 {[%clk 0:09:58]} Nc6 {[%clk 0:09:57]} \
         3. Bb5 {[%clk 0:09:56]} a6 {[%clk 0:09:55]} 4. Ba4 {[%clk 0:15:00]} Nf6 *",
        &[["CLK02", "0:15:00", ""]],
    ),
    // Increments are time that was used, too.
    (
        "[TimeControl \"60+60\"]\n[UTCDate \"2024.01.01\"]\n[UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n\
         [EndDate \"2024.01.01\"]\n[EndTime \"12:02:00\"]\n",
        "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:03]} 2. Nf3 {[%clk 0:00:59]} Nc6 {[%clk 0:01:02]}\n\
         3. Bb5 {[%clk 0:00:58]} a6 {[%clk 0:01:01]} 4. Ba4 {[%clk 0:00:57]} Nf6 {[%clk 0:01:00]}\n\
         5. O-O {[%clk 0:00:56]} Be7 {[%clk 0:00:59]} 6. Re1 {[%clk 0:00:55]} b5 {[%clk 0:00:58]} *",
        &[["CLK17", "12:02:00", ""]],
    ),
    (
        "[TimeControl \"60+60\"]\n[UTCDate \"2024.01.01\"]\n[UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n\
         [EndDate \"2024.01.01\"]\n[EndTime \"12:05:00\"]\n",
        "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:03]} 2. Nf3 {[%clk 0:00:59]} Nc6 {[%clk 0:01:02]}\n\
         3. Bb5 {[%clk 0:00:58]} a6 {[%clk 0:01:01]} 4. Ba4 {[%clk 0:00:57]} Nf6 {[%clk 0:01:00]}\n\
         5. O-O {[%clk 0:00:56]} Be7 {[%clk 0:00:59]} 6. Re1 {[%clk 0:00:55]} b5 {[%clk 0:00:58]} *",
        &[["CLK17", "12:05:00", ""]],
    ),
    (
        "[TimeControl \"90000\"]\n",
        "1. e4 {[%clk 13:00:00]} e5 {[%clk 13:00:01]} 2. Nf3 {[%clk 20:00:00]} Nc6 {[%clk 12:59:00]} *",
        &[["CLK02", "20:00:00", ""]],
    ),
    ("", "1. e4 { [%eval 0.17) } e5 { [%eval 0.17] } *", &[["CLK08", "", ""]]),
    // Castling rights by the files of rooks.
    ("[SetUp \"1\"]\n[FEN \"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Ha - 0 1\"]\n", "1. e4 *", &[["CAS03", "Ha", "Kq"]]),
    (
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1rk2rr1/ppppppp1/8/8/8/8/PPPPPPP1/1RK2R2 w KQkq - 0 1\"]\n",
        "1. e4 *",
        &[["CAS04", "k", "f"]],
    ),
    (
        "[Variant \"Double Fischer Random\"]\n[SetUp \"1\"]\n[FEN \"1rk2rr1/ppppppp1/8/8/8/8/PPPPPPP1/1RK2R2 w KQkq - 0 1\"]\n",
        "1. e4 *",
        &[["CAS04", "k", "g"]],
    ),
    // Tags.
    ("", "1. e4 e5\n\n[Annotator \"x\"]\n2. Nf3 Nc6 *", &[["SYN04", "[Annotator \"x\"]", ""]]),
    ("", "1. e4 e5\n[Annotator \"x\"]\n[Source \"y\"]\n2. Nf3 Nc6 *", &[["SYN04", "[Annotator \"x\"]\\n[Source \"y\"]", ""]]),
    ("", "1. e4 e5\nFrom: x\nDate: y\n2. Nf3 Nc6 *", &[["SYN01", "From: x\\nDate: y", ""]]),
    ("[Annotator \"a\"b\"]\n", "1. e4 *", &[["SYN03", "\"a\"b\"", "\"a\\\"b\""]]),
    // The kings and rooks would be wrong in Chess960, but no tag says that this is Chess960.
    ("[SetUp \"1\"]\n[FEN \"krbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRBNQBNR w - - 0 1\"]\n", "1. e4 *", &[["POS17", "a1", ""]]),
    // Variants.
    ("[Variant \"Crazyhouse\"]\n", "1. e4 d5 2. Nc3 dxe4 3. Ne4 *", &[["MOV15", "Ne4", "Nxe4"]]),
    ("[Variant \"Crazyhouse\"]\n", "1. e4 e5 (1... e4 2. d4) 2. Nf3 *", &[["MOV08", "e4", ""]]),
    ("[Variant \"Crazyhouse\"]\n", "1. e4 e5 (1... d5 2. exd5 Qxd6) *", &[["MOV16", "Qxd6", "Qd6"]]),
    ("[Variant \"Crazyhouse\"]\n", "1. e2e4 e7e5 2. g1f3 *", &[]),
    // Two kings can go on.
    ("[Variant \"Three-check\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/3k4/8/8/3p4/3K4 w - - 3+3 0 1\"]\n", "1. Kxd2 Ke4 1-0", &[]),
    ("[Variant \"Crazyhouse\"]\n", "1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 g8f6 4. e1g1 f8e7 5. f1e1 e8h8 *", &[]),
];

#[test]
fn everything_that_is_reported() {
    for (tags, movetext, expected) in REPORTED {
        let result = movetext.rsplit(' ').find(|word| ["1-0", "0-1", "*"].contains(word)).expect("a marker");
        let text = game(tags, movetext).replace("Result \"*\"", &format!("Result \"{result}\""));
        let findings = audit_text(text.as_bytes(), Format::Pgn).findings;
        let found: Vec<_> = findings
            .iter()
            .map(|(_, finding)| [finding.rule.code.to_string(), finding.found.clone(), finding.expected.clone()])
            .collect();
        assert_eq!(found, *expected, "{text}");
        fast_path_games::compare_once(text.as_bytes());
    }
}

/// Where the moves can no longer be played, nothing shows that a space is missing.
#[test]
fn spaces_after_an_illegal_move_are_less_certain() {
    for (movetext, repair) in
        [("1. e4 e5 2. Nf32... Nc6 3. Bb5 *", Certainty::Certain), ("1. e4 e5 2. Ke3 Nf32... Nc6 3. Bb5 *", Certainty::Likely)]
    {
        let findings = audit_text(game("", movetext).as_bytes(), Format::Pgn).findings;
        let spacing: Vec<_> = findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "SYN11").collect();
        assert_eq!(spacing.iter().map(|(_, finding)| finding.certainty()).collect::<Vec<_>>(), [Some(repair)], "{movetext}");
    }
}

/// What comes before a repair does not contradict it, wherever the record is.
#[test]
fn repairs_are_as_certain_in_every_record() {
    let damaged = game("", "1. e4+ e5 2. Nf3 Nc6 *");
    let clean = game("", "1. d4 d5 *") + "\n";
    for before in [0, 1, 3] {
        let text = clean.repeat(before) + damaged.trim_end() + &clean;
        let findings = audit_text(text.as_bytes(), Format::Pgn).findings;
        let repairs: Vec<_> = findings
            .iter()
            .map(|(_, finding)| (finding.rule.code.to_string(), finding.certainty().map(Certainty::as_str)))
            .collect();
        let expected = [("MOV12".to_owned(), Some("likely")), ("SYN04".to_owned(), Some("certain"))];
        assert_eq!(repairs, expected, "{before}");
    }
}

/// The repeated move is at the beginning of the variation, whatever comes after it.
#[test]
fn repeated_moves_are_where_they_are_repeated() {
    for (movetext, variation) in [
        ("1. e4 e5 (1... e5 2. Nf3 Nc6 3. Bb5) 2. Nf3 *", "2"),
        ("1. e4 e5 (1... c5 2. Nf3 d6 (2... d6 3. d4) 3. d4) 2. Nf3 *", "2.4"),
    ] {
        let findings = audit_text(game("", movetext).as_bytes(), Format::Pgn).findings;
        let [(_, finding)] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!(finding.rule.code.to_string(), "ANN03");
        assert_eq!(finding.variation, variation);
        assert_eq!(finding.ply.map(|ply| ply.to_string()).as_deref(), variation.rsplit('.').next());
        let (move_text, fen) = match variation {
            "2" => ("e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
            _ => ("d6", "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"),
        };
        assert_eq!((finding.move_text.as_str(), finding.fen.as_str()), (move_text, fen));
    }
}

/// Plies are counted from 1: what is found at the end of a game without moves is at none.
#[test]
fn games_without_moves_have_no_plies() {
    for (movetext, ply) in [("1-0", None), ("1. e4 1-0", Some(1))] {
        let findings = audit_text(game("", movetext).as_bytes(), Format::Pgn).findings;
        let plies: Vec<_> = findings.iter().map(|(_, finding)| (finding.rule.code.to_string(), finding.ply)).collect();
        assert!(plies.contains(&("RES04".to_owned(), ply)), "{plies:?}");
        assert!(plies.iter().all(|(_, found)| *found == ply), "{plies:?}");
    }
}

/// Lines of a mail, with the line ends of mails.
#[test]
fn mail_headers_are_skipped() {
    let text = game("", "1. e4 e5\nFrom: x\nDate: y\n2. Nf3 Nc6 *").replace('\n', "\r\n");
    let result = audit_text(text.as_bytes(), Format::Pgn);
    let found: Vec<_> =
        result.findings.iter().map(|(_, finding)| (finding.rule.code.to_string(), finding.found.as_str())).collect();
    assert_eq!(found, [("SYN01".to_owned(), "From: x\\r\\nDate: y")]);
    assert_eq!(result.summary.counts.plies, 4);
}

/// Only the bracket is added.
#[test]
fn tag_pairs_without_an_opening_bracket_are_completed() {
    let tags = "Annotator \"Tal\"]\nRound \"1\"]\n";
    let findings = audit_text(game(tags, "1. e4 *").as_bytes(), Format::Pgn).findings;
    let found = |code: &str| -> Vec<[&str; 2]> {
        let of_rule = findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == code);
        of_rule.map(|(_, finding)| [finding.found.as_str(), finding.expected.as_str()]).collect()
    };
    assert_eq!(found("TAG03"), [["Round \"1\"]", ""]]);
    assert_eq!(found("SYN02"), [["Annotator \"Tal\"]", "[Annotator \"Tal\"]"]]);
}

/// A value is too long once its quotes are escaped.
#[test]
fn values_of_tags_are_repaired_up_to_the_maximum_length() {
    for (length, is_repaired) in [(251, true), (252, false)] {
        let value = format!("a\"b{}", "x".repeat(length));
        let findings = audit_text(game(&format!("[Annotator \"{value}\"]\n"), "1. e4 *").as_bytes(), Format::Pgn).findings;
        let of_tag: Vec<_> = findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "SYN03").collect();
        assert_eq!(of_tag.iter().map(|(_, finding)| !finding.expected.is_empty()).collect::<Vec<_>>(), [is_repaired], "{length}");
    }
}

/// Each style of numbers is reported once in a game.
#[test]
fn styles_of_numbers_are_reported_once() {
    let text = game("", "1.e4 e5 2.Nf3 Nc6 3. Bb5 a6 4 Ba4 Nf6 5 O-O *") + "\n";
    let result = audit(vec![input(text.repeat(3).as_bytes(), Format::Pgn)], layout_too());
    let found: Vec<_> = result.findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "NUM05").collect();
    assert_eq!(found.iter().map(|(_, finding)| finding.found.as_str()).collect::<Vec<_>>(), ["1.", "4"]);
    let messages: Vec<&str> = found.iter().map(|(_, finding)| finding.message.as_str()).collect();
    assert!(messages.iter().all(|message| message.ends_with("; 3 times in this input, first here")), "{messages:?}");
}

/// One rule that is selected does not need another one.
#[test]
fn a_missing_mate_mark_is_reported_alone() {
    let selection = Selection::of(Profile::Strict).select(["MOV13"]).expect("a rule");
    let text = game("", "1. f3 e5 2. g4 Qh4 0-1").replace("\"*\"", "\"0-1\"");
    let result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { selection, ..everything() });
    assert_eq!(result.codes(), ["MOV13"]);
}

/// A distance to mate that no score can express is not turned into one.
#[test]
fn scores_of_distant_mates_are_not_made_up() {
    for (distance, expected) in [(20, "32728"), (383, "32002"), (384, ""), (2000, "")] {
        let line = format!("4k3/8/8/8/8/8/3R4/4K3 w - - ce 32764; dm {distance};\n");
        let findings = audit_text(line.as_bytes(), Format::Epd).findings;
        let found: Vec<_> =
            findings.iter().map(|(_, finding)| (finding.rule.code.to_string(), finding.expected.as_str())).collect();
        assert_eq!(found, [("EPD12".to_owned(), expected)]);
    }
}

/// Accepted positions are counted as lines, whatever ends them and whether they have names.
#[test]
fn lines_between_accepted_positions_have_their_numbers() {
    for end in ["\n", "\r\n"] {
        for (before, between) in [(0, 1), (1, 0), (3, 2), (40, 30)] {
            let good = |number: u64| {
                let operations = ["", " id \"a\";", " bm Ke2;"][(number % 3) as usize].replace('a', &number.to_string());
                format!("4k3/8/8/8/8/4P3/8/4K3 w - -{operations}{end}")
            };
            let bad = "4k3/8/8/8/8/8/4P3/8 w - -";
            let [first, second]: [String; 2] = [0..before, before..before + between].map(|numbers| numbers.map(good).collect());
            let text = format!("{first}{bad}{end}{second}{bad}");
            for chunk_bytes in [50, 1 << 18] {
                let settings = Settings { chunk_bytes, ..Settings::default() };
                let found = audit(vec![input(text.as_bytes(), Format::Epd)], settings).findings;
                let lines: BTreeSet<u64> = found.iter().map(|(_, finding)| finding.line).collect();
                assert_eq!(lines, BTreeSet::from([before + 1, before + between + 2]), "{text}");
            }
        }
    }
}

/// Twenty games that are wrong in the same way have another way of counting.
#[test]
fn ply_counts_that_are_off_by_one_are_counted() {
    for (count, reported) in [("1", 1), ("3", 1), ("4", 20)] {
        let text = (game(&format!("[PlyCount \"{count}\"]\n"), "1. e4 e5 *") + "\n").repeat(20);
        let result = audit_text(text.as_bytes(), Format::Pgn);
        let codes: Vec<String> = result.codes().into_iter().filter(|code| code == "TAG17").collect();
        assert_eq!(codes.len(), reported, "{count}: {:?}", result.lines());
    }
}

/// Comments after the end are not about what the end is.
#[test]
fn misspelled_markers_are_understood_before_comments() {
    for marker in ["1-O", "1-", "+-"] {
        for comment in ["", " {White won}", " $18"] {
            let text = game("", &format!("1. e4 e5 2. Nf3 Nc6 {marker}{comment}")).replace("\"*\"", "\"1-0\"");
            let findings = audit_text(text.as_bytes(), Format::Pgn).findings;
            let of_rule = findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "RES03");
            let found: Vec<_> = of_rule.map(|(_, finding)| (finding.found.as_str(), finding.expected.as_str())).collect();
            assert_eq!(found, [(marker, "1-0")], "{comment}");
        }
    }
}

/// Each move that is not replayed counts.
#[test]
fn null_moves_in_check_end_the_replay() {
    let result = audit_text(game("", "1. e4 d5 2. Bb5+ -- 3. Bd7 Kxd7 *").as_bytes(), Format::Pgn);
    assert_eq!(result.codes(), ["MOV07"]);
    let counts = result.summary.counts;
    assert_eq!((counts.plies, counts.plies_not_examined), (3, 3));
}

/// Plain movetext after an illegal move is read in a shorter way, up to whatever may belong to its
/// last move.
#[test]
fn plies_after_an_illegal_move_are_counted() {
    for (rest, plies) in [
        ("Nc6 3. Nf3 Nf6 *", 3),
        ("Nc6 3.Nf3 Nf6 4.d4 d5 ; c\n5. c4 *", 6),
        ("Nc6 3 Nf3 Nf6 4 d4 d5 *", 5),
        ("Nc6 3. e8 =Q Nf6 4. Qa8 # *", 4),
        ("Nc6 3. exd6 e.p. Nf6 *", 3),
        ("Nc6 {c} 3. Nf3 $1 Nf6 4. d4 *", 4),
        ("Nc6 3. Nf3 Nf6 (3... d6 4. d4 Bg4) 4. d4 *", 4),
    ] {
        let in_variation = if rest.contains('(') { 3 } else { 0 };
        for rest in [rest.to_owned(), rest.replace(' ', "\t"), rest.replace(' ', "  ")] {
            let result = audit_text(game("", &format!("1. e4 e5 2. Ke4 {rest}")).as_bytes(), Format::Pgn);
            let counts = result.summary.counts;
            assert_eq!((counts.plies, counts.plies_not_examined), (2, 1 + plies + in_variation), "{rest:?}");
            let illegal = result.findings.iter().find(|(_, finding)| finding.rule.code.to_string() == "MOV01");
            let message = illegal.map_or("", |(_, finding)| finding.message.as_str());
            assert!(message.ends_with(&format!("; {plies} plies not checked")), "{rest:?}: {message}");
        }
    }
}

/// A bishop on c8 cannot leave before a pawn moves.
#[test]
fn bishops_that_are_missing_behind_their_pawns_were_captured_there() {
    for (placement, message, squares) in [
        (
            "rn1qkbnr/pppppppp/8/8/8/2P5/P1PPPPPP/RNBQKBNR",
            "White's pawns have made at least 1 capture, but Black has lost 1 piece, including a bishop captured on its home square",
            vec![Square::C2, Square::C3],
        ),
        (
            "rn1qkbnr/1ppppppp/8/7q/4b3/8/1PPPPPPP/R1BQKBNR",
            "Black has lost no piece, but a bishop was captured on c8, shut in by unmoved pawns",
            // And the queens and the bishop, one of which was promoted.
            vec![Square::E4, Square::H5, Square::C8, Square::D8],
        ),
    ] {
        let findings = audit_text(format!("{placement} w KQkq - 0 1\n").as_bytes(), Format::Epd).findings;
        let [(_, finding)] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!((finding.rule.code.to_string().as_str(), finding.message.as_str()), ("POS13", message));
        assert_eq!(finding.marks.squares.into_iter().collect::<Vec<_>>(), squares);
    }
}

/// The longest records that the standard allows, and longer ones.
#[test]
fn long_records_are_reported_from_1025_bytes_on() {
    let line = |length: usize| {
        let start = "4k3/8/8/8/8/8/4P3/4K3 w - - ";
        let operations: String = (0..9).map(|number| format!("c{number} \"{}\"; ", "x".repeat(100))).collect();
        let rest = length - start.len() - operations.len() - "c9 \"\";".len();
        format!("{start}{operations}c9 \"{}\";\n", "x".repeat(rest))
    };
    for (length, codes) in [(1023, &[][..]), (1024, &[]), (1025, &["EPD04"]), (1030, &["EPD04"])] {
        assert_eq!(audit_text(line(length).as_bytes(), Format::Epd).codes(), codes, "{length}");
    }
}

/// Captures en passant that cannot be played, with the reason.
#[test]
fn captures_en_passant_need_a_double_step() {
    for (placement, reason) in [
        ("4k3/8/8/3pP3/8/8/8/4K3", "it captures en passant, but the position does not give the en passant square d6"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3", "capturing en passant on d6 is possible only right after the double step"),
    ] {
        let found = defects(&game(&format!("[SetUp \"1\"]\n[FEN \"{placement} w - - 0 1\"]\n"), "1. exd6 *"));
        assert_eq!(found, [("MOV01".to_owned(), format!("exd6 is not legal here: {reason}"))]);
    }
}

/// A position in a tag is checked like any other, unless the moves lead to it.
#[test]
fn positions_that_cannot_be_reached_are_reported_where_they_are_written() {
    let position = |fen: &str| defects(&game(&format!("[CurrentPosition \"{fen}\"]\n"), "1. e4 e5 *"));
    assert_eq!(position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"), []);
    let found = position("rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1");
    let message = "CurrentPosition: White's pawns have made at least 1 capture, but Black has lost no piece";
    assert_eq!(found, [("POS13".to_owned(), message.to_owned())]);
}

#[test]
fn findings_cover_what_is_wrong() {
    for (marked, rules) in CASES {
        let (mut text, mut places) = (game("", "").trim_end().to_owned() + "\n\n", Vec::new());
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
