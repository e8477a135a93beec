//! VAR02: variants that require a FEN tag.

use crate::chess::Variant;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("VAR02"),
    name: "fen-required",
    severity: Severity::Error,
    summary: "The variant requires a FEN tag, but there is none",
    what: "The Variant tag is From Position or Chess960, but no FEN tag gives the position in \
           which the game starts. Chess960 is an error only with SetUp \"1\". Otherwise it is a \
           warning, because one of its 960 starting positions is that of standard chess. With \
           SetUp \"0\" it is not reported.",
    why: "The game cannot be replayed, because the position in which it starts is unknown.",
    fix: "Add the FEN of the position in which the game starts, and SetUp \"1\".",
    source: "PGN standard 9.7",
    fires: &[
        Sample::Game { tags: "⟦[Variant \"From Position\"]⟧", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[SetUp \"1\"]\n⟦[Variant \"Chess960\"]⟧", moves: "1. e4 e5 *" },
        Sample::Game { tags: "⟦[Variant \"Chess960\"]⟧", moves: "1. e4 e5 *" },
    ],
    silent: &[Sample::Game {
        tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
               [Variant \"From Position\"]",
        moves: "1. e4 *",
    }],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::Variant) else { return };
    let variant = Variant::named(pair.value.of(facts.text));
    if !matches!(variant, Variant::Chess960 | Variant::FromPosition) || facts.pair(KnownTag::Fen).is_some() {
        return;
    }
    let severity = match (variant, facts.value(KnownTag::SetUp)) {
        (Variant::Chess960, Some(b"0")) => return,
        (Variant::Chess960, setup) if setup != Some(b"1") => Severity::Warning,
        _ => Severity::Error,
    };
    let message = match severity {
        Severity::Error => {
            format!("{} games require a FEN tag: the position in which this game starts is unknown", variant.name())
        }
        _ => format!("a {} game without a FEN tag can only start from the standard starting position", variant.name()),
    };
    let finding = findings.add(&RULE, pair.place).severity(severity).once_if_usual(variant.name());
    finding.found(shown(pair.place.of(facts.text))).expected("FEN");
    match facts.pair_in_any_case("FEN") {
        Some(other) => {
            let other = shown(other.name.of(facts.text));
            finding
                .message(format!("{} games require a FEN tag, and readers do not recognise the tag `{other}`", variant.name()));
            finding.cause = Some(code!("TAG04"));
        }
        None => {
            finding.message(message);
        }
    }
}
