//! Options, from the command line and from the settings file. Each option of an audit is a setting
//! of the same name: what the file says is read as if it were written on the command line, unless
//! that says something else.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use clap::{
    Arg, ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, ValueHint,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};

use super::{
    file::{FILE_NAME, Origin, SettingsText, Sources, nearest_name},
    offered::{is_only_in_file, is_setting},
};
use crate::{
    cli::{
        args::{Arguments, AuditArguments, Command, SettingsArguments, ShardsCommand},
        text::join_or,
    },
    rules::{Rule, rules_called},
};

/// Commands that audit as the settings file says, or print it.
const WITH_SETTINGS: [&str; 5] = ["check", "clean", "merge", "nightly", "settings"];

/// Why arguments cannot be read.
#[derive(Debug)]
pub enum OptionsError {
    /// What is on the command line is wrong, or asks for help.
    Usage(clap::Error),
    /// The settings file is wrong, or an option is written as in an earlier version.
    File(anyhow::Error),
}

/// Reads the words of a command line, and the settings file if the command uses one.
pub fn read(words: &[OsString]) -> Result<Arguments, OptionsError> {
    if let Some(number) = number_after_certify(words) {
        let error = anyhow::anyhow!("the number of `--certify` follows an equals sign: `--certify={number}`");
        return Err(OptionsError::File(error));
    }
    let mut command = Arguments::command();
    let mut parsed = command.try_get_matches_from_mut(words).map_err(OptionsError::Usage)?;
    let sources = match leaf(&command, &parsed) {
        (inner, given) if WITH_SETTINGS.contains(&inner.get_name()) => {
            let (sources, merged) = with_file(words, &command, inner, given)?;
            parsed = merged.unwrap_or(parsed);
            Some(Arc::new(sources))
        }
        _ => None,
    };
    let mut arguments = Arguments::from_arg_matches_mut(&mut parsed).map_err(OptionsError::Usage)?;
    let splits_copies = matches!(&arguments.command, Command::Check(check) if name_copies(&check.split.split_on));
    if let Some(audit) = audit_of(&mut arguments) {
        audit.options.duplicates |= splits_copies || name_copies(&audit.select) || audit.spelling.is_some();
        audit.options.duplicates |= audit.players.is_some();
        if let Some(sources) = sources {
            audit.sources = sources;
        }
    }
    Ok(arguments)
}

/// A number that follows `--certify` as a word of its own. It would be read as a path or as a part
/// of a FEN, because `--certify` needs no number.
fn number_after_certify(words: &[OsString]) -> Option<&str> {
    let options = words.split(|word| word == "--").next().unwrap_or_default();
    let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    options.windows(2).filter(|pair| pair[0] == "--certify").find_map(|pair| pair[1].to_str().filter(is_number))
}

/// Whether words name a rule about copies: who asks for one wants copies to be looked for.
fn name_copies(words: &[String]) -> bool {
    words.iter().filter_map(|word| rules_called(word).ok()).flatten().any(Rule::is_about_copies)
}

/// Where the options of `inner` come from, of which `given` are on the command line; and all that
/// is given, if the settings file adds something.
fn with_file(
    words: &[OsString],
    command: &clap::Command,
    inner: &clap::Command,
    given: &ArgMatches,
) -> Result<(Sources, Option<ArgMatches>), OptionsError> {
    let is_given = |arg: &Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    if let Some(arg) = inner.get_arguments().find(|arg| is_given(arg) && is_only_in_file(inner.get_name(), arg)) {
        let (name, value) = (arg.get_long().unwrap_or_default(), written(arg, given).unwrap_or_default());
        let error = anyhow::anyhow!("`--{name}` was removed: write `{name} = {value}` in {FILE_NAME}");
        return Err(OptionsError::File(error));
    }
    let config = given.get_one::<PathBuf>("config").cloned();
    let mut text = SettingsText::find(config, given.get_flag("no_config")).map_err(OptionsError::File)?;
    let parse = |words: &[OsString]| command.clone().try_get_matches_from(words);
    let (mut all, mut merged, mut origins) = (words.to_vec(), None, BTreeMap::new());
    if text.path.is_some() {
        let of_command = |option: &str| inner.get_arguments().find(|arg| arg.get_long() == Some(option));
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let in_file = take_options(&mut text).map_err(OptionsError::File)?.into_iter();
        let mut left: Vec<Given> = in_file.filter(|given| of_command(&given.option).is_some_and(|arg| !is_given(arg))).collect();
        // What needs another option, or cannot be used with one on the command line, is left.
        while let Some((at, matches)) =
            left.iter().enumerate().find_map(|(at, given)| Some((at, parse(&with(&all, end, &given.words)).ok()?)))
        {
            let Given { option, words, origin } = left.remove(at);
            (all, merged) = (with(&all, end, &words), Some(matches));
            origins.insert(option, origin);
        }
        // What could be used without the rest of the file contradicts it.
        for Given { words: more, origin, .. } in &left {
            if let (Ok(_), Err(error)) = (parse(&with(words, end, more)), parse(&with(&all, end, more))) {
                return Err(OptionsError::File(anyhow::anyhow!("{origin}: {}", first_line(&error))));
            }
        }
    }
    let values = merged.as_ref().map_or(given, |merged| leaf(command, merged).1);
    let options = inner.get_arguments().filter(|arg| is_setting(arg)).filter_map(|arg| {
        let name = arg.get_long()?;
        let origin = origins.remove(name).unwrap_or(if is_given(arg) { Origin::CommandLine } else { Origin::Default });
        Some((name.to_owned(), (written(arg, values), origin)))
    });
    let options = options.collect();
    Ok((Sources { text, options }, merged))
}

/// The options of an audit as the settings file says, with these words from the command line.
pub fn of_file(config: Option<&Path>, no_config: bool, words: &[OsString]) -> anyhow::Result<AuditArguments> {
    let mut all: Vec<OsString> = vec!["chess-audit".into(), "settings".into()];
    all.extend(config.into_iter().flat_map(|path| ["--config".into(), path.into()]));
    all.extend(no_config.then(|| "--no-config".into()));
    all.extend_from_slice(words);
    match read(&all) {
        Ok(Arguments { command: Command::Settings(arguments), .. }) => Ok(arguments.into_inner().audit),
        Ok(_) => anyhow::bail!("`settings` is another command"),
        Err(OptionsError::File(error)) => Err(error),
        Err(OptionsError::Usage(error)) => Err(error.into()),
    }
}

fn audit_of(arguments: &mut Arguments) -> Option<&mut AuditArguments> {
    match &mut arguments.command {
        Command::Check(arguments) => Some(&mut arguments.audit),
        Command::Nightly(arguments) => Some(&mut arguments.audit),
        Command::Clean(arguments) => Some(&mut arguments.audit),
        Command::Settings(arguments) => Some(&mut arguments.audit),
        Command::Shards(arguments) => match &mut arguments.command {
            ShardsCommand::Merge(arguments) => Some(&mut arguments.audit),
            ShardsCommand::Plan(_) | ShardsCommand::SparkJob => None,
        },
        _ => None,
    }
}

/// The innermost command, and what is given to it.
fn leaf<'a>(mut command: &'a clap::Command, mut matches: &'a ArgMatches) -> (&'a clap::Command, &'a ArgMatches) {
    while let Some((name, inner)) = matches.subcommand() {
        command = command.find_subcommand(name).unwrap_or(command);
        matches = inner;
    }
    (command, matches)
}

/// The words, with more of them before `end`.
fn with(words: &[OsString], end: usize, more: &[OsString]) -> Vec<OsString> {
    [&words[..end], more, &words[end..]].concat()
}

/// What a settings file says about an option.
struct Given {
    option: String,
    words: Vec<OsString>,
    origin: Origin,
}

/// Takes the options out of a settings file.
fn take_options(text: &mut SettingsText) -> anyhow::Result<Vec<Given>> {
    let settings = SettingsArguments::augment_args(clap::Command::new("settings"));
    let mut taken = Vec::new();
    for (key, value) in text.entries()? {
        let Some(arg) = settings.get_arguments().find(|arg| arg.get_long() == Some(key.as_ref()) && is_setting(arg)) else {
            continue;
        };
        let origin = text.origin(key.span().start);
        text.blank(key.span().start..value.span().end);
        let words = words_of(arg, value.into_inner(), text.directory()).with_context(|| origin.to_string())?;
        check(key.as_ref(), &words).with_context(|| origin.to_string())?;
        taken.push(Given { option: key.into_inner(), words, origin });
    }
    Ok(taken)
}

/// An option of a settings file as on the command line. Paths are relative to the file.
fn words_of(arg: &Arg, value: toml::Value, directory: &Path) -> anyhow::Result<Vec<OsString>> {
    let name = arg.get_long().unwrap_or_default();
    let word = |value: toml::Value| {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Datetime(date) => date.to_string(),
            other => anyhow::bail!("`{name}` cannot be of the type {}", other.type_str()),
        };
        let mut word = OsString::from(format!("--{name}="));
        let is_path = arg.get_value_hint() == ValueHint::AnyPath;
        word.push(if is_path { directory.join(text).into_os_string() } else { text.into() });
        anyhow::Ok(word)
    };
    let is_list = matches!(arg.get_action(), ArgAction::Append);
    match value {
        toml::Value::Boolean(is_set) if matches!(arg.get_action(), ArgAction::SetTrue) => {
            Ok(if is_set { vec![format!("--{name}").into()] } else { Vec::new() })
        }
        _ if matches!(arg.get_action(), ArgAction::SetTrue) => anyhow::bail!("`{name}` must be true or false"),
        toml::Value::Array(values) if is_list => values.into_iter().map(word).collect(),
        value => Ok(vec![word(value)?]),
    }
}

/// Fails if no command can have an option with this value.
fn check(name: &str, words: &[OsString]) -> anyhow::Result<()> {
    let command = ["chess-audit", "settings"].map(OsString::from);
    let Err(error) = Arguments::command().try_get_matches_from([&command[..], words].concat()) else { return Ok(()) };
    if !matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
        return Ok(());
    }
    let invalid = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(invalid)) => invalid.as_str(),
        _ => "",
    };
    if let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue).filter(|_| !invalid.is_empty()) {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        match nearest_name(invalid, &known) {
            Some(nearest) => anyhow::bail!("unknown value `{invalid}`; did you mean `{nearest}`?"),
            None => anyhow::bail!("unknown value `{invalid}`; expected {}", join_or(&known)),
        }
    }
    let message = first_line(&error);
    let reason = message.rsplit_once(": ").map_or(message.as_str(), |(_, reason)| reason);
    anyhow::bail!("`{invalid}` is no value of `{name}`: {reason}")
}

/// The first line of an error, which says what is wrong.
fn first_line(error: &clap::Error) -> String {
    let message = error.to_string();
    message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// The value of an option as in a settings file. `None` if it has none.
fn written(arg: &Arg, matches: &ArgMatches) -> Option<String> {
    let id = arg.get_id().as_str();
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return Some(matches.get_flag(id).to_string());
    }
    let word = |word: &OsStr| match word.to_string_lossy() {
        number if number.parse::<u64>().is_ok() => number.into_owned(),
        text => format!("{text:?}"),
    };
    let values: Vec<String> = matches.get_raw(id).into_iter().flatten().map(word).collect();
    match arg.get_action() {
        ArgAction::Append => Some(format!("[{}]", values.join(", "))),
        _ => values.into_iter().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> SettingsText {
        SettingsText { path: Some("club/a.toml".into()), text: text.to_owned() }
    }

    #[test]
    fn options_in_a_file_are_those_of_the_command_line() -> anyhow::Result<()> {
        let mut text = text(
            "select = [\"MOV\",\n  \"RES\"]\neco = \"e.tsv\"\ndeep = true\nexhaustive = false\nthreads = 2\n[elo]\nto = 9\n",
        );
        let taken = take_options(&mut text)?;
        let words: Vec<&str> = taken.iter().flat_map(|given| &given.words).filter_map(|word| word.to_str()).collect();
        let eco = format!("--eco={}", Path::new("club").join("e.tsv").display());
        assert_eq!(words, ["--deep", &eco, "--select=MOV", "--select=RES", "--threads=2"]);
        assert_eq!(text.text.trim_start(), "[elo]\nto = 9\n");
        assert_eq!(text.text.lines().count(), 8);
        Ok(())
    }

    #[test]
    fn errors_in_a_file_say_where_and_what_is_expected() {
        for (line, expected) in [
            ("profile = \"stict\"", "unknown value `stict`; did you mean `strict`?"),
            ("fail-on = \"x\"", "unknown value `x`; expected error, warning, info or never"),
            ("deep = \"yes\"", "`deep` must be true or false"),
            ("threads = [1]", "`threads` cannot be of the type array"),
            ("engine-nodes = 0", "`0` is no value of `engine-nodes`: 0 is not in 1..18446744073709551615"),
        ] {
            let error = take_options(&mut text(&format!("\n{line}"))).map(|_| ()).expect_err(line);
            assert_eq!(format!("{error:#}"), format!("club/a.toml:2: {expected}"));
        }
    }

    #[test]
    fn a_file_that_contradicts_itself_is_refused() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("a.toml");
        std::fs::write(&file, "html-size = \"1M\"\nno-html = true\n").expect("written");
        let error = of_file(Some(&file), false, &[]).expect_err("a page of a size, and no page").to_string();
        assert!(error.starts_with(&format!("{}:2: ", file.display())) && error.contains("cannot be used with"), "{error}");
        assert!(of_file(Some(&file), false, &["--html-size=5".into()]).is_ok_and(|audit| !audit.no_html));
    }

    #[test]
    fn the_command_line_comes_first() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("a.toml");
        std::fs::write(&file, "no-html = true\nspelling = \"s\"\nexclude = [\"a\"]\nthreads = 3\n").expect("written");
        let audit = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            of_file(Some(&file), false, &words).expect("right")
        };
        let alone = audit(&[]);
        let list = Some(folder.path().join("s"));
        assert_eq!((alone.no_html, alone.spelling, &alone.exclude[..], alone.threads), (true, list, &["a".to_owned()][..], 3));
        let given = audit(&["--html-size", "5", "--duplicates", "--exclude", "b", "--threads", "1"]);
        assert_eq!((given.no_html, &given.exclude[..], given.threads), (false, &["b".to_owned()][..], 1));
        assert_eq!(given.spelling, Some(folder.path().join("s")));
        assert_eq!(given.sources.origin("threads"), Origin::CommandLine);
        assert_eq!(given.sources.origin("spelling"), Origin::File { name: file.display().to_string(), line: 2 });
    }
}
