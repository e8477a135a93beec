//! Where two main lines part.

use shakmaty::{CastlingMode, Chess, Move, Position, Role, fen::Fen};

use super::{GameCard, Ply, common_beginning};
use crate::{chess::san_of, pgn::KnownTag};

/// The first difference between two main lines.
#[derive(Clone, Debug)]
pub struct Parting {
    /// The first ply that differs, from 1.
    pub ply: usize,
    /// The position before it. `None` if it cannot be replayed as chess, or if the games begin with
    /// different positions.
    pub before: Option<Chess>,
    /// The move of the first game, with squares only if there is no position. Empty after its end.
    pub one: String,
    /// The move of the other game.
    pub other: String,
}

impl Parting {
    /// Where two games part. If their main lines are equal, that is after them.
    pub fn of(one: &GameCard<'_>, other: &GameCard<'_>) -> Parting {
        let has_same_start = one.keys.start == other.keys.start;
        let common = if has_same_start { common_beginning(&one.plies, &other.plies) } else { 0 };
        let plies = [one.plies.get(common), other.plies.get(common)].map(Option::<&Ply>::copied);
        let before = if has_same_start { replayed(one, common) } else { None };
        let shown = before.and_then(|before| {
            let san = |ply: Option<Ply>| match ply {
                Some(ply) => move_of(&before, ply).map(|played| san_of(&before, played)),
                None => Some(String::new()),
            };
            let moves = (san(plies[0])?, san(plies[1])?);
            Some((before, moves))
        });
        let (before, (one, other)) = match shown {
            Some((before, moves)) => (Some(before), moves),
            None => (None, (squares(plies[0]), squares(plies[1]))),
        };
        Parting { ply: common + 1, before, one, other }
    }
}

/// The squares of a ply.
fn squares(ply: Option<Ply>) -> String {
    ply.map_or_else(String::new, |ply| ply.squares().map(|square| square.to_string()).concat())
}

/// The position after so many plies of a game.
fn replayed(game: &GameCard<'_>, plies: usize) -> Option<Chess> {
    let mut position = match game.tag(KnownTag::Fen) {
        "" => Chess::default(),
        fen => fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?,
    };
    for ply in game.plies.get(..plies)? {
        position.play_unchecked(move_of(&position, *ply)?);
    }
    Some(position)
}

/// The move that a ply is in a position in which it was legal when its card was made.
fn move_of(position: &Chess, ply: Ply) -> Option<Move> {
    let [from, to] = ply.squares();
    let board = position.board();
    let role = board.role_at(from)?;
    let is_own = board.by_color(position.turn()).contains(to);
    Some(match role {
        Role::King if is_own => Move::Castle { king: from, rook: to },
        Role::Pawn if from.file() != to.file() && board.role_at(to).is_none() => Move::EnPassant { from, to },
        _ => Move::Normal { role, from, capture: board.role_at(to), to, promotion: ply.promotion() },
    })
}
