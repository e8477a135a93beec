//! `chess-audit completions` and `chess-audit man`.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::Context;
use clap::{Command, CommandFactory};

use super::{
    args::{Arguments, CompletionsArguments, ManArguments},
    outcome::Outcome,
    text::{ignore_broken_pipe, write_file},
};

/// Prints a completion script.
pub fn completions(arguments: &CompletionsArguments) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "chess-audit", &mut script);
    ignore_broken_pipe(io::stdout().lock().write_all(&script))?;
    Ok(Outcome::Success)
}

/// Writes a man page for the program and for each command.
pub fn man(arguments: &ManArguments) -> anyhow::Result<Outcome> {
    fs::create_dir_all(&arguments.directory).with_context(|| format!("cannot create `{}`", arguments.directory.display()))?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    write_pages(&command, &arguments.directory)?;
    Ok(Outcome::Success)
}

/// Writes the pages of a command and of the commands in it, each whole or not at all.
fn write_pages(command: &Command, directory: &Path) -> anyhow::Result<()> {
    for inner in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(inner, directory)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let path = directory.join(man.get_filename());
    let mut page = Vec::new();
    man.render(&mut page)?;
    write_file(&path, &page).with_context(|| format!("cannot write `{}`", path.display()))
}
