//! Accepts games without findings quickly: no facts, no explanations, no allocations.

mod claims;
mod clocks;
mod comment;
mod evaluations;
mod header;
mod infos;
mod reached;
mod variation;
mod words;

use shakmaty::{CastlingMode, Chess, Color, Setup, fen::Fen};

use self::{
    claims::{
        is_dead_on, is_mate_written, looks_alive, marker_word, may_claim_wrongly, may_contradict, somebody_mates_next,
        somebody_may_mate,
    },
    clocks::{Control, ply_of},
    comment::{Annotations, Comment},
    header::{Header, NameFaults},
    reached::{Checked, ReachedPositions, Unchecked},
    words::{glyph, skip_whitespace, token, token_after},
};
use crate::{
    chess::{Board, SanWord, Snapshot},
    identity::{FirstPosition, MainLine, Ply},
    pgn::{EngineRemark, KnownTag, Limits, WrittenTag, begins_line, opens_tag_pair, read_engine_remark},
    record::{GameProperties, fastpath::accepted_position::AcceptedStart},
    rules::{ActiveRules, Findings, Severity, StartShown, Waking, facts::RecordBytes, tag::Age},
    text::{
        LineEndBytes, Span, count_plain_lines, is_plain_ascii,
        swar::{lowest, token_length, word},
    },
};

pub use self::infos::Infos;

/// A game without findings of severity error or warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedGame {
    /// Start of its movetext, in bytes.
    pub movetext: usize,
    /// One past its termination marker, in bytes.
    pub end: usize,
    /// Start of the next game, or the end of the text, in bytes.
    pub next: usize,
    /// Number of plies, those in variations included.
    pub plies: u32,
    /// Whether it contains UTF-8 beyond ASCII.
    pub multibyte: bool,
    /// Number of line breaks up to the next game.
    pub line_breaks: usize,
    /// What the position in its FEN tag shows about its starting position, and its halfmove clock
    /// and fullmove number.
    pub first: Option<(StartShown, (u32, u32))>,
    /// When it was played, by its Date tag.
    pub age: Age,
    /// How its move numbers are written, if infos are excluded.
    numbers: NumberStyles,
    /// Its tags, for [`FastGames::count`].
    tags: u128,
    /// What rules report about the names in its tags, if infos are excluded and nothing else is
    /// reported about tags. `None` proves nothing.
    name_faults: Option<NameFaults>,
    /// How many moves give check without a mark, if infos are excluded.
    unmarked_checks: u32,
}

/// How the move numbers of a game are written, apart from the usual style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct NumberStyles {
    /// As in `1.e4`.
    glued: bool,
    /// As in `1. e4 1... e5`.
    superfluous: bool,
}

/// Reads games one after the other, and keeps what is the same from game to game.
#[derive(Debug, Default)]
pub struct FastGames {
    board: Board,
    tags: header::Memory,
    /// Whether the game read last has variations. The next one may have some, too.
    has_variations: bool,
    /// Whether the movetext must not have infos either.
    is_exact: bool,
}

/// Maximum number of bytes that are read at a time.
const MAX_READ: usize = 32;

/// Maximum length of a game at the end of a text, in bytes.
const MAX_LAST: usize = 1 << 14;

/// Higher move numbers are not accepted.
const MAX_NUMBERS: usize = 1000;

/// A move number as written before a move of one side.
#[derive(Clone, Copy)]
struct Number {
    /// Its bytes, first one lowest.
    word: u64,
    /// All bits of these bytes.
    mask: u64,
    /// Its length in bytes.
    length: usize,
}

/// Every move number, before a move of White and, with three dots, before a move of Black.
const NUMBERS: &[[Number; MAX_NUMBERS]; 2] = &[numbers(b"."), numbers(b"...")];

const fn numbers(dots: &[u8]) -> [Number; MAX_NUMBERS] {
    let mut table = [Number { word: 0, mask: u64::MAX, length: 0 }; MAX_NUMBERS];
    let mut number = 1;
    while number < MAX_NUMBERS {
        let mut word = marker_word(dots);
        let mut length = dots.len();
        let mut digits = number as u64;
        while digits > 0 {
            word = word << 8 | (b'0' as u64 + digits % 10);
            digits /= 10;
            length += 1;
        }
        table[number] = Number { word, mask: (1 << (8 * length)) - 1, length };
        number += 1;
    }
    table
}

impl Number {
    /// The end of this number at `at`, where the bytes `next` are.
    #[inline(always)]
    fn end(&self, at: usize, next: u64) -> Option<usize> {
        (next & self.mask == self.word).then_some(at + self.length)
    }
}

impl AcceptedGame {
    /// Whether it names the FIDE id of a player. Rules about all games of an input need only such
    /// games.
    pub const fn has_fide_ids(&self) -> bool {
        self.tags & header::FIDE_IDS != 0
    }
}

impl FastGames {
    /// Accepts only ratings and dates within `limits`.
    pub fn within(limits: &Limits) -> FastGames {
        FastGames::without(Severity::Warning, limits)
    }

    /// Accepts games without findings of at least this severity. Infos about tags, lines and
    /// missing check marks are left to [`Infos`].
    pub fn without(severity: Severity, limits: &Limits) -> FastGames {
        let mut games = FastGames::default();
        games.begin(severity, limits);
        games
    }

    /// Begins to read another input, as [`FastGames::without`].
    pub fn begin(&mut self, severity: Severity, limits: &Limits) {
        // The board is set up for each game.
        let FastGames { board: _, tags, has_variations, is_exact } = self;
        *tags = header::Memory::within(limits);
        (*has_variations, *is_exact) = (false, severity == Severity::Info);
    }

    /// Number of pieces, kings and pawns included, at the end of the game read last.
    pub fn piece_count(&self) -> usize {
        self.board.piece_count()
    }

    /// Puts the main line of the game in `text` that was accepted last into `line`. Returns false
    /// if it is not known completely.
    pub fn main_line(&self, text: &[u8], game: &AcceptedGame, line: &mut MainLine) -> bool {
        line.goes_on = false;
        line.plies.clear();
        // Without branches, so that the compiler can use vector instructions.
        line.plies.extend(self.board.squares_played().map(|(squares, promotion)| Ply::between(squares, promotion)));
        for (at, squares) in self.board.castlings_played() {
            line.plies[at] = Ply::between(squares, 0);
        }
        if game.first.is_none() {
            line.first.clone_from(FirstPosition::standard());
        } else {
            let Some(first) = first_position(self.tags.value(text, game.tags, KnownTag::Fen)) else { return false };
            line.first = first;
        }
        line.plies.len() == self.board.plies()
    }

    /// The tags of the game that was accepted last, in a record that begins at byte `start`.
    pub fn tags(&self, game: &AcceptedGame, start: usize) -> impl Iterator<Item = WrittenTag<'_>> {
        self.tags.written(game.tags, start)
    }

    /// The properties of the game in `text` that was accepted last.
    pub fn properties(&self, text: &[u8], game: &AcceptedGame) -> GameProperties {
        let plies = u32::try_from(self.board.plies()).ok();
        let movetext = text.get(game.movetext..game.end).unwrap_or_default();
        GameProperties::of(|tag| self.tags.value(text, game.tags, tag), plies, movetext)
    }

    /// From now on, tags with this misspelled name are only counted.
    pub fn count_tag(&mut self, name: &[u8]) {
        self.tags.count_name(name);
    }

    /// Counts the tags of a game whose names are only counted.
    #[inline(always)]
    pub fn count(&mut self, game: AcceptedGame) {
        self.tags.count(game.tags);
    }

    /// The names that came up since this was asked last, and how often.
    pub fn take_counted_tags(&mut self) -> impl Iterator<Item = (&[u8], u64)> {
        self.tags.take_counted()
    }

    /// Reads the game at `start`. `None` proves nothing.
    ///
    /// `checks` are the selected rules. Those about bytes are run if the game contains anything but
    /// plain ASCII.
    pub fn accept(&mut self, text: &[u8], start: usize, checks: &ActiveRules) -> Option<AcceptedGame> {
        if self.is_exact {
            self.accept_reaching::<_, true>(text, start, checks, Unchecked)
        } else {
            self.accept_reaching::<_, false>(text, start, checks, Unchecked)
        }
    }

    /// As [`FastGames::accept`], and checks every position that the game reaches. `examine` is
    /// asked about positions that cannot be proven quickly to have no findings, and says whether
    /// they have none.
    pub fn accept_with_positions(
        &mut self,
        text: &[u8],
        start: usize,
        checks: &ActiveRules,
        examine: impl FnMut(Setup) -> bool,
    ) -> Option<AcceptedGame> {
        self.accept_reaching::<_, false>(text, start, checks, Checked::new(examine))
    }

    /// As `accept`, for the last game of a text. Several bytes are read at a time, so the last game
    /// needs some after it. Longer games than [`MAX_LAST`] are not accepted.
    #[cold]
    pub fn accept_last(
        &mut self,
        text: &[u8],
        start: usize,
        accept: impl FnOnce(&mut FastGames, &[u8], usize) -> Option<AcceptedGame>,
    ) -> Option<AcceptedGame> {
        // What is before the game shows whether it begins a line, and whether the text begins with
        // it.
        let before = start.min(1);
        let last = text.get(start - before..).filter(|last| last.len() <= MAX_LAST)?;
        let skipped = start - before;
        let game = accept(self, &[last, &[b' '; MAX_READ]].concat(), before)?;
        self.tags.values_at = skipped;
        Some(AcceptedGame {
            movetext: game.movetext + skipped,
            end: game.end + skipped,
            next: (game.next + skipped).min(text.len()),
            ..game
        })
    }

    #[inline(always)]
    fn accept_reaching<R: ReachedPositions, const EXACT: bool>(
        &mut self,
        text: &[u8],
        start: usize,
        checks: &ActiveRules,
        mut reached: R,
    ) -> Option<AcceptedGame> {
        self.tags.values_at = 0;
        let (mut header, movetext) = header::read(text, start, &mut self.tags, checks.waking())?;
        if R::CHECKS && header.first.is_some() {
            return None;
        }
        if EXACT {
            header = header.without_infos(text, movetext)?;
        }
        let (mut read, mut plies_in_variations, mut numbers) = (None, 0, NumberStyles::default());
        if !self.has_variations {
            let mut replay = FastReplay::<_, false, EXACT>::new(text, &mut self.board, &header, &mut reached);
            read = replay.movetext(movetext);
            numbers = replay.numbers;
            self.has_variations = replay.met_variation && !R::CHECKS && !EXACT;
        }
        if self.has_variations {
            let mut replay = FastReplay::<_, true, EXACT>::new(text, &mut self.board, &header, &mut reached);
            read = replay.movetext(movetext);
            self.has_variations = replay.met_variation;
            plies_in_variations = replay.plies_in_variations;
        }
        let (plies, at, marker, annotations) = read?;
        if !annotations.fit_end(text, &header, &self.board, plies) {
            return None;
        }
        if marker != header.result || self.board.may_be_drawn_automatically() || !header.fits_end(text, &self.board, plies) {
            return None;
        }
        if EXACT {
            let black_to_move = header.is_black_to_move(plies);
            let has_info = plies == 0
                || !annotations.have_no_infos(text, &header, black_to_move)
                || self.board.has_unmarked_mate(black_to_move)
                || self.was_dead_before_last_ply(text, movetext, &header, plies);
            if has_info {
                return None;
            }
        }
        let waking = checks.waking();
        if waking.has_moves() && (header.first.is_some() || plies_in_variations > 0 || self.has_move(plies, waking)) {
            return None;
        }
        let next = next_game(text, at)?;
        let (line_breaks, multibyte) = match count_plain_lines(&text[start..next]) {
            Some(line_breaks) => (line_breaks, false),
            None => accept_other_bytes(text, start, next, checks)?,
        };
        let first = header.first.map(|first| (first.shown, first.counters));
        let name_faults = if EXACT { header.name_faults(text, &mut self.tags, checks.waking()) } else { None };
        let unmarked_checks = if EXACT { self.board.unmarked_checks() } else { 0 };
        Some(AcceptedGame {
            movetext,
            end: at,
            next,
            plies: plies + plies_in_variations,
            multibyte,
            line_breaks,
            first,
            age: header.age,
            numbers,
            tags: header.seen,
            name_faults,
            unmarked_checks,
        })
    }

    /// Whether one of the plies just read may wake a rule. The game begins in the starting
    /// position.
    #[cold]
    fn has_move(&self, plies: u32, waking: &Waking) -> bool {
        let mut known = 0;
        let wakes = self.board.first_moves(plies as usize).inspect(|_| known += 1).any(|played| waking.by_move(&played));
        wakes || known < plies
    }

    /// Whether the position was dead already before the last of the plies just read. The game
    /// begins in the starting position.
    fn was_dead_before_last_ply(&self, text: &[u8], movetext: usize, header: &Header, plies: u32) -> bool {
        debug_assert!(header.first.is_none(), "plies are counted from move 1");
        let black_to_move = header.is_black_to_move(plies);
        // A dead position stays dead. A game that somebody won did not end in one, as other checks
        // have shown.
        if header.winner().is_some() || looks_alive(&self.board, black_to_move) {
            return false;
        }
        // The position before rarely needs a proof: in it, the side to move was not in check.
        if self.board.before_last_ply().is_some_and(|before| looks_alive(&before, !black_to_move)) {
            return false;
        }
        let mut before = self.board.clone();
        let mut unchecked = Unchecked;
        let mut replay = FastReplay::<_, false, true>::new(text, &mut before, header, &mut unchecked);
        replay.stop = plies;
        replay.movetext(movetext);
        let is_complete = before.plies() + 1 == plies as usize;
        !is_complete || is_dead_on(&before, !black_to_move)
    }
}

/// The position in which a game with this FEN begins.
#[cold]
fn first_position(fen: &[u8]) -> Option<FirstPosition> {
    let position: Chess = Fen::from_ascii(fen).ok()?.into_position(CastlingMode::Chess960).ok()?;
    Some(FirstPosition::of(&position))
}

/// The number of line breaks in the record, which is not plain, and whether it contains UTF-8
/// beyond ASCII. `None` if its bytes have findings.
#[cold]
fn accept_other_bytes(text: &[u8], start: usize, end: usize, checks: &ActiveRules) -> Option<(usize, bool)> {
    let LineEndBytes { lf, cr, cr_lf } = LineEndBytes::count(&text[start..end]);
    let line_breaks = lf + cr - cr_lf;
    if is_plain_ascii(&text[start..end]) {
        return Some((line_breaks, false));
    }
    let bytes = RecordBytes { text, start, end, at_input_start: start == 0 };
    let mut findings = Findings::new();
    checks.bytes(&bytes, &mut findings);
    let record = bytes.record();
    (findings.is_empty() && str::from_utf8(record).is_ok()).then(|| (line_breaks, !record.is_ascii()))
}

/// The start of the next game after whitespace and comments, on a line of its own, or the end of
/// the text. Rules may report a comment after a blank line.
#[inline]
fn next_game(text: &[u8], at: usize) -> Option<usize> {
    let mut next = skip_whitespace(text, at);
    while let Some(first @ (b';' | b'{')) = text.get(next) {
        if *first == b'{' && memchr::memchr2_iter(b'\n', b'\r', &text[at..next]).nth(1).is_some() {
            return None;
        }
        next = skip_whitespace(text, comment::end_after_marker(text, next)?);
    }
    let opens = || text[next..].starts_with(b"[Event \"") || opens_tag_pair(text, next);
    (next == text.len() || (begins_line(text, next) && opens())).then_some(next)
}

/// A replay of movetext on the fast board. Only with `VARIATIONS` are there variations. With
/// `EXACT`, movetext with infos is not accepted.
struct FastReplay<'a, 'b, R, const VARIATIONS: bool, const EXACT: bool> {
    text: &'a [u8],
    board: &'b mut Board,
    reached: &'b mut R,
    annotations: Annotations,
    /// With `VARIATIONS`, the position before the last ply.
    before: Snapshot,
    /// Whether a variation was met.
    met_variation: bool,
    /// With `EXACT`, how move numbers are written.
    numbers: NumberStyles,
    /// Number of plies in variations.
    plies_in_variations: u32,
    /// With `EXACT`, the ply, from 1, before which the replay stops.
    stop: u32,
    /// The number of the current move.
    number: usize,
    black_begins: bool,
    /// Whether the first position is that of standard chess.
    from_start: bool,
    /// Number of plies before the first one, by the first number.
    plies_before: u32,
    /// The end of the last comment with words, and the number of plies before it.
    words: (usize, u32),
}

impl<'a, 'b, R: ReachedPositions, const VARIATIONS: bool, const EXACT: bool> FastReplay<'a, 'b, R, VARIATIONS, EXACT> {
    #[inline(always)]
    fn new(text: &'a [u8], board: &'b mut Board, header: &Header, reached: &'b mut R) -> Self {
        let black_begins = header.black_begins();
        let mut number = 1;
        match header.first {
            None => board.reset(header.counts_repetitions),
            Some(AcceptedStart { position, counters, .. }) => {
                number = counters.1 as usize;
                board.set_up(&position.pieces, position.rights, position.en_passant, black_begins, header.counts_repetitions);
            }
        }
        let (annotations, before) = (Annotations::new(header.control, black_begins), board.snapshot());
        FastReplay {
            text,
            board,
            reached,
            annotations,
            before,
            met_variation: false,
            numbers: NumberStyles::default(),
            plies_in_variations: 0,
            stop: u32::MAX,
            number,
            black_begins,
            from_start: header.first.is_none(),
            plies_before: 0,
            words: (0, 0),
        }
    }

    /// Reads the movetext at `at`. Returns the number of plies, the end, the marker and the
    /// annotations.
    #[inline(always)]
    fn movetext(&mut self, at: usize) -> Option<(u32, usize, u64, Annotations)> {
        let text = self.text;
        let (mut at, mut next) = token(text, at)?;
        while next as u8 == b'{' {
            at = comment::skip(text, at, next, &mut Annotations::new(Control::UNKNOWN, false), 0, 2)
                .filter(|(_, what)| *what == Comment::Words || (!EXACT && *what == Comment::CommandsAndWords))?
                .0;
            (at, next) = token(text, at)?;
        }
        self.plies_before = 2 * self.number as u32 - 2;
        if self.black_begins {
            self.plies_before += 1;
            let Some(first) = self.after_number_of_black(at, next)? else { return self.end(at, next, 1) };
            at = self.ply::<1>(first.0, first.1)?;
            (at, next) = token(text, at)?;
            (at, next) = self.remarks::<1>(at, next)?;
            self.number += 1;
        }
        loop {
            let Some(end) = NUMBERS[0].get(self.number)?.end(at, next) else { return self.end(at, next, 0) };
            (at, next) = self.after_number(end)?;
            at = self.ply::<0>(at, next)?;
            (at, next) = self.after_white(at)?;
            if next as u8 <= b'9' {
                return self.end(at, next, 1);
            }
            at = self.ply::<1>(at, next)?;
            (at, next) = token_after(text, at)?;
            if !(next as u8).is_ascii_digit() {
                (at, next) = self.remarks::<1>(at, next)?;
            }
            self.number += 1;
        }
    }

    /// Plays the move at `at`. Returns its end.
    #[inline(always)]
    fn ply<const SIDE: usize>(&mut self, at: usize, next: u64) -> Option<usize> {
        let length = token_length(next);
        if length == 8 || EXACT && ply_of(SIDE, self.number) == self.stop {
            return None;
        }
        if VARIATIONS {
            self.board.snapshot_to(&mut self.before);
        }
        let is_accepted =
            self.board.play::<SIDE, EXACT>(SanWord::of(next, length)) && self.reached.accept::<SIDE>(self.board, self.number);
        is_accepted.then_some(at + length as usize)
    }

    /// Continues after a move of White: to the move of Black, or to a marker.
    #[inline(always)]
    fn after_white(&mut self, at: usize) -> Option<(usize, u64)> {
        let (mut at, mut next) = token_after(self.text, at)?;
        // Nearly always a move.
        if (next as u8).is_ascii_alphabetic() {
            return Some((at, next));
        }
        if !(next as u8).is_ascii_digit() {
            (at, next) = self.remarks::<0>(at, next)?;
        } else if EXACT {
            let at = self.after_superfluous_number(at, next)?;
            return Some((at, word(self.text, at)?));
        }
        self.after_number_of_black(at, next).map(|found| found.unwrap_or((at, next)))
    }

    /// The move after a number of Black at `at`. `Some(None)` if there is no such number.
    #[inline(always)]
    fn after_number_of_black(&mut self, at: usize, next: u64) -> Option<Option<(usize, u64)>> {
        let Some(end) = NUMBERS[1].get(self.number)?.end(at, next) else { return Some(None) };
        let (at, next) = self.after_number(end)?;
        (next as u8).is_ascii_alphabetic().then_some(Some((at, next)))
    }

    /// The token after a move number that ends at `at`.
    #[inline(always)]
    fn after_number(&mut self, at: usize) -> Option<(usize, u64)> {
        let (next, word) = token(self.text, at)?;
        self.numbers.glued |= EXACT && next == at;
        Some((next, word))
    }

    /// The place of the move after a number of Black at `at`, right after a move of White. `at` if
    /// there is no such number.
    #[cold]
    fn after_superfluous_number(&mut self, at: usize, next: u64) -> Option<usize> {
        let glued = self.numbers.glued;
        let found = self.after_number_of_black(at, next)?;
        if found.is_some() {
            self.numbers = NumberStyles { glued, superfluous: true };
        }
        Some(found.map_or(at, |(at, _)| at))
    }

    /// Skips comments, glyphs and variations after a move of `SIDE`.
    #[inline(always)]
    fn remarks<const SIDE: usize>(&mut self, mut at: usize, mut next: u64) -> Option<(usize, u64)> {
        if let Some((end, time)) = comment::plain_clock(self.text, at, next) {
            if !self.annotations.accept_next_clock::<EXACT>(SIDE, self.number, time) {
                return None;
            }
            (at, next) = token_after(self.text, end)?;
            // Nearly always a number or a marker.
            if (next as u8).is_ascii_digit() {
                return Some((at, next));
            }
        }
        self.other_remarks(at, next, SIDE)
    }

    /// The same for anything but a clock alone.
    #[inline(always)]
    fn other_remarks(&mut self, mut at: usize, mut next: u64, side: usize) -> Option<(usize, u64)> {
        loop {
            match next as u8 {
                b'{' if EXACT && let Some((end, time)) = comment::plain_clock(self.text, at, next) => {
                    if !self.annotations.accept_next_clock::<EXACT>(side, self.number, time) {
                        return None;
                    }
                    at = end;
                }
                b'{' if EXACT => {
                    at = self.fitting_words(at, side)?;
                    self.words = (at, ply_of(side, self.number));
                }
                b'{' => {
                    let (end, what) = comment::skip(self.text, at, next, &mut self.annotations, side, self.number)?;
                    if what != Comment::Commands {
                        let plies = ply_of(side, self.number);
                        let is_possible = match what {
                            Comment::Mate => somebody_may_mate(self.board, side),
                            Comment::MateNext { by_black } => {
                                is_mate_written(self.text, end) || somebody_mates_next(self.board, side, by_black)
                            }
                            Comment::Commands | Comment::Words | Comment::CommandsAndWords => true,
                        };
                        if !is_possible {
                            return None;
                        }
                        self.words = (end, plies);
                    }
                    at = end;
                }
                b'$' | b'(' if EXACT => return None,
                b'$' => at = glyph(self.text, at, token_length(next))?,
                b'(' => {
                    self.met_variation = true;
                    if !VARIATIONS {
                        return None;
                    }
                    at = self.variation(at, side, 1)?;
                }
                _ => return Some((at, next)),
            }
            (at, next) = token(self.text, at)?;
        }
    }

    /// Skips the comment at `open`. It must contain only words, and what an engine wrote about its
    /// move must agree with what was written before. Returns its end.
    #[inline(never)]
    fn fitting_words(&mut self, open: usize, side: usize) -> Option<usize> {
        let text = self.text;
        // Before the ply at which a replay stops, all comments have been checked.
        if self.stop != u32::MAX {
            return Some(comment::words(text, open + 1)?.0);
        }
        let start = open + 1 + usize::from(text.get(open + 1) == Some(&b' '));
        let (end, remark) = match *text.get(start)? {
            b'd' | b'e' | b'm' | b'w' => {
                let (end, fields) = comment::words_with_fields(text, start)?;
                let (evaluation, elapsed) = (fields.evaluation(text, end - 1), fields.elapsed(text, end - 1));
                // The remaining time is not compared with anything, but shows that an engine wrote
                // the comment.
                let is_remark = evaluation.is_some() || elapsed.is_some() || fields.clock(text, end - 1).is_some();
                (end, is_remark.then_some(EngineRemark { evaluation, elapsed, clock: None }))
            }
            b'+' | b'-' | b'0' => {
                let (end, _) = comment::words(text, start)?;
                // Only an equal evaluation has no sign.
                if text[start] == b'0' && !text[start..end].starts_with(b"0.00/") {
                    return Some(end);
                }
                (end, read_engine_remark(text, Span::new(start, end - 1), Color::from_white(side == 0)))
            }
            // No engine begins with these.
            b'1'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => (comment::words(text, start)?.0, None),
            _ => {
                let (end, what) = comment::other(text, open, &mut self.annotations, side, self.number)?;
                if what != Comment::Words {
                    return None;
                }
                (end, read_engine_remark(text, Span::new(open + 1, end - 1), Color::from_white(side == 0)))
            }
        };
        remark.is_none_or(|remark| self.annotations.fits_remark(&remark, side, self.number)).then_some(end)
    }

    /// Whether the comment at the end of `text` agrees with the marker and the moves. `plies` as in
    /// [`may_claim_wrongly`].
    #[cold]
    fn do_words_agree(&self, text: &[u8], marker: u64, plies: Option<u32>) -> bool {
        let open = memchr::memrchr(b'{', text).map_or(0, |open| open + 1);
        let words = text[open..].strip_suffix(b"}").unwrap_or_default();
        let is_won = [marker_word(b"1-0"), marker_word(b"0-1")].contains(&marker);
        !may_contradict(words, marker) && (is_won || !may_claim_wrongly(words, self.board, plies))
    }

    /// Reads the termination marker at `at`. Returns the number of plies, the end of the marker,
    /// the marker and the annotations.
    #[inline(always)]
    fn end(&self, at: usize, next: u64, plies: u32) -> Option<(u32, usize, u64, Annotations)> {
        let length = token_length(next);
        let marker = lowest(next, length);
        let known = [marker_word(b"1-0"), marker_word(b"0-1"), marker_word(b"1/2-1/2"), marker_word(b"*")];
        let plies = 2 * self.number as u32 - 2 + plies;
        let played = plies - self.plies_before;
        let words_agree = self.words.1 != plies
            || self.do_words_agree(self.text.get(..self.words.0)?, marker, self.from_start.then_some(played));
        (length < 8 && known.contains(&marker) && words_agree).then_some((played, at + length as usize, marker, self.annotations))
    }
}
