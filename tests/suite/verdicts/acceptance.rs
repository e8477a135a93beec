//! The corpora: real games and positions, where they are at hand. `CHESS_AUDIT_CORPORA` names their
//! folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use crate::common::{corpora, line};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Failure, InputSummary, RunSummary, Settings, Sink},
    rules::{Code, Finding, Severity},
    text::Format,
};

/// Remembers errors and failures, and counts the rest.
#[derive(Debug, Default)]
struct Noted {
    errors: Vec<String>,
    /// The records that a rule accuses, by input.
    records: BTreeMap<(String, Code), BTreeSet<u64>>,
    inputs: Vec<InputSummary>,
    failures: Vec<Failure>,
}

impl Sink for Noted {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        if finding.severity == Severity::Error && self.errors.len() < 20 {
            self.errors.push(format!("{input}: {}", line(finding)));
        }
        if finding.severity > Severity::Info {
            self.records.entry((input.to_owned(), finding.rule.code)).or_default().insert(finding.game);
        }
        Ok(())
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.inputs.push(summary.clone());
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failures.push(failure.clone());
        Ok(())
    }
}

fn audit(files: impl IntoIterator<Item = PathBuf>, format: Option<Format>) -> (Noted, RunSummary) {
    let inputs = files
        .into_iter()
        .map(|file| Input { name: file.display().to_string(), source: Source::File(file), format, scanned: true })
        .collect();
    let mut noted = Noted::default();
    let summary = Audit::new(Settings::default())
        .run(inputs, &mut noted, &(), &AtomicBool::new(false))
        .expect("this sink takes everything");
    (noted, summary)
}

/// The files in `folder` and below it, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn games_and_positions_are_counted() {
    let Some(corpora) = corpora() else { return };
    let (noted, book) = audit([corpora.join("pgn/gnuchess_book_1.02.pgn")], None);
    assert_eq!(book.counts.games, 145_716);
    assert_eq!(book.counts.bytes, 85_712_190, "every byte is read");
    assert!(noted.failures.is_empty(), "{:?}", noted.failures);
    for (name, positions) in [("sfbook_endgames.epd", 157_846), ("sfbook_DFRC_4852_v1.epd", 294_466)] {
        let (_, summary) = audit([corpora.join("epd").join(name)], None);
        assert_eq!((summary.counts.positions, summary.counts.games), (positions, 0), "{name}");
    }
}

#[test]
fn all_games_and_positions_are_audited_without_failure() {
    let Some(corpora) = corpora() else { return };
    for folder in ["pgn", "epd", "positions"] {
        let all = files(&corpora.join(folder));
        assert!(!all.is_empty(), "{folder} is empty");
        // The large book is counted in another test.
        let wanted = |file: &PathBuf| !file.ends_with("gnuchess_book_1.02.pgn");
        let files: Vec<PathBuf> = all.into_iter().filter(wanted).collect();
        let (noted, summary) = audit(files.clone(), None);
        assert!(noted.failures.is_empty(), "{:#?}", noted.failures);
        assert_eq!(noted.inputs.len(), files.len());
        assert!(summary.counts.records() > 0);
        for (input, file) in noted.inputs.iter().zip(&files) {
            let size = fs::metadata(file).expect("the file is there").len();
            assert_eq!((input.complete, input.counts.bytes), (true, size), "{} is read to its end", input.name);
        }
    }
}

/// Files that are broken on purpose are audited as anything they could be taken for; what is no
/// text may be refused.
#[test]
fn broken_files_break_nothing() {
    let Some(corpora) = corpora() else { return };
    let files = files(&corpora.join("bad"));
    assert!(files.len() > 20);
    for format in [None, Some(Format::Pgn), Some(Format::Epd)] {
        let (noted, _) = audit(files.clone(), format);
        assert_eq!(noted.inputs.len(), files.len());
        let broken: Vec<&Failure> = noted.failures.iter().filter(|failure| failure.stage != "recognise").collect();
        assert!(broken.is_empty(), "{broken:#?}");
    }
}

#[test]
fn no_error_stands_in_games_that_were_checked_before() {
    let Some(corpora) = corpora() else { return };
    let (noted, _) = audit(
        ["twic1599_1000k.pgn", "lichess_db_1000k.pgn", "pgn4web_twic944.pgn"].map(|name| corpora.join("pgn").join(name)),
        None,
    );
    assert_eq!(noted.inputs.len(), 3);
    assert!(noted.errors.is_empty(), "{:#?}", noted.errors);
}

/// Files in which faults are rare. The other files of these folders are edited by hand, and their
/// faults were looked at: wrong move numbers, results and spellings in old collections, impossible
/// positions in perft suites.
const HEALTHY: [&str; 37] = [
    "epd/arasan_arasan2024.epd",
    "epd/arasan_bt2630.epd",
    "epd/arasan_iq4.epd",
    "epd/arasan_wacnew.epd",
    "epd/lichess_puzzles_kagi.csv",
    "epd/pythonchess_chess960.perft",
    "epd/pythonchess_endgame-dm-4.epd",
    "epd/pythonchess_random.perft",
    "epd/sarona_Midgames239.epd",
    "epd/sarona_bratko-kopec.epd",
    "epd/sarona_hard-mates-blass-uri.epd",
    "epd/sarona_hardtestpos-clean.epd",
    "epd/sfbook_DFRC_4852_v1.epd",
    "epd/sfbook_FRC_openings.epd",
    "epd/sfbook_UHO_4060_v1.epd",
    "epd/sfbook_endgames.epd",
    "epd/sfbook_popularpos_lichess.epd",
    "epd/sunfish_mate2.fen",
    "pgn/chesscom_magnuscarlsen.pgn",
    "pgn/chessdb_GM_games.pgn",
    "pgn/chessdb_kramnik.pgn",
    "pgn/chessdb_middleg.pgn",
    "pgn/chessdb_semicomm.pgn",
    "pgn/chesslib_Morphy_ANSI.pgn",
    "pgn/chesslib_cup.pgn",
    "pgn/chesslib_redqueen.pgn",
    "pgn/cutechess_koivisto_study.pgn",
    "pgn/lichess_DrDrunkenstein.pgn",
    "pgn/lichess_broadcast_FWWRC.pgn",
    "pgn/lichess_db_1000k.pgn",
    "pgn/lichess_study_demo.pgn",
    "pgn/pgn4web_twic944.pgn",
    "pgn/pychess_chess960rwch.pgn",
    "pgn/sfbook_8moves_v3.pgn",
    "pgn/tcec_misc_tests.pgn",
    "pgn/texium_OpenRating.pgn",
    "pgn/twic1599_1000k.pgn",
];

#[test]
fn no_rule_accuses_many_records_of_healthy_files() {
    let Some(corpora) = corpora() else { return };
    let (noted, _) = audit(HEALTHY.map(|name| corpora.join(name)), None);
    let records: BTreeMap<&str, u64> = noted.inputs.iter().map(|input| (input.name.as_str(), input.counts.records())).collect();
    assert_eq!(records.len(), HEALTHY.len());
    let many = noted.records.iter().filter_map(|((input, rule), accused)| {
        let (accused, all) = (accused.len() as u64, records[input.as_str()]);
        let allowed = if all < 100 { 2 } else { all / 50 };
        (accused > allowed).then(|| format!("{rule} accuses {accused} of {all} records of {input}"))
    });
    let many: Vec<String> = many.collect();
    assert!(many.is_empty(), "{}", many.join("\n"));
}

/// Small inputs that were judged wrongly once, with the rules whose errors and warnings are true of
/// them.
const CASES: [(&str, &[&str]); 27] = [
    ("f0-empty-halfmove-clock.fen", &["FEN01"]),
    ("f1-games.csv", &["RES01"]),
    ("f1-openings.tsv", &[]),
    ("f2-positions.jsonl", &[]),
    ("f3-cp1251.pgn", &[]),
    ("f4-bughouse.bpgn", &["TAG01"]),
    ("f5-table-variant-column.csv", &[]),
    ("f7-prose-with-one-fen.txt", &[]),
    ("m2-fmvn-control.fen", &["CTR06"]),
    ("m2-fmvn.epd", &["CTR06"]),
    ("m3-delphi-null-date.pgn", &["TAG08"]),
    ("m4-turkish.pgn", &["MOV22"]),
    ("m5-comment-before-tags.pgn", &["SYN12", "TAG01"]),
    ("n1-fen-with-score.txt", &["FEN10"]),
    ("n3-xiangqi.epd", &["FEN02"]),
    ("nul-padded.pgn", &["ENC06", "MOV01"]),
    ("own-counter.fen", &["FEN08"]),
    ("placement-semicolon.fen", &["FEN01"]),
    ("readme.txt", &[]),
    ("w12-fields-missing.fen", &["FEN01", "FEN08", "FEN09", "FEN10"]),
    ("w3-marker-with-backtick.pgn", &["RES03"]),
    ("w4-castling-filler.fen", &["CAS01"]),
    ("w5-zero-number.pgn", &["MOV01"]),
    ("w8-wrapped-time.pgn", &["CLK01"]),
    ("w9-day-zero.pgn", &["TAG07"]),
    ("wild4.pgn", &[]),
    ("wild5.pgn", &[]),
];

#[test]
fn cases_are_judged_right() {
    let Some(cases) = corpora().map(|corpora| corpora.join("cases")).filter(|cases| cases.is_dir()) else { return };
    for (name, expected) in CASES {
        let (noted, _) = audit([cases.join(name)], None);
        let codes: BTreeSet<String> = noted.records.keys().map(|(_, code)| code.to_string()).collect();
        assert_eq!(codes.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{name}");
        assert!(noted.failures.is_empty(), "{name}: {:?}", noted.failures);
    }
}
