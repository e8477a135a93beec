//! Compressed inputs say what the text in them says, for every cut and every number of threads;
//! damaged ones up to the damage.

use std::path::Path;

use crate::common::{
    AuditResult, audit, everything,
    packs::{PACKS, Pack, bzip2, gzip, xz, zip_stored, zstandard},
};
use chess_audit::internals::{
    corpus::{Globs, Input, Packing, Skipped, Source},
    pipeline::Settings,
};

const GAME: &str = "[Event \"Wrong\"]\n[White \"A\"]\n\n1. e4 e5 2. Ke3 Nf6 3. d4 0-1\n\n";

fn games(count: usize) -> Vec<u8> {
    (0..count).flat_map(|number| GAME.replace("Wrong", &format!("Wrong {number}")).into_bytes()).collect()
}

fn input(bytes: &[u8]) -> Input {
    Input { name: "input".to_owned(), source: Source::Bytes(bytes.into()), format: None, scanned: false }
}

fn audit_result(bytes: &[u8], threads: usize, chunk_bytes: usize) -> AuditResult {
    audit(vec![input(bytes)], Settings { threads, chunk_bytes, ..everything() })
}

#[test]
fn what_is_packed_says_what_the_text_says() {
    let text = games(40);
    let expected = audit_result(&text, 1, 1 << 18).lines();
    assert!(expected.len() >= 40);
    for (name, pack) in PACKS {
        let packed = pack(&text);
        for (threads, chunk_bytes) in [(1, 1), (2, 100), (3, 1 << 18)] {
            let audit_result = audit_result(&packed, threads, chunk_bytes);
            assert!(audit_result.failures.is_empty(), "{name}: {:?}", audit_result.failures);
            assert_eq!(audit_result.lines(), expected, "{name}, {threads} threads, {chunk_bytes}");
        }
    }
}

#[test]
fn a_record_of_any_length_goes_through() {
    let mut text = games(3);
    text.extend(GAME.replace("2. Ke3", &format!("{{{}}} 2. Ke3", "words ".repeat(3 << 20))).bytes());
    text.extend(games(2));
    let expected = audit_result(&text, 2, 1 << 18);
    assert_eq!(expected.inputs[0].counts.games, 6);
    for (name, pack) in [("zst", zstandard as Pack), ("bz2", bzip2)] {
        let audit_result = audit_result(&pack(&text), 2, 1 << 18);
        assert!(audit_result.failures.is_empty(), "{name}: {:?}", audit_result.failures);
        assert_eq!(audit_result.lines(), expected.lines(), "{name}");
    }
}

#[test]
fn a_packed_input_is_fixed_as_its_text() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let at = |name: &str| directory.path().join(name);
    let text =
        "[Event \"Slip\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d7 8. c3 O-O 9. h3 Na5 *\n";
    std::fs::write(at("games.pgn"), text)?;
    std::fs::write(at("games.pgn.gz"), gzip(text.as_bytes()))?;
    let utf16: Vec<u8> = format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(at("utf16.pgn"), utf16)?;
    for name in ["games.pgn", "games.pgn.gz", "utf16.pgn"] {
        let run = |arguments: &[&str]| -> Result<(), Box<dyn std::error::Error>> {
            assert_cmd::Command::cargo_bin("chess-audit")?.current_dir(&directory).args(arguments).assert().success();
            Ok(())
        };
        run(&["check", name, "--repairs", "repairs.csv", "--fail-on", "never", "-q"])?;
        run(&["fix", name, "--repairs", "repairs.csv", "-o", &format!("{name}.mended"), "--likely"])?;
        let mended = std::fs::read_to_string(at(&format!("{name}.mended")))?;
        assert_eq!(mended, text.replace("7. Bb3 d7", "7. Bb3 d6"), "{name}");
    }
    Ok(())
}

#[test]
fn members_are_inputs() {
    let (text, other) = (games(3), games(2));
    let hidden = [("__MACOSX/a/._one.pgn", b"\0\x05".as_slice()), ("a/.DS_Store", b"\0")];
    let packed = zip_stored(&[&hidden[..], &[("a/one.pgn", &text), ("two.pgn.zst", &zstandard(&other))]].concat());
    let named = |name: &str, text: &[u8]| Input { name: name.to_owned(), ..input(text) };
    let expected = audit(vec![named("input/a/one.pgn", &text), named("input/two.pgn.zst", &other)], everything());
    let found = audit_result(&packed, 2, 64);
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    assert_eq!(found.lines(), expected.lines());
    // Without its directory the archive still has its members, and is not whole.
    let cut = audit_result(&packed[..packed.len() - 30], 2, 64);
    assert_eq!(cut.lines(), expected.lines());
    assert_eq!(cut.failures.len(), 1, "{:?}", cut.failures);
}

/// An archive that contains `games` at this depth: 1 is an archive of games, 2 an archive of those.
fn nested(games: &[u8], depth: usize) -> Vec<u8> {
    let name = if depth == 1 { "games.pgn" } else { "inner.zip" };
    let inner = if depth == 1 { games.to_vec() } else { nested(games, depth - 1) };
    zip_stored(&[(name, &inner)])
}

#[test]
fn archives_are_read_four_deep() {
    let text = games(3);
    for threads in [1, 2] {
        let found = audit_result(&nested(&text, 4), threads, 64);
        assert_eq!((found.summary.counts.games, found.failures.len()), (3, 0), "{:?}", found.failures);
        let found = audit_result(&nested(&text, 5), threads, 64);
        assert_eq!(found.summary.counts.games, 0);
        let [failure] = found.failures.as_slice() else { panic!("{:?}", found.failures) };
        assert_eq!(failure.input, "input/inner.zip/inner.zip/inner.zip/inner.zip");
        assert!(failure.message.contains("more than 4 archives deep"), "{}", failure.message);
    }
}

/// Members are decompressed several at a time. What is reported does not depend on that.
#[test]
fn members_that_are_read_ahead_are_reported_like_others() {
    let (clean, text) = (games(40), replaced(&games(30), b"1. e4", b"1. e5"));
    let utf16: Vec<u8> = String::from_utf8_lossy(&text).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16 = [b"\xFF\xFE".as_slice(), &utf16].concat();
    let names: Vec<String> = (0..60).map(|number| format!("{number}.pgn")).collect();
    let kinds: [&[u8]; 7] = [&clean, &text, b"", b"\0\0 no text", &utf16, &gzip(&text), &nested(&text, 1)];
    let members: Vec<(&str, &[u8])> = names.iter().map(String::as_str).zip(kinds.into_iter().cycle()).collect();
    let archive = zip_stored(&members);
    let plain: Vec<Input> =
        members.iter().map(|(name, text)| Input { name: format!("input/{name}"), scanned: true, ..input(text) }).collect();
    let expected = audit(plain, everything());
    assert!(expected.findings.len() > 100 && !expected.failures.is_empty(), "{}", expected.findings.len());
    for threads in [1, 2, 5] {
        let found = audit(vec![input(&archive)], Settings { threads, ..everything() });
        assert_eq!(found.lines(), expected.lines(), "{threads}");
        let names = |of: &AuditResult| of.inputs.iter().map(|input| (input.name.clone(), input.counts)).collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected), "{threads}");
        assert_eq!(format!("{:?}", found.failures), format!("{:?}", expected.failures), "{threads}");
    }
    // A damaged member is a failure, and the others are read.
    let at = archive.windows(5).position(|five| five == b"1. e5").expect("a game");
    let damaged = [&archive[..at], b"1. e6", &archive[at + 5..]].concat();
    let found = audit(vec![input(&damaged)], Settings { threads: 2, ..everything() });
    assert_eq!(found.failures.len(), expected.failures.len() + 1);
    assert!(found.failures.iter().any(|failure| failure.message.contains("checksum")), "{:?}", found.failures);
}

#[test]
fn every_member_is_an_input_or_counted() {
    let members: [(&str, &[u8]); 6] = [
        ("./one.pgn", &games(1)),
        ("../two.pgn", &games(2)),
        ("three.pgn", &games(3)),
        ("thr33.pgn", &games(4)),
        ("cover.jpg", b"\xFF\xD8\xFF"),
        (".git/x.pgn", b"*"),
    ];
    let packed = zip_stored(&members);
    // The names of two members become the same.
    let packed = replaced(&packed, b"thr33", b"three");
    let found = audit_result(&packed, 2, 64);
    let inputs: Vec<(&str, u64)> = found.inputs.iter().map(|input| (input.name.as_str(), input.counts.games)).collect();
    let expected = [("input/one.pgn", 1), ("input/../two.pgn", 2), ("input/three.pgn", 3), ("input/three.pgn (2)", 4)];
    assert_eq!(inputs, expected);
    assert_eq!(found.summary.skipped, Skipped { other_extension: 1, hidden: 1, ..Skipped::default() });
    assert_eq!(found.summary.failures, 0);

    let useless = audit_result(&zip_stored(&members[4..]), 1, 64);
    assert_eq!(useless.failures.len(), 1, "an archive that was named should contain chess");
    let globs = Globs::new(&["three*"], Path::new("/nowhere")).expect("a glob");
    let settings = Settings { exclude: globs, threads: 1, ..everything() };
    let audited = audit(vec![input(&packed)], settings);
    assert_eq!((audited.inputs.len(), audited.summary.skipped.excluded), (2, 2));
}

/// `bytes` with `new` instead of `old`, which has the same length.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len().saturating_sub(old.len()) {
        if bytes[at..].starts_with(old) {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    }
    bytes
}

#[test]
fn an_archive_cut_at_any_byte_is_audited_up_to_there() {
    let text = games(6);
    let whole = audit_result(&text, 1, 1 << 18);
    for (name, pack) in PACKS {
        let packed = pack(&text);
        let mut read = 0;
        // Fewer bytes do not tell that something is packed.
        for cut in 16..packed.len() {
            let one = audit_result(&packed[..cut], 1, 1 << 18);
            let other = audit_result(&packed[..cut], 2, 50);
            assert_eq!(one.lines(), other.lines(), "{name} cut at {cut}");
            let bytes: Vec<_> = [&one, &other]
                .iter()
                .map(|audit_result| audit_result.failures.iter().map(|failure| failure.byte).collect::<Vec<_>>())
                .collect();
            assert_eq!(bytes[0], bytes[1], "{name} cut at {cut}");
            let now = one.inputs.iter().map(|input| input.counts.bytes).sum::<u64>();
            assert!(now >= read || one.failures.iter().any(|failure| failure.stage == "recognise"), "{name} cut at {cut}");
            read = now.max(read);
        }
        assert!(read as usize <= text.len(), "{name}");
        assert!(audit_result(&packed, 1, 1 << 18).lines() == whole.lines(), "{name}");
    }
}

#[test]
fn a_damaged_archive_is_audited_up_to_the_damage() {
    let text = games(2000);
    for (name, pack) in PACKS {
        let mut packed = pack(&text);
        let at = packed.len() * 3 / 4;
        for byte in &mut packed[at..at + 8] {
            *byte ^= 0x5A;
        }
        let (one, other) = (audit_result(&packed, 1, 1 << 18), audit_result(&packed, 3, 1000));
        assert_eq!(one.lines(), other.lines(), "{name}");
        assert_eq!(one.failures.len(), 1, "{name}: {:?}", one.failures);
        assert_eq!(one.failures[0].byte, other.failures[0].byte, "{name}");
        assert!(one.inputs.iter().all(|input| !input.complete), "{name}");
    }
}

#[test]
fn what_packs_an_input_is_seen_inside() {
    for (packing, pack) in
        [(Packing::Zstandard, zstandard as Pack), (Packing::Gzip, gzip), (Packing::Bzip2, bzip2), (Packing::Xz, xz)]
    {
        let packed = pack(GAME.as_bytes());
        let seen = chess_audit::internals::corpus::recognise(&packed, "a.txt", true, &Default::default());
        assert_eq!(seen, chess_audit::internals::corpus::Recognised::Packed(packing));
    }
}
