//! Text in UTF-16, which is converted to UTF-8.

use std::io::Read;

use encoding_rs::{UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use memchr::memchr;

/// Whether the first bytes are a byte order mark of UTF-16. That of UTF-32 starts with the same
/// two bytes.
fn has_utf16_mark(head: &[u8]) -> bool {
    (head.starts_with(&[0xFF, 0xFE]) && !head.starts_with(&[0xFF, 0xFE, 0, 0])) || head.starts_with(&[0xFE, 0xFF])
}

/// The byte order of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// A byte order mark says it.
    Marked,
    /// The lower byte comes first.
    Little,
    /// The higher byte comes first.
    Big,
}

/// Maximum number of bytes that show the byte order.
pub(super) const MAX_SHOWING: usize = 1024;

/// The byte order, if the text is UTF-16. Without a byte order mark, nearly every other byte has to
/// be NUL.
pub(super) fn byte_order(head: &[u8]) -> Option<ByteOrder> {
    if has_utf16_mark(head) {
        return Some(ByteOrder::Marked);
    }
    let pairs = &head[..head.len().min(MAX_SHOWING) & !1];
    if pairs.len() < 8 || memchr(0, pairs).is_none() {
        return None;
    }
    let nul_at = |parity: usize| pairs.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count() * 2;
    let (even, odd) = (nul_at(0), nul_at(1));
    let (few, many) = (pairs.len() / 10, pairs.len() - pairs.len() / 10);
    if odd >= many && even <= few { Some(ByteOrder::Little) } else { (even >= many && odd <= few).then_some(ByteOrder::Big) }
}

/// Converts a stream from UTF-16 to UTF-8 without a byte order mark. Unpaired surrogates become
/// U+FFFD.
pub fn converted(text: Box<dyn Read + Send>, order: ByteOrder) -> Box<dyn Read + Send> {
    let encoding = match order {
        ByteOrder::Marked => None,
        ByteOrder::Little => Some(UTF_16LE),
        ByteOrder::Big => Some(UTF_16BE),
    };
    Box::new(DecodeReaderBytesBuilder::new().encoding(encoding).strip_bom(true).build(text))
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
            // Without the mark, the zeros show the order.
            for bytes in [&bytes[..], &bytes[2..]] {
                let order = byte_order(bytes).ok_or(io::ErrorKind::InvalidData)?;
                let mut read = String::new();
                converted(Box::new(Cursor::new(bytes.to_vec())), order).read_to_string(&mut read)?;
                assert_eq!(read, text, "{order:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn other_marks_are_not_utf_16() {
        assert!(!has_utf16_mark(&[0xFF, 0xFE, 0, 0]) && !has_utf16_mark(b"\xEF\xBB\xBF") && !has_utf16_mark(b"[E"));
        assert!(has_utf16_mark(&[0xFF, 0xFE]));
    }
}
