//! Placeholder counters: what the counters of a whole input show.

/// Minimum number of records over which a constant counter is a placeholder, whatever its value.
const MIN_CONSTANT_RECORDS: u64 = 20;

/// The counters of an input's positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct CounterTotals {
    records: u64,
    first: Option<(u64, u64)>,
    halfmoves_vary: bool,
    fullmoves_vary: bool,
    /// Whether any record has counters other than `0 1`, `1 0`, `0 0` and `1 1`.
    has_real_values: bool,
}

impl CounterTotals {
    /// Notes the halfmove clock and the fullmove number of a record.
    #[inline]
    pub fn note(&mut self, counters: (u64, u64)) {
        let has_real_values = counters.0 > 1 || counters.1 > 1;
        self.add(CounterTotals { records: 1, first: Some(counters), has_real_values, ..CounterTotals::default() });
    }

    /// Adds the totals of another part of the input.
    pub fn add(&mut self, other: CounterTotals) {
        self.records += other.records;
        self.halfmoves_vary |= other.halfmoves_vary;
        self.fullmoves_vary |= other.fullmoves_vary;
        self.has_real_values |= other.has_real_values;
        match (self.first, other.first) {
            (Some(own), Some(others)) => {
                self.halfmoves_vary |= own.0 != others.0;
                self.fullmoves_vary |= own.1 != others.1;
            }
            (None, others) => self.first = others,
            (Some(_), None) => {}
        }
    }

    /// A counter is a placeholder if it is constant over 20 records. Both are if no record has
    /// other values than `0 1`, `1 0`, `0 0` and `1 1`. A constant in few records may well be real.
    const fn is_placeholder(self, varies: bool) -> bool {
        self.records > 0 && (!self.has_real_values || (self.records >= MIN_CONSTANT_RECORDS && !varies))
    }

    /// Whether the halfmove clock is a placeholder.
    pub const fn clock_is_placeholder(self) -> bool {
        self.is_placeholder(self.halfmoves_vary)
    }

    /// Whether the fullmove number is a placeholder.
    pub const fn number_is_placeholder(self) -> bool {
        self.is_placeholder(self.fullmoves_vary)
    }
}
