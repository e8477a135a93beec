//! What pawns and cages prove about the captures and promotions before a position.

use std::cell::OnceCell;

use shakmaty::{Bitboard, Board, ByColor, Color, Rank, Role, Square};

use super::{
    HomeRank, StartingRanks,
    cages::{Cages, east, west},
    kernel::{Effort, Kernel},
    pawn_captures::{PawnCaptureFlow, Reachability},
    pawns,
    promoted_kinds::{ByKind, PromotedKind, total},
    promotion::{Obstacles, PromotionFiles},
    side_limits::{Losses, SideLimits},
    side_view::SideView,
};

/// The pieces of a position, as evidence of how they reached their squares.
#[derive(Clone, Debug)]
pub struct Structure {
    views: [SideView; 2],
    /// The cages of each side, if it is known where its pieces began.
    cages: [Option<Cages>; 2],
    effort: Effort,
    /// Whether captures explain the position, once that was asked.
    explanation: OnceCell<Reachability>,
}

/// Pawns that have made more captures than there are missing pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawnCaptures {
    /// The side of the pawns.
    pub color: Color,
    /// Minimum number of captures that they have made.
    pub needed: u32,
    /// How many pieces the other side has lost.
    pub missing: u32,
    /// How many of the lost pieces are bishops that were captured on their home squares, where no
    /// pawn of this side can have captured them.
    pub captured_at_home: u32,
    /// Home squares of those bishops.
    pub homes: Bitboard,
}

/// More passed pawns and promoted pieces than the number of captures allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedPawns {
    /// The side of the pawns.
    pub color: Color,
    /// How many of its pawns, promoted ones included, have no enemy pawn in front of them on their
    /// file.
    pub unopposed: u32,
    /// Maximum number that the captures allow.
    pub max: u32,
}

/// More pawns and promoted pieces than the eight pawns at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promotions {
    /// The side.
    pub color: Color,
    /// How many pawns it has.
    pub pawns: u32,
    /// Minimum number of its pieces that are promoted.
    pub promoted: u32,
}

/// A promoted piece that no pawn can have become, because of pieces that have not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarredPromotion {
    /// The side of the piece.
    pub color: Color,
    /// The kind of the piece.
    pub kind: PromotedKind,
    /// The pieces of this kind that may be the promoted one.
    pub pieces: Bitboard,
    /// The pieces that have not moved, and on the last two ranks are in the way of the pawns.
    pub unmoved: Bitboard,
    /// The squares from which a pawn would have checked `king`.
    pub checks: Bitboard,
    /// The king that has not moved, if it matters.
    pub king: Option<Square>,
    /// The squares on which a pawn can have been promoted, but from which the piece cannot have
    /// come to its square.
    pub shut_in: Bitboard,
}

/// What shows that no captures and promotions lead to a position. Each argument includes those
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// How many pawns change files and are promoted.
    Numbers,
    /// The order of captures.
    Order,
    /// The ranks on which pawns capture.
    Ranks,
    /// The colours of squares: one of the captures would have taken this bishop, which is missing,
    /// on a square of the other colour.
    Colors(Color, PromotedKind),
}

/// Captures and promotions, by the side that made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureCounts {
    /// What excludes them.
    pub argument: Argument,
    /// Number of captures.
    pub captures: ByColor<u32>,
    /// Minimum number of promoted pieces.
    pub promoted: ByColor<u32>,
    /// Squares from which its pawns would have checked a king that has not moved, and so were not
    /// promoted.
    pub barred: ByColor<Bitboard>,
}

impl Structure {
    /// The structure of `board`. `unmoved` are kings and rooks that have a castling right, `start`
    /// is what is known about the starting position.
    pub fn new(board: &Board, unmoved: Bitboard, start: &StartingRanks) -> Structure {
        let views = Color::ALL.map(|color| SideView::new(board, unmoved, color, *start.get(color)));
        let [one, other] = &views;
        let cages = [Cages::new(*one, other), Cages::new(*other, one)];
        Structure { views, cages, effort: Effort::Quick, explanation: OnceCell::new() }
    }

    /// The same, with this effort in searches.
    pub fn with_effort(self, effort: Effort) -> Structure {
        Structure { effort, explanation: OnceCell::new(), ..self }
    }

    /// The view of each side, with that of the other one.
    fn sides(&self) -> [(&SideView, &SideView); 2] {
        let [one, other] = &self.views;
        [(one, other), (other, one)]
    }

    /// A minimal set of pawns of one side that no captures can bring to their squares.
    pub fn impossible_pawns(&self) -> Option<(Color, Bitboard)> {
        let view = self.views.iter().find(|view| pawns::captures_needed(view.pawns()).is_none())?;
        let mut minimal = view.pawns();
        for pawn in view.pawns() {
            if pawns::captures_needed(minimal.without(pawn)).is_none() {
                minimal.discard(pawn);
            }
        }
        Some((view.color, minimal.into_iter().map(|pawn| view.square(pawn)).collect()))
    }

    /// The minimum number of captures by the pawns of each side. `None` if no captures can bring
    /// them to their squares.
    fn captures_needed(&self) -> Option<[u32; 2]> {
        let [one, other] = &self.views;
        pawns::captures_needed(one.pawns()).zip(pawns::captures_needed(other.pawns())).map(<[u32; 2]>::from)
    }

    /// A side whose pawns have made more captures than the other side has lost pieces.
    ///
    /// A home bishop that is locked in by two unmoved pawns and missing was captured at home. Among
    /// pawns, only one that promotes with that capture can have done this. It is then no longer one
    /// of the pawns, so this bishop is not a victim of theirs.
    pub fn pawn_captures(&self) -> Option<PawnCaptures> {
        self.sides().into_iter().find_map(|(own, other)| {
            let needed = pawns::captures_needed(own.pawns())?;
            Structure::excess_captures(own, other, needed)
        })
    }

    /// The captures by the pawns of `own`, of which they `needed` so many, if these are too many.
    fn excess_captures(own: &SideView, other: &SideView, needed: u32) -> Option<PawnCaptures> {
        let missing = lost(other);
        let homes: Bitboard = other.homes_of_captured_bishops().map(|home| other.square(home)).collect();
        let captured_at_home = homes.count() as u32;
        let captures = PawnCaptures { color: own.color, needed, missing, captured_at_home, homes };
        (needed + captured_at_home > missing).then_some(captures)
    }

    /// A side with more unopposed pawns than the captures allow.
    ///
    /// A pawn is opposed if an enemy pawn is in front of it on its file. Let U be the number of
    /// pawns of a side, promoted ones included, minus the number of files on which one of them is
    /// opposed. At the start all eight are opposed, and U is 0. Moves without captures never raise
    /// U: an opposed pawn stays opposed until one of the two leaves the file. A capture raises U by
    /// at max one, or by two if a pawn captures a pawn: it leaves its own file, and the captured
    /// pawn no longer opposes. So U is at max the number of all captures plus the number of enemy
    /// pawns that were captured as pawns. The latter is at max eight, minus those on the board,
    /// minus those that were promoted. (Tromp's legality filter.)
    pub fn passed_pawns(&self) -> Option<PassedPawns> {
        self.passed_pawns_with(self.promoted())
    }

    /// The same, if so many pieces of each side are promoted.
    fn passed_pawns_with(&self, promoted: [ByKind; 2]) -> Option<PassedPawns> {
        let captures: u32 = self.views.iter().map(lost).sum();
        let promoted = promoted.map(total);
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
            let max = (8u32.saturating_sub(enemies.count() as u32 + promoted[theirs])) + captures;
            (unopposed > max).then_some(PassedPawns { color: own.color, unopposed, max })
        })
    }

    /// A piece that can have come neither from its home nor from a promotion square.
    pub fn caged_piece(&self) -> Option<(Color, Role, Square)> {
        self.cages.iter().zip(&self.views).find_map(|(cages, view)| {
            let caged = match cages {
                Some(cages) => cages.caged_piece(),
                None => [Role::Bishop, Role::Rook, Role::Queen]
                    .into_iter()
                    .find_map(|role| Some((role, (view.of(role) & view.locked_out()).first()?))),
            };
            caged.map(|(role, square)| (view.color, role, view.square(square)))
        })
    }

    /// A side whose king cannot have reached its square.
    pub fn caged_king(&self) -> Option<Color> {
        self.cages.iter().zip(&self.views).find_map(|(cages, view)| {
            let is_caged =
                cages.as_ref().map_or_else(|| (view.of(Role::King) & view.locked_out()).any(), |cages| cages.king_is_caged());
            is_caged.then_some(view.color)
        })
    }

    /// A side with more pawns and promoted pieces than the eight pawns at the start.
    pub fn too_many_promotions(&self) -> Option<Promotions> {
        self.too_many_promotions_with(self.promoted())
    }

    /// The same, if so many pieces of each side are promoted.
    fn too_many_promotions_with(&self, promoted: [ByKind; 2]) -> Option<Promotions> {
        promoted.map(total).into_iter().zip(&self.views).find_map(|(promoted, view)| {
            let pawns = view.pawns().count() as u32;
            (pawns + promoted > 8).then_some(Promotions { color: view.color, pawns, promoted })
        })
    }

    /// The minimum number of promoted pieces of each side.
    fn promoted(&self) -> [ByKind; 2] {
        [0, 1].map(|side| {
            if let Some(cages) = &self.cages[side] {
                return cages.promoted();
            }
            let view = &self.views[side];
            PromotedKind::ALL.map(|kind| {
                let pieces = view.of(kind.role()) & kind.squares(view.color);
                (pieces.count() as u32).saturating_sub(kind.at_start()) as u8
            })
        })
    }

    /// Pieces that may be promoted; only the promoted ones if they are known.
    pub fn promotion_candidates(&self, color: Color) -> Bitboard {
        let sides = self.cages.iter().zip(&self.views).filter(|(_, view)| view.color == color);
        let candidates = sides.flat_map(|(cages, view)| {
            let candidates = cages.as_ref().map_or(Bitboard::EMPTY, |cages| cages.promotion_candidates());
            candidates.into_iter().map(|square| view.square(square))
        });
        candidates.collect()
    }

    /// The captures and promotions, if they cannot explain the pawns and promoted pieces in any
    /// way.
    pub fn unexplained_captures(&self) -> Option<CaptureCounts> {
        let promoted = self.promoted();
        let [white, black] = [Color::White, Color::Black].map(|color| self.side(color));
        let barred = |side: usize| -> Bitboard {
            let (own, other) = self.sides()[side];
            Obstacles::of(other).checks.into_iter().map(|square| own.square(square)).collect()
        };
        let counts = || CaptureCounts {
            argument: self.argument(promoted),
            barred: ByColor { white: barred(white), black: barred(black) },
            captures: ByColor { white: lost(&self.views[black]), black: lost(&self.views[white]) },
            promoted: ByColor { white: total(promoted[white]), black: total(promoted[black]) },
        };
        (self.explanation(promoted) == Reachability::Impossible).then(counts)
    }

    /// A promoted piece that cannot have been promoted on any square.
    pub fn barred_promotion(&self) -> Option<BarredPromotion> {
        let promoted = self.promoted();
        self.sides().into_iter().zip(promoted).find_map(|((own, other), promoted)| {
            let files = PromotionFiles::new(own, other, promoted);
            let is_barred = |kind: &PromotedKind| {
                promoted[*kind as usize] > 0 && files.capacity[*kind as usize].iter().all(|count| *count == 0)
            };
            Some(self.barred(own, other, PromotedKind::ALL.into_iter().find(is_barred)?))
        })
    }

    /// Why no pawn of `own` can have become a piece of this kind.
    fn barred(&self, own: &SideView, other: &SideView, kind: PromotedKind) -> BarredPromotion {
        let obstacles = Obstacles::of(other);
        let lasts = Bitboard::from_rank(Rank::Eighth) & kind.squares(own.color);
        // The squares from which a pawn reaches these.
        let with_neighbours = |squares: Bitboard| squares | west(squares) | east(squares);
        let before = with_neighbours(lasts & !obstacles.last_rank).shift(-8);
        let (pawns, checks) = (obstacles.pawns & before, obstacles.checks & before & !obstacles.pawns);
        let open = before & !obstacles.pawns & !obstacles.checks;
        let on_board = |squares: Bitboard| squares.into_iter().map(|square| own.square(square)).collect::<Bitboard>();
        let all = own.of(kind.role()) & kind.squares(own.color);
        let pieces = self.promotion_candidates(own.color) & on_board(all);
        BarredPromotion {
            color: own.color,
            kind,
            pieces: if pieces.is_empty() { on_board(all) } else { pieces },
            unmoved: on_board(obstacles.last_rank & lasts | pawns),
            checks: on_board(checks),
            king: (other.of(Role::King).first()).filter(|_| checks.any()).map(|king| other.square(king)),
            shut_in: on_board(with_neighbours(open).shift(8) & lasts & !obstacles.last_rank),
        }
    }

    /// The index of the view of `color`.
    fn side(&self, color: Color) -> usize {
        usize::from(self.views[0].color != color)
    }

    /// Whether captures explain the pawns and promoted pieces, if so many pieces of each side are
    /// promoted. Their order counts, unless too many have to be searched.
    fn explanation(&self, promoted: [ByKind; 2]) -> Reachability {
        *self.explanation.get_or_init(|| {
            let (views, limits) = self.limits(promoted);
            let reachability = PawnCaptureFlow::new(views, limits).reachability();
            if reachability == Reachability::Impossible || !self.may_depend_on_order(promoted) {
                return reachability;
            }
            Kernel::new(views, limits).map_or(Reachability::Open, |kernel| kernel.reachability(self.effort))
        })
    }

    /// What shows that no captures lead to the position, if that is so.
    fn argument(&self, promoted: [ByKind; 2]) -> Argument {
        let (views, limits) = self.limits(promoted);
        if PawnCaptureFlow::new(views, limits).reachability() == Reachability::Impossible {
            return Argument::Numbers;
        }
        let kernel = |limits| Kernel::new(views, limits);
        if kernel(limits).is_some_and(|kernel| kernel.reachability_by_order(self.effort) == Reachability::Impossible) {
            return Argument::Order;
        }
        // Without a bishop that matters, it would not be proven.
        let bishops =
            [0, 1].into_iter().flat_map(|side| [PromotedKind::LightBishop, PromotedKind::DarkBishop].map(|kind| (side, kind)));
        let matters = |(side, kind): &(usize, PromotedKind)| {
            let mut without = limits;
            let lost = &mut without[*side].lost_bishops[usize::from(*kind == PromotedKind::DarkBishop)];
            std::mem::take(lost) > 0
                && kernel(without).is_some_and(|kernel| kernel.reachability(self.effort) != Reachability::Impossible)
        };
        match bishops.into_iter().find(matters) {
            Some((side, kind)) => Argument::Colors(views[side].color, kind),
            None => Argument::Ranks,
        }
    }

    /// Whether the order of captures can matter: pieces that have not moved are in the way, and
    /// pawns have captured or were promoted. Otherwise pawns can arrive anywhere at any time.
    fn may_depend_on_order(&self, promoted: [ByKind; 2]) -> bool {
        let is_simple = |view: &SideView| pawns::captures_needed(view.pawns()) == Some(0);
        self.views.iter().any(|view| (view.pawns_at_home() | view.unmoved).any())
            && (promoted != [ByKind::default(); 2] || !self.views.iter().all(is_simple))
    }

    /// The views of White and Black, and their limits, if so many pieces of each side are promoted.
    fn limits(&self, promoted: [ByKind; 2]) -> ([&SideView; 2], [SideLimits; 2]) {
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let side = self.side(color);
            let view = &self.views[side];
            let captured_at_home = view.homes_of_captured_bishops().count() as u32;
            (view, Losses { missing: lost(view), captured_at_home, promoted: promoted[side] })
        });
        ([white.0, black.0], [SideLimits::new(white, black), SideLimits::new(black, white)])
    }

    /// Whether it was tried to explain the captures, but not all ways could be searched.
    pub fn is_open(&self) -> bool {
        self.explanation.get() == Some(&Reachability::Open)
    }

    /// The side to move, if only knights and rooks can have moved: all pieces are on the board and
    /// all pawns at home.
    ///
    /// Then bishops, queens and kings are locked in. A knight changes the colour of its square with
    /// every move, and a rook moves between its corner and the square next to it. So the parity of
    /// a side's moves is that of its knights on light squares plus its rooks next to the corners.
    /// Both parities are equal if White is to move.
    pub fn turn_by_tempo(&self) -> Option<Color> {
        let is_undeveloped =
            |view: &SideView| view.home == Some(HomeRank::STANDARD) && view.count() == 16 && view.pawns_at_home().count() == 8;
        if !self.views.iter().all(is_undeveloped) {
            return None;
        }
        let [one, other] = [0, 1].map(|side| {
            let view = &self.views[side];
            let next_to_corner = view.of(Role::Rook) & Bitboard(1 << 1 | 1 << 6);
            ((view.of(Role::Knight) & Bitboard::LIGHT_SQUARES).count() + next_to_corner.count()) % 2
        });
        Some(if one == other { Color::White } else { Color::Black })
    }

    /// Whether quick tests prove the position unreachable, regardless of the side to move. The
    /// order of captures is not searched.
    pub fn is_impossible(&self) -> bool {
        let promoted = self.promoted();
        let is_unexplained = || {
            let (views, limits) = self.limits(promoted);
            PawnCaptureFlow::new(views, limits).reachability() == Reachability::Impossible
        };
        self.has_simple_proof(promoted) || is_unexplained()
    }

    /// What all tests together show, regardless of the side to move.
    pub fn reachability(&self) -> Reachability {
        let promoted = self.promoted();
        if self.has_simple_proof(promoted) { Reachability::Impossible } else { self.explanation(promoted) }
    }

    /// Whether a test without a search proves the position unreachable.
    fn has_simple_proof(&self, promoted: [ByKind; 2]) -> bool {
        let Some(needed) = self.captures_needed() else { return true };
        let mut sides = self.sides().into_iter().zip(needed);
        sides.any(|((own, other), needed)| Structure::excess_captures(own, other, needed).is_some())
            || self.too_many_promotions_with(promoted).is_some()
            || self.passed_pawns_with(promoted).is_some()
            || self.caged_piece().is_some()
            || self.caged_king().is_some()
    }
}

/// How many pieces a side has lost.
fn lost(view: &SideView) -> u32 {
    16u32.saturating_sub(view.count())
}
