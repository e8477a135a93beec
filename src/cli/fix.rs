//! `chess-audit fix`.

use std::io::Write;

use chess_audit::report::Fix;

use super::{
    args::FixArguments,
    outcome::Outcome,
    text::{printable, quantity},
};

/// Writes a repaired copy of the input.
pub fn run(arguments: &FixArguments) -> anyhow::Result<Outcome> {
    let fixed = Fix {
        input: arguments.input.clone(),
        repairs: arguments.repairs.clone(),
        output: arguments.output.clone(),
        likely: arguments.likely,
        force: arguments.force,
    }
    .run()?;
    if !arguments.quiet {
        let output = printable(&arguments.output.display().to_string());
        let mut stdout = anstream::stdout().lock();
        writeln!(stdout, "{output}: {} applied", quantity(fixed.applied, "repair", "repairs"))?;
        if fixed.likely > 0 {
            let skipped = quantity(fixed.likely, "likely repair", "likely repairs");
            writeln!(stdout, "{skipped} skipped; use --likely to apply likely repairs too")?;
        }
        if fixed.overlapping > 0 {
            let skipped = quantity(fixed.overlapping, "repair", "repairs");
            writeln!(stdout, "{skipped} skipped, because another repair changes the same bytes")?;
        }
    }
    Ok(if fixed.overlapping > 0 { Outcome::Findings } else { Outcome::Success })
}
