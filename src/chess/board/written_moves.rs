//! Plays moves in any spelling on the fast board, as [`resolve`](crate::chess::resolve) understands
//! them.
//!
//! The search for repairs plays the rest of a game after every change that it tries. Only whether a
//! ply can be played matters there, so the marks `x`, `+` and `#` are ignored.

use shakmaty::{CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::{
    Board, CASTLING, Movement, NO_MARK, PackedPly, Pieces, Snapshot, SpelledMove, between, beyond, lowest,
    plausible::origins,
    square_tables::{KING, LAST_RANKS, NONE, PAWN, mask, slides},
};
use crate::chess::WrittenMove;

/// The text of a move, prepared for playing it in many positions by either side.
#[derive(Clone, Copy, Debug)]
pub struct PreparedMove {
    what: WrittenMove,
    /// The kind of piece, [`NONE`] if the text names none or the move is impossible.
    kind: u8,
    to: u8,
    /// Whether it is a capture by a pawn. Other pieces capture what is there.
    captures: bool,
    promotion: u8,
    /// The squares that the piece may come from.
    origins: u64,
    /// How the piece moves, by side.
    movements: [Movement; 2],
}

impl PreparedMove {
    /// No move: it cannot be played.
    pub const NONE: PreparedMove = PreparedMove {
        what: WrittenMove::Null,
        kind: NONE,
        to: 0,
        captures: false,
        promotion: NONE,
        origins: u64::MAX,
        movements: [Movement::of(NONE); 2],
    };

    /// Prepares a text.
    #[inline]
    pub fn of(what: WrittenMove) -> PreparedMove {
        match what {
            WrittenMove::Normal { role, file, rank, to, promotion } => {
                let captures = role == Role::Pawn && file.is_some_and(|file| file != to.file());
                let prepared = PreparedMove::of_piece(role as u8, to, captures, promotion, what);
                PreparedMove { origins: origins(file, rank), ..prepared }
            }
            _ => PreparedMove::of_piece(NONE, Square::A1, false, None, what),
        }
    }

    /// For a move of a pawn by Black (`black`) or White: the squares that it may come from, and its
    /// target.
    #[inline(always)]
    pub fn of_pawn(&self, black: bool) -> Option<(u64, u64)> {
        let to = usize::from(self.to & 63);
        (self.kind == PAWN).then(|| (self.movements[usize::from(black)].to(to) & self.origins, 1 << to))
    }

    /// Whether the text names no piece: any may make the move.
    #[inline(always)]
    pub const fn is_of_any_piece(&self) -> bool {
        matches!(self.what, WrittenMove::Coordinates { .. })
    }

    #[inline]
    fn of_piece(kind: u8, to: Square, captures: bool, promotion: Option<Role>, what: WrittenMove) -> PreparedMove {
        let (kind, promotion) = match promotion {
            None => (kind, NONE),
            Some(role) if kind == PAWN && !matches!(role, Role::Pawn | Role::King) => (PAWN, role as u8),
            Some(_) => (NONE, NONE),
        };
        let movements = [0, 1].map(|side| Movement::of_mover(kind, side, captures));
        PreparedMove { what, kind, to: to.into(), captures, promotion, origins: u64::MAX, movements }
    }
}

impl Board {
    /// The same position, without counting repetitions.
    pub fn of(position: &Chess) -> Board {
        let mut board = Board::default();
        board.begin_at(position);
        board
    }

    /// Sets the position up, without counting repetitions.
    pub fn begin_at(&mut self, position: &Chess) {
        self.set_up_without_rights(position);
        for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
            for (wing, castling_side) in CastlingSide::ALL.into_iter().enumerate() {
                if let Some(rook) = position.castles().rook(color, castling_side) {
                    let castling = &CASTLING[side][wing][usize::from(self.kings[side] & 7)][rook.file() as usize];
                    self.castling[side][wing] = castling;
                    self.unmoved |= castling.home;
                }
            }
        }
    }

    /// Sets up a later position of a game that has been set up at its start, without the plies
    /// between.
    pub fn continue_at(&mut self, position: &Chess) {
        let castling = self.castling;
        self.set_up_without_rights(position);
        self.castling = castling;
        for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
            for (wing, castling_side) in CastlingSide::ALL.into_iter().enumerate() {
                if position.castles().has(color, castling_side) {
                    self.unmoved |= castling[side][wing].home;
                }
            }
        }
    }

    fn set_up_without_rights(&mut self, position: &Chess) {
        let (roles, colors) = position.board().clone().into_bitboards();
        let pieces = Pieces::of_bitboards(roles, colors);
        self.set_up(&pieces, 0, position.maybe_ep_square(), position.turn().is_black(), false);
    }

    /// Plays the only legal move that a text can mean. `black` is to move.
    ///
    /// Returns `false` if there is none or more than one. After `false` the position is undefined.
    #[inline(always)]
    pub fn play_written(&mut self, written: &PreparedMove, black: bool) -> bool {
        if black { self.play_written_by::<1>(written) } else { self.play_written_by::<0>(written) }
    }

    /// Plays a legal move. `black` is to move. Returns `false` for drops.
    pub fn play_move(&mut self, played: Move, black: bool) -> bool {
        if black { self.play_move_by::<1>(played) } else { self.play_move_by::<0>(played) }
    }

    /// Whether the pieces and castling rights are those of an earlier position.
    #[inline]
    pub fn is_at(&self, earlier: &Snapshot) -> bool {
        self.side == earlier.side && self.mailbox == earlier.mailbox && self.rights() == self.rights_of(earlier.unmoved)
    }

    fn play_move_by<const SIDE: usize>(&mut self, played: Move) -> bool {
        let (kind, from, to, promotion, victim) = match played {
            Move::Normal { role, from, to, promotion, .. } => {
                (role as u8, from, to, promotion.map_or(NONE, |role| role as u8), usize::from(to))
            }
            Move::EnPassant { from, to } => (PAWN, from, to, NONE, usize::from(to) ^ 8),
            Move::Castle { king, rook } => {
                return self.castle::<SIDE, false>(self.castling[SIDE][usize::from(rook < king)], NO_MARK);
            }
            Move::Put { .. } => return false,
        };
        let spelled = SpelledMove { kind, movement: Movement::of(kind), captures: false, promotion, last: NO_MARK };
        self.complete::<SIDE, false>(spelled, usize::from(from), usize::from(to), victim)
    }

    #[inline(always)]
    fn play_written_by<const SIDE: usize>(&mut self, written: &PreparedMove) -> bool {
        let PreparedMove { kind, to, captures, promotion, origins, movements, .. } = *written;
        let (to, movement) = (usize::from(to & 63), movements[SIDE]);
        let candidates = self.pieces[SIDE][usize::from(kind & 7)] & movement.to(to) & origins;
        if candidates == 0 {
            return kind == NONE && self.play_other_text::<SIDE>(written.what);
        }
        let (bit, occupied) = (1_u64 << to, self.occupied());
        // No branches on the kind of piece, which cannot be predicted.
        let [is_own, is_enemy, is_last] = [self.side[SIDE], self.side[1 - SIDE], LAST_RANKS].map(|squares| squares & bit != 0);
        let is_target = !is_own & ((kind != PAWN) | (is_enemy == captures) & !is_last);
        let from = lowest(candidates);
        let is_only = candidates & (candidates - 1) == 0 && between(from, to) & occupied == 0;
        let king = usize::from(self.kings[SIDE] & 63);
        let may_be_pinned = beyond(king, from) & self.sliders[1 - SIDE] != 0;
        if is_only && is_target && promotion == NONE && kind != KING && !self.check && !may_be_pinned {
            let attack = if kind == PAWN { Movement::CAPTURE[1 - SIDE] } else { movement };
            self.make_move::<SIDE>(kind, mask(slides(kind)), PackedPly::of(kind, SIDE), from, to);
            return self.update_check::<SIDE, false>(attack, from, to, NO_MARK);
        }
        self.play_carefully::<SIDE, false>(SpelledMove { kind, movement, captures, promotion, last: NO_MARK }, candidates, to)
    }

    /// Plays a text that does not name a piece and its target.
    #[inline(never)]
    fn play_other_text<const SIDE: usize>(&mut self, what: WrittenMove) -> bool {
        match what {
            WrittenMove::Castle(side) => {
                let wing = usize::from(side == CastlingSide::QueenSide);
                self.castle::<SIDE, false>(self.castling[SIDE][wing], NO_MARK)
            }
            WrittenMove::Coordinates { from, to, promotion } => self.play_coordinates::<SIDE>(from, to, promotion),
            WrittenMove::Normal { .. } | WrittenMove::Null | WrittenMove::Drop { .. } => false,
        }
    }

    /// Plays the move from one square to another. Castling may be written as the king's move or as
    /// the king capturing its rook.
    #[cold]
    fn play_coordinates<const SIDE: usize>(&mut self, from: Square, to: Square, promotion: Option<Role>) -> bool {
        let kind = self.mailbox[usize::from(from)];
        let origin = 1 << u32::from(from) & self.side[SIDE];
        let captures = kind == PAWN && from.file() != to.file();
        let text = PreparedMove::of_piece(kind, to, captures, promotion, WrittenMove::Null);
        if origin == 0 || self.play_written_by::<SIDE>(&PreparedMove { origins: origin, ..text }) {
            return origin != 0;
        }
        let squares = [from, to].map(u8::from);
        let how = self.castling[SIDE]
            .into_iter()
            .find(|how| how.king[0] == squares[0] && (how.king[1] == squares[1] || how.rook[0] == squares[1]));
        kind == KING && how.is_some_and(|how| self.castle::<SIDE, false>(how, NO_MARK))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use shakmaty::{CastlingMode, EnPassantMode, File, Rank, fen::Fen};

    use super::*;
    use crate::chess::{CheckMark, Quirks, SanWord, WrittenSan, resolve};

    /// Positions with castling in all forms, promotions, en passant captures, pins and pieces of
    /// one kind.
    pub const POSITIONS: [&str; 13] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pPpp1ppp/8/4p3/4P3/8/PpPP1PPP/R3K2R w KQkq - 0 1",
        "r3k2r/pPpp1ppp/8/4p3/4P3/8/PpPP1PPP/R3K2R b Kq - 0 1",
        "1n1n1rk1/2P1P3/3Q1Q2/8/3Q1Q2/8/2p1p3/1N1N1RK1 w - - 0 1",
        "4k3/2n1n3/1r3r2/2PpP3/2pPp3/1R3R2/2N1N3/4K3 w - d6 0 1",
        "4k3/8/8/K2pP2r/8/8/2b3B1/8 w - d6 0 1",
        "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1",
        "4r1k1/8/8/1b6/8/3N4/4N3/4K2R w K - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
        "r1r1k3/p7/8/8/8/8/P7/R1R1K3 b Cc - 0 1",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
    ];

    pub fn position(fen: &str) -> Chess {
        let mode = if fen.contains("KQ") || fen.contains("Kq") { CastlingMode::Standard } else { CastlingMode::Chess960 };
        fen.parse::<Fen>().expect(fen).into_position(mode).expect(fen)
    }

    /// Every text of a move.
    fn texts() -> Vec<WrittenMove> {
        let mut texts = vec![
            WrittenMove::Null,
            WrittenMove::Castle(CastlingSide::KingSide),
            WrittenMove::Castle(CastlingSide::QueenSide),
            WrittenMove::Drop { role: Role::Knight, to: Square::E5 },
        ];
        let promotions = [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King), Some(Role::Pawn)];
        for (to, promotion) in Square::ALL.into_iter().flat_map(|to| promotions.map(|promotion| (to, promotion))) {
            texts.extend(Square::ALL.map(|from| WrittenMove::Coordinates { from, to, promotion }));
            for role in Role::ALL {
                for file in File::ALL.into_iter().map(Some).chain([None]) {
                    let ranks = Rank::ALL.into_iter().map(Some).chain([None]);
                    texts.extend(ranks.map(|rank| WrittenMove::Normal { role, file, rank, to, promotion }));
                }
            }
        }
        texts
    }

    /// Every text means the same move as for `resolve`, and the position after it is the same.
    fn agrees(chess: &Chess, texts: &[WrittenMove]) -> usize {
        let board = Board::of(chess);
        let before = board.snapshot();
        let mut played = 0;
        let mut scratch = board.clone();
        for &what in texts {
            let written = WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE };
            let resolved = resolve(chess, chess.checkers(), &written).map(|resolved| resolved.played);
            scratch.restore(&before);
            let fen = Fen::from_position(chess, EnPassantMode::Always);
            assert_eq!(
                scratch.play_written(&PreparedMove::of(what), chess.turn().is_black()),
                resolved.is_some(),
                "{what:?} in {fen}"
            );
            let Some(expected) = resolved else { continue };
            played += 1;
            let mut after = chess.clone();
            after.play_unchecked(expected);
            let meant = Board::of(&after).snapshot();
            let is_after = |board: &Board| {
                let shown = (board.is_check(), board.en_passant_square());
                board.is_at(&meant) && shown == (after.is_check(), after.maybe_ep_square())
            };
            assert!(is_after(&scratch), "{what:?} in {fen}");
            assert_eq!(scratch.has_captured(), expected.is_capture(), "{what:?} in {fen}");
            scratch.restore(&before);
            assert!(scratch.play_move(expected, chess.turn().is_black()) && is_after(&scratch), "{expected:?} in {fen}");
        }
        played
    }

    #[test]
    fn moves_mean_the_same_on_both_boards() {
        let texts = texts();
        let mut state = 7_usize;
        let mut played = 0;
        for fen in POSITIONS {
            let mut chess = position(fen);
            for ply in 0..60 {
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // All texts are tried from time to time.
                let some = if ply % 4 == 0 { 1 } else { 13 };
                let chosen: Vec<WrittenMove> = texts.iter().skip(ply % some).step_by(some).copied().collect();
                played += agrees(&chess, &chosen);
                state = state.wrapping_mul(0x5DEE_CE66D).wrapping_add(11) & 0xFFFF_FFFF_FFFF;
                chess.play_unchecked(moves[(state >> 17) % moves.len()]);
            }
        }
        assert!(played > 15_000, "{played} moves");
    }

    /// The first two rooks by square are one that reaches the target and one that does not.
    #[test]
    fn a_third_piece_makes_a_move_ambiguous() {
        let board = Board::of(&position("3R4/7k/8/8/RP6/8/8/3R2K1 w - - 0 1"));
        let plays = |text: &[u8; 8], length| board.clone().play::<0, false>(SanWord::of(u64::from_le_bytes(*text), length));
        assert!(!plays(b"Rd4     ", 3) && plays(b"R1d4    ", 4) && plays(b"R8d4    ", 4));
    }

    #[test]
    fn positions_with_other_rights_or_pieces_are_others() {
        let with_rights = Board::of(&position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
        let fewer = Board::of(&position("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"));
        assert!(with_rights.is_at(&with_rights.snapshot()) && !with_rights.is_at(&fewer.snapshot()));
        let moved = Board::of(&position("r3k2r/8/8/8/8/8/8/1R2K2R w Kkq - 0 1"));
        assert!(!moved.is_at(&with_rights.snapshot()));
    }
}
