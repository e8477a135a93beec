//! Checks every position that a replay reaches as if it were a line of a position file.
//!
//! Legal moves from a legal position reach legal positions. A finding here is a fault of a rule, or
//! a consequence of the position in which the game began.

use shakmaty::{EnPassantMode, fen::Fen};

use super::{reached_positions::ReachedChecks, replay::GameReplay};
use crate::{
    record::{fastpath::accepts_reached, position::examine_reached},
    rules::shown,
    text::Span,
};

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
