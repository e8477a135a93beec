//! A run: opens inputs in order, cuts them into chunks, checks these in parallel, and reports in
//! order.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, Cursor, Read},
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
    chunk::{Chunk, MAX_FINDINGS_IN_MEMORY, audit_chunk, guess},
    emit::{Emitter, OpenInput},
    guard::{guarded, trial},
    lines::line_start,
    stream::{Stream, StreamWindow},
};
use crate::{
    corpus::{Bytes, Content, Failing, Input, Members, Packing, Recognised, Source, Watch, converted, members, recognise, spool},
    record::Window,
    rules::{RULES, Rule, report_not_text},
    table::{Columns, Table},
    text::Format,
};

/// Number of bytes from which the format of an input is recognised.
const HEAD: usize = 1 << 14;

/// Maximum depth of nested archives that are unpacked.
const MAX_NESTED_ARCHIVES: usize = 2;

/// Extra chunks in flight, so that workers stay busy while the dispatcher waits for a processor.
const EXTRA_IN_FLIGHT: usize = 6;

/// Minimum size of chunks that were made smaller because of their findings.
const MIN_CHUNK: usize = 1 << 14;

/// Minimum number of bytes in which a record is looked for that may begin the next chunk.
const MIN_SEARCHED: usize = 1 << 16;

/// Maximum number of inputs open at once.
const MAX_OPEN_INPUTS: usize = 64;

/// A run over inputs.
#[derive(Debug)]
pub struct Audit {
    settings: Settings,
}

impl Audit {
    /// A run with these settings.
    pub fn new(settings: Settings) -> Audit {
        Audit { settings }
    }

    /// Checks `inputs` in the order given and reports to `sink`. Setting `stop` ends the run early.
    ///
    /// # Errors
    /// If `sink` fails or threads cannot be created. Faults of an input are never an error here.
    pub fn run(
        &self,
        inputs: Vec<Input>,
        sink: &mut dyn Sink,
        progress: &dyn Progress,
        stop: &AtomicBool,
    ) -> io::Result<RunSummary> {
        let pool = ThreadPoolBuilder::new().num_threads(self.settings.threads).build().map_err(no_threads)?;
        let pool = Arc::new(pool);
        let emitter = Emitter::new(sink, progress, &self.settings);
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            let mut run = Run {
                settings: &self.settings,
                checks: RunChecks::of(&self.settings),
                pool: &pool,
                scope,
                stop,
                emitter,
                max_in_flight: 2 * pool.current_num_threads() + EXTRA_IN_FLIGHT,
                chunk_bytes: self.settings.chunk_bytes.max(1),
                sender,
                receiver,
                next_ticket: 0,
                arrived: BTreeMap::new(),
            };
            run.inputs(inputs)?;
            let mut summary = run.emitter.finish(stop.load(Ordering::Relaxed));
            let lacks = |rule: &&&Rule| rule.needs.iter().any(|need| !self.settings.meets(*need));
            let selected = RULES.iter().filter(|rule| self.settings.selection.runs(rule));
            summary.not_run = selected.filter(lacks).map(|rule| rule.code).collect();
            let is_hidden = |rule: &&&Rule| !rule.needs.is_empty() && self.settings.selection.hides(rule) && !lacks(rule);
            summary.hidden = RULES.iter().filter(is_hidden).map(|rule| rule.code).collect();
            Ok(summary)
        })
    }

    /// Checks a text in memory on the calling thread and reports to `sink`.
    ///
    /// # Errors
    /// If `sink` fails, or a temporary file cannot be written.
    pub fn run_on_text(&self, text: &[u8], format: Format, sink: &mut dyn Sink) -> io::Result<RunSummary> {
        let checks = RunChecks::of(&self.settings).of_input(format, None);
        let mut emitter = Emitter::new(sink, &(), &self.settings);
        let mut input = OpenInput::of_text(format);
        if !text.is_empty() {
            emitter.chunk(&mut input, audit_whole(text, 0..text.len(), &checks), text, 0)?;
        }
        emitter.close(input)?;
        Ok(emitter.finish(false))
    }
}

/// The number of a chunk that is being checked.
type Ticket = u64;

struct Run<'a, 'scope, 'env> {
    settings: &'a Settings,
    checks: RunChecks<'a>,
    pool: &'a Arc<ThreadPool>,
    scope: &'env Scope<'scope>,
    stop: &'a AtomicBool,
    emitter: Emitter<'a>,
    max_in_flight: usize,
    /// Nominal size of the next chunk. It gets smaller while there are so many findings that chunks
    /// need temporary files.
    chunk_bytes: usize,
    sender: Sender<(Ticket, Chunk)>,
    receiver: Receiver<(Ticket, Chunk)>,
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
    /// The auditor failed while it cut the input into chunks.
    Failure { byte: usize, message: String },
    /// The input ends.
    Close,
}

/// A text in memory that is being cut into chunks.
struct Cutting {
    text: Bytes,
    checks: Arc<InputChecks>,
    /// Where the next chunk begins.
    at: usize,
    /// Whether a record seems to begin there.
    is_record: bool,
    /// The first place at which no guess could be made, with the reason. Nothing is lost: the chunk
    /// before goes on.
    failure: Option<(usize, String)>,
}

impl Cutting {
    fn new(text: Bytes, checks: InputChecks) -> Cutting {
        Cutting { text, checks: Arc::new(checks), at: 0, is_record: true, failure: None }
    }

    /// Does not cut the rest if the text changed, because nothing in it is reported.
    fn stop_if_changed(&mut self) {
        if self.text.watch().is_some_and(|watch| watch.change().is_some()) {
            self.at = self.text.len();
        }
    }

    /// Guesses the start of the first record in `range`.
    fn guess(&mut self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        guarded("the text from here on", || guess(&self.text, range, self.checks.records.format)).unwrap_or_else(|message| {
            self.failure.get_or_insert((start, message));
            None
        })
    }
}

impl Run<'_, '_, '_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn inputs(&mut self, inputs: Vec<Input>) -> io::Result<()> {
        let mut inputs = VecDeque::from(inputs);
        let mut steps: VecDeque<Step> = VecDeque::new();
        let mut cutting: Option<Cutting> = None;
        // The input being reported, and the true start of its next record.
        let mut open: Option<(Box<OpenInput>, usize)> = None;
        let mut chunks = 0;
        while !self.stopped() {
            while chunks < self.max_in_flight && steps.len() < MAX_OPEN_INPUTS {
                if let Some(text) = &mut cutting {
                    text.stop_if_changed();
                    match self.cut(text) {
                        Some(step) => {
                            chunks += 1;
                            steps.push_back(step);
                        }
                        None => {
                            steps.extend(text.failure.take().map(|(byte, message)| Step::Failure { byte, message }));
                            cutting = None;
                            steps.push_back(Step::Close);
                        }
                    }
                    continue;
                }
                let Some(input) = inputs.pop_front() else { break };
                let opened = guarded("this input", || {
                    trial("open", input.name.as_bytes(), 0);
                    self.open(&input)
                });
                match opened.unwrap_or_else(|message| Ok(Opened::Failed(OpenInput::of(&input, None), "open", message)))? {
                    Opened::Text(opened, text) => {
                        steps.push_back(Step::Open(opened));
                        cutting = Some(text);
                    }
                    Opened::Nothing(opened) => steps.extend([Step::Open(opened), Step::Close]),
                    Opened::Failed(opened, stage, message) => {
                        self.drain(&mut steps, &mut open, &mut chunks)?;
                        let mut opened = opened;
                        let byte = (stage == "read").then_some(0);
                        self.emitter.failure(&mut opened, stage, byte, message)?;
                        self.emitter.close(opened)?;
                    }
                    Opened::Members(members) => {
                        self.emitter.skipped(members.skipped);
                        let has_members = !members.inputs.is_empty();
                        for (place, member) in members.inputs.into_iter().enumerate() {
                            inputs.insert(place, Input { format: input.format, ..member });
                        }
                        if members.failure.is_some() || !has_members {
                            self.drain(&mut steps, &mut open, &mut chunks)?;
                            let mut opened = OpenInput::of(&input, None);
                            if let Some(error) = members.failure {
                                let message = format!("the archive's directory cannot be read: {error}");
                                self.emitter.failure(&mut opened, "read", None, message)?;
                            } else {
                                let message = if members.skipped.excluded > 0 {
                                    "all game and position files in the archive are excluded"
                                } else {
                                    "the archive contains no .pgn, .epd, .fen or .txt files"
                                };
                                self.emitter.not_chess(&mut opened, message)?;
                            }
                            self.emitter.close(opened)?;
                        }
                    }
                    Opened::Foreign(mut opened, what) => {
                        self.drain(&mut steps, &mut open, &mut chunks)?;
                        self.emitter.about_input(&mut opened, |findings| report_not_text(findings, what))?;
                        self.emitter.close(opened)?;
                    }
                    Opened::Stream(opened, stream) => {
                        self.drain(&mut steps, &mut open, &mut chunks)?;
                        self.stream(opened, *stream)?;
                    }
                }
            }
            if steps.is_empty() {
                return Ok(());
            }
            self.step(&mut steps, &mut open, &mut chunks)?;
        }
        Ok(())
    }

    /// Reports all work in progress.
    fn drain(
        &mut self,
        steps: &mut VecDeque<Step>,
        open: &mut Option<(Box<OpenInput>, usize)>,
        chunks: &mut usize,
    ) -> io::Result<()> {
        while !steps.is_empty() && !self.stopped() {
            self.step(steps, open, chunks)?;
        }
        Ok(())
    }

    /// Reports the first step of the work in progress.
    fn step(
        &mut self,
        steps: &mut VecDeque<Step>,
        open: &mut Option<(Box<OpenInput>, usize)>,
        chunks: &mut usize,
    ) -> io::Result<()> {
        match steps.pop_front() {
            Some(Step::Open(input)) => *open = Some((input, 0)),
            Some(Step::Failure { byte, message }) => {
                if let Some((input, _)) = open {
                    self.emitter.failure(input, "read", Some(byte as u64), message)?;
                }
            }
            Some(Step::Close) => {
                if let Some((input, _)) = open.take() {
                    self.emitter.close(input)?;
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
                // If the guess was wrong, no record begins there. Only this chunk is read again, from
                // the true start.
                let chunk = match guessed.filter(|chunk| chunk.start == start) {
                    Some(chunk) => chunk,
                    None if start >= end => return Ok(()),
                    None => self.pool.install(|| audit_whole(&text, start..end, &checks)),
                };
                *true_start = chunk.tally.next;
                self.report(input, chunk, &text, 0)?;
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
        self.emitter.chunk(input, chunk, text, base)
    }

    /// Waits for the chunk with that ticket; `None` if the run is stopped.
    fn wait(&mut self, ticket: Ticket) -> Option<Chunk> {
        loop {
            if let Some(chunk) = self.arrived.remove(&ticket) {
                return Some(chunk);
            }
            let (arrived, chunk) = self.receiver.recv().ok()?;
            self.arrived.insert(arrived, chunk);
        }
    }

    fn spawn(&mut self, work: impl FnOnce() -> Chunk + Send + 'static) -> Ticket {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let sender = self.sender.clone();
        self.scope.spawn(move |_| {
            // Nothing waits for the chunk after the run was stopped.
            let _ = sender.send((ticket, work()));
        });
        ticket
    }

    /// Cuts off the next chunk of a text and starts its check; `None` at the end.
    fn cut(&mut self, cutting: &mut Cutting) -> Option<Step> {
        let (start, length) = (cutting.at, cutting.text.len());
        if start >= length {
            return None;
        }
        let least = start.saturating_add(self.chunk_bytes).min(length);
        let most = least.saturating_add(self.chunk_bytes.saturating_mul(4).max(MIN_SEARCHED)).min(length);
        let next = cutting.guess(least..most);
        let end = next.unwrap_or(most);
        let (text, checks) = (cutting.text.clone(), Arc::clone(&cutting.checks));
        let (own_text, own_checks) = (text.clone(), Arc::clone(&checks));
        let ticket = cutting.is_record.then(|| self.spawn(move || audit_whole(&own_text, start..end, &own_checks)));
        (cutting.at, cutting.is_record) = (end, next.is_some());
        Some(Step::Chunk { ticket, text, checks, end })
    }

    /// Opens an input and recognises its format.
    fn open(&self, input: &Input) -> io::Result<Opened> {
        let failed = |stage, message: String| Ok(Opened::Failed(OpenInput::of(input, None), stage, message));
        let content = match input.open(self.settings.map) {
            Err(error) => return failed("open", error.to_string()),
            Ok(content) => content,
        };
        let watch = content.watch().cloned();
        self.open_content(input, content).map(|opened| opened.watched(watch))
    }

    fn open_content(&self, input: &Input, content: Content) -> io::Result<Opened> {
        match content {
            Content::Whole(text) => {
                let head = &text[..text.len().min(HEAD)];
                match recognise(head, &input.name, text.len() <= HEAD, &Columns::default()) {
                    Recognised::Packed(Packing::Zip) => return Ok(self.open_members(input, &text)),
                    Recognised::Packed(packing) => return Ok(self.open_stream(input, packing.unpack(text, self.pool), 1)),
                    Recognised::Utf16 => return Ok(self.open_stream(input, Box::new(Cursor::new(text)), 0)),
                    _ => {}
                }
                Ok(match self.recognise(input, head, text.len() <= HEAD) {
                    Ok((format, _)) if text.is_empty() => Opened::Nothing(OpenInput::of(input, Some(format))),
                    Ok((format, table)) => {
                        Opened::Text(OpenInput::of(input, Some(format)), Cutting::new(text, self.checks.of_input(format, table)))
                    }
                    Err(opened) => opened,
                })
            }
            Content::Stream(reader, _) => Ok(self.open_stream(input, reader, 0)),
        }
    }

    /// Recognises the format of a stream. `unpacked` is the number of archives around it.
    fn open_stream(&self, input: &Input, mut reader: Box<dyn Read + Send>, unpacked: usize) -> Opened {
        let verb = if unpacked > 0 { "decompress" } else { "read" };
        let failed = |error: &io::Error| Opened::Failed(OpenInput::of(input, None), "read", format!("cannot {verb}: {error}"));
        let mut buffer = Vec::new();
        let failure = reader.by_ref().take(HEAD as u64).read_to_end(&mut buffer).err();
        if let (Some(error), true) = (&failure, buffer.is_empty()) {
            return failed(error);
        }
        let ended = buffer.len() < HEAD;
        let recognised = recognise(&buffer, &input.name, ended, &Columns::default());
        if failure.is_none()
            && let Recognised::Packed(packing) = recognised
            && unpacked < MAX_NESTED_ARCHIVES
        {
            let packed = Box::new(Cursor::new(buffer).chain(reader));
            return match packing {
                Packing::Zip => match spool(packed) {
                    Ok(archive) => self.open_members(input, &archive),
                    Err(error) => failed(&error),
                },
                packing => self.open_stream(input, packing.unpack_stream(packed), unpacked + 1),
            };
        }
        if recognised == Recognised::Utf16 {
            // The converter reports a read error after the first bytes.
            let rest: Box<dyn Read + Send> = match failure {
                Some(error) => Box::new(Failing(Some(error))),
                None => reader,
            };
            let opened = self.open_stream(input, converted(Box::new(Cursor::new(buffer).chain(rest))), unpacked);
            return opened.converted();
        }
        match self.recognise(input, &buffer, ended) {
            Ok((format, _)) if buffer.is_empty() => Opened::Nothing(OpenInput::of(input, Some(format))),
            Ok((format, table)) => {
                let unpacked = unpacked > 0 || matches!(input.source, Source::Member(_));
                let stream = Stream::new(reader, buffer, ended, failure, (format, table), unpacked);
                Opened::Stream(OpenInput::of(input, Some(format)), Box::new(stream))
            }
            Err(opened) => opened,
        }
    }

    fn open_members(&self, input: &Input, archive: &Bytes) -> Opened {
        match members(archive, &input.name, &self.settings.exclude) {
            Members { failure: Some(error), .. } if error.kind() == io::ErrorKind::Unsupported => {
                Opened::Failed(OpenInput::of(input, None), "read", format!("cannot decompress: {error}"))
            }
            members => Opened::Members(members),
        }
    }

    fn recognise(&self, input: &Input, head: &[u8], whole: bool) -> Result<(Format, Option<Table>), Opened> {
        let opened = OpenInput::of(input, None);
        let none = Columns::default();
        let columns = if input.format.is_some() { &none } else { &self.settings.columns };
        match recognise(head, &input.name, whole, columns) {
            Recognised::Text(format) => Ok((input.format.unwrap_or(format), None)),
            Recognised::Table(table) => Ok(match input.format {
                Some(format) => (format, None),
                None => (Format::Epd, Some(table)),
            }),
            Recognised::NoColumn(reason) => Err(Opened::Failed(opened, "recognise", reason.to_string())),
            // Text in UTF-16 is converted before this.
            Recognised::Utf16 => Err(Opened::Foreign(opened, "UTF-16")),
            Recognised::WideText(encoding) => Err(Opened::Foreign(opened, encoding)),
            Recognised::Packed(packing) => Err(Opened::Foreign(opened, packing.as_str())),
            Recognised::Archive(kind) => Err(Opened::Foreign(opened, kind)),
            Recognised::NotText => Err(Opened::Failed(opened, "recognise", "not a text file".to_owned())),
        }
    }

    // --- streams
    // -------------------------------------------------------------------------------------------------------------

    /// Checks windows of a stream in parallel. If a window is too short or a guess is wrong, the
    /// stream goes back to the last certain place.
    fn stream(&mut self, mut input: Box<OpenInput>, mut stream: Stream) -> io::Result<()> {
        let checks = Arc::new(self.checks.of_input(stream.format, stream.table));
        let max_window = checks.records.max_window();
        let mut windows: VecDeque<(Ticket, StreamWindow)> = VecDeque::new();
        while !self.stopped() {
            let is_open = |(_, window): &(Ticket, StreamWindow)| !window.ends_at_record;
            while windows.len() < self.max_in_flight && stream.has_more() && !windows.back().is_some_and(is_open) {
                let window = stream.window(self.chunk_bytes);
                let (own, checks) = (window.clone(), Arc::clone(&checks));
                let ticket = self.spawn(move || audit_chunk(own.window(), own.range.clone(), own.skips, &checks));
                windows.push_back((ticket, window));
            }
            let Some((ticket, window)) = windows.pop_front() else { break };
            let Some(chunk) = self.wait(ticket) else { break };
            if chunk.needs_more {
                self.discard(&windows);
                stream.read_longer(&window, max_window, windows.drain(..).map(|(_, window)| window));
                continue;
            }
            let (next, line_start, skips, end) = (chunk.tally.next, chunk.line_start, chunk.skips, window.range.end);
            self.report(&mut input, chunk, window.text(), window.base)?;
            if next != end || skips {
                self.discard(&windows);
                stream.go_back(&window, (next, line_start), skips, windows.drain(..).map(|(_, window)| window));
            }
        }
        if let Some((byte, message)) = stream.fault.take() {
            self.emitter.failure(&mut input, "read", Some(byte), message)?;
        }
        if let Some((error, byte)) = stream.failure.take() {
            let message = match (stream.unpacked, error.kind()) {
                (false, _) => format!("cannot read the rest: {error}"),
                (true, io::ErrorKind::UnexpectedEof | io::ErrorKind::Unsupported) => {
                    format!("cannot decompress the rest: {error}")
                }
                // Decoders notice damage late, some only by a checksum at the end.
                (true, _) => format!(
                    "cannot decompress the rest: {error}; the archive is damaged here or earlier, and findings in its text \
                     may result from that"
                ),
            };
            self.emitter.failure(&mut input, "read", Some(byte), message)?;
        }
        self.emitter.close(input)
    }

    /// Waits for the chunks of dropped windows and discards them.
    fn discard(&mut self, windows: &VecDeque<(Ticket, StreamWindow)>) {
        for (ticket, _) in windows {
            self.wait(*ticket);
        }
    }
}

/// An input that has been opened.
enum Opened {
    Text(Box<OpenInput>, Cutting),
    Stream(Box<OpenInput>, Box<Stream>),
    /// It is empty.
    Nothing(Box<OpenInput>),
    /// It is not text that can be read here: UTF-16, or an archive.
    Foreign(Box<OpenInput>, &'static str),
    Failed(Box<OpenInput>, &'static str, String),
    /// It is an archive.
    Members(Members),
}

impl Opened {
    /// Notes how a change of the input can be noticed.
    fn watched(mut self, watch: Option<Watch>) -> Opened {
        match &mut self {
            Opened::Text(input, _)
            | Opened::Stream(input, _)
            | Opened::Nothing(input)
            | Opened::Foreign(input, _)
            | Opened::Failed(input, ..) => input.watch = watch,
            Opened::Members(..) => {}
        }
        self
    }

    /// Notes that the text was converted from UTF-16.
    fn converted(mut self) -> Opened {
        match &mut self {
            Opened::Text(input, _) | Opened::Stream(input, _) | Opened::Nothing(input) => input.is_converted = true,
            Opened::Foreign(..) | Opened::Failed(..) | Opened::Members(..) => {}
        }
        self
    }
}

fn audit_whole(text: &[u8], range: Range<usize>, checks: &InputChecks) -> Chunk {
    let window = Window { text, base: 0, line_start: line_start(text, range.start) as u64, complete: true };
    audit_chunk(window, range, false, checks)
}
/// The system allows no more threads. The kind of the error alone does not say what is missing.
fn no_threads(error: rayon::ThreadPoolBuildError) -> io::Error {
    io::Error::other(format!("cannot start all threads: {error}; use fewer with `--threads`"))
}
