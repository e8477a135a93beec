//! Games that are out of all proportion: they neither overflow the stack nor take more memory than
//! their text.

use std::{fs, thread};

use crate::common::{audit_text, everything, input};
use chess_audit::internals::text::Format;

/// Stack of the threads that read them, in bytes.
const STACK: usize = 512 * 1024;

/// Reads `text` on a small stack and returns the codes of the findings.
fn codes(text: String) -> Vec<String> {
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || audit_text(text.as_bytes(), Format::Pgn).codes());
    reader.expect("a thread can be started").join().expect("the thread does not overflow its stack")
}

fn game(moves: &str) -> String {
    format!(
        "[Event \"Deep\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n{moves} *\n"
    )
}

#[test]
fn variations_may_be_nested_ten_thousand_deep() {
    const DEPTH: usize = 10_000;
    let nested = game(&format!("1. e4 {}{} 1... e5", "(1. d4 ".repeat(DEPTH), ")".repeat(DEPTH)));
    let reported = codes(nested);
    assert!(!reported.iter().any(|code| code.starts_with("MOV") || code == "SYN07" || code == "SYN08"), "{reported:?}");
    // Not closed, and closed once too often.
    assert!(codes(game(&format!("1. e4 {}", "(1. d4 ".repeat(DEPTH)))).contains(&"SYN07".to_owned()));
    assert!(codes(game(&format!("1. e4 {}", ")".repeat(DEPTH)))).contains(&"SYN08".to_owned()));
    let braces = codes(game(&format!("1. e4 {}{} e5", "{".repeat(DEPTH), "}".repeat(DEPTH))));
    assert!(!braces.is_empty(), "braces that nest are reported");
}

/// Private memory of this process that no file backs, in bytes.
#[cfg(target_os = "linux")]
fn private_memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("the kernel tells");
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).expect("it tells about private memory");
    1024 * line.split_ascii_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<usize>().ok()).expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn a_comment_of_63_mib_takes_no_memory_beside_its_text() {
    // A record over 64 MiB is not checked.
    const LENGTH: usize = 63 << 20;
    let text = game(&format!("1. e4 {{{}}} 1... e5", "a comment without end ".repeat(LENGTH / 22)));
    let inputs = vec![input(text.as_bytes(), Format::Pgn)];
    let before = private_memory();
    let audit_result = crate::common::audit(inputs, everything());
    let taken = private_memory().saturating_sub(before);
    assert_eq!(audit_result.summary.counts.plies, 2);
    assert!(taken < 32 << 20, "{taken} bytes were taken beside the text");
    assert!(!audit_result.codes().iter().any(|code| code.starts_with("SYN")), "{:?}", audit_result.codes());
}
