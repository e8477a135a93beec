//! Positions and EPD operations: the samples of the rules, positions that play reaches, and
//! labelled corpora.
//!
//! The tests over corpora run where there are any, and say so where there are none.

use std::{fs, path::Path};

use crate::common::{corpora, lines::examine_line};
use chess_audit::internals::{
    record::{examine_perft_line, examine_position},
    rules::{
        Check, Declared, Finding, Findings, Origin, RULES, Rule, Sample, Scope, Severity, Span,
        conditions::{
            ALL_TEXT, FEW_EXCEPTIONS, FULLMOVE_NUMBER_REAL, FULLMOVE_PLACEHOLDER, KINGS_MISSING, MANY_EXCEPTIONS,
            MANY_OTHER_LINES, STANDARD_CHESS, STANDARD_NOT_SHOWN, STANDARD_SHOWN,
        },
    },
};
use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, Position, Setup, fen::Fen};

fn lines(text: &[u8]) -> impl Iterator<Item = Span> + '_ {
    let mut start = 0;
    text.split(|byte| *byte == b'\n').map(move |line| {
        let end = start + line.len();
        let place = Span::new(start, if line.ends_with(b"\r") { end - 1 } else { end });
        start = end + 1;
        place
    })
}

fn tag(text: &[u8], name: &str) -> Option<Span> {
    let key = format!("[{name} \"");
    let start = text.windows(key.len()).position(|window| window == key.as_bytes())? + key.len();
    let end = start + text[start..].iter().position(|byte| *byte == b'"')?;
    Some(Span::new(start, end))
}

/// What the rules of this floor find in a sample.
fn findings_in(sample: Sample) -> (Vec<u8>, Option<Span>, Vec<Finding>) {
    let (text, place) = sample.input();
    let mut findings = Findings::new();
    if sample.is_pgn() {
        let declared = Declared {
            chess960: tag(&text, "Variant").is_some_and(|span| matches!(span.of(&text), b"Chess960" | b"DFRC")),
            double_chess960: tag(&text, "Variant").is_some_and(|span| span.of(&text) == b"DFRC"),
            other_variant: tag(&text, "Variant").is_some_and(|span| span.of(&text) == b"Crazyhouse"),
            seventy_five_move_rule: tag(&text, "Date").is_some_and(|span| span.of(&text) > &b"2014.07"[..]),
            ..Declared::default()
        };
        let fen = tag(&text, "FEN").expect("the sample has a FEN tag");
        examine_position(&text, fen, Origin::FenTag, declared, &mut findings);
    } else {
        for line in lines(&text) {
            if examine_line(&text, line, &mut findings).is_none() {
                examine_perft_line(&text, line, &mut findings);
            }
        }
    }
    let found = findings.all().drain(..).collect();
    (text, place, found)
}

fn position_rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(|rule| matches!(rule.check, Check::Position(_) | Check::LastMove(_) | Check::Operations(_)))
}

#[test]
fn samples_that_fire() {
    let mut wrong = Vec::new();
    for rule in position_rules() {
        assert!(!rule.fires.is_empty(), "{} has no firing sample", rule.code);
        // One position does not show what several games do.
        let is_alone = |sample: &&Sample| {
            let text = sample.text();
            // A string that is broken over two lines is not one position either.
            text.matches("[Event ").count() < 2 && !(matches!(sample, Sample::Positions(_)) && text.lines().count() > 1)
        };
        for sample in rule.fires.iter().filter(is_alone) {
            let (text, place, findings) = findings_in(*sample);
            let place = place.unwrap_or_else(|| panic!("{}: nothing is marked in {}", rule.code, sample.text()));
            if findings.is_empty() {
                wrong.push(format!("{} is silent on {}", rule.code, sample.text()));
            }
            // What stands with the whole input only is judged by the test of the rule table.
            let is_its_own = |finding: &Finding| finding.rule.code == rule.code && finding.place == place;
            for finding in findings.into_iter().filter(|finding| is_its_own(finding) || finding.conditions.is_empty()) {
                let shown = String::from_utf8_lossy(finding.place.of(&text)).into_owned();
                if finding.rule.code != rule.code || finding.place != place {
                    let sample = sample.text();
                    wrong.push(format!("{}: {} at `{shown}` in {sample}: {}", rule.code, finding.rule.code, finding.message));
                }
                assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{}", rule.code);
                assert!(!finding.fen.is_empty(), "{}", rule.code);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn near_misses_are_silent() {
    let mut wrong = Vec::new();
    for rule in position_rules() {
        assert!(!rule.silent.is_empty(), "{} has no near miss", rule.code);
        for sample in rule.silent {
            for finding in findings_in(*sample).2.into_iter().filter(|finding| finding.conditions.is_empty()) {
                wrong.push(format!("{}: {} in {}: {}", rule.code, finding.rule.code, sample.text(), finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fen_tags() {
    let found = |value: &str, declared: Declared| {
        let mut findings = Findings::new();
        let examined = examine_position(value.as_bytes(), Span::new(0, value.len()), Origin::FenTag, declared, &mut findings);
        let codes: Vec<String> =
            findings.all().iter().map(|finding| format!("{} {}", finding.rule.code, finding.severity)).collect();
        (codes, examined)
    };
    let plain = Declared::default();
    assert_eq!(found("4k3/8/8/8/8/8/4P3/4K3 w - -", plain).0, ["FEN01 warning"]);
    assert_eq!(found("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 1; fmvn 7;", plain).0, ["FEN10 warning"]);
    assert_eq!(found("4k3/8/8/8/8/8/4P3/4K3 w - - x 1", plain).0, ["FEN08 error"]);
    // Without a position, the number of words does not matter.
    for value in ["", "?", "a b c d", "[Event Club Championship 2024]", "a b c d e f", "a b c d e f g"] {
        assert_eq!(found(value, plain).0, ["FEN01 error"], "{value}");
    }
    let dated = Declared { seventy_five_move_rule: true, ..plain };
    assert_eq!(found("4k3/8/8/8/8/8/3R4/K7 w - - 160 200", dated).0, ["CTR08 warning"]);
    let other = Declared { other_variant: true, ..plain };
    let (codes, examined) = found("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qq] w KQkq - 3+3 0 1", other);
    assert!(codes.is_empty() && examined.start.is_none(), "{codes:?}");
    let (codes, examined) = found("4k3/8/8/8/8/8/4R3/4K3 b KQkq e3 0 1", plain);
    assert_eq!(codes, ["CAS02 error", "EPS02 error"]);
    assert!(examined.start.is_some_and(|start| start.castles().is_empty()));
    assert!(found("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", plain).1.start.is_none());
}

/// A pawn at home has no squares that it can have come from, so none of them is occupied.
#[test]
fn a_pawn_at_home_has_not_given_the_check_by_moving() {
    let message = |line: &str| {
        let mut findings = Findings::new();
        examine_line(line.as_bytes(), Span::new(0, line.len()), &mut findings);
        findings.all().first().map(|finding| format!("{} {}", finding.rule.code, finding.message)).unwrap_or_default()
    };
    let expected = "the pawn on g7 gives check, but it has not moved, so the king was already in check before the last move";
    let found = message("4k3/6p1/7K/8/8/8/8/8 w - - 0 1");
    assert!(found.starts_with("POS11 ") && found.contains(expected), "{found}");
    // A slider that is shut in has squares, and they are occupied.
    let found = message("7k/8/8/8/8/8/1P6/KBn5 b - - 0 1");
    assert!(!found.contains("has not moved"), "{found}");
}

#[test]
fn one_cause_one_finding() {
    for (line, expected) in [
        // No position at all.
        ("hello world", vec!["FEN01"]),
        // An unreadable placement silences whatever needs a board.
        ("4k3/8/9/8/8/8/8/8 w KQkq e3 0 1", vec!["FEN02"]),
        ("4k2x/8/8/8/8/8/8/4K3 b KQ d3 0 1", vec!["FEN03"]),
        // A false side to move.
        ("4k3/8/8/8/4P3/8/4R3/K7 w - e3 0 30", vec!["EPS01"]),
        ("4k3/8/8/8/P7/8/4R3/K7 w - a3 0 30", vec!["POS03"]),
        // A square left over from an earlier position, with a clock that fits the position and not
        // the square.
        ("4k3/8/8/8/8/8/4P3/4K3 b - e3 3 30", vec!["EPS02"]),
        ("4k3/8/8/8/8/8/8/K1k5 w - - 0 30", vec!["POS01"]),
        ("8/8/8/8/8/8/8/1K1k4 w KQkq - 0 30", vec!["CAS01"]),
        // No last move: neither does the clock fit any, nor is the position of no use to the
        // operations.
        ("8/8/8/8/R3k3/8/8/K3R3 b - - 5 40", vec!["POS11"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm Nf3;", vec!["POS11", "EPD08"]),
        // The square is false, and so is the clock only because of it.
        ("b6k/8/8/3pP3/8/8/8/7K w - d6 0 30", vec!["EPS05"]),
        ("4k3/8/8/8/4p3/5K2/8/8 w - - 3 60", vec!["CTR02"]),
    ] {
        let mut findings = Findings::new();
        examine_line(line.as_bytes(), Span::new(0, line.len()), &mut findings);
        let mut codes: Vec<String> = findings
            .all()
            .iter()
            .filter(|finding| finding.severity > Severity::Info)
            // Only one of these findings is reported; the input decides which.
            .filter(|finding| {
                ![KINGS_MISSING, MANY_OTHER_LINES, ALL_TEXT].into_iter().any(|rare| finding.conditions == rare.into())
            })
            .map(|finding| finding.rule.code.to_string())
            .collect();
        codes.sort_unstable();
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(codes, expected, "{line}");
    }
}

#[test]
fn places_are_offsets_in_the_whole_text() {
    let text = b"# two positions\r\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\r\nepd 4k3/8/8/8/8/8/4P3/4K3 w - e9";
    let mut findings = Findings::new();
    let records = lines(text).filter(|line| examine_line(text, *line, &mut findings).is_some()).count();
    assert_eq!(records, 2);
    let found: Vec<_> = findings.all().iter().map(|finding| finding.place.of(text)).collect();
    assert_eq!(found, [b"e9"]);
}

#[test]
fn chess960_is_evidence_and_no_fault() {
    for (line, chess960) in [
        ("r3k2r/8/4p3/8/8/8/8/R2KQ2R w KQkq - 0 20", true),
        ("r3k2r/8/4p3/8/8/8/8/R3K2R w KQkq - 0 20", false),
        ("4k3/8/8/8/8/8/8/1R2K2R w K - 0 20", false),
        ("1r2k2r/8/8/8/8/8/8/1R2K2R w Qq - 0 20", true),
        ("1rr1k3/8/8/8/8/8/8/1RR1K3 w Cb - 0 20", true),
        // Play has brought a knight to a8 and the rook beside it.
        ("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 12 7", false),
        ("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w - - 0 1", true),
    ] {
        let mut findings = Findings::new();
        let examined = examine_line(line.as_bytes(), Span::new(0, line.len()), &mut findings).expect("a record");
        assert_eq!(examined.evidence.start.is_chess960(), chess960, "{line}");
        // Only exceptions are reported, if the input is not Chess960.
        let is_exception = |finding: &Finding| finding.conditions.has(FEW_EXCEPTIONS) || finding.conditions.has(MANY_EXCEPTIONS);
        assert!(findings.all().iter().all(is_exception), "{line}: {:?}", findings.all());
        assert!(examined.start.is_some());
    }
}

#[test]
fn checks_that_a_double_step_gives() {
    for (line, expected) in [
        // By the line that the pawn has left.
        ("4b2k/8/8/3pP3/K7/8/8/8 w - d6 0 30", false),
        ("7k/K6r/8/3pP3/8/8/8/8 w - d6 0 30", false),
        // By the pawn.
        ("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 30", false),
        // By neither.
        ("3r3k/8/8/3pP3/3n4/8/4K3/8 w - d6 0 30", true),
        ("4r2k/8/8/3pP3/4K3/8/8/6b1 w - d6 0 30", false),
        ("6bk/8/8/4pP2/8/8/K7/8 w - e6 0 30", true),
        // By both, which is one too many.
        ("4b2k/8/8/2Kp4/8/n7/8/8 b - d3 0 30", true),
    ] {
        assert_eq!(!errors(line.as_bytes()).is_empty(), expected, "{line}: {:?}", errors(line.as_bytes()));
    }
}

#[test]
fn fillers_are_told_apart() {
    let line = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 0";
    let mut findings = Findings::new();
    examine_line(line, Span::new(0, line.len()), &mut findings).expect("a record");
    let conditions: Vec<_> = findings.all().iter().map(|finding| (finding.severity, finding.conditions)).collect();
    assert_eq!(conditions, [(Severity::Warning, FULLMOVE_NUMBER_REAL.into()), (Severity::Info, FULLMOVE_PLACEHOLDER.into())]);
    assert!(matches!(findings.all()[1].scope, Scope::Input { .. }));
}

/// A generator of numbers that is the same everywhere.
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn nothing_that_play_reaches_is_accused() {
    let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
    for game in 0..120 {
        let chess960 = game % 3 == 0;
        let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut setup = Setup::initial();
        if chess960 {
            setup.board = Board::chess960(random.below(960) as u32);
            setup.castling_rights = setup.board.rooks();
        }
        let mut position: Chess = setup.position(mode).expect("a start is legal");
        for _ in 0..160 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Pawn moves, captures and checks are what the rules look at.
            let mut chosen = moves[random.below(moves.len())];
            for _ in 0..2 {
                if !chosen.is_zeroing() && !chosen.is_castle() {
                    chosen = moves[random.below(moves.len())];
                }
            }
            position.play_unchecked(chosen);
            for ep in [EnPassantMode::Always, EnPassantMode::Legal] {
                let fen = Fen::from_position(&position, ep).to_string();
                let origin = if game % 2 == 0 { Origin::Line } else { Origin::FenTag };
                let declared = Declared { chess960, seventy_five_move_rule: true, ..Declared::default() };
                let mut findings = Findings::new();
                let place = Span::new(0, fen.len());
                let examined = if origin == Origin::Line {
                    examine_line(fen.as_bytes(), place, &mut findings).expect("a record")
                } else {
                    examine_position(fen.as_bytes(), place, origin, declared, &mut findings)
                };
                let stands = |finding: &&Finding| {
                    let needs_standard = |condition| matches!(condition, STANDARD_CHESS | STANDARD_SHOWN | STANDARD_NOT_SHOWN);
                    !chess960 || !finding.conditions.iter().any(needs_standard)
                };
                for finding in findings.all().iter().filter(stands) {
                    assert_eq!(finding.severity, Severity::Info, "{} on {fen}: {}", finding.rule.code, finding.message);
                }
                assert!(examined.start.is_some(), "{fen}");
                assert!(!examined.evidence.start.is_chess960() || chess960, "{fen}");
                if origin == Origin::FenTag || !chess960 {
                    assert_eq!(examined.start.as_ref(), Some(&position), "{fen}");
                }
            }
        }
    }
}

#[test]
fn nothing_that_is_read_harms_the_reader() {
    let seeds: [&[u8]; 4] = [
        b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        b"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"a.001\"; pv Qg6 h5 Qh7#;",
        b"r3k2r/8/4p3/8/8/8/8/R3K2R w HAha - 0 1 ;D1 26 ;D2 568",
        b"position fen \"8/8/8/8/8/8/8/4K2k w - - 99999999999999999999999 0\"",
    ];
    let alphabet = b"/8KkQqPp09-wb;\" eE36\t_\0\xE2\x80\x93~[]x\\,a1";
    let mut random = Xorshift(42);
    for round in 0..20_000 {
        let mut text = seeds[round % seeds.len()].to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = alphabet[random.below(alphabet.len())],
                1 => text.insert(at, alphabet[random.below(alphabet.len())]),
                _ => text.truncate(at.max(1)),
            }
        }
        let mut findings = Findings::new();
        let whole = Span::new(0, text.len());
        examine_line(&text, whole, &mut findings);
        examine_position(&text, whole, Origin::FenTag, Declared::default(), &mut findings);
        for finding in findings.all() {
            assert!(finding.place.start <= finding.place.end && finding.place.end <= text.len(), "{}", finding.rule.code);
        }
    }
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The findings of severity error about a position line, in an input that does not show the
/// standard starting position.
fn errors(line: &[u8]) -> Vec<String> {
    errors_where(line, false)
}

/// The findings of severity error about a position line in an input without Chess960, which shows
/// the standard starting position or not.
fn errors_where(line: &[u8], standard_is_shown: bool) -> Vec<String> {
    let mut findings = Findings::new();
    examine_line(line, Span::new(0, line.len()), &mut findings);
    let stands = |finding: &&Finding| {
        finding.severity == Severity::Error && (standard_is_shown || !finding.conditions.has(STANDARD_SHOWN))
    };
    let errors = findings.all().iter().filter(stands);
    errors.map(|finding| format!("{} {}", finding.rule.code, finding.message)).collect()
}

fn shakmaty_rejects(fen: &str) -> bool {
    fen.parse::<Fen>().map_or(true, |fen| fen.into_position::<Chess>(CastlingMode::Chess960).is_err())
}

#[test]
fn corpus_of_valid_positions() {
    let Some(folder) = corpora() else { return };
    let text = read(&folder, "positions/cozychess_valid.sfens");
    let mut count = 0;
    for line in String::from_utf8_lossy(&text).lines() {
        count += 1;
        assert!(errors(line.as_bytes()).is_empty(), "{line}: {:?}", errors(line.as_bytes()));
    }
    eprintln!("{count} valid positions, none accused");
}

#[test]
fn corpus_of_invalid_positions() {
    let Some(folder) = corpora() else { return };
    let text = read(&folder, "positions/cozychess_invalid.sfens");
    let text = String::from_utf8_lossy(&text);
    let missed: Vec<&str> = text.lines().filter(|line| errors(line.as_bytes()).is_empty()).collect();
    eprintln!("{} invalid positions, {} not proven so", text.lines().count(), missed.len());
    assert!(missed.is_empty(), "{}", missed[..missed.len().min(20)].join("\n"));
}

#[test]
fn corpus_of_labelled_positions() {
    let Some(folder) = corpora() else { return };
    let text = read(&folder, "positions/tromp_sample_labelled.tsv");
    let (mut illegal, mut ours, mut theirs) = (0, 0, 0);
    let mut by_rule = std::collections::BTreeMap::<String, usize>::new();
    for line in String::from_utf8_lossy(&text).lines() {
        let mut cells = line.split('\t');
        let (Some(fen), Some(verdict)) = (cells.next(), cells.next()) else { continue };
        // Some lines have castling rights, so that the sample as a whole shows the standard
        // starting position.
        let errors = errors_where(fen.as_bytes(), true);
        match verdict {
            "legal" => assert!(errors.is_empty(), "{fen}: {errors:?}"),
            "illegal" => {
                illegal += 1;
                let (we, they) = (!errors.is_empty(), shakmaty_rejects(fen));
                if let Some(error) = errors.first() {
                    *by_rule.entry(error[..5].to_owned()).or_default() += 1;
                }
                ours += usize::from(we);
                theirs += usize::from(they);
                if they && !we {
                    eprintln!("missed: {line}");
                }
            }
            _ => {}
        }
    }
    eprintln!("{by_rule:?}");
    eprintln!("{illegal} illegal positions: {ours} proven so, {theirs} rejected by shakmaty");
    assert!(ours >= theirs);
    assert!(ours * 100 >= illegal * 99, "{ours} of {illegal}");
}

/// The positions of a corpus: the first cell of each line that is not a comment.
fn positions_of(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let cells = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').next().unwrap_or_default());
    cells.map(str::to_owned).collect()
}

/// Positions of real games with a small defect that only the order of captures, or what unmoved
/// pieces prevent, proves.
#[test]
fn corpus_of_subtle_defects() {
    let Some(folder) = corpora() else { return };
    for (name, percent) in [("missed_127.tsv", 85), ("illegal_missed_mutations.tsv", 80)] {
        let positions = positions_of(&read(&folder, &format!("positions/{name}")));
        let missed: Vec<&String> = positions.iter().filter(|line| errors_where(line.as_bytes(), true).is_empty()).collect();
        let found = positions.len() - missed.len();
        eprintln!("{name}: {found} of {}, without evidence {}", positions.len(), {
            positions.iter().filter(|line| !errors(line.as_bytes()).is_empty()).count()
        });
        assert!(found * 100 >= positions.len() * percent, "{name}: {found} of {}\n{missed:#?}", positions.len());
    }
}

#[test]
fn corpora_of_legal_positions() {
    let Some(folder) = corpora() else { return };
    for (name, standard_is_shown) in [
        ("legal_play_std.fen", true),
        ("legal_play_960.fen", false),
        ("legal_play_dfrc.fen", false),
        ("legal_published_proofgames.fen", true),
    ] {
        for line in positions_of(&read(&folder, &format!("positions/{name}"))) {
            let errors = errors_where(line.as_bytes(), standard_is_shown);
            assert!(errors.is_empty(), "{name}: {line}: {errors:?}");
        }
    }
}

#[test]
fn colors_of_kings_are_told_apart() {
    // Both kings are examined, whichever side is to move.
    for (turn, code) in [(Color::White, "POS03"), (Color::Black, "")] {
        let line = format!("4k3/8/8/8/8/8/4R3/4K3 {} - - 0 1", turn.char());
        assert_eq!(errors(line.as_bytes()).first().is_some_and(|error| error.starts_with("POS03")), !code.is_empty());
    }
}
