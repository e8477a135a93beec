//! The program of an engine: finding it, and telling whether it is the same as in an earlier run.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::Xxh3;

use super::settings::EngineSettings;

/// Finds a program: a path is taken as it is, and a name is looked up in the directories of
/// `search_path`, which is written like the environment variable `PATH`.
pub fn find_program(program: &OsStr, search_path: Option<&OsStr>) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() != 1 || path.is_absolute() {
        return candidates(path).find(|path| path.is_file());
    }
    // An empty directory means the current one, in which nobody expects programs.
    let directories = search_path.map(std::env::split_paths).into_iter().flatten().filter(|it| it.is_absolute());
    directories.flat_map(|directory| candidates(&directory.join(path))).find(|path| is_program(path))
}

/// The names under which a program may exist.
fn candidates(path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let with_extension = cfg!(windows).then(|| path.with_extension("exe"));
    [path.to_owned()].into_iter().chain(with_extension)
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    let is_executable =
        |metadata: &std::fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let is_executable = |_: &std::fs::Metadata| true;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && is_executable(&metadata))
}

/// A digest of everything that the answers depend on, except for the question: the content of the
/// program, its arguments and options, and the content of files that they name, such as a script or
/// a network.
pub(super) fn digest(settings: &EngineSettings) -> io::Result<u128> {
    let EngineSettings { program, arguments, options, hash_mib, .. } = settings;
    let mut hasher = Xxh3::new();
    add_file(&mut hasher, program)?;
    for argument in arguments {
        add_text(&mut hasher, argument);
        add_named_file(&mut hasher, argument)?;
    }
    add_text(&mut hasher, "");
    for (name, value) in options {
        add_text(&mut hasher, name.trim());
        add_text(&mut hasher, value);
        add_named_file(&mut hasher, value)?;
    }
    hasher.update(&hash_mib.to_le_bytes());
    Ok(hasher.digest128())
}

fn add_text(hasher: &mut Xxh3, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn add_named_file(hasher: &mut Xxh3, name: &str) -> io::Result<()> {
    // `--weights=FILE` names a file too.
    let name = name.split_once('=').map_or(name, |(_, value)| value);
    if Path::new(name).is_file() { add_file(hasher, Path::new(name)) } else { Ok(()) }
}

fn add_file(hasher: &mut Xxh3, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut bytes = vec![0; 1 << 16];
    let mut length = 0_u64;
    loop {
        match file.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                hasher.update(&bytes[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    hasher.update(&length.to_le_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn answers_of_another_engine_are_told_apart() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let path = |name: &str| home.path().join(name).to_string_lossy().into_owned();
        fs::write(path("engine"), "one")?;
        fs::write(path("copy"), "one")?;
        fs::write(path("script"), "two")?;
        let settings = EngineSettings::of(path("engine"));
        let of = |settings: EngineSettings| digest(&settings);
        let first = of(settings.clone())?;
        // Where the program is, and how it is used, does not matter.
        let same = EngineSettings { program: path("copy").into(), processes: 7, cache: None, ..settings.clone() };
        assert_eq!(of(same)?, first);
        let script = |text: &str| EngineSettings { arguments: vec![text.to_owned()], ..settings.clone() };
        let option =
            |name: &str, value: &str| EngineSettings { options: vec![(name.to_owned(), value.to_owned())], ..settings.clone() };
        let mut digests = vec![
            first,
            of(script("a"))?,
            of(script(&path("script")))?,
            of(script(&format!("--weights={}", path("script"))))?,
            of(option("a", "b"))?,
            of(option("ab", ""))?,
            of(option("EvalFile", &path("script")))?,
            of(EngineSettings { hash_mib: 17, ..settings.clone() })?,
        ];
        fs::write(path("script"), "three")?;
        digests.extend([
            of(script(&path("script")))?,
            of(script(&format!("--weights={}", path("script"))))?,
            of(option("EvalFile", &path("script")))?,
        ]);
        fs::write(path("engine"), "two")?;
        digests.push(of(settings.clone())?);
        let distinct: std::collections::BTreeSet<u128> = digests.iter().copied().collect();
        assert_eq!(distinct.len(), digests.len());
        assert!(of(EngineSettings::of(path("missing"))).is_err());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_by_name_or_path() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;

        let home = tempfile::tempdir()?;
        let [first, second] = ["first", "second"].map(|name| home.path().join(name));
        for (directory, mode) in [(&first, 0o644), (&second, 0o755)] {
            fs::create_dir(directory)?;
            fs::write(directory.join("engine"), "")?;
            fs::set_permissions(directory.join("engine"), fs::Permissions::from_mode(mode))?;
        }
        let search_path = std::env::join_paths([&first, &second]).map_err(io::Error::other)?;
        let find = |name: &Path| find_program(name.as_os_str(), Some(&search_path));
        assert_eq!(find(Path::new("engine")), Some(second.join("engine")), "the first one cannot be executed");
        assert_eq!(find(Path::new("missing")), None);
        assert_eq!(find(&first.join("engine")), Some(first.join("engine")));
        assert_eq!(find(&first.join("missing")), None);
        assert_eq!(find_program(OsStr::new("engine"), None), None);
        Ok(())
    }
}
