//! The dialogue with one process: the handshake, and a question after the other.

use std::time::Duration;

use shakmaty::CastlingMode;

use super::{
    answer::Answer,
    cache::Facts,
    error::{Command, EngineError, Fault, shown},
    process::Process,
    protocol::{Reply, Search, read_reply},
    question::Question,
    settings::EngineSettings,
};

/// Maximum number of options that are remembered. Engines have about 30.
const MAX_OPTIONS: usize = 1000;

/// A process that can be asked.
pub(super) struct Client {
    process: Process,
    facts: Facts,
    timeout: Duration,
    /// The value of `UCI_Chess960`.
    mode: CastlingMode,
}

impl Client {
    /// Greets an engine and sets its options.
    pub fn greet(mut process: Process, settings: &EngineSettings) -> Result<Client, EngineError> {
        let mut options: Vec<String> = Vec::new();
        let mut engine = None;
        process.send("uci");
        answered(&process, Command::Uci, settings.answer_timeout, |reply| match reply {
            Reply::UciOk => Some(()),
            Reply::Name(text) => {
                engine = Some(shown(text)).filter(|text| !text.is_empty());
                None
            }
            Reply::Option(text) => {
                if options.len() < MAX_OPTIONS {
                    options.push(text.to_ascii_lowercase());
                }
                None
            }
            _ => None,
        })?;
        let has = |option: &str| options.iter().any(|known| *known == option.trim().to_ascii_lowercase());
        let name = engine.unwrap_or_else(|| "the engine".to_owned());
        let hash = settings.hash_mib.to_string();
        for (option, value) in [("Threads", "1"), ("Hash", &hash), ("MultiPV", "1"), ("Ponder", "false")] {
            if has(option) {
                process.send(&format!("setoption name {option} value {value}"));
            }
        }
        for (option, value) in &settings.options {
            if !has(option) {
                return Err(EngineError::NoOption { engine: name, name: option.clone() });
            }
            process.send(&format!("setoption name {} value {value}", option.trim()));
        }
        let facts = Facts { name, plays_chess960: has("UCI_Chess960") };
        let mut client = Client { process, facts, timeout: settings.answer_timeout, mode: CastlingMode::Standard };
        if client.facts.plays_chess960 {
            client.process.send("setoption name UCI_Chess960 value false");
        }
        client.wait_until_ready()?;
        Ok(client)
    }

    /// What is known of the engine.
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Ends the dialogue.
    pub fn into_process(self) -> Process {
        self.process
    }

    /// Asks a question. After an error, the process must not be asked again.
    pub fn ask(&mut self, question: &Question) -> Result<Answer, EngineError> {
        let mode = question.mode();
        if mode != self.mode {
            self.process.send(&format!("setoption name UCI_Chess960 value {}", mode == CastlingMode::Chess960));
            self.mode = mode;
        }
        // The engine forgets what it was asked before.
        self.process.send("ucinewgame");
        self.wait_until_ready()?;
        let fen = question.fen();
        self.process.send(&format!("position fen {fen}"));
        self.process.send(&question.go());
        let mut search = Search::default();
        let best_move = answered(&self.process, Command::Go, self.timeout, |reply| match reply {
            Reply::BestMove(text) => Some(text.to_owned()),
            Reply::Info(info) => {
                search.note(&info);
                None
            }
            _ => None,
        });
        let lied = |lie| EngineError::Lied { position: fen.clone(), lie };
        let best_move = best_move.map_err(|error| match error {
            EngineError::Lied { lie, .. } => lied(lie),
            error => error,
        })?;
        search.answer(&best_move, question).map_err(lied)
    }

    fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready");
        answered(&self.process, Command::IsReady, self.timeout, |reply| matches!(reply, Reply::ReadyOk).then_some(()))
    }
}

/// Reads lines until `take` has what it wants.
fn answered<T>(
    process: &Process,
    command: Command,
    timeout: Duration,
    mut take: impl FnMut(Reply) -> Option<T>,
) -> Result<T, EngineError> {
    let failed = |fault: Fault| {
        let stderr = process.last_error(matches!(fault, Fault::Ended(_)));
        EngineError::Failed { command, fault, stderr }
    };
    let mut wait = process.wait(timeout);
    loop {
        let line = wait.receive().map_err(failed)?;
        let reply = match read_reply(line) {
            Ok(reply) => reply,
            // What it still writes about an earlier question does not matter.
            Err(_) if command != Command::Go => continue,
            Err(lie) => return Err(EngineError::Lied { position: String::new(), lie }),
        };
        if let Some(taken) = take(reply) {
            return Ok(taken);
        }
    }
}
