//! `chess-audit compare`.

use std::{io, io::Write, path::Path};

use crate::{
    format::{NewDirectories, OutputFile, ReadAs, RunFiles},
    report::OwnFile,
    review::{
        COMPARE_CSV, COMPARE_GAMES_CSV, COMPARE_INPUTS_CSV, COMPARE_MD, CompareTables, Comparison, DiffFormat, GameComparison,
    },
};
use anyhow::Context;

use super::{args::CompareArguments, outcome::Outcome, text::print_line};

/// Compares two reports.
pub fn run(arguments: &CompareArguments) -> anyhow::Result<Outcome> {
    let comparison = match &arguments.output {
        None => {
            let mut stdout = anstream::stdout().lock();
            let is_table = arguments.format == DiffFormat::Csv;
            let mut tables = CompareTables::default();
            if is_table {
                tables.findings = Box::new(&mut stdout);
            }
            let comparison = Comparison::of(&arguments.old, &arguments.new, tables)?;
            match arguments.format {
                DiffFormat::Csv => {}
                DiffFormat::Text => stdout.write_all(comparison.text(arguments.all).as_bytes())?,
                DiffFormat::Markdown => stdout.write_all(comparison.markdown(arguments.all).as_bytes())?,
                DiffFormat::Json => comparison.json(&mut stdout)?,
            }
            stdout.flush()?;
            comparison
        }
        Some(directory) => {
            let names = [COMPARE_CSV, COMPARE_INPUTS_CSV, COMPARE_GAMES_CSV, COMPARE_MD];
            let paths = names.map(|name| directory.join(name));
            let mut files = RunFiles::default();
            [&arguments.old, &arguments.new].into_iter().for_each(|report| files.reads(report, ReadAs::Report));
            paths.iter().for_each(|path| files.writes(path, "--output"));
            let files = files.checked()?;
            let [csv, inputs_csv, games_csv, markdown] = paths;
            if !arguments.force {
                OwnFile::Comparison.check(&csv)?;
                OwnFile::InputComparison.check(&inputs_csv)?;
                OwnFile::GameComparison.check(&games_csv)?;
                OwnFile::ComparisonText.check(&markdown)?;
            }
            let mut directories = NewDirectories::default();
            directories.create(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
            let failed = |path: &Path| format!("cannot write `{}`", path.display());
            let create = |path: &Path| OutputFile::create(path).map(|file| file.apart_from(&files)).with_context(|| failed(path));
            let [mut rows, mut inputs, mut games, mut text] =
                [create(&csv)?, create(&inputs_csv)?, create(&games_csv)?, create(&markdown)?];
            let buffered = |file| Box::new(io::BufWriter::new(file));
            let tables =
                CompareTables { findings: buffered(&mut rows), inputs: buffered(&mut inputs), games: buffered(&mut games) };
            let comparison = Comparison::of(&arguments.old, &arguments.new, tables)?;
            text.write_all(comparison.markdown(arguments.all).as_bytes()).with_context(|| failed(&markdown))?;
            for (file, path) in [(rows, &csv), (inputs, &inputs_csv), (games, &games_csv), (text, &markdown)] {
                file.finish().with_context(|| failed(path))?;
            }
            print_line(&format!("{}; see {}", comparison.sentence(), markdown.display()))?;
            if let Some(inputs) = comparison.inputs.sentence() {
                print_line(&format!("Inputs: {inputs}; see {}", inputs_csv.display()))?;
            }
            if let Some(games) = comparison.inputs.games.as_ref().and_then(GameComparison::sentence) {
                print_line(&format!("Games: {games}; see {}", games_csv.display()))?;
            }
            comparison
        }
    };
    let has_lost = arguments.fail_on_loss && comparison.inputs.lost_records() > 0;
    let fails = has_lost || arguments.fail_on.0.is_some_and(|severity| comparison.new_at_least(severity) > 0);
    Ok(if fails { Outcome::Findings } else { Outcome::Success })
}
