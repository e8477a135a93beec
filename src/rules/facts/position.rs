//! Positions as written.

use std::num::NonZeroU32;

use memchr::memmem;
use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, Chess, Color, File, FromSetup, Position, PositionError, Rank, Setup, Square, attacks,
};

use crate::{
    chess::{
        FenText, Pieces, Variant,
        fen::{self, CastlingLetter, CastlingSpelling, CastlingText, PlacementNotes, RightReading, Tail},
        retro::{ANY_START, Effort, HomeRank, KnownHistory, LastMoves, STANDARD_START, StartingRanks, Structure},
        role_name,
    },
    epd::{Opcode, Operations},
    rules::{Span, StartShown},
    text::wording::join_and,
};

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of a FEN or EPD file.
    Line,
    /// The value of a FEN tag.
    FenTag,
    /// A position that the moves of a game reach. Nobody has written it, so only rules about the
    /// board and the moves apply. Its en passant square is set after every double step, and its
    /// counters count the moves.
    Replayed {
        /// Whether the game began in the standard starting position rather than the position of a
        /// FEN tag. Then it is a game of standard chess, and the counters are correct.
        from_start: bool,
    },
}

/// What the user and the tags around a position say about it, and how much is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The user declares that the game is standard chess.
    pub standard: bool,
    /// The game is declared to be Chess960.
    pub chess960: bool,
    /// The two sides may have different starting positions: the game is declared to be double
    /// Chess960, or Chess960 of either kind.
    pub double_chess960: bool,
    /// The game is declared to be a variant other than chess and Chess960.
    pub other_variant: bool,
    /// The game begins in a position that was set up, so that nothing shows how it arose.
    pub set_up: bool,
    /// The 75-move rule applies: the game has a date from July 2014 on.
    pub seventy_five_move_rule: bool,
    /// How much is searched before it is left open whether a game can lead to the position.
    pub effort: Effort,
}

impl Declared {
    /// What is known of a record if the user declares its variant.
    pub fn by_user(variant: Option<Variant>) -> Declared {
        let chess960 = variant == Some(Variant::Chess960);
        let other_variant = variant.is_some_and(|variant| !variant.follows_laws());
        let set_up = variant == Some(Variant::Shuffle);
        let standard = variant == Some(Variant::Standard);
        Declared { standard, chess960, double_chess960: chess960, other_variant, set_up, ..Declared::default() }
    }
}

/// A castling right as claimed, and what it means on the board.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedRight {
    /// The letter as written.
    pub letter: CastlingLetter,
    /// What it means on the board.
    pub reading: RightReading,
}

/// A position as written, and what it means as far as it can be read.
#[derive(Clone, Debug)]
pub struct PositionFacts<'a> {
    /// The text that the spans are offsets in.
    pub text: &'a [u8],
    /// The bytes of `text` that contain the position.
    pub place: Span,
    /// Where the position comes from.
    pub origin: Origin,
    /// What the tags around it say.
    pub declared: Declared,
    /// Its fields.
    pub fen: FenText,
    /// What is unusual in the piece placement.
    pub placement_notes: PlacementNotes,
    /// The board, which may be illegal; `None` where the placement cannot be read.
    pub board: Option<Board>,
    /// The side to move, where it can be read.
    pub turn: Option<Color>,
    /// Castling availability.
    pub castling: CastlingText,
    /// The en passant target square: `None` where the field is missing or cannot be read,
    /// `Some(None)` for `-`.
    pub en_passant: Option<Option<Square>>,
    /// The halfmove clock, where it can be read: the field, or without one the operation `hmvc`.
    pub halfmove_clock: Option<u64>,
    /// The fullmove number, where it can be read: the field, or without one the operation `fmvn`.
    pub fullmove_number: Option<u64>,
    /// The operands of `hmvc` and `fmvn`, if these give the counters.
    counter_operands: [Option<Span>; 2],
    /// The king of each colour that has exactly one.
    pub kings: ByColor<Option<Square>>,
    /// The pieces, kings excluded, that attack the king of each colour. Empty for a colour that
    /// does not have exactly one king.
    pub checkers: ByColor<Bitboard>,
    rights: [Option<ClaimedRight>; 4],
    /// Whether rights that fit only Chess960 prove that king and rook have not moved.
    pub(super) trusts_exceptions: bool,
    /// Whether the castling rights fit a starting position of Chess960 or double Chess960, but not
    /// the standard one.
    pub only_chess960: bool,
    /// Whether the position is a starting position of Chess960 or double Chess960 other than the
    /// standard one.
    pub is_other_start: bool,
    /// How castling is read.
    pub mode: CastlingMode,
    /// The position as a game can be played from it, if that is possible at all.
    pub start: Option<Chess>,
}

impl<'a> PositionFacts<'a> {
    /// Reads the position in the bytes `place` of `text`.
    pub fn read(text: &'a [u8], place: Span, origin: Origin, declared: Declared) -> PositionFacts<'a> {
        let fields = FenText::split(text, place, origin == Origin::FenTag);
        let (board, placement_notes) =
            fields.placement().map(|span| fen::read_placement(span.of(text))).unwrap_or((None, PlacementNotes::default()));
        let mut facts = PositionFacts {
            text,
            place,
            origin,
            declared,
            fen: fields,
            placement_notes,
            board,
            turn: fields.turn().and_then(|span| fen::read_turn(span.of(text))),
            castling: fields.castling().map(|span| CastlingText::read(span.of(text))).unwrap_or_default(),
            en_passant: fields.en_passant().and_then(|span| fen::read_en_passant(span.of(text))),
            halfmove_clock: fields.halfmove_clock().and_then(|span| fen::read_counter(span.of(text))),
            // A lone number may also be the clock.
            fullmove_number: fields
                .fullmove_number()
                .filter(|_| !fields.may_lack_clock())
                .and_then(|span| fen::read_counter(span.of(text))),
            counter_operands: [None; 2],
            kings: ByColor::default(),
            checkers: ByColor { black: Bitboard::EMPTY, white: Bitboard::EMPTY },
            rights: [None; 4],
            trusts_exceptions: true,
            only_chess960: false,
            is_other_start: false,
            mode: fen::mode_of(declared.chess960),
            start: None,
        };
        if origin == Origin::Line && fields.count() == 4 && fields.tail_kind == Tail::Operations {
            facts.read_counters_of_operations();
        }
        facts.derive();
        facts
    }

    fn read_counters_of_operations(&mut self) {
        let tail = self.fen.tail.of(self.text);
        if memmem::find(tail, b"hmvc").is_none() && memmem::find(tail, b"fmvn").is_none() {
            return;
        }
        let operations = Operations::split(self.text, self.fen.tail);
        let counter = |opcode| {
            let operation = operations.first(opcode)?;
            let value = u64::try_from(operation.integer(self.text)?).ok()?;
            Some((value, operation.operands))
        };
        // EPD07 reports a number of 0.
        let (clock, number) = (counter(Opcode::Hmvc), counter(Opcode::Fmvn).filter(|(value, _)| *value > 0));
        self.counter_operands = [clock, number].map(|counter| counter.map(|(_, place)| place));
        (self.halfmove_clock, self.fullmove_number) = (clock.map(|(value, _)| value), number.map(|(value, _)| value));
    }

    /// The place of the halfmove clock.
    pub fn clock_place(&self) -> Option<Span> {
        self.fen.halfmove_clock().or(self.counter_operands[0])
    }

    /// The place of the fullmove number.
    pub fn number_place(&self) -> Option<Span> {
        self.fen.fullmove_number().or(self.counter_operands[1])
    }

    /// Whether operations give a counter.
    pub fn has_counter_operations(&self) -> bool {
        self.counter_operands != [None; 2]
    }

    fn derive(&mut self) {
        let Some(board) = &self.board else { return };
        for color in Color::ALL {
            let kings = board.kings() & board.by_color(color);
            if let Some(king) = kings.single_square() {
                *self.kings.get_mut(color) = Some(king);
                *self.checkers.get_mut(color) = fen::checkers(board, king, color);
            }
        }
        for (right, letter) in self.rights.iter_mut().zip(self.castling.letters()) {
            if let Some(king) = *self.kings.get(letter.color()) {
                *right = Some(ClaimedRight { letter, reading: fen::read_right(board, king, letter) });
            }
        }
        // A king castles with one rook on each side. Of two rooks on one side, at most one can be
        // on its starting square.
        for color in Color::ALL {
            let Some(king) = *self.kings.get(color) else { continue };
            let claimed = self.rights.iter().flatten().filter(|claimed| claimed.letter.color() == color);
            // Two letters may mean one rook.
            let rooks: Bitboard = claimed.filter_map(|claimed| claimed.reading.rook()).collect();
            let left = rooks.into_iter().filter(|rook| *rook < king).count();
            if left > 1 || rooks.count() - left > 1 {
                for claimed in self.rights.iter_mut().flatten().filter(|claimed| claimed.letter.color() == color) {
                    claimed.reading = RightReading::KingNotHome;
                }
            }
        }
        // With all pieces on the board and all pawns at home, the clock counts every ply. If it is
        // above 0, the pieces may have moved to these squares.
        self.is_other_start = is_chess960_start(board) && matches!(self.halfmove_clock, None | Some(0));
        let unfit = self.rights.iter().flatten().any(|claimed| claimed.reading.rook().is_none());
        let chess960 = self.rights.iter().flatten().any(|claimed| matches!(claimed.reading, RightReading::Chess960(_)));
        self.only_chess960 = chess960 && !unfit;
        self.mode = fen::mode_of(chess960 || self.declared.chess960);
        self.start = self.playable();
    }

    /// The position to play from. Faults that do not affect a replay are ignored.
    fn playable(&self) -> Option<Chess> {
        if self.declared.other_variant {
            return None;
        }
        let castling_rights = self.rights().filter_map(|claimed| claimed.reading.rook()).collect();
        let counter = |value: Option<u64>| u32::try_from(value.unwrap_or(0)).unwrap_or(u32::MAX);
        let setup = Setup {
            board: self.board.clone()?,
            promoted: Bitboard::EMPTY,
            pockets: None,
            turn: self.turn?,
            castling_rights,
            ep_square: self.en_passant.flatten(),
            remaining_checks: None,
            halfmoves: counter(self.halfmove_clock),
            fullmoves: NonZeroU32::new(counter(self.fullmove_number)).unwrap_or(NonZeroU32::MIN),
        };
        Chess::from_setup(setup, self.mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// The castling rights as claimed, of colours that have exactly one king.
    pub fn rights(&self) -> impl Iterator<Item = ClaimedRight> + '_ {
        self.rights.iter().flatten().copied()
    }

    /// The place of a castling letter.
    pub fn letter_place(&self, letter: CastlingLetter) -> Span {
        let start = self.fen.castling().unwrap_or_default().start + usize::from(letter.offset);
        Span::new(start, start + 1)
    }

    /// The claimed castling rights that the squares of king and rooks allow, as a FEN field.
    pub fn allowed_castling(&self) -> String {
        let allowed = self.rights().filter(|claimed| claimed.reading.rook().is_some());
        castling_field(allowed.map(|claimed| claimed.letter.letter))
    }

    /// Whether a side may have a castling right, in any starting position of Chess960.
    pub fn allows_castling(&self) -> bool {
        let Some(board) = &self.board else { return true };
        Color::ALL.into_iter().any(|color| {
            let back_rank = color.fold_wb(Rank::First, Rank::Eighth);
            let rooks = board.rooks() & board.by_color(color) & Bitboard::from_rank(back_rank);
            let is_home = |king: Square| king.rank() == back_rank && !matches!(king.file(), File::A | File::H);
            self.kings.get(color).is_none_or(|king| is_home(king) && rooks.any())
        })
    }

    /// Whether a castling right with this letter fits the board.
    pub fn fits_castling(&self, letter: u8) -> bool {
        let letter = CastlingLetter { letter, offset: 0 };
        let king = *self.kings.get(letter.color());
        self.board.as_ref().zip(king).is_some_and(|(board, king)| fen::read_right(board, king, letter).rook().is_some())
    }

    /// Whether the position can be the start of a game at odds: one side has all its pieces and
    /// pawns on their starting squares, the other has its king but lacks others.
    pub fn is_odds_start(&self) -> bool {
        let Some(board) = &self.board else { return false };
        let standard = Board::new();
        let (lacking, complete) =
            if board.white() == standard.white() { (Color::Black, Color::White) } else { (Color::White, Color::Black) };
        let at_home =
            |color: Color| board.by_color(color).into_iter().all(|square| board.piece_at(square) == standard.piece_at(square));
        board.by_color(complete) == standard.by_color(complete)
            && board.by_color(lacking) != standard.by_color(lacking)
            && self.kings.get(lacking).is_some()
            && at_home(Color::White)
            && at_home(Color::Black)
    }

    /// Whether the position can be the start of a game at odds, and its counters do not say that a
    /// move has been made.
    pub fn begins_at_odds(&self) -> bool {
        self.halfmove_clock.is_none_or(|clock| clock == 0)
            && self.fullmove_number.is_none_or(|number| number <= 1)
            && self.is_odds_start()
    }

    /// Whether the counters are defaults that programs write without counting: `0 1`, `1 0`, `0 0`
    /// or `1 1`. A halfmove clock that is missing or unreadable counts as a default.
    pub fn has_default_counters(&self) -> bool {
        self.fullmove_number.is_some_and(|number| number <= 1) && self.halfmove_clock.is_none_or(|clock| clock <= 1)
    }

    /// The number of moves that each side has made according to the fullmove number.
    pub fn moves_made(&self) -> Option<ByColor<u64>> {
        let black = self.fullmove_number?.checked_sub(1)?;
        Some(ByColor { black, white: black.saturating_add(self.turn?.fold_wb(0, 1)) })
    }

    /// What a counter without the other one, or two spaces before the counters, show about the
    /// input.
    pub fn lone_counter(&self) -> Option<LoneCounter> {
        let fen = &self.fen;
        if fen.may_lack_clock() {
            let is_zero = fen.fullmove_number().is_some_and(|number| number.of(self.text) == b"0");
            return Some(if is_zero { LoneCounter::Clock } else { LoneCounter::AfterGap });
        }
        let (en_passant, clock) = fen.en_passant().zip(fen.halfmove_clock())?;
        let has_gap = clock.start - en_passant.end > 1;
        (self.halfmove_clock.is_some() && (has_gap || fen.count() == 5)).then_some(LoneCounter::Clock)
    }

    /// Whether a lone number after two spaces cannot be the halfmove clock: a pawn has just moved,
    /// so the clock is 0.
    pub fn has_empty_clock(&self) -> bool {
        let has_moved_pawn = || {
            let pawns = self.board.as_ref().map_or(Bitboard::EMPTY, |board| board.pawns());
            self.sound_en_passant().is_some() || (self.own_checkers() & pawns).any()
        };
        self.lone_counter() == Some(LoneCounter::AfterGap) && has_moved_pawn()
    }

    /// What the en passant field shows about the convention that its writer follows, if anything.
    pub fn en_passant_use(&self) -> Option<EnPassantUse> {
        match self.en_passant? {
            Some(_) => {
                let en_passant = self.sound_en_passant()?;
                Some(if !self.can_be_attacked(en_passant) {
                    EnPassantUse::Unattacked
                } else if self.can_be_captured(en_passant) {
                    EnPassantUse::Legal
                } else {
                    EnPassantUse::Illegal
                })
            }
            None => self.leaves_out_en_passant().then_some(EnPassantUse::LeftOut),
        }
    }

    /// Whether the last move was certainly a double step, no pawn attacks the en passant square,
    /// and the field leaves that square out.
    ///
    /// It is certain if all 32 pieces and pawns are on the board, and the side that has just moved
    /// has made as many moves as it has pawns on its fourth rank, with all its other pawns at home.
    /// Each of these pawns has then moved exactly once and no other piece has moved, so all moves
    /// of that side were double steps.
    fn leaves_out_en_passant(&self) -> bool {
        let (Some(board), Some(turn), Some(0)) = (&self.board, self.turn, self.halfmove_clock) else { return false };
        let Some(moves) = self.moves_made() else { return false };
        let mover = !turn;
        let moves = *moves.get(mover);
        if !(1..=8).contains(&moves) || board.occupied().count() != 32 {
            return false;
        }
        let pawns = board.by_piece(mover.pawn());
        let home = Bitboard::from_rank(mover.fold_wb(Rank::Second, Rank::Seventh));
        let advanced = pawns & Bitboard::from_rank(mover.fold_wb(Rank::Fourth, Rank::Fifth));
        let enemies = board.by_piece(turn.pawn());
        let passed = advanced.shift(mover.fold_wb(-8, 8));
        let attacked = passed.into_iter().any(|square| (attacks::pawn_attacks(mover, square) & enemies).any());
        pawns.is_subset(home | advanced) && advanced.count() as u64 == moves && !attacked
    }

    /// Whether a side has no king, although the board can be read and no tag names a variant.
    pub fn lacks_king(&self) -> bool {
        !self.declared.other_variant
            && self
                .board
                .as_ref()
                .is_some_and(|board| Color::ALL.into_iter().any(|color| (board.kings() & board.by_color(color)).is_empty()))
    }

    /// Whether any field looks like a piece placement, even a faulty one.
    pub fn has_placement(&self) -> bool {
        let is_placement = |word: &[u8]| {
            let is_rank = word.len() >= 8 || memchr::memchr(b'/', word).is_some();
            let known = word.iter().filter(|byte| b"pnbrqkPNBRQK12345678/".contains(byte)).count();
            let has_squares = word.iter().any(|byte| matches!(byte, b'/' | b'1'..=b'8'));
            is_rank && (known == word.len() || known * 4 >= word.len() * 3 && has_squares)
        };
        self.board.is_some() || self.place.of(self.text).split(u8::is_ascii_whitespace).any(is_placement)
    }

    /// The place in the text of the piece on `square`.
    pub fn square_place(&self, square: Square) -> Span {
        self.fen.placement().map_or(self.place, |placement| fen::place_of_square(self.text, placement, square))
    }

    /// The place of the piece placement.
    pub fn placement_place(&self) -> Span {
        self.fen.placement().unwrap_or(self.place)
    }

    /// Whether the castling field can be read.
    pub fn castling_is_readable(&self) -> bool {
        self.fen.castling().is_some() && self.castling.spelling != CastlingSpelling::Unreadable
    }

    /// The pieces that give check to the side to move.
    pub fn own_checkers(&self) -> Bitboard {
        self.turn.map_or(Bitboard::EMPTY, |turn| *self.checkers.get(turn))
    }

    /// The en passant target square, if it fits the board: its rank is right, the pawn is there,
    /// and the squares that the pawn came over are empty.
    pub fn sound_en_passant(&self) -> Option<EnPassant> {
        let en_passant = self.en_passant()?;
        let board = self.board.as_ref()?;
        let pushed = board.by_piece((!en_passant.turn).pawn()).contains(en_passant.pawn);
        let free = !board.occupied().contains(en_passant.target) && !board.occupied().contains(en_passant.origin);
        (en_passant.right_rank && pushed && free).then_some(en_passant)
    }

    /// The en passant target square and the squares around it.
    pub fn en_passant(&self) -> Option<EnPassant> {
        let target = self.en_passant.flatten()?;
        let turn = self.turn?;
        // The rank of the target shows which side made the double step. Whether that is the side
        // not to move is checked by `right_rank`.
        let (pawn, origin) = if target.rank() == shakmaty::Rank::Third { (8, -8) } else { (-8, 8) };
        Some(EnPassant {
            target,
            turn,
            right_rank: target.rank() == turn.fold_wb(shakmaty::Rank::Sixth, shakmaty::Rank::Third),
            pawn: target.offset(pawn)?,
            origin: target.offset(origin)?,
        })
    }

    /// Whether a pawn of the side to move attacks the target square.
    pub fn can_be_attacked(&self, en_passant: EnPassant) -> bool {
        self.board.as_ref().is_some_and(|board| {
            (attacks::pawn_attacks(!en_passant.turn, en_passant.target) & board.by_piece(en_passant.turn.pawn())).any()
        })
    }

    /// Whether an en passant capture is legal.
    pub fn can_be_captured(&self, en_passant: EnPassant) -> bool {
        self.can_be_attacked(en_passant) && self.start.as_ref().is_none_or(|start| start.legal_ep_square().is_some())
    }

    /// The moves that can have led to the position. Castling is possible as in Chess960.
    pub fn last_moves(&self) -> Option<LastMoves> {
        self.last_moves_with(self.turn?, self.sound_en_passant())
    }

    /// The moves that can have led to the position if the other side is to move. `None` also if the
    /// side that is to move now would have left its king in check.
    pub fn last_moves_of_other_side(&self) -> Option<LastMoves> {
        let turn = self.turn?;
        self.last_moves_with(!turn, None).filter(|_| self.own_checkers().is_empty())
    }

    fn last_moves_with(&self, turn: Color, en_passant: Option<EnPassant>) -> Option<LastMoves> {
        let known = KnownHistory {
            unmoved: self.unmoved(),
            double_step: en_passant.map(|en_passant| (en_passant.origin, en_passant.pawn)),
            start: ANY_START,
        };
        LastMoves::new(self.board.as_ref()?, turn, known)
    }

    /// What pawns and blocked squares show about the position, if the game began in `start`.
    pub fn structure(&self, start: &StartingRanks) -> Option<Structure> {
        Some(Structure::new(self.board.as_ref()?, self.unmoved(), start).with_effort(self.declared.effort))
    }

    /// The starting positions other than the standard one that fit the castling rights. Each side
    /// is tried independently, for double Chess960. A side without both rights can have begun
    /// anywhere.
    pub fn other_starts(&self) -> impl Iterator<Item = StartingRanks> + '_ {
        let ranks = |color: Color| -> Vec<Option<HomeRank>> {
            let rights = self.rights().filter(|claimed| claimed.letter.color() == color);
            if rights.filter(|claimed| matches!(claimed.reading, RightReading::Standard(_))).count() == 2 {
                HomeRank::all_with_standard_castling().map(Some).collect()
            } else {
                vec![None]
            }
        };
        let black = ranks(Color::Black);
        let pairs =
            ranks(Color::White).into_iter().flat_map(move |white| black.clone().into_iter().map(move |black| (white, black)));
        pairs.map(|(white, black)| StartingRanks { white, black }).filter(|start| *start != STANDARD_START)
    }

    /// Whether the game can have begun in the standard starting position.
    pub fn can_be_from_standard_start(&self) -> bool {
        self.mode == CastlingMode::Standard && !self.declared.chess960 && !self.is_other_start
    }

    /// What the position shows about the starting position of its game. Rook files (`HAha`) are the
    /// notation of Chess960 and do not show the standard starting position.
    pub fn start_shown(&self) -> StartShown {
        let standard = |color: Color| {
            let is_standard = |claimed: &ClaimedRight| {
                matches!(claimed.reading, RightReading::Standard(_)) && b"KQkq".contains(&claimed.letter.letter)
            };
            self.rights().filter(is_standard).filter(|claimed| claimed.letter.color() == color).count()
        };
        if self.declared.chess960 || self.origin == Origin::FenTag && self.is_other_start && self.begins_game() {
            StartShown::DeclaredChess960
        } else if self.only_chess960 || self.is_other_start {
            StartShown::OnlyChess960
        } else if self.mode != CastlingMode::Standard {
            StartShown::Nothing
        } else {
            let rights = [Color::White, Color::Black].map(standard);
            match &self.board {
                Some(board) if rights != [0, 0] => {
                    let (roles, colors) = board.clone().into_bitboards();
                    StartShown::by_rights(&Pieces::of_bitboards(roles, colors), rights.map(|count| count > 0), rights == [2, 2])
                }
                _ => StartShown::Nothing,
            }
        }
    }

    /// Whether White is to move and the counters say that no move has been made.
    fn begins_game(&self) -> bool {
        self.turn == Some(Color::White) && self.halfmove_clock == Some(0) && self.fullmove_number == Some(1)
    }

    /// Names a piece and its square: `the rook on e2`.
    pub fn name_of(&self, square: Square) -> String {
        match self.board.as_ref().and_then(|board| board.role_at(square)) {
            Some(role) => format!("the {} on {square}", role_name(role)),
            None => square.to_string(),
        }
    }

    /// Names pieces and their squares: `the rook on e2 and the pawn on d3`.
    pub fn names_of(&self, squares: Bitboard) -> String {
        join_and(&squares.into_iter().map(|square| self.name_of(square)).collect::<Vec<_>>())
    }
}

/// Castling letters as a FEN field: White before Black, `K` before `Q`, then rook files in the
/// order of `letters`.
pub fn castling_field(letters: impl IntoIterator<Item = u8>) -> String {
    let mut letters: Vec<char> = letters.into_iter().map(char::from).collect();
    letters.sort_by_key(|letter| "KQ?kq".find(*letter).unwrap_or(if letter.is_ascii_uppercase() { 2 } else { 5 }));
    if letters.is_empty() { "-".to_owned() } else { letters.into_iter().collect() }
}

/// Whether the board is a starting position of Chess960 or double Chess960 other than the standard
/// one.
fn is_chess960_start(board: &Board) -> bool {
    let standard = Board::new();
    board.pawns() == standard.pawns()
        && *board != standard
        && Color::ALL.into_iter().all(|color| {
            let back = Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth));
            let of = |pieces: Bitboard| pieces & back & board.by_color(color);
            let (rooks, bishops, king) = (of(board.rooks()), of(board.bishops()), of(board.kings()));
            let counts = [king, of(board.queens()), rooks, bishops, of(board.knights())].map(Bitboard::count);
            counts == [1, 1, 2, 2, 2]
                && (bishops & Bitboard::LIGHT_SQUARES).count() == 1
                && rooks.first() < king.first()
                && king.first() < rooks.last()
        })
}

/// What the counters of a line show about an empty halfmove clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoneCounter {
    /// Two spaces come before the only number: the clock may be empty.
    AfterGap,
    /// The clock is given without a fullmove number, or after two spaces.
    Clock,
}

/// What an en passant field shows about the convention that its writer follows. If a capture is
/// legal, all conventions give the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassantUse {
    /// A square is given that no pawn attacks: the writer gives it after every double step.
    Unattacked,
    /// A square is given on which every capture is illegal: the writer gives it at least if a pawn
    /// attacks it.
    Illegal,
    /// A square is given on which a capture is legal.
    Legal,
    /// A square that no pawn attacks is left out: the writer does not give it after every double
    /// step.
    LeftOut,
}

/// An en passant target square and the squares around it.
#[derive(Clone, Copy, Debug)]
pub struct EnPassant {
    /// The square as written.
    pub target: Square,
    /// The side to move.
    pub turn: Color,
    /// Whether the target is on rank 6 with White to move, or on rank 3 with Black to move.
    pub right_rank: bool,
    /// The square of the pawn that made the double step.
    pub pawn: Square,
    /// The square that the pawn came from.
    pub origin: Square,
}
