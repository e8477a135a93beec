//! Test helpers for rules.

use super::{
    Check, Declared, Finding, Findings, Origin, Rule, Span,
    facts::{PositionChecks, TagSection},
};
use crate::{
    pgn::TagPair,
    record::{examine_line_to, examine_position},
};

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

/// The findings of `rule`, a rule about tags, in the tag section `text`.
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

/// The findings in a line of a FEN or EPD file.
pub fn found_in_line(line: &str) -> Vec<Finding> {
    let (place, mut findings) = (Span::new(0, line.len()), Findings::new());
    examine_line_to(line.as_bytes(), place, Declared::default(), PositionChecks::default(), None, &mut findings);
    std::mem::take(findings.all())
}

/// The squares that the first finding of the rule `code` marks in the position `line`, as `e4 d7`.
pub fn squares_marked(code: &str, line: &str) -> String {
    let mut findings = Findings::new();
    examine_position(line.as_bytes(), Span::new(0, line.len()), Origin::Line, Declared::default(), &mut findings);
    let finding = findings.all().iter().find(|finding| finding.rule.code.to_string() == code);
    let squares = finding.unwrap_or_else(|| panic!("no {code} in {line}")).marks.squares;
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// The part of `text` that `finding` is about.
pub fn marked<'a>(text: &'a str, finding: &Finding) -> &'a str {
    text.get(finding.place.start..finding.place.end).unwrap_or("<no place>")
}
