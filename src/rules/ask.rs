//! Asking the rules: each kind of facts goes to the rules that judge it.

use std::sync::LazyLock;

use super::{
    Check, CodeSet, Finding, Findings, RULES, Yield,
    facts::{Ending, NumberIndication, Ply, RecordBytes, SyntaxFault, TagSection, Unplayable},
};

/// Defines a function that shows facts to every rule with that kind of check.
macro_rules! ask {
    ($(#[$doc:meta])* $name:ident, $kind:ident, $facts:ty) => {
        $(#[$doc])*
        pub fn $name(facts: &$facts, findings: &mut Findings) {
            static CHECKS: LazyLock<Vec<fn(&$facts, &mut Findings)>> = LazyLock::new(|| {
                RULES.iter().filter_map(|rule| if let Check::$kind(check) = rule.check { Some(check) } else { None }).collect()
            });
            for check in CHECKS.iter() {
                check(facts, findings);
            }
        }
    };
}

ask!(
    /// Asks the rules about the bytes of a record.
    ask_bytes, Bytes, RecordBytes<'_>
);
ask!(
    /// Asks the rules about something the scanner could not make sense of.
    ask_syntax, Syntax, SyntaxFault<'_>
);
ask!(
    /// Asks the rules about a tag section.
    ask_tags, Tags, TagSection<'_>
);
ask!(
    /// Asks the rules about a move that was played.
    ask_ply, Ply, Ply<'_>
);
ask!(
    /// Asks the rules about a move that cannot be played.
    ask_unplayable, Unplayable, Unplayable<'_>
);
ask!(
    /// Asks the rules about a move number indication.
    ask_number, Number, NumberIndication<'_>
);
ask!(
    /// Asks the rules about the end of a game.
    ask_ending, Ending, Ending<'_>
);

/// Takes out the findings since `since` that yield to others: where two rules fit one cause, only the first reports.
pub fn apply_yields(findings: &mut Findings, since: usize) {
    let list = findings.all();
    if list.len() < since + 2 {
        return;
    }
    let present: CodeSet = list[since..].iter().map(|finding| finding.rule.code).collect();
    let silent: Vec<bool> = list[since..]
        .iter()
        .map(|finding| {
            finding.rule.yields.iter().any(|yields| match yields {
                Yield::InRecord(code) => present.contains(*code),
                Yield::AtPly(code) => {
                    let same_ply = |other: &Finding| other.ply == finding.ply && other.variation == finding.variation;
                    present.contains(*code) && list[since..].iter().any(|other| other.rule.code == *code && same_ply(other))
                }
            })
        })
        .collect();
    let mut silent = std::iter::repeat_n(false, since).chain(silent);
    list.retain(|_| !silent.next().unwrap_or(false));
}
