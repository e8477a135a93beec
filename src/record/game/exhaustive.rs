//! Checks every position that a replay reaches as if it were a line of a position file.
//!
//! Legal moves from a legal position reach legal positions. A finding here is a fault of a rule, or
//! a consequence of the position in which the game began.

use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{GameReplay, opening::Opening};
use crate::{
    record::{fastpath::accepts_reached, position::examine_reached},
    rules::{CodeSet, Declared, shown},
    text::Span,
};

/// Which of the positions that games reach are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReachedChecks {
    /// None: legal moves from a legal position reach legal positions.
    #[default]
    None,
    /// All. The rules run on those that the fast path does not accept.
    InDoubt,
    /// All, by the rules.
    Thorough,
}

impl ReachedChecks {
    /// Whether positions are checked.
    pub fn is_any(self) -> bool {
        self != ReachedChecks::None
    }
}

/// What is known of the positions that a game reaches.
#[derive(Debug, Default)]
pub(super) struct ReplayedPositions {
    declared: Declared,
    /// Whether the game began in the standard starting position.
    from_start: bool,
    /// Whether no game reaches the first position. The rules about that then do not apply to later
    /// ones.
    unreachable: bool,
    /// Rules that were reported in this game.
    reported: CodeSet,
    /// The position as text.
    fen: String,
}

impl ReplayedPositions {
    /// The positions of a reading from `start`. The memory of `fen` is reused.
    pub(super) fn new(opening: &Opening, start: &Chess, fen: String) -> ReplayedPositions {
        ReplayedPositions {
            declared: opening.declared,
            from_start: *start == Chess::default(),
            unreachable: opening.unreachable && *start == opening.start,
            reported: opening.broken,
            fen,
        }
    }

    /// Returns the memory, for reuse.
    pub(super) fn take_memory(&mut self) -> String {
        std::mem::take(&mut self.fen)
    }
}

impl GameReplay<'_, '_> {
    /// Checks the position after the ply at `place`. Each rule is reported once per game.
    #[cold]
    pub(super) fn check_reached_position(&mut self, place: Span) {
        // After a null move, the position is not one that legal moves reach.
        if !self.checks.reached.is_any() || self.reading.line.passed.is_some() {
            return;
        }
        let reached = &mut self.reading.replayed_positions;
        if self.checks.reached == ReachedChecks::InDoubt
            && !reached.declared.other_variant
            && accepts_reached(&self.reading.position)
        {
            return;
        }
        let fen = Fen::from_position(&self.reading.position, EnPassantMode::Always);
        let since = self.findings.len();
        examine_reached(fen, &mut reached.fen, reached.from_start, reached.declared, self.findings);
        if self.findings.len() > since {
            self.locate_reached_findings(since, place);
        }
    }

    /// Moves the findings about a position to the ply that reaches it, and drops those already
    /// reported.
    fn locate_reached_findings(&mut self, since: usize, place: Span) {
        let variation = self.variation();
        let reached = &mut self.reading.replayed_positions;
        self.findings.retain_since(since, |finding| {
            !(reached.reported.contains(finding.rule.code) || (reached.unreachable && finding.rule.reachability))
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
