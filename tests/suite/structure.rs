//! How the tree is built: imports run downwards only, and the library neither prints nor exits nor reads the environment.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The floors, from the bottom up. A module may use its own floor and those below it.
const FLOORS: [&[&str]; 6] = [&["text"], &["chess"], &["pgn", "epd"], &["rules", "corpus"], &["pipeline"], &["report"]];

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file below `folder`, with its text.
fn files_below(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("source is text");
            files.push((path, text));
        }
    }
    files
}

/// The modules of this crate that a text names behind `crate::`, in braces or not.
fn modules_used(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect();
    let mut used = Vec::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            let mut begins = true;
            for character in list.chars() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        used.push(std::mem::take(&mut word));
                        begins = true;
                        continue;
                    }
                    ':' => begins = false,
                    letter if begins && depth == 0 && !letter.is_whitespace() => word.push(letter),
                    _ => {}
                }
            }
            used.push(word);
        } else {
            used.push(rest.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect());
        }
    }
    used.retain(|module| !module.is_empty());
    used
}

#[test]
fn imports_run_downwards_only() {
    let floor_of = |module: &str| FLOORS.iter().position(|floor| floor.contains(&module));
    let mut checked = 0;
    for (height, floor) in FLOORS.iter().enumerate() {
        for module in *floor {
            for (path, text) in files_below(&source().join(module)) {
                for used in modules_used(&text) {
                    let Some(other) = floor_of(&used) else { continue };
                    checked += 1;
                    let fine = other < height || used == *module;
                    assert!(fine, "{} uses {used}, which is not below {module}", path.display());
                }
            }
        }
    }
    assert!(checked > 100, "imports are found at all: {checked}");
}

#[test]
fn imports_are_read_out_of_braces() {
    assert_eq!(
        modules_used("use crate::{\n    chess::{fen}, text::Span,\n    rules::Rule,\n};\nuse crate::pgn::Lexer;"),
        ["chess", "rules", "pgn"]
    );
}

#[test]
fn the_library_is_quiet() {
    const LOUD: [&str; 9] =
        ["println!", "eprintln!", "print!(", "eprint!(", "dbg!", "process::exit", "process::abort", "env::var", "env::args"];
    for floor in FLOORS.iter().flat_map(|floor| floor.iter()) {
        for (path, text) in files_below(&source().join(floor)) {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for word in LOUD {
                    assert!(!line.contains(word), "{}: {word} in `{line}`", path.display());
                }
            }
        }
    }
}

#[test]
fn unsafe_stands_in_modules_of_its_own() {
    let own = ["corpus/mmap.rs", "record/fastpath/avx2.rs", "chess/placement/avx2.rs"];
    for (path, text) in files_below(&source()) {
        if !own.iter().any(|own| path.ends_with(own)) {
            assert!(!text.contains("unsafe {") && !text.contains("unsafe fn"), "{}", path.display());
        }
    }
}

#[test]
fn every_rule_file_is_in_the_list_of_its_family() {
    let mut rules = 0;
    for (path, text) in files_below(&source().join("rules")) {
        if !text.contains("pub static RULE: Rule") {
            continue;
        }
        rules += 1;
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("file names are text");
        let list = fs::read_to_string(path.with_file_name("mod.rs")).expect("the family has a list");
        assert!(list.contains(&format!("\n    {name},\n")), "{} is not in the list of its family", path.display());
    }
    assert_eq!(rules, chess_audit::rules::RULES.len());
}
