//! Whether a side can checkmate by any sequence of legal moves: held against games that end in checkmate, against the crate
//! `chasolver`, and against labelled positions.

use std::{fs, str::FromStr};

use chess_audit::chess::winnability::{MAX_POSITIONS, Winnability, cannot_checkmate, is_dead, quick_winnability, winnability};
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, fen::Fen};

use crate::common::{
    Numbers, corpora,
    games::{Taste, choose},
};

/// Enough for most positions of the tests.
const MAX: usize = 5_000;

/// Enough for all labelled positions.
const MANY: usize = 1_000_000;

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A game of random moves from `start` with up to `plies` plies.
fn play(start: Chess, taste: Taste, plies: usize, numbers: &mut Numbers) -> Vec<Chess> {
    let mut positions = vec![start];
    while let Some(last) = positions.last().filter(|_| positions.len() <= plies)
        && let Some(played) = choose(last, taste, numbers)
    {
        let mut next = last.clone();
        next.play_unchecked(played);
        positions.push(next);
    }
    positions
}

/// A legal position with these pieces on random squares.
fn scattered(pieces: &str, numbers: &mut Numbers) -> Chess {
    loop {
        let mut squares = [None; 64];
        for piece in pieces.chars() {
            squares[numbers.below(64)] = Some(piece);
        }
        let ranks = squares.chunks(8).map(|rank| {
            let mut text = String::new();
            for square in rank {
                match square {
                    Some(piece) => text.push(*piece),
                    None => text.push('1'),
                }
            }
            text
        });
        let turn = if numbers.below(2) == 0 { 'w' } else { 'b' };
        let text = format!("{} {turn} - - 0 1", ranks.collect::<Vec<_>>().join("/"));
        let position = Fen::from_str(&text).ok().and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok());
        if let Some(position) = position {
            return position;
        }
    }
}

/// Pawns that shut the kings off from each other.
const WALLS: [&str; 7] = [
    "8/8/8/1p1p1p1p/1P1P1P1P/8/8/8",
    "8/8/8/p1p1p1p1/P1P1P1P1/8/8/8",
    "8/4p3/3pPp2/2pP1Pp1/1pP3Pp/pP5P/P7/8",
    "8/8/1p1p1p2/1PpP1Pp1/2P3P1/8/8/8",
    "8/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/8",
    "8/8/3p1p2/p1pP1Pp1/P1P3P1/8/8/8",
    "8/p1p1p1p1/2P1P1P1/P7/8/8/8/8",
];

/// A wall, often with a pawn less or moved, kings, and a few more pieces. Many of these positions are blocked for good, and many
/// others just not.
fn locked(numbers: &mut Numbers) -> Chess {
    loop {
        let wall = WALLS[numbers.below(WALLS.len())];
        let mut squares: Vec<char> = wall
            .chars()
            .filter(|letter| *letter != '/')
            .flat_map(|letter| match letter.to_digit(10) {
                Some(empty) => vec!['1'; empty as usize],
                None => vec![letter],
            })
            .collect();
        let mut put = |piece: char, at: usize| {
            if piece == '1' || squares[at] == '1' {
                squares[at] = piece;
            }
        };
        if numbers.below(4) == 0 {
            put('1', 8 + numbers.below(48));
        }
        put('K', 32 + numbers.below(32));
        put('k', numbers.below(32));
        for _ in 0..numbers.below(4) {
            put(['B', 'b', 'B', 'b', 'N', 'n', 'p', 'P'][numbers.below(8)], 8 + numbers.below(48));
        }
        let text: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
        let turn = if numbers.below(2) == 0 { 'w' } else { 'b' };
        let text = format!("{} {turn} - - 0 1", text.join("/"));
        if let Some(position) = Fen::from_str(&text).ok().and_then(|fen| fen.into_position(CastlingMode::Standard).ok()) {
            return position;
        }
    }
}

/// Every position before a checkmate is one from which the winner can checkmate.
#[test]
fn no_position_before_a_checkmate_is_unwinnable() {
    let mut numbers = Numbers::new(71);
    let tastes = [Taste::Any, Taste::Checks, Taste::Trades, Taste::Locked, Taste::Raids, Taste::Promotions];
    let few = ["KRk", "KQkp", "KRkrp", "KPkp", "KPPkpp", "KBNkp", "KNNkp", "KBkpp", "KNkpp", "KBkn", "KNkb", "KQPkqp"];
    let (mut mates, mut asked) = (0, 0);
    for round in 0..3000 {
        let start = match round % 3 {
            0 => Chess::default(),
            1 => scattered(few[numbers.below(few.len())], &mut numbers),
            _ => locked(&mut numbers),
        };
        let positions = play(start, tastes[numbers.below(tastes.len())], 300, &mut numbers);
        let Some(end) = positions.last().filter(|end| end.is_checkmate()) else { continue };
        let winner = !end.turn();
        mates += 1;
        for position in positions.iter().rev().take(120) {
            asked += 1;
            assert_ne!(quick_winnability(position, winner), Winnability::Unwinnable, "{}", fen(position));
            assert!(!cannot_checkmate(position, winner) && !is_dead(position), "{}", fen(position));
            if asked % 50 == 0 {
                assert_ne!(winnability(position, winner, MAX), Winnability::Unwinnable, "{}", fen(position));
            }
        }
    }
    assert!(mates > 150 && asked > 10_000, "{mates} games, {asked} positions");
}

/// What `chasolver` says; `None` if it does not know.
fn oracle(position: &Chess, winner: Color) -> Option<Winnability> {
    let board = chess::Board::from_str(&fen(position)).ok()?;
    Some(match chasolver::winnability(&board, winner.fold_wb(chess::Color::White, chess::Color::Black))? {
        chasolver::Winnability::Winnable { .. } => Winnability::Winnable,
        chasolver::Winnability::Unwinnable => Winnability::Unwinnable,
    })
}

/// What was decided, and what was left open.
#[derive(Debug, Default)]
struct Tally {
    winnable: usize,
    unwinnable: usize,
    undecided: usize,
    /// Of the unwinnable ones, those that were not found.
    missed: usize,
}

/// Holds all verdicts about a position against the oracle.
fn compare(position: &Chess, tally: &mut Tally) {
    for winner in Color::ALL {
        let Some(right) = oracle(position, winner) else { continue };
        for found in [quick_winnability(position, winner), winnability(position, winner, MAX)] {
            assert!(found == right || found == Winnability::Undecided, "{}: {winner} {found:?}", fen(position));
        }
        assert!(right == Winnability::Unwinnable || !cannot_checkmate(position, winner), "{}: {winner}", fen(position));
        match winnability(position, winner, MAX) {
            Winnability::Winnable => tally.winnable += 1,
            Winnability::Unwinnable => tally.unwinnable += 1,
            Winnability::Undecided => tally.undecided += 1,
        }
        tally.missed += usize::from(right == Winnability::Unwinnable && winnability(position, winner, MAX) != right);
    }
}

#[test]
fn generated_positions_against_the_oracle() {
    let mut numbers = Numbers::new(72);
    let few = ["KBk", "KNkq", "KBkr", "KBkb", "KNkp", "KBBkb", "KPkp", "KPPkpp", "KNNkq", "KBBBkr", "KQkq", "KRBkrn", "KPPPkppp"];
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    for round in 0..600 {
        compare(&locked(&mut numbers), &mut tallies[0]);
        compare(&scattered(few[round % few.len()], &mut numbers), &mut tallies[1]);
        let taste = [Taste::Any, Taste::Locked, Taste::Trades, Taste::Quiet][round % 4];
        let start = if round % 2 == 0 { locked(&mut numbers) } else { Chess::default() };
        let played = play(start, taste, 20 + numbers.below(150), &mut numbers);
        compare(&played[played.len() - 1], &mut tallies[2]);
    }
    let all = |of: &dyn Fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    assert!(all(&|tally| tally.winnable) > 800 && all(&|tally| tally.unwinnable) > 200, "{tallies:?}");
    assert!(all(&|tally| tally.undecided) < 10 && all(&|tally| tally.missed) < 3, "{tallies:?}");
}

/// Positions that are understood, one by one.
#[test]
fn known_positions_against_the_oracle() {
    for (fen, dead) in [
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", true),
        ("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1", false),
        ("5k2/4p3/3pPp2/2pP1Pp1/1pPK2Pp/pP5P/P7/8 w - - 0 1", true),
        ("2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", true),
        ("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1", true),
        ("8/2b5/kp1p1p2/1PpP1Pp1/K1P3P1/3B4/8/8 b - - 0 1", true),
    ] {
        let position: Chess = fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen);
        assert_eq!(is_dead(&position), dead, "{fen}");
        compare(&position, &mut Tally::default());
    }
}

/// The labels of `winnability/chasolver_positions.txt`: two characters, `W` and `B` if that side can checkmate, and a FEN.
/// All of them are decided.
#[test]
fn labelled_positions() {
    let Some(corpora) = corpora() else { return };
    let Ok(text) = fs::read_to_string(corpora.join("winnability/chasolver_positions.txt")) else {
        println!("not run: there are no labelled positions in {}", corpora.display());
        return;
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && line.len() > 3).collect();
    let undecided: usize = lines.par_iter().map(|line| compare_with_label(line)).sum();
    assert!(lines.len() > 3_000 && undecided < 20, "{} positions, {undecided} labels need a longer search", lines.len());
}

/// Holds all verdicts about a position against its label. Returns how many of the two need more than the usual search.
fn compare_with_label(line: &str) -> usize {
    // Composed positions may have any pieces and checks.
    let position = Fen::from_str(&line[3..])
        .expect(line)
        .into_position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect(line);
    let mut undecided = 0;
    for (winner, label) in [Color::White, Color::Black].into_iter().zip(line.bytes()) {
        let right = if label == b'-' { Winnability::Unwinnable } else { Winnability::Winnable };
        let quick = quick_winnability(&position, winner);
        assert!(quick == right || quick == Winnability::Undecided, "{line}: {winner} {quick:?} at once");
        assert!(label == b'-' || !cannot_checkmate(&position, winner), "{line}: {winner}");
        let found = winnability(&position, winner, MAX_POSITIONS);
        assert!(found == right || found == Winnability::Undecided, "{line}: {winner} {found:?}");
        if found == Winnability::Undecided {
            assert_eq!(winnability(&position, winner, MANY), right, "{line}: {winner}");
            undecided += 1;
        }
    }
    undecided
}
