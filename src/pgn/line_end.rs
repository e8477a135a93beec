//! Where lines end.

use memchr::memchr2;

/// End of the line that contains `at`, without its line break.
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |found| at + found)
}

/// Maximum length of a tag pair, and of other text that ends with its line. Without it, many of
/// them on one line would each read the whole line.
pub(super) const MAX_NEARBY: usize = 16 * 1024;

/// End of the line that contains `at`, at most `MAX_NEARBY` bytes away.
pub(crate) fn nearby_line_end(text: &[u8], at: usize) -> usize {
    line_end(&text[..text.len().min(at + MAX_NEARBY)], at)
}
