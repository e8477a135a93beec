//! A line of moves from a position: that of a row, or a variation of an engine.

use shakmaty::{Chess, Move, Position};

use super::{GameChecks, game::not_checked_note, position::start_of_line};
use crate::{
    chess::{History, WrittenSan, checkers_after, explain_illegal_move, fen_of, pass_turn},
    epd::{WordInLine, position_before, word_in_line, written_move},
    pgn::is_movetext,
    rules::{
        ActiveRules, Family, Finding, Findings, Severity, apply_yields,
        facts::{PlyFacts, SyntaxFault, SyntaxFaultKind, Unplayable},
        fen::counter_syntax,
        shown,
    },
    table::{is_empty_value, separates_moves},
    text::{Span, wording::thousands},
};

/// A line of moves.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub text: &'a [u8],
    pub place: Span,
    pub rules: &'a ActiveRules,
    /// Whether the user named the column of moves, rather than its header.
    pub was_requested: bool,
    /// Index of the first finding that says that the position itself is wrong.
    pub at_fault: Option<usize>,
}

/// The words of a line: moves and other tokens.
fn words(text: &[u8], place: Span) -> impl Iterator<Item = Span> + '_ {
    let separates = |byte: &u8| separates_moves(*byte);
    let mut at = place.start;
    std::iter::from_fn(move || {
        at += text[at..place.end].iter().take_while(|byte| separates(byte)).count();
        let length = text[at..place.end].iter().take_while(|byte| !separates(byte)).count();
        at += length;
        (length > 0).then(|| Span::new(at - length, at))
    })
}

/// Termination markers and NAGs are not moves.
fn is_not_a_move(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*" | [b'$', ..])
}

impl Line<'_> {
    fn read(&self, position: &Chess, checkers: shakmaty::Bitboard, word: Span) -> WordInLine {
        let word = word.of(self.text);
        if is_not_a_move(word) { WordInLine::Aside } else { word_in_line(position, checkers, word) }
    }

    /// Plays the moves from `start`. Returns the number of plies played, and of plies not checked.
    pub fn play(self, start: Option<&Chess>, line: &mut Vec<Option<Move>>, findings: &mut Findings) -> (u64, u64) {
        line.clear();
        if is_empty_value(self.place.of(self.text)) {
            return (0, 0);
        }
        let Some(start) = start else {
            let plies = self.plies();
            note_not_played(plies, self.at_fault, findings);
            return (0, plies);
        };
        let mut position = start.clone();
        let mut checkers = position.checkers();
        let mut words = words(self.text, self.place);
        while let Some(place) = words.next() {
            let since = findings.len();
            match self.read(&position, checkers, place) {
                WordInLine::Aside => continue,
                WordInLine::Move(played) => {
                    position.play_unchecked(played);
                    checkers = checkers_after(&position, played);
                    line.push(Some(played));
                    continue;
                }
                WordInLine::Null(written) => {
                    let passed = if checkers.is_empty() { pass_turn(&position) } else { None };
                    self.check_null_move(place, &written, &position, passed.as_ref(), line.len(), findings);
                    if let Some(passed) = passed {
                        position = passed;
                        checkers = position.checkers();
                        line.push(None);
                        continue;
                    }
                }
                WordInLine::Refused(_) | WordInLine::Unreadable if self.is_not_a_line(start) => {
                    return (self.plies(), 0);
                }
                WordInLine::Refused(written) => self.refused(place, &written, &position, History { start, line }, findings),
                WordInLine::Unreadable => self.unreadable(place, &position, line.len(), findings),
            }
            let after = words.filter(|word| !self.is_aside(*word)).count() as u64;
            let reported = if findings.len() > since { Some(since) } else { self.at_fault };
            if let Some(finding) = reported.and_then(|index| findings.all().get_mut(index)) {
                finding.message.push_str(&not_checked_note(after));
            }
            apply_yields(findings, since);
            return (line.len() as u64, after + 1);
        }
        (line.len() as u64, 0)
    }

    /// Whether a word is not a move in any position.
    fn is_aside(&self, word: Span) -> bool {
        self.read(&Chess::default(), shakmaty::Bitboard::EMPTY, word) == WordInLine::Aside
    }

    /// Number of moves.
    pub fn plies(&self) -> u64 {
        self.moves().count() as u64
    }

    /// Whether the first move can be played from `start`, and not all others: those are a choice.
    pub fn begins_at(self, start: &Chess) -> bool {
        let can_be_played = |word| matches!(self.read(start, start.checkers(), word), WordInLine::Move(_));
        let mut moves = self.moves().map(can_be_played);
        let first = moves.next() == Some(true);
        let mut others = moves.peekable();
        first && (others.peek().is_none() || !others.all(|can_be_played| can_be_played))
    }

    fn moves(&self) -> impl Iterator<Item = Span> {
        words(self.text, self.place).filter(|word| !self.is_aside(*word))
    }

    /// The position after all moves from `position`, if they can be played.
    fn position_after(self, mut position: Chess) -> Option<Chess> {
        for word in self.moves() {
            let WordInLine::Move(played) = self.read(&position, position.checkers(), word) else { return None };
            position.play_unchecked(played);
        }
        Some(position)
    }

    /// Whether the line is movetext of moves and numbers alone, and not that of a game from the
    /// starting position.
    fn is_movetext_from(self, start: &Chess) -> bool {
        let text = self.place.of(self.text).trim_ascii();
        is_movetext(text)
            && !text.iter().any(|byte| matches!(byte, b'(' | b'{'))
            && self.moves().all(|word| written_move(word.of(self.text)).is_some())
            && (self.position_after(start.clone()).is_some() || self.position_after(Chess::default()).is_none())
    }

    /// Whether the moves are not a line from the position. Tables of openings have the game that
    /// leads to it. A column that the user did not name may list several moves for the same
    /// position.
    #[cold]
    fn is_not_a_line(self, start: &Chess) -> bool {
        let leads_there = |game: Chess| game.board() == start.board() && game.turn() == start.turn();
        if self.position_after(Chess::default()).is_some_and(leads_there) {
            return true;
        }
        let can_be_played = |word| matches!(self.read(start, start.checkers(), word), WordInLine::Move(_));
        !self.was_requested && self.moves().count() > 2 && self.moves().all(can_be_played)
    }

    #[cold]
    fn refused(self, place: Span, written: &WrittenSan, position: &Chess, history: History<'_>, findings: &mut Findings) {
        let reason = explain_illegal_move(position, written, history);
        if let Some(finding) = self.at_fault.and_then(|index| findings.all().get_mut(index)) {
            // One cause, one finding: the position itself is wrong.
            let (token, ply) = (shown(place.of(self.text)), history.line.len() + 1);
            finding.message.push_str(&format!("; {token} at ply {ply} cannot be played ({reason})"));
            return;
        }
        let since = findings.len();
        let facts = Unplayable {
            text: self.text,
            place,
            written,
            before: position,
            reason: &reason,
            history,
            in_variation: false,
            goes_on: None,
        };
        self.rules.unplayable(&facts, findings);
        self.locate(since, place, position, history.line.len(), findings);
    }

    #[cold]
    fn unreadable(self, place: Span, position: &Chess, played: usize, findings: &mut Findings) {
        let since = findings.len();
        let kind = SyntaxFaultKind::UnknownToken { meant: None };
        let fault = SyntaxFault { text: self.text, place, kind, in_variation: false };
        self.rules.syntax(&fault, findings);
        // A column that the user did not name may contain anything, unless it contains a move.
        let holds_moves =
            self.was_requested || words(self.text, self.place).any(|word| WrittenSan::read(word.of(self.text)).is_some());
        if !holds_moves {
            findings.since(since).iter_mut().for_each(|finding| finding.severity = Severity::Warning);
        }
        self.locate(since, place, position, played, findings);
    }

    #[cold]
    fn check_null_move(
        self,
        place: Span,
        written: &WrittenSan,
        position: &Chess,
        passed: Option<&Chess>,
        played: usize,
        findings: &mut Findings,
    ) {
        let since = findings.len();
        let after = passed.unwrap_or(position);
        let facts = PlyFacts { text: self.text, place, written, before: position, after, resolved: None, in_variation: false };
        self.rules.ply(&facts, findings);
        self.locate(since, place, position, played, findings);
    }

    /// Fills in the ply that the findings since `since` are about, and the position before it.
    fn locate(self, since: usize, place: Span, position: &Chess, played: usize, findings: &mut Findings) {
        for finding in findings.since(since) {
            finding.ply = u32::try_from(played + 1).ok();
            finding.move_text = shown(place.of(self.text));
            finding.fen = fen_of(position);
        }
    }
}

/// Plays the numbered moves of `line`, if they follow directly on the line of a position without
/// faults: a solution. Returns that line, and the number of plies played and not checked.
pub(super) fn play_solution(text: &[u8], line: Span, checks: &GameChecks, findings: &mut Findings) -> Option<(Span, (u64, u64))> {
    if !line.of(text).trim_ascii_start().first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let position = position_before(text, line.start)?;
    if !matches!(Span::new(position.end, line.start).of(text), b"\n" | b"\r" | b"\r\n") {
        return None;
    }
    let start = start_of_line(text, position, checks.declared())?;
    let line = Line { text, place: line, rules: &checks.rules, was_requested: true, at_fault: None };
    line.is_movetext_from(&start).then(|| (position, line.play(Some(&start), &mut Vec::new(), findings)))
}

/// Plays the moves of a UCI command that follow a position, if nothing is wrong with it. `since` is
/// the number of findings before those about it. Returns the number of plies played, and of plies
/// not checked.
pub(super) fn play_command(
    text: &[u8],
    (start, moves): (&Chess, Span),
    checks: &GameChecks,
    findings: &mut Findings,
    since: usize,
) -> (u64, u64) {
    if findings.since(since).iter().any(can_explain_illegal_move) {
        return (0, 0);
    }
    Line { text, place: moves, rules: &checks.rules, was_requested: true, at_fault: None }.play(
        Some(start),
        &mut Vec::new(),
        findings,
    )
}

/// Whether the finding can be the reason why a move is illegal: the position is certainly wrong,
/// not only its counters.
pub(super) fn can_explain_illegal_move(finding: &Finding) -> bool {
    finding.severity == Severity::Error
        && finding.conditions.is_empty()
        && finding.rule.code.family() != Family::Ctr
        && finding.rule.code != counter_syntax::RULE.code
}

/// Notes in the finding `at_fault` that there is no position to play this number of moves from.
#[cold]
pub(super) fn note_not_played(plies: u64, at_fault: Option<usize>, findings: &mut Findings) {
    if let Some(finding) = at_fault.and_then(|index| findings.all().get_mut(index)).filter(|_| plies > 0) {
        let moves = if plies == 1 {
            "the move of this row was".to_owned()
        } else {
            format!("the {} moves of this row were", thousands(plies))
        };
        finding.message.push_str(&format!("; {moves} not checked"));
    }
}
