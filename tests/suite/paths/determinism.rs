//! What an audit tells does not depend on threads, on where the input is cut, or on how it is read.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use crate::common::extent::{part, stride};
use crate::common::{AuditResult, audit, audit_text, everything, games::game};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Progress, Settings},
    record::Counts,
    rules::{Profile, Selection, Severity},
    text::Format,
};
use proptest::prelude::*;

/// Pieces of PGN, each of them trouble for whoever cuts or reads ahead.
const PIECES: &[&[u8]] = &[
    b"[Event \"Good\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
    b"[Event \"Wrong\"]\r\n[White \"A\"]\r\n\r\n1. e4 e5 2. Ke3 Nf6 3. d4 0-1\r\n\r\n",
    b"[Event \"Old\"]\r[Site \"?\"]\r\r1. d4 d5 2. c5 *\r\r",
    b"{ a comment that quotes a game\n\n[Event \"quoted\"]\n[Site \"?\"]\n\n1. e4 *\n} ",
    b"1. e4 { never closed\n\n",
    b"1. e4 e5 a remark 2 that ( has no opening brace } 2. Nf3 *\n",
    b"{ never closed [Event \"no\"] [Event \"neither\"]\n[Event \"this one\"]\n",
    b"1. e4 (1. d4 d5 (1... Nf6 2. c4\n",
    b"(((((1. c4 ) 1-0\n",
    b") ) } ]\n",
    b"\xEF\xBB\xBF[Event \"After a BOM\"]\n\n1. Nf3+ *\n",
    b"\n\xEF\xBB\xBF[Event \"After a blank line and a BOM\"]\n\n1. Nf3 *\n",
    b"\xEF\xBB\xBF",
    b"\n\xEF\xBB\xBF\xEF\xBB\xBF[Event \"After two\"]\n",
    b"From: someone@example.org\nSubject: games\n\nDear friends, here are 2 games.\n\n",
    b"[Event \"Tags alone\"]\n[Result \"*\"]\n\n",
    b"1. e4 e5 0-1 1. d4 d5 1-0 1. c4 *\n",
    b"1-0 1. e4 e5 0-1\n",
    b"1-0\n2. Nf3 Nf6\n",
    b"[Event \"Gaps\"]\n\n[Site \"?\"]\n\n\n[Round \"?\"]\n\n1. e4 *\n",
    b"[White \"A\"]\n[Event \"Second\"]\n[Event \"Third\"]\n",
    b"% an escape { ( [Event \"escaped\"]\n",
    b"\n%[Event \"escaped\"]\n1. e4\n",
    b"; to the end { of the line (\n",
    b"\x00\x01\x1A\x7F\x00",
    b"[White \"J\xFCrgen M\xFCller\"]\n",
    b"[White \"J\xC3\xBCrgen\"]\n",
    b"[Event \"no quote]\n[Site no quotes]\n[\n[]\n[ \"x\"]\n[Round\"1\"]\n[Date \"a \"b\" c\"]\n",
    b"[Event Foo]\n",
    b"[ Event \"blank inside\"]\n",
    b"   [Event \"indented\"]\n\t[Site \"?\"]\n",
    b"[%clk 0:01:00] 1. e4 [%clk 0:02:00]\n",
    b"1.e4 e5 2 . Nf3 ... Nc6 3. B b5 a 6 1 - 0\n",
    b"3. e4 17... e5 0000. xyzzy blah ?! !! $3 $999\n",
    b"1. f3 e5 2. g4 Qh4 3. e3 0-1\n",
    b"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5 4. Be2 Qe4 5. 0-0 0-0\n",
    b"Qd8+ Kf1# Rxe9 -- Z0 bxc3 e8Q exd6 e.p. O-O-O-O\n",
    b"1/2 \xBD-\xBD 1:0 0-0 ***\n",
    b"\r", b"\n", b"\r\n", b"\n\n", b"\r\r", b"\r\n\r\n", b" \n \t\n", b" ", b"\n\n\n\n",
    b"[", b"[E", b"{", b"}", b"*", b"1", b"1.", b"\"", b"\\\"", b"\xEF", b"\xBB\xBF", b"[Event \"",
];

/// Pieces of position lines.
const LINES: &[&[u8]] = &[
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";",
    b"8/8/8/8/8/8/8/8 w - -",
    b"4k3/8/8/8/8/8/8/4K3 w KQkq e6 99 0 extra",
    b"not a position at all",
    b"# a comment",
    b"%",
    b"\xEF\xBB\xBF4k3/8/8/8/8/8/8/4K3 b - - 0 1",
    b"4k3/8/8/8/8/8/8/4K3 w - - id \"J\xFCrgen\";",
    b"4k3/8/8/8/8/8/8/4K3 w - - id \"J\xC3\xBCrgen\";",
    b"\x00\x1A",
    b"",
    b" ",
    b"\t",
    b"9/8/8 x",
    b"epd 4k3/8/8/8/8/8/8/4K2R w K -",
    b"perft 1 15",
    b"perft 2 67",
    b"id next",
    b"perft 1 5",
    b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e2e4; id \"twice\";",
    b"4k3/8/8/8/8/8/3P4/4K3 w - - bm d4; id \"twice\";",
    b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4, e3; dm 1; id start;",
    b"4k3/8/8/8/8/8/4P3/4K3 w - - D1 6 ;D2 31",
];

const LINE_ENDS: &[&[u8]] = &[b"\n", b"\r\n", b"\r", b"\n\n", b"\r\r\n", b"\n\r", b""];

/// Everything an audit tells, the name of the input and wording alike, line by line.
fn audit_result(source: Source, format: Format, settings: Settings) -> Vec<String> {
    let input = Input { name: "input".to_owned(), source, format: Some(format), scanned: false };
    let audit_result = audit(vec![input], settings);
    let mut lines = audit_result.lines();
    lines.extend(audit_result.inputs.iter().map(|input| format!("{input:?}")));
    lines.extend(audit_result.failures.iter().map(|failure| format!("{failure:?}")));
    lines.push(format!("{:?}", audit_result.summary));
    lines
}

/// A text, in memory and in a file: the file is read as a stream when it is not mapped, as standard
/// input is.
struct Text {
    bytes: Arc<[u8]>,
    file: tempfile::NamedTempFile,
    format: Format,
    settings: Settings,
}

impl Text {
    fn new(bytes: &[u8], format: Format) -> Text {
        Text::with(bytes, format, everything())
    }

    fn with(bytes: &[u8], format: Format, settings: Settings) -> Text {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        file.write_all(bytes).expect("it can be written");
        Text { bytes: Arc::from(bytes), file, format, settings }
    }

    fn whole(&self, chunk_bytes: usize, threads: usize) -> Vec<String> {
        let source = Source::Bytes(Arc::clone(&self.bytes).into());
        audit_result(source, self.format, Settings { chunk_bytes, threads, map: true, ..self.settings.clone() })
    }

    fn stream(&self, chunk_bytes: usize, threads: usize) -> Vec<String> {
        let source = Source::File(self.file.path().to_owned());
        audit_result(source, self.format, Settings { chunk_bytes, threads, map: false, ..self.settings.clone() })
    }

    /// Read from its first byte to its last in one go.
    fn uncut(&self) -> Vec<String> {
        self.whole(usize::MAX, 1)
    }
}

#[track_caller]
fn same(audit_result: &[String], uncut: &[String], how: &str) {
    if let Some((audit_result, uncut)) = audit_result.iter().zip(uncut).find(|(audit_result, uncut)| audit_result != uncut) {
        panic!("{how}:\n{audit_result}\ninstead of\n{uncut}");
    }
    assert_eq!(audit_result.len(), uncut.len(), "{how}: more or fewer lines");
}

/// All pieces, each behind a game that has ended and each in the movetext of one that has begun.
pub fn hostile() -> Vec<u8> {
    let mut text = Vec::new();
    for piece in PIECES {
        text.extend_from_slice(piece);
        text.extend_from_slice(b"\n[Event \"Next\"]\n\n1. e4 c5 *\n");
    }
    for piece in PIECES {
        text.extend_from_slice(b"\n\n[Event \"Open\"]\n\n1. e4 {brace} ");
        text.extend_from_slice(piece);
    }
    text.extend_from_slice(b"\n\n[Event \"Last\"]\n\n1. d4 {brace} d5 2.");
    text
}

pub fn hostile_lines() -> Vec<u8> {
    let mut text = Vec::new();
    for (index, line) in LINES.iter().chain(LINES).enumerate() {
        text.extend_from_slice(line);
        text.extend_from_slice(LINE_ENDS[index % LINE_ENDS.len()]);
    }
    text
}

/// Games that fill more than what is read of a stream to tell what it holds, so that what follows
/// is read in windows.
fn filler() -> Vec<u8> {
    let mut text = Vec::new();
    for number in 0.. {
        if text.len() > 70_000 {
            break;
        }
        let game = game(number);
        if game.moves.len() < 60 {
            text.extend_from_slice(game.plain().as_bytes());
        }
    }
    text
}

#[test]
fn the_hostile_text_is_hostile() {
    let uncut = Text::new(&hostile(), Format::Pgn).uncut();
    assert!(uncut.len() > 100, "{} lines are reported", uncut.len());
    let missing: Vec<&str> =
        ["ENC03", "ENC05", "ENC06", "SYN01", "SYN02", "SYN05", "SYN07", "SYN08", "SYN10", "MOV01", "RES01", "RES02", "TAG03"]
            .into_iter()
            .filter(|code| !uncut.iter().any(|line| line.contains(&format!("\"rule\":\"{code}\""))))
            .collect();
    assert!(missing.is_empty(), "{missing:?} do not fire on it");
    assert!(hostile().len() > 3000);
}

#[test]
fn games_may_be_cut_at_every_byte() {
    let text = Text::new(&hostile(), Format::Pgn);
    let uncut = text.uncut();
    // Each byte begins a chunk: it is a multiple of a size up to an eighth of the text, or a prime.
    let length = text.bytes.len();
    let sizes = (1..=length / 8).chain((length / 8 + 1..length).filter(|size| is_prime(*size)));
    for chunk_bytes in sizes.step_by(stride()).chain([length, length + 1]) {
        same(&text.whole(chunk_bytes, 1), &uncut, &format!("chunks of {chunk_bytes} bytes"));
    }
}

fn is_prime(number: usize) -> bool {
    (2..number).take_while(|divisor| divisor * divisor <= number).all(|divisor| !number.is_multiple_of(divisor))
}

/// Lines that are about the line before them, and ids that return, far from one another and close
/// by.
pub fn lines_that_belong_together() -> Vec<u8> {
    let mut text = Vec::new();
    for number in 0..6 {
        text.extend_from_slice(b"id x\nepd 4k3/8/8/8/8/8/8/4K2R w K -\r\nperft 1 15\n# between\n\nperft 2 67\rperft 3 1198\n\n");
        let file = b"abcdef"[number];
        text.extend_from_slice(format!("4k3/8/8/8/8/8/{number}P{}/4K3 w - - id \"same\";\n", 7 - number).as_bytes());
        text.extend_from_slice(format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{}\"; bm e4;\n", char::from(file)).as_bytes());
        text.extend_from_slice(format!("4k3/8/8/8/8/8/{}P{number}/4K3 w - - id \"c\";\n", 7 - number).as_bytes());
    }
    text
}

#[test]
fn lines_that_belong_together_may_be_cut_at_every_byte() {
    let text = Text::new(&lines_that_belong_together(), Format::Epd);
    let uncut = text.uncut();
    let audit_result = |code: &str| uncut.iter().filter(|line| line.contains(&format!("\"rule\":\"{code}\""))).count();
    assert_eq!((audit_result("EPD17"), audit_result("EPD18")), (2, 12), "{uncut:#?}");
    for chunk_bytes in (1..=text.bytes.len() + 1).step_by(stride()) {
        same(&text.whole(chunk_bytes, 1 + chunk_bytes % 2), &uncut, &format!("chunks of {chunk_bytes} bytes"));
        same(&text.stream(chunk_bytes, 1 + chunk_bytes % 2), &uncut, &format!("stream, chunks of {chunk_bytes} bytes"));
    }
}

#[test]
fn position_lines_may_be_cut_at_every_byte() {
    let text = Text::new(&hostile_lines(), Format::Epd);
    let uncut = text.uncut();
    for chunk_bytes in (1..=text.bytes.len() + 1).step_by(stride()) {
        same(&text.whole(chunk_bytes, 1), &uncut, &format!("chunks of {chunk_bytes} bytes"));
        same(&text.stream(chunk_bytes, 1), &uncut, &format!("stream, chunks of {chunk_bytes} bytes"));
    }
}

#[test]
fn threads_make_no_difference() {
    // A token at the end of a chunk is not the end of the text.
    let cut_off = Text::new(&[&filler()[..], b"[Event \"Last\"]\n\n1. d4 d5 2. Nb"].concat(), Format::Pgn);
    assert!(cut_off.uncut().iter().any(|line| line.contains("\"rule\":\"SYN14\"")));
    for text in [Text::new(&hostile(), Format::Pgn), Text::new(&hostile_lines(), Format::Epd), cut_off] {
        let uncut = text.uncut();
        for chunk_bytes in (1..=64).chain([97, 256, 1000, 4096, 1 << 16, 4 << 20]) {
            for threads in [2, 8] {
                same(&text.whole(chunk_bytes, threads), &uncut, &format!("{threads} threads, chunks of {chunk_bytes} bytes"));
                same(&text.stream(chunk_bytes, threads), &uncut, &format!("{threads} threads, stream, {chunk_bytes} bytes"));
            }
        }
    }
}

#[test]
fn streams_may_be_cut_at_every_byte() {
    // The head of a stream is looked at as a whole; behind the filler it is read in windows.
    let text = Text::new(&[filler(), hostile()].concat(), Format::Pgn);
    let uncut = text.uncut();
    for chunk_bytes in (1..=200).chain((201..=hostile().len()).step_by(13)).step_by(stride()).chain([1 << 16, 4 << 20]) {
        let threads = [1, 2, 8][chunk_bytes % 3];
        same(&text.stream(chunk_bytes, threads), &uncut, &format!("stream, {threads} threads, chunks of {chunk_bytes} bytes"));
    }
}

/// Infos that are reported once per input are only counted in later chunks. A chunk that begins in
/// a comment is thrown away.
#[test]
fn infos_after_a_wrong_guess_are_reported() {
    let game = |moves: &str| {
        format!(
            "[Event \"x\"]\n[Site \"y\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"A, B\"]\n[Black \"C, D\"]\n\
             [Result \"1/2-1/2\"]\n\n{moves} 1/2-1/2\n\n"
        )
    };
    let (clean, glued) = (game("1. e4 e5 2. Nf3 Nc6"), game("1.e4 e5 2.Nf3 Nc6"));
    let quoting = game(&format!("1. e4 {{see\n\n{}}} 1... e5 2. Nf3 Nc6", glued.repeat(4)));
    let text = [clean.repeat(6), quoting, clean.repeat(3), glued.repeat(5)].concat();
    let settings = Settings { selection: Selection::of(Profile::Strict), ..Settings::default() };
    let text = Text::with(text.as_bytes(), Format::Pgn, settings);
    let uncut = text.uncut();
    let is_counted = |line: &String| line.contains("NUM05") && line.contains("5 times in this input");
    assert!(uncut.iter().any(is_counted), "{uncut:#?}");
    for chunk_bytes in (150..text.bytes.len()).step_by(41) {
        for threads in [1, 2] {
            let how = format!("{threads} threads, chunks of {chunk_bytes} bytes");
            same(&text.whole(chunk_bytes, threads), &uncut, &how);
            same(&text.stream(chunk_bytes, threads), &uncut, &format!("stream, {how}"));
        }
    }
}

#[test]
fn a_comment_longer_than_what_is_read_ahead_is_one_comment() {
    let mut bytes = filler();
    for (opens, closes) in [("1. e4 {", "} e5 *\n\n"), ("1. e4 {", "\n\n"), ("(", ")\n*\n"), ("1. e4 ", "\n"), ("{", "}")] {
        bytes.extend_from_slice(b"[Event \"Long\"]\n\n");
        bytes.extend_from_slice(opens.as_bytes());
        bytes.extend(b"many words 1. e4 Nf3 \n".iter().cycle().take(150_000));
        bytes.extend_from_slice(closes.as_bytes());
        bytes.extend(std::iter::repeat_n(b' ', 9_000));
        bytes.extend_from_slice(b"\n[Event \"After it\"]\n\n1. e4 Ke7 *\n");
    }
    let text = Text::new(&bytes, Format::Pgn);
    let uncut = text.uncut();
    for chunk_bytes in [1, 100, 5000, 60_000, 1 << 20] {
        same(&text.whole(chunk_bytes, 2), &uncut, &format!("chunks of {chunk_bytes} bytes"));
        same(&text.stream(chunk_bytes, 2), &uncut, &format!("stream, chunks of {chunk_bytes} bytes"));
    }
}

/// Records that are too large, each after a game or line with a fault, and one such game or line at
/// the end. Also where they begin.
fn too_large(parts: &[(&str, &str, &str)], faulty: &str) -> (Vec<u8>, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::new());
    for (opens, repeated, closes) in parts {
        text.push_str(faulty);
        starts.push(text.len());
        text.push_str(opens);
        text.push_str(&repeated.repeat(20_000 / repeated.len()));
        text.push_str(closes);
    }
    text.push_str(faulty);
    (text.into_bytes(), starts)
}

#[test]
fn only_records_that_are_too_large_are_not_checked() {
    const MAX: usize = 5000;
    let header = "[Event \"Long\"]\n\n1. e4 ";
    let in_comment = [header, "{"].concat();
    let games = [
        (header, "e5 ", "*\n\n"),
        (&in_comment, "many words\n", "} e5 *\n\n"),
        (&in_comment, "never closed ", "\n\n"),
        (header, "(1. d4 ", "\n\n"),
        (header, "{c} ", "*\n\n"),
        (header, "   ", "*\n\n"),
        (header, "x", " *\n\n"),
        ("", "[A \"b\"]\n", "\n1. e4 *\n\n"),
    ];
    let place = "8/8/8/8/8/8/8/8 w - - ";
    let lines = [(place, "0 ", "\n"), (place, "c0 \"a b\"; ", "\r\n"), ("# ", "#", "\r"), ("", " ", "\n"), ("", "\u{E9}", "\n")];
    for ((bytes, starts), format, code) in [
        (too_large(&games, "[Event \"Faulty\"]\n\n1. e4 Ke7 *\n\n"), Format::Pgn, "MOV01"),
        (too_large(&lines, "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\n"), Format::Epd, "CAS02"),
    ] {
        let text = Text::with(&bytes, format, Settings { max_record_bytes: MAX, ..everything() });
        let uncut = text.uncut();
        let faults = uncut.iter().filter(|line| line.contains(&format!("\"rule\":\"{code}\""))).count();
        assert_eq!(faults, starts.len() + 1, "{uncut:#?}");
        let failures: Vec<&String> = uncut.iter().filter(|line| line.starts_with("Failure ")).collect();
        let expected: Vec<String> = starts
            .iter()
            .map(|start| {
                let message = "the record that begins here was not checked: it is longer than 5,000 bytes";
                format!("Failure {{ input: \"input\", byte: Some({start}), stage: \"read\", message: {message:?} }}")
            })
            .collect();
        assert_eq!(failures, expected.iter().collect::<Vec<_>>());
        for chunk_bytes in [1, 100, 1000, MAX - 1, MAX, MAX + 1, 60_000, 1 << 20] {
            for threads in [1, 2, 8] {
                same(&text.whole(chunk_bytes, threads), &uncut, &format!("{threads} threads, chunks of {chunk_bytes} bytes"));
                same(&text.stream(chunk_bytes, threads), &uncut, &format!("{threads} threads, stream, {chunk_bytes} bytes"));
            }
        }
    }
}

#[test]
fn a_record_of_the_maximum_length_is_checked() {
    for (format, record) in
        [(Format::Pgn, "[Event \"Faulty\"]\n\n1. e4 Ke7 *\n\n"), (Format::Epd, "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\n")]
    {
        let long = record.replacen(' ', &" ".repeat(5000 - record.len() + 1), 1);
        let text = [long.as_str(), record].concat();
        // What follows has to be looked at, too.
        let checked = |max_record_bytes| {
            let text = Text::with(text.as_bytes(), format, Settings { max_record_bytes, ..everything() });
            let lines = text.uncut();
            same(&text.stream(700, 2), &lines, "stream");
            !lines.iter().any(|line| line.starts_with("Failure "))
        };
        assert_eq!([long.len() - 1, long.len() + 1024].map(checked), [false, true], "{format:?}");
    }
}

/// Counts chunks.
#[derive(Default)]
struct Chunks(AtomicUsize);

impl Progress for Chunks {
    fn advanced(&self, _: Counts) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn found(&self, _: u64) {}
}

#[test]
fn chunks_end_without_blank_lines() {
    let game = "[Event \"a\"]\n[Site \"b\"]\n1. e4 e5 2. Ke3 *\n";
    let without_tags = "1. e4 e5 2. Ke3 1/2-1/2\n";
    for game in [
        game.to_owned(),
        game.replace('\n', "\r\n"),
        game.replace('\n', " "),
        without_tags.to_owned(),
        without_tags.replace('\n', " "),
    ] {
        let text = Text::new(game.repeat(1000).as_bytes(), Format::Pgn);
        let uncut = text.uncut();
        assert_eq!(uncut.iter().filter(|line| line.contains("\"rule\":\"MOV01\"")).count(), 1000, "{game:?}");
        same(&text.whole(1000, 2), &uncut, &game);
        same(&text.stream(1000, 2), &uncut, &game);
        for map in [true, false] {
            let source = Source::File(text.file.path().to_owned());
            let input = Input { name: "input".to_owned(), source, format: Some(Format::Pgn), scanned: false };
            let chunks = Chunks::default();
            let settings = Settings { chunk_bytes: 1000, threads: 2, map, ..everything() };
            Audit::new(settings)
                .run(vec![input], &mut AuditResult::default(), &chunks, &AtomicBool::new(false))
                .expect("this sink takes everything");
            let (chunks, expected) = (chunks.0.into_inner(), text.bytes.len() / 1000);
            assert!((expected / 2..=expected + 1).contains(&chunks), "{game:?}: {chunks} chunks of {} bytes", text.bytes.len());
        }
    }
}

#[test]
fn a_record_with_too_many_parts_is_not_checked() {
    let game = |parts: &str| format!("[Event \"Large\"]\n{parts} *\n\n[Event \"Next\"]\n\n1. e4 Ke7 *\n");
    let line = |parts: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - {parts}\n4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\n");
    for (format, text, reason) in [
        (Format::Pgn, game(&"[A \"b\"]\n".repeat(100_001)), "100,000 tag pairs"),
        (Format::Pgn, game(&("\n".to_owned() + &"Nf3 Nf6 Ng1 Ng8 ".repeat(250_001))), "1,000,000 plies"),
        (
            Format::Pgn,
            game(&("\n1. e4 ".to_owned() + &"{[%emt 0:00:01]} ".repeat(100_001))),
            "100,000 times, evaluations or judgements",
        ),
        (Format::Epd, line(&"a;".repeat(100_001)), "100,000 opcodes and operands"),
        (Format::Epd, line(&("bm ".to_owned() + &"Kd1 ".repeat(100_001) + ";")), "100,000 opcodes and operands"),
        (Format::Epd, line(&("bm ".to_owned() + &"Kd1,".repeat(100_001) + ";")), "100,000 opcodes and operands"),
        (Format::Epd, line(&("c0 \"Kd1=1".to_owned() + &",Kd1=1".repeat(100_001) + "\";")), "100,000 opcodes and operands"),
    ] {
        let audit_result = audit_text(text.as_bytes(), format);
        let failures: Vec<_> = audit_result.failures.iter().map(|failure| (failure.byte, failure.message.as_str())).collect();
        let message = format!("the record that begins here was not checked: it contains more than {reason}");
        assert_eq!(failures, [(Some(0), message.as_str())]);
        let place = text.find(if format == Format::Pgn { "Ke7" } else { "KQ " }).expect("it is there");
        assert_eq!(audit_result.findings.iter().filter(|(_, finding)| finding.severity == Severity::Error).count(), 1);
        assert!(audit_result.findings.iter().all(|(_, finding)| finding.place.start + 200 > place), "{:?}", audit_result.codes());
    }
}

/// Texts made of pieces in any order.
fn mixed(pieces: &'static [&'static [u8]], ends: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    let piece = (prop::sample::select(pieces), prop::sample::select(ends));
    prop::collection::vec(piece, 1..24)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, end)| [piece, end].concat()).collect())
}

const ENDS: &[&[u8]] = &[b"", b"", b"\n", b"\n\n", b"\r\n\r\n", b" ", b"\r", b"\n[Event \"Good\"]\n\n1. e4 *\n\n", b"1-0\n\n"];

proptest! {
    #![proptest_config(ProptestConfig { cases: part(400) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mixed_games(bytes in mixed(PIECES, ENDS), chunk_bytes in prop::collection::vec(1..400usize, 4), threads in prop::sample::select(&[1usize, 2, 8])) {
        let text = Text::new(&bytes, Format::Pgn);
        let uncut = text.uncut();
        for chunk_bytes in chunk_bytes {
            prop_assert_eq!(&text.whole(chunk_bytes, threads), &uncut, "chunks of {} bytes", chunk_bytes);
            prop_assert_eq!(&text.stream(chunk_bytes, threads), &uncut, "stream, chunks of {} bytes", chunk_bytes);
        }
    }

    #[test]
    fn mixed_position_lines(bytes in mixed(LINES, LINE_ENDS), chunk_bytes in 1..200usize, threads in prop::sample::select(&[1usize, 2, 8])) {
        let text = Text::new(&bytes, Format::Epd);
        let uncut = text.uncut();
        prop_assert_eq!(&text.whole(chunk_bytes, threads), &uncut, "chunks of {} bytes", chunk_bytes);
        prop_assert_eq!(&text.stream(chunk_bytes, threads), &uncut, "stream, chunks of {} bytes", chunk_bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: part(40) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mixed_games_in_windows_of_a_stream(bytes in mixed(PIECES, ENDS), chunk_bytes in prop::collection::vec(1..3000usize, 3)) {
        let text = Text::new(&[filler(), bytes].concat(), Format::Pgn);
        let uncut = text.uncut();
        for chunk_bytes in chunk_bytes {
            prop_assert_eq!(&text.stream(chunk_bytes, 2), &uncut, "stream, chunks of {} bytes", chunk_bytes);
        }
    }
}

// --- the program --------------------------------------------------------------------------------

/// Name and content of every file of a report.
fn report(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(directory).expect("the report is there");
    files
        .map(|file| {
            let path = file.expect("its entries can be read").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read(&path).expect("its files can be read"))
        })
        .collect()
}

#[test]
fn reports_are_the_same_byte_for_byte() {
    let home = tempfile::tempdir().expect("a temporary directory can be made");
    for (name, bytes) in [("games.pgn", [hostile(), filler(), hostile()].concat()), ("lines.epd", hostile_lines())] {
        fs::write(home.path().join(name), &bytes).expect("the input can be written");
        let check = |options: &[&str]| {
            let output = home.path().join("report");
            let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_chess-audit"));
            command.current_dir(home.path()).args([
                "check",
                "--quiet",
                "--profile",
                "export",
                "--fail-on",
                "never",
                "-o",
                "report",
            ]);
            command.args(options);
            if options.contains(&"-") {
                command.write_stdin(bytes.clone());
            }
            command.assert().code(0);
            report(&output)
        };
        let first = check(&[name, "--threads", "1"]);
        assert!(first.len() > 5, "the report is whole");
        let format = if name.ends_with("pgn") { "pgn" } else { "epd" };
        for threads in ["1", "2", "8"] {
            for size in ["1", "1000", "4194304"] {
                let options = ["--threads", threads, "--chunk-size", size];
                for how in [&[name][..], &[name, "--no-mmap"], &["-", "--stdin-name", name]] {
                    let options = [how, &options[..]].concat();
                    let other = check(&options);
                    assert_eq!(other.keys().collect::<Vec<_>>(), first.keys().collect::<Vec<_>>(), "{format}: {options:?}");
                    for (file, content) in &first {
                        assert!(other[file] == *content, "{format}: {file} differs with {options:?}");
                    }
                }
            }
        }
    }
}
