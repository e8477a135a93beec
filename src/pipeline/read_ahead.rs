//! Opens and checks small files and members of archives ahead of their turn, several at a time.
//!
//! A file of a few kilobytes is read and checked in less time than it takes to hand it to another
//! thread, so one task does both for a batch of files. A member of an archive is decompressed on
//! one thread, so several are read at a time. All other inputs are opened when their turn comes,
//! above all standard input and pipes, which may keep a reader waiting.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
};

use rayon::Scope;

use super::{
    chunk::{Chunk, audit_whole},
    emit::{CleanInput, OpenInput},
    open::{Opened, Opener},
};
use crate::{
    corpus::{Bytes, Input, MAX_COPIED, MAX_MEMBER, Source},
    record::ReaderMemory,
    text::wording::thousands,
};

/// Maximum depth of archives in archives.
const MAX_ARCHIVE_DEPTH: usize = 4;

/// Maximum number of files of an archive that are read, those of archives in it included.
const MAX_MEMBERS: usize = 1_000_000;

/// Maximum number of files in a batch.
const BATCH: usize = 32;

/// A batch takes so many times less than what each worker would get of the files that are left, so
/// that all workers end at about the same time.
const BATCHES_PER_WORKER: usize = 8;

/// Number of findings after which the other files of a batch are not checked ahead. All findings of
/// a batch are in memory until its turn comes.
const MANY_FINDINGS: usize = 1000;

/// Number of bytes of members that end a batch.
const MAX_BATCH_BYTES: usize = 1 << 20;

/// Number of bytes of text after which the other files of a batch are not opened ahead. Files with
/// something to report are in memory until their turn comes.
const MANY_BYTES: u64 = 8 * MAX_COPIED;

/// An input whose turn has come, and what was done with it before.
pub(super) enum InTurn {
    /// Nothing.
    Untouched(Input),
    /// It was opened.
    Opened(Input, Opened),
    /// Its text was checked in one chunk.
    Checked(Box<OpenInput>, Bytes, Box<Chunk>),
    /// The same, and there is nothing to report.
    Clean(Box<CleanInput>),
}

/// How inputs are read ahead of their turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadAhead {
    /// Number of threads that read.
    pub workers: usize,
    /// Maximum number of batches that are read, or wait to be reported.
    pub batches: usize,
    /// Texts of up to so many bytes are checked, too.
    pub max_text: usize,
    /// Whether all chunks are handed over, even if there is nothing to report.
    pub hands_over_all: bool,
}

/// The inputs of a run, in their order. The members of an archive come before what follows the
/// archive.
pub(super) struct Turns {
    /// The inputs of the run, and the members of each archive that is being read.
    levels: Vec<Level>,
    /// Number of members so far of the archive among the inputs, nested ones included.
    members: usize,
}

/// Inputs of the run, or members of one archive.
#[derive(Default)]
struct Level {
    /// The next inputs, before those of the batches.
    next: VecDeque<InTurn>,
    /// Batches that are being read, and the number of bytes of their members.
    batches: VecDeque<(Receiver<Vec<InTurn>>, usize)>,
    /// Inputs after those of the batches.
    rest: VecDeque<Input>,
}

/// What comes next.
pub(super) enum Next {
    Input(InTurn),
    /// An input that is still being read.
    Later,
    /// Nothing.
    End,
}

/// The number of bytes that an input takes while it waits. Files that are read ahead are small.
fn bytes_in_memory(input: &Input) -> usize {
    match &input.source {
        Source::Member(member) => usize::try_from(member.size()).unwrap_or(usize::MAX),
        _ => 0,
    }
}

/// Whether an input is read ahead. It may turn out to be too large.
fn is_read_ahead(input: &Input) -> bool {
    matches!(input.source, Source::File(_) | Source::Member(_)) && bytes_in_memory(input) <= MAX_MEMBER
}

impl Level {
    /// Takes the next batch of inputs that are read ahead, and the number of bytes of its members.
    /// `most` is its size.
    fn take_batch(&mut self, most: usize) -> (Vec<Input>, usize) {
        let (mut files, mut bytes) = (0, 0);
        for input in self.rest.iter().take(most).take_while(|input| is_read_ahead(input)) {
            bytes += bytes_in_memory(input);
            files += 1;
            if bytes >= MAX_BATCH_BYTES {
                break;
            }
        }
        (self.rest.drain(..files).collect(), bytes)
    }
}

impl Turns {
    pub fn of(inputs: Vec<Input>) -> Turns {
        let level = Level { rest: VecDeque::from(inputs), ..Level::default() };
        Turns { levels: vec![level], members: 0 }
    }

    /// Puts the members of an archive before all other inputs. Those beyond the limits are dropped,
    /// and the reason is returned.
    pub fn insert(&mut self, mut members: Vec<Input>) -> Result<(), String> {
        if self.levels.len() == 1 {
            self.members = 0;
        }
        if self.levels.len() > MAX_ARCHIVE_DEPTH {
            return Err(format!("it is nested more than {MAX_ARCHIVE_DEPTH} archives deep; unpack it, and audit the files"));
        }
        let room = MAX_MEMBERS - self.members;
        let is_too_many = members.len() > room;
        members.truncate(room);
        self.members += members.len();
        self.levels.push(Level { rest: VecDeque::from(members), ..Level::default() });
        if is_too_many {
            let most = thousands(MAX_MEMBERS as u64);
            return Err(format!(
                "only {most} files of an archive are read, nested ones included; unpack it, and audit the files"
            ));
        }
        Ok(())
    }

    /// Reads batches of small files and members ahead.
    pub fn read_ahead<'a: 'scope, 'scope>(&mut self, how: ReadAhead, opener: &Arc<Opener<'a>>, scope: &Scope<'scope>) {
        let most_bytes = (how.workers + 1) * MAX_MEMBER;
        let mut waiting: usize = self.levels.iter().flat_map(|level| &level.batches).map(|(_, bytes)| bytes).sum();
        let Some(level) = self.levels.last_mut() else { return };
        while level.batches.len() < how.batches && level.rest.len() > 1 {
            if waiting + level.rest.front().map_or(0, bytes_in_memory) > most_bytes {
                return;
            }
            let most = (level.rest.len() / (how.workers * BATCHES_PER_WORKER)).clamp(1, BATCH);
            let (batch, bytes) = level.take_batch(most);
            if batch.is_empty() {
                return;
            }
            // A disk answers several requests in almost the time of one.
            if batch.first().is_some_and(Input::preload) {
                batch.iter().skip(1).for_each(|input| _ = input.preload());
            }
            let (sender, receiver) = sync_channel(1);
            let opener = Arc::clone(opener);
            scope.spawn(move |_| {
                // Nothing waits for the batch after the run was stopped.
                let _ = sender.send(read(batch, &opener, how));
            });
            level.batches.push_back((receiver, bytes));
            waiting += bytes;
        }
    }

    /// The next input. Waits for it if `wait` is set.
    pub fn next(&mut self, wait: bool) -> Next {
        loop {
            let Some(level) = self.levels.last_mut() else { return Next::End };
            if let Some(input) = level.next.pop_front() {
                return Next::Input(input);
            }
            if let Some((batch, _)) = level.batches.front() {
                let read = if wait { batch.recv().ok() } else { batch.try_recv().ok() };
                match read {
                    Some(read) => level.next.extend(read),
                    // The task panicked, and so does the scope.
                    None if wait => {}
                    None => return Next::Later,
                }
                level.batches.pop_front();
                continue;
            }
            if let Some(input) = level.rest.pop_front() {
                return Next::Input(InTurn::Untouched(input));
            }
            self.levels.pop();
        }
    }
}

/// Opens small files and members, and checks their texts.
fn read(batch: Vec<Input>, opener: &Opener<'_>, how: ReadAhead) -> Vec<InTurn> {
    let mut memory = ReaderMemory::default();
    let (mut findings, mut bytes) = (0, 0);
    let read = batch.into_iter().map(|input| {
        let has_room = findings < MANY_FINDINGS && bytes < MANY_BYTES;
        let opened = if has_room { opener.open_small(&input) } else { None };
        match opened {
            None => InTurn::Untouched(input),
            Some(Opened::Text(opened, text, checks))
                if text.len() <= how.max_text || matches!(input.source, Source::Member(_)) =>
            {
                let chunk = audit_whole(&text, &checks, &mut memory);
                if !how.hands_over_all
                    && let Some(clean) = CleanInput::of(&opened, &chunk)
                {
                    return InTurn::Clean(Box::new(clean));
                }
                findings += chunk.findings.in_memory();
                bytes += text.len() as u64;
                InTurn::Checked(opened, text, Box::new(chunk))
            }
            Some(opened) => {
                bytes += MAX_COPIED;
                InTurn::Opened(input, opened)
            }
        }
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, io, sync::atomic::AtomicBool};

    use crate::{
        corpus::{Input, Source},
        pipeline::{Audit, Settings, report_lines::ReportLines},
        rules::{Profile, Selection},
    };

    use super::{MAX_ARCHIVE_DEPTH, MAX_MEMBERS, Next, Turns};

    /// Members of an archive, all alike.
    fn members(count: usize) -> Vec<Input> {
        let member = Input { name: String::new(), source: Source::Bytes([].into()), format: None, scanned: true };
        vec![member; count]
    }

    #[test]
    fn the_number_of_files_of_an_archive_is_limited() {
        let mut turns = Turns::of(Vec::new());
        assert_eq!(turns.insert(members(MAX_MEMBERS - 2)), Ok(()));
        // Those of an archive in it count as well.
        assert_eq!(turns.insert(members(2)), Ok(()));
        assert!(turns.insert(members(1)).is_err_and(|reason| reason.contains("only 1,000,000 files")));
        let count = std::iter::from_fn(|| matches!(turns.next(true), Next::Input(_)).then_some(())).count();
        assert_eq!(count, MAX_MEMBERS);
        // Another archive may contain as many.
        let mut turns = Turns::of(members(2));
        for _ in 0..2 {
            assert!(matches!(turns.next(true), Next::Input(_)));
            assert_eq!(turns.insert(members(MAX_MEMBERS / 2 + 1)), Ok(()));
            assert_eq!((0..=MAX_MEMBERS / 2).filter(|_| matches!(turns.next(true), Next::Input(_))).count(), MAX_MEMBERS / 2 + 1);
        }
        assert!(matches!(turns.next(true), Next::End));
    }

    #[test]
    fn the_depth_of_archives_is_limited() {
        let mut turns = Turns::of(Vec::new());
        for _ in 0..MAX_ARCHIVE_DEPTH {
            assert_eq!(turns.insert(members(1)), Ok(()));
        }
        assert!(turns.insert(members(1)).is_err_and(|reason| reason.contains("4 archives deep")));
    }

    const GAME: &str = "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\
                        [Result \"*\"]\n\n1. e4 e5 *\n";

    /// Files that differ in what is reported when they are closed: nothing, findings, findings that
    /// are reported once per input, findings about the whole input, failures, and what is not
    /// chess.
    fn texts() -> Vec<(&'static str, String)> {
        let with = |tag: &str| GAME.replacen("[Result", &format!("{tag}\n[Result"), 1);
        let fide = |id: u32, name: &str| with(&format!("[WhiteFideId \"{id}\"]")).replace("Ann", name);
        let ids = |places: [&str; 2]| places.map(|place| format!("4k3/8/8/8/8/8/{place}/4K3 w - - id \"a.1\";\n")).concat();
        vec![
            ("pgn", GAME.to_owned()),
            ("pgn", GAME.replace("e5", "Ke3")),
            ("pgn", with("[Openning \"Open Game\"]")),
            ("pgn", GAME.replace("Cup", "Cup\"]\n[BlackElO \"2500") + &with("[Openning \"Open Game\"]")),
            ("pgn", fide(1_503_014, "Carlsen, Magnus")),
            ("pgn", fide(1_503_014, "Carlsen, Magnus") + "\n" + &fide(1_503_014, "Nakamura, Hikaru")),
            ("pgn", String::new()),
            ("pgn", "panic in read".to_owned()),
            ("txt", "Some notes\n".to_owned()),
            ("epd", ids(["4P3", "4P3"])),
            ("epd", ids(["4P3", "3P4"])),
            ("epd", "4k3/8/8/8/8/8/8/8 w - -\n".to_owned()),
            ("epd", "Some notes\n".to_owned()),
        ]
    }

    #[test]
    fn files_that_are_read_ahead_are_reported_like_others() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let mut inputs = Vec::new();
        // Each kind comes more than once, in batches with others.
        for (number, (extension, text)) in texts().into_iter().cycle().take(39).enumerate() {
            let name = if number == 13 { "panic in close".to_owned() } else { format!("{number}.{extension}") };
            let path = directory.path().join(&name);
            fs::write(&path, text)?;
            inputs.push(Input { name, source: Source::File(path), format: None, scanned: true });
        }
        let moves_only = Selection::of(Profile::Standard).select(["MOV"]).map_err(io::Error::other)?;
        for selection in [Selection::of(Profile::Standard), Selection::of(Profile::Strict), moves_only] {
            let reported = |map: bool, threads: usize| {
                let selection = selection.clone();
                let settings = Settings { selection, threads, map, ..Settings::default() };
                let mut kept = ReportLines::default();
                let stop = AtomicBool::new(false);
                let summary = Audit::new(settings).run(inputs.clone(), &mut kept, &(), &stop)?;
                io::Result::Ok((kept.0, format!("{summary:?}")))
            };
            // Nothing is read ahead unless files are mapped.
            let expected = reported(false, 1)?;
            for words in ["MOV01", "is_not_chess: true", "panic in close"] {
                assert!(expected.0.iter().any(|line| line.contains(words)), "{words}");
            }
            for threads in [1, 3] {
                assert_eq!(reported(true, threads)?, expected, "{selection:?}, {threads}");
            }
        }
        Ok(())
    }
}
