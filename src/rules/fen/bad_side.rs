//! FEN05: the side to move is neither `w` nor `b`.

use super::field_count::ends_after_placement;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN05"),
    name: "bad-side",
    severity: Severity::Error,
    summary: "The side to move is neither `w` nor `b`",
    what: "The second field is `w` or `b`. `W`, `B`, `white` and `black` are unambiguous and only \
        a warning. Everything else is an error.",
    why: "The side to move is unknown, so the position cannot be played from.",
    fix: "Write `w` or `b`.",
    source: "PGN standard 16.1.3.2",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 ⟦x⟧ - - 0 1"), Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 ⟦W⟧ - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")],
    check: Check::AnyVariantField(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(place) = facts.fen.turn() else { return };
    let found = place.of(facts.text);
    // FEN01 reports a line that ends with a semicolon after the piece placement.
    if matches!(found, b"w" | b"b") || ends_after_placement(facts) {
        return;
    }
    let finding = findings.add(&RULE, place).found(shown(found));
    match facts.turn {
        Some(turn) => {
            let expected = turn.char().to_string();
            finding
                .severity(Severity::Warning)
                .once_if_usual(shown(found))
                .message(format!("`{}` instead of `{expected}` for {} to move", shown(found), color_name(turn)))
                .repair(Certainty::Certain, Patch::replace(facts.text, place, expected.as_str()))
                .expected(expected);
        }
        None => {
            finding.once_if_usual("").message(format!("`{}` is not a side to move: it must be `w` or `b`", shown(found)));
        }
    }
}
