//! Damaged archives: up to the damage they say what their text says, mapped or streamed, in bounded
//! time and memory.

use std::io::Write;

use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
};

use crate::common::{
    AuditResult, audit, everything, invariants,
    packs::{PACKS, zip_deflated, zip_stored},
};

/// More text than a few damaged bytes can make of a few packed ones. Without a bound, an archive
/// could fill any memory.
const MAX_TEXT: u64 = 256 << 20;

/// Archives of which a stream gives more or less text before the damage than parts that are read in
/// parallel. This is a known difference. The messages of the decoders differ for all archives.
const DIFFERENT: [&str; 2] = ["zst", "frames"];

/// The first byte chooses the way to pack, the second one the number of damaged places. Each of
/// these is the place, in two bytes, and what is done there, in two more. The rest is the text.
pub fn run(bytes: &[u8]) {
    let [kind, damages, rest @ ..] = bytes else { return };
    let damages = usize::from(damages % 8);
    let Some((damages, text)) = rest.split_at_checked(4 * damages) else { return };
    let kind = usize::from(*kind) % (PACKS.len() + 3);
    let (name, mut packed) = match kind.checked_sub(PACKS.len()) {
        None => (PACKS[kind].0, PACKS[kind].1(text)),
        Some(0) => ("zip", zip_stored(&[("a/games.pgn", text), ("b.epd", b"8/8/8/8/8/8/8/8 w - -\n"), ("c.txt", text)])),
        Some(1) => ("zip", zip_deflated(&[("games.pgn", text), ("notes/d.pgn.gz", &PACKS[2].1(text))])),
        Some(_) => ("zst", PACKS[0].1(&PACKS[4].1(text))),
    };
    for damage in damages.as_chunks::<4>().0 {
        let place = usize::from(u16::from_le_bytes([damage[0], damage[1]]));
        damaged(&mut packed, place, damage[2], damage[3]);
    }
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    file.write_all(&packed).expect("it can be written");
    let result = |source: Source, threads: usize, chunk_bytes: usize, map: bool| {
        let input = Input { name: format!("games.pgn.{name}"), source, format: None, scanned: false };
        audit(vec![input], Settings { threads, chunk_bytes, map, ..everything() })
    };
    let path = || Source::File(file.path().to_owned());
    let whole = result(Source::Bytes(packed.as_slice().into()), 1, 1 << 18, true);
    invariants::totals(&whole);
    let panicked = whole.failures.iter().find(|failure| failure.message.contains("the auditor failed"));
    assert!(panicked.is_none(), "{panicked:?}");
    assert!(whole.summary.counts.bytes <= MAX_TEXT, "{} bytes", whole.summary.counts.bytes);
    let is_recognised = whole.failures.iter().all(|failure| failure.stage == "recognise");
    if damages.is_empty() && kind < PACKS.len() && !text.is_empty() {
        assert!(is_recognised, "{:?}", whole.failures);
    }
    let expected = invariants::lines(&whole);
    invariants::same(&invariants::lines(&result(path(), 2, 50, true)), &expected, "mapped, chunks of 50 bytes");
    let is_alike = PACKS.get(kind).is_some_and(|pack| !DIFFERENT.contains(&pack.0));
    if whole.failures.is_empty() || is_alike {
        let lines = |mut result: AuditResult| {
            result.failures.iter_mut().for_each(|failure| failure.message.clear());
            invariants::lines(&result)
        };
        invariants::same(&lines(result(path(), 1, 1 << 18, false)), &lines(whole), "streamed");
    }
}

fn damaged(packed: &mut Vec<u8>, place: usize, how: u8, with: u8) {
    if packed.is_empty() {
        return;
    }
    let at = place % packed.len();
    match how % 4 {
        0 => packed[at] ^= with,
        1 => packed.truncate(at),
        2 => packed.insert(at, with),
        _ => drop(packed.drain(at..(at + 1 + usize::from(with)).min(packed.len()))),
    }
}
