//! Where two main lines part.

use shakmaty::Chess;

use super::{GameCard, Ply, common_beginning};
use crate::chess::san_of;

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
        let before = if has_same_start { one.position_after(common) } else { None };
        let shown = before.and_then(|before| {
            let san = |ply: Option<Ply>| match ply {
                Some(ply) => ply.played_in(&before).map(|played| san_of(&before, played)),
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
