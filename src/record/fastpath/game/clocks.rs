//! Clocks, held against the time control and against each other. In whole seconds, so that a second is lost at most.

/// Times that differ by less are not remarked on; one second less than the rules have it, for what rounding hides.
const TOLERANCE: u64 = 1;

/// More than any clock shows.
const NEVER: u64 = u64::MAX / 4;

/// What a time control lets clocks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// The time for the game or the first period; 0 where nobody knows.
    base: u64,
    /// What a clock can surely gain with a move.
    gain: u64,
}

impl Control {
    /// There is no telling.
    pub(super) const UNKNOWN: Control = Control { base: 0, gain: NEVER };

    /// What the value of a TimeControl tag says; `None` where a rule may have something against it.
    pub(super) fn read(value: &[u8]) -> Option<Control> {
        // Words, of which no rule makes more than a remark.
        if matches!(value, b"-" | b"?" | b"") || value.iter().any(u8::is_ascii_alphabetic) {
            return Some(Control::UNKNOWN);
        }
        let mut first = None;
        let mut gain = NEVER;
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

/// Whole seconds, of which there are some.
fn number(text: &[u8]) -> Option<u64> {
    whole(text).filter(|number| *number > 0)
}

/// Whole seconds; decimals are left out.
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
    /// What the clock of each side showed last; at the beginning what the time control gives.
    last: [u64; 2],
}

impl Clocks {
    pub(super) fn new(control: Control) -> Clocks {
        Clocks { control, last: [control.base; 2] }
    }

    /// Whether a clock of so many seconds fits behind the move of a side with this number.
    #[inline(always)]
    pub(super) fn fit(&mut self, side: usize, number: usize, seconds: u64) -> bool {
        let last = &mut self.last[side & 1];
        let most = *last + self.control.gain + TOLERANCE;
        *last = seconds;
        // The first clock shows half of the time at least, as after berserk.
        seconds <= most && (number > 1 || 2 * seconds + 3 >= self.control.base)
    }
}
