//! EXP04: files that are not those that were published.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EXP04"),
    name: "other-digest",
    severity: Severity::Error,
    summary: "A file is not the one that was published",
    what: "The list `digests` in the table `[expect]` of the settings has a SHA-256 digest for a file \
           with this name, and the file has another one. The digest is that of the file as it is \
           stored, before decompression. Files in the list may be missing.",
    why: "A download that broke off or was changed may still be read without a finding.",
    fix: "Download the file again, or update the list.",
    source: "the settings of the run",
    needs: &[Need::Expectations],
    fires: &[Sample::Game { tags: "⟦⟧[Event \"Sample\"]", moves: "1. g3 e5 *" }],
    silent: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that `file` has the digest `found` instead of `expected`.
pub fn report(findings: &mut Findings, file: &str, found: &str, expected: &str) {
    findings
        .add(&RULE, Span::new(0, 0))
        .message(format!("`{file}` has the SHA-256 digest {found} instead of {expected}"))
        .found(found)
        .expected(expected);
}
