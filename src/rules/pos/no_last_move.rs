//! POS11: no move can lead to this position.

use shakmaty::{Bitboard, Color, Move, Rank, Square};

use crate::chess::Arrow;
use crate::chess::retro::{ANY_START, LastMoves, STANDARD_START, StartingRanks};
use crate::rules::prelude::*;
use crate::rules::{IF_STANDARD_START, assume_standard_start};

pub static RULE: Rule = Rule {
    code: code!("POS11"),
    name: "no-last-move",
    severity: Severity::Error,
    summary: "No move can lead to this position",
    what: "Every last move that the side not to move can have made is taken back: quiet moves, \
        captures, promotions, castling and en passant. Each of the positions before is impossible. \
        For example, the wrong side was in check there, or a side had too many pieces. If the \
        proof needs the standard starting position, see POS15 for the severity.",
    why: "The position cannot occur in a game. Usually a piece or the side to move is wrong.",
    fix: "Correct the piece placement or the side to move.",
    source: "FIDE Laws 3.1 to 3.9",
    repairs: Some(Certainty::Likely),
    reachability: true,
    fires: &[
        Sample::Positions("⟦N⟧7/ppp5/1k6/8/8/8/8/4K3 b - - 0 40"),
        Sample::Positions("8/8/8/8/R3⟦k⟧3/8/8/K3R3 b - - 0 40"),
        // The king comes from b1, where no move of the pawn can have given check.
        Sample::Positions("8/8/8/8/8/pk6/p7/K7 ⟦b⟧ - - 0 40"),
    ],
    silent: &[
        Sample::Positions("N7/1pp5/1k6/8/8/8/8/4K3 b - - 0 40"),
        // The pawn on d7 has captured on e8.
        Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - 0 40"),
        // En passant: the pawns on d5 and e5 are gone.
        Sample::Positions("8/8/3Pk3/8/8/1B6/8/K3R3 b - - 0 40"),
        Sample::Positions("8/8/8/8/8/1k6/p7/K7 b - - 0 40"),
    ],
    check: Check::LastMove(check),
    ..Rule::DEFAULTS
};

/// Moves are taken back as [`LastMoves`] describes; starting positions are not reported. If there
/// is an en passant square, the only possible last move is the double step. Pieces with a castling
/// right have not moved. If the proof needs the standard starting position (where castling starts,
/// and which pieces are blocked), see [`IF_STANDARD_START`]; if the input is Chess960, the finding
/// is not reported.
fn check(facts: &PositionFacts<'_>, last: &LastMoves, findings: &mut Findings) {
    const PROVEN: &[(Severity, Option<Condition>)] = &[(Severity::Error, None)];
    let (moves, conditions) = if !last.exist() {
        (last.clone(), PROVEN)
    } else {
        let standard = last.with_start(STANDARD_START);
        if !facts.can_be_from_standard_start() || standard.exist() {
            return;
        }
        let is_possible = |start: StartingRanks| {
            // That any start is possible was seen above.
            start == ANY_START
                || facts.structure(&start).is_some_and(|structure| !structure.is_impossible()) && last.with_start(start).exist()
        };
        (
            standard,
            if facts.other_starts().any(is_possible) {
                &IF_STANDARD_START.map(|(severity, condition)| (severity, Some(condition)))[..]
            } else {
                PROVEN
            },
        )
    };
    // No move has been made in a starting position, or at the start of a game at odds.
    if moves.is_starting_position() || facts.begins_at_odds() {
        return;
    }
    let Some(turn) = facts.turn else { return };
    let checkers = facts.own_checkers();
    let (place, found) = match (checkers.single_square(), *facts.kings.get(turn)) {
        _ if checkers.is_empty() => (facts.fen.turn().unwrap_or(facts.place), turn.char().to_string()),
        (Some(checker), _) => (facts.square_place(checker), checker.to_string()),
        (None, Some(king)) => (facts.square_place(king), king.to_string()),
        (None, None) => return,
    };
    let (reason, squares) = reason(facts, turn, &moves);
    let other_side = checkers.is_empty() && facts.last_moves_of_other_side().is_some_and(|moves| moves.exist());
    let side = facts.fen.turn().filter(|_| other_side);
    for &(severity, condition) in conditions {
        let finding = findings.add(&RULE, place).found(found.as_str()).message(reason.as_str()).squares(squares);
        match condition {
            None => _ = finding.severity(severity),
            Some(condition) => assume_standard_start(finding, severity, condition),
        }
        if let Some(side) = side {
            let other = (!turn).char().to_string();
            finding.repair(Certainty::Likely, Patch::replace(facts.text, side, other.as_str())).expected(other);
        }
    }
}

/// Whether a pawn of the side that does not move is on its starting square.
fn is_home_pawn(facts: &PositionFacts<'_>, square: Square, turn: Color) -> bool {
    let is_pawn = facts.board.as_ref().is_some_and(|board| board.pawns().contains(square));
    is_pawn && square.rank() == turn.fold_wb(Rank::Seventh, Rank::Second)
}

/// Why there is no last move, and the squares that the reason is about.
fn reason(facts: &PositionFacts<'_>, turn: Color, moves: &LastMoves) -> (String, Bitboard) {
    let checkers = facts.own_checkers();
    let given = match checkers.count() {
        0 => format!("{} is to move", color_name(turn)),
        1 => format!("{} gives check", facts.names_of(checkers)),
        _ => format!("{} give check at the same time", facts.names_of(checkers)),
    };
    let candidates = moves.at_first_sight();
    // The notation of a capture does not name the captured piece, so several moves can read the
    // same.
    let mut written: Vec<String> = candidates.iter().map(Move::to_string).collect();
    written.dedup();
    // The pieces that can have moved last.
    let mut squares: Bitboard = candidates.iter().filter_map(|last| Arrow::of(*last)).map(|arrow| arrow.to).collect();
    let why = match (written.as_slice(), checkers.single_square()) {
        ([only], _) => format!("the position before the only possible last move, {only}, was already impossible"),
        ([first, ..], _) => {
            format!("the position before every possible last move, such as {first}, was already impossible")
        }
        ([], Some(checker)) => {
            let origins = moves.origins(checker);
            squares |= origins;
            let origins: Vec<String> = origins.into_iter().map(|square| square.to_string()).collect();
            if origins.is_empty() && is_home_pawn(facts, checker, turn) {
                "it has not moved, so the king was already in check before the last move".to_owned()
            } else if origins.is_empty() {
                "every square that it can have come from is occupied".to_owned()
            } else {
                format!("it can only have come from {}, and the king was already in check then", join_or(&origins))
            }
        }
        ([], None) if checkers.is_empty() => format!("{} has no piece that can have made the last move", color_name(!turn)),
        ([], None) => "no single move leads to that".to_owned(),
    };
    // A double check is about the king that it attacks.
    let king = facts.kings.get(turn).filter(|_| checkers.count() > 1).map_or(Bitboard::EMPTY, Bitboard::from);
    (format!("{given}, but {why}"), squares | checkers | king)
}
