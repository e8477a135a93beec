//! Why a written move cannot be played, as data and in words.

use std::fmt;

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup, Move, Position, Rank, Role, Square, attacks,
};

use super::{
    WrittenMove, WrittenSan, color_name, has_legal_move,
    resolve::{candidates, resolve},
    role_name,
};
use crate::text::wording::join_and;

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPiece {
    /// The kind of piece.
    pub role: Role,
    /// The square of the piece.
    pub square: Square,
}

impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", role_name(self.role), self.square)
    }
}

/// Why a written move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The side to move is checkmated or stalemated.
    GameOver {
        /// Whether it is checkmate rather than stalemate.
        mate: bool,
    },
    /// More than one piece can make the move.
    Ambiguous {
        /// The kind of piece.
        role: Role,
        /// Where these pieces are.
        from: Bitboard,
        /// Where they can go.
        to: Square,
    },
    /// A pawn reaches the last rank, but no promotion piece is given.
    PromotionMissing,
    /// The move cannot be a promotion, or the piece cannot be promoted to.
    PromotionImpossible {
        /// Why not.
        reason: &'static str,
    },
    /// Castling is not possible.
    Castling(IllegalCastling),
    /// A piece is dropped, but the game is not crazyhouse.
    Drop,
    /// The turn is passed while in check.
    NullInCheck {
        /// The piece that gives check.
        by: PlacedPiece,
    },
    /// The side to move cannot make the move, but the other side could.
    NotYourTurn {
        /// Who is to move.
        turn: Color,
    },
    /// The side to move has no such piece, or none on the square, file or rank given.
    NoSuchPiece {
        /// Who is to move.
        turn: Color,
        /// The kind of piece.
        role: Role,
        /// The file it comes from, if that is written.
        file: Option<File>,
        /// The rank it comes from, if that is written.
        rank: Option<Rank>,
    },
    /// A piece of the side to move is on the target square.
    OwnPieceOnTarget(PlacedPiece),
    /// No such piece reaches the target square, even on an empty board.
    CannotReach {
        /// The kind of piece.
        role: Role,
        /// The file it comes from, if that is written.
        file: Option<File>,
        /// The rank it comes from, if that is written.
        rank: Option<Rank>,
        /// The target square.
        to: Square,
    },
    /// Another piece is in the way.
    PathBlocked {
        /// The piece that would move.
        piece: PlacedPiece,
        /// The piece in its way.
        by: PlacedPiece,
    },
    /// The piece is pinned to its king.
    Pinned {
        /// The piece that would move.
        piece: PlacedPiece,
        /// The piece that pins it.
        by: PlacedPiece,
    },
    /// The king is in check, and the move does not stop that.
    LeavesKingInCheck {
        /// The piece that gives check.
        by: PlacedPiece,
    },
    /// The king would move to an attacked square.
    KingAttacked {
        /// Where the king would go.
        to: Square,
        /// The piece that attacks that square.
        by: PlacedPiece,
    },
    /// A pawn captures where there is nothing to capture.
    NothingToCapture {
        /// Where it would capture.
        to: Square,
    },
    /// A pawn captures en passant in the first position of a game, whose FEN does not give the en
    /// passant square. With it, the capture would be legal.
    EnPassantSquareMissing {
        /// The en passant square.
        to: Square,
    },
    /// A pawn captures en passant later than right after the double step, or without one.
    EnPassantExpired {
        /// Where it would capture.
        to: Square,
    },
}

/// Why castling is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalCastling {
    /// The starting position does not have this castling right.
    NotAvailable(Color, CastlingSide),
    /// The king has moved.
    KingMoved {
        /// The ply of its first move.
        ply: u32,
    },
    /// The rook has moved.
    RookMoved {
        /// The ply of its first move.
        ply: u32,
        /// Where it was.
        from: Square,
    },
    /// The rook has been captured.
    RookCaptured {
        /// The ply at which it was captured.
        ply: u32,
        /// Where it was.
        on: Square,
    },
    /// A piece is in the way.
    Blocked(PlacedPiece),
    /// The king is in check.
    InCheck(PlacedPiece),
    /// The king passes through or reaches an attacked square.
    Passes {
        /// Where the king comes from.
        from: Square,
        /// Where the king goes.
        to: Square,
        /// The square that is attacked.
        attacked: Square,
        /// The piece that attacks it.
        by: PlacedPiece,
    },
}

/// How the game reached the position in which a move cannot be played.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    /// The position before the first ply.
    pub start: &'a Chess,
    /// The plies played since; `None` for a null move.
    pub line: &'a [Option<Move>],
}

/// Finds out why `written` cannot be played in `chess`, the position that `history` led to.
///
/// Only for moves that [`resolve`] does not resolve.
#[cold]
pub fn explain_illegal_move(chess: &Chess, written: &WrittenSan, history: History<'_>) -> IllegalMove {
    match explain(chess, written, history) {
        IllegalMove::EnPassantExpired { to } if history.line.is_empty() && is_legal_with_square(chess, written, to) => {
            IllegalMove::EnPassantSquareMissing { to }
        }
        reason => reason,
    }
}

/// `chess` with the en passant square `target`, if the last move can have been that double step.
pub fn with_en_passant_square(chess: &Chess, target: Square) -> Option<Chess> {
    let mut setup = chess.to_setup(EnPassantMode::Always);
    setup.ep_square = Some(target);
    let position = Chess::from_setup(setup, chess.castles().mode()).ok()?;
    (position.maybe_ep_square() == Some(target)).then_some(position)
}

fn is_legal_with_square(chess: &Chess, written: &WrittenSan, target: Square) -> bool {
    with_en_passant_square(chess, target).is_some_and(|position| resolve(&position, position.checkers(), written).is_some())
}

fn explain(chess: &Chess, written: &WrittenSan, history: History<'_>) -> IllegalMove {
    let us = chess.turn();
    if !has_legal_move(chess) {
        return IllegalMove::GameOver { mate: chess.is_check() };
    }
    match written.what {
        WrittenMove::Null => match checker(chess) {
            Some(by) => IllegalMove::NullInCheck { by },
            None => IllegalMove::NotYourTurn { turn: us },
        },
        WrittenMove::Drop { .. } => IllegalMove::Drop,
        WrittenMove::Castle(side) => IllegalMove::Castling(explain_castling(chess, side, history)),
        WrittenMove::Normal { role, file, rank, to, promotion } => {
            if let Some(reason) = explain_promotion(us, role, to, promotion) {
                return other_side(chess, written).unwrap_or(reason);
            }
            let pieces = candidates(chess, role, file, rank, to);
            if pieces.more_than_one() {
                return IllegalMove::Ambiguous { role, from: pieces, to };
            }
            if pieces.any() && promotion.is_none() {
                return IllegalMove::PromotionMissing;
            }
            or_other_side(chess, written, explain_normal(chess, role, file, rank, to))
        }
        WrittenMove::Coordinates { from, to, promotion } => {
            let Some(role) = chess.board().role_at(from).filter(|_| chess.us().contains(from)) else {
                return other_side(chess, written).unwrap_or(IllegalMove::NoSuchPiece {
                    turn: us,
                    role: chess.board().role_at(from).unwrap_or(Role::Pawn),
                    file: Some(from.file()),
                    rank: Some(from.rank()),
                });
            };
            if let Some(reason) = explain_promotion(us, role, to, promotion) {
                return reason;
            }
            if let Some(side) = castling_by_squares(role, from, to) {
                return IllegalMove::Castling(explain_castling(chess, side, history));
            }
            if candidates(chess, role, Some(from.file()), Some(from.rank()), to).any() {
                return IllegalMove::PromotionMissing;
            }
            explain_normal(chess, role, Some(from.file()), Some(from.rank()), to)
        }
    }
}

/// The side of castling if it is written as a king move from the home square to the castled square.
fn castling_by_squares(role: Role, from: Square, to: Square) -> Option<CastlingSide> {
    let home = role == Role::King && from.file() == File::E && from.rank() == to.rank();
    let side = match to.file() {
        File::G => CastlingSide::KingSide,
        File::C => CastlingSide::QueenSide,
        _ => return None,
    };
    (home && matches!(from.rank(), Rank::First | Rank::Eighth)).then_some(side)
}

/// The piece on `square`.
fn piece_on(chess: &Chess, square: Square) -> PlacedPiece {
    PlacedPiece { role: chess.board().role_at(square).unwrap_or(Role::Pawn), square }
}

fn checker(chess: &Chess) -> Option<PlacedPiece> {
    chess.checkers().first().map(|square| piece_on(chess, square))
}

/// The reason, unless no piece of the side to move fits at all and the other side could make the
/// move.
fn or_other_side(chess: &Chess, written: &WrittenSan, reason: IllegalMove) -> IllegalMove {
    match reason {
        IllegalMove::NoSuchPiece { .. } | IllegalMove::CannotReach { .. } | IllegalMove::NothingToCapture { .. } => {
            other_side(chess, written).unwrap_or(reason)
        }
        reason => reason,
    }
}

/// The reason for a move that is legal only for the other side.
fn other_side(chess: &Chess, written: &WrittenSan) -> Option<IllegalMove> {
    // Most pieces of the other side cannot get there, as a glance shows.
    let (board, them) = (chess.board(), !chess.turn());
    if let WrittenMove::Normal { role, to, .. } = written.what
        && role != Role::Pawn
        && attacks::attacks(to, role.of(them), board.occupied()).is_disjoint(board.by_piece(role.of(them)))
    {
        return None;
    }
    let mut setup = chess.to_setup(EnPassantMode::Legal);
    setup.swap_turn();
    setup.ep_square = None;
    let other = Chess::from_setup(setup, chess.castles().mode()).ok()?;
    resolve(&other, other.checkers(), written).map(|_| IllegalMove::NotYourTurn { turn: chess.turn() })
}

fn explain_promotion(us: Color, role: Role, to: Square, promotion: Option<Role>) -> Option<IllegalMove> {
    let reason = match promotion? {
        _ if role != Role::Pawn => "only a pawn can promote",
        _ if to.rank() != us.fold_wb(Rank::Eighth, Rank::First) => "a pawn can promote only on the last rank",
        Role::King => "a pawn cannot promote to a king",
        Role::Pawn => "a pawn cannot remain a pawn on the last rank",
        _ => return None,
    };
    Some(IllegalMove::PromotionImpossible { reason })
}

fn explain_normal(chess: &Chess, role: Role, file: Option<File>, rank: Option<Rank>, to: Square) -> IllegalMove {
    let us = chess.turn();
    let board = chess.board();
    let occupied = board.occupied();
    let origins = file.map_or(Bitboard::FULL, Bitboard::from_file) & rank.map_or(Bitboard::FULL, Bitboard::from_rank);
    let no_such_piece = IllegalMove::NoSuchPiece { turn: us, role, file, rank };
    if role == Role::Pawn {
        let is_there = |(file, rank)| board.by_piece(us.pawn()).contains(Square::from_coords(file, rank));
        let cannot_move = match file.zip(rank) {
            Some(from) if is_there(from) => IllegalMove::CannotReach { role, file, rank, to },
            _ => no_such_piece,
        };
        return explain_pawn(chess, file, rank, to).unwrap_or(cannot_move);
    }
    let pieces = board.by_piece(role.of(us)) & origins;
    if pieces.is_empty() {
        return no_such_piece;
    }
    if chess.us().contains(to) {
        return IllegalMove::OwnPieceOnTarget(piece_on(chess, to));
    }
    let reaching = pieces.into_iter().find(|&from| attacks::attacks(from, role.of(us), occupied).contains(to));
    let Some(from) = reaching else {
        let blocked = pieces.into_iter().find(|&from| attacks::attacks(from, role.of(us), Bitboard::EMPTY).contains(to));
        let blocker = blocked.and_then(|from| Some((from, nearest(from, attacks::between(from, to) & occupied)?)));
        return match blocker {
            Some((square, by)) => IllegalMove::PathBlocked { piece: PlacedPiece { role, square }, by: piece_on(chess, by) },
            None => IllegalMove::CannotReach { role, file, rank, to },
        };
    };
    if role == Role::King {
        let by = board.attacks_to(to, us.other(), occupied.without(from)).first().unwrap_or(to);
        return IllegalMove::KingAttacked { to, by: piece_on(chess, by) };
    }
    unsafe_king(chess, PlacedPiece { role, square: from }, to, None)
}

/// The reason for a move that is only illegal because of the king's safety.
fn unsafe_king(chess: &Chess, piece: PlacedPiece, to: Square, captured: Option<Square>) -> IllegalMove {
    let us = chess.turn();
    let board = chess.board();
    let Some(king) = board.king_of(us) else {
        let (file, rank) = (Some(piece.square.file()), Some(piece.square.rank()));
        return IllegalMove::CannotReach { role: piece.role, file, rank, to };
    };
    if let Some(by) = checker(chess) {
        return IllegalMove::LeavesKingInCheck { by };
    }
    let mut occupied = board.occupied().without(piece.square).with(to);
    if let Some(captured) = captured {
        occupied.discard(captured);
    }
    let by = board.attacks_to(king, us.other(), occupied).without(to).first().unwrap_or(king);
    IllegalMove::Pinned { piece, by: piece_on(chess, by) }
}

fn explain_pawn(chess: &Chess, file: Option<File>, rank: Option<Rank>, to: Square) -> Option<IllegalMove> {
    let us = chess.turn();
    let board = chess.board();
    let pawns = board.by_piece(us.pawn()) & rank.map_or(Bitboard::FULL, Bitboard::from_rank);
    if let Some(file) = file.filter(|&file| file != to.file()) {
        let from = (attacks::pawn_attacks(us.other(), to) & pawns & Bitboard::from_file(file)).first()?;
        let piece = PlacedPiece { role: Role::Pawn, square: from };
        if chess.us().contains(to) {
            return Some(IllegalMove::OwnPieceOnTarget(piece_on(chess, to)));
        }
        let passed_pawn = Square::from_coords(to.file(), from.rank());
        if board.role_at(to).is_some() {
            return Some(unsafe_king(chess, piece, to, None));
        }
        if chess.maybe_ep_square() == Some(to) {
            return Some(unsafe_king(chess, piece, to, Some(passed_pawn)));
        }
        let fifth = us.fold_wb(Rank::Fifth, Rank::Fourth);
        let late = from.rank() == fifth && board.by_piece(us.other().pawn()).contains(passed_pawn);
        return Some(if late { IllegalMove::EnPassantExpired { to } } else { IllegalMove::NothingToCapture { to } });
    }
    let back = us.fold_wb(-8, 8);
    let one = to.offset(back)?;
    let double = to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth);
    let two = one.offset(back).filter(|_| double);
    let from = [Some(one), two].into_iter().flatten().find(|&square| pawns.contains(square))?;
    let piece = PlacedPiece { role: Role::Pawn, square: from };
    let blocker =
        [Some(to), (from != one).then_some(one)].into_iter().flatten().find(|&square| board.occupied().contains(square));
    Some(match blocker {
        Some(by) => IllegalMove::PathBlocked { piece, by: piece_on(chess, by) },
        None => unsafe_king(chess, piece, to, None),
    })
}

/// Of `squares`, the one nearest to `from`.
fn nearest(from: Square, squares: Bitboard) -> Option<Square> {
    squares.into_iter().min_by_key(|&square| from.distance(square))
}

fn explain_castling(chess: &Chess, side: CastlingSide, history: History<'_>) -> IllegalCastling {
    let us = chess.turn();
    let board = chess.board();
    let Some(rook) = chess.castles().rook(us, side) else { return lost_right(us, side, history) };
    let Some(king) = board.king_of(us) else { return IllegalCastling::NotAvailable(us, side) };
    if let Some(by) = checker(chess) {
        return IllegalCastling::InCheck(by);
    }
    let path = chess.castles().path(us, side) & board.occupied();
    if let Some(square) = nearest(king, path.without(king).without(rook)) {
        return IllegalCastling::Blocked(piece_on(chess, square));
    }
    let to = Square::from_coords(side.king_to_file(), king.rank());
    let passed = attacks::between(king, to).with(to);
    let attacked = passed.into_iter().find_map(|square| {
        let by = board.attacks_to(square, us.other(), board.occupied().without(king).without(rook)).first()?;
        Some((square, by))
    });
    match attacked {
        Some((attacked, by)) => IllegalCastling::Passes { from: king, to, attacked, by: piece_on(chess, by) },
        None => IllegalCastling::NotAvailable(us, side),
    }
}

/// Finds the ply at which the right to castle was lost.
fn lost_right(us: Color, side: CastlingSide, history: History<'_>) -> IllegalCastling {
    let Some(rook) = history.start.castles().rook(us, side) else { return IllegalCastling::NotAvailable(us, side) };
    let mut mover = history.start.turn();
    for (ply, played) in (1..).zip(history.line) {
        if let Some(played) = played {
            if mover == us && (played.role() == Role::King || played.is_castle()) {
                return IllegalCastling::KingMoved { ply };
            }
            if mover == us && played.from() == Some(rook) {
                return IllegalCastling::RookMoved { ply, from: rook };
            }
            if mover != us && played.to() == rook && played.is_capture() {
                return IllegalCastling::RookCaptured { ply, on: rook };
            }
        }
        mover = !mover;
    }
    IllegalCastling::NotAvailable(us, side)
}

impl IllegalCastling {
    /// The squares that the reason names.
    pub fn squares(&self) -> Bitboard {
        match self {
            IllegalCastling::NotAvailable(..) | IllegalCastling::KingMoved { .. } => Bitboard::EMPTY,
            IllegalCastling::RookMoved { from: square, .. } | IllegalCastling::RookCaptured { on: square, .. } => {
                (*square).into()
            }
            IllegalCastling::Blocked(piece) | IllegalCastling::InCheck(piece) => piece.square.into(),
            IllegalCastling::Passes { attacked, by, .. } => Bitboard::from(*attacked).with(by.square),
        }
    }
}

impl fmt::Display for IllegalCastling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalCastling::NotAvailable(color, castling) => {
                let wing = if *castling == CastlingSide::KingSide { "kingside" } else { "queenside" };
                write!(f, "{} has no {wing} castling right in the starting position", color_name(*color))
            }
            IllegalCastling::KingMoved { ply } => write!(f, "the king already moved at ply {ply}"),
            IllegalCastling::RookMoved { ply, from } => write!(f, "the rook from {from} already moved at ply {ply}"),
            IllegalCastling::RookCaptured { ply, on } => write!(f, "the rook on {on} was captured at ply {ply}"),
            IllegalCastling::Blocked(piece) => write!(f, "{piece} is in the way"),
            IllegalCastling::InCheck(by) => write!(f, "the king is in check from {by}"),
            IllegalCastling::Passes { from, to, attacked, by } if attacked == to => {
                write!(f, "the king would move from {from} to {to}, which {by} attacks")
            }
            IllegalCastling::Passes { from, to, attacked, by } => {
                write!(f, "the king would move from {from} to {to} through {attacked}, which {by} attacks")
            }
        }
    }
}

impl IllegalMove {
    /// The squares that the reason names: pieces involved, and squares that cannot be reached.
    pub fn squares(&self) -> Bitboard {
        match self {
            IllegalMove::GameOver { .. }
            | IllegalMove::PromotionMissing
            | IllegalMove::PromotionImpossible { .. }
            | IllegalMove::Drop
            | IllegalMove::NotYourTurn { .. } => Bitboard::EMPTY,
            IllegalMove::Ambiguous { from, to, .. } => from.with(*to),
            IllegalMove::Castling(reason) => reason.squares(),
            IllegalMove::NoSuchPiece { file, rank, .. } => {
                file.zip(*rank).map_or(Bitboard::EMPTY, |(file, rank)| Square::from_coords(file, rank).into())
            }
            IllegalMove::OwnPieceOnTarget(piece) => piece.square.into(),
            IllegalMove::CannotReach { to, .. }
            | IllegalMove::NothingToCapture { to }
            | IllegalMove::EnPassantSquareMissing { to }
            | IllegalMove::EnPassantExpired { to } => (*to).into(),
            IllegalMove::PathBlocked { piece, by } | IllegalMove::Pinned { piece, by } => {
                Bitboard::from(piece.square).with(by.square)
            }
            IllegalMove::NullInCheck { by } | IllegalMove::LeavesKingInCheck { by } => by.square.into(),
            IllegalMove::KingAttacked { to, by } => Bitboard::from(*to).with(by.square),
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::GameOver { mate: true } => f.write_str("the side to move is checkmated"),
            IllegalMove::GameOver { mate: false } => f.write_str("the side to move is stalemated"),
            IllegalMove::Ambiguous { role, from, .. } => {
                let squares: Vec<String> = from.into_iter().map(|square| square.to_string()).collect();
                let all = if from.count() == 2 { "both" } else { "all" };
                write!(f, "the {}s on {} can {all} go there", role_name(*role), join_and(&squares))
            }
            IllegalMove::PromotionMissing => f.write_str("the pawn reaches the last rank, but no promotion piece is given"),
            IllegalMove::PromotionImpossible { reason } => f.write_str(reason),
            IllegalMove::Castling(reason) => reason.fmt(f),
            IllegalMove::Drop => f.write_str("pieces can be dropped only in crazyhouse"),
            IllegalMove::NullInCheck { by } => write!(f, "the turn cannot be passed while {by} gives check"),
            IllegalMove::NotYourTurn { turn } => {
                write!(f, "it is {}'s turn, and only {} could play it", color_name(*turn), color_name(turn.other()))
            }
            IllegalMove::NoSuchPiece { turn, role, file, rank } => {
                write!(f, "{} has no {}", color_name(*turn), role_name(*role))?;
                f.write_str(&written_origin(*role, *file, *rank))
            }
            IllegalMove::OwnPieceOnTarget(PlacedPiece { role, square }) => {
                write!(f, "{square} has a {} of the same side", role_name(*role))
            }
            IllegalMove::CannotReach { role, file: Some(file), rank: Some(rank), to } => {
                write!(f, "{} cannot reach {to}", PlacedPiece { role: *role, square: Square::from_coords(*file, *rank) })
            }
            IllegalMove::CannotReach { role, file, rank, to } => {
                write!(f, "no {}{} can reach {to}", role_name(*role), written_origin(*role, *file, *rank))
            }
            IllegalMove::PathBlocked { piece, by } => write!(f, "{by} blocks {piece}"),
            IllegalMove::Pinned { piece, by } => write!(f, "{piece} is pinned by {by}"),
            IllegalMove::LeavesKingInCheck { by } => write!(f, "the king would remain in check from {by}"),
            IllegalMove::KingAttacked { to, by } => write!(f, "{by} attacks {to}"),
            IllegalMove::NothingToCapture { to } => write!(f, "there is nothing to capture on {to}"),
            IllegalMove::EnPassantExpired { to } => {
                write!(f, "capturing en passant on {to} is possible only right after the double step")
            }
            IllegalMove::EnPassantSquareMissing { to } => {
                write!(f, "it captures en passant, but the position does not give the en passant square {to}")
            }
        }
    }
}

/// Where a piece comes from, as far as that is written: ` on the b-file`.
fn written_origin(role: Role, file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (Some(file), Some(rank)) => format!(" on {}", Square::from_coords(file, rank)),
        (Some(file), None) if role == Role::Pawn => format!(" on the {}-file that can make this move", file.char()),
        (Some(file), None) => format!(" on the {}-file", file.char()),
        (None, Some(rank)) if role == Role::Pawn => format!(" on rank {} that can make this move", rank.char()),
        (None, Some(rank)) => format!(" on rank {}", rank.char()),
        (None, None) if role == Role::Pawn => " that can make this move".to_owned(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::chess::{CheckMark, Quirks};

    fn written(what: WrittenMove) -> WrittenSan {
        WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE }
    }

    fn position(fen: &str) -> Chess {
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("a legal position")
    }

    fn why_illegal(chess: &Chess, token: &str) -> IllegalMove {
        let written = WrittenSan::read(token.as_bytes()).expect("a move");
        assert_eq!(resolve(chess, chess.checkers(), &written), None, "{token} can be played");
        explain_illegal_move(chess, &written, History { start: chess, line: &[] })
    }

    #[test]
    fn reasons_in_words() {
        for (fen, token, reason) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", "no king can reach e3"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ne3", "White has no knight"),
            ("4k3/8/8/8/8/8/4p3/K7 w - - 0 1", "Rb1", "White has no rook"),
            ("4k3/8/8/8/8/8/8/R3K1N1 w - - 0 1", "Rh1", "the king on e1 blocks the rook on a1"),
            ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nf4", "the knight on e2 is pinned by the rook on e8"),
            ("4r1k1/8/8/8/8/8/8/N3K3 w - - 0 1", "Nb3", "the king would remain in check from the rook on e8"),
            ("3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "Kd2", "the rook on d8 attacks d2"),
            ("6k1/8/8/8/8/8/4P3/4K3 w - - 0 1", "exd3", "there is nothing to capture on d3"),
            (
                "6k1/8/8/3pP3/8/8/8/4K3 w - - 0 1",
                "exd6",
                "it captures en passant, but the position does not give the en passant square d6",
            ),
            ("6k1/8/3n4/8/3pP3/8/8/4K3 w - - 0 1", "exd5", "there is nothing to capture on d5"),
            ("6k1/8/8/8/8/8/4P3/4K3 w - - 0 1", "Ke2", "e2 has a pawn of the same side"),
            (
                "5rk1/8/8/8/8/8/8/4K2R w K - 0 1",
                "e1g1",
                "the king would move from e1 to g1 through f1, which the rook on f8 attacks",
            ),
            ("5kr1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "the king would move from e1 to g1, which the rook on g8 attacks"),
            ("6k1/8/8/8/8/8/8/4K1NR w K - 0 1", "O-O", "the knight on g1 is in the way"),
            ("6k1/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "White has no kingside castling right in the starting position"),
            ("6k1/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e4", "the pawn on e3 blocks the pawn on e2"),
            ("6k1/8/8/8/8/8/4p3/K7 w - - 0 1", "e1=Q", "it is White's turn, and only Black could play it"),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1", "e6xd5", "White has no pawn on e6"),
            (
                "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1",
                "dxe4",
                "White has no pawn on the d-file that can make this move",
            ),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1", "d4xe5", "White has no pawn on d4"),
            (
                "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1",
                "Nf6",
                "it is White's turn, and only Black could play it",
            ),
        ] {
            assert_eq!(why_illegal(&position(fen), token).to_string(), reason, "{token} in {fen}");
        }
    }

    #[test]
    fn reasons_name_their_squares() {
        for (fen, token, squares) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", "e3"),
            ("4k3/8/8/8/8/8/8/R3K1N1 w - - 0 1", "Rh1", "a1 e1"),
            ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nf4", "e2 e8"),
            ("3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "Kd2", "d2 d8"),
            ("5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "f1 f8"),
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "b1 d2 f3"),
            ("6k1/8/8/8/8/8/4p3/K7 w - - 0 1", "e1=Q", ""),
        ] {
            let named = why_illegal(&position(fen), token).squares();
            let named: Vec<String> = named.into_iter().map(|square| square.to_string()).collect();
            assert_eq!(named.join(" "), squares, "{token} in {fen}");
        }
    }

    /// Whether what `reason` says about the position is true.
    fn is_true(chess: &Chess, what: WrittenMove, reason: &IllegalMove) -> bool {
        let board = chess.board();
        let ours = |piece: &PlacedPiece| chess.us().contains(piece.square) && board.role_at(piece.square) == Some(piece.role);
        let theirs = |piece: &PlacedPiece| chess.them().contains(piece.square) && board.role_at(piece.square) == Some(piece.role);
        let is_there = |piece: &PlacedPiece| ours(piece) || theirs(piece);
        let legal = chess.legal_moves();
        let (role, file, rank, to, promotion) = match what {
            WrittenMove::Normal { role, file, rank, to, promotion } => (role, file, rank, to, promotion),
            WrittenMove::Coordinates { from, to, promotion } => {
                let role = board.role_at(from).unwrap_or(Role::Pawn);
                (role, Some(from.file()), Some(from.rank()), to, promotion)
            }
            _ => return false,
        };
        let own_pieces = || {
            board.by_piece(role.of(chess.turn()))
                & file.map_or(Bitboard::FULL, Bitboard::from_file)
                & rank.map_or(Bitboard::FULL, Bitboard::from_rank)
        };
        let fits = |played: &&Move| {
            played.role() == role
                && !played.is_castle()
                && played.to() == to
                && file.is_none_or(|file| played.from().is_some_and(|from| from.file() == file))
                && rank.is_none_or(|rank| played.from().is_some_and(|from| from.rank() == rank))
        };
        match reason {
            IllegalMove::GameOver { mate } => legal.is_empty() && *mate == chess.is_check(),
            IllegalMove::Ambiguous { from, .. } => {
                legal.iter().filter(fits).filter_map(|played| played.from()).collect::<Bitboard>() == *from
            }
            IllegalMove::PromotionMissing => promotion.is_none() && legal.iter().filter(fits).count() == 4,
            IllegalMove::PromotionImpossible { .. } => {
                promotion.is_some() && !legal.iter().filter(fits).any(|played| played.promotion() == promotion)
            }
            // It is not written as castling, but a king may go there by its squares.
            IllegalMove::Castling(_) => role == Role::King && matches!(what, WrittenMove::Coordinates { .. }),
            IllegalMove::Drop | IllegalMove::NullInCheck { .. } => false,
            IllegalMove::NotYourTurn { turn } => *turn == chess.turn(),
            // Of pawns, it says "that can make this move", unless their square is written.
            IllegalMove::NoSuchPiece { role: Role::Pawn, .. } if file.zip(rank).is_none() => {
                // No capture is written.
                let advances = |played: &&Move| fits(played) && (file.is_some() || !played.is_capture());
                !legal.iter().any(|played| advances(&played))
            }
            IllegalMove::NoSuchPiece { .. } => own_pieces().is_empty(),
            IllegalMove::OwnPieceOnTarget(piece) => ours(piece) && piece.square == to,
            IllegalMove::CannotReach { .. } => {
                let is_pawn_move = |from: Square| {
                    let forward = if chess.turn().is_white() { 1 } else { -1 };
                    let ranks = (to.rank() as i32 - from.rank() as i32) * forward;
                    let files = from.file().distance(to.file());
                    let is_at_home = from.rank() == chess.turn().fold_wb(Rank::Second, Rank::Seventh);
                    (ranks == 1 && files <= 1) || (ranks == 2 && files == 0 && is_at_home)
                };
                let reaches = |from: Square| match role {
                    Role::Pawn => is_pawn_move(from),
                    role => attacks::attacks(from, role.of(chess.turn()), Bitboard::EMPTY).contains(to),
                };
                own_pieces().any() && !own_pieces().into_iter().any(reaches)
            }
            IllegalMove::PathBlocked { piece, by } => {
                ours(piece) && is_there(by) && (by.square == to || attacks::between(piece.square, to).contains(by.square))
            }
            IllegalMove::Pinned { piece, by } => ours(piece) && theirs(by) && !chess.is_check(),
            IllegalMove::LeavesKingInCheck { by } => chess.checkers().contains(by.square) && theirs(by),
            IllegalMove::KingAttacked { to, by } => {
                let king = board.king_of(chess.turn()).map_or(Bitboard::EMPTY, Bitboard::from_square);
                theirs(by) && board.attacks_to(*to, chess.turn().other(), board.occupied() & !king).contains(by.square)
            }
            IllegalMove::NothingToCapture { to } => board.role_at(*to).is_none() && !legal.iter().any(|played| fits(&played)),
            IllegalMove::EnPassantExpired { to } | IllegalMove::EnPassantSquareMissing { to } => {
                board.role_at(*to).is_none() && chess.maybe_ep_square() != Some(*to)
            }
        }
    }

    #[test]
    fn reasons_are_true_in_random_games() {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut random = move |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % limit
        };
        let mut illegal = 0;
        for _ in 0..60 {
            let mut chess = Chess::default();
            for _ in 0..200 {
                for _ in 0..40 {
                    let role = Role::ALL[random(6)];
                    let to = Square::ALL[random(64)];
                    let file = (random(3) == 0).then(|| File::ALL[random(8)]);
                    let rank = (random(6) == 0).then(|| Rank::ALL[random(8)]);
                    let promotion = (random(8) == 0).then(|| Role::ALL[random(6)]);
                    let what = match random(4) {
                        0 => WrittenMove::Coordinates { from: Square::ALL[random(64)], to, promotion },
                        _ => WrittenMove::Normal { role, file, rank, to, promotion },
                    };
                    if resolve(&chess, chess.checkers(), &written(what)).is_none() {
                        let reason = explain_illegal_move(&chess, &written(what), History { start: &chess, line: &[] });
                        assert!(is_true(&chess, what, &reason), "{what:?}: {reason}\n{chess:?}");
                        illegal += 1;
                    }
                }
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                chess.play_unchecked(moves[random(moves.len())]);
            }
        }
        assert!(illegal > 300_000, "{illegal} reasons");
    }
}
