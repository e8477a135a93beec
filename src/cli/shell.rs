//! `chess-audit completions` and `chess-audit man`: from the same definitions as the help.

use std::{fs, io};

use anyhow::Context;
use clap::CommandFactory;

use super::{
    args::{Arguments, CompletionsArguments, ManArguments},
    outcome::Outcome,
};

/// Prints what a shell needs to complete our commands.
pub fn completions(arguments: &CompletionsArguments) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "chess-audit", &mut script);
    // A reader that has seen enough closes the pipe, and that is fine.
    let _ = io::Write::write_all(&mut io::stdout().lock(), &script);
    Outcome::Clean
}

/// Writes a man page for the program and one for each of its commands.
pub fn man(arguments: &ManArguments) -> anyhow::Result<Outcome> {
    fs::create_dir_all(&arguments.directory).with_context(|| format!("cannot create `{}`", arguments.directory.display()))?;
    clap_mangen::generate_to(Arguments::command(), &arguments.directory)
        .with_context(|| format!("cannot write into `{}`", arguments.directory.display()))?;
    Ok(Outcome::Clean)
}
