//! The page as its templates see it.

use std::{collections::BTreeMap, fmt::Display};

use askama::Template;

use super::{
    Page, Rank,
    board::{self, Board, Man},
    example::{Example, shown},
};
use crate::{
    pipeline::{Failure, InputSummary, RuleSummary, RunSummary, SeverityCounts},
    report::{
        Asked, AskedLimits, AskedRange, Table,
        humanize::{found, read, verdict},
        writer::per_million,
    },
    rules::{Code, Family, Profile, RULES, Rule, Severity, rule},
    text::wording::{quantity, thousands},
};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// Of [`SCRIPT`], so that no other script is run.
const SCRIPT_HASH: &str = "sha256-kxnQLiGYwBT1Xetud4CuuO7v9ZzqlKPP18zMpM03xhI=";

/// So many bars has a chart.
const MAX_BARS: usize = 12;

/// A bar and its label take so many pixels.
const BAR_HEIGHT: usize = 38;

/// The name of an input is cut to so many characters in a chart.
const MAX_BAR_LABEL: usize = 44;

/// So many findings are shown in all, unless more were asked for: each takes about a kilobyte.
const MAX_EXAMPLES: usize = 3000;

/// With so many findings of each rule at most the page is kept small; who asks for more gets more.
const DEFAULT_ROWS: usize = 50;

#[derive(Template)]
#[template(path = "report.html", config = "src/report/page/askama.toml")]
pub(super) struct ReportPage {
    style: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: &'static str,
    men: Vec<Man>,
    dark_squares: String,
    edge: Vec<(String, String, char)>,
    verdict: String,
    tone: &'static str,
    tiles: Vec<Tile>,
    examined: Vec<(&'static str, String)>,
    failures: Vec<FailureView>,
    untold_failures: u64,
    charts: Vec<Chart>,
    severities: Vec<&'static str>,
    families: Vec<Family>,
    inputs: Vec<InputView>,
    rules_said: String,
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
    from: String,
    width: String,
}

/// A piece of prose.
struct Part<'a> {
    code: bool,
    text: &'a str,
}

/// A piece of a message.
struct MessagePart {
    code: bool,
    text: String,
}

struct RuleView {
    code: Code,
    name: &'static str,
    severity: &'static str,
    family: &'static str,
    /// The findings in each of the inputs that can be chosen: `0:12 3:1`.
    inputs: String,
    /// The severities that findings have, each once.
    severities: String,
    findings: u64,
    findings_said: String,
    records: u64,
    records_said: String,
    rate: String,
    rate_said: String,
    summary: Vec<Part<'static>>,
    about: Vec<(&'static str, Vec<Vec<Part<'static>>>)>,
    said: String,
    table: Option<&'static str>,
    table_said: &'static str,
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
    place: Vec<String>,
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
}

/// A name and its value.
struct Pair {
    class: &'static str,
    name: &'static str,
    value: String,
    note: &'static str,
}

impl ReportPage {
    pub fn new(page: Page, asked: &Asked, summary: &RunSummary) -> ReportPage {
        let findings = summary.findings;
        let order: BTreeMap<u64, i64> = page.inputs.keys().map(|(_, ordinal)| *ordinal).zip(0..).collect();
        let inputs: Vec<&InputSummary> = page.inputs.values().collect();
        let rows = match summary.rules.len() {
            broken if page.rows <= DEFAULT_ROWS => page.rows.min(MAX_EXAMPLES / broken.max(1)),
            _ => page.rows,
        };
        let charts = vec![rule_chart(summary), input_chart(&inputs, page.inputs_with_findings)];
        let table_said = if asked.max_rows.is_some() { "More are in" } else { "All are in" };
        let mut examples = page.examples;
        let view = |(rule, broken): (&'static Rule, &RuleSummary)| {
            let mut kept: Vec<(Rank, Example)> = examples.remove(&rule.code).unwrap_or_default().into_iter().take(rows).collect();
            kept.sort_by_key(|((known, severity, ordinal, input), _)| (*known, *severity, *input, *ordinal));
            let kept = kept.into_iter().map(|(_, example)| example).collect();
            rule_view(rule, broken, summary, kept, &order, &inputs, table_said)
        };
        let rules: Vec<RuleView> = worst_first(summary).into_iter().map(view).collect();
        ReportPage {
            style: STYLE,
            script: SCRIPT,
            script_hash: SCRIPT_HASH,
            version: env!("CARGO_PKG_VERSION"),
            men: board::men(),
            dark_squares: board::dark_squares(),
            edge: board::edge(),
            verdict: verdict(summary),
            tone: tone(summary),
            tiles: tiles(summary),
            examined: examined(asked, summary),
            untold_failures: summary.failures.saturating_sub(page.failures.len() as u64),
            failures: page.failures.iter().map(FailureView::from).collect(),
            charts,
            severities: Severity::ALL
                .into_iter()
                .filter(|severity| findings_of(findings, *severity) > 0)
                .map(Severity::as_str)
                .collect(),
            families: Family::ALL
                .into_iter()
                .filter(|family| summary.rules.keys().any(|code| code.family() == *family))
                .collect(),
            inputs: inputs.iter().map(|input| InputView { name: shown(&input.name) }).collect(),
            rules_said: rules_said(summary),
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

/// The rules that were broken, the worst first, then those broken most.
fn worst_first(summary: &RunSummary) -> Vec<(&'static Rule, &RuleSummary)> {
    let mut broken: Vec<(&'static Rule, &RuleSummary)> =
        summary.rules.iter().filter_map(|(code, broken)| Some((rule(*code)?, broken))).collect();
    broken.sort_by(|(a, one), (b, other)| (other.severity, other.findings, a.code).cmp(&(one.severity, one.findings, b.code)));
    broken
}

/// How the run came out, as a colour.
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
    tiles.push(plain("with findings", summary.records_with_findings));
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

/// What was read, and what was not, with reasons.
fn examined(asked: &Asked, summary: &RunSummary) -> Vec<(&'static str, String)> {
    let counts = summary.counts;
    let mut said = vec![("Read", read(summary))];
    if summary.known.total() > 0 {
        said.push(("Known", format!("{} of them, by the baseline; these come last below", found(summary.known))));
    }
    if counts.plies_not_examined > 0 {
        let plies = quantity(counts.plies_not_examined, "ply was", "plies were");
        said.push((
            "Not replayed",
            format!(
                "{plies} read but not replayed: behind a move that cannot be played, or in a game whose start position or variant \
                 cannot be played from"
            ),
        ));
    }
    if summary.failures > 0 {
        let failures = quantity(summary.failures, "failure", "failures");
        said.push(("Not audited", format!("{failures} of the audit itself, told below: nothing is known of what stands there")));
    }
    said.push(("Asked", asked_said(asked)));
    if counts.positions > 0 && asked.perft_depth > 0 {
        let plies = quantity(u64::from(asked.perft_depth), "ply", "plies");
        said.push(("Not counted", format!("leaf nodes at depths of more than {plies}")));
    }
    for exception in &asked.except {
        let words = |words: &[String]| words.iter().map(|word| shown(word)).collect::<Vec<_>>().join(", ");
        let (rules, paths) = (words(&exception.rules), words(&exception.paths));
        let reason = if exception.reason.is_empty() { String::new() } else { format!(": {}", shown(&exception.reason)) };
        said.push(("Left out", format!("{rules} for {paths}{reason}")));
    }
    if let Some(rows) = asked.max_rows {
        said.push((
            "Not listed",
            format!("findings in the tables beyond the first {} of a rule and input; all are counted", thousands(rows)),
        ));
    }
    said
}

fn asked_said(asked: &Asked) -> String {
    let what = match asked.profile {
        Profile::Standard => "errors and warnings; infos were not asked for",
        Profile::Strict => "errors, warnings and infos",
        Profile::Export => "errors, warnings, infos, and the layout of PGN export format",
        Profile::Problem => "errors and warnings of composed positions: not what a game can reach",
    };
    let words = |words: &[String]| words.iter().map(|word| shown(word)).collect::<Vec<_>>().join(", ");
    let mut text = if asked.select.is_empty() {
        format!("profile {}: {what}", asked.profile)
    } else {
        format!("only {}", words(&asked.select))
    };
    if !asked.ignore.is_empty() {
        text.push_str(&format!("; {} left out", words(&asked.ignore)));
    }
    let limits = &asked.limits;
    let usual = AskedLimits::default();
    if limits.elo != usual.elo {
        text.push_str(&format!("; ratings {}", range_said(&limits.elo)));
    }
    if limits.dates != usual.dates {
        text.push_str(&format!("; dates {}", range_said(&limits.dates)));
    }
    if let Some(day) = &limits.as_of {
        text.push_str(&format!("; as of {day}"));
    }
    if asked.chess960 {
        text.push_str("; every record read as Chess960");
    }
    if asked.exhaustive {
        text.push_str("; every position that a game reaches was asked about");
    }
    text
}

/// A range, in words.
fn range_said<T: Display>(range: &AskedRange<T>) -> String {
    match (&range.from, &range.to) {
        (Some(from), Some(to)) => format!("from {from} to {to}"),
        (Some(from), None) => format!("from {from}"),
        (None, Some(to)) => format!("to {to}"),
        (None, None) => "of all sizes".to_owned(),
    }
}

fn rules_said(summary: &RunSummary) -> String {
    let broken = summary.rules.len() as u64;
    let were = if broken == 1 { "was" } else { "were" };
    format!(
        "{} of {} {were} broken; the others found nothing, or were not asked",
        thousands(broken),
        quantity(RULES.len() as u64, "rule", "rules")
    )
}

impl From<&Failure> for FailureView {
    fn from(failure: &Failure) -> FailureView {
        FailureView { input: shown(&failure.input), byte: failure.byte, message: shown(&failure.message) }
    }
}

fn rule_chart(summary: &RunSummary) -> Chart {
    let mut broken = worst_first(summary);
    broken.sort_by_key(|(rule, broken)| (std::cmp::Reverse(broken.findings), rule.code));
    let most = broken.first().map_or(1, |(_, broken)| broken.findings);
    let rows = broken.iter().take(MAX_BARS).map(|(rule, broken)| {
        let parts = Severity::ALL.map(|severity| (severity, findings_of(broken.by_severity, severity))).to_vec();
        (Some(rule.code.to_string()), format!("{} {}", rule.code, rule.name), broken.findings, parts)
    });
    let more = broken.len().saturating_sub(MAX_BARS) as u64;
    let more = (more > 0).then(|| format!("and {} in the table below", quantity(more, "more rule", "more rules")));
    chart("h-by-rule", "Findings by rule", most, rows, more)
}

fn input_chart(inputs: &[&InputSummary], with_findings: u64) -> Chart {
    let most = inputs.first().map_or(1, |input| input.findings.total());
    let rows = inputs.iter().take(MAX_BARS).map(|input| {
        let parts = Severity::ALL.map(|severity| (severity, findings_of(input.findings, severity)));
        (None, tail(&shown(&input.name)), input.findings.total(), parts.to_vec())
    });
    let more = with_findings.saturating_sub(inputs.len().min(MAX_BARS) as u64);
    let more = (more > 0).then(|| format!("and {}, see inputs.csv", quantity(more, "more input", "more inputs")));
    chart("h-by-input", "Findings by input", most, rows, more)
}

/// The end of a long name: that is where names differ.
fn tail(name: &str) -> String {
    let count = name.chars().count();
    if count <= MAX_BAR_LABEL {
        return name.to_owned();
    }
    let end: String = name.chars().skip(count + 1 - MAX_BAR_LABEL).collect();
    format!("…{end}")
}

type Row = (Option<String>, String, u64, Vec<(Severity, u64)>);

fn chart(id: &'static str, title: &'static str, most: u64, rows: impl Iterator<Item = Row>, more: Option<String>) -> Chart {
    let bars: Vec<Bar> = rows
        .enumerate()
        .map(|(index, (href, label, total, parts))| {
            let mut from = 0;
            let mut drawn = Vec::new();
            for (severity, findings) in parts.into_iter().filter(|(_, findings)| *findings > 0) {
                drawn.push(BarPart { class: severity.as_str(), from: percent(from, most), width: percent(findings, most) });
                from += findings;
            }
            Bar { href, label, total: thousands(total), y: index * BAR_HEIGHT, parts: drawn }
        })
        .collect();
    Chart { id, title, height: bars.len() * BAR_HEIGHT, bars, more }
}

/// To two decimals, without floating point, so that it is the same everywhere.
fn percent(part: u64, whole: u64) -> String {
    let hundredths = u128::from(part) * 10_000 / u128::from(whole.max(1));
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn rule_view(
    rule: &'static Rule,
    broken: &RuleSummary,
    summary: &RunSummary,
    examples: Vec<Example>,
    order: &BTreeMap<u64, i64>,
    inputs: &[&InputSummary],
    table_said: &'static str,
) -> RuleView {
    let in_inputs: Vec<String> = inputs
        .iter()
        .enumerate()
        .filter_map(|(index, input)| Some(format!("{index}:{}", input.rules.get(&rule.code)?)))
        .collect();
    let rate = per_million(broken.findings, summary.counts.records());
    let shown = examples.len() as u64;
    let said = match (broken.findings, shown) {
        (_, 0) => "No finding is shown here.".to_owned(),
        (all, shown) if shown >= all => {
            format!("{} in {}.", quantity(all, "finding", "findings"), quantity(broken.inputs, "input", "inputs"))
        }
        (all, shown) if broken.inputs == 1 => format!("The first {} of {} findings.", thousands(shown), thousands(all)),
        (all, shown) => format!("{} of {} findings: the first ones of every input.", thousands(shown), thousands(all)),
    };
    let of_each = |severity| (severity, findings_of(broken.by_severity, severity));
    let severities: Vec<Severity> = Severity::ALL.map(of_each).into_iter().filter(|(_, n)| *n > 0).map(|(s, _)| s).collect();
    let said = if severities.len() > 1 { format!("{} In all {}.", said, found(broken.by_severity)) } else { said };
    let mut about = vec![("Meaning", prose(rule.what)), ("Why it matters", prose(rule.why)), ("What to do", prose(rule.fix))];
    about.push(("Source", prose(rule.source)));
    about.retain(|(_, text)| !text.is_empty());
    RuleView {
        code: rule.code,
        name: rule.name,
        severity: broken.severity.as_str(),
        family: rule.code.family().letters(),
        inputs: in_inputs.join(" "),
        severities: severities.into_iter().map(Severity::as_str).collect::<Vec<_>>().join(" "),
        findings: broken.findings,
        findings_said: thousands(broken.findings),
        records: broken.records,
        records_said: thousands(broken.records),
        rate_said: grouped(&rate),
        rate,
        summary: parts(rule.summary),
        about,
        said,
        table: Table::of(rule.code.family()).map(Table::file_name),
        table_said,
        examples: examples.into_iter().map(|example| example_view(example, order)).collect(),
    }
}

/// A decimal fraction with its digits in groups.
fn grouped(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, fraction)) => whole.parse().map_or(number.to_owned(), |whole| format!("{}.{fraction}", thousands(whole))),
        None => number.to_owned(),
    }
}

/// Paragraphs, with what stands between backticks as code.
fn prose(text: &str) -> Vec<Vec<Part<'_>>> {
    text.split("\n\n").map(parts).filter(|parts| !parts.is_empty()).collect()
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let parts = text.trim().split('`').enumerate().map(|(index, text)| Part { code: index % 2 == 1, text });
    parts.filter(|part| !part.text.is_empty()).collect()
}

fn example_view(example: Example, order: &BTreeMap<u64, i64>) -> ExampleView {
    let record = match example.game {
        0 => "The input as a whole".to_owned(),
        game => format!("Record {}", thousands(game)),
    };
    let mut place = Vec::new();
    if example.game > 0 && !example.label.is_empty() {
        place.push(format!("record {}", thousands(example.game)));
    }
    place.extend(example.ply.map(|ply| format!("ply {ply}")));
    if example.known {
        place.push("known, by the baseline".to_owned());
    }
    if !example.variation.is_empty() {
        place.push(format!("in a variation from ply {}", example.variation));
    }
    place.extend(example.cause.and_then(rule).map(|cause| format!("see {} {}", cause.code, cause.name)));
    let mut pairs = Vec::new();
    if !example.found.is_empty() {
        pairs.push(Pair { class: "found", name: "Found", value: example.found, note: "" });
    }
    if !example.expected.is_empty() {
        let (class, name, note) = match example.repair {
            Some(repair) => ("repair", "Suggested repair", repair.as_str()),
            None => ("expected", "Expected", ""),
        };
        pairs.push(Pair { class, name, value: example.expected, note });
    }
    let analysis = example.drawing.is_some().then(|| analysis(&example.fen));
    ExampleView {
        input_index: order.get(&example.input).copied().unwrap_or(-1),
        input: example.input_name,
        severity: example.severity.as_str(),
        line: example.line,
        column: example.column,
        label: example.label,
        record,
        place,
        message: message_parts(&example.message),
        has_context: example.has_context,
        before: example.before,
        marked: example.marked,
        after: example.after,
        pairs,
        fen: example.fen,
        site: example.site,
        analysis,
        board: example.drawing.as_ref().map(Board::from),
    }
}

/// A message, with what stands between backticks as code; as it stands where they do not come in pairs.
fn message_parts(message: &str) -> Vec<MessagePart> {
    let of = |Part { code, text }: Part<'_>| MessagePart { code, text: text.to_owned() };
    if message.matches('`').count().is_multiple_of(2) {
        parts(message).into_iter().map(of).collect()
    } else {
        vec![MessagePart { code: false, text: message.to_owned() }]
    }
}

/// The address of an analysis board; what a FEN cannot hold is percent-encoded.
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
    fn analysis_boards_have_addresses() {
        assert_eq!(analysis("8/8 w - e3"), "https://lichess.org/analysis/8/8_w_-_e3");
        assert_eq!(analysis("\"><é"), "https://lichess.org/analysis/%22%3E%3C%C3%A9");
    }

    #[test]
    fn names_are_cut_at_the_front() {
        assert_eq!(tail("a.pgn"), "a.pgn");
        let cut = tail(&format!("{}/a.pgn", "x".repeat(100)));
        assert!(cut.starts_with('…') && cut.ends_with("x/a.pgn") && cut.chars().count() == MAX_BAR_LABEL);
    }

    #[test]
    fn no_other_script_is_run() {
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"), "the script has changed");
        assert!(!SCRIPT.contains("</"), "it cannot end the element that it stands in");
    }

    #[test]
    fn bars_fill_what_they_should() {
        assert_eq!(
            [percent(0, 7), percent(7, 7), percent(1, 3), percent(u64::MAX, u64::MAX)],
            ["0.00", "100.00", "33.33", "100.00"]
        );
    }

    #[test]
    fn backticks_enclose_code() {
        let read: Vec<(bool, &str)> = parts("a `b` c").iter().map(|part| (part.code, part.text)).collect();
        assert_eq!(read, [(false, "a "), (true, "b"), (false, " c")]);
        assert_eq!(prose("one\n\ntwo").len(), 2);
    }
}
