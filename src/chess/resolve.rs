//! Resolving a written move: which legal move it means.
//!
//! From the target square outwards: the men of that kind that attack it, minus those that may not leave their line.
//! `shakmaty` would list all legal moves of the kind first; the answer is the same (a test holds the two together).

use shakmaty::{Bitboard, Chess, Color, File, Move, Position, Rank, Role, Square, attacks};

use super::{WrittenMove, WrittenSan};

/// A written move and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move.
    pub played: Move,
    /// The other men of the same kind that could legally go to the same square.
    pub twins: Bitboard,
}

impl Resolved {
    /// Whether the origin is given just as far as it has to be (PGN standard, 8.2.3.4): not at all without twins, by
    /// file if that tells them apart, else by rank, else by both. Pawns are judged by the file that a capture names.
    pub fn hints_are_canonical(&self, file: Option<File>, rank: Option<Rank>) -> bool {
        let Move::Normal { role, from, .. } = self.played else { return true };
        if role == Role::Pawn {
            return true;
        }
        let by_file = (self.twins & Bitboard::from_file(from.file())).is_empty();
        let by_rank = (self.twins & Bitboard::from_rank(from.rank())).is_empty();
        match (file.is_some(), rank.is_some()) {
            (false, false) => self.twins.is_empty(),
            (true, false) => self.twins.any() && by_file,
            (false, true) => self.twins.any() && !by_file && by_rank,
            (true, true) => !by_file && !by_rank,
        }
    }
}

/// Everything about a position that resolving needs more than once.
#[derive(Clone, Copy, Debug)]
struct Board<'a> {
    chess: &'a Chess,
    us: Color,
    king: Option<Square>,
    occupied: Bitboard,
    checkers: Bitboard,
}

impl<'a> Board<'a> {
    fn new(chess: &'a Chess, checkers: Bitboard) -> Board<'a> {
        let us = chess.turn();
        Board { chess, us, king: chess.board().king_of(us), occupied: chess.board().occupied(), checkers }
    }

    fn ours(&self, role: Role) -> Bitboard {
        self.chess.board().by_role(role) & self.chess.board().by_color(self.us)
    }

    /// Whether our king is safe after a man of ours has gone from `from` to `to`, and a pawn taken en passant has left `captured`.
    fn is_safe(&self, from: Square, to: Square, captured: Option<Square>) -> bool {
        let Some(king) = self.king else { return true };
        if self.checkers.is_empty() && captured.is_none() && attacks::ray(king, from).is_empty() {
            // The man that moves stands on no line with its king.
            return true;
        }
        let mut occupied = self.occupied.without(from).with(to);
        let mut gone = Bitboard::from_square(to);
        if let Some(square) = captured {
            occupied.discard(square);
            gone.add(square);
        }
        (self.chess.board().attacks_to(king, self.us.other(), occupied) & !gone).is_empty()
    }

    /// The men of `role` that can legally go to `to`; for men other than pawns.
    #[inline]
    fn movers(&self, role: Role, to: Square) -> Bitboard {
        let men = self.ours(role);
        let mut movers = match role {
            Role::Knight => attacks::knight_attacks(to) & men,
            Role::Bishop => attacks::bishop_attacks(to, self.occupied) & men,
            Role::Rook => attacks::rook_attacks(to, self.occupied) & men,
            Role::Queen => attacks::queen_attacks(to, self.occupied) & men,
            Role::King => {
                let king = attacks::king_attacks(to) & men;
                let attacked = king.any() && self.chess.board().attacks_to(to, self.us.other(), self.occupied ^ king).any();
                return if attacked || self.chess.board().by_color(self.us).contains(to) { Bitboard::EMPTY } else { king };
            }
            Role::Pawn => Bitboard::EMPTY,
        };
        if movers.is_empty() || self.chess.board().by_color(self.us).contains(to) {
            return Bitboard::EMPTY;
        }
        for from in movers {
            if !self.is_safe(from, to, None) {
                movers.discard(from);
            }
        }
        movers
    }

    /// The pawn that can legally go to `to`, and how.
    #[inline]
    fn pawn_move(&self, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Role>) -> Option<Move> {
        let board = self.chess.board();
        let pawns = self.ours(Role::Pawn);
        match file {
            Some(file) if file != to.file() => {
                let from = (attacks::pawn_attacks(self.us.other(), to) & pawns & Bitboard::from_file(file)).first()?;
                if rank.is_some_and(|rank| rank != from.rank()) {
                    return None;
                }
                if let Some(victim) = board.role_at(to) {
                    (board.by_color(self.us.other()).contains(to) && self.is_safe(from, to, None)).then_some(Move::Normal {
                        role: Role::Pawn,
                        from,
                        capture: Some(victim),
                        to,
                        promotion,
                    })
                } else {
                    let captured = Square::from_coords(to.file(), from.rank());
                    (self.chess.maybe_ep_square() == Some(to) && self.is_safe(from, to, Some(captured)))
                        .then_some(Move::EnPassant { from, to })
                }
            }
            _ => {
                let back = if self.us == Color::White { -8 } else { 8 };
                if self.occupied.contains(to) {
                    return None;
                }
                let one = to.offset(back)?;
                let from = if pawns.contains(one) {
                    one
                } else if to.rank() == self.us.fold_wb(Rank::Fourth, Rank::Fifth) && !self.occupied.contains(one) {
                    one.offset(back).filter(|&two| pawns.contains(two))?
                } else {
                    return None;
                };
                (rank.is_none_or(|rank| rank == from.rank()) && self.is_safe(from, to, None)).then_some(Move::Normal {
                    role: Role::Pawn,
                    from,
                    capture: None,
                    to,
                    promotion,
                })
            }
        }
    }
}

/// Whether `promotion` is right for a man of `role` that goes to `to`.
fn promotion_fits(us: Color, role: Role, to: Square, promotion: Option<Role>) -> bool {
    let last = role == Role::Pawn && to.rank() == us.fold_wb(Rank::Eighth, Rank::First);
    match promotion {
        None => !last,
        Some(promotion) => last && !matches!(promotion, Role::King | Role::Pawn),
    }
}

/// The men of ours, of the kind and from where `written` says, that could legally make the move; promotion left aside.
#[cold]
pub(super) fn candidates(chess: &Chess, role: Role, file: Option<File>, rank: Option<Rank>, to: Square) -> Bitboard {
    let board = Board::new(chess, chess.checkers());
    let men = match role {
        Role::Pawn => {
            return board.pawn_move(file, rank, to, None).and_then(Move::from).map_or(Bitboard::EMPTY, Bitboard::from_square);
        }
        role => board.movers(role, to),
    };
    men & file.map_or(Bitboard::FULL, Bitboard::from_file) & rank.map_or(Bitboard::FULL, Bitboard::from_rank)
}

/// The one legal move that `written` means, or `None` if there is none or more than one.
///
/// `checkers` are the men that give check to the side to move. Marks (`x`, `+`, `#`) are not looked at.
#[inline]
pub fn resolve(chess: &Chess, checkers: Bitboard, written: &WrittenSan) -> Option<Resolved> {
    let board = Board::new(chess, checkers);
    match written.what {
        WrittenMove::Normal { role, file, rank, to, promotion } => {
            if !promotion_fits(board.us, role, to, promotion) {
                return None;
            }
            if role == Role::Pawn {
                let played = board.pawn_move(file, rank, to, promotion)?;
                return Some(Resolved { played, twins: Bitboard::EMPTY });
            }
            let movers = board.movers(role, to);
            let mut chosen = movers;
            if let Some(file) = file {
                chosen &= Bitboard::from_file(file);
            }
            if let Some(rank) = rank {
                chosen &= Bitboard::from_rank(rank);
            }
            let from = chosen.single_square()?;
            let played = Move::Normal { role, from, capture: chess.board().role_at(to), to, promotion: None };
            Some(Resolved { played, twins: movers.without(from) })
        }
        WrittenMove::Castle(side) => {
            let moves = chess.castling_moves(side);
            moves.first().map(|&played| Resolved { played, twins: Bitboard::EMPTY })
        }
        WrittenMove::Coordinates { from, to, promotion } => coordinates(chess, from, to, promotion),
        WrittenMove::Null | WrittenMove::Drop { .. } => None,
    }
}

/// The legal move from `from` to `to`; castling may be written as the king's two steps or as king takes rook.
#[cold]
fn coordinates(chess: &Chess, from: Square, to: Square, promotion: Option<Role>) -> Option<Resolved> {
    let moves = chess.legal_moves();
    let exact = moves.iter().copied().find(|played| {
        played.from() == Some(from) && !played.is_castle() && played.to() == to && played.promotion() == promotion
    });
    let castling = || {
        moves.iter().copied().find(|played| match *played {
            Move::Castle { king, rook } => {
                let target = if rook.file() > king.file() { File::G } else { File::C };
                king == from && (to == rook || to == Square::from_coords(target, king.rank()))
            }
            _ => false,
        })
    };
    exact.or_else(castling).map(|played| Resolved { played, twins: Bitboard::EMPTY })
}
