//! RES03: results that are not one of the four of the standard.

use crate::pgn::{KnownTag, result_of_tag, standard_marker};
use crate::rules::{
    Check, Findings, Rule, Sample, Severity, Span,
    facts::{Ending, MarkerKind},
    shown,
};

pub static RULE: Rule = Rule {
    code: code!("RES03"),
    name: "invalid-result",
    severity: Severity::Warning,
    summary: "The result is not `1-0`, `0-1`, `1/2-1/2` or `*`",
    what: "The termination marker or the Result tag has another spelling, such as `1/2`, `½-½`, \
           `1:0`, `0.5-0.5`, `1-O`, `+:-` or a final `+-`. Or the Result tag is not a result at \
           all. If both have the same spelling, only the marker is reported. A double forfeit such \
           as `0-0` is an info.",
    why: "Most parsers silently drop such a marker. They then read on into the next game, or \
           count the game as unfinished.",
    fix: "Write `1-0`, `0-1`, `1/2-1/2` or `*`. For a double forfeit, write `*` and `[Termination \
           \"forfeit\"]`.",
    source: "PGN standard 8.1.1.7, 8.2.6",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 ⟦+-⟧\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 ⟦1/5-1/5⟧\n",
        ),
        Sample::Moves("1. e4 e5 ⟦1/2⟧"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 ⟦1⟧\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 ⟦1/2-1.2⟧\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"⟦1/2⟧\"]\n\n1. e4 e5 1/2-1/2\n",
        ),
    ],
    silent: &[Sample::Moves("1. e4 e5 1/2-1/2"), Sample::Moves("1. e4 e5 *")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let mut reported: &[u8] = b"";
    if let Some(marker) = facts.marker
        && !matches!(marker.kind, MarkerKind::Standard(_))
    {
        reported = marker.place.of(facts.text);
        let is_same_in_tag = facts.tags.value(KnownTag::Result) == Some(reported);
        report(
            facts,
            marker.place,
            Some(marker.kind),
            if is_same_in_tag { "the termination marker and the Result tag are" } else { "the termination marker is" },
            findings,
        );
    }
    let Some(pair) = facts.tags.pair(KnownTag::Result) else { return };
    let value = pair.value.of(facts.text);
    if standard_marker(value).is_none() && (reported.is_empty() || value != reported) {
        report(facts, pair.value, result_of_tag(value), "the Result tag is", findings);
    }
}

#[cold]
fn report(facts: &Ending<'_>, place: Span, kind: Option<MarkerKind>, subject: &str, findings: &mut Findings) {
    let found = shown(place.of(facts.text));
    let finding = findings.add(&RULE, place);
    match kind {
        Some(MarkerKind::DoubleForfeit) => {
            finding
                .severity(Severity::Info)
                .message(format!("{subject} `{found}`, but the standard writes a double forfeit as `*`"));
        }
        Some(MarkerKind::Standard(outcome) | MarkerKind::Misspelled(outcome)) => {
            finding.expected(outcome.as_str()).message(format!("{subject} `{found}` instead of `{outcome}`"));
        }
        None => {
            finding.message(format!("{subject} `{found}`, which is not a result"));
        }
    }
    finding.found(found);
}
