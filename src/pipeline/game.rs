//! One game: read, replayed, and held against the rules in one walk over its bytes.
//!
//! The walk itself allocates nothing and explains nothing. Whatever is out of the ordinary is handed to a cold path, which
//! gathers the facts and asks the rules.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, FromSetup, Move, Position, fen::Fen};

use crate::{
    chess::{
        CheckMark, History, Quirks, Refusal, Resolved, Span, Variant, WrittenMove, WrittenSan, checkers_after, refuse, resolve,
    },
    pgn::{
        Lexer, Marker, MarkerKind, TagFault, TagPair, TagSection, Token, begins_line, follows_blank_line, line_end,
        marker_of_token, opens_event, plies_seen, read_plain_tag, read_tag, with_bom,
    },
    rules::{
        Declared, Family, Finding, Findings, Origin, PositionEvidence, Selection, apply_yields, ask_bytes, ask_ending,
        ask_number, ask_ply, ask_syntax, ask_tags, ask_unplayable, examine_position,
        facts::{Ending, NumberIndication, Ply, RecordBytes, SyntaxFault, SyntaxFaultKind, Unplayable},
        rule, shown,
    },
};

/// Variations nested deeper than this are read but not replayed, so that no game can take more than its share of memory.
const DEEPEST_REPLAYED: usize = 100;

/// How far behind a marker inside a variation a closing bracket is looked for.
const FARTHEST_BRACKET: usize = 1 << 16;

/// How many parts a token can have fallen into.
const MOST_PARTS: usize = 9;

/// What a game is asked beside what every game is asked: things that only rules nobody has selected would report are not
/// looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Questions {
    check_marks_missing: bool,
    capture_marks_missing: bool,
    hints: bool,
    nested_braces: bool,
}

impl Questions {
    /// All of these are infos.
    pub(super) fn of(selection: &Selection) -> Questions {
        let asked = |code: &str| code.parse().ok().and_then(rule).is_some_and(|rule| selection.shows_infos(rule));
        Questions {
            check_marks_missing: asked("MOV11") || asked("MOV13"),
            capture_marks_missing: asked("MOV15"),
            hints: asked("MOV17"),
            nested_braces: asked("SYN06"),
        }
    }
}

/// Memory that is used again from game to game.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pairs: Vec<TagPair>,
    names: Vec<Span>,
    /// Findings that have become part of others.
    folded: Vec<usize>,
    line: Vec<Option<Move>>,
    frames: Vec<Frame>,
}

/// What came of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameOutcome {
    /// Where the next record begins, or the text ends.
    pub next: usize,
    /// Where the game ends: one past its marker, or, without one, where the next record begins.
    pub end: usize,
    /// Whether there was a game at all, rather than blank lines, comments and stray text.
    pub is_game: bool,
    /// Plies replayed.
    pub plies: u64,
    /// Plies read but not replayed.
    pub plies_not_examined: u64,
    /// Whether the end of the text had a part in what was read.
    pub touched_end: bool,
    /// What its start position tells about the input.
    pub evidence: PositionEvidence,
    /// Whether it has no termination marker.
    pub marker_missing: bool,
    /// Whether it holds UTF-8 beyond ASCII.
    pub multibyte: bool,
    /// Whether it holds bytes that are not UTF-8.
    pub not_utf8: bool,
}

/// The last ply that was played in a line.
#[derive(Clone, Copy, Debug)]
struct LastPly {
    written: WrittenSan,
    resolved: Option<Resolved>,
    place: Span,
    /// Whether the rules have been asked about it.
    asked: bool,
}

/// Where a line stopped being replayed.
#[derive(Clone, Copy, Debug)]
struct Stop {
    /// The finding that says why, as an index.
    finding: Option<usize>,
    /// Plies read since, the one that stopped it not counted.
    plies_after: u32,
}

/// The state of a line: the main line or a variation.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Plies from the start of the game.
    ply: u32,
    /// Whether a ply of this line has been read.
    begun: bool,
    stop: Option<Stop>,
    /// What the numbers in the text are ahead of those on the board.
    numbering: i64,
    last: Option<LastPly>,
    /// The finding about an unknown token in this line: a move may have been lost there.
    damage: Option<usize>,
    /// The last finding about a move number, and the ply before it.
    odd_number: Option<(usize, u32)>,
}

impl Line {
    const fn at(ply: u32, numbering: i64) -> Line {
        Line { ply, begun: false, stop: None, numbering, last: None, damage: None, odd_number: None }
    }
}

/// A line that waits while a variation is read.
#[derive(Debug)]
struct Frame {
    line: Line,
    position: Chess,
    checkers: Bitboard,
    /// Length of the history when the variation began.
    played: usize,
    /// The ply that the variation replaces.
    replaced: Option<Option<Move>>,
    /// Where the variation opens.
    open: usize,
    /// How many findings there were then.
    findings: usize,
}

/// A game that is being read.
struct Walk<'a, 'w> {
    text: &'a [u8],
    lexer: Lexer<'a>,
    findings: &'w mut Findings,
    questions: Questions,
    buffers: &'w mut Buffers,
    /// The position before the first ply.
    start: Chess,
    position: Chess,
    /// The men that give check in `position`.
    checkers: Bitboard,
    line: Line,
    /// What the game's numbers are ahead of the board's, for good reason.
    numbering: i64,
    /// Whether the first number of the main line sets the numbering.
    free_numbering: bool,
    /// Variations that are too deep to be replayed.
    too_deep: usize,
    plies: u64,
    not_examined: u64,
    /// The last token of the game.
    last_token: Span,
    /// Whether there is a tag section, be it damaged.
    has_tags: bool,
    /// Whether the text ends inside a tag pair.
    cut_in_tags: bool,
    /// Whether any token of the movetext has been read.
    begun: bool,
    /// Whether the token just read may be a termination marker in another spelling.
    may_be_marker: bool,
    /// The finding about unknown tokens that the next one may continue.
    unknown: Option<usize>,
}

/// Reads the game that begins at `start` of `text`, and what follows it up to the next record.
pub(super) fn audit_game(
    text: &[u8],
    start: usize,
    complete: bool,
    questions: Questions,
    buffers: &mut Buffers,
    findings: &mut Findings,
) -> GameOutcome {
    let since = findings.len();
    buffers.pairs.clear();
    buffers.names.clear();
    buffers.folded.clear();
    buffers.line.clear();
    buffers.frames.clear();
    let position = Chess::default();
    let mut walk = Walk {
        text,
        lexer: Lexer::new(text, start),
        findings,
        questions,
        buffers,
        start: position.clone(),
        position,
        checkers: Bitboard::EMPTY,
        line: Line::at(0, 0),
        numbering: 0,
        free_numbering: false,
        too_deep: 0,
        plies: 0,
        not_examined: 0,
        last_token: Span::new(start, start),
        has_tags: false,
        cut_in_tags: false,
        begun: false,
        may_be_marker: false,
        unknown: None,
    };
    let mut outcome = walk.game(start, complete);
    let Walk { findings, buffers, .. } = walk;
    drop_folded(findings, &mut buffers.folded);
    let odd = has_odd_bytes(&text[start..outcome.next]);
    if odd {
        let bytes = RecordBytes { text, start, end: outcome.next, at_input_start: start == 0 };
        ask_bytes(&bytes, findings);
        (outcome.multibyte, outcome.not_utf8) = bytes.encoding();
    }
    apply_yields(findings, since);
    if findings.since(since).iter().any(|finding| finding.rule.code.family() == Family::Syn) {
        say_what_others_see(text, start, &outcome, findings.since(since));
    }
    outcome
}

/// Whether there is anything beside printable ASCII, tabs and line breaks. Without branches, so that many bytes are looked at
/// at once.
fn has_odd_bytes(text: &[u8]) -> bool {
    let odd = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte.wrapping_sub(b'\t') > b'\r' - b'\t');
    text.chunks(256).any(|part| part.iter().fold(0, |any, &byte| any | odd(byte)) != 0)
}

/// Takes out the findings that have become part of others.
fn drop_folded(findings: &mut Findings, folded: &mut [usize]) {
    if folded.is_empty() {
        return;
    }
    folded.sort_unstable();
    let mut index = 0;
    findings.all().retain(|_| {
        index += 1;
        folded.binary_search(&(index - 1)).is_err()
    });
}

/// Adds to the syntax findings of a record what a lenient reader makes of it.
#[cold]
fn say_what_others_see(text: &[u8], start: usize, outcome: &GameOutcome, findings: &mut [Finding]) {
    if !outcome.is_game {
        return;
    }
    let seen = match plies_seen(&text[start..outcome.next]) {
        Some(1) => "; a lenient reader sees 1 ply of the game".to_owned(),
        Some(plies) => format!("; a lenient reader sees {plies} plies of the game"),
        None => "; a lenient reader gives up on the game".to_owned(),
    };
    for finding in findings.iter_mut().filter(|finding| finding.rule.code.family() == Family::Syn) {
        finding.message.push_str(&seen);
    }
}

impl<'a> Walk<'a, '_> {
    fn game(&mut self, start: usize, complete: bool) -> GameOutcome {
        let next_game = self.tag_section();
        let header = self.buffers.pairs.first().zip(self.buffers.pairs.last());
        let place = match header {
            Some((first, last)) => Span::new(first.place.start, last.place.end),
            None => Span::new(self.lexer.at, self.lexer.at),
        };
        let pairs = std::mem::take(&mut self.buffers.pairs);
        let names = std::mem::take(&mut self.buffers.names);
        let tags = TagSection { text: self.text, pairs: &pairs, names: &names, place };
        let mut outcome = match next_game {
            Some(next) => {
                self.last_token = place;
                let evidence = self.set_up(&tags).0;
                self.end_game(&tags, None, next, evidence, complete)
            }
            None => self.movetext(&tags, complete),
        };
        outcome.touched_end = self.lexer.touched_end || outcome.next == self.text.len();
        self.buffers.pairs = pairs;
        self.buffers.names = names;
        debug_assert!(outcome.next > start || self.text.len() == start);
        outcome
    }

    // --- the tag section -----------------------------------------------------------------------------------------------------

    /// Reads the tag section. Returns where the next game begins, if this one has tags and nothing else; otherwise the lexer
    /// stands at the movetext.
    fn tag_section(&mut self) -> Option<usize> {
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
                _ if self.text[ahead.start] == b'[' => self.tag(ahead.start),
                Token::Number { dots: 1.., .. } => return None,
                _ if self.line_is_movetext(ahead.start) => return None,
                _ => {
                    let line = line_end(self.text, ahead.start);
                    let place = Span::new(ahead.start, ahead.start + self.text[ahead.start..line].trim_ascii_end().len());
                    let text = place.of(self.text);
                    self.lexer.at = line;
                    if text.ends_with(b"]") && text.contains(&b'"') {
                        self.fault(SyntaxFaultKind::Tag(TagFault::Pair("the opening bracket is missing")), place);
                    } else if !stray {
                        stray = true;
                        self.fault(SyntaxFaultKind::StrayText, place);
                    }
                }
            }
        }
    }

    /// Reads tag pairs that stand one to a line and need no second look, up to the first that does.
    #[inline]
    fn plain_tags(&mut self) {
        loop {
            let at = match self.text.get(self.lexer.at..) {
                Some([b'\n', b'[', ..]) => self.lexer.at + 1,
                Some([b'\r', b'\n', b'[', ..]) => self.lexer.at + 2,
                Some([b'[', ..]) if !self.has_tags => self.lexer.at,
                _ => return,
            };
            let Some(pair) = read_plain_tag(self.text, at) else { return };
            self.buffers.pairs.push(pair);
            self.has_tags = true;
            self.lexer.at = pair.place.end;
        }
    }

    /// Reads the tag pair, or what stands in its place, that opens with the bracket at `at`.
    fn tag(&mut self, at: usize) {
        let tag = read_tag(self.text, at);
        self.has_tags = true;
        self.buffers.pairs.extend(tag.pair);
        if tag.pair.is_none() {
            self.buffers.names.extend(tag.name);
        }
        self.lexer.at = tag.end;
        if let Some((fault, place)) = tag.fault {
            self.cut_in_tags |= fault == TagFault::Truncated;
            self.lexer.touched_end |= fault == TagFault::Truncated;
            self.fault(SyntaxFaultKind::Tag(fault), place);
        }
    }

    /// Whether the line from `at` on is movetext: it begins with a token of movetext, or holds a move somewhere.
    fn line_is_movetext(&self, at: usize) -> bool {
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

    /// Sets up the position in which the game begins, and decides whether it can be replayed.
    fn set_up(&mut self, tags: &TagSection<'_>) -> (PositionEvidence, bool) {
        let variant = tags.value("Variant").map_or(Variant::Standard, Variant::named);
        let declared = Declared {
            chess960: variant == Variant::Chess960,
            other_variant: !matches!(variant, Variant::Standard | Variant::Chess960 | Variant::FromPosition),
            seventy_five_move_rule: tags.value("Date").is_some_and(is_under_seventy_five_move_rule),
        };
        let replayable = !declared.other_variant;
        let Some(fen) = tags.pair("FEN") else {
            return (PositionEvidence::default(), replayable && variant == Variant::Standard);
        };
        let examined = examine_position(self.text, fen.value, Origin::FenTag, declared, self.findings);
        if let Some(start) = examined.start {
            self.checkers = start.checkers();
            self.start = start.clone();
            self.position = start;
            self.free_numbering = true;
            (examined.evidence, replayable)
        } else {
            (examined.evidence, false)
        }
    }

    // --- movetext ------------------------------------------------------------------------------------------------------------

    fn movetext(&mut self, tags: &TagSection<'_>, complete: bool) -> GameOutcome {
        let (evidence, replayable) = self.set_up(tags);
        if !replayable {
            self.line.stop = Some(Stop { finding: None, plies_after: 0 });
        }
        self.last_token = tags.place;
        loop {
            let token = self.lexer.next();
            match token {
                Token::Word => self.word(),
                Token::Number { value, dots } => self.number(value, dots),
                Token::Comment => {
                    self.comment();
                    continue;
                }
                Token::Nag => {}
                Token::Open => self.open_variation(),
                Token::Close => self.close_variation(),
                Token::Marker(outcome) => {
                    let marker = Marker { place: self.place(), kind: MarkerKind::Standard(outcome) };
                    if self.ends_game() {
                        return self.end_game(tags, Some(marker), 0, evidence, complete);
                    }
                }
                Token::Glyph => self.glyph(),
                Token::StrayBrace => self.fault(SyntaxFaultKind::StrayBrace, self.place()),
                Token::UnclosedComment => {
                    self.unclosed_comment();
                    continue;
                }
                Token::TagPair => {
                    let next = with_bom(self.text, self.lexer.at);
                    if self.begun {
                        let end = Span::new(self.last_token.end, self.last_token.end);
                        self.fault(SyntaxFaultKind::TagInMovetext { next: self.lexer.at }, end);
                    }
                    return self.end_game(tags, None, next, evidence, complete);
                }
                Token::End => return self.end_game(tags, None, self.text.len(), evidence, complete),
            }
            self.begun = true;
            self.last_token = self.place();
            if std::mem::take(&mut self.may_be_marker)
                && let Some(marker) = self.misspelt_marker()
            {
                return self.end_game(tags, Some(marker), 0, evidence, complete);
            }
        }
    }

    fn place(&self) -> Span {
        Span::new(self.lexer.start, self.lexer.at)
    }

    fn in_variation(&self) -> bool {
        !self.buffers.frames.is_empty() || self.too_deep > 0
    }

    /// A word: nearly always a move in its canonical spelling.
    #[inline]
    fn word(&mut self) {
        match WrittenSan::canonical(self.lexer.token()) {
            Some(written) if !self.goes_on() => self.ply(written, self.place()),
            _ => self.odd_word(),
        }
    }

    /// Whether what stands behind the last word, after one blank, may belong to it: `e8 =Q`, `Qa8 #`, `exd6 e.p.`, `b8(Q)`.
    #[inline]
    fn goes_on(&self) -> bool {
        let byte = |at: usize| self.text.get(at).copied().unwrap_or(b' ');
        let at = self.lexer.at;
        match byte(at) {
            b' ' => match byte(at + 1) {
                b'+' | b'#' | b'=' | b'!' | b'?' => true,
                b'e' => matches!(byte(at + 2), b'p' | b'.'),
                b'm' => byte(at + 2) == b'a',
                b'c' => byte(at + 2) == b'h',
                _ => false,
            },
            b'(' => byte(at + 1).is_ascii_uppercase() && byte(at + 2) == b')',
            _ => false,
        }
    }

    /// Plays a move, if it can be played.
    #[inline]
    fn ply(&mut self, written: WrittenSan, place: Span) {
        self.unknown = None;
        self.line.ply += 1;
        self.line.begun = true;
        if let Some(stop) = &mut self.line.stop {
            stop.plies_after += 1;
            self.not_examined += 1;
            return;
        }
        let Some(resolved) = resolve(&self.position, self.checkers, &written) else {
            self.unresolved(written, place);
            return;
        };
        self.position.play_unchecked(resolved.played);
        self.checkers = checkers_after(&self.position, resolved.played);
        self.buffers.line.push(Some(resolved.played));
        self.plies += 1;
        let asked = self.is_odd(&written, &resolved);
        self.line.last = Some(LastPly { written, resolved: Some(resolved), place, asked });
        if asked {
            self.ask_about_ply();
        }
    }

    /// Whether anything about the spelling of the move just played needs a second look.
    #[inline]
    fn is_odd(&self, written: &WrittenSan, resolved: &Resolved) -> bool {
        let gives_check = self.checkers.any();
        let mark = match written.mark {
            CheckMark::None => gives_check && self.questions.check_marks_missing,
            CheckMark::Check => !gives_check,
            CheckMark::Double => true,
            CheckMark::Mate => !gives_check || !self.position.legal_moves().is_empty(),
        };
        let captures = resolved.played.is_capture();
        let capture = written.capture != captures && (written.capture || self.questions.capture_marks_missing);
        let hints = || match written.what {
            WrittenMove::Normal { file, rank, .. } => !resolved.hints_are_canonical(file, rank),
            _ => false,
        };
        mark || capture || written.quirks != Quirks::NONE || (self.questions.hints && hints())
    }

    /// The position before the last ply of the line. It is not kept while all is well: playing the line again costs less than
    /// copying every position.
    fn before_last(&self) -> Chess {
        let passed_in_check = self.line.last.is_some_and(|last| last.resolved.is_none()) && self.checkers.any();
        let Some((_, earlier)) = self.buffers.line.split_last().filter(|_| !passed_in_check) else {
            return self.position.clone();
        };
        let mut position = self.start.clone();
        for played in earlier {
            match played {
                Some(played) => position.play_unchecked(*played),
                None => position = pass_turn(&position).unwrap_or(position),
            }
        }
        position
    }

    /// Asks the rules about the last ply.
    #[cold]
    fn ask_about_ply(&mut self) {
        let before = self.before_last();
        let Some(last) = &mut self.line.last else { return };
        last.asked = true;
        let facts = Ply {
            text: self.text,
            place: last.place,
            written: &last.written,
            before: &before,
            after: &self.position,
            resolved: last.resolved,
            in_variation: !self.buffers.frames.is_empty(),
        };
        let place = last.place;
        let since = self.findings.len();
        ask_ply(&facts, self.findings);
        self.locate(since, place, true);
    }

    /// Fills in whose ply the findings since `since` are about.
    fn locate(&mut self, since: usize, place: Span, played: bool) {
        let variation = self.variation();
        let position = if played { self.before_last() } else { self.position.clone() };
        for finding in self.findings.since(since) {
            finding.ply = Some(self.line.ply);
            finding.variation.clone_from(&variation);
            finding.move_text = shown(place.of(self.text));
            if finding.fen.is_empty() {
                finding.fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            }
        }
    }

    /// The path of plies at which variations branch off.
    fn variation(&self) -> String {
        let plies: Vec<String> = self.buffers.frames.iter().map(|frame| frame.line.ply.to_string()).collect();
        plies.join(".")
    }

    /// A move that means no legal move as it stands.
    #[cold]
    fn unresolved(&mut self, mut written: WrittenSan, place: Span) {
        if written.what == WrittenMove::Null {
            self.null_move(written, place);
            return;
        }
        // `bxc3` where no pawn can take, but a bishop can.
        let token: Vec<u8> = place.of(self.text).iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        if let [b'b', rest @ ..] = token.as_slice() {
            let bishop = WrittenSan::read(&[b"B", rest].concat());
            if let Some((bishop, resolved)) =
                bishop.and_then(|bishop| Some((bishop, resolve(&self.position, self.checkers, &bishop)?)))
            {
                written = bishop;
                written.quirks = written.quirks.with(Quirks::LOWERCASE_PIECE);
                self.play_odd(written, resolved, place);
                return;
            }
        }
        if let Some(cut) = self.glued_moves(place) {
            self.line.ply -= 1;
            self.play_glued(place, cut);
            return;
        }
        let history = History { start: &self.start, line: &self.buffers.line };
        let refusal: Refusal = refuse(&self.position, &written, history);
        let reason = refusal.to_string();
        let damage = self.line.damage;
        let finding = if let Some(damage) = damage {
            // The move follows from a token that could not be read: one cause, one finding.
            let consequence = format!("; {} then cannot be played ({reason})", shown(place.of(self.text)));
            if let Some(finding) = self.findings.all().get_mut(damage) {
                finding.message.push_str(&consequence);
            }
            Some(damage)
        } else {
            let since = self.findings.len();
            let facts = Unplayable {
                text: self.text,
                place,
                written: &written,
                before: &self.position,
                refusal: &refusal,
                history,
                in_variation: !self.buffers.frames.is_empty(),
            };
            ask_unplayable(&facts, self.findings);
            self.locate(since, place, false);
            self.fold_number(since);
            (self.findings.len() > since).then_some(since)
        };
        self.line.stop = Some(Stop { finding, plies_after: 0 });
        self.not_examined += 1;
    }

    /// A wrong number right before a move that cannot be played is its cause, and no finding of its own.
    fn fold_number(&mut self, since: usize) {
        let Some((index, _)) = self.line.odd_number.filter(|(_, ply)| ply + 2 >= self.line.ply) else { return };
        let Some((cause, message)) = self.findings.all().get(index).map(|number| (number.rule.code, number.message.clone()))
        else {
            return;
        };
        if let Some(finding) = self.findings.since(since).first_mut() {
            finding.cause = Some(cause);
            finding.message.push_str(&format!("; {message}"));
            self.buffers.folded.push(index);
        }
    }

    /// Plays a move that was resolved in an unusual way.
    fn play_odd(&mut self, written: WrittenSan, resolved: Resolved, place: Span) {
        self.position.play_unchecked(resolved.played);
        self.checkers = checkers_after(&self.position, resolved.played);
        self.buffers.line.push(Some(resolved.played));
        self.plies += 1;
        self.line.last = Some(LastPly { written, resolved: Some(resolved), place, asked: true });
        self.ask_about_ply();
    }

    /// The turn is passed.
    fn null_move(&mut self, written: WrittenSan, place: Span) {
        let passed = if self.checkers.is_empty() { pass_turn(&self.position) } else { None };
        let can_pass = passed.is_some();
        if let Some(passed) = passed {
            self.position = passed;
            self.checkers = self.position.checkers();
            self.buffers.line.push(None);
            self.plies += 1;
        }
        self.line.last = Some(LastPly { written, resolved: None, place, asked: true });
        let since = self.findings.len();
        self.ask_about_ply();
        if !can_pass {
            self.line.stop = Some(Stop { finding: (self.findings.len() > since).then_some(since), plies_after: 0 });
            self.not_examined += 1;
        }
    }

    // --- odd tokens ----------------------------------------------------------------------------------------------------------

    /// A word that is no move in its canonical spelling, or may go on.
    #[cold]
    fn odd_word(&mut self) {
        let place = self.place();
        let token = self.lexer.token();
        // `b8(Q)`: the bracket is no variation.
        if let Some(rest @ [b'(', b'A'..=b'Z', b')', ..]) = self.text.get(self.lexer.at..) {
            let whole = [token, &rest[..3]].concat();
            if let Some(written) = WrittenSan::lenient(&whole).filter(|written| written.quirks.has(Quirks::PROMOTION_FORM)) {
                self.lexer.at += 3;
                let marks =
                    self.text[self.lexer.at..].iter().take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?')).count();
                self.lexer.at += marks;
                self.ply(WrittenSan::read(self.lexer.token()).unwrap_or(written), self.place());
                return;
            }
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
                    self.split_token(joined);
                }
                self.ply(written, self.place());
                return;
            }
            // `0-0` may be a double forfeit, or castling; only the board can tell.
            let castles = !matches!(written.what, WrittenMove::Castle(_)) || token != b"0-0" || !self.closes_game();
            if castles || (self.line.stop.is_none() && resolve(&self.position, self.checkers, &written).is_some()) {
                self.ply(written, place);
                return;
            }
        }
        if token == b"0-0" || marker_of_token(token).is_some() {
            self.may_be_marker = true;
            return;
        }
        if let Some((joined, written, end)) = self.join_move(place) {
            self.lexer.at = end;
            self.split_token(joined);
            self.ply(written, self.place());
            return;
        }
        if self.join_marker() {
            return;
        }
        self.unknown_token();
    }

    /// Whether nothing of the game follows the last token.
    fn closes_game(&mut self) -> bool {
        let mut ahead = self.lexer.clone();
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

    /// Says that a token has fallen into parts; the lexer spans all of them.
    fn split_token(&mut self, joined: String) {
        let place = self.place();
        let since = self.findings.len();
        self.fault(SyntaxFaultKind::SplitToken { joined }, place);
        let ply = self.line.ply + 1;
        for finding in self.findings.since(since) {
            finding.ply = Some(ply);
        }
    }

    /// The parts that stand from `start` on, with nothing but white space between them.
    fn parts(&self, start: usize) -> Vec<Span> {
        let mut parts = Vec::new();
        let mut at = start;
        while parts.len() < MOST_PARTS {
            at += self.text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let part = self.text[at..]
                .iter()
                .take_while(|byte| {
                    !byte.is_ascii_whitespace() && !matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*')
                })
                .count();
            if part == 0 || part > 7 {
                break;
            }
            parts.push(Span::new(at, at + part));
            at += part;
        }
        parts
    }

    /// A move with marks, a promotion or `e.p.` that stand apart from it. The last value tells whether that is a fault:
    /// `e.p.` is written apart as often as not.
    fn with_suffix(&self, place: Span, alone: WrittenSan) -> Option<(String, WrittenSan, usize, bool)> {
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
            // Words stand apart as often as not; how they are written is another rule's business.
            split |= !en_passant && !word;
            if let Some(written) = WrittenSan::read(&joined) {
                best = Some((String::from_utf8_lossy(&joined).into_owned(), written, part.end, split));
            }
        }
        best.filter(|(_, written, ..)| *written != alone)
    }

    /// The longest move that the parts from `place` on make up, if it can be played.
    fn join_move(&self, place: Span) -> Option<(String, WrittenSan, usize)> {
        if self.line.stop.is_some() || place.end - place.start > 3 {
            return None;
        }
        let parts = self.parts(place.start);
        let mut joined = parts.first()?.of(self.text).to_vec();
        let mut best = None;
        for part in parts.iter().skip(1) {
            joined.extend_from_slice(part.of(self.text));
            let written = WrittenSan::read(&joined).filter(|written| resolve(&self.position, self.checkers, written).is_some());
            if let Some(mut written) = written {
                written.quirks = written.quirks.with(Quirks::SPLIT);
                best = Some((String::from_utf8_lossy(&joined).into_owned(), written, part.end));
            }
        }
        best
    }

    /// Whether a termination marker that has fallen into parts begins with the last token: `1 - 0`. If so, the lexer spans it.
    fn join_marker(&mut self) -> bool {
        let parts = self.parts(self.lexer.start);
        let whole = (2..=parts.len().min(7)).rev().find_map(|count| {
            let joined: Vec<u8> = parts[..count].iter().flat_map(|part| part.of(self.text)).copied().collect();
            let has_dash = joined.iter().any(|byte| matches!(byte, b'-' | b':') || !byte.is_ascii());
            (has_dash && marker_of_token(&joined).is_some()).then(|| (shown(&joined), parts[count - 1].end))
        });
        let Some((joined, end)) = whole else { return false };
        self.lexer.at = end;
        self.may_be_marker = true;
        self.split_token(joined);
        true
    }

    /// A result in another spelling, if that is what the last token is.
    fn misspelt_marker(&mut self) -> Option<Marker> {
        let token: Vec<u8> = self.lexer.token().iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let kind = if token == b"0-0" { MarkerKind::DoubleForfeit } else { marker_of_token(&token)? };
        self.ends_game().then(|| Marker { place: self.place(), kind })
    }

    /// Annotation glyphs on their own belong to the move before them.
    fn glyph(&mut self) {
        match self.line.last.filter(|last| last.place.end == self.last_token.end) {
            Some(last) => {
                let place = self.place();
                let joined = format!("{}{}", shown(last.place.of(self.text)), shown(place.of(self.text)));
                self.fault(SyntaxFaultKind::SplitToken { joined }, place);
            }
            None if self.line.stop.is_some() => {}
            None => self.unknown_token(),
        }
    }

    /// A token that is nothing in PGN; several in a row are one finding.
    #[cold]
    fn unknown_token(&mut self) {
        let place = self.place();
        if let Some(finding) = self.unknown.and_then(|index| self.findings.all().get_mut(index)) {
            finding.place.end = place.end;
            finding.found = shown(finding.place.of(self.text));
            return;
        }
        if let Some(cut) = self.glued_moves(place) {
            self.play_glued(place, cut);
            return;
        }
        let meant = self.meant_by_unknown(place);
        let written = meant.as_ref().and_then(|meant| WrittenSan::read(meant.split(' ').next()?.as_bytes()));
        let second = meant.as_ref().and_then(|meant| meant.split_once(' ')).map(|(_, second)| second.to_owned());
        let since = self.findings.len();
        self.fault(SyntaxFaultKind::UnknownToken { meant }, place);
        if self.findings.len() > since {
            self.locate(since, place, false);
            for finding in self.findings.since(since) {
                finding.ply = Some(self.line.ply + 1);
                finding.move_text.clear();
            }
        }
        match written {
            Some(written) => {
                self.ply(written, place);
                match second.as_ref().map(|second| (WrittenSan::read(second.as_bytes()), second.len())) {
                    Some((Some(written), _)) => self.ply(written, place),
                    Some((None, length)) => {
                        // The marker that is glued to the move ends the game.
                        self.lexer.start = place.end - length;
                        self.may_be_marker = true;
                    }
                    None => {}
                }
            }
            None => {
                self.line.begun = true;
                if self.findings.len() > since {
                    self.unknown = Some(since);
                    self.line.damage.get_or_insert(since);
                }
            }
        }
    }

    /// Where two moves are glued together, if that is what stands in `place` and both can be played.
    fn glued_moves(&self, place: Span) -> Option<usize> {
        let token = place.of(self.text);
        if self.line.stop.is_some() || token.len() > 16 {
            return None;
        }
        (2..token.len().saturating_sub(1)).find(|&cut| {
            let both = WrittenSan::canonical(&token[..cut]).zip(WrittenSan::canonical(&token[cut..]));
            both.is_some_and(|(first, second)| {
                let Some(resolved) = resolve(&self.position, self.checkers, &first) else { return false };
                let mut after = self.position.clone();
                after.play_unchecked(resolved.played);
                resolve(&after, after.checkers(), &second).is_some()
            })
        })
    }

    /// Plays two moves that are glued together, and says so.
    fn play_glued(&mut self, place: Span, cut: usize) {
        let (first, second) = place.of(self.text).split_at(cut);
        let meant = format!("{} {}", shown(first), shown(second));
        let since = self.findings.len();
        self.fault(SyntaxFaultKind::UnknownToken { meant: Some(meant) }, place);
        self.locate(since, place, false);
        for finding in self.findings.since(since) {
            finding.ply = Some(self.line.ply + 1);
            finding.move_text.clear();
        }
        let cut = place.start + cut;
        for part in [Span::new(place.start, cut), Span::new(cut, place.end)] {
            if let Some(written) = WrittenSan::canonical(part.of(self.text)) {
                self.ply(written, part);
            }
        }
    }

    /// What a token that is nothing in PGN probably stands for: a move with characters that cannot be seen, a comma or a
    /// period; or a move and the termination marker glued to it, then with a blank between.
    fn meant_by_unknown(&self, place: Span) -> Option<String> {
        let token = String::from_utf8_lossy(place.of(self.text));
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
        ["1-0", "0-1", "1/2-1/2"].into_iter().find_map(|marker| {
            let written = cleaned.strip_suffix(marker).filter(|written| WrittenSan::read(written.as_bytes()).is_some())?;
            token.ends_with(marker).then(|| format!("{written} {marker}"))
        })
    }

    /// Asks the rules about something that cannot be made sense of.
    #[cold]
    fn fault(&mut self, kind: SyntaxFaultKind, place: Span) {
        let in_variation = self.in_variation();
        ask_syntax(&SyntaxFault { text: self.text, place, kind, in_variation }, self.findings);
    }

    fn comment(&mut self) {
        if self.questions.nested_braces && self.text[self.lexer.start] == b'{' {
            let inner = self.lexer.start + 1;
            if let Some(nested) = memchr::memchr(b'{', &self.text[inner..self.lexer.at]) {
                self.fault(SyntaxFaultKind::NestedBrace, Span::new(inner + nested, inner + nested + 1));
            }
        }
    }

    fn unclosed_comment(&mut self) {
        let at_header = self.lexer.at < self.text.len();
        let brace = self.lexer.start;
        self.fault(SyntaxFaultKind::UnclosedComment { at_header }, Span::new(brace, brace + 1));
    }

    // --- numbers -------------------------------------------------------------------------------------------------------------

    #[inline]
    fn number(&mut self, value: Option<u32>, dots: u32) {
        if self.line.stop.is_some() && dots > 0 {
            return;
        }
        let expected = i64::from(self.position.fullmoves().get()) + self.line.numbering;
        let white = self.position.turn() == Color::White;
        let usual = dots == if white { 1 } else { 3 };
        if value.map(i64::from) == Some(expected)
            && usual
            && !(white && self.text.get(self.lexer.at..self.lexer.at + 2) == Some(b" ."))
        {
            self.free_numbering = false;
            return;
        }
        self.odd_number(value, dots, expected);
    }

    #[cold]
    fn odd_number(&mut self, value: Option<u32>, dots: u32, expected: i64) {
        if dots == 0 && self.join_marker() {
            return;
        }
        if self.line.stop.is_some() {
            return;
        }
        // `2. ...`: the periods stand apart.
        let mut dots = dots;
        let mut at = self.lexer.at;
        if dots > 0 {
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
        }
        let board = i64::from(self.position.fullmoves().get());
        if self.free_numbering
            && let Some(value) = value
        {
            self.numbering = i64::from(value) - board;
            self.line.numbering = self.numbering;
        }
        self.free_numbering = false;
        let expected = if self.line.numbering == self.numbering { board + self.numbering } else { expected };
        let turn = self.position.turn();
        let starts_line = !self.line.begun;
        let right = value.map(i64::from) == Some(expected);
        let dots_fit = !(turn == Color::White && dots >= 2 || turn == Color::Black && dots == 1 && starts_line);
        if (!right || !dots_fit)
            && let Some(damage) = self.line.damage
        {
            // The token that could not be read stands for a move: one cause, one finding.
            if let Some(finding) = self.findings.all().get_mut(damage) {
                finding.message.push_str("; it stands where a move belongs");
            }
            self.line.ply += 1;
            self.not_examined += 1;
            self.line.stop = Some(Stop { finding: Some(damage), plies_after: 0 });
            return;
        }
        let misplaced = starts_line && value.is_some_and(|value| self.branches_later(value, dots));
        if !right {
            let ahead = value.map_or(self.line.numbering, |value| i64::from(value) - board);
            self.line.numbering = ahead;
            if ahead == self.numbering && value.is_some() && !misplaced {
                return;
            }
        } else if dots_fit {
            return;
        }
        let facts = NumberIndication {
            text: self.text,
            place: self.place(),
            value,
            expected: u32::try_from(expected).unwrap_or_default(),
            dots,
            turn,
            starts_line,
        };
        let place = facts.place;
        let since = self.findings.len();
        ask_number(&facts, self.findings);
        self.locate(since, place, false);
        for finding in self.findings.since(since) {
            finding.ply = Some(self.line.ply + 1);
            finding.move_text.clear();
        }
        if self.findings.len() > since {
            self.line.odd_number = Some((since, self.line.ply));
        }
        if misplaced {
            self.branch_later();
        }
    }

    /// Whether the number that begins a variation is that of the ply after the one which the variation ought to replace:
    /// the variation stands one ply early.
    fn branches_later(&self, value: u32, dots: u32) -> bool {
        self.buffers.frames.last().is_some_and(|frame| {
            let expected = i64::from(frame.position.fullmoves().get()) + self.numbering;
            let side = if frame.position.turn() == Color::White { dots == 1 } else { dots > 1 };
            frame.replaced.is_some() && i64::from(value) == expected && side
        })
    }

    /// Lets the variation that begins branch off after the last ply rather than replace it.
    fn branch_later(&mut self) {
        if let Some(frame) = self.buffers.frames.last() {
            self.position = frame.position.clone();
            self.checkers = frame.checkers;
            self.buffers.line.extend(frame.replaced);
            self.line.ply = frame.line.ply;
            self.line.numbering = frame.line.numbering;
        }
    }

    // --- variations ----------------------------------------------------------------------------------------------------------

    fn open_variation(&mut self) {
        if self.buffers.frames.len() >= DEEPEST_REPLAYED {
            self.too_deep += 1;
            return;
        }
        let before_stop = matches!(self.line.stop, Some(Stop { plies_after: 0, .. })) && self.line.begun;
        let replaces = self.line.stop.is_none() && self.line.last.is_some();
        let before = self.before_last();
        let frame = Frame {
            line: self.line,
            position: self.position.clone(),
            checkers: self.checkers,
            played: self.buffers.line.len() - usize::from(replaces),
            replaced: if replaces { self.buffers.line.pop() } else { None },
            open: self.lexer.start,
            findings: self.findings.len(),
        };
        let mut line = Line::at(self.line.ply.saturating_sub(u32::from(self.line.begun)), self.line.numbering);
        if replaces {
            self.position = before;
            self.checkers = self.position.checkers();
        } else if !(before_stop && self.line.damage.is_none() && self.line.stop.is_some_and(|stop| stop.finding.is_some())) {
            // There is no telling from where it branches off.
            line.stop = Some(Stop { finding: None, plies_after: 0 });
        }
        self.buffers.frames.push(frame);
        self.line = line;
        self.unknown = None;
    }

    fn close_variation(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        if self.buffers.frames.is_empty() {
            self.fault(SyntaxFaultKind::StrayVariationClose, self.place());
            return;
        }
        self.end_line();
        self.leave_variation();
    }

    /// Goes back to the line that the variation branches off from.
    fn leave_variation(&mut self) -> Option<(usize, usize)> {
        let frame = self.buffers.frames.pop()?;
        self.buffers.line.truncate(frame.played);
        self.buffers.line.extend(frame.replaced);
        self.position = frame.position;
        self.checkers = frame.checkers;
        self.line = frame.line;
        self.unknown = None;
        Some((frame.open, frame.findings))
    }

    /// A line ends: its last ply may mate without saying so, and what was not examined is known now.
    fn end_line(&mut self) {
        if let Some(last) = self.line.last
            && self.line.stop.is_none()
            && !last.asked
            && self.questions.check_marks_missing
            && last.written.mark != CheckMark::Mate
            && self.checkers.any()
            && self.position.is_checkmate()
        {
            self.ask_about_ply();
        }
        if let Some(Stop { finding: Some(index), plies_after: after @ 1.. }) = self.line.stop
            && let Some(finding) = self.findings.all().get_mut(index)
        {
            let plies = if after == 1 { "1 ply after it was".to_owned() } else { format!("{after} plies after it were") };
            finding.message.push_str(&format!("; {plies} not examined"));
        }
    }

    // --- the end -------------------------------------------------------------------------------------------------------------

    /// Whether the marker just read ends the game: not if it stands in a variation that is closed further on.
    fn ends_game(&mut self) -> bool {
        if !self.in_variation() {
            return true;
        }
        let mut ahead = self.lexer.clone();
        let mut depth = 0usize;
        loop {
            match ahead.next() {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return false,
                Token::Close => depth -= 1,
                Token::End => {
                    self.lexer.touched_end = true;
                    return true;
                }
                Token::TagPair | Token::UnclosedComment => return true,
                _ => {}
            }
            if ahead.at > self.lexer.at + FARTHEST_BRACKET {
                return true;
            }
        }
    }

    /// Everything that can be said only at the end. Without a marker, `next` is where the next record begins.
    fn end_game(
        &mut self,
        tags: &TagSection<'_>,
        marker: Option<Marker>,
        next: usize,
        evidence: PositionEvidence,
        complete: bool,
    ) -> GameOutcome {
        self.end_line();
        let mut unclosed = None;
        while let Some(open) = self.leave_variation() {
            unclosed = Some(open);
        }
        if let Some((open, since)) = unclosed {
            // Where the variation ends is not known, so that nothing can be said of the moves and numbers behind it.
            let doubtful = self.findings.all().iter().enumerate().skip(since);
            let doubtful = doubtful.filter(|(_, finding)| matches!(finding.rule.code.family(), Family::Mov | Family::Num));
            self.buffers.folded.extend(doubtful.map(|(index, _)| index));
            self.fault(SyntaxFaultKind::UnclosedVariation, Span::new(open, open + 1));
        }
        let begun = self.begun || marker.is_some();
        let is_game = begun || self.has_tags;
        let next = match marker {
            Some(marker) => {
                self.last_token = marker.place;
                self.behind_marker()
            }
            None => next,
        };
        let end = marker.map_or(next, |marker| marker.place.end);
        let at_input_end = next == self.text.len() && complete;
        if marker.is_none() && at_input_end && is_game && !self.cut_in_tags {
            if let Some(index) = self.unknown
                && self.findings.all().get(index).is_some_and(|unknown| unknown.place.end == self.text.len())
            {
                self.buffers.folded.push(index);
            }
            let inside = if begun { "the movetext" } else { "the tag section" };
            self.fault(SyntaxFaultKind::Truncated { inside }, Span::new(self.last_token.end, self.last_token.end));
        }
        if is_game {
            if !self.cut_in_tags {
                ask_tags(tags, self.findings);
            }
            let replayed = self.line.stop.is_none() && self.line.damage.is_none() && unclosed.is_none();
            let ending = Ending {
                text: self.text,
                tags,
                marker,
                last: self.last_token,
                plies: self.line.ply,
                position: replayed.then_some(&self.position),
                last_move: self.line.last.map_or("", |last| std::str::from_utf8(last.place.of(self.text)).unwrap_or_default()),
                at_input_end,
            };
            let since = self.findings.len();
            ask_ending(&ending, self.findings);
            if self.findings.len() > since && replayed && self.line.ply > 0 {
                let fen = Fen::from_position(&self.position, EnPassantMode::Legal).to_string();
                for finding in self.findings.since(since) {
                    finding.ply = Some(self.line.ply);
                    finding.fen.clone_from(&fen);
                }
            }
        }
        GameOutcome {
            next,
            end,
            is_game,
            plies: self.plies,
            plies_not_examined: self.not_examined,
            touched_end: false,
            evidence,
            marker_missing: is_game && marker.is_none(),
            multibyte: false,
            not_utf8: false,
        }
    }

    /// Reads on behind a termination marker, up to where the next record begins.
    fn behind_marker(&mut self) -> usize {
        let mut stray_line = 0;
        let mut stray: Option<Span> = None;
        let mut extra: Option<(Span, bool, u32)> = None;
        let next = loop {
            let token = self.lexer.next();
            let place = self.place();
            match token {
                Token::TagPair => break with_bom(self.text, self.lexer.at),
                Token::End => break self.text.len(),
                Token::Comment => continue,
                Token::UnclosedComment => {
                    self.unclosed_comment();
                    continue;
                }
                _ if place.start < stray_line => continue,
                Token::Number { value: Some(1), .. } if self.begins_game() => break place.start,
                _ => {}
            }
            let word = || {
                let token = self.lexer.token();
                WrittenSan::read(token).is_some() || marker_of_token(token).is_some()
            };
            let marker = matches!(token, Token::Marker(_));
            let counts = marker || (token == Token::Word && word());
            let movetext = match token {
                Token::Word => counts,
                Token::Number { dots, .. } => dots > 0,
                Token::Open | Token::Close => self.movetext_follows(),
                _ => true,
            };
            if movetext {
                let (_, _, tokens) = extra.get_or_insert((place, marker, 0));
                *tokens += u32::from(counts);
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
        next
    }

    /// Whether a move or a number follows: a bracket before it opens a variation, and no remark.
    fn movetext_follows(&self) -> bool {
        let mut ahead = self.lexer.clone();
        match ahead.next() {
            Token::Word => WrittenSan::read(ahead.token()).is_some(),
            Token::Number { dots, .. } => dots > 0,
            _ => false,
        }
    }

    /// Whether the number 1 just read begins the movetext of another game.
    fn begins_game(&self) -> bool {
        let mut ahead = self.lexer.clone();
        loop {
            match ahead.next() {
                Token::Comment => {}
                Token::Word => return WrittenSan::read(ahead.token()).is_some(),
                _ => return false,
            }
        }
    }
}

/// The position after the side to move has passed.
fn pass_turn(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.swap_turn();
    setup.ep_square = None;
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    if setup.turn == Color::White {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    Chess::from_setup(setup, position.castles().mode()).ok()
}

/// Whether a Date tag says that the game was played under the rule that 75 moves without capture or pawn move end it: the
/// Laws of Chess in force since 1 July 2014.
fn is_under_seventy_five_move_rule(date: &[u8]) -> bool {
    let number = |from: usize, to: usize| {
        date.get(from..to).and_then(|digits| std::str::from_utf8(digits).ok()).and_then(|digits| digits.parse::<u32>().ok())
    };
    match (number(0, 4), number(5, 7)) {
        (Some(2015..), _) => true,
        (Some(2014), Some(month)) => month >= 7,
        _ => false,
    }
}
