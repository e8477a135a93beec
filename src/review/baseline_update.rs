//! Lets a baseline follow findings that have moved.

use std::{collections::HashMap, io, path::Path};

use super::{
    Baseline, compare_error::CompareError, compare_inputs::InputComparison, compare_matches::Matches, reader::ReportReader,
};

impl Baseline {
    /// Gives entries of findings that have moved from the report `old` to the report `new` their
    /// new fingerprints. Reasons and dates stay. Returns how many entries have changed.
    pub fn follow(&mut self, old: &Path, new: &Path) -> Result<usize, CompareError> {
        let (before, after) = (ReportReader::open(old)?, ReportReader::open(new)?);
        let inputs = InputComparison::of(&before, &after, io::sink(), io::sink())?;
        let moves: HashMap<u64, u64> = Matches::of(&before, &after, &inputs)?.moves.into_iter().collect();
        // The old fingerprints, by the rows of the new report.
        let mut known: HashMap<u64, u64> = HashMap::new();
        let mut ordinal = 0;
        before.for_each_finding(|row| {
            if let Some(new) = moves.get(&ordinal).filter(|_| self.get(row.fingerprint).is_some()) {
                known.insert(*new, row.fingerprint);
            }
            ordinal += 1;
            Ok::<(), CompareError>(())
        })?;
        let mut followed = 0;
        ordinal = 0;
        after.for_each_finding(|row| {
            if let Some(old) = known.get(&ordinal) {
                followed += usize::from(self.replace(*old, &row));
            }
            ordinal += 1;
            Ok::<(), CompareError>(())
        })?;
        Ok(followed)
    }
}
