//! Annotations: clocks and other commands in comments, glyphs, and positions written in comments.
//!
//! Commands are read in place. A clock costs a comparison; the rules only see what does not fit.

use memchr::memchr_iter;
use shakmaty::{Chess, Color, EnPassantMode, Position, zobrist::Zobrist64};

use super::{
    annotations_read::{is_usual_first, keep},
    line_state::Frame,
    replay::GameReplay,
};
use crate::{
    chess::fen_of,
    pgn::{
        Command, CommandKind, Elapsed, Evaluation, KnownTag, Lexer, TagSection, TimeControl, Token, marks_are_well_formed,
        minutes_to_seconds, next_command, next_named_position, read_engine_remark, read_evaluation, read_time,
    },
    record::examine_position,
    rules::{
        Finding, Origin, Severity, Sign,
        clk::{self, TOLERANCE, eval_form::ABSURD},
        facts::{
            ClockFacts, ClockQuestion, ClockReading, CommandFacts, EvaluationReading, Evaluator, JudgingGlyph, MoveTime, Remark,
            RemarkFacts, TimeReading,
        },
        pos::game_over,
        shown,
        tag::time_control_format,
    },
    text::Span,
};

/// Minimum number of bytes of a FEN.
const MIN_FEN_LENGTH: usize = 20;

impl GameReplay<'_, '_> {
    /// Checks the comment just read: its commands, and positions written in it.
    #[inline]
    pub(super) fn read_comment(&mut self) {
        let inside = match self.text[self.lexer.start] {
            // The game may go on right after the brace, see `continues_inside`.
            b'{' => Span::new(self.lexer.start + 1, (self.lexer.at - 1).max(self.lexer.start + 1)),
            b';' => Span::new(self.lexer.start + 1, self.lexer.at),
            _ => return,
        };
        if !self.in_variation() {
            self.reading.annotations.last_comment = Some((inside, self.reading.line.ply));
        }
        let mut rest = inside;
        while self.checks.look_for(Sign::Command)
            && let Some(command) = next_command(self.text, rest)
        {
            self.command(&command);
            rest.start = command.place.end;
        }
        if self.checks.look_for(Sign::Remarks) {
            self.remark(inside);
        }
        if inside.end - inside.start > MIN_FEN_LENGTH && memchr_iter(b'/', inside.of(self.text)).nth(6).is_some() {
            self.named_positions(inside);
        }
    }

    #[inline]
    fn command(&mut self, command: &Command) {
        let operands = command.operands.of(self.text);
        let needs_check = !command.closed
            || match command.kind {
                CommandKind::Clk => match read_time(operands) {
                    Ok(time) => {
                        self.clock(time, command.place);
                        false
                    }
                    Err(_) => true,
                },
                CommandKind::Emt => match read_time(operands) {
                    Ok(time) => {
                        self.elapsed(time, command.place);
                        false
                    }
                    Err(_) => true,
                },
                CommandKind::Egt | CommandKind::Mct => read_time(operands).is_err(),
                CommandKind::Eval => match read_evaluation(operands) {
                    Ok(value) => {
                        self.evaluation(value, command, operands);
                        !matches!(value, Evaluation::Centipawns(value) if value.abs() < ABSURD)
                    }
                    Err(_) => true,
                },
                CommandKind::Csl => !marks_are_well_formed(operands, 1),
                CommandKind::Cal => !marks_are_well_formed(operands, 2),
                CommandKind::Known => false,
                CommandKind::Unknown => true,
            };
        if needs_check {
            self.check_command(command);
        }
    }

    /// Whether the last ply of the main line was replayed, so that a clock belongs to it.
    #[inline]
    fn in_known_main_line(&self) -> bool {
        !self.in_variation()
            && self.reading.line.ply > 0
            && self.reading.line.stop.is_none()
            && self.reading.line.damage.is_none()
    }

    /// Checks a clock.
    #[inline]
    fn clock(&mut self, time: u64, place: Span) {
        if !self.in_known_main_line() {
            return;
        }
        let ply = self.reading.line.ply;
        let first = self.reading.start.turn();
        let color = if ply % 2 == 1 { first } else { !first };
        let now = ClockReading { time, moves: ply.div_ceil(2), place };
        let side = color.fold_wb(0, 1);
        let is_from_move_one = self.moves_before() == 0;
        let annotations = &mut self.reading.annotations;
        if annotations.clock_ply == ply {
            annotations.clocks.is_repeated = true;
            if let Some(other) = annotations.clocks.last[side]
                && other.time != time
            {
                self.check_clock(now, color, ClockQuestion::Twice(other));
            }
            return;
        }
        let expected = annotations.clock_ply + 1;
        if ply != expected && annotations.clocks.gap.is_none() {
            annotations.clocks.gap = Some((expected, ply - 1, place));
        }
        let clocks = &mut annotations.clocks;
        if ply.is_multiple_of(2) && ply == expected {
            clocks.pairs += 1;
            clocks.equal_pairs += u32::from(clocks.last[side ^ 1].is_some_and(|other| other.time == time));
        }
        clocks.first.get_or_insert(place);
        clocks.count += 1;
        clocks.first_of_side[side].get_or_insert(now);
        clocks.changed += u32::from(*clocks.first_time.get_or_insert(time) != time);
        if self.checks.look_for(Sign::Remarks) {
            keep(&mut annotations.times, TimeReading { ply, time: MoveTime::Clock(time), place }, self.findings);
        }
        annotations.clock_ply = ply;
        annotations.before = annotations.clocks.last[side].replace(now);
        match annotations.before {
            Some(before) if time > before.time + TOLERANCE && !annotations.gain_reported => {
                self.clock_went_up(now, color, before);
            }
            None if now.moves == 1 && is_from_move_one => self.first_clock(now, color),
            _ => {}
        }
        if let Some((at, elapsed)) = self.reading.annotations.elapsed
            && at == ply
        {
            self.compare_elapsed(elapsed, ply);
        }
    }

    /// Checks the time used for a move.
    #[inline]
    fn elapsed(&mut self, time: u64, place: Span) {
        if !(self.checks.look_for(Sign::ElapsedTime) || self.checks.look_for(Sign::Remarks)) || !self.in_known_main_line() {
            return;
        }
        let ply = self.reading.line.ply;
        if self.checks.look_for(Sign::Remarks) {
            let elapsed = Elapsed { time, unit: 1000 };
            let reading = TimeReading { ply, time: MoveTime::Elapsed(elapsed), place };
            keep(&mut self.reading.annotations.times, reading, self.findings);
        }
        if !self.checks.look_for(Sign::ElapsedTime) {
            return;
        }
        self.reading.annotations.elapsed = Some((ply, time));
        if self.reading.annotations.clock_ply == ply {
            self.compare_elapsed(time, ply);
        }
    }

    /// Notes an evaluation of the main line.
    #[inline]
    fn evaluation(&mut self, value: Evaluation, command: &Command, operands: &[u8]) {
        if !self.in_known_main_line() || self.reading.annotations.declared.other_variant {
            return;
        }
        // Engines and their interfaces add the depth.
        let by_player = self.reading.annotations.engines_play || operands.contains(&b',');
        let by = if by_player { Evaluator::Player } else { Evaluator::Analysis };
        self.note_evaluation(EvaluationReading { ply: self.reading.line.ply, value, by, place: command.place });
        if self.checks.look_for(Sign::Remarks) {
            self.note_suffix();
        }
    }

    /// Notes the first evaluation after a ply.
    fn note_evaluation(&mut self, reading: EvaluationReading) {
        let evaluations = &mut self.reading.annotations.evaluations;
        if evaluations.last().is_none_or(|last| last.ply < reading.ply) {
            keep(evaluations, reading, self.findings);
        }
    }

    /// Notes what an engine wrote about its move.
    fn remark(&mut self, inside: Span) {
        if !self.in_known_main_line() || self.reading.annotations.declared.other_variant {
            return;
        }
        let mover = !self.reading.position.turn();
        let Some(remark) = read_engine_remark(self.text, inside, mover) else { return };
        let ply = self.reading.line.ply;
        if let Some(value) = remark.evaluation {
            self.note_evaluation(EvaluationReading { ply, value, by: Evaluator::Player, place: inside });
            self.note_suffix();
        }
        let times = [remark.elapsed.map(MoveTime::Elapsed), remark.clock.map(MoveTime::Clock)];
        for time in times.into_iter().flatten() {
            keep(&mut self.reading.annotations.times, TimeReading { ply, time, place: inside }, self.findings);
        }
    }

    /// Notes the suffix of the last move, such as `?!`.
    fn note_suffix(&mut self) {
        let Some(last) = self.reading.line.last else { return };
        let token = last.place.of(self.text);
        let core = token.iter().rposition(|byte| !matches!(byte, b'!' | b'?')).map_or(0, |at| at + 1);
        let number = match &token[core..] {
            b"!" => 1,
            b"?" => 2,
            b"!!" => 3,
            b"??" => 4,
            b"!?" => 5,
            b"?!" => 6,
            _ => return,
        };
        let place = Span::new(last.place.start + core, last.place.end);
        self.note_judgement(JudgingGlyph { ply: self.reading.line.ply, number, place });
    }

    fn note_judgement(&mut self, judgement: JudgingGlyph) {
        let judgements = &mut self.reading.annotations.judgements;
        if judgements.last() != Some(&judgement) {
            keep(judgements, judgement, self.findings);
        }
    }

    fn compare_elapsed(&mut self, elapsed: u64, ply: u32) {
        let color = if ply % 2 == 1 { self.reading.start.turn() } else { !self.reading.start.turn() };
        if let (Some(before), Some(now)) = (self.reading.annotations.before, self.reading.annotations.clocks.last_of(color))
            && !self.reading.annotations.elapsed_reported
        {
            self.reading.annotations.elapsed_reported = self.check_clock(now, color, ClockQuestion::Elapsed(elapsed, before));
        }
    }

    fn clock_went_up(&mut self, now: ClockReading, color: Color, before: ClockReading) {
        if let Some(control) = self.control() {
            let gain = control.gains(now.moves);
            let moves = u64::from(now.moves - before.moves);
            if now.time > before.time.saturating_add(gain.0.saturating_mul(moves)).saturating_add(gain.1) + TOLERANCE {
                self.reading.annotations.gain_reported = self.check_clock(now, color, ClockQuestion::Gain(before));
            }
        }
    }

    fn first_clock(&mut self, now: ClockReading, color: Color) {
        let Some(first) = self.control().map(TimeControl::first) else { return };
        let fits = is_usual_first(now.time, first) || (now.time > first.base && self.is_in_minutes(now.time));
        if !fits {
            self.check_clock(now, color, ClockQuestion::First);
        }
    }

    /// Whether the first clock shows that TimeControl is in minutes. If so, this is reported, and
    /// later clocks are compared with the same time in seconds.
    #[cold]
    fn is_in_minutes(&mut self, time: u64) -> bool {
        let Some(place) = self.reading.annotations.time_control else { return false };
        let Some(seconds) = minutes_to_seconds(place.of(self.text)) else { return false };
        let control = TimeControl::read(seconds.as_bytes()).filter(|control| is_usual_first(time, control.first()));
        let Some(control) = control else { return false };
        self.reading.annotations.control = Some(Some(Box::new(control)));
        time_control_format::report_minutes(self.text, place, &seconds, &clk::time(time), self.findings);
        true
    }

    /// Number of moves that each side has made before the first one of the game, by the number of
    /// that one: a fragment can begin at move 38.
    fn moves_before(&self) -> u32 {
        let number = i64::from(self.reading.start.fullmoves().get()) + self.reading.numbering;
        u32::try_from(number.saturating_sub(1)).unwrap_or(0)
    }

    /// The TimeControl tag, if it says how much time there is at every move.
    pub(super) fn control(&mut self) -> Option<&TimeControl> {
        let (value, text, before) = (self.reading.annotations.time_control, self.text, self.moves_before());
        let read = || value.and_then(|value| TimeControl::read(value.of(text))).map(|control| Box::new(control.after(before)));
        self.reading.annotations.control.get_or_insert_with(read).as_deref()
    }

    /// Lets the rules check a clock. Returns whether any of them reported something.
    #[cold]
    fn check_clock(&mut self, now: ClockReading, color: Color, question: ClockQuestion) -> bool {
        let since = self.findings.len();
        self.control();
        let control = self.reading.annotations.control.as_ref().and_then(Option::as_deref);
        let facts = ClockFacts { text: self.text, now, color, control, question };
        self.checks.rules.clock(&facts, self.findings);
        self.locate_annotations(since);
        self.findings.len() > since
    }

    #[cold]
    fn check_command(&mut self, command: &Command) {
        let known = self.reading.line.stop.is_none() && self.reading.line.damage.is_none() && self.reading.too_deep == 0;
        let needs_board = known && command.kind == CommandKind::Eval;
        let before = (needs_board && self.reading.line.last.is_some()).then(|| self.before_last());
        let facts = CommandFacts {
            text: self.text,
            command,
            position: needs_board.then_some(&self.reading.position),
            before: before.as_ref(),
        };
        let since = self.findings.len();
        self.checks.rules.command(&facts, self.findings);
        self.locate_annotations(since);
    }

    /// Checks a numeric annotation glyph.
    #[inline]
    pub(super) fn nag(&mut self) {
        let digits = &self.text[self.lexer.start + 1..self.lexer.at];
        let number = match digits {
            [ones @ b'0'..=b'9'] => Some(u32::from(ones - b'0')),
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Some(u32::from(tens - b'0') * 10 + u32::from(ones - b'0')),
            digits => std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()),
        };
        if digits.is_empty() && self.split_nag() {
            return;
        }
        let after_move = self.reading.line.has_begun || self.in_variation();
        let is_judgement = matches!(number, Some(1..=6)) && self.reading.line.last.is_some();
        let common = matches!(number, Some(1..=139));
        if is_judgement || !after_move || !common {
            self.check_nag(number, after_move, is_judgement);
        }
    }

    fn check_nag(&mut self, number: Option<u32>, after_move: bool, is_judgement: bool) {
        let mut contrary = None;
        if is_judgement && let (Some(number), Some(last)) = (number, self.reading.line.last) {
            if self.checks.look_for(Sign::Remarks) && self.in_known_main_line() {
                self.note_judgement(JudgingGlyph { ply: self.reading.line.ply, number, place: self.place() });
            }
            let earlier =
                self.reading.annotations.judgement.filter(|(earlier, place)| *place == last.place && *earlier != number);
            contrary = earlier.map(|(earlier, _)| earlier);
            self.reading.annotations.judgement = Some((number, last.place));
            if contrary.is_none() && after_move {
                return;
            }
        }
        let place = self.place();
        self.check_annotation(place, Remark::Nag { number, after_move, contrary });
    }

    /// Closes the variation of `frame`, and checks whether it begins with the move that it
    /// replaces.
    #[inline]
    pub(super) fn end_of_variation(&mut self, frame: &Frame) {
        if self.checks.look_for(Sign::Echo)
            && !self.reading.line.goes_on
            && let Some(Some(replaced)) = frame.replaced
            && self.reading.played.get(frame.played) == Some(&Some(replaced))
        {
            self.echo(frame);
        }
    }

    /// Reports that the variation of `frame`, which was left, begins with the move that it
    /// replaces.
    #[cold]
    fn echo(&mut self, frame: &Frame) {
        let mut lexer = Lexer::new(self.text, frame.open + 1);
        loop {
            match lexer.next() {
                Token::Word if self.read_move(lexer.token()).is_some() => break,
                Token::Number { .. } | Token::Comment | Token::Nag => {}
                _ => return,
            }
        }
        let since = self.findings.len();
        let place = Span::new(lexer.start, lexer.at);
        self.checks.rules.remark(&RemarkFacts { text: self.text, place, remark: Remark::RepeatsMove }, self.findings);
        if self.findings.len() == since {
            return;
        }
        let (outer, ply) = (self.variation(), frame.line.ply);
        // The variation leads to the same position as the move that it replaces.
        let fen = fen_of(&frame.position);
        for finding in self.findings.since(since) {
            finding.ply = Some(ply);
            finding.variation = if outer.is_empty() { ply.to_string() } else { format!("{outer}.{ply}") };
            finding.move_text = shown(place.of(self.text));
            finding.fen.clone_from(&fen);
        }
    }

    fn check_annotation(&mut self, place: Span, remark: Remark<'_>) {
        let since = self.findings.len();
        self.checks.rules.remark(&RemarkFacts { text: self.text, place, remark }, self.findings);
        self.locate_annotations(since);
    }

    /// Fills in which move the findings since `since` follow.
    fn locate_annotations(&mut self, since: usize) {
        if self.findings.len() == since {
            return;
        }
        let variation = self.variation();
        let known = self.reading.line.stop.is_none() && self.reading.line.damage.is_none();
        let move_text = self.reading.line.last.filter(|_| known).map(|last| shown(last.place.of(self.text))).unwrap_or_default();
        let ply = (self.reading.line.ply > 0).then_some(self.reading.line.ply);
        for finding in self.findings.since(since) {
            finding.ply = finding.ply.or(ply);
            finding.variation.clone_from(&variation);
            finding.move_text.clone_from(&move_text);
            if finding.fen.is_empty() && known {
                finding.fen = fen_of(&self.reading.position);
            }
        }
    }

    /// Checks the CurrentPosition tag, which gives the last position of the game. `replayed` says
    /// whether that position is known.
    pub(super) fn current_position(&mut self, tags: &TagSection<'_>, replayed: bool) {
        if let Some(pair) = tags.pair(KnownTag::CurrentPosition)
            && !self.reading.annotations.declared.other_variant
            && !pair.value.of(self.text).is_empty()
        {
            self.written_position(pair.value, replayed, true);
        }
    }

    /// Checks positions in a comment that are announced as such.
    #[cold]
    fn named_positions(&mut self, inside: Span) {
        if self.reading.annotations.declared.other_variant {
            return;
        }
        let mut rest = inside;
        while let Some(place) = next_named_position(self.text, rest) {
            rest.start = place.end;
            let known = self.reading.line.stop.is_none() && self.reading.line.damage.is_none() && self.reading.too_deep == 0;
            self.written_position(place, known, false);
        }
    }

    /// Checks a written position, and compares it with the position on the board.
    fn written_position(&mut self, place: Span, known: bool, last: bool) {
        let since = self.findings.len();
        let declared = self.reading.annotations.declared;
        let stated = examine_position(self.text, place, Origin::Line, declared, self.findings).start;
        let same = |position: &Chess, stated: &Chess| {
            position.board() == stated.board()
                && position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal) == stated.zobrist_hash(EnPassantMode::Legal)
        };
        let is_reached = known && stated.as_ref().is_some_and(|stated| same(&self.reading.position, stated));
        // Moves have led to this position, so it can be reached. A game that ends in a finished
        // position is normal.
        let keep = |finding: &Finding| {
            finding.conditions.is_empty()
                && !(is_reached && finding.rule.reachability)
                && finding.rule.code != game_over::RULE.code
        };
        self.findings.retain_since(since, keep);
        for finding in self.findings.since(since) {
            let whose = if last { "CurrentPosition" } else { "the position in the comment" };
            finding.message.insert_str(0, &format!("{whose}: "));
        }
        let sound = self.findings.since(since).iter().all(|finding| finding.severity < Severity::Warning);
        if !last {
            self.locate_annotations(since);
        }
        if let Some(stated) = stated
            && sound
            && known
            && !is_reached
        {
            // Programs write the position before the move as often as the position after it.
            if !last
                && (self.reading.line.last.is_some() && same(&self.before_last(), &stated) || same(&self.reading.start, &stated))
            {
                return;
            }
            let position = self.reading.position.clone();
            self.check_annotation(place, Remark::Position { position: &position, stated: &stated, last });
        }
    }
}
