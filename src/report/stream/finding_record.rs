//! A finding as one JSON object.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    format::hash_cell::{finding_id, key},
    rules::{Finding, Partner},
};

/// A finding as JSON. The keys are the columns of the report; empty values are omitted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindingRecord<'a> {
    pub(super) id: String,
    pub(super) rule: String,
    pub(super) name: &'a str,
    pub(super) severity: &'static str,
    pub(super) input: &'a str,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) byte: usize,
    pub(super) end_byte: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ply: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) variation: String,
    #[serde(rename = "move", skip_serializing_if = "str::is_empty")]
    pub(super) move_text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) found: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) expected: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) alternatives: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) repair: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) repair_ply: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) fen: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) game_label: &'a str,
    pub(super) message: &'a str,
    pub(super) known: bool,
    pub(super) fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) partner: Option<&'a Partner>,
}

impl<'a> FindingRecord<'a> {
    pub(super) fn new(input: &'a str, finding: &'a Finding) -> FindingRecord<'a> {
        FindingRecord {
            id: finding_id(input, finding),
            rule: finding.rule.code.to_string(),
            name: finding.rule.name,
            severity: finding.severity.as_str(),
            input,
            line: finding.line,
            column: finding.column,
            byte: finding.place.start,
            end_byte: finding.place.end,
            game: (finding.game > 0).then_some(finding.game),
            ply: finding.ply,
            variation: finding.variation_path(),
            move_text: &finding.move_text,
            found: &finding.found,
            expected: &finding.expected,
            alternatives: &finding.alternatives,
            cause: finding.cause.map(|code| code.to_string()),
            repair: finding.certainty().map(|repair| repair.as_str()),
            repair_ply: finding.repair_ply,
            fen: &finding.fen,
            game_label: &finding.game_label,
            message: &finding.message,
            known: finding.known,
            fingerprint: key(finding.fingerprint),
            partner: finding.partner.as_deref(),
        }
    }
}
