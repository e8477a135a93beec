//! Settings from `chess-audit.toml` and the command line.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fmt::Display,
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use crate::{
    corpus::Globs,
    pgn::Limits,
    pipeline::{Exception, Expectations, SetAt},
    report::{RunException, RunSettingsFile},
    rules::{CodeSet, Demand, HouseRules, Profile, Selection, Severity, rules_called},
};
use anstyle::Style;
use anyhow::Context;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de::Unexpected};
use toml::Spanned;

use super::{
    args::{ConfigurableArguments, FailOn, SettingsArguments},
    expect::{Expect, expectations, written_key},
    house::{HouseRule, house_rules},
    outcome::Outcome,
    text::{join_or, printable, read_bounded},
};

/// The name of the settings file.
pub const FILE_NAME: &str = "chess-audit.toml";

/// Maximum size of a settings file.
const MAX_BYTES: u64 = 1 << 20;

/// The content of a settings file. [`super::init::TEMPLATE`] documents the keys.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct SettingsFile {
    profile: Option<Spanned<Profile>>,
    select: Option<Spanned<Vec<String>>>,
    ignore: Option<Spanned<Vec<String>>>,
    exclude: Option<Spanned<Vec<String>>>,
    fail_on: Option<Spanned<String>>,
    max_rows: Option<Spanned<u64>>,
    baseline: Option<Spanned<PathBuf>>,
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

/// The key of the tags that house rules require.
const REQUIRE: &str = "require";

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    Default,
    File { name: String, line: usize },
    CommandLine,
}

impl Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { name, line } => write!(f, "{name}:{line}"),
            Origin::CommandLine => f.write_str("command line"),
        }
    }
}

/// A value and its source.
#[derive(Clone, Debug)]
struct Sourced<T> {
    value: T,
    origin: Origin,
}

/// The settings in effect.
#[derive(Debug)]
pub struct ResolvedSettings {
    file: Option<PathBuf>,
    profile: Sourced<Profile>,
    select: Sourced<Vec<String>>,
    ignore: Sourced<Vec<String>>,
    exclude: Sourced<Vec<String>>,
    fail_on: Sourced<FailOn>,
    max_rows: Sourced<Option<u64>>,
    baseline: Sourced<Option<PathBuf>>,
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
    /// Combines the command line with the settings file. The command line takes precedence.
    pub fn new(arguments: &ConfigurableArguments) -> anyhow::Result<ResolvedSettings> {
        let file = match &arguments.config {
            Some(path) => Some(path.clone()),
            None if arguments.no_config => None,
            None => find_settings_file()?,
        };
        let (in_file, source) = match &file {
            Some(path) => read(path)?,
            None => (SettingsFile::default(), SourceText::default()),
        };
        let directory = file.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
        let fail_on = in_file.fail_on.map(|text| source.parsed(text, FailOn::parse)).transpose()?;
        let baseline = in_file.baseline.map(|path| source.at(path.span(), Some(directory.join(path.into_inner()))));
        let mut severity = Vec::new();
        for (rules, value) in in_file.severity {
            let entry = source.at(rules.span(), *value.as_ref());
            rules_called(rules.as_ref()).with_context(|| format!("{}, severity", entry.origin))?;
            severity.push((rules.into_inner(), entry));
        }
        let mut in_order: Vec<_> = in_file.expect.into_iter().collect();
        in_order.sort_by_key(|(key, _)| key.span().start);
        let mut expect = Vec::new();
        for (key, value) in in_order {
            let line_start = source.text.get(..key.span().start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
            let Sourced { value, origin } = source.at(key.span(), value.into_inner());
            let value = Expect::read(key.as_ref(), value, &directory)
                .with_context(|| format!("{origin}, expect.{}", written_key(key.as_ref())))?;
            expect.push((key.into_inner(), line_start, Sourced { value, origin }));
        }
        let mut house = Vec::new();
        let mut add = |key: String, value: Spanned<toml::Value>, read: &dyn Fn(toml::Value) -> anyhow::Result<HouseRule>| {
            let written = source.text.get(value.span()).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            let Sourced { value, origin } = source.at(value.span(), value.into_inner());
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
        let elo = |value: Option<Spanned<u32>>, default| resolve(None, value.map(|value| source.spanned(value)), default);
        let min_elo = elo(in_file.elo.from, Limits::DEFAULT.min_elo);
        let max_elo = elo(in_file.elo.to, Limits::DEFAULT.max_elo);
        let first_day = resolve(None, in_file.dates.from.map(|day| source.spanned(day)), Day(Limits::DEFAULT.first_day));
        let last_day = resolve(None, in_file.dates.to.map(|day| source.at(day.span(), Some(day.into_inner()))), None);
        check_range("elo", &min_elo, &max_elo, min_elo.value > max_elo.value)?;
        check_range("dates", &first_day, &last_day, last_day.value.is_some_and(|last| first_day.value > last))?;
        let mut except = Vec::new();
        for exception in in_file.except {
            let span = exception.span();
            except.push(source.at(span, exception.into_inner()));
        }
        let given = |values: &[String]| (!values.is_empty()).then(|| values.to_vec());
        Ok(ResolvedSettings {
            profile: resolve(arguments.profile, in_file.profile.map(|value| source.spanned(value)), Profile::default()),
            select: resolve(given(&arguments.select), in_file.select.map(|value| source.spanned(value)), Vec::new()),
            ignore: resolve(given(&arguments.ignore), in_file.ignore.map(|value| source.spanned(value)), Vec::new()),
            exclude: resolve(given(&arguments.exclude), in_file.exclude.map(|value| source.spanned(value)), Vec::new()),
            fail_on: resolve(arguments.fail_on, fail_on, FailOn(Some(Severity::Error))),
            max_rows: resolve(
                arguments.max_rows.map(Some),
                in_file.max_rows.map(|value| {
                    let Sourced { value, origin } = source.spanned(value);
                    Sourced { value: Some(value), origin }
                }),
                None,
            ),
            baseline: resolve(arguments.baseline.clone().map(Some), baseline, None),
            min_elo,
            max_elo,
            first_day,
            last_day,
            severity,
            expect,
            house,
            except,
            file,
        })
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

    /// The rules that run.
    pub fn selection(&self) -> anyhow::Result<Selection> {
        let mut selection = Selection::of(self.profile.value)
            .select(self.select.value.iter().map(String::as_str))
            .with_context(|| format!("select ({})", self.select.origin))?
            .ignore(self.ignore.value.iter().map(String::as_str))
            .with_context(|| format!("ignore ({})", self.ignore.origin))?;
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
        Ok(match self.file.as_deref().and_then(Path::parent) {
            Some(parent) if !parent.as_os_str().is_empty() => without_parent_steps(&std::path::absolute(parent)?),
            _ => std::env::current_dir()?,
        })
    }

    /// Files and directories that are not audited. Globs in the settings file are relative to it.
    pub fn exclude(&self) -> anyhow::Result<Globs> {
        let Sourced { value, origin } = &self.exclude;
        let directory = match origin {
            Origin::File { .. } => self.directory()?,
            Origin::Default | Origin::CommandLine => std::env::current_dir()?,
        };
        Globs::new(value, &directory).with_context(|| format!("exclude ({origin})"))
    }

    /// The globs of files and directories that are not audited, as they are written.
    pub fn recorded_exclusions(&self) -> &[String] {
        &self.exclude.value
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile.value
    }

    /// The only rules to run; if empty, those of the profile.
    pub fn select(&self) -> &[String] {
        &self.select.value
    }

    /// The rules not to run.
    pub fn ignore(&self) -> &[String] {
        &self.ignore.value
    }

    /// The lowest severity that makes the exit code 1.
    pub fn fail_on(&self) -> FailOn {
        self.fail_on.value
    }

    /// The same for a night, in which every new finding matters if nothing else is set.
    pub fn fail_on_at_night(&self) -> FailOn {
        if self.fail_on.origin == Origin::Default { FailOn(Some(Severity::Info)) } else { self.fail_on.value }
    }

    /// Maximum number of rows per rule and input.
    pub fn max_rows(&self) -> Option<u64> {
        self.max_rows.value
    }

    /// The settings file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
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
        self.baseline.value.as_deref()
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
        let path = self.file.as_ref()?;
        let origins = [
            ("profile", &self.profile.origin),
            ("select", &self.select.origin),
            ("ignore", &self.ignore.origin),
            ("exclude", &self.exclude.origin),
            ("fail-on", &self.fail_on.origin),
            ("max-rows", &self.max_rows.origin),
            ("baseline", &self.baseline.origin),
            ("elo", &self.min_elo.origin),
            ("elo", &self.max_elo.origin),
            ("dates", &self.first_day.origin),
            ("dates", &self.last_day.origin),
        ];
        let severities = self.severity.iter().map(|(_, severity)| ("severity", &severity.origin));
        let expected = self.expect.iter().map(|(.., expect)| ("expect", &expect.origin));
        let house = self.house.iter().map(|(key, _, rule)| (key.split('.').next().unwrap_or_default(), &rule.origin));
        let exceptions = self.except.iter().map(|except| ("except", &except.origin));
        let mut lines: Vec<(usize, &str)> = Vec::new();
        for (setting, origin) in origins.into_iter().chain(severities).chain(expected).chain(house).chain(exceptions) {
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
        match &self.file {
            Some(path) => writeln!(to, "{DIM}# settings file: {}{DIM:#}", printable(&path.display().to_string()))?,
            None => writeln!(to, "{DIM}# no {FILE_NAME} in this directory or its parents{DIM:#}")?,
        }
        let list = |values: &[String]| format!("{values:?}");
        let mut line = |key: &str, value: &str, origin: &Origin| {
            let (setting, origin) = (format!("{key} = {value}"), origin.to_string());
            writeln!(to, "{:<40}{DIM} # {}{DIM:#}", printable(&setting), printable(&origin))
        };
        line("profile", &format!("\"{}\"", self.profile.value), &self.profile.origin)?;
        line("select", &list(&self.select.value), &self.select.origin)?;
        line("ignore", &list(&self.ignore.value), &self.ignore.origin)?;
        line("exclude", &list(&self.exclude.value), &self.exclude.origin)?;
        line("fail-on", &format!("\"{}\"", self.fail_on.value.as_str()), &self.fail_on.origin)?;
        match self.max_rows.value {
            Some(rows) => line("max-rows", &rows.to_string(), &self.max_rows.origin)?,
            None => line("# max-rows", "no limit", &self.max_rows.origin)?,
        }
        match &self.baseline.value {
            Some(path) => line("baseline", &format!("{:?}", path.display().to_string()), &self.baseline.origin)?,
            None => line("# baseline", "none", &self.baseline.origin)?,
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
    let settings = ResolvedSettings::new(&arguments.configurable)?;
    // Report all errors that `check` would report.
    settings.selection()?;
    settings.exceptions()?;
    settings.expectations()?;
    settings.house_rules()?;
    settings.exclude()?;
    settings.print(&mut anstream::stdout().lock())?;
    Ok(Outcome::Success)
}

/// The argument if there is one, or else the value in the file, or else the default.
fn resolve<T>(argument: Option<T>, file: Option<Sourced<T>>, default: T) -> Sourced<T> {
    match (argument, file) {
        (Some(value), _) => Sourced { value, origin: Origin::CommandLine },
        (None, Some(value)) => value,
        (None, None) => Sourced { value: default, origin: Origin::Default },
    }
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

/// Finds the settings file in the working directory or its nearest parent that has one.
fn find_settings_file() -> io::Result<Option<PathBuf>> {
    let here = std::env::current_dir()?;
    for (steps, directory) in here.ancestors().enumerate() {
        // A pipe with this name is found too: it is refused when it is read.
        if directory.join(FILE_NAME).metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            // A report does not depend on absolute paths.
            return Ok(Some(PathBuf::from("../".repeat(steps)).join(FILE_NAME)));
        }
    }
    Ok(None)
}

/// The text of a settings file, to find the line of a value.
#[derive(Debug, Default)]
struct SourceText {
    name: String,
    text: String,
}

impl SourceText {
    fn at<T>(&self, span: std::ops::Range<usize>, value: T) -> Sourced<T> {
        let line = self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1;
        Sourced { value, origin: Origin::File { name: self.name.clone(), line } }
    }

    fn spanned<T>(&self, value: Spanned<T>) -> Sourced<T> {
        self.at(value.span(), value.into_inner())
    }

    fn parsed<T>(&self, text: Spanned<String>, parse: impl FnOnce(&str) -> Result<T, String>) -> anyhow::Result<Sourced<T>> {
        let Sourced { value, origin } = self.spanned(text);
        match parse(&value) {
            Ok(value) => Ok(Sourced { value, origin }),
            Err(reason) => anyhow::bail!("{origin}: {reason}"),
        }
    }
}

fn read(path: &Path) -> anyhow::Result<(SettingsFile, SourceText)> {
    let text = read_bounded(path, MAX_BYTES).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    let text = text.with_context(|| format!("cannot read the settings file `{}`", path.display()))?;
    let source = SourceText { name: path.display().to_string(), text };
    let settings = toml::from_str(&source.text).map_err(|error| {
        let origin = error.span().map(|span| source.at(span, ()).origin);
        let message = improved_message(error.message());
        match origin {
            Some(origin) => anyhow::anyhow!("{origin}: {message}"),
            None => anyhow::anyhow!("{}: {message}", source.name),
        }
    })?;
    Ok((settings, source))
}

/// A message of the TOML parser, with a suggestion or a list of the known names.
fn improved_message(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (kind, unknown) = match (message, quoted.next()) {
        (message, Some(name)) if message.starts_with("unknown field") => ("setting", name),
        (message, Some(name)) if message.starts_with("unknown variant") => ("value", name),
        (message, Some(name)) if message.starts_with("missing field") => return format!("missing setting `{name}`"),
        _ => return message.to_owned(),
    };
    let similarity = |known: &str| strsim::jaro_winkler(&unknown.replace('_', "-").to_ascii_lowercase(), known);
    let known: Vec<&str> = quoted.collect();
    match known.iter().copied().max_by(|a, b| similarity(a).total_cmp(&similarity(b))) {
        Some(nearest) if similarity(nearest) > 0.75 => format!("unknown {kind} `{unknown}`; did you mean `{nearest}`?"),
        _ => format!("unknown {kind} `{unknown}`; expected {}", join_or(&known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let of = |text: &str| improved_message(toml::from_str::<SettingsFile>(text).expect_err("an invalid file").message());
        assert_eq!(of("fail_on = \"error\""), "unknown setting `fail_on`; did you mean `fail-on`?");
        assert_eq!(of("slect = []"), "unknown setting `slect`; did you mean `select`?");
        assert_eq!(of("[elo]\nform = 1"), "unknown setting `form`; did you mean `from`?");
        let except = "[[except]]\npath = []\nrules = []\nreason = \"\"";
        assert_eq!(of(except), "unknown setting `path`; did you mean `paths`?");
        assert_eq!(of("profile = \"stict\""), "unknown value `stict`; did you mean `strict`?");
        assert_eq!(of("severity.MOV = \"fatal\""), "unknown value `fatal`; expected info, warning or error");
        let colour = of("colour = 1");
        assert!(colour.starts_with("unknown setting `colour`; expected profile, select, "), "{colour}");
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
