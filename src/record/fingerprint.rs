//! Fingerprints: the identity of a finding, independent of the place of its record.

use memchr::memchr_iter;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{
    pgn::BOM,
    rules::{Finding, Scope},
};

/// Most marked words are not longer, in bytes.
const MAX_WORD: usize = 16;

/// Identity of a finding: its rule, the content of its record, the ply, the marked words, and
/// whether it is an info by itself, with its ordinal among equal ones. Infos are counted separately,
/// because most profiles do not show them.
///
/// The content is hashed (XXH3, 64 bits) with each run of whitespace as one space. Line endings,
/// wrapping and the place of the record do not matter.
pub(crate) fn fingerprint(finding: &Finding, digest: u64, field: u64, (is_info, ordinal): (bool, usize)) -> u64 {
    if let Scope::Input { value } = &finding.scope {
        return kind_fingerprint(finding, value);
    }
    let parts = [
        &finding.rule.code.text()[..],
        &digest.to_le_bytes(),
        &finding.ply.unwrap_or(0).to_le_bytes(),
        finding.variation.as_bytes(),
        &field.to_le_bytes(),
        &(ordinal as u64).to_le_bytes(),
        if is_info { b"info" } else { b"" },
    ];
    xxh3_64(&parts.concat())
}

/// Identity of a finding that is reported once per input: its rule and its kind.
pub(crate) fn kind_fingerprint(finding: &Finding, kind: &str) -> u64 {
    xxh3_64(&[&finding.rule.code.text()[..], kind.as_bytes()].concat())
}

/// The fingerprint of a finding about something with the hash `subject`.
pub(crate) fn fingerprint_of(finding: &Finding, subject: u64) -> u64 {
    fingerprint(finding, subject, 0, (false, 0))
}

/// Hashes a record in one or several parts.
pub(crate) fn digest<const N: usize>(parts: [&[u8]; N]) -> u64 {
    if let [word] = parts.as_slice()
        && word.len() <= MAX_WORD
        && !word.is_empty()
        && word.iter().all(u8::is_ascii_graphic)
    {
        return xxh3_64(word);
    }
    let mut hasher = Xxh3::new();
    let mut is_first = true;
    let mut add = |words: &[u8]| {
        if !std::mem::take(&mut is_first) {
            hasher.update(b" ");
        }
        hasher.update(words);
    };
    for part in parts {
        let part = part.strip_prefix(BOM).unwrap_or(part);
        let mut start = 0;
        for end in memchr_iter(b'\n', part).chain([part.len()]) {
            let line = part[start..end].trim_ascii();
            start = end + 1;
            if line.is_empty() {
                continue;
            }
            if has_single_spaces(line) {
                add(line);
            } else {
                line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).for_each(&mut add);
            }
        }
    }
    hasher.digest()
}

/// Whether all whitespace within a trimmed line is single spaces. Text with control characters may be refused, too.
fn has_single_spaces(line: &[u8]) -> bool {
    let pairs = line.iter().zip(line.get(1..).unwrap_or_default());
    pairs.fold(true, |all, (byte, next)| all & (*byte >= b' ') & (*byte != b' ' || *next != b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_counts_as_one_space() {
        let same = [
            "[A \"b\"]\n\n1. e4 e5\n2. Nf3 *",
            "\u{FEFF}[A\t\"b\"]\r\n\r\n1. e4  e5 2.\x0cNf3\n\n*\n",
            " [A \"b\"] 1. e4 e5 \n 2.\rNf3 * \n",
        ];
        for text in same {
            assert_eq!(digest([text.as_bytes()]), xxh3_64(b"[A \"b\"] 1. e4 e5 2. Nf3 *"), "{text:?}");
            let (header, moves) = text.split_at(text.find("1.").unwrap());
            assert_eq!(digest([header.as_bytes(), moves.as_bytes()]), digest([text.as_bytes()]), "{text:?}");
        }
        assert_eq!(digest([b""]), xxh3_64(b""));
        for word in ["Nf3", "Nb1xd2+!?", "abcdefghijklmnop", "abcdefghijklmnopq"] {
            assert_eq!(digest([word.as_bytes()]), digest([b" ", word.as_bytes()]), "{word}");
        }
        assert_eq!(digest([b"", b" a", b"\n", b"b"]), xxh3_64(b"a b"));
        assert_ne!(digest([b"a\0b"]), digest([b"a b"]));
    }
}
