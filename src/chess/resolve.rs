//! Resolves a written move: which legal move it means.
//!
//! The search starts at the target square: the pieces of the kind that attack it, without pinned
//! ones. This is faster than the list of all legal moves of `shakmaty`, and a test compares the
//! two.

use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, Move, Position, Rank, Role, Square,
    attacks,
};

use super::{WrittenMove, WrittenSan};

/// A written move and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move.
    pub played: Move,
    /// The other pieces of the same kind that could legally move to the same square.
    pub twins: Bitboard,
}

impl Resolved {
    /// Whether the disambiguation is canonical (PGN standard, 8.2.3.4): none without `twins`, the
    /// file if that is enough, otherwise the rank, otherwise both. Pawn moves are always canonical
    /// here.
    pub fn disambiguation_is_canonical(&self, file: Option<File>, rank: Option<Rank>) -> bool {
        let Move::Normal { role, from, capture, .. } = self.played else { return true };
        if role == Role::Pawn {
            return capture.is_some() || file.is_none() && rank.is_none();
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

/// What resolving needs to know of a position.
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

    /// Whether the king is safe after a piece has moved from `from` to `to`. `captured` is the
    /// square of a pawn captured en passant.
    #[inline(always)]
    fn is_safe(&self, from: Square, to: Square, captured: Option<Square>) -> bool {
        let Some(king) = self.king else { return true };
        // Nearly always, the piece is not on a line with its king.
        (self.checkers.is_empty() && captured.is_none() && !on_one_line(king, from))
            || self.is_safe_when_pinned(king, from, to, captured)
    }

    /// The same for pieces that may be pinned.
    fn is_safe_when_pinned(&self, king: Square, from: Square, to: Square, captured: Option<Square>) -> bool {
        let mut occupied = self.occupied.without(from).with(to);
        let mut vacated = Bitboard::from_square(to);
        if let Some(square) = captured {
            occupied.discard(square);
            vacated.add(square);
        }
        (self.chess.board().attacks_to(king, self.us.other(), occupied) & !vacated).is_empty()
    }

    /// The pieces of `role`, other than pawns, that can legally move to `to`.
    #[inline]
    fn movers(&self, role: Role, to: Square) -> Bitboard {
        let pieces = self.ours(role);
        let mut movers = match role {
            Role::Knight => attacks::knight_attacks(to) & pieces,
            Role::Bishop => attacks::bishop_attacks(to, self.occupied) & pieces,
            Role::Rook => attacks::rook_attacks(to, self.occupied) & pieces,
            Role::Queen => attacks::queen_attacks(to, self.occupied) & pieces,
            Role::King => {
                let king = attacks::king_attacks(to) & pieces;
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

    /// The legal pawn move to `to`.
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

/// The pieces that give check in `after`, the position after `played`.
///
/// Nearly always there are none: the piece attacks the king neither from its origin, by discovery,
/// nor from its target.
#[inline]
pub fn checkers_after(after: &Chess, played: Move) -> Bitboard {
    let turn = after.turn();
    let Some(king) = after.board().king_of(turn) else { return Bitboard::EMPTY };
    if let Move::Normal { role, from, to, promotion: None, .. } = played
        && !on_one_line(from, king)
    {
        let may_check = match role {
            Role::Pawn => attacks::pawn_attacks(turn.other(), to).contains(king),
            Role::Knight => attacks::knight_attacks(to).contains(king),
            Role::King => false,
            Role::Bishop | Role::Rook | Role::Queen => on_one_line(to, king),
        };
        if !may_check {
            return Bitboard::EMPTY;
        }
    }
    after.checkers()
}

/// Whether two squares are on one rank, file or diagonal.
#[inline]
fn on_one_line(one: Square, other: Square) -> bool {
    let (one, other) = (one.to_u32(), other.to_u32());
    let files = (one & 7).abs_diff(other & 7);
    let ranks = (one >> 3).abs_diff(other >> 3);
    files == 0 || ranks == 0 || files == ranks
}

/// Whether `promotion` is right for a piece of `role` that moves to `to`.
fn promotion_fits(us: Color, role: Role, to: Square, promotion: Option<Role>) -> bool {
    let last = role == Role::Pawn && to.rank() == us.fold_wb(Rank::Eighth, Rank::First);
    match promotion {
        None => !last,
        Some(promotion) => last && !matches!(promotion, Role::King | Role::Pawn),
    }
}

/// The pieces of the side to move that match the kind and origin as written and can legally make
/// the move. Promotion is ignored.
#[cold]
pub(super) fn candidates(chess: &Chess, role: Role, file: Option<File>, rank: Option<Rank>, to: Square) -> Bitboard {
    let board = Board::new(chess, chess.checkers());
    let pieces = match role {
        Role::Pawn => {
            return board.pawn_move(file, rank, to, None).and_then(Move::from).map_or(Bitboard::EMPTY, Bitboard::from_square);
        }
        role => board.movers(role, to),
    };
    pieces & file.map_or(Bitboard::FULL, Bitboard::from_file) & rank.map_or(Bitboard::FULL, Bitboard::from_rank)
}

/// The only legal move that `written` can mean. `None` if there is none or more than one.
///
/// `checkers` are the pieces that give check to the side to move. The marks `x`, `+` and `#` are
/// ignored.
#[inline(always)]
pub fn resolve(chess: &Chess, checkers: Bitboard, written: &WrittenSan) -> Option<Resolved> {
    let WrittenMove::Normal { role, file, rank, to, promotion } = written.what else {
        return resolve_other(chess, checkers, written);
    };
    let board = Board::new(chess, checkers);
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

/// The only legal move that castling or coordinates mean.
fn resolve_other(chess: &Chess, checkers: Bitboard, written: &WrittenSan) -> Option<Resolved> {
    match written.what {
        WrittenMove::Castle(side) => {
            let moves = chess.castling_moves(side);
            moves.first().map(|&played| Resolved { played, twins: Bitboard::EMPTY })
        }
        WrittenMove::Coordinates { from, to, promotion } => coordinates(&Board::new(chess, checkers), from, to, promotion),
        WrittenMove::Normal { .. } | WrittenMove::Null | WrittenMove::Drop { .. } => None,
    }
}

/// Chess960 castling that is written as an impossible king move: two or more squares to its target
/// (`Kg1`), or onto its own rook (`Kxh1`).
#[cold]
pub fn castling_by_king(chess: &Chess, written: &WrittenSan) -> Option<Resolved> {
    let WrittenMove::Normal { role: Role::King, file, rank, to, promotion: None } = written.what else { return None };
    if chess.castles().mode() != CastlingMode::Chess960 {
        return None;
    }
    let fits = |played: &Move| match *played {
        Move::Castle { king, rook } => {
            let target = Square::from_coords(if rook.file() > king.file() { File::G } else { File::C }, king.rank());
            let far = to == target && king.file().distance(to.file()) >= 2;
            (to == rook || far) && file.is_none_or(|file| file == king.file()) && rank.is_none_or(|rank| rank == king.rank())
        }
        _ => false,
    };
    let played = chess.legal_moves().into_iter().find(fits)?;
    Some(Resolved { played, twins: Bitboard::EMPTY })
}

/// The legal move from `from` to `to`. Castling may be written as the king's move or as the king
/// capturing its rook.
fn coordinates(board: &Board<'_>, from: Square, to: Square, promotion: Option<Role>) -> Option<Resolved> {
    let chess = board.chess;
    let role = chess.board().role_at(from).filter(|_| chess.board().by_color(board.us).contains(from))?;
    let exact = || match role {
        _ if !promotion_fits(board.us, role, to, promotion) => None,
        Role::Pawn => board.pawn_move(Some(from.file()), Some(from.rank()), to, promotion),
        _ => board.movers(role, to).contains(from).then(|| Move::Normal {
            role,
            from,
            capture: chess.board().role_at(to),
            to,
            promotion: None,
        }),
    };
    let castling = || {
        let moves = CastlingSide::ALL.into_iter().flat_map(|side| chess.castling_moves(side));
        moves.filter(|_| role == Role::King).find(|played| match *played {
            Move::Castle { king, rook } => {
                let target = if rook.file() > king.file() { File::G } else { File::C };
                to == rook || to == Square::from_coords(target, king.rank())
            }
            _ => false,
        })
    };
    exact().or_else(castling).map(|played| Resolved { played, twins: Bitboard::EMPTY })
}

/// The position after a null move. `None` if the side to move is in check.
pub fn pass_turn(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.swap_turn();
    setup.ep_square = None;
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    if setup.turn == Color::White {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    Chess::from_setup(setup, position.castles().mode()).ok()
}

#[cfg(test)]
mod tests {
    use shakmaty::{
        CastlingMode,
        fen::Fen,
        san::{San, SanPlus},
    };

    use super::*;
    use crate::chess::{CheckMark, Quirks};

    /// Pseudo-random numbers that are the same in every run (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % limit
        }
    }

    /// Starting positions, and positions with many promotions, en passant captures, pins and pieces
    /// of one kind.
    const STARTS: [(&str, CastlingMode); 10] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
        ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", CastlingMode::Chess960),
        ("rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w HAha - 0 1", CastlingMode::Chess960),
        ("nrbkqrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRNB w FBfb - 0 1", CastlingMode::Chess960),
        ("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1", CastlingMode::Chess960),
        ("r3k2r/pPpp1ppp/8/4p3/4P3/8/PpPP1PPP/R3K2R w KQkq - 0 1", CastlingMode::Standard),
        ("1n1n1rk1/2P1P3/3Q1Q2/8/3Q1Q2/8/2p1p3/1N1N1RK1 w - - 0 1", CastlingMode::Standard),
        ("4k3/2n1n3/1r3r2/2PpP3/2pPp3/1R3R2/2N1N3/4K3 w - d6 0 1", CastlingMode::Standard),
        ("4k3/8/8/K2pP2r/8/8/2b3B1/8 w - d6 0 1", CastlingMode::Standard),
        ("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", CastlingMode::Standard),
    ];

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(mode).expect("a legal position")
    }

    fn read(token: &str) -> WrittenSan {
        WrittenSan::canonical(token.as_bytes()).unwrap_or_else(|| panic!("{token} is not read as canonical"))
    }

    /// Every legal move is resolved as `shakmaty` writes it, and its disambiguation is canonical.
    fn holds_for_all_legal_moves(chess: &Chess, tokens: &mut usize) {
        for played in chess.legal_moves() {
            let token = SanPlus::from_move(chess.clone(), played).to_string();
            let written = read(&token);
            let resolved = resolve(chess, chess.checkers(), &written);
            assert_eq!(resolved.map(|resolved| resolved.played), Some(played), "{token} in {chess:?}");
            assert_eq!(written.capture, played.is_capture(), "{token} in {chess:?}");
            if let (Some(resolved), WrittenMove::Normal { file, rank, .. }) = (resolved, written.what) {
                assert!(resolved.disambiguation_is_canonical(file, rank), "{token} in {chess:?}");
            }
            *tokens += 1;
        }
    }

    /// For every possible disambiguation, both agree on whether it means one move, and which.
    /// `shakmaty` needs the right `x`, and accepts `xd5` without a file, which is not SAN.
    fn holds_for_all_origins(chess: &Chess, combinations: &mut usize) {
        let files = || File::ALL.into_iter().map(Some).chain([None]);
        let ranks = || Rank::ALL.into_iter().map(Some).chain([None]);
        for role in Role::ALL {
            for to in Square::ALL {
                let last = role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
                let promotions: &[Option<Role>] =
                    if last { &[None, Some(Role::Knight), Some(Role::King)] } else { &[None, Some(Role::Queen)] };
                for &promotion in promotions {
                    for (file, rank) in files().flat_map(|file| ranks().map(move |rank| (file, rank))) {
                        let what = WrittenMove::Normal { role, file, rank, to, promotion };
                        let ours = resolve(
                            chess,
                            chess.checkers(),
                            &WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE },
                        );
                        let capture = if role == Role::Pawn {
                            file.is_some_and(|file| file != to.file())
                        } else {
                            chess.board().role_at(to).is_some()
                        };
                        let san = San::Normal { role, file, rank, capture, to, promotion };
                        let theirs = san.to_move(chess).ok();
                        assert_eq!(ours.map(|resolved| resolved.played), theirs, "{what:?} in {chess:?}");
                        if let (Some(ours), Some(theirs), true) = (ours, theirs, role != Role::Pawn) {
                            let San::Normal { file: needs_file, rank: needs_rank, .. } = San::from_move(chess, theirs) else {
                                panic!("{what:?} is not castling")
                            };
                            let as_needed = (file.is_some(), rank.is_some()) == (needs_file.is_some(), needs_rank.is_some());
                            assert_eq!(ours.disambiguation_is_canonical(file, rank), as_needed, "{what:?} in {chess:?}");
                        }
                        *combinations += 1;
                    }
                }
            }
        }
    }

    /// For every origin, target and promotion, both agree on the move. Castling may be the king's
    /// move, if that is no other move, or the capture of the rook.
    fn holds_for_all_coordinates(chess: &Chess) {
        let moves = chess.legal_moves();
        let promotions: Vec<Option<Role>> = Role::ALL.into_iter().map(Some).chain([None]).collect();
        for (from, to) in Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to))) {
            for &promotion in &promotions {
                let exact = |played: &&Move| {
                    played.from() == Some(from) && !played.is_castle() && played.to() == to && played.promotion() == promotion
                };
                let castling = |played: &&Move| match **played {
                    Move::Castle { king, rook } => {
                        let file = if king < rook { File::G } else { File::C };
                        king == from && (to == rook || to == Square::from_coords(file, king.rank()))
                    }
                    _ => false,
                };
                let what = WrittenMove::Coordinates { from, to, promotion };
                let written = WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE };
                let ours = resolve(chess, chess.checkers(), &written).map(|resolved| resolved.played);
                let theirs = moves.iter().find(exact).or_else(|| moves.iter().find(castling));
                assert_eq!(ours.as_ref(), theirs, "{what:?} in {chess:?}");
            }
        }
    }

    #[test]
    fn agrees_with_the_library_on_random_games() {
        const GAMES: usize = 200;
        const PLIES: usize = 100;
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (mut tokens, mut combinations) = (0, 0);
        for game in 0..GAMES {
            let (fen, mode) = STARTS[game % STARTS.len()];
            let mut chess = position(fen, mode);
            let sampled = random.below(PLIES);
            for ply in 0..PLIES {
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                holds_for_all_legal_moves(&chess, &mut tokens);
                if ply == 0 && game < STARTS.len() || ply == sampled && game % 4 == 0 {
                    holds_for_all_origins(&chess, &mut combinations);
                }
                if ply % 20 == 0 {
                    holds_for_all_coordinates(&chess);
                }
                chess.play_unchecked(moves[random.below(moves.len())]);
            }
        }
        assert!(tokens > 300_000 && combinations > 1_000_000, "{tokens} moves, {combinations} combinations");
    }
}
