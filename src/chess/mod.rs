//! FEN and SAN as written, resolving written moves, explaining illegal ones, and retro-analysis.
//!
//! `shakmaty` is the authority on the rules of chess. There are two boards: its
//! [`Chess`](shakmaty::Chess) on the thorough path, which knows all legal moves and lets us
//! explain, and our [`Board`] on the fast path, which only plays canonically spelled moves and
//! gives up early.

mod arrow;
pub mod board;
mod canonical;
pub mod fen;
mod illegal_move;
mod key;
mod language;
mod mobility;
mod name;
mod placement;
mod proof_game;
mod repair;
mod resolve;
pub mod retro;
mod san;
mod variant;
mod variant_game;
pub mod winnability;

pub use arrow::Arrow;
pub use board::{Board, CASTLING_ROOKS, MoveFilter, Needs, PreparedMove, SanWord, Snapshot};
pub use canonical::{fen_of, san_of};
pub use fen::FenText;
pub use illegal_move::{History, IllegalCastling, IllegalMove, explain_illegal_move, with_en_passant_square};
pub use key::{position_key, position_key_of};
pub use language::Notation;
pub use mobility::has_legal_move;
pub use name::{color_name, role_name};
pub use placement::Pieces;
pub use proof_game::find_proof_game;
pub use repair::{LineChange, LineRepair, RepairMemory, Replay, WrittenLine, WrittenPly, find_repair};
pub use resolve::{Resolved, castling_by_king, checkers_after, pass_turn, resolve};
pub use san::{CheckMark, Quirks, WrittenMove, WrittenSan};
pub use variant::{Variant, is_double_chess960, names_other_game, variant_of_event, variant_played_elsewhere};
pub use variant_game::{IllegalVariantMove, VariantEnd, laws, resolve_in_variant, variant_start};
