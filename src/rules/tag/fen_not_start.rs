//! TAG19: FEN tags with a position in which the game does not start.

use crate::rules::patches::without_line;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG19"),
    name: "fen-not-start",
    severity: Severity::Warning,
    summary: "The game does not start from its FEN tag",
    what: "A move is illegal from the position of the FEN tag, but the whole game is legal from \
           the starting position. The game is then read from the starting position. Games of fewer \
           than four plies are not checked, and neither are Chess960 and other variants.",
    why: "The tag contains the final or some other position of the game. Readers that trust it \
           reject the moves.",
    fix: "Remove the FEN and SetUp tags.",
    source: "PGN standard 9.7",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Game {
        tags: "[SetUp \"1\"]\n\
               ⟦[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"]⟧",
        moves: "1. e4 c5 2. Nf3 d6 3. d4 cxd4 *",
    }],
    silent: &[Sample::Game {
        tags: "[SetUp \"1\"]\n\
               [FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"]",
        moves: "2... d6 3. d4 cxd4 4. Nxd4 Nf6 *",
    }],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::FenNotStart { plies, stuck, superfluous } = &facts.kind else { return };
    let plies = quantity(*plies, "ply", "plies");
    let finding = findings.add(&RULE, facts.place).once_if_usual("");
    finding.found(shown(facts.place.of(facts.text))).message(format!(
        "ply {stuck} is not legal from this FEN, but the whole game ({plies}) is legal from the starting position"
    ));
    for tag in superfluous {
        finding.repair(Certainty::Likely, without_line(facts.text, *tag));
    }
}
