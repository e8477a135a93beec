//! Infos about the tags and lines of games whose movetext has none.
//!
//! The rules themselves check the tags. What they report once per input is only counted, once the
//! thorough path has found it.

use super::{AcceptedGame, header::NameFaults};
use crate::{
    pgn::{Limits, TagPair, TagSection, read_plain_tag},
    rules::{
        ActiveRules, Finding, Findings, Rule, Scope, apply_yields,
        enc::line_format::{self, LineEnds, RecordLines},
        facts::NumberStyle,
        mov::check_mark_missing,
        num::number_style,
        syn::blank_line,
        tag::name_format,
    },
    text::Span,
};

/// Maximum number of findings that are only counted: more than chunks share, so that each can add
/// its own.
const MAX_KNOWN: usize = 128;

/// What is known of the infos of an input.
#[derive(Debug, Default)]
pub struct Infos {
    /// Whether the repairs of all places are listed. Then findings with a repair are not only
    /// counted.
    repairs: bool,
    /// Findings that are reported once per input and have been found, and how often each came up
    /// since.
    known: Vec<(Finding, u64)>,
    /// Those of them that the game has, and how often.
    again: Vec<(usize, u64)>,
    pairs: Vec<TagPair>,
    findings: Findings,
}

impl Infos {
    /// Nothing is known yet.
    pub fn new(repairs: bool) -> Infos {
        Infos { repairs, ..Infos::default() }
    }

    /// Notes what the thorough path has found: from now on, the findings that are reported once per
    /// input are only counted.
    pub fn note(&mut self, findings: &[Finding]) {
        let is_counted =
            |finding: &&Finding| matches!(finding.scope, Scope::Input { .. }) && !(self.repairs && finding.repair.is_some());
        for finding in findings.iter().filter(is_counted) {
            if self.known.len() < MAX_KNOWN && !self.known.iter().any(|(known, _)| are_alike(known, finding)) {
                self.known.push((finding.clone(), 0));
            }
        }
    }

    /// What the thorough path has found and is reported once per input.
    pub fn known(&self) -> impl Iterator<Item = &Finding> {
        self.known.iter().map(|(finding, _)| finding)
    }

    /// Whether the game at `start` has no infos, except for those that are only counted. Returns
    /// its line endings.
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
        if game.unmarked_checks > 0 {
            self.count_times(&check_mark_missing::RULE, "", u64::from(game.unmarked_checks))?;
        }
        let faults = game.name_faults;
        debug_assert!(
            faults.is_none_or(|faults| self.finds_only(faults, text, start, rules, limits)),
            "a rule about tags says in `wakes` when it has to be asked"
        );
        if faults.is_none_or(|faults| self.count_names(faults).is_none()) {
            self.check_tags(text, start, rules, limits)?;
        }
        self.again.iter().for_each(|(index, times)| self.known[*index].1 += times);
        Some(lines.ends)
    }

    /// Counts a finding of `rule` with this value. `None` if there was none yet.
    fn count(&mut self, rule: &Rule, value: &str) -> Option<()> {
        self.count_times(rule, value, 1)
    }

    /// The same for as many findings as `times`.
    fn count_times(&mut self, rule: &Rule, value: &str, times: u64) -> Option<()> {
        let is_it = |finding: &Finding| {
            finding.rule.code == rule.code && matches!(&finding.scope, Scope::Input { value: known } if known == value)
        };
        self.again.push((self.known.iter().position(|(known, _)| is_it(known))?, times));
        Some(())
    }

    /// Counts what is wrong with names. `None` if a finding is not known.
    fn count_names(&mut self, faults: NameFaults) -> Option<()> {
        let before = self.again.len();
        let counted = faults.into_iter().flatten().try_for_each(|kind| self.count(&name_format::RULE, kind));
        if counted.is_none() {
            self.again.truncate(before);
        }
        counted
    }

    /// Whether rules about tags report nothing but these faults of names.
    fn finds_only(&mut self, faults: NameFaults, text: &[u8], start: usize, rules: &ActiveRules, limits: Limits) -> bool {
        let is_read = self.find_about_tags(text, start, rules, limits).is_some();
        let mut faults = faults.into_iter().flatten();
        let is_next = |finding: Finding| {
            let is_it = |kind: &str| matches!(finding.scope, Scope::Input { value } if value == kind);
            finding.rule.code == name_format::RULE.code && faults.next().is_some_and(is_it)
        };
        is_read && self.findings.all().drain(..).all(is_next)
    }

    /// Runs the rules about tags, and counts what they find.
    fn check_tags(&mut self, text: &[u8], start: usize, rules: &ActiveRules, limits: Limits) -> Option<()> {
        self.find_about_tags(text, start, rules, limits)?;
        if self.findings.is_empty() {
            return Some(());
        }
        apply_yields(&mut self.findings, 0);
        for finding in self.findings.all().drain(..) {
            self.again.push((self.known.iter().position(|(known, _)| are_alike(known, &finding))?, 1));
        }
        Some(())
    }

    /// Runs the rules about tags. `None` if a tag pair cannot be read.
    fn find_about_tags(&mut self, text: &[u8], start: usize, rules: &ActiveRules, limits: Limits) -> Option<()> {
        self.pairs.clear();
        let mut at = start;
        while text.get(at) == Some(&b'[') {
            let pair = read_plain_tag(text, at)?;
            self.pairs.push(pair);
            at = pair.place.end + 1 + usize::from(text.get(pair.place.end) == Some(&b'\r'));
        }
        let place = Span::new(start, self.pairs.last()?.place.end);
        rules.tags(&TagSection::new(text, &self.pairs, &[], place).within(limits), &mut self.findings);
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
}
