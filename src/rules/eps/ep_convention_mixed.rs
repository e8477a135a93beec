//! EPS07: the input mixes two conventions for the en passant square.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::Bitboard;

use crate::{
    rules::{
        Check, Condition, Findings, Rule, Sample, Severity,
        facts::{EnPassantUse, PositionFacts},
        shown,
    },
    text::wording::thousands,
};

pub static RULE: Rule = Rule {
    code: code!("EPS07"),
    name: "ep-convention-mixed",
    severity: Severity::Info,
    summary: "The input mixes two conventions for the en passant square",
    what: "Some positions give an en passant square that no pawn attacks, as the PGN standard \
        requires after every double step. Others leave such a square out, as X-FEN does. Reported \
        once per input, at the first square that no pawn attacks.",
    why: "Equal positions differ as text within one input, which matters when they are counted or \
        compared.",
    fix: "Use one convention for all positions.",
    source: "PGN standard 16.1.3.4; X-FEN",
    fires: &[Sample::Positions(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq ⟦e3⟧ 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    )],
    silent: &[Sample::Positions(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3",
    )],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

/// Three conventions are in use: the square is given after every double step (PGN standard), if a
/// pawn attacks it (X-FEN), or if a capture is legal. A square that no pawn attacks follows the
/// first. `-` usually shows nothing, because the last move is unknown;
/// [`PositionFacts::en_passant_use`] finds the positions where it does.
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
        .message("no pawn attacks this en passant square, and other positions of the input leave such squares out")
        .squares(facts.en_passant.flatten().map_or(Bitboard::EMPTY, Bitboard::from));
}

/// How often the positions of an input use the en passant field in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Whether the input both gives and leaves out squares that no pawn attacks.
    pub const fn is_mixed(self) -> bool {
        self.unattacked > 0 && self.left_out > 0
    }
}

impl fmt::Display for EnPassantCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EnPassantCounts { unattacked, illegal, legal, left_out } = self;
        write!(
            f,
            "en passant squares in this input: {} given that no pawn attacks, {} left out, {} given with illegal captures \
             only, {} given with a legal capture",
            thousands(*unattacked),
            thousands(*left_out),
            thousands(*illegal),
            thousands(*legal)
        )
    }
}
