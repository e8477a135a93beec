//! Whether a side can checkmate by any sequence of legal moves: held against games that end in
//! checkmate, against recorded answers of the crate `chasolver`, and against labelled positions.

use std::{fs, str::FromStr};

use chess_audit::internals::chess::winnability::{cannot_checkmate, is_dead};
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, fen::Fen};

use crate::common::extent::part;
use crate::common::not_run::not_run;
use crate::common::{
    Numbers, corpora, fixture,
    games::{Taste, choose},
};

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

/// A wall, often with a pawn less or moved, kings, and a few more pieces. Many of these positions
/// are blocked for good, and many others just not.
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
    for round in 0..part(1500) {
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
            assert!(!cannot_checkmate(position, winner) && !is_dead(position), "{}", fen(position));
        }
    }
    assert!(mates > part(75) && asked > part(5_000), "{mates} games, {asked} positions");
}

/// The recording: a FEN, then what `chasolver` says about White and about Black.
const RECORDING: &str = "oracles/chasolver_winnability.tsv";

/// Positions that are understood, one by one, and whether they are dead.
const KNOWN: [(&str, bool); 6] = [
    ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", true),
    ("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1", false),
    ("5k2/4p3/3pPp2/2pP1Pp1/1pPK2Pp/pP5P/P7/8 w - - 0 1", true),
    ("2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1", true),
    ("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1", true),
    ("8/2b5/kp1p1p2/1PpP1Pp1/K1P3P1/3B4/8/8 b - - 0 1", true),
];

/// The positions of the recording: known ones, then generated ones.
fn positions_of_the_recording() -> impl Iterator<Item = Chess> {
    let known = KNOWN.into_iter().map(|(fen, _)| from_fen(fen));
    let mut numbers = Numbers::new(72);
    let few = ["KBk", "KNkq", "KBkr", "KBkb", "KNkp", "KBBkb", "KPkp", "KPPkpp", "KNNkq", "KBBBkr", "KQkq", "KRBkrn", "KPPPkppp"];
    let generated = (0..600).flat_map(move |round| {
        let (locked_in, scattered) = (locked(&mut numbers), scattered(few[round % few.len()], &mut numbers));
        let taste = [Taste::Any, Taste::Locked, Taste::Trades, Taste::Quiet][round % 4];
        let start = if round % 2 == 0 { locked(&mut numbers) } else { Chess::default() };
        let mut played = play(start, taste, 20 + numbers.below(150), &mut numbers);
        [locked_in, scattered, played.remove(played.len() - 1)]
    });
    known.chain(generated)
}

fn from_fen(fen: &str) -> Chess {
    fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen)
}

#[test]
#[ignore = "prints the positions of the recording, for recording it again"]
fn positions_to_be_recorded() {
    positions_of_the_recording().for_each(|position| println!("{}", fen(&position)));
}

/// Recorded answers about a position and a side, and what was found.
#[derive(Debug, Default)]
struct Tally {
    winnable: usize,
    unwinnable: usize,
    /// Of the unwinnable ones, those that were found.
    found: usize,
}

impl Tally {
    /// Holds what is said about a position against the right answer.
    fn add(&mut self, position: &Chess, winner: Color, is_winnable: bool) {
        let found = cannot_checkmate(position, winner);
        assert!(!(found && is_winnable), "{}: {winner} can checkmate", fen(position));
        self.winnable += usize::from(is_winnable);
        self.unwinnable += usize::from(!is_winnable);
        self.found += usize::from(found);
    }

    fn merge(self, other: Tally) -> Tally {
        Tally {
            winnable: self.winnable + other.winnable,
            unwinnable: self.unwinnable + other.unwinnable,
            found: self.found + other.found,
        }
    }
}

#[test]
fn positions_against_the_recorded_answers() {
    let recording = fs::read_to_string(fixture(RECORDING)).expect("the recording can be read");
    let rows: Vec<&str> = recording.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
    let positions: Vec<Chess> = positions_of_the_recording().collect();
    assert_eq!(rows.len(), positions.len());
    let mut tally = Tally::default();
    for (row, position) in rows.into_iter().zip(&positions) {
        let cells: Vec<&str> = row.split('\t').collect();
        let &[recorded, white, black] = &cells[..] else { panic!("three cells in {row}") };
        assert_eq!(recorded, fen(position), "the recording is of what is made now");
        for (winner, answer) in [(Color::White, white), (Color::Black, black)] {
            match answer {
                "winnable" => tally.add(position, winner, true),
                "unwinnable" => tally.add(position, winner, false),
                other => assert_eq!(other, "unknown", "{row}"),
            }
        }
    }
    assert!(tally.winnable > 800 && tally.unwinnable > 200, "{tally:?}");
    assert!(tally.unwinnable - tally.found < 3, "{tally:?}");
}

#[test]
fn known_positions_are_dead_or_not() {
    for (fen, dead) in KNOWN {
        assert_eq!(is_dead(&from_fen(fen)), dead, "{fen}");
    }
}

/// The labels of `winnability/chasolver_positions.txt`: two characters, `W` and `B` if that side
/// can checkmate, and a FEN. Of those that cannot, 83 are not found: a glance shows free pieces.
#[test]
fn labelled_positions() {
    let Some(corpora) = corpora() else { return };
    let Ok(text) = fs::read_to_string(corpora.join("winnability/chasolver_positions.txt")) else {
        not_run(&format!("there are no labelled positions in {}", corpora.display()));
        return;
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && line.len() > 3).collect();
    let tally = lines.par_iter().map(|line| compare_with_label(line)).reduce(Tally::default, Tally::merge);
    assert!(lines.len() > 3_000 && tally.unwinnable - tally.found < 90, "{tally:?}");
}

/// Holds what is said about a position against its label.
fn compare_with_label(line: &str) -> Tally {
    // Composed positions may have any pieces and checks.
    let position = Fen::from_str(&line[3..])
        .expect(line)
        .into_position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect(line);
    let mut tally = Tally::default();
    for (winner, label) in [Color::White, Color::Black].into_iter().zip(line.bytes()) {
        tally.add(&position, winner, label != b'-');
    }
    tally
}
