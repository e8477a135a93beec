//! Facts made by hand, for the tests of the rules.

use super::{Check, Finding, Findings, Rule, Span, facts::TagSection};
use crate::pgn::TagPair;

/// The tag pairs of `text`, one to a line, without escapes.
pub fn tag_pairs(text: &str) -> Vec<TagPair> {
    let mut pairs = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let (true, Some(blank), Some(open), Some(close)) =
            (line.starts_with('['), line.find(' '), line.find('"'), line.rfind('"'))
        {
            let end = line.trim_end().len();
            pairs.push(TagPair {
                place: Span::new(start, start + end),
                name: Span::new(start + 1, start + blank),
                value: Span::new(start + open + 1, start + close),
            });
        }
        start += line.len();
    }
    pairs
}

/// What `rule`, one of those about tags, finds in the tag section `text`.
pub fn found_in_tags(rule: &'static Rule, text: &str) -> Vec<Finding> {
    let pairs = tag_pairs(text);
    let place = Span::new(pairs.first().map_or(0, |pair| pair.place.start), pairs.last().map_or(0, |pair| pair.place.end));
    let facts = TagSection::new(text.as_bytes(), &pairs, &[], place);
    let mut findings = Findings::new();
    match rule.check {
        Check::Tags(check) => check(&facts, &mut findings),
        _ => panic!("{} is not about tags", rule.code),
    }
    std::mem::take(findings.all())
}

/// The part of `text` that `finding` is about.
pub fn marked<'a>(text: &'a str, finding: &Finding) -> &'a str {
    text.get(finding.place.start..finding.place.end).unwrap_or("<no place>")
}
