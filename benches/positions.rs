//! The whole audit of position lines against the baseline: shakmaty reads the FEN and sets the position up.

#[path = "../tests/common/mod.rs"]
mod common;

use std::{
    fs,
    hint::black_box,
    io,
    sync::{Arc, atomic::AtomicBool},
};

use chess_audit::{
    chess::retro::{Known, LastMoves},
    corpus::{Format, Input, Source},
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    rules::Finding,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{Board, CastlingMode, Chess, Color, Position, fen::Fen};

/// Positions that shakmaty accepts.
fn bare(text: &[u8]) -> u64 {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let positions = lines.filter_map(|line| Fen::from_ascii(line).ok()?.into_position::<Chess>(CastlingMode::Chess960).ok());
    positions
        .inspect(|position| {
            black_box(position);
        })
        .count() as u64
}

/// Takes everything and keeps nothing.
struct Dropped;

impl Sink for Dropped {
    fn finding(&mut self, _: &str, finding: &Finding) -> io::Result<()> {
        black_box(finding);
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        panic!("{failure:?}");
    }
}

/// Positions audited in one thread.
fn ours(text: Arc<[u8]>) -> u64 {
    let input = Input { name: "positions".to_owned(), source: Source::Bytes(text), format: Some(Format::Epd) };
    let audit = Audit::new(Settings { threads: 1, ..Settings::default() });
    let summary = audit.run(vec![input], &mut Dropped, &(), &AtomicBool::new(false)).expect("this sink takes everything");
    summary.counts.positions
}

fn positions(criterion: &mut Criterion) {
    let mut text = String::new();
    let mut lines = 0;
    for game in common::games::games(1000) {
        for position in game.positions().step_by(5) {
            text.push_str(&common::games::fen(&position));
            text.push('\n');
            lines += 1;
        }
    }
    let text: Arc<[u8]> = Arc::from(text.into_bytes());
    let mut group = criterion.benchmark_group("positions");
    group.throughput(Throughput::Elements(lines)).sample_size(20);
    group.bench_function("baseline: shakmaty", |bencher| bencher.iter(|| assert_eq!(bare(&text), lines)));
    group.bench_function("chess-audit", |bencher| {
        bencher.iter_batched(|| Arc::clone(&text), |text| assert_eq!(ours(text), lines), BatchSize::PerIteration);
    });
    group.finish();
}

/// Positions as [`LastMoves`] is asked about them.
fn asked(positions: &[(Board, Color)]) -> usize {
    let moves = positions.iter().filter_map(|(board, turn)| LastMoves::new(board, *turn, Known::default()));
    moves.filter(|moves| moves.exist() && moves.quiet()).count()
}

fn un_moves(criterion: &mut Criterion) {
    let played = common::games::games(1000);
    let played = played.iter().flat_map(|game| game.positions().step_by(5));
    let played: Vec<_> = played.map(|position| (position.board().clone(), position.turn())).collect();
    let labelled =
        common::corpora().and_then(|folder| fs::read_to_string(folder.join("positions/tromp_sample_labelled.tsv")).ok());
    let labelled: Vec<_> = labelled
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| {
            let setup = line.split('\t').next()?.parse::<Fen>().ok()?.into_setup();
            let other = setup.board.king_of(!setup.turn)?;
            let fine = setup.board.attacks_to(other, setup.turn, setup.board.occupied()).is_empty();
            fine.then_some((setup.board, setup.turn))
        })
        .collect();
    let mut group = criterion.benchmark_group("un-moves");
    group.sample_size(20);
    for (name, positions) in [("played", played), ("at random, from the labelled sample", labelled)] {
        if !positions.is_empty() {
            group.throughput(Throughput::Elements(positions.len() as u64));
            group.bench_function(name, |bencher| bencher.iter(|| asked(black_box(&positions))));
        }
    }
    group.finish();
}

criterion_group!(benches, positions, un_moves);
criterion_main!(benches);
