//! MOV07: null moves in the main line.

use shakmaty::Position;

use crate::chess::role_name;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV07"),
    name: "null-move",
    severity: Severity::Error,
    summary: "The main line contains a null move",
    what: "The main line contains `--`, `Z0`, `0000`, `@@@@` or `<>`. If the side to move is in \
           check, this is an error, otherwise a warning. Null moves in variations are normal and \
           are not reported.",
    why: "A turn cannot be passed in chess: the move was unreadable, or the game is an analysis. \
          Many readers stop here, and the later positions are not those of the game.",
    fix: "Write the move that was played, or end the game before it.",
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

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    if facts.resolved.is_some() || facts.in_variation {
        return;
    }
    let turn = color_name(facts.before.turn());
    let checker = facts.before.checkers().first().and_then(|square| Some((facts.before.board().role_at(square)?, square)));
    let found = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place);
    match checker {
        Some((role, square)) => finding
            .message(format!("`{found}` passes {turn}'s turn, but the {} on {square} gives check", role_name(role)))
            .squares(facts.before.checkers()),
        None => finding
            .severity(Severity::Warning)
            .message(format!("`{found}` passes {turn}'s turn: the move that was played is not recorded")),
    };
    finding.found(found);
}
