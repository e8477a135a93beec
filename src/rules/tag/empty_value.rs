//! TAG05: empty values.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG05"),
    name: "empty-value",
    severity: Severity::Info,
    summary: "A tag is empty instead of marked as unknown",
    what: "Event, Site, Date, Round, White, Black, WhiteElo or BlackElo is an empty string. The \
           standard has a sign for this: `?`, `????.??.??` for a date, `-` for the rating of an \
           unrated player. Reported once per input and tag.",
    why: "Programs display an empty name, or treat all players with an empty name as one person.",
    fix: "Write `?` if the value is unknown, and `-` for an unrated player.",
    source: "PGN standard 8.1.1, 9.1.2",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Tags("[Site \"⟦⟧\"]"), Sample::Tags("[WhiteElo \"⟦⟧\"]")],
    silent: &[Sample::Tags("[Site \"?\"]\n[Annotator \"\"]")],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&[KnownTag::WhiteElo, KnownTag::BlackElo], wakes),
    ..Rule::DEFAULTS
};

/// The tags that mark a missing value, each with its sign.
const SIGNS: [(KnownTag, &str); 8] = [
    (KnownTag::Event, "?"),
    (KnownTag::Site, "?"),
    (KnownTag::Date, "????.??.??"),
    (KnownTag::Round, "?"),
    (KnownTag::White, "?"),
    (KnownTag::Black, "?"),
    (KnownTag::WhiteElo, "-"),
    (KnownTag::BlackElo, "-"),
];

fn wakes(tags: &TagValues<'_>) -> bool {
    [KnownTag::WhiteElo, KnownTag::BlackElo].into_iter().any(|tag| tags.has(tag) && tags.of(tag).is_empty())
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for (tag, sign) in SIGNS {
        let Some(pair) = facts.pair(tag).filter(|pair| pair.value.start == pair.value.end) else { continue };
        let finding = findings
            .add(&RULE, pair.value)
            .expected(sign)
            .message(format!("{} is empty: a missing value is written as `{sign}`", tag.name()));
        finding.once_per_input_and(tag.name()).repair(Certainty::Likely, Patch::insert(pair.value.start, sign));
    }
}
