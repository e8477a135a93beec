//! What stands behind the end of a game.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `RES02`
pub static RULE: Rule = Rule {
    code: code!("RES02"),
    name: "extra-marker",
    severity: Severity::Warning,
    summary: "Movetext or another termination marker stands behind the termination marker",
    what: "The game has ended with a termination marker, and before the next tag section stands a second marker, or moves. \
           Where the game goes on up to another marker, the first is reported, and the game is read on. \
           Comments and NAGs are spared, and so are games that follow without tags.",
    why: "Readers take what follows for another game without tags, or drop it; two sources may have been put together.",
    fix: "Find out which marker is right, and remove the other one together with what stands behind it.",
    source: "PGN standard 8.2.6",
    fires: &[Sample::Moves("1. e4 e5 1-0 ⟦1-0⟧"), Sample::Moves("1. e4 e5 * ⟦Nf3⟧ *")],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 {1-0} 1-0"), Sample::Moves("1. e4 e5 2. Nf3 (2. Bc4) *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind == SyntaxFaultKind::MarkerInside {
        let found = shown(facts.place.of(facts.text));
        findings.add(&RULE, facts.place).found(found).message("the game goes on behind this marker, up to another one");
        return;
    }
    let SyntaxFaultKind::AfterMarker { marker, tokens } = facts.kind else { return };
    let what = if marker { "a second termination marker" } else { "movetext" };
    let count = if tokens > 1 { format!(" ({tokens} tokens)") } else { String::new() };
    findings
        .add(&RULE, facts.place)
        .found(shown(facts.place.of(facts.text)))
        .message(format!("{what} stands behind the marker that ended the game{count}"));
}
