//! RES13: Termination tags that contradict the result or the board.

use super::{Finished, Stated, outcome_by};
use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::Ending, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES13"),
    name: "termination-contradicts",
    severity: Severity::Warning,
    summary: "The Termination tag contradicts the result or the final position",
    what: "`unterminated` beside a score, `normal` beside `*`, `time forfeit` or `abandoned` where the last move mates.",
    why: "One of the two was filled in by a template.",
    fix: "Look the game up.",
    source: "PGN standard 9.8.1",
    yields: &[Yield::InRecord(code!("RES04")), Yield::InRecord(code!("RES05")), Yield::InRecord(code!("RES07"))],
    fires: &[
        Sample::Tags("[Result \"1-0\"]\n[Termination \"⟦unterminated⟧\"]"),
        Sample::Tags("[Termination \"⟦Normal⟧\"]"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\
             [Termination \"⟦Time forfeit⟧\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
        ),
    ],
    silent: &[
        Sample::Tags("[Result \"1-0\"]\n[Termination \"normal\"]"),
        Sample::Tags("[Result \"0-1\"]\n[Termination \"time forfeit\"]"),
        Sample::Tags("[Termination \"unterminated\"]"),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(pair) = facts.tags.pair(KnownTag::Termination) else { return };
    let value = pair.value.of(facts.text);
    let is = |word: &str| value.eq_ignore_ascii_case(word.as_bytes());
    let stated = Stated::of(facts);
    let scored = || stated.each().any(|(_, kind)| kind.outcome().is_some_and(|outcome| outcome.is_known()));
    let open = || stated.each().next().is_some() && !scored();
    let message = if is("unterminated") && scored() {
        "the game is said to be unterminated, but it has a result"
    } else if is("normal") && open() {
        "the game is said to have ended normally, but its result is `*`"
    } else if (is("time forfeit") || is("abandoned")) && outcome_by(facts, Finished::Mate).is_some() {
        "the last move mates, and that is how the game ended"
    } else {
        return;
    };
    findings.add(&RULE, pair.value).found(shown(value)).message(message);
}
