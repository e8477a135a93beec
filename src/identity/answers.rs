//! What position lines say about equal positions, and whether it conflicts.

use shakmaty::Chess;

use super::{
    Ply, PositionCard,
    position_card::{PositionLine, are_equal},
};
use crate::{
    chess::Arrow,
    epd::{Opcode, Operation, Operations, Resolved, resolve},
};

/// Evaluations up to this number of hundredths of a pawn do not say which side is better.
const MAX_EQUAL: i64 = 50;

/// The same for evaluations whose depths differ or are not known.
const MAX_EQUAL_OF_DEPTHS: i64 = 100;

/// What a line says about its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Answers {
    /// The best moves, if all can be read.
    best: Vec<Ply>,
    /// The moves to avoid, if all can be read.
    avoided: Vec<Ply>,
    /// The evaluation in hundredths of a pawn.
    evaluation: Option<i64>,
    /// Its depth in plies.
    depth: Option<i64>,
}

/// Answers that cannot both be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// No best move of one is a best move of the other.
    BestMoves,
    /// A best move of the position is to be avoided in the other one.
    BestIsAvoided,
    /// A move to avoid in the position is a best move in the other one.
    AvoidedIsBest,
    /// Different sides are better.
    Evaluations,
}

/// How two lines with equal positions are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equality {
    /// The answers conflict.
    Conflict(Conflict),
    /// Only one of them names an en passant square, which makes no difference.
    EnPassantTwins,
    /// Neither.
    Same,
}

/// What a position line contains, as far as equal positions are compared by it.
#[derive(Clone, Debug)]
pub(super) struct PositionContent {
    /// Whether the en passant field names a square.
    has_square: bool,
    /// The position, or its fields as written if it cannot be set up.
    position: Result<Chess, Vec<u8>>,
    answers: Answers,
}

impl PositionContent {
    /// Reads what was kept of a line.
    pub fn of(card: &PositionCard<'_>) -> Option<PositionContent> {
        let line = PositionLine::read(card.text)?;
        let position = line.position().ok_or_else(|| line.written());
        let answers = position.as_ref().map(|position| Answers::read(card.text, &line, position)).unwrap_or_default();
        Some(PositionContent { has_square: line.has_square(), position, answers })
    }

    /// Whether nothing tells the lines of equal positions apart.
    pub fn is_repeated_by(&self, other: &PositionContent) -> bool {
        self.has_square == other.has_square && self.answers == other.answers
    }

    /// How lines of equal positions are related. `other` is the earlier one.
    pub fn compare(&self, other: &PositionContent) -> Equality {
        if let Some(conflict) = self.answers.conflict(&other.answers) {
            Equality::Conflict(conflict)
        } else if self.position.is_ok() && self.has_square != other.has_square {
            Equality::EnPassantTwins
        } else {
            Equality::Same
        }
    }

    fn has_position_of(&self, other: &PositionContent) -> bool {
        match (&self.position, &other.position) {
            (Ok(one), Ok(other)) => are_equal(one, other),
            (Err(one), Err(other)) => one == other,
            _ => false,
        }
    }
}

/// How two position lines are related. `other` is the earlier one. `None` if their positions
/// differ.
pub fn compare_positions(card: &PositionCard<'_>, other: &PositionCard<'_>) -> Option<Equality> {
    let (own, other) = (PositionContent::of(card)?, PositionContent::of(other)?);
    own.has_position_of(&other).then(|| own.compare(&other))
}

/// The moves that a line names as best or to be avoided, as arrows.
pub fn answer_arrows(card: &PositionCard<'_>) -> Vec<Arrow> {
    let Some(PositionContent { position: Ok(position), answers, .. }) = PositionContent::of(card) else { return Vec::new() };
    let plies = answers.best.iter().chain(&answers.avoided);
    plies.filter_map(|ply| Arrow::of(ply.played_in(&position)?)).collect()
}

impl Answers {
    fn read(text: &[u8], line: &PositionLine<'_>, position: &Chess) -> Answers {
        let operations = Operations::split(text, line.operations);
        let first = |kind| operations.first(kind).filter(|operation| operation.open_quote.is_none());
        let moves = |kind| first(kind).and_then(|operation| moves_of(text, operation, position)).unwrap_or_default();
        let integer = |kind| first(kind).and_then(|operation| operation.integer(text));
        Answers {
            best: moves(Opcode::Bm),
            avoided: moves(Opcode::Am),
            evaluation: integer(Opcode::Ce),
            depth: integer(Opcode::Acd),
        }
    }

    fn conflict(&self, other: &Answers) -> Option<Conflict> {
        let have_common = |one: &[Ply], other: &[Ply]| one.iter().any(|ply| other.contains(ply));
        if !self.best.is_empty() && !other.best.is_empty() && !have_common(&self.best, &other.best) {
            Some(Conflict::BestMoves)
        } else if have_common(&self.best, &other.avoided) {
            Some(Conflict::BestIsAvoided)
        } else if have_common(&self.avoided, &other.best) {
            Some(Conflict::AvoidedIsBest)
        } else {
            let (own, its) = (self.evaluation?, other.evaluation?);
            let is_same_depth = self.depth.is_some() && self.depth == other.depth;
            let least = if is_same_depth { MAX_EQUAL } else { MAX_EQUAL_OF_DEPTHS };
            (own.signum() != its.signum() && own.abs() > least && its.abs() > least).then_some(Conflict::Evaluations)
        }
    }
}

/// The moves of an operation in order, each once. `None` if one cannot be read.
fn moves_of(text: &[u8], operation: &Operation, position: &Chess) -> Option<Vec<Ply>> {
    let mut moves = Vec::new();
    for word in operation.move_words(text) {
        match resolve(position, word.of(text)) {
            Resolved::Move(played) => moves.push(Ply::of(played)),
            Resolved::Aside => {}
            Resolved::Null | Resolved::Illegal(_) | Resolved::Ambiguous(_) | Resolved::Unreadable => return None,
        }
    }
    moves.sort_unstable();
    moves.dedup();
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a line is related to an earlier one of the same position.
    fn compare(earlier: &str, line: &str) -> Option<Equality> {
        const POSITION: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        let [earlier, line] = [earlier, line].map(|rest| format!("{POSITION} {rest}"));
        let card = |line| PositionCard::of_line(line);
        compare_positions(&card(line.as_bytes())?, &card(earlier.as_bytes())?)
    }

    #[test]
    fn answers_conflict_if_both_cannot_be_right() {
        use Conflict::{AvoidedIsBest, BestIsAvoided, BestMoves, Evaluations};
        for (earlier, line, expected) in [
            ("- bm e5;", "- bm c5;", BestMoves),
            ("- bm e5;", "e3 bm c5;", BestMoves),
            ("- bm e5;", "- am e5;", AvoidedIsBest),
            ("- am e5;", "- bm e5 c5;", BestIsAvoided),
            ("- ce 120;", "- ce -120;", Evaluations),
            ("- acd 9; ce 60;", "- acd 9; ce -60;", Evaluations),
        ] {
            assert_eq!(compare(earlier, line), Some(Equality::Conflict(expected)), "{earlier} {line}");
        }
        for (earlier, line) in [
            ("- bm e5;", "- bm e7e5;"),
            ("- bm Nf6;", "- bm Ng8f6;"),
            ("- bm e5 c5;", "- bm c5;"),
            ("- bm e5;", "- am c5;"),
            ("- bm e5;", "- bm Qh4;"),
            ("- ce 120;", "- ce 30;"),
            ("- acd 9; ce 60;", "- acd 8; ce -60;"),
            ("- acd 9; ce 50;", "- acd 9; ce -60;"),
            ("- bm e5; id \"a\"; c9 \"1-0\";", "- bm e5; id \"b\"; c9 \"0-1\";"),
            ("- 0 1", "- 5 9"),
        ] {
            assert_eq!(compare(earlier, line), Some(Equality::Same), "{earlier} {line}");
        }
        assert_eq!(compare("- 0 1", "e3 0 1"), Some(Equality::EnPassantTwins));
        assert_eq!(compare("e3 bm e5;", "- bm e5;"), Some(Equality::EnPassantTwins));
    }
}
