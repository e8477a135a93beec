//! Letters of pieces in other languages.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `MOV22`
pub static RULE: Rule = Rule {
    code: code!("MOV22"),
    name: "foreign-letters",
    severity: Severity::Warning,
    summary: "The pieces have the letters of another language than English",
    what: "With English letters the game cannot be replayed; with those of another language, with figurines, or with small \
           letters for its files it can be replayed further, and at least two moves are written so. The game is then read \
           that way from its first move. Reported at the first such move, once per input and language; languages that \
           share their letters are named together.",
    why: "Readers of PGN know the English letters only: they drop the moves, or play others.",
    fix: "Put the English letters in their place.",
    source: "PGN standard 8.2.3.2 and 17",
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦Sf3⟧ Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O *"),
        Sample::Moves("1. e4 e5 2. ⟦Pf3⟧ Pc6 3. Lb5 a6 4. La4 Pf6 5. O-O *"),
        Sample::Moves("1. e4 e5 2. ⟦Кf3⟧ Кc6 3. Сb5 a6 4. Сa4 Кf6 5. O-O *"),
        Sample::Moves("1. e4 e5 2. ⟦♘f3⟧ ♞c6 3. ♗b5 a6 4. ♗a4 ♞f6 5. O-O *"),
        Sample::Moves("1. ⟦E4⟧ E5 2. NF3 NC6 3. BB5 A6 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O {Sf3} *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::ForeignNotation { name, english } = &facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place);
    finding.message(format!("the moves of the game are not written in English, but so: {name}; {found} is {english}"));
    finding.found(found).expected(english.as_str()).once_per_input_and(*name).repair = Some(Repair::Likely);
}
