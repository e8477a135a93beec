//! A board for replaying games that are spelt as they should be: small, without explanations, and quick to give up.
//!
//! A move is read from its bytes, resolved and played in one go, with as few branches as can be: what is rare, a branch that
//! is nearly always taken the same way; what is not, a table. A test holds the board against `shakmaty`.

mod lines;

use lines::{Way, behind, between};
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Piece, Role, Setup, Square};

/// Kinds of men, as indices.
const NONE: u8 = 0;
const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;
const KING: u8 = 6;

const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;

/// A position of standard chess that legal moves from the initial array have led to.
#[derive(Clone, Debug)]
pub struct Board {
    /// The men of each side by kind; those of no kind are none.
    men: [[u64; 8]; 2],
    /// All men of each side.
    side: [u64; 2],
    /// Those of them that move along lines.
    sliders: [u64; 2],
    /// The kind of man on each square.
    kinds: [u8; 64],
    /// Squares that nobody has moved from or to, as far as castling asks for them.
    unmoved: u64,
    /// From where to where the last man moved, other than by castling.
    last: [u8; 2],
    /// The squares of the kings.
    kings: [u8; 2],
    /// Whether the side to move is in check.
    check: bool,
    quiet: Quiet,
}

/// So many plies without capture or pawn move are kept in mind.
const KEPT: usize = 128;

/// So many of them it takes at least until a position has come up five times.
const SHORTEST_FIVEFOLD: usize = 16;

/// The plies since the last capture or pawn move.
#[derive(Clone, Debug)]
struct Quiet {
    /// Whether anybody wants to know.
    counted: bool,
    plies: usize,
    /// Which men stand elsewhere than after the last capture or pawn move, as a number: the same for the same men and squares.
    key: u64,
    /// That number after each of the plies.
    keys: [u64; KEPT],
    /// Whether some position may have come up five times, or the plies are more than can be kept in mind.
    long: bool,
}

/// A number for each man, of which any two and their rotations look unlike each other.
static MAN: [[u64; 8]; 2] = {
    let mut men = [[0; 8]; 2];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut index = 0;
    while index < 16 {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        men[index / 8][index % 8] = state.wrapping_mul(0x2545_F491_4F6C_DD1D);
        index += 1;
    }
    men
};

impl Quiet {
    const NONE: Quiet = Quiet { counted: false, plies: 0, key: 0, keys: [0; KEPT], long: false };

    /// Notes a ply. The number of a man on a square is that of the man, rotated by the square.
    #[inline(always)]
    fn note(&mut self, zeroing: bool, man: u64, from: usize, to: usize) {
        if zeroing {
            self.look_back();
            (self.key, self.plies) = (0, 0);
        } else {
            self.key ^= man.rotate_left(from as u32) ^ man.rotate_left(to as u32);
            self.plies += 1;
        }
        self.keys[self.plies % KEPT] = self.key;
    }

    /// Finds out whether a position may have come up five times since the last capture or pawn move.
    #[inline(always)]
    fn look_back(&mut self) {
        if self.plies >= SHORTEST_FIVEFOLD {
            self.compare();
        }
    }

    #[inline(never)]
    fn compare(&mut self) {
        let keys = &self.keys[..(self.plies + 1).min(KEPT)];
        let often = |key: &u64| keys.iter().filter(|other| *other == key).count() >= 5;
        self.long |= self.plies >= KEPT || keys.iter().any(often);
    }
}

/// What the first byte of a move says.
#[derive(Clone, Copy)]
struct First {
    /// How the man moves; pawns, if they do not take.
    way: Way,
    /// How it would have come from where it attacks something: the other way round for pawns.
    attack: Way,
    /// The kind of man.
    kind: u8,
    /// Bytes that the letter of the man takes: none for pawns.
    letters: u8,
}

static FIRST: [[First; 256]; 2] = {
    let nobody = First { way: Way::of(NONE), attack: Way::of(NONE), kind: NONE, letters: 1 };
    let mut table = [[nobody; 256]; 2];
    let mut side = 0;
    while side < 2 {
        let mut file = b'a';
        while file <= b'h' {
            let (way, attack) = (Way::PUSH[side], Way::TAKE[1 - side]);
            table[side][file as usize] = First { way, attack, kind: PAWN, letters: 0 };
            file += 1;
        }
        let mut index = 0;
        while index < 5 {
            let kind = KNIGHT + index as u8;
            let way = Way::of(kind);
            table[side][b"NBRQK"[index] as usize] = First { way, attack: way, kind, letters: 1 };
            index += 1;
        }
        side += 1;
    }
    table
};

/// What the bytes of a move say, but for its squares.
#[derive(Clone, Copy)]
struct Spelt {
    kind: u8,
    way: Way,
    /// Whether it is said to take something.
    takes: bool,
    /// What a pawn becomes.
    promotion: u8,
    /// The last byte, which may be a mark.
    last: u8,
}

/// The squares that a hint at the origin leaves: a file, a rank, or all where the byte is 0.
static HINTED: [u64; 256] = {
    let mut table = [0; 256];
    table[0] = u64::MAX;
    let mut index = 0;
    while index < 8 {
        table[b'a' as usize + index] = 0x0101_0101_0101_0101 << index;
        table[b'1' as usize + index] = 0xFF << (8 * index);
        index += 1;
    }
    table
};

/// Moves that are spelt in other bytes than letter, origin and target.
#[derive(Clone, Copy)]
struct Castling {
    /// Squares of which none may have been moved from or to.
    home: u64,
    /// Squares that must be empty.
    empty: u64,
    /// The squares that the king passes, its target included.
    passed: [u8; 2],
    king: [u8; 2],
    rook: [u8; 2],
}

/// Castling on the king's side and on the queen's side, by side.
static CASTLING: [[Castling; 2]; 2] = {
    let short = Castling { home: 0x90, empty: 0x60, passed: [5, 6], king: [4, 6], rook: [7, 5] };
    let long = Castling { home: 0x11, empty: 0x0E, passed: [3, 2], king: [4, 2], rook: [0, 3] };
    [[short, long], [upside_down(short), upside_down(long)]]
};

const fn upside_down(white: Castling) -> Castling {
    Castling {
        home: white.home << 56,
        empty: white.empty << 56,
        passed: [white.passed[0] + 56, white.passed[1] + 56],
        king: [white.king[0] + 56, white.king[1] + 56],
        rook: [white.rook[0] + 56, white.rook[1] + 56],
    }
}

const INITIAL: Board = {
    const BACK: [u8; 8] = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
    let mut board = Board {
        men: [[0; 8]; 2],
        side: [0xFFFF, 0xFFFF << 48],
        sliders: [0xAD, 0xAD << 56],
        kinds: [NONE; 64],
        unmoved: 0x91 | 0x91 << 56,
        last: [0; 2],
        kings: [4, 60],
        check: false,
        quiet: Quiet::NONE,
    };
    let mut file = 0;
    while file < 8 {
        let kind = BACK[file];
        board.kinds[file] = kind;
        board.kinds[file + 8] = PAWN;
        board.kinds[file + 48] = PAWN;
        board.kinds[file + 56] = kind;
        board.men[0][kind as usize] |= 1 << file;
        board.men[0][PAWN as usize] |= 1 << (file + 8);
        board.men[1][PAWN as usize] |= 1 << (file + 48);
        board.men[1][kind as usize] |= 1 << (file + 56);
        file += 1;
    }
    board
};

/// The square that the two bytes below a word's end name, once `a1` has been taken from them.
#[inline(always)]
const fn square(target: u16) -> usize {
    (target >> 5 | target) as usize & 63
}

/// The lowest of some squares; square 63 where there are none.
#[inline(always)]
const fn lowest(squares: u64) -> usize {
    (squares | 1 << 63).trailing_zeros() as usize
}

/// Whether men of the kind move along lines.
#[inline(always)]
const fn slides(kind: u8) -> bool {
    kind.wrapping_sub(BISHOP) <= QUEEN - BISHOP
}

/// All bits where `yes`, none otherwise.
#[inline(always)]
const fn mask(yes: bool) -> u64 {
    (yes as u64).wrapping_neg()
}

/// The squares of a set, one after the other.
fn each(mut squares: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (squares != 0).then(|| lowest(squares));
        squares &= squares.wrapping_sub(1);
        first
    })
}

impl Default for Board {
    fn default() -> Board {
        INITIAL
    }
}

impl Board {
    /// The initial array. With `keeps_count`, [`Board::may_have_gone_on`] can tell something at the end.
    #[inline]
    pub fn reset(&mut self, keeps_count: bool) {
        let Board { men, side, sliders, kinds, unmoved, last, kings, check, quiet } = self;
        (*men, *side, *sliders, *kinds) = (INITIAL.men, INITIAL.side, INITIAL.sliders, INITIAL.kinds);
        (*unmoved, *last, *kings, *check) = (INITIAL.unmoved, INITIAL.last, INITIAL.kings, INITIAL.check);
        // What is kept of each ply is never looked at before it has been written.
        (quiet.counted, quiet.plies, quiet.key, quiet.keys[0], quiet.long) = (keeps_count, 0, 0, 0, false);
    }

    /// Whether the game may have gone on where the Laws of Chess say that it is drawn: after a fivefold repetition, or 75 moves of each
    /// side without capture or pawn move.
    pub fn may_have_gone_on(&mut self) -> bool {
        self.quiet.look_back();
        self.quiet.long
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        self.side[0] | self.side[1]
    }

    /// Plays the move that is spelt in the first `length` bytes of `word`, 1 to 7 of them, the lowest first; behind them, `word` is 0.
    /// `SIDE` is to move: 0 for White.
    ///
    /// `false` if that is not a canonically spelt legal move with a true check mark, or if the board cannot tell. A move that is
    /// unmarked may well give check or take something. The board is of no use then.
    #[inline(always)]
    pub fn play<const SIDE: usize>(&mut self, word: u64, length: u32) -> bool {
        let last = (word >> ((8 * length).wrapping_sub(8) & 63)) as u8;
        // `+` and `#` differ in one bit.
        let marked = last & !8 == b'#';
        let length = length - u32::from(marked);
        // The last byte is the highest now; a mark has been shifted out.
        let end = word << (64_u32.wrapping_sub(8 * length) & 63);
        let target = ((end >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
        if target & !0x0707 != 0 {
            return self.play_other::<SIDE>(word, length, last);
        }
        let to = square(target);
        let bit = 1_u64 << to;
        let takes = (end >> 40) as u8 == b'x';
        let first = FIRST[SIDE][usize::from(word as u8)];
        let pawn = first.letters == 0;
        let hints = length.wrapping_sub(2 + u32::from(takes) + u32::from(first.letters));
        // A pawn that takes names its file, one that does not names nothing; other men name the file or the rank, or neither.
        let allowed = if pawn { takes } else { hints != 0 };
        if hints != u32::from(allowed) {
            return self.play_hinted::<SIDE>(word, length, last);
        }
        let hint = if hints == 0 { 0 } else { (word >> (8 * u32::from(first.letters))) as u8 };
        let way = first.way.taking(u16::from(pawn & takes));
        let candidates = self.men[SIDE][usize::from(first.kind & 7)] & way.to(to) & HINTED[usize::from(hint)];
        if candidates == 0 {
            return false;
        }
        let (ours, theirs) = (self.side[SIDE], self.side[1 - SIDE]);
        let occupied = ours | theirs;
        // What is said to be taken must be there; what is not may be there all the same, but not in the way of a pawn.
        let targets = if takes {
            theirs
        } else if pawn {
            !occupied
        } else {
            !ours
        };
        // Nearly always there are one or two that would reach the square on an empty board.
        let others = candidates & (candidates - 1);
        let mut from = lowest(candidates);
        let mut unclear = (targets & bit == 0) | (pawn & (bit & LAST_RANKS != 0));
        let blocked = between(from, to) & occupied != 0;
        if others != 0 {
            let other = lowest(others);
            let other_blocked = between(other, to) & occupied != 0;
            unclear |= (blocked == other_blocked) | (others & (others - 1) != 0);
            from = if blocked { other } else { from };
        } else {
            unclear |= blocked;
        }
        let king = usize::from(self.kings[SIDE]);
        let pinned = behind(king, from) & self.sliders[1 - SIDE] != 0;
        if unclear | pinned | self.check | (first.kind == KING) {
            return self.play_carefully::<SIDE>(Spelt { kind: first.kind, way, takes, promotion: NONE, last }, candidates, to);
        }
        self.go::<SIDE>(first.kind, from, to);
        self.judge_check::<SIDE>(first.attack, from, to, last)
    }

    /// The men against `SIDE` that move along lines, as far as there is a line from them to `king`.
    #[inline(always)]
    fn snipers<const SIDE: usize>(&self, king: usize) -> u64 {
        let men = &self.men[1 - SIDE];
        let (diagonal, straight) = (Way::of(BISHOP).to(king), Way::of(ROOK).to(king));
        (diagonal & men[usize::from(BISHOP)])
            | (straight & men[usize::from(ROOK)])
            | ((diagonal | straight) & men[usize::from(QUEEN)])
    }

    /// Moves a man, and takes what stands on the target.
    #[inline(always)]
    fn go<const SIDE: usize>(&mut self, kind: u8, from: usize, to: usize) {
        let (start, bit) = (1_u64 << from, 1_u64 << to);
        let victim = self.kinds[to];
        if self.quiet.counted {
            self.quiet.note((victim != NONE) | (kind == PAWN), MAN[SIDE][usize::from(kind & 7)], from, to);
        }
        self.last = [from as u8, to as u8];
        self.kinds[from] = NONE;
        self.kinds[to] = kind;
        self.men[1 - SIDE][usize::from(victim & 7)] &= !bit;
        self.side[1 - SIDE] &= !bit;
        self.sliders[1 - SIDE] &= !bit;
        self.sliders[SIDE] ^= (start | bit) & mask(slides(kind));
        self.men[SIDE][usize::from(kind & 7)] ^= start | bit;
        self.side[SIDE] ^= start | bit;
        self.unmoved &= !(start | bit);
    }

    /// Finds out whether the move just made gives check, and holds the mark against it.
    #[inline(always)]
    fn judge_check<const SIDE: usize>(&mut self, attack: Way, from: usize, to: usize, last: u8) -> bool {
        let king = usize::from(self.kings[1 - SIDE]);
        let occupied = self.occupied();
        let mut check = (attack.to(to) >> king & 1 != 0) & (between(to, king) & occupied == 0);
        let mut behind = behind(king, from) & self.sliders[SIDE];
        while behind != 0 {
            let slider = lowest(behind);
            let looks_there = Way::of(self.kinds[slider & 63]).to(slider) >> king & 1 != 0;
            check |= looks_there & (between(slider, king) & occupied == 0);
            behind &= behind - 1;
        }
        self.judge_mark::<SIDE>(check, last)
    }

    #[inline(always)]
    fn judge_mark<const SIDE: usize>(&mut self, check: bool, last: u8) -> bool {
        self.check = check;
        if last == b'#' {
            return check && self.is_mate::<SIDE>();
        }
        check | (last != b'+')
    }

    /// Whether a square is attacked by the men of the side that is not `SIDE`, those in `gone` not counted, on a board with these men.
    fn attacked<const SIDE: usize>(&self, at: usize, occupied: u64, gone: u64) -> bool {
        let men = &self.men[1 - SIDE];
        let leapers = (Way::of(KNIGHT).to(at) & men[usize::from(KNIGHT)])
            | (Way::of(KING).to(at) & men[usize::from(KING)])
            | (Way::TAKE[1 - SIDE].to(at) & men[usize::from(PAWN)]);
        leapers & !gone != 0 || each(self.snipers::<SIDE>(at) & !gone).any(|from| between(from, at) & occupied == 0)
    }

    /// Whether the king of `SIDE` is safe after a man has gone from one square to another; `victim` is the square of what it takes.
    fn is_safe<const SIDE: usize>(&self, from: usize, to: usize, victim: usize) -> bool {
        let king = self.men[SIDE][usize::from(KING)];
        let at = if king == 1 << from { to } else { usize::from(self.kings[SIDE] & 63) };
        let gone = 1 << victim;
        let occupied = (self.occupied() & !(1 << from) & !gone) | 1 << to;
        !self.attacked::<SIDE>(at, occupied, gone)
    }

    /// Plays a move of which something needs a closer look: the king moves or is in check, a man may be pinned, more than one
    /// gets there, or a pawn takes en passant.
    #[inline(never)]
    fn play_carefully<const SIDE: usize>(&mut self, spelt: Spelt, candidates: u64, to: usize) -> bool {
        let Spelt { kind, way, takes, promotion, last } = spelt;
        let bit = 1_u64 << to;
        let occupied = self.occupied();
        let mut victim = to;
        if kind == PAWN {
            if (promotion != NONE) != (bit & LAST_RANKS != 0) {
                return false;
            }
            if takes && self.side[1 - SIDE] & bit == 0 {
                if self.en_passant() != Some(to) {
                    return false;
                }
                victim = to ^ 8;
            } else if !takes && occupied & bit != 0 {
                return false;
            }
        }
        if self.side[SIDE] & bit != 0 || (kind != PAWN && takes && self.side[1 - SIDE] & bit == 0) {
            return false;
        }
        let mut movers = 0_u64;
        for from in each(candidates) {
            if between(from, to) & occupied == 0 && self.is_safe::<SIDE>(from, to, victim) {
                movers |= 1 << from;
            }
        }
        if movers.count_ones() != 1 {
            return false;
        }
        let from = lowest(movers);
        self.go::<SIDE>(kind, from, to);
        if victim != to {
            self.men[1 - SIDE][usize::from(PAWN)] &= !(1 << victim);
            self.side[1 - SIDE] &= !(1 << victim);
            self.kinds[victim] = NONE;
        }
        let mut attack = if kind == PAWN { Way::TAKE[1 - SIDE] } else { way };
        if promotion != NONE {
            self.men[SIDE][usize::from(PAWN)] ^= bit;
            self.men[SIDE][usize::from(promotion & 7)] ^= bit;
            self.kinds[to] = promotion;
            self.sliders[SIDE] |= bit & mask(slides(promotion));
            attack = Way::of(promotion);
        }
        if kind == KING {
            self.kings[SIDE] = to as u8;
        }
        if victim != to {
            return self.judge_check_from_scratch::<SIDE>(last);
        }
        self.judge_check::<SIDE>(attack, from, to, last)
    }

    /// The square that a pawn has just passed over.
    fn en_passant(&self) -> Option<usize> {
        let [from, to] = self.last.map(|square| usize::from(square & 63));
        (self.kinds[to] == PAWN && from ^ to == 16).then_some((from + to) / 2)
    }

    /// The same where more than one square was left or entered.
    fn judge_check_from_scratch<const SIDE: usize>(&mut self, last: u8) -> bool {
        let king = usize::from(self.kings[1 - SIDE] & 63);
        let occupied = self.occupied();
        let check = if SIDE == 0 { self.attacked::<1>(king, occupied, 0) } else { self.attacked::<0>(king, occupied, 0) };
        self.judge_mark::<SIDE>(check, last)
    }

    /// Plays a piece of which file and rank are named: `Qa1b2`, `Nb1xd2`.
    #[cold]
    fn play_hinted<const SIDE: usize>(&mut self, word: u64, length: u32, last: u8) -> bool {
        let bytes = word.to_le_bytes();
        let Some((&[letter, file, rank], rest)) = bytes[..length as usize & 7].split_first_chunk() else { return false };
        let first = FIRST[SIDE][usize::from(letter)];
        let (takes, target) = match *rest {
            [b'x', file, rank] => (true, [file, rank]),
            [file, rank] => (false, [file, rank]),
            _ => return false,
        };
        let target = u16::from_le_bytes(target).wrapping_sub(u16::from_le_bytes(*b"a1"));
        if first.letters == 0 || target & !0x0707 != 0 {
            return false;
        }
        let to = square(target);
        let hinted = HINTED[usize::from(file)] & HINTED[usize::from(rank)];
        let candidates = self.men[SIDE][usize::from(first.kind & 7)] & first.way.to(to) & hinted;
        let named = file.is_ascii_lowercase() && rank.is_ascii_digit();
        let spelt = Spelt { kind: first.kind, way: first.way, takes, promotion: NONE, last };
        named && self.play_carefully::<SIDE>(spelt, candidates, to)
    }

    /// Plays a move that does not end in a square: castling or a promotion.
    #[inline(never)]
    fn play_other<const SIDE: usize>(&mut self, word: u64, length: u32, last: u8) -> bool {
        let bytes = word.to_le_bytes();
        match bytes[..length as usize & 7] {
            // A mark of check behind `!` is left to others.
            [.., b'!' | b'?'] => !matches!(last, b'+' | b'#') && self.play_annotated::<SIDE>(word, length),
            [b'O', b'-', b'O'] => self.castle::<SIDE>(&CASTLING[SIDE][0], last),
            [b'O', b'-', b'O', b'-', b'O'] => self.castle::<SIDE>(&CASTLING[SIDE][1], last),
            [file, rank, b'=', letter] => self.promote::<SIDE>(file, [file, rank], Way::PUSH[SIDE], letter, last),
            [from, b'x', file, rank, b'=', letter] => self.promote::<SIDE>(from, [file, rank], Way::TAKE[SIDE], letter, last),
            _ => false,
        }
    }

    /// Plays a move with one or two of `!` and `?` behind it.
    #[cold]
    fn play_annotated<const SIDE: usize>(&mut self, word: u64, length: u32) -> bool {
        let mut length = length - 1;
        if length > 0 && matches!((word >> (8 * length - 8)) as u8, b'!' | b'?') {
            length -= 1;
        }
        let last = (word >> ((8 * length).wrapping_sub(8) & 63)) as u8;
        length > 1 && !matches!(last, b'!' | b'?') && self.play::<SIDE>(word & (u64::MAX >> (64 - 8 * length)), length)
    }

    fn promote<const SIDE: usize>(&mut self, from: u8, target: [u8; 2], way: Way, letter: u8, last: u8) -> bool {
        let target = u16::from_le_bytes(target).wrapping_sub(u16::from_le_bytes(*b"a1"));
        let promotion = FIRST[SIDE][usize::from(letter)].kind;
        if target & !0x0707 != 0 || !matches!(promotion, KNIGHT..=QUEEN) || from.wrapping_sub(b'a') > 7 {
            return false;
        }
        let to = square(target);
        let candidates = self.men[SIDE][usize::from(PAWN)] & way.to(to) & HINTED[usize::from(from)];
        let spelt = Spelt { kind: PAWN, way, takes: way == Way::TAKE[SIDE], promotion, last };
        self.play_carefully::<SIDE>(spelt, candidates, to)
    }

    fn castle<const SIDE: usize>(&mut self, how: &Castling, last: u8) -> bool {
        let occupied = self.occupied();
        if self.unmoved & how.home != how.home
            || occupied & how.empty != 0
            || self.check
            || how.passed.iter().any(|&at| self.attacked::<SIDE>(usize::from(at & 63), occupied, 0))
        {
            return false;
        }
        self.go::<SIDE>(KING, usize::from(how.king[0] & 63), usize::from(how.king[1] & 63));
        self.go::<SIDE>(ROOK, usize::from(how.rook[0] & 63), usize::from(how.rook[1] & 63));
        self.kings[SIDE] = how.king[1];
        self.judge_check_from_scratch::<SIDE>(last)
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.check
    }

    /// Whether the side that is not `SIDE`, which is to move, has no legal move; asked where it is in check.
    #[inline(never)]
    fn is_mate<const SIDE: usize>(&self) -> bool {
        if SIDE == 0 { !self.has_move::<1>() } else { !self.has_move::<0>() }
    }

    /// Whether `SIDE` has a legal move.
    pub fn has_move<const SIDE: usize>(&self) -> bool {
        let men = &self.men[SIDE];
        let (own, occupied) = (self.side[SIDE], self.occupied());
        let king = usize::from(self.kings[SIDE] & 63);
        let goes = |from: usize, to: usize| between(from, to) & occupied == 0 && self.is_safe::<SIDE>(from, to, to);
        if each(Way::of(KING).to(king) & !own).any(|to| goes(king, to)) {
            return true;
        }
        // In check, only a man that goes onto the lines to the king, or takes what stands next to it, can help.
        let helps = if self.check { Way::of(QUEEN).to(king) | Way::of(KNIGHT).to(king) } else { u64::MAX };
        for kind in KNIGHT..=QUEEN {
            for from in each(men[usize::from(kind)]) {
                if each(Way::of(kind).to(from) & !own & helps).any(|to| goes(from, to)) {
                    return true;
                }
            }
        }
        for from in each(men[usize::from(PAWN)]) {
            // What a pawn of this side takes is where a pawn of the other side would take it from.
            let takes = Way::TAKE[1 - SIDE].to(from) & self.side[1 - SIDE];
            let one = if SIDE == 0 { 1_u64 << from << 8 } else { 1_u64 << from >> 8 } & !occupied;
            let two = if SIDE == 0 { one << 8 & 0xFF << 24 } else { one >> 8 & 0xFF << 32 } & !occupied;
            if each((takes | one | two) & helps).any(|to| goes(from, to)) {
                return true;
            }
        }
        self.en_passant().is_some_and(|target| {
            each(Way::TAKE[SIDE].to(target) & men[usize::from(PAWN)]).any(|from| self.is_safe::<SIDE>(from, target, target ^ 8))
        })
    }

    /// Whether Black, or else White, has a legal move.
    pub fn can_move(&self, black: bool) -> bool {
        if black { self.has_move::<1>() } else { self.has_move::<0>() }
    }

    /// The same position as `shakmaty` has it, with Black to move, or else White; for the rare question that takes its knowledge.
    #[cold]
    pub fn position(&self, black: bool) -> Option<Chess> {
        let turn = Color::from_white(!black);
        let mut board = shakmaty::Board::empty();
        for at in each(self.occupied()) {
            let role = Role::try_from(self.kinds[at]).ok()?;
            let color = Color::from_white(self.side[0] >> at & 1 != 0);
            board.set_piece_at(Square::new(at as u32), Piece { color, role });
        }
        let unmoved = Bitboard(self.unmoved);
        let may_castle = |king: Square| unmoved.contains(king);
        let kings = [Square::E1, Square::E8]
            .map(|king| if may_castle(king) { Bitboard::from_rank(king.rank()) } else { Bitboard::EMPTY });
        let setup = Setup {
            board,
            turn,
            castling_rights: unmoved & Bitboard::CORNERS & (kings[0] | kings[1]),
            ep_square: self.en_passant().map(|square| Square::new(square as u32)),
            ..Setup::empty()
        };
        setup.position(CastlingMode::Standard).ok()
    }

    /// Whether `side` has men that can mate whatever the other side has: a pawn, a rook or a queen.
    pub fn can_surely_mate(&self, side: usize) -> bool {
        let men = &self.men[side & 1];
        men[usize::from(PAWN)] | men[usize::from(ROOK)] | men[usize::from(QUEEN)] != 0
    }
}
