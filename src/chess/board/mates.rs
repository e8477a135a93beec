//! Mates in one.

use shakmaty::{Move, Role};

use super::{
    Board, MoveFilter, Movement,
    moves::attacked_from,
    square_tables::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

/// Most positions have fewer moves.
const USUAL_MOVES: usize = 64;

/// Where pieces of one side would give check.
struct Checks {
    /// For each kind of piece, the squares from which it would.
    squares: [u64; 7],
    /// Pieces that may uncover a check.
    uncovering: u64,
}

impl Checks {
    /// Those that `SIDE` may give.
    fn of<const SIDE: usize>(board: &Board) -> Checks {
        let (king, ours, occupied) = (usize::from(board.kings[1 - SIDE] & 63), board.side[SIDE], board.occupied());
        let seen = |kind: u8, occupied: u64| attacked_from(kind, king, occupied);
        let (diagonal, straight) = (seen(BISHOP, occupied), seen(ROOK, occupied));
        let sliders = |kind: u8| board.pieces[SIDE][usize::from(kind & 7)] | board.pieces[SIDE][usize::from(QUEEN)];
        // Our pieces that come first on the lines from the king, if there are sliders behind any of
        // them.
        let uncovering = |kind: u8, seen_first: u64| {
            let behind = seen(kind, occupied & !(seen_first & ours)) & !seen_first;
            if behind & sliders(kind) != 0 { seen_first & ours } else { 0 }
        };
        let mut squares = [0; 7];
        squares[usize::from(PAWN)] = Movement::CAPTURE[SIDE].to(king);
        squares[usize::from(KNIGHT)] = Movement::of(KNIGHT).to(king);
        squares[usize::from(BISHOP)] = diagonal;
        squares[usize::from(ROOK)] = straight;
        squares[usize::from(QUEEN)] = diagonal | straight;
        Checks { squares, uncovering: uncovering(BISHOP, diagonal) | uncovering(ROOK, straight) }
    }

    /// The moves on `board` that may give check, and others.
    fn filter<const SIDE: usize>(&self, board: &Board) -> MoveFilter {
        let mut filter = MoveFilter { targets: self.squares, ..MoveFilter::NONE };
        for kind in PAWN..=KING {
            if board.pieces[SIDE][usize::from(kind & 7)] & self.uncovering != 0 {
                filter.targets[usize::from(kind & 7) % 7] = u64::MAX;
            }
        }
        filter
    }

    /// Whether a legal move may give check. Most do not, as a glance shows. A piece that moves
    /// along a line does not open that line: it would have given check on it before.
    fn may_be_given_by(&self, played: Move) -> bool {
        let Move::Normal { role, from, to, promotion: None, .. } = played else { return true };
        self.squares[role as usize % 7] >> u32::from(to) & 1 != 0 || self.uncovering >> u32::from(from) & 1 != 0
    }
}

/// A search for mates in one in similar positions.
struct MateSearch {
    /// The last mate, which is tried first: after most replies, the same move is mate.
    mate: Option<Move>,
    /// Memory for moves.
    moves: Vec<(Move, ())>,
}

impl Board {
    /// Whether Black (`by_black`) or White mates with its next move, with Black (`black`) or White
    /// to move. If the other side is to move, after each of its moves. Not for use after a marked
    /// checkmate: the board would forget that mark.
    pub fn mates_next(&mut self, black: bool, by_black: bool) -> bool {
        let mut search = MateSearch { mate: None, moves: Vec::with_capacity(USUAL_MOVES) };
        if black == by_black {
            return self.finds_mate(black, &mut search);
        }
        let before = self.snapshot();
        let mut replies = Vec::with_capacity(USUAL_MOVES);
        self.list_moves(black, &MoveFilter::NONE, |_| Some(()), &mut replies);
        let is_mated_after = |&(reply, ()): &(Move, ())| {
            self.restore(&before);
            self.play_move(reply, black) && self.finds_mate(by_black, &mut search)
        };
        let mates = !replies.is_empty() && replies.iter().all(is_mated_after);
        self.restore(&before);
        mates
    }

    /// Whether the side to move, Black (`black`) or White, has a mate in one.
    fn finds_mate(&mut self, black: bool, search: &mut MateSearch) -> bool {
        if black { self.finds_mate_by::<1>(search) } else { self.finds_mate_by::<0>(search) }
    }

    fn finds_mate_by<const SIDE: usize>(&mut self, search: &mut MateSearch) -> bool {
        let MateSearch { mate, moves } = search;
        let before = self.snapshot();
        if let Some(Move::Normal { from, to, promotion, .. }) = *mate {
            let mates = self.play_squares::<SIDE>(from, to, promotion) && self.is_check() && self.is_mate::<SIDE>();
            self.restore(&before);
            if mates {
                return true;
            }
        }
        let checks = Checks::of::<SIDE>(self);
        moves.clear();
        let keep = |played| checks.may_be_given_by(played).then_some(());
        self.list_moves(SIDE == 1, &checks.filter::<SIDE>(self), keep, moves);
        let is_strong = |played: &&Move| matches!(played.role(), Role::Queen | Role::Rook);
        let all = || moves.iter().map(|(played, ())| played);
        let found = all().filter(is_strong).chain(all().filter(|played| !is_strong(played))).copied().find(|played| {
            self.restore(&before);
            self.play_move(*played, SIDE == 1) && self.is_check() && self.is_mate::<SIDE>()
        });
        self.restore(&before);
        *mate = found.or(*mate);
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    /// The positions of random games.
    fn random_positions(games: usize) -> Vec<Chess> {
        let (mut state, mut positions) = (11_u64, Vec::new());
        for _ in 0..games {
            let mut position = Chess::default();
            for _ in 0..150 {
                positions.push(position.clone());
                let moves = position.legal_moves();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let Some(played) = moves.get((state >> 33) as usize % moves.len().max(1)) else { break };
                position.play_unchecked(*played);
            }
        }
        positions
    }

    /// Every move that gives check, directly or by discovery.
    #[test]
    fn no_check_is_overlooked() {
        let (mut checks, mut others) = (0, 0);
        for position in random_positions(200) {
            let board = Board::of(&position);
            let given = if position.turn().is_black() { Checks::of::<1>(&board) } else { Checks::of::<0>(&board) };
            for played in &position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(*played);
                let may_check = given.may_be_given_by(*played);
                assert!(may_check || !after.is_check(), "{played} in {:?}", position.board());
                (checks, others) = (checks + u32::from(after.is_check()), others + u32::from(!may_check));
            }
        }
        assert!(checks > 10_000 && others > 10 * checks, "{checks} checks, {others} other moves");
    }

    #[test]
    fn mates_are_found_as_by_trying_every_move() {
        let after = |position: &Chess, played: &Move| position.clone().play(*played).expect("a legal move");
        let has_mate = |position: &Chess| position.legal_moves().iter().any(|played| after(position, played).is_checkmate());
        let (mut in_one, mut against_all) = (0, 0);
        for position in random_positions(600) {
            let replies = position.legal_moves();
            let expected =
                [has_mate(&position), !replies.is_empty() && replies.iter().all(|reply| has_mate(&after(&position, reply)))];
            let mut board = Board::of(&position);
            let before = board.snapshot();
            let black = position.turn().is_black();
            let found = [black, !black].map(|by_black| board.mates_next(black, by_black));
            assert_eq!(found, expected, "{:?}", position.board());
            assert!(board.is_at(&before), "the position stays the same");
            (in_one, against_all) = (in_one + u32::from(found[0]), against_all + u32::from(found[1]));
        }
        assert!(in_one > 500 && against_all > 10, "{in_one} mates in one, {against_all} whatever is played");
    }
}
