//! Fingerprints: the identity of a finding, independent of the place of its record.

use xxhash_rust::xxh3::Xxh3;

use crate::{
    pgn::BOM,
    rules::{Finding, Scope},
};

/// Identity of a finding: its rule, the content of its record, the ply, the marked words, and its
/// ordinal among equal ones.
///
/// The content is hashed (XXH3, 64 bits) with each run of whitespace as one space. Line endings,
/// wrapping and the place of the record do not matter.
pub(crate) fn fingerprint(finding: &Finding, digest: u64, field: u64, ordinal: usize) -> u64 {
    if let Scope::Input { value } = &finding.scope {
        return kind_fingerprint(finding, value);
    }
    let mut hasher = Xxh3::new();
    hasher.update(finding.rule.code.to_string().as_bytes());
    hasher.update(&digest.to_le_bytes());
    hasher.update(&finding.ply.unwrap_or(0).to_le_bytes());
    hasher.update(finding.variation.as_bytes());
    hasher.update(&field.to_le_bytes());
    hasher.update(&(ordinal as u64).to_le_bytes());
    hasher.digest()
}

/// Identity of a finding that is reported once per input: its rule and its kind.
pub(crate) fn kind_fingerprint(finding: &Finding, kind: &str) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(finding.rule.code.to_string().as_bytes());
    hasher.update(kind.as_bytes());
    hasher.digest()
}

/// The fingerprint of a finding about something with the hash `subject`.
pub(crate) fn fingerprint_of(finding: &Finding, subject: u64) -> u64 {
    fingerprint(finding, subject, 0, 0)
}

/// Hashes a record in one or several parts.
pub(crate) fn digest<const N: usize>(parts: [&[u8]; N]) -> u64 {
    let mut hasher = Xxh3::new();
    let parts = parts.map(|part| part.strip_prefix(BOM).unwrap_or(part));
    let mut words = parts.into_iter().flat_map(|part| part.split(u8::is_ascii_whitespace)).filter(|word| !word.is_empty());
    if let Some(first) = words.next() {
        hasher.update(first);
    }
    for word in words {
        hasher.update(b" ");
        hasher.update(word);
    }
    hasher.digest()
}
