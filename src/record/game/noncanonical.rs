//! Tokens that are not canonical moves: split, without a space, misspelled, unknown.

use memchr::memchr2;
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position};

use super::{reinterpretation::replay_extent, replay::GameReplay};
use crate::{
    chess::{Arrow, Notation, Quirks, WrittenMove, WrittenSan, fen_of, resolve},
    pgn::{Marker, MarkerKind, Token, begins_line, line_end, marker_of_token, nearby_line_end, standard_marker},
    rules::{
        Certainty, Finding, FindingId, MAX_SHOWN, Patch,
        facts::{BraceFault, SyntaxFault, SyntaxFaultKind},
        mov::foreign_letters,
        patches::without_token,
        shown,
        syn::unknown_token,
    },
    text::Span,
};

/// What programs write in place of a missing number.
const PLACEHOLDERS: [&[u8]; 4] = [b"NaN", b"undefined", b"null", b"None"];

/// Maximum number of parts of a split token.
const MAX_PARTS: usize = 9;

/// Maximum length of such a part.
const MAX_PART: usize = 7;

/// Maximum amount of whitespace between two parts.
const MAX_GAP: usize = 256;

/// Maximum length of a move in canonical spelling: `Qa1xb2+!?`.
const MAX_MOVE: usize = 9;

/// Maximum length of a result in words, with the whitespace after it.
const MAX_RESULT: usize = 256;

/// Maximum length of a word whose meaning is looked for: more than a long game without spaces.
const MAX_WORD: usize = 16 * 1024;

impl GameReplay<'_, '_> {
    /// Reads a word that is not a move in canonical spelling, or that may continue after a space.
    #[cold]
    pub(super) fn noncanonical_word(&mut self) {
        let place = self.place();
        let token = self.lexer.token();
        if self.opening.is_unknown_variant {
            self.reading.may_be_marker = marker_of_token(token).is_some();
            return;
        }
        if token.len() > MAX_WORD {
            if !self.html(place) {
                self.unknown_token();
            }
            return;
        }
        if nag_of_sign(token).is_some_and(|nag| self.evaluation_sign(nag, place)) {
            return;
        }
        if self.reading.notation.is_none() && self.part_glued_tokens(place) {
            return;
        }
        if let Some(notation) = self.reading.notation
            && notation.is_foreign(token)
            && let Some(written) = notation.read(token)
        {
            self.foreign_move(notation, written, place);
            return;
        }
        if self.promotion_in_parentheses(token)
            || self.result_in_words(place)
            || self.mail_header(place)
            || self.html(place)
            || self.number_placeholder(place)
        {
            return;
        }
        if token.first() == Some(&b'[') && token.ends_with(b"}") {
            self.fault(SyntaxFaultKind::Brace(BraceFault::MeantOpeningBrace), Span::new(place.start, place.start + 1));
            return;
        }
        // `1/2 - 1/2` is one marker, not two.
        if token.first().is_some_and(u8::is_ascii_digit) && marker_of_token(token).is_some() && self.join_marker() {
            return;
        }
        let written = WrittenSan::read(token);
        if let Some(written) = written {
            if let Some((joined, written, end, split)) = self.with_suffix(place, written) {
                self.lexer.at = end;
                if split {
                    self.split_token(joined, Some(&written));
                }
                self.ply(written, self.place());
                return;
            }
            // `0-0` may be a double forfeit, or castling; only the board can tell.
            let castles = !matches!(written.what, WrittenMove::Castle(_)) || token != b"0-0" || !self.closes_game();
            if castles
                || (self.reading.line.stop.is_none()
                    && resolve(&self.reading.position, self.reading.checkers, &written).is_some())
            {
                self.ply(written, place);
                return;
            }
        }
        if token == b"0-0" || marker_of_token(token).is_some() {
            self.reading.may_be_marker = true;
            return;
        }
        if let Some((joined, written, end)) = self.join_move(place) {
            self.lexer.at = end;
            self.split_token(joined, Some(&written));
            self.ply(written, self.place());
            return;
        }
        if self.join_marker() {
            return;
        }
        self.unknown_token();
    }

    /// Reports a sign such as `+-`, which stands for a NAG. Returns whether it is one: at the end
    /// of a game, it may be a result.
    fn evaluation_sign(&mut self, nag: u8, place: Span) -> bool {
        if !self.closes_game() {
            let since = self.findings.len();
            self.fault(SyntaxFaultKind::EvaluationSign { nag }, place);
            // A NAG needs a move before it.
            if self.reading.line.has_begun || self.in_variation() {
                for finding in self.findings.since(since) {
                    finding.repair(Certainty::Likely, Patch::replace(self.text, place, format!("${nag}")));
                }
            }
            return true;
        }
        // At the end, a decisive advantage is a result.
        let is_result = matches!(nag, 18 | 19) && !self.in_variation();
        if is_result {
            let winner = if nag == 18 { Color::White } else { Color::Black };
            self.reading.marker_meant = Some(MarkerKind::Misspelled(Outcome::Known(KnownOutcome::Decisive { winner })));
            self.reading.may_be_marker = true;
        }
        is_result
    }

    /// Plays a move such as `b8(Q)`: the parenthesis does not open a variation. Returns whether
    /// there is one.
    fn promotion_in_parentheses(&mut self, token: &[u8]) -> bool {
        let Some(rest @ [b'(', b'A'..=b'Z', b')', ..]) = self.text.get(self.lexer.at..) else { return false };
        let whole = [token, &rest[..3]].concat();
        let written = WrittenSan::lenient(&whole).filter(|written| written.quirks.has(Quirks::PROMOTION_FORM));
        let Some(written) = written else { return false };
        self.lexer.at += 3;
        let marks = self.text[self.lexer.at..].iter().take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?')).count();
        self.lexer.at += marks;
        self.ply(WrittenSan::read(self.lexer.token()).unwrap_or(written), self.place());
        true
    }

    /// Parts a move from the number or marker that follows it without a space, as in `d62.` and
    /// `Bd70-1`, and plays the move. Reported once per game.
    fn part_glued_tokens(&mut self, place: Span) -> bool {
        let token = place.of(self.text);
        let is_live = self.reading.line.stop.is_none();
        let plays = |written: &WrittenSan| !is_live || resolve(&self.reading.position, self.reading.checkers, written).is_some();
        let parted = (2..token.len().min(MAX_MOVE + 1)).rev().find_map(|cut| {
            let (head, tail) = token.split_at(cut);
            let digits = tail.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_number = digits > 0 && digits < tail.len() && tail[digits..].iter().all(|byte| *byte == b'.');
            let fits = is_number || matches!(tail, b"1-0" | b"0-1" | b"1/2-1/2");
            let written = WrittenSan::canonical(head).filter(|written| fits && plays(written))?;
            Some((cut, written))
        });
        let Some((cut, written)) = parted else { return false };
        if self.reading.glued.is_none() {
            let (head, tail) = token.split_at(cut);
            let parts = format!("{} {}", shown(head), shown(tail));
            let since = self.findings.len();
            self.fault(SyntaxFaultKind::GluedTokens { parts }, place);
            for finding in self.findings.since(since) {
                finding.ply = Some(self.reading.line.ply + 1);
            }
            self.draw_meant(since, &written);
            self.reading.glued = self.findings.first_since(since);
        }
        self.lexer.at = place.start + cut;
        let is_certain = self.is_surely_parted(&written);
        if let Some(finding) = self.reading.glued.and_then(|id| self.findings.get(id)) {
            let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
            finding.repair(certainty, Patch::insert(place.start + cut, *b" "));
        }
        self.ply(written, self.place());
        true
    }

    /// Whether the token at the lexer follows the legal move `written`: the next number and a legal
    /// move, or the marker that ends the game.
    fn is_surely_parted(&self, written: &WrittenSan) -> bool {
        let position = &self.reading.position;
        if self.reading.line.stop.is_some() || self.reading.line.damage.is_some() {
            return false;
        }
        let Some(resolved) = resolve(position, self.reading.checkers, written) else { return false };
        let mut after = position.clone();
        after.play_unchecked(resolved.played);
        let number = i64::from(after.fullmoves().get()) + self.reading.line.numbering;
        let mut ahead = self.ahead();
        match ahead.next() {
            Token::Number { value, dots } => {
                let side = if after.turn() == Color::White { dots == 1 } else { dots > 1 };
                value.map(i64::from) == Some(number)
                    && side
                    && (ahead.next() != Token::Word
                        || replay_extent(self.text, ahead.start, &after, None, 1, self.lookahead()).plies == 1)
            }
            Token::Marker(_) => matches!(ahead.next(), Token::End | Token::TagPair),
            _ => false,
        }
    }

    /// Reads a result in words where a termination marker is expected: `Black resigns`, `Draw
    /// agreed`, `=`.
    fn result_in_words(&mut self, place: Span) -> bool {
        let near = &self.text[place.start..self.text.len().min(place.start + MAX_RESULT)];
        let line = place.start + memchr2(b'\n', b'\r', near).unwrap_or(near.len());
        let words = self.text[place.start..line].trim_ascii_end();
        if words.len() > 40 || self.in_variation() {
            return false;
        }
        let said = String::from_utf8_lossy(words).to_ascii_lowercase();
        let said = said.trim_end_matches(['.', '!']);
        let begins = |phrases: &[&str]| phrases.iter().any(|phrase| said.starts_with(phrase));
        let won_by = |winner| KnownOutcome::Decisive { winner };
        let outcome = if matches!(said, "=" | "draw" | "remis")
            || begins(&["draw agreed", "draw by", "drawn", "agreed draw", "stalemate"])
        {
            KnownOutcome::Draw
        } else if begins(&["white wins", "white won", "black resign", "black lost", "black loses", "black forfeit"]) {
            won_by(Color::White)
        } else if begins(&["black wins", "black won", "white resign", "white lost", "white loses", "white forfeit"]) {
            won_by(Color::Black)
        } else if begins(&["resigns", "resigned"]) && self.reading.line.stop.is_none() {
            won_by(self.reading.position.turn().other())
        } else {
            return false;
        };
        let mut ahead = self.ahead_from(line);
        let closes = loop {
            match ahead.next() {
                Token::Comment => {}
                Token::TagPair | Token::End => break true,
                _ => break false,
            }
        };
        if closes {
            self.lexer.touched_end |= ahead.touched_end;
            self.lexer.at = place.start + words.len();
            self.reading.marker_meant = Some(MarkerKind::Misspelled(Outcome::Known(outcome)));
            self.reading.may_be_marker = true;
        }
        closes
    }

    /// Skips the lines of a mail header in the middle of the movetext.
    fn mail_header(&mut self, place: Span) -> bool {
        let is_header = |at: usize| {
            let name = self.text[at..].iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
            name >= 3 && self.text[at].is_ascii_uppercase() && self.text[at + name..].starts_with(b": ")
        };
        if !begins_line(self.text, place.start) || !is_header(place.start) {
            return false;
        }
        let mut end = place.start;
        let mut at = place.start;
        while at < self.text.len() && (is_header(at) || (at > place.start && matches!(self.text[at], b' ' | b'\t'))) {
            let line = line_end(self.text, at);
            end = at + self.text[at..line].trim_ascii_end().len();
            at = if self.text[line..].starts_with(b"\r\n") { line + 2 } else { line + 1 };
        }
        self.lexer.at = end;
        self.fault(SyntaxFaultKind::StrayText, Span::new(place.start, end));
        true
    }

    /// Skips an HTML tag, alone or after another token. The first one of a game is reported.
    fn html(&mut self, place: Span) -> bool {
        let token = place.of(self.text);
        let Some(open) = token.iter().position(|&byte| byte == b'<') else { return false };
        let open = place.start + open;
        let mark = &self.text[open..nearby_line_end(self.text, open)];
        let is_mark = matches!(mark, [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/', ..]);
        let Some(close) = memchr::memchr(b'>', mark).filter(|_| is_mark) else { return false };
        if open > place.start {
            // What comes before the tag is a token of its own.
            self.lexer.at = open;
            match self.lexer.token() {
                number if number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') => {}
                _ => self.word(),
            }
            return true;
        }
        self.lexer.at = open + close + 1;
        // Those right after it, too: each would have to be looked for in a word with all the
        // others.
        while let rest @ [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/', ..] = &self.text[self.lexer.at..]
            && let Some(close) = memchr::memchr(b'>', &rest[..nearby_line_end(rest, 0)])
        {
            self.lexer.at += close + 1;
        }
        let since = self.findings.len();
        if self.reading.html.is_none() {
            self.fault(SyntaxFaultKind::Html, self.place());
            self.reading.html = self.findings.first_since(since);
        }
        let patch = without_token(self.text, self.place());
        self.add_patch(self.reading.html, patch);
        true
    }

    /// Reads what a program wrote in place of a move number, as in `NaN. e4`. All of them in a game
    /// are one finding.
    fn number_placeholder(&mut self, place: Span) -> bool {
        let token = place.of(self.text);
        let word = PLACEHOLDERS.into_iter().find(|word| token.starts_with(word)).map_or(0, <[u8]>::len);
        let dots = token[word..].iter().take_while(|byte| **byte == b'.').count();
        if word == 0 || dots == 0 {
            return false;
        }
        self.lexer.at = place.start + word + dots;
        let place = self.place();
        let start = &self.reading.start;
        let plies = i64::from(self.reading.line.ply) + i64::from(start.turn() == Color::Black);
        let number = i64::from(start.fullmoves().get()) + plies / 2 + self.reading.line.numbering;
        let number = format!("{number}{}", if plies % 2 == 0 { "." } else { "..." });
        let since = self.findings.len();
        if self.reading.placeholder.is_none() {
            self.fault(SyntaxFaultKind::NumberPlaceholder { number: number.clone() }, place);
            for finding in self.findings.since(since) {
                finding.ply = Some(self.reading.line.ply + 1);
            }
            self.reading.placeholder = self.findings.first_since(since);
        }
        // Without a position in which the game begins, no number is known.
        let is_unknown = self.reading.variant.is_some() || self.reading.line.stop.is_some_and(|stop| stop.finding.is_none());
        if !is_unknown {
            self.add_patch(self.reading.placeholder, Patch::replace(self.text, place, number));
        } else if let Some(finding) = self.reading.placeholder.and_then(|id| self.findings.get(id)) {
            finding.repair = None;
        }
        self.reading.unknown = None;
        true
    }

    /// Adds a replacement to the likely repair of the finding.
    fn add_patch(&mut self, finding: Option<FindingId>, patch: Patch) {
        if let Some(finding) = finding.and_then(|id| self.findings.get(id)) {
            finding.repair(Certainty::Likely, patch);
        }
    }

    /// Plays a move in another notation. The notation is reported at its first legal move.
    fn foreign_move(&mut self, notation: Notation, written: WrittenSan, place: Span) {
        let resolved = resolve(&self.reading.position, self.reading.checkers, &written);
        let english = notation.english(place.of(self.text)).unwrap_or_default();
        if let Some(reported) = self.reading.notation_met {
            if let Some(finding) = reported.and_then(|id| self.findings.get(id))
                && finding.rule.code == foreign_letters::RULE.code
            {
                finding.repair(Certainty::Likely, Patch::replace(self.text, place, english));
            }
        } else if let Some(resolved) = resolved {
            let since = self.findings.len();
            self.fault(SyntaxFaultKind::ForeignNotation { name: notation.name(), english: shown(&english) }, place);
            self.reading.notation_met = Some(self.findings.first_since(since));
            self.locate(since, place, None);
            for finding in self.findings.since(since) {
                finding.ply = Some(self.reading.line.ply + 1);
                finding.written(Arrow::of(resolved.played));
                finding.repair(Certainty::Likely, Patch::replace(self.text, place, english.as_slice()));
            }
        }
        self.ply(written, place);
    }

    /// Whether nothing of the game follows the last token.
    pub(super) fn closes_game(&mut self) -> bool {
        let mut ahead = self.ahead();
        loop {
            match ahead.next() {
                Token::Comment | Token::Nag => {}
                Token::TagPair | Token::End => {
                    self.lexer.touched_end |= ahead.touched_end;
                    return true;
                }
                _ => return false,
            }
        }
    }

    /// Reports a token that is split; the lexer spans all its parts. `meant` is the move that they
    /// make up.
    pub(super) fn split_token(&mut self, joined: String, meant: Option<&WrittenSan>) {
        let place = self.place();
        let since = self.findings.len();
        let patch = Patch::replace(self.text, place, joined.as_bytes());
        self.fault(SyntaxFaultKind::SplitToken { joined }, place);
        let ply = self.reading.line.ply + 1;
        for finding in self.findings.since(since) {
            finding.ply(ply).repair(Certainty::Likely, patch.clone());
        }
        if let Some(meant) = meant {
            self.draw_meant(since, meant);
        }
    }

    /// Whether the token just read is the `$` of a NAG before a space, as in `$ 14`. If so, the
    /// lexer spans it.
    pub(super) fn split_nag(&mut self) -> bool {
        let Some(digits) = self.text[self.lexer.at..].strip_prefix(b" ").filter(|_| self.lexer.token() == b"$") else {
            return false;
        };
        let digits = &digits[..digits.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count()];
        let number: Option<u32> = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        let end = self.lexer.at + 1 + digits.len();
        let is_apart = self.text.get(end).is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b')');
        // It may be the number of the next move.
        let next = i64::from(self.reading.position.fullmoves().get()) + self.reading.line.numbering;
        if !is_apart || number.is_none_or(|number| number > 255 || i64::from(number) == next) {
            return false;
        }
        self.lexer.at = end;
        self.split_token(format!("${}", shown(digits)), None);
        true
    }

    /// Draws the move that was meant on the findings since `since`, in the position reached.
    fn draw_meant(&mut self, since: usize, meant: &WrittenSan) {
        if self.reading.line.stop.is_some() {
            return;
        }
        let position = &self.reading.position;
        let Some(resolved) = resolve(position, self.reading.checkers, meant) else { return };
        draw(self.findings.since(since), position, resolved.played);
    }

    /// The parts from `start` on that are separated only by whitespace.
    pub(super) fn parts(&self, start: usize) -> Vec<Span> {
        let ends_part = |byte: &u8| {
            byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*')
        };
        let mut parts = Vec::new();
        let mut at = start;
        while parts.len() < MAX_PARTS {
            at += self.text[at..].iter().take(MAX_GAP).take_while(|byte| byte.is_ascii_whitespace()).count();
            let part = self.text[at..].iter().take(MAX_PART + 1).take_while(|byte| !ends_part(byte)).count();
            if part == 0 || part > MAX_PART {
                break;
            }
            parts.push(Span::new(at, at + part));
            at += part;
        }
        parts
    }

    /// A move with marks, a promotion or `e.p.` after a space. The last value says whether that is
    /// a fault: `e.p.` often has a space before it.
    pub(super) fn with_suffix(&self, place: Span, alone: WrittenSan) -> Option<(String, WrittenSan, usize, bool)> {
        let parts = self.parts(place.start);
        let mut joined = parts.first()?.of(self.text).to_vec();
        let mut best = None;
        let mut split = false;
        for part in parts.iter().skip(1) {
            let bytes = part.of(self.text);
            let en_passant = bytes.starts_with(b"e.p") || bytes.strip_suffix(b".").unwrap_or(bytes) == b"ep";
            let word = matches!(bytes, b"mate" | b"ch" | b"ch.");
            let mark = bytes.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'));
            let promotion = bytes[0] == b'=' || joined.ends_with(b"=");
            if !(en_passant || word || mark || promotion) {
                break;
            }
            joined.extend_from_slice(bytes);
            // Words often have a space before them. Another rule checks how they are written.
            split |= !en_passant && !word;
            if let Some(written) = self.read_move(&joined) {
                let quirks = if split { written.quirks.with(Quirks::SPLIT) } else { written.quirks };
                let written = WrittenSan { quirks, ..written };
                best = Some((String::from_utf8_lossy(&joined).into_owned(), written, part.end, split));
            }
        }
        best.filter(|(_, written, ..)| *written != alone)
    }

    /// The longest move that the parts from `place` on make up, if it can be played.
    pub(super) fn join_move(&self, place: Span) -> Option<(String, WrittenSan, usize)> {
        if self.reading.line.stop.is_some() || place.end - place.start > 3 {
            return None;
        }
        let parts = self.parts(place.start);
        let mut joined = parts.first()?.of(self.text).to_vec();
        let mut best = None;
        for part in parts.iter().skip(1) {
            // A hyphen at the end of a line may divide the move.
            let is_divided = joined.ends_with(b"-") && begins_line(self.text, part.start);
            let whole = is_divided.then(|| [&joined[..joined.len() - 1], part.of(self.text)].concat());
            joined.extend_from_slice(part.of(self.text));
            let is_legal = |written: &WrittenSan| resolve(&self.reading.position, self.reading.checkers, written).is_some();
            let mut written = self.read_move(&joined).filter(is_legal);
            if let Some(whole) = whole.filter(|_| written.is_none()) {
                joined = whole;
                written = self.read_move(&joined).filter(is_legal);
            }
            if let Some(mut written) = written {
                written.quirks = written.quirks.with(Quirks::SPLIT);
                best = Some((String::from_utf8_lossy(&joined).into_owned(), written, part.end));
            }
        }
        best
    }

    /// Whether a split termination marker begins with the last token: `1 - 0`. If so, the lexer
    /// spans it.
    pub(super) fn join_marker(&mut self) -> bool {
        let parts = self.parts(self.lexer.start);
        let whole = (2..=parts.len().min(7)).rev().find_map(|count| {
            let joined: Vec<u8> = parts[..count].iter().flat_map(|part| part.of(self.text)).copied().collect();
            let has_dash = joined.iter().any(|byte| matches!(byte, b'-' | b':') || !byte.is_ascii());
            (has_dash && marker_of_token(&joined).is_some()).then(|| (shown(&joined), parts[count - 1].end))
        });
        let Some((joined, end)) = whole else { return false };
        self.lexer.at = end;
        self.reading.may_be_marker = true;
        self.split_token(joined, None);
        true
    }

    /// The result that the last token means, if it is a result in another spelling.
    pub(super) fn misspelled_marker(&mut self) -> Option<Marker> {
        let token: Vec<u8> = self.lexer.token().iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        if let Some(kind) = self.reading.marker_meant.take() {
            return Some(Marker { place: self.place(), kind });
        }
        let kind = if token == b"0-0" { MarkerKind::DoubleForfeit } else { marker_of_token(&token)? };
        self.ends_game().then(|| Marker { place: self.place(), kind })
    }

    /// Reads annotation glyphs after a space. They belong to the move before them.
    pub(super) fn glyph(&mut self) {
        match self.reading.line.last.filter(|last| last.place.end == self.reading.last_token.end) {
            Some(last) => {
                let place = self.place();
                let joined = format!("{}{}", shown(last.place.of(self.text)), shown(place.of(self.text)));
                let since = self.findings.len();
                self.fault(SyntaxFaultKind::SplitToken { joined }, place);
                let gap = Span::new(last.place.end, place.start);
                for finding in self.findings.since(since) {
                    finding.repair(Certainty::Likely, Patch::remove(self.text, gap));
                }
                if let Some(resolved) = last.resolved {
                    let before = self.before_last();
                    draw(self.findings.since(since), &before, resolved.played);
                }
            }
            None if self.reading.line.stop.is_some() => {}
            None => self.unknown_token(),
        }
    }

    /// Extends the finding about a token that is not PGN to the next one, which ends at `end`.
    /// Returns whether there is one.
    #[cold]
    fn extend_unknown(&mut self, end: usize) -> bool {
        let in_variation = self.in_variation();
        let Some(finding) = self.reading.unknown.and_then(|id| self.findings.get(id)) else { return false };
        let was_number = unknown_token::is_number(&finding.found);
        let is_cut = finding.place.end - finding.place.start > MAX_SHOWN;
        finding.place.end = end;
        if !is_cut {
            finding.found = shown(finding.place.of(self.text));
            if was_number {
                // A wrong number alone is less than a number and a word.
                unknown_token::describe(finding, in_variation);
            }
        }
        true
    }

    /// Reports a token that is not PGN. Several in a row are one finding.
    #[cold]
    pub(super) fn unknown_token(&mut self) {
        let place = self.after_star();
        if self.extend_unknown(place.end) {
            return;
        }
        let is_long = place.of(self.text).len() > MAX_WORD;
        if !is_long {
            if self.resembles_result(place) || self.comment_without_brace(place) || self.bracket_in_variation(place) {
                return;
            }
            if self.reading.line.damage.is_none() && self.read_in_other_notation(true) {
                return;
            }
            if let Some(cut) = self.glued_moves(place) {
                self.play_glued(place, cut);
                return;
            }
        }
        let meant = if is_long { None } else { self.meant_by_unknown(place) };
        let written = meant.as_ref().and_then(|meant| WrittenSan::read(meant.split(' ').next()?.as_bytes()));
        let second = meant.as_ref().and_then(|meant| meant.split_once(' ')).map(|(_, second)| second.to_owned());
        // A remark or variation in square brackets does not replace a move.
        let remark = meant.as_ref().is_some_and(|meant| meant.starts_with(['{', '('])) || place.of(self.text).starts_with(b"$");
        let since = self.findings.len();
        let new = meant.clone().map(String::into_bytes);
        self.fault(SyntaxFaultKind::UnknownToken { meant }, place);
        if self.findings.len() > since {
            self.locate(since, place, None);
            let ply = self.reading.line.ply + 1;
            for finding in self.findings.since(since) {
                finding.ply(ply).move_text.clear();
                if let Some(new) = &new {
                    finding.repair(Certainty::Likely, Patch::replace(self.text, place, new.clone()));
                }
            }
            if let Some(written) = &written {
                self.draw_meant(since, written);
            }
        }
        match written {
            Some(written) => {
                self.ply(written, place);
                match second.as_ref().map(|second| (WrittenSan::read(second.as_bytes()), second.len())) {
                    Some((Some(written), _)) => self.ply(written, place),
                    Some((None, length)) => {
                        // The marker right after the move ends the game.
                        self.lexer.start = place.end - length;
                        self.reading.may_be_marker = true;
                    }
                    None => {}
                }
            }
            None => {
                self.reading.line.has_begun = true;
                if let Some(reported) = self.findings.first_since(since) {
                    self.reading.unknown = Some(reported);
                    if !remark {
                        self.reading.line.damage.get_or_insert(reported);
                    }
                }
            }
        }
    }

    /// The place of the unknown token just read. With `*` in place of `x`, as in `B*g2`, it goes on
    /// after that.
    fn after_star(&mut self) -> Span {
        if let [b'*', b'a'..=b'h', b'1'..=b'8', ..] = &self.text[self.lexer.at..] {
            self.lexer.at += 3;
        }
        self.place()
    }

    /// Whether the last token of the game is a termination marker between other characters (``1-0`
    /// ``), or the value of the Result tag with one character that is wrong or missing, or the part
    /// of it before or after the dash: `1-`, `1/2-1.2`, `1`.
    fn resembles_result(&mut self, place: Span) -> bool {
        if let Some(outcome) = marker_inside(place.of(self.text))
            && !self.in_variation()
            && self.closes_game()
        {
            self.reading.marker_meant = Some(MarkerKind::Misspelled(outcome));
            self.reading.may_be_marker = true;
            return true;
        }
        let Some(Outcome::Known(outcome)) = self.opening.result.and_then(|value| standard_marker(value.of(self.text))) else {
            return false;
        };
        let (token, result) = (place.of(self.text), outcome.as_str().as_bytes());
        if self.in_variation() || token.is_empty() || !is_almost(token, result) || !self.closes_game() {
            return false;
        }
        self.reading.marker_meant = Some(MarkerKind::Misspelled(Outcome::Known(outcome)));
        self.reading.may_be_marker = true;
        true
    }

    /// Where the second move begins, if `place` contains two moves without a space and both can be
    /// played.
    pub(super) fn glued_moves(&self, place: Span) -> Option<usize> {
        let token = place.of(self.text);
        if self.reading.line.stop.is_some() || token.len() > 16 {
            return None;
        }
        (2..token.len().saturating_sub(1)).find(|&cut| {
            let both = WrittenSan::canonical(&token[..cut]).zip(WrittenSan::canonical(&token[cut..]));
            both.is_some_and(|(first, second)| {
                let Some(resolved) = resolve(&self.reading.position, self.reading.checkers, &first) else { return false };
                let mut after = self.reading.position.clone();
                after.play_unchecked(resolved.played);
                resolve(&after, after.checkers(), &second).is_some()
            })
        })
    }

    /// Plays two moves without a space between them, and reports them.
    pub(super) fn play_glued(&mut self, place: Span, cut: usize) {
        let (first, second) = place.of(self.text).split_at(cut);
        let meant = format!("{} {}", shown(first), shown(second));
        let since = self.findings.len();
        self.fault(SyntaxFaultKind::UnknownToken { meant: Some(meant) }, place);
        self.locate(since, place, None);
        let ply = self.reading.line.ply + 1;
        for finding in self.findings.since(since) {
            finding.ply(ply).repair(Certainty::Likely, Patch::insert(place.start + cut, *b" ")).move_text.clear();
        }
        if let Some(first) = WrittenSan::canonical(first) {
            self.draw_meant(since, &first);
        }
        let cut = place.start + cut;
        for part in [Span::new(place.start, cut), Span::new(cut, place.end)] {
            if let Some(written) = WrittenSan::canonical(part.of(self.text)) {
                self.ply(written, part);
            }
        }
    }

    /// The probable meaning of a token that is not PGN: a move with invisible characters, a comma
    /// or a period, or a move and the termination marker, then with a space between them.
    pub(super) fn meant_by_unknown(&self, place: Span) -> Option<String> {
        let token = String::from_utf8_lossy(place.of(self.text));
        if let Some(inner) =
            token.strip_prefix('[').and_then(|token| token.strip_suffix(']')).filter(|inner| !inner.starts_with('%'))
        {
            let number = |text: &str| text.trim_start_matches(|next: char| next.is_ascii_digit()).len() < text.len();
            return Some(if number(inner) && inner.contains('.') { format!("({inner})") } else { format!("{{{inner}}}") });
        }
        if let Some(inner) = token.strip_prefix("/*").and_then(|token| token.strip_suffix("*/")) {
            return Some(format!("{{{}}}", inner.trim()));
        }
        let unseen = |character: &char| matches!(character, '\u{A0}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202F}' | '\u{2060}' | '\u{FEFF}');
        let cleaned: String = token.chars().filter(|character| !unseen(character)).collect();
        let cleaned = cleaned.replace("&nbsp;", " ");
        let cleaned = cleaned.trim().trim_end_matches([',', '.', ':']);
        if let Some((first, second)) = cleaned.split_once(' ') {
            let both = [first, second].iter().all(|part| WrittenSan::canonical(part.as_bytes()).is_some());
            return both.then(|| cleaned.to_owned());
        }
        if WrittenSan::read(cleaned.as_bytes()).is_some() {
            return Some(cleaned.to_owned());
        }
        if self.reading.line.stop.is_none()
            && let Some(meant) = self.meant_in_other_notation(cleaned.as_bytes()).or_else(|| self.meant_by_look(cleaned))
        {
            return Some(meant);
        }
        ["1-0", "0-1", "1/2-1/2"].into_iter().find_map(|marker| {
            let written = cleaned.strip_suffix(marker).filter(|written| WrittenSan::read(written.as_bytes()).is_some())?;
            token.ends_with(marker).then(|| format!("{written} {marker}"))
        })
    }

    /// Whether a token looks like a legal move.
    pub(super) fn looks_like_move(&self, token: &[u8]) -> bool {
        std::str::from_utf8(token).is_ok_and(|token| self.meant_by_look(token).is_some())
    }

    /// The only legal move that a token looks like: letters and digits are taken for each other.
    fn meant_by_look(&self, token: &str) -> Option<String> {
        let plays = |text: &str| {
            let written = WrittenSan::canonical(text.as_bytes());
            written.is_some_and(|written| resolve(&self.reading.position, self.reading.checkers, &written).is_some())
        };
        if token.eq_ignore_ascii_case("castles") || token.eq_ignore_ascii_case("castle") {
            let mut sides = ["O-O", "O-O-O"].into_iter().filter(|side| plays(side));
            return sides.next().filter(|_| sides.next().is_none()).map(str::to_owned);
        }
        let characters: Vec<char> = token.chars().collect();
        if !(2..=10).contains(&characters.len()) {
            return None;
        }
        let castling = characters.iter().all(|character| matches!(character, 'O' | 'o' | '0' | 'О' | 'о' | '-' | '+' | '#'));
        let plain: String = characters
            .iter()
            .enumerate()
            .map(|(at, &character)| match character {
                'О' | 'о' | '0' | 'o' if castling => 'O',
                '8' if at == 0 => 'B',
                '0' if at == 0 => 'Q',
                'S' | 's' if at > 0 => '5',
                'l' | 'I' if at > 0 => '1',
                'Z' | 'z' if at > 0 => '2',
                'з' | 'З' => '3',
                'В' => 'B',
                'К' => 'K',
                'а' => 'a',
                'с' => 'c',
                'е' => 'e',
                'х' | 'Х' | '×' => 'x',
                other => other,
            })
            .collect();
        (plain != token && plays(&plain)).then_some(plain)
    }

    /// Runs the rules on a syntax fault.
    #[cold]
    pub(super) fn fault(&mut self, kind: SyntaxFaultKind, place: Span) {
        let in_variation = self.in_variation();
        let fault = SyntaxFault { text: self.text, place, kind, in_variation };
        self.checks.rules.syntax(&fault, self.findings);
    }
}

/// Draws the move that was meant, in the position before it.
fn draw(findings: &mut [Finding], before: &Chess, meant: Move) {
    for finding in findings {
        finding.fen(fen_of(before)).repaired(Arrow::of(meant));
    }
}

/// The result in a token that is a termination marker after or before other characters. Letters or
/// digits before it may be a move.
fn marker_inside(token: &[u8]) -> Option<Outcome> {
    let first = token.iter().position(u8::is_ascii_alphanumeric)?;
    let last = token.iter().rposition(u8::is_ascii_digit)?;
    standard_marker(&token[first..=last])
}

/// Whether `token` is `result` with one character that is wrong or missing, or one of its halves.
fn is_almost(token: &[u8], result: &[u8]) -> bool {
    let same = token.iter().zip(result).take_while(|(one, other)| one == other).count();
    let (rest, rest_of_result) = (&token[same..], &result[same..]);
    let one_missing = token.len() + 1 == result.len() && rest == &rest_of_result[1..];
    let one_wrong = token.len() == result.len() && rest.get(1..) == rest_of_result.get(1..);
    one_missing || one_wrong || result.split(|byte| *byte == b'-').any(|half| half == token)
}

/// The NAG of a sign of Chess Informant for the evaluation of a position.
fn nag_of_sign(token: &[u8]) -> Option<u8> {
    Some(match std::str::from_utf8(token).ok()? {
        "=" | "==" => 10,
        "∞" | "~" => 13,
        "+=" | "+/=" | "=+/" | "⩲" | "±=" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "±" | "+/-" | "+/−" | "+/–" => 16,
        "∓" | "-/+" | "−/+" | "–/+" => 17,
        "+-" | "+--" | "+−" | "+–" => 18,
        "-+" | "--+" | "−+" | "–+" => 19,
        _ => return None,
    })
}
