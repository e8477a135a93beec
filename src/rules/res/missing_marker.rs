//! RES01: games without a termination marker.

use crate::pgn::{KnownTag, standard_marker};
use crate::rules::{Check, Condition, Findings, Repair, Rule, Sample, Severity, Span, Yield, facts::Ending};

pub static RULE: Rule = Rule {
    code: code!("RES01"),
    name: "missing-marker",
    severity: Severity::Warning,
    summary: "The movetext has no game termination marker",
    what: "The game has moves, but none of `1-0`, `0-1`, `1/2-1/2` and `*` follows them. A game \
           without any moves is an info, reported once per input, because broadcasts export \
           pairings this way. The last game of an input is reported only if other games lack \
           their marker too. Otherwise the text is probably cut off, see SYN14.",
    why: "Parsers that wait for the marker read the next game as part of this one.",
    fix: "Write the value of the Result tag after the last move.",
    source: "PGN standard 8.2.6",
    yields: &[
        Yield::InRecord(code!("SYN14")),
        Yield::InRecord(code!("SYN04")),
        Yield::InRecord(code!("SYN05")),
        Yield::InRecord(code!("SYN07")),
    ],
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5⟦⟧\n\n\
         [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"2\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. d4 d5 *\n",
    )],
    silent: &[Sample::Moves("1. e4 e5 *")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if facts.marker.is_some() {
        return;
    }
    let finding = findings.add(&RULE, Span::new(facts.last.end, facts.last.end));
    if facts.plies == 0 {
        finding.severity(Severity::Info).message("the game has no moves and no termination marker").once_per_input();
    } else {
        finding.message("the movetext ends without a termination marker");
    }
    if let Some(value) = facts.tags.value(KnownTag::Result)
        && let Some(outcome) = standard_marker(value)
    {
        finding.expected(outcome.as_str()).repair = Some(Repair::Likely);
    }
    if facts.at_input_end {
        finding.only_if(Condition::OtherMarkersMissing);
    }
}
