//! The parts of a release agree: the version, the changelog, and the names of what is downloaded.

use std::{collections::BTreeSet, error::Error, fs, process::Command};

use crate::common::root;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(path: &str) -> Outcome<String> {
    Ok(fs::read_to_string(root().join(path))?)
}

#[test]
fn the_version_is_the_same_everywhere() -> Outcome {
    let printed = Command::new(env!("CARGO_BIN_EXE_chess-audit")).arg("--version").output()?.stdout;
    assert_eq!(String::from_utf8(printed)?, format!("chess-audit {VERSION}\n"));

    let changelog = read(".github/CHANGELOG.md")?;
    let headings: Vec<&str> = changelog.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(headings.first(), Some(&"[Unreleased]"));
    let date = headings.get(1).and_then(|heading| heading.strip_prefix(&format!("[{VERSION}] - ")));
    let is_said = |date: &str| date == "not released" || date.parse::<jiff::civil::Date>().is_ok();
    assert!(date.is_some_and(is_said), "the newest release: {headings:?}");
    for heading in headings {
        let name = heading.split(" - ").next().unwrap_or_default();
        assert!(changelog.contains(&format!("\n{name}: ")), "{name} has no link");
    }
    const KINDS: [&str; 6] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    for kind in changelog.lines().filter_map(|line| line.strip_prefix("### ")) {
        assert!(KINDS.contains(&kind), "{kind}");
    }

    let readme = read("README.md")?;
    for text in [format!("check@v{VERSION}\n"), format!("rev: v{VERSION}\n")] {
        assert!(readme.contains(&text), "README.md does not contain `{}`", text.trim_end());
    }
    Ok(())
}

/// The archives that a release contains are those that the action and `cargo binstall` download.
#[test]
fn downloads_have_the_names_of_what_is_released() -> Outcome {
    let workflow = read(".github/workflows/release.yml")?;
    let targets = workflow.lines().filter_map(|line| line.trim().strip_prefix("- target: "));
    let is_zip = |target: &str| target.contains("windows");
    let released: BTreeSet<String> =
        targets.map(|target| format!("chess-audit-{target}.{}", if is_zip(target) { "zip" } else { "tgz" })).collect();
    assert_eq!(released.len(), 5, "{released:?}");

    let install = read(".github/actions/check/install")?;
    let downloaded: BTreeSet<String> =
        install.split(" file=").skip(1).filter_map(|text| text.split_whitespace().next()).map(str::to_owned).collect();
    let downloaded: BTreeSet<String> = downloaded.into_iter().filter(|name| name != ";;").collect();
    assert_eq!(downloaded, released);

    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")?)?;
    let binstall = &manifest["package"]["metadata"]["binstall"];
    for name in &released {
        let target = name.trim_start_matches("chess-audit-").trim_end_matches(".tgz").trim_end_matches(".zip");
        let format = binstall["overrides"].get(target).and_then(|settings| settings["pkg-fmt"].as_str()).unwrap_or("tgz");
        let url = binstall["pkg-url"].as_str().ok_or("no URL")?;
        let url = url.replace("{ name }", "chess-audit").replace("{ target }", target);
        let url = url.replace("{ archive-suffix }", &format!(".{format}")).replace("{ version }", VERSION);
        assert_eq!(url, format!("{{ repo }}/releases/download/v{VERSION}/{name}"));
    }
    Ok(())
}
