//! The command line: parses arguments, runs a command and returns an exit code.

pub(crate) mod args;
mod baseline;
mod check;
mod clean;
mod closed_stdout;
mod compare;
mod date;
mod demo;
mod diff;
mod excerpt;
mod explanation;
mod fen;
mod files;
mod fix;
mod freed_memory;
mod init;
mod interrupt;
mod nightly;
mod oracles;
mod outcome;
mod outputs;
mod printer;
mod progress;
mod rules;
mod schema;
pub(crate) mod settings;
mod shards;
mod shell;
mod show;
mod stderr;
mod summary;
mod text;

use std::{
    ffi::{OsStr, OsString},
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use clap::{
    CommandFactory,
    error::{ContextKind, ContextValue, ErrorKind},
};

use args::{Arguments, Command};
use outcome::Outcome;
use printer::STDOUT_FAILED;
use settings::options::OptionsError;
use stderr::print_error;

use crate::spill::use_temporary_directory;

/// Runs the command in `arguments`.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    freed_memory::keep();
    use_temporary_directory(std::env::temp_dir());
    let words = with_command(arguments.collect());
    let arguments = match settings::options::read(&words) {
        Ok(arguments) => arguments,
        Err(OptionsError::Usage(error)) => return ExitCode::from(report_usage(error, &help_command(&words)).code()),
        Err(OptionsError::File(error)) => {
            print_error(&error_chain(&error));
            return ExitCode::from(Outcome::Failed.code());
        }
    };
    arguments.color.write_global();
    if let Err(error) = interrupt::watch() {
        print_error(&format!("cannot handle signals: {error}"));
        return ExitCode::from(Outcome::Failed.code());
    }
    let done = match &arguments.command {
        Command::Check(arguments) => match (&arguments.plan, arguments.shard) {
            (Some(plan), Some(shard)) => shards::check(plan, shard, &arguments.audit),
            _ => check::run(arguments),
        },
        Command::Shards(arguments) => shards::run(arguments),
        Command::Fen(arguments) => fen::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Fix(arguments) => fix::run(arguments),
        Command::Clean(arguments) => clean::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Nightly(arguments) => nightly::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Baseline(arguments) => baseline::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
        Command::Settings(arguments) => settings::resolved::run(arguments),
        Command::Init(arguments) => init::run(arguments),
        Command::Completions(arguments) => shell::completions(arguments),
        Command::Man(arguments) => shell::man(arguments),
    };
    let mut message = String::new();
    let outcome = done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return Outcome::Success;
        }
        message = error_chain(&error);
        print_error(&message);
        Outcome::Failed
    });
    ExitCode::from(flushed(outcome, &message).code())
}

/// The outcome after everything that was printed has been written. An error that `message` has said
/// is not repeated.
fn flushed(outcome: Outcome, message: &str) -> Outcome {
    match text::ignore_broken_pipe(io::stdout().flush()) {
        Ok(()) => outcome,
        Err(error) => {
            let error = format!("{STDOUT_FAILED}: {error}");
            if !message.starts_with(&error) {
                print_error(&error);
            }
            Outcome::Failed
        }
    }
}

const HELP: &str = "chess-audit --help";

/// The arguments, with `check` before the first word if it is a path and not a command.
fn with_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let at = command_place(&words);
    if words.get(at).is_some_and(|word| is_path(word)) {
        words.insert(at, "check".into());
    }
    words
}

/// The place of the command: after the program and the global option.
fn command_place(words: &[OsString]) -> usize {
    match words.get(1).and_then(|word| word.to_str()) {
        Some("--color") => 3,
        Some(word) if word.starts_with("--color=") => 2,
        _ => 1,
    }
}

/// Whether a word is a path. Commands contain no dot and no slash. Any other word is a path only if
/// it exists, so that a misspelled command is not taken for one.
fn is_path(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    if bytes.starts_with(b"-") {
        return bytes == b"-";
    }
    let is_command = || {
        let is_known = |word| settings::removed::is_command(word) || Arguments::command().find_subcommand(word).is_some();
        word == "help" || word.to_str().is_some_and(is_known)
    };
    bytes.iter().any(|byte| *byte == b'.' || std::path::is_separator(char::from(*byte)))
        || (Path::new(word).exists() && !is_command())
}

/// The command that prints the help for these arguments.
fn help_command(words: &[OsString]) -> String {
    let command = words.get(command_place(words)).and_then(|word| word.to_str()).unwrap_or_default();
    match Arguments::command().find_subcommand(command) {
        Some(command) => format!("chess-audit {} --help", command.get_name()),
        None => HELP.to_owned(),
    }
}

/// Prints the help or the version if it was requested, or else the error in one line.
fn report_usage(mut error: clap::Error, help: &str) -> Outcome {
    if let Some(advice) = settings::removed::advice(&error) {
        print_error(&advice);
        return Outcome::Failed;
    }
    // The most similar command comes last.
    if let Some(ContextValue::Strings(similar)) = error.get(ContextKind::SuggestedSubcommand)
        && let Some(most) = similar.last().cloned()
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(most));
    }
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match text::ignore_broken_pipe(error.print()) {
            Ok(()) => flushed(Outcome::Success, ""),
            Err(error) => {
                print_error(&format!("{STDOUT_FAILED}: {error}"));
                Outcome::Failed
            }
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let missing = match help {
            HELP => "missing command: run `chess-audit check PATH` to audit files",
            _ => "missing argument",
        };
        print_error(&format!("{missing}; see `{help}`"));
        return Outcome::Failed;
    }
    let message = error.to_string();
    let mut parts = message.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut line = parts.next().unwrap_or_default();
    for tip in parts.filter(|part| part.starts_with("tip: ")) {
        line.push_str(&format!(" ({tip})"));
    }
    print_error(&format!("{}; see `{help}`", line.trim_start_matches("error: ")));
    Outcome::Failed
}

/// An error and its causes. Some messages include their cause; it is not repeated.
fn error_chain(error: &anyhow::Error) -> String {
    // Errors of files have a context or a type of their own.
    if error.is::<io::Error>() && error.source().is_none() {
        let message = error.to_string();
        return if message.starts_with(STDOUT_FAILED) { message } else { format!("{STDOUT_FAILED}: {message}") };
    }
    error.chain().fold(String::new(), |message, cause| match cause.to_string() {
        // Advice may follow the cause.
        cause if message.contains(&cause) => message,
        cause if message.is_empty() => cause,
        cause => format!("{message}: {cause}"),
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe))
}
