//! Which findings of two reports are the same.
//!
//! Findings are matched by fingerprint: first inside their input, then over all inputs. So a copy
//! of an input does not take the matches of the original. A fingerprint that occurs several times
//! (the same game twice) is matched once for each pair.
//!
//! A fingerprint changes with any part of its record. So the other findings are matched once more,
//! by what stays if another part of the record is edited. They have moved.

use std::{
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    num::NonZeroU64,
};

use memchr::memmem;
use tempfile::SpooledTempFile;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{
    compare_error::CompareError,
    compare_inputs::InputComparison,
    reader::{FindingRow, ReportReader},
};
use crate::{rules::Severity, spill::temporary_failed};

/// What the other report has for a row: the same finding, none, or its severity if it differs.
/// One byte, because there is one for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match(u8);

impl Match {
    pub const SAME: Match = Match(u8::MAX);
    pub const NONE: Match = Match(u8::MAX - 1);
    pub const MOVED: Match = Match(u8::MAX - 2);
    /// The same finding, which was known.
    pub const KNOWN: Match = Match(u8::MAX - 3);

    /// The severity before, if it was another one.
    pub fn severity_before(self) -> Option<Severity> {
        Severity::ALL.into_iter().find(|severity| *severity as u8 == self.0)
    }
}

/// The matches of all rows of both reports, in the order of the rows.
#[derive(Debug, Default)]
pub(super) struct Matches {
    pub old: Vec<Match>,
    pub new: Vec<Match>,
    /// The rows of findings that have moved, before and after.
    pub moves: Vec<(u64, u64)>,
}

impl Matches {
    pub fn of(before: &ReportReader, after: &ReportReader, inputs: &InputComparison) -> Result<Matches, CompareError> {
        let (mut old, mut new) = (Partitions::new(), Partitions::new());
        before.for_each_finding(|row| old.add(&row, |name| name))?;
        after.for_each_finding(|row| new.add(&row, |name| inputs.old_name(name)))?;
        let mut matches =
            Matches { old: vec![Match::NONE; old.rows as usize], new: vec![Match::NONE; new.rows as usize], moves: Vec::new() };
        let (mut old_rest, mut new_rest) = (Partitions::new(), Partitions::new());
        for (old, new) in old.files.into_iter().zip(new.files) {
            let (old, new) = (sorted(old)?, sorted(new)?);
            matches.join(&old, &new, false);
            let has_none = |matches: &[Match], identity: &Identity| matches.get(identity.row as usize) == Some(&Match::NONE);
            let looser = |identity: Identity| Some(Identity { fingerprint: identity.looser?.get(), ..identity });
            let mut rest = old.into_iter().filter(|identity| has_none(&matches.old, identity)).filter_map(looser);
            rest.try_for_each(|identity| old_rest.push(identity))?;
            let mut rest = new.into_iter().filter(|identity| has_none(&matches.new, identity)).filter_map(looser);
            rest.try_for_each(|identity| new_rest.push(identity))?;
        }
        for (old, new) in old_rest.files.into_iter().zip(new_rest.files) {
            matches.join(&sorted(old)?, &sorted(new)?, true);
        }
        Ok(matches)
    }

    /// Matches rows with equal fingerprints. Both lists are sorted.
    fn join(&mut self, old: &[Identity], new: &[Identity], is_looser: bool) {
        let mut later = new.chunk_by(Identity::is_like).peekable();
        for old in old.chunk_by(Identity::is_like) {
            let fingerprint = old.first().map(|row| row.fingerprint);
            let of = |new: &&[Identity]| new.first().map(|row| row.fingerprint);
            while later.next_if(|new| of(new) < fingerprint).is_some() {}
            if let Some(new) = later.next_if(|new| of(new) == fingerprint) {
                self.join_like(old, new, is_looser);
            }
        }
    }

    /// Matches rows with the same fingerprint, sorted by input: first those of the same input, then
    /// the others in the order of the rows.
    fn join_like(&mut self, old: &[Identity], new: &[Identity], is_looser: bool) {
        let (mut old_rest, mut new_rest): (Vec<&Identity>, Vec<&Identity>) = Default::default();
        let mut later = new.iter().peekable();
        for before in old {
            new_rest.extend(std::iter::from_fn(|| later.next_if(|after| after.input < before.input)));
            match later.next_if(|after| after.input == before.input) {
                Some(after) => self.pair(before, after, is_looser),
                None => old_rest.push(before),
            }
        }
        new_rest.extend(later);
        old_rest.sort_unstable_by_key(|row| row.row);
        new_rest.sort_unstable_by_key(|row| row.row);
        old_rest.into_iter().zip(new_rest).for_each(|(before, after)| self.pair(before, after, is_looser));
    }

    fn pair(&mut self, before: &Identity, after: &Identity, is_looser: bool) {
        self.old[before.row as usize] = Match::SAME;
        if is_looser {
            self.moves.push((before.row, after.row));
        }
        self.new[after.row as usize] = match before.severity == after.severity {
            _ if is_looser => Match::MOVED,
            true if before.is_known => Match::KNOWN,
            true => Match::SAME,
            false => Match(before.severity),
        };
    }
}

/// The part of a row that is needed to match it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    fingerprint: u64,
    /// The hash of the old name of its input.
    input: u64,
    row: u64,
    severity: u8,
    /// Whether it is in the baseline of its audit.
    is_known: bool,
    /// The looser identity, if it has one.
    looser: Option<NonZeroU64>,
}

impl Identity {
    const BYTES: usize = 34;

    fn of(row: &FindingRow<'_>, ordinal: u64, input: u64) -> Identity {
        Identity {
            fingerprint: row.fingerprint,
            input,
            row: ordinal,
            severity: row.severity as u8,
            is_known: row.cell("known") == b"true",
            looser: looser(row),
        }
    }

    const fn is_like(&self, other: &Identity) -> bool {
        self.fingerprint == other.fingerprint
    }
}

/// What stays if another part of the record is edited: its rule, severity, ply and text, with the
/// players, event, date and round of the game, or its link, or the position on its line. `None` if
/// too little is known to tell games apart.
fn looser(row: &FindingRow<'_>) -> Option<NonZeroU64> {
    let label = row.cell("game_label");
    let names_game = [&b" - "[..], b"http"].iter().any(|part| memmem::find(label, part).is_some());
    // Many games have the same position at a ply. Lines of positions have no plies.
    let fen = if names_game || !row.cell("ply").is_empty() { b"" } else { row.cell("fen") };
    if !names_game && fen.is_empty() {
        return None;
    }
    let mut hasher = Xxh3::new();
    hasher.update(&[row.severity as u8]);
    for name in ["rule", "ply", "variation", "move", "found"] {
        hasher.update(row.cell(name));
        hasher.update(b"\0");
    }
    hasher.update(label);
    hasher.update(b"\0");
    hasher.update(fen);
    NonZeroU64::new(hasher.digest())
}

/// The rows of a report, partitioned by fingerprint so that each partition fits into memory. Large
/// partitions are temporary files.
struct Partitions {
    rows: u64,
    files: Vec<BufWriter<SpooledTempFile>>,
}

impl Partitions {
    const COUNT: usize = 64;
    /// Maximum number of bytes of a partition kept in memory.
    const MAX_IN_MEMORY: usize = 1 << 18;

    fn new() -> Partitions {
        let file = || BufWriter::with_capacity(1 << 12, SpooledTempFile::new(Partitions::MAX_IN_MEMORY));
        Partitions { rows: 0, files: (0..Partitions::COUNT).map(|_| file()).collect() }
    }

    /// Adds a row. `old_name` turns the hash of the name of an input into that of its old name.
    fn add(&mut self, row: &FindingRow<'_>, old_name: impl Fn(u64) -> u64) -> Result<(), CompareError> {
        self.rows += 1;
        self.push(Identity::of(row, self.rows - 1, old_name(xxh3_64(row.cell("input")))))
    }

    fn push(&mut self, identity: Identity) -> Result<(), CompareError> {
        let mut bytes = [0; Identity::BYTES];
        let Identity { fingerprint, input, row, severity, is_known, looser } = identity;
        let numbers = [fingerprint, input, row, looser.map_or(0, NonZeroU64::get)];
        for (bytes, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes[32..].copy_from_slice(&[severity, u8::from(is_known)]);
        let partition = (fingerprint % Partitions::COUNT as u64) as usize;
        self.files[partition].write_all(&bytes).map_err(temporary)
    }
}

fn temporary(error: io::Error) -> CompareError {
    CompareError::Temporary(temporary_failed(error))
}

/// The rows of a partition, sorted by fingerprint and input.
fn sorted(partition: BufWriter<SpooledTempFile>) -> Result<Vec<Identity>, CompareError> {
    let read = || -> io::Result<Vec<Identity>> {
        let mut file = partition.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut reader = BufReader::new(file);
        let mut identities = Vec::new();
        let mut bytes = [0; Identity::BYTES];
        loop {
            match reader.read_exact(&mut bytes) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(error),
            }
            let number = |from: usize| {
                let mut number = [0; 8];
                number.copy_from_slice(&bytes[from..from + 8]);
                u64::from_le_bytes(number)
            };
            identities.push(Identity {
                fingerprint: number(0),
                input: number(8),
                row: number(16),
                severity: bytes[32],
                is_known: bytes[33] != 0,
                looser: NonZeroU64::new(number(24)),
            });
        }
        identities.sort_unstable();
        Ok(identities)
    };
    read().map_err(temporary)
}
