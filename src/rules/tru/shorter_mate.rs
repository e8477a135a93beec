//! TRU12: distances to mate that are too long.

use std::collections::HashMap;

use shakmaty::{Chess, Position};

use super::after;
use crate::chess::san_of;
use crate::epd::{Mate, Opcode, search_mate};
use crate::oracle::Inquiry;
use crate::oracle::engine::{Limit, Question, Score};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU12"),
    name: "shorter-mate",
    severity: Severity::Error,
    summary: "There is a shorter mate than `dm` says",
    what: "`dm` is 4 or more, and an engine finds a shorter mate. If replay proves the mate against \
           every defence, it is an error. If the proof takes too many questions to the engine, it is a \
           warning. A `dm` of 3 or less is checked by EPD13, without an engine.",
    why: "The position or the number is wrong, or the author missed the shorter mate.",
    fix: "Compare the position and the number with the source.",
    source: "PGN standard 16.2.5.7",
    repairs: Some(Certainty::Certain),
    needs: &[Need::Engine],
    fires: &[Sample::Positions("6k1/5ppp/8/8/8/8/8/K3R3 w - - dm ⟦5⟧;")],
    silent: &[Sample::Positions("8/8/8/3k4/8/8/8/KR6 w - - dm 15;")],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

/// Shorter mates are searched for without an engine.
const MIN_MOVES: i64 = 4;
/// Mates up to this number of moves are proven without the engine.
const SEARCHED_MOVES: u32 = 3;
/// Maximum number of positions in such a search.
const MAX_NODES: u64 = 200_000;
/// Maximum number of positions that the proof of a mate asks about.
const MAX_QUESTIONS: u32 = 300;

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let operations = line.operations;
    let Some(start) = operations.start.filter(|_| line.inquiry.has_engine()) else { return };
    let Some(operation) = operations.first(Opcode::Dm) else { return };
    let Some(claimed) = operations.integer(operation).filter(|moves| *moves >= MIN_MOVES) else { return };
    let Ok(claimed) = u32::try_from(claimed) else { return };
    let limit = Limit::Mate { moves: claimed - 1, nodes: line.inquiry.nodes() };
    let Some(answer) = line.inquiry.engine(&Question::new(start.clone(), limit)) else { return };
    let Score::Mate(found) = answer.score else { return };
    let Some(shorter) = u32::try_from(found).ok().filter(|found| (1..claimed).contains(found)) else { return };
    let is_proven = Proof::new(line.inquiry).mates(start, shorter);
    let first = answer.best_move.map(|best| san_of(start, best)).unwrap_or_default();
    let finding = findings.add(&RULE, operation.operands).found(claimed.to_string()).expected(shorter.to_string());
    let mate = quantity(shorter, "move", "moves");
    if is_proven {
        finding.message(format!("there is already a mate in {mate}, which begins with {first}"));
        // Only a full search shows that there is no shorter one.
        let is_shortest = search_mate(start, shorter.min(SEARCHED_MOVES), MAX_NODES) == Mate::In(shorter);
        let certainty = if is_shortest { Certainty::Certain } else { Certainty::Likely };
        finding.repair(certainty, Patch::replace(operations.text, operation.operands, shorter.to_string()));
    } else {
        finding.severity(Severity::Warning);
        finding.message(format!("an engine finds a mate in {mate}, which begins with {first}"));
    }
}

/// Proves a mate against every defence. The engine names the moves of the attacker. What it says
/// about mates is not believed, but checked.
struct Proof<'a> {
    inquiry: &'a Inquiry<'a>,
    questions: u32,
    /// Positions with a mate that is proven, whatever their counters are, and its number of moves.
    proven: HashMap<Chess, u32>,
}

impl<'a> Proof<'a> {
    fn new(inquiry: &'a Inquiry<'a>) -> Proof<'a> {
        Proof { inquiry, questions: 0, proven: HashMap::new() }
    }

    /// Whether it is proven that the side to move mates within `moves`.
    fn mates(&mut self, position: &Chess, moves: u32) -> bool {
        if moves <= SEARCHED_MOVES {
            return matches!(search_mate(position, moves, MAX_NODES), Mate::In(_));
        }
        if self.proven.get(position).is_some_and(|proven| *proven <= moves) {
            return true;
        }
        self.questions += 1;
        if self.questions > MAX_QUESTIONS {
            return false;
        }
        let limit = Limit::Mate { moves, nodes: self.inquiry.nodes() };
        let Some(answer) = self.inquiry.engine(&Question::new(position.clone(), limit)) else { return false };
        // Most replies lose sooner than the best one. A shorter mate takes fewer questions.
        let moves = match answer.score {
            Score::Mate(found) => u32::try_from(found).map_or(moves, |found| found.clamp(1, moves)),
            Score::Centipawns(_) => moves,
        };
        let is_proven = if moves <= SEARCHED_MOVES {
            self.mates(position, moves)
        } else {
            answer.best_move.is_some_and(|best| self.mates_after(&after(position, best), moves - 1))
        };
        if is_proven {
            self.proven.insert(position.clone(), moves);
        }
        is_proven
    }

    /// Whether it is proven that the side to move is mated, or will be within `moves` whatever it
    /// plays.
    fn mates_after(&mut self, position: &Chess, moves: u32) -> bool {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return position.is_check();
        }
        replies.into_iter().all(|reply| self.mates(&after(position, reply), moves))
    }
}
