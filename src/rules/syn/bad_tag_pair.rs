//! Tag pairs that are none.

use crate::{
    pgn::{TagFault, read_bare_tag, read_tag},
    rules::{
        Check, Findings, Repair, Rule, Sample, Severity,
        facts::{SyntaxFault, SyntaxFaultKind},
        shown,
    },
};

/// `SYN02`
pub static RULE: Rule = Rule {
    code: code!("SYN02"),
    name: "bad-tag-pair",
    severity: Severity::Error,
    summary: "A tag pair is not made of a bracket, a name, a quoted string and a bracket",
    what: "A line of the tag section opens with [ but is not followed by a tag name, a string in quotes and ]. Blanks \
           between the four are spared. Further tag pairs of the game with the same fault are counted, not reported. A string that is quoted but not escaped is SYN03, a text that ends inside the tag \
           pair is SYN14.",
    why: "Readers lose the tag, and some of them the game: a lost FEN or Variant tag makes every move of the game wrong.",
    fix: "Complete the tag pair.",
    source: "PGN standard 8.1",
    fires: &[
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator Tal]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator \"Tal]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator \"Tal\"⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[Annotator 'Tal']⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦[White Elo \"2000\"]⟧\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "⟦Annotator \"Tal\"⟧\n", "1. e4 e5 2. Nf3 1-0")),
    ],
    silent: &[Sample::Pgn(game!("First", "1-0", "[ Annotator  \"Tal\" ]\n", "1. e4 e5 2. Nf3 1-0"))],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::Tag(TagFault::Pair(why)) = facts.kind else { return };
    let finding = findings.add(&RULE, facts.place);
    finding.found(shown(facts.place.of(facts.text))).message(format!("this is no tag pair: {why}"));
    if let Some(whole) = completed(facts.text, facts.place.start) {
        finding.expected(whole).repair = Some(Repair::Likely);
    }
}

/// The tag pair that opens at `open`, with quotes and brackets put in; `None` where its value is not known.
fn completed(text: &[u8], open: usize) -> Option<String> {
    let read = read_tag(text, open);
    if let Some(pair) = read_bare_tag(text, open) {
        return Some(format!("[{} \"{}\"]", shown(pair.name.of(text)), shown(pair.value.of(text))));
    }
    let (name, value) = match read.pair {
        Some(pair) => (pair.name.of(text), pair.value.of(text)),
        None => {
            let inside = text.get(open + 1..read.end)?.trim_ascii();
            let inside = inside.strip_suffix(b"]").unwrap_or(inside).trim_ascii();
            // `[White Elo "2000"]`: the name has fallen into two.
            if let Some([name, value, b""]) = inside.split(|&byte| byte == b'"').collect::<Vec<_>>().get(..3) {
                let name: Vec<u8> = name.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
                let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                return is_name.then(|| format!("[{} \"{}\"]", shown(&name), shown(value)));
            }
            let (name, value) = inside.split_at(inside.iter().position(|byte| matches!(byte, b' ' | b'\t'))?);
            let value = value.trim_ascii();
            (name, value.strip_suffix(b"\"").unwrap_or(value))
        }
    };
    let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let (name, value) = (std::str::from_utf8(name).ok()?, std::str::from_utf8(value).ok()?);
    let plain = !value.chars().any(|character| matches!(character, '"' | '\\' | '[' | ']') || character.is_control());
    (is_name && plain).then(|| format!("[{name} \"{value}\"]"))
}
