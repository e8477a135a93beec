//! A process of an engine: lines in, lines out, and an end after which no process is left.

use std::{
    io::{self, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command as Program, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    bounded_line::{Line, read_line},
    error::{EngineError, Fault, shown},
    settings::EngineSettings,
};

/// Maximum length of a line. Lines of engines have a few hundred bytes.
const MAX_LINE: usize = 1 << 16;

/// Maximum number of bytes that an engine may write before it answers.
const MAX_OUTPUT: usize = 64 << 20;

/// Maximum number of lines that are read before somebody waits for them.
const MAX_LINES_AHEAD: usize = 32;

/// Number of bytes that are kept of standard error.
const STDERR_TAIL: usize = 4096;

/// How long a process may take to end after it has closed its output.
const MAX_ENDING: Duration = Duration::from_secs(1);

/// How long to wait for the rest of standard error of a process that has ended.
const MAX_STDERR: Duration = Duration::from_secs(2);

/// Longer time-outs are cut: the clock of the system has an end.
const MAX_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Stack of a thread that copies lines.
const STACK: usize = 256 << 10;

/// What the thread that reads standard output says.
enum Event {
    Line(String),
    TooLong,
    /// Standard output was closed.
    Closed,
    /// The process was killed from another thread.
    Killed,
}

/// What ends a process. Shared, so that another thread can kill a process that is being waited for.
pub(super) struct Handle {
    child: Mutex<Child>,
    events: SyncSender<Event>,
}

impl Handle {
    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills the process and what it has started, and wakes who waits for it.
    pub fn kill(&self) {
        kill_group(&mut self.child());
        // If there is no room, nobody sleeps.
        let _ = self.events.try_send(Event::Killed);
    }

    /// Waits until the process has ended by itself, but not after `deadline`.
    fn ended_by(&self, deadline: Instant) -> Option<ExitStatus> {
        // The standard library has no wait with a deadline.
        let mut pause = Duration::from_micros(100);
        loop {
            let status = self.child().try_wait().ok().flatten();
            if status.is_some() || Instant::now() >= deadline {
                return status;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Kills what is left of the process, and removes it from the table of processes.
    fn end(&self) {
        let mut child = self.child();
        kill_group(&mut child);
        let _ = child.wait();
    }
}

/// Kills a process and what it has started, which is in its process group.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
    let _ = child.kill();
}

/// A running process. It is killed when it is dropped.
pub(super) struct Process {
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    handle: Arc<Handle>,
    stderr: Stderr,
    /// The thread that started the process ends after this is dropped.
    _release: Sender<()>,
}

impl Process {
    /// Starts the program.
    pub fn start(settings: &EngineSettings) -> Result<Process, EngineError> {
        let failed = |error: io::Error| cannot_start(&settings.program, error);
        let mut program = Program::new(&settings.program);
        program.args(&settings.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C is for us, and wrappers are killed with what they have
        // started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        #[cfg(target_os = "linux")]
        super::parent_death::kill_with_parent(&mut program);

        let (events, received) = mpsc::sync_channel(MAX_LINES_AHEAD);
        let (started, starting) = mpsc::sync_channel(1);
        let (release, released) = mpsc::channel();
        let reader = events.clone();
        // Linux kills the process when the thread that started it ends, so this thread outlives it.
        let run = move || match program.spawn() {
            Err(error) => drop(started.send(Err(error))),
            Ok(mut child) => {
                let stdout = child.stdout.take();
                let _ = started.send(Ok(child));
                if let Some(stdout) = stdout {
                    read_lines(stdout, &reader);
                }
                let _ = released.recv();
            }
        };
        thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn(run).map_err(failed)?;
        let mut child = starting.recv().unwrap_or_else(|_| Err(io::Error::other("the thread ended"))).map_err(failed)?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let handle = Arc::new(Handle { child: Mutex::new(child), events });
        let mut process = Process { stdin, events: received, handle, stderr: Stderr::default(), _release: release };
        if let Some(stderr) = stderr {
            process.stderr.read(stderr).map_err(failed)?;
        }
        Ok(process)
    }

    /// What ends the process.
    pub const fn handle(&self) -> &Arc<Handle> {
        &self.handle
    }

    /// Writes a line. If the process has closed its input, the next [`Wait::receive`] says why.
    pub fn send(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Starts to wait for an answer.
    pub fn wait(&self, timeout: Duration) -> Wait<'_> {
        let deadline = Instant::now() + timeout.min(MAX_TIMEOUT);
        Wait { process: self, timeout, deadline, bytes: 0, last_line: None }
    }

    /// The last line that the process wrote to standard error. If it has ended, nothing is missed.
    pub fn last_error(&self, has_ended: bool) -> Option<String> {
        self.stderr.last_line(if has_ended { MAX_STDERR } else { Duration::ZERO })
    }

    /// Asks the process to end. It has to end until the deadline of [`Process::quit_by`].
    pub fn quit(&mut self) {
        self.send("quit");
        self.stdin = None;
    }

    /// Waits until the process has ended, kills it at `deadline` if it has not, and removes what is
    /// left.
    pub fn quit_by(self, deadline: Instant) {
        // Its output is read on, so that it is not stuck in a full pipe.
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !matches!(self.events.recv_timeout(left), Ok(Event::Line(_) | Event::Killed)) {
                break;
            }
        }
        self.handle.ended_by(deadline);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.handle.end();
    }
}

fn cannot_start(program: &Path, error: io::Error) -> EngineError {
    let program = program.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound => EngineError::NotFound { program },
        _ => EngineError::CannotStart { program, source: Arc::new(error) },
    }
}

/// Hands on the lines of standard output until it is closed, a line is too long, or nobody wants
/// them.
fn read_lines(stdout: ChildStdout, events: &SyncSender<Event>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        let event = match read_line(&mut reader, &mut line, MAX_LINE) {
            Ok(Line::Whole) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
            Ok(Line::TooLong) => Event::TooLong,
            Ok(Line::End) | Err(_) => Event::Closed,
        };
        let is_last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// The lines of a process until its answer.
pub(super) struct Wait<'a> {
    process: &'a Process,
    timeout: Duration,
    deadline: Instant,
    bytes: usize,
    last_line: Option<String>,
}

impl Wait<'_> {
    /// The next line.
    pub fn receive(&mut self) -> Result<&str, Fault> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let event = if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.process.events.recv_timeout(left) };
        match event {
            Ok(Event::Line(line)) => {
                self.bytes += line.len() + 1;
                if self.bytes > MAX_OUTPUT {
                    return Err(Fault::Flooded { bytes: self.bytes });
                }
                Ok(self.last_line.insert(line))
            }
            Ok(Event::TooLong) => Err(Fault::EndlessLine { max: MAX_LINE }),
            Err(RecvTimeoutError::Timeout) => {
                let last_line = self.last_line.as_deref().map(shown).filter(|line| !line.is_empty());
                Err(Fault::Silent { timeout: self.timeout, last_line })
            }
            Ok(Event::Closed | Event::Killed) | Err(RecvTimeoutError::Disconnected) => {
                let status = self.process.handle.ended_by(Instant::now() + MAX_ENDING);
                Err(status.map_or(Fault::Closed, |status| Fault::Ended(status.to_string())))
            }
        }
    }
}

/// Standard error of a process: it is read, so that it does not fill its pipe, and its end is kept.
#[derive(Default)]
struct Stderr {
    tail: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when all was read.
    is_open: Option<Receiver<()>>,
}

impl Stderr {
    fn read(&mut self, mut stderr: ChildStderr) -> io::Result<()> {
        let (open, is_open) = mpsc::channel();
        self.is_open = Some(is_open);
        let tail = Arc::clone(&self.tail);
        let run = move || {
            let _open: Sender<()> = open;
            let mut bytes = [0; STDERR_TAIL];
            while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                tail.extend_from_slice(&bytes[..count]);
                let surplus = tail.len().saturating_sub(STDERR_TAIL);
                tail.drain(..surplus);
            }
        };
        thread::Builder::new().name("engine errors".to_owned()).stack_size(STACK).spawn(run).map(drop)
    }

    fn last_line(&self, max_wait: Duration) -> Option<String> {
        if let Some(is_open) = &self.is_open {
            let _ = is_open.recv_timeout(max_wait);
        }
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        text.lines().rev().map(shown).find(|line| !line.is_empty())
    }
}
