//! `chess-audit fix`.

use std::io::Write;

use chess_audit::report::Fix;

use super::{args::FixArguments, outcome::Outcome};

/// Writes a copy of the input in which the repairs are made.
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
        let mut told = format!("{} made", quantity(fixed.made));
        if fixed.likely > 0 {
            let (is, them) = if fixed.likely == 1 { ("is", "it") } else { ("are", "them") };
            told.push_str(&format!("; {} left out that {is} only likely (--likely makes {them})", quantity(fixed.likely)));
        }
        if fixed.overlapping > 0 {
            let change = if fixed.overlapping == 1 { "changes" } else { "change" };
            told.push_str(&format!("; {} left out that {change} bytes which another one changes", quantity(fixed.overlapping)));
        }
        writeln!(anstream::stdout().lock(), "{told}: {}", super::text::printable(&arguments.output.display().to_string()))?;
    }
    Ok(if fixed.overlapping > 0 { Outcome::Found } else { Outcome::Clean })
}

fn quantity(repairs: u64) -> String {
    match repairs {
        1 => "1 repair".to_owned(),
        repairs => format!("{repairs} repairs"),
    }
}
