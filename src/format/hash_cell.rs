//! Hashes as cells: a letter first, so that no reader takes one for a number.

use arrayvec::ArrayString;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::rules::Finding;

/// A letter and 16 hexadecimal digits.
pub(crate) type HashCell = ArrayString<17>;

/// A hash as a cell.
pub(crate) fn key(hash: u64) -> String {
    key_cell(hash).to_string()
}

/// As [`key`].
pub(crate) fn key_cell(hash: u64) -> HashCell {
    cell(b'k', hash)
}

fn cell(letter: u8, hash: u64) -> HashCell {
    let mut cell = [letter; 17];
    for (at, digit) in cell.iter_mut().skip(1).enumerate() {
        *digit = b"0123456789abcdef"[(hash >> (60 - 4 * at) & 0xF) as usize];
    }
    HashCell::from_byte_string(&cell).unwrap_or_default()
}

/// The hash in a cell, also without the letter, as it was written before version 0.1.0.
pub(crate) fn parse_key(cell: &str) -> Option<u64> {
    let cell = cell.trim();
    let digits = cell.strip_prefix('k').unwrap_or(cell);
    // `from_str_radix` takes a sign too.
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

/// The identity of a finding in its report. A rule has at most one finding at each byte of an
/// input. Those about copies or expectations are told apart by their fingerprints, which depend on
/// the other game or on what is expected.
pub(crate) fn finding_id(input: &str, finding: &Finding) -> String {
    let place = xxh3_64_with_seed(input.as_bytes(), finding.place.start as u64);
    let may_be_several = finding.rule.is_about_copies() || finding.rule.is_about_expectations();
    let about = if may_be_several { finding.fingerprint } else { 0 };
    cell(b'i', xxh3_64_with_seed(&finding.rule.code.text()[..], place ^ about)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_with_and_without_their_letter() {
        for (cell, expected) in [
            ("kff", Some(255)),
            (" 00ff ", Some(255)),
            ("ffffffffffffffff", Some(u64::MAX)),
            ("+1", None),
            ("", None),
            ("k", None),
            ("kk1", None),
            ("fffffffffffffffff", None),
        ] {
            assert_eq!(parse_key(cell), expected, "{cell:?}");
        }
        assert_eq!(parse_key(&key(u64::MAX)), Some(u64::MAX));
    }
}
