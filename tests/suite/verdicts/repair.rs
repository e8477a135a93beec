//! Repairs: one ply of a good game is damaged, and the auditor is asked what was meant.

use std::{collections::BTreeMap, error::Error, fmt::Write, fs, path::Path};

use crate::common::{
    audit, corpora,
    damage::{Damaged, Kind, damaged, moves},
    games::games,
    input,
};
use assert_cmd::Command;
use chess_audit::internals::{
    corpus::Input,
    pipeline::Settings,
    rules::{Certainty, Family, Finding, Patch, Profile, Selection},
    text::Format,
};

type Outcome = Result<(), Box<dyn Error>>;

/// What came of games of one kind.
#[derive(Debug, Default)]
struct Tally {
    games: u32,
    replays: u32,
    broken: u32,
    named: u32,
    first: u32,
    certain: u32,
    wrong: Vec<String>,
    missed: Vec<String>,
}

fn tokens(text: &str) -> Vec<&str> {
    moves(text).into_iter().map(|token| token.text).collect()
}

/// Whether a finding stops the replay of the main line.
fn stops(finding: &Finding) -> bool {
    let code = finding.rule.code.to_string();
    finding.variation.is_empty()
        && (matches!(code.as_str(), "MOV01" | "MOV02" | "MOV03" | "MOV04" | "MOV05" | "MOV06") || finding.repair.is_some())
}

fn tally(list: &[Damaged]) -> BTreeMap<Kind, Tally> {
    let text: String = list.iter().map(|one| one.text.as_str()).collect();
    let audit_result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
    assert_eq!(audit_result.summary.counts.games, list.len() as u64);
    let mut starts = vec![0];
    list.iter().for_each(|one| starts.push(starts[starts.len() - 1] + one.text.len()));
    let mut tallies: BTreeMap<Kind, Tally> = BTreeMap::new();
    for (index, one) in list.iter().enumerate() {
        let tally = tallies.entry(one.kind).or_default();
        tally.games += 1;
        let own: Vec<&Finding> =
            audit_result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.game == index as u64 + 1).collect();
        let Some(finding) = own.iter().copied().find(|finding| stops(finding)) else {
            // A token that is no move in English, but says which one is meant.
            let unknown = own.iter().find(|finding| finding.rule.code.to_string() == "SYN10");
            if let Some(unknown) = unknown {
                tally.broken += 1;
                let named = unknown.expected == one.token;
                tally.named += u32::from(named);
                if !named {
                    tally.missed.push(format!("{}: {}", one.token, own[0].message));
                }
            } else {
                tally.replays += 1;
            }
            continue;
        };
        tally.broken += 1;
        let mended = finding.patches().first().map(|patch| {
            let (start, end) = (patch.place.start - starts[index], patch.place.end - starts[index]);
            assert_eq!(&one.text.as_bytes()[start..end], patch.old, "the old bytes stand there");
            format!("{}{}{}", &one.text[..start], String::from_utf8_lossy(&patch.new), &one.text[end..])
        });
        let right = mended.as_ref().is_some_and(|mended| tokens(mended) == tokens(&one.original));
        let named = right || finding.what_is_expected().split(" or ").any(|name| name.split(' ').next_back() == Some(&one.token));
        tally.named += u32::from(named);
        tally.first += u32::from(right);
        let case = || format!("{} -> {:?}, {:?}: {}", one.token, finding.found, finding.what_is_expected(), finding.message);
        if !named {
            tally.missed.push(case());
        }
        if finding.certainty() == Some(Certainty::Certain) {
            tally.certain += 1;
            if !right {
                tally.wrong.push(case());
            }
        }
    }
    tallies
}

/// The tallies as a table, and whether they hold what is promised.
fn judge(name: &str, list: &[Damaged]) {
    let tallies = tally(list);
    let mut table = format!("{name}: {} games\nkind         games replays broken named first certain wrong\n", list.len());
    for (kind, tally) in &tallies {
        let Tally { games, replays, broken, named, first, certain, .. } = tally;
        let _ = writeln!(
            table,
            "{:12} {games:5} {replays:7} {broken:6} {named:5} {first:5} {certain:7} {:5}",
            format!("{kind:?}"),
            tally.wrong.len()
        );
    }
    let sum = |count: fn(&Tally) -> u32, of: fn(&Kind) -> bool| -> u32 {
        tallies.iter().filter(|(kind, _)| of(kind)).map(|(_, tally)| count(tally)).sum()
    };
    let kept = |kind: &Kind| *kind != Kind::Omitted;
    let (broken, named) = (sum(|tally| tally.broken, kept), sum(|tally| tally.named, kept));
    let certain = sum(|tally| tally.certain, |_| true);
    let _ =
        writeln!(table, "named {named} of {broken} ({:.1} %), {certain} certain", 100.0 * f64::from(named) / f64::from(broken));
    println!("{table}");
    if std::env::var_os("SHOW").is_some() {
        for (kind, tally) in &tallies {
            for case in tally.missed.iter().take(12) {
                println!("{kind:?} missed {case}");
            }
        }
    }
    let wrong: Vec<&String> = tallies.values().flat_map(|tally| &tally.wrong).collect();
    assert!(wrong.is_empty(), "{table}{wrong:#?}");
    assert!(named * 100 >= broken * 90, "{table}");
    assert!(certain * 100 >= broken * 20, "{table}");
    assert!(broken * 2 > list.len() as u32, "{table}");
}

fn made_up() -> Vec<String> {
    games(6_000).iter().filter(|game| game.sans.len() >= 20).map(|game| game.plain()).collect()
}

/// What the audit says of games of one kind of damage.
#[derive(Debug, Default)]
struct Verdicts {
    games: usize,
    /// Games without a finding: what is written is another game.
    silent: usize,
    findings: usize,
    /// Findings beyond one for each slip.
    further: usize,
    certain: usize,
    wrong: Vec<String>,
    repeated: Vec<String>,
}

/// A text with single spaces between its tokens.
fn evenly_spaced(text: &str) -> String {
    let mut even = String::new();
    for word in text.split_ascii_whitespace() {
        if !even.is_empty() {
            even.push(' ');
        }
        // `12.Nf3` and `12. Nf3` are the same.
        match word.rfind('.').filter(|dot| word[..*dot].chars().all(|next| next.is_ascii_digit() || next == '.')) {
            Some(dot) if dot + 1 < word.len() => even.extend([&word[..=dot], " ", &word[dot + 1..]]),
            _ => even.push_str(word),
        }
    }
    even
}

/// Applies the certain repairs of findings in `text`.
fn certainly_repaired(text: &str, findings: &[&Finding]) -> (usize, String) {
    let certain = || findings.iter().filter(|finding| finding.certainty() == Some(Certainty::Certain));
    let mut patches: Vec<Patch> = certain().flat_map(|finding| finding.patches()).cloned().collect();
    patches.sort_by_key(|patch| std::cmp::Reverse(patch.place.start));
    let mut bytes = text.as_bytes().to_vec();
    for patch in &patches {
        assert_eq!(&bytes[patch.place.start..patch.place.end], patch.old, "the old bytes are there");
        bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
    }
    (patches.len(), String::from_utf8_lossy(&bytes).into_owned())
}

/// Audits every game as an input of its own, most of them before a game without damage.
fn verdicts(list: &[Damaged]) -> BTreeMap<Kind, Verdicts> {
    let next = made_up().swap_remove(0);
    let texts: Vec<String> = list
        .iter()
        .enumerate()
        .map(|(index, one)| if index % 4 == 0 { one.text.clone() } else { format!("{}{next}", one.text) })
        .collect();
    let inputs =
        texts.iter().enumerate().map(|(index, text)| Input { name: index.to_string(), ..input(text.as_bytes(), Format::Pgn) });
    let audit_result = audit(inputs.collect(), Settings { threads: 2, ..Settings::default() });
    let mut found: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    for (name, finding) in &audit_result.findings {
        found.entry(name.parse().expect("a number")).or_default().push(finding);
    }
    let mut verdicts: BTreeMap<Kind, Verdicts> = BTreeMap::new();
    for (index, one) in list.iter().enumerate() {
        let findings = found.remove(&index).unwrap_or_default();
        let of_kind = verdicts.entry(one.kind).or_default();
        let further = findings.len().saturating_sub(one.kind.slips());
        let changed = || {
            let same = one.text.bytes().zip(one.original.bytes()).take_while(|(one, other)| one == other).count();
            let start = same.saturating_sub(20);
            let around = |text: &str| String::from_utf8_lossy(&text.as_bytes()[start..(same + 30).min(text.len())]).into_owned();
            format!("{:?} -> {:?}", around(&one.original), around(&one.text))
        };
        for finding in &findings {
            let finding: &Finding = finding;
            let is_move = finding.rule.code.family() == Family::Mov;
            assert!(!is_move || finding.repair.is_none() || finding.alternatives.is_empty(), "one text: {finding}");
        }
        of_kind.games += 1;
        of_kind.silent += usize::from(findings.is_empty());
        of_kind.findings += findings.len();
        of_kind.further += further;
        if further > 0 {
            let list: String = findings.iter().map(|finding| format!("\n        {finding}")).collect();
            of_kind.repeated.push(format!("{}{list}", changed()));
        }
        let (certain, repaired) = certainly_repaired(&texts[index], &findings);
        let behind = &texts[index][one.text.len()..];
        let is_right = |undone: &String| evenly_spaced(&format!("{undone}{behind}")) == evenly_spaced(&repaired);
        of_kind.certain += certain;
        if certain > 0 && !one.undone.iter().any(is_right) {
            let list: String = findings.iter().map(|finding| format!("\n        {finding}")).collect();
            of_kind.wrong.push(format!("{}{list}", changed()));
        }
    }
    verdicts
}

/// One finding for each slip, and no certain repair is wrong.
fn judge_kinds(name: &str, list: &[Damaged]) {
    let verdicts = verdicts(list);
    let mut table = format!("{name}: {} games\nkind              games silent findings further certain wrong\n", list.len());
    let (mut found, mut further) = (0, 0);
    for (kind, of_kind) in &verdicts {
        let Verdicts { games, silent, findings, further: beyond, certain, wrong, .. } = of_kind;
        if kind.slips() == 1 {
            found += games - silent;
            further += beyond;
        }
        let kind = format!("{kind:?}");
        let _ = writeln!(table, "{kind:17} {games:5} {silent:6} {findings:8} {beyond:7} {certain:7} {:5}", wrong.len());
    }
    let each = (found + further) as f64 / found as f64;
    let _ = writeln!(table, "{each:.3} findings for each single slip that is found");
    println!("{table}");
    if let Some(most) = std::env::var_os("SHOW").and_then(|most| most.to_str()?.parse().ok()) {
        for (kind, of_kind) in &verdicts {
            of_kind.repeated.iter().take(most).for_each(|case| println!("{kind:?} {case}"));
            of_kind.wrong.iter().for_each(|case| println!("WRONG {kind:?} {case}"));
        }
    }
    assert!(verdicts.values().all(|of_kind| of_kind.wrong.is_empty()), "{table}");
    assert!(each <= 1.02, "{table}");
    let certain: usize = verdicts.values().map(|of_kind| of_kind.certain).sum();
    assert!(certain * 5 >= list.len(), "{certain} certain repairs\n{table}");
}

#[test]
fn one_slip_is_one_finding_and_no_certain_repair_is_wrong() {
    let games = games(14_000);
    let long = || games.iter().filter(|game| game.sans.len() >= 20);
    let (plain, annotated): (Vec<_>, Vec<_>) = long().partition(|game| game.number % 4 > 0);
    let plain: Vec<String> = plain.iter().map(|game| game.plain()).collect();
    let annotated: Vec<String> = annotated.iter().map(|game| game.annotated().text).collect();
    let list = damaged(&Kind::ALL, &plain, &annotated, 100);
    assert!(list.len() >= 100 * (Kind::ALL.len() - 4), "{}", list.len());
    judge_kinds("made up", &list);
}

#[test]
fn what_was_meant_is_found_in_games_made_up() {
    judge("made up", &damaged(&Kind::PLIES, &made_up(), &[], 182));
}

/// The games of files of the corpora in which nothing is found.
fn sound_games(folder: &Path, names: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
    let mut text = String::new();
    for name in names {
        text.push_str(&String::from_utf8_lossy(&fs::read(folder.join("pgn").join(name))?).replace('\r', ""));
        text.push_str("\n\n");
    }
    let games = text.split("\n\n[Event ").map(|game| format!("[Event {}\n\n", game.trim_start_matches("[Event ").trim()));
    // A finding that is reported once per input names only the first of its games.
    let is_single = |game: &String| game.matches("\n\n").count() == 2 && !game.contains("[PlyCount \"0\"]");
    let games: Vec<String> = games.filter(is_single).collect();
    let joined: String = games.concat();
    let audit_result = audit(vec![input(joined.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
    assert_eq!(audit_result.summary.counts.games, games.len() as u64);
    let bad: Vec<u64> = audit_result.findings.iter().map(|(_, finding)| finding.game).collect();
    Ok(games.into_iter().zip(1..).filter(|(_, number)| bad.binary_search(number).is_err()).map(|(game, _)| game).collect())
}

/// Whether a game has comments or variations.
fn is_annotated(game: &str) -> bool {
    game.contains(['{', '('])
}

#[test]
fn what_was_meant_is_found_in_real_games() -> Outcome {
    let Some(folder) = corpora() else { return Ok(()) };
    let mut games = sound_games(&folder, &["twic1599_1000k.pgn", "pgn4web_twic944.pgn"])?;
    games.retain(|game| !is_annotated(game));
    judge("real", &damaged(&Kind::PLIES, &games, &[], 182));
    Ok(())
}

#[test]
fn one_slip_is_one_finding_in_real_games() -> Outcome {
    let Some(folder) = corpora() else { return Ok(()) };
    let names = [
        "texium_OpenRating.pgn",
        "chesslib_cup.pgn",
        "twic1599_1000k.pgn",
        "pgn4web_twic944.pgn",
        "chessdb_newyork1924.pgn",
        "chessdb_middleg.pgn",
        "lichess_broadcast_FWWRC.pgn",
        "lichess_db_1000k.pgn",
        "lichess_study_demo.pgn",
        "chesslib_redqueen.pgn",
        "chesscom_magnuscarlsen.pgn",
    ];
    let (annotated, plain): (Vec<String>, Vec<String>) =
        sound_games(&folder, &names)?.into_iter().partition(|game| is_annotated(game));
    let list = damaged(&Kind::ALL, &plain, &annotated, 100);
    judge_kinds(&format!("{} plain and {} annotated games", plain.len(), annotated.len()), &list);
    Ok(())
}

/// The findings of a game with these moves.
fn findings_of(moves: &str) -> (String, Vec<Finding>) {
    let text = game_of(moves);
    let audit_result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
    (text, audit_result.findings.into_iter().map(|(_, finding)| finding).collect())
}

fn game_of(moves: &str) -> String {
    let tags: String = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")]
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .concat();
    format!("{tags}[Result \"1-0\"]\n\n{moves} 1-0\n")
}

fn certainly(moves: &str) -> (usize, String) {
    let (text, findings) = findings_of(moves);
    certainly_repaired(&text, &findings.iter().collect::<Vec<_>>())
}

#[test]
fn numbers_and_sides_agree_after_a_certain_repair() {
    const BEFORE: &str = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3";
    const AFTER: &str = "5. O-O d6 6. Bg5 Bg4 7. Nbd2 Nbd7 8. c3 c6 9. Qb3 Qb6 10. Qxb6 axb6 11. a3";
    let original = game_of(&format!("{BEFORE} O-O {AFTER}"));
    // Of three times `O-O`, the one between the others is superfluous.
    let (_, repaired) = certainly(&format!("{BEFORE} O-O O-O {AFTER}"));
    let damaged = game_of(&format!("{BEFORE} O-O O-O {AFTER}"));
    assert!(repaired == original || repaired == damaged, "{repaired}");
    // With another number before it, no repair is certain: two slips may be one.
    let (certain, _) = certainly(&format!("{BEFORE} O-O O-O {}", AFTER.replacen("5. ", "11. ", 1)));
    assert_eq!(certain, 0);
}

/// Some programs have a tag PlayCount that counts one ply fewer.
#[test]
fn a_tag_is_renamed_only_if_its_value_fits() {
    for (count, is_repaired) in [("4", true), ("3", false), ("?", false)] {
        let game = game_of("1. e4 e5 2. Nf3 Nc6").replacen("[Result", &format!("[PlayCount \"{count}\"]\n[Result"), 1);
        let findings = audit(vec![input(game.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() }).findings;
        let renamed: Vec<bool> = findings.iter().map(|(_, finding)| finding.repair.is_some()).collect();
        assert_eq!(renamed, [is_repaired], "{count}: {findings:#?}");
    }
}

/// `O-O` was written instead of another move, and the side castles again later. Either may be the
/// slip.
#[test]
fn no_repair_is_certain_if_a_side_castles_twice() {
    let moves = "1. e4 c5 2. Nf3 d6 3. Nc3 Nf6 4. Be2 g6 5. O-O Bg7 6. d3 O-O 7. Be3 b6 8. O-O Bb7 9. Bg5 Nbd7 10. Bh4 Rc8";
    let (certain, _) = certainly(moves);
    assert_eq!(certain, 0);
    let (_, findings) = findings_of(moves);
    assert_eq!(findings.len(), 1, "{findings:#?}");
}

#[test]
fn what_follows_from_a_slip_is_not_reported() {
    const BEFORE: &str = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O";
    for (moves, code) in [
        // The move on d4 was `Nxd4`: the false mark of the next move follows from that.
        (format!("{BEFORE} 6. Nf3 Nbd7 7. cxd5 exd5 8. Bd4 c6 9. Bxf6 Nxf6 10. O-O Re8 11. Qc2"), "MOV01"),
        // A missing ply; the capture after it captures nothing.
        (format!("{BEFORE} 6. Nf3 7. cxd5 exd5 8. Bd3 c6 9. O-O Re8 10. Qc2 Nf8 11. Rab1"), "MOV01"),
        (format!("{BEFORE} 6. Nf3 Nbd7 7.5cxd exd5 8. Bd3 c6 9. O-O Re8 10. Qc2 Nf8 11. Rab1"), "SYN10"),
        (format!("{BEFORE} 6. Nf3 5b 7. cxd5 exd5 8. Bd3 c6 9. O-O Re8 10. Qc2 Nbd7 11. Rab1"), "SYN10"),
        (format!("{BEFORE} 6. Nf3 Nbd7 7. Qb3 (7. Rcl h6 8. Bh4) 7... b6 8. cxd5 Nxd5"), "SYN10"),
    ] {
        let (_, findings) = findings_of(&moves);
        let codes: Vec<String> = findings.iter().map(|finding| finding.rule.code.to_string()).collect();
        assert_eq!(codes, [code], "{moves}: {findings:#?}");
    }
}

/// The game as repaired has these findings, too.
#[test]
fn what_a_repair_does_not_explain_stays() {
    const BEFORE: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Be4 Nf6 5. O-O Be7 6. Re1 b5";
    for (moves, profile, expected) in [
        (format!("{BEFORE} 7. Bb3 d6 8. c3 O-O 9. h3 words"), Profile::Standard, ["MOV01", "SYN10"]),
        (format!("{BEFORE} $256 7. Bb3 d6 8. c3 O-O 9. h3"), Profile::Standard, ["MOV01", "ANN01"]),
        // The fast path does not rule infos out.
        (format!("{BEFORE} $0 7. Bb3 d6 8. c3 O-O 9. h3"), Profile::Strict, ["MOV01", "ANN02"]),
    ] {
        let settings = Settings { threads: 1, selection: Selection::of(profile), ..Settings::default() };
        let findings = audit(vec![input(game_of(&moves).as_bytes(), Format::Pgn)], settings).findings;
        let codes: Vec<String> = findings.iter().map(|(_, finding)| finding.rule.code.to_string()).collect();
        assert_eq!(codes, expected, "{moves}: {findings:#?}");
        assert!(findings[0].1.repair.is_some(), "{moves}: {findings:#?}");
    }
}

#[test]
fn a_repair_is_one_text_after_which_something_can_be_played() {
    let (_, findings) = findings_of("1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Qd7 5. bxa8 Nc6 6. Nf3");
    assert_eq!(findings.len(), 1, "{findings:?}");
    let finding = &findings[0];
    assert!(finding.repair.is_none(), "any piece will do: {finding:?}");
    let (_, findings) = findings_of("1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Qd7 5. bxa8 Nf3 6. Ke7 Ke2");
    assert_eq!((findings[0].certainty(), findings[0].expected.as_str()), (None, ""), "nothing helps: {:?}", findings[0]);
    assert!(!findings[0].message.contains("instead"), "{}", findings[0]);
}

#[test]
fn all_missing_spaces_of_a_game_are_repaired() -> Outcome {
    let home = tempfile::tempdir()?;
    let sound = game_of("1. e4 d6 2. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7");
    let glued =
        sound.replace("d6 2.", "d62.").replace("Nf6 3.", "Nf63.").replace("Nxe4 4.", "Nxe44.").replace("Bg7 1-0", "Bg71-0");
    assert_eq!(glued.len() + 4, sound.len());
    fs::write(home.path().join("a.pgn"), glued.repeat(3))?;
    let check = ["check", "a.pgn", "--repairs", "a.csv", "-q", "--fail-on", "never"];
    assert_eq!(run(home.path(), &check)?, (0, String::new()));
    let fix = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "b.pgn", "-q"];
    assert_eq!(run(home.path(), &fix)?, (0, String::new()));
    assert_eq!(fs::read_to_string(home.path().join("b.pgn"))?, sound.repeat(3));
    Ok(())
}

fn run(home: &Path, arguments: &[&str]) -> Result<(i32, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).current_dir(home).args(arguments).output()?;
    Ok((output.status.code().ok_or("killed")?, String::from_utf8(output.stderr)?))
}

#[test]
fn fix_gives_back_the_original_moves_and_changes_no_other_byte() -> Outcome {
    let home = tempfile::tempdir()?;
    let list = damaged(&Kind::PLIES, &made_up(), &[], 30);
    let text: String = list.iter().map(|one| one.text.as_str()).collect();
    fs::write(home.path().join("a.pgn"), &text)?;
    let check = ["check", "a.pgn", "--repairs", "a.csv", "-q", "--fail-on", "never"];
    assert_eq!(run(home.path(), &check)?, (0, String::new()));
    let rows = fs::read(home.path().join("a.csv"))?;
    assert_eq!(run(home.path(), &[&check[..], &["--threads", "1", "--chunk-size", "1000"]].concat())?, (0, String::new()));
    assert!(fs::read(home.path().join("a.csv"))? == rows, "the list is the same for all threads and chunks");

    let fix = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "b.pgn", "-q"];
    assert_eq!(run(home.path(), &fix)?, (0, String::new()));
    let fixed = fs::read_to_string(home.path().join("b.pgn"))?;

    // Headers are not damaged, so they identify the games.
    let parts = |text: &str| text.split("[Event ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let audit_result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
    let mut certain = 0;
    let mut expected = text.clone().into_bytes();
    for (_, finding) in audit_result.findings.iter().rev() {
        for patch in finding.patches().iter().filter(|_| finding.certainty() == Some(Certainty::Certain)) {
            expected.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
            certain += 1;
        }
    }
    assert!(certain >= 60, "{certain}");
    assert!(fixed.as_bytes() == expected, "only the bytes of certain repairs have changed");
    let mut mended = 0;
    for ((one, before), after) in list.iter().zip(parts(&text)).zip(parts(&fixed)) {
        if before != after {
            mended += 1;
            let whole = format!("[Event {after}");
            assert_eq!(tokens(&whole), tokens(&one.original));
            if !matches!(one.kind, Kind::Omitted | Kind::Doubled) {
                assert_eq!(whole, one.original);
            }
        }
    }
    assert_eq!(mended, certain);

    // It overwrites only with --force, and never its own input.
    let (code, message) = run(home.path(), &fix)?;
    assert!(code == 2 && message.contains("--force"), "{message}");
    assert_eq!(run(home.path(), &[&fix[..], &["--force", "--likely"]].concat())?.0, 0);
    assert!(fs::read_to_string(home.path().join("b.pgn"))? != fixed, "likely repairs are made when asked for");
    let own = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "a.pgn", "--force"];
    let (code, message) = run(home.path(), &own)?;
    assert!(code == 2 && message.contains("is an input of this run; nothing was written"), "{message}");
    assert_eq!(fs::read_to_string(home.path().join("a.pgn"))?, text);
    Ok(())
}

#[test]
fn an_input_that_has_changed_is_refused() -> Outcome {
    let home = tempfile::tempdir()?;
    let text: String = damaged(&Kind::PLIES, &made_up(), &[], 3).iter().map(|one| one.text.as_str()).collect();
    fs::write(home.path().join("a.pgn"), &text)?;
    run(home.path(), &["check", "a.pgn", "--repairs", "a.csv", "-q", "--fail-on", "never"])?;
    let fix = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "b.pgn"];
    for changed in [text.replacen("White", "Weiss", 1), format!("{text}\n")] {
        fs::write(home.path().join("a.pgn"), changed)?;
        let (code, message) = run(home.path(), &fix)?;
        assert!(code == 2 && message.contains("has changed since the audit"), "{message}");
    }
    // The same length and digest in the list, but other bytes at a place.
    fs::write(home.path().join("a.pgn"), &text)?;
    let rows = fs::read_to_string(home.path().join("a.csv"))?;
    let mut lines: Vec<String> = rows.lines().map(str::to_owned).collect();
    let certain = lines.iter().position(|line| line.contains(",certain,")).ok_or("a certain repair")?;
    let mut cells: Vec<String> = lines[certain].split(',').map(str::to_owned).collect();
    let shift = |cell: &str| cell.parse::<u64>().map(|byte| (byte - 1).to_string());
    (cells[3], cells[4]) = (shift(&cells[3])?, shift(&cells[4])?);
    lines[certain] = cells.join(",");
    fs::write(home.path().join("a.csv"), lines.join("\n") + "\n")?;
    let (code, message) = run(home.path(), &fix)?;
    assert!(code == 2 && message.contains("does not match the list of repairs"), "{message}");
    assert_eq!(
        fs::read_dir(home.path())?.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name() == "b.pgn")).count(),
        0
    );

    // What is no list, and what stands where a list is to go.
    fs::write(home.path().join("c.csv"), "a,b\n1,2\n")?;
    let (code, message) = run(home.path(), &["fix", "a.pgn", "--repairs", "c.csv", "-o", "b.pgn"])?;
    assert!(code == 2 && message.contains("not a list of repairs"), "{message}");
    let (code, message) = run(home.path(), &["check", "a.pgn", "--repairs", "c.csv", "-q"])?;
    assert!(code == 2 && message.contains("choose another file"), "{message}");
    Ok(())
}
