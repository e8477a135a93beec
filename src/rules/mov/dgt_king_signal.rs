//! Kings in the centre that tell an electronic board the result.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `MOV25`
pub static RULE: Rule = Rule {
    code: code!("MOV25"),
    name: "dgt-king-signal",
    severity: Severity::Warning,
    summary: "The game ends with king moves that tell an electronic board the result",
    what: "The last moves are king moves to d4, e4, d5 or e5, at least one of them is illegal, and their squares say what the \
           termination marker says: light squares for 1-0, dark squares for 0-1, one of each for a draw. A legal king move \
           to the centre is spared, whatever it was made for, and so are moves that say another result.",
    why: "The moves were never played: players put the kings in the centre for the board to send the result.",
    fix: "Remove the king moves.",
    source: "DGT electronic boards: putting the result",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Ke4 Kd5⟧ 1-0"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Kd4 Ke5⟧ 0-1"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Kd4 Kd5⟧ 1/2-1/2"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Ke2 Ke7 3. Ke3 Ke6 1-0")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind != SyntaxFaultKind::KingSignal {
        return;
    }
    let found = shown(facts.place.of(facts.text));
    findings
        .add(&RULE, facts.place)
        .message(format!("{found} cannot be played, and tells an electronic board the result that the game has"))
        .found(found);
}
