//! Baselines: any file is a baseline or an error, and what is written is read back.

use std::fs;

use chess_audit::internals::{
    pipeline::{Known, Settings},
    report::{Baseline, ReadError, ReportReader},
    text::Format,
};
use jiff::civil::Date;

use crate::common::{audit, everything, input};

const GAME: &[u8] = b"[Event \"?\"]\n\n1. e4 e5 2. Ke3 Nf6 3. d4 0-1\n\n";

/// Reads any bytes as a baseline, and as the tables of a report after `{`.
pub fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    if bytes.starts_with(b"{") {
        return report(bytes, folder.path());
    }
    let (one, other) = (folder.path().join("one.csv"), folder.path().join("other.csv"));
    fs::write(&one, bytes).expect("it can be written");
    let Ok(baseline) = Baseline::read(&one) else { return };
    baseline.write(&other).expect("it can be written");
    let again = Baseline::read(&other).expect("what was written can be read");
    assert_eq!(baseline, again);
    let written = fs::read(&other).expect("it was written");
    again.write(&other).expect("it can be written");
    assert_eq!(fs::read(&other).expect("it was written"), written, "writing again changes nothing");
    let known: Known = baseline.iter().map(|(fingerprint, _)| fingerprint).collect();
    let mut merged = Baseline::default();
    assert_eq!(merged.add(again, Date::constant(2026, 1, 1)), (baseline.len(), 0));
    assert_eq!(merged.len(), baseline.len());

    let all = audit(vec![input(GAME, Format::Pgn)], everything());
    let result = audit(vec![input(GAME, Format::Pgn)], Settings { known: known.clone(), ..everything() });
    assert_eq!(result.findings.len(), all.findings.len(), "known findings are reported, too");
    for (_, finding) in &result.findings {
        assert_eq!(finding.known, known.contains(&finding.fingerprint));
    }
    assert_eq!(result.summary.known.total() as usize, result.findings.iter().filter(|(_, finding)| finding.known).count());
    let met: Known = result.findings.iter().map(|(_, finding)| finding.fingerprint).collect();
    assert!(result.summary.unmet.iter().eq(known.difference(&met)));
}

/// Reads `run.json` up to a line `---`, and the table of moves and of inputs after it.
fn report(bytes: &[u8], folder: &std::path::Path) {
    let mut parts = bytes.split(|byte| *byte == b'\x1E');
    for name in ["run.json", "moves.csv", "inputs.csv"] {
        if let Some(part) = parts.next() {
            fs::write(folder.join(name), part).expect("it can be written");
        }
    }
    let Ok(reader) = ReportReader::open(folder) else { return };
    let mut findings = 0;
    let read = reader.for_each_finding::<ReadError>(|_| {
        findings += 1;
        Ok(())
    });
    let _ = reader.for_each_input::<ReadError>(|_| Ok(()));
    if read.is_ok()
        && let Ok(baseline) = Baseline::read(folder)
    {
        assert!(baseline.len() <= findings);
    }
}
