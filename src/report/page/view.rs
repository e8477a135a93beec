//! The data of the templates.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
};

use askama::Template;

use super::{
    Page, Rank,
    board::{self, Board, PieceOutline},
    example::{Example, PairBoard, shown},
    trend::{self, TrendLine},
};
use crate::{
    pipeline::{CopySummary, Failure, InputSummary, RuleSummary, RunSummary, SeverityCounts},
    report::{
        RunLimits, RunRange, RunSettings, Table,
        humanize::{describe_findings, describe_records, describe_settings_file, describe_skipped, headline},
        writer::per_million,
    },
    rules::{Code, Family, Keep, Partner, Profile, RULES, Rule, Severity, rule},
    text::wording::{quantity, thousands},
};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// The hash of [`SCRIPT`], for the content security policy.
const SCRIPT_HASH: &str = "sha256-hnyV+BDck8Zl54zzrpfomxEBNax3iAbvMHeqXa/ip0U=";

/// Maximum number of bars in a chart.
const MAX_BARS: usize = 12;

/// Height of a bar with its label, in pixels.
const BAR_HEIGHT: usize = 38;

/// Maximum length of the name of an input in a chart, in characters.
const MAX_BAR_LABEL: usize = 44;

/// Maximum number of findings on the page, unless `--html-rows` is higher than its default. Each
/// takes about a kilobyte.
const MAX_EXAMPLES: usize = 3000;

/// The default of `--html-rows`.
const DEFAULT_ROWS: usize = 50;

#[derive(Template)]
#[template(path = "report.html", config = "src/report/page/askama.toml")]
pub(super) struct ReportPage {
    style: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: &'static str,
    pieces: Vec<PieceOutline>,
    dark_squares: String,
    labels: Vec<(String, String, char)>,
    headline: String,
    tone: &'static str,
    tiles: Vec<Tile>,
    trend: Vec<TrendLine>,
    scope: Vec<(&'static str, String)>,
    failures: Vec<FailureView>,
    more_failures: u64,
    charts: Vec<Chart>,
    severities: Vec<&'static str>,
    families: Vec<Family>,
    inputs: Vec<InputView>,
    rules_status: String,
    rules: Vec<RuleView>,
}

struct Tile {
    name: &'static str,
    value: String,
    tone: &'static str,
}

struct FailureView {
    input: String,
    byte: Option<u64>,
    message: String,
}

struct InputView {
    name: String,
}

struct Chart {
    id: &'static str,
    title: &'static str,
    height: usize,
    bars: Vec<Bar>,
    more: Option<String>,
}

struct Bar {
    href: Option<String>,
    label: String,
    total: String,
    y: usize,
    parts: Vec<BarPart>,
}

struct BarPart {
    class: &'static str,
    start: String,
    width: String,
}

/// A part of a text, in a code font or not.
struct Part<'a> {
    is_code: bool,
    text: &'a str,
}

/// A part of a message, in a code font or not.
struct MessagePart {
    is_code: bool,
    text: String,
}

struct RuleView {
    id: String,
    code: Code,
    name: &'static str,
    severity: &'static str,
    family: &'static str,
    /// Number of findings by index of the input in the filter: `0:12 3:1`.
    inputs: String,
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
    examples: Vec<ExampleView>,
}

struct ExampleView {
    input_index: i64,
    input: String,
    severity: &'static str,
    line: u64,
    column: u64,
    label: String,
    record: String,
    location: Vec<String>,
    message: Vec<MessagePart>,
    has_context: bool,
    before: String,
    marked: String,
    after: String,
    pairs: Vec<Pair>,
    fen: String,
    site: Option<String>,
    analysis: Option<String>,
    board: Option<Board>,
    /// Boards of the two records that the finding is about.
    pair: Vec<PairBoardView>,
    /// The other record, if the finding is about two.
    other: Option<OtherView>,
}

/// One of two records with its board.
struct PairBoardView {
    title: String,
    board: Board,
    /// What its header or line says, and whether the other record differs in it.
    values: Vec<(String, bool)>,
    analysis: String,
}

/// Both boards of a pair.
fn pair_view([own, other]: [PairBoard; 2]) -> Vec<PairBoardView> {
    let differ: Vec<bool> = own.values.iter().zip(&other.values).map(|(own, other)| own != other).collect();
    let view = |PairBoard { title, fen, values, diagram }: PairBoard| PairBoardView {
        title,
        board: Board::from(&diagram),
        values: values.into_iter().zip(differ.iter().copied()).filter(|(value, _)| !value.is_empty()).collect(),
        analysis: analysis(&fen),
    };
    [own, other].map(view).into()
}

/// The other record of a finding.
struct OtherView {
    place: String,
    /// Why one of the two is kept.
    kept: String,
    differences: Vec<(String, String, String)>,
}

impl From<Partner> for OtherView {
    fn from(partner: Partner) -> OtherView {
        let Partner { input, game, line, keep, reason, differences, .. } = partner;
        let kept = match keep {
            Some(Keep::No) => format!("The other one is kept: {reason}."),
            Some(Keep::Check) => "Check which of them is right.".to_owned(),
            None => String::new(),
        };
        OtherView { place: format!("{input}:{line}, record {}", thousands(game)), kept, differences }
    }
}

/// A name and its value.
struct Pair {
    class: &'static str,
    name: &'static str,
    value: String,
    note: &'static str,
}

impl ReportPage {
    pub fn new(page: Page, settings: &RunSettings, summary: &RunSummary) -> ReportPage {
        let findings = summary.findings;
        let order: BTreeMap<u64, i64> = page.inputs.keys().map(|(_, ordinal)| *ordinal).zip(0..).collect();
        let inputs: Vec<&InputSummary> = page.inputs.values().collect();
        let rows = match summary.rules.len() {
            rules if page.rows <= DEFAULT_ROWS => page.rows.min(MAX_EXAMPLES / rules.max(1)),
            _ => page.rows,
        };
        let overlap = summary.copies.as_ref().filter(|copies| !copies.overlap.is_empty()).map(overlap_chart);
        let charts = [rule_chart(summary), input_chart(&inputs, page.inputs_with_findings)];
        let charts = charts.into_iter().chain(overlap).collect();
        let table_intro = if settings.max_rows.is_some() { "More are in" } else { "All are in" };
        let trend = trend::lines(page.trend.as_ref(), summary);
        let mut examples = page.examples;
        let mut codes = BTreeSet::new();
        let view = |(code, severity, found): (Code, Severity, &RuleSummary)| {
            let rule = rule(code)?;
            let kept = examples.remove(&(code, severity)).unwrap_or_default();
            let mut kept: Vec<(Rank, Example)> = kept.into_iter().take(rows).collect();
            kept.sort_by_key(|((known, ordinal, input), _)| (*known, *input, *ordinal));
            let kept = kept.into_iter().map(|(_, example)| example).collect();
            // Links to a rule lead to its highest severity, which comes first.
            let id = if codes.insert(code) { code.to_string() } else { format!("{code}-{severity}") };
            Some(rule_view(id, (rule, severity), found, summary, kept, &order, &inputs, table_intro))
        };
        let rules: Vec<RuleView> = summary.by_severity().into_iter().filter_map(view).collect();
        ReportPage {
            style: STYLE,
            script: SCRIPT,
            script_hash: SCRIPT_HASH,
            version: env!("CARGO_PKG_VERSION"),
            pieces: board::piece_outlines(),
            dark_squares: board::dark_squares(),
            labels: board::labels(),
            headline: headline(summary),
            tone: tone(summary),
            tiles: tiles(summary),
            trend,
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
            inputs: inputs.iter().map(|input| InputView { name: shown(&input.name) }).collect(),
            rules_status: rules_status(summary),
            rules,
        }
    }
}

const fn findings_of(findings: SeverityCounts, severity: Severity) -> u64 {
    match severity {
        Severity::Error => findings.error,
        Severity::Warning => findings.warning,
        Severity::Info => findings.info,
    }
}

/// The CSS class of the headline.
fn tone(summary: &RunSummary) -> &'static str {
    if summary.failures > 0 {
        return Severity::Error.as_str();
    }
    let worst = Severity::ALL.into_iter().find(|severity| findings_of(summary.findings, *severity) > 0);
    worst.map_or(if summary.counts.records() == 0 { Severity::Warning.as_str() } else { "good" }, Severity::as_str)
}

fn tiles(summary: &RunSummary) -> Vec<Tile> {
    let counts = summary.counts;
    let plain = |name, number: u64| Tile { name, value: thousands(number), tone: "" };
    let mut tiles = Vec::new();
    if counts.games > 0 || counts.positions == 0 {
        tiles.push(plain("games", counts.games));
    }
    if counts.positions > 0 {
        tiles.push(plain("positions", counts.positions));
    }
    tiles.push(plain("records with findings", summary.records_with_findings));
    let names = [(Severity::Error, "errors"), (Severity::Warning, "warnings"), (Severity::Info, "infos")];
    for (severity, name) in names {
        let number = findings_of(summary.findings, severity);
        if number > 0 || severity > Severity::Info {
            let tone = if number > 0 { severity.as_str() } else { "" };
            tiles.push(Tile { name, value: thousands(number), tone });
        }
    }
    tiles
}

/// What was checked and what was not.
fn scope(settings: &RunSettings, summary: &RunSummary) -> Vec<(&'static str, String)> {
    let counts = summary.counts;
    let mut scope = vec![("Read", describe_records(summary))];
    if counts.plies_not_examined > 0 {
        let plies = quantity(counts.plies_not_examined, "ply", "plies");
        let reason = "after an illegal move, or in a game whose starting position or variant is not playable";
        scope.push(("Not replayed", format!("{plies}, {reason}")));
    }
    let consequences = counts.consequences.describe();
    if !consequences.is_empty() {
        scope.push(("Consequences", consequences.join("; ")));
    }
    if let Some(skipped) = describe_skipped(summary) {
        scope.push(("Skipped", skipped));
    }
    if summary.failures > 0 {
        let failures = quantity(summary.failures, "audit failure", "audit failures");
        scope.push(("Failures", format!("{failures}, listed below; the affected parts of the inputs were not checked")));
    }
    if let Some(file) = &settings.settings_file {
        scope.push(("Settings", shown(&describe_settings_file(file))));
    }
    scope.push(describe_rules(settings));
    let options = describe_options(settings);
    if !options.is_empty() {
        scope.push(("Options", options.join("; ")));
    }
    if counts.positions > 0 && settings.perft_depth > 0 {
        scope.push(("Perft", format!("counts checked up to depth {}", settings.perft_depth)));
    }
    for exception in &settings.except {
        let (rules, paths) = (list(&exception.rules), list(&exception.paths));
        let reason = if exception.reason.is_empty() { String::new() } else { format!(": {}", shown(&exception.reason)) };
        scope.push(("Exception", format!("{rules} did not run on {paths}{reason}")));
    }
    if summary.known.total() > 0 {
        scope.push(("Known", format!("{} in the baseline, listed after new findings", describe_findings(summary.known))));
    }
    if let Some(rows) = settings.max_rows {
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
    if settings.exhaustive {
        options.push("all positions of all games checked".to_owned());
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
    let mut rules: BTreeMap<Code, Vec<(Severity, u64)>> = BTreeMap::new();
    for (code, severity, found) in summary.by_rule() {
        rules.entry(code).or_default().push((severity, found.findings));
    }
    let total = |parts: &[(Severity, u64)]| parts.iter().map(|(_, findings)| findings).sum::<u64>();
    let mut rules: Vec<_> = rules.into_iter().filter_map(|(code, parts)| Some((rule(code)?, total(&parts), parts))).collect();
    rules.sort_by_key(|(rule, total, _)| (Reverse(*total), rule.code));
    let max = rules.first().map_or(1, |(_, total, _)| *total);
    let more = rules.len().saturating_sub(MAX_BARS);
    let more = (more > 0).then(|| format!("… and {} in the table below", quantity(more, "more rule", "more rules")));
    let rows = rules.into_iter().take(MAX_BARS);
    let rows =
        rows.map(|(rule, total, parts)| (Some(rule.code.to_string()), format!("{} {}", rule.code, rule.name), total, parts));
    chart("by-rule-heading", "Findings by rule", max, rows, more)
}

/// The pairs of inputs that share most games.
fn overlap_chart(copies: &CopySummary) -> Chart {
    let mut pairs: Vec<_> = copies.overlap.iter().collect();
    pairs.sort_by_key(|(names, games)| (Reverse(**games), *names));
    let max = pairs.first().map_or(1, |(_, games)| **games);
    let more = pairs.len().saturating_sub(MAX_BARS);
    let more = (more > 0).then(|| format!("… and {}, see overlap.csv", quantity(more, "more pair", "more pairs")));
    let rows = pairs.into_iter().take(MAX_BARS).map(|((one, other), games)| {
        let name = |name: &str| tail(&shown(name));
        (None, format!("{} and {}", name(one), name(other)), *games, vec![(Severity::Info, *games)])
    });
    chart("overlap-heading", "Games that two inputs share", max, rows, more)
}

fn input_chart(inputs: &[&InputSummary], with_findings: u64) -> Chart {
    let max = inputs.first().map_or(1, |input| input.findings.total());
    let rows = inputs.iter().take(MAX_BARS).map(|input| {
        let parts = Severity::ALL.map(|severity| (severity, findings_of(input.findings, severity)));
        (None, tail(&shown(&input.name)), input.findings.total(), parts.to_vec())
    });
    let more = with_findings.saturating_sub(inputs.len().min(MAX_BARS) as u64);
    let more = (more > 0).then(|| format!("… and {}, see inputs.csv", quantity(more, "more input", "more inputs")));
    chart("by-input-heading", "Findings by input", max, rows, more)
}

/// Truncates a long name at its start, because names usually differ at their end.
fn tail(name: &str) -> String {
    let count = name.chars().count();
    if count <= MAX_BAR_LABEL {
        return name.to_owned();
    }
    let end: String = name.chars().skip(count + 1 - MAX_BAR_LABEL).collect();
    format!("…{end}")
}

type Row = (Option<String>, String, u64, Vec<(Severity, u64)>);

fn chart(id: &'static str, title: &'static str, max: u64, rows: impl Iterator<Item = Row>, more: Option<String>) -> Chart {
    let bars: Vec<Bar> = rows
        .enumerate()
        .map(|(index, (href, label, total, parts))| {
            let mut start = 0;
            let mut bar_parts = Vec::new();
            for (severity, findings) in parts.into_iter().filter(|(_, findings)| *findings > 0) {
                bar_parts.push(BarPart { class: severity.as_str(), start: percent(start, max), width: percent(findings, max) });
                start += findings;
            }
            Bar { href, label, total: thousands(total), y: index * BAR_HEIGHT, parts: bar_parts }
        })
        .collect();
    Chart { id, title, height: bars.len() * BAR_HEIGHT, bars, more }
}

/// A percentage with two decimals. Integer arithmetic gives the same result on all machines.
fn percent(part: u64, whole: u64) -> String {
    let hundredths = u128::from(part) * 10_000 / u128::from(whole.max(1));
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[allow(clippy::too_many_arguments)]
fn rule_view(
    id: String,
    (rule, severity): (&'static Rule, Severity),
    found: &RuleSummary,
    summary: &RunSummary,
    examples: Vec<Example>,
    order: &BTreeMap<u64, i64>,
    inputs: &[&InputSummary],
    table_intro: &'static str,
) -> RuleView {
    let in_inputs: Vec<String> = inputs
        .iter()
        .enumerate()
        .filter_map(|(index, input)| Some(format!("{index}:{}", input.rules.get(&(rule.code, severity))?)))
        .collect();
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
        inputs: in_inputs.join(" "),
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
        examples: examples.into_iter().map(|example| example_view(example, summary, order)).collect(),
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

fn parts(text: &str) -> Vec<Part<'_>> {
    let parts = text.trim().split('`').enumerate().map(|(index, text)| Part { is_code: index % 2 == 1, text });
    parts.filter(|part| !part.text.is_empty()).collect()
}

fn example_view(example: Example, summary: &RunSummary, order: &BTreeMap<u64, i64>) -> ExampleView {
    let record = match example.game {
        0 => "Entire input".to_owned(),
        game => format!("Record {}", thousands(game)),
    };
    let mut location = Vec::new();
    if example.game > 0 && !example.label.is_empty() {
        location.push(format!("record {}", thousands(example.game)));
    }
    location.extend(example.ply.map(|ply| format!("ply {ply}")));
    if example.known {
        location.push("in the baseline".to_owned());
    }
    if !example.variation.is_empty() {
        location.push(format!("variation {}", example.variation));
    }
    location.extend(example.cause.and_then(rule).map(|cause| format!("see {} {}", cause.code, cause.name)));
    if let Some(fault) = summary.shared.get(&example.fingerprint).filter(|fault| fault.inputs > 1) {
        let times = quantity(fault.places, "time", "times");
        location.push(format!("{times} in {} inputs", thousands(fault.inputs)));
    }
    let mut pairs = Vec::new();
    if !example.found.is_empty() {
        pairs.push(Pair { class: "found", name: "Found", value: example.found, note: "" });
    }
    if !example.expected.is_empty() {
        let (class, name, note) = match example.certainty {
            Some(repair) => ("repair", "Suggested repair", repair.as_str()),
            None => ("expected", "Expected", ""),
        };
        pairs.push(Pair { class, name, value: example.expected, note });
    }
    let analysis = example.diagram.is_some().then(|| analysis(&example.fen));
    ExampleView {
        input_index: order.get(&example.input).copied().unwrap_or(-1),
        input: example.input_name,
        severity: example.severity.as_str(),
        line: example.line,
        column: example.column,
        label: example.label,
        record,
        location,
        message: message_parts(&example.message),
        has_context: example.has_context,
        before: example.before,
        marked: example.marked,
        after: example.after,
        pairs,
        fen: example.fen,
        site: example.site,
        analysis,
        board: example.diagram.as_ref().map(Board::from),
        pair: example.pair.map(pair_view).unwrap_or_default(),
        other: example.partner.map(OtherView::from),
    }
}

/// Marks the text between backticks as code, unless a backtick is unpaired.
fn message_parts(message: &str) -> Vec<MessagePart> {
    let owned = |Part { is_code, text }: Part<'_>| MessagePart { is_code, text: text.to_owned() };
    if message.matches('`').count().is_multiple_of(2) {
        parts(message).into_iter().map(owned).collect()
    } else {
        vec![MessagePart { is_code: false, text: message.to_owned() }]
    }
}

/// The address of an analysis board. Characters that are not part of a FEN are percent-encoded.
fn analysis(fen: &str) -> String {
    let mut address = "https://lichess.org/analysis/".to_owned();
    for byte in fen.bytes() {
        match byte {
            b' ' => address.push('_'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' => address.push(char::from(byte)),
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn analysis_addresses_are_percent_encoded() {
        assert_eq!(analysis("8/8 w - e3"), "https://lichess.org/analysis/8/8_w_-_e3");
        assert_eq!(analysis("\"><é"), "https://lichess.org/analysis/%22%3E%3C%C3%A9");
    }

    #[test]
    fn names_are_truncated_at_the_start() {
        assert_eq!(tail("a.pgn"), "a.pgn");
        let truncated = tail(&format!("{}/a.pgn", "x".repeat(100)));
        assert!(truncated.starts_with('…') && truncated.ends_with("x/a.pgn") && truncated.chars().count() == MAX_BAR_LABEL);
    }

    #[test]
    fn script_hash_is_up_to_date() {
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"), "update SCRIPT_HASH");
        assert!(!SCRIPT.contains("</"), "the script must not close its element");
    }

    #[test]
    fn percentages_are_exact() {
        assert_eq!(
            [percent(0, 7), percent(7, 7), percent(1, 3), percent(u64::MAX, u64::MAX)],
            ["0.00", "100.00", "33.33", "100.00"]
        );
    }

    #[test]
    fn text_between_backticks_is_code() {
        let read: Vec<(bool, &str)> = parts("a `b` c").iter().map(|part| (part.is_code, part.text)).collect();
        assert_eq!(read, [(false, "a "), (true, "b"), (false, " c")]);
        assert_eq!(prose("one\n\ntwo").len(), 2);
    }
}
