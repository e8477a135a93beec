//! What the files of the crate import from one another, read out of their text.

use std::collections::{BTreeMap, BTreeSet};

/// The module that a source file is: `["record", "game"]` for `record/game/mod.rs`; empty for
/// `lib.rs`.
pub type Module = Vec<String>;

/// The sources of a crate, by module.
#[derive(Debug, Default)]
pub struct Sources {
    files: BTreeMap<Module, File>,
}

#[derive(Debug, Default)]
struct File {
    /// Names that the file imports or re-exports, with the path of each.
    names: BTreeMap<String, Vec<String>>,
    /// Paths that the file uses, absolute, without those that it only re-exports.
    uses: Vec<Vec<String>>,
}

impl Sources {
    /// Reads `files`: paths below `src` with `/`, and their text. Tests at the end of a file do not
    /// count.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Sources {
        let mut sources = Sources::default();
        for (path, text) in files {
            let module = module_of(path);
            let file = File::read(&module, text);
            sources.files.insert(module, file);
        }
        sources
    }

    /// Each file with the files that define what it uses; a file is named by its module.
    pub fn edges(&self) -> BTreeSet<(Module, Module)> {
        let mut edges = BTreeSet::new();
        for (module, file) in &self.files {
            let targets = file.uses.iter().flat_map(|path| self.targets(path));
            edges.extend(targets.filter(|target| target != module).map(|target| (module.clone(), target)));
        }
        edges
    }

    /// The files that define what `path` names: one, or those of all names of a module if it ends
    /// with `*`.
    fn targets(&self, path: &[String]) -> Vec<Module> {
        let Some((last, module)) = path.split_last() else { return Vec::new() };
        if last != "*" {
            return self.resolve(path, 0).into_iter().collect();
        }
        let Some(module) = self.resolve(module, 0) else { return Vec::new() };
        let names = self.files.get(&module).into_iter().flat_map(|file| file.names.values());
        names.filter_map(|path| self.resolve(path, 0)).chain([module.clone()]).collect()
    }

    /// The file that defines what `path` names, through re-exports.
    fn resolve(&self, path: &[String], depth: usize) -> Option<Module> {
        let mut module = Module::new();
        for (index, segment) in path.iter().enumerate() {
            let mut child = module.clone();
            child.push(segment.clone());
            if self.files.contains_key(&child) {
                module = child;
                continue;
            }
            let file = self.files.get(&module)?;
            let Some(target) = file.names.get(segment).filter(|_| depth <= 8) else { return Some(module) };
            let whole: Vec<String> = target.iter().chain(&path[index + 1..]).cloned().collect();
            return self.resolve(&whole, depth + 1);
        }
        Some(module)
    }
}

impl File {
    fn read(module: &Module, text: &str) -> File {
        let mut file = File::default();
        let code = code_of(text);
        let mut rest = code.as_str();
        while let Some((is_public, statement, before, after)) = next_use(rest) {
            file.read_code(module, before);
            for (path, name) in flatten(&statement) {
                let path = absolute(module, &path);
                if let Some(path) = path {
                    if !is_public {
                        file.uses.push(path.clone());
                    }
                    file.names.insert(name, path);
                }
            }
            rest = after;
        }
        file.read_code(module, rest);
        file
    }

    /// Notes the paths in code.
    fn read_code(&mut self, module: &Module, code: &str) {
        for root in ["crate::", "super::"] {
            for (at, _) in code.match_indices(root) {
                // `pub(in crate::rules)` uses nothing.
                let starts_path = !code[..at].ends_with("pub(in ")
                    && !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':');
                if starts_path {
                    let path: String =
                        code[at..].chars().take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':')).collect();
                    let segments: Vec<String> = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
                    self.uses.extend(absolute(module, &segments));
                }
            }
        }
    }
}

/// The module of a path below `src`.
fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Module::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// The lines of code of a text: without blank lines, comments and inline tests.
pub fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut is_test = false;
    for line in text.lines().filter(|line| *line != "#[cfg(test)]") {
        is_test |= matches!(line, "mod tests {" | "pub(super) mod tests {");
        if is_test {
            is_test = line != "}";
        } else if !line.trim().is_empty() && !line.trim_start().starts_with("//") {
            code.extend([line, "\n"]);
        }
    }
    code
}

/// The next `use` statement: whether it is public, what it names, and the code before and after it.
fn next_use(code: &str) -> Option<(bool, String, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + code[from..].find("use ")?;
        let line = code[..at].rfind('\n').map_or(0, |line| line + 1);
        let before = code[line..at].trim();
        if before.is_empty() || (before.starts_with("pub") && before.len() < 12) {
            let end = at + code[at..].find(';')?;
            let statement = code[at + 4..end].split_whitespace().collect::<Vec<_>>().join(" ");
            return Some((!before.is_empty(), statement, &code[..line], &code[end + 1..]));
        }
        from = at + 4;
    }
}

/// The paths that a `use` statement names, each with the name that it gives them.
fn flatten(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else {
        let (path, name) = match tree.split_once(" as ") {
            Some((path, name)) => (path, Some(name.trim().to_owned())),
            None => (tree, None),
        };
        let mut path: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
        return vec![(path, name)];
    };
    let prefix: Vec<String> = prefix.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for letter in inner.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    let filled = parts.iter().filter(|part| !part.trim().is_empty());
    filled.flat_map(|part| flatten(part)).map(|(path, name)| (prefix.iter().cloned().chain(path).collect(), name)).collect()
}

/// A path of this crate from its root; `None` for paths of other crates.
fn absolute(module: &Module, path: &[String]) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some(module.iter().chain(rest).cloned().collect()),
        "super" => {
            let supers = path.iter().take_while(|part| *part == "super").count();
            let parent = &module[..module.len().checked_sub(supers)?];
            Some(parent.iter().chain(&path[supers..]).cloned().collect())
        }
        // `pub use child::Name` in a module, or another crate.
        _ => Some(module.iter().chain(path).cloned().collect()).filter(|_| first.starts_with(char::is_lowercase)),
    }
}
