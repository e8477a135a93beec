//! Infos about the tags and lines of games whose movetext has none.
//!
//! The rules themselves check the tags. What they report once per input is only counted, once the thorough path has
//! found it.

use super::AcceptedGame;
use crate::{
    pgn::{Limits, TagPair, TagSection, read_plain_tag},
    rules::{
        ActiveRules, Finding, Findings, Rule, Scope, apply_yields,
        enc::line_format::{self, LineEnds, RecordLines},
        facts::NumberStyle,
        num::number_style,
        syn::blank_line,
    },
    text::Span,
};

/// Maximum number of findings that are only counted: more than chunks share, so that each can add its own.
const MAX_KNOWN: usize = 128;

/// What is known of the infos of an input.
#[derive(Debug, Default)]
pub struct Infos {
    /// Findings that are reported once per input and have been found, and how often each came up since.
    known: Vec<(Finding, u64)>,
    /// Those of them that the game has.
    again: Vec<usize>,
    pairs: Vec<TagPair>,
    findings: Findings,
}

impl Infos {
    /// Notes what the thorough path has found: from now on, the findings that are reported once per input are only
    /// counted.
    pub fn note(&mut self, findings: &[Finding]) {
        let once = findings.iter().filter(|finding| matches!(finding.scope, Scope::Input { .. }) && finding.patch.is_none());
        for finding in once {
            if self.known.len() < MAX_KNOWN && !self.known.iter().any(|(known, _)| are_alike(known, finding)) {
                self.known.push((finding.clone(), 0));
            }
        }
    }

    /// What the thorough path has found and is reported once per input.
    pub fn known(&self) -> impl Iterator<Item = &Finding> {
        self.known.iter().map(|(finding, _)| finding)
    }

    /// Whether the game at `start` has no infos, except for those that are only counted. Returns its line endings.
    pub fn accept(
        &mut self,
        text: &[u8],
        start: usize,
        game: &AcceptedGame,
        rules: &ActiveRules,
        limits: Limits,
    ) -> Option<LineEnds> {
        self.again.clear();
        let lines = RecordLines::of(text, start, game.next);
        for value in lines.values() {
            self.count(&line_format::RULE, value)?;
        }
        for (style, is_used) in [(NumberStyle::Glued, game.numbers.glued), (NumberStyle::Superfluous, game.numbers.superfluous)] {
            if is_used {
                self.count(&number_style::RULE, number_style::value(style))?;
            }
        }
        if !blank_line::follows_game(text, game.end, game.next) {
            return None;
        }
        self.check_tags(text, start, rules, limits)?;
        self.again.iter().for_each(|index| self.known[*index].1 += 1);
        Some(lines.ends)
    }

    /// Counts a finding of `rule` with this value. `None` if there was none yet.
    fn count(&mut self, rule: &Rule, value: &str) -> Option<()> {
        let is_it = |finding: &Finding| {
            finding.rule.code == rule.code && matches!(&finding.scope, Scope::Input { value: known } if known == value)
        };
        self.again.push(self.known.iter().position(|(known, _)| is_it(known))?);
        Some(())
    }

    /// Runs the rules about tags.
    fn check_tags(&mut self, text: &[u8], start: usize, rules: &ActiveRules, limits: Limits) -> Option<()> {
        self.pairs.clear();
        let mut at = start;
        while text.get(at) == Some(&b'[') {
            let pair = read_plain_tag(text, at)?;
            self.pairs.push(pair);
            at = pair.place.end + 1 + usize::from(text.get(pair.place.end) == Some(&b'\r'));
        }
        let place = Span::new(start, self.pairs.last()?.place.end);
        rules.tags(&TagSection::new(text, &self.pairs, &[], place).within(limits), &mut self.findings);
        if self.findings.is_empty() {
            return Some(());
        }
        apply_yields(&mut self.findings, 0);
        for finding in self.findings.all().drain(..) {
            self.again.push(self.known.iter().position(|(known, _)| are_alike(known, &finding))?);
        }
        Some(())
    }

    /// The findings that came up again since this was asked last, and how often.
    pub fn take_counted(&mut self) -> impl Iterator<Item = (&Finding, u64)> {
        let counted = self.known.iter_mut().map(|(finding, times)| (&*finding, std::mem::take(times)));
        counted.filter(|(_, times)| *times > 0)
    }
}

/// Whether both findings are counted together.
fn are_alike(one: &Finding, other: &Finding) -> bool {
    one.rule.code == other.rule.code
        && one.scope == other.scope
        && one.severity == other.severity
        && one.conditions == other.conditions
        && one.patch.is_none()
        && other.patch.is_none()
}
