//! Runs the rules on positions and EPD operations.

use std::fmt::Write;

use shakmaty::{CastlingMode, Chess, Setup, fen::Fen};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    PositionEvidence,
    fastpath::{accepts_fields, accepts_fields_with},
};
use crate::{
    chess::{
        fen::{Tail, read_turn},
        position_key_of,
        retro::{ANY_START, STANDARD_START, StartingRanks},
    },
    epd::{self, FormCounts, MAX_WORDS, Opcode, Operations, perft_line, read_moves},
    oracle::{Inquiry, OracleCounts, Oracles},
    rules::{
        ActiveRules, Certainty, Check, Declared, Family, Finding, Findings, IF_STANDARD_START, Origin, Patch, PositionChecks,
        Rule, Severity, StartShown, apply_yields, assume_standard_start,
        epd::{
            bad_string,
            fen_as_epd::{self, note_after_four_fields},
            non_san_move::{self, note_forms},
            wrong_perft_count,
        },
        facts::{AskedLine, NamedPosition, OperationFacts, PositionFacts},
        fen::board_shape,
        placeholders::{COUNTERS_PLACEHOLDER, COUNTERS_REAL, FULLMOVE_NUMBER_REAL, FULLMOVE_PLACEHOLDER, HALFMOVE_CLOCK_REAL},
        pos::king_count::KINGS_USUAL,
        shown,
        variant_shown::{CHESS960, FEW_EXCEPTIONS, STANDARD_CHESS, STANDARD_NOT_SHOWN, STANDARD_SHOWN},
    },
    text::Span,
};

/// The result of checking a position.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The position to play from. Impossible material, checks, castling rights and en passant
    /// squares are ignored. `None` if it cannot be played from.
    pub start: Option<Chess>,
    /// What it shows about the whole input.
    pub evidence: PositionEvidence,
    /// The name of the position, if it has one.
    pub named: Option<NamedPosition>,
    /// The moves of a UCI command that follow the position.
    pub moves: Option<Span>,
    /// How often oracles were asked.
    pub oracles: OracleCounts,
}

/// Oracles that can be asked about position lines, and the rules that may ask them.
#[derive(Clone, Copy, Debug)]
pub struct LineOracles<'a> {
    /// The oracles.
    pub oracles: &'a Oracles,
    /// The rules.
    pub rules: &'a ActiveRules,
}

/// Runs all rules on the position in the bytes `place` of `text`. Places of findings are offsets in
/// `text`.
///
/// In variants other than chess and Chess960, only what all variants share is checked.
pub fn examine_position(text: &[u8], place: Span, origin: Origin, declared: Declared, findings: &mut Findings) -> Examined {
    let mark = findings.len();
    let facts = examine_untried(text, place, origin, declared, findings);
    try_repairs(&facts, findings, mark, |text, found| {
        examine_untried(text, Span::new(0, text.len()), origin, declared, found);
    });
    examined(facts, OperationSummary::default(), findings.since(mark))
}

/// As [`examine_position`], but repairs are not tried.
fn examine_untried<'a>(
    text: &'a [u8],
    place: Span,
    origin: Origin,
    declared: Declared,
    findings: &mut Findings,
) -> PositionFacts<'a> {
    let mark = findings.len();
    let facts = PositionFacts::read(text, place, origin, declared);
    check_position(&facts, findings, mark, false);
    finish(&facts, findings, mark);
    facts
}

/// Whether a position that a game reaches from the standard starting position has no findings.
pub(super) fn has_no_findings(reached: Setup) -> bool {
    let Ok(fen) = Fen::try_from_setup(reached) else { return false };
    let mut findings = Findings::new();
    // The game may have any date.
    let declared = Declared { seventy_five_move_rule: true, ..Declared::default() };
    examine_reached(fen, &mut String::new(), true, declared, &mut findings);
    findings.is_empty()
}

/// Runs all rules on a position that a game reaches, as if it were a line of a position file.
/// `memory` is for its text.
pub(super) fn examine_reached(reached: Fen, memory: &mut String, from_start: bool, declared: Declared, findings: &mut Findings) {
    memory.clear();
    // Writing to a string cannot fail.
    let _ = write!(memory, "{reached}");
    let whole = Span::new(0, memory.len());
    examine_position(memory.as_bytes(), whole, Origin::Replayed { from_start }, declared, findings);
}

/// Runs all rules on a line of a FEN or EPD file: its position and its operations. `line` is
/// without its line ending. `declared` says what is known of the position from outside the line,
/// `position_checks` how thoroughly it is checked. `oracles` are asked about its operations.
///
/// `None` if the line contains no record: blank lines, comments, and lines of perft files without a
/// position.
pub fn examine_line_to(
    text: &[u8],
    line: Span,
    declared: Declared,
    position_checks: PositionChecks,
    oracles: Option<LineOracles<'_>>,
    findings: &mut Findings,
) -> Option<Examined> {
    let mark = findings.len();
    let (facts, summary) = examine(text, line, declared, position_checks, oracles, findings)?;
    try_repairs(&facts, findings, mark, |text, found| {
        examine(text, Span::new(0, text.len()), declared, position_checks, None, found);
    });
    Some(examined(facts, summary, findings.since(mark)))
}

/// As [`examine_line_to`], and returns the facts of the position and what the line shows about the
/// input. `declared` says what is known from outside the line.
pub fn facts_of_line<'a>(
    text: &'a [u8],
    line: Span,
    declared: Declared,
    findings: &mut Findings,
) -> Option<(PositionFacts<'a>, PositionEvidence)> {
    let mark = findings.len();
    let checks = PositionChecks::default();
    let (facts, summary) = examine(text, line, declared, checks, None, findings)?;
    try_repairs(&facts, findings, mark, |text, found| {
        examine(text, Span::new(0, text.len()), declared, checks, None, found);
    });
    let evidence = summary.evidence(&facts, findings.since(mark));
    Some((facts, evidence))
}

fn examine<'a>(
    text: &'a [u8],
    line: Span,
    declared: Declared,
    position_checks: PositionChecks,
    oracles: Option<LineOracles<'_>>,
    findings: &mut Findings,
) -> Option<(PositionFacts<'a>, OperationSummary)> {
    let place = epd::record(text, line)?;
    let mark = findings.len();
    let facts = PositionFacts::read(text, place, Origin::Line, declared);
    let regular = facts.fen.irregular.is_none()
        && matches!(facts.fen.tail_kind, Tail::Nothing | Tail::Operations)
        && facts.fen.checks.is_none();
    let is_proven_reachable = position_checks.fast_path && regular && is_accepted(&facts);
    let is_exception = facts.only_chess960 && !facts.declared.chess960;
    if position_checks.infos || is_exception || !is_proven_reachable {
        check_position(&facts, findings, mark, is_proven_reachable);
    }
    let mut summary = OperationSummary::default();
    let is_position = facts.board.is_some() || facts.turn.is_some() && facts.has_placement();
    if is_position && facts.fen.tail_kind == Tail::Operations {
        let is_sound = is_playable(findings, mark);
        summary = check_operations(&facts, position_checks, is_sound, oracles, findings);
    }
    finish(&facts, findings, mark);
    Some((facts, summary))
}

/// Whether the fast path accepts the position, with the counters that operations give.
fn is_accepted(facts: &PositionFacts<'_>) -> bool {
    let counters = || {
        let counters = facts.halfmove_clock.zip(facts.fullmove_number).filter(|counters| counters.0.max(counters.1) < 1000)?;
        Some((u32::try_from(counters.0).ok()?, u32::try_from(counters.1).ok()?))
    };
    let fields = facts.fen.position().of(facts.text);
    if facts.has_counter_operations() {
        counters().is_some_and(|counters| accepts_fields_with(fields, Some(counters)))
    } else {
        accepts_fields(fields)
    }
}

/// What the operations of a line show.
#[derive(Clone, Copy, Debug, Default)]
struct OperationSummary {
    /// They follow four fields.
    after_four_fields: bool,
    /// How moves are spelled.
    forms: FormCounts,
    /// The name of the position.
    named: Option<NamedPosition>,
    /// How often oracles were asked.
    oracles: OracleCounts,
}

impl OperationSummary {
    /// What a line shows about the input: position and operations together. `findings` are those
    /// about the position.
    fn evidence(&self, facts: &PositionFacts<'_>, findings: &[Finding]) -> PositionEvidence {
        let mut evidence = PositionEvidence::of(facts);
        if self.after_four_fields {
            note_after_four_fields(&mut evidence.noted);
        }
        note_forms(&mut evidence.noted, &self.forms);
        let needs_other_start = |finding: &Finding| finding.conditions.has(STANDARD_SHOWN);
        if evidence.start == StartShown::FitsStandard && findings.iter().any(needs_other_start) {
            evidence.start = StartShown::OnlyOtherPieces;
        }
        evidence
    }
}

fn check_operations(
    facts: &PositionFacts<'_>,
    position_checks: PositionChecks,
    is_sound: bool,
    oracles: Option<LineOracles<'_>>,
    findings: &mut Findings,
) -> OperationSummary {
    let text = facts.text;
    let operations = Operations::split(text, facts.fen.tail);
    if operations.is_cut {
        findings.give_up(MAX_WORDS, "opcodes and operands");
        return OperationSummary::default();
    }
    let start = facts.start.as_ref().filter(|_| is_sound);
    let (moves, forms) = start.map(|start| read_moves(text, &operations, start)).unwrap_or_default();
    let shown =
        OperationFacts { text, fen: &facts.fen, position: facts, operations: &operations, start, moves: &moves, position_checks };
    ActiveRules::all().operations(&shown, findings);
    let oracles = oracles.map(|asking| ask_about(asking, &shown, findings)).unwrap_or_default();
    OperationSummary { after_four_fields: facts.fen.count() == 4, forms, named: named_position(&shown), oracles }
}

/// Asks the oracles about what the operations claim. Returns how often they were asked.
fn ask_about(asking: LineOracles<'_>, operations: &OperationFacts<'_>, findings: &mut Findings) -> OracleCounts {
    // Oracles know chess and Chess960.
    if asking.oracles.is_empty() || operations.position.declared.other_variant {
        return OracleCounts::default();
    }
    let inquiry = Inquiry::of(asking.oracles);
    asking.rules.asked_line(&AskedLine { operations, inquiry: &inquiry }, findings);
    findings.end_inquiry(inquiry)
}

fn named_position(facts: &OperationFacts<'_>) -> Option<NamedPosition> {
    let operation = facts.first(Opcode::Id).filter(|operation| operation.open_quote.is_none())?;
    let mut operands = operation.operands(facts.text);
    let first = operands.next()?;
    // An id without quotes may contain spaces.
    let id = if operands.next().is_none() { first.place } else { operation.operands };
    let position = facts.fen.position();
    let hash = match &facts.position.start {
        Some(start) => position_key_of(start),
        None => xxh3_64(position.of(facts.text)),
    };
    (id.start < id.end).then_some(NamedPosition { id, position, hash })
}

/// Checks a line `perft N COUNT`. Returns the line with its position, if there is one. Nothing is
/// checked if that position is faulty.
pub fn examine_perft_line(text: &[u8], line: Span, findings: &mut Findings) -> Option<Span> {
    let perft = perft_line(text, line)?;
    let position = epd::record(text, perft.position)?;
    if perft.depth == 0 || perft.depth > wrong_perft_count::MAX_DEPTH {
        return Some(position);
    }
    let facts = PositionFacts::read(text, position, Origin::Line, Declared::default());
    let mark = findings.len();
    if let Some(start) = sound_start(&facts, findings) {
        wrong_perft_count::check_count(start, perft.depth, perft.claimed, perft.count, text, findings);
        finish(&facts, findings, mark);
    }
    Some(position)
}

/// The position in the bytes `place` of `text`, which is that of an earlier line, if moves from it
/// can be checked.
pub(super) fn start_of_line(text: &[u8], place: Span, declared: Declared) -> Option<Chess> {
    let facts = PositionFacts::read(text, place, Origin::Line, declared);
    sound_start(&facts, &mut Findings::new()).cloned()
}

/// The position to play from, if it is not faulty. What is found is not reported.
fn sound_start<'f>(facts: &'f PositionFacts<'_>, findings: &mut Findings) -> Option<&'f Chess> {
    let mark = findings.len();
    check_position(facts, findings, mark, false);
    let is_sound = is_playable(findings, mark);
    findings.all().truncate(mark);
    facts.start.as_ref().filter(|_| is_sound)
}

/// Whether moves from the position can be checked despite the findings since `mark`. A position
/// that cannot be reached, or with wrong counters, can still be played from.
fn is_playable(findings: &mut Findings, mark: usize) -> bool {
    findings.since(mark).iter().all(|finding| {
        finding.severity < Severity::Error
            || matches!(finding.rule.check, Check::Structure(_) | Check::LastMove(_) | Check::Counter(_))
            || is_only_spelling(finding)
    })
}

/// Whether the finding is about the spelling of a field that can only be read in one way.
fn is_only_spelling(finding: &Finding) -> bool {
    matches!(finding.rule.check, Check::Field(_)) && finding.certainty() == Some(Certainty::Certain)
}

/// Runs the rules on a position. If `is_proven_reachable`, the rules about its past are skipped:
/// they would find nothing, and they never report infos.
fn check_position(facts: &PositionFacts<'_>, findings: &mut Findings, mark: usize, is_proven_reachable: bool) {
    let rules = ActiveRules::all();
    if facts.declared.other_variant {
        rules.any_variant_fields(facts, findings);
    } else if board_shape::report_other_game(facts, findings) {
        // Nothing else applies to another game.
    } else if facts.board.is_none() && (facts.fen.count() < 4 || !facts.has_placement()) {
        // Text that is not a position at all has one finding.
        rules.field_count(facts, findings);
    } else {
        if !matches!(facts.origin, Origin::Replayed { .. }) {
            rules.fields(facts, findings);
        }
        if facts.board.is_some() {
            rules.board(facts, findings);
        }
        rules.counters(facts, findings);
        if facts.declared.set_up {
            findings.retain_since(mark, |finding| !finding.rule.reachability);
        } else if !is_proven_reachable && !is_proven_impossible(findings, mark) {
            check_past(facts, findings);
        }
    }
}

/// Runs the rules about how the position arose. Where castling rights that fit only Chess960 are
/// needed for a proof, it holds only if the input is Chess960: otherwise they are stale.
fn check_past(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let before = findings.len();
    let if_standard = facts.without_exceptions();
    let mut is_open = check_past_of(if_standard.as_ref().unwrap_or(facts), findings);
    if if_standard.is_some() && findings.len() == before {
        is_open |= check_past_of(facts, findings);
        for finding in &mut findings.all()[before..] {
            finding.only_if(CHESS960);
        }
    }
    if is_open {
        findings.leave_open();
    }
}

/// The same for the rights that `facts` trusts. At most one rule reports an error that proves the
/// position impossible. Returns whether a search was too long to be finished.
fn check_past_of(facts: &PositionFacts<'_>, findings: &mut Findings) -> bool {
    let before = findings.len();
    let is_open = check_structure(facts, findings);
    let after_structure = findings.len();
    if is_proven_impossible(findings, before) {
        return is_open;
    }
    if let Some(last) = facts.last_moves() {
        ActiveRules::all().last_move(facts, &last, findings);
    }
    // Findings that assume the standard starting position yield to a proof without it.
    if after_structure > before {
        let is_proven = is_proven_impossible(findings, after_structure);
        if is_proven {
            findings.all().drain(before..after_structure);
        } else {
            findings.all().truncate(after_structure);
        }
    }
    is_open
}

/// Whether a rule has proven that the position is impossible. Slower rules then have nothing to
/// add. Findings that depend on the rest of the input prove nothing, apart from missing kings.
fn is_proven_impossible(findings: &mut Findings, mark: usize) -> bool {
    let of_counters = |finding: &Finding| finding.rule.code.family() == Family::Ctr;
    let mut errors = findings.since(mark).iter().filter(|finding| finding.severity == Severity::Error);
    let is_certain = |finding: &Finding| finding.conditions.iter().all(|condition| condition == KINGS_USUAL);
    errors.any(|finding| is_certain(finding) && !of_counters(finding) && !is_only_spelling(finding))
}

/// Checks pawns, cages and promotions. A proof that holds for any Chess960 starting position is
/// preferred to one that needs the standard one. Only the first rule that fires reports. Returns
/// whether a search was too long to be finished.
fn check_structure(facts: &PositionFacts<'_>, findings: &mut Findings) -> bool {
    let rules = ActiveRules::all();
    let before = findings.len();
    let is_standard = facts.can_be_from_standard_start();
    // What is possible from the standard start is possible from any: most positions end here.
    let start = if is_standard { &STANDARD_START } else { &ANY_START };
    let Some(structure) = facts.structure(start) else { return false };
    let found = rules.structure(facts, &structure, findings);
    let is_open = structure.is_open();
    if !found || !is_standard {
        return is_open;
    }
    let mut if_standard = findings.all().split_off(before);
    let Some(structure) = facts.structure(&ANY_START) else { return is_open };
    if rules.structure(facts, &structure, findings) {
        return is_open;
    }
    let is_possible =
        |start: &StartingRanks| *start == ANY_START || facts.structure(start).is_some_and(|structure| !structure.is_impossible());
    if !facts.other_starts().any(|start| is_possible(&start)) {
        findings.all().append(&mut if_standard);
        return is_open;
    }
    for (severity, condition) in IF_STANDARD_START {
        findings.all().extend(if_standard.iter().cloned().map(|mut finding| {
            assume_standard_start(&mut finding, severity, condition);
            finding
        }));
    }
    is_open
}

fn finish(facts: &PositionFacts<'_>, findings: &mut Findings, mark: usize) {
    if findings.len() == mark {
        return;
    }
    if let Origin::Replayed { from_start } = facts.origin {
        resolve_conditions(facts, from_start, findings, mark);
    }
    apply_yields(findings, mark);
    let may_be_chess960 = |finding: &Finding| finding.conditions.has(FEW_EXCEPTIONS);
    if findings.since(mark).iter().any(may_be_chess960) {
        // The finding about Chess960 castling rights already covers findings that assume the
        // standard start.
        let needs_standard = |finding: &Finding| finding.conditions.has(STANDARD_NOT_SHOWN);
        findings.retain_since(mark, |finding| !needs_standard(finding));
    }
    let fen = shown(facts.fen.position().of(facts.text));
    let has_empty_field = may_have_empty_field(facts);
    for finding in findings.since(mark) {
        if has_empty_field
            && matches!(finding.rule.check, Check::AnyVariantField(_) | Check::Field(_))
            && finding.place.start >= facts.fen.position().start
        {
            finding.doubt();
        }
        if finding.fen.is_empty() {
            finding.fen.clone_from(&fen);
        }
        if !may_repair(facts.origin, finding) {
            finding.repair = None;
        }
    }
}

/// Whether a field may be missing or empty, so that others may be read in the wrong place: the
/// number of fields is not that of a FEN or EPD, or more than one of them cannot be read.
fn may_have_empty_field(facts: &PositionFacts<'_>) -> bool {
    let is_dash = |field: Option<Span>| {
        field.is_some_and(|field| matches!(field.of(facts.text), b"\xE2\x80\x93" | b"\xE2\x80\x94" | b"\xE2\x88\x92" | b"_"))
    };
    let fen = &facts.fen;
    let unreadable = [
        fen.turn().is_some() && facts.turn.is_none(),
        fen.castling().is_some() && !facts.castling_is_readable() && !is_dash(fen.castling()),
        fen.en_passant().is_some() && facts.en_passant.is_none() && !is_dash(fen.en_passant()),
        fen.halfmove_clock().is_some() && facts.halfmove_clock.is_none(),
        fen.fullmove_number().is_some() && facts.fullmove_number.is_none(),
    ];
    !matches!(fen.count(), 4 | 6) || fen.lacks_fields() || unreadable.into_iter().filter(|is| *is).count() > 1
}

/// Nobody wrote a position that moves reach. The moves after a FEN tag show which side is to move.
fn may_repair(origin: Origin, finding: &Finding) -> bool {
    match origin {
        Origin::Line => true,
        Origin::FenTag => !changes_side(finding),
        Origin::Replayed { .. } => false,
    }
}

/// Whether the repair gives the move to the other side.
pub(super) fn changes_side(finding: &Finding) -> bool {
    finding.patches().iter().any(|patch| {
        let sides = read_turn(&patch.old).zip(read_turn(&patch.new));
        sides.is_some_and(|(old, new)| old != new)
    })
}

/// Maximum number of repairs of a record that are tried.
const MAX_TRIED: usize = 8;

/// Tries likely repairs, each on its own: `examine` checks the text that it leads to. A repair that
/// leaves its fault, or leads to a finding that is as severe or has a repair itself, is dropped.
fn try_repairs(facts: &PositionFacts<'_>, findings: &mut Findings, mark: usize, examine: impl Fn(&[u8], &mut Findings)) {
    if findings.len() == mark {
        return;
    }
    // Wrong marks of moves and bare counters hide nothing.
    let is_plain = |rule: &Rule| [non_san_move::RULE.code, fen_as_epd::RULE.code].contains(&rule.code);
    let is_tried = |finding: &Finding| finding.certainty() == Some(Certainty::Likely) && !is_plain(finding.rule);
    let mut tried = 0;
    for index in mark..findings.len() {
        let finding = &findings.all()[index];
        if !is_tried(finding) {
            continue;
        }
        tried += 1;
        let succeeds = tried <= MAX_TRIED
            && repaired(facts, finding).is_some_and(|text| {
                let mut after = Findings::new();
                examine(&text, &mut after);
                let before = &findings.all()[mark..];
                is_better(before, after.all(), &before[index - mark])
            });
        if !succeeds {
            findings.all()[index].repair = None;
        }
    }
}

/// Whether a repair of `finding` turns the findings `before` into `after` without a new one that is
/// as severe or has a repair itself. Infos, which may be hidden, count only against infos.
fn is_better(before: &[Finding], after: &[Finding], finding: &Finding) -> bool {
    let least = finding.severity.min(Severity::Warning);
    let counts = |other: &&Finding| other.severity >= least;
    let count =
        |list: &[Finding], code: crate::rules::Code| list.iter().filter(counts).filter(|other| other.rule.code == code).count();
    let is_worse = |new: &Finding| {
        (new.severity >= finding.severity || new.repair.is_some()) && count(after, new.rule.code) > count(before, new.rule.code)
    };
    count(after, finding.rule.code) < count(before, finding.rule.code) && !after.iter().filter(counts).any(is_worse)
}

/// Joins the lines of a string, of which the first one has no closing quote, if that makes a better
/// line. `before` are the findings about the first one.
pub(super) fn join_broken_string(
    text: &[u8],
    lines: &[Span],
    declared: Declared,
    checks: PositionChecks,
    before: &mut [Finding],
) {
    let lines: Vec<Span> = lines.iter().map(|line| trimmed(text, *line)).collect();
    let joined = lines.iter().map(|line| line.of(text)).collect::<Vec<_>>().join(&b' ');
    let mut after = Findings::new();
    examine(&joined, Span::new(0, joined.len()), declared, checks, None, &mut after);
    let Some(index) = before.iter().position(bad_string::is_unclosed) else { return };
    let is_better = is_better(before, after.all(), &before[index]);
    let finding = &mut before[index];
    finding.repair = None;
    if is_better {
        for pair in lines.windows(2) {
            finding.repair(Certainty::Likely, Patch::replace(text, Span::new(pair[0].end, pair[1].start), *b" "));
        }
    }
}

/// A line without whitespace around it.
fn trimmed(text: &[u8], line: Span) -> Span {
    let start = line.end - line.of(text).trim_ascii_start().len();
    Span::new(start, start + line.of(text).trim_ascii().len())
}

/// The text of a position or line after a repair, or `None` if the repair goes beyond it.
fn repaired(facts: &PositionFacts<'_>, finding: &Finding) -> Option<Vec<u8>> {
    let Span { start, end } = facts.place;
    let mut text = facts.place.of(facts.text).to_vec();
    let mut patches: Vec<&Patch> = finding.patches().iter().collect();
    patches.sort_by_key(|patch| patch.place.start);
    for patch in patches.into_iter().rev() {
        if patch.place.start < start || patch.place.end > end {
            return None;
        }
        text.splice(patch.place.start - start..patch.place.end - start, patch.new.iter().copied());
    }
    Some(text)
}

/// Resolves the conditions of findings about a replayed position: the game answers what other
/// positions learn from their input. Counters that continue those of a FEN tag are not reported
/// again. Infos do not apply: nobody wrote this position.
fn resolve_conditions(facts: &PositionFacts<'_>, from_start: bool, findings: &mut Findings, mark: usize) {
    let applies = |finding: &Finding| {
        finding.severity > Severity::Info
            && finding.conditions.iter().all(|condition| match condition {
                FULLMOVE_PLACEHOLDER | COUNTERS_PLACEHOLDER | STANDARD_NOT_SHOWN | CHESS960 => false,
                STANDARD_CHESS | STANDARD_SHOWN => facts.mode == CastlingMode::Standard,
                HALFMOVE_CLOCK_REAL | COUNTERS_REAL | FULLMOVE_NUMBER_REAL => from_start,
                _ => true,
            })
    };
    findings.retain_since(mark, applies);
    if from_start {
        for finding in findings.since(mark) {
            finding.conditions.retain(|condition| {
                !matches!(condition, HALFMOVE_CLOCK_REAL | COUNTERS_REAL | FULLMOVE_NUMBER_REAL | STANDARD_CHESS | STANDARD_SHOWN)
            });
        }
    }
}

fn examined(facts: PositionFacts<'_>, summary: OperationSummary, findings: &[Finding]) -> Examined {
    let evidence = summary.evidence(&facts, findings);
    let moves =
        (facts.fen.tail_kind == Tail::Moves).then(|| Span::new(facts.fen.tail.start + "moves ".len(), facts.fen.tail.end));
    Examined { evidence, named: summary.named, moves, oracles: summary.oracles, start: facts.start }
}
