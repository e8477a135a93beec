//! Distances to mate that are right or too long, in endgames whose true distances the tests have
//! solved.
#![cfg(target_os = "linux")]

use std::{collections::BTreeMap, env, sync::Arc};

use chess_audit::internals::{
    oracle::{
        Oracles, Prospect, Tables,
        engine::{EngineSettings, Engines},
    },
    pipeline::Settings,
    rules::{Finding, Severity},
    text::Format,
};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Setup, Square, fen::Epd};

use crate::common::extent::part;
use crate::common::{Numbers, audit, engines::stockfish, everything, input, small_engine, small_tables::SmallTables};

/// Number of positions, if the variable [`POSITIONS`] does not say another one.
const USUAL_POSITIONS: usize = 100;
const POSITIONS: &str = "CHESS_AUDIT_MATES";
/// Distances below it are searched without an engine.
const MIN_CLAIM: u32 = 4;

/// A position that is won by mate, and what a line claims about it.
struct Claim {
    line: String,
    /// The number of moves to mate.
    moves: u32,
    claimed: u32,
}

/// A position of king and queen or rook against king, in which the stronger side moves, and its
/// number of moves to mate.
fn won(numbers: &mut Numbers) -> Option<(Chess, u32)> {
    let turn = Color::from_white(numbers.below(2) == 0);
    let piece = if numbers.below(2) == 0 { turn.queen() } else { turn.rook() };
    let mut setup = Setup::empty();
    setup.turn = turn;
    for piece in [turn.king(), (!turn).king(), piece] {
        let square = Square::new(numbers.below(64) as u32);
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, piece);
    }
    let position = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let verdict = SmallTables.verdict(&position, Some(0)).ok().filter(|verdict| verdict.unlimited == Prospect::Win)?;
    // Nothing can be captured by the winner, and there are no pawns.
    Some((position, verdict.zeroing_plies?.div_ceil(2)))
}

/// Positions with a distance to mate that is right, or too long by one to four moves.
fn claims(count: usize, max_moves: u32) -> Vec<Claim> {
    let mut numbers = Numbers::new(12);
    let mut claim = || {
        let (position, moves) = won(&mut numbers)?;
        let claimed = moves + numbers.below(5) as u32;
        let epd = Epd::from_position(&position, EnPassantMode::Legal);
        (claimed >= MIN_CLAIM && moves <= max_moves).then(|| Claim { line: format!("{epd} dm {claimed};\n"), moves, claimed })
    };
    std::iter::repeat_with(&mut claim).flatten().take(count).collect()
}

/// What is found about claims: the number of those that are right; and for each true distance, the
/// numbers of those that are too long, and of errors and warnings among them. No claim that is
/// right is accused, and the mates of errors are true.
fn findings(claims: &[Claim], oracles: Arc<Oracles>) -> (usize, BTreeMap<u32, [usize; 3]>) {
    let text: String = claims.iter().map(|claim| claim.line.as_str()).collect();
    let audited = audit(vec![input(text.as_bytes(), Format::Epd)], Settings { oracles, threads: 0, ..everything() });
    assert!(audited.failures.is_empty(), "{:?}", audited.failures);
    let is_about_mates = |finding: &&Finding| matches!(finding.rule.code.to_string().as_str(), "TRU12" | "EPD13");
    let found = audited.findings.iter().map(|(_, finding)| finding).filter(is_about_mates);
    let found: BTreeMap<u64, &Finding> = found.map(|finding| (finding.game, finding)).collect();
    let mut right = 0;
    let mut by_moves: BTreeMap<u32, [usize; 3]> = BTreeMap::new();
    for (number, claim) in (1..).zip(claims) {
        let finding = found.get(&number);
        if claim.claimed == claim.moves {
            assert!(finding.is_none(), "{}{finding:?}", claim.line);
            right += 1;
            continue;
        }
        let counts = by_moves.entry(claim.moves).or_default();
        counts[0] += 1;
        let Some(finding) = finding else { continue };
        counts[if finding.severity == Severity::Error { 1 } else { 2 }] += 1;
        let shorter: u32 = finding.expected.parse().expect("a number of moves");
        assert!((claim.moves..claim.claimed).contains(&shorter), "{}{finding:?}", claim.line);
        let is_proven = finding.severity == Severity::Error;
        assert_eq!(finding.message.starts_with("there is already a mate in "), is_proven, "{finding:?}");
    }
    (right, by_moves)
}

/// The sums over all distances.
fn totals(by_moves: &BTreeMap<u32, [usize; 3]>) -> [usize; 3] {
    by_moves.values().fold([0; 3], |sum, counts| std::array::from_fn(|index| sum[index] + counts[index]))
}

#[test]
fn distances_that_are_too_long_are_found_with_a_small_engine() {
    // It finds mates in at most three moves, so each of them is proven.
    let (right, by_moves) = findings(&claims(500, 7), small_engine());
    let mates: [usize; 3] = totals(&by_moves.range(..=3).map(|(moves, counts)| (*moves, *counts)).collect());
    assert!(right > 40 && mates[0] > 50, "{right} {by_moves:?}");
    assert_eq!(mates, [mates[0], mates[0], 0]);
    assert_eq!(totals(&by_moves.range(4..).map(|(moves, counts)| (*moves, *counts)).collect())[1..], [0, 0], "{by_moves:?}");
}

#[test]
fn distances_that_are_too_long_are_found_with_stockfish() {
    let Some(settings) = stockfish() else { return };
    let count = env::var(POSITIONS).ok().and_then(|count| count.parse().ok()).unwrap_or_else(|| part(USUAL_POSITIONS));
    let processes = std::thread::available_parallelism().map_or(1, usize::from);
    let engines = Arc::new(Engines::new(EngineSettings { processes, ..settings }).expect("Stockfish is there"));
    let oracles = Oracles { engine: Some(Box::new(Arc::clone(&engines))), nodes: 100_000, ..Oracles::default() };
    let (right, by_moves) = findings(&claims(count, u32::MAX), Arc::new(oracles));
    let [too_long, errors, warnings] = totals(&by_moves);
    println!("{right} right, {too_long} too long: {errors} errors, {warnings} warnings; {:?}", engines.counts());
    for (moves, counts) in &by_moves {
        println!("mate in {moves}: {counts:?}");
    }
    assert!(right > count / 10 && too_long > count / 2);
    // At so few nodes, it does not find long mates.
    let [too_long, errors, _] = totals(&by_moves.range(..=5).map(|(moves, counts)| (*moves, *counts)).collect());
    assert!(10 * errors >= 8 * too_long, "{by_moves:?}");
}
