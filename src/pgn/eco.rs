//! Opening classification by ECO codes (Encyclopaedia of Chess Openings), read from a file of the
//! user.

use rustc_hash::FxHashMap;
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::{Lexer, Token};
use crate::chess::{WrittenSan, resolve};

/// An opening with its ECO code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// A letter from A to E and two digits.
    pub code: String,
    /// Its name.
    pub name: String,
}

/// Openings by position, so that transpositions are the same opening.
#[derive(Clone, Debug, Default)]
pub struct EcoBook {
    openings: FxHashMap<u64, Opening>,
    /// Minimum number of pieces and pawns in any position of the book.
    min_pieces: usize,
}

/// What is wrong with a line of an opening file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EcoFault {
    /// The line does not begin with a code.
    #[error("does not begin with an ECO code (a letter from A to E and two digits)")]
    Code,
    /// The column of moves is missing.
    #[error("has fewer than three columns (eco, name, pgn)")]
    Columns,
    /// The name in quotes is missing.
    #[error("the name in double quotes after the code is missing")]
    Name,
    /// The moves of an opening do not end with `*`.
    #[error("the moves of the opening that begins here do not end with `*`")]
    Unended,
    /// A move is not legal.
    #[error("`{0}` is not a legal move")]
    Move(String),
}

/// An opening file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EcoError {
    /// A line is wrong.
    #[error("line {line}: {fault}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: EcoFault,
    },
    /// The file contains no opening.
    #[error("contains no opening")]
    Empty,
}

impl EcoBook {
    /// Reads openings in the format of Scid (`B20 "Sicilian" 1.e4 c5 *`) or as a Lichess table
    /// (`eco`, `name` and `pgn`, separated by tabs). The format is recognised from `text`.
    pub fn read(text: &[u8]) -> Result<EcoBook, EcoError> {
        let text = text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(text);
        let mut book = EcoBook { min_pieces: 32, ..EcoBook::default() };
        let first = text.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        if first.contains(&b'\t') && !first.contains(&b'"') {
            book.read_table(text)?;
        } else {
            book.read_scid(text)?;
        }
        if book.openings.is_empty() { Err(EcoError::Empty) } else { Ok(book) }
    }

    /// The opening of the last position in the book that `moves` reach from `start`. A null move
    /// ends the search.
    pub fn classify(&self, start: &Chess, moves: &[Option<Move>]) -> Option<&Opening> {
        let mut position = start.clone();
        let mut last = None;
        for played in moves {
            position.play_unchecked((*played)?);
            // Captured pieces never come back.
            if position.board().occupied().count() < self.min_pieces {
                break;
            }
            last = self.openings.get(&key(&position)).or(last);
        }
        last
    }

    fn read_table(&mut self, text: &[u8]) -> Result<(), EcoError> {
        let mut moves_column = 2;
        for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
            let line = line.trim_ascii_end();
            if line.is_empty() {
                continue;
            }
            let at = |fault| EcoError::Line { line: index + 1, fault };
            let cells: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
            if cells[0].eq_ignore_ascii_case(b"eco") {
                moves_column =
                    cells.iter().position(|cell| cell.eq_ignore_ascii_case(b"pgn")).ok_or_else(|| at(EcoFault::Columns))?;
                continue;
            }
            let code = code_of(cells[0]).ok_or_else(|| at(EcoFault::Code))?;
            let (Some(name), Some(moves)) = (cells.get(1), cells.get(moves_column)) else { return Err(at(EcoFault::Columns)) };
            self.add(code, name, moves).map_err(at)?;
        }
        Ok(())
    }

    fn read_scid(&mut self, text: &[u8]) -> Result<(), EcoError> {
        // The opening whose moves continue on the next line: its first line, code, name and moves.
        let mut open: Option<(usize, String, Vec<u8>, Vec<u8>)> = None;
        for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let at = |fault| EcoError::Line { line: index + 1, fault };
            let (begins, code, name, mut moves) = match open.take() {
                Some((begins, code, name, mut moves)) => {
                    moves.push(b' ');
                    moves.extend_from_slice(line);
                    (begins, code, name, moves)
                }
                None => {
                    let code = code_of(line).ok_or_else(|| at(EcoFault::Code))?;
                    let quoted = line.iter().position(|&byte| byte == b'"').map(|quote| &line[quote + 1..]);
                    let (name, moves) = quoted
                        .and_then(|rest| Some(rest.split_at(rest.iter().position(|&byte| byte == b'"')?)))
                        .ok_or_else(|| at(EcoFault::Name))?;
                    (index + 1, code, name.to_vec(), moves[1..].to_vec())
                }
            };
            if moves.ends_with(b"*") {
                moves.pop();
                self.add(code, &name, &moves).map_err(|fault| EcoError::Line { line: begins, fault })?;
            } else {
                open = Some((begins, code, name, moves));
            }
        }
        match open {
            Some((line, ..)) => Err(EcoError::Line { line, fault: EcoFault::Unended }),
            None => Ok(()),
        }
    }

    fn add(&mut self, code: String, name: &[u8], moves: &[u8]) -> Result<(), EcoFault> {
        let mut position = Chess::default();
        let mut lexer = Lexer::new(moves, 0);
        loop {
            match lexer.next() {
                Token::End => break,
                Token::Word => {
                    let token = lexer.token();
                    let resolved = WrittenSan::read(token).and_then(|written| resolve(&position, position.checkers(), &written));
                    let Some(resolved) = resolved else {
                        return Err(EcoFault::Move(String::from_utf8_lossy(token).into_owned()));
                    };
                    position.play_unchecked(resolved.played);
                }
                Token::Number { .. } | Token::Comment | Token::Nag | Token::Glyph | Token::Marker(_) => {}
                _ => return Err(EcoFault::Move(String::from_utf8_lossy(lexer.token()).into_owned())),
            }
        }
        self.min_pieces = self.min_pieces.min(position.board().occupied().count());
        let opening = Opening { code, name: String::from_utf8_lossy(name).into_owned() };
        self.openings.insert(key(&position), opening);
        Ok(())
    }
}

/// A key that equal positions share. The en passant square counts only if the capture is legal.
fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// The letter and the two digits at the start of a code.
fn code_of(text: &[u8]) -> Option<String> {
    match *text {
        [letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9', ..] => {
            Some([letter, tens, ones].map(char::from).into_iter().collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "eco\tname\tpgn\nA40\tQueen's Pawn\t1. d4\nC20\tKing's Pawn\t1. e4 e5\nC40\tKing's Knight\t1. e4 e5 2. Nf3\n";
    const SCID: &str = "# a comment\n\nA00a \"Start position\"  *\nA40a \"Queen's Pawn\" 1.d4 *\nC20 \"King's Pawn\" 1.e4 e5 *\nC40 \"King's Knight\" 1.e4\n  e5 2.Nf3 *\n";

    fn played(sans: &str) -> Vec<Option<Move>> {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for san in sans.split(' ') {
            let written = WrittenSan::read(san.as_bytes()).expect("a move");
            let resolved = resolve(&position, position.checkers(), &written).expect("a legal move");
            position.play_unchecked(resolved.played);
            moves.push(Some(resolved.played));
        }
        moves
    }

    #[test]
    fn both_formats_give_the_same_openings() {
        for text in [TABLE, SCID] {
            let book = EcoBook::read(text.as_bytes()).expect("a valid book");
            let code = |sans| book.classify(&Chess::default(), &played(sans)).map(|opening| opening.code.as_str());
            assert_eq!(code("e4 e5 Nf3 Nc6"), Some("C40"));
            assert_eq!(code("Nf3 Nf6 Ng1 Ng8 e4 e5"), Some("C20"));
            assert_eq!(code("e3 e6 d4"), None);
            // By transposition, and the last hit counts.
            assert_eq!(code("e3 e6 e4 e5 Nf3 Nf6 Ng1 Ng8"), Some("C20"));
        }
    }

    #[test]
    fn an_error_names_its_line() {
        let fault = |text: &str| EcoBook::read(text.as_bytes()).expect_err("an invalid book");
        let at = |line, fault| EcoError::Line { line, fault };
        assert_eq!(fault("eco\tname\tpgn\nA40\tx\t1. d4\nA40\tx\t1. d5\n"), at(3, EcoFault::Move("d5".to_owned())));
        assert_eq!(fault("eco\tname\tpgn\nX40\tx\t1. d4\n"), at(2, EcoFault::Code));
        assert_eq!(fault("A40\tx\n"), at(1, EcoFault::Columns));
        assert_eq!(fault("# x\nA40 Queen 1.d4 *\n"), at(2, EcoFault::Name));
        assert_eq!(fault("A40 \"x\" 1.d4\n"), at(1, EcoFault::Unended));
        assert_eq!(fault("hello\n"), at(1, EcoFault::Code));
        assert_eq!(fault("\n"), EcoError::Empty);
        assert_eq!(
            at(3, EcoFault::Code).to_string(),
            "line 3: does not begin with an ECO code (a letter from A to E and two digits)"
        );
    }
}
