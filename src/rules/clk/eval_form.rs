//! CLK06: evaluations that are not in a known format.

use super::unwrapped;
use crate::pgn::{CommandKind, EvalFault, Evaluation, read_evaluation};
use crate::rules::prelude::*;

/// From this many hundredths of a pawn on, a value is not an evaluation.
pub const ABSURD: i64 = 100_000;

pub static RULE: Rule = Rule {
    code: code!("CLK06"),
    name: "eval-form",
    severity: Severity::Warning,
    summary: "An evaluation is not in a known format",
    what: "The value of `eval` is neither pawns with decimals (`-1.25`) nor moves to mate (`#-3`), \
           with or without a comma and the depth. Three kinds are infos, reported once per input: \
           whole numbers, which may be centipawns, a sign before the `#`, and values of 1,000 \
           pawns or more. Values that whitespace breaks, such as a line break, are reported once per \
           input.",
    why: "Programs ignore the evaluation, or take centipawns for pawns.",
    fix: "Write pawns with two decimals, or `#` and the moves to mate, negative for Black.",
    source: "PGN supplement of 2001, as used by Lichess and chess.com",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. f3 e5 2. g4 {[%eval ⟦M-1⟧]} Qh4# 0-1"),
        Sample::Moves("1. e4 {⟦[%eval]⟧} *"),
        Sample::Moves("1. e4 {[%eval ⟦34⟧]} *"),
        Sample::Moves("1. e4 {[%eval ⟦-#7,23⟧]} *"),
        Sample::Moves("1. e4 {[%eval ⟦9999.00⟧]} *"),
        Sample::Moves("1. e4 {[%eval ⟦0.\n34⟧]} *"),
    ],
    silent: &[Sample::Moves("1. e4 {[%eval 0.34]} e5 {[%eval -0.1,20]} 2. Nf3 {[%eval #-12]} *")],
    check: Check::Command(check),
    ..Rule::DEFAULTS
};

fn check(facts: &CommandFacts<'_>, findings: &mut Findings) {
    let command = facts.command;
    if command.kind != CommandKind::Eval || !command.closed {
        return;
    }
    let operands = command.operands.of(facts.text);
    if read_evaluation(operands).is_err()
        && let Some(whole) = unwrapped(operands).filter(|whole| read_evaluation(whole).is_ok())
    {
        let (found, expected) = (shown(operands), String::from_utf8_lossy(&whole).into_owned());
        let finding = findings.add(&RULE, command.operands).once_per_input_and("whitespace");
        finding.message(format!("whitespace breaks the evaluation `{expected}`")).found(found).expected(expected);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, command.operands, whole));
        return;
    }
    let (info, what) = match read_evaluation(operands) {
        Ok(Evaluation::Centipawns(value)) if value.abs() >= ABSURD => (Some("absurd"), "is 1,000 pawns or more"),
        Ok(_) => return,
        Err(EvalFault::Whole(_)) => (Some("whole"), "has no decimals, so pawns and centipawns cannot be distinguished"),
        Err(EvalFault::Words) if has_sign_before_mate(operands) => (Some("sign"), "has its sign before `#`"),
        Err(EvalFault::Empty) => (None, "is missing"),
        Err(EvalFault::Words) => (None, "is neither pawns with decimals nor `#` with moves to mate"),
    };
    let found = shown(operands);
    let place = if operands.is_empty() { command.place } else { command.operands };
    let finding = findings.add(&RULE, place).once_if_usual(what);
    if let Some(value) = info {
        finding.severity(Severity::Info).once_per_input_and(value);
    }
    let message = if found.is_empty() { format!("the evaluation {what}") } else { format!("the evaluation `{found}` {what}") };
    finding.found(found).message(message);
    if let Some(repaired) = mate(operands) {
        finding.repair(Certainty::Likely, Patch::replace(facts.text, command.operands, repaired));
    }
}

/// Moves to mate as Lichess writes them: `#-3` instead of `-#3`, `M-3` or `-M3`.
fn mate(operands: &[u8]) -> Option<Vec<u8>> {
    let (sign, rest) = match operands {
        [sign @ (b'-' | b'+'), rest @ ..] => (Some(*sign), rest),
        rest => (None, rest),
    };
    let [b'#' | b'M' | b'm', moves @ ..] = rest else { return None };
    let minus: &[u8] = if sign == Some(b'-') { b"-" } else { b"" };
    let repaired = [b"#", minus, moves].concat();
    (repaired != operands && matches!(read_evaluation(&repaired), Ok(Evaluation::Mate(_)))).then_some(repaired)
}

/// Whether this is `-#3` instead of `#-3`.
fn has_sign_before_mate(operands: &[u8]) -> bool {
    matches!(operands, [b'-' | b'+', rest @ ..] if matches!(read_evaluation(rest), Ok(Evaluation::Mate(1..))))
}
