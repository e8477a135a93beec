//! Which rules and findings a run shows.

use std::collections::BTreeMap;

use super::{Code, CodeSet, Finding, Profile, RULES, Rule, Severity};

/// Words that are not a rule code, a rule name or a family.
#[derive(Debug, thiserror::Error)]
#[error("{}; `chess-audit rules` lists them", self.describe())]
pub struct UnknownRule {
    /// Each with what was probably meant.
    words: Vec<(String, Option<String>)>,
}

impl UnknownRule {
    fn describe(&self) -> String {
        let words = self.words.iter().map(|(word, nearest)| {
            let hint = nearest.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            format!("`{word}` is not a rule code, rule name or family{hint}")
        });
        words.collect::<Vec<_>>().join("; ")
    }
}

/// The rules that a word means: a code (`MOV03`), a name (`ambiguous-move`) or a family (`MOV`), in
/// any case.
pub fn rules_called(word: &str) -> Result<Vec<&'static Rule>, UnknownRule> {
    let word = word.trim();
    let found: Vec<&'static Rule> = RULES
        .iter()
        .copied()
        .filter(|rule| {
            rule.name.eq_ignore_ascii_case(word)
                || rule.code.to_string().eq_ignore_ascii_case(word)
                || rule.code.family().letters().eq_ignore_ascii_case(word)
        })
        .collect();
    if found.is_empty() { Err(UnknownRule { words: vec![(word.to_owned(), closest_name(word))] }) } else { Ok(found) }
}

/// The codes of the rules that these words mean. If some mean none, the error names all of those.
fn all_called<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Vec<Code>, UnknownRule> {
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    for word in words {
        match rules_called(word) {
            Ok(rules) => found.extend(rules.into_iter().map(|rule| rule.code)),
            Err(error) => unknown.extend(error.words),
        }
    }
    if unknown.is_empty() { Ok(found) } else { Err(UnknownRule { words: unknown }) }
}

/// What was probably meant by `word`: the rule with that code and a leading zero (`MOV3`), the
/// family or rule with other letters (`MVO`, `MVO03`), or the rule whose name shares the most
/// letter pairs with it.
fn closest_name(word: &str) -> Option<String> {
    let padded = word.split_at_checked(3).map(|(letters, digit)| format!("{letters}0{digit}"));
    if let Some(rule) = padded.and_then(|code| super::rule(code.parse().ok()?)) {
        return Some(rule.code.to_string());
    }
    if let Some(name) = with_other_letters(word) {
        return Some(name);
    }
    let pairs = |text: &str| text.to_ascii_lowercase().into_bytes().windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
    let wanted = pairs(word);
    RULES
        .iter()
        .map(|rule| {
            let own = pairs(rule.name);
            let shared = own.iter().filter(|pair| wanted.contains(pair)).count();
            (2 * shared * 100 / (own.len() + wanted.len()).max(1), rule.name)
        })
        .max_by_key(|(likeness, _)| *likeness)
        .filter(|(likeness, _)| *likeness >= 60)
        .map(|(_, name)| name.to_owned())
}

/// The family or the code that `word` becomes with one other letter, or two swapped ones. The first
/// letter is right more often than the others.
fn with_other_letters(word: &str) -> Option<String> {
    let word = word.to_ascii_uppercase();
    let (letters, digits) = word.split_at(word.find(|letter: char| letter.is_ascii_digit()).unwrap_or(word.len()));
    let families = RULES.iter().map(|rule| rule.code.family().letters());
    let near = families.filter(|family| strsim::osa_distance(family, letters) == 1);
    let family = near.min_by_key(|family| family.chars().next() != letters.chars().next())?;
    let name = format!("{family}{digits}");
    (digits.is_empty() || super::rule(name.parse().ok()?).is_some()).then_some(name)
}

/// Which findings a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    rules: CodeSet,
    /// Rules selected by name, which are shown in every severity.
    named: CodeSet,
    min_severity: Severity,
    /// Severities set by the user, which override those of the rules.
    severities: BTreeMap<Code, Severity>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::of(Profile::Standard)
    }
}

impl Selection {
    /// The findings that `profile` shows.
    pub fn of(profile: Profile) -> Selection {
        let in_profile = |rule: &&&Rule| match profile {
            Profile::Problem => !rule.reachability && !rule.layout,
            Profile::Standard | Profile::Strict => !rule.layout,
            Profile::Export => true,
        };
        let rules = RULES.iter().filter(in_profile).map(|rule| rule.code).collect();
        Selection { rules, named: CodeSet::EMPTY, min_severity: profile.min_severity(), severities: BTreeMap::new() }
    }

    /// Shows only the rules called `words`, in every severity. Without words, nothing changes.
    pub fn select<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Result<Selection, UnknownRule> {
        let named = all_called(words)?;
        if !named.is_empty() {
            self.named = named.iter().copied().collect();
            self.rules = self.named;
        }
        Ok(self)
    }

    /// Shows these rules, too, in every severity.
    #[must_use]
    pub fn with(mut self, rules: CodeSet) -> Selection {
        self.named.extend(rules);
        self.rules.extend(rules);
        self
    }

    /// Hides the rules called `words`.
    pub fn ignore<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Result<Selection, UnknownRule> {
        all_called(words)?.into_iter().for_each(|code| self.rules.remove(code));
        Ok(self)
    }

    /// Sets the severity of every finding of the rules called `word`.
    pub fn with_severity(mut self, word: &str, severity: Severity) -> Result<Selection, UnknownRule> {
        self.severities.extend(rules_called(word)?.into_iter().map(|rule| (rule.code, severity)));
        Ok(self)
    }

    /// Whether the rule runs and can report anything.
    pub fn runs(&self, rule: &Rule) -> bool {
        self.shows_at(rule.code, self.severities.get(&rule.code).copied().unwrap_or(rule.severity))
    }

    /// Whether the rule does not run only because everything that it reports is less severe than
    /// what is shown.
    pub fn hides(&self, rule: &Rule) -> bool {
        self.rules.contains(rule.code) && !self.runs(rule)
    }

    /// Whether the rule runs and its infos are shown, possibly in a severity set by the user.
    pub fn shows_infos(&self, rule: &Rule) -> bool {
        self.shows_at(rule.code, self.severities.get(&rule.code).copied().unwrap_or(Severity::Info))
    }

    /// Sets the severity chosen by the user. Returns whether the finding is shown.
    pub fn admits(&self, finding: &mut Finding) -> bool {
        if let Some(severity) = self.severities.get(&finding.rule.code) {
            finding.severity = *severity;
        }
        self.shows_at(finding.rule.code, finding.severity)
    }

    /// The severity with which findings of a rule are shown that have this one by themselves;
    /// `None` if they are not shown.
    pub fn severity_shown(&self, code: Code, severity: Severity) -> Option<Severity> {
        let severity = self.severities.get(&code).copied().unwrap_or(severity);
        self.shows_at(code, severity).then_some(severity)
    }

    /// Whether the user has set severities.
    pub fn has_severities(&self) -> bool {
        !self.severities.is_empty()
    }

    fn shows_at(&self, code: Code, severity: Severity) -> bool {
        self.rules.contains(code) && (severity >= self.min_severity || self.named.contains(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_unknown_words_are_told() {
        let error = Selection::default().select(["MOV01", "MOV99", "ilegal-move"]).map_err(|error| error.to_string());
        let expected = "`MOV99` is not a rule code, rule name or family; `ilegal-move` is not a rule code, rule name or family; \
                        did you mean `illegal-move`?; `chess-audit rules` lists them";
        assert_eq!(error.map(drop), Err(expected.to_owned()));
    }
}
