//! TAG13: rating changes that contradict the result.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

pub static RULE: Rule = Rule {
    code: code!("TAG13"),
    name: "rating-diff-sign",
    severity: Severity::Warning,
    summary: "The winner lost rating points, or the loser gained some",
    what: "WhiteRatingDiff or BlackRatingDiff contradicts the Result tag. In every rating system \
           in use, a win never costs points and a loss never gains any. Draws are not checked.",
    why: "The result was changed after the ratings were calculated, or it was entered the wrong \
           way round.",
    fix: "Look up the result.",
    source: "FIDE Rating Regulations 8; Glicko-2",
    fires: &[
        Sample::Tags("[Result \"1-0\"]\n[WhiteRatingDiff \"⟦-6⟧\"]"),
        Sample::Tags("[Result \"1-0\"]\n[BlackRatingDiff \"⟦+6⟧\"]"),
    ],
    silent: &[
        Sample::Tags("[Result \"1-0\"]\n[WhiteRatingDiff \"+6\"]\n[BlackRatingDiff \"-6\"]"),
        Sample::Tags("[Result \"1/2-1/2\"]\n[WhiteRatingDiff \"-6\"]"),
        Sample::Tags("[Result \"0-1\"]\n[WhiteRatingDiff \"0\"]\n[BlackRatingDiff \"+0\"]"),
    ],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let white_won = match facts.value(KnownTag::Result) {
        Some(b"1-0") => true,
        Some(b"0-1") => false,
        _ => return,
    };
    for (tag, won) in [(KnownTag::WhiteRatingDiff, white_won), (KnownTag::BlackRatingDiff, !white_won)] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        let (fell, digits) = match value {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] | digits => (false, digits),
        };
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        if !is_number || digits.iter().all(|digit| *digit == b'0') || fell != won {
            continue;
        }
        let what = if won { "the winner lost rating points" } else { "the loser gained rating points" };
        findings.add(&RULE, pair.value).found(shown(value)).message(format!("{} is `{}`: {what}", tag.name(), shown(value)));
    }
}
