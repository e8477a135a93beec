//! Fingerprints: the identity of a finding, independent of the place of its record.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{
    pgn::BOM,
    rules::{Finding, Scope},
};

/// Most marked words are not longer, in bytes.
const MAX_WORD: usize = 16;

/// Identity of a finding: its rule, the content of its record, the ply, the marked words, and
/// whether it is an info by itself, with its ordinal among equal ones. Infos are counted
/// separately, because most profiles do not show them.
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

/// Whether the finding stands for all findings of its kind in its input.
pub(crate) fn is_reported_once(finding: &Finding) -> bool {
    finding.scope != Scope::Place && finding.fingerprint == kind_fingerprint(finding, finding.scope.kind())
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
    let mut hasher = WordHasher::default();
    hasher.text.reserve(parts.iter().map(|part| part.len() + 1).sum::<usize>().min(2 * WordHasher::AT_ONCE));
    for part in parts {
        hasher.add(part.strip_prefix(BOM).unwrap_or(part));
    }
    hasher.digest()
}

/// Hashes words with one space between them.
#[derive(Default)]
struct WordHasher {
    /// The last words.
    text: Vec<u8>,
    /// The hash of those before them.
    before: Option<Box<Xxh3>>,
}

impl WordHasher {
    /// Number of bytes that are hashed at once.
    const AT_ONCE: usize = 1 << 16;

    /// Adds the words of a part.
    fn add(&mut self, part: &[u8]) {
        let mut rest = part.trim_ascii();
        while !rest.is_empty() {
            if self.before.is_some() || !self.text.is_empty() {
                self.text.push(b' ');
            }
            let (words, others) = rest.split_at(first_gap(rest));
            for words in words.chunks(WordHasher::AT_ONCE) {
                self.text.extend(words.iter().copied().map(as_space));
                if self.text.len() >= WordHasher::AT_ONCE {
                    self.before.get_or_insert_with(Box::default).update(&self.text);
                    self.text.clear();
                }
            }
            rest = others.trim_ascii_start();
        }
    }

    fn digest(self) -> u64 {
        let WordHasher { text, before } = self;
        match before {
            None => xxh3_64(&text),
            Some(mut before) => {
                before.update(&text);
                before.digest()
            }
        }
    }
}

/// The same byte, or a space instead of other whitespace. In this form, the compiler can use vector
/// instructions.
#[inline]
const fn as_space(byte: u8) -> u8 {
    if (byte == b'\n') | (byte == b'\r') | (byte == b'\t') | (byte == b'\x0C') { b' ' } else { byte }
}

/// The start of the first whitespace of several bytes. Without it, the end of the text.
fn first_gap(text: &[u8]) -> usize {
    /// Number of bytes that are compared at once.
    const AT_ONCE: usize = 32;
    let is_first = |at: usize| text[at..].iter().take(2).all(u8::is_ascii_whitespace);
    let chunk = |at: usize| text.get(at..)?.first_chunk::<AT_ONCE>();
    let last = text.len().saturating_sub(1);
    let mut at = 0;
    while at < last {
        // The last chunk begins earlier, so that it is complete.
        let from = at.min(last.saturating_sub(AT_ONCE));
        let next = last.min(at + AT_ONCE);
        // A quick test, which control characters pass, too.
        let may_be_first = chunk(from)
            .zip(chunk(from + 1))
            .is_none_or(|(bytes, next)| bytes.iter().zip(next).fold(false, |any, (byte, next)| any | (*byte.max(next) <= b' ')));
        if may_be_first && let Some(first) = (at..next).find(|at| is_first(*at)) {
            return first;
        }
        at = next;
    }
    text.len()
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
        for length in [WordHasher::AT_ONCE - 1, WordHasher::AT_ONCE, WordHasher::AT_ONCE + 1, 5 * WordHasher::AT_ONCE / 2] {
            let long = "a bc ".repeat(length / 5) + &"x".repeat(length % 5);
            let long = long.trim();
            assert_eq!(digest([long.as_bytes(), b"\nd"]), xxh3_64([long, " d"].concat().as_bytes()), "{length}");
        }
        // Whitespace of several bytes, anywhere in a text.
        for at in 1..100 {
            let (before, after) = ("a ".repeat(at), "b\x0Bc ".repeat(100 - at));
            for space in [" \n", "\t\t\t", "\r\n \x0C"] {
                let text = format!("{before}a{space}{after}");
                assert_eq!(digest([text.as_bytes()]), xxh3_64(format!("{before}a {after}").trim().as_bytes()), "{text:?}");
            }
        }
        assert_ne!(digest([b"a\0b"]), digest([b"a b"]));
    }
}
