//! Moves in operands, read leniently: what is meant counts here, how it is spelt is another question.

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square};

use crate::chess::{self, History, Refusal, WrittenMove, WrittenSan, refuse};

/// What a word among moves turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null,
    /// A move that is not legal, and why.
    Illegal(Refusal),
    /// A move that several legal moves answer to.
    Ambiguous(Vec<Move>),
    /// No move at all, but nothing that harms one: a move number, a check mark by itself, a distance to mate.
    Aside,
    /// Nothing that can be read.
    Unreadable,
}

/// What a word in a line of moves says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordInLine {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null(WrittenSan),
    /// A move that no legal move answers to, or more than one.
    Refused(WrittenSan),
    /// No move at all, but nothing that harms one.
    Aside,
    /// Nothing that can be read.
    Unreadable,
}

/// Reads `word` as the next move of a line that has come to `position`, as leniently as [`resolve`]. `checkers` are the men that
/// give check there. Why a move is refused is for those to say who know how the line came there.
pub fn word_in_line(position: &Chess, checkers: Bitboard, word: &[u8]) -> WordInLine {
    let word = strip(word);
    if word.is_empty() {
        return WordInLine::Aside;
    }
    let mut refused = None;
    for written in readings(word) {
        if written.what == WrittenMove::Null {
            return WordInLine::Null(written);
        }
        if let Some(resolved) = chess::resolve(position, checkers, &written) {
            return WordInLine::Move(resolved.played);
        }
        if let Some(castling) = castling_as_king_move(position, &written) {
            return WordInLine::Move(castling);
        }
        refused.get_or_insert(written);
    }
    refused.map_or(WordInLine::Unreadable, WordInLine::Refused)
}

/// Reads `word` as a move in `position`: SAN, however its capture, check and castling marks are written, or coordinates.
pub fn resolve(position: &Chess, word: &[u8]) -> Resolved {
    let word = strip(word);
    if word.is_empty() {
        return Resolved::Aside;
    }
    let mut refusal = None;
    for written in readings(word) {
        if written.what == WrittenMove::Null {
            return Resolved::Null;
        }
        if let Some(resolved) = chess::resolve(position, position.checkers(), &written) {
            return Resolved::Move(resolved.played);
        }
        if let Some(castling) = castling_as_king_move(position, &written) {
            return Resolved::Move(castling);
        }
        let reason = refuse(position, &written, History { start: position, line: &[] });
        if matches!(reason, Refusal::Ambiguous { .. } | Refusal::PromotionMissing) {
            return Resolved::Ambiguous(answering(position, &written));
        }
        refusal.get_or_insert(reason);
    }
    refusal.map_or(Resolved::Unreadable, Resolved::Illegal)
}

/// The readings of a word, the likeliest first: as it stands; with a small `b` for the bishop; with German letters. Coordinates
/// leave no doubt: the `b` of `b2b4` is a file.
fn readings(word: &[u8]) -> impl Iterator<Item = WrittenSan> + '_ {
    let plain = WrittenSan::read(word);
    let coordinates = plain.is_some_and(|written| matches!(written.what, WrittenMove::Coordinates { .. }));
    let letter = match word.first() {
        _ if coordinates => None,
        Some(b'b') => Some(b'B'),
        Some(b'S') => Some(b'N'),
        Some(b'L') => Some(b'B'),
        Some(b'T') => Some(b'R'),
        Some(b'D') => Some(b'Q'),
        _ => None,
    };
    let other = move || letter.and_then(|letter| WrittenSan::read(&[&[letter], &word[1..]].concat()));
    plain.into_iter().chain(std::iter::once_with(other).flatten())
}

/// Castling written as a move of the king to its new square: `Kg1`.
fn castling_as_king_move(position: &Chess, written: &WrittenSan) -> Option<Move> {
    let WrittenMove::Normal { role: Role::King, to, .. } = written.what else { return None };
    position.legal_moves().into_iter().find(|played| {
        let Move::Castle { king, .. } = *played else { return false };
        played.castling_side().is_some_and(|side| to == Square::from_coords(side.king_to_file(), king.rank()))
    })
}

/// The legal moves that answer to what is written.
fn answering(position: &Chess, written: &WrittenSan) -> Vec<Move> {
    position
        .legal_moves()
        .into_iter()
        .filter(|played| match written.what {
            WrittenMove::Normal { role, file, rank, to, .. } => {
                !played.is_castle()
                    && played.role() == role
                    && played.to() == to
                    && played.from().is_some_and(|from| {
                        file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
                    })
            }
            WrittenMove::Coordinates { from, to, .. } => played.from() == Some(from) && played.to() == to,
            _ => false,
        })
        .collect()
}

/// Takes off move numbers before a move and what stands beside it that is no part of it.
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
    while let [rest @ .., b',' | b'*'] = word {
        word = rest;
    }
    let aside = word.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?' | b'.'))
        || matches!(word, b"mate" | b"ch" | b"ch." | b"dis" | b"ep" | b"e.p.")
        || (word.iter().all(u8::is_ascii_digit) && !matches!(word, b"00" | b"000" | b"0000"));
    if aside { b"" } else { word }
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

    #[test]
    fn the_file_of_coordinates_is_no_bishop() {
        // The bishop on e2 could go to b5, and the pawn on b2 cannot.
        let fen = "4k3/8/8/8/8/8/1P2B3/4K3 w - - 0 1";
        assert!(matches!(read(fen, "b2b5"), Resolved::Illegal(_)));
        assert!(matches!(read(fen, "bb5"), Resolved::Move(_)));
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        let word = |word: &str| word_in_line(&position, position.checkers(), word.as_bytes());
        assert!(matches!(word("b2b5"), WordInLine::Refused(_)));
        assert!(matches!(word("b2b4"), WordInLine::Move(_)));
        assert!(matches!(word("0000"), WordInLine::Null(_)));
        assert_eq!(word("1."), WordInLine::Aside);
        assert_eq!(word("hello"), WordInLine::Unreadable);
    }
}
