//! Asks the rules about positions and EPD operations.

use std::sync::LazyLock;

use shakmaty::{CastlingMode, Chess};

use super::{
    Check, Condition, Family, Finding, Findings, RULES, Severity, Span, apply_yields,
    clean::fields_are_clean,
    facts::{Declared, OperationFacts, Origin, PositionFacts},
    shown,
};
use crate::{
    chess::{
        fen::Tail,
        retro::{LastMoves, Structure},
    },
    epd::{self, Operations},
};

/// What a position tells about the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionEvidence {
    /// Castling rights are claimed that fit an array of Chess960 or double Chess960 and not the standard one.
    pub chess960: bool,
    /// Castling rights are claimed that fit the standard array.
    pub standard: bool,
    /// Halfmove clock and fullmove number, where both are there and can be read.
    pub counters: Option<(u64, u64)>,
}

impl PositionEvidence {
    /// What a position tells.
    pub fn of(facts: &PositionFacts<'_>) -> PositionEvidence {
        PositionEvidence {
            chess960: facts.only_chess960 || facts.other_array,
            standard: facts.shows_standard_array(),
            counters: facts.halfmove_clock.zip(facts.fullmove_number),
        }
    }
}

/// A position that has been examined.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The position to play from. Material, checks, castling rights and en passant squares that cannot be are passed over;
    /// `None` where it cannot be played from all the same.
    pub start: Option<Chess>,
    /// How castling is read.
    pub mode: CastlingMode,
    /// What it tells about the whole input.
    pub evidence: PositionEvidence,
}

type PositionCheck = fn(&PositionFacts<'_>, &mut Findings);
type StructureCheck = fn(&PositionFacts<'_>, &Structure, &mut Findings);
type LastMoveCheck = fn(&PositionFacts<'_>, &LastMoves, &mut Findings);
type OperationCheck = fn(&OperationFacts<'_>, &mut Findings);

/// The checks of each kind, in the order of the table.
struct Checks {
    /// About fields.
    syntax: Vec<PositionCheck>,
    /// About fields, as far as they are the same in all variants of chess: the side to move and the blanks between fields.
    any_variant: Vec<PositionCheck>,
    /// About nothing but the number of fields.
    field_count: Vec<PositionCheck>,
    /// About what stands on the board.
    board: Vec<PositionCheck>,
    /// About the counters.
    counters: Vec<PositionCheck>,
    /// About pawns, cages and promotions.
    structure: Vec<StructureCheck>,
    /// About the moves that can have led to the position.
    last_move: Vec<LastMoveCheck>,
    operations: Vec<OperationCheck>,
}

static CHECKS: LazyLock<Checks> = LazyLock::new(|| {
    let positions = |wanted: fn(Family, &'static str) -> bool| {
        let checks = RULES.iter().filter(|rule| wanted(rule.code.family(), rule.name)).filter_map(|rule| match rule.check {
            Check::Position(check) => Some(check),
            _ => None,
        });
        checks.collect()
    };
    Checks {
        syntax: positions(|family, _| family == Family::Fen),
        any_variant: positions(|_, name| matches!(name, "bad-side" | "separators")),
        field_count: positions(|_, name| name == "field-count"),
        board: positions(|family, _| !matches!(family, Family::Fen | Family::Ctr)),
        counters: positions(|family, _| family == Family::Ctr),
        structure: RULES
            .iter()
            .filter_map(|rule| match rule.check {
                Check::Structure(check) => Some(check),
                _ => None,
            })
            .collect(),
        last_move: RULES
            .iter()
            .filter_map(|rule| match rule.check {
                Check::LastMove(check) => Some(check),
                _ => None,
            })
            .collect(),
        operations: RULES
            .iter()
            .filter_map(|rule| match rule.check {
                Check::Operations(check) => Some(check),
                _ => None,
            })
            .collect(),
    }
});

/// Asks all rules about the position in the bytes `place` of `text`. The findings' places are offsets in `text`.
///
/// In variants other than chess and Chess960 only what is common to all of them is judged.
pub fn examine_position(text: &[u8], place: Span, origin: Origin, declared: Declared, findings: &mut Findings) -> Examined {
    let mark = findings.len();
    let facts = PositionFacts::read(text, place, origin, declared);
    ask_about_position(&facts, findings, mark);
    finish(&facts, findings, mark);
    examined(facts)
}

/// Asks all rules about a line of a FEN or EPD file: its position and its operations. `line` is without its terminator.
///
/// `None` where the line holds no record: blank lines, comments, and the lines of perft files that hold no position.
pub fn examine_line(text: &[u8], line: Span, findings: &mut Findings) -> Option<Examined> {
    facts_of_line(text, line, Declared::default(), findings).map(examined)
}

/// As [`examine_line`], but infos about the position are left out where nothing worse is found.
pub fn examine_line_without_infos(text: &[u8], line: Span, findings: &mut Findings) -> Option<Examined> {
    let clean = |facts: &PositionFacts<'_>| {
        let regular = facts.fen.irregular.is_none() && facts.fen.tail_kind != Tail::Other;
        regular && fields_are_clean(facts.fen.position().of(text))
    };
    facts_unless(text, line, Declared::default(), clean, findings).map(examined)
}

/// As [`examine_line`], and gives what was read of the position. `declared` is what is known of it beside the line.
pub fn facts_of_line<'a>(text: &'a [u8], line: Span, declared: Declared, findings: &mut Findings) -> Option<PositionFacts<'a>> {
    facts_unless(text, line, declared, |_| false, findings)
}

/// The rules are asked about the position unless it is known to be `clean`.
fn facts_unless<'a>(
    text: &'a [u8],
    line: Span,
    declared: Declared,
    clean: impl FnOnce(&PositionFacts<'_>) -> bool,
    findings: &mut Findings,
) -> Option<PositionFacts<'a>> {
    let place = epd::record(text, line)?;
    let mark = findings.len();
    let facts = PositionFacts::read(text, place, Origin::Line, declared);
    if !clean(&facts) {
        ask_about_position(&facts, findings, mark);
    }
    if facts.fen.tail_kind == Tail::Operations {
        // A position that no move leads to can be played from all the same.
        let harmless = |finding: &Finding| finding.severity < Severity::Error || matches!(finding.rule.check, Check::LastMove(_));
        let sound = findings.since(mark).iter().all(harmless);
        let operations = Operations::split(text, facts.fen.tail);
        let shown =
            OperationFacts { text, fen: &facts.fen, operations: &operations, start: facts.start.as_ref().filter(|_| sound) };
        for check in &CHECKS.operations {
            check(&shown, findings);
        }
    }
    finish(&facts, findings, mark);
    Some(facts)
}

fn ask_about_position(facts: &PositionFacts<'_>, findings: &mut Findings, mark: usize) {
    let mut ask = |checks: &[PositionCheck]| checks.iter().for_each(|check| check(facts, findings));
    let checks = &*CHECKS;
    if facts.declared.other_variant {
        ask(&checks.any_variant);
    } else if facts.fen.count() < 4 && facts.board.is_none() {
        // Text that is no position at all: one finding says so.
        ask(&checks.field_count);
    } else {
        ask(&checks.syntax);
        if facts.board.is_some() {
            ask(&checks.board);
        }
        ask(&checks.counters);
        if !is_proven_impossible(findings, mark) {
            ask_about_structure(facts, findings);
        }
        if !is_proven_impossible(findings, mark) {
            ask_about_last_move(facts, findings);
        }
    }
}

/// Whether a rule has proven that the position cannot be: then those that take longer have nothing to add.
fn is_proven_impossible(findings: &mut Findings, mark: usize) -> bool {
    let of_counters = |finding: &Finding| finding.rule.code.family() == Family::Ctr;
    findings.since(mark).iter().any(|finding| finding.severity == Severity::Error && !of_counters(finding))
}

/// Asks about pawns, cages and promotions: first what holds for all arrays of Chess960, then what holds for the standard array.
/// The first rule that has something to say is the only one.
fn ask_about_structure(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let standard = facts.can_be_of_standard_array();
    for standard_array in [false, true] {
        if standard_array && !standard {
            return;
        }
        let Some(structure) = facts.structure(standard_array) else { return };
        let before = findings.len();
        for check in &CHECKS.structure {
            check(facts, &structure, findings);
            if findings.len() > before {
                if standard_array {
                    hold_for_standard_array(facts, findings, before);
                }
                return;
            }
        }
    }
}

/// Makes findings since `before`, which rest on the standard array, wait for what the input shows: in one that shows nothing
/// they are infos.
fn hold_for_standard_array(facts: &PositionFacts<'_>, findings: &mut Findings, before: usize) {
    let shown = facts.shows_standard_array();
    let condition = if shown { Condition::StandardChess } else { Condition::StandardShown };
    let mut others = Vec::new();
    for finding in findings.since(before) {
        finding.only_if(condition);
        if !shown {
            let mut other = finding.clone();
            other.severity(Severity::Info).only_if(Condition::StandardNotShown);
            others.push(other);
        }
    }
    findings.all().append(&mut others);
}

/// Asks what the last move can have been.
fn ask_about_last_move(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if let Some(last) = facts.last_moves() {
        CHECKS.last_move.iter().for_each(|check| check(facts, &last, findings));
    }
}

fn finish(facts: &PositionFacts<'_>, findings: &mut Findings, mark: usize) {
    if findings.len() == mark {
        return;
    }
    apply_yields(findings, mark);
    let fen = shown(facts.fen.position().of(facts.text));
    for finding in findings.since(mark) {
        finding.fen.clone_from(&fen);
    }
}

fn examined(facts: PositionFacts<'_>) -> Examined {
    Examined { mode: facts.mode, evidence: PositionEvidence::of(&facts), start: facts.start }
}
