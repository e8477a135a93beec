//! What the records of an input show about the starting positions of their games: whether the input
//! is standard chess or Chess960.

use super::{Code, Condition, Finding, Note, Notes, Severity, StartShown, Sums, sums_of};
use crate::{chess::Variant, text::wording::thousands};

/// The severity of a finding that assumes the standard starting position, by what the input shows.
/// The user may not have said that the games are Chess960, so without evidence it is a warning.
pub const IF_STANDARD_START: [(Severity, Condition); 2] =
    [(Severity::Error, STANDARD_SHOWN), (Severity::Warning, STANDARD_NOT_SHOWN)];

/// Makes `finding`, which assumes the standard starting position, hold under `condition`. Without
/// evidence for that starting position, the message says what it assumes.
pub fn assume_standard_start(finding: &mut Finding, severity: Severity, condition: Condition) {
    finding.severity(severity).only_if(condition);
    if condition == STANDARD_NOT_SHOWN {
        finding.message.push_str(", unless this is Chess960 (`--variant chess960`)");
    }
}

/// From how many records on exceptions are reported once per input.
const MIN_MANY_EXCEPTIONS: u64 = 20;

/// Minimum number of records for each one that fits only Chess960, in an input that shows the
/// standard starting position.
const MIN_RECORDS_PER_EXCEPTION: u64 = 20;

/// Minimum number of records with castling rights that show the standard starting position if all
/// fit it. Of the starting positions of Chess960, one in 53 has king and rooks on the same squares.
const MANY_RIGHTS: u64 = 20;

/// The rule that notes what is shown: chess960-undeclared.
const OWNER: Code = code!("VAR04");

/// Where its sums begin.
const AT: usize = sums_of(OWNER);

/// The input is not Chess960.
pub const STANDARD_CHESS: Condition = Condition::new(OWNER, 0);

/// The input is Chess960: most of its records are, or the user declared it.
pub const CHESS960: Condition = Condition::new(OWNER, 1);

/// The input is not Chess960, and it shows that its games began in the standard starting position.
pub const STANDARD_SHOWN: Condition = Condition::new(OWNER, 2);

/// The input is not Chess960, but it does not show the starting position either.
pub const STANDARD_NOT_SHOWN: Condition = Condition::new(OWNER, 3);

/// Fewer than 20 positions of the input fit only Chess960.
pub const FEW_EXCEPTIONS: Condition = Condition::new(OWNER, 4);

/// 20 positions of the input or more fit only Chess960.
pub const MANY_EXCEPTIONS: Condition = Condition::new(OWNER, 5);

/// How many records show what: a sum for each [`StartShown`].
pub(super) static NOTE: Note = Note { sums: 8, holds, complete, ..Note::DEFAULTS };

/// Notes what a record shows.
#[inline(always)]
pub fn note_start(sums: &mut impl Sums, shown: StartShown) {
    sums.count(AT + shown as usize, 1);
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let starts = StartCounts::of(notes);
    let is_chess960 = notes.declared.map_or_else(|| starts.is_chess960(), |declared| declared == Variant::Chess960);
    let shows_standard = || !is_chess960 && (notes.declared == Some(Variant::Standard) || starts.shows_standard());
    match condition {
        CHESS960 => is_chess960,
        STANDARD_SHOWN => shows_standard(),
        STANDARD_NOT_SHOWN => !is_chess960 && !shows_standard(),
        FEW_EXCEPTIONS => !starts.has_many_exceptions(),
        MANY_EXCEPTIONS => starts.has_many_exceptions(),
        _ => !is_chess960,
    }
}

fn complete(notes: &Notes, condition: Condition, finding: &mut Finding) -> bool {
    let is_exception = condition == MANY_EXCEPTIONS;
    if is_exception {
        let count = thousands(StartCounts::of(notes).only_chess960());
        finding.message.push_str(&format!("; {count} positions of this input fit only Chess960"));
    }
    is_exception
}

/// How many records show what about their starting positions.
#[derive(Clone, Copy, Debug)]
pub struct StartCounts([u64; 8]);

impl StartCounts {
    /// Those of an input, or of a part of it.
    pub fn of(notes: &Notes) -> StartCounts {
        StartCounts(*notes.sums(AT))
    }

    /// Number of records.
    pub fn records(self) -> u64 {
        self.0.iter().sum()
    }

    /// Whether there are so many positions that fit only Chess960 that only the first is reported.
    pub const fn has_many_exceptions(self) -> bool {
        self.only_chess960() >= MIN_MANY_EXCEPTIONS
    }

    const fn shown(self, shown: StartShown) -> u64 {
        self.0[shown as usize]
    }

    /// Number of records without tags that fit only Chess960.
    const fn only_chess960(self) -> u64 {
        self.shown(StartShown::OnlyChess960)
    }

    /// Number of records that speak for Chess960.
    const fn chess960(self) -> u64 {
        self.shown(StartShown::OnlyChess960) + self.shown(StartShown::OtherBackRank) + self.shown(StartShown::DeclaredChess960)
    }

    /// Whether the input is Chess960: most of the records that show something do. One record
    /// without tags is not enough.
    pub const fn is_chess960(self) -> bool {
        let chess960 = self.chess960();
        let standard = self.shown(StartShown::FitsStandard)
            + self.shown(StartShown::OnlyOtherPieces)
            + self.shown(StartShown::OnlyStandard)
            + self.shown(StartShown::Standard);
        chess960 > standard && (self.shown(StartShown::DeclaredChess960) > 0 || chess960 > 1)
    }

    /// Whether the games of the input began in the standard starting position: it occurs, or most
    /// records with castling rights can be explained by no other one, or there are many rights and
    /// all fit it. More than a few records that are Chess960, or fit only Chess960, leave that
    /// open.
    fn shows_standard(self) -> bool {
        let chess960 = self.chess960();
        if self.is_chess960() || chess960 * MIN_RECORDS_PER_EXCEPTION > self.records() {
            return false;
        }
        let other_pieces = self.shown(StartShown::OnlyOtherPieces);
        let fitting = self.shown(StartShown::FitsStandard) + self.shown(StartShown::OnlyStandard);
        self.shown(StartShown::Standard) > 0
            || self.shown(StartShown::OnlyStandard) > self.shown(StartShown::FitsStandard) + other_pieces + chess960
            || fitting >= MANY_RIGHTS.max((other_pieces + chess960) * MIN_RECORDS_PER_EXCEPTION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_records_decide() {
        use StartShown::{
            DeclaredChess960, FitsStandard, Nothing, OnlyChess960, OnlyOtherPieces, OnlyStandard, OtherBackRank, Standard,
        };
        let counts = |shown: &[(StartShown, usize)]| {
            let mut notes = Notes::default();
            shown
                .iter()
                .flat_map(|(shown, times)| std::iter::repeat_n(*shown, *times))
                .for_each(|shown| note_start(&mut notes, shown));
            let counts = StartCounts::of(&notes);
            (counts.is_chess960(), counts.shows_standard())
        };
        assert_eq!(counts(&[]), (false, false));
        assert_eq!(counts(&[(Nothing, 90), (FitsStandard, 19)]), (false, false));
        assert_eq!(counts(&[(Nothing, 90), (FitsStandard, 20)]), (false, true));
        assert_eq!(counts(&[(FitsStandard, 19), (OnlyOtherPieces, 1)]), (false, false));
        assert_eq!(counts(&[(FitsStandard, 20), (OnlyOtherPieces, 1)]), (false, true));
        assert_eq!(counts(&[(FitsStandard, 39), (OnlyOtherPieces, 1), (OnlyChess960, 1)]), (false, false));
        assert_eq!(counts(&[(FitsStandard, 40), (OnlyOtherPieces, 1), (OnlyChess960, 1)]), (false, true));
        assert_eq!(counts(&[(OtherBackRank, 1)]), (false, false));
        assert_eq!(counts(&[(OtherBackRank, 2), (FitsStandard, 1)]), (true, false));
        assert_eq!(counts(&[(OtherBackRank, 2), (FitsStandard, 38)]), (false, false));
        // A defect is no sign of Chess960 by itself.
        assert_eq!(counts(&[(OnlyOtherPieces, 9)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 1)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2)]), (true, false));
        assert_eq!(counts(&[(DeclaredChess960, 1)]), (true, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 2)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 1), (Standard, 1)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 36), (Standard, 1)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 37), (Standard, 1)]), (false, true));
        assert_eq!(counts(&[(OnlyChess960, 3), (Standard, 1)]), (true, false));
        assert_eq!(counts(&[(OnlyStandard, 3), (FitsStandard, 2)]), (false, true));
        assert_eq!(counts(&[(OnlyStandard, 2), (FitsStandard, 2)]), (false, false));
    }

    #[test]
    fn a_declared_variant_decides() {
        let declared = |declared| {
            let mut notes = Notes::default();
            notes.declared = declared;
            notes
        };
        assert!(declared(None).hold(STANDARD_CHESS) && declared(None).hold(STANDARD_NOT_SHOWN));
        assert!(declared(Some(Variant::Chess960)).hold(CHESS960) && !declared(Some(Variant::Chess960)).hold(STANDARD_CHESS));
        assert!(declared(Some(Variant::Standard)).hold(STANDARD_SHOWN));
    }
}
