//! `chess-audit compare`.

use std::{fs, io, io::Write};

use anyhow::Context;
use chess_audit::report::{COMPARE_CSV, COMPARE_INPUTS_CSV, COMPARE_MD, Comparison, temporary_sibling};

use super::{args::CompareArguments, outcome::Outcome};

/// Compares two reports.
pub fn run(arguments: &CompareArguments) -> anyhow::Result<Outcome> {
    let comparison = match &arguments.output {
        None => {
            let comparison = Comparison::of(&arguments.old, &arguments.new, io::sink(), io::sink())?;
            let mut stdout = anstream::stdout().lock();
            stdout.write_all(comparison.markdown().as_bytes())?;
            stdout.flush()?;
            comparison
        }
        Some(directory) => {
            fs::create_dir_all(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
            let unwritable = || format!("cannot write to `{}`", directory.display());
            let rows = temporary_sibling(&directory.join(COMPARE_CSV)).with_context(unwritable)?;
            let inputs = temporary_sibling(&directory.join(COMPARE_INPUTS_CSV)).with_context(unwritable)?;
            let comparison = Comparison::of(&arguments.old, &arguments.new, &rows, &inputs)?;
            let mut text = temporary_sibling(&directory.join(COMPARE_MD)).with_context(unwritable)?;
            text.write_all(comparison.markdown().as_bytes()).with_context(unwritable)?;
            rows.persist(directory.join(COMPARE_CSV)).with_context(unwritable)?;
            inputs.persist(directory.join(COMPARE_INPUTS_CSV)).with_context(unwritable)?;
            text.persist(directory.join(COMPARE_MD)).with_context(unwritable)?;
            anstream::println!("{}; see {}", comparison.sentence(), directory.join(COMPARE_MD).display());
            if let Some(inputs) = comparison.inputs.sentence() {
                anstream::println!("Inputs: {inputs}; see {}", directory.join(COMPARE_INPUTS_CSV).display());
            }
            comparison
        }
    };
    let has_lost = arguments.fail_on_loss && comparison.inputs.lost_records() > 0;
    let fails = has_lost || arguments.fail_on.0.is_some_and(|severity| comparison.new_at_least(severity) > 0);
    Ok(if fails { Outcome::Findings } else { Outcome::Success })
}
