//! Which engine is asked, and how.

use std::{path::PathBuf, time::Duration};

use super::error::EngineError;

/// Options that every process sets itself, so that answers can be repeated.
const OWN_OPTIONS: [&str; 5] = ["Threads", "Hash", "MultiPV", "Ponder", "UCI_Chess960"];

/// Which engine is asked, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The program, as a path. [`find_program`](super::find_program) finds it by its name.
    pub program: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// Options to set, with their values, in this order.
    pub options: Vec<(String, String)>,
    /// Size of the hash table of each process.
    pub hash_mib: u32,
    /// Maximum number of processes.
    pub processes: usize,
    /// How long a process may take for an answer, and to start.
    pub answer_timeout: Duration,
    /// The directory with the answers of earlier runs. Other runs may use it at the same time.
    pub cache: Option<PathBuf>,
}

impl EngineSettings {
    /// The usual settings for a program: one process with 16 MiB, and a minute for each answer.
    pub fn of(program: impl Into<PathBuf>) -> EngineSettings {
        EngineSettings {
            program: program.into(),
            arguments: Vec::new(),
            options: Vec::new(),
            hash_mib: 16,
            processes: 1,
            answer_timeout: Duration::from_secs(60),
            cache: None,
        }
    }

    /// Checks what would be wrong with every process.
    pub(super) fn check(&self) -> Result<(), EngineError> {
        for (name, value) in &self.options {
            let invalid = |reason| EngineError::InvalidOption { name: name.clone(), reason };
            let is_own = OWN_OPTIONS.iter().any(|own| own.eq_ignore_ascii_case(name.trim()));
            if is_own {
                return Err(invalid("chess-audit sets it, so that answers can be repeated"));
            }
            if name.trim().is_empty() || name.chars().chain(value.chars()).any(char::is_control) {
                return Err(invalid("a name and a value must be text in one line"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_cannot_be_set_are_errors() {
        let check = |name: &str, value: &str| {
            let settings = EngineSettings { options: vec![(name.to_owned(), value.to_owned())], ..EngineSettings::of("engine") };
            settings.check().map_err(|error| error.to_string())
        };
        assert_eq!(check("SyzygyPath", "/tables"), Ok(()));
        for (name, value) in [("threads", "4"), (" Hash ", "1"), ("", "1"), ("A", "1\nquit"), ("A\r", "")] {
            assert!(check(name, value).is_err(), "{name:?} {value:?}");
        }
    }
}
