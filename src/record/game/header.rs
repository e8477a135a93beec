//! The tag section of a game, and the position in which it begins.

use shakmaty::Chess;

use super::{
    opening::MovetextStart,
    reading::MovetextReading,
    replay::{GameReplay, RepeatedTagFault},
    variant_game::VariantGame,
};
use crate::{
    chess::{Variant, WrittenSan, is_double_chess960},
    pgn::{
        KnownTag, Lexer, TagFault, TagPair, TagSection, Token, begins_line, ends_with_tags, follows_blank_line, line_end,
        marker_of_token, movetext_after_label, opens_event, read_bare_tag, read_plain_tag, read_tag, with_bom,
    },
    record::{PositionEvidence, examine_position},
    rules::{
        Certainty, Declared, MAX_PATCHES, Origin, StartShown,
        facts::SyntaxFaultKind,
        res::draws::is_under_seventy_five_move_rule,
        syn::bad_tag_pair,
        tag::{Age, date_implausible::note_age},
    },
    text::{Span, wording::quantity},
};

/// What is wrong with a tag pair without its opening bracket.
const NO_BRACKET: &str = "the opening bracket is missing";

/// Maximum number of tag pairs of a game, which limits its memory.
const MAX_TAG_PAIRS: usize = 100_000;

impl GameReplay<'_, '_> {
    /// Reads the tag section. Returns the start of the next game if this one has only tags;
    /// otherwise the lexer is at the movetext.
    pub(super) fn tag_section(&mut self) -> Option<usize> {
        let mut stray = false;
        loop {
            self.plain_tags();
            let mut ahead = self.lexer.clone();
            match ahead.next() {
                Token::TagPair => {
                    let at = ahead.at;
                    let opens_game =
                        opens_event(self.text, at) && begins_line(self.text, at) && follows_blank_line(self.text, at);
                    if self.has_tags && opens_game {
                        self.lexer.at = at;
                        return Some(with_bom(self.text, at));
                    }
                    self.tag(at);
                }
                Token::Comment => {
                    self.lexer = ahead;
                    self.comment();
                }
                Token::UnclosedComment => {
                    self.lexer = ahead;
                    self.unclosed_comment();
                }
                Token::End if !self.has_tags => {
                    self.lexer = ahead;
                    return None;
                }
                Token::End => {
                    self.lexer = ahead;
                    return Some(self.text.len());
                }
                _ if !self.has_tags && begins_line(self.text, ahead.start) && self.label(ahead.start) => return None,
                _ if self.text[ahead.start] == b'[' => self.tag(ahead.start),
                Token::Word if self.bare_tag(ahead.start) => {}
                Token::Number { dots: 1.., .. } => return None,
                Token::Word if self.tag_without_bracket(ahead.start) => {}
                _ if self.is_comment_of_list(ahead.start) => self.lexer.at = line_end(self.text, ahead.start),
                _ if self.line_is_movetext(ahead.start) => return None,
                _ => {
                    let line = line_end(self.text, ahead.start);
                    let place = Span::new(ahead.start, ahead.start + self.text[ahead.start..line].trim_ascii_end().len());
                    let text = place.of(self.text);
                    let tags = memchr::memchr_iter(b'[', text).find(|at| ends_with_tags(self.text, place.start + at, place.end));
                    self.lexer.at = tags.map_or(line, |at| place.start + at);
                    if tags.is_none() && text.ends_with(b"]") && text.contains(&b'"') {
                        self.fault(SyntaxFaultKind::Tag(TagFault::Pair(NO_BRACKET)), place);
                    } else if !stray {
                        stray = true;
                        let end = tags.map_or(place.end, |at| place.start + text[..at].trim_ascii_end().len());
                        self.fault(SyntaxFaultKind::StrayText, Span::new(place.start, end));
                    }
                }
            }
        }
    }

    /// Reads plain tag pairs, one per line, up to the first line that is anything else.
    #[inline]
    pub(super) fn plain_tags(&mut self) {
        loop {
            let at = match self.text.get(self.lexer.at..) {
                Some([b'\n', b'[', ..]) => self.lexer.at + 1,
                Some([b'\r', b'\n', b'[', ..]) => self.lexer.at + 2,
                Some([b'[', ..]) if !self.has_tags => self.lexer.at,
                _ => return,
            };
            let Some(pair) = read_plain_tag(self.text, at) else { return };
            self.keep_pair(pair);
            self.lexer.at = pair.place.end;
        }
    }

    /// Adds a tag pair to those of the game.
    #[inline]
    fn keep_pair(&mut self, pair: TagPair) {
        self.has_tags = true;
        if self.memory.pairs.len() < MAX_TAG_PAIRS {
            self.memory.pairs.push(pair);
        } else {
            self.findings.give_up(MAX_TAG_PAIRS, "tag pairs");
        }
    }

    /// Reads the tag pair, well-formed or not, that begins with the bracket at `at`.
    pub(super) fn tag(&mut self, at: usize) {
        let tag = read_tag(self.text, at);
        self.has_tags = true;
        match (tag.pair, tag.name) {
            (Some(pair), _) => self.keep_pair(pair),
            (None, Some(name)) if self.memory.names.len() < MAX_TAG_PAIRS => self.memory.names.push(name),
            (None, Some(_)) => self.findings.give_up(MAX_TAG_PAIRS, "tag pairs"),
            (None, None) => {}
        }
        self.lexer.at = tag.end;
        if let Some((fault, place)) = tag.fault {
            self.cut_in_tags |= fault == TagFault::Truncated;
            self.lexer.touched_end |= fault == TagFault::Truncated;
            self.tag_fault(fault, place);
        }
    }

    /// Skips the label at `at`, if movetext follows it.
    fn label(&mut self, at: usize) -> bool {
        let movetext = movetext_after_label(self.text, at);
        self.lexer.at = movetext.unwrap_or(self.lexer.at);
        movetext.is_some()
    }

    /// Reads the line at `at` if it is a tag pair without brackets.
    fn bare_tag(&mut self, at: usize) -> bool {
        if !begins_line(self.text, at) {
            return false;
        }
        let Some(pair) = read_bare_tag(self.text, at) else { return false };
        self.keep_pair(pair);
        self.lexer.at = pair.place.end;
        self.tag_fault(TagFault::Pair("the brackets are missing"), pair.place);
        true
    }

    /// Reads the line at `at` if it is a tag pair without its opening bracket.
    fn tag_without_bracket(&mut self, at: usize) -> bool {
        if !begins_line(self.text, at) {
            return false;
        }
        let line = Span::new(at, at + self.text[at..line_end(self.text, at)].trim_ascii_end().len());
        let Some(inner) = line.of(self.text).strip_suffix(b"]") else { return false };
        let Some(pair) = read_bare_tag(&self.text[..at + inner.len()], at) else { return false };
        self.keep_pair(TagPair { place: line, ..pair });
        self.lexer.at = line.end;
        self.tag_fault(TagFault::Pair(NO_BRACKET), line);
        true
    }

    /// Reports a malformed tag pair. Further tag pairs with the same fault are only counted.
    #[cold]
    fn tag_fault(&mut self, fault: TagFault, place: Span) {
        let TagFault::Pair(_) = fault else {
            self.fault(SyntaxFaultKind::Tag(fault), place);
            return;
        };
        if let Some(repeated) = self.tag_fault.as_mut().filter(|repeated| repeated.fault == fault) {
            repeated.more += 1;
            let pairs = quantity(repeated.more, "more tag pair", "more tag pairs");
            let verb = if repeated.more == 1 { "has" } else { "have" };
            if let Some(finding) = self.findings.get(repeated.finding) {
                finding.message = format!("{}; {pairs} of this game {verb} the same fault", repeated.message);
                // All of them are repaired, or none.
                match bad_tag_pair::repair(self.text, place).filter(|_| finding.repair.is_some()) {
                    Some(patch) if finding.patches().len() < MAX_PATCHES => {
                        finding.repair(Certainty::Likely, patch);
                    }
                    _ => finding.repair = None,
                }
            }
            return;
        }
        let since = self.findings.len();
        self.fault(SyntaxFaultKind::Tag(fault), place);
        if let Some(id) = self.findings.first_since(since)
            && let Some(finding) = self.findings.get(id)
        {
            self.tag_fault = Some(RepeatedTagFault { fault, finding: id, message: finding.message.clone(), more: 0 });
        }
    }

    /// Whether the line at `at` is movetext: it begins with a token of movetext, or contains a
    /// move.
    pub(super) fn line_is_movetext(&self, at: usize) -> bool {
        let end = line_end(self.text, at);
        let mut lexer = Lexer::new(&self.text[..end], at);
        let mut first = true;
        loop {
            match lexer.next() {
                Token::Word if WrittenSan::read(lexer.token()).is_some() => return true,
                Token::Word if first && marker_of_token(lexer.token()).is_some() => return true,
                Token::Number { dots: 1.., .. } | Token::Marker(_) | Token::Nag | Token::Open | Token::Close if first => {
                    return true;
                }
                Token::Marker(_) => return true,
                Token::End | Token::TagPair => return false,
                _ => {}
            }
            first = false;
        }
    }

    /// Sets up the first position. Returns what it shows about the input, and whether the game can
    /// be replayed.
    pub(super) fn set_up(&mut self, tags: &TagSection<'_>) -> (PositionEvidence, bool) {
        let variant_tag = tags.value(KnownTag::Variant);
        let stated = tags.variant().map(|(_, variant)| variant);
        let variant = stated.or(self.checks.variant).unwrap_or(Variant::Standard);
        let known = self.checks.declared();
        let declared = Declared {
            standard: known.standard && variant == Variant::Standard,
            chess960: variant == Variant::Chess960 || known.chess960,
            double_chess960: variant_tag.is_some_and(is_double_chess960) || known.double_chess960,
            other_variant: !variant.follows_laws(),
            set_up: variant == Variant::Shuffle,
            seventy_five_move_rule: tags.value(KnownTag::Date).is_some_and(is_under_seventy_five_move_rule),
            effort: known.effort,
        };
        let replayable = !declared.other_variant;
        let opening = MovetextStart {
            declared,
            is_unknown_variant: variant == Variant::Unknown,
            needs_fen: variant == Variant::FromPosition,
            result: tags.pair(KnownTag::Result).map(|pair| pair.value),
            time_control: tags.pair(KnownTag::TimeControl).map(|pair| pair.value),
            last_token: tags.place,
            comment: self.reading.annotations.comment_after(0),
            engines_play: [KnownTag::WhiteType, KnownTag::BlackType]
                .into_iter()
                .any(|tag| tags.value(tag).is_some_and(|kind| matches!(kind, b"program" | b"computer"))),
            ..MovetextStart::default()
        };
        let since = self.findings.len();
        let begins = match variant {
            _ if declared.chess960 => StartShown::DeclaredChess960,
            Variant::Standard => StartShown::Standard,
            _ => StartShown::Nothing,
        };
        let mut evidence = PositionEvidence { start: begins, ..PositionEvidence::default() };
        let mut start = (replayable && variant == Variant::Standard).then_some(Chess::default());
        let fen = tags.pair(KnownTag::Fen);
        self.misspelled_fen = if fen.is_none() { misspelled_fen(self.text, tags) } else { None };
        if let Some(fen) = fen {
            let examined = examine_position(self.text, fen.value, Origin::FenTag, declared, self.findings);
            (start, evidence) = (examined.start, examined.evidence);
            // After a backslash, the same bytes mean something else.
            if fen.value.of(self.text).windows(2).any(|pair| matches!(pair, b"\\\"" | b"\\\\")) {
                self.findings.since(since).iter_mut().for_each(|finding| finding.repair = None);
            }
            // The tag says that the game is standard chess, wherever it begins.
            if variant_tag.is_some() && variant == Variant::Standard && !evidence.start.is_chess960() {
                evidence.start = StartShown::Standard;
            }
            if declared.set_up {
                evidence.start = StartShown::Nothing;
            }
            self.fen_tag = (start.is_some() && !declared.chess960 && !declared.other_variant).then_some(fen.place);
            self.setup_tag = tags.pair(KnownTag::SetUp).map(|pair| pair.place);
        }
        note_age(&mut evidence.noted, tags.value(KnownTag::Date).map(Age::of).unwrap_or_default());
        let about_start = self.findings.since(since);
        self.opening = MovetextStart {
            has_fen: fen.is_some() && start.is_some(),
            start: start.clone().unwrap_or_default(),
            broken: about_start.iter().map(|finding| finding.rule.code).collect(),
            unreachable: about_start.iter().any(|finding| finding.rule.reachability),
            ..opening
        };
        self.reading = MovetextReading::before(&self.opening, self.reading.take_memory());
        self.reading.variant = VariantGame::begin(tags, variant);
        (evidence, replayable && start.is_some())
    }
}

/// The position in a tag pair such as `[fen "…"]` or `[FEN …]`.
fn misspelled_fen(text: &[u8], tags: &TagSection<'_>) -> Option<Span> {
    if let Some(pair) = tags.pair_in_any_case("FEN") {
        return Some(pair.value);
    }
    let name = tags.names.iter().find(|name| name.of(text).eq_ignore_ascii_case(b"FEN"))?;
    let rest = Span::new(name.end, line_end(text, name.end));
    let is_inside = |byte: &u8| !(byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b']'));
    let first = rest.of(text).iter().position(is_inside)?;
    let last = rest.of(text).iter().rposition(is_inside)?;
    Some(Span::new(rest.start + first, rest.start + last + 1))
}
