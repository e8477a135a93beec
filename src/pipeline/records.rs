//! A set of records of an input.

/// Ordinals of records, a bit for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Records(Vec<u64>);

impl Records {
    /// Adds a record. Returns whether it was not there before.
    pub fn insert(&mut self, ordinal: u64) -> bool {
        let Ok(word) = usize::try_from(ordinal / 64) else { return true };
        if word >= self.0.len() {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        let bit = 1 << (ordinal % 64);
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_is_new_once() {
        let mut records = Records::default();
        let new = [1, 64, 1, 63, 1000, 64, 1000].map(|ordinal| records.insert(ordinal));
        assert_eq!(new, [true, true, false, true, true, false, false]);
    }
}
