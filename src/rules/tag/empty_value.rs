//! TAG05: empty strings.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::TagSection},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG05"),
    name: "empty-value",
    severity: Severity::Info,
    summary: "A tag is empty where the standard has a sign for what is not known",
    what: "Event, Site, Round, White and Black say `?` where nothing is known, Date `????.??.??`, a rating `-`. Once per input and tag.",
    why: "Programs show an empty name, or take the empty strings of two games for the same player.",
    fix: "Write `?`, or `-` where there is nothing to be known.",
    source: "PGN standard 8.1.1, 9.1.2",
    fires: &[Sample::Tags("[Site \"⟦⟧\"]"), Sample::Tags("[WhiteElo \"⟦⟧\"]")],
    silent: &[Sample::Tags("[Site \"?\"]\n[Annotator \"\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// The tags that say when something is not known, and how.
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

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for (tag, sign) in SIGNS {
        let Some(pair) = facts.pair(tag).filter(|pair| pair.value.start == pair.value.end) else { continue };
        let finding = findings
            .add(&RULE, pair.value)
            .expected(sign)
            .message(format!("{} is empty; `{sign}` says that it is not known", tag.name()));
        finding.repair = Some(Repair::Likely);
        finding.once_per_input_and(tag.name());
    }
}
