//! RES04: a Result tag and a marker that differ.

use shakmaty::Outcome;

use super::{Finished, Stated, outcome_on_board};
use crate::pgn::standard_marker;
use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity, Yield,
    facts::{Ending, MarkerKind},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES04"),
    name: "tag-marker-mismatch",
    severity: Severity::Warning,
    summary: "The Result tag and the game termination marker differ",
    what: "The value of the Result tag is not the marker at the end of the movetext. Where one of them is `*` and the other a score it is an info. \
           Where the final position is mate, stalemate or without material to mate, `expected` is what the board says. \
           Where either of them is misspelt it is RES03, and where both contradict the final position RES05, RES06 or RES08.",
    why: "Tables made from the tags and tables made from the movetext come out different.",
    fix: "Look the result up, and write it in both places.",
    source: "PGN standard 8.2.6",
    yields: &[
        Yield::InRecord(code!("RES03")),
        Yield::InRecord(code!("RES05")),
        Yield::InRecord(code!("RES06")),
        Yield::InRecord(code!("RES08")),
    ],
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\n1. e4 e5 ⟦1-0⟧\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n\
             1. f3 e5 2. g4 Qh4# ⟦0-1⟧\n",
        ),
    ],
    silent: &[Sample::Moves("1. e4 e5 1-0"), Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let stated = Stated::of(facts);
    let (Some((_, MarkerKind::Standard(tag))), Some((place, MarkerKind::Standard(marker)))) = (stated.tag, stated.marker) else {
        return;
    };
    if tag == marker {
        return;
    }
    // A second Result tag that agrees with the marker: TAG03 has said so.
    let agrees = |pair: &crate::pgn::TagPair| {
        pair.name.of(facts.text) == b"Result" && standard_marker(pair.value.of(facts.text)) == Some(marker)
    };
    if facts.tags.pairs.iter().any(agrees) {
        return;
    }
    let mut message = format!("the Result tag says `{tag}`, the termination marker `{marker}`");
    let board = outcome_on_board(facts).filter(|(outcome, _)| [tag, marker].contains(&Outcome::Known(*outcome)));
    let finding = findings.add(&RULE, place).found(marker.as_str());
    if tag == Outcome::Unknown || marker == Outcome::Unknown {
        finding.severity(Severity::Info);
    }
    if let Some((outcome, how)) = board {
        message.push_str(match how {
            Finished::Mate => "; the final position is checkmate",
            Finished::Stalemate => "; the final position is stalemate",
            Finished::Dead => "; in the final position neither side has the material to mate",
        });
        message.push_str(&format!(": `{outcome}` is right"));
        finding.expected(outcome.as_str()).repair = Some(Repair::Likely);
    } else if let Some(outcome) = tag.known().xor(marker.known()) {
        finding.expected(outcome.as_str()).repair = Some(Repair::Likely);
    }
    finding.message(message);
}
