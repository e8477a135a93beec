//! Variations: where they begin and end.

use shakmaty::Position;

use super::{
    line_state::{Frame, Line, Stop},
    not_checked_note,
    replay::GameReplay,
};
use crate::{
    chess::CheckMark,
    pgn::Token,
    rules::{
        Family, Sign,
        facts::{RavFault, SyntaxFaultKind},
    },
    text::Span,
};

/// Maximum depth of variations that are replayed, which limits the memory per game. Deeper ones are
/// read only.
const MAX_REPLAYED_DEPTH: usize = 100;

impl GameReplay<'_, '_> {
    pub(super) fn open_variation(&mut self) {
        if self.reading.frames.len() >= MAX_REPLAYED_DEPTH {
            self.reading.too_deep += 1;
            self.reading.above_too_deep.get_or_insert(self.reading.line);
            self.reading.line.stop = Some(Stop { finding: None, plies_after: 0 });
            return;
        }
        let before_stop = matches!(self.reading.line.stop, Some(Stop { plies_after: 0, .. })) && self.reading.line.has_begun;
        let replaces_unknown = self.reading.line.stop.is_none() && self.reading.unknown.is_some() && self.numbers_next_ply();
        let replaces = self.reading.line.stop.is_none() && self.reading.line.last.is_some() && !replaces_unknown;
        let before = self.before_last();
        let played = self.reading.played.len() - usize::from(replaces);
        let replaced = self.reading.played.get(played).copied();
        self.reading.cut_line(played);
        let frame = Frame {
            line: self.reading.line,
            position: self.reading.position.clone(),
            checkers: self.reading.checkers,
            played,
            replaced,
            open: self.lexer.start,
            findings: self.findings.len(),
        };
        let replaced_plies = u32::from(self.reading.line.has_begun && !replaces_unknown);
        let mut line = Line::at(self.reading.line.ply.saturating_sub(replaced_plies), self.reading.line.numbering);
        line.passed = self.reading.line.passed.filter(|&ply| ply <= line.ply);
        if replaces {
            self.reading.position = before;
            self.reading.checkers = self.reading.position.checkers();
        } else if replaces_unknown {
            // It replaces the move that could not be read.
        } else if !(before_stop
            && self.reading.line.damage.is_none()
            && self.reading.line.stop.is_some_and(|stop| stop.finding.is_some()))
        {
            // The position in which the variation begins is not known.
            line.stop = Some(Stop { finding: None, plies_after: 0 });
        }
        self.reading.frames.push(frame);
        self.reading.line = line;
        if self.reading.variant.is_some() {
            self.open_variant_line();
        }
        self.reading.unknown = None;
    }

    /// Whether the variation that opens begins with the number of the next ply of the line.
    fn numbers_next_ply(&self) -> bool {
        let mut ahead = self.ahead();
        matches!(ahead.next(), Token::Number { value, dots } if self.is_next_number(value, dots))
    }

    pub(super) fn close_variation(&mut self) {
        if self.reading.too_deep > 0 {
            self.reading.too_deep -= 1;
            if self.reading.too_deep == 0
                && let Some(line) = self.reading.above_too_deep.take()
            {
                self.reading.line = line;
            }
            return;
        }
        if self.reading.frames.is_empty() && self.reading.last_token.end == self.lexer.start && self.follows_number() {
            self.fault(SyntaxFaultKind::NumberParenthesis, self.place());
            return;
        }
        if self.reading.frames.is_empty() {
            self.fault(SyntaxFaultKind::StrayVariationClose, self.place());
            return;
        }
        self.end_line();
        self.check_variation();
        self.leave_variation();
    }

    /// Checks that the variation just closed has moves and replaces one.
    fn check_variation(&mut self) {
        let Some(frame) = self.reading.frames.last() else { return };
        let open = Span::new(frame.open, frame.open + 1);
        // A syntax fault inside explains the rest.
        let since = frame.findings.min(self.findings.len());
        if self.findings.all()[since..].iter().any(|finding| finding.rule.code.family() == Family::Syn) {
            return;
        }
        if !self.reading.line.has_begun {
            self.fault(SyntaxFaultKind::BadVariation(RavFault::Empty), Span::new(open.start, self.lexer.at));
        } else if !frame.line.has_begun && frame.line.stop.is_none() {
            self.fault(SyntaxFaultKind::BadVariation(RavFault::ReplacesNothing), open);
        }
    }

    /// Whether the token before the parenthesis just read is a number.
    fn follows_number(&self) -> bool {
        let before = self.reading.last_token.of(self.text);
        !before.is_empty() && before.iter().all(u8::is_ascii_digit)
    }

    /// Returns to the line that the variation branches off from.
    pub(super) fn leave_variation(&mut self) -> Option<(usize, usize)> {
        let frame = self.reading.frames.pop()?;
        self.end_of_variation(&frame);
        self.reading.cut_line(frame.played);
        self.reading.played.extend(frame.replaced);
        self.reading.position = frame.position;
        self.reading.checkers = frame.checkers;
        self.reading.line = frame.line;
        self.close_variant_line();
        self.reading.unknown = None;
        Some((frame.open, frame.findings))
    }

    /// Ends a line: checks its last ply for a missing mate mark, suggests a repair, and counts the
    /// plies that were not checked.
    pub(super) fn end_line(&mut self) {
        if let Some(last) = self.reading.line.last
            && self.reading.line.stop.is_none()
            && !last.checked
            && self.checks.look_for(Sign::UnmarkedCheck)
            && last.written.mark != CheckMark::Mate
            && self.reading.checkers.any()
            && self.reading.position.is_checkmate()
        {
            self.check_last_ply();
        }
        self.doubt_after_damage();
        if let Some(Stop { finding: Some(id), .. }) = self.reading.line.stop {
            self.mend_line(id);
        }
        if let Some(Stop { finding: Some(id), plies_after: after @ 1.. }) = self.reading.line.stop
            && let Some(finding) = self.findings.get(id)
        {
            finding.message.push_str(&not_checked_note(after.into()));
        }
    }
}
