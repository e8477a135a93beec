//! Positions that are wrong more often than not, made at random: always the same ones for the same
//! number.

use shakmaty::{Chess, Color, EnPassantMode, Piece, Position, Role, Square, fen::Fen};

use super::{
    Numbers,
    games::{Taste, chess960, choose, position},
};

/// How a position is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pieces thrown on the board, fields at random.
    Thrown,
    /// Two kings and two to four pieces that look at one of them.
    Checks,
    /// A position of a game, in which the side to move is the other one.
    Turned,
    /// A position of a game, with castling availability at random.
    Castling,
    /// A position of a game, with an en passant square at random.
    EnPassant,
    /// A position of a game, with another piece, or none, on one square.
    Square,
    /// A position of a game, with one character changed, left out or added.
    Character,
    /// A position of a game, one field of which is from another one.
    Field,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 8] =
        [Kind::Thrown, Kind::Checks, Kind::Turned, Kind::Castling, Kind::EnPassant, Kind::Square, Kind::Character, Kind::Field];
}

/// The FEN that `number` stands for, and how it was made.
pub fn scrambled(number: usize) -> (String, Kind) {
    let mut numbers = Numbers::new(number as u64 + 55_000_001);
    for _ in 0..8 {
        numbers.below(2);
    }
    let kind = Kind::ALL[number % Kind::ALL.len()];
    let fen = match kind {
        Kind::Thrown => thrown(&mut numbers),
        Kind::Checks => checks(&mut numbers),
        _ => changed(kind, &mut numbers),
    };
    (fen, kind)
}

fn one_of<'a>(choices: &[&'a str], numbers: &mut Numbers) -> &'a str {
    choices[numbers.below(choices.len())]
}

fn castling(numbers: &mut Numbers) -> &'static str {
    const CHOICES: [&str; 24] = [
        "-", "KQkq", "K", "Q", "k", "q", "KQ", "kq", "Kk", "Qq", "Kq", "Qk", "KQk", "KQq", "Kkq", "Qkq", "HAha", "HA", "ha",
        "Aa", "Bb", "Fb", "Gc", "EDed",
    ];
    one_of(&CHOICES, numbers)
}

fn en_passant(numbers: &mut Numbers) -> String {
    let rank = ['3', '6', '3', '6', '3', '6', '3', '6', '4', '1'][numbers.below(10)];
    format!("{}{rank}", (b'a' + numbers.below(8) as u8) as char)
}

fn square(numbers: &mut Numbers) -> Square {
    Square::new(numbers.below(64) as u32)
}

fn piece(numbers: &mut Numbers) -> Piece {
    let role = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen][numbers.below(6)];
    Piece { role, color: if numbers.below(2) == 0 { Color::White } else { Color::Black } }
}

/// Board and fields as text.
fn text(board: &shakmaty::Board, fields: &str) -> String {
    format!("{} {fields}", board)
}

fn thrown(numbers: &mut Numbers) -> String {
    let mut board = shakmaty::Board::empty();
    for _ in 0..numbers.below(36) {
        let at = square(numbers);
        let placed = piece(numbers);
        if placed.role != Role::Pawn
            || !matches!(at.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth)
            || numbers.below(20) == 0
        {
            board.set_piece_at(at, placed);
        }
    }
    for color in Color::ALL {
        let kings = [1, 1, 1, 1, 1, 1, 1, 1, 0, 2][numbers.below(10)];
        for _ in 0..kings {
            board.set_piece_at(square(numbers), color.king());
        }
    }
    let turn = one_of(&["w", "b"], numbers);
    let castling = if numbers.below(3) == 0 { castling(numbers) } else { "-" };
    let en_passant = if numbers.below(4) == 0 { en_passant(numbers) } else { "-".to_owned() };
    text(&board, &format!("{turn} {castling} {en_passant} {} {}", numbers.below(3), 1 + numbers.below(90)))
}

fn checks(numbers: &mut Numbers) -> String {
    let mut board = shakmaty::Board::empty();
    let turn = if numbers.below(2) == 0 { Color::White } else { Color::Black };
    let king = square(numbers);
    board.set_piece_at(king, turn.king());
    let most = 2 + numbers.below(3);
    for _ in 0..most {
        let placed = Piece { color: !turn, ..piece(numbers) };
        // The squares from which the piece attacks the king are those that it would attack from the
        // king's.
        let from = shakmaty::attacks::attacks(king, Piece { color: turn, ..placed }, board.occupied()) & !board.occupied();
        let from: Vec<Square> = from.into_iter().collect();
        if !from.is_empty() {
            board.set_piece_at(from[numbers.below(from.len())], placed);
        }
    }
    let free: Vec<Square> = Square::ALL.into_iter().filter(|&at| board.piece_at(at).is_none()).collect();
    board.set_piece_at(free[numbers.below(free.len())], (!turn).king());
    let en_passant = if numbers.below(4) == 0 { en_passant(numbers) } else { "-".to_owned() };
    text(&board, &format!("{} - {en_passant} 0 {}", turn.char(), 40 + numbers.below(40)))
}

/// A position that play reaches.
fn played(numbers: &mut Numbers) -> Chess {
    let mut reached = if numbers.below(5) == 0 { position(&chess960(numbers)) } else { Chess::default() };
    let taste = Taste::ALL[numbers.below(Taste::ALL.len())];
    for _ in 0..numbers.below(90) {
        let Some(next) = choose(&reached, taste, numbers) else { break };
        reached.play_unchecked(next);
    }
    reached
}

fn changed(kind: Kind, numbers: &mut Numbers) -> String {
    const ALPHABET: &[u8] = b"KQRBNPkqrbnp12345678/-wbaehAEH90 x";
    let reached = played(numbers);
    let fen = Fen::from_position(&reached, EnPassantMode::Always).to_string();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    match kind {
        Kind::Turned => fields[1] = (!reached.turn()).char().to_string(),
        Kind::Castling => fields[2] = castling(numbers).to_owned(),
        Kind::EnPassant => fields[3] = en_passant(numbers),
        Kind::Square => {
            let mut board = reached.board().clone();
            let at = square(numbers);
            match numbers.below(6) {
                0 => drop(board.remove_piece_at(at)),
                1 => board.set_piece_at(at, if numbers.below(2) == 0 { Color::White.king() } else { Color::Black.king() }),
                _ => board.set_piece_at(at, piece(numbers)),
            }
            fields[0] = board.to_string();
        }
        Kind::Field => {
            let other = Fen::from_position(&played(numbers), EnPassantMode::Always).to_string();
            let which = numbers.below(4);
            fields[which] = other.split(' ').nth(which).expect("a FEN has six fields").to_owned();
        }
        _ => {
            let mut bytes = fen.into_bytes();
            let at = numbers.below(bytes.len());
            let letter = ALPHABET[numbers.below(ALPHABET.len())];
            match numbers.below(3) {
                0 => bytes[at] = letter,
                1 => bytes.insert(at, letter),
                _ => drop(bytes.remove(at)),
            }
            return String::from_utf8(bytes).expect("all of it is ASCII");
        }
    }
    fields.join(" ")
}
