//! Clean games are accepted without being explained: whatever way a text is read, the audit
//! reports the same.
//!
//! The tests over corpora run where there are any, and say so where there are none.

use std::{borrow::Cow, cmp::Reverse, fs, path::PathBuf};

use crate::common::extent::{part, stride};
use crate::common::{
    AuditResult, Numbers, audit, audit_as_it_is, corpora, fixture,
    games::{Game, Taste, choose, game, games},
    input,
};
use chess_audit::internals::{
    chess::{
        Board, SanWord, WrittenSan,
        winnability::{cannot_checkmate, is_dead},
    },
    pgn::Limits,
    pipeline::Settings,
    record::{FastGames, least_severe_about_games},
    rules::{ActiveRules, Profile, RULES, Rule, Selection, Severity},
    text::Format,
};
use proptest::prelude::*;
use shakmaty::{
    Chess, Color, EnPassantMode, Position, Rank, Role, Setup, Square,
    san::{San, SanPlus},
};

/// What the audit of a text reports, with or without games being accepted. Without a size of
/// chunks, the text is one chunk that is read on this thread: to start others takes longer than to
/// read a game.
fn audit_result(text: &[u8], profile: Profile, limits: Limits, chunk_bytes: Option<usize>, thorough: bool) -> String {
    let selection = Selection::of(profile);
    let settings = Settings { selection, threads: 1, thorough, limits, ..Settings::default() };
    let AuditResult { findings, inputs, failures, summary } = match chunk_bytes {
        Some(chunk_bytes) => audit(vec![input(text, Format::Pgn)], Settings { chunk_bytes, ..settings }),
        None => audit_as_it_is(text, Format::Pgn, settings),
    };
    let findings: Vec<String> = findings.iter().map(|(_, finding)| crate::common::line(finding)).collect();
    format!("{findings:#?} {inputs:?} {failures:?} {:?}", summary.counts)
}

/// Limits within which some of the values of [`VALUES`] lie, and some of the usual ones do not.
const NARROW: Limits = Limits {
    min_elo: 1000,
    max_elo: 2799,
    first_day: jiff::civil::Date::constant(2020, 2, 29),
    last_day: Some(jiff::civil::Date::constant(2024, 1, 1)),
    as_of: Some(jiff::civil::Date::constant(2023, 12, 31)),
};

/// Limits within which nearly everything lies.
const WIDE: Limits =
    Limits { min_elo: 0, max_elo: 20_000, first_day: jiff::civil::Date::constant(100, 1, 1), last_day: None, as_of: None };

/// Where infos are shown, the text after games with those that are reported once per input: they
/// are only counted from then on.
fn after_usual_infos(text: &[u8], profile: Profile) -> Cow<'_, [u8]> {
    if profile != Profile::Strict {
        return Cow::Borrowed(text);
    }
    let usual = with_movetext("1.e4 1...e5 2. Nf3 *");
    let long = with_movetext(&format!("1. e4 {{{}}} 1... e5 *", "word ".repeat(60)));
    Cow::Owned([usual.as_bytes(), usual.replace('\n', "\r\n").as_bytes(), long.as_bytes(), text].concat())
}

/// Holds both ways to read a text with the usual settings against each other, without and with
/// infos.
pub fn compare_once(text: &[u8]) {
    for profile in [Profile::Standard, Profile::Strict] {
        let text = &after_usual_infos(text, profile)[..];
        let [fast, thorough] = [false, true].map(|thorough| audit_result(text, profile, Limits::DEFAULT, None, thorough));
        assert!(fast == thorough, "{}\n\nfast: {fast}\n\nthorough: {thorough}", String::from_utf8_lossy(text));
    }
}

/// Holds both ways to read a text against each other, with several settings.
fn compare(text: &[u8]) {
    compare_sample(text, "");
}

/// The same for a sample of a rule. `hint` says what to change if the results differ.
fn compare_sample(text: &[u8], hint: &str) {
    // An audit survives a panic; here there is none.
    let checks = ActiveRules::of(&Selection::default());
    let mut clean = FastGames::default();
    for at in (0..text.len()).filter(|&at| text[at] == b'[') {
        clean.accept(text, at, &checks);
    }
    for (profile, limits, chunk_bytes) in [
        (Profile::Standard, Limits::DEFAULT, None),
        (Profile::Standard, Limits::DEFAULT, Some(3000)),
        (Profile::Problem, Limits::DEFAULT, None),
        (Profile::Problem, Limits::DEFAULT, Some(3000)),
        (Profile::Strict, Limits::DEFAULT, None),
        (Profile::Strict, Limits::DEFAULT, Some(3000)),
        (Profile::Strict, NARROW, None),
        (Profile::Standard, NARROW, None),
        (Profile::Standard, WIDE, None),
    ] {
        let text = &after_usual_infos(text, profile)[..];
        let [fast, thorough] = [false, true].map(|thorough| audit_result(text, profile, limits, chunk_bytes, thorough));
        assert!(fast == thorough, "{hint}{}\n\nfast: {fast}\n\nthorough: {thorough}", String::from_utf8_lossy(text));
    }
}

/// How many of the games of a text are accepted, and how many there are.
fn passed_over<'a>(games: impl IntoIterator<Item = &'a str>) -> (usize, usize) {
    passed_over_by(&mut FastGames::default(), games)
}

/// The same for games without infos in their movetext.
fn exactly_passed_over<'a>(games: impl IntoIterator<Item = &'a str>) -> (usize, usize) {
    passed_over_by(&mut FastGames::without(Severity::Info, &Limits::DEFAULT), games)
}

fn passed_over_by<'a>(clean: &mut FastGames, games: impl IntoIterator<Item = &'a str>) -> (usize, usize) {
    let checks = ActiveRules::of(&Selection::default());
    let (mut passed, mut all) = (0, 0);
    for game in games {
        // Not at the end of a text: there, little is known of what follows.
        let text = format!("{game}[Event \"Another\"]\n[Site \"Somewhere\"]\n");
        passed += usize::from(clean.accept(text.as_bytes(), 0, &checks).is_some_and(|clean| clean.next == game.len()));
        all += 1;
    }
    (passed, all)
}

#[test]
fn games_of_legal_moves_are_passed_over() {
    let games: Vec<Game> = games(2000).into_iter().filter(|game| game.fen.is_none() && !game.moves.is_empty()).collect();
    let texts: Vec<String> = games.iter().map(Game::plain).collect();
    let (passed, all) = passed_over(texts.iter().map(String::as_str));
    assert!(passed * 100 >= all * 99, "{passed} of {all} games were passed over");
    let (passed, all) = exactly_passed_over(texts.iter().map(String::as_str));
    assert!(passed * 100 >= all * 85, "{passed} of {all} games were passed over");
}

/// With infos, a game is accepted only if it is written exactly as the standard says.
#[test]
fn movetext_with_infos_is_not_passed_over() {
    for movetext in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1.e4 e5 2.Nf3 Nc6 *",
        "1. e4 1... e5 2. Nf3 *",
        "1. e4 {a plan} 1... e5 {another} 2. Nf3! Nc6?! *",
        "{words} 1. e4 e5 *",
        "1. e4 {+0.15/12 0.5s} 1... e5 {0.00/12 0.5s} 2. Nf3 {-M5/12 0.5s} 2... Nc6 {+M5/12 0.5s} *",
        "1. e4 {d=17, mt=3076, wv=0.62} 1... e5 {d=17, mt=3076, wv=0.62,} *",
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0",
        "1. Nf3 a6 2. Nc3 b6 3. e3 c6 4. Ne2 d6 5. Ned4 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *",
        "1. d4 e6 2. Nd2 Bb4 3. Nf3 a6 *",
        // `Infos` counts checks without a mark.
        "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *",
        "1. e4 d5 2. Bb5! *",
    ] {
        assert_eq!(exactly_passed_over([with_movetext(movetext).as_str()]), (1, 1), "{movetext}");
    }
    for movetext in [
        // Marks, disambiguation and promotions.
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf7# 1-0",
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7+ 1-0",
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7 1-0",
        "1. e4 d5 2. Ngf3 *",
        "1. Nf3 a6 2. Nc3 b6 3. e3 c6 4. Ne2 d6 5. N2d4 *",
        "1. Nf3 a6 2. Nc3 b6 3. e3 c6 4. Ne2 d6 5. Ne2d4 *",
        // The knight on d2 cannot go to f3, because it is pinned.
        "1. d4 e6 2. Nd2 Bb4 3. Ngf3 a6 *",
        "1. d4 e6 2. Nc3 Bb4 3. e4 a6 4. Nge2 *",
        // Other tokens.
        "1. e4 $1 e5 *",
        "1. e4 (1. d4) 1... e5 *",
        "1. e4 {[%clk 0:01:00]} 1... e5 *",
        "1. e4 {+9.15/12 0.5s} 1... e5 {-9.15/12 0.5s} 0-1",
        "1. f3 {-0.80/9 0.5s} 1... e5 {-3.70/9 0.5s} 2. g4 {-0.90/9 0.5s} 2... Qh4# {-3.70/9 0.5s} 0-1",
        "1. e4 {+0.15/12 0.5s} {+0.16/12 0.5s} 1... e5 *",
        "1-0",
    ] {
        let text = with_movetext(movetext);
        assert_eq!(exactly_passed_over([text.as_str()]), (0, 1), "{movetext}");
        compare_once(text.as_bytes());
    }
    // An en passant square without a possible capture.
    let text = from_position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", "2. Nf3 *");
    assert_eq!((passed_over([text.as_str()]), exactly_passed_over([text.as_str()])), ((1, 1), (0, 1)));
    compare(text.repeat(3).as_bytes());
    for (from, to) in [
        ("\n\n1.", "\n1."),
        ("[Result", "[Termination \"time forfeit\"]\n[Result"),
        ("[Result", "[CurrentPosition \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\"]\n[Result"),
        ("*\n\n", "*\n"),
        ("e5", "e5 {a\n%b}"),
    ] {
        compare(with_movetext("1. e4 e5 *").replace(from, to).repeat(3).as_bytes());
    }
}

/// Rules read no comment after the termination marker.
#[test]
fn games_followed_by_comments_are_passed_over() {
    let game = with_movetext("1. e4 e5 *");
    for comment in ["; words", "{words}", "; {words", "{several\nlines}\n; and more", "; [Event \"?\"]", "{White wins}"] {
        for text in [game.replace("*\n\n", &format!("* {comment}\n\n")), game.replace("*\n\n", &format!("*\n{comment}\n\n"))] {
            assert_eq!(passed_over([text.as_str()]), (1, 1), "{text}");
            assert_eq!(exactly_passed_over([text.as_str()]), (1, 1), "{text}");
            compare(text.repeat(3).as_bytes());
            compare(text.trim_end().as_bytes());
        }
    }
    for comment in
        ["{open", "{open\n[Event \"?\"]\n}", "{[%clk 0:01:00]}", "; words\nwords", "{a {b} c}", "; words\n1-0", "% words"]
    {
        let text = game.replace("*\n\n", &format!("* {comment}\n\n"));
        assert_eq!(passed_over([text.as_str()]), (0, 1), "{text}");
        compare(text.repeat(3).as_bytes());
    }
}

/// With infos, moves after a dead position are reported, and a game that ends in one is passed
/// over.
#[test]
fn moves_after_a_dead_position() {
    let mut numbers = Numbers::new(41);
    let (mut dead, mut plies_after) = (0, 0);
    while dead < 12 {
        let (mut position, mut movetext, mut after) = (Chess::default(), String::new(), 0);
        for ply in 0..600 {
            let moves = position.legal_moves();
            let captures: Vec<_> = moves.iter().filter(|played| played.is_capture()).collect();
            if moves.is_empty() || after > dead % 3 {
                break;
            }
            let played =
                if captures.is_empty() { moves[numbers.below(moves.len())] } else { *captures[numbers.below(captures.len())] };
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            movetext.push_str(&format!("{number}{} ", SanPlus::from_move(position.clone(), played)));
            position.play_unchecked(played);
            after += usize::from(position.is_insufficient_material());
        }
        if after > 0 {
            dead += 1;
            plies_after += after - 1;
            let text = with_movetext(&format!("{movetext}1/2-1/2"));
            compare(text.repeat(2).as_bytes());
            assert_eq!(exactly_passed_over([text.as_str()]), (usize::from(after == 1), 1), "{text}");
        }
    }
    assert!(plies_after > 5, "{plies_after}");
}

/// Only a position that the comment announces is compared with the board.
#[test]
fn comments_with_many_slashes_are_passed_over() {
    let text = with_movetext("1. e4 {a/b/c/d/e/f/g/h/i} 1... e5 {Position 1/2/3 of a/b/c/d/e/f/g/h} *");
    assert_eq!((passed_over([text.as_str()]), exactly_passed_over([text.as_str()])), ((1, 1), (1, 1)));
    compare(text.as_bytes());
}

/// TCEC wrote the position before the first move after it. Rules compare other positions with the
/// board.
#[test]
fn comments_with_the_starting_position_are_passed_over() {
    let start = "FEN = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let other = "FEN = rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
    for (comment, expected) in [
        (start.to_owned(), true),
        (format!("Eval = 0.00, {start}, and again {start}"), true),
        (other.to_owned(), false),
        (format!("{start}, then {other}"), false),
        (start.replace("w KQkq", "w KQk"), false),
        (start.replace(" 0 1", ""), false),
        (start.replace(" 0 1", " 0 2"), false),
    ] {
        let text = with_movetext(&format!("1. d4 {{ {comment} }} 1... Nf6 *"));
        let passed = (passed_over([text.as_str()]), exactly_passed_over([text.as_str()]));
        assert_eq!(passed == ((1, 1), (1, 1)), expected, "{comment}");
        compare(text.as_bytes());
        compare(from_position("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", &format!("1. d4 {{ {comment} }} 1... Ke7 *")).as_bytes());
    }
}

/// Brackets and slashes at every place of comments that are short and long.
#[test]
fn comments_with_brackets_at_every_place() {
    let placement = "FEN: 8/8/8/8/8/8/8/K1k5 ";
    let inserted = [
        "{",
        "}",
        "[",
        "]",
        "[%",
        "[%clk 0:00:01]",
        "[%eval #1] ",
        "[%eval #-3]",
        "\n[",
        "\r\n[Event ",
        "/",
        placement,
        "\u{7f}",
        "é",
        "\u{0}",
    ];
    let mut passed = 0;
    for (number, words) in inserted.iter().enumerate() {
        let mut text = String::new();
        for length in [0_usize, 5, 15, 30, 31, 32, 33, 60, 64, 65, 100] {
            for at in [0, 1, length / 2, length.saturating_sub(1), length] {
                let comment: String = "d=9, pv=e4 ".chars().cycle().take(length).collect();
                let comment = format!("{}{words}{}", &comment[..at.min(length)], &comment[at.min(length)..]);
                text.push_str(&with_movetext(&format!("1. e4 {{{comment}}} 1... e5 {{ {comment} }} *")));
            }
        }
        compare_once(text.as_bytes());
        let games: Vec<&str> = text.split_inclusive("*\n\n").collect();
        let (some, all) = passed_over(games);
        passed += some;
        assert!(some < all || !["{", "[%", "\n["].contains(words), "{number}: {some} of {all}");
    }
    assert!(passed > 100, "{passed} games were passed over");
}

/// What engines write about their moves is compared with the end of the game and with itself.
#[test]
fn remarks_of_engines_in_exact_games() {
    let mut numbers = Numbers::new(29);
    let mut text = String::new();
    for _ in 0..300 {
        let plies = 4 + numbers.below(24);
        let (kind, change) = (numbers.below(3), numbers.below(4));
        let mut value = numbers.below(40) as i32 - 20;
        let mut movetext = String::new();
        for ply in 0..plies {
            if ply % 2 == 0 {
                movetext.push_str(&format!("{}. ", ply / 2 + 1));
            }
            let moves = ["Nf3", "Nf6", "Ng1", "Ng8", "a3", "a6", "b3", "b6", "c3", "c6", "d3", "d6"];
            let played = moves.get(ply).copied().unwrap_or(["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4]);
            if numbers.below(4) < change {
                value = [value + 1, 0, 350, -350, 700, 1200, -1200, 6000][numbers.below(8)];
            }
            let movers = if ply % 2 == 0 { value } else { -value };
            let white = f64::from(value) / 100.0;
            let remark = match kind {
                0 => format!("{{{:+.2}/9 0.5s}} ", f64::from(movers) / 100.0).replace("+0.00", "0.00").replace("-0.00", "0.00"),
                1 => format!("{{d=9, mt=500, tl=60000, wv={white:.2}, }} "),
                _ => ["{+M3/9 0.5s} ", "{-M3/9 0.5s} "][ply % 2].to_owned(),
            };
            movetext.push_str(&format!("{played} {remark}"));
            if ply % 2 == 0 && ply + 1 < plies {
                movetext.push_str(&format!("{}... ", ply / 2 + 1));
            }
        }
        movetext.push_str(["1-0", "0-1", "1/2-1/2", "*"][numbers.below(4)]);
        let times = "[GameStartTime \"2020-01-01T10:00:00.000 UTC\"]\n[GameEndTime \"2020-01-01T10:00:02.000 UTC\"]\n[Result";
        let game = with_movetext(&movetext);
        text.push_str(&if numbers.below(3) == 0 { game.replacen("[Result", times, 1) } else { game });
    }
    compare(text.as_bytes());
    let findings = audit_result(text.as_bytes(), Profile::Strict, Limits::DEFAULT, None, false);
    for words in ["CLK11", "CLK14", "CLK17"] {
        assert!(findings.contains(words), "{words} is not reported");
    }
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let (passed, all) = exactly_passed_over(starts.windows(2).map(|pair| &text[pair[0]..pair[1]]));
    assert!(passed * 10 > all && passed * 4 < 3 * all, "{passed} of {all} games were passed over");
}

/// What is reported once per input is counted in every game, and rules about all games of an input
/// see every game that they need.
#[test]
fn infos_that_are_passed_over_are_counted() {
    let mut numbers = Numbers::new(23);
    let tags = [
        "[Round \"x\"]",
        "[WhiteElo \"?\"]",
        "[Termination \"rules\"]",
        "[WhiteTitle \"XX\"]",
        "[PlayCount \"2\"]",
        "[WhiteFideId \"1234567\"]",
        "[WhiteFideId \"7654321\"]",
        "[TimeControl \"slow\"]",
        "[Annotator \"\"]",
    ];
    let movetexts = [
        "1.e4 e5 *",
        "1. e4 e5 *",
        "1. e4 1... e5 *",
        "1. e4 1...e5 2. Nf3 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        "1. e4 d5 2. Bb5 *",
        "1. e4 d5 2. Bb5! c6 3. Bxc6+ bxc6 *",
        "1. e4 d5 2. Bb5 c6 3. Bxc6 bxc6 *",
        "1. e4 d5 2. Bb5 Bd7 3. Bxd7 Kxd7 4. Qg4 Ke8 5. Qd7 Kxd7 *",
    ];
    let mut text = String::new();
    for _ in 0..400 {
        let mut game = with_movetext(movetexts[numbers.below(movetexts.len())]);
        for _ in 0..numbers.below(3) {
            let tag = tags[numbers.below(tags.len())];
            let tag = if tag.starts_with("[Round") { tag.to_owned() } else { format!("[Round \"?\"]\n{tag}") };
            game = game.replacen("[Round \"?\"]", &tag, 1);
        }
        game = game.replacen("\"A\"", ["\"Quill, Ada\"", "\"Raines, Tom\"", "\"Stark,Lee\""][numbers.below(3)], 1);
        if numbers.below(10) == 0 {
            game = game.replace('\n', "\r\n");
        }
        text.push_str(&game);
    }
    compare(text.as_bytes());
    let strict = audit_result(text.as_bytes(), Profile::Strict, Limits::DEFAULT, None, false);
    for words in ["TAG09", "TAG11", "TAG14", "TAG23", "MOV11", "NUM05", "ENC08"] {
        assert!(strict.contains(words), "{words} is not reported");
    }
}

/// The fast path reads eight bytes at a time, and nothing follows the last game.
#[test]
fn the_last_game_of_a_text_is_passed_over() {
    let checks = ActiveRules::of(&Selection::default());
    let mut clean = FastGames::default();
    let game = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n\
                [Result \"*\"]\n\n1. e4 e5 *";
    for (before, end) in [("", ""), ("", "\n"), ("", "\r\n\r\n"), (game, ""), (game, "\n"), (game, "  \n\n\n\n\n\n\n\n\n\n")] {
        let text = if before.is_empty() { format!("{game}{end}") } else { format!("{before}\n\n{game}{end}") };
        let start = if before.is_empty() { 0 } else { before.len() + 2 };
        let accept = |games: &mut FastGames, text: &[u8], start: usize| games.accept(text, start, &checks);
        let last = clean.accept_last(text.as_bytes(), start, accept).map(|game| (game.next, game.plies));
        assert_eq!(last, Some((text.len(), 2)), "{text:?}");
        compare_once(text.as_bytes());
    }
    // A game that is not followed by its marker is not complete.
    let cut = &game[..game.len() - 1];
    assert!(clean.accept_last(cut.as_bytes(), 0, |games, text, start| games.accept(text, start, &checks)).is_none());
}

/// Movetexts with variations as programs write them.
const VARIATIONS: [&str; 10] = [
    "1. f3 e5 2. g4 Qe7 (2... Qh4#) *",
    "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 $1 3. exd5) (2. d4) 2... d6 {a plan} 3. d4) (1... e6) 2. Nf3 Nc6 *",
    "1. e4 ( 1. d4 d5 { closed } 2. c4 ) ( 1. c4 ) 1... e5 ( { open } 1... c5 ) 2. Nf3 $1 (2. f4 exf4 3. Nf3) *",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O (5. d3 {[%csl Ge5][%cal Gd3d4]} 5... b5 6. Bb3) 5... Be7 *",
    "1. d4 d5 2. c4 e6 (2... c6 3. cxd5 (3. Nf3 Nf6 (3... e6 4. e3)) 3... cxd5) 3. Nc3 Nf6 (3... c5 4. cxd5) 4. Bg5 *",
    "1. f3 e5 2. g4 (2. e4 {[%eval 0.1]} Qh4+ 3. g3 {[%clk 0:01:00]}) (2. a4 Qh4+ 3. g3 Qxg3+ 4. hxg3) 2... Qh4# 0-1",
    "1. e4 e5 2. Qh5 Ke7 (2... Nc6 3. Bc4 Nf6 (3... g6 4. Qf3 Nf6 5. Qb3) 4. Qxf7#) 3. Qxe5# 1-0",
    // What a variation changes is as it was: castling, en passant, check, and the king.
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 (3. Ke2 Nf6 4. Ke3 d5 5. exd5) 3... Bc5 4. O-O Nf6 (4... Ke7 5. d4) 5. d3 O-O *",
    "1. e4 a6 2. e5 d5 (2... f5 3. exf6 (3. d4)) 3. exd6 f5 (3... cxd6 4. d4) 4. dxc7 *",
    "1. e4 d5 2. Bb5+ (2. Nf3 dxe4 3. Bb5+ c6) 2... c6 (2... Nd7 3. Bxd7+) (2... Bd7 3. Bxd7+ Kxd7) 3. Ba4 *",
];

/// A game with this movetext, which ends with a marker.
fn with_movetext(movetext: &str) -> String {
    let marker = movetext.rsplit(' ').next().unwrap_or_default();
    format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n\
         [Result \"{marker}\"]\n\n{movetext}\n\n"
    )
}

#[test]
fn games_with_variations_are_passed_over() {
    for movetext in VARIATIONS {
        for text in [with_movetext(movetext), with_movetext(&movetext.replacen(" (", "\n(", 2))] {
            assert_eq!(passed_over([text.as_str()]), (1, 1), "{text}");
            compare_once(text.as_bytes());
        }
    }
}

/// Moves that would be possible if a variation, or what it replaces, had been played as well; and a
/// wrong evaluation.
#[test]
fn what_a_variation_changes_is_undone() {
    for movetext in [
        "1. e4 d5 2. Bb5+ (2. Nf3 dxe4) 2... a6 *",
        "1. e4 e5 2. Nf3 Nc6 3. Ke2 (3. Bc4) 3... Nf6 4. Ke1 (4. d3) 4... Bc5 5. Bc4 d6 6. O-O *",
        "1. e4 a6 2. e5 d5 (2... f5) 3. exf6 *",
        "1. e4 a6 2. e5 d5 (2... f5 3. exd6) 3. exd6 *",
        "1. e4 e5 (1... d5 2. exd5) 2. exd5 *",
        "1. e4 e5 (1... d5 2. exd5) 2. Nf3 dxe4 *",
        "1. e4 e5 2. Nf3 (2. Bc4) 2... Nc6 3. Bb3 *",
        "1. e4 (1. d4) 1... e5 2. Bf4 *",
        // A `}` is missing.
        "1. e4 (1. d4 {open d5 2. c4 {closed}) 1... e5 *",
        // Nobody has a mate in one.
        "1. e4 (1. d4 {[%eval #1]}) 1... e5 *",
        // The knight stays pinned, and no pawn is left on d7.
        "1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. d3 (4. Bxc6+ bxc6) 4... Nd4 *",
        "1. e4 e6 (1... d5) 2. Bb5 a6 3. Bxd7+ Nxd7 4. Nf3 Nb6 5. d3 d6 *",
    ] {
        let text = with_movetext(movetext);
        assert_eq!(passed_over([text.as_str()]), (0, 1), "{text}");
        compare_once(text.as_bytes());
    }
}

/// Variations neither repeat positions nor keep them from being repeated.
#[test]
fn repetitions_with_variations_between_them() {
    let ids = "[WhiteFideId \"100021\"]\n[BlackFideId \"100022\"]\n";
    // How often the knights go out and back, what is inserted, and whether the game is accepted.
    for (rounds, variation, passes) in [
        (3, "", 1),
        (3, "(6... Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. Nf3 Nf6)", 1),
        (5, "", 0),
        (5, "(6... a6)", 0),
        (5, "(6... a6 7. a3)", 0),
    ] {
        let mut moves = String::new();
        for round in 0..rounds {
            let number = 2 * round + 1;
            moves.push_str(&format!("{number}. Nf3 Nf6 {}. Ng1 Ng8 ", number + 1));
            if round == 2 {
                moves.push_str(&format!("{variation} "));
            }
        }
        let text = with_movetext(&format!("{moves}{}. e4 e5 1-0", 2 * rounds + 1)).replace("????.??.??", "2020.01.01");
        let text = text.replacen("\n\n", &format!("\n{ids}\n"), 1);
        assert_eq!(passed_over([text.as_str()]), (passes, 1), "{text}");
        compare_once(text.as_bytes());
    }
}

/// Plies before the FEN count for the 75-move rule.
#[test]
fn a_clock_in_the_fen_runs_on() {
    // A rook visits six files without giving check, so that no position is repeated.
    let ranks = |file: usize| (1..=6).map(move |rank| if file.is_multiple_of(2) { rank } else { 7 - rank });
    let squares = "abcfgh".chars().enumerate().flat_map(|(file, name)| ranks(file).map(move |rank| format!("{name}{rank}")));
    let moves: String = squares
        .skip(1)
        .enumerate()
        .map(|(ply, square)| format!("{}. R{square} {} ", 139 + ply, if ply.is_multiple_of(2) { "Kd7" } else { "Ke8" }))
        .collect();
    for (clock, passes) in [(0, 1), (20, 1), (99, 0)] {
        let text = from_position(&format!("4k3/8/8/8/8/8/4P3/R3K3 w - - {clock} 139"), &format!("{moves}1-0"))
            .replace("????.??.??", "2020.01.01");
        let text = text.replacen("[SetUp", "[WhiteFideId \"100021\"]\n[BlackFideId \"100022\"]\n[SetUp", 1);
        assert_eq!(passed_over([text.as_str()]), (passes, 1), "{text}");
        compare_once(text.as_bytes());
    }
}

/// Both ways to read agree if a byte of `text` is left out, doubled, or replaced. `around` puts the
/// rest of the game around it.
fn tamper(text: &str, replacements: &[&str], around: impl Fn(&str) -> String) {
    for at in 0..text.len() {
        let (before, byte, after) = (&text[..at], &text[at..=at], &text[at + 1..]);
        for replacement in replacements.iter().copied().chain(["", &byte.repeat(2)]) {
            if replacement != byte {
                compare_once(around(&format!("{before}{replacement}{after}")).as_bytes());
            }
        }
    }
}

#[test]
fn variations_that_were_tampered_with() {
    for movetext in VARIATIONS {
        let (moves, marker) = movetext.rsplit_once(' ').expect("a marker");
        tamper(moves, &["(", ")", " ", "{", "1", "N", "d", ".", "+"], |moves| with_movetext(&format!("{moves} {marker}")));
    }
}

/// Games from positions: the FEN and the movetext.
const FROM_POSITIONS: [(&str, &str); 8] = [
    ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"),
    ("r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 3 5", "5... Be7 {solid} 6. Re1 b5 7. Bb3 O-O 1/2-1/2"),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "3. exf6 (3. d4 e6) 3... Nxf6 4. d4 *"),
    ("rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3", "3. Qxd4 Nc6 4. Qe3 $1 *"),
    ("rnbqk2r/pppp1ppp/5n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BQK2R b Kq - 5 4", "4... d6 5. O-O (5. d3 Nc6) 5... c6 *"),
    ("4k3/8/8/8/8/8/4P3/4K3 b - - 5 39", "39... Kd7 40. e4 Kd6 41. e5+ Kxe5 42. Kd1 1/2-1/2"),
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 30", "30. Rd8# 1-0"),
    ("6k1/3r1ppp/8/8/8/8/5PPP/6K1 b - - 0 30", "*"),
];

/// A game from a position.
fn from_position(fen: &str, movetext: &str) -> String {
    let tags = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n");
    with_movetext(movetext).replacen("\n\n", &format!("\n{tags}"), 1)
}

#[test]
fn games_from_positions_are_passed_over() {
    for (fen, movetext) in FROM_POSITIONS {
        let text = from_position(fen, movetext);
        for variant in ["", "[Variant \"Standard\"]\n", "[Variant \"From Position\"]\n"] {
            let text = text.replacen("[SetUp", &format!("{variant}[SetUp"), 1);
            assert_eq!(passed_over([text.as_str()]), (1, 1), "{text}");
            compare_once(text.as_bytes());
        }
        for other in [
            text.replace("[SetUp \"1\"]", "[SetUp \"0\"]"),
            text.replace("[SetUp \"1\"]\n", ""),
            text.replace("[SetUp", "[Variant \"Chess960\"]\n[SetUp"),
            text.replace("[SetUp", "[Variant \"Atomic\"]\n[SetUp"),
        ] {
            assert_eq!(passed_over([other.as_str()]), (0, 1), "{other}");
            compare_once(other.as_bytes());
        }
    }
    for (fen, movetext) in [
        // Games of Chess960.
        ("rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1", "1. c4 c5 *"),
        ("nrbbqknr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NRBBQKNR w HBhb - 0 2", "2. Nb3 *"),
        ("bqnrkbrn/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/BQNRKBRN w KQkq - 0 2", "2. Nb3 *"),
        // Something follows the FEN.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39 x", "39. e4 *"),
        // White is checkmated.
        ("6k1/3r1ppp/8/8/8/8/5PPP/6K1 b - - 0 30", "30... Rd1# 1-0"),
        ("6k1/3r1ppp/8/8/8/8/5PPP/6K1 b - - 0 30", "30... Rd1# *"),
        // White has no move.
        ("8/8/8/8/8/6k1/5p2/5K2 b - - 0 60", "60... Kf3 1/2-1/2"),
    ] {
        let text = from_position(fen, movetext);
        assert_eq!(passed_over([text.as_str()]), (usize::from(movetext == "60... Kf3 1/2-1/2"), 1), "{text}");
        compare_once(text.as_bytes());
    }
}

/// Chess960 from each kind of starting position, with rights as `KQkq` and as rook files.
#[test]
fn games_of_chess960_are_passed_over() {
    let games: Vec<Game> = (0..600).map(|number| game(8 * number + 7)).filter(|game| !game.moves.is_empty()).collect();
    let mut texts: Vec<String> = games.iter().map(Game::plain).collect();
    for (text, game) in texts.iter_mut().zip(&games).skip(1).step_by(2) {
        let mut rooks: Vec<Square> = game.start.castles().castling_rights().into_iter().collect();
        rooks.sort_by_key(|rook| (rook.rank(), Reverse(rook.file())));
        *text = text.replace("KQkq", &rooks.into_iter().map(rook_letter).collect::<String>());
    }
    let (passed, all) = passed_over(texts.iter().map(String::as_str));
    assert!(passed * 100 >= all * 99 && all > 500, "{passed} of {all} games were passed over");
    assert_eq!(exactly_passed_over(texts.iter().map(String::as_str)).0, 0);
    let castled = games.iter().flat_map(|game| &game.sans).filter(|san| san.starts_with('O')).count();
    assert!(castled > 200, "{castled}");
    for some in texts.chunks(50) {
        compare_once(some.concat().as_bytes());
    }
}

/// Starting positions of Chess960 in which one byte is wrong.
#[test]
fn damaged_starts_of_chess960() {
    let bytes = b"12345678/KQRBNPkqrbnpwABHabh- ";
    for number in [7, 15] {
        let whole = game(number).with_moves(&game(number).sans[..2]);
        let at = whole.find("[FEN \"").expect("a game of Chess960 has a FEN") + 6;
        let mut text = String::new();
        for place in (at..).take_while(|&place| whole.as_bytes()[place] != b'"') {
            for new in bytes.iter().map(|&byte| char::from(byte).to_string()).chain([String::new(), "1R".to_owned()]) {
                let mut damaged = whole.clone();
                damaged.replace_range(place..=place, &new);
                text.push_str(&damaged);
            }
        }
        compare(text.as_bytes());
    }
}

/// The letter of a rook in castling rights that name rooks by their files.
fn rook_letter(rook: Square) -> char {
    if rook.rank() == Rank::First { rook.file().upper_char() } else { rook.file().char() }
}

/// Castling in every third position of games of Chess960 in which a side may still castle, legal or
/// not.
#[test]
fn castling_in_chess960_is_legal_or_reported() {
    let mut text = String::new();
    for game in (0..150).map(|number| game(8 * number + 7)) {
        for ply in 0..game.sans.len().min(40) {
            for castling in ["O-O", "O-O-O"] {
                let mut sans = game.sans[..ply].to_vec();
                sans.push(castling.to_owned());
                let position = game.position_after(ply);
                let has_rights = !position.castles().castling_rights().is_empty();
                if has_rights && ply % 3 == 0 {
                    text.push_str(&game.with_moves(&sans));
                }
            }
        }
        if text.len() > 1 << 18 {
            compare_once(text.as_bytes());
            text.clear();
        }
    }
    compare_once(text.as_bytes());
}

/// Other spellings of a starting position, and positions that are none.
#[test]
fn starting_positions_of_chess960_that_were_tampered_with() {
    let around = |fen: &str| from_position(fen, "1. c4 c5 *").replace("[SetUp", "[Variant \"Chess960\"]\n[SetUp");
    for fen in [
        "rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1",
        "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - 0 1",
        "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w CFcf - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w KQkq - 0 1",
        "bbrqknnr/pppppppp/8/8/8/8/PPPPPPPP/BBRQKNNR w KQkq - 0 1",
        "brbqknnr/pppppppp/8/8/8/8/PPPPPPPP/BRBQKNNR w KQkq - 0 1",
        "krbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRBNQBNR w KQkq - 0 1",
    ] {
        compare_once(around(fen).as_bytes());
        tamper(fen, &["/", " ", "-", "1", "2", "K", "q", "r", "B", "n", "w", "b", "e"], around);
    }
}

/// In the second game, Black's queen on a1 would give check once the rook has left b1.
#[test]
fn a_rook_next_to_the_corner_shields_its_king() {
    let fen = "nrbnkbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBNKBRQ w KQkq - 0 1";
    for (movetext, passed) in
        [("1. b4 h6 2. Ba3 h5 3. Ne3 g6 4. g3 Qg7 5. O-O-O *", 1), ("1. b4 h6 2. Ba3 h5 3. Ne3 g6 4. g3 Qxa1 5. O-O-O *", 0)]
    {
        let text = from_position(fen, movetext).replace("[SetUp", "[Variant \"Chess960\"]\n[SetUp");
        assert_eq!(passed_over([text.as_str()]), (passed, 1), "{text}");
        compare_once(text.as_bytes());
    }
}

/// What one game says about its start does not count for the next one.
#[test]
fn a_fen_tag_and_a_setup_tag_belong_together() {
    for variant in ["", "[Variant \"From Position\"]\n", "[Variant \"Chess960\"]\n"] {
        let (fen, movetext) = match variant.contains("960") {
            true => ("rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1", "1. c4 c5 *"),
            false => FROM_POSITIONS[0],
        };
        let game = from_position(fen, movetext).replacen("[SetUp", &format!("{variant}[SetUp"), 1);
        for other in [
            game.replace("[SetUp \"1\"]\n", ""),
            game.replace(&format!("[FEN \"{fen}\"]\n"), ""),
            game.replace(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"), ""),
        ] {
            assert_ne!(other, game);
            compare_once([game.as_str(), other.as_str(), game.as_str()].concat().as_bytes());
        }
    }
}

/// Positions without castling rights do not show whether a file contains Chess960.
#[test]
fn first_positions_show_what_their_file_contains() {
    let nothing = from_position("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39", "39. e4 *");
    let chess960 = from_position("bqnrkbrn/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/BQNRKBRN w GDgd - 0 2", "2. Nb3 *");
    for (before, after) in [(0, 2), (5, 2), (2, 5)] {
        compare_once((nothing.repeat(before) + &chess960.repeat(after)).as_bytes());
    }
    let standard = from_position(FROM_POSITIONS[0].0, FROM_POSITIONS[0].1);
    compare_once((standard.repeat(3) + &chess960.repeat(2)).as_bytes());
}

#[test]
fn games_from_positions_that_were_tampered_with() {
    for (fen, movetext) in FROM_POSITIONS {
        let (moves, marker) = movetext.rsplit_once(' ').unwrap_or(("", movetext));
        tamper(fen, &["/", " ", "-", "1", "2", "8", "K", "q", "P", "p", "w", "b", "e"], |fen| from_position(fen, movetext));
        tamper(moves, &["1", ".", " ", "N", "e", "+"], |moves| from_position(fen, &format!("{moves} {marker}")));
    }
}

/// What the first position of a game shows about its file counts as it does for the thorough path.
#[test]
fn clocks_of_games_in_which_black_begins() {
    let fen = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 3 ";
    for number in ["1", "5"] {
        let [first, second, third] = [0, 1, 2].map(|more: usize| number.parse::<usize>().expect("a number") + more);
        for clocks in [["5:00", "5:00", "4:59", "4:58"], ["1:00", "5:00", "0:59", "4:58"], ["5:00", "1:00", "4:59", "0:58"]] {
            let [a, b, c, d] = clocks.map(|clock| format!("{{[%clk 0:0{clock}]}}"));
            let moves = format!("{first}... Be7 {a} {second}. Re1 {b} {second}... b5 {c} {third}. Bb3 {d} {third}... d6 *");
            let text = from_position(&format!("{fen}{number}"), &moves).replacen("[SetUp", "[TimeControl \"300+0\"]\n[SetUp", 1);
            compare_once(text.as_bytes());
        }
    }
    // All clocks of both sides are the same.
    let mut moves = String::new();
    for number in 5..20 {
        let (black, white) = if number % 2 == 1 { ("Ng8", "Kh1") } else { ("Nf6", "Kg1") };
        let clock = format!("{{[%clk 0:04:{:02}]}}", 60 - number);
        moves.push_str(&format!("{number}... {black} {clock} {}. {white} {clock} ", number + 1));
    }
    let text = from_position(&format!("{fen}5"), &(moves + "*")).replacen("[SetUp", "[TimeControl \"300+0\"]\n[SetUp", 1);
    let findings = audit_result(text.as_bytes(), Profile::Standard, Limits::DEFAULT, None, false);
    assert!(findings.contains("CLK"), "{findings}");
    compare_once(text.as_bytes());
}

#[test]
fn narrow_limits_stop_only_what_lies_beyond_them() {
    let text = |date: &str, elo: &str| {
        format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"{date}\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\
             [WhiteElo \"{elo}\"]\n\n1. e4 e5 *\n\n"
        )
    };
    for (date, elo, passes) in [
        ("2022.01.01", "2500", 1),
        ("????.??.??", "-", 1),
        ("2022.01.01", "2799", 1),
        ("2022.??.??", "1000", 1),
        ("2024.01.02", "2500", 0),
        ("2020.02.28", "2500", 0),
        ("2022.01.01", "2800", 0),
        ("2022.01.01", "999", 0),
    ] {
        let text = text(date, elo);
        assert_eq!(passed_over([text.as_str()]), (1, 1), "{text}");
        assert_eq!(passed_over_by(&mut FastGames::within(&NARROW), [text.as_str()]), (passes, 1), "{text}");
    }
}

#[test]
fn generated_games() {
    let mut text = String::new();
    for game in games(600) {
        text.push_str(&game.plain());
        text.push_str(&game.annotated().text);
    }
    compare(text.as_bytes());
    compare(text.replace('\n', "\r\n").as_bytes());
    compare(text.replace(". ", ".").as_bytes());
}

/// Games that end where the winner has a pawn, a rook or a queen, but cannot checkmate: it must be
/// captured. If they were won on time, RES09 reports them, and RES08 does in any case if neither
/// side can checkmate.
#[test]
fn wins_that_are_proven_impossible() {
    let mut numbers = Numbers::new(19);
    let mut found = 0;
    for number in 0..3000 {
        if found == 20 {
            break;
        }
        let (mut end, mut moves, mut sans) = (Chess::default(), Vec::new(), Vec::new());
        let taste = [Taste::Raids, Taste::Trades, Taste::Checks][number % 3];
        while moves.len() < 400
            && let Some(played) = choose(&end, taste, &mut numbers)
        {
            sans.push(SanPlus::from_move_and_play_unchecked(&mut end, played).to_string());
            moves.push(played);
            let cannot_win = |winner: Color| {
                end.board().by_color(winner).count() <= 3
                    && !end.has_insufficient_material(winner)
                    && cannot_checkmate(&end, winner)
                    && !end.legal_moves().is_empty()
            };
            let Some(winner) = Color::ALL.into_iter().find(|color| cannot_win(*color)) else { continue };
            found += 1;
            let result = winner.fold_wb("1-0", "0-1");
            let dead = is_dead(&end);
            let game = Game { number, fen: None, start: Chess::default(), moves, sans, end, result };
            for (termination, fires) in [("Time forfeit", true), ("Normal", dead)] {
                let text = game.plain().replacen("\n\n", &format!("\n[Termination \"{termination}\"]\n\n"), 1);
                // The fast path does not take the last game of a text.
                compare_once(format!("{text}{}", game.plain()).as_bytes());
                let report = audit_result(text.as_bytes(), Profile::Standard, Limits::DEFAULT, None, false);
                assert_eq!(report.contains("RES09") || report.contains("RES08"), fires, "{text}\n{report}");
            }
            break;
        }
    }
    assert_eq!(found, 20);
}

/// What to change if the fast path accepts a sample that a rule reports.
fn hint_for(rule: &Rule) -> String {
    let (family, name) = (rule.code.family().letters().to_ascii_lowercase(), rule.name.replace('-', "_"));
    format!(
        "src/rules/{family}/{name}.rs should say in `wakes` when it has to be asked, or the fast path \
         (src/record/fastpath/game) should decline what it reports.\n\n"
    )
}

#[test]
fn samples_of_rules() {
    let mut all = Vec::new();
    for rule in RULES {
        for (number, sample) in rule.fires.iter().chain(rule.silent).enumerate() {
            let (text, _) = sample.input();
            let hint = hint_for(rule);
            compare_sample(&text, &hint);
            // Among games that are accepted.
            let around = game(3).plain().into_bytes();
            if number % stride() == 0 {
                compare_sample(&[&around[..], &text, b"\n\n", &around].concat(), &hint);
            }
            all.extend(text);
            all.extend(b"\n\n");
        }
    }
    compare(&all);
}

#[test]
fn fixtures() {
    let mut folders = vec![fixture("")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pgn"));
    assert!(files.len() > 50, "{}", files.len());
    for file in files {
        compare(&fs::read(file).expect("the file can be read"));
    }
}

/// Values that tags have, or had better not have.
const VALUES: &[(&str, &[&str])] = &[
    ("Tournament", &["https://example.org/1", "", "a b"]),
    ("tournament", &["another case"]),
    ("Number", &["1"]),
    ("GameId", &["7"]),
    ("A_Name", &["x"]),
    ("TerminationDetails", &["SyzygyTB", "x", ""]),
    ("terminationDetails", &["x"]),
    ("TerminationDetail", &["x"]),
    ("ANameOf16Letters", &["x"]),
    ("ANameOfExactly_32_CharactersLong", &["x"]),
    ("ANameOfMoreThan_32_CharactersLong", &["x"]),
    ("ANameWithA-HyphenInIt", &["x"]),
    ("A-Name", &["x"]),
    ("FENs", &["8/8/8/8/8/8/8/8 w - - 0 1"]),
    ("PlayCount", &["2"]),
    ("Result", &["1-0", "0-1", "1/2-1/2", "*", "", "1/2", "+-", "1-0 "]),
    (
        "Date",
        &[
            "????.??.??",
            "2020.02.29",
            "2021.02.29",
            "2021.02.28",
            "1474.01.01",
            "1475.01.01",
            "2020.13.01",
            "2020.??.01",
            "2020.05.??",
            "2020.12.??",
            "2020.13.??",
            "2020.00.??",
            "1474.12.??",
            "1475.01.??",
            "2020.0?.??",
            "2020.05.?1",
            "????.05.01",
            "????.05.??",
            "2020.1.1",
            "",
            "?",
            "-",
            "2020.04.31",
            "2020.12.31",
            "0000.??.??",
            "20?0.??.??",
        ],
    ),
    (
        "EventDate",
        &[
            "????.??.??",
            "2020.02.29",
            "2020.??.??",
            "2024.01.01",
            "2024.01.02",
            "2023.12.??",
            "2024.??.??",
            "2024.01.??",
            "2024.02.??",
            "?",
        ],
    ),
    ("UTCDate", &["2024.01.01", "2024.01.02", "2023.12.31", "2023.12.30", "????.??.??"]),
    ("EndDate", &["2024.01.01", "2023.12.31", "x"]),
    ("UTCTime", &["00:00:00", "23:59:59", "24:00:00", "12:60:00", "12:00:60", "1:00:00", "??:??:??", "12:00"]),
    ("Time", &["12:34:56", "25:00:00", "12:00 pm"]),
    (
        "WhiteElo",
        &["", "-", "?", "0", "1", "999", "2800", "4000", "4001", "3999", "12000", "2800.5", "2800?", "x", "01200", " 1"],
    ),
    ("BlackElo", &["2500", "2500:2400", "-1", "+3"]),
    ("WhiteRatingDiff", &["+5", "-5", "0", "+0", "-0", "5", "", "x", "-", "+"]),
    ("BlackRatingDiff", &["+5", "-5", "0", "+12", "-7"]),
    ("ECO", &["A00", "E99", "F00", "a00", "A0", "A000", "A00/01", "C20a", "", "?", "-"]),
    ("PlyCount", &["0", "20", "7", "x", "", "00020", "99999999999", "-1"]),
    (
        "TimeControl",
        &[
            "-",
            "?",
            "",
            "300",
            "300+3",
            "0+1",
            "0",
            "300+0",
            "40/7200",
            "40/7200:3600",
            "40/0",
            "300:300",
            "*180",
            "60+0.6",
            "15 min",
            "300+",
            "+3",
            "300+3:300",
            "1/86400",
            "40/7200:20/3600:900+30",
        ],
    ),
    (
        "Termination",
        &["Normal", "normal", "Time forfeit", "Abandoned", "Unterminated", "x won by resignation", "", "Rules infraction"],
    ),
    ("Variant", &["Standard", "standard", "Chess960", "From Position", "x", ""]),
    ("SetUp", &["0", "1", "2"]),
    ("FEN", &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "x"]),
    ("WhiteFideId", &["0", "1", "400041", "", "x"]),
    ("BlackFideId", &["0", "1", "400041", "", "x"]),
    ("WhiteTitle", &["GM", "x"]),
    ("Annotator", &["Nunn", "J\u{e1}n", "a \\\"b\\\"", "a\tb", "a\\b", "\u{80}", "Ã©"]),
    ("white", &["x"]),
    ("PlayCount", &["x"]),
    ("Tournament", &["x"]),
    ("White", &["White 1", "Black", "NN", "", "?"]),
    ("Event", &["Another", ""]),
];

/// A game with one tag more or another value.
fn with_tag(text: &str, numbers: &mut Numbers) -> String {
    let (name, values) = VALUES[numbers.below(VALUES.len())];
    let value = values[numbers.below(values.len())];
    let pair = format!("[{name} \"{value}\"]");
    let lines: Vec<&str> = text.lines().collect();
    let known = lines.iter().position(|line| line.starts_with(&format!("[{name} ")));
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    match known.filter(|_| numbers.below(8) > 0) {
        Some(at) => lines[at] = pair,
        None => lines.insert(numbers.below(8), pair),
    }
    lines.join("\n") + "\n"
}

#[test]
fn tags_of_all_kinds() {
    let mut numbers = Numbers::new(5);
    let mut text = String::new();
    for number in 0..part(4000) {
        let game = game(number % 400 / 8 * 8 + numbers.below(7));
        let mut written = game.plain();
        for _ in 0..=numbers.below(3) {
            written = with_tag(&written, &mut numbers);
        }
        text.push_str(&written);
        if text.len() > 100_000 {
            compare(text.as_bytes());
            text.clear();
        }
    }
    compare(text.as_bytes());
    // Each value by itself, with every result.
    for (name, values) in VALUES {
        for value in *values {
            for result in ["1-0", "0-1", "1/2-1/2", "*"] {
                compare(
                    format!(
                        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
                         [Result \"{result}\"]\n[{name} \"{value}\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# {result}\n\n[Event \"?\"]\n"
                    )
                    .as_bytes(),
                );
            }
        }
    }
}

/// Names and values of every length, and with bytes that end them at every place.
#[test]
fn tags_of_every_length() {
    let game = |pair: &str| with_movetext("1. e4 e5 *").replacen("[Result", &format!("{pair}\n[Result"), 1);
    let mut passed = 0;
    for length in (0..70).chain([254, 255, 256]) {
        let mut text = String::new();
        for (index, inserted) in ["", "\"", "\\", "\\\"", "\t", "\u{7f}", "é", "]", " ["].iter().enumerate() {
            let at = (31 * index + length) % (length + 1);
            let value: String = "Tal, Mikhail".chars().cycle().take(length).collect();
            text.push_str(&game(&format!("[Annotator \"{}{inserted}{}\"]", &value[..at], &value[at..])));
            let name: String = "ANameWhichNoOtherTagHas".chars().cycle().take(length).collect();
            text.push_str(&game(&format!("[{}{inserted}{} \"x\"]", &name[..at], &name[at..])));
        }
        compare(text.as_bytes());
        passed += passed_over(text.split_inclusive("*\n\n")).0;
    }
    assert!(passed > 200, "{passed} games were passed over");
}

/// A mate in one is announced, and the next move is mate, is only marked as mate, or is another
/// one.
#[test]
fn announced_mates_are_compared_with_the_next_move() {
    for next in ["Qh4#", "2... Qh4#", "Qh4+", "Qh4", "Qg5#", "d6", "d6#", "{x#} 2... Qh4#", "$1 Qh4#", "(2. d3) 2... Qh4#"] {
        for before in ["1. f3 e5 2. g4", "1. e4 e5 2. d4"] {
            for evaluation in ["#-1", "#1", "#-2"] {
                let text = with_movetext(&format!("{before} {{ [%eval {evaluation}] }} {next} 0-1"));
                compare_once(text.as_bytes());
                if before.contains("f3") && evaluation == "#-1" {
                    assert_eq!(passed_over([text.as_str()]).0, usize::from(!["Qg5#", "d6#"].contains(&next)), "{text}");
                }
            }
        }
    }
}

/// Where infos are shown: what is accepted has none of the infos about clocks.
#[test]
fn clocks_in_exact_games() {
    const TAGS: &str =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"Smith, A\"]\n[Black \"Jones, B\"]\n";
    const CLOCKS: &str =
        "1. e4 { [%clk 0:05:00] } 1... e5 {[%clk 0:05:01]} 2. Nf3 { [%clk 0:04:58] } 2... Nc6 { [%clk 0:04:50] }";
    const LOW: &str = "1. e4 { [%clk 0:05:00] } 1... e5 { [%clk 0:05:00] } 2. Nf3 { [%clk 0:00:31] } 2... Nc6 { [%clk 0:00:30] }";
    let game = |tags: &str, words: &str, result: &str| format!("{TAGS}[Result \"{result}\"]\n{tags}\n{words} {result}\n\n");
    let blitz = "[TimeControl \"300+3\"]\n";
    let forfeit = "[TimeControl \"300+3\"]\n[Termination \"Time forfeit\"]\n";
    let ends = |tag: &str| format!("{blitz}[{tag} \"0:04:58\"]\n");
    let more = |words: &str| format!("{CLOCKS} {words}");
    let cases = [
        (game(blitz, CLOCKS, "*"), true),
        (game(blitz, &more("3. d4 { [%clk 0:04:40] } { good }"), "*"), true),
        (game(blitz, &more("3. d4"), "*"), true),
        (game(blitz, &more("3. d4 exd4 { [%clk 0:04:40] }"), "*"), false),
        (game(blitz, &more("3. d4 { [%clk 0:04:40] } { [%clk 0:04:40] }"), "*"), false),
        (game(blitz, &more("3. d4 { [%clk 0:04:40] } { +0.17/12 3s }"), "*"), false),
        (game(blitz, &more("3. d4 { [%emt 0:00:03] }"), "*"), false),
        (game(blitz, &more("3. d4 { [%eval 0.17] }"), "*"), false),
        (game(blitz, &more("3. d4 { [%clk 0:05:40] }"), "*"), false),
        (game("", CLOCKS, "*"), false),
        (game("[TimeControl \"?\"]\n", CLOCKS, "*"), false),
        (game("[TimeControl \"-\"]\n", CLOCKS, "*"), false),
        (game("[TimeControl \"590\"]\n", CLOCKS, "*"), true),
        (game("[TimeControl \"600\"]\n", CLOCKS, "*"), false),
        (game(&ends("WhiteClock"), CLOCKS, "*"), false),
        (game(&ends("BlackClock"), CLOCKS, "*"), false),
        (game(forfeit, CLOCKS, "1/2-1/2"), true),
        (game(forfeit, CLOCKS, "0-1"), false),
        (game(forfeit, LOW, "0-1"), false),
        (game(forfeit, &LOW.replace("31", "30"), "0-1"), true),
        (game(forfeit, &LOW.replace("31", "30"), "1-0"), false),
        (game(forfeit, &format!("{LOW} 3. d4"), "1-0"), true),
        (game(forfeit, "1. e4 e5 2. Nf3 Nc6", "0-1"), true),
        (game(forfeit, "1. e4 e5 2. Nf3 Nc6", "1-0"), false),
    ];
    for (game, expected) in &cases {
        assert_eq!(exactly_passed_over([game.as_str()]) == (1, 1), *expected, "{game}");
        compare_once(game.as_bytes());
    }
    let all: String = cases.iter().map(|(game, _)| game.as_str()).collect();
    compare(all.as_bytes());
}

/// A clock after another one of the same move, and increments with decimals, which add up.
#[test]
fn clocks_that_exceed_their_control() {
    let controlled = |control: &str, tags: &str, words: &str| {
        let tags = format!("[TimeControl \"{control}\"]\n{tags}[Result");
        with_movetext(&format!("{words} *")).replace("[Result", &tags)
    };
    let twice = "1. e4 {[%clk 0:05:00]} {[%clk 0:05:03]} 1... e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:05:06]}";
    let long = (0..).map(game).find(|game| game.fen.is_none() && game.sans.len() >= 80).expect("a long game");
    let mut falling = String::new();
    for (ply, san) in long.sans.iter().take(80).enumerate() {
        let (number, dots) = (ply / 2 + 1, ["...", "."][usize::from(ply % 2 == 0)]);
        let left = 59 - number / 4 - ply % 2 * (number % 2);
        falling.push_str(&format!("{number}{dots} {san} {{[%clk 0:00:{left}]}} "));
    }
    let day = "[UTCDate \"2024.01.01\"]\n[UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n[EndDate \"2024.01.01\"]\n[EndTime \"12:00:40\"]\n";
    let twice_with_tenths = twice.replace("]}", ".0]}");
    // A false mark at the end does not change what the clocks show.
    let marked = falling.replacen(&format!(" {} {{", long.sans[70]), &format!(" {}+ {{", long.sans[70].trim_end_matches('+')), 1);
    for text in [
        controlled("300+3", "", twice),
        controlled("300+3", "", &twice_with_tenths),
        controlled("59+0.9", day, &falling),
        controlled("59+0.9", day, &marked),
    ] {
        let findings = audit_result(text.as_bytes(), Profile::Standard, Limits::DEFAULT, None, true);
        assert!(findings.contains("CLK02") || findings.contains("CLK17"), "{text}\n{findings}");
        assert_eq!(passed_over([text.as_str()]), (0, 1), "{text}");
        compare(text.as_bytes());
    }
}

/// A game whose movetext is written in one of several ways. With `faulty`, that ply is none that
/// can be played.
fn faulty_game(game: &Game, style: usize, faulty: usize) -> String {
    let mut words = String::from(if style == 4 { "{12. 3. is not a number} " } else { "" });
    for (ply, san) in game.sans.iter().enumerate() {
        let number = ply / 2 + 1;
        if ply % 2 == 0 {
            words.push_str(&format!("{number}.{}", if style == 1 { "" } else { " " }));
        } else if style == 2 || (style == 5 && ply > 30) {
            words.push_str(&format!("{number}... "));
        }
        words.push_str(if ply == faulty { "Kh9" } else { san });
        if style == 5 && ply == 30 {
            words.push_str(" {3. here}");
        }
        words.push_str(match (style, ply % 6) {
            (3, _) => "\n",
            (6, 1) => "\x0b",
            (7, 1) => "\x01",
            (8, 1) => "\0",
            _ => " ",
        });
    }
    with_movetext(&format!("{words}{}", game.result))
}

/// Both paths agree on games with a fault anywhere, in any style of movetext.
#[test]
fn games_with_a_fault() {
    let checks = ActiveRules::of(&Selection::default());
    let mut clean = FastGames::default();
    let long: String = games(80).iter().map(Game::plain).collect();
    assert!(long.len() > 1 << 14);
    for game in (0..part(400)).map(game).filter(|game| game.fen.is_none() && game.sans.len() >= 8) {
        let mut text = String::new();
        for (index, faulty) in (0..game.sans.len()).step_by(1 + game.sans.len() / 12).chain([game.sans.len() - 1]).enumerate() {
            let faulty_game = faulty_game(&game, index % 9, faulty) + &game.plain();
            assert_eq!(clean.accept(faulty_game.as_bytes(), 0, &checks), None, "{faulty_game}");
            text.push_str(&faulty_game);
        }
        // At the end of a text, games are read in another way.
        compare_once((text + &long).as_bytes());
    }
}

/// A text that ends anywhere in a game with a fault, or in its tags.
#[test]
fn games_with_faults_that_end_anywhere() {
    let game = (0..).map(game).find(|game| game.fen.is_none() && game.sans.len() >= 20).expect("a long game");
    let text = game.plain() + &faulty_game(&game, 0, 15);
    for end in game.plain().len()..=text.len() {
        compare_once(&text.as_bytes()[..end]);
    }
}

/// The fast path remembers so many plies only.
#[test]
fn a_very_long_game_with_a_fault() {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let number = |ply: usize| if ply.is_multiple_of(2) { format!("{}. ", ply / 2 + 1) } else { String::new() };
    for plies in [1000, 1020, 1024, 1026, 1028, 1100] {
        let words: String = (0..plies).map(|ply| format!("{}{} ", number(ply), moves[ply % 4])).collect();
        compare_once(with_movetext(&format!("{words}{}. Qh5 d6 *", plies / 2 + 1)).as_bytes());
    }
}

/// The moves before the fault may be in any language, and those after it are in Spanish.
#[test]
fn moves_of_another_language_after_the_beginning() {
    let text = with_movetext("1. e4 e5 2. d3 d6 3. Re2 Re7 4. Dd2 Dd7 5. a3 a6 *");
    let findings = audit_result(text.as_bytes(), Profile::Standard, Limits::DEFAULT, None, false);
    assert!(findings.contains("MOV22") && !findings.contains("MOV01"), "{findings}");
    compare_once(text.as_bytes());
}

/// Gains of all sizes: time that the other side can have given is accepted, other gains are not.
#[test]
fn time_given_by_the_other_side() {
    let mut text = String::new();
    for (control, increment, is_exact) in [("600", 0, true), ("600+2", 2, true), ("600+0.5", 0, false), ("40/600:300", 0, false)]
    {
        for clocks in [
            "1. a3 {[%clk 0:09:00]} a6 {[%clk 0:09:00]} 2. b3 {[%clk GAIN]} b6 {[%clk 0:08:00]}",
            "1. a3 {[%clk 0:09:00]} a6 2. b3 b6 3. c3 {[%clk GAIN]}",
            "1. a3 {[%clk 0:09:00]} a6 {[%clk 0:09:00]} 2. b3 {[%clk 0:08:00.5]} b6 {[%clk 0:08:00]} 3. c3 {[%clk GAIN]}",
        ] {
            let moves = if clocks.contains("a6 2.") { 2 } else { 1 };
            let before = if clocks.contains(".5") { 480 } else { 540 };
            for excess in 0..=330 {
                let shown = before + increment * moves + excess;
                let words = clocks.replace("GAIN", &format!("0:{:02}:{:02}", shown / 60, shown % 60));
                let game =
                    with_movetext(&format!("{words} *")).replace("[Result", &format!("[TimeControl \"{control}\"]\n[Result"));
                let is_gift = (5..=300).contains(&excess) && (excess % 15 == 0 || excess % 15 >= 5);
                let is_clear = is_exact && before == 540;
                if excess <= 1 || is_clear && is_gift || !is_gift && excess > 2 {
                    let is_passed = excess <= 1 || is_gift;
                    assert_eq!(passed_over([game.as_str()]) == (1, 1), is_passed, "{game}");
                }
                text.push_str(&game);
            }
        }
    }
    compare(text.as_bytes());
}

/// Clocks of a form are compared with each other as they are written, those of different forms by
/// their times.
#[test]
fn clocks_in_several_forms() {
    const SANS: &str = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 Nd2 Nd7 Bb2 Bb7 Bg2 Bg7 Ne2 Ne7";
    // `tenths` says whose clocks have them, and `time` what a clock shows, in seconds.
    let game = |tenths: fn(usize) -> bool, time: fn(usize) -> usize| {
        let mut words = String::new();
        for (ply, san) in SANS.split(' ').enumerate() {
            let dots = ["...", "."][usize::from(ply % 2 == 0)];
            let (seconds, more) = (time(ply), if tenths(ply) { ".0" } else { "" });
            words.push_str(&format!("{}{dots} {san} {{[%clk 0:{:02}:{:02}{more}]}} ", ply / 2 + 1, seconds / 60, seconds % 60));
        }
        with_movetext(&format!("{words}*")).replace("[Result", "[TimeControl \"300\"]\n[Result")
    };
    let falls: fn(usize) -> usize = |ply| 300 - ply.saturating_sub(1);
    let is_the_same: fn(usize) -> usize = |ply| 300 - ply / 2;
    let rises: fn(usize) -> usize = |ply| if ply == 10 { 210 } else { 300 - ply };
    let none: fn(usize) -> bool = |_| false;
    let of_white: fn(usize) -> bool = |ply| ply % 2 == 0;
    let of_black: fn(usize) -> bool = |ply| ply % 2 == 1;
    let one: fn(usize) -> bool = |ply| ply == 10;
    // The first two clocks of White are missing, and the others are those of Black.
    let late = game(none, |ply| if ply < 4 { 300 } else { 300 - ply / 2 });
    let late = late.replacen(" {[%clk 0:05:00]} 1...", " 1...", 1).replacen(" {[%clk 0:05:00]} 2...", " 2...", 1);
    compare(late.as_bytes());
    for tenths in [none, of_white, of_black, one] {
        for (time, expected) in [(falls, true), (is_the_same, false), (rises, false)] {
            let text = game(tenths, time);
            assert_eq!(passed_over([text.as_str()]) == (1, 1), expected, "{text}");
            compare(text.as_bytes());
        }
    }
}

#[test]
fn clocks_and_evaluations_of_all_kinds() {
    const COMMANDS: [&str; 30] = [
        "[%clk 0:01:00]",
        "[%clk 1:00:00]",
        "[%clk 0:59:60]",
        "[%clk 0:60:00]",
        "[%clk 0:00:00]",
        "[%clk 00:05:00]",
        "[%clk 5:00]",
        "[%clk 0:05:00.5]",
        "[%clk 0:05:00.]",
        "[%clk]",
        "[%clk 0:05:00",
        "[%emt 0:00:05]",
        "[%emt 5]",
        "[%emt 00:00:00]",
        "[%eval 0.17]",
        "[%eval -12.5]",
        "[%eval 12]",
        "[%eval 0,1]",
        "[%eval #1]",
        "[%eval #-3]",
        "[%eval #0]",
        "[%eval 0.3,20]",
        "[%eval +1234.5]",
        "[%eval 0.]",
        "[%eval ]",
        "[%csl Gd4]",
        "[%cal Ge2e4]",
        "[%cal Ge2e9]",
        "[%x y]",
        "text",
    ];
    const CONTROLS: [&str; 12] =
        ["300", "300+3", "60+0", "40/7200:3600", "40/5400+30:1800+30", "3600", "-", "?", "15 min", "60+0.6", "*180", "1/60"];
    const LAST: [&str; 8] = [
        "{White resigns}",
        "{ Black resigns. }",
        "{White wins on time}",
        "{Game drawn by repetition}",
        "{Draw}",
        "{Black mates}",
        "{ Black's flag fell }",
        "{well played}",
    ];
    let mut numbers = Numbers::new(17);
    let mut text = String::new();
    for number in 0..1500 {
        let game = game(number % 300 / 8 * 8 + numbers.below(7));
        let odd = numbers.below(3) == 0;
        let mut clocks = [[60, 300, 3600][numbers.below(3)]; 2];
        let (mut words, mut plies) = (String::new(), 0);
        for (ply, san) in game.sans.iter().enumerate().take(60) {
            let dots = ["...", "."][usize::from(ply % 2 == 0)];
            let clock = &mut clocks[ply % 2];
            *clock = (*clock + numbers.below(4)).saturating_sub(numbers.below(7));
            if odd && numbers.below(12) == 0 {
                *clock += numbers.below(300);
            }
            let (hours, minutes, seconds) = (*clock / 3600, *clock / 60 % 60, *clock % 60);
            let command = match numbers.below(if odd { 8 } else { 400 }) {
                0 => COMMANDS[numbers.below(COMMANDS.len())].to_owned(),
                1 => format!("{} [%clk {hours}:{minutes:02}:{seconds:02}]", COMMANDS[numbers.below(COMMANDS.len())]),
                _ => format!("[%clk {hours}:{minutes:02}:{seconds:02}]"),
            };
            // Mates that are made, with the next move or the one after it.
            let mate = (1..3).any(|ahead| game.sans.get(ply + ahead).is_some_and(|san| san.ends_with('#')));
            let announced = ["[%eval #1] ", "[%eval #-1] ", "[%eval #2] "][numbers.below(3)];
            let command = if mate { format!("{announced}{command}") } else { command };
            let blank = ["", " ", "\n"][numbers.below(3)];
            words.push_str(&format!("{}{dots} {san} {{{blank}{command}{blank}}} ", ply / 2 + 1));
            plies = ply + 1;
        }
        if odd {
            words.push_str(LAST[numbers.below(LAST.len())]);
        }
        let result = if plies == game.sans.len() { game.result } else { ["1-0", "0-1", "1/2-1/2", "*"][numbers.below(4)] };
        let control = CONTROLS[numbers.below(CONTROLS.len())];
        text.push_str(&format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
             [Result \"{result}\"]\n[TimeControl \"{control}\"]\n[WhiteFideId \"{number}\"]\n\n{words} {result}\n\n"
        ));
        if text.len() > 100_000 {
            compare(text.as_bytes());
            text.clear();
        }
    }
    compare(text.as_bytes());
}

/// A game with evaluations and clocks after every ply. `odd` is how often something does not fit,
/// in percent.
fn evaluated(number: usize, numbers: &mut Numbers, odd: usize) -> String {
    const VALUES: [&str; 12] = ["0.35", "-0.5", "0.00", "-9.81", "12.3", "-60.00", "#5", "#-5", "#12", "#-1", "#1", "+0.125"];
    const TAGS: [&str; 9] = [
        "[Termination \"Normal\"]",
        "[Termination \"Time forfeit\"]",
        "[Termination \"Abandoned\"]",
        "[WhiteType \"program\"]",
        "[GameStartTime \"2024-01-01T12:00:00.000 UTC\"]\n[GameEndTime \"2024-01-01T12:03:00.000 UTC\"]",
        "[GameStartTime \"2024-01-01T02:00:00 CET\"]\n[GameEndTime \"2024-01-01T02:03:00 CET\"]",
        "[UTCDate \"2024.01.01\"]\n[UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n[EndDate \"2024.01.01\"]\n[EndTime \"12:09:00\"]",
        "[UTCDate \"2024.01.01\"]\n[UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n[EndDate \"2024.01.01\"]\n[EndTime \"12:00:00\"]",
        "[GameEndTime \"x\"]\n[GameStartTime \"x\"]",
    ];
    let game = game(number);
    let mut percent = |share: usize| numbers.below(100) < share;
    let (stuck, signed, identical, copied) = (percent(odd), percent(odd), percent(odd / 2), percent(odd / 2));
    let (from, length) = (numbers.below(12), 8 + numbers.below(5));
    let repeated = VALUES[numbers.below(VALUES.len())];
    let sign = ["", "-"][numbers.below(2)];
    let mut clocks = [300_usize; 2];
    let mut words = String::new();
    for (ply, san) in game.sans.iter().enumerate() {
        let dots = ["...", "."][usize::from(ply % 2 == 0)];
        let value = if stuck && (from..from + length).contains(&ply) {
            repeated.to_owned()
        } else if numbers.below(100) < odd / 4 {
            VALUES[numbers.below(VALUES.len())].to_owned()
        } else if signed {
            format!("{sign}{}.{:02}", 3 + numbers.below(9), numbers.below(100))
        } else {
            format!("{}0.{:02}", ["", "-"][numbers.below(2)], 1 + numbers.below(99))
        };
        if !(identical || copied && ply % 2 == 1) {
            clocks[ply % 2] = clocks[ply % 2].saturating_sub(numbers.below(9));
        }
        if copied && ply % 2 == 1 {
            clocks[1] = clocks[0];
        }
        let clock = clocks[ply % 2];
        let (eval, clock) = (format!("[%eval {value}]"), format!("[%clk 0:{:02}:{:02}]", clock / 60, clock % 60));
        let comment = match numbers.below(if odd > 0 { 40 } else { 1000 }) {
            0 => clock,
            1 => eval,
            2 => format!("{eval} {eval}"),
            _ => format!("{eval} {clock}"),
        };
        words.push_str(&format!("{}{dots} {san} {{ {comment} }} ", ply / 2 + 1));
    }
    let result = if numbers.below(100) < odd { ["1-0", "0-1", "1/2-1/2"][numbers.below(3)] } else { game.result };
    let tags = if odd > 0 { TAGS[numbers.below(TAGS.len())] } else { TAGS[0] };
    let tags = if result == "*" { "[Mode \"ICS\"]" } else { tags };
    format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
         [Result \"{result}\"]\n[TimeControl \"300\"]\n{tags}\n\n{words} {result}\n\n"
    )
}

#[test]
fn evaluations_and_clocks_that_contradict_each_other() {
    let mut numbers = Numbers::new(23);
    let mut text = String::new();
    let mut fired = [0; 5];
    let games = part(1600);
    for number in 0..games {
        text.push_str(&evaluated(number % 400 / 8 * 8 + numbers.below(7), &mut numbers, [10, 40][number % 2]));
        if text.len() > 100_000 || number + 1 == games {
            compare(text.as_bytes());
            let settings = Settings { selection: Selection::of(Profile::Standard), threads: 1, ..Settings::default() };
            let AuditResult { findings, .. } = audit(vec![input(text.as_bytes(), Format::Pgn)], settings);
            for (count, code) in fired.iter_mut().zip(["CLK10", "CLK11", "CLK13", "CLK16", "CLK17"]) {
                *count += findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == code).count();
            }
            text.clear();
        }
    }
    assert!(fired.iter().all(|count| *count > part(5)), "{fired:?}");
}

#[test]
fn games_with_evaluations_are_passed_over() {
    let mut numbers = Numbers::new(29);
    let texts: Vec<String> = (0..400).map(|number| evaluated(number / 8 * 8, &mut numbers, 0)).collect();
    let (passed, all) = passed_over(texts.iter().map(String::as_str));
    assert!(passed * 100 >= all * 91, "{passed} of {all} games were passed over");
}

/// A game of two moves, with other tags and a comment at its end.
fn ended(tags: &str, comment: &str, result: &str) -> String {
    format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
         [Result \"{result}\"]\n{tags}\n1. e4 e5 {{{comment}}} {result}\n\n"
    )
}

/// What servers and engines write does not send a game to the thorough path.
#[test]
fn usual_tags_and_comments_are_passed_over() {
    let tags = [
        "[Variant \"Standard\"]",
        "[Variant \"normal\"]",
        "[EventDate \"2024.01.01\"]",
        "[EventDate \"2023.??.??\"]",
        "[EventDate \"2024.??.??\"]",
        "[EndDate \"2024.??.??\"]",
        "[UTCDate \"2024.01.01\"]\n[UTCTime \"23:59:59\"]",
        "[PlyCount \"4\"]",
        "[WhiteElo \"4000\"]\n[BlackElo \"-\"]",
        "[WhiteRatingDiff \"+7\"]",
        "[ECO \"C20\"]",
        "[TimeControl \"40/7200:3600\"]",
        "[Termination \"Normal\"]",
        "[Tournament \"x\"]",
        "[TerminationDetails \"x\"]",
        "[Termination \"Time forfeit\"]",
        "[Termination \"Abandoned\"]",
        "[CurrentPosition \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"]",
    ];
    for tags in tags {
        let game = ended(&format!("{tags}\n"), "x", "1-0").replace("} 1-0", "} 2. Nf3 Nc6 1-0");
        assert_eq!(passed_over([game.as_str()]), (1, 1), "{game}");
    }
    let comments = [
        ["[%clk 0:05:00]", "[%clk 0:04:59]"],
        [" [%clk 0:05:00] ", " [%clk 0:04:59] "],
        ["[%clk 0:05:00.5]", "[%clk 0:04:59.9]"],
        ["[%clk 10:05:00]", "[%clk 10:04:59]"],
        ["[%emt 0:00:05]", "[%emt 0:00:05.25]"],
        ["[%emt 00:00:05]", " [%emt 0:00:05.5] "],
        [" [%eval 0.17] [%clk 0:05:00] ", " [%eval 0.2] [%clk 0:04:59] "],
        [" [%eval -0.17] ", "[%eval 0.5]"],
        ["[%eval #3]", "[%eval #2]"],
        ["[%eval 0.17] [%emt 0:00:05]", "[%clk 0:05:00] [%eval 0.25]"],
        ["+0.17/12 0.5s", "book"],
        ["d=15, sd=42, mt=22315, pv=Nf3 Nc6, mb=+0+0+0+0+0,", " Eval = 0.00,  Depth = 1,  MoveTime = 00:00:00 "],
    ];
    for [white, black] in comments {
        for glyph in ["", "$1 ", "$14 "] {
            let game = ended("", "x", "1-0")
                .replace("1. e4 e5 {x}", &format!("1. e4 {glyph}{{{white}}} 1... e5 {glyph}{{{black}}} 2. Nf3 Nc6"));
            assert_eq!(passed_over([game.as_str()]), (1, 1), "{game}");
        }
    }
}

/// A misspelled name is reported once per input, with a count. Games that have it are accepted
/// after that.
#[test]
fn misspelled_names_of_tags_are_counted() {
    let mut clean = FastGames::default();
    let game = ended("[PlayCount \"2\"]\n[Anotator \"x\"]\n", "x", "1-0");
    assert_eq!(passed_over_by(&mut clean, [game.as_str()]), (0, 1));
    for name in ["PlayCount", "Anotator", "fen", "WhiteELO", "Tournament", "White-Elo"] {
        clean.count_tag(name.as_bytes());
    }
    assert_eq!(passed_over_by(&mut clean, [game.as_str()]), (1, 1));
    for tag in ["[PlayCount \"2\"]\n[PlayCount \"2\"]\n", "[playCount \"2\"]\n", "[fen \"x\"]\n", "[WhiteELO \"1\"]\n"] {
        assert_eq!(passed_over_by(&mut clean, [ended(tag, "x", "1-0").as_str()]), (0, 1), "{tag}");
    }
    let mut numbers = Numbers::new(31);
    let names = ["PlayCount", "Anotator", "Tournament", "PlyCountt", "fen", "WhiteELO", "Reslt", "playcount", "White-Elo"];
    for kinds in [1, 2, names.len()] {
        let game = |_| {
            let result = ["1-0", "*"][numbers.below(2)];
            let game = ended(&format!("[{} \"2\"]\n", names[numbers.below(kinds)]), "x", result);
            // The tags of games with an illegal move are counted, too.
            let illegal = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bc7 Nf6";
            if numbers.below(4) == 0 { game.replace("1. e4 e5 {x}", illegal) } else { game }
        };
        let text: String = (0..200).map(game).collect();
        assert!(text.contains("4. Bc7 Nf6 "), "{text}");
        compare(text.as_bytes());
        let findings = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() }).findings;
        let times = text.matches("[PlayCount ").count();
        let message = format!("unknown tag `PlayCount`: PlyCount is probably meant; {times} times in this input, first here");
        assert!(findings.iter().any(|(_, finding)| finding.message == message), "{message}");
    }
}

/// Infos about accepted tags count for the limit of findings of a game, whether it is read by the
/// fast path first or not.
#[test]
fn lists_of_findings_get_full_at_the_same_place() {
    for nags in [9_998, 10_000] {
        let moves = format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bc7 {}Nf6", "$300 ".repeat(nags));
        let game = ended("", "x", "0-1").replace("1. e4 e5 {x}", &moves).replace("White \"A\"", "White \"B\"");
        let audited = |thorough| audit_result(game.as_bytes(), Profile::Standard, Limits::DEFAULT, None, thorough);
        assert!(audited(false) == audited(true), "{nags}");
    }
}

/// Engines and servers write how the game ended behind the last move.
#[test]
fn words_at_the_end() {
    let words = [
        "d=33, sd=50, pv=Nf3, mb=+0+0+0+0+0, Adjudication: TCEC draw rule",
        "d=33, mb=+0+0+1-1+0, White wins by adjudication: SyzygyTB",
        "wv=0.00, d=12",
        "best was d4",
    ];
    for words in words {
        for result in ["1-0", "0-1", "1/2-1/2"] {
            let game = ended("", words, result);
            assert_eq!(passed_over([game.as_str()]), (1, 1), "{game}");
        }
    }
    let mut text = String::new();
    let beginnings = ["White", "black", "Game", "draw", "Drawn", "d=3", "Whiter", "bl"];
    let ends = [" wins by adjudication", " resigns", " drawn by agreement", " by repetition", "", " mates", "'s flag fell"];
    for beginning in beginnings {
        for end in ends {
            for result in ["1-0", "0-1", "1/2-1/2", "*"] {
                text.push_str(&ended("", &format!(" {beginning}{end}"), result));
            }
        }
    }
    compare(text.as_bytes());
}

#[test]
fn positions_that_come_up_again_and_again() {
    for times in 1..8 {
        for (before, behind) in [("", "1-0"), ("e4 e5", "1-0"), ("", "e4 1-0"), ("e4 e5", "d4 0-1"), ("Nc3 Nc6", "Nd5 1-0")] {
            let moves = format!("{before} {} {behind}", "Nf3 Nf6 Ng1 Ng8 ".repeat(times));
            let mut movetext = String::new();
            for (ply, token) in moves.split_whitespace().enumerate() {
                if ply % 2 == 0 && !token.contains("-0") && !token.contains("0-") {
                    movetext.push_str(&format!("{}. ", ply / 2 + 1));
                }
                movetext.push_str(token);
                movetext.push(' ');
            }
            let result = behind.split(' ').next_back().unwrap_or("*");
            for id in ["[WhiteFideId \"4\"]\n", ""] {
                compare(
                    format!(
                        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
                         [Result \"{result}\"]\n{id}\n{movetext}\n\n[Event \"?\"]\n"
                    )
                    .as_bytes(),
                );
            }
        }
    }
}

/// A game in which something was changed: a byte, a token, a line.
fn mutated(game: &Game, numbers: &mut Numbers) -> Vec<u8> {
    const TOKENS: [&str; 48] = [
        "1-0",
        "0-1",
        "*",
        "1/2-1/2",
        "e4",
        "Nf3",
        "O-O",
        "O-O-O",
        "0-0",
        "Qxf7#",
        "Nf3+",
        "exd5",
        "e8=Q",
        "e8Q",
        "3.",
        "3...",
        "{text}",
        "{[%clk 0:01:00]}",
        "{ [%clk 0:05:01] }",
        "{ [%clk 0:65:01] }",
        "{",
        "}",
        "(",
        ")",
        "$1",
        "$256",
        "!?",
        "Nf3!",
        "Kxe2",
        "Rad1",
        "Qa1b2",
        "e.p.",
        "--",
        "; text",
        "{ [%eval 0.17] [%clk 0:05:00] }",
        "1.e4",
        "..",
        "+",
        "%",
        "\u{e9}",
        "[Event \"?\"]",
        "{ [ ] }",
        "{ \u{e9} }",
        "[%clk 0:01:00]",
        "2.e4",
        "N",
        "{}",
        "axb8=N+",
    ];
    const BYTES: &[u8] = b" \n\r\t[]{}()\"\\.;%*$-+#01239abhNRKQOx=!?\xE9\x00\x0C\x7F";
    let mut sans = game.sans.clone();
    for _ in 0..numbers.below(3) {
        if sans.is_empty() {
            break;
        }
        let at = numbers.below(sans.len());
        match numbers.below(6) {
            0 => sans[at].push_str(["+", "#", "!", "?!", "++", "=Q", "x"][numbers.below(7)]),
            1 => sans[at] = sans[at].replace(['+', '#', 'x'], ""),
            2 => sans[at] = TOKENS[numbers.below(TOKENS.len())].to_owned(),
            3 => sans[at] = format!("{} {}", sans[at], TOKENS[numbers.below(TOKENS.len())]),
            4 if sans[at].is_ascii() => {
                let place = numbers.below(sans[at].len());
                let byte = char::from(b"abcdefgh12345678NBRQKOx+#=-"[numbers.below(27)]);
                sans[at].replace_range(place..=place, &byte.to_string());
            }
            _ => {
                sans.remove(at);
            }
        }
    }
    let mut text = game.with_moves(&sans).into_bytes();
    for _ in 0..numbers.below(3) {
        let at = numbers.below(text.len());
        let byte = BYTES[numbers.below(BYTES.len())];
        match numbers.below(3) {
            0 => text[at] = byte,
            1 => text.insert(at, byte),
            _ => {
                text.remove(at);
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: part(60) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_that_were_tampered_with(seed in any::<u64>()) {
        let mut numbers = Numbers::new(seed);
        let mut text = Vec::new();
        for _ in 0..30 {
            let game = game(numbers.below(5000));
            text.extend(mutated(&game, &mut numbers));
            text.extend(["", "\n", "\r\n"][numbers.below(3)].bytes());
        }
        compare(&text);
    }
}

#[test]
fn headers_that_follow_in_odd_ways() {
    let (first, second) = (game(1).plain(), game(2).plain());
    for between in ["", " ", "\t", "\n", "\n\n", "\n \t", "\n\n\x0C", "\x0B", "\r", "\r\n\r\n\x0C ", "\u{feff}", "\n\u{feff}"] {
        compare(format!("{}{between}{second}", first.trim_end()).as_bytes());
    }
}

#[test]
fn games_cut_off_anywhere() {
    let text = [game(1).plain(), game(2).plain(), game(4).annotated().text].concat();
    for end in (0..text.len()).step_by(7).chain(text.len().saturating_sub(40)..text.len()) {
        compare(&text.as_bytes()[..end]);
    }
}

#[test]
fn what_a_selection_shows_decides_what_is_passed_over() {
    let of = |profile| least_severe_about_games(&Selection::of(profile));
    for (profile, severity) in [
        (Profile::Standard, Some(Severity::Warning)),
        (Profile::Problem, Some(Severity::Warning)),
        (Profile::Strict, Some(Severity::Info)),
        (Profile::Export, None),
    ] {
        assert_eq!(of(profile), severity, "{profile:?}");
    }
    let selected = |word| least_severe_about_games(&Selection::default().select([word]).expect("a rule is called so"));
    assert_eq!([selected("POS"), selected("MOV11"), selected("SYN15")], [Some(Severity::Warning), Some(Severity::Info), None]);
}

/// A token as [`Board::play`] wants it.
fn word(token: &str) -> Option<SanWord> {
    let mut bytes = [0; 8];
    bytes.get_mut(..token.len())?.copy_from_slice(token.as_bytes());
    (1..8).contains(&token.len()).then_some(SanWord::of(u64::from_le_bytes(bytes), token.len() as u32))
}

fn play<const EXACT: bool>(board: &mut Board, position: &Chess, token: &str) -> Option<bool> {
    let word = word(token)?;
    Some(if position.turn().is_white() { board.play::<0, EXACT>(word) } else { board.play::<1, EXACT>(word) })
}

/// The move of a piece with its `x`, if it takes something.
fn marked(san: San, position: &Chess) -> San {
    match san {
        San::Normal { role, file, rank, to, promotion, .. } if role != Role::Pawn => {
            San::Normal { role, file, rank, to, promotion, capture: position.board().role_at(to).is_some() }
        }
        other => other,
    }
}

/// Whether a token is a canonically spelt move, legal, with no mark that is false.
fn is_right(position: &Chess, token: &str) -> bool {
    let core = token.trim_end_matches(['+', '#']);
    let Ok(san) = core.parse::<San>() else { return false };
    if WrittenSan::canonical(token.as_bytes()).is_none() {
        return false;
    }
    let Ok(played) = marked(san, position).to_move(position) else { return false };
    if let San::Normal { capture: true, .. } = san
        && !played.is_capture()
    {
        return false;
    }
    let mut after = position.clone();
    after.play_unchecked(played);
    match &token[core.len()..] {
        "+" => after.is_check(),
        "#" => after.is_checkmate(),
        _ => true,
    }
}

/// Whether a token is the canonical spelling of a legal move, with all marks.
fn is_exact(position: &Chess, token: &str) -> bool {
    let played = token.parse::<SanPlus>().ok().and_then(|written| marked(written.san, position).to_move(position).ok());
    played.is_some_and(|played| SanPlus::from_move(position.clone(), played).to_string() == token)
}

/// A move in a spelling that may be right: half of them of a legal move.
fn spelling(position: &Chess, numbers: &mut Numbers) -> String {
    let one_of = |choices: &[&'static str], numbers: &mut Numbers| choices[numbers.below(choices.len())];
    let legal = position.legal_moves();
    let capture = one_of(&["", "x"], numbers);
    let end = one_of(&["", "", "+", "#", "=Q", "=N+", "=K"], numbers);
    if numbers.below(12) == 0 {
        return one_of(&["O-O", "O-O-O", "O-O+", "O-O-O#"], numbers).to_owned();
    }
    if legal.is_empty() || numbers.below(2) == 0 {
        let letter = one_of(&["", "N", "B", "R", "Q", "K"], numbers);
        let hint = one_of(&["", "", "", "a", "c", "e", "1", "5", "e4", "b1"], numbers);
        return format!("{letter}{hint}{capture}{}{end}", Square::new(numbers.below(64) as u32));
    }
    let played = legal[numbers.below(legal.len())];
    let from = played.from().unwrap_or(Square::A1);
    let letter = if played.role() == Role::Pawn { String::new() } else { played.role().upper_char().to_string() };
    let hint = match numbers.below(if letter.is_empty() { 2 } else { 4 }) {
        0 => String::new(),
        1 => from.file().to_string(),
        2 => from.rank().to_string(),
        _ => from.to_string(),
    };
    format!("{letter}{hint}{capture}{}{end}", played.to())
}

#[test]
fn the_board_plays_as_shakmaty_does() {
    let mut numbers = Numbers::new(9);
    let (mut right, mut wrong, mut exact, mut unmarked, mut mates, mut taken_back) = (0, 0, 0, 0, 0, 0);
    for round in 0..40 {
        for taste in Taste::ALL {
            let mut position = Chess::default();
            let mut board = Board::default();
            for _ in 0..[60, 200][round % 2] {
                for _ in 0..4 {
                    let token = spelling(&position, &mut numbers);
                    let mut other = board.clone();
                    if let Some(played) = play::<false>(&mut other, &position, &token) {
                        assert_eq!(played, is_right(&position, &token), "{token} in {position:?}");
                        if played {
                            right += 1
                        } else {
                            wrong += 1
                        }
                        let mut other = board.clone();
                        let accepted = play::<true>(&mut other, &position, &token) == Some(true);
                        let is_unmarked = accepted && other.unmarked_checks() > board.unmarked_checks();
                        let is_mate = accepted && other.has_unmarked_mate(position.turn().is_white());
                        let core = token.trim_end_matches('+');
                        assert_eq!(accepted && !is_unmarked && !is_mate, is_exact(&position, &token), "{token} in {position:?}");
                        assert_eq!(is_mate, is_exact(&position, &format!("{core}#")), "{token} in {position:?}");
                        let may_be_unmarked = !is_mate && !token.ends_with(['+', '#']);
                        if may_be_unmarked {
                            assert_eq!(is_unmarked, is_exact(&position, &format!("{token}+")), "{token} in {position:?}");
                        }
                        exact += usize::from(accepted && !is_unmarked && !is_mate);
                        unmarked += usize::from(is_unmarked);
                        mates += usize::from(is_mate);
                    }
                }
                let Some(played) = choose(&position, taste, &mut numbers) else { break };
                let token = SanPlus::from_move(position.clone(), played).to_string();
                let unmarked = token.trim_end_matches(['+', '#']).to_owned();
                let before = board.clone();
                assert_ne!(play::<false>(&mut board, &position, &unmarked), Some(false), "{unmarked} in {position:?}");
                board = before.clone();
                assert_eq!(play::<true>(&mut board, &position, &token), Some(true), "{token} in {position:?}");
                if let Some(earlier) = board.before_last_ply() {
                    let white = position.turn().is_white();
                    let seen = |board: &Board| [0, 1].map(|side| board.looks_winnable(side, !white));
                    assert_eq!(earlier.pieces(), before.pieces(), "{token} in {position:?}");
                    assert_eq!(
                        (earlier.is_check(), seen(&earlier)),
                        (before.is_check(), seen(&before)),
                        "{token} in {position:?}"
                    );
                    taken_back += 1;
                } else {
                    assert!(token.contains(['O', '=']) || played.is_en_passant(), "{token} in {position:?}");
                }
                position.play_unchecked(played);
                assert_eq!(board.is_check(), position.is_check(), "{position:?}");
                let same = board.position(position.turn().is_black());
                assert_eq!(same.map(|same| same.legal_moves()), Some(position.legal_moves()), "{position:?}");
                let counted = Setup {
                    halfmoves: position.halfmoves(),
                    fullmoves: position.fullmoves(),
                    ..board.setup(position.turn().is_black())
                };
                assert_eq!(counted, position.to_setup(EnPassantMode::Always), "{position:?}");
                let has_move = if position.turn().is_white() { board.has_move::<0>() } else { board.has_move::<1>() };
                assert_eq!(has_move, !position.legal_moves().is_empty(), "{position:?}");
            }
        }
    }
    assert!(right > 2000 && exact > 1000 && wrong > 50_000, "{right} {exact} {wrong}");
    assert!(unmarked > 20 && mates > 0 && taken_back > 5000, "{unmarked} {mates} {taken_back}");
}

#[test]
fn corpora_have_the_same_reports() {
    let Some(folder) = corpora() else { return };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder.join("pgn")).expect("the folder can be read").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for file in files {
        let text = fs::read(&file).expect("the file can be read");
        // Of the longest files the beginning and the end.
        const MOST: usize = 4_000_000;
        for part in [&text[..text.len().min(MOST)], &text[text.len().saturating_sub(MOST)..]] {
            for profile in [Profile::Standard, Profile::Strict] {
                let [fast, thorough] = [false, true].map(|thorough| audit_result(part, profile, Limits::DEFAULT, None, thorough));
                assert!(fast == thorough, "{}, {profile:?}", file.display());
            }
        }
        let text = String::from_utf8_lossy(&text[..text.len().min(MOST)]);
        let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
        let (passed, all) = passed_over(starts.windows(2).map(|pair| &text[pair[0]..pair[1]]));
        println!("{}: {passed} of {all} passed over", file.file_name().unwrap_or_default().display());
    }
}
