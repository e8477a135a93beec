//! Moves that pass the turn.

use shakmaty::Position;

use crate::{
    chess::{side, word},
    rules::{Check, Findings, Rule, Sample, Severity, facts::Ply, shown},
};

/// `MOV07`
pub static RULE: Rule = Rule {
    code: code!("MOV07"),
    name: "null-move",
    severity: Severity::Error,
    summary: "A null move stands in the main line",
    what: "One of --, Z0, 0000, @@@@ and <> stands in the main line. In check it is an error, otherwise a warning. In \
           variations null moves are normal, and are spared.",
    why: "Nobody passes a turn in chess: the move was unreadable, or the game is an analysis. Many readers stop here; the \
           position behind it is not the one of the game.",
    fix: "Put the move that was played, or end the game before it.",
    source: "FIDE Laws 1.1 and 3.9.2",
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦--⟧ Nc6 *"),
        Sample::Moves("1. e4 e5 2. ⟦Z0⟧ *"),
        Sample::Moves("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ ⟦--⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 (1. -- d5 2. e4) 1... e5 *"), Sample::Moves("1. e4 {1. --} 1... e5 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    if facts.resolved.is_some() || facts.in_variation {
        return;
    }
    let turn = side(facts.before.turn());
    let checker = facts.before.checkers().first().and_then(|square| Some((facts.before.board().role_at(square)?, square)));
    let finding = findings.add(&RULE, facts.place);
    finding.found(shown(facts.place.of(facts.text)));
    match checker {
        Some((role, square)) => {
            finding.message(format!("{turn} passes the turn while the {} on {square} gives check", word(role)))
        }
        None => finding.severity(Severity::Warning).message(format!("{turn} passes the turn: the move is not recorded")),
    };
}
