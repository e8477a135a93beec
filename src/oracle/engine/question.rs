//! Questions to an engine.

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position, Role, fen::Epd, uci::UciMove};

/// When a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// After a number of nodes.
    Nodes(u64),
    /// When a mate is found, or after a number of nodes.
    Mate {
        /// Maximum number of moves to mate.
        moves: u32,
        /// Maximum number of nodes.
        nodes: u64,
    },
}

/// A position and how long to search it.
#[derive(Clone, Debug)]
pub struct Question {
    /// The position. Its fullmove number does not matter.
    pub position: Chess,
    /// When the search ends.
    pub limit: Limit,
    /// The moves to search, all of them if there are none. They must be legal.
    pub search_moves: Vec<Move>,
}

impl Question {
    /// Asks about a position.
    pub const fn new(position: Chess, limit: Limit) -> Question {
        Question { position, limit, search_moves: Vec::new() }
    }

    /// Asks about some moves only.
    pub fn about(position: Chess, search_moves: Vec<Move>, limit: Limit) -> Question {
        Question { position, limit, search_moves }
    }

    /// Castling as the engine writes it. Chess960 only where the castling rights need it, because
    /// not every engine plays it.
    pub(super) fn mode(&self) -> CastlingMode {
        CastlingMode::detect(&self.position.to_setup(EnPassantMode::Legal))
    }

    /// The position, with the fullmove number 1.
    pub(super) fn fen(&self) -> String {
        format!("{} {} 1", Epd::from_position(&self.position, EnPassantMode::Legal), self.position.halfmoves())
    }

    /// Whether this number of pieces and moves is possible in a game. Engines rely on it.
    pub(super) fn is_possible(&self) -> bool {
        /// Maximum number of moves in a position that can be reached.
        const MAX_MOVES: usize = 218;
        let has_possible_material = |color| {
            let count = |role| self.position.board().by_piece(Piece { color, role }).count();
            let promoted = [(Role::Queen, 1), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2)];
            let promoted: usize = promoted.into_iter().map(|(role, at_first)| count(role).saturating_sub(at_first)).sum();
            count(Role::Pawn) + promoted <= 8
        };
        Color::ALL.into_iter().all(has_possible_material) && self.position.legal_moves().len() <= MAX_MOVES
    }

    /// The command for the search.
    pub(super) fn go(&self) -> String {
        let mut go = match self.limit {
            // Zero would mean that there is no limit.
            Limit::Nodes(nodes) => format!("go nodes {}", nodes.max(1)),
            Limit::Mate { moves, nodes } => format!("go mate {} nodes {}", moves.max(1), nodes.max(1)),
        };
        if !self.search_moves.is_empty() {
            let mode = self.mode();
            go.push_str(" searchmoves");
            for played in &self.search_moves {
                go.push(' ');
                UciMove::from_move(*played, mode).append_to_string(&mut go);
            }
        }
        go
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{PositionError, fen::Fen};

    use super::*;

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(mode).expect("a position")
    }

    #[test]
    fn chess960_is_asked_only_where_castling_needs_it() {
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 17";
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            let question = Question::new(position(standard, mode), Limit::Nodes(5));
            assert_eq!((question.mode(), question.fen()), (CastlingMode::Standard, standard.replace(" 17", " 1")));
        }
        for (fen, mode) in [
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", CastlingMode::Chess960),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1", CastlingMode::Standard),
            ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", CastlingMode::Chess960),
        ] {
            let question = Question::new(position(fen, CastlingMode::Chess960), Limit::Nodes(5));
            assert_eq!((question.mode(), question.fen()), (mode, fen.to_owned()));
        }
    }

    #[test]
    fn impossible_positions_are_recognised() {
        let is_possible = |fen: &str| {
            let setup = fen.parse::<Fen>().expect("a FEN").into_position::<Chess>(CastlingMode::Standard);
            let position = setup.or_else(PositionError::ignore_too_much_material).expect("a position");
            Question::new(position, Limit::Nodes(1)).is_possible()
        };
        // The record of legal moves.
        assert!(is_possible("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"));
        assert!(!is_possible("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNNQKB1 w - - 0 1"));
        assert!(!is_possible("4k3/pppppppp/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1"));
        assert!(!is_possible("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1"));
        assert!(is_possible("qq2k3/ppppppp1/8/8/8/8/8/4K3 b - - 0 1"));
    }

    #[test]
    fn commands_name_limits_and_moves() {
        let chess = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingMode::Chess960);
        let castling: Vec<Move> = chess.legal_moves().into_iter().filter(|it| it.is_castle()).collect();
        assert_eq!(Question::new(chess.clone(), Limit::Nodes(100_000)).go(), "go nodes 100000");
        assert_eq!(Question::new(chess.clone(), Limit::Nodes(0)).go(), "go nodes 1", "0 would have no limit");
        let question = Question::about(chess, castling, Limit::Mate { moves: 3, nodes: 9 });
        assert_eq!(question.go(), "go mate 3 nodes 9 searchmoves e1g1 e1c1");
        let chess = position("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", CastlingMode::Chess960);
        let castling: Vec<Move> = chess.legal_moves().into_iter().filter(|it| it.is_castle()).collect();
        assert_eq!(Question::about(chess, castling, Limit::Nodes(1)).go(), "go nodes 1 searchmoves e1g1 e1b1");
    }
}
