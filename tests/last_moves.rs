//! What the last move can have been: held against play, in which it is known.

mod common;

use chess_audit::chess::retro::{Known, LastMoves};
use common::games::{Game, games};
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role};

/// What a FEN of the position tells, with the en passant square or without.
fn known(after: &Chess, double_step: Option<Move>, standard_array: bool) -> Known {
    let rooks = after.castles().castling_rights();
    let kings = Color::ALL.into_iter().filter(|&color| (rooks & after.board().by_color(color)).any());
    let kings: Bitboard = kings.filter_map(|color| after.board().king_of(color)).collect();
    let double_step = double_step.and_then(|played| played.from().map(|from| (from, played.to())));
    Known { unmoved: rooks | kings, double_step, standard_array }
}

fn is_double_step(played: Move) -> bool {
    let ranks = |from: shakmaty::Square| from.rank().distance(played.to().rank());
    played.role() == Role::Pawn && played.from().map(ranks) == Some(2)
}

fn last_moves(after: &Chess, known: Known) -> LastMoves {
    LastMoves::new(after.board(), after.turn(), known).expect("each side has its king")
}

/// Every position of a game, with the move that led to it.
fn steps(game: &Game) -> impl Iterator<Item = (Chess, Move)> {
    game.moves.iter().scan(game.start.clone(), |position, &played| {
        position.play_unchecked(played);
        Some((position.clone(), played))
    })
}

#[test]
fn the_move_that_was_played_is_among_those_found() {
    let mut counts = std::collections::BTreeMap::new();
    for game in games(400) {
        let arrays: &[bool] = if game.fen.is_some() { &[false] } else { &[false, true] };
        for (after, played) in steps(&game) {
            let double_steps: &[Option<Move>] = if is_double_step(played) { &[None, Some(played)] } else { &[None] };
            for (&standard, &double_step) in arrays.iter().flat_map(|array| double_steps.iter().map(move |step| (array, step))) {
                let last = last_moves(&after, known(&after, double_step, standard));
                let place = || format!("{} after {played}", common::games::fen(&after));
                assert!(last.at_first_sight().contains(&played), "{}: {:?}", place(), last.at_first_sight());
                assert!(last.can_be(|other| other == played), "{}", place());
                assert!(last.exist(), "{}", place());
                assert!(if played.is_zeroing() { last.zeroing() } else { last.quiet() }, "{}", place());
                if double_step.is_some() {
                    assert_eq!(last.at_first_sight(), [played], "{}", place());
                }
            }
            let kind = match played {
                Move::Castle { .. } => "castling",
                Move::EnPassant { .. } => "en passant",
                Move::Normal { promotion: Some(_), capture: Some(_), .. } => "capturing promotion",
                Move::Normal { promotion: Some(_), .. } => "promotion",
                Move::Normal { capture: Some(_), .. } => "capture",
                _ if is_double_step(played) => "double step",
                Move::Normal { role: Role::Pawn, .. } => "step",
                _ => "quiet move",
            };
            *counts.entry((kind, after.is_check())).or_insert(0) += 1;
        }
    }
    println!("{counts:?}");
    for kind in ["castling", "en passant", "capturing promotion", "promotion", "capture", "double step", "step", "quiet move"] {
        assert!(counts.get(&(kind, false)).is_some_and(|&count| count >= 5), "{kind}: {counts:?}");
    }
}
