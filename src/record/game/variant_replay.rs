//! Replay of variant games, separate from the replay of chess games.
//!
//! For the main replay, the line of such a game has stopped from the start. The plies that it skips
//! are handed on to this module, so that games of chess pay nothing.

use shakmaty::{Color, Position, variant::VariantPosition};

use super::{
    line_state::{LastPly, Stop},
    replay::GameReplay,
    variant_game::VariantLine,
};
use crate::{
    chess::{IllegalVariantMove, VariantEnd, WrittenMove, WrittenSan, resolve_in_variant},
    identity::Ply,
    rules::{FindingId, facts::VariantMove, played_in_variant, refused_in_variant, shown},
    text::Span,
};

impl GameReplay<'_, '_> {
    /// Counts a ply that is not replayed as chess, and replays it in a variant game.
    #[cold]
    pub(super) fn unplayed_ply(&mut self, written: WrittenSan, place: Span) {
        let Some(mut game) = self.reading.variant.take() else {
            self.skip_plies(1);
            return;
        };
        if game.line.live && self.reading.too_deep == 0 {
            self.variant_ply(&mut game.line, written, place);
        } else {
            self.skip_plies(1);
        }
        self.reading.variant = Some(game);
    }

    /// Counts plies that are not replayed.
    pub(super) fn skip_plies(&mut self, plies: u32) {
        if let Some(stop) = &mut self.reading.line.stop {
            stop.plies_after += plies;
        }
        self.reading.plies_not_replayed += u64::from(plies);
    }

    fn variant_ply(&mut self, line: &mut VariantLine, written: WrittenSan, place: Span) {
        let since = self.findings.len();
        let in_variation = self.in_variation();
        let (facts, text) =
            (VariantMove { text: self.text, place, written: &written, before: &line.position, in_variation }, self.text);
        let reason = match resolve_in_variant(&line.position, &written) {
            Ok(played) => {
                line.plies.push(Ply::of(played));
                let mut after = line.position.clone();
                after.play_unchecked(played);
                played_in_variant(&facts, played, &after, self.findings);
                self.locate(since, place, None);
                self.continue_from(line, after, written, place);
                return;
            }
            Err(reason) => reason,
        };
        if written.what == WrittenMove::Null && !line.position.is_check() && VariantEnd::of(&line.position).is_none() {
            // After a null move, nothing can be proven.
            if !in_variation {
                refused_in_variant(&facts, &reason, self.findings);
                self.locate(since, place, None);
            }
            self.stop_variant(line, self.findings.first_since(since));
            return;
        }
        let finding = match self.reading.line.damage {
            Some(damage) => {
                let consequence = format!("; {} then fails: {reason}", shown(place.of(text)));
                if let Some(finding) = self.findings.get(damage) {
                    finding.message.push_str(&consequence);
                }
                Some(damage)
            }
            None => {
                refused_in_variant(&facts, &reason, self.findings);
                self.locate(since, place, None);
                self.fold_doubts(since);
                self.findings.first_since(since)
            }
        };
        debug_assert!(finding.is_some() || reason == IllegalVariantMove::Null);
        self.stop_variant(line, finding);
    }

    fn continue_from(&mut self, line: &mut VariantLine, after: VariantPosition, written: WrittenSan, place: Span) {
        line.before = Some(std::mem::replace(&mut line.position, after));
        self.reading.line.last = Some(LastPly { written, resolved: None, place, checked: true });
        self.reading.plies += 1;
    }

    /// Stops the replay of the line.
    fn stop_variant(&mut self, line: &mut VariantLine, finding: Option<FindingId>) {
        line.live = false;
        self.reading.line.stop = Some(Stop { finding, plies_after: 0 });
        self.reading.plies_not_replayed += 1;
    }

    /// Opens a variation of a variant game.
    pub(super) fn open_variant_line(&mut self) {
        let Some(game) = &mut self.reading.variant else { return };
        let refused = self.reading.frames.last().is_some_and(|frame| {
            frame.line.has_begun && frame.line.stop.is_some_and(|stop| stop.finding.is_some() && stop.plies_after == 0)
        });
        let damaged = self.reading.frames.last().is_some_and(|frame| frame.line.damage.is_some());
        let inner = match &game.line {
            VariantLine { before: Some(before), live: true, .. } => {
                VariantLine { position: before.clone(), before: None, live: true, plies: Vec::new() }
            }
            VariantLine { position, live, .. } => {
                VariantLine { position: position.clone(), before: None, live: !live && refused && !damaged, plies: Vec::new() }
            }
        };
        game.outer.push(std::mem::replace(&mut game.line, inner));
        self.reading.line.stop = Some(Stop { finding: None, plies_after: 0 });
    }

    /// Closes a variation of a variant game.
    pub(super) fn close_variant_line(&mut self) {
        if let Some(game) = &mut self.reading.variant
            && let Some(line) = game.outer.pop()
        {
            game.line = line;
        }
    }

    /// Checks a move number in a variant game.
    #[cold]
    pub(super) fn unplayed_number(&mut self, value: Option<u32>, dots: u32) {
        let Some((board, turn)) = self
            .reading
            .variant
            .as_ref()
            .filter(|game| game.line.live && self.reading.too_deep == 0 && self.reading.line.damage.is_none())
            .map(|game| (i64::from(game.line.position.fullmoves().get()), game.line.position.turn()))
        else {
            return;
        };
        let dots = dots + self.periods_apart();
        if self.reading.free_numbering
            && let Some(value) = value
        {
            self.reading.numbering = i64::from(value) - board;
            self.reading.line.numbering = self.reading.numbering;
        }
        self.reading.free_numbering = false;
        let expected = board + self.reading.line.numbering;
        let starts_line = !self.reading.line.has_begun;
        let right = value.map(i64::from) == Some(expected);
        let dots_fit = !(turn == Color::White && dots >= 2 || turn == Color::Black && dots == 1 && starts_line);
        if right && dots_fit {
            return;
        }
        if !right {
            self.reading.line.numbering = value.map_or(self.reading.line.numbering, |value| i64::from(value) - board);
        }
        let facts = self.indication(value, expected, dots, turn);
        self.wrong_number(&facts);
    }
}
