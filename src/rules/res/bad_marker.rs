//! RES03: results of another spelling.

use crate::pgn::{KnownTag, result_of_tag, standard_marker};
use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity, Span,
    facts::{Ending, MarkerKind},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES03"),
    name: "bad-marker",
    severity: Severity::Warning,
    summary: "The result is none of `1-0`, `0-1`, `1/2-1/2` and `*`",
    what: "The termination marker, or the value of the Result tag, is spelt otherwise: `1/2`, `½-½`, `1:0`, `0.5-0.5`, `1-O`, `+:-`, or is no result at all. \
           Where both are spelt alike it is one finding, at the marker. `0-0`, by which two forfeits are recorded, is an info.",
    why: "Most readers drop such a marker without a word, and run on into the next game or count the game as unfinished.",
    fix: "Write one of the four markers; for a double forfeit `*`, with `[Termination \"forfeit\"]`.",
    source: "PGN standard 8.1.1.7, 8.2.6",
    fires: &[
        Sample::Moves("1. e4 e5 ⟦1/2⟧"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"⟦1/2⟧\"]\n\n1. e4 e5 1/2-1/2\n",
        ),
    ],
    silent: &[Sample::Moves("1. e4 e5 1/2-1/2"), Sample::Moves("1. e4 e5 *")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let mut spelling: &[u8] = b"";
    if let Some(marker) = facts.marker
        && !matches!(marker.kind, MarkerKind::Standard(_))
    {
        spelling = marker.place.of(facts.text);
        let also = facts.tags.value(KnownTag::Result) == Some(spelling);
        report(
            facts,
            marker.place,
            Some(marker.kind),
            if also { "the termination marker and the Result tag say" } else { "the termination marker says" },
            findings,
        );
    }
    let Some(pair) = facts.tags.pair(KnownTag::Result) else { return };
    let value = pair.value.of(facts.text);
    if standard_marker(value).is_none() && (spelling.is_empty() || value != spelling) {
        report(facts, pair.value, result_of_tag(value), "the Result tag says", findings);
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
                .message(format!("{subject} `{found}`: both sides forfeited, for which the standard has no marker but `*`"));
        }
        Some(MarkerKind::Standard(outcome) | MarkerKind::Misspelt(outcome)) => {
            finding.expected(outcome.as_str()).message(format!("{subject} `{found}` where `{outcome}` is meant"));
            finding.repair = Some(Repair::Likely);
        }
        None => {
            finding.message(format!("{subject} `{found}`, which is none of `1-0`, `0-1`, `1/2-1/2` and `*`"));
        }
    }
    finding.found(found);
}
