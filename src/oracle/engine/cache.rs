//! Answers of earlier runs, on disk.
//!
//! An answer is a line of text in one of 4096 files, which its key selects. Finding it means
//! reading that file, about 2 MB if the cache has 10 GB, so no index is needed, and answers of runs
//! that go on at the same time are found too. Files only grow, by whole lines. Each line ends in a
//! checksum: lines that are damaged, torn or from elsewhere are ignored, and their questions are
//! asked again. On shared folders, lines of two machines may overwrite each other.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{
    answer::Answer,
    bounded_line::{Line, read_line},
    error::{EngineError, shown},
    program,
    protocol::{read_answer, write_answer},
    question::Question,
    settings::EngineSettings,
};

/// The version of the protocol and of the lines. Other versions have other keys.
const VERSION: &[u8] = b"chess-audit engine cache 1";

/// The file with what is known of engines.
const ENGINES: &str = "engines";

/// Maximum length of a line. Answers have a few hundred bytes.
const MAX_LINE: usize = 1 << 14;

/// What an engine says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// Its name, safe to print.
    pub name: String,
    pub plays_chess960: bool,
}

/// The answers of an engine.
#[derive(Debug)]
pub(super) struct Cache {
    directory: PathBuf,
    /// The engine with its settings.
    engine: u128,
}

impl Cache {
    /// Opens a directory, or creates it.
    pub fn open(directory: &Path, settings: &EngineSettings) -> Result<Cache, EngineError> {
        let created = fs::create_dir_all(directory);
        created.map_err(|error| EngineError::Cache { path: directory.to_owned(), source: Arc::new(error) })?;
        let digest = program::digest(settings);
        let engine = digest.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => EngineError::NotFound { program: settings.program.clone() },
            _ => EngineError::CannotStart { program: settings.program.clone(), source: Arc::new(error) },
        })?;
        Ok(Cache { directory: directory.to_owned(), engine })
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The key of a question to this engine.
    pub fn key(&self, question: &Question) -> u128 {
        self.key_of(&text_of(question))
    }

    fn key_of(&self, text: &str) -> u128 {
        let mut hasher = Xxh3::new();
        hasher.update(VERSION);
        hasher.update(&self.engine.to_le_bytes());
        hasher.update(text.as_bytes());
        hasher.digest128()
    }

    /// The answer to a question, if it is known.
    pub fn find(&self, question: &Question) -> Option<Answer> {
        let text = text_of(question);
        let key = self.key_of(&text);
        // The text is compared too, so that nobody can choose positions with the same key.
        self.find_line(&bucket(key), &format!("{key:032x}\t{text}\t"), |answer| read_answer(answer, question))
    }

    /// Keeps an answer.
    pub fn keep(&self, question: &Question, answer: &Answer) -> io::Result<()> {
        let text = text_of(question);
        let key = self.key_of(&text);
        let Some(answer) = write_answer(answer) else { return Ok(()) };
        self.append(&bucket(key), &format!("{key:032x}\t{text}\t{answer}"))
    }

    /// What the engine said about itself in an earlier run.
    pub fn facts(&self) -> Option<Facts> {
        self.find_line(ENGINES, &format!("{:032x}\t", self.key_of("")), |text| {
            let (chess960, name) = text.split_once('\t')?;
            Some(Facts { name: shown(name), plays_chess960: chess960 == "chess960" })
        })
    }

    /// Keeps what the engine says about itself.
    pub fn keep_facts(&self, facts: &Facts) -> io::Result<()> {
        let chess960 = if facts.plays_chess960 { "chess960" } else { "chess" };
        self.append(ENGINES, &format!("{:032x}\t{chess960}\t{}", self.key_of(""), facts.name))
    }

    /// The first sound line in a file that begins with `start`, and whose rest can be read.
    fn find_line<T>(&self, file: &str, start: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(self.directory.join(file)).ok()?);
        let mut line = Vec::new();
        loop {
            match read_line(&mut reader, &mut line, MAX_LINE).ok()? {
                Line::End => return None,
                Line::TooLong => {}
                Line::Whole if !line.starts_with(start.as_bytes()) => {}
                Line::Whole => {
                    let found = checked(&line).and_then(|line| read(line.get(start.len()..)?));
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }

    /// Appends a line with its checksum.
    fn append(&self, file: &str, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(self.directory.join(file))?;
        let mut text = format!("{line}\t{:016x}\n", xxh3_64(line.as_bytes()));
        // A line without its end comes from a run that was killed, or from a full disk.
        if file.seek(SeekFrom::End(0))? > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                text.insert(0, '\n');
            }
        }
        // At once, so that lines of other processes are not mixed in.
        file.write_all(text.as_bytes())
    }
}

/// A question as text, in one line without tabs.
fn text_of(question: &Question) -> String {
    format!("{} {}", question.fen(), question.go())
}

/// The name of the file of a key.
fn bucket(key: u128) -> String {
    format!("{:03x}", key >> 116)
}

/// The line without its checksum, if that is right.
fn checked(line: &[u8]) -> Option<&str> {
    let (line, sum) = std::str::from_utf8(line).ok()?.rsplit_once('\t')?;
    (sum == format!("{:016x}", xxh3_64(line.as_bytes()))).then_some(line)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::oracle::engine::{Limit, Score};

    fn cache(directory: &Path) -> Cache {
        Cache { directory: directory.to_owned(), engine: 1 }
    }

    /// Questions about the positions after each first move, with answers.
    fn answers() -> Vec<(Question, Answer)> {
        let start = Chess::default();
        let mut answers = Vec::new();
        for (index, first) in start.legal_moves().into_iter().enumerate() {
            let position = start.clone().play(first).expect("a legal move");
            let reply = position.legal_moves()[index];
            let score = Score::Centipawns(i32::try_from(index).unwrap_or(0));
            let answer = Answer { score, best_move: Some(reply), line: vec![reply], depth: 3, nodes: 100 };
            answers.push((Question::new(position, Limit::Nodes(100)), answer));
        }
        answers
    }

    /// The only file of answers in a directory.
    fn file(directory: &Path) -> io::Result<PathBuf> {
        let paths: Vec<PathBuf> = fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        assert_eq!(paths.len(), 1, "{paths:?}");
        Ok(paths[0].clone())
    }

    #[test]
    fn answers_are_found_again() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let cache = cache(home.path());
        for (question, answer) in &answers() {
            assert_eq!(cache.find(question), None);
            cache.keep(question, answer)?;
        }
        let other = Cache { engine: 2, ..self::cache(home.path()) };
        for (question, answer) in answers() {
            assert_eq!(cache.find(&question).as_ref(), Some(&answer));
            assert_eq!(other.find(&question), None, "another engine");
            for limit in [Limit::Nodes(101), Limit::Mate { moves: 2, nodes: 100 }] {
                assert_eq!(cache.find(&Question { limit, ..question.clone() }), None);
            }
            assert_eq!(cache.find(&Question::about(question.position, answer.line, question.limit)), None);
        }
        assert_eq!(cache.facts(), None);
        for plays_chess960 in [true, false] {
            let engine = u128::from(plays_chess960);
            let cache = Cache { engine, ..self::cache(home.path()) };
            let facts = Facts { name: "Stockfish 17".to_owned(), plays_chess960 };
            cache.keep_facts(&facts)?;
            assert_eq!(cache.facts(), Some(facts));
        }
        Ok(())
    }

    #[test]
    fn damaged_lines_are_ignored() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let cache = cache(home.path());
        let (question, answer) = answers().swap_remove(3);
        cache.keep(&question, &answer)?;
        let path = file(home.path())?;
        let sound = fs::read(&path)?;
        for at in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            fs::write(&path, &damaged)?;
            assert_eq!(cache.find(&question), None, "byte {at}");
            fs::write(&path, &sound[..at])?;
            assert_eq!(cache.find(&question), None, "cut at byte {at}");
            // What is written after that is found.
            cache.keep(&question, &answer)?;
            assert_eq!(cache.find(&question).as_ref(), Some(&answer), "cut at byte {at}");
        }
        for foreign in [&b"\xff\xfe\n"[..], b"\n\n\t\t\t\n", &vec![b'x'; 3 * MAX_LINE], &[b'\t'; 100], b"# comment\n"] {
            fs::write(&path, foreign)?;
            assert_eq!(cache.find(&question), None);
            cache.keep(&question, &answer)?;
            assert_eq!(cache.find(&question).as_ref(), Some(&answer));
        }
        Ok(())
    }

    #[test]
    fn impossible_answers_are_ignored_even_with_a_checksum() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let cache = cache(home.path());
        let (question, answer) = answers().swap_remove(3);
        cache.keep(&question, &answer)?;
        let path = file(home.path())?;
        let line = fs::read_to_string(&path)?;
        let forge = |from: &str, to: &str| {
            let text = checked(line.trim_end().as_bytes()).expect("sound").replace(from, to);
            fs::write(&path, format!("{text}\t{:016x}\n", xxh3_64(text.as_bytes())))
        };
        forge("depth", "depth")?;
        assert_eq!(cache.find(&question), Some(answer), "forging works");
        for to in ["bestmove e2e4", "bestmove (none)", "bestmove", ""] {
            let from = line.split('\t').nth(2).and_then(|answer| answer.find("bestmove").map(|at| &answer[at..]));
            forge(from.expect("a move"), to)?;
            assert_eq!(cache.find(&question), None, "{to}");
        }
        Ok(())
    }

    #[test]
    fn processes_and_threads_may_write_at_the_same_time() -> io::Result<()> {
        const WRITERS: usize = 8;
        let home = tempfile::tempdir()?;
        let answers = answers();
        let write = |_| answers.iter().try_for_each(|(question, answer)| cache(home.path()).keep(question, answer));
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
            writers.into_iter().try_for_each(|writer| writer.join().expect("no panic"))
        })?;
        let mut lines = 0;
        for entry in fs::read_dir(home.path())? {
            let text = fs::read_to_string(entry?.path())?;
            assert!(text.lines().all(|line| checked(line.as_bytes()).is_some()), "{text}");
            lines += text.lines().count();
        }
        assert_eq!(lines, WRITERS * answers.len());
        Ok(())
    }
}
