//! Reads tag sections.

mod known_termination;
mod nothing_to_report;

use std::{iter, mem};

use arrayvec::ArrayVec;
use jiff::civil::Date;

use super::{
    claims::{marker_word, may_claim_wrongly, shows},
    clocks::Control,
    words::{line_breaks, skip_whitespace},
};
use crate::{
    chess::{Board, Variant, variant_of_event, winnability::cannot_checkmate},
    pgn::{GameTime, KnownTag, Limits, WrittenTag},
    record::fastpath::{accepted_position::AcceptedStart, accepts_fields},
    rules::{
        StartShown, Waking,
        facts::TagValues,
        res::draws::{DrawClaim, draw_claim},
        tag::{Age, ZERO_DATE, is_only_misspelled, is_other_tag},
    },
    text::{
        Span,
        swar::{any_digit, has_form, lowest, name_length, value_length, word},
    },
};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen, zobrist::Zobrist64};

const TAGS: usize = KnownTag::ALL.len();

/// What the end of the game must agree with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    /// The first position, if it is not that of standard chess.
    pub first: Option<AcceptedStart>,
    /// What the Date tag shows.
    pub age: Age,
    /// The Result tag as a word, first byte lowest.
    pub result: u64,
    /// Whether the tags say that the Laws of Chess since July 2014 apply and that the game was won:
    /// then repetitions are counted.
    pub counts_repetitions: bool,
    /// Whether the date says that these Laws apply, so that automatic draws are possible.
    may_be_drawn: bool,
    /// Whether it does and the game was won, so that it must not end with an automatic draw.
    must_not_end_drawn: bool,
    /// The draw that the TerminationDetails tag names.
    claim: Option<DrawClaim>,
    /// The time control.
    pub control: Control,
    /// The tags, one bit each.
    pub seen: u128,
    ply_count: (usize, usize),
    termination: (usize, usize),
    current_position: (usize, usize),
    /// The values of [`MOMENTS`], if the game has tags that give its end.
    moments: Option<[(usize, usize); MOMENTS.len()]>,
}

/// The tags that give the start and the end of a game.
const MOMENTS: [KnownTag; 7] = [
    KnownTag::GameStartTime,
    KnownTag::GameEndTime,
    KnownTag::UtcDate,
    KnownTag::UtcTime,
    KnownTag::StartTime,
    KnownTag::EndDate,
    KnownTag::EndTime,
];

/// Maximum halfmove clock of a first position if an automatic draw is looked for.
const MAX_CLOCK: u32 = 20;

/// Maximum number of names of other tags.
const MAX_OTHERS: usize = 128 - TAGS;

/// Maximum number of bytes of such a name.
const MAX_NAME: usize = 32;

/// Names of tags that are not known, and about which no rule has anything to say.
type OtherNames = ArrayVec<ArrayVec<u8, MAX_NAME>, MAX_OTHERS>;

/// What is kept from game to game.
#[derive(Debug)]
pub(super) struct Memory {
    /// The value of each tag that the game has, as start and end in bytes.
    places: [(usize, usize); 128],
    /// What these places are counted from.
    pub values_at: usize,
    /// The names of other tags, which are numbered after the known ones.
    others: OtherNames,
    /// Those of them that are only counted, because they have been reported once. One bit each.
    counted: u128,
    /// How often each of them came up since.
    times: [u64; MAX_OTHERS],
    /// The last time control: its bytes, their number, and what it means.
    time_control: ([u8; 32], usize, Control),
    /// The last value of the Termination tag without infos.
    termination: known_termination::KnownTermination,
    bounds: Option<Bounds>,
}

/// Limits that are narrower than the built-in ones.
#[derive(Debug)]
struct Bounds {
    elo: (u32, u32),
    /// First and last day in the format of tags, to compare them as text.
    days: (String, String),
}

impl Bounds {
    #[cold]
    fn allow(&self, dates: [&[u8]; 2], ratings: [&[u8]; 2]) -> bool {
        let (first, last) = (self.days.0.as_bytes(), self.days.1.as_bytes());
        // Question marks sort after digits: a partly known date is accepted only if its year
        // decides.
        let day = |date: &[u8]| date.is_empty() || date.starts_with(b"????") || (first <= date && date <= last);
        let rating = |value: &[u8]| {
            let number = value.iter().fold(0, |number, byte| 10 * number + u32::from(byte & 15));
            matches!(value, b"?" | b"-" | b"") || (self.elo.0..=self.elo.1).contains(&number)
        };
        dates.into_iter().all(day) && ratings.into_iter().all(rating)
    }
}

impl Memory {
    pub fn within(limits: &Limits) -> Memory {
        let day = |day: Date| day.strftime("%Y.%m.%d").to_string();
        let bounds = limits.are_narrower().then(|| Bounds {
            elo: (limits.min_elo, limits.max_elo),
            days: (day(limits.first_day), day(limits.end().unwrap_or(Date::MAX))),
        });
        Memory { bounds, ..Memory::default() }
    }

    /// From now on, tags with this name are only counted. It is misspelled, and that is reported
    /// once per input.
    #[cold]
    pub fn count_name(&mut self, name: &[u8]) {
        let is_new = self.others.iter().all(|other| !other.eq_ignore_ascii_case(name));
        if is_new
            && is_only_misspelled(name)
            && let Ok(name) = name.try_into()
            && self.others.try_push(name).is_ok()
        {
            self.counted |= 1 << (TAGS + self.others.len() - 1);
        }
    }

    /// The value of a tag of the game read last, which has the tags `seen`. Empty if it does not
    /// have the tag.
    #[inline(always)]
    pub fn value<'a>(&self, text: &'a [u8], seen: u128, tag: KnownTag) -> &'a [u8] {
        let (start, end) = TagValues { text, seen, places: &self.places }.place(tag);
        text.get(start + self.values_at..end + self.values_at).unwrap_or_default()
    }

    /// The tags `seen` of the game read last, in a record that begins at byte `start`.
    pub fn written(&self, seen: u128, start: usize) -> impl Iterator<Item = WrittenTag<'_>> {
        let is_some = |seen: &u128| *seen != 0;
        let rests = iter::successors(Some(seen).filter(is_some), move |seen| Some(seen & (seen - 1)).filter(is_some));
        rests.filter_map(move |seen| {
            let number = seen.trailing_zeros() as usize;
            let tag = KnownTag::ALL.get(number).copied();
            let name = tag.map(|tag| tag.name().as_bytes()).or_else(|| Some(self.others.get(number - TAGS)?))?;
            let (value, end) = *self.places.get(number)?;
            let base = self.values_at;
            Some(WrittenTag { tag, name, value: Span::new(value + base - start, end + base - start) })
        })
    }

    /// Counts the tags among `seen` whose names are only counted.
    #[inline(always)]
    pub fn count(&mut self, seen: u128) {
        let mut counted = seen & self.counted;
        while counted != 0 {
            self.times[counted.trailing_zeros() as usize - TAGS] += 1;
            counted &= counted - 1;
        }
    }

    /// The names that came up since this was asked last, and how often.
    pub fn take_counted(&mut self) -> impl Iterator<Item = (&[u8], u64)> {
        let names = self.others.iter().map(|name| &name[..]);
        names.zip(self.times.iter_mut().map(mem::take)).filter(|(_, times)| *times > 0)
    }
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            places: [(0, 0); 128],
            values_at: 0,
            others: ArrayVec::new(),
            counted: 0,
            times: [0; MAX_OTHERS],
            time_control: ([0; 32], usize::MAX, Control::UNKNOWN),
            termination: known_termination::KnownTermination::default(),
            bounds: None,
        }
    }
}

/// The meaning of a TimeControl tag. It is nearly always the same as in the game before.
fn control_of((bytes, length, control): &mut ([u8; 32], usize, Control), value: &[u8]) -> Option<Control> {
    if bytes.get(..*length) != Some(value) {
        *control = Control::read(value)?;
        *length = usize::MAX;
        if let Some(bytes) = bytes.get_mut(..value.len()) {
            bytes.copy_from_slice(value);
            *length = value.len();
        }
    }
    Some(*control)
}

const fn bit(tag: KnownTag) -> u128 {
    1 << tag as u32
}

/// The bit of each tag, in a table because shifts of 128 bits are slow.
const BITS: &[u128; 128] = &{
    let mut bits = [0; 128];
    let mut tag = 0;
    while tag < 128 {
        bits[tag] = 1 << tag;
        tag += 1;
    }
    bits
};

const ROSTER: u128 = bit(KnownTag::Event)
    | bit(KnownTag::Site)
    | bit(KnownTag::Date)
    | bit(KnownTag::Round)
    | bit(KnownTag::White)
    | bit(KnownTag::Black)
    | bit(KnownTag::Result);

/// What rules report once per input about the names of the players: the values of the findings.
pub(super) type NameFaults = [Option<&'static str>; 2];

/// The tags with the FIDE ids of the players.
pub(super) const FIDE_IDS: u128 = bit(KnownTag::WhiteFideId) | bit(KnownTag::BlackFideId);

/// Reads the tag section at `start`, unless its values wake rules. Returns the start of the
/// movetext, too.
#[inline(always)]
pub(super) fn read(text: &[u8], start: usize, memory: &mut Memory, waking: &Waking) -> Option<(Header, usize)> {
    let mut at = start;
    let mut seen = 0_u128;
    while text.get(at) == Some(&b'[') {
        let (tag, value, close) = pair(text, at, &mut memory.others)?;
        let bit = BITS[tag & 127];
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
        memory.places[tag & 127] = (value, close);
        at = match text.get(close + 2..)? {
            [b'\n', ..] => close + 3,
            [b'\r', b'\n', ..] => close + 4,
            _ => return None,
        };
    }
    if seen & ROSTER != ROSTER {
        return None;
    }
    let header = check_values(text, seen, memory, waking)?;
    let movetext = skip_whitespace(text, at);
    let is_usual = movetext == at + 1 && text[at] == b'\n';
    (is_usual || is_gap(text, at, movetext)).then_some((header, movetext))
}

/// Whether there is nothing but whitespace between two places, with one blank line at most: some
/// readers end the game at a second one.
#[cold]
fn is_gap(text: &[u8], from: usize, to: usize) -> bool {
    text[from..to].iter().all(|byte| matches!(byte, b' ' | b'\t'..=b'\r')) && line_breaks(text, from, to) < 2
}

/// The number of a tag that is not in the table. `None` if a rule may have findings about its name.
#[cold]
fn other_tag(name: &[u8], others: &mut OtherNames) -> Option<usize> {
    let number = match others.iter().position(|other| other[..] == *name) {
        Some(number) => number,
        None => {
            // The table has no long names.
            if let Some(known) = KnownTag::ALL.iter().position(|tag| tag.name().as_bytes() == name) {
                return Some(known);
            }
            // The same name in another case would be a duplicate.
            let is_new = || others.iter().all(|other| !other.eq_ignore_ascii_case(name));
            if !is_other_tag(name) || !is_new() || others.try_push(name.try_into().ok()?).is_err() {
                return None;
            }
            others.len() - 1
        }
    };
    Some(TAGS + number)
}

/// The bytes of a name of each length, as the bits of two words.
const NAME_BITS: &[[u64; 2]; 17] = &{
    let mut bits = [[0; 2]; 17];
    let mut length = 1;
    while length <= 16 {
        let bits_before: [u64; 2] = bits[length - 1];
        bits[length] = bits_before;
        bits[length][(length - 1) / 8] |= 0xFF << (8 * ((length - 1) % 8));
        length += 1;
    }
    bits
};

/// Reads the tag pair at `open`. Returns the tag, and start and end of its value.
#[inline(always)]
fn pair(text: &[u8], open: usize, others: &mut OtherNames) -> Option<(usize, usize, usize)> {
    let name: &[u8; 16] = text.get(open + 1..)?.first_chunk()?;
    let [first, second] = [word(name, 0)?, word(name, 8)?];
    let mut length = name_length(name) as usize;
    let [of_first, of_second] = NAME_BITS[length];
    let mut tag = KnownTag::of_words((first & of_first, second & of_second)).map(|tag| tag as usize);
    if length == name.len() {
        // The table has no names as long as this.
        length = text[open + 1..].iter().take(MAX_NAME + 1).position(|byte| *byte <= b' ')?;
        tag = None;
    }
    if length == 0 {
        return None;
    }
    let quote = open + 1 + length;
    let tag = match tag {
        Some(tag) => tag,
        None => other_tag(text.get(open + 1..quote)?, others)?,
    };
    if text.get(quote..quote + 2)? != b" \"" {
        return None;
    }
    let value = quote + 2;
    let mut close = value;
    loop {
        let length = value_length(text.get(close..)?.first_chunk()?);
        close += length as usize;
        if length < 32 {
            break;
        }
    }
    (text.get(close..close + 2)? == b"\"]" && close - value <= 255).then_some((tag, value, close))
}

impl TagValues<'_> {
    /// The position in which the game begins, if it is not the usual one. `None` if rules may have
    /// findings about the variant or the position.
    #[inline(always)]
    fn first_position(&self) -> Option<Option<AcceptedStart>> {
        let variant = match self.has(KnownTag::Variant).then(|| self.of(KnownTag::Variant)) {
            None | Some(b"Standard") => Variant::Standard,
            Some(name) => Variant::named(name),
        };
        let mut first = None;
        if self.seen & (bit(KnownTag::Fen) | bit(KnownTag::SetUp)) != 0 {
            if self.of(KnownTag::SetUp) != b"1" || variant_of_event(self.of(KnownTag::Event)).is_some() {
                return None;
            }
            let accept = if variant == Variant::Chess960 { AcceptedStart::accept_chess960 } else { AcceptedStart::accept };
            first = Some(accept(self.of(KnownTag::Fen))?);
        }
        match variant {
            // The tag says that the game is standard chess, wherever it begins.
            Variant::Standard if self.has(KnownTag::Variant) => {
                Some(first.map(|first| AcceptedStart { shown: StartShown::Standard, ..first }))
            }
            Variant::Standard => Some(first),
            Variant::Chess960 | Variant::FromPosition if first.is_some() => Some(first),
            _ => None,
        }
    }

    /// `None` if rules may have findings about dates and times.
    #[inline(always)]
    fn check_dates(&self) -> Option<()> {
        let date = self.of(KnownTag::Date);
        is_date(date)?;
        if self.has(KnownTag::EventDate) {
            let event = self.of(KnownTag::EventDate);
            is_date(event)?;
            if is_before(date, event) {
                return None;
            }
        }
        if self.has(KnownTag::EndDate) {
            let end = self.of(KnownTag::EndDate);
            is_date(end)?;
            if is_before(end, date) {
                return None;
            }
        }
        if self.has(KnownTag::UtcDate) && self.of(KnownTag::UtcDate) != date {
            return None;
        }
        for tag in [KnownTag::Time, KnownTag::UtcTime] {
            if self.has(tag) {
                is_time(self.of(tag))?;
            }
        }
        Some(())
    }

    /// `None` if rules may have findings about ratings, or about limits.
    #[inline(always)]
    fn check_players(&self, bounds: Option<&Bounds>) -> Option<()> {
        for tag in [KnownTag::WhiteElo, KnownTag::BlackElo] {
            if self.has(tag) {
                is_elo(self.text, self.place(tag))?;
            }
        }
        if let Some(bounds) = bounds {
            let dates = [KnownTag::Date, KnownTag::EventDate].map(|tag| self.of(tag));
            if !bounds.allow(dates, [KnownTag::WhiteElo, KnownTag::BlackElo].map(|tag| self.of(tag))) {
                return None;
            }
        }
        Some(())
    }
}

#[inline(always)]
fn check_values(text: &[u8], seen: u128, memory: &mut Memory, waking: &Waking) -> Option<Header> {
    let Memory { places, time_control, bounds, .. } = memory;
    let values = TagValues { text, seen, places };
    let first = values.first_position()?;
    values.check_dates()?;
    values.check_players(bounds.as_ref())?;
    let claim = match values.has(KnownTag::TerminationDetails) {
        true => draw_claim(values.of(KnownTag::TerminationDetails)),
        false => None,
    };
    let result = values.of(KnownTag::Result);
    if !matches!(result.len(), 1..=7) {
        return None;
    }
    let result_word = lowest(word(text, values.place(KnownTag::Result).0)?, result.len() as u32);
    if waking.by_tags(&values) {
        return None;
    }
    let control = match values.has(KnownTag::TimeControl) {
        true => control_of(time_control, values.of(KnownTag::TimeControl))?,
        false => Control::UNKNOWN,
    };
    let date = values.of(KnownTag::Date);
    let fide = seen & FIDE_IDS != 0;
    let may_be_drawn = date >= &b"2014.07"[..] && !date.starts_with(b"?");
    let must_not_end_drawn = result.len() == 3 && may_be_drawn;
    let counts_repetitions = fide && must_not_end_drawn;
    // Plies before the first position count for the 75-move rule.
    if counts_repetitions && first.is_some_and(|first| first.counters.0 > MAX_CLOCK) {
        return None;
    }
    let has_moments = values.has(KnownTag::GameEndTime) || values.has(KnownTag::EndTime);
    Some(Header {
        first,
        age: Age::of(date),
        counts_repetitions,
        may_be_drawn,
        must_not_end_drawn,
        claim: claim.map(|(claim, _)| claim),
        result: result_word,
        control,
        seen,
        ply_count: values.place(KnownTag::PlyCount),
        termination: values.place(KnownTag::Termination),
        current_position: values.place(KnownTag::CurrentPosition),
        moments: has_moments.then(|| MOMENTS.map(|tag| values.place(tag))),
    })
}

/// The digits of dates and times: two digits for each part, with a period or colon between parts.
const DIGITS: u64 = u64::from_le_bytes([0x0F, 0x0F, 0, 0x0F, 0x0F, 0, 0x0F, 0x0F]);

fn is_date(value: &[u8]) -> Option<()> {
    const OTHERS: u64 = u64::from_le_bytes(*b"00.00.00");
    let value: &[u8; 10] = value.try_into().ok()?;
    let (year, rest) = value.split_first_chunk::<2>()?;
    let rest = u64::from_le_bytes(rest.try_into().ok()?);
    if value == b"????.??.??" {
        return Some(());
    }
    if value == ZERO_DATE.as_bytes() {
        return None;
    }
    // The first month and the first day stand for unknown ones.
    let rest = if rest >> 16 == u64::from_le_bytes(*b".??.??\0\0") {
        rest & 0xFFFF | u64::from_le_bytes(*b"\0\0.01.01")
    } else if rest >> 40 == u64::from_le_bytes(*b".??\0\0\0\0\0") {
        rest & 0xFF_FFFF_FFFF | u64::from_le_bytes(*b"\0\0\0\0\0.01")
    } else {
        rest
    };
    if !has_form(rest, DIGITS, any_digit(DIGITS), OTHERS) || !year.iter().all(u8::is_ascii_digit) || value[..4] < b"1475"[..] {
        return None;
    }
    let bytes = rest.to_le_bytes();
    let number = |at: usize| 10 * u32::from(bytes[at] & 15) + u32::from(bytes[at + 1] & 15);
    ((1..=12).contains(&number(3)) && (1..=28).contains(&number(6)) || late_day(number(3), number(6))).then_some(())
}

/// Whether a date is before another one, as far as both are known.
#[inline(always)]
fn is_before(date: &[u8], other: &[u8]) -> bool {
    date < other && date.iter().zip(other).find(|(one, two)| one != two).is_some_and(|(one, two)| *one != b'?' && *two != b'?')
}

fn late_day(month: u32, day: u32) -> bool {
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        _ => 0,
    };
    (1..=last).contains(&day)
}

fn is_time(value: &[u8]) -> Option<()> {
    let time = u64::from_le_bytes(value.try_into().ok()?);
    const LIMITS: u64 = u64::from_le_bytes([6, 6, 0, 10, 6, 0, 10, 6]);
    (has_form(time, DIGITS, LIMITS, u64::from_le_bytes(*b"00:00:00")) && value[..2] < b"24"[..]).then_some(())
}

fn is_elo(text: &[u8], (start, end): (usize, usize)) -> Option<()> {
    let value = text.get(start..end)?;
    match value {
        // Ratings below 100 are infos.
        [first @ b'1'..=b'9', rest @ ..] if (2..=3).contains(&rest.len()) && rest.iter().all(u8::is_ascii_digit) => {
            (rest.len() < 3 || *first < b'4' || value == b"4000").then_some(())
        }
        b"?" | b"-" | b"" => Some(()),
        _ => None,
    }
}

/// Whether it is not proven that `side` (0 is White) can never checkmate.
#[cold]
fn may_checkmate(board: &Board, side: usize, black_to_move: bool) -> bool {
    let winner = Color::from_white(side == 0);
    board.position(black_to_move).is_some_and(|position| !cannot_checkmate(&position, winner))
}

impl Header {
    /// The same header, so that what it says about the movetext at `at` and about the end of the
    /// game has no infos either. Repetitions are counted whatever the result is.
    #[inline]
    pub(super) fn without_infos(self, text: &[u8], at: usize) -> Option<Header> {
        let follows_blank_line = text[..at].ends_with(b"\n\n") || text[..at].ends_with(b"\n\r\n");
        let is_usual = self.first.is_none() && self.seen & bit(KnownTag::CurrentPosition) == 0;
        (is_usual && follows_blank_line).then_some(Header { counts_repetitions: self.may_be_drawn, ..self })
    }

    /// Whether Black makes the first move.
    #[inline(always)]
    pub(super) fn black_begins(&self) -> bool {
        self.first.is_some_and(|first| first.position.turn.is_black())
    }

    /// Whether Black is to move after this number of plies.
    #[inline(always)]
    pub(super) fn is_black_to_move(&self, plies: u32) -> bool {
        (plies % 2 == 1) != self.black_begins()
    }

    /// Whether tags give the clocks at the end.
    pub(super) const fn has_clock_tags(&self) -> bool {
        self.seen & (bit(KnownTag::WhiteClock) | bit(KnownTag::BlackClock)) != 0
    }

    /// The winner by the Result tag.
    pub(super) fn winner(&self) -> Option<usize> {
        [marker_word(b"1-0"), marker_word(b"0-1")].iter().position(|known| *known == self.result)
    }

    /// Whether the Termination tag says that a side lost on time.
    pub(super) fn is_time_forfeit(&self, text: &[u8]) -> bool {
        let (start, end) = self.termination;
        let value = text.get(start..end).unwrap_or_default();
        self.seen & bit(KnownTag::Termination) != 0 && value.eq_ignore_ascii_case(b"time forfeit")
    }

    /// Whether the Termination tag may say so.
    fn may_be_time_forfeit(&self, text: &[u8]) -> bool {
        let (start, end) = self.termination;
        let value = text.get(start..end).unwrap_or_default();
        self.seen & bit(KnownTag::Termination) != 0 && !value.eq_ignore_ascii_case(b"normal")
    }

    /// The time that the game lasted, if the tags give it.
    #[inline(always)]
    pub(super) fn game_time(&self, text: &[u8]) -> Option<GameTime> {
        self.moments.and_then(|moments| self.read_game_time(text, moments))
    }

    #[cold]
    fn read_game_time(&self, text: &[u8], moments: [(usize, usize); MOMENTS.len()]) -> Option<GameTime> {
        GameTime::read(|tag| {
            let index = MOMENTS.iter().position(|moment| *moment == tag).filter(|_| self.seen & bit(tag) != 0)?;
            let (start, end) = moments[index];
            text.get(start..end)
        })
    }

    /// Whether the tags agree with the end of the game.
    #[inline(always)]
    pub(super) fn fits_end(&self, text: &[u8], board: &Board, plies: u32) -> bool {
        let black_to_move = self.is_black_to_move(plies);
        let winner = self.winner();
        let has_no_move = || !board.can_move(black_to_move);
        let mover = usize::from(black_to_move);
        let fits = match winner {
            Some(winner) => {
                // Only the side that has just moved can win by checkmate.
                let may_be_mate = winner != mover && board.is_check();
                let looks_winnable = |side: usize| board.looks_winnable(side, black_to_move);
                let is_winnable = || {
                    looks_winnable(winner)
                        || (!self.may_be_time_forfeit(text) && looks_winnable(1 - winner))
                        || may_checkmate(board, winner, black_to_move)
                };
                board.can_surely_mate(winner) && if has_no_move() { may_be_mate } else { is_winnable() }
            }
            None if self.result == marker_word(b"*") => !has_no_move(),
            None => !board.is_check() || !has_no_move(),
        };
        if !fits || self.must_not_end_drawn && board.may_end_drawn_automatically(self.first.map_or(0, |first| first.counters.0)) {
            return false;
        }
        if self.seen & bit(KnownTag::PlyCount) != 0 {
            let (start, end) = self.ply_count;
            let value = text.get(start..end).unwrap_or_default();
            let digits = value.len() <= 4 && value.iter().all(u8::is_ascii_digit);
            if !digits || value.iter().fold(0, |count, digit| count * 10 + u32::from(digit & 15)) != plies {
                return false;
            }
        }
        if self.seen & bit(KnownTag::CurrentPosition) != 0 && !self.is_current(text, board, black_to_move) {
            return false;
        }
        let from_start = self.first.is_none().then_some(plies);
        if winner.is_none() && self.claim.is_some_and(|claim| !shows(board, from_start, claim)) {
            return false;
        }
        if self.seen & bit(KnownTag::Termination) != 0 {
            let (start, end) = self.termination;
            let value = text.get(start..end).unwrap_or_default();
            let is = |word: &[u8]| value.eq_ignore_ascii_case(word);
            let known = self.result != marker_word(b"*");
            let contradicts = if is(b"normal") {
                !known
            } else if is(b"unterminated") {
                known
            } else if is(b"time forfeit") || is(b"abandoned") {
                board.is_check() && has_no_move()
            } else {
                winner.is_none() && may_claim_wrongly(value, board, from_start)
            };
            return !contradicts;
        }
        true
    }

    /// Whether the CurrentPosition tag is the position on the board and has no findings.
    #[inline(never)]
    fn is_current(&self, text: &[u8], board: &Board, black_to_move: bool) -> bool {
        let (start, end) = self.current_position;
        let value = text.get(start..end).unwrap_or_default();
        let stated = || Fen::from_ascii(value).ok()?.into_position::<Chess>(CastlingMode::Standard).ok();
        let identity = |position: &Chess| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
        accepts_fields(value)
            && board
                .position(black_to_move)
                .zip(stated())
                .is_some_and(|(reached, stated)| reached.board() == stated.board() && identity(&reached) == identity(&stated))
    }
}
