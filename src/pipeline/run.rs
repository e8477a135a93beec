//! A run: opens inputs in order, cuts them into chunks, checks these in parallel, and reports in
//! order.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

use super::{
    Progress, RunSummary, Settings, Sink,
    checks::{InputChecks, RunChecks},
    chunk::{Chunk, MAX_FINDINGS_IN_MEMORY, audit_chunk, audit_part, audit_text, guess},
    digests::digests,
    emit::{CleanInput, Collector, Emitter, OpenInput},
    input_piece::{Begin, PieceOfInput, PieceRead},
    line_numbers::line_start,
    open::{Opened, Opener, PieceText, Unread, failed},
    panics::{guarded, trial},
    read_ahead::{InTurn, Next, ReadAhead, Turns},
    stream::{Stream, StreamWindow, first_after},
    task_queue::Tasks,
};
use crate::{
    corpus::{Bytes, Input, Members, Skipped},
    rules::{RULES, Rule},
    spill::is_temporary_failure,
    table::Layout,
    text::Format,
};

/// Extra chunks in flight, so that workers stay busy while the dispatcher waits for a processor. It
/// is woken when so many chunks are done.
const EXTRA_IN_FLIGHT: usize = 6;

/// Minimum size of chunks that were made smaller because of their findings.
const MIN_CHUNK: usize = 1 << 14;

/// Minimum number of bytes in which a record is looked for that may begin the next chunk.
const MIN_SEARCHED: usize = 1 << 16;

/// Number of bytes after the start of a chunk that the system is asked to read from a disk.
const PRELOADED: usize = 16 << 20;

/// Maximum number of inputs open at once.
const MAX_OPEN_INPUTS: usize = 64;

/// Maximum number of batches of small files that are read ahead, because their texts stay in memory
/// until they are reported.
const MAX_BATCHES: usize = 16;

/// A run over inputs.
#[derive(Debug)]
pub struct Audit {
    pub(super) settings: Settings,
}

impl Audit {
    /// A run with these settings.
    pub fn new(settings: Settings) -> Audit {
        Audit { settings }
    }

    /// Checks `inputs` in the order given and reports to `sink`. Setting `stop` ends the run early.
    pub fn run(
        &self,
        inputs: Vec<Input>,
        sink: &mut dyn Sink,
        progress: &dyn Progress,
        stop: &AtomicBool,
    ) -> io::Result<RunSummary> {
        let pool = self.pool()?;
        let mut emitter = Emitter::new(sink, progress, &self.settings);
        emitter.expected.digests = pool.install(|| digests(&inputs, &self.settings.expectations, stop));
        pool.in_place_scope(|scope| Run::new(&self.settings, &pool, scope, stop, &mut emitter).inputs(inputs))?;
        self.summary(emitter, &pool, stop)
    }

    /// The threads of a run.
    pub(super) fn pool(&self) -> io::Result<Arc<ThreadPool>> {
        ThreadPoolBuilder::new().num_threads(self.settings.threads).build().map(Arc::new).map_err(no_threads)
    }

    /// Reports what all inputs show together. Returns the summary of the run.
    pub(super) fn summary(&self, mut emitter: Emitter<'_>, pool: &ThreadPool, stop: &AtomicBool) -> io::Result<RunSummary> {
        if !stop.load(Ordering::Relaxed) {
            emitter.copies(Some(pool))?;
            emitter.expect_of_run()?;
        }
        let mut summary = emitter.finish(stop.load(Ordering::Relaxed));
        let lacks = |rule: &&&Rule| rule.needs.iter().any(|need| !self.settings.meets(*need));
        let selected = RULES.iter().filter(|rule| self.settings.selection.runs(rule));
        summary.not_run = selected.filter(lacks).map(|rule| rule.code).collect();
        let is_hidden = |rule: &&&Rule| !rule.needs.is_empty() && self.settings.selection.hides(rule) && !lacks(rule);
        summary.hidden = RULES.iter().filter(is_hidden).map(|rule| rule.code).collect();
        Ok(summary)
    }

    /// Checks a text in memory on the calling thread and reports to `sink`.
    pub fn run_on_text(&self, text: &[u8], format: Format, sink: &mut dyn Sink) -> io::Result<RunSummary> {
        let checks = RunChecks::of(&self.settings).of_input(Layout::of(format));
        let mut emitter = Emitter::new(sink, &(), &self.settings);
        let mut input = OpenInput::named("", Some(format));
        if !text.is_empty() {
            emitter.chunk(&mut input, audit_text(text, 0..text.len(), &checks), text, 0)?;
        }
        emitter.close(input.into())?;
        emitter.copies(None)?;
        Ok(emitter.finish(false))
    }
}

/// The number of a chunk that is being checked.
type Ticket = u64;

pub(super) struct Run<'a, 'scope, 'env> {
    settings: &'a Settings,
    opener: Arc<Opener<'a>>,
    pool: &'a Arc<ThreadPool>,
    scope: &'env Scope<'scope>,
    stop: &'env AtomicBool,
    collector: &'env mut dyn Collector,
    max_in_flight: usize,
    /// Maximum number of batches of small files that are read ahead.
    max_batches: usize,
    /// Nominal size of the next chunk. It gets smaller while there are so many findings that chunks
    /// need temporary files.
    chunk_bytes: usize,
    sender: Sender<(Ticket, Chunk)>,
    receiver: Receiver<(Ticket, Chunk)>,
    tasks: Tasks,
    next_ticket: Ticket,
    arrived: BTreeMap<Ticket, Chunk>,
}

/// Work in progress, in the order in which it is reported.
enum Step {
    /// An input begins.
    Open(Box<OpenInput>),
    /// A chunk of a text in memory. Without a ticket it is checked when its turn comes, because no
    /// record seems to begin at its start.
    Chunk { ticket: Option<Ticket>, text: Bytes, checks: Arc<InputChecks>, end: usize },
    /// An input about which there is nothing to report.
    Clean(Box<CleanInput>),
    /// A text that was checked in one chunk.
    Checked { text: Bytes, chunk: Box<Chunk> },
    /// The auditor failed while it cut the input into chunks.
    Failure { byte: usize, message: String },
    /// The input ends.
    Close,
}

/// What has begun and is not reported yet.
#[derive(Default)]
struct Work {
    steps: VecDeque<Step>,
    /// The input being reported, and the true start of its next record.
    open: Option<(Box<OpenInput>, usize)>,
    /// Number of chunks among the steps.
    chunks: usize,
}

/// A text in memory that is being cut into chunks.
struct Cutting {
    text: Bytes,
    checks: Arc<InputChecks>,
    /// Where the next chunk begins.
    at: usize,
    /// Where the last chunk ends.
    end: usize,
    /// Whether a record seems to begin there.
    is_record: bool,
    /// Whether no chunk was cut off yet, so that a record surely begins there.
    is_first: bool,
    /// The first place at which no guess could be made, with the reason. Nothing is lost: the chunk
    /// before goes on.
    failure: Option<(usize, String)>,
    /// The text before this place is in memory, or will be.
    preloaded: usize,
}

impl Cutting {
    fn new(text: Bytes, checks: Arc<InputChecks>) -> Cutting {
        let end = text.len();
        Cutting { text, checks, at: 0, end, is_record: true, is_first: true, failure: None, preloaded: 0 }
    }

    /// Does not cut the rest if the text changed, because nothing in it is reported.
    fn stop_if_changed(&mut self) {
        // At the start, nothing has been read yet. At the end, nothing is left.
        if (1..self.end).contains(&self.at) && self.text.watch().is_some_and(|watch| watch.change().is_some()) {
            self.at = self.end;
        }
    }

    /// Guesses the start of the first record in `range`.
    fn guess(&mut self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        guarded("the text from here on", || guess(&self.text, range, self.checks.records.layout)).unwrap_or_else(|message| {
            self.failure.get_or_insert((start, message));
            None
        })
    }
}

impl<'a: 'scope, 'scope, 'env> Run<'a, 'scope, 'env> {
    pub(super) fn new(
        settings: &'a Settings,
        pool: &'a Arc<ThreadPool>,
        scope: &'env Scope<'scope>,
        stop: &'env AtomicBool,
        collector: &'env mut dyn Collector,
    ) -> Run<'a, 'scope, 'env> {
        let (sender, receiver) = channel();
        let kept_ready = 2 * pool.current_num_threads();
        Run {
            settings,
            opener: Arc::new(Opener::new(settings, pool)),
            pool,
            scope,
            stop,
            collector,
            max_in_flight: kept_ready + EXTRA_IN_FLIGHT,
            max_batches: (pool.current_num_threads() + 2).min(MAX_BATCHES),
            chunk_bytes: settings.chunk_bytes.max(1),
            sender,
            receiver,
            tasks: Tasks::of_this_thread(kept_ready),
            next_ticket: 0,
            arrived: BTreeMap::new(),
        }
    }

    fn how_to_read_ahead(&self) -> ReadAhead {
        ReadAhead {
            workers: self.pool.current_num_threads(),
            batches: self.max_batches,
            max_text: self.chunk_bytes,
            hands_over_all: self.collector.takes_all_chunks(),
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports all inputs, in their order.
    pub(super) fn inputs(&mut self, inputs: Vec<Input>) -> io::Result<()> {
        let mut turns = Turns::of(inputs);
        let mut work = Work::default();
        let mut cutting: Option<Cutting> = None;
        while !self.stopped() {
            while work.chunks < self.max_in_flight && work.steps.len() < MAX_OPEN_INPUTS {
                if let Some(text) = &mut cutting {
                    if !self.cut_next(text, &mut work) {
                        cutting = None;
                    }
                    continue;
                }
                if self.settings.map {
                    turns.read_ahead(self.how_to_read_ahead(), &self.opener, self.scope);
                }
                let Next::Input(in_turn) = turns.next(work.steps.is_empty()) else { break };
                cutting = self.begin(in_turn, &mut turns, &mut work)?;
            }
            if work.steps.is_empty() {
                return Ok(());
            }
            self.step(&mut work)?;
        }
        Ok(())
    }

    /// Cuts off the next chunk of a text. Returns false, and closes the input, if there is none.
    fn cut_next(&mut self, text: &mut Cutting, work: &mut Work) -> bool {
        text.stop_if_changed();
        let step = self.cut(text);
        let has_chunk = step.is_some();
        match step {
            Some(step) => {
                work.chunks += 1;
                work.steps.push_back(step);
            }
            None => {
                work.steps.extend(text.failure.take().map(|(byte, message)| Step::Failure { byte, message }));
                work.steps.push_back(Step::Close);
            }
        }
        has_chunk
    }

    /// Begins the next input. Returns its text if it is to be cut into chunks.
    fn begin(&mut self, in_turn: InTurn, turns: &mut Turns, work: &mut Work) -> io::Result<Option<Cutting>> {
        let (input, opened) = match in_turn {
            InTurn::Untouched(input) => {
                let opened = self.opener.open(&input);
                (input, opened)
            }
            InTurn::Opened(input, opened) => (input, opened),
            InTurn::Checked(opened, text, chunk) => {
                work.steps.extend([Step::Open(opened), Step::Checked { text, chunk }, Step::Close]);
                return Ok(None);
            }
            InTurn::Clean(input) => {
                work.steps.push_back(Step::Clean(input));
                return Ok(None);
            }
        };
        match opened {
            Opened::Text(opened, text, checks) => {
                work.steps.push_back(Step::Open(opened));
                return Ok(Some(Cutting::new(text, checks)));
            }
            Opened::Nothing(opened) => work.steps.extend([Step::Open(opened), Step::Close]),
            Opened::Members(members) => self.members(&input, members, turns, work)?,
            Opened::Unread(mut opened, why) => {
                self.drain(work)?;
                self.unread(&mut opened, why, 0)?;
                self.collector.close(opened)?;
            }
            Opened::Stream(opened, stream) => {
                self.drain(work)?;
                self.stream(opened, *stream)?;
            }
        }
        Ok(None)
    }

    /// Reports that an input, or the piece of it at byte `base`, is not read.
    fn unread(&mut self, input: &mut OpenInput, why: Unread, base: u64) -> io::Result<()> {
        match why {
            Unread::Foreign(kind) => self.collector.foreign(input, kind),
            Unread::NotChess(kind) => self.collector.not_chess(input, kind),
            Unread::Failed(stage, message) => self.collector.failure(input, stage, (stage == "read").then_some(base), message),
        }
    }

    /// Lets the members of the archive `input` come next. Reports the archive itself if it cannot
    /// be read as a whole, or has no members to read.
    fn members(&mut self, input: &Input, members: Members, turns: &mut Turns, work: &mut Work) -> io::Result<()> {
        self.collector.skipped(members.skipped);
        let has_members = !members.inputs.is_empty();
        let format = input.format;
        let inputs = members.inputs.into_iter().map(|member| Input { format, ..member }).collect();
        let limit = turns.insert(inputs).err().map(|reason| format!("the archive is not read as a whole: {reason}"));
        let damage = members.failure.map(|error| format!("the archive's directory cannot be read: {error}"));
        let failures: Vec<String> = damage.into_iter().chain(limit).collect();
        if failures.is_empty() && has_members {
            return Ok(());
        }
        self.drain(work)?;
        let is_empty = failures.is_empty() && members.skipped == Skipped::default();
        let mut opened = OpenInput::of(input, is_empty.then_some(Format::Pgn));
        if failures.is_empty() && !is_empty {
            let message = if members.skipped.excluded > 0 {
                "all game and position files in the archive are excluded"
            } else {
                "the archive contains no .pgn, .epd, .fen or .txt files"
            };
            self.collector.not_chess(&mut opened, message)?;
        }
        for message in failures {
            self.collector.failure(&mut opened, "read", None, message)?;
        }
        self.collector.close(opened)
    }

    /// Reports all work in progress.
    fn drain(&mut self, work: &mut Work) -> io::Result<()> {
        while !work.steps.is_empty() && !self.stopped() {
            self.step(work)?;
        }
        Ok(())
    }

    /// Reports the first step of the work in progress.
    fn step(&mut self, Work { steps, open, chunks }: &mut Work) -> io::Result<()> {
        match steps.pop_front() {
            Some(Step::Open(input)) => *open = Some((input, 0)),
            Some(Step::Failure { byte, message }) => {
                if let Some((input, _)) = open {
                    self.collector.failure(input, "read", Some(byte as u64), message)?;
                }
            }
            Some(Step::Close) => {
                if let Some((input, _)) = open.take() {
                    self.collector.close(input)?;
                }
            }
            Some(Step::Clean(input)) => self.collector.clean(*input)?,
            Some(Step::Checked { text, chunk }) => {
                if let Some((input, _)) = open {
                    self.report(input, *chunk, &text, 0)?;
                }
            }
            Some(Step::Chunk { ticket, text, checks, end }) => {
                *chunks -= 1;
                let guessed = match ticket {
                    Some(ticket) => {
                        let Some(chunk) = self.wait(ticket) else { return Ok(()) };
                        Some(chunk)
                    }
                    None => None,
                };
                let Some((input, true_start)) = open else { return Ok(()) };
                let start = *true_start;
                // If the guess was wrong, no record begins there, or its last record is long. Only
                // this chunk is read again, from the true start.
                let mut chunk = match guessed.filter(|chunk| chunk.start == start && !chunk.needs_more) {
                    Some(chunk) => chunk,
                    None if start >= end => return Ok(()),
                    None => self.pool.install(|| audit_text(&text, start..end, &checks)),
                };
                let next = chunk.tally.next;
                *true_start = next;
                checks.note_known(std::mem::take(&mut chunk.once), start as u64);
                self.report(input, chunk, &text, 0)?;
                text.release(start..next);
            }
            None => {}
        }
        Ok(())
    }

    /// Reports a chunk of `input`, and sets the size of the next ones.
    fn report(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()> {
        let largest = self.settings.chunk_bytes.max(1);
        let wanted = match chunk.findings.in_memory() {
            MAX_FINDINGS_IN_MEMORY.. => self.chunk_bytes / 2,
            // Twice as many fit as well.
            0..1000 => self.chunk_bytes.saturating_mul(2),
            1000..MAX_FINDINGS_IN_MEMORY => self.chunk_bytes,
        };
        self.chunk_bytes = wanted.max(MIN_CHUNK).min(largest);
        self.collector.chunk(input, chunk, text, base)
    }

    /// Waits for the chunk with that ticket; `None` if its task panicked, and so does the scope.
    fn wait(&mut self, ticket: Ticket) -> Option<Chunk> {
        loop {
            let is_done = self.tasks.is_done();
            self.arrived.extend(self.receiver.try_iter());
            match self.arrived.remove(&ticket) {
                None if !is_done => self.tasks.wait(),
                chunk => return chunk,
            }
        }
    }

    fn spawn(&mut self, work: impl FnOnce() -> Chunk + Send + 'static) -> Ticket {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let sender = self.sender.clone();
        let task = self.tasks.begin();
        self.scope.spawn(move |_| {
            // Nothing waits for the chunk after the run was stopped.
            let _ = sender.send((ticket, work()));
            drop(task);
        });
        ticket
    }

    /// Cuts off the next chunk of a text and starts its check; `None` at the end.
    fn cut(&mut self, cutting: &mut Cutting) -> Option<Step> {
        let (start, length) = (cutting.at, cutting.end);
        if start >= length {
            return None;
        }
        let ahead = start.saturating_add(PRELOADED).min(length);
        cutting.text.preload(cutting.preloaded.max(start)..ahead);
        cutting.preloaded = ahead;
        let least = start.saturating_add(self.chunk_bytes).min(length);
        let most = least.saturating_add(self.chunk_bytes.saturating_mul(4).max(MIN_SEARCHED)).min(length);
        let next = cutting.guess(least..most);
        let end = next.unwrap_or(most);
        let (text, checks) = (cutting.text.clone(), Arc::clone(&cutting.checks));
        // A long record may look as if records began in it. From each of them, its end would be
        // read.
        let reach =
            if cutting.is_first { text.len() } else { end.saturating_add(self.chunk_bytes.max(MIN_SEARCHED)).min(text.len()) };
        let (own_text, own_checks) = (text.clone(), Arc::clone(&checks));
        let ticket = cutting.is_record.then(|| self.spawn(move || audit_part(&own_text, start..end, reach, &own_checks)));
        (cutting.at, cutting.is_record, cutting.is_first) = (end, next.is_some(), false);
        Some(Step::Chunk { ticket, text, checks, end })
    }

    // --- streams
    // ---------------------------------------------------------------------------------------------

    /// Checks a stream and closes its input.
    fn stream(&mut self, mut input: Box<OpenInput>, mut stream: Stream) -> io::Result<()> {
        self.windows(&mut input, &mut stream)?;
        if let Some((byte, message)) = stream.fault.take() {
            self.collector.failure(&mut input, "read", Some(byte), message)?;
        }
        if let Some((byte, message)) = read_failure(&mut stream) {
            self.collector.failure(&mut input, "read", Some(byte), message)?;
        }
        self.collector.close(input)
    }

    /// Checks windows of a stream in parallel. If a window is too short or a guess is wrong, the
    /// stream goes back to the last certain place.
    fn windows(&mut self, input: &mut OpenInput, stream: &mut Stream) -> io::Result<()> {
        let checks = self.opener.checks(stream.layout);
        let max_window = checks.records.max_window();
        let mut windows: VecDeque<(Ticket, StreamWindow)> = VecDeque::new();
        while !self.stopped() {
            let is_open = |(_, window): &(Ticket, StreamWindow)| !window.ends_at_record;
            while windows.len() < self.max_in_flight && !windows.back().is_some_and(is_open) && stream.has_more() {
                let window = stream.window(self.chunk_bytes);
                let (own, checks) = (window.clone(), Arc::clone(&checks));
                let ticket = self.spawn(move || audit_chunk(own.window(), own.range.clone(), own.skips, &checks));
                windows.push_back((ticket, window));
            }
            let Some((ticket, window)) = windows.pop_front() else { break };
            let Some(mut chunk) = self.wait(ticket) else { break };
            if chunk.needs_more {
                self.discard(&windows);
                stream.read_longer(&window, max_window, windows.drain(..).map(|(_, window)| window));
                continue;
            }
            let (next, line_start, skips, end) = (chunk.tally.next, chunk.line_start, chunk.skips, window.range.end);
            checks.note_known(std::mem::take(&mut chunk.once), window.base + chunk.start as u64);
            self.report(input, chunk, window.text(), window.base)?;
            if next != end || skips {
                self.discard(&windows);
                stream.go_back(&window, (next, line_start), skips, windows.drain(..).map(|(_, window)| window));
            }
        }
        Ok(())
    }

    // --- pieces
    // ---------------------------------------------------------------------------------------------

    /// Checks a piece of an input. Returns what was read, or `None` if the input cannot be read at
    /// all, which was reported. The input stays open.
    /// `open` is the input if earlier pieces of it were reported already.
    pub(super) fn piece(
        &mut self,
        input: &Input,
        piece: &PieceOfInput,
        open: Option<Box<OpenInput>>,
    ) -> io::Result<(Box<OpenInput>, Option<PieceRead>)> {
        let opened = guarded("this input", || {
            trial("open", input.name.as_bytes(), 0);
            self.opener.open_piece(input, piece)
        });
        let (mut opened, stream, watch) = match opened.unwrap_or_else(|message| Err(failed(input, "open", message))) {
            Ok(opened) => opened,
            Err(unreadable) => {
                let (opened, why) = *unreadable;
                let mut opened = open.unwrap_or(opened);
                self.unread(&mut opened, why, piece.base)?;
                return Ok((opened, None));
            }
        };
        if let Some(open) = open {
            let piece = std::mem::replace(&mut opened, open);
            opened.file.watch = piece.file.watch;
        }
        let mut stream = match stream {
            PieceText::Stream(stream) => *stream,
            PieceText::Mapped(text, layout) => {
                let checks = self.opener.checks(layout);
                let cutting = Cutting::new(text, checks);
                return self.mapped_piece(opened, cutting, piece).map(|(opened, read)| (opened, Some(read)));
            }
        };
        let start = match piece.begin {
            Begin::AtStart => Some(piece.base),
            Begin::Guessed => stream.go_to_first(),
            Begin::At { start, line_start } => stream.go_to(start, line_start).then_some(start),
        };
        match start {
            Some(_) => self.windows(&mut opened, &mut stream)?,
            None => stream.pass(),
        }
        let target = stream.target();
        if let Some((byte, message)) = stream.fault.take() {
            self.collector.failure(&mut opened, "read", Some(byte), message)?;
        }
        // A failure after the piece belongs to the next one.
        let failure = read_failure(&mut stream).filter(|_| target.is_none());
        let length = match (piece.packing, target) {
            (_, None) => stream.read_end() - piece.base,
            (None, Some(_)) => piece.to.unwrap_or(piece.size).saturating_sub(piece.from),
            (Some(_), Some(_)) => watch.length().unwrap_or_default(),
        };
        let read = PieceRead {
            start: start.map(|start| start - piece.base),
            next: stream.position() - piece.base,
            line_start: stream.line_start().saturating_sub(piece.base),
            target: target.map(|target| target - piece.base),
            length,
            failure: failure.map(|(byte, message)| (byte - piece.base, message)),
        };
        Ok((opened, Some(read)))
    }

    /// Checks a piece of a text in memory.
    fn mapped_piece(
        &mut self,
        mut opened: Box<OpenInput>,
        mut cutting: Cutting,
        piece: &PieceOfInput,
    ) -> io::Result<(Box<OpenInput>, PieceRead)> {
        let at = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
        let text = cutting.text.clone();
        let layout = cutting.checks.records.layout;
        let mut guess = |cut: u64| {
            first_after(&text, at(cut), piece.context, layout).unwrap_or_else(|message| {
                cutting.failure.get_or_insert((at(cut), message));
                None
            })
        };
        let start = match piece.begin {
            Begin::AtStart => Some(0),
            Begin::Guessed => guess(piece.from),
            Begin::At { start, .. } => Some(at(start)),
        };
        let target = piece.to.map(|to| guess(to).unwrap_or(at(to)));
        cutting.end = target.unwrap_or(text.len());
        cutting.at = start.unwrap_or(cutting.end);
        let fault = cutting.failure.take();
        let mut next = start.unwrap_or(at(piece.from));
        if start.is_some_and(|start| start < cutting.end) {
            let mut work = Work { open: Some((opened, next)), ..Work::default() };
            while !self.stopped() {
                cutting.stop_if_changed();
                while work.chunks < self.max_in_flight
                    && let Some(step) = self.cut(&mut cutting)
                {
                    work.chunks += 1;
                    work.steps.push_back(step);
                }
                if work.steps.is_empty() {
                    break;
                }
                self.step(&mut work)?;
            }
            let Some((input, end)) = work.open else { return Err(io::Error::other("the input was closed too early")) };
            (opened, next) = (input, end);
        }
        for (byte, message) in fault.into_iter().chain(cutting.failure) {
            self.collector.failure(&mut opened, "read", Some(byte as u64), message)?;
        }
        let relative = |place: usize| (place as u64).saturating_sub(piece.base);
        let read = PieceRead {
            start: start.map(relative),
            next: relative(next),
            line_start: relative(line_start(&text, next.min(text.len()))),
            target: target.map(relative),
            length: piece.to.unwrap_or(piece.size).saturating_sub(piece.base),
            failure: None,
        };
        Ok((opened, read))
    }

    /// Waits for the chunks of dropped windows and discards them.
    fn discard(&mut self, windows: &VecDeque<(Ticket, StreamWindow)>) {
        for (ticket, _) in windows {
            self.wait(*ticket);
        }
    }
}

/// Why a stream ended early, if it did, and where.
fn read_failure(stream: &mut Stream) -> Option<(u64, String)> {
    let (error, byte) = stream.failure.take()?;
    let is_unpacked = stream.unpacked && !is_temporary_failure(&error);
    let message = match (is_unpacked, error.kind()) {
        (false, _) => format!("cannot read the rest: {error}"),
        (true, io::ErrorKind::UnexpectedEof | io::ErrorKind::Unsupported) => format!("cannot decompress the rest: {error}"),
        // Decoders notice damage late, some only by a checksum at the end.
        (true, _) => format!(
            "cannot decompress the rest: {error}; the archive is damaged here or earlier, and findings in its text may result \
             from that"
        ),
    };
    // Whether it is cut off may be known only in an earlier shard.
    Some((byte, message + "; if the last record before that may be cut off, it was not checked"))
}

/// The system allows no more threads. The kind of the error alone does not say what is missing.
fn no_threads(error: rayon::ThreadPoolBuildError) -> io::Error {
    io::Error::other(format!("cannot start all threads: {error}; use fewer with `--threads`"))
}
