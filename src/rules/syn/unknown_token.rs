//! SYN10: tokens that are not PGN.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN10"),
    name: "unknown-token",
    severity: Severity::Error,
    summary: "A token of the movetext is not PGN",
    what: "A token of the movetext is not a move, move number, NAG, game termination marker, \
           bracket or comment. A sign for an evaluation, such as `+/-` or `±`, is a warning, and \
           the game is read on after it; 20 or more of them in an input are reported once. So is a \
           placeholder in place of a move number, such as `NaN.`, which is reported once per game. \
           HTML is reported at its first tag in a game. In a variation, an unknown token is a \
           warning. A number that no move follows is a warning too. It is an error if the next move \
           of the main line cannot be played.",
    why: "Some readers stop at the token. Others silently drop it and play the next move in a \
           wrong position.",
    fix: "Replace the token with the move that was meant, or turn it into a comment.",
    source: "PGN standard 7, 8.2",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦xyzzy⟧ *"),
        Sample::Moves("1. e4 ⟦aa10.⟧ *"),
        Sample::Moves("1. e4 ⟦\u{200C}⟧ e5 *"),
        // Letters that look like digits.
        Sample::Moves("1. e4 e5 2. ⟦NeZ⟧ Nc6 *"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦BbS⟧ a6 *"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. ⟦Bfl⟧ *"),
        Sample::Moves("1. e4 e5 ⟦+/-⟧ 2. Nf3 *"),
        Sample::Moves("1. e4 e5 2. Nf3 ⟦-+⟧ Nc6 *"),
        Sample::Moves("1. e4 e5 ⟦∓⟧ 2. Nf3 *"),
        // Characters are swapped, or one is missing.
        Sample::Moves("1. e4 e5 2. ⟦4d⟧ d6 3. Nf3 *"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 ⟦6⟧ 4. Ba4 Nf6 *"),
        // The variation replaces the move that cannot be read.
        Sample::Moves("1. e4 e5 2. ⟦Nt3⟧ (2. Nc3 Nc6) 2... Nc6 3. Bb5 *"),
        // A stray number before the end of the game.
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 ⟦1⟧"),
        Sample::Moves("1. e4 ⟦<b>⟧e5</b> 2. Nf3 *"),
        Sample::Moves("⟦NaN.⟧ e4 e5 NaN. Nf3 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 {xyzzy} *"), Sample::Moves("1. e4 e5 ; xyzzy\n*")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind == SyntaxFaultKind::Html {
        let found = shown(facts.place.of(facts.text));
        let message = "the movetext contains HTML; further HTML in this game is skipped";
        findings.add(&RULE, facts.place).once_if_usual("HTML").found(found).message(message);
        return;
    }
    if let SyntaxFaultKind::EvaluationSign { nag } = facts.kind {
        let (found, nag) = (shown(facts.place.of(facts.text)), format!("${nag}"));
        let finding = findings.add(&RULE, facts.place).severity(Severity::Warning).grouped("evaluation").expected(nag.as_str());
        finding.message(format!("`{found}` is an evaluation, for which PGN has the NAG `{nag}`")).found(found);
        return;
    }
    if let SyntaxFaultKind::NumberPlaceholder { number } = &facts.kind {
        let found = shown(facts.place.of(facts.text));
        let finding = findings.add(&RULE, facts.place).severity(Severity::Warning).expected(number.as_str());
        finding.message(format!("`{found}` is a placeholder for the move number `{number}`")).found(found);
        return;
    }
    let SyntaxFaultKind::UnknownToken { meant } = &facts.kind else { return };
    let token = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place).found(token.as_str());
    match meant {
        Some(meant) => {
            finding.severity(severity(facts.in_variation));
            finding.message(format!("`{token}` is not PGN; probably `{meant}` is meant")).expected(meant.as_str());
        }
        None => describe(finding, facts.in_variation),
    }
}

/// The severity of a token that is no number.
const fn severity(in_variation: bool) -> Severity {
    if in_variation { Severity::Warning } else { Severity::Error }
}

/// Whether the token, as shown, is a number, or several.
pub(crate) fn is_number(found: &str) -> bool {
    found.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
}

/// Says what is wrong with the token that was found, and how bad that is.
pub(crate) fn describe(finding: &mut Finding, in_variation: bool) {
    let token = &finding.found;
    if is_number(token) {
        let message = format!("`{token}` is neither a move nor the next move number");
        finding.severity(Severity::Warning).message(message);
    } else {
        let message = format!("`{token}` is not PGN");
        finding.severity(severity(in_variation)).message(message);
    }
}
