//! CLK07: announced mates that do not exist.

use shakmaty::{Chess, Color, Position};

use crate::chess::winnability::{cannot_checkmate, is_dead};
use crate::chess::{Board, has_legal_move};
use crate::pgn::{CommandKind, Evaluation, read_evaluation};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK07"),
    name: "eval-mate-false",
    severity: Severity::Warning,
    summary: "An evaluation announces a mate that does not exist",
    what: "The evaluation is `#1` (White mates) or `#-1` (Black mates), but that side cannot mate \
           with its next move. Or it is `#0`, but nobody is checkmated. Or it is any mate of a side \
           that provably can never checkmate. It is an info if the mate exists for the other side, \
           or before the move, because programs differ in their point of view. Mates in more than \
           one move are not searched for.",
    why: "The evaluation belongs to another position, or the moves were changed after it was made.",
    fix: "Evaluate the position again.",
    source: "PGN supplement of 2001, as used by Lichess: evaluations are White's, after the move",
    yields: &in_record([code!("CLK12"), code!("CLK13")]),
    fires: &[
        Sample::Moves("1. e4 e5 {⟦[%eval #1]⟧} *"),
        Sample::Moves("1. e4 {⟦[%eval #0]⟧} *"),
        Sample::Moves("1. f3 e5 2. g4 {⟦[%eval #1]⟧} d6 *"),
        Sample::Moves("1. f3 e5 2. g4 Qh4# {⟦[%eval #3]⟧} 0-1"),
    ],
    silent: &[
        Sample::Moves("1. f3 e5 2. g4 {[%eval #-1]} Qh4# {[%eval #0]} 0-1"),
        Sample::Moves("1. f3 e5 2. g4 {[%eval #-1]} Qh4# {[%eval #-1]} 0-1"),
        Sample::Moves("1. e4 e5 {[%eval #2]} *"),
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1\"]",
            moves: "1. Kd2 {[%eval #9]} Kd6 1/2-1/2",
        },
    ],
    check: Check::Command(check),
    ..Rule::DEFAULTS
};

/// In a checkmate any mate for the winner is accepted; one for the loser is an info.
///
/// The square marked is that of the king that is said to be mated, or is mated.
fn check(facts: &CommandFacts<'_>, findings: &mut Findings) {
    let (command, Some(position)) = (facts.command, facts.position) else { return };
    if command.kind != CommandKind::Eval || !command.closed {
        return;
    }
    let operands = command.operands.of(facts.text);
    let Ok(Evaluation::Mate(moves)) = read_evaluation(operands) else { return };
    let winner = if moves < 0 { Color::Black } else { Color::White };
    let mut king = position.board().king_of(!winner);
    let (severity, what) = if position.is_checkmate() {
        if moves == 0 || !position.turn() == winner {
            return;
        }
        king = position.board().king_of(position.turn());
        (Severity::Info, format!("{} is checkmated", color_name(position.turn())))
    } else if position.is_insufficient_material() || is_dead(position) {
        let was_possible = facts.before.is_some_and(|before| !is_dead(before));
        let severity = if was_possible { Severity::Info } else { Severity::Warning };
        let reason =
            if position.is_insufficient_material() { "neither side has mating material" } else { "neither side can checkmate" };
        (severity, reason.to_owned())
    } else if moves != 0 && cannot_checkmate(position, winner) {
        (Severity::Info, format!("{} cannot checkmate", color_name(winner)))
    } else if moves == 0 {
        king = position.board().king_of(position.turn());
        let was_over = facts.before.is_some_and(|before| !has_legal_move(before));
        (if was_over { Severity::Info } else { Severity::Warning }, "neither side is checkmated".to_owned())
    } else if moves.abs() == 1 {
        let mates_next =
            |position: &Chess, color: Color| Board::of(position).mates_next(position.turn().is_black(), color.is_black());
        if mates_next(position, winner) {
            return;
        }
        let other = mates_next(position, !winner);
        let before = || facts.before.is_some_and(|before| Color::ALL.into_iter().any(|color| mates_next(before, color)));
        let severity = if other || before() { Severity::Info } else { Severity::Warning };
        let what = if other {
            format!("{} mates, not {}", color_name(!winner), color_name(winner))
        } else {
            format!("{} has no mate in one", color_name(winner))
        };
        (severity, what)
    } else {
        return;
    };
    let found = shown(operands);
    let finding = findings.add(&RULE, command.place);
    finding.severity(severity).message(format!("the evaluation `{found}` is wrong: {what}")).found(found);
    if let Some(king) = king {
        finding.squares(king);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, CastlingMode, Square, fen::Fen};

    use super::*;
    use crate::{pgn::next_command, rules::Finding, text::Span};

    /// The squares marked for an evaluation in a position.
    fn marked(fen: &str, comment: &str) -> Bitboard {
        finding(fen, comment).marks.squares
    }

    fn finding(fen: &str, comment: &str) -> Finding {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let text = comment.as_bytes();
        let command = next_command(text, Span::new(0, text.len())).expect("a command");
        let mut findings = Findings::new();
        check(&CommandFacts { text, command: &command, position: Some(&position), before: None }, &mut findings);
        assert_eq!(findings.len(), 1, "{comment}");
        findings.all().remove(0)
    }

    #[test]
    fn mates_of_a_side_that_cannot_checkmate() {
        let found = |fen: &str, comment: &str| {
            let finding = finding(fen, comment);
            (finding.severity, finding.message)
        };
        let message = |evaluation: &str, reason: &str| format!("the evaluation `{evaluation}` is wrong: {reason}");
        for (fen, evaluation, severity, reason) in [
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "#5", Severity::Warning, "neither side has mating material"),
            ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", "#5", Severity::Warning, "neither side can checkmate"),
            // The sign may be wrong.
            ("8/4b3/3b1k2/8/8/5Bp1/6Pp/7K w - - 0 1", "#-5", Severity::Info, "Black cannot checkmate"),
        ] {
            assert_eq!(found(fen, &format!("[%eval {evaluation}]")), (severity, message(evaluation, reason)), "{fen}");
        }
    }

    #[test]
    fn the_king_that_is_mated_or_said_to_be_is_marked() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(marked(quiet, "[%eval #1]"), Bitboard::from(Square::E8), "White mates");
        assert_eq!(marked(quiet, "[%eval #-1]"), Bitboard::from(Square::E1), "Black mates");
        assert_eq!(marked(quiet, "[%eval #0]"), Bitboard::from(Square::E1), "the side to move is mated");
        let smothered = "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1";
        assert_eq!(marked(smothered, "[%eval #-1]"), Bitboard::from(Square::H8), "Black is mated");
    }
}
