//! Whether a side can checkmate by any sequence of legal moves, with the other side helping.
//!
//! Three tests of growing cost, after the ideas of Miguel Ambrona, *A Practical Algorithm for Chess
//! Unwinnability* (FUN 2022): which pieces can checkmate at all, where the pieces of a blocked
//! position can ever get to, and a search for a checkmate. Each of them is a proof. What they leave
//! open within their limits is [`Undecided`](Winnability::Undecided).

mod confinement;
mod material;
mod position;
mod search;

use shakmaty::{Chess, Color};

use self::{
    confinement::{Confinement, has_rams},
    material::is_insufficient,
    position::Castling,
    search::{Forced, forced, search},
};

pub(super) use self::position::SearchPosition;

/// Whether a side can checkmate by any sequence of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winnability {
    /// Some sequence of legal moves ends with a checkmate.
    Winnable,
    /// No sequence of legal moves ends with a checkmate.
    Unwinnable,
    /// Neither was found within the limits.
    Undecided,
}

/// Maximum number of positions that [`cannot_checkmate`] and [`is_dead`] search.
pub const MAX_POSITIONS: usize = 10_000;

/// Whether it is proven that `winner` can checkmate, or that it cannot: by the pieces, by forced
/// moves, and by where pieces can ever get to. This does not search and takes about a microsecond.
pub fn quick_winnability(position: &Chess, winner: Color) -> Winnability {
    match SearchPosition::new(position) {
        Some((position, castling)) => quick(&position, &castling, winner),
        None => Winnability::Undecided,
    }
}

/// The same with a search of at most `max_positions` positions, if it is needed.
pub fn winnability(position: &Chess, winner: Color, max_positions: usize) -> Winnability {
    match SearchPosition::new(position) {
        Some((position, castling)) => full(&position, &castling, winner, max_positions),
        None => Winnability::Undecided,
    }
}

/// Whether it is proven that `winner` cannot checkmate by any sequence of legal moves. If a glance
/// shows enough free pieces and pawns, nothing is searched, and the answer is no.
pub fn cannot_checkmate(position: &Chess, winner: Color) -> bool {
    let Some((position, castling)) = SearchPosition::new(position) else { return false };
    !position.looks_winnable(winner) && full(&position, &castling, winner, MAX_POSITIONS) == Winnability::Unwinnable
}

/// Whether it is proven that neither side can checkmate by any sequence of legal moves.
pub fn is_dead(position: &Chess) -> bool {
    let Some((position, castling)) = SearchPosition::new(position) else { return false };
    Color::ALL.into_iter().all(|color| !position.looks_winnable(color))
        && Color::ALL.into_iter().all(|color| full(&position, &castling, color, MAX_POSITIONS) == Winnability::Unwinnable)
}

fn quick(position: &SearchPosition, castling: &Castling, winner: Color) -> Winnability {
    match forced(position, castling, winner) {
        Forced::Mate => return Winnability::Winnable,
        Forced::NoMate => return Winnability::Unwinnable,
        Forced::Nothing => {}
    }
    let is_confined = || Confinement::of(position, Some(winner)).is_some_and(|confinement| confinement.is_unwinnable(winner));
    if has_rams(position) && is_confined() { Winnability::Unwinnable } else { Winnability::Undecided }
}

fn full(position: &SearchPosition, castling: &Castling, winner: Color, max_positions: usize) -> Winnability {
    match quick(position, castling, winner) {
        Winnability::Undecided => search(position, castling, winner, max_positions),
        decided => decided,
    }
}

impl SearchPosition {
    /// Whether a glance shows nothing that may keep `winner` from checkmating: pieces are missing,
    /// pawns block each other, or there are hardly any moves. This is no proof in either direction.
    /// The proofs are worth their time only where this is false.
    pub fn looks_winnable(&self, winner: Color) -> bool {
        let own = self.of(winner);
        let is_free = if own & self.straight != 0 {
            self.pawns == 0 || self.can_push(Color::White) || self.can_push(Color::Black)
        } else if own & self.pawns != 0 {
            self.has_free_pawn(winner)
        } else {
            !is_insufficient(self, winner) && (self.pawns == 0 || self.can_push(!winner))
        };
        is_free && (own.count_ones() > MAX_FEW || !self.has_few_moves())
    }

    /// Whether a pawn of `color` has an empty square ahead of it.
    fn can_push(&self, color: Color) -> bool {
        let pawns = self.pawns & self.of(color);
        color.fold_wb(pawns << 8, pawns >> 8) & !self.occupied() != 0
    }

    /// Whether a pawn of `color` has an empty square ahead of it, and no pawn of the other side
    /// anywhere ahead on its file.
    fn has_free_pawn(&self, color: Color) -> bool {
        let (own, other) = (self.pawns & self.of(color), self.pawns & self.of(!color));
        // The squares ahead of the other pawns.
        let mut opposed = color.fold_wb(other >> 8, other << 8);
        for shift in [8, 16, 32] {
            opposed |= color.fold_wb(opposed >> shift, opposed << shift);
        }
        let blocked = color.fold_wb(self.occupied() >> 8, self.occupied() << 8);
        own & !opposed & !blocked != 0
    }

    /// Whether the side to move has at most two legal moves. Castling and en passant do not count.
    fn has_few_moves(&self) -> bool {
        let mut moves = 0;
        let plain = SearchPosition { rights: 0, en_passant: None, ..*self };
        plain.each_move(&Castling::NONE, |_| {
            moves += 1;
            moves <= MAX_FORCED
        });
        moves <= MAX_FORCED
    }
}

/// Up to this number of pieces, the king included, a forced capture may matter.
const MAX_FEW: u32 = 3;

/// Up to this number of moves, a position may be forced.
const MAX_FORCED: u32 = 2;

#[cfg(test)]
mod tests;
