//! Games inside other text: strings of programs, JSON strings and Markdown fences.

use super::kinds::strings_with;
use crate::common::{AuditResult, audit, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
};

const FIRST: &str = "[Event \"Open\"]\n[Site \"?\"]\n[Date \"2031.03.21\"]\n[Round \"1\"]\n[White \"Quill, Dana\"]\n\
                     [Black \"Rook, Sam\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const SECOND: &str = "[Event \"Open\"]\n[Site \"?\"]\n[Date \"2031.03.28\"]\n[Round \"2\"]\n[White \"Stone, Ira\"]\n\
                      [Black \"Vane, Lee\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 {best} Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

fn read(name: &str, text: &str, chunk_bytes: usize, map: bool) -> AuditResult {
    let settings = Settings { threads: 2, chunk_bytes, map, repairs: true, ..everything() };
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(file.path(), text).expect("it can be written");
    let source = if map { Source::Bytes(text.as_bytes().into()) } else { Source::File(file.path().to_owned()) };
    audit(vec![Input { name: name.to_owned(), source, format: None, scanned: false }], settings)
}

/// The findings without those of SYN20, and the number of games.
fn others(found: &AuditResult) -> (Vec<String>, u64) {
    let codes = found.codes();
    (codes.into_iter().filter(|code| code != "SYN20").collect(), found.summary.counts.games)
}

#[test]
fn one_finding_says_so_and_nothing_is_said_of_the_text_around() {
    for (name, text) in strings_with(&[FIRST, SECOND]) {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let whole = read(&name, &text, 1 << 18, true);
            assert_eq!((whole.codes(), whole.summary.counts.games), (vec!["SYN20".to_owned()], 2), "{name}: {:?}", whole.lines());
            assert!(whole.failures.is_empty());
            for (chunk_bytes, map) in [(1, true), (50, true), (50, false)] {
                let cut = read(&name, &text, chunk_bytes, map);
                assert_eq!(cut.lines(), whole.lines(), "{name}, chunks of {chunk_bytes}");
                assert_eq!(cut.summary.counts, whole.summary.counts, "{name}, chunks of {chunk_bytes}");
            }
        }
    }
}

#[test]
fn faults_are_found_at_their_place_and_have_no_repair() {
    for (name, text) in strings_with(&[FIRST, &SECOND.replace("{best} Nc6", "Nc6 {b\u{e9}st}").replace("Qh5", "Qf9")]) {
        let found = read(&name, &text, 1 << 18, true);
        let (codes, games) = others(&found);
        assert_eq!((codes.first().map(String::as_str), games), (Some("SYN10"), 2), "{name}: {:?}", found.lines());
        for (_, finding) in found.findings.iter().filter(|(_, finding)| finding.rule.name == "unknown-token") {
            assert_eq!(&text[finding.place.start..finding.place.end], "Qf9", "{name}");
            assert_eq!(finding.game_label, "Stone, Ira - Vane, Lee, Open, 2031.03.28, round 2", "{name}");
        }
        assert!(found.findings.iter().all(|(_, finding)| finding.repair.is_none()), "{name}");
    }
}

#[test]
fn games_of_which_one_is_not_in_a_string_are_read_as_before() {
    let fence = |game: &str| format!("```pgn\n{game}```\n\n");
    for (text, games) in [
        (format!("{FIRST}\nGames of the `second` week\n\n{SECOND}"), 2),
        (format!("{}{SECOND}", fence(FIRST)), 2),
        (format!("{SECOND}\n{}", fence(FIRST)), 2),
        (format!("{}const a = `{SECOND}`;\n", fence(FIRST)), 2),
        (format!("`\n{FIRST}\n"), 1),
        (format!("const a = `{FIRST}`;\n\n1. e4 e5 *\n"), 2),
    ] {
        let found = read("a.pgn", &text, 1 << 18, true);
        assert!(!found.codes().contains(&"SYN20".to_owned()), "{text}");
        assert!(found.codes().contains(&"SYN01".to_owned()) || text.contains("const"), "{text}: {:?}", found.lines());
        assert_eq!(found.summary.counts.games, games, "{text}");
    }
}

#[test]
fn parts_of_programs_that_write_games_are_no_games() {
    for text in [
        "s.Add(\"[Event \\\"Casual\\\"]\");\ns.Add($\"[Date \\\"{D}\\\"]\");\n",
        "const pgn = `[Event \"${e}\"]\n\n${moves} *`;\n",
        "pgn = f\"\"\"[Event \"{e}\"]\n[Site \"?\"]\n\n{moves}\n\"\"\"\n",
    ] {
        assert!(!read("a.txt", text, 1 << 18, true).codes().contains(&"SYN20".to_owned()), "{text}");
    }
}

/// Far from the start of a file, a game that is not in a string is not lost, and a long string
/// costs no more time than a short one.
#[test]
fn long_files_are_read_to_their_end() {
    let many = format!("{FIRST}\n").repeat(2000);
    let crlf = many.replace('\n', "\r\n");
    for text in [
        format!("const a = `{many}`;\n"),
        format!("const a = \"{}\";\n", many.replace('"', "\\\"").replace('\n', "\\n")),
        format!("const a = \"{}\";\n", crlf.replace('"', "\\\"").replace('\r', "\\r").replace('\n', "\\n")),
        format!("const a = [{}];\n", format!("`{FIRST}`,").repeat(2000)),
    ] {
        let found = read("a.ts", &format!("{text}\n{SECOND}"), 1 << 18, true);
        assert_eq!(found.summary.counts.games, 2001, "{}", &text[..50]);
        assert_eq!(found.codes(), ["SYN20"]);
    }
}
