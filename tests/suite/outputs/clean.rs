//! `clean`: nothing is lost, what is clean stays clean, and no result of others is replaced.

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use chess_audit::internals::{
    corpus::{Input, Source},
    report::unescaped,
    rules::RULES,
};

use crate::common::extent::part;
use crate::common::{
    corpora,
    packs::{gzip, zip_stored, zstandard},
    program::{Outcome, names, parts, run, stderr},
    root,
};

/// Runs `clean`, and returns its exit code and what it printed.
fn clean(home: &Path, arguments: &[&str]) -> Outcome<(Option<i32>, String)> {
    let output = run(home, &[&["clean", "--no-config"], arguments].concat())?;
    Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output)))
}

fn text_of(path: &Path) -> Outcome<Vec<u8>> {
    let source = Source::File(path.to_owned());
    let input = Input { name: path.display().to_string(), source, format: None, scanned: false };
    let mut text = Vec::new();
    input.text()?.reader.read_to_end(&mut text)?;
    Ok(text)
}

fn rows(path: &Path) -> Outcome<Vec<BTreeMap<String, String>>> {
    Ok(csv::Reader::from_path(path)?.deserialize().collect::<Result<_, _>>()?)
}

/// A change: where it is in its file and in its input, what was there, and what is there.
struct Change {
    at: usize,
    byte: usize,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// The texts of all inputs, from what `clean` has written alone. `prefix` begins the names of
/// tables.
fn rebuilt(directory: &Path, prefix: &str) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let number = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<usize>();
    let mut changes: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    for row in rows(&directory.join(format!("{prefix}changes.csv")))? {
        let bytes = |column: &str| unescaped(&row[column]).ok_or("not escaped");
        let (before, after) = (bytes("before")?, bytes("after")?);
        let change = Change { at: number(&row, "file_byte")?, byte: number(&row, "byte")?, before, after };
        changes.entry(row["file"].clone()).or_default().push(change);
    }
    let mut changes: BTreeMap<_, _> = changes.into_iter().map(|(file, list)| (file, list.into_iter().peekable())).collect();
    let (mut files, mut texts) = (BTreeMap::new(), BTreeMap::<String, Vec<u8>>::new());
    for row in rows(&directory.join(format!("{prefix}records.csv")))? {
        let name = row["file"].trim_start_matches('\'').to_owned();
        if !files.contains_key(&name) {
            files.insert(name.clone(), text_of(&directory.join(&name))?);
        }
        let file: &Vec<u8> = &files[&name];
        let [start, end] = [number(&row, "byte")?, number(&row, "end_byte")?];
        let [mut at, last] = [number(&row, "file_byte")?, number(&row, "file_end_byte")?];
        let text = texts.entry(row["input"].clone()).or_default();
        assert_eq!(text.len(), start, "{row:?}");
        if let Some(changes) = changes.get_mut(&row["file"]) {
            let is_here = |change: &Change| {
                let is_at_end = change.byte == end && change.before.is_empty() && change.at + change.after.len() <= last;
                change.at <= last && (change.byte < end || is_at_end)
            };
            while let Some(change) = changes.next_if(is_here) {
                text.extend(&file[at..change.at]);
                assert_eq!(file[change.at..][..change.after.len()], change.after, "{row:?}");
                text.extend(change.before);
                at = change.at + change.after.len();
            }
        }
        text.extend(&file[at..last]);
        assert_eq!(text.len(), end, "{row:?}");
    }
    assert!(changes.values_mut().all(|changes| changes.next().is_none()), "changes of no stretch");
    Ok(texts)
}

/// The files of a clean corpus, by their digests.
fn files(directory: &Path) -> Outcome<serde_json::Value> {
    let run: serde_json::Value = serde_json::from_slice(&fs::read(directory.join("run.json"))?)?;
    Ok(run["files"].clone())
}

/// Cleans `inputs` in several ways, and checks both promises.
fn check_promises(home: &Path, inputs: &[&str], cuts: &[&[&str]]) -> Outcome {
    for options in [
        &[][..],
        &["--likely"],
        &["--annotate", "--split-on", "warning,DUP"],
        &["--steps", "aside", "--annotate"],
        &["--steps", "copies,repair"],
    ] {
        let mut first: Option<serde_json::Value> = None;
        let cuts = if options.is_empty() { cuts } else { &cuts[..1] };
        for cut in cuts {
            let out = tempfile::tempdir()?;
            let result = out.path().join("clean");
            let place = result.to_str().ok_or("not UTF-8")?;
            let (code, said) = clean(home, &[inputs, options, cut, &["-o", place]].concat())?;
            assert_eq!(code, Some(1), "{said}");
            let mut texts = 0;
            for (name, text) in rebuilt(&result, "")? {
                let name = name.trim_start_matches('\'').to_owned();
                // Members of archives are compared elsewhere.
                if home.join(&name).is_file() {
                    assert!(text == text_of(&home.join(&name))?, "{name} {options:?}");
                    texts += 1;
                }
            }
            assert!(texts > 20);
            let now = files(&result)?;
            assert_eq!(first.get_or_insert_with(|| now.clone()), &now, "{options:?} {cut:?}");
            let (code, said) = clean(&result, &[&["games"], options].concat())?;
            assert!(code == Some(0) && said.starts_with("Nothing to do"), "{options:?} {said}");
        }
    }
    Ok(())
}

#[test]
fn nothing_is_lost_and_what_is_clean_stays_clean() -> Outcome {
    let options: [&[&str]; 3] = [&["--threads", "3", "--chunk-size", "97"], &[], &["--threads", "1"]];
    check_promises(root(), &["fixtures"], &options[..part(options.len())])
}

#[test]
fn nothing_of_public_collections_is_lost() -> Outcome {
    let Some(corpora) = corpora() else { return Ok(()) };
    check_promises(&corpora, &["bad", "cases"], &[&[]])
}

const TAGS: &str = "[Event \"Cup\"]\n[Site \"Lund\"]\n[Date \"2021.03.06\"]\n[Round \"3\"]\n[White \"Abara, Felix\"]\n\
                    [Black \"Berg, Karla\"]\n[Result \"1-0\"]\n\n";
const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8\n\
                     10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 1-0\n\n";

/// A game that differs from others.
fn game(number: u32) -> String {
    let tags = TAGS.replace("Abara, Felix", &format!("Player{number}, Ann")).replace("\"3\"", &format!("\"{number}\""));
    format!("{}1. d4 d5 2. c4 e6 3. Nc3 *\n\n", tags.replace("1-0", "*"))
}

/// The same with an illegal move.
fn bad_game(number: u32) -> String {
    game(number).replace("3. Nc3", "3. Nd7")
}

/// A directory with these files.
fn home(files: &[(&str, &str)]) -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    for (name, content) in files {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, content)?;
    }
    Ok(home)
}

fn read(directory: &Path, name: &str) -> Outcome<String> {
    Ok(fs::read_to_string(directory.join(name))?)
}

#[test]
fn each_step_does_what_the_plan_says() -> Outcome {
    let known = format!("{TAGS}{MOVES}");
    // The better copy has a comment, and lacks the site.
    let better = known.replace("\"Lund\"", "\"?\"").replace("2. Nf3", "{ Best } 2. Nf3");
    let moves = "1. e4 d6 2. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7 *";
    let repaired = game(5).replace("1. d4 d5 2. c4 e6 3. Nc3 *", moves);
    let joined = repaired.replace("d6 2.", "d62.");
    let home = home(&[("a.pgn", &(game(3) + &known)), ("b.pgn", &(better.clone() + &bad_game(4) + &joined))])?;
    let steps = "Repair       1 repair in 1 input\n             1 likely repair is not made; --likely makes them\n\
                 Complete     1 tag of games from their copies\nCopies       1 record moves to copies/\n\
                 Aside        1 record moves to aside/";
    let (code, said) = clean(home.path(), &["a.pgn", "b.pgn"])?;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("Plan for 5 records in 2 inputs; nothing was written\n\n"), "{said}");
    assert!(said.contains(steps) && said.contains("Do this      the same command with -o clean"), "{said}");
    assert_eq!(names(home.path())?, ["a.pgn", "b.pgn"]);
    let (code, said) = clean(home.path(), &["a.pgn", "b.pgn", "-o", "clean"])?;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("3 of 5 records are in clean/games\n\n") && said.contains(steps), "{said}");
    let result = home.path().join("clean");
    assert_eq!(read(&result, "games/a.pgn")?, game(3));
    assert_eq!(read(&result, "games/b.pgn")?, better.replace("\"?\"", "\"Lund\"") + &repaired);
    assert_eq!(read(&result, "copies/a.pgn")?, known);
    assert_eq!(read(&result, "aside/b.pgn")?, bad_game(4));
    assert!(read(&result, "copies.csv")?.contains("DUP01") && read(&result, "aside.csv")?.contains("MOV01"));
    assert!(read(&result, "report/inputs.csv")?.contains("\nb.pgn,"));
    let page = read(&result, "report/report.html")?;
    assert!(page.contains("<h2>What was cleaned</h2>") && page.contains("<li>Copies: 1 record moves to copies/</li>"));
    // Without steps about copies, none is looked for.
    let (_, said) = clean(home.path(), &["a.pgn", "b.pgn", "--steps", "aside"])?;
    assert!(said.contains("Aside        1 record") && !said.contains("Copies") && !said.contains("Repair"), "{said}");
    Ok(())
}

#[test]
fn the_best_copy_without_a_bad_finding_is_kept() -> Outcome {
    // The first one has annotations, and a tag that makes it bad.
    let bad = format!("{}{}", TAGS.replace("1-0\"]", "1-0\"]\n[WhiteElo \"9999\"]"), MOVES.replace("2. Nf3", "{ Best } 2. Nf3"));
    let home = home(&[("a.pgn", &bad), ("b.pgn", &format!("{TAGS}{MOVES}"))])?;
    let (_, said) = clean(home.path(), &["a.pgn", "b.pgn", "--split-on", "TAG12", "-o", "clean"])?;
    let result = home.path().join("clean");
    assert_eq!(names(&result.join("games"))?, ["b.pgn"], "{said}");
    assert_eq!(names(&result.join("aside"))?, ["a.pgn"], "{said}");
    assert!(!result.join("copies").exists(), "{said}");
    // Inputs of which nothing is left have a row.
    assert!(read(&result, "inputs.csv")?.contains("a.pgn,,1,0,0,1,0\n"));
    Ok(())
}

#[test]
fn packed_inputs_and_members_keep_their_names() -> Outcome {
    let home = home(&[])?;
    let text = [game(3), bad_game(4), game(5)].concat();
    fs::write(home.path().join("a.pgn.gz"), gzip(text.as_bytes()))?;
    fs::write(home.path().join("b.pgn.zst"), zstandard(game(6).as_bytes()))?;
    fs::write(home.path().join("c.zip"), zip_stored(&[("in/d.pgn", game(7).as_bytes())]))?;
    let units: Vec<u8> = "\u{FEFF}".encode_utf16().chain(game(8).encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(home.path().join("e.pgn"), units)?;
    let (code, said) = clean(home.path(), &["a.pgn.gz", "b.pgn.zst", "c.zip", "e.pgn", "-o", "clean"])?;
    assert_eq!(code, Some(1), "{said}");
    let texts = rebuilt(&home.path().join("clean"), "")?;
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["a.pgn.gz", "b.pgn.zst", "c.zip/in/d.pgn", "e.pgn"]);
    assert_eq!(String::from_utf8_lossy(&texts["a.pgn.gz"]), text);
    assert_eq!(String::from_utf8_lossy(&texts["c.zip/in/d.pgn"]), game(7));
    let games = home.path().join("clean/games");
    assert_eq!(text_of(&games.join("a.pgn.gz"))?, [game(3), game(5)].concat().into_bytes());
    assert!(fs::read(games.join("a.pgn.gz"))?.starts_with(&[0x1f, 0x8b]));
    assert_eq!(fs::read_to_string(games.join("c.zip/in/d.pgn"))?, game(7));
    Ok(())
}

#[test]
fn one_file_has_all_games_in_the_order_of_the_command_line() -> Outcome {
    const MARK: &str = "\u{FEFF}";
    let unended = game(4).trim_end().to_owned();
    let inputs = [("a.pgn", MARK.to_owned() + &game(3)), ("b.pgn", MARK.to_owned() + &unended), ("c.pgn", bad_game(5))];
    let home = home(&[])?;
    for (name, text) in &inputs {
        fs::write(home.path().join(name), text)?;
    }
    let join = |more: &[&str]| clean(home.path(), &[&["b.pgn", "a.pgn", "c.pgn", "--into", "all.pgn"], more].concat());
    let (code, said) = join(&[])?;
    assert!(code == Some(1) && said.starts_with("2 of 3 records are in all.pgn\n"), "{said}");
    assert_eq!(read(home.path(), "all.pgn")?, format!("{MARK}{unended}\n\n{}", game(3)));
    assert_eq!(read(home.path(), "all.aside.pgn")?, bad_game(5));
    assert!(!home.path().join("all.copies.pgn").exists());
    for (name, text) in rebuilt(home.path(), "all.pgn.")? {
        assert_eq!(text, fs::read(home.path().join(&name))?, "{name}");
    }
    assert_eq!(clean(home.path(), &["all.pgn"])?.0, Some(0));
    // It is replaced if it was not edited, with all that is next to it.
    fs::write(home.path().join("c.pgn"), game(5))?;
    assert_eq!(join(&[])?.0, Some(0));
    assert!(!home.path().join("all.aside.pgn").exists());
    fs::write(home.path().join("all.pgn"), "mine")?;
    let (code, said) = join(&[])?;
    assert!(code == Some(2) && said.contains("all.pgn` was edited"), "{said}");
    assert_eq!(read(home.path(), "all.pgn")?, "mine");
    assert_eq!(join(&["--force"])?.0, Some(0));
    let (code, said) = clean(home.path(), &["a.pgn", "--into", "b.pgn"])?;
    assert!(code == Some(2) && said.contains("`./b.pgn` exists"), "{said}");
    // Inputs of other kinds, and inputs themselves.
    fs::write(home.path().join("d.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n")?;
    let (code, said) = clean(home.path(), &["a.pgn", "d.epd", "--into", "both.pgn"])?;
    assert!(code == Some(2) && said.contains("a file can have records of one kind only"), "{said}");
    let (code, said) = clean(home.path(), &["a.pgn", "--into", "a.pgn", "--force"])?;
    assert!(code == Some(2) && said.contains("a.pgn"), "{said}");
    assert_eq!(fs::read_to_string(home.path().join("a.pgn"))?, inputs[0].1);
    assert_eq!(parts(home.path()), 0);
    Ok(())
}

#[test]
fn only_a_result_that_was_not_edited_is_replaced() -> Outcome {
    let home = home(&[("raw/a.pgn", &game(3)), ("raw/b.pgn", &game(4)), ("mine/notes.txt", "mine")])?;
    let at = |arguments: &[&str]| clean(home.path(), &[&["raw"], arguments].concat());
    assert_eq!(at(&["-o", "out"])?.0, Some(0));
    fs::write(home.path().join("raw/b.pgn"), game(5))?;
    assert_eq!(at(&["-o", "out"])?.0, Some(0));
    let result = home.path().join("out");
    assert_eq!(read(&result, "games/raw/b.pgn")?, game(5));
    for (place, reason) in
        [("mine", "`mine` exists and is not"), ("raw/out", "is inside the input `raw`"), ("none/out", "no such directory")]
    {
        let (code, said) = at(&["-o", place])?;
        assert!(code == Some(2) && said.contains(reason), "{place}: {said}");
    }
    assert_eq!(read(home.path(), "mine/notes.txt")?, "mine");
    fs::write(result.join("games/raw/a.pgn"), "edited")?;
    let (code, said) = at(&["-o", "out"])?;
    assert!(code == Some(2) && said.contains("`out/games/raw/a.pgn` was edited"), "{said}");
    assert_eq!(read(&result, "games/raw/a.pgn")?, "edited");
    assert_eq!(at(&["-o", "out", "--force"])?.0, Some(0));
    assert_eq!(read(&result, "games/raw/a.pgn")?, game(3));
    // Files of others are never removed.
    fs::write(result.join("games/mine.pgn"), "mine")?;
    let (code, said) = at(&["-o", "out", "--force"])?;
    assert!(code == Some(2) && said.contains("games/mine.pgn"), "{said}");
    assert_eq!(read(&result, "games/mine.pgn")?, "mine");
    assert_eq!(parts(home.path()), 0);
    Ok(())
}

#[test]
fn names_that_some_systems_do_not_tell_apart_are_refused() -> Outcome {
    let home = home(&[("a.pgn", &game(3)), ("A.pgn", &game(4))])?;
    let (code, said) = clean(home.path(), &["a.pgn", "A.pgn", "-o", "out"])?;
    assert!(code == Some(2) && said.contains("would be one file"), "{said}");
    assert_eq!(names(home.path())?, ["A.pgn", "a.pgn"].map(PathBuf::from));
    Ok(())
}

/// What is kept, and the input and the ordinal of both games.
type Decision<'a> = (&'a str, (&'a str, u64), (&'a str, u64));

/// A file of decisions about games, by the table of games.
fn decisions(games: &Path, decided: &[Decision<'_>]) -> Outcome<String> {
    let digests: BTreeMap<(String, String), String> =
        rows(games)?.into_iter().map(|row| ((row["input"].clone(), row["game"].clone()), row["digest"].clone())).collect();
    let mut text = "fingerprint,keep,input,game,digest,other_input,other_game,other_digest\n".to_owned();
    for (number, (keep, left, right)) in decided.iter().enumerate() {
        let named = [left, right].map(|(input, game)| {
            let digest = digests.get(&((*input).to_owned(), game.to_string())).map_or("k0", String::as_str);
            format!(",{input},{game},{digest}")
        });
        text += &format!("k{number:x},{keep}{}\n", named.concat());
    }
    Ok(text)
}

#[test]
fn decisions_about_copies_are_followed() -> Outcome {
    let best = format!("{TAGS}{MOVES}");
    let lost = best.replace("1-0", "0-1");
    let drawn = best.replace("1-0", "1/2-1/2");
    let home = home(&[("a.pgn", &(game(3) + &best)), ("b.pgn", &(lost.clone() + &best + &bad_game(4))), ("c.pgn", &drawn)])?;
    let inputs = ["a.pgn", "b.pgn", "c.pgn"];
    let list = home.path().join("games.csv");
    run(home.path(), &[&["check", "--no-config", "--games", "games.csv", "-q"], &inputs[..]].concat())?;
    let clean = |decided: &[Decision<'_>], options: &[&str]| {
        fs::write(home.path().join("decisions.csv"), decisions(&list, decided)?)?;
        clean(home.path(), &[&inputs[..], &["--decisions", "decisions.csv"], options].concat())
    };
    let result = home.path().join("out");
    let texts = |names: &[&str]| -> Outcome<Vec<String>> {
        Ok(names.iter().map(|name| read(&result, name).unwrap_or_default()).collect())
    };
    let games = ["games/a.pgn", "games/b.pgn", "games/c.pgn"];

    // Without decisions, one of the equal copies goes, and the others stay.
    let (_, said) = clean(&[], &["-o", "out"])?;
    assert!(said.contains("Decide       2 copies contradict") && !said.contains("Decisions"), "{said}");
    assert_eq!(texts(&games)?, [game(3) + &best, lost.clone(), drawn.clone()]);

    // The right one, the left one, and both.
    let all = [("right", ("b.pgn", 1), ("a.pgn", 2)), ("both", ("b.pgn", 2), ("a.pgn", 2)), ("left", ("a.pgn", 2), ("c.pgn", 1))];
    let (_, said) = clean(&all, &[])?;
    assert!(said.contains("Copies       2 records") && said.contains("Decisions    3 of 3 were followed"), "{said}");
    let (code, said) = clean(&all, &["-o", "out"])?;
    assert!(code == Some(1) && said.contains("Decisions    3 of 3 were followed") && !said.contains("Decide "), "{said}");
    assert_eq!(texts(&games)?, [game(3) + &best, best.clone(), String::new()]);
    assert_eq!(texts(&["copies/b.pgn", "copies/c.pgn"])?, [lost.clone(), drawn.clone()]);
    assert!(read(&result, "copies.csv")?.contains("a person decided to keep a.pgn, record 2, instead"));
    for (name, text) in rebuilt(&result, "")? {
        assert_eq!(text, fs::read(home.path().join(name))?);
    }

    // Those that fit no pair, contradict each other, or leave no game.
    let (_, said) = clean(&[("left", ("a.pgn", 1), ("a.pgn", 2)), ("left", ("b.pgn", 1), ("d.pgn", 7))], &["-o", "out"])?;
    assert!(said.contains("Decisions    0 of 2 were followed\n"), "{said}");
    assert!(said.contains("2 fit no pair: a.pgn, record 1 / a.pgn, record 2; b.pgn, record 1 / d.pgn, record 7\n"), "{said}");
    let against = [("left", ("b.pgn", 1), ("a.pgn", 2)), ("left", ("a.pgn", 2), ("b.pgn", 1))];
    let (_, said) = clean(&against, &["-o", "out"])?;
    assert!(said.contains("0 of 2 were followed\n") && said.contains("2 contradict others: b.pgn, record 1"), "{said}");
    assert_eq!(texts(&games)?, [game(3) + &best, lost.clone(), drawn.clone()]);
    let against = [("left", ("b.pgn", 1), ("a.pgn", 2)), ("both", ("c.pgn", 1), ("a.pgn", 2))];
    let (_, said) = clean(&against, &[])?;
    assert!(said.contains("0 of 2 were followed\n") && said.contains("2 contradict others: b.pgn"), "{said}");

    // A decision fits a game whose text is repaired.
    let joined = best.replace("2. Nf3", "2.Nf3 ").replace("[Site \"Lund\"]", "[Site \"Lund\"");
    fs::write(home.path().join("a.pgn"), game(3) + &joined)?;
    let (_, said) = clean(&[("left", ("b.pgn", 1), ("a.pgn", 2))], &["-o", "out"])?;
    assert!(said.contains("Decisions    1 of 1 was followed\n"), "{said}");
    assert!(read(&result, "copies/a.pgn")?.contains("2.Nf3"), "{said}");

    // It fits games whose names are written anew. One that keeps a game with an error is reported.
    fs::write(home.path().join("a.pgn"), game(3) + &best)?;
    fs::write(home.path().join("names.csv"), "name,main,decision\n\"Abara, Felix\",\"Abara, Felix Max\",yes\n")?;
    let (_, said) = clean(&[("both", ("b.pgn", 2), ("a.pgn", 2))], &["--names", "names.csv", "-o", "out"])?;
    assert!(said.contains("Decisions    1 of 1 was followed\n") && !said.contains("Copies"), "{said}");
    let renamed = |text: &str| text.replace("Abara, Felix", "Abara, Felix Max");
    let expected = [game(3) + &renamed(&best), renamed(&(lost.clone() + &best)), renamed(&drawn)];
    assert_eq!(texts(&games)?, expected);
    fs::write(home.path().join("a.pgn"), game(3) + &best.replace("c5 1-0", "Kd9 1-0"))?;
    run(home.path(), &[&["check", "--no-config", "--games", "games.csv", "-q"], &inputs[..]].concat())?;
    let (_, said) = clean(&[("left", ("a.pgn", 2), ("b.pgn", 1))], &["-o", "out"])?;
    assert!(said.contains("0 of 1 was followed\n") && said.contains("1 keeps a game that goes aside: a.pgn, record 2"), "{said}");
    assert!(texts(&games)?[1].contains(&lost), "{said}");

    for (text, reason) in [
        (
            "fingerprint,keep\nk1,left\n",
            "`decisions.csv` is not a file of decisions: k0000000000000001: it does not name two games",
        ),
        ("fingerprint,keep\nk1,all\n", "`keep` is not `left`, `right` or `both`"),
        ("a,b\n1,2\n", "fingerprint"),
    ] {
        fs::write(home.path().join("decisions.csv"), text)?;
        let output = run(home.path(), &["clean", "--no-config", "a.pgn", "--decisions", "decisions.csv"])?;
        assert!(output.status.code() == Some(2) && stderr(&output).contains(reason), "{}", stderr(&output));
    }
    Ok(())
}

#[test]
fn only_names_that_are_decided_or_listed_are_written() -> Outcome {
    let rule = RULES.iter().find(|rule| rule.name == "other-spelling").ok_or("no rule")?;
    let text = String::from_utf8_lossy(&rule.fires[0].input().0).into_owned();
    let list = "@PLAYER\nYusupov, Artur\n= Jussupow, Artur\n";
    let home = home(&[("a.pgn", &text), ("list.ssp", list)])?;
    let run_in = |options: &[&str]| clean(home.path(), &[&["a.pgn", "-o", "out"], options].concat());
    let count = |name: &str| text.matches(name).count();
    assert_eq!((count("Jussupow, Artur"), count("Yusupov, Artur")), (2, 3));
    let left = |name: &str| -> Outcome<usize> { Ok(read(home.path(), "out/games/a.pgn")?.matches(name).count()) };

    // The report proposes names, and nothing is renamed without a decision.
    let output = run(home.path(), &["check", "--no-config", "--duplicates", "a.pgn", "-q"])?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let proposed = read(home.path(), "chess-audit-report/names.csv")?;
    let row = "\"Jussupow, Artur\",\"Yusupov, Artur\",,2,1981,1981,,,equal games against 2 opponents\n";
    assert!(proposed.ends_with(row) && proposed.lines().count() == 2, "{proposed}");
    for options in [&[][..], &["--names", "chess-audit-report/names.csv", "--likely"]] {
        let (_, said) = run_in(options)?;
        assert!(!said.contains("Names") && left("Yusupov")? == 1 && left("Jussupow")? == 2, "{said}");
    }

    let decided = proposed.replace("Artur\",,", "Artur\",yes,");
    fs::write(home.path().join("names.csv"), &decided)?;
    for options in [["--names", "names.csv"], ["--spelling", "list.ssp"]] {
        let (_, said) = run_in(&options)?;
        assert!(said.contains("Names        2 names are written in the main spelling\n"), "{options:?} {said}");
        assert_eq!((left("Yusupov")?, left("Jussupow")?), (3, 0), "{options:?} {said}");
        assert_eq!(rebuilt(&home.path().join("out"), "")?["a.pgn"], text.as_bytes());
        let (code, said) = clean(home.path(), &[&["out/games"], &options[..]].concat())?;
        assert!(code == Some(0) && said.starts_with("Nothing to do"), "{said}");
    }
    // Of plain ASCII, no encoding can be wrong.
    fs::write(home.path().join("names.csv"), decided.replace("\"Yusupov, Artur\"", "\"Jüsüpöw, Artur\""))?;
    let (_, said) = run_in(&["--names", "names.csv"])?;
    assert!(said.contains("2 decided names are left: the main spelling is not plain ASCII"), "{said}");
    let (code, said) = run_in(&["--names", "names.csv", "--steps", "repair"])?;
    assert!(code == Some(2) && said.contains("--names needs the step `names`"), "{said}");
    Ok(())
}

#[test]
fn a_search_skips_files_of_a_clean_corpus() -> Outcome {
    let home = home(&[("raw/a.pgn", &(game(1) + &bad_game(2))), ("raw/sub/b.pgn", &game(3))])?;
    clean(home.path(), &["raw", "-o", "result"])?;
    fs::rename(home.path().join("result"), home.path().join("raw/sub/result"))?;
    let status = |path: &str| -> Outcome<Vec<String>> {
        let output = run(home.path(), &["check", "--no-config", "--fail-on", "never", path])?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let rows = rows(&home.path().join("chess-audit-report/inputs.csv"))?;
        let own = rows.iter().filter(|row| row["status"] == "own").count();
        assert_eq!(said.contains(&format!(" {own} files that chess-audit wrote\n")), own > 1, "{said}");
        Ok(rows.iter().map(|row| format!("{} {} {}", row["input"], row["games"], row["status"])).collect())
    };
    let raw = ["raw/a.pgn 2 findings", "raw/sub/b.pgn 1 clean"];
    let own = ["aside/raw/a.pgn", "games/raw/a.pgn", "games/raw/sub/b.pgn"];
    let skipped = own.map(|path| format!("raw/sub/result/{path} 0 own"));
    assert_eq!(status("raw")?, [&skipped[..], &raw.map(str::to_owned)].concat());
    assert_eq!(status("./raw/")?.len(), 5);
    // Not if it is named, or was edited.
    assert_eq!(status("raw/sub/result/games")?.len(), 2);
    assert!(status("raw/sub/result")?.iter().all(|row| !row.ends_with("own")));
    let edited = home.path().join("raw/sub/result/games/raw/a.pgn");
    fs::write(&edited, fs::read_to_string(&edited)? + &game(4))?;
    let found = status("raw")?;
    assert!(found.contains(&"raw/sub/result/games/raw/a.pgn 2 clean".to_owned()), "{found:?}");
    assert_eq!(found.iter().filter(|row| row.ends_with("own")).count(), 2);
    Ok(())
}
