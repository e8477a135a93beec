//! Names that are spellings of one player's name, although they are not compatible.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::identity::{MainSpelling, PlayerName};

/// Which names are known to be those of one player. Without any, only compatible names are.
#[derive(Clone, Debug, Default)]
pub struct SameNames {
    /// For each group of names, the names of the player.
    players: FxHashMap<u64, Arc<[PlayerName]>>,
    /// For each group of names that has another spelling than the main one, that one.
    main: FxHashMap<u64, MainSpelling>,
}

impl SameNames {
    /// Adds names of one player. None of them was added before.
    pub fn add(&mut self, names: Vec<PlayerName>) {
        let names: Arc<[PlayerName]> = names.into();
        for name in names.iter().filter(|name| !name.is_unknown()) {
            self.players.insert(name.group(), Arc::clone(&names));
        }
    }

    /// Notes the main spelling of the player with the names of this group.
    pub fn add_main(&mut self, group: u64, main: MainSpelling) {
        self.main.insert(group, main);
    }

    /// The main spelling of a name that has another one.
    pub fn main_spelling(&self, name: &PlayerName) -> Option<&MainSpelling> {
        if self.main.is_empty() { None } else { self.main_of(name.group()) }
    }

    /// The main spelling of the names of a group, if they have another one.
    pub fn main_of(&self, group: u64) -> Option<&MainSpelling> {
        self.main.get(&group)
    }

    /// Whether none was added.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// The names of the player with this name, if there are several.
    pub fn of(&self, name: &PlayerName) -> &[PlayerName] {
        if self.is_empty() { &[] } else { self.players.get(&name.group()).map_or(&[], |names| names) }
    }

    /// Whether two names that may be those of one player are those of two, see
    /// [`PlayerName::differs`]. Other names of a player count if they are written in full.
    pub fn differ(&self, one: &PlayerName, other: &PlayerName) -> bool {
        let is_one = |name: &PlayerName, other: &PlayerName| {
            name.group() == other.group() || name.has_given_name() && name.may_be(other) && !name.differs(other)
        };
        one.differs(other)
            && !self.of(one).iter().any(|name| is_one(name, other))
            && !self.of(other).iter().any(|name| is_one(name, one))
    }

    /// Whether both can be one player. A name that was not added is compared with all names of a
    /// player.
    pub fn may_be(&self, one: &PlayerName, other: &PlayerName) -> bool {
        one.may_be(other)
            || self.of(one).iter().any(|name| name.may_be(other))
            || self.of(other).iter().any(|name| name.may_be(one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_names_are_those_of_one_player() {
        let name = PlayerName::new;
        let mut names = SameNames::default();
        assert!(!names.may_be(&name("Jussupow, Artur"), &name("Yusupov, Artur")));
        names.add(vec![name("Jussupow, Artur"), name("Yusupov, Artur")]);
        for other in ["Yusupov, Artur", "YUSUPOV, ARTUR", "Yusupov, A", "Jussupow, A"] {
            assert!(names.may_be(&name("Jussupow, Artur"), &name(other)), "{other}");
            assert!(names.may_be(&name(other), &name("Jussupow, Artur")), "{other}");
        }
        assert!(!names.may_be(&name("Jussupow, Artur"), &name("Yusupov, Boris")));
        assert!(!names.may_be(&name("Jussupow, A"), &name("Yusupov, A")));
        assert!(!names.may_be(&name("NN"), &name("NN")));
        assert!(!names.differ(&name("Jussupow, Artur"), &name("Yusupov, Artur")));
        assert!(!names.differ(&name("Jussupow, A"), &name("Yusupov, Artur")));
        // An initial is that of both.
        names = SameNames::default();
        names.add(vec![name("Polgar, Zsuzsa"), name("Polgar, Z")]);
        assert!(names.differ(&name("Polgar, Zsuzsa"), &name("Polgar, Zsofia")));
    }
}
