//! Asking the rules: each kind of facts goes to the rules that judge it.

use super::{
    Check, Code, CodeSet, Finding, Findings, RULES, Rule, Selection, Yield,
    facts::{
        ClockFacts, CommandFacts, Ending, Layout, NumberIndication, Ply, RecordBytes, RemarkFacts, SyntaxFault, TagSection,
        Unplayable,
    },
};

/// Defines [`Checks`]: for each kind of facts the checks that judge it, and the method that asks them.
macro_rules! checks {
    ($($(#[$doc:meta])* $name:ident: $kind:ident($facts:ty)),* $(,)?) => {
        /// The checks of the rules that run, by the kind of facts that they judge.
        #[derive(Clone, Debug)]
        pub struct Checks {
            $($name: Vec<fn(&$facts, &mut Findings)>,)*
        }

        impl Checks {
            /// Those that can make a difference to what `selection` shows.
            pub fn of(selection: &Selection) -> Checks {
                let mut checks = Checks { $($name: Vec::new(),)* };
                let needed = needed(selection);
                for rule in RULES.iter().filter(|rule| needed.contains(rule.code)) {
                    match rule.check {
                        $(Check::$kind(check) => checks.$name.push(check),)*
                        _ => {}
                    }
                }
                checks
            }

            $(
                $(#[$doc])*
                pub fn $name(&self, facts: &$facts, findings: &mut Findings) {
                    for check in &self.$name {
                        check(facts, findings);
                    }
                }
            )*
        }
    };
}

/// The rules that `selection` may show something of, those to which these yield, and all that find a cause of which others
/// are only consequences.
fn needed(selection: &Selection) -> CodeSet {
    let finds_causes =
        |rule: &Rule| matches!(rule.check, Check::Syntax(_) | Check::Ply(_) | Check::Unplayable(_) | Check::Number(_));
    let wanted = RULES.iter().filter(|rule| selection.runs(rule) || finds_causes(rule));
    let mut needed: CodeSet = wanted.map(|rule| rule.code).collect();
    // Chains of rules that yield are short.
    for _ in 0..4 {
        let yielding: Vec<Code> = RULES
            .iter()
            .filter(|rule| needed.contains(rule.code))
            .flat_map(|rule| rule.yields)
            .map(|first| first.code())
            .collect();
        yielding.into_iter().for_each(|code| needed.insert(code));
    }
    needed
}

checks! {
    /// Asks about the bytes of a record.
    bytes: Bytes(RecordBytes<'_>),
    /// Asks about something the scanner could not make sense of.
    syntax: Syntax(SyntaxFault<'_>),
    /// Asks about a tag section.
    tags: Tags(TagSection<'_>),
    /// Asks about a move that was played.
    ply: Ply(Ply<'_>),
    /// Asks about a move that cannot be played.
    unplayable: Unplayable(Unplayable<'_>),
    /// Asks about a move number indication.
    number: Number(NumberIndication<'_>),
    /// Asks about a command embedded in a comment.
    command: Command(CommandFacts<'_>),
    /// Asks about a clock beside a move.
    clock: Clock(ClockFacts<'_>),
    /// Asks about a glyph, a variation or a position that is written beside the moves.
    remark: Remark(RemarkFacts<'_>),
    /// Asks about the layout of a game.
    layout: Layout(Layout<'_>),
    /// Asks about the end of a game.
    ending: Ending(Ending<'_>),
}

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
