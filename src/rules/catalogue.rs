//! The catalogue for other programs and documents: JSON, a Markdown table, samples with their
//! place.

use std::ops::Range;

use serde_json::{Value, json};

use super::{Certainty, Rule, Sample, Yield};

/// A sample without the marks, and the range that they enclosed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSample {
    /// The part of the input that was written for the sample; bytes that are not UTF-8 are escaped.
    pub text: String,
    /// The bytes of `text` at which the rule fires.
    pub marked: Option<Range<usize>>,
}

impl From<Sample> for ShownSample {
    fn from(sample: Sample) -> ShownSample {
        let text = sample.text();
        let Some((before, rest)) = text.split_once('⟦') else { return ShownSample { text, marked: None } };
        let Some((inside, after)) = rest.split_once('⟧') else { return ShownSample { text, marked: None } };
        let marked = before.len()..before.len() + inside.len();
        ShownSample { text: format!("{before}{inside}{after}"), marked: Some(marked) }
    }
}

/// All metadata of `rules`: an array with an object for each. Spans are byte offsets in the `text`
/// next to them.
pub fn json(rules: &[&Rule]) -> Value {
    Value::Array(rules.iter().map(|rule| json_of(rule)).collect())
}

fn json_of(rule: &Rule) -> Value {
    let yields: Vec<Value> = rule
        .yields
        .iter()
        .map(|before| match before {
            Yield::InRecord(code) => json!({"rule": code, "within": "record"}),
            Yield::AtPly(code) => json!({"rule": code, "within": "ply"}),
        })
        .collect();
    let samples = |samples: &[Sample]| -> Vec<Value> { samples.iter().map(|sample| json_of_sample(*sample)).collect() };
    json!({
        "code": rule.code,
        "name": rule.name,
        "family": rule.code.family().letters(),
        "family_title": rule.code.family().title(),
        "severity": rule.severity,
        "profile": rule.profile(),
        "reachability": rule.reachability,
        "summary": rule.summary,
        "what": rule.what,
        "why": rule.why,
        "fix": rule.fix,
        "repairs": rule.repairs.map_or("none", Certainty::as_str),
        "source": rule.source,
        "yields": yields,
        "fires": samples(rule.fires),
        "silent": samples(rule.silent),
    })
}

fn json_of_sample(sample: Sample) -> Value {
    let kind = match sample {
        Sample::Moves(_) => "moves",
        Sample::Tags(_) => "tags",
        Sample::Game { .. } | Sample::Pgn(_) => "pgn",
        Sample::PgnBytes(_) => "pgn_bytes",
        Sample::Positions(_) => "positions",
    };
    let shown = ShownSample::from(sample);
    let span = shown.marked.map(|marked| [marked.start, marked.end]);
    json!({"kind": kind, "text": shown.text, "span": span})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Severity;

    static FAKE: Rule = Rule {
        code: code!("MOV03"),
        name: "made-up",
        severity: Severity::Info,
        summary: "a | b",
        what: "what",
        why: "why",
        fix: "fix",
        source: "source",
        reachability: true,
        yields: &[Yield::InRecord(code!("SYN05")), Yield::AtPly(code!("MOV01"))],
        fires: &[Sample::Moves("1. é ⟦Ke9⟧ *"), Sample::PgnBytes(b"\xFF \xE2\x9F\xA6\xE2\x9F\xA7x")],
        silent: &[Sample::Positions("8/8")],
        ..Rule::DEFAULTS
    };

    #[test]
    fn samples_lose_their_marks() {
        let shown = ShownSample::from(Sample::Moves("1. é ⟦Ke9⟧ *"));
        assert_eq!(shown, ShownSample { text: "1. é Ke9 *".into(), marked: Some(6..9) });
        assert_eq!(ShownSample::from(Sample::Pgn("*")), ShownSample { text: "*".into(), marked: None });
    }

    #[test]
    fn json_holds_everything() {
        assert_eq!(
            json(&[&FAKE]),
            json!([{
                "code": "MOV03", "name": "made-up", "family": "MOV", "family_title": "moves", "severity": "info",
                "profile": "strict", "reachability": true, "summary": "a | b", "what": "what", "why": "why", "fix": "fix",
                "repairs": "none", "source": "source",
                "yields": [{"rule": "SYN05", "within": "record"}, {"rule": "MOV01", "within": "ply"}],
                "fires": [
                    {"kind": "moves", "text": "1. é Ke9 *", "span": [6, 9]},
                    {"kind": "pgn_bytes", "text": "\\xFF x", "span": [5, 5]},
                ],
                "silent": [{"kind": "positions", "text": "8/8", "span": null}],
            }])
        );
    }
}
