//! Movetext: plays the moves, and hands anything unusual to the rules.

use shakmaty::{Chess, EnPassantMode, Move, Outcome, Position, fen::Fen};

use super::{
    line_state::{LastPly, Line, Stop},
    outcome::GameOutcome,
    own_line::OwnLine,
    reading::MovetextReading,
    replay::GameReplay,
};
use crate::{
    chess::{
        Arrow, CheckMark, History, IllegalMove, Notation, Quirks, Resolved, WrittenMove, WrittenSan, castling_by_king,
        checkers_after, explain_illegal_move, fen_of, has_legal_move, pass_turn, resolve, with_en_passant_square,
    },
    pgn::{KnownTag, Marker, MarkerKind, TagSection, Token, line_end, standard_marker, with_bom},
    rules::{
        Code, Severity, Sign,
        facts::{GoesOn, PlyFacts, RavFault, SyntaxFaultKind, Unplayable},
        shown,
    },
    text::Span,
};

/// Maximum number of plies of a line, which limits the memory of a game. The longest possible game
/// under the 75-move rule has fewer than 20,000.
const MAX_PLIES: usize = 1_000_000;

/// Maximum number of plies of a variation that are replayed to find out where it begins.
const MAX_VARIATION: u32 = 400;

/// Number of the last findings that may be merged into one about an illegal move.
const MAX_DOUBTS: usize = 256;

/// A wrong move number.
const WRONG_NUMBER: Code = code!("NUM01");
/// A number that means the other side.
const WRONG_SIDE_DOTS: Code = code!("NUM02");
/// A false `+`.
const FALSE_CHECK: Code = code!("MOV12");
/// A false `#`.
const FALSE_MATE: Code = code!("MOV14");
/// A false `x`.
const FALSE_CAPTURE: Code = code!("MOV16");

/// Missing marks, and superfluous disambiguation.
const MARKS: [Code; 4] = [code!("MOV11"), code!("MOV13"), code!("MOV15"), code!("MOV17")];

/// What a token of the movetext was.
enum TokenRead {
    /// A part of the game.
    Part,
    /// A comment, or anything else that does not begin a movetext.
    Aside,
    /// The end of the game: its marker, and where the next record begins if there is none.
    End(Option<Marker>, usize),
}

impl<'a> GameReplay<'a, '_> {
    pub(super) fn movetext(&mut self, tags: &TagSection<'_>, complete: bool) -> GameOutcome {
        self.movetext_at = self.lexer.at;
        let (evidence, replayable) = self.set_up(tags);
        self.reading.outside_movetext = false;
        if !replayable {
            self.reading.line.stop = Some(Stop { finding: None, plies_after: 0 });
        }
        self.findings_before = self.findings.len();
        loop {
            match self.read_token(tags) {
                TokenRead::Part => {}
                TokenRead::Aside => continue,
                TokenRead::End(marker, next) => return self.end_game(tags, marker, next, evidence, complete),
            }
            self.reading.has_begun = true;
            self.reading.last_token = self.place();
            if std::mem::take(&mut self.reading.may_be_marker)
                && let Some(marker) = self.misspelled_marker()
            {
                return self.end_game(tags, Some(marker), 0, evidence, complete);
            }
        }
    }

    /// Reads a token of the movetext.
    #[inline(always)]
    fn read_token(&mut self, tags: &TagSection<'_>) -> TokenRead {
        match self.lexer.next() {
            Token::Word
                if !self.has_tags
                    && let Some(line) = self.own_line() =>
            {
                match line {
                    OwnLine::Comment => {
                        self.lexer.at = line_end(self.text, self.lexer.start);
                        return TokenRead::Aside;
                    }
                    OwnLine::Moves => return TokenRead::End(None, self.lexer.start),
                }
            }
            Token::Word => self.word(),
            Token::Number { value: Some(1), dots: 0 | 1 } if !self.has_tags && self.begins_own_game() => {
                return TokenRead::End(None, self.lexer.start);
            }
            Token::Number { .. } if self.reading.has_begun && !self.has_tags && self.begins_labelled_game() => {
                return TokenRead::End(None, self.lexer.start);
            }
            Token::Number { value, dots } => self.number(value, dots),
            Token::Comment => {
                self.comment();
                return TokenRead::Aside;
            }
            Token::UnclosedComment => {
                self.unclosed_comment();
                return TokenRead::Aside;
            }
            Token::Nag => self.nag(),
            Token::Open => self.open_variation(),
            Token::Close => self.close_variation(),
            Token::Marker(outcome) => {
                if let Some(marker) = self.last_marker(outcome) {
                    return TokenRead::End(Some(marker), 0);
                }
            }
            Token::Glyph => self.glyph(),
            Token::StrayBrace => self.stray_brace(),
            Token::TagPair if self.reading.has_begun && self.tags_inside(tags) => return TokenRead::Aside,
            Token::TagPair => {
                let next = with_bom(self.text, self.lexer.at);
                if self.reading.has_begun {
                    self.tag_in_movetext(tags);
                }
                return TokenRead::End(None, next);
            }
            Token::End => return TokenRead::End(None, self.text.len()),
        }
        TokenRead::Part
    }

    /// The marker of this meaning that was just read, if it ends the game. Otherwise it is a fault.
    fn last_marker(&mut self, outcome: Outcome) -> Option<Marker> {
        let standard = Marker { place: self.place(), kind: MarkerKind::Standard(outcome) };
        let marker = self.marker_of_result_tag(outcome).unwrap_or(standard);
        if !self.ends_game() {
            self.fault(SyntaxFaultKind::BadVariation(RavFault::Marker), marker.place);
        } else if self.continues_after_marker() {
            self.fault(SyntaxFaultKind::MarkerInside, marker.place);
        } else {
            return Some(marker);
        }
        None
    }

    /// Reports the tag pair that begins here, although the game has no termination marker.
    #[cold]
    fn tag_in_movetext(&mut self, tags: &TagSection<'_>) {
        let next = self.lexer.at;
        // A token that is not PGN and touches the tag pair was cut off.
        let unknown = self.reading.unknown.and_then(|id| self.findings.get(id));
        let torn = unknown.filter(|unknown| unknown.place.end == next).map(|torn| {
            torn.merged = true;
            torn.place
        });
        let result = tags.pair(KnownTag::Result).and_then(|pair| standard_marker(pair.value.of(self.text)));
        let kind = SyntaxFaultKind::TagInMovetext { next, torn, result: result.unwrap_or(Outcome::Unknown) };
        let end = self.reading.last_token.end;
        self.fault(kind, torn.unwrap_or(Span::new(end, end)));
    }

    /// Reads the movetext again from `start`, in `notation`, and drops the findings of the last
    /// reading.
    pub(super) fn read_again(&mut self, start: Chess, notation: Option<Notation>) {
        self.findings.all().truncate(self.findings_before);
        self.reading = MovetextReading::new(&self.opening, start, notation, self.reading.take_memory());
        self.lexer.start = self.movetext_at;
        self.lexer.at = self.movetext_at;
    }

    pub(super) fn place(&self) -> Span {
        Span::new(self.lexer.start, self.lexer.at)
    }

    pub(super) fn in_variation(&self) -> bool {
        !self.reading.frames.is_empty() || self.reading.too_deep > 0
    }

    /// Reads a word: nearly always a move in its canonical spelling.
    #[inline]
    pub(super) fn word(&mut self) {
        match WrittenSan::canonical(self.lexer.token()) {
            Some(written) if self.reading.notation.is_none() && !self.continues() => self.ply(written, self.place()),
            _ => self.noncanonical_word(),
        }
    }

    /// Whether the text one space or line break after the last word may belong to it: `e8 =Q`, `Qa8
    /// #`, `exd6 e.p.`, `b8(Q)`.
    #[inline]
    pub(super) fn continues(&self) -> bool {
        let byte = |at: usize| self.text.get(at).copied().unwrap_or(b' ');
        let at = self.lexer.at;
        match byte(at) {
            space @ (b' ' | b'\n' | b'\r') => {
                let next = at + if space == b'\r' && byte(at + 1) == b'\n' { 2 } else { 1 };
                match byte(next) {
                    b'#' if space != b' ' => !self.is_word_after_hash(next),
                    b'+' | b'#' | b'=' | b'!' | b'?' => true,
                    b'e' => matches!(byte(next + 1), b'p' | b'.'),
                    b'm' => byte(next + 1) == b'a',
                    b'c' => byte(next + 1) == b'h',
                    _ => false,
                }
            }
            b'(' => byte(at + 1).is_ascii_uppercase() && byte(at + 2) == b')',
            _ => false,
        }
    }

    /// Whether the `#` at the start of a line begins a comment, as in lists with a line for each
    /// game.
    #[cold]
    fn is_word_after_hash(&self, at: usize) -> bool {
        self.text[at + 1..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic)
    }

    /// Plays a move if it is legal.
    #[inline]
    pub(super) fn ply(&mut self, written: WrittenSan, place: Span) {
        self.reading.unknown = None;
        self.reading.line.ply += 1;
        self.reading.line.has_begun = true;
        if self.reading.line.stop.is_some() {
            self.unplayed_ply(written, place);
            return;
        }
        let Some(resolved) = resolve(&self.reading.position, self.reading.checkers, &written) else {
            self.unresolved(written, place);
            return;
        };
        self.reading.position.play_unchecked(resolved.played);
        self.reading.checkers = checkers_after(&self.reading.position, resolved.played);
        self.keep_played(Some(resolved.played));
        let needs_check = self.needs_check(&written, &resolved);
        self.reading.line.last = Some(LastPly { written, resolved: Some(resolved), place, checked: needs_check });
        // One branch for both conditions.
        if needs_check | self.checks.reached.is_any() {
            self.check_ply(needs_check, place);
        }
    }

    /// Adds the ply just played, `None` for a null move, to the line.
    #[inline]
    fn keep_played(&mut self, played: Option<Move>) {
        self.reading.played.push(played);
        self.reading.plies += 1;
        if self.reading.played.len() > MAX_PLIES {
            self.findings.give_up(MAX_PLIES, "plies");
            self.reading.line.stop = Some(Stop { finding: None, plies_after: 0 });
        }
    }

    /// Checks the spelling of the ply just played if necessary, and the position after it.
    #[cold]
    fn check_ply(&mut self, needs_check: bool, place: Span) {
        if needs_check {
            self.check_last_ply();
        }
        self.check_reached_position(place);
    }

    /// Whether a rule has to be asked about the move just played: its spelling is not canonical, or
    /// the move wakes a rule.
    #[inline]
    pub(super) fn needs_check(&self, written: &WrittenSan, resolved: &Resolved) -> bool {
        let gives_check = self.reading.checkers.any();
        let mark = match written.mark {
            CheckMark::None => gives_check && self.checks.look_for(Sign::UnmarkedCheck),
            CheckMark::Check => !gives_check,
            CheckMark::Double => true,
            CheckMark::Mate => !gives_check || has_legal_move(&self.reading.position),
        };
        let captures = resolved.played.is_capture();
        let capture = written.capture != captures && (written.capture || self.checks.look_for(Sign::UnmarkedCapture));
        let hints = || match written.what {
            WrittenMove::Normal { file, rank, .. } => !resolved.disambiguation_is_canonical(file, rank),
            _ => false,
        };
        let waking = self.checks.rules.waking();
        mark || capture
            || written.quirks != Quirks::NONE
            || (waking.looks_for(Sign::Disambiguation) && hints())
            || (waking.has_moves() && waking.by_move(&resolved.played))
    }

    /// The position before the last ply of the line.
    pub(super) fn before_last(&mut self) -> Chess {
        let passed_in_check = self.reading.line.last.is_some_and(|last| last.resolved.is_none()) && self.reading.checkers.any();
        if passed_in_check || self.reading.played.is_empty() {
            return self.reading.position.clone();
        }
        self.reading.position_after(self.reading.played.len() - 1)
    }

    /// Runs the rules on the last ply.
    #[cold]
    pub(super) fn check_last_ply(&mut self) {
        let before = self.before_last();
        let Some(last) = &mut self.reading.line.last else { return };
        last.checked = true;
        let facts = PlyFacts {
            text: self.text,
            place: last.place,
            written: &last.written,
            before: &before,
            after: &self.reading.position,
            resolved: last.resolved,
            in_variation: !self.reading.frames.is_empty(),
        };
        let place = last.place;
        let since = self.findings.len();
        self.checks.rules.ply(&facts, self.findings);
        self.locate(since, place, Some(&before));
    }

    /// Fills in the ply that the findings since `since` are about.
    pub(super) fn locate(&mut self, since: usize, place: Span, before: Option<&Chess>) {
        if self.findings.len() == since {
            return;
        }
        let variation = self.variation();
        let fen = match &self.reading.variant {
            Some(game) => game.fen(),
            None => fen_of(before.unwrap_or(&self.reading.position)),
        };
        for finding in self.findings.since(since) {
            finding.ply = Some(self.reading.line.ply);
            finding.variation.clone_from(&variation);
            finding.move_text = shown(place.of(self.text));
            if finding.fen.is_empty() {
                finding.fen.clone_from(&fen);
            }
        }
    }

    /// The plies at which the current variation branches off, as `12.15`.
    pub(super) fn variation(&self) -> String {
        let plies: Vec<String> = self.reading.frames.iter().map(|frame| frame.line.ply.to_string()).collect();
        plies.join(".")
    }

    /// Handles a move that is not legal as written.
    #[cold]
    pub(super) fn unresolved(&mut self, mut written: WrittenSan, place: Span) {
        if written.what == WrittenMove::Null {
            self.null_move(written, place);
            return;
        }
        if let Some(resolved) = castling_by_king(&self.reading.position, &written) {
            written.quirks = written.quirks.with(Quirks::CASTLING_LETTERS);
            written.capture = false;
            self.play_noncanonical(written, resolved, place);
            return;
        }
        // `bxc3` where only a bishop can capture. If a bishop captures nothing, it was not meant.
        let token: Vec<u8> = place.of(self.text).iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        if let [b'b', rest @ ..] = token.as_slice() {
            let bishop = WrittenSan::read(&[b"B", rest].concat());
            if let Some((bishop, resolved)) =
                bishop.and_then(|bishop| Some((bishop, resolve(&self.reading.position, self.reading.checkers, &bishop)?)))
                && (resolved.played.is_capture() || !bishop.capture)
            {
                written = bishop;
                written.quirks = written.quirks.with(Quirks::LOWERCASE_PIECE);
                self.play_noncanonical(written, resolved, place);
                return;
            }
        }
        if self.reading.line.damage.is_none()
            && (self.starts_from_misspelled_fen()
                || self.starts_from_standard_position()
                || self.signals_result(&written, place)
                || self.read_in_other_notation(false))
        {
            return;
        }
        if let Some(goes_on) = self.goes_on().filter(|_| self.replays_after_replaced(place)) {
            self.play_on(goes_on, written, place);
            return;
        }
        if let Some(cut) = self.glued_moves(place) {
            self.reading.line.ply -= 1;
            self.play_glued(place, cut);
            return;
        }
        let history = History { start: &self.reading.start, line: &self.reading.played };
        let reason: IllegalMove = explain_illegal_move(&self.reading.position, &written, history);
        let damage = self.reading.line.damage;
        let finding = if let Some(damage) = damage {
            // One cause, one finding: the token before could not be read.
            let consequence = format!("; {} then fails: {reason}", shown(place.of(self.text)));
            let is_proved = self.breaks_main_line();
            if let Some(finding) = self.findings.get(damage) {
                finding.message.push_str(&consequence);
                if is_proved {
                    finding.severity = Severity::Error;
                }
            }
            Some(damage)
        } else {
            let since = self.findings.len();
            let facts = Unplayable {
                text: self.text,
                place,
                written: &written,
                before: &self.reading.position,
                reason: &reason,
                history,
                in_variation: !self.reading.frames.is_empty(),
                goes_on: None,
            };
            self.checks.rules.unplayable(&facts, self.findings);
            self.locate(since, place, None);
            self.fold_doubts(since);
            self.findings.first_since(since)
        };
        if let IllegalMove::EnPassantSquareMissing { to } = reason
            && !self.in_variation()
            && let Some(start) = with_en_passant_square(&self.reading.position, to)
            && let Some(resolved) = resolve(&start, start.checkers(), &written)
        {
            // The game is played on from the position that the FEN should have given.
            if let Some(finding) = finding.and_then(|id| self.findings.get(id)) {
                finding.expected = Fen::from_position(&start, EnPassantMode::Always).to_string();
            }
            self.reading.start = start.clone();
            self.reading.position = start;
            self.play_noncanonical(written, resolved, place);
            return;
        }
        self.reading.line.stop = Some(Stop { finding, plies_after: 0 });
        self.reading.plies_not_replayed += 1;
    }

    /// Whether the move at `place` begins a variation that can be played to its end after the move
    /// that it should replace.
    fn replays_after_replaced(&self, place: Span) -> bool {
        let Some(frame) = self.reading.frames.last() else { return false };
        let is_first = self.reading.too_deep == 0 && self.reading.played.len() == frame.played && !self.reading.line.goes_on;
        let has_replaced = matches!(frame.replaced, Some(Some(_))) && frame.line.stop.is_none();
        let extent = || self.extent_from(self.text, place.start, &frame.position, MAX_VARIATION);
        is_first && has_replaced && self.reading.line.damage.is_none() && {
            let extent = extent();
            extent.closed && extent.plies > 0
        }
    }

    /// Reports a variation that goes on after the move that it should replace, and plays its first
    /// move there.
    fn play_on(&mut self, goes_on: GoesOn, written: WrittenSan, place: Span) {
        let history = History { start: &self.reading.start, line: &self.reading.played };
        let reason = explain_illegal_move(&self.reading.position, &written, history);
        let facts = Unplayable {
            text: self.text,
            place,
            written: &written,
            before: &self.reading.position,
            reason: &reason,
            history,
            in_variation: true,
            goes_on: Some(goes_on),
        };
        let since = self.findings.len();
        self.checks.rules.unplayable(&facts, self.findings);
        self.locate(since, place, None);
        self.branch_later();
        self.reading.line.ply += 1;
        match resolve(&self.reading.position, self.reading.checkers, &written) {
            Some(resolved) => {
                let fen = fen_of(&self.reading.position);
                for finding in self.findings.since(since) {
                    finding.written(Arrow::of(resolved.played)).fen(fen.as_str());
                }
                self.play_noncanonical(written, resolved, place);
            }
            None => self.reading.line.stop = Some(Stop { finding: None, plies_after: 0 }),
        }
    }

    /// Whether a move that cannot be played here is an error: it is in the main line, and the
    /// position is certain.
    pub(super) fn breaks_main_line(&self) -> bool {
        !self.in_variation() && self.reading.line.passed.is_none()
    }

    /// Merges doubts about the plies right before an illegal move into the finding since `since`
    /// about that move: a wrong number, a false mark. All of them show that the moves do not belong
    /// to the position reached. A number from which on all numbers are wrong may be ten plies
    /// before it.
    pub(super) fn fold_doubts(&mut self, since: usize) {
        if self.findings.len() == since {
            return;
        }
        let variation = self.variation();
        let ply = self.reading.line.ply;
        let lasting = (self.reading.line.numbering != self.reading.numbering).then_some(self.reading.line.wrong_number).flatten();
        let mut doubts = Vec::new();
        let recent = self.findings_before.max(since.saturating_sub(MAX_DOUBTS));
        for (id, doubt) in self.findings.between(recent, since) {
            let distance = |most| doubt.ply.is_some_and(|at| at + most >= ply);
            let is_close = match doubt.rule.code {
                WRONG_NUMBER | WRONG_SIDE_DOTS => distance(1) || (lasting == Some(id) && distance(10)),
                FALSE_CHECK | FALSE_MATE | FALSE_CAPTURE => distance(2),
                _ => false,
            };
            if is_close && doubt.variation == variation && !doubt.merged {
                doubt.merged = true;
                let at = if doubt.move_text.is_empty() { String::new() } else { format!("at {}, ", doubt.move_text) };
                doubts.push((doubt.rule.code, format!("; {at}{}", doubt.message)));
            }
        }
        if let Some(finding) = self.findings.since(since).first_mut() {
            for (code, message) in doubts {
                finding.cause.get_or_insert(code);
                finding.message.push_str(&message);
            }
        }
    }

    /// Withdraws what was said of marks and disambiguation between a place where plies are missing
    /// and the move that cannot be played because of that: the position was another one. In a
    /// variation with words that are not PGN, no repair is certain.
    pub(super) fn doubt_after_damage(&mut self) {
        let Line { damage, wrong_number, numbering, stop, .. } = self.reading.line;
        let lasting = wrong_number.filter(|_| numbering != self.reading.numbering);
        let Some(from) = damage.or(lasting) else { return };
        let (is_stopped, is_prose) = (stop.is_some_and(|stop| stop.finding.is_some()), damage.is_some() && self.in_variation());
        let variation = self.variation();
        for finding in self.findings.after(from).iter_mut().filter(|finding| finding.variation == variation) {
            if is_stopped && MARKS.contains(&finding.rule.code) && finding.severity == Severity::Info {
                finding.merged = true;
            } else if is_prose {
                finding.doubt();
            }
        }
    }

    /// Plays a move whose spelling is not canonical.
    pub(super) fn play_noncanonical(&mut self, written: WrittenSan, resolved: Resolved, place: Span) {
        self.reading.position.play_unchecked(resolved.played);
        self.reading.checkers = checkers_after(&self.reading.position, resolved.played);
        self.keep_played(Some(resolved.played));
        self.reading.line.last = Some(LastPly { written, resolved: Some(resolved), place, checked: true });
        self.check_ply(true, place);
    }

    /// Plays a null move.
    pub(super) fn null_move(&mut self, written: WrittenSan, place: Span) {
        let passed = if self.reading.checkers.is_empty() { pass_turn(&self.reading.position) } else { None };
        let can_pass = passed.is_some();
        if let Some(passed) = passed {
            self.reading.position = passed;
            self.reading.checkers = self.reading.position.checkers();
            self.keep_played(None);
            self.reading.line.passed.get_or_insert(self.reading.line.ply);
        }
        self.reading.line.last = Some(LastPly { written, resolved: None, place, checked: true });
        let since = self.findings.len();
        self.check_last_ply();
        if !can_pass {
            self.reading.line.stop = Some(Stop { finding: self.findings.first_since(since), plies_after: 0 });
            self.reading.plies_not_replayed += 1;
        }
    }
}
