//! The whole audit of position lines against the baseline: shakmaty reads the FEN and sets the
//! position up. Both get the same clean lines and one thread; and what it costs to examine
//! such a line where it is not accepted, tier by tier: rules that look at the position as it
//! is, at how its structure can have come about, at the last move.

#[path = "common/mod.rs"]
mod audit;
#[path = "../tests/suite/common/mod.rs"]
mod common;

use std::{hint::black_box, sync::Arc};

use audit::{bare, corpus, made, ours, timed, timing::Group};
use chess_audit::internals::{
    chess::{
        retro::{KnownHistory, LastMoves, STANDARD_START},
        winnability::cannot_checkmate,
    },
    rules::{Check, Declared, Findings, Origin, RULES, Rule, Span, facts::PositionFacts},
    text::Format,
};
use common::lines::{accept_line, examine_line};
use shakmaty::{Board, CastlingMode, Chess, Color, Position, fen::Fen};

/// Positions that are proven to be clean.
fn passed_over(text: &[u8]) -> u64 {
    let (mut at, mut count) = (0, 0);
    while let Some(line) = accept_line(text, at).filter(|line| line.next > at) {
        at = line.next;
        count += 1;
    }
    count
}

/// The lines of `text`, without terminators.
fn lines(text: &[u8]) -> impl Iterator<Item = Span> {
    let ends = memchr::memchr_iter(b'\n', text);
    ends.scan(0, |start, end| Some(Span::new(std::mem::replace(start, end + 1), end)))
}

/// Positions that are examined with all rules.
fn examined(text: &[u8]) -> u64 {
    let mut findings = Findings::new();
    lines(text).filter(|line| black_box(examine_line(text, *line, &mut findings)).is_some()).count() as u64
}

/// The tier of a rule about positions: how far from the position itself it looks.
fn tier(rule: &Rule) -> usize {
    match rule.code.to_string().as_str() {
        "POS12" | "POS13" | "POS14" | "POS15" | "POS16" | "POS17" | "POS18" | "POS20" => 2,
        "POS11" | "CTR03" | "EPS05" => 3,
        _ => 1,
    }
}

/// Positions that are shown to the rules of one tier; to gather the facts is part of tier 1, to see
/// what the structure demands of tier 2, what moves there can have been of tier 3.
fn examined_by_tier(facts: &[PositionFacts<'_>], text: &[u8], wanted: usize) -> usize {
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| tier(rule) == wanted).collect();
    let mut findings = Findings::new();
    let mut ask = |facts: &PositionFacts<'_>| {
        let structure = (wanted == 2).then(|| facts.structure(&STANDARD_START)).flatten();
        let last = (wanted == 3).then(|| facts.last_moves()).flatten();
        for rule in &rules {
            match (rule.check, &structure, &last) {
                (Check::Position(check), _, _) => check(facts, &mut findings),
                (Check::Structure(check), Some(structure), _) => check(facts, structure, &mut findings),
                (Check::LastMove(check), _, Some(last)) => check(facts, last, &mut findings),
                _ => {}
            }
        }
    };
    if wanted == 1 {
        lines(text).for_each(|line| ask(&PositionFacts::read(text, line, Origin::Line, Declared::default())));
    } else {
        facts.iter().for_each(ask);
    }
    findings.len()
}

/// The lines of `text` that are clean.
fn accept_lines(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| accept_line(line, 0).is_some());
    lines.flatten().copied().collect()
}

fn positions() {
    let made = made::positions(if timed() { 1_000_000 } else { 50_000 });
    let mut texts = vec![("made", made.into_bytes())];
    for name in ["UHO_4060_v1", "popularpos_lichess", "endgames", "DFRC_4852_v1"] {
        texts.extend(corpus(&format!("epd/sfbook_{name}.epd")).map(|text| (name, text)));
    }
    for (name, text) in texts {
        let clean = accept_lines(&text);
        println!("{name}: {} of {} lines are clean", lines(&clean).count(), lines(&text).count());
        let count = lines(&clean).count();
        let text: Arc<[u8]> = Arc::from(clean);
        let group = Group::new(&format!("positions/{name}"), count, "positions");
        let count = count as u64;
        group.time("baseline: shakmaty", || assert_eq!(bare::positions(&text), count));
        group.time("chess-audit", || assert_eq!(ours(Arc::clone(&text), Format::Epd).positions, count));
        group.time("proof alone", || assert_eq!(passed_over(&text), count));
        group.time("examined", || assert_eq!(examined(&text), count));
        // As many positions as fit into memory with all their facts.
        let some: Vec<Span> = lines(&text).take(5000).collect();
        let part = &text[..some.last().map_or(0, |line| line.end + 1)];
        let facts: Vec<_> = some.iter().map(|line| PositionFacts::read(part, *line, Origin::Line, Declared::default())).collect();
        let group = Group::new(&format!("positions/{name}"), some.len(), "positions");
        for tier in 1..=3 {
            group.time(&format!("examined, tier {tier}"), || black_box(examined_by_tier(&facts, part, tier)));
        }
    }
}

/// Positions as [`LastMoves`] is asked about them.
fn asked(positions: &[(Board, Color)]) -> usize {
    let moves = positions.iter().filter_map(|(board, turn)| LastMoves::new(board, *turn, KnownHistory::default()));
    moves.filter(|moves| moves.exist() && moves.quiet()).count()
}

fn un_moves() {
    let played = common::games::games(if timed() { 1000 } else { 20 });
    let played = played.iter().flat_map(|game| game.positions().step_by(5));
    let played: Vec<_> = played.map(|position| (position.board().clone(), position.turn())).collect();
    let labelled = corpus("positions/tromp_sample_labelled.tsv").and_then(|text| String::from_utf8(text).ok());
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
    for (name, positions) in [("played", played), ("at random, from the labelled sample", labelled)] {
        if !positions.is_empty() {
            Group::new("un-moves", positions.len(), "positions").time(name, || black_box(asked(black_box(&positions))));
        }
    }
}

/// Whether the sides can checkmate in the final positions of games and in labelled positions.
fn winnable() {
    let played = common::games::games(if timed() { 1000 } else { 20 });
    let ends: Vec<Chess> = played.into_iter().map(|game| game.end).collect();
    let labelled = corpus("winnability/chasolver_positions.txt").and_then(|text| String::from_utf8(text).ok());
    let labelled: Vec<Chess> = labelled
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.get(3..)?.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok())
        .collect();
    let count = |positions: &[Chess]| {
        let found = positions.iter().flat_map(|position| Color::ALL.map(|color| cannot_checkmate(black_box(position), color)));
        found.filter(|found| *found).count()
    };
    for (name, positions) in [("game ends", ends), ("labelled", labelled)] {
        if !positions.is_empty() {
            let group = Group::new(&format!("winnability/{name}"), 2 * positions.len(), "questions");
            group.time("at a glance and proven", || black_box(count(&positions)));
        }
    }
}

fn main() {
    positions();
    un_moves();
    winnable();
}
