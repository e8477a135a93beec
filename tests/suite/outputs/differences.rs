//! `diff` names each difference between two corpora, and nothing else.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::common::{
    Numbers,
    packs::gzip,
    planted::{Planted, PlantedGame, Player, without_diacritics},
    program::{Outcome, run},
};

/// A row of the table of differences, by column.
type Row = BTreeMap<String, String>;

/// Plants a change.
type Planting = fn(&mut PlantedGame);

/// Games of which no two are alike.
fn games() -> Vec<PlantedGame> {
    let planted = Planted::new(9, 160, 1);
    let pairs: BTreeSet<usize> = planted.pairs.iter().flat_map(|pair| pair.games).collect();
    let alone = |(game, planted): (usize, &PlantedGame)| (!pairs.contains(&game)).then(|| planted.clone());
    let mut games: Vec<PlantedGame> = planted.games.iter().enumerate().filter_map(alone).collect();
    games.retain(|game| game.moves.len() >= 30);
    games.iter_mut().for_each(|game| game.is_annotated = false);
    games
}

fn text(games: &[PlantedGame]) -> String {
    games.iter().map(PlantedGame::text).collect()
}

/// The exit code of `diff a b`, and its rows.
fn diff(home: &Path, a: &str, b: &str) -> Outcome<(Option<i32>, Vec<Row>)> {
    let output = run(home, &["diff", a, b, "--format", "csv"])?;
    let mut reader = csv::Reader::from_reader(&*output.stdout);
    let columns: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let expected = ["change", "input_a", "game_a", "line_a", "input_b", "game_b", "line_b", "ply", "a", "b", "label"];
    assert_eq!(columns, expected, "{output:?}");
    Ok((output.status.code(), reader.deserialize().collect::<Result<_, _>>()?))
}

#[test]
fn a_corpus_equals_itself_in_another_form() -> Outcome {
    let home = tempfile::tempdir()?;
    let write = |name: &str, bytes: &[u8]| fs::write(home.path().join(name), bytes);
    let games = games();
    assert!(games.len() >= 30, "{} games", games.len());
    write("a.pgn", text(&games).as_bytes())?;

    let mut shuffled = games.clone();
    let mut numbers = Numbers::new(3);
    (1..shuffled.len()).rev().for_each(|last| shuffled.swap(last, numbers.below(last + 1)));
    write("shuffled.pgn", text(&shuffled).as_bytes())?;
    write("packed.pgn.gz", &gzip(text(&shuffled).as_bytes()))?;
    fs::create_dir(home.path().join("parts"))?;
    for (at, part) in shuffled.chunks(11).enumerate() {
        write(&format!("parts/{at}.pgn"), text(part).as_bytes())?;
    }
    let tags_last_to_first = |game: &PlantedGame| {
        let tags: String = game.tags().iter().rev().map(|(name, value)| format!("[{name}  \"{value}\"]\r\n")).collect();
        format!("{tags}\r\n{}\r\n\r\n", game.movetext().replace([' ', '\n'], "\r\n"))
    };
    write("other-form.pgn", shuffled.iter().map(tags_last_to_first).collect::<String>().as_bytes())?;
    let mut respelled = shuffled;
    for game in &mut respelled {
        for name in [&mut game.white, &mut game.black] {
            *name = match name.split_once(", ") {
                Some((surname, first)) if numbers.below(2) == 0 => format!("{first} {surname}"),
                _ => without_diacritics(name).to_uppercase(),
            };
        }
    }
    write("respelled.pgn", text(&respelled).as_bytes())?;

    for other in ["a.pgn", "shuffled.pgn", "packed.pgn.gz", "parts", "other-form.pgn", "respelled.pgn"] {
        for [a, b] in [["a.pgn", other], [other, "a.pgn"]] {
            let (code, rows) = diff(home.path(), a, b)?;
            assert!(rows.is_empty(), "{a} and {b}: {rows:#?}");
            assert_eq!(code, Some(0), "{a} and {b}");
        }
    }
    Ok(())
}

/// What a repair would change is a difference: games are compared as they are written.
#[test]
fn moves_that_need_a_repair_are_another_game() -> Outcome {
    let home = tempfile::tempdir()?;
    // Tags are missing, so that the repaired game is read on the thorough path.
    let game = |knight: &str| {
        format!(
            "[White \"Arends, Bo\"]\n[Black \"Cole, Di\"]\n\n1. e4 e5 2. {knight} Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Nxe5 \
             dxe5 8. Re1 a6 9. Bb3 Ba7 10. h3 h6 *\n"
        )
    };
    for (name, knight) in [("a.pgn", "Nf3"), ("b.pgn", "Nh3")] {
        fs::write(home.path().join(name), game(knight))?;
    }
    let (code, rows) = diff(home.path(), "a.pgn", "b.pgn")?;
    let changes: Vec<&str> = rows.iter().map(|row| row["change"].as_str()).collect();
    assert_eq!((code, &*changes), (Some(1), &["only_in_b", "only_in_a"][..]), "two plies are the same: {rows:#?}");
    Ok(())
}

/// Changes of one game, by the word that names them.
const CHANGES: &[(&str, Planting)] = &[
    ("result", |game| game.result = if game.result == "1-0" { "0-1" } else { "1-0" }),
    ("date", |game| game.date = "1899.01.02".to_owned()),
    ("names", |game| game.white = Player::new(1_000_000).full()),
    ("colours", |game| {
        std::mem::swap(&mut game.white, &mut game.black);
        game.ratings.swap(0, 1);
    }),
    ("comments", |game| game.is_annotated = true),
    ("tags", |game| game.extra.push(("Annotator", "Somebody".to_owned()))),
];

#[test]
fn each_change_is_named() -> Outcome {
    let home = tempfile::tempdir()?;
    let a = games();
    let mut b = a.clone();
    for (at, (_, change)) in CHANGES.iter().enumerate() {
        change(&mut b[at]);
    }
    let last = CHANGES.len();
    // The last move is another one.
    let planted = Planted::other_end(&b[last], 4);
    b[last].moves = planted;
    let first_different = b[last].moves.len();
    b[last + 1].moves.truncate(a[last + 1].moves.len() - 6);
    let only_in_a = b.remove(last + 2);
    let added = Planted::new(10, 4, 1).games.pop().ok_or("there are no games")?;
    b.push(added);
    fs::write(home.path().join("a.pgn"), text(&a))?;
    fs::write(home.path().join("b.pgn"), text(&b))?;

    let (code, rows) = diff(home.path(), "a.pgn", "b.pgn")?;
    assert_eq!(code, Some(1));
    let row = |change: &str, a: usize, b: usize| {
        let number = |at: usize| if at == 0 { String::new() } else { at.to_string() };
        (change.to_owned(), number(a), number(b))
    };
    let mut expected: BTreeSet<_> = CHANGES.iter().enumerate().map(|(at, (change, _))| row(change, at + 1, at + 1)).collect();
    expected.extend([row("moves", last + 1, last + 1), row("moves", last + 2, last + 2)]);
    expected.extend([row("only_in_a", last + 3, 0), row("only_in_b", 0, b.len())]);
    let found: BTreeSet<_> =
        rows.iter().map(|row| (row["change"].clone(), row["game_a"].clone(), row["game_b"].clone())).collect();
    assert_eq!(found, expected, "only in a: {:?}", only_in_a.tags());
    assert_eq!(rows.len(), expected.len(), "{rows:#?}");

    let plies: BTreeMap<&str, &str> = rows.iter().map(|row| (&*row["game_a"], &*row["ply"])).collect();
    assert_eq!(plies[&*(last + 1).to_string()], first_different.to_string());
    assert_eq!(plies[&*(last + 2).to_string()], (b[last + 1].moves.len() + 1).to_string());
    for row in rows.iter().filter(|row| ["result", "date"].contains(&&*row["change"])) {
        let at: usize = row["game_a"].parse()?;
        let value = |game: &PlantedGame| if row["change"] == "date" { game.date.clone() } else { game.result.to_owned() };
        assert_eq!((&row["a"], &row["b"]), (&value(&a[at - 1]), &value(&b[at - 1])), "{row:?}");
    }
    for row in &rows {
        let inputs = [("input_a", "game_a", "a.pgn"), ("input_b", "game_b", "b.pgn")];
        for (input, game, name) in inputs {
            let expected = if row[game].is_empty() { "" } else { name };
            assert_eq!(row[input], expected, "{row:?}");
        }
    }
    Ok(())
}

#[test]
fn ratings_tell_games_apart() -> Outcome {
    let home = tempfile::tempdir()?;
    let mut a = vec![games().swap_remove(0); 2];
    a[0].ratings = [2400, 2410];
    a[1].ratings = [2500, 2510];
    let mut b = vec![a[1].clone(), a[0].clone()];
    b.iter_mut().for_each(|game| game.is_annotated = true);
    fs::write(home.path().join("a.pgn"), text(&a))?;
    fs::write(home.path().join("b.pgn"), text(&b))?;

    let (_, rows) = diff(home.path(), "a.pgn", "b.pgn")?;
    let found: Vec<_> = rows.iter().map(|row| (&*row["change"], &*row["game_a"], &*row["game_b"])).collect();
    assert_eq!(found, [("comments", "1", "2"), ("comments", "2", "1")]);
    Ok(())
}

/// With `--new`, the games that only B has are written as they are in B, wherever they are there.
#[test]
fn new_games_are_written_byte_for_byte() -> Outcome {
    let home = tempfile::tempdir()?;
    let write = |name: &str, bytes: &[u8]| fs::write(home.path().join(name), bytes);
    let texts: Vec<String> = games().iter().map(|game| game.text().replace('\n', "\r\n")).collect();
    let is_new = |at: &usize| at % 5 == 1 || *at > texts.len() - 3;
    let (new, old): (Vec<usize>, Vec<usize>) = (0..texts.len()).partition(is_new);
    let joined = |games: &[usize]| games.iter().map(|at| texts[*at].as_str()).collect::<String>();
    write("a.pgn", joined(&old).as_bytes())?;
    fs::create_dir(home.path().join("b"))?;
    let (first, last) = texts.split_at(texts.len() / 2);
    write("b/1.pgn", first.concat().as_bytes())?;
    // The last line of the input does not end.
    write("b/2.pgn.gz", &gzip(last.concat().trim_end().as_bytes()))?;
    let expected = joined(&new);
    for (name, options) in [("new.pgn", &[][..]), ("new.pgn.gz", &["--only", "gone"])] {
        let output = run(home.path(), &[&["diff", "a.pgn", "b", "--new", name], options].concat())?;
        assert_eq!(output.status.code(), Some(i32::from(options.is_empty())), "{output:?}");
        let check = run(home.path(), &["diff", name, "a.pgn", "--only", "gone", "--format", "csv"])?;
        assert_eq!(String::from_utf8(check.stdout)?.lines().count(), new.len() + 1, "{name}");
    }
    assert_eq!(fs::read_to_string(home.path().join("new.pgn"))?, format!("{}\r\n", expected.trim_end()));
    let same = run(home.path(), &["diff", "b", "b", "--new", "none.pgn"])?;
    assert_eq!((same.status.code(), fs::read(home.path().join("none.pgn"))?), (Some(0), Vec::new()));

    // What others wrote is not replaced, nor an input, and a stream cannot be read twice.
    for (arguments, said) in [
        (["a.pgn", "b", "b/1.pgn"], "is an input"),
        (["a.pgn", "b", "note.txt"], "`note.txt` exists and is not empty"),
        (["a.pgn", "-", "x.pgn"], "--new reads B twice"),
    ] {
        write("note.txt", b"a note")?;
        let [a, b, new] = arguments;
        let output = run(home.path(), &["diff", a, b, "--new", new])?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{output:?}");
    }
    assert_eq!(fs::read(home.path().join("note.txt"))?, b"a note");
    Ok(())
}

/// The page has a row for the first games with each change only, and no long text.
#[test]
fn the_page_is_bounded() -> Outcome {
    let home = tempfile::tempdir()?;
    let game = |number: usize, date: &str| {
        let event = if number == 3 { "long ".repeat(1 << 16) } else { "Open".to_owned() };
        let opening = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Re1 a6 8. Bb3 Ba7 9. h3 h6 *";
        format!("[Event \"{event}\"]\n[Date \"{date}\"]\n[White \"A{number}, B\"]\n[Black \"C{number}, D\"]\n\n{opening}\n\n")
    };
    let games = |date: &str, count: usize| (1..=count).map(|number| game(number, date)).collect::<String>();
    fs::write(home.path().join("a.pgn"), games("2001.02.03", 1300))?;
    fs::write(home.path().join("b.pgn"), games("2001.02.04", 1300))?;
    let output = run(home.path(), &["diff", "a.pgn", "b.pgn", "-o", "differences"])?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let rows = csv::Reader::from_path(home.path().join("differences/diff.csv"))?.into_records().count();
    let page = fs::read_to_string(home.path().join("differences/diff.html"))?;
    assert_eq!((rows, page.matches("scope=\"row\"").count()), (1300, 100), "{}", page.len());
    assert!(page.contains("Other date: these are the first 100 games. 1,200 more are in diff.csv."));
    assert!(page.len() < 120_000, "{} bytes", page.len());
    Ok(())
}

/// Games that could not be read are not taken for new ones.
#[test]
fn new_games_are_not_written_if_a_corpus_is_incomplete() -> Outcome {
    let home = tempfile::tempdir()?;
    let text = text(&games());
    let packed = gzip(text.as_bytes());
    fs::write(home.path().join("a.pgn.gz"), &packed[..packed.len() / 2])?;
    fs::write(home.path().join("b.pgn"), &text)?;
    let output = run(home.path(), &["diff", "a.pgn.gz", "b.pgn", "--new", "new.pgn"])?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no new games were written"), "{output:?}");
    assert!(!home.path().join("new.pgn").exists());
    Ok(())
}
