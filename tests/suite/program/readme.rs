//! The excerpts in README.md and src/report/README.md and the table in src/rules/README.md are what
//! the program prints. `UPDATE=1 cargo test --test suite readme` writes them.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::Path,
    process::Command,
    sync::{Mutex, PoisonError},
};

use chess_audit::internals::{
    report::{COLUMNS, Column, TableShape},
    rules::RULES,
};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Tests run side by side, and several of them update the same file.
static UPDATE: Mutex<()> = Mutex::new(());

/// Compares the text between `<!-- name -->` and `<!-- /name -->` in the file at `path` with
/// `expected`, or updates it.
fn check_section(path: &str, name: &str, expected: &str) -> Result<(), Box<dyn Error>> {
    let _guard = UPDATE.lock().unwrap_or_else(PoisonError::into_inner);
    let text = fs::read_to_string(path)?;
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&open).ok_or("no opening marker")?;
    let (section, after) = rest.split_once(&close).ok_or("no closing marker")?;
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, format!("{before}{open}{expected}{close}{after}"))?;
    } else {
        assert_eq!(section, expected, "run `UPDATE=1 cargo test --test suite readme`");
    }
    Ok(())
}

/// Compares an excerpt in the file at `path`, indented there, with the lines that were printed.
fn check_excerpt(path: &str, name: &str, printed: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let mut expected = String::from("\n");
    for line in printed {
        expected.push_str(&if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
    }
    expected.push('\n');
    check_section(path, name, &expected)
}

#[test]
fn the_table_of_rules_is_up_to_date() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/README.md");
    let mut table = String::from("\n| code | name | highest severity | what was found |\n|---|---|---|---|\n");
    for rule in RULES {
        let summary = rule.summary.replace('|', "\\|");
        table.push_str(&format!("| {} | `{}` | {} | {summary} |\n", rule.code, rule.name, rule.severity));
    }
    table.push('\n');
    check_section(path, "rules", &table)
}

/// The columns of a table in Markdown.
fn column_table(columns: &[Column]) -> String {
    let rows = columns.chunk_by(|one, other| one.what == other.what).map(|columns| {
        let names: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name)).collect();
        format!("| {} | {} |\n", names.join(", "), columns[0].what)
    });
    format!("\n| column | contents |\n|---|---|\n{}\n", rows.collect::<String>())
}

#[test]
fn the_tables_of_a_report_are_up_to_date() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/README.md");
    let all = TableShape::all();
    let duplicates = all.iter().find(|table| table.file == "duplicates.csv").ok_or("no duplicates.csv")?;
    let (of_findings, others): (Vec<_>, Vec<_>) = all.iter().partition(|table| table.columns[0].name == "id");
    let findings = &duplicates.columns[..COLUMNS.len()];
    let files: String = of_findings.iter().map(|table| format!("| `{}` | {} |\n", table.file, table.what)).collect();
    let findings = format!("\n| table | findings about |\n|---|---|\n{files}{}", column_table(findings));
    check_section(path, "findings", &findings)?;
    check_section(path, "partner", &column_table(&duplicates.columns[COLUMNS.len()..]))?;
    let (of_report, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|table| table.is_in_report);
    for (name, tables) in [("tables", of_report), ("other", others)] {
        let described = tables.iter().map(|TableShape { file, what, columns, .. }| {
            let own = columns.strip_suffix(findings_of(duplicates)).unwrap_or(columns);
            let further = if own.len() < columns.len() { "\nThe columns of the finding follow.\n" } else { "" };
            format!("\n`{file}`: {what}.\n{}{further}", column_table(own))
        });
        let described: String = described.collect();
        check_section(path, name, &described.replace("\n\n\n", "\n\n"))?;
    }
    Ok(())
}

/// The columns that all tables of findings have.
fn findings_of(duplicates: &TableShape) -> &[Column] {
    &duplicates.columns[..COLUMNS.len()]
}

/// README.md shows the output of the first command, except for the place of the report.
#[test]
fn the_excerpt_is_what_the_main_command_prints() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let run = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--fail-on", "never", "--color", "never", "fixtures/showcase.pgn", "fixtures/showcase.epd", "-o"])
        .arg(folder.path().join("report"))
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    let line = |line: &str| if line.starts_with("Report ") { "Report       chess-audit-report" } else { line }.to_owned();
    check_excerpt(README, "excerpt", printed.lines().map(line))
}

#[test]
fn the_position_is_what_fen_prints() -> Result<(), Box<dyn Error>> {
    let run = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .args(["fen", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30", "--color", "never"])
        .output()?;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/README.md");
    check_excerpt(path, "position", String::from_utf8(run.stdout)?.lines().map(str::to_owned))
}

#[test]
fn the_diff_is_what_fix_prints() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("fixtures"))?;
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/showcase.pgn"), folder.path().join("fixtures/showcase.pgn"))?;
    let text = fs::read_to_string(README)?;
    let (_, section) = text.split_once("\n## Mend\n").ok_or("no section")?;
    let commands = section.lines().filter_map(|line| line.strip_prefix("    chess-audit ")).take(2);
    let mut printed = String::new();
    for command in commands {
        let mut run = Command::new(env!("CARGO_BIN_EXE_chess-audit"));
        printed = String::from_utf8(run.current_dir(&folder).args(command.split(' ')).output()?.stdout)?;
    }
    assert_eq!(printed.matches("\n@@ ").count(), 1, "{printed}");
    // An empty line of context is a space, which is not seen.
    check_excerpt(README, "diff", printed.lines().map(|line| line.trim_end().to_owned()))
}

#[test]
fn the_plan_is_what_clean_prints() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(README)?;
    let (_, section) = text.split_once("\n## From raw to clean\n").ok_or("no section")?;
    let folder = tempfile::tempdir()?;
    let commands = section.lines().filter_map(|line| line.strip_prefix("    chess-audit ")).take(2);
    let mut printed = Vec::new();
    for command in commands {
        let command = command.replace("-o clean", &format!("-o {}/clean", folder.path().display()));
        let mut run = Command::new(env!("CARGO_BIN_EXE_chess-audit"));
        let output = run.current_dir(env!("CARGO_MANIFEST_DIR")).args(command.split(' ')).output()?;
        printed.push(String::from_utf8(output.stdout)?.replace(&format!("{}/", folder.path().display()), ""));
    }
    check_excerpt(README, "clean", printed.join("").lines().skip(5).map(str::to_owned))
}

#[test]
fn the_readme_is_short() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(README)?;
    let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(text.lines().count() <= 350 && long.is_empty(), "{} lines, too wide: {long:#?}", text.lines().count());
    Ok(())
}

#[test]
fn files_that_the_page_for_newcomers_names_exist() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("src/README.md"))?;
    let named: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs") || word.ends_with('/')).collect();
    assert!(named.len() > 30, "{named:?}");
    // Files of one step are named without their directory.
    let folders = ["src", "", "src/record/game"].map(|folder| root.join(folder));
    let is_there = |name: &&&str| folders.iter().any(|folder| folder.join(name.replace("<family>/", "")).exists());
    let missing: Vec<&&str> = named.iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(text.lines().count() <= 120, "it is a page");
    Ok(())
}

/// The first column of the table of the conformance suite says how many files the suite has. The
/// others are written by `tests/conformance/run.py --markdown`, which writes it too.
#[test]
fn the_table_of_the_conformance_suite_is_about_all_its_files() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(root.join("fixtures/conformance/list.csv"))?;
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for row in reader.records() {
        let row = row?;
        let family = row[2].get(..3).unwrap_or("files");
        let kind = match &row[1] {
            "reject" => 0,
            "accept" => 1,
            _ => continue,
        };
        counts.entry(family.to_owned()).or_default()[kind] += 1;
    }
    let expected: Vec<String> = counts
        .iter()
        .map(|(family, [faults, look_alikes])| {
            format!("{family}: {faults} fault{}, {look_alikes} look-alikes", if *faults == 1 { "" } else { "s" })
        })
        .collect();
    let text = fs::read_to_string(root.join("benches/README.md"))?;
    let (_, section) = text.split_once("<!-- peers: conformance -->").ok_or("no table")?;
    let (section, _) = section.split_once("<!-- /peers: conformance -->").ok_or("no end")?;
    let labels: Vec<&str> = section.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim).collect();
    let labels: Vec<&str> = labels.into_iter().filter(|label| label.ends_with(" look-alikes")).collect();
    assert_eq!(labels, expected, "run `tests/conformance/run.py --markdown`");
    Ok(())
}
