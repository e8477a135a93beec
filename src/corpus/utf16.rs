//! Text in UTF-16, which is converted to UTF-8.

use std::io::Read;

use encoding_rs_io::DecodeReaderBytesBuilder;

/// Whether the first bytes are a byte order mark of UTF-16. That of UTF-32 starts with the same
/// two bytes.
pub(super) fn has_utf16_mark(head: &[u8]) -> bool {
    (head.starts_with(&[0xFF, 0xFE]) && !head.starts_with(&[0xFF, 0xFE, 0, 0])) || head.starts_with(&[0xFE, 0xFF])
}

/// Converts a stream that starts with a byte order mark of UTF-16 to UTF-8 without the mark.
/// Unpaired surrogates become U+FFFD.
pub fn converted(text: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    Box::new(DecodeReaderBytesBuilder::new().strip_bom(true).build(text))
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor};

    use super::*;

    #[test]
    fn both_byte_orders_are_converted() -> io::Result<()> {
        let text = "[White \"Nimzowitsch, \u{10400}\u{fc}\"]\r\n";
        let wide =
            |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(bytes).collect() };
        for bytes in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
            assert!(has_utf16_mark(&bytes));
            let mut read = String::new();
            converted(Box::new(Cursor::new(bytes))).read_to_string(&mut read)?;
            assert_eq!(read, text);
        }
        Ok(())
    }

    #[test]
    fn other_marks_are_not_utf_16() {
        assert!(!has_utf16_mark(&[0xFF, 0xFE, 0, 0]) && !has_utf16_mark(b"\xEF\xBB\xBF") && !has_utf16_mark(b"[E"));
        assert!(has_utf16_mark(&[0xFF, 0xFE]));
    }
}
