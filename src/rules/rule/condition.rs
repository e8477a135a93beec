//! Conditions: what must be true of a whole input so that a finding is reported.

use serde::{Deserialize, Serialize};

use crate::rules::Code;

/// A condition on the whole input, of a rule that notes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Condition {
    rule: Code,
    number: u8,
}

impl Condition {
    /// The condition of `rule` with this number, which only that rule understands.
    pub const fn new(rule: Code, number: u8) -> Condition {
        Condition { rule, number }
    }

    /// The rule that it belongs to.
    pub const fn rule(self) -> Code {
        self.rule
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.number
    }
}

/// The conditions of a finding, which must all hold for the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Conditions([Option<Condition>; Conditions::MAX]);

impl Conditions {
    /// No conditions.
    pub const NONE: Conditions = Conditions([None; Conditions::MAX]);
    /// Maximum number of conditions of a finding.
    const MAX: usize = 3;

    /// Adds a condition, unless it is there already.
    ///
    /// # Panics
    /// With debug assertions, if there are three already. Without them, the condition is dropped.
    pub fn add(&mut self, condition: Condition) {
        if self.has(condition) {
            return;
        }
        match self.0.iter_mut().find(|free| free.is_none()) {
            Some(free) => *free = Some(condition),
            None => debug_assert!(false, "a finding has at most three conditions"),
        }
    }

    /// Removes the conditions for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(Condition) -> bool) {
        let old = std::mem::replace(self, Conditions::NONE);
        old.iter().filter(|condition| keep(*condition)).for_each(|condition| self.add(condition));
    }

    /// The conditions, in the order in which they were added.
    pub fn iter(self) -> impl Iterator<Item = Condition> {
        self.0.into_iter().flatten()
    }

    /// Whether this is one of them.
    pub fn has(self, condition: Condition) -> bool {
        self.0.contains(&Some(condition))
    }

    /// Whether there are no conditions.
    pub fn is_empty(self) -> bool {
        self == Conditions::NONE
    }
}

impl From<Condition> for Conditions {
    fn from(condition: Condition) -> Conditions {
        let mut conditions = Conditions::NONE;
        conditions.add(condition);
        conditions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Family;

    const ONE: Condition = Condition::new(Code::new(Family::Pos, 1), 0);
    const OTHER: Condition = Condition::new(Code::new(Family::Pos, 1), 1);

    #[test]
    fn conditions_are_a_set() {
        let mut conditions = Conditions::from(ONE);
        conditions.add(OTHER);
        conditions.add(ONE);
        assert_eq!(conditions.iter().collect::<Vec<_>>(), [ONE, OTHER]);
        conditions.retain(|condition| condition == OTHER);
        assert_eq!(conditions, OTHER.into());
        assert!(Conditions::NONE.is_empty() && !conditions.is_empty());
    }
}
