//! How the tree is built: imports run downwards only and without cycles, each family of rules is on
//! its own, and the library does not print, exit or read the environment. Each room has the weight
//! that the guide for newcomers says.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::common::imports::{Module, Sources, code_of};

/// The floors of the library, the lowest first. A module uses its own floor and those that it
/// names.
const FLOORS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("spill", &[]),
    ("chess", &["text"]),
    ("pgn", &["chess", "text"]),
    ("epd", &["chess", "text"]),
    ("table", &["pgn", "chess", "text"]),
    ("oracle", &["chess", "text"]),
    ("identity", &["pgn", "epd", "chess", "text", "spill"]),
    ("rules", &["identity", "oracle", "pgn", "epd", "table", "chess", "text", "spill"]),
    ("record", &["rules", "identity", "oracle", "pgn", "epd", "table", "chess", "text"]),
    ("corpus", &["table", "pgn", "chess", "text", "spill"]),
    ("pipeline", &["record", "corpus", "rules", "identity", "oracle", "pgn", "epd", "table", "chess", "text", "spill"]),
    ("format", &["pipeline", "record", "corpus", "rules", "identity", "oracle", "pgn", "epd", "table", "chess", "text", "spill"]),
    ("review", &["format", "pipeline", "record", "corpus", "rules", "identity", "pgn", "table", "chess", "text", "spill"]),
    (
        "report",
        &[
            "review", "format", "pipeline", "record", "corpus", "rules", "identity", "oracle", "pgn", "epd", "table", "chess",
            "text", "spill",
        ],
    ),
    (
        "edit",
        &[
            "report", "review", "format", "pipeline", "record", "corpus", "rules", "identity", "pgn", "table", "chess", "text",
            "spill",
        ],
    ),
    (
        "cli",
        &[
            "edit", "report", "review", "format", "pipeline", "record", "corpus", "rules", "identity", "oracle", "pgn", "epd",
            "table", "chess", "text", "spill",
        ],
    ),
];

/// What only `cli` does: print, exit, read the environment.
const LOUD: [&str; 9] =
    ["println!", "eprintln!", "print!(", "eprint!(", "dbg!", "process::exit", "process::abort", "env::var", "env::args"];

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file of the library below `src`, with its text. Paths have `/` on every system.
fn library() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(&source(), &mut files);
    // `testing` is compiled for tests only.
    files.retain(|(path, _)| path != "main.rs" && path != "rules/testing.rs");
    files
}

fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    collect_below(folder, &source(), files);
}

/// Adds the Rust files in a folder, named by their paths below `root`.
fn collect_below(folder: &Path, root: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            collect_below(&path, root, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("source is text");
            let below = path.strip_prefix(root).expect("the file is below the root");
            files.push((below.to_string_lossy().replace('\\', "/"), text));
        }
    }
}

fn name(module: &Module) -> String {
    module.join("::")
}

/// What is wrong with the imports of these files.
fn breaches(files: &[(String, String)]) -> Vec<String> {
    let edges = Sources::of(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))).edges();
    let mut breaches = Vec::new();
    for (from, to) in &edges {
        let (Some(floor), Some(used)) = (from.first(), to.first()) else { continue };
        let allowed = FLOORS.iter().find(|(name, _)| name == floor).map(|(_, below)| *below);
        if floor != used && allowed.is_some_and(|below| !below.contains(&used.as_str())) {
            breaches.push(format!("{} uses {}, which is not below it", name(from), name(to)));
        }
        if let ([rules, family, ..], [other_rules, other, ..]) = (from.as_slice(), to.as_slice())
            && (rules, other_rules) == (&"rules".to_owned(), &"rules".to_owned())
            && is_family(files, family)
            && is_family(files, other)
            && family != other
        {
            breaches.push(format!("{} uses {}, a rule of another family", name(from), name(to)));
        }
    }
    breaches.extend(cycles(&edges).into_iter().map(|cycle| format!("a cycle of imports: {cycle}")));
    breaches
}

/// Whether `name` is a folder of rules.
fn is_family(files: &[(String, String)], name: &str) -> bool {
    files.iter().any(|(path, text)| path == &format!("rules/{name}/mod.rs") && text.contains("family! {"))
}

/// Imports that close a cycle which cannot be opened, and why.
const BACK: [(&str, &str, &str); 2] = [
    ("rules::rule::finding", "rules::rule", "a finding names its rule, and the check of a rule makes findings"),
    ("rules::rule::note", "rules::all_rules", "each rule knows at compile time where its sums begin among those of all rules"),
];

fn is_back(from: &Module, to: &Module) -> bool {
    BACK.iter().any(|(file, used, _)| name(from) == *file && name(to) == *used)
}

/// Cycles between files, also between a module and those inside it.
fn cycles(edges: &BTreeSet<(Module, Module)>) -> Vec<String> {
    let mut graph: BTreeMap<&Module, Vec<&Module>> = BTreeMap::new();
    for (from, to) in edges.iter().filter(|(from, to)| !is_back(from, to)) {
        graph.entry(from).or_default().push(to);
    }
    let mut found = BTreeSet::new();
    for start in graph.keys() {
        // The shortest way back to where it began.
        let mut ways: Vec<Vec<&Module>> = vec![vec![start]];
        let mut seen: BTreeSet<&Module> = BTreeSet::new();
        while let Some(way) = ways.pop() {
            let last = way[way.len() - 1];
            for next in graph.get(last).into_iter().flatten() {
                if next == start {
                    let mut names: Vec<String> = way.iter().map(|module| name(module)).collect();
                    names.sort();
                    found.insert(names.join(", "));
                } else if seen.insert(next) {
                    ways.insert(0, way.iter().copied().chain([*next]).collect());
                }
            }
        }
    }
    found.into_iter().collect()
}

#[test]
fn each_import_that_closes_a_cycle_is_still_there() {
    let files = library();
    let edges = Sources::of(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))).edges();
    for (file, used, why) in BACK {
        assert!(edges.iter().any(|(from, to)| name(from) == file && name(to) == used), "{file} uses {used} no more: {why}");
    }
}

#[test]
fn imports_run_downwards_without_cycles_and_families_are_on_their_own() {
    let files = library();
    assert!(files.len() > 250, "{} files", files.len());
    let breaches = breaches(&files);
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

/// Maximum number of source files in a folder.
const MAX_FILES: usize = 32;

#[test]
fn folders_are_small() {
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for (path, _) in library() {
        *files.entry(path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned())).or_default() += 1;
    }
    let large: Vec<_> = files.into_iter().filter(|(_, count)| *count > MAX_FILES).collect();
    assert!(large.is_empty(), "more than {MAX_FILES} files are in {large:?}: which of them are a folder of their own?");
}

/// Maximum number of branches of a function: `if`, arms of `match` and loops. A function that only
/// looks something up in a `match` may have more.
const MAX_BRANCHES: usize = 25;

/// The functions of a text with the number of their branches.
fn branches(text: &str) -> Vec<(String, usize)> {
    let code = code_of(text);
    let lines: Vec<&str> = code.lines().collect();
    let mut functions = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).collect();
        let Some(name) = words.iter().position(|word| *word == "fn").and_then(|fn_at| words.get(fn_at + 1)) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let is_head =
            line.trim_start().starts_with("fn ") || [" fn "].iter().any(|head| line.contains(head)) && !line.contains('=');
        if !is_head || line.trim_end().ends_with([';', '}']) {
            continue;
        }
        let body = lines[at..].iter().take_while(|line| **line != format!("{indent}}}")).map(|line| without_strings(line));
        let body = body.collect::<Vec<_>>().join("\n");
        let count = |word: &str| body.split(|letter: char| !letter.is_alphanumeric()).filter(|found| *found == word).count();
        let decisions =
            count("if") + count("while") + count("loop") + body.matches("for ").count() - body.matches(" for<").count();
        let arms = body.matches("=>").count();
        functions.push(((*name).to_owned(), if decisions == 0 { 0 } else { decisions + arms }));
    }
    functions
}

/// A line of code without what is between quotes.
fn without_strings(line: &str) -> String {
    line.split('"').step_by(2).collect()
}

#[test]
fn functions_have_few_branches() {
    for (path, text) in library() {
        for (name, branches) in branches(&text) {
            assert!(
                branches <= MAX_BRANCHES,
                "{path}: `{name}` has {branches} branches: which of them are a function of their own?"
            );
        }
    }
}

#[test]
fn branches_are_counted() {
    let long = format!("fn long() {{\n    if true {{}}\n{}}}\n", "    for a in \"if\" {}\n".repeat(25));
    let table = format!("impl A {{\n    pub const fn table(self) -> u8 {{\n{}    }}\n}}\n", "        1 => 2,\n".repeat(30));
    assert_eq!(branches(&format!("{long}{table}")), [("long".to_owned(), 26), ("table".to_owned(), 0)]);
}

#[test]
fn every_module_has_a_floor() {
    let floors: BTreeSet<&str> = FLOORS.iter().map(|(name, _)| *name).collect();
    for (path, _) in library() {
        let module = path.split(['/', '.']).next().unwrap_or_default();
        let is_entry = matches!(path.as_str(), "lib.rs" | "auditor.rs" | "internals.rs");
        assert!(floors.contains(module) || is_entry, "{path} belongs to no floor");
    }
}

/// A tree in which nothing is wrong, and the same with one file more, or another text for one.
fn breaches_with(path: &str, text: &str) -> Vec<String> {
    let sound = [
        ("text/mod.rs", "mod span;\npub use span::Span;\n"),
        ("text/span.rs", "pub struct Span;\n"),
        ("chess/mod.rs", "mod fen;\nmod san;\npub use fen::Fen;\npub use san::San;\n"),
        ("chess/fen.rs", "use crate::text::Span;\npub struct Fen(Span);\n"),
        ("chess/san.rs", "use super::Fen;\npub struct San(Fen);\n"),
        ("rules/mod.rs", "mod finding;\npub mod mov;\npub mod tag;\npub use finding::Finding;\n"),
        ("rules/finding.rs", "use crate::chess::San;\npub struct Finding(San);\n"),
        ("rules/mov/mod.rs", "pub mod illegal_move;\nfamily! {\n    illegal_move,\n}\nfn helper() {}\n"),
        ("rules/mov/illegal_move.rs", "use super::helper;\nuse crate::rules::Finding;\n"),
        ("rules/tag/mod.rs", "pub mod tag_name;\nfamily! {\n    tag_name,\n}\n"),
        ("rules/tag/tag_name.rs", "pub static RULE: u8 = 0;\n"),
        ("record/mod.rs", "use crate::rules::mov::illegal_move;\n"),
        ("pipeline/mod.rs", "use crate::record;\n"),
    ];
    let mut files: BTreeMap<String, String> = sound.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    if path.is_empty() {
        return breaches(&files.into_iter().collect::<Vec<_>>());
    }
    files.insert(path.to_owned(), text.to_owned());
    breaches(&files.into_iter().collect::<Vec<_>>())
}

#[test]
fn each_kind_of_breach_is_seen() {
    assert_eq!(breaches_with("", ""), [""; 0]);
    let of = |path: &str, text: &str| breaches_with(path, text).join("; ");
    assert_eq!(of("chess/fen.rs", "use crate::rules::Finding;\n"), {
        "chess::fen uses rules::finding, which is not below it; \
         a cycle of imports: chess::fen, chess::san, rules::finding"
    });
    assert_eq!(of("record/mod.rs", "fn f() { crate::pipeline::run(); }\n"), {
        "record uses pipeline, which is not below it; a cycle of imports: pipeline, record"
    });
    assert_eq!(of("rules/mov/illegal_move.rs", "use crate::rules::tag::tag_name;\n"), {
        "rules::mov::illegal_move uses rules::tag::tag_name, a rule of another family"
    });
    assert_eq!(of("chess/fen.rs", "use super::San;\npub struct Fen(San);\n"), { "a cycle of imports: chess::fen, chess::san" });
    // All names of a module are used with `*`.
    assert_eq!(of("chess/fen.rs", "use crate::rules::*;\npub struct Fen;\n"), {
        "chess::fen uses rules, which is not below it; chess::fen uses rules::finding, which is not below it; \
         a cycle of imports: chess::fen, chess::san, rules::finding"
    });
    // Re-exports are looked through, and a module may use its parts, unless they use it.
    assert_eq!(of("chess/mod.rs", "mod fen;\nmod san;\npub use fen::Fen;\nuse fen::Fen as F;\npub use san::San;\n"), "");
    let with_item = "mod fen;\nmod san;\npub use fen::Fen;\npub use san::San;\npub fn file() -> San {}\nuse san::San as S;\n";
    assert_eq!(of("chess/mod.rs", with_item), "");
    let both = [("chess/mod.rs", with_item), ("chess/san.rs", "use super::file;\npub struct San;\n")];
    let edges = Sources::of(both).edges();
    assert_eq!(cycles(&edges), ["chess, chess::san"]);
}

#[test]
fn only_the_command_line_is_loud() {
    for (path, text) in library().into_iter().filter(|(path, _)| !path.starts_with("cli/")) {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for word in LOUD {
                assert!(!line.contains(word), "{path}: {word} in `{line}`");
            }
        }
    }
}

/// Where `unsafe` code begins in a text, comments and strings apart.
fn unsafe_code(text: &str) -> Vec<usize> {
    let begins = |line: &str| {
        let code = line.split('"').next().filter(|code| !code.trim_start().starts_with("//")).unwrap_or_default();
        ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait", "unsafe extern"].iter().any(|begin| code.contains(begin))
    };
    text.lines().enumerate().filter(|(_, line)| begins(line)).map(|(number, _)| number).collect()
}

/// What the table of unsafe code in the notes for contributors says: the file, and the number of
/// blocks.
fn unsafe_table(notes: &str) -> BTreeMap<String, usize> {
    let section = notes.split("\n## ").find(|section| section.starts_with("Unsafe code\n")).expect("a section about unsafe code");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let row = |(file, rest): (&str, &str)| {
        let (blocks, reason) = rest.split_once(" | ").expect("three columns");
        assert!(reason.trim_matches(['|', ' ']).len() > 10, "no reason for {file}");
        (file.to_owned(), blocks.parse().expect("a number of blocks"))
    };
    rows.map(row).collect()
}

#[test]
fn all_unsafe_code_is_listed_with_its_reasons() {
    let root = crate::common::root();
    let notes = fs::read_to_string(root.join(".github/CONTRIBUTING.md")).expect("the notes can be read");
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        collect_below(&root.join(folder), root, &mut files);
    }
    assert!(files.len() > 350, "{} files", files.len());
    let mut found = BTreeMap::new();
    for (path, text) in files {
        let lines: Vec<&str> = text.lines().collect();
        for number in unsafe_code(&text) {
            let comments = lines[..number].iter().rev().take_while(|line| line.trim_start().starts_with("//"));
            let is_reasoned = comments.map(|line| line.trim_start()).any(|line| line.starts_with("// SAFETY: "));
            assert!(is_reasoned, "{path}, line {}: a comment `SAFETY: ` should say why this is sound", number + 1);
            *found.entry(path.clone()).or_default() += 1;
        }
        let is_allowed = text.lines().any(|line| line.trim_start().starts_with("#![allow(unsafe_code)]"));
        assert_eq!(is_allowed, found.contains_key(&path), "{path} allows unsafe code and has none, or the other way round");
    }
    assert_eq!(found, unsafe_table(&notes), "the table in .github/CONTRIBUTING.md");
}

#[test]
fn comments_have_at_most_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        collect_below(&root.join(folder), root, &mut files);
    }
    let is_wide = |line: &&str| line.trim_start().starts_with("//") && line.chars().count() > 100;
    let wide = files.iter().flat_map(|(path, text)| text.lines().filter(is_wide).map(move |line| format!("{path}: {line}")));
    let wide: Vec<String> = wide.collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn unsafe_code_is_seen() {
    let code = "fn a() {\n    unsafe { b() }\n}\n// unsafe { c() }\npub unsafe fn d() {}\nunsafe impl Send for E {}\n";
    assert_eq!(unsafe_code(code), [1, 4, 5]);
    let table =
        unsafe_table("# A\n\n## Unsafe code\n\n| file | blocks |\n| `a.rs` | 2 | Reasons, good ones. |\n\n## B\n| `b.rs` | 1 |");
    assert_eq!(table, BTreeMap::from([("a.rs".to_owned(), 2)]));
}

#[test]
fn every_rule_file_is_in_the_list_of_its_family() {
    let files = library();
    let mut rules = 0;
    for (path, _) in files.iter().filter(|(_, text)| text.contains("pub static RULE: Rule")) {
        rules += 1;
        let (family, name) = path.trim_end_matches(".rs").rsplit_once('/').expect("a rule is in a family");
        let list = files.iter().find(|(path, _)| *path == format!("{family}/mod.rs")).map(|(_, text)| text.as_str());
        let list = list.and_then(|text| text.split("family! {").nth(1)?.split('}').next());
        let is_listed = list.is_some_and(|list| list.split([',', ' ', '\n']).any(|listed| listed == name));
        assert!(is_listed, "{path} is not in the list of its family");
    }
    assert_eq!(rules, chess_audit::internals::rules::RULES.len());
}

/// Lines of code of each room: the first folder below `src`, and `src` for the files that are in
/// none.
fn weights(files: &[(String, String)]) -> BTreeMap<String, usize> {
    let mut weights = BTreeMap::new();
    for (path, text) in files {
        let room = path.split_once('/').map_or("src", |(room, _)| room);
        *weights.entry(room.to_owned()).or_default() += code_of(text).lines().count();
    }
    weights
}

/// The rooms and weights in the table of modules of the guide.
fn weight_table(guide: &str) -> BTreeMap<String, usize> {
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    rows.filter_map(|(room, rest)| Some((room.to_owned(), rest.split(" | ").next()?.replace(',', "").parse().ok()?))).collect()
}

/// Run with `--show-output`, it prints the weights. They may be wrong by 2 % or 100 lines.
#[test]
fn rooms_weigh_what_the_guide_says() {
    let guide = fs::read_to_string(source().join("README.md")).expect("the guide can be read");
    let mut files = Vec::new();
    collect(&source(), &mut files);
    let (weights, table) = (weights(&files), weight_table(&guide));
    println!("{weights:#?}\nall: {}", weights.values().sum::<usize>());
    assert!(weights.keys().eq(table.keys()), "the table in src/README.md has the rooms {:?}", table.keys());
    let is_wrong = |(room, weight): &(&String, &usize)| weight.abs_diff(table[*room]) > 100.max(*weight / 50);
    let wrong: Vec<_> = weights.iter().filter(is_wrong).map(|(room, weight)| format!("{room}: {weight}")).collect();
    assert!(wrong.is_empty(), "change the table in src/README.md, and say in the commit why the weight changed: {wrong:#?}");
}

#[test]
fn only_code_has_weight() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let text = "//! A.\n\nfn a() {\n    // B.\n}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n\nfn c() {}\n";
    let weights = weights(&[file("lib.rs", "mod text;\n"), file("text/mod.rs", text), file("text/a/b.rs", "fn d() {}\n")]);
    let expected = BTreeMap::from([("src".to_owned(), 1), ("text".to_owned(), 4)]);
    assert_eq!(weights, expected);
    assert_eq!(weight_table("| module | lines |\n|---|---|\n| `src` | 1 | A |\n| `text` | 4 | B |\n| `x` | y |\n"), expected);
}
