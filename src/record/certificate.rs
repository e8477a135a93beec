//! Whether a position can occur in a game of standard chess, as far as that is proven.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use super::explain_line;
use crate::{
    chess::{Variant, find_proof_game, san_of},
    rules::{Code, Family, Finding, Severity},
    text::guarded,
};

/// Number of nodes with which a game is looked for although a rule says that there is none.
const NODES_IF_ILLEGAL: u64 = 5_000;

/// What is proven about a position: whether it occurs in a game from the starting position of
/// standard chess. Counters do not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certificate {
    /// It does not.
    Illegal {
        /// The rule that proves it.
        rule: Code,
        /// Its message.
        reason: String,
    },
    /// It does.
    Legal(ProofGame),
    /// Neither is proven.
    Open,
    /// Neither is proven, because the auditor failed.
    Failed {
        /// What happened.
        reason: String,
    },
    /// A rule says that it does not, but it does. The rule is wrong.
    Contradiction {
        /// The rule.
        rule: Code,
        /// The game that refutes it.
        game: ProofGame,
    },
}

/// A game from the starting position. It has been replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofGame {
    /// Number of plies.
    pub plies: usize,
    /// The moves in SAN with move numbers.
    pub moves: String,
}

impl ProofGame {
    /// Looks for a game that leads to `goal`.
    fn find(goal: &Chess, goes_on: &mut dyn FnMut(u64) -> bool) -> Option<ProofGame> {
        let moves = find_proof_game(goal, goes_on)?;
        let mut position = Chess::default();
        let mut words = Vec::with_capacity(moves.len());
        for (ply, played) in moves.iter().enumerate() {
            let san = san_of(&position, *played);
            words.push(if ply % 2 == 0 { format!("{}. {san}", ply / 2 + 1) } else { san });
            position.play_unchecked(*played);
        }
        Some(ProofGame { plies: moves.len(), moves: words.join(" ") })
    }
}

impl Certificate {
    /// Judges the position in a line of a FEN or EPD file. `None` if it cannot be read.
    ///
    /// The rules are asked first, as if the position were declared to be of standard chess. If they
    /// find no error, a game is looked for. `goes_on` is called with the number of nodes since it
    /// was last called, and says whether the search may go on. A few nodes are also spent if there
    /// is an error, so that a wrong rule is found out.
    pub fn of_line(line: &[u8], goes_on: &mut dyn FnMut(u64) -> bool) -> Option<Certificate> {
        guarded("the certificate of this position", || Certificate::judge(line, goes_on))
            .unwrap_or_else(|reason| Some(Certificate::Failed { reason }))
    }

    fn judge(line: &[u8], goes_on: &mut dyn FnMut(u64) -> bool) -> Option<Certificate> {
        let explanation = explain_line(line, Some(Variant::Standard))?;
        let is_proof = |finding: &&Finding| {
            finding.severity == Severity::Error && matches!(finding.rule.code.family(), Family::Pos | Family::Cas | Family::Eps)
        };
        let mut proofs = explanation.findings.iter().filter(is_proof);
        let first = proofs.next();
        explanation.facts.board.as_ref()?;
        explanation.facts.turn?;
        let Some(proof) = first else {
            let game = explanation.facts.start.as_ref().and_then(|start| ProofGame::find(start, goes_on));
            return Some(game.map_or(Certificate::Open, Certificate::Legal));
        };
        // Faulty rights and en passant squares are not part of the position that can be played.
        let is_of_position = |finding: &Finding| finding.rule.code.family() == Family::Pos;
        let start = explanation.facts.start.as_ref().filter(|_| is_of_position(proof) && proofs.all(is_of_position));
        let mut left = NODES_IF_ILLEGAL;
        let game = start.and_then(|start| {
            ProofGame::find(start, &mut |nodes| {
                left = left.saturating_sub(nodes);
                left > 0 && goes_on(nodes)
            })
        });
        let rule = proof.rule.code;
        Some(match game {
            Some(game) => Certificate::Contradiction { rule, game },
            None => Certificate::Illegal { rule, reason: proof.message.clone() },
        })
    }

    /// The game that leads to the position, if there is one.
    pub const fn game(&self) -> Option<&ProofGame> {
        match self {
            Certificate::Legal(game) | Certificate::Contradiction { game, .. } => Some(game),
            Certificate::Illegal { .. } | Certificate::Open | Certificate::Failed { .. } => None,
        }
    }

    /// The verdict in a word: `illegal`, `legal` or `open`.
    pub const fn verdict(&self) -> &'static str {
        match self {
            Certificate::Illegal { .. } => "illegal",
            Certificate::Legal(_) | Certificate::Contradiction { .. } => "legal",
            Certificate::Open | Certificate::Failed { .. } => "open",
        }
    }

    /// What is wrong with the auditor, if this shows it.
    pub fn internal_error(&self) -> Option<String> {
        match self {
            Certificate::Failed { reason } => Some(reason.clone()),
            Certificate::Contradiction { rule, game } => Some(format!(
                "{rule} says that the position is illegal, but a game leads to it; please report this as a bug: {}",
                game.moves
            )),
            Certificate::Illegal { .. } | Certificate::Legal(_) | Certificate::Open => None,
        }
    }
}
