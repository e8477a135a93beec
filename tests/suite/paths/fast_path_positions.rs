//! Clean position lines are accepted without being examined: whenever that happens, examining
//! them finds nothing.
//!
//! The tests over corpora run where there are any, and say so where there are none.

use std::{fs, path::PathBuf};

use crate::common::{
    AuditResult, Numbers, audit, corpora,
    games::{Game, game},
    input,
    lines::{accept_line, examine_line},
};
use chess_audit::internals::{
    pipeline::Settings,
    record::{AcceptedLine, Evidence, RecordEvidence, examine_line_to, fast_lines_suffice},
    rules::{
        Declared, Finding, Findings, PositionChecks, Profile, RULES, Sample, Selection, Severity, Span, StartShown,
        conditions::{FEW_EXCEPTIONS, MANY_EXCEPTIONS},
        facts::NamedPosition,
    },
    text::Format,
};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, EnPassantMode, FromSetup, Position, Rank, Setup,
    fen::Fen,
    san::{San, SanPlus},
};

/// The findings of an examination, without infos if these are not asked for, and what it reports
/// about the whole input.
fn audit_result(line: &str, infos: bool, fast_path: bool) -> (Vec<Finding>, Option<serde_json::Value>) {
    let end = line.find(['\n', '\r']).unwrap_or(line.len());
    let mut findings = Findings::new();
    let position_checks = PositionChecks { infos, fast_path, ..PositionChecks::default() };
    let examined = examine_line_to(line.as_bytes(), Span::new(0, end), Declared::default(), position_checks, None, &mut findings);
    let evidence = examined.map(|examined| {
        let mut evidence = Evidence::default();
        evidence.note(&RecordEvidence { position: Some(examined.evidence), ..RecordEvidence::default() }, b"");
        notes(&evidence)
    });
    (std::mem::take(findings.all()), evidence)
}

/// The name of a position as the thorough path reads it.
fn named(line: &str) -> Option<NamedPosition> {
    let end = line.find(['\n', '\r']).unwrap_or(line.len());
    examine_line(line.as_bytes(), Span::new(0, end), &mut Findings::new()).and_then(|examined| examined.named)
}

/// What is noted of an input. The en passant convention is left out, because only infos depend on
/// it.
fn notes(evidence: &Evidence) -> serde_json::Value {
    let mut notes = serde_json::to_value(&evidence.notes).expect("notes can be saved");
    notes["sums"].as_object_mut().and_then(|sums| sums.remove("EPS07"));
    notes
}

/// What is noted of an accepted line.
fn notes_of(accepted: &AcceptedLine) -> serde_json::Value {
    let mut evidence = Evidence::default();
    evidence.note_accepted_position(accepted.start, accepted.counters);
    if let Some(operations) = accepted.operations {
        evidence.note_accepted_operations(operations.moves);
    }
    notes(&evidence)
}

/// Compares the ways to read a line, and returns whether the fast path accepts it.
pub fn compare(line: &str) -> bool {
    let lines = |findings: &[Finding]| findings.iter().map(crate::common::line).collect::<Vec<_>>();
    let (mut findings, evidence) = audit_result(line, true, false);
    let (quickly, same) = audit_result(line, true, true);
    assert_eq!((lines(&quickly), same), (lines(&findings), evidence.clone()), "{line}");
    findings.retain(|finding| finding.severity > Severity::Info);
    let examined = (lines(&findings), evidence);
    let (mut serious, same) = audit_result(line, false, true);
    serious.retain(|finding| finding.severity > Severity::Info);
    assert_eq!((lines(&serious), same), examined, "{line}");
    let accepted = accept_line(line.as_bytes(), 0);
    // Another reader may read a line that much text follows.
    if line.is_ascii() && !line.contains(['\n', '\r']) {
        let more = format!("{line}\n{}", "# more\n".repeat(12));
        let next = |accepted: AcceptedLine| AcceptedLine { next: accepted.next - 1, ..accepted };
        assert_eq!(accept_line(more.as_bytes(), 0).map(next), accepted, "{line}");
    }
    let Some(accepted) = accepted else { return false };
    assert_eq!(accepted.operations.and_then(|operations| operations.named), named(line), "{line}");
    // The reader of records lets the thorough path report exceptions.
    let is_exception = |finding: &Finding| finding.conditions.has(FEW_EXCEPTIONS) || finding.conditions.has(MANY_EXCEPTIONS);
    assert!(accepted.start == StartShown::OnlyChess960 || !findings.iter().any(is_exception), "{line}");
    findings.retain(|finding| !is_exception(finding));
    let hint = "`view_if_sound` (src/record/fastpath/material.rs) should decline what a rule reports";
    assert_eq!((lines(&findings), examined.1), (Vec::new(), Some(notes_of(&accepted))), "{line}\n\n{hint}");
    let end = line.find(['\n', '\r']).unwrap_or(line.len());
    let ending = &line[end..];
    let terminator = if ending.starts_with("\r\n") { 2 } else { ending.len().min(1) };
    assert_eq!(accepted.next, end + terminator, "{line}");
    true
}

/// Every position of a game, written as FEN.
fn lines(game: &Game, en_passant: EnPassantMode) -> Vec<String> {
    game.positions().chain([game.end.clone()]).map(|position| Fen::from_position(&position, en_passant).to_string()).collect()
}

#[test]
fn positions_of_games() {
    let (mut clean, mut all) = (0, 0);
    for number in 0..250 {
        let game = game(number);
        for line in lines(&game, EnPassantMode::Legal) {
            let passed = compare(&line);
            // The games of Chess960 may well have positions that standard chess cannot have.
            all += u64::from(game.fen.is_none());
            clean += u64::from(game.fen.is_none() && passed);
            let fields: Vec<&str> = line.split(' ').collect();
            compare(&fields[..4].join(" "));
            compare(&format!("{} 0 1", fields[..4].join(" ")));
        }
        lines(&game, EnPassantMode::Always).iter().for_each(|line| {
            compare(line);
        });
    }
    assert!(all > 10_000, "{all} positions");
    assert!(clean * 1000 > all * 975, "only {clean} of {all} positions of games were passed over");
}

/// Positions of openings, and of games in which pieces left their homes in unusual ways.
#[test]
fn positions_that_need_a_closer_look_are_passed_over() {
    let games = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5 Nb3 Qxd1 Rxd1 Bd7",
        "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 c6 Bc4 Bf5 Bd2 e6 Qe2 Bb4 O-O-O Nbd7",
        "g3 g6 Bg2 Bg7 Nf3 Nf6 O-O O-O b3 b6 Bb2 Bb7",
        "a4 a5 Ra3 Ra6 Rh3 Rh6 Rxh6 Nxh6",
        "e4 e5 Ke2 Ke7 Kd3 Kd6 Kc4 Ke6",
        "h4 g5 hxg5 h6 gxh6 Nf6 h7 Ng8",
        "d4 c5 dxc5 b6 cxb6 a5 b7 Na6",
        "d4 d5 Bg5 f6 Bh4 g5 Bg3 h5 h4 g4 e3 Bh6 Bd3 f5 Ne2 Nf6 Nf4 O-O",
        "f4 e5 g4 d6 fxe5 dxe5 Bg2 Bxg4 Bxb7 Nd7 Bxa8 Qxa8",
        "Nf3 d5 Nd4 e5 Nb3 a5 a4 Nc6 Nc3 Nf6 d3 Be6 Bg5 Bb4",
        "c4 b5 cxb5 a6 bxa6 Bxa6 Qa4 Bc4 Qxa8 Bxa2 Rxa2 Nc6 Qb7 Qa8",
        "e4 c5 d4 cxd4 c3 dxc3 Nxc3 Nc6 Bc4 d6 Nf3 e6 O-O Nf6 Qe2 Be7 Rd1 e5",
    ];
    let (mut left, mut all) = (Vec::new(), 0);
    for moves in games {
        let mut position = Chess::default();
        for san in moves.split(' ') {
            let played = san.parse::<San>().expect(san).to_move(&position).expect(san);
            position.play_unchecked(played);
            let line = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            all += 1;
            if !compare(&line) {
                left.push(line);
            }
        }
    }
    assert!(left.is_empty(), "{} of {all} positions were not passed over: {left:#?}", left.len());
}

/// A number below one of `bounds`: small ones and great ones.
fn below_one_of(bounds: [usize; 3], numbers: &mut Numbers) -> usize {
    let bound = bounds[numbers.below(3)];
    numbers.below(bound)
}

/// A game of Chess960 or double Chess960 that has just begun, each line with its castling rights
/// spelt in both ways.
fn openings(number: usize, numbers: &mut Numbers) -> Vec<String> {
    let starts = [number, [number, numbers.below(960)][numbers.below(2)]].map(|number| Board::chess960(number as u32));
    let [first, eighth] = [Rank::First, Rank::Eighth].map(Bitboard::from_rank);
    let mut board = starts[0].clone();
    for square in eighth {
        board.discard_piece_at(square);
        board.set_piece_at(square, starts[1].piece_at(square).expect("a piece of the start"));
    }
    let rooks = board.rooks() & (first | eighth);
    let setup = Setup { board, castling_rights: rooks, ..Setup::default() };
    let mut position = Chess::from_setup(setup, CastlingMode::Chess960).expect("games begin with it");
    let mut lines = Vec::new();
    for _ in 0..numbers.below(7) + 1 {
        let setup = position.to_setup(EnPassantMode::Legal);
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        let files = |rank: Bitboard, first: u8| {
            (setup.castling_rights & rank).into_iter().map(move |rook| char::from(first + rook.file() as u8)).rev()
        };
        let written: String = files(first, b'A').chain(files(eighth, b'a')).collect();
        let written = if written.is_empty() { "-".to_owned() } else { written };
        lines.push([fields[0], fields[1], &written, fields[3], fields[4], fields[5]].join(" "));
        lines.push(fen);
        let moves = position.legal_moves();
        let Some(next) = moves.get(numbers.below(moves.len().max(1))) else { break };
        position.play_unchecked(*next);
    }
    lines
}

#[test]
fn games_of_chess960_that_have_just_begun() {
    let mut numbers = Numbers::new(960);
    let (mut clean, mut all) = (0, 0);
    for number in 0..960 {
        for line in openings(number, &mut numbers) {
            clean += u64::from(compare(&line));
            all += 1;
            (0..3).for_each(|_| {
                compare(&mutated(&line, &mut numbers));
            });
        }
    }
    assert!(clean * 100 > all * 98, "only {clean} of {all} positions were passed over");
}

/// A position in which something was changed; most often it can still be read.
fn mutated(line: &str, numbers: &mut Numbers) -> String {
    let mut fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for _ in 0..=numbers.below(3) {
        match numbers.below(16) {
            0 => fields[1] = ["w", "b"][numbers.below(2)].to_owned(),
            1 => {
                let all = ["KQkq", "KQkq", "HAha", "GBgb", "FBhc", "EAKq"][numbers.below(6)];
                let letters: String = all.chars().filter(|_| numbers.below(3) > 0).collect();
                fields[2] = if letters.is_empty() { "-".to_owned() } else { letters };
            }
            2 => fields[3] = format!("{}{}", ["a", "c", "d", "e", "h"][numbers.below(5)], ["3", "6"][numbers.below(2)]),
            3 => fields[4] = below_one_of([3, 30, 200], numbers).to_string(),
            4 => fields[5] = below_one_of([3, 30, 20_000], numbers).to_string(),
            5 => {
                let field = numbers.below(fields.len());
                // An empty field gets a character.
                let at = numbers.below(fields[field].len().max(1));
                let end = fields[field].len().min(at + 1);
                let byte = b"/8KkQqPp09-wb;\" eE36\t_x\\,a1"[numbers.below(27)];
                fields[field].replace_range(at..end, &char::from(byte).to_string());
            }
            _ => fields[0] = with_other_pieces(&fields[0], numbers),
        }
    }
    fields.join(" ")
}

/// The placement with a piece put, taken away or moved.
fn with_other_pieces(written: &str, numbers: &mut Numbers) -> String {
    let empty = |byte: u8| if byte.is_ascii_digit() { vec!['1'; usize::from(byte - b'0')] } else { vec![char::from(byte)] };
    let mut squares: Vec<char> = written.bytes().filter(|byte| *byte != b'/').flat_map(empty).collect();
    let (one, other) = (numbers.below(squares.len()), numbers.below(squares.len()));
    let near = (one + [1, 7, 8, 9][numbers.below(4)]) % squares.len();
    match numbers.below(4) {
        0 => squares[one] = '1',
        1 => squares[one] = ['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q'][numbers.below(10)],
        2 => squares.swap(one, other),
        // A piece of the same file or rank goes a short way: pawns and cages change by little.
        _ => squares.swap(one, near),
    }
    placement(&squares)
}

#[test]
fn positions_that_were_tampered_with() {
    let mut numbers = Numbers::new(20);
    let (mut clean, mut all) = (0, 0);
    for number in 0..200 {
        for line in lines(&game(number), EnPassantMode::Legal).iter().step_by(3) {
            for _ in 0..6 {
                let line = mutated(line, &mut numbers);
                clean += u64::from(compare(&line));
                all += 1;
                let operations = [" bm e4; id \"x\";", " ; D1 20", "; pv Nf3", " 7", " hmvc 1;", " x", "  c0 \"a\";", " +0+0"]
                    [numbers.below(8)];
                compare(&format!("{line}{operations}"));
            }
        }
    }
    // Both ways are taken often enough to be worth comparing.
    assert!(clean > all / 10 && clean < all * 9 / 10, "{clean} of {all} were passed over");
}

/// The placement of the pieces on a board of sixty-four squares, the a-file of rank 8 first; `1`
/// stands for an empty one.
fn placement(squares: &[char]) -> String {
    let mut text = String::new();
    for (index, rank) in squares.chunks(8).enumerate() {
        if index > 0 {
            text.push('/');
        }
        for run in rank.chunk_by(|a, b| a == b && *a == '1') {
            if run[0] == '1' { text.push_str(&run.len().to_string()) } else { text.push(run[0]) }
        }
    }
    text
}

/// Few pieces thrown on the board: at times no move can have been the last.
#[test]
fn few_pieces_anywhere() {
    let mut numbers = Numbers::new(7);
    let (mut clean, mut all) = (0, 0);
    for _ in 0..20_000 {
        let mut squares = vec!['1'; 64];
        let letters = ["Kk", "KkQ", "KkR", "KkBn", "KkNPp", "KkPPPppp", "KkRrPp", "KkQqBbNn"][numbers.below(8)];
        for letter in letters.chars() {
            // Pieces in the corners are those that have nowhere to come from.
            let at = if numbers.below(3) == 0 {
                [0, 1, 8, 6, 7, 15, 48, 56, 57, 55, 62, 63][numbers.below(12)]
            } else {
                numbers.below(64)
            };
            squares[at] = letter;
        }
        let clock = numbers.below(2) * numbers.below(3);
        let counters = [String::new(), format!(" {clock} 60")][numbers.below(2)].clone();
        clean += u64::from(compare(&format!("{} {} - -{counters}", placement(&squares), ["w", "b"][numbers.below(2)])));
        all += 1;
    }
    assert!(clean > all / 10 && clean < all * 9 / 10, "{clean} of {all} were passed over");
}

/// Pieces out of place beyond pawns of which most have not moved.
#[test]
fn camps() {
    let mut numbers = Numbers::new(11);
    let (mut clean, mut all) = (0, 0);
    for _ in 0..20_000 {
        let mut squares: Vec<char> = ["rnbqkbnr", "pppppppp", &"1".repeat(32), "PPPPPPPP", "RNBQKBNR"].concat().chars().collect();
        for _ in 0..numbers.below(8) {
            let (file, forward) = (numbers.below(8), 8 * (1 + numbers.below(3)));
            let (from, to) =
                if numbers.below(2) == 0 { (8 + file, 8 + file + forward) } else { (48 + file, 48 + file - forward) };
            match numbers.below(4) {
                0 => squares[from] = '1',
                1 => squares.swap(from, (to + 1).min(63)),
                _ => squares.swap(from, to),
            }
        }
        for _ in 0..numbers.below(4) {
            let (one, other) = (numbers.below(8) + [0, 56][numbers.below(2)], numbers.below(64));
            match numbers.below(4) {
                0 => squares[one] = '1',
                1 => squares.swap(one, one / 8 * 8 + other % 8),
                _ => squares.swap(one, other),
            }
        }
        let rights = ["-", "-", "KQkq", "K", "q", "Qk"][numbers.below(6)];
        let counters = ["", " 0 30", " 4 30"][numbers.below(3)];
        clean += u64::from(compare(&format!("{} {} {rights} -{counters}", placement(&squares), ["w", "b"][numbers.below(2)])));
        all += 1;
    }
    assert!(clean > all / 10 && clean < all * 9 / 10, "{clean} of {all} were passed over");
}

#[test]
fn samples_of_rules() {
    for rule in RULES {
        for sample in rule.fires.iter().chain(rule.silent) {
            let text = sample.input().0;
            let text = String::from_utf8_lossy(&text);
            let positions = text.split("[FEN \"").skip(1).filter_map(|rest| rest.split('"').next());
            for line in positions.chain(text.lines()) {
                compare(line);
                compare(&format!("{line}\r\n{line}"));
            }
            if let Sample::Positions(line) = sample {
                let plain = line.replace(['⟦', '⟧'], "");
                let mut numbers = Numbers::new(plain.len() as u64);
                for line in plain.lines().filter(|line| line.is_ascii() && line.split(' ').count() == 6) {
                    (0..20).for_each(|_| {
                        compare(&mutated(line, &mut numbers));
                    });
                }
            }
        }
    }
}

#[test]
fn spellings() {
    for line in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/2r5/8/5k2/8/8/5K2/8 b - - 53 68"] {
        assert!(compare(line), "{line}");
    }
    let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for ending in ["", "\n", "\r\n", " \n", "  \r\n", "\n\n", "\nx"] {
        assert!(compare(&format!("{line}{ending}")), "{ending:?}");
    }
    for (from, to) in [
        (" b ", " B "),
        (" b ", "  b "),
        (" b ", "\tb "),
        ("KQkq", "QKkq"),
        ("KQkq", "KKQq"),
        ("KQkq", "HAha"),
        ("KQkq", ""),
        ("KQkq", "KQkq-"),
        ("- 0", "-0"),
        ("0 1", "0"),
        ("0 1", "0 01"),
        ("0 1", "00 1"),
        ("0 1", "0 1x"),
        ("0 1", "0 1 x"),
        ("0 1", "0 1;"),
        ("0 1", "0 99999999999999999999999"),
        ("0 1", "0 1\t"),
        ("0 1", "0 1\r"),
        ("0 1", "0 1\0"),
        ("rnbq", " rnbq"),
        ("rnbq", "\u{FEFF}rnbq"),
        ("rnbq", "epd rnbq"),
    ] {
        assert_eq!(accept_line(line.replacen(from, to, 1).as_bytes(), 0), None, "{from} -> {to}");
    }
    for line in ["", "\n", "# comment", "id x", "perft 1 20"] {
        assert_eq!(accept_line(line.as_bytes(), 0), None, "{line}");
    }
    assert_eq!(accept_line(b"x", 7), None);
}

#[test]
fn asked_for_by_those_only_who_see_no_infos_of_positions() {
    let of = |profile| fast_lines_suffice(&Selection::of(profile));
    assert!(of(Profile::Standard) && of(Profile::Problem) && !of(Profile::Strict) && !of(Profile::Export));
    let selected = |word| fast_lines_suffice(&Selection::default().select([word]).expect("a rule is called so"));
    assert!(selected("MOV") && !selected("game-over"));
}

/// What the standard profile reports, and what is left of the infos when they are taken out
/// afterwards: with infos every line is examined.
fn both_ways(text: &[u8], chunk_bytes: usize) -> [(Vec<String>, String); 2] {
    [Profile::Standard, Profile::Strict].map(|profile| {
        let settings = Settings { selection: Selection::of(profile), threads: 1, chunk_bytes, ..Settings::default() };
        let audit_result: AuditResult = audit(vec![input(text, Format::Epd)], settings);
        assert!(audit_result.failures.is_empty());
        let findings =
            audit_result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.severity > Severity::Info);
        let lines = findings.map(|finding| {
            let place = (finding.line, finding.column, finding.game, finding.place);
            format!("{} {place:?} {}", finding.rule.code, finding.message)
        });
        (lines.collect(), format!("{:?}", audit_result.summary.counts))
    })
}

#[test]
fn an_audit_tells_the_same() {
    let mut numbers = Numbers::new(3);
    let mut text = String::new();
    for number in 0..12 {
        for line in lines(&game(number), EnPassantMode::Legal) {
            let line = if numbers.below(4) == 0 { mutated(&line, &mut numbers) } else { line };
            text.push_str(&line);
            text.push_str(["\n", "\r\n", "\n\n", " \n", "\n# no position\n", " bm e4;\n", "\r"][numbers.below(7)]);
        }
    }
    for chunk_bytes in [1 << 18, 1000] {
        let [passing, examining] = both_ways(text.as_bytes(), chunk_bytes);
        assert!(passing.0.len() > 50, "{}", passing.0.len());
        let only =
            |one: &[String], other: &[String]| one.iter().filter(|line| !other.contains(line)).cloned().collect::<Vec<_>>();
        assert_eq!(only(&passing.0, &examining.0), only(&examining.0, &passing.0), "{chunk_bytes} bytes");
        assert_eq!(passing, examining);
    }
}

#[test]
fn corpora_are_told_alike() {
    let Some(folder) = corpora() else { return };
    let files = |name: &str| -> Vec<PathBuf> {
        fs::read_dir(folder.join(name)).expect("the folder can be read").map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut files = [files("epd"), files("positions")].concat();
    files.sort();
    for file in files {
        let bytes = fs::read(&file).expect("the file can be read");
        let text = String::from_utf8_lossy(&bytes);
        let all = text.lines().count();
        // Of the longest files a part spread evenly.
        let step = all / 4000 + 1;
        let mut clean = 0;
        for line in text.lines().step_by(step) {
            // Tables and labelled lists have positions among other things.
            let cells = line.split([',', '\t']).chain([line]);
            clean += u64::from(cells.map(compare).fold(false, |any, passed| any | passed));
        }
        println!("{}: {clean} of {} passed over", file.file_name().unwrap_or_default().display(), all.div_ceil(step));
    }
}

/// Positions after a double step are no reason for a closer look.
#[test]
fn en_passant_squares_are_accepted() {
    for line in [
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2",
        "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
    ] {
        assert!(accept_line(line.as_bytes(), 0).is_some(), "{line}");
    }
}

/// A line with the four fields of a position and operations whose moves are legal and canonical,
/// and whose names are `name`.
fn with_operations(position: &Chess, name: &str, numbers: &mut Numbers) -> String {
    let sans = |position: &Chess, most: usize, numbers: &mut Numbers| {
        let legal = position.legal_moves();
        (0..=numbers.below(most))
            .filter_map(|_| legal.get(numbers.below(legal.len().max(1))))
            .map(|played| SanPlus::from_move(position.clone(), *played).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let variation = |numbers: &mut Numbers| {
        let mut position = position.clone();
        let mut line = Vec::new();
        for _ in 0..=numbers.below(5) {
            let legal = position.legal_moves();
            let Some(played) = legal.get(numbers.below(legal.len().max(1))) else { break };
            line.push(SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string());
        }
        line.join(" ")
    };
    let mode = [EnPassantMode::Legal, EnPassantMode::Always][numbers.below(2)];
    let fen = Fen::from_position(position, mode).to_string();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut line = fields.join(" ");
    for _ in 0..=numbers.below(4) {
        let operation = match numbers.below(12) {
            0..=2 => format!("bm {}", sans(position, 3, numbers)),
            3 => format!("am {}", sans(position, 2, numbers)),
            4 => format!("pv {}", variation(numbers)),
            5 | 6 => format!("id \"{name}\""),
            7 => format!("ce {}", numbers.below(3000) as i64 - 1500),
            8 => format!("{} {}", ["acd", "acn", "acs"][numbers.below(3)], numbers.below(9999)),
            9 => format!("c{} \"{}\"", numbers.below(10), sans(position, 3, numbers)),
            10 => "c0 \"1/2-1/2; x\"".to_owned(),
            _ => format!("c0 \"{}=10\"", sans(position, 1, numbers)),
        };
        line.push_str(&format!(" {operation};"));
    }
    line
}

#[test]
fn lines_with_operations() {
    let mut numbers = Numbers::new(16);
    let (mut clean, mut all) = (0, 0);
    for number in 0..160 {
        let game = game(number);
        for (ply, position) in game.positions().enumerate().filter(|(ply, _)| ply % 3 == 0) {
            let line = with_operations(&position, &format!("{number}.{ply}"), &mut numbers);
            let is_repeated = (0..10)
                .map(|digit| format!("c{digit} "))
                .chain(OPCODES.map(str::to_owned))
                .any(|opcode| line.matches(&format!(" {opcode}")).count() > 1);
            let passed = compare(&line);
            let needs_a_closer_look = is_repeated || line.contains("=10") || line.contains("bm ") && line.contains("am ");
            if game.fen.is_none() && !needs_a_closer_look {
                (clean, all) = (clean + usize::from(passed), all + 1);
            }
            let mut bytes = line.into_bytes();
            for _ in 0..=numbers.below(2) {
                let at = bytes.len() / 3 + numbers.below(bytes.len() * 2 / 3);
                match numbers.below(3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, b" ;\"\\=x+#ce1"[numbers.below(11)]),
                    _ => bytes[at] = b"abcdefgh12345678KQRBNx;=+#! \"-"[numbers.below(30)],
                }
            }
            compare(&String::from_utf8(bytes).expect("ASCII"));
        }
    }
    assert!(all > 1000, "{all} lines");
    assert!(clean * 100 > all * 90, "only {clean} of {all} lines were passed over");
}

/// One fault in a line with operations.
#[test]
fn faults_of_operations_are_not_passed_over() {
    for operations in [
        // A move that is legal only after the one before it.
        "bm e4 Bc4;",
        "bm d4 e4 Bc4;",
        "pv e4 e5 Bc4 Nf6 O-O;",
        "acd -5;",
        "acn 1.5;",
        "id \"a\u{1}b\";",
        "id \"caf\u{e9}\u{161}\";",
        "id \"\";",
        "c0 \"M\u{c3}\u{bc}ller\";",
        "c0 \"\u{fffd}\";",
        "c0 \"a\u{85}b\";",
        "c0 \"e4=5\";",
        "c0 \"a\tb\";",
        "pv e4 d4;",
        "ce 5; ce 6;",
        "bm Nf3!;",
    ] {
        let line = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}");
        assert!(!compare(&line), "{line}");
    }
    assert!(compare("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; acd 5; id \"a b\"; c0 \"word\";"));
}

/// Letters of European names, and `=` without a move before it.
#[test]
fn strings_of_many_kinds_are_accepted() {
    for operations in [
        "c0 \"Andreas Strangm\u{fc}ller\";",
        "id \"\u{141}\u{f3}d\u{17a}.1\";",
        "c0 \"\u{c0}\";",
        "c0 \"https://example.org/topic?id=18253\";",
        "c0 \"a=5\"; c1 \"e4=5\";",
        "c0 \"exactly seven bytes more than that: 1234567\";",
        "c0 \"\";",
    ] {
        assert!(compare(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}")), "{operations}");
    }
}

/// Letters in accepted lines are evidence that the input is UTF-8.
#[test]
fn letters_in_accepted_lines_count_for_the_encoding() {
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 ";
    for number in 0..3 {
        let mut text = Vec::new();
        for string in [&b"M\xC3\xBCller"[..], b"Mueller", b"M\xFCller"].iter().cycle().skip(number).take(2) {
            text.extend_from_slice(&[line.as_bytes(), b"\"", string, b"\";\n"].concat());
        }
        let [accepting, examining] = both_ways(&text, 1 << 18);
        assert_eq!(accepting, examining);
        assert_eq!(accepting.0.iter().any(|finding| finding.starts_with("ENC03")), number == 2, "{accepting:?}");
    }
}

/// Names in accepted lines are found at the same places as those in other lines.
#[test]
fn names_are_found_at_their_places() {
    let positions = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/3P4/4K3 w - -", "4k3/8/8/8/8/3P4/8/4K3 b - -"];
    let mut numbers = Numbers::new(7);
    let mut text = String::new();
    for _ in 0..2000 {
        let fields = positions[numbers.below(3)];
        let name = format!("id \"{}\";", numbers.below(300));
        text.push_str(&match numbers.below(8) {
            0 => "# a comment".to_owned(),
            1 => fields.to_owned(),
            2 => format!("{fields} bm e9; {name}"),
            3 => format!("{fields} c0 \"\"; {name}"),
            _ => format!("{fields} {name}"),
        });
        text.push_str(["\n", "\r\n", " \n", "\n\n"][numbers.below(4)]);
    }
    for chunk_bytes in [1 << 18, 1000] {
        let [accepting, examining] = both_ways(text.as_bytes(), chunk_bytes);
        let about_names = accepting.0.iter().filter(|finding| finding.starts_with("EPD17")).count();
        assert!(about_names > 200, "{about_names}");
        assert_eq!(accepting, examining, "{chunk_bytes} bytes");
    }
}

/// The thorough path gives up on lines with very many words.
#[test]
fn very_long_lines_are_not_passed_over() {
    let line =
        |count: usize| format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv{};", " Nf3 Nf6 Ng1 Ng8".repeat(count));
    assert!(compare(&line(100)));
    assert_eq!(accept_line(line(2_000).as_bytes(), 0), None);
    assert_eq!(accept_line(line(30_000).as_bytes(), 0), None);
}

/// The opcodes of [`with_operations`], apart from comments.
const OPCODES: [&str; 8] = ["bm ", "am ", "pv ", "id ", "ce ", "acd ", "acn ", "acs "];
