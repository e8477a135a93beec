//! What the program depends on: licences that fit its own, one version of each crate, and the
//! toolchain that is documented.
//!
//! `cargo deny check` checks more, where it is installed; both read `.deny.toml`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    error::Error,
    fs,
    process::Command,
};

use serde_json::Value;

use crate::common::root;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// What cargo knows about the package and its dependencies, all features included. Those for other
/// platforms may not have been downloaded; then only those for this one. Nor may those of features
/// that are off by default.
fn metadata() -> Outcome<Value> {
    let told = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-vV").output()?;
    let told = String::from_utf8(told.stdout)?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not name its platform")?;
    let ask = |filter: &[&str]| {
        Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["metadata", "--format-version", "1", "--offline", "--locked"])
            .args(filter)
            .current_dir(root())
            .output()
    };
    let mut output = ask(&["--all-features"])?;
    if !output.status.success() {
        println!("only the crates for {host} are looked at");
        output = ask(&["--all-features", "--filter-platform", host])?;
    }
    if !output.status.success() {
        println!("only the crates of the default features are looked at");
        output = ask(&["--filter-platform", host])?;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The licences that `.deny.toml` allows.
fn allowed() -> Outcome<BTreeSet<String>> {
    let file: toml::Table = toml::from_str(&fs::read_to_string(root().join(".deny.toml"))?)?;
    let allowed = file["licenses"]["allow"].as_array().ok_or("no list of licences")?;
    Ok(allowed.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

/// Whether an SPDX expression can be met with the licences that are allowed. Names are the words
/// between `AND`, `OR` and parentheses; `/` is an older way to write `OR`.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let met = either(&mut words, allowed);
    assert!(words.is_empty(), "{expression} cannot be read");
    met
}

fn either(words: &mut Vec<&str>, allowed: &BTreeSet<String>) -> bool {
    let mut met = all(words, allowed);
    while words.last() == Some(&"OR") {
        words.pop();
        met |= all(words, allowed);
    }
    met
}

fn all(words: &mut Vec<&str>, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, allowed);
    while words.last() == Some(&"AND") {
        words.pop();
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Vec<&str>, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.pop() else { return false };
    if word == "(" {
        let met = either(words, allowed);
        words.pop();
        return met;
    }
    let mut name = word.to_owned();
    if words.last() == Some(&"WITH") {
        words.pop();
        name = format!("{name} WITH {}", words.pop().unwrap_or_default());
    }
    allowed.contains(&name)
}

/// The packages that the program is built from: dependencies of tests apart.
fn built(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let nodes: BTreeMap<&str, &Value> = nodes.filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = metadata["resolve"]["root"].as_str().into_iter().collect();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        for dependency in nodes[id]["deps"].as_array().into_iter().flatten() {
            // Some crates name others that are never built, to keep their versions in step.
            let is_built = |kind: &Value| kind["kind"] != "dev" && kind["target"] != "cfg(any())";
            if dependency["dep_kinds"].as_array().into_iter().flatten().any(is_built) {
                open.extend(dependency["pkg"].as_str());
            }
        }
    }
    found
}

#[test]
fn licences_fit_and_each_crate_has_one_version() -> Outcome {
    let (metadata, allowed) = (metadata()?, allowed()?);
    let settings = fs::read_to_string(root().join(".deny.toml"))?;
    let built = built(&metadata);
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        if !built.contains(package["id"].as_str().unwrap_or_default()) {
            continue;
        }
        let (name, licence) = (package["name"].as_str().unwrap_or_default(), package["license"].as_str().unwrap_or_default());
        assert!(is_met(licence, &allowed), "the licence of {name} is `{licence}`");
        let source = package["source"].as_str().unwrap_or("here");
        assert!(
            source == "here" || source.starts_with("registry+https://github.com/rust-lang/crates.io-index"),
            "{name}: {source}"
        );
        versions.entry(name).or_default().push(package["version"].as_str().unwrap_or_default());
    }
    assert!(versions.len() > 80, "{} crates", versions.len());
    let is_skipped = |name: &str, version: &str| {
        let starts = version.match_indices('.').map(|(dot, _)| &version[..dot]);
        starts.into_iter().any(|start| settings.contains(&format!("{{ crate = \"{name}@{start}\" }}")))
    };
    for (name, versions) in &mut versions {
        versions.retain(|version| !is_skipped(name, version));
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "more than one version: {versions:?}");
    Ok(())
}

#[test]
fn licences_are_read() {
    let allowed = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned));
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-2.0-only", false),
        ("", false),
        ("GPL-2.0-only OR MIT", true),
        ("Apache-2.0/MIT", true),
        ("MIT AND Unicode-3.0", false),
        ("(MIT OR Apache-2.0) AND Zlib", true),
        ("(Apache-2.0 OR GPL-2.0-only) AND Zlib", false),
        ("GPL-2.0-only OR MIT AND Zlib", true),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true),
        ("Apache-2.0 WITH other", false),
    ] {
        assert_eq!(is_met(expression, &allowed), expected, "{expression}");
    }
}

/// Continuous integration builds with the oldest toolchain that is documented.
#[test]
fn the_oldest_toolchain_is_the_one_that_is_tested() -> Outcome {
    let manifest: toml::Table = toml::from_str(&fs::read_to_string(root().join("Cargo.toml"))?)?;
    let version = manifest["package"]["rust-version"].as_str().ok_or("no version")?;
    for (file, text) in [
        ("README.md", format!("Rust {version}")),
        (".github/CONTRIBUTING.md", format!("Rust {version}")),
        (".github/workflows/ci.yml", format!("rustup toolchain install {version} ")),
    ] {
        assert!(fs::read_to_string(root().join(file))?.contains(&text), "{file} does not say `{text}`");
    }
    assert_eq!(manifest["lints"]["clippy"]["incompatible_msrv"].as_str(), Some("deny"));
    Ok(())
}
