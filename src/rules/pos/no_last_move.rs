//! `no-last-move`.

use shakmaty::{Color, Move};

use crate::{
    chess::{color_name, retro::LastMoves},
    rules::{Check, Condition, Findings, Repair, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS11: no move can have led to the position.
pub static RULE: Rule = Rule {
    code: code!("POS11"),
    name: "no-last-move",
    severity: Severity::Error,
    summary: "No move can have led to this position",
    what: "The position is no initial array, and whatever move of the side that has just moved is taken back (captures of every man that can be missing, promotions, castling and en passant among them; only the double step where there is an en passant square), the position before is impossible: the side that did not have the move was in check, or has more men than a game has, or pawns and cages speak against it, or no move can have led to it either. Men that hold a castling right have not moved. What rests on the standard array (from where castling goes, which men are caged) is an error where castling rights of the input show that array, and an info where none do; it is not reported where one is of Chess960.",
    why: "The position cannot arise; mostly a man or the side to move is wrong.",
    fix: "Correct the placement or the side to move.",
    source: "Laws of Chess, articles 3.1 to 3.9",
    reachability: true,
    fires: &[
        Sample::Positions("⟦N⟧7/ppp5/1k6/8/8/8/8/4K3 b - - 0 40"),
        Sample::Positions("8/8/8/8/R3⟦k⟧3/8/8/K3R3 b - - 0 40"),
        // The king comes from b1, where the pawn gave it a check that it cannot have given.
        Sample::Positions("8/8/8/8/8/pk6/p7/K7 ⟦b⟧ - - 0 40"),
    ],
    silent: &[
        Sample::Positions("N7/1pp5/1k6/8/8/8/8/4K3 b - - 0 40"),
        // The pawn on d7 took on e8.
        Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - 0 40"),
        // En passant: the pawns on d5 and e5 have gone.
        Sample::Positions("8/8/3Pk3/8/8/1B6/8/K3R3 b - - 0 40"),
        Sample::Positions("8/8/8/8/8/1k6/p7/K7 b - - 0 40"),
    ],
    check: Check::LastMove(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, last: &LastMoves, findings: &mut Findings) {
    let (moves, conditions): (_, &[_]) = if !last.exist() {
        (last.clone(), &[(Severity::Error, Condition::None)])
    } else if facts.can_be_of_standard_array() && !last.in_standard_array().exist() {
        if facts.shows_standard_array() {
            (last.in_standard_array(), &[(Severity::Error, Condition::StandardChess)])
        } else {
            let shown = (Severity::Error, Condition::StandardShown);
            (last.in_standard_array(), &[shown, (Severity::Info, Condition::StandardNotShown)])
        }
    } else {
        return;
    };
    // Nobody has moved in a game at odds that begins.
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
    let reason = reason(facts, turn, &moves);
    let other_side = checkers.is_empty() && facts.last_moves_of_other_side().is_some_and(|moves| moves.exist());
    for &(severity, condition) in conditions {
        let finding = findings.add(&RULE, place).severity(severity).only_if(condition);
        finding.found(found.as_str()).message(reason.as_str());
        if other_side {
            finding.expected((!turn).char()).repair = Some(Repair::Likely);
        }
    }
}

/// Why there is no last move.
fn reason(facts: &PositionFacts<'_>, turn: Color, moves: &LastMoves) -> String {
    let checkers = facts.own_checkers();
    let given = match checkers.count() {
        0 => format!("{} is to move", color_name(turn)),
        1 => format!("{} gives check", facts.names_of(checkers)),
        _ => format!("{} give check at once", facts.names_of(checkers)),
    };
    let mut tried: Vec<String> = moves.at_first_sight().iter().map(Move::to_string).collect();
    // Captures are told apart by what was captured, which is not written.
    tried.dedup();
    let why = match (tried.as_slice(), checkers.single_square()) {
        ([only], _) => format!("before {only}, which is all that can have been played, the position was already impossible"),
        ([first, .., last], _) => {
            format!("before each move that can have been played, from {first} to {last}, the position was already impossible")
        }
        ([], Some(checker)) => {
            let origins: Vec<String> = moves.origins(checker).into_iter().map(|square| square.to_string()).collect();
            match origins.as_slice() {
                [] => "every square from which it can have come is occupied".to_owned(),
                [only] => format!("it can only have come from {only}, from where the king was in check already"),
                _ => format!(
                    "it can only have come from {}, and from each of them the king was in check already",
                    origins.join(", ")
                ),
            }
        }
        ([], None) if checkers.is_empty() => format!("no man of {} can have made the last move", color_name(!turn)),
        ([], None) => "no move brings that about".to_owned(),
    };
    format!("{given}, but {why}")
}
