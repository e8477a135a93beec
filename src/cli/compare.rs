//! `chess-audit compare`.

use std::{fs, io, io::Write};

use anyhow::Context;
use chess_audit::report::{COMPARE_CSV, COMPARE_MD, Comparison, beside};

use super::{args::CompareArguments, outcome::Outcome};

/// Says what is new, gone or changed between two reports.
pub fn run(arguments: &CompareArguments) -> anyhow::Result<Outcome> {
    let comparison = match &arguments.output {
        None => {
            let comparison = Comparison::of(&arguments.old, &arguments.new, io::sink())?;
            let mut to = anstream::stdout().lock();
            to.write_all(comparison.markdown().as_bytes())?;
            to.flush()?;
            comparison
        }
        Some(folder) => {
            fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
            let unwritable = || format!("cannot write into `{}`", folder.display());
            let rows = beside(&folder.join(COMPARE_CSV)).with_context(unwritable)?;
            let comparison = Comparison::of(&arguments.old, &arguments.new, io::BufWriter::new(&rows))?;
            let mut text = beside(&folder.join(COMPARE_MD)).with_context(unwritable)?;
            text.write_all(comparison.markdown().as_bytes()).with_context(unwritable)?;
            rows.persist(folder.join(COMPARE_CSV)).with_context(unwritable)?;
            text.persist(folder.join(COMPARE_MD)).with_context(unwritable)?;
            anstream::println!("{}; see {}", comparison.sentence(), folder.join(COMPARE_MD).display());
            comparison
        }
    };
    let fails = arguments.fail_on.0.is_some_and(|severity| comparison.new_at_least(severity) > 0);
    Ok(if fails { Outcome::Found } else { Outcome::Clean })
}
