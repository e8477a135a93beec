//! Compares clocks with the time control and with each other, in whole seconds: at max one second
//! is lost by rounding.

use crate::{pgn::GameTime, rules::clk::clock_gain::is_gift, text::swar::has_form};

/// Maximum deviation that is accepted, in seconds. One less than in the rules, because of rounding.
const TOLERANCE: u64 = 1;

/// More than any clock shows, in seconds.
const UNLIMITED: u64 = u64::MAX / 4;

/// What a time control says about clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// The time for the game or the first period in seconds, 0 if unknown.
    base: u64,
    /// The time that a clock gains with each move in every period, in seconds.
    gain: u64,
    /// Whether a clock never gains more than that: there is one period, and it is given in whole
    /// seconds.
    is_exact: bool,
}

impl Control {
    /// Nothing is known.
    pub(super) const UNKNOWN: Control = Control { base: 0, gain: UNLIMITED, is_exact: false };

    /// Reads the value of a TimeControl tag. `None` if a rule may have findings about it.
    pub(super) fn read(value: &[u8]) -> Option<Control> {
        // Values with words have infos at max.
        if matches!(value, b"-" | b"?" | b"") || value.iter().any(u8::is_ascii_alphabetic) {
            return Some(Control::UNKNOWN);
        }
        let mut first = None;
        let mut gain = UNLIMITED;
        let is_exact = !value.iter().any(|byte| matches!(byte, b':' | b'/' | b'.'));
        let mut to_the_end = false;
        for field in value.split(|byte| *byte == b':') {
            if to_the_end {
                return None;
            }
            let time = match field.iter().position(|byte| *byte == b'/') {
                Some(at) => {
                    number(&field[..at])?;
                    &field[at + 1..]
                }
                None => {
                    to_the_end = true;
                    field
                }
            };
            let (base, increment) = match time.iter().position(|byte| *byte == b'+') {
                Some(at) => (number(&time[..at])?, whole(&time[at + 1..])?),
                None => (number(time)?, 0),
            };
            first.get_or_insert(base);
            gain = gain.min(increment);
        }
        Some(Control { base: first?, gain, is_exact })
    }
}

/// Whole seconds, at least one.
fn number(text: &[u8]) -> Option<u64> {
    whole(text).filter(|number| *number > 0)
}

/// Whole seconds. Decimals are dropped.
fn whole(text: &[u8]) -> Option<u64> {
    let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
    let decimals = text.get(point + 1..).unwrap_or(b"0");
    let digits = |text: &[u8]| (1..=9).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    (digits(&text[..point]) && digits(decimals))
        .then(|| text[..point].iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0')))
}

/// The ply of move `number` of `side`.
#[inline(always)]
pub(super) const fn ply_of(side: usize, number: usize) -> u32 {
    2 * number as u32 - 1 + side as u32
}

/// A time that is written as `h:mm:ss]`: its bytes, the first one highest. A greater value is a
/// longer time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlainTime(u64);

impl PlainTime {
    const NONE: PlainTime = PlainTime(0);

    const DIGITS: u64 = u64::from_le_bytes([0x0F, 0, 0x0F, 0x0F, 0, 0x0F, 0x0F, 0]);

    /// Reads a word of text, whose first byte is lowest.
    #[inline(always)]
    pub(super) const fn read(text: u64) -> Option<PlainTime> {
        const LIMITS: u64 = u64::from_le_bytes([6, 0, 10, 6, 0, 10, 6, 0]);
        const OTHERS: u64 = u64::from_le_bytes(*b"0:00:00]");
        if has_form(text, PlainTime::DIGITS, LIMITS, OTHERS) { Some(PlainTime(text.swap_bytes())) } else { None }
    }

    #[inline]
    pub(super) const fn seconds(self) -> u64 {
        // Each byte with ten times its digit and the digit after it, which is 0 if it is none.
        let digits = self.0.swap_bytes() & PlainTime::DIGITS;
        let pairs = 10 * digits + (digits >> 8);
        360 * (pairs & 0xFF) + 60 * (pairs >> 16 & 0xFF) + (pairs >> 40 & 0xFF)
    }
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    control: Control,
    /// The last clock of each side in seconds, if it is not in `texts`; at the start, the time
    /// control.
    last: [u64; 2],
    /// The last clock of each side as a plain time, if both sides have written theirs so. At first,
    /// only the first side has.
    texts: [PlainTime; 2],
    /// Whether there are any.
    seen: bool,
    /// Not 0 if a clock of the second side has differed from the last clock of the first one.
    difference: u64,
    /// The side that makes the second ply.
    second: usize,
    /// The ply of the last clock of each side, from 1, or 0.
    plies: [u32; 2],
}

/// A first clock that shows this many seconds more than half of the time has no info.
const HALF_MARGIN: u64 = 4;

/// Minimum number of plies in a game whose clocks must not be identical.
const MIN_PLIES: u32 = 20;

impl Clocks {
    pub(super) fn new(control: Control, black_begins: bool) -> Clocks {
        let (last, texts) = ([control.base; 2], [PlainTime::NONE; 2]);
        Clocks { control, last, texts, seen: false, difference: 0, second: usize::from(!black_begins), plies: [0; 2] }
    }

    /// Whether the first clock after this move of a side is plausible. Nearly always, it shows as
    /// much as before or less. Only with `GIFTS`, the other side may have given time.
    #[inline(always)]
    pub(super) fn accept_next<const GIFTS: bool>(&mut self, side: usize, number: usize, time: PlainTime) -> bool {
        if time > self.texts[side] {
            return self.accept_more(side, number, time, GIFTS);
        }
        if side == self.second {
            self.difference |= time.0 ^ self.texts[1 - side].0;
        }
        self.texts[side] = time;
        self.plies[side] = ply_of(side, number);
        true
    }

    /// Whether a clock is plausible after this move of a side, and the only one after it.
    #[inline(always)]
    pub(super) fn accept_plain(&mut self, side: usize, number: usize, time: PlainTime) -> bool {
        self.plies[side] != ply_of(side, number) && self.accept_next::<true>(side, number, time)
    }

    /// The same for a clock that shows this many seconds.
    #[inline(never)]
    pub(super) fn accept(&mut self, side: usize, number: usize, seconds: u64) -> bool {
        self.last = [0, 1].map(|side| self.seconds_of(side));
        self.texts = [PlainTime::NONE; 2];
        let is_next = self.plies[side] != ply_of(side, number);
        self.note(side, number, seconds).is_plausible() && is_next
    }

    /// Whether a clock is plausible that shows more than the last one of its side, or follows one
    /// that is not a plain time.
    #[inline(never)]
    fn accept_more(&mut self, side: usize, number: usize, time: PlainTime, gifts: bool) -> bool {
        let [last, other] = [self.texts[side], self.texts[1 - side]];
        let gained = time.seconds().saturating_sub(last.seconds());
        if last != PlainTime::NONE && gained <= self.control.gain + TOLERANCE {
            if side == self.second {
                self.difference |= time.0 ^ other.0;
            }
            (self.texts[side], self.plies[side]) = (time, ply_of(side, number));
            return true;
        }
        let shown = self.note(side, number, time.seconds());
        if side != self.second || other != PlainTime::NONE {
            self.texts[side] = time;
        }
        shown.is_plausible() || (gifts && last != PlainTime::NONE && self.control.is_exact && shown.is_gift())
    }

    /// Notes a clock that shows this many seconds.
    fn note(&mut self, side: usize, number: usize, seconds: u64) -> Shown {
        if side == self.second {
            self.difference |= seconds ^ self.seconds_of(1 - side);
        }
        self.seen = true;
        let (before, ply) = (self.seconds_of(side), ply_of(side, number));
        let moves = u64::from((ply - self.plies[side]) / 2).max(1);
        (self.last[side], self.texts[side], self.plies[side]) = (seconds, PlainTime::NONE, ply);
        // The first clock shows at least half of the time, as after berserk.
        let is_low = number + self.second <= 2 && 2 * seconds + 3 < self.control.base;
        Shown { seconds, most: before.saturating_add(self.control.gain.saturating_mul(moves)), is_low }
    }

    /// Whether the first clock after this move in a game from the starting position is plausible,
    /// and rules also report no infos: the time control is known, every ply so far has one clock,
    /// and the first ones show clearly more than half of the time.
    #[inline]
    pub(super) fn accept_exactly(&mut self, side: usize, number: usize, time: PlainTime) -> bool {
        let follows = self.plies[1 - side] + 1 == ply_of(side, number) && self.plies[side] < ply_of(side, number);
        let is_clear = number > 1 || time.seconds() > self.control.base / 2 + HALF_MARGIN;
        follows && is_clear && self.control != Control::UNKNOWN && self.accept_next::<false>(side, number, time)
    }

    /// The last clock of a side in seconds, or the time control.
    fn seconds_of(&self, side: usize) -> u64 {
        match self.texts[side] {
            PlainTime::NONE => self.last[side],
            time => time.seconds(),
        }
    }

    /// The last clock of a side in seconds, if there is one.
    pub(super) fn last_of(&self, side: usize) -> Option<u64> {
        self.seen.then(|| self.seconds_of(side))
    }

    /// Whether the clocks of a game of `plies` plies are not identical, and agree with the time
    /// that it lasted.
    #[inline(always)]
    pub(super) fn fit_end(&self, plies: u32, lasted: impl FnOnce() -> Option<GameTime>) -> bool {
        let differ = self.difference != 0 || plies < MIN_PLIES;
        !self.seen || (differ && lasted().is_none_or(|lasted| self.fit(lasted, plies)))
    }

    /// Whether both sides have surely not used more time than the game lasted.
    #[cold]
    fn fit(&self, lasted: GameTime, plies: u32) -> bool {
        let moves = u64::from(plies / 2 + 2);
        // The gain is rounded down.
        let given = (self.control.gain + 1).saturating_mul(moves).saturating_add(self.control.base + 2);
        let used = (0..2).fold(0, |used: u64, side| used.saturating_add(given.saturating_sub(self.seconds_of(side))));
        self.control == Control::UNKNOWN || used.saturating_mul(1000) <= lasted.max
    }
}

/// What a clock shows.
struct Shown {
    seconds: u64,
    /// The last clock of the side, and what the time control has given since then, in seconds.
    most: u64,
    /// Whether this is the first clock of the side, and shows too little.
    is_low: bool,
}

impl Shown {
    /// Whether the time control explains it.
    const fn is_plausible(&self) -> bool {
        self.seconds <= self.most.saturating_add(TOLERANCE) && !self.is_low
    }

    /// Whether it is what the time control explains, and time that the other side gave.
    const fn is_gift(&self) -> bool {
        self.seconds > self.most && is_gift(1000 * (self.seconds - self.most)) && !self.is_low
    }
}
