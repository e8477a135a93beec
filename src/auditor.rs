//! The library in a few calls: settings, a text in, findings out.

use std::{io, ops::RangeInclusive};

use jiff::civil::Date;

use crate::{
    chess::{Variant, retro::Effort},
    pgn::Limits,
    pipeline::{Audit, Failure, InputSummary, Options, Settings, Sink},
    rules::{Finding, Profile, Selection, Severity, UnknownRule},
    text::Format,
};

/// Audits texts in memory.
///
/// ```
/// use chess_audit::{Auditor, Profile};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let auditor = Auditor::new().profile(Profile::Strict).ignore(["TAG"])?.ratings(1000..=3000);
/// let findings = auditor.audit_pgn("1. e4 e5 2. Ke3 *")?;
/// assert_eq!(findings[0].rule.name, "illegal-move");
/// assert_eq!((findings[0].line, findings[0].column), (1, 13));
/// assert_eq!((findings[0].found_text(), findings[0].expected_text()), (Some("Ke3"), Some("Ke2")));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Auditor {
    profile: Profile,
    selected: Vec<String>,
    ignored: Vec<String>,
    severities: Vec<(String, Severity)>,
    limits: Limits,
    variant: Option<Variant>,
    options: Options,
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

    /// Runs only these rules, whatever their severity: codes (`MOV03`), names (`ambiguous-move`) or
    /// families (`MOV`).
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

    /// Reports findings of these rules with this severity: a code, a name or a family. Later
    /// settings override earlier ones.
    ///
    /// # Errors
    /// If this is not a rule.
    pub fn severity(mut self, rules: impl Into<String>, severity: Severity) -> Result<Auditor, UnknownRule> {
        self.severities.push((rules.into(), severity));
        self.selection().map(|_| self)
    }

    /// Reports other ratings than these.
    pub fn ratings(mut self, ratings: RangeInclusive<u32>) -> Auditor {
        (self.limits.min_elo, self.limits.max_elo) = ratings.into_inner();
        self
    }

    /// Reports games that were not played in this range of days, written as in PGN: `1990.01.01`.
    ///
    /// # Errors
    /// If one of them is not a day.
    pub fn dates(mut self, days: RangeInclusive<&str>) -> Result<Auditor, NotADay> {
        let day = |text: &str| Date::strptime("%Y.%m.%d", text).map_err(|_| NotADay(text.to_owned()));
        (self.limits.first_day, self.limits.last_day) = (day(days.start())?, Some(day(days.end())?));
        Ok(self)
    }

    /// Reads records without a Variant tag as `variant`. [`Variant::Chess960`] overrides the tags
    /// and includes double Chess960.
    pub fn variant(self, variant: Variant) -> Auditor {
        Auditor { variant: Some(variant), ..self }
    }

    /// Checks every position that the moves of a game reach, not only the one in which it begins.
    pub fn exhaustive(mut self, exhaustive: bool) -> Auditor {
        self.options.exhaustive = exhaustive;
        self
    }

    /// Searches with this effort for captures that lead to a position.
    pub fn effort(mut self, effort: Effort) -> Auditor {
        self.options.deep = effort == Effort::Deep;
        self
    }

    /// Audits games in PGN. Findings are in the order of their places; those about the whole text
    /// come last.
    ///
    /// # Errors
    /// If the auditor itself fails, or a temporary file cannot be written.
    pub fn audit_pgn(&self, pgn: impl AsRef<[u8]>) -> Result<Vec<Finding>, AuditError> {
        self.audit(pgn.as_ref(), Format::Pgn)
    }

    /// Audits lines of FEN or EPD, one position per line. Findings are in the order of their
    /// places; those about the whole text come last.
    ///
    /// # Errors
    /// If the auditor itself fails, or a temporary file cannot be written.
    pub fn audit_epd(&self, epd: impl AsRef<[u8]>) -> Result<Vec<Finding>, AuditError> {
        self.audit(epd.as_ref(), Format::Epd)
    }

    /// Audits one position in FEN.
    ///
    /// # Errors
    /// If the auditor itself fails, or a temporary file cannot be written.
    pub fn audit_fen(&self, fen: &str) -> Result<Vec<Finding>, AuditError> {
        self.audit_epd(fen.trim())
    }

    fn selection(&self) -> Result<Selection, UnknownRule> {
        let selection = Selection::of(self.profile)
            .select(self.selected.iter().map(String::as_str))?
            .ignore(self.ignored.iter().map(String::as_str))?;
        self.severities.iter().try_fold(selection, |selection, (rules, severity)| selection.with_severity(rules, *severity))
    }

    fn audit(&self, text: &[u8], format: Format) -> Result<Vec<Finding>, AuditError> {
        let settings = Settings {
            selection: self.selection()?,
            variant: self.variant,
            options: self.options.clone(),
            limits: self.limits,
            ..Settings::default()
        };
        let mut collected = Collected::default();
        Audit::new(settings).run_on_text(text, format, &mut collected)?;
        match collected.failure {
            Some(message) => Err(AuditError::NotChecked(message)),
            None => Ok(collected.findings),
        }
    }
}

/// A text cannot be audited completely. What is wrong with a text is never an error, but a finding.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// A temporary file for many findings cannot be written.
    #[error("cannot write a temporary file: {0}")]
    Io(#[from] io::Error),
    /// A rule does not exist.
    #[error(transparent)]
    UnknownRule(#[from] UnknownRule),
    /// A record was not checked. Please report the text that makes the auditor fail.
    #[error("{0}")]
    NotChecked(String),
}

/// The text is not a day.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a day, such as `1990.01.01`")]
pub struct NotADay(String);

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
/// # fn main() -> Result<(), chess_audit::AuditError> {
/// let findings = chess_audit::audit_pgn(b"1. e4 e5 2. Ke3 *")?;
/// for finding in &findings {
///     println!("{finding}");
/// }
/// let last = findings.last().expect("the move is not legal");
/// assert!(last.to_string().starts_with("1:13: error MOV01 illegal-move: "));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the auditor itself fails, or a temporary file cannot be written.
pub fn audit_pgn(pgn: impl AsRef<[u8]>) -> Result<Vec<Finding>, AuditError> {
    Auditor::new().audit_pgn(pgn)
}

/// Audits lines of FEN or EPD with the profile `standard`, one position per line.
///
/// ```
/// # fn main() -> Result<(), chess_audit::AuditError> {
/// let findings = chess_audit::audit_epd("4k3/8/8/8/8/8/8/4K2R w KQ - bm O-O;\n")?;
/// assert_eq!(findings[0].rule.code.to_string(), "CAS02");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the auditor itself fails, or a temporary file cannot be written.
pub fn audit_epd(epd: impl AsRef<[u8]>) -> Result<Vec<Finding>, AuditError> {
    Auditor::new().audit_epd(epd)
}

/// Audits one position in FEN with the profile `standard`.
///
/// ```
/// # fn main() -> Result<(), chess_audit::AuditError> {
/// assert!(chess_audit::audit_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 3 40")?.is_empty());
/// let findings = chess_audit::audit_fen("4k3/8/8/8/8/8/4P3/8 w - - 3 40")?;
/// assert!(findings.iter().any(|finding| finding.severity == chess_audit::Severity::Error));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the auditor itself fails, or a temporary file cannot be written.
pub fn audit_fen(fen: &str) -> Result<Vec<Finding>, AuditError> {
    Auditor::new().audit_fen(fen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Severity;

    #[test]
    fn settings_choose_findings() -> Result<(), AuditError> {
        let text = "1. e4 e5 2. Ke3 *";
        assert_eq!(Auditor::new().select(["MOV01"])?.audit_pgn(text)?.len(), 1);
        assert!(Auditor::new().ignore(["MOV", "TAG"])?.audit_pgn(text)?.iter().all(|finding| finding.severity < Severity::Error));
        assert!(Auditor::new().select(["MOV99"]).is_err() && Auditor::new().ignore(["no-rule"]).is_err());
        let infos = Auditor::new().profile(Profile::Strict).audit_pgn("[Event \"x\"]\n\n1. e4 e5 2. Ngf3 *")?;
        assert!(infos.iter().any(|finding| finding.severity == Severity::Info));
        let moved = Auditor::new().select(["MOV01"])?.severity("MOV", Severity::Info)?;
        assert_eq!(moved.audit_pgn(text)?[0].severity, Severity::Info);
        assert!(Auditor::new().severity("MVO", Severity::Info).is_err());
        Ok(())
    }

    #[test]
    fn ratings_and_dates_are_limited() -> Result<(), Box<dyn std::error::Error>> {
        let text = "[Date \"1980.05.01\"]\n[WhiteElo \"900\"]\n\n1. e4 *";
        let codes = |auditor: Auditor| -> Result<Vec<String>, Box<dyn std::error::Error>> {
            let findings = auditor.select(["elo-value", "date-implausible"])?.audit_pgn(text)?;
            Ok(findings.into_iter().map(|finding| finding.rule.name.to_owned()).collect())
        };
        assert!(codes(Auditor::new())?.is_empty());
        assert_eq!(codes(Auditor::new().ratings(1000..=3000))?, ["elo-value"]);
        assert_eq!(codes(Auditor::new().dates("1990.01.01"..="2026.12.31")?)?, ["date-implausible"]);
        assert!(Auditor::new().dates("1990.01.01"..="2026.13.31").is_err());
        Ok(())
    }

    #[test]
    fn a_text_without_records_is_a_finding_or_nothing() -> Result<(), AuditError> {
        assert!(Auditor::new().audit_pgn("")?.iter().all(|finding| finding.game == 0));
        Ok(())
    }
}
