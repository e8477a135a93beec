//! From arguments to an exit code.

mod args;
mod baseline;
mod check;
mod compare;
mod excerpt;
mod explanation;
mod fen;
mod fix;
mod init;
mod outcome;
mod progress;
mod rules;
mod settings;
mod shell;
mod summary;
mod text;

use std::{ffi::OsString, io, process::ExitCode};

use anstyle::{AnsiColor, Style};
use clap::{CommandFactory, Parser, error::ErrorKind};

use args::{Arguments, Command};
use outcome::Outcome;

/// What went wrong is told in red.
const WRONG: Style = AnsiColor::Red.on_default().bold();

/// Does what `arguments` say.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = arguments.collect();
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => return ExitCode::from(bad_use(&error, &help_for(&words))),
    };
    arguments.color.write_global();
    let done = match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Fen(arguments) => fen::run(arguments),
        Command::Fix(arguments) => fix::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Baseline(arguments) => baseline::run(arguments),
        Command::Settings(arguments) => settings::run(arguments),
        Command::Init(arguments) => init::run(arguments),
        Command::Completions(arguments) => Ok(shell::completions(arguments)),
        Command::Man(arguments) => shell::man(arguments),
    };
    let outcome = done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return Outcome::Clean;
        }
        complain(&told(&error));
        Outcome::AuditFailed
    });
    ExitCode::from(outcome.code())
}

/// Where everything is explained.
const HELP: &str = "chess-audit --help";

/// Where the command that these arguments begin with is explained.
fn help_for(words: &[OsString]) -> String {
    let command = words.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    match Arguments::command().find_subcommand(command) {
        Some(command) => format!("chess-audit {} --help", command.get_name()),
        None => HELP.to_owned(),
    }
}

/// Help was asked for, or something is wrong with the arguments: one line says what, and where to look it up.
fn bad_use(error: &clap::Error, help: &str) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A reader that has seen enough closes the pipe, and that is fine.
        let _ = error.print();
        return Outcome::Clean.code();
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && help != HELP {
        complain(&format!("something is missing; `{help}` tells what can be said"));
        return Outcome::AuditFailed.code();
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain(
            "nothing to do: `chess-audit check PATH` audits, `chess-audit fen FEN` explains a position, `chess-audit rules` lists the rules, `chess-audit --help` tells more",
        );
        return Outcome::AuditFailed.code();
    }
    let message = error.to_string();
    let mut parts = message.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut line = parts.next().unwrap_or_default();
    for tip in parts.filter(|part| part.starts_with("tip: ")) {
        line.push_str(&format!(" ({tip})"));
    }
    complain(&format!("{}; `{help}` tells what can be said", line.trim_start_matches("error: ")));
    Outcome::AuditFailed.code()
}

/// An error and its causes, each told once: some errors tell their cause themselves.
fn told(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |told, cause| match cause.to_string() {
        cause if told.ends_with(&cause) => told,
        cause if told.is_empty() => cause,
        cause => format!("{told}: {cause}"),
    })
}

/// One line on standard error.
fn complain(message: &str) {
    let line = text::printable(&message.split('\n').map(str::trim).collect::<Vec<_>>().join(" "));
    anstream::eprintln!("{WRONG}error:{WRONG:#} {line}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe))
}
