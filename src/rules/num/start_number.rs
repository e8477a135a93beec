//! NUM03: games whose numbering differs from their starting position.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NUM03"),
    name: "start-number",
    severity: Severity::Info,
    summary: "The first move number differs from the starting position",
    what: "A game is numbered from another number than the fullmove number of its starting position, \
           which is 1 without a FEN tag. Later numbers are checked against that first number. With a \
           FEN tag, numbering from 1 and numbering from the FEN are both common. Games numbered from 1 \
           are reported once per input.",
    why: "Comparing the game with its source by move number leads to the wrong place.",
    fix: "If a fragment was numbered from 1 on purpose, leave it unchanged. Otherwise correct the \
          FEN's fullmove number. Without a FEN tag, look for the moves before the first number.",
    source: "PGN standard 8.2.2 and 16.1.3.6",
    fires: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"]", moves: "⟦1.⟧ e4 Ke7 2. e5 *" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"]", moves: "⟦41...⟧ Ke7 42. e4 *" },
        Sample::Moves("⟦10.⟧ e4 e5 11. Nf3 Nc6 *"),
    ],
    silent: &[Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"]", moves: "39... Ke7 40. e4 *" }],
    check: Check::Number(check),
    wakes: Wakes::Signs(&[Sign::StartNumber]),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    let (NumberAspect::Start, Some(value)) = (facts.aspect, facts.value) else { return };
    let finding = findings
        .add(&RULE, facts.place)
        .found(shown(facts.place.of(facts.text)))
        .message(format!("the game is numbered from {value}, but its starting position has fullmove number {}", facts.expected));
    if value == 1 {
        finding.once_per_input_and("1");
    }
}
