//! Runs the rules: each kind of facts goes to the rules that check it.

use std::sync::LazyLock;

use super::{
    Check, Code, CodeSet, Finding, Findings, Profile, RULES, Rule, Selection, Waking, Yield,
    facts::{
        AskedGame, AskedLine, ClockFacts, CommandFacts, Ending, HouseFacts, KeptFacts, Layout, NumberIndication, OddityFacts,
        OperationFacts, PairFacts, PlyFacts, PositionFacts, PositionPairFacts, RecordBytes, RemarkFacts, SpellingFacts,
        SyntaxFault, TagSection, Unplayable,
    },
    rule::{LastMoveCheck, PositionCheck, StructureCheck},
};
use crate::chess::retro::{LastMoves, Structure};

/// Declares [`ActiveRules`]: the checks for each kind of facts, and the method that runs them.
macro_rules! active_rules {
    (
        facts { $($(#[$doc:meta])* $name:ident: $kind:ident($facts:ty),)* }
        position { $($(#[$position_doc:meta])* $position:ident: $($position_kind:ident)|+,)* }
    ) => {
        /// The checks of the rules that run, by the kind of facts that they check.
        #[derive(Clone, Debug)]
        pub struct ActiveRules {
            $($name: Vec<fn(&$facts, &mut Findings)>,)*
            $($position: Vec<PositionCheck>,)*
            structure: Vec<StructureCheck>,
            last_move: Vec<LastMoveCheck>,
            waking: Waking,
        }

        impl ActiveRules {
            /// The rules that can change what `selection` shows. All rules about positions are
            /// included, because their findings decide whether others run.
            pub fn of(selection: &Selection) -> ActiveRules {
                let mut active = ActiveRules {
                    $($name: Vec::new(),)*
                    $($position: Vec::new(),)*
                    structure: Vec::new(),
                    last_move: Vec::new(),
                    waking: Waking::of(selection),
                };
                let needed = needed(selection);
                for rule in RULES.iter().filter(|rule| needed.contains(rule.code)) {
                    match rule.check {
                        $(Check::$kind(check) => active.$name.push(check),)*
                        Check::Structure(check) => active.structure.push(check),
                        Check::LastMove(check) => active.last_move.push(check),
                        _ => {}
                    }
                    $(
                        if let $(Check::$position_kind(check))|+ = rule.check {
                            active.$position.push(check);
                        }
                    )*
                }
                active
            }

            $(
                $(#[$doc])*
                pub fn $name(&self, facts: &$facts, findings: &mut Findings) {
                    self.$name.iter().for_each(|check| check(facts, findings));
                }
            )*

            $(
                $(#[$position_doc])*
                pub fn $position(&self, facts: &PositionFacts<'_>, findings: &mut Findings) {
                    self.$position.iter().for_each(|check| check(facts, findings));
                }
            )*
        }
    };
}

active_rules! {
    facts {
        /// Checks the bytes of a record.
        bytes: Bytes(RecordBytes<'_>),
        /// Checks something that the lexer could not read.
        syntax: Syntax(SyntaxFault<'_>),
        /// Checks a tag section.
        tags: Tags(TagSection<'_>),
        /// Checks a tag section by house rules.
        house: House(HouseFacts<'_>),
        /// Checks a move that was played.
        ply: Ply(PlyFacts<'_>),
        /// Checks a move that cannot be played.
        unplayable: Unplayable(Unplayable<'_>),
        /// Checks a move number indication.
        number: Number(NumberIndication<'_>),
        /// Checks a command embedded in a comment.
        command: Command(CommandFacts<'_>),
        /// Checks a clock after a move.
        clock: Clock(ClockFacts<'_>),
        /// Checks a NAG, a variation or a position in a comment.
        remark: Remark(RemarkFacts<'_>),
        /// Checks the layout of a game.
        layout: Layout(Layout<'_>),
        /// Checks the end of a game.
        ending: Ending(Ending<'_>),
        /// Checks the operations of an EPD line.
        operations: Operations(OperationFacts<'_>),
        /// Asks oracles about a game.
        asked_game: AskedGame(AskedGame<'_>),
        /// Asks oracles about the operations of an EPD line.
        asked_line: AskedLine(AskedLine<'_>),
        /// Checks a game and one that is related to it.
        pair: Pair(PairFacts<'_>),
        /// Checks a game that is kept against its copies.
        kept: Kept(KeptFacts<'_>),
        /// Checks how the name of a player is spelled.
        spelling: Spelling(SpellingFacts<'_>),
        /// Checks what the headers of other games say against that of a game.
        oddity: Oddity(OddityFacts<'_>),
        /// Checks a position line and an earlier one with the same position.
        position_pair: PositionPair(PositionPairFacts<'_>),
    }
    position {
        /// Checks the number of fields only.
        field_count: FieldCount,
        /// Checks the fields that are the same in all variants of chess.
        any_variant_fields: AnyVariantField,
        /// Checks all fields as they are written.
        fields: FieldCount | AnyVariantField | Field,
        /// Checks the board.
        board: Position,
        /// Checks the counters.
        counters: Counter,
    }
}

impl ActiveRules {
    /// All rules.
    pub fn all() -> &'static ActiveRules {
        static ALL: LazyLock<ActiveRules> = LazyLock::new(|| ActiveRules::of(&Selection::of(Profile::Export)));
        &ALL
    }

    /// What wakes them.
    #[inline(always)]
    pub const fn waking(&self) -> &Waking {
        &self.waking
    }

    /// Checks the structure of a position until a rule finds something. Returns whether one did.
    pub fn structure(&self, facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) -> bool {
        let before = findings.len();
        self.structure.iter().any(|check| {
            check(facts, structure, findings);
            findings.len() > before
        })
    }

    /// Checks the moves that can have led to a position.
    pub fn last_move(&self, facts: &PositionFacts<'_>, last: &LastMoves, findings: &mut Findings) {
        self.last_move.iter().for_each(|check| check(facts, last, findings));
    }
}

/// The rules that `selection` shows, the rules to which these yield, and all rules that find causes
/// of other findings.
fn needed(selection: &Selection) -> CodeSet {
    let finds_causes = |rule: &Rule| {
        matches!(rule.check, Check::Syntax(_) | Check::Ply(_) | Check::Unplayable(_) | Check::Number(_))
            || rule.check.is_about_positions() && rule.needs.is_empty()
    };
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

/// Removes the findings since `since` that yield to others: only one rule reports a cause.
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
    let mut silent = silent.into_iter();
    findings.retain_since(since, |_| !silent.next().unwrap_or(false));
}
