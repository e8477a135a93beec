//! `--exhaustive`: the rules about positions are asked about every position that a replay reaches.

use std::{fs, path::PathBuf};

use crate::common::{AuditResult, audit, corpora, everything, fixture, games::games, input, line};
use chess_audit::internals::{
    pipeline::{Options, Settings},
    record::FastGames,
    rules::{ActiveRules, Family, Finding, Profile, Selection, Severity},
    text::Format,
};
use shakmaty::Setup;

fn every_position() -> Options {
    Options { exhaustive: true, ..Options::default() }
}

fn exhaustive() -> Settings {
    Settings { options: every_position(), ..everything() }
}

fn audit_exhaustively(text: &str) -> AuditResult {
    audit(vec![input(text.as_bytes(), Format::Pgn)], exhaustive())
}

/// Families of rules about positions.
fn about_position(finding: &Finding) -> bool {
    matches!(finding.rule.code.family(), Family::Pos | Family::Cas | Family::Eps | Family::Ctr)
}

/// A game from a position, with its tags.
fn game(date: &str, variant: &str, fen: &str, moves: &str) -> String {
    format!(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"{date}\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\
         {variant}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n"
    )
}

/// Code, ply and variation of what is found beyond what is found without the switch.
fn found_in_addition(text: &str) -> Vec<(String, Option<u32>, String)> {
    let before = audit(vec![input(text.as_bytes(), Format::Pgn)], everything()).lines();
    let after = audit_exhaustively(text);
    assert!(before.iter().all(|line| after.lines().contains(line)), "nothing is lost");
    let new = after.findings.iter().filter(|(_, finding)| !before.contains(&line(finding)));
    new.map(|(_, finding)| (finding.rule.code.to_string(), finding.ply, finding.variation.clone())).collect()
}

/// In a variation the clock runs on beyond 150, in the main line it does not.
#[test]
fn what_a_line_reaches_is_found_where_it_is_reached() {
    let fen = "4k3/8/8/8/8/8/3RP3/K7 w - - 148 120";
    let text = game("2020.01.01", "", fen, "120. Kb1 Ke7 121. e4 (121. Kc1 Ke8 122. Kb1) 121... Kf6");
    assert_eq!(found_in_addition(&text), [("CTR08".to_owned(), Some(3), "3".to_owned())]);
    let audit_result = audit_exhaustively(&text);
    let (_, finding) =
        audit_result.findings.iter().find(|(_, finding)| finding.rule.name == "seventy-five-move-rule").expect("it is found");
    assert_eq!(finding.place.of(text.as_bytes()), b"Kc1");
    assert_eq!((finding.move_text.as_str(), finding.found.as_str()), ("Kc1", "151"));
    assert_eq!(finding.fen, "8/4k3/8/8/8/8/3RP3/2K5 b - - 151 121");
    assert_eq!(
        finding.message,
        "in the position after this move: the halfmove clock is 151, but the 75-move rule ends the game at 150"
    );
    assert!(audit_result.summary.rules.values().all(|rule| rule.findings == 1), "once in a game");
}

#[test]
fn a_false_start_is_reported_once() {
    let after = |fen: &str, moves: &str| found_in_addition(&game("2020.01.01", "", fen, moves));
    // What can be seen from the start on is reported there.
    assert!(after("4k3/8/8/8/8/8/3R4/K7 w - - 160 200", "200. Kb1 Ke7").is_empty());
    assert!(after("4k3/8/8/8/8/8/3R4/K7 w - - 60 20", "20. Kb1 Ke7 21. Kc1").is_empty());
    // Nine queens and eight pawns: no later position can be reached either, for that and other
    // reasons.
    assert!(after("4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 40", "40. Qd4 Ke7 41. Qde5+").is_empty());
    // A king and a rook that are not at home.
    assert!(after("4k3/8/8/8/8/8/3R4/K7 w KQkq - 0 40", "40. Kb1 Ke7").is_empty());
    // An en passant square with nothing behind it.
    assert!(after("4k3/8/8/8/8/8/3R4/K7 w - e6 0 40", "40. Kb1 Ke7").is_empty());
}

/// After a null move nothing is asked: who is to move is not what moves say.
#[test]
fn nothing_is_asked_after_a_null_move() {
    let text = game("2020.01.01", "", "4k3/8/8/8/8/8/3R4/K7 w - - 149 120", "120. Kb1 (120. -- Ke7 121. Kb1) 120... Ke7");
    assert_eq!(found_in_addition(&text), [("CTR08".to_owned(), Some(2), String::new())]);
}

/// The switch on the command line: the exit code, the table, and what the report says it was asked
/// for.
#[test]
fn the_switch_is_passed_on() -> Result<(), Box<dyn std::error::Error>> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), game("2020.01.01", "", "4k3/8/8/8/8/8/3R4/K7 w - - 150 120", "120. Kb1"))?;
    let mut counters = Vec::new();
    for (switch, code, asked) in [(None, 0, "\"exhaustive\": false"), (Some("--exhaustive"), 1, "\"exhaustive\": true")] {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_chess-audit"));
        command.current_dir(home.path()).args(["check", "a.pgn", "-q", "--fail-on", "warning"]).args(switch);
        command.assert().code(code);
        let report = home.path().join("chess-audit-report");
        let run = fs::read_to_string(report.join("run.json"))?;
        assert!(run.contains(asked), "{run}");
        counters.push(fs::read_to_string(report.join("counters.csv"))?.lines().count());
    }
    assert_eq!(counters, [1, 2], "the header, then one finding more");
    Ok(())
}

/// Games made at random, with variations and comments, from the standard starting position and from
/// those of Chess960.
#[test]
fn made_games_are_clean() {
    let text: String = games(3000).iter().map(|game| game.annotated().text).collect();
    let audit_result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 0, ..exhaustive() });
    assert_eq!(audit_result.summary.counts.games, 3000);
    assert!(audit_result.summary.counts.plies > 200_000, "{:?}", audit_result.summary.counts);
    let found: Vec<String> =
        audit_result.findings.iter().map(|(_, finding)| finding).filter(|finding| about_position(finding)).map(line).collect();
    assert!(found.is_empty(), "{:#?}", &found[..found.len().min(10)]);
}

#[test]
fn good_files_are_clean() {
    let files = fs::read_dir(fixture("conformance/collections")).expect("the folder can be read");
    let mut count = 0;
    for file in files.map(|entry| entry.expect("its entries can be read").path()) {
        if file.extension().is_some_and(|ending| ending == "pgn") {
            count += 1;
            let bytes = fs::read(&file).expect("the file can be read");
            let audit_result = audit(vec![input(&bytes, Format::Pgn)], exhaustive());
            let found: Vec<_> = audit_result.findings.iter().filter(|(_, finding)| finding.severity > Severity::Info).collect();
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
    assert!(count > 10);
}

/// Everything that is found with the profile `standard`, on the fast path or without it.
fn with_the_standard_profile(text: &str, thorough: bool) -> Vec<String> {
    let settings =
        Settings { options: every_position(), thorough, selection: Selection::of(Profile::Standard), ..Settings::default() };
    audit(vec![input(text.as_bytes(), Format::Pgn)], settings).lines()
}

/// Knights go out and come back for 76 moves of each side, so that the clock reaches 152.
fn long_quiet_game(date: &str) -> String {
    let turns = (0..38).map(|turn| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * turn + 1, 2 * turn + 2));
    let tags = [
        "Event \"Sample\"",
        "Site \"?\"",
        &format!("Date \"{date}\""),
        "Round \"?\"",
        "White \"?\"",
        "Black \"?\"",
        "Result \"*\"",
    ];
    format!("{}\n{}*\n\n", tags.map(|tag| format!("[{tag}]\n")).concat(), turns.collect::<String>())
}

#[test]
fn fast_and_thorough_path_agree() {
    let from_positions = [
        ("148 120", "120. Kb1 Ke7 121. e4 (121. Kc1 Ke8 122. Kb1) 121... Kf6"),
        ("149 120", "120. Kb1 Ke7 121. Kc1"),
        ("10 998", "998. Kb1 Ke7 999. Kc1 Ke8 1000. Kb1 Ke7 1001. Kc1"),
    ]
    .map(|(counters, moves)| game("2020.01.01", "", &format!("4k3/8/8/8/8/8/3RP3/K7 w - - {counters}"), moves));
    let mut texts = from_positions.to_vec();
    texts.extend(["????.??.??", "2020.01.01", "1999.12.31"].map(long_quiet_game));
    texts.extend(games(300).iter().map(|game| game.plain()));
    texts.push(texts.concat());
    let mut found = 0;
    for text in &texts {
        let [fast, thorough] = [false, true].map(|thorough| with_the_standard_profile(text, thorough));
        assert_eq!(fast, thorough, "{text}");
        found += fast.iter().filter(|line| line.contains("CTR08")).count();
    }
    assert!(found >= 6, "{found}");
}

/// The rules are rarely needed to show that a position has no findings. Games from positions are
/// left to the thorough path.
#[test]
fn the_fast_path_proves_most_positions() {
    let rules = ActiveRules::of(&Selection::of(Profile::Standard));
    let (mut plies, mut in_doubt) = (0, 0);
    for game in games(400) {
        let text = game.plain();
        let mut fast = FastGames::default();
        let accepted = fast.accept(text.as_bytes(), 0, &rules);
        let doubted = |_: Setup| {
            in_doubt += 1;
            true
        };
        let with_positions = fast.accept_with_positions(text.as_bytes(), 0, &rules, doubted);
        assert_eq!(with_positions, accepted.filter(|_| game.fen.is_none()));
        plies += with_positions.map_or(0, |accepted| accepted.plies);
        let refused = fast.accept_with_positions(text.as_bytes(), 0, &rules, |_| false);
        assert!(refused.is_none() || refused == accepted);
    }
    assert!(plies > 10_000 && 20 * in_doubt < plies, "{in_doubt} of {plies}");
}

/// Of larger files so many bytes are taken from the beginning, and as many from the first game in
/// the second half on.
const PART: usize = 3 << 19;

/// Audits games and returns the findings about positions that are no infos, those about start
/// positions left out.
fn accused(name: &str, bytes: &[u8]) -> (Vec<String>, u64) {
    let settings = Settings {
        threads: 0,
        options: every_position(),
        // The rules themselves are asked, not only about positions that are hard to prove.
        thorough: true,
        selection: Selection::of(Profile::Standard).select(["POS", "CAS", "EPS", "CTR"]).expect("these are families"),
        ..Settings::default()
    };
    let audit_result = audit(vec![input(bytes, Format::Pgn)], settings);
    let reached = audit_result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.ply.is_some());
    let serious = reached.filter(|finding| finding.severity > Severity::Info);
    (serious.map(|finding| format!("{name}: {}", line(finding))).collect(), audit_result.summary.counts.plies)
}

/// Games of people and of engines: no position of theirs is accused. Only the 75-move rule can have
/// been broken.
#[test]
fn no_position_of_real_games_is_accused() {
    let Some(corpora) = corpora() else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(corpora.join("pgn"))
        .expect("the folder can be read")
        .map(|entry| entry.expect("its entries can be read").path())
        .collect();
    files.sort();
    let (mut plies, mut found) = (0, Vec::new());
    for file in &files {
        let bytes = fs::read(file).expect("the file can be read");
        let parts = if bytes.len() > 2 * PART {
            let second = games_from(&bytes, bytes.len() / 2);
            vec![&bytes[..PART], &second[..PART.min(second.len())]]
        } else {
            vec![&bytes[..]]
        };
        for part in parts {
            let (accused, replayed) = accused(&file.display().to_string(), part);
            plies += replayed;
            found.extend(accused);
        }
    }
    println!("{plies} positions of real games");
    found.retain(|finding| !finding.contains("CTR08"));
    assert!(found.is_empty(), "{:#?}", &found[..found.len().min(10)]);
}

/// The text from the first game on that begins behind `at`.
fn games_from(text: &[u8], at: usize) -> &[u8] {
    let header = b"\n[Event \"";
    let begins = text[at..].windows(header.len()).position(|window| window == header);
    begins.map_or(&[], |begins| &text[at + begins + 1..])
}
