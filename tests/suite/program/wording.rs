//! The texts that people read keep to the glossary and to short sentences.

use std::process::Command;

use chess_audit::internals::rules::RULES;

use crate::common::{audit, everything, input, layout_too};

/// Words that have a better one, and what to say instead. They are looked for as whole words, in
/// any case.
const AVOIDED: &[(&str, &str)] = &[
    ("man", "piece"),
    ("men", "pieces"),
    ("array", "starting position"),
    ("origin hint", "disambiguation"),
    ("spelt", "spelled, written as"),
    ("misspelt", "misspelled"),
    ("filler", "placeholder"),
    ("fillers", "placeholders"),
    ("odd", "other, non-canonical"),
    ("asked", "checked"),
    ("asks", "checks"),
    ("audited", "reported"),
    ("tells", "says"),
    ("find_repair", "repair"),
    ("mended", "repaired"),
    ("behind", "after"),
    ("in front of", "before"),
    ("small letter", "lowercase"),
    ("small letters", "lowercase"),
    ("blank", "space"),
    ("blanks", "spaces"),
    ("spared", "not checked"),
    ("spares", "does not check"),
    ("passed over", "skipped"),
    ("left alone", "skipped"),
    ("so many", "at most N"),
    ("without a word", "silently"),
    ("gone on", "continued"),
    ("stands", "is"),
    ("stand", "are"),
    ("fair", "acceptable"),
    ("fine", "allowed"),
    ("wants", "requires"),
];

/// Phrases in which such a word is the usual one.
const PERMITTED: &[&str] = &[
    "blank line",
    "blank lines",
    "blank-line",
    "stands for",
    "stand for",
    "odds",
    "even or odd",
    "is odd",
    "be odd",
    "passed pawn",
    "man page",
];

/// Maximum number of words in a sentence.
const MAX_WORDS: usize = 32;

/// What is wrong with a text.
fn complaints(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut plain = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    for phrase in PERMITTED {
        plain = plain.replace(phrase, "");
    }
    // What is quoted is not ours.
    let plain: String = plain.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    for (word, better) in AVOIDED {
        let is_part =
            |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '-' || letter == '_');
        let whole = plain
            .match_indices(word)
            .any(|(at, _)| !is_part(plain[..at].chars().next_back()) && !is_part(plain[at + word.len()..].chars().next()));
        if whole {
            found.push(format!("`{word}`: say {better}"));
        }
    }
    for item in text.split("\n* ") {
        let item = item.split_whitespace().collect::<Vec<_>>().join(" ");
        for sentence in item.split(". ") {
            let words = sentence.split_whitespace().count();
            if words > MAX_WORDS {
                found.push(format!("a sentence of {words} words"));
            }
        }
    }
    found
}

/// Complaints about texts, each with where it is.
fn all_complaints<'a>(texts: impl IntoIterator<Item = (String, &'a str)>) -> String {
    let mut all = Vec::new();
    for (place, text) in texts {
        all.extend(complaints(text).into_iter().map(|complaint| format!("{place}: {complaint}: {text}")));
    }
    all.join("\n")
}

#[test]
fn words_are_found_as_whole_words() {
    assert_eq!(complaints("the men behind the line"), ["`men`: say pieces", "`behind`: say after"]);
    assert_eq!(complaints("Movement, a blank line, `men`, Oddly written"), [""; 0]);
    assert_eq!(complaints(&"word ".repeat(33)), ["a sentence of 33 words"]);
}

#[test]
fn rules_are_documented_in_plain_words() {
    let texts = RULES.iter().flat_map(|rule| {
        [("summary", rule.summary), ("what", rule.what), ("why", rule.why), ("fix", rule.fix)]
            .map(|(part, text)| (format!("{} {part}", rule.code), text))
    });
    let complaints = all_complaints(texts);
    assert!(complaints.is_empty(), "{complaints}");
    for rule in RULES {
        let words = rule.summary.split_whitespace().count();
        assert!(words <= 12, "{}: the summary has {words} words", rule.code);
    }
}

#[test]
fn messages_are_plain_words() {
    let mut messages = Vec::new();
    for rule in RULES {
        for sample in rule.fires {
            let settings = if rule.layout { layout_too() } else { everything() };
            let format = if sample.is_pgn() {
                chess_audit::internals::text::Format::Pgn
            } else {
                chess_audit::internals::text::Format::Epd
            };
            let reported = audit(vec![input(&sample.input().0, format)], settings);
            messages.extend(reported.findings.into_iter().map(|(_, finding)| (rule.code, finding.message)));
        }
    }
    assert!(messages.len() > 300, "{} messages", messages.len());
    // A message is one line: its sentences are joined by semicolons.
    let sentences = messages.iter().flat_map(|(code, message)| message.split("; ").map(|part| (code.to_string(), part)));
    let complaints = all_complaints(sentences);
    assert!(complaints.is_empty(), "{complaints}");
}

/// The texts of a help page: those of commands and examples line by line, those of options with
/// their lines joined.
fn help_texts(help: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for paragraph in help.split("\n\n") {
        if ["Commands:", "Changes:", "Files in DIR:"].iter().any(|head| paragraph.starts_with(head)) {
            let text = |line: &str| line.trim_start().split_once("  ").map_or(String::new(), |(_, text)| text.to_owned());
            texts.extend(paragraph.lines().skip(1).map(text));
        } else if paragraph.starts_with("Usage:") {
            continue;
        } else if paragraph.to_lowercase().contains("examples:") {
            texts.extend(paragraph.lines().map(str::to_owned));
        } else {
            let is_text = |line: &&str| !line.trim_start().starts_with('-') && !line.ends_with(':');
            // An exit status starts an item of a list.
            let item =
                |line: &str| if line.trim_start().starts_with(|first: char| first.is_ascii_digit()) { "\n* " } else { " " };
            texts.push(paragraph.lines().filter(is_text).map(|line| item(line).to_owned() + line).collect());
        }
    }
    texts
}

#[test]
fn help_is_plain_words() {
    let mut commands = vec![Vec::new()];
    while let Some(command) = commands.pop() {
        let words = command.join(" ");
        let mut help = Command::new(env!("CARGO_BIN_EXE_chess-audit"));
        help.args(&command).arg("--help");
        let output = help.output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.len() > 100, "{words}");
        let texts = help_texts(&text);
        let complaints = all_complaints(texts.iter().map(|text| (format!("{words} --help"), text.as_str())));
        assert!(complaints.is_empty(), "{complaints}");
        // The commands in it, such as `shards plan`.
        let (_, inner) = text.split_once("\nCommands:\n").unwrap_or_default();
        let inner = inner.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
        let names = inner.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
        let names: Vec<&str> = names.filter(|name| *name != "help").collect();
        assert!(!command.is_empty() || names.len() > 15, "{names:?}");
        commands.extend(names.iter().map(|name| [&command[..], &[(*name).to_owned()]].concat()));
    }
}

#[test]
fn readme_is_plain_words() {
    let text = include_str!("../../../README.md");
    let prose = text.split("\n\n").filter(|paragraph| !paragraph.starts_with("    ") && !paragraph.starts_with('|'));
    let complaints = all_complaints(prose.map(|paragraph| ("README.md".to_owned(), paragraph)));
    assert!(complaints.is_empty(), "{complaints}");
}
