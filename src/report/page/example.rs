//! A finding on the page: limited in length and safe to show.

use serde::{Deserialize, Serialize};

use crate::{
    record::{Diagram, Excerpt},
    review::finding_key,
    rules::{Certainty, Code, Finding, Marks, Partner, RecordBoard, Severity},
    text::wording::printable,
};

/// Maximum length of text from an input, in characters.
const MAX_TEXT: usize = 300;

/// Maximum length of text that is searched and not shown, in characters.
const MAX_SEARCHED: usize = 4000;

/// What the findings of a night are, by [`finding_key`]. Sorted.
#[derive(Clone, Copy)]
pub(super) struct States<'n> {
    pub new: &'n [u64],
    pub known: &'n [u64],
}

/// A finding with its context.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Example {
    pub code: Code,
    /// Name of the input.
    pub input_name: String,
    pub fingerprint: u64,
    pub severity: Severity,
    pub known: bool,
    /// Whether it was there in an earlier night, and is not known.
    #[serde(default)]
    pub is_open: bool,
    pub line: u64,
    pub column: u64,
    pub game: u64,
    pub ply: Option<u32>,
    pub variation: String,
    pub label: String,
    pub message: String,
    pub move_text: String,
    pub found: String,
    pub expected: String,
    pub cause: Option<Code>,
    pub certainty: Option<Certainty>,
    pub fen: String,
    pub before: String,
    pub marked: String,
    pub after: String,
    pub has_context: bool,
    pub site: Option<String>,
    pub marks: Marks,
    pub partner: Option<Partner>,
    /// Digests of the content of both games of a pair.
    pub digests: Option<[u64; 2]>,
    /// The boards of the two records that the finding is about.
    pub pair: Option<[RecordBoard; 2]>,
    /// What is searched and not shown.
    pub more: String,
}

impl Example {
    pub fn new(input_name: &str, finding: &Finding, around: Option<&Excerpt>) -> Example {
        let pair = finding.partner.as_ref().and_then(|partner| partner.boards.as_deref());
        let pair = pair.filter(|pair| pair.iter().all(|one| Diagram::of_fen(&one.fen, &one.marks).is_some()));
        let expected = finding.what_is_expected();
        let part = |of: fn(&Excerpt) -> &str| around.map(|around| lines(of(around))).unwrap_or_default();
        let is_lichess = |site: &&Excerpt| site.site.starts_with("https://lichess.org/") && !site.site.contains('#');
        let site = around.filter(|around| !around.site.is_empty()).map(|around| match finding.ply {
            // Lichess opens a game at the ply in the fragment of the address.
            Some(ply) if around.site.len() == "https://lichess.org/12345678".len() && is_lichess(&around) => {
                format!("{}#{ply}", around.site)
            }
            _ => around.site.clone(),
        });
        Example {
            code: finding.rule.code,
            input_name: shown(input_name),
            fingerprint: finding.fingerprint,
            severity: finding.severity,
            known: finding.known,
            is_open: false,
            line: finding.line,
            column: finding.column,
            game: finding.game,
            ply: finding.ply,
            variation: shown(&finding.variation),
            label: shown(&finding.game_label),
            message: shown(&finding.message),
            move_text: shown(&finding.move_text),
            found: visible(&shown(&finding.found)),
            expected: visible(&shown(&expected)),
            cause: finding.cause,
            certainty: finding.certainty(),
            fen: shown(&finding.fen),
            before: part(|around| &around.before),
            marked: around.map(|around| lines(&visible(&around.marked))).unwrap_or_default(),
            after: part(|around| &around.after),
            has_context: around.is_some_and(|around| {
                !(around.before.trim().is_empty() && around.marked.is_empty() && around.after.trim().is_empty())
            }),
            site,
            marks: finding.marks.clone(),
            partner: finding.partner.as_deref().map(shown_partner),
            digests: finding.partner.as_ref().and_then(|partner| partner.digests),
            pair: pair.map(|pair| pair.each_ref().map(shown_board)),
            more: searched(finding, &expected),
        }
    }

    /// Sets what the finding is in a night, if it is one of a night with an earlier one.
    pub fn set_state(&mut self, states: Option<States<'_>>) {
        let Some(States { new, known }) = states.filter(|_| !self.known) else { return };
        let key = finding_key(&self.input_name, self.fingerprint);
        self.known = known.binary_search(&key).is_ok();
        self.is_open = !self.known && new.binary_search(&key).is_err();
    }

    /// The board of the finding, unless there are those of two records.
    pub fn diagram(&self) -> Option<Diagram> {
        if self.pair.is_some() { None } else { Diagram::of_fen(&self.fen, &self.marks) }
    }
}

fn shown_board(RecordBoard { title, fen, marks, values }: &RecordBoard) -> RecordBoard {
    let values = values.iter().map(|value| shown(value)).collect();
    RecordBoard { title: shown(title), fen: shown(fen), marks: marks.clone(), values }
}

/// The texts of a finding that are not shown as they are, or not to their end: they are searched.
fn searched(finding: &Finding, expected: &str) -> String {
    let Finding { found, message, game_label, move_text, fen, .. } = finding;
    let has_signs = found.contains(char::is_whitespace) && visible(found) != *found;
    let texts = [found, message, game_label, move_text, fen].map(String::as_str);
    let is_cut = |text: &&str| text.len() > MAX_TEXT || has_signs && *text == found;
    let cut = texts.into_iter().chain([expected]).filter(is_cut);
    cut.map(|text| printable(&text.chars().take(MAX_SEARCHED).collect::<String>()).into_owned()).collect::<Vec<_>>().join("\n")
}

/// The other record of a finding.
fn shown_partner(partner: &Partner) -> Partner {
    let differences = partner.differences.iter();
    Partner {
        input: shown(&partner.input),
        differences: differences.map(|(name, own, other)| (name.clone(), shown(own), shown(other))).collect(),
        boards: None,
        ..partner.clone()
    }
}

/// Text from an input, truncated, with invisible characters and direction marks escaped.
pub(super) fn shown(text: &str) -> String {
    let is_long = text.len() > MAX_TEXT;
    match is_long.then(|| text.char_indices().nth(MAX_TEXT)).flatten() {
        Some((end, _)) => printable(&text[..end]).into_owned() + "…",
        None => printable(text).into_owned(),
    }
}

/// Text at fault. White space is shown by signs if it may be the fault: at an end, or if there is
/// more than one space.
fn visible(text: &str) -> String {
    if text.trim() == text && !text.contains("  ") && !text.contains(['\t', '\r', '\n']) {
        return text.to_owned();
    }
    text.replace(' ', "·").replace('\t', "→").replace("\r\n", "\n").replace('\r', "¶").replace('\n', "¶\n")
}

/// The same for text with line feeds, which is truncated already.
fn lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| printable(&line.replace('\t', " ")).into_owned()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::{Findings, RULES},
        text::Span,
    };

    #[test]
    fn white_space_at_fault_is_visible() {
        let cases = [("Nf3", "Nf3"), ("e4 e5", "e4 e5"), ("e4 ", "e4·"), ("\t", "→"), ("a  b", "a··b"), ("a\r\n\n", "a¶\n¶\n")];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn what_is_cut_or_shown_by_signs_is_searched() {
        let mut findings = Findings::new();
        let finding = findings.add(RULES[0], Span::new(0, 1));
        (finding.found, finding.message) = ("two words".to_owned(), "short".to_owned());
        assert_eq!(searched(finding, ""), "");
        finding.found = "two  words".to_owned();
        finding.message = format!("{} zebra", "long ".repeat(100));
        let more = searched(finding, "");
        assert!(more.starts_with("two  words\n") && more.ends_with("zebra"), "{more}");
    }

    #[test]
    fn text_is_truncated_and_escaped() {
        assert_eq!(shown("a\u{202E}b\0"), "a\\u{202e}b\\u{0}");
        let long = shown(&"é".repeat(1 << 20));
        assert_eq!(long.chars().count(), MAX_TEXT + 1);
        assert!(long.ends_with('…'));
        assert_eq!(lines("a\tb\n\u{2066}c"), "a b\n\\u{2066}c");
    }
}
