//! `chess-audit fix`.

use std::io::Write;

use anyhow::anyhow;
use chess_audit::report::{Fix, Fixed};

use super::{
    args::FixArguments,
    outcome::Outcome,
    printer::{Printer, is_stdout},
    text::{ignore_broken_pipe, printable, quantity},
};

/// Writes a repaired copy of the input.
pub fn run(arguments: &FixArguments) -> anyhow::Result<Outcome> {
    let fix = Fix {
        input: arguments.input.clone(),
        repairs: arguments.repairs.clone(),
        output: arguments.output.clone(),
        likely: arguments.likely,
        force: arguments.force,
    };
    let to_stdout = is_stdout(&arguments.output);
    let fixed = if to_stdout {
        fix.run_to(Printer::new(None))?
    } else {
        // Without its cause: a copy that its reader does not read to the end is a failure.
        fix.run().map_err(|error| anyhow!(error.to_string()))?
    };
    if !arguments.quiet {
        // The copy has standard output to itself.
        let printed = if to_stdout {
            print(&mut anstream::stderr().lock(), &fixed, "standard output")
        } else {
            print(&mut anstream::stdout().lock(), &fixed, &arguments.output.display().to_string())
        };
        ignore_broken_pipe(printed)?;
    }
    Ok(if fixed.overlapping > 0 { Outcome::Findings } else { Outcome::Success })
}

/// Prints what was applied and what was skipped.
fn print(to: &mut dyn Write, fixed: &Fixed, output: &str) -> std::io::Result<()> {
    writeln!(to, "{}: {} applied", printable(output), quantity(fixed.applied, "repair", "repairs"))?;
    if fixed.likely > 0 {
        let skipped = quantity(fixed.likely, "likely repair", "likely repairs");
        writeln!(to, "{skipped} skipped; use --likely to apply likely repairs too")?;
    }
    if fixed.overlapping > 0 {
        let skipped = quantity(fixed.overlapping, "repair", "repairs");
        writeln!(to, "{skipped} skipped, because another repair changes the same bytes")?;
    }
    Ok(())
}
