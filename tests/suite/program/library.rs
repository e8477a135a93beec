//! The library without its default features: a program that depends on it builds without the
//! command line, the page and C code.

use std::{env, fs, path::Path, process::Command};

use crate::common::program::Outcome;

const PROGRAM: &str = r#"fn main() -> Result<(), chess_audit::AuditError> {
    let position = "8/8/8/8/8/8/8/K1k5 x - - 0 1";
    let findings = chess_audit::audit_fen(position)?;
    findings.iter().for_each(|finding| println!("{} {}", finding.rule.code, finding.message));
    Ok(())
}
"#;

/// Crates that the library does not need.
const OPTIONAL: [&str; 14] = [
    "anstream",
    "anyhow",
    "askama",
    "bzip2",
    "clap",
    "ctrlc",
    "flate2",
    "indicatif",
    "liblzma",
    "liblzma-sys",
    "toml",
    "zip",
    "zstd",
    "zstd-sys",
];

/// Writes a package that depends on the library without its default features.
fn write_package(directory: &Path) -> Outcome {
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(directory.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nchess-audit = {{ path = '{}', default-features = false }}\n\n\
         [profile.dev]\ndebug = false\nincremental = false\n\n[workspace]\n",
        library.display()
    );
    fs::write(directory.join("Cargo.toml"), manifest)?;
    fs::write(directory.join("src/main.rs"), PROGRAM)?;
    fs::copy(library.join("Cargo.lock"), directory.join("Cargo.lock"))?;
    Ok(())
}

/// Runs cargo for the package, without the network: its dependencies are those of this test, in the
/// same versions.
fn cargo(directory: &Path, arguments: &[&str]) -> Outcome<String> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .arg("--offline")
        .current_dir(directory)
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn the_library_needs_no_optional_crate() -> Outcome {
    let directory = tempfile::tempdir()?;
    write_package(directory.path())?;
    let crates = cargo(directory.path(), &["tree", "--prefix", "none", "--edges", "normal,build"])?;
    let depends_on = |name: &str| crates.lines().any(|line| line.split(' ').next() == Some(name));
    assert!(depends_on("shakmaty"), "{crates}");
    for name in OPTIONAL {
        assert!(!depends_on(name), "the library depends on {name}");
    }
    Ok(())
}

/// Keeps what it builds in the directory that cargo provides for tests.
#[test]
#[ignore = "builds the library once more; `.ci/run` does it"]
fn a_program_builds_without_the_default_features() -> Outcome {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
    write_package(&directory)?;
    let printed = cargo(&directory, &["run", "--quiet"])?;
    assert!(printed.starts_with("FEN05 "), "{printed}");
    Ok(())
}
