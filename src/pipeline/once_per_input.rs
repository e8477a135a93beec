//! Findings that are reported once per input and value, with a count.

use rustc_hash::FxHashMap;

use crate::{
    record::kind_fingerprint,
    rules::{
        Code, Conditions, Finding, MIN_GROUPED, Scope, Severity,
        variant_shown::{FEW_EXCEPTIONS, MANY_EXCEPTIONS},
    },
    text::wording::quantity,
};

/// Maximum number of values of a rule that are reported per input. Further ones are only counted.
const MAX_VALUES: usize = 10_000;

/// Share of the records, in percent, from which a fault of form is reported once. At least
/// [`MIN_GROUPED`] records must have it.
const HABIT_PERCENT: u64 = 50;

/// Share of the records, in percent, from which a fault that is grouped is only an info. At least
/// [`MIN_GROUPED`] records must have it.
const USUAL_PERCENT: u64 = 95;

/// Whether `times` findings of this scope are reported as one if there are so many `records`.
pub(super) const fn is_folded(scope: &Scope, times: u64, records: u64) -> bool {
    match scope {
        Scope::Place => false,
        Scope::Input { .. } => true,
        Scope::Group { .. } => times >= MIN_GROUPED,
        Scope::Habit { .. } => is_share(times, HABIT_PERCENT, records),
    }
}

/// A finding that is counted on the line of another one: the fingerprint that it has on a line of
/// its own, and that of the line.
pub(super) type Folded = [u64; 2];

/// The entry of a finding that may be counted on the line of another one. `None` if it never has a
/// line of its own, or if that depends on how the chunks were checked at the same time.
pub(super) fn folded(finding: &Finding) -> Option<Folded> {
    let is_uncertain = finding.conditions.has(FEW_EXCEPTIONS) || finding.conditions.has(MANY_EXCEPTIONS);
    let may_unfold = finding.scope.depends_on_count() && !is_uncertain;
    may_unfold.then(|| [finding.fingerprint, kind_fingerprint(finding, finding.scope.kind())])
}

/// The severity of the one finding that stands for `times` findings of this scope and severity.
pub(super) const fn severity_of_all(scope: &Scope, times: u64, records: u64, severity: Severity) -> Severity {
    match scope {
        Scope::Group { is_info_if_usual: true, .. } if is_share(times, USUAL_PERCENT, records) => Severity::Info,
        _ => severity,
    }
}

/// Whether `times` of the records are many, and so many of 100.
const fn is_share(times: u64, percent: u64, records: u64) -> bool {
    times >= MIN_GROUPED && times * 100 >= records * percent
}

/// Findings with different keys are counted separately.
pub(super) type Key = (Code, String, Severity, Conditions);

/// The key of a finding.
pub(super) fn key(finding: &Finding) -> Key {
    (finding.rule.code, finding.scope.kind().to_owned(), finding.severity, finding.conditions)
}

/// Habits with different values are reported separately, whatever their conditions.
pub(super) type Habit = (Code, String, Severity);

/// The habit that a finding shows.
pub(super) fn habit(finding: &Finding) -> Habit {
    (finding.rule.code, finding.scope.kind().to_owned(), finding.severity)
}

/// Findings that are reported once per input and value.
#[derive(Debug)]
pub(super) struct OncePerInput<T> {
    /// In the order of their first occurrence, each with the data of its first place.
    findings: Vec<(Finding, T, u64)>,
    known: FxHashMap<Key, usize>,
    /// Maximum number of values per rule. `None` in a chunk, which does not know the chunks before
    /// it.
    max_values: Option<usize>,
    /// In a chunk: further occurrences of findings whose first one is in an earlier chunk.
    counted: Vec<(Finding, u64)>,
    /// For each rule: number of values, number of findings with further values, and index of the
    /// last finding kept.
    rules: FxHashMap<Code, (usize, u64, usize)>,
}

impl<T> Default for OncePerInput<T> {
    fn default() -> OncePerInput<T> {
        OncePerInput {
            findings: Vec::new(),
            known: FxHashMap::default(),
            max_values: None,
            counted: Vec::new(),
            rules: FxHashMap::default(),
        }
    }
}

impl<T> OncePerInput<T> {
    /// A collection for a whole input.
    pub fn of_input() -> OncePerInput<T> {
        OncePerInput { max_values: Some(MAX_VALUES), ..OncePerInput::default() }
    }

    /// Whether there are no findings.
    pub const fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.counted.is_empty()
    }

    /// Adds `times` occurrences of a finding; `with` makes the data kept for the first one. Returns
    /// the number of occurrences so far.
    pub fn add(&mut self, finding: Finding, with: impl FnOnce() -> T, times: u64) -> u64 {
        let key = key(&finding);
        if let Some((.., count)) = self.known.get(&key).and_then(|index| self.findings.get_mut(*index)) {
            *count += times;
            return *count;
        }
        let (values, beyond, last) = self.rules.entry(finding.rule.code).or_default();
        if self.max_values.is_some_and(|max| *values >= max) {
            *beyond += times;
            return *beyond;
        }
        *values += 1;
        *last = self.findings.len();
        self.known.insert(key, self.findings.len());
        self.findings.push((finding, with(), times));
        times
    }

    /// Counts further occurrences of findings like this one. If there is none in a chunk, an
    /// earlier chunk has the first one: see [`OncePerInput::take_counted`].
    pub fn count_more(&mut self, finding: &Finding, times: u64) {
        if let Some((.., count)) = self.known.get(&key(finding)).and_then(|index| self.findings.get_mut(*index)) {
            *count += times;
        } else if self.has_room(finding) {
            match self.counted.iter_mut().find(|(counted, _)| key(counted) == key(finding)) {
                Some((_, count)) => *count += times,
                None => self.counted.push((finding.clone(), times)),
            }
        } else if let Some((_, beyond, _)) = self.rules.get_mut(&finding.rule.code) {
            *beyond += times;
        }
    }

    /// Further occurrences of findings whose first one is in an earlier chunk.
    pub fn take_counted(&mut self) -> Vec<(Finding, u64)> {
        std::mem::take(&mut self.counted)
    }

    /// Counts further occurrences of the findings of a rule with this value, if there are any.
    pub fn count_again(&mut self, code: Code, value: &str, times: u64) {
        let known = self.known.iter().filter(|((of, known, ..), _)| *of == code && known == value);
        for (_, index) in known {
            self.findings[*index].2 += times;
        }
    }

    /// Whether one more finding like this one is kept, or counted with an earlier one.
    pub fn has_room(&self, finding: &Finding) -> bool {
        let values = || self.rules.get(&finding.rule.code).map_or(0, |(values, ..)| *values);
        self.max_values.is_none_or(|max| values() < max) || self.known.contains_key(&key(finding))
    }

    /// The fingerprint with which findings like this one are reported.
    pub fn fingerprint(&self, finding: &Finding) -> Option<u64> {
        self.known.get(&key(finding)).and_then(|index| self.findings.get(*index)).map(|(first, ..)| first.fingerprint)
    }

    /// Number of occurrences of findings like this one.
    pub fn count(&self, finding: &Finding) -> u64 {
        self.count_of(&key(finding))
    }

    /// Number of occurrences of findings with this key.
    pub fn count_of(&self, key: &Key) -> u64 {
        self.known.get(key).and_then(|index| self.findings.get(*index)).map_or(0, |(.., count)| *count)
    }

    /// Adds up the habits of one kind that were counted under different conditions, of those whose
    /// conditions hold. Each then has the sum.
    pub fn join_habits(&mut self, holds: impl Fn(Conditions) -> bool) {
        let is_habit = |finding: &Finding| matches!(finding.scope, Scope::Habit { .. }) && holds(finding.conditions);
        let mut sums: FxHashMap<Habit, u64> = FxHashMap::default();
        for (finding, _, count) in self.findings.iter().filter(|(finding, ..)| is_habit(finding)) {
            *sums.entry(habit(finding)).or_default() += count;
        }
        for (finding, _, count) in self.findings.iter_mut().filter(|(finding, ..)| is_habit(finding)) {
            *count = sums.get(&habit(finding)).copied().unwrap_or(*count);
        }
    }

    /// All findings with their counts. If a rule had too many values, its last finding says so.
    pub fn into_findings(mut self) -> Vec<(Finding, T, u64)> {
        debug_assert!(self.counted.is_empty(), "the first occurrence is in no earlier chunk");
        for (values, beyond, last) in self.rules.into_values().filter(|(_, beyond, _)| *beyond > 0) {
            if let Some((finding, ..)) = self.findings.get_mut(last) {
                let more = quantity(beyond, "more finding", "more findings");
                let verb = if beyond == 1 { "is" } else { "are" };
                let listed = quantity(values, "value", "values");
                finding.message.push_str(&format!("; only {listed} are listed: {more} with other values {verb} left out"));
            }
        }
        self.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Findings, RULES, Span};

    fn finding(value: &str, at: usize) -> Finding {
        let mut findings = Findings::new();
        findings.add(RULES[0], Span::new(at, at)).once_per_input_and(value).message(value);
        findings.all().remove(0)
    }

    /// The findings for `values`, cut into chunks of `size`, with a limit of `max`.
    fn reported(values: &[&str], size: usize, max: usize) -> Vec<(usize, u64, String)> {
        let mut all = OncePerInput::<()> { max_values: Some(max), ..OncePerInput::default() };
        for (chunk, number) in values.chunks(size).zip(0..) {
            let mut part = OncePerInput::<()>::default();
            for (value, at) in chunk.iter().zip(number * size..) {
                part.add(finding(value, at), || (), 1);
            }
            for (finding, (), times) in part.into_findings() {
                all.add(finding, || (), times);
            }
        }
        all.into_findings().into_iter().map(|(finding, (), times)| (finding.place.start, times, finding.message)).collect()
    }

    #[test]
    fn values_are_counted_apart_up_to_a_limit_whatever_the_chunks() {
        let values = ["a", "b", "a", "c", "d", "c", "a", "b"];
        let expected = [
            (0, 3, "a".to_owned()),
            (1, 2, "b; only 2 values are listed: 3 more findings with other values are left out".to_owned()),
        ];
        for size in 1..=values.len() {
            assert_eq!(reported(&values, size, 2), expected, "chunks of {size}");
        }
        assert_eq!(reported(&values, 3, 4).len(), 4);
        assert!(reported(&values, 3, 4).iter().all(|(_, _, message)| message.len() == 1));
    }
}
