//! TAG22: values in the wrong tag.

use super::date::{self, DateOrTime};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG22"),
    name: "field-swap",
    severity: Severity::Info,
    summary: "A tag contains a value that belongs in another tag",
    what: "Event, Site, Round, White or Black contains a date or a result. Or Site, White or Black \
           contains a rating, that is, a number from 500 to 3999. Reported once per input and tag.",
    why: "A converter may have shifted its columns, so that every game it wrote is wrong.",
    fix: "Convert the file again, or swap the values.",
    source: "PGN standard 8.1.1",
    fires: &[Sample::Tags("[Site \"⟦1998.05.02⟧\"]"), Sample::Tags("[White \"⟦2650⟧\"]")],
    silent: &[Sample::Tags("[Event \"1998\"]\n[Site \"Elista 1998\"]\n[White \"R2D2\"]")],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&[], wakes),
    ..Rule::DEFAULTS
};

/// Whether a value is not empty and has not the length of a date, a result or a rating, or does not
/// begin as these do.
fn is_plain_field(value: &[u8]) -> bool {
    value.first().is_some_and(|first| !(first.is_ascii_digit() || *first == b'?') || !matches!(value.len(), 3 | 4 | 7 | 10))
}

fn wakes(tags: &TagValues<'_>) -> bool {
    ![KnownTag::Event, KnownTag::Site, KnownTag::White, KnownTag::Black].into_iter().all(|tag| is_plain_field(tags.of(tag)))
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for tag in [KnownTag::Event, KnownTag::Site, KnownTag::White, KnownTag::Black, KnownTag::Round] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        // Fast path: the right values nearly always begin with a letter.
        if !value.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'?') {
            continue;
        }
        let is_rating = || {
            matches!(tag, KnownTag::Site | KnownTag::White | KnownTag::Black)
                && (3..=4).contains(&value.len())
                && date::number(value).is_some_and(|rating| (500..4000).contains(&rating))
        };
        let what = if date::fields(DateOrTime::Date, value).is_some_and(|fields| fields != [None; 3]) {
            "a date"
        } else if matches!(value, b"1-0" | b"0-1" | b"1/2-1/2") {
            "a result"
        } else if is_rating() {
            "a rating"
        } else {
            continue;
        };
        let found = shown(value);
        let finding = findings.add(&RULE, pair.value).message(format!("{} `{found}` looks like {what}", tag.name()));
        finding.once_per_input_and(tag.name()).found(found);
    }
}
