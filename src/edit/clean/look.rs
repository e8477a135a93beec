//! What an audit shows of texts: their repairs, and which records are bad or surplus.

use std::{
    collections::{HashMap, HashSet},
    io,
};

use super::{changes::Edit, names::Names, step::Step};
use crate::{
    edit::{fix::Replaces, split::to_bytes},
    identity::{CardBytes, Player},
    pipeline::{BadFinding, BadRecord, CertifiedPosition, DividedInput, Failure, InputSummary, Pair, Sink},
    record::Excerpt,
    report::Report,
    rules::{Certainty, Finding, Keep, Patch, Severity, dup::other_spelling},
    spill::{Log, WrittenLog},
    text::wording::{printable_name, thousands},
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

/// Two games that may be copies of each other, and that a decision may be about.
#[derive(Debug)]
pub(super) struct SeenPair {
    /// The numbers of their texts among those that were seen.
    pub texts: [usize; 2],
    /// The games, each with the other one as the one that is kept.
    pub games: [Seen; 2],
    pub digests: [u64; 2],
    /// Whether they contradict each other, so that a person has to decide.
    pub is_to_check: bool,
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
    /// Spellings of names that are replaced.
    names: &'a Names,
    /// Number of names that cannot be written.
    pub unwritable_names: u64,
    /// The digests of games that decisions are about, and the names of their texts.
    decided: (HashSet<u64>, HashSet<String>),
    /// Pairs with such a game, or in such texts.
    pub pairs: Vec<SeenPair>,
    /// Bad records of the text that is read.
    pending: Vec<Seen>,
    pub failures: Vec<Failure>,
    /// Receives everything, too.
    pub report: Option<Report>,
}

impl<'a> Look<'a> {
    pub fn new(
        accepts: Accepts<'a>,
        base: u64,
        (names, decided): (&'a Names, (HashSet<u64>, HashSet<String>)),
        report: Option<Report>,
    ) -> Look<'a> {
        Look {
            accepts,
            log: Log::with_limit(MAX_IN_MEMORY),
            base,
            numbers: HashMap::new(),
            of_inputs: HashMap::new(),
            texts: Vec::new(),
            names,
            unwritable_names: 0,
            decided,
            pairs: Vec::new(),
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

fn edit(Patch { place, old, new }: Patch, is_before: bool, reason: u64) -> Edit {
    Edit { start: place.start as u64, old: old.into(), new: new.into(), is_before, reasons: vec![reason] }
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
            let is_before = patch.old.is_empty() && finding.place.start < patch.place.start;
            Accepted { edit: edit(patch.clone(), is_before, reason), is_certain: certainty == Certainty::Certain, step }
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

    fn pair(&mut self, pair: &Pair<'_>) -> io::Result<()> {
        let Pair { finding, severity, places, ref surplus } = *pair;
        let [Some(text), Some(other)] = places.map(|place| self.of_inputs.get(&place.input).copied()) else { return Ok(()) };
        if let Some(record) = surplus {
            let seen = self.seen(record, Some((other, places[1].byte)))?;
            self.texts[text].1.surplus.push(seen);
        }
        let Some(partner) = &finding.partner else { return Ok(()) };
        let (texts, (digests, names)) = ([text, other], &self.decided);
        let may_be = |both: &[u64; 2]| {
            both.iter().any(|one| digests.contains(one)) || texts.iter().all(|text| names.contains(&self.texts[*text].0))
        };
        let Some(digests) = partner.digests.filter(may_be) else { return Ok(()) };
        let mut side = |own: usize, kept: usize| {
            let (place, instead) = (places[own], places[kept]);
            let (name, game) = (printable_name(&self.texts[texts[kept]].0), thousands(instead.game));
            let message = format!("a person decided to keep {name}, record {game}, instead");
            let findings = vec![BadFinding { line: place.line, column: 1, rule: finding.rule.code, severity, message }];
            let record = BadRecord { start: place.byte, end: place.end, game: place.game, movetext: 0, findings };
            self.seen(&record, Some((texts[kept], instead.byte)))
        };
        let games = [side(0, 1)?, side(1, 0)?];
        let is_to_check = partner.keep == Some(Keep::Check) && !partner.cluster.is_empty();
        self.pairs.push(SeenPair { texts, games, digests, is_to_check });
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
        if !self.names.is_empty() {
            let game = game.game()?;
            for change in self.names.changes(&game) {
                let Some((patch, reason)) = change else {
                    self.unwritable_names += 1;
                    continue;
                };
                let reason = self.base + self.log.push([&other_spelling::RULE.code.text(), reason.as_bytes()])?;
                let edit = edit(patch, false, reason);
                let number = self.text(input);
                self.texts[number].1.accepted.push(Accepted { edit, is_certain: true, step: Step::Names });
            }
        }
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
