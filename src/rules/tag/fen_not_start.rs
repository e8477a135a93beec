//! FEN tags that hold another position than the first.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `TAG19`
pub static RULE: Rule = Rule {
    code: code!("TAG19"),
    name: "fen-not-start",
    severity: Severity::Warning,
    summary: "The game begins in the initial array, and not in the position of its FEN tag",
    what: "A move of the game is illegal from the position of the FEN tag, and the whole game, of four plies at least, is \
           legal from the initial array. The game is then read from there. Chess960 and other variants are spared.",
    why: "The tag holds the final or some other position of the game; readers that trust it reject the moves.",
    fix: "Remove the FEN and SetUp tags.",
    source: "PGN standard 9.7",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         ⟦[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"]⟧\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 *\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"]\n\n2... d6 3. d4 cxd4 4. Nxd4 Nf6 *\n",
    )],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::FenNotStart { plies, stuck } = facts.kind else { return };
    findings.add(&RULE, facts.place).found(shown(facts.place.of(facts.text))).message(format!(
        "from this position ply {stuck} cannot be played; from the initial array the whole game can ({plies} plies)"
    ));
}
