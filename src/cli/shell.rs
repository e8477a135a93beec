//! `chess-audit completions` and `chess-audit man`.

use std::{fs, io};

use anyhow::Context;
use clap::CommandFactory;

use super::{
    args::{Arguments, CompletionsArguments, ManArguments},
    outcome::Outcome,
};

/// Prints a completion script.
pub fn completions(arguments: &CompletionsArguments) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "chess-audit", &mut script);
    // A closed pipe is not an error: the reader has seen enough.
    let _ = io::Write::write_all(&mut io::stdout().lock(), &script);
    Outcome::Success
}

/// Writes a man page for the program and for each command.
pub fn man(arguments: &ManArguments) -> anyhow::Result<Outcome> {
    fs::create_dir_all(&arguments.directory).with_context(|| format!("cannot create `{}`", arguments.directory.display()))?;
    clap_mangen::generate_to(Arguments::command(), &arguments.directory)
        .with_context(|| format!("cannot write to `{}`", arguments.directory.display()))?;
    Ok(Outcome::Success)
}
