//! RES03: results that are not one of the four of the standard.

use crate::pgn::{is_only_points, marker_of_token, result_of_tag, standard_marker};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES03"),
    name: "invalid-result",
    severity: Severity::Warning,
    summary: "The result is not `1-0`, `0-1`, `1/2-1/2` or `*`",
    what: "The termination marker or the Result tag has another spelling, such as `1/2`, `½-½`, \
           `1:0`, `0.5-0.5`, `1-O`, `+:-`, ``1-0` ``, `1-0 ff` or a final `+-`. Or the Result tag is not a result at \
           all. If both have the same spelling, only the marker is reported. A double forfeit such \
           as `0-0` is an info. PGN has no marker for a result with a penalty, such as `1/2-0`.",
    why: "Most parsers silently drop such a marker. They then read on into the next game, or \
           count the game as unfinished.",
    fix: "Write `1-0`, `0-1`, `1/2-1/2` or `*`. For a double forfeit, write `*` and `[Termination \
           \"forfeit\"]`. For a result with a penalty, write `*` and describe it in a comment.",
    source: "PGN standard 8.1.1.7, 8.2.6",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Game { tags: "[Result \"1-0\"]", moves: "1. e4 e5 2. Nf3 ⟦+-⟧" },
        Sample::Game { tags: "[Result \"1/2-1/2\"]", moves: "1. e4 e5 2. Nf3 ⟦1/5-1/5⟧" },
        Sample::Moves("1. e4 e5 ⟦1/2⟧"),
        Sample::Moves("1. e4 e5 ⟦1/2-1/2`⟧"),
        Sample::Moves("1. e4 e5 ⟦1/2-0⟧"),
        Sample::Moves("1. e4 e5 ⟦0-1/2⟧"),
        Sample::Game { tags: "[Result \"1-0 ff\"]", moves: "1. e4 e5 ⟦1-0 ff⟧" },
        Sample::Game { tags: "[Result \"1-0\"]", moves: "1. e4 e5 2. Nf3 ⟦1⟧" },
        Sample::Game { tags: "[Result \"1/2-1/2\"]", moves: "1. e4 e5 2. Nf3 ⟦1/2-1.2⟧" },
        Sample::Game { tags: "[Result \"⟦1/2⟧\"]", moves: "1. e4 e5 1/2-1/2" },
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
        let same = facts.tags.pair(KnownTag::Result).filter(|pair| pair.value.of(facts.text) == reported);
        let subject = if same.is_some() { "the termination marker and the Result tag are" } else { "the termination marker is" };
        let finding = report(facts, marker.place, Some(marker.kind), subject, findings);
        let other = facts.tags.value(KnownTag::Result).and_then(result_of_tag);
        let is_spelling = marker_of_token(reported) == Some(marker.kind);
        let places = [Some(marker.place), same.map(|pair| pair.value)];
        respell(finding, facts.text, places, (marker.kind, is_spelling), other);
    }
    let Some(pair) = facts.tags.pair(KnownTag::Result) else { return };
    let value = pair.value.of(facts.text);
    if standard_marker(value).is_none() && (reported.is_empty() || value != reported) {
        let kind = result_of_tag(value);
        let finding = report(facts, pair.value, kind, "the Result tag is", findings);
        match (kind, facts.marker.map(|marker| marker.kind)) {
            (Some(kind), marker) => respell(finding, facts.text, [Some(pair.value), None], (kind, true), marker),
            // Only the marker can be read.
            (None, Some(MarkerKind::Standard(outcome))) => {
                finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, outcome.as_str()));
            }
            (None, _) => {}
        }
    }
}

/// Repairs the finding: writes the result in the spelling of the standard at `places`, unless
/// `other`, the other recorded result, contradicts it. The spelling is certain if the points of
/// both sides are written; signs and words may also say how the game ended.
fn respell(
    finding: &mut Finding,
    text: &[u8],
    places: [Option<Span>; 2],
    (kind, is_spelling): (MarkerKind, bool),
    other: Option<MarkerKind>,
) {
    let MarkerKind::Misspelled(outcome) = kind else { return };
    if other.is_some_and(|other| other.outcome() != Some(outcome)) {
        return;
    }
    for place in places.into_iter().flatten() {
        let is_certain = is_spelling && is_only_points(place.of(text));
        let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
        finding.repair(certainty, Patch::replace(text, place, outcome.as_str()));
    }
}

#[cold]
fn report<'f>(
    facts: &Ending<'_>,
    place: Span,
    kind: Option<MarkerKind>,
    subject: &str,
    findings: &'f mut Findings,
) -> &'f mut Finding {
    let found = shown(place.of(facts.text));
    let finding = findings.add(&RULE, place).once_if_usual(subject);
    match kind {
        Some(MarkerKind::DoubleForfeit) => {
            finding
                .severity(Severity::Info)
                .message(format!("{subject} `{found}`, but the standard writes a double forfeit as `*`"));
        }
        Some(MarkerKind::Penalty) => {
            finding.expected("*").message(format!("{subject} `{found}`, but PGN has no marker for a result with a penalty"));
        }
        Some(MarkerKind::Standard(outcome) | MarkerKind::Misspelled(outcome)) => {
            finding.expected(outcome.as_str()).message(format!("{subject} `{found}` instead of `{outcome}`"));
        }
        None => {
            finding.message(format!("{subject} `{found}`, which is not a result"));
        }
    }
    finding.found(found)
}
