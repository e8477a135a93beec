//! The fast board. It plays canonically spelled moves of standard chess and Chess960, explains
//! nothing and gives up early.
//!
//! The fast path replays nearly all moves of nearly all games on it, and the search for repairs
//! tries changes on it. Whatever the fast path declines goes to `shakmaty`, which knows all
//! positions and all legal moves, and from which the reasons of findings come.
//!
//! A move is read, resolved and played in one function with few branches: rare cases take a branch
//! that is easy to predict, frequent ones are looked up in tables. A test compares the board with
//! `shakmaty`.

mod history;
mod mates;
mod moves;
mod needed_squares;
mod plausible;
mod spelling;
mod square_tables;
mod written_moves;

use self::{
    history::{History, PackedPly},
    spelling::Spelling,
    square_tables::{
        BISHOP, FILE_A, KING, KNIGHT, LAST_RANKS, Movement, NONE, PAWN, QUEEN, RANK_1, ROOK, between, beyond, mask, slides,
        squares_named,
    },
};
pub use self::{moves::MoveFilter, needed_squares::Needs, spelling::SanWord, written_moves::PreparedMove};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, Color, Rank, Role, Setup, Square};

use super::{placement::Pieces, winnability::SearchPosition};

/// The last byte of a move that is not written with a check mark.
const NO_MARK: u8 = 0;

/// A position, reached by legal moves from a starting position of chess or Chess960, or set up.
///
/// This is the fast board: see the module.
#[derive(Clone, Debug)]
pub struct Board {
    /// The pieces of each side by kind. Index [`NONE`] stays empty.
    pieces: [[u64; 8]; 2],
    /// All pieces of each side.
    side: [u64; 2],
    /// Bishops, rooks and queens of each side.
    sliders: [u64; 2],
    /// The kind of piece on each square.
    mailbox: [u8; 64],
    /// Home squares of kings and rooks that no piece has left or entered.
    unmoved: u64,
    /// The squares of the kings.
    kings: [u8; 2],
    /// Whether the side to move is in check.
    check: bool,
    /// Whether the last move is a checkmate and marked as one. After [`Board::restore`] this is not
    /// known, and `false`.
    is_marked_mate: bool,
    /// Number of moves played with `EXACT` that give check and have no mark.
    unmarked_checks: u32,
    /// How each side castles on each wing in this game.
    castling: CastlingOfSides,
    /// The plies so far. En passant captures depend on the last one.
    history: History,
}

/// A position on a [`Board`].
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    pieces: [[u64; 8]; 2],
    side: [u64; 2],
    sliders: [u64; 2],
    mailbox: [u8; 64],
    unmoved: u64,
    kings: [u8; 2],
    check: bool,
    /// The end of the history.
    end: (usize, PackedPly),
}

/// What the text of a move says, except for its squares.
#[derive(Clone, Copy)]
struct SpelledMove {
    kind: u8,
    movement: Movement,
    /// Whether there is an `x`.
    captures: bool,
    /// The promotion piece.
    promotion: u8,
    /// The last byte, which may be a check mark.
    last: u8,
}

/// The rooks of the castling rights `KQkq`, on their home squares.
pub const CASTLING_ROOKS: [Square; 4] = [Square::H1, Square::A1, Square::H8, Square::A8];

/// What castling needs and moves.
#[derive(Clone, Copy, Debug)]
struct Castling {
    /// The squares of king and rook, which no piece may have left or entered.
    home: u64,
    /// Squares that must be empty.
    empty: u64,
    /// The squares that the king crosses or reaches.
    passed: u64,
    king: [u8; 2],
    rook: [u8; 2],
}

/// Castling without a right to it: not all squares are homes.
const NO_CASTLING: Castling = Castling { home: u64::MAX, empty: 0, passed: 0, king: [0; 2], rook: [0; 2] };

/// Kingside and queenside castling of each side, by the files on which the king and the rook begin.
const CASTLING: &[[[[Castling; 8]; 8]; 2]; 2] = &{
    let mut table = [[[[NO_CASTLING; 8]; 8]; 2]; 2];
    let mut index = 0;
    while index < 256 {
        let (side, wing, king, rook) = (index >> 7, index >> 6 & 1, index >> 3 & 7, index & 7);
        table[side][wing][king][rook] = Castling::new(side, wing, king as u8, rook as u8);
        index += 1;
    }
    table
};

/// Castling on each wing by each side.
type CastlingOfSides = [[&'static Castling; 2]; 2];

const STANDARD_CASTLING: CastlingOfSides =
    [[&CASTLING[0][0][4][7], &CASTLING[0][1][4][0]], [&CASTLING[1][0][4][7], &CASTLING[1][1][4][0]]];

impl Castling {
    /// Castling of `side` kingside (`wing` 0) or queenside, with king and rook on these files.
    const fn new(side: usize, wing: usize, king: u8, rook: u8) -> Castling {
        let rank = 56 * side as u8;
        let (king_to, rook_to) = if wing == 0 { (6, 5) } else { (2, 3) };
        let passed = span(king, king_to) & !(1 << king);
        let home = 1 << king | 1 << rook;
        Castling {
            home: home << rank,
            empty: ((passed | span(rook, rook_to)) & !home) << rank,
            passed: passed << rank,
            king: [king + rank, king_to + rank],
            rook: [rook + rank, rook_to + rank],
        }
    }
}

/// The squares from one file to another one, both included, on the first rank.
const fn span(from: u8, to: u8) -> u64 {
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    (2 << high) - (1 << low)
}

const STARTING_POSITION: Board = {
    const BACK: [u8; 8] = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
    let mut board = Board {
        pieces: [[0; 8]; 2],
        side: [0xFFFF, 0xFFFF << 48],
        sliders: [0xAD, 0xAD << 56],
        mailbox: [NONE; 64],
        unmoved: 0x91 | 0x91 << 56,
        kings: [4, 60],
        check: false,
        is_marked_mate: false,
        unmarked_checks: 0,
        castling: STANDARD_CASTLING,
        history: History::NONE,
    };
    let mut file = 0;
    while file < 8 {
        let kind = BACK[file];
        board.mailbox[file] = kind;
        board.mailbox[file + 8] = PAWN;
        board.mailbox[file + 48] = PAWN;
        board.mailbox[file + 56] = kind;
        board.pieces[0][kind as usize] |= 1 << file;
        board.pieces[0][PAWN as usize] |= 1 << (file + 8);
        board.pieces[1][PAWN as usize] |= 1 << (file + 48);
        board.pieces[1][kind as usize] |= 1 << (file + 56);
        file += 1;
    }
    board
};

/// The square that two bytes name, from which the bytes of `a1` have been subtracted.
#[inline(always)]
const fn square(target: u16) -> usize {
    (target >> 5 | target) as usize & 63
}

/// The lowest square of a set that is not empty.
#[inline(always)]
const fn lowest(squares: u64) -> usize {
    squares.trailing_zeros() as usize & 63
}

/// The squares of a set, in ascending order.
fn each(mut squares: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (squares != 0).then(|| lowest(squares));
        squares &= squares.wrapping_sub(1);
        first
    })
}

impl Default for Board {
    fn default() -> Board {
        STARTING_POSITION
    }
}

impl Board {
    /// Sets up the starting position. With `counts_repetitions`,
    /// [`Board::may_be_drawn_automatically`] can say something at the end.
    #[inline]
    pub fn reset(&mut self, counts_repetitions: bool) {
        let Board { pieces, side, sliders, mailbox, unmoved, kings, check, castling, history, .. } = self;
        history.begin(counts_repetitions, PackedPly::NONE);
        (*pieces, *side, *sliders, *mailbox) =
            (STARTING_POSITION.pieces, STARTING_POSITION.side, STARTING_POSITION.sliders, STARTING_POSITION.mailbox);
        (*unmoved, *kings, *check) = (STARTING_POSITION.unmoved, STARTING_POSITION.kings, STARTING_POSITION.check);
        *castling = STANDARD_CASTLING;
        (self.is_marked_mate, self.unmarked_checks) = (false, 0);
    }

    /// Sets up a position in which both sides have one king. `rights` are the castling rights
    /// `KQkq`, one bit each, `K` lowest: those of the outermost rooks of the back ranks, on either
    /// side of their kings. `black` is to move. See [`Board::reset`].
    pub fn set_up(&mut self, pieces: &Pieces, rights: u8, en_passant: Option<Square>, black: bool, counts_repetitions: bool) {
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black: others, .. } = *pieces;
        let kinds = [(PAWN, pawns), (KNIGHT, knights), (BISHOP, bishops), (ROOK, rooks), (QUEEN, queens), (KING, kings)];
        (self.pieces, self.mailbox, self.side) = ([[0; 8]; 2], [NONE; 64], [white.0, others.0]);
        for (kind, squares) in kinds {
            for side in 0..2 {
                self.pieces[side][usize::from(kind)] = squares.0 & self.side[side];
            }
            for square in squares {
                self.mailbox[usize::from(square)] = kind;
            }
        }
        for side in 0..2 {
            self.sliders[side] = (bishops.0 | rooks.0 | queens.0) & self.side[side];
            self.kings[side] = lowest(self.pieces[side][usize::from(KING)]) as u8;
        }
        (self.castling, self.unmoved) = ([[&NO_CASTLING; 2]; 2], 0);
        for (side, rank) in [Bitboard::from_rank(Rank::First), Bitboard::from_rank(Rank::Eighth)].into_iter().enumerate() {
            let rooks = rooks & rank & Bitboard(self.side[side]);
            for (wing, rook) in [rooks.last(), rooks.first()].into_iter().enumerate() {
                if let Some(rook) = rook.filter(|_| rights >> (2 * side + wing) & 1 == 1) {
                    let castling = &CASTLING[side][wing][usize::from(self.kings[side] & 7)][rook.file() as usize];
                    self.castling[side][wing] = castling;
                    self.unmoved |= castling.home;
                }
            }
        }
        // The pawn came from the square before, and is on the one after.
        let last = en_passant.map_or(PackedPly::NONE, |square| {
            let square = usize::from(square);
            let [from, to] = if black { [square - 8, square + 8] } else { [square + 8, square - 8] };
            PackedPly::of(PAWN, usize::from(!black)).between(from, to, NONE)
        });
        self.history.begin(counts_repetitions, last);
        (self.is_marked_mate, self.unmarked_checks) = (false, 0);
        let (king, occupied) = (usize::from(self.kings[usize::from(black)]), self.occupied());
        self.check = if black { self.attacked::<1>(king, occupied, 0) } else { self.attacked::<0>(king, occupied, 0) };
    }

    /// What [`Board::restore`] needs to go back to this position.
    #[inline]
    pub const fn snapshot(&self) -> Snapshot {
        let Board { pieces, side, sliders, mailbox, unmoved, kings, check, .. } = *self;
        Snapshot { pieces, side, sliders, mailbox, unmoved, kings, check, end: self.history.end() }
    }

    /// Writes the same as [`Board::snapshot`] over an earlier snapshot, which saves a copy.
    #[inline(always)]
    pub const fn snapshot_to(&self, snapshot: &mut Snapshot) {
        snapshot.pieces = self.pieces;
        snapshot.side = self.side;
        snapshot.sliders = self.sliders;
        snapshot.mailbox = self.mailbox;
        snapshot.unmoved = self.unmoved;
        (snapshot.kings, snapshot.check, snapshot.end) = (self.kings, self.check, self.history.end());
    }

    /// Goes back to an earlier position of the same game, or forward again after that.
    #[inline]
    pub const fn restore(&mut self, snapshot: &Snapshot) {
        self.pieces = snapshot.pieces;
        self.side = snapshot.side;
        self.sliders = snapshot.sliders;
        self.mailbox = snapshot.mailbox;
        self.unmoved = snapshot.unmoved;
        (self.kings, self.check, self.is_marked_mate) = (snapshot.kings, snapshot.check, false);
        self.history.return_to(snapshot.end);
    }

    /// Whether the game may have continued after an automatic draw: a fivefold repetition, or 75
    /// moves by each side without a capture or pawn move.
    pub fn may_be_drawn_automatically(&self) -> bool {
        self.history.may_be_drawn()
    }

    /// Whether the game may end with an automatic draw. Unlike
    /// [`Board::may_be_drawn_automatically`], it does not need `counts_repetitions`. `clock` is the
    /// halfmove clock before the first ply.
    pub fn may_end_drawn_automatically(&self, clock: u32) -> bool {
        self.history.may_end_drawn(clock)
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        self.side[0] | self.side[1]
    }

    /// Plays a move. `SIDE` is to move: 0 is White.
    ///
    /// Returns `false` if that is not a canonically spelled legal move with a correct check mark,
    /// or if the board cannot decide. Only with `EXACT`, a missing `x` and other than canonical
    /// disambiguation are noticed; for missing check marks and `+` instead of `#`, see
    /// [`Board::unmarked_checks`] and [`Board::has_unmarked_mate`]. After `false` the position is
    /// undefined.
    #[inline(always)]
    pub fn play<const SIDE: usize, const EXACT: bool>(&mut self, word: SanWord) -> bool {
        let last = (word.0 >> 56) as u8;
        // `+` and `#` differ in one bit.
        let is_marked = last & !8 == b'#';
        let word = if is_marked { word.0 << 8 } else { word.0 };
        let target = ((word >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
        if target & !0x0707 != 0 {
            return self.play_other::<SIDE, EXACT>(SanWord(word), last);
        }
        let (to, text) = (square(target), word << 16);
        let Some(spelling) = Spelling::find::<SIDE, EXACT>(text) else {
            return self.play_disambiguated::<SIDE, EXACT>(SanWord(word), last);
        };
        let candidates = self.pieces[SIDE][usize::from(spelling.kind & 7)] & spelling.movement.to(to) & spelling.origins;
        if candidates == 0 || EXACT && spelling.is_hinted() && !self.needs_hint::<SIDE>(spelling, to, candidates) {
            return false;
        }
        let (ours, theirs) = (self.side[SIDE], self.side[1 - SIDE]);
        let occupied = ours | theirs;
        let mut unclear = 1 << to & spelling.unclear_targets(ours, theirs) | u64::from(self.check);
        // Nearly always, one or two pieces could reach the square on an empty board.
        let others = candidates & (candidates - 1);
        let mut from = lowest(candidates);
        let obstacles = between(from, to) & occupied;
        if others == 0 {
            unclear |= obstacles;
        } else {
            let other = lowest(others);
            let other_is_free = between(other, to) & occupied == 0;
            unclear |= u64::from((obstacles == 0) == other_is_free) | (others & (others - 1));
            from = if obstacles == 0 { from } else { other };
        }
        let pins = beyond(usize::from(self.kings[SIDE]), from) & self.sliders[1 - SIDE];
        if unclear | pins != 0 && (unclear != 0 || self.is_pinned::<SIDE>(from, to, pins)) {
            if spelling.kind == KING {
                return self.move_king::<SIDE, EXACT>(spelling, to, last);
            }
            let Spelling { kind, movement, captures, .. } = *spelling;
            let spelled = SpelledMove { kind, movement, captures, promotion: NONE, last };
            return self.play_carefully::<SIDE, EXACT>(spelled, candidates, to);
        }
        self.make_move::<SIDE>(spelling.kind, spelling.slides, spelling.ply, from, to);
        self.update_check::<SIDE, EXACT>(spelling.attack, from, to, last)
    }

    /// Plays a move of the king of `SIDE` to a square next to it.
    #[inline(never)]
    fn move_king<const SIDE: usize, const EXACT: bool>(&mut self, spelling: &Spelling, to: usize, last: u8) -> bool {
        let from = usize::from(self.kings[SIDE] & 63);
        let (bit, others) = (1_u64 << to, self.occupied() & !(1 << from));
        if bit & spelling.impossible_targets(self.side[SIDE], self.side[1 - SIDE]) != 0 || self.attacked::<SIDE>(to, others, 0) {
            return false;
        }
        self.make_move::<SIDE>(KING, 0, spelling.ply, from, to);
        self.kings[SIDE] = to as u8;
        let discovered = self.discovers_check::<SIDE>(usize::from(self.kings[1 - SIDE]), from, others | bit);
        self.set_check::<SIDE, EXACT>(discovered, last)
    }

    /// Whether the piece of `SIDE` on `from`, which is not the king, must not go to `to` because
    /// one of `sliders` would then attack the king. These are beyond `from`, seen from the king.
    #[inline(never)]
    fn is_pinned<const SIDE: usize>(&self, from: usize, to: usize, sliders: u64) -> bool {
        let king = usize::from(self.kings[SIDE] & 63);
        let occupied = self.occupied() & !(1 << from) | 1 << to;
        each(sliders & !(1 << to)).any(|slider| self.slides_to(slider, king, occupied))
    }

    /// Whether the bishop, rook or queen on `slider` attacks a square. `occupied` are the pieces on
    /// the board.
    #[inline(always)]
    fn slides_to(&self, slider: usize, at: usize, occupied: u64) -> bool {
        let attacks = Movement::of(self.mailbox[slider & 63]).to(slider) >> at & 1 != 0;
        attacks & (between(at, slider) & occupied == 0)
    }

    /// Bishops, rooks and queens of the other side that would attack `king` on an empty board.
    #[inline(always)]
    fn snipers<const SIDE: usize>(&self, king: usize) -> u64 {
        let pieces = &self.pieces[1 - SIDE];
        let (diagonal, straight) = (Movement::of(BISHOP).to(king), Movement::of(ROOK).to(king));
        (diagonal & pieces[usize::from(BISHOP)])
            | (straight & pieces[usize::from(ROOK)])
            | ((diagonal | straight) & pieces[usize::from(QUEEN)])
    }

    /// Makes a move of a piece, whose `ply` is known except for the squares: see
    /// [`Board::relocate`].
    #[inline(always)]
    fn make_move<const SIDE: usize>(&mut self, kind: u8, slides: u64, ply: PackedPly, from: usize, to: usize) {
        let victim = self.mailbox[to];
        self.history.note(ply.between(from, to, victim));
        self.relocate::<SIDE>(kind, slides, from, to, victim);
    }

    /// Moves a piece and captures `victim` on the target square. `slides` has all bits for pieces
    /// that move along lines.
    #[inline(always)]
    fn relocate<const SIDE: usize>(&mut self, kind: u8, slides: u64, from: usize, to: usize, victim: u8) {
        let (start, bit) = (1_u64 << from, 1_u64 << to);
        self.mailbox[from] = NONE;
        self.mailbox[to] = kind;
        self.pieces[1 - SIDE][usize::from(victim & 7)] &= !bit;
        self.side[1 - SIDE] &= !bit;
        self.sliders[1 - SIDE] &= !bit;
        self.sliders[SIDE] ^= (start | bit) & slides;
        self.pieces[SIDE][usize::from(kind & 7)] ^= start | bit;
        self.side[SIDE] ^= start | bit;
        self.unmoved &= !(start | bit);
    }

    /// Updates whether the side to move is in check, and compares the check mark.
    #[inline(always)]
    fn update_check<const SIDE: usize, const EXACT: bool>(&mut self, attack: Movement, from: usize, to: usize, last: u8) -> bool {
        let king = usize::from(self.kings[1 - SIDE]);
        let occupied = self.occupied();
        let check = (attack.to(to) >> king & 1 != 0) & (between(king, to) & occupied == 0);
        let discovered = self.discovers_check::<SIDE>(king, from, occupied);
        self.set_check::<SIDE, EXACT>(check | discovered, last)
    }

    /// Whether a bishop, rook or queen of `SIDE` gives check to `king` because a piece left `from`.
    /// `occupied` are the pieces on the board.
    #[inline(always)]
    fn discovers_check<const SIDE: usize>(&self, king: usize, from: usize, occupied: u64) -> bool {
        let mut check = false;
        let mut beyond = beyond(king, from) & self.sliders[SIDE];
        while beyond != 0 {
            check |= self.slides_to(lowest(beyond), king, occupied);
            beyond &= beyond - 1;
        }
        check
    }

    #[inline(always)]
    fn set_check<const SIDE: usize, const EXACT: bool>(&mut self, check: bool, last: u8) -> bool {
        self.check = check;
        if last == b'#' {
            self.is_marked_mate = check && self.is_mate::<SIDE>();
            return self.is_marked_mate;
        }
        if EXACT && check {
            // Whether it is a checkmate matters only at the end: no legal move follows one.
            self.unmarked_checks += u32::from(last != b'+');
            return true;
        }
        check | (last != b'+')
    }

    /// Whether the disambiguation, a file or a rank, is canonical: no shorter or earlier form tells
    /// the pieces apart. `candidates` are those that it allows.
    #[inline(never)]
    fn needs_hint<const SIDE: usize>(&self, piece: &Spelling, to: usize, candidates: u64) -> bool {
        let [chosen, others] = self.movers::<SIDE>(piece, to, candidates);
        if chosen.count_ones() != 1 || others == 0 {
            return false;
        }
        piece.names_file() || others & FILE_A << (lowest(chosen) % 8) != 0
    }

    /// The pieces of a kind that can go to a square: those among `candidates`, and the others.
    fn movers<const SIDE: usize>(&self, piece: &Spelling, to: usize, candidates: u64) -> [u64; 2] {
        let occupied = self.occupied();
        let all = self.pieces[SIDE][usize::from(piece.kind & 7)] & piece.movement.to(to);
        let goes = |from: &usize| between(*from, to) & occupied == 0 && self.leaves_king_safe::<SIDE>(piece.kind, *from, to, to);
        let movers = each(all).filter(goes).fold(0, |movers, from| movers | 1 << from);
        [movers & candidates, movers & !candidates]
    }

    /// Whether the other side attacks a square. `occupied` are the pieces on the board; `gone` are
    /// captured ones.
    fn attacked<const SIDE: usize>(&self, at: usize, occupied: u64, gone: u64) -> bool {
        self.leapers::<SIDE>(at) & !gone != 0 || self.attacking_sliders::<SIDE>(at, occupied, gone).next().is_some()
    }

    /// Knights, pawns and the king of the other side that attack a square.
    #[inline(always)]
    fn leapers<const SIDE: usize>(&self, at: usize) -> u64 {
        let pieces = &self.pieces[1 - SIDE];
        (Movement::of(KNIGHT).to(at) & pieces[usize::from(KNIGHT)])
            | (Movement::of(KING).to(at) & pieces[usize::from(KING)])
            | (Movement::CAPTURE[1 - SIDE].to(at) & pieces[usize::from(PAWN)])
    }

    /// Bishops, rooks and queens of the other side that attack a square. See [`Board::attacked`].
    #[inline(always)]
    fn attacking_sliders<const SIDE: usize>(&self, at: usize, occupied: u64, gone: u64) -> impl Iterator<Item = usize> {
        each(self.snipers::<SIDE>(at) & !gone).filter(move |from| between(*from, at) & occupied == 0)
    }

    /// The squares to which a piece other than the king of `SIDE` may go without leaving it in
    /// check: all squares if it is not in check. Captures en passant are left out.
    fn answers_to_check<const SIDE: usize>(&self, king: usize, occupied: u64) -> u64 {
        let leapers = self.leapers::<SIDE>(king);
        let sliders = self.attacking_sliders::<SIDE>(king, occupied, 0).map(|from| (1 << from, between(from, king)));
        let checks = each(leapers).map(|from| (1_u64 << from, 0)).chain(sliders);
        checks.fold(u64::MAX, |answers, (checker, line)| answers & (checker | line))
    }

    /// Whether the king of `SIDE` is safe after a move of a piece of this kind. See
    /// [`Board::is_safe`].
    #[inline(always)]
    fn leaves_king_safe<const SIDE: usize>(&self, kind: u8, from: usize, to: usize, victim: usize) -> bool {
        // Nearly always, nothing is pinned.
        let can_be_pinned = || beyond(usize::from(self.kings[SIDE] & 63), from) & self.sliders[1 - SIDE] != 0;
        (kind != KING && victim == to && !self.check && !can_be_pinned()) || self.is_safe::<SIDE>(from, to, victim)
    }

    /// Whether the king of `SIDE` is safe after a move. `victim` is the square of the captured
    /// piece, if there is one.
    fn is_safe<const SIDE: usize>(&self, from: usize, to: usize, victim: usize) -> bool {
        let king = self.pieces[SIDE][usize::from(KING)];
        let at = if king == 1 << from { to } else { usize::from(self.kings[SIDE] & 63) };
        let gone = 1 << victim;
        let occupied = (self.occupied() & !(1 << from) & !gone) | 1 << to;
        !self.attacked::<SIDE>(at, occupied, gone)
    }

    /// Plays the move of the piece on `from` to `to`. A pawn that reaches the last rank needs a
    /// `promotion`. Castling is a move of the king by two squares, not one to the square of its
    /// rook. `SIDE` is to move: 0 is White.
    ///
    /// Returns `false` if that is not a legal move. After `false` the position is undefined.
    pub fn play_squares<const SIDE: usize>(&mut self, from: Square, to: Square, promotion: Option<Role>) -> bool {
        let [from, to] = [from, to].map(usize::from);
        let kind = self.mailbox[from];
        if self.side[SIDE] & 1 << from == 0 {
            return false;
        }
        if kind == KING && from.abs_diff(to) == 2 {
            let how = self.castling[SIDE][usize::from(to < from)];
            return how.king.map(usize::from) == [from, to] && promotion.is_none() && self.castle::<SIDE, false>(how, NO_MARK);
        }
        let captures = if kind == PAWN { (from ^ to) & 7 != 0 } else { self.side[1 - SIDE] & 1 << to != 0 };
        let movement = Movement::of_mover(kind, SIDE, captures);
        let candidates = 1 << from & movement.to(to);
        let promotion = promotion.map_or(NONE, |role| role as u8);
        let spelled = SpelledMove { kind, movement, captures, promotion, last: NO_MARK };
        (promotion == NONE || kind == PAWN) && candidates != 0 && self.play_carefully::<SIDE, false>(spelled, candidates, to)
    }

    /// Plays a move that needs a closer look: a king moves or is in check, a piece may be pinned,
    /// several pieces reach the square, a pawn promotes or captures en passant.
    #[inline(never)]
    fn play_carefully<const SIDE: usize, const EXACT: bool>(&mut self, spelled: SpelledMove, candidates: u64, to: usize) -> bool {
        let SpelledMove { kind, captures, promotion, .. } = spelled;
        let bit = 1_u64 << to;
        let occupied = self.occupied();
        let mut victim = to;
        if kind == PAWN {
            if (promotion != NONE) != (bit & LAST_RANKS != 0) {
                return false;
            }
            if captures && self.side[1 - SIDE] & bit == 0 {
                if self.en_passant() != Some(to) {
                    return false;
                }
                victim = to ^ 8;
            } else if !captures && occupied & bit != 0 {
                return false;
            }
        }
        if self.side[SIDE] & bit != 0 || (kind != PAWN && captures != (occupied & bit != 0) && (captures || EXACT)) {
            return false;
        }
        let mut movers = 0_u64;
        for from in each(candidates) {
            if between(from, to) & occupied == 0 && self.leaves_king_safe::<SIDE>(kind, from, to, victim) {
                movers |= 1 << from;
            }
        }
        if movers.count_ones() != 1 {
            return false;
        }
        self.complete::<SIDE, EXACT>(spelled, lowest(movers), to, victim)
    }

    /// Makes a legal move, captures the pawn on `victim` if that is not `to`, and promotes. Returns
    /// whether the check mark is right.
    #[inline(always)]
    fn complete<const SIDE: usize, const EXACT: bool>(
        &mut self,
        spelled: SpelledMove,
        from: usize,
        to: usize,
        victim: usize,
    ) -> bool {
        let SpelledMove { kind, movement, promotion, last, .. } = spelled;
        self.make_move::<SIDE>(kind, mask(slides(kind)), PackedPly::of(kind, SIDE), from, to);
        if victim != to {
            self.pieces[1 - SIDE][usize::from(PAWN)] &= !(1 << victim);
            self.side[1 - SIDE] &= !(1 << victim);
            self.mailbox[victim] = NONE;
        }
        let mut attack = if kind == PAWN { Movement::CAPTURE[1 - SIDE] } else { movement };
        if promotion != NONE {
            let bit = 1_u64 << to;
            self.pieces[SIDE][usize::from(PAWN)] ^= bit;
            self.pieces[SIDE][usize::from(promotion & 7)] ^= bit;
            self.mailbox[to] = promotion;
            self.history.promote(promotion);
            self.sliders[SIDE] |= bit & mask(slides(promotion));
            attack = Movement::of(promotion);
        }
        if kind == KING {
            self.kings[SIDE] = to as u8;
        }
        if victim != to {
            return self.update_check_from_scratch::<SIDE, EXACT>(last);
        }
        self.update_check::<SIDE, EXACT>(attack, from, to, last)
    }

    /// The en passant target square, if the last move was a two-square advance.
    fn en_passant(&self) -> Option<usize> {
        self.history.last().passed(&self.mailbox)
    }

    /// The same after moves that change more than two squares.
    fn update_check_from_scratch<const SIDE: usize, const EXACT: bool>(&mut self, last: u8) -> bool {
        let king = usize::from(self.kings[1 - SIDE] & 63);
        let occupied = self.occupied();
        let check = if SIDE == 0 { self.attacked::<1>(king, occupied, 0) } else { self.attacked::<0>(king, occupied, 0) };
        self.set_check::<SIDE, EXACT>(check, last)
    }

    /// Plays a piece move with file and rank as disambiguation: `Qa1b2`, `Nb1xd2`.
    #[cold]
    fn play_disambiguated<const SIDE: usize, const EXACT: bool>(&mut self, word: SanWord, last: u8) -> bool {
        let (word, length) = word.first_lowest();
        let bytes = word.to_le_bytes();
        let Some((&[letter, file, rank], rest)) = bytes[..length as usize & 7].split_first_chunk() else { return false };
        let Some(piece) = Spelling::of_piece::<SIDE>(letter) else { return false };
        let (captures, target) = match *rest {
            [b'x', file, rank] => (true, [file, rank]),
            [file, rank] => (false, [file, rank]),
            _ => return false,
        };
        let target = u16::from_le_bytes(target).wrapping_sub(u16::from_le_bytes(*b"a1"));
        if target & !0x0707 != 0 {
            return false;
        }
        let to = square(target);
        let hinted = squares_named(file) & squares_named(rank);
        let candidates = self.pieces[SIDE][usize::from(piece.kind & 7)] & piece.movement.to(to) & hinted;
        let named = file.is_ascii_lowercase() && rank.is_ascii_digit();
        if EXACT {
            // Others share the file, and others the rank.
            let [_, others] = self.movers::<SIDE>(piece, to, candidates);
            if [file, rank].iter().any(|hint| others & squares_named(*hint) == 0) {
                return false;
            }
        }
        let spelled = SpelledMove { kind: piece.kind, movement: piece.movement, captures, promotion: NONE, last };
        named && self.play_carefully::<SIDE, EXACT>(spelled, candidates, to)
    }

    /// Plays a move that does not end with a square: castling, a promotion, or a move with an
    /// annotation.
    #[inline(never)]
    fn play_other<const SIDE: usize, const EXACT: bool>(&mut self, word: SanWord, last: u8) -> bool {
        let (word, length) = word.first_lowest();
        let bytes = word.to_le_bytes();
        match bytes[..length as usize & 7] {
            // `e4!+` is not canonical.
            [.., b'!' | b'?'] => !matches!(last, b'+' | b'#') && self.play_annotated::<SIDE, EXACT>(word, length),
            [b'O', b'-', b'O'] => self.castle::<SIDE, EXACT>(self.castling[SIDE][0], last),
            [b'O', b'-', b'O', b'-', b'O'] => self.castle::<SIDE, EXACT>(self.castling[SIDE][1], last),
            [file, rank, b'=', letter] => self.promote::<SIDE, EXACT>(file, [file, rank], Movement::PUSH[SIDE], letter, last),
            [from, b'x', file, rank, b'=', letter] => {
                self.promote::<SIDE, EXACT>(from, [file, rank], Movement::CAPTURE[SIDE], letter, last)
            }
            _ => false,
        }
    }

    /// Plays a move that is followed by one or two of `!` and `?`.
    #[cold]
    fn play_annotated<const SIDE: usize, const EXACT: bool>(&mut self, word: u64, length: u32) -> bool {
        let mut length = length - 1;
        if length > 0 && matches!((word >> (8 * length - 8)) as u8, b'!' | b'?') {
            length -= 1;
        }
        let last = (word >> ((8 * length).wrapping_sub(8) & 63)) as u8;
        length > 1 && !matches!(last, b'!' | b'?') && self.play::<SIDE, EXACT>(SanWord::of(word, length))
    }

    fn promote<const SIDE: usize, const EXACT: bool>(
        &mut self,
        from: u8,
        target: [u8; 2],
        movement: Movement,
        letter: u8,
        last: u8,
    ) -> bool {
        let target = u16::from_le_bytes(target).wrapping_sub(u16::from_le_bytes(*b"a1"));
        let promotion = Spelling::of_piece::<SIDE>(letter).map_or(NONE, |piece| piece.kind);
        if target & !0x0707 != 0 || !matches!(promotion, KNIGHT..=QUEEN) || from.wrapping_sub(b'a') > 7 {
            return false;
        }
        let to = square(target);
        let candidates = self.pieces[SIDE][usize::from(PAWN)] & movement.to(to) & squares_named(from);
        let spelled = SpelledMove { kind: PAWN, movement, captures: movement == Movement::CAPTURE[SIDE], promotion, last };
        self.play_carefully::<SIDE, EXACT>(spelled, candidates, to)
    }

    fn castle<const SIDE: usize, const EXACT: bool>(&mut self, how: &Castling, last: u8) -> bool {
        let occupied = self.occupied();
        if self.unmoved & how.home != how.home
            || occupied & how.empty != 0
            || self.check
            || each(how.passed).any(|at| self.attacked::<SIDE>(at, occupied, 0))
        {
            return false;
        }
        let [king, rook] = [how.king, how.rook].map(|squares| squares.map(|at| usize::from(at & 63)));
        self.history.note(PackedPly::castling(SIDE).between(king[0], king[1], NONE));
        if how.home & (1 << king[1] | 1 << rook[1]) == 0 {
            self.relocate::<SIDE>(KING, 0, king[0], king[1], NONE);
            self.relocate::<SIDE>(ROOK, u64::MAX, rook[0], rook[1], NONE);
        } else {
            self.castle_in_place::<SIDE>(how.home, king, rook);
        }
        // A rook that is not on the edge may have stood between its king and an attacker.
        if !matches!(rook[0] & 7, 0 | 7) && self.attacked::<SIDE>(king[1], self.occupied(), 0) {
            return false;
        }
        self.kings[SIDE] = how.king[1];
        self.update_check_from_scratch::<SIDE, EXACT>(last)
    }

    /// Castles if the king or the rook ends on a square on which one of them began, as only in
    /// Chess960.
    #[cold]
    fn castle_in_place<const SIDE: usize>(&mut self, home: u64, king: [usize; 2], rook: [usize; 2]) {
        for (kind, [from, _]) in [(KING, king), (ROOK, rook)] {
            self.pieces[SIDE][usize::from(kind & 7)] &= !(1 << from);
            self.mailbox[from] = NONE;
        }
        self.side[SIDE] &= !home;
        self.sliders[SIDE] &= !home;
        for (kind, [_, to]) in [(KING, king), (ROOK, rook)] {
            self.pieces[SIDE][usize::from(kind & 7)] |= 1 << to;
            self.mailbox[to] = kind;
            self.side[SIDE] |= 1 << to;
        }
        self.sliders[SIDE] |= 1 << rook[1];
        self.unmoved &= !home;
    }

    /// The position before the last ply, without castling rights and en passant captures. `None` if
    /// that was castling, a promotion or a capture en passant.
    pub fn before_last_ply(&self) -> Option<Board> {
        let ply = self.history.last();
        let ([from, to], side, kind, captured) = (ply.squares(), ply.side(), ply.kind(), ply.captured());
        let is_en_passant = kind == PAWN && captured == NONE && from % 8 != to % 8;
        if kind == NONE || self.mailbox[to] != kind || ply.is_castling() || is_en_passant {
            return None;
        }
        let mut board = self.clone();
        (board.unmoved, board.is_marked_mate) = (0, false);
        board.history.begin(false, PackedPly::NONE);
        if side == 0 {
            board.take_back::<0>(kind, from, to, captured);
        } else {
            board.take_back::<1>(kind, from, to, captured);
        }
        Some(board)
    }

    /// Moves a piece of `SIDE` from `to` back to `from`.
    fn take_back<const SIDE: usize>(&mut self, kind: u8, from: usize, to: usize, captured: u8) {
        self.relocate::<SIDE>(kind, mask(slides(kind)), to, from, NONE);
        if kind == KING {
            self.kings[SIDE] = from as u8;
        }
        if captured != NONE {
            let bit = 1 << to;
            self.mailbox[to] = captured;
            self.pieces[1 - SIDE][usize::from(captured & 7)] |= bit;
            self.side[1 - SIDE] |= bit;
            self.sliders[1 - SIDE] |= bit & mask(slides(captured));
        }
        self.check = self.attacked::<SIDE>(usize::from(self.kings[SIDE] & 63), self.occupied(), 0);
    }

    /// Number of moves played with `EXACT` since the position was set up that give check, but not
    /// checkmate at the end of the line, and have no check mark.
    pub const fn unmarked_checks(&self) -> u32 {
        self.unmarked_checks
    }

    /// Whether the last move is a checkmate without a `#`, with Black (`black`) or White to move.
    /// All moves since the position was set up were played with `EXACT`.
    pub fn has_unmarked_mate(&self, black: bool) -> bool {
        self.check && !self.is_marked_mate && !self.can_move(black)
    }

    /// Number of plies played since the position was set up.
    pub const fn plies(&self) -> usize {
        self.history.end().0
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.check
    }

    /// Whether the other side, which is to move and in check, has no legal move.
    #[inline(never)]
    fn is_mate<const SIDE: usize>(&self) -> bool {
        if SIDE == 0 { !self.has_move::<1>() } else { !self.has_move::<0>() }
    }

    /// Whether `SIDE` has a legal move.
    pub fn has_move<const SIDE: usize>(&self) -> bool {
        let pieces = &self.pieces[SIDE];
        let (own, occupied) = (self.side[SIDE], self.occupied());
        let king = usize::from(self.kings[SIDE] & 63);
        let goes = |from: usize, to: usize| between(from, to) & occupied == 0 && self.is_safe::<SIDE>(from, to, to);
        if each(Movement::of(KING).to(king) & !own).any(|to| goes(king, to)) {
            return true;
        }
        let helps = if self.check { self.answers_to_check::<SIDE>(king, occupied) } else { u64::MAX };
        for kind in KNIGHT..=QUEEN {
            for from in each(pieces[usize::from(kind)]) {
                if each(Movement::of(kind).to(from) & !own & helps).any(|to| goes(from, to)) {
                    return true;
                }
            }
        }
        for from in each(pieces[usize::from(PAWN)]) {
            // The squares that a pawn attacks are those from which an enemy pawn attacks it.
            let captures = Movement::CAPTURE[1 - SIDE].to(from) & self.side[1 - SIDE];
            let one = if SIDE == 0 { 1_u64 << from << 8 } else { 1_u64 << from >> 8 } & !occupied;
            let two = if SIDE == 0 { one << 8 & 0xFF << 24 } else { one >> 8 & 0xFF << 32 } & !occupied;
            if each((captures | one | two) & helps).any(|to| goes(from, to)) {
                return true;
            }
        }
        self.has_en_passant::<SIDE>()
    }

    /// Whether `SIDE`, which is to move, has a legal en passant capture.
    fn has_en_passant<const SIDE: usize>(&self) -> bool {
        self.en_passant().is_some_and(|target| {
            each(Movement::CAPTURE[SIDE].to(target) & self.pieces[SIDE][usize::from(PAWN)])
                .any(|from| self.is_safe::<SIDE>(from, target, target ^ 8))
        })
    }

    /// Whether Black (`black`) or White, which is to move, has a legal en passant capture.
    pub fn can_capture_en_passant(&self, black: bool) -> bool {
        if black { self.has_en_passant::<1>() } else { self.has_en_passant::<0>() }
    }

    /// Whether Black (`black`) or White, which is to move, has a legal move.
    pub fn can_move(&self, black: bool) -> bool {
        // No move follows a checkmate.
        !self.is_marked_mate && (self.surely_has_choice(black) || if black { self.has_move::<1>() } else { self.has_move::<0>() })
    }

    /// Whether Black (`black`) or White, which is to move, has more than two legal moves: a count
    /// of those that are easily seen to be legal. `false` proves nothing.
    fn surely_has_choice(&self, black: bool) -> bool {
        if black { self.has_simple_moves::<1>() } else { self.has_simple_moves::<0>() }
    }

    /// The same for `SIDE`.
    fn has_simple_moves<const SIDE: usize>(&self) -> bool {
        let (own, occupied, sliders) = (self.side[SIDE], self.occupied(), self.sliders[1 - SIDE]);
        let king = usize::from(self.kings[SIDE] & 63);
        let mut moves = 0;
        // In check, only the king is looked at.
        let kinds = if self.check { PAWN..PAWN } else { PAWN..KING };
        for kind in kinds {
            for from in each(self.pieces[SIDE][usize::from(kind)]) {
                let bit = 1_u64 << from;
                let targets = match kind {
                    PAWN => (if SIDE == 0 { bit << 8 } else { bit >> 8 }) & !occupied,
                    KNIGHT => Movement::of(KNIGHT).to(from) & !own,
                    // One step along a line crosses no square.
                    _ => Movement::of(kind).to(from) & Movement::of(KING).to(from) & !own,
                };
                // A piece without sliders beyond it is not pinned.
                moves += if beyond(king, from) & sliders == 0 { targets.count_ones() } else { 0 };
                if moves > 2 {
                    return true;
                }
            }
        }
        let others = occupied & !(1 << king);
        each(Movement::of(KING).to(king) & !own).any(|to| {
            moves += u32::from(!self.attacked::<SIDE>(to, others, 0));
            moves > 2
        })
    }

    /// All pieces.
    #[inline]
    pub fn pieces(&self) -> Pieces {
        let of = |kind: u8| Bitboard(self.pieces[0][usize::from(kind)] | self.pieces[1][usize::from(kind)]);
        let roles =
            ByRole { pawn: of(PAWN), knight: of(KNIGHT), bishop: of(BISHOP), rook: of(ROOK), queen: of(QUEEN), king: of(KING) };
        Pieces::of_bitboards(roles, ByColor { white: Bitboard(self.side[0]), black: Bitboard(self.side[1]) })
    }

    /// The squares of all pawns, one bit each, `a1` lowest.
    #[inline]
    pub fn pawns(&self) -> u64 {
        self.pieces[0][usize::from(PAWN)] | self.pieces[1][usize::from(PAWN)]
    }

    /// The castling rights `KQkq`, one bit each, `K` lowest.
    #[inline]
    pub fn rights(&self) -> u8 {
        self.rights_of(self.unmoved)
    }

    /// The same for another set of home squares that no piece has left or entered.
    #[inline]
    fn rights_of(&self, unmoved: u64) -> u8 {
        let has = |side: usize, wing: usize| {
            let home = self.castling[side][wing].home;
            unmoved & home == home
        };
        u8::from(has(0, 0)) | u8::from(has(0, 1)) << 1 | u8::from(has(1, 0)) << 2 | u8::from(has(1, 1)) << 3
    }

    /// The rook of a castling right, by the place of its bit.
    fn castling_rook(&self, right: usize) -> Square {
        Square::new(u32::from(self.castling[right >> 1 & 1][right & 1].rook[0] & 63))
    }

    /// The square that the last move passed, if a pawn advanced two squares.
    #[inline]
    pub fn en_passant_square(&self) -> Option<Square> {
        self.en_passant().map(|square| Square::new(square as u32))
    }

    /// The same position for `shakmaty`, with Black (`black`) or White to move.
    #[cold]
    pub fn position(&self, black: bool) -> Option<Chess> {
        let setup = self.setup(black);
        let mode = CastlingMode::detect(&setup);
        setup.position(mode).ok()
    }

    /// The same position as a setup without counters, with Black (`black`) or White to move.
    #[cold]
    pub fn setup(&self, black: bool) -> Setup {
        let rights = self.rights();
        Setup {
            board: self.pieces().board().unwrap_or_default(),
            turn: Color::from_white(!black),
            castling_rights: (0..4).filter(|right| rights >> right & 1 == 1).map(|right| self.castling_rook(right)).collect(),
            ep_square: self.en_passant_square(),
            ..Setup::empty()
        }
    }

    /// Whether a glance shows nothing that may keep `side` (0 is White) from checkmating by some
    /// sequence of legal moves, with Black (`black`) or White to move. If not,
    /// [`cannot_checkmate`](super::winnability::cannot_checkmate) says whether it can.
    pub fn looks_winnable(&self, side: usize, black: bool) -> bool {
        let of = |kind: u8| self.pieces[0][usize::from(kind)] | self.pieces[1][usize::from(kind)];
        let queens = of(QUEEN);
        let position = SearchPosition {
            pawns: of(PAWN),
            knights: of(KNIGHT),
            diagonal: of(BISHOP) | queens,
            straight: of(ROOK) | queens,
            side: self.side,
            kings: self.kings.map(|king| Square::new(u32::from(king & 63))),
            turn: Color::from_white(!black),
            en_passant: None,
            rights: 0,
        };
        position.looks_winnable_if(Color::from_white(side == 0), || self.surely_has_choice(black))
    }

    /// Whether `side` (0 is White) has only its king.
    pub fn has_bare_king(&self, side: usize) -> bool {
        self.side[side & 1].count_ones() == 1
    }

    /// Number of pieces, kings and pawns included.
    pub fn piece_count(&self) -> usize {
        (self.side[0] | self.side[1]).count_ones() as usize
    }

    /// Whether `side` (0 is White) has a pawn, a rook or a queen: it can then win whatever the
    /// other side has.
    pub fn can_surely_mate(&self, side: usize) -> bool {
        let pieces = &self.pieces[side & 1];
        pieces[usize::from(PAWN)] | pieces[usize::from(ROOK)] | pieces[usize::from(QUEEN)] != 0
    }
}
