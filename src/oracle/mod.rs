//! Oracles: what neither the text nor the laws of chess show about a position.
//!
//! A tablebase proves how a position ends. An engine has an opinion, and finds mates that can be
//! replayed. Neither of them is asked unless the settings name it.

pub mod engine;
mod tablebase;

use std::{
    cell::{Cell, RefCell},
    fmt,
    sync::Arc,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use engine::{Answer, EngineError, Engines, Question};
pub use tablebase::{NoVerdict, Prospect, Syzygy, TableVerdict, Tables};

/// The oracles of a run.
#[derive(Default)]
pub struct Oracles {
    /// The tablebases.
    pub tables: Option<Box<dyn Tables>>,
    /// The engine.
    pub engine: Option<Box<dyn Engine>>,
    /// Number of nodes that the engine may search for each question.
    pub nodes: u64,
}

/// A chess engine.
pub trait Engine: Send + Sync {
    /// Asks a question and waits for the answer.
    fn ask(&self, question: &Question) -> Result<Answer, EngineError>;

    /// What the engine calls itself, if that is known.
    fn name(&self) -> Option<String> {
        None
    }
}

impl Engine for Engines {
    fn ask(&self, question: &Question) -> Result<Answer, EngineError> {
        Engines::ask(self, question)
    }

    fn name(&self) -> Option<String> {
        Engines::name(self)
    }
}

impl<E: Engine> Engine for Arc<E> {
    fn ask(&self, question: &Question) -> Result<Answer, EngineError> {
        E::ask(self, question)
    }

    fn name(&self) -> Option<String> {
        E::name(self)
    }
}

impl Oracles {
    /// Whether there are no oracles.
    pub fn is_empty(&self) -> bool {
        self.tables.is_none() && self.engine.is_none()
    }

    /// Maximum number of pieces in positions that the tables may contain; 0 without tables.
    pub fn max_table_pieces(&self) -> usize {
        self.tables.as_ref().map_or(0, |tables| tables.max_pieces())
    }
}

impl fmt::Debug for Oracles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracles")
            .field("tables", &self.tables.is_some())
            .field("engine", &self.engine.is_some())
            .field("nodes", &self.nodes)
            .finish()
    }
}

/// How often oracles were asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OracleCounts {
    /// Positions that a tablebase was asked about.
    pub table_positions: u64,
    /// Positions among them whose table is missing.
    pub missing_tables: u64,
    /// Questions to the engine.
    pub engine_questions: u64,
    /// Questions among them that it did not answer.
    pub unanswered: u64,
}

impl OracleCounts {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: OracleCounts) {
        self.table_positions += other.table_positions;
        self.missing_tables += other.missing_tables;
        self.engine_questions += other.engine_questions;
        self.unanswered += other.unanswered;
    }
}

/// The questions of one record.
#[derive(Debug)]
pub struct Inquiry<'o> {
    oracles: &'o Oracles,
    counts: Cell<OracleCounts>,
    /// The first failure of an oracle.
    failure: RefCell<Option<String>>,
}

impl<'o> Inquiry<'o> {
    /// No questions yet.
    pub fn of(oracles: &'o Oracles) -> Inquiry<'o> {
        Inquiry { oracles, counts: Cell::default(), failure: RefCell::default() }
    }

    /// The verdict of the tables on `position`; `clock` is its halfmove clock, if that is known.
    /// `None` if there is none, for whatever reason.
    pub fn tables(&self, position: &Chess, clock: Option<u32>) -> Option<TableVerdict> {
        let tables = self.oracles.tables.as_ref()?;
        let verdict = tables.verdict(position, clock);
        let mut counts = self.counts.get();
        counts.table_positions += u64::from(!matches!(verdict, Err(NoVerdict::NotAsked)));
        counts.missing_tables += u64::from(matches!(verdict, Err(NoVerdict::MissingTable)));
        self.counts.set(counts);
        if let Err(NoVerdict::Failed(reason)) = &verdict {
            self.failure.borrow_mut().get_or_insert_with(|| reason.clone());
        }
        verdict.ok()
    }

    /// The answer of the engine. `None` if there is none, for whatever reason.
    pub fn engine(&self, question: &Question) -> Option<Answer> {
        let engine = self.oracles.engine.as_ref()?;
        let answer = engine.ask(question);
        let mut counts = self.counts.get();
        counts.engine_questions += 1;
        counts.unanswered += u64::from(answer.is_err());
        self.counts.set(counts);
        match &answer {
            // It was reported when the engine was given up. What is interrupted has no report.
            Ok(_) | Err(EngineError::GivenUp { .. } | EngineError::Interrupted | EngineError::NoChess960 { .. }) => {}
            Err(error @ EngineError::LastFailure { .. }) => *self.failure.borrow_mut() = Some(error.to_string()),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert_with(|| error.to_string());
            }
        }
        answer.ok()
    }

    /// Number of nodes that the engine may search for each question.
    pub fn nodes(&self) -> u64 {
        self.oracles.nodes
    }

    /// Whether there is an engine.
    pub fn has_engine(&self) -> bool {
        self.oracles.engine.is_some()
    }

    /// Whether the tables may contain `position`.
    pub fn has_few_pieces(&self, position: &Chess) -> bool {
        position.board().occupied().count() <= self.oracles.max_table_pieces()
    }

    /// How often oracles were asked, and the first failure of one.
    pub fn end(self) -> (OracleCounts, Option<String>) {
        (self.counts.get(), self.failure.into_inner())
    }
}
