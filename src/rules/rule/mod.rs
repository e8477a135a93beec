//! What a rule is: metadata, documentation, samples and check in one place.

mod finding;

use std::fmt;

use super::{
    Code, Profile, Sample, Severity,
    aggregate::NewAggregate,
    facts::{
        ClockFacts, CommandFacts, Ending, Layout, NumberIndication, OperationFacts, Ply, PositionFacts, RecordBytes, RemarkFacts,
        SyntaxFault, TagSection, Unplayable,
    },
};
use crate::chess::retro::{LastMoves, Structure};

pub use finding::{Condition, Conditions, Finding, Findings, Marks, Patch, Repair, Scope, shown};

/// The rule before which another one stays silent, because both fit one cause.
#[derive(Clone, Copy, Debug)]
pub enum Yield {
    /// Silent when that rule has fired anywhere in the record.
    InRecord(Code),
    /// Silent when that rule has fired at the same ply of the same variation.
    AtPly(Code),
}

impl Yield {
    /// The rule that comes first.
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

/// The question that a rule answers: which facts it is shown, and the function that judges them.
///
/// Each function is shown facts that were gathered anyway; the replay asks the rules about a move or a number only once
/// a cheap test has shown that something about it is out of the ordinary.
#[derive(Clone, Copy)]
pub enum Check {
    /// About the bytes of a record.
    Bytes(fn(&RecordBytes<'_>, &mut Findings)),
    /// About something the scanner could not make sense of.
    Syntax(fn(&SyntaxFault<'_>, &mut Findings)),
    /// About the tag section of a game.
    Tags(fn(&TagSection<'_>, &mut Findings)),
    /// About a move that was played, and how it is written.
    Ply(fn(&Ply<'_>, &mut Findings)),
    /// About a move that cannot be played.
    Unplayable(fn(&Unplayable<'_>, &mut Findings)),
    /// About a move number indication.
    Number(fn(&NumberIndication<'_>, &mut Findings)),
    /// About a command embedded in a comment.
    Command(fn(&CommandFacts<'_>, &mut Findings)),
    /// About a clock beside a move.
    Clock(fn(&ClockFacts<'_>, &mut Findings)),
    /// About a glyph, a variation or a position that is written beside the moves.
    Remark(fn(&RemarkFacts<'_>, &mut Findings)),
    /// About how a game is laid out.
    Layout(fn(&Layout<'_>, &mut Findings)),
    /// About the end of a game: marker, Result tag and final position.
    Ending(fn(&Ending<'_>, &mut Findings)),
    /// How many fields a position has: the only check that text which is not a position needs.
    FieldCount(PositionCheck),
    /// A field of a position that is the same in all variants of chess.
    AnyVariantField(PositionCheck),
    /// The fields of a position as they are written.
    Field(PositionCheck),
    /// What is on the board of a position: a FEN tag, an EPD or FEN line.
    Position(PositionCheck),
    /// The halfmove clock and the fullmove number of a position.
    Counter(PositionCheck),
    /// About a position in which nothing was wrong that is told more cheaply, and its structure: pawns, cages, promotions.
    Structure(StructureCheck),
    /// About a position in which nothing else was wrong, and the moves that can have led to it.
    LastMove(LastMoveCheck),
    /// About the operations of an EPD line.
    Operations(fn(&OperationFacts<'_>, &mut Findings)),
    /// A hint: never a finding of its own, but the cause of one of another rule. The pipeline gives it when it has looked for
    /// what was meant.
    Hint,
    /// About all games of an input.
    GamesOfInput(NewAggregate),
    /// About all positions of an input.
    PositionsOfInput(NewAggregate),
    /// About an input as a whole; asked by the pipeline when it opens or closes the input.
    Input,
}

impl Check {
    /// Whether the check is about an input as a whole.
    pub const fn is_about_inputs(&self) -> bool {
        matches!(self, Check::GamesOfInput(_) | Check::PositionsOfInput(_) | Check::Input)
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
        )
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Check::Bytes(_) => "Bytes",
            Check::Syntax(_) => "Syntax",
            Check::Tags(_) => "Tags",
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
            Check::Hint => "Hint",
            Check::GamesOfInput(_) => "GamesOfInput",
            Check::PositionsOfInput(_) => "PositionsOfInput",
            Check::Input => "Input",
        })
    }
}

/// A rule: everything there is to know about it, in one value.
#[derive(Debug)]
pub struct Rule {
    /// Stable for ever.
    pub code: Code,
    /// The fault, in kebab case.
    pub name: &'static str,
    /// The highest severity that a finding of this rule has.
    pub severity: Severity,
    /// One sentence, no full stop: the invalid condition found.
    pub summary: &'static str,
    /// What it means: the exact condition, and what it spares.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// Where the rule comes from: a section of the PGN standard, an article of the Laws of Chess, a paper.
    pub source: &'static str,
    /// Whether the rule speaks of what a game can reach; such rules are off in the profile `problem`.
    pub reachability: bool,
    /// Whether the rule is about the layout of PGN export format alone; such rules are on in the profile `export` only, or
    /// where they are asked for by name.
    pub layout: bool,
    /// Rules that come first where both fit.
    pub yields: &'static [Yield],
    /// Input on which this rule fires, once, at the marked place, and no other rule does. A hint is the cause of the one finding
    /// there.
    pub fires: &'static [Sample],
    /// Input that comes near, on which no rule fires, and nothing has a hint as its cause.
    pub silent: &'static [Sample],
    /// The question that the rule answers.
    pub check: Check,
}

impl Rule {
    /// The fields that nearly every rule leaves as they are: `..Rule::DEFAULTS`.
    pub(in crate::rules) const DEFAULTS: Rule = Rule {
        code: code!("ENC01"),
        name: "",
        severity: Severity::Info,
        summary: "",
        what: "",
        why: "",
        fix: "",
        source: "",
        reachability: false,
        layout: false,
        yields: &[],
        fires: &[],
        silent: &[],
        check: Check::Input,
    };

    /// The first profile in which the rule's findings are shown: `standard` for errors and warnings, `strict` for infos,
    /// `export` for layout.
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
