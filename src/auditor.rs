//! The library in a few calls: settings, a text in, findings out.

use std::io;

use crate::{
    chess::Variant,
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    rules::{Finding, Profile, Selection, UnknownRule},
    text::Format,
};

/// Audits texts in memory.
///
/// ```
/// use chess_audit::{Auditor, Profile};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let auditor = Auditor::new().profile(Profile::Strict).ignore(["TAG"])?;
/// let findings = auditor.audit_pgn("1. e4 e5 2. Ke3 *");
/// assert_eq!(findings[0].rule.name, "illegal-move");
/// assert_eq!((findings[0].line, findings[0].column), (1, 13));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Auditor {
    profile: Profile,
    selected: Vec<String>,
    ignored: Vec<String>,
    variant: Option<Variant>,
    exhaustive: bool,
}

impl Auditor {
    /// An auditor with the profile `standard`: errors and warnings.
    pub fn new() -> Auditor {
        Auditor::default()
    }

    /// Uses the rules of a profile.
    pub fn profile(self, profile: Profile) -> Auditor {
        Auditor { profile, ..self }
    }

    /// Runs only these rules, whatever their severity: codes (`MOV03`), names (`ambiguous-move`) or families (`MOV`).
    ///
    /// # Errors
    /// If one of them is not a rule.
    pub fn select(mut self, rules: impl IntoIterator<Item = impl Into<String>>) -> Result<Auditor, UnknownRule> {
        self.selected.extend(rules.into_iter().map(Into::into));
        self.selection().map(|_| self)
    }

    /// Leaves out these rules: codes, names or families.
    ///
    /// # Errors
    /// If one of them is not a rule.
    pub fn ignore(mut self, rules: impl IntoIterator<Item = impl Into<String>>) -> Result<Auditor, UnknownRule> {
        self.ignored.extend(rules.into_iter().map(Into::into));
        self.selection().map(|_| self)
    }

    /// Reads records without a Variant tag as `variant`. [`Variant::Chess960`] overrides the tags and
    /// includes double Chess960.
    pub fn variant(self, variant: Variant) -> Auditor {
        Auditor { variant: Some(variant), ..self }
    }

    /// Checks every position that the moves of a game reach, not only the one in which it begins.
    pub fn exhaustive(self, exhaustive: bool) -> Auditor {
        Auditor { exhaustive, ..self }
    }

    /// Audits games in PGN. Findings are in the order of their places; those about the whole text come last.
    ///
    /// # Panics
    /// If the auditor itself fails. Please report the text that makes it fail.
    pub fn audit_pgn(&self, pgn: impl AsRef<[u8]>) -> Vec<Finding> {
        self.audit(pgn.as_ref(), Format::Pgn)
    }

    /// Audits lines of FEN or EPD, one position per line. Findings are in the order of their places; those about the whole text
    /// come last.
    ///
    /// # Panics
    /// If the auditor itself fails. Please report the text that makes it fail.
    pub fn audit_epd(&self, epd: impl AsRef<[u8]>) -> Vec<Finding> {
        self.audit(epd.as_ref(), Format::Epd)
    }

    /// Audits one position in FEN.
    ///
    /// # Panics
    /// If the auditor itself fails. Please report the text that makes it fail.
    pub fn audit_fen(&self, fen: &str) -> Vec<Finding> {
        self.audit_epd(fen.trim())
    }

    fn selection(&self) -> Result<Selection, UnknownRule> {
        let selection = Selection::of(self.profile).select(self.selected.iter().map(String::as_str))?;
        selection.ignore(self.ignored.iter().map(String::as_str))
    }

    fn audit(&self, text: &[u8], format: Format) -> Vec<Finding> {
        // Both lists were checked when they were given.
        let selection = self.selection().unwrap_or_default();
        let settings = Settings { selection, variant: self.variant, exhaustive: self.exhaustive, ..Settings::default() };
        let mut collected = Collected::default();
        let run = Audit::new(settings).run_on_text(text, format, &mut collected);
        let failure = run.err().map(|error| error.to_string()).or(collected.failure);
        assert!(failure.is_none(), "{}", failure.unwrap_or_default());
        collected.findings
    }
}

/// Keeps the findings of a run, and why it failed.
#[derive(Debug, Default)]
struct Collected {
    findings: Vec<Finding>,
    failure: Option<String>,
}

impl Sink for Collected {
    fn finding(&mut self, _: &str, finding: &Finding) -> io::Result<()> {
        self.findings.push(finding.clone());
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failure.get_or_insert_with(|| failure.message.clone());
        Ok(())
    }
}

/// Audits games in PGN with the profile `standard`.
///
/// ```
/// let findings = chess_audit::audit_pgn(b"1. e4 e5 2. Ke3 *");
/// for finding in &findings {
///     println!("{finding}");
/// }
/// let last = findings.last().expect("the move is not legal");
/// assert!(last.to_string().starts_with("1:13: error MOV01 illegal-move: "));
/// ```
///
/// # Panics
/// If the auditor itself fails. Please report the text that makes it fail.
pub fn audit_pgn(pgn: impl AsRef<[u8]>) -> Vec<Finding> {
    Auditor::new().audit_pgn(pgn)
}

/// Audits lines of FEN or EPD with the profile `standard`, one position per line.
///
/// ```
/// let findings = chess_audit::audit_epd("4k3/8/8/8/8/8/8/4K2R w KQ - bm O-O;\n");
/// assert_eq!(findings[0].rule.code.to_string(), "CAS02");
/// ```
///
/// # Panics
/// If the auditor itself fails. Please report the text that makes it fail.
pub fn audit_epd(epd: impl AsRef<[u8]>) -> Vec<Finding> {
    Auditor::new().audit_epd(epd)
}

/// Audits one position in FEN with the profile `standard`.
///
/// ```
/// assert!(chess_audit::audit_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 3 40").is_empty());
/// let findings = chess_audit::audit_fen("4k3/8/8/8/8/8/4P3/8 w - - 3 40");
/// assert!(findings.iter().any(|finding| finding.severity == chess_audit::Severity::Error));
/// ```
///
/// # Panics
/// If the auditor itself fails. Please report the text that makes it fail.
pub fn audit_fen(fen: &str) -> Vec<Finding> {
    Auditor::new().audit_fen(fen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Severity;

    #[test]
    fn settings_choose_findings() -> Result<(), UnknownRule> {
        let text = "1. e4 e5 2. Ke3 *";
        assert_eq!(Auditor::new().select(["MOV01"])?.audit_pgn(text).len(), 1);
        assert!(Auditor::new().ignore(["MOV", "TAG"])?.audit_pgn(text).iter().all(|finding| finding.severity < Severity::Error));
        assert!(Auditor::new().select(["MOV99"]).is_err() && Auditor::new().ignore(["no-rule"]).is_err());
        let infos = Auditor::new().profile(Profile::Strict).audit_pgn("[Event \"x\"]\n\n1. e4 e5 2. Ngf3 *");
        assert!(infos.iter().any(|finding| finding.severity == Severity::Info));
        Ok(())
    }

    #[test]
    fn a_text_without_records_is_a_finding_or_nothing() {
        assert!(Auditor::new().audit_pgn("").iter().all(|finding| finding.game == 0));
    }
}
