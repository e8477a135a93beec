//! RES04: a Result tag and a termination marker that differ.

use shakmaty::Outcome;

use super::{Finished, Stated, outcome_on_board, squares_of_end};
use crate::pgn::standard_marker;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES04"),
    name: "tag-marker-mismatch",
    severity: Severity::Warning,
    summary: "The Result tag and the termination marker differ",
    what: "The Result tag and the marker at the end of the movetext give different results. If \
           one of them is `*`, this is an info. Games without moves, with a result in the tag and \
           the marker `*`, are reported once per input. If the board shows which of them is right, that \
           one is suggested. See RES03 for other spellings, and RES05, RES06 and RES08 if both \
           contradict the board.",
    why: "Statistics differ, depending on which of the two a program reads.",
    fix: "Compare with another source, and write the right result in both places.",
    source: "PGN standard 8.2.6",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("RES03"), code!("RES05"), code!("RES06"), code!("RES08")]),
    fires: &[
        Sample::Game { tags: "[Result \"0-1\"]", moves: "1. e4 e5 ⟦1-0⟧" },
        Sample::Game { tags: "[Result \"1-0\"]", moves: "1. f3 e5 2. g4 Qh4# ⟦0-1⟧" },
    ],
    silent: &[Sample::Moves("1. e4 e5 1-0"), Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

/// Suggests the result on the board if one of the two gives it, or else the one that is not `*`.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let stated = Stated::of(facts);
    let (Some((_, MarkerKind::Standard(tag))), Some((place, MarkerKind::Standard(marker)))) = (stated.tag, stated.marker) else {
        return;
    };
    if tag == marker {
        return;
    }
    // If a second Result tag agrees with the marker, TAG03 reports it.
    let is_marker = |pair: &crate::pgn::TagPair| {
        pair.name.of(facts.text) == b"Result" && standard_marker(pair.value.of(facts.text)) == Some(marker)
    };
    if facts.tags.pairs.iter().any(is_marker) {
        return;
    }
    let mut message = format!("the Result tag is `{tag}`, but the termination marker is `{marker}`");
    let board = outcome_on_board(facts).filter(|(outcome, _)| [tag, marker].contains(&Outcome::Known(*outcome)));
    let finding = findings.add(&RULE, place).found(marker.as_str());
    if tag == Outcome::Unknown || marker == Outcome::Unknown {
        finding.severity(Severity::Info).once_if_usual(if tag == Outcome::Unknown { "tag" } else { "marker" });
    }
    // Programs write pairings so.
    if facts.plies == 0 && marker == Outcome::Unknown {
        finding.once_per_input_and("no moves");
        message = format!("the Result tag is `{tag}`, but the game has no moves and its termination marker is `*`");
    }
    if let Some((outcome, how)) = board {
        message.push_str(match how {
            Finished::Mate => "; the final position is checkmate",
            Finished::Stalemate => "; the final position is stalemate",
            Finished::Dead => "; neither side can checkmate in the final position",
        });
        message.push_str(&format!(", so `{outcome}` is right"));
        finding.squares(squares_of_end(facts, how));
        finding.expected(outcome.as_str());
        stated.replace_by(outcome, facts.text, finding);
    } else if let Some(outcome) = tag.known().xor(marker.known()) {
        finding.expected(outcome.as_str());
        stated.replace_by(outcome, facts.text, finding);
    }
    finding.message(message);
}
