//! `chess-audit rules`.

use std::{
    io::{self, Write},
    ops::Range,
};

use crate::rules::{
    Certainty, Profile, RULES, Rule, Sample, Severity, Yield,
    catalogue::{self, ShownSample},
    rule, rules_called,
};
use anstyle::Style;

use super::{
    args::RulesArguments,
    excerpt::{self, Line},
    outcome::Outcome,
    summary::style,
    text::wrapped,
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Maximum width of explanations.
const WIDTH: usize = 96;

/// Lists the rules, or explains some of them.
pub fn run(arguments: &RulesArguments) -> anyhow::Result<Outcome> {
    let mut selected: Vec<&'static Rule> = Vec::new();
    let mut lists = arguments.words.is_empty();
    for name in &arguments.words {
        let called = rules_called(name)?;
        // A family.
        lists |= called.len() > 1;
        selected.extend(called);
    }
    selected.sort_by_key(|rule| rule.code);
    selected.dedup_by_key(|rule| rule.code);
    let shown: &[&Rule] = if arguments.words.is_empty() { RULES } else { &selected };

    let mut to = anstream::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut to, &catalogue::json(shown)).map_err(io::Error::from)?;
        writeln!(to)?;
    } else if lists {
        list(&mut to, shown)?;
    } else {
        for (index, rule) in shown.iter().enumerate() {
            if index > 0 {
                writeln!(to, "\n{DIM}{}{DIM:#}\n", "-".repeat(WIDTH))?;
            }
            explain(&mut to, rule)?;
        }
    }
    to.flush()?;
    Ok(Outcome::Success)
}

/// Prints one line per rule, grouped by family.
fn list(to: &mut dyn Write, rules: &[&Rule]) -> io::Result<()> {
    let name = rules.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let severity = Severity::ALL.map(|severity| severity.as_str().len()).into_iter().max().unwrap_or_default();
    let profile = Profile::ALL.map(|profile| profile.as_str().len()).into_iter().max().unwrap_or_default();
    let repairs = ["certain", "likely", "none"].map(str::len).into_iter().max().unwrap_or_default();
    let mut family = None;
    for rule in rules {
        if family != Some(rule.code.family()) {
            if family.is_some() {
                writeln!(to)?;
            }
            family = Some(rule.code.family());
            writeln!(to, "{BOLD}{}{BOLD:#} {DIM}{}{DIM:#}", rule.code.family().letters(), rule.code.family().title())?;
        }
        let color = style(rule.severity);
        writeln!(
            to,
            "  {}  {:<name$}  {color}{:<severity$}{color:#}  {:<profile$}  {:<repairs$}  {}",
            rule.code,
            rule.name,
            rule.severity.as_str(),
            rule.profile().as_str(),
            repairs_of(rule),
            rule.summary,
        )?;
    }
    if let Some(rule) = rules.first() {
        writeln!(to, "\nColumns: code, name, severity, profile, most certain repair, what was found")?;
        writeln!(to, "To learn more about a rule, run `chess-audit rules {}`", rule.code)?;
    }
    Ok(())
}

/// Prints the page of a rule.
fn explain(to: &mut dyn Write, explained: &Rule) -> io::Result<()> {
    let color = style(explained.severity);
    let shown = match (explained.profile(), explained.reachability) {
        (Profile::Standard, false) => "in all profiles",
        (Profile::Standard, true) => "in all profiles except `problem`",
        (_, false) => "in the profiles `strict` and `export`",
        (_, true) => "in the profiles `strict` and `export` (not for composed positions)",
    };
    // What a finding depends on is part of the text.
    let most = if explained.severity == Severity::Info { "" } else { "at most " };
    let (code, name, severity) = (explained.code, explained.name, explained.severity);
    writeln!(to, "{BOLD}{code} {name}{BOLD:#}  {most}{color}{severity}{color:#}, {shown}")?;
    paragraph(to, "", explained.summary)?;
    paragraph(to, "What it means", explained.what)?;
    paragraph(to, "Why it matters", explained.why)?;
    samples(to, "Reported", explained.fires)?;
    samples(to, "Not reported", explained.silent)?;
    paragraph(to, "How to fix", explained.fix)?;
    paragraph(
        to,
        "Repair",
        match explained.repairs {
            None => "None. What was probably meant is at most a hint.",
            Some(Certainty::Likely) => "Likely. Use `fix --likely` after you have looked at the list.",
            Some(Certainty::Certain) => "Certain, or likely where more than one reading is possible. Use `fix`.",
        },
    )?;
    paragraph(to, "Source", explained.source)?;
    if !explained.yields.is_empty() {
        heading(to, "Not reported in addition to")?;
        for yielded in explained.yields {
            let (code, scope) = match yielded {
                Yield::InRecord(code) => (code, "in the same record"),
                Yield::AtPly(code) => (code, "at the same ply"),
            };
            writeln!(to, "  {code} {} ({scope})", rule(*code).map(|rule| rule.name).unwrap_or_default())?;
        }
    }
    Ok(())
}

/// The most certain repair of a rule, as in the column `repair` of a report, or `none`.
fn repairs_of(rule: &Rule) -> &'static str {
    rule.repairs.map_or("none", Certainty::as_str)
}

fn heading(to: &mut dyn Write, text: &str) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { writeln!(to, "\n{BOLD}{text}{BOLD:#}") }
}

fn paragraph(to: &mut dyn Write, title: &str, text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    heading(to, title)?;
    for line in wrapped(text, WIDTH - 2) {
        writeln!(to, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}

fn samples(to: &mut dyn Write, title: &str, samples: &[Sample]) -> io::Result<()> {
    if samples.is_empty() {
        return Ok(());
    }
    heading(to, title)?;
    for (index, sample) in samples.iter().enumerate() {
        if index > 0 {
            writeln!(to)?;
        }
        let ShownSample { text, marked } = ShownSample::from(*sample);
        for Line { text, carets } in excerpt::lines(&text, beginning(&text, marked)) {
            writeln!(to, "{}", format!("  {text}").trim_end())?;
            if !carets.is_empty() {
                let color = style(Severity::Error);
                writeln!(to, "  {color}{carets}{color:#}")?;
            }
        }
    }
    Ok(())
}

/// The part of a sample that is underlined: of a whole game, only its first line.
fn beginning(text: &str, marked: Option<Range<usize>>) -> Option<Range<usize>> {
    /// Maximum number of lines that are underlined.
    const MAX_LINES: usize = 3;
    let marked = marked?;
    let mut lines = text.get(marked.clone())?.lines();
    let first = lines.next().unwrap_or_default();
    Some(if lines.count() < MAX_LINES { marked } else { marked.start..marked.start + first.len() })
}

#[cfg(test)]
mod tests {
    use crate::rules::{Code, Family};

    use super::*;

    static FAKE: Rule = Rule {
        code: Code::new(Family::Mov, 31),
        name: "made-up",
        severity: Severity::Warning,
        summary: "A summary",
        what: "What it means.",
        why: "Why it matters.",
        fix: "Repair it.",
        source: "PGN standard 8.2.3",
        reachability: true,
        yields: &[Yield::AtPly(Code::new(Family::Pos, 31))],
        fires: &[Sample::Moves("1. e4 ⟦Ke9⟧ *"), Sample::PgnBytes(b"\xE9\t\xE2\x9F\xA6\xE2\x9F\xA7")],
        silent: &[Sample::Positions("8/8 w - -\n")],
        ..Rule::DEFAULTS
    };

    fn output(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
        let mut text = Vec::new();
        write(&mut anstream::StripStream::new(&mut text))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    #[test]
    fn a_rule_is_explained() -> io::Result<()> {
        let text = output(|to| explain(to, &FAKE))?;
        let expected = r"MOV31 made-up  at most warning, in all profiles except `problem`
  A summary

What it means
  What it means.

Why it matters
  Why it matters.

Reported
  1. e4 Ke9 *
        ^^^

  \xE9\t
        ^

Not reported
  8/8 w - -

How to fix
  Repair it.

Repair
  None. What was probably meant is at most a hint.

Source
  PGN standard 8.2.3

Not reported in addition to
  POS31  (at the same ply)
";
        assert_eq!(text, expected);
        Ok(())
    }

    #[test]
    fn rules_are_listed_by_family() -> io::Result<()> {
        let text = output(|to| list(to, &[&FAKE]))?;
        assert!(text.starts_with("MOV moves\n  MOV31  made-up  warning  standard  none     A summary\n\n"), "{text}");
        assert_eq!(output(|to| list(to, &[]))?, "");
        Ok(())
    }
}
