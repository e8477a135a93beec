//! SYN08: closing parentheses without an opening one.

use crate::rules::patches::without_token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN08"),
    name: "stray-rav-close",
    severity: Severity::Error,
    summary: "A closing parenthesis has no opening parenthesis",
    what: "There is a `)` in the main line. If the moves before it are a variation, the finding is \
           where its `(` is missing, and they are read as a variation. A move number such as `1)` \
           is a warning, reported once per input. Parentheses inside comments do not count.",
    why: "A variation was closed twice, or its `(` is missing. In the second case, its moves may \
           be read as moves of the game.",
    fix: "Remove the `)`, or add `(` where the variation begins. Write a period after move numbers.",
    source: "PGN standard 8.2.5",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 ⟦)⟧ e5 *"),
        Sample::Moves("1. e4 e5 ⟦1...⟧ c5 2. Nf3) 2. Nf3 *"),
        Sample::Moves("1. e4 e5 (1... c5 2. Nf3 ⟦2.⟧ Nc3 Nc6) 2... d6) 2. Nf3 *"),
        Sample::Moves("1. e4 ⟦[⟧1. d4 d5) 1... e5 *"),
    ],
    silent: &[Sample::Moves("1. e4 (1. d4 (1. c4)) 1... e5 *"), Sample::Moves("1. e4 {:)} 1... e5 *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let found = || shown(facts.place.of(facts.text));
    match facts.kind {
        SyntaxFaultKind::StrayVariationClose => {
            let finding = findings.add(&RULE, facts.place).found(found());
            finding.message("`)` closes a variation, but no variation is open");
            finding.repair(Certainty::Likely, without_token(facts.text, facts.place));
        }
        SyntaxFaultKind::MissingVariationOpen => {
            let found = found();
            let finding = findings.add(&RULE, facts.place).found(found.as_str());
            if found == "[" {
                finding.expected("(").message("the variation begins with `[` instead of `(`");
                finding.repair(Certainty::Likely, Patch::replace(facts.text, facts.place, *b"("));
            } else {
                finding.expected(format!("({found}")).message("the variation that begins here has `)` at its end, but no `(`");
                finding.repair(Certainty::Likely, Patch::insert(facts.place.start, *b"("));
            }
        }
        SyntaxFaultKind::NumberParenthesis => {
            findings
                .add(&RULE, facts.place)
                .severity(Severity::Warning)
                .found(found())
                .expected(".")
                .message("the move number ends with `)` instead of a period")
                .once_per_input()
                .repair(Certainty::Likely, Patch::replace(facts.text, facts.place, *b"."));
        }
        _ => {}
    }
}
