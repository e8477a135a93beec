//! What others reject we reject: shakmaty, python-chess, and the labels of other projects' suites.

use std::fs;

use crate::common::lines::examine_line;
use crate::common::{corpora, fixture, scrambled::scrambled};
use chess_audit::internals::{
    record::{Examined, examine_position},
    rules::{Declared, Findings, Origin, Severity, Span},
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use shakmaty::{CastlingMode, Chess, fen::Fen};

/// So many scrambled positions are held against shakmaty.
const SCRAMBLED: usize = 60_000;

/// So many of them are in the recording of what python-chess says.
const RECORDED: usize = 2000;

/// The recording: a FEN, then what python-chess says of it as a position of chess, then of
/// Chess960.
const RECORDING: &str = "oracles/python_chess_status.tsv";

/// The codes of the errors in a position, and what else was said of it. As chess, it is a line of a
/// file that could also hold Chess960; as Chess960, the FEN tag of a game that is declared to be
/// that.
fn errors(fen: &str, mode: CastlingMode) -> (Vec<String>, Option<Examined>) {
    let mut findings = Findings::new();
    let whole = Span::new(0, fen.len());
    let examined = match mode {
        CastlingMode::Standard => examine_line(fen.as_bytes(), whole, &mut findings),
        CastlingMode::Chess960 => {
            let declared = Declared { chess960: true, ..Declared::default() };
            Some(examine_position(fen.as_bytes(), whole, Origin::FenTag, declared, &mut findings))
        }
    };
    let errors = findings.all().iter().filter(|finding| finding.severity == Severity::Error);
    (errors.map(|finding| finding.rule.code.to_string()).collect(), examined)
}

/// A position that others reject.
#[derive(Clone, Debug)]
struct Rejected {
    fen: String,
    mode: CastlingMode,
    /// What they say.
    reason: String,
    /// We read it as Chess960.
    is_chess960: bool,
}

/// What others reject and we do not, and why.
struct Difference {
    why: &'static str,
    /// One of them.
    example: &'static str,
    holds: fn(&Rejected) -> bool,
}

const DIFFERENCES: [Difference; 5] = [
    Difference {
        why: "the rights fit a start of Chess960 or double Chess960: the line is read as that, and the input with it",
        example: "r3k1nr/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 4 20",
        holds: |rejected| rejected.mode == CastlingMode::Standard && rejected.is_chess960,
    },
    Difference {
        why: "a letter behind the fourth field of a line begins an operation of EPD, and the rules about those judge it",
        example: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x0 1",
        holds: |rejected| {
            let fifth = rejected.fen.split(' ').nth(4).unwrap_or_default();
            rejected.mode == CastlingMode::Standard && fifth.starts_with(|letter: char| letter.is_ascii_alphabetic())
        },
    },
    Difference {
        why: "text behind the sixth field is a warning: the position stands before it",
        example: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 0",
        holds: |rejected| rejected.fen.split(' ').count() > 6,
    },
    Difference {
        why: "the side to move in a capital letter can be read: a warning",
        example: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1",
        holds: |rejected| matches!(rejected.fen.split(' ').nth(1), Some("W" | "B")),
    },
    Difference {
        why: "two digits in a row that fill the rank can be read: a warning",
        example: "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        holds: |rejected| rejected.fen.as_bytes().windows(2).any(|pair| pair.iter().all(|byte| matches!(byte, b'1'..=b'8'))),
    },
];

/// Whether the position is an error here too, or which difference explains that it is none; a
/// description where none does.
fn held_against(fen: &str, mode: CastlingMode, reason: String) -> Result<Option<usize>, String> {
    let (ours, examined) = errors(fen, mode);
    if !ours.is_empty() {
        return Ok(None);
    }
    let is_chess960 = examined.is_some_and(|examined| examined.evidence.start.is_chess960());
    let rejected = Rejected { fen: fen.to_owned(), mode, reason, is_chess960 };
    match DIFFERENCES.iter().position(|difference| (difference.holds)(&rejected)) {
        Some(difference) => Ok(Some(difference)),
        None => Err(format!("{}\t{mode:?}: {}", rejected.fen, rejected.reason)),
    }
}

/// What came of holding positions against what others say.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    rejected: usize,
    explained: [usize; DIFFERENCES.len()],
    pub missed: Vec<String>,
}

impl Tally {
    fn note(&mut self, held: Result<Option<usize>, String>) {
        self.rejected += 1;
        match held {
            Ok(None) => {}
            Ok(Some(difference)) => self.explained[difference] += 1,
            Err(missed) => self.missed.push(missed),
        }
    }

    fn add(mut self, other: Tally) -> Tally {
        self.rejected += other.rejected;
        self.explained.iter_mut().zip(other.explained).for_each(|(sum, more)| *sum += more);
        self.missed.extend(other.missed);
        self
    }

    fn nothing_is_missed(&self) {
        println!("{} rejections by others; explained differences: {:?}", self.rejected, self.explained);
        let shown = &self.missed[..self.missed.len().min(20)];
        assert!(shown.is_empty(), "{} missed\n{}", self.missed.len(), shown.join("\n"));
    }
}

/// What shakmaty rejects.
pub fn held_against_shakmaty(fen: &str) -> Tally {
    let mut tally = Tally::default();
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let rejected = match fen.parse::<Fen>() {
            Err(error) => Some(error.to_string()),
            Ok(fen) => fen.into_position::<Chess>(mode).err().map(|error| error.to_string()),
        };
        if let Some(reason) = rejected {
            tally.note(held_against(fen, mode, reason));
        }
    }
    tally
}

#[test]
fn differences_are_what_they_are_said_to_be() {
    for (number, Difference { why, example, .. }) in DIFFERENCES.iter().enumerate() {
        let held = held_against(example, CastlingMode::Standard, String::new());
        assert_eq!(held, Ok(Some(number)), "{why}: {example}");
    }
}

#[test]
fn scrambled_positions_that_shakmaty_rejects() {
    let held = |number: usize| held_against_shakmaty(&scrambled(number).0);
    let tally = (0..SCRAMBLED).into_par_iter().map(held).reduce(Tally::default, Tally::add);
    assert!(tally.rejected > SCRAMBLED, "in one mode or the other most are rejected");
    tally.nothing_is_missed();
}

#[test]
fn corpora_that_shakmaty_rejects() {
    let Some(folder) = corpora() else { return };
    for name in ["cozychess_invalid.sfens", "tromp_sample_labelled.tsv", "small_suites_labelled.tsv"] {
        let bytes = fs::read(folder.join("positions").join(name)).expect("the file can be read");
        let text = String::from_utf8_lossy(&bytes);
        let fens = text.lines().filter_map(|line| line.split('\t').next()).filter(|fen| fen.contains('/'));
        let tally = fens.map(held_against_shakmaty).fold(Tally::default(), Tally::add);
        println!("{name}:");
        tally.nothing_is_missed();
    }
}

#[test]
#[ignore = "prints the positions of the recording, for recording it again"]
fn positions_to_be_recorded() {
    (0..RECORDED).for_each(|number| println!("{}", scrambled(number).0));
}

#[test]
fn scrambled_positions_that_python_chess_rejects() {
    let recording = fs::read_to_string(fixture(RECORDING)).expect("the recording can be read");
    let rows: Vec<&str> = recording.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
    assert_eq!(rows.len(), RECORDED);
    let mut tally = Tally::default();
    for (number, row) in rows.into_iter().enumerate() {
        let cells: Vec<&str> = row.split('\t').collect();
        let &[fen, status, chess960] = &cells[..] else { panic!("three cells in {row}") };
        assert_eq!(fen, scrambled(number).0, "the recording is of what is made now");
        for (mode, status) in [(CastlingMode::Standard, status), (CastlingMode::Chess960, chess960)] {
            if status != "VALID" {
                tally.note(held_against(fen, mode, status.to_owned()));
            }
        }
    }
    assert!(tally.rejected > RECORDED);
    tally.nothing_is_missed();
}

/// Rows of other projects' suites with whose label we do not agree, and why.
const OTHERWISE_LABELLED: [(&str, &str); 4] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ",
        "chess.js wants six fields; a position without its last counter can be read, and FEN01 warns",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "chess.js wants the fullmove number to be positive; many writers begin with 0, and CTR09 warns or, in a file that always \
         does, remarks on it once",
    ),
    (
        "rnbqkbnr/pppppppp/17/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "1 and 7 are eight squares, so that the rank can be read; FEN04 warns of digits in a row",
    ),
    (
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        "python-chess reads this as standard chess; nothing declares the variant of a line, and the rights fit a starting position of \
         Chess960 (in a game, VAR04 says that it is not declared)",
    ),
];

/// Each row agrees with its label, as chess or, where the note says so, as Chess960, or stands in
/// the table above.
#[test]
fn labels_of_small_suites() {
    let Some(folder) = corpora() else { return };
    let text = fs::read_to_string(folder.join("positions/small_suites_labelled.tsv")).expect("the file can be read");
    let mut wrong = Vec::new();
    let mut explained = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[fen, label, note, source] = &cells[..] else { panic!("four cells in {line}") };
        let mode = CastlingMode::from_chess960(note.contains("chess960"));
        let ours = errors(fen, mode).0;
        if ours.is_empty() == (label == "valid") {
            continue;
        }
        if OTHERWISE_LABELLED.iter().any(|(known, _)| *known == fen) {
            explained += 1;
        } else {
            wrong.push(format!("{fen}\t{label} ({note}, {source}): {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(explained, OTHERWISE_LABELLED.len(), "every difference is one");
}

/// The positions of a list: FEN, and what is known about it.
fn listed(name: &str) -> Vec<(String, String)> {
    let Some(corpora) = corpora() else { return Vec::new() };
    let text = fs::read_to_string(corpora.join("positions").join(name)).expect("the list can be read");
    let rows = text.lines().filter(|line| !line.starts_with('#') && line.contains('\t'));
    rows.map(|line| line.split_once('\t').expect("two columns")).map(|(fen, note)| (fen.to_owned(), note.to_owned())).collect()
}

#[test]
fn legal_positions_of_undeclared_chess960_get_one_warning_at_most() {
    for (fen, note) in listed("legal_chess960_undeclared.tsv") {
        let findings = chess_audit::audit_fen(&fen).expect("the line is checked");
        let shown: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{fen} {note}: {shown:?}");
        assert!(findings.len() <= 1, "{fen} {note}: {shown:?}");
    }
}

/// Of the list, the position with a bishop on a6 needs the standard starting position: a bishop
/// that began on b1 comes from a2.
#[test]
fn positions_that_no_starting_position_explains_are_errors() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, note) in listed("illegal_only_info.tsv") {
        let with_evidence = format!("{START}\n{fen}");
        for input in [&fen, &with_evidence] {
            let findings = chess_audit::audit_epd(input).expect("the lines are checked");
            let shown: Vec<String> = findings.iter().map(ToString::to_string).collect();
            let needs_evidence = fen.contains("/B7/") && *input == fen;
            let expected = if needs_evidence { Severity::Warning } else { Severity::Error };
            assert_eq!(
                findings.iter().map(|finding| finding.severity).collect::<Vec<_>>(),
                [expected],
                "{input} {note}: {shown:?}"
            );
        }
    }
}
