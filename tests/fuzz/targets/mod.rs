//! The fuzz targets by name. Each fails if its bytes break a promise.

mod archives;
mod audit;
mod baselines;
mod moves;
mod page;
mod positions;
mod repairs;
mod scanner;
mod settings;
mod tables;

/// A target: takes any bytes.
pub type Target = fn(&[u8]);

/// All targets.
pub const TARGETS: [(&str, Target); 10] = [
    ("archives", archives::run),
    ("audit", audit::run),
    ("baselines", baselines::run),
    ("moves", moves::run),
    ("page", page::run),
    ("positions", positions::run),
    ("repairs", repairs::run),
    ("scanner", scanner::run),
    ("settings", settings::run),
    ("tables", tables::run),
];
