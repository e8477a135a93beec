//! Writes a report.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::File,
    io::{self, Write as _},
    panic::resume_unwind,
    path::Path,
    thread,
};

use serde::Serialize;

use super::{certificates::CertificateFiles, page::Page, schema::DataPackage};
use crate::format::{
    ReportError, RunSettings, Table,
    columns::{
        CERTIFICATES, Column, FAILURES, FOLDED, GAME_KEYS, GAME_KEYS_TAGS, INPUTS, NAMES, OVERLAP, PLAYERS, PROFILE, SUMMARY,
    },
    csv_file::{TableFile, WrittenFile},
    directory::Unfinished,
    files::{
        CERTIFICATES_FILE, FAILURES_FILE, FOLDED_FILE, GAME_KEYS_FILE, INPUTS_FILE, NAMES_FILE, OVERLAP_FILE, PAGE_FILE,
        PLAYERS_FILE, PROFILE_FILE, RUN_FILE, SUMMARY_FILE, TYPES_FILE,
    },
    hash_cell::key,
    own_directory::OwnDirectory,
    run::Run,
    run_files::CheckedFiles,
    sentences::per_million,
};
use crate::{
    identity::{CardBytes, GameIds, ID_TAGS, Player},
    pipeline::{CertifiedPosition, CopySummary, Failure, InputSummary, RuleSummary, RunSummary, Sink},
    record::{Counted, Excerpt, Portrait, Property, Results},
    review::NightPage,
    rules::{Finding, RULES, Severity},
    spill::Sorter,
};

/// Maximum number of findings in memory that are counted on the lines of others.
const MAX_FOLDED: usize = 1 << 16;

/// A report that is being written. [`Report::finish`] moves it to its destination. It is removed if
/// it is dropped before that.
#[derive(Debug)]
pub struct Report {
    unfinished: Unfinished,
    settings: RunSettings,
    tables: Vec<TableFile>,
    inputs: TableFile,
    failures: TableFile,
    /// The players, if copies of games are looked for.
    players: Option<TableFile>,
    /// Spellings of their names for which another one is proposed.
    names: Option<TableFile>,
    /// The keys of the games, if they are known.
    game_keys: Option<TableFile>,
    /// Findings that are counted on the lines of others, if the keys of games are known.
    folded: Option<Sorter<2>>,
    /// The sum of the digests of the games of the input that is read.
    games_digest: Option<u64>,
    /// What is proven about positions, if that is asked for.
    certificates: Option<CertificateFiles>,
    page: Option<Page>,
    /// The input of the last failure. Its status is not written yet.
    failed: Option<String>,
}

/// A report of which all files are on the disk. Only the move to its destination is left.
#[derive(Debug)]
pub struct CompleteReport(Unfinished);

impl Report {
    /// Starts a report about a run with these settings.
    pub fn create(destination: &Path, settings: RunSettings) -> Result<Report, ReportError> {
        let unfinished = Unfinished::create(destination, OwnDirectory::Report)?;
        let create = |name, columns: &[Column]| TableFile::create(unfinished.path(), name, columns);
        let tables = Table::ALL.iter().map(|table| create(table.file_name(), &table.shape())).collect::<Result<Vec<_>, _>>()?;
        let inputs = create(INPUTS_FILE, &INPUTS)?;
        let failures = create(FAILURES_FILE, &FAILURES)?;
        let players = settings.options.duplicates.then(|| create(PLAYERS_FILE, &PLAYERS)).transpose()?;
        let names = settings.options.duplicates.then(|| create(NAMES_FILE, &NAMES)).transpose()?;
        let game_keys = settings.game_keys.then(|| create(GAME_KEYS_FILE, &GAME_KEYS)).transpose()?;
        let certificates = settings
            .options
            .certify
            .map(|_| CertificateFiles::create(unfinished.path(), create(CERTIFICATES_FILE, &CERTIFICATES)?))
            .transpose()?;
        let folded = settings.game_keys.then(|| Sorter::with_limit(MAX_FOLDED));
        let page = Page::new(&settings);
        let games_digest = None;
        Ok(Report {
            settings,
            tables,
            inputs,
            failures,
            players,
            names,
            game_keys,
            folded,
            games_digest,
            certificates,
            page,
            failed: None,
            unfinished,
        })
    }

    /// The same report, whose page says what was done with the corpus before: names of steps, and a
    /// sentence about each.
    #[must_use]
    pub fn with_steps(mut self, steps: Vec<(String, String)>) -> Report {
        if let Some(page) = &mut self.page {
            page.set_steps(steps);
        }
        self
    }

    /// Notes inputs that were not read, because this program has written them.
    pub fn own_inputs(&mut self, names: &[String]) -> io::Result<()> {
        let mut own = names.iter().map(|name| {
            self.inputs.row(|row| {
                row.name(name);
                (0..4).for_each(|at| if at == 1 { row.number(0_u64) } else { row.text("") });
                (0..7).for_each(|_| row.number(0_u64));
                row.text("own");
                row.text("")
            })
        });
        own.try_for_each(|written| written).map_err(io::Error::from)
    }

    /// The same report, which replaces no report with a file that is read.
    #[must_use]
    pub fn apart_from(self, files: &CheckedFiles) -> Report {
        Report { unfinished: self.unfinished.apart_from(files), ..self }
    }

    /// Writes the summary of the run, and waits until all files are on the disk.
    pub fn complete(self, summary: &RunSummary) -> Result<CompleteReport, ReportError> {
        self.complete_as_night(summary, |_| None)
    }

    /// The same. Once the tables are complete, `night` says what they mean for a night, for the
    /// page; it gets their directory.
    pub fn complete_as_night(
        self,
        summary: &RunSummary,
        night: impl FnOnce(&Path) -> Option<NightPage>,
    ) -> Result<CompleteReport, ReportError> {
        if summary.interrupted {
            return Err(ReportError::Interrupted);
        }
        let Report {
            unfinished, settings, tables, inputs, failures, players, names, game_keys, folded, certificates, page, ..
        } = self;
        let (certificates, proof_games) = certificates.map(CertificateFiles::end).transpose()?.unzip();
        let create = |name, columns: &[Column]| TableFile::create(unfinished.path(), name, columns);
        let profile = write_profile(create(PROFILE_FILE, &PROFILE)?, &summary.portrait)?;
        let summary_table = write_summary(create(SUMMARY_FILE, &SUMMARY)?, summary)?;
        let folded = folded.map(|folded| write_folded(create(FOLDED_FILE, &FOLDED)?, folded)).transpose()?;
        let overlap = summary.copies.as_ref().map(|copies| write_overlap(create(OVERLAP_FILE, &OVERLAP)?, copies)).transpose()?;
        let tables = tables
            .into_iter()
            .chain([inputs, profile, failures, summary_table])
            .chain([players, names, game_keys, folded, certificates, overlap].into_iter().flatten());
        let tables = tables.map(TableFile::end).collect::<Result<Vec<_>, _>>()?;
        let (mut files, records): (Vec<_>, Vec<_>) = tables.into_iter().unzip();
        let records: BTreeMap<&'static str, _> = files.iter().map(|file: &WrittenFile| file.name).zip(records).collect();
        files.extend(proof_games);
        let tables: Vec<&str> = records.keys().copied().collect();
        let mut write = |name: &'static str, written: io::Result<File>| {
            let file = written.map_err(|source| ReportError::Write { file: name.into(), source })?;
            files.push(WrittenFile { name, file });
            Ok(())
        };
        let types = DataPackage::of(&tables).map_err(io::Error::from);
        write(TYPES_FILE, types.and_then(|types| write_pretty(unfinished.path(), TYPES_FILE, &types)))?;
        let run = Run::new(&settings, summary, Some(&records));
        write(RUN_FILE, write_pretty(unfinished.path(), RUN_FILE, &run))?;
        let night = night(unfinished.path());
        if let Some(page) = page {
            write(PAGE_FILE, page.write(unfinished.path(), &settings, summary, night))?;
        }
        flush_to_disk(&files)?;
        Ok(CompleteReport(unfinished))
    }
}

impl CompleteReport {
    /// Moves the report to its destination.
    pub fn finish(self) -> Result<(), ReportError> {
        self.0.finish()
    }
}

impl Sink for Report {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let code = finding.rule.code;
        let table = Table::of(code.family());
        let file = self.tables.get_mut(table as usize);
        let file = file.ok_or_else(|| io::Error::other(format!("there is no file for findings of {code}")))?;
        let written = file.row(|row| {
            row.finding(input, finding);
            if table == Table::Duplicates {
                row.partner(finding.partner.as_deref());
            }
        });
        written?;
        self.page.as_mut().map_or(Ok(()), |page| page.finding(input, finding))
    }

    fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        if let Some(page) = &mut self.page {
            page.example(input, finding, around);
        }
        Ok(())
    }

    fn folded(&mut self, fingerprint: u64, line: u64) -> io::Result<()> {
        self.folded.as_mut().map_or(Ok(()), |folded| folded.push([fingerprint, line]))
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        let Some(file) = &mut self.game_keys else { return Ok(()) };
        let digest = game.content_key();
        let tags = game.tags(GAME_KEYS_TAGS)?;
        let id = GameIds::of_tags(game.tags(ID_TAGS)?).keys().next();
        // The order of the games does not matter, but how often each is there.
        self.games_digest = Some(self.games_digest.unwrap_or_default().wrapping_add(digest));
        let written = file.row(|row| {
            row.name(input);
            game.game_and_line().into_iter().for_each(|number| row.number(number));
            tags.into_iter().for_each(|value| row.text(value));
            [game.moves_key(), digest].into_iter().for_each(|hash| row.key(hash));
            row.key_some(id);
        });
        written.map_err(io::Error::from)
    }

    fn certified(&mut self, input: &str, position: &CertifiedPosition) -> io::Result<()> {
        self.certificates.as_mut().map_or(Ok(()), |files| files.write(input, position)).map_err(io::Error::from)
    }

    fn player(&mut self, player: &Player) -> io::Result<()> {
        let Report { players: Some(players), names: Some(names), page, .. } = self else { return Ok(()) };
        players.row(|row| row.player(player))?;
        for (spelling, main, because) in player.proposals() {
            names.row(|row| row.name_proposal(spelling, main, because))?;
            if let Some(page) = page {
                page.name_proposal(spelling, main, because);
            }
        }
        Ok(())
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        if let Some(page) = &mut self.page {
            page.input(summary);
        }
        let failed = self.failed.take().is_some_and(|name| name == summary.name) || !summary.complete;
        let status = match (failed, summary.findings.total()) {
            _ if summary.is_not_chess => "not-chess",
            (true, _) => "failed",
            (false, 0) => "clean",
            (false, _) => "findings",
        };
        let games_digest = self.games_digest.take().filter(|_| !failed).map(key);
        let written = self.inputs.row(|row| {
            row.name(&summary.name);
            row.text(summary.format.map(|format| format.as_str()).unwrap_or_default());
            row.number(summary.counts.bytes);
            let digest = format!("c{:08x}", summary.counts.crc32);
            row.text(if failed || summary.format.is_none() { "" } else { &digest });
            row.show_some(games_digest);
            row.number(summary.counts.games);
            row.number(summary.counts.positions);
            row.number(summary.counts.plies);
            row.number(summary.counts.plies_not_examined);
            row.number(summary.findings.error);
            row.number(summary.findings.warning);
            row.number(summary.findings.info);
            row.text(status);
            row.show_some(summary.format.map(|_| summary.is_chess960))
        });
        written.map_err(io::Error::from)
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failed = Some(failure.input.clone());
        if let Some(page) = &mut self.page {
            page.failure(failure);
        }
        let written = self.failures.row(|row| {
            row.name(&failure.input);
            row.text(failure.stage);
            row.number_some(failure.byte);
            row.text(&failure.message)
        });
        written.map_err(io::Error::from)
    }
}

/// Number of files that are flushed at the same time. File systems share work between them.
const FLUSHED_TOGETHER: usize = 4;

/// Waits until all files are on the disk.
fn flush_to_disk(files: &[WrittenFile]) -> Result<(), ReportError> {
    let flush = |files: &[WrittenFile]| {
        files.iter().try_for_each(|WrittenFile { name, file }| {
            file.sync_all().map_err(|source| ReportError::Write { file: (*name).into(), source })
        })
    };
    thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(FLUSHED_TOGETHER).max(1));
        let begin = |files| thread::Builder::new().spawn_scoped(scope, move || flush(files)).map_err(|_| files);
        let flushing: Vec<_> = parts.map(begin).collect();
        flushing.into_iter().try_for_each(|part| match part {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // There may be no more threads.
            Err(files) => flush(files),
        })
    })
}

/// Writes a row for each rule and severity with findings, and for each rule without findings.
fn write_summary(mut file: TableFile, summary: &RunSummary) -> Result<TableFile, ReportError> {
    for rule in RULES {
        let with_findings = Severity::ALL.into_iter().filter_map(|severity| {
            let found = summary.rules.get(&(rule.code, severity))?;
            Some((severity, Some(found)))
        });
        let mut rows: Vec<(Severity, Option<&RuleSummary>)> = with_findings.collect();
        if rows.is_empty() {
            rows.push((rule.severity, None));
        }
        for (severity, found) in rows {
            let count = |of: fn(&RuleSummary) -> u64| found.map(of).unwrap_or_default();
            // Counts are empty, not 0, if the rule did not run.
            let has_run = !summary.not_run.contains(&rule.code);
            let if_run = |count: u64| has_run.then_some(count);
            file.row(|row| {
                row.code(rule.code);
                row.word(rule.name);
                row.word(severity.as_str());
                row.number_some(if_run(count(|found| found.findings)));
                row.number_some(if_run(count(|found| found.places)));
                row.number_some(if_run(count(|found| found.records)));
                row.number_some(if_run(count(|found| found.inputs)));
                let per_million = per_million(count(|found| found.places), summary.counts.records());
                row.word(if has_run { &per_million } else { "" });
                match found {
                    Some(found) => row.name(&found.first.input),
                    None => row.word(""),
                }
                row.number_some(found.map(|found| found.first.line));
                row.number_some(found.map(|found| found.first.column));
                row.number_some(found.map(|found| found.first.game).filter(|game| *game > 0))
            })?;
        }
    }
    Ok(file)
}

/// Writes a row for each finding that is counted on the line of another one.
fn write_folded(mut file: TableFile, folded: Sorter<2>) -> Result<TableFile, ReportError> {
    let failed = |source| ReportError::Write { file: FOLDED_FILE.into(), source };
    for finding in folded.sorted().map_err(failed)? {
        let keys = finding.map_err(failed)?;
        file.row(|row| keys.into_iter().for_each(|hash| row.key(hash)))?;
    }
    Ok(file)
}

/// Writes a row for each value of each property.
fn write_profile(mut file: TableFile, portrait: &Portrait) -> Result<TableFile, ReportError> {
    for property in Property::ALL {
        for Counted { value, results, .. } in portrait.counted(property) {
            file.row(|row| {
                row.text(property.name());
                row.text(&value);
                let Results { white, draw, black, other } = results;
                [results.games(), white, draw, black, other].into_iter().for_each(|games| row.number(games));
            })?;
        }
    }
    Ok(file)
}

/// Writes a row for each pair of inputs with copies of the same games, the most games first.
fn write_overlap(mut file: TableFile, copies: &CopySummary) -> Result<TableFile, ReportError> {
    let mut pairs: Vec<_> = copies.overlap.iter().collect();
    pairs.sort_by_key(|(names, games)| (Reverse(**games), *names));
    for ((input, other), games) in pairs {
        file.row(|row| {
            row.name(input);
            row.name(other);
            row.number(*games)
        })?;
    }
    Ok(file)
}

fn write_pretty(at: &Path, name: &str, value: &impl Serialize) -> io::Result<File> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    let mut file = File::create_new(at.join(name))?;
    file.write_all(&text)?;
    Ok(file)
}
