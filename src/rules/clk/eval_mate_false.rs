//! CLK07: mates that the board refutes.

use shakmaty::{Chess, Color, Position};

use super::side;
use crate::{
    pgn::{CommandKind, Evaluation, read_evaluation},
    rules::{Check, Findings, Rule, Sample, Severity, facts::CommandFacts, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("CLK07"),
    name: "eval-mate-false",
    severity: Severity::Warning,
    summary: "An evaluation announces a mate that the board refutes",
    what: "`[%eval #1]` or `#-1` where neither side mates with its next move, neither after the move that it stands behind nor before it, or `#0` where nobody is mated; any mate where neither side has the material for one. \
           An info where it would be true for the other side, or before the move: programs differ in whose point of view they take. Longer mates are not searched for.",
    why: "The evaluation belongs to another position, or the moves are not those that were evaluated.",
    fix: "Evaluate the position again.",
    source: "PGN supplement of 2001, as Lichess writes it: evaluations are White's, after the move",
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
    ],
    check: Check::Command(check),
    ..Rule::DEFAULTS
};

fn check(facts: &CommandFacts<'_>, findings: &mut Findings) {
    let (command, Some(position)) = (facts.command, facts.position) else { return };
    if command.kind != CommandKind::Eval || !command.closed {
        return;
    }
    let operands = command.operands.of(facts.text);
    let Ok(Evaluation::Mate(moves)) = read_evaluation(operands) else { return };
    let winner = if moves < 0 { Color::Black } else { Color::White };
    let (severity, what) = if position.is_checkmate() {
        if moves == 0 || !position.turn() == winner {
            return;
        }
        (Severity::Info, format!("{} is mated", side(position.turn())))
    } else if position.is_insufficient_material() {
        let was_open = facts.before.is_some_and(|before| !before.is_insufficient_material());
        let severity = if was_open { Severity::Info } else { Severity::Warning };
        (severity, "neither side has the material to mate".to_owned())
    } else if moves == 0 {
        let mated_before = facts.before.is_some_and(|before| before.legal_moves().is_empty());
        (if mated_before { Severity::Info } else { Severity::Warning }, "nobody is mated".to_owned())
    } else if moves.abs() == 1 {
        if mates_next(position, winner) {
            return;
        }
        let other = mates_next(position, !winner);
        let before = || facts.before.is_some_and(|before| Color::ALL.into_iter().any(|color| mates_next(before, color)));
        let severity = if other || before() { Severity::Info } else { Severity::Warning };
        let what =
            if other { format!("it is {} who mates", side(!winner)) } else { format!("{} has no mate in one", side(winner)) };
        (severity, what)
    } else {
        return;
    };
    let found = shown(operands);
    let finding = findings.add(&RULE, command.place);
    finding.severity(severity).message(format!("the evaluation `{found}` is refuted by the board: {what}")).found(found);
}

/// Whether one side or the other mates with its next move, so that no more than an info can be made of an announcement of that.
pub(crate) fn somebody_mates_next(position: &Chess) -> bool {
    Color::ALL.into_iter().any(|color| mates_next(position, color))
}

/// Whether `color` mates with its next move, whatever the other side does if it is to move.
fn mates_next(position: &Chess, color: Color) -> bool {
    if position.turn() == color {
        return mates_in_one(position);
    }
    let replies = position.legal_moves();
    !replies.is_empty()
        && replies.iter().all(|reply| {
            let mut after = position.clone();
            after.play_unchecked(*reply);
            mates_in_one(&after)
        })
}

/// Whether the side to move has a mate in one.
fn mates_in_one(position: &Chess) -> bool {
    position.legal_moves().iter().any(|mate| {
        let mut after = position.clone();
        after.play_unchecked(*mate);
        after.is_check() && after.legal_moves().is_empty()
    })
}
