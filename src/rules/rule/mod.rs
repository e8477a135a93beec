//! The parts of a rule: metadata, documentation, samples and check.

mod condition;
mod finding;
mod note;
mod wakes;

use std::fmt;

use super::{
    Code, Profile, Sample, Severity,
    aggregate::NewAggregate,
    facts::{
        AskedGame, AskedLine, ClockFacts, CommandFacts, Ending, HouseFacts, KeptFacts, Layout, NumberIndication, OddityFacts,
        OperationFacts, PairFacts, PlyFacts, PositionFacts, PositionPairFacts, RecordBytes, RemarkFacts, SpellingFacts,
        SyntaxFault, TagSection, Unplayable,
    },
};
use crate::chess::retro::{LastMoves, Structure};

pub use condition::{Condition, Conditions};
pub use finding::{
    Certainty, Finding, FindingId, Findings, Keep, MAX_PATCHES, MAX_SHOWN, MIN_GROUPED, Marks, Partner, Patch, RecordBoard,
    Scope, shown,
};
pub use note::{Note, Noted, Notes, Sums, sums_of};
pub use wakes::{Sign, Wakes, Waking};

/// A rule that takes precedence, because both fit one cause.
#[derive(Clone, Copy, Debug)]
pub enum Yield {
    /// Silent if that rule fired anywhere in the record.
    InRecord(Code),
    /// Silent if that rule fired at the same ply of the same variation.
    AtPly(Code),
}

/// Rules that take precedence anywhere in the record.
pub const fn in_record<const N: usize>(codes: [Code; N]) -> [Yield; N] {
    let mut yields = [Yield::InRecord(codes[0]); N];
    let mut next = 1;
    while next < N {
        yields[next] = Yield::InRecord(codes[next]);
        next += 1;
    }
    yields
}

impl Yield {
    /// The rule that takes precedence.
    pub const fn code(self) -> Code {
        match self {
            Yield::InRecord(code) | Yield::AtPly(code) => code,
        }
    }
}

/// Checks the fields of a position, or what they mean.
pub type PositionCheck = fn(&PositionFacts<'_>, &mut Findings);
/// Checks a position and its structure.
pub type StructureCheck = fn(&PositionFacts<'_>, &Structure, &mut Findings);
/// Checks a position and the moves that can have led to it.
pub type LastMoveCheck = fn(&PositionFacts<'_>, &LastMoves, &mut Findings);

/// What a rule checks: the facts that it gets, and the function that checks them.
///
/// The facts are gathered anyway. The replay runs the rules about moves and numbers only after a
/// cheap test has found something unusual: a move in canonical spelling and a right number do not
/// reach them, unless the move wakes a rule (see [`Wakes`]).
#[derive(Clone, Copy)]
pub enum Check {
    /// About the bytes of a record.
    Bytes(fn(&RecordBytes<'_>, &mut Findings)),
    /// About text that the lexer could not read.
    Syntax(fn(&SyntaxFault<'_>, &mut Findings)),
    /// About the tag section of a game.
    Tags(fn(&TagSection<'_>, &mut Findings)),
    /// About the tag section of a game and house rules.
    House(fn(&HouseFacts<'_>, &mut Findings)),
    /// About a move that was played, and how it is written.
    Ply(fn(&PlyFacts<'_>, &mut Findings)),
    /// About a move that cannot be played.
    Unplayable(fn(&Unplayable<'_>, &mut Findings)),
    /// About a move number indication.
    Number(fn(&NumberIndication<'_>, &mut Findings)),
    /// About a command embedded in a comment.
    Command(fn(&CommandFacts<'_>, &mut Findings)),
    /// About a clock after a move.
    Clock(fn(&ClockFacts<'_>, &mut Findings)),
    /// About a glyph, a variation, or a position in a comment.
    Remark(fn(&RemarkFacts<'_>, &mut Findings)),
    /// About the layout of a game.
    Layout(fn(&Layout<'_>, &mut Findings)),
    /// About the end of a game: marker, Result tag and final position.
    Ending(fn(&Ending<'_>, &mut Findings)),
    /// The number of fields of a position: the only check that runs on text that is not a position.
    FieldCount(PositionCheck),
    /// A field of a position that is the same in all variants of chess.
    AnyVariantField(PositionCheck),
    /// The fields of a position as they are written.
    Field(PositionCheck),
    /// The board of a position: a FEN tag, an EPD or FEN line.
    Position(PositionCheck),
    /// The halfmove clock and the fullmove number of a position.
    Counter(PositionCheck),
    /// About the structure of a position without cheaper findings: pawns, cages, promotions.
    Structure(StructureCheck),
    /// About the last move, in a position without other findings.
    LastMove(LastMoveCheck),
    /// About the operations of an EPD line.
    Operations(fn(&OperationFacts<'_>, &mut Findings)),
    /// About a game, with oracles that can be asked.
    AskedGame(fn(&AskedGame<'_>, &mut Findings)),
    /// About the operations of an EPD line, with oracles that can be asked.
    AskedLine(fn(&AskedLine<'_>, &mut Findings)),
    /// A hint: never a finding, but the cause of a finding of another rule. The search for repairs
    /// sets it.
    Hint,
    /// About all games of an input.
    GamesOfInput(NewAggregate),
    /// About all positions of an input.
    PositionsOfInput(NewAggregate),
    /// About a game and a copy of it, or one that is related otherwise.
    Pair(fn(&PairFacts<'_>, &mut Findings)),
    /// About a game that is kept, and tags that its copies have.
    Kept(fn(&KeptFacts<'_>, &mut Findings)),
    /// About a name of a player that has another main spelling.
    Spelling(fn(&SpellingFacts<'_>, &mut Findings)),
    /// About what the headers of other games say against that of a game.
    Oddity(fn(&OddityFacts<'_>, &mut Findings)),
    /// About a position line and an earlier one with the same position.
    PositionPair(fn(&PositionPairFacts<'_>, &mut Findings)),
    /// About an input as a whole; the pipeline runs it when it opens or closes the input.
    Input,
}

impl Check {
    /// Whether the check is about more than one record.
    pub const fn is_about_inputs(&self) -> bool {
        matches!(
            self,
            Check::GamesOfInput(_)
                | Check::PositionsOfInput(_)
                | Check::Pair(_)
                | Check::Kept(_)
                | Check::Spelling(_)
                | Check::Oddity(_)
                | Check::PositionPair(_)
                | Check::Input
        )
    }

    /// Whether the check is about a position or the operations of a position line.
    pub const fn is_about_positions(&self) -> bool {
        matches!(
            self,
            Check::FieldCount(_)
                | Check::AnyVariantField(_)
                | Check::Field(_)
                | Check::Position(_)
                | Check::Counter(_)
                | Check::Structure(_)
                | Check::LastMove(_)
                | Check::Operations(_)
                | Check::AskedLine(_)
        )
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Check::Bytes(_) => "Bytes",
            Check::Syntax(_) => "Syntax",
            Check::Tags(_) => "Tags",
            Check::House(_) => "House",
            Check::Ply(_) => "Ply",
            Check::Unplayable(_) => "Unplayable",
            Check::Number(_) => "Number",
            Check::Command(_) => "Command",
            Check::Clock(_) => "Clock",
            Check::Remark(_) => "Remark",
            Check::Layout(_) => "Layout",
            Check::Ending(_) => "Ending",
            Check::FieldCount(_) => "FieldCount",
            Check::AnyVariantField(_) => "AnyVariantField",
            Check::Field(_) => "Field",
            Check::Position(_) => "Position",
            Check::Counter(_) => "Counter",
            Check::Structure(_) => "Structure",
            Check::LastMove(_) => "LastMove",
            Check::Operations(_) => "Operations",
            Check::AskedGame(_) => "AskedGame",
            Check::AskedLine(_) => "AskedLine",
            Check::Hint => "Hint",
            Check::GamesOfInput(_) => "GamesOfInput",
            Check::PositionsOfInput(_) => "PositionsOfInput",
            Check::Pair(_) => "Pair",
            Check::Kept(_) => "Kept",
            Check::Spelling(_) => "Spelling",
            Check::Oddity(_) => "Oddity",
            Check::PositionPair(_) => "PositionPair",
            Check::Input => "Input",
        })
    }
}

/// What a rule needs besides the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A classification of openings.
    Openings,
    /// Endgame tables.
    Tables,
    /// Every position that a game reaches.
    EveryPosition,
    /// An engine.
    Engine,
    /// A comparison with all other records of the run.
    Duplicates,
    /// What the settings expect of the run.
    Expectations,
    /// Rules that the settings set.
    HouseRules,
    /// FIDE's rating list.
    RatingList,
}

impl Need {
    /// The option of `check` that gives it, or the table of the settings.
    pub const fn option(self) -> &'static str {
        match self {
            Need::Openings => "--eco FILE",
            Need::Tables => "--syzygy DIR",
            Need::EveryPosition => "--exhaustive",
            Need::Engine => "--engine COMMAND",
            Need::Duplicates => "--duplicates",
            Need::Expectations => "[expect] in the settings",
            Need::HouseRules => "house rules in the settings",
            Need::RatingList => "--players FILE",
        }
    }
}

/// A rule: metadata, documentation, samples and check.
#[derive(Debug)]
pub struct Rule {
    /// The code, which never changes.
    pub code: Code,
    /// The fault, in kebab case.
    pub name: &'static str,
    /// Maximum severity of its findings.
    pub severity: Severity,
    /// What was found, in at most twelve words and without a full stop.
    pub summary: &'static str,
    /// The condition, and its exceptions.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// Where the rule comes from: a section of the PGN standard, an article of the Laws of Chess, a
    /// paper.
    pub source: &'static str,
    /// The most certain repair that its findings can have.
    pub repairs: Option<Certainty>,
    /// Whether the rule is about what a game can reach. Such rules are off in the profile
    /// `problem`.
    pub reachability: bool,
    /// Whether the rule is only about the layout of PGN export format. Such rules are on in the
    /// profile `export`, or if selected by name.
    pub layout: bool,
    /// What it needs besides the input. Without that it does not run.
    pub needs: &'static [Need],
    /// Rules that take precedence.
    pub yields: &'static [Yield],
    /// Samples on which only this rule fires, once, at the marked place. A hint is the cause of the
    /// only finding.
    pub fires: &'static [Sample],
    /// Similar samples on which no rule fires and no finding has a hint.
    pub silent: &'static [Sample],
    /// What the rule checks.
    pub check: Check,
    /// When it has to be asked, if the fast path does not know it.
    pub wakes: Wakes,
    /// What it counts over a whole input.
    #[doc(hidden)]
    pub note: Option<&'static Note>,
}

impl Rule {
    /// Whether its findings are about a record and another one, so that there may be several at one
    /// place.
    pub fn is_about_copies(&self) -> bool {
        self.needs.contains(&Need::Duplicates)
    }

    /// Whether its findings are about what the settings expect, so that there may be several at one
    /// place.
    pub fn is_about_expectations(&self) -> bool {
        self.needs.contains(&Need::Expectations)
    }

    /// Default values for the fields that most rules do not set: `..Rule::DEFAULTS`.
    #[doc(hidden)]
    pub const DEFAULTS: Rule = Rule {
        code: code!("ENC01"),
        name: "",
        severity: Severity::Info,
        summary: "",
        what: "",
        why: "",
        fix: "",
        source: "",
        repairs: None,
        reachability: false,
        layout: false,
        needs: &[],
        yields: &[],
        fires: &[],
        silent: &[],
        check: Check::Input,
        wakes: Wakes::Default,
        note: None,
    };

    /// Whether its repairs can change which moves are played.
    pub const fn changes_moves(&self) -> bool {
        matches!(self.check, Check::Unplayable(_) | Check::Syntax(_))
    }

    /// The first profile in which the rule's findings are shown: `standard` for errors and
    /// warnings, `strict` for infos, `export` for layout.
    pub fn profile(&self) -> Profile {
        if self.layout {
            Profile::Export
        } else if self.severity > Severity::Info {
            Profile::Standard
        } else {
            Profile::Strict
        }
    }
}
