//! MOV22: piece letters of other languages.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV22"),
    name: "foreign-letters",
    severity: Severity::Warning,
    summary: "The piece letters are not English",
    what: "The game cannot be replayed with English piece letters. With the letters of another \
           language, with figurines, or with capital letters for files, it can be replayed \
           further. At least two moves are written this way. The game is then read that way from \
           its first move. Reported at the first such move, once per input and language.",
    why: "PGN readers know only the English letters. They drop the moves or play different ones.",
    fix: "Replace the letters with the English ones.",
    source: "PGN standard 8.2.3.2 and 17",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦Sf3⟧ Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O *"),
        Sample::Moves("1. e4 e5 2. ⟦Pf3⟧ Pc6 3. Lb5 a6 4. La4 Pf6 5. O-O *"),
        Sample::Moves("1. e4 e5 2. ⟦Кf3⟧ Кc6 3. Сb5 a6 4. Сa4 Кf6 5. O-O *"),
        Sample::Moves("1. e4 e5 2. ⟦Af3⟧ Ac6 3. Fb5 a6 4. Fa4 Af6 5. O-O Fe7 6. Ke1 b5 7. Fb3 Sf8 *"),
        Sample::Moves("1. e4 e5 2. ⟦Kf3⟧ Kc6 3. Gb5 a6 4. Ga4 Kf6 5. O-O Ge7 6. Be1 b5 7. Gb3 Rf8 *"),
        Sample::Moves("1. e4 e5 2. ⟦♘f3⟧ ♞c6 3. ♗b5 a6 4. ♗a4 ♞f6 5. O-O *"),
        Sample::Moves("1. ⟦E4⟧ E5 2. NF3 NC6 3. BB5 A6 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O {Sf3} *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

/// Languages that share their letters are named together.
fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::ForeignNotation { name, english } = &facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place);
    finding.message(format!("the moves are not in English notation ({name}): {found} means {english}"));
    finding.found(found).expected(english.as_str()).once_per_input_and(*name);
}
