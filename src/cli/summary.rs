//! What a run found, for somebody who has a moment.

use std::{
    cmp::Reverse,
    io::{self, Write},
    path::Path,
};

use anstyle::{AnsiColor, Style};
use chess_audit::{
    pipeline::{RuleSummary, RunSummary},
    report::Baseline,
    rules::{Code, Selection, Severity, rule},
};

use jiff::civil::Date;

use super::baseline::is_asked;
use super::text::{printable, quantity, thousands};
pub use chess_audit::report::humanize::found;
use chess_audit::report::humanize::{read, verdict as sentence};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
/// All is well.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// So many rules are shown; the report has them all.
const MAX_RULES: usize = 12;

/// The colour of a severity.
pub fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => BAD,
        Severity::Warning => DOUBTFUL,
        Severity::Info => HINT,
    }
}

/// What a run is held against.
#[derive(Clone, Copy, Debug)]
pub struct HeldAgainst<'a> {
    /// The findings that are known.
    pub baseline: &'a Baseline,
    /// What was asked.
    pub selection: &'a Selection,
    /// The day on which entries expire or do not.
    pub today: Date,
}

/// Prints what a run found, and where its report is.
pub fn print(to: &mut dyn Write, summary: &RunSummary, report: Option<&Path>, held: &HeldAgainst<'_>) -> io::Result<()> {
    let (style, verdict) = verdict(summary);
    writeln!(to, "{style}{verdict}{style:#}\n")?;
    let mut line = |name: &str, text: &str| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{text}");
    line("Read", &read(summary))?;
    line("Found", &found(summary.findings))?;
    if !held.baseline.is_empty() {
        print_baseline(to, summary, held)?;
    }
    let mut line = |name: &str, text: &str| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{text}");
    if summary.counts.plies_not_examined > 0 {
        let plies = quantity(summary.counts.plies_not_examined, "ply", "plies");
        line("Not examined", &format!("{plies} that could not be replayed, mostly after a move that cannot be played"))?;
    }
    let report = report.map(|report| printable(&report.display().to_string()));
    if summary.failures > 0 {
        let failures = quantity(summary.failures, "failure", "failures");
        let see = report.as_ref().map(|report| format!(", see {report}/failures.csv")).unwrap_or_default();
        line("Not audited", &format!("{failures} of the audit itself{see}"))?;
    }
    for rule in summary.not_run.iter().filter_map(|code| rule(*code)) {
        line("Not run", &format!("{} {}, which needs --eco FILE", rule.code, rule.name))?;
    }
    if let Some(report) = report {
        line("Report", &report)?;
    }
    print_rules(to, summary, !held.baseline.is_empty())
}

/// So many entries of a baseline are told.
const MAX_ENTRIES: usize = 10;

/// Prints what a run met of a baseline, and what is out of date in it.
fn print_baseline(to: &mut dyn Write, summary: &RunSummary, held: &HeldAgainst<'_>) -> io::Result<()> {
    let HeldAgainst { baseline, selection, today } = *held;
    let mut line = |name: &str, text: &str| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{}", printable(text));
    if summary.known.total() > 0 {
        line("Known", &format!("{} of them, by the baseline: these fail no run", found(summary.known)))?;
    }
    if summary.findings.total() > 0 {
        line("New", &found(summary.findings.without(summary.known)))?;
    }
    // What was not read is not gone.
    let unmet = summary.unmet.iter().filter(|_| summary.failures == 0).filter_map(|fingerprint| baseline.get(*fingerprint));
    let stale: Vec<_> = unmet.filter(|entry| is_asked(entry, selection)).collect();
    let expired: Vec<_> = baseline.iter().map(|(_, entry)| entry).filter(|entry| entry.has_expired(today)).collect();
    let kinds = [
        (expired, "Expired", "no longer let pass"),
        (stale, "Stale", "not found any more; `chess-audit baseline prune` takes them out"),
    ];
    for (entries, name, what) in kinds.into_iter().filter(|(entries, ..)| !entries.is_empty()) {
        line(name, &format!("{}: {what}", quantity(entries.len() as u64, "entry", "entries")))?;
        for entry in entries.iter().take(MAX_ENTRIES) {
            line("", &entry.told())?;
        }
        if entries.len() > MAX_ENTRIES {
            line("", &format!("and {} more", entries.len() - MAX_ENTRIES))?;
        }
    }
    Ok(())
}

/// How the run came out, in a sentence.
fn verdict(summary: &RunSummary) -> (Style, String) {
    let findings = summary.findings;
    let worst = [(findings.error, BAD), (findings.warning, DOUBTFUL), (findings.info, HINT)];
    let style = worst.into_iter().find(|(count, _)| *count > 0).map(|(_, style)| style);
    let quiet = if summary.counts.records() == 0 { DOUBTFUL } else { GOOD };
    let style = if summary.failures > 0 { BAD } else { style.unwrap_or(quiet) };
    (style, sentence(summary))
}

/// The rules that were broken, the worst first, then those broken most.
fn worst_first(summary: &RunSummary) -> Vec<(Code, &RuleSummary)> {
    let mut broken: Vec<(Code, &RuleSummary)> = summary.rules.iter().map(|(code, broken)| (*code, broken)).collect();
    broken.sort_by(|(code, a), (other, b)| (b.severity, b.findings, code).cmp(&(a.severity, a.findings, other)));
    broken
}

/// Prints the rules that were broken, or only those whose findings are not all known.
fn print_rules(to: &mut dyn Write, summary: &RunSummary, only_new: bool) -> io::Result<()> {
    let mut broken = worst_first(summary);
    if only_new {
        broken.retain(|(_, broken)| broken.new.total() > 0);
        broken.sort_by_key(|(code, broken)| (Reverse(broken.new.worst()), Reverse(broken.new.total()), *code));
    }
    let Some((example, _)) = broken.first() else { return Ok(()) };
    let rows: Vec<[String; 6]> = broken
        .iter()
        .take(MAX_RULES)
        .map(|(code, broken)| {
            let first = broken.first_new.as_ref().filter(|_| only_new).unwrap_or(&broken.first);
            let severity = broken.new.worst().filter(|_| only_new).unwrap_or(broken.severity);
            [
                code.to_string(),
                rule(*code).map(|rule| rule.name).unwrap_or_default().to_owned(),
                severity.as_str().to_owned(),
                thousands(if only_new { broken.new.total() } else { broken.findings }),
                thousands(if only_new { broken.findings } else { broken.records }),
                if first.line > 0 {
                    format!("{}:{}:{}", printable(&first.input), first.line, first.column)
                } else {
                    printable(&first.input)
                },
            ]
        })
        .collect();
    let numbers = if only_new { ["new", "in all"] } else { ["findings", "records"] };
    let header = ["rule", "name", "severity", numbers[0], numbers[1], if only_new { "first new place" } else { "first place" }]
        .map(str::to_owned);
    let width = |column: usize| {
        rows.iter().chain([&header]).filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let [code, name, severity, findings, records, _] = std::array::from_fn(width);
    let [h0, h1, h2, h3, h4, h5] = &header;
    writeln!(to, "\n{DIM}{h0:<code$}  {h1:<name$}  {h2:<severity$}  {h3:>findings$}  {h4:>records$}  {h5}{DIM:#}")?;
    for ([c0, c1, c2, c3, c4, c5], (_, broken)) in rows.iter().zip(&broken) {
        let colour = style(broken.new.worst().filter(|_| only_new).unwrap_or(broken.severity));
        writeln!(
            to,
            "{BOLD}{c0:<code$}{BOLD:#}  {c1:<name$}  {colour}{c2:<severity$}{colour:#}  {c3:>findings$}  {c4:>records$}  {c5}"
        )?;
    }
    if broken.len() > rows.len() {
        let more = quantity((broken.len() - rows.len()) as u64, "rule", "rules");
        writeln!(to, "{DIM}and {more} more, see summary.csv in the report{DIM:#}")?;
    }
    writeln!(to, "\n`chess-audit rules {example}` explains a rule: what it means, why it matters, what to do")
}

#[cfg(test)]
mod tests {
    use chess_audit::{
        pipeline::{Place, SeverityCounts},
        record::Counts,
        rules::Family,
    };

    use super::*;

    fn printed(summary: &RunSummary) -> io::Result<String> {
        let mut text = Vec::new();
        print(
            &mut anstream::StripStream::new(&mut text),
            summary,
            Some(Path::new("out")),
            &HeldAgainst { baseline: &Baseline::default(), selection: &Selection::default(), today: Date::constant(2026, 1, 1) },
        )?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn broken(severity: Severity, findings: u64, input: &str) -> RuleSummary {
        let first = Place { input: input.into(), line: 12, column: 3, game: 2 };
        let mut by_severity = SeverityCounts::default();
        by_severity.add(severity);
        RuleSummary {
            findings,
            by_severity,
            severity,
            records: findings / 2,
            inputs: 1,
            first: first.clone(),
            new: by_severity,
            first_new: Some(first),
        }
    }

    #[test]
    fn a_clean_run_is_told_in_a_few_lines() -> io::Result<()> {
        let counts = Counts { bytes: 2_500_000, games: 1234, positions: 1, plies: 98765, plies_not_examined: 0 };
        let summary = RunSummary { counts, inputs: 2, ..RunSummary::default() };
        assert_eq!(
            printed(&summary)?,
            "Nothing wrong found in 1,235 records\n\n\
             Read         1,234 games, 1 position and 98,765 plies replayed; 2 inputs, 2.50 MB\n\
             Found        nothing\n\
             Report       out\n"
        );
        Ok(())
    }

    #[test]
    fn what_was_found_is_told_the_worst_first() -> io::Result<()> {
        let rules = [
            (Code::new(Family::Tag, 30), broken(Severity::Warning, 100_000, "b.pgn")),
            (Code::new(Family::Mov, 30), broken(Severity::Error, 2, "evil\u{1b}[2J.pgn")),
            (Code::new(Family::Mov, 31), broken(Severity::Error, 1_000, "a.pgn")),
        ];
        let summary = RunSummary {
            counts: Counts { bytes: 9, games: 3000, positions: 0, plies: 1, plies_not_examined: 7 },
            inputs: 1,
            findings: SeverityCounts { error: 1002, warning: 100_000, info: 0 },
            records_with_findings: 2999,
            not_run: Vec::new(),
            rules: rules.into_iter().collect(),
            failures: 1,
            ..RunSummary::default()
        };
        // The made-up rules have no names.
        assert_eq!(
            printed(&summary)?,
            "The audit is not complete. 1,002 errors and 100,000 warnings in 2,999 of 3,000 records\n\n\
             Read         3,000 games and 1 ply replayed; 1 input, 9 bytes\n\
             Found        1,002 errors and 100,000 warnings\n\
             Not examined 7 plies that could not be replayed, mostly after a move that cannot be played\n\
             Not audited  1 failure of the audit itself, see out/failures.csv\n\
             Report       out\n\n\
             rule   name  severity  findings  records  first place\n\
             MOV31        error        1,000      500  a.pgn:12:3\n\
             MOV30        error            2        1  evil\\u{1b}[2J.pgn:12:3\n\
             TAG30        warning    100,000   50,000  b.pgn:12:3\n\n\
             `chess-audit rules MOV31` explains a rule: what it means, why it matters, what to do\n"
        );
        Ok(())
    }

    #[test]
    fn long_lists_end_with_a_pointer_to_the_report() -> io::Result<()> {
        let rules = (1..=13).map(|number| (Code::new(Family::Pos, number), broken(Severity::Error, 1, "a"))).collect();
        let summary = RunSummary { rules, findings: SeverityCounts { error: 13, ..Default::default() }, ..RunSummary::default() };
        let text = printed(&summary)?;
        assert!(text.contains("\nPOS12 "), "{text}");
        assert!(!text.contains("\nPOS13 "), "{text}");
        assert!(text.contains("and 1 rule more, see summary.csv"), "{text}");
        Ok(())
    }
}
