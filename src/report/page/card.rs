//! The card of a finding, as people see it.

use askama::Template;

use super::{chart::percent_encoded, example::Example};
use crate::{
    pipeline::RunSummary,
    record::Diagram,
    report::svg::card_board,
    rules::{Keep, Partner, RecordBoard, Rule, rule},
    text::wording::{quantity, thousands},
};

/// Maximum length of a value that is kept in one line, in characters.
const MAX_SHORT: usize = 10;

/// The only place where a card is drawn. The script of the page gets it as HTML.
#[derive(Template)]
#[template(path = "finding.html", config = "src/report/page/askama.toml")]
pub(super) struct Card<'a> {
    example: &'a Example,
    /// The name of the input without the directories that all inputs share.
    input: &'a str,
    /// The rule that explains the finding.
    cause: Option<&'static Rule>,
    /// How often the same fault is in how many inputs.
    shared: Option<String>,
    board: Option<String>,
    /// Both records that the finding is about.
    pair: Vec<Side<'a>>,
}

/// One of two records with its board.
struct Side<'a> {
    title: &'a str,
    board: String,
    /// What its header or line says, and whether the other record differs in it.
    values: Vec<(&'a str, bool)>,
    analysis: String,
}

/// A part of a text, in a code font or not.
pub(super) struct Part<'a> {
    pub is_code: bool,
    pub text: &'a str,
}

impl<'a> Card<'a> {
    pub fn new(example: &'a Example, summary: &RunSummary, prefix: &str) -> Card<'a> {
        let shared = summary.shared.get(&example.fingerprint).filter(|fault| fault.inputs > 1);
        let sides = |[own, other]: &'a [RecordBoard; 2]| Some(vec![Side::new(own, other)?, Side::new(other, own)?]);
        Card {
            example,
            input: example.input_name.strip_prefix(prefix).unwrap_or(&example.input_name),
            cause: example.cause.and_then(rule),
            shared: shared
                .map(|fault| format!("{} in {} inputs", quantity(fault.places, "time", "times"), thousands(fault.inputs))),
            board: example.diagram().as_ref().map(card_board),
            pair: example.pair.as_ref().and_then(sides).unwrap_or_default(),
        }
    }
}

impl<'a> Side<'a> {
    fn new(own: &'a RecordBoard, other: &RecordBoard) -> Option<Side<'a>> {
        let values = own.values.iter().zip(&other.values).filter(|(value, _)| !value.is_empty());
        Some(Side {
            title: &own.title,
            board: card_board(&Diagram::of_fen(&own.fen, &own.marks)?),
            values: values.map(|(value, other)| (&**value, value != other)).collect(),
            analysis: analysis(&own.fen),
        })
    }
}

/// Whether a value is kept in one line. Browsers may end a line after a hyphen: the rest of the
/// result `1-0` would be a `0` alone. Longer values may not fit in a narrow column.
fn stays_whole(value: &str) -> bool {
    value.contains('-') && value.chars().nth(MAX_SHORT).is_none()
}

/// Where the other record is.
fn place_of(Partner { input, game, line, .. }: &Partner) -> String {
    format!("{input}:{line}, record {}", thousands(*game))
}

/// Why one of the two is kept.
fn kept(partner: &Partner) -> String {
    match partner.keep {
        Some(Keep::No) => format!("The other one is kept: {}.", partner.reason),
        Some(Keep::Check) => "Check which of them is right.".to_owned(),
        None => String::new(),
    }
}

/// Marks the text between backticks as code, unless a backtick is unpaired.
fn message_parts(message: &str) -> Vec<Part<'_>> {
    let is_paired = message.matches('`').count().is_multiple_of(2);
    if is_paired { parts(message) } else { vec![Part { is_code: false, text: message }] }
}

/// Marks the text between backticks as code.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let parts = text.trim().split('`').enumerate().map(|(index, text)| Part { is_code: index % 2 == 1, text });
    parts.filter(|part| !part.text.is_empty()).collect()
}

/// The address of an analysis board. Characters that are not part of a FEN are percent-encoded.
fn analysis(fen: &str) -> String {
    format!("https://lichess.org/analysis/{}", percent_encoded(&fen.replace(' ', "_"), b"/-_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analysis_addresses_are_percent_encoded() {
        assert_eq!(analysis("8/8 w - e3"), "https://lichess.org/analysis/8/8_w_-_e3");
        assert_eq!(analysis("\"><é"), "https://lichess.org/analysis/%22%3E%3C%C3%A9");
    }

    #[test]
    fn text_between_backticks_is_code() {
        let read = |text| message_parts(text).iter().map(|part| (part.is_code, part.text.to_owned())).collect::<Vec<_>>();
        let part = |is_code, text: &str| (is_code, text.to_owned());
        assert_eq!(read("a `b` c"), [part(false, "a "), part(true, "b"), part(false, " c")]);
        assert_eq!(read("a ` b"), [part(false, "a ` b")]);
    }
}
