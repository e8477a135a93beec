//! Asks the rules about positions and EPD operations.

use std::sync::LazyLock;

use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, zobrist::Zobrist64};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Check, Condition, Family, Finding, Findings, RULES, Severity, Span, apply_yields,
    clean::fields_are_clean,
    facts::{Declared, EnPassantUse, OperationFacts, Origin, PositionFacts},
    shown,
};
use crate::{
    chess::{
        fen::Tail,
        retro::{LastMoves, Structure},
    },
    epd::{self, FormCounts, Opcode, Operations, perft_line, read_moves},
};

/// What a position tells about the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionEvidence {
    /// The position is declared to be Chess960, or castling rights are claimed that fit an array of Chess960 or double Chess960
    /// and not the standard one.
    pub chess960: bool,
    /// Castling rights are claimed that fit the standard array.
    pub standard: bool,
    /// Halfmove clock and fullmove number, where both are there and can be read, as fields or as operations.
    pub counters: Option<(u64, u64)>,
    /// Whether the castling rights of both colours fit one array, in a game declared to be Chess960.
    pub one_array: Option<bool>,
    /// Which convention the en passant field follows.
    pub en_passant: Option<EnPassantUse>,
    /// What the operations tell.
    pub operations: OperationEvidence,
}

/// What the operations of a line tell about the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationEvidence {
    /// They stand behind bare counters.
    pub behind_counters: bool,
    /// They stand behind four fields.
    pub behind_four_fields: bool,
    /// How moves are spelt.
    pub forms: FormCounts,
}

/// How closely a line is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closeness {
    /// Leaf nodes are counted down to this depth in plies; 0: not at all.
    pub perft_depth: u32,
    /// Whether the order of operations is judged: it is an info, and hardly a line has the right one.
    pub order: bool,
    /// Whether infos about the position itself are wanted where nothing worse is found.
    pub infos: bool,
    /// Whether a position that is quickly proven to be reachable is taken to be so, rather than looked at by the rules that take longest. They
    /// would find nothing; without the proof they show that they do.
    pub proofs: bool,
}

impl Default for Closeness {
    fn default() -> Closeness {
        Closeness { perft_depth: 3, order: true, infos: true, proofs: true }
    }
}

/// The position that an `id` operation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identified {
    /// The id, without its quotes.
    pub id: Span,
    /// The position as it is written.
    pub position: Span,
    /// A hash that positions share which are the same: men, side to move, castling, legal en passant captures.
    pub hash: u64,
}

impl PositionEvidence {
    /// What a position tells.
    pub fn of(facts: &PositionFacts<'_>) -> PositionEvidence {
        PositionEvidence {
            chess960: facts.only_chess960 || facts.other_array || facts.declared.chess960,
            standard: facts.shows_standard_array(),
            counters: facts.halfmove_clock.zip(facts.fullmove_number),
            one_array: (facts.origin == Origin::FenTag && facts.declared.chess960).then(|| facts.one_array()).flatten(),
            en_passant: facts.en_passant_use(),
            operations: OperationEvidence::default(),
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
    /// What it is called.
    pub identified: Option<Identified>,
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
    ask_about_position(&facts, findings, mark, false);
    finish(&facts, findings, mark);
    examined(facts, OperationsTold::default())
}

/// Asks all rules about a line of a FEN or EPD file: its position and its operations. `line` is without its terminator.
///
/// `None` where the line holds no record: blank lines, comments, and the lines of perft files that hold no position.
pub fn examine_line(text: &[u8], line: Span, findings: &mut Findings) -> Option<Examined> {
    examine_line_to(text, line, Declared::default(), Closeness::default(), findings)
}

/// As [`examine_line`]; `declared` is what is known of the position beside the line, `closeness` how closely it is looked at.
pub fn examine_line_to(
    text: &[u8],
    line: Span,
    declared: Declared,
    closeness: Closeness,
    findings: &mut Findings,
) -> Option<Examined> {
    let (facts, told) = examine(text, line, declared, closeness, findings)?;
    Some(examined(facts, told))
}

/// As [`examine_line`], and gives what was read of the position, and what the line tells. `declared` is what is known of it beside the line.
pub fn facts_of_line<'a>(
    text: &'a [u8],
    line: Span,
    declared: Declared,
    findings: &mut Findings,
) -> Option<(PositionFacts<'a>, PositionEvidence)> {
    let (facts, told) = examine(text, line, declared, Closeness::default(), findings)?;
    let evidence = told.evidence(&facts);
    Some((facts, evidence))
}

fn examine<'a>(
    text: &'a [u8],
    line: Span,
    declared: Declared,
    closeness: Closeness,
    findings: &mut Findings,
) -> Option<(PositionFacts<'a>, OperationsTold)> {
    let place = epd::record(text, line)?;
    let mark = findings.len();
    let facts = PositionFacts::read(text, place, Origin::Line, declared);
    let regular = facts.fen.irregular.is_none() && facts.fen.tail_kind != Tail::Other && facts.fen.checks.is_none();
    let proven = closeness.proofs && regular && fields_are_clean(facts.fen.position().of(text));
    if closeness.infos || !proven {
        ask_about_position(&facts, findings, mark, proven);
    }
    let mut told = OperationsTold::default();
    let is_position = facts.board.is_some() || facts.turn.is_some();
    if is_position && facts.fen.tail_kind == Tail::Operations {
        let sound = is_sound_to_play(findings, mark);
        told = ask_about_operations(&facts, closeness, sound, findings);
    }
    finish(&facts, findings, mark);
    Some((facts, told))
}

/// What operations tell.
#[derive(Clone, Copy, Debug, Default)]
struct OperationsTold {
    /// About the input.
    evidence: OperationEvidence,
    /// What the position is called.
    identified: Option<Identified>,
    /// Halfmove clock and fullmove number.
    counters: Option<(u64, u64)>,
}

impl OperationsTold {
    /// What a line tells about the input, position and operations together.
    fn evidence(&self, facts: &PositionFacts<'_>) -> PositionEvidence {
        let evidence = PositionEvidence::of(facts);
        PositionEvidence { counters: evidence.counters.or(self.counters), operations: self.evidence, ..evidence }
    }
}

fn ask_about_operations(facts: &PositionFacts<'_>, closeness: Closeness, sound: bool, findings: &mut Findings) -> OperationsTold {
    let text = facts.text;
    let operations = Operations::split(text, facts.fen.tail);
    let start = facts.start.as_ref().filter(|_| sound);
    let (moves, forms) = start.map(|start| read_moves(text, &operations, start)).unwrap_or_default();
    let shown =
        OperationFacts { text, fen: &facts.fen, position: facts, operations: &operations, start, moves: &moves, closeness };
    for check in &CHECKS.operations {
        check(&shown, findings);
    }
    let evidence =
        OperationEvidence { behind_counters: facts.halfmove_clock.is_some(), behind_four_fields: facts.fen.count() == 4, forms };
    let counter = |kind| shown.first(kind).and_then(|operation| u64::try_from(shown.integer(operation)?).ok());
    let counters = counter(Opcode::Hmvc).zip(counter(Opcode::Fmvn));
    OperationsTold { evidence, identified: identified(&shown), counters }
}

fn identified(facts: &OperationFacts<'_>) -> Option<Identified> {
    let operation = facts.first(Opcode::Id).filter(|operation| operation.open_quote.is_none())?;
    let mut operands = operation.operands(facts.text);
    let first = operands.next()?;
    // An id without quotes may have blanks in it.
    let id = if operands.next().is_none() { first.place } else { operation.operands };
    let position = facts.fen.position();
    let hash = match &facts.position.start {
        Some(start) => start.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0,
        None => xxh3_64(position.of(facts.text)),
    };
    (id.start < id.end).then_some(Identified { id, position, hash })
}

/// Asks the rules about a line `perft N COUNT`. Gives the line that holds the position it is about, where there is one; where
/// something in that position is wrong, nothing is judged.
pub fn examine_perft_line(text: &[u8], line: Span, closeness: Closeness, findings: &mut Findings) -> Option<Span> {
    let perft = perft_line(text, line)?;
    let position = epd::record(text, perft.position)?;
    if perft.depth == 0 || perft.depth > closeness.perft_depth {
        return Some(position);
    }
    let facts = PositionFacts::read(text, position, Origin::Line, Declared::default());
    let mark = findings.len();
    ask_about_position(&facts, findings, mark, false);
    let sound = is_sound_to_play(findings, mark);
    findings.all().truncate(mark);
    if let Some(start) = facts.start.as_ref().filter(|_| sound) {
        super::epd::wrong_perft_count::check_count(start, perft.depth, perft.claimed, perft.count, text, findings);
        finish(&facts, findings, mark);
    }
    Some(position)
}

/// Whether moves can be judged from a position with the findings since `mark`: one that nothing leads to can be played from all
/// the same.
fn is_sound_to_play(findings: &mut Findings, mark: usize) -> bool {
    findings.since(mark).iter().all(|finding| {
        finding.severity < Severity::Error || matches!(finding.rule.check, Check::Structure(_) | Check::LastMove(_))
    })
}

/// Asks all rules about a position; those about what led to it, none of which has anything to say that is a mere info, unless it is `proven`
/// that no rule finds anything worse.
fn ask_about_position(facts: &PositionFacts<'_>, findings: &mut Findings, mark: usize, proven: bool) {
    let mut ask = |checks: &[PositionCheck]| checks.iter().for_each(|check| check(facts, findings));
    let checks = &*CHECKS;
    if facts.declared.other_variant {
        ask(&checks.any_variant);
    } else if facts.fen.count() < 4 && facts.board.is_none() {
        // Text that is no position at all: one finding says so.
        ask(&checks.field_count);
    } else {
        if !matches!(facts.origin, Origin::Replayed { .. }) {
            ask(&checks.syntax);
        }
        if facts.board.is_some() {
            ask(&checks.board);
        }
        ask(&checks.counters);
        if !proven && !is_proven_impossible(findings, mark) {
            ask_about_structure(facts, findings);
        }
        if !proven && !is_proven_impossible(findings, mark) {
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
        if !shown {
            let mut other = finding.clone();
            other.severity(Severity::Info).only_if(Condition::StandardNotShown);
            others.push(other);
        }
        finding.only_if(condition);
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
    if let Origin::Replayed { from_array } = facts.origin {
        judge_at_once(facts, from_array, findings, mark);
    }
    apply_yields(findings, mark);
    let fen = shown(facts.fen.position().of(facts.text));
    for finding in findings.since(mark) {
        finding.fen.clone_from(&fen);
    }
}

/// Of a position that a game has reached it is known what of other positions only the whole input can tell. Counters that go on from
/// those of a FEN tag say no more than these did. Infos speak of how a position is written, or that the game ends there, and say
/// nothing about it.
fn judge_at_once(facts: &PositionFacts<'_>, from_array: bool, findings: &mut Findings, mark: usize) {
    use Condition::{ClockTrusted, CountersTrusted, NumberFiller, NumberTrusted, StandardChess, StandardNotShown, StandardShown};
    let stands = |finding: &Finding| {
        finding.severity > Severity::Info
            && finding.conditions.iter().all(|condition| match condition {
                NumberFiller | StandardNotShown => false,
                StandardChess | StandardShown => facts.mode == CastlingMode::Standard,
                ClockTrusted | CountersTrusted | NumberTrusted => from_array,
                _ => true,
            })
    };
    let mut index = 0;
    findings.all().retain(|finding| {
        index += 1;
        index <= mark || stands(finding)
    });
    if from_array {
        for finding in findings.since(mark) {
            finding.conditions.retain(|condition| {
                !matches!(condition, ClockTrusted | CountersTrusted | NumberTrusted | StandardChess | StandardShown)
            });
        }
    }
}

fn examined(facts: PositionFacts<'_>, told: OperationsTold) -> Examined {
    let evidence = told.evidence(&facts);
    Examined { mode: facts.mode, evidence, identified: told.identified, start: facts.start }
}
