//! What no library gives: FEN and SAN as they are written, with spans; resolving a written move; explaining why it cannot be
//! played. `shakmaty` is the authority on the rules of chess.

mod arrow;
pub mod board;
pub mod fen;
mod illegal_move;
mod language;
mod placement;
mod repair;
mod resolve;
pub mod retro;
mod san;
mod variant;
mod variant_game;

pub use arrow::{Arrow, NotAnArrow};
pub use board::Board;
pub use fen::FenText;
pub use illegal_move::{CastlingRefusal, History, Man, Refusal, refuse, side, word};
pub use language::{Language, small_files};
pub use placement::Men;
pub use repair::{Change, Mending, WrittenLine, WrittenPly, mend};
pub use resolve::{Resolved, castling_by_king, checkers_after, pass_turn, resolve};
pub use san::{CheckMark, Quirks, WrittenMove, WrittenSan};
pub use variant::{Variant, is_double_chess960, variant_played_elsewhere};
pub use variant_game::{VariantEnd, VariantRefusal, laws, resolve_in_variant, variant_fen, variant_start};
