//! Positions on the way back to the starting position, and the moves that can be taken back.

use shakmaty::{Bitboard, Board, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks};

/// Castling rights of both sides: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rights(pub u8);

impl Rights {
    pub const ALL: Rights = Rights(0b1111);

    pub fn of(color: Color, side: CastlingSide) -> Rights {
        Rights(1 << (2 * (color as u8) + side as u8))
    }

    pub fn of_color(color: Color) -> Rights {
        Rights(0b11 << (2 * (color as u8)))
    }

    pub fn contains(self, other: Rights) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn intersects(self, other: Rights) -> bool {
        self.0 & other.0 != 0
    }

    pub fn add(&mut self, other: Rights) {
        self.0 |= other.0;
    }
}

/// A position of a game that is played backwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    pub board: Board,
    /// The side to move. The other side takes back a move.
    pub turn: Color,
    /// Rights of this position. Kings and rooks that have them have not moved before.
    pub rights: Rights,
    /// Rights that are lost later in the game, by a move or capture that has been taken back.
    pub lost: Rights,
    /// The pawn on the fourth or fifth rank that has just advanced two squares.
    pub advanced: Option<Square>,
}

/// A move that is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retraction {
    /// The square that the piece leaves, which it had moved to.
    pub from: Square,
    /// The square that it comes back to.
    pub to: Square,
    /// The kind that it has there.
    pub role: Role,
    /// The kind that it was promoted to by the move.
    pub promotion: Option<Role>,
    pub manner: Manner,
}

/// What is special about a move that is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Quiet,
    /// A piece of this kind was captured.
    Capture(Role),
    EnPassant,
    /// The king's squares are in the move.
    Castling(CastlingSide),
}

/// Kinds that can be captured, those that are most often needed first.
const CAPTURED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The square that a rook castles from.
pub fn rook_home(color: Color, side: CastlingSide) -> Square {
    Square::from_coords(
        match side {
            CastlingSide::KingSide => File::H,
            CastlingSide::QueenSide => File::A,
        },
        color.backrank(),
    )
}

pub fn king_home(color: Color) -> Square {
    Square::from_coords(File::E, color.backrank())
}

impl Past {
    /// Whether this is the starting position, and rights lost later were lost by what happened.
    pub fn is_start(&self) -> bool {
        self.turn == Color::White && Rights(self.rights.0 | self.lost.0) == Rights::ALL && self.board == Board::default()
    }

    /// Pieces and pawns that have not moved: pawns at home, kings and rooks with castling rights,
    /// and bishops at home that such pawns have never let out.
    pub fn fixed(&self) -> Bitboard {
        let mut fixed = Bitboard::EMPTY;
        for color in Color::ALL {
            fixed |= self.board.by_piece(color.pawn()) & Bitboard::from_rank(color.relative_rank(Rank::Second));
            for side in CastlingSide::ALL {
                if self.rights.contains(Rights::of(color, side)) {
                    fixed |= rook_home(color, side);
                    fixed |= king_home(color);
                }
            }
            for file in [File::C, File::F] {
                let home = Square::from_coords(file, color.backrank());
                let pawns = attacks::pawn_attacks(color, home);
                if self.board.by_piece(color.bishop()).contains(home) && (pawns & !fixed).is_empty() {
                    fixed |= home;
                }
            }
        }
        fixed
    }

    /// Whether a king of the side that does not move can be captured.
    fn is_impossible(&self) -> bool {
        let waits = !self.turn;
        self.board.king_of(waits).is_none_or(|king| self.board.attacks_to(king, self.turn, self.board.occupied()).any())
    }

    /// The position before a move, if it can be one.
    pub fn before(&self, retraction: Retraction) -> Option<Past> {
        let past = self.before_unchecked(retraction);
        (!past.is_impossible()).then_some(past)
    }

    /// The position before a move, even if a king could be captured in it.
    pub fn before_unchecked(&self, retraction: Retraction) -> Past {
        let Retraction { from, to, role, manner, .. } = retraction;
        let mover = !self.turn;
        let mut past = Past { turn: mover, advanced: None, ..self.clone() };
        past.board.discard_piece_at(from);
        past.board.set_piece_at(to, Piece { color: mover, role });
        let of_mover = Rights::of_color(mover);
        for side in CastlingSide::ALL {
            if role == Role::Rook && to == rook_home(mover, side) {
                past.lost.add(Rights::of(mover, side));
            }
        }
        if role == Role::King && to == king_home(mover) && !self.rights.intersects(of_mover) {
            past.lost.add(of_mover);
        }
        match manner {
            Manner::Quiet => {}
            Manner::Capture(captured) => {
                past.board.set_piece_at(from, Piece { color: self.turn, role: captured });
                for side in CastlingSide::ALL {
                    if captured == Role::Rook && from == rook_home(self.turn, side) {
                        past.lost.add(Rights::of(self.turn, side));
                    }
                }
            }
            Manner::EnPassant => {
                let captured = Square::from_coords(from.file(), to.rank());
                past.board.set_piece_at(captured, self.turn.pawn());
                past.advanced = Some(captured);
            }
            Manner::Castling(side) => {
                past.board.discard_piece_at(Square::from_coords(side.rook_to_file(), mover.backrank()));
                past.board.set_piece_at(rook_home(mover, side), mover.rook());
                past.rights.add(Rights::of(mover, side));
            }
        }
        past
    }

    /// Calls back with every move that can be taken back, whether or not a king could be captured
    /// before it. `is_last` is true of the position that is looked for.
    pub fn for_each_retraction(&self, is_last: bool, mut found: impl FnMut(Retraction)) {
        let mover = !self.turn;
        let occupied = self.board.occupied();
        let empty = !occupied;
        if let Some(from) = self.advanced {
            let passed = from.offset(-mover.fold_wb(8, -8));
            let home = from.offset(-mover.fold_wb(16, -16));
            if let (Some(passed), Some(home)) = (passed, home)
                && empty.contains(passed)
                && empty.contains(home)
            {
                found(Retraction { from, to: home, role: Role::Pawn, promotion: None, manner: Manner::Quiet });
            }
            return;
        }
        let captured = self.captured_kinds();
        let mut with_captures = |from: Square, to: Square, role: Role, promotion: Option<Role>| {
            for captured in captured.iter().flatten().copied() {
                if captured != Role::Pawn || !Bitboard::BACKRANKS.contains(from) {
                    found(Retraction { from, to, role, promotion, manner: Manner::Capture(captured) });
                }
            }
        };
        let mut quiet: arrayvec::ArrayVec<Retraction, 256> = arrayvec::ArrayVec::new();
        let mut add = |from: Square, to: Square, role: Role, promotion: Option<Role>, manner: Manner| {
            let _ = quiet.try_push(Retraction { from, to, role, promotion, manner });
        };
        let back = -mover.fold_wb(8, -8);
        let home_rank = Bitboard::from_rank(mover.backrank());
        for from in (self.board.by_color(mover) & !self.fixed()).into_iter() {
            let Some(role) = self.board.role_at(from) else { continue };
            if role == Role::Pawn {
                if let Some(to) = from.offset(back).filter(|to| empty.contains(*to)) {
                    let stays = !home_rank.contains(to);
                    if stays {
                        add(from, to, role, None, Manner::Quiet);
                    }
                    let is_advanced = from.rank() == mover.relative_rank(Rank::Fourth);
                    let beside = attacks::king_attacks(from) & Bitboard::from_rank(from.rank());
                    // Otherwise an en passant capture might be legal in the position.
                    let is_silent = !is_last || (beside & self.board.by_piece(self.turn.pawn())).is_empty();
                    if is_advanced
                        && is_silent
                        && let Some(to) = to.offset(back).filter(|to| empty.contains(*to))
                    {
                        add(from, to, role, None, Manner::Quiet);
                    }
                }
                for to in attacks::pawn_attacks(self.turn, from) & empty & !home_rank {
                    with_captures(from, to, role, None);
                    let captured_on = Square::from_coords(from.file(), to.rank());
                    if from.rank() == mover.relative_rank(Rank::Sixth)
                        && captured.contains(&Some(Role::Pawn))
                        && empty.contains(captured_on)
                        && from.offset(-back).is_some_and(|home| empty.contains(home))
                    {
                        add(from, to, role, None, Manner::EnPassant);
                    }
                }
                continue;
            }
            for to in attacks::attacks(from, Piece { color: mover, role }, occupied) & empty {
                add(from, to, role, None, Manner::Quiet);
                with_captures(from, to, role, None);
            }
            if from.rank() == mover.relative_rank(Rank::Eighth) && role != Role::King && self.can_have_been_promoted(mover) {
                if let Some(to) = from.offset(back).filter(|to| empty.contains(*to)) {
                    add(from, to, Role::Pawn, Some(role), Manner::Quiet);
                }
                for to in attacks::pawn_attacks(self.turn, from) & empty {
                    with_captures(from, to, Role::Pawn, Some(role));
                }
            }
            if role == Role::King {
                for side in CastlingSide::ALL {
                    if self.can_have_castled(mover, side, from) {
                        add(from, king_home(mover), role, None, Manner::Castling(side));
                    }
                }
            }
        }
        for retraction in quiet {
            found(retraction);
        }
    }

    fn can_have_been_promoted(&self, color: Color) -> bool {
        self.board.by_piece(color.pawn()).count() < 8
    }

    /// Kinds that the side to move can still have lost.
    fn captured_kinds(&self) -> [Option<Role>; 5] {
        let units = self.board.by_color(self.turn).count();
        if units >= 16 {
            return [None; 5];
        }
        CAPTURED.map(|role| (role != Role::Pawn || self.board.by_piece(self.turn.pawn()).count() < 8).then_some(role))
    }

    fn can_have_castled(&self, color: Color, side: CastlingSide, king: Square) -> bool {
        let rook_to = Square::from_coords(side.rook_to_file(), color.backrank());
        let king_to = Square::from_coords(side.king_to_file(), color.backrank());
        let (king_from, rook_from) = (king_home(color), rook_home(color, side));
        let between = attacks::between(king_from, rook_from).without(rook_to).without(king_to);
        let without = self.board.occupied().without(king).without(rook_to);
        king == king_to
            && self.board.piece_at(rook_to) == Some(color.rook())
            && (without & (between.with(king_from).with(rook_from))).is_empty()
            && [king_from, rook_to]
                .iter()
                .all(|square| self.board.attacks_to(*square, !color, without.with(rook_from)).is_empty())
    }
}
