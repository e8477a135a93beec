//! The oracles of a run: tables and an engine, as the command line names them.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::Arc,
    thread::available_parallelism,
    time::Duration,
};

use crate::oracle::{
    Engine, Oracles, Syzygy, Tables,
    engine::{EngineSettings, Engines, find_program},
};
use anyhow::Context;

use super::{
    args::{EngineArguments, OracleArguments},
    interrupt,
};

/// How long an engine may take to start, and for any answer.
const MIN_TIMEOUT: Duration = Duration::from_secs(60);
/// Nodes per second that even a slow engine searches.
const MIN_SPEED: u64 = 2_000;

/// The oracles that are given, and the engine among them.
pub struct GivenOracles {
    /// All oracles.
    pub oracles: Arc<Oracles>,
    /// The engine.
    pub engine: Option<Arc<Engines>>,
}

impl GivenOracles {
    /// The oracles of an audit with that number of worker threads; 0 means one for each processor.
    pub fn of_audit(arguments: &OracleArguments, threads: usize) -> anyhow::Result<GivenOracles> {
        let OracleArguments { syzygy, engine, engine_processes, engine_settings } = arguments;
        let threads = || if threads > 0 { threads } else { available_parallelism().map_or(1, usize::from) };
        let processes = if *engine_processes > 0 { *engine_processes } else { threads() };
        GivenOracles::new(syzygy, engine.as_deref(), engine_settings, processes)
    }

    /// Opens the tables in `syzygy` and looks for the engine.
    pub fn new(
        syzygy: &[PathBuf],
        engine: Option<&str>,
        settings: &EngineArguments,
        processes: usize,
    ) -> anyhow::Result<GivenOracles> {
        let mut oracles = Oracles { nodes: settings.nodes, ..Oracles::default() };
        if !syzygy.is_empty() {
            let tables: Box<dyn Tables> = Box::new(Syzygy::open(syzygy).context("--syzygy")?);
            oracles.tables = Some(tables);
        }
        let engine = match engine {
            Some(command) => Some(Arc::new(engines(command, settings, processes)?)),
            None => None,
        };
        if let Some(engine) = &engine {
            interrupt::end_with_signal(engine);
        }
        oracles.engine = engine.as_ref().map(|engine| -> Box<dyn Engine> { Box::new(Arc::clone(engine)) });
        Ok(GivenOracles { oracles: Arc::new(oracles), engine })
    }
}

fn engines(command: &str, arguments: &EngineArguments, processes: usize) -> anyhow::Result<Engines> {
    let name = command.split_whitespace().next().context("--engine: expected the name or the path of a program")?;
    let program = program(command).with_context(|| format!("--engine: `{name}` was not found; install it, or give its path"))?;
    let usual_timeout = || MIN_TIMEOUT.max(Duration::from_secs(arguments.nodes / MIN_SPEED));
    let settings = EngineSettings {
        arguments: command.split_whitespace().skip(1).map(str::to_owned).collect(),
        options: arguments.options.clone(),
        processes,
        answer_timeout: arguments.timeout.map_or_else(usual_timeout, Duration::from_secs),
        cache: cache(arguments),
        ..EngineSettings::of(program)
    };
    Engines::new(settings).context("--engine")
}

/// The program of an engine, if it is there.
pub fn program(command: &str) -> Option<PathBuf> {
    find_program(OsStr::new(command.split_whitespace().next()?), env::var_os("PATH").as_deref())
}

/// The directory for answers of engines, if one was given or the user has a directory for caches.
pub fn cache(arguments: &EngineArguments) -> Option<PathBuf> {
    arguments.cache.clone().or_else(cache_directory)
}

fn cache_directory() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || absolute("HOME").map(|home| home.join(".cache"));
    let caches = if cfg!(windows) { absolute("LOCALAPPDATA") } else { absolute("XDG_CACHE_HOME").or_else(home) };
    caches.map(|caches| caches.join(Path::new("chess-audit/engine")))
}
