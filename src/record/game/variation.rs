//! Variations: where they branch off, and how a line ends.

use shakmaty::Position;

use super::{Frame, GameReplay, Line, Stop, not_examined};
use crate::{
    chess::CheckMark,
    rules::{
        Family,
        facts::{RavFault, SyntaxFaultKind},
    },
    text::Span,
};

/// Variations nested deeper than this are read but not replayed, so that no game can take more than its share of memory.
const DEEPEST_REPLAYED: usize = 100;

impl GameReplay<'_, '_> {
    pub(super) fn open_variation(&mut self) {
        if self.buffers.frames.len() >= DEEPEST_REPLAYED {
            self.too_deep += 1;
            self.above_too_deep.get_or_insert(self.line);
            self.line.stop = Some(Stop { finding: None, plies_after: 0 });
            return;
        }
        let before_stop = matches!(self.line.stop, Some(Stop { plies_after: 0, .. })) && self.line.begun;
        let replaces = self.line.stop.is_none() && self.line.last.is_some();
        let before = self.before_last();
        let played = self.buffers.line.len() - usize::from(replaces);
        let replaced = self.buffers.line.get(played).copied();
        self.buffers.cut_line(played);
        let frame = Frame {
            line: self.line,
            position: self.position.clone(),
            checkers: self.checkers,
            played,
            replaced,
            open: self.lexer.start,
            findings: self.findings.len(),
        };
        let mut line = Line::at(self.line.ply.saturating_sub(u32::from(self.line.begun)), self.line.numbering);
        line.passed = self.line.passed.filter(|&ply| ply <= line.ply);
        if replaces {
            self.position = before;
            self.checkers = self.position.checkers();
        } else if !(before_stop && self.line.damage.is_none() && self.line.stop.is_some_and(|stop| stop.finding.is_some())) {
            // There is no telling from where it branches off.
            line.stop = Some(Stop { finding: None, plies_after: 0 });
        }
        self.buffers.frames.push(frame);
        self.line = line;
        if self.variant.is_some() {
            self.open_variant_line();
        }
        self.unknown = None;
    }

    pub(super) fn close_variation(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            if self.too_deep == 0
                && let Some(line) = self.above_too_deep.take()
            {
                self.line = line;
            }
            return;
        }
        if self.buffers.frames.is_empty() && self.last_token.end == self.lexer.start && self.follows_number() {
            self.fault(SyntaxFaultKind::NumberParenthesis, self.place());
            return;
        }
        if self.buffers.frames.is_empty() {
            self.fault(SyntaxFaultKind::StrayVariationClose, self.place());
            return;
        }
        self.end_line();
        self.judge_variation();
        self.leave_variation();
    }

    /// Whether the variation that ends with the last token has moves, and one to replace.
    fn judge_variation(&mut self) {
        let Some(frame) = self.buffers.frames.last() else { return };
        let open = Span::new(frame.open, frame.open + 1);
        // What is wrong inside says enough.
        let since = frame.findings.min(self.findings.len());
        if self.findings.all()[since..].iter().any(|finding| finding.rule.code.family() == Family::Syn) {
            return;
        }
        if !self.line.begun {
            self.fault(SyntaxFaultKind::BadVariation(RavFault::Empty), Span::new(open.start, self.lexer.at));
        } else if !frame.line.begun && frame.line.stop.is_none() {
            self.fault(SyntaxFaultKind::BadVariation(RavFault::ReplacesNothing), open);
        }
    }

    /// Whether the token before the parenthesis just read is a number.
    fn follows_number(&self) -> bool {
        let before = self.last_token.of(self.text);
        !before.is_empty() && before.iter().all(u8::is_ascii_digit)
    }

    /// Goes back to the line that the variation branches off from.
    pub(super) fn leave_variation(&mut self) -> Option<(usize, usize)> {
        let frame = self.buffers.frames.pop()?;
        self.end_of_variation(&frame);
        self.buffers.cut_line(frame.played);
        self.buffers.line.extend(frame.replaced);
        self.position = frame.position;
        self.checkers = frame.checkers;
        self.line = frame.line;
        self.close_variant_line();
        self.unknown = None;
        Some((frame.open, frame.findings))
    }

    /// A line ends: its last ply may mate without saying so, and what was not examined is known now.
    pub(super) fn end_line(&mut self) {
        if let Some(last) = self.line.last
            && self.line.stop.is_none()
            && !last.asked
            && self.checks.check_marks_missing
            && last.written.mark != CheckMark::Mate
            && self.checkers.any()
            && self.position.is_checkmate()
        {
            self.ask_about_ply();
        }
        if let Some(Stop { finding: Some(index), .. }) = self.line.stop {
            self.mend_line(index);
        }
        if let Some(Stop { finding: Some(index), plies_after: after @ 1.. }) = self.line.stop
            && let Some(finding) = self.findings.all().get_mut(index)
        {
            finding.message.push_str(&not_examined(after.into()));
        }
    }
}
