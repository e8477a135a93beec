//! The settings file: where it is, its text, and the lines of its values.

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use anyhow::Context;
use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::cli::text::{join_or, read_bounded};

/// The name of the settings file.
pub const FILE_NAME: &str = "chess-audit.toml";

/// Maximum size of a settings file.
const MAX_BYTES: u64 = 1 << 20;

/// The source of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Nothing was given.
    #[default]
    Default,
    /// A settings file.
    File {
        /// The path of the file.
        name: String,
        /// The line, from 1.
        line: usize,
    },
    /// The command line.
    CommandLine,
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { name, line } => write!(f, "{name}:{line}"),
            Origin::CommandLine => f.write_str("command line"),
        }
    }
}

/// The text of a settings file; empty if there is none.
#[derive(Clone, Debug, Default)]
pub struct SettingsText {
    /// The path of the file.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
}

impl SettingsText {
    /// Reads the file at `path`, or the one of the working directory or its parents, unless there
    /// shall be none.
    pub fn find(path: Option<PathBuf>, no_file: bool) -> anyhow::Result<SettingsText> {
        let path = match path {
            Some(path) => Some(path),
            None if no_file => None,
            None => find_settings_file()?,
        };
        let Some(path) = path else { return Ok(SettingsText::default()) };
        let text = read_bounded(&path, MAX_BYTES).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let text = text.with_context(|| format!("cannot read the settings file `{}`", path.display()))?;
        Ok(SettingsText { path: Some(path), text })
    }

    /// The directory of the file, to which its paths are relative.
    pub fn directory(&self) -> &Path {
        self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// The line of the byte `at`.
    pub fn origin(&self, at: usize) -> Origin {
        let name = self.path.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
        let line = self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        Origin::File { name, line }
    }

    /// All keys with their values.
    pub fn entries(&self) -> anyhow::Result<BTreeMap<Spanned<String>, Spanned<toml::Value>>> {
        self.parse(&[])
    }

    /// Replaces bytes by spaces, but for line ends: all other places stay.
    pub fn blank(&mut self, bytes: Range<usize>) {
        let Some(old) = self.text.get(bytes.clone()) else { return };
        let spaces = old.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
        self.text.replace_range(bytes, &spaces);
    }

    /// The values of all keys. `options` are known keys that are not in `T`.
    pub fn parse<T: DeserializeOwned>(&self, options: &[&str]) -> anyhow::Result<T> {
        toml::from_str(&self.text).map_err(|error| {
            let message = improved_message(error.message(), options);
            match error.span() {
                Some(span) => anyhow::anyhow!("{}: {message}", self.origin(span.start)),
                None => anyhow::anyhow!("{}: {message}", self.path.as_deref().unwrap_or(Path::new(FILE_NAME)).display()),
            }
        })
    }
}

/// Where the options of an audit come from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The settings file, without its options.
    pub text: SettingsText,
    /// The options: each with its value as in a settings file, if it has one, and where that comes
    /// from.
    pub options: BTreeMap<String, (Option<String>, Origin)>,
}

impl Sources {
    /// Where the value of an option comes from.
    pub fn origin(&self, option: &str) -> Origin {
        self.options.get(option).map(|(_, origin)| origin.clone()).unwrap_or_default()
    }
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

/// A message of the TOML parser, with a suggestion or a list of the known names.
fn improved_message(message: &str, options: &[&str]) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (kind, unknown) = match (message, quoted.next()) {
        (message, Some(name)) if message.starts_with("unknown field") => ("setting", name),
        (message, Some(name)) if message.starts_with("unknown variant") => ("value", name),
        (message, Some(name)) if message.starts_with("missing field") => return format!("missing setting `{name}`"),
        _ => return message.to_owned(),
    };
    let mut known: Vec<&str> = quoted.collect();
    if known.contains(&"severity") {
        known.extend(options);
    }
    // An option of one run is no setting.
    known.retain(|known| *known != unknown);
    match nearest_name(unknown, &known) {
        Some(nearest) => format!("unknown {kind} `{unknown}`; did you mean `{nearest}`?"),
        None => format!("unknown {kind} `{unknown}`; expected {}", join_or(&known)),
    }
}

/// The name that is most like an unknown one, if one is like it.
pub fn nearest_name<'a>(unknown: &str, known: &[&'a str]) -> Option<&'a str> {
    let similarity = |known: &str| strsim::jaro_winkler(&unknown.replace('_', "-").to_ascii_lowercase(), known);
    known.iter().copied().max_by(|a, b| similarity(a).total_cmp(&similarity(b))).filter(|nearest| similarity(nearest) > 0.75)
}
