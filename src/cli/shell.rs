//! `chess-audit completions` and `chess-audit man`.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{format::NewDirectories, report::OwnFile};
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
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    render_pages(&command, &arguments.directory, &mut pages)?;
    if !arguments.force {
        pages.iter().try_for_each(|(path, _)| OwnFile::ManPage.check(path))?;
    }
    let mut directories = NewDirectories::default();
    directories.create(&arguments.directory).with_context(|| format!("cannot create `{}`", arguments.directory.display()))?;
    for (path, page) in &pages {
        write_file(path, page).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(Outcome::Success)
}

/// Adds the pages of a command and of the commands in it, with their paths.
fn render_pages(command: &Command, directory: &Path, pages: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for inner in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        render_pages(inner, directory, pages)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    pages.push((directory.join(man.get_filename()), page));
    Ok(())
}
