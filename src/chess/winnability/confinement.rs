//! Where pieces can ever get to, whatever is played.
//!
//! In a blocked position, pawns stop each other and shut pieces in. All squares that a piece can
//! ever reach are collected from above: a piece may pass a square unless a piece that can never
//! move or be captured is on it, and a king may pass it unless such a piece attacks it. Turns, pins
//! and other checks are ignored. So no sequence of legal moves leaves these squares. If the pieces
//! of a side cannot checkmate on any square that the other king can reach, the position is proven
//! unwinnable.

use shakmaty::{Color, Role, Square, attacks};

use super::{
    position::{SearchPosition, each},
    steps::{BACK_RANKS, flood, pawn_attacks, promoted_steps, steps_of},
};

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// A piece and the squares that it can ever reach.
#[derive(Clone, Copy, Debug)]
struct Roamer {
    color: Color,
    kind: Role,
    home: u64,
    reached: u64,
}

/// The black pawns that a white pawn blocks, and that block it.
pub(super) fn rammed(position: &SearchPosition) -> u64 {
    let [white, black] = position.side.map(|side| side & position.pawns);
    white << 8 & black
}

/// The number of pairs of pawns that block each other.
pub(super) fn rams(position: &SearchPosition) -> u32 {
    rammed(position).count_ones()
}

/// Whether two pawns block each other. Otherwise hardly anything is confined.
pub(super) fn has_rams(position: &SearchPosition) -> bool {
    rams(position) > 0
}

/// Maximum number of pieces in a position that is examined.
const MAX_PIECES: usize = 32;

/// Where the pieces of a position can ever get to.
#[derive(Debug)]
pub(super) struct Confinement {
    roamers: [Roamer; MAX_PIECES],
    count: usize,
    /// How many of them, at the start of the list, are pawns.
    pawns: usize,
    /// The squares that a promoted piece of White and Black can reach.
    promoted: [u64; 2],
}

impl Confinement {
    /// `None` if a pawn may capture en passant, or if a pawn of `winner` can promote.
    pub fn of(position: &SearchPosition, winner: Color) -> Option<Confinement> {
        if position.en_passant.is_some() {
            return None;
        }
        if position.occupied().count_ones() as usize > MAX_PIECES {
            return None;
        }
        let nobody = Roamer { color: Color::White, kind: Role::King, home: 0, reached: 0 };
        let mut found = Confinement {
            roamers: [nobody; MAX_PIECES],
            count: 0,
            pawns: position.pawns.count_ones() as usize,
            promoted: [0; 2],
        };
        // Pawns come first.
        for at in each(position.pawns).chain(each(position.occupied() & !position.pawns)) {
            let bit = 1_u64 << at as u32;
            let color = Color::from_white(position.side[0] & bit != 0);
            let kind = position.kind(bit);
            found.roamers[found.count] = Roamer { color, kind, home: bit, reached: bit };
            found.count += 1;
        }
        if position.rights != 0 {
            // Castling takes the king and a rook anywhere on their back rank.
            for roamer in &mut found.roamers[..found.count] {
                if matches!(roamer.kind, Role::King | Role::Rook) {
                    roamer.reached |= BACK_RANKS & roamer.color.fold_wb(0xFF, !0xFF);
                }
            }
        }
        found.spread(position, winner).then_some(found)
    }

    /// Adds squares until nothing changes. Returns `false` if a pawn of `winner` promotes.
    fn spread(&mut self, position: &SearchPosition, winner: Color) -> bool {
        let occupied = position.occupied();
        // Pieces that can be captured where they are.
        let mut capturable = 0_u64;
        loop {
            let before = (self.promoted, capturable);
            let mut grown = false;
            let roamers = &self.roamers[..self.count];
            // Pieces that never leave their squares.
            let moved = roamers.iter().filter(|roamer| roamer.reached != roamer.home).fold(0, |all, roamer| all | roamer.home);
            let fixed = occupied & !moved & !capturable;
            // Where each side has a piece that can be captured, where it can capture, and what its
            // fixed pieces attack.
            let (mut targets, mut attacked, mut guarded) = (self.promoted, self.promoted, [0_u64; 2]);
            for roamer in roamers {
                let side = roamer.color as usize ^ 1;
                if roamer.kind != Role::King {
                    targets[side] |= roamer.reached;
                }
                attacked[side] |= match roamer.kind {
                    Role::Pawn => pawn_attacks(roamer.color, roamer.reached),
                    _ => roamer.reached,
                };
                if roamer.home & fixed != 0 {
                    guarded[side] |= steps_of(roamer.kind, roamer.color, roamer.home);
                }
            }
            for index in 0..self.count {
                let Roamer { color, kind, reached, .. } = self.roamers[index];
                let side = color as usize ^ 1;
                let kings = 1_u64 << position.king(!color) as u32;
                // Own fixed pieces are in the way. Others can be captured, except for the king.
                let open = !(fixed & (position.of(color) | kings));
                let mut next = reached;
                match kind {
                    Role::Pawn => {
                        let before_promotion = reached;
                        let ahead = color.fold_wb(before_promotion << 8, before_promotion >> 8);
                        let captures = pawn_attacks(color, before_promotion) & targets[side ^ 1];
                        next |= (ahead & !fixed & !self.behind_opponents(index, &targets, &attacked)) | captures;
                        capturable |= captures & occupied & position.of(!color);
                        if next & BACK_RANKS != 0 {
                            if color == winner {
                                return false;
                            }
                            self.promoted[side] |= next & BACK_RANKS;
                        }
                    }
                    _ => {
                        let open = if kind == Role::King { open & !guarded[side ^ 1] } else { open };
                        next = flood(next, open, |from| steps_of(kind, color, from));
                        capturable |= next & position.of(!color) & !kings;
                    }
                }
                if next != reached {
                    self.roamers[index].reached = next;
                    grown = true;
                }
            }
            for color in Color::ALL {
                let side = color as usize ^ 1;
                let kings = 1_u64 << position.king(!color) as u32;
                let open = !(fixed & (position.of(color) | kings));
                if self.promoted[side] != 0 {
                    let next = flood(self.promoted[side], open, promoted_steps);
                    capturable |= next & position.of(!color) & !kings;
                    self.promoted[side] = next;
                }
            }
            if !grown && before == (self.promoted, capturable) {
                return true;
            }
        }
    }

    /// The squares of its file that the pawn `index` can never reach, because a pawn of the other
    /// side that never leaves the file and is never captured comes from there. `targets` are the
    /// squares on which each side can be captured, and `attacked` are those on which it can
    /// capture.
    #[inline(always)]
    fn behind_opponents(&self, index: usize, targets: &[u64; 2], attacked: &[u64; 2]) -> u64 {
        let pawn = self.roamers[index];
        let other_side = pawn.color as usize;
        let file = A_FILE << (pawn.home.trailing_zeros() & 7);
        // A pawn that leaves its file may come back behind all others.
        if pawn_attacks(pawn.color, pawn.reached & !file) & targets[other_side] & file != 0 {
            return 0;
        }
        let ahead = pawn.color.fold_wb(!(pawn.home | (pawn.home - 1)), pawn.home - 1) & file;
        let opponents = self.roamers[..self.pawns].iter().filter(|other| {
            other.color != pawn.color
                && other.home & ahead != 0
                && other.reached & (!file | attacked[pawn.color as usize ^ 1]) == 0
        });
        file & opponents.fold(0, |behind, other| behind | pawn.color.fold_wb(!(other.home - 1), other.home | (other.home - 1)))
    }

    /// Whether `winner` can never checkmate.
    pub fn is_unwinnable(&self, winner: Color) -> bool {
        let roamers = &self.roamers[..self.count];
        let (mut checks, mut cover, mut region) = (0_u64, 0_u64, 0_u64);
        for roamer in roamers {
            match (roamer.color == winner, roamer.kind) {
                (true, Role::King) => cover |= steps_of(Role::King, winner, roamer.reached),
                (true, kind) => checks |= steps_of(kind, winner, roamer.reached),
                (false, Role::King) => region = roamer.reached,
                (false, _) => {}
            }
        }
        cover |= checks;
        !each(region & checks).any(|king| self.may_be_mated(king, cover, winner))
    }

    /// Whether the king on `king` may be left without a move: each square next to it is attacked,
    /// or a piece of its own side is on it.
    fn may_be_mated(&self, king: Square, cover: u64, winner: Color) -> bool {
        let open = attacks::king_attacks(king).0 & !cover;
        if open == 0 || self.promoted[winner as usize] != 0 {
            return true;
        }
        let blockers = || {
            let others = self.roamers[..self.count].iter();
            others.filter(|roamer| roamer.color != winner && roamer.kind != Role::King && roamer.reached & open != 0)
        };
        let filled = blockers().fold(0, |filled, roamer| filled | roamer.reached);
        open & !filled == 0 && blockers().count() as u32 >= open.count_ones()
    }
}
