//! The processes of an engine, and who may use them.

use std::{
    collections::HashSet,
    fmt,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use shakmaty::CastlingMode;

use super::{
    answer::Answer,
    cache::{Cache, Facts},
    client::Client,
    error::EngineError,
    process::{Handle, Process},
    question::Question,
    settings::EngineSettings,
};

/// After this number of failures, an engine is given up, whatever it answers in between: each
/// failure costs up to a time-out and the start of a process.
pub const MAX_FAILURES: u32 = 3;

/// How long processes have to end after `quit`.
const MAX_QUITTING: Duration = Duration::from_millis(500);

/// What was asked, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineCounts {
    /// Number of questions, apart from positions without legal moves.
    pub questions: u64,
    /// Number of questions that the cache answered.
    pub from_cache: u64,
    /// Number of questions that the engine answered.
    pub answered: u64,
    /// Number of questions that were not asked, because the engine does not play Chess960, or
    /// nobody plays the position.
    pub not_asked: u64,
    /// Number of questions without an answer, because the engine failed or was given up.
    pub failed: u64,
    /// Number of those that took too long.
    pub timed_out: u64,
}

/// The processes of an engine. Nothing is started before the first question that the cache cannot
/// answer.
///
/// When the engines are dropped, all processes end: those that do not obey are killed.
pub struct Engines {
    settings: EngineSettings,
    cache: Option<Cache>,
    is_cancelled: AtomicBool,
    state: Mutex<State>,
    /// Notified when `state` changes, or the engines are cancelled.
    changed: Condvar,
    counts: Counts,
}

#[derive(Default)]
struct State {
    /// Processes that nobody uses.
    idle: Vec<Client>,
    /// Number of processes, those that are used or being started included.
    processes: usize,
    /// What ends the processes that may exist.
    handles: Vec<Weak<Handle>>,
    failures: u32,
    given_up: Option<EngineError>,
    facts: Option<Facts>,
    /// Keys of questions that are being asked. The next one who asks the same waits and finds the
    /// answer in the cache.
    being_asked: HashSet<u128>,
    cache_error: Option<EngineError>,
}

#[derive(Default)]
struct Counts {
    questions: AtomicU64,
    from_cache: AtomicU64,
    answered: AtomicU64,
    not_asked: AtomicU64,
    failed: AtomicU64,
    timed_out: AtomicU64,
}

impl fmt::Debug for Engines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Engines")
            .field("settings", &self.settings)
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}

impl Engines {
    /// Checks the settings and opens the cache. No process is started.
    pub fn new(settings: EngineSettings) -> Result<Engines, EngineError> {
        settings.check()?;
        if !settings.program.is_file() {
            return Err(EngineError::NotFound { program: settings.program });
        }
        let cache = settings.cache.as_deref().map(|directory| Cache::open(directory, &settings)).transpose()?;
        let facts = cache.as_ref().and_then(Cache::facts);
        Ok(Engines {
            settings,
            cache,
            is_cancelled: AtomicBool::new(false),
            state: Mutex::new(State { facts, ..State::default() }),
            changed: Condvar::new(),
            counts: Counts::default(),
        })
    }

    /// Asks a question and waits for the answer. Positions without legal moves are answered without
    /// the engine.
    pub fn ask(&self, question: &Question) -> Result<Answer, EngineError> {
        if let Some(answer) = Answer::of_final_position(&question.position) {
            return Ok(answer);
        }
        self.counts.questions.fetch_add(1, SeqCst);
        let answer = self.ask_cache_or_engine(question);
        let counter = match &answer {
            Ok((_, true)) => &self.counts.from_cache,
            Ok((_, false)) => &self.counts.answered,
            Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
            Err(error) if error.is_not_asked() => &self.counts.not_asked,
            Err(error) => {
                self.counts.timed_out.fetch_add(u64::from(error.is_time_out()), SeqCst);
                &self.counts.failed
            }
        };
        counter.fetch_add(1, SeqCst);
        answer.map(|(answer, _)| answer)
    }

    /// The answer, and whether it is from the cache.
    fn ask_cache_or_engine(&self, question: &Question) -> Result<(Answer, bool), EngineError> {
        if !question.is_possible() {
            return Err(EngineError::ImpossiblePosition);
        }
        if question.mode() == CastlingMode::Chess960
            && let Some(Facts { name, plays_chess960: false }) = self.state().facts.clone()
        {
            return Err(EngineError::NoChess960 { engine: name });
        }
        let Some(cache) = &self.cache else { return Ok((self.ask_engine(question)?, false)) };
        if let Some(answer) = cache.find(question) {
            return Ok((answer, true));
        }
        let _turn = self.turn(cache.key(question))?;
        if let Some(answer) = cache.find(question) {
            return Ok((answer, true));
        }
        let answer = self.ask_engine(question)?;
        self.note_cache(cache, cache.keep(question, &answer));
        Ok((answer, false))
    }

    /// Waits until nobody else asks the same.
    fn turn(&self, key: u128) -> Result<Turn<'_>, EngineError> {
        let mut state = self.state();
        while !state.being_asked.insert(key) {
            state = self.wait(state);
            self.check(&state)?;
        }
        Ok(Turn { engines: self, key })
    }

    fn ask_engine(&self, question: &Question) -> Result<Answer, EngineError> {
        let mut lease = self.lease()?;
        let asked = lease.ask(question);
        // What happens to a process that was killed is not its fault.
        if self.is_cancelled.load(SeqCst) {
            return Err(EngineError::Interrupted);
        }
        let mut state = self.state();
        match &asked {
            Err(error) if error.is_failure() => {
                state.failures += 1;
                let failures = state.failures;
                if state.given_up.is_none() && (failures >= MAX_FAILURES || error.is_final()) {
                    let reason = Box::new(error.clone());
                    state.given_up = Some(EngineError::GivenUp { failures, reason: reason.clone() });
                    if failures >= MAX_FAILURES {
                        return Err(EngineError::LastFailure { failures, reason });
                    }
                }
            }
            Ok(_) | Err(_) => {}
        }
        asked
    }

    /// Whether questions can still be asked.
    fn check(&self, state: &State) -> Result<(), EngineError> {
        if self.is_cancelled.load(SeqCst) {
            return Err(EngineError::Interrupted);
        }
        state.given_up.clone().map_or(Ok(()), Err)
    }

    /// Waits for the right to use a process.
    fn lease(&self) -> Result<Lease<'_>, EngineError> {
        let mut state = self.state();
        loop {
            self.check(&state)?;
            if let Some(client) = state.idle.pop() {
                return Ok(Lease { engines: self, client: Some(client) });
            }
            if state.processes < self.settings.processes.max(1) {
                state.processes += 1;
                return Ok(Lease { engines: self, client: None });
            }
            state = self.wait(state);
        }
    }

    /// Starts a process.
    fn start(&self) -> Result<Client, EngineError> {
        let process = Process::start(&self.settings)?;
        {
            let mut state = self.state();
            state.handles.retain(|handle| handle.strong_count() > 0);
            state.handles.push(Arc::downgrade(process.handle()));
            // Whoever cancels after this finds the process.
            if self.is_cancelled.load(SeqCst) {
                return Err(EngineError::Interrupted);
            }
        }
        let client = Client::greet(process, &self.settings)?;
        self.note_facts(client.facts())?;
        Ok(client)
    }

    /// Compares what the engine says about itself with the cache.
    fn note_facts(&self, facts: &Facts) -> Result<(), EngineError> {
        let mut state = self.state();
        if let (Some(cache), Some(known)) = (&self.cache, &state.facts)
            && known.name != facts.name
        {
            let path = cache.directory().to_owned();
            return Err(EngineError::OtherEngine { running: facts.name.clone(), cached: known.name.clone(), path });
        }
        let is_new = state.facts.replace(facts.clone()).is_none();
        drop(state);
        if let (Some(cache), true) = (&self.cache, is_new) {
            self.note_cache(cache, cache.keep_facts(facts));
        }
        Ok(())
    }

    fn note_cache(&self, cache: &Cache, kept: std::io::Result<()>) {
        if let Err(error) = kept {
            let path = cache.directory().to_owned();
            self.state().cache_error.get_or_insert(EngineError::Cache { path, source: Arc::new(error) });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all processes at once. Questions that wait, and all later ones, fail with
    /// [`EngineError::Interrupted`].
    pub fn cancel(&self) {
        let state = self.state();
        self.is_cancelled.store(true, SeqCst);
        for handle in state.handles.iter().filter_map(Weak::upgrade) {
            handle.kill();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// What the engine calls itself, if it or the cache was asked.
    pub fn name(&self) -> Option<String> {
        self.state().facts.as_ref().map(|facts| facts.name.clone())
    }

    /// What was asked so far.
    pub fn counts(&self) -> EngineCounts {
        let Counts { questions, from_cache, answered, not_asked, failed, timed_out } = &self.counts;
        EngineCounts {
            questions: questions.load(SeqCst),
            from_cache: from_cache.load(SeqCst),
            answered: answered.load(SeqCst),
            not_asked: not_asked.load(SeqCst),
            failed: failed.load(SeqCst),
            timed_out: timed_out.load(SeqCst),
        }
    }

    /// Why answers could not be kept, if that is so. They are right all the same.
    pub fn cache_error(&self) -> Option<EngineError> {
        self.state().cache_error.clone()
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut processes: Vec<Process> = state.idle.drain(..).map(Client::into_process).collect();
        processes.iter_mut().for_each(Process::quit);
        let deadline = Instant::now() + MAX_QUITTING;
        for process in processes {
            process.quit_by(deadline);
        }
    }
}

/// The right to ask a question that others may ask too.
struct Turn<'a> {
    engines: &'a Engines,
    key: u128,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.engines.state().being_asked.remove(&self.key);
        self.engines.changed.notify_all();
    }
}

/// The right to use a process.
struct Lease<'a> {
    engines: &'a Engines,
    /// `None` before the process is started, and after it has failed.
    client: Option<Client>,
}

impl Lease<'_> {
    fn ask(&mut self, question: &Question) -> Result<Answer, EngineError> {
        // After an error, or a panic, the process is dropped, which kills it.
        let mut client = match self.client.take() {
            Some(client) => client,
            None => self.engines.start()?,
        };
        let plays_it = client.facts().plays_chess960 || question.mode() == CastlingMode::Standard;
        let answer = if plays_it {
            client.ask(question)?
        } else {
            let engine = client.facts().name.clone();
            self.client = Some(client);
            return Err(EngineError::NoChess960 { engine });
        };
        self.client = Some(client);
        Ok(answer)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.engines.state();
        match self.client.take() {
            Some(client) => state.idle.push(client),
            None => state.processes -= 1,
        }
        drop(state);
        self.engines.changed.notify_all();
    }
}
