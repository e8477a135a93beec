//! Good and bad records: together they are the input, byte for byte, whatever it is and wherever it
//! is cut.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, BadFinding, BadRecord, DividedInput, Failure, InputSummary, Settings, Sink, SplitOn},
    report::{CheckedFiles, Split, SplitCounts, SplitError, SplitFiles},
    rules::{Code, CodeSet, Family, Finding, Profile, Selection, Severity, rules_called},
    text::Format,
};

use crate::{
    common::{
        AuditResult, audit, fixture,
        games::game,
        line, packs,
        program::{GAMES, Outcome, Running, names, parts, run, run_in_shell, stderr},
    },
    paths::determinism::{hostile, hostile_lines, lines_that_belong_together},
};

/// A sink that divides inputs.
struct Dividing {
    split: Split,
    result: AuditResult,
}

impl Sink for Dividing {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.result.finding(input, finding)
    }

    fn probably(&mut self, is_bad: bool, at: u64, text: &[u8]) -> io::Result<()> {
        self.split.probably(is_bad, at, text).map_err(io::Error::other)
    }

    fn bad_record(&mut self, record: &BadRecord) -> io::Result<()> {
        self.split.bad_record(record)
    }

    fn divided(&mut self, input: &str, divided: DividedInput) -> io::Result<()> {
        self.split.divided(input, divided).map_err(io::Error::other)
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.split.input(summary);
        self.result.input(summary)
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.result.failure(failure)
    }
}

/// What was written.
#[derive(Debug, PartialEq, Eq)]
struct Divided {
    good: Vec<u8>,
    bad: Vec<u8>,
    table: Vec<u8>,
    counts: SplitCounts,
}

fn settings(on: SplitOn, selection: Selection) -> Settings {
    Settings { split: Some(on), selection, threads: 1, ..Settings::default() }
}

fn on(severity: Severity) -> SplitOn {
    SplitOn { severity: Some(severity), rules: CodeSet::EMPTY }
}

/// Shows infos if they make records bad.
fn selection(severity: Severity) -> Selection {
    Selection::of(if severity == Severity::Info { Profile::Strict } else { Profile::Standard })
}

fn bytes(name: &str, text: &[u8], format: Option<Format>) -> Input {
    Input { name: name.to_owned(), source: Source::Bytes(text.into()), format, scanned: false }
}

fn divide_as(inputs: &[Input], settings: Settings, annotate: bool) -> Result<(Divided, AuditResult), Box<dyn std::error::Error>> {
    let home = tempfile::tempdir()?;
    let (good, bad) = (home.path().join("good.pgn"), home.path().join("bad.pgn"));
    let files =
        SplitFiles { good: Some(&good), bad: &bad, option: "--bad", has_table: true, force: false, annotate, map: settings.map };
    let mut sink = Dividing { split: Split::create(files, inputs, &CheckedFiles::default())?, result: AuditResult::default() };
    let stop = AtomicBool::new(false);
    let summary = Audit::new(settings).run(inputs.to_vec(), &mut sink, &(), &stop)?;
    let output = sink.split.write(&stop)?;
    let counts = output.counts();
    assert!(!good.exists() && !bad.exists(), "nothing is there before the end");
    output.finish()?;
    let divided =
        Divided { good: fs::read(&good)?, bad: fs::read(&bad)?, table: fs::read(home.path().join("bad.pgn.csv"))?, counts };
    assert_eq!(names(home.path())?, ["bad.pgn", "bad.pgn.csv", "good.pgn"]);
    Ok((divided, AuditResult { summary, ..sink.result }))
}

fn divide(inputs: &[Input], settings: Settings) -> Outcome<Divided> {
    divide_as(inputs, settings, false).map(|(divided, _)| divided)
}

/// The text of a single input, put together again from the good records and from the bad ones at
/// the places that their table says. `prefix` is in both files.
fn joined(divided: &Divided, prefix: &[u8]) -> Outcome<Vec<u8>> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for row in csv::Reader::from_reader(&divided.table[..]).records() {
        let row = row?;
        let place = (row[1].parse()?, row[4].parse()?);
        if places.last() != Some(&place) {
            places.push(place);
        }
    }
    let mut good = divided.good.strip_prefix(prefix).ok_or("the good records lack the header")?;
    let mut joined = prefix.to_vec();
    for (number, (from, byte)) in places.iter().enumerate() {
        let to = places.get(number + 1).map_or(divided.bad.len(), |(to, _)| *to);
        let before = byte.saturating_sub(joined.len());
        joined.extend_from_slice(good.split_off(..before).ok_or("good records are missing")?);
        joined.extend_from_slice(divided.bad.get(*from..to).ok_or("bad records are missing")?);
    }
    joined.extend_from_slice(good);
    Ok(joined)
}

/// Checks that no byte of `text` is lost and none is there twice. Line breaks may be added at its
/// end.
#[track_caller]
fn assert_whole(divided: &Divided, text: &[u8], prefix: &[u8], what: &str) {
    let joined = joined(divided, prefix).unwrap_or_else(|error| panic!("{what}: {error}"));
    let rest = joined.strip_prefix(text);
    let added = divided.counts.line_breaks;
    // The break may have been added to the file that does not end with the input.
    let is_same = rest.is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b'\n' | b'\r')))
        || (added > 0 && without_breaks(&joined) == without_breaks(text));
    assert!(is_same, "{what}: {}\ninstead of\n{}", joined.escape_ascii(), text.escape_ascii());
    let extra = joined.len() - text.len();
    assert!(extra as u64 <= 2 * added && (added > 0 || extra == 0), "{what}: {added} line breaks, {extra} bytes");
}

fn without_breaks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect()
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

fn prefix_of(text: &[u8]) -> &[u8] {
    if text.starts_with(BOM) { BOM } else { b"" }
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

#[test]
fn no_byte_of_any_fixture_is_lost_and_good_records_stay_good() -> Outcome {
    let mut files = Vec::new();
    files_below(&fixture("conformance"), &mut files)?;
    files.retain(|path| path.extension().is_some_and(|ending| ["pgn", "epd", "fen"].iter().any(|known| ending == *known)));
    files.extend([fixture("showcase.pgn"), fixture("showcase.epd")]);
    let mut moved = 0;
    for (path, severity) in files.iter().zip(Severity::ALL.into_iter().cycle()) {
        let text = fs::read(path)?;
        let what = path.display().to_string();
        if what.contains("/ENC01-") {
            // Text in UTF-16 or UTF-32.
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = if extension == "pgn" { Format::Pgn } else { Format::Epd };
        let settings = settings(on(severity), selection(severity));
        let input = [bytes("input", &text, Some(format))];
        let divided = divide(&input, settings.clone())?;
        assert_whole(&divided, &text, prefix_of(&text), &what);
        moved += divided.counts.bad_records;
        let of_inputs = |finding: &Finding| {
            finding.rule.check.is_about_inputs() || !finding.conditions.is_empty() || finding.rule.name == "empty-input"
        };
        let again = audit(vec![bytes("good", &divided.good, Some(format))], Settings { split: None, ..settings });
        let left: Vec<String> = again
            .findings
            .iter()
            .filter(|(_, finding)| finding.severity >= severity && !of_inputs(finding))
            .map(|(_, finding)| line(finding))
            .collect();
        assert!(left.is_empty() || prefix_of(&text) == BOM, "{what}, {severity:?}: {left:#?}");
    }
    assert!(moved > 200, "{moved} records are bad");
    Ok(())
}

/// Games of every kind between hostile text, with findings that only the end of the input decides
/// on.
fn mixed() -> Vec<u8> {
    let mut text = hostile();
    for number in 0..40 {
        let game = game(number);
        text.extend_from_slice(b"\n\n");
        text.extend_from_slice(if number % 3 == 0 { game.broken() } else { game.plain() }.as_bytes());
    }
    text
}

#[test]
fn no_cut_and_no_number_of_threads_makes_a_difference() -> Outcome {
    let texts = [(mixed(), Format::Pgn), (hostile_lines(), Format::Epd), (lines_that_belong_together(), Format::Epd)];
    let home = tempfile::tempdir()?;
    for (number, (text, format)) in texts.iter().enumerate() {
        let path = home.path().join(number.to_string());
        fs::write(&path, text)?;
        for severity in Severity::ALL {
            let settings = settings(on(severity), selection(severity));
            let whole = [bytes("input", text, Some(*format))];
            let expected = divide(&whole, Settings { chunk_bytes: usize::MAX, ..settings.clone() })?;
            assert_whole(&expected, text, prefix_of(text), &format!("text {number}, {severity:?}"));
            let SplitCounts { bad_records, other_text, .. } = expected.counts;
            assert!(bad_records > 0 && other_text > 0, "text {number}, {severity:?}: {:?}", expected.counts);
            let file = [Input { source: Source::File(path.clone()), ..whole[0].clone() }];
            for (chunk_bytes, threads) in [(1, 1), (7, 3), (100, 1), (1000, 3), (5000, 3)] {
                let settings = Settings { chunk_bytes, threads, ..settings.clone() };
                let what = format!("text {number}, {severity:?}, chunks of {chunk_bytes} bytes, {threads} threads");
                assert_eq!(divide(&whole, settings.clone())?, expected, "{what}");
                assert_eq!(divide(&file, Settings { map: false, ..settings.clone() })?, expected, "{what}, a stream");
            }
        }
    }
    Ok(())
}

#[test]
fn what_is_reported_does_not_depend_on_it() -> Outcome {
    for (text, format) in [(mixed(), Format::Pgn), (hostile_lines(), Format::Epd), (lines_that_belong_together(), Format::Epd)] {
        for severity in Severity::ALL {
            let settings = settings(on(severity), selection(severity));
            let input = [bytes("input", &text, Some(format))];
            let (_, divided) = divide_as(&input, settings.clone(), false)?;
            let plain = audit(input.to_vec(), Settings { split: None, ..settings });
            assert_eq!(divided.lines(), plain.lines());
            assert_eq!(format!("{:?}", divided.inputs), format!("{:?}", plain.inputs));
        }
    }
    Ok(())
}

#[test]
fn packed_inputs_and_members_of_archives_are_copied_as_text() -> Outcome {
    let text = mixed();
    let settings = || settings(on(Severity::Warning), selection(Severity::Warning));
    let plain = divide(&[bytes("input", &text, None)], settings())?;
    let home = tempfile::tempdir()?;
    let packed: [(&str, Vec<u8>); 6] = [
        ("a.pgn.zst", packs::frames(&text)),
        ("a.pgn.gz", packs::gzip(&text)),
        ("b.pgn.gz", packs::bgzip(&text)),
        ("a.pgn.bz2", packs::bzip2(&text)),
        ("a.pgn.xz", packs::xz(&text)),
        ("a.zip", packs::zip_deflated(&[("x/a.pgn", &text), ("readme.doc", b"x")])),
    ];
    for (name, packed) in packed {
        fs::write(home.path().join(name), packed)?;
        for (map, chunk_bytes) in [(true, 1 << 18), (false, 3000)] {
            let input = Input { source: Source::File(home.path().join(name)), ..bytes(name, b"", None) };
            let divided = divide(&[input], Settings { map, chunk_bytes, ..settings() })?;
            assert_eq!((&divided.good, &divided.bad), (&plain.good, &plain.bad), "{name}, {map}");
        }
    }
    // One after the other.
    let zip = packs::zip_stored(&[("1.pgn", GAMES.as_bytes()), ("2.pgn", &text), ("3.pgn", GAMES.as_bytes())]);
    fs::write(home.path().join("b.zip"), zip)?;
    let input = Input { source: Source::File(home.path().join("b.zip")), ..bytes("b.zip", b"", None) };
    let divided = divide(&[input], settings())?;
    let parts = ["1", "2", "3"].map(|name| bytes(name, if name == "2" { &text } else { GAMES.as_bytes() }, None));
    let expected = divide(&parts, settings())?;
    assert_eq!((divided.good, divided.bad), (expected.good, expected.bad));
    Ok(())
}

const GAME: &str = "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\
                    [Result \"*\"]\n\n1. e4 e5 *\n\n";

fn wrong() -> String {
    GAME.replace("e5", "Ke3")
}

#[test]
fn line_ends_marks_and_the_last_line_are_kept() -> Outcome {
    let settings = || settings(on(Severity::Error), Selection::default());
    let lf = [GAME, &wrong(), GAME].concat();
    for text in [lf.clone(), lf.replace('\n', "\r\n"), lf.replace('\n', "\r"), format!("\u{FEFF}{lf}")] {
        let divided = divide(&[bytes("input", text.as_bytes(), None)], settings())?;
        assert_whole(&divided, text.as_bytes(), prefix_of(text.as_bytes()), &text);
        assert_eq!((divided.counts.good_records, divided.counts.bad_records, divided.counts.line_breaks), (2, 1, 0), "{text:?}");
        // Without its last line breaks, in the good or the bad records.
        for text in [text.trim_end().to_owned(), text[..text.rfind("[Event").unwrap_or(0)].trim_end().to_owned()] {
            let divided = divide(&[bytes("input", text.as_bytes(), None)], settings())?;
            assert_whole(&divided, text.as_bytes(), prefix_of(text.as_bytes()), &text);
            assert_eq!(divided.counts.line_breaks, 1, "{text:?}");
        }
    }
    // A line break between inputs, and one byte order mark.
    let first = format!("\u{FEFF}{}", GAME.trim_end());
    let inputs = [bytes("1", first.as_bytes(), None), bytes("2", format!("\u{FEFF}{GAME}").as_bytes(), None)];
    let divided = divide(&inputs, settings())?;
    assert_eq!(String::from_utf8(divided.good)?, format!("{first}\n{GAME}"));
    assert_eq!((divided.bad.as_slice(), divided.counts.line_breaks), (BOM, 1));
    Ok(())
}

#[test]
fn text_in_utf_16_is_written_in_utf_8() -> Outcome {
    let text = [GAME, &wrong()].concat();
    let wide: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let settings = settings(on(Severity::Error), Selection::default());
    let divided = divide(&[bytes("input", &wide, None)], settings)?;
    let good = divided.good.strip_prefix(BOM).unwrap_or(&divided.good);
    let bad = divided.bad.strip_prefix(BOM).unwrap_or(&divided.bad);
    assert_eq!((String::from_utf8(good.to_vec())?, String::from_utf8(bad.to_vec())?), (GAME.to_owned(), wrong()));
    assert_eq!(divided.counts.converted, 1);
    Ok(())
}

#[test]
fn text_that_belongs_to_no_record_goes_to_the_bad_ones() -> Outcome {
    let settings = || settings(on(Severity::Error), Selection::default());
    for stray in ["Round 2\n\n", "  Indented\n\n", "A remark\nof two lines\n\n"] {
        let text = [GAME, stray, GAME].concat();
        let divided = divide(&[bytes("input", text.as_bytes(), None)], settings())?;
        assert_eq!(String::from_utf8(divided.bad)?, stray);
        assert_eq!(String::from_utf8(divided.good)?, [GAME, GAME].concat());
        assert_eq!((divided.counts.bad_records, divided.counts.other_text), (0, 1));
        // After a bad game.
        let text = [&wrong(), stray, GAME].concat();
        let divided = divide(&[bytes("input", text.as_bytes(), None)], settings())?;
        assert_eq!(String::from_utf8(divided.bad)?, wrong() + stray);
        assert_eq!((divided.counts.bad_records, divided.counts.other_text), (1, 1));
    }
    // What is too large to check is a failure of the audit, too.
    let large = GAME.replace("1. e4", &format!("{{ {} }} 1. e4", "long ".repeat(1000)));
    let text = [GAME, &large, GAME].concat();
    let settings = Settings { max_record_bytes: 2000, ..settings() };
    for chunk_bytes in [100, 1 << 18] {
        let input = [bytes("input", text.as_bytes(), None)];
        let (divided, result) = divide_as(&input, Settings { chunk_bytes, ..settings.clone() }, false)?;
        assert_eq!(result.failures.len(), 1);
        assert_whole(&divided, text.as_bytes(), b"", "a large record");
        assert_eq!(String::from_utf8(divided.bad)?, large);
    }
    // Prose is no chess: nothing in it is a record.
    let prose = "Dear friends,\n\nno games today.\n";
    let mut input = bytes("notes.txt", prose.as_bytes(), None);
    input.scanned = true;
    let divided = divide(&[input], settings)?;
    assert_eq!((divided.good.len(), String::from_utf8(divided.bad)?), (0, prose.to_owned()));
    Ok(())
}

#[test]
fn rows_keep_their_header_and_lines_in_quotes_stay_whole() -> Outcome {
    let settings = || settings(on(Severity::Error), Selection::default());
    let (sound, broken) = ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/8 w - - 0 1");
    let table = format!("id,FEN,note\na,{sound},\"x\ny\"\nb,{broken},\nc,{sound},\n");
    let divided = divide(&[bytes("t.csv", table.as_bytes(), None), bytes("u.csv", table.as_bytes(), None)], settings())?;
    let rows = format!("a,{sound},\"x\ny\"\nc,{sound},\n");
    assert_eq!(String::from_utf8(divided.good)?, format!("id,FEN,note\n{rows}{rows}"));
    assert_eq!(String::from_utf8(divided.bad)?, format!("id,FEN,note\nb,{broken},\nb,{broken},\n"));

    let object = |fen: &str, other: &str| format!("{{\"fen\": \"{fen}\", \"then\": \"{other}\", \"n\": 1}}\n");
    let lines = [object(sound, sound), object(sound, broken), object(broken, sound), object(sound, sound)];
    let text = lines.concat().repeat(4);
    for chunk_bytes in [1, 60, 1 << 18] {
        let divided = divide(&[bytes("p.jsonl", text.as_bytes(), None)], Settings { chunk_bytes, ..settings() })?;
        assert_whole(&divided, text.as_bytes(), b"", "lines");
        assert_eq!(String::from_utf8(divided.good)?, [&*lines[0], &*lines[3]].concat().repeat(4));
    }
    Ok(())
}

#[test]
fn what_only_the_end_of_the_input_shows_is_settled_first() -> Outcome {
    // One name of a tag is misspelled in all games: one finding, but each game has it.
    let misspelled = GAME.replace("Event", "Evnet");
    let text = [misspelled.repeat(3), GAME.repeat(2)].concat();
    for (severity, bad) in [(Severity::Error, 0), (Severity::Warning, 3)] {
        let divided = divide(&[bytes("input", text.as_bytes(), None)], settings(on(severity), Selection::default()))?;
        assert_eq!(divided.counts.bad_records, bad, "{severity:?}");
    }
    // Ids that come back for another position.
    let line = |place: &str| format!("4k3/8/8/8/8/8/{place}/4K3 w - - id \"a.1\";\n");
    let text = [line("4P3"), line("4P3"), line("3P4")].concat();
    let same_id =
        SplitOn { severity: None, rules: rules_called("EPD17")?.into_iter().map(|rule| rule.code).collect::<CodeSet>() };
    for chunk_bytes in [1, 1 << 18] {
        let settings = Settings { chunk_bytes, ..settings(same_id, Selection::default()) };
        let divided = divide(&[bytes("input", text.as_bytes(), Some(Format::Epd))], settings)?;
        assert_eq!(String::from_utf8(divided.bad)?, line("3P4"));
    }
    // Positions that fit only Chess960 are reported once if there are many.
    let text = "rk5r/8/8/3n4/8/8/8/RK5R w KQkq - 0 1\n".repeat(30) + &"r3k2r/8/8/3n4/8/8/8/R3K2R w KQkq - 0 1\n".repeat(100);
    let divided =
        divide(&[bytes("input", text.as_bytes(), Some(Format::Epd))], settings(on(Severity::Warning), Selection::default()))?;
    assert_eq!((divided.counts.good_records, divided.counts.bad_records), (100, 30));
    Ok(())
}

#[test]
fn known_findings_make_no_record_bad() -> Outcome {
    let text = [wrong(), GAME.to_owned(), wrong().replace("Bob", "Cid")].concat();
    let input = [bytes("input", text.as_bytes(), None)];
    let found = audit(input.to_vec(), Settings::default());
    let known = found.findings.iter().map(|(_, finding)| finding.fingerprint).take(1).collect();
    let settings = Settings { known, ..settings(on(Severity::Error), Selection::default()) };
    let divided = divide(&input, settings)?;
    assert_eq!((divided.counts.good_records, divided.counts.bad_records), (2, 1));
    assert!(divided.bad.windows(3).any(|word| word == b"Cid"));
    Ok(())
}

#[test]
fn records_that_the_whole_run_shows_to_be_bad_are_moved_too() -> Outcome {
    let home = tempfile::tempdir()?;
    let (good, bad) = (home.path().join("good.pgn"), home.path().join("bad.pgn"));
    let games: Vec<String> = ["Ann", "Ben", "Cyd", "Dan", "Eve"].map(|name| GAME.replace("Ann", name)).to_vec();
    let text = [&games[0], &games[1], &wrong(), &games[2]].map(String::as_str).concat();
    let inputs = [bytes("1", text.as_bytes(), None), bytes("2", games[3..].concat().as_bytes(), None)];
    let files =
        SplitFiles { good: Some(&good), bad: &bad, option: "--bad", has_table: true, force: false, annotate: false, map: true };
    let mut sink = Dividing { split: Split::create(files, &inputs, &CheckedFiles::default())?, result: AuditResult::default() };
    let stop = AtomicBool::new(false);
    Audit::new(settings(on(Severity::Error), Selection::default())).run(inputs.to_vec(), &mut sink, &(), &stop)?;
    let length = GAME.len() as u64;
    let copy = |number: u64, end, message: &str| BadRecord {
        start: number * length,
        end,
        game: number + 1,
        movetext: 0,
        findings: vec![BadFinding {
            line: 1 + 12 * number,
            column: 1,
            rule: Code::new(Family::Dup, 1),
            severity: Severity::Warning,
            message: message.to_owned(),
        }],
    };
    // The third game of the first input is bad by itself.
    let wrong_end = 2 * length + wrong().len() as u64;
    // They come in the order of the names of inputs, and one record can have two findings.
    let ends =
        [(1, 1, 2 * length, "eve"), (0, 1, 2 * length, "ben"), (0, 1, 2 * length, "ben again"), (0, 2, wrong_end, "wrong")];
    for (input, number, end, message) in ends {
        sink.split.surplus_copy(input, &copy(number, end, message))?;
    }
    let output = sink.split.write(&stop)?;
    assert_eq!((output.counts().good_records, output.counts().bad_records), (3, 3));
    output.finish()?;
    assert_eq!(fs::read_to_string(&good)?, [&games[0], &games[2], &games[3]].map(String::as_str).concat());
    assert_eq!(fs::read_to_string(&bad)?, [&games[1], &wrong(), &games[4]].map(String::as_str).concat());
    let table = fs::read_to_string(home.path().join("bad.pgn.csv"))?;
    let said = |record: &str, message: &str| table.lines().any(|row| row.starts_with(record) && row.ends_with(message));
    for (record, message) in [("1,", ",ben"), ("1,", ",ben again"), ("2,", ",wrong"), ("3,", ",eve")] {
        assert!(said(record, message), "{message}: {table}");
    }
    Ok(())
}

#[test]
fn findings_are_written_into_bad_games() -> Outcome {
    let settings = || settings(on(Severity::Error), Selection::default());
    let cases = [
        (wrong(), "\n\n{ MOV01 illegal-move (error): "),
        (wrong().replace('\n', "\r\n"), "\r\n\r\n{ MOV01 illegal-move (error): "),
        (wrong().replace("\n\n1.", "\n\n% private } {\n1."), "\n{ MOV01 illegal-move (error): "),
        (wrong().replace("]\n\n1.", "]1."), "]{ MOV01 illegal-move (error): "),
        (wrong().replace("1. e4", "1. e4 {[%clk 0:00:01]} "), "\n\n{ MOV01 illegal-move (error): "),
    ];
    for (game, expected) in cases {
        let text = [&game, GAME].concat();
        let input = [bytes("input", text.as_bytes(), None)];
        let (plain, _) = divide_as(&input, settings(), false)?;
        let (divided, _) = divide_as(&input, settings(), true)?;
        assert_eq!((&divided.good, &plain.bad), (&plain.good, &game.into_bytes()));
        let bad = String::from_utf8(divided.bad)?;
        assert!(bad.contains(expected), "{bad}");
        // Nothing but the comment was added, and nothing else is wrong with the game.
        let (before, rest) = bad.split_once("{ MOV01").ok_or("no comment")?;
        let (_, after) = rest.split_once('}').ok_or("the comment is closed")?;
        assert_eq!(before.to_owned() + after.trim_start_matches(['\r', '\n', ' ']), String::from_utf8(plain.bad.clone())?);
        let codes = |text: &[u8]| audit(vec![bytes("bad", text, Some(Format::Pgn))], Settings::default()).codes();
        assert_eq!(codes(bad.as_bytes()), codes(&plain.bad), "{bad}");
    }
    let line = "4k3/8/8/8/8/8/8/8 w - - 0 1\n";
    let error =
        divide_as(&[bytes("a.epd", line.as_bytes(), None)], settings(), true).err().ok_or("a line cannot be annotated")?;
    assert_eq!(error.to_string(), "`a.epd` contains a position per line, which cannot contain comments; omit --annotate");
    Ok(())
}

#[test]
fn an_input_that_changed_is_not_divided() -> Outcome {
    let home = tempfile::tempdir()?;
    let (good, bad) = (home.path().join("good.pgn"), home.path().join("bad.pgn"));
    let path = home.path().join("a.pgn");
    for (repeat, map) in [(1, true), (3000, true), (1, false)] {
        fs::write(&path, [GAME, &wrong()].concat().repeat(repeat))?;
        let input = Input { source: Source::File(path.clone()), ..bytes("a.pgn", b"", None) };
        let files =
            SplitFiles { good: Some(&good), bad: &bad, option: "--bad", has_table: true, force: false, annotate: false, map };
        let mut sink = Dividing {
            split: Split::create(files, std::slice::from_ref(&input), &CheckedFiles::default())?,
            result: AuditResult::default(),
        };
        let stop = AtomicBool::new(false);
        let settings = Settings { map, ..settings(on(Severity::Error), Selection::default()) };
        Audit::new(settings).run(vec![input], &mut sink, &(), &stop)?;
        fs::write(&path, "[Event \"Other\"]\n")?;
        let error = sink.split.write(&stop).err().ok_or("the input changed")?;
        assert!(matches!(error, SplitError::Changed { .. }), "{error}");
        assert_eq!(names(home.path())?, ["a.pgn"], "{error}");
    }
    Ok(())
}

/// A directory with games, some of them wrong.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAMES)?;
    Ok(home)
}

const SPLIT: [&str; 9] = ["check", "-q", "a.pgn", "-o", "report", "--good", "good.pgn", "--bad", "bad.pgn"];

#[test]
fn files_are_compressed_as_their_names_say_and_pipes_are_spooled() -> Outcome {
    let home = home()?;
    let output = run(home.path(), &SPLIT)?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let (good, bad) = (fs::read(home.path().join("good.pgn"))?, fs::read(home.path().join("bad.pgn"))?);
    assert_eq!([&good[..], &bad].concat(), GAMES.as_bytes());
    for (pipe, names) in [
        ("cat a.pgn", ["good.pgn.zst", "bad.pgn.gz"]),
        ("gzip -c a.pgn", ["g.pgn", "b.pgn"]),
        ("cat a.pgn | (sleep 0; cat)", ["h.pgn.gz", "c.pgn.zst"]),
    ] {
        let arguments = ["check", "-q", "-", "-o", "report", "--good", names[0], "--bad", names[1]];
        let script = format!("{pipe} | \"$0\" \"$@\"");
        let output = std::process::Command::new("sh")
            .current_dir(home.path())
            .args(["-c", &script, crate::common::program::PROGRAM])
            .args(arguments)
            .output()?;
        assert_eq!(output.status.code(), Some(1), "{pipe}: {output:?}");
        for (name, expected) in names.iter().zip([&good, &bad]) {
            let packed = Input { source: Source::File(home.path().join(name)), ..bytes(name, b"", None) };
            let mut text = Vec::new();
            io::Read::read_to_end(&mut packed.text()?.reader, &mut text)?;
            assert_eq!(&text, expected, "{name}");
        }
    }
    // Nothing to read.
    let output = run(home.path(), &["check", "-q", "-", "-o", "report", "--good", "g0.pgn", "--bad", "b0.pgn"])?;
    assert_eq!(fs::read(home.path().join("g0.pgn"))?, b"", "{output:?}");
    Ok(())
}

#[test]
fn inputs_of_different_kinds_are_refused_before_anything_is_written() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("b.epd"), "4k3/8/8/8/8/8/8/4K3 w - -\n")?;
    fs::write(home.path().join("c.csv"), "FEN,id\n4k3/8/8/8/8/8/8/4K3 w - - 0 1,a\n")?;
    fs::write(home.path().join("d.csv"), "FEN,name\n4k3/8/8/8/8/8/8/4K3 w - - 0 1,a\n")?;
    fs::write(home.path().join("e.ts"), "const game = `[Event \"x\"]\n\n1. e4 *\n`;\n")?;
    let before = names(home.path())?;
    for (inputs, message) in [
        (
            ["a.pgn", "b.epd"],
            "`a.pgn` contains games, but `b.epd` contains a position per line; a file can have records of one kind only\n",
        ),
        (["b.epd", "c.csv"], "`b.epd` contains a position per line, but `c.csv` contains a table; "),
        (["c.csv", "d.csv"], "`c.csv` and `d.csv` are tables with different headers, which cannot be in one file"),
        (["e.ts", "a.pgn"], "`e.ts` contains games inside other text, which cannot be copied; extract the games first"),
    ] {
        let output = run(home.path(), &[&["check", "-q", "-o", "report", "--good", "g", "--bad", "b"][..], &inputs].concat())?;
        assert_eq!(output.status.code(), Some(2), "{inputs:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert_eq!(names(home.path())?, before);
    }
    Ok(())
}

#[test]
fn files_that_would_be_lost_are_refused() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("known.csv"), "fingerprint,rule,name,input,message,reason,added,expires\n")?;
    let before = names(home.path())?;
    for (good, bad, message) in [
        ("a.pgn", "bad.pgn", "`a.pgn` is an input of this run; nothing was written; choose another file with --good"),
        ("good.pgn", "./a.pgn", "`./a.pgn` is an input of this run; nothing was written; choose another file with --bad"),
        ("good.pgn", "good.pgn", "`good.pgn` and `good.pgn` are the same file"),
        ("bad.pgn.csv", "bad.pgn", "`bad.pgn.csv` and `bad.pgn.csv` are the same file"),
        ("report/good.pgn", "bad.pgn", "is inside `report`, which contains nothing but the report"),
        ("-", "bad.pgn", "`-` is not a file; choose a file with --good"),
        ("r.csv", "bad.pgn", "`r.csv` and `r.csv` are the same file; choose different files with --repairs and --good"),
        ("good.zip", "bad.pgn", "zip archives are not written"),
        ("none/good.pgn", "bad.pgn", "cannot write `none/good.pgn`"),
    ] {
        let arguments = ["check", "-q", "a.pgn", "-o", "report", "--force", "--repairs", "r.csv", "--good", good, "--bad", bad];
        let output = run(home.path(), &arguments)?;
        assert_eq!(output.status.code(), Some(2), "{good}, {bad}: {output:?}");
        assert!(stderr(&output).contains(message), "{good}, {bad}: {}", stderr(&output));
        assert_eq!(names(home.path())?, before, "{good}, {bad}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_all_files_as_they_were() -> Outcome {
    let home = home()?;
    let games = GAMES.repeat(200);
    fs::write(home.path().join("a.pgn"), &games)?;
    let output = run(home.path(), &SPLIT)?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let content = |name: &str| fs::read(home.path().join(name));
    let read_all =
        || ["good.pgn", "bad.pgn", "bad.pgn.csv", "report/run.json"].map(content).into_iter().collect::<io::Result<Vec<_>>>();
    let (before, files) = (read_all()?, names(home.path())?);
    // Blocks of 512 bytes: less than the good records, and less than the report and the table.
    for blocks in [0, 1, 20, 60] {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}");
        let output = run_in_shell(home.path(), &script, &[&SPLIT[..], &["--force"]].concat())?;
        assert_eq!(output.status.code(), Some(2), "{blocks}: {output:?}");
        assert_eq!(read_all()?, before, "{blocks}");
        assert_eq!(names(home.path())?, files, "{blocks}");
    }
    Ok(())
}

/// A moment of an audit: its name, and whether it has come.
#[cfg(target_os = "linux")]
type Moment = (&'static str, fn(&Path) -> bool);

#[cfg(target_os = "linux")]
#[test]
fn a_kill_or_a_signal_at_any_moment_leaves_whole_files() -> Outcome {
    let home = home()?;
    let games = GAMES.repeat(300);
    fs::write(home.path().join("a.pgn"), &games)?;
    let moments: [Moment; 5] = [
        ("started", |_| true),
        ("first temporary file", |home| parts(home) > 0),
        ("all temporary files", |home| parts(home) > 3),
        ("bad records", |home| home.join("bad.pgn").exists()),
        ("good records", |home| home.join("good.pgn").exists()),
    ];
    for signal in ["KILL", "TERM"] {
        for (name, is_now) in moments {
            let mut running = Running::start(home.path(), "--default-signal=INT,TERM,HUP", &SPLIT)?;
            while !is_now(home.path()) && !running.has_ended()? {
                std::thread::yield_now();
            }
            if !running.has_ended()? {
                let _ = running.send(signal);
            }
            running.0.wait()?;
            let read = |name: &str| fs::read(home.path().join(name)).ok();
            let (good, bad) = (read("good.pgn"), read("bad.pgn"));
            assert!(bad.is_some() || good.is_none(), "{signal}, {name}: bad before good");
            let lengths = [good, bad].map(|file| file.map_or(games.len() / 2, |file| file.len()));
            assert!(lengths.iter().all(|length| *length > 0 && *length < games.len()), "{signal}, {name}: {lengths:?}");
            for file in ["good.pgn", "bad.pgn", "bad.pgn.csv"] {
                let _ = fs::remove_file(home.path().join(file));
            }
            let _ = fs::remove_dir_all(home.path().join("report"));
            if signal == "TERM" {
                assert_eq!(names(home.path())?, ["a.pgn"], "{name}");
            }
        }
    }
    Ok(())
}

#[test]
fn options_belong_together() -> Outcome {
    let home = home()?;
    for (arguments, message) in [
        (&["check", "a.pgn", "--good", "g"][..], "--bad <FILE>"),
        (&["check", "a.pgn", "--bad", "b"], "--good <FILE>"),
        (&["check", "a.pgn", "--annotate"], "--good <FILE>"),
        (&["check", "a.pgn", "--split-on", "error"], "--good <FILE>"),
        (&["check", "a.pgn", "--force"], "--repairs <FILE>"),
        (&["check", "--plan", "p", "--shard", "1", "-o", "parts", "--good", "g", "--bad", "b"], "cannot be used with"),
        (&["check", "a.pgn", "--good", "g", "--bad", "b", "--split-on", "severe"], "`severe` is not a rule"),
    ] {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(names(home.path())?, ["a.pgn"], "{arguments:?}");
    }
    // Rules, and a severity.
    for (on, bad) in [("MOV", "Ke3"), ("warning", "d62."), ("SYN11,TAG05", "d62.")] {
        let output = run(home.path(), &[&SPLIT[..], &["--force", "--split-on", on]].concat())?;
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(fs::read_to_string(home.path().join("bad.pgn"))?.contains(bad), "{on}");
    }
    Ok(())
}

/// How often each rule fires, and the number of records.
fn counted(text: &[u8]) -> (BTreeMap<String, usize>, u64) {
    let selection = Selection::of(Profile::Strict);
    let audited = audit(vec![bytes("bad", text, Some(Format::Pgn))], Settings { selection, ..Settings::default() });
    let mut counts = BTreeMap::new();
    audited.codes().into_iter().for_each(|code| *counts.entry(code).or_insert(0) += 1);
    (counts, audited.summary.counts.records())
}

#[test]
fn comments_add_no_findings_and_keep_the_number_of_games() -> Outcome {
    let tags =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n";
    let numbered = "GameId        1\nResult        0-1\nPlyCount        4\nMoves\n  1        f2f3\n  2                    e7e5\n  3        g2g4\n  4                    d8h4\n----------------------------------------\n";
    let variations = (0..8).map(|number| format!("(1. e{} {}) ", number % 2 + 5, "x".repeat(30))).collect::<String>();
    for text in [
        // Without moves and markers, nothing but a blank line separates games.
        tags.repeat(3),
        tags.trim_end().to_owned(),
        // Stray text between games.
        [numbered, &numbered.replace("        1\n", "        2\n"), numbered].concat(),
        // Each line is a game.
        "e4 e5 Nf3 Nc6 Bb5 a6\ne4 e5 Nf3 d6? d4 exd4\nd4 d5 c4 e6 Nc3 Nf6\n\n# Nordic gambit\ne4 e5 d4 exd4 c3 dxc3\ne4 c5 Nf3 d6\n".to_owned(),
        // Long messages.
        format!("{tags}1. e4 {variations}*\n\n{GAME}"),
    ] {
        for severity in [Severity::Error, Severity::Warning, Severity::Info] {
            let input = [bytes("input", text.as_bytes(), Some(Format::Pgn))];
            let settings = || settings(on(severity), Selection::of(Profile::Strict));
            let (plain, _) = divide_as(&input, settings(), false)?;
            let (annotated, _) = divide_as(&input, settings(), true)?;
            let shown = String::from_utf8_lossy(&annotated.bad);
            assert_eq!(counted(&annotated.bad), counted(&plain.bad), "{shown}");
            assert!(plain.bad.is_empty() || shown.contains(" (") && shown.contains(" }"), "{shown}");
        }
    }
    Ok(())
}
