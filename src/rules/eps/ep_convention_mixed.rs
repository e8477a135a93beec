//! `ep-convention-mixed`.

use std::fmt;

use crate::rules::{
    Check, Condition, Findings, Rule, Sample, Severity,
    facts::{EnPassantUse, PositionFacts},
    shown,
};

/// EPS07: the input gives the en passant square now by one convention, now by another.
///
/// Three are in use: the square after every double step (the standard of 1994), where a pawn attacks it (X-FEN), where a capture
/// is legal. A square that no pawn attacks follows the first of them. `-` says little, for nobody can tell whether the last move
/// was a double step, unless all moves of the side that made it are seen on the board: see
/// [`PositionFacts::en_passant_use`]. Where that is so and the square is left out, the first convention is not followed.
pub static RULE: Rule = Rule {
    code: code!("EPS07"),
    name: "ep-convention-mixed",
    severity: Severity::Info,
    summary: "The input gives the en passant square now by one convention, now by another",
    what: "Some positions give a square that no pawn attacks, as the standard of 1994 wants it after every double step; others leave such a square out, as X-FEN does. That one was left out is seen where all 32 men are there, the clock is 0, and the side that has just moved has made as many moves as it has pawns on its fourth rank, all others being at home. Reported once per input, at the first square that no pawn attacks.",
    why: "Equal positions differ as text within one input, which matters to whoever counts or compares them.",
    fix: "Choose one convention.",
    source: "PGN standard 1994, section 16.1.3.4; X-FEN",
    fires: &[Sample::Positions(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq ⟦e3⟧ 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    )],
    silent: &[Sample::Positions(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3",
    )],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if facts.en_passant_use() != Some(EnPassantUse::Unattacked) {
        return;
    }
    let Some(place) = facts.fen.en_passant() else { return };
    findings
        .add(&RULE, place)
        .only_if(Condition::EnPassantMixed)
        .once_per_input()
        .found(shown(place.of(facts.text)))
        .message("no pawn attacks this square, and other positions of the input leave such squares out");
}

/// How often an input uses the en passant field in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnPassantCounts {
    unattacked: u64,
    illegal: u64,
    legal: u64,
    left_out: u64,
}

impl EnPassantCounts {
    /// Counts one position.
    pub const fn note(&mut self, seen: EnPassantUse) {
        match seen {
            EnPassantUse::Unattacked => self.unattacked += 1,
            EnPassantUse::Illegal => self.illegal += 1,
            EnPassantUse::Legal => self.legal += 1,
            EnPassantUse::LeftOut => self.left_out += 1,
        }
    }

    /// Adds the counts of another part.
    pub const fn add(&mut self, other: EnPassantCounts) {
        self.unattacked += other.unattacked;
        self.illegal += other.illegal;
        self.legal += other.legal;
        self.left_out += other.left_out;
    }

    /// Whether squares that no pawn attacks are given here and left out there.
    pub const fn is_mixed(self) -> bool {
        self.unattacked > 0 && self.left_out > 0
    }
}

impl fmt::Display for EnPassantCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EnPassantCounts { unattacked, illegal, legal, left_out } = self;
        write!(
            f,
            "of the positions of this input {unattacked} give a square that no pawn attacks, {left_out} leave one out, {illegal} give a \
             square on which every capture is illegal, {legal} one on which a capture is legal"
        )
    }
}
