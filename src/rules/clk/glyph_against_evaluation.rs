//! CLK15: glyphs that evaluations contradict.

use crate::rules::main_line::{analysis_at, locate, mover, shown_value};
use crate::rules::prelude::*;

/// Evaluations are compared up to this many hundredths of a pawn.
const LIMIT: i64 = 1000;
/// From this gain on, a move is not a mistake.
const GAIN: i64 = 100;
/// From this loss on, a move is not good.
const LOSS: i64 = 300;

pub static RULE: Rule = Rule {
    code: code!("CLK15"),
    name: "glyph-against-evaluation",
    severity: Severity::Info,
    summary: "A glyph contradicts the evaluations",
    what: "A move is marked as a mistake (`?`, `??`, `?!` or their NAGs), but `%eval` improves by \
           one pawn or more for the side that made it. A move marked as good (`!`, `!!` or their \
           NAGs) is reported if the evaluation worsens by three pawns or more. It is reported once \
           per input.",
    why: "The glyphs were made with other evaluations, or belong to other moves.",
    fix: "Annotate the game again, or decide which of the two is right.",
    source: "PGN standard 8.2.3.8, 10",
    yields: &in_record([code!("CLK10"), code!("CLK11"), code!("CLK12"), code!("CLK13")]),
    fires: &[
        Sample::Moves("1. e4 {[%eval 0.20]} e5⟦??⟧ {[%eval -1.50]} *"),
        Sample::Moves("1. e4 {[%eval 0.20]} e5 ⟦$4⟧ {[%eval -1.50]} *"),
        Sample::Moves("1. e4 {[%eval 0.20]} e5 {[%eval 0.20]} 2. Qh5⟦!⟧ {[%eval -4.20]} *"),
    ],
    silent: &[
        Sample::Moves("1. e4 {[%eval 0.20]} e5?? {[%eval 4.50]} *"),
        Sample::Moves("1. e4 {[%eval 0.20]} e5?? {[%eval -0.50]} *"),
        Sample::Moves("1. e4 {[%eval 0.20]} e5 {[%eval 0.20]} 2. Qh5! {[%eval 0.10]} *"),
        Sample::Moves("1. e4 {[%eval 0.20]} e5 2. Qh5!? {[%eval -4.20]} *"),
        // Each engine has its own opinion.
        Sample::Moves("1. e4 {+0.20/9 0.5s} e5?? {+1.50/9 0.5s} *"),
    ],
    check: Check::Ending(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let at = |ply: u32| analysis_at(facts, ply).map(|reading| reading.value);
    let contradicted = facts.annotations.judgements.iter().find_map(|judgement: &JudgingGlyph| {
        let (before, after) = (at(judgement.ply.checked_sub(1)?)?, at(judgement.ply)?);
        let gain = mover(facts, judgement.ply).fold_wb(1, -1) * (after.within(LIMIT) - before.within(LIMIT));
        let is_contradicted = match judgement.number {
            1 | 3 => gain <= -LOSS,
            2 | 4 | 6 => gain >= GAIN,
            _ => false,
        };
        is_contradicted.then_some((judgement, before, after))
    });
    let Some((judgement, before, after)) = contradicted else { return };
    let found = shown(judgement.place.of(facts.text));
    let message = format!(
        "the move is marked `{found}`, but the evaluation goes from `{}` to `{}`",
        shown_value(before),
        shown_value(after)
    );
    let finding = findings.add(&RULE, judgement.place).once_per_input().found(found).message(message);
    locate(finding, facts, judgement.ply);
}
