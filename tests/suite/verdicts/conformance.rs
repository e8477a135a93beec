//! The conformance suite in `fixtures/conformance`: the samples of all rules as files, and a list
//! of what is known about them.
//! `UPDATE=1 cargo test --test suite conformance` writes both.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    common::{audit_text, fixture, line},
    verdicts::rules::audit_sample,
};
use chess_audit::internals::{
    rules::{Finding, RULES, Sample, Severity},
    text::Format,
};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, fen::Fen};

type Outcome = Result<(), Box<dyn Error>>;

/// The sentences that faults of severity `error` break: codes or families, where the sentence is,
/// and the sentence. PGN is the PGN standard of 1994, FIDE the Laws of Chess of 2023.
const SENTENCES: &[(&[&str], &str, &str)] = &[
    (
        &["CAS"],
        "FIDE 3.8.2.1",
        "The right to castle has been lost: if the king has already moved, or with a rook that has already moved.",
    ),
    (
        &["CTR01", "CTR02"],
        "PGN 16.1.3.5",
        "This number is the count of halfmoves (or ply) since the last pawn advance or capturing move.",
    ),
    (&["ENC01"], "PGN 4.1", "PGN data is represented using a subset of the eight bit ISO 8859/1 (Latin 1) character set."),
    (
        &["EPD02"],
        "PGN 16.2.4.1",
        "An opcode is an identifier that starts with a letter character and may be followed by up to fourteen more characters. \
         Each additional character may be a letter or a digit or the underscore character.",
    ),
    (
        &["EPD03"],
        "PGN 16.2.4",
        "An EPD operation is composed of an opcode followed by zero or more operands and is concluded by a semicolon.",
    ),
    (
        &["EPD04"],
        "PGN 16.2.4.1",
        "A string is a set of contiguous printing characters delimited by a quote character at each end.",
    ),
    (
        &["EPD08"],
        "PGN 16.2.5.4, 16.2.5.19",
        "The opcode \"bm\" indicates a set of zero or more moves, all immediately playable from the current position. It (\"pv\") \
         has zero or more operands which represent a sequence of moves playable from the position.",
    ),
    (
        &["EPD10"],
        "PGN 16.2.5.3, 16.2.5.4",
        "\"am\": moves that are to be avoided in the opinion of the EPD writer. \"bm\": moves that are judged to the best available \
         by the EPD writer.",
    ),
    (
        &["EPD13"],
        "PGN 16.2.5.7",
        "The \"dm\" opcode is used to indicate the number of fullmoves until checkmate is to be delivered by the active color for \
         the indicated position.",
    ),
    (
        &["EPS01"],
        "PGN 16.1.3.4",
        "Obviously, the rank digit will be \"3\" following a white pawn double advance (Black is the active color) or else be the \
         digit \"6\" after a black pawn double advance (White being the active color).",
    ),
    (
        &["EPS02", "EPS03", "EPS04", "EPS05"],
        "PGN 16.1.3.4",
        "An en passant target square is given if and only if the last move was a pawn advance of two squares and the active color \
         has a legal en passant capture move.",
    ),
    (
        &["FEN01"],
        "PGN 16.1.3, 16.2",
        "A FEN description has six fields. A single EPD uses one text line of variable length composed of four data field followed \
         by zero or more operations.",
    ),
    (
        &["FEN02"],
        "PGN 16.1.3.1",
        "The board contents are specified starting with the eighth rank and ending with the first rank. For each rank, the squares \
         are specified from file a to file h.",
    ),
    (
        &["FEN03"],
        "PGN 16.1.3.1",
        "White pieces are identified by uppercase SAN piece letters (\"PNBRQK\") and black pieces are identified by lowercase SAN \
         piece letters (\"pnbrqk\").",
    ),
    (
        &["FEN05"],
        "PGN 16.1.3.2",
        "A lower case \"w\" is used if White is to move; a lower case \"b\" is used if Black is the active player.",
    ),
    (
        &["FEN06"],
        "PGN 16.1.3.3",
        "If there is no castling availability for either side, the single character symbol \"-\" is used. Otherwise, a combination \
         of from one to four characters are present.",
    ),
    (
        &["FEN07"],
        "PGN 16.1.3.4",
        "If there is no en passant target square then the single character symbol \"-\" appears. If there is an en passant target \
         square then is represented by a lowercase file character immediately followed by a rank digit.",
    ),
    (
        &["FEN08"],
        "PGN 16.1.3.5, 16.1.3.6",
        "The fifth field is a nonnegative integer representing the halfmove clock. The sixth and last field is a positive integer \
         that gives the fullmove number.",
    ),
    (
        &["MOV01", "MOV02", "MOV05", "MOV06", "MOV07", "MOV09", "MOV10"],
        "PGN 8.2",
        "Because illegal moves are not real chess moves, they are not permitted in PGN movetext.",
    ),
    (
        &["MOV03"],
        "PGN 8.2.3.4",
        "In the case of ambiguities (multiple pieces of the same type moving to the same square), the first appropriate \
         disambiguating step of the three following steps is taken.",
    ),
    (
        &["MOV04"],
        "PGN 8.2.3.3",
        "Pawn promotions are denoted by the equal sign \"=\" immediately following the destination square with a promoted piece \
         letter (indicating one of knight, bishop, rook, or queen) immediately following the equal sign.",
    ),
    (&["POS"], "FIDE 3.10.3", "A position is illegal when it cannot have been reached by any series of legal moves."),
    (
        &["RES05"],
        "PGN 8.1.1.7; FIDE 5.1.1",
        "The Result field value is the result of the game. The game is won by the player who has checkmated his opponent's king.",
    ),
    (
        &["RES06"],
        "PGN 8.1.1.7; FIDE 5.2.1",
        "The Result field value is the result of the game. The game is drawn when the player to move has no legal move and his \
         king is not in check.",
    ),
    (
        &["RES16"],
        "PGN 8.1.1.7; FIDE 9.6.1",
        "The Result field value is the result of the game. The game is drawn if the same position has appeared at least five times.",
    ),
    (
        &["SYN02"],
        "PGN 8.1",
        "A tag pair is composed of four consecutive tokens: a left bracket token, a symbol token, a string token, and a right \
         bracket token.",
    ),
    (
        &["SYN04", "SYN14"],
        "PGN 8.2.6",
        "Each movetext section has exactly one game termination marker; the marker always occurs as the last element in the \
         movetext.",
    ),
    (&["SYN05"], "PGN 5", "The second kind starts with a left brace character and continues to the next right brace character."),
    (
        &["SYN07", "SYN08"],
        "PGN 8.2.5",
        "An RAV (Recursive Annotation Variation) is a sequence of movetext containing one or more moves enclosed in parentheses.",
    ),
    (
        &["SYN10"],
        "PGN 8.2",
        "The movetext section is composed of chess moves, move number indications, optional annotations, and a single concluding \
         game termination marker.",
    ),
    (&["TAG03"], "PGN 8.1", "The same tag name should not appear more than once in a tag pair section."),
    (
        &["TAG07"],
        "PGN 8.1.1.3, 9.5.1",
        "The Date tag value gives the starting date for the game. The Time tag denotes the local clock time (hours, minutes, and \
         seconds) of the start of the game.",
    ),
    (&["TAG18"], "PGN 9.7.1", "If it appears with a tag value of \"1\", a FEN tag pair must also appear."),
];

/// Faults of severity `error` that no sentence of the standard or the laws settles, and why.
const OPEN: &[(&str, &str)] = &[
    // "If a given program does not recognize a particular opcode, that operation is simply
    // ignored."
    ("EPD18", "opcodes for perft counts are a convention"),
    ("TRU", "it takes tablebases or an engine to know"),
    ("VAR", "the standard does not know variants"),
    ("EXP", "only the settings say what is expected"),
    ("HSE", "only the settings have house rules"),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Accept,
    Reject,
    Either,
}

impl Verdict {
    fn as_str(self) -> &'static str {
        match self {
            Verdict::Accept => "accept",
            Verdict::Reject => "reject",
            Verdict::Either => "either",
        }
    }
}

/// A row of the list.
#[derive(Serialize, Deserialize)]
struct Entry {
    file: String,
    verdict: Verdict,
    code: String,
    severity: String,
    line: Option<u64>,
    column: Option<u64>,
    byte: Option<usize>,
    ply: Option<u32>,
    /// What is wrong, or why a file may be read in two ways.
    sentence: String,
    expected: String,
    certainty: String,
    /// Where the sentence is that the file breaks, and the sentence.
    source: String,
    quote: String,
}

/// Where the sentence is that a fault of this code breaks, and the sentence.
fn sentence_for(code: &str) -> Option<(&'static str, &'static str)> {
    let named = |codes: &[&str]| codes.iter().any(|named| code.starts_with(named));
    SENTENCES.iter().find(|(codes, ..)| named(codes)).map(|(_, source, quote)| (*source, *quote))
}

/// A fault that a sample shows.
fn entry_of_fault(finding: &Finding) -> Entry {
    let code = finding.rule.code.to_string();
    let (verdict, (source, quote)) = match sentence_for(&code).filter(|_| finding.severity == Severity::Error) {
        Some(sentence) => (Verdict::Reject, sentence),
        None => (Verdict::Either, ("", "")),
    };
    let open = OPEN.iter().find(|(open, _)| code.starts_with(open)).map(|(_, why)| *why);
    assert!(
        finding.severity < Severity::Error || open.is_none() == (verdict == Verdict::Reject),
        "{code} is an error: name the sentence that it breaks in SENTENCES, or why there is none in OPEN"
    );
    Entry {
        file: String::new(),
        verdict,
        code,
        severity: finding.severity.to_string(),
        line: Some(finding.line),
        column: Some(finding.column),
        byte: Some(finding.place.start),
        ply: finding.ply,
        sentence: finding.message.clone(),
        expected: finding.what_is_expected().into_owned(),
        certainty: finding.certainty().map_or(String::new(), |certainty| certainty.as_str().to_owned()),
        source: source.to_owned(),
        quote: quote.to_owned(),
    }
}

/// A file without a fault: a near miss of the rule with this code, or the collection `name`.
fn entry_of_good(code: &str, name: &str, bytes: &[u8], format: Format) -> Entry {
    let is_variant = code.starts_with("VAR") || name.contains("chess960");
    let beyond = if is_variant { Some("it is about variants") } else { beyond_the_standard(bytes, format) };
    Entry {
        file: String::new(),
        verdict: if beyond.is_some() { Verdict::Either } else { Verdict::Accept },
        code: code.to_owned(),
        severity: String::new(),
        line: None,
        column: None,
        byte: None,
        ply: None,
        sentence: beyond.unwrap_or_default().to_owned(),
        expected: String::new(),
        certainty: String::new(),
        source: String::new(),
        quote: String::new(),
    }
}

/// What a file without a fault uses that the standard does not define.
fn beyond_the_standard(bytes: &[u8], format: Format) -> Option<&'static str> {
    let Some(text) = str::from_utf8(bytes).ok().filter(|text| text.is_ascii()) else { return Some("it is not ASCII") };
    if text.bytes().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')) {
        return Some("it contains control characters");
    }
    let lines = || text.split(['\n', '\r']);
    if lines().any(|line| line.len() > 254) {
        return Some("it has lines of more than 255 characters");
    }
    let value =
        |line: &'static str| lines().filter_map(move |text| Some(text.strip_prefix(line)?.split('"').next().unwrap_or_default()));
    let is_chess =
        |variant: &str| matches!(variant.to_ascii_lowercase().as_str(), "standard" | "chess" | "normal" | "from position");
    if value("[Variant \"").any(|variant| !is_chess(variant)) {
        return Some("it is a variant");
    }
    let fens: Vec<&str> = if format == Format::Pgn { value("[FEN \"").collect() } else { lines().collect() };
    let is_position = |fen: &Fen, mode| fen.clone().into_position::<Chess>(mode).is_ok();
    let is_chess960 = |fen: Fen| !is_position(&fen, CastlingMode::Standard) && is_position(&fen, CastlingMode::Chess960);
    if fens.iter().filter_map(|fen| fen.split(' ').take(4).collect::<Vec<_>>().join(" ").parse().ok()).any(is_chess960) {
        return Some("it has castling rights of Chess960");
    }
    if format != Format::Pgn && fens.iter().any(|line| !line.is_empty() && !line.contains('/') || line.starts_with('#')) {
        return Some("it contains lines that are not positions");
    }
    if fens.iter().filter_map(|fen| fen.split(' ').nth(2)).any(|rights| rights.bytes().any(|byte| !b"KQkq-".contains(&byte))) {
        return Some("its castling rights name files of rooks");
    }
    let words = || text.split(|byte: char| byte.is_ascii_whitespace() || byte == '(' || byte == ')');
    if format == Format::Pgn && words().any(|word| matches!(word, "--" | "Z0" | "null")) {
        return Some("it contains null moves");
    }
    None
}

/// Files and rows of the suite, without the files written by hand, which are only listed.
fn suite() -> (BTreeMap<String, Vec<u8>>, Vec<Entry>) {
    let (mut files, mut entries) = (BTreeMap::new(), Vec::new());
    for rule in RULES {
        let code = rule.code.to_string();
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let mut add = |sample: &Sample, mut entry: Entry| {
            let verdict = entry.verdict.as_str();
            let number = numbers.entry(verdict).and_modify(|number| *number += 1).or_insert(1);
            let ending = if sample.is_pgn() { "pgn" } else { "epd" };
            entry.file = format!("{code}-{}/{verdict}-{number}.{ending}", rule.name);
            files.insert(entry.file.clone(), sample.input().0);
            entries.push(entry);
        };
        for sample in rule.fires {
            // `rules.rs` tests that there is exactly one.
            for (_, finding) in audit_sample(rule, *sample).findings.iter().take(1) {
                add(sample, entry_of_fault(finding));
            }
        }
        for sample in rule.silent {
            let format = if sample.is_pgn() { Format::Pgn } else { Format::Epd };
            add(sample, entry_of_good(&code, rule.name, &sample.input().0, format));
        }
    }
    (files, entries)
}

fn format_of(path: &Path) -> Format {
    if path.extension().is_some_and(|ending| ending == "pgn") { Format::Pgn } else { Format::Epd }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// The files that are written by hand: longer ones, without faults.
fn collections() -> Vec<PathBuf> {
    files_below(&fixture("conformance/collections"))
}

fn list(entries: &[Entry]) -> Result<String, Box<dyn Error>> {
    let mut list = csv::Writer::from_writer(Vec::new());
    for entry in entries {
        list.serialize(entry)?;
    }
    Ok(String::from_utf8(list.into_inner()?)?)
}

#[test]
fn the_suite_is_what_the_rules_show() -> Outcome {
    let folder = fixture("conformance");
    let (mut files, mut entries) = suite();
    for path in collections() {
        let bytes = fs::read(&path)?;
        let file = path.strip_prefix(&folder)?.display().to_string();
        let entry = Entry { file: file.clone(), ..entry_of_good("", &file, &bytes, format_of(&path)) };
        let prefix = format!("collections/{}-", entry.verdict.as_str());
        assert!(file.starts_with(&prefix), "{file}: its name must begin with the verdict: {prefix}");
        entries.push(entry);
        files.insert(file, bytes);
    }
    files.insert("list.csv".to_owned(), list(&entries)?.into_bytes());
    let held = |file: &str| fs::read(folder.join(file)).ok();
    let outdated: Vec<&String> =
        files.iter().filter(|(file, bytes)| held(file).as_ref() != Some(*bytes)).map(|(file, _)| file).collect();
    let others: Vec<PathBuf> = files_below(&folder)
        .into_iter()
        .filter(|path| !path.ends_with("README.md"))
        .filter(|path| path.strip_prefix(&folder).is_ok_and(|file| !files.contains_key(&file.display().to_string())))
        .collect();
    if std::env::var_os("UPDATE").is_some() {
        for path in others {
            fs::remove_file(path)?;
        }
        for file in outdated {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().ok_or("a folder")?)?;
            fs::write(path, &files[file])?;
        }
        return Ok(());
    }
    let (new, old) = (String::from_utf8_lossy(&files["list.csv"]), held("list.csv").unwrap_or_default());
    let old: BTreeSet<&str> = str::from_utf8(&old)?.lines().collect();
    let changed: Vec<&str> = new.lines().filter(|row| !old.contains(row)).collect();
    assert!(changed.is_empty(), "look at what changed, then UPDATE=1 cargo test --test suite conformance: {changed:#?}");
    assert!(outdated.is_empty() && others.is_empty(), "out of date: {outdated:#?}; not of the suite: {others:#?}");
    Ok(())
}

/// The program is a reader like others.
#[test]
fn the_program_fulfils_every_verdict() -> Outcome {
    #[derive(Deserialize)]
    struct Row {
        input: String,
        rule: String,
        severity: String,
        line: u64,
        column: u64,
        byte: usize,
    }

    let folder = fixture("conformance");
    let run = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .current_dir(&folder)
        .args(["check", "--no-config", "--fail-on", "never", "--format", "csv", "."])
        .output()?;
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in csv::Reader::from_reader(&run.stdout[..]).deserialize() {
        let row: Row = row?;
        rows.entry(row.input.trim_start_matches("./").to_owned()).or_default().push(row);
    }
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    for entry in csv::Reader::from_path(folder.join("list.csv"))?.deserialize() {
        let entry: Entry = entry?;
        let rows = rows.get(&entry.file).map_or(&[][..], Vec::as_slice);
        let is_right = match entry.verdict {
            Verdict::Accept => rows.is_empty(),
            Verdict::Reject => rows.iter().any(|row| {
                // `startpos` alone in a file is not recognised as a position, and reported as text
                // that is not chess.
                (row.rule == entry.code && row.severity == "error" || row.rule == "SYN17")
                    && (Some(row.line), Some(row.column), Some(row.byte)) == (entry.line, entry.column, entry.byte)
            }),
            Verdict::Either => true,
        };
        if !is_right {
            let said: Vec<String> = rows.iter().map(|row| format!("{} {}:{}", row.rule, row.line, row.column)).collect();
            wrong.push(format!("{}: {said:?}", entry.file));
        }
        *counts.entry(entry.verdict.as_str()).or_insert(0) += 1;
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
    assert!(counts["accept"] > 300 && counts["reject"] > 120 && counts["either"] > 300, "{counts:?}");
    Ok(())
}

#[test]
fn nothing_fires_on_collections() {
    let collections = collections();
    for file in &collections {
        let audit_result = audit_text(&fs::read(file).expect("the fixture can be read"), format_of(file));
        // Line ends, blank lines and escape lines that are out of the ordinary are remarked upon,
        // and nothing more.
        let is_remark = |finding: &Finding| {
            finding.severity == Severity::Info && ["ENC08", "SYN12", "SYN13"].contains(&finding.rule.code.to_string().as_str())
        };
        let told_of: Vec<String> =
            audit_result.findings.iter().map(|(_, finding)| finding).filter(|finding| !is_remark(finding)).map(line).collect();
        assert_eq!(told_of, Vec::<String>::new(), "{}", file.display());
        assert!(audit_result.summary.counts.records() > 0, "{} contains a record", file.display());
    }
    assert!(collections.len() >= 5, "there are collections");
}
