//! Slips in games whose cause is easily mistaken: what is said of them, and what they are repaired
//! to.

use crate::common::{AuditResult, audit, everything, input};
use chess_audit::internals::{
    pipeline::Settings,
    rules::{Certainty, Patch},
    text::Format,
};

const TAGS: &str = "[Event \"A\"]\n[Site \"B\"]\n[Date \"2031.03.21\"]\n[Round \"1\"]\n[White \"C\"]\n[Black \"D\"]\n";

fn of(text: &str) -> AuditResult {
    audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { repairs: true, ..everything() })
}

/// A game with this result and more tags, and these moves.
fn game(result: &str, more: &str, moves: &str) -> String {
    format!("{TAGS}[Result \"{result}\"]\n{more}\n{moves}\n")
}

/// Rule, line, column and message of each finding, but those of layout.
fn said(found: &AuditResult) -> Vec<String> {
    let all = found.findings.iter().filter(|(_, finding)| !finding.rule.layout);
    all.map(|(_, finding)| format!("{} {}:{} {}", finding.rule.code, finding.line, finding.column, finding.message)).collect()
}

/// The text after repairs that are at least this certain.
fn repaired(text: &str, least: Certainty) -> String {
    let found = of(text);
    let repairs = found.findings.iter().filter_map(|(_, finding)| finding.repair.as_deref());
    let mut patches: Vec<&Patch> =
        repairs.filter(|repair| repair.certainty >= least).flat_map(|repair| &repair.patches).collect();
    patches.sort_by_key(|patch| (patch.place.start, patch.place.end));
    let mut text = text.to_owned();
    for patch in patches.into_iter().rev() {
        text.replace_range(patch.place.start..patch.place.end, &String::from_utf8_lossy(&patch.new));
    }
    text
}

#[test]
fn a_tag_without_its_bracket_ends_where_the_next_one_begins() {
    for gap in ["", " "] {
        let text = game("1/2-1/2", "", "1. e4 e5 1/2-1/2").replace("D\"]\n[Result", &format!("D\"{gap}[Result"));
        assert_eq!(said(&of(&text)), ["SYN02 6:1 malformed tag pair: the closing bracket is missing"], "{text}");
        assert_eq!(repaired(&text, Certainty::Likely), text.replace(&format!("D\"{gap}[Result"), &format!("D\"]{gap}[Result")));
    }
}

#[test]
fn text_before_a_tag_pair_does_not_lose_it() {
    let clean = game("*", "", "1. e4 e5 *");
    for before in ["PGN: ", "<game><pgn>", "> "] {
        let text = before.to_owned() + &clean;
        let stray = before.trim_end();
        let said = said(&of(&text));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with(&format!("SYN01 1:1 `{stray}` is not a tag pair, comment or movetext")), "{said:?}");
    }
    let later = clean.replace("[White", "foo [White");
    let found = said(&of(&later));
    assert!(found.len() == 1 && found[0].starts_with("SYN01 5:1 `foo` is not a tag pair, comment or movetext"), "{found:?}");
    let without = clean.replace("[White \"C\"]", "White: \"C\"]");
    assert!(said(&of(&without))[1].starts_with("SYN02 5:1 malformed tag pair: the opening bracket is missing"));
}

#[test]
fn a_no_break_space_in_a_tag_pair_is_named() {
    let text = game("*", "", "1. e4 e5 *").replace("[Event \"", "[Event\u{A0}\"");
    assert_eq!(said(&of(&text)), ["SYN02 1:1 malformed tag pair: there is a no-break space between name and value"]);
    assert_eq!(repaired(&text, Certainty::Likely), game("*", "", "1. e4 e5 *"));
}

#[test]
fn a_comment_on_the_line_of_a_tag_costs_no_moves() {
    // python-chess 1.11.2 reads both plies.
    assert_eq!(said(&of(&game("*", "", "1. e4 e5 *").replace("\"*\"]", "\"*\"] {why}"))), [""; 0]);
    // Here it reads none.
    let apart = game("*", "", "1. e4 e5 *").replace("\"*\"]", "\"*\"]\n{why}");
    assert_eq!(said(&of(&apart)).len(), 1);
}

#[test]
fn a_game_whose_moves_are_not_read_has_moves() {
    let text = game("*", "[Variant \"Four-player\"]\n", "1. e5-e7 .. d10-d8\n2. d5-d6 .. j10-j8");
    let found = said(&of(&text));
    assert!(found.contains(&"RES01 11:19 the movetext ends without a termination marker".to_owned()), "{found:?}");
    let found = said(&of(&game("*", "", "")));
    assert_eq!(found, ["RES01 7:13 the game has no moves and no termination marker"]);
}

#[test]
fn what_follows_a_stray_marker_belongs_to_the_game() {
    for marker in ["0-1}", "\n***\n"] {
        let moves = format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 {marker} Nf6 5. O-O Be7 6. Re1 b5 1-0");
        let text = game("1-0", "[PlyCount \"12\"]\n", &moves);
        let codes = of(&text).codes();
        assert_eq!(codes, ["RES02"], "{marker}");
    }
    // Another marker says nothing of plies.
    assert!(of(&game("1-0", "[PlyCount \"4\"]\n", "1. e4 e5 1-0 1-0")).codes().contains(&"TAG17".to_owned()));
}

#[test]
fn marks_after_missing_moves_say_nothing() {
    let text =
        game("1-0", "", "1. d4 d5 2. c4 c6 3. e3 Nf6 5. Nbd2 Nbd7 6. Bd3 dxc4 7. Nxc4 b5 8. Nce5 Nxe5 9. Nxe5 Qb6 10. O-O 1-0");
    assert_eq!(of(&text).codes(), ["MOV01"]);
    let text = game("1-0", "", "1. e4 e5 2. Nf3 d6 3. d4 Nf64.Nc3 Nbd7 5. Bc4 Be7 6. O-O O-O 7. Re1 c6 8. a4 1-0");
    assert_eq!(of(&text).codes(), ["SYN10"]);
    // Without a gap they are reported.
    assert_eq!(of(&game("*", "", "1. d4 d5 2. c4 c6 3. e3 Nf6 4. Nd2 Nbd7 *")).codes(), ["MOV17"; 0]);
    assert_eq!(of(&game("*", "", "1. d4 d5 2. c4 c6 3. e3 Ngf6 4. Nbd2 *")).codes(), ["MOV17"; 2]);
}

#[test]
fn a_pawn_that_does_not_capture_needs_no_file() {
    let text = game("*", "", "1. e4 ee5 2. d4 exd4 3. c3 dxc3 *");
    assert_eq!(said(&of(&text)), ["MOV17 9:7 e5 is enough: a pawn that does not capture stays on its file"]);
    assert_eq!(repaired(&text, Certainty::Certain), text.replace("ee5", "e5"));
}

#[test]
fn repeated_moves_are_removed() {
    let text =
        |fourth: &str| game("1-0", "", &format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {fourth} 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0"));
    let whole = "4. Ba4 Nf6 5. O-O Be7";
    for repeated in
        ["4. Ba4 Nf6 5. O-O Be7 5. O-O Be7", "4. Ba4 Nf6 4. Ba4\nNf6 5. O-O Be7", "4. Ba4 Nf6 5. O-O Be7 4. Ba4 Nf6 5. O-O Be7"]
    {
        assert_eq!(repaired(&text(repeated), Certainty::Likely), text(whole), "{repeated}");
    }
    // Other moves follow.
    let text = game("1-0", "", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 4. Ba4 Nf6 5. O-O Ke7 6. Qh8 1-0");
    assert!(of(&text).findings.iter().all(|(_, finding)| !finding.message.contains("repeat")));
}

#[test]
fn a_nag_may_be_split() {
    let text = game("*", "", "1. e4 e5 2. Nf3 Nc6 3. Bb5 $ 14 a6 4. Ba4 *");
    assert_eq!(said(&of(&text)), ["SYN11 9:28 whitespace splits `$14`"]);
    assert_eq!(repaired(&text, Certainty::Likely), text.replace("$ 14", "$14"));
}

#[test]
fn an_eco_code_may_be_lowercase() {
    let text = game("*", "[ECO \"c60\"]\n", "1. e4 e5 *");
    assert_eq!(said(&of(&text)), ["TAG15 8:7 the letter of the ECO code `c60` is lowercase"]);
    assert_eq!(said(&of(&text.replace("c60", "f60"))), ["TAG15 8:7 the ECO code `f60` does not exist"]);
}

#[test]
fn nothing_is_certain_in_prose_between_parentheses() {
    for prose in [
        "(White has two continuations here: 3.Bb5 or 3. Bc4. Bc4 is older)",
        "(Black gains space on the queenside by playing ... Pa6)",
    ] {
        let text = game("1-0", "", &format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 {prose} 3... a6 4. Ba4 Nf6 1-0"));
        assert_eq!(repaired(&text, Certainty::Certain), text);
    }
}

#[test]
fn a_missing_ply_is_written_after_its_number() {
    let rest = "5. Bxf6 Bxf6 6. Nf3 O-O 7. Rc1 c6 8. e3 Nd7 9. Bd3 dxc4 10. Bxc4 e5 11. O-O exd4 12. exd4 Nb6 1-0";
    for (cut, whole) in [
        ("3. Nc3 Nf6 4. Be7", "3. Nc3 Nf6 4. Bg5 Be7"),
        ("3. Nc3 Nf6 4\nBe7", "3. Nc3 Nf6 4.\nBg5 Be7"),
        ("3. Nc3 Nf6 4. {so} 4... Be7", "3. Nc3 Nf6 4. Bg5 {so} 4... Be7"),
        ("3. Nc3 Nf6 Be7", "3. Nc3 Nf6 Bg5 Be7"),
        ("3. Nc3 4. Bg5 Be7", "3. Nc3 Nf6 4. Bg5 Be7"),
    ] {
        let text = |moves: &str| game("1-0", "", &format!("1. d4 d5 2. c4 e6 {moves} {rest}"));
        assert_eq!(repaired(&text(cut), Certainty::Likely), text(whole));
    }
}

#[test]
fn a_move_may_be_divided_by_a_hyphen_at_the_end_of_a_line() {
    let text = |third: &str| game("1-0", "", &format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 {third} 5. O-O Be7 6. Re1 b5 1-0"));
    assert_eq!(of(&text("Nf-\n6")).codes(), ["SYN11"]);
    assert_eq!(repaired(&text("Nf-\n6"), Certainty::Likely), text("Nf6"));
}
