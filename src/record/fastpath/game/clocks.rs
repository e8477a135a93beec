//! Compares clocks with the time control and with each other, in whole seconds: at max one second
//! is lost by rounding.

use crate::pgn::GameTime;

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
}

impl Control {
    /// Nothing is known.
    pub(super) const UNKNOWN: Control = Control { base: 0, gain: UNLIMITED };

    /// Reads the value of a TimeControl tag. `None` if a rule may have findings about it.
    pub(super) fn read(value: &[u8]) -> Option<Control> {
        // Values with words have infos at max.
        if matches!(value, b"-" | b"?" | b"") || value.iter().any(u8::is_ascii_alphabetic) {
            return Some(Control::UNKNOWN);
        }
        let mut first = None;
        let mut gain = UNLIMITED;
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
        Some(Control { base: first?, gain })
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

/// The clocks of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    control: Control,
    /// The last clock of each side in seconds; at the start, the time control.
    last: [u64; 2],
    /// Whether there are any.
    seen: bool,
    /// Not 0 if a clock of the second side has differed from the last clock of the first one.
    difference: u64,
    /// The side that makes the second ply.
    second: usize,
    /// The ply of the last clock that was accepted exactly, from 1, or 0.
    ply: u32,
}

/// More than any deviation from half of the time with which a first clock is reported as an info, in seconds.
const AROUND_HALF: u64 = 4;

/// Minimum number of plies in a game whose clocks must not be identical.
const MIN_PLIES: u32 = 20;

impl Clocks {
    pub(super) fn new(control: Control, black_begins: bool) -> Clocks {
        let second = usize::from(!black_begins);
        Clocks { control, last: [control.base; 2], seen: false, difference: 0, second, ply: 0 }
    }

    /// Whether a clock of this many seconds is plausible after this move of a side.
    #[inline(always)]
    pub(super) fn accept(&mut self, side: usize, number: usize, seconds: u64) -> bool {
        if side == self.second {
            self.difference |= seconds ^ self.last[1 - (side & 1)];
        }
        self.seen = true;
        let last = &mut self.last[side & 1];
        let max = *last + self.control.gain + TOLERANCE;
        *last = seconds;
        // The first clock shows at least half of the time, as after berserk.
        seconds <= max && (number + self.second > 2 || 2 * seconds + 3 >= self.control.base)
    }

    /// The same in a game from the starting position, and whether rules also report no infos: the time control is known, each
    /// ply has one clock, and the first ones show clearly more than half of the time.
    #[inline]
    pub(super) fn accept_exactly(&mut self, side: usize, number: usize, seconds: u64) -> bool {
        let ply = 2 * number as u32 - 1 + side as u32;
        let follows = ply == std::mem::replace(&mut self.ply, ply) + 1;
        let is_clear = number > 1 || seconds > self.control.base / 2 + AROUND_HALF;
        follows && is_clear && self.control != Control::UNKNOWN && self.accept(side, number, seconds)
    }

    /// The last clock of a side in seconds, if there is one.
    pub(super) fn last_of(&self, side: usize) -> Option<u64> {
        self.seen.then(|| self.last[side & 1])
    }

    /// Whether the clocks of a game of `plies` plies are not identical, and agree with the time that
    /// it lasted.
    #[inline(always)]
    pub(super) fn fit_end(&self, plies: u32, lasted: impl FnOnce() -> Option<GameTime>) -> bool {
        let differ = self.difference != 0 || plies < MIN_PLIES;
        !self.seen || (differ && lasted().is_none_or(|lasted| self.fit(lasted, plies)))
    }

    /// Whether both sides have surely not used more time than the game lasted.
    #[cold]
    fn fit(&self, lasted: GameTime, plies: u32) -> bool {
        let moves = u64::from(plies / 2 + 2);
        let given = self.control.gain.saturating_mul(moves).saturating_add(self.control.base + 2);
        let used = self.last.iter().fold(0, |used: u64, last| used.saturating_add(given.saturating_sub(*last)));
        self.control == Control::UNKNOWN || used.saturating_mul(1000) <= lasted.max
    }
}
