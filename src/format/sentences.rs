//! Sentences about a run, for the terminal and the HTML page.

use std::collections::BTreeMap;

use unit_prefix::NumberPrefix;

use crate::{
    format::RunSettingsFile,
    pipeline::{RunSummary, SeverityCounts},
    record::Counts,
    rules::{Need, Rule, rule},
    text::wording::{join_and, quantity, thousands},
};

/// Bytes in a suitable unit.
pub fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return quantity(bytes, "byte", "bytes");
    }
    match NumberPrefix::decimal(bytes as f64) {
        NumberPrefix::Standalone(bytes) => format!("{bytes:.0} B"),
        NumberPrefix::Prefixed(prefix, number) => format!("{number:.2} {prefix}B"),
    }
}

/// `1 error and 2 warnings`, or `none`.
pub fn describe_findings(findings: SeverityCounts) -> String {
    let counts =
        [(findings.error, "error", "errors"), (findings.warning, "warning", "warnings"), (findings.info, "info", "infos")];
    let parts: Vec<String> =
        counts.into_iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| quantity(count, one, many)).collect();
    if parts.is_empty() { "none".to_owned() } else { join_and(&parts) }
}

/// `3 games and 1 position (22 plies) in 2 inputs, 1.10 kB`.
pub fn describe_records(summary: &RunSummary) -> String {
    let counts = summary.counts;
    let mut records = Vec::new();
    if counts.games > 0 || counts.positions == 0 {
        records.push(quantity(counts.games, "game", "games"));
    }
    if counts.positions > 0 {
        records.push(quantity(counts.positions, "position", "positions"));
    }
    let plies = if counts.games > 0 || counts.plies > 0 {
        format!(" ({})", quantity(counts.plies, "ply", "plies"))
    } else {
        String::new()
    };
    format!("{}{plies} in {}, {}", join_and(&records), quantity(summary.inputs, "input", "inputs"), size(counts.bytes))
}

/// `1 input without chess and 2 files with other extensions`; `None` if everything was read.
pub fn describe_skipped(summary: &RunSummary) -> Option<String> {
    let skipped = summary.skipped;
    let counts = [
        (summary.not_chess, "input without chess", "inputs without chess"),
        (skipped.other_extension, "file with another extension", "files with other extensions"),
        (skipped.hidden, "hidden file or directory", "hidden files or directories"),
        (skipped.excluded, "excluded file or directory", "excluded files or directories"),
        (skipped.special, "pipe, socket or device", "pipes, sockets or devices"),
        (skipped.linked, "link to a directory", "links to directories"),
        (skipped.own, "file that chess-audit wrote", "files that chess-audit wrote"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<String> = counts.map(|(count, one, many)| quantity(count, one, many)).collect();
    (!parts.is_empty()).then(|| join_and(&parts))
}

/// `../chess-audit.toml (severity, exclude)`.
pub fn describe_settings_file(file: &RunSettingsFile) -> String {
    format!("{} ({})", file.path, file.settings.join(", "))
}

/// `tablebases about 40 positions (12 without a table)`; `None` if no oracle was asked.
pub fn describe_oracles(summary: &RunSummary) -> Option<String> {
    let asked = summary.counts.oracles;
    let engine = summary.engine.as_deref().unwrap_or("an engine");
    let oracles = [
        ("tablebases", asked.table_positions, asked.missing_tables, "a table"),
        (engine, asked.engine_questions, asked.unanswered, "an answer"),
    ];
    let described = oracles.into_iter().filter(|(_, asked, ..)| *asked > 0).map(|(oracle, asked, lacking, what)| {
        let lacking = if lacking > 0 { format!(" ({} without {what})", thousands(lacking)) } else { String::new() };
        format!("{oracle} about {}{lacking}", quantity(asked, "position", "positions"))
    });
    let described: Vec<String> = described.collect();
    (!described.is_empty()).then(|| join_and(&described))
}

/// The rules that did not run, and what they need: `TAG16 eco-mismatch (needs --eco FILE)`. `None`
/// if nothing is missing.
pub fn describe_not_run(summary: &RunSummary) -> Option<String> {
    let mut rules: BTreeMap<&[Need], Vec<&Rule>> = BTreeMap::new();
    // These run only if the user wants them, so nothing is missing without them.
    let unasked = [Need::Duplicates, Need::Expectations, Need::HouseRules];
    let is_asked = |rule: &&Rule| !rule.needs.iter().any(|need| unasked.contains(need));
    for rule in summary.not_run.iter().filter_map(|code| rule(*code)).filter(is_asked) {
        rules.entry(rule.needs).or_default().push(rule);
    }
    let describe = |(needs, rules): (&[Need], Vec<&Rule>)| {
        let options = join_and(&needs.iter().map(|need| need.option()).collect::<Vec<_>>());
        match rules.as_slice() {
            [rule] => format!("{} {} (needs {options})", rule.code, rule.name),
            rules => {
                let mut families: Vec<&str> = rules.iter().map(|rule| rule.code.family().letters()).collect();
                families.dedup();
                format!("{} {} rules (need {options})", rules.len(), join_and(&families))
            }
        }
    };
    // Whoever gives what they need wants to know why nothing is asked.
    let hidden: Vec<&Rule> = summary.hidden.iter().filter_map(|code| rule(*code)).collect();
    let hidden = match hidden.as_slice() {
        [] => None,
        [rule] => Some(format!("{} {} (needs --profile strict)", rule.code, rule.name)),
        rules => {
            let codes: Vec<String> = rules.iter().map(|rule| rule.code.to_string()).collect();
            Some(format!("{} (need --profile strict)", join_and(&codes)))
        }
    };
    let parts: Vec<String> = rules.into_iter().map(describe).chain(hidden).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What `clean` would do with the inputs of a run: `2 certain repairs, 3 copies out, records with
/// errors aside`. `None` if nothing.
pub fn describe_cleaning(summary: &RunSummary) -> Option<String> {
    let copies = summary.copies.as_ref().map_or(0, |copies| copies.copies);
    let parts = [
        (summary.repairs.certain > 0).then(|| quantity(summary.repairs.certain, "certain repair", "certain repairs")),
        (copies > 0).then(|| quantity(copies, "copy out", "copies out")),
        (summary.findings.error > 0).then(|| "records with errors aside".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// `2 copies contradict others and wait for a decision`; `None` if none does.
pub fn describe_undecided(summary: &RunSummary) -> Option<String> {
    let to_check = summary.copies.as_ref().map_or(0, |copies| copies.to_check);
    let copies = |one, many| quantity(to_check, one, many);
    let text = copies("copy contradicts another one and waits", "copies contradict others and wait");
    (to_check > 0).then(|| format!("{text} for a decision"))
}

/// The result of a run in one sentence, without a full stop.
pub fn headline(summary: &RunSummary) -> String {
    let records = summary.counts.records();
    let text = if summary.findings.total() > 0 {
        let with_findings = thousands(summary.records_with_findings);
        format!("{} in {with_findings} of {}", describe_findings(summary.findings), quantity(records, "record", "records"))
    } else if records == 0 {
        "No records found".to_owned()
    } else {
        format!("No findings in {}", quantity(records, "record", "records"))
    };
    if summary.failures == 0 {
        return text;
    }
    let lowercase = text.replacen("No ", "no ", 1);
    format!("The audit is incomplete: {lowercase}")
}

/// Where the tables of a comparison are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TablesAt<'p> {
    /// Nowhere yet: `compare --output` writes them.
    Option,
    /// In this directory.
    Directory(&'p str),
}

impl TablesAt<'_> {
    /// Says where the other rows of a list are; empty if there are none.
    pub fn more(self, more: u64, file: &str) -> String {
        match (more, self) {
            (0, _) => String::new(),
            (_, TablesAt::Option) => format!("... and {} more, in {file} of `compare --output`\n", thousands(more)),
            (_, TablesAt::Directory(at)) => format!("... and {} more, in {at}/{file}\n", thousands(more)),
        }
    }
}

/// The plies that were not replayed, and why. `None` if all were.
pub fn describe_not_replayed(summary: &RunSummary) -> Option<String> {
    let Counts { plies_not_examined, unsupported, .. } = summary.counts;
    let plies = |number: u64| quantity(number, "ply", "plies");
    let after_faults = plies_not_examined.saturating_sub(unsupported.plies);
    let of_faults = (after_faults > 0).then(|| format!("{} after a fault", plies(after_faults)));
    let of_variants = (unsupported.plies > 0).then(|| {
        let games = quantity(unsupported.games, "game", "games");
        let variants = if unsupported.games == 1 { "a variant that is" } else { "variants that are" };
        format!("{} in {games} of {variants} not replayed", plies(unsupported.plies))
    });
    let parts: Vec<String> = of_faults.into_iter().chain(of_variants).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Findings per million records with one decimal, rounded half up. Integer arithmetic gives the
/// same result on all machines.
pub fn per_million(findings: u64, records: u64) -> String {
    if records == 0 || findings == 0 {
        return "0.0".to_owned();
    }
    let records = u128::from(records);
    let tenths = (u128::from(findings) * 20_000_000 + records) / (2 * records);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!([size(1), size(1_500_000)], ["1 byte", "1.50 MB"]);
    }

    #[test]
    fn plies_are_omitted_for_positions() {
        let mut summary = RunSummary { inputs: 1, ..RunSummary::default() };
        assert_eq!(describe_records(&summary), "0 games in 1 input, 0 bytes");
        summary.counts.positions = 2;
        assert_eq!(describe_records(&summary), "2 positions in 1 input, 0 bytes");
        summary.counts.games = 1;
        assert_eq!(describe_records(&summary), "1 game and 2 positions (0 plies) in 1 input, 0 bytes");
    }

    #[test]
    fn what_was_skipped_is_counted() {
        let mut summary = RunSummary { not_chess: 1, ..RunSummary::default() };
        summary.skipped.excluded = 2;
        let text = "1 input without chess and 2 excluded files or directories";
        assert_eq!(describe_skipped(&summary).as_deref(), Some(text));
        assert_eq!(describe_skipped(&RunSummary::default()), None);
    }

    #[test]
    fn rules_that_did_not_run_are_named_with_what_they_need() {
        let code = |text: &str| text.parse().expect("a code");
        let described = |not_run: &[&str], hidden: &[&str]| {
            let [not_run, hidden] = [not_run, hidden].map(|codes| codes.iter().map(|text| code(text)).collect());
            describe_not_run(&RunSummary { not_run, hidden, ..RunSummary::default() }).unwrap_or_default()
        };
        assert_eq!(described(&[], &[]), "");
        assert_eq!(
            described(&["TRU12"], &["TRU03"]),
            "TRU12 shorter-mate (needs --engine COMMAND), TRU03 draw-in-won-position (needs --profile strict)"
        );
        assert_eq!(
            described(&["TRU01", "TRU02"], &["TRU11", "TRU13", "TRU14"]),
            "2 TRU rules (need --syzygy DIR), TRU11, TRU13 and TRU14 (need --profile strict)"
        );
    }

    #[test]
    fn failures_are_part_of_the_headline() {
        let failed = RunSummary { failures: 1, ..RunSummary::default() };
        assert_eq!(headline(&failed), "The audit is incomplete: no records found");
        assert_eq!(headline(&RunSummary::default()), "No records found");
    }

    #[test]
    fn rates_are_rounded_half_up() {
        assert_eq!(per_million(0, 0), "0.0");
        assert_eq!(per_million(1, 1), "1000000.0");
        assert_eq!(per_million(1, 3), "333333.3");
        assert_eq!(per_million(2, 3), "666666.7");
        assert_eq!(per_million(1, 20_000_000), "0.1");
        assert_eq!(per_million(1, 20_000_001), "0.0");
        assert_eq!(per_million(u64::MAX, 1), "18446744073709551615000000.0");
    }
}
