//! Castling rights.

pub(crate) mod chess960_asymmetric;
pub(crate) mod initial_rights_missing;
pub(crate) mod inner_rook_ambiguous;
pub(crate) mod king_not_home;
pub(crate) mod rook_missing;
pub(crate) mod shredder_fen_letters;

family! {
    king_not_home, rook_missing, shredder_fen_letters, inner_rook_ambiguous, chess960_asymmetric,
    initial_rights_missing,
}

use shakmaty::{Bitboard, Color, File, Square};

use super::{
    Certainty, Finding, Findings, Patch, Rule, Severity, Span,
    facts::{ClaimedRight, Origin, PositionFacts, castling_field},
    shown,
};
use crate::{
    chess::color_name,
    rules::variant_shown::{FEW_EXCEPTIONS, MANY_EXCEPTIONS, STANDARD_CHESS},
};

/// Castling rights of a side that fit only Chess960.
struct Exception {
    color: Color,
    king: Square,
    letters: String,
    /// The letters of the other side that fit only Chess960, too.
    others: String,
    place: Span,
    /// Where standard chess has the rooks of these rights.
    rooks: Bitboard,
    found: String,
    /// The rights that fit standard chess, as a FEN field.
    expected: String,
    /// Writes only these.
    patch: Option<Patch>,
    /// Whether the user declares that the game is standard chess.
    is_standard: bool,
}

/// The castling rights that fit only Chess960, if nothing declares the record to be Chess960. Those
/// of White come first. `None` also if the king of these rights is not on one of `files`.
fn exception(facts: &PositionFacts<'_>, files: impl Fn(File) -> bool) -> Option<Exception> {
    if !facts.only_chess960 || facts.declared.chess960 || matches!(facts.origin, Origin::Replayed { .. }) {
        return None;
    }
    let is_exception = |right: &ClaimedRight| facts.is_exception(*right);
    let of = |color: Color| {
        facts.rights().filter(is_exception).map(|claimed| claimed.letter).filter(move |letter| letter.color() == color)
    };
    let color = if of(Color::White).next().is_none() { Color::Black } else { Color::White };
    let king = (*facts.kings.get(color)).filter(|king| files(king.file()))?;
    let (first, last) = (of(color).next()?, of(color).last()?);
    let text = |color: Color| of(color).map(|letter| char::from(letter.letter)).collect();
    let expected = castling_field(facts.rights().filter(|claimed| !is_exception(claimed)).map(|claimed| claimed.letter.letter));
    // The moves after a FEN tag may castle with these rights.
    let field = facts.fen.castling().filter(|_| facts.origin == Origin::Line);
    Some(Exception {
        color,
        king,
        place: Span::new(facts.letter_place(first).start, facts.letter_place(last).end),
        letters: text(color),
        others: text(!color),
        rooks: of(color).map(|letter| letter.standard_rook()).collect(),
        found: facts.fen.castling().map(|field| shown(field.of(facts.text))).unwrap_or_default(),
        patch: field.map(|field| Patch::replace(facts.text, field, expected.as_str())),
        expected,
        is_standard: facts.declared.standard,
    })
}

impl Exception {
    /// Reports the exception if the input is not Chess960: each one, or once per input if there are
    /// many. If the game is declared to be standard chess, each one is an error. `fault` is what is
    /// wrong in standard chess, `verdict` that the rights are stale.
    fn report(&self, rule: &'static Rule, fault: String, verdict: &str, findings: &mut Findings) {
        let or_chess960 = if self.is_standard { "" } else { ", or the game is Chess960" };
        let mut message = format!("{fault}: {verdict}{or_chess960}");
        if !self.others.is_empty() {
            message.push_str(&format!("; {}'s `{}` fits only Chess960 too", color_name(!self.color), self.others));
        }
        if self.is_standard {
            self.add(rule, message, findings);
            return;
        }
        for number in [FEW_EXCEPTIONS, MANY_EXCEPTIONS] {
            let finding = self.add(rule, message.clone(), findings);
            finding.severity(Severity::Warning).only_if(STANDARD_CHESS).only_if(number);
            if number == MANY_EXCEPTIONS {
                finding.once_per_input();
            }
        }
    }

    /// Adds a finding about these rights.
    fn add<'a>(&self, rule: &'static Rule, message: String, findings: &'a mut Findings) -> &'a mut Finding {
        let finding = findings.add(rule, self.place).message(message).found(self.found.as_str());
        finding.expected(self.expected.as_str()).squares(self.rooks.with(self.king));
        if let Some(patch) = &self.patch {
            finding.repair(Certainty::Likely, patch.clone());
        }
        finding
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::squares_marked;

    #[test]
    fn kings_and_squares_of_missing_rooks_are_marked() {
        for (code, line, squares) in [
            ("CAS01", "r3k2r/8/4p3/8/8/8/4K3/R6R w KQkq - 0 1", "e2"),
            ("CAS02", "rn2k3/8/8/8/8/8/8/4K2R w Kk - 0 1", "e8 h8"),
            ("CAS02", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "a1 e1 h1"),
            ("CAS02", "r3k1r1/8/8/8/8/8/8/4K2R w Kk - 0 1", "e8 h8"),
            ("CAS01", "4k3/8/8/8/8/8/8/3K3R w K - 0 1", "d1 h1"),
            ("CAS04", "3k4/8/8/4p3/8/8/4P3/3K1R1R w K - 0 30", "f1 h1"),
            ("CAS06", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", ""),
        ] {
            assert_eq!(squares_marked(code, line), squares, "{code} in {line}");
        }
    }
}
