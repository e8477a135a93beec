//! The fuzz targets by name. Each fails if its bytes break a promise. Those of one corpus come in
//! pairs: a small one for much that is tried, and one that audits or writes as a run does.

mod archives;
mod audit;
mod baselines;
mod fixes;
mod games;
mod lines;
mod moves;
mod page;
mod positions;
mod repairs;
mod reports;
mod scanner;
mod settings;
mod tables;
mod texts;

/// A target: takes any bytes.
pub type Target = fn(&[u8]);

/// All targets.
pub const TARGETS: [(&str, Target); 15] = [
    ("archives", archives::run),
    ("audit", audit::run),
    ("baselines", baselines::run),
    ("fixes", fixes::run),
    ("games", games::run),
    ("lines", lines::run),
    ("moves", moves::run),
    ("page", page::run),
    ("positions", positions::run),
    ("repairs", repairs::run),
    ("reports", reports::run),
    ("scanner", scanner::run),
    ("settings", settings::run),
    ("tables", tables::run),
    ("texts", texts::run),
];
