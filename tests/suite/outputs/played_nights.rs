//! Nights that were played: for each its exit code, mail, page and rows of the history, as they
//! are in `fixtures/nights`.
//!
//! Whoever runs this with `UPDATE=1` reads each text that has changed before it is accepted.

use std::{env, fs, process::Command};

use super::nightly::{Club, TWO_FAULTS, game};
use crate::common::{
    fixture,
    packs::gzip,
    program::{Outcome, PROGRAM},
};

/// What happens before the second night.
type Edit = fn(&Club) -> Outcome;

/// Nights: a name, and what happens before the second one and those after it.
const PLAYED: &[(&str, &[Edit])] = &[
    ("a_date_is_corrected", &[|club| edit(club, "a", "2019.07.04", "2019.07.05")]),
    ("a_comment_is_added", &[|club| edit(club, "a", "1. e4", "{A quiet day} 1. e4")]),
    ("a_good_move_is_replaced", &[|club| edit(club, "a", "c6 3. d3", "Nc6 3. d3")]),
    (
        "a_fault_is_corrected_and_a_name",
        &[|club| {
            edit(club, "a", "3. Bb5+", "2. Bb5+")?;
            edit(club, "a", "Holmqvist, Nils", "Holmqvist, N")
        }],
    ),
    ("games_change_places", &[|club| club.write("games/a.pgn", [game(2, "1. Ke2"), game(1, TWO_FAULTS)].concat())]),
    (
        "a_game_is_replaced_by_one_with_the_same_fault",
        &[
            |club| {
                let other = game(71, "1. d4 d5 2. c4 e6 3. Nc3 3. Ke4")
                    .replace("2019.07.04", "2001.01.31")
                    .replace("Abara, Felix", "Lind, Jo");
                club.write("games/many.pgn", other.replace("3. Ke4", "3... Ke4"))
            },
            |club| {
                let other = game(72, "1. c4 c5 2. g3 g6 3. Bg2 3... Ke4")
                    .replace("2019.07.04", "2003.03.31")
                    .replace("Abara, Felix", "Sand, Al");
                club.write("games/many.pgn", other)
            },
        ],
    ),
    (
        "known_findings_of_an_edited_game",
        &[
            |club| {
                club.write_baseline(&[])?;
                club.write("chess-audit.toml", "baseline = \"known.csv\"\n")
            },
            |club| edit(club, "a", "2019.07.04", "2019.07.05"),
            |club| add(club, "c", &game(7, "1. Ke2")),
        ],
    ),
    ("a_line_unfolds", &[|club| many(club, 25), |club| many(club, 17)]),
    (
        "a_line_unfolds_and_there_is_a_new_fault",
        &[
            |club| many(club, 25),
            |club| {
                many(club, 17)?;
                add(club, "many", &game(99, "1. Ke2"))
            },
        ],
    ),
    ("a_line_folds", &[|club| many(club, 17), |club| many(club, 21)]),
    (
        "repairs_are_applied",
        &[
            |club| many(club, 25),
            |club| {
                run(club, &["check", "games", "-q", "-o", "before", "--fail-on", "never", "--repairs", "repairs.csv"])?;
                run(club, &["fix", "games", "--repairs", "repairs.csv", "--in-place"])
            },
        ],
    ),
    ("a_file_is_lost", &[|club| Ok(fs::remove_file(club.path("games/b.pgn"))?)]),
    (
        "a_file_is_cut_off",
        &[|club| {
            let text = club.read("games/b.pgn")?;
            club.write("games/b.pgn", &text[..text.len() - 120])
        }],
    ),
    ("a_file_is_empty", &[|club| club.write("games/b.pgn", "")]),
    ("a_file_is_a_page_of_a_server", &[|club| club.write("games/b.pgn", "<!DOCTYPE html>\n<title>503</title>\n")]),
    ("a_file_is_copied", &[|club| copy(club, "b", "0")]),
    (
        "a_file_is_copied_and_copies_are_looked_for",
        &[|club| club.write("chess-audit.toml", "duplicates = true\n"), |club| copy(club, "b", "0")],
    ),
    ("a_file_is_renamed", &[|club| rename(club, "b", "0")]),
    (
        "a_file_is_packed",
        &[|club| {
            let packed = gzip(&fs::read(club.path("games/b.pgn"))?);
            fs::remove_file(club.path("games/b.pgn"))?;
            club.write("games/b.pgn.gz", packed)
        }],
    ),
    (
        "a_file_is_split",
        &[|club| {
            fs::remove_file(club.path("games/b.pgn"))?;
            club.write("games/b1.pgn", game(3, TWO_FAULTS))?;
            club.write("games/b2.pgn", game(4, "1. Ke2"))
        }],
    ),
    (
        "files_are_joined",
        &[|club| {
            let text = club.read("games/b.pgn")? + &club.read("games/c.pgn")?;
            fs::remove_file(club.path("games/b.pgn"))?;
            fs::remove_file(club.path("games/c.pgn"))?;
            club.write("games/bc.pgn", text)
        }],
    ),
    (
        "a_new_error_stays_open",
        &[|club| add(club, "c", &game(7, "1. Ke2")), |_| Ok(()), |club| add(club, "c", &game(8, "1. Ke2"))],
    ),
    ("open_findings_fail", &[|club| club.write("arguments", "--fail-on-open")]),
    ("an_expectation_is_broken", &[|club| club.write("chess-audit.toml", "[expect]\ngames = { min = 7 }\n"), |_| Ok(())]),
    (
        "the_same_rule_many_times",
        &[|club| {
            add(club, "c", &(10..40).map(|number| game(number, &format!("1. e4 e5 2. Ke{}", 3 + number % 2))).collect::<String>())
        }],
    ),
    (
        "a_night_fails",
        &[
            |club| club.write("games/d.pgn.gz", &gzip(game(9, "1. e4").as_bytes())[..30]),
            |club| Ok(fs::remove_file(club.path("games/d.pgn.gz"))?),
        ],
    ),
    (
        "the_program_is_updated",
        &[|club| {
            // As if an earlier version had not known the rule of illegal moves.
            let report = club.path("store/reports/00001-2026-11-01");
            let run = fs::read_to_string(report.join("run.json"))?;
            let moves = fs::read(report.join("moves.csv"))?;
            let rows: Vec<&[u8]> = moves.split_inclusive(|byte| *byte == b'\n').collect();
            assert_eq!(rows.len(), 4, "a header and three findings");
            fs::write(report.join("moves.csv"), rows[0])?;
            let run = run.replace("\"version\": \"0.1.0\"", "\"version\": \"0.0.9\"");
            let mut run: serde_json::Value = serde_json::from_str(&run)?;
            run["totals"]["findings"]["error"] = 0.into();
            run["tables"] = serde_json::Value::Null;
            Ok(fs::write(report.join("run.json"), serde_json::to_vec(&run)?)?)
        }],
    ),
    (
        "an_input_becomes_chess960",
        &[|club| {
            let position =
                "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bnrqkrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRQKRNB w KQkq - 0 1\"]\n";
            let games: String =
                (40..50).map(|number| game(number, "1. e4 e5").replace("\n\n1.", &format!("\n{position}\n1."))).collect();
            add(club, "b", &games)
        }],
    ),
    // Three edits each.
    (
        "three_edits_renamed_edited_and_added",
        &[|club| {
            rename(club, "b", "0")?;
            edit(club, "a", "2019.07.04", "2019.07.05")?;
            add(club, "c", &game(7, "1. Ke2"))
        }],
    ),
    (
        "three_edits_copied_lost_and_corrected",
        &[|club| {
            copy(club, "a", "z")?;
            fs::remove_file(club.path("games/b.pgn"))?;
            edit(club, "c", "1. Ke2", "1. e4")
        }],
    ),
    (
        "three_edits_packed_commented_and_reordered",
        &[|club| {
            let packed = gzip(&fs::read(club.path("games/b.pgn"))?);
            fs::remove_file(club.path("games/b.pgn"))?;
            club.write("games/b.pgn.gz", packed)?;
            edit(club, "a", "1. e4", "{A quiet day} 1. e4")?;
            club.write("games/c.pgn", [game(6, "1. Ke2"), game(5, TWO_FAULTS)].concat())
        }],
    ),
    (
        "three_edits_unfolded_renamed_and_known",
        &[
            |club| {
                many(club, 25)?;
                club.write_baseline(&[])?;
                club.write("chess-audit.toml", "baseline = \"known.csv\"\n")
            },
            |club| {
                many(club, 17)?;
                rename(club, "b", "0")?;
                edit(club, "a", "2019.07.04", "2019.07.05")
            },
        ],
    ),
    (
        "three_edits_split_copied_and_new",
        &[|club| {
            fs::remove_file(club.path("games/b.pgn"))?;
            club.write("games/b1.pgn", game(3, TWO_FAULTS))?;
            club.write("games/b2.pgn", game(4, "1. Ke2"))?;
            copy(club, "a", "z")?;
            add(club, "c", &game(7, "1. Ke2"))
        }],
    ),
    (
        "three_edits_of_one_game",
        &[|club| {
            edit(club, "a", "2019.07.04", "2019.07.05")?;
            edit(club, "a", "Abara, Felix", "Abara, F")?;
            edit(club, "a", "6. dxe4", "4. dxe4")
        }],
    ),
    (
        "three_edits_joined_expected_and_cut",
        &[|club| {
            let text = club.read("games/b.pgn")? + &club.read("games/c.pgn")?;
            fs::remove_file(club.path("games/b.pgn"))?;
            fs::remove_file(club.path("games/c.pgn"))?;
            club.write("games/bc.pgn", text)?;
            club.write("chess-audit.toml", "[expect]\ngames = { min = 7 }\n")?;
            club.write("games/a.pgn", game(1, TWO_FAULTS))
        }],
    ),
];

fn edit(club: &Club, name: &str, from: &str, to: &str) -> Outcome {
    let path = format!("games/{name}.pgn");
    let text = club.read(&path)?;
    assert!(text.contains(from), "{path}: {from}");
    club.write(&path, text.replace(from, to))
}

fn add(club: &Club, name: &str, games: &str) -> Outcome {
    let path = format!("games/{name}.pgn");
    let text = club.read(&path)?;
    club.write(&path, text + games)
}

fn copy(club: &Club, name: &str, to: &str) -> Outcome {
    fs::copy(club.path(&format!("games/{name}.pgn")), club.path(&format!("games/{to}.pgn")))?;
    Ok(())
}

fn rename(club: &Club, name: &str, to: &str) -> Outcome {
    Ok(fs::rename(club.path(&format!("games/{name}.pgn")), club.path(&format!("games/{to}.pgn")))?)
}

/// 55 games, of which `faulty` lack a tag of the roster.
fn many(club: &Club, faulty: usize) -> Outcome {
    let games = (100..155).map(|number| {
        let game = game(number, "1. e4 e5");
        if number < 100 + faulty { game.replace("[Site \"?\"]\n", "") } else { game }
    });
    club.write("games/many.pgn", games.collect::<String>())
}

fn run(club: &Club, arguments: &[&str]) -> Outcome {
    let output = Command::new(PROGRAM).current_dir(club.path("")).args(arguments).output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

/// The text of HTML, a line for each element.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<').skip(1) {
        let words = part.split_once('>').map_or("", |(_, words)| words);
        text.push_str(words);
        if part.starts_with('/') && !part.starts_with("/small") && !part.starts_with("/bdi") && !part.starts_with("/span") {
            text.push('\n');
        }
    }
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// What the page says of the night: the verdict, the numbers, and what has happened since then.
fn first_screen(page: &str) -> Outcome<String> {
    let header = page.split_once("<p class=\"tool\">").ok_or("no header")?.1;
    let verdict = header.split_once("<ul class=\"shares\">").ok_or("no shares")?.0;
    let since = header.split_once("<h2>Since the night").map(|(_, since)| since.split_once("</ul>").map_or("", |(list, _)| list));
    let since = since.map(|since| text_of(&format!("<h2>Since the night{since}")));
    Ok(text_of(&format!("<p>{verdict}")) + &since.unwrap_or_default())
}

/// Plays the nights. Returns what they have said.
fn played(edits: &[Edit]) -> Outcome<String> {
    let club = Club::new()?;
    let mut said = String::new();
    club.night(1, &[])?;
    for (edit, day) in edits.iter().zip(2..) {
        edit(&club)?;
        let before = club.read("store/history.csv")?;
        let reports = club.reports()?.len();
        let more = club.read("arguments").unwrap_or_default();
        let night = club.night(day, &more.split_whitespace().collect::<Vec<_>>())?;
        let history = club.read("store/history.csv")?;
        let rows = history.strip_prefix(&before).ok_or("rows were changed")?;
        said.push_str(&format!("== Night {day}: exit code {}\n", night.code.ok_or("killed")?));
        for (title, text) in
            [("mail", &night.mail), ("standard error", &night.stderr)].into_iter().filter(|(_, text)| !text.is_empty())
        {
            said.push_str(&format!("-- {title}\n{text}"));
        }
        let reports_now = club.reports()?;
        if reports_now.len() > reports {
            let report = reports_now.last().ok_or("no report")?;
            said.push_str(&format!("-- page\n{}", first_screen(&club.read(&format!("store/reports/{report}/report.html"))?)?));
        }
        said.push_str(&format!("-- history\n{rows}"));
    }
    Ok(said)
}

#[test]
fn each_night_says_what_it_should() -> Outcome {
    let folder = fixture("nights");
    let is_update = env::var_os("UPDATE").is_some();
    for (name, edits) in PLAYED {
        let said = played(edits).map_err(|error| format!("{name}: {error}"))?;
        let path = folder.join(name).with_extension("txt");
        if is_update {
            fs::create_dir_all(&folder)?;
            fs::write(path, said)?;
        } else {
            assert_eq!(said, fs::read_to_string(path)?.replace('\r', ""), "{name}");
        }
    }
    let names = fs::read_dir(&folder)?.count();
    assert_eq!(names, PLAYED.len(), "each text has its nights");
    Ok(())
}
