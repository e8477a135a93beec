//! What findings mean for their records: which of them are bad.

use std::{io, ops::Range};

use super::{ledger::Ledger, open_input::OpenInput};
use crate::{
    corpus::Watch,
    identity::GamePlace,
    pipeline::{
        DividedInput, Pair, Settings, Sink, SplitOn,
        bad_records::{BadFinding, BadRecord, Division, ShownReason},
        once_per_input::{is_folded, severity_of_all},
        reasons_of_records::Reason,
    },
    rules::{Finding, Keep, Notes, Severity},
};

/// Whether the sink learns early which records are probably bad.
pub(super) fn is_divided_early(settings: &Settings) -> bool {
    // With known findings or copies that are moved, the guess would be wrong too often.
    let may_guess = |on: SplitOn| !(settings.options.duplicates && on.concerns_copies(&settings.selection));
    settings.known.is_empty() && settings.split.is_some_and(may_guess)
}

/// Hands out a part of an input, divided as is probably right. `text` begins at byte `base`.
pub(super) fn divide_early(
    sink: &mut dyn Sink,
    part: Range<u64>,
    bad: Option<Vec<Range<u64>>>,
    (text, base): (&[u8], u64),
) -> io::Result<()> {
    let Some(bad) = bad else { return Ok(()) };
    let mut at = part.start;
    let mut hand_out = |is_bad, end: u64| {
        let end = end.clamp(at, part.end);
        let [from, to] = [at, end].map(|place| usize::try_from(place - base).unwrap_or(usize::MAX));
        let start = std::mem::replace(&mut at, end);
        match text.get(from..to) {
            Some(text) if !text.is_empty() => sink.probably(is_bad, start, text),
            _ => Ok(()),
        }
    };
    for stretch in bad {
        hand_out(false, stretch.start)?;
        hand_out(true, stretch.end)?;
    }
    hand_out(false, part.end)
}

/// Judges what findings say about their records. They are still counted, and `notes` are those of
/// the whole input.
pub(super) fn judge(settings: &Settings, input: &mut OpenInput, notes: &Notes) {
    let OpenInput { about, read, deferred, division: Some(division), .. } = input else { return };
    let records = read.counts.records();
    division.judge(|Reason { rule, severity, conditions, counted }| {
        let counted = counted.as_ref().map(|(key, scope, fingerprint)| (scope, deferred.repeated.count_of(key), fingerprint));
        let severity = counted.map_or(*severity, |(scope, times, _)| severity_of_all(scope, times, records, *severity));
        let severity = about.severity_shown(settings, rule.code, severity).filter(|_| notes.hold_all(*conditions))?;
        let folded = counted.filter(|(scope, times, _)| is_folded(scope, *times, records));
        Some(ShownReason {
            severity,
            moves: settings.split.is_some_and(|on| on.moves(rule, severity)),
            are_known: folded.map(|(.., fingerprint)| settings.known.contains(fingerprint)),
        })
    });
}

/// The severity with which a finding about several records is shown, if it makes its record bad.
fn severity_if_bad(settings: &Settings, input: &OpenInput, finding: &Finding) -> Option<Severity> {
    let on = settings.split?;
    let severity = input.about.severity_shown(settings, finding.rule.code, finding.severity)?;
    (on.moves(finding.rule, severity) && !settings.known.contains(&finding.fingerprint)).then_some(severity)
}

/// Notes that a finding about the whole input makes a record bad, if it does.
pub(super) fn note_bad_place(settings: &Settings, input: &mut OpenInput, finding: &Finding) -> io::Result<()> {
    let is_bad = finding.game > 0 && severity_if_bad(settings, input, finding).is_some();
    match &mut input.division {
        Some(division) if is_bad => division.note_place(finding.place.start as u64),
        _ => Ok(()),
    }
}

/// The two games of a finding, for a sink that divides inputs. The first one is bad if it need not
/// be kept, or if it `may_go`.
pub(super) fn pair<'f>(
    settings: &Settings,
    input: &OpenInput,
    finding: &'f Finding,
    (places, may_go): ([GamePlace; 2], bool),
) -> Option<Pair<'f>> {
    settings.split?;
    let partner = finding.partner.as_ref()?;
    let keep = partner.keep?;
    let bad = if may_go || keep == Keep::No { severity_if_bad(settings, input, finding) } else { None };
    let surplus = bad.map(|severity| {
        let mut message = finding.message.clone();
        if !partner.reason.is_empty() {
            message += &format!("; another copy is kept: {}", partner.reason);
        }
        let Finding { line, column, game, .. } = *finding;
        let findings = vec![BadFinding { line, column, rule: finding.rule.code, severity, message }];
        BadRecord { start: places[0].byte, end: places[0].end, game, movetext: 0, findings }
    });
    Some(Pair { finding, severity: bad.unwrap_or(finding.severity), places, surplus })
}

/// Shows the sink which records of the input are bad.
pub(super) fn divide(ledger: &mut Ledger<'_>, input: &OpenInput, division: Division) -> io::Result<()> {
    let sink = &mut *ledger.sink;
    let (layout, header) = division.release(&ledger.settings.known, |record| sink.bad_record(&record))?;
    let counts = input.read.counts;
    let records = counts.records();
    let divided = DividedInput {
        number: ledger.run.inputs,
        layout: layout.filter(|_| records > 0 || !header.is_empty()),
        header,
        length: counts.bytes,
        records,
        is_converted: input.about.is_converted,
        stamp: input.file.watch.as_ref().map(Watch::stamp),
    };
    sink.divided(&input.about.name, divided)
}
