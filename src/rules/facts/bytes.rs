//! The bytes of a record.

/// The bytes of a record that is not only printable ASCII, up to the next record.
#[derive(Clone, Copy, Debug)]
pub struct RecordBytes<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// Start of the record.
    pub start: usize,
    /// End of the record: the start of the next one, or the end of the input.
    pub end: usize,
    /// Whether byte 0 of `text` is the first byte of the input.
    pub at_input_start: bool,
}

impl<'a> RecordBytes<'a> {
    /// The bytes of the record itself.
    pub fn record(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }
}
