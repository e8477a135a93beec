//! The bytes of a record.

/// The bytes of a record that holds something beside printable ASCII, and what follows it up to the next record.
#[derive(Clone, Copy, Debug)]
pub struct RecordBytes<'a> {
    /// What the rules are shown; spans are offsets in it.
    pub text: &'a [u8],
    /// Where the record begins.
    pub start: usize,
    /// One past its last byte: the next record begins there, or the input ends.
    pub end: usize,
    /// Whether byte 0 of `text` is the first byte of the input.
    pub at_input_start: bool,
}

impl<'a> RecordBytes<'a> {
    /// The bytes of the record itself.
    pub fn record(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    /// Whether the record holds UTF-8 beyond ASCII, and whether it holds bytes that are not UTF-8.
    pub fn encoding(&self) -> (bool, bool) {
        match std::str::from_utf8(self.record()) {
            Ok(text) => (!text.is_ascii(), false),
            Err(_) => (self.record().utf8_chunks().any(|chunk| !chunk.valid().is_ascii()), true),
        }
    }
}
