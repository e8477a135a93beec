//! Spellings of names that people have decided to replace.

use std::{collections::HashMap, path::Path};

use super::error::CleanError;
use crate::{
    format::csv_cell::unquoted,
    identity::{GameCard, PlayerName},
    pgn::KnownTag,
    rules::{Patch, patches::replace_value},
    text::wording::{printable, thousands},
};

/// Maximum number of names.
const MAX_NAMES: usize = 1_000_000;

/// The columns of a file of names that matter.
const COLUMNS: [&str; 3] = ["name", "main", "decision"];

/// Spellings of names, each with the one that is written instead.
#[derive(Clone, Debug, Default)]
pub struct Names {
    main: HashMap<String, String>,
}

impl Names {
    /// Reads the rows of a `names.csv` that have `yes` in the column `decision`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, if it is another one, or if a name would have two main
    /// spellings, or none in the end.
    pub fn read(path: &Path) -> Result<Names, CleanError> {
        let wrong = |reason: String| CleanError::Names { path: path.to_owned(), reason };
        let broken = |error: csv::Error| wrong(error.to_string());
        let mut reader = csv::Reader::from_path(path).map_err(broken)?;
        let header = reader.byte_headers().map_err(broken)?.clone();
        let column = |name: &str| {
            let place = header.iter().position(|cell| cell.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(cell) == name.as_bytes());
            place.ok_or_else(|| wrong(format!("it has no column `{name}`")))
        };
        let [name, main, decision] = COLUMNS.map(column);
        let (name, main, decision) = (name?, main?, decision?);
        let mut names = Names::default();
        for row in reader.byte_records() {
            let row = row.map_err(broken)?;
            let cell = |column: usize| String::from_utf8_lossy(unquoted(row.get(column).unwrap_or_default())).into_owned();
            match cell(decision).trim().to_lowercase().as_str() {
                "" | "no" => continue,
                "yes" => {}
                other => {
                    return Err(wrong(format!("`{}` in the column `decision` is neither `yes` nor empty", printable(other))));
                }
            }
            if names.main.len() == MAX_NAMES {
                return Err(wrong(format!("there are more than {} names", thousands(MAX_NAMES as u64))));
            }
            let (name, main) = (cell(name), cell(main));
            if name.is_empty() || PlayerName::new(&main).is_unknown() {
                return Err(wrong(format!("`{}` cannot be written as `{}`", printable(&name), printable(&main))));
            }
            let earlier = names.main.get(&name).filter(|earlier| **earlier != main);
            if let Some(earlier) = earlier {
                let [name, main, earlier] = [&name, &main, earlier].map(|text| printable(text));
                return Err(wrong(format!("`{name}` would be written both `{earlier}` and `{main}`")));
            }
            names.main.insert(name, main);
        }
        names.settle().map_err(wrong)
    }

    /// Follows main spellings that have others in turn.
    fn settle(mut self) -> Result<Names, String> {
        self.main.retain(|name, main| name != main);
        let mut settled = HashMap::new();
        for name in self.main.keys() {
            let (mut last, mut steps) = (name, 0);
            while let Some(next) = self.main.get(last) {
                (last, steps) = (next, steps + 1);
                if steps > self.main.len() {
                    return Err(format!("`{}` would be written as another name, and that one as `{0}`", printable(last)));
                }
            }
            settled.insert(name.clone(), last.clone());
        }
        Ok(Names { main: settled })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.main.is_empty()
    }

    /// What writes the main spellings in a game, each with its reason; `None` for a name that
    /// cannot be written, because it is not plain ASCII or its tag is not as usual.
    pub(super) fn changes<'n>(&'n self, game: &'n GameCard<'_>) -> impl Iterator<Item = Option<(Patch, String)>> + 'n {
        [KnownTag::White, KnownTag::Black].into_iter().filter_map(|tag| {
            let (own, main) = (game.tag(tag), self.main.get(game.tag(tag))?);
            let reason = || format!("a person decided to write `{}` as `{}`", printable(own), printable(main));
            Some(replace_value(game, tag, main).map(|patch| (patch, reason())))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String)>, String> {
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        std::fs::write(file.path(), text).map_err(|error| error.to_string())?;
        let names = Names::read(file.path()).map_err(|error| error.to_string())?;
        let mut names: Vec<_> = names.main.into_iter().collect();
        names.sort();
        Ok(names)
    }

    #[test]
    fn only_what_is_decided_is_renamed() {
        let names =
            |names: &[(&str, &str)]| Ok(names.iter().map(|(name, main)| ((*name).to_owned(), (*main).to_owned())).collect());
        for (rows, expected) in [
            ("a,b,yes\nc,d,\ne,f,no\n", names(&[("a", "b")])),
            ("a,b,Yes\nb,c, yes \n", names(&[("a", "c"), ("b", "c")])),
            ("'=a,'-b,yes\na,a,yes\n", names(&[("=a", "-b")])),
            ("a,b,yes\na,b,yes\n", names(&[("a", "b")])),
        ] {
            assert_eq!(read(&format!("name,main,decision\n{rows}")), expected, "{rows}");
        }
        for (rows, reason) in [
            ("a,b,yes\na,c,yes\n", "`a` would be written both `b` and `c`"),
            ("a,b,yes\nb,a,yes\n", "would be written as another name"),
            ("a,,yes\n", "`a` cannot be written as ``"),
            ("a,?,yes\n", "`a` cannot be written as `?`"),
            ("a,b,maybe\n", "`maybe` in the column `decision` is neither `yes` nor empty"),
        ] {
            let found = read(&format!("name,main,decision\n{rows}"));
            assert!(found.as_ref().is_err_and(|found| found.contains(reason)), "{rows}: {found:?}");
        }
        assert!(read("name,main\n").is_err_and(|found| found.contains("no column `decision`")));
    }
}
