//! The data of the templates.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
};

use askama::Template;
use jiff::civil::Date;

use super::{
    card::{Card, Part, parts},
    chart::{Chart, Row, Share, percent, percent_encoded, tail},
    content::{Page, ProposedName, Rank},
    data::Packed,
    example::{Example, shown},
    portrait::{self, PortraitView},
    trend::{self, TrendLine},
};
use crate::{
    format::{
        RunLimits, RunRange, RunSettings, Table, Trend,
        sentences::{
            describe_cleaning, describe_findings, describe_not_replayed, describe_records, describe_settings_file,
            describe_skipped, describe_undecided, headline, per_million,
        },
    },
    pipeline::{CopySummary, Failure, InputSummary, RuleSummary, RunSummary, SeverityCounts},
    report::svg::SharedParts,
    review::NightPage,
    rules::{Code, Family, Marks, Profile, RULES, Rule, Selection, Severity, epd::wrong_perft_count, rule},
    text::wording::{quantity, thousands},
};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// The hash of [`SCRIPT`], for the content security policy.
const SCRIPT_HASH: &str = "sha256-Kp4ImnCQqFmjbF3abLimU23TTC7UfX9GVkfHWibESsg=";

/// Maximum number of bars in a chart.
const MAX_BARS: usize = 12;

/// The scale is logarithmic if the longest bar is more than so many times as long as a usual one.
const LOG_FROM: u64 = 50;

/// Number of bytes of the page for each finding that it shows without JavaScript. Each takes about
/// a kilobyte, so that nine tenths of the page are left for all findings.
const BYTES_PER_EXAMPLE: u64 = 1 << 14;

#[derive(Template)]
#[template(path = "report.html", config = "src/report/page/askama.toml")]
pub(super) struct ReportPage {
    style: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: &'static str,
    shared: SharedParts,
    corpus: String,
    prefix: String,
    /// The date of the night, or the day that stands for today.
    date: Option<String>,
    /// The date of the night with which this one was compared.
    since: Option<Date>,
    /// What happened since then.
    facts: Vec<String>,
    verdict: Verdict,
    headline: String,
    tiles: Vec<Tile>,
    shares: Vec<Share>,
    /// What to do next: why, and a command.
    next: Vec<(String, &'static str)>,
    consequences: Vec<String>,
    worst: Option<Worst>,
    trend: Vec<TrendLine>,
    steps: Vec<(String, String)>,
    /// Proposals for names: a spelling, its number of games, and what is proposed.
    names: Vec<(String, String, ProposedName)>,
    more_names: u64,
    portrait: Option<PortraitView>,
    scope: Vec<(&'static str, String)>,
    failures: Vec<FailureView>,
    more_failures: u64,
    charts: Vec<Chart>,
    severities: Vec<&'static str>,
    families: Vec<Family>,
    /// What is new, if not everything is.
    new: Option<String>,
    /// All findings, compressed.
    pub data: Packed,
    /// Number of findings of the run.
    total: u64,
    rules_status: String,
    rules: Vec<RuleView>,
}

/// Whether the audit passed, and why.
struct Verdict {
    word: &'static str,
    tone: &'static str,
    reason: String,
}

/// A number on the first screen.
struct Tile {
    name: &'static str,
    value: String,
    tone: &'static str,
    /// How many of them are in the baseline.
    known: Option<String>,
}

/// The worst new finding.
struct Worst {
    rule: &'static Rule,
    id: String,
    /// Whether it is new, if not everything is.
    kind: &'static str,
    /// Its card.
    card: String,
}

struct FailureView {
    input: String,
    byte: Option<u64>,
    message: String,
}

struct RuleView {
    id: String,
    code: Code,
    name: &'static str,
    severity: &'static str,
    family: &'static str,
    findings: u64,
    findings_text: String,
    records: u64,
    records_text: String,
    rate: String,
    rate_text: String,
    summary: Vec<Part<'static>>,
    about: Vec<(&'static str, Vec<Vec<Part<'static>>>)>,
    intro: String,
    table: Option<&'static str>,
    table_intro: &'static str,
    /// The cards of the first findings.
    cards: Vec<String>,
}

impl ReportPage {
    /// The page without its data.
    pub fn new(page: Page, settings: &RunSettings, summary: &RunSummary, night: Option<&NightPage>) -> ReportPage {
        let findings = summary.findings;
        let prefix = page.prefix.unwrap_or_default();
        let inputs: Vec<&InputSummary> = page.inputs.values().collect();
        let max_examples = usize::try_from(page.size / BYTES_PER_EXAMPLE).unwrap_or(usize::MAX);
        let rows = page.rows.min((max_examples / summary.rules.len().max(1)).max(1));
        let overlap = summary.copies.as_ref().filter(|copies| !copies.overlap.is_empty());
        let overlap = overlap.map(|copies| overlap_chart(copies, &prefix));
        let charts = [rule_chart(summary), input_chart(&inputs, &prefix, page.inputs_with_findings)];
        let charts = charts.into_iter().chain(overlap).collect();
        let table_intro = if settings.options.max_rows.is_some() { "More are in" } else { "All are in" };
        let trend = trend::lines(night.map(|night| &night.trend), summary);
        let since = night.and_then(|night| night.last);
        let names = page.names.into_iter().map(|((games, name), proposed)| (name, thousands(games.0), proposed));
        let names: Vec<_> = names.collect();
        let mut examples = page.examples;
        let worst = worst(&examples, summary, &prefix, since.is_some());
        let mut codes = BTreeSet::new();
        let view = |(code, severity, found): (Code, Severity, &RuleSummary)| {
            let rule = rule(code)?;
            let kept = examples.remove(&(code, severity)).unwrap_or_default();
            let mut kept: Vec<(Rank, Example)> = kept.into_iter().take(rows).collect();
            kept.sort_by_key(|((known, ordinal, input), _)| (*known, *input, *ordinal));
            let kept = kept.into_iter().map(|(_, example)| example).collect();
            // Links to a rule lead to its highest severity, which comes first.
            let id = if codes.insert(code) { code.to_string() } else { format!("{code}-{severity}") };
            Some(rule_view(id, (rule, severity), found, summary, kept, &prefix, table_intro))
        };
        let rules: Vec<RuleView> = summary.by_severity().into_iter().filter_map(view).collect();
        ReportPage {
            style: STYLE,
            script: SCRIPT,
            script_hash: SCRIPT_HASH,
            version: env!("CARGO_PKG_VERSION"),
            shared: SharedParts::new(),
            corpus: corpus(settings, summary, &prefix, &page.first_input),
            prefix: shown(&prefix),
            date: night.map(|night| night.trend.date.to_string()).or_else(|| settings.limits.as_of.clone()),
            since,
            facts: night.map(|night| night.facts.clone()).unwrap_or_default(),
            verdict: verdict(settings, summary, night),
            headline: headline(summary),
            tiles: tiles(settings, summary, night),
            shares: shares(summary, page.inputs_clean),
            next: [
                describe_cleaning(summary).map(|text| (text, "chess-audit clean INPUTS -o clean")),
                describe_undecided(summary).map(|text| (text, "chess-audit clean INPUTS --decisions decisions.csv -o clean")),
            ]
            .into_iter()
            .flatten()
            .collect(),
            consequences: summary.counts.consequences.describe(),
            worst,
            more_names: page.names_seen - names.len() as u64,
            names,
            trend,
            steps: page.steps,
            portrait: portrait::view(summary, &inputs, page.inputs_with_findings, &prefix),
            scope: scope(settings, summary),
            more_failures: summary.failures.saturating_sub(page.failures.len() as u64),
            failures: page.failures.iter().map(FailureView::from).collect(),
            charts,
            severities: Severity::ALL
                .into_iter()
                .filter(|severity| findings_of(findings, *severity) > 0)
                .map(Severity::as_str)
                .collect(),
            families: Family::ALL
                .into_iter()
                .filter(|family| summary.rules.keys().any(|(code, _)| code.family() == *family))
                .collect(),
            new: match since {
                Some(last) => Some(format!("New since {last}")),
                None => (summary.known.total() > 0).then(|| "New: not in the baseline".to_owned()),
            },
            data: Packed::default(),
            total: findings.total(),
            rules_status: rules_status(summary),
            rules,
        }
    }
}

/// What the corpus is called: as the user says, or after its directory.
fn corpus(settings: &RunSettings, summary: &RunSummary, prefix: &str, first: &str) -> String {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().map(shown).filter(|name| !name.is_empty());
    let of_inputs = || last(if summary.inputs == 1 { first } else { prefix });
    let name = settings.name.as_deref().map(shown).or_else(of_inputs);
    name.unwrap_or_else(|| quantity(summary.inputs, "input", "inputs"))
}

/// Whether the audit passed. Known findings do not count, and in a night only what has changed.
fn verdict(settings: &RunSettings, summary: &RunSummary, night: Option<&NightPage>) -> Verdict {
    let night = night.and_then(|night| Some((night, night.last?)));
    let new = summary.findings.without(summary.known);
    let (word, tone, reason) = match (settings.fail_on, night) {
        _ if summary.failures > 0 => {
            let failures = quantity(summary.failures, "audit failure", "audit failures");
            ("INCOMPLETE", "error", format!("{failures}: parts of the inputs were not checked."))
        }
        (_, Some((night, last))) => {
            let (word, tone) = if night.has_news { ("FAIL", "error") } else { ("PASS", "good") };
            (word, tone, format!("{}. New means since the last night, {last}.", night.sentence))
        }
        (None, None) if summary.counts.records() == 0 => ("EMPTY", "warning", "Nothing was checked.".to_owned()),
        (None, None) => ("CHECKED", "info", "No threshold was set: findings do not let the audit fail.".to_owned()),
        (Some(threshold), None) => {
            let found = new.at_least(threshold);
            let has_known = summary.known.total() > 0;
            let [kind, one, many] = match (threshold, has_known) {
                (Severity::Error, false) => ["an error", "error", "errors"],
                (Severity::Error, true) => ["a new error", "new error", "new errors"],
                (Severity::Warning, false) => ["an error or warning", "finding", "findings"],
                (Severity::Warning, true) => ["a new error or warning", "new finding", "new findings"],
                (Severity::Info, false) => ["a finding", "finding", "findings"],
                (Severity::Info, true) => ["a new finding", "new finding", "new findings"],
            };
            let (word, tone) = if found > 0 { ("FAIL", "error") } else { ("PASS", "good") };
            let found = if found > 0 { quantity(found, one, many) } else { format!("No {many}") };
            (word, tone, format!("{found}. The audit fails if there is {kind} (--fail-on {threshold})."))
        }
    };
    Verdict { word, tone, reason }
}

/// The worst finding that is not in the baseline, with a board if there is one.
fn worst(
    examples: &BTreeMap<(Code, Severity), BTreeMap<Rank, Example>>,
    summary: &RunSummary,
    prefix: &str,
    is_later_night: bool,
) -> Option<Worst> {
    let is_any = |of: fn(&Example) -> bool| examples.values().flat_map(BTreeMap::values).any(of);
    // In a night, what was there in earlier nights comes last.
    let has_new = is_later_night && is_any(|example| !example.known && !example.is_open);
    let kind = match is_later_night {
        true if has_new => "new",
        true => "open",
        false if summary.known.total() > 0 => "new",
        false => "",
    };
    let is_marked = |example: &Example| example.marks != Marks::default() && example.diagram().is_some();
    let first = |(code, severity, _): (Code, Severity, &RuleSummary)| {
        let new = examples.get(&(code, severity))?.values().filter(|example| !(example.known || has_new && example.is_open));
        new.max_by_key(|example| (is_marked(example), Reverse((&example.input_name, example.line))))
    };
    let rules = summary.by_severity();
    let worst = rules.first()?.1;
    let candidates = || rules.iter().filter(|(_, severity, _)| *severity == worst).copied();
    let with_board = candidates().filter_map(|rule| Some((rule, first(rule)?))).find(|(_, example)| is_marked(example));
    let any = || rules.iter().copied().find_map(|rule| Some((rule, first(rule)?)));
    let ((code, severity, _), example) = with_board.or_else(any)?;
    let is_first = summary.by_rule().find(|(other, ..)| *other == code).is_some_and(|(_, first, _)| first == severity);
    let id = if is_first { code.to_string() } else { format!("{code}-{severity}") };
    Some(Worst { rule: rule(code)?, id, kind, card: card(example, summary, prefix) })
}

const fn findings_of(findings: SeverityCounts, severity: Severity) -> u64 {
    match severity {
        Severity::Error => findings.error,
        Severity::Warning => findings.warning,
        Severity::Info => findings.info,
    }
}

/// The numbers of the first screen. With a baseline, what is new comes first.
fn tiles(settings: &RunSettings, summary: &RunSummary, night: Option<&NightPage>) -> Vec<Tile> {
    let later = night.filter(|night| night.last.is_some());
    let has_known = summary.known.total() > 0 || later.is_some();
    let unknown = summary.findings.without(summary.known);
    let new = later.map_or(unknown, |night| night.new_findings);
    let names = [
        (Severity::Error, "errors", "new errors"),
        (Severity::Warning, "warnings", "new warnings"),
        (Severity::Info, "infos", "new infos"),
    ];
    let mut tiles = Vec::new();
    for (severity, name, new_name) in names {
        let (number, known) = (findings_of(new, severity), findings_of(summary.known, severity));
        let open = findings_of(unknown, severity).saturating_sub(number);
        if number + known + open > 0 || severity > Severity::Info {
            tiles.push(Tile {
                name: if has_known { new_name } else { name },
                value: thousands(number),
                tone: if number > 0 { severity.as_str() } else { "" },
                known: match later {
                    Some(_) => Some(format!("{} open, {} known", thousands(open), thousands(known))),
                    None => has_known.then(|| format!("{} known", thousands(known))),
                },
            });
        }
    }
    if summary.findings.total() == 0 {
        let plain = |number: u64, one, many| Tile {
            name: if number == 1 { one } else { many },
            value: thousands(number),
            tone: "",
            known: None,
        };
        tiles = vec![
            plain(summary.inputs, "input", "inputs"),
            plain(summary.counts.records(), "record", "records"),
            plain(rules_checked(settings, summary) as u64, "rule checked", "rules checked"),
        ];
        if summary.failures == 0
            && let Some((since, is_first)) = night.and_then(|night| clean_since(&night.trend))
        {
            let name = if is_first { "without findings since at least" } else { "without findings since" };
            tiles.push(Tile { name, value: since.to_string(), tone: "", known: None });
        }
    }
    tiles
}

/// Since which of the last nights nothing was found, and whether that is the first one known.
fn clean_since(trend: &Trend) -> Option<(Date, bool)> {
    let clean = trend.nights.iter().rev().take_while(|night| night.findings.total() == 0);
    let clean: Vec<Date> = clean.map(|night| night.date).collect();
    Some((*clean.last()?, clean.len() == trend.nights.len()))
}

/// Number of rules that ran.
fn rules_checked(settings: &RunSettings, summary: &RunSummary) -> usize {
    let selection = Selection::of(settings.profile)
        .select(settings.select.iter().map(String::as_str))
        .and_then(|selection| selection.ignore(settings.ignore.iter().map(String::as_str)));
    let runs = |rule: &&Rule| selection.as_ref().map_or(true, |selection| selection.runs(rule));
    let not_run = |rule: &&Rule| summary.not_run.contains(&rule.code) || summary.hidden.contains(&rule.code);
    RULES.iter().copied().filter(runs).filter(|rule| !not_run(rule)).count()
}

/// How many records and inputs have no findings.
fn shares(summary: &RunSummary, inputs_clean: u64) -> Vec<Share> {
    let share = |one, many, all: u64, clean: u64| {
        let text = format!("{} of {} without findings", thousands(clean), quantity(all, one, many));
        (all > 0).then(|| Share { text, percent: percent(clean, all) })
    };
    let records = summary.counts.records();
    let clean = records.saturating_sub(summary.records_with_findings);
    let inputs = share("input", "inputs", summary.inputs, inputs_clean);
    share("record", "records", records, clean).into_iter().chain(inputs).collect()
}

/// What was checked and what was not.
fn scope(settings: &RunSettings, summary: &RunSummary) -> Vec<(&'static str, String)> {
    let counts = summary.counts;
    let mut scope = vec![("Read", describe_records(summary))];
    if let Some(plies) = describe_not_replayed(summary) {
        scope.push(("Not replayed", plies));
    }
    if let Some(skipped) = describe_skipped(summary) {
        scope.push(("Skipped", skipped));
    }
    if summary.failures > 0 {
        let failures = quantity(summary.failures, "audit failure", "audit failures");
        scope.push(("Failures", format!("{failures}, listed above; the affected parts of the inputs were not checked")));
    }
    if let Some(file) = &settings.settings_file {
        scope.push(("Settings", shown(&describe_settings_file(file))));
    }
    scope.push(describe_rules(settings));
    let options = describe_options(settings);
    if !options.is_empty() {
        scope.push(("Options", options.join("; ")));
    }
    if counts.positions > 0 {
        scope.push(("Perft", format!("counts checked up to depth {}", wrong_perft_count::MAX_DEPTH)));
    }
    for exception in &settings.except {
        let (rules, paths) = (list(&exception.rules), list(&exception.paths));
        let reason = if exception.reason.is_empty() { String::new() } else { format!(": {}", shown(&exception.reason)) };
        scope.push(("Exception", format!("{rules} did not run on {paths}{reason}")));
    }
    if summary.known.total() > 0 {
        scope.push(("Known", format!("{} in the baseline, listed after new findings", describe_findings(summary.known))));
    }
    if let Some(rows) = settings.options.max_rows {
        let findings = quantity(rows, "finding", "findings");
        scope.push(("Limit", format!("the CSV files list at most {findings} per rule and input; totals are exact")));
    }
    scope
}

fn list(values: &[String]) -> String {
    values.iter().map(|value| shown(value)).collect::<Vec<_>>().join(", ")
}

/// The profile or the selected rules.
fn describe_rules(settings: &RunSettings) -> (&'static str, String) {
    let profile = match settings.profile {
        Profile::Standard => "errors and warnings",
        Profile::Strict => "errors, warnings and infos",
        Profile::Export => "errors, warnings, infos, and the layout of PGN export format",
        Profile::Problem => "errors and warnings for composed positions, without reachability rules",
    };
    let (name, mut text) = if settings.select.is_empty() {
        ("Profile", format!("{} ({profile})", settings.profile))
    } else {
        ("Rules", format!("only {}", list(&settings.select)))
    };
    if !settings.ignore.is_empty() {
        text.push_str(&format!("; without {}", list(&settings.ignore)));
    }
    (name, text)
}

/// Options that differ from the defaults.
fn describe_options(settings: &RunSettings) -> Vec<String> {
    let mut options = Vec::new();
    let limits = &settings.limits;
    let defaults = RunLimits::default();
    if limits.elo != defaults.elo {
        options.push(format!("accepted ratings: {}", describe_range(&limits.elo)));
    }
    if limits.dates != defaults.dates {
        options.push(format!("accepted dates: {}", describe_range(&limits.dates)));
    }
    if let Some(day) = &limits.as_of {
        options.push(format!("dates after {day} are in the future"));
    }
    if let Some(variant) = &settings.variant {
        options.push(format!("variant: {variant}"));
    }
    if settings.options.exhaustive {
        options.push("all positions of all games checked".to_owned());
    }
    if settings.options.deep {
        options.push("long searches for the past of positions".to_owned());
    }
    options
}

fn describe_range<T: Display>(range: &RunRange<T>) -> String {
    match (&range.from, &range.to) {
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (Some(from), None) => format!("from {from}"),
        (None, Some(to)) => format!("up to {to}"),
        (None, None) => "all".to_owned(),
    }
}

fn rules_status(summary: &RunSummary) -> String {
    let rules = summary.rules.keys().map(|(code, _)| *code).collect::<BTreeSet<Code>>().len();
    let verb = if rules == 1 { "has" } else { "have" };
    format!("{} of {} {verb} findings", thousands(rules as u64), quantity(RULES.len(), "rule", "rules"))
}

impl From<&Failure> for FailureView {
    fn from(failure: &Failure) -> FailureView {
        FailureView { input: shown(&failure.input), byte: failure.byte, message: shown(&failure.message) }
    }
}

fn rule_chart(summary: &RunSummary) -> Chart {
    let mut rules: BTreeMap<Code, Vec<(&'static str, u64)>> = BTreeMap::new();
    for (code, severity, found) in summary.by_rule() {
        rules.entry(code).or_default().push((severity.as_str(), found.findings));
    }
    let total = |parts: &[(&str, u64)]| parts.iter().map(|(_, findings)| findings).sum::<u64>();
    let mut rules: Vec<_> = rules.into_iter().filter_map(|(code, parts)| Some((rule(code)?, total(&parts), parts))).collect();
    rules.sort_by_key(|(rule, total, _)| (Reverse(*total), rule.code));
    let more = rules.len().saturating_sub(MAX_BARS);
    let more = (more > 0).then(|| format!("… and {} in the table below", quantity(more, "more rule", "more rules")));
    let rows = rules.into_iter().take(MAX_BARS);
    let rows =
        rows.map(|(rule, total, parts)| (Some(rule.code.to_string()), format!("{} {}", rule.code, rule.name), total, parts));
    ranking("by-rule-heading", "Findings by rule", rows.collect(), more)
}

/// The pairs of inputs that share most games.
fn overlap_chart(copies: &CopySummary, prefix: &str) -> Chart {
    let mut pairs: Vec<_> = copies.overlap.iter().collect();
    pairs.sort_by_key(|(names, games)| (Reverse(**games), *names));
    let more = pairs.len().saturating_sub(MAX_BARS);
    let more = (more > 0).then(|| format!("… and {}, see overlap.csv", quantity(more, "more pair", "more pairs")));
    let rows = pairs.into_iter().take(MAX_BARS).map(|((one, other), games)| {
        let name = |name: &str| tail(&shown(name.strip_prefix(prefix).unwrap_or(name)));
        (None, format!("{} and {}", name(one), name(other)), *games, vec![(Severity::Info.as_str(), *games)])
    });
    ranking("overlap-heading", "Games that two inputs share", rows.collect(), more)
}

fn input_chart(inputs: &[&InputSummary], prefix: &str, with_findings: u64) -> Chart {
    let rows = inputs.iter().take(MAX_BARS).map(|input| {
        let parts = Severity::ALL.map(|severity| (severity.as_str(), findings_of(input.findings, severity)));
        let name = shown(input.name.strip_prefix(prefix).unwrap_or(&input.name));
        let address = percent_encoded(&shown(&input.name), b"/-_.");
        (Some(format!("input={address}")), tail(&name), input.findings.total(), parts.to_vec())
    });
    let more = with_findings.saturating_sub(inputs.len().min(MAX_BARS) as u64);
    let more = (more > 0).then(|| format!("… and {}, see inputs.csv", quantity(more, "more input", "more inputs")));
    ranking("by-input-heading", "Findings by input", rows.collect(), more)
}

/// A chart of rows, the longest first.
fn ranking(id: &'static str, title: &'static str, rows: Vec<Row>, more: Option<String>) -> Chart {
    // One long bar must not hide most of the others.
    let longest = rows.first().map_or(1, |(_, _, total, _)| *total);
    let is_log = rows.get(rows.len() / 2).is_some_and(|(_, _, middle, _)| middle.saturating_mul(LOG_FROM) < longest);
    Chart::new(id, title, rows, is_log, more)
}

fn rule_view(
    id: String,
    (rule, severity): (&'static Rule, Severity),
    found: &RuleSummary,
    summary: &RunSummary,
    examples: Vec<Example>,
    prefix: &str,
    table_intro: &'static str,
) -> RuleView {
    let rate = per_million(found.places, summary.counts.records());
    // An example can stand for one finding in each of several inputs.
    let stands_for = |example: &Example| summary.shared.get(&example.fingerprint).map_or(1, |fault| fault.inputs);
    let shown = examples.iter().map(stands_for).sum();
    let intro = match (found.findings, shown) {
        (_, 0) => "No findings are shown here.".to_owned(),
        (all, shown) if shown >= all => {
            format!("{} in {}.", quantity(all, "finding", "findings"), quantity(found.inputs, "input", "inputs"))
        }
        (all, shown) if found.inputs == 1 => format!("The first {} of {} findings.", thousands(shown), thousands(all)),
        (all, shown) => format!("{} of {} findings: the first of each input.", thousands(shown), thousands(all)),
    };
    let mut about =
        vec![("What it means", prose(rule.what)), ("Why it matters", prose(rule.why)), ("How to fix", prose(rule.fix))];
    about.push(("Source", prose(rule.source)));
    about.retain(|(_, text)| !text.is_empty());
    RuleView {
        id,
        code: rule.code,
        name: rule.name,
        severity: severity.as_str(),
        family: rule.code.family().letters(),
        findings: found.findings,
        findings_text: thousands(found.findings),
        records: found.records,
        records_text: thousands(found.records),
        rate_text: grouped(&rate),
        rate,
        summary: parts(rule.summary),
        about,
        intro,
        table: Some(Table::of(rule.code.family()).file_name()),
        table_intro,
        cards: examples.iter().map(|example| card(example, summary, prefix)).collect(),
    }
}

/// A decimal number with thousands separators.
fn grouped(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, fraction)) => whole.parse().map_or(number.to_owned(), |whole| format!("{}.{fraction}", thousands(whole))),
        None => number.to_owned(),
    }
}

/// Splits text into paragraphs and marks the text between backticks as code.
fn prose(text: &str) -> Vec<Vec<Part<'_>>> {
    text.split("\n\n").map(parts).filter(|parts| !parts.is_empty()).collect()
}

/// The card of a finding as HTML.
fn card(example: &Example, summary: &RunSummary, prefix: &str) -> String {
    // Writing to a string cannot fail.
    Card::new(example, summary, prefix).render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::format::trend::NightTotals;

    #[test]
    fn clean_nights_are_counted_back_to_the_last_finding() {
        let night = |day: i8, error| NightTotals {
            date: Date::constant(2026, 11, day),
            findings: SeverityCounts { error, ..SeverityCounts::default() },
            records: 1,
        };
        let since = |nights: &[NightTotals]| clean_since(&Trend { nights: nights.to_vec(), date: Date::constant(2026, 11, 9) });
        assert_eq!(since(&[]), None);
        assert_eq!(since(&[night(1, 0), night(2, 1)]), None);
        assert_eq!(since(&[night(1, 0), night(2, 1), night(3, 0), night(4, 0)]), Some((Date::constant(2026, 11, 3), false)));
        assert_eq!(since(&[night(1, 0), night(2, 0)]), Some((Date::constant(2026, 11, 1), true)));
    }

    #[test]
    fn script_hash_is_up_to_date() {
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"), "update SCRIPT_HASH");
        assert!(!SCRIPT.contains("</"), "the script must not close its element");
    }

    #[test]
    fn prose_has_paragraphs() {
        assert_eq!(prose("one\n\ntwo").len(), 2);
    }
}
