//! The library without its default features: a program that depends on it builds without the
//! command line, the page and C code.

use std::{env, error::Error, fs, path::Path, process::Command};

const PROGRAM: &str = r#"fn main() {
    let line = b"8/8/8/8/8/8/8/K1k5 x - - 0 1";
    let explanation = chess_audit::record::explain_line(line, None).expect("a position");
    explanation.findings.iter().for_each(|finding| println!("{} {}", finding.rule.code, finding.message));
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

/// Builds in the directory that cargo provides for tests and keeps the result there, so that only
/// the first run compiles the dependencies. They are the same versions as those of this test, so
/// they are on this machine and no network is needed.
#[test]
fn a_program_builds_without_the_default_features() -> Result<(), Box<dyn Error>> {
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
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

    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--offline", "--quiet"])
        .current_dir(&directory)
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout)?;
    assert!(printed.starts_with("FEN05 "), "{printed}");

    let lock = fs::read_to_string(directory.join("Cargo.lock"))?;
    assert!(lock.contains("name = \"shakmaty\"\n"));
    for name in OPTIONAL {
        assert!(!lock.contains(&format!("name = \"{name}\"\n")), "the library depends on {name}");
    }
    Ok(())
}
