//! `chess-audit demo`.

use std::{
    fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::{Command as Process, Stdio},
};

use crate::format::NewDirectories;
use anyhow::{Context, bail};
use clap::Parser;

use super::{
    args::{Arguments, Command, DemoArguments},
    check,
    outcome::Outcome,
    text::{print_line, write_file},
};

/// The games and positions, which have faults of many kinds.
const SHOWCASE: [(&str, &[u8]); 2] = [
    ("showcase.pgn", include_bytes!("../../fixtures/showcase.pgn")),
    ("showcase.epd", include_bytes!("../../fixtures/showcase.epd")),
];

/// The program that opens a page in the browser of the user, and its first arguments.
const OPENER: &[&str] = if cfg!(windows) {
    &["cmd", "/C", "start", ""]
} else if cfg!(target_os = "macos") {
    &["open"]
} else {
    &["xdg-open"]
};

/// Audits the showcase, and opens the page if somebody watches.
pub fn run(arguments: &DemoArguments) -> anyhow::Result<Outcome> {
    // If nothing is written, no directory is left.
    let mut directories = NewDirectories::default();
    let directory = directory(arguments.output.as_deref(), &mut directories)?;
    for (name, text) in SHOWCASE {
        let path = directory.join(name);
        match fs::read(&path) {
            Ok(found) if found == text => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_file(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
            }
            _ => bail!("`{}` is not a file of the demo; choose another directory with --output", path.display()),
        }
    }
    // The page names the files without the directory.
    std::env::set_current_dir(&directory).with_context(|| format!("cannot use `{}`", directory.display()))?;
    let report = directory.join("report");
    let options = ["chess-audit", "check", "--no-config", "--fail-on", "never", "--output"].map(Into::into);
    let words = options.into_iter().chain([report.clone().into_os_string()]).chain(SHOWCASE.map(|(name, _)| name.into()));
    let Command::Check(mut check) = Arguments::try_parse_from(words)?.command else { bail!("`check` is another command") };
    check.audit.inputs_in = Some(directory);
    let outcome = check::run(&check)?;
    if outcome == Outcome::Success {
        let page = report.join("report.html");
        let opened = io::stdout().is_terminal() && open(&page).is_ok();
        let verb = if opened { "The page is opened in the browser" } else { "To see the boards, open this page in a browser" };
        print_line("")?;
        print_line(&format!("{verb}:"))?;
        print_line(&page.display().to_string())?;
    }
    Ok(outcome)
}

/// The directory of the demo, as an absolute path.
fn directory(given: Option<&Path>, directories: &mut NewDirectories) -> anyhow::Result<PathBuf> {
    let Some(given) = given else {
        // The browser reads the page after the command has ended.
        let new = tempfile::Builder::new().prefix("chess-audit-demo-").tempdir();
        return Ok(new.context("cannot create a temporary directory; choose another one with --output")?.keep());
    };
    anyhow::ensure!(
        !given.join("run.json").exists(),
        "`{}` contains a report; choose another directory with --output",
        given.display()
    );
    directories.create(given).with_context(|| format!("cannot create `{}`", given.display()))?;
    std::path::absolute(given).with_context(|| format!("cannot use `{}`", given.display()))
}

/// Opens a page in the browser, which does not end with this program.
fn open(page: &Path) -> io::Result<()> {
    let [program, first @ ..] = OPENER else { return Ok(()) };
    let mut opener = Process::new(program);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut opener, 0);
    opener.args(first).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    opener.spawn().map(drop)
}
