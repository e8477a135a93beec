//! Errors of engines.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

use crate::text::wording::{printable, quantity};

/// An engine has not answered.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// The program does not exist, or is not a file.
    #[error("the engine `{}` was not found; install it, or check the path", program.display())]
    NotFound {
        /// The program.
        program: PathBuf,
    },
    /// The program cannot be started.
    #[error("the engine `{}` cannot be started: {source}; check that it is a program for this machine", program.display())]
    CannotStart {
        /// The program.
        program: PathBuf,
        /// The reason.
        source: Arc<io::Error>,
    },
    /// An option must not be set, or not to this value.
    #[error("the engine option `{}` cannot be set: {reason}", printable(name))]
    InvalidOption {
        /// The option.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// The engine does not have an option that should be set.
    #[error("{engine} has no option `{}`; remove it from the settings", printable(name))]
    NoOption {
        /// What the engine calls itself.
        engine: String,
        /// The option.
        name: String,
    },
    /// The directory of the cache cannot be used.
    #[error("the engine cache `{}` cannot be used: {source}; choose another directory", path.display())]
    Cache {
        /// The directory.
        path: PathBuf,
        /// The reason.
        source: Arc<io::Error>,
    },
    /// The program has changed, and its file has not: it is a script that starts another engine
    /// now.
    #[error(
        "the engine is `{running}`, but the cache `{}` has answers of `{cached}` for it; use another cache directory",
        path.display()
    )]
    OtherEngine {
        /// What the engine calls itself.
        running: String,
        /// What the engine in the cache calls itself.
        cached: String,
        /// The directory of the cache.
        path: PathBuf,
    },
    /// The position was not asked: its castling rights exist in Chess960 only, which the engine
    /// does not play.
    #[error("not asked: {engine} does not play Chess960")]
    NoChess960 {
        /// What the engine calls itself.
        engine: String,
    },
    /// The position was not asked: it cannot occur in a game, and engines may crash.
    #[error("not asked: the position has more pieces or moves than are possible in a game")]
    ImpossiblePosition,
    /// A process has failed. It was ended.
    #[error("the engine {}{}; {}", fault.of(*command), stderr_text(stderr.as_deref()), fault.advice())]
    Failed {
        /// The last command that the engine received.
        command: Command,
        /// How it failed.
        fault: Fault,
        /// The last line that it wrote to standard error.
        stderr: Option<String>,
    },
    /// An answer cannot be true. The process was ended.
    #[error("the engine {lie} in `{position}`; its answers cannot be used, so check the engine")]
    Lied {
        /// The position, as a FEN.
        position: String,
        /// What is wrong with the answer.
        lie: Lie,
    },
    /// The engine has failed too often. This is the last failure.
    #[error("{reason}; after {}, the engine is not used any more", quantity(*failures, "failure", "failures"))]
    LastFailure {
        /// Number of failures.
        failures: u32,
        /// This failure.
        reason: Box<EngineError>,
    },
    /// The engine has failed too often. It is not used any more.
    #[error("the engine was given up after {}: {reason}", quantity(*failures, "failure", "failures"))]
    GivenUp {
        /// Number of failures.
        failures: u32,
        /// The last failure.
        reason: Box<EngineError>,
    },
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl EngineError {
    /// Whether the engine, and not the question or the user, is the reason.
    pub(super) const fn is_failure(&self) -> bool {
        !matches!(self, EngineError::Interrupted | EngineError::GivenUp { .. }) && !self.is_not_asked()
    }

    /// Whether the position was not asked, because engines, or this one, cannot play it.
    pub const fn is_not_asked(&self) -> bool {
        matches!(self, EngineError::NoChess960 { .. } | EngineError::ImpossiblePosition)
    }

    /// Whether the next process would fail in the same way.
    pub(super) const fn is_final(&self) -> bool {
        use EngineError::{CannotStart, NoOption, NotFound, OtherEngine};
        matches!(self, NotFound { .. } | CannotStart { .. } | NoOption { .. } | OtherEngine { .. })
    }

    /// Whether the engine did not answer in time.
    pub const fn is_time_out(&self) -> bool {
        match self {
            EngineError::LastFailure { reason, .. } => reason.is_time_out(),
            error => matches!(error, EngineError::Failed { fault: Fault::Silent { .. }, .. }),
        }
    }
}

fn stderr_text(stderr: Option<&str>) -> String {
    stderr.map(|line| format!(", with `{line}` on standard error")).unwrap_or_default()
}

/// A command to which an engine must answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// The first command, answered by `uciok`.
    Uci,
    /// Answered by `readyok`.
    IsReady,
    /// A search, answered by `bestmove`.
    Go,
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Command::Uci => "`uci`",
            Command::IsReady => "`isready`",
            Command::Go => "`go`",
        })
    }
}

/// How a process failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended by itself or by a signal. The text is its exit status.
    Ended(String),
    /// It closed its output and did not end.
    Closed,
    /// It did not answer in time.
    Silent {
        /// How long it had.
        timeout: Duration,
        /// The last line that it wrote since it was asked.
        last_line: Option<String>,
    },
    /// It wrote a lot, but no answer.
    Flooded {
        /// How much it wrote.
        bytes: usize,
    },
    /// It wrote a line that does not end.
    EndlessLine {
        /// Maximum length of a line.
        max: usize,
    },
}

impl Fault {
    fn of(&self, command: Command) -> String {
        match self {
            Fault::Ended(status) => format!("ended after {command} ({status})"),
            Fault::Closed => format!("closed its output after {command}, but did not end"),
            Fault::Silent { timeout, last_line } => {
                let wrote = last_line.as_ref().map(|line| format!(", and last wrote `{line}`")).unwrap_or_default();
                format!("did not answer {command} within {}{wrote}", seconds(*timeout))
            }
            Fault::Flooded { bytes } => {
                format!("wrote {} after {command}, but no answer", quantity(*bytes as u64, "byte", "bytes"))
            }
            Fault::EndlessLine { max } => {
                format!("wrote a line of more than {} after {command}", quantity(*max as u64, "byte", "bytes"))
            }
        }
    }

    const fn advice(&self) -> &'static str {
        match self {
            Fault::Silent { .. } => "allow more time, or fewer nodes",
            _ => "run it by hand to see why",
        }
    }
}

/// `1 second`, `0.5 seconds`.
fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("{seconds} second{}", if time == Duration::from_secs(1) { "" } else { "s" })
}

/// What is wrong with an answer. Text of the engine is shortened and safe to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lie {
    /// A move is not legal.
    IllegalMove(String),
    /// The best move is not one of those that were asked for.
    OtherMove(String),
    /// There are legal moves, but no best move.
    NoMove,
    /// There is no score for the best move.
    NoScore,
    /// The line is as long as the announced mate, but does not end in it.
    FalseMate(i32),
    /// The line cannot be understood.
    Nonsense(String),
}

impl fmt::Display for Lie {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lie::IllegalMove(text) => write!(formatter, "answered `{text}`, which is not legal,"),
            Lie::OtherMove(text) => write!(formatter, "answered `{text}`, which is not one of the moves it was asked about,"),
            Lie::NoMove => formatter.write_str("did not name a move"),
            Lie::NoScore => formatter.write_str("named a move without a score"),
            Lie::FalseMate(moves) => write!(formatter, "announced `mate {moves}` with a line that does not end in mate"),
            Lie::Nonsense(line) => write!(formatter, "answered `{line}`, which is not UCI,"),
        }
    }
}

/// Text of an engine, shortened and safe to print.
pub(super) fn shown(text: &str) -> String {
    const MAX: usize = 160;
    let text = text.trim();
    let short: String = text.chars().take(MAX).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", printable(&short))
}
