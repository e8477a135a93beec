//! From raw collections to a clean corpus: repairs, tags from copies, copies out, bad records
//! aside.
//!
//! Each step is planned by an audit of the texts as they are then. All changes are kept as changes
//! of the original texts, and these are read once more when the result is written. So nothing is
//! lost, and each byte of the result is accounted for. The result is audited in turn, until there
//! is nothing left to do.

mod changes;
mod cleaned;
mod decisions;
mod error;
mod look;
mod names;
mod one_file;
mod step;
mod text;
mod write;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use crate::{
    corpus::{Finder, Input, Source},
    edit::{fix::settled, split::check_same_kind},
    format::{
        RunSettings, TOOL,
        directory::Unfinished,
        files::RUN_FILE,
        own_directory::{CleanRun, OwnDirectory, all_files, digest_of},
        write_json_pretty,
    },
    identity::CardUse,
    pipeline::{Audit, Expectations, Failure, Progress, RunSummary, Settings, SplitOn},
    report::Report,
    rules::{Certainty, Check, CodeSet, Finding, RULES},
};

use changes::{Destination, Moved};
pub use cleaned::Cleaned;
pub use decisions::Decisions;
use decisions::{At, Decided};
pub use error::CleanError;
use look::{Accepted, Accepts, Look, Seen, SeenPair, SeenText};
pub use names::Names;
use one_file::OneFile;
pub use step::Step;
use text::{Edited, Text};
use write::{Corpus, Logs, Tables, games_file};

/// Maximum number of audits after which repairs must have settled.
const MAX_ROUNDS: usize = 5;

/// Maximum number of audits of the result.
const MAX_AUDITS: u64 = 10;

/// Begins to show the progress of an audit of these inputs, if somebody watches.
pub type Watch<'a> = &'a dyn Fn(&[Input]) -> Option<Box<dyn Progress>>;

/// What is cleaned, and how.
pub struct Clean<'a> {
    /// The inputs, which can be read again.
    pub inputs: Vec<Input>,
    /// How they are audited.
    pub settings: Settings,
    /// The same, as a report says it.
    pub run_settings: RunSettings,
    /// The steps; the order does not matter.
    pub steps: Vec<Step>,
    /// Whether likely repairs are made, too.
    pub likely: bool,
    /// Whether versions of better games are moved out with copies.
    pub versions: bool,
    /// Spellings of names that people have decided to replace.
    pub names: Names,
    /// What people have decided about copies.
    pub decisions: Decisions,
    /// What makes a record bad.
    pub split_on: SplitOn,
    /// Whether games that are moved say why, in a comment before their first move.
    pub annotate: bool,
    /// Begins to show the progress of an audit.
    pub watch: Watch<'a>,
    /// Set to stop the run. Then nothing is written.
    pub stop: &'a AtomicBool,
}

/// A clean corpus that was written, or the plan of one.
#[derive(Debug)]
pub struct CleanOutcome {
    /// What was done.
    pub cleaned: Cleaned,
    /// What could not be audited.
    pub failures: Vec<Failure>,
}

impl Clean<'_> {
    fn has(&self, step: Step) -> bool {
        self.steps.contains(&step)
    }

    /// The step that makes the repair of a finding.
    fn accepts(&self, finding: &Finding) -> Option<Step> {
        let step = match finding.rule.check {
            Check::Kept(_) => Step::Complete,
            Check::Spelling(_) => Step::Names,
            _ => Step::Repair,
        };
        let is_made = step != Step::Repair || self.likely || finding.certainty() == Some(Certainty::Certain);
        (is_made && self.has(step)).then_some(step)
    }

    /// The settings for repairs: what is found in each record by itself.
    fn settings_of_repairs(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.options.duplicates = false;
        let mut rules = self.split_on.rules;
        RULES.iter().filter(|rule| rule.repairs.is_some()).for_each(|rule| rules.insert(rule.code));
        let split = SplitOn { severity: Some(crate::rules::Severity::Error), rules };
        Settings { repairs: true, split: Some(split), portrait: false, games: None, examples: 0, ..unexpecting(settings) }
    }

    /// The settings for everything else.
    fn settings_of_all(&self, has_report: bool) -> Settings {
        let mut settings = self.settings.clone();
        let compares = [Step::Names, Step::Complete, Step::Copies].into_iter().any(|step| self.has(step));
        settings.options.duplicates |= compares;
        let mut shown = CodeSet::EMPTY;
        let mut split = self.split_on;
        if !self.has(Step::Aside) {
            split = SplitOn { severity: None, rules: CodeSet::EMPTY };
        }
        for rule in RULES {
            match rule.check {
                Check::Pair(_) if self.has(Step::Copies) => split.rules.insert(rule.code),
                Check::Kept(_) if self.has(Step::Complete) => shown.insert(rule.code),
                Check::Spelling(_) if self.has(Step::Names) && settings.spellings.is_some() => shown.insert(rule.code),
                _ => {}
            }
        }
        settings.selection = settings.selection.with(shown);
        let (portrait, examples) = (has_report, if has_report { settings.examples } else { 0 });
        let has_games = has_report && self.run_settings.game_keys || self.has(Step::Names) && !self.names.is_empty();
        let games = has_games.then_some(CardUse::Keys);
        let versions = self.versions;
        let only_listed_names = self.has(Step::Names);
        let settings = unexpecting(settings);
        Settings { versions, repairs: true, split: Some(split), portrait, games, examples, only_listed_names, ..settings }
    }

    /// What would be done. Nothing is written.
    pub fn plan(&self) -> Result<CleanOutcome, CleanError> {
        let mut run = Run::new(self, PathBuf::new());
        let (mut seen, summary) = run.look(self.inputs.clone(), self.settings_of_all(false), None)?;
        run.begin(&seen.texts)?;
        run.choose_copies(&mut seen, &summary);
        for (name, text) in &seen.texts {
            let Some(number) = run.number(name) else { continue };
            let (moved, _) = run.moved(number, text);
            run.cleaned.likely += text.likely;
            let repairs = run.cleaned.repairs;
            let (accepted, _) = settled(text.accepted.clone());
            run.count(&moved, &accepted);
            run.cleaned.repaired += u64::from(run.cleaned.repairs > repairs);
        }
        Ok(run.outcome(seen.failures, &summary))
    }

    /// Writes a clean corpus to `directory`, which is replaced if it is one that was not edited, or
    /// if `force` is set.
    pub fn write(&self, directory: &Path, force: bool) -> Result<CleanOutcome, CleanError> {
        let unfinished = Unfinished::create(directory, OwnDirectory::CleanCorpus { force })?;
        let corpus = unfinished.path();
        let mut run = Run::new(self, unfinished.scratch());
        let (failures, summary) = run.settle(corpus, directory, true)?;
        let outcome = run.outcome(failures, &summary);
        write_run(corpus, RUN_FILE, &outcome.cleaned)?;
        unfinished.finish()?;
        Ok(outcome)
    }

    /// Writes all that stays to `file`, in the order in which inputs were named, and the rest next
    /// to it. What is there already is replaced if it is an earlier result that was not edited, or
    /// if `force` is set.
    pub fn write_into(&self, file: &Path, force: bool) -> Result<CleanOutcome, CleanError> {
        let result = OneFile::new(file, force)?;
        let unfinished = Unfinished::create(&result.beside(), OwnDirectory::CleanCorpus { force })?;
        let corpus = unfinished.path();
        let mut run = Run::new(self, unfinished.scratch());
        let (failures, summary) = run.settle(corpus, file, false)?;
        run.check_kinds()?;
        run.texts.sort_by_cached_key(|text| (self.settings.order.rank(&text.name), text.name.clone()));
        run.write(corpus, Some(&result.name))?;
        let outcome = run.outcome(failures, &summary);
        write_run(corpus, &result.run_file(), &outcome.cleaned)?;
        result.place(corpus)?;
        Ok(outcome)
    }
}

impl Run<'_> {
    /// Writes a corpus to a directory again and again, until an audit of it finds nothing to do.
    /// `shown` is the name of the result for people.
    fn settle(&mut self, corpus: &Path, shown: &Path, reports: bool) -> Result<(Vec<Failure>, RunSummary), CleanError> {
        let clean = self.clean;
        if clean.has(Step::Repair) {
            self.repair()?;
        }
        let (mut inputs, mut settings, mut report) = (self.now(), clean.settings_of_all(false), None);
        loop {
            let (mut seen, summary) = self.look(inputs, settings, report)?;
            self.begin(&seen.texts)?;
            self.choose_copies(&mut seen, &summary);
            let (wanted, left) = self.decide(&seen);
            let audits = self.cleaned.audits;
            if audits > 0 && (wanted == left || audits == MAX_AUDITS) {
                self.cleaned.is_settled = wanted == 0;
                if let Some(report) = seen.report {
                    let steps = self.cleaned.steps(false).into_iter();
                    let report = report.with_steps(steps.map(|(name, text)| (name.to_owned(), text)).collect());
                    report.complete(&summary)?.finish()?;
                }
                let before = std::mem::take(&mut self.failures);
                return Ok((if before.is_empty() { seen.failures } else { before }, summary));
            }
            if audits == 0 {
                self.check_names(shown)?;
            }
            self.write(corpus, None)?;
            self.cleaned.audits += 1;
            inputs = self.results(corpus);
            settings = Settings { known_as: self.shown.clone(), ..clean.settings_of_all(reports) };
            let mut run_settings = clean.run_settings.clone();
            run_settings.options.duplicates = settings.options.duplicates;
            report = reports.then(|| Report::create(&corpus.join("report"), run_settings)).transpose()?;
        }
    }
}

/// Without what is expected of the original inputs.
fn unexpecting(settings: Settings) -> Settings {
    Settings { expectations: std::sync::Arc::new(Expectations::default()), ..settings }
}

/// Says what was done, and how each file can be recognised.
fn write_run(corpus: &Path, name: &str, cleaned: &Cleaned) -> Result<(), CleanError> {
    let files = all_files(corpus)?;
    let digests = files.into_iter().map(|path| Ok((path.clone(), digest_of(&corpus.join(path))?)));
    let files = digests.collect::<io::Result<BTreeMap<_, _>>>()?;
    let run = CleanRun { tool: TOOL.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), clean: cleaned, files };
    let mut file = fs::File::create_new(corpus.join(name))?;
    write_json_pretty(&mut file, &run)?;
    Ok(file.sync_all()?)
}

/// Bad games, by text and first byte.
fn bad_games(texts: &[(String, SeenText)]) -> HashSet<(usize, u64)> {
    let all = texts.iter().enumerate();
    all.flat_map(|(number, (_, text))| text.bad.iter().map(move |bad| (number, bad.start))).collect()
}

/// A corpus that is being cleaned.
struct Run<'c> {
    clean: &'c Clean<'c>,
    /// Where texts are kept that have changes.
    scratch: PathBuf,
    logs: Logs,
    texts: Vec<Text>,
    numbers: HashMap<String, usize>,
    /// The names of texts, by their paths in the result.
    shown: HashMap<String, String>,
    has_begun: bool,
    decisions: Decisions,
    cleaned: Cleaned,
    failures: Vec<Failure>,
}

impl<'c> Run<'c> {
    fn new(clean: &'c Clean<'c>, scratch: PathBuf) -> Run<'c> {
        let (logs, numbers, decisions) = (Logs::default(), HashMap::new(), clean.decisions.clone());
        let (cleaned, failures, shown) = (Cleaned::default(), Vec::new(), HashMap::new());
        Run { clean, scratch, logs, texts: Vec::new(), numbers, shown, has_begun: false, decisions, cleaned, failures }
    }

    fn outcome(&mut self, failures: Vec<Failure>, summary: &RunSummary) -> CleanOutcome {
        // Repairs can make two records of one, or one of two.
        self.cleaned.kept = summary.counts.records();
        CleanOutcome { cleaned: self.cleaned.clone(), failures }
    }

    /// Audits texts.
    fn look(
        &mut self,
        inputs: Vec<Input>,
        settings: Settings,
        report: Option<Report>,
    ) -> Result<(Look<'c>, RunSummary), CleanError> {
        let clean = self.clean;
        let progress = (clean.watch)(&inputs);
        let progress: &dyn Progress = match &progress {
            Some(progress) => &**progress,
            None => &(),
        };
        let accepts: Accepts<'c> = Box::new(|finding| clean.accepts(finding));
        let names = inputs.iter().map(|input| &input.name);
        let decided = names.filter(|name| self.decisions.may_be_in(name, self.number_of(name))).cloned().collect();
        let decided = (self.decisions.digests(), decided);
        let mut look = Look::new(accepts, self.logs.base(), (&clean.names, decided), report);
        let summary = Audit::new(settings).run(inputs, &mut look, progress, clean.stop)?;
        if summary.interrupted {
            return Err(CleanError::Interrupted);
        }
        self.logs.add(look.log());
        Ok((look, summary))
    }

    /// Notes all texts, after the first audit.
    fn begin(&mut self, seen: &[(String, SeenText)]) -> Result<(), CleanError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let sources: HashMap<&str, &Source> =
            self.clean.inputs.iter().map(|input| (input.name.as_str(), &input.source)).collect();
        let mut finder = Finder::default();
        for (name, text) in seen {
            let found = finder.find_in(name, |name| sources.get(name).copied().cloned())?;
            let (Some(divided), Some(input)) = (text.divided.clone(), found) else {
                self.cleaned.unread += 1;
                continue;
            };
            // Members of archives are read as the archive was to be read.
            let is_of = |input: &&Input| {
                name.strip_prefix(input.name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let format = self.clean.inputs.iter().find(is_of).and_then(|input| input.format);
            self.cleaned.inputs += 1;
            self.cleaned.records += divided.records;
            self.numbers.insert(name.clone(), self.texts.len());
            self.texts.push(Text::new(Input { format, ..input }, divided));
        }
        Ok(())
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The number of a text by its name in an audit of the result.
    fn number_of(&self, name: &str) -> Option<usize> {
        self.number(self.shown.get(name).map_or(name, String::as_str))
    }

    /// The texts as they are now.
    fn now(&self) -> Vec<Input> {
        if self.has_begun { self.texts.iter().map(Text::now).collect() } else { self.clean.inputs.clone() }
    }

    /// Makes repairs until there are none. A record whose repairs do not settle, or that gets more
    /// errors, goes aside as it was.
    fn repair(&mut self) -> Result<(), CleanError> {
        let mut inputs = self.clean.inputs.clone();
        for round in 0..=MAX_ROUNDS {
            let (seen, _) = self.look(inputs, self.clean.settings_of_repairs(), None)?;
            self.begin(&seen.texts)?;
            if round == 0 {
                self.failures = seen.failures;
            }
            let mut changed = Vec::new();
            for (name, text) in seen.texts {
                let Some(number) = self.number(&name) else { continue };
                if round == 0 {
                    self.cleaned.likely += text.likely;
                }
                if self.repair_text(number, text, round == MAX_ROUNDS) {
                    self.write_current(number)?;
                    changed.push(number);
                }
            }
            if changed.is_empty() {
                break;
            }
            inputs = changed.into_iter().map(|number| self.texts[number].now()).collect();
        }
        let edits = self.texts.iter().map(|text| text.changes.edits.len() as u64);
        self.cleaned.repairs = edits.clone().sum();
        self.cleaned.repaired = edits.filter(|edits| *edits > 0).count() as u64;
        Ok(())
    }

    fn write_current(&mut self, number: usize) -> Result<(), CleanError> {
        let path = self.scratch.join(number.to_string());
        Ok(self.texts[number].write_current(path, self.clean.settings.map, self.clean.stop)?)
    }

    /// Makes the repairs of a text. Returns whether it has changed.
    fn repair_text(&mut self, number: usize, seen: SeenText, is_last: bool) -> bool {
        let text = &mut self.texts[number];
        let (accepted, _) = settled(seen.accepted);
        let bad = text.changes.originals(seen.bad.iter().map(|bad| (bad.start, bad.end)), text.length);
        let bad: Vec<Edited> =
            bad.into_iter().zip(&seen.bad).map(|((start, end), bad)| Edited { start, end, errors: bad.errors }).collect();
        let mut held = more_errors(&text.edited, &bad);
        let at = text.changes.originals(accepted.iter().map(|Accepted { edit, .. }| (edit.start, edit.end())), text.length);
        for ((start, _), Accepted { edit, .. }) in at.into_iter().zip(&accepted) {
            let start = start - u64::from(edit.is_before);
            if let Some(edited) = containing(&text.edited, start) {
                held.extend(is_last.then_some(edited));
            } else if let Some(record) = containing(&bad, start) {
                let place = text.edited.partition_point(|edited| edited.start < record.start);
                text.edited.insert(place, record);
            }
        }
        let can_edit = text.changes.can_edit(text.length);
        let edits: Vec<_> = accepted.into_iter().map(|Accepted { edit, .. }| edit).filter(can_edit).collect();
        let is_changed = !held.is_empty() || !is_last && !edits.is_empty();
        if !is_last && !edits.is_empty() {
            text.changes.edit(edits, text.length);
        }
        held.sort_by_key(|record| record.start);
        held.dedup_by_key(|record| record.start);
        self.cleaned.unsettled += held.len() as u64;
        self.cleaned.aside += held.len() as u64;
        text.edited.retain(|record| held.iter().all(|held| held.start != record.start));
        text.changes.move_out_unedited(held.into_iter().map(unsettled).collect());
        is_changed
    }

    /// Decides which copies are moved out: those that people have chosen, and those that need not
    /// be kept. If the copy that is kept is moved itself, the next audit shows which one takes its
    /// place.
    fn choose_copies(&mut self, seen: &mut Look<'_>, summary: &RunSummary) {
        let pairs = std::mem::take(&mut seen.pairs);
        let places = self.places(&pairs, &seen.texts);
        let is_first = self.cleaned.audits == 0;
        let is_edited = |name| self.number_of(name).is_some_and(|number| !self.texts[number].changes.edits.is_empty());
        let texts: Vec<(&str, bool)> = seen.texts.iter().map(|(name, _)| (name.as_str(), is_edited(name))).collect();
        let text = |number: usize| texts[number];
        let decided = self.decisions.decide(&pairs, &places, is_first.then_some(&text));
        let mut away = if self.clean.has(Step::Aside) { bad_games(&seen.texts) } else { HashSet::new() };
        let (mut is_decided, mut chosen, mut to_check) = (HashSet::new(), Vec::new(), 0);
        for Decided { pair, removed, decisions } in decided {
            let SeenPair { texts, games, is_to_check, .. } = &pairs[pair];
            to_check += u64::from(*is_to_check);
            is_decided.insert((texts[0], games[0].start, games[0].kept));
            // A game that goes aside is not kept instead of another one.
            let Some(side) = removed else { continue };
            if games[side].kept.is_none_or(|kept| !away.contains(&kept)) {
                chosen.push((texts[side], games[side]));
            } else {
                self.decisions.overrule(&decisions);
            }
        }
        away.extend(chosen.iter().map(|(text, game)| (*text, game.start)));
        for (number, (_, text)) in seen.texts.iter_mut().enumerate() {
            text.surplus.retain(|copy| {
                !is_decided.contains(&(number, copy.start, copy.kept)) && copy.kept.is_none_or(|kept| !away.contains(&kept))
            });
        }
        chosen.into_iter().for_each(|(text, game)| seen.texts[text].1.surplus.push(game));
        self.cleaned.decide = summary.copies.as_ref().map_or(0, |copies| copies.to_check).saturating_sub(to_check);
        self.cleaned.decisions = self.decisions.outcome();
        self.cleaned.unwritable_names = seen.unwritable_names;
    }

    /// Where the games of pairs are in the original texts.
    fn places(&self, pairs: &[SeenPair], texts: &[(String, SeenText)]) -> Vec<[At; 2]> {
        let mut games: Vec<Vec<(u64, u64)>> = vec![Vec::new(); texts.len()];
        for pair in pairs {
            pair.texts.iter().zip(&pair.games).for_each(|(text, game)| games[*text].push((game.start, game.end)));
        }
        let originals = texts.iter().zip(games).map(|((name, _), games)| {
            let number = self.number_of(name).unwrap_or(usize::MAX);
            let places = match self.texts.get(number) {
                Some(text) => text.changes.originals(games.into_iter(), text.length),
                None => games,
            };
            places.into_iter().map(move |(start, _)| (number, start))
        });
        let mut originals: Vec<_> = originals.collect();
        pairs.iter().map(|pair| pair.texts.map(|text| originals[text].next().unwrap_or_default())).collect()
    }

    /// Decides what is completed and moved out. Returns how much there is to do, and how much of it
    /// cannot be done.
    fn decide(&mut self, seen: &Look<'_>) -> (u64, u64) {
        let (mut wanted, mut left) = (0, 0);
        for (name, text) in &seen.texts {
            let Some(number) = self.number_of(name) else { continue };
            let (moved, mut accepted) = self.moved(number, text);
            wanted += (moved.len() + accepted.len()) as u64;
            let Text { changes, length, .. } = &self.texts[number];
            let (can_edit, all) = (changes.can_edit(*length), accepted.len());
            accepted.retain(|accepted| can_edit(&accepted.edit));
            left += (all - accepted.len()) as u64;
            self.count(&moved, &accepted);
            let moved = shifted(moved, &accepted);
            let Text { changes, length, .. } = &mut self.texts[number];
            if !accepted.is_empty() {
                changes.edit(accepted.into_iter().map(|Accepted { edit, .. }| edit).collect(), *length);
            }
            if !moved.is_empty() {
                left += changes.move_out(moved, *length);
            }
        }
        (wanted, left)
    }

    /// What is moved out of a text, and the repairs of what stays.
    fn moved(&self, number: usize, seen: &SeenText) -> (Vec<Moved>, Vec<Accepted>) {
        let (accepted, _) = settled(seen.accepted.clone());
        if !self.texts[number].is_divisible {
            return (Vec::new(), accepted);
        }
        let bad = seen.bad.iter().filter(|_| self.clean.has(Step::Aside));
        let bad = bad.map(|bad| as_moved(bad, Destination::Aside));
        let to = if self.clean.has(Step::Copies) { Destination::Copies } else { Destination::Aside };
        let mut all: Vec<Moved> = bad.chain(seen.surplus.iter().map(|copy| as_moved(copy, to))).collect();
        all.sort_by_key(|moved| (moved.start, moved.to == Destination::Copies));
        let mut moved: Vec<Moved> = Vec::new();
        for next in all {
            match moved.last_mut().filter(|last| next.start < last.end) {
                Some(last) => {
                    last.end = last.end.max(next.end);
                    last.to = next.to;
                    last.records.extend(next.records);
                    last.games = last.games.max(next.games);
                    last.has_blank &= next.has_blank;
                }
                None => moved.push(next),
            }
        }
        let stays = |accepted: &Accepted| {
            let (start, end) = (accepted.edit.start, accepted.edit.end());
            let next = moved.partition_point(|moved| moved.end < start);
            moved[next..].iter().take_while(|moved| moved.start <= end).all(|moved| start >= moved.end || end < moved.start)
        };
        let accepted = accepted.into_iter().filter(stays).collect();
        (moved, accepted)
    }

    fn count(&mut self, moved: &[Moved], accepted: &[Accepted]) {
        for record in moved {
            match record.to {
                Destination::Copies => self.cleaned.copies += record.games,
                Destination::Aside => self.cleaned.aside += record.games,
            }
            self.cleaned.other_text += u64::from(record.games == 0);
        }
        for accepted in accepted {
            match accepted.step {
                Step::Names => self.cleaned.names += 1,
                Step::Complete => self.cleaned.tags += 1,
                _ => self.cleaned.repairs += 1,
            }
        }
    }

    /// Refuses texts whose records cannot be in one file.
    fn check_kinds(&self) -> Result<(), CleanError> {
        let kinds = self.texts.iter().filter_map(|text| Some((text.name.as_str(), text.layout?, text.header.as_slice())));
        let mut kinds = kinds.peekable();
        let Some(first) = kinds.peek().copied() else { return Ok(()) };
        Ok(kinds.try_for_each(|kind| check_same_kind(first, kind))?)
    }

    /// Refuses two texts that would have one file, or names that only some systems tell apart.
    fn check_names(&self, directory: &Path) -> Result<(), CleanError> {
        let mut taken: HashMap<String, &str> = HashMap::new();
        for text in &self.texts {
            if let Some(one) = taken.insert(text.path.to_string_lossy().to_lowercase(), &text.name) {
                let (one, other) = (one.to_owned(), text.name.clone());
                return Err(CleanError::SameFile { one, other, directory: directory.to_owned() });
            }
        }
        Ok(())
    }

    /// Writes all texts with their changes, instead of those that were written before.
    fn write(&mut self, directory: &Path, into: Option<&str>) -> Result<(), CleanError> {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            // A report that was begun belongs to what is replaced.
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        let Clean { annotate, ref settings, stop, .. } = *self.clean;
        let tables = Tables::create(directory, &into.map(|file| format!("{file}.")).unwrap_or_default())?;
        let files = [None, None, None];
        let mut corpus = Corpus { directory, into, tables, logs: &self.logs, annotate, map: settings.map, stop, files };
        self.texts.iter_mut().try_for_each(|text| corpus.write(text))?;
        Ok(corpus.finish()?)
    }

    /// The games of the result, under their paths there.
    fn results(&mut self, corpus: &Path) -> Vec<Input> {
        let mut inputs = Vec::new();
        for text in &self.texts {
            let path = games_file(corpus, text);
            if path.exists() {
                let name = text.path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
                self.shown.insert(name.clone(), text.name.clone());
                inputs.push(Input { name, source: Source::File(path), ..text.now() });
            }
        }
        inputs
    }
}

fn as_moved(seen: &Seen, to: Destination) -> Moved {
    let Seen { start, end, movetext, game, record, .. } = *seen;
    let (games, has_blank) = (u64::from(game > 0), seen.kept.is_some());
    Moved { start, end, movetext, to, records: vec![record], why: None, has_blank, games }
}

/// A record that goes aside as it was.
fn unsettled(record: Edited) -> Moved {
    const WHY: &str = "its repairs do not settle, or cause more errors; it is as it was";
    let Edited { start, end, .. } = record;
    let (to, records) = (Destination::Aside, Vec::new());
    Moved { start, end, movetext: 0, to, records, why: Some(WHY), has_blank: false, games: 1 }
}

/// The record that contains a place.
fn containing(records: &[Edited], place: u64) -> Option<Edited> {
    let next = records.partition_point(|record| record.end <= place);
    records.get(next).copied().filter(|record| record.start <= place)
}

/// Records that have more errors now than before they were edited.
fn more_errors(edited: &[Edited], bad: &[Edited]) -> Vec<Edited> {
    let errors = |record: &&Edited| {
        let next = bad.partition_point(|bad| bad.end <= record.start);
        bad[next..].iter().take_while(|bad| bad.start < record.end).map(|bad| bad.errors).sum::<u64>()
    };
    edited.iter().filter(|record| errors(record) > record.errors).copied().collect()
}

/// The places of records after the edits of others.
fn shifted(moved: Vec<Moved>, accepted: &[Accepted]) -> Vec<Moved> {
    let (mut next, mut removed, mut added) = (0, 0, 0);
    let mut shift = |place: u64| {
        while let Some(Accepted { edit, .. }) = accepted.get(next).filter(|accepted| accepted.edit.start < place) {
            removed += edit.old.len() as u64;
            added += edit.new.len() as u64;
            next += 1;
        }
        place + added - removed
    };
    let shifted = moved.into_iter().map(|moved| {
        let (start, length) = (shift(moved.start), moved.end - moved.start);
        let movetext = if moved.movetext > 0 { start + (moved.movetext - moved.start) } else { 0 };
        Moved { start, end: start + length, movetext, ..moved }
    });
    shifted.collect()
}
