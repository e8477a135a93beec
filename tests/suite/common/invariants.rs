//! What is true of every audit, whatever is audited.

use std::collections::BTreeMap;

use chess_audit::internals::{
    pipeline::SeverityCounts,
    rules::{Code, Finding, Severity},
};

use super::{AuditResult, line};

/// The starts of the lines of a text. A line ends with LF, CR LF or a single CR.
fn line_starts(text: &[u8]) -> Vec<usize> {
    let ends = |at: &usize| text[*at] == b'\n' || (text[*at] == b'\r' && text.get(at + 1) != Some(&b'\n'));
    [0].into_iter().chain((0..text.len()).filter(ends).map(|at| at + 1)).collect()
}

/// Checks an audit of `text`, read as it is, without limits and exceptions: the auditor did not
/// fail, all bytes were read, each finding is in the text, and the totals are those of the
/// findings.
pub fn check(text: &[u8], result: &AuditResult) {
    assert!(result.failures.is_empty(), "{:?}", result.failures);
    let [input] = &result.inputs[..] else { panic!("{} inputs", result.inputs.len()) };
    assert_eq!(input.counts.bytes, text.len() as u64, "all records together are the text");
    assert!(input.complete && result.summary.failures == 0 && !result.summary.interrupted);
    places(text, result);
    totals(result);
}

/// Each finding is in the text, in the line and column that it says, and its repair fits the text.
pub fn places(text: &[u8], result: &AuditResult) {
    let starts = line_starts(text);
    for (_, finding) in &result.findings {
        let place = finding.place;
        assert!(place.start <= place.end && place.end <= text.len(), "{} bytes: {}", text.len(), line(finding));
        let number = starts.partition_point(|start| *start <= place.start);
        let column = place.start - starts[number - 1] + 1;
        assert_eq!((finding.line, finding.column), (number as u64, column as u64), "{}", line(finding));
        for patch in finding.patches() {
            assert_eq!(text.get(patch.place.start..patch.place.end), Some(&patch.old[..]), "{}", line(finding));
        }
        let records = result.inputs.first().map_or(0, |input| input.counts.records());
        assert!(finding.game <= records, "{records} records: {}", line(finding));
    }
}

/// The totals are those of the findings.
pub fn totals(result: &AuditResult) {
    let mut severities = SeverityCounts::default();
    let mut rules: BTreeMap<(Code, Severity), u64> = BTreeMap::new();
    for (_, finding) in &result.findings {
        severities.add(finding.severity);
        *rules.entry((finding.rule.code, finding.severity)).or_default() += 1;
    }
    assert_eq!(result.summary.findings, severities);
    let sum = result.inputs.iter().fold(0, |sum, input| sum + input.findings.total());
    assert_eq!(sum, severities.total());
    assert!(result.summary.rules.iter().map(|(key, rule)| (*key, rule.findings)).eq(rules));
    for input in &result.inputs {
        assert_eq!(input.rules.values().sum::<u64>(), input.findings.total(), "{}", input.name);
    }
}

/// Everything that an audit says, apart from names of inputs, line by line.
pub fn lines(result: &AuditResult) -> Vec<String> {
    let mut lines = result.lines();
    lines.extend(result.inputs.iter().map(|input| format!("{input:?}")));
    lines.extend(result.failures.iter().map(|failure| format!("{failure:?}")));
    lines.push(format!("{:?}", result.summary));
    lines
}

/// Fails with the first line in which two audits differ.
#[track_caller]
pub fn same(one: &[String], other: &[String], how: &str) {
    if let Some((one, other)) = one.iter().zip(other).find(|(one, other)| one != other) {
        panic!("{how}:\n{one}\ninstead of\n{other}");
    }
    assert_eq!(one.len(), other.len(), "{how}: more or fewer lines");
}

/// The findings that accuse somebody: errors and warnings.
pub fn accusations(findings: &[(String, Finding)]) -> impl Iterator<Item = &Finding> {
    findings.iter().map(|(_, finding)| finding).filter(|finding| finding.severity > Severity::Info)
}
