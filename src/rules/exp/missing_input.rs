//! EXP02: inputs that the settings expect and that are not there.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EXP02"),
    name: "missing-input",
    severity: Severity::Error,
    summary: "No input matches a path that is expected",
    what: "The table `[expect]` of the settings has bounds for inputs with this path, and the run \
           has no such input. Inputs in a list of counts may be missing.",
    why: "A file that was renamed, moved or never copied is not checked, and nothing else says so.",
    fix: "Restore the file, or correct the path in the settings. If only a part of the inputs is \
          checked on purpose, use `--ignore EXP`.",
    source: "the settings of the run",
    needs: &[Need::Expectations],
    fires: &[Sample::Game { tags: "⟦⟧[Event \"Sample\"]", moves: "1. c4 e5 *" }],
    silent: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that no input matches `glob`.
pub fn report(findings: &mut Findings, glob: &str) {
    findings.add(&RULE, Span::new(0, 0)).message(format!("no input matches `{glob}`")).expected(glob);
}
