//! What the last move can have been. One is looked for that needs no thought: it leaves nobody in check, and in the position before it a man
//! of the other side can step back just as well.

use shakmaty::{Bitboard, ByColor, Color, Rank, Role, Square, attacks};

use super::{
    Position,
    men::{Lines, Seen, attackers, double_step},
    structure,
};
use crate::chess::Men;

/// Whether some last move fits the position, its en passant square and its halfmove clock.
#[inline]
pub(super) fn is_explained(position: &Position, seen: &Seen) -> bool {
    if let Some(target) = position.en_passant {
        return double_step(position.turn, target)
            .is_some_and(|(pawn, origin)| can_be_before(position, position.men.moved(pawn, origin), seen, seen.promoted));
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
    let men = &position.men;
    if seen.checkers.is_empty() {
        // Men of both sides that neither king sees, and squares for them that are not the same: one move does not hinder the other.
        let (white, black) = (origins(men, Color::White, seen, &seen.lines), origins(men, Color::Black, seen, &seen.lines));
        if white.any() & black.any() & (white | black).more_than_one() {
            return true;
        }
    }
    step(position, seen).is_some_and(|(to, from)| is_free(&men.moved(to, from), position.turn, &seen.with_king_moved(to, from)))
}

/// A step that can have been the last move: where a piece went to, and where it came from.
#[inline(never)]
fn step(position: &Position, seen: &Seen) -> Option<(Square, Square)> {
    let (men, mover) = (&position.men, !position.turn);
    if seen.checkers.any() {
        return checker_step(position, seen);
    }
    let occupied = men.occupied();
    let theirs = seen.lines.get(position.turn).all();
    let king = *seen.kings.get(position.turn);
    let pieces = hidden(men, mover, seen, &seen.lines).into_iter().find_map(|to| {
        let origins = match role(men, to)? {
            Role::Knight => attacks::knight_attacks(to) & !attacks::knight_attacks(king),
            Role::Bishop => attacks::bishop_attacks(to, occupied) & !theirs,
            Role::Rook => attacks::rook_attacks(to, occupied) & !theirs,
            _ => attacks::queen_attacks(to, occupied) & !theirs,
        };
        Some((to, (origins & !occupied).first()?))
    });
    pieces.or_else(|| Some((*seen.kings.get(mover), king_step(men, mover, seen, &seen.lines)?)))
}

/// The pieces of `mover`, but for the king, that have moved perhaps and that neither king sees.
#[inline]
fn hidden(men: &Men, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> Bitboard {
    men.of(mover) & !(men.pawns | men.kings | lines.white.all() | lines.black.all() | seen.unmoved)
}

/// Squares from which such pieces can have come without having given check.
#[inline]
fn origins(men: &Men, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> Bitboard {
    let hidden = hidden(men, mover, seen, lines);
    let king = *seen.kings.get(!mover);
    let beside = beside_straight(hidden & men.straight()) | beside_diagonal(hidden & men.diagonal());
    let jumps = jumps(hidden & men.knights) & !attacks::knight_attacks(king);
    ((beside & !lines.get(!mover).all()) | jumps) & !men.occupied()
}

/// Whether a piece of `mover` can have stepped to where it stands; nobody is in check.
fn steps_back(men: &Men, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> bool {
    origins(men, mover, seen, lines).any() || king_step(men, mover, seen, lines).is_some()
}

/// From where the king of `mover` can have come, if the other king does not see it.
#[inline(never)]
fn king_step(men: &Men, mover: Color, seen: &Seen, lines: &ByColor<Lines>) -> Option<Square> {
    let (own, other) = (*seen.kings.get(mover), *seen.kings.get(!mover));
    let occupied = men.occupied();
    if seen.unmoved.contains(own) || lines.get(!mover).all().contains(own) {
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

/// Where the piece that gives check came from, if it came without being seen by its own king, and nobody else gives check without it.
#[inline(never)]
fn checker_step(position: &Position, seen: &Seen) -> Option<(Square, Square)> {
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
        && steps_back(men, mover, seen, &lines)
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
    let behind = men.pawns & men.of(mover) & !Bitboard::from_rank(mover.fold_wb(Rank::Second, Rank::Seventh));
    let stepped = behind & !occupied.shift(-back);
    let stepped = if seen.checkers.is_empty() { stepped } else { stepped & seen.checkers };
    let likely = if (stepped & !sees).any() { stepped & !sees } else { stepped };
    for pawn in likely.into_iter().take(3) {
        if let Some(origin) = pawn.offset(back)
            && can_be_before(position, men.moved(pawn, origin), seen, seen.promoted)
        {
            return true;
        }
    }
    // A man was captured.
    let Some((to, from)) = step(position, seen) else { return false };
    let Some(victim) = victim(men, turn, seen.promoted) else { return false };
    let beyond = victim == Role::Knight && (men.knights & men.of(turn)).more_than_one();
    let before = men.moved(to, from).with(to, turn, victim);
    can_be_before(position, before, &seen.with_king_moved(to, from), seen.promoted | beyond)
}

/// Whether `men` can have stood so before the last move, which changed the structure.
fn can_be_before(position: &Position, men: Men, seen: &Seen, promoted: bool) -> bool {
    is_free(&men, position.turn, seen) && structure::is_sound(&Position { men, ..*position }, promoted)
}

/// A man that `color` can have lost on any square, last of all.
fn victim(men: &Men, color: Color, promoted: bool) -> Option<Role> {
    let own = men.of(color);
    let several = |men: Bitboard| (men & own).more_than_one();
    if men.number(color) >= 16 {
        None
    } else if !several(men.knights) {
        Some(Role::Knight)
    } else if !several(men.rooks) {
        Some(Role::Rook)
    } else if (men.queens & own).is_empty() {
        Some(Role::Queen)
    } else {
        // A knight that a pawn has become.
        (men.number_of_pawns(color) < 8 && !promoted).then_some(Role::Knight)
    }
}
