//! The findings as data for the script of the page. If not all of them fit, a fair sample is kept.

use std::{
    collections::{BinaryHeap, HashSet},
    fmt,
    io::{self, Write},
};

use base64::{display::Base64Display, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use rustc_hash::FxHashMap;
use serde::Serialize;
use shakmaty::Bitboard;

use super::example::{Example, kept, place_of, searched};
use crate::{
    chess::Arrow,
    format::hash_cell::key,
    record::{Diagram, Excerpt},
    rules::{Code, Finding, Severity},
    spill::{Log, WrittenLog},
};

/// Number of bytes of rows in memory.
const MAX_IN_MEMORY: usize = 1 << 20;

/// Number of bytes of rows that are kept for each byte of the page: they are compressed at the end.
const KEPT_PER_BYTE: u64 = 4;

/// The part of the estimated number of rows that is tried next, if too many were kept.
const NEXT_TRY: f64 = 0.97;

/// Findings are kept in the order of their ranks: the lowest first, and then the first ones.
type Rank = u64;

/// The findings of a run.
#[derive(Debug)]
pub(super) struct Data {
    /// Maximum number of compressed bytes.
    limit: u64,
    /// The rows in the order of the report, also those that are not kept any more.
    rows: Log,
    written: u64,
    /// Rank, number and length of the rows that are kept.
    kept: BinaryHeap<(Rank, u64, usize)>,
    /// Total length of the rows that are kept.
    bytes: u64,
    /// Whether no more rows of the highest rank fit.
    is_full: bool,
    /// Rules with findings.
    rules: HashSet<(Code, Severity)>,
    /// The input of the last finding.
    input: String,
    has_error: bool,
    /// Number of findings of that input by rule, severity and whether they are in the baseline.
    seen: FxHashMap<(Code, Severity, bool), u64>,
}

/// The compressed findings.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub bytes: Vec<u8>,
    /// Number of findings.
    pub findings: u64,
}

impl fmt::Display for Packed {
    /// As base64.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(&self.bytes, &STANDARD).fmt(to)
    }
}

impl Data {
    /// No findings; at most about `limit` bytes will be kept.
    pub fn new(limit: u64) -> Data {
        Data {
            limit,
            rows: Log::with_limit(MAX_IN_MEMORY),
            written: 0,
            kept: BinaryHeap::new(),
            bytes: 0,
            is_full: false,
            rules: HashSet::new(),
            input: String::new(),
            has_error: false,
            seen: FxHashMap::default(),
        }
    }

    /// Adds a finding, unless there is no room for it.
    pub fn add(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        let rank = self.rank(input, finding);
        if self.is_full && self.kept.peek().is_none_or(|(worst, ..)| rank >= *worst) {
            return Ok(());
        }
        let row = serde_json::to_vec(&Row::of(&Example::new(input, finding, around), finding))?;
        self.rows.push([&row])?;
        self.kept.push((rank, self.written, row.len()));
        self.written += 1;
        self.bytes += row.len() as u64;
        while self.bytes > self.limit.saturating_mul(KEPT_PER_BYTE) {
            self.is_full = true;
            let Some((_, _, length)) = self.kept.pop() else { break };
            self.bytes -= length as u64;
        }
        Ok(())
    }

    /// How soon a finding is left out. The first one of each rule and the first error of each input
    /// are kept longest, then the first findings of each rule in each input, errors before others.
    fn rank(&mut self, input: &str, finding: &Finding) -> Rank {
        if self.input != input {
            input.clone_into(&mut self.input);
            self.has_error = false;
            self.seen.clear();
        }
        let (code, severity) = (finding.rule.code, finding.severity);
        let seen = self.seen.entry((code, severity, finding.known)).or_insert(0);
        *seen += 1;
        let is_first_error = severity == Severity::Error && !std::mem::replace(&mut self.has_error, true);
        if self.rules.insert((code, severity)) || is_first_error {
            return 0;
        }
        let weight = match severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Info => 4,
        };
        *seen * weight * if finding.known { 4 } else { 1 }
    }

    /// Compresses as many findings as fit into `limit` bytes.
    pub fn pack(self, limit: u64) -> io::Result<Packed> {
        let rows = self.rows.written();
        let mut kept = self.kept.into_sorted_vec();
        loop {
            let numbers: HashSet<u64> = kept.iter().map(|(_, number, _)| *number).collect();
            match compressed(&rows, &numbers, limit)? {
                Ok(bytes) => return Ok(Packed { bytes, findings: numbers.len() as u64 }),
                Err(fitting) => {
                    let next = (fitting as f64 * NEXT_TRY) as usize;
                    kept.truncate(next.min(kept.len().saturating_sub(1)));
                }
            }
        }
    }
}

/// The rows with these numbers as one JSON list, compressed with DEFLATE; or how many of them fit
/// into `limit` bytes.
fn compressed(rows: &WrittenLog, numbers: &HashSet<u64>, limit: u64) -> io::Result<Result<Vec<u8>, usize>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(4));
    let (mut number, mut done) = (0, 0);
    let mut separator: &[u8] = b"[";
    let is_too_long = |bytes: &[u8]| bytes.len() as u64 > limit && !numbers.is_empty();
    rows.for_each(|_, row| {
        if numbers.contains(&number) && !is_too_long(encoder.get_ref()) {
            encoder.write_all(separator)?;
            encoder.write_all(row)?;
            separator = b",\n";
            done += 1;
        }
        number += 1;
        Ok(())
    })?;
    encoder.write_all(if numbers.is_empty() { b"[]" } else { b"]" })?;
    let bytes = encoder.finish()?;
    Ok(if is_too_long(&bytes) { Err(done) } else { Ok(bytes) })
}

fn is_empty(text: &&str) -> bool {
    text.is_empty()
}

/// A finding as JSON. The script of the page has the names of the fields.
#[derive(Serialize)]
struct Row<'a> {
    rule: String,
    severity: &'static str,
    input: &'a str,
    line: u64,
    column: u64,
    game: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(skip_serializing_if = "is_empty")]
    variation: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    label: &'a str,
    message: &'a str,
    #[serde(rename = "move", skip_serializing_if = "is_empty")]
    move_text: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    found: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    expected: &'a str,
    /// `certain` or `likely`, if `expected` is a repair.
    #[serde(skip_serializing_if = "is_empty")]
    repair: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "is_empty")]
    fen: &'a str,
    /// What is marked on the board; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<[String; 4]>,
    /// What is searched and not shown.
    #[serde(skip_serializing_if = "String::is_empty")]
    more: String,
    known: u8,
    key: String,
    /// The text before, at and after the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<[&'a str; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<OtherRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pair: Vec<PairRow<'a>>,
}

/// The other record of a finding.
#[derive(Serialize)]
struct OtherRow<'a> {
    place: String,
    kept: String,
    differences: &'a [(String, String, String)],
}

/// One of two records with its board.
#[derive(Serialize)]
struct PairRow<'a> {
    title: &'a str,
    values: &'a [String],
    fen: &'a str,
    marks: [String; 4],
}

impl<'a> Row<'a> {
    fn of(example: &'a Example, finding: &Finding) -> Row<'a> {
        let pair = example.pair.iter().flatten();
        Row {
            rule: finding.rule.code.to_string(),
            severity: example.severity.as_str(),
            input: &example.input_name,
            line: example.line,
            column: example.column,
            game: example.game,
            ply: example.ply,
            variation: &example.variation,
            label: &example.label,
            message: &example.message,
            move_text: if example.move_text == example.found { "" } else { &example.move_text },
            found: &example.found,
            expected: &example.expected,
            repair: example.certainty.map_or("", |certainty| certainty.as_str()),
            cause: example.cause.map(|cause| cause.to_string()),
            fen: &example.fen,
            marks: example.diagram.as_ref().map(marks),
            more: searched(finding, &finding.what_is_expected()),
            known: example.known.into(),
            key: key(example.fingerprint),
            context: example.has_context.then_some([&example.before, &example.marked, &example.after]),
            site: example.site.as_deref(),
            other: example.partner.as_ref().map(|partner| OtherRow {
                place: place_of(partner),
                kept: kept(partner),
                differences: &partner.differences,
            }),
            pair: pair
                .map(|one| PairRow { title: &one.title, values: &one.values, fen: &one.fen, marks: marks(&one.diagram) })
                .collect(),
        }
    }
}

/// Squares with a problem, squares with a check, moves as written and suggested ones:
/// `["e4", "", "c3e4", "e3e4"]`.
fn marks(diagram: &Diagram) -> [String; 4] {
    let squares = |squares: Bitboard| squares.into_iter().map(|square| square.to_string()).collect();
    let moves = |arrows: &[Arrow]| arrows.iter().map(|arrow| format!("{}{}", arrow.from, arrow.to)).collect();
    let marks = &diagram.marks;
    [squares(marks.squares), squares(diagram.checks), moves(&marks.written), moves(&marks.repaired)]
}
