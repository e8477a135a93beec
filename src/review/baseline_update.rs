//! Lets a baseline follow findings that have moved.

use std::{collections::BTreeSet, path::Path};

use super::{
    Baseline, compare_error::CompareError, compare_inputs::InputComparison, compare_matches::Matches,
    compare_tables::CompareTables, reader::ReportReader,
};

impl Baseline {
    /// Gives entries of findings that have moved from the report `old` to the report `new` their
    /// new fingerprints. Reasons and dates stay. Returns how many entries have changed.
    pub fn follow(&mut self, old: &Path, new: &Path) -> Result<usize, CompareError> {
        let (before, after) = (ReportReader::open(old)?, ReportReader::open(new)?);
        let inputs = InputComparison::of(&before, &after, &mut CompareTables::default())?;
        let matches = Matches::of(&before, &after, &inputs)?;
        let (mut ordinal, mut followed) = (0, BTreeSet::new());
        after.for_each_finding(|row| {
            // A finding may have stood for several ones.
            followed.extend(matches.old_fingerprint(ordinal).filter(|old| self.copy_to(*old, &row)));
            ordinal += 1;
            Ok::<(), CompareError>(())
        })?;
        self.retain(|fingerprint, _| !followed.contains(&fingerprint));
        Ok(followed.len())
    }
}
