//! The plies of a game, and whether a position may have occurred five times.

use super::square_tables::{KING, NONE, PAWN};

/// Maximum number of plies that are remembered.
const MAX_PLIES: usize = 1023;

/// Minimum number of plies after which a position can occur for the fifth time.
const MIN_PLIES_TO_FIVEFOLD: usize = 16;

/// Number of positions without a capture or pawn move from which on a game may have been drawn:
/// somewhat fewer than 75 moves by each side take.
const MAX_POSITIONS: usize = 128;

/// Number of plies without a capture or pawn move that end a game.
const SEVENTY_FIVE_MOVES: usize = 150;

/// A ply: the origin, the target, the kind of the piece and that of the captured piece, one byte
/// each, the origin lowest. The kind of a black piece has [`PackedPly::BLACK`], and that of a
/// promoted pawn has above it what the pawn becomes. Castling is a ply of the king: no earlier
/// position can occur after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedPly(u32);

impl PackedPly {
    pub const NONE: PackedPly = PackedPly(0);

    const BLACK: u8 = 8;

    const CASTLING: u8 = 16;

    /// A ply of a piece of side `side`, from `a1` to `a1`.
    pub const fn of(kind: u8, side: usize) -> PackedPly {
        PackedPly(((kind | (PackedPly::BLACK * side as u8)) as u32) << 16)
    }

    /// A ply of the same piece between two squares, with the kind of the captured piece.
    #[inline(always)]
    pub const fn between(self, from: usize, to: usize, captured: u8) -> PackedPly {
        PackedPly(self.0 | from as u32 | (to as u32) << 8 | (captured as u32) << 24)
    }

    /// Castling by side `side`, from `a1` to `a1`.
    pub const fn castling(side: usize) -> PackedPly {
        PackedPly::of(KING | PackedPly::CASTLING, side)
    }

    /// The same ply of a pawn that becomes `promotion`.
    const fn promoting(self, promotion: u8) -> PackedPly {
        PackedPly(self.0 | (promotion as u32) << 21)
    }

    /// What a pawn becomes; [`PAWN`] or less for other plies.
    pub const fn promotion(self) -> u8 {
        let [_, _, kind, _] = self.0.to_le_bytes();
        kind >> 5
    }

    /// Origin and target.
    #[inline(always)]
    pub const fn squares(self) -> [usize; 2] {
        let [from, to, ..] = self.0.to_le_bytes();
        [from as usize & 63, to as usize & 63]
    }

    /// The square between origin and target, if it is a two-square advance of a pawn, which is
    /// still on the board.
    pub fn passed(self, mailbox: &[u8; 64]) -> Option<usize> {
        let [from, to] = self.squares();
        (mailbox[to] == PAWN && from ^ to == 16).then_some((from + to) / 2)
    }

    /// The side, 0 for White.
    pub const fn side(self) -> usize {
        let [_, _, kind, _] = self.0.to_le_bytes();
        (kind / PackedPly::BLACK) as usize & 1
    }

    /// The kind of the piece, the king for castling.
    pub const fn kind(self) -> u8 {
        let [_, _, kind, _] = self.0.to_le_bytes();
        kind % PackedPly::BLACK
    }

    /// The kind of the piece captured on the target square.
    pub const fn captured(self) -> u8 {
        let [.., captured] = self.0.to_le_bytes();
        captured
    }

    /// Whether it is castling.
    pub const fn is_castling(self) -> bool {
        let [_, _, kind, _] = self.0.to_le_bytes();
        kind & PackedPly::CASTLING != 0
    }

    /// Whether earlier positions cannot occur again: a capture or a pawn move.
    const fn is_zeroing(self) -> bool {
        let [.., kind, captured] = self.0.to_le_bytes();
        captured != NONE || kind % PackedPly::BLACK == PAWN
    }

    /// What the ply changes in the key of a position.
    fn key(self) -> u64 {
        let [from, to, kind, _] = self.0.to_le_bytes();
        let piece = PIECE_KEYS[usize::from(kind % 16)];
        piece.rotate_left(from.into()) ^ piece.rotate_left(to.into())
    }
}

/// A random number for each kind of piece of each side. Rotated by a square, it is the key of a
/// piece on that square.
static PIECE_KEYS: [u64; 16] = {
    let mut pieces = [0; 16];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut index = 0;
    while index < 16 {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        pieces[index] = state.wrapping_mul(0x2545_F491_4F6C_DD1D);
        index += 1;
    }
    pieces
};

/// The plies played so far.
///
/// Each ply is only noted while a game is replayed. Whether a position occurred five times is found
/// out at the end.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Whether repetitions matter.
    counts_repetitions: bool,
    /// Whether plies were forgotten.
    is_incomplete: bool,
    /// Number of plies.
    played: usize,
    /// The plies from number 1 on. What is before them allows the first ply to capture en passant.
    plies: [PackedPly; MAX_PLIES + 1],
}

impl History {
    pub const NONE: History =
        History { counts_repetitions: false, is_incomplete: false, played: 0, plies: [PackedPly::NONE; MAX_PLIES + 1] };

    /// Forgets all plies. `last` is the one before the first.
    #[inline(always)]
    pub const fn begin(&mut self, counts_repetitions: bool, last: PackedPly) {
        // Other plies need no reset: they are written before they are read.
        (self.counts_repetitions, self.is_incomplete, self.played, self.plies[0]) = (counts_repetitions, false, 0, last);
    }

    /// Notes a ply.
    #[inline(always)]
    pub const fn note(&mut self, ply: PackedPly) {
        self.played += 1;
        self.plies[self.played % (MAX_PLIES + 1)] = ply;
    }

    /// Notes that the last ply promotes a pawn.
    #[inline(always)]
    pub const fn promote(&mut self, promotion: u8) {
        let last = self.played % (MAX_PLIES + 1);
        self.plies[last] = self.plies[last].promoting(promotion);
    }

    /// The last ply.
    #[inline(always)]
    pub const fn last(&self) -> PackedPly {
        self.plies[self.played % (MAX_PLIES + 1)]
    }

    /// The first plies, up to `count` of them. Empty if plies were forgotten.
    pub fn plies(&self, count: usize) -> &[PackedPly] {
        let known = if self.is_incomplete || self.played > MAX_PLIES { 0 } else { self.played };
        &self.plies[1..][..count.min(known)]
    }

    /// The number of plies and the last one.
    #[inline(always)]
    pub const fn end(&self) -> (usize, PackedPly) {
        (self.played, self.last())
    }

    /// Goes back to an earlier [`History::end`], or forward again to what followed it.
    #[inline(always)]
    pub const fn return_to(&mut self, (played, last): (usize, PackedPly)) {
        // Later plies have taken the place of others.
        self.is_incomplete |= self.played > MAX_PLIES;
        self.played = played;
        self.plies[played % (MAX_PLIES + 1)] = last;
    }

    /// Whether the game may have continued after a position occurred for the fifth time, or for 75
    /// moves by each side without a capture or pawn move. Castling rights and captures en passant
    /// are not compared.
    pub fn may_be_drawn(&self) -> bool {
        if !self.counts_repetitions {
            return false;
        }
        let Some(plies) = self.plies[1..].get(..self.played).filter(|_| !self.is_incomplete) else { return true };
        let mut start = 0;
        // Nearly always, a look at the last few of 16 plies is enough.
        while let Some(next) = plies.get(start..start + MIN_PLIES_TO_FIVEFOLD) {
            if let Some(last) = next.iter().rposition(|ply| ply.is_zeroing()) {
                start += last + 1;
                continue;
            }
            let rest = &plies[start..];
            let length = rest.iter().position(|ply| ply.is_zeroing()).unwrap_or(rest.len());
            if may_repeat_five_times(&rest[..length]) {
                return true;
            }
            start += length + 1;
        }
        false
    }

    /// Whether the last position may be the fifth of its kind, or the end of 75 moves by each side,
    /// as
    /// [`History::may_be_drawn`]. `clock` is the halfmove clock before the first ply.
    pub fn may_end_drawn(&self, clock: u32) -> bool {
        let Some(plies) = self.plies[1..].get(..self.played).filter(|_| !self.is_incomplete) else { return true };
        let (mut key, mut quiet, mut times) = (0, 0, 1);
        for ply in plies.iter().rev().take_while(|ply| !ply.is_zeroing()) {
            key ^= ply.key();
            quiet += 1;
            times += usize::from(key == 0);
        }
        times >= 5 || quiet + clock as usize >= SEVENTY_FIVE_MOVES
    }
}

/// Whether a position may occur five times within plies without captures and pawn moves.
#[cold]
fn may_repeat_five_times(plies: &[PackedPly]) -> bool {
    let mut keys = [0_u64; MAX_POSITIONS];
    let Some(keys) = keys.get_mut(..plies.len() + 1) else { return true };
    let mut key = 0;
    // Keys are relative to the first position, so that its key is 0.
    for (after, ply) in keys[1..].iter_mut().zip(plies) {
        key ^= ply.key();
        *after = key;
    }
    // Nearly always, there are not even five keys with the same lowest byte.
    let mut counts = [0_u8; 256];
    let mut is_likely = false;
    for key in keys.iter() {
        let count = &mut counts[*key as usize & 0xFF];
        *count += 1;
        is_likely |= *count >= 5;
    }
    is_likely && keys.iter().any(|key| keys.iter().filter(|other| *other == key).count() >= 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::board::{KNIGHT, ROOK};

    /// Knights go out and back: `Nf3 Nf6 Ng1 Ng8`.
    const ROUND: [[usize; 2]; 4] = [[6, 21], [62, 45], [21, 6], [45, 62]];

    fn begun() -> History {
        let mut history = History::NONE;
        history.begin(true, PackedPly::NONE);
        history
    }

    fn note_moves(history: &mut History, plies: usize) {
        for ply in 0..plies {
            let [from, to] = ROUND[ply % 4];
            history.note(PackedPly::of(KNIGHT, ply % 2).between(from, to, NONE));
        }
    }

    fn pawn_move() -> PackedPly {
        PackedPly::of(PAWN, 0).between(8, 16, NONE)
    }

    fn capture() -> PackedPly {
        PackedPly::of(KNIGHT, 1).between(1, 2, PAWN)
    }

    #[test]
    fn the_fifth_time_is_noticed_wherever_it_is() {
        for (before, after) in [(0, 0), (0, 1), (1, 0), (3, 17), (15, 16), (16, 40), (17, 1)] {
            for zeroing in [pawn_move(), capture()] {
                for plies in 0..=40 {
                    let mut history = begun();
                    (0..before).for_each(|_| history.note(zeroing));
                    note_moves(&mut history, plies);
                    (0..after).for_each(|_| history.note(zeroing));
                    assert_eq!(history.may_be_drawn(), plies >= 16, "{before} plies, {plies} repeating ones, {after} plies");
                    assert_eq!(
                        history.may_end_drawn(0),
                        plies >= 16 && after == 0,
                        "{before} plies, {plies} repeating ones, {after} plies"
                    );
                }
            }
        }
    }

    #[test]
    fn captures_and_pawn_moves_interrupt_repetitions() {
        for zeroing in [pawn_move(), capture()] {
            let mut history = begun();
            for _ in 0..10 {
                note_moves(&mut history, 15);
                history.note(zeroing);
            }
            assert!(!history.may_be_drawn());
        }
    }

    #[test]
    fn other_moves_of_the_same_pieces_repeat_nothing() {
        let mut history = begun();
        // Both rooks go along their ranks, each by another number of squares: 7 times 5 positions.
        for ply in 0..60 {
            let (side, step) = (ply % 2, ply / 2);
            let (rank, files) = (56 * side, [7, 5][side]);
            history.note(PackedPly::of(ROOK, side).between(rank + step % files, rank + (step + 1) % files, NONE));
        }
        assert!(!history.may_be_drawn());
    }

    #[test]
    fn long_games_may_be_drawn() {
        let mut history = begun();
        for ply in 0..MAX_POSITIONS {
            assert!(!history.may_be_drawn(), "{ply} plies");
            // No position occurs twice: the piece is of another kind each time.
            history.note(PackedPly((ply as u32 % 6 + 2) << 16).between(ply % 64, (ply * 7 + 1) % 64, NONE));
        }
        assert!(history.may_be_drawn(), "75 moves");
        let mut history = begun();
        (0..MAX_PLIES).for_each(|_| history.note(pawn_move()));
        assert!(!history.may_be_drawn());
        history.note(pawn_move());
        assert!(history.may_be_drawn(), "too long to remember");
    }

    #[test]
    fn nothing_is_counted_unless_asked() {
        let mut history = History::NONE;
        history.begin(false, PackedPly::NONE);
        note_moves(&mut history, 40);
        assert!(!history.may_be_drawn());
    }

    #[test]
    fn variations_leave_no_trace() {
        let mut history = begun();
        note_moves(&mut history, 15);
        let before = history.end();
        history.note(PackedPly::of(KNIGHT, 1).between(45, 28, NONE));
        let after = history.end();
        history.return_to(before);
        assert_eq!(history.last().squares(), ROUND[2]);
        note_moves(&mut history, 30);
        history.return_to(after);
        assert_eq!(history.last().squares(), [45, 28]);
        assert!(!history.may_be_drawn(), "the knight does not go back");
        history.return_to(before);
        history.note(PackedPly::of(KNIGHT, 1).between(45, 62, NONE));
        assert!(history.may_be_drawn());
        // A variation that takes the place of earlier plies.
        let mut history = begun();
        let start = history.end();
        (0..=MAX_PLIES).for_each(|_| history.note(pawn_move()));
        history.return_to(start);
        assert!(history.may_be_drawn(), "earlier plies are lost");
    }
}
