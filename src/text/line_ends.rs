//! Counts line endings.

use memchr::memchr_iter;

#[cfg(target_arch = "x86_64")]
use super::avx2;

/// How often the bytes of line endings are in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineEndBytes {
    /// LF.
    pub lf: usize,
    /// CR.
    pub cr: usize,
    /// CR that LF follows in the text.
    pub cr_lf: usize,
}

impl LineEndBytes {
    /// Counts those of `text`.
    #[inline]
    pub fn count(text: &[u8]) -> LineEndBytes {
        #[cfg(target_arch = "x86_64")]
        if let Some([lf, cr, cr_lf]) = avx2::count_line_ends(text, count_portable) {
            return LineEndBytes { lf, cr, cr_lf };
        }
        let [lf, cr, cr_lf] = count_portable(text);
        LineEndBytes { lf, cr, cr_lf }
    }
}

/// The numbers of LF, of CR, and of CR that LF follows, on every processor.
fn count_portable(text: &[u8]) -> [usize; 3] {
    let lf = memchr_iter(b'\n', text).count();
    memchr_iter(b'\r', text)
        .fold([lf, 0, 0], |[lf, cr, cr_lf], at| [lf, cr + 1, cr_lf + usize::from(text.get(at + 1) == Some(&b'\n'))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted_in_texts_of_all_lengths() {
        let of = |pattern: &[u8], length: usize| -> Vec<u8> { pattern.iter().copied().cycle().take(length).collect() };
        let patterns = [&b"\n"[..], b"\r", b"\r\n", b"\n\r\n\r\r", b"x\n\r\nxxxx", b"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n"];
        let (mut found, mut pairs) = (0, 0);
        for (pattern, length) in
            patterns.iter().flat_map(|pattern| (0..140).chain(8150..8200).map(move |length| (pattern, length)))
        {
            let text = of(pattern, length);
            let count = |byte: u8| text.iter().filter(|other| **other == byte).count();
            let cr_lf = text.windows(2).filter(|pair| pair == b"\r\n").count();
            let expected = LineEndBytes { lf: count(b'\n'), cr: count(b'\r'), cr_lf };
            assert_eq!(LineEndBytes::count(&text), expected, "{length} bytes of {pattern:?}");
            assert_eq!(count_portable(&text), [expected.lf, expected.cr, expected.cr_lf], "{length} bytes of {pattern:?}");
            (found, pairs) = (found + expected.lf, pairs + cr_lf);
        }
        assert!(found > 100_000 && pairs > 100_000, "{found} LF, {pairs} after CR");
    }
}
