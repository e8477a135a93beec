//! The end of an input: what waited for it, and what is reported once.

use std::io;

use rustc_hash::FxHashSet;

use super::{
    ledger::Ledger,
    open_input::OpenInput,
    verdict::{judge, note_bad_place},
};
use crate::{
    pipeline::once_per_input::{habit, is_folded, severity_of_all},
    record::{Counts, fingerprint_of},
    rules::{
        Finding, Scope, aggregate::InputFinding, ctr::too_few_moves, report_converted, report_empty_input,
        variant_shown::MANY_EXCEPTIONS,
    },
    text::wording::thousands,
};

/// The message about a text with any name that was found by a search and is not mostly chess.
const HARDLY_CHESS: &str = "the text contains no tag pair, no piece placement and hardly any moves";

/// The message about a text without any sign of chess.
const NOT_CHESS: &str = "the text contains no tag pair, no playable move and no piece placement";

/// Reports the findings that waited, and the repeated ones with their counts.
pub(super) fn end(ledger: &mut Ledger<'_>, input: &mut OpenInput) -> io::Result<()> {
    if input.lacks_chess() {
        return reject(ledger, input);
    }
    let records = input.read.counts.records();
    if input.about.is_converted {
        ledger.about_input(input, report_converted)?;
    }
    if !input.reported.has_failed && records == 0 && input.about.format.is_some() {
        let is_archive = input.about.name.to_ascii_lowercase().ends_with(".zip");
        ledger.about_input(input, |findings| report_empty_input(findings, is_archive))?;
    }
    input.read.is_chess960 = ledger.reads_as_chess960(input.read.evidence.is_chess960());
    let mut notes = input.read.evidence.notes.clone();
    notes.declared = ledger.settings.variant;
    input.deferred.repeated.join_habits(|conditions| notes.hold_all(conditions));
    input.deferred.take_waiting().drain(|(finding, around)| {
        let is_folded = is_folded(&finding.scope, input.deferred.repeated.count(&finding), records);
        if is_folded {
            ledger.folded(&finding)?;
        }
        if !notes.hold_all(finding.conditions) {
            Ok(())
        } else if !is_folded {
            ledger.finding_with_repair(input, finding, around.as_deref())
        } else if ledger.settings.repairs {
            ledger.repair_of_group(input, finding)
        } else {
            Ok(())
        }
    })?;
    judge(ledger.settings, input, &notes);
    for aggregate in std::mem::take(&mut input.read.aggregates) {
        aggregate.report(&mut |InputFinding { finding, subject }| {
            let fingerprint = fingerprint_of(&finding, subject);
            let finding = Finding { fingerprint, ..finding };
            note_bad_place(ledger.settings, input, &finding)?;
            ledger.finding_with_repair(input, finding, None)
        })?;
    }
    let mut repeated = std::mem::take(&mut input.deferred.repeated).into_findings();
    repeated.retain(|(finding, ..)| notes.hold_all(finding.conditions));
    repeated.sort_by_key(|(finding, ..)| (finding.place, finding.rule.code));
    let (mut has_exception, mut habits) = (false, FxHashSet::default());
    for (mut finding, around, times) in repeated {
        // The first of many exceptions is reported for all of them, whatever their rules.
        let is_exception = finding.conditions.has(MANY_EXCEPTIONS);
        let is_reported = is_exception && std::mem::replace(&mut has_exception, true);
        if is_reported || !is_folded(&finding.scope, times, records) {
            continue;
        }
        if !matches!(finding.scope, Scope::Habit { .. }) {
            finding.severity = severity_of_all(&finding.scope, times, records, finding.severity);
            notes.complete(&mut finding, times);
        } else if habits.insert(habit(&finding)) {
            let (times, records) = (thousands(times), thousands(records));
            finding.message.push_str(&format!("; in {times} of {records} records of this input, first here"));
            if finding.rule.code == too_few_moves::RULE.code {
                finding.message.push_str(": the move numbers probably count from a set-up position");
            }
        } else {
            continue;
        }
        // The repairs of all places are listed already.
        ledger.finding(input, finding, around.as_deref(), times)?;
    }
    Ok(())
}

/// Reports that the input contains no chess, and nothing else about it.
fn reject(ledger: &mut Ledger<'_>, input: &mut OpenInput) -> io::Result<()> {
    let Counts { bytes, crc32, .. } = input.read.counts;
    input.read.counts = Counts { bytes, crc32, ..Counts::default() };
    input.read.aggregates.clear();
    input.deferred.forget();
    if let Some(division) = &mut input.division {
        division.reject(bytes)?;
    }
    let message = if input.about.has_any_name() {
        HARDLY_CHESS.to_owned()
    } else if input.about.scanned {
        NOT_CHESS.to_owned()
    } else {
        format!("{NOT_CHESS}; set its format with `--format` to read it anyway")
    };
    ledger.not_chess(input, &message)
}
