//! Shards give the report of one machine, wherever inputs are cut.

use std::{
    io::{Cursor, Write},
    sync::atomic::AtomicBool,
};

use super::{MergeError, Part, PartFault, Piece, PieceRange, Shard, WholeInput, part_lines::MAX_LINE};
use crate::{
    corpus::{Input, Packing, Source},
    identity::CardUse,
    pipeline::{Audit, Options, Settings, report_lines::ReportLines},
    rules::{Check, Profile, RULES, Sample, Selection},
    text::Format,
};

pub(super) fn settings() -> Settings {
    let selection = Selection::of(Profile::Strict);
    Settings {
        selection,
        threads: 1,
        examples: 3,
        options: Options { max_rows: Some(30), duplicates: true, ..Options::default() },
        games: Some(CardUse::Keys),
        portrait: true,
        ..Settings::default()
    }
}

pub(super) fn whole(input: &Input, settings: &Settings) -> Vec<String> {
    let mut report = ReportLines::default();
    let summary = Audit::new(settings.clone()).run(vec![input.clone()], &mut report, &(), &AtomicBool::new(false)).unwrap();
    report.0.push(format!("{summary:?}"));
    [report.0, report.1].concat()
}

/// The report merged from pieces, and the number of those that were audited again.
pub(super) fn merged(shards: &[Shard], settings: &Settings, context: usize) -> (Vec<String>, usize) {
    let audit = Audit::new(settings.clone());
    let stop = AtomicBool::new(false);
    let parts: Vec<_> = shards
        .iter()
        .map(|shard| {
            let mut lines = Vec::new();
            let end = audit.shard_with(shard, &mut lines, &(), &stop, context).unwrap().unwrap();
            (lines, end)
        })
        .collect();
    let open = |shard: usize| Part { lines: Box::new(Cursor::new(&parts[shard].0)), end: parts[shard].1.clone() };
    for (index, shard) in shards.iter().enumerate() {
        open(index).check(shard).unwrap_or_else(|fault| panic!("shard {index}: {fault}"));
    }
    let mut report = ReportLines::default();
    let mut again = 0;
    let summary =
        audit.merge_with(shards, &mut |shard| Ok(open(shard)), (&mut report, &()), &stop, &mut |_| again += 1, context).unwrap();
    report.0.push(format!("{summary:?}"));
    ([report.0, report.1].concat(), again)
}

pub(super) fn pieces(input: &Input, packing: Option<Packing>, size: u64, cuts: &[u64]) -> Vec<Shard> {
    let mut from = 0;
    let mut shards = Vec::new();
    for to in cuts.iter().copied().map(Some).chain([None]) {
        let range = PieceRange { from, to };
        shards.push(Shard::Piece(Box::new(Piece { input: input.clone(), packing, size, range })));
        from = to.unwrap_or_default();
    }
    shards
}

fn input(text: &[u8], format: Format) -> Input {
    Input { name: "input".to_owned(), source: Source::Bytes(text.into()), format: Some(format), scanned: false }
}

#[track_caller]
fn same(merged: &[String], whole: &[String], how: &str) {
    for (merged, whole) in merged.iter().zip(whole) {
        assert_eq!(merged, whole, "{how}");
    }
    assert_eq!(merged.len(), whole.len(), "{how}");
}

/// Games that are hard to cut.
const GAMES: &[u8] = b"[Event \"Good\"]\n[White \"A\"]\n[WhiteFideId \"1234567\"]\n[Date \"2020.01.01\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
[Event \"Wrong\"]\r\n[White \"B\"]\r\n[WhiteFideId \"1234567\"]\r\n\r\n1. e4 e5 2. Ke3 Nf6 3. d4 0-1\r\n\r\n\
{ a comment that quotes a game\n\n[Event \"quoted\"]\n[Site \"?\"]\n\n1. e4 *\n} 1. d4 d5 *\n\n\
[Event \"open\"]\n\n1. e4 { never closed\n\n[Event \"next\"]\n\n1. d4 Nf6 2. c5 *\n\n\
1. e4 e5 0-1 1. d4 d5 1-0 1. c4 *\nstray text\n\n[Event \"J\xFCrgen\"]\r[Site \"?\"]\r\r1. d4 d5 2. c5 *\r\r\
[White \"Ann\"]\n[Black \"Bob\"]\n[Round \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n\
[White \"Ann\"]\n[Black \"Bob\"]\n[Round \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 1-0\n\n\
[White \"Ann\"]\n[Black \"Bob\"]\n[Round \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n\
[Event \"Gaps\"]\n\n[Site \"?\"]\n\n\n[Round \"?\"]\n\n1. e4 *\n\n[Event \"no quote]\n[Site no quotes]\n[\n[]\n\n1. Nf3 Nf6 2. Ng1 *\n";

/// Position lines that are hard to cut.
const LINES: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";\n\
4k3/8/8/8/8/8/4P3/4K3 w - - bm e2e4; id \"twice\";\r\nperft 1 15\n4k3/8/8/8/8/8/4P3/4K3 w - -\nperft 1 5\n\nperft 2 67\n# note\nperft 1 6\n\
4k3/8/8/8/8/8/8/4K3 w KQkq e6 99 0 extra\r4k3/8/8/8/8/8/3P4/4K3 w - - bm d4; id \"twice\";\n\
not a position\n4k3/8/8/8/8/8/8/4K3 w - - id \"J\xFCrgen\";\n8/8/8/8/8/8/8/8 w - -\n";

#[test]
fn every_cut_of_games_gives_the_same_report() {
    let input = input(GAMES, Format::Pgn);
    let expected = whole(&input, &settings());
    let mut again = 0;
    for cut in 1..GAMES.len() as u64 {
        // The context is shorter than in earnest, so that there are records after it.
        let (report, redone) = merged(&pieces(&input, None, GAMES.len() as u64, &[cut]), &settings(), 40);
        same(&report, &expected, &format!("cut at {cut}"));
        again += redone;
    }
    assert!(again > 0, "some guesses are wrong");
}

/// Files that are not mapped are read as streams.
#[test]
fn every_cut_of_a_stream_gives_the_same_report() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(GAMES).unwrap();
    let source = Source::File(file.path().to_owned());
    let input = Input { source, ..input(GAMES, Format::Pgn) };
    let settings = Settings { map: false, ..settings() };
    let expected = whole(&input, &settings);
    for cut in 1..GAMES.len() as u64 {
        let (report, _) = merged(&pieces(&input, None, GAMES.len() as u64, &[cut]), &settings, 40);
        same(&report, &expected, &format!("cut at {cut}"));
    }
}

#[test]
fn every_cut_of_positions_gives_the_same_report() {
    let lines = [LINES, &LINES.repeat(4)].concat();
    let input = input(&lines, Format::Epd);
    let expected = whole(&input, &settings());
    for cut in 1..lines.len() as u64 {
        let (report, _) = merged(&pieces(&input, None, lines.len() as u64, &[cut]), &settings(), 400);
        same(&report, &expected, &format!("cut at {cut}"));
    }
}

#[test]
fn pieces_of_any_length_give_the_same_report() {
    let games = GAMES.repeat(30);
    for (text, format) in [(games.as_slice(), Format::Pgn), (&LINES.repeat(40), Format::Epd)] {
        let input = input(text, format);
        let expected = whole(&input, &settings());
        for length in [1000, 3000, 5003, 9001, 20_000] {
            let cuts: Vec<u64> = (1..).map(|piece| piece * length).take_while(|cut| *cut < text.len() as u64).collect();
            let (report, _) = merged(&pieces(&input, None, text.len() as u64, &cuts), &settings(), super::super::stream::CONTEXT);
            same(&report, &expected, &format!("pieces of {length}"));
        }
    }
}

/// A rule about whole inputs that cannot be saved and restored would make other reports from
/// shards.
#[test]
fn what_rules_collect_can_be_saved_and_restored() {
    let mut rules = 0;
    for rule in RULES {
        let format = match rule.check {
            Check::GamesOfInput(_) => Format::Pgn,
            Check::PositionsOfInput(_) => Format::Epd,
            _ => continue,
        };
        rules += 1;
        for sample in rule.fires {
            let (Sample::Pgn(text) | Sample::Positions(text)) = sample else { panic!("{}: another kind of sample", rule.code) };
            let text = format!("{}\n", text.replace(['⟦', '⟧'], ""));
            let input = input(text.as_bytes(), format);
            let expected = whole(&input, &settings());
            let own = format!("\"rule\":\"{}\"", rule.code);
            assert!(expected.iter().any(|line| line.contains(&own)), "{}: the sample does not fire", rule.code);
            let mut collected = 0;
            for cut in 1..text.len() as u64 {
                let shards = pieces(&input, None, text.len() as u64, &[cut]);
                let (report, _) = merged(&shards, &settings(), 0);
                same(&report, &expected, &format!("{}: cut at {cut}", rule.code));
                let mut part = Vec::new();
                Audit::new(settings()).shard_with(&shards[1], &mut part, &(), &AtomicBool::new(false), 0).unwrap();
                collected += String::from_utf8(part).unwrap().matches("\"collected\"").count();
            }
            assert!(collected > 0, "{}: nothing was saved", rule.code);
        }
    }
    assert!(rules >= 2);
}

/// The state of a chunk that the next one must know: a record that is too large goes on.
#[test]
fn records_that_are_too_large_go_on_in_the_next_piece() {
    let long = format!("[Event \"long\"]\n\n1. e4 {{ {} }} *\n\n", "word ".repeat(900));
    let text = [GAMES, long.as_bytes(), GAMES].concat();
    let input = input(&text, Format::Pgn);
    let settings = Settings { max_record_bytes: 2000, ..settings() };
    let expected = whole(&input, &settings);
    assert!(expected.iter().any(|line| line.contains("it is longer than 2,000 bytes")));
    for cut in (1..text.len() as u64).step_by(7) {
        let (report, _) = merged(&pieces(&input, None, text.len() as u64, &[cut]), &settings, 40);
        same(&report, &expected, &format!("cut at {cut}"));
    }
}

#[test]
fn known_findings_and_repairs_are_those_of_one_machine() {
    let games = GAMES.repeat(40);
    let input = input(&games, Format::Pgn);
    let mut fingerprints = Vec::new();
    for line in whole(&input, &settings()) {
        let number = line.split("\"fingerprint\":").nth(1).and_then(|rest| rest.split(',').next()?.parse::<u64>().ok());
        fingerprints.extend(number);
    }
    let settings = Settings { known: fingerprints.into_iter().step_by(2).collect(), ..settings() };
    let expected = whole(&input, &settings);
    let cuts = [5000, 9000, 13_000];
    let (report, _) = merged(&pieces(&input, None, games.len() as u64, &cuts), &settings, 400);
    same(&report, &expected, "with known findings");
}

/// Few findings of a kind are reported one by one, many only once. A shard sees only some of them.
#[test]
fn groups_are_as_large_as_in_the_whole_input() {
    for games in 17..=22 {
        let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(games);
        let input = input(text.as_bytes(), Format::Pgn);
        let expected = whole(&input, &settings());
        let size = text.len() as u64;
        for cut in [size / 3, size - 60] {
            let (report, _) = merged(&pieces(&input, None, size, &[cut]), &settings(), 0);
            same(&report, &expected, &format!("{games} games, cut at {cut}"));
        }
        let (report, _) = merged(&pieces(&input, None, size, &[]), &settings(), 0);
        same(&report, &expected, &format!("{games} games, not cut"));
    }
}

/// Parts are input: whatever they contain, the error is one of the part.
#[test]
fn a_damaged_part_is_an_error_and_nothing_else() {
    let games = GAMES.repeat(3);
    let input = input(&games, Format::Pgn);
    let shards = pieces(&input, None, games.len() as u64, &[900]);
    let audit = Audit::new(settings());
    let stop = AtomicBool::new(false);
    let mut lines = Vec::new();
    let end = audit.shard_with(&shards[0], &mut lines, &(), &stop, 40).unwrap().unwrap();
    let text = String::from_utf8(lines).unwrap();
    let damaged = [
        text[..text.len() / 2].to_owned(),
        text.lines().skip(1).map(|line| format!("{line}\n")).collect(),
        text.lines().rev().map(|line| format!("{line}\n")).collect(),
        text.replace("\"finding\"", "\"founding\""),
        text.replace("\"bytes\":", "\"bytes\":1844674407370955"),
        text.replace("\"rule\":\"", "\"rule\":\"X"),
        "\0\0".to_owned(),
    ];
    for (number, lines) in damaged.iter().enumerate() {
        let part = || Part { lines: Box::new(Cursor::new(lines.as_bytes())), end: end.clone() };
        let merged =
            audit.merge_with(&shards[..1], &mut |_| Ok(part()), (&mut ReportLines::default(), &()), &stop, &mut |_| {}, 40);
        assert!(matches!(merged, Err(MergeError::Part { shard: 0, .. })), "{number}: {merged:?}");
    }
}

/// A part with the lines of another piece, or fewer of them, is refused, whoever opens it.
#[test]
fn a_part_of_something_else_is_refused() {
    let games = GAMES.repeat(3);
    let input = input(&games, Format::Pgn);
    let shards = pieces(&input, None, games.len() as u64, &[900]);
    let audit = Audit::new(settings());
    let stop = AtomicBool::new(false);
    let part = |shard: &Shard| {
        let mut lines = Vec::new();
        let end = audit.shard_with(shard, &mut lines, &(), &stop, 40).unwrap().unwrap();
        (String::from_utf8(lines).unwrap(), end)
    };
    let [(first, first_end), (second, second_end)] = [part(&shards[0]), part(&shards[1])];
    let fewer = first.lines().filter(|line| !line.contains("\"finding\"")).map(|line| format!("{line}\n")).collect();
    for (lines, end, expected) in [
        (second.clone(), &first_end, "it contains another piece of `input` than the plan gives to this shard"),
        (second, &second_end, "it contains another piece of `input` than the plan gives to this shard"),
        (first.clone(), &second_end, "its manifest says that its piece of `input` has another length than its lines"),
        (fewer, &first_end, "the number of findings in its lines is 0, but its manifest says "),
        (first.replace("Ke3", "Kf3"), &first_end, "its lines have another digest than its manifest says"),
        (String::new(), &first_end, "`input` is missing, although the plan gives it to this shard"),
    ] {
        let part = || Part { lines: Box::new(Cursor::new(lines.as_bytes())), end: end.clone() };
        let fault = part().check(&shards[0]).unwrap_err().to_string();
        assert!(fault.starts_with(expected), "{fault}");
        let mut again = 0;
        let merged = audit.merge_with(
            &shards[..1],
            &mut |_| Ok(part()),
            (&mut ReportLines::default(), &()),
            &stop,
            &mut |_| again += 1,
            40,
        );
        // A piece that seems to begin elsewhere is audited again, so its part is not read.
        let is_refused = matches!(&merged, Err(MergeError::Part { shard: 0, source }) if source.to_string() == fault);
        assert!(is_refused || again == 1, "{expected}: {merged:?}");
    }
}

/// The longest lines that a part may have are much shorter than the maximum.
#[test]
fn lines_of_parts_are_short_whatever_the_records_contain() {
    let glued = (0..12_000).map(|number| format!("{}. N{}6", number + 2, if number % 2 == 0 { "g1 Ng8" } else { "f3 Nf" }));
    let glued = glued.collect::<String>();
    let long = "long word ".repeat(1 << 18);
    let text = format!(
        "[Event \"glued\"]\n\n1. Nf3 Nf6{glued} *\n\n[Event \"{long}\"]\n[White \"{long}\"]\n\n1. e4 {{ {long} }} Ke3 *\n\n\
         [{long}]\n\n1. {} *\n\n1. e4 {long} *\n",
        "\u{fc}x".repeat(1 << 20),
    );
    let shard = Shard::Inputs(vec![WholeInput { input: input(text.as_bytes(), Format::Pgn), size: None }]);
    let mut lines = Vec::new();
    Audit::new(settings()).shard(&shard, &mut lines, &(), &AtomicBool::new(false)).unwrap().unwrap();
    let longest = lines.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or_default() as u64;
    // Most of it are the patches of a finding, which shows that the text has what makes lines long.
    assert!((500_000..MAX_LINE / 20).contains(&longest), "{longest}");
}

#[test]
fn a_line_has_a_maximum_length() {
    let shard = Shard::Inputs(Vec::new());
    for (length, expected) in [(MAX_LINE, "line 1: expected value"), (MAX_LINE + 1, "line 1 has more than 16 MiB")] {
        // After the line, there is much more than memory.
        let lines = std::io::Read::chain(std::io::Read::take(std::io::repeat(b'x'), length - 1), &b"\n"[..]);
        let lines = std::io::BufReader::new(std::io::Read::chain(lines, std::io::repeat(b'x')));
        let fault = Part { lines: Box::new(lines), end: super::PartEnd::default() }.check(&shard).unwrap_err();
        assert!(fault.to_string().starts_with(expected), "{fault}");
        assert_eq!(matches!(fault, PartFault::LongLine { line: 1 }), length > MAX_LINE);
    }
}
