//! What oracles say about an explained position, as JSON.

use schemars::JsonSchema;
use serde::Serialize;
use shakmaty::Color;

use crate::{
    oracle::{Prospect, TableVerdict, engine::Score},
    record::{Consulted, Opinion},
};

/// The verdict of tablebases. Values that are not known are `null`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct TablesRecord {
    /// The winner without the fifty-move rule, `white` or `black`, or `draw`.
    pub result: Option<&'static str>,
    /// The same under the fifty-move rule.
    pub result_with_fifty_move_rule: Option<&'static str>,
    /// The plies to the next mate, capture or pawn move that the winner can force; the true number
    /// may be one higher. `null` also if the fifty-move rule makes the position a draw whatever the
    /// clock is.
    pub zeroing_plies: Option<u32>,
    /// Why there is no verdict.
    pub error: Option<String>,
}

/// The opinion of an engine. Values that are not known are `null`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct EngineRecord {
    /// What the engine calls itself.
    pub name: Option<String>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The evaluation in hundredths of a pawn, as the side to move sees it.
    pub centipawns: Option<i32>,
    /// The number of moves to mate; negative if the side to move is mated.
    pub mate: Option<i32>,
    /// The best move, in SAN.
    pub best_move: Option<String>,
    /// The best moves of both sides, in SAN.
    pub line: Vec<String>,
    /// Why there is no opinion.
    pub error: Option<String>,
}

impl TablesRecord {
    /// The verdict in `consulted`, in a position with this side to move. `None` if the tables were
    /// not asked.
    pub(crate) fn of(consulted: &Consulted, turn: Color) -> Option<TablesRecord> {
        let result = |prospect| match (prospect, turn) {
            (Prospect::Draw, _) => "draw",
            (Prospect::Win, Color::White) | (Prospect::Loss, Color::Black) => "white",
            (Prospect::Win, Color::Black) | (Prospect::Loss, Color::White) => "black",
        };
        Some(match consulted.tables.as_ref()? {
            Ok(TableVerdict { unlimited, limited, zeroing_plies }) => TablesRecord {
                result: Some(result(*unlimited)),
                result_with_fifty_move_rule: limited.map(result),
                zeroing_plies: *zeroing_plies,
                error: None,
            },
            Err(reason) => TablesRecord { error: Some(reason.to_string()), ..TablesRecord::default() },
        })
    }
}

impl EngineRecord {
    /// The opinion in `consulted`. `None` if the engine was not asked.
    pub(crate) fn of(consulted: &Consulted) -> Option<EngineRecord> {
        Some(match consulted.engine.as_ref()? {
            Ok(Opinion { engine, nodes, depth, score, best_move, line }) => {
                let (centipawns, mate) = match score {
                    Score::Centipawns(value) => (Some(*value), None),
                    Score::Mate(moves) => (None, Some(*moves)),
                };
                EngineRecord {
                    name: engine.clone(),
                    nodes: Some(*nodes),
                    depth: Some(*depth),
                    centipawns,
                    mate,
                    best_move: best_move.clone(),
                    line: line.clone(),
                    error: None,
                }
            }
            Err(error) => EngineRecord { error: Some(error.to_string()), ..EngineRecord::default() },
        })
    }
}
