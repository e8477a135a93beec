//! Whether a side can checkmate by any sequence of legal moves, with the other side helping.
//!
//! Four tests of growing cost, after the ideas of Miguel Ambrona, *A Practical Algorithm for Chess
//! Unwinnability* (FUN 2022): which pieces can checkmate at all, where the pieces of a blocked
//! position can ever get to, the same for each pawn structure that can come up, and a search of all
//! positions for a checkmate. Each of them is a proof. What they leave open within their limits is
//! [`Undecided`](Winnability::Undecided).

mod confinement;
mod mate_search;
mod material;
mod position;
mod steps;
mod structures;

use arrayvec::ArrayVec;
use shakmaty::{Chess, Color, attacks};

use self::{
    confinement::{Confinement, has_rams, rams},
    mate_search::{Forced, forced, reaches, search},
    material::is_insufficient,
    position::{Castling, each},
};

pub use self::mate_search::Winnability;
pub(super) use self::position::SearchPosition;

/// Maximum number of positions that [`cannot_checkmate`] and [`is_dead`] search.
pub const MAX_POSITIONS: usize = 100_000;

/// Number of positions that are examined on the way to one that looks open, before the proofs.
const MAX_APPROACH: usize = 200;

/// Whether it is proven that `winner` cannot checkmate by any sequence of legal moves. If a glance
/// shows enough free pieces and pawns, nothing is searched, and the answer is no.
pub fn cannot_checkmate(position: &Chess, winner: Color) -> bool {
    let Some((position, castling)) = SearchPosition::new(position) else { return false };
    !position.looks_winnable(winner) && is_proven_unwinnable(&position, &castling, winner)
}

/// Whether it is proven that `winner` cannot checkmate. The search ends where a position looks
/// open.
fn is_proven_unwinnable(position: &SearchPosition, castling: &Castling, winner: Color) -> bool {
    let proof = match quick(position, castling, winner) {
        Winnability::Undecided => {
            let is_open = |reached: &SearchPosition| reached.is_open_for(winner);
            if reaches(position, castling, winner, MAX_APPROACH, is_open) {
                return false;
            }
            search(position, castling, winner, MAX_POSITIONS, is_open)
        }
        decided => decided,
    };
    proof == Winnability::Unwinnable
}

/// Whether it is proven that neither side can checkmate by any sequence of legal moves.
pub fn is_dead(position: &Chess) -> bool {
    let Some((position, castling)) = SearchPosition::new(position) else { return false };
    Color::ALL.into_iter().all(|color| !position.looks_winnable(color))
        && Color::ALL.into_iter().all(|color| is_proven_unwinnable(&position, &castling, color))
}

fn quick(position: &SearchPosition, castling: &Castling, winner: Color) -> Winnability {
    match forced(position, castling, winner) {
        Forced::Mate => return Winnability::Winnable,
        Forced::NoMate => return Winnability::Unwinnable,
        Forced::Nothing => {}
    }
    let is_confined = || Confinement::of(position, winner).is_some_and(|confinement| confinement.is_unwinnable(winner));
    if has_rams(position) && is_confined() { Winnability::Unwinnable } else { Winnability::Undecided }
}

impl SearchPosition {
    /// Whether a glance shows nothing that may keep `winner` from checkmating: pieces are missing,
    /// pawns block each other, or there are hardly any moves. This is no proof in either direction.
    /// The proofs are worth their time only where this is false.
    pub fn looks_winnable(&self, winner: Color) -> bool {
        self.looks_winnable_if(winner, || false)
    }

    /// The same. Whoever knows that the side to move has more than two legal moves can say so with
    /// `has_choice`.
    pub fn looks_winnable_if(&self, winner: Color, has_choice: impl FnOnce() -> bool) -> bool {
        self.looks_free(winner) && (has_choice() || self.has_choice(winner, MAX_FORCED_PLIES))
    }

    /// Whether `winner` has pieces that can checkmate, and they look free.
    fn looks_free(&self, winner: Color) -> bool {
        if is_insufficient(self, winner) {
            return false;
        }
        let own = self.of(winner);
        let is_open = || rams(self) <= MAX_OPEN_RAMS && self.has_mobile_kings();
        let is_free = if own & self.straight != 0 {
            self.pawns == 0 || self.can_push(Color::White) || self.can_push(Color::Black)
        } else if own & self.pawns != 0 {
            self.has_free_pawn(winner)
        } else {
            self.pawns == 0 || self.can_push(!winner)
        };
        is_free || is_open()
    }

    /// Whether `color` surely wins with help: it has a pawn, a rook or a queen that can move
    /// freely, hardly any pawns block each other, and the kings and the side to move have a choice.
    /// This is no proof.
    fn is_open_for(&self, color: Color) -> bool {
        let own = self.of(color);
        let is_free = |at| (self.reach(at, self.occupied()) & !own).count_ones() >= MIN_FREE;
        rams(self) <= MAX_OPEN_RAMS
            && (each(own & self.straight).any(is_free) || self.has_free_pawn(color))
            && self.has_mobile_kings()
            && self.has_choice(color, 0)
    }

    /// The empty squares ahead of the pawns of `color`.
    fn pushes(&self, color: Color) -> u64 {
        let pawns = self.pawns & self.of(color);
        color.fold_wb(pawns << 8, pawns >> 8) & !self.occupied()
    }

    /// Whether a pawn of `color` has an empty square ahead of it.
    fn can_push(&self, color: Color) -> bool {
        self.pushes(color) != 0
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

    /// Whether each king can go to at least two squares.
    fn has_mobile_kings(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let king = self.king(color);
            let attacked = self.attacked(!color, self.occupied() & !(1 << king as u32));
            (attacks::king_attacks(king).0 & !self.of(color) & !attacked).count_ones() >= MIN_MOBILE
        })
    }

    /// Whether the side to move has more than two legal moves: a count of those that are easily
    /// seen. `false` proves nothing.
    fn surely_has_choice(&self) -> bool {
        if self.is_check() {
            return false;
        }
        if self.pushes(self.turn).count_ones() > MANY {
            return true;
        }
        let (own, occupied) = (self.of(self.turn), self.occupied());
        let free = (self.knights | self.diagonal | self.straight) & own & !self.pinned(self.turn);
        each(free).any(|from| (self.reach(from, occupied) & !own).count_ones() as usize > MAX_FORCED)
    }

    /// Whether the side to move has more than two legal moves, or a line of such forced moves leads
    /// to a position that looks winnable. Castling and en passant do not count.
    fn has_choice(&self, winner: Color, plies: u32) -> bool {
        if self.surely_has_choice() {
            return true;
        }
        let plain = SearchPosition { rights: 0, en_passant: None, ..*self };
        // Moves of the king come first: they are few, and nearly always one of them settles it.
        let settles = |after: SearchPosition| after.looks_free(winner) && after.surely_has_choice();
        if plies > 0 && plain.king_moves(&Castling::NONE).any(settles) {
            return true;
        }
        let mut next: ArrayVec<SearchPosition, MAX_FORCED> = ArrayVec::new();
        let mut has_more = false;
        plain.each_move(&Castling::NONE, |after| {
            has_more = next.try_push(after).is_err();
            !has_more
        });
        has_more || (plies > 0 && next.iter().any(|after| after.looks_free(winner) && after.has_choice(winner, plies - 1)))
    }
}

/// Up to this number of rams, a king that can move can also get to the other side of the board: a
/// ram takes three files from it, one by the pawn and two that the other pawn attacks.
const MAX_OPEN_RAMS: u32 = 1;

/// A king with this number of squares is not shut in by its own pieces.
const MIN_MOBILE: u32 = 2;

/// A rook or a queen that can go to this number of squares is not shut in.
const MIN_FREE: u32 = 3;

/// Up to this number of moves, a position may be forced.
const MAX_FORCED: usize = 2;

/// With more pawns than this that have an empty square ahead, hardly any position is forced.
const MANY: u32 = 3;

/// Maximum number of forced plies that a glance follows.
const MAX_FORCED_PLIES: u32 = 4;

#[cfg(test)]
mod tests;
