//! TRU09: numbers of moves to mate in positions that are not won, or not so soon.

use super::{JudgedLine, described};
use crate::epd::Opcode;
use crate::oracle::Prospect;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU09"),
    name: "dm-refuted",
    severity: Severity::Error,
    summary: "The mate of `dm` cannot be forced",
    what: "By the tablebases, the side to move does not win, even without the fifty-move rule. Or it wins, \
           but the next mate, capture or pawn move that it can force takes more than the moves of `dm`.",
    why: "The position or the number is wrong, so a correct solver seems to fail.",
    fix: "Compare the position and the number with the source.",
    source: "PGN standard 16.2.5.7; Syzygy tablebases",
    yields: &in_record([code!("EPD13")]),
    needs: &[Need::Tables],
    fires: &[Sample::Positions("8/8/8/4k3/8/4K3/4P3/8 w - - dm ⟦9⟧;"), Sample::Positions("8/8/8/3k4/8/8/8/KR6 w - - dm ⟦5⟧;")],
    silent: &[Sample::Positions("8/8/8/3k4/8/8/8/KR6 w - - dm 15;")],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

/// Tables do not count the moves of longer mates, because the fifty-move rule may end the game
/// first.
const MAX_MOVES: i64 = 50;

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let operations = line.operations;
    let Some(operation) = operations.first(Opcode::Dm) else { return };
    let Some(moves) = operations.integer(operation).filter(|moves| (1..=MAX_MOVES).contains(moves)) else { return };
    let Some(judged) = JudgedLine::of(line) else { return };
    let verdict = judged.verdict;
    let reason = match (verdict.unlimited, verdict.zeroing_plies) {
        (Prospect::Loss | Prospect::Draw, _) => described(&verdict, judged.turn()),
        // A mate in n moves is a mate, or a capture or a pawn move comes first, within 2n - 1
        // plies.
        (Prospect::Win, Some(plies)) if i64::from(plies) > 2 * moves - 1 => {
            let needed = quantity(plies, "ply", "plies");
            format!("the next mate, capture or pawn move that can be forced takes {needed}")
        }
        (Prospect::Win, None) if verdict.is_win_too_long() => "the win takes more than 50 moves".to_owned(),
        _ => return,
    };
    let claim = quantity(moves, "move", "moves");
    let finding = findings.add(&RULE, operation.operands).found(moves.to_string());
    finding.message(format!("there is no mate in {claim}: by the tablebases {reason}"));
}
