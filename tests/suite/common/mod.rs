//! What the tests share: an audit through the public interface, and games to audit.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod damage;
#[cfg(target_os = "linux")]
pub mod engines;
pub mod extent;
pub mod games;
pub mod imports;
pub mod invariants;
pub mod likeness;
pub mod lines;
pub mod not_run;
pub mod packs;
pub mod planted;
pub mod program;
pub mod scrambled;
pub mod small_engine;
pub mod small_tables;

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock, atomic::AtomicBool},
};

use chess_audit::internals::{
    corpus::{Input, Source},
    oracle::Oracles,
    pgn::EcoBook,
    pipeline::{Audit, Failure, InputSummary, RunSummary, Settings, Sink},
    rules::{Finding, Profile, Selection},
    text::Format,
};

use self::{not_run::not_run, small_engine::SmallEngine, small_tables::SmallTables};

/// Everything that an audit tells.
#[derive(Debug, Default)]
pub struct AuditResult {
    pub findings: Vec<(String, Finding)>,
    pub inputs: Vec<InputSummary>,
    pub failures: Vec<Failure>,
    pub summary: RunSummary,
}

impl Sink for AuditResult {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.findings.push((input.to_owned(), finding.clone()));
        Ok(())
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.inputs.push(summary.clone());
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failures.push(failure.clone());
        Ok(())
    }
}

impl AuditResult {
    /// The codes of the rules that fired, in order.
    pub fn codes(&self) -> Vec<String> {
        self.findings.iter().map(|(_, finding)| finding.rule.code.to_string()).collect()
    }

    /// Every finding as a line of text, the input's name apart.
    pub fn lines(&self) -> Vec<String> {
        self.findings.iter().map(|(_, finding)| line(finding)).collect()
    }
}

/// A finding as a line of text that holds everything the report holds.
pub fn line(finding: &Finding) -> String {
    serde_json::to_string(finding).expect("a finding can be written as JSON")
}

/// Settings in which every rule shows every finding, but for rules about layout.
pub fn everything() -> Settings {
    Settings { selection: Selection::of(Profile::Strict), threads: 1, eco: Some(eco()), ..Settings::default() }
}

/// An oracle that knows endings with few pieces.
pub fn oracles() -> Arc<Oracles> {
    Arc::new(Oracles { tables: Some(Box::new(SmallTables)), ..Oracles::default() })
}

/// An oracle that counts pieces.
pub fn small_engine() -> Arc<Oracles> {
    Arc::new(Oracles { engine: Some(Box::new(SmallEngine)), nodes: 1, ..Oracles::default() })
}

/// A small classification of openings.
pub fn eco() -> Arc<EcoBook> {
    static ECO: OnceLock<Arc<EcoBook>> = OnceLock::new();
    let read = || {
        let text = std::fs::read(fixture("eco/openings.tsv")).expect("the fixture is there");
        Arc::new(EcoBook::read(&text).expect("the fixture is sound"))
    };
    Arc::clone(ECO.get_or_init(read))
}

/// Settings in which the rules about layout show their findings too.
pub fn layout_too() -> Settings {
    Settings { selection: Selection::of(Profile::Export), ..everything() }
}

/// An input in memory.
pub fn input(bytes: &[u8], format: Format) -> Input {
    Input { name: "input".to_owned(), source: Source::Bytes(bytes.into()), format: Some(format), scanned: false }
}

/// Audits inputs.
pub fn audit(inputs: Vec<Input>, settings: Settings) -> AuditResult {
    let mut audit_result = AuditResult::default();
    let summary =
        Audit::new(settings).run(inputs, &mut audit_result, &(), &AtomicBool::new(false)).expect("this sink takes everything");
    AuditResult { summary, ..audit_result }
}

/// Audits one text on this thread, as it is: it is neither unpacked nor converted, and its format
/// is not recognised.
pub fn audit_as_it_is(bytes: &[u8], format: Format, settings: Settings) -> AuditResult {
    let mut audit_result = AuditResult::default();
    let summary = Audit::new(settings).run_on_text(bytes, format, &mut audit_result).expect("this sink takes everything");
    AuditResult { summary, ..audit_result }
}

/// Audits one text, with every rule.
pub fn audit_text(bytes: &[u8], format: Format) -> AuditResult {
    audit(vec![input(bytes, format)], everything())
}

/// A file or directory of the fixtures.
pub fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

/// The root of the repository. The fuzz targets, which share these helpers, are a package below it.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("fixtures").is_dir()).unwrap_or(package)
}

/// The folder of corpora that acceptance tests use, if it is there.
pub fn corpora() -> Option<PathBuf> {
    let folder = std::env::var_os("CHESS_AUDIT_CORPORA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    not_run("there are no corpora here; CHESS_AUDIT_CORPORA can name their folder");
    None
}

/// A small generator of numbers that are always the same (xorshift64*).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound.max(1)
    }
}
