//! Placeholder counters: what the counters of a whole input show.

use crate::rules::{Code, Condition, Note, Notes, Sums, facts::PositionFacts, sums_of};

/// Minimum number of records in which a common counter is a placeholder, whatever its value.
const MIN_RECORDS: u64 = 20;

/// How many of 100 records must have a counter for it to be a placeholder.
const MIN_PERCENT: u64 = 95;

/// The highest value that is counted on its own.
const MAX_COUNTED: usize = 126;

/// Number of sums of a counter: one for each value, and one for all higher values.
const VALUES: usize = MAX_COUNTED + 2;

/// The rule that notes counters: too-few-moves.
const OWNER: Code = code!("CTR06");

/// Where its sums begin.
const AT: usize = sums_of(OWNER);

/// The halfmove clocks and fullmove numbers of the input are real values, not placeholders.
pub const COUNTERS_REAL: Condition = Condition::new(OWNER, 0);

/// The halfmove clocks or the fullmove numbers of the input are placeholders.
pub const COUNTERS_PLACEHOLDER: Condition = Condition::new(OWNER, 1);

/// The halfmove clocks of the input are real values, not placeholders.
pub const HALFMOVE_CLOCK_REAL: Condition = Condition::new(OWNER, 2);

/// The fullmove numbers of the input are real values, not placeholders.
pub const FULLMOVE_NUMBER_REAL: Condition = Condition::new(OWNER, 3);

/// The fullmove numbers of the input are placeholders.
pub const FULLMOVE_PLACEHOLDER: Condition = Condition::new(OWNER, 4);

/// The counters of positions: records with defaults, halfmove clocks, fullmove numbers.
pub(in crate::rules) static NOTE: Note = Note { sums: 1 + 2 * VALUES, of_position: Some(of_position), holds, ..Note::DEFAULTS };

fn of_position(facts: &PositionFacts<'_>, count: &mut dyn FnMut(usize)) {
    if let (Some(clock), Some(number)) = (facts.halfmove_clock, facts.fullmove_number) {
        sums(clock, number).into_iter().flatten().for_each(count);
    }
}

/// The sums that count these counters. The first counts `0 1`, `1 0`, `0 0` and `1 1`, which
/// programs write without counting.
#[inline(always)]
fn sums(clock: u64, number: u64) -> [Option<usize>; 3] {
    let entry = |value: u64| value.min(MAX_COUNTED as u64 + 1) as usize;
    [(clock | number <= 1).then_some(0), Some(1 + entry(clock)), Some(1 + VALUES + entry(number))]
}

/// Notes the halfmove clock and the fullmove number of an accepted record.
#[inline(always)]
pub fn note_counters(notes: &mut impl Sums, clock: u64, number: u64) {
    sums(clock, number).into_iter().flatten().for_each(|sum| notes.count(AT + sum, 1));
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let all: &[u64; 1 + 2 * VALUES] = notes.sums(AT);
    let (clocks, numbers) = all[1..].split_at(VALUES);
    let totals = CounterTotals { defaults: all[0], clocks, numbers };
    match condition {
        COUNTERS_PLACEHOLDER => totals.clock_is_placeholder() || totals.number_is_placeholder(),
        HALFMOVE_CLOCK_REAL => !totals.clock_is_placeholder(),
        FULLMOVE_NUMBER_REAL => !totals.number_is_placeholder(),
        FULLMOVE_PLACEHOLDER => totals.number_is_placeholder(),
        _ => !totals.clock_is_placeholder() && !totals.number_is_placeholder(),
    }
}

/// The counters of an input's positions.
struct CounterTotals<'a> {
    /// Records with `0 1`, `1 0`, `0 0` or `1 1`.
    defaults: u64,
    /// How often a clock has each value; the last entry counts all higher values.
    clocks: &'a [u64],
    /// The same for fullmove numbers.
    numbers: &'a [u64],
}

impl CounterTotals<'_> {
    /// Whether the halfmove clock is a placeholder: nearly all records have the same one, or
    /// defaults. The same value in few records may well be real.
    fn clock_is_placeholder(&self) -> bool {
        self.are_defaults() || self.are_many() && self.is_constant(self.clocks)
    }

    /// Whether the fullmove number is a placeholder: nearly all records have the same one, or
    /// defaults. So are the numbers 2 to 5 after a clock of 0, with which puzzles are numbered.
    fn number_is_placeholder(&self) -> bool {
        let is_puzzles = || self.are_nearly_all(self.clocks[0]) && self.are_nearly_all(self.numbers[2..=5].iter().sum());
        self.are_defaults() || self.are_many() && (self.is_constant(self.numbers) || is_puzzles())
    }

    fn records(&self) -> u64 {
        self.clocks.iter().sum()
    }

    fn are_defaults(&self) -> bool {
        self.defaults > 0 && self.are_nearly_all(self.defaults)
    }

    fn are_many(&self) -> bool {
        self.records() >= MIN_RECORDS
    }

    fn are_nearly_all(&self, records: u64) -> bool {
        records * 100 >= self.records() * MIN_PERCENT
    }

    fn is_constant(&self, values: &[u64]) -> bool {
        values[..=MAX_COUNTED].iter().any(|records| self.are_nearly_all(*records))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether halfmove clock and fullmove number are placeholders.
    fn placeholders(counters: &[(u64, u64)]) -> (bool, bool) {
        let mut notes = Notes::default();
        counters.iter().for_each(|&(clock, number)| note_counters(&mut notes, clock, number));
        (!notes.hold(HALFMOVE_CLOCK_REAL), notes.hold(FULLMOVE_PLACEHOLDER))
    }

    #[test]
    fn placeholders_are_found_column_by_column() {
        assert_eq!(placeholders(&[]), (false, false));
        for default in [(0, 1), (1, 0), (0, 0), (1, 1)] {
            assert_eq!(placeholders(&[default]), (true, true), "{default:?}");
            assert_eq!(placeholders(&[default, (0, 1)]), (true, true), "{default:?}");
            assert_eq!(placeholders(&[default, (3, 9)]), (false, false), "{default:?}");
        }
        // Two defaults, however often, show no more than one.
        assert_eq!(placeholders(&(0..50).map(|n| (n % 2, 1 - n % 2)).collect::<Vec<_>>()), (true, true));
        assert_eq!(placeholders(&[(3, 9)]), (false, false));
        assert_eq!(placeholders(&[(0, 9); 19]), (false, false));
        assert_eq!(placeholders(&[(0, 9); 20]), (true, true));
        let varying = |clock: fn(u64) -> u64, number: fn(u64) -> u64| {
            placeholders(&(0..20).map(|n| (clock(n), number(n))).collect::<Vec<_>>())
        };
        assert_eq!(varying(|n| n % 2, |n| n), (false, false));
        assert_eq!(varying(|_| 0, |n| n * 7), (true, false));
        assert_eq!(varying(|n| n, |_| 1), (false, true));
    }

    #[test]
    fn one_record_in_twenty_may_differ() {
        let with_others =
            |others: u64| placeholders(&(0..100).map(|n| if n < others { (n, n + 30) } else { (0, 9) }).collect::<Vec<_>>());
        assert_eq!(with_others(5), (true, true));
        // A clock of 0 among the others counts too.
        assert_eq!(with_others(6), (true, false));
        assert_eq!(with_others(7), (false, false));
        let defaults =
            |others: u64| placeholders(&(0..100).map(|n| if n < others { (n + 2, n + 30) } else { (0, 1) }).collect::<Vec<_>>());
        assert_eq!((defaults(5), defaults(6)), ((true, true), (false, false)));
    }

    #[test]
    fn numbers_of_puzzles_are_placeholders() {
        let puzzles = |max: u64| placeholders(&(0..20).map(|n| (0, 2 + n % (max - 1))).collect::<Vec<_>>());
        assert_eq!((puzzles(5), puzzles(6)), ((true, true), (true, false)));
    }
}
