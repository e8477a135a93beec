//! The command line: bad use is one line on standard error and exit code 2; what is written stays
//! within bounds.

use std::{error::Error, fs, path::Path};

use assert_cmd::Command;
use chess_audit::internals::rules::{RULES, catalogue};

type Outcome = Result<(), Box<dyn Error>>;

/// A game in which nothing is wrong.
const GAME: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 *\n";

fn run(home: &Path, arguments: &[&str]) -> Result<(i32, String, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).current_dir(home).args(arguments).output()?;
    let code = output.status.code().ok_or("killed")?;
    Ok((code, String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
}

/// The one line that says what is wrong; nothing else may be there, nor any report.
fn bad_use(home: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let before = listing(home)?;
    let (code, out, err) = run(home, arguments)?;
    assert_eq!(code, 2, "{arguments:?}: {err}");
    assert_eq!(out, "", "{arguments:?}");
    assert_eq!(err.lines().count(), 1, "{arguments:?}: {err}");
    assert!(err.starts_with("error: "), "{arguments:?}: {err}");
    assert_eq!(listing(home)?, before, "{arguments:?}");
    Ok(err)
}

fn listing(home: &Path) -> std::io::Result<Vec<std::ffi::OsString>> {
    let mut names = fs::read_dir(home)?.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn home() -> std::io::Result<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAME)?;
    Ok(home)
}

#[test]
fn nothing_asked_is_bad_use() -> Outcome {
    let home = home()?;
    assert!(bad_use(home.path(), &[])?.contains("chess-audit check PATH"));
    assert!(bad_use(home.path(), &["check"])?.contains("no input"));
    assert!(bad_use(home.path(), &["chekc"])?.contains("'check'"));
    Ok(())
}

#[test]
fn a_path_is_checked_without_a_command() -> Outcome {
    let home = home()?;
    fs::create_dir(home.path().join("check"))?;
    fs::create_dir(home.path().join("games"))?;
    fs::write(home.path().join("games/b.pgn"), GAME)?;
    for path in ["a.pgn", "games", "./a.pgn", "*.pgn", "games/b.pgn"] {
        for arguments in [&[path, "-q"][..], &["--color", "never", path, "-q"], &["--color=never", path, "-q"]] {
            assert_eq!(run(home.path(), arguments)?, (0, String::new(), String::new()), "{arguments:?}");
        }
    }
    // A directory never hides a command, not even a misspelled one.
    assert!(run(home.path(), &["check"])?.2.contains("no input"));
    fs::remove_dir_all(home.path().join("chess-audit-report"))?;
    assert!(bad_use(home.path(), &["chekc", "a.pgn"])?.contains("'check'"));
    assert!(bad_use(home.path(), &["none.pgn"])?.contains("no such file or directory: `none.pgn`"));
    assert!(bad_use(home.path(), &["a.pgn", "--outptu", "x"])?.ends_with("see `chess-audit check --help`\n"));
    assert!(bad_use(home.path(), &["--color", "never", "fen"])?.ends_with("see `chess-audit fen --help`\n"));
    Ok(())
}

#[test]
fn unknown_options_and_values_are_bad_use() -> Outcome {
    let home = home()?;
    assert!(bad_use(home.path(), &["check", "a.pgn", "--outptu", "x"])?.contains("--output"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--profile", "lax"])?.contains("standard"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--fail-on", "fatal"])?.contains("never"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--format", "cbv"])?.contains("epd"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--threads", "-1"])?.contains("-1"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--chunk-size", "0"])?.contains("chunk-size"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--max-rows", "many"])?.contains("many"));
    Ok(())
}

#[test]
fn a_missing_file_is_a_failure_and_the_rest_is_audited() -> Outcome {
    let home = home()?;
    let home = home.path();
    fs::write(home.join("list"), "a.pgn\nnone.pgn\n")?;
    let audits = [
        ("report", vec!["check", "a.pgn", "none.pgn", "-o", "report"]),
        ("globs", vec!["check", "a.pgn", "none.pg*", "-o", "globs"]),
        ("listed", vec!["check", "--files-from", "list", "-o", "listed"]),
        ("nights", vec!["nightly", "a.pgn", "none.pgn", "--store", "nights", "--as-of", "2026-11-28"]),
    ];
    for (kind, arguments) in audits {
        let (code, _, err) = run(home, &arguments)?;
        assert_eq!(code, 2, "{arguments:?}: {err}");
        let report = match kind {
            "nights" => home.join("nights/tonight"),
            _ => home.join(arguments.last().ok_or("a report")?),
        };
        let read = |name: &str| fs::read_to_string(report.join(name));
        assert!(read("failures.csv")?.lines().nth(1).is_some_and(|row| row.starts_with("none.pg")), "{kind}");
        assert_eq!(read("inputs.csv")?.lines().count(), 3, "{kind}");
    }
    // If nothing is left, there is no report.
    assert!(bad_use(home, &["check", "none.pgn", "no.epd"])?.contains("no such file or directory: `none.pgn`"));
    assert!(bad_use(home, &["check", "*.epd"])?.contains("no file matches `*.epd`"));
    // What writes games or plans refuses.
    for arguments in [
        &["check", "a.pgn", "none.pgn", "--good", "g.pgn", "--bad", "b.pgn"][..],
        &["check", "a.pgn", "none.pgn", "--duplicates", "--games", "g.pgn"],
        &["shards", "plan", "a.pgn", "none.pgn", "-o", "plan"],
        &["diff", "a.pgn", "none.pgn", "-o", "differences"],
    ] {
        assert!(bad_use(home, arguments)?.contains("no such file or directory: `none.pgn`"), "{arguments:?}");
    }
    Ok(())
}

#[test]
fn a_directory_with_nothing_to_read_is_bad_use() -> Outcome {
    let home = home()?;
    fs::create_dir(home.path().join("empty"))?;
    let line = bad_use(home.path(), &["check", "empty"])?;
    assert!(line.contains("the directory `empty` contains no") && line.contains(".pgn"), "{line}");
    Ok(())
}

#[test]
fn unknown_rules_are_bad_use_and_the_nearest_is_suggested() -> Outcome {
    let home = home()?;
    for arguments in [["check", "a.pgn", "--select", "XYZ99"], ["check", "a.pgn", "--ignore", "XYZ99"]] {
        let line = bad_use(home.path(), &arguments)?;
        assert!(line.contains("`XYZ99`") && line.contains("chess-audit rules"), "{line}");
    }
    assert!(bad_use(home.path(), &["rules", "XYZ99"])?.contains("`XYZ99`"));
    for (word, meant) in [("MVO", "MOV"), ("mo", "MOV"), ("MOVE", "MOV"), ("MVO03", "MOV03"), ("MOV3", "MOV03"), ("TGA", "TAG")] {
        let line = bad_use(home.path(), &["check", "a.pgn", "--select", word])?;
        assert!(line.contains(&format!("did you mean `{meant}`?")), "{line}");
    }
    if let Some(rule) = RULES.first() {
        let line = bad_use(home.path(), &["check", "a.pgn", "--select", &format!("{}x", rule.name)])?;
        assert!(line.contains(&format!("did you mean `{}`?", rule.name)), "{line}");
    }
    Ok(())
}

#[test]
fn columns_that_cannot_be_are_bad_use() -> Outcome {
    let home = home()?;
    assert!(bad_use(home.path(), &["check", "a.pgn", "--fen-column", "0"])?.contains("from 1"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--moves-column", ""])?.contains("--moves-column"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "--fen-column", "FEN", "--format", "epd"])?.contains("--format"));
    Ok(())
}

#[test]
fn a_table_without_the_column_is_a_failure_that_names_the_nearest() -> Outcome {
    const ROW: &str = "7,4k3/8/8/8/8/8/4P3/4K3 w - - 0 60,e2e4 e8e6 e1e2\n";
    let home = home()?;
    fs::write(home.path().join("named.csv"), format!("id,FEN,Moves\n{ROW}"))?;
    fs::write(home.path().join("bare.csv"), ROW)?;
    let (code, _, err) = run(home.path(), &["check", "-q", "named.csv", "--fen-column", "FNE"])?;
    assert_eq!(code, 2);
    assert_eq!(err, "error: named.csv: there is no column `FNE`; the columns are `id`, `FEN`, `Moves`; did you mean `FEN`?\n");
    let (code, _, err) = run(home.path(), &["check", "-q", "bare.csv", "--fen-column", "2", "--moves-column", "4"])?;
    assert_eq!(code, 2);
    assert!(err.contains("there is no column 4; the columns are `7`, "), "{err}");
    // One input that cannot be read leaves the others as they are.
    let (code, _, err) = run(home.path(), &["check", "-q", "bare.csv", "named.csv", "--moves-column", "moves"])?;
    assert_eq!(code, 2);
    assert!(err.contains("bare.csv: there is no column `moves`: the table has no header; positions are in column 2"), "{err}");
    let moves = fs::read_to_string(home.path().join("chess-audit-report/moves.csv"))?;
    assert_eq!(moves.lines().count(), 2, "{moves}");
    assert!(moves.contains("MOV01,illegal-move,error,named.csv,2,41,53,57,1,2,,e8e6,"), "{moves}");
    // By number, with and without a header.
    for name in ["named.csv", "bare.csv"] {
        let (code, out, err) = run(home.path(), &["check", name, "--fen-column", "2", "--moves-column", "3"])?;
        assert_eq!((code, err.as_str()), (1, ""), "{out}");
        assert!(out.contains("1 error") && out.contains("1 position"), "{out}");
    }
    let settings: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(home.path().join("chess-audit-report/run.json"))?)?;
    assert_eq!((&settings["settings"]["fen_column"], &settings["settings"]["moves_column"]), (&"2".into(), &"3".into()));
    Ok(())
}

#[test]
fn a_report_directory_that_cannot_be_had_is_bad_use() -> Outcome {
    let home = home()?;
    fs::create_dir(home.path().join("mine"))?;
    fs::write(home.path().join("mine/thesis.txt"), "mine")?;
    assert!(bad_use(home.path(), &["check", "a.pgn", "-o", "mine"])?.contains("`mine` exists and is not a chess-audit report"));
    assert_eq!(listing(&home.path().join("mine"))?, ["thesis.txt"]);
    assert!(bad_use(home.path(), &["check", "a.pgn", "-o", "a.pgn"])?.contains("not a chess-audit report"));
    assert_eq!(fs::read_to_string(home.path().join("a.pgn"))?, GAME);
    assert!(bad_use(home.path(), &["check", "a.pgn", "-o", "none/report"])?.contains("`none`: no such directory"));
    assert!(bad_use(home.path(), &["check", "a.pgn", "-o", "a.pgn/report"])?.contains("cannot write a report"));
    Ok(())
}

/// A report is written to a hidden directory first, which says nothing to people.
#[test]
#[cfg(target_os = "linux")]
fn messages_do_not_name_temporary_files() -> Outcome {
    let home = home()?;
    for arguments in [["-o", "/proc/report"], ["--repairs", "/proc/repairs.csv"], ["--games", "/proc/games.csv"]] {
        let line = bad_use(home.path(), &[&["check", "a.pgn"], &arguments[..]].concat())?;
        assert!(line.contains(arguments[1]) && !line.contains(".chess-audit"), "{line}");
    }
    Ok(())
}

#[test]
fn a_malformed_list_is_bad_use_with_its_line() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("nul"), b"a.pgn\n\0\n")?;
    fs::write(home.path().join("latin"), b"# title\na.pgn\n\xE9.pgn\n")?;
    fs::write(home.path().join("gone"), b"\n\ngone.pgn\n")?;
    fs::write(home.path().join("blank"), b"\n# a.pgn\n")?;
    assert!(bad_use(home.path(), &["check", "--files-from", "nul"])?.contains("line 2 of the list `nul`"));
    assert!(bad_use(home.path(), &["check", "--files-from", "latin"])?.contains("line 3 of the list `latin`"));
    assert!(bad_use(home.path(), &["check", "--files-from", "gone"])?.contains("line 3 of the list `gone`"));
    assert!(bad_use(home.path(), &["check", "--files-from", "blank"])?.contains("contains no paths"));
    assert!(bad_use(home.path(), &["check", "--files-from", "none"])?.contains("cannot read the list `none`"));
    assert!(bad_use(home.path(), &["check", "-", "--files-from", "-"])?.contains("standard input"));
    Ok(())
}

#[test]
fn a_clean_game_leaves_a_report_and_no_error() -> Outcome {
    let home = home()?;
    let (code, out, err) = run(home.path(), &["check", "a.pgn"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.lines().any(|line| line.starts_with("Report") && line.ends_with("chess-audit-report")), "{out}");
    assert!(!out.contains('\u{1b}'), "no colours where nobody sees them");
    assert!(home.path().join("chess-audit-report/run.json").is_file());
    let again = run(home.path(), &["check", "a.pgn", "--quiet", "--color", "always"])?;
    assert_eq!(again, (0, String::new(), String::new()));
    Ok(())
}

#[test]
fn the_demo_is_a_report_of_the_showcase() -> Outcome {
    let home = home()?;
    for _ in 0..2 {
        let (code, out, err) = run(home.path(), &["demo", "-o", "new/demo"])?;
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let page = out.lines().last().ok_or("nothing was printed")?;
        assert_eq!(Path::new(page), home.path().canonicalize()?.join("new/demo/report/report.html"));
        assert!(fs::read_to_string(page)?.contains(">showcase.pgn"), "{page}");
        assert!(!out.contains('\\'), "{out}");
        // The command that is suggested can be pasted.
        let place = out.split_once("`chess-audit show ").and_then(|(_, rest)| rest.split_once('`')).ok_or("no command")?.0;
        let (code, shown, err) = run(home.path(), &["show", place])?;
        assert_eq!((code, err.as_str()), (0, ""), "{shown}");
        assert!(shown.contains("1 error"), "{shown}");
        assert_eq!(listing(&home.path().join("new/demo"))?, ["report", "showcase.epd", "showcase.pgn"]);
    }
    fs::write(home.path().join("showcase.pgn"), GAME)?;
    assert!(bad_use(home.path(), &["demo", "-o", "."])?.contains("is not a file of the demo"));
    assert_eq!(fs::read_to_string(home.path().join("showcase.pgn"))?, GAME);
    // Without a directory, there is a new one.
    let temporary = home.path().join("temporary");
    fs::create_dir(&temporary)?;
    let mut demo = Command::new(env!("CARGO_BIN_EXE_chess-audit"));
    let variables = ["TMPDIR", "TEMP", "TMP"];
    let output = variables.into_iter().fold(demo.arg("demo"), |demo, name| demo.env(name, &temporary)).output()?;
    let printed = String::from_utf8(output.stdout)?;
    let page = Path::new(printed.lines().last().ok_or("nothing was printed")?);
    assert!(page.starts_with(&temporary) && page.is_file(), "{printed}");
    Ok(())
}

#[test]
fn a_list_may_come_from_standard_input() -> Outcome {
    let home = home()?;
    Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .current_dir(home.path())
        .args(["check", "--files-from", "-", "-q"])
        .write_stdin("a.pgn\n")
        .assert()
        .code(0);
    Ok(())
}

/// The file that `init` writes has an example of every setting, which can be used if it is not a
/// comment any more.
#[test]
fn a_new_settings_file_has_every_setting() -> Outcome {
    let home = home()?;
    assert_eq!(run(home.path(), &["init"])?.0, 0);
    let written = fs::read_to_string(home.path().join("chess-audit.toml"))?;
    let (settings, _) = written.split_once("\n# [severity]\n").ok_or("no table of severities")?;
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let is_setting = |line: &&str| line.split_once(" = ").is_some_and(|(name, _)| is_name(name));
    assert!(settings.contains("\n# no-html = true\n"), "excluded by html-size, below");
    let examples: Vec<&str> = settings.lines().filter_map(|line| line.strip_prefix("# ")).filter(is_setting).collect();
    fs::write(home.path().join("all.toml"), examples.join("\n").replace("no-html = true\n", ""))?;
    let (code, out, err) = run(home.path(), &["settings", "--config", "all.toml"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    let left_out: Vec<&str> = out.lines().skip(1).filter(|line| !line.contains("# all.toml:")).collect();
    assert!(left_out.len() == 1 && left_out[0].starts_with("no-html ") && examples.len() > 30, "{left_out:#?}");
    Ok(())
}

#[test]
fn help_and_version_are_no_errors() -> Outcome {
    let home = home()?;
    for arguments in [["--help"].as_slice(), &["--version"], &["check", "--help"], &["rules", "--help"]] {
        let (code, out, err) = run(home.path(), arguments)?;
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
        assert!(!out.is_empty(), "{arguments:?}");
    }
    assert!(!run(home.path(), &["check", "--help"])?.1.contains("chunk-size"), "hidden");
    Ok(())
}

#[test]
fn machines_get_the_whole_catalogue() -> Outcome {
    let home = home()?;
    let (code, out, err) = run(home.path(), &["rules", "--json"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out)?, catalogue::json(RULES));
    Ok(())
}

#[test]
fn every_rule_is_listed_and_explained() -> Outcome {
    let home = home()?;
    let (code, out, _) = run(home.path(), &["rules"])?;
    assert_eq!(code, 0);
    for rule in RULES {
        let line = out.lines().find(|line| line.trim_start().starts_with(&rule.code.to_string())).ok_or(rule.name)?;
        assert!(line.contains(rule.name) && line.contains(rule.severity.as_str()) && line.ends_with(rule.summary), "{line}");
        let (code, explained, err) = run(home.path(), &["rules", &rule.code.to_string()])?;
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(explained.starts_with(&format!("{} {}", rule.code, rule.name)), "{explained}");
    }
    Ok(())
}

#[test]
fn a_family_is_listed_and_rules_are_explained() -> Outcome {
    let home = home()?;
    let moves: Vec<String> = RULES.iter().map(|rule| rule.code.to_string()).filter(|code| code.starts_with("MOV")).collect();
    let listed = |out: &str| -> Vec<String> {
        out.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).map(str::to_owned).collect()
    };
    let (code, out, _) = run(home.path(), &["rules", "mov"])?;
    assert_eq!((code, listed(&out)), (0, moves.clone()), "{out}");
    let (_, out, _) = run(home.path(), &["rules", "MOV", "bom"])?;
    assert_eq!(listed(&out), [&["ENC05".to_owned()], moves.as_slice()].concat(), "{out}");
    let (_, out, _) = run(home.path(), &["rules", "MOV01", "MOV02"])?;
    assert!(out.contains("How to fix") && out.contains("\nMOV02 illegal-castling"), "{out}");
    Ok(())
}
