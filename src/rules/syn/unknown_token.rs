//! What is nothing in PGN.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN10`
pub static RULE: Rule = Rule {
    code: code!("SYN10"),
    name: "unknown-token",
    severity: Severity::Error,
    summary: "A token is nothing that PGN knows",
    what: "A token of the movetext is no move in any notation, no move number indication, NAG, game termination marker, \
           bracket or comment. In a variation it is a warning.",
    why: "Readers stop at the token, or drop it without a word and read the next move in a wrong position.",
    fix: "Replace it with the move that was meant, or make it a comment.",
    source: "PGN standard 7 and 8.2",
    fires: &[Sample::Moves("1. e4 e5 2. ⟦xyzzy⟧ *"), Sample::Moves("1. e4 ⟦aa10.⟧ *")],
    silent: &[Sample::Moves("1. e4 e5 {xyzzy} *"), Sample::Moves("1. e4 e5 ; xyzzy\n*")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind == SyntaxFaultKind::Html {
        let found = shown(facts.place.of(facts.text));
        findings
            .add(&RULE, facts.place)
            .found(found)
            .message("a mark of HTML stands in the movetext; others of this game are passed over as well");
        return;
    }
    let SyntaxFaultKind::UnknownToken { meant } = &facts.kind else { return };
    let token = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place);
    if facts.in_variation {
        finding.severity(Severity::Warning);
    }
    match meant {
        Some(meant) => {
            finding
                .message(format!("{token} is no token of movetext; {meant} is probably meant"))
                .expected(meant.as_str())
                .repair = Some(Repair::Likely);
        }
        None => {
            finding.message(format!("{token} is no move, number, NAG, marker or comment"));
        }
    }
    finding.found(token);
}
