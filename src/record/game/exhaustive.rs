//! The positions that a replay reaches, asked about as if each stood in a file of positions.
//!
//! What legal moves reach from a legal position is legal: a finding here is a fault of a rule, or follows from the position in
//! which the game began.

use std::fmt::Write;

use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::GameReplay;
use crate::{
    record::examine_position,
    rules::{CodeSet, Declared, Finding, Origin, shown},
    text::Span,
};

/// How the positions of a game are asked about.
#[derive(Debug, Default)]
pub(super) struct Reached {
    declared: Declared,
    /// Whether the game began in the standard array.
    from_array: bool,
    /// Whether no game reaches the position in which this one begins: the later ones are not held to that either.
    unreachable: bool,
    /// Rules that have been reported in this game.
    told: CodeSet,
    /// The position as text.
    fen: String,
}

impl Reached {
    /// Begins a game at `start`, in which the findings `about_start` were made.
    pub(super) fn begin(&mut self, declared: Declared, start: &Chess, about_start: &[Finding]) {
        self.declared = declared;
        self.from_array = *start == Chess::default();
        self.unreachable = about_start.iter().any(|finding| finding.rule.reachability);
        self.told = about_start.iter().map(|finding| finding.rule.code).collect();
    }
}

impl Reached {
    /// Begins the game again; what was told before its movetext is in `about_start`.
    pub(super) fn begin_again(&mut self, about_start: &[Finding]) {
        self.told = about_start.iter().map(|finding| finding.rule.code).collect();
    }
}

impl GameReplay<'_, '_> {
    /// The position in which the game begins is known, and what was found about it: the findings since `since`.
    pub(super) fn begin_reached(&mut self, declared: Declared, since: usize) {
        if self.checks.every_position {
            self.buffers.reached.begin(declared, &self.start, self.findings.since(since));
        }
    }

    /// Asks the rules about positions about the one that the ply in `place` reaches. A rule is reported once in a game.
    #[cold]
    pub(super) fn ask_about_reached(&mut self, place: Span) {
        // Who passes leaves what legal moves can reach.
        if !self.checks.every_position || self.line.passed.is_some() {
            return;
        }
        let reached = &mut self.buffers.reached;
        reached.fen.clear();
        // Writing to a string does not fail.
        let _ = write!(reached.fen, "{}", Fen::from_position(&self.position, EnPassantMode::Always));
        let whole = Span::new(0, reached.fen.len());
        let origin = Origin::Replayed { from_array: reached.from_array };
        let since = self.findings.len();
        examine_position(reached.fen.as_bytes(), whole, origin, reached.declared, self.findings);
        if self.findings.len() > since {
            self.locate_reached(since, place);
        }
    }

    /// Puts the findings about a position where the ply stands that reaches it, and drops those that say nothing new.
    fn locate_reached(&mut self, since: usize, place: Span) {
        let variation = self.variation();
        let reached = &mut self.buffers.reached;
        let mut index = 0;
        self.findings.all().retain(|finding| {
            index += 1;
            let known = reached.told.contains(finding.rule.code) || (reached.unreachable && finding.rule.reachability);
            index <= since || !known
        });
        for finding in self.findings.since(since) {
            reached.told.insert(finding.rule.code);
            finding.place = place;
            finding.ply = Some(self.line.ply);
            finding.variation.clone_from(&variation);
            finding.move_text = shown(place.of(self.text));
            finding.message.insert_str(0, "in the position after this move: ");
        }
    }
}
