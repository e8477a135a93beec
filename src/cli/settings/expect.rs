//! The table `[expect]` of the settings file.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use crate::{
    corpus::Globs,
    pipeline::{Expectations, ExpectedInputs, ExpectedOfRun, SetAt},
    rules::{Bounds, Ceiling, Quantity, rules_called},
};
use anyhow::Context;
use toml::{Table, Value};

use crate::cli::text::{join_or, read_bounded};

/// Maximum size of a list of counts. That of Lichess has 10 kB.
const MAX_COUNTS_BYTES: u64 = 16 << 20;

/// The key of the path of a list of counts.
const COUNTS: &str = "counts";

/// The key of the path of a list of digests.
const DIGESTS: &str = "digests";

/// The key that says whether inputs may lose records from night to night.
const SHRINK: &str = "shrink";

/// An entry of the table.
#[derive(Debug)]
pub enum Expect {
    /// Bounds of what is in all inputs.
    OfRun(Quantity, Bounds),
    /// Bounds of what is in each input that matches the key.
    OfInputs(Vec<(Quantity, Bounds)>),
    /// Maximum number of findings of the rules that the key names.
    Findings(Ceiling),
    /// The path of a list with the number of games of each file.
    Counts(PathBuf),
    /// The path of a list with the SHA-256 digest of each file.
    Digests(PathBuf),
    /// Whether inputs may lose records from night to night. A run on its own cannot tell.
    Shrink(bool),
}

impl Expect {
    /// Reads an entry. A path is relative to `directory`.
    pub fn read(key: &str, value: Value, directory: &Path) -> anyhow::Result<Expect> {
        if let COUNTS | DIGESTS = key {
            let path = value.as_str().with_context(|| format!("`{key}` is not the path of a file"))?;
            let path = directory.join(path);
            return Ok(if key == COUNTS { Expect::Counts(path) } else { Expect::Digests(path) });
        }
        if key == SHRINK {
            return Ok(Expect::Shrink(value.as_bool().with_context(|| format!("`{SHRINK}` is not true or false"))?));
        }
        if let Some(quantity) = quantity(key) {
            return Ok(Expect::OfRun(quantity, bounds(&value)?));
        }
        let ceiling = match value {
            Value::Table(counts) => return of_inputs(&counts),
            Value::Integer(number) => number.to_string(),
            Value::String(text) => text,
            other => anyhow::bail!("a value of type {} is not a number of findings", other.type_str()),
        };
        rules_called(key)?;
        Ok(Expect::Findings(ceiling.parse()?))
    }
}

impl fmt::Display for Expect {
    /// The value as in a settings file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expect::OfRun(_, bounds) => write_bounds(f, *bounds),
            Expect::OfInputs(counts) => {
                f.write_str("{")?;
                for (number, (quantity, bounds)) in counts.iter().enumerate() {
                    write!(f, "{} {} = ", if number > 0 { "," } else { "" }, quantity.as_str())?;
                    write_bounds(f, *bounds)?;
                }
                f.write_str(" }")
            }
            Expect::Findings(Ceiling { most, is_per_million: false }) => write!(f, "{most}"),
            Expect::Findings(Ceiling { most, is_per_million: true }) => write!(f, "\"{most} per million\""),
            Expect::Counts(path) | Expect::Digests(path) => write!(f, "{:?}", path.display().to_string()),
            Expect::Shrink(may) => write!(f, "{may}"),
        }
    }
}

fn write_bounds(f: &mut fmt::Formatter<'_>, bounds: Bounds) -> fmt::Result {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) if min == max => write!(f, "{min}"),
        (Some(min), Some(max)) => write!(f, "{{ min = {min}, max = {max} }}"),
        (Some(min), None) => write!(f, "{{ min = {min} }}"),
        (None, Some(max)) => write!(f, "{{ max = {max} }}"),
        (None, None) => f.write_str("{}"),
    }
}

/// The key as in a settings file.
pub fn written_key(key: &str) -> String {
    let is_bare = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if is_bare { key.to_owned() } else { format!("{key:?}") }
}

fn quantity(key: &str) -> Option<Quantity> {
    Quantity::ALL.into_iter().find(|quantity| quantity.as_str() == key)
}

fn of_inputs(counts: &Table) -> anyhow::Result<Expect> {
    let of_input = Quantity::ALL.into_iter().filter(|quantity| *quantity != Quantity::Inputs);
    let known: Vec<&str> = of_input.map(Quantity::as_str).collect();
    let read = |(key, value): (&String, &Value)| {
        let quantity = quantity(key).filter(|quantity| known.contains(&quantity.as_str()));
        let quantity = quantity.with_context(|| format!("`{key}` of an input is not counted; expected {}", join_or(&known)))?;
        Ok((quantity, bounds(value).with_context(|| key.clone())?))
    };
    counts.iter().map(read).collect::<anyhow::Result<_>>().map(Expect::OfInputs)
}

fn bounds(value: &Value) -> anyhow::Result<Bounds> {
    const EXPECTED: &str = "expected a number, or { min = N, max = N }";
    let number = |value: &Value| value.as_integer().and_then(|number| u64::try_from(number).ok()).context(EXPECTED);
    let Value::Table(table) = value else { return number(value).map(Bounds::exactly) };
    let mut bounds = Bounds::default();
    for (key, value) in table {
        match key.as_str() {
            "min" => bounds.min = Some(number(value)?),
            "max" => bounds.max = Some(number(value)?),
            _ => anyhow::bail!("unknown bound `{key}`; {EXPECTED}"),
        }
    }
    let is_reversed = bounds.min.zip(bounds.max).is_some_and(|(min, max)| min > max);
    anyhow::ensure!(!is_reversed, "`min` is greater than `max`");
    Ok(bounds)
}

/// What all entries expect. Globs are relative to `directory`.
pub fn expectations<'e>(
    entries: impl Iterator<Item = (&'e str, &'e Expect, SetAt)>,
    directory: &Path,
) -> anyhow::Result<Expectations> {
    let mut expectations = Expectations::default();
    for (key, expect, set_at) in entries {
        match expect {
            Expect::OfRun(quantity, bounds) => expectations.of_run.push((set_at, ExpectedOfRun::Count(*quantity, *bounds))),
            Expect::Findings(ceiling) => {
                let rules = rules_called(key)?.into_iter().map(|rule| rule.code).collect();
                expectations.of_run.push((set_at, ExpectedOfRun::Findings(key.to_owned(), rules, *ceiling)));
            }
            Expect::OfInputs(counts) => {
                let names = Globs::new(&[key], directory).with_context(|| format!("{set_at}, expect"))?;
                let expected = ExpectedInputs { glob: key.to_owned(), names, counts: counts.clone() };
                expectations.of_inputs.push((set_at, expected));
            }
            Expect::Digests(path) => {
                expectations.of_run.extend(digests(path).with_context(|| format!("{set_at}, {DIGESTS}"))?);
            }
            Expect::Shrink(_) => {}
            Expect::Counts(path) => expectations.published = published(path).with_context(|| format!("{set_at}, {COUNTS}"))?,
        }
    }
    Ok(expectations)
}

/// Reads a list as `sha256sum` prints it: a digest and the name of a file on each line.
fn digests(path: &Path) -> anyhow::Result<Vec<(SetAt, ExpectedOfRun)>> {
    let bytes = read_bounded(path, MAX_COUNTS_BYTES).with_context(|| format!("cannot read `{}`", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let file = path.display().to_string();
    let mut expected = Vec::new();
    let mut byte = 0;
    for (line, text) in (1..).zip(text.split_inclusive('\n')) {
        let set_at = SetAt { file: file.clone(), line, byte };
        byte += text.len();
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let entry = text.split_once(char::is_whitespace);
        let entry = entry.filter(|(digest, _)| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let (digest, name) = entry.with_context(|| format!("{set_at}: expected a SHA-256 digest and the name of a file"))?;
        // A star marks a file that was read as bytes.
        let name = name.trim_start().trim_start_matches('*');
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        expected.push((set_at, ExpectedOfRun::Digest { file: name, sha256: digest.to_ascii_lowercase() }));
    }
    Ok(expected)
}

/// Reads a list with a name and a number of games on each line.
fn published(path: &Path) -> anyhow::Result<BTreeMap<String, (String, u64)>> {
    let bytes = read_bounded(path, MAX_COUNTS_BYTES).with_context(|| format!("cannot read `{}`", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let file = path.display().to_string();
    let mut published = BTreeMap::new();
    for (line, text) in (1..).zip(text.lines().map(str::trim)).filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
        let entry = text.rsplit_once(char::is_whitespace).and_then(|(name, games)| Some((name.trim_end(), games.parse().ok()?)));
        let (name, games) =
            entry.with_context(|| format!("{file}:{line}: expected the name of a file and its number of games"))?;
        published.insert(name.trim_start_matches("./").to_owned(), (format!("{file}:{line}"), games));
    }
    Ok(published)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> anyhow::Result<Expect> {
        let table: Table = toml::from_str(text)?;
        let (key, value) = table.into_iter().next().context("no entry")?;
        Expect::read(&key, value, Path::new("set"))
    }

    #[test]
    fn entries_are_shown_as_they_are_written() -> anyhow::Result<()> {
        for text in [
            "games = 812",
            "inputs = { min = 3 }",
            "positions = { min = 3, max = 5 }",
            "\"2024/*.pgn\" = { games = 812 }",
            "\"2024/*.pgn\" = { bytes = { max = 9 }, games = { min = 1 } }",
            "MOV01 = \"2 per million\"",
            "illegal-move = 10",
            "MOV = 0",
            "shrink = true",
        ] {
            let key = text.split(" = ").next().context("no key")?;
            assert_eq!(format!("{} = {}", written_key(key.trim_matches('"')), entry(text)?), text);
        }
        Ok(())
    }

    #[test]
    fn what_cannot_be_expected_is_refused() {
        for (text, message) in [
            ("games = \"many\"", "expected a number, or { min = N, max = N }"),
            ("games = -1", "expected a number, or { min = N, max = N }"),
            ("games = { least = 1 }", "unknown bound `least`; expected a number, or { min = N, max = N }"),
            ("games = { min = 2, max = 1 }", "`min` is greater than `max`"),
            ("\"a.pgn\" = { inputs = 1 }", "`inputs` of an input is not counted; expected games, positions, plies or bytes"),
            ("MOV01 = \"few\"", "`few` is not a number of findings, such as 10 or \"2 per million\""),
            ("MOV01 = true", "a value of type boolean is not a number of findings"),
            ("shrink = 1", "`shrink` is not true or false"),
            ("counts = 3", "`counts` is not the path of a file"),
        ] {
            assert_eq!(entry(text).map(|_| ()).map_err(|error| error.to_string()), Err(message.to_owned()), "{text}");
        }
        assert!(entry("game = 3").is_err_and(|error| error.to_string().contains("`game` is not a rule code")));
    }
}
