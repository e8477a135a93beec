//! TAG14: invalid titles, ids and board numbers.

use crate::rules::prelude::*;

/// Tags with a title, a FIDE id or a board number.
const TAGS: [KnownTag; 6] =
    [KnownTag::WhiteTitle, KnownTag::BlackTitle, KnownTag::WhiteFideId, KnownTag::BlackFideId, KnownTag::Board, KnownTag::Table];

pub static RULE: Rule = Rule {
    code: code!("TAG14"),
    name: "title-or-id-format",
    severity: Severity::Info,
    summary: "A title, FIDE id or board number is invalid",
    what: "WhiteTitle or BlackTitle is not a known title in capitals, such as `GM`, `WIM`, `NM` or \
           `BOT`. Or WhiteFideId, BlackFideId, Board or Table is not an integer. Empty values, `-` \
           and `?` are not checked. Reported once per input and tag.",
    why: "Programs that filter by title or match players by id miss the game.",
    fix: "Correct the value.",
    source: "PGN standard 9.1.1, 9.3; FIDE Title Regulations",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Tags("[WhiteTitle \"⟦gm⟧\"]"), Sample::Tags("[BlackFideId \"⟦4OOO41⟧\"]")],
    silent: &[Sample::Tags("[WhiteTitle \"WGM\"]\n[BlackTitle \"-\"]\n[WhiteFideId \"400041\"]\n[Board \"3\"]")],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&TAGS, wakes),
    ..Rule::DEFAULTS
};

/// Titles of FIDE and its online arena, of national federations, and of servers.
const TITLES: [&[u8]; 18] = [
    b"GM", b"IM", b"FM", b"CM", b"WGM", b"WIM", b"WFM", b"WCM", b"AGM", b"AIM", b"AFM", b"ACM", b"NM", b"WNM", b"LM", b"WF",
    b"WM", b"BOT",
];

/// Whether the tag contains a title, otherwise a number.
const fn is_title(tag: KnownTag) -> bool {
    matches!(tag, KnownTag::WhiteTitle | KnownTag::BlackTitle)
}

/// Whether a tag with a title, a FIDE id or a number has a valid value or none.
fn is_valid_title_or_id(tag: KnownTag, value: &[u8]) -> bool {
    let is_valid = if is_title(tag) { TITLES.contains(&value) } else { value.iter().all(u8::is_ascii_digit) };
    is_valid || matches!(value, b"" | b"-" | b"?")
}

fn wakes(tags: &TagValues<'_>) -> bool {
    TAGS.into_iter().any(|tag| tags.has(tag) && !is_valid_title_or_id(tag, tags.of(tag)))
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for tag in TAGS {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        if is_valid_title_or_id(tag, value) {
            continue;
        }
        let is_title = is_title(tag);
        let found = shown(value);
        let what = if is_title { "not a known title" } else { "not an integer" };
        let finding = findings.add(&RULE, pair.value);
        finding.once_per_input_and(tag.name()).message(format!("{} `{found}` is {what}", tag.name()));
        let upper = value.to_ascii_uppercase();
        if is_title && TITLES.contains(&upper.as_slice()) {
            finding.expected(shown(&upper));
            finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, upper));
        }
        finding.found(found);
    }
}
