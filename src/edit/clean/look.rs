//! What an audit shows of texts: their repairs, and which records are bad or surplus.

use std::{collections::HashMap, io};

use super::{changes::Edit, step::Step};
use crate::{
    edit::{fix::Replaces, split::to_bytes},
    identity::{CardBytes, Player},
    pipeline::{BadRecord, CertifiedPosition, DividedInput, Failure, InputSummary, Sink},
    record::Excerpt,
    report::Report,
    rules::{Certainty, Finding, Severity},
    spill::{Log, WrittenLog},
};

/// The step that makes the repair of a finding; `None` if it is not made.
pub(super) type Accepts<'a> = Box<dyn Fn(&Finding) -> Option<Step> + 'a>;

/// A repair that is made.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub edit: Edit,
    pub is_certain: bool,
    pub step: Step,
}

impl Replaces for Accepted {
    fn range(&self) -> (u64, u64) {
        (self.edit.start, self.edit.end())
    }

    fn is_certain(&self) -> bool {
        self.is_certain
    }

    fn new_bytes(&self) -> &[u8] {
        &self.edit.new
    }
}

/// Maximum number of bytes of records and reasons in memory.
const MAX_IN_MEMORY: usize = 4 << 20;

/// A bad record, or one that need not be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub start: u64,
    pub end: u64,
    /// Its ordinal; 0 if it is no record.
    pub game: u64,
    pub movetext: u64,
    /// Number of its errors.
    pub errors: u64,
    /// Where it is in the log of records.
    pub record: u64,
    /// The text and the first byte of the copy that is kept instead.
    pub kept: Option<(usize, u64)>,
}

/// What was seen of a text.
#[derive(Debug, Default)]
pub(super) struct SeenText {
    /// `None` if it could not be read as text.
    pub divided: Option<DividedInput>,
    /// Repairs that are made.
    pub accepted: Vec<Accepted>,
    /// Number of likely repairs that are not made.
    pub likely: u64,
    /// In order.
    pub bad: Vec<Seen>,
    /// In order.
    pub surplus: Vec<Seen>,
}

/// What an audit shows.
pub(super) struct Look<'a> {
    accepts: Accepts<'a>,
    /// Records and reasons, in bytes.
    log: Log,
    /// What is added to places in it.
    base: u64,
    /// The numbers of texts by name.
    numbers: HashMap<String, usize>,
    /// Those by the numbers of inputs in the run.
    of_inputs: HashMap<u64, usize>,
    pub texts: Vec<(String, SeenText)>,
    /// Bad records of the text that is read.
    pending: Vec<Seen>,
    pub failures: Vec<Failure>,
    /// Receives everything, too.
    pub report: Option<Report>,
}

impl<'a> Look<'a> {
    pub fn new(accepts: Accepts<'a>, base: u64, report: Option<Report>) -> Look<'a> {
        Look {
            accepts,
            log: Log::with_limit(MAX_IN_MEMORY),
            base,
            numbers: HashMap::new(),
            of_inputs: HashMap::new(),
            texts: Vec::new(),
            pending: Vec::new(),
            failures: Vec::new(),
            report,
        }
    }

    fn text(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.numbers.insert(name.to_owned(), self.texts.len());
        self.texts.push((name.to_owned(), SeenText::default()));
        self.texts.len() - 1
    }

    fn seen(&mut self, record: &BadRecord, kept: Option<(usize, u64)>) -> io::Result<Seen> {
        let BadRecord { start, end, game, movetext, ref findings } = *record;
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count() as u64;
        Ok(Seen { start, end, game, movetext, errors, record: self.base + self.log.push([&to_bytes(record)])?, kept })
    }

    /// The records and reasons.
    pub fn log(&mut self) -> WrittenLog {
        std::mem::replace(&mut self.log, Log::with_limit(0)).written()
    }

    fn reported(&mut self, report: impl FnOnce(&mut Report) -> io::Result<()>) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), report)
    }
}

impl Sink for Look<'_> {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.reported(|report| report.finding(input, finding))
    }

    fn repair(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let Some(certainty) = finding.certainty() else { return Ok(()) };
        let number = self.text(input);
        let Some(step) = (self.accepts)(finding) else {
            self.texts[number].1.likely += u64::from(certainty == Certainty::Likely);
            return Ok(());
        };
        let reason = self.base + self.log.push([&finding.rule.code.text(), finding.message.as_bytes()])?;
        self.texts[number].1.accepted.extend(finding.patches().iter().map(|patch| {
            let (old, new) = (patch.old.clone().into(), patch.new.clone().into());
            let is_before = patch.old.is_empty() && finding.place.start < patch.place.start;
            let edit = Edit { start: patch.place.start as u64, old, new, is_before, reasons: vec![reason] };
            Accepted { edit, is_certain: certainty == Certainty::Certain, step }
        }));
        Ok(())
    }

    fn bad_record(&mut self, record: &BadRecord) -> io::Result<()> {
        let seen = self.seen(record, None)?;
        self.pending.push(seen);
        Ok(())
    }

    fn divided(&mut self, input: &str, divided: DividedInput) -> io::Result<()> {
        let number = self.text(input);
        self.of_inputs.insert(divided.number, number);
        self.texts[number].1.bad = std::mem::take(&mut self.pending);
        self.texts[number].1.divided = Some(divided);
        Ok(())
    }

    fn surplus_copy(&mut self, input: u64, record: &BadRecord, (kept_input, kept_byte): (u64, u64)) -> io::Result<()> {
        let Some(number) = self.of_inputs.get(&input).copied() else { return Ok(()) };
        let kept = self.of_inputs.get(&kept_input).map(|kept| (*kept, kept_byte));
        let seen = self.seen(record, kept)?;
        self.texts[number].1.surplus.push(seen);
        Ok(())
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.text(&summary.name);
        self.reported(|report| report.input(summary))
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failures.push(failure.clone());
        self.reported(|report| report.failure(failure))
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        self.reported(|report| report.game(input, game))
    }

    fn certified(&mut self, input: &str, position: &CertifiedPosition) -> io::Result<()> {
        self.reported(|report| report.certified(input, position))
    }

    fn player(&mut self, player: &Player) -> io::Result<()> {
        self.reported(|report| report.player(player))
    }

    fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        self.reported(|report| report.example(input, finding, around))
    }
}
