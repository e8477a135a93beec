//! Nights: what a comparison with the last report says after files were copied, lost, restored or
//! edited.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use assert_cmd::Command;

use crate::common::{Numbers, packs::gzip};

type Outcome = Result<(), Box<dyn Error>>;

/// A game with `moves`, of players with this number.
fn game(number: usize, moves: &str) -> String {
    format!(
        "[Event \"Lakeside Open\"]\n[Site \"?\"]\n[Date \"2019.07.04\"]\n[Round \"{number}\"]\n[White \"Abara, Felix\"]\n\
         [Black \"Holmqvist, Nils\"]\n[Result \"*\"]\n\n{moves} *\n\n"
    )
}

/// A game with two wrong move numbers.
const TWO_FAULTS: &str = "1. e4 d5 3. Bb5+ c6 3. d3 dxe4 6. dxe4";

/// A directory with games in `games`, and the report `old` about them.
fn home() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("games"))?;
    for (name, first) in [("a", 1), ("b", 3), ("c", 5)] {
        let games = [game(first, TWO_FAULTS), game(first + 1, "1. Ke2")].concat();
        fs::write(home.path().join("games").join(name).with_extension("pgn"), games)?;
    }
    audit(home.path(), "old", &[])?;
    Ok(home)
}

fn run(home: &Path, arguments: &[&str]) -> Result<(i32, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).current_dir(home).args(arguments).output()?;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    Ok((output.status.code().ok_or("killed")?, String::from_utf8(output.stdout)?))
}

fn audit(home: &Path, report: &str, more: &[&str]) -> Outcome {
    let check = ["check", "games", "-o", report, "--fail-on", "never", "--quiet"];
    assert_eq!(run(home, &[&check, more].concat())?.0, 0);
    Ok(())
}

/// The numbers of rows of `compare.csv`, by change and input.
fn changes(home: &Path, old: &str, new: &str) -> Result<BTreeMap<(String, String), usize>, Box<dyn Error>> {
    run(home, &["compare", old, new, "-o", "changes", "--fail-on", "never"])?;
    let mut rows = csv::Reader::from_path(home.join("changes/compare.csv"))?;
    let input = rows.headers()?.iter().position(|name| name == "input").ok_or("no column `input`")?;
    let mut changes = BTreeMap::new();
    for row in rows.records() {
        let row = row?;
        let place = row[input].replace('\\', "/");
        *changes.entry((row[0].to_owned(), place)).or_insert(0) += 1;
    }
    Ok(changes)
}

fn counted<const N: usize>(rows: [(&str, &str, usize); N]) -> BTreeMap<(String, String), usize> {
    rows.into_iter().map(|(change, input, count)| ((change.to_owned(), input.to_owned()), count)).collect()
}

#[test]
fn the_findings_of_a_copy_are_those_of_the_original() -> Outcome {
    let home = home()?;
    // It is read first, so that its rows come before those of the original.
    for name in ["0.pgn", "z.pgn"] {
        fs::copy(home.path().join("games/b.pgn"), home.path().join("games").join(name))?;
    }
    audit(home.path(), "new", &[])?;
    let copies = |change| counted([(change, "games/0.pgn", 3), (change, "games/z.pgn", 3)]);
    assert_eq!(changes(home.path(), "old", "new")?, copies("copied"));
    assert_eq!(changes(home.path(), "new", "old")?, copies("gone"));
    Ok(())
}

#[test]
fn of_two_copies_with_new_names_one_is_renamed() -> Outcome {
    let home = home()?;
    for name in ["y.pgn", "z.pgn"] {
        fs::copy(home.path().join("games/b.pgn"), home.path().join("games").join(name))?;
    }
    fs::remove_file(home.path().join("games/b.pgn"))?;
    audit(home.path(), "new", &[])?;
    let changes = changes(home.path(), "old", "new")?;
    let is_one = |name: &str| changes == counted([("copied", name, 3)]);
    assert!(is_one("games/y.pgn") || is_one("games/z.pgn"), "{changes:?}");
    Ok(())
}

#[test]
fn the_findings_of_a_restored_file_are_in_it() -> Outcome {
    let home = home()?;
    // Another file has the same games.
    fs::copy(home.path().join("games/a.pgn"), home.path().join("games/z.pgn"))?;
    audit(home.path(), "all", &[])?;
    fs::remove_file(home.path().join("games/a.pgn"))?;
    audit(home.path(), "lost", &[])?;
    assert_eq!(changes(home.path(), "all", "lost")?, counted([("gone", "games/a.pgn", 3)]));
    assert_eq!(changes(home.path(), "lost", "all")?, counted([("copied", "games/a.pgn", 3)]));
    Ok(())
}

#[test]
fn findings_follow_a_renamed_file() -> Outcome {
    let home = home()?;
    fs::rename(home.path().join("games/c.pgn"), home.path().join("games/0.pgn"))?;
    audit(home.path(), "new", &[])?;
    assert_eq!(changes(home.path(), "old", "new")?, BTreeMap::new());
    Ok(())
}

#[test]
fn files_whose_text_is_still_there_have_lost_nothing() -> Outcome {
    let home = home()?;
    let games = home.path().join("games");
    fs::rename(games.join("c.pgn"), games.join("0.pgn"))?;
    fs::write(games.join("b.pgn.gz"), gzip(&fs::read(games.join("b.pgn"))?))?;
    fs::remove_file(games.join("b.pgn"))?;
    fs::copy(games.join("a.pgn"), games.join("z.pgn"))?;
    audit(home.path(), "new", &[])?;
    let compare = |old: &str, new: &str| -> Result<String, Box<dyn Error>> {
        let compare = ["compare", old, new, "--format", "text", "--fail-on", "never", "--fail-on-loss"];
        let (code, text) = run(home.path(), &compare)?;
        assert!(code == 0 && !text.contains("lost"), "{text}");
        Ok(text.replace('\\', "/"))
    };
    let text = compare("old", "new")?;
    assert!(text.starts_with("0 new, 0 gone, 3 in copied inputs\n"), "{text}");
    let inputs = "Inputs: 1 renamed, 1 repacked and 1 copied; 6 records before, 8 after\n\n\
                  renamed   games/0.pgn (was games/c.pgn)\n\
                  repacked  games/b.pgn.gz (was games/b.pgn)\n\
                  copied    games/z.pgn (a copy of games/a.pgn: 2 games and positions are now there twice; 3 findings as in \
                  games/a.pgn)\n";
    assert!(text.contains(inputs), "{text}");
    assert_eq!(changes(home.path(), "old", "new")?, counted([("copied", "games/z.pgn", 3)]));

    fs::remove_file(games.join("a.pgn"))?;
    audit(home.path(), "one", &[])?;
    let text = compare("new", "one")?;
    assert!(text.contains("\ngone      games/a.pgn (its old text is in games/z.pgn)\n"), "{text}");

    // A game is replaced by its neighbour.
    let copied = [game(1, "1. e4"), game(1, "1. e4")].concat();
    fs::write(games.join("z.pgn"), [game(1, "1. e4"), game(2, "1. d4")].concat())?;
    audit(home.path(), "two", &[])?;
    fs::write(games.join("z.pgn"), copied)?;
    audit(home.path(), "three", &[])?;
    let text = compare("two", "three")?;
    assert!(text.contains("Inputs: 1 changed; "), "{text}");
    assert!(text.contains("\nchanged   games/z.pgn (2 before, 2 now)\n"), "{text}");
    Ok(())
}

/// The digest of a text is that of its packed form, and the one that other programs print.
#[test]
fn digests_are_those_of_the_text() -> Outcome {
    let home = home()?;
    let games = home.path().join("games");
    let text = fs::read(games.join("a.pgn"))?.repeat(50);
    fs::write(games.join("large.pgn"), &text)?;
    fs::write(games.join("packed.pgn.gz"), gzip(&text))?;
    let expected = format!("c{:08x}", crc32fast::hash(&text));
    for chunk in ["1000", "7000", "1000000"] {
        audit(home.path(), "new", &["--chunk-size", chunk, "--threads", "2"])?;
        let mut rows = csv::Reader::from_path(home.path().join("new/inputs.csv"))?;
        let at = rows.headers()?.iter().position(|name| name == "digest").ok_or("no column `digest`")?;
        let digests: Vec<String> = rows.records().map(|row| Ok(row?[at].to_owned())).collect::<csv::Result<_>>()?;
        assert_eq!(digests.iter().filter(|digest| **digest == expected).count(), 2, "{chunk}: {digests:?}");
        assert_eq!(digests.len(), 5);
    }
    Ok(())
}

/// One of two faults of a game is repaired. The other one is still known.
#[test]
fn a_baseline_follows_the_other_fault_of_a_repaired_game() -> Outcome {
    let home = home()?;
    run(home.path(), &["baseline", "write", "old", "-o", "known.csv", "--reason", "as printed", "--until", "2099-12-31"])?;
    let games = [game(1, &TWO_FAULTS.replace("6. dxe4", "4. dxe4")), game(2, "1. Ke2")].concat();
    fs::write(home.path().join("games/a.pgn"), games)?;
    let known = ["--baseline", "known.csv", "--as-of", "2026-11-28"];
    audit(home.path(), "new", &known)?;
    assert_eq!(changes(home.path(), "old", "new")?, counted([("gone", "games/a.pgn", 1), ("moved", "games/a.pgn", 1)]));
    let check = [&["check", "games", "-o", "again", "--fail-on", "warning", "-q"], &known[..]].concat();
    assert_eq!(run(home.path(), &check)?.0, 1, "it is not known any more");
    let (code, text) = run(home.path(), &["baseline", "update", "old", "new", "-o", "known.csv"])?;
    assert_eq!((code, text.as_str()), (0, "known.csv: 9 entries (1 moved)\n"));
    assert_eq!(run(home.path(), &check)?.0, 0);
    let baseline = fs::read_to_string(home.path().join("known.csv"))?;
    assert_eq!(baseline.matches(",as printed,2099-12-31\n").count(), 9, "{baseline}");
    Ok(())
}

/// The file was lost for a night, and the baseline has its findings.
#[test]
fn known_findings_of_a_restored_file_are_not_new() -> Outcome {
    let home = home()?;
    run(home.path(), &["baseline", "write", "old", "-o", "known.csv"])?;
    let text = fs::read(home.path().join("games/a.pgn"))?;
    fs::remove_file(home.path().join("games/a.pgn"))?;
    audit(home.path(), "lost", &["--baseline", "known.csv"])?;
    fs::write(home.path().join("games/a.pgn"), text)?;
    audit(home.path(), "restored", &["--baseline", "known.csv"])?;
    let compare = ["compare", "lost", "restored", "--fail-on", "info", "--fail-on-loss"];
    let (code, mail) = run(home.path(), &compare)?;
    assert_eq!(code, 0, "{mail}");
    assert!(mail.starts_with("# 0 new, 0 gone, 3 known from the baseline\n") && !mail.contains("findings\n\n*"), "{mail}");
    let (code, all) = run(home.path(), &[&compare[..], &["--all"]].concat())?;
    let listed = all.strip_prefix(&mail).ok_or(all.clone())?;
    assert!(code == 0 && listed.starts_with("\n## Known findings\n\n* **error** MOV01 at "), "{listed}");
    assert_eq!(listed.matches("\n* ").count(), 2, "{listed}");
    assert!(listed.contains("; the first of 2 in this input\n"), "{listed}");
    assert_eq!(changes(home.path(), "lost", "restored")?, counted([("known", "games/a.pgn", 3)]));
    // Without the baseline, they are new, and the others are no longer known.
    audit(home.path(), "unknown", &[])?;
    let unknown = [("new", "games/a.pgn", 3), ("forgotten", "games/b.pgn", 3), ("forgotten", "games/c.pgn", 3)];
    assert_eq!(changes(home.path(), "lost", "unknown")?, counted(unknown));
    assert_eq!(run(home.path(), &["compare", "lost", "unknown"])?.0, 1);
    Ok(())
}

#[test]
fn the_other_fault_of_a_repaired_game_is_not_new() -> Outcome {
    let home = home()?;
    let repaired = TWO_FAULTS.replacen("3. Bb5", "2. Bb5", 1);
    let path = home.path().join("games/b.pgn");
    fs::write(&path, fs::read_to_string(&path)?.replace(TWO_FAULTS, &repaired))?;
    audit(home.path(), "new", &[])?;
    let one_of_two = counted([("gone", "games/b.pgn", 1), ("moved", "games/b.pgn", 1)]);
    assert_eq!(changes(home.path(), "old", "new")?, one_of_two);
    let (code, mail) = run(home.path(), &["compare", "old", "new", "--fail-on", "info"])?;
    assert!(code == 0 && mail.starts_with("# 0 new, 1 gone, 1 moved\n"), "{mail}");
    Ok(())
}

/// The same fault in another game, or another fault in the same game, is new.
#[test]
fn only_the_same_fault_of_the_same_game_has_moved() -> Outcome {
    let home = home()?;
    let path = home.path().join("games/b.pgn");
    let text = fs::read_to_string(&path)?;
    let changes_after = |text: String| {
        fs::write(&path, text)?;
        audit(home.path(), "new", &[])?;
        changes(home.path(), "old", "new")
    };
    let one = counted([("gone", "games/b.pgn", 1), ("new", "games/b.pgn", 1)]);
    assert_eq!(changes_after(text.replace("1. Ke2", "1. Ke3"))?, one, "another move");
    assert_eq!(changes_after(text.replace("[Round \"4\"]", "[Round \"7\"]"))?, one, "another round");
    assert_eq!(changes_after(text.replace("1. Ke2", "1. e4 e5 2. Ke3"))?, one, "another ply");
    let nameless = |text: &str| text.replace("Abara, Felix", "?").replace("Holmqvist, Nils", "?");
    fs::write(&path, nameless(&text))?;
    audit(home.path(), "old", &[])?;
    let edited = nameless(&text).replace("[Site \"?\"]", "[Site \"Lund\"]");
    let all = counted([("gone", "games/b.pgn", 3), ("new", "games/b.pgn", 3)]);
    assert_eq!(changes_after(edited)?, all, "no names");
    Ok(())
}

/// The rows of a table of a comparison, with these columns.
fn table(home: &Path, name: &str, columns: &[&str]) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let mut rows = csv::Reader::from_path(home.join("changes").join(name))?;
    let headers = rows.headers()?.clone();
    let at = |name: &&str| headers.iter().position(|header| header == *name).ok_or("no column");
    let columns: Vec<usize> = columns.iter().map(at).collect::<Result<_, _>>()?;
    let row = |row: csv::StringRecord| columns.iter().map(|column| row[*column].replace('\\', "/")).collect();
    Ok(rows.records().map(|read| read.map(row)).collect::<csv::Result<_>>()?)
}

/// Audits with the keys of games, and compares. Returns the exit code with losses, and the text.
fn compared(home: &Path) -> Result<(i32, String), Box<dyn Error>> {
    audit(home, "new", &["--game-keys"])?;
    run(home, &["compare", "old", "new", "-o", "changes", "--fail-on", "never", "--force"])?;
    run(home, &["compare", "old", "new", "--format", "text", "--fail-on", "never", "--fail-on-loss"])
}

/// A home whose report has the keys of the games.
fn home_with_keys() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let home = home()?;
    audit(home.path(), "old", &["--game-keys"])?;
    Ok(home)
}

const OF_GAMES: [&str; 4] = ["change", "input", "line", "Round"];
const OF_INPUTS: [&str; 7] = ["change", "input", "other_input", "games_removed", "games_changed", "games_copied", "games_added"];

#[test]
fn a_game_replaced_by_its_neighbour_is_lost() -> Outcome {
    let home = home_with_keys()?;
    fs::write(home.path().join("games/b.pgn"), game(3, TWO_FAULTS).repeat(2))?;
    let (code, text) = compared(home.path())?;
    assert_eq!(code, 1, "{text}");
    let games = [["removed", "games/b.pgn", "11", "4"], ["copied", "games/b.pgn", "11", "3"]];
    assert_eq!(table(home.path(), "compare_games.csv", &OF_GAMES)?, games);
    let inputs = [["changed", "games/b.pgn", "", "1", "0", "1", "0"]];
    assert_eq!(table(home.path(), "compare_inputs.csv", &OF_INPUTS)?, inputs);
    let text = text.replace('\\', "/");
    assert!(text.lines().next().is_some_and(|line| line.ends_with("; 1 record lost in 1 input")), "{text}");
    assert!(text.contains("changed   games/b.pgn (2 before, 2 now; games: 1 removed, 1 copied)\n"), "{text}");
    let gone = "\nGames that are gone:\n\ngames/b.pgn:11: Abara, Felix - Holmqvist, Nils, 2019.07.04, round 4\n";
    assert!(text.contains(gone), "{text}");
    Ok(())
}

/// Games of one day between two players have one header on a server, but for the id.
#[test]
fn an_online_game_replaced_by_another_one_is_lost() -> Outcome {
    let online = |id: &str, moves: &str| {
        game(0, moves).replace("[Round \"0\"]", "[Round \"-\"]").replace("[Site \"?\"]", &format!("[Site \"{id}\"]"))
    };
    for (old, new, expected) in [
        ("https://lichess.org/abcdEFG2", "https://lichess.org/abcdEFG9", &["removed", "added"][..]),
        ("https://lichess.org/abcdEFG2", "https://lichess.org/abcdEFG2/black", &["changed"]),
        ("?", "?", &["changed"]),
    ] {
        let home = tempfile::tempdir()?;
        fs::create_dir(home.path().join("games"))?;
        let write = |site: &str, moves: &str| {
            let [first, last] = ["1. e4 e5", "1. d4 d5"].map(|moves| online("https://lichess.org/abcdEFG1", moves));
            fs::write(home.path().join("games/a.pgn"), [first, online(site, moves), last].concat())
        };
        write(old, "1. c4 c5")?;
        audit(home.path(), "old", &["--game-keys"])?;
        write(new, "1. f4 f5 2. Nf3")?;
        let (_, text) = compared(home.path())?;
        let expected: Vec<[&str; 2]> = expected.iter().map(|change| [*change, "11"]).collect();
        assert_eq!(table(home.path(), "compare_games.csv", &["change", "line"])?, expected, "{old} and {new}: {text}");
    }
    Ok(())
}

/// A part of a file may have been edited while it was moved, but what is nowhere is lost.
#[test]
fn games_of_files_that_were_split_or_joined_are_not_lost() -> Outcome {
    let home = home()?;
    // So that most games of the joined file come from there.
    let third = game(9, "1. d4 d5");
    fs::write(home.path().join("games/b.pgn"), [game(3, TWO_FAULTS), game(4, "1. Ke2"), third.clone()].concat())?;
    audit(home.path(), "old", &["--game-keys"])?;
    let read = |name: &str| fs::read_to_string(home.path().join("games").join(name));
    let (a, b, c) = (read("a.pgn")?, read("b.pgn")?, read("c.pgn")?);
    for name in ["a.pgn", "b.pgn", "c.pgn"] {
        fs::remove_file(home.path().join("games").join(name))?;
    }
    let [first, second] = [game(1, TWO_FAULTS), game(2, "1. Ke2")];
    assert_eq!(a, [first.as_str(), &second].concat());
    let write = |name: &str, text: &str| fs::write(home.path().join("games").join(name), text);
    write("a1.pgn", &first)?;
    write("a2.pgn", &second)?;
    write("bc.pgn", &[c.as_str(), &b].concat())?;
    let (code, text) = compared(home.path())?;
    assert!(code == 0 && text.contains("split     games/a.pgn (2 games are now in games/a1.pgn and 1 other)\n"), "{text}");
    let none = ["0"; 4];
    let inputs = [
        ["new", "games/a1.pgn", "games/a.pgn"],
        ["new", "games/a2.pgn", "games/a.pgn"],
        ["new", "games/bc.pgn", "games/b.pgn"],
        ["split", "games/a.pgn", "games/a1.pgn"],
        ["joined", "games/b.pgn", "games/bc.pgn"],
        ["joined", "games/c.pgn", "games/bc.pgn"],
    ];
    let inputs: Vec<Vec<&str>> = inputs.iter().map(|input| [&input[..], &none].concat()).collect();
    assert_eq!(table(home.path(), "compare_inputs.csv", &OF_INPUTS)?, inputs);
    // One of the games was lost on the way.
    write("bc.pgn", &[c.as_str(), &game(3, TWO_FAULTS), &third].concat())?;
    let (code, text) = compared(home.path())?;
    assert!(code == 1 && text.lines().next().is_some_and(|line| line.ends_with("; 1 record lost in 1 input")), "{text}");
    assert!(text.contains("gone      games/b.pgn (3 before)\n"), "{text}");
    Ok(())
}

#[test]
fn line_ends_and_order_of_games_do_not_matter() -> Outcome {
    let home = home_with_keys()?;
    let with_carriage_returns = |name: &str| -> Result<String, Box<dyn Error>> {
        Ok(fs::read_to_string(home.path().join("games").join(name))?.replace('\n', "\r\n"))
    };
    let renamed = with_carriage_returns("a.pgn")?;
    fs::remove_file(home.path().join("games/a.pgn"))?;
    fs::write(home.path().join("games/0.pgn"), renamed)?;
    fs::write(home.path().join("games/b.pgn"), [game(4, "1. Ke2"), game(3, TWO_FAULTS)].concat())?;
    let (code, text) = compared(home.path())?;
    assert!(code == 0 && text.contains("changed   games/b.pgn (2 before, 2 now; the same games)\n"), "{text}");
    let none = ["0"; 4];
    let inputs = [["renamed", "games/0.pgn", "games/a.pgn"], ["changed", "games/b.pgn", ""]];
    let inputs: Vec<Vec<&str>> = inputs.iter().map(|input| [&input[..], &none].concat()).collect();
    assert_eq!(table(home.path(), "compare_inputs.csv", &OF_INPUTS)?, inputs);
    assert_eq!(table(home.path(), "compare_games.csv", &OF_GAMES)?, Vec::<Vec<String>>::new());
    Ok(())
}

/// An edited game is neither lost nor added, whatever one corrects in it.
#[test]
fn edited_games_are_changed() -> Outcome {
    let home = home_with_keys()?;
    let path = home.path().join("games/b.pgn");
    let text = fs::read_to_string(&path)?;
    let edits: [(&str, &[(&str, &str)]); 6] = [
        ("a tag", &[("Lakeside", "Harbour")]),
        ("the moves", &[("1. Ke2", "1. e4 e5")]),
        ("the round and the moves", &[("\"4\"", "\"4.1\""), ("1. Ke2", "1. e4 e5")]),
        ("a name, and the moves", &[("White \"Abara, Felix", "White \"Abara, F"), ("1. Ke2", "1. e4")]),
        ("the names", &[("White \"Abara, Felix", "White \"Abara, F"), ("Holmqvist, Nils", "Holmqvist, N")]),
        ("the date and the moves", &[("2019.07.04", "2019.07.05"), ("1. Ke2", "1. e4")]),
    ];
    for (what, edits) in edits {
        let (first, second) = text.split_at(game(3, TWO_FAULTS).len());
        let edited = edits.iter().fold(second.to_owned(), |game, (from, to)| game.replace(from, to));
        assert_ne!(edited, second, "{what}");
        fs::write(&path, [first, &edited].concat())?;
        let (code, text) = compared(home.path())?;
        assert_eq!(code, 0, "{what}: {text}");
        let games = table(home.path(), "compare_games.csv", &OF_GAMES[..3])?;
        assert_eq!(games, [["changed", "games/b.pgn", "11"]], "{what}");
    }
    // Other players on another day with other moves are another game.
    fs::write(&path, [game(3, TWO_FAULTS), game(9, "1. d4").replace("Abara", "Lind").replace("2019", "2018")].concat())?;
    let (code, text) = compared(home.path())?;
    assert_eq!(code, 1, "{text}");
    let games = table(home.path(), "compare_games.csv", &OF_GAMES)?;
    assert_eq!(games, [["removed", "games/b.pgn", "11", "4"], ["added", "games/b.pgn", "11", "9"]]);
    Ok(())
}

#[test]
fn without_keys_in_both_reports_nothing_is_said_of_games() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("games/b.pgn"), game(3, TWO_FAULTS).repeat(2))?;
    let (code, text) = compared(home.path())?;
    assert!(code == 0 && !text.contains("Games that"), "{text}");
    let inputs = [["changed", "games/b.pgn", "", "", "", "", ""]];
    assert_eq!(table(home.path(), "compare_inputs.csv", &OF_INPUTS)?, inputs);
    Ok(())
}

/// What happens to the files of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Rename,
    Repack,
    Copy,
    Remove,
    /// A file of each game.
    Split,
    /// The games come in another order.
    Reorder,
    /// One game gets another event.
    Event,
    /// One game gets another date.
    Date,
    /// One game gets a comment before its first move.
    Comment,
    /// One game gets another move, after all its faults.
    Move,
    /// One game makes way for another one with the same faults at the same plies.
    Replace,
}

const EDITS: [Edit; 11] = [
    Edit::Rename,
    Edit::Repack,
    Edit::Copy,
    Edit::Remove,
    Edit::Split,
    Edit::Reorder,
    Edit::Event,
    Edit::Date,
    Edit::Comment,
    Edit::Move,
    Edit::Replace,
];

impl Edit {
    /// Whether it leaves no finding of a game new or gone.
    const fn is_harmless(self) -> bool {
        !matches!(self, Edit::Copy | Edit::Remove | Edit::Replace)
    }

    /// A game, edited. `number` is one that no game has.
    fn of_game(self, game: &str, number: usize) -> String {
        match self {
            Edit::Event => game.replace("Lakeside", "Harbour"),
            Edit::Date => game.replace("2019.07.04", "2019.07.05"),
            Edit::Comment => game.replace("\n\n1. e4", "\n\n{A quiet day} 1. e4"),
            Edit::Move if game.contains(" e5 *") => game.replace(" *\n", " 2. a3 *\n"),
            Edit::Move => game.replace(" *\n", " a6 *\n"),
            Edit::Replace => {
                let other = game.replace("2019.07.04", &format!("19{:02}.01.01", number % 100));
                let other = other.replace("Abara, Felix", "Lind, Jo").replace("Holmqvist, Nils", "Sand, Al");
                let round = other.split("[Round \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
                other
                    .replace(&format!("[Round \"{round}\"]"), &format!("[Round \"{number}\"]"))
                    .replace(" e5 *\n", " e5 2. h3 *\n")
                    .replace("4 *\n", "4 h5 *\n")
            }
            _ => game.to_owned(),
        }
    }
}

/// The number of the round in the label of a row, which tells games apart.
fn round(label: &str) -> usize {
    label.rsplit_once("round ").and_then(|(_, round)| round.parse().ok()).unwrap_or(0)
}

/// The number of the round of a game.
fn round_of(game: &str) -> usize {
    game.split("[Round \"").nth(1).and_then(|rest| rest.split('"').next()?.parse().ok()).unwrap_or(0)
}

/// Checks how many games have each change: games with the same text are the same, and those that
/// only one of the corpora has were removed or added, or one is the other, edited.
fn games_are_counted(rows: &[Vec<String>], files: [&BTreeMap<String, Vec<String>>; 2], edits: &[(Edit, String)]) {
    let mut texts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (side, files) in files.into_iter().enumerate() {
        files.values().flatten().for_each(|game| texts.entry(game).or_default()[side] += 1);
    }
    let count = |change: &str| rows.iter().filter(|row| row[0] == change).count();
    let sum = |of: fn([usize; 2]) -> usize| texts.values().map(|counts| of(*counts)).sum::<usize>();
    let [removed, added, edited] = ["removed", "added", "changed"].map(count);
    assert_eq!(removed + edited, sum(|[before, after]| if after == 0 { before } else { 0 }), "{edits:?}: {rows:?}");
    assert_eq!(added + edited, sum(|[before, after]| if before == 0 { after } else { 0 }), "{edits:?}: {rows:?}");
    let copied = sum(|[before, after]| if before > 0 { after.saturating_sub(before) } else { 0 });
    let fewer = sum(|[before, after]| if after > 0 { before.saturating_sub(after) } else { 0 });
    assert_eq!([count("copied"), count("deduplicated")], [copied, fewer], "{edits:?}: {rows:?}");
    match edits {
        [(Edit::Event | Edit::Date | Edit::Comment | Edit::Move, _)] => {
            assert_eq!([removed, added, edited], [0, 0, 1], "{edits:?}: {rows:?}");
        }
        [(Edit::Replace, _)] => assert_eq!([removed, added, edited], [1, 1, 0], "{edits:?}: {rows:?}"),
        _ => {}
    }
}

/// Whatever happens to files and games, only findings of games that came or went are new or gone,
/// whether a finding is on a line of its own or not.
#[test]
fn only_what_was_touched_differs() -> Outcome {
    let faults = ["1. e4 d5 3. Bb5+ c6 3. d3 dxe4 6. dxe4", "1. e4 e5 2. Nf3 Nc6 4. Bc4", "1. e4 e5 3. Nf3 Nc6 3. Bc4"];
    let home = tempfile::tempdir()?;
    let mut numbers = Numbers::new(53);
    let write = |files: &BTreeMap<String, Vec<String>>| -> Outcome {
        let folder = home.path().join("games");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir(&folder)?;
        for (name, games) in files {
            let text = games.concat().into_bytes();
            fs::write(folder.join(name), if name.ends_with(".gz") { gzip(&text) } else { text })?;
        }
        Ok(())
    };
    for trial in 0..60 {
        let of_file = |file: usize| faults.iter().zip(1..).map(move |(moves, at)| game(10 * file + at, moves)).collect();
        let mut files: BTreeMap<String, Vec<String>> = (1..=4).map(|file| (format!("{file}.pgn"), of_file(file))).collect();
        // A fault of many games, which is one line: of 21 or 22, and so it may come apart.
        let without_site = |number: usize| game(number, "1. e4 e5").replace("[Site \"?\"]\n", "");
        files.insert("many.pgn".to_owned(), (100..121 + trial % 2).map(without_site).collect());
        write(&files)?;
        audit(home.path(), "old", &["--game-keys"])?;
        let before = files.clone();
        let (mut edits, mut touched, mut replaced) = (Vec::new(), Vec::new(), 0);
        for step in 0..1 + numbers.below(3) {
            let edit = EDITS[numbers.below(EDITS.len())];
            let name = files.keys().nth(numbers.below(files.len())).ok_or("no file")?.clone();
            let new = format!("{trial}-{step}.pgn");
            edits.push((edit, name.clone()));
            let games = files.get(&name).cloned().ok_or("no such file")?;
            match edit {
                Edit::Rename => _ = files.remove(&name).and_then(|games| files.insert(new, games)),
                Edit::Repack => {
                    let packed = name.strip_suffix(".gz").map_or_else(|| format!("{name}.gz"), str::to_owned);
                    files.remove(&name).and_then(|games| files.insert(packed, games));
                }
                Edit::Copy => {
                    touched.extend(games.iter().map(|game| round_of(game)));
                    files.insert(new, games);
                }
                Edit::Remove if files.len() > 1 => {
                    touched.extend(games.iter().map(|game| round_of(game)));
                    files.remove(&name);
                }
                Edit::Remove => {}
                Edit::Split => {
                    files.remove(&name);
                    files.extend(games.into_iter().zip(0..).map(|(game, at)| (format!("{trial}-{step}-{at}.pgn"), vec![game])));
                }
                Edit::Reorder => files.entry(name).or_default().reverse(),
                Edit::Event | Edit::Date | Edit::Comment | Edit::Move | Edit::Replace => {
                    let at = numbers.below(games.len());
                    let number = 1000 + 10 * trial + step;
                    let edited = edit.of_game(&games[at], number);
                    if edit == Edit::Replace {
                        touched.extend([round_of(&games[at]), number]);
                        replaced += 1;
                    }
                    files.entry(name).or_default()[at] = edited;
                }
            }
        }
        write(&files)?;
        compared(home.path())?;
        let games = table(home.path(), "compare_games.csv", &["change"])?;
        games_are_counted(&games, [&before, &files], &edits);
        if edits.iter().all(|(edit, _)| *edit == Edit::Replace || edit.is_harmless() && *edit != Edit::Move) {
            let count = |change: &str| games.iter().filter(|row| row[0] == change).count();
            assert_eq!([count("removed"), count("added")], [replaced; 2], "each replaced game is reported: {edits:?}: {games:?}");
        }
        let is_harmless = edits.iter().all(|(edit, _)| edit.is_harmless());
        for row in table(home.path(), "compare.csv", &["change", "input", "game_label", "rule"])? {
            let is_silent = row[0] == "moved" || row[0] == "copied";
            assert!(is_silent || touched.contains(&round(&row[2])), "{edits:?}: {row:?}");
            assert!(!is_harmless || row[0] == "moved", "{edits:?}: {row:?}");
        }
    }
    Ok(())
}
