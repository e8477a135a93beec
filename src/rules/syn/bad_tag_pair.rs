//! SYN02: malformed tag pairs.

use std::borrow::Cow;

use super::bad_tag_string::escaped;
use crate::pgn::{TagFault, read_bare_tag, read_tag};
use crate::rules::prelude::*;
use crate::text::Span;

pub static RULE: Rule = Rule {
    code: code!("SYN02"),
    name: "bad-tag-pair",
    severity: Severity::Error,
    summary: "The tag pair is malformed",
    what: "A tag pair is not written as `[Name \"value\"]`: a bracket, the name or a quote is \
           missing or wrong, or a backslash before the closing quote is not doubled. Extra \
           whitespace is allowed, except inside the name. If several tag pairs of a game have the \
           same defect, one finding counts them. Defects inside the quotes are SYN03, and a text \
           that ends inside a tag pair is SYN14.",
    why: "Readers lose the tag, and some lose the whole game. Without its FEN or Variant tag, all \
           moves of a game may be read wrong.",
    fix: "Add the missing bracket, name or quote.",
    source: "PGN standard 8.1",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator Tal]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator \"Tal]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator \"Tal\"⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator \"Level 6\\\"]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[[Annotator \"Tal\"]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator 'Tal']⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[White Elo \"2000\"]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦Annotator \"Tal\"⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦Annotator \"Tal\"]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        // The game is replayed from that position.
        Sample::Pgn(game!(
            "First",
            "1-0",
            "[SetUp \"1\"]\n⟦FEN \"6k1/8/8/8/8/8/4P3/4K3 b - - 3 30\"]⟧\n",
            "30... Kf7 31. e4 1-0"
        )),
        Sample::Pgn(game!("First", "1-0", "[SetUp \"1\"]\n⟦[FEN 6k1/8/8/8/8/8/4P3/4K3 b - - 3 30]⟧\n", "30... Kf7 31. e4 1-0")),
    ],
    silent: &[Sample::Pgn(game!("First", "1-0", "[ Annotator  \"Tal\" ]\n", "1. e4 e5 2. Nf3 1-0"))],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::Tag(TagFault::Pair(why)) = facts.kind else { return };
    let finding = findings.add(&RULE, facts.place).once_if_usual(why);
    finding.found(shown(facts.place.of(facts.text))).message(format!("malformed tag pair: {why}"));
    if let Some((name, value)) = completed(facts.text, facts.place) {
        finding.expected(format!("[{} \"{}\"]", shown(&name), shown(&value)));
    }
    if let Some(patch) = repair(facts.text, facts.place) {
        finding.repair(Certainty::Likely, patch);
    }
}

/// Completes the tag pair at `place`. `None` if its value is not clear, or not well-formed.
pub(crate) fn repair(text: &[u8], place: Span) -> Option<Patch> {
    let (name, value) = completed(text, place)?;
    let new = [b"[", name.as_ref(), b" \"", value.as_ref(), b"\"]"].concat();
    let read = read_tag(&new, 0);
    (read.fault.is_none() && read.end == new.len()).then(|| Patch::replace(text, place, new))
}

/// The name and the value of a tag pair, as they should be written.
type NameAndValue<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

/// The name and value of the tag pair at `place`, in which quotes or brackets are missing; `None`
/// if its value is not clear.
fn completed(text: &[u8], place: Span) -> Option<NameAndValue<'_>> {
    let open = place.start;
    let read = read_tag(text, open);
    // The closing bracket may be there.
    let written = place.of(text);
    let end = open + written.strip_suffix(b"]").unwrap_or(written).len();
    if let Some(pair) = read_bare_tag(&text[..end], open) {
        return Some((pair.name.of(text).into(), pair.value.of(text).into()));
    }
    let (name, value) = match read.pair {
        // `[Event "A\"]`: only the backslashes are wrong.
        Some(pair) if pair.value.of(text).ends_with(b"\\") => {
            return escaped(pair.value.of(text)).map(|value| (pair.name.of(text).into(), value.into()));
        }
        Some(pair) => (pair.name.of(text), pair.value.of(text)),
        None => {
            let inside = text.get(open + 1..read.end)?.trim_ascii();
            let inside = inside.strip_suffix(b"]").unwrap_or(inside).trim_ascii();
            // `[White Elo "2000"]`: there is a space in the name.
            if let Some([name, value, b""]) = inside.split(|&byte| byte == b'"').collect::<Vec<_>>().get(..3) {
                let name: Vec<u8> = name.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
                let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                return is_name.then_some((name.into(), (*value).into()));
            }
            let (name, value) = inside.split_at(inside.iter().position(|byte| matches!(byte, b' ' | b'\t'))?);
            let value = value.trim_ascii();
            if value == b"\"" {
                return None;
            }
            (name, value.strip_suffix(b"\"").unwrap_or(value))
        }
    };
    let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let characters = std::str::from_utf8(value).ok()?;
    let plain = !characters.chars().any(|character| matches!(character, '"' | '\\' | '[' | ']') || character.is_control());
    (is_name && plain).then_some((name.into(), value.into()))
}
