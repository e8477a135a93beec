//! Texts without chess are not accused, wherever they were found.

use crate::common::{AuditResult, audit, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    rules::Severity,
    text::Format,
};

const LICENCE: &str = "GNU GENERAL PUBLIC LICENSE\n\nPreamble\n\n  1. You may copy this (see [1]) - \"as is\".\n  2. Nf9 (\n\n";

fn audit_with(text: &str, name: &str, scanned: bool, format: Option<Format>, chunk_bytes: usize) -> AuditResult {
    let source = Source::Bytes(text.as_bytes().into());
    let settings = Settings { threads: 2, chunk_bytes, ..everything() };
    audit(vec![Input { name: name.to_owned(), source, format, scanned }], settings)
}

#[test]
fn a_text_found_by_a_search_is_a_remark() {
    for (name, repeated) in [("a.txt", 1), ("a.txt", 50), ("a.epd", 1), ("a.epd", 50)] {
        let text = LICENCE.repeat(repeated);
        for chunk_bytes in [1, 100, 1 << 18] {
            let found = audit_with(&text, name, true, None, chunk_bytes);
            assert_eq!(found.codes(), ["SYN17"], "{name} {chunk_bytes}");
            assert!(found.failures.is_empty());
            let [input] = &found.inputs[..] else { panic!("{:?}", found.inputs) };
            assert!(input.is_not_chess && input.counts.records() == 0 && input.counts.bytes == text.len() as u64);
            assert_eq!(found.summary.not_chess, 1);
        }
    }
}

#[test]
fn a_text_that_was_named_is_a_failure() {
    for name in ["a.txt", "a.epd"] {
        let found = audit_with(LICENCE, name, false, None, 1 << 18);
        assert!(found.findings.is_empty(), "{:?}", found.lines());
        let [failure] = &found.failures[..] else { panic!("{:?}", found.failures) };
        assert_eq!((failure.stage, failure.byte), ("recognise", None));
        assert!(failure.message.contains("no tag pair"), "{}", failure.message);
    }
}

#[test]
fn one_sign_of_chess_is_enough() {
    for sign in ["[Event \"x\"]\n\n*\n", "1. e4 *\n", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 40\n", "8/8/4k3/8 w - -\n"] {
        let name = if sign.starts_with('8') { "a.epd" } else { "a.pgn" };
        let text = format!("{}\n{sign}", LICENCE.repeat(3));
        let expected = audit_with(&text, name, false, None, 1 << 18);
        assert!(!expected.findings.is_empty() && expected.failures.is_empty(), "{sign}: {:?}", expected.lines());
        for (scanned, chunk_bytes) in [(false, 1), (true, 7), (true, 1 << 18)] {
            let found = audit_with(&text, name, scanned, None, chunk_bytes);
            assert_eq!(found.lines(), expected.lines(), "{sign} {scanned} {chunk_bytes}");
        }
        // Where the name does not say so, most of the text has to be chess.
        assert_eq!(audit_with(&text, "a.txt", true, None, 1 << 18).codes(), ["SYN17"], "{sign}");
        let named = audit_with(&text, "a.txt", false, None, 1 << 18);
        let [failure] = &named.failures[..] else { panic!("{sign}: {:?}", named.lines()) };
        assert!(failure.message.contains("prose") && named.findings.is_empty(), "{}", failure.message);
        let asked = audit_with(&text, "a.txt", false, expected.inputs[0].format, 1 << 18);
        assert_eq!(asked.lines(), expected.lines(), "{sign}");
    }
}

#[test]
fn a_search_takes_moves_without_tags_for_games_if_they_prevail() {
    for (text, codes) in [
        ("Notes.\n\nRound 3 had 1.e4 e5 2.Nf3. The games of board 2 were lost.\n", &["SYN17"][..]),
        ("1. e4 e5 2. Ke3 Nc6 3. Nf3 *\n", &["TAG01", "MOV01"]),
        ("1. e4 e5 {a comment that is longer than the moves} 2. Ke3 *\n", &["TAG01", "MOV01"]),
        ("Notes.\n\n[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n", &["SYN01", "TAG01", "MOV01"]),
    ] {
        for chunk_bytes in [1, 1 << 18] {
            let source = Source::Bytes(text.as_bytes().into());
            let settings = Settings { threads: 2, chunk_bytes, ..everything() };
            let found = audit(vec![Input { name: "a.txt".into(), source, format: None, scanned: true }], settings);
            let of_interest = ["SYN17", "SYN01", "TAG01", "MOV01"];
            let found: Vec<String> = found.codes().into_iter().filter(|code| of_interest.contains(&code.as_str())).collect();
            assert_eq!(found, codes, "{text:?} {chunk_bytes}");
            // A game file is read if there is any sign of chess.
            let is_read = |name: &str| audit_with(text, name, true, None, chunk_bytes).codes().contains(&"TAG01".to_owned());
            assert!(is_read("a.pgn"), "{text:?} {chunk_bytes}");
        }
    }
}

#[test]
fn a_file_with_a_chess_name_says_what_it_is_instead() {
    const PAGE: &str = "<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1></body></html>\n";
    const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4b\nsize 1\n";
    const RICH: &str = "{\\rtf1\\ansi\n\\f0 [Event \"x\"]\\\n1. d4 Nf6 *\\\n}\n";
    for (text, kind) in [(PAGE, "HTML"), (POINTER, "Git LFS"), (RICH, "RTF"), ("Scid.si\0\0\x04\0\0\0\0\x01", "Scid")] {
        for (name, severity) in [("a.pgn", Severity::Warning), ("a.epd.gz", Severity::Warning), ("a.txt", Severity::Info)] {
            let found = audit_with(text, name, true, None, 1 << 18);
            let [(_, finding)] = &found.findings[..] else { panic!("{name}: {:?}", found.lines()) };
            assert_eq!((finding.rule.name, finding.severity), ("not-chess", severity), "{name}");
            assert!(finding.message.contains(kind), "{}", finding.message);
            assert!(found.inputs[0].is_not_chess && found.failures.is_empty());
        }
        let named = audit_with(text, "a.pgn", false, None, 1 << 18);
        assert!(named.findings.is_empty() && named.failures.iter().all(|failure| failure.message.contains(kind)), "{kind}");
        assert_eq!(named.failures.len(), 1);
    }
    let read_anyway = audit_with(RICH, "a.pgn", false, Some(Format::Pgn), 1 << 18);
    assert!(read_anyway.failures.is_empty() && !read_anyway.inputs[0].is_not_chess);
}

#[test]
fn a_declared_format_is_believed() {
    let found = audit_with("1. Nf9 *\n", "a.txt", false, Some(Format::Pgn), 1 << 18);
    assert!(found.failures.is_empty() && found.codes().contains(&"SYN10".to_owned()), "{:?}", found.lines());
}

#[test]
fn an_empty_text_is_empty() {
    for text in ["", " \n\n", "; a comment\n"] {
        let found = audit_with(text, "a.pgn", true, None, 1);
        assert_eq!(found.codes(), ["SYN16"], "{text:?}");
        // A failed export is seen by default.
        let severities: Vec<Severity> = found.findings.iter().map(|(_, finding)| finding.severity).collect();
        assert_eq!(severities, [Severity::Warning], "{text:?}");
    }
}
