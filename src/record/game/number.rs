//! Move number indications, and numbers that do not match the board.

use shakmaty::{Chess, Color, Position};

use super::{line_state::Stop, replay::GameReplay};
use crate::{
    pgn::Token,
    rules::{
        Certainty, FindingId, Patch, Severity, Sign,
        facts::{GoesOn, NumberAspect, NumberIndication, NumberStyle, SyntaxFaultKind},
        num::number_style,
    },
    text::Span,
};

/// Maximum number of plies that are replayed to interpret a number.
const MAX_REPLAYED_PLIES: u32 = 400;

impl<'a> GameReplay<'a, '_> {
    #[inline]
    pub(super) fn number(&mut self, value: Option<u32>, dots: u32) {
        if self.reading.line.stop.is_some() && dots > 0 {
            self.unplayed_number(value, dots);
            return;
        }
        let expected = i64::from(self.reading.position.fullmoves().get()) + self.reading.line.numbering;
        let white = self.reading.position.turn() == Color::White;
        let usual = dots == if white { 1 } else { 3 };
        if value.map(i64::from) == Some(expected)
            && usual
            && !(white && self.text.get(self.lexer.at..self.lexer.at + 2) == Some(b" ."))
        {
            self.reading.free_numbering = false;
            if self.reading.line.numbering != self.reading.numbering {
                self.renumber();
            }
            if self.checks.look_for(Sign::NumberStyle) {
                self.number_style(dots, false);
            }
            return;
        }
        self.noncanonical_number(value, dots, expected);
    }

    #[cold]
    pub(super) fn noncanonical_number(&mut self, value: Option<u32>, dots: u32, expected: i64) {
        // Other variants have numbers of their own: `1A.` in bughouse.
        let is_known = !self.opening.is_unknown_variant;
        if dots == 0 && (self.join_marker() || (is_known && self.begins_misspelled_move(value))) {
            return;
        }
        if self.reading.line.stop.is_some() {
            return;
        }
        if dots == 0 && self.is_misread(value, expected) {
            self.unknown_token();
            return;
        }
        if dots == 0 && self.is_stray_digit(value, expected) {
            let turn = self.reading.position.turn();
            let facts = NumberIndication { is_stray: true, ..self.indication(value, expected, dots, turn) };
            self.wrong_number(&facts);
            self.reading.line.wrong_number = None;
            return;
        }
        if dots > 0 && self.opens_variation(value, dots) {
            self.fault(SyntaxFaultKind::MissingVariationOpen, self.place());
            self.open_variation();
            self.number(value, dots);
            return;
        }
        let apart = if dots > 0 { self.periods_apart() } else { 0 };
        let dots = dots + apart;
        let board = i64::from(self.reading.position.fullmoves().get());
        if (self.reading.free_numbering || self.is_numbered_throughout(value))
            && let Some(value) = value
        {
            self.reading.numbering = i64::from(value) - board;
            self.reading.line.numbering = self.reading.numbering;
            if self.reading.numbering != 0 && self.checks.look_for(Sign::StartNumber) {
                self.check_number(Some(value), u32::try_from(board).unwrap_or_default(), dots, NumberAspect::Start);
            }
        }
        self.reading.free_numbering = false;
        let expected =
            if self.reading.line.numbering == self.reading.numbering { board + self.reading.numbering } else { expected };
        let turn = self.reading.position.turn();
        let starts_line = !self.reading.line.has_begun;
        let right = value.map(i64::from) == Some(expected);
        let dots_fit = !(turn == Color::White && dots >= 2 || turn == Color::Black && dots == 1 && starts_line);
        if (!right || !dots_fit)
            && let Some(damage) = self.reading.line.damage
        {
            // One cause, one finding: the unreadable token is probably a move.
            let mut ahead = self.ahead();
            let is_proved = ahead.next() == Token::Word && !self.plays(ahead.token()) && self.breaks_main_line();
            if let Some(finding) = self.findings.get(damage) {
                finding.message.push_str("; a move belongs here");
                if is_proved {
                    finding.severity = Severity::Error;
                }
            }
            self.reading.line.ply += 1;
            self.reading.plies_not_replayed += 1;
            self.reading.line.stop = Some(Stop { finding: Some(damage), plies_after: 0 });
            return;
        }
        let spliced = if right { None } else { self.another_game(value, dots) };
        let misplaced = starts_line && value.is_some_and(|value| self.branches_later(value, dots));
        if !right {
            let ahead = value.map_or(self.reading.line.numbering, |value| i64::from(value) - board);
            self.reading.line.numbering = ahead;
            if ahead == self.reading.numbering && value.is_some() && !misplaced {
                if self.checks.look_for(Sign::NumberStyle) {
                    self.number_style(dots, apart > 0);
                }
                return;
            }
        } else if dots_fit {
            if self.checks.look_for(Sign::NumberStyle) {
                self.number_style(dots, apart > 0);
            }
            return;
        }
        let next = if right { None } else { self.next_number() };
        let goes_on = self.goes_on().filter(|_| misplaced && self.plays_after_replaced());
        let facts = NumberIndication { next, spliced, goes_on, ..self.indication(value, expected, dots, turn) };
        let finding = self.wrong_number(&facts);
        if self.checks.look_for(Sign::NumberStyle) {
            self.style_of_wrong_number(finding, dots, apart > 0);
        }
        if spliced.is_some() {
            self.reading.line.stop = Some(Stop { finding, plies_after: 0 });
        }
        if misplaced {
            self.branch_later();
        }
    }

    /// Checks the style of a correct number. Each style is reported once per game, with a repair
    /// for each number.
    #[inline(never)]
    fn number_style(&mut self, dots: u32, apart: bool) {
        // After a word that is not PGN, the position may be another one.
        if let Some(style) = self.style_of_number(dots, apart).filter(|_| self.reading.line.damage.is_none()) {
            self.report_style(style, dots);
        }
    }

    /// How the number just read differs from export format.
    fn style_of_number(&self, dots: u32, apart: bool) -> Option<NumberStyle> {
        let place = self.place();
        let white = self.reading.position.turn() == Color::White;
        let directly_after = || {
            let between = self.text.get(self.reading.last_token.end..place.start).unwrap_or_default();
            let after_move = self.reading.line.last.is_some_and(|last| last.place.end == self.reading.last_token.end);
            after_move && between.iter().all(u8::is_ascii_whitespace)
        };
        if !white && self.reading.line.has_begun && directly_after() {
            Some(NumberStyle::Superfluous)
        } else if dots == 0 {
            Some(NumberStyle::NoPeriod)
        } else if apart {
            Some(NumberStyle::Apart)
        } else if !white && dots != 3 {
            Some(NumberStyle::Periods)
        } else if self.text.get(place.end).is_some_and(|byte| byte.is_ascii_graphic()) {
            Some(NumberStyle::Glued)
        } else {
            None
        }
    }

    /// Reports the style of the number just read, or adds its repair to what was reported.
    #[inline(never)]
    fn report_style(&mut self, style: NumberStyle, dots: u32) {
        let expected = i64::from(self.reading.position.fullmoves().get()) + self.reading.numbering;
        let expected = u32::try_from(expected).unwrap_or_default();
        let aspect = NumberAspect::Style(style);
        let Some(reported) = self.reading.styles_met[style as usize] else {
            let since = self.findings.len();
            self.check_number(Some(expected), expected, dots, aspect);
            self.reading.styles_met[style as usize] = Some(self.findings.first_since(since));
            return;
        };
        let facts = self.indication(Some(expected), i64::from(expected), dots, self.reading.position.turn());
        if facts.stands_alone()
            && let Some(finding) = reported.and_then(|id| self.findings.get(id))
            && finding.rule.code == number_style::RULE.code
        {
            finding.repair(Certainty::Certain, number_style::patch(&NumberIndication { aspect, ..facts }));
        }
    }

    /// Repairs a number that is only right after a wrong one, together with that one.
    #[cold]
    fn renumber(&mut self) {
        let outer = || self.reading.frames.iter().rev().find_map(|frame| frame.line.wrong_number);
        let wrong = self.reading.line.wrong_number.or_else(outer);
        let (place, white) = (self.place(), self.reading.position.turn() == Color::White);
        let number = i64::from(self.reading.position.fullmoves().get()) + self.reading.numbering;
        if let Some(finding) = wrong.and_then(|id| self.findings.get(id))
            && let Some(certainty) = finding.certainty()
        {
            let new = format!("{number}{}", if white { "." } else { "..." });
            finding.repair(certainty, Patch::replace(self.text, place, new));
        }
    }

    /// Repairs the style of a number together with the number itself, which a finding is about.
    #[cold]
    fn style_of_wrong_number(&mut self, finding: Option<FindingId>, dots: u32, apart: bool) {
        match self.style_of_number(dots, apart) {
            Some(NumberStyle::Glued) => self.report_style(NumberStyle::Glued, dots),
            Some(style @ NumberStyle::Superfluous) => {
                let turn = self.reading.position.turn();
                let facts = NumberIndication { aspect: NumberAspect::Style(style), ..self.indication(None, 0, dots, turn) };
                let repair = finding.and_then(|id| self.findings.get(id)?.repair.as_mut());
                if let Some(repair) = repair {
                    repair.patches = vec![number_style::patch(&facts)];
                }
            }
            _ => {}
        }
    }

    /// The number just read, before a ply of `turn` for which the number `expected` is right.
    pub(super) fn indication(&self, value: Option<u32>, expected: i64, dots: u32, turn: Color) -> NumberIndication<'a> {
        NumberIndication {
            text: self.text,
            place: self.place(),
            value,
            expected: u32::try_from(expected).unwrap_or_default(),
            dots,
            turn,
            next: None,
            spliced: None,
            is_stray: false,
            goes_on: None,
            starts_line: !self.reading.line.has_begun,
            aspect: NumberAspect::Count,
        }
    }

    /// Runs the rules on a wrong number. Returns the first finding.
    #[cold]
    pub(super) fn wrong_number(&mut self, facts: &NumberIndication<'_>) -> Option<FindingId> {
        let since = self.findings.len();
        self.checks.rules.number(facts, self.findings);
        self.locate(since, facts.place, None);
        for finding in self.findings.since(since) {
            finding.ply = Some(self.reading.line.ply + 1);
            finding.move_text.clear();
        }
        let first = self.findings.first_since(since)?;
        self.reading.line.wrong_number = Some(first);
        Some(first)
    }

    /// Runs the rules on the start or the style of the number just read.
    #[cold]
    fn check_number(&mut self, value: Option<u32>, expected: u32, dots: u32, aspect: NumberAspect) {
        let facts =
            NumberIndication { aspect, ..self.indication(value, i64::from(expected), dots, self.reading.position.turn()) };
        let since = self.findings.len();
        self.checks.rules.number(&facts, self.findings);
        let variation = self.variation();
        for finding in self.findings.since(since) {
            finding.ply = Some(self.reading.line.ply + 1);
            finding.variation.clone_from(&variation);
        }
    }

    /// Counts periods that are separate from the number, as in `2. ...`. The lexer then spans them.
    pub(super) fn periods_apart(&mut self) -> u32 {
        let mut dots = 0;
        let mut at = self.lexer.at;
        loop {
            let blanks = self.text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
            let more = self.text[at + blanks..].iter().take_while(|byte| **byte == b'.').count();
            if more == 0 {
                break;
            }
            at += blanks + more;
            dots += more as u32;
        }
        self.lexer.at = at;
        dots
    }

    /// Whether the digits just read begin a misspelled move, which is then reported: a misread `B`
    /// as in `8b5+`, swapped characters as in `3e`, or a square without its file as in `94+`.
    fn begins_misspelled_move(&mut self, value: Option<u32>) -> bool {
        let rest = &self.text[self.lexer.at..];
        let is_mark = |byte: &u8| matches!(byte, b'+' | b'#' | b'!' | b'?');
        let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let marks = rest[word..].iter().take_while(|byte| is_mark(byte)).count();
        let misspelled = match &rest[..word] {
            [] => matches!(rest.first(), Some(b'+' | b'#')),
            [b'a'..=b'h'] => value.is_some_and(|value| (1..=8).contains(&value)),
            [_, _, ..] if value == Some(8) => {
                let whole = &self.text[self.lexer.start..self.lexer.at + word];
                !self.plays(&rest[..word]) && self.looks_like_move(whole)
            }
            _ => false,
        };
        if misspelled {
            self.lexer.at += word + marks;
            self.unknown_token();
        }
        misspelled
    }

    /// Whether the digits just read, without periods, are a misread move such as `5` for `f5`: they
    /// are not the expected number, and no legal move follows them.
    fn is_misread(&self, value: Option<u32>, expected: i64) -> bool {
        if value.is_none_or(|value| value >= 100 || i64::from(value) == expected) {
            return false;
        }
        let mut ahead = self.ahead();
        loop {
            match ahead.next() {
                Token::Comment | Token::Nag => {}
                Token::Word => return !self.plays(ahead.token()) && self.meant_in_other_notation(ahead.token()).is_none(),
                _ => return true,
            }
        }
    }

    /// Whether the digit just read is before a legal move, which needs no number: a number is
    /// before it, or White has just moved and there is no space after it.
    fn is_stray_digit(&self, value: Option<u32>, expected: i64) -> bool {
        let place = self.place();
        if place.end != place.start + 1 || value.map(i64::from) == Some(expected) {
            return false;
        }
        let is_glued = self.text.get(place.end).is_some_and(u8::is_ascii_alphabetic);
        let before = self.reading.last_token.of(self.text);
        let follows_number = before.ends_with(b".") && before.first().is_some_and(u8::is_ascii_digit);
        let follows_white = is_glued && self.reading.position.turn() == Color::Black && self.reading.line.has_begun;
        let mut ahead = self.ahead();
        (follows_number || follows_white) && ahead.next() == Token::Word && self.plays(ahead.token())
    }

    /// The next number of the line, and the number of moves before it.
    fn next_number(&self) -> Option<(u32, u32)> {
        let mut ahead = self.ahead();
        let (mut depth, mut moves) = (0usize, 0);
        for _ in 0..200 {
            match ahead.next() {
                Token::Open => depth += 1,
                Token::Close => depth = depth.checked_sub(1)?,
                Token::Number { value, .. } if depth == 0 => return Some((value?, moves)),
                Token::Word if depth == 0 => moves += 1,
                Token::End | Token::TagPair | Token::UnclosedComment => return None,
                Token::Marker(_) if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// If the number just read starts another game, the number of plies that replay from the
    /// standard starting position.
    fn another_game(&self, value: Option<u32>, dots: u32) -> Option<u32> {
        if value != Some(1) || dots != 1 || self.in_variation() || self.reading.line.ply < 2 {
            return None;
        }
        let plays = |position: &Chess| self.extent_from(self.text, self.lexer.start, position, MAX_REPLAYED_PLIES).plies;
        let (anew, here) = (plays(&Chess::default()), plays(&self.reading.position));
        (anew >= 4 && anew > here).then_some(anew)
    }

    /// Whether the main line starts with a number that the following numbers continue. Its first
    /// moves can be played, unless it starts with 0: then no moves are missing before it.
    fn is_numbered_throughout(&self, value: Option<u32>) -> bool {
        self.reading.line.ply == 0
            && !self.in_variation()
            && value.zip(self.next_number()).is_some_and(|(first, (next, _))| Some(next) == first.checked_add(1))
            && (value == Some(0) || self.extent_from(self.text, self.lexer.at, &self.reading.position, 2).plies == 2)
    }

    /// Whether the variation begins one ply early: its number is that of the ply after the one that
    /// it should replace.
    pub(super) fn branches_later(&self, value: u32, dots: u32) -> bool {
        self.reading.frames.last().is_some_and(|frame| {
            let expected = i64::from(frame.position.fullmoves().get()) + self.reading.numbering;
            let side = if frame.position.turn() == Color::White { dots == 1 } else { dots > 1 };
            frame.replaced.is_some() && i64::from(value) == expected && side
        })
    }

    /// Makes the variation branch off after the last ply instead of replacing it.
    pub(super) fn branch_later(&mut self) {
        if let Some(frame) = self.reading.frames.last() {
            self.reading.position = frame.position.clone();
            self.reading.checkers = frame.checkers;
            self.reading.played.extend(frame.replaced);
            self.reading.line.ply = frame.line.ply;
            self.reading.line.numbering = frame.line.numbering;
            self.reading.line.goes_on = true;
        }
    }

    /// The variation that was opened last, and the move that it should replace.
    pub(super) fn goes_on(&self) -> Option<GoesOn> {
        let frame = self.reading.frames.last()?;
        Some(GoesOn { open: Span::new(frame.open, frame.open + 1), after: frame.line.last?.place })
    }

    /// Whether the next move is legal after the move that the variation should replace.
    fn plays_after_replaced(&self) -> bool {
        let Some(frame) = self.reading.frames.last() else { return false };
        self.extent_from(self.text, self.lexer.at, &frame.position, 1).plies == 1
    }
}
