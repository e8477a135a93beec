//! TRU10: evaluations in EPD lines that the tablebases refute.

use super::{JudgedLine, described};
use crate::epd::Opcode;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU10"),
    name: "ce-refuted",
    severity: Severity::Warning,
    summary: "The side that `ce` favours does not win",
    what: "`ce` announces a mate (beyond ±32000), but by the tablebases that side does not win, even without \
           the fifty-move rule. It is an info if `ce` is an evaluation of at least 5 pawns.",
    why: "The position or the evaluation is wrong. Engines without tablebases also misjudge endings.",
    fix: "Evaluate the position again.",
    source: "PGN standard 16.2.5.6; Syzygy tablebases",
    yields: &in_record([code!("TRU09"), code!("EPD12")]),
    needs: &[Need::Tables],
    fires: &[
        Sample::Positions("8/8/8/4k3/8/4K3/4P3/8 w - - ce ⟦32740⟧;"),
        Sample::Positions("8/8/8/4k3/8/4K3/4P3/8 w - - ce ⟦600⟧;"),
    ],
    silent: &[
        Sample::Positions("8/8/8/4k3/8/4K3/4P3/8 w - - ce 120;"),
        Sample::Positions("7k/8/6K1/8/8/8/8/5Q2 w - - ce 32766;"),
    ],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

/// Evaluations beyond this are mates.
const MAX_EVALUATION: u64 = 32_000;
/// From this many hundredths of a pawn on, a side is expected to win.
const WINNING: u64 = 500;

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let operations = line.operations;
    let Some(operation) = operations.first(Opcode::Ce) else { return };
    let Some(value) = operations.integer(operation).filter(|value| value.unsigned_abs() >= WINNING) else { return };
    let Some(judged) = JudgedLine::of(line) else { return };
    let favoured = if value > 0 { judged.turn() } else { !judged.turn() };
    if !judged.verdict.excludes_win_of(favoured, judged.turn()) {
        return;
    }
    let finding = findings.add(&RULE, operation.operands).found(value.to_string());
    let claim = if value.unsigned_abs() > MAX_EVALUATION {
        "announces a mate"
    } else {
        finding.severity(Severity::Info);
        "is a clear advantage"
    };
    finding.message(format!("`ce {value}` {claim}, but by the tablebases {}", described(&judged.verdict, judged.turn())));
}
