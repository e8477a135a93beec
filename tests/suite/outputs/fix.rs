//! `fix`: what is written, and what is never touched.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::common::not_run::not_run;
use crate::common::{
    corpora,
    packs::{PACKS, gzip, zip_stored, zstandard},
    program::{Outcome, Running, names, parts, run, stderr},
    root,
};

/// A game with a certain repair, and one without findings.
const GAMES: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n\n1. e4 d62. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7 *\n\n\
                     [Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n";

/// The games after their certain repair.
fn repaired() -> String {
    GAMES.replace("d62.", "d6 2.")
}

/// A directory with these files, and their repairs in `repairs.csv`.
fn home(files: &[(&str, &[u8])]) -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    for (name, content) in files {
        let path = home.path().join("games").join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, content)?;
    }
    check(home.path(), &["games"])?;
    Ok(home)
}

fn check(home: &Path, inputs: &[&str]) -> Outcome<String> {
    let output = run(home, &[&["check"], inputs, &["-o", "report", "--repairs", "repairs.csv", "--fail-on", "never"]].concat())?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs `fix`, and returns its exit code, what it printed, and its messages.
fn fix(home: &Path, arguments: &[&str]) -> Outcome<(Option<i32>, String, String)> {
    let output = run(home, &[&["fix", "--repairs", "repairs.csv"], arguments].concat())?;
    Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), stderr(&output)))
}

fn read(home: &Path, name: &str) -> Outcome<String> {
    Ok(fs::read_to_string(home.join(name))?)
}

const CLEAN: &[u8] = b"[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                       [Result \"*\"]\n\n1. e4 e5 *\n";

#[test]
fn one_of_the_three_ways_must_be_chosen() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes())])?;
    let before = names(home.path())?;
    let (code, _, message) = fix(home.path(), &[])?;
    assert_eq!(code, Some(2));
    for way in ["--diff", "--in-place", "--output"] {
        assert!(message.contains(way), "{message}");
    }
    for ways in [["--diff", "--in-place"].as_slice(), &["--diff", "-o", "x"], &["--in-place", "-o", "x"], &["--backup", ".b"]] {
        assert_eq!(fix(home.path(), ways)?.0, Some(2), "{ways:?}");
    }
    assert_eq!(names(home.path())?, before);
    Ok(())
}

#[test]
fn files_are_replaced_with_their_repaired_text() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes()), ("deep/b.pgn", GAMES.as_bytes()), ("c.pgn", CLEAN)])?;
    let a = home.path().join("games/a.pgn");
    fs::set_permissions(&a, fs::Permissions::from_mode(0o640))?;
    let untouched = fs::metadata(home.path().join("games/c.pgn"))?.ino();
    let (code, printed, message) = fix(home.path(), &["games", "--in-place"])?;
    assert_eq!((code, message.as_str()), (Some(0), ""));
    assert_eq!(printed, "2 repairs applied in 2 inputs\n1 input is not in the list\n");
    assert_eq!(read(home.path(), "games/a.pgn")?, repaired());
    assert_eq!(read(home.path(), "games/deep/b.pgn")?, repaired());
    assert_eq!(fs::metadata(&a)?.permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::metadata(home.path().join("games/c.pgn"))?.ino(), untouched);
    assert_eq!(names(&home.path().join("games"))?, ["a.pgn", "c.pgn", "deep"]);
    // Once more, for a run that was killed. A copy would be one of another text than was audited.
    let (code, printed, _) = fix(home.path(), &["--in-place"])?;
    assert_eq!((code, &*printed), (Some(0), "nothing to repair; nothing was written\n2 inputs had their repairs already\n"));
    for ways in [["--diff"].as_slice(), &["-o", "fixed"], &["games/a.pgn", "-o", "fixed.pgn"]] {
        let (code, _, message) = fix(home.path(), ways)?;
        assert!(code == Some(2) && message.contains("has changed since the audit"), "{message}");
    }
    assert_eq!(read(home.path(), "games/a.pgn")?, repaired());
    Ok(())
}

#[test]
fn nothing_is_written_if_one_input_has_changed() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes()), ("b.pgn", GAMES.as_bytes())])?;
    fs::write(home.path().join("games/b.pgn"), format!("{GAMES}\n"))?;
    for ways in [["--in-place"].as_slice(), &["--diff"], &["-o", "fixed"]] {
        let (code, printed, message) = fix(home.path(), ways)?;
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{ways:?}");
        assert!(message.starts_with("error: `games/b.pgn` does not match the list of repairs: "), "{message}");
    }
    assert_eq!(read(home.path(), "games/a.pgn")?, GAMES);
    assert_eq!(names(home.path())?, ["games", "repairs.csv", "report"]);
    // The other input can be repaired on its own.
    assert_eq!(fix(home.path(), &["games/a.pgn", "--in-place"])?.0, Some(0));
    fs::remove_file(home.path().join("games/b.pgn"))?;
    fs::write(home.path().join("games/a.pgn"), GAMES)?;
    let (code, _, message) = fix(home.path(), &["games", "--in-place"])?;
    assert_eq!(code, Some(2));
    assert!(message.starts_with("error: cannot read `games/b.pgn`: "), "{message}");
    Ok(())
}

#[test]
fn a_backup_keeps_the_original_and_is_never_overwritten() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes()), ("b.pgn", GAMES.as_bytes())])?;
    let way = ["--in-place", "--backup", ".bak"];
    fs::write(home.path().join("games/b.pgn.bak"), "precious")?;
    let (code, _, message) = fix(home.path(), &way)?;
    assert_eq!(code, Some(2));
    assert!(message.contains("games/b.pgn.bak` exists"), "{message}");
    assert_eq!(read(home.path(), "games/a.pgn")?, GAMES);
    fs::remove_file(home.path().join("games/b.pgn.bak"))?;
    assert_eq!(fix(home.path(), &way)?.0, Some(0));
    for name in ["games/a.pgn", "games/b.pgn"] {
        assert_eq!(read(home.path(), name)?, repaired());
        assert_eq!(read(home.path(), &format!("{name}.bak"))?, GAMES);
    }
    assert_eq!(fix(home.path(), &["--in-place", "--backup", "a/b"])?.0, Some(2));
    Ok(())
}

#[test]
fn a_link_stays_and_two_names_of_one_file_are_refused() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes())])?;
    let games = home.path().join("games");
    symlink("games/a.pgn", home.path().join("link.pgn"))?;
    assert_eq!(fix(home.path(), &["link.pgn", "--in-place"])?.0, Some(0));
    assert!(home.path().join("link.pgn").is_symlink());
    assert_eq!(read(home.path(), "games/a.pgn")?, repaired());

    fs::write(games.join("a.pgn"), GAMES)?;
    fs::hard_link(games.join("a.pgn"), games.join("b.pgn"))?;
    check(home.path(), &["games"])?;
    let (code, _, message) = fix(home.path(), &["--in-place"])?;
    assert_eq!(
        (code, message.as_str()),
        (Some(2), "error: `games/a.pgn` and `games/b.pgn` are the same file; give only one of them\n")
    );
    assert_eq!(read(home.path(), "games/a.pgn")?, GAMES);
    assert_eq!(fix(home.path(), &["games/a.pgn", "--in-place"])?.0, Some(0));
    assert_eq!((read(home.path(), "games/a.pgn")?, read(home.path(), "games/b.pgn")?), (repaired(), GAMES.to_owned()));
    Ok(())
}

#[test]
fn a_file_that_is_read_only_is_refused() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes())])?;
    let path = home.path().join("games/a.pgn");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444))?;
    let (code, _, message) = fix(home.path(), &["--in-place"])?;
    assert_eq!(code, Some(2));
    assert!(message.starts_with("error: `games/a.pgn` is read-only; "), "{message}");
    assert_eq!(fs::read_to_string(&path)?, GAMES);
    assert_eq!(names(&home.path().join("games"))?, ["a.pgn"]);
    Ok(())
}

#[test]
fn copies_have_the_paths_of_their_inputs() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes()), ("deep/b.pgn", GAMES.as_bytes()), ("c.pgn", CLEAN)])?;
    let (code, printed, _) = fix(home.path(), &["-o", "fixed"])?;
    assert_eq!(code, Some(0));
    assert_eq!(printed, "fixed: 2 repairs applied in 2 inputs; inputs without repairs were not copied\n");
    assert_eq!(read(home.path(), "fixed/games/a.pgn")?, repaired());
    assert_eq!(read(home.path(), "fixed/games/deep/b.pgn")?, repaired());
    assert_eq!(names(&home.path().join("fixed/games"))?, ["a.pgn", "deep"]);
    // Copies are replaced only if asked for, and inputs never.
    fs::write(home.path().join("fixed/games/a.pgn"), "precious")?;
    let (code, _, message) = fix(home.path(), &["-o", "fixed"])?;
    assert_eq!((code, message.contains("`fixed/games/a.pgn` exists")), (Some(2), true), "{message}");
    assert_eq!(read(home.path(), "fixed/games/a.pgn")?, "precious");
    assert_eq!(fix(home.path(), &["-o", "fixed", "--force"])?.0, Some(0));
    assert_eq!(read(home.path(), "fixed/games/a.pgn")?, repaired());
    let (code, _, message) = fix(home.path(), &["-o", ".", "--force"])?;
    assert_eq!(
        (code, message.contains("`./games/a.pgn` is an input of this run; nothing was written")),
        (Some(2), true),
        "{message}"
    );
    assert_eq!(read(home.path(), "games/a.pgn")?, GAMES);
    // A file cannot have the copies of several inputs.
    for output in ["repairs.csv", "-"] {
        let (code, printed, message) = fix(home.path(), &["-o", output])?;
        assert_eq!((code, printed.as_str()), (Some(2), ""));
        assert!(message.contains("give a single file"), "{message}");
    }
    // The only input of a directory.
    assert_eq!(fix(home.path(), &["games/a.pgn", "-o", "one/"])?.0, Some(0));
    assert_eq!(read(home.path(), "one/games/a.pgn")?, repaired());
    Ok(())
}

#[test]
fn the_list_of_repairs_is_never_an_output() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes())])?;
    let before = read(home.path(), "repairs.csv")?;
    let (code, _, message) = fix(home.path(), &["games/a.pgn", "-o", "repairs.csv", "--force"])?;
    assert_eq!(
        (code, message.contains("`repairs.csv` is the list of repairs of this run; nothing was written")),
        (Some(2), true),
        "{message}"
    );
    assert_eq!(read(home.path(), "repairs.csv")?, before);
    Ok(())
}

#[test]
fn nothing_to_do_writes_nothing_and_does_not_block_the_next_try() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes())])?;
    let before = names(home.path())?;
    let none = "nothing to repair; nothing was written\n";
    for ways in [["games/a.pgn", "-o", "fixed.pgn"].as_slice(), &["-o", "fixed"], &["--in-place"], &["--diff"]] {
        let (code, printed, message) = fix(home.path(), &[ways, &["--select", "TAG"]].concat())?;
        assert_eq!((code, format!("{printed}{message}")), (Some(0), none.to_owned()), "{ways:?}");
    }
    assert_eq!((names(home.path())?, read(home.path(), "games/a.pgn")?), (before, GAMES.to_owned()));
    // A pipeline gets the text all the same.
    let (code, printed, _) = fix(home.path(), &["games/a.pgn", "-o", "-", "--ignore", "MOV,SYN"])?;
    assert_eq!((code, printed.as_str()), (Some(0), GAMES));
    assert_eq!(fix(home.path(), &["games/a.pgn", "-o", "fixed.pgn"])?.0, Some(0));
    assert_eq!(read(home.path(), "fixed.pgn")?, repaired());
    Ok(())
}

#[test]
fn repairs_of_some_rules_are_selected() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes())])?;
    let rows = read(home.path(), "repairs.csv")?;
    let rule = rows.lines().nth(1).and_then(|row| row.split(',').nth(8)).ok_or("no row")?.to_owned();
    for (ways, count) in [(["--select", &rule], 1), (["--select", "EPD"], 0), (["--ignore", &rule], 0), (["--ignore", "EPD"], 1)]
    {
        let (code, printed, _) = fix(home.path(), &[&["--diff"], &ways[..]].concat())?;
        assert_eq!((code, printed.matches("\n@@ ").count()), (Some(0), count), "{ways:?}");
    }
    let (code, _, message) = fix(home.path(), &["--diff", "--select", "NOPE"])?;
    assert_eq!((code, message.contains("`NOPE` is not a rule code")), (Some(2), true), "{message}");
    Ok(())
}

#[test]
fn a_diff_is_what_patch_applies() -> Outcome {
    let odd: Vec<u8> = [&GAMES.replace('\n', "\r\n").into_bytes()[..], b"{ \xE1\x1b[1m }"].concat();
    let unended = GAMES.trim_end().as_bytes();
    let home = home(&[
        ("a.pgn", GAMES.as_bytes()),
        ("b c.pgn", &odd),
        ("d\"e.pgn", unended),
        ("f.pgn", &GAMES.repeat(50).into_bytes()),
    ])?;
    let output = run(home.path(), &["fix", "--repairs", "repairs.csv", "--diff"])?;
    // The control character in the last comment is probably superfluous.
    let expected =
        "53 repairs in 4 inputs; nothing was written\n1 likely repair skipped; use --likely to apply likely repairs too\n";
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), expected.to_owned()));
    assert_eq!(read(home.path(), "games/a.pgn")?, GAMES);
    assert_eq!(fix(home.path(), &["-o", "fixed", "-q"])?, (Some(0), String::new(), String::new()));
    let diff = home.path().join("all.diff");
    fs::write(&diff, &output.stdout)?;
    let patch = Command::new("patch").current_dir(home.path()).args(["-p0", "-s", "--fuzz=0", "-i", "all.diff"]).output();
    let Ok(patch) = patch else {
        not_run("there is no patch");
        return Ok(());
    };
    assert!(patch.status.success(), "{patch:?}");
    for name in names(&home.path().join("games"))? {
        let [patched, fixed] = ["games", "fixed/games"].map(|folder| fs::read(home.path().join(folder).join(&name)));
        assert!(patched? == fixed?, "{name:?}");
    }
    Ok(())
}

#[test]
fn compressed_inputs_and_members_become_copies() -> Outcome {
    let text = GAMES.as_bytes();
    let inner = zip_stored(&[("d.pgn", text)]);
    let archive = zip_stored(&[("a.pgn", text), ("b.pgn.zst", &zstandard(text)), ("inner.zip", &inner)]);
    let home = home(&[("all.zip", &archive)])?;
    let packs: Vec<_> = PACKS.into_iter().filter(|(name, _)| !matches!(*name, "frames" | "streams")).collect();
    for (name, pack) in &packs {
        fs::write(home.path().join(format!("games/p.pgn.{name}")), pack(text))?;
    }
    fs::write(home.path().join("games/twice.pgn.gz.bz2"), crate::common::packs::bzip2(&gzip(text)))?;
    let said = check(home.path(), &["games", "games/twice.pgn.gz.bz2"])?;
    let copies = packs.len() + 4;
    assert!(
        said.contains(&format!(
            "\nRepairs      {copies} certain: chess-audit fix games games/twice.pgn.gz.bz2 --repairs repairs.csv --diff\n"
        )),
        "{said}"
    );
    let (code, printed, message) = fix(home.path(), &["-o", "fixed"])?;
    assert_eq!(code, Some(0), "{message}");
    assert!(printed.starts_with(&format!("fixed: {copies} repairs applied in {copies} inputs")), "{printed}");
    // Copies are audited like the inputs, and those with the name of a compressed file are
    // compressed.
    assert_eq!(read(home.path(), "fixed/games/all.zip/a.pgn")?, repaired());
    assert_eq!(read(home.path(), "fixed/games/all.zip/inner.zip/d.pgn")?, repaired());
    assert!(fs::read(home.path().join("fixed/games/all.zip/b.pgn.zst"))?.starts_with(b"\x28\xB5\x2F\xFD"));
    fs::remove_file(home.path().join("games/all.zip"))?;
    let output = run(
        home.path(),
        &["check", "fixed", "fixed/games/twice.pgn.gz.bz2", "-o", "fixed-report", "--repairs", "-", "--fail-on", "never"],
    )?;
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1, "{output:?}");
    assert!(stderr(&output).contains(&format!("{} games", 2 * copies)), "{output:?}");
    let (code, _, message) = fix(home.path(), &["games/p.pgn.gz", "--in-place"])?;
    assert_eq!((code, message.contains("`games/p.pgn.gz` is compressed")), (Some(2), true), "{message}");
    // Another name, another format; and a member whose archive has another name now.
    assert_eq!(fix(home.path(), &["games/p.pgn.gz", "-o", "plain.pgn"])?.0, Some(0));
    assert_eq!(read(home.path(), "plain.pgn")?, repaired());
    fs::write(home.path().join("moved.zip"), &archive)?;
    assert_eq!(fix(home.path(), &["moved.zip", "-o", "moved"])?.0, Some(0));
    assert_eq!(read(home.path(), "moved/moved.zip/a.pgn")?, repaired());
    let (code, _, message) = fix(home.path(), &["games/p.pgn.gz", "-o", "new.zip"])?;
    assert_eq!((code, message.contains("zip archives are not written")), (Some(2), true), "{message}");
    Ok(())
}

#[test]
fn names_that_were_escaped_in_the_list_are_found() -> Outcome {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let home = tempfile::tempdir()?;
    let odd: [&[u8]; 5] = [b"=f.pgn", b"a\x1b[2J\n.pgn", b"d\xE1.pgn", b"e\\xE1.pgn", b"g\\u{1b}.pgn"];
    for name in odd {
        fs::write(home.path().join(OsStr::from_bytes(name)), GAMES)?;
    }
    check(home.path(), &["."])?;
    let (code, printed, message) = fix(home.path(), &["--in-place"])?;
    assert_eq!((code, printed.as_str()), (Some(0), "5 repairs applied in 5 inputs\n"), "{message}");
    for name in odd {
        assert_eq!(fs::read_to_string(home.path().join(OsStr::from_bytes(name)))?, repaired());
    }
    Ok(())
}

#[test]
fn a_file_that_was_moved_is_known_by_its_content() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes()), ("b.pgn", CLEAN)])?;
    fs::create_dir(home.path().join("new"))?;
    fs::rename(home.path().join("games/a.pgn"), home.path().join("new/z.pgn"))?;
    assert_eq!(fix(home.path(), &["new", "--diff"])?.1.matches("\n@@ ").count(), 1);
    assert_eq!(fix(home.path(), &["new/z.pgn", "--in-place"])?.0, Some(0));
    assert_eq!(read(home.path(), "new/z.pgn")?, repaired());
    let (code, _, message) = fix(home.path(), &["games/b.pgn", "--in-place"])?;
    assert_eq!((code, message.contains("no input in it has")), (Some(2), true), "{message}");
    Ok(())
}

#[test]
fn a_signal_leaves_every_file_whole() -> Outcome {
    let text = GAMES.repeat(10_000);
    let home = home(&[("a.pgn", text.as_bytes()), ("b.pgn", text.as_bytes())])?;
    let running = Running::ready(home.path(), &["fix", "--repairs", "repairs.csv", "--in-place"])?;
    let games = home.path().join("games");
    // Or it has ended: then both files are repaired.
    let is_done = |name: &str| fs::read(games.join(name)).map(|found| found != text.as_bytes());
    running.until(|_| parts(&games) > 0 || is_done("b.pgn").unwrap_or(true))?;
    // The program may have ended already.
    let _ = running.send("INT");
    let (code, message) = running.end()?;
    if code == Some(130) {
        assert_eq!(message, "error: interrupted; files that were not complete are unchanged\n");
        assert!(!is_done("b.pgn")? || is_done("a.pgn")?);
    }
    let repaired = repaired().repeat(10_000);
    for name in ["a.pgn", "b.pgn"] {
        let found = fs::read(games.join(name))?;
        assert!(found == text.as_bytes() || found == repaired.as_bytes(), "{name}");
    }
    assert_eq!(names(&games)?, ["a.pgn", "b.pgn"]);
    Ok(())
}

#[test]
fn a_full_disk_leaves_the_original() -> Outcome {
    let home = home(&[("a.pgn", GAMES.repeat(3000).as_bytes())])?;
    // As on a full disk: files of more than 64 blocks cannot be written.
    for ways in [["--in-place"].as_slice(), &["--in-place", "--backup", ".bak"], &["-o", "fixed"]] {
        let arguments = [&["fix", "--repairs", "repairs.csv"], ways].concat();
        let output = crate::common::program::run_in_shell(home.path(), "trap '' XFSZ; ulimit -f 64", &arguments)?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains("error: cannot write `"), "{output:?}");
        assert_eq!(names(&home.path().join("games"))?, ["a.pgn"]);
    }
    assert!(fs::read_to_string(home.path().join("games/a.pgn"))? == GAMES.repeat(3000));
    Ok(())
}

#[test]
fn the_command_at_the_end_of_an_audit_works_when_it_is_copied() -> Outcome {
    let home = tempfile::tempdir()?;
    for name in ["it's a.pgn", "-b.pgn"] {
        fs::write(home.path().join(name), GAMES)?;
    }
    let path = Path::new(env!("CARGO_BIN_EXE_chess-audit")).parent().map(Path::to_path_buf).unwrap_or_default();
    let path =
        std::env::join_paths([path].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())))?;
    for (inputs, list) in [(["it's a.pgn"].as_slice(), "my list.csv"), (&["./-b.pgn", "it's a.pgn"], "r.csv"), (&["."], "r.csv")]
    {
        let output =
            run(home.path(), &[&["check", "-o", "report", "--fail-on", "never", "--repairs", list, "--"], inputs].concat())?;
        let said = String::from_utf8(output.stdout)?;
        let line = said.lines().find_map(|line| line.strip_prefix("Repairs      ")).ok_or("no line")?;
        let (counts, command) = line.split_once(": ").ok_or("no command")?;
        let output =
            Command::new("sh").current_dir(home.path()).args(["-c", command]).env("PATH", &path).stdin(Stdio::null()).output()?;
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
        let hunks = String::from_utf8(output.stdout)?.matches("\n@@ ").count();
        assert_eq!(counts, format!("{hunks} certain"), "{command}");
    }
    let output = run(home.path(), &["check", ".", "-o", "report", "--fail-on", "never"])?;
    let said = String::from_utf8(output.stdout)?;
    assert!(said.contains("\nRepairs      2 certain; to list them, use --repairs repairs.csv\n"), "{said}");
    Ok(())
}

#[test]
fn a_repair_in_place_that_was_killed_can_be_run_again() -> Outcome {
    let home = home(&[("a.pgn", GAMES.as_bytes()), ("b.pgn", GAMES.as_bytes())])?;
    let games = home.path().join("games");
    // Killed between the two files, and between the backup and the repaired text of the second one.
    for link in [false, true] {
        for name in ["a.pgn", "b.pgn", "a.pgn.bak", "b.pgn.bak"] {
            let _ = fs::remove_file(games.join(name));
        }
        fs::write(games.join("a.pgn"), repaired())?;
        fs::write(games.join("b.pgn"), GAMES)?;
        fs::write(games.join("a.pgn.bak"), GAMES)?;
        if link {
            fs::hard_link(games.join("b.pgn"), games.join("b.pgn.bak"))?;
        }
        let (code, printed, message) = fix(home.path(), &["games", "--in-place", "--backup", ".bak"])?;
        assert_eq!((code, &*message), (Some(0), ""));
        // The backups are inputs of the directory, but not in the list.
        assert!(printed.starts_with("1 repair applied in 1 input\n1 input had its repairs already\n"), "{printed}");
        for name in ["a.pgn", "b.pgn"] {
            assert_eq!(read(home.path(), &format!("games/{name}"))?, repaired());
            assert_eq!(read(home.path(), &format!("games/{name}.bak"))?, GAMES);
        }
    }
    // Another change is none of the list.
    for text in [repaired() + "\n", repaired().replace("e4", "e5"), repaired().replace("d6 2.", "d6  2."), String::new()] {
        fs::write(games.join("a.pgn"), &text)?;
        let (code, _, message) = fix(home.path(), &["--in-place"])?;
        assert!(code == Some(2) && message.contains("does not match the list of repairs"), "{message}");
        assert_eq!(read(home.path(), "games/a.pgn")?, text);
    }
    Ok(())
}

/// The errors and the records of each input in a report.
fn errors_and_records(report: &Path) -> Outcome<BTreeMap<String, (u64, u64)>> {
    let mut counts = BTreeMap::new();
    let mut rows = csv::Reader::from_path(report.join("inputs.csv"))?;
    for row in rows.deserialize() {
        let row: BTreeMap<String, String> = row?;
        let number = |name: &str| row[name].parse::<u64>().unwrap_or_default();
        counts.insert(row["input"].clone(), (number("errors"), number("games") + number("positions")));
    }
    Ok(counts)
}

/// Applies all repairs of the files in `games`, also likely ones, until there are none. That takes
/// at most five rounds, an input never has more errors than before, and the number of its records
/// stays.
fn repair_all(home: &Path, profile: &str) -> Outcome {
    let list = files(&home.join("games"))?;
    let names = list.iter().map(|path| path.strip_prefix(home).map(|name| name.to_string_lossy().into_owned() + "\n"));
    fs::write(home.join("list"), names.collect::<Result<String, _>>()?)?;
    let mut before = BTreeMap::new();
    for round in 0..=5 {
        let options = "check --no-config --no-html -q --files-from list -o report --repairs repairs.csv --force --fail-on never";
        let options: Vec<&str> = options.split(' ').chain(["--profile", profile]).collect();
        let audited = run(home, &options)?;
        let now = errors_and_records(&home.join("report"))?;
        for (name, (errors, records)) in &now {
            let (most, as_many) = before.get(name).copied().unwrap_or((*errors, *records));
            assert!(
                *errors <= most && *records == as_many,
                "{name}: {errors} errors in {records} records, not {most} in {as_many}"
            );
        }
        before = now;
        let repairs = read(home, "repairs.csv")?;
        if repairs.lines().count() == 1 {
            return Ok(());
        }
        assert!(round < 5, "{}\n{repairs}", stderr(&audited));
        let (code, _, message) = fix(home, &["--likely", "-o", "fixed"])?;
        assert_eq!(code, Some(0), "{message}");
        for path in files(&home.join("fixed"))? {
            fs::copy(&path, home.join(path.strip_prefix(home.join("fixed"))?))?;
        }
        fs::remove_dir_all(home.join("fixed"))?;
    }
    Ok(())
}

/// All files below a directory.
fn files(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Copies the files below `from` that are not too large to `to`.
fn copy_all(from: &Path, to: &Path) -> Outcome {
    let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.len() < 1 << 17);
    for path in files(from)?.into_iter().filter(is_small) {
        let copy = to.join(path.strip_prefix(from)?);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::write(copy, fs::read(&path)?)?;
    }
    Ok(())
}

#[test]
fn all_repairs_together_make_nothing_worse() -> Outcome {
    let texts = [
        // Without the blank line, two lines of moves were one game, and then `#` a mate.
        ("lines.txt", "e4 e5 Nf3 Nc6 Bb5 a6\nd4 d5 c4 e6 Nc3 Nf6 Bg5 Be7\n\n# Nordic gambit\ne4 e5 d4 exd4 c3 dxc3\n"),
        // The counts are those of the rights and the en passant square as written.
        (
            "a.perft",
            "id a\nepd r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq -\nperft 1 28\nperft 2 738\n\nid b\nepd 8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3\nperft 1 6\nperft 2 121\n",
        ),
        // With `bm`, a semicolon is missing.
        (
            "a.epd",
            "5B2/4n3/p1k1p1p1/P1P1n2p/4P2P/1p3B2/3K4/6R1 w - - 1 1 Be2 dm 21\n8/2r5/1RB5/4pkpp/1K3p2/2Pn1P2/8/6R1 w - - 0 1 bm Kb5 dm 26\n",
        ),
    ];
    for profile in ["standard", "strict", "export"] {
        let home = tempfile::tempdir()?;
        let games = home.path().join("games");
        copy_all(&root().join("fixtures"), &games.join("fixtures"))?;
        texts.iter().try_for_each(|(name, text)| fs::write(games.join(name), text))?;
        repair_all(home.path(), profile)?;
    }
    if let Some(corpora) = corpora() {
        let home = tempfile::tempdir()?;
        copy_all(&corpora, &home.path().join("games"))?;
        repair_all(home.path(), "standard")?;
    }
    Ok(())
}
