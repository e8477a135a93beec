//! The structure of a position: what pawns and cages prove about captures and promotions.

use shakmaty::{Bitboard, Board, ByColor, Color, Role, Square};

use super::{
    cages::Cages,
    pawn_captures::{Crossings, Losses},
    pawns,
    side_view::Camp,
};

/// A position's men, as far as they tell how they can have come where they stand.
#[derive(Clone, Debug)]
pub struct Structure {
    camps: [Camp; 2],
    /// The game began in the standard array; otherwise from another array of Chess960.
    standard_array: bool,
}

/// Pawns that have made more captures than there are men missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawnCaptures {
    /// Whose pawns.
    pub color: Color,
    /// How many captures they have made at least.
    pub needed: u32,
    /// How many men the other side has lost.
    pub missing: u32,
    /// How many of these died on squares that no pawn of this side can have captured on.
    pub died_at_home: u32,
}

/// Pawns and promoted men that cannot have got past the enemy's pawns with so few captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passages {
    /// Whose pawns.
    pub color: Color,
    /// How many of its pawns, promoted ones included, have no enemy pawn ahead of them on their file.
    pub unopposed: u32,
    /// How many there can be.
    pub most: u32,
}

/// More pawns and promoted men than pawns to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promotions {
    /// Whose.
    pub color: Color,
    /// Its pawns.
    pub pawns: u32,
    /// Its men that are promoted pawns at least.
    pub promoted: u32,
}

/// Captures and promotions, by the side that makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelCounts {
    /// How many captures it has made.
    pub captures: ByColor<u32>,
    /// How many of its men are promoted pawns, at least.
    pub promoted: ByColor<u32>,
}

impl Structure {
    /// The structure of `board`; `unmoved` are kings and rooks that hold a castling right.
    pub fn new(board: &Board, unmoved: Bitboard, standard_array: bool) -> Structure {
        Structure { camps: Color::ALL.map(|color| Camp::new(board, unmoved, color)), standard_array }
    }

    /// Each side's camp, and the other one.
    fn sides(&self) -> [(&Camp, &Camp); 2] {
        let [one, other] = &self.camps;
        [(one, other), (other, one)]
    }

    fn cages(&self) -> [Cages; 2] {
        self.sides().map(|(own, other)| Cages::new(*own, other))
    }

    /// Pawns of a side that can have come to where they stand by no captures at all: as few of them as show it.
    pub fn impossible_pawns(&self) -> Option<(Color, Bitboard)> {
        let camp = self.camps.iter().find(|camp| pawns::captures_needed(camp.pawns()).is_none())?;
        let mut few = camp.pawns();
        for pawn in camp.pawns() {
            if pawns::captures_needed(few.without(pawn)).is_none() {
                few.discard(pawn);
            }
        }
        Some((camp.color, few.into_iter().map(|pawn| camp.square(pawn)).collect()))
    }

    /// A side whose pawns have made more captures than the other side has lost men.
    ///
    /// A home bishop that two unmoved pawns lock and that is missing died where it stood: there only a pawn that promotes at once
    /// could have taken it, and that one does not count among the pawns, so that it is no victim of theirs.
    pub fn pawn_captures(&self) -> Option<PawnCaptures> {
        self.sides().into_iter().find_map(|(own, other)| {
            let needed = pawns::captures_needed(own.pawns())?;
            let missing = 16u32.saturating_sub(other.count());
            let died_at_home = if self.standard_array { other.bishops_dead_at_home() } else { 0 };
            (needed + died_at_home > missing).then_some(PawnCaptures { color: own.color, needed, missing, died_at_home })
        })
    }

    /// A side of which more pawns have got past the enemy's pawns than captures allow.
    ///
    /// A pawn is opposed when an enemy pawn stands ahead of it on its file. Let U be the pawns of a side, those that have been
    /// promoted included, less the files on which one of them is opposed. In the beginning all eight are opposed, and U is 0. Moves
    /// without capture never raise U: a pawn that is opposed stays so until one of the two leaves the file. A capture raises U by
    /// one at most, or by two when a pawn takes a pawn (its own file is left, the victim's file loses its opposition). So U is
    /// never greater than all captures, plus the enemy's pawns that have been captured as pawns; and these are no more than
    /// the eight that there were, less those that are left, less those that have been promoted. (Tromp's legality filter.)
    pub fn passages(&self) -> Option<Passages> {
        let promoted = self.promoted();
        let captures: u32 = self.camps.iter().map(|camp| 16u32.saturating_sub(camp.count())).sum();
        self.sides().into_iter().zip([(0, 1), (1, 0)]).find_map(|((own, other), (ours, theirs))| {
            let (pawns, enemies) = (own.pawns(), other.pawns().flip_vertical());
            let opposed = (0..8).filter(|file| {
                let on_file = Bitboard(0x0101_0101_0101_0101 << file);
                match ((pawns & on_file).first(), (enemies & on_file).last()) {
                    (Some(pawn), Some(enemy)) => pawn < enemy,
                    _ => false,
                }
            });
            let unopposed = pawns.count() as u32 + promoted[ours] - opposed.count() as u32;
            let most = (8u32.saturating_sub(enemies.count() as u32 + promoted[theirs])) + captures;
            (unopposed > most).then_some(Passages { color: own.color, unopposed, most })
        })
    }

    /// A man that can neither have come from its home nor been promoted. Only for games that begin in the standard array.
    pub fn caged_man(&self) -> Option<(Color, Role, Square)> {
        if !self.standard_array {
            return None;
        }
        self.cages()
            .iter()
            .zip(&self.camps)
            .find_map(|(cages, camp)| cages.caged_man().map(|(role, square)| (camp.color, role, camp.square(square))))
    }

    /// A side whose king cannot have come to where it stands. Only for games that begin in the standard array.
    pub fn caged_king(&self) -> Option<Color> {
        if !self.standard_array {
            return None;
        }
        self.cages().iter().zip(&self.camps).find_map(|(cages, camp)| cages.king_is_caged().then_some(camp.color))
    }

    /// A side with more pawns and promoted men than pawns to begin with.
    pub fn too_many_promotions(&self) -> Option<Promotions> {
        self.promoted().into_iter().zip(&self.camps).find_map(|(promoted, camp)| {
            let pawns = camp.pawns().count() as u32;
            (pawns + promoted > 8).then_some(Promotions { color: camp.color, pawns, promoted })
        })
    }

    /// The least number of promoted men of each side.
    fn promoted(&self) -> [u32; 2] {
        if self.standard_array {
            return self.cages().map(|cages| cages.promoted());
        }
        [0, 1].map(|side| {
            let camp = &self.camps[side];
            let beyond = |men: Bitboard, originals: u32| (men.count() as u32).saturating_sub(originals);
            let bishops = camp.of(Role::Bishop);
            beyond(camp.of(Role::Queen), 1)
                + beyond(camp.of(Role::Rook), 2)
                + beyond(camp.of(Role::Knight), 2)
                + beyond(bishops & Bitboard::LIGHT_SQUARES, 1)
                + beyond(bishops & Bitboard::DARK_SQUARES, 1)
        })
    }

    /// The captures and promotions of a position whose pawns and promoted men they do not explain, however the pawns crossed.
    pub fn no_kernel(&self) -> Option<KernelCounts> {
        let lost = |camp: &Camp| 16u32.saturating_sub(camp.count());
        let by_color = |of: [u32; 2]| {
            ByColor::new_with(|color| self.camps.iter().zip(of).filter(|(camp, _)| camp.color == color).map(|(_, of)| of).sum())
        };
        let promoted = by_color(self.promoted());
        let camp = |color: Color| self.camps.iter().find(|camp| camp.color == color);
        let (white, black) = (camp(Color::White)?, camp(Color::Black)?);
        let losses = |camp: &Camp| Losses {
            missing: lost(camp),
            died_at_home: if self.standard_array { camp.bishops_dead_at_home() } else { 0 },
            promoted: *promoted.get(camp.color),
        };
        let crossings = Crossings::new((white, losses(white)), (black, losses(black)));
        let counts = || KernelCounts { captures: ByColor { white: lost(black), black: lost(white) }, promoted };
        crossings.are_impossible().then(counts)
    }

    /// Who is to move, where only knights and rooks can have moved: with all men on the board and all pawns at home.
    ///
    /// Bishops, queens and kings are then locked in, a knight changes the colour of its square with every move, and a rook goes
    /// between its corner and the square beside it. So the parity of a side's knights on light squares plus its rooks beside
    /// their corners tells the parity of its moves: they are the same for both sides when White is to move.
    pub fn turn_by_tempo(&self) -> Option<Color> {
        let untouched =
            self.standard_array && self.camps.iter().all(|camp| camp.count() == 16 && camp.pawns_at_home().count() == 8);
        if !untouched {
            return None;
        }
        let [one, other] = [0, 1].map(|side| {
            let camp = &self.camps[side];
            let beside = camp.of(Role::Rook) & Bitboard(1 << 1 | 1 << 6);
            ((camp.of(Role::Knight) & Bitboard::LIGHT_SQUARES).count() + beside.count()) % 2
        });
        Some(if one == other { Color::White } else { Color::Black })
    }

    /// Whether anything of this speaks against the position, who is to move apart.
    pub fn is_impossible(&self) -> bool {
        self.impossible_pawns().is_some()
            || self.pawn_captures().is_some()
            || self.too_many_promotions().is_some()
            || self.passages().is_some()
            || self.caged_man().is_some()
            || self.caged_king().is_some()
            || self.no_kernel().is_some()
    }
}
