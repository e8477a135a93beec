//! What a glance at a position shows about a written move: whether it may be possible.

use shakmaty::{File, Rank, Role};

use super::{
    Board, Snapshot,
    square_tables::{FILE_A, Movement, RANK_1},
};
use crate::chess::WrittenMove;

/// The origins that a written move allows.
#[inline(always)]
pub(super) fn origins(file: Option<File>, rank: Option<Rank>) -> u64 {
    let of_file = file.map_or(u64::MAX, |file| FILE_A << file as u32);
    of_file & rank.map_or(u64::MAX, |rank| RANK_1 << (8 * rank as u32))
}

impl Snapshot {
    /// The pawns of Black (`black`) or White.
    pub fn pawns(&self, black: bool) -> u64 {
        self.of_kind(Role::Pawn, black)
    }

    /// The pieces of a kind of Black (`black`) or White.
    fn of_kind(&self, role: Role, black: bool) -> u64 {
        self.pieces[usize::from(black)][role as usize & 7]
    }

    /// Whether Black (`black`) or White may be able to play what is written, according to the
    /// squares of the pieces. If in doubt, `true`.
    pub fn may_play(&self, what: WrittenMove, black: bool) -> bool {
        match what {
            WrittenMove::Normal { role, file, rank, to, .. } => {
                let side = usize::from(black);
                let captures = file.is_some_and(|file| file != to.file());
                let (movement, to) = (Movement::of_mover(role as u8, side, captures), usize::from(to));
                self.side[side] >> to & 1 == 0 && self.of_kind(role, black) & movement.to(to) & origins(file, rank) != 0
            }
            WrittenMove::Coordinates { from, .. } => self.side[usize::from(black)] >> usize::from(from) & 1 != 0,
            WrittenMove::Castle(_) => true,
            WrittenMove::Null | WrittenMove::Drop { .. } => false,
        }
    }

    /// Whether Black (`black`) or White may be able to play what is written after one move by the
    /// other side. If in doubt, `true`.
    pub fn may_play_later(&self, what: WrittenMove, black: bool, rights: u8) -> bool {
        let side = usize::from(black);
        match what {
            WrittenMove::Normal { role: Role::Pawn, file, to, .. } => {
                let pawns = self.of_kind(Role::Pawn, black);
                let at = usize::from(to);
                match file {
                    Some(file) if file != to.file() => Movement::CAPTURE[side].to(at) & pawns & FILE_A << file as u32 != 0,
                    _ => {
                        // From any rank, as two squares back are not always two squares forward.
                        let (one, two) = if black { (1 << at << 8, 1 << at << 16) } else { (1_u64 << at >> 8, 1 << at >> 16) };
                        pawns & (one | two) != 0
                    }
                }
            }
            WrittenMove::Normal { role, file, rank, to, .. } => {
                Movement::of(role as u8).to(usize::from(to)) & self.of_kind(role, black) & origins(file, rank) != 0
            }
            WrittenMove::Castle(_) => rights >> (2 * side) & 3 != 0,
            WrittenMove::Coordinates { from, .. } => self.side[side] >> usize::from(from) & 1 != 0,
            WrittenMove::Null | WrittenMove::Drop { .. } => false,
        }
    }
}

impl Board {
    /// The castling rights `KQkq` in an earlier position, one bit each, `K` lowest.
    pub fn rights_in(&self, earlier: &Snapshot) -> u8 {
        self.rights_of(earlier.unmoved)
    }
}
