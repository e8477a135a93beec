//! Placeholder counters: what the counters of a whole input show.

use serde::{Deserialize, Serialize};

/// Minimum number of records in which a common counter is a placeholder, whatever its value.
const MIN_RECORDS: u64 = 20;

/// How many of 100 records must have a counter for it to be a placeholder.
const MIN_PERCENT: u64 = 95;

/// The highest value that is counted on its own.
const MAX_COUNTED: usize = 126;

/// How often a counter has each value. The last entry counts all higher values.
type Values = [u64; MAX_COUNTED + 2];

/// The counters of an input's positions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "SavedTotals", try_from = "SavedTotals")]
pub struct CounterTotals {
    /// Records with `0 1`, `1 0`, `0 0` or `1 1`, which programs write without counting.
    defaults: u64,
    clocks: Values,
    numbers: Values,
}

impl Default for CounterTotals {
    fn default() -> CounterTotals {
        CounterTotals { defaults: 0, clocks: [0; MAX_COUNTED + 2], numbers: [0; MAX_COUNTED + 2] }
    }
}

/// The totals as they are saved: values without records at the end are left out.
#[derive(Serialize, Deserialize)]
struct SavedTotals {
    defaults: u64,
    clocks: Vec<u64>,
    numbers: Vec<u64>,
}

impl From<CounterTotals> for SavedTotals {
    fn from(totals: CounterTotals) -> SavedTotals {
        let used = |values: Values| {
            let length = values.iter().rposition(|records| *records > 0).map_or(0, |last| last + 1);
            values[..length].to_vec()
        };
        SavedTotals { defaults: totals.defaults, clocks: used(totals.clocks), numbers: used(totals.numbers) }
    }
}

impl TryFrom<SavedTotals> for CounterTotals {
    type Error = &'static str;

    fn try_from(saved: SavedTotals) -> Result<CounterTotals, &'static str> {
        let values = |saved: Vec<u64>| -> Result<Values, &'static str> {
            let mut values = [0; MAX_COUNTED + 2];
            values.get_mut(..saved.len()).ok_or("too many values of a counter")?.copy_from_slice(&saved);
            Ok(values)
        };
        Ok(CounterTotals { defaults: saved.defaults, clocks: values(saved.clocks)?, numbers: values(saved.numbers)? })
    }
}

impl CounterTotals {
    /// Notes the halfmove clock and the fullmove number of a record.
    #[inline]
    pub fn note(&mut self, clock: u64, number: u64) {
        let entry = |value: u64| value.min(MAX_COUNTED as u64 + 1) as usize;
        self.defaults += u64::from(clock | number <= 1);
        self.clocks[entry(clock)] += 1;
        self.numbers[entry(number)] += 1;
    }

    /// Adds the totals of another part of the input.
    pub fn add(&mut self, other: &CounterTotals) {
        self.defaults += other.defaults;
        self.clocks.iter_mut().zip(other.clocks).for_each(|(own, others)| *own += others);
        self.numbers.iter_mut().zip(other.numbers).for_each(|(own, others)| *own += others);
    }

    /// Whether the halfmove clock is a placeholder: nearly all records have the same one, or
    /// defaults. The same value in few records may well be real.
    pub fn clock_is_placeholder(&self) -> bool {
        self.are_defaults() || self.are_many() && self.is_constant(&self.clocks)
    }

    /// Whether the fullmove number is a placeholder: nearly all records have the same one, or
    /// defaults. So are the numbers 2 to 5 after a clock of 0, with which puzzles are numbered.
    pub fn number_is_placeholder(&self) -> bool {
        let is_puzzles = || self.are_nearly_all(self.clocks[0]) && self.are_nearly_all(self.numbers[2..=5].iter().sum());
        self.are_defaults() || self.are_many() && (self.is_constant(&self.numbers) || is_puzzles())
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

    fn is_constant(&self, values: &Values) -> bool {
        values[..=MAX_COUNTED].iter().any(|records| self.are_nearly_all(*records))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(counters: &[(u64, u64)]) -> CounterTotals {
        let mut totals = CounterTotals::default();
        counters.iter().for_each(|&(clock, number)| totals.note(clock, number));
        totals
    }

    /// Whether halfmove clock and fullmove number are placeholders.
    fn placeholders(counters: &[(u64, u64)]) -> (bool, bool) {
        let totals = totals(counters);
        (totals.clock_is_placeholder(), totals.number_is_placeholder())
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

    #[test]
    fn adding_parts_equals_reading_the_whole() {
        let counters: Vec<(u64, u64)> = (0..40).map(|n| (n % 3, 1000 * (n % 2))).collect();
        for cut in 0..=counters.len() {
            let mut parts = totals(&counters[..cut]);
            parts.add(&totals(&counters[cut..]));
            let whole = totals(&counters);
            assert_eq!((parts.defaults, parts.clocks, parts.numbers), (whole.defaults, whole.clocks, whole.numbers), "{cut}");
        }
    }
}
