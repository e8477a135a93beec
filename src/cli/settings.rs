//! Settings: what the file `chess-audit.toml` says, what the command line says, and what is in force.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fmt::Display,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use anstyle::Style;
use anyhow::Context;
use chess_audit::{
    pgn::Limits,
    pipeline::Exception,
    report::AskedException,
    rules::{CodeSet, Profile, Selection, Severity, rules_called},
};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de::Unexpected};
use toml::Spanned;

use super::{
    args::{ChoiceArguments, FailOn, SettingsArguments},
    outcome::Outcome,
    text::printable,
};

/// The name of the settings file.
pub const FILE_NAME: &str = "chess-audit.toml";

/// What a settings file may say. Each key is explained in [`super::init::STARTING_FILE`].
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct Said {
    profile: Option<Spanned<Profile>>,
    select: Option<Spanned<Vec<String>>>,
    ignore: Option<Spanned<Vec<String>>>,
    fail_on: Option<Spanned<String>>,
    max_rows: Option<Spanned<u64>>,
    baseline: Option<Spanned<PathBuf>>,
    elo: Range<u32>,
    dates: Range<Day>,
    severity: BTreeMap<Spanned<String>, Spanned<Severity>>,
    except: Vec<Spanned<Except>>,
}

/// What lies outside of it is told; either end may be left out.
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

/// A day, in quotes or not, as PGN writes it or as ISO 8601 does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Day(Date);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Day, D::Error> {
        let text = match toml::Value::deserialize(from)? {
            toml::Value::String(text) => text,
            toml::Value::Datetime(day) => day.to_string(),
            toml::Value::Integer(number) => number.to_string(),
            other => return Err(serde::de::Error::invalid_type(Unexpected::Other(other.type_str()), &"a day")),
        };
        let wrong = |_| serde::de::Error::custom(format!("`{text}` is no day; write one as \"2026.12.31\""));
        text.replace('.', "-").parse().map(Day).map_err(wrong)
    }
}

/// Rules that do not hold for some inputs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Except {
    /// Globs. One without a slash means files of that name wherever they are.
    paths: Vec<String>,
    rules: Vec<String>,
    reason: String,
}

/// Where a value comes from.
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

/// A value that is in force.
#[derive(Clone, Debug)]
struct Set<T> {
    value: T,
    origin: Origin,
}

/// What is in force.
#[derive(Debug)]
pub struct Choice {
    file: Option<PathBuf>,
    profile: Set<Profile>,
    select: Set<Vec<String>>,
    ignore: Set<Vec<String>>,
    fail_on: Set<FailOn>,
    max_rows: Set<Option<u64>>,
    baseline: Set<Option<PathBuf>>,
    least_elo: Set<u32>,
    greatest_elo: Set<u32>,
    first_day: Set<Day>,
    last_day: Set<Option<Day>>,
    severity: Vec<(String, Set<Severity>)>,
    except: Vec<Set<Except>>,
}

impl Choice {
    /// What `arguments` and the settings file say together: the command line counts before the file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds a key or a value that means nothing.
    pub fn of(arguments: &ChoiceArguments) -> anyhow::Result<Choice> {
        let file = match &arguments.config {
            Some(path) => Some(path.clone()),
            None if arguments.no_config => None,
            None => found_upwards()?,
        };
        let (said, lines) = match &file {
            Some(path) => read(path)?,
            None => (Said::default(), Lines::default()),
        };
        let folder = file.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
        let fail_on = said.fail_on.map(|word| lines.parsed(word, FailOn::from_word)).transpose()?;
        let baseline = said.baseline.map(|path| lines.at(path.span(), Some(folder.join(path.into_inner()))));
        let mut severity = Vec::new();
        for (word, value) in said.severity {
            let line = lines.at(word.span(), *value.as_ref());
            rules_called(word.as_ref()).with_context(|| format!("{}, severity", line.origin))?;
            severity.push((word.into_inner(), line));
        }
        let in_file = |value: Option<Spanned<u32>>, default| chosen(None, value.map(|value| lines.spanned(value)), default);
        let least_elo = in_file(said.elo.from, Limits::DEFAULT.least_elo);
        let greatest_elo = in_file(said.elo.to, Limits::DEFAULT.greatest_elo);
        let first_day = chosen(None, said.dates.from.map(|day| lines.spanned(day)), Day(Limits::DEFAULT.first_day));
        let last_day = chosen(None, said.dates.to.map(|day| lines.at(day.span(), Some(day.into_inner()))), None);
        in_order("elo", &least_elo, &greatest_elo, least_elo.value > greatest_elo.value)?;
        in_order("dates", &first_day, &last_day, last_day.value.is_some_and(|last| first_day.value > last))?;
        let mut except = Vec::new();
        for exception in said.except {
            let span = exception.span();
            except.push(lines.at(span, exception.into_inner()));
        }
        let given = |words: &[String]| (!words.is_empty()).then(|| words.to_vec());
        Ok(Choice {
            profile: chosen(arguments.profile, said.profile.map(|value| lines.spanned(value)), Profile::default()),
            select: chosen(given(&arguments.select), said.select.map(|value| lines.spanned(value)), Vec::new()),
            ignore: chosen(given(&arguments.ignore), said.ignore.map(|value| lines.spanned(value)), Vec::new()),
            fail_on: chosen(arguments.fail_on, fail_on, FailOn(Some(Severity::Error))),
            max_rows: chosen(
                arguments.max_rows.map(Some),
                said.max_rows.map(|value| {
                    let Set { value, origin } = lines.spanned(value);
                    Set { value: Some(value), origin }
                }),
                None,
            ),
            baseline: chosen(arguments.baseline.clone().map(Some), baseline, None),
            least_elo,
            greatest_elo,
            first_day,
            last_day,
            severity,
            except,
            file,
        })
    }

    /// The ratings and days that are taken as possible, `as_of` this day.
    pub fn limits(&self, as_of: Option<Date>) -> Limits {
        Limits {
            least_elo: self.least_elo.value,
            greatest_elo: self.greatest_elo.value,
            first_day: self.first_day.value.0,
            last_day: self.last_day.value.map(|Day(day)| day),
            as_of,
        }
    }

    /// The findings that are shown.
    ///
    /// # Errors
    /// When no rule goes by one of the words.
    pub fn selection(&self) -> anyhow::Result<Selection> {
        let mut selection = Selection::of(self.profile.value)
            .select(self.select.value.iter().map(String::as_str))
            .with_context(|| format!("select ({})", self.select.origin))?
            .ignore(self.ignore.value.iter().map(String::as_str))
            .with_context(|| format!("ignore ({})", self.ignore.origin))?;
        // What is said of a rule counts before what is said of its family.
        let mut severities = Vec::new();
        for (word, severity) in &self.severity {
            severities.push((Reverse(rules_called(word)?.len()), word, severity.value));
        }
        severities.sort();
        for (_, word, severity) in severities {
            selection = selection.with_severity(word, severity)?;
        }
        Ok(selection)
    }

    /// The rules that are left out for some inputs. Globs are relative to the settings file, names of inputs to the working
    /// directory.
    ///
    /// # Errors
    /// When a glob or the name of a rule means nothing.
    pub fn exceptions(&self) -> anyhow::Result<Vec<Exception>> {
        let folder = match self.file.as_deref().and_then(Path::parent) {
            Some(folder) if !folder.as_os_str().is_empty() => std::path::absolute(folder)?,
            _ => std::env::current_dir()?,
        };
        let mut exceptions = Vec::new();
        for Set { value: except, origin } in &self.except {
            let globs = globs(&except.paths).with_context(|| format!("{origin}, paths"))?;
            let mut rules = CodeSet::EMPTY;
            for word in &except.rules {
                rules.extend(
                    rules_called(word).with_context(|| format!("{origin}, rules"))?.into_iter().map(|rule| rule.code).collect(),
                );
            }
            let folder = folder.clone();
            let inputs = Arc::new(move |name: &str| {
                let whole = std::path::absolute(name).unwrap_or_default();
                globs.is_match(name) || whole.strip_prefix(&folder).is_ok_and(|inside| globs.is_match(inside))
            });
            exceptions.push(Exception { inputs, rules });
        }
        Ok(exceptions)
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile.value
    }

    /// The rules that alone are shown; empty: those of the profile.
    pub fn select(&self) -> &[String] {
        &self.select.value
    }

    /// The rules that are left out.
    pub fn ignore(&self) -> &[String] {
        &self.ignore.value
    }

    /// From which severity on findings make the exit code 1.
    pub fn fail_on(&self) -> FailOn {
        self.fail_on.value
    }

    /// At most so many rows for each rule and input.
    pub fn max_rows(&self) -> Option<u64> {
        self.max_rows.value
    }

    /// The findings that are known already.
    pub fn baseline(&self) -> Option<&Path> {
        self.baseline.value.as_deref()
    }

    /// Severities other than the rules' own: the words for the rules, and the severity.
    pub fn severities(&self) -> impl Iterator<Item = (&str, Severity)> {
        self.severity.iter().map(|(word, severity)| (word.as_str(), severity.value))
    }

    /// The exceptions as a report tells them.
    pub fn told_exceptions(&self) -> Vec<AskedException> {
        let told = |Set { value: Except { paths, rules, reason }, .. }: &Set<Except>| AskedException {
            paths: paths.clone(),
            rules: rules.clone(),
            reason: reason.clone(),
        };
        self.except.iter().map(told).collect()
    }

    /// Prints every value and where it comes from, as a settings file.
    fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        const DIM: Style = Style::new().dimmed();
        match &self.file {
            Some(path) => writeln!(to, "{DIM}# settings file: {}{DIM:#}", printable(&path.display().to_string()))?,
            None => writeln!(to, "{DIM}# no {FILE_NAME} here or above{DIM:#}")?,
        }
        let list = |words: &[String]| format!("{words:?}");
        let mut line = |key: &str, value: &str, origin: &Origin| {
            let setting = printable(&format!("{key} = {value}"));
            writeln!(to, "{setting:<40}{DIM} # {origin}{DIM:#}")
        };
        line("profile", &format!("\"{}\"", self.profile.value), &self.profile.origin)?;
        line("select", &list(&self.select.value), &self.select.origin)?;
        line("ignore", &list(&self.ignore.value), &self.ignore.origin)?;
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
        line("elo.from", &self.least_elo.value.to_string(), &self.least_elo.origin)?;
        line("elo.to", &self.greatest_elo.value.to_string(), &self.greatest_elo.origin)?;
        line("dates.from", &day(self.first_day.value), &self.first_day.origin)?;
        match self.last_day.value {
            Some(last) => line("dates.to", &day(last), &self.last_day.origin)?,
            None => line("# dates.to", "no limit", &self.last_day.origin)?,
        }
        for (word, severity) in &self.severity {
            line(&format!("severity.{word}"), &format!("\"{}\"", severity.value.as_str()), &severity.origin)?;
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

/// `chess-audit settings`.
pub fn run(arguments: &SettingsArguments) -> anyhow::Result<Outcome> {
    let choice = Choice::of(&arguments.choice)?;
    // What cannot be in force is told here, not first in the night.
    choice.selection()?;
    choice.exceptions()?;
    choice.print(&mut anstream::stdout().lock())?;
    Ok(Outcome::Clean)
}

/// The first that anybody has said: on the command line, in the file, or nobody.
fn chosen<T>(argument: Option<T>, file: Option<Set<T>>, default: T) -> Set<T> {
    match (argument, file) {
        (Some(value), _) => Set { value, origin: Origin::CommandLine },
        (None, Some(set)) => set,
        (None, None) => Set { value: default, origin: Origin::Default },
    }
}

/// Fails where a range ends before it begins, and says which of its ends somebody has set.
fn in_order<A, B>(key: &str, from: &Set<A>, to: &Set<B>, reversed: bool) -> anyhow::Result<()> {
    let origin = if to.origin == Origin::Default { &from.origin } else { &to.origin };
    anyhow::ensure!(!reversed, "{origin}: `{key}` ends before it begins");
    Ok(())
}

/// The settings file of the working directory, or of the nearest directory above that has one.
fn found_upwards() -> io::Result<Option<PathBuf>> {
    let here = std::env::current_dir()?;
    for (steps, folder) in here.ancestors().enumerate() {
        if folder.join(FILE_NAME).is_file() {
            // As short as can be, so that it can be read in a message.
            return Ok(Some(if steps <= 3 { "../".repeat(steps).into() } else { folder.to_owned() })
                .map(|folder: PathBuf| folder.join(FILE_NAME)));
        }
    }
    Ok(None)
}

/// Tells lines from bytes in a settings file.
#[derive(Debug, Default)]
struct Lines {
    name: String,
    text: String,
}

impl Lines {
    fn at<T>(&self, span: std::ops::Range<usize>, value: T) -> Set<T> {
        let line = self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1;
        Set { value, origin: Origin::File { name: self.name.clone(), line } }
    }

    fn spanned<T>(&self, value: Spanned<T>) -> Set<T> {
        self.at(value.span(), value.into_inner())
    }

    fn parsed<T>(&self, word: Spanned<String>, parse: impl FnOnce(&str) -> Result<T, String>) -> anyhow::Result<Set<T>> {
        let Set { value, origin } = self.spanned(word);
        match parse(&value) {
            Ok(value) => Ok(Set { value, origin }),
            Err(reason) => anyhow::bail!("{origin}: {reason}"),
        }
    }
}

fn read(path: &Path) -> anyhow::Result<(Said, Lines)> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read the settings file `{}`", path.display()))?;
    let lines = Lines { name: path.display().to_string(), text };
    let said = toml::from_str(&lines.text).map_err(|error| {
        let line = error.span().map(|span| lines.at(span, ()).origin);
        let message = told(error.message());
        match line {
            Some(line) => anyhow::anyhow!("{line}: {message}"),
            None => anyhow::anyhow!("{}: {message}", lines.name),
        }
    })?;
    Ok((said, lines))
}

/// What a message of the TOML reader says: of a word that it does not know, which one may be meant, or which there are.
fn told(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let (what, unknown) = match (message, words.next()) {
        (message, Some(word)) if message.starts_with("unknown field") => ("there is no setting", word),
        (message, Some(word)) if message.starts_with("unknown variant") => ("there is no", word),
        (message, Some(word)) if message.starts_with("missing field") => return format!("`{word}` is missing"),
        _ => return message.to_owned(),
    };
    let likeness = |known: &str| strsim::jaro_winkler(&unknown.replace('_', "-").to_ascii_lowercase(), known);
    let known: Vec<&str> = words.collect();
    match known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
        Some(nearest) if likeness(nearest) > 0.75 => format!("{what} `{unknown}`; did you mean `{nearest}`?"),
        _ => format!("{what} `{unknown}`; there are {}", known.join(", ")),
    }
}

fn globs(patterns: &[String]) -> anyhow::Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = if pattern.contains('/') { pattern.clone() } else { format!("**/{pattern}") };
        set.add(GlobBuilder::new(&pattern).literal_separator(true).build()?);
    }
    Ok(set.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_nearly_right_is_suggested() {
        let of = |text: &str| told(toml::from_str::<Said>(text).expect_err("something is wrong").message());
        assert_eq!(of("fail_on = \"error\""), "there is no setting `fail_on`; did you mean `fail-on`?");
        assert_eq!(of("slect = []"), "there is no setting `slect`; did you mean `select`?");
        assert_eq!(of("[elo]\nform = 1"), "there is no setting `form`; did you mean `from`?");
        let except = "[[except]]\npath = []\nrules = []\nreason = \"\"";
        assert_eq!(of(except), "there is no setting `path`; did you mean `paths`?");
        assert_eq!(of("profile = \"stict\""), "there is no `stict`; did you mean `strict`?");
        assert_eq!(of("severity.MOV = \"fatal\""), "there is no `fatal`; there are info, warning, error");
        let of_colour = of("colour = 1");
        assert!(of_colour.starts_with("there is no setting `colour`; there are profile, select, "), "{of_colour}");
        assert_eq!(of("dates.to = \"2026.13.01\""), "`2026.13.01` is no day; write one as \"2026.12.31\"");
        assert_eq!(of("dates.from = 1990"), "`1990` is no day; write one as \"2026.12.31\"");
    }

    #[test]
    fn days_are_written_as_in_pgn_or_as_everywhere_else() -> anyhow::Result<()> {
        for text in ["\"1990.05.01\"", "\"1990-05-01\"", "1990-05-01"] {
            let said: Said = toml::from_str(&format!("dates.from = {text}"))?;
            assert_eq!(said.dates.from.map(Spanned::into_inner), Some(Day(Date::constant(1990, 5, 1))), "{text}");
        }
        Ok(())
    }

    #[test]
    fn globs_without_a_slash_mean_names() -> anyhow::Result<()> {
        let set = globs(&["old*.pgn".to_owned(), "books/*.epd".to_owned(), "raw/**".to_owned()])?;
        for name in ["old1.pgn", "a/b/old2.pgn", "books/x.epd", "raw/a/b.pgn"] {
            assert!(set.is_match(name), "{name}");
        }
        for name in ["books/a/x.epd", "a/books/x.epd", "new.pgn"] {
            assert!(!set.is_match(name), "{name}");
        }
        Ok(())
    }
}
