//! MOV25: king moves that signal the result to an electronic board.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV25"),
    name: "dgt-king-signal",
    severity: Severity::Warning,
    summary: "The game ends with king moves that signal the result",
    what: "The last moves are king moves to d4, e4, d5 or e5, and at least one is illegal. Their \
           squares match the termination marker: light squares for 1-0, dark squares for 0-1, one \
           of each for a draw. One illegal king move is enough, on any of the squares in a draw. Legal king moves alone are not reported.",
    why: "The moves were not played. Players put the kings in the centre so that an electronic \
          board records the result.",
    fix: "Remove the king moves.",
    source: "DGT electronic boards: entering the result",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Ke4 Kd5⟧ 1-0"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Kd4 Ke5⟧ 0-1"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Kd4 Kd5⟧ 1/2-1/2"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦Ke4⟧ 1/2-1/2"),
        Sample::Moves("1. e4 e5 2. Nf3 ⟦Kd4⟧ 1/2-1/2"),
    ],
    silent: &[
        Sample::Moves("1. e4 e5 2. Ke2 Ke7 3. Ke3 Ke6 1-0"),
        Sample::Moves("1. d4 d5 2. Kd2 Kd7 3. Ke3 Kd6 4. c3 c6 5. Kd3 Ke6 6. Ke3 Kd6 1/2-1/2"),
    ],
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
        .message(format!("{found} was not played: the kings signal the result to an electronic board"))
        .found(found);
}
