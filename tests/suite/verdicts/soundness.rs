//! What legal moves reach is legal: games made at random, every position of them held against every
//! rule about positions.

use std::fmt::Write;

use crate::common::extent::part;
use crate::common::{
    Numbers,
    games::{Taste, chess960, choose, double_chess960, position},
    lines::examine_line,
};
use chess_audit::internals::{
    record::examine_position,
    rules::{
        Declared, Finding, Findings, Origin, Severity, Span,
        conditions::{STANDARD_CHESS, STANDARD_NOT_SHOWN, STANDARD_SHOWN},
    },
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role, fen::Fen, san::SanPlus};

/// So many positions have to be asked about.
const POSITIONS: usize = 1_000_000;

/// So many games make up as many positions, and some more.
const GAMES: usize = 5000;

/// No game is longer.
const MAX_PLIES: usize = 300;

/// From which starting position a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Array {
    Standard,
    Chess960,
    /// Each side has its own.
    Double,
    /// None: one of the positions in [`COMPOSED`].
    Composed,
}

/// Positions that a game plainly reaches, from which play reaches soon what it hardly ever reaches
/// from the starting position: kings in the open, en passant captures that open lines to them, bare
/// boards with all pawns, full boards without.
const COMPOSED: [&str; 14] = [
    "rnbq1bnr/ppppkppp/8/4P3/8/8/PPPP1PPP/RNBQRK2 b - - 0 30",
    "rnbq1bnr/pp1pkppp/8/2P1P3/8/8/PP1P1PPP/RNBQRK2 b - - 0 30",
    "rnbqrk2/pppp1ppp/8/8/4p3/8/PPPPKPPP/RNBQ1BNR w - - 0 30",
    "4rk2/pp1p1ppp/8/8/2p1p3/8/PPPPKPPP/RNB2BNR w - - 0 30",
    "8/pppkpppp/8/4P3/8/8/PPPP1PPP/3RKB2 b - - 0 30",
    "8/ppppkppp/4p3/8/3PP3/8/PPP2PPP/2BRKR2 w - - 0 30",
    "7k/pppppppp/8/8/8/8/PPPPPPPP/K4B2 w - - 0 60",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 60",
    "r3k1nr/pppppppp/8/8/8/8/PPPPPPPP/R3K1NR w KQkq - 4 60",
    "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 4 60",
    "r3k2r/3q4/8/8/8/8/3Q4/R3K2R w KQkq - 4 60",
    "8/4k3/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 60",
    "8/PPPP2k1/8/8/8/8/2K1pppp/8 w - - 0 60",
    "1n2k1n1/pppppppp/8/8/8/8/PPPPPPPP/1N2K1N1 w - - 0 60",
];

/// Counts of what the games held: the test is worth what they reach.
#[derive(Clone, Debug, Default)]
struct Tally {
    positions: usize,
    double_checks: usize,
    /// Double checks by an en passant capture.
    en_passant_double_checks: usize,
    castling_checks: usize,
    underpromotions: usize,
    en_passant_captures: usize,
    /// Nothing captured and no pawn moved after 20 plies.
    shuffled: usize,
    /// Positions with a piece more of one kind than the starting position has.
    promoted: usize,
    long_clocks: usize,
    /// After more than 250 plies.
    late: usize,
    /// What was found, with how it came about.
    accused: Vec<String>,
}

impl Tally {
    fn add(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        self.double_checks += other.double_checks;
        self.en_passant_double_checks += other.en_passant_double_checks;
        self.castling_checks += other.castling_checks;
        self.underpromotions += other.underpromotions;
        self.en_passant_captures += other.en_passant_captures;
        self.shuffled += other.shuffled;
        self.promoted += other.promoted;
        self.long_clocks += other.long_clocks;
        self.late += other.late;
        self.accused.extend(other.accused);
        self
    }

    fn note(&mut self, after: &Chess, played: Move, plies: usize) {
        let count = |wanted: bool| usize::from(wanted);
        let checkers = after.checkers().count();
        let promoted = |role: Role, most: usize| (after.board().by_role(role) & after.them()).count() > most;
        self.positions += 1;
        self.double_checks += count(checkers == 2);
        self.en_passant_double_checks += count(checkers == 2 && played.is_en_passant());
        self.castling_checks += count(checkers > 0 && played.is_castle());
        self.underpromotions += count(played.promotion().is_some_and(|role| role != Role::Queen));
        self.en_passant_captures += count(played.is_en_passant());
        self.shuffled += count(plies >= 20 && after.halfmoves() as usize == plies);
        self.promoted += count(promoted(Role::Queen, 1) || promoted(Role::Knight, 2) || promoted(Role::Rook, 2));
        self.long_clocks += count(after.halfmoves() >= 100);
        self.late += count(plies > 250);
    }
}

/// Plays a game and asks about each of its positions.
fn ask_about_game(number: usize) -> Tally {
    let mut numbers = Numbers::new(number as u64 + 77_000_001);
    for _ in 0..8 {
        numbers.below(2);
    }
    let taste = Taste::ALL[number % Taste::ALL.len()];
    let (origin, start) = match number / Taste::ALL.len() % 8 {
        0 => (Array::Chess960, position(&chess960(&mut numbers))),
        1 => (Array::Double, position(&double_chess960(&mut numbers))),
        2 | 3 => (Array::Composed, standard_position(COMPOSED[numbers.below(COMPOSED.len())])),
        _ => (Array::Standard, Chess::default()),
    };
    // Some games change their ways: what one taste prepares another one uses.
    let second = if numbers.below(2) == 0 { taste } else { Taste::ALL[numbers.below(Taste::ALL.len())] };
    let change = numbers.below(120);
    let mut tally = Tally::default();
    let mut moves = Vec::new();
    let mut after = start.clone();
    let mut text = String::new();
    while moves.len() < MAX_PLIES
        && let Some(played) = choose(&after, if moves.len() < change { taste } else { second }, &mut numbers)
    {
        after.play_unchecked(played);
        moves.push(played);
        tally.note(&after, played, moves.len());
        ask_about_position(&after, origin, moves.len(), &mut text, |finding, text| {
            if tally.accused.len() < 3 {
                tally.accused.push(accusation(finding, text, origin, &start, &moves));
            }
        });
    }
    tally
}

fn standard_position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("the FEN is well formed");
    fen.into_position(CastlingMode::Standard).expect("the FEN is legal")
}

/// Asks about a position as it is written in one of the three conventions for the en passant
/// square, and as it stands in one of three places; `plies` decides which.
fn ask_about_position(after: &Chess, origin: Array, plies: usize, text: &mut String, mut accuse: impl FnMut(&Finding, &str)) {
    let convention = [EnPassantMode::Always, EnPassantMode::PseudoLegal, EnPassantMode::Legal][plies % 3];
    text.clear();
    write!(text, "{}", Fen::from_position(after, convention)).expect("text can be written");
    let whole = Span::new(0, text.len());
    let chess960 = matches!(origin, Array::Chess960 | Array::Double);
    let declared =
        Declared { chess960, double_chess960: origin == Array::Double, seventy_five_move_rule: true, ..Declared::default() };
    let mut findings = Findings::new();
    let examined = match plies / 3 % 3 {
        0 => examine_line(text.as_bytes(), whole, &mut findings).expect("it is a record"),
        1 => examine_position(text.as_bytes(), whole, Origin::FenTag, declared, &mut findings),
        _ => {
            let origin = Origin::Replayed { from_start: origin == Array::Standard };
            examine_position(text.as_bytes(), whole, origin, declared, &mut findings)
        }
    };
    for finding in findings.all().iter().filter(|finding| finding.severity > Severity::Info) {
        // These are dropped if the input is Chess960. Alone, the position has one such warning.
        let is_exempt =
            finding.conditions.iter().any(|condition| matches!(condition, STANDARD_CHESS | STANDARD_SHOWN | STANDARD_NOT_SHOWN));
        if !(chess960 && is_exempt) {
            accuse(finding, text);
        }
    }
    assert!(examined.start.is_some(), "{text} can be played from");
    assert!(!examined.evidence.start.is_chess960() || chess960, "{text} is no evidence of Chess960");
}

/// A finding, and the moves that lead to it.
fn accusation(finding: &Finding, text: &str, origin: Array, start: &Chess, moves: &[Move]) -> String {
    let mut position = start.clone();
    let sans = moves.iter().map(|&played| SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
    let sans: Vec<String> = sans.collect();
    let (code, severity, message) = (finding.rule.code, finding.severity, &finding.message);
    let begin = Fen::from_position(start, EnPassantMode::Legal);
    format!("{code} {severity} on {text}: {message}\n    {origin:?} {begin}: {}", sans.join(" "))
}

/// A game that begins with a false position proves nothing.
#[test]
fn nothing_is_found_in_the_positions_that_games_begin_with() {
    for fen in COMPOSED {
        let mut text = String::new();
        ask_about_position(&standard_position(fen), Array::Composed, 3, &mut text, |finding, text| {
            panic!("{} on {text}: {}", finding.rule.code, finding.message);
        });
    }
}

#[test]
fn no_position_that_play_reaches_is_accused() {
    let tally = (0..part(GAMES)).into_par_iter().map(ask_about_game).reduce(Tally::default, Tally::add);
    let accused = &tally.accused;
    assert!(accused.is_empty(), "{} accusations\n{}", accused.len(), accused[..accused.len().min(10)].join("\n"));
    assert!(tally.positions >= part(POSITIONS), "{tally:?}");
    println!("{tally:?}");
    for (kind, count, least) in [
        ("double checks", tally.double_checks, 800),
        ("double checks by an en passant capture", tally.en_passant_double_checks, 20),
        ("castling with check", tally.castling_checks, 80),
        ("underpromotions", tally.underpromotions, 5000),
        ("en passant captures", tally.en_passant_captures, 1000),
        ("all pieces and pawns there and shuffled", tally.shuffled, 12_000),
        ("more pieces than at the start", tally.promoted, 40_000),
        ("clocks of 100 and more", tally.long_clocks, 20_000),
        ("more than 250 plies", tally.late, 100_000),
    ] {
        let least = part(least);
        assert!(count >= least, "{kind}: {count} of {least}");
    }
}
