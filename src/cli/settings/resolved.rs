//! Settings from `chess-audit.toml` and the command line.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use crate::{
    corpus::Globs,
    format::{RunException, RunSettingsFile},
    pgn::Limits,
    pipeline::{Exception, Expectations, SetAt},
    rules::{CodeSet, Demand, HouseRules, Profile, Selection, Severity, dup::other_spelling, rules_called},
};
use anstyle::Style;
use anyhow::Context;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de::Unexpected};
use toml::Spanned;

use super::{
    expect::{Expect, expectations, written_key},
    file::{FILE_NAME, Origin, SettingsText},
    house::{HouseRule, house_rules},
};
use crate::cli::{
    args::{AuditArguments, FailOn, SettingsArguments},
    outcome::Outcome,
    text::printable,
};

/// The content of a settings file. [`crate::cli::init::TEMPLATE`] documents the keys.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct SettingsFile {
    require: Vec<Spanned<toml::Value>>,
    deny_games: Option<Spanned<toml::Value>>,
    elo: Range<u32>,
    dates: Range<Day>,
    severity: BTreeMap<Spanned<String>, Spanned<Severity>>,
    expect: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    allow: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    deny: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    except: Vec<Spanned<Except>>,
}

/// A range of accepted values. Both ends are optional.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range<T> {
    from: Option<Spanned<T>>,
    to: Option<Spanned<T>>,
}

impl<T> Default for Range<T> {
    fn default() -> Range<T> {
        Range { from: None, to: None }
    }
}

/// A date as in PGN or as in ISO 8601, with or without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Day(Date);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Day, D::Error> {
        let text = match toml::Value::deserialize(from)? {
            toml::Value::String(text) => text,
            toml::Value::Datetime(day) => day.to_string(),
            toml::Value::Integer(number) => number.to_string(),
            other => return Err(serde::de::Error::invalid_type(Unexpected::Other(other.type_str()), &"a date")),
        };
        let invalid = |_| serde::de::Error::custom(format!("`{text}` is not a date; expected a date such as \"2026.12.31\""));
        text.replace('.', "-").parse().map(Day).map_err(invalid)
    }
}

/// Rules that do not run on some inputs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Except {
    /// Globs. A glob without a slash matches file names in any directory.
    paths: Vec<String>,
    rules: Vec<String>,
    reason: String,
}

/// Options with which the report is the same.
const NOT_IN_REPORT: [&str; 5] = ["engine-cache", "engine-processes", "engine-timeout", "no-mmap", "threads"];

/// The key of the tags that house rules require.
const REQUIRE: &str = "require";

/// A value and its source.
#[derive(Clone, Debug)]
struct Sourced<T> {
    value: T,
    origin: Origin,
}

/// The settings in effect.
#[derive(Debug)]
pub struct ResolvedSettings {
    /// The options of the audit.
    options: AuditArguments,
    min_elo: Sourced<u32>,
    max_elo: Sourced<u32>,
    first_day: Sourced<Day>,
    last_day: Sourced<Option<Day>>,
    severity: Vec<(String, Sourced<Severity>)>,
    /// What is expected: the key, the first byte of its line, and the value.
    expect: Vec<(String, usize, Sourced<Expect>)>,
    /// House rules: the key, the value as it is printed, and the rule.
    house: Vec<(String, String, Sourced<HouseRule>)>,
    except: Vec<Sourced<Except>>,
}

impl ResolvedSettings {
    /// The settings of an audit: its options, and what else the settings file says.
    pub fn new(options: &AuditArguments) -> anyhow::Result<ResolvedSettings> {
        let source = &options.sources.text;
        let names: Vec<&str> = options.sources.options.keys().map(String::as_str).collect();
        let in_file: SettingsFile = source.parse(&names)?;
        let directory = source.directory().to_owned();
        let mut severity = Vec::new();
        for (rules, value) in in_file.severity {
            let entry = sourced(source, rules.span(), *value.as_ref());
            rules_called(rules.as_ref()).with_context(|| format!("{}, severity", entry.origin))?;
            severity.push((rules.into_inner(), entry));
        }
        let mut in_order: Vec<_> = in_file.expect.into_iter().collect();
        in_order.sort_by_key(|(key, _)| key.span().start);
        let mut expect = Vec::new();
        for (key, value) in in_order {
            let line_start = source.text.get(..key.span().start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
            let Sourced { value, origin } = sourced(source, key.span(), value.into_inner());
            let value = Expect::read(key.as_ref(), value, &directory)
                .with_context(|| format!("{origin}, expect.{}", written_key(key.as_ref())))?;
            expect.push((key.into_inner(), line_start, Sourced { value, origin }));
        }
        let mut house = Vec::new();
        let mut add = |key: String, value: Spanned<toml::Value>, read: &dyn Fn(toml::Value) -> anyhow::Result<HouseRule>| {
            let written = source.text.get(value.span()).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            let Sourced { value, origin } = sourced(source, value.span(), value.into_inner());
            let rule = read(value).with_context(|| format!("{origin}, {key}"))?;
            house.push((key, written, Sourced { value: rule, origin }));
            anyhow::Ok(())
        };
        for tag in in_file.require {
            add("require".to_owned(), tag, &HouseRule::required)?;
        }
        for (table, entries, demand) in
            [("allow", in_file.allow, Demand::OneOf as fn(Vec<String>) -> Demand), ("deny", in_file.deny, Demand::NoneOf)]
        {
            for (tag, values) in entries {
                let tag = tag.into_inner();
                add(format!("{table}.{}", written_key(&tag)), values, &|values| HouseRule::values(&tag, values, demand))?;
            }
        }
        if let Some(list) = in_file.deny_games {
            add("deny-games".to_owned(), list, &|list| HouseRule::games(list, &directory))?;
        }
        let elo = |value: Option<Spanned<u32>>, default| {
            resolve(value.map(|value| sourced(source, value.span(), value.into_inner())), default)
        };
        let min_elo = elo(in_file.elo.from, Limits::DEFAULT.min_elo);
        let max_elo = elo(in_file.elo.to, Limits::DEFAULT.max_elo);
        let first_day =
            resolve(in_file.dates.from.map(|day| sourced(source, day.span(), day.into_inner())), Day(Limits::DEFAULT.first_day));
        let last_day = resolve(in_file.dates.to.map(|day| sourced(source, day.span(), Some(day.into_inner()))), None);
        check_range("elo", &min_elo, &max_elo, min_elo.value > max_elo.value)?;
        check_range("dates", &first_day, &last_day, last_day.value.is_some_and(|last| first_day.value > last))?;
        let mut except = Vec::new();
        for exception in in_file.except {
            let span = exception.span();
            except.push(sourced(source, span, exception.into_inner()));
        }
        Ok(ResolvedSettings { options: options.clone(), min_elo, max_elo, first_day, last_day, severity, expect, house, except })
    }

    /// The accepted ratings and dates.
    pub fn limits(&self, as_of: Option<Date>) -> Limits {
        Limits {
            min_elo: self.min_elo.value,
            max_elo: self.max_elo.value,
            first_day: self.first_day.value.0,
            last_day: self.last_day.value.map(|Day(day)| day),
            as_of,
        }
    }

    /// Where the value of an option comes from.
    fn origin(&self, option: &str) -> Origin {
        self.options.sources.origin(option)
    }

    /// Whether links to directories are followed.
    pub const fn follow(&self) -> bool {
        self.options.follow
    }

    /// The rules that run.
    pub fn selection(&self) -> anyhow::Result<Selection> {
        let mut selection = Selection::of(self.profile())
            .select(self.select().iter().map(String::as_str))
            .with_context(|| format!("select ({})", self.origin("select")))?;
        // Who names a list wants to see what it says.
        let listed = self.options.spelling.iter().map(|_| other_spelling::RULE.code).collect();
        selection = selection
            .with(listed)
            .ignore(self.ignore().iter().map(String::as_str))
            .with_context(|| format!("ignore ({})", self.origin("ignore")))?;
        // The severity of a rule takes precedence over the severity of its family.
        let mut severities = Vec::new();
        for (rules, severity) in &self.severity {
            severities.push((Reverse(rules_called(rules)?.len()), rules, severity.value));
        }
        severities.sort();
        for (_, rules, severity) in severities {
            selection = selection.with_severity(rules, severity)?;
        }
        Ok(selection)
    }

    /// The rules that do not run on some inputs. Globs are relative to the settings file, names of
    /// inputs to the working directory.
    pub fn exceptions(&self) -> anyhow::Result<Vec<Exception>> {
        let directory = self.directory()?;
        let mut exceptions = Vec::new();
        for Sourced { value: except, origin } in &self.except {
            let inputs = Globs::new(&except.paths, &directory).with_context(|| format!("{origin}, paths"))?;
            let mut rules = CodeSet::EMPTY;
            for name in &except.rules {
                rules.extend(
                    rules_called(name).with_context(|| format!("{origin}, rules"))?.into_iter().map(|rule| rule.code).collect(),
                );
            }
            exceptions.push(Exception { inputs, rules });
        }
        Ok(exceptions)
    }

    /// What the run and its inputs are expected to contain.
    pub fn expectations(&self) -> anyhow::Result<Expectations> {
        let entries = self.expect.iter().filter_map(|(key, byte, Sourced { value, origin })| {
            let Origin::File { name, line } = origin else { return None };
            Some((key.as_str(), value, SetAt { file: name.clone(), line: *line as u64, byte: *byte }))
        });
        expectations(entries, &self.directory()?)
    }

    /// House rules.
    pub fn house_rules(&self) -> anyhow::Result<HouseRules> {
        house_rules(self.house.iter().map(|(.., rule)| &rule.value))
    }

    /// Whether inputs may lose records from night to night.
    pub fn may_shrink(&self) -> bool {
        self.expect.iter().any(|(.., expect)| matches!(expect.value, Expect::Shrink(true)))
    }

    /// The directory of the settings file.
    fn directory(&self) -> anyhow::Result<PathBuf> {
        Ok(match self.file().and_then(Path::parent) {
            Some(parent) if !parent.as_os_str().is_empty() => without_parent_steps(&std::path::absolute(parent)?),
            _ => std::env::current_dir()?,
        })
    }

    /// Files and directories that are not audited. Globs in the settings file are relative to it.
    pub fn exclude(&self) -> anyhow::Result<Globs> {
        let origin = self.origin("exclude");
        let directory = match origin {
            Origin::File { .. } => self.directory()?,
            Origin::Default | Origin::CommandLine => std::env::current_dir()?,
        };
        Globs::new(&self.options.exclude, &directory).with_context(|| format!("exclude ({origin})"))
    }

    /// The globs of files and directories that are not audited, as they are written.
    pub fn recorded_exclusions(&self) -> &[String] {
        &self.options.exclude
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.options.profile
    }

    /// The only rules to run; if empty, those of the profile.
    pub fn select(&self) -> &[String] {
        &self.options.select
    }

    /// The rules not to run.
    pub fn ignore(&self) -> &[String] {
        &self.options.ignore
    }

    /// The lowest severity that makes the exit code 1.
    pub fn fail_on(&self) -> FailOn {
        self.options.fail_on
    }

    /// The same for a night, in which every new finding matters if nothing else is set.
    pub fn fail_on_at_night(&self) -> FailOn {
        if self.origin("fail-on") == Origin::Default { FailOn(Some(Severity::Info)) } else { self.fail_on() }
    }

    /// The settings file.
    pub fn file(&self) -> Option<&Path> {
        self.options.sources.text.path.as_deref()
    }

    /// The lists that the settings file names.
    pub fn lists(&self) -> impl Iterator<Item = &Path> {
        let expected = self.expect.iter().filter_map(|(.., expect)| match &expect.value {
            Expect::Counts(path) | Expect::Digests(path) => Some(path.as_path()),
            Expect::OfRun(..) | Expect::OfInputs(_) | Expect::Findings(_) | Expect::Shrink(_) => None,
        });
        let denied = self.house.iter().filter_map(|(.., rule)| match &rule.value {
            HouseRule::Games(path, _) => Some(path.as_path()),
            HouseRule::Tag(_) => None,
        });
        expected.chain(denied)
    }

    /// The path of the baseline.
    pub fn baseline(&self) -> Option<&Path> {
        self.options.baseline.as_deref()
    }

    /// Severities that differ from the defaults, with the names of their rules.
    pub fn severities(&self) -> impl Iterator<Item = (&str, Severity)> {
        self.severity.iter().map(|(rules, severity)| (rules.as_str(), severity.value))
    }

    /// The exceptions as a report records them.
    pub fn recorded_exceptions(&self) -> Vec<RunException> {
        let record = |Sourced { value: Except { paths, rules, reason }, .. }: &Sourced<Except>| RunException {
            paths: paths.clone(),
            rules: rules.clone(),
            reason: reason.clone(),
        };
        self.except.iter().map(record).collect()
    }

    /// What is expected, and the house rules, as a report records them: by key, as in a settings
    /// file.
    pub fn recorded_demands(&self) -> BTreeMap<String, String> {
        let expected =
            self.expect.iter().map(|(key, _, expect)| (format!("expect.{}", written_key(key)), expect.value.to_string()));
        let mut demands: BTreeMap<String, String> = expected.collect();
        let (required, others): (Vec<_>, Vec<_>) = self.house.iter().partition(|(key, ..)| key == REQUIRE);
        if !required.is_empty() {
            demands.insert(REQUIRE.to_owned(), required_tags(&required));
        }
        demands.extend(others.into_iter().map(|(key, written, _)| (key.clone(), written.clone())));
        demands
    }

    /// The settings file as a report records it, if it sets anything that is in effect.
    pub fn recorded_file(&self) -> Option<RunSettingsFile> {
        let path = self.file()?;
        let origins = [
            ("elo", &self.min_elo.origin),
            ("elo", &self.max_elo.origin),
            ("dates", &self.first_day.origin),
            ("dates", &self.last_day.origin),
        ];
        let severities = self.severity.iter().map(|(_, severity)| ("severity", &severity.origin));
        let expected = self.expect.iter().map(|(.., expect)| ("expect", &expect.origin));
        let house = self.house.iter().map(|(key, _, rule)| (key.split('.').next().unwrap_or_default(), &rule.origin));
        let exceptions = self.except.iter().map(|except| ("except", &except.origin));
        let options = self.options.sources.options.iter().map(|(name, (_, origin))| (name.as_str(), origin));
        let options = options.filter(|(name, _)| !NOT_IN_REPORT.contains(name));
        let mut lines: Vec<(usize, &str)> = Vec::new();
        for (setting, origin) in
            origins.into_iter().chain(severities).chain(expected).chain(house).chain(exceptions).chain(options)
        {
            if let Origin::File { line, .. } = origin {
                lines.push((*line, setting));
            }
        }
        lines.sort_by_key(|(line, _)| *line);
        let mut settings: Vec<String> = Vec::new();
        for (_, setting) in lines {
            if !settings.iter().any(|known| known == setting) {
                settings.push(setting.to_owned());
            }
        }
        (!settings.is_empty()).then(|| RunSettingsFile { path: path.display().to_string(), settings })
    }

    /// Prints every value and its source, in the form of a settings file.
    fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        const DIM: Style = Style::new().dimmed();
        match self.file() {
            Some(path) => writeln!(to, "{DIM}# settings file: {}{DIM:#}", printable(&path.display().to_string()))?,
            None => writeln!(to, "{DIM}# no {FILE_NAME} in this directory or its parents{DIM:#}")?,
        }
        let list = |values: &[String]| format!("{values:?}");
        let mut line = |key: &str, value: &str, origin: &Origin| {
            let (setting, origin) = (format!("{key} = {value}"), origin.to_string());
            writeln!(to, "{:<40}{DIM} # {}{DIM:#}", printable(&setting), printable(&origin))
        };
        for (name, (value, origin)) in &self.options.sources.options {
            match value {
                Some(value) => line(name, value, origin)?,
                None => line(&format!("# {name}"), "none", origin)?,
            }
        }
        let day = |Day(day): Day| format!("\"{}\"", day.strftime("%Y.%m.%d"));
        line("elo.from", &self.min_elo.value.to_string(), &self.min_elo.origin)?;
        line("elo.to", &self.max_elo.value.to_string(), &self.max_elo.origin)?;
        line("dates.from", &day(self.first_day.value), &self.first_day.origin)?;
        match self.last_day.value {
            Some(last) => line("dates.to", &day(last), &self.last_day.origin)?,
            None => line("# dates.to", "no limit", &self.last_day.origin)?,
        }
        for (rules, severity) in &self.severity {
            line(&format!("severity.{rules}"), &format!("\"{}\"", severity.value.as_str()), &severity.origin)?;
        }
        for (key, _, expect) in &self.expect {
            line(&format!("expect.{}", written_key(key)), &expect.value.to_string(), &expect.origin)?;
        }
        let (required, others): (Vec<_>, Vec<_>) = self.house.iter().partition(|(key, ..)| key == REQUIRE);
        if let Some((key, _, first)) = required.first() {
            line(key, &required_tags(&required), &first.origin)?;
        }
        for (key, written, rule) in others {
            line(key, written, &rule.origin)?;
        }
        for except in &self.except {
            writeln!(to, "\n[[except]]{:<30}{DIM} # {}{DIM:#}", "", except.origin)?;
            let Except { paths, rules, reason } = &except.value;
            writeln!(to, "paths = {}", printable(&list(paths)))?;
            writeln!(to, "rules = {}", printable(&list(rules)))?;
            writeln!(to, "reason = {}", printable(&format!("{reason:?}")))?;
        }
        Ok(())
    }
}

/// The tags that house rules require, as in a settings file.
fn required_tags(rules: &[&(String, String, Sourced<HouseRule>)]) -> String {
    let tags: Vec<&str> = rules.iter().map(|(_, written, _)| written.as_str()).collect();
    format!("[{}]", tags.join(", "))
}

/// `chess-audit settings`.
pub fn run(arguments: &SettingsArguments) -> anyhow::Result<Outcome> {
    let settings = ResolvedSettings::new(&arguments.audit)?;
    // Report all errors that `check` would report.
    settings.selection()?;
    settings.exceptions()?;
    settings.expectations()?;
    settings.house_rules()?;
    settings.exclude()?;
    settings.print(&mut anstream::stdout().lock())?;
    Ok(Outcome::Success)
}

/// The value in the file, or else the default.
fn resolve<T>(in_file: Option<Sourced<T>>, default: T) -> Sourced<T> {
    in_file.unwrap_or(Sourced { value: default, origin: Origin::Default })
}

/// A value of the settings file at these bytes.
fn sourced<T>(text: &SettingsText, bytes: std::ops::Range<usize>, value: T) -> Sourced<T> {
    Sourced { value, origin: text.origin(bytes.start) }
}

/// Fails if a range is reversed. The error points to an end that the file sets.
fn check_range<A, B>(key: &str, from: &Sourced<A>, to: &Sourced<B>, is_reversed: bool) -> anyhow::Result<()> {
    let origin = if to.origin == Origin::Default { &from.origin } else { &to.origin };
    anyhow::ensure!(!is_reversed, "{origin}: the range `{key}` is reversed: `to` is before `from`");
    Ok(())
}

/// Resolves each `..` of an absolute path, so that it is a prefix of the paths of its files.
fn without_parent_steps(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(resolved.pop()),
            component => resolved.push(component),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let of = |text: &str| {
            let text = SettingsText { path: Some("a.toml".into()), text: text.to_owned() };
            let error = text.parse::<SettingsFile>(&["fail-on", "select"]).expect_err("an invalid file").to_string();
            error.rsplit_once("a.toml:").and_then(|(_, error)| error.split_once(": ")).map(|(_, error)| error.to_owned())
        };
        let of = |text: &str| of(text).unwrap_or_default();
        assert_eq!(of("fail_on = \"error\""), "unknown setting `fail_on`; did you mean `fail-on`?");
        assert_eq!(of("slect = []"), "unknown setting `slect`; did you mean `select`?");
        assert_eq!(of("[elo]\nform = 1"), "unknown setting `form`; did you mean `from`?");
        let except = "[[except]]\npath = []\nrules = []\nreason = \"\"";
        assert_eq!(of(except), "unknown setting `path`; did you mean `paths`?");
        assert_eq!(of("severity.MOV = \"fatal\""), "unknown value `fatal`; expected info, warning or error");
        let colour = of("colour = 1");
        assert!(colour.starts_with("unknown setting `colour`; expected require, deny-games, "), "{colour}");
        assert_eq!(of("dates.to = \"2026.13.01\""), "`2026.13.01` is not a date; expected a date such as \"2026.12.31\"");
        assert_eq!(of("dates.from = 1990"), "`1990` is not a date; expected a date such as \"2026.12.31\"");
    }

    #[test]
    fn dates_can_be_written_as_in_pgn_or_iso_8601() -> anyhow::Result<()> {
        for text in ["\"1990.05.01\"", "\"1990-05-01\"", "1990-05-01"] {
            let settings: SettingsFile = toml::from_str(&format!("dates.from = {text}"))?;
            assert_eq!(settings.dates.from.map(Spanned::into_inner), Some(Day(Date::constant(1990, 5, 1))), "{text}");
        }
        Ok(())
    }
}
