//! Whether some last move is possible.
//!
//! The search looks for a move that needs no thought: it leaves nobody in check, and before it a
//! piece of the other side can be moved back as well.

use shakmaty::{Bitboard, Board, ByColor, Color, Rank, Role, Square, attacks};

use super::{
    material::{BoardView, Lines, attackers, double_step},
    position::Position,
    structure::{self, PawnOrigin},
};
use crate::chess::Pieces;

/// The castling rights `KQkq`.
const ALL_RIGHTS: u8 = 15;

/// Maximum number of piece moves that are tried.
const MAX_TRIES: u32 = 24;

/// How a piece reached its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveKind {
    Quiet,
    Capture,
}

/// What kind of piece made a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capturer {
    Piece,
    Pawn,
}

/// Whether some last move fits the position, its en passant square and its halfmove clock.
#[inline(always)]
pub(crate) fn is_explained(position: &Position, view: &BoardView, pawns: PawnOrigin) -> bool {
    if let Some(target) = position.en_passant {
        return double_step(position.turn, target)
            .is_some_and(|(pawn, origin)| can_be_before(position, position.pieces.moved(pawn, origin), view, pawns));
    }
    match position.counters {
        Some((0, _)) => pawn_step_exists(position, view, pawns) || zeroing_move_exists(position, view, pawns),
        Some(_) => quiet_move_exists(position, view),
        None => {
            quiet_move_exists(position, view)
                || pawn_step_exists(position, view, pawns)
                || zeroing_move_exists(position, view, pawns)
        }
    }
}

/// Whether a game can begin with the position, or with moves of knights and rooks that lead to it.
/// No pawn has moved and nothing was captured, so the clock counts all plies.
#[cold]
pub(crate) fn is_opening(position: &Position, view: &BoardView) -> bool {
    let pieces = &position.pieces;
    let plies = |number: u32| 2 * (number - 1) + u32::from(position.turn.is_black());
    let counted = position.counters.is_none_or(|(clock, number)| clock == plies(number));
    let knights_moved = || position.rights == ALL_RIGHTS && others_are_at_home(pieces);
    let only_knights_left = || {
        let stayed =
            |color: Color, back: Rank| (pieces.of(color) & !pieces.pawns & !pieces.knights).is_subset(Bitboard::from_rank(back));
        stayed(Color::White, Rank::First) && stayed(Color::Black, Rank::Eighth)
    };
    let in_turn =
        view.chess960 && only_knights_left() || knights_moved() && structure::turn_by_tempo(pieces) == Some(position.turn);
    let begins = position.counters.is_none_or(|counters| counters == (0, 1))
        && position.turn.is_white()
        && is_starting_position(pieces, view);
    position.en_passant.is_none() && counted && in_turn && (begins || quiet_move_exists(position, view))
}

/// Whether the pieces of the standard starting position are at home, except possibly knights. Kings
/// and rooks are covered by the castling rights.
#[cold]
fn others_are_at_home(pieces: &Pieces) -> bool {
    let start = Board::new();
    [(pieces.white, start.white()), (pieces.black, start.black())].into_iter().all(|(own, home)| {
        (own & pieces.bishops, own & pieces.queens, own & !pieces.knights)
            == (home & start.bishops(), home & start.queens(), home & !start.knights())
    })
}

/// Whether this is a starting position, if White is to move.
#[cold]
fn is_starting_position(pieces: &Pieces, view: &BoardView) -> bool {
    let at_home = |color: Color, pawns: Rank, back: Rank| {
        Bitboard::from_rank(pawns).is_subset(pieces.pawns & pieces.of(color))
            && Bitboard::from_rank(back).is_subset(pieces.of(color))
    };
    at_home(Color::White, Rank::Second, Rank::First)
        && at_home(Color::Black, Rank::Seventh, Rank::Eighth)
        && (view.chess960 || pieces.board().is_some_and(|board| board == Board::new()))
}

/// Whether a quiet piece move can have been the last move.
#[inline(always)]
fn quiet_move_exists(position: &Position, view: &BoardView) -> bool {
    let pieces = &position.pieces;
    if view.checkers.is_empty() {
        // Pieces of both sides that neither king sees, with different squares to go back to: one
        // does not hinder the other.
        let (white, black) = (origins(pieces, Color::White, view, &view.lines), origins(pieces, Color::Black, view, &view.lines));
        if white.any() & black.any() & (white | black).more_than_one() {
            return true;
        }
    }
    any_piece_move(position, view, MoveKind::Quiet, |to, from| {
        can_be_earlier(&pieces.moved(to, from), position.turn, &view.with_king_moved(to, from))
    })
}

/// Whether `accept` returns `true` for the target and origin of some piece move that can have been
/// the last one. If there is a check, only moves of the checking piece are tried.
#[inline(never)]
fn any_piece_move(position: &Position, view: &BoardView, step: MoveKind, accept: impl Fn(Square, Square) -> bool) -> bool {
    let (pieces, mover) = (&position.pieces, !position.turn);
    let movable = pieces.of(mover) & !(pieces.pawns | pieces.kings | view.unmoved);
    let movable = if view.checkers.any() { movable & view.checkers } else { movable };
    let likely = movable & hidden(pieces, mover, view, &view.lines);
    let king_sees = view.lines.get(mover).all();
    let king = *view.kings.get(position.turn);
    // Squares where it would have given check before the move. It can have come closer along the
    // line of its check only with a capture.
    let checking = |to: Square| {
        let line = if step == MoveKind::Quiet && view.checkers.any() { attacks::ray(king, to) } else { Bitboard::EMPTY };
        line | gives_check(pieces, to, king, *view.lines.get(position.turn))
    };
    let mut tries = MAX_TRIES;
    for to in likely.into_iter().chain(movable & !likely) {
        let origins = piece_origins(pieces, to) & !checking(to);
        // Squares that its own king sees come last, because a piece that leaves or enters them may
        // matter to the king.
        let plain = origins & !king_sees;
        for from in plain.into_iter().take(2).chain((origins & king_sees).into_iter().take(1)) {
            if accept(to, from) {
                return true;
            }
            tries -= 1;
            if tries == 0 {
                return false;
            }
        }
    }
    view.checkers.is_empty()
        && king_origin(pieces, mover, view, &view.lines).is_some_and(|from| accept(*view.kings.get(mover), from))
}

/// The pieces of `mover`, other than the king, that can have moved and that neither king sees.
#[inline(always)]
fn hidden(pieces: &Pieces, mover: Color, view: &BoardView, lines: &ByColor<Lines>) -> Bitboard {
    pieces.of(mover) & !(pieces.pawns | pieces.kings | lines.white.all() | lines.black.all() | view.unmoved)
}

/// Squares from which such pieces can have come without having given check before.
#[inline(always)]
fn origins(pieces: &Pieces, mover: Color, view: &BoardView, lines: &ByColor<Lines>) -> Bitboard {
    let hidden = hidden(pieces, mover, view, lines);
    let king = *view.kings.get(!mover);
    let neighbours = neighbours_straight(hidden & pieces.straight()) | neighbours_diagonal(hidden & pieces.diagonal());
    let knight_squares = knight_squares(hidden & pieces.knights) & !attacks::knight_attacks(king);
    ((neighbours & !lines.get(!mover).all()) | knight_squares) & !pieces.occupied()
}

/// Whether a quiet piece move by `mover` can have been the last move. Nobody is in check.
#[inline]
fn can_move_back(pieces: &Pieces, mover: Color, view: &BoardView, lines: &ByColor<Lines>) -> bool {
    origins(pieces, mover, view, lines).any()
        || king_origin(pieces, mover, view, lines).is_some()
        || visible_piece_can_move_back(pieces, mover, view)
}

/// The same for pieces that a king sees: nobody was in check before, and the other side can have
/// moved before that.
#[inline(never)]
fn visible_piece_can_move_back(pieces: &Pieces, mover: Color, view: &BoardView) -> bool {
    let movable = |color: Color| pieces.of(color) & !(pieces.pawns | pieces.kings | view.unmoved);
    movable(mover).into_iter().any(|to| {
        piece_origins(pieces, to).into_iter().take(3).any(|from| {
            let before = pieces.moved(to, from);
            let lines = Lines::of(view.kings, before.occupied());
            let is_safe = |color: Color| attackers(&before, *view.kings.get(color), color, *lines.get(color)).is_empty();
            is_safe(Color::White) && is_safe(Color::Black) && origins(&before, !mover, view, &lines).any()
        })
    })
}

/// The squares from which the piece on `to` would give check to `king`, which sees `lines`.
#[inline(always)]
fn gives_check(pieces: &Pieces, to: Square, king: Square, lines: Lines) -> Bitboard {
    match role(pieces, to) {
        Some(Role::Knight) => attacks::knight_attacks(king),
        Some(Role::Bishop) => lines.diagonal,
        Some(Role::Rook) => lines.straight,
        _ => lines.all(),
    }
}

/// The empty squares from which the piece on `to`, which is not a king, can have come.
#[inline(always)]
fn piece_origins(pieces: &Pieces, to: Square) -> Bitboard {
    let occupied = pieces.occupied();
    !occupied
        & match role(pieces, to) {
            Some(Role::Knight) => attacks::knight_attacks(to),
            Some(Role::Bishop) => attacks::bishop_attacks(to, occupied),
            Some(Role::Rook) => attacks::rook_attacks(to, occupied),
            _ => attacks::queen_attacks(to, occupied),
        }
}

/// A square from which the king of `mover` can have come, if it blocked none of its own lines.
#[inline(never)]
fn king_origin(pieces: &Pieces, mover: Color, view: &BoardView, lines: &ByColor<Lines>) -> Option<Square> {
    let (own, other) = (*view.kings.get(mover), *view.kings.get(!mover));
    let occupied = pieces.occupied();
    // It may have blocked lines of its own pieces.
    let sliders = (pieces.straight() | pieces.diagonal()) & pieces.of(mover);
    if view.unmoved.contains(own) || (sliders.any() && lines.get(!mover).all().contains(own)) {
        return None;
    }
    let vacated = occupied.without(own);
    (attacks::king_attacks(own) & !occupied & !attacks::king_attacks(other))
        .into_iter()
        .find(|&origin| attackers(pieces, origin, mover, Lines::from(origin, vacated)).is_empty())
}

/// The squares that knights attack.
#[inline]
fn knight_squares(knights: Bitboard) -> Bitboard {
    let on_files = |files: u64, by: i32| (knights & Bitboard(files)).shift(by);
    let (one_right, one_left) = (on_files(0x7F7F_7F7F_7F7F_7F7F, 1), on_files(0xFEFE_FEFE_FEFE_FEFE, -1));
    let (two_right, two_left) = (on_files(0x3F3F_3F3F_3F3F_3F3F, 2), on_files(0xFCFC_FCFC_FCFC_FCFC, -2));
    let (one, two) = (one_right | one_left, two_right | two_left);
    one.shift(16) | one.shift(-16) | two.shift(8) | two.shift(-8)
}

#[inline]
fn neighbours_straight(pieces: Bitboard) -> Bitboard {
    let (left, right) = (Bitboard(0x7F7F_7F7F_7F7F_7F7F), Bitboard(0xFEFE_FEFE_FEFE_FEFE));
    pieces.shift(8) | pieces.shift(-8) | ((pieces & left).shift(1)) | ((pieces & right).shift(-1))
}

#[inline]
fn neighbours_diagonal(pieces: Bitboard) -> Bitboard {
    let (left, right) = (Bitboard(0x7F7F_7F7F_7F7F_7F7F), Bitboard(0xFEFE_FEFE_FEFE_FEFE));
    let (left, right) = ((pieces & left).shift(1), (pieces & right).shift(-1));
    (left | right).shift(8) | (left | right).shift(-8)
}

#[inline]
fn role(pieces: &Pieces, square: Square) -> Option<Role> {
    [
        (pieces.pawns, Role::Pawn),
        (pieces.knights, Role::Knight),
        (pieces.bishops, Role::Bishop),
        (pieces.rooks, Role::Rook),
        (pieces.queens, Role::Queen),
        (pieces.kings, Role::King),
    ]
    .into_iter()
    .find(|(pieces, _)| pieces.contains(square))
    .map(|(_, role)| role)
}

/// Whether nobody is in check, and `mover` can have made the move before or the game has just
/// begun.
#[inline]
fn can_be_earlier(pieces: &Pieces, mover: Color, view: &BoardView) -> bool {
    let lines = Lines::of(view.kings, pieces.occupied());
    attackers(pieces, view.kings.white, Color::White, lines.white).is_empty()
        && attackers(pieces, view.kings.black, Color::Black, lines.black).is_empty()
        && (can_move_back(pieces, mover, view, &lines) || (mover.is_black() && is_starting_position(pieces, view)))
}

/// Whether a simple pawn advance can have been the last move. Neither king sees the pawn or its
/// origin, it does not come from its home square, the structure stays sound, and the other side can
/// have moved before that.
#[inline(always)]
fn pawn_step_exists(position: &Position, view: &BoardView, pawns: PawnOrigin) -> bool {
    let pieces = &position.pieces;
    let (turn, mover) = (position.turn, !position.turn);
    let kings_see = view.lines.white.all() | view.lines.black.all();
    let back = if mover.is_white() { -8 } else { 8 };
    let home = Bitboard::from_rank(mover.fold_wb(Rank::Second, Rank::Seventh));
    let origins_of_pawns = (pawns.retractable(pieces, mover) & !(kings_see | home)).shift(back);
    let origins_of_pawns =
        origins_of_pawns & !(pieces.occupied() | kings_see | home | attacks::pawn_attacks(turn, *view.kings.get(turn)));
    // If there are at least two squares, pawn and piece do not need the same one.
    let others = origins(pieces, turn, view, &view.lines);
    view.checkers.is_empty() && origins_of_pawns.any() & others.any() & (origins_of_pawns | others).more_than_one()
}

/// Whether a pawn advance or a capture can have been the last move.
#[inline(never)]
fn zeroing_move_exists(position: &Position, view: &BoardView, structure: PawnOrigin) -> bool {
    let pieces = &position.pieces;
    let (turn, mover) = (position.turn, !position.turn);
    let occupied = pieces.occupied();
    let back = if mover.is_white() { -8 } else { 8 };
    let home = Bitboard::from_rank(mover.fold_wb(Rank::Second, Rank::Seventh));
    // If there is a check, the pawn gives it.
    let pawns = pieces.pawns & pieces.of(mover) & !home;
    let pawns = if view.checkers.is_empty() { pawns } else { pawns & view.checkers };
    let stepped = pawns & !occupied.shift(-back);
    let likely = stepped & !(view.lines.white.all() | view.lines.black.all());
    let retractable = structure.retractable(pieces, mover);
    let step = |pawn: Square| {
        let Some(origin) = pawn.offset(back) else { return false };
        let before = pieces.moved(pawn, origin);
        if retractable.contains(pawn) && !home.contains(origin) {
            can_be_earlier(&before, turn, view)
        } else {
            can_be_before(position, before, view, structure)
        }
    };
    if likely.into_iter().chain(stepped & !likely).any(step) {
        return true;
    }
    let captured = |to: Square, from: Square, by: Capturer| {
        let (piece, pawn) = victims(pieces, turn, view.promoted, to);
        let kings = view.with_king_moved(to, from);
        let pawn = pawn.filter(|_| !Bitboard::BACKRANKS.contains(to));
        [piece, pawn].into_iter().flatten().any(|victim| {
            let before = pieces.moved(to, from).with(to, turn, victim);
            // If no pawn needs a capture, another knight changes nothing, because no cage holds
            // knights.
            if by == Capturer::Piece && victim == Role::Knight && structure == PawnOrigin::SameFile {
                can_be_earlier(&before, turn, &kings)
            } else {
                can_be_before(position, before, &kings, structure)
            }
        })
    };
    any_piece_move(position, view, MoveKind::Capture, |to, from| captured(to, from, Capturer::Piece))
        || pawns.into_iter().any(|to| {
            let origins = attacks::pawn_attacks(turn, to) & !occupied & !Bitboard::BACKRANKS;
            origins.into_iter().any(|from| captured(to, from, Capturer::Pawn))
        })
}

/// Whether the position before the last move, which changed the structure, can have arisen.
#[inline]
fn can_be_before(position: &Position, pieces: Pieces, view: &BoardView, structure: PawnOrigin) -> bool {
    can_be_earlier(&pieces, position.turn, view) && {
        let before = Position { pieces, ..*position };
        structure::is_sound(&before, view)
            || (structure == PawnOrigin::Unknown && structure::examined_origin(&before, view).is_some())
    }
}

/// A piece that `color` can have lost on the square `at` with the last move, and a pawn, if it can
/// have lost one.
#[inline]
fn victims(pieces: &Pieces, color: Color, promoted: bool, at: Square) -> (Option<Role>, Option<Role>) {
    if pieces.count(color) >= 16 {
        return (None, None);
    }
    let own = pieces.of(color);
    let several = |pieces: Bitboard| (pieces & own).more_than_one();
    let piece = if !several(pieces.knights) {
        Some(Role::Knight)
    } else if !several(pieces.rooks) {
        Some(Role::Rook)
    } else if (pieces.queens & own).is_empty() {
        Some(Role::Queen)
    } else {
        let shade = if Bitboard::DARK_SQUARES.contains(at) { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
        (pieces.bishops & own & shade).is_empty().then_some(Role::Bishop)
    };
    (piece, (pieces.pawn_count(color) < 8 && !promoted).then_some(Role::Pawn))
}
