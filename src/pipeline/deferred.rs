//! Findings that wait until their input has been read: what they stand or fall with is known only then.
//!
//! As long as nothing waits, findings pass straight through. Once one has to wait, all that follow it in the same input
//! wait behind it, so that the order is kept; many are kept in a temporary file rather than in memory.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Seek, Write},
};

use crate::{
    record::{Evidence, Excerpt},
    rules::Finding,
};

/// So many findings wait in memory; the rest wait in a temporary file.
const MAX_IN_MEMORY: usize = 4096;

/// A finding and, where it may become an example, what stands around it.
pub(super) type Waiting = (Finding, Option<Box<Excerpt>>);

/// The findings of one input that wait.
#[derive(Debug, Default)]
pub(super) struct Deferred {
    memory: Vec<Waiting>,
    file: Option<BufWriter<File>>,
}

impl Deferred {
    /// Takes the finding if it has to wait, or hands it back if it can be written now.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn take(&mut self, finding: Waiting) -> io::Result<Option<Waiting>> {
        if self.memory.is_empty() && finding.0.conditions.is_empty() {
            return Ok(Some(finding));
        }
        if self.memory.len() < MAX_IN_MEMORY {
            self.memory.push(finding);
            return Ok(None);
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        serde_json::to_writer(&mut *file, &finding)?;
        file.write_all(b"\n")?;
        Ok(None)
    }

    /// Hands out those that stand, in their order, now that the input has been read.
    ///
    /// # Errors
    /// When the temporary file cannot be read, or `each` fails.
    pub fn release(self, evidence: &Evidence, mut each: impl FnMut(Waiting) -> io::Result<()>) -> io::Result<()> {
        for finding in self.memory {
            if evidence.holds_all(finding.0.conditions) {
                each(finding)?;
            }
        }
        let Some(file) = self.file else { return Ok(()) };
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        for line in BufReader::new(file).lines() {
            let finding: Waiting = serde_json::from_str(&line?)?;
            if evidence.holds_all(finding.0.conditions) {
                each(finding)?;
            }
        }
        Ok(())
    }
}
