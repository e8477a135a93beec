//! Shards: the report that is merged from them is that of one `check`, byte for byte.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::OnceLock,
};

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::common::not_run::not_run;
use crate::common::{
    games::game,
    packs::{bgzip, bzip2, frames, gzip, zip_stored},
    program::{Outcome, PROGRAM, Running, names, run, run_in_shell, stderr},
};

/// What is put between good games: each is trouble for whoever cuts there.
const DAMAGED: &[&str] = &[
    "[Event \"quotes\"]\n\n1. e4 { a game:\n\n[Event \"quoted\"]\n[Site \"?\"]\n\n1. e4 *\n} e5 2. Ke3 *\n\n",
    "[Event \"open\"]\n\n1. e4 { never closed\n\n",
    "[Event \"CR LF\"]\r\n[White \"J\u{fc}rgen\"]\r\n\r\n1. e4 e5 2. Ke3 *\r\n\r\n",
    "[Event \"CR\"]\r[White \"A\"]\r\r1. d4 d5 2. c5 *\r\r",
    "1. e4 e5 0-1 1. d4 d5 1-0 1. c4 *\nstray text\n\n",
    "[Event \"Gaps\"]\n\n[Site \"?\"]\n\n\n[Round \"?\"]\n\n1. e4 (1. d4 *\n\n",
    "[Event \"repair\"]\n\n1. e4 d62. Nf3 Nf6 3. d4 Nxe4 4. Bd3 Nf6 5. O-O g6 6. Re1 Bg7 *\n\n",
    "[Event \"no quote]\n[\n[]\n\n1. Nf3 Nf6 2. Ng1 x\n",
];

/// About `length` bytes of games. Text beyond ASCII is in Latin-1.
fn games(length: usize, first: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for number in first.. {
        if text.len() >= length {
            break;
        }
        text.extend(game(number % 400).plain().bytes());
        let damaged = DAMAGED[number % DAMAGED.len()];
        text.extend(damaged.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')));
    }
    text
}

fn positions(count: usize) -> String {
    let line = |number: usize| match number % 5 {
        0 => format!("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"{}\";\n", number / 7),
        1 => format!("4k3/8/8/8/8/8/3P4/4K3 w - - bm d4; id \"{}\";\nperft 1 6\n", number / 7),
        2 => "8/8/8/44/8/8/8/kK6 W - e3 0 0 x\r\n".to_owned(),
        3 => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n".to_owned(),
        _ => "perft 2 36\n# note\n".to_owned(),
    };
    (0..count).map(line).collect()
}

fn table(count: usize) -> String {
    let row = |number: usize| {
        let note = if number.is_multiple_of(3) { "\"two\nlines, \"\"quoted\"\"\"" } else { "plain" };
        format!("{number},4k3/8/8/8/8/8/4P3/4K3 w - - 0 {},e2e{},{note}\n", number % 90, 4 + number % 3)
    };
    "Id,FEN,Moves,Note\n".to_owned() + &(0..count).map(row).collect::<String>()
}

/// A directory with the inputs in `mix`.
fn mix() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    let mix = home.path().join("mix");
    fs::create_dir(&mix)?;
    let write = |name: &str, bytes: &[u8]| fs::write(mix.join(name), bytes);
    write("a.pgn", &games(120_000, 0))?;
    write("b.pgn.zst", &frames(&games(90_000, 100)))?;
    write("c.pgn.gz", &bgzip(&games(60_000, 200)))?;
    write("d.pgn.gz", &gzip(&games(20_000, 300)))?;
    write("e.pgn.bz2", &bzip2(&games(60_000, 20)))?;
    write("f.epd", positions(2500).as_bytes())?;
    write("g.txt", table(1500).as_bytes())?;
    let wide: Vec<u8> = [0xFEFF]
        .into_iter()
        .chain("[Event \"wide\"]\n\n1. e4 e5 2. Ke3 *\n\n".repeat(300).encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    write("h.pgn", &wide)?;
    write("i.zip", &zip_stored(&[("inner.pgn", &games(20_000, 50)), ("other.doc", b"x")]))?;
    let mut damaged = frames(&games(60_000, 130));
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    write("j.pgn.zst", &damaged)?;
    let mut damaged = bzip2(&games(60_000, 60));
    let last = damaged.len() - 5;
    damaged[last] ^= 0x55;
    write("k.pgn.bz2", &damaged)?;
    for number in 0..8 {
        write(&format!("l{number}.pgn"), &games(1000, 10 * number))?;
    }
    write("m.txt", b"a letter without chess\n")?;
    write("n.txt", b"")?;
    write(".hidden.pgn", b"")?;
    // What nearly all records share, and what only half of them do.
    let shared = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 14:c8c3:152\n";
    write("p.epd", shared.repeat(900).as_bytes())?;
    write("q.epd", [shared, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 14\n"].concat().repeat(200).as_bytes())?;
    write("r.pgn", "[Event \"blank\"]\n\n\n1. e4 e5 2. Ke3 *\n\n".repeat(300).as_bytes())?;
    // Copies in several inputs, and a version.
    let copied = |players: &str, moves: &str| {
        let roster = "[Event \"Cup\"]\n[Site \"Ulm\"]\n[Date \"2001.02.03\"]\n[Round \"4\"]\n";
        format!("{roster}{players}[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let players = |black: &str| format!("[White \"Ander, Uta\"]\n[Black \"{black}\"]\n");
    let first = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O";
    let (both, longer) = (copied(&players("Bode, Max"), first), copied(&players("Bode, M"), &format!("{first} 9. h3")));
    let others: String = (0..40).map(|number| copied(&players(&format!("Player{number}, X")), first)).collect();
    write("s.pgn", [&others[..], &both, &others].concat().as_bytes())?;
    write("t.pgn.zst", &frames([&longer[..], &others, &both].concat().as_bytes()))?;
    write("o.pgn", &[b"1. e4 { ".to_vec(), b"word ".repeat(9000), b"} e5 *\n\n".to_vec(), games(30_000, 9)].concat())?;
    Ok(home)
}

/// The files of a directory.
fn files(directory: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for name in names(directory)? {
        files.insert(name.to_string_lossy().into_owned(), fs::read(directory.join(&name))?);
    }
    Ok(files)
}

#[track_caller]
fn same(one: &Path, other: &Path, how: &str) {
    let read = |directory: &Path| files(directory).expect("a report can be read");
    let (one, other) = (read(one), read(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{how}");
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{how}: {name} differs");
    }
}

/// Plans shards of `target` bytes of `mix`. Returns their number.
fn plan(home: &Path, target: usize) -> Outcome<usize> {
    let output = run(home, &["shards", "plan", "--no-config", "mix", "--target-size", &target.to_string(), "-o", "plan"])?;
    assert!(output.status.success(), "{}", stderr(&output));
    Ok(fs::read_to_string(home.join("plan"))?.lines().count() - 1)
}

fn check(home: &Path, shard: usize, options: &[&str]) -> Outcome {
    let number = shard.to_string();
    let arguments =
        [&["check", "--no-config", "--plan", "plan", "--shard", &number, "-o", "parts", "--threads", "1", "-q"], options]
            .concat();
    let output = run(home, &arguments)?;
    assert!(output.status.success(), "shard {shard}: {}", stderr(&output));
    Ok(())
}

/// The options of an audit with which much can differ.
const OPTIONS: [&str; 3] = ["--profile", "strict", "--duplicates"];

#[test]
fn the_merged_report_is_that_of_one_machine() -> Outcome {
    let home = mix()?;
    let home = home.path();
    let whole = run(home, &[&["check", "--no-config", "mix", "-o", "whole", "--max-rows", "90", "-q"], &OPTIONS[..]].concat())?;
    assert_eq!(whole.status.code(), Some(2), "{}", stderr(&whole));
    for (target, expected) in [(usize::MAX >> 1, 1..2), (150_000, 4..20), (9000, 40..200)] {
        let shards = plan(home, target)?;
        assert!(expected.contains(&shards), "{shards} shards");
        (1..=shards).try_for_each(|shard| check(home, shard, &OPTIONS))?;
        let merged = run(
            home,
            &[&["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "--max-rows", "90", "-q"], &OPTIONS[..]]
                .concat(),
        )?;
        assert_eq!(merged.status.code(), Some(2), "{}", stderr(&merged));
        assert_eq!(stderr(&merged), stderr(&whole), "{shards} shards");
        same(&home.join("whole"), &home.join("merged"), &format!("{shards} shards"));
        fs::remove_dir_all(home.join("parts"))?;
    }
    Ok(())
}

/// Of two equally good copies, the one is kept that is named first, on one machine and on many.
#[test]
fn the_order_of_the_command_line_decides_between_copies() -> Outcome {
    let home = tempfile::tempdir()?;
    let text = "[Event \"Cup\"]\n[Site \"Ulm\"]\n[Date \"2001.02.03\"]\n[Round \"4\"]\n[White \"Ander, Uta\"]\n[Black \"Bode, \
                Max\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0\n";
    ["a.pgn", "m.pgn", "z.pgn"].iter().try_for_each(|name| fs::write(home.path().join(name), text))?;
    let kept = |report: &str| -> Outcome<(Vec<String>, Value)> {
        let mut rows = csv::Reader::from_path(home.path().join(report).join("duplicates.csv"))?;
        let rows: Vec<BTreeMap<String, String>> = rows.deserialize().collect::<Result<_, _>>()?;
        let run: Value = serde_json::from_slice(&fs::read(home.path().join(report).join("run.json"))?)?;
        let row = |row: &BTreeMap<String, String>| format!("{} goes, {}: {}", row["input"], row["partner_input"], row["reason"]);
        Ok((rows.iter().map(row).collect(), run["settings"]["order"].clone()))
    };
    let by_name = "both are equally good, and the name of its input comes first";
    let by_order = "both are equally good, and its input was named first";
    for (paths, expected, order) in [
        (
            &["a.pgn", "m.pgn", "z.pgn"][..],
            ["m.pgn goes, a.pgn", "z.pgn goes, a.pgn"].map(|row| format!("{row}: {by_name}")),
            None,
        ),
        (
            &["z.pgn", "[am].pgn"],
            ["a.pgn goes, z.pgn", "m.pgn goes, z.pgn"].map(|row| format!("{row}: {by_order}")),
            Some(json!(["z.pgn", "[am].pgn"])),
        ),
        (
            &["m.pgn", "."],
            ["a.pgn goes, m.pgn", "z.pgn goes, m.pgn"].map(|row| format!("{row}: {by_order}")),
            Some(json!(["m.pgn", "."])),
        ),
    ] {
        // Who asks for copies need not ask twice.
        let options = ["--select", "DUP", "-o", "one"];
        let output = run(home.path(), &[&["check"], paths, &options].concat())?;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let (mut rows, recorded) = kept("one")?;
        rows.sort();
        assert_eq!((rows, recorded), (expected.to_vec(), order.unwrap_or_default()), "{paths:?}");
        run(home.path(), &[&["shards", "plan"], paths, &["--target-size", "200", "-o", "plan.jsonl"]].concat())?;
        let shards = fs::read_to_string(home.path().join("plan.jsonl"))?.lines().count() - 1;
        assert!(shards > 1, "{shards}");
        for shard in 1..=shards {
            let part = ["check", "--plan", "plan.jsonl", "--shard", &shard.to_string(), "--select", "DUP", "-o", "parts"];
            let output = run(home.path(), &part)?;
            assert_eq!(output.status.code(), Some(0), "{output:?}");
        }
        let merge = ["shards", "merge", "plan.jsonl", "parts", "--select", "DUP", "-o", "merged"];
        let output = run(home.path(), &merge)?;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        same(&home.path().join("one"), &home.path().join("merged"), &format!("{paths:?}"));
        fs::remove_dir_all(home.path().join("parts"))?;
    }
    Ok(())
}

/// A directory with a game in error, planned as one shard.
fn small() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("mix"))?;
    fs::write(home.path().join("mix/a.pgn"), games(30_000, 0))?;
    fs::write(home.path().join("mix/b.pgn"), games(10_000, 40))?;
    Ok(home)
}

#[test]
fn the_baseline_and_fail_on_act_when_parts_are_merged() -> Outcome {
    let home = small()?;
    let home = home.path();
    run(home, &["check", "--no-config", "-q", "mix", "-o", "known"])?;
    run(home, &["baseline", "write", "known"])?;
    let shards = plan(home, 10_000)?;
    assert!(shards > 3);
    let options = ["--baseline", "chess-audit-baseline.csv"];
    (1..=shards).try_for_each(|shard| check(home, shard, &options))?;
    let merge = |options: &[&str]| {
        run(home, &[&["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"], options].concat())
    };
    let output = merge(&[&options[..], &["--repairs", "merged.csv"]].concat())?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    run(home, &[&["check", "--no-config", "-q", "mix", "-o", "whole", "--repairs", "whole.csv"], &options[..]].concat())?;
    assert!(fs::read_to_string(home.join("whole.csv"))?.lines().count() > 3);
    assert!(fs::read(home.join("whole.csv"))? == fs::read(home.join("merged.csv"))?, "the repairs differ");
    same(&home.join("whole"), &home.join("merged"), "with a baseline");
    assert_eq!(merge(&["--no-html"])?.status.code(), Some(1));
    assert_eq!(merge(&["--no-html", "--fail-on", "never"])?.status.code(), Some(0));
    // Without the baseline, a part does not have the examples that the page needs.
    fs::remove_dir_all(home.join("parts"))?;
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let output = merge(&options)?;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the baseline differs"), "{}", stderr(&output));
    let output = merge(&["--baseline", "chess-audit-baseline.csv", "--no-html"])?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    Ok(())
}

#[test]
fn racing_attempts_leave_one_part() -> Outcome {
    let home = small()?;
    let home = home.path();
    plan(home, 10_000)?;
    let attempt = |threads: usize| {
        Command::new(PROGRAM)
            .current_dir(home)
            .args([
                "check",
                "--no-config",
                "--plan",
                "plan",
                "--shard",
                "2",
                "-o",
                "parts",
                "-q",
                "--threads",
                &threads.to_string(),
            ])
            .stdin(Stdio::null())
            .spawn()
    };
    let attempts = (0..40).map(|attempt_number| attempt(1 + attempt_number % 3)).collect::<Result<Vec<_>, _>>()?;
    for mut attempt in attempts {
        assert!(attempt.wait()?.success());
    }
    let names = names(&home.join("parts"))?;
    assert_eq!(names.len(), 2, "{names:?}");
    // Another attempt does nothing.
    let before = fs::metadata(home.join("parts/shard-00002.json"))?.modified()?;
    check(home, 2, &[])?;
    assert_eq!(fs::metadata(home.join("parts/shard-00002.json"))?.modified()?, before);
    Ok(())
}

#[test]
fn a_part_that_is_missing_damaged_or_foreign_is_named() -> Outcome {
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 10_000)?;
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let parts = home.join("parts");
    let part = names(&parts)?.into_iter().find(|name| name.to_string_lossy().starts_with("shard-00002-")).ok_or("no part")?;
    let (part, manifest) = (parts.join(part), parts.join("shard-00002.json"));
    let (text, json) = (fs::read(&part)?, fs::read_to_string(&manifest)?);
    let merge = |options: &[&str]| -> Outcome<String> {
        let output = run(home, &[&["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"], options].concat())?;
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(!home.join("merged").exists());
        Ok(stderr(&output))
    };
    let says = |message: &str, parts: &[&str]| parts.iter().for_each(|part| assert!(message.contains(part), "{message}"));

    fs::write(&part, &text[..text.len() - 1])?;
    says(&merge(&[])?, &["shard 2", "another size"]);
    let mut changed = text.clone();
    changed[9] ^= 1;
    fs::write(&part, &changed)?;
    says(&merge(&[])?, &["shard 2", "another digest"]);
    fs::remove_file(&part)?;
    says(&merge(&[])?, &["shard 2", "does not exist"]);
    // The next attempt repairs it.
    check(home, 2, &[])?;
    assert!(fs::read(&part)? == text);

    for (damaged, expected) in [
        (json.replace("\"shard\": 2", "\"shard\": 3"), "it is the part of shard 3"),
        (json.replacen("\"version\": \"", "\"version\": \"0", 1), "chess-audit 0"),
        (json.replacen("\"plan\": \"", "\"plan\": \"0", 1), "its plan is another one"),
        (json.replacen("\"rules\": \"", "\"rules\": \"0", 1), "its rules differ"),
        (json.replace("\"examples\": 50", "\"examples\": 0"), "audited with `--no-html`"),
        (json.replace("shard-00002-", "../shard-00002-"), "is not the name of a file of a part"),
        ("{".to_owned(), "is damaged"),
    ] {
        fs::write(&manifest, damaged)?;
        says(&merge(&[])?, &["shard 2", "shard-00002.json", expected]);
    }
    fs::remove_file(&manifest)?;
    says(&merge(&[])?, &["shard 2 is missing"]);
    fs::write(&manifest, &json)?;
    says(&merge(&["--profile", "strict"])?, &["shard 1", "the setting `profile` was \"standard\", and is \"strict\" here"]);
    says(&merge(&["--exclude", "x"])?, &["other values of `exclude`"]);
    fs::write(home.join("plan"), fs::read_to_string(home.join("plan"))?.replace("mix/a", "mix/c"))?;
    says(&merge(&[])?, &["shards", "plan", "it was changed"]);
    Ok(())
}

#[test]
fn all_missing_parts_are_named_at_once() -> Outcome {
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 5_000)?;
    assert!(shards >= 8);
    for shard in (1..=shards).filter(|shard| ![2, 3, 4, 7].contains(shard)) {
        check(home, shard, &[])?;
    }
    let output = run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains(&format!("4 of {shards} shards cannot be merged: 2-4,7; the first one: shard 2 is")), "{message}");
    Ok(())
}

#[test]
fn an_input_that_cannot_be_read_is_read_by_the_next_attempt() -> Outcome {
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 20_000)?;
    fs::rename(home.join("mix/b.pgn"), home.join("away"))?;
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let merge = || run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "--fail-on", "never"]);
    let output = merge()?;
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains(&format!("could be read in these shards: {shards};")), "{message}");
    fs::rename(home.join("away"), home.join("mix/b.pgn"))?;
    let number = shards.to_string();
    let again = || run(home, &["check", "--no-config", "--plan", "plan", "--shard", &number, "-o", "parts", "--threads", "1"]);
    assert!(String::from_utf8(again()?.stdout)?.ends_with(": audited\n"));
    assert!(String::from_utf8(again()?.stdout)?.ends_with(": was audited before\n"));
    let output = merge()?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    Ok(())
}

#[test]
fn nothing_of_another_kind_is_replaced() -> Outcome {
    let home = small()?;
    let home = home.path();
    let refused = |arguments: &[&str], expected: &str| -> Outcome {
        let output = run(home, arguments)?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        Ok(())
    };
    fs::write(home.join("known.txt"), "precious")?;
    refused(&["shards", "plan", "--no-config", "mix", "-o", "known.txt"], "`known.txt` exists and is not a plan")?;
    assert!(fs::read(home.join("known.txt"))? == b"precious");
    refused(&["shards", "plan", "--no-config", "-", "-o", "plan"], "cannot be part of a plan")?;
    // An older plan is replaced.
    plan(home, 20_000)?;
    plan(home, 10_000)?;
    run(home, &["check", "--no-config", "-q", "mix", "-o", "report"])?;
    let shard = ["check", "--no-config", "--plan", "plan", "--shard", "1", "-q", "-o"];
    refused(&[&shard[..], &["report"]].concat(), "`report` contains a report")?;
    check(home, 1, &[])?;
    let manifest = fs::read(home.join("parts/shard-00001.json"))?;
    refused(&[&shard[..], &["parts", "--profile", "strict"]].concat(), "belongs to another audit")?;
    assert!(fs::read(home.join("parts/shard-00001.json"))? == manifest);
    for number in 2..=fs::read_to_string(home.join("plan"))?.lines().count() - 1 {
        check(home, number, &[])?;
    }
    refused(&["shards", "merge", "--no-config", "plan", "parts", "-o", "parts/../parts", "-q"], "contains the parts")
}

#[test]
fn an_input_that_changed_since_the_plan_is_a_failure_of_the_report() -> Outcome {
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 10_000)?;
    fs::write(home.join("mix/a.pgn"), games(31_000, 0))?;
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let output = run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("mix/a.pgn (from byte 0): changed since the plan was made"), "{}", stderr(&output));
    let inputs = fs::read_to_string(home.join("merged/inputs.csv"))?;
    assert!(inputs.contains("mix/a.pgn,,0") && inputs.contains("mix/b.pgn,pgn,"), "{inputs}");
    Ok(())
}

/// A part that can be changed, with all digests of its file renewed.
struct Forged<'h> {
    home: &'h Path,
    shard: usize,
    manifest: Value,
    lines: Vec<String>,
}

impl<'h> Forged<'h> {
    fn of(home: &'h Path, shard: usize) -> Outcome<Forged<'h>> {
        let parts = home.join("parts");
        let manifest: Value = serde_json::from_slice(&fs::read(parts.join(format!("shard-{shard:05}.json")))?)?;
        let file = manifest["files"].as_object().and_then(|files| files.keys().next()).ok_or("no file")?;
        let lines = String::from_utf8(zstd::decode_all(fs::File::open(parts.join(file))?)?)?;
        Ok(Forged { home, shard, lines: lines.lines().map(str::to_owned).collect(), manifest })
    }

    /// The lines of the input from that which begins it to that which ends it.
    fn lines_of(&self, input: &str) -> Outcome<std::ops::Range<usize>> {
        let begins = |line: &String| line.starts_with(&format!("{{\"input\":{{\"name\":\"{input}\""));
        let start = self.lines.iter().position(begins).ok_or("no such input")?;
        let length = self.lines[start..].iter().position(|line| line == "\"close\"").ok_or("no end")?;
        Ok(start..start + length + 1)
    }

    /// Makes the digest of all lines right, and their number.
    fn with_digest_of_lines(mut self) -> Forged<'h> {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        self.manifest["end"]["totals"]["xxh3"] = format!("{:016x}", xxh3_64(text.as_bytes())).into();
        self.manifest["end"]["totals"]["lines"] = self.lines.len().into();
        self
    }

    /// Writes the part, merges, and returns the error. Then the shard is audited again.
    fn refused(mut self, expected: &str) -> Outcome {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let file = zstd::encode_all(text.as_bytes(), 1)?;
        let digest = format!("{:016x}", xxh3_64(&file));
        let name = format!("shard-{:05}-{digest}.jsonl.zst", self.shard);
        fs::write(self.home.join("parts").join(&name), &file)?;
        if self.manifest["files"].as_object().is_some_and(|files| !files.is_empty()) {
            self.manifest["files"] = json!({ name: { "bytes": file.len(), "xxh3": digest } });
        }
        fs::write(self.home.join(format!("parts/shard-{:05}.json", self.shard)), self.manifest.to_string())?;
        let output = run(self.home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{expected}: {message}");
        assert!(message.contains(&format!("(shard {})", self.shard)) && message.contains(expected), "{expected}: {message}");
        assert!(message.ends_with("audit the shard again\n"), "{message}");
        assert!(!self.home.join("merged").exists(), "{expected}");
        check(self.home, self.shard, &[])
    }
}

/// A manifest is not trusted: whoever changes it and renews all digests cannot leave out what the
/// plan asks for.
#[test]
fn a_part_that_is_not_what_the_plan_asks_for_is_refused() -> Outcome {
    let home = small()?;
    let home = home.path();
    fs::write(home.join("mix/c.zip"), zip_stored(&[("x.pgn", &games(1500, 3)), ("y.pgn", &games(1500, 5))]))?;
    for (name, first) in [("d.pgn", 60), ("e.pgn", 70)] {
        fs::write(home.join("mix").join(name), games(2500, first))?;
    }
    fs::write(home.join("mix/b.pgn"), games(1000, 40))?;
    let shards = plan(home, 7000)?;
    // The pieces of `a.pgn`, then small inputs.
    let small = (1..=shards).find(|shard| {
        fs::read_to_string(home.join("plan"))
            .is_ok_and(|plan| plan.lines().nth(*shard).is_some_and(|line| line.contains("b.pgn")))
    });
    let small = small.ok_or("no small inputs")?;
    assert!(small > 4 && shards > small, "{small} of {shards}");
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let forged = |shard: usize| Forged::of(home, shard);

    // No files at all.
    for (shard, input) in [(2, "mix/a.pgn"), (small, "mix/b.pgn")] {
        let mut part = forged(shard)?;
        part.manifest["files"] = json!({});
        part.refused(&format!("`{input}` is missing"))?;
    }
    let mut part = forged(small)?;
    let file = part.manifest["files"].as_object().and_then(|files| files.values().next()).cloned().ok_or("no file")?;
    part.manifest["files"]["shard-00001-other.jsonl.zst"] = file;
    fs::write(home.join(format!("parts/shard-{small:05}.json")), part.manifest.to_string())?;
    let output = run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
    assert!(stderr(&output).contains("is not the name of a file of a part"), "{}", stderr(&output));
    check(home, small, &[])?;

    // Lines are left out, changed or there twice.
    for input in ["mix/b.pgn", "mix/d.pgn"] {
        let mut part = forged(small)?;
        if let Ok(range) = part.lines_of(input) {
            part.lines.drain(range);
            part.with_digest_of_lines().refused(&format!("`{input}` is missing"))?;
        }
    }
    let mut part = forged(small)?;
    let range = part.lines_of("mix/c.zip/y.pgn")?;
    part.lines.drain(range);
    part.with_digest_of_lines().refused("the number of inputs in its lines is ")?;
    let mut part = forged(small)?;
    let range = part.lines_of("mix/b.pgn")?;
    let twice = part.lines[range.clone()].to_vec();
    part.lines.splice(range.start..range.start, twice);
    part.with_digest_of_lines().refused("`mix/b.pgn` is there twice")?;
    for (start, what) in [("{\"finding\"", "findings"), ("{\"repeated\"", "repeated findings")] {
        let mut part = forged(small)?;
        let line = part.lines.iter().position(|line| line.starts_with(start)).ok_or("no such line")?;
        part.lines.remove(line);
        part.with_digest_of_lines().refused(&format!("the number of {what} in its lines is "))?;
    }
    let mut part = forged(small)?;
    part.lines
        .iter_mut()
        .for_each(|line| *line = line.replace("illegal-move", "illegal-mate").replace("is not legal", "is legal"));
    part.refused("its lines have another digest than its manifest says")?;
    for number in ["games", "bytes"] {
        let mut part = forged(3)?;
        let line = part.lines.iter_mut().find(|line| line.starts_with("{\"read\"")).ok_or("nothing was read")?;
        *line = line.replacen(&format!("\"{number}\":"), &format!("\"{number}\":1"), 1);
        part.with_digest_of_lines().refused("manifest says")?;
    }

    // Lines are those of another shard, also with its end.
    for (shard, other, expected) in [
        (2, 3, "it contains another piece of `mix/a.pgn` than the plan gives to this shard"),
        (small, 1, "it contains `mix/a.pgn`, which the plan does not give to this shard"),
        (small, shards, "the plan does not give to this shard"),
        (1, small, "it contains `mix/b.pgn`, which the plan does not give to this shard"),
    ] {
        let (lines, end) = (forged(other)?.lines, forged(other)?.manifest["end"].take());
        Forged { lines: lines.clone(), ..forged(shard)? }.refused(expected)?;
        let mut part = Forged { lines, ..forged(shard)? };
        part.manifest["end"] = end;
        part.refused(expected)?;
    }

    // The size is that of another file, or is missing.
    for (size, expected) in [
        ("7", "it says that `mix/b.pgn` had 7 bytes, but the plan says 1"),
        ("null", "does not say what was read of `mix/b.pgn`"),
    ] {
        let mut part = forged(small)?;
        let line = part.lines_of("mix/b.pgn")?.start;
        let (before, _) = part.lines[line].split_once("\"size\":").ok_or("no size")?;
        part.lines[line] = format!("{before}\"size\":{size},\"range\":null}}}}");
        part.with_digest_of_lines().refused(expected)?;
    }

    // The end is that of a piece that nothing follows, or that was not read.
    for (key, value, expected) in [
        ("target", Value::Null, "its piece of `mix/a.pgn` ends elsewhere than in the plan"),
        ("length", 1.into(), "its piece of `mix/a.pgn` has another length than in the plan"),
        ("next", 7.into(), "its piece of `mix/a.pgn` has another length than its lines"),
    ] {
        let mut part = forged(2)?;
        part.manifest["end"]["piece"][key] = value;
        part.refused(expected)?;
    }
    let mut part = forged(2)?;
    part.manifest["end"]["piece"] = Value::Null;
    part.refused("its piece of `mix/a.pgn` was not read, although no failure says why")?;

    // After all that, the parts are those of before.
    let merged = run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
    assert_eq!(merged.status.code(), Some(1), "{}", stderr(&merged));
    run(home, &["check", "--no-config", "mix", "-o", "whole", "-q"])?;
    same(&home.join("whole"), &home.join("merged"), "after all parts were audited again");
    Ok(())
}

/// A line of 1 GiB, which is compressed to a few kilobytes.
#[test]
#[cfg(target_os = "linux")]
fn a_long_line_of_a_part_is_not_kept_in_memory() -> Outcome {
    use std::io::Read;
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 100_000)?;
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let mut part = Forged::of(home, 1)?;
    let start = part.lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let file = zstd::encode_all(start.as_bytes().chain(std::io::repeat(b'x').take(1 << 30)), 1)?;
    let digest = format!("{:016x}", xxh3_64(&file));
    let name = format!("shard-00001-{digest}.jsonl.zst");
    fs::write(home.join("parts").join(&name), &file)?;
    part.manifest["files"] = json!({ name: { "bytes": file.len(), "xxh3": digest } });
    fs::write(home.join("parts/shard-00001.json"), part.manifest.to_string())?;
    let arguments = ["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q", "--threads", "1"];
    let output = run_in_shell(home, "ulimit -d 120000", &arguments)?;
    let expected =
        format!("(shard 1) does not match its plan or its manifest: line {} has more than 16 MiB", part.lines.len() + 1);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    Ok(())
}

/// Nothing but a regular file can be a part, and nobody waits for a pipe.
#[test]
#[cfg(unix)]
fn parts_that_are_not_regular_files_are_refused() -> Outcome {
    use rustix::fs::{CWD, FileType, mknodat};
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 20_000)?;
    (1..=shards).try_for_each(|shard| check(home, shard, &[]))?;
    let written = names(&home.join("parts"))?;
    let file = written.iter().filter_map(|name| name.to_str()).find(|name| name.starts_with("shard-00002-")).ok_or("no file")?;
    for name in ["shard-00002.json", file] {
        let path = home.join("parts").join(name);
        for (kind, reason) in [("pipe", "it is a pipe"), ("device", "it is a device"), ("directory", "it is a directory")] {
            let text = fs::read(&path)?;
            fs::remove_file(&path)?;
            match kind {
                "pipe" => mknodat(CWD, &path, FileType::Fifo, 0o600.into(), 0)?,
                "device" => std::os::unix::fs::symlink("/dev/zero", &path)?,
                _ => fs::create_dir(&path)?,
            }
            let running = Running::start(
                home,
                "--default-signal=INT",
                &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"],
            )?;
            let (code, message) = running.end()?;
            assert_eq!(code, Some(2), "{name} {kind}: {message}");
            assert!(message.contains(&format!("cannot read `parts/{name}` (shard 2): {reason}")), "{message}");
            // The next attempt replaces it, unless it is a directory.
            if kind == "directory" {
                fs::remove_dir(&path)?;
                fs::write(&path, text)?;
            } else {
                check(home, 2, &[])?;
                assert!(fs::symlink_metadata(&path)?.is_file(), "{name} {kind}");
            }
        }
    }
    Ok(())
}

/// The size of whole inputs, also of archives, is that of the plan, or nothing of them is reported.
#[test]
fn a_whole_input_that_changed_since_the_plan_is_a_failure_of_the_report() -> Outcome {
    for options in [&[][..], &["--no-mmap"]] {
        let home = tempfile::tempdir()?;
        let home = home.path();
        fs::create_dir(home.join("mix"))?;
        for (name, first) in [("a.pgn", 0), ("c.pgn", 8), ("d.pgn", 16)] {
            fs::write(home.join("mix").join(name), games(2000, first))?;
        }
        let archive = |length: usize| zip_stored(&[("x.pgn", &games(length, 3)), ("y.pgn", &games(length, 5))]);
        fs::write(home.join("mix/b.zip"), archive(1000))?;
        fs::write(home.join("mix/e.zip"), archive(1000))?;
        assert_eq!(plan(home, 1 << 20)?, 1);
        fs::write(home.join("mix/a.pgn"), games(4000, 0))?;
        fs::write(home.join("mix/b.zip"), archive(4000))?;
        check(home, 1, options)?;
        let output = run(home, &[&["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"], options].concat())?;
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        for input in ["a.pgn", "b.zip"] {
            let expected = format!("mix/{input} (from byte 0): changed since the plan was made; make a new plan");
            assert!(message.contains(&expected), "{message}");
        }
        let inputs = fs::read_to_string(home.join("merged/inputs.csv"))?;
        let names: Vec<&str> = inputs.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        let expected = ["mix/a.pgn", "mix/b.zip", "mix/c.pgn", "mix/d.pgn", "mix/e.zip/x.pgn", "mix/e.zip/y.pgn"];
        assert_eq!(names, expected, "{inputs}");
        assert!(inputs.contains("mix/a.pgn,,0") && inputs.contains("mix/b.zip,,0"), "{inputs}");
    }
    Ok(())
}

/// Python with PySpark, if it is installed, and Java.
fn pyspark() -> Option<&'static str> {
    static PYTHON: OnceLock<Option<String>> = OnceLock::new();
    let works = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
    };
    let python = PYTHON.get_or_init(|| {
        let python = std::env::var("CHESS_AUDIT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        (works(&python, &["-c", "import pyspark"]) && works("java", &["-version"])).then_some(python)
    });
    if python.is_none() {
        not_run("python3 with pyspark (`pip install pyspark`) and java are needed");
    }
    python.as_deref()
}

#[test]
fn spark_runs_the_shards() -> Outcome {
    let Some(python) = pyspark() else { return Ok(()) };
    let home = small()?;
    let home = home.path();
    let shards = plan(home, 5000)?;
    run(home, &["check", "--no-config", "-q", "mix", "-o", "whole"])?;
    fs::write(home.join("spark_job.py"), run(home, &["shards", "spark-job"])?.stdout)?;
    let submit = |more: &[&str]| {
        let arguments = ["spark_job.py", "--", "--plan", "plan", "--out", "parts", "--options=--no-config", "--program", PROGRAM];
        Command::new(python)
            .current_dir(home)
            .args(arguments)
            .args(more)
            .envs(
                (!more.contains(&"--remote"))
                    .then_some(("PYSPARK_SUBMIT_ARGS", "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell")),
            )
            .env("PYSPARK_PYTHON", python)
            .output()
    };
    let output = submit(&[])?;
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains(&format!("{shards} of {shards} shards have parts in parts")), "{printed}");
    let merged = run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
    assert_eq!(merged.status.code(), Some(1), "{}", stderr(&merged));
    same(&home.join("whole"), &home.join("merged"), "with Spark");
    // Spark Connect needs more packages.
    let connect = Command::new(python).args(["-c", "import grpc, pandas, pyarrow"]).output()?;
    if connect.status.success() {
        fs::remove_dir_all(home.join("parts"))?;
        let output = submit(&["--remote", "local[2]", "--ship"])?;
        assert!(output.status.success(), "{}", stderr(&output));
        let merged = run(home, &["shards", "merge", "--no-config", "plan", "parts", "-o", "merged", "-q"])?;
        assert_eq!(merged.status.code(), Some(1), "{}", stderr(&merged));
        same(&home.join("whole"), &home.join("merged"), "with Spark Connect");
    } else {
        not_run("Spark Connect needs `pip install pyspark[connect]`");
    }
    // A shard that fails is tried again, and then the job fails with its error.
    fs::remove_file(home.join("parts/shard-00001.json"))?;
    let output = submit(&["--options=--no-config --profile none"])?;
    assert!(!output.status.success());
    assert!(stderr(&output).contains("exit code 2"), "{}", stderr(&output));
    Ok(())
}

/// The commands of the section about many machines in README.md.
#[test]
#[cfg(unix)]
fn the_commands_of_the_readme_give_the_report_of_one_machine() -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    let text = include_str!("../../../README.md");
    let (_, section) = text.split_once("\n## Many machines\n").ok_or("no section")?;
    let (section, _) = section.split_once("\n## ").ok_or("no end")?;
    let commands: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let [plan, xargs, merge, slurm, kubernetes, print, submit] = &commands[..] else {
        return Err(format!("{commands:#?}").into());
    };
    let home = tempfile::tempdir()?;
    let home = home.path();
    fs::create_dir(home.join("games"))?;
    fs::create_dir(home.join("bin"))?;
    for number in 0..8 {
        fs::write(home.join(format!("games/{number}.pgn")), games(5000, 30 * number))?;
    }
    // Eight shards, as in the example of Slurm.
    let plan = plan.replace("256M", "8K");
    let script = |name: &str, text: &str| -> Outcome {
        let path = home.join("bin").join(name);
        fs::write(&path, text)?;
        Ok(fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?)
    };
    script("chess-audit", &format!("#!/bin/sh\nexec '{PROGRAM}' \"$@\"\n"))?;
    // What Slurm does with the two arguments.
    script(
        "sbatch",
        "#!/bin/sh\n[ \"$1\" = --array=1-8 ] && [ \"$2\" = --wrap ] || exit 9\nfor i in 1 2 3 4 5 6 7 8; do SLURM_ARRAY_TASK_ID=$i sh -c \"$3\" || exit 1; done\n",
    )?;
    let shell = |command: &str| {
        let path = format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        Command::new("sh").args(["-c", command]).current_dir(home).env("PATH", path).stdin(Stdio::null()).output()
    };
    let whole = shell("chess-audit check games -o whole")?;
    assert_eq!(whole.status.code(), Some(1), "{}", stderr(&whole));
    let kubernetes = format!("for JOB_COMPLETION_INDEX in 0 1 2 3 4 5 6 7; do {kubernetes} || exit 1; done");
    let mut ways = vec![vec![xargs.to_string()], vec![slurm.to_string()], vec![kubernetes]];
    if let Some(python) = pyspark() {
        // `pip install pyspark` puts it next to Python.
        let python = Command::new(python).args(["-c", "import sys; print(sys.executable)"]).output()?;
        let python = String::from_utf8(python.stdout)?.trim().to_owned();
        let directory = Path::new(&python).parent().ok_or("no directory")?.display().to_string();
        script(
            "spark-submit",
            &format!(
                "#!/bin/sh\nPYSPARK_PYTHON='{python}' exec '{directory}/spark-submit' --conf spark.ui.enabled=false \"$@\"\n"
            ),
        )?;
        ways.push(vec![print.to_string(), submit.to_string()]);
    }
    for commands in ways {
        for command in [plan.as_str()].into_iter().chain(commands.iter().map(String::as_str)) {
            let output = shell(command)?;
            assert!(output.status.success(), "{command}: {}", stderr(&output));
        }
        let merged = shell(merge)?;
        assert_eq!(merged.status.code(), Some(1), "{commands:?}: {}", stderr(&merged));
        same(&home.join("whole"), &home.join("report"), commands.last().map_or("", String::as_str));
        fs::remove_dir_all(home.join("parts"))?;
        fs::remove_dir_all(home.join("report"))?;
    }
    Ok(())
}
