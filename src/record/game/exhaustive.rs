//! The positions that a replay reaches, asked about as if each stood in a file of positions.
//!
//! What legal moves reach from a legal position is legal: a finding here is a fault of a rule, or follows from the position in
//! which the game began.

use std::fmt::Write;

use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{GameReplay, opening::Opening};
use crate::{
    record::examine_position,
    rules::{CodeSet, Declared, Origin, shown},
    text::Span,
};

/// How the positions of a game are asked about.
#[derive(Debug, Default)]
pub(super) struct ReplayedPositions {
    declared: Declared,
    /// Whether the game began in the standard array.
    from_start: bool,
    /// Whether no game reaches the position in which this one begins: the later ones are not held to that either.
    unreachable: bool,
    /// Rules that have been reported in this game.
    reported: CodeSet,
    /// The position as text.
    fen: String,
}

impl ReplayedPositions {
    /// The positions of a reading from `start`. The memory of `fen` is used again.
    pub(super) fn new(opening: &Opening, start: &Chess, fen: String) -> ReplayedPositions {
        ReplayedPositions {
            declared: opening.declared,
            from_start: *start == Chess::default(),
            unreachable: opening.unreachable && *start == opening.start,
            reported: opening.broken,
            fen,
        }
    }

    /// Gives back the memory.
    pub(super) fn take_memory(&mut self) -> String {
        std::mem::take(&mut self.fen)
    }
}

impl GameReplay<'_, '_> {
    /// Asks the rules about positions about the one that the ply in `place` reaches. A rule is reported once in a game.
    #[cold]
    pub(super) fn check_reached_position(&mut self, place: Span) {
        // Who passes leaves what legal moves can reach.
        if !self.checks.every_position || self.reading.line.passed.is_some() {
            return;
        }
        let reached = &mut self.reading.replayed_positions;
        reached.fen.clear();
        // Writing to a string does not fail.
        let _ = write!(reached.fen, "{}", Fen::from_position(&self.reading.position, EnPassantMode::Always));
        let whole = Span::new(0, reached.fen.len());
        let origin = Origin::Replayed { from_start: reached.from_start };
        let since = self.findings.len();
        examine_position(reached.fen.as_bytes(), whole, origin, reached.declared, self.findings);
        if self.findings.len() > since {
            self.locate_reached_findings(since, place);
        }
    }

    /// Puts the findings about a position where the ply stands that reaches it, and drops those that say nothing new.
    fn locate_reached_findings(&mut self, since: usize, place: Span) {
        let variation = self.variation();
        let reached = &mut self.reading.replayed_positions;
        let mut index = 0;
        self.findings.all().retain(|finding| {
            index += 1;
            let known = reached.reported.contains(finding.rule.code) || (reached.unreachable && finding.rule.reachability);
            index <= since || !known
        });
        for finding in self.findings.since(since) {
            reached.reported.insert(finding.rule.code);
            finding.place = place;
            finding.ply = Some(self.reading.line.ply);
            finding.variation.clone_from(&variation);
            finding.move_text = shown(place.of(self.text));
            finding.message.insert_str(0, "in the position after this move: ");
        }
    }
}
