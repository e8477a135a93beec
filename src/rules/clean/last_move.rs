//! What the last move can have been. One is looked for that needs no thought: it leaves nobody in check, and in the position before it a man
//! of the other side can step back just as well.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::{
    Position,
    men::{Lines, Seen, attackers, double_step},
};
use crate::chess::Men;

/// Whether some last move fits the position, its en passant square and its halfmove clock.
#[inline]
pub(super) fn is_explained(position: &Position, seen: &Seen) -> bool {
    if let Some(target) = position.en_passant {
        return double_step(position.turn, target).is_some_and(|(pawn, origin)| {
            let before = position.men.moved(pawn, origin);
            is_free(&before, position.turn, seen)
        });
    }
    match position.counters {
        Some((0, _)) => zeroing_move_exists(position, seen),
        Some(_) => quiet_move_exists(position, seen),
        None => quiet_move_exists(position, seen) || zeroing_move_exists(position, seen),
    }
}

/// Whether a piece can have stepped to where it stands, capturing nothing.
#[inline]
fn quiet_move_exists(position: &Position, seen: &Seen) -> bool {
    if seen.checkers.is_empty() {
        return steps_back(&position.men, !position.turn, seen, &seen.lines.white, &seen.lines.black);
    }
    checker_steps(position, seen).is_some()
}

/// Whether a piece of `mover` that neither king sees has an empty square beside it from which it gives no check, where nobody is in check.
#[inline]
fn steps_back(men: &Men, mover: Color, seen: &Seen, white_sees: &Lines, black_sees: &Lines) -> bool {
    let occupied = men.occupied();
    let hidden = men.of(mover) & !(white_sees.all() | black_sees.all() | seen.unmoved);
    let theirs = if mover.is_white() { black_sees } else { white_sees };
    let king = *seen.kings.get(!mover);
    let free = !(occupied | theirs.all());
    let (straight, diagonal) = (hidden & men.straight(), hidden & men.diagonal());
    let beside = beside_straight(straight) | beside_diagonal(diagonal);
    if (beside & free).any() {
        return true;
    }
    let free = !(occupied | attacks::knight_attacks(king));
    if (hidden & men.knights).into_iter().any(|knight| (attacks::knight_attacks(knight) & free).any()) {
        return true;
    }
    king_steps_back(men, mover, seen, theirs)
}

/// The same for the king.
#[inline(never)]
fn king_steps_back(men: &Men, mover: Color, seen: &Seen, theirs: &Lines) -> bool {
    let (own, other) = (*seen.kings.get(mover), *seen.kings.get(!mover));
    let occupied = men.occupied();
    if seen.unmoved.contains(own) || theirs.all().contains(own) {
        return false;
    }
    let vacated = occupied.without(own);
    (attacks::king_attacks(own) & !occupied & !attacks::king_attacks(other))
        .into_iter()
        .any(|origin| attackers(men, origin, mover, Lines::from(origin, vacated)).is_empty())
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

/// Where the piece that gives check came from, if it came without being seen by its own king, and nobody else gives check without it.
#[inline(never)]
fn checker_steps(position: &Position, seen: &Seen) -> Option<(Square, Square)> {
    let men = &position.men;
    let mover = !position.turn;
    let checker = seen.checkers.single_square()?;
    let (own, king) = (*seen.kings.get(mover), *seen.kings.get(position.turn));
    if (seen.unmoved | men.pawns | seen.lines.get(mover).all()).contains(checker) {
        return None;
    }
    let occupied = men.occupied();
    let vacated = occupied.without(checker);
    let lines = Lines::from(king, vacated);
    if attackers(men, king, position.turn, lines) != seen.checkers {
        return None;
    }
    let (origins, seen_from) = match role(men, checker)? {
        Role::Knight => (attacks::knight_attacks(checker), attacks::knight_attacks(king)),
        Role::Bishop => (attacks::bishop_attacks(checker, occupied), lines.diagonal),
        Role::Rook => (attacks::rook_attacks(checker, occupied), lines.straight),
        Role::Queen => (attacks::queen_attacks(checker, occupied), lines.all()),
        Role::Pawn | Role::King => return None,
    };
    // Whatever the own king sees is better left: a man that goes there, or leaves it, may matter to it.
    let own_sees = Lines::from(own, occupied).all();
    let origin = (origins & !occupied & !seen_from & !own_sees).first()?;
    Some((checker, origin))
}

fn role(men: &Men, square: Square) -> Option<Role> {
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

/// Whether nobody is in check, and a piece of `mover` can step back.
fn is_free(men: &Men, mover: Color, seen: &Seen) -> bool {
    let occupied = men.occupied();
    let lines = seen.kings.map(|king| Lines::from(king, occupied));
    attackers(men, seen.kings.white, Color::White, lines.white).is_empty()
        && attackers(men, seen.kings.black, Color::Black, lines.black).is_empty()
        && steps_back(men, mover, seen, &lines.white, &lines.black)
}

/// Whether a pawn can have stepped to where it stands, or a man can have been captured.
#[inline(never)]
fn zeroing_move_exists(position: &Position, seen: &Seen) -> bool {
    let men = &position.men;
    let (turn, mover) = (position.turn, !position.turn);
    let occupied = men.occupied();
    let sees = seen.lines.white.all() | seen.lines.black.all();
    let back = if mover.is_white() { -8 } else { 8 };
    // A pawn has stepped; where there is a check it was the pawn's.
    let behind = men.pawns & men.of(mover) & !Bitboard::from_rank(mover.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh));
    let stepped = behind & !occupied.shift(-back);
    let stepped = if seen.checkers.is_empty() { stepped } else { stepped & seen.checkers };
    let likely = if (stepped & !sees).any() { stepped & !sees } else { stepped };
    for pawn in likely.into_iter().take(3) {
        if let Some(origin) = pawn.offset(back)
            && is_free(&men.moved(pawn, origin), turn, seen)
        {
            return true;
        }
    }
    // A man was captured.
    let (to, from) = if seen.checkers.is_empty() {
        let hidden = men.of(mover) & !(sees | seen.unmoved | men.pawns | men.kings);
        let theirs = seen.lines.get(turn).all();
        let king = *seen.kings.get(turn);
        let found = hidden.into_iter().find_map(|to| {
            let origins = match role(men, to)? {
                Role::Knight => attacks::knight_attacks(to) & !attacks::knight_attacks(king),
                Role::Bishop => attacks::bishop_attacks(to, occupied) & !theirs,
                Role::Rook => attacks::rook_attacks(to, occupied) & !theirs,
                _ => attacks::queen_attacks(to, occupied) & !theirs,
            };
            Some((to, (origins & !occupied).first()?))
        });
        match found {
            Some(found) => found,
            None => return false,
        }
    } else {
        match checker_steps(position, seen) {
            Some(found) => found,
            None => return false,
        }
    };
    let Some(victim) = victim(men, turn, seen.promoted) else { return false };
    is_free(&men.moved(to, from).with(to, turn, victim), turn, seen)
}

/// A man that `color` can have lost on any square, last of all.
fn victim(men: &Men, color: Color, promoted: bool) -> Option<Role> {
    let own = men.of(color);
    let several = |men: Bitboard| (men & own).more_than_one();
    if men.number(color) >= 16 {
        None
    } else if !several(men.knights) || (men.number_of_pawns(color) < 8 && !promoted) {
        Some(Role::Knight)
    } else if !several(men.rooks) {
        Some(Role::Rook)
    } else if (men.queens & own).is_empty() {
        Some(Role::Queen)
    } else {
        None
    }
}
