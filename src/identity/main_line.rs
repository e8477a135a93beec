//! The main line of a game, and its keys.

use std::sync::LazyLock;

use shakmaty::{Chess, Color, Position, Role};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{CardUse, GameKeys, Ply};
use crate::chess::position_key_of;

/// The position in which a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstPosition {
    /// A hash of the position: placement, side to move, castling rights, legal en passant.
    key: u64,
    /// The pieces, unless moves change more than their two squares and that of a castling rook.
    pieces: Option<Pieces>,
    /// Whether Black moves first.
    pub black_begins: bool,
}

/// The kind and the colour of the piece on each square; 0 for none.
type Pieces = [u8; 64];

/// The bit of a black piece.
const BLACK: u8 = 8;

static STANDARD: LazyLock<FirstPosition> = LazyLock::new(|| FirstPosition::of(&Chess::default()));

impl FirstPosition {
    /// The starting position.
    pub fn standard() -> &'static FirstPosition {
        &STANDARD
    }

    /// A position of chess.
    pub fn of(position: &Chess) -> FirstPosition {
        let mut pieces = [0; 64];
        for (square, piece) in position.board().iter() {
            pieces[usize::from(square)] = piece.role as u8 | if piece.color.is_black() { BLACK } else { 0 };
        }
        FirstPosition { key: position_key_of(position), pieces: Some(pieces), black_begins: position.turn().is_black() }
    }

    /// A position of a variant, as a FEN.
    pub fn of_variant(name: &str, fen: &str, turn: Color) -> FirstPosition {
        FirstPosition {
            key: xxh3_64_with_seed(fen.as_bytes(), xxh3_64(name.as_bytes())),
            pieces: None,
            black_begins: turn.is_black(),
        }
    }
}

/// The main line of a game, as far as it can be replayed. The memory is reused from game to game.
#[derive(Clone, Debug)]
pub struct MainLine {
    /// The position in which it begins.
    pub first: FirstPosition,
    /// Its plies. A null move goes from `a1` to `a1`.
    pub plies: Vec<Ply>,
    /// Whether the game goes on after it, with moves that are illegal or come after its end.
    pub goes_on: bool,
}

impl Default for MainLine {
    fn default() -> MainLine {
        MainLine { first: FirstPosition::standard().clone(), plies: Vec::new(), goes_on: false }
    }
}

impl MainLine {
    /// The keys of the game that cards for this use have.
    pub fn keys(&self, used_for: CardUse) -> GameKeys {
        let MainLine { first, plies, .. } = self;
        let moves = GameKeys::of_moves(first.key, plies);
        if used_for == CardUse::Keys {
            return GameKeys { start: first.key, moves, ..GameKeys::default() };
        }
        let (opening, end) = match first.pieces {
            Some(mut pieces) => {
                let (opening, rest) = plies.split_at(plies.len().min(super::OPENING_PLIES));
                opening.iter().for_each(|ply| play(&mut pieces, *ply));
                let after_opening = xxh3_64(&pieces);
                rest.iter().for_each(|ply| play(&mut pieces, *ply));
                let black_to_move = first.black_begins ^ (plies.len() % 2 == 1);
                (after_opening, xxh3_64_with_seed(&pieces, u64::from(black_to_move)))
            }
            None => (GameKeys::of_moves(first.key, plies.get(..super::OPENING_PLIES).unwrap_or_default()), moves),
        };
        let is_longer = plies.len() >= super::OPENING_PLIES;
        GameKeys { start: first.key, opening: if is_longer { opening } else { 0 }, end, moves }
    }
}

/// Plays a ply on the board.
fn play(pieces: &mut Pieces, ply: Ply) {
    let [from, to] = ply.squares();
    let (from, to) = (from as usize, to as usize);
    let (moved, target) = (pieces[from], pieces[to]);
    let kind = |piece: u8| piece & !BLACK;
    pieces[from] = 0;
    // Most moves are neither, which one branch says, but the kind of the piece changes all the
    // time.
    let castles = (kind(moved) == Role::King as u8) & (kind(target) == Role::Rook as u8) & ((moved ^ target) & BLACK == 0);
    let is_en_passant = (kind(moved) == Role::Pawn as u8) & (target == 0) & ((from ^ to) & 7 != 0);
    if castles | is_en_passant {
        if castles {
            pieces[to] = 0;
            let rank = from & !7;
            let [king, rook] = if to > from { [6, 5] } else { [2, 3] };
            (pieces[rank + king], pieces[rank + rook]) = (moved, target);
            return;
        }
        pieces[from & !7 | to & 7] = 0;
    }
    pieces[to] = match ply.promotion_number() {
        0 => moved,
        role => role | moved & BLACK,
    };
}
