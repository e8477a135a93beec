//! What no library gives: FEN and SAN as they are written, with spans; resolving a written move; explaining why it cannot be
//! played. `shakmaty` is the authority on the rules of chess.

pub mod fen;
mod resolve;
mod san;
mod span;

pub use fen::FenText;
pub use resolve::Refusal;
pub use san::WrittenSan;
pub use span::Span;
