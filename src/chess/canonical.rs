//! Positions and moves in canonical spelling.

use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, san::San};

use super::has_legal_move;

/// Most FENs are not longer, in bytes.
const USUAL_LENGTH: usize = 80;

/// Maximum length of a move in SAN with its check mark, in bytes: `bxa8=Q+`, `Qa1xb2#`.
const MAX_SAN: usize = 7;

/// The position as a FEN, with the fields that a variant adds. An en passant square is given if a
/// capture there is legal.
pub fn fen_of(position: &impl Position) -> String {
    let mut text = String::with_capacity(USUAL_LENGTH);
    Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut text);
    text
}

/// A legal move in SAN, with its check mark.
pub fn san_of(before: &Chess, played: Move) -> String {
    let mut san = String::with_capacity(MAX_SAN);
    San::from_move(before, played).append_to_string(&mut san);
    let mut after = before.clone();
    after.play_unchecked(played);
    if after.is_check() {
        san.push(if has_legal_move(&after) { '+' } else { '#' });
    }
    san
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, san::SanPlus};

    use super::*;

    #[test]
    fn moves_have_the_marks_of_san() {
        for fen in [
            "r3k2r/pPpp1ppp/8/4p3/4P3/8/PpPP1PPP/R3K2R w KQkq - 0 1",
            "6k1/5ppp/8/8/8/8/5PPP/1R2R1K1 w - - 0 1",
            "k7/8/1K6/8/8/8/8/7R w - - 0 1",
        ] {
            let position: Chess = fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen);
            for played in position.legal_moves() {
                assert_eq!(san_of(&position, played), SanPlus::from_move(position.clone(), played).to_string(), "{fen}");
            }
            assert_eq!(fen_of(&position), fen);
        }
    }
}
