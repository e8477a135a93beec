//! `--players`: names and ids against FIDE's rating list.

use std::{collections::BTreeMap, fs, path::Path};

use crate::common::program::{Outcome, run, stderr};

/// A list as FIDE publishes it: id, name and year of birth.
const LISTED: [(&str, &str, &str); 4] = [
    ("1234567", "Quill, Ada", "1980"),
    ("77", "Keres, Paul", "1916"),
    ("900", "Jussupow, Artur", ""),
    ("55", "Hort, Max", "1900"),
];

fn list_of_text() -> String {
    let rows = LISTED.map(|(id, name, born)| format!("{id:<15}{name:<20}LAT F   {born:<4}  i\n"));
    "ID Number      Name                Fed Sex B-day Flag\n".to_owned() + &rows.concat()
}

fn list_of_xml() -> String {
    let rows = LISTED.map(|(id, name, born)| {
        format!("<player><fideid>{id}</fideid><name>{name}</name><birthday>{born}</birthday></player>\n")
    });
    format!("<?xml version=\"1.0\"?>\n<playerslist>\n{}</playerslist>\n", rows.concat())
}

/// A game of White with an id.
fn game((date, white, id, moves): (&str, &str, &str, &str)) -> String {
    format!(
        "[Event \"Riga Open\"]\n[Site \"Riga\"]\n[Date \"{date}\"]\n[Round \"1\"]\n[White \"{white}\"]\n[Black \"Tal, Eve\"]\n\
         [Result \"*\"]\n[WhiteFideId \"{id}\"]\n\n{moves} *\n\n"
    )
}

fn rows(path: &Path) -> Outcome<Vec<BTreeMap<String, String>>> {
    Ok(csv::Reader::from_path(path)?.deserialize().collect::<Result<_, _>>()?)
}

#[test]
fn names_that_share_nothing_with_that_of_the_id_are_reported() -> Outcome {
    let games = [
        ("1999.05.01", "Quill, A", "1234567", "1. e4 e5"),
        // Twice, so it is reported once; and the name has its own id elsewhere.
        ("1999.05.02", "Hort, Max", "1234567", "1. d4 d5"),
        ("1999.05.03", "Hort, Max", "1234567", "1. d4 f5"),
        // Before Keres was four, and a name that only sounds like the one in the list.
        ("1919.05.03", "Hort, Max", "77", "1. c4 f5"),
        ("1999.05.04", "Yusupov, Artur", "900", "1. c4 e5"),
        // Nothing proves which of both is wrong.
        ("1999.05.05", "Capablanca, R", "900", "1. c4 c5"),
        ("1999.05.05", "Hort, M", "55", "1. b3 c5"),
        ("1999.05.05", "Hort, Max", "55", "1. b3 b5"),
        // Another romanisation, which proves nothing, and other letters.
        ("1999.05.06", "Sje Zun", "1234567", "1. b4 c5"),
        ("1999.05.07", "Квилл, Ада", "77", "1. b4 e5"),
        // The list does not have the id.
        ("1999.05.08", "Hort, Max", "901", "1. g3 c5"),
    ];
    let home = tempfile::tempdir()?;
    let at = |name: &str| home.path().join(name);
    fs::write(at("games.pgn"), games.map(game).concat())?;
    fs::write(at("list.txt"), list_of_text())?;
    fs::write(at("list.xml"), list_of_xml())?;
    let mut digests = Vec::new();
    for list in ["list.txt", "list.xml"] {
        let options = ["check", "--no-config", "-q", "--profile", "strict", "--players", list, "games.pgn", "-o", "report"];
        let output = run(home.path(), &options)?;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let found: Vec<String> = rows(&at("report/tags.csv"))?
            .iter()
            .filter(|row| row["rule"] == "NAM04")
            .map(|row| format!("{} {} {}", row["severity"], row["game"], row["message"]))
            .collect();
        let expected = [
            "warning 2 White is `Hort, Max` with the FIDE id 1234567 in 2 games, but the list has `Quill, Ada` (born in 1980) for \
             it; other games have another id for this name, as the list has",
            "warning 4 White is `Hort, Max` with the FIDE id 77, but the list has `Keres, Paul` (born in 1916) for it; other games \
             have another id for this name, as the list has",
            "info 6 White is `Capablanca, R` with the FIDE id 900, but the list has `Jussupow, Artur` for it",
            "info 9 White is `Sje Zun` with the FIDE id 1234567, but the list has `Quill, Ada` (born in 1980) for it",
        ];
        assert_eq!(found, expected, "{list}");
        let proposed = rows(&at("report/names.csv"))?;
        let proposed: Vec<[&str; 3]> =
            proposed.iter().map(|row| ["name", "main", "evidence"].map(|column| row[column].as_str())).collect();
        let expected = [
            ["Hort, M", "Hort, Max", "the rating list has it for FIDE id 55"],
            ["Quill, A", "Quill, Ada", "the rating list has it for FIDE id 1234567"],
            ["Yusupov, Artur", "Jussupow, Artur", "the rating list has it for FIDE id 900"],
        ];
        assert_eq!(proposed, expected);
        let run: serde_json::Value = serde_json::from_slice(&fs::read(at("report/run.json"))?)?;
        let record = &run["settings"]["players"];
        assert_eq!((record["file"].as_str(), record["players"].as_u64()), (Some(list), Some(4)));
        digests.push(record["digest"].clone());
    }
    assert_eq!(digests[0], digests[1]);
    let output = run(home.path(), &["check", "--no-config", "--players", "games.pgn", "games.pgn"])?;
    assert!(stderr(&output).contains("--players games.pgn: is not FIDE's rating list"), "{}", stderr(&output));
    Ok(())
}
