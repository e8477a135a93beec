//! The findings as data for the script of the page. If not all of them fit, a fair sample is kept.

use std::{
    collections::{BinaryHeap, HashSet},
    fmt::{self, Write as _},
    io::{self, Write},
};

use askama::Template;
use base64::{
    Engine,
    display::Base64Display,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD},
};
use flate2::{Compression, write::DeflateEncoder};
use rustc_hash::FxHashMap;

use super::{
    card::Card,
    example::{Example, States},
};
use crate::{
    format::hash_cell::key as hash,
    pipeline::RunSummary,
    record::Excerpt,
    rules::{Code, Finding, Partner, Severity},
    spill::{Log, WrittenLog},
};

/// Number of bytes of findings in memory.
const MAX_IN_MEMORY: usize = 1 << 20;

/// Most findings take more bytes of the page; no more are kept than would fit. So the size limits
/// what a browser unpacks, too: a card has ten times as many bytes.
const MIN_PER_FINDING: u64 = 200;

/// Number of findings that are packed first. They show how many more will fit.
const FIRST_BATCH: usize = 1000;

/// Which part of the findings that seem to fit is packed next, because they may be longer.
const BATCH_PART: f64 = 0.9;

/// Higher levels make pages a few percent smaller, and take half as much time again.
const LEVEL: u32 = 4;

/// An empty block, which ends a stream.
const END: [u8; 2] = [3, 0];

/// Findings are kept in the order of their ranks: the lowest first, and then the first ones.
type Rank = u64;

/// The findings of a run.
#[derive(Debug)]
pub(super) struct Data {
    /// Maximum number of findings.
    max: usize,
    /// The findings in the order of the report, also those that are not kept any more.
    rows: Log,
    written: u64,
    /// Rank, number and place of the findings that are kept.
    kept: BinaryHeap<(Rank, u64, u64)>,
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
    /// No findings yet, for a page of at most so many bytes.
    pub fn new(bytes: u64) -> Data {
        Data {
            max: usize::try_from(bytes / MIN_PER_FINDING).unwrap_or(usize::MAX),
            rows: Log::with_limit(MAX_IN_MEMORY),
            written: 0,
            kept: BinaryHeap::new(),
            rules: HashSet::new(),
            input: String::new(),
            has_error: false,
            seen: FxHashMap::default(),
        }
    }

    /// Adds a finding, unless there is no room for it.
    pub fn add(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        let rank = self.rank(input, finding);
        let is_full = self.kept.len() >= self.max;
        if is_full && self.kept.peek().is_none_or(|(worst, ..)| rank >= *worst) {
            return Ok(());
        }
        let row = serde_json::to_vec(&Example::new(input, finding, around))?;
        let at = self.rows.push([&row])?;
        self.kept.push((rank, self.written, at));
        self.written += 1;
        if is_full {
            self.kept.pop();
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

    /// Compresses as many findings as fit into `limit` bytes: those that stay longest first.
    pub fn pack(self, limit: u64, of_run: (&RunSummary, Option<States<'_>>), prefix: &str) -> io::Result<Packed> {
        let rows = self.rows.written().unmapped();
        let kept = self.kept.into_sorted_vec();
        let mut packed = Packed::default();
        let (mut rest, mut next) = (&*kept, FIRST_BATCH);
        while next > 0 && !rest.is_empty() {
            let (batch, later) = rest.split_at(next.min(rest.len()));
            let bytes = compressed(&rows, batch, of_run, prefix)?;
            let used = (packed.bytes.len() + bytes.len() + END.len()) as u64;
            if used > limit {
                next = batch.len() / 2;
                continue;
            }
            packed.bytes.extend(bytes);
            packed.findings += batch.len() as u64;
            rest = later;
            let fitting = (limit - used) as f64 / used as f64 * packed.findings as f64;
            next = (fitting * BATCH_PART) as usize;
        }
        packed.bytes.extend(END);
        Ok(packed)
    }
}

/// These findings, in the order of the report, as a part of a stream that is compressed with
/// DEFLATE.
fn compressed(
    rows: &WrittenLog,
    batch: &[(Rank, u64, u64)],
    (summary, states): (&RunSummary, Option<States<'_>>),
    prefix: &str,
) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
    let mut batch: Vec<(u64, u64)> = batch.iter().map(|(_, number, at)| (*number, *at)).collect();
    batch.sort_unstable();
    let (mut line, mut card) = (String::new(), String::new());
    for (number, at) in batch {
        let mut example: Example = serde_json::from_slice(&rows.get(at)?)?;
        example.set_state(states);
        line.clear();
        card.clear();
        Card::new(&example, summary, prefix).render_into(&mut card).map_err(io::Error::other)?;
        describe(&mut line, &example, number, card.len());
        encoder.write_all(line.as_bytes())?;
        encoder.write_all(card.as_bytes())?;
    }
    // What is flushed ends with a whole byte, so that another part can follow.
    encoder.flush()?;
    Ok(std::mem::take(encoder.get_mut()))
}

/// What the script of the page needs to know of a finding before its card, as a line of fields with
/// tabs between them.
fn describe(line: &mut String, example: &Example, number: u64, card_bytes: usize) {
    let Example { line: row, column, .. } = example;
    let repair = example.certainty.map_or("", |certainty| certainty.as_str());
    // Writing to a string cannot fail.
    let state = match (example.known, example.is_open) {
        (true, _) => "known",
        (false, true) => "open",
        (false, false) => "new",
    };
    let _ = write!(line, "{number}\t{card_bytes}\t{row}:{column}\t{state}\t{repair}\t");
    // Digits would take half as much again.
    let key = STANDARD_NO_PAD.encode(example.fingerprint.to_be_bytes());
    let _ = write!(line, "{key}\t");
    if let (Some(Partner { keep: Some(_), input, game, .. }), Some([own, other])) = (&example.partner, example.digests) {
        let _ = write!(line, "{} {} {game} {} {}", example.game, hash(own), hash(other), input.replace(['\t', '\n'], " "));
    }
    let _ = write!(line, "\t{}\t{}", example.severity, example.code);
    let found = if example.move_text == example.found { "" } else { &example.found };
    let Example { input_name, label, message, move_text, expected, fen, more, .. } = example;
    for field in [input_name, label, message, move_text, found, expected, fen, more] {
        let mut before = '\t';
        for part in field.split(['\t', '\n']) {
            line.push(std::mem::replace(&mut before, ' '));
            line.push_str(part);
        }
    }
    line.push('\n');
}
