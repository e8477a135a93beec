//! An exhaustive search for short mates.

use shakmaty::{Chess, Move, Position};

/// The result of a search for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mate {
    /// The side to move can force mate in this number of moves, but not in fewer.
    In(u32),
    /// The side to move cannot force mate in the number of moves searched.
    None,
    /// The search needs too many positions.
    Unknown,
}

/// Searches for the shortest mate by the side to move, in at most `max_moves` moves and `max_nodes`
/// positions.
///
/// The result is proven, because every move and every reply is tried. Draws by repetition or by the
/// 50-move rule are ignored, because the moves before the position are unknown.
pub fn search_mate(position: &Chess, max_moves: u32, max_nodes: u64) -> Mate {
    let mut search = Search { nodes_left: max_nodes };
    for moves in 1..=max_moves {
        match search.attack(position, moves) {
            Some(true) => return Mate::In(moves),
            Some(false) => {}
            None => return Mate::Unknown,
        }
    }
    Mate::None
}

/// Whether the other side can force mate in at most `moves` moves, whatever the side to move plays.
/// `None` if the search needs more than `max_nodes` positions. See [`search_mate`].
pub fn is_mated_in(position: &Chess, moves: u32, max_nodes: u64) -> Option<bool> {
    Search { nodes_left: max_nodes }.defence_fails(position, moves + 1, &mut None)
}

struct Search {
    nodes_left: u64,
}

impl Search {
    fn play(&mut self, position: &Chess, played: Move) -> Option<Chess> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut after = position.clone();
        after.play_unchecked(played);
        Some(after)
    }

    /// Whether the side to move can force mate in at most `moves` moves; `None` if no nodes are
    /// left.
    fn attack(&mut self, position: &Chess, moves: u32) -> Option<bool> {
        let mut quiet = Vec::new();
        for played in position.legal_moves() {
            let after = self.play(position, played)?;
            // Checks come first: they have few replies, and the last move must be a check.
            if !after.is_check() {
                if moves > 1 {
                    quiet.push(after);
                }
            } else if self.defence_fails(&after, moves, &mut None)? {
                return Some(true);
            }
        }
        // The reply that refuted one move often refutes the next.
        let mut killer = None;
        quiet.sort_by_cached_key(|after| after.legal_moves().len());
        for after in quiet {
            if self.defence_fails(&after, moves, &mut killer)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side to move is checkmated, or every reply allows mate in at most `moves - 1`
    /// moves.
    fn defence_fails(&mut self, position: &Chess, moves: u32, killer: &mut Option<Move>) -> Option<bool> {
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Some(position.is_check());
        }
        if moves == 1 {
            return Some(false);
        }
        let first = killer.and_then(|killer| replies.iter().position(|reply| *reply == killer));
        match first {
            Some(first) => replies.swap(0, first),
            None => replies.sort_by_key(|reply| !reply.is_capture()),
        }
        for reply in replies {
            let after = self.play(position, reply)?;
            if !self.attack(&after, moves - 1)? {
                *killer = Some(reply);
                return Some(false);
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn mate(fen: &str, max_moves: u32) -> Mate {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        search_mate(&position, max_moves, 1_000_000)
    }

    #[test]
    fn mates_are_found_or_ruled_out() {
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1), Mate::In(1));
        assert_eq!(mate("6k1/5pp1/8/8/8/8/8/K3R3 w - - 0 1", 1), Mate::None);
        assert_eq!(mate("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2), Mate::In(2));
        assert_eq!(mate("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 1), Mate::None);
        assert_eq!(mate("7k/8/8/8/8/8/8/1Q4K1 w - - 0 1", 2), Mate::None);
        // A stalemate is not a mate.
        assert_eq!(mate("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", 1), Mate::In(1));
        assert_eq!(mate("7k/8/8/4K3/8/8/8/R7 w - - 0 1", 2), Mate::None);
        assert_eq!(mate("k7/8/1K6/8/8/8/8/7R w - - 0 1", 2), Mate::In(1));
    }

    /// The same by brute force.
    fn mates(position: &Chess, moves: u32) -> bool {
        position.legal_moves().into_iter().any(|played| {
            let after = position.clone().play(played).unwrap();
            after.is_checkmate()
                || moves > 1
                    && !after.legal_moves().is_empty()
                    && after.legal_moves().into_iter().all(|reply| mates(&after.clone().play(reply).unwrap(), moves - 1))
        })
    }

    #[test]
    fn brute_force_gives_the_same_result() {
        let mut seen = [0; 3];
        for fen in [
            "4k3/8/4K3/8/8/8/8/R6R w - - 0 1",
            "7k/8/4K3/8/8/8/8/R7 w - - 0 1",
            "5k2/5P2/8/4K3/8/8/8/6R1 w - - 0 1",
            "k7/2K5/8/8/8/8/7P/3N4 w - - 0 1",
            "r4rk1/5ppp/8/8/8/5Q2/5PPP/3R2K1 w - - 0 1",
            "2k5/8/2K5/8/8/8/p7/3Q4 w - - 0 1",
            "8/8/8/8/8/k1K5/p7/3R4 w - - 0 1",
            "1k6/1P6/1K6/8/8/3B4/8/8 w - - 0 1",
            "3qk3/8/8/8/8/8/PPPP1PP1/RNB1K3 b - - 0 1",
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let shortest = (1..=2).find(|moves| mates(&position, *moves));
            let found = search_mate(&position, 2, u64::MAX);
            assert_eq!(found, shortest.map_or(Mate::None, Mate::In), "{fen}");
            seen[shortest.unwrap_or(0) as usize] += 1;
        }
        assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
    }

    #[test]
    fn a_side_without_legal_moves_cannot_mate() {
        assert_eq!(mate("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3), Mate::None);
    }

    #[test]
    fn the_side_to_move_may_be_mated() {
        let mated = |fen: &str, moves| {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            is_mated_in(&position, moves, 1_000_000)
        };
        assert_eq!(mated("7k/8/5K2/8/8/8/8/6R1 b - - 0 1", 1), Some(false));
        assert_eq!(mated("7k/5K2/8/8/8/8/8/6R1 b - - 0 1", 1), Some(true));
        assert_eq!(mated("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1), Some(true), "checkmate");
        assert_eq!(mated("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3), Some(false), "stalemate");
    }

    #[test]
    fn a_search_is_limited() {
        let start = Chess::default();
        assert_eq!(is_mated_in(&start, 2, 100), None);
        assert_eq!(search_mate(&start, 3, 1000), Mate::Unknown);
        assert_eq!(search_mate(&start, 1, 1000), Mate::None);
    }
}
