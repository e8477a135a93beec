//! What two headers say of games with equal moves: whether one of them can be removed without a
//! look.

use std::{collections::BTreeMap, fs};

use crate::common::{
    games::games,
    program::{Outcome, run},
};

/// A header with event, round, date, players and result between bars, other tags, and the number of
/// the game whose moves it has.
type Headed<'a> = (&'a str, &'a str, usize);

/// Games of 60 plies and more from the starting position.
fn long_games() -> Vec<Vec<String>> {
    let games = games(200).into_iter().filter(|game| game.fen.is_none() && game.sans.len() >= 60);
    games.map(|game| game.sans[..60].to_vec()).collect()
}

/// The text of a game.
fn text(header: &str, more: &str, moves: &[String]) -> String {
    let names = ["Event", "Round", "Date", "White", "Black", "Result"];
    let tags: String = names.iter().zip(header.split('|')).map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    let result = header.rsplit('|').next().unwrap_or_default();
    format!("{tags}{more}\n{} {result}\n\n", moves.join(" "))
}

/// The rows of `duplicates.csv` about games with these texts: rule, severity, keep, and expected.
fn rows(files: &[String]) -> Outcome<Vec<[String; 4]>> {
    let home = tempfile::tempdir()?;
    let names: Vec<String> = (0..files.len()).map(|at| format!("{at}.pgn")).collect();
    for (name, file) in names.iter().zip(files) {
        fs::write(home.path().join(name), file)?;
    }
    let check = ["check", "--no-config", "--duplicates", "--quiet", "--fail-on", "never", "--profile", "strict", "-o", "report"];
    let output = run(home.path(), &[&check[..], &names.iter().map(String::as_str).collect::<Vec<_>>()].concat())?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows: Vec<BTreeMap<String, String>> =
        csv::Reader::from_path(home.path().join("report/duplicates.csv"))?.deserialize().collect::<Result<_, _>>()?;
    Ok(rows.iter().map(|row| ["rule", "severity", "keep", "expected"].map(|column| row[column].clone())).collect())
}

#[test]
fn copies_that_can_be_removed_unseen_are_told_from_others() -> Outcome {
    let moves = long_games();
    let cases: [(&str, &[Headed<'_>], &[&str]); 9] = [
        (
            "two players",
            &[("Open|6|1992|Lin Jun|Adianto, Utut|1-0", "", 0), ("Open|6|1992|Luo Jun|Adianto, Utut|1-0", "", 0)],
            &["DUP03 warning check"],
        ),
        (
            "sisters",
            &[("Open|6|1992|Polgar, Zsuzsa|Tal, M|1-0", "", 0), ("Open|6|1992|Zsofia Polgar|Tal, M|1-0", "", 0)],
            &["DUP03 warning check"],
        ),
        (
            "underscores",
            &[("Open|6|1992|Seiler, Yann|Van der Meer, Jan|1-0", "", 0), ("Open|6|1992|Seiler Yann|Van_der_Meer|1-0", "", 0)],
            &["DUP01 warning no"],
        ),
        (
            "a repeated wrong header",
            &[
                ("Match|1|1946.01.10|Sorin, Val|Palecek, Ludvik|1-0", "", 0),
                ("Match|1|1946.01.10|Sorin, Val|O'Neill, Edmund|1-0", "", 0),
                ("Match|2|1946.02.10|Keller, Pavel|Palecek, Ludvik|1-0", "", 1),
                ("Match|2|1946.02.10|Keller, Pavel|O'Neill, Edmund|1-0", "", 1),
            ],
            &["DUP02 warning check", "DUP02 warning check"],
        ),
        (
            "two spellings",
            &[
                ("Open|1|1980|Kortchnoi Victor|Hort, Vlastimil|1-0", "", 0),
                ("Open|1|1980|Korchnoi, Viktor|Hort, Vlastimil|1-0", "", 0),
                ("Open|2|1980|Tal, Mikhail|Kortchnoi Victor|1-0", "", 1),
                ("Open|2|1980|Tal, Mikhail|Korchnoi, Viktor|1-0", "", 1),
            ],
            &["DUP01 warning no", "DUP01 warning no", "DUP13 info ", "DUP13 info "],
        ),
        (
            "engines with exchanged colours",
            &[
                ("?|3|2023.11.25|Tuned|Initial|1-0", "[TimeControl \"8+0.08\"]\n", 0),
                ("?|3|2023.11.25|Initial|Tuned|1-0", "[TimeControl \"8+0.08\"]\n", 0),
            ],
            &[],
        ),
        (
            "other start times",
            &[
                ("?|3|2023.11.25|Tuned|Initial|1-0", "[GameStartTime \"2023-11-25T10:00:00\"]\n", 0),
                ("?|3|2023.11.25|Tuned|Initial|1-0", "[GameStartTime \"2023-11-25T10:09:00\"]\n", 0),
            ],
            &[],
        ),
        // The kept game has the moves of the other one after an illegal move.
        (
            "a copy with an error",
            &[
                ("Open|6|1992|Seiler, Yann|Meer, Jan|1-0", "[Annotator \"short\"]\n", 0),
                ("Open|6|1992|Seiler, Yann|Meer, Jan|1-0", "", 0),
            ],
            &["DUP04 warning check"],
        ),
        (
            "values that are worse otherwise",
            &[
                ("Open|8|1992|Spasov|Fisk|1-0", "[Annotator \"A\"]\n[Site \"?\"]\n[WhiteElo \"2500\"]\n", 0),
                ("Open|8|1992|Spasov, Boro|Fisk, Rolf |1-0", "[Site \"Sveti Petar m (08)\"]\n", 0),
            ],
            &["DUP01 warning no", "DUP12 info "],
        ),
    ];
    for (name, games, expected) in cases {
        let text_of = |(header, more, at): &Headed<'_>| {
            let mut moves = moves[*at].clone();
            match (name, *more) {
                ("a copy with an error", "") => moves[40] = "Kh8e1".to_owned(),
                ("a copy with an error", _) => moves.truncate(56),
                _ => {}
            }
            text(header, more, &moves)
        };
        let rows = rows(&[games.iter().map(text_of).collect()])?;
        let found: Vec<String> = rows.iter().map(|[rule, severity, keep, _]| format!("{rule} {severity} {keep}")).collect();
        assert_eq!(found, expected, "{name}");
        if let Some([.., better]) = rows.iter().find(|[rule, ..]| rule == "DUP12") {
            assert_eq!(better, "[White \"Spasov, Boro\"] [Black \"Fisk, Rolf\"]");
        }
    }
    Ok(())
}

#[test]
fn a_table_of_short_lines_and_its_copy_are_copies() -> Outcome {
    let lines: String = ["1. e4 e5", "1. e4 c5 2. Nf3", "1. d4 d5 2. c4"]
        .iter()
        .enumerate()
        .map(|(at, moves)| format!("[Event \"Line {at}\"]\n[ECO \"A0{at}\"]\n\n{moves} *\n\n"))
        .collect();
    let rows = rows(&[lines.clone(), lines.clone()])?;
    assert_eq!(rows.iter().filter(|[rule, _, keep, _]| rule == "DUP01" && keep == "no").count(), 3, "{rows:?}");
    assert_eq!(self::rows(&[lines.clone() + &lines])?, Vec::<[String; 4]>::new());
    Ok(())
}
