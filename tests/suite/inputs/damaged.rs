//! Damaged archives say the same whether they are mapped or streamed, and large windows are
//! refused.

use std::{
    fs,
    io::{self, Read, Write},
    sync::Arc,
};

use crate::common::extent::part;
use crate::common::{
    AuditResult, audit, everything,
    games::game,
    packs::{PACKS, bzip2, xz_with_dictionary, zstandard, zstandard_with_window},
};
use chess_audit::internals::{
    corpus::{Bytes, Input, Packing, Source},
    pipeline::Settings,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Games that fill several blocks of each format.
fn games() -> String {
    (0..700).map(|number| game(number).plain()).collect()
}

/// Damages an archive from a place on.
type Damage = fn(&mut Vec<u8>, usize);

const DAMAGES: [(&str, Damage); 3] = [
    ("a flipped bit", |packed, at| packed[at] ^= 1 << (at % 8)),
    ("zeros", |packed, at| {
        let end = packed.len().min(at + 64);
        packed[at..end].fill(0);
    }),
    ("a cut", Vec::truncate),
];

/// The end of a message about a stream that ends early.
const NOTE: &str = "; if the last record before that may be cut off, it was not checked";

/// A stream that is read in small pieces of different sizes, as a pipe is.
struct Pipe(io::Cursor<Vec<u8>>, usize);

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1 = (self.1 * 31 + 7) % 5000;
        let length = into.len().min(self.1 + 1);
        self.0.read(&mut into[..length])
    }
}

/// The text up to the damage, and the error.
fn read(mut reader: Box<dyn Read + Send>) -> (Vec<u8>, Option<String>) {
    let mut text = Vec::new();
    let error = reader.read_to_end(&mut text).err();
    (text, error.map(|error| format!("{:?}: {error}", error.kind())))
}

fn pools() -> Result<[Arc<ThreadPool>; 2], rayon::ThreadPoolBuildError> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().map(Arc::new);
    Ok([pool(1)?, pool(3)?])
}

#[test]
fn other_bytes_after_an_archive_do_not_harm_its_text() -> Outcome {
    let text = games();
    let pools = pools()?;
    for (name, pack) in PACKS {
        let packed = [&pack(text.as_bytes())[..], b"other data, as long as a header of any format"].concat();
        let packing = Packing::of(&packed).ok_or("an archive")?;
        let mut texts = vec![read(packing.unpack_stream(Box::new(Pipe(io::Cursor::new(packed.clone()), 0))))];
        texts.extend(pools.iter().map(|pool| read(packing.unpack(Bytes::from(Arc::<[u8]>::from(&packed[..])), pool))));
        for (read, error) in texts {
            assert!(read == text.as_bytes(), "{name}: {} of {} bytes", read.len(), text.len());
            assert!(error.is_some(), "{name}");
        }
        // It is a failure all the same.
        let input = Input { name: "a".to_owned(), source: Source::Bytes(packed.into()), format: None, scanned: false };
        let audited = audit(vec![input], everything());
        assert_eq!((audited.summary.counts.games, audited.failures.len()), (700, 1), "{name}: {:?}", audited.failures);
        assert_eq!(audited.failures[0].byte, Some(text.len() as u64), "{name}");
    }
    Ok(())
}

#[test]
fn a_damaged_archive_has_one_text_mapped_or_streamed() -> Outcome {
    let text = games();
    let pools = pools()?;
    for (name, pack) in PACKS {
        let whole = pack(text.as_bytes());
        let packing = Packing::of(&whole).ok_or("an archive")?;
        for (damage, apply) in DAMAGES {
            for place in (16..whole.len()).step_by(whole.len() / part(29)).chain(whole.len() - 16..whole.len()) {
                let mut packed = whole.clone();
                apply(&mut packed, place);
                let streamed = read(packing.unpack_stream(Box::new(Pipe(io::Cursor::new(packed.clone()), place))));
                for pool in &pools {
                    let mapped = read(packing.unpack(Bytes::from(Arc::<[u8]>::from(&packed[..])), pool));
                    let threads = pool.current_num_threads();
                    assert_eq!(mapped.1, streamed.1, "{name}: {damage} at {place}, {threads} threads");
                    assert_eq!(mapped.0.len(), streamed.0.len(), "{name}: {damage} at {place}, {threads} threads");
                    assert!(mapped.0 == streamed.0, "{name}: {damage} at {place}, {threads} threads");
                }
                // Each block of bzip2 has a checksum, and blocks after a damaged one are not read.
                if name == "bz2" {
                    assert!(text.as_bytes().starts_with(&streamed.0), "{damage} at {place}");
                }
            }
        }
    }
    Ok(())
}

/// Audits a file with a name that does not depend on where it is.
fn audit_file(path: &std::path::Path, map: bool, threads: usize) -> AuditResult {
    let input = Input { name: "input".to_owned(), source: Source::File(path.to_owned()), format: None, scanned: false };
    audit(vec![input], Settings { map, threads, chunk_bytes: 5000, ..everything() })
}

#[test]
fn a_damaged_archive_has_one_report_mapped_or_streamed() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("games");
    let text = games();
    for (name, pack) in PACKS {
        for (damage, apply) in DAMAGES {
            let mut packed = pack(text.as_bytes());
            let place = packed.len() * 2 / 3;
            apply(&mut packed, place);
            fs::write(&path, packed)?;
            let streamed = audit_file(&path, false, 1);
            for threads in [1, 3] {
                let mapped = audit_file(&path, true, threads);
                assert_eq!(mapped.lines(), streamed.lines(), "{name}: {damage}");
                assert_eq!(format!("{:?}", mapped.failures), format!("{:?}", streamed.failures), "{name}: {damage}");
                // This one has no checksum.
                assert!(mapped.failures.len() == 1 || (name, damage) == ("zst", "a flipped bit"), "{name}: {damage}");
            }
        }
    }
    Ok(())
}

#[test]
fn a_damaged_block_of_bzip2_accuses_nobody() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("games.bz2");
    let text = games();
    let packed = bzip2(text.as_bytes());
    let sound = audit_file(&path_with(&path, &packed)?, false, 1).findings.len();
    for place in (16..packed.len()).step_by(packed.len() / 7) {
        let mut packed = packed.clone();
        packed[place] ^= 0x10;
        let result = audit_file(&path_with(&path, &packed)?, false, 1);
        assert!(result.findings.len() <= sound, "{place}: {:?}", result.codes());
        assert_eq!(result.failures.len(), 1, "{place}");
    }
    Ok(())
}

#[test]
fn a_record_that_is_cut_off_is_not_checked() -> Outcome {
    let directory = tempfile::tempdir()?;
    let game = |number: u64| {
        let tags = format!("[Event \"{}\"]\n[Result \"1-0\"]\n\n", number * 7919 % 991);
        tags + &format!("1. e4 {{ {} (still) }} ( 1. d4 d5 ) 1... e5 2. Ke3 1-0\n\n", number * 7907 % 997)
    };
    let position = |number: u64| format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{}\"; c0 \"{}\";\n", number, number * 7919 % 991);
    let games: String = (0..500).map(game).collect();
    let positions: String = (0..900).map(position).collect();
    for (text, file) in [(&games, "games.pgn"), (&positions, "positions.epd")] {
        let path = directory.path().join(file);
        let codes = audit_file(&path_with(&path, text.as_bytes())?, true, 1).codes();
        let (mut checked, mut cut) = (0, 0);
        for (name, pack) in PACKS {
            let packed = pack(text.as_bytes());
            for place in (100..packed.len()).step_by(packed.len() / 23) {
                let path = directory.path().join(format!("{file}.{name}"));
                let result = audit_file(&path_with(&path, &packed[..place])?, place % 2 == 0, 2);
                // Some archives may end after each of their parts.
                let Some(failure) = result.failures.first() else { continue };
                let read = &text[..failure.byte.unwrap_or(0) as usize];
                let records = result.summary.counts.records() as usize;
                let found = result.codes();
                let other: Vec<_> = found.iter().filter(|code| !codes.contains(code)).collect();
                assert!(other.is_empty(), "{name}, {place}: {other:?}");
                if file == "games.pgn" {
                    assert_eq!(records, read.matches(" 1-0\n").count(), "{name}, {place}");
                    assert_eq!(found.iter().filter(|code| **code == "MOV01").count(), records, "{name}, {place}");
                } else {
                    // A line may happen to be complete.
                    let lines = read.matches('\n').count();
                    assert!(records == lines || records == lines + 1, "{name}, {place}: {records} of {lines}");
                }
                checked += records;
                assert_eq!(failure.message.ends_with(NOTE), !read.is_empty(), "{}", failure.message);
                cut += usize::from(!read.ends_with('\n'));
            }
        }
        assert!(checked > 5_000 && cut > 20, "{file}: {checked}, {cut}");
    }
    Ok(())
}

fn path_with(path: &std::path::Path, bytes: &[u8]) -> io::Result<std::path::PathBuf> {
    fs::write(path, bytes)?;
    Ok(path.to_owned())
}

#[test]
fn an_archive_that_needs_too_much_memory_is_a_failure() -> Outcome {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("games");
    let text = games();
    let frames = [zstandard(text.as_bytes()), zstandard_with_window(text.as_bytes(), 27)?].concat();
    let zstd = "this needs more than 64 MiB of memory; decompress it with `zstd -d --long=31` and check the result";
    for (packed, byte, message) in [
        (zstandard_with_window(text.as_bytes(), 27)?, 0, format!("cannot decompress: {zstd}")),
        (zstandard_with_window(text.as_bytes(), 31)?, 0, format!("cannot decompress: {zstd}")),
        (frames, text.len(), format!("cannot decompress the rest: {zstd}{NOTE}")),
        (
            xz_with_dictionary(text.as_bytes(), 30),
            0,
            "cannot decompress: this needs more than 64 MiB of memory; decompress it with `xz -d` and check the result"
                .to_owned(),
        ),
    ] {
        fs::File::create(&path)?.write_all(&packed)?;
        for map in [true, false] {
            let result = audit_file(&path, map, 2);
            let [failure] = &result.failures[..] else { panic!("{:?}", result.failures) };
            assert_eq!(failure.message, message);
            assert_eq!(failure.byte, Some(byte as u64));
        }
    }
    // What fits is read.
    for packed in [zstandard_with_window(text.as_bytes(), 26)?, xz_with_dictionary(text.as_bytes(), 28)] {
        fs::write(&path, packed)?;
        for map in [true, false] {
            let result = audit_file(&path, map, 2);
            assert_eq!((result.failures.len(), result.summary.counts.games), (0, 700));
        }
    }
    Ok(())
}
