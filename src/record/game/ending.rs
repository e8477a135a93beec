//! The end of a game, and the text after it up to the next game.

use shakmaty::{Chess, Outcome};

use super::{checks::GameChecks, outcome::GameOutcome, replay::GameReplay};
use crate::{
    chess::fen_of,
    oracle::{Inquiry, OracleCounts},
    pgn::{
        KnownTag, Marker, MarkerKind, TagSection, Token, begins_line, follows_blank_line, line_end, marker_of_token, opens_event,
        read_bare_tag, read_tag, with_bom,
    },
    record::{Consequences, PositionEvidence},
    rules::{
        Code, Family, Finding, Findings,
        facts::{AskedGame, Ending, HouseFacts, SyntaxFaultKind},
    },
    text::Span,
};

/// The movetext has no termination marker.
const MISSING_MARKER: Code = code!("RES01");

/// What tags say of the end of the game: the result and the number of plies.
const ABOUT_THE_END: [Code; 2] = [code!("RES04"), code!("TAG17")];

/// Maximum number of bytes searched for the closing parenthesis after a marker in a variation.
const BRACKET_LOOKAHEAD: usize = 1 << 16;

/// What a token after the end of a game belongs to.
enum Follows {
    /// The next record, which begins here, or the end of the text.
    Record(usize),
    /// Nothing that is reported: a comment, or the rest of a line of stray text.
    Nothing,
    /// A next line of stray text.
    Line,
    /// Anything else.
    Text,
}

/// Whether no blank line is between the end of a line and `at`.
fn is_next_line(text: &[u8], line_end: usize, at: usize) -> bool {
    memchr::memchr_iter(b'\n', text.get(line_end..at).unwrap_or_default()).nth(1).is_none()
}

/// Asks the oracles about what a game claims. Returns how often they were asked.
#[cold]
fn ask_about(ending: &Ending<'_>, checks: &GameChecks, findings: &mut Findings) -> OracleCounts {
    let inquiry = Inquiry::of(&checks.oracles);
    checks.rules.asked_game(&AskedGame { ending, inquiry: &inquiry, every_position: checks.reached.is_any() }, findings);
    findings.end_inquiry(inquiry)
}

impl GameReplay<'_, '_> {
    /// Whether the marker just read ends the game. It does not if it is in a variation that is
    /// closed later.
    pub(super) fn ends_game(&mut self) -> bool {
        if !self.in_variation() {
            return true;
        }
        !self.is_closed_later()
    }

    /// The marker just read with the text after it, if the Result tag has the same text: `1-0 ff`.
    /// The lexer then spans it.
    pub(super) fn marker_of_result_tag(&mut self, outcome: Outcome) -> Option<Marker> {
        let value = self.opening.result?.of(self.text);
        let end = self.lexer.start + value.len();
        let goes_on = end > self.lexer.at && self.text.get(self.lexer.at) == Some(&b' ');
        let is_same = goes_on
            && self.text.get(self.lexer.start..end) == Some(value)
            && self.text.get(end).is_none_or(u8::is_ascii_whitespace);
        is_same.then(|| {
            self.lexer.at = end;
            Marker { place: self.place(), kind: MarkerKind::Misspelled(outcome) }
        })
    }

    /// Whether the innermost variation that is open is closed before the next header.
    fn is_closed_later(&mut self) -> bool {
        let mut ahead = self.ahead();
        let mut depth = 0usize;
        loop {
            match ahead.next() {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return true,
                Token::Close => depth -= 1,
                Token::End => {
                    self.lexer.touched_end = true;
                    return false;
                }
                Token::TagPair | Token::UnclosedComment => return false,
                _ => {}
            }
            if ahead.at > self.lexer.at + BRACKET_LOOKAHEAD {
                return false;
            }
        }
    }

    /// Whether the game continues after the marker just read, up to another marker.
    #[inline]
    pub(super) fn continues_after_marker(&self) -> bool {
        let blanks = self.text[self.lexer.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match self.text.get(self.lexer.at + blanks) {
            None | Some(b'[') => false,
            Some(_) => self.plays_after_marker(),
        }
    }

    #[cold]
    fn plays_after_marker(&self) -> bool {
        if self.reading.line.stop.is_some() || !self.fits(self.lexer.at) {
            return false;
        }
        let extent = self.extent_from(self.text, self.lexer.at, &self.reading.position, 1000);
        extent.plies >= 2 && extent.marker
    }

    /// Skips tag pairs in the middle of the movetext if the game continues after them: a single tag
    /// pair, or a repetition of the header of the game.
    #[cold]
    pub(super) fn tags_inside(&mut self, tags: &TagSection<'_>) -> bool {
        let open = self.lexer.at;
        let header = tags.place.of(self.text);
        let mut at = open;
        if self.text[open..].starts_with(header) && !header.is_empty() {
            at = open + header.len();
        } else if !opens_event(self.text, open) {
            let apart = begins_line(self.text, open) && follows_blank_line(self.text, open);
            while self.text[at..].trim_ascii_start().starts_with(b"[") {
                let start = self.text.len() - self.text[at..].trim_ascii_start().len();
                let read = read_tag(self.text, start);
                if read.pair.is_none() || read.end <= at {
                    return false;
                }
                at = read.end;
            }
            // After a blank line, only the expected number shows that the game continues.
            let number = self.text[at..].trim_ascii_start();
            if apart && (number.starts_with(b"1.") || !number.first().is_some_and(u8::is_ascii_digit)) {
                return false;
            }
        }
        if at == open || self.reading.line.stop.is_some() || !self.fits(at) {
            return false;
        }
        self.lexer.start = open;
        self.lexer.at = at;
        self.fault(SyntaxFaultKind::TagsInside, Span::new(open, at));
        true
    }

    fn check_tags(&mut self, tags: &TagSection<'_>) {
        if !self.cut_in_tags {
            self.checks.rules.tags(tags, self.findings);
            if !self.checks.house.is_empty() {
                self.checks.rules.house(&HouseFacts { tags, rules: &self.checks.house }, self.findings);
            }
        }
    }

    /// Runs the checks that need the whole game. Without a marker, `next` is the start of the next
    /// record.
    pub(super) fn end_game(
        &mut self,
        tags: &TagSection<'_>,
        marker: Option<Marker>,
        next: usize,
        evidence: PositionEvidence,
        complete: bool,
    ) -> GameOutcome {
        self.end_line();
        let is_unclosed = self.leave_variations(marker);
        let has_begun = self.reading.has_begun || marker.is_some();
        let is_game = has_begun || self.has_tags;
        let (next, moves_after) = match marker {
            Some(marker) => {
                self.reading.last_token = marker.place;
                self.after_marker()
            }
            None => (next, 0),
        };
        let end = marker.map_or(next, |marker| marker.place.end);
        let at_input_end = next == self.text.len() && complete;
        if marker.is_none() && at_input_end {
            self.note_cut_token();
        }
        let oracles = if is_game { self.check_ending(tags, marker, is_unclosed) } else { OracleCounts::default() };
        if moves_after > 1 {
            // Not the tags are wrong then, but where the game ends.
            let about_end = |finding: &&mut Finding| ABOUT_THE_END.contains(&finding.rule.code);
            self.findings.since(self.findings_before).iter_mut().filter(about_end).for_each(|finding| finding.merged = true);
        }
        let is_known = |name: &Span| KnownTag::named(name.of(self.text)).is_some();
        GameOutcome {
            movetext: self.movetext_at,
            next,
            end,
            is_game,
            is_other_game: false,
            has_tags: !tags.pairs.is_empty() || tags.names.iter().any(is_known),
            marker: marker.map(|marker| marker.kind),
            main_line: self.reading.line.ply,
            plies: self.reading.plies,
            plies_not_examined: self.reading.plies_not_replayed,
            is_unsupported: self.opening.is_unknown_variant,
            touched_end: false,
            evidence,
            oracles,
            consequences: Consequences::default(),
        }
    }

    /// Leaves the variations that are still open, and reports the outermost one. Returns whether
    /// there was one.
    fn leave_variations(&mut self, marker: Option<Marker>) -> bool {
        let mut unclosed = None;
        let mut count = 0;
        while let Some(open) = self.leave_variation() {
            unclosed = Some(open);
            count += 1;
        }
        let Some((open, since)) = unclosed else { return false };
        // The end of the variation is not known, so findings about later moves and numbers are
        // unreliable.
        let mut is_doubtful = false;
        for finding in self.findings.since(since) {
            if matches!(finding.rule.code.family(), Family::Mov | Family::Num) {
                finding.merged = true;
                is_doubtful = true;
            }
        }
        let game_end = marker.map_or(self.reading.last_token.end, |marker| marker.place.end);
        let end = self
            .variation_end(open, count, Span::new(open + 1, game_end))
            .or_else(|| {
                let marker = marker.filter(|_| !is_doubtful)?;
                self.after_last_token(Span::new(open + 1, marker.place.start))
            })
            .filter(|_| self.reading.too_deep == 0);
        let end = end.map(|end| (end, count));
        self.fault(SyntaxFaultKind::UnclosedVariation { end }, Span::new(open, open + 1));
        true
    }

    /// Reports the last token of the input if it is incomplete: it is not PGN, and no line break
    /// follows it.
    fn note_cut_token(&mut self) {
        if let Some(unknown) = self.reading.unknown.and_then(|id| self.findings.get(id))
            && unknown.place.end == self.text.len()
        {
            let place = unknown.place;
            unknown.merged = true;
            self.fault(SyntaxFaultKind::Truncated, place);
        }
    }

    /// Runs the rules about tags and about the end of a game, and asks the oracles. `is_unclosed`
    /// says that a variation does not end.
    fn check_ending(&mut self, tags: &TagSection<'_>, marker: Option<Marker>, is_unclosed: bool) -> OracleCounts {
        self.check_tags(tags);
        let replayed = self.reading.line.stop.is_none() && self.reading.line.damage.is_none() && !is_unclosed;
        let sound = self.reading.line.damage.is_none() && !is_unclosed && self.reading.line.ply > 0;
        let variant_end = self.reading.variant.as_ref().filter(|_| sound).and_then(|game| game.end());
        let checks = self.checks;
        let from_start = replayed && self.reading.start == Chess::default();
        let opening =
            checks.eco.as_ref().filter(|_| from_start).and_then(|book| book.classify(&self.reading.start, &self.reading.played));
        self.current_position(tags, replayed);
        if self.reading.annotations.clocks().count > 0 {
            self.control();
        }
        let ending = Ending {
            text: self.text,
            tags,
            marker,
            last: self.reading.last_token,
            plies: self.reading.line.ply,
            position: replayed.then_some(&self.reading.position),
            opening,
            variant: variant_end.as_ref().map(|(end, _)| *end),
            notation: self.reading.notation,
            last_move: self
                .reading
                .line
                .last
                .map_or("", |last| std::str::from_utf8(last.place.of(self.text)).unwrap_or_default()),
            start: &self.reading.start,
            line: &self.reading.played,
            comment: self.reading.annotations.comment_after(self.reading.line.ply),
            clocks: self.reading.annotations.clocks(),
            control: self.reading.annotations.known_control(),
            annotations: self.reading.annotations.of_game(),
        };
        let since = self.findings.len();
        self.checks.rules.ending(&ending, self.findings);
        let asks = !self.checks.oracles.is_empty() && replayed && variant_end.is_none() && self.reading.variant.is_none();
        let oracles = if asks { ask_about(&ending, checks, self.findings) } else { OracleCounts::default() };
        if marker.is_none() && self.ends_with_misspelled_marker() {
            let missing = self.findings.since(since).iter_mut().filter(|finding| finding.rule.code == MISSING_MARKER);
            missing.for_each(|finding| finding.merged = true);
        }
        if let Some((_, fen)) = &variant_end {
            for finding in self.findings.since(since) {
                finding.fen.clone_from(fen);
            }
        }
        if self.findings.len() > since && replayed && self.reading.line.ply > 0 {
            let fen = fen_of(&self.reading.position);
            for finding in self.findings.since(since) {
                finding.ply.get_or_insert(self.reading.line.ply);
                if finding.fen.is_empty() {
                    finding.fen.clone_from(&fen);
                }
            }
        }
        oracles
    }

    /// Whether the last token is unknown and probably was a termination marker, as in `1` or `1--`.
    fn ends_with_misspelled_marker(&mut self) -> bool {
        let Some(unknown) = self.reading.unknown.and_then(|id| self.findings.get(id)) else { return false };
        let token = unknown.place.of(self.text);
        unknown.place.end == self.reading.last_token.end
            && token.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'/' | b':' | b'.' | b','))
    }

    /// Reads the text after a termination marker. Returns the start of the next record, and the
    /// number of moves before it.
    pub(super) fn after_marker(&mut self) -> (usize, u32) {
        // The text that follows is not part of the movetext.
        self.reading.outside_movetext = true;
        let mut stray_line = 0;
        let mut stray: Option<Span> = None;
        let mut extra: Option<(Span, bool, u32)> = None;
        let mut moves = 0;
        // Variations that are open. If the end of one is not found, no other one is looked for.
        let (mut depth, mut has_ends) = (0usize, true);
        let next = loop {
            let token = self.lexer.next();
            let place = self.place();
            match self.what_follows(token, depth, stray.map(|_| stray_line)) {
                Follows::Record(next) => break next,
                Follows::Nothing => continue,
                Follows::Line => {
                    stray_line = line_end(self.text, place.start);
                    continue;
                }
                Follows::Text => {}
            }
            let word = || {
                let token = self.lexer.token();
                self.read_move(token).is_some() || marker_of_token(token).is_some()
            };
            let marker = matches!(token, Token::Marker(_));
            let counts = marker || (token == Token::Word && word());
            let is_in_variation = depth > 0;
            match token {
                Token::Close => depth = depth.saturating_sub(1),
                Token::Open if has_ends && self.movetext_follows() => {
                    has_ends = is_in_variation || self.is_closed_later();
                    depth += usize::from(has_ends);
                }
                _ => {}
            }
            let movetext = match token {
                Token::Word => counts,
                Token::Number { dots, .. } => dots > 0,
                Token::Close if is_in_variation => true,
                Token::Open | Token::Close => self.movetext_follows(),
                _ => true,
            };
            if movetext {
                let (_, _, tokens) = extra.get_or_insert((place, marker, 0));
                *tokens += u32::from(counts);
                moves += u32::from(counts && marker_of_token(self.lexer.token()).is_none());
            } else {
                stray_line = line_end(self.text, place.start);
                let line = place.start + self.text[place.start..stray_line].trim_ascii_end().len();
                stray.get_or_insert(Span::new(place.start, line));
            }
        };
        if let Some((place, marker, tokens)) = extra {
            self.fault(SyntaxFaultKind::AfterMarker { marker, tokens }, place);
        }
        if let Some(place) = stray {
            self.fault(SyntaxFaultKind::StrayText, place);
        }
        (next, moves)
    }

    /// What the token that was just read belongs to, after the end of a game and `depth` beginnings
    /// of variations. `stray_to` is the end of the last line of stray text, if there was one.
    fn what_follows(&mut self, token: Token, depth: usize, stray_to: Option<usize>) -> Follows {
        let place = self.place();
        match token {
            Token::TagPair => {
                if !begins_line(self.text, self.lexer.at) {
                    self.fault(SyntaxFaultKind::LostLineBreak, Span::new(self.lexer.at, self.lexer.at + 1));
                }
                Follows::Record(with_bom(self.text, self.lexer.at))
            }
            Token::Word if begins_line(self.text, place.start) && read_bare_tag(self.text, place.start).is_some() => {
                Follows::Record(place.start)
            }
            Token::End => Follows::Record(self.text.len()),
            Token::Word | Token::Number { .. } if depth == 0 && self.begins_labelled_game() => Follows::Record(place.start),
            Token::Word if depth == 0 && self.begins_line_of_game() => Follows::Record(place.start),
            Token::Word if self.is_comment_of_list(place.start) => {
                self.lexer.at = line_end(self.text, place.start);
                Follows::Nothing
            }
            Token::Comment => Follows::Nothing,
            Token::UnclosedComment => {
                self.unclosed_comment();
                Follows::Nothing
            }
            _ if stray_to.is_some_and(|end| place.start < end) => Follows::Nothing,
            Token::Number { value: Some(1), .. } if depth == 0 && self.begins_game() => Follows::Record(place.start),
            // A line of prose that begins with a move or number.
            _ if stray_to.is_some_and(|end| is_next_line(self.text, end, place.start)) => Follows::Line,
            _ => Follows::Text,
        }
    }

    /// Whether a move or a number follows: then the parenthesis before it opens a variation.
    pub(super) fn movetext_follows(&self) -> bool {
        let mut ahead = self.ahead();
        match ahead.next() {
            Token::Word => self.read_move(ahead.token()).is_some(),
            Token::Number { dots, .. } => dots > 0,
            _ => false,
        }
    }

    /// Whether the number 1 just read begins the movetext of another game.
    pub(super) fn begins_game(&self) -> bool {
        let mut ahead = self.ahead();
        loop {
            match ahead.next() {
                Token::Comment => {}
                Token::Word => return self.read_move(ahead.token()).is_some(),
                _ => return false,
            }
        }
    }
}
