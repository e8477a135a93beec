//! What the last move can have been. One is looked for that needs no thought: it leaves nobody in check, and in the position before it a man
//! of the other side can step back just as well.

use shakmaty::{Bitboard, Board, ByColor, Color, Rank, Role, Square, attacks};

use super::{
    Position,
    material::{Lines, Seen, attackers, double_step},
    structure::{self, Pawns},
};
use crate::chess::Pieces;

/// The castling rights `KQkq`.
const ALL_RIGHTS: u8 = 15;

/// So many steps are tried.
const MOST_TRIES: u32 = 24;

/// How a piece came to where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Quiet,
    Capture,
}

/// Who took a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taker {
    Piece,
    Pawn,
}

/// Whether some last move fits the position, its en passant square and its halfmove clock.
#[inline(always)]
pub(super) fn is_explained(position: &Position, seen: &Seen, pawns: Pawns) -> bool {
    if let Some(target) = position.en_passant {
        return double_step(position.turn, target)
            .is_some_and(|(pawn, origin)| can_be_before(position, position.men.moved(pawn, origin), seen, pawns));
    }
    match position.counters {
        Some((0, _)) => pawn_step_exists(position, seen, pawns) || zeroing_move_exists(position, seen, pawns),
        Some(_) => quiet_move_exists(position, seen),
        None => {
            quiet_move_exists(position, seen)
                || pawn_step_exists(position, seen, pawns)
                || zeroing_move_exists(position, seen, pawns)
        }
    }
}

/// Whether a game can have begun with the position, or with moves of knights and rooks that lead to it: no pawn has moved, and nobody was
/// taken, so that the clock counts all plies.
#[cold]
pub(super) fn is_opening(position: &Position, seen: &Seen) -> bool {
    let men = &position.men;
    let plies = |number: u32| 2 * (number - 1) + u32::from(position.turn.is_black());
    let counted = position.counters.is_none_or(|(clock, number)| clock == plies(number));
    let knights_moved = || position.rights == ALL_RIGHTS && others_are_at_home(men);
    let in_turn = seen.chess960 || knights_moved() && structure::turn_by_tempo(men) == Some(position.turn);
    let begins = position.counters.is_none_or(|counters| counters == (0, 1)) && position.turn.is_white() && is_array(men, seen);
    position.en_passant.is_none() && counted && in_turn && (begins || quiet_move_exists(position, seen))
}

/// Whether the men of the standard array are at home, but perhaps for knights, and for kings and rooks, of which the rights tell.
#[cold]
fn others_are_at_home(men: &Pieces) -> bool {
    let array = Board::new();
    [(men.white, array.white()), (men.black, array.black())].into_iter().all(|(own, home)| {
        (own & men.bishops, own & men.queens, own & !men.knights)
            == (home & array.bishops(), home & array.queens(), home & !array.knights())
    })
}

/// Whether games begin like this, if White is to move.
#[cold]
fn is_array(men: &Pieces, seen: &Seen) -> bool {
    let at_home = |color: Color, pawns: Rank, back: Rank| {
        Bitboard::from_rank(pawns).is_subset(men.pawns & men.of(color)) && Bitboard::from_rank(back).is_subset(men.of(color))
    };
    at_home(Color::White, Rank::Second, Rank::First)
        && at_home(Color::Black, Rank::Seventh, Rank::Eighth)
        && (seen.chess960 || men.board().is_some_and(|board| board == Board::new()))
}

/// Whether a piece can have stepped to where it stands, capturing nothing.
#[inline(always)]
fn quiet_move_exists(position: &Position, seen: &Seen) -> bool {
    let men = &position.men;
    if seen.checkers.is_empty() {
        // Pieces of both sides that neither king sees, and squares for them that are not the same: one move does not hinder the other.
        let (white, black) = (origins(men, Color::White, seen, &seen.lines), origins(men, Color::Black, seen, &seen.lines));
        if white.any() & black.any() & (white | black).more_than_one() {
            return true;
        }
    }
    any_step(position, seen, Step::Quiet, |to, from| {
        is_free(&men.moved(to, from), position.turn, &seen.with_king_moved(to, from))
    })
}

/// Whether some step of a piece that can have been the last move is accepted, by where the piece went to and where it came from. Where there
/// is a check, only those of the piece that gives it are looked at.
#[inline(never)]
fn any_step(position: &Position, seen: &Seen, step: Step, accept: impl Fn(Square, Square) -> bool) -> bool {
    let (men, mover) = (&position.men, !position.turn);
    let pieces = men.of(mover) & !(men.pawns | men.kings | seen.unmoved);
    let pieces = if seen.checkers.any() { pieces & seen.checkers } else { pieces };
    let likely = pieces & hidden(men, mover, seen, &seen.lines);
    let king_sees = seen.lines.get(mover).all();
    let king = *seen.kings.get(position.turn);
    // Where it would have given check before. Along the line on which it gives check now it came nearer only past the man that it took.
    let checking = |to: Square| {
        let line = if step == Step::Quiet && seen.checkers.any() { attacks::ray(king, to) } else { Bitboard::EMPTY };
        line | gives_check(men, to, king, *seen.lines.get(position.turn))
    };
    let mut tries = MOST_TRIES;
    for to in likely.into_iter().chain(pieces & !likely) {
        let origins = piece_origins(men, to) & !checking(to);
        // What its own king sees is better left: a man that goes there, or leaves it, may matter to it.
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
    seen.checkers.is_empty() && king_step(men, mover, seen, &seen.lines).is_some_and(|from| accept(*seen.kings.get(mover), from))
}

/// The pieces of `mover`, but for the king, that have moved perhaps and that neither king sees.
#[inline(always)]
fn hidden(men: &Pieces, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> Bitboard {
    men.of(mover) & !(men.pawns | men.kings | lines.white.all() | lines.black.all() | seen.unmoved)
}

/// Squares from which such pieces can have come without having given check.
#[inline(always)]
fn origins(men: &Pieces, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> Bitboard {
    let hidden = hidden(men, mover, seen, lines);
    let king = *seen.kings.get(!mover);
    let beside = beside_straight(hidden & men.straight()) | beside_diagonal(hidden & men.diagonal());
    let jumps = jumps(hidden & men.knights) & !attacks::knight_attacks(king);
    ((beside & !lines.get(!mover).all()) | jumps) & !men.occupied()
}

/// Whether a piece of `mover` can have stepped to where it stands; nobody is in check.
fn steps_back(men: &Pieces, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> bool {
    origins(men, mover, seen, lines).any()
        || king_step(men, mover, seen, lines).is_some()
        || steps_back_in_sight(men, mover, seen)
}

/// The same for pieces that a king sees: before the step nobody was in check, and then the other side can have moved too.
#[inline(never)]
fn steps_back_in_sight(men: &Pieces, mover: Color, seen: &Seen) -> bool {
    let pieces = |color: Color| men.of(color) & !(men.pawns | men.kings | seen.unmoved);
    pieces(mover).into_iter().any(|to| {
        piece_origins(men, to).into_iter().take(3).any(|from| {
            let before = men.moved(to, from);
            let lines = Lines::of(seen.kings, before.occupied());
            let is_safe = |color: Color| attackers(&before, *seen.kings.get(color), color, *lines.get(color)).is_empty();
            is_safe(Color::White) && is_safe(Color::Black) && origins(&before, !mover, seen, &lines).any()
        })
    })
}

/// The squares on which the piece on `to` would give check to `king`, which sees `lines`.
#[inline(always)]
fn gives_check(men: &Pieces, to: Square, king: Square, lines: Lines) -> Bitboard {
    match role(men, to) {
        Some(Role::Knight) => attacks::knight_attacks(king),
        Some(Role::Bishop) => lines.diagonal,
        Some(Role::Rook) => lines.straight,
        _ => lines.all(),
    }
}

/// The free squares from which the piece on `to` can have come; kings are not asked for.
#[inline(always)]
fn piece_origins(men: &Pieces, to: Square) -> Bitboard {
    let occupied = men.occupied();
    !occupied
        & match role(men, to) {
            Some(Role::Knight) => attacks::knight_attacks(to),
            Some(Role::Bishop) => attacks::bishop_attacks(to, occupied),
            Some(Role::Rook) => attacks::rook_attacks(to, occupied),
            _ => attacks::queen_attacks(to, occupied),
        }
}

/// From where the king of `mover` can have come, if it stood in nobody's way.
#[inline(never)]
fn king_step(men: &Pieces, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> Option<Square> {
    let (own, other) = (*seen.kings.get(mover), *seen.kings.get(!mover));
    let occupied = men.occupied();
    // Where its own men see far, it may have been in their way.
    let sliders = (men.straight() | men.diagonal()) & men.of(mover);
    if seen.unmoved.contains(own) || (sliders.any() && lines.get(!mover).all().contains(own)) {
        return None;
    }
    let vacated = occupied.without(own);
    (attacks::king_attacks(own) & !occupied & !attacks::king_attacks(other))
        .into_iter()
        .find(|&origin| attackers(men, origin, mover, Lines::from(origin, vacated)).is_empty())
}

/// Where knights jump to.
fn jumps(knights: Bitboard) -> Bitboard {
    let on_files = |files: u64, by: i32| (knights & Bitboard(files)).shift(by);
    let (one_right, one_left) = (on_files(0x7F7F_7F7F_7F7F_7F7F, 1), on_files(0xFEFE_FEFE_FEFE_FEFE, -1));
    let (two_right, two_left) = (on_files(0x3F3F_3F3F_3F3F_3F3F, 2), on_files(0xFCFC_FCFC_FCFC_FCFC, -2));
    let (one, two) = (one_right | one_left, two_right | two_left);
    one.shift(16) | one.shift(-16) | two.shift(8) | two.shift(-8)
}

fn beside_straight(men: Bitboard) -> Bitboard {
    let (left, right) = (Bitboard(0x7F7F_7F7F_7F7F_7F7F), Bitboard(0xFEFE_FEFE_FEFE_FEFE));
    men.shift(8) | men.shift(-8) | ((men & left).shift(1)) | ((men & right).shift(-1))
}

fn beside_diagonal(men: Bitboard) -> Bitboard {
    let (left, right) = (Bitboard(0x7F7F_7F7F_7F7F_7F7F), Bitboard(0xFEFE_FEFE_FEFE_FEFE));
    let (left, right) = ((men & left).shift(1), (men & right).shift(-1));
    (left | right).shift(8) | (left | right).shift(-8)
}

fn role(men: &Pieces, square: Square) -> Option<Role> {
    [
        (men.pawns, Role::Pawn),
        (men.knights, Role::Knight),
        (men.bishops, Role::Bishop),
        (men.rooks, Role::Rook),
        (men.queens, Role::Queen),
        (men.kings, Role::King),
    ]
    .into_iter()
    .find(|(men, _)| men.contains(square))
    .map(|(_, role)| role)
}

/// Whether nobody is in check, and a piece of `mover` can step back or the game has just begun.
fn is_free(men: &Pieces, mover: Color, seen: &Seen) -> bool {
    let lines = Lines::of(seen.kings, men.occupied());
    attackers(men, seen.kings.white, Color::White, lines.white).is_empty()
        && attackers(men, seen.kings.black, Color::Black, lines.black).is_empty()
        && (steps_back(men, mover, seen, &lines) || (mover.is_black() && is_array(men, seen)))
}

/// Whether a pawn can have stepped to where it stands so that hardly anything was different before: neither king sees it, nor saw it, it did
/// not leave its home, and the structure was as sound as it is. The other side can have moved before that.
#[inline(always)]
fn pawn_step_exists(position: &Position, seen: &Seen, pawns: Pawns) -> bool {
    let men = &position.men;
    let (turn, mover) = (position.turn, !position.turn);
    let kings_see = seen.lines.white.all() | seen.lines.black.all();
    let back = if mover.is_white() { -8 } else { 8 };
    let home = Bitboard::from_rank(mover.fold_wb(Rank::Second, Rank::Seventh));
    let stood = (pawns.unhurried(men, mover) & !(kings_see | home)).shift(back);
    let stood = stood & !(men.occupied() | kings_see | home | attacks::pawn_attacks(turn, *seen.kings.get(turn)));
    // One of them is not where the other side's man has come from, if there are two of either.
    let others = origins(men, turn, seen, &seen.lines);
    seen.checkers.is_empty() && stood.any() & others.any() & (stood | others).more_than_one()
}

/// Whether a pawn can have stepped to where it stands, or a man can have been captured.
#[inline(never)]
fn zeroing_move_exists(position: &Position, seen: &Seen, structure: Pawns) -> bool {
    let men = &position.men;
    let (turn, mover) = (position.turn, !position.turn);
    let occupied = men.occupied();
    let back = if mover.is_white() { -8 } else { 8 };
    let home = Bitboard::from_rank(mover.fold_wb(Rank::Second, Rank::Seventh));
    // Where there is a check, it was the pawn that gave it.
    let pawns = men.pawns & men.of(mover) & !home;
    let pawns = if seen.checkers.is_empty() { pawns } else { pawns & seen.checkers };
    let stepped = pawns & !occupied.shift(-back);
    let likely = stepped & !(seen.lines.white.all() | seen.lines.black.all());
    let unhurried = structure.unhurried(men, mover);
    let step = |pawn: Square| {
        let Some(origin) = pawn.offset(back) else { return false };
        let before = men.moved(pawn, origin);
        if unhurried.contains(pawn) && !home.contains(origin) {
            is_free(&before, turn, seen)
        } else {
            can_be_before(position, before, seen, structure)
        }
    };
    if likely.into_iter().chain(stepped & !likely).any(step) {
        return true;
    }
    let captured = |to: Square, from: Square, by: Taker| {
        let (piece, pawn) = victims(men, turn, seen.promoted, to);
        let kings = seen.with_king_moved(to, from);
        let pawn = pawn.filter(|_| !Bitboard::BACKRANKS.contains(to));
        [piece, pawn].into_iter().flatten().any(|victim| {
            let before = men.moved(to, from).with(to, turn, victim);
            // Where no pawn needs a capture, a knight more, which no cage holds, asks for nothing.
            if by == Taker::Piece && victim == Role::Knight && structure == Pawns::Ahead {
                is_free(&before, turn, &kings)
            } else {
                can_be_before(position, before, &kings, structure)
            }
        })
    };
    any_step(position, seen, Step::Capture, |to, from| captured(to, from, Taker::Piece))
        || pawns.into_iter().any(|to| {
            let origins = attacks::pawn_attacks(turn, to) & !occupied & !Bitboard::BACKRANKS;
            origins.into_iter().any(|from| captured(to, from, Taker::Pawn))
        })
}

/// Whether `men` can have stood so before the last move, which changed the structure.
fn can_be_before(position: &Position, men: Pieces, seen: &Seen, structure: Pawns) -> bool {
    is_free(&men, position.turn, seen) && {
        let before = Position { men, ..*position };
        structure::is_sound(&before, seen) || (structure == Pawns::Somehow && structure::look_closer(&before, seen).is_some())
    }
}

/// A piece that `color` can have lost on the square `at`, last of all, and a pawn, if it can have lost one.
#[inline]
fn victims(men: &Pieces, color: Color, promoted: bool, at: Square) -> (Option<Role>, Option<Role>) {
    if men.count(color) >= 16 {
        return (None, None);
    }
    let own = men.of(color);
    let several = |men: Bitboard| (men & own).more_than_one();
    let piece = if !several(men.knights) {
        Some(Role::Knight)
    } else if !several(men.rooks) {
        Some(Role::Rook)
    } else if (men.queens & own).is_empty() {
        Some(Role::Queen)
    } else {
        let shade = if Bitboard::DARK_SQUARES.contains(at) { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
        (men.bishops & own & shade).is_empty().then_some(Role::Bishop)
    };
    (piece, (men.pawn_count(color) < 8 && !promoted).then_some(Role::Pawn))
}
