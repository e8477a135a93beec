//! What oracles say about an explained position.

use shakmaty::{Position, san::SanPlus};

use super::{End, Explanation};
use crate::{
    chess::san_of,
    oracle::{
        NoVerdict, Oracles, TableVerdict,
        engine::{EngineError, Limit, Question, Score},
    },
};

/// What oracles say about a position. Positions that cannot be played from, checkmates and
/// stalemates are not asked about.
#[derive(Debug, Default)]
pub struct Consulted {
    /// The verdict of the tables, or why there is none; `None` if they were not asked.
    pub tables: Option<Result<TableVerdict, NoVerdict>>,
    /// The opinion of the engine, or why there is none; `None` if it was not asked.
    pub engine: Option<Result<Opinion, EngineError>>,
}

/// What an engine thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// What the engine calls itself.
    pub engine: Option<String>,
    /// Maximum number of nodes.
    pub nodes: u64,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The evaluation, as the side to move sees it.
    pub score: Score,
    /// The best move, in SAN.
    pub best_move: Option<String>,
    /// The best moves of both sides, in SAN. An engine may show none.
    pub line: Vec<String>,
}

impl Consulted {
    /// Asks `oracles` about the position of `explanation`.
    pub fn about(explanation: &Explanation<'_>, oracles: &Oracles) -> Consulted {
        let is_over = matches!(explanation.state.end, Some(End::Checkmate | End::Stalemate));
        let Some(position) = explanation.facts.start.as_ref().filter(|_| !is_over) else { return Consulted::default() };
        // A clock that is not written is 0 (PGN standard 16.2.5.14).
        let facts = &explanation.facts;
        let is_clock_known = facts.halfmove_clock.is_some() || facts.fen.halfmove_clock().is_none();
        let clock = is_clock_known.then(|| position.halfmoves());
        let tables = oracles.tables.as_ref().map(|tables| tables.verdict(position, clock));
        let engine = oracles.engine.as_ref().map(|engine| {
            let answer = engine.ask(&Question::new(position.clone(), Limit::Nodes(oracles.nodes)))?;
            let mut after = position.clone();
            let best_move = answer.best_move.map(|best| san_of(position, best));
            // All of them are legal.
            let played = answer.line.into_iter().map(|next| SanPlus::from_move_and_play_unchecked(&mut after, next));
            let line = played.map(|san| san.to_string()).collect();
            let (nodes, depth, score) = (oracles.nodes, answer.depth, answer.score);
            Ok(Opinion { engine: engine.name(), nodes, depth, score, best_move, line })
        });
        Consulted { tables, engine }
    }

    /// Why oracles that should have answered did not.
    pub fn failures(&self) -> Vec<String> {
        let tables = match &self.tables {
            Some(Err(NoVerdict::Failed(reason))) => Some(reason.clone()),
            _ => None,
        };
        let engine = match &self.engine {
            Some(Err(error)) if !error.is_not_asked() => Some(error.to_string()),
            _ => None,
        };
        tables.into_iter().chain(engine).collect()
    }
}
