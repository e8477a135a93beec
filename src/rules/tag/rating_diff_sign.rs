//! TAG13: rating changes that contradict the result.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG13"),
    name: "rating-diff-sign",
    severity: Severity::Warning,
    summary: "The winner lost rating points, or the loser gained some",
    what: "WhiteRatingDiff or BlackRatingDiff contradicts the Result tag. In every rating system \
           in use, a win never costs points and a loss never gains any. Draws are not checked. Two \
           tags with the same fault are reported once.",
    why: "The result was changed after the ratings were calculated, or it was entered the wrong \
           way round.",
    fix: "Look up the result.",
    source: "FIDE Rating Regulations 8; Glicko-2",
    fires: &[
        Sample::Tags("[Result \"1-0\"]\n[WhiteRatingDiff \"⟦-6⟧\"]"),
        Sample::Tags("[Result \"1-0\"]\n[BlackRatingDiff \"⟦+6⟧\"]"),
        Sample::Tags("[Result \"1-0\"]\n[WhiteRatingDiff \"⟦-6⟧\"]\n[BlackRatingDiff \"+6\"]"),
    ],
    silent: &[
        Sample::Tags("[Result \"1-0\"]\n[WhiteRatingDiff \"+6\"]\n[BlackRatingDiff \"-6\"]"),
        Sample::Tags("[Result \"1/2-1/2\"]\n[WhiteRatingDiff \"-6\"]"),
        Sample::Tags("[Result \"0-1\"]\n[WhiteRatingDiff \"0\"]\n[BlackRatingDiff \"+0\"]"),
    ],
    check: Check::Tags(check),
    wakes: Wakes::Tags(&[KnownTag::WhiteRatingDiff, KnownTag::BlackRatingDiff], wakes),
    ..Rule::DEFAULTS
};

fn wakes(tags: &TagValues<'_>) -> bool {
    let result = tags.of(KnownTag::Result);
    [(KnownTag::WhiteRatingDiff, b"0-1"), (KnownTag::BlackRatingDiff, b"1-0")].into_iter().any(|(tag, loses)| {
        let value = tags.of(tag);
        let fell = value.first() == Some(&b'-');
        let digits = value.strip_prefix(b"-").or_else(|| value.strip_prefix(b"+")).unwrap_or(value);
        digits.iter().any(|byte| *byte != b'0') && result.len() == 3 && fell != (result == loses)
    })
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let white_won = match facts.value(KnownTag::Result) {
        Some(b"1-0") => true,
        Some(b"0-1") => false,
        _ => return,
    };
    let contradicts = |(tag, won): (KnownTag, bool)| {
        let pair = facts.pair(tag)?;
        let value = pair.value.of(facts.text);
        let (fell, digits) = match value {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] | digits => (false, digits),
        };
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let is_zero = digits.iter().all(|digit| *digit == b'0');
        let what = if won { "the winner lost rating points" } else { "the loser gained rating points" };
        (is_number && !is_zero && fell == won).then(|| (pair.value, format!("{} is `{}`: {what}", tag.name(), shown(value))))
    };
    let tags = [(KnownTag::WhiteRatingDiff, white_won), (KnownTag::BlackRatingDiff, !white_won)];
    let mut faults = tags.into_iter().filter_map(contradicts);
    let Some((place, message)) = faults.next() else { return };
    let finding = findings.add(&RULE, place).found(shown(place.of(facts.text)));
    finding.message(match faults.next() {
        Some((_, other)) => format!("{message}, and {other}"),
        None => message,
    });
}
