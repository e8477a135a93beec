//! Games made at random by legal play: always the same ones for the same number.

use std::collections::HashMap;

use chess_audit::internals::chess::winnability::{cannot_checkmate, is_dead};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Move, Position, Rank, Role, attacks, fen::Fen, san::SanPlus,
    zobrist::Zobrist64,
};

use super::Numbers;

/// By what the moves of a game are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taste {
    /// All alike.
    Any,
    /// Captures and pawn moves, so that games reach bare boards and promotions.
    Trades,
    /// Checks, so that games end in mate.
    Checks,
    /// Castling where it can be had, then all alike.
    Castling,
    /// No captures, so that the board stays full.
    Quiet,
    /// Promotions, and pawns that run for them.
    Promotions,
    /// Pawns that stop one another, then whatever moves behind them.
    Locked,
    /// No captures and no pawn moves: knights, and rooks behind their pawns.
    Shuffles,
    /// Captures by pieces behind unmoved pawns.
    Raids,
    /// En passant captures, best with check, and the steps that allow them.
    EnPassant,
    /// Double checks, and the lines of sliders on which one piece of theirs is before the king.
    DoubleChecks,
    /// White waits until castling gives check; Black's king goes for a walk.
    CastlingChecks,
}

impl Taste {
    /// All of them.
    pub const ALL: [Taste; 12] = [
        Taste::Any,
        Taste::Trades,
        Taste::Checks,
        Taste::Castling,
        Taste::Quiet,
        Taste::Promotions,
        Taste::Locked,
        Taste::Shuffles,
        Taste::Raids,
        Taste::EnPassant,
        Taste::DoubleChecks,
        Taste::CastlingChecks,
    ];

    /// One in so many moves is chosen among all.
    const fn lapse(self) -> usize {
        match self {
            Taste::Trades | Taste::Checks | Taste::Castling | Taste::Quiet | Taste::Promotions => 5,
            _ => 50,
        }
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    pub number: usize,
    /// The position in which it begins, where that is not the usual one: a start position of
    /// Chess960.
    pub fen: Option<String>,
    pub start: Chess,
    pub moves: Vec<Move>,
    /// The moves in canonical spelling, marks of check included.
    pub sans: Vec<String>,
    pub end: Chess,
    pub result: &'static str,
}

/// A game written out.
#[derive(Clone, Debug)]
pub struct Written {
    pub text: String,
    /// Plies of the main line and of all variations.
    pub plies: u64,
}

/// A player's name that is like no other one, for each number.
pub fn unlike_name(number: usize) -> String {
    let syllable = |place: usize| [char::from(b"bcdfghjklmnpqrst"[number >> (4 * place) & 15]), 'a'];
    format!("Z{}, X", (0..5).flat_map(syllable).collect::<String>())
}

/// The games that numbers from 0 on stand for.
pub fn games(count: usize) -> Vec<Game> {
    (0..count).map(game).collect()
}

/// The game that `number` stands for.
pub fn game(number: usize) -> Game {
    let mut numbers = Numbers::new(number as u64 + 1);
    for _ in 0..8 {
        numbers.below(2);
    }
    let fen = (number % 8 == 7).then(|| chess960(&mut numbers));
    let start = match &fen {
        Some(fen) => position(fen),
        None => Chess::default(),
    };
    let taste = [Taste::Any, Taste::Trades, Taste::Checks, Taste::Castling][numbers.below(4)];
    let most = match numbers.below(10) {
        0 => 400,
        1..=3 => 80 + numbers.below(120),
        _ => numbers.below(80),
    };
    let mut end = start.clone();
    let (mut moves, mut sans) = (Vec::new(), Vec::new());
    let mut stood: HashMap<Zobrist64, u32> = HashMap::new();
    // The fifth time that a position stands on the board ends a game as mate does.
    while moves.len() < most
        && *stood.entry(end.zobrist_hash(EnPassantMode::Legal)).and_modify(|times| *times += 1).or_insert(1) < 5
        && let Some(played) = choose(&end, taste, &mut numbers)
    {
        sans.push(SanPlus::from_move_and_play_unchecked(&mut end, played).to_string());
        moves.push(played);
    }
    // The last position of a game of the maximum length was not counted.
    let before = stood.get(&end.zobrist_hash(EnPassantMode::Legal)).copied().unwrap_or_default();
    let is_fifth = before + u32::from(moves.len() == most) >= 5;
    let result = result(&end, moves.len(), is_fifth, &mut numbers);
    Game { number, fen, start, moves, sans, end, result }
}

/// The position that a FEN stands for.
pub fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("the FEN is well formed");
    fen.into_position(CastlingMode::Chess960).expect("the FEN is legal")
}

/// A position as a FEN, the en passant square only where a capture is legal.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A starting position of Chess960.
pub fn chess960(numbers: &mut Numbers) -> String {
    let black = back_rank(numbers);
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase())
}

/// A starting position of double Chess960: each side has a starting position of its own.
pub fn double_chess960(numbers: &mut Numbers) -> String {
    let black = back_rank(numbers);
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", back_rank(numbers).to_uppercase())
}

fn back_rank(numbers: &mut Numbers) -> String {
    let mut rank = [None; 8];
    rank[2 * numbers.below(4)] = Some('b');
    rank[2 * numbers.below(4) + 1] = Some('b');
    for piece in ['q', 'n', 'n'] {
        let free: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
        rank[free[numbers.below(free.len())]] = Some(piece);
    }
    let mut rest = ['r', 'k', 'r'].into_iter();
    rank.into_iter().map(|piece| piece.or_else(|| rest.next()).expect("eight pieces")).collect()
}

/// The next move of a game, unless it is over. The 75-move rule ends a game as mate does.
pub fn choose(position: &Chess, taste: Taste, numbers: &mut Numbers) -> Option<Move> {
    if position.halfmoves() >= 150 || is_dead(position) {
        return None;
    }
    let legal = position.legal_moves();
    if legal.is_empty() {
        return None;
    }
    let of = |wanted: &dyn Fn(Move) -> bool| legal.iter().copied().filter(|&m| wanted(m)).collect::<Vec<Move>>();
    let pawn = |m: Move| m.role() == Role::Pawn;
    let preferred: Vec<Move> = match taste {
        Taste::Any => Vec::new(),
        _ if numbers.below(taste.lapse()) == 0 => Vec::new(),
        Taste::Trades => of(&|m| m.is_capture() || pawn(m)),
        Taste::Checks => of(&|m| checkers_after(position, m) > 0),
        Taste::Castling => of(&|m| m.is_castle()),
        Taste::Quiet => of(&|m| !m.is_capture()),
        Taste::Promotions => first_of([of(&|m| m.is_promotion()), of(&|m| pawn(m) && m.capture() != Some(Role::Pawn))]),
        Taste::Locked => {
            let theirs = position.board().pawns() & position.them();
            let ahead = position.turn().fold_wb(8, -8);
            let stops = |m: Move| pawn(m) && m.to().offset(ahead).is_some_and(|square| theirs.contains(square));
            first_of([of(&|m| !m.is_capture() && stops(m)), of(&|m| !m.is_capture() && !pawn(m))])
        }
        Taste::Shuffles => of(&|m| !m.is_capture() && !pawn(m)),
        Taste::Raids => first_of([of(&|m| m.is_capture() && !pawn(m)), of(&|m| !pawn(m))]),
        Taste::EnPassant => {
            let captures = of(&|m| m.is_en_passant());
            let best = captures.iter().map(|&m| checkers_after(position, m)).max();
            let fifth = position.turn().fold_wb(Rank::Fifth, Rank::Fourth);
            let theirs = position.board().pawns() & position.them();
            let beside = |m: Move| theirs.intersects(attacks::king_attacks(m.to()) & Bitboard::from_rank(m.to().rank()));
            let double = |m: Move| pawn(m) && m.from().is_some_and(|from| from.distance(m.to()) == 2);
            first_of([
                captures.iter().copied().filter(|&m| Some(checkers_after(position, m)) == best).collect(),
                of(&|m| double(m) && beside(m)),
                of(&|m| pawn(m) && m.to().rank() == fifth && !m.is_capture()),
                of(&|m| !double(m) && !m.is_capture()),
            ])
        }
        Taste::DoubleChecks => {
            first_of([of(&|m| checkers_after(position, m) > 1), of(&|m| has_battery(position, m) && !m.is_capture())])
        }
        Taste::CastlingChecks if position.turn() == Color::Black => of(&|m| m.role() == Role::King && !m.is_castle()),
        Taste::CastlingChecks => first_of([
            of(&|m| m.is_castle() && checkers_after(position, m) > 0),
            of(&|m| !matches!(m.role(), Role::King | Role::Rook)),
        ]),
    };
    let preferred = if preferred.is_empty() { &legal[..] } else { &preferred };
    Some(preferred[numbers.below(preferred.len())])
}

/// How many pieces give check after a move.
fn checkers_after(position: &Chess, played: Move) -> usize {
    let mut after = position.clone();
    after.play_unchecked(played);
    after.checkers().count()
}

/// Whether, after a move, a slider of the side that has moved looks at the king through one piece
/// of its own.
fn has_battery(position: &Chess, played: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(played);
    let (board, ours) = (after.board(), after.them());
    let Some(king) = board.king_of(after.turn()) else { return false };
    let none = Bitboard::EMPTY;
    let sliders = (board.rooks_and_queens() & attacks::rook_attacks(king, none))
        | (board.bishops_and_queens() & attacks::bishop_attacks(king, none));
    (sliders & ours).into_iter().any(|slider| {
        let between = attacks::between(slider, king) & board.occupied();
        between.count() == 1 && ours.intersects(between)
    })
}

/// The first of the lists that holds anything.
fn first_of<const N: usize>(lists: [Vec<Move>; N]) -> Vec<Move> {
    lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
}

/// A result that the final position allows.
fn result(end: &Chess, plies: usize, is_fifth: bool, numbers: &mut Numbers) -> &'static str {
    if end.is_checkmate() {
        return end.turn().fold_wb("0-1", "1-0");
    }
    if plies < 10 && !end.is_stalemate() && !is_dead(end) {
        // Decided without play: a forfeit, or something to remark on.
        return "*";
    }
    if end.is_stalemate() || is_dead(end) || end.halfmoves() >= 150 || is_fifth {
        return "1/2-1/2";
    }
    match numbers.below(4) {
        0 if !cannot_checkmate(end, Color::White) => "1-0",
        1 if !cannot_checkmate(end, Color::Black) => "0-1",
        2 => "*",
        _ => "1/2-1/2",
    }
}

impl Game {
    /// The position before each ply.
    pub fn positions(&self) -> impl Iterator<Item = Chess> {
        self.moves.iter().scan(self.start.clone(), |position, &played| {
            let before = position.clone();
            position.play_unchecked(played);
            Some(before)
        })
    }

    /// The position after `plies` plies.
    pub fn position_after(&self, plies: usize) -> Chess {
        let mut position = self.start.clone();
        for &played in &self.moves[..plies] {
            position.play_unchecked(played);
        }
        position
    }

    /// The game in PGN export format, nothing but moves.
    pub fn plain(&self) -> String {
        self.with_moves(&self.sans)
    }

    /// The game with other tokens in place of its moves.
    pub fn with_moves(&self, sans: &[String]) -> String {
        let mut words = Vec::new();
        for (ply, san) in sans.iter().enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            words.push(san.clone());
        }
        self.around(words)
    }

    /// The game in PGN export format, with comments, glyphs and variations here and there.
    pub fn annotated(&self) -> Written {
        let mut numbers = Numbers::new(self.number as u64 + 1_000_003);
        let mut words = Vec::new();
        let mut plies = 0;
        let mut restart = true;
        // Every third game has a clock behind every move.
        let clocked = self.number.is_multiple_of(3);
        let mut clocks = [5400, 5400];
        for (ply, (before, san)) in self.positions().zip(&self.sans).enumerate() {
            number(&mut words, ply, restart);
            words.push(san.clone());
            plies += 1;
            restart = false;
            if clocked {
                let clock = &mut clocks[ply % 2];
                *clock = (*clock + 30usize).saturating_sub(numbers.below(90)).max(1);
                words.push(format!("{{[%clk {}:{:02}:{:02}]}}", *clock / 3600, *clock / 60 % 60, *clock % 60));
                restart = true;
            }
            match numbers.below(24) {
                0 => words.push(format!("${}", 1 + numbers.below(139))),
                1 => {
                    words.extend(["{with", "the", "idea", "of", "(e4)", "or", "1-0}"].map(str::to_owned));
                    restart = true;
                }
                2 => {
                    words.push(if clocked { "{[%eval -0.3]}" } else { "{[%emt 0:00:07] [%eval -0.3]}" }.to_owned());
                    restart = true;
                }
                3 | 4 => {
                    let written = variation(&mut words, before, ply, self.moves[ply], &mut numbers);
                    plies += written;
                    restart = written > 0;
                }
                _ => {}
            }
        }
        let mut text = self.around(words);
        if clocked {
            text = text.replacen("\n\n", "\n[TimeControl \"5400+30\"]\n\n", 1);
        }
        Written { text, plies }
    }

    /// The game with ten rules broken by its tags, commands and a glyph, and mostly one more by a
    /// move that cannot be played.
    pub fn broken(&self) -> String {
        let plain = self.with_moves(&[self.sans.as_slice(), &["Ke5".to_owned()]].concat());
        let (tags, moves) = plain.split_once("\n\n").expect("tags and movetext stand apart");
        let (tags, _) = tags.split_once("[Result").expect("there is a result");
        let tags = tags.replace("[Site \"Nowhere\"]\n", "").replace("2024.01.01", "2024.13.01");
        format!(
            "{tags}[Result \"won\"]\n[Round \"2\"]\n[WhiteElo \"strong\"]\n[ECO \"Z99\"]\n[SetUp \"1\"]\n\n\
             {{[%clk soon] [%eval good]}} $300 {moves}"
        )
    }

    /// Tags before the movetext, the marker behind it, lines of less than 80 characters.
    fn around(&self, mut words: Vec<String>) -> String {
        let mut text = format!(
            "[Event \"Made up\"]\n[Site \"Nowhere\"]\n[Date \"2024.01.01\"]\n[Round \"{}\"]\n[White \"White {}\"]\n[Black \"Black\"]\n[Result \"{}\"]\n",
            self.number + 1,
            self.number,
            self.result,
        );
        if let Some(fen) = &self.fen {
            text.push_str(&format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n"));
        }
        text.push('\n');
        words.push(self.result.to_owned());
        let mut column = 0;
        for word in words {
            if column > 0 && column + 1 + word.len() >= 80 {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(&word);
            column += word.len();
        }
        text.push_str("\n\n");
        text
    }
}

/// The move number indication before `ply` (from 0), where there is one.
fn number(words: &mut Vec<String>, ply: usize, restart: bool) {
    match ply % 2 {
        0 => words.push(format!("{}.", ply / 2 + 1)),
        _ if restart => words.push(format!("{}...", ply / 2 + 1)),
        _ => {}
    }
}

/// A variation of a few plies from `position` on that replaces a move by another one, at times with
/// one inside it.
fn variation(words: &mut Vec<String>, mut position: Chess, first: usize, replaced: Move, numbers: &mut Numbers) -> u64 {
    let mut plies = 0;
    let opens = words.len();
    let mut restart = true;
    for ply in first..=first + numbers.below(6) {
        let mut legal: Vec<Move> = position.legal_moves().into_iter().collect();
        legal.retain(|&other| ply > first || other != replaced);
        if legal.is_empty() || is_dead(&position) || position.halfmoves() >= 150 {
            break;
        }
        let before = position.clone();
        number(words, ply, restart);
        let played = legal[numbers.below(legal.len())];
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
        plies += 1;
        restart = false;
        if numbers.below(5) == 0 {
            let written = variation(words, before, ply, played, numbers);
            plies += written;
            restart = written > 0;
        }
    }
    if plies > 0 {
        words[opens].insert(0, '(');
        words.last_mut().expect("there is a move").push(')');
    }
    plies
}
