//! Moves in operands, read leniently: what is meant counts here, how it is spelt is another question.

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

/// What a word among moves turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null,
    /// A move that is not legal.
    Illegal,
    /// A move that several legal moves answer to.
    Ambiguous(Vec<Move>),
    /// No move at all, but nothing that harms one: a move number, a check mark by itself, a distance to mate.
    Aside,
    /// Nothing that can be read.
    Unreadable,
}

/// A move as far as it is spelt out.
#[derive(Clone, Copy, Debug)]
struct Described {
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

/// Reads `word` as a move in `position`: SAN, however its capture, check and castling marks are written, or coordinates.
pub fn resolve(position: &Chess, word: &[u8]) -> Resolved {
    let word = strip(word);
    if word.is_empty() {
        return Resolved::Aside;
    }
    if matches!(word, b"--" | b"0000" | b"Z0" | b"@@@@" | b"<>") {
        return Resolved::Null;
    }
    let legal = position.legal_moves();
    let plain: Vec<u8> = word
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'x' | b':' | b'-' | b'=' | b'(' | b')' | b'/' | b'+' | b'#'))
        .collect();
    let castling = match plain.as_slice() {
        b"OO" | b"oo" | b"00" => Some(CastlingSide::KingSide),
        b"OOO" | b"ooo" | b"000" => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if castling.is_some() {
        return match legal.iter().find(|played| played.castling_side() == castling) {
            Some(played) => Resolved::Move(*played),
            None => Resolved::Illegal,
        };
    }
    let mut readable = false;
    // A `b` may be a file or, in a careless hand, a bishop; letters of other languages are tried last.
    for described in [describe(&plain), describe_lower(&plain), describe_german(&plain)].into_iter().flatten() {
        readable = true;
        let mut fitting: Vec<Move> = legal.iter().copied().filter(|played| fits(described, *played)).collect();
        if fitting.is_empty() {
            fitting = legal.iter().copied().filter(|played| castles(described, *played)).collect();
        }
        match fitting.as_slice() {
            [] => {}
            [played] => return Resolved::Move(*played),
            _ => return Resolved::Ambiguous(fitting),
        }
    }
    if readable { Resolved::Illegal } else { Resolved::Unreadable }
}

/// Takes off move numbers before a move and everything that comments on it.
fn strip(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = word;
    if digits > 0 && word.get(digits) == Some(&b'.') {
        word = &word[digits..];
    }
    if let [b'#', rest @ ..] = word
        && rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
    {
        return b"";
    }
    while let [b'.' | b',' | b'(' | b'*', rest @ ..] = word {
        word = rest;
    }
    loop {
        word = match word {
            [rest @ .., b'+' | b'#' | b'!' | b'?' | b',' | b'.' | b'*'] => rest,
            [rest @ .., b'e', b'.', b'p'] | [rest @ .., b'e', b'p'] if !rest.is_empty() => rest,
            [rest @ .., b'm', b'a', b't', b'e'] | [rest @ .., b'c', b'h'] | [rest @ .., b'd', b'i', b's'] => rest,
            _ => {
                return if word.iter().all(u8::is_ascii_digit) && !matches!(word, b"00" | b"000" | b"0000") { b"" } else { word };
            }
        };
    }
}

fn describe(plain: &[u8]) -> Option<Described> {
    match plain {
        [letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] => squares(Role::from_char(char::from(*letter)), rest),
        _ => squares(None, plain),
    }
}

fn describe_lower(plain: &[u8]) -> Option<Described> {
    match plain {
        [letter @ (b'n' | b'b' | b'r' | b'q' | b'k'), rest @ ..] if !rest.first()?.is_ascii_digit() => {
            squares(Role::from_char(char::from(*letter)), rest)
        }
        _ => None,
    }
}

fn describe_german(plain: &[u8]) -> Option<Described> {
    let role = match plain.first()? {
        b'S' => Role::Knight,
        b'L' => Role::Bishop,
        b'T' => Role::Rook,
        b'D' => Role::Queen,
        _ => return None,
    };
    squares(Some(role), &plain[1..])
}

/// Reads `[a-h]?[1-8]?[a-h][1-8]` and the man that a pawn becomes.
fn squares(role: Option<Role>, rest: &[u8]) -> Option<Described> {
    let (rest, promotion) = match rest {
        [head @ .., b'1'..=b'8', letter] if letter.is_ascii_alphabetic() => (
            &rest[..head.len() + 1],
            Some(Role::from_char(char::from(*letter)).filter(|role| !matches!(role, Role::Pawn | Role::King))?),
        ),
        _ => (rest, None),
    };
    let file = |byte: u8| matches!(byte, b'a'..=b'h').then(|| File::new(u32::from(byte - b'a')));
    let rank = |byte: u8| matches!(byte, b'1'..=b'8').then(|| Rank::new(u32::from(byte - b'1')));
    let (from_file, from_rank, to_file, to_rank) = match *rest {
        [to_file, to_rank] => (None, None, to_file, to_rank),
        [from, to_file, to_rank] => (file(from), rank(from), to_file, to_rank),
        [from_file, from_rank, to_file, to_rank] => (Some(file(from_file)?), Some(rank(from_rank)?), to_file, to_rank),
        _ => return None,
    };
    if rest.len() == 3 && from_file.is_none() && from_rank.is_none() {
        return None;
    }
    // Two squares by themselves are any man's move, a single one a pawn's.
    let role = role.or((rest.len() < 4).then_some(Role::Pawn));
    Some(Described { role, file: from_file, rank: from_rank, to: Square::from_coords(file(to_file)?, rank(to_rank)?), promotion })
}

fn fits(described: Described, played: Move) -> bool {
    !played.is_castle()
        && described.role.is_none_or(|role| role == played.role())
        && played.to() == described.to
        && played.from().is_some_and(|from| {
            described.file.is_none_or(|file| file == from.file()) && described.rank.is_none_or(|rank| rank == from.rank())
        })
        && (played.promotion() == described.promotion || (described.promotion.is_none() && played.is_promotion()))
}

/// Castling written as a move of the king, to its new square or onto its rook.
fn castles(described: Described, played: Move) -> bool {
    let Move::Castle { king, rook } = played else { return false };
    let Some(side) = played.castling_side() else { return false };
    let to = Square::from_coords(side.king_to_file(), king.rank());
    described.role.is_none_or(|role| role == Role::King)
        && described.file.is_none_or(|file| file == king.file())
        && described.rank.is_none_or(|rank| rank == king.rank())
        && (described.to == rook || described.to == to)
        && described.promotion.is_none()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn read(fen: &str, word: &str) -> Resolved {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        resolve(&position, word.as_bytes())
    }

    #[test]
    fn spelling_does_not_matter() {
        let fen = "r3k2r/1P3ppp/8/3pP3/1b6/2N2N2/3P1PPP/R3K2R w KQkq d6 0 20";
        for word in [
            "O-O", "0-0", "OO", "e1g1", "e1h1", "Kg1", "exd6", "ed6", "e5d6", "exd6e.p.", "e5xd6", "Nd4", "Nfd4", "Nf3d4",
            "Nxd4+", "nd4", "Sd4", "1.Nd4", "Nd4!?", "Nd4,", "bxa8=Q", "b7a8q", "bxa8(Q)", "ba8Q", "Nxd5", "b8=Q#",
        ] {
            assert!(matches!(read(fen, word), Resolved::Move(_)), "{word}: {:?}", read(fen, word));
        }
        for word in ["Ne5", "Qd1", "e6f7", "O-O-O-O", "a3", "e4=Q"] {
            assert!(!matches!(read(fen, word), Resolved::Move(_)), "{word}: {:?}", read(fen, word));
        }
        assert!(matches!(read(fen, "b8"), Resolved::Ambiguous(_)));
        for word in ["+", "12.", "#3", "mate", "...", "3"] {
            assert_eq!(read(fen, word), Resolved::Aside, "{word}");
        }
        assert_eq!(read(fen, "hello"), Resolved::Unreadable);
    }
}
