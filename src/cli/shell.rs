//! `chess-audit completions` and `chess-audit man`.

use std::{
    fs,
    io::{self, Write},
};

use anyhow::Context;
use clap::CommandFactory;

use super::{
    args::{Arguments, CompletionsArguments, ManArguments},
    outcome::Outcome,
    text::ignore_broken_pipe,
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
    clap_mangen::generate_to(Arguments::command(), &arguments.directory)
        .with_context(|| format!("cannot write to `{}`", arguments.directory.display()))?;
    Ok(Outcome::Success)
}
