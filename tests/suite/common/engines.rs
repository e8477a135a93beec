//! Engines for the tests: a scripted one with all the faults that an engine can have, and Stockfish
//! if it is installed.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use chess_audit::internals::oracle::engine::{EngineSettings, find_program};
use shakmaty::{Chess, EnPassantMode, Position, fen::Epd, uci::UciMove};

use super::{Numbers, not_run::not_run, program::Outcome};

/// How long the tests wait for something that should happen at once, on a busy machine.
pub const MAX_WAIT: Duration = Duration::from_secs(60);

/// Some positions from random games.
pub fn positions() -> Vec<Chess> {
    let mut numbers = Numbers::new(16);
    let mut positions = Vec::new();
    for _ in 0..24 {
        let mut position = Chess::default();
        for _ in 0..numbers.below(40) {
            let moves = position.legal_moves();
            let Some(next) = moves.get(numbers.below(moves.len())) else { break };
            position.play_unchecked(*next);
        }
        if !position.legal_moves().is_empty() && positions.iter().all(|other| fen(other) != fen(&position)) {
            positions.push(position);
        }
    }
    positions
}

/// A position as the engine is asked about it.
pub fn fen(position: &Chess) -> String {
    format!("{} {} 1", Epd::from_position(position, EnPassantMode::Legal), position.halfmoves())
}

/// An engine in a directory of its own. Its script writes down what it does.
pub struct Fake {
    pub home: tempfile::TempDir,
}

/// What the script does on each command, apart from the usual.
#[derive(Clone, Copy)]
pub struct Script<'a> {
    pub uci: &'a str,
    pub isready: &'a str,
    pub go: &'a str,
    pub quit: &'a str,
}

pub const USUAL: Script<'_> = Script { uci: "hello", isready: "echo readyok", go: "answer", quit: "exit 0" };

impl Fake {
    /// An engine that knows the first legal move in each of [`positions`]. If it is asked about one
    /// move only, that loses.
    pub fn new(script: Script<'_>) -> Outcome<Fake> {
        let home = tempfile::tempdir()?;
        let mut text = "home=$1\necho $$ >> \"$home/started\"\n".to_owned();
        text.push_str("hello() {\n  echo id name Fake 1\n  echo option name Threads type spin default 1 min 1 max 9\n");
        text.push_str("  echo option name Skill Level type spin default 20 min 0 max 20\n");
        text.push_str("  echo option name UCI_Chess960 type check default false\n  echo uciok\n}\n");
        // `hang` stays in a process of its own, which must end, too.
        text.push_str("hang() { echo $$ >> \"$home/hanging\"; while :; do sleep 1000; done; }\n");
        text.push_str("answer() {\n  case $position in\n");
        for (number, position) in positions().iter().enumerate() {
            let best = UciMove::from_standard(position.legal_moves()[0]);
            text.push_str(&format!("  'position fen {}') score='cp {}' best={best} ;;\n", fen(position), number * 7));
        }
        text.push_str("  *) score='cp 0' best=unknown ;;\n  esac\n");
        text.push_str("  case $go in *searchmoves*) score='cp -900' best=${go##* } ;; esac\n");
        text.push_str("  echo info depth 5 score $score nodes 900 pv $best\n  echo bestmove $best\n}\n");
        text.push_str("while read -r line; do\n  echo \"$line\" >> \"$home/log.$$\"\n  case $line in\n");
        for (command, action) in [
            ("uci", script.uci),
            ("isready", script.isready),
            ("position*", "position=$line"),
            ("go*", &format!("go=$line; {}", script.go)),
            ("quit", script.quit),
        ] {
            text.push_str(&format!("  {command}) {action} ;;\n"));
        }
        text.push_str("  esac\ndone\n");
        fs::write(home.path().join("engine.sh"), text)?;
        Ok(Fake { home })
    }

    /// The words of its command.
    fn words(&self) -> [String; 3] {
        let script = self.home.path().join("engine.sh");
        ["/bin/sh".to_owned(), script.to_string_lossy().into_owned(), self.home.path().to_string_lossy().into_owned()]
    }

    /// Its command, for the command line.
    pub fn command(&self) -> String {
        self.words().join(" ")
    }

    pub fn settings(&self) -> EngineSettings {
        let [shell, arguments @ ..] = self.words();
        EngineSettings { arguments: arguments.to_vec(), answer_timeout: MAX_WAIT, ..EngineSettings::of(shell) }
    }

    pub fn cached(&self, directory: &Path) -> EngineSettings {
        EngineSettings { cache: Some(directory.to_owned()), ..self.settings() }
    }

    /// The processes that were started.
    pub fn started(&self) -> Vec<u32> {
        self.pids("started")
    }

    pub fn pids(&self, file: &str) -> Vec<u32> {
        let text = fs::read_to_string(self.home.path().join(file)).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// The lines that a process received.
    pub fn log(&self, pid: u32) -> Outcome<Vec<String>> {
        Ok(fs::read_to_string(self.home.path().join(format!("log.{pid}")))?.lines().map(str::to_owned).collect())
    }

    /// Checks that no process is left, nor what it has started.
    pub fn nothing_is_left(&self) -> Outcome {
        for pid in self.started() {
            assert!(!Path::new(&format!("/proc/{pid}")).exists(), "the process {pid} is left");
            // The kernel may need a moment.
            until(|| members(pid).is_empty())?;
        }
        Ok(())
    }
}

/// The processes in a group that have not ended.
pub fn members(group: u32) -> Vec<String> {
    let stats = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let is_member = |stat: &String| {
        let mut fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
        fields.next() != Some("Z") && fields.nth(1).and_then(|field| field.parse().ok()) == Some(group)
    };
    stats.filter(is_member).collect()
}

/// Waits until `condition` is true.
pub fn until(condition: impl Fn() -> bool) -> Outcome {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > MAX_WAIT {
            return Err("what is expected does not happen".into());
        }
        thread::yield_now();
    }
    Ok(())
}

/// Stockfish, if it is installed.
pub fn stockfish() -> Option<EngineSettings> {
    let mut path = env::var_os("PATH").unwrap_or_default();
    // Debian's directory for games is not always part of it.
    path.push(":/usr/games");
    let program = find_program(OsStr::new("stockfish"), Some(&path));
    if program.is_none() {
        not_run("Stockfish is not installed (Debian: apt-get install stockfish)");
    }
    program.map(EngineSettings::of)
}
