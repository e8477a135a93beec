//! The summary of a run, as text.

use std::{
    cmp::Reverse,
    io::{self, Write},
    iter,
    path::Path,
    time::Duration,
};

use crate::{
    edit::{SplitCounts, SplitFiles},
    format::{RunException, RunSettings},
    pipeline::{CopySummary, Place, RuleSummary, RunSummary},
    record::CertificateCounts,
    review::Baseline,
    rules::{Check, Code, Selection, Severity, rule},
};
use anstyle::{AnsiColor, Style};

use jiff::civil::Date;

use super::baseline::is_selected;
use super::text::{printable, quantity, shell_word, thousands};
pub use crate::format::sentences::describe_findings;
use crate::format::sentences::{
    describe_not_replayed, describe_not_run, describe_oracles, describe_records, describe_settings_file, describe_skipped,
    headline,
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
/// The style for no findings.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const INFO: Style = AnsiColor::Cyan.on_default();

/// Maximum number of rows of the table. The report contains all of them.
const MAX_ROWS: usize = 12;

/// Maximum number of baseline entries printed.
const MAX_ENTRIES: usize = 10;

/// Maximum number of exceptions printed.
const MAX_EXCEPTIONS: usize = 3;

/// The style of a severity.
pub fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Info => INFO,
    }
}

/// The baseline of a run, and how to judge its entries.
#[derive(Clone, Copy, Debug)]
pub struct KnownFindings<'a> {
    /// The known findings.
    pub baseline: &'a Baseline,
    /// The rules that ran.
    pub selection: &'a Selection,
    /// The date that decides which entries have expired.
    pub today: Date,
}

/// What was written besides the summary.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// The directory of the report.
    pub report: Option<&'a Path>,
    /// What can be repaired.
    pub repairs: Option<&'a str>,
    /// Commands that go on from here, worst first.
    pub next: &'a [String],
    /// Good and bad records.
    pub divided: Option<(SplitCounts, SplitFiles<'a>)>,
    /// How long the audit took, if that is shown.
    pub elapsed: Option<Duration>,
    /// The directory of the inputs, if it is not that of the user's shell.
    pub inputs_in: Option<&'a Path>,
}

/// Prints a summary of the findings, which settings file and exceptions are in force, where the
/// report is, and what can be repaired.
pub fn print(
    to: &mut dyn Write,
    summary: &RunSummary,
    settings: &RunSettings,
    written: &Written<'_>,
    known: &KnownFindings<'_>,
) -> io::Result<()> {
    let Written { report, repairs, next, divided, elapsed, .. } = *written;
    let style = headline_style(summary);
    writeln!(to, "{style}{}{style:#}\n", headline(summary))?;
    let mut line = |name: &str, text: &str| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{text}");
    line("Read", &describe_records(summary))?;
    if let Some(elapsed) = elapsed {
        line("Time", &describe_time(elapsed))?;
    }
    line("Findings", &describe_findings(summary.findings))?;
    if !known.baseline.is_empty() {
        print_baseline(to, summary, known)?;
    }
    let mut line = |name: &str, text: &str| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{text}");
    if let Some(plies) = describe_not_replayed(summary) {
        line("Not replayed", &plies)?;
    }
    if let Some(certificates) = describe_certificates(summary) {
        line("Certificates", &certificates)?;
    }
    for (text, number) in summary.counts.consequences.describe().iter().zip(0..) {
        line(if number == 0 { "Consequences" } else { "" }, text)?;
    }
    if let Some(skipped) = describe_skipped(summary) {
        line("Skipped", &skipped)?;
    }
    let report = report.map(|report| printable(&report.display().to_string()).into_owned());
    if summary.failures > 0 {
        let failures = quantity(summary.failures, "audit failure", "audit failures");
        let see = report.as_ref().map(|report| format!("; see {report}/failures.csv")).unwrap_or_default();
        line("Failures", &format!("{failures}{see}"))?;
    }
    if let Some(asked) = describe_oracles(summary) {
        line("Asked", &asked)?;
    }
    if let Some(copies) = &summary.copies {
        line("Copies", &describe_copies(copies))?;
        if let Some(games) = describe_not_compared(copies) {
            line("Not compared", &games)?;
        }
    }
    if let Some(rules) = describe_not_run(summary) {
        line("Not run", &rules)?;
    }
    if let Some(file) = &settings.settings_file {
        line("Settings", &printable(&describe_settings_file(file)))?;
    }
    let more = settings.except.len().saturating_sub(MAX_EXCEPTIONS);
    let exceptions = settings.except.iter().take(MAX_EXCEPTIONS).map(describe_exception);
    for (text, number) in exceptions.chain((more > 0).then(|| format!("... and {more} more"))).zip(0..) {
        line(if number == 0 { "Exceptions" } else { "" }, &printable(&text))?;
    }
    if let Some(report) = report {
        line("Report", &report)?;
    }
    if let Some(repairs) = repairs {
        line("Repairs", &printable(repairs))?;
    }
    if let Some((counts, files)) = divided {
        if let Some(good) = files.good {
            line("Good", &printable(&format!("{}: {}", good.display(), quantity(counts.good_records, "record", "records"))))?;
        }
        let mut bad = format!("{}: {}", files.bad.display(), quantity(counts.bad_records, "record", "records"));
        if counts.other_text > 0 {
            bad.push_str(&format!(", {} of other text", quantity(counts.other_text, "stretch", "stretches")));
        }
        if let Some(table) = files.table() {
            bad.push_str(&format!("; findings: {}", table.display()));
        }
        line("Bad", &printable(&bad))?;
        if counts.line_breaks > 0 {
            let added = quantity(counts.line_breaks, "line break", "line breaks");
            line("", &format!("{added} added, because an input did not end with one"))?;
        }
        if counts.not_copied > 0 {
            let inputs = quantity(counts.not_copied, "input", "inputs");
            line("", &format!("{inputs} not copied: not text that can be read"))?;
        }
        if counts.converted > 0 {
            line("", &format!("{} converted from UTF-16 to UTF-8", quantity(counts.converted, "input", "inputs")))?;
        }
    }
    print_next(to, next)?;
    print_rules(to, summary, !known.baseline.is_empty(), written.inputs_in)
}

/// Prints commands that go on from here.
fn print_next(to: &mut dyn Write, commands: &[String]) -> io::Result<()> {
    let names = iter::once("Do this").chain(iter::repeat(""));
    let mut lines = names.zip(commands);
    lines.try_for_each(|(name, command)| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{}", printable(command)))
}

/// Prints the known findings, and the entries of the baseline that have expired or are stale.
fn print_baseline(to: &mut dyn Write, summary: &RunSummary, known: &KnownFindings<'_>) -> io::Result<()> {
    let KnownFindings { baseline, selection, today } = *known;
    let mut line = |name: &str, text: &str| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{}", printable(text));
    if summary.known.total() > 0 {
        line("Known", &format!("{} (in the baseline)", describe_findings(summary.known)))?;
    }
    if summary.findings.total() > 0 {
        line("New", &describe_findings(summary.findings.without(summary.known)))?;
    }
    // After a failure, an entry may be missing only because its record was not read.
    let unmatched = summary.unmet.iter().filter(|_| summary.failures == 0).filter_map(|fingerprint| baseline.get(*fingerprint));
    let stale: Vec<_> = unmatched.filter(|entry| is_selected(entry, selection)).collect();
    let expired: Vec<_> = baseline.iter().map(|(_, entry)| entry).filter(|entry| entry.has_expired(today)).collect();
    let kinds = [
        (expired, "Expired", "their findings count as new"),
        (stale, "Stale", "no longer found; remove with `chess-audit baseline prune`"),
    ];
    for (entries, name, what) in kinds.into_iter().filter(|(entries, ..)| !entries.is_empty()) {
        line(name, &format!("{}: {what}", quantity(entries.len(), "baseline entry", "baseline entries")))?;
        for entry in entries.iter().take(MAX_ENTRIES) {
            line("", &entry.describe())?;
        }
        if entries.len() > MAX_ENTRIES {
            line("", &format!("... and {} more", thousands((entries.len() - MAX_ENTRIES) as u64)))?;
        }
    }
    Ok(())
}

/// How many positions occur in a game, as far as that is proven.
fn describe_certificates(summary: &RunSummary) -> Option<String> {
    let CertificateCounts { legal, illegal, open } = summary.counts.certificates;
    let parts = [(legal, "legal"), (illegal, "illegal"), (open, "open")];
    let parts = parts.map(|(count, verdict)| format!("{} {verdict}", thousands(count)));
    (!summary.counts.certificates.is_empty()).then(|| parts.join(", "))
}

/// What the comparison of all games has shown.
fn describe_copies(summary: &CopySummary) -> String {
    let CopySummary { clusters, copies, to_check, overlap, .. } = summary;
    let mut text = match copies {
        0 => "no copies to remove".to_owned(),
        _ => {
            let of = quantity(*clusters, "game", "games");
            format!("{} of {of} need not be kept", quantity(*copies, "copy", "copies"))
        }
    };
    if *to_check > 0 {
        let verb = if *to_check == 1 { "contradicts" } else { "contradict" };
        text += &format!("; {} {verb} another one", quantity(*to_check, "copy", "copies"));
    }
    if !overlap.is_empty() {
        let verb = if overlap.len() == 1 { "has" } else { "have" };
        text += &format!("; {} of inputs {verb} games in common", quantity(overlap.len(), "pair", "pairs"));
    }
    text
}

/// The games that were not compared with all others, and why.
fn describe_not_compared(summary: &CopySummary) -> Option<String> {
    let short = quantity(summary.short_games, "game", "games");
    let alike = quantity(summary.games_not_compared, "game", "games");
    let pairs = quantity(summary.pairs_not_compared, "pair", "pairs");
    let parts = [
        (summary.short_games, format!("{short} of fewer than 10 plies, which can be equal by chance")),
        (summary.games_not_compared, format!("{alike} in {pairs}, because too many are alike")),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `TAG01, RES01 in bulletins/*.pgn (typed before there was a standard)`.
fn describe_exception(exception: &RunException) -> String {
    let RunException { paths, rules, reason } = exception;
    format!("{} in {} ({reason})", rules.join(", "), paths.join(", "))
}

/// `0.4 s`, `12 s` or `2 min 5 s`.
fn describe_time(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        0..10 => format!("{:.1} s", elapsed.as_secs_f64()),
        seconds @ 10..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", thousands(seconds / 60), seconds % 60),
    }
}

/// The style of the headline: that of the highest severity.
fn headline_style(summary: &RunSummary) -> Style {
    let findings = summary.findings;
    let counts = [(findings.error, ERROR), (findings.warning, WARNING), (findings.info, INFO)];
    let highest = counts.into_iter().find(|(count, _)| *count > 0).map(|(_, style)| style);
    let without_findings = if summary.counts.records() == 0 { WARNING } else { GOOD };
    if summary.failures > 0 { ERROR } else { highest.unwrap_or(without_findings) }
}

/// The first place with a finding. If findings of several inputs stand for more places than one
/// each, also their number: `375 times in 195 inputs, first in b.pgn:3:1`.
fn location(found: &RuleSummary, first: &Place) -> String {
    let input = printable(&first.input);
    let first = if first.line > 0 { format!("{input}:{}:{}", first.line, first.column) } else { input.into_owned() };
    if found.inputs > 1 && found.places > found.findings {
        let inputs = quantity(found.inputs, "input", "inputs");
        return format!("{} in {inputs}, first in {first}", quantity(found.places, "time", "times"));
    }
    first
}

/// The commands that explain the first finding, which is at this place.
fn next_steps(code: Code, first: &Place, inputs_in: Option<&Path>) -> String {
    // Findings about an input or a run as a whole have no record to show, and those about copies
    // are not found in one record.
    let has_record = rule(code).is_none_or(|rule| !matches!(rule.check, Check::Input) && !rule.is_about_copies());
    let input = match inputs_in {
        Some(directory) => directory.join(&first.input).display().to_string(),
        None => first.input.to_string(),
    };
    let place = shell_word(&format!("{input}:{}", first.line)).filter(|_| has_record && first.line > 0 && input != "-");
    match place {
        Some(place) => format!("Next: `chess-audit show {place}`, and `chess-audit rules {code}` about its rule"),
        None => format!("To learn more about a rule, run `chess-audit rules {code}`"),
    }
}

/// Prints the rules with findings, or only those with new findings.
fn print_rules(to: &mut dyn Write, summary: &RunSummary, only_new: bool, inputs_in: Option<&Path>) -> io::Result<()> {
    let mut rules = summary.by_severity();
    if only_new {
        rules.retain(|(_, _, found)| found.new > 0);
        rules.sort_by_key(|(code, severity, found)| (Reverse(*severity), Reverse(found.new), *code));
    }
    let Some((example, _, found)) = rules.first() else { return Ok(()) };
    let first = found.first_new.as_ref().filter(|_| only_new).unwrap_or(&found.first);
    let rows: Vec<[String; 6]> = rules
        .iter()
        .take(MAX_ROWS)
        .map(|(code, severity, found)| {
            let first = found.first_new.as_ref().filter(|_| only_new).unwrap_or(&found.first);
            [
                code.to_string(),
                rule(*code).map(|rule| rule.name).unwrap_or_default().to_owned(),
                severity.as_str().to_owned(),
                thousands(if only_new { found.new } else { found.findings }),
                thousands(if only_new { found.findings } else { found.records }),
                location(found, first),
            ]
        })
        .collect();
    let [counted, total, location] =
        if only_new { ["new", "total", "first new location"] } else { ["findings", "records", "first location"] };
    let header = ["rule", "name", "severity", counted, total, location].map(str::to_owned);
    let width = |column: usize| {
        rows.iter().chain([&header]).filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let [code, name, severity, findings, records, _] = std::array::from_fn(width);
    let [h0, h1, h2, h3, h4, h5] = &header;
    writeln!(to, "\n{DIM}{h0:<code$}  {h1:<name$}  {h2:<severity$}  {h3:>findings$}  {h4:>records$}  {h5}{DIM:#}")?;
    for ([c0, c1, c2, c3, c4, c5], (_, worst, _)) in rows.iter().zip(&rules) {
        let color = style(*worst);
        writeln!(
            to,
            "{BOLD}{c0:<code$}{BOLD:#}  {c1:<name$}  {color}{c2:<severity$}{color:#}  {c3:>findings$}  {c4:>records$}  {c5}"
        )?;
    }
    if rules.len() > rows.len() {
        let more = quantity(rules.len() - rows.len(), "more row", "more rows");
        writeln!(to, "{DIM}... and {more}; see summary.csv in the report{DIM:#}")?;
    }
    writeln!(to, "\n{}", next_steps(*example, first, inputs_in))
}

#[cfg(test)]
mod tests {
    use crate::{pipeline::SeverityCounts, record::Counts, rules::Family};

    use super::*;

    fn printed(summary: &RunSummary) -> io::Result<String> {
        let mut text = Vec::new();
        print(
            &mut anstream::StripStream::new(&mut text),
            summary,
            &RunSettings::default(),
            &Written { report: Some(Path::new("out")), repairs: None, next: &[], divided: None, elapsed: None, inputs_in: None },
            &KnownFindings {
                baseline: &Baseline::default(),
                selection: &Selection::default(),
                today: Date::constant(2026, 1, 1),
            },
        )?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn found(findings: u64, input: &str) -> RuleSummary {
        let first = Place { input: input.into(), line: 12, column: 3, game: 2 };
        RuleSummary {
            findings,
            records: findings / 2,
            inputs: 1,
            places: findings,
            first: first.clone(),
            new: 1,
            first_new: Some(first),
        }
    }

    #[test]
    fn a_run_without_findings_has_a_short_summary() -> io::Result<()> {
        let counts = Counts { bytes: 2_500_000, games: 1234, positions: 1, plies: 98765, ..Counts::default() };
        let summary = RunSummary { counts, inputs: 2, ..RunSummary::default() };
        assert_eq!(
            printed(&summary)?,
            "No findings in 1,235 records\n\n\
             Read         1,234 games and 1 position (98,765 plies) in 2 inputs, 2.50 MB\n\
             Findings     none\n\
             Report       out\n"
        );
        Ok(())
    }

    #[test]
    fn rules_are_sorted_by_severity() -> io::Result<()> {
        let rules = [
            ((Code::new(Family::Tag, 30), Severity::Warning), found(100_000, "b.pgn")),
            ((Code::new(Family::Mov, 30), Severity::Error), found(2, "evil\u{1b}[2J.pgn")),
            ((Code::new(Family::Mov, 31), Severity::Error), found(1_000, "a.pgn")),
            ((Code::new(Family::Mov, 31), Severity::Warning), found(500, "a.pgn")),
        ];
        let summary = RunSummary {
            counts: Counts { bytes: 9, games: 3000, positions: 0, plies: 1, plies_not_examined: 7, ..Counts::default() },
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
            "The audit is incomplete: 1,002 errors and 100,000 warnings in 2,999 of 3,000 records\n\n\
             Read         3,000 games (1 ply) in 1 input, 9 bytes\n\
             Findings     1,002 errors and 100,000 warnings\n\
             Not replayed 7 plies after a fault\n\
             Failures     1 audit failure; see out/failures.csv\n\
             Report       out\n\n\
             rule   name  severity  findings  records  first location\n\
             MOV31        error        1,000      500  a.pgn:12:3\n\
             MOV30        error            2        1  evil\\u{1b}[2J.pgn:12:3\n\
             TAG30        warning    100,000   50,000  b.pgn:12:3\n\
             MOV31        warning        500      250  a.pgn:12:3\n\n\
             Next: `chess-audit show a.pgn:12`, and `chess-audit rules MOV31` about its rule\n"
        );
        Ok(())
    }

    #[test]
    fn only_records_can_be_shown() {
        let at = |line| Place { input: "a b.pgn".into(), line, column: 1, game: 0 };
        let rules = |code: &str| format!("To learn more about a rule, run `chess-audit rules {code}`");
        let moves = next_steps(Code::new(Family::Mov, 1), &at(7), None);
        assert_eq!(moves, "Next: `chess-audit show 'a b.pgn:7'`, and `chess-audit rules MOV01` about its rule");
        assert_eq!(next_steps(Code::new(Family::Mov, 1), &at(0), None), rules("MOV01"));
        assert_eq!(next_steps(Code::new(Family::Dup, 1), &at(7), None), rules("DUP01"));
        // This place is in the settings.
        assert_eq!(next_steps(Code::new(Family::Exp, 2), &at(7), None), rules("EXP02"));
    }

    #[test]
    fn times_have_two_digits() {
        for (millis, text) in
            [(40, "0.0 s"), (1_240, "1.2 s"), (12_900, "12 s"), (60_000, "1 min 0 s"), (3_725_000, "62 min 5 s")]
        {
            assert_eq!(describe_time(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn long_lists_refer_to_the_report() -> io::Result<()> {
        let rules = (1..=13).map(|number| ((Code::new(Family::Pos, number), Severity::Error), found(1, "a"))).collect();
        let summary = RunSummary { rules, findings: SeverityCounts { error: 13, ..Default::default() }, ..RunSummary::default() };
        let text = printed(&summary)?;
        assert!(text.contains("\nPOS12 "), "{text}");
        assert!(!text.contains("\nPOS13 "), "{text}");
        assert!(text.contains("... and 1 more row; see summary.csv"), "{text}");
        Ok(())
    }
}
