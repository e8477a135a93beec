//! Settings: what the file `chess-audit.toml` says, what the command line says, and what is in force.

use std::{
    collections::BTreeMap,
    fmt::Display,
    fs, io,
    io::Write,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use anstyle::Style;
use anyhow::Context;
use chess_audit::{
    pipeline::Exception,
    report::AskedException,
    rules::{CodeSet, Profile, Selection, Severity, rules_called},
};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
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
    severity: BTreeMap<Spanned<String>, Spanned<Severity>>,
    except: Vec<Spanned<Except>>,
}

/// The keys of a settings file, for suggestions.
const KEYS: [&str; 8] = ["profile", "select", "ignore", "fail-on", "max-rows", "baseline", "severity", "except"];

/// Rules that do not hold for some inputs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Except {
    /// Globs. One without a slash means files of that name wherever they are.
    paths: Vec<String>,
    rules: Vec<String>,
    reason: String,
}

/// The keys of an exception, for suggestions.
const EXCEPT_KEYS: [&str; 3] = ["paths", "rules", "reason"];

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
            Some(path) => read(path).with_context(|| format!("the settings file `{}`", path.display()))?,
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
            severity,
            except,
            file,
        })
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
        for (word, severity) in &self.severity {
            selection = selection.with_severity(word, severity.value)?;
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
        line("fail-on", &format!("\"{}\"", self.fail_on.value.word()), &self.fail_on.origin)?;
        match self.max_rows.value {
            Some(rows) => line("max-rows", &rows.to_string(), &self.max_rows.origin)?,
            None => line("# max-rows", "no limit", &self.max_rows.origin)?,
        }
        match &self.baseline.value {
            Some(path) => line("baseline", &format!("{:?}", path.display().to_string()), &self.baseline.origin)?,
            None => line("# baseline", "none", &self.baseline.origin)?,
        }
        for (word, severity) in &self.severity {
            line(&format!("severity.{word}"), &format!("\"{}\"", severity.value.word()), &severity.origin)?;
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
    fn at<T>(&self, span: Range<usize>, value: T) -> Set<T> {
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
    let text = fs::read_to_string(path).context("it cannot be read")?;
    let lines = Lines { name: path.display().to_string(), text };
    let said = toml::from_str(&lines.text).map_err(|error| {
        let line = error.span().map(|span| lines.at(span, ()).origin);
        let message = error.message().to_owned();
        let hint = suggestion(&message).map(|key| format!("; did you mean `{key}`?")).unwrap_or_default();
        match line {
            Some(line) => anyhow::anyhow!("{line}: {message}{hint}"),
            None => anyhow::anyhow!("{message}{hint}"),
        }
    })?;
    Ok((said, lines))
}

/// The key that is nearest to the unknown one of which a message of the TOML reader speaks.
fn suggestion(message: &str) -> Option<&'static str> {
    let key = message.strip_prefix("unknown field `")?.split('`').next()?;
    let key = key.replace('_', "-").to_ascii_lowercase();
    let keys: &[&str] = if message.contains("`paths`") { &EXCEPT_KEYS } else { &KEYS };
    let near = |known: &&&str| strsim::jaro_winkler(&key, known) > 0.75;
    keys.iter().filter(near).max_by(|a, b| strsim::jaro_winkler(&key, a).total_cmp(&strsim::jaro_winkler(&key, b))).copied()
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
    fn a_key_that_is_nearly_right_is_suggested() {
        let unknown = |text: &str| toml::from_str::<Said>(text).expect_err("the key is unknown").message().to_owned();
        assert_eq!(suggestion(&unknown("fail_on = \"error\"")), Some("fail-on"));
        assert_eq!(suggestion(&unknown("slect = []")), Some("select"));
        assert_eq!(suggestion(&unknown("[[except]]\npath = []\nrules = []\nreason = \"\"")), Some("paths"));
        assert_eq!(suggestion(&unknown("colour = 1")), None);
    }

    #[test]
    fn keys_for_suggestions_are_those_that_may_be_said() {
        let message = toml::from_str::<Said>("colour = 1").expect_err("the key is unknown").message().to_owned();
        for key in KEYS {
            assert!(message.contains(&format!("`{key}`")), "{key}: {message}");
        }
        assert_eq!(message.matches("`").count(), 2 * (KEYS.len() + 1), "{message}");
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
